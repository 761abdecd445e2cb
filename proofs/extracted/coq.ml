(* A problem and claims as a Coq file that proves the claims again (../formal/REPLAY.md).  The file states what it proves
   in the words of attention.v; its steps are not trusted, as coqc evaluates the same check on them. *)
open Json
module P = Proved

(* --- terms *)

let largest = Z.of_int 1_000_000
let nat z =
  if Z.gt z largest then not_covered "numbers beyond 1000000, as Coq counts to indices and sizes one by one";
  Z.to_string z ^ "%N"
let pos z = Z.to_string z ^ "%positive"
let int z = "(" ^ Z.to_string z ^ ")%coqZ"
let listed ?(separator = "; ") items = if items = [] then "[::]" else "[:: " ^ String.concat separator items ^ "]"
let option term = function None -> "None" | Some x -> "(Some " ^ term x ^ ")"
let digits numbers = "\"" ^ String.concat " " (List.map Z.to_string numbers) ^ "\""
let integers numbers = "(integers " ^ digits numbers ^ ")"
let indices numbers = List.iter (fun k -> ignore (nat k)) numbers; "(indices " ^ digits numbers ^ ")"
let pairs couples = "(pairs " ^ digits (List.concat_map (fun (i, j) -> [ i; j ]) couples) ^ ")"
let sums terms =
  "(sums " ^ listed (List.map (fun t -> digits (List.concat_map (fun (x, c) -> [ x; c ]) t)) terms) ^ ")"

(* Many numbers are packed as `packed` of replay.v reads them: k words of 60 bits for x + 2^(60 k - 1), the lowest
   first.  0 for numbers that stay decimal. *)
let word = 60
let packed_from = 2000
let word_count numbers =
  let length, bits =
    List.fold_left (fun (l, b) x -> (l + String.length (Z.to_string x) + 1, max b (Z.numbits x + 1))) (0, 0) numbers in
  if length < packed_from then 0 else (bits + word - 1) / word
let words k row =
  let all = List.concat_map (fun x ->
      let x = Z.add x (Z.shift_left Z.one ((word * k) - 1)) in
      List.init k (fun i -> Z.format "%#x" (Z.extract x (word * i) word))) row in
  if all = [] then "End" else "[bits " ^ String.concat "; " all ^ "]"
let literal name shape numbers =
  match word_count numbers with
  | 0 -> Printf.sprintf "(%s %s)" name (shape digits "; ")
  | k -> Printf.sprintf "(packed_%s %s %s)" name (nat (Z.of_int k)) (shape (words k) ";\n    ")
let rows = function
  | [] -> "[::]"
  | m -> literal "rows" (fun row separator -> listed ~separator (List.map row m)) (List.concat m)
let matrices = function
  | [] -> "[::]"
  | all ->
    let matrix row m = "\n  " ^ listed ~separator:";\n      " (List.map row m) in
    literal "matrices" (fun row _ -> listed ~separator:";" (List.map (matrix row) all)) (List.concat (List.concat all))

(* --- names *)

let labelling = function
  | P.IntegerLabels -> "IntegerLabels" | P.TranscendentalLabels -> "TranscendentalLabels" | P.GivenLabels -> "GivenLabels"

let blocks = function
  | P.WithOnes l -> Printf.sprintf "(WithOnes %b)" l | P.OneHead o -> Printf.sprintf "(OneHead %b)" o
  | P.Outputs (o, l) -> Printf.sprintf "(Outputs %b %b)" o l

(* examples that a set leaves out, each with those that it conflicts with *)
let conflict (t, others) = Printf.sprintf "(%s, %s)" (nat t) (indices others)

let statement = function
  | P.Rank -> "Rank" | P.Memorizes -> "Memorizes" | P.Injective -> "Injective" | P.CapacityQuestion -> "CapacityQuestion"
  | P.KruskalQuestion -> "KruskalQuestion" | P.GeneralPosition -> "GeneralPosition" | P.Assumption1_ -> "Assumption1_"
  | P.Assumption2_ -> "Assumption2_" | P.Assumption3_ -> "Assumption3_" | P.AffineHullBound -> "AffineHullBound"
  | P.Proposition1 -> "Proposition1" | P.Proposition2 -> "Proposition2" | P.Proposition4 -> "Proposition4"
  | P.Proposition3 l -> "(Proposition3 " ^ labelling l ^ ")" | P.Proposition5 -> "Proposition5" | P.Theorem1 -> "Theorem1"
  | P.Remark1 -> "Remark1" | P.SkipConnection -> "SkipConnection" | P.AnyCoefficientsQuestion -> "AnyCoefficientsQuestion"
  | P.Lemma1 -> "Lemma1" | P.Lemma2 -> "Lemma2" | P.Lemma3 -> "Lemma3" | P.Lemma4 -> "Lemma4" | P.Lemma5 -> "Lemma5"
  | P.Claim1 -> "Claim1" | P.Claim2 -> "Claim2" | P.FiniteLambda b -> Printf.sprintf "(FiniteLambda %b)" b | P.Saturation -> "Saturation"
  | P.PositionalEncoding -> "PositionalEncoding" | P.NumericalRank -> "NumericalRank" | P.Accuracy -> "Accuracy"
  | P.Memorizable -> "Memorizable" | P.JacobianRank -> "JacobianRank"
  | P.FunctionalDimensionQuestion -> "FunctionalDimensionQuestion"
  | P.UnfittableLabels b -> Printf.sprintf "(UnfittableLabels %b)" b
  | P.WordsAndPositions -> "WordsAndPositions" | P.InjectiveAlmostSurely -> "InjectiveAlmostSurely"
  | P.WhichQuestion (set, conflicts) ->
    Printf.sprintf "(WhichQuestion %s %s)" (indices set) (listed (List.map conflict conflicts))
  | P.RankOfBlocks b -> "(RankOfBlocks " ^ blocks b ^ ")" | P.MemorizesBiased -> "MemorizesBiased"
  | P.OutputMemorizes b -> Printf.sprintf "(OutputMemorizes %b)" b
  | P.MatrixRank -> "MatrixRank" | P.ReluMemorizes -> "ReluMemorizes"

let question = function
  | P.IsValue -> "IsValue" | P.IsAtLeast -> "IsAtLeast" | P.IsAtMost -> "IsAtMost" | P.IsOpen -> "IsOpen"

