(* The theorem that the proved checker is right.                                    *)
(*                                                                                 *)
(*   check_sound, check_after_sound == the verdict is right over every realType       *)
(*   facts_sound == so is every fact that a step proves                               *)
(*   lasting_sound == lasting facts that are proved may be known                      *)
(*   shared_tableP == enclosures of the same problem may be kept                      *)
From Attest Require Import integers attention kruskal upper_bounds common literal_arithmetic bounds residues.
From Attest Require Import problem logits minors quantity_bounds rational_matrices schemas heads part_bounds.
From Attest Require Import zero generic_weights blocks literal_matrices networks paper_schemas separators.
From Attest Require Import saturation accuracy readout tail quantities jacobians jacobian_zeros.
From Attest Require Import jacobian_bounds block_bounds coefficients hadamard other_layers moving_hulls.
From Attest Require Export check.

Local Notation Z := BinNums.Z.

Lemma List_nth_In (A : Type) (x : A) s k : (k < size s)%N -> List.In (nth x s k) s.
Proof. by elim: s k => [|y s IH] [|k] //= ks; [left|right; apply: IH]. Qed.

(* the bounds of the schemas concave-from-.., divided                              *)
Lemma concave_0_Z (a H cH ca : nat) : (0 < a)%N -> (a * cH <= H * ca)%N ->
  (Z.of_nat cH <= Z.of_nat H * Z.of_nat ca / Z.max 1 (Z.of_nat a))%coqZ.
Proof.
move=> /ssrnat.leP a0 /ssrnat.leP; rewrite -!multE => /Nat2Z.inj_le; rewrite !Nat2Z.inj_mul => h.
by rewrite Z.max_r; last lia; apply: Z.div_le_lower_bound; lia.
Qed.

Lemma concave_constants_Z (a H cH ca l d : nat) : (0 < a <= H)%N -> (a * cH + (H - a) * (l - d) <= H * ca)%N ->
  (Z.of_nat cH <= (Z.of_nat H * Z.of_nat ca - (Z.of_nat H - Z.of_nat a) * Z.max 0 (Z.of_nat l - Z.of_nat d)) /
     Z.max 1 (Z.of_nat a))%coqZ.
Proof.
move=> /andP[/ssrnat.leP a0 /ssrnat.leP aH] /ssrnat.leP; rewrite -!multE -!minusE -plusE => /Nat2Z.inj_le.
rewrite Nat2Z.inj_add !Nat2Z.inj_mul Nat2Z.inj_sub // Nat2Z.inj_sub_max => h.
move: (Z.max 0 _) h => m h; rewrite Z.max_r; last lia.
apply: Z.div_le_lower_bound; first lia.
by rewrite Z.mul_sub_distr_r in h *; lia.
Qed.

(* the schema exponent-count                                                       *)
Lemma tangents_Z (H r v q m o c x : nat) : (x <= H * minn r (minn m v * q + minn m q * (v - m)) + o * c)%N ->
  (Z.of_nat x <= Z.of_nat H * Z.min (Z.of_nat r) (Z.min (Z.of_nat m) (Z.of_nat v) * Z.of_nat q
     + Z.min (Z.of_nat m) (Z.of_nat q) * Z.max (Z.of_nat v - Z.of_nat m) 0) + Z.of_nat o * Z.of_nat c)%coqZ.
Proof.
have minZ a b : Z.of_nat (minn a b) = Z.min (Z.of_nat a) (Z.of_nat b).
  by case: (leqP a b) => [/ssrnat.leP|/ssrnat.ltP]; lia.
have subZ a b : Z.of_nat (a - b) = Z.max (Z.of_nat a - Z.of_nat b) 0 by rewrite -minusE Nat2Z.inj_sub_max Z.max_comm.
move=> /ssrnat.leP; rewrite -plusE -multE => /Nat2Z.inj_le.
by rewrite Nat2Z.inj_add !Nat2Z.inj_mul minZ Nat2Z.inj_add !Nat2Z.inj_mul !minZ subZ.
Qed.

Lemma directions_Z (x H v o c r : nat) : (x <= (o - minn o (H * v)) * c + r * minn o (H * v))%N ->
  (Z.of_nat x <= (Z.of_nat o - Z.min (Z.of_nat o) (Z.of_nat H * Z.of_nat v)) * Z.of_nat c
     + Z.of_nat r * Z.min (Z.of_nat o) (Z.of_nat H * Z.of_nat v))%coqZ.
Proof.
have minZ a b : Z.of_nat (minn a b) = Z.min (Z.of_nat a) (Z.of_nat b).
  by case: (leqP a b) => [/ssrnat.leP|/ssrnat.ltP]; lia.
move=> /ssrnat.leP; rewrite -plusE -!multE -minusE => /Nat2Z.inj_le.
rewrite Nat2Z.inj_add !Nat2Z.inj_mul Nat2Z.inj_sub; last by apply/ssrnat.leP/geq_minl.
by rewrite !minZ Nat2Z.inj_mul.
Qed.

