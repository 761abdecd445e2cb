(* The proved checker: what a certificate can say, and check, which judges it.     *)
(* That it is right is proved in soundness.v.                                       *)
(*                                                                                 *)
(*   theorem, conditions, bounded == the theorem schemas that are covered, as data;  *)
(*            tests/formal/check_proved compares them with src/theory/table.cpp  *)
(*   step, run_step == one step of a certificate, the fact that it proves            *)
(*   check D c s layers steps == verdict on the statement s, and the facts           *)
(*   check_after known kept D ... == the same after facts that other claims prove,    *)
(*            of those that are lasting f, and with their enclosures                  *)
From Attest Require Import integers attention kruskal upper_bounds common literal_arithmetic bounds residues.
From Attest Require Import problem logits minors quantity_bounds rational_matrices schemas heads part_bounds.
From Attest Require Import zero generic_weights blocks literal_matrices networks paper_schemas separators.
From Attest Require Import saturation accuracy readout tail quantities jacobians jacobian_zeros.
From Attest Require Import jacobian_bounds block_bounds coefficients hadamard other_layers moving_hulls.
From Attest Require Export statements.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Theorem schemas                                                             *)
(* -------------------------------------------------------------------------- *)
Section Tables.
Local Notation Q x := (Qty x).
Local Notation one := (Const 1%coqZ).

(* N heads in the affine hull of the tokens *)
Definition affine_bound (N : expr quantity) : expr quantity :=
  Add (Mul N (Sub (Q (RankOf AffineTokens)) one)) one.

