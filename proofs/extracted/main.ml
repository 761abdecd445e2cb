(* attest-check-proved PROBLEM.json CERTIFICATE.json [PROBLEM CERTIFICATE]...: has Proved.check decide, and prints a
   verdict line for each claim, and whether the case expects it; with --coq, a Coq file that proves the claims again.
   Trusted here: that the verdict that is printed is the one of Proved.check about the problem's claim. *)
open Json
open Claims

(* --- a problem and its certificate *)

type case = {
  digest : string;
  claims : J.t list;
  data : string;  (* the bytes of the arrays, in their binary form *)
  arrays : (string * Arrays.exact) list;
  query_bias : bool;  (* of the layers whose capacity is asked for *)
  given_before : bool;  (* the layers before the layer are those of the case *)
  problem : (P.problem * Z.t list list array option * P.coefficient_kind * P.layer_stack option, string) result Lazy.t
    (* with lists of tokens, and with layers before the layer; or why it is not covered *) }

let no_layer_here = "cases without a layer"

(* What is wrong with a case is no fault of its certificate. *)
let of_the_case f =
  try f () with
  | Rejected what | Invalid_argument what | Failure what -> bad_input what
  | Z.Overflow -> bad_input "a number that is too large"

(* A packed problem: a line with two lengths, so many bytes of JSON, and so many of arrays. *)
type contents = Json of string | Packed of string * string

let lengths line = match String.split_on_char ' ' line with [ m; n ] when digits m && digits n -> Some (m, n) | _ -> None

let packed bytes (m, n) =
  let part n = try bytes (Z.to_int (natural_text n)) with
    | End_of_file | Invalid_argument _ -> bad_input "the file is not as long as its first line says" in
  let json = part m in
  Packed (json, part n)

let read_file path =
  let input = open_in_bin path in
  let rec rest out = match input_char input with c -> Buffer.add_char out c; rest out | exception End_of_file -> Buffer.contents out in
  let line = try input_line input with End_of_file -> "" in
  match lengths line with
  | Some both ->
    let problem = packed (really_input_string input) both in
    if rest (Buffer.create 1) <> "" then bad_input "the file is not as long as its first line says";
    problem
  | None -> Json (line ^ "\n" ^ rest (Buffer.create 4096))

let read_problem contents =
  of_the_case (fun () ->
    let json, data = match contents () with Json text -> (J.from_string text, "") | Packed (text, data) -> (J.from_string text, data) in
    if text (get "format" json) <> "attest-problem/1" then bad_input "not a canonical problem";
    let arrays = arrays_of data json and before = before_of data json in
    let digest = Digest.sha256_of (canonical_text data json arrays before) in
    if text (get "digest" json) <> digest then bad_input ("the digest of its contents is another, " ^ digest);
    let problem = lazy (
      if get "layer" json = `Null then Error no_layer_here
      else try Ok (problem_of json arrays before) with Not_covered what -> Error what) in
    { digest; claims = list (get "claims" json); data; arrays; query_bias = query_bias_of json;
      given_before = given_before_of json; problem })

(* --- a claim and its steps, as Proved.check takes them *)

type translated = {
  of_problem : P.problem; kind : P.coefficient_kind; heads : Z.t option  (* the claim's, if not those of the problem *);
  biased : bool  (* with the coordinate of query biases *);
  statement : P.statement; claim : P.claim; all : Steps.translated;
  lists : Z.t list list array option  (* of tokens *) }

let translate case (claim : J.t) (certificate : J.t) =
  let name = text (get "statement" claim) in
  if text (get "statement" certificate) <> name then rejected ("the statement " ^ name ^ " is expected");
  let steps = list (get "steps" certificate) in
  let _, statement, needs, names = statement_of name (get "arguments" claim) steps in
  if find "which" (get "arguments" claim) = None
     && List.exists (fun step -> named step && text (get "rule" step) = "circuits") steps then
    rejected "a claim with which is expected";
  let p, lists, kind =
    match of_the_case (fun () -> Lazy.force case.problem) with
    | Ok (_, _, _, Some _) when needs <> "" -> not_covered (name ^ " behind other layers")
    | Ok (p, lists, kind, _) -> (p, lists, kind)
    | Error _ when needs = "" -> (no_layer, None, P.Softmax)
    | Error what -> not_covered what in
  if lists <> None && needs <> "" && not (List.mem name about_means) then not_covered (name ^ " with lists of tokens");
  let real = List.mem statement [ P.Saturation; P.NumericalRank; P.Accuracy ] in
  if kind <> P.Softmax && needs <> "" && not (P.covered_kind statement) then
    not_covered "a sink or sigmoid coefficients in this statement";
  let kind = if needs = "" then P.Softmax else kind in
  let projects = match p.P.given with Some (P.Projected _) -> true | _ -> false in
  if projects && needs <> "" && not (List.mem name about_projections) then
    not_covered (name ^ " with projected queries and keys");
  List.iter (fun key ->
    if key <> "layer" && not (List.mem_assoc key case.arrays || (projects && key = "queries")) then bad_input ("no " ^ key))
    (words needs);
  (* A claim with another number of heads is about that part of the problem, which has no weights. *)
  let heads = Option.map size (find "heads" (get "arguments" claim)) in
  let p = match heads with
    | None -> p
    | Some h when Z.sign h > 0 -> P.part_of p { P.part_heads = h; part_examples = List.init (Z.to_int p.P.t) Z.of_int }
    | Some _ -> bad_input "heads" in
  (* One that shows the capacity of layers with query biases is about the problem with their coordinate. *)
  if case.query_bias && needs <> "" && not (List.mem name beside_query_biases) then bad_input (name ^ " with query biases");
  let biased = case.query_bias && List.mem_assoc "capacity" (Words.shown statement) in
  let p = if biased then P.with_query_bias p else p in
  if (real || P.about_given statement) && p.P.given = None then bad_input "no weights";
  let claim = of_the_case (fun () -> claim_of case.data p statement names (get "arguments" claim)) in
  { of_problem = p; kind; heads; biased; statement; claim; lists; all = Steps.translate ?lists ~kind p claim.P.args steps }

(* With lists of tokens Proved may count fewer different examples, as [x] and [x, x] are the same when repeated. *)
let is_stronger fact stated =
  let parts s = match String.rindex_opt s ' ' with
    | Some k when k > 2 -> (String.sub s 0 k, String.sub s (k - 2) 2, int_of_string_opt (String.sub s (k + 1) (String.length s - k - 1)))
    | _ -> ("", "", None) in
  match parts fact, parts stated with
  | (about, "<=", Some k), (about', _, Some l) -> about = about' && k <= l
  | (about, ">=", Some k), (about', _, Some l) -> about = about' && k >= l
  | _ -> false

(* A step proves the fact that it states, and no other; so do the steps of a part. *)
let rec compare_facts ~lists ~rows p claim uncovered steps json facts =
  List.iteri (fun k step ->
    if named step && text (get "rule" step) = "let" && not (uncovered k) then begin
      let stated = text (get "fact" step) in
      if not (List.mem stated [ Printf.sprintf "let Z(%d)" k; Printf.sprintf "let J(%d)" k ]) then
        rejected (Printf.sprintf "step %d is no %s" k stated)
    end
    else if named step && not (uncovered k) then begin
      (match if k < Array.length steps then steps.(k) else P.NotCovered with
       | P.PartOf (part, built, inner, _) ->
         let p = P.part_of p part in
         compare_facts ~lists ~rows p claim (fun _ -> false) (Array.of_list inner) (list (get "steps" step))
           (Array.of_list (P.run p claim (P.all_layers p built) None [] inner))
       | _ -> ());
      let stated = text (get "fact" step) in
      match Option.map (Words.fact_text ~rows k) facts.(k) with
      | Some fact when fact = stated || (lists && is_stronger fact stated) -> ()
      | None -> rejected (Printf.sprintf "step %d does not prove %s" k stated)
      | Some fact -> rejected (Printf.sprintf "step %d proves %s, not %s" k fact stated)
    end) json

(* --- the verdict on a claim *)

(* The steps that have no place yet, equal ones once, as a list of the proved checker takes time for each with all before it;
   their places from a number on. *)
let handed_over first place with_uses steps =
  let seen = Hashtbl.create 97 and handed = ref [] and next = ref first in
  Array.iteri (fun k step ->
    if place.(k) < 0 then begin
      let step = with_uses (List.map (fun u -> Z.of_int place.(Z.to_int u))) step in
      match Hashtbl.find_opt seen step with
      | Some earlier -> place.(k) <- earlier
      | None ->
        Hashtbl.add seen step !next;
        handed := step :: !handed;
        place.(k) <- !next;
        incr next
    end) steps;
  List.rev !handed

let facts_at place (result : P.result) =
  let proved = Array.of_list result.P.of_steps in
  Array.map (fun u -> if u < Array.length proved then proved.(u) else None) place

(* At 32 bits, where powers fit into words, most examples and pairs are decided: two thirds of the time of 96 bits. *)
let coarser =
  let fewer bits = Z.min bits (Z.of_int 32) in
  function
  | P.CountPairs (above, count, bits) -> P.CountPairs (above, count, fewer bits)
  | P.CountExamples (above, count, bits) -> P.CountExamples (above, count, fewer bits)
  | step -> step

(* known: steps of earlier claims about the same problem, by number, with the lasting facts that they proved; kept: the
   problem of an earlier claim and what its steps shared *)
let check_claim all_numbers case known kept (claim : J.t) (certificate : J.t) =
  let t = translate case claim certificate in
  let p = t.of_problem and steps = Array.of_list (list (get "steps" certificate)) in
  (* A step that an earlier claim names, too, is not checked again: its fact comes before all others. *)
  let shares = p != no_layer && t.heads = None && not t.biased && t.kind = P.Softmax in
  let recalled = Array.mapi (fun k s ->
    match s with P.MinorZ _ when shares -> List.assoc_opt k !known | _ -> None) t.all.steps in
  let earlier = List.filter_map Fun.id (Array.to_list recalled) in
  let built = t.all.built in
  let check steps =
    let place = Array.make (Array.length steps) (-1) and count = ref 0 in
    Array.iteri (fun k fact -> if fact <> None then (place.(k) <- !count; incr count)) recalled;
    let placed = handed_over !count place (fun uses -> function
      | P.Apply (x, l, u) -> P.Apply (x, l, uses u)
      | P.ApplyPaper (x, u) -> P.ApplyPaper (x, uses u)
      | P.Circuits (l, q, g, o, cols, set, conflicts, u) -> P.Circuits (l, q, g, o, cols, set, conflicts, uses u)
      | P.ApplyBlocks (x, u) -> P.ApplyBlocks (x, uses u)
      | step -> step) steps in
    let at_hand = match !kept with Some (q, enclosures) when q == p -> enclosures | _ -> None in
    let enclosures = if t.kind = P.Softmax then P.shared_table p at_hand placed else None in
    kept := Some (p, enclosures);
    let result = P.check_of_kind earlier enclosures p t.kind t.statement t.claim built t.all.sinks placed in
    (result, facts_at place result) in
  let result, facts =
    let steps = Array.map coarser t.all.steps in
    match check steps with
    | _, facts when Array.exists Fun.id (Array.mapi (fun k step -> step != t.all.steps.(k) && facts.(k) = None) steps) -> check t.all.steps
    | found -> found in
  Array.iteri (fun k step ->
    match step, facts.(k) with
    | P.MinorZ _, Some fact when shares && P.lasting fact && recalled.(k) = None -> known := (k, fact) :: !known
    | _ -> ()) t.all.steps;
  compare_facts ~lists:(t.lists <> None) ~rows:(Words.rows_of t.statement) p t.claim (Array.get t.all.uncovered) t.all.steps (Array.to_list steps) facts;
  (match result.P.of_claim with
   | (P.Undecided | P.Verified false) when t.all.missing <> [] ->
     not_covered (String.concat ", " t.all.missing)
   | _ -> ());
  let all = List.filter_map Fun.id result.P.of_steps in
  let layers = P.all_layers p built in
  let natural = match t.kind with
    | P.Softmax -> P.natural p layers t.claim
    | kind -> P.natural_of_kind p t.claim layers (P.kind_of_layer kind t.all.sinks) in
  let bounds = P.bounds_from natural all in
  let shown = match t.lists with
    | Some lists when Array.exists (fun l -> List.compare_lengths l lists.(0) <> 0) lists
        && Array.exists (fun l -> Z.lt (Z.of_int (List.length l)) p.P.d_h) lists ->
      List.filter (fun (name, _) -> name <> Words.paper_bound) (Words.shown t.statement)
    | _ -> Words.shown t.statement in
  let shown = List.filter (fun (name, _) -> t.kind = P.Softmax || name <> Words.paper_bound) shown in
  let with_biases (name, e) =
    (name ^ Words.of_heads ~of_:(if name = "capacity" then " of " else " with ") t.heads ^ (if t.biased && name = "capacity" then " with query biases" else ""), e) in
  let shown = Words.asked_about all_numbers t.statement t.claim result.P.of_claim shown in
  let numbers = List.map (fun each -> Words.number_text bounds (with_biases each)) shown in
  let without = List.map (( ^ ) "without a step about ") t.all.missing in
  let which = match t.statement with
    | P.WhichQuestion (set, conflicts)
      when List.exists (fun f -> f.P.about = P.Truth (P.WhichExamples (set, conflicts)) && f.P.below) all ->
      [ Words.which_in_words set conflicts ]
    | _ -> [] in
  (t, result.P.of_claim, String.concat "" (List.map (( ^ ) "; ") (numbers @ which @ without)))

(* the capacity of all layers, all weights of which are free *)
let check_free_claim all_numbers case (stack : P.layer_stack) statement names arguments json =
  if find "heads" arguments <> None then bad_input "heads behind other layers";
  if case.query_bias then bad_input "query biases behind other layers";
  let p = stack.P.top_problem in
  let claim = of_the_case (fun () -> claim_of case.data p statement names arguments) in
  let steps, others, missing = Steps.translate_free stack ~given:(not (without_weights stack)) json in
  let result = P.check_of_free stack statement claim steps in
  let uncovered = Array.mapi (fun k step -> step = P.FreeNotCovered && others.(k) = None) (Array.of_list steps) in
  let facts = Array.mapi (fun k fact -> if fact = None then others.(k) else fact) (Array.of_list result.P.of_steps) in
  compare_facts ~lists:false ~rows:"vectors" p claim (Array.get uncovered) [||] json facts;
  (match result.P.of_claim with
   | (P.Undecided | P.Verified false) when missing <> [] -> not_covered (String.concat ", " missing)
   | _ -> ());
  let bounds = P.bounds_from (P.natural_of_free stack claim) (List.filter_map Fun.id result.P.of_steps) in
  let shown = List.filter (fun (name, _) -> not (List.mem name [ Words.paper_bound; Words.any_coefficients ])) (Words.shown statement) in
  let of_all = function
    | "capacity", e -> ("capacity with all layers free", e)
    | "parameters", e -> ("parameters", P.Add (e, P.Const (parameters_before stack)))
    | each -> each in
  let shown = Words.asked_about all_numbers statement claim result.P.of_claim shown in
  let numbers = List.map (fun each -> Words.number_text bounds (of_all each)) shown in
  let without = List.map (( ^ ) "without a step about ") missing in
  (statement, claim, result.P.of_claim, String.concat "" (List.map (( ^ ) "; ") (numbers @ without)))

(* the same with layers before the layer *)
let check_stack_claim all_numbers case (stack : P.layer_stack) (claim : J.t) (certificate : J.t) =
  let name = text (get "statement" claim) in
  if text (get "statement" certificate) <> name then rejected ("the statement " ^ name ^ " is expected");
  let json = list (get "steps" certificate) in
  let _, statement, _, names = statement_of name (get "arguments" claim) json in
  let p = stack.P.top_problem in
  if P.covered_free statement && not case.given_before then
    check_free_claim all_numbers case stack statement names (get "arguments" claim) json
  else begin
  if not (P.covered_stack statement) then not_covered (name ^ " behind other layers");
  if List.mem_assoc "capacity" (Words.shown statement) && not case.given_before then not_covered (name ^ " of all weights of all layers");
  if without_weights stack then not_covered "layers before the layer of which all weights are meant";
  if find "heads" (get "arguments" claim) <> None then bad_input "heads behind other layers";
  let trained = P.stack_given statement in
  if trained && p.P.given = None then bad_input "no weights";
  if case.query_bias then bad_input "query biases behind other layers";
  let claim = of_the_case (fun () -> claim_of case.data p statement names (get "arguments" claim)) in
  (* at the bits that the steps have, and only if these do not show all at others *)
  let attempt search =
    let steps, built, uncovered, missing = Steps.translate_stack ~search stack claim.P.args json in
    let place = Array.make (Array.length steps) (-1) in
    let placed = handed_over 0 place (fun uses -> function
      | P.StackApply (x, l, u) -> P.StackApply (x, l, uses u) | step -> step) steps in
    let result = P.check_of_stack stack statement claim built placed in
    let facts = facts_at place result in
    let shown = Array.for_all Fun.id (Array.mapi (fun k step -> step = P.StackNotCovered || facts.(k) <> None) steps) in
    (shown, (built, uncovered, missing, result, facts)) in
  let built, uncovered, missing, result, facts =
    match attempt false with true, all -> all | false, _ -> snd (attempt true) in
  compare_facts ~lists:false ~rows:"vectors" p claim (Array.get uncovered) [||] json facts;
  (match result.P.of_claim with
   | (P.Undecided | P.Verified false) when missing <> [] -> not_covered (String.concat ", " missing)
   | _ -> ());
  let bounds = P.bounds_from (P.natural_of_stack stack claim built) (List.filter_map Fun.id result.P.of_steps) in
  (* the paper's bound is that of the first layer; of all weights nothing else is known for any coefficients *)
  let left_out = Words.paper_bound :: if trained then [] else [ Words.any_coefficients ] in
  let shown = List.filter (fun (name, _) -> not (List.mem name left_out)) (Words.shown statement) in
  let of_given (name, e) = ((if name = "capacity" then name ^ " with the layers before as given" else name), e) in
  let shown = Words.asked_about all_numbers statement claim result.P.of_claim shown in
  let numbers = List.map (fun each -> Words.number_text bounds (of_given each)) shown in
  let without = List.map (( ^ ) "without a step about ") missing in
  (statement, claim, result.P.of_claim, String.concat "" (List.map (( ^ ) "; ") (numbers @ without)))
  end

(* What a computation on the numbers of a certificate may end with, apart from a result. *)
let rejecting f =
  try f () with
  | Invalid_argument what | Failure what -> rejected what
  | Z.Overflow -> rejected "a number that is too large"
  | Division_by_zero -> rejected "a zero denominator"

(* --- one certificate *)

let format = "attest-certificate/3"

(* Makes the claim of a certificate with its steps, each in the place of its number. *)
let with_steps all used claim =
  Steps.keys_are "statement steps reason" claim;
  let numbers = List.map (fun k -> Z.to_int (size k)) (list (get "steps" claim)) in
  let last = List.fold_left (fun before k ->
    if k <= before then rejected "increasing numbers of steps are expected";
    if k >= Array.length all then rejected (Printf.sprintf "a step below %d is expected" (Array.length all));
    used.(k) <- true;
    k) (-1) numbers in
  fun () ->
    let steps = Array.make (last + 1) unnamed in
    List.iter (fun k -> Steps.well_formed all.(k); steps.(k) <- all.(k)) numbers;
    `Assoc (("steps", `List (Array.to_list steps)) :: List.remove_assoc "steps" (fields claim))

let read_certificate case path =
  let certificate = J.from_file path in
  let found = text (get "format" certificate) in
  if found <> format then bad_input (Printf.sprintf "the format %s is not known, only %s: run attest verify again" found format);
  Steps.keys_are "format attest case steps claims" certificate;
  let about = get "case" certificate in
  Steps.keys_are "path digest" about;
  if text (get "digest" about) <> case.digest then rejected ("the digest of the case is another, " ^ case.digest);
  let given = list (get "claims" certificate) in
  if List.length case.claims <> List.length given then rejected "as many claims as the case has are expected";
  let steps = Array.of_list (list (get "steps" certificate)) in
  let used = Array.make (Array.length steps) false in
  Array.iter (fun step -> ignore (fields step)) steps;
  let given = List.map (fun claim -> rejecting (fun () -> with_steps steps used claim)) given in
  Array.iteri (fun k used -> if not used then rejected (Printf.sprintf "no claim names step %d" k)) used;
  let folder = if String.contains path '/' then Filename.dirname path ^ "/" else "" in
  (folder ^ text (get "path" about), List.combine case.claims given)

let count_text verdicts =
  let n = List.length verdicts in
  let kinds = List.map (fun v ->
    Printf.sprintf "%d %s" (List.length (List.filter (( = ) v) verdicts)) v) (List.sort_uniq compare verdicts) in
  Printf.sprintf "%d claim%s: %s" n (if n = 1 then "" else "s") (String.concat ", " kinds)

type options = {
  ignore_expectations : bool; quiet : bool  (* no lines for claims with the expected verdict *);
  verbose : bool  (* all numbers of a claim that is decided, not only those that it is about *) }

(* What the case expects, and whether the verdict is that. *)
let expectation claim verdict =
  let expected = of_the_case (fun () -> text (get "expect" claim)) in
  (expected, match expected with
   | "verified" -> List.mem verdict [ "verified"; "verified (hypotheses undecided)" ]
   | "verified-as-stated" -> verdict = "verified"
   | "refuted" | "inapplicable" | "undecided" -> verdict = expected
   | _ -> bad_input "a verdict is expected that is none")

(* Prints a line for each claim and one for the certificate; the exit status. *)
let check_file options problem path =
  let case = read_problem problem in
  let case_path, claims = read_certificate case path in
  let known = ref [] and kept = ref None and out = Buffer.create 4096 and unexpected = ref false in
  let verdicts = List.mapi (fun k (claim, certificate) ->
    let name = text (get "statement" claim) in
    let line, verdict, shown =
      match rejecting (fun () ->
        match of_the_case (fun () -> Lazy.force case.problem) with
        | Ok (p, Some lists, kind, None) when by_lists p kind name ->
          let certificate = certificate () in
          let statement, c, verdict, numbers =
            try check_stack_claim options.verbose case (stack_of_lists p lists) claim certificate
            with Rejected what -> not_covered (name ^ " with lists of tokens where " ^ what) in  (* a tie, perhaps *)
          (Words.claimed_text statement None c, verdict, numbers)
        | Ok (_, _, _, Some stack) ->
          let statement, c, verdict, numbers = check_stack_claim options.verbose case stack claim (certificate ()) in
          (Words.claimed_text statement None c, verdict, numbers)
        | _ ->
          let t, verdict, numbers = check_claim options.verbose case known kept claim (certificate ()) in
          (Words.claimed_text t.statement t.heads t.claim, verdict, numbers)) with
      | claimed, verdict, numbers ->
        let verdict = Words.verdict_text verdict in
        let expected, good = expectation claim verdict in
        if not good then unexpected := true;
        (Printf.sprintf "%s (%s): %s%s; %s" name claimed verdict numbers
           (if good then "as expected" else "UNEXPECTED: the case expects " ^ expected), verdict, not (good && options.quiet))
      | exception Not_covered what -> (name ^ ": not covered: " ^ what, "not covered", true)
      | exception Rejected what -> (name ^ ": rejected: " ^ what, "rejected", true) in
    if shown then Printf.bprintf out "%s  claim %d %s\n" (Words.path_text case_path) k (String.escaped line);
    verdict) claims in
  let rejected = List.mem "rejected" verdicts in
  Printf.printf "%s%s: %s (%s); digest %s\n" (Buffer.contents out) (Words.path_text path)
    (if rejected then "rejected" else if List.mem "not covered" verdicts then "not covered" else "valid") (count_text verdicts) case.digest;
  if rejected || (!unexpected && not options.ignore_expectations) then 1 else if List.mem "not covered" verdicts then 3
  else 0

(* Prints a Coq file for the claims that it can be written for, or for one of them. *)
let write_coq wanted problem_path path =
  let case = read_problem (fun () -> read_file problem_path) in
  let case_path, claims = read_certificate case path in
  let written = List.mapi (fun k (claim, certificate) ->
    if wanted <> None && wanted <> Some k then None
    else
      let name = text (get "statement" claim) in
      match rejecting (fun () ->
        let certificate = certificate () in
        let t = translate case claim certificate in
        if t.heads <> None then not_covered "the argument heads";
        if case.query_bias then not_covered "query biases";
        if t.kind <> P.Softmax then not_covered "a sink or sigmoid coefficients";
        let built = t.all.built in
        let steps, facts, words = Coq.run t.of_problem t.claim built t.all.steps in
        compare_facts ~lists:(t.lists <> None) ~rows:(Words.rows_of t.statement) t.of_problem t.claim (Array.get t.all.uncovered) t.all.steps (list (get "steps" certificate)) facts;
        Coq.prepare k name t.of_problem t.statement t.claim built steps facts words) with
      | claim -> Some claim
      | exception Not_covered what ->
        Printf.eprintf "%s: claim %d is left out: %s\n" (Words.path_text path) k (String.escaped what);
        None) claims in
  match List.filter_map Fun.id written with
  | [] -> not_covered "none of its claims can be written"
  | first :: _ as all ->
    let lists = match Lazy.force case.problem with Ok (_, lists, _, _) -> lists | Error _ -> None in
    print_string (Coq.file ?lists case_path case.digest first.Coq.problem all);
    0

(* --- the command line *)

let fail name kind what status =
  Printf.printf "%s: %s: %s\n" (Words.path_text name) kind (String.escaped what);
  status

let outcome work name =
  let fail = fail name in
  try work () with
  | Rejected what -> fail "rejected" what 1
  | Bad_input what | Sys_error what | Yojson.Json_error what -> fail "bad input" what 2
  | Not_covered what -> fail "not covered" what 3
  | Stack_overflow -> fail "limit" "the stack" 3
  | Out_of_memory -> fail "limit" "the memory" 3
  | problem -> fail "internal error" (Printexc.to_string problem) 2

(* All in a process apart, and when one certificate has ended that, those after it in another, so that a batch survives any
   input.  Each has a name and a function that has what is to be done, or None: those after it are not looked at.  When that
   function itself has ended the process, what follows on standard input is the middle of a problem, which nobody reads on. *)
let read = 255  (* in place of a status *)
let rec apart = function
  | [] -> []
  | all ->
    flush_all ();
    let reports, report = Unix.pipe ~cloexec:true () in
    match Unix.fork () with
    | 0 ->
      let say status = flush_all (); ignore (Unix.write report (Bytes.make 1 (Char.chr status)) 0 1) in
      let rec each = function
        | [] -> ()
        | (name, next) :: rest ->
          match next () with
          | None -> ()
          | Some work -> say read; say (outcome work name); each rest
          | exception Bad_input what -> say (fail name "bad input" what 2) in
      each all;
      Unix._exit 0
    | child ->
      Unix.close report;
      let reports = Unix.in_channel_of_descr reports in
      let rec said begun = function
        | [] -> ([], [], true)
        | _ :: rest as all ->
          match input_byte reports with
          | byte when byte = read -> said true all
          | status -> let statuses, left, whole = said false rest in (status :: statuses, left, whole)
          | exception End_of_file -> ([], all, begun) in
      let statuses, left, whole = said false all in
      close_in reports;
      let limit by = match left with
        | [] -> statuses
        | (name, _) :: rest -> let status = fail name "limit" ("ended by " ^ by) 3 in
          statuses @ status :: (if whole then apart rest else List.map (fun (name, _) -> fail name "limit" "the problem before it was not read to its end" 3) rest) in
      match snd (Unix.waitpid [] child) with
      | Unix.WEXITED 0 -> statuses
      | Unix.WEXITED status -> limit ("the status " ^ string_of_int status)
      | Unix.WSIGNALED k | Unix.WSTOPPED k ->
        let names = [ Sys.sigabrt, "SIGABRT"; Sys.sigsegv, "SIGSEGV"; Sys.sigkill, "SIGKILL"; Sys.sigbus, "SIGBUS" ] in
        limit (Option.value (List.assoc_opt k names) ~default:"a signal")

(* The next bytes of standard input and no more, as another process may go on after them. *)
let next length =
  let bytes = Bytes.create length in
  let rec fill at =
    if at < length then
      match Unix.read Unix.stdin bytes at (length - at) with 0 -> raise End_of_file | n -> fill (at + n) in
  fill 0;
  Bytes.unsafe_to_string bytes

(* the next packed problem *)
let next_packed () =
  let rec line out = match next 1 with
    | "\n" -> Some out
    | c when String.length out < 64 -> line (out ^ c)
    | _ -> Some ""
    | exception End_of_file -> if out = "" then None else Some "" in
  Option.map (fun line ->
    match lengths line with Some both -> packed next both | None -> bad_input "a packed problem is expected") (line "")

let usage =
  "usage: attest-check-proved [-v | --quiet] [--ignore-expectations] PROBLEM.json CERTIFICATE.json ...\n\
  \       attest-check-proved [-v | --quiet] [--ignore-expectations] --packed CERTIFICATE.json ...\n\
  \       attest-check-proved --coq [--claim K] PROBLEM CERTIFICATE | --tables\n\
   Exit status: 0 every certificate is valid and every verdict is the expected one, 1 one is rejected or a verdict is not\n\
   the expected one, 2 wrong usage or bad input, 3 a limit was hit or a claim is not covered.\n"

let () =
  (* 6.6 instead of 8.1 processor seconds for all shipped certificates; a larger minor heap leaves the cache.  Heaps beyond
     256 MB are collected as by default, so that they do not become larger. *)
  let collect space_overhead = Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20; space_overhead } in
  let usual = (Gc.get ()).space_overhead in
  ignore (Gc.create_alarm (fun () -> collect (if (Gc.quick_stat ()).heap_words > 1 lsl 25 then usual else 400)));
  collect 400;
  let rec check options = function
    | "--quiet" :: rest -> check { options with quiet = true } rest
    | "-v" :: rest -> check { options with verbose = true } rest
    | "--ignore-expectations" :: rest -> check { options with ignore_expectations = true } rest
    | "--packed" :: files ->
      let check path () = Option.map (fun problem () -> check_file options (fun () -> problem) path) (next_packed ()) in
      apart (List.map (fun path -> (path, check path)) files)
    | files -> apart (List.map (fun (problem, path) ->
        (path, fun () -> Some (fun () -> check_file options (fun () -> read_file problem) path))) (pairs files))
  and pairs = function
    | [] -> []
    | problem :: certificate :: rest -> (problem, certificate) :: pairs rest
    | [ _ ] -> prerr_string usage; exit 2 in
  let coq claim problem certificate =
    (* The file goes to standard output; what is wrong, to standard error. *)
    let write () = try write_coq claim problem certificate with Rejected what | Bad_input what | Not_covered what as e ->
      Printf.eprintf "%s: %s\n" (Words.path_text certificate) (String.escaped what);
      (match e with Rejected _ -> 1 | Bad_input _ -> 2 | _ -> 3) in
    apart [ (certificate, fun () -> Some write) ] in
  let statuses =
    match List.tl (Array.to_list Sys.argv) with
    | [ "--tables" ] -> Words.print_tables (); [ 0 ]
    | [ "--coq"; "--claim"; k; problem; certificate ] when int_of_string_opt k <> None ->
      coq (int_of_string_opt k) problem certificate
    | [ "--coq"; problem; certificate ] -> coq None problem certificate
    | [] | "--coq" :: _ | "--help" :: _ -> prerr_string usage; [ 2 ]
    | arguments -> check { ignore_expectations = false; quiet = false; verbose = false } arguments in
  exit (List.fold_left (fun worst s -> if List.mem s statuses then s else worst) 0 [ 3; 1; 2 ])