Lemma biased_Z (x H v q o z : nat) : (x <= H * (v * (q + 1)) + o * z)%N ->
  (Z.of_nat x <= Z.of_nat H * Z.of_nat v * (Z.of_nat q + 1) + Z.of_nat o * Z.of_nat z)%coqZ.
Proof.
move=> /ssrnat.leP; rewrite -plusE -multE => /Nat2Z.inj_le.
by rewrite !Nat2Z.inj_add !Nat2Z.inj_mul !Nat2Z.inj_add Z.mul_assoc.
Qed.

Section FactsSound.
Variables (v : quantity -> Z) (naturally : quantity -> interval).
Hypothesis naturallyP : forall q, within (v q) (naturally q).

Definition fact_true (f : fact) : Prop := if below f then (bound f <= v (about f))%coqZ else (v (about f) <= bound f)%coqZ.
Definition step_true (f : option fact) : Prop := if f is Some f then fact_true f else True.

Lemma bounds_fromP facts q : (forall f, List.In f facts -> fact_true f) -> within (v q) (bounds_from naturally facts q).
Proof.
elim: facts => [_|f facts IH H] /=; first exact: naturallyP.
have {}IH : within (v q) (bounds_from naturally facts q) by apply: IH => g gf; apply: H; right.
case: quantity_dec => // fq; apply: within_either IH _.
have := H f (or_introl erefl); rewrite /fact_true /fact_interval fq.
by case: (below f) => ?; split.
Qed.

Lemma proved_true (ok : bool) q lower k :
  (ok -> if lower then (Z.of_nat k <= v q)%coqZ else (v q <= Z.of_nat k)%coqZ) ->
  step_true (proves ok q lower k).
Proof. by rewrite /proves; case: ok => // H; have := H isT; rewrite /= /fact_true. Qed.

Lemma apply_from_true conditions q lower e facts : (forall f, List.In f facts -> fact_true f) ->
    ((forall p, List.In p conditions -> meaning v p) ->
      if lower then (value v e <= v q)%coqZ else (v q <= value v e)%coqZ) ->
  step_true (apply_from naturally conditions (q, lower, e) facts).