let matrix = function
  | P.Queries -> "Queries" | P.Tokens -> "Tokens" | P.AffineTokens -> "AffineTokens" | P.Differences -> "Differences"
  | P.Exponents -> "Exponents"
  | P.MatrixA -> "MatrixA" | P.MatrixB -> "MatrixB" | P.MatrixC -> "MatrixC" | P.Block -> "Block"
  | P.RowVectors -> "RowVectors" | P.Shifted -> "Shifted" | P.SubsetQueries -> "SubsetQueries"

let family = function
  | P.AllContexts -> "AllContexts" | P.MixedContexts -> "MixedContexts" | P.SubsetContexts -> "SubsetContexts"

let part (p : P.part) = Printf.sprintf "(Part %s %s)" (nat p.part_heads) (indices p.part_examples)

let theorem =
  let readout name u = Printf.sprintf "(%s %s)" name (option rows u) in
  function
  | P.SomeJacobian u -> readout "SomeJacobian" u | P.AllJacobians u -> readout "AllJacobians" u
  | P.EqualJacobianRows u -> readout "EqualJacobianRows" u | P.ExponentCount -> "ExponentCount"
  | P.BiasedTangents u -> readout "BiasedTangents" u | P.Tangents u -> readout "Tangents" u | P.RelatedOutputs -> "RelatedOutputs"
  | P.MovingDirections -> "MovingDirections"
  | P.SumsOfEmbeddings s -> Printf.sprintf "(SumsOfEmbeddings %s)" (rows s)
  | P.SomeEmbeddings s -> Printf.sprintf "(SomeEmbeddings %s)" (rows s)
  | P.AlmostAllOutputs -> "AlmostAllOutputs" | P.IndependentOutputs -> "IndependentOutputs" | P.EqualInputs -> "EqualInputs"
  | P.EqualHeadsCones -> "EqualHeadsCones" | P.ConstantHeadsCones -> "ConstantHeadsCones"
  | P.ExponentProducts -> "ExponentProducts" | P.DifferentExamples -> "DifferentExamples"
  | P.AffineHull -> "AffineHull" | P.LinearHull -> "LinearHull" | P.ContextHulls -> "ContextHulls"
  | P.AnyCoefficients -> "AnyCoefficients" | P.SomeCoefficients -> "SomeCoefficients" | P.AnyWeights -> "AnyWeights"
  | P.CoefficientsOfWeights -> "CoefficientsOfWeights"
  | P.SomeWeights -> "SomeWeights" | P.EqualExamples -> "EqualExamples"
  | P.EqualRows -> "EqualRows" | P.EqualOutputs -> "EqualOutputs" | P.EqualLabelledRows -> "EqualLabelledRows"
  | P.AllLabels -> "AllLabels" | P.AllLabelsSkip -> "AllLabelsSkip" | P.FittedLabels -> "FittedLabels"
  | P.MissedLabels -> "MissedLabels" | P.LabelsBeside -> "LabelsBeside" | P.EqualHeads -> "EqualHeads" | P.ConstantHeads -> "ConstantHeads"
  | P.PartAndOthers p -> "(PartAndOthers " ^ part p ^ ")" | P.ConcaveFrom0 p -> "(ConcaveFrom0 " ^ part p ^ ")"
  | P.ConcaveFromConstants p -> "(ConcaveFromConstants " ^ part p ^ ")"
  | P.AnyHeads -> "AnyHeads" | P.ManyHeads p -> "(ManyHeads " ^ part p ^ ")"

let block_theorem = function
  | P.OnesBeside -> "OnesBeside" | P.OneColumn -> "OneColumn" | P.AffineHullOnes -> "AffineHullOnes"
  | P.OnesWithin -> "OnesWithin" | P.EqualRowsOnes -> "EqualRowsOnes"
  | P.EqualLabelledRowsOnes -> "EqualLabelledRowsOnes" | P.LabelsBesideOnes -> "LabelsBesideOnes"
  | P.FittedLabelsBias -> "FittedLabelsBias" | P.MissedLabelsBias -> "MissedLabelsBias"
  | P.LabelsAreZero -> "LabelsAreZero" | P.LabelsAreEqual -> "LabelsAreEqual"
  | P.OutputsOfMeans -> "OutputsOfMeans" | P.OutputsWithBiases -> "OutputsWithBiases"
  | P.EqualOutputRows -> "EqualOutputRows" | P.HeadHull -> "HeadHull" | P.HeadRows -> "HeadRows"
  | P.HeadOutputsOfMeans -> "HeadOutputsOfMeans"
  | P.HeadOutputRows -> "HeadOutputRows" | P.SingularValues -> "SingularValues"
  | P.OutputsAndLabels -> "OutputsAndLabels" | P.OutputsAndOnes -> "OutputsAndOnes"
  | P.OutputsOnesLabels -> "OutputsOnesLabels" | P.OutputsOneColumn -> "OutputsOneColumn"
  | P.OutputsZeroLabels -> "OutputsZeroLabels" | P.OutputsEqualLabels -> "OutputsEqualLabels"

let paper_theorem = function
  | P.MomentCurve -> "MomentCurve" | P.IntegerLabelling -> "IntegerLabelling"
  | P.TranscendentalLabelling -> "TranscendentalLabelling" | P.VandermondeEncoding -> "VandermondeEncoding"
  | P.ZeroEncoding -> "ZeroEncoding" | P.UnfittableOutputs b -> Printf.sprintf "(UnfittableOutputs %b)" b

let verdict = function
  | P.Verified b -> Printf.sprintf "(Verified %b)" b
  | P.Refuted -> "Refuted" | P.Inapplicable -> "Inapplicable" | P.Undecided -> "Undecided"

(* --- steps *)

let term name arguments = String.concat " " (name :: arguments)
let bool = string_of_bool
let layer_name = option nat

let inverses (v : P.inverses) =
  "(" ^ term "Inverses" [ pos v.q_right; matrices v.right; "\n    " ^ pos v.q_left; rows v.left ] ^ ")"

let rec tree = function
  | P.Leaf (examples, neurons, order) -> term "Leaf" [ integers examples; rows neurons; integers order ]
  | P.Branch (j, t, active, inactive) ->
    Printf.sprintf "Branch %s %s (%s)\n    (%s)" (nat j) (nat t) (tree active) (tree inactive)

