(* The proved checker, layers before the layer: numbers of single coefficients, of singular values and of scores, from the *)
(* enclosures of stack_enclosures.v.                                                                                      *)
(*                                                                                                                       *)
(*   stack_pairs_ok, stack_pairs_above, .._below == so many pairs have a coefficient above the level, or none              *)
(*   stack_spectrum_ok, stack_spectrum_above, .._below == vectors that stretch Z, or shrink it                             *)
(*   stack_scores_ok, stack_scores_above, .._below == so many examples are right, or wrong                                 *)
From Attest Require Import integers attention singular_values literal_arithmetic problem claims real_quantities logits.
From Attest Require Import rational_matrices enclosures packed saturation spectrum accuracy depth stack_enclosures.

Local Notation Z := BinNums.Z.

Section Compute.
Variables (S : layer_stack) (L : layer) (c : arguments) (above : bool).
Local Notation D := (top_problem S).

Definition iv_coefficients (bits : nat) : option (seq (seq (seq (Z * Z)))) :=
  let p := precision_of bits in let gs := digits_of p in let st := iv_entering S p gs in
  if st.1 then Some [seq [seq iv_alpha S p gs L st.2 t h | h <- iota 0 (H D)] | t <- iota 0 (T D)] else None.

Definition stack_pairs_ok (k bits : nat) : bool :=
  if iv_coefficients bits is Some A then stack_enclosable S L && (k <= pairs_found D c A above bits)%N else false.

(* with enclosures of 2^bits Z; those of Z have more bits, at least so many that few are lost *)
Definition iv_stack_Z (bits more : nat) : option (seq (seq (Z * Z))) :=
  omap (fun Z_rows => [seq [seq rounded (Zpos (two_power bits)) (denominator (precision_of more)) x | x <- flatten r] | r <- Z_rows])
    (iv_stack_rows S L more (iota 0 (T D))).
Definition stack_spectrum_ok (bits more : nat) (X : seq (seq Z)) : bool :=
  if iv_stack_Z bits more is Some Zs then stack_enclosable S L && dominant_ok (T D) (H D * d D) Zs c above bits X else false.

(* the means of a score are over the denominator of the contexts, of which there are none *)
Definition stack_scores_ok (k bits : nat) : bool :=
  if (iv_stack_rows S L bits (iota 0 (T D)), around D) is (Some Z_rows, Some w) then
    [&& stack_enclosable S L, (Zpos (q_contexts D) =? 1)%coqZ &
      count_from D c (score_rows D w (precision_of bits) (fun h => [seq nth [::] r h | r <- Z_rows])) above k bits]
  else false.

End Compute.

Section Sound.
Variables (R : realType) (S : layer_stack) (L : layer) (c : arguments).
Local Notation D := (top_problem S).
Local Notation z := (toF R).

Lemma stack_saturated_leq : (stack_saturated R S L c <= T D * H D)%N.
Proof.
apply: leq_trans (_ : \sum_(t < T D) \sum_(h < H D) 1 <= _)%N.
  by apply: leq_sum => t _; apply: leq_sum => h _; case: asboolP.
by rewrite !(big_const_ord, iter_addn) !addn0 mul1n mulnC.
Qed.

