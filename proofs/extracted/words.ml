(* What is printed: facts, statements, theorems, and the line of a claim, in the words of attest-check.  Trusted. *)
open Claims


(* names of layers, of parts of the problem, and of sets of examples with what conflicts with them; what a claim calls its rows *)
type names = {
  layer : Z.t option -> string; part : P.part -> string; which : Z.t list -> (Z.t * Z.t list) list -> string; rows : string }
let rows_of statement = if statement = P.MatrixRank then "matrix" else "vectors"
let listed between examples = String.concat between (List.map Z.to_string examples)
let which_text set conflicts =
  String.concat ";" (listed "," set :: List.map (fun (t, others) -> Z.to_string t ^ ":" ^ listed "," others) conflicts)
let numbered =
  { layer = (function None -> "given" | Some k -> Z.to_string k); part = (fun _ -> "P"); which = which_text; rows = "vectors" }

let rec quantity_text names = function
  | P.Examples -> "T" | P.Heads -> "H" | P.Context -> "n" | P.Dimension -> "d" | P.HeadDimension -> "d_h"
  | P.ValueDimension -> "d_v" | P.OutputDimension -> "d_out" | P.LeastRank -> "r" | P.Asked -> "asked"
  | P.RankOf P.RowVectors -> "rank(" ^ names.rows ^ ")"
  | P.RankOf m ->
    "rank(" ^ fst (List.find (fun (_, k) -> k = m) Steps.matrix_names) ^ ")"
  | P.RankContexts -> "rank(contexts)" | P.RankMixedContexts -> "rank(mixed-contexts)"
  | P.RankSubsetContexts -> "rank(subset-contexts)" | P.RankEncoding -> "rank(encoding)"
  | P.RankWithLabels -> "rank(Z|Y)" | P.DistinctOutputs -> "distinct(Z)"
  | P.RankZ l -> "rank(Z(" ^ names.layer l ^ "))" | P.RankAny -> "rank(Z(any))" | P.Capacity -> "capacity" | P.TailRank -> "tail_rank"
  | P.LambdaRank -> "lambda_rank" | P.LargestRank -> "largest_rank"
  | P.CapacityOf p -> "capacity(" ^ names.part p ^ ")" | P.PartExamples p -> "T(" ^ names.part p ^ ")"
  | P.PartHeads p -> "H(" ^ names.part p ^ ")" | P.Outside p -> "distinct(outside(" ^ names.part p ^ "))"
  | P.Kruskal false -> "kruskal(queries)" | P.Kruskal true -> "kruskal(mixed-queries)"
  | P.DistinctContexts -> "distinct(contexts)" | P.DistinctTokens -> "distinct(tokens)"
  | P.DistinctExamples -> "distinct(examples)" | P.DistinctLabelled -> "distinct(labelled-examples)"
  | P.DistinctSums -> "distinct(token-sums)"
  | P.InShape l -> "in_shape(" ^ names.layer l ^ ")" | P.DistinctHeads l -> "heads(" ^ names.layer l ^ ")"
  | P.MovingHeads l -> "moving(" ^ names.layer l ^ ")" | P.Neurons -> "neurons" | P.OutputBias -> "output_bias"
  | P.SizeSubset -> "size(subset)" | P.RowsOfVectors -> "rows(vectors)" | P.Varying -> "varying(inputs)"
  | P.Fractions -> "fractions(inputs)" | P.OffMomentCurve -> "off_moment_curve" | P.EqualEntries -> "equal(entries)"
  | P.Saturated -> "saturated" | P.LargeSingularValues -> "numerical_rank" | P.Accurate -> "accurate"
  | P.RankJ (l, _) -> "rank(J(" ^ names.layer l ^ "))" | P.FunctionalDimension -> "functional_dimension"
  | P.RankBlocks b -> fst (List.find (fun (_, k) -> k = b) Steps.block_names)
  | P.OnlyHead -> "head" | P.ValueBiases -> "nonzero(value-bias)"
  | P.LabelEntries false -> "nonzero(labels)" | P.LabelEntries true -> "varying(labels)"
  | P.Truth x -> (
    match x with
    | P.NetworkFits P.IntegerLabels -> "network(integer)" | P.NetworkFits P.TranscendentalLabels -> "network(transcendental)"
    | P.NetworkFits P.GivenLabels -> "network(given)" | P.SmallPerturbation -> "perturbation" | P.Separates -> "separator"
    | P.VertexLimit -> "vertex_limit" | P.Prescribed -> "weights" | P.OneHot -> "one_hot"
    | P.ReadOut -> "readout" | P.MemorizesAll -> "memorized(any)" | P.MemorizesAllSkip -> "memorized(skip)"
    | P.MemorizesGiven -> "memorized(given)" | P.MemorizesBias -> "memorized(bias)"
    | P.LayerFits transcendental -> if transcendental then "layer(transcendental)" else "layer(integer)"
    | P.WhichExamples (set, conflicts) -> "which(" ^ names.which set conflicts ^ ")")
  | P.EmbeddedCapacity -> "embedded_capacity" | P.GenericOutputs -> "generic_outputs"
  | P.Spread _ -> "spread(sequences)" | P.SumsOfWords _ -> "sums(sequences)"

