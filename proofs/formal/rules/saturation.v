(* The proved checker, real layers: enclosures of the attention of the case's layer and of its Z,                *)
(* saturated pairs and numerical rank.                                                                           *)
(*                                                                                                               *)
(*                 source_exponents == integers l with  logit = unit_of l  up to a constant                      *)
(*           attention_table D bits == enclosures of the coefficients of all heads at all examples               *)
(*                        token_row == what a token says to all queries, where examples share tokens             *)
(*                   count_pairs_ok == so many pairs have a coefficient above the level, or none                 *)
(*                      spectrum_ok == X (C C^T - theta^2 I) X^T dominant, C the integers near 2^bits Z          *)
(*                count_examples_ok == so many examples are right, or wrong                                      *)
(*                           near_Z == integers C and rho, |2^bits Z - C| <= rho                                 *)
(*            dominant_rows above F == F, or -F, is strictly dominant with a positive diagonal                   *)
(*   dominant_ok T w Zs c above bits X == X (C C^T - theta^2 I) X^T, or its negative, is strictly dominant with  *)
(*                                     a positive diagonal, C the lower ends of Zs, T x w; C^T for C where T > w *)
(*   spectrum_ok D c A above bits X == the same of the case's Z                                                  *)
From Attest Require Import integers attention euclidean problem literal_arithmetic claims logits quantities.
From Attest Require Import enclosures quantity_bounds rational_matrices literal_matrices.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Attention                                                                    *)
(* ============================================================================ *)

(* -------------------------------------------------------------------------- *)
(* Attention, computed                                                         *)
(* -------------------------------------------------------------------------- *)
Definition source_heads (D : problem) : seq literal_head := if given D is Some L then prepared D L else [::].

Definition source_exponents (D : problem) (gs : seq literal_head) (t h : nat) : seq Z :=
  if given D is Some L then exponents D L false (nth (CombinedHead [::]) gs h) t else [::].

(* Examples with the same tokens: the logit of token r at a query q is dot row q + number *)
Definition token_key (D : problem) (L : layer) (g : literal_head) (r : seq Z) : seq Z * Z :=
  match L, g with
  | Factors m _ _ qq _ _ _ qqb _, FactorHead K Q b =>
    let v := combination m r K in
    ([seq (Zpos qqb * x)%coqZ | x <- combination (d D) v Q], (Zpos (qq * q_queries D) * dot v b)%coqZ)
  | _, CombinedHead W => (combination (d D) r W, 0%coqZ)
  | _, _ => ([::], 0%coqZ)
  end.

Definition short_columns (D : problem) (g : literal_head) : bool :=
  if g is FactorHead _ Q _ then all (fun c => size c <= d D)%N Q else true.

Definition each_exponents (D : problem) (gs : seq literal_head) : seq (seq (seq Z)) :=
  [seq [seq source_exponents D gs t h | h <- iota 0 (H D)] | t <- iota 0 (T D)].

Definition source_table (D : problem) : seq (seq (seq Z)) :=
  let gs := source_heads D in
  if given D is Some L then
    if [&& ~~ projects L, (n D <= T D)%N, shared D & all (short_columns D) gs] then
      let qs := [seq nth [::] (queries D) t | t <- iota 0 (T D)] in
      let heads := [seq (let rows := [seq token_key D L g r | r <- context_at D 0] in
        let numbers := unzip2 rows in
        [seq [seq (scale_num D false * (x.1 + x.2))%coqZ | x <- zip r numbers] | r <- all_dots (d D) qs (unzip1 rows)]) | g <- gs] in
      [seq [seq nth [::] h t | h <- heads] | t <- iota 0 (T D)]
    else each_exponents D gs
  else each_exponents D gs.

Definition source_den (D : problem) : positive :=
  if given D is Some L then total_den D L false else 1%positive.

Definition wf_source (D : problem) : bool :=
  if given D is Some L then wf_layer D L else false.

Definition unit_at (D : problem) (p : precision) (bits : nat) : unit_bounds :=
  unit_of p bits (base_two D) (root D false) (source_den D).

(* A step's own, or that of a step before at as many bits: most of the work              *)
Definition attention_table (D : problem) (bits : nat) : seq (seq (seq (Z * Z))) :=
  let p := precision_of bits in let u := unit_at D p bits in
  [seq [seq alphas p u l | l <- ls] | ls <- source_table D].

Definition coefficients_at (A : seq (seq (seq (Z * Z)))) (t h : nat) : seq (Z * Z) := nth [::] (nth [::] A t) h.

(* --- counting pairs                                                            *)
Definition exceeds (c : arguments) (K : positive) (a : Z * Z) : bool :=
  (Zpos (epsilon_num c) * Zpos K <? Zpos (epsilon_den c) * a.1)%coqZ.
Definition stays (c : arguments) (K : positive) (a : Z * Z) : bool :=
  (Zpos (epsilon_den c) * a.2 <=? Zpos (epsilon_num c) * Zpos K)%coqZ.

Definition count_pairs (D : problem) (f : nat -> nat -> bool) : nat :=
  sumn [seq count (f t) (iota 0 (H D)) | t <- iota 0 (T D)].

Definition pairs_found (D : problem) (c : arguments) (A : seq (seq (seq (Z * Z)))) (above : bool) (bits : nat) : nat :=
  let K := denominator (precision_of bits) in
  count_pairs D (fun t h => counted c h && (
    let a := coefficients_at A t h in if above then has (exceeds c K) a else all (stays c K) a)).

Definition pairs_counted (D : problem) (c : arguments) : nat := count_pairs D (fun _ h => counted c h).

Definition count_pairs_ok (D : problem) (c : arguments) (A : seq (seq (seq (Z * Z)))) (above : bool)
    (count bits : nat) : bool :=
  wf_source D && (count <= pairs_found D c A above bits)%N.

Local Arguments Z.mul : simpl never.

Lemma token_rowE (D : problem) (L : layer) (h : nat) (r q : seq Z) (g := prepare L h) : wf_layer D L -> ~~ projects L ->
    short_columns D g -> (size r <= d D)%N -> (size q <= d D)%N ->
  dot r (raw_vector D L g q) = (dot (token_key D L g r).1 q + (token_key D L g r).2)%coqZ.
Proof.
rewrite {}/g /token_key /raw_vector /wf_layer => + nL; case: L nL => [m qk K qq Q qkb bK qqb bQ|w W|//] /= _ ok sQ sr sq; last first.
  have okW : all (fun r => size r <= d D)%N (nth [::] W h) by apply: all_nth_nil.
  rewrite Z.add_0_r (@dotE (d D)) // (@dotE (d D) _ q) ?size_combination //.
  rewrite (eq_bigr (fun j : 'I_(d D) => \sum_(l < d D) nth 0%coqZ r j * ent (nth [::] W h) j l * nth 0%coqZ q l)); last first.
    move=> j _; rewrite nth_map_dot (@dotE (d D)) ?mulr_sumr; last exact: (all_nth_nil (P := fun r : seq Z => size r <= d D)%N).
    by apply: eq_bigr => l _; rewrite mulrA.
  rewrite exchange_big; apply: eq_bigr => l _; rewrite combination_dot // (@dotE (d D)) // mulr_suml.
  by apply: eq_bigr => j _; rewrite nth_col.
have /andP[okK okB] := ok; have {ok}okK : all (fun r => size r <= m)%N (nth [::] K h) by apply: all_nth_nil.
have sb : (size (nth [::] bQ h) <= m)%N by apply: (all_nth_nil (P := fun b : seq Z => size b <= m)%N).
set Qs := columns _ _ in sQ *; have sQs : size Qs = m by rewrite size_map size_iota.
set v := combination m r _; set c := Zpos (qq * _); set b := nth [::] bQ h in sb *.
pose f k : Z := dot q (nth [::] Qs k) * Zpos qqb + c * nth 0%coqZ b k.
transitivity (\sum_(k < m) nth 0%coqZ v k * f k).
  rewrite (@dotE (d D)) // (eq_bigr (fun j : 'I_(d D) => \sum_(k < m) nth 0%coqZ r j * ent (nth [::] K h) j k * f k)); last first.
    move=> j _; rewrite nth_map_dot (@dotE m) ?mulr_sumr; last exact: (all_nth_nil (P := fun r : seq Z => size r <= m)%N).
    apply: eq_bigr => k _; rewrite mulrA; congr (_ * _); rewrite nth_add_bias ?size_map ?size_iota //.
    by rewrite (nth_map [::]) ?sQs.
  rewrite exchange_big; apply: eq_bigr => k _; rewrite combination_dot // (@dotE (d D)) // mulr_suml.
  by apply: eq_bigr => j _; rewrite nth_col.
rewrite (eq_bigr (fun k : 'I_m => nth 0%coqZ v k * (dot q (nth [::] Qs k) * Zpos qqb) + c * (nth 0%coqZ v k * nth 0%coqZ b k))); last first.
  by move=> k _; rewrite /f mulrDr [c * _ in RHS]mulrCA.
rewrite big_split; congr Z.add; last by rewrite -mulr_sumr -(@dotE m) // size_combination.
rewrite (@dotE (d D)) ?size_map ?size_combination //.
rewrite (eq_bigr (fun k : 'I_m => \sum_(l < d D) nth 0%coqZ v k * nth 0%coqZ q l * ent Qs k l * Zpos qqb)); last first.
  move=> k _; rewrite (@dotE (d D)) // mulr_suml mulr_sumr; apply: eq_bigr => l _; by rewrite !mulrA.
rewrite exchange_big; apply: eq_bigr => l _; rewrite (nth_map 0%coqZ) ?size_combination //.
have mulE (x y : Z) : (x * y)%coqZ = x * y by [].
rewrite combination_dot // (@dotE m) ?size_combination // mulE mulr_sumr mulr_suml; apply: eq_bigr => k _.
rewrite nth_col; ring.
Qed.

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Sound.
Variables (R : realType) (D : problem) (c : arguments).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation z := (toF R).
Hypotheses (okD : wf_problem D) (okS : wf_source D).

Definition kappa_of : R := (if base_two D then ln 2%:R else 1) *
  (Num.sqrt (z (Zpos (root D false))) / z (Zpos (source_den D))).

Lemma size_source (t : 'I_T) (h : 'I_H) : size (source_exponents D (source_heads D) t h) = n.
Proof.
move: okS; rewrite /source_exponents /wf_source.
rewrite /source_heads; case: (given D) => // L okL.
by rewrite /prepared (nth_map 0%N) ?size_iota // nth_iota // size_exponents.
Qed.

Lemma attention_coefficients (t : 'I_T) (h : 'I_H) :
  attention R D t h = coefficients_of kappa_of n (source_exponents D (source_heads D) t h).
Proof.
have := okS; rewrite /attention /real_logits /coefficients_of /source_exponents /kappa_of /source_den /source_heads /wf_source.
case: (given D) => // L okL; rewrite softmax_logits; congr softmax; apply/colP => i.
rewrite [LHS]mxE (exponentsE R okD false okL) [RHS]mxE [X in _ = _ * X]mxE.
by rewrite /prepared (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma unit_atP p bits (u := unit_at D p bits) : [/\ (0 <= unit_low u)%coqZ, z (unit_low u)
  <= 2%:R ^+ unit_shift u * (z (Zpos (denominator p)) * kappa_of) <= z (unit_high u), digits u = digits_of p &
  forall N, unit_steps u = Some N -> kappa_of * z (Zpos N) = ln 2%:R].
Proof. exact: unit_ofP. Qed.

Lemma alphas_atP p bits (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  inside (z (Zpos (denominator p)) * attention R D t h i 0)
    (nth (0, 0)%coqZ (alphas p (unit_at D p bits) (source_exponents D (source_heads D) t h)) i).
Proof.
have [u0 uP uE uN] := unit_atP p bits; rewrite attention_coefficients.
by apply: alphasP => //; [rewrite uE; apply: digits_ofP|apply: size_source].
Qed.

Lemma size_alphas_at p u (t : 'I_T) (h : 'I_H) : size (alphas p u (source_exponents D (source_heads D) t h)) = n.
Proof. by apply: size_alphas; apply: size_source. Qed.

Lemma source_tableE (t : 'I_T) (h : 'I_H) :
  nth [::] (nth [::] (source_table D) t) h = source_exponents D (source_heads D) t h.
Proof.
have each : nth [::] (nth [::] (each_exponents D (source_heads D)) t) h =
    source_exponents D (source_heads D) t h.
  by rewrite /each_exponents (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota // !nth_iota.
move: okS; rewrite /source_table /wf_source; case gE: (given D) => [L|] // okL.
case: ifP => [|//] /and4P[nL _ sh short]; have [_ _ /allP cs qs] := wf_problemP okD.
have gsE : source_heads D = prepared D L by rewrite /source_heads gE.
have sg : size (source_heads D) = H by rewrite gsE size_map size_iota.
rewrite (nth_map 0%N) ?size_iota // (nth_map [::]) ?size_map ?sg // nth_iota // add0n.
rewrite (nth_map (CombinedHead [::])) ?sg // all_dotsE -!map_comp (nth_map 0%N) ?size_iota // nth_iota // add0n /=.
have zipE f (S : seq (seq Z * Z)) : zip [seq f y | y <- unzip1 S] (unzip2 S) = [seq (f x.1 : Z, x.2) | x <- S].
  by elim: S => //= x S ->.
rewrite zipE -!map_comp /source_exponents gE /exponents.
have -> : raw_logits D L (nth (CombinedHead [::]) (source_heads D) h) t =
    [seq dot r (raw_vector D L (nth (CombinedHead [::]) (source_heads D) h) (nth [::] (queries D) t)) | r <- context_at D t].
  by case: (L) nL.
rewrite -!map_comp.
have CE : context_at D t = context_at D 0 := shared_contexts sh (ltn_ord t).
have /cs/andP[_ /allP rs] : context_at D 0 \in contexts D by rewrite -CE context_in.
rewrite CE; apply/eq_in_map => r /rs sr /=; congr Z.mul.
have hE : nth (CombinedHead [::]) (source_heads D) h = prepare L h by rewrite gsE (nth_map 0%N) ?size_iota // nth_iota.
have sq : (size (nth [::] (queries D) t) <= d)%N by apply: (all_nth_nil (P := fun q : seq Z => size q <= d)%N).
have sh' : short_columns D (prepare L h) by rewrite -hE; apply/all_nthP; rewrite ?sg.
by rewrite hE (token_rowE okL nL sh' sr sq) [dot (nth _ _ _) _]dotC.
Qed.

Lemma attention_tableE bits (t : 'I_T) (h : 'I_H) (p := precision_of bits) :
  coefficients_at (attention_table D bits) t h = alphas p (unit_at D p bits) (source_exponents D (source_heads D) t h).
Proof.
have sT : size (source_table D) = T.
  by rewrite /source_table /each_exponents; case: (given D) => [?|]; try case: ifP; rewrite size_map size_iota.
have sH : size (nth [::] (source_table D) t) = H.
  rewrite /source_table /each_exponents; case gE: (given D) => [L|]; try case: ifP => _;
    rewrite (nth_map 0%N) ?size_iota // !size_map ?size_iota //.
  by rewrite /source_heads gE size_map size_iota.
by rewrite /coefficients_at (nth_map [::]) ?sT // (nth_map [::]) ?sH // source_tableE.
Qed.

Lemma coefficients_atP bits (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  inside (z (Zpos (denominator (precision_of bits))) * attention R D t h i 0)
    (nth (0, 0)%coqZ (coefficients_at (attention_table D bits) t h) i).
Proof. by rewrite attention_tableE; apply: alphas_atP. Qed.

Lemma size_coefficients_at bits (t : 'I_T) (h : 'I_H) : size (coefficients_at (attention_table D bits) t h) = n.
Proof. by rewrite attention_tableE size_alphas_at. Qed.

(* --- counting                                                                  *)
Lemma count_pairsE f : count_pairs D f = (\sum_(t < T) \sum_(h < H) f t h)%N.
Proof.
rewrite /count_pairs sumnE big_map -{1}(subn0 T) -/(index_iota 0 T) big_mkord; apply: eq_bigr => t _.
by rewrite -sum1_count -{1}(subn0 H) -/(index_iota 0 H) big_mkcond big_mkord; apply: eq_bigr => h _; case: (f t h).
Qed.

Lemma exceedsP K a (x : R) : inside (z (Zpos K) * x) a -> exceeds c K a -> level R c < x.
Proof.
move=> /andP[low _] /Z.ltb_lt/(@toF_lt R); rewrite !toFM /level => lt1.
rewrite ltr_pdivr_mulr ?toFp_gt0 // -(ltr_pmul2r (toFp_gt0 R K)); apply: lt_le_trans lt1 _.
rewrite (_ : x * _ * _ = z (Zpos (epsilon_den c)) * (z (Zpos K) * x)); last by ring.
by rewrite ler_pmul2l ?toFp_gt0.
Qed.

Lemma staysP K a (x : R) : inside (z (Zpos K) * x) a -> stays c K a -> x <= level R c.
Proof.
move=> /andP[_ high] /Z.leb_le/(@toF_leq R); rewrite !toFM /level => le1.
rewrite ler_pdivl_mulr ?toFp_gt0 // -(ler_pmul2r (toFp_gt0 R K)); apply: le_trans le1.
rewrite (_ : x * _ * _ = z (Zpos (epsilon_den c)) * (z (Zpos K) * x)); last by ring.
by rewrite ler_pmul2l ?toFp_gt0.
Qed.

Lemma sum_leq2 (f g : nat -> nat -> nat) : (forall (t : 'I_T) (h : 'I_H), f t h <= g t h)%N ->
  (\sum_(t < T) \sum_(h < H) f t h <= \sum_(t < T) \sum_(h < H) g t h)%N.
Proof. by move=> fg; apply: leq_sum => t _; apply: leq_sum => h _. Qed.

(* the coefficients a of lists of any lengths, enclosed by A                       *)
Section Pairs.
Variables (len : 'I_T -> nat) (a : forall t : 'I_T, 'I_H -> 'cV[R]_(len t)) (A : seq (seq (seq (Z * Z)))) (bits : nat).
Hypothesis size_A : forall (t : 'I_T) (h : 'I_H), size (coefficients_at A t h) = len t.
Hypothesis inside_A : forall (t : 'I_T) (h : 'I_H) (i : 'I_(len t)),
  inside (z (Zpos (denominator (precision_of bits))) * a t h i 0) (nth (0, 0)%coqZ (coefficients_at A t h) i).
Let pairs := (\sum_(t < T) \sum_(h < H) `[< counted c h /\ exists i, (level R c < a t h i 0)%R >])%N.

Lemma pairs_above k : (k <= pairs_found D c A true bits)%N -> (k <= pairs)%N.
Proof.
move=> le_k; apply: leq_trans le_k _; rewrite /pairs_found count_pairsE.
apply: leq_sum => t _; apply: leq_sum => h _; case: andP => // -[hc /(has_nthP (0, 0)%coqZ)[i]].
rewrite size_A => iN ex; rewrite lt0b; apply/asboolP; split=> //; exists (Ordinal iN).
exact: exceedsP (inside_A h (Ordinal iN)) ex.
Qed.

Lemma pairs_below k : (k <= pairs_found D c A false bits)%N -> (pairs <= pairs_counted D c - k)%N.
Proof.
move=> le_k.
have total : (pairs + pairs_found D c A false bits <= pairs_counted D c)%N.
  rewrite /pairs_found /pairs_counted !count_pairsE /pairs -big_split; apply: leq_sum => t _.
  rewrite -big_split; apply: leq_sum => h _ /=.
  case: asboolP => [[hc [i ex]]|_] /=; last by case: andP => [[->]|].
  rewrite hc /=.
  case: allP => // stay; move: ex; rewrite ltNge => /negP[]; apply: staysP (inside_A h i) _.
  by apply: stay; rewrite mem_nth // size_A.
rewrite leq_subRL; last by apply: leq_trans le_k (leq_trans (leq_addl _ _) total).
by rewrite addnC; apply: leq_trans total; rewrite leq_add2l.
Qed.

End Pairs.

Theorem count_pairs_above k bits : count_pairs_ok D c (attention_table D bits) true k bits -> (k <= saturated R D c)%N.
Proof.
move=> /andP[_]; apply: (pairs_above (a := fun t h => attention R D t h)) => t h *; [exact: size_coefficients_at|exact: coefficients_atP].
Qed.

Theorem count_pairs_below k bits : count_pairs_ok D c (attention_table D bits) false k bits ->
  (saturated R D c <= pairs_counted D c - k)%N.
Proof.
move=> /andP[_]; apply: (pairs_below (a := fun t h => attention R D t h)) => t h *; [exact: size_coefficients_at|exact: coefficients_atP].
Qed.

End Sound.

(* ================================================================================================= *)
(* Numerical rank                                                                                    *)
(* ================================================================================================= *)
(* Integers near 2^bits Z, and a diagonally dominant matrix that bounds the number of large singular *)
(* values.                                                                                           *)

Local Notation table := (seq (seq (seq (Z * Z)))).

(* the means of head h at all examples, over denominator p * q_contexts            *)
Definition means_of (D : problem) (A : table) (h : nat) : seq (seq (Z * Z)) :=
  if shared D then all_times (d D) [seq coefficients_at A t h | t <- iota 0 (T D)] (context_at D 0)
  else [seq times_rows (d D) (coefficients_at A t h) (context_at D t) | t <- iota 0 (T D)].

(* matrices side by side                                                            *)
Definition side_by_side (A : Type) (h : nat) (l : seq (seq (seq A))) : seq (seq A) :=
  foldr (fun M N => [seq x.1 ++ x.2 | x <- zip M N]) (nseq h [::]) l.

(* 2^bits x, rounded down and up                                                    *)
Definition rounded (scale : Z) (den : positive) (x : Z * Z) : Z * Z :=
  (x.1 * scale / Zpos den, ceil_div (x.2 * scale) (Zpos den))%coqZ.

Definition rounded_Z (D : problem) (A : table) (bits : nat) : seq (seq (Z * Z)) :=
  let scale := Zpos (two_power bits) in let den := (denominator (precision_of bits) * q_contexts D)%positive in
  [seq [seq rounded scale den x | x <- r] | r <- side_by_side (T D) [seq means_of D A h | h <- iota 0 (H D)]].

Definition images (transposed : bool) (w : nat) (X : seq (seq Z)) (C : seq (seq Z)) : seq (seq Z) :=
  if transposed then all_dots w X C else combinations w X C.

(* X (C C^T - square I) X^T, for rows of X of length m with images Y of length N      *)
Definition form_rows (square : Z) (m N : nat) (X Y : seq (seq Z)) : seq (seq Z) :=
  [seq [seq (e.1 - square * e.2)%coqZ | e <- zip r.1 r.2] | r <- zip (all_dots N Y Y) (all_dots m X X)].

Definition dominant_rows (above : bool) (F : seq (seq Z)) : bool :=
  all (fun r => let own := nth 0%coqZ r.1 r.2 in
    (total_of [seq Z.abs x | x <- r.1] <? 2 * (if above then own else - own))%coqZ) (zip F (iota 0 (size F))).

Definition dominant_ok (T w : nat) (Zs : seq (seq (Z * Z))) (c : arguments) (above : bool) (bits : nat) (X : seq (seq Z)) : bool :=
  let C := [seq unzip1 r | r <- Zs] in
  let rho := foldr Z.max 0%coqZ [seq widest r | r <- Zs] in
  let delta := (rho * (Z.sqrt (Z.of_nat (T * w)) + 1))%coqZ in
  let level := (Zpos (epsilon_num c) * Zpos (two_power bits) / Zpos (epsilon_den c))%coqZ in
  let theta := if above then (level + 1 + delta)%coqZ else (level - delta)%coqZ in
  let transposed := (w < T)%N in
  let m := if transposed then w else T in let N := if transposed then T else w in
  [&& (0 <? theta)%coqZ, all (fun x => size x == m) X &
    dominant_rows above (form_rows (theta * theta)%coqZ m N X (images transposed w X C))].
Definition spectrum_ok (D : problem) (c : arguments) (A : table) (above : bool) (bits : nat) (X : seq (seq Z)) : bool :=
  wf_source D && dominant_ok (T D) (H D * d D) (rounded_Z D A bits) c above bits X.

Lemma dominant_rowsP square above m N X Y i
    (e := fun j => (dot (nth [::] Y i) (nth [::] Y j) - square * dot (nth [::] X i) (nth [::] X j))%coqZ) :
  size Y = size X -> (i < size X)%N ->
  dominant_rows above (form_rows square m N X Y) ->
  (total_of [seq Z.abs (e j) | j <- iota 0 (size X)] <? 2 * (if above then e i else - e i))%coqZ.
Proof.
move=> sY iX /(all_nthP ([::], 0%N)) dom.
have FE : nth [::] (form_rows square m N X Y) i = [seq e j | j <- iota 0 (size X)].
  rewrite /form_rows !all_dotsE (nth_map ([::], [::])) ?size_zip ?size_map ?sY ?minnn //.
  rewrite nth_zip ?size_map // !(nth_map [::]) ?sY //.
  apply: (@eq_from_nth _ 0%coqZ) => [|j]; rewrite !size_map size_zip !size_map sY minnn ?size_iota // => jX.
  rewrite (nth_map (0%coqZ, 0%coqZ)) ?size_zip ?size_map ?sY ?minnn // nth_zip ?size_map //.
  by rewrite !(nth_map [::]) ?sY // (nth_map 0%N) ?size_iota // nth_iota.
have sF : size (form_rows square m N X Y) = size X by rewrite !size_map size_zip !all_dotsE !size_map sY minnn.
have := dom i; rewrite size_zip size_iota minnn sF nth_zip ?size_iota //= FE nth_iota // add0n.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n -map_comp; exact.
Qed.

Lemma nth_side_by_side (A : Type) k (l : seq (seq (seq A))) (t : nat) : all (fun M => size M == k) l -> (t < k)%N ->
  size (side_by_side k l) = k /\ nth [::] (side_by_side k l) t = flatten [seq nth [::] M t | M <- l].
Proof.
move=> + tk; elim: l => [|M l IH] /=; first by rewrite size_nseq nth_nseq; case: ifP.
case/andP=> /eqP sM /IH[sl lE]; rewrite size_map size_zip sM sl minnn; split=> //.
by rewrite (nth_map ([::], [::])) ?size_zip ?sM ?sl ?minnn // nth_zip ?sM ?sl //= lE.
Qed.

Lemma means_beside D A t (Ms := [seq means_of D A h | h <- iota 0 (H D)]) : (t < T D)%N ->
  [/\ size (side_by_side (T D) Ms) = T D, nth [::] (side_by_side (T D) Ms) t = flatten [seq nth [::] M t | M <- Ms] &
    all (fun r => size r == d D) [seq nth [::] M t | M <- Ms]].
Proof.
move=> tT; have sizes M : M \in Ms -> size M = T D /\ all (fun r => size r == d D) M.
  case/mapP=> h _ ->; rewrite /means_of; case: ifP => _; last first.
    by rewrite size_map size_iota; split=> //; apply/allP => r /mapP[u _ ->]; rewrite size_times_rows.
  by rewrite size_all_times size_map size_iota size_row_all_times.
have aM : all (fun M => size M == T D) Ms by apply/allP => M /sizes[-> _].
have [sb bE] := nth_side_by_side aM tT; split=> //.
by apply/allP => r /mapP[M /sizes[sM /allP rM] ->]; apply: rM; rewrite mem_nth ?sM.
Qed.

Lemma size_rounded_Z D A bits : size (rounded_Z D A bits) = T D.
Proof.
rewrite size_map; have [T0|T0] := posnP (T D); last by have [-> _ _] := means_beside A T0.
by rewrite T0; elim: [seq _ | _ <- _] => //= M l IH; rewrite size_map size_zip IH minn0.
Qed.

Lemma size_rounded_row D A bits t : (t < T D)%N -> size (nth [::] (rounded_Z D A bits) t) = (H D * d D)%N.
Proof.
move=> tT; have [sb bE aM] := means_beside A tT; rewrite /rounded_Z (nth_map [::]) ?sb // size_map bE size_flatten /shape.
have /all_pred1P -> : all (pred1 (d D)) [seq size r | r <- [seq nth [::] M t | M <- [seq means_of D A h | h <- iota 0 (H D)]]].
  by rewrite all_map.
by rewrite sumn_nseq !size_map size_iota mulnC.
Qed.

Definition smaller_side (D : problem) : nat := minn (T D) (H D * d D).

Section Sound.
Variables (R : realType) (D : problem) (c : arguments) (bits : nat).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation z := (toF R).
Hypotheses (okD : wf_problem D) (okS : wf_source D).
Let p := precision_of bits.
Let tab := attention_table D bits.

Lemma means_enclosed (h : 'I_H) :
  each_encloses (z (Zpos (denominator p * q_contexts D))) (fun t => means R D t h) (means_of D tab h).
Proof.
have coefficients (t : 'I_T) : encloses (z (Zpos (denominator p))) (attention R D t h)^T (coefficients_at tab t h).
  split=> [|i]; first exact: size_coefficients_at.
  by rewrite mxE; apply: coefficients_atP.
rewrite /means_of; case: ifP => [sh|_]; last first.
  split=> [|t]; first by rewrite size_map size_iota.
  by rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n toFpM; apply: enclosesM.
split=> [|t]; first by rewrite size_all_times size_map size_iota.
rewrite toFpM /means (_ : E R D t = mx R n d (q_contexts D) (context_at D 0)); last by rewrite /problem.E (shared_contexts sh).
have := @each_times R T (z (Zpos (denominator p))) (q_contexts D) n d (fun t => (attention R D t h)^T).
move=> /(_ [seq coefficients_at tab t h | t <- iota 0 T] (context_at D 0))[|_]; last by apply.
split=> [|t']; first by rewrite size_map size_iota.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n; apply: coefficients.
Qed.

Lemma rounded_inside den s (x : R) a : inside (z (Zpos den) * x) a -> inside (z (Zpos s) * x) (rounded (Zpos s) den a).
Proof.
move=> /andP[low high]; have d0 := toFp_gt0 R den; have s0 := toFp_gt0 R s.
rewrite /inside /rounded /=; apply/andP; split.
  apply: le_trans (floor_leq _ _ _) _ => //; rewrite ler_pdivr_mulr // toFM.
  rewrite (_ : _ * x * _ = z (Zpos den) * x * z (Zpos s)); last by ring.
  by rewrite ler_pmul2r.
apply: le_trans _ (ceil_geq _ _ _) => //; rewrite ler_pdivl_mulr // toFM.
rewrite (_ : _ * x * _ = z (Zpos den) * x * z (Zpos s)); last by ring.
by rewrite ler_pmul2r.
Qed.


Lemma rounded_ZP (t : 'I_T) (k : 'I_(H * d)) :
  inside (z (Zpos (two_power bits)) * attention_Z R D t k) (nth (0, 0)%coqZ (nth [::] (rounded_Z D (attention_table D bits) bits) t) k).
Proof.
have [sb bE aM] := means_beside tab (ltn_ord t); have sr := size_rounded_row tab bits (ltn_ord t).
move: sr; rewrite /rounded_Z (nth_map [::]) ?sb // size_map bE => sr.
case/mxvec_indexP: k => h j; rewrite mxE mxvecE [X in inside (_ * X)]mxE.
rewrite (nth_map (0, 0)%coqZ) ?sr //; apply: rounded_inside; rewrite mxvec_index_val flatten_nth //; last first.
  by rewrite !size_map size_iota.
rewrite (nth_map [::]) ?size_map ?size_iota // (nth_map 0%N) ?size_iota // nth_iota // add0n.
by have [_ /(_ t)[_]] := means_enclosed h; apply.
Qed.

End Sound.

Lemma largest_leq_seq (l : seq Z) x : List.In x l -> (x <= foldr Z.max 0 l)%coqZ.
Proof. by elim: l => //= y s IH [->|/IH]; lia. Qed.

(* --- Zs enclose 2^bits Z_mx *)
Section Near.
Variables (R : realType) (T w : nat) (Z_mx : 'M[R]_(T, w)) (Zs : seq (seq (Z * Z))) (bits : nat).
Local Notation z := (toF R).
Hypotheses (size_Zs : size Zs = T) (size_Z_row : forall t : 'I_T, size (nth [::] Zs t) = w).
Hypothesis inside_Z : forall (t : 'I_T) (k : 'I_w), inside (z (Zpos (two_power bits)) * Z_mx t k) (nth (0, 0)%coqZ (nth [::] Zs t) k).

Definition C_mx : 'M[R]_(T, w) := \matrix_(t, k) z (nth (0, 0)%coqZ (nth [::] Zs t) k).1.
Let rho := foldr Z.max 0%coqZ [seq widest r | r <- Zs].

Lemma rho_ge0 : (0 <= rho)%coqZ.
Proof. by rewrite /rho; elim: [seq _ | _ <- _] => //= x s IH; lia. Qed.

Lemma near_entry (t : 'I_T) (k : 'I_w) : `|(z (Zpos (two_power bits)) *: Z_mx - C_mx) t k| <= z rho.
Proof.
have := inside_Z t k; set a := nth _ _ k => /andP[low high].
have -> : (z (Zpos (two_power bits)) *: Z_mx - C_mx) t k = z (Zpos (two_power bits)) * Z_mx t k - z a.1.
  by rewrite !mxE.
have wide : (a.2 - a.1 <= rho)%coqZ.
  apply: Z.le_trans (widest_leq (s := nth [::] Zs t) _) _; first by apply: nth_In; rewrite size_Z_row.
  apply: largest_leq_seq; rewrite -(nth_map [::] 0%coqZ widest) ?size_Zs //.
  by apply: nth_In; rewrite size_map size_Zs.
rewrite ger0_norm ?subr_ge0 //; apply: le_trans (toF_leq R wide).
by rewrite toFB ler_sub.
Qed.

Let delta := (rho * (Z.sqrt (Z.of_nat (T * w)) + 1))%coqZ.

Lemma of_natE k : z (Z.of_nat k) = k%:R.
Proof. by elim: k => [|k IH]; rewrite ?toF0 // Nat2Z.inj_succ -Z.add_1_r toFD toF1 IH -addn1 natrD. Qed.

Lemma near_frobenius : frobenius (z (Zpos (two_power bits)) *: Z_mx - C_mx) <= z delta.
Proof.
have rho0 : 0 <= z rho by rewrite -(toF0 R); apply: toF_leq; apply: rho_ge0.
apply: le_trans (frobenius_entries rho0 near_entry) _.
rewrite /delta toFM mulrC ler_wpmul2l //.
have k0 : (0 <= Z.of_nat (T * w))%coqZ by lia.
have [_ high] := Z.sqrt_spec _ k0; have s0 := Z.sqrt_nonneg (Z.of_nat (T * w)).
have zs0 : 0 <= z (Z.sqrt (Z.of_nat (T * w)) + 1)%coqZ by rewrite -(toF0 R); apply: toF_leq; lia.
rewrite -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?sqrtr_ge0 // sqr_sqrtr ?ler0n // expr2 -toFM.
rewrite -of_natE; by apply: toF_leq; apply: Z.lt_le_incl high.
Qed.

(* --- the dominant matrix                                                           *)
Variables (X : seq (seq Z)) (m : nat).
Let k := size X.
Definition X_mx : 'M[R]_(k, m) := \matrix_(i, j) z (nth 0%coqZ (nth [::] X i) j).

(* entries of X S, images of the rows                                                *)
Lemma dominant_entries (N : nat) (C : 'M[R]_(m, N)) (Y : seq (seq Z)) (square : Z) (above : bool) (theta : R) :
    z square = theta ^+ 2 -> size Y = k ->
    all (fun x => size x == m) X -> all (fun y => size y == N) Y ->
    (forall (i : 'I_k) (j : 'I_N), (X_mx *m C) i j = z (nth 0%coqZ (nth [::] Y i) j)) ->
    dominant_rows above (form_rows square m N X Y) ->
  forall i, \sum_j `|form C X_mx theta i j| < (if above then form C X_mx theta i i else - form C X_mx theta i i) *+ 2.
Proof.
move=> sqE sY /allP sX /allP sizes YE dom i.
pose e (a b : 'I_k) := (dot (nth [::] Y a) (nth [::] Y b) - square * dot (nth [::] X a) (nth [::] X b))%coqZ.
have formE' a b : form C X_mx theta a b = z (e a b).
  have sYa : size (nth [::] Y a) = N by apply/eqP/sizes; rewrite mem_nth ?sY.
  have sXa : size (nth [::] X a) = m by apply/eqP/sX; rewrite mem_nth.
  rewrite /form mxE [in X in _ + X]mxE [in X in _ + X]mxE /e toFB toFM sqE.
  rewrite (@dotE N) ?sYa // (@dotE m) ?sXa // !rmorph_sum /=; congr (_ - _).
    by rewrite mxE; apply: eq_bigr => j _; rewrite [_^T _ _]mxE !YE rmorphM.
  congr (_ * _); rewrite mxE; apply: eq_bigr => j _.
  by rewrite [_^T _ _]mxE !mxE rmorphM.
have /Z.ltb_lt/(@toF_lt R) := dominant_rowsP sY (ltn_ord i) dom.
rewrite total_ofE size_map size_iota toFM toF2 mulr_natl => lt1.
have -> : (if above then form C X_mx theta i i else - form C X_mx theta i i) = z (if above then e i i else - e i i)%coqZ.
  by rewrite formE'; case: above {lt1 dom} => //; rewrite toFN.
apply: le_lt_trans lt1; apply: ler_sum => a _; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n formE'.
have [[e0 ->]|[e0 ->]] := Z.abs_spec (e i a).
  by rewrite ger0_norm // -(toF0 R); apply: toF_leq.
by rewrite toFN ltr0_norm // -(toF0 R); apply: toF_lt.
Qed.

End Near.

Section Theorems.
Variables (R : realType) (T w : nat) (Z_mx : 'M[R]_(T, w)) (Zs : seq (seq (Z * Z))) (c : arguments) (bits : nat) (X : seq (seq Z)).
Local Notation z := (toF R).
Hypotheses (size_Zs : size Zs = T) (size_Z_row : forall t : 'I_T, size (nth [::] Zs t) = w).
Hypothesis inside_Z : forall (t : 'I_T) (k : 'I_w), inside (z (Zpos (two_power bits)) * Z_mx t k) (nth (0, 0)%coqZ (nth [::] Zs t) k).
Let C := [seq unzip1 r | r <- Zs].
Local Notation C_mx := (C_mx R T w Zs).

Lemma nth_C (t : 'I_T) k : nth 0%coqZ (nth [::] C t) k = (nth (0, 0)%coqZ (nth [::] Zs t) k).1.
Proof.
rewrite (nth_map [::]) ?size_Zs //.
have [ks|sk] := ltnP k (size (nth [::] Zs t)); first by rewrite (nth_map (0, 0)%coqZ).
by rewrite [in RHS]nth_default // nth_default ?size_map.
Qed.

Lemma size_C_row (t : 'I_T) : size (nth [::] C t) = w.
Proof. by rewrite (nth_map [::]) ?size_Zs // size_map size_Z_row. Qed.

Lemma size_C : size C = T. Proof. by rewrite size_map size_Zs. Qed.

Lemma all_C : all (fun r => size r == w) C.
Proof. by apply/(all_nthP [::]) => t; rewrite size_C => tT; rewrite (size_C_row (Ordinal tT)). Qed.

Definition bound_delta : Z :=
  (foldr Z.max 0 [seq widest r | r <- Zs] * (Z.sqrt (Z.of_nat (T * w)) + 1))%coqZ.

Lemma spectrum_dominant above (level := (Zpos (epsilon_num c) * Zpos (two_power bits) / Zpos (epsilon_den c))%coqZ)
    (theta := if above then (level + 1 + bound_delta)%coqZ else (level - bound_delta)%coqZ) :
  dominant_ok T w Zs c above bits X -> 0 < z theta /\
    if (w < T)%N then
      (if above then stretches C_mx^T (z theta) (X_mx R X w) else shrinks C_mx^T (z theta) (X_mx R X w))
    else if above then stretches C_mx (z theta) (X_mx R X T) else shrinks C_mx (z theta) (X_mx R X T).
Proof.
rewrite /dominant_ok -/C -/bound_delta -/level -/theta => /and3P[/Z.ltb_lt/(@toF_lt R) th0 sX dom].
rewrite toF0 in th0; split=> //; have sq : z (theta * theta)%coqZ = z theta ^+ 2 by rewrite toFM expr2.
have sY tr : size (images tr w X C) = size X by rewrite /images; case: tr; rewrite ?all_dotsE ?combinationsE size_map.
case: ifP sX dom => wT sX dom.
  have YE (i : 'I_(size X)) (t : 'I_T) :
      (X_mx R X w *m C_mx^T) i t = z (nth 0%coqZ (nth [::] (images true w X C) i) t).
    rewrite /images all_dotsE (nth_map [::]) // (nth_map [::]) ?size_C // dotC (@dotE w) ?size_C_row // rmorph_sum mxE.
    by apply: eq_bigr => k _; rewrite rmorphM /= nth_C !mxE mulrC.
  have sizes : all (fun y => size y == T) (images true w X C).
    by rewrite /images all_dotsE; apply/allP => y /mapP[x _ ->]; rewrite size_map size_C.
  have := dominant_entries sq (sY true) sX sizes YE dom.
  by case: (above); [apply: dominant_stretches|apply: dominant_shrinks].
have YE (i : 'I_(size X)) (k : 'I_w) :
    (X_mx R X T *m C_mx) i k = z (nth 0%coqZ (nth [::] (images false w X C) i) k).
  rewrite /images combinationsE (nth_map [::]) // nth_combination; last first.
    by apply: sub_all all_C => r /eqP->.
  have -> : size (nth [::] X i) = T by apply/eqP; move/allP: sX; apply; rewrite mem_nth.
  rewrite rmorph_sum mxE; apply: eq_bigr => t _; by rewrite rmorphM /= /ent nth_C !mxE.
have sizes : all (fun y => size y == w) (images false w X C).
  by rewrite /images combinationsE; apply/allP => y /mapP[x _ ->]; rewrite size_combination.
have := dominant_entries sq (sY false) sX sizes YE dom.
by case: (above); [apply: dominant_stretches|apply: dominant_shrinks].
Qed.

Lemma scale_gt0 : 0 < z (Zpos (two_power bits)). Proof. exact: toFp_gt0. Qed.

Lemma near_Z : frobenius (z (Zpos (two_power bits)) *: Z_mx - C_mx) <= z bound_delta.
Proof. exact: near_frobenius. Qed.

Lemma near_frobenius_tr : frobenius (z (Zpos (two_power bits)) *: Z_mx^T - C_mx^T) <= z bound_delta.
Proof. by rewrite -linearZ -linearB /= frobenius_tr; apply: near_frobenius. Qed.

Lemma level_bounds (a := Zpos (epsilon_num c)) (b := Zpos (epsilon_den c)) (s := Zpos (two_power bits)) :
  z (a * s / b)%coqZ <= z s * level R c < z (a * s / b + 1)%coqZ.
Proof.
have b0 : 0 < z b := toFp_gt0 R _; rewrite /level mulrA [z s * _]mulrC -toFM; apply/andP; split.
  exact: floor_leq.
rewrite ltr_pdivr_mulr // -toFM; apply: toF_lt.
by have := Z.mul_succ_div_gt (a * s) b erefl; lia.
Qed.

Theorem dominant_above : dominant_ok T w Zs c true bits X -> (size X <= singular_count Z_mx (level R c))%N.
Proof.
move=> /spectrum_dominant[th0]; have /andP[_ lev] := level_bounds.
have th : z (Zpos (two_power bits)) * level R c + z bound_delta <=
    z (Zpos (epsilon_num c) * Zpos (two_power bits) / Zpos (epsilon_den c) + 1 + bound_delta)%coqZ.
  by rewrite [X in _ <= X]toFD ler_add2r ltW.
case: ifP => _ str.
  rewrite -singular_count_tr ?level_ge0 //.
  exact: (singular_count_above scale_gt0 near_frobenius_tr th str).
exact: (singular_count_above scale_gt0 near_Z th str).
Qed.

Theorem dominant_below : dominant_ok T w Zs c false bits X -> (singular_count Z_mx (level R c) <= minn T w - size X)%N.
Proof.
move=> /spectrum_dominant[th0]; have /andP[lev _] := level_bounds.
have th : z (Zpos (epsilon_num c) * Zpos (two_power bits) / Zpos (epsilon_den c) - bound_delta)%coqZ <=
    z (Zpos (two_power bits)) * level R c - z bound_delta.
  by rewrite [X in X <= _]toFB ler_add2r.
case: ifP => wT shr.
  rewrite (minn_idPr (ltnW wT)) -singular_count_tr ?level_ge0 //.
  exact: (singular_count_below scale_gt0 near_frobenius_tr th shr).
have /minn_idPl-> : (T <= w)%N by rewrite leqNgt wT.
exact: (singular_count_below scale_gt0 near_Z th shr).
Qed.
End Theorems.

Section Case.
Variables (R : realType) (D : problem) (c : arguments) (bits : nat) (X : seq (seq Z)).
Hypothesis okD : wf_problem D.
Theorem spectrum_above : spectrum_ok D c (attention_table D bits) true bits X -> (size X <= numerical_rank R D c)%N.
Proof. by move=> /andP[okS]; apply: dominant_above => [|t|t k]; [exact: size_rounded_Z|exact: size_rounded_row|exact: rounded_ZP]. Qed.

Theorem spectrum_below : spectrum_ok D c (attention_table D bits) false bits X -> (numerical_rank R D c <= smaller_side D - size X)%N.
Proof. by move=> /andP[okS]; apply: dominant_below => [|t|t k]; [exact: size_rounded_Z|exact: size_rounded_row|exact: rounded_ZP]. Qed.
End Case.
