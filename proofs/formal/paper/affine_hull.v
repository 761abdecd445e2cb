(* The affine-hull bound: if all tokens of all contexts lie in an affine space  *)
(* x0 + V, then rank(Z) <= H dim(V) + 1, for all weights.  Propositions 2 and 5 *)
(* of the paper are instances.  If 0 lies in the affine space, the + 1 goes.   *)
(* The statement about coefficients that sum to one holds over any field;      *)
(* affine_hull_bound is the one about the layer.                               *)
(*                                                                              *)
(*     affine_hull_rank, linear_hull_rank == for such coefficients, any field   *)
(*   affine_hull_bound, linear_hull_bound == for the layer, any weights         *)
From Attest Require Import prelude attention.

Section AffineHull.
Variables (F : fieldType) (T H n d : nat).

Lemma attn_outE (A : 'I_T -> 'M[F]_(H, n)) (E : 'I_T -> 'M[F]_(n, d)) t h j :
  attn_out A E t (mxvec_index h j) = (row h (A t) *m E t) 0 j.
Proof. by rewrite mxE mxvecE -row_mul [RHS]mxE. Qed.

Lemma sum1P (A : 'M[F]_(H, n)) : sum1 A -> A *m const_mx 1 = const_mx 1 :> 'M_(H, 1).
Proof.
move=> sA; apply/matrixP=> h j; rewrite !mxE -[RHS](sA h).
by apply: eq_bigr => i _; rewrite mxE mulr1.
Qed.

Theorem affine_hull_rank (A : 'I_T -> 'M[F]_(H, n)) (E : 'I_T -> 'M[F]_(n, d))
    (x0 : 'rV[F]_d) m (V : 'M[F]_(m, d)) :
    (forall t, sum1 (A t)) ->
    (forall t i, (row i (E t) - x0 <= V)%MS) ->
  (\rank (attn_out A E) <= H * \rank V + 1)%N.
Proof.
move=> sA EV.
pose B := row_base V.
have EB t : (E t - const_mx 1 *m x0 <= B)%MS.
  apply/row_subP => i; rewrite eq_row_base.
  rewrite linearB /= -[row i (E t)]/(row i (E t)) row_mul.
  have -> : row i (const_mx 1 : 'cV[F]_n) = 1%:M.
    by apply/matrixP=> a b; rewrite !ord1 !mxE.
  by rewrite mul1mx EV.
pose C t := A t *m ((E t - const_mx 1 *m x0) *m pinvmx B).
have AE t : A t *m E t = const_mx 1 *m x0 + C t *m B.
  rewrite /C -(mulmxA (A t)) mulmxKpV //.
  by rewrite mulmxBr mulmxA (sum1P (sA t)) addrC subrK.
have -> : attn_out A E =
    const_mx 1 *m mxvec (const_mx 1 *m x0 : 'M_(H, d))
    + (\matrix_t mxvec (C t)) *m lin_mx (mulmxr B).
  apply/row_matrixP => t; rewrite linearD /= !row_mul !rowK.
  have -> : row t (const_mx 1 : 'cV[F]_T) = 1%:M.
    by apply/matrixP=> a b; rewrite !ord1 !mxE.
  by rewrite mul1mx mul_vec_lin /= AE linearD.
rewrite addnC (leq_trans (mxrank_add _ _)) //.
by rewrite leq_add // (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
Qed.


Theorem linear_hull_rank (A : 'I_T -> 'M[F]_(H, n)) (E : 'I_T -> 'M[F]_(n, d)) m (V : 'M[F]_(m, d)) :
    (forall t, (E t <= V)%MS) ->
  (\rank (attn_out A E) <= H * \rank V)%N.
Proof.
move=> EV; pose B := row_base V.
have -> : attn_out A E =
    (\matrix_t mxvec (A t *m (E t *m pinvmx B))) *m lin_mx (mulmxr B).
  apply/row_matrixP => t; rewrite row_mul !rowK mul_vec_lin /=.
  by rewrite -mulmxA mulmxKpV // eq_row_base.
by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
Qed.

End AffineHull.

(* the two bounds for the layer, whatever its weights                           *)
Section Layer.
Variables (R : realType) (T H n d dh dv do dout : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Variable P : weights R H d dh dv do dout.

Lemma coefs_sum1 (W : 'I_H -> 'M[R]_d) t : (0 < n)%N -> sum1 (coefs E e W t).
Proof.
move=> n0 h; rewrite -[RHS](softmax_sum1 (E t *m W h *m e t) n0).
by apply: eq_bigr => i _; rewrite [LHS]mxE mxE.
Qed.

Theorem affine_hull_bound (x0 : 'rV[R]_d) m (V : 'M[R]_(m, d)) :
    (forall t i, (row i (E t) - x0 <= V)%MS) ->
  (\rank (Z E e P) <= H * \rank V + 1)%N.
Proof.
move=> EV; rewrite ZE Zmx_attn_out; case: (posnP n) => n0.
  apply: leq_trans (_ : _ <= H * \rank V)%N _; last by rewrite leq_addr.
  apply: linear_hull_rank => t; rewrite (_ : E t = 0) ?sub0mx //.
  apply/matrixP => i j; have := leq_ltn_trans (leq0n i) (ltn_ord i).
  by rewrite [X in (_ < X)%N -> _]n0 ltnn.
by apply: affine_hull_rank EV => t; apply: coefs_sum1.
Qed.

Theorem linear_hull_bound m (V : 'M[R]_(m, d)) : (forall t, (E t <= V)%MS) ->
  (\rank (Z E e P) <= H * \rank V)%N.
Proof. by move=> EV; rewrite ZE Zmx_attn_out; apply: linear_hull_rank. Qed.

End Layer.
