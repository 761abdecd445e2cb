(* Z does not depend on the order of the tokens in a context.                      *)
(*                                                                                 *)
(*     same_example == the same query, the same tokens in another order             *)
(*     same_row == the same examples have the same rows in Z, for all weights       *)
From mathcomp Require Import perm.
From Attest Require Import prelude attention.

Lemma softmax_perm (R : realType) n d (C C' : 'M[R]_(n, d)) (w : 'cV[R]_d) (p : 'S_n) :
  C' = row_perm p C -> (C'^T *m softmax (C' *m w) = C^T *m softmax (C *m w))%R.
Proof.
move=> ->; have wE i : (row_perm p C *m w) i 0 = (C *m w) (p i) 0.
  by rewrite mxE [RHS]mxE; apply: eq_bigr => j _; rewrite mxE.
have sE : \sum_j expR ((row_perm p C *m w) j 0) = \sum_j expR ((C *m w) j 0).
  by rewrite [RHS](reindex_inj (@perm_inj _ p)); apply: eq_bigr => j _; rewrite wE.
apply/matrixP => k l; rewrite mxE [RHS]mxE [RHS](reindex_inj (@perm_inj _ p)); apply: eq_bigr => i _.
by rewrite ord1 3!mxE sE wE [in RHS]mxE [X in _ = _ * X]mxE.
Qed.

Section Rows.
Variables (R : realType) (T n d : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

Definition same_example (t t' : 'I_T) : Prop := e t = e t' /\ exists p : 'S_n, E t = row_perm p (E t').

Lemma same_row H (W : 'I_H -> 'M[R]_d) t t' : same_example t t' -> row t (Zmx E e W) = row t' (Zmx E e W).
Proof.
move=> [et [p Et]]; rewrite !rowK; congr (stack _)^T; apply/funext => h.
by rewrite -!mulmxA (softmax_perm _ Et) et.
Qed.

End Rows.
