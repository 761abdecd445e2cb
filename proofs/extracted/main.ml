(* attest-check-proved PROBLEM.json CERTIFICATE.json [PROBLEM CERTIFICATE]...: has Proved.check decide, and prints a
   verdict line for each claim.  Trusted here: that the verdict that is printed is the one of Proved.check about the
   problem's claim. *)
open Claims
open Steps
module S = Set.Make (String)

(* --- text of facts, statements and theorems *)

let of_layer = function None -> "given" | Some k -> Z.to_string k

let rec quantity_text layer = function
  | P.Examples -> "T" | P.Heads -> "H" | P.Context -> "n" | P.Dimension -> "d" | P.HeadDimension -> "d_h"
  | P.ValueDimension -> "d_v" | P.OutputDimension -> "d_out" | P.LeastRank -> "r" | P.Asked -> "asked"
  | P.RankOf m ->
    "rank(" ^ fst (List.find (fun (_, k) -> k = m) matrix_names) ^ ")"
  | P.RankContexts -> "rank(contexts)" | P.RankMixedContexts -> "rank(mixed-contexts)"
  | P.RankSubsetContexts -> "rank(subset-contexts)" | P.RankEncoding -> "rank(encoding)"
  | P.RankWithLabels -> "rank(Z|Y)" | P.DistinctOutputs -> "distinct(Z)"
  | P.RankZ l -> "rank(Z(" ^ layer l ^ "))" | P.RankAny -> "rank(Z(any))" | P.Capacity -> "capacity" | P.TailRank -> "tail_rank"
  | P.LambdaRank -> "lambda_rank"
  | P.Kruskal false -> "kruskal(queries)" | P.Kruskal true -> "kruskal(mixed-queries)"
  | P.DistinctContexts -> "distinct(contexts)" | P.DistinctTokens -> "distinct(tokens)"
  | P.DistinctExamples -> "distinct(examples)" | P.DistinctLabelled -> "distinct(labelled-examples)"
  | P.DistinctSums -> "distinct(token-sums)"
  | P.InShape l -> "in_shape(" ^ layer l ^ ")" | P.DistinctHeads l -> "heads(" ^ layer l ^ ")"
  | P.MovingHeads l -> "moving(" ^ layer l ^ ")" | P.Neurons -> "neurons" | P.OutputBias -> "output_bias"
  | P.SizeSubset -> "size(subset)" | P.RowsOfVectors -> "rows(vectors)" | P.Varying -> "varying(inputs)"
  | P.Fractions -> "fractions(inputs)" | P.OffMomentCurve -> "off_moment_curve" | P.EqualEntries -> "equal(entries)"
  | P.Saturated -> "saturated" | P.LargeSingularValues -> "numerical_rank" | P.Accurate -> "accurate"
  | P.Truth x -> (
    match x with
    | P.NetworkFits P.IntegerLabels -> "network(integer)" | P.NetworkFits P.TranscendentalLabels -> "network(transcendental)"
    | P.NetworkFits P.GivenLabels -> "network(given)" | P.SmallPerturbation -> "perturbation" | P.Separates -> "separator"
    | P.VertexLimit -> "vertex_limit" | P.Prescribed -> "weights" | P.OneHot -> "one_hot"
    | P.ReadOut -> "readout" | P.MemorizesAll -> "memorized(any)" | P.MemorizesAllSkip -> "memorized(skip)"
    | P.MemorizesGiven -> "memorized(given)")

(* with the parentheses of src/statements/table.cpp; strength 0 sum, 1 product, 2 factor *)
and expression_text layer e =
  let rec go strength e =
    let paren own s = if own < strength then "(" ^ s ^ ")" else s in
    let rec flat pick e = match pick e with Some (a, b) -> flat pick a @ flat pick b | None -> [ go 0 e ] in
    match e with
    | P.Const z -> Z.to_string z
    | P.Qty q -> quantity_text layer q
    | P.Add (a, b) -> paren 0 (go 0 a ^ "+" ^ go 1 b)
    | P.Sub (a, b) -> paren 0 (go 0 a ^ "-" ^ go 1 b)
    | P.Mul (a, b) -> paren 1 (go 1 a ^ "*" ^ go 2 b)
    | P.Div (a, b) -> paren 1 (go 1 a ^ "/" ^ go 2 b)
    | P.Min _ -> "min(" ^ String.concat ", " (flat (function P.Min (a, b) -> Some (a, b) | _ -> None) e) ^ ")"
    | P.Max _ -> "max(" ^ String.concat ", " (flat (function P.Max (a, b) -> Some (a, b) | _ -> None) e) ^ ")" in
  go 0 e

let rec comparison_text layer = function
  | P.AtLeast (a, b) -> expression_text layer a ^ " >= " ^ expression_text layer b
  | P.AtMost (a, b) -> expression_text layer a ^ " <= " ^ expression_text layer b
  | P.Equal (a, b) -> expression_text layer a ^ " = " ^ expression_text layer b
  | P.Both (a, b) -> comparison_text layer a ^ " and " ^ comparison_text layer b
  | P.Decided a -> "decided(" ^ expression_text layer a ^ ")"

let fact_text (f : P.fact) =
  quantity_text of_layer f.P.about ^ (if f.P.below then " >= " else " <= ") ^ Z.to_string f.P.bound

(* what the theorem speaks about, to be compared with src/statements/table.cpp *)
let print_tables () =
  let layer = function None -> "given" | Some _ -> "W" in
  let lines = List.concat_map (fun (name, s, _, arguments) ->
    List.map (fun h -> Printf.sprintf "statement %s hypothesis: %s" name (comparison_text layer h)) (P.hypotheses s)
    @ List.map (fun (k, word) ->
        Printf.sprintf "statement %s conclusion%s: %s" name word (comparison_text layer (P.conclusion s k)))
        (if List.mem "value" (words arguments) then
           [ P.IsValue, " value"; P.IsAtLeast, " at_least"; P.IsAtMost, " at_most"; P.IsOpen, "" ]
         else [ P.IsOpen, "" ])) statements in
  let theorem name conditions ((q, lower), e) =
    List.iter (fun c -> Printf.printf "theorem %s condition: %s\n" name (comparison_text layer c)) conditions;
    Printf.printf "theorem %s conclusion: %s %s %s\n" name (quantity_text layer q) (if lower then ">=" else "<=")
      (expression_text layer e) in
  List.iter print_endline (List.sort_uniq compare lines);
  let w = Some Z.zero in
  List.iter (fun (name, x) -> theorem name (P.conditions x w) (P.bounded x w)) theorems;
  List.iter (fun (name, x) -> theorem name (P.paper_conditions x) (P.paper_bounded x)) paper_theorems

(* --- one certificate *)

type answer = Verdict of string | Reject of string | Skip of string

(* known: steps of earlier claims about the same problem, with the lasting facts that they proved *)
let check_claim problem arrays known (claim : J.t) (certificate : J.t) =
  let name = text (get "statement" claim) in
  if text (get "statement" certificate) <> name then rejected ("the statement " ^ name ^ " is expected");
  let _, statement, needs, names = statement_of name (get "arguments" claim) in
  let p =
    if needs = "" then no_layer
    else match Lazy.force problem with Ok p -> p | Error what -> not_covered what in
  let real = List.mem statement [ P.Saturation; P.NumericalRank; P.Accuracy ] in
  if p.P.projected <> None && not real then not_covered "projected queries and keys";
  List.iter (fun key -> if key <> "layer" && find key arrays = None then raise (Bad_input ("no " ^ key))) (words needs);
  if (real || P.about_given statement) && p.P.given = None && p.P.projected = None then
    raise (Bad_input "no weights");
  let claim = claim_of p statement names (get "arguments" claim) in
  let steps = Array.of_list (list (get "steps" certificate)) in
  let missing = ref S.empty in
  let heads = Hashtbl.create 7 in
  let built = Array.mapi (fun k step ->
    if text (get "rule" step) <> "let" then None
    else
      let layer = get "layer" step in
      match (find "heads" layer, find "random" layer, find "rescaled" layer) with
      | Some h, None, None ->
        let h = heads_of h in
        Hashtbl.replace heads k h;
        Some (layer_of_heads p h, true)
      | None, Some r, None -> Some (random_layer p r, false)
      | None, None, Some r ->
        let l = rational (get "lambda" r) in
        let h = match Hashtbl.find_opt heads (Z.to_int (size (get "of" r))) with
          | Some h -> h | None -> rejected "a layer with heads is expected" in
        let h = List.map (fun (kq, s) -> (kq, Option.map (fun (u, v, _) -> (u, v, l)) s)) h in
        Hashtbl.replace heads k h;
        Some (layer_of_heads p h, true)
      | _ -> rejected "a layer is expected") steps in
  let layers = function
    | None -> Option.map (fun l -> (l, false)) p.P.given
    | Some k -> if Z.lt k (Z.of_int (Array.length built)) then built.(Z.to_int k) else None in
  let uncovered = Array.make (Array.length steps) false in
  let translated = Array.mapi (fun k step ->
    try
      let s = step_of p claim.P.args layers (Hashtbl.find_opt heads) step in
      (match s with
       | P.Apply (_, _, uses) | P.ApplyPaper (_, uses) ->
         List.iter (fun u ->
           let u = Z.to_int u in
           if u >= k then rejected "an earlier step is expected";
           if uncovered.(u) then not_covered "theorems that use what is not covered") uses
       | _ -> ());
      s
    with
    | Not_covered what ->
      missing := S.add what !missing;
      uncovered.(k) <- true;
      P.NotCovered) steps in
  (* A step that an earlier claim has, too, is not checked again: its fact comes before all others. *)
  let recalled = Array.map2 (fun step s ->
    match s with P.MinorZ _ when p != no_layer -> List.assoc_opt step !known | _ -> None) steps translated in
  let earlier = List.filter_map Fun.id (Array.to_list recalled) in
  let shift = List.length earlier in
  let place = Array.mapi (fun k _ -> shift + k) steps in
  let count = ref 0 in
  Array.iteri (fun k fact -> if fact <> None then (place.(k) <- !count; incr count)) recalled;
  let uses = List.map (fun u -> Z.of_int place.(Z.to_int u)) in
  let placed = Array.mapi (fun k step ->
    if recalled.(k) <> None then P.NotCovered
    else match step with
      | P.Apply (x, l, u) -> P.Apply (x, l, uses u)
      | P.ApplyPaper (x, u) -> P.ApplyPaper (x, uses u)
      | step -> step) translated in
  let result = P.check_after earlier p statement claim (Array.to_list built) (Array.to_list placed) in
  let proved = Array.of_list result.P.of_steps in
  let facts = Array.map (fun u -> if u < Array.length proved then proved.(u) else None) place in
  Array.iteri (fun k step ->
    match translated.(k), facts.(k) with
    | P.MinorZ _, Some fact when p != no_layer && P.lasting fact && recalled.(k) = None -> known := (step, fact) :: !known
    | _ -> ()) steps;
  Array.iteri (fun k step ->
    if not uncovered.(k) && text (get "rule" step) <> "let" then
      let stated = text (get "fact" step) in
      let proved = if k < Array.length facts then Option.map fact_text facts.(k) else None in
      match proved with
      | Some fact when fact = stated -> ()
      | None -> rejected (Printf.sprintf "step %d does not prove %s" k stated)
      | Some fact ->
        rejected (Printf.sprintf "step %d proves %s, not %s" k fact stated)) steps;
  let unless_missing verdict =
    if S.is_empty !missing then Verdict verdict else Skip (String.concat ", " (S.elements !missing)) in
  match result.P.of_claim with
  | P.Verified true -> Verdict "verified"
  | P.Verified false -> unless_missing "verified (hypotheses undecided)"
  | P.Refuted -> Verdict "refuted"
  | P.Inapplicable -> Verdict "inapplicable"
  | P.Undecided -> unless_missing "undecided"

let answer problem arrays known claim certificate =
  try check_claim problem arrays known claim certificate with
  | Not_covered what -> Skip what
  | Rejected what -> Reject what
  | Invalid_argument what | Failure what -> Reject what
  | Z.Overflow -> Reject "a number that is too large"
  | Division_by_zero -> Reject "a zero denominator"

(* Neither a path nor a message passes for a line or a word of its own. *)
let print_answer path what =
  let plain c = c > ' ' && c < '\127' && c <> '"' && c <> '\\' in
  let name = if String.for_all plain path then path else Printf.sprintf "%S" path in
  Printf.printf "%s%s\n%!" name (String.escaped what)

let check_file problem_path certificate_path =
  let problem_json = J.from_file problem_path and certificate = J.from_file certificate_path in
  if text (get "format" problem_json) <> "attest-problem/1" then raise (Bad_input "not a canonical problem");
  if text (get "format" certificate) <> "attest-certificate/2" then raise (Bad_input "not a certificate");
  if text (get "digest" (get "case" certificate)) <> text (get "digest" problem_json) then
    rejected "the digest of the case is another";
  let claims = list (get "claims" problem_json) and given = list (get "claims" certificate) in
  if List.length claims <> List.length given then rejected "as many claims as the case has are expected";
  let problem = lazy (
    if get "layer" problem_json = `Null then raise (Bad_input "no layer")
    else try Ok (problem_of problem_json) with Not_covered what -> Error what) in
  let bad = ref false and known = ref [] in
  List.iteri (fun k (claim, c) ->
    let line = match answer problem (get "arrays" problem_json) known claim c with
      | Verdict v -> v
      | Skip what -> "not covered: " ^ what
      | Reject what -> bad := true; "rejected: " ^ what in
    print_answer certificate_path (Printf.sprintf "  claim %d %s: %s" k (text (get "statement" claim)) line))
    (List.combine claims given);
  not !bad

let () =
  let rec run ok = function
    | [] -> ok
    | problem :: certificate :: rest ->
      let good =
        try check_file problem certificate with
        | Rejected what -> print_answer certificate (": rejected: " ^ what); false
        | Bad_input what | Sys_error what | Yojson.Json_error what | Failure what | Invalid_argument what ->
          print_answer certificate (": bad input: " ^ what); false
        | Stack_overflow -> print_answer certificate ": limit: the stack"; false in
      run (good && ok) rest
    | _ -> prerr_endline "usage: attest-check-proved PROBLEM.json CERTIFICATE.json ... | --tables"; exit 2 in
  match List.tl (Array.to_list Sys.argv) with
  | [ "--tables" ] -> print_tables ()
  | [] -> ignore (run true [ "" ])
  | arguments -> exit (if run true arguments then 0 else 1)
