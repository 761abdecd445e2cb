(* Statements, as propositions about quantities, and what a verdict on one says.     *)
(*                                                                                   *)
(*   statement, hypotheses, conclusion == the statements that are covered, as data;   *)
(*            tests/formal/check_proved compares them with src/theory/table.cpp   *)
(*   numbers R D c q == the value of a quantity of a statement over the reals R        *)
(*   verdict_true v s c x == what the verdict x on the statement s says, v the numbers *)
From Attest Require Import integers comparisons problem quantities.

Local Notation Z := BinNums.Z.

Inductive statement :=
  | Rank | Memorizes | Injective | CapacityQuestion | KruskalQuestion | GeneralPosition
  | Assumption1_ | Assumption2_ | Assumption3_
  | AffineHullBound | Proposition1 | Proposition2 | Proposition5
  | Theorem1 | Remark1 | SkipConnection
  | AnyCoefficientsQuestion | Lemma1 | Lemma2 | Lemma5 | Proposition3 (l : labelling) | Proposition4
  | PositionalEncoding | Lemma3 | Lemma4 | Claim1 | Claim2
  | FiniteLambda (at_lambda : bool)             (* at the claim's lambda, or for all large ones *)
  | Saturation | NumericalRank | Accuracy | Memorizable | JacobianRank | FunctionalDimensionQuestion
  | UnfittableLabels (transcendental : bool)
  | WordsAndPositions | InjectiveAlmostSurely
  (* of capacity, with the answer of the certificate to which examples                             *)
  | WhichQuestion (set : seq nat) (conflicts : seq (nat * seq nat))
  | RankOfBlocks (b : blocks) | MemorizesBiased
  | OutputMemorizes (bias : bool)               (* a read-out of the outputs fits the labels *)
  | MatrixRank                                  (* of the claim's row vectors *)
  | ReluMemorizes.

Section Tables.
Local Notation Q x := (Qty x).
Local Notation const k := (Const k%coqZ).
Local Notation one := (const 1).

(* examples that defeat every network of the claim                                *)
Definition network_examples : comparison quantity :=
  AtLeast (Q Examples) (Add (Add (Mul (Q Neurons) (Add (Q Varying) (const 1))) (Q OutputBias)) (const 1)).

Definition least_n_T : expr quantity := Min (Q Context) (Q Examples).
Definition assumption_1 := AtLeast (Q (Kruskal false)) least_n_T.
Definition assumption_2 := AtLeast (Q RankContexts) (Q Context).

(* hypotheses of the paper's statements *)
Definition claim_1_hypotheses : seq (comparison quantity) :=
  [:: AtMost (Q SizeSubset) (Q LeastRank); AtLeast (Q (RankOf SubsetQueries)) (Q SizeSubset);
    AtLeast (Q RankSubsetContexts) (Q Context)].
Definition claim_2_hypotheses : seq (comparison quantity) :=
  [:: AtMost (Q SizeSubset) (Sub (Q LeastRank) (const 1)); assumption_1; assumption_2].
Definition lemma_4_hypotheses : seq (comparison quantity) := [:: Equal (Q EqualEntries) (const 0)].

Definition assumption_3 := AtLeast (Q (Kruskal true)) least_n_T.
(* H (r - 1) + 1 *)
Definition paper_bound (r : expr quantity) : expr quantity := Add (Mul (Q Heads) (Sub r one)) one.
(* more outputs than numbers of which they are rational functions                  *)
Definition transcendence_degree : expr quantity :=
  Add (Mul (Q Heads) (Q (RankOf Exponents)))
    (Mul (Q OutputDimension) (Add (Mul (Sub (Q Heads) one) (Q (RankOf Differences))) (Q (RankOf Tokens)))).
Definition unfittable_examples : comparison quantity :=
  AtLeast (Mul (Q Examples) (Q OutputDimension)) (Add transcendence_degree one).
Definition hypotheses (s : statement) : seq (comparison quantity) :=
  match s with
  | Proposition1 => [:: assumption_1; assumption_2]
  | Proposition2 => [:: AtMost (Q DistinctContexts) one]
  | Proposition5 => [:: AtMost (Q DistinctSums) one]
  | Memorizes | MemorizesBiased => [:: AtMost (Q OutputDimension) (Q ValueDimension)]
  | Theorem1 => [:: assumption_1; assumption_2; AtMost (Q Examples) (paper_bound (Q LeastRank));
      AtMost (Q OutputDimension) (Q ValueDimension)]
  | SkipConnection => [:: assumption_1; assumption_2; AtMost (Q Examples) (paper_bound (Q LeastRank));
      AtMost (Q OutputDimension) (Min (Q ValueDimension) (Q Dimension))]
  | Remark1 => [:: assumption_2]
  | Lemma2 => [:: AtLeast (Q (RankOf RowVectors)) (Q RowsOfVectors)]
  | Lemma5 => [:: AtLeast (Q (Truth SmallPerturbation)) one]
  | Proposition3 IntegerLabels =>
    [:: Equal (Q Fractions) (Const 0%coqZ); network_examples; assumption_1; assumption_2]
  | Proposition3 TranscendentalLabels => [:: network_examples; assumption_1; assumption_2]
  | Proposition4 => [:: assumption_2; assumption_3]
  | Lemma3 | FiniteLambda _ => [:: assumption_1; assumption_2]
  | Lemma4 => lemma_4_hypotheses
  | Claim1 => claim_1_hypotheses
  | Claim2 => claim_2_hypotheses
  | UnfittableLabels _ => [:: unfittable_examples]
  | _ => [::]
  end.

Definition answer (k : question) (q : quantity) : comparison quantity :=
  match k with
  | IsValue => Equal (Q q) (Q Asked)
  | IsAtLeast => AtLeast (Q q) (Q Asked)
  | IsAtMost => AtMost (Q q) (Q Asked)
  | IsOpen => Decided (Q q)
  end.

Definition conclusion (s : statement) (k : question) : comparison quantity :=
  match s with
  | Rank => answer k (RankZ None)
  | Memorizes => AtLeast (Q (Truth MemorizesGiven)) one
  | Injective => AtLeast (Q DistinctOutputs) (Q Examples)
  | CapacityQuestion => answer k Capacity
  | KruskalQuestion => answer k (Kruskal false)
  | GeneralPosition => AtLeast (Q (Kruskal false)) (Min (Q Dimension) (Q Examples))
  | Assumption1_ => assumption_1
  | Assumption2_ => assumption_2
  | Assumption3_ => assumption_3
  | AffineHullBound => AtMost (Q RankAny)
      (Min (Min (Min (Q Examples) (Mul (Q Heads) (Q Dimension))) (paper_bound (Q (RankOf AffineTokens))))
           (Mul (Q Heads) (Q (RankOf Tokens))))
  | Proposition1 => AtLeast (Q Capacity) (Min (Q Examples) (paper_bound (Q LeastRank)))
  | FiniteLambda at_lambda =>
    AtLeast (Q (if at_lambda then LambdaRank else TailRank)) (Min (Q Examples) (paper_bound (Q LeastRank)))
  | Proposition2 => AtMost (Q RankAny) (paper_bound (Q Context))
  | Proposition5 => AtMost (Q RankAny) (paper_bound (Q Dimension))
  | Theorem1 => AtLeast (Q (Truth MemorizesAll)) one
  | SkipConnection => AtLeast (Q (Truth MemorizesAllSkip)) one
  | Remark1 => AtLeast (Q Capacity)
      (Min (Q Examples) (paper_bound (Min (Q LeastRank) (Q (Kruskal false)))))
  | AnyCoefficientsQuestion => answer k RankAny
  | Lemma1 => AtLeast (Q (RankOf Block)) (Add (Q (RankOf MatrixA)) (Q (RankOf MatrixC)))
  | Lemma2 => AtLeast (Q (RankOf Shifted)) (Q RowsOfVectors)
  | Lemma5 => AtLeast (Q (RankOf MatrixB)) (Q (RankOf MatrixA))
  | Proposition3 l => AtMost (Q (Truth (NetworkFits l))) (Const 0%coqZ)
  | Proposition4 => Both assumption_3 (AtLeast (Q RankMixedContexts) (Q Context))
  | PositionalEncoding => AtLeast (Q RankEncoding) (Q Context)
  | Lemma3 => AtLeast (Q (Truth Separates)) one
  | Lemma4 => AtLeast (Q (Truth VertexLimit)) one
  | Claim1 => AtLeast (Q (Truth Prescribed)) one
  | Claim2 => AtLeast (Q (Truth OneHot)) one
  | Saturation => answer k Saturated
  | NumericalRank => answer k LargeSingularValues
  | Accuracy => answer k Accurate
  | Memorizable => AtLeast (Q LargestRank) (Q Examples)
  | JacobianRank => answer k (RankJ None None)
  | FunctionalDimensionQuestion => answer k FunctionalDimension
  | UnfittableLabels b => AtMost (Q (Truth (LayerFits b))) (const 0)
  | WordsAndPositions => answer k EmbeddedCapacity
  | InjectiveAlmostSurely => AtLeast (Q GenericOutputs) (Q Examples)
  | WhichQuestion set conflicts =>
    if k is IsOpen then Both (answer k Capacity) (AtLeast (Q (Truth (WhichExamples set conflicts))) one) else answer k Capacity
  | RankOfBlocks b => answer k (RankBlocks b)
  | MemorizesBiased => AtLeast (Q (Truth MemorizesBias)) one
  | OutputMemorizes bias => AtMost (Q (RankBlocks (Outputs bias true))) (Q (RankBlocks (Outputs bias false)))
  | MatrixRank => answer k (RankOf RowVectors)
  | ReluMemorizes => AtLeast (Q (Truth (NetworkFits GivenLabels))) one
  end.

End Tables.

(* -------------------------------------------------------------------------- *)
(* Verdicts                                                                    *)
(* -------------------------------------------------------------------------- *)
Inductive verdict := Verified (hypotheses_proved : bool) | Refuted | Inapplicable | Undecided.

(* what a verdict says, v the numbers of the quantities                           *)
Definition verdict_true (v : quantity -> Z) (s : statement) (c : claim) (x : verdict) : Prop :=
  match x with
  | Verified b => meaning v (conclusion s (asks c)) /\ (b -> forall p, List.In p (hypotheses s) -> meaning v p)
  | Refuted => ~ meaning v (conclusion s (asks c)) /\ forall p, List.In p (hypotheses s) -> meaning v p
  | Inapplicable => exists2 p, List.In p (hypotheses s) & ~ meaning v p
  | Undecided => True
  end.

(* the layer of the case, whose scale is not in its weights                       *)
Definition given_layer (D : problem) (l : layer_name) : option (layer * bool) :=
  if l is None then if given D is Some L then Some (L, false) else None else None.

(* the numbers of the quantities of statements: none depends on what a certificate defines *)
Definition numbers (R : realType) (D : problem) (c : claim) : quantity -> Z :=
  number R D (given_layer D) (fun=> 0%coqZ) c.
