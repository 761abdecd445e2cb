(* Proposition 5 of the paper: if the entries of every token of every context   *)
(* sum to the same c, then rank(Z) <= H (d - 1) + 1 for any weights.           *)
(*                                                                              *)
(*   proposition_5 == the statement (alias constant_sum_rank)                   *)
From Attest Require Import prelude attention affine_hull.

Theorem proposition_5 (R : realType) T H n d dh dv do dout
    (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (P : weights R H d dh dv do dout) (c : R) :
  (forall t i, \sum_j E t i j = c) -> (\rank (Z E e P) <= H * (d - 1) + 1)%N.
Proof.
case: d E e P => [|d'] E e P sE.
  by rewrite (leq_trans (rank_leq_col _)) // muln0.
rewrite subn1 /=.
pose o : 'cV[R]_d'.+1 := const_mx 1.
pose V := kermx o.
pose x0 : 'rV[R]_d'.+1 := c *: delta_mx 0 0.
have rV : \rank V = d'.
  rewrite mxrank_ker; suff -> : \rank o = 1%N by rewrite subn1.
  apply/eqP; rewrite eqn_leq rank_leq_col lt0n mxrank_eq0.
  apply/negP => /eqP /matrixP /(_ 0 0) /eqP.
  by rewrite !mxE oner_eq0.
rewrite -[X in (H * X + 1)%N]rV.
apply: (affine_hull_bound e P (x0 := x0)) => // t i.
apply/sub_kermxP; rewrite mulmxBl; apply/matrixP => a b.
rewrite !ord1 !mxE -[X in X - _](_ : c = _).
  rewrite (bigD1 0) //= big1 ?addr0 => [|j j0]; last first.
    by rewrite !mxE (negPf j0) mulr0 mul0r.
  by rewrite !mxE !eqxx !mulr1 subrr.
by rewrite -(sE t i); apply: eq_bigr => j _; rewrite !mxE mulr1.
Qed.
