(* The literals of a canonical problem (docs/problem.md) and of its claims, as Proved.check takes them.  All of this
   is trusted: that they are handed over as they are. *)
module J = Yojson.Safe
module P = Proved

exception Not_covered of string
exception Rejected of string
exception Bad_input of string

let not_covered what = raise (Not_covered what)
let rejected what = raise (Rejected what)

(* --- JSON *)

let fields = function
  | `Assoc pairs ->
    let names = List.map fst pairs in
    if List.length (List.sort_uniq compare names) <> List.length names then raise (Bad_input "a key twice");
    pairs
  | _ -> rejected "an object is expected"
let find key json = List.assoc_opt key (fields json)
let get key json = match find key json with Some v -> v | None -> rejected ("no key " ^ key)
let list = function `List l -> l | _ -> rejected "a list is expected"
let text = function `String s -> s | _ -> rejected "a string is expected"
let integer = function
  | `Int i -> Z.of_int i
  | `Intlit s -> Z.of_string s
  | _ -> rejected "an integer is expected"
let size json = let z = integer json in if Z.sign z < 0 then rejected "a negative number" else z

(* an integer, "p" or "p/q", or a numeral of a certificate of another form *)
let rational json =
  match json with
  | `String s ->
    let plain c = (c >= '0' && c <= '9') || c = '-' || c = '/' in
    if s <> "" && String.for_all plain s then
      match Q.of_string s with
      | q when Z.sign q.Q.den > 0 -> q
      | _ -> rejected "a zero denominator"
      | exception _ -> rejected ("not a number: " ^ s)
    else not_covered "numbers that are not written p/q"
  | _ -> Q.of_bigint (integer json)

(* --- arrays over common denominators *)

let denominator numbers = List.fold_left (fun q x -> Z.lcm q x.Q.den) Z.one numbers
let over q x = Z.divexact (Z.mul x.Q.num q) x.Q.den

let rec chunks k l =
  if l = [] then []
  else
    let rec split i acc rest =
      if i = 0 then (List.rev acc, rest)
      else match rest with x :: r -> split (i - 1) (x :: acc) r | [] -> raise (Bad_input "an array too short") in
    let first, rest = split k [] l in
    first :: chunks k rest

type 'a exact_array = { den : Z.t; entries : Z.t list; shape : int list }

let exact_array json =
  let numbers = List.map rational (list (get "entries" json)) in
  let den = denominator numbers in
  let shape = List.map (fun s -> Z.to_int (size s)) (list (get "shape" json)) in
  if List.length numbers <> List.fold_left ( * ) 1 shape then raise (Bad_input "an array of another size");
  { den; entries = List.map (over den) numbers; shape }

let matrix a = chunks (List.nth a.shape 1) a.entries
let matrices a =
  let h = List.nth a.shape 1 and w = List.nth a.shape 2 in
  List.map (chunks w) (chunks (h * w) a.entries)

(* --- the problem *)