let witness = function
  | P.CaseTrees trees -> term "CaseTrees" [ listed ~separator:";\n    " (List.map tree trees) ]
  | P.Network (qw, qa, neurons, bias) ->
    let neuron (x : P.neuron) =
      term "Neuron" [ rows x.on_context; integers x.on_query; int x.neuron_bias; int x.output ] in
    term "Network" [ pos qw; pos qa; listed (List.map neuron neurons); int bias ]
  | P.Perturbation (s, s', r) -> term "Perturbation" [ int s; int s'; pos r ]
  | P.NoPerturbation (p, r, x, y) -> term "NoPerturbation" [ int p; pos r; integers x; integers y ]
  | P.Separator (u, v) -> term "Separator" [ integers u; integers v ]
  | P.VertexOf (v, p, q) -> term "VertexOf" [ nat v; pos p; pos q ]
  | P.WeightsOf v -> term "WeightsOf" [ inverses v ]
  | P.OneHotOf (v, u, w, p, q) -> term "OneHotOf" [ inverses v; "\n    " ^ integers u; integers w; int p; pos q ]

let separated_heads (s : P.separated_heads) =
  "(" ^ term "SeparatedHeads"
    [ nat s.tail_width; pos s.tail_qk; matrices s.tail_key; "\n    " ^ pos s.tail_qq; matrices s.tail_query;
      "\n    " ^ pos s.tail_qu; rows s.tail_u; pos s.tail_qv; rows s.tail_v ] ^ ")"

let tail (w : P.tail_data) =
  let wide = "\n    " in
  term "Tail"
    [ separated_heads w.tail_heads; pos w.tail_num; pos w.tail_den;
      wide ^ indices w.tail_rows; indices w.tail_cols; wide ^ pos w.tail_qi; rows w.tail_inverse; integers w.tail_scale;
      nat w.tail_tries ]

(* equal members, which the reader shares, are written once *)
let repeated term all = function
  | x :: rest when rest <> [] && List.for_all (( == ) x) rest -> Printf.sprintf "nseq %d %s" (List.length rest + 1) (term x)
  | _ -> all ()

let projection (p : P.projection) =
  let keys () = listed ~separator:";\n  " (List.map matrices p.projected_keys) in
  Printf.sprintf "Projection %s %s %s\n  %s (%s)" (nat p.projected_width) (pos p.q_projected_queries)
    (matrices p.projected_queries) (pos p.q_projected_keys) (repeated matrices keys p.projected_keys)

let layer = function
  | P.Combined (q, w) -> term "Combined" [ pos q; matrices w ]
  | P.Projected p -> "Projected (" ^ projection p ^ ")"
  | P.Factors (m, qk, key, qq, query, qkb, key_bias, qqb, query_bias) ->
    term "Factors" [ nat m; pos qk; matrices key; "\n  " ^ pos qq; matrices query; "\n  " ^ pos qkb; rows key_bias;
      pos qqb; rows query_bias ]

let rec step s =
  let character p g o = [ int p; int g; int o ] in
  let minor p g o rows cols = character p g o @ [ indices rows; pairs cols ] in
  let many vector vectors = listed ~separator:";\n    " (List.map vector vectors) in
  let parts vector = listed (List.map sums vector) in
  match s with
  | P.EnclosedMinor (l, bits, rows_, cols, q, inverse) ->
    term "EnclosedMinor" [ layer_name l; nat bits; indices rows_; indices cols; pos q; rows inverse ]
  | P.MinorZ (l, p, g, o, rows, cols) -> term "MinorZ" (layer_name l :: minor p g o rows cols)
  | P.Minor (m, p, rows, cols) -> term "Minor" [ matrix m; int p; indices rows; indices cols ]
  | P.MinorContexts (f, p) -> term "MinorContexts" [ family f; int p ]
  | P.Zero (m, right, p, vectors) -> term "Zero" [ matrix m; bool right; int p; rows vectors ]
  | P.Hadamard (m, n, a, b, rows_, t, columns, primes) ->
    term "Hadamard" [ matrix m; rows n; integers a; integers b; indices rows_; int t; bool columns; integers primes ]
  | P.ZeroContext (f, t, right, p, vectors) ->
    term "ZeroContext" [ family f; nat t; bool right; int p; rows vectors ]
  | P.Subsets (mixed, k, p) -> term "Subsets" [ bool mixed; nat k; int p ]
  | P.ZeroKruskal (mixed, y) -> term "ZeroKruskal" [ bool mixed; integers y ]
  | P.LeftZeroZ (l, p, g, o, vectors) -> term "LeftZeroZ" ((layer_name l :: character p g o) @ [ many sums vectors ])
  | P.RightZeroZ (l, p, g, o, vectors) -> term "RightZeroZ" ((layer_name l :: character p g o) @ [ many parts vectors ])
  | P.ZeroCapacity (p, vectors) -> term "ZeroCapacity" [ int p; rows vectors ]
  | P.Hulls vectors -> term "Hulls" [ rows vectors ]
  | P.ZeroLargestRank (p, vectors) -> term "ZeroLargestRank" [ int p; rows vectors ]
  | P.Coefficients (p, rows_, cols, tokens) ->
    term "Coefficients" [ int p; indices rows_; indices cols; many indices tokens ]
  | P.ZeroFunctions (own, vectors) ->
    let value terms = listed (List.map (fun (x, c) -> Printf.sprintf "(%s, %s)" (integers x) (int c)) terms) in
    term "ZeroFunctions" [ indices own; many (fun row -> listed (List.map value row)) vectors ]
  | P.MinorLabels (p, g, o, rows, cols) -> term "MinorLabels" (minor p g o rows cols)
  | P.ZeroLabels (p, g, o, vectors) -> term "ZeroLabels" (character p g o @ [ many sums vectors ])
  | P.MinorDistinct (p, g, o, rows, cols) -> term "MinorDistinct" (minor p g o rows cols)
  | P.ZeroDistinct (p, couples) -> term "ZeroDistinct" [ int p; pairs couples ]
  | P.Apply (x, l, uses) -> term "Apply" [ theorem x; layer_name l; indices uses ]
  | P.ApplyPaper (x, uses) -> term "ApplyPaper" [ paper_theorem x; indices uses ]
  | P.MinorBlocks (b, p, g, o, rows, cols) -> term "MinorBlocks" (blocks b :: minor p g o rows cols)
  | P.LeftZeroBlocks (b, p, g, o, vectors) -> term "LeftZeroBlocks" ((blocks b :: character p g o) @ [ many sums vectors ])
  | P.RightZeroBlocks (b, p, g, o, vectors) -> term "RightZeroBlocks" ((blocks b :: character p g o) @ [ many parts vectors ])
  | P.ApplyBlocks (x, uses) -> term "ApplyBlocks" [ block_theorem x; indices uses ]
  | P.Show w -> "Show (" ^ witness w ^ ")"
  | P.CountPairs (above, count, bits) -> term "CountPairs" [ bool above; nat count; nat bits ]
  | P.Spectrum (above, bits, vectors) -> term "Spectrum" [ bool above; nat bits; rows vectors ]
  | P.CountExamples (above, count, bits) -> term "CountExamples" [ bool above; nat count; nat bits ]
  | P.ReadLabels (l, bits, cols, w) ->
    let part q m = pos q ^ " " ^ rows m in
    term "ReadLabels" [ layer_name l; nat bits; indices cols; "(" ^ term "EnclosedReadout"
      [ part w.q_inverse w.inverse_rows; part w.q_mid w.mids; part w.q_rad w.rads ] ^ ")" ]
  | P.TailMinor w -> "TailMinor (" ^ tail w ^ ")"
  | P.LambdaMinor (s, p, g, o, rows, cols) -> term "LambdaMinor" (separated_heads s :: minor p g o rows cols)
  | P.MinorJ (l, u, p, g, o, rows_of_J, cols) ->
    let entry (h, e) =
      let name, i, j = match e with
        | P.KeyEntry (i, j) -> ("KeyEntry", i, j) | P.QueryEntry (i, j) -> ("QueryEntry", i, j)
        | P.ReadEntry (i, j) -> ("ReadEntry", i, j) in
      Printf.sprintf "(%s, %s)" (nat h) (term name [ nat i; nat j ]) in
    term "MinorJ" ([ layer_name l; option rows u ] @ character p g o @ [ pairs rows_of_J; listed (List.map entry cols) ])
  | P.ZeroJ (l, u, p, vectors) ->
    let part x = term "JPart" [ rows x.P.on_keys; rows x.P.on_queries; rows x.P.on_reads ] in
    term "ZeroJ" [ layer_name l; option rows u; int p; listed (List.map (fun v -> listed (List.map part v)) vectors) ]
  | P.PartOf (p, built, steps, above) ->
    let built = List.map (option (fun (l, absorbed) -> Printf.sprintf "(%s, %b)" (layer l) absorbed)) built in
    term "PartOf" [ part p; "\n    " ^ listed built; "\n    " ^ listed ~separator:";\n    " (List.map step steps); bool above ]
  | P.Circuits (l, p, g, o, cols, set, conflicts, uses) ->
    term "Circuits" ((layer_name l :: character p g o)
      @ [ pairs cols; indices set; listed (List.map conflict conflicts); indices uses ])
  | P.NotCovered -> "NotCovered"

