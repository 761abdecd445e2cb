(* The proved checker, coefficients of any kind: check_of_kind, and the theorem that it is right.     *)
(* With a sink, or sigmoid coefficients, only what is listed here is accepted: rules and theorems     *)
(* that are proved for such coefficients, which need not sum to 1, and what is about the data alone.  *)
(*                                                                                                    *)
(*  covered_kind s == statements about layers with such coefficients                                   *)
(*  cone_sound x, cone_block_sound x == theorems that hold for them                                    *)
(*  check_of_kind known kept D k s c built sinks steps == verdict and facts; sinks: of the layers of steps   *)
(*  check_of_kind_sound, kinds_sound == the verdict is right over every realType                       *)
From Attest Require Import integers attention upper_bounds literal_arithmetic bounds residues problem logits.
From Attest Require Import quantity_bounds rational_matrices schemas heads zero blocks block_bounds cones moving_hulls.
From Attest Require Import soundness.
From Attest Require Export other_layers.

Local Notation Z := BinNums.Z.

Definition covered_kind (s : statement) : bool :=
  match s with
  | Rank | Injective | CapacityQuestion | AnyCoefficientsQuestion | KruskalQuestion | GeneralPosition
  | Assumption1_ | Assumption2_ | Assumption3_
  | RankOfBlocks (WithOnes false) | RankOfBlocks (OneHead _) | RankOfBlocks (Outputs false false)
  | Memorizes | MemorizesBiased | OutputMemorizes _ => true
  | _ => false
  end.

(* quantities that do not depend on the coefficients                              *)
Definition of_data (q : quantity) : bool :=
  match q with
  | Examples | Heads | Context | Dimension | HeadDimension | ValueDimension | OutputDimension | LeastRank | Asked
  | RankOf _ | RankContexts | RankMixedContexts | RankSubsetContexts | RankEncoding | Kruskal _
  | DistinctContexts | DistinctTokens | DistinctExamples | DistinctLabelled | DistinctSums | InShape _ | OnlyHead | ValueBiases
  | LabelEntries _ => true
  | _ => false
  end.

Definition cone_sound (x : theorem) : bool :=
  match x with
  | LinearHull | AnyCoefficients | SomeCoefficients | AnyWeights | CoefficientsOfWeights | SomeWeights
  | EqualExamples | EqualRows | EqualOutputs | EqualLabelledRows | LabelsBeside | FittedLabels | MissedLabels | EqualHeadsCones | ConstantHeadsCones => true
  | _ => false
  end.
Definition cone_block_sound (x : block_theorem) : bool :=
  match x with
  | OnesBeside | OneColumn | EqualRowsOnes | EqualLabelledRowsOnes | LabelsBesideOnes | FittedLabelsBias | MissedLabelsBias
  | LabelsAreZero | LabelsAreEqual | HeadHull | HeadRows | EqualOutputRows | HeadOutputRows
  | OutputsOneColumn => true
  | _ => false
  end.

(* the kind of a layer: a certificate gives sinks to those that it defines          *)
Definition kind_of_layer (k : coefficient_kind) (sinks : seq (positive * seq Z)) (l : layer_name) : coefficient_kind :=
  match k, l with
  | Sinks _ _ copies, Some j => let x := nth (1%positive, [::]) sinks j in Sinks x.1 x.2 copies
  | _, _ => k
  end.

Section Check.
Variables (D : problem) (c : claim) (layers : layer_name -> option (layer * bool)) (kind : layer_name -> coefficient_kind).

Definition counted_heads (q : quantity) : option Z :=
  match q with
  | DistinctHeads l => omap (fun La => Z.of_nat (size (cone_heads D La.1 La.2 (kind l)))) (layers l)
  | MovingHeads l =>
    omap (fun La => Z.of_nat (size [seq s <- cone_heads D La.1 La.2 (kind l) | ~~ constant_rows s])) (layers l)
  | _ => None
  end.

Definition natural_of_kind (q : quantity) : interval :=
  match q with
  | RankZ _ | RankAny | Capacity | DistinctOutputs | RankBlocks _ | RankWithLabels | Truth MemorizesGiven | Truth MemorizesBias =>
    natural D layers c q
  | DistinctHeads _ | MovingHeads _ => if counted_heads q is Some z then exactly z else (None, None)
  | _ => if of_data q then natural D layers c q else (None, None)
  end.