let scale_of s =
  let n = String.length s in
  if n > 8 && String.sub s 0 7 = "1/sqrt(" && s.[n - 1] = ')' then (
    let m = Z.of_string (String.sub s 7 (n - 8)) in
    if Z.sign m <= 0 then raise (Bad_input "the scale");
    P.InverseRoot m)
  else
    let q = rational (`String s) in
    P.Rational (q.Q.num, q.Q.den)

let shape_is a expected = if a.shape <> expected then raise (Bad_input "an array of another shape")

(* What this reader does not know may change the meaning of what it knows. *)
let only names what json =
  List.iter (fun (key, _) -> if not (List.mem key names) then not_covered (what ^ key)) (fields json)

(* What follows the heads: only accuracy is about it. *)
let after_heads =
  [ "value"; "value_bias"; "output"; "output_bias"; "readout"; "readout_bias"; "skip" ]

(* The whole layer (docs/case-files.md): what is missing is the identity, or 0. *)
let whole_of array h d t d_out =
  let identity k = List.init k (fun i -> List.init k (fun j -> if i = j then Z.one else Z.zero)) in
  let zeros h w = List.init h (fun _ -> List.init w (fun _ -> Z.zero)) in
  let q_value, value_weights, d_v =
    match array "value" with
    | Some a -> let d_v = List.nth a.shape 2 in shape_is a [h; d; d_v]; (a.den, matrices a, d_v)
    | None -> (Z.one, List.init h (fun _ -> identity d), d) in
  let shaped key shape zero rows = match array key with
    | Some a -> shape_is a shape; (a.den, rows a)
    | None -> (Z.one, zero ()) in
  let vector key w = shaped key [w] (fun () -> List.hd (zeros 1 w)) (fun a -> a.entries) in
  let q_value_bias, value_bias = shaped "value_bias" [h; d_v] (fun () -> zeros h d_v) matrix in
  let q_output, output_weights, m =
    match array "output" with
    | Some a -> let m = List.nth a.shape 2 in shape_is a [h; d_v; m]; (a.den, matrices a, m)
    | None -> (Z.one, chunks d_v (identity (h * d_v)), h * d_v) in
  let q_output_shift, output_shift = vector "output_bias" m in
  let q_skip, skip_rows = shaped "skip" [t; m] (fun () -> zeros t m) matrix in
  let q_readout, readout_weights =
    shaped "readout" [m; d_out]
      (fun () -> if m <> d_out then raise (Bad_input "outputs of another length") else identity m) matrix in
  let q_readout_shift, readout_shift = vector "readout_bias" d_out in
  { P.value_width = Z.of_int d_v; output_width = Z.of_int m; q_value; value_weights; q_value_bias; value_bias; q_output;
    output_weights; q_output_shift; output_shift; q_skip; skip_rows; q_readout; readout_weights; q_readout_shift;
    readout_shift }

(* Keys are those of the rows of the contexts, or of the tokens of each example; heads share them in groups. *)
let projection_of queries keys h n t shared =
  let m = List.nth queries.shape 2 in
  shape_is queries [t; h; m];
  let groups = List.nth keys.shape 1 and rows = List.hd keys.shape in
  shape_is keys [rows; groups; m];
  if groups = 0 || h mod groups <> 0 || not (rows = t * n || (shared && rows = n)) then
    raise (Bad_input "projected keys of another shape");
  let by_row = Array.of_list (List.map Array.of_list (matrices keys)) in
  let of_rows first = List.init h (fun g -> List.init n (fun i -> by_row.(first + i).(g * groups / h))) in
  { P.projected_width = Z.of_int m; q_projected_queries = queries.den; projected_queries = matrices queries;
    q_projected_keys = keys.den;
    projected_keys =
      (if rows = t * n then List.init t (fun e -> of_rows (e * n))
       else let all = of_rows 0 in List.init t (fun _ -> all)) }

let problem_of json =
  let layer = get "layer" json and arrays = get "arrays" json in
  only [ "format"; "digest"; "layer"; "arrays"; "claims" ] "problems with " json;
  only [ "heads"; "context"; "embed_dim"; "head_dim"; "examples"; "output_dim"; "value_dim"; "base"; "logit_scale" ]
    "layers with " layer;
  only ([ "contexts"; "queries"; "labels"; "key"; "query"; "combined"; "key_bias"; "query_bias"; "projected_queries";
      "projected_keys" ] @ after_heads)
    "the array " arrays;
  let dim key = size (get key layer) in
  let t = dim "examples" and h = dim "heads" and n = dim "context" and d = dim "embed_dim" in
  let d_h = dim "head_dim" in
  let int = Z.to_int in
  let array key = Option.map exact_array (find key arrays) in
  (* Queries and contexts that the case does not have are zero: no claim that is covered without them depends
     on them (`statements` says which arrays each one needs). *)
  let q_contexts, contexts =
    match array "contexts" with
    | None -> (Z.one, List.init (int t) (fun _ -> List.init (int n) (fun _ -> List.init (int d) (fun _ -> Z.zero))))
    | Some a when List.length a.shape = 2 ->
      shape_is a [int n; int d];
      let shared = matrix a in
      (a.den, List.init (int t) (fun _ -> shared))
    | Some a -> shape_is a [int t; int n; int d]; (a.den, matrices a) in
  let q_queries, queries =
    match array "queries" with
    | None -> (Z.one, List.init (int t) (fun _ -> List.init (int d) (fun _ -> Z.zero)))
    | Some a -> shape_is a [int t; int d]; (a.den, matrix a) in
  let bias key =
    match array key with
    | None -> (Z.one, [])
    | Some a -> shape_is a [int h; int d_h]; (a.den, matrix a) in
  let given =
    match (array "key", array "query", array "combined") with
    | Some k, Some q, None ->
      shape_is k [int h; int d; int d_h];
      shape_is q [int h; int d; int d_h];
      let qkb, bk = bias "key_bias" and qqb, bq = bias "query_bias" in
      Some (P.Factors (d_h, k.den, matrices k, q.den, matrices q, qkb, bk, qqb, bq))
    | None, None, Some w ->
      shape_is w [int h; int d; int d];
      Some (P.Combined (w.den, matrices w))
    | None, None, None -> None
    | _ -> raise (Bad_input "weights of another kind") in
  let q_labels, labels =
    match array "labels" with
    | None -> (Z.one, [])
    | Some a -> shape_is a [int t; int (dim "output_dim")]; (a.den, matrix a) in
  let projected =
    match array "projected_queries", array "projected_keys" with
    | Some q, Some k when given = None ->
      let shared = match array "contexts" with Some a -> List.length a.shape = 2 | None -> false in
      Some (projection_of q k (int h) (int n) (int t) shared)
    | None, None -> None
    | _ -> raise (Bad_input "weights of another kind") in
  let is_accuracy claim = text (get "statement" claim) = "accuracy" in
  let around =
    if List.exists is_accuracy (list (get "claims" json)) then
      Some (whole_of array (int h) (int d) (int t) (int (dim "output_dim")))
    else None in
  { P.t; h; n; d; d_h; d_v = dim "value_dim"; d_out = dim "output_dim";
    base_two = (match text (get "base" layer) with "2" -> true | "e" -> false | _ -> raise (Bad_input "the base"));
    logit_scale = scale_of (text (get "logit_scale" layer));
    q_contexts; contexts; q_queries; queries; given; q_labels; labels; projected; around }

(* Lemmas 1, 2 and 5 are about the matrices of the claim alone; any other data will do. *)
let no_layer =
  { P.t = Z.one; h = Z.one; n = Z.one; d = Z.one; d_h = Z.one; d_v = Z.one; d_out = Z.one; base_two = false;
    logit_scale = P.Rational (Z.one, Z.one); q_contexts = Z.one; contexts = [ [ [ Z.zero ] ] ]; q_queries = Z.one;
    queries = [ [ Z.zero ] ]; given = None; q_labels = Z.one; labels = []; projected = None; around = None }

(* Statements that are covered, the arrays that they are about (none without a layer), and their arguments. *)
let statements =
  let number = "value at_least at_most" in
  [ "rank", P.Rank, "contexts queries", number; "memorizes", P.Memorizes, "contexts queries labels", "";
    "injective", P.Injective, "contexts queries", ""; "capacity", P.CapacityQuestion, "contexts queries", number;
    "any-coefficients", P.AnyCoefficientsQuestion, "contexts queries", number;
    "kruskal-rank", P.KruskalQuestion, "queries", number; "general-position", P.GeneralPosition, "queries", "";
    "assumption-1", P.Assumption1_, "queries", ""; "assumption-2", P.Assumption2_, "contexts", "";
    "assumption-3", P.Assumption3_, "contexts queries", ""; "affine-hull-bound", P.AffineHullBound, "contexts", "";
    "proposition-1", P.Proposition1, "contexts queries", ""; "proposition-2", P.Proposition2, "contexts", "";
    "proposition-5", P.Proposition5, "contexts", ""; "theorem-1", P.Theorem1, "contexts queries", "";
    "remark-1", P.Remark1, "contexts queries", ""; "skip-connection", P.SkipConnection, "contexts queries", "";
    "lemma-1", P.Lemma1, "", "a b c"; "lemma-2", P.Lemma2, "", "vectors c"; "lemma-5", P.Lemma5, "", "a b";
    "proposition-3", P.Proposition3 P.IntegerLabels, "contexts queries", "neurons output_bias labels";
    "proposition-3", P.Proposition3 P.TranscendentalLabels, "contexts queries", "neurons output_bias labels";
    "proposition-3", P.Proposition3 P.GivenLabels, "contexts queries labels", "neurons output_bias labels";
    "lemma-3", P.Lemma3, "contexts queries", "subset";
    "lemma-4", P.Lemma4, "contexts queries", "example w_star w_prime epsilon";
    "claim-1", P.Claim1, "contexts queries", "subset coefficients";
    "claim-2", P.Claim2, "contexts queries", "subset coefficients epsilon";
    "saturation", P.Saturation, "contexts", "threshold head " ^ number;
    "numerical-rank", P.NumericalRank, "contexts", "tolerance " ^ number;
    "accuracy", P.Accuracy, "contexts", "classes epsilon " ^ number;
    "proposition-4", P.Proposition4, "contexts queries", ""; "positional-encoding", P.PositionalEncoding, "layer", "";
    "finite-lambda", P.FiniteLambda false, "contexts queries", "lambda";
    "finite-lambda", P.FiniteLambda true, "contexts queries", "lambda" ]

let words s = List.filter (( <> ) "") (String.split_on_char ' ' s)

(* of the claim; proposition-3 is three statements, by its labels, finite-lambda two *)
let statement_of name arguments =
  let labels =
    match find "labels" arguments with
    | Some (`String "transcendental") -> P.TranscendentalLabels
    | Some (`String "given") -> P.GivenLabels
    | Some (`String "integer") | None -> P.IntegerLabels
    | _ -> raise (Bad_input "labels of another kind") in
  let is (n, s, _, _) = n = name && (match s with
    | P.Proposition3 l -> l = labels
    | P.FiniteLambda at -> at = (find "lambda" arguments <> None)
    | _ -> true) in
  match List.find_opt is statements with
  | Some s -> s
  | None -> not_covered ("the statement " ^ name)