(* --- the problem *)

let whole (w : P.whole) =
  Printf.sprintf "{|\n  value_width := %s; output_width := %s;\n%s\n|}" (nat w.value_width) (nat w.output_width)
    (String.concat ";\n" (List.map (fun (q, den, name, value) -> Printf.sprintf "  %s := %s; %s := %s" q (pos den) name value)
      [ "q_value", w.q_value, "value_weights", matrices w.value_weights;
        "q_value_bias", w.q_value_bias, "value_bias", rows w.value_bias;
        "q_output", w.q_output, "output_weights", matrices w.output_weights;
        "q_output_shift", w.q_output_shift, "output_shift", integers w.output_shift;
        "q_skip", w.q_skip, "skip_rows", rows w.skip_rows;
        "q_readout", w.q_readout, "readout_weights", rows w.readout_weights;
        "q_readout_shift", w.q_readout_shift, "readout_shift", integers w.readout_shift ]))

(* The layer over the reals: the scale (and ln 2 for base 2) is in the key weights, and Z does not depend on others. *)
let real_layer = function
  | Some (P.Combined (q, _)) ->
    Printf.sprintf
      "(* The matrices W_h, times the scale (and ln 2 for base 2); Zmx is Z as a function of them. *)\n\
       Definition case_layer (R : realType) (h : 'I_(H case)) : 'M[R]_(d case) :=\n\
      \  factor R case false *: literal R (d case) (d case) %s case_combined h.\n\
       Lemma case_Z (R : realType) : given_Z R case case_weights false = Zmx (E R case) (e R case) (case_layer R).\n\
       Proof. exact: given_Z_combined. Qed.\n" (pos q)
  | Some (P.Factors (m, qk, _, qq, _, _, [], _, [])) ->
    let m = nat m in
    Printf.sprintf
      "(* The layer: the scale (and ln 2 for base 2) is in the key weights; Z does not depend on the others. *)\n\
       Definition case_layer (R : realType) : weights R (H case) (d case) %s 0 0 0 :=\n\
      \  Weights (fun h => factor R case false *: literal R (d case) %s %s case_key h)\n\
      \    (literal R (d case) %s %s case_query) (fun=> 0) 0 0.\n\
       Lemma case_Z (R : realType) : given_Z R case case_weights false = attention.Z (E R case) (e R case) (case_layer R).\n\
       Proof. exact: given_Z_factors. Qed.\n" m m (pos qk) m (pos qq)
  | _ -> ""