(* a layer whose lists and logits of sinks are as they should be                    *)
Definition good_layer (l : layer_name) : bool :=
  if layers l is Some (L, a) then wf_layer D L && cone_ok D L a (kind l) else false.

(* the blocks of a layer                                                          *)
Definition blocks_of_Z (l : layer_name) : option (layer * bool * head_blocks) :=
  if layers l is Some (L, a) then if good_layer l then Some (L, a, cone_Z D L a (kind l)) else None else None.
Definition cone_given_blocks (b : blocks) : option (layer * bool * head_blocks) :=
  if layers None is Some (L, a) then
    if good_layer None then omap (fun B => (L, a, B)) (cone_blocks_of D (args c) L a (kind None) b) else None
  else None.

(* Z of the given layer beside the labels                                          *)
Definition labels_blocks : option (layer * bool * head_blocks) :=
  if layers None is Some (L, a) then if good_layer None then Some (L, a, cone_labels D L a (kind None)) else None else None.

(* the layers that a theorem is about are good ones, and equal examples have equal rows *)
Definition readable_of_kind (x : theorem) (l : layer_name) : bool :=
  readable D c layers x l &&
  match x with
  | LinearHull | AnyWeights | CoefficientsOfWeights => true
  | EqualExamples => copies_agree D (kind None)
  | EqualRows => good_layer l && copies_agree D (kind None)
  | EqualOutputs | EqualLabelledRows => good_layer None && copies_agree D (kind None)
  | LabelsBeside => true
  | FittedLabels | MissedLabels => good_layer None
  | _ => good_layer l
  end.
Definition block_readable_of_kind (x : block_theorem) : bool :=
  [&& block_readable D x, good_layer None &
    match x with
    | EqualRowsOnes | EqualLabelledRowsOnes | EqualOutputRows | HeadRows | HeadOutputRows => copies_agree D (kind None)
    | _ => true
    end].

Definition run_cone_step (facts : seq (option fact)) (s : step) : option fact :=
  let known uses := pmap (fun k => nth None facts k) uses in
  let of_Z l (f : layer -> bool -> head_blocks -> option fact) :=
    if blocks_of_Z l is Some (L, a, B) then f L a B else None in
  let of_blocks b (f : layer -> bool -> head_blocks -> option fact) :=
    if cone_given_blocks b is Some (L, a, B) then f L a B else None in
  match s with
  | MinorZ l p g o rows cols =>
    of_Z l (fun L a B => proves (minor_blocks_ok D L a B p g o rows cols) (RankZ l) true (size rows))
  | LeftZeroZ l p g o V => of_Z l (fun L a B => proves (left_blocks_ok D L a B p g o V) (RankZ l) false (T D - size V))
  | RightZeroZ l p g o V =>
    of_Z l (fun L a B => proves (right_blocks_ok D L a B p g o V) (RankZ l) false (number_of B * block_width B - size V))
  | MinorDistinct p g o rows cols =>
    of_Z None (fun L a B => proves (different_blocks_ok D L a B p g o rows cols) DistinctOutputs true (size rows))
  | MinorBlocks b p g o rows cols =>
    of_blocks b (fun L a B => proves (minor_blocks_ok D L a B p g o rows cols) (RankBlocks b) true (size rows))
  | LeftZeroBlocks b p g o V =>
    of_blocks b (fun L a B => proves (left_blocks_ok D L a B p g o V) (RankBlocks b) false (T D - size V))
  | RightZeroBlocks b p g o V =>
    of_blocks b (fun L a B =>
      proves (right_blocks_ok D L a B p g o V) (RankBlocks b) false (number_of B * block_width B - size V))
  | MinorLabels p g o rows cols =>
    if labels_blocks is Some (L, a, B) then proves (minor_blocks_ok D L a B p g o rows cols) RankWithLabels true (size rows) else None
  | ZeroLabels p g o V =>
    if labels_blocks is Some (L, a, B) then proves (left_blocks_ok D L a B p g o V) RankWithLabels false (T D - size V) else None
  | ZeroCapacity p V => proves (zero_cone_capacity_ok D (kind None) p V) Capacity false (T D - size V)
  | Hulls V => proves (same_copies D (kind None)) Capacity false (hulls_number D (kind None) V)
  | Apply x l uses =>
    if cone_sound x && readable_of_kind x l then apply_from natural_of_kind (conditions x l) (bounded x l) (known uses) else None
  | ApplyBlocks x uses =>
    if cone_block_sound x && block_readable_of_kind x then apply_from natural_of_kind (block_conditions x) (block_bounded x) (known uses) else None
  (* a step about the data alone: what it proves needs no other step                 *)
  | _ => if run_plain_step D c layers None [::] s is Some f then if of_data (about f) then Some f else None else None
  end.

