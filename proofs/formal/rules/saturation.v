(* The proved checker, real layers: enclosures of the attention of the case's layer, *)
(* of its Z, of what the whole layer puts out, and the steps that they decide.        *)
(*                                                                                    *)
(*   source_exponents == integers l with  logit = unit_of l  up to a constant           *)
(*   attention_table D bits == enclosures of the coefficients of all heads at all examples *)
(*         token_row == what a token says to all queries, where examples share tokens    *)
(*    count_pairs_ok == so many pairs have a coefficient above the level, or none        *)
(*       spectrum_ok == X (C C^T - theta^2 I) X^T dominant, C the integers near 2^bits Z *)
(* count_examples_ok == so many examples are right, or wrong                            *)
From Attest Require Import integers attention euclidean inertia literal_arithmetic problem claims logits.
From Attest Require Import rational_matrices literal_matrices packed enclosures real_quantities.

Local Notation Z := BinNums.Z.

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