let problem ?lists (p : P.problem) =
  let definition name kind value = Printf.sprintf "Definition %s : %s := %s.\n" name kind value in
  let tensor = "seq (seq (seq Z))" in
  let given, weights =
    match p.given with
    | None -> ("None", "")
    | Some (P.Combined (q, w)) ->
      ( "Some case_weights",
        definition "case_combined" tensor (matrices w) ^ definition "case_weights" "layer" (term "Combined" [ pos q; "case_combined" ]) )
    | Some (P.Factors (m, qk, key, qq, query, qkb, key_bias, qqb, query_bias)) ->
      ( "Some case_weights",
        definition "case_key" tensor (matrices key) ^ definition "case_query" tensor (matrices query)
        ^ definition "case_weights" "layer" (term "Factors" [ nat m; pos qk; "case_key"; pos qq; "case_query\n   ";
            pos qkb; rows key_bias; pos qqb; rows query_bias ]) )
    | Some (P.Projected p) ->
      ( "Some case_weights",
        definition "case_projection" "projection" (projection p) ^ definition "case_weights" "layer" "Projected case_projection" ) in
  let optional name kind value = function
    | None -> ("None", "")
    | Some x -> ("Some " ^ name, definition name kind (value x)) in
  let around, whole = optional "case_around" "whole" whole p.around in
  let contexts, context_rows =
    match lists with
    | None -> (List.init (Z.to_int p.t) (fun k -> p.context_rows (Z.of_int k)), "nth [::] case_contexts")
    | Some lists -> (Array.to_list lists, Printf.sprintf "fun t => cycled %s (nth [::] case_contexts t)" (nat p.n)) in
  let scale =
    match p.logit_scale with
    | P.InverseRoot m -> "InverseRoot " ^ pos m
    | P.Rational (a, q) -> term "Rational" [ int a; pos q ] in
  String.concat ""
    [ "(* Integers over the common denominators that the record case gives; a string is a row. *)\n";
      definition "case_contexts" tensor (repeated rows (fun () -> matrices contexts) contexts);
      definition "case_queries" "seq (seq Z)" (rows p.queries); weights; whole;
      "Definition case : problem := {|\n  ";
      String.concat " " (List.map (fun (name, k) -> name ^ " := " ^ nat k ^ ";")
        [ "T", p.t; "H", p.h; "n", p.n; "d", p.d; "d_h", p.d_h; "d_v", p.d_v; "d_out", p.d_out ]);
      Printf.sprintf "\n  base_two := %b; logit_scale := %s;\n" p.base_two scale;
      Printf.sprintf "  q_contexts := %s; context_rows := %s;\n" (pos p.q_contexts) context_rows;
      Printf.sprintf "  q_queries := %s; queries := case_queries;\n  given := %s;\n" (pos p.q_queries) given;
      Printf.sprintf "  q_labels := %s; labels := %s;\n" (pos p.q_labels) (rows p.labels);
      Printf.sprintf "  around := %s\n|}.\n" around; real_layer p.given ]

let arguments (s : P.statement) (a : P.arguments) =
  let epsilon = [ pos a.epsilon_num; pos a.epsilon_den ] in
  match s with
  | P.Lemma1 | P.Lemma5 ->
    term "matrix_arguments" [ pos a.q_matrices; rows a.matrix_a; rows a.matrix_b; rows a.matrix_c ]
  | P.Lemma2 | P.MatrixRank -> term "shift_arguments" [ pos a.q_matrices; rows a.row_vectors; int a.shift_num; pos a.shift_den ]
  | P.Proposition3 _ | P.ReluMemorizes -> term "network_arguments" [ nat a.neurons; bool a.output_bias ]
  | P.Lemma3 | P.Claim1 | P.Claim2 ->
    term "subset_arguments" (indices a.subset :: pos a.q_coefficients :: rows a.coefficients :: epsilon)
  | P.Lemma4 ->
    term "vertex_arguments" ([ nat a.example; pos a.q_star; rows a.w_star; pos a.q_prime; rows a.w_prime ] @ epsilon)
  | P.Saturation | P.NumericalRank | P.Accuracy ->
    term "level_arguments" (epsilon @ [ option nat a.only_head; option indices a.classes ])
  | P.RankOfBlocks _ -> term "level_arguments" [ pos Z.one; pos Z.one; option nat a.only_head; "None" ]
  | P.FiniteLambda true ->
    let term (a, q) = Printf.sprintf "(%s, %s)" (int a) (pos q) in
    Printf.sprintf "Arguments 0 false 1 [::] [::] [::] [::] 0 1 [::] 1 [::] 0 1 [::] 1 [::] 1 1 None None false %s [::] [::]" (option term a.at_lambda)
  | P.WordsAndPositions -> term "sequence_arguments" [ rows a.sequences ]
  | P.WhichQuestion _ when a.values <> [] -> term "values_arguments" [ integers a.values ]
  | _ -> "no_arguments"

(* --- theorems, in the words of attention.v and replay.v; ARGS, CLAIM and LAMBDA are those of the claim *)

let hypothesis_words =
  [ "kruskal(queries) >= min(n, T)", "Assumption1 (n case) (e R case)"; "rank(contexts) >= n", "Assumption2 (E R case)";
    "kruskal(mixed-queries) >= min(n, T)", "Assumption3 (E R case) (e R case)";
    "distinct(contexts) <= 1", "(size (distinct equal_rows (contexts case)) <= 1)%N";
    "distinct(token-sums) <= 1", "(size (distinct Z.eqb [seq total r | r <- all_tokens case]) <= 1)%N";
    "T <= H*(r-1)+1", "(T case <= paper_rank (H case) (minn (n case) (d_h case)))%N";
    "d_out <= d_v", "(d_out case <= d_v case)%N"; "d_out <= min(d_v, d)", "(d_out case <= minn (d_v case) (d case))%N";
    "rank(vectors) >= rows(vectors)", "(size (row_vectors ARGS) <= \\rank (claim_mx R ARGS (row_vectors ARGS) (row_vectors ARGS)))%N";
    "perturbation >= 1", "small_perturbation R ARGS"; "fractions(inputs) = 0", "fractions case = 0%N";
    "T >= neurons*(varying(inputs)+1)+output_bias+1", "(neurons ARGS * (varying case + 1) + output_bias ARGS < T case)%N";
    "T*d_out >= H*rank(exponents)+d_out*((H-1)*rank(differences)+rank(tokens))+1", "more_outputs R case";
    "equal(entries) = 0", "equal_pairs (separated_entries case ARGS) = 0%N";
    "size(subset) <= r", "(size (subset ARGS) <= minn (n case) (d_h case))%N";
    "size(subset) <= r-1", "(size (subset ARGS) < minn (n case) (d_h case))%N";
    "rank(subset-queries) >= size(subset)", "\\rank (subset_queries R case ARGS) = size (subset ARGS)";
    "rank(subset-contexts) >= n",
    "((n case <= d case)%N /\\ forall k : 'I_(size (subset ARGS)), \\rank (context_of R case ARGS k) = n case)" ]

