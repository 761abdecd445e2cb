(* The proved checker, accuracy: enclosures of what the whole layer puts out, and how   *)
(* many examples they show to be right, or wrong.                                       *)
(*                                                                                       *)
(*   score_den, score_rows == enclosures of the scores of all examples, over a denominator  *)
(*   shown_right, shown_wrong == what they decide                                         *)
(*   count_from, count_examples_ok == so many examples are decided, by such enclosures; for the case's layer *)
From Attest Require Import integers attention literal_arithmetic problem claims logits enclosures quantities.
From Attest Require Import saturation literal_matrices.

Local Notation Z := BinNums.Z.

Definition sums_of_rows (k w : nat) (l : seq (seq (seq (Z * Z)))) : seq (seq (Z * Z)) :=
  foldr (fun M N => [seq [seq plus x.1 x.2 | x <- zip r.1 r.2] | r <- zip M N]) (nseq k (nseq w (0, 0)%coqZ)) l.

(* v, over the denominator a, plus what may well be 0, over q                              *)
Definition nothing (q : positive) (r : seq Z) : bool := (q =? 1)%positive && all (fun x => x =? 0)%coqZ r.
Definition add_constant (a q : positive) (k : nat) (v : seq (seq (Z * Z))) (r : seq Z) : seq (seq (Z * Z)) :=
  if nothing q r then v else let b := exact_row k r in [seq add_rows a q x b | x <- v].

Section Compute.
Variables (D : problem) (w : whole) (p : precision).

Definition mean_den : positive := (denominator p * q_contexts D)%positive.
Definition value_den : positive := (mean_den * q_value w * q_value_bias w)%positive.
Definition head_den : positive := (value_den * q_output w)%positive.
Definition out_den : positive := (head_den * q_output_shift w * q_skip w)%positive.
Definition score_den : positive := (out_den * q_readout w * q_readout_shift w)%positive.

(* of the means M h of head h at all examples; what it adds                             *)
Variable M : nat -> seq (seq (Z * Z)).
Definition score_parts (h : nat) : seq (seq (Z * Z)) :=
  let v := all_times (value_width w) (M h) (nth [::] (value_weights w) h) in
  let v := add_constant (mean_den * q_value w) (q_value_bias w) (value_width w) v (nth [::] (value_bias w) h) in
  all_times (output_width w) v (nth [::] (output_weights w) h).

Definition score_rows : seq (seq (Z * Z)) :=
  let u := sums_of_rows (T D) (output_width w) [seq score_parts h | h <- iota 0 (H D)] in
  let u := add_constant head_den (q_output_shift w) (output_width w) u (output_shift w) in
  let u := if all (nothing (q_skip w)) (skip_rows w) && (q_skip w =? 1)%positive then u else
    [seq add_rows (head_den * q_output_shift w) (q_skip w) x.1 (exact_row (output_width w) (nth [::] (skip_rows w) x.2))
      | x <- zip u (iota 0 (T D))] in
  add_constant (out_den * q_readout w) (q_readout_shift w) (d_out D) (all_times (d_out D) u (readout_weights w)) (readout_shift w).

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

(* which the steps of a claim share, if they are at as many bits                        *)
Definition scores_from (D : problem) (A : seq (seq (seq (Z * Z)))) (bits : nat) : seq (seq (Z * Z)) :=
  if around D is Some w then score_rows D w (precision_of bits) (means_of D A) else [::].

Definition examples_found (D : problem) (c : arguments) (w : whole) (S : seq (seq (Z * Z))) (above : bool) (bits : nat) : nat :=
  let den := score_den D w (precision_of bits) in
  count (fun x => decides D c den above x.1 x.2) (zip (iota 0 (T D)) S).

Definition classes_ok (D : problem) (c : arguments) : bool :=
  if classes c is Some k then all (fun t => nth 0%N k t < classes_of D)%N (iota 0 (T D)) else true.

Definition count_from (D : problem) (c : arguments) (S : seq (seq (Z * Z))) (above : bool) (k bits : nat) : bool :=
  if around D is Some w then classes_ok D c && (k <= examples_found D c w S above bits)%N else false.
Definition count_examples_ok (D : problem) (c : arguments) (S : seq (seq (Z * Z))) (above : bool) (k bits : nat) : bool :=
  wf_source D && count_from D c S above k bits.

Section Sound.
Variables (R : realType) (D : problem) (c : arguments) (w : whole) (bits : nat).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation z := (toF R).
Hypothesis wE : around D = Some w.
Let p := precision_of bits.
Let den := score_den D w p.
Variables (mean : 'I_T -> 'I_H -> 'rV[R]_d) (M : nat -> seq (seq (Z * Z))).
Hypothesis enclosed : forall h : 'I_H, each_encloses (z (Zpos (mean_den D p))) (fun t => mean t h) (M h).

Lemma encloses_row1 k q (r : seq Z) : encloses (z (Zpos q)) (mx R 1 k q [:: r]) (exact_row k r).
Proof.
have := @encloses_exact R 1 k q [:: r] ord0; suff -> : row ord0 (mx R 1 k q [:: r]) = mx R 1 k q [:: r] by [].
by apply/rowP => j; rewrite !mxE.
Qed.

Lemma encloses_sums (I : Type) (a : R) k (l : seq I) (v : I -> 'I_T -> 'rV[R]_k) (s : I -> seq (seq (Z * Z))) :
  (forall i, each_encloses a (v i) (s i)) ->
  each_encloses a (fun t => \sum_(i <- l) v i t) (sums_of_rows T k [seq s i | i <- l]).
Proof.
move=> vs; elim: l => [|i l [sl IH]] /=.
  by split=> [|t]; rewrite ?size_nseq // big_nil nth_nseq ltn_ord; apply: encloses0.
have [si vi] := vs i; split=> [|t]; first by rewrite size_map size_zip si sl minnn.
rewrite (nth_map ([::], [::])) ?size_zip ?si ?sl ?minnn // nth_zip ?si ?sl //= big_cons.
have [st vt] := vi t; have [lt IHt] := IH t; split=> [|j]; first by rewrite size_map size_zip st lt minnn.
rewrite (nth_map (0, 0, (0, 0))%coqZ) ?size_zip ?st ?lt ?minnn // nth_zip ?st ?lt //=.
by rewrite mxE mulrDr; apply: inside_plus.
Qed.

Lemma nothing_row q k r (v : 'rV[R]_k) : encloses (z (Zpos q)) v (exact_row k r) -> nothing q r -> v = 0.
Proof.
move=> [_ vr] /andP[/Pos.eqb_eq q1 /allP zero]; apply/rowP => j; rewrite mxE; have := vr j.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n q1 toF1 mul1r /inside /=.
have -> : nth 0%coqZ r j = 0%coqZ.
  by have [jr|rj] := ltnP j (size r); [apply/Z.eqb_eq/zero/mem_nth|rewrite nth_default].
by rewrite toF0 => /andP[? ?]; apply/eqP; rewrite eq_le; apply/andP.
Qed.

Lemma each_add_constant (a q : positive) k (v : 'I_T -> 'rV[R]_k) b S r : encloses (z (Zpos q)) b (exact_row k r) ->
    each_encloses (z (Zpos a)) v S ->
  each_encloses (z (Zpos (a * q))) (fun t => v t + b) (add_constant a q k S r).
Proof.
move=> bE [sS vS]; rewrite /add_constant; case: ifP => [no|_].
  have /andP[/Pos.eqb_eq q1 _] := no; rewrite (nothing_row bE no) q1 Pos.mul_1_r.
  by split=> // t; rewrite addr0.
split=> [|t]; first by rewrite size_map.
by rewrite (nth_map [::]) ?sS //; apply: enclosesD (vS t) bE.
Qed.

Lemma scores_enclosed : each_encloses (z (Zpos den)) (fun t => scores_of R D mean t) (score_rows D w p M).
Proof.
rewrite /scores_of wE /score_rows; apply: each_add_constant; first exact: encloses_row1.
rewrite toFpM; apply: each_times.
have rows (h : 'I_H) : each_encloses (z (Zpos (head_den D w p)))
    (fun t => (mean t h *m mx R d (value_width w) (q_value w) (nth [::] (value_weights w) h)
      + row h (mx R H (value_width w) (q_value_bias w) (value_bias w)))
      *m mx R (value_width w) (output_width w) (q_output w) (nth [::] (output_weights w) h))
    (score_parts D w p M h).
  rewrite /score_parts toFpM; apply: each_times; apply: each_add_constant; first exact: encloses_exact.
  by rewrite toFpM; apply: each_times; apply: enclosed.
have := encloses_sums (enum 'I_H) rows.
rewrite (map_comp (score_parts D w p M) val) val_enum_ord => sums.
have {sums}[] := each_add_constant (encloses_row1 _ (q_output_shift w) (output_shift w)) sums.
set u := add_constant _ _ _ _ _ => su uu.
have skips (t : 'I_T) := @encloses_exact R T (output_width w) (q_skip w) (skip_rows w) t.
case: ifP => [/andP[/allP none /Pos.eqb_eq q1]|_].
  split=> // t; have no : nothing (q_skip w) (nth [::] (skip_rows w) t).
    have [tS|St] := ltnP t (size (skip_rows w)); first by apply: none; apply: mem_nth.
    by rewrite nth_default // /nothing q1.
  by rewrite (nothing_row (skips t) no) addr0 -big_enum /out_den q1 Pos.mul_1_r; apply: uu.
split=> [|t]; first by rewrite size_map size_zip su size_iota minnn.
rewrite (nth_map ([::], 0%N)) ?size_zip ?su ?size_iota ?minnn // nth_zip ?su ?size_iota // nth_iota //.
by apply: enclosesD; [rewrite -big_enum; apply: uu|exact: skips].
Qed.

Let den0 : 0 < z (Zpos den). Proof. exact: toFp_gt0. Qed.

Lemma score_inside (t : 'I_T) (o : 'I_(d_out D)) (s := nth [::] (score_rows D w p M) t) :
  inside (z (Zpos den) * scores_of R D mean t 0 o) (nth (0, 0)%coqZ s o).
Proof. by have [_ /(_ t)[_]] := scores_enclosed; apply. Qed.

Lemma class_inside (t : 'I_T) o (s := nth [::] (score_rows D w p M) t) :
  (o < classes_of D)%N -> inside (z (Zpos den) * score_of R D mean t o) (nth (0, 0)%coqZ (class_scores D s) o).
Proof.
have nthE (j : 'I_(d_out D)) : [seq scores_of R D mean t 0 j | j <- enum 'I_(d_out D)]`_j = scores_of R D mean t 0 j.
  by rewrite (nth_map j) ?size_enum_ord // nth_ord_enum.
rewrite /score_of /class_scores /classes_of; case: eqP => [d1|_] oN; last first.
  by rewrite (nthE (Ordinal oN)); apply: (score_inside t (Ordinal oN)).
case: o oN => [|[|o]] //= _; first by rewrite mulr0 -(toF0 R); apply: inside_exact.
have d0 : (0 < d_out D)%N by rewrite d1.
by rewrite (nthE (Ordinal d0)); apply: (score_inside t (Ordinal d0)).
Qed.

Lemma distance_inside (t : 'I_T) (o : 'I_(d_out D)) (s := nth [::] (score_rows D w p M) t)
    (x := nth (0, 0)%coqZ (distances D c den t s) o) :
  let y := scores_of R D mean t 0 o - z (ent (labels D) t o) / z (Zpos (q_labels D)) in
  inside (z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * z (Zpos den)) * y) x.
Proof.
have [low high] := andP (score_inside t o); rewrite /= /x /distances (nth_map 0%N) ?size_iota // nth_iota // add0n.
have q0 := toFp_gt0 R (q_labels D); have e0 := toFp_gt0 R (epsilon_den c).
have -> : z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * z (Zpos den)) *
    (scores_of R D mean t 0 o - z (ent (labels D) t o) / z (Zpos (q_labels D))) =
    z (Zpos (epsilon_den c)) * (z (Zpos (q_labels D)) * (z (Zpos den) * scores_of R D mean t 0 o) - z (Zpos den) * z (ent (labels D) t o)).
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

Lemma shown_right (t : 'I_T) : decides D c den true t (nth [::] (score_rows D w p M) t) ->
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

Lemma shown_wrong (t : 'I_T) : decides D c den false t (nth [::] (score_rows D w p M) t) ->
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
Variables (mean : 'I_(T D) -> 'I_(H D) -> 'rV[R]_(d D)) (M : nat -> seq (seq (Z * Z))).
Hypothesis enclosed : forall h : 'I_(H D),
  each_encloses (toF R (Zpos (mean_den D (precision_of bits)))) (fun t => mean t h) (M h).
Let scores w := score_rows D w (precision_of bits) M.

Lemma examples_foundE w above (p := precision_of bits) : around D = Some w -> examples_found D c w (scores w) above bits =
  count (fun t => decides D c (score_den D w p) above t (nth [::] (scores w) t)) (iota 0 (T D)).
Proof.
move=> wE; have [sS _] := scores_enclosed wE enclosed; rewrite /examples_found.
have -> : zip (iota 0 (T D)) (scores w) = [seq (t, nth [::] (scores w) t) | t <- iota 0 (T D)].
  apply: (@eq_from_nth _ (0%N, [::])) => [|t]; rewrite size_zip size_iota sS minnn ?size_map ?size_iota // => tT.
  by rewrite nth_zip ?size_iota // (nth_map 0%N) ?size_iota // nth_iota.
by rewrite count_map.
Qed.

Lemma count_from_above w : around D = Some w -> count_from D c (scores w) true k bits -> (k <= accurate_from R D c mean)%N.
Proof.
move=> wE; rewrite /count_from wE => /andP[okC]; move/leq_trans; apply.
rewrite examples_foundE // count_iota; apply: leq_sum => t _.
case E: (decides _ _ _ _ _ _) => //; rewrite lt0b; apply/asboolP; exact: (shown_right wE enclosed E okC).
Qed.

Lemma count_from_below w : around D = Some w -> count_from D c (scores w) false k bits -> (accurate_from R D c mean <= T D - k)%N.
Proof.
move=> wE; rewrite /count_from wE => /andP[_ le_k].
have total : (accurate_from R D c mean + examples_found D c w (scores w) false bits <= T D)%N.
  rewrite examples_foundE // count_iota /accurate_from -big_split.
  apply: leq_trans (_ : \sum_(t < T D) 1 <= _)%N; last by rewrite big_const_ord iter_addn addn0 mul1n.
  apply: leq_sum => t _; case E: (decides _ _ _ _ _ _); last by case: asboolP.
  by case: asboolP => // /(shown_wrong wE enclosed E).
rewrite leq_subRL; last by apply: leq_trans le_k (leq_trans (leq_addl _ _) total).
by rewrite addnC; apply: leq_trans total; rewrite leq_add2l.
Qed.

End Means.

Hypothesis okD : wf_problem D.

Theorem count_examples_above : count_examples_ok D c (scores_from D (attention_table D bits) bits) true k bits -> (k <= accurate R D c)%N.
Proof.
rewrite /count_examples_ok /scores_from; case wE: (around D) => [w|]; last by rewrite /count_from wE andbF.
by move=> /andP[okS]; apply: count_from_above wE => h; apply: means_enclosed.
Qed.

Theorem count_examples_below : count_examples_ok D c (scores_from D (attention_table D bits) bits) false k bits -> (accurate R D c <= T D - k)%N.
Proof.
rewrite /count_examples_ok /scores_from; case wE: (around D) => [w|]; last by rewrite /count_from wE andbF.
by move=> /andP[okS]; apply: count_from_below wE => h; apply: means_enclosed.
Qed.
End Count.
