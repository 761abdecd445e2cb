(* The proved checker, layers before the layer: rows of Z that are different for almost all weights of the last layer, as in *)
(* generic_outputs.v, each example by itself.                                                                              *)
(*                                                                                                                         *)
(*   stack_in_shape, stack_almost_all_outputs == a layer of the shape is one of these weights                                *)
(*   stack_equal_inputs == equal and opposite rows are so for all of them                                                    *)
From Attest Require Import integers attention common biases generic_data exponential_polynomials.
From Attest Require Import literal_arithmetic problem logits quantities quantity_bounds heads memorized schemas outputs generic_outputs.
From Attest Require Import depth stack_enclosures stack_symmetry.

Local Notation Z := BinNums.Z.

Section Outputs.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation weights := (weights R H d (d_h D) 0 0 0).
Local Notation x := (entering R S).
Local Notation own t := (nth 0%N (example_rows S) t).

Lemma free_row (P : weights) t : row t (stack_Z_of P)
  = mxvec (\matrix_h softmax_mean x (stack_tokens x (list_of t) *m (WK P h *m (WQ P h)^T *m (x (own t))^T))).
Proof.
rewrite rowK ZE rowK /stack trmxK; congr mxvec; apply/row_matrixP => h; rewrite !rowK.
by rewrite /softmax_mean trmx_mul trmxK !mulmxA.
Qed.

Lemma free_entry (P : weights) t c : stack_Z_of P t c = Zmx (fun _ : 'I_1 => stack_tokens x (list_of t)) (fun=> (x (own t))^T)
  (fun h => WK P h *m (WQ P h)^T) ord0 c.
Proof. by rewrite -ZE [LHS]mxE; rewrite /row [LHS]mxE. Qed.

Lemma stack_generic_geq (P : weights) : (distinct_rows (stack_Z_of P) <= stack_generic_outputs R S)%N.
Proof.
apply: largest_geq; first by rewrite /distinct_rows (leq_trans (size_undup _)) // size_map size_enum_ord.
exists (WK P), (WQ P) => K' Q'.
pose line y : weights := Weights (fun h => WK P h + y *: (K' h - WK P h)) (fun h => WQ P h + y *: (Q' h - WQ P h)) (fun=> 0) 0 0.
have frac t c : expfrac (fun y => stack_Z_of (line y) t c).
  pose E (_ : 'I_1) := stack_tokens x (list_of t); pose e (_ : 'I_1) := (x (own t))^T.
  pose W y h : 'M[R]_d := WK (line y) h *m (WQ (line y) h)^T.
  have FE y : Zmx E e (W y) ord0 c = stack_Z_of (line y) t c by rewrite free_entry.
  apply: expfrac_ext FE; apply: (@expfrac_Zmx R 1 H (size (list_of t)) d (fun=> E) (fun=> e) W).
  - by move=> t' i k; apply: polynomial_const.
  - by move=> t' i k; apply: polynomial_const.
  move=> h; apply: polynomial_mulmx => [i k|i k]; first exact: (line_poly (WK P h) (K' h)).
  by have [p pE] := line_poly (WQ P h) (Q' h) k i; exists p => y; rewrite -pE mxE.
have line0 : stack_Z_of (line 0) = stack_Z_of P.
  have W0 : (fun h => WK (line 0) h *m (WQ (line 0) h)^T) = (fun h => WK P h *m (WQ P h)^T).
    by apply/funext => h; rewrite /line /= !scale0r !addr0.
  apply/matrixP => t c; apply: etrans (free_entry (line 0) t c) _; rewrite W0; apply: esym; exact: free_entry.
have [few fewP] := few_equal (M := fun y => stack_Z_of (line y)) frac; exists few => y yf.
by have := fewP y yf; rewrite line0.
Qed.

Lemma stack_in_shape L : in_shape D L -> exists P : weights, stack_Z R S L = stack_Z_of P.
Proof.
move=> sL; have [W [rW LW]] : exists W : 'I_H -> 'M[R]_d, (forall h, \rank (W h) <= d_h D)%N /\
    forall h y, (@along_of R S L h y)^T = W h *m y^T.
  move: sL; rewrite /in_shape; case: L => [m qk K qq Q qkb bK qqb bQ|q W|//].
    move=> /andP[mdh /nilP bQ0]; exists (fun h => literal R d m qk K h *m (literal R d m qq Q h)^T); split=> [h|h y].
      by apply: leq_trans mdh; apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
    by rewrite /= bQ0 row_of_zero ?nth_nil // addr0 !trmx_mul trmxK mulmxA.
  move=> ddh; exists (fun h => literal R d d q W h); split=> [h|h y]; first by apply: leq_trans ddh; apply: rank_leq_row.
  by rewrite /= trmx_mul trmxK.
have /fin_all_exists[KQ KQE] : forall h, exists KQ : 'M[R]_(d, d_h D) * 'M[R]_(d, d_h D), factor R D false *: W h = KQ.1 *m KQ.2^T.
  move=> h; have rf : (\rank (factor R D false *: W h) <= d_h D)%N.
    by apply: leq_trans (rW h); rewrite -mul_scalar_mx mxrankM_maxr.
  by have [K [Q WE]] := rank_factor rf; exists (K, Q).
exists (Weights (fun h => (KQ h).1) (fun h => (KQ h).2) (fun=> 0) 0 0); apply/row_matrixP => t.
rewrite free_row rowK; congr mxvec; apply/row_matrixP => h; rewrite !rowK -KQE /stack_mean /stack_alpha softmax_along LW.
by rewrite /softmax_mean -scalemxAl -scalemxAr.
Qed.

Theorem stack_almost_all_outputs L : in_shape D L -> (distinct_rows (stack_Z R S L) <= stack_generic_outputs R S)%N.
Proof. by move=> /stack_in_shape[P ->]; apply: stack_generic_geq. Qed.

End Outputs.