let hypotheses s =
  let words h =
    let text = Words.comparison_text Words.numbered h in
    match List.assoc_opt text hypothesis_words with Some words -> words | None -> not_covered ("the hypothesis " ^ text) in
  String.concat " /\\\n  " (List.map words (P.hypotheses s))

let some_layer bound =
  "exists P : weights R (H case) (d case) (d_h case) 0 0 0,\n    (" ^ bound
  ^ " <= \\rank (attention.Z (E R case) (e R case) P))%N"
let any_coefficients bound =
  "forall A : 'I_(T case) -> 'M[R]_(H case, n case),\n    (forall t, sum1 (A t)) -> (forall t h i, 0 <= A t h i) ->\n    (\\rank (attn_out A (E R case)) <= "
  ^ bound ^ ")%N"
let claim_rank key = Printf.sprintf "\\rank (claim_mx R ARGS (matrix_%s ARGS) (matrix_%s ARGS))" key key
let paper_rank = "minn (T case) (paper_rank (H case) (minn (n case) (d_h case)))"
let coefficients = "softmax_base case (E R case t *m W *m e R case t)"
let members = "forall (k : nat) (t : 'I_(T case)), (k < size (subset ARGS))%N -> nth 0%N (subset ARGS) k = t ->"

(* The number that a question is about, and a step of the proof that brings it into these words. *)
let number (p : P.problem) = function
  | P.CapacityQuestion | P.WhichQuestion _ -> Some ("capacity R case", "")
  | P.KruskalQuestion -> Some ("kruskal_rank (e R case)", "")
  | P.AnyCoefficientsQuestion -> Some ("rank_any R case", "")
  | P.Saturation -> Some ("saturated R case ARGS", "")
  | P.NumericalRank -> Some ("numerical_rank R case ARGS", "")
  | P.Accuracy -> Some ("accurate R case ARGS", "")
  | P.JacobianRank -> Some ("rank_J R case case_weights false None", "")
  | P.FunctionalDimensionQuestion -> Some ("functional_dimension R case", "")
  | P.WordsAndPositions -> Some ("embedded_capacity R case CLAIM", "")
  | P.RankOfBlocks b -> Some ("rank_blocks R case CLAIM case_weights false " ^ blocks b, "")
  | P.MatrixRank -> Some ("\\rank (claim_mx R ARGS (row_vectors ARGS) (row_vectors ARGS))", "")
  | P.Rank -> (
    match p.given with
    | Some (P.Combined _) -> Some ("\\rank (Zmx (E R case) (e R case) (case_layer R))", "rewrite -case_Z.\n")
    | Some (P.Factors (_, _, _, _, _, _, [], _, [])) ->
      Some ("\\rank (attention.Z (E R case) (e R case) (case_layer R))", "rewrite -case_Z.\n")
    | _ -> Some ("\\rank (given_Z R case case_weights false)", ""))
  | _ -> None

let conclusion = function
  | P.WhichQuestion (set, conflicts) ->
    Printf.sprintf "which_examples R case ARGS %s %s" (indices set) (listed (List.map conflict conflicts))
  | P.Memorizes -> "memorizes_given R case"
  | P.MemorizesBiased -> "memorizes_biased R case"
  | P.OutputMemorizes b -> Printf.sprintf "output_memorizes R case %b" b
  | P.Injective -> "injective (fun t => row t (given_Z R case case_weights false))"
  | P.GeneralPosition -> "general_position (e R case)"
  | P.Assumption1_ -> "Assumption1 (n case) (e R case)"
  | P.Assumption2_ -> "Assumption2 (E R case)"
  | P.Assumption3_ -> "Assumption3 (E R case) (e R case)"
  | P.AffineHullBound ->
    any_coefficients
      "minn (minn (minn (T case) (H case * d case)) (paper_rank (H case) (\\rank (affine_matrix R case))))\n\
      \      (H case * \\rank (token_matrix R case))"
  | P.Lemma1 -> Printf.sprintf "(%s + %s\n    <= \\rank (block_matrix R CLAIM))%%N" (claim_rank "a") (claim_rank "c")
  | P.Lemma2 -> "(size (row_vectors ARGS) <= \\rank (shifted_matrix R CLAIM))%N"
  | P.Lemma3 ->
    "exists (u : 'cV[R]_(d case)) (v : 'rV[R]_(d case)), [/\\ u != 0, v != 0,\n\
    \    forall t : 'I_(T case), in_subset ARGS t -> u *m v *m e R case t = 0 &\n\
    \    forall t : 'I_(T case), ~~ in_subset ARGS t -> forall i j, i != j ->\n\
    \    (E R case t *m (u *m v) *m e R case t) i 0 != (E R case t *m (u *m v) *m e R case t) j 0]"
  | P.Lemma4 -> "vertex_limit R case ARGS"
  | P.Lemma5 -> Printf.sprintf "(%s <= %s)%%N" (claim_rank "a") (claim_rank "b")
  | P.Claim1 ->
    Printf.sprintf "exists W : 'M[R]_(d case), (\\rank W <= size (subset ARGS))%%N /\\\n    %s\n    %s = prescribed R case ARGS k"
      members coefficients
  | P.Claim2 ->
    Printf.sprintf
      "exists i0 : 'I_(T case) -> 'I_(n case), forall (phi : nat -> 'cV[R]_(n case)) (eps : R),\n\
      \    (forall k, convex_comb (phi k)) -> 0 < eps ->\n\
      \    exists W : 'M[R]_(d case), [/\\ (\\rank W <= (size (subset ARGS)).+1)%%N,\n\
      \    %s\n    %s = phi k &\n\
      \    forall t : 'I_(T case), ~~ in_subset ARGS t ->\n\
      \    \\sum_i `|(%s) i 0 - (i == i0 t)%%:R| <= eps]" members coefficients coefficients
  | P.Proposition1 -> some_layer paper_rank
  | P.Proposition2 -> any_coefficients "paper_rank (H case) (n case)"
  | P.ReluMemorizes -> "fits ARGS (label R case)"
  | P.Proposition3 l -> "~ network_fits R case ARGS " ^ labelling l
  | P.Proposition4 -> "Assumption3 (E R case) (e R case) /\\ Assumption2 (fun t => mixed (E R case t))"
  | P.Proposition5 -> any_coefficients "paper_rank (H case) (d case)"
  | P.Theorem1 -> "memorizes_any R case"
  | P.SkipConnection -> "memorizes_any_skip R case"
  | P.Remark1 ->
    some_layer "minn (T case)\n      (paper_rank (H case) (minn (minn (n case) (d_h case)) (kruskal_rank (e R case))))"
  | P.FiniteLambda at_lambda ->
    let schedule = if at_lambda then "schedule_at case LAMBDA" else "schedule R case" in
    Printf.sprintf "(0 < %s)%%N ->\n    %s (%s)" paper_rank schedule paper_rank
  | P.Memorizable -> "(T case <= largest_rank R case)%N"
  | P.UnfittableLabels b -> Printf.sprintf "~ layer_fits R case %b" b
  | P.PositionalEncoding -> "(n case <= \\rank (sinusoidal_encoding (frequency R (d case)) (n case) (d case)))%N"
  | P.InjectiveAlmostSurely -> "(T case <= generic_outputs R case)%N"
  | P.Rank | P.MatrixRank | P.CapacityQuestion | P.AnyCoefficientsQuestion | P.KruskalQuestion | P.Saturation
  | P.NumericalRank | P.Accuracy | P.JacobianRank | P.FunctionalDimensionQuestion | P.WordsAndPositions | P.RankOfBlocks _ -> assert false (* questions for a number *)