(* directions in which a head's keys and queries move its coefficients           *)
Definition tangents : expr quantity :=
  let v := Q (RankOf Differences) in let q := Q (RankOf Queries) in let m := Q HeadDimension in
  Min (Q (RankOf Exponents)) (Add (Mul (Min m v) q) (Mul (Min m q) (Max (Sub v m) (Const 0%coqZ)))).

Inductive theorem :=
  | AffineHull | LinearHull | ContextHulls | AnyCoefficients | SomeCoefficients | AnyWeights | CoefficientsOfWeights
  | SomeWeights
  | EqualExamples | EqualRows | EqualOutputs | EqualLabelledRows | LabelsBeside | EqualHeads | ConstantHeads
  | AllLabels | AllLabelsSkip | FittedLabels | MissedLabels
  | PartAndOthers (p : part) | ConcaveFrom0 (p : part)
  | ConcaveFromConstants (p : part) | AnyHeads | ManyHeads (p : part)
  (* u: the read-out that goes with a layer of a certificate *)
  | SomeJacobian (u : option (seq (seq Z))) | AllJacobians (u : option (seq (seq Z)))
  | EqualJacobianRows (u : option (seq (seq Z))) | ExponentCount | ExponentProducts | DifferentExamples
  | BiasedTangents (u : option (seq (seq Z))) | RelatedOutputs | MovingDirections
  | Tangents (u : option (seq (seq Z)))
  | SumsOfEmbeddings (s : seq (seq Z)) | SomeEmbeddings (s : seq (seq Z))   (* s: the claim's sequences *)
  | AlmostAllOutputs | IndependentOutputs | EqualInputs
  (* with any coefficients, which need not sum to 1 *)
  | EqualHeadsCones | ConstantHeadsCones.

Definition conditions (x : theorem) (l : layer_name) : seq (comparison quantity) :=
  match x with
  | SomeWeights | SomeJacobian _ | AllJacobians _ | Tangents _ => [:: Equal (Q (InShape l)) one]
  | EqualOutputs | EqualLabelledRows => [:: AtLeast (Q (InShape None)) (Const 0%coqZ)]
  | LabelsBeside => [:: AtLeast (Q (InShape None)) (Const 0%coqZ); AtLeast (Q DistinctLabelled) one]
  | ConstantHeads | ConstantHeadsCones => [:: Equal (Q DistinctContexts) one]
  | AllLabels => [:: AtLeast (Q Capacity) (Q Examples); AtMost (Q OutputDimension) (Q ValueDimension)]
  | AllLabelsSkip =>
    [:: AtLeast (Q Capacity) (Q Examples); AtMost (Q OutputDimension) (Min (Q ValueDimension) (Q Dimension))]
  | FittedLabels => [:: AtLeast (Q (InShape None)) (Const 0%coqZ); AtMost (Q RankWithLabels) (Q (RankZ None));
      AtMost (Q OutputDimension) (Q ValueDimension)]
  | MissedLabels =>
    [:: AtLeast (Q (InShape None)) (Const 0%coqZ); AtLeast (Q RankWithLabels) (Add (Q (RankZ None)) one)]
  | PartAndOthers p => [:: AtMost (Q Heads) (Q (PartHeads p))]
  | ManyHeads p => [:: AtLeast (Q (PartHeads p)) one]
  | SomeEmbeddings s => [:: Equal (Q (SumsOfWords s)) one]
  | AlmostAllOutputs => [:: Equal (Q (InShape None)) one]
  | ConcaveFrom0 p | ConcaveFromConstants p => [:: Equal (Q (PartExamples p)) (Q Examples); AtMost (Q (PartHeads p)) (Q Heads)]
  | _ => [::]
  end.

(* the quantity, whether it is bounded from below, and by what                  *)
Definition bounded (x : theorem) (l : layer_name) : quantity * bool * expr quantity :=
  match x with
  | AffineHull => (RankAny, false, paper_bound (Q (RankOf AffineTokens)))
  | LinearHull => (RankAny, false, Mul (Q Heads) (Q (RankOf Tokens)))
  | ContextHulls =>
    (RankAny, false, Add (Mul (Sub (Q Heads) one) (Q (RankOf Differences))) (Q (RankOf Tokens)))
  | AnyCoefficients => (RankZ l, false, Q RankAny)
  | SomeCoefficients => (RankAny, true, Q (RankZ l))
  | AnyWeights => (Capacity, false, Q RankAny)
  | CoefficientsOfWeights => (RankAny, true, Q Capacity)
  | SomeWeights => (Capacity, true, Q (RankZ l))
  | EqualExamples => (Capacity, false, Q DistinctExamples)
  | EqualRows => (RankZ l, false, Q DistinctExamples)
  | EqualOutputs => (DistinctOutputs, false, Q DistinctExamples)
  | EqualLabelledRows => (RankWithLabels, false, Q DistinctLabelled)
  | LabelsBeside => (RankWithLabels, true, Q (RankZ None))
  | EqualHeads =>
    let N := Q (DistinctHeads l) in (RankZ l, false, Min (affine_bound N) (Mul N (Q (RankOf Tokens))))
  | ConstantHeads =>
    let N := Q (MovingHeads l) in (RankZ l, false, Min (affine_bound N) (Add (Mul N (Q (RankOf Tokens))) one))
  | AllLabels => (Truth MemorizesAll, true, one)
  | AllLabelsSkip => (Truth MemorizesAllSkip, true, one)
  | FittedLabels => (Truth MemorizesGiven, true, one)
  | MissedLabels => (Truth MemorizesGiven, false, Const 0%coqZ)
  | PartAndOthers p => (Capacity, false, Add (Q (CapacityOf p)) (Q (Outside p)))
  | ConcaveFrom0 p => (Capacity, false, Div (Mul (Q Heads) (Q (CapacityOf p))) (Max one (Q (PartHeads p))))
  | ConcaveFromConstants p => (Capacity, false,
      Div (Sub (Mul (Q Heads) (Q (CapacityOf p))) (Mul (Sub (Q Heads) (Q (PartHeads p)))
          (Max (Const 0%coqZ) (Sub (Q (RankOf Tokens)) (Q (RankOf Differences))))))
        (Max one (Q (PartHeads p))))
  | AnyHeads => (LargestRank, true, Q Capacity)
  | ManyHeads p => (LargestRank, true, Q (CapacityOf p))
  | SomeJacobian u => (FunctionalDimension, true, Q (RankJ l u))
  | AllJacobians u => (RankJ l u, false, Q FunctionalDimension)
  | EqualJacobianRows u => (RankJ l u, false, Mul (Q OutputDimension) (Q DistinctExamples))
  | ExponentCount => (FunctionalDimension, false, Add (Mul (Q Heads) tangents) (Mul (Q OutputDimension) (Q Capacity)))
  | ExponentProducts => (RankOf Exponents, false, Mul (Q (RankOf Differences)) (Q (RankOf Queries)))
  | DifferentExamples => (LargestRank, false, Q DistinctExamples)
  | BiasedTangents u => (RankJ l u, false, Add (Mul (Mul (Q Heads) (Q (RankOf Differences))) (Add (Q (RankOf Queries)) one))
      (Mul (Q OutputDimension) (Q (RankZ l))))
  | Tangents u => (RankJ l u, false, Add (Mul (Q Heads) tangents) (Mul (Q OutputDimension) (Q (RankZ l))))
  | RelatedOutputs => (FunctionalDimension, false, Mul (Q OutputDimension) (Q LargestRank))
  | MovingDirections =>
    let f := Min (Q OutputDimension) (Mul (Q Heads) (Q (RankOf Differences))) in
    (FunctionalDimension, false, Add (Mul (Sub (Q OutputDimension) f) (Q Capacity)) (Mul (Q LargestRank) f))
  | SumsOfEmbeddings s => (EmbeddedCapacity, false, paper_bound (Q (Spread s)))
  | SomeEmbeddings s => (EmbeddedCapacity, true, Q Capacity)
  | AlmostAllOutputs => (GenericOutputs, true, Q DistinctOutputs)
  | IndependentOutputs => (GenericOutputs, true, Q Capacity)
  | EqualInputs => (GenericOutputs, false, Q DistinctExamples)
  | EqualHeadsCones => (RankZ l, false, Mul (Q (DistinctHeads l)) (Q (RankOf Tokens)))
  | ConstantHeadsCones => (RankZ l, false, Add (Mul (Q (MovingHeads l)) (Q (RankOf Tokens))) one)
  end.

End Tables.

(* -------------------------------------------------------------------------- *)
(* Steps                                                                       *)
(* -------------------------------------------------------------------------- *)
(* quantity >= bound (true) or quantity <= bound (false)                        *)
Record fact := Fact { about : quantity; below : bool; bound : Z }.

Inductive step :=
  | MinorZ (l : layer_name) (p g o : Z) (rows : seq nat) (cols : seq (nat * nat))
  | Minor (m : matrix) (p : Z) (rows cols : seq nat)
  | MinorContexts (f : family) (p : Z)
  | Zero (m : matrix) (right : bool) (p : Z) (vectors : seq (seq Z))
  (* the matrix with its scales taken out, which the rows span modulo all of the numbers *)
  | Hadamard (m : matrix) (N : seq (seq Z)) (a b : seq Z) (rows : seq nat) (t : Z) (columns : bool) (primes : seq Z)
  | ZeroContext (f : family) (t : nat) (right : bool) (p : Z) (vectors : seq (seq Z))
  | Subsets (mixed : bool) (k : nat) (p : Z)
  | ZeroKruskal (mixed : bool) (y : seq Z)
  (* entries are sums of powers of b; for the right side in H parts of length d   *)
  | LeftZeroZ (l : layer_name) (p g o : Z) (vectors : seq (seq (seq (Z * Z))))
  | RightZeroZ (l : layer_name) (p g o : Z) (vectors : seq (seq (seq (seq (Z * Z)))))
  | ZeroCapacity (p : Z) (vectors : seq (seq Z))
  | Hulls (vectors : seq (seq Z))                           (* of the capacity, too *)
  | ZeroLargestRank (p : Z) (vectors : seq (seq Z))
  (* in each head a token for each row                                              *)
  | Coefficients (p : Z) (rows cols : seq nat) (tokens : seq (seq nat))
  (* functions of the weights, and the index that each vector has for itself        *)
  | ZeroFunctions (own : seq nat) (vectors : seq (seq (seq (seq Z * Z))))
  (* of the given layer; block H of the columns holds the labels                   *)
  | MinorLabels (p g o : Z) (rows : seq nat) (cols : seq (nat * nat))
  | ZeroLabels (p g o : Z) (vectors : seq (seq (seq (Z * Z))))
  | MinorDistinct (p g o : Z) (rows : seq nat) (cols : seq (nat * nat))
  | ZeroDistinct (p : Z) (pairs : seq (nat * nat))
  | Apply (x : theorem) (l : layer_name) (uses : seq nat)
  | ApplyPaper (x : paper_theorem) (uses : seq nat)
  | Show (w : witness)
  (* enclosures at so many bits, and a count or vectors                            *)
  | CountPairs (above : bool) (count bits : nat)
  | Spectrum (above : bool) (bits : nat) (vectors : seq (seq Z))
  | CountExamples (above : bool) (count bits : nat)
  (* T columns of Z of a layer, what is nearly their inverse, weights in balls       *)
  | ReadLabels (l : layer_name) (bits : nat) (cols : seq nat) (w : enclosed_readout)
  (* a minor of Z for all factors of the separators from one on                      *)
  | TailMinor (w : tail_data)
  (* and for the claim's factor, the same in all heads                             *)
  | LambdaMinor (s : separated_heads) (p g o : Z) (rows : seq nat) (cols : seq (nat * nat))
  (* rows are pairs of example and output, columns of head and entry                *)
  | MinorJ (l : layer_name) (u : option (seq (seq Z))) (p g o : Z) (rows : seq (nat * nat)) (cols : seq (nat * J_entry))
  (* vectors with J x = 0, by head                                                  *)
  | ZeroJ (l : layer_name) (u : option (seq (seq Z))) (p : Z) (vectors : seq (seq J_part))
  (* which examples: a layer's rows, and facts about capacities of parts that are too small                      *)
  | Circuits (l : layer_name) (p g o : Z) (cols : seq (nat * nat)) (set : seq nat) (conflicts : seq (nat * seq nat)) (uses : seq nat)
  (* of a matrix made of heads (RankBlocks): columns are pairs of a block and an entry; from the right in blocks  *)
  | MinorBlocks (b : blocks) (p g o : Z) (rows : seq nat) (cols : seq (nat * nat))
  | LeftZeroBlocks (b : blocks) (p g o : Z) (vectors : seq (seq (seq (Z * Z))))
  | RightZeroBlocks (b : blocks) (p g o : Z) (vectors : seq (seq (seq (seq (Z * Z)))))
  | ApplyBlocks (x : block_theorem) (uses : seq nat)
  (* by enclosures at so many bits: rows, columns of Z, and nearly the inverse over q                              *)
  | EnclosedMinor (l : layer_name) (bits : nat) (rows cols : seq nat) (q : positive) (inverse : seq (seq Z))
  (* what the steps, with their layers, prove about the capacity of a part: a bound from below or above *)
  | PartOf (p : part) (built : seq (option (layer * bool))) (steps : seq step) (above : bool)
  | NotCovered.

Definition fact_interval (f : fact) : interval :=
  if below f then (Some (bound f), None) else (None, Some (bound f)).

(* --- what follows from facts, and from the bounds of quantities that need no proof *)
Section Facts.
Variable naturally : quantity -> interval.

Definition bounds_from (facts : seq fact) (q : quantity) : interval :=
  foldr (fun f i => if quantity_dec (about f) q then
      (either Z.max i.1 (fact_interval f).1, either Z.min i.2 (fact_interval f).2) else i)
    (naturally q) facts.

Definition apply_from (conditions : seq (comparison quantity)) (bounded : quantity * bool * expr quantity)
    (facts : seq fact) : option fact :=
  if all (fun p => if decide (bounds_from facts) p is Some true then true else false) conditions then
    let: (q, lower, e) := bounded in
    let i := range (bounds_from facts) e in
    if (if lower then i.1 else i.2) is Some z then Some (Fact q lower z) else None
  else None.

Definition proves (ok : bool) (q : quantity) (lower : bool) (k : nat) : option fact :=
  if ok then Some (Fact q lower (Z.of_nat k)) else None.

Definition judge_from (s : statement) (c : claim) (facts : seq fact) : verdict :=
  let truths := [seq decide (bounds_from facts) p | p <- hypotheses s] in
  if has (fun x => if x is Some false then true else false) truths then Inapplicable
  else
    let proved := all (fun x => if x is Some true then true else false) truths in
    match decide (bounds_from facts) (conclusion s (asks c)) with
    | Some true => Verified proved
    | Some false => if proved then Refuted else Undecided
    | None => Undecided
    end.

End Facts.

(* the enclosures at so many bits that steps share: those of the first step about real numbers, and the scores *)
Definition bits_of (s : step) : option nat :=
  match s with CountPairs _ _ b | Spectrum _ b _ | CountExamples _ _ b => Some b | _ => None end.
Definition kept_enclosures : Type := (nat * (seq (seq (seq (Z * Z))) * option (seq (seq (Z * Z)))))%type.
Definition counts_examples (s : step) : bool := if s is CountExamples _ _ _ then true else false.
Definition table_at (D : problem) (kept : option kept_enclosures) (bits : nat) : seq (seq (seq (Z * Z))) :=
  if kept is Some (b, (A, _)) then if b == bits then A else attention_table D bits else attention_table D bits.
Definition scores_at (D : problem) (kept : option kept_enclosures) (bits : nat) : seq (seq (Z * Z)) :=
  if kept is Some (b, (_, Some us)) then if b == bits then us else scores_from D (table_at D kept bits) bits
  else scores_from D (table_at D kept bits) bits.
Definition shared_table (D : problem) (kept : option kept_enclosures) (steps : seq step) : option kept_enclosures :=
  if pmap bits_of steps is b :: _ then
    let A := table_at D kept b in
    let scores := if kept is Some (b', (_, us)) then if b' == b then us else None else None in
    Some (b, (A, if has counts_examples steps then Some (scores_at D (Some (b, (A, scores))) b) else scores))
  else kept.

Definition kept_right (D : problem) (kept : option kept_enclosures) : Prop :=
  if kept is Some (b, (A, scores)) then
    A = attention_table D b /\ (if scores is Some us then us = scores_from D A b else True)
  else True.

Section Check.
Variables (D : problem) (c : claim) (layers : layer_name -> option (layer * bool)).
Variable kept : option kept_enclosures.

Definition bounds := bounds_from (natural D layers c).

Definition non_zero (y : seq Z) : nat := count (fun x => ~~ (x =? 0)%coqZ) y.

Definition kruskal_zero_ok (mixed : bool) (y : seq Z) : bool :=
  [&& size y == T D, (0 < non_zero y)%N & zero_row (combination (d D) y (literal_vectors D mixed))].

(* theorems about logits need lists of the right lengths, those about labels weights, those about equal examples logits *)
(* that are a function of tokens and queries                                           *)
Definition readable (x : theorem) (l : layer_name) : bool :=
  match x with
  | ContextHulls => (0 < H D)%N
  | EqualHeads | ConstantHeads | EqualHeadsCones | ConstantHeadsCones => if layers l is Some La then wf_layer D La.1 else true
  | EqualRows => if layers l is Some La then ~~ projects La.1 else true
  | EqualOutputs | EqualLabelledRows => if layers None is Some La then ~~ projects La.1 else true
  | FittedLabels | MissedLabels => isSome (given D)
  | PartAndOthers p | ManyHeads p => good_part D p
  | ConcaveFrom0 p | ConcaveFromConstants p => (0 < part_heads p)%N && good_part D p
  | SumsOfEmbeddings s | SomeEmbeddings s =>
    equal_rows s (sequences (args c)) && (size s == T D) && all (fun r => size r == n D) s
  | _ => true
  end.

Definition apply_schema := apply_from (natural D layers c).

(* parts, as lists of examples, with what their facts say of how many can be memorized together *)
Definition spans (facts : seq fact) : seq (seq nat * Z) :=
  (iota 0 (T D), Z.of_nat (minn (T D) (H D * d D))) :: pmap (fun f =>
    if below f then None
    else match about f with
      | CapacityOf p => if (H D <= part_heads p)%N && good_part D p then Some (part_examples p, bound f) else None
      | Capacity => Some (iota 0 (T D), bound f)
      | _ => None
      end) facts.
(* the blocks of the given layer, where its lists are as long as they should be     *)
Definition given_blocks (b : blocks) : option (layer * bool * head_blocks) :=
  if layers None is Some (L, a) then
    if wf_layer D L then omap (fun B => (L, a, B)) (blocks_of D (args c) L a b) else None
  else None.

(* f of all contexts, which are often the same                                       *)
Definition once_if_equal (f : seq (seq Z) -> bool) (l : seq (seq (seq Z))) : bool :=
  if l is C :: l' then f C && (if all (equal_rows C) l' then true else all f l') else true.

Lemma once_if_equalP f l : once_if_equal f l -> all f l.
Proof.
case: l => //= C l /andP[fC]; rewrite fC => /orP[/allP same|//]; apply/allP => C' C'l.
by rewrite -(equal_rowsP _ _ (same _ C'l)).
Qed.

(* facts are those of the steps before, None where a step proves none; but for parts *)
Definition run_plain_step (facts : seq (option fact)) (s : step) : option fact :=
  match s with
  | MinorZ l p g o rows cols =>
    if layers l is Some (L, a) then proves (minor_Z_ok D L a p g o rows cols) (RankZ l) true (size rows)
    else None
  | Minor m p rows cols =>
    let: (h, w, M) := literal_rows D (args c) m in
    proves (well_shaped (args c) m && minor_rows_ok p h w M rows cols) (RankOf m) true (size rows)
  | MinorContexts f p =>
    proves ((n D <= d D)%N && once_if_equal (fun C => minor_rows_ok p (n D) (d D) C (iota 0 (n D)) (iota 0 (d D)))
      (members D (args c) f)) (least_rank_of f) true (n D)
  | Zero m side p V =>
    let: (h, w, M) := literal_rows D (args c) m in
    if side then proves (well_shaped (args c) m && right_zero_ok p w M V) (RankOf m) false (w - size V)
    else proves (well_shaped (args c) m && left_zero_ok p h w M V) (RankOf m) false (h - size V)
  | Hadamard m N a b rows t columns primes =>
    let: (_, w, M) := literal_rows D (args c) m in
    proves (well_shaped (args c) m && hadamard_ok w M N a b rows t columns primes) (RankOf m) false (size rows)
  | ZeroContext f t side p V =>
    let C := nth [::] (members D (args c) f) t in
    if (t < size (members D (args c) f))%N then
      if side then proves ((size C == n D) && right_zero_ok p (d D) C V) (least_rank_of f) false (d D - size V)
      else proves (left_zero_ok p (n D) (d D) C V) (least_rank_of f) false (n D - size V)
    else None
  | Subsets mixed k p =>
    proves (kruskal_ok p (T D) (d D) k (literal_vectors D mixed)) (Kruskal mixed) true k
  | ZeroKruskal mixed y => proves (kruskal_zero_ok mixed y) (Kruskal mixed) false (non_zero y).-1
  | LeftZeroZ l p g o V =>
    if layers l is Some (L, a) then proves (left_zero_Z_ok D L a p g o V) (RankZ l) false (T D - size V)
    else None
  | RightZeroZ l p g o V =>
    if layers l is Some (L, a) then
      proves (right_zero_Z_ok D L a p g o V) (RankZ l) false (H D * d D - size V)
    else None
  | ZeroCapacity p V => proves (zero_capacity_ok D p V) Capacity false (T D - size V)
  | Hulls V => proves true Capacity false (hulls_number D Softmax V)
  | ZeroLargestRank p V => proves (zero_capacity_ok D p V) LargestRank false (T D - size V)
  | Coefficients p rows cols tokens => proves (coefficients_ok D p rows cols tokens) Capacity true (size rows)
  | ZeroFunctions own V => proves (zero_functions_ok D own V) Capacity false (T D - size V)
  | MinorLabels p g o rows cols =>
    if layers None is Some (L, a) then proves (minor_labels_ok D L a p g o rows cols) RankWithLabels true (size rows)
    else None
  | ZeroLabels p g o V =>
    if layers None is Some (L, a) then
      proves (left_zero_Z_ok D L a p g o V && all (left_zero_labels D L a) V) RankWithLabels false (T D - size V)
    else None
  | MinorDistinct p g o rows cols =>
    if layers None is Some (L, a) then
      proves (different_rows_ok D L a p g o rows cols) DistinctOutputs true (size rows)
    else None
  | ZeroDistinct p pairs =>
    if layers None is Some (L, a) then
      proves (equal_rows_ok D L a p pairs) DistinctOutputs false (T D - size pairs)
    else None
  | Apply x l uses =>
    if readable x l then apply_schema (conditions x l) (bounded x l) (pmap (fun k => nth None facts k) uses)
    else None
  | ApplyPaper x uses =>
    if paper_proved D (args c) x then
      apply_schema (paper_conditions x) (paper_bounded x) (pmap (fun k => nth None facts k) uses)
    else None
  | Show w =>
    let: (x, holds) := shown w in proves (witness_ok D (args c) w) (Truth x) holds holds
  | CountPairs above k bits =>
    proves (count_pairs_ok D (args c) (table_at D kept bits) above k bits) Saturated above
      (if above then k else (pairs_counted D (args c) - k)%N)
  | Spectrum above bits X =>
    proves (spectrum_ok D (args c) (table_at D kept bits) above bits X) LargeSingularValues above
      (if above then size X else (smaller_side D - size X)%N)
  | CountExamples above k bits =>
    proves (count_examples_ok D (args c) (scores_at D kept bits) above k bits) Accurate above (if above then k else (T D - k)%N)
  | ReadLabels l bits cols w =>
    if layers l is Some (L, true) then proves (readout_ok D (args c) w L bits cols) (Truth ReadOut) true 1 else None
  | TailMinor w => proves (tail_ok D w) TailRank true (size (tail_rows w))
  | LambdaMinor s p g o rows cols =>
    if at_lambda (args c) is Some (a, q) then proves (lambda_minor_ok D s a q p g o rows cols) LambdaRank true (size rows)
    else None
  | MinorJ l u p g o rows cols =>
    if layers l is Some (L, a) then proves (minor_J_ok D L a u p g o rows cols) (RankJ l u) true (size rows) else None
  | ZeroJ l u p V =>
    if layers l is Some (L, a) then proves (zero_J_ok D L a u p V) (RankJ l u) false (columns_number D L - size V) else None
  | Circuits l p g o cols set conflicts uses =>
    if layers l is Some (L, a) then
      proves (circuits_ok D (args c) L a p g o cols set conflicts (spans (pmap (fun k => nth None facts k) uses)))
        (Truth (WhichExamples set conflicts)) true 1
    else None
  | MinorBlocks b p g o rows cols =>
    if given_blocks b is Some (L, a, B) then
      proves (minor_blocks_ok D L a B p g o rows cols) (RankBlocks b) true (size rows)
    else None
  | LeftZeroBlocks b p g o V =>
    if given_blocks b is Some (L, a, B) then proves (left_blocks_ok D L a B p g o V) (RankBlocks b) false (T D - size V)
    else None
  | RightZeroBlocks b p g o V =>
    if given_blocks b is Some (L, a, B) then
      proves (right_blocks_ok D L a B p g o V) (RankBlocks b) false (number_of B * block_width B - size V)
    else None
  | ApplyBlocks x uses =>
    if block_readable D x then
      apply_schema (block_conditions x) (block_bounded x) (pmap (fun k => nth None facts k) uses)
    else None
  | EnclosedMinor l bits rows cols q V =>
    if layers l is Some (L, a) then proves (enclosed_minor_ok D L a bits rows cols q V) (RankZ l) true (size rows) else None
  | PartOf _ _ _ _ | NotCovered => None
  end.

Definition judge (s : statement) := judge_from (natural D layers c) s c.

End Check.

(* the given layer, and those that steps define                                   *)
Definition all_layers (D : problem) (built : seq (option (layer * bool))) (l : layer_name) :
    option (layer * bool) :=
  if l is Some k then nth None built k else given_layer D None.

(* the bound of the capacity of a part that facts about it are                    *)
Definition part_fact (D : problem) (c : claim) (p : part) (built : seq (option (layer * bool))) (above : bool)
    (facts : seq (option fact)) : option fact :=
  let i := bounds (part_of D p) c (all_layers (part_of D p) built) (pmap id facts) Capacity in
  if (if above then i.1 else i.2) is Some z then Some (Fact (CapacityOf p) above z) else None.

Fixpoint run_step (D : problem) (c : claim) (layers : layer_name -> option (layer * bool))
    (kept : option kept_enclosures) (facts : seq (option fact)) (s : step) {struct s} : option fact :=
  match s with
  | PartOf p built steps above =>
    if good_part D p && wf_sizes (part_of D p) then
      part_fact D c p built above ((fix run (facts : seq (option fact)) (steps : seq step) : seq (option fact) :=
        if steps is s :: steps' then
          run (rcons facts (run_step (part_of D p) c (all_layers (part_of D p) built) None facts s)) steps'
        else facts) [::] steps)
    else None
  | _ => run_plain_step D c layers kept facts s
  end.

Definition run (D : problem) (c : claim) (layers : layer_name -> option (layer * bool))
    (kept : option kept_enclosures) : seq (option fact) -> seq step -> seq (option fact) :=
  fix run (facts : seq (option fact)) (steps : seq step) : seq (option fact) :=
  if steps is s :: steps' then run (rcons facts (run_step D c layers kept facts s)) steps' else facts.

Record result := Result { of_claim : verdict; of_steps : seq (option fact) }.

(* statements about the given layer                                               *)
Definition about_given (s : statement) : bool :=
  match s with Rank | Memorizes | Injective | InjectiveAlmostSurely | JacobianRank | RankOfBlocks _ | MemorizesBiased | OutputMemorizes _ => true
  | _ => false end.

(* Facts that are known already come before those of the steps, which count them too; enclosures are kept of earlier claims. *)
Definition check_after (known : seq fact) (kept : option kept_enclosures) (D : problem) (s : statement) (c : claim)
    (built : seq (option (layer * bool))) (steps : seq step) : result :=
  let layers := all_layers D built in
  if wf_sizes D && (~~ about_given s || isSome (given D)) then
    let facts := run D c layers (shared_table D kept steps) [seq Some f | f <- known] steps in
    Result (judge D c layers s (pmap id facts)) facts
  else Result Undecided [::].

Definition check (D : problem) (s : statement) (c : claim) (built : seq (option (layer * bool)))
    (steps : seq step) : result := check_after [::] None D s c built steps.

(* facts about the given layer, whatever the claim is and its steps define        *)
Definition lasting (f : fact) : bool := if about f is RankZ None then true else false.