Lemma accurate_from_leq (mean : 'I_(T D) -> 'I_(H D) -> 'rV[R]_(d D)) : (accurate_from R D c mean <= T D)%N.
Proof.
apply: leq_trans (_ : \sum_(t < T D) 1 <= _)%N; first by apply: leq_sum => t _; case: asboolP.
by rewrite big_const_ord iter_addn addn0 mul1n.
Qed.

Section Coefficients.
Variables (A : seq (seq (seq (Z * Z)))) (bits : nat).
Hypotheses (ok : stack_enclosable S L) (AE : iv_coefficients S L bits = Some A).

Lemma coefficientsE (t : 'I_(T D)) (h : 'I_(H D)) : size (coefficients_at A t h) = size (list_of t) /\
  forall k, inside (z (Zpos (denominator (precision_of bits))) * stack_alpha R L t h k 0) (nth (0, 0)%coqZ (coefficients_at A t h) k).
Proof.
move: AE; rewrite /iv_coefficients; case: ifP => // shown [<-]; rewrite /coefficients_at (nth_map 0%N) ?size_iota // nth_iota // add0n.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n; apply: enclosed_alpha.
Qed.

End Coefficients.

Theorem stack_pairs_above k bits : stack_pairs_ok S L c true k bits -> (k <= stack_saturated R S L c)%N.
Proof.
rewrite /stack_pairs_ok; case AE: (iv_coefficients _ _ _) => [A|] // /andP[ok].
apply: (pairs_above (a := fun t h => stack_alpha R L t h)) => t h *; have [] := coefficientsE ok AE t h; auto.
Qed.

Theorem stack_pairs_below k bits : stack_pairs_ok S L c false k bits -> (stack_saturated R S L c <= pairs_counted D c - k)%N.
Proof.
rewrite /stack_pairs_ok; case AE: (iv_coefficients _ _ _) => [A|] // /andP[ok].
apply: (pairs_below (a := fun t h => stack_alpha R L t h)) => t h *; have [] := coefficientsE ok AE t h; auto.
Qed.

(* --- all rows of Z                                                               *)
Section Rows.
Variables (Z_rows : seq (seq (seq (Z * Z)))) (bits : nat).
Hypotheses (ok : stack_enclosable S L) (ZE : iv_stack_rows S L bits (iota 0 (T D)) = Some Z_rows).

Lemma all_rows (t : 'I_(T D)) : size (nth [::] Z_rows t) = H D /\
  forall h : 'I_(H D), encloses (z (Zpos (denominator (precision_of bits)))) (stack_mean R L t h) (nth [::] (nth [::] Z_rows t) h).
Proof.
have [sZ sH] := size_stack_rows ZE; split=> [|h]; first by apply: sH; rewrite size_iota.
have tI : (t < size (iota 0 (T D)))%N by rewrite size_iota.
by apply: (@enclosed_row R S L bits _ _ _ t h ok ZE tI); rewrite nth_iota.
Qed.

Lemma number_of_rows : size Z_rows = T D. Proof. by have [-> _] := size_stack_rows ZE; rewrite size_iota. Qed.

End Rows.

Section Spectrum.
Variables (Zs : seq (seq (Z * Z))) (bits more : nat).
Hypotheses (ok : stack_enclosable S L) (ZE : iv_stack_Z S L bits more = Some Zs).

Lemma stack_Z_inside : size Zs = T D /\ forall t : 'I_(T D), size (nth [::] Zs t) = (H D * d D)%N /\
  forall k, inside (z (Zpos (two_power bits)) * stack_Z R S L t k) (nth (0, 0)%coqZ (nth [::] Zs t) k).
Proof.
move: ZE; rewrite /iv_stack_Z; case rE: (iv_stack_rows _ _ _ _) => [Z_rows|] //= [<-].
rewrite size_map (number_of_rows rE); split=> // t; have [sr rr] := all_rows ok rE t.
have sd : all (fun r : seq (Z * Z) => size r == d D) (nth [::] Z_rows t).
  by apply/(all_nthP [::]) => h; rewrite sr => hH; have [/eqP] := rr (Ordinal hH).
rewrite (nth_map [::]) ?(number_of_rows rE) //; have sf : size (flatten (nth [::] Z_rows t)) = (H D * d D)%N.
  rewrite size_flatten /shape (eq_in_map (fun r : seq (Z * Z) => size r) (fun=> d D) _).1; last by move=> r /(allP sd)/eqP.
  by rewrite sumnE big_map big_const_seq count_predT sr iter_addn addn0 mulnC.
rewrite size_map sf; split=> // k; case/mxvec_indexP: k => h j.
rewrite (nth_map (0, 0)%coqZ) ?sf //; apply: rounded_inside; rewrite stack_ZE mxvec_index_val flatten_nth ?sr //.
by have [_] := rr h; apply.
Qed.

End Spectrum.

Theorem stack_spectrum_above bits more X : stack_spectrum_ok S L c true bits more X ->
  (size X <= singular_count (stack_Z R S L) (level R c))%N.
Proof.
rewrite /stack_spectrum_ok; case ZE: (iv_stack_Z _ _ _ _) => [Zs|] // /andP[ok]; have [sZ rZ] := stack_Z_inside ok ZE.
by apply: dominant_above => // t; have [] := rZ t.
Qed.

Theorem stack_spectrum_below bits more X : stack_spectrum_ok S L c false bits more X ->
  (singular_count (stack_Z R S L) (level R c) <= minn (T D) (H D * d D) - size X)%N.
Proof.
rewrite /stack_spectrum_ok; case ZE: (iv_stack_Z _ _ _ _) => [Zs|] // /andP[ok]; have [sZ rZ] := stack_Z_inside ok ZE.
by apply: dominant_below => // t; have [] := rZ t.
Qed.

(* --- scores                                                                      *)
Lemma mean_den_stack bits : (Zpos (q_contexts D) =? 1)%coqZ -> mean_den D (precision_of bits) = denominator (precision_of bits).
Proof. by move=> /Z.eqb_eq[q1]; rewrite /mean_den q1 Pos.mul_1_r. Qed.

Lemma means_of_rows Z_rows bits (h : 'I_(H D)) : stack_enclosable S L -> iv_stack_rows S L bits (iota 0 (T D)) = Some Z_rows ->
    (Zpos (q_contexts D) =? 1)%coqZ ->
  each_encloses (z (Zpos (mean_den D (precision_of bits)))) (fun t => stack_mean R L t h) [seq nth [::] r h | r <- Z_rows].
Proof.
move=> ok ZE q1; rewrite mean_den_stack //; split=> [|t]; first by rewrite size_map (number_of_rows ZE).
by rewrite (nth_map [::]) ?(number_of_rows ZE) //; have [_] := all_rows ok ZE t; apply.
Qed.

Theorem stack_scores_above k bits : stack_scores_ok S L c true k bits -> (k <= accurate_from R D c (stack_mean R L))%N.
Proof.
rewrite /stack_scores_ok; case ZE: (iv_stack_rows _ _ _ _) => [Z_rows|] //; case wE: (around D) => [w|] // /and3P[ok q1].
by apply: count_from_above wE => h; apply: means_of_rows.
Qed.

Theorem stack_scores_below k bits : stack_scores_ok S L c false k bits -> (accurate_from R D c (stack_mean R L) <= T D - k)%N.
Proof.
rewrite /stack_scores_ok; case ZE: (iv_stack_rows _ _ _ _) => [Z_rows|] //; case wE: (around D) => [w|] // /and3P[ok q1].
by apply: count_from_below wE => h; apply: means_of_rows.
Qed.

End Sound.