Fixpoint run_cone_steps (facts : seq (option fact)) (steps : seq step) : seq (option fact) :=
  if steps is s :: steps' then run_cone_steps (rcons facts (run_cone_step facts s)) steps' else facts.

End Check.

(* Softmax: as check_after. *)
Definition check_of_kind (known : seq fact) (kept : option kept_enclosures) (D : problem) (k : coefficient_kind) (s : statement) (c : claim)
    (built : seq (option (layer * bool))) (sinks : seq (positive * seq Z)) (steps : seq step) : result :=
  if k is Softmax then check_after known kept D s c built steps
  else
    let layers := all_layers D built in let kind := kind_of_layer k sinks in
    if [&& wf_sizes D, covered_kind s & ~~ about_given s || isSome (given D)] then
      let facts := run_cone_steps D c layers kind [::] steps in
      Result (judge_from (natural_of_kind D c layers kind) s c (pmap id facts)) facts
    else Result Undecided [::].

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Sound.
Variables (R : realType) (D : problem) (c : claim) (layers : layer_name -> option (layer * bool)).
Variable kind : layer_name -> coefficient_kind.
Hypotheses (okD : wf_sizes D) (layersP : layers None = given_layer D None).
Hypothesis kindP : forall l, same_kind (kind None) (kind l).
Let okP := wf_sizes_problem okD.
Let counted q : Z := if counted_heads D layers kind q is Some z then z else own_number D layers q.
Local Notation v := (number_of_kind R D layers kind counted c).
Local Notation softmax_number := (checker_number R D layers c).
Local Notation k0 := (kind None).

Lemma of_dataE q : of_data q -> v q = softmax_number q.
Proof. by case: q. Qed.

Lemma natural_of_kindP q : within (v q) (natural_of_kind D c layers kind q).
Proof.
have data : of_data q -> within (v q) (natural D layers c q) by move=> qd; rewrite of_dataE //; apply: naturalP.
have unknown z : within z (None, None) by [].
have most (A : 'I_(T D) -> 'M[R]_(H D, n D)) : within (Z.of_nat (\rank (attn_out A (E R D)))) (up_to (minn (T D) (H D * d D))).
  by apply: within_up_to; rewrite leq_min rank_leq_row rank_leq_col.
case: q data; try (intros; lazymatch goal with h : is_true (of_data _) -> _ |- _ => exact (h isT) end); move=> //=.
- by move=> l _; case: (layers l) => [[L a]|]; [apply: most|apply: (@within_up_to 0)].
- move=> _; case: (layers None) => [[L a]|]; last by apply: (@within_up_to 0).
  by apply: within_up_to; rewrite leq_min rank_leq_row rank_leq_col.
- move=> _; case: (layers None) => [[L a]|]; last by apply: (@within_up_to 0).
  by apply: within_up_to; rewrite /distinct_rows (leq_trans (size_undup _)) // size_map -cardE card_ord.