let no_arguments =
  { P.neurons = Z.zero; output_bias = false; q_matrices = Z.one; matrix_a = []; matrix_b = []; matrix_c = [];
    row_vectors = []; shift_num = Z.zero; shift_den = Z.one; subset = []; q_coefficients = Z.one; coefficients = [];
    example = Z.zero; q_star = Z.one; w_star = []; q_prime = Z.one; w_prime = []; epsilon_num = Z.one;
    epsilon_den = Z.one; only_head = None; classes = None; added_query = false;
    at_lambda = None }

(* the matrices of a claim over one denominator *)
let matrices_of arguments keys =
  let found = List.map (fun key -> exact_array (get key arguments)) keys in
  let den = List.fold_left (fun q a -> Z.lcm q a.den) Z.one found in
  (den, List.map (fun a ->
     if List.length a.shape <> 2 then raise (Bad_input "a matrix is expected");
     matrix { a with entries = List.map (Z.mul (Z.divexact den a.den)) a.entries }) found)

let claim_of (p : P.problem) statement names arguments =
  only (words names) "the argument " arguments;
  let n = Z.to_int p.P.n and d = Z.to_int p.P.d in
  let subset () = List.map size (list (get "subset" arguments)) in
  let shaped key shape = let a = exact_array (get key arguments) in shape_is a shape; (a.den, matrix a) in
  let positive key =
    let e = rational (get key arguments) in
    if Q.sign e <= 0 then raise (Bad_input key);
    (e.Q.num, e.Q.den) in
  let epsilon () = positive "epsilon" in
  let level key = let epsilon_num, epsilon_den = positive key in { no_arguments with P.epsilon_num; epsilon_den } in
  let args =
    match statement with
    | P.Lemma1 ->
      (match matrices_of arguments [ "a"; "b"; "c" ] with
       | q, [ a; b; c ] -> { no_arguments with P.q_matrices = q; matrix_a = a; matrix_b = b; matrix_c = c }
       | _ -> no_arguments)
    | P.Lemma2 ->
      let c = rational (get "c" arguments) in
      (match matrices_of arguments [ "vectors" ] with
       | q, [ v ] ->
         { no_arguments with P.q_matrices = q; row_vectors = v; shift_num = c.Q.num; shift_den = c.Q.den }
       | _ -> no_arguments)
    | P.Lemma5 ->
      (match matrices_of arguments [ "a"; "b" ] with
       | q, [ a; b ] -> { no_arguments with P.q_matrices = q; matrix_a = a; matrix_b = b }
       | _ -> no_arguments)
    | P.Proposition3 _ ->
      let output_bias =
        match find "output_bias" arguments with
        | Some (`Bool b) -> b | None -> false | _ -> raise (Bad_input "output_bias") in
      { no_arguments with P.neurons = size (get "neurons" arguments); output_bias }
    | P.Lemma3 -> { no_arguments with P.subset = subset () }
    | P.Lemma4 ->
      let q_star, w_star = shaped "w_star" [ d; d ] and q_prime, w_prime = shaped "w_prime" [ d; d ] in
      let epsilon_num, epsilon_den = epsilon () in
      { no_arguments with P.example = size (get "example" arguments); q_star; w_star; q_prime; w_prime; epsilon_num;
        epsilon_den }
    | P.Claim1 | P.Claim2 ->
      let subset = subset () in
      let q_coefficients, coefficients = shaped "coefficients" [ List.length subset; n ] in
      let epsilon_num, epsilon_den = if statement = P.Claim2 then epsilon () else (Z.one, Z.one) in
      { no_arguments with P.subset; q_coefficients; coefficients; epsilon_num; epsilon_den }
    | P.Saturation ->
      let only_head = Option.map size (find "head" arguments) in
      Option.iter (fun k -> if Z.geq k p.P.h then raise (Bad_input "head")) only_head;
      { (level "threshold") with P.only_head }
    | P.NumericalRank -> level "tolerance"
    | P.SkipConnection -> { no_arguments with P.added_query = true }
    | P.FiniteLambda true ->
      let l = rational (get "lambda" arguments) in
      { no_arguments with P.at_lambda = Some (l.Q.num, l.Q.den) }
    | P.Accuracy -> (
      match find "classes" arguments with
      | None ->
        if p.P.labels = [] then raise (Bad_input "no labels");
        level "epsilon"
      | Some k ->
        if find "epsilon" arguments <> None then raise (Bad_input "classes and epsilon");
        let a = exact_array k in
        shape_is a [Z.to_int p.P.t];
        let number = if Z.equal p.P.d_out Z.one then Z.of_int 2 else p.P.d_out in
        if not (Z.equal a.den Z.one && List.for_all (fun x -> Z.sign x >= 0 && Z.lt x number) a.entries) then
          raise (Bad_input "classes");
        { no_arguments with P.classes = Some a.entries })
    | _ -> no_arguments in
  let asked = List.filter_map (fun (key, asks) ->
      Option.map (fun v -> { P.asks; asked = integer v; args }) (find key arguments))
    [ "value", P.IsValue; "at_least", P.IsAtLeast; "at_most", P.IsAtMost ] in
  match asked with
  | [] -> { P.asks = P.IsOpen; asked = Z.zero; args }
  | [ c ] -> c
  | _ -> raise (Bad_input "more than one number is asked for")