(* --- claims *)

(* A claim, its steps, and what the check finds of it. *)
type claim = {
  index : int; name : string; problem : P.problem; about : P.statement; claim : P.claim;
  built : (P.layer * bool) option list; steps : P.step array; found : P.verdict;
  words : float  (* that the check allocates, and 30 for each subset: a measure of work that is the same on every machine *) }

let layer_of = function
  | P.MinorZ (l, _, _, _, _, _) | P.LeftZeroZ (l, _, _, _, _) | P.RightZeroZ (l, _, _, _, _) | P.Apply (_, l, _)
  | P.ReadLabels (l, _, _, _) | P.EnclosedMinor (l, _, _, _, _, _) | P.Circuits (l, _, _, _, _, _, _, _) -> l
  | _ -> None
let uses_of = function
  | P.Apply (_, _, uses) | P.Circuits (_, _, _, _, _, _, _, uses) | P.ApplyPaper (_, uses) | P.ApplyBlocks (_, uses) -> List.map Z.to_int uses | _ -> []

(* Modulo the largest prime below 2^23 subsets are checked the quickest, if they are independent there. *)
let lighter = function P.Subsets (mixed, k, _) -> P.Subsets (mixed, k, Z.of_int 8388593) | step -> step

(* The steps as they are written, their facts, and the words that each takes. *)
let run p claim built steps =
  let layers = P.all_layers p built in
  let measured f = let before = Gc.minor_words () in let x = f () in (x, Gc.minor_words () -. before) in
  let kept, shared = measured (fun () -> P.shared_table p None (Array.to_list steps)) in
  let earlier = ref [] in
  let result = Array.map (fun step ->
      let run_step step = measured (fun () -> P.run_step p claim layers kept (List.rev !earlier) step) in
      let step, (fact, words) =
        match run_step (lighter step) with
        | None, _ -> (step, run_step step)
        | found -> (lighter step, found) in
      earlier := fact :: !earlier;
      let words = match step with P.Subsets (_, k, _) -> words +. 30. *. Steps.binomial (Z.to_int p.P.t) (Z.to_int k) | _ -> words in
      (step, fact, if P.bits_of step = None then words else words +. shared)) steps in
  (Array.map (fun (s, _, _) -> s) result, Array.map (fun (_, f, _) -> f) result, Array.map (fun (_, _, w) -> w) result)

(* Leaves out the steps that the verdict does not need, the longest first.  An open question is about the number that is
   found. *)
let prepare index name (p : P.problem) about (claim : P.claim) built steps facts cost =
  if not (P.wf_sizes p && Z.sign p.d > 0) || Z.sign claim.asked < 0 then not_covered "problems of these sizes";
  let layers = P.all_layers p built in
  let alive = Array.map (( <> ) None) facts in
  let proved () = List.filteri (fun k _ -> alive.(k)) (Array.to_list facts) |> List.filter_map Fun.id in
  let claim =
    match P.conclusion about claim.asks with
    | P.Decided e -> (
      match P.range (P.bounds p claim layers (proved ())) e with
      | Some l, Some u when Z.equal l u -> { claim with asks = P.IsValue; asked = l }
      | _ -> claim)
    | _ -> claim in
  let judge () = P.judge p claim layers about (proved ()) in
  let found = judge () in
  if found = P.Undecided then not_covered "its certificate does not decide it";
  let order = List.sort (fun i j -> compare cost.(j) cost.(i)) (List.init (Array.length steps) Fun.id) in
  List.iter (fun k ->
    if alive.(k) then begin
      let before = Array.copy alive in
      alive.(k) <- false;
      Array.iteri (fun j step -> if List.exists (fun u -> before.(u) && not alive.(u)) (uses_of step) then alive.(j) <- false)
        steps;
      if judge () <> found then Array.blit before 0 alive 0 (Array.length alive)
    end) order;
  let sum = ref 0. in
  Array.iteri (fun k live -> if live then sum := !sum +. cost.(k)) alive;
  let steps = Array.mapi (fun k step -> if alive.(k) then step else P.NotCovered) steps in
  { index; name; problem = p; about; claim; built; steps; found; words = !sum }

let replace_all pattern by text =
  let n = String.length pattern in
  let out = Buffer.create (String.length text) in
  let rec go i =
    if i < String.length text then
      if i + n <= String.length text && String.sub text i n = pattern then (Buffer.add_string out by; go (i + n))
      else (Buffer.add_char out text.[i]; go (i + 1)) in
  go 0;
  Buffer.contents out