- by move=> _; apply: within_up_to; apply: largest_leq_N.
- by move=> _; apply: within_up_to; apply: largest_leq_N.
- by move=> l _; rewrite /counted /=; case: (layers l) => [[L a]|] //=; apply: within_exactly.
- by move=> l _; rewrite /counted /=; case: (layers l) => [[L a]|] //=; apply: within_exactly.
- by move=> x _; case: x => //= *; apply: within_up_to; case: asboolP.
move=> b _; case: (layers None) => [[L a]|]; last by apply: (@within_up_to 0).
apply: within_up_to; rewrite /rank_blocks_of_kind /most_of_blocks.
by case: b => [[]|[]|[] []]; case: (head_of_claim D c); case: (around D) => *;
  rewrite /= /rank_beside ?add0n ?addn0 // leq_min rank_leq_row rank_leq_col.
Qed.

Let leq_ZN j k : (j <= k)%N -> (Z.of_nat j <= Z.of_nat k)%coqZ. Proof. by move=> /ssrnat.leP jk; lia. Qed.
Let leq_times r N k : (r <= N * k)%N -> (Z.of_nat r <= Z.of_nat N * Z.of_nat k)%coqZ.
Proof. by rewrite -multE -Nat2Z.inj_mul => /leq_ZN. Qed.
Let leq_times1 r N k : (r <= N * k + 1)%N -> (Z.of_nat r <= Z.of_nat N * Z.of_nat k + 1)%coqZ.
Proof. by rewrite -plusE -multE => /leq_ZN; lia. Qed.

Lemma good_layerP l : good_layer D layers kind l -> exists L a, [/\ layers l = Some (L, a), wf_layer D L & cone_ok D L a (kind l)].
Proof. by rewrite /good_layer; case: (layers l) => [[L a]|] // /andP[]; exists L, a. Qed.

Lemma cone_theorem_true x l : cone_sound x -> readable_of_kind D c layers kind x l ->
    (forall p, List.In p (conditions x l) -> meaning v p) ->
  let: (q, lower, e) := bounded x l in
  if lower then (value v e <= v q)%coqZ else (v q <= value v e)%coqZ.
Proof.
have inshape L a : layers l = Some (L, a) -> meaning v (Equal (Qty (InShape l)) (Const 1%coqZ)) -> in_shape D L.
  by move=> LE; rewrite /= /counted /= /own_number /= LE; case: (in_shape D L).
have one : meaning v (Equal (Qty DistinctContexts) (Const 1%coqZ)) -> size (distinct equal_rows (contexts D)) = 1%N.
  by move=> h; apply: (Nat2Z.inj _ 1).
have of_Z j k : (Z.of_nat j <= Z.of_nat k)%coqZ -> (j <= k)%N by move=> jk; apply/ssrnat.leP; lia.
have given_of L a : layers None = Some (L, a) -> given D = Some L /\ a = false.
  by rewrite layersP /given_layer; case: (given D) => // L' [-> ->].
case: x => //= _ /andP[nP read] cond.
- by apply: leq_times; apply: cone_linear_hull.
- have [L [a [LE okL okC]]] := good_layerP read; rewrite LE; apply: leq_ZN; exact: cone_any_coefficients (kindP l).
- have [L [a [LE okL okC]]] := good_layerP read; rewrite LE; apply: leq_ZN; exact: cone_any_coefficients (kindP l).
- by apply: leq_ZN; apply: cone_any_weights.
- by apply: leq_ZN; apply: cone_any_weights.
- have [L [a [LE okL okC]]] := good_layerP read; rewrite LE; apply: leq_ZN.
  by have sL := inshape _ _ LE (cond _ (or_introl erefl)); apply: cone_some_weights sL okC (kindP l).
- by rewrite /counted /= /own_number /=; apply: leq_ZN; apply: cone_equal_examples.
- have /andP[/good_layerP[L [a [LE okL okC]]] agree] := read; rewrite /readable LE in nP *; rewrite /counted /= /own_number /=; apply: leq_ZN.
  exact: (cone_equal_rows R okD okC nP (same_kind_agree (kindP l) agree)).
- have /andP[/good_layerP[L [a [LE okL okC]]] agree] := read; rewrite /readable LE in nP *; rewrite /counted /= /own_number /=; apply: leq_ZN.
  exact: cone_equal_outputs.
- have /andP[/good_layerP[L [a [LE okL okC]]] agree] := read; rewrite /readable LE in nP *; rewrite /counted /= /own_number /=; apply: leq_ZN.
  by apply: cone_equal_labelled_rows => // t t' yE; apply/rowP => o; rewrite !mxE /ent yE.