(* with the parentheses of src/theory/table.cpp; strength 0 sum, 1 product, 2 factor *)
and expression_text names e =
  let rec go strength e =
    let paren own s = if own < strength then "(" ^ s ^ ")" else s in
    let rec flat pick e = match pick e with Some (a, b) -> flat pick a @ flat pick b | None -> [ go 0 e ] in
    match e with
    | P.Const z -> Z.to_string z
    | P.Qty q -> quantity_text names q
    | P.Add (a, b) -> paren 0 (go 0 a ^ "+" ^ go 1 b)
    | P.Sub (a, b) -> paren 0 (go 0 a ^ "-" ^ go 1 b)
    | P.Mul (a, b) -> paren 1 (go 1 a ^ "*" ^ go 2 b)
    | P.Div (a, b) -> paren 1 (go 1 a ^ "/" ^ go 2 b)
    | P.Min _ -> "min(" ^ String.concat ", " (flat (function P.Min (a, b) -> Some (a, b) | _ -> None) e) ^ ")"
    | P.Max _ -> "max(" ^ String.concat ", " (flat (function P.Max (a, b) -> Some (a, b) | _ -> None) e) ^ ")" in
  go 0 e

let rec comparison_text names = function
  | P.AtLeast (a, b) -> expression_text names a ^ " >= " ^ expression_text names b
  | P.AtMost (a, b) -> expression_text names a ^ " <= " ^ expression_text names b
  | P.Equal (a, b) -> expression_text names a ^ " = " ^ expression_text names b
  | P.Both (a, b) -> comparison_text names a ^ " and " ^ comparison_text names b
  | P.Decided a -> "decided(" ^ expression_text names a ^ ")"

(* of step k *)
let fact_text ~rows k (f : P.fact) =
  quantity_text { numbered with part = (fun _ -> string_of_int k); rows } f.P.about ^ (if f.P.below then " >= " else " <= ") ^ Z.to_string f.P.bound

(* --- the line of a claim *)

