(* The proved checker, relations between examples and Jacobians: what holds between the   *)
(* means of all heads holds between the outputs of all weights, and their derivatives.     *)
(*                                                                                        *)
(*   related_span == a space of the dimension largest_rank has all columns of means         *)
(*   related_outputs == functional dimension <= d_out largest_rank                          *)
From Attest Require Import integers attention kruskal affine_hull biases common literal_arithmetic bounds problem jacobian logits.
From Attest Require Import quantity_bounds schemas memorized jacobians.
From mathcomp Require Import classical_sets functions derive realfun.
Import numFieldNormedType.Exports.

Section Related.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation d_h := (d_h D).
Local Notation d_out := (d_out D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation pair := [finType of 'I_T * 'I_d_out].
Hypothesis n0 : (0 < n D)%N.

Definition head_means (W : 'M[R]_d) (j : 'I_d) : 'rV[R]_T := \row_t ((E t)^T *m softmax (E t *m W *m e t)) j 0.

Lemma head_means_row k (W : 'I_k -> 'M[R]_d) h j : head_means (W h) j = row (mxvec_index h j) (Zmx E e W)^T.
Proof. by apply/rowP => t; rewrite mxE [RHS]mxE [RHS]mxE [RHS]mxE /stack trmxK mxvecE [RHS]mxE [RHS]mxE. Qed.

Lemma related_span : exists k, exists2 U : 'M[R]_(k, T), (\rank U <= largest_rank R D)%N &
  forall (K Q : 'M[R]_(d, d_h)) j, (head_means (K *m Q^T) j <= U)%MS.
Proof.
pose reached k := exists h (P : weights R h d d_h 0 0 0), (k <= \rank (attention.Z E e P))%N.
have [h [P le]] : reached (largest_rank R D).
  have [r0|] := posnP (largest_rank R D); last exact: (@largest_in T reached).
  by exists 0%N, (Weights (fun=> 0) (fun=> 0) (fun=> 0) 0 0); rewrite r0.
pose W i := WK P i *m (WQ P i)^T.
exists (h * d)%N, (Zmx E e W)^T.
  rewrite mxrank_tr -ZE; apply: largest_geq; first exact: rank_leq_row.
  by exists h, P.
move=> K Q j; pose W' (i : 'I_h.+1) := if insub (i : nat) is Some i' then W i' else K *m Q^T.
have sub : ((Zmx E e W)^T <= (Zmx E e W')^T)%MS.
  apply/row_subP => c; case/mxvec_indexP: c => i l; rewrite -head_means_row.
  have -> : W i = W' (widen_ord (leqnSn h) i).
    by rewrite /W' (_ : insub (nat_of_ord (widen_ord (leqnSn h) i)) = Some i :> option 'I_h) //; apply: valK.
  by rewrite head_means_row row_sub.
have new : (head_means (K *m Q^T) j <= (Zmx E e W')^T)%MS.
  have -> : K *m Q^T = W' ord_max by rewrite /W' insubF //= ltnn.
  by rewrite head_means_row row_sub.
apply: submx_trans new _; rewrite -(mxrank_leqif_sup sub).2 eqn_leq mxrankS //=.
have W'E : exists P' : weights R h.+1 d d_h 0 0 0, attention.Z E e P' = Zmx E e W'.
  exists (Weights (fun i => if insub (i : nat) is Some i' then WK P i' else K)
    (fun i => if insub (i : nat) is Some i' then WQ P i' else Q) (fun=> 0) 0 0).
  by rewrite ZE; congr (Zmx E e _); apply/funext => i; rewrite /W' /=; case: insub.
have [P' PE] := W'E; rewrite !mxrank_tr -PE -ZE; apply: leq_trans le.
by apply: largest_geq; [exact: rank_leq_row|exists h.+1, P'].
Qed.

(* the outputs o of all examples                                                   *)
Let none : 'I_H -> 'cV[R]_d_h := fun=> 0.
Definition outputs_row (w : parameter D d_h -> R) o : 'rV[R]_T := \row_t outputs 1 none none w t o 0.

Lemma outputs_row_sub k (U : 'M[R]_(k, T)) w o :
  (forall (K Q : 'M[R]_(d, d_h)) j, (head_means (K *m Q^T) j <= U)%MS) -> (outputs_row w o <= U)%MS.
Proof.
move=> UP; have -> : outputs_row w o = \sum_h \sum_j readout_of w h j o *: head_means (key_of w h *m (query_of w h)^T) j.
  apply/rowP => t; rewrite mxE /outputs [LHS]summxE summxE; apply: eq_bigr => h _.
  rewrite mxE summxE; apply: eq_bigr => j _; rewrite mxE [RHS]mxE [X in _ = _ * X]mxE; congr (_ * _).
  congr ((_ *m softmax _) _ _); rewrite scale1r /logits_at trmx0 mulmx0 !addr0; by rewrite !mulmxA.
by apply: summx_sub => h _; apply: summx_sub => j _; apply: scalemx_sub; apply: UP.
Qed.

Lemma partial_row_sub k (U : 'M[R]_(k, T)) w o c :
    (forall (K Q : 'M[R]_(d, d_h)) j, (head_means (K *m Q^T) j <= U)%MS) ->
  (\row_t partial 1 none none w t o c <= U)%MS.
Proof.
move=> UP; rewrite submxE; apply/eqP/rowP => l; rewrite mxE [RHS]mxE.
pose C t := cokermx U t l.
have zero x : \sum_t C t * outputs 1 none none (moved w c x) t o 0 = 0.
  have := outputs_row_sub (moved w c x) o UP; rewrite submxE => /eqP/rowP/(_ l); rewrite mxE [RHS]mxE => eq0.
  by rewrite -[RHS]eq0; apply: eq_bigr => t _; rewrite mulrC mxE.
have der t : is_derive (0 : R) 1 (fun x => C t * outputs 1 none none (moved w c x) t o 0) (C t * partial 1 none none w t o c).
  have dt := is_derive_outputs 1 none none n0 w t o c.
  rewrite (_ : (fun x => _) = cst (C t) * (fun x => outputs 1 none none (moved w c x) t o 0)); last by apply/funext.
  by apply: is_derive_eq; rewrite scaler0 addr0 partialE.
have dsum := is_derive_fsum der.
have dzero : is_derive (0 : R) 1 (fun x => \sum_t C t * outputs 1 none none (moved w c x) t o 0) 0.
  by rewrite (_ : (fun x => _) = cst 0); [apply: is_derive_cst|apply/funext => x; rewrite zero].
have := derive1_val dsum; rewrite (derive1_val dzero) => eq0.
by rewrite [RHS]eq0; apply: eq_bigr => t _; rewrite mxE mulrC.
Qed.

Theorem related_outputs : (functional_dimension R D <= d_out * largest_rank R D)%N.
Proof.
apply: largest_leq => k [w /leq_trans]; apply; have [h [U rU UP]] := related_span.
pose S (o : 'I_d_out) : 'M[R]_(T, #|pair|) := \matrix_(t, i) (enum_val i == (t, o))%:R.
rewrite -mxrank_tr; apply: (@leq_trans (\rank (\sum_(o < d_out) <<U *m S o>>)%MS)).
  apply/mxrankS/row_subP => c.
  have -> : row c (derivatives 1 none none true w)^T = \sum_o (\row_t partial 1 none none w t o (enum_val c)) *m S o.
    apply/rowP => i; rewrite mxE [LHS]mxE [LHS]mxE /= summxE.
    rewrite (bigD1 (enum_val i).2) //= [X in _ + X]big1 => [|o oi]; last first.
      by rewrite mxE big1 // => t _; rewrite mxE [S _ _ _]mxE -pair_eqE /pair_eq /= [_ == o]eq_sym (negPf oi) andbF mulr0.
    rewrite addr0 mxE (bigD1 (enum_val i).1) //= big1 => [|t ti]; last first.
      by rewrite mxE [S _ _ _]mxE -pair_eqE /pair_eq /= [_ == t]eq_sym (negPf ti) mulr0.
    by rewrite addr0 mxE [S _ _ _]mxE -surjective_pairing eqxx mulr1.
  apply: summx_sub => o _; apply: submx_trans (_ : _ <= <<U *m S o>>)%MS _; last by rewrite (sumsmx_sup o).
  by rewrite genmxE submxMr // partial_row_sub.
apply: leq_trans (mxrank_sum_leqif _) _ => /=.
apply: leq_trans (_ : \sum_(o < d_out) largest_rank R D <= _)%N; last by rewrite sum_nat_const card_ord.
by apply: leq_sum => o _; rewrite genmxE; apply: leq_trans (mxrankM_maxl _ _) rU.
Qed.

End Related.
