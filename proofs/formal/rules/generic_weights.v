(* The proved checker, almost all weights: rows of Z that are different for them, and relations between *)
(* examples whose coefficients are functions of the weights.                                            *)
(*                                                                                                      *)
(*   almost_all_outputs, independent_outputs, equal_inputs == the schemas about different rows of Z     *)
(*   shifted H d h x == the exponent x of head h as one of a tuple                                      *)
(*   zero_functions_ok, zero_functions == the check, and why it is right                                *)
From Attest Require Import integers attention common upper_bounds exponential_polynomials generic_data.
From Attest Require Import problem literal_arithmetic logits capacity residues elimination minors.
From Attest Require Import quantity_bounds schemas heads rational_matrices zero blocks.

Local Notation Z := BinNums.Z.

(* ==================================================================================================== *)
(* Rows of Z that are different                                                                         *)
(* ==================================================================================================== *)
(* Two rows that differ for some weights do on all but finitely many points of each line through these. *)

Section GenericOutputs.
Variables (R : realType) (D : problem).
Hypothesis okD : wf_sizes D.
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation weights := (weights R H d (d_h D) 0 0 0).
Let okP := wf_sizes_problem okD.

Lemma distinct_rows_mono k m m' (M : 'M[R]_(k, m)) (M' : 'M[R]_(k, m')) :
  (forall t t', row t M' = row t' M' -> row t M = row t' M) -> (distinct_rows M <= distinct_rows M')%N.
Proof.
move=> same; set s := undup [seq row t M | t <- enum 'I_k].
have /fin_all_exists[f fE] (i : 'I_(size s)) : exists t : 'I_k, row t M = nth 0 s i.
  have : nth 0 s i \in s by apply: mem_nth.
  by rewrite mem_undup => /mapP[t _ ->]; exists t.
apply: (distinct_rows_geq (f := f)) => i j ij; apply/negP => /eqP/same; rewrite !fE => /eqP.
by rewrite nth_uniq ?undup_uniq // => /eqP ijE; rewrite ijE ltnn in ij.
Qed.

Lemma few_equal m k (M : R -> 'M[R]_(m, k)) : (forall t c, expfrac (fun x => M x t c)) ->
  exists few : seq R, forall x, x \notin few -> (distinct_rows (M 0%R) <= distinct_rows (M x))%N.
Proof.
move=> frac; have pair (tt : 'I_m * 'I_m) : exists r : seq R, forall x, x \notin r ->
    row tt.1 (M x) = row tt.2 (M x) -> row tt.1 (M 0) = row tt.2 (M 0).
  have [[c cP]|all0] := pselect (exists c, M 0 tt.1 c - M 0 tt.2 c != 0); last first.
    exists [::] => x _ _; apply/rowP => c; rewrite [LHS]mxE [RHS]mxE; apply/eqP; rewrite -subr_eq0.
    by apply/negPn/negP => ne; case: all0; exists c.
  have [|r rP] := @expfrac_zeros R (fun x => M x tt.1 c - M x tt.2 c) 0 _ cP.
    apply: expfrac_ext (expfracD (frac tt.1 c) (expfracM (expfrac_const (-1)) (frac tt.2 c))) _ => x.
    by rewrite mulN1r.
  exists r => x /negP xr /rowP/(_ c); rewrite [LHS]mxE [RHS]mxE => same; case: xr; apply: rP.
  by rewrite same subrr.
have /fin_all_exists[r rP] := pair.
exists (flatten [seq r tt | tt <- enum {: 'I_m * 'I_m}]) => x xr.
apply: distinct_rows_mono => t t'; apply: (rP (t, t')); apply: contra xr => xr.
by apply/flattenP; exists (r (t, t')) => //; apply: map_f; rewrite mem_enum.
Qed.

Lemma generic_geq (P : weights) : (distinct_rows (attention.Z E e P) <= generic_outputs R D)%N.
Proof.
apply: largest_geq; first by rewrite /distinct_rows (leq_trans (size_undup _)) // size_map size_enum_ord.
exists (WK P), (WQ P) => K' Q'.
pose line x : weights := Weights (fun h => WK P h + x *: (K' h - WK P h)) (fun h => WQ P h + x *: (Q' h - WQ P h)) (fun=> 0) 0 0.
have frac t c : expfrac (fun x => attention.Z E e (line x) t c).
  apply: (@expfrac_ext _ (fun x => Zmx E e (fun h => WK (line x) h *m (WQ (line x) h)^T) t c)); last by move=> x; rewrite ZE.
  apply: (@expfrac_Zmx R T H (n D) d (fun=> E) (fun=> e) (fun x h => WK (line x) h *m (WQ (line x) h)^T)).
  - by move=> t' i k; apply: polynomial_const.
  - by move=> t' i k; apply: polynomial_const.
  move=> h; apply: polynomial_mulmx => [i k|i k]; first exact: (line_poly (WK P h) (K' h)).
  by have [p pE] := line_poly (WQ P h) (Q' h) k i; exists p => x; rewrite -pE mxE.
have [few fewP] := few_equal frac; exists few => x /fewP.
have -> : attention.Z E e (line 0) = attention.Z E e P; last exact.
by rewrite !ZE; congr Zmx; apply/funext => h /=; rewrite !scale0r !addr0.
Qed.

Theorem almost_all_outputs L a : in_shape D L -> (distinct_rows (given_Z R D L a) <= generic_outputs R D)%N.
Proof. by move=> sL; have [P ->] := in_shapeP R a sL; apply: generic_geq. Qed.

Theorem independent_outputs : (capacity R D <= generic_outputs R D)%N.
Proof.
have /capacity_geq[P rP] := leqnn (capacity R D); apply: leq_trans (generic_geq P); apply: (leq_trans rP).
move: (attention.Z E e P) => M; rewrite /distinct_rows; set s := undup _.
pose B : 'M[R]_(size s, H * d) := \matrix_i nth 0 s i.
suff /mxrankS/leq_trans : (M <= B)%MS by apply; apply: rank_leq_row.
apply/row_subP => t; have ts : row t M \in s by rewrite mem_undup; apply/mapP; exists t; rewrite ?mem_enum.
have iS : (index (row t M) s < size s)%N by rewrite index_mem.
by rewrite (_ : row t M = row (Ordinal iS) B) ?row_sub // rowK /= nth_index.
Qed.

Theorem equal_inputs : (generic_outputs R D <= size (distinct_examples D))%N.
Proof.
apply: largest_leq => k [K [Q /(_ K Q)[few fewP]]].
have [x [_ xfew]] := few_points few 0 (@ltr01 R); apply: (leq_trans (fewP x xfew)).
set P := Weights _ _ _ _ _; have same (t t' : 'I_T) : example_key D t = example_key D t' ->
    row t (attention.Z E e P) = row t' (attention.Z E e P).
  by move=> /(same_example_key R okD) tt; rewrite ZE (same_row _ tt).
have [B BP] := rows_of_classes (distinct_examples D) same.
by apply: distinct_rows_leq => t; apply/BP/example_in.
Qed.

End GenericOutputs.

(* ================================================================================================ *)
(* Relations between examples                                                                       *)
(* ================================================================================================ *)
(* Vectors y over sums of c exp(<W, X>), X an H-tuple of d x d matrices, with y Z(W) = 0 for all W. *)
(* Each vector has an index of its own, where its value is not 0 and the others have none; so the   *)
(* vectors are independent at almost all weights, and almost all weights have the largest rank.     *)

Definition shifted (d h : nat) (x : seq Z) : seq Z := nseq (h * (d * d)) 0%coqZ ++ x.

Definition relation_ok (D : problem) (y : seq (seq (seq Z * Z))) : bool :=
  all (fun h => left_identity plus_row equal_row less_row [::] id (d D) (T D) y
    (fun t => [seq shifted (d D) h (outer r (nth [::] (queries D) t)) | r <- context_at D t])
    (fun t => context_at D t)) (iota 0 (H D)).

(* the coefficient of the first power                                            *)
Definition first_power (P : seq (seq Z * Z)) : seq Z := (nth ([::], 0%coqZ) P 0).1.
Definition first_coefficient (P : seq (seq Z * Z)) : Z :=
  foldr (fun s c => if equal_row s.1 (first_power P) then (s.2 + c)%coqZ else c) 0%coqZ P.

Definition own_index (D : problem) (Y : seq (seq (seq (seq Z * Z)))) (own : seq nat) (k : nat) : bool :=
  let P := nth [::] (nth [::] Y k) (nth 0%N own k) in
  [&& (nth 0%N own k < T D)%N, ~~ (first_coefficient P =? 0)%coqZ,
    all (fun s => size s.1 == (H D * (d D * d D))%N) P &
    all (fun l => (l == k) || nilp (nth [::] (nth [::] Y l) (nth 0%N own k))) (iota 0 (size Y))].

Definition zero_functions_ok (D : problem) (own : seq nat) (Y : seq (seq (seq (seq Z * Z)))) : bool :=
  all (relation_ok D) Y && all (own_index D Y own) (iota 0 (size Y)).

Section Functions.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Hypothesis okD : wf_sizes D.
Let okP := wf_sizes_problem okD.
Let n0 := n_gt0 okP.
Let qE : R := toF R (Zpos (q_contexts D)).
Let qe : R := toF R (Zpos (q_queries D)).
Local Notation tuple := {ffun 'I_H -> 'M[R]_d}.

Definition tuple_of (x : seq Z) : tuple :=
  [ffun h : 'I_H => \matrix_(i, j) (toF R (nth 0%coqZ x (h * (d * d) + (i * d + j))%N) / (qE * qe))].

Let q_neq0 : qE * qe != 0. Proof. by rewrite mulf_neq0 // toF_pos. Qed.

Lemma tuple_of_inj x y : size x = (H * (d * d))%N -> size y = (H * (d * d))%N -> tuple_of x = tuple_of y -> x = y.
Proof.
move=> sx sy /ffunP xy; apply: (@eq_from_nth _ 0%coqZ) => [|k]; rewrite ?sx ?sy // => kN.
have dd0 : (0 < d * d)%N by move: kN; case: (d * d)%N => //; rewrite muln0.
have d0 : (0 < d)%N by move: dd0; rewrite muln_gt0 => /andP[].
have h_lt : (k %/ (d * d) < H)%N by rewrite ltn_divLR.
have i_lt : (k %% (d * d) %/ d < d)%N by rewrite ltn_divLR // ltn_mod.
have j_lt : (k %% (d * d) %% d < d)%N by rewrite ltn_mod.
have := xy (Ordinal h_lt); rewrite !ffunE => /matrixP/(_ (Ordinal i_lt) (Ordinal j_lt)); rewrite !mxE /=.
rewrite -!divn_eq => /(mulIf (invr_neq0 q_neq0))/eqP.
by rewrite -subr_eq0 -toFB toF_eq0 => /Z.eqb_eq; lia.
Qed.

Section Weights.
Variable W : 'I_H -> 'M[R]_d.
Let ev (x : seq Z) : R := expR (pair W (tuple_of x)).

Let tuple_ofD x y : tuple_of (plus_row x y) = tuple_of x + tuple_of y.
Proof. by apply/ffunP => h; rewrite !ffunE; apply/matrixP => i j; rewrite !mxE nth_add_rows toFD mulrDl. Qed.
Let evD x y : ev (plus_row x y) = ev x * ev y. Proof. by rewrite /ev tuple_ofD pairD expRD. Qed.
Let ev_equal x y : equal_row x y -> ev x = ev y. Proof. by move=> /equal_rowP->. Qed.
Let ev0 : ev [::] = 1.
Proof.
rewrite /ev (_ : tuple_of [::] = 0) ?pair0 ?expR0 //.
by apply/ffunP => h; rewrite !ffunE; apply/matrixP => i j; rewrite !mxE nth_nil rmorph0 mul0r.
Qed.
Let ev_gt0 x : 0 < ev x. Proof. exact: expR_gt0. Qed.

Let logits_of (h t : nat) := [seq shifted d h (outer r (nth [::] (queries D) t)) | r <- context_at D t].

Let ev_logit (h : 'I_H) (t : 'I_T) (i : 'I_n) : ev (nth [::] (logits_of h t) i) = expR ((E t *m W h *m e t) i 0).
Proof.
have [_ _ /eqP sQ /allP aq /allP aC] := wf_sizesP okD.
have sq : size (nth [::] (queries D) t) = d by apply/eqP/aq; rewrite mem_nth // sQ.
have sr : size (nth [::] (context_at D t) i) = d.
  have Cin : context_at D t \in contexts D by apply: context_in.
  by apply/eqP/(allP (aC _ Cin)); rewrite mem_nth // size_context.
rewrite /ev -(pair_exponent E e W); congr (expR (pair W _)); apply/ffunP => h'; rewrite !ffunE.
have so : size (outer (nth [::] (context_at D t) i) (nth [::] (queries D) t)) = (d * d)%N.
  by rewrite size_outer sr sq.
have look (a b : 'I_d) : nth 0%coqZ (nth [::] (logits_of h t) i) (h' * (d * d) + (a * d + b)) =
    if h' == h then (nth 0 (nth [::] (context_at D t) i) a * nth 0 (nth [::] (queries D) t) b)%coqZ else 0%coqZ.
  have ab : (a * d + b < d * d)%N.
    by apply: leq_trans (_ : a * d + d <= _)%N; rewrite ?ltn_add2l // -mulSnr leq_mul2r ltn_ord orbT.
  rewrite /logits_of (nth_map [::]) ?size_context // /shifted nth_cat size_nseq.
  case: (ltngtP h' h) => hh; last first.
  - by rewrite (val_inj hh) eqxx ltnNge leq_addr /= addKn nth_outer.
  - have -> : (h' == h) = false by apply: contraTF hh => /eqP->; rewrite ltnn.
    have le : (h * (d * d) + d * d <= h' * (d * d))%N by rewrite -mulSnr leq_mul2r hh orbT.
    have -> : (h' * (d * d) + (a * d + b) < h * (d * d))%N = false.
      by apply/negbTE; rewrite -leqNgt (leq_trans _ (leq_addr _ _)) // (leq_trans _ le) // leq_addr.
    rewrite nth_default // so leq_subRL; first by rewrite (leq_trans le) // leq_addr.
    by rewrite (leq_trans _ (leq_addr _ _)) // (leq_trans _ le) // leq_addr.
  have -> : (h' == h) = false by apply: contraTF hh => /eqP->; rewrite ltnn.
  have le : (h' * (d * d) + d * d <= h * (d * d))%N by rewrite -mulSnr leq_mul2r hh orbT.
  have -> : (h' * (d * d) + (a * d + b) < h * (d * d))%N.
    by apply: leq_trans le; rewrite ltn_add2l.
  by rewrite nth_nseq if_same.
case: eqP look => [->|_] look; apply/matrixP => a b; rewrite !mxE look ?rmorph0 ?mul0r //.
by rewrite big_ord1 !mxE toFM /ent invfM -/qE -/qe mulrACA.
Qed.

Lemma relation_zero y (h : 'I_H) (j : 'I_d) : relation_ok D y ->
  \sum_(t < T) sum_value ev (nth [::] y t) * Zmx E e W t (mxvec_index h j) = 0.
Proof.
move=> /allP/(_ (h : nat)); rewrite mem_iota ltn_ord => /(_ isT) ok.
have sz (t : 'I_T) : size (logits_of h t) = n /\ size (context_at D t) = n.
  by rewrite size_map size_context.
have := left_identityE (ev := ev) evD ev_equal ev0 ev_gt0 (fun=> erefl) n0 sz ok (ltn_ord j).
move/(congr1 (fun x => x / qE)); rewrite mul0r mulr_suml => s0; rewrite -[RHS]s0.
apply: eq_bigr => t _; rewrite -mulrA; congr (_ * _).
rewrite ZmxE /entry !mulr_suml; apply: eq_bigr => i _.
rewrite [softmax _ _ _]mxE [E t i j]mxE ev_logit.
under [X in _ = _ / X / _]eq_bigr do rewrite ev_logit.
by rewrite mulrC -!mulrA; congr (_ * _); rewrite [RHS]mulrCA mulrC.
Qed.

End Weights.

(* --- weights at which no value at an own index is 0 *)
Lemma pair_line (W V : 'I_H -> 'M[R]_d) s X : pair (fun h => W h + s *: V h) X = pair W X + s * pair V X.
Proof.
rewrite /pair mulr_sumr -big_split; apply: eq_bigr => h _; rewrite mulr_sumr -big_split; apply: eq_bigr => i _.
rewrite mulr_sumr -big_split; apply: eq_bigr => j _; rewrite !mxE mulrDl; congr (_ + _).
by rewrite mulrA.
Qed.

Lemma own_value (W V : 'I_H -> 'M[R]_d) (P : seq (seq Z * Z)) :
    all (fun s => size s.1 == (H * (d * d))%N) P -> ~~ (first_coefficient P =? 0)%coqZ ->
    {in [seq tuple_of a.1 | a <- P] &, injective (pair V)} ->
  exists r : seq R, forall s, s \notin r ->
    sum_value (fun x => expR (pair (fun h => W h + s *: V h) (tuple_of x))) P != 0.
Proof.
move=> sP c0 inj; pose w (a : seq Z * Z) := toF R a.2 * expR (pair W (tuple_of a.1)).
pose f := [seq ((w a)%:P, pair V (tuple_of a.1) *: 'X) | a <- P].
have fE s : sum_value (fun x => expR (pair (fun h => W h + s *: V h) (tuple_of x))) P = expsum f s.
  rewrite /sum_value /expsum big_map; apply: eq_bigr => a _.
  by rewrite pair_line expRD mulrA /= hornerC hornerZ hornerX [s * _]mulrC.
have [|r rP] := @expsum_zeros R f; last by exists r => s sr; rewrite fE; apply: contra sr => /eqP/rP.
apply: contrapT => none; pose y X := expR (pair V X); pose g X : R := (X == tuple_of (first_power P))%:R.
have inj_y : {in [seq a.2 | a <- [seq (w a, tuple_of a.1) | a <- P]] &, injective y}.
  by move=> X X'; rewrite -map_comp => sX sX' /expR_inj; apply: inj.
have all0 k : \sum_(a <- [seq (w a, tuple_of a.1) | a <- P]) a.1 * y a.2 ^+ k = 0.
  rewrite big_map; apply: contrapT => /eqP k0; apply: none; exists k%:R; rewrite /expsum big_map.
  apply: contra k0 => /eqP s0; apply/eqP; rewrite -[RHS]s0; apply: eq_bigr => a _.
  by rewrite /= hornerC hornerZ hornerX [_ * k%:R]mulrC expRMm.
have := powers_vanish g inj_y all0; rewrite big_map => /eqP; apply/negP.
have first_size : size (first_power P) = (H * (d * d))%N.
  by move: sP c0; clear; case: P => //= a P /andP[/eqP].
suff -> : \sum_(a <- P) w a * (tuple_of a.1 == tuple_of (first_power P))%:R =
    toF R (first_coefficient P) * expR (pair W (tuple_of (first_power P))).
  by apply: mulf_neq0; [rewrite toF_eq0|rewrite gt_eqF ?expR_gt0].
rewrite /first_coefficient; move: (first_power P) first_size => x0 sx0; elim: (P) sP => [|a Q IH] /= sP.
  by rewrite big_nil rmorph0 mul0r.
case/andP: sP => /eqP sa /IH {}IH; rewrite big_cons IH; case: equal_rowP => [ax|ne].
  by rewrite /w ax eqxx mulr1 toFD mulrDl.
by rewrite (_ : (_ == _) = false) ?mulr0 ?add0r //; apply/eqP => /tuple_of_inj h; apply: ne; apply: h.
Qed.

Theorem zero_functions own Y : zero_functions_ok D own Y -> (capacity R D <= T - size Y)%N.
Proof.
move=> /andP[/allP rel /allP ownP]; apply: largest_leq => k [P /leq_trans]; apply; rewrite ZE.
set W := fun h => _; pose pivot (l : 'I_(size Y)) := nth [::] (nth [::] Y l) (nth 0%N own l).
have pivotP (l : 'I_(size Y)) : own_index D Y own l by apply: ownP; rewrite mem_iota ltn_ord.
have [c [u [v inj]]] := separating_weights (flatten [seq [seq tuple_of a.1 | a <- pivot l] | l <- enum 'I_(size Y)]).
pose V h := c h *: (u^T *m v^T); pose L s h := W h + s *: V h.
have pivot_r (l : 'I_(size Y)) : exists r : seq R, forall s, s \notin r ->
    sum_value (fun x => expR (pair (L s) (tuple_of x))) (pivot l) != 0.
  have /and4P[_ c0 sP _] := pivotP l; apply: own_value => // X X' sX sX'.
  by apply: inj; apply/flattenP; exists [seq tuple_of a.1 | a <- pivot l] => //;
    apply: (map_f (fun l => [seq tuple_of a.1 | a <- pivot l])); rewrite mem_enum.
have /fin_all_exists[r rP] := pivot_r.
have [r0 r0P] : exists r : seq R, forall s, s \notin r -> (\rank (Zmx E e W) <= \rank (Zmx E e (L s)))%N.
  have poly m m' (A : 'M[R]_(m, m')) i j : polynomial (fun _ : R => A i j) by apply: polynomial_const.
  have [|t i j|h i j|q qP] := @rank_curve R T H n d (fun=> E) (fun=> e) L _ _ _ 0.
  - by move=> t i j; apply: poly.
  - exact: poly.
  - exists ((W h i j)%:P + (V h i j) *: 'X) => s; rewrite /L hornerD hornerC hornerZ hornerX mxE [X in _ + X]mxE.
    by rewrite mulrC.
  exists q => s /qP; rewrite (_ : L 0 = W) //.
  by apply/funext => h; rewrite /L scale0r addr0.
have [s [_ sr]] := few_points (r0 ++ flatten [seq r l | l <- enum 'I_(size Y)]) 0 (@ltr01 R).
move: sr; rewrite mem_cat negb_or => /andP[/r0P rW sr]; apply: (leq_trans rW).
set ev := fun x => expR (pair (L s) (tuple_of x)).
pose M := \matrix_(l < size Y, t < T) sum_value ev (nth [::] (nth [::] Y l) t).
have MZ : M *m Zmx E e (L s) = 0.
  apply/matrixP => l col; rewrite mxE [RHS]mxE; case/mxvec_indexP: col => h j.
  rewrite -[RHS](relation_zero (L s) h j (rel _ (mem_nth [::] (ltn_ord l)))).
  by apply: eq_bigr => t _; rewrite mxE.
have own_T (l : 'I_(size Y)) : (nth 0%N own l < T)%N by have /and4P[] := pivotP l.
have : (size Y <= \rank M)%N.
  apply: (minor_leq_rank (f := id) (g := fun l => Ordinal (own_T l))).
  rewrite (_ : mxsub _ _ _ = diag_mx (\row_l sum_value ev (pivot l))) ?det_diag.
    apply/prodf_neq0 => l _; rewrite mxE; apply: rP; apply: contra sr => sl; apply/flattenP.
    by exists (r l) => //; apply: map_f; rewrite mem_enum.
  apply/matrixP => k' l; rewrite !mxE; case: (k' =P l) => [->|ne]; first by rewrite mulr1n.
  have /and4P[_ _ _ /allP/(_ (k' : nat))] := pivotP l; rewrite mem_iota ltn_ord => /(_ isT).
  by case/orP => [/eqP/val_inj//|/nilP ->]; rewrite value_nil mulr0n.
move=> sM; apply: leq_trans (leq_sub2l _ sM).
by rewrite leq_subRL ?rank_leq_col // (mulmx0_rank_max MZ).
Qed.

End Functions.
