(* Softmax is no restriction, with sinks: they are one more token, which is 0                                *)
(* (docs/mathematics.md, Theorem 5).                                                                          *)
(*                                                                                                            *)
(*            with_sink E t == the tokens and one more, 0                                                     *)
(*                 sink_Z P == Z with a sink of logit 0 in each head                                          *)
(*   nonparallel_rank_sinks == weights that are at least as good as any coefficients, of any sums             *)
From Attest Require Import prelude.
From Attest Require Import attention common nonparallel.

Section Sinks.
Variables (R : realType) (T n d dh H : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypotheses (dh_gt0 : (0 < dh)%N) (e_neq0 : forall t, e t != 0).

Definition with_sink t : 'M[R]_(n + 1, d) := col_mx (E t) 0.

(* coefficients of sinks of logit 0                                            *)
Definition sink_Z (P : weights R H d dh 0 0 0) : 'M[R]_(T, H * d) :=
  \matrix_t (stack (fun h => (E t)^T *m \col_i (expR ((keys P (E t) h *m query P (e t) h) i 0) /
    (\sum_j expR ((keys P (E t) h *m query P (e t) h) j 0) + 1))))^T.

Lemma sink_head (P : weights R H d dh 0 0 0) t h : head_z P (with_sink t) (e t) h =
  (E t)^T *m \col_i (expR ((keys P (E t) h *m query P (e t) h) i 0) / (\sum_j expR ((keys P (E t) h *m query P (e t) h) j 0) + 1)).
Proof.
rewrite /head_z /alpha; set l := keys P (E t) h *m _.
have -> : keys P (with_sink t) h *m query P (e t) h = col_mx l 0 by rewrite /keys /with_sink !mul_col_mx !mul0mx.
have den : \sum_j expR ((col_mx l (0 : 'cV[R]_1)) j 0) = \sum_j expR (l j 0) + 1.
  rewrite big_split_ord /= big_ord1 col_mxEd mxE expR0; congr (_ + _).
  by apply: eq_bigr => j _; rewrite col_mxEu.
have -> : softmax (col_mx l (0 : 'cV[R]_1)) = col_mx (\col_i (expR (l i 0) / (\sum_j expR (l j 0) + 1))) (\col_i (1 / (\sum_j expR (l j 0) + 1))).
  apply/colP => i; rewrite mxE den; case: (splitP i) => k ik.
    have -> : i = lshift 1 k by apply/val_inj.
    by rewrite !col_mxEu [RHS]mxE.
  have -> : i = rshift n k by apply/val_inj.
  by rewrite !col_mxEd [RHS]mxE [(0 : 'cV[R]_1) _ _]mxE expR0.
by rewrite /with_sink tr_col_mx trmx0 mul_row_col mul0mx addr0.
Qed.

Theorem nonparallel_rank_sinks (A : 'I_T -> 'M[R]_(H, n)) : non_parallel with_sink e ->
  exists P, (\rank (attn_out A E) <= \rank (sink_Z P))%N.
Proof.
move=> np; pose B t : 'M[R]_(H, n + 1) := row_mx (A t) (\col_h (1 - \sum_i A t h i)).
have B1 t : sum1 (B t).
  move=> h; rewrite big_split_ord /= big_ord1 row_mxEr mxE.
  by under eq_bigr do rewrite row_mxEl; rewrite addrC subrK.
have [P le] := nonparallel_rank dh_gt0 np B1; exists P.
have -> : sink_Z P = attention.Z with_sink e P.
  by apply/row_matrixP => t; rewrite [LHS]rowK [RHS]rowK; congr (stack _)^T; apply/funext => h; rewrite sink_head.
apply: leq_trans le; rewrite (_ : attn_out A E = attn_out B (at_means with_sink e)) //.
apply/row_matrixP => t; rewrite !rowK; congr mxvec; rewrite /at_means (negPf (e_neq0 t)).
by rewrite /B /with_sink mul_row_col mulmx0 addr0.
Qed.

End Sinks.