- by case: (layers None) => [[L a]|] //; apply: leq_ZN; apply: matrix_beside.
- have [L [a [LE okL okC]]] := good_layerP read; have [GE aE] := given_of L a LE; rewrite aE in LE.
  have := cond _ (or_intror (or_introl erefl)); have /of_Z ov := cond _ (or_intror (or_intror (or_introl erefl))).
  by rewrite /= LE => /of_Z le; rewrite asboolT //; apply: cone_fitted GE ov le.
- have [L [a [LE okL okC]]] := good_layerP read; have [GE aE] := given_of L a LE; rewrite aE in LE.
  have := cond _ (or_intror (or_introl erefl)); rewrite /= LE => le; rewrite asboolF //; apply: cone_missed GE _.
  by apply: of_Z; rewrite Nat2Z.inj_succ -Z.add_1_r; exact: le.
- have [L [a [LE okL okC]]] := good_layerP read; rewrite /counted /= LE /=; apply: leq_times; exact: cone_equal_heads.
have [L [a [LE okL okC]]] := good_layerP read; rewrite /counted /= LE /=; apply: leq_times1.
by apply: cone_constant_heads => //; apply: one; apply: cond; left.
Qed.

Lemma cone_block_theorem_true x : cone_block_sound x -> block_readable_of_kind D layers kind x ->
    (forall p, List.In p (block_conditions x) -> meaning v p) ->
  let: (q, lower, e) := block_bounded x in
  if lower then (value v e <= v q)%coqZ else (v q <= value v e)%coqZ.
Proof.
move=> + /and3P[nP /good_layerP[L [a [LE okL okC]]] agree].
have [GE aE] : given D = Some L /\ a = false.
  by move: LE; rewrite layersP /given_layer; case: (given D) => // L' [-> ->].
