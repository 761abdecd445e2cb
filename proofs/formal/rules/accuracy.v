(* The proved checker, accuracy: enclosures of what the whole layer puts out, and how   *)
(* many examples they show to be right, or wrong.                                       *)
(*                                                                                       *)
(*   score_den, score_row == enclosures of the scores of an example, over a denominator   *)
(*   shown_right, shown_wrong == what they decide                                         *)
(*   count_from, count_examples_ok == so many examples are decided, from enclosures of the means; of the case's layer *)
From Attest Require Import integers attention literal_arithmetic problem claims logits enclosures.
From Attest Require Import real_quantities saturation spectrum.

Local Notation Z := BinNums.Z.

Definition sum_of_rows (w : nat) (l : seq (seq (Z * Z))) : seq (Z * Z) :=
  foldr (fun r acc => [seq plus x.1 x.2 | x <- zip r acc]) (nseq w (0, 0)%coqZ) l.

Section Compute.
Variables (D : problem) (w : whole) (p : precision).

Definition mean_den : positive := (denominator p * q_contexts D)%positive.
Definition value_den : positive := (mean_den * q_value w * q_value_bias w)%positive.
Definition head_den : positive := (value_den * q_output w)%positive.
Definition out_den : positive := (head_den * q_output_shift w * q_skip w)%positive.
Definition score_den : positive := (out_den * q_readout w * q_readout_shift w)%positive.

Definition head_row (h : nat) (mean : seq (Z * Z)) : seq (Z * Z) :=
  let v := times_rows (value_width w) mean (nth [::] (value_weights w) h) in
  let v := add_rows (mean_den * q_value w) (q_value_bias w) v (exact_row (value_width w) (nth [::] (value_bias w) h)) in
  times_rows (output_width w) v (nth [::] (output_weights w) h).

Definition score_row (t : nat) (means : seq (seq (Z * Z))) : seq (Z * Z) :=
  let u := sum_of_rows (output_width w) [seq head_row x.1 x.2 | x <- zip (iota 0 (H D)) means] in
  let u := add_rows head_den (q_output_shift w) u (exact_row (output_width w) (output_shift w)) in
  let u := add_rows (head_den * q_output_shift w) (q_skip w) u
    (exact_row (output_width w) (nth [::] (skip_rows w) t)) in
  let s := times_rows (d_out D) u (readout_weights w) in
  add_rows (out_den * q_readout w) (q_readout_shift w) s (exact_row (d_out D) (readout_shift w)).

End Compute.

(* by classes: own is the class; a single score is that of class 1, against 0          *)
Definition class_scores (D : problem) (s : seq (Z * Z)) : seq (Z * Z) :=
  if d_out D == 1%N then [:: (0, 0)%coqZ; nth (0, 0)%coqZ s 0] else s.
Definition classes_of (D : problem) : nat := if d_out D == 1%N then 2%N else d_out D.

(* bounds of epsilon_den (score - label), over the same denominator as epsilon_num      *)
Definition distances (D : problem) (c : arguments) (den : positive) (t : nat) (s : seq (Z * Z)) : seq (Z * Z) :=
  [seq (let: y := (Zpos den * ent (labels D) t o)%coqZ in
        let: x := nth (0, 0)%coqZ s o in
        (Zpos (epsilon_den c) * (Zpos (q_labels D) * x.1 - y), Zpos (epsilon_den c) * (Zpos (q_labels D) * x.2 - y))%coqZ)
    | o <- iota 0 (d_out D)].

Definition decides (D : problem) (c : arguments) (den : positive) (above : bool) (t : nat) (s : seq (Z * Z)) : bool :=
  if classes c is Some k then
    let own := nth 0%N k t in let v := class_scores D s in let mine := nth (0, 0)%coqZ v own in
    if above then all (fun o => (o == own) || ((nth (0, 0)%coqZ v o).2 <? mine.1)%coqZ) (iota 0 (classes_of D))
    else (own < classes_of D)%N &&
      has (fun o => (o != own) && (mine.2 <=? (nth (0, 0)%coqZ v o).1)%coqZ) (iota 0 (classes_of D))
  else
    let most := (Zpos (epsilon_num c) * (Zpos (q_labels D) * Zpos den))%coqZ in
    if above then all (fun x => (x.2 <=? most)%coqZ && (- most <=? x.1)%coqZ) (distances D c den t s)
    else has (fun x => (most <? x.1)%coqZ || (x.2 <? - most)%coqZ) (distances D c den t s).

(* rows t: enclosures of the means of all heads at example t                           *)
Definition examples_found (D : problem) (c : arguments) (w : whole) (rows : nat -> seq (seq (Z * Z))) (above : bool)
    (bits : nat) : nat :=
  let p := precision_of bits in let den := score_den D w p in
  count (fun t => decides D c den above t (score_row D w p t (rows t))) (iota 0 (T D)).

Definition classes_ok (D : problem) (c : arguments) : bool :=
  if classes c is Some k then all (fun t => nth 0%N k t < classes_of D)%N (iota 0 (T D)) else true.

Definition count_from (D : problem) (c : arguments) (rows : nat -> seq (seq (Z * Z))) (above : bool) (k bits : nat) : bool :=
  if around D is Some w then classes_ok D c && (k <= examples_found D c w rows above bits)%N else false.
Definition count_examples_ok (D : problem) (c : arguments) (A : seq (seq (seq (Z * Z)))) (above : bool)
    (k bits : nat) : bool := wf_source D && count_from D c (means_at D A) above k bits.

Section Sound.
Variables (R : realType) (D : problem) (c : arguments) (w : whole) (bits : nat).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation z := (toF R).
Let p := precision_of bits.
Let den := score_den D w p.
Variables (mean : 'I_T -> 'I_H -> 'rV[R]_d) (rows : nat -> seq (seq (Z * Z))).
Hypotheses (wE : around D = Some w) (sized : forall t : 'I_T, size (rows t) = H).
Hypothesis enclosed : forall (t : 'I_T) (h : 'I_H), encloses (z (Zpos (mean_den D p))) (mean t h) (nth [::] (rows t) h).

Lemma encloses_row1 k q (r : seq Z) : encloses (z (Zpos q)) (mx R 1 k q [:: r]) (exact_row k r).
Proof.
have := @encloses_exact R 1 k q [:: r] ord0; suff -> : row ord0 (mx R 1 k q [:: r]) = mx R 1 k q [:: r] by [].
by apply/rowP => j; rewrite !mxE.
Qed.

Lemma encloses_sum (I : Type) (a : R) k (l : seq I) (v : I -> 'rV[R]_k) (s : I -> seq (Z * Z)) :
  (forall i, encloses a (v i) (s i)) -> encloses a (\sum_(i <- l) v i) (sum_of_rows k [seq s i | i <- l]).
Proof.
move=> vs; elim: l => [|i l [sl IH]]; first by rewrite big_nil; apply: encloses0.
have [si vi] := vs i; rewrite big_cons /=; split=> [|j]; first by rewrite size_map size_zip si sl minnn.
rewrite (nth_map (0, 0, (0, 0))%coqZ) ?size_zip ?si ?sl ?minnn // nth_zip ?si ?sl //=.
by rewrite mxE mulrDr; apply: inside_plus.
Qed.

Lemma scores_enclosed (t : 'I_T) : encloses (z (Zpos den)) (scores_from R D mean t) (score_row D w p t (rows t)).
Proof.
rewrite /scores_from wE /score_row.
have -> : [seq head_row D w p x.1 x.2 | x <- zip (iota 0 H) (rows t)] = [seq head_row D w p h (nth [::] (rows t) h) | h <- [seq val i | i <- enum 'I_H]].
  rewrite val_enum_ord; apply: (@eq_from_nth _ [::]) => [|h]; rewrite !size_map size_zip size_iota sized minnn // => hH.
  rewrite (nth_map (0%N, [::])) ?size_zip ?size_iota ?sized ?minnn // nth_zip ?size_iota ?sized //.
  by rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite -map_comp; apply: enclosesD; last exact: encloses_row1.
rewrite toFpM; apply: enclosesM; apply: enclosesD; last exact: encloses_exact.
apply: enclosesD; last exact: encloses_row1.
rewrite -big_enum; apply: encloses_sum => h /=; rewrite toFpM; apply: enclosesM.
apply: enclosesD; last exact: encloses_exact.
by rewrite toFpM; apply: enclosesM; apply: enclosed.
Qed.

Let den0 : 0 < z (Zpos den). Proof. exact: toFp_gt0. Qed.

Lemma score_inside (t : 'I_T) (o : 'I_(d_out D)) (s := score_row D w p t (rows t)) :
  inside (z (Zpos den) * scores_from R D mean t 0 o) (nth (0, 0)%coqZ s o).
Proof. by have [_] := scores_enclosed t; apply. Qed.

Lemma class_inside (t : 'I_T) o (s := score_row D w p t (rows t)) :
  (o < classes_of D)%N -> inside (z (Zpos den) * score_of R D mean t o) (nth (0, 0)%coqZ (class_scores D s) o).
Proof.
have nthE (j : 'I_(d_out D)) : [seq scores_from R D mean t 0 j | j <- enum 'I_(d_out D)]`_j = scores_from R D mean t 0 j.
  by rewrite (nth_map j) ?size_enum_ord // nth_ord_enum.
rewrite /score_of /class_scores /classes_of; case: eqP => [d1|_] oN; last first.
  by rewrite (nthE (Ordinal oN)); apply: (score_inside t (Ordinal oN)).
case: o oN => [|[|o]] //= _; first by rewrite mulr0 -(toF0 R); apply: inside_exact.
have d0 : (0 < d_out D)%N by rewrite d1.
by rewrite (nthE (Ordinal d0)); apply: (score_inside t (Ordinal d0)).
Qed.

Lemma distance_inside (t : 'I_T) (o : 'I_(d_out D)) (s := score_row D w p t (rows t))
    (x := nth (0, 0)%coqZ (distances D c den t s) o) :
  let y := scores_from R D mean t 0 o - z (ent (labels D) t o) / z (Zpos (q_labels D)) in
  inside (z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * z (Zpos den)) * y) x.
Proof.
have [low high] := andP (score_inside t o); rewrite /= /x /distances (nth_map 0%N) ?size_iota // nth_iota // add0n.
have q0 := toFp_gt0 R (q_labels D); have e0 := toFp_gt0 R (epsilon_den c).
have -> : z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * z (Zpos den)) *
    (scores_from R D mean t 0 o - z (ent (labels D) t o) / z (Zpos (q_labels D))) =
    z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * (z (Zpos den) * scores_from R D mean t 0 o) - z (Zpos den) * z (ent (labels D) t o)).
  have aux (a b q v y' : R) : q != 0 -> a * (q * b) * (v - y' / q) = a * (q * (b * v) - b * y') by move=> ?; field.
  exact/aux/lt0r_neq0.
have tE a : z (Zpos (epsilon_den c) * (Zpos (q_labels D) * a - Zpos den * ent (labels D) t o))%coqZ =
    z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * z a - z (Zpos den) * z (ent (labels D) t o)).
  by rewrite toFM toFB toFM (toFM R (Zpos den)).
apply/andP; split.
  apply: le_trans (_ : _ <= z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * z (nth (0, 0)%coqZ s o).1 - z (Zpos den) * z (ent (labels D) t o))) _.
    by rewrite -tE; exact: lexx.
  by rewrite ler_pmul2l // ler_add2r ler_pmul2l.
apply: le_trans (_ : _ <= z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * z (nth (0, 0)%coqZ s o).2 - z (Zpos den) * z (ent (labels D) t o))) _; last first.
  by rewrite -tE; exact: lexx.
by rewrite ler_pmul2l // ler_add2r ler_pmul2l.
Qed.

Lemma scaled_level : z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * z (Zpos den)) * level R c =
  z (Zpos (epsilon_num c) * (Zpos (q_labels D) * Zpos den))%coqZ.
Proof.
have aux (a q b y : R) : a != 0 -> a * (q * b) * (y / a) = y * (q * b) by move=> ?; field.
rewrite toFM (toFM _ (Zpos (q_labels D))); exact/aux/lt0r_neq0/toFp_gt0.
Qed.

Lemma shown_right (t : 'I_T) : decides D c den true t (score_row D w p t (rows t)) ->
  classes_ok D c -> is_right R D c mean t.
Proof.
rewrite /decides /is_right /classes_ok; case: (classes c) => [k|] shows ok; last first.
  move=> o; have := distance_inside t o => /=; set x := nth _ _ _; set y := _ - _ => /andP[low high].
  have := allP shows x; rewrite mem_nth ?size_map ?size_iota ?ltn_ord // => /(_ isT).
  move=> /andP[/Z.leb_le/(@toF_leq R) hi /Z.leb_le/(@toF_leq R) lo].
  have m0 : 0 < z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * z (Zpos den)) by rewrite !mulr_gt0 ?toFp_gt0.
  rewrite ler_norml -(ler_pmul2l m0) -[_ <= level _ _](ler_pmul2l m0) mulrN scaled_level -toFN.
  by rewrite (le_trans lo low) (le_trans high hi).
move=> o oN no; have own : (nth 0%N k t < classes_of D)%N by apply: (allP ok t); rewrite mem_iota ltn_ord.
have [_ high] := andP (class_inside t oN); have [low _] := andP (class_inside t own).
have := allP shows o; rewrite mem_iota oN (negPf no) => /(_ isT) /Z.ltb_lt/(@toF_lt R) lt1.
by rewrite -(ltr_pmul2l den0); apply: le_lt_trans high (lt_le_trans lt1 low).
Qed.

Lemma shown_wrong (t : 'I_T) : decides D c den false t (score_row D w p t (rows t)) ->
  ~ is_right R D c mean t.
Proof.
rewrite /decides /is_right; case: (classes c) => [k|].
  move=> /andP[own /hasP[o]]; rewrite mem_iota add0n => /= oN /andP[no /Z.leb_le/(@toF_leq R) le1] /(_ o oN no).
  have [low _] := andP (class_inside t oN); have [_ high] := andP (class_inside t own).
  rewrite -(ltr_pmul2l den0) ltNge; apply/negP; rewrite negbK.
  exact: le_trans high (le_trans le1 low).
move=> /(has_nthP (0, 0)%coqZ)[o]; rewrite size_map size_iota => oN far /(_ (Ordinal oN)).
have := distance_inside t (Ordinal oN) => /=; move: far; set x := nth _ _ _; set y := _ - _ => far /andP[low high].
have m0 : 0 < z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * z (Zpos den)) by rewrite !mulr_gt0 ?toFp_gt0.
rewrite ler_norml -(ler_pmul2l m0) -[_ <= level _ _](ler_pmul2l m0) mulrN scaled_level -toFN => /andP[le1 le2].
case/orP: far => /Z.ltb_lt/(@toF_lt R).
  by rewrite ltNge (le_trans low le2).
by rewrite ltNge (le_trans le1 high).
Qed.

End Sound.

Section Count.
Variables (R : realType) (D : problem) (c : arguments) (k bits : nat).

Lemma count_iota (f : nat -> bool) n : count f (iota 0 n) = (\sum_(t < n) f t)%N.
Proof.
by rewrite -sum1_count -{1}(subn0 n) -/(index_iota 0 n) big_mkcond big_mkord; apply: eq_bigr => t _; case: (f t).
Qed.

Section Means.
Variables (mean : 'I_(T D) -> 'I_(H D) -> 'rV[R]_(d D)) (rows : nat -> seq (seq (Z * Z))).
Hypothesis sized : forall t : 'I_(T D), size (rows t) = H D.
Hypothesis enclosed : forall (t : 'I_(T D)) (h : 'I_(H D)),
  encloses (toF R (Zpos (mean_den D (precision_of bits)))) (mean t h) (nth [::] (rows t) h).

Lemma count_from_above : count_from D c rows true k bits -> (k <= accurate_from R D c mean)%N.
Proof.
rewrite /count_from; case wE: (around D) => [w|] // /andP[okC]; move/leq_trans; apply.
rewrite /examples_found count_iota; apply: leq_sum => t _.
case E: (decides _ _ _ _ _ _) => //; rewrite lt0b; apply/asboolP; exact: (shown_right wE sized enclosed E okC).
Qed.

Lemma count_from_below : count_from D c rows false k bits -> (accurate_from R D c mean <= T D - k)%N.
Proof.
rewrite /count_from; case wE: (around D) => [w|] // /andP[_ le_k].
have total : (accurate_from R D c mean + examples_found D c w rows false bits <= T D)%N.
  rewrite /examples_found count_iota /accurate_from -big_split.
  apply: leq_trans (_ : \sum_(t < T D) 1 <= _)%N; last by rewrite big_const_ord iter_addn addn0 mul1n.
  apply: leq_sum => t _; case E: (decides _ _ _ _ _ _); last by case: asboolP.
  by case: asboolP => // /(shown_wrong wE sized enclosed E).
rewrite leq_subRL; last by apply: leq_trans le_k (leq_trans (leq_addl _ _) total).
by rewrite addnC; apply: leq_trans total; rewrite leq_add2l.
Qed.

End Means.

Hypothesis okD : wf_problem D.

Lemma table_means (t : 'I_(T D)) (h : 'I_(H D)) : wf_source D -> encloses (toF R (Zpos (mean_den D (precision_of bits)))) (means R D t h)
  (nth [::] (means_at D (attention_table D bits) t) h).
Proof. by move=> okS; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n; apply: means_enclosed. Qed.
Lemma size_table_means A (t : 'I_(T D)) : size (means_at D A t) = H D. Proof. by rewrite size_map size_iota. Qed.

Theorem count_examples_above : count_examples_ok D c (attention_table D bits) true k bits -> (k <= accurate R D c)%N.
Proof. by move=> /andP[okS]; apply: count_from_above => [t|t h]; [apply: size_table_means|apply: table_means]. Qed.

Theorem count_examples_below : count_examples_ok D c (attention_table D bits) false k bits -> (accurate R D c <= T D - k)%N.
Proof. by move=> /andP[okS]; apply: count_from_below => [t|t h]; [apply: size_table_means|apply: table_means]. Qed.
End Count.