Proof.
move=> Hf sound; have bv q' := bounds_fromP (facts := facts) q' Hf; rewrite /apply_from.
case: ifP => // conds; have {sound} := sound (_ : forall p, List.In p conditions -> meaning v p).
have hold p : List.In p conditions -> meaning v p.
  elim: conditions conds => //= p' ps IH; have := decideP bv p'.
  by case: (decide _ p') => [[]|] //= p'P /IH H [<-|/H].
move=> /(_ hold) sound; have := rangeP bv e; case: (range _ _) => [lo up] [/= L U].
by case: lower sound; [case: lo L|case: up U] => //= z ze; rewrite /fact_true /=; lia.
Qed.

Lemma used_true facts uses : (forall f, List.In f (pmap id facts) -> fact_true f) ->
  forall f, List.In f (pmap (fun k => nth None facts k) uses) -> fact_true f.
Proof.
move=> Hfacts f ff; apply: Hfacts; elim: uses ff => //= k us IH.
case fk: (nth None facts k) => [f'|] //= [<-|/IH //].
have kf : (k < size facts)%N by rewrite ltnNge; apply/negP => fk'; move: fk; rewrite nth_default.
have : List.In (nth None facts k) facts by apply: List_nth_In.
rewrite fk; elim: (facts) => //= g gs IHg [->|/IHg]; first by left.
by case: g => [g|] //= H; right.
Qed.

Lemma judge_from_true s c facts : (forall f, List.In f facts -> fact_true f) ->
  verdict_true v s c (judge_from naturally s c facts).
Proof.
move=> Hf; have bv q := bounds_fromP (facts := facts) q Hf; rewrite /judge_from /verdict_true.
have dP p := decideP bv p.
have failed ps : has (fun x => if x is Some false then true else false)
    [seq decide (bounds_from naturally facts) p | p <- ps] -> exists2 p, List.In p ps & ~ meaning v p.
  elim: ps => //= p ps IH; have := dP p; case: (decide _ p) => [[]|] /= pP; last 1 first.
  - by case/IH => p' ps' np; exists p' => //; right.
  - by case/IH => p' ps' np; exists p' => //; right.
  by move=> _; exists p => //; left.
have holds ps : all (fun x => if x is Some true then true else false)
    [seq decide (bounds_from naturally facts) p | p <- ps] -> forall p, List.In p ps -> meaning v p.
  elim: ps => //= p ps IH; have := dP p; case: (decide _ p) => [[]|] //= pP /IH Hps p' [<- //|].
  exact: Hps.
case: ifP => [/failed //|_]; have := dP (conclusion s (asks c)).
case: (decide _ (conclusion _ _)) => [[]|] //= cP; first by split=> // /holds.
by case: ifP => // /holds.
Qed.

End FactsSound.

Section Sound.
Variables (R : realType) (D : problem) (c : claim) (layers : layer_name -> option (layer * bool)).
Variable kept : option kept_enclosures.
Hypothesis okD : wf_sizes D.
Hypothesis keptP : kept_right D kept.
Let okP := wf_sizes_problem okD.
Hypothesis layersP : layers None = given_layer D None.
Local Notation v := (checker_number R D layers c).

Definition true_fact (f : fact) : Prop := if below f then (bound f <= v (about f))%coqZ
  else (v (about f) <= bound f)%coqZ.
Definition true_step (f : option fact) : Prop := if f is Some f then true_fact f else True.

Lemma boundsP facts q : (forall f, List.In f facts -> true_fact f) -> within (v q) (bounds D c layers facts q).
Proof. apply: bounds_fromP => q'; exact: naturalP. Qed.

Lemma proves_true (ok : bool) q lower k :
  (ok -> if lower then (Z.of_nat k <= v q)%coqZ else (v q <= Z.of_nat k)%coqZ) -> true_step (proves ok q lower k).
Proof. exact: proved_true. Qed.

Lemma leq_Z j k : (j <= k)%N -> (Z.of_nat j <= Z.of_nat k)%coqZ.
Proof. by move=> /ssrnat.leP jk; lia. Qed.

Lemma leq_of_Z j k : (Z.of_nat j <= Z.of_nat k)%coqZ -> (j <= k)%N.
Proof. by move=> jk; apply/ssrnat.leP; lia. Qed.

Lemma leq_product r N k : (r <= N * k)%N -> (Z.of_nat r <= Z.of_nat N * Z.of_nat k)%coqZ.
Proof. by rewrite -multE -Nat2Z.inj_mul => /leq_Z. Qed.

Lemma leq_product1 r N k : (r <= N * k + 1)%N -> (Z.of_nat r <= Z.of_nat N * Z.of_nat k + 1)%coqZ.
Proof. by rewrite -plusE -multE => /leq_Z; lia. Qed.

Lemma leq_affine r N k : (0 < k)%N -> (r <= N * k.-1 + 1)%N ->
  (Z.of_nat r <= Z.of_nat N * (Z.of_nat k - 1) + 1)%coqZ.
Proof. by case: k => // k _; rewrite -plusE -multE => /leq_Z; lia. Qed.

Lemma apply_schema_true conditions q lower e facts : (forall f, List.In f facts -> true_fact f) ->
    ((forall p, List.In p conditions -> meaning v p) ->
      if lower then (value v e <= v q)%coqZ else (v q <= value v e)%coqZ) ->
  true_step (apply_schema D c layers conditions (q, lower, e) facts).
Proof. apply: apply_from_true => q'; exact: naturalP. Qed.

Lemma used_facts facts uses : (forall f, List.In f (pmap id facts) -> true_fact f) ->
  forall f, List.In f (pmap (fun k => nth None facts k) uses) -> true_fact f.
Proof. exact: used_true. Qed.

Lemma theorem_true x l : readable D c layers x l -> (forall p, List.In p (conditions x l) -> meaning v p) ->
  let: (q, lower, e) := bounded x l in
  if lower then (value v e <= v q)%coqZ else (v q <= value v e)%coqZ.
Proof.
have inshape : meaning v (Equal (Qty (InShape l)) (Const 1%coqZ)) ->
    exists L a, layers l = Some (L, a) /\ in_shape D L.
  rewrite /= /own_number /=; case: (layers l) => [[L a]|] //=.
  by case: (boolP (in_shape D L)) => // sL _; exists L, a.
have aff0 := affine_rank_gt0 R okD.
case: x => [| | | | | | | | | | | | | | | | | | |p|p|p| |p|u|u|u| | | |u| | |u|s|s| | | | |] /= read cond; rewrite ?/own_number /=.
- by apply: leq_affine aff0 _; apply: affine_hull.
- by apply: leq_product; apply: linear_hull.
- have /leq_Z := context_hulls R okD read; rewrite -plusE -multE -minusE Nat2Z.inj_add Nat2Z.inj_mul.
  by rewrite Nat2Z.inj_sub //; apply/ssrnat.leP.
- case: (layers l) => [[L a]|]; last exact: Zle_0_nat.
  by apply: leq_Z; apply: any_coefficients.
- case: (layers l) => [[L a]|]; last exact: Zle_0_nat.
  by apply: leq_Z; apply: any_coefficients.
- by apply: leq_Z; apply: any_weights.
- by apply: leq_Z; apply: any_weights.
- have [L [a [-> sL]]] := inshape (cond _ (or_introl erefl)).
  by apply: leq_Z; apply: some_weights.
- by apply: leq_Z; apply: capacity_equal_examples.
- case: (layers l) read => [[L a]|] /= read; last exact: Zle_0_nat.
  by apply: leq_Z; apply: rank_equal_rows.
- case: (layers None) read => [[L a]|] /= read; last exact: Zle_0_nat.
  by apply: leq_Z; apply: outputs_of_examples.
- case: (layers None) read => [[L a]|] /= read; last exact: Zle_0_nat.
  by apply: leq_Z; apply: rank_equal_labelled_rows.
- by case: (layers None) => [[L a]|] //; apply: leq_Z; apply: rank_labels_beside.
- case: (layers l) read => [[L a]|] /= read; last lia.
  have := rank_equal_heads R a okD read; rewrite /= leq_min => /andP[h1 h2].
  by apply: Z.min_glb; [apply: leq_affine aff0 _|apply: leq_product].
- have one : size (distinct equal_rows (contexts D)) = 1%N.
    by apply: (Nat2Z.inj _ 1); apply: (cond _ (or_introl erefl)).
  case: (layers l) read => [[L a]|] /= read; last lia.
  have := rank_constant_heads R a okD read one; rewrite /= leq_min => /andP[h1 h2].
  by apply: Z.min_glb; [apply: leq_affine aff0 _|apply: leq_product1].
- have /leq_of_Z full := cond _ (or_introl erefl); have /leq_of_Z ov := cond _ (or_intror (or_introl erefl)).
  by rewrite asboolT //; apply: capacity_memorizes.
- have /leq_of_Z full := cond _ (or_introl erefl); have ov := cond _ (or_intror (or_introl erefl)).
  by rewrite asboolT //; apply: capacity_memorizes_skip => //; apply: leq_of_Z; move: ov => /=; lia.
- move: read; case LE: (given D) => [L|] // _; have := cond _ (or_intror (or_introl erefl)).
  have /leq_of_Z ov := cond _ (or_intror (or_intror (or_introl erefl))).
  by rewrite /= layersP /= LE => /leq_of_Z le; rewrite asboolT //; apply: labels_fitted LE ov le.
- move: read; case LE: (given D) => [L|] // _; have := cond _ (or_intror (or_introl erefl)).
  rewrite /= layersP /= LE => le; rewrite asboolF //; apply: labels_missed LE _.
  by apply: leq_of_Z; rewrite Nat2Z.inj_succ; lia.
- have /leq_of_Z Hp := cond _ (or_introl erefl).
  by have := part_and_others R okD read Hp; rewrite -plusE => /leq_Z; rewrite Nat2Z.inj_add.
- case/andP: read => p0 gp; have sp := Nat2Z.inj _ _ (cond _ (or_introl erefl)).
  have /leq_of_Z le := cond _ (or_intror (or_introl erefl)).
  have bound := concave_0_Z p0 (concave_from_0 R gp sp le); exact bound.
- case/andP: read => p0 gp; have sp := Nat2Z.inj _ _ (cond _ (or_introl erefl)).
  have /leq_of_Z le := cond _ (or_intror (or_introl erefl)).
  have pH : (0 < part_heads p <= H D)%N by rewrite p0.
  have bound := concave_constants_Z pH (concave_from_constants R okD gp sp pH); exact bound.
- by apply: leq_Z; apply: any_heads.
- by apply: leq_Z; apply: many_heads.
- have [L [a [-> sL]]] := inshape (cond _ (or_introl erefl)).
  by apply: leq_Z; apply: rank_J_shape.
- have [L [a [-> sL]]] := inshape (cond _ (or_introl erefl)).
  by apply: leq_Z; apply: rank_J_shape.
- case: (layers l) => [[L a]|]; last by lia.
  by apply: leq_product; apply: rank_J_examples.
- exact: tangents_Z (exponent_count R okD).
- exact: leq_product (exponent_products R okD).
- by apply: leq_Z; apply: different_examples.
- case: (layers l) => [[L a]|] /=; last by lia.
  exact: biased_Z (biased_tangents R okD L a u).
- exact: leq_product (related_outputs R okD).
- exact: directions_Z (moving_directions R okD).
- have [L [a [-> sL]]] := inshape (cond _ (or_introl erefl)).
  exact: tangents_Z (tangents_in_shape R okD a u sL).
- move: read => /andP[/andP[/equal_rowsP -> sT] sn]; have ok := words_and_positions R okD (introT andP (conj sT sn)).
  by have [s0 le] := ok; apply: leq_affine.
- move: read => /andP[/andP[/equal_rowsP sE sT] sn]; rewrite sE in sT sn cond *.
  have sums : sums_of_words D (sequences (args c)).
    by have /= := cond _ (or_introl erefl); rewrite /own_number /=; case: ifP.
  exact: (leq_Z (some_embeddings R okD sums)).
- have := cond _ (or_introl erefl); rewrite /= /own_number /=; case: (layers None) => [[L a]|] //=.
  by case: (boolP (in_shape D L)) => // sL _; apply: leq_Z; apply: almost_all_outputs.
- by apply: leq_Z; apply: independent_outputs.
- by apply: leq_Z; apply: equal_inputs.
- case: (layers l) read => [[L a]|] /= read; last lia.
  by have := rank_equal_heads R a okD read; rewrite /= leq_min => /andP[_ h]; apply: leq_product.
have one : size (distinct equal_rows (contexts D)) = 1%N.
  by apply: (Nat2Z.inj _ 1); apply: (cond _ (or_introl erefl)).
case: (layers l) read => [[L a]|] /= read; last lia.
by have := rank_constant_heads R a okD read one; rewrite /= leq_min => /andP[_ h]; apply: leq_product1.
Qed.

Lemma table_atE bits : table_at D kept bits = attention_table D bits.
Proof. by rewrite /table_at; case: kept keptP => [[b [A us]]|] //= [-> _]; case: eqP => // ->. Qed.

Lemma scores_atE bits : scores_at D kept bits = scores_from D (attention_table D bits) bits.
Proof.
rewrite /scores_at table_atE; case: kept keptP => [[b [A [us|]]]|] //= [-> ->]; by case: eqP => // ->.
Qed.

Lemma spansP facts : (forall f, List.In f facts -> true_fact f) ->
  forall part, part \in spans D facts -> spanned R D part.1 part.2.
Proof.
move=> factsP part; rewrite inE => /predU1P[->|].
  by apply: spanned_all => //; apply/leq_Z/largest_leq_N.
elim: facts factsP => //= f facts IH factsP; have := factsP f (or_introl erefl).
have {}IH := IH (fun g gf => factsP g (or_intror gf)).
rewrite /true_fact; case: (below f) => //; case: (about f) => //= [cap|p cap].
  by rewrite inE => /predU1P[->|//]; apply: spanned_all.
case: ifP => // /andP[HH gp]; rewrite inE => /predU1P[->|//]; exact: spanned_part.
Qed.

Lemma given_blocksP b L a B : given_blocks D c layers b = Some (L, a, B) ->
  [/\ wf_layer D L, well_sized D B & v (RankBlocks b) = Z.of_nat (\rank (blocks_mx R D L a B))].
Proof.
rewrite /given_blocks /=; case: (layers None) => [[L' a']|] //; case: ifP => // okL.
case BE: (blocks_of _ _ _ _ _) => [B'|] //= [<- <- <-]; have [ws rE] := blocks_rankE R okP okL BE.
by rewrite rE.
Qed.

Lemma run_plain_step_true facts s : (forall f, List.In f (pmap id facts) -> true_fact f) ->
  true_step (run_plain_step D c layers kept facts s).
Proof.
move=> Hfacts; have [_ T0 _ _ _] := and5P okD.
case: s => [l p g o rows cols|m p rows cols|f p|m side p V|m N a b rows t columns primes|f t side p V|mixed k p|mixed y|l p g o V|l p g o V|p V|V|p V|p rows cols tokens|own V
  |p g o rows cols|p g o V|p g o rows cols|p pairs|x l uses|x uses|w|above k bits|above bits X|above k bits|l bits cols w|w|s p g o rows cols|l u p g o rows cols|l u p V|l p g o cols set conflicts uses
  |b p g o rows cols|b p g o V|b p g o V|x uses|l bits rows cols q V|p built steps above|] //=.
- case LE: (layers l) => [[L a]|] //; apply: proves_true => ok /=; rewrite LE; apply: leq_Z.
  have /and5P[_ okL _ _ _] := ok; exact: (minor_Z_rank R okP okL ok).
- have := @rank_of_literal R D c okD m; case: (literal_rows D (args c) m) => -[h w] M lit.
  apply: proves_true => /andP[/lit[q [_ rE]] ok] /=; rewrite rE; apply: leq_Z; exact: minor_rows_rank ok.
- have [k [C [q [vE sM CE]]]] := @members_literal R D layers c okD f.
  apply: proves_true => /andP[nd /once_if_equalP ok]; rewrite vE; apply: leq_Z; apply: leq_least_rank => [|i].
    by rewrite leq_min leqnn.
  rewrite CE -[X in (X <= _)%N](size_iota 0 (n D)).
  apply: (@minor_rows_rank _ p _ _ _ _ _ (iota 0 (d D))).
  by apply: (allP ok); rewrite mem_nth ?sM.
- have := @rank_of_literal R D c okD m; case: (literal_rows D (args c) m) => -[h w] M lit.
  by case: side; apply: proves_true => /andP[/lit[q [sM rE]] ok] /=; rewrite rE; apply: leq_Z;
    [apply: right_zero_rank sM ok|apply: left_zero_rank ok].
- have := @rank_of_literal R D c okD m; case: (literal_rows D (args c) m) => -[h w] M lit.
  by apply: proves_true => /andP[/lit[q [sM rE]] ok] /=; rewrite rE; apply: leq_Z; apply: hadamard_rank sM ok.
- have [k [C [q [vE sM CE]]]] := @members_literal R D layers c okD f; rewrite sM.
  case: ifP => // tk; case: side; apply: proves_true; rewrite vE => ok; apply: leq_Z;
    apply: leq_trans (least_rank_leq _ (Ordinal tk)) _; rewrite CE.
    by case/andP: ok => /eqP sC' ok; apply: right_zero_rank ok.
  exact: left_zero_rank ok.
- have [x [k' [k0 vE sV _ xV]]] := @vectors_literal R D layers c okD mixed.
  apply: proves_true => ok; rewrite vE; apply: leq_Z.
  by apply: (kruskal_ok_rank (c := fun=> k') _ _ ok).
- have [x [k' [k0 vE sV sv xV]]] := @vectors_literal R D layers c okD mixed.
  apply: proves_true => /and3P[/eqP sy y0 zero]; rewrite vE; apply: leq_Z.
  pose I := [set t : 'I_(T D) | toF R (nth 0%coqZ y t) != 0].
  have yE : y = [seq nth 0%coqZ y (t : 'I_(T D)) | t <- enum 'I_(T D)].
    rewrite (map_comp (nth 0%coqZ y) val) val_enum_ord.
    by apply: (@eq_from_nth _ 0%coqZ) => [|i]; rewrite ?size_map ?size_iota ?sy // => iT;
      rewrite (nth_map 0%N) ?size_iota // nth_iota.
  have cI : #|I| = non_zero y.
    rewrite /non_zero yE count_map cardE -size_filter /I; congr (size _).
    by rewrite enumT; apply: eq_filter => t; rewrite /= inE toF_eq0.
  rewrite -cI; apply: (kruskal_leq_relation (y := fun t => toF R (nth 0%coqZ y t))) => [t||].
  + by rewrite inE.
  + apply/colP => j; rewrite summxE !mxE; apply: (mulfI k0).
    rewrite mulr0 mulr_sumr -[RHS](zero_combination R (D := D) j sv sy zero); apply: eq_bigr => t _.
    by rewrite mxE mulrCA xV.
  by rewrite -cards_eq0 cI -lt0n.
- case LE: (layers l) => [[L a]|] //; apply: proves_true => ok /=; rewrite LE; apply: leq_Z.
  by have /and4P[_ okL _ _] := ok; apply: left_zero_Z_rank ok.
- case LE: (layers l) => [[L a]|] //; apply: proves_true => ok /=; rewrite LE; apply: leq_Z.
  by have /and5P[_ okL _ _ _] := ok; apply: right_zero_Z_rank ok.
- by apply: proves_true => ok /=; apply: leq_Z; apply: zero_capacity ok.
- exact: leq_Z (@moving_hulls R D V okP).
- by apply: proves_true => ok /=; apply: leq_Z; apply: zero_largest_rank ok.
- by apply: proves_true => ok /=; apply: leq_Z; apply: coefficients_sound ok.
- by apply: proves_true => ok /=; apply: leq_Z; apply: zero_functions ok.
- case LE: (layers None) => [[L a]|] //; apply: proves_true => ok /=; rewrite LE; apply: leq_Z.
  exact: minor_labels_rank ok.
- case LE: (layers None) => [[L a]|] //; apply: proves_true => /andP[ok okY] /=; rewrite LE; apply: leq_Z.
  by have /and4P[_ okL _ _] := ok; apply: left_zero_labels_rank ok okY.
- case LE: (layers None) => [[L a]|] //; apply: proves_true => ok /=; rewrite LE; apply: leq_Z.
  exact: different_rows_count ok.
- case LE: (layers None) => [[L a]|] //; apply: proves_true => ok /=; rewrite LE; apply: leq_Z.
  exact: equal_rows_count ok.
- case: ifP => // read; case BE: (bounded x l) => [[q lower] e]; apply: apply_schema_true.
    exact: used_facts.
  by have := @theorem_true x l read; rewrite BE.
- case: ifP => // ok; case BE: (paper_bounded x) => [[q lower] e].
  apply: apply_schema_true; first exact: used_facts.
  by have := @paper_theorem_true R D layers c okD x ok; rewrite BE.
- have := @witness_sound R D (args c) w okD; case: (shown w) => x b sound.
  by apply: proves_true => /sound {sound}; case: b => [/asboolT|/asboolF] /= ->.
- rewrite table_atE; apply: proves_true; case: above => ok /=; apply: leq_Z; have /andP[okS _] := ok.
    exact: (count_pairs_above R okP okS ok).
  exact: (count_pairs_below R okP okS ok).
- rewrite table_atE; apply: proves_true; case: above => ok /=; apply: leq_Z; [exact: (spectrum_above R okP ok)|exact: (spectrum_below R okP ok)].
- rewrite scores_atE; apply: proves_true; case: above => ok /=; apply: leq_Z;
    [exact: (count_examples_above R okP ok)|exact: (count_examples_below R okP ok)].
- case: (layers l) => [[L []]|] //; apply: proves_true => ok /=.
  by rewrite (asboolT (readout_sound R okD ok)).
- by apply: proves_true => ok /=; apply: leq_Z; apply: tail_rank_geq ok.
- case LE: (at_lambda _) => [[a q]|] //; apply: proves_true => ok /=; rewrite LE; apply: leq_Z.
  exact: lambda_rank_geq ok.
- case LE: (layers l) => [[L a]|] //; apply: proves_true => ok /=; rewrite LE; apply: leq_Z.
  exact: minor_J_rank ok.
- case LE: (layers l) => [[L a]|] //; apply: proves_true => ok /=; rewrite LE; apply: leq_Z.
  exact: zero_J_rank ok.
- case: (layers l) => [[L a]|] //; apply: proves_true => ok /=; rewrite asboolT //.
  by apply: circuits_sound ok => // part; apply/spansP/used_facts.
- case BE: (given_blocks _ _ _ _) => [[[L a] B]|] //; have [okL ws rE] := given_blocksP BE.
  by apply: proves_true => ok; rewrite rE; apply: leq_Z; apply: (@minor_blocks_rank R D L a B ws _ _ _ _ _ ok).
- case BE: (given_blocks _ _ _ _) => [[[L a] B]|] //; have [okL ws rE] := given_blocksP BE.
  by apply: proves_true => ok; rewrite rE; apply: leq_Z; apply: (@left_blocks_rank R D L a B ws _ _ _ _ ok).
- case BE: (given_blocks _ _ _ _) => [[[L a] B]|] //; have [okL ws rE] := given_blocksP BE.
  by apply: proves_true => ok; rewrite rE; apply: leq_Z; apply: (@right_blocks_rank R D L a B ws _ _ _ _ ok).
- case: ifP => // read; case BE: (block_bounded x) => [[q lower] e].
  apply: apply_schema_true; first exact: used_facts.
  by have := @block_theorem_true R D layers c okD layersP x read; rewrite BE.
case LE: (layers l) => [[L a]|] //; apply: proves_true => ok /=; rewrite LE; apply: leq_Z.
exact: enclosed_minor_rank ok.
Qed.

Lemma judge_true s facts : (forall f, List.In f facts -> true_fact f) ->
  verdict_true v s c (judge D c layers s facts).
Proof. apply: judge_from_true => q'; exact: naturalP. Qed.

End Sound.

(* --- steps that have steps *)
Definition is_part (s : step) : bool := if s is PartOf _ _ _ _ then true else false.

Fixpoint step_parts_ind (P : step -> Prop) (plain : forall s, ~~ is_part s -> P s)
    (part : forall p built steps above, (forall s, List.In s steps -> P s) -> P (PartOf p built steps above))
    (s : step) {struct s} : P s :=
  match s with
  | PartOf p built steps above => part p built steps above
    ((fix all (steps : seq step) : forall s, List.In s steps -> P s :=
      match steps with
      | [::] => fun s no => match no with end
      | x :: steps' => fun s xs =>
        match xs with
        | or_introl e => eq_ind x P (step_parts_ind plain part x) s e
        | or_intror s'P => all steps' s s'P
        end
      end) steps)
  | s => plain s isT
  end.

Lemma run_true_of (R : realType) D c layers kept steps :
    (forall s, List.In s steps -> forall facts, (forall f, List.In f (pmap id facts) -> true_fact R D c layers f) ->
      true_step R D c layers (run_step D c layers kept facts s)) ->
  forall facts, (forall f, List.In f (pmap id facts) -> true_fact R D c layers f) ->
  forall f, List.In f (pmap id (run D c layers kept facts steps)) -> true_fact R D c layers f.
Proof.
elim: steps => //= s steps IH stepsP facts H; apply: IH => [s' s's|f]; first by apply: stepsP; right.
rewrite -cats1 pmap_cat => ff; have [/H//|] : List.In f (pmap id facts) \/
    List.In f (pmap id [:: run_step D c layers kept facts s]).
  move: ff; elim: (pmap id facts) => /= [|g gs IHg]; first by right.
  by case=> [->|/IHg[]]; [left; left|left; right|right].
have := stepsP s (or_introl erefl) facts H; case: (run_step _ _ _ _ _ _) => //= g gt [<- //|[]].
Qed.

Lemma run_step_true (R : realType) s : forall D c layers kept, wf_sizes D ->
    kept_right D kept -> layers None = given_layer D None ->
  forall facts, (forall f, List.In f (pmap id facts) -> true_fact R D c layers f) ->
  true_step R D c layers (run_step D c layers kept facts s).
Proof.
elim/step_parts_ind: s => [s plain|p built steps above IH] D c layers kept okD keptP layersP facts H.
  have -> : run_step D c layers kept facts s = run_plain_step D c layers kept facts s by case: s plain.
  exact: run_plain_step_true.
rewrite /=; case: ifP => // /andP[_ okP].
rewrite -/(run (part_of D p) c (all_layers (part_of D p) built) None [::] steps) /part_fact.
have found := run_true_of (fun s sP => IH s sP (part_of D p) c (all_layers (part_of D p) built) None okP I erefl).
have := boundsP Capacity (found [::] (fun f no => match no with end)).
case: (bounds _ _ _ _ _) => [lo up] [/= L U].
by case: above; [case: lo L|case: up U].
Qed.

Lemma run_true (R : realType) D c layers kept facts steps : wf_sizes D ->
    kept_right D kept -> layers None = given_layer D None ->
    (forall f, List.In f (pmap id facts) -> true_fact R D c layers f) ->
  forall f, List.In f (pmap id (run D c layers kept facts steps)) -> true_fact R D c layers f.
Proof. by move=> okD keptP layersP; apply: run_true_of => s _; apply: run_step_true. Qed.

Theorem shared_tableP D kept steps : kept_right D kept -> kept_right D (shared_table D kept steps).
Proof.
rewrite /shared_table; case: (pmap _ _) => // b _ keptP; rewrite /kept_right.
have -> : table_at D kept b = attention_table D b.
  by rewrite /table_at; case: kept keptP => [[b' [A us]]|] //= [-> _]; case: eqP => // ->.
split=> //; case: kept keptP => [[b' [A [us|]]]|] /=; try by case: ifP; rewrite /scores_at /table_at ?eqxx.
- by case=> -> uE; case: (b' =P b) => [<-|_]; case: ifP; rewrite /scores_at /table_at ?eqxx.
by move=> _; case: (b' == b); case: ifP; rewrite /scores_at /table_at ?eqxx.
Qed.

(* a fact that is true in all claims about D                                       *)
Definition lasting_true (R : realType) (D : problem) (f : fact) : Prop :=
  lasting f /\ forall c built, true_fact R D c (all_layers D built) f.

Lemma known_true (R : realType) D c built known : (forall f, List.In f known -> lasting_true R D f) ->
  forall f, List.In f (pmap id [seq Some f | f <- known]) -> true_fact R D c (all_layers D built) f.
Proof.
move=> H f; elim: known H => //= g known IH H [<-|fk]; first by case: (H g (or_introl erefl)) => _; apply.
by apply: IH fk => h hk; apply: H; right.
Qed.

Theorem check_after_sound (R : realType) known kept D s c built steps :
    (forall f, List.In f known -> lasting_true R D f) -> kept_right D kept ->
  verdict_true (numbers R D c) s c (of_claim (check_after known kept D s c built steps)).
Proof.
move=> knownP keptP; rewrite /check_after; case: ifP => //= /andP[okD _].
have Hf := @run_true R D c (all_layers D built) _ [seq Some f | f <- known] steps okD (shared_tableP steps keptP) erefl
  (known_true c built knownP).
have := judge_true s Hf.
suff E p : List.In p (conclusion s (asks c) :: hypotheses s) ->
    meaning (checker_number R D (all_layers D built) c) p = meaning (numbers R D c) p.
  rewrite /verdict_true; case: (judge _ _ _ _ _) => [b| | |] //.
  - by case=> cP hP; split; [rewrite -E; [|left]|move=> /hP {}hP p ps; rewrite -E; [apply: hP|right]].
  - by case=> cP hP; split; [rewrite -E; [|left]|move=> p ps; rewrite -E; [apply: hP|right]].
  by case=> p ps np; exists p => //; rewrite -E //; right.
by case: s => [||||||||||||||||||||[]|||||||[]|||||||[]|||s C|b||b'||] /=; case: (asks c) => /=; intuition subst.
Qed.

Theorem check_sound (R : realType) D s c built steps :
  verdict_true (numbers R D c) s c (of_claim (check D s c built steps)).
Proof. by apply: check_after_sound. Qed.

(* every fact that a step is said to prove is true                                *)
Theorem facts_after_sound (R : realType) known kept D s c built steps f :
    (forall g, List.In g known -> lasting_true R D g) -> kept_right D kept ->
  List.In (Some f) (of_steps (check_after known kept D s c built steps)) -> true_fact R D c (all_layers D built) f.
Proof.
move=> knownP keptP; rewrite /check_after; case: ifP => //= /andP[okD _] ff.
apply: (@run_true R D c (all_layers D built) _ _ steps okD (shared_tableP steps keptP) erefl (known_true c built knownP)) => {okD}.
elim: (run _ _ _ _ _ _) ff => //= g gs IH [->|/IH H]; first by left.
by case: g => //= g; right.
Qed.

Theorem facts_sound (R : realType) D s c built steps f :
  List.In (Some f) (of_steps (check D s c built steps)) -> true_fact R D c (all_layers D built) f.
Proof. by apply: facts_after_sound. Qed.

(* and may be known in other claims, if it lasts                                   *)
Theorem lasting_sound (R : realType) known kept D s c built steps f :
    (forall g, List.In g known -> lasting_true R D g) -> kept_right D kept -> lasting f ->
  List.In (Some f) (of_steps (check_after known kept D s c built steps)) -> lasting_true R D f.
Proof.
move=> knownP keptP fl /facts_after_sound-/(_ R knownP keptP) ft; split=> // c' built'.
have fE : about f = RankZ None by move: fl; rewrite /lasting; case: (about f) => // -[].
by move: ft; rewrite /true_fact fE.
Qed.
