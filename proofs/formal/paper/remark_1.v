(* Remark 1 of the paper: if the Kruskal rank of the queries is only k < n, then     *)
(* Proposition 1 and Theorem 1 hold with r = min(n, d_h, k).                         *)
(*                                                                                   *)
(*   remark_1_rank == for Proposition 1                                              *)
(*        remark_1 == for Theorem 1 (alias attention_memorizes_kruskal)              *)
From Attest Require Import prelude attention kruskal proposition_1 theorem_1.

Section Remark1.
Variables (R : realType) (T n d dh dv do dout H k : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis kruskal_e : kruskal_geq e k.
Hypothesis rankE : Assumption2 E.
Let r := minn (minn n dh) k.

Theorem remark_1_rank
    (WV : 'I_H -> 'M[R]_(d, dv)) (WO : 'M[R]_(H * dv, do)) (WD : 'M[R]_(do, dout)) :
  exists WK : 'I_H -> 'M[R]_(d, dh), exists WQ : 'I_H -> 'M[R]_(d, dh),
    (minn T (H * (r - 1) + 1) <= \rank (Z E e (Weights WK WQ WV WO WD)))%N.
Proof.
apply: proposition_1_kruskal => //.
- by rewrite /r -minnA geq_minl.
- by rewrite /r minnAC geq_minr.
- by apply: kruskal_geqW kruskal_e; apply: geq_minr.
Qed.

Theorem remark_1 (y : 'I_T -> 'cV[R]_dout) :
    (dout <= dv)%N -> (dout <= do)%N -> (T <= H * (r - 1) + 1)%N ->
  exists P : weights R H d dh dv do dout, memorizes E e P y.
Proof.
move=> dv_ do_; apply: theorem_1_kruskal => //.
- by rewrite /r -minnA geq_minl.
- by rewrite /r minnAC geq_minr.
- by apply: kruskal_geqW kruskal_e; apply: geq_minr.
Qed.

End Remark1.