let claim_theorem c claim =
  let name = statement c.about and k = c.index in
  let conclusion, rewrite =
    match (match c.about, c.claim.asks with P.WhichQuestion _, P.IsOpen -> None | about, _ -> number c.problem about) with
    | None -> (conclusion c.about, "")
    | Some (number, rewrite) ->
      let a = Z.to_string c.claim.asked in
      ( (match c.claim.asks with
         | P.IsAtLeast -> Printf.sprintf "(%s <= %s)%%N" a number
         | P.IsAtMost -> Printf.sprintf "(%s <= %s)%%N" number a
         | P.IsValue | P.IsOpen -> Printf.sprintf "(%s = %s)%%N" number a), rewrite ) in
  let hypotheses = hypotheses c.about in
  let checked = Printf.sprintf "claim_%d_checked" k in
  let by theorem = Printf.sprintf "(@%s R case %s %s (erefl true : plain case %s)" theorem name claim claim in
  let text, proof =
    match c.found with
    | P.Inapplicable -> ("~ (" ^ hypotheses ^ ")", Printf.sprintf "exact: %s %s)." (by "inapplicable") checked)
    | P.Refuted when hypotheses = "" ->
      ("~ (" ^ conclusion ^ ")", Printf.sprintf "exact: (proj2 %s %s))." (by "refuted") checked)
    | P.Refuted ->
      (Printf.sprintf "(%s) /\\ ~ (%s)" hypotheses conclusion, Printf.sprintf "exact: %s %s)." (by "refuted") checked)
    | P.Verified true when hypotheses <> "" ->
      ( Printf.sprintf "(%s) /\\\n  (%s)" hypotheses conclusion,
        Printf.sprintf "split; [exact: %s %s)|exact: %s _ %s)]." (by "verified_hypotheses") checked (by "verified") checked )
    | _ -> (conclusion, Printf.sprintf "exact: %s _ %s)." (by "verified") checked) in
  Printf.sprintf "Theorem claim_%d (R : realType) :\n  %s.\nProof.\n%s%s\nQed.\n" k text rewrite proof

let claim c =
  let k = c.index in
  let used = List.sort_uniq compare (List.filter_map (fun s -> Option.map Z.to_int (layer_of s)) (Array.to_list c.steps)) in
  let built = Array.of_list c.built in
  let defined = List.filter (fun j -> j < Array.length built && built.(j) <> None) used in
  let own j = Printf.sprintf "claim_%d_layer_%d" k j in
  let layers =
    List.init (List.fold_left max (-1) defined + 1) (fun j ->
      match built.(j) with
      | Some (_, absorbed) when List.mem j defined -> Printf.sprintf "Some (%s, %b)" (own j) absorbed
      | _ -> "None") in
  let last = ref 0 in
  Array.iteri (fun j s -> if s <> P.NotCovered then last := j + 1) c.steps;
  let steps = List.map step (Array.to_list (Array.sub c.steps 0 !last)) in
  let term_of_arguments = arguments c.about c.claim.args in
  let args, definition =
    if term_of_arguments = "no_arguments" then (term_of_arguments, "")
    else
      let name = Printf.sprintf "claim_%d_arguments" k in
      (name, Printf.sprintf "Definition %s : arguments :=\n  %s.\n" name term_of_arguments) in
  let claim = Printf.sprintf "(Claim %s %s %s)" (question c.claim.asks) (int c.claim.asked) args in
  let lambda = match c.claim.args.at_lambda with
    | Some (a, q) -> Printf.sprintf "(toF R %s / toF R (Zpos %s))" (int a) (pos q) | None -> "" in
  let found = verdict c.found in
  String.concat ""
    [ Printf.sprintf "(* Claim %d, %s: %s.  In OCaml the check allocates %.0f words (30 are counted for each subset). *)\n" k c.name
        (Words.verdict_text c.found) c.words;
      String.concat "" (List.map (fun j ->
        Printf.sprintf "Definition %s : layer :=\n  %s.\n" (own j) (layer (fst (Option.get built.(j))))) defined);
      definition;
      Printf.sprintf "Definition claim_%d_layers : seq (option (layer * bool)) := %s.\n" k (listed layers);
      Printf.sprintf "Definition claim_%d_steps : seq step :=\n  %s.\n" k (listed ~separator:";\n  " steps);
      Printf.sprintf "Lemma claim_%d_checked : checked case %s %s %s.\nProof.\nexists claim_%d_layers, claim_%d_steps.\n\
                      vm_cast_no_check (erefl %s).\nQed.\n" k (statement c.about) claim found k k found;
      replace_all "LAMBDA" lambda (replace_all "ARGS" args (replace_all "CLAIM" claim (claim_theorem c claim))) ]

(* --- files *)

let preamble =
  "Set Warnings \"-notation-overridden,-ambiguous-paths\".\n\
   From Attest Require Import replay.\n\
   Set Implicit Arguments.\n\
   Unset Strict Implicit.\n\
   Unset Printing Implicit Defensive.\n\
   Import GRing.Theory Num.Theory.\n\
   Delimit Scope Z_scope with coqZ.\n\
   Local Open Scope text_scope.\n\
   Local Open Scope ring_scope.\n\
   Local Notation Z := BinNums.Z.\n"

(* Nothing in a comment ends it, or starts a string. *)
let comment text =
  let plain = function
    | 'A' .. 'Z' | 'a' .. 'z' | '0' .. '9' | ' ' | '.' | ',' | ':' | ';' | '=' | '+' | '<' | '>' | '/' | '_' | '-' -> true
    | _ -> false in
  String.map (fun c -> if plain c then c else '\'') text

let file ?lists case_path digest (p : P.problem) claims =
  Printf.sprintf
    "(* Case %s, digest\n\
    \   %s\n\
    \   Written by attest-check-proved --coq from the canonical problem and the certificate.  Compile it with\n\
    \     coqc -Q proofs/formal Attest FILE.v\n\
    \   E and e are the contexts and queries of the case over the reals R, case_layer its weights, Z, softmax\n\
    \   and all other words those of attention.v; replay.v and problem.v have the rest.  The\n\
    \   steps are not trusted: each claim_K_checked evaluates the check of check.v on them.%s *)\n%s\n%s\n%s"
    (comment (Filename.basename case_path)) digest
    (if lists = None then "" else "  The contexts\n   are lists of tokens, repeated until all are equally long, which changes no mean: heads.v. ")
    preamble (problem ?lists p) (String.concat "\n" (List.map claim claims))