(* the numbers that are shown, as in src/theory/table.cpp *)
let paper_bound = "Proposition 1's bound under its assumptions"  (* the softmax's, which needs min(n, d_h) *)
let any_coefficients = "rank(Z) for any coefficients"
let premise = "labels that are independent by the theorem of Lindemann and Weierstrass (no formal proof here)"
let shown statement =
  let q x = P.Qty x and k x = P.Const (Z.of_int x) in
  let ( + ) a b = P.Add (a, b) and ( * ) a b = P.Mul (a, b) in
  let rank = ("rank(Z)", q (P.RankZ None)) and kruskal = ("Kruskal rank", q (P.Kruskal false)) in
  let capacity = ("capacity", q P.Capacity) and any = (any_coefficients, q P.RankAny) in
  let paper r = P.Min (q P.Examples, P.paper_bound r) in
  let paper_lower = (paper_bound, paper (q P.LeastRank)) in
  let heads = q P.Heads and d = q P.Dimension and d_h = q P.HeadDimension and d_v = q P.ValueDimension
  and d_out = q P.OutputDimension in
  let parameters = (heads * d * ((k 2 * d_h) + d_v)) + (heads * d_v * d_out) + (d_out * d_out) in
  let functional = ("functional dimension", q P.FunctionalDimension) in
  let trained = [ ("outputs", q P.Examples * d_out); ("parameters", heads * d * ((k 2 * d_h) + d_out)) ] in
  let network = ("parameters of the network", (q P.Neurons * (((q P.Context + k 1) * d) + k 2)) + q P.OutputBias) in
  let ranks = List.map (fun (text, m) -> (text, q (P.RankOf m))) in
  let independent number = (premise, number) in
  match statement with
  | P.Rank -> [ rank; paper_lower; any ]
  | P.CapacityQuestion | P.WhichQuestion _ | P.Proposition1 | P.Proposition2 | P.Proposition5 -> [ capacity; paper_lower; any ]
  | P.AnyCoefficientsQuestion -> [ any; capacity ]
  | P.Memorizes -> [ rank; ("rank [Z Y]", q P.RankWithLabels) ]
  | P.RankOfBlocks b ->
    let blocks name = (name, q (P.RankBlocks b)) in
    (match b with
     | P.WithOnes _ -> [ blocks "rank [Z 1]"; paper_lower; any ]
     | P.OneHead false -> [ blocks "rank(Z_h)" ]
     | P.OneHead true -> [ blocks "rank of the head's outputs" ]
     | P.Outputs _ -> [ blocks "rank of the outputs" ])
  | P.MemorizesBiased ->
    [ rank; ("rank [Z 1]", q (P.RankBlocks (P.WithOnes false))); ("rank [Z 1 Y]", q (P.RankBlocks (P.WithOnes true))) ]
  | P.OutputMemorizes bias ->
    let outputs o l = q (P.RankBlocks (P.Outputs (o, l))) in
    ("rank of the outputs", outputs false false)
    :: (if bias then [ ("rank [O 1]", outputs true false); ("rank [O 1 Y]", outputs true true) ]
        else [ ("rank [O Y]", outputs false true) ])
  | P.Injective -> [ ("different outputs", q P.DistinctOutputs) ]
  | P.Saturation -> [ ("saturated pairs", q P.Saturated) ]
  | P.NumericalRank -> [ ("numerical rank", q P.LargeSingularValues) ]
  | P.Accuracy -> [ ("accurate examples", q P.Accurate) ]
  | P.Memorizable -> [ ("largest rank for any number of heads", q P.LargestRank) ]
  | P.KruskalQuestion | P.GeneralPosition | P.Assumption1_ -> [ kruskal ]
  | P.Assumption2_ -> [ ("least rank of a context", q P.RankContexts) ]
  | P.Assumption3_ -> [ ("Kruskal rank of these vectors", q (P.Kruskal true)) ]
  | P.AffineHullBound -> [ paper_lower; any ]
  | P.MatrixRank -> ranks [ ("rank(M)", P.RowVectors) ]
  | P.Lemma1 -> ranks [ ("rank(a)", P.MatrixA); ("rank(c)", P.MatrixC); ("rank of the block matrix", P.Block) ]
  | P.Lemma2 -> ranks [ ("rank of the vectors", P.RowVectors); ("rank of the shifted ones", P.Shifted) ]
  | P.Lemma5 -> ranks [ ("rank(A)", P.MatrixA); ("rank(B)", P.MatrixB) ]
  | P.ReluMemorizes -> [ network ]
  | P.Proposition3 labels ->
    [ network;
      ("examples that defeat it", (q P.Neurons * (q P.Varying + k 1)) + q P.OutputBias + k 1) ]
    @ if labels = P.TranscendentalLabels then [ independent (q P.Examples) ] else []
  | P.FiniteLambda true -> [ ("rank at this lambda", q P.LambdaRank); capacity; paper_lower; any ]
  | P.FiniteLambda false -> [ ("rank for all large lambda", q P.TailRank); capacity; paper_lower; any ]
  | P.Theorem1 | P.SkipConnection ->
    [ capacity; paper_lower; any; ("parameters", parameters); ("numbers to memorize", q P.Examples * d_out);
      ("trivial upper bound of examples", P.Div (parameters, d_out)) ]
  | P.Remark1 ->
    let least = P.Max (k 0, paper (P.Min (q P.LeastRank, q (P.Kruskal false)))) in
    [ kruskal; capacity; ("the remark's bound under its assumptions", least); any ]
  | P.PositionalEncoding -> [ ("rank of the encoding", q P.RankEncoding) ]
  | P.JacobianRank -> (("rank(J)", q (P.RankJ (None, None))) :: trained) @ [ functional ]
  | P.FunctionalDimensionQuestion -> functional :: trained
  | P.UnfittableLabels transcendental ->
    [ List.hd trained; ("bound of their transcendence degree", P.transcendence_degree) ]
    @ if transcendental then [ independent (q P.Examples * d_out) ] else []
  | P.WordsAndPositions -> [ ("capacity for any embeddings", q P.EmbeddedCapacity); capacity ]
  | P.InjectiveAlmostSurely ->
    [ ("different outputs for almost all weights", q P.GenericOutputs); ("different outputs for these", q P.DistinctOutputs) ]
  | P.Lemma3 | P.Lemma4 | P.Claim1 | P.Claim2 | P.Proposition4 -> []

(* "rank(Z) = 3", "rank(Z) = ?"; otherwise the conclusion *)
let of_heads ?(of_ = " of ") = function
  | None -> ""
  | Some h -> of_ ^ Z.to_string h ^ if Z.equal h Z.one then " head" else " heads"

let claimed_text statement heads (claim : P.claim) =
  let about relation number = fst (List.hd (shown statement)) ^ of_heads heads ^ relation ^ number in
  let asked = Z.to_string claim.P.asked in
  match P.conclusion statement P.IsOpen with
  | P.Decided _ | P.Both (P.Decided _, _) -> (
    match claim.P.asks with
    | P.IsValue -> about " = " asked
    | P.IsAtLeast -> about " >= " asked
    | P.IsAtMost -> about " <= " asked
    | P.IsOpen -> about " = " "?")
  | conclusion -> comparison_text numbered conclusion

(* "examples memorizable together: 0, 1, 3; 2 conflicts with 0, 1": of those with equal conflicts at once, of long lists the beginning *)
let which_in_words set conflicts =
  let most = 12 in
  let few examples =
    if List.length examples > most then listed ", " (List.filteri (fun k _ -> k < most) examples) ^ ", ..."
    else listed ", " examples in
  let groups = List.fold_left (fun groups (t, others) ->
      if List.mem_assoc others groups then
        List.map (fun (o, examples) -> (o, if o = others then examples @ [ t ] else examples)) groups
      else groups @ [ (others, [ t ]) ]) [] conflicts in
  let group (others, examples) =
    few examples ^ (if List.length examples = 1 then " conflicts with " else " each conflict with ")
    ^ if others = [] then "itself"
      else if List.length others = List.length set && List.length others > 1 then "all of them"
      else few others in
  let shown = List.filteri (fun k _ -> k < most) groups in
  String.concat "; " (("examples memorizable together: " ^ if set = [] then "none" else few set) :: List.map group shown
    @ if List.length groups > most then [ "..." ] else [])

(* what a quantity does not exceed when it is positive *)
let within = [ (P.Qty P.TailRank, P.Qty P.Capacity); (P.Qty P.LambdaRank, P.Qty P.Capacity) ]

(* "3 <= capacity <= 5", from the bounds that the facts are *)
let number_text bounds (text, e) =
  let range = match P.range bounds e, Option.map (P.range bounds) (List.assoc_opt e within) with
    | (Some l, Some u), Some (_, Some most) when Z.sign l > 0 -> (Some l, Some (Z.min u most))
    | range, _ -> range in
  match range with
  | Some l, Some u when Z.equal l u -> text ^ " = " ^ Z.to_string l
  | l, u ->
    let end_text = function Some z -> Z.to_string z | None -> "?" in
    end_text l ^ " <= " ^ text ^ " <= " ^ end_text u

(* of a claim that is decided what it is about, and the premise that it rests on, unless all is asked for *)
let asked_about all statement (claim : P.claim) verdict shown =
  let rec within e whole = e = whole || match whole with
    | P.Add (a, b) | P.Sub (a, b) | P.Mul (a, b) | P.Div (a, b) | P.Min (a, b) | P.Max (a, b) -> within e a || within e b
    | P.Const _ | P.Qty _ -> false in
  let rec mentions e = function
    | P.AtLeast (a, b) | P.AtMost (a, b) | P.Equal (a, b) -> within e a || within e b
    | P.Both (a, b) -> mentions e a || mentions e b
    | P.Decided a -> within e a in
  match verdict with
  | (P.Verified _ | P.Refuted) when not all ->
    List.filter (fun (name, e) -> name = premise || match e with P.Qty _ -> mentions e (P.conclusion statement claim.P.asks) | _ -> false) shown
  | _ -> shown

let verdict_text = function
  | P.Verified true -> "verified"
  | P.Verified false -> "verified (hypotheses undecided)"
  | P.Refuted -> "refuted"
  | P.Inapplicable -> "inapplicable"
  | P.Undecided -> "undecided"

(* Neither a path nor a message passes for a line or a word of its own. *)
let path_text path =
  let plain c = c > ' ' && c < '\127' && c <> '"' && c <> '\\' in
  if String.for_all plain path then path else Printf.sprintf "%S" path

(* --- what the theorem speaks about, to be compared with src/theory/table.cpp *)
let print_tables () =
  let part k = { P.part_heads = k; part_examples = [] } in
  let names = { layer = (function None -> "given" | Some _ -> "W");
    part = (fun p -> if Z.equal p.P.part_heads Z.zero then "P" else "Q"); which = (fun _ _ -> "*"); rows = "vectors" } in
  let lines = List.concat_map (fun (name, s, _, arguments) ->
    let names = { names with rows = rows_of s } in
    List.map (fun h -> Printf.sprintf "statement %s hypothesis: %s" name (comparison_text names h)) (P.hypotheses s)
    @ List.map (fun (k, word) ->
        Printf.sprintf "statement %s conclusion%s: %s" name word (comparison_text names (P.conclusion s k)))
        (if List.mem "value" (words arguments) then
           [ P.IsValue, " value"; P.IsAtLeast, " at_least"; P.IsAtMost, " at_most"; P.IsOpen, "" ]
         else [ P.IsOpen, "" ])) statements in
  let theorem name conditions ((q, lower), e) =
    List.iter (fun c -> Printf.printf "theorem %s condition: %s\n" name (comparison_text names c)) conditions;
    Printf.printf "theorem %s conclusion: %s %s %s\n" name (quantity_text names q) (if lower then ">=" else "<=")
      (expression_text names e) in
  List.iter print_endline (List.sort_uniq compare lines);
  let w = Some Z.zero in
  List.iter (fun (name, x) -> theorem name (P.conditions x w) (P.bounded x w)) Steps.theorems;
  List.iter (fun (name, x) -> theorem name (P.conditions (x None) w) (P.bounded (x None) w)) Steps.jacobian_theorems;
  List.iter (fun (name, x) -> theorem name (P.conditions (x []) w) (P.bounded (x []) w)) Steps.sequence_theorems;
  List.iter (fun (name, x) -> let x = x (part Z.zero) in theorem name (P.conditions x w) (P.bounded x w)) Steps.part_theorems;
  List.iter (fun (name, x) -> theorem name (P.paper_conditions x) (P.paper_bounded x)) Steps.paper_theorems;
  List.iter (fun (name, x) -> theorem name (P.block_conditions x) (P.block_bounded x)) Steps.block_theorems