have values w t t' p : E R D t = row_perm p (E R D t') ->
    forall h, head_values R w h t = row_perm p (head_values R w h t').
  move=> EE h; rewrite /head_values EE !row_permE !mulmxDr !mulmxA; congr (_ + _ *m _).
  by rewrite -row_permE; apply/matrixP => i j; rewrite !mxE.
have of_Z j k : (Z.of_nat j <= Z.of_nat k)%coqZ -> (j <= k)%N by move=> jk; apply/ssrnat.leP; lia.
have one r j : (r <= j + 1)%N -> (Z.of_nat r <= Z.of_nat j + 1)%coqZ by rewrite -plusE => /leq_ZN; lia.
rewrite aE in LE okC.
case: x nP agree => //= nP agree _ cond; rewrite /block_readable ?GE in nP; rewrite ?LE ?/counted /= ?/own_number /=.
- exact/leq_ZN/matrix_beside.
- exact/one/matrix_one_column.
- by apply: leq_ZN; apply: matrix_equal_rows_ones => t t'; apply: cone_row.
- apply: leq_ZN; apply: cone_equal_labelled_rows => // t t' yE; rewrite !row_row_mx; congr row_mx; apply/rowP => o; rewrite !mxE //.
  by rewrite /ent yE.
- exact/leq_ZN/labels_beside_ones.
- have := cond _ (or_intror (or_introl erefl)); have /of_Z ov := cond _ (or_intror (or_intror (or_introl erefl))).
  by rewrite /= LE => /of_Z le; rewrite asboolT //; apply: cone_fitted_bias GE ov le.
- have := cond _ (or_intror (or_introl erefl)); rewrite /= LE => le; rewrite asboolF //; apply: cone_missed_bias GE _.
  by apply: of_Z; rewrite Nat2Z.inj_succ -Z.add_1_r; exact: le.
- have /(Nat2Z.inj _ 0) c0 := cond _ (or_intror (or_introl erefl)).
  have /of_Z ov := cond _ (or_intror (or_intror (or_introl erefl))).
  by rewrite asboolT //; apply: cone_fitted GE ov (zero_labels _ c0).
- have /(Nat2Z.inj _ 0) c0 := cond _ (or_intror (or_introl erefl)).
  have /of_Z ov := cond _ (or_intror (or_intror (or_introl erefl))).
  by rewrite asboolT //; apply: cone_fitted_bias GE ov (equal_labels _ c0).
- rewrite /rank_blocks_of_kind; case: (around D) => [w|]; last by case: (head_of_claim D c) => *; apply: Zle_0_nat.
  case: (head_of_claim D c) => *; apply: leq_ZN; apply: (rank_classes (example_in (D := D))) => t t' tt;
    rewrite [LHS]rowK [RHS]rowK; apply: (congr1 mxvec); apply/row_matrixP => h'; rewrite [LHS]rowK [RHS]rowK;
    by apply: layer_mean tt => // s s' p /values.
- rewrite /rank_blocks_of_kind; case: (around D) => [w|]; case: (head_of_claim D c) => *; try lia; exact/one/matrix_one_column.
- rewrite /rank_blocks_of_kind; case: (head_of_claim D c) => [h|]; last exact: Zle_0_nat.
  by apply: leq_ZN; apply: cone_head_hull.
- rewrite /rank_blocks_of_kind; case: (head_of_claim D c) => [h|]; last exact: Zle_0_nat.
  by apply: leq_ZN; apply: cone_head_rows.
rewrite /rank_blocks_of_kind; case: (head_of_claim D c) => [h|]; last exact: Zle_0_nat.
case: (around D) => [w|]; last exact: Zle_0_nat.
by apply: leq_ZN; apply: cone_head_rows => // t t' p /values.
Qed.

Local Notation fact_true := (fact_true v).
Local Notation step_true := (step_true v).

Lemma blocks_of_ZP l L a B : blocks_of_Z D layers kind l = Some (L, a, B) ->
  [/\ well_sized D B, v (RankZ l) = Z.of_nat (\rank (blocks_mx R D L a B)), B = cone_Z D L a (kind l) &
    [/\ layers l = Some (L, a), wf_layer D L & cone_ok D L a (kind l)]].
Proof.
rewrite /blocks_of_Z; case LE: (layers l) => [[L' a']|] //; case: ifP => // /good_layerP[L'' [a'' [LE' okL okC]]] [? ? ?]; subst.
move: LE'; rewrite LE => -[? ?]; subst L'' a''.
by have [ws rE] := cone_Z_rank R okP okL okC; split; rewrite //= LE rE.
Qed.

Lemma cone_given_blocksP b L a B : cone_given_blocks D c layers kind b = Some (L, a, B) ->
  well_sized D B /\ v (RankBlocks b) = Z.of_nat (\rank (blocks_mx R D L a B)).
Proof.
rewrite /cone_given_blocks; case LE: (layers None) => [[L' a']|] //; case: ifP => // /good_layerP[L'' [a'' [LE' okL okC]]].
move: LE'; rewrite LE => -[? ?]; subst L'' a''.
case BE: (cone_blocks_of _ _ _ _ _ _) => [B'|] //= [<- <- <-]; have [ws rE] := cone_blocks_rankE R okP okL okC BE.
by rewrite LE rE.
Qed.

Lemma labels_blocksP L a B : labels_blocks D layers kind = Some (L, a, B) ->
  well_sized D B /\ v RankWithLabels = Z.of_nat (\rank (blocks_mx R D L a B)).
Proof.
rewrite /labels_blocks; case LE: (layers None) => [[L' a']|] //; case: ifP => // /good_layerP[L'' [a'' [LE' okL okC]]].
move: LE'; rewrite LE => -[? ?]; subst L'' a'' => -[<- <- <-].
by have [ws rE] := cone_labels_rank R okP okL okC; split; rewrite //= LE rE.
Qed.

Lemma run_cone_step_true facts s : (forall f, List.In f (pmap id facts) -> fact_true f) ->
  step_true (run_cone_step D c layers kind facts s).
Proof.
move=> Hfacts; have used uses := used_true (uses := uses) Hfacts.
have plain : step_true (if run_plain_step D c layers None [::] s is Some f then if of_data (about f) then Some f else None else None).
  have := @run_plain_step_true R D c layers None okD I layersP [::] s (fun f no => match no with end).
  case: (run_plain_step _ _ _ _ _ _) => [f|] //=; case: ifP => // fd fT; rewrite /soundness.step_true /soundness.fact_true (of_dataE fd).
  exact: fT.
case: s plain => //=.
- move=> l p g o rows cols _; case BE: (blocks_of_Z _ _ _ _) => [[[L a] B]|] //; have [ws vE _ _] := blocks_of_ZP BE.
  by apply: proved_true => ok; rewrite vE; apply: leq_ZN; apply: minor_blocks_rank ws _ _ _ _ _ ok.
- move=> l p g o V _; case BE: (blocks_of_Z _ _ _ _) => [[[L a] B]|] //; have [ws vE _ _] := blocks_of_ZP BE.
  by apply: proved_true => ok; rewrite vE; apply: leq_ZN; apply: left_blocks_rank ws _ _ _ _ ok.
- move=> l p g o V _; case BE: (blocks_of_Z _ _ _ _) => [[[L a] B]|] //; have [ws vE _ _] := blocks_of_ZP BE.
  by apply: proved_true => ok; rewrite vE; apply: leq_ZN; apply: right_blocks_rank ws _ _ _ _ ok.
- by move=> p V _; apply: proved_true => ok /=; apply: leq_ZN; apply: zero_cone_capacity ok.
- by move=> V _; apply: proved_true => ok /=; exact: leq_ZN (@moving_cone_hulls R D k0 V okP ok).
- move=> p g o rows cols _; case BE: (labels_blocks _ _ _) => [[[L a] B]|] //; have [ws vE] := labels_blocksP BE.
  by apply: proved_true => ok; rewrite vE; apply: leq_ZN; apply: minor_blocks_rank ws _ _ _ _ _ ok.
- move=> p g o V _; case BE: (labels_blocks _ _ _) => [[[L a] B]|] //; have [ws vE] := labels_blocksP BE.
  by apply: proved_true => ok; rewrite vE; apply: leq_ZN; apply: left_blocks_rank ws _ _ _ _ ok.
- move=> p g o rows cols _; case BE: (blocks_of_Z _ _ _ _) => [[[L a] B]|] //; have [_ _ -> [LE okL okC]] := blocks_of_ZP BE.
  by apply: proved_true => ok /=; rewrite LE; apply: leq_ZN; apply: different_blocks_count ok.
- move=> x l uses _; case: ifP => // /andP[xs read]; case TE: (bounded x l) => [[q lower] e].
  apply: (apply_from_true natural_of_kindP); first exact: used.
  by have := @cone_theorem_true x l xs read; rewrite TE.
- move=> b p g o rows cols _; case BE: (cone_given_blocks _ _ _ _ _) => [[[L a] B]|] //; have [ws vE] := cone_given_blocksP BE.
  by apply: proved_true => ok; rewrite vE; apply: leq_ZN; apply: minor_blocks_rank ws _ _ _ _ _ ok.
- move=> b p g o V _; case BE: (cone_given_blocks _ _ _ _ _) => [[[L a] B]|] //; have [ws vE] := cone_given_blocksP BE.
  by apply: proved_true => ok; rewrite vE; apply: leq_ZN; apply: left_blocks_rank ws _ _ _ _ ok.
- move=> b p g o V _; case BE: (cone_given_blocks _ _ _ _ _) => [[[L a] B]|] //; have [ws vE] := cone_given_blocksP BE.
  by apply: proved_true => ok; rewrite vE; apply: leq_ZN; apply: right_blocks_rank ws _ _ _ _ ok.
move=> x uses _; case: ifP => // /andP[xs good]; case TE: (block_bounded x) => [[q lower] e].
apply: (apply_from_true natural_of_kindP); first exact: used.
by have := cone_block_theorem_true xs good; rewrite TE.
Qed.

Lemma run_cone_steps_true steps facts : (forall f, List.In f (pmap id facts) -> fact_true f) ->
  forall f, List.In f (pmap id (run_cone_steps D c layers kind facts steps)) -> fact_true f.
Proof.
elim: steps facts => //= s steps IH facts H; apply: IH => f; rewrite -cats1 pmap_cat => ff.
have [/H//|] : List.In f (pmap id facts) \/ List.In f (pmap id [:: run_cone_step D c layers kind facts s]).
  move: ff; elim: (pmap id facts) => /= [|g gs IHg]; first by right.
  by case=> [->|/IHg[]]; [left; left|left; right|right].
by have := run_cone_step_true s H; case: (run_cone_step _ _ _ _ _ _) => //= g gt [<- //|[]].
Qed.

End Sound.

Lemma same_kind_of_layer k sinks l : same_kind (kind_of_layer k sinks None) (kind_of_layer k sinks l).
Proof. by case: k; case: l => //= *; apply: eqxx. Qed.

(* the numbers of a statement that is covered are those of the given layer        *)
Lemma covered_numbers (R : realType) D k s c (layers : layer_name -> option (layer * bool)) kind own own' p :
    layers None = given_layer D None -> kind None = k -> covered_kind s ->
    List.In p (conclusion s (asks c) :: hypotheses s) ->
  meaning (number_of_kind R D layers kind own c) p = meaning (number_of_kind R D (given_layer D) (fun=> k) own' c) p.
Proof.
move=> LE kE; case: s => [||||||||||||||||||||l|||||b||||||||b||||set conflicts|b||b'||] //= cs;
  first [case: b cs => [[]|[]|[] []] //= cs|idtac];
  by case: (asks c) => /=; do ![case=> [<-|]; first by rewrite /= ?LE ?kE]; case.
Qed.

Theorem check_of_kind_sound (R : realType) known kept D k s c built sinks steps :
    (forall f, List.In f known -> lasting_true R D f) -> kept_right D kept ->
  verdict_true (numbers_of_kind R D k c) s c (of_claim (check_of_kind known kept D k s c built sinks steps)).
Proof.
move=> knownP keptP; have [ks|kn] := boolP (same_kind k Softmax).
  by case: k ks => // _; apply: check_after_sound.
have [-> ->] : numbers_of_kind R D k c = number_of_kind R D (given_layer D) (fun=> k) (fun=> 0%coqZ) c /\
    check_of_kind known kept D k s c built sinks steps =
    let layers := all_layers D built in let kind := kind_of_layer k sinks in
    if [&& wf_sizes D, covered_kind s & ~~ about_given s || isSome (given D)] then
      let facts := run_cone_steps D c layers kind [::] steps in
      Result (judge_from (natural_of_kind D c layers kind) s c (pmap id facts)) facts
    else Result Undecided [::] by case: k kn.
cbv zeta; case: ifP => // /and3P[okD cs _]; set layers := all_layers D built; set kind := kind_of_layer k sinks.
have kE : kind None = k by rewrite /kind; case: (k).
have kindP l : same_kind (kind None) (kind l) by apply: same_kind_of_layer.
have Hf := @run_cone_steps_true R D c layers kind okD erefl kindP steps [::] (fun f no => match no with end).
have := @judge_from_true _ _ (@natural_of_kindP R D c layers kind) s c _ Hf.
rewrite [of_claim _]/=; set own := (fun q : quantity => _).
have E p := @covered_numbers R D k s c layers kind own (fun=> 0%coqZ) p erefl kE cs.
rewrite /verdict_true; case: (judge_from _ _ _ _) => [b| | |] //.
- by case=> cP hP; split; [rewrite -E; [|left]|move=> /hP {}hP p ps; rewrite -E; [apply: hP|right]].
- by case=> cP hP; split; [rewrite -E; [|left]|move=> p ps; rewrite -E; [apply: hP|right]].
by case=> p ps np; exists p => //; rewrite -E //; right.
Qed.

(* without facts that are known already                                            *)
Theorem kinds_sound (R : realType) D k s c built sinks steps :
  verdict_true (numbers_of_kind R D k c) s c (of_claim (check_of_kind [::] None D k s c built sinks steps)).
Proof. by apply: check_of_kind_sound. Qed.

(* of problems with a softmax this is check_after                                  *)
Lemma check_of_softmax known kept D s c built sinks steps :
  check_of_kind known kept D Softmax s c built sinks steps = check_after known kept D s c built steps.
Proof. by []. Qed.
