(* attest-check-proved PROBLEM.json CERTIFICATE.json [PROBLEM CERTIFICATE]...: reads the canonical
   problem (docs/problem.md) and a certificate (docs/certificate.md), has Proved.check decide, and
   prints a verdict line for each claim.  Trusted here: that the literals of the problem and of its
   claims are handed to Proved.check as they are, and that the verdict is printed.  Not trusted: all
   that concerns steps; a step that is handed over wrongly proves less, never more. *)
module J = Yojson.Safe
module P = Proved
module S = Set.Make (String)

exception Not_covered of string
exception Aside  (* a step about a quantity that no covered statement mentions *)
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

(* What follows the heads: Z and all that statements say about it come before. *)
let after_heads =
  [ "value"; "value_bias"; "output"; "output_bias"; "readout"; "readout_bias"; "skip" ]

let problem_of json =
  let layer = get "layer" json and arrays = get "arrays" json in
  only [ "format"; "digest"; "layer"; "arrays"; "claims" ] "problems with " json;
  only [ "heads"; "context"; "embed_dim"; "head_dim"; "examples"; "output_dim"; "value_dim"; "base"; "logit_scale" ]
    "layers with " layer;
  only ([ "contexts"; "queries"; "labels"; "key"; "query"; "combined"; "key_bias"; "query_bias" ] @ after_heads)
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
  { P.t; h; n; d; d_h; d_v = dim "value_dim"; d_out = dim "output_dim";
    base_two = (match text (get "base" layer) with "2" -> true | "e" -> false | _ -> raise (Bad_input "the base"));
    logit_scale = scale_of (text (get "logit_scale" layer));
    q_contexts; contexts; q_queries; queries; given; q_labels; labels }

(* Lemmas 1, 2 and 5 are about the matrices of the claim alone; any other data will do. *)
let no_layer =
  { P.t = Z.one; h = Z.one; n = Z.one; d = Z.one; d_h = Z.one; d_v = Z.one; d_out = Z.one; base_two = false;
    logit_scale = P.Rational (Z.one, Z.one); q_contexts = Z.one; contexts = [ [ [ Z.zero ] ] ]; q_queries = Z.one;
    queries = [ [ Z.zero ] ]; given = None; q_labels = Z.one; labels = [] }

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
    "proposition-4", P.Proposition4, "contexts queries", ""; "positional-encoding", P.PositionalEncoding, "layer", "" ]

let words s = List.filter (( <> ) "") (String.split_on_char ' ' s)

(* of the claim; proposition-3 is three statements, by its labels *)
let statement_of name arguments =
  let labels =
    match find "labels" arguments with
    | Some (`String "transcendental") -> P.TranscendentalLabels
    | Some (`String "given") -> P.GivenLabels
    | Some (`String "integer") | None -> P.IntegerLabels
    | _ -> raise (Bad_input "labels of another kind") in
  let is (n, s, _, _) = n = name && (match s with P.Proposition3 l -> l = labels | _ -> true) in
  match List.find_opt is statements with
  | Some s -> s
  | None -> not_covered ("the statement " ^ name)

let no_arguments =
  { P.neurons = Z.zero; output_bias = false; q_matrices = Z.one; matrix_a = []; matrix_b = []; matrix_c = [];
    row_vectors = []; shift_num = Z.zero; shift_den = Z.one; subset = []; q_coefficients = Z.one; coefficients = [];
    example = Z.zero; q_star = Z.one; w_star = []; q_prime = Z.one; w_prime = []; epsilon_num = Z.one;
    epsilon_den = Z.one }

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
  let epsilon () =
    let e = rational (get "epsilon" arguments) in
    if Q.sign e <= 0 then raise (Bad_input "epsilon");
    (e.Q.num, e.Q.den) in
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
      { no_arguments with P.subset; q_coefficients; coefficients }
    | _ -> no_arguments in
  let asked = List.filter_map (fun (key, asks) ->
      Option.map (fun v -> { P.asks; asked = integer v; args }) (find key arguments))
    [ "value", P.IsValue; "at_least", P.IsAtLeast; "at_most", P.IsAtMost ] in
  match asked with
  | [] -> { P.asks = P.IsOpen; asked = Z.zero; args }
  | [ c ] -> c
  | _ -> raise (Bad_input "more than one number is asked for")

(* --- layers of a certificate *)

let vector json =
  let q = Z.of_string (text (get "den" json)) in
  if Z.sign q <= 0 then rejected "a denominator that is not positive";
  List.map (fun s -> match s with `String s -> Q.make (Z.of_string s) q | _ -> rejected "a string") (list (get "num" json))

let splitmix seed stream =
  let mask = Z.pred (Z.shift_left Z.one 64) in
  let state = ref (Z.logand (Z.add (Z.mul (Z.of_int 256) seed) (Z.of_int stream)) mask) in
  let mix z k c = Z.logand (Z.mul (Z.logxor z (Z.shift_right z k)) (Z.of_string c)) mask in
  fun bound ->
    let limit = Z.mul (Z.div (Z.shift_left Z.one 64) bound) bound in
    let rec draw () =
      state := Z.logand (Z.add !state (Z.of_string "0x9E3779B97F4A7C15")) mask;
      let z = mix (mix !state 30 "0xBF58476D1CE4E5B9") 27 "0x94D049BB133111EB" in
      let z = Z.logxor z (Z.shift_right z 31) in
      if Z.lt z limit then Z.rem z bound else draw () in
    draw ()

(* a layer with heads: key and query vectors; the separator last, with its factor *)
type heads = ((Q.t list * Q.t list) list * (Q.t list * Q.t list * Q.t) option) list

let heads_of json : heads =
  List.map (fun head ->
    let keys = List.map vector (list (get "key" head)) and queries = List.map vector (list (get "query" head)) in
    if List.length keys <> List.length queries then rejected "as many keys as queries are expected";
    let separator = Option.map (fun s -> (vector (get "u" s), vector (get "v" s), rational (get "lambda" s)))
      (find "separator" head) in
    (List.combine keys queries, separator)) (list json)

let layer_of_heads (p : P.problem) (heads : heads) =
  let terms = List.map (fun (kq, separator) ->
    kq @ match separator with None -> [] | Some (u, v, l) -> [ (List.map (Q.mul l) u, v) ]) heads in
  let m = List.fold_left (fun m kq -> max m (List.length kq)) 0 terms in
  let d = Z.to_int p.P.d in
  let check v = if List.length v <> d then rejected "a vector of length d is expected" in
  List.iter (List.iter (fun (k, q) -> check k; check q)) terms;
  if List.length heads <> Z.to_int p.P.h then rejected "H heads are expected";
  let factors pick =
    let den = denominator (List.concat_map (List.concat_map pick) terms) in
    (den, List.map (fun kq ->
      let columns = List.map (fun term -> Array.of_list (List.map (over den) (pick term))) kq in
      List.init d (fun i -> List.init m (fun k ->
        match List.nth_opt columns k with Some c -> c.(i) | None -> Z.zero))) terms) in
  let qk, key = factors fst and qq, query = factors snd in
  P.Factors (Z.of_int m, qk, key, qq, query, Z.one, [], Z.one, [])

let random_layer (p : P.problem) json =
  let bound = integer (get "bound" json) and seed = integer (get "seed" json) in
  if Z.sign bound <= 0 then rejected "a positive bound is expected";
  let h = Z.to_int p.P.h and d = Z.to_int p.P.d and m = Z.to_int p.P.d_h in
  let draw stream =
    let below = splitmix seed stream in
    let width = Z.succ (Z.mul (Z.of_int 2) bound) in
    let entries = Array.make (h * d * m) Z.zero in
    Array.iteri (fun i _ -> entries.(i) <- Z.sub (below width) bound) entries;
    List.init h (fun g -> List.init d (fun i -> List.init m (fun k -> entries.((g * d + i) * m + k)))) in
  let key = draw 4 in
  let query = draw 5 in
  P.Factors (p.P.d_h, Z.one, key, Z.one, query, Z.one, [], Z.one, [])

(* --- steps *)

let layer_name = function
  | "given" -> None
  | s -> (match int_of_string_opt s with Some k when k >= 0 -> Some (Z.of_int k) | _ -> rejected "a layer is expected")

let inside prefix s =
  let n = String.length prefix and m = String.length s in
  if m > n + 1 && String.sub s 0 n = prefix && s.[n] = '(' && s.[m - 1] = ')' then Some (String.sub s (n + 1) (m - n - 2))
  else None

(* the entries of a sparse vector, in all places *)
let entries length zero value json =
  let row = Array.make length zero in
  List.iter (fun entry ->
    match list entry with
    | [ i; v ] ->
      let i = Z.to_int (size i) in
      if i >= length then rejected "an index outside";
      row.(i) <- value v
    | _ -> rejected "an entry [index, value] is expected") (list json);
  Array.to_list row

let dense length json =
  let number = function `List _ -> rejected "rational values are expected" | v -> rational v in
  let row = entries length Q.zero number json in
  List.map (over (denominator row)) row

let theorems =
  [ "affine-hull", P.AffineHull; "linear-hull", P.LinearHull; "context-hulls", P.ContextHulls;
    "any-coefficients", P.AnyCoefficients;
    "some-coefficients", P.SomeCoefficients; "any-weights", P.AnyWeights; "some-weights", P.SomeWeights;
    "all-weights", P.AllWeights; "equal-examples", P.EqualExamples; "equal-rows", P.EqualRows;
    "equal-outputs", P.EqualOutputs;    "equal-heads", P.EqualHeads; "constant-heads", P.ConstantHeads ]

let paper_theorems =
  [ "moment-curve", P.MomentCurve; "integer-labels", P.IntegerLabelling;
    "transcendental-labels", P.TranscendentalLabelling; "vandermonde-encoding", P.VandermondeEncoding;
    "zero-encoding", P.ZeroEncoding; "zero-matrix", P.ZeroMatrix ]
(* Steps whose fact is the conclusion of a statement of the paper: the statement is applied to the facts before, and
   the numbers of the step are not read. *)
let paper_statements =
  [ "lemma-3", ("compare", "separator"), P.Lemma3Holds; "lemma-4", ("ball", "vertex_limit"), P.Lemma4Holds;
    "claim-1", ("inverse", "weights"), P.Claim1Holds; "claim-2", ("ball", "one_hot"), P.Claim2Holds ]
let by_paper rule step =
  match find "of" step with
  | Some (`String of_) -> List.find_opt (fun (_, key, _) -> key = (rule, of_)) paper_statements
  | _ -> None

(* the matrices and families of rank(...), and the vectors of kruskal(...) *)
let matrix_names =
  [ "queries", P.Queries; "tokens", P.Tokens; "affine-tokens", P.AffineTokens;
    "differences", P.Differences; "a", P.MatrixA; "b", P.MatrixB;
    "c", P.MatrixC; "block", P.Block; "vectors", P.RowVectors; "shifted", P.Shifted;
    "subset-queries", P.SubsetQueries ]
let family_names =
  [ "contexts", P.AllContexts; "mixed-contexts", P.MixedContexts; "subset-contexts", P.SubsetContexts ]
let vector_names = [ "queries", false; "mixed-queries", true ]

(* --- case trees: a list in preorder *)
let integers json = List.map (fun s -> Z.of_string (text s)) (list json)
let tree_of json =
  let rec tree = function
    | [] -> rejected "a tree for each branch"
    | node :: rest -> (
      match find "neuron" node with
      | Some j ->
        let active, rest = tree rest in
        let inactive, rest = tree rest in
        (P.Branch (size j, size (get "example" node), active, inactive), rest)
      | None ->
        (P.Leaf (integers (get "examples" node), List.map integers (list (get "neurons" node)),
           integers (get "order" node)), rest)) in
  match tree (list json) with t, [] -> t | _ -> rejected "nodes after the last tree"

(* --- a network over common denominators *)
let network_of (p : P.problem) step =
  let neurons = list (get "neurons" step) in
  let numbers key json = List.map rational (list (get key json)) in
  let qw = denominator (List.concat_map (fun x -> rational (get "b" x) :: numbers "w" x) neurons) in
  let bias = match find "output_bias" step with Some b -> rational b | None -> Q.zero in
  let qa = denominator (bias :: List.map (fun x -> rational (get "a" x)) neurons) in
  let n = Z.to_int p.P.n and d = Z.to_int p.P.d in
  let neuron x =
    let w = List.map (over qw) (numbers "w" x) in
    if List.length w <> (n + 1) * d then rejected "weights of another length";
    let rows = chunks d w in
    { P.on_context = List.filteri (fun i _ -> i < n) rows; on_query = List.nth rows n;
      neuron_bias = over qw (rational (get "b" x)); output = over qa (rational (get "a" x)) } in
  P.Network (qw, qa, List.map neuron neurons, over qa bias)

(* --- Lemma 5: numbers that show what the step says, found here, as those of the step are no witnesses *)
let form n a b = List.fold_left2 (fun s row x -> Q.add s (Q.mul x (List.fold_left2 (fun s y z -> Q.add s (Q.mul y z)) Q.zero row b))) Q.zero n a

(* v minus its projections on earlier vectors, which are orthogonal to each other in the form n *)
let orthogonal n earlier v =
  List.fold_left (fun v u ->
    let factor = Q.div (form n v u) (form n u u) in
    List.map2 (fun x y -> Q.sub x (Q.mul factor y)) v u) v earlier

let unit_vectors k = List.init k (fun i -> List.init k (fun j -> if i = j then Q.one else Q.zero))

(* a combination of independent vectors that is nowhere positive in the form n *)
let rec not_positive n earlier = function
  | [] -> rejected "the numbers show nothing"
  | v :: rest ->
    let v = orthogonal n earlier v in
    if Q.sign (form n v v) <= 0 then v else not_positive n (v :: earlier) rest

let perturbation_of (args : P.arguments) step =
  let mu = rational (get "mu" step) in
  if Q.sign mu <= 0 then rejected "mu is positive";
  let num = mu.Q.num and den = mu.Q.den in
  match text (get "side" step) with
  | "holds" ->
    (* ||A - B||^2 <= mu - mu / 2^k for a large k *)
    let rec attempt k =
      let scale = Z.shift_left Z.one k in
      let s = Z.mul num scale and s' = Z.mul num (Z.pred scale) and r = Z.mul den scale in
      if k >= 4096 || P.small_ok args s s' r then P.Perturbation (s, s', r) else attempt (2 * k) in
    attempt 1
  | "fails" ->
    let rationals = List.map (List.map Q.of_bigint) in
    let distance = rationals (P.distance_form args num den) and singular = rationals (P.singular_form args num den) in
    let gram = rationals (P.gram_a args) in
    let independent = List.fold_left (fun earlier v ->
        let v = orthogonal gram earlier v in
        if Q.sign (form gram v v) > 0 then v :: earlier else earlier) [] (unit_vectors (List.length gram)) in
    let integers v = List.map (over (denominator v)) v in
    P.NoPerturbation (num, den, integers (not_positive distance [] (unit_vectors (List.length distance))),
      integers (not_positive singular [] independent))
  | _ -> rejected "a side is expected"

let most_subsets = 3_000_000.
let binomial n k = let r = ref 1. in for i = 1 to k do r := !r *. float (n - k + i) /. float i done; !r

let side json = match text (get "side" json) with "right" -> true | "left" -> false | _ -> rejected "a side is expected"
let sizes json = List.map size (list json)

let irrational (p : P.problem) absorbed = match p.P.logit_scale with P.InverseRoot _ -> not absorbed | _ -> false

(* Exponents of the certificate times this are those of Proved. *)
let exponent_unit (p : P.problem) (layer, absorbed) =
  let two = p.P.base_two && not (irrational p absorbed) in
  Z.mul (P.raw_den p layer) (if two then P.scale_den p absorbed else P.scale_num p absorbed)

(* The residue of what exponents are powers of, and its order: g^(1 / exponent_unit), so that the character is the
   certificate's.  Any other pair would do as well. *)
let character (p : P.problem) layer modulus g =
  if p.P.base_two && irrational p (snd layer) then not_covered "base 2 with an irrational scale";
  let order = Z.shift_right modulus 1 in
  if Z.sign order <= 0 then rejected "a modulus is expected";
  match Z.invert (exponent_unit p layer) order with
  | inverse -> (Z.powm g inverse modulus, order)
  | exception _ -> rejected "a denominator that is 0 modulo the order"

(* A vector whose entries are sums of powers, multiplied by a number and a power so that coefficients are integers and
   exponents not negative. *)
let power_vector (p : P.problem) layer length json =
  let exponent x =
    let x = Q.mul x (Q.of_bigint (exponent_unit p layer)) in
    if Z.equal x.Q.den Z.one then x.Q.num else not_covered "powers that are no products of those of the logits" in
  let value = function
    | `List terms ->
      List.map (fun term -> match list term with
        | [ c; x ] -> (exponent (rational x), rational c)
        | _ -> rejected "a term [coefficient, exponent] is expected") terms
    | v -> [ (Z.zero, rational v) ] in
  let row = entries length [] value json in
  let all = List.concat row in
  let den = denominator (List.map snd all) in
  let least = List.fold_left (fun m (x, _) -> Z.min m x) Z.zero all in
  List.map (fun terms ->
    List.filter (fun (_, c) -> Z.sign c <> 0)
      (List.sort (fun (x, _) (y, _) -> Z.compare x y)
        (List.map (fun (x, c) -> (Z.sub x least, over den c)) terms))) row

(* the vectors of a step, its modulus and character; constants need no character *)
let power_vectors p layer length step =
  let vectors = List.map (power_vector p layer length) (list (get "vectors" step)) in
  let constant = List.for_all (List.for_all (List.for_all (fun (x, _) -> Z.sign x = 0))) vectors in
  let q = integer (get "p" step) in
  let g, order = if constant then (Z.one, Z.one) else character p layer q (integer (get "g" step)) in
  (q, g, order, vectors)

(* (s, t) of a multiple of e_s - e_t *)
let edge_of row =
  match List.filter (fun (_, x) -> Z.sign x <> 0) (List.mapi (fun i x -> (Z.of_int i, x)) row) with
  | [ (s, x); (t, y) ] when Z.equal (Z.add x y) Z.zero -> (s, t)
  | _ -> rejected "a multiple of a difference of two unit vectors is expected"

let step_of (p : P.problem) (args : P.arguments) layers before step =
  let modulus () = integer (get "p" step) in
  let known_layer name = match layers name with Some l -> l | None -> not_covered "a layer that is not covered" in
  match text (get "rule" step) with
  | rule when by_paper rule step <> None ->
    let _, _, x = Option.get (by_paper rule step) in
    P.ApplyPaper (x, before)
  | "minor" when List.mem (text (get "of" step)) [ "rank(Z|Y)"; "distinct(Z)" ] ->
    let q = modulus () in
    let g, order = character p (known_layer None) q (integer (get "g" step)) in
    let rows = sizes (get "rows" step) and labels = Z.mul p.P.h p.P.d in
    let cols = List.map (fun c -> if Z.geq c labels then (p.P.h, Z.sub c labels) else Z.div_rem c p.P.d)
        (sizes (get "cols" step)) in
    if text (get "of" step) = "distinct(Z)" then P.MinorDistinct (q, g, order, rows, cols)
    else if List.length rows <> List.length cols then rejected "as many columns as rows are expected"
    else P.MinorLabels (q, g, order, rows, cols)
  | "minor" -> (
    let of_ = text (get "of" step) in
    match inside "rank" of_ with
    | None -> not_covered ("minors of " ^ of_)
    | Some m -> (
      match List.assoc_opt m matrix_names, List.assoc_opt m family_names, inside "Z" m with
      | Some m, _, _ -> P.Minor (m, modulus (), sizes (get "rows" step), sizes (get "cols" step))
      | _, Some f, _ -> P.MinorContexts (f, modulus ())
      | _, _, None -> not_covered ("minors of " ^ of_)
      | _, _, Some w ->
        let name = layer_name w in
        let layer = known_layer name in
        let q = modulus () in
        let g, order = character p layer q (integer (get "g" step)) in
        let cols = List.map (fun c -> Z.div_rem c p.P.d) (sizes (get "cols" step)) in
        let rows = sizes (get "rows" step) in
        if List.length rows <> List.length cols then rejected "as many columns as rows are expected";
        P.MinorZ (name, q, g, order, rows, cols)))
  | "zero" -> (
    let of_ = text (get "of" step) in
    let vectors length = List.map (dense length) (list (get "vectors" step)) in
    let int = Z.to_int in
    match Option.map (fun m -> (List.assoc_opt m matrix_names, List.assoc_opt m family_names)) (inside "rank" of_),
          Option.map (fun v -> List.assoc_opt v vector_names) (inside "kruskal" of_) with
    | Some (Some m, _), _ ->
      let right = side step in
      let (height, width), _ = P.literal_rows p args m in
      P.Zero (m, right, modulus (), vectors (int (if right then width else height)))
    | Some (_, Some f), _ ->
      let member = match find "member" step with Some m -> size m | None -> Z.zero in
      let right = side step in
      P.ZeroContext (f, member, right, modulus (), vectors (int (if right then p.P.d else p.P.n)))
    | _, Some (Some mixed) -> (
      match vectors (int p.P.t) with [ y ] -> P.ZeroKruskal (mixed, y) | _ -> rejected "one vector is expected")
    | _ when of_ = "distinct(Z)" ->
      if side step then rejected "the left side is expected";
      P.ZeroDistinct (modulus (), List.map edge_of (List.map (dense (int p.P.t)) (list (get "vectors" step))))
    | _ when of_ = "rank(Z|Y)" ->
      if side step then rejected "the left side is expected";
      let q, g, order, vectors = power_vectors p (known_layer None) (int p.P.t) step in
      P.ZeroLabels (q, g, order, vectors)
    | _ when of_ = "capacity" -> P.ZeroCapacity (modulus (), vectors (int p.P.t))
    | _ -> (
      match Option.bind (inside "rank" of_) (inside "Z") with
      | None -> not_covered ("zero of " ^ of_)
      | Some w ->
        let name = layer_name w in
        let layer = known_layer name and right = side step in
        let t = int p.P.t and h = int p.P.h and d = int p.P.d in
        let q, g, order, vectors = power_vectors p layer (if right then h * d else t) step in
        if right then P.RightZeroZ (name, q, g, order, List.map (chunks d) vectors)
        else P.LeftZeroZ (name, q, g, order, vectors)))
  | "subsets" -> (
    let of_ = text (get "of" step) in
    match Option.map (fun v -> List.assoc_opt v vector_names) (inside "kruskal" of_) with
    | Some (Some mixed) ->
      let k = size (get "k" step) in
      if binomial (Z.to_int p.P.t) (Z.to_int k) > most_subsets then not_covered "more than 3000000 subsets";
      P.Subsets (mixed, k, modulus ())
    | _ -> not_covered ("subsets of " ^ of_))
  | "compare" when text (get "of" step) = "perturbation" -> P.Show (perturbation_of args step)
  | "compare" when text (get "of" step) = "network(given)" -> P.Show (network_of p step)
  | "split" -> P.Show (P.CaseTrees (List.map tree_of (list (get "trees" step))))
  | "theorem" -> (
    let name = text (get "theorem" step) in
    match List.assoc_opt name theorems, List.assoc_opt name paper_theorems with
    | None, None -> not_covered ("the theorem " ^ name)
    | None, Some x -> P.ApplyPaper (x, sizes (get "uses" step))
    | Some x, _ ->
      let l = match find "layer" step with
        | None -> None
        | Some (`String s) -> layer_name s
        | Some k -> Some (size k) in
      P.Apply (x, l, sizes (get "uses" step)))
  | "let" -> P.NotCovered  (* read before *)
  | "inverse" when text (get "of" step) = "readout" -> raise Aside
  | rule -> not_covered ("the rule " ^ rule)

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
  | P.RankZ l -> "rank(Z(" ^ layer l ^ "))" | P.RankAny -> "rank(Z(any))" | P.Capacity -> "capacity"
  | P.Kruskal false -> "kruskal(queries)" | P.Kruskal true -> "kruskal(mixed-queries)"
  | P.DistinctContexts -> "distinct(contexts)" | P.DistinctTokens -> "distinct(tokens)"
  | P.DistinctExamples -> "distinct(examples)" | P.DistinctSums -> "distinct(token-sums)"
  | P.InShape l -> "in_shape(" ^ layer l ^ ")" | P.DistinctHeads l -> "heads(" ^ layer l ^ ")"
  | P.MovingHeads l -> "moving(" ^ layer l ^ ")" | P.Neurons -> "neurons" | P.OutputBias -> "output_bias"
  | P.SizeSubset -> "size(subset)" | P.RowsOfVectors -> "rows(vectors)" | P.Varying -> "varying(inputs)"
  | P.Fractions -> "fractions(inputs)" | P.OffMomentCurve -> "off_moment_curve" | P.EqualEntries -> "equal(entries)"
  | P.Truth x -> (
    match x with
    | P.NetworkFits P.IntegerLabels -> "network(integer)" | P.NetworkFits P.TranscendentalLabels -> "network(transcendental)"
    | P.NetworkFits P.GivenLabels -> "network(given)" | P.SmallPerturbation -> "perturbation" | P.Separates -> "separator"
    | P.VertexLimit -> "vertex_limit" | P.Prescribed -> "weights" | P.OneHot -> "one_hot")

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
  List.iter (fun (name, x) -> theorem name (P.paper_conditions x) (P.paper_bounded x))
    (paper_theorems @ List.map (fun (name, _, x) -> (name, x)) paper_statements)

(* --- one certificate *)

type answer = Verdict of string | Reject of string | Skip of string

let check_claim problem arrays (claim : J.t) (certificate : J.t) =
  let name = text (get "statement" claim) in
  if text (get "statement" certificate) <> name then rejected ("the statement " ^ name ^ " is expected");
  let _, statement, needs, names = statement_of name (get "arguments" claim) in
  let p =
    if needs = "" then no_layer
    else match Lazy.force problem with Ok p -> p | Error what -> not_covered what in
  List.iter (fun key -> if key <> "layer" && find key arrays = None then raise (Bad_input ("no " ^ key))) (words needs);
  if P.about_given statement && p.P.given = None then raise (Bad_input "no weights");
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
      let before = List.filter (fun u -> not uncovered.(Z.to_int u)) (List.init k Z.of_int) in
      let s = step_of p claim.P.args layers before step in
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
      P.NotCovered
    | Aside ->
      uncovered.(k) <- true;
      P.NotCovered) steps in
  let result = P.check p statement claim (Array.to_list built) (Array.to_list translated) in
  let facts = Array.of_list result.P.of_steps in
  Array.iteri (fun k step ->
    if not uncovered.(k) && text (get "rule" step) <> "let" then
      let stated = text (get "fact" step) in
      match if k < Array.length facts then facts.(k) else None with
      | None when by_paper (text (get "rule" step)) step <> None ->
        missing := S.add ("a step without the hypotheses of the " ^ name) !missing
      | None -> rejected (Printf.sprintf "step %d does not prove %s" k stated)
      | Some f when fact_text f <> stated ->
        rejected (Printf.sprintf "step %d proves %s, not %s" k (fact_text f) stated)
      | Some _ -> ()) steps;
  let unless_missing verdict =
    if S.is_empty !missing then Verdict verdict else Skip (String.concat ", " (S.elements !missing)) in
  match result.P.of_claim with
  | P.Verified true -> Verdict "verified"
  | P.Verified false -> unless_missing "verified (hypotheses undecided)"
  | P.Refuted -> Verdict "refuted"
  | P.Inapplicable -> Verdict "inapplicable"
  | P.Undecided -> unless_missing "undecided"

let answer problem arrays claim certificate =
  try check_claim problem arrays claim certificate with
  | Not_covered what -> Skip what
  | Rejected what -> Reject what
  | Invalid_argument what | Failure what -> Reject what
  | Z.Overflow -> Reject "a number that is too large"
  | Division_by_zero -> Reject "a zero denominator"

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
  let bad = ref false in
  List.iteri (fun k (claim, c) ->
    let line = match answer problem (get "arrays" problem_json) claim c with
      | Verdict v -> v
      | Skip what -> "not covered: " ^ what
      | Reject what -> bad := true; "rejected: " ^ what in
    Printf.printf "%s  claim %d %s: %s\n%!" certificate_path k (text (get "statement" claim)) line)
    (List.combine claims given);
  not !bad

let () =
  let rec run ok = function
    | [] -> ok
    | problem :: certificate :: rest ->
      let good =
        try check_file problem certificate with
        | Rejected what -> Printf.printf "%s: rejected: %s\n%!" certificate what; false
        | Bad_input what | Sys_error what | Yojson.Json_error what | Failure what | Invalid_argument what ->
          Printf.printf "%s: bad input: %s\n%!" certificate (String.escaped what); false
        | Stack_overflow -> Printf.printf "%s: limit: the stack\n%!" certificate; false in
      run (good && ok) rest
    | _ -> prerr_endline "usage: attest-check-proved PROBLEM.json CERTIFICATE.json ... | --tables"; exit 2 in
  match List.tl (Array.to_list Sys.argv) with
  | [ "--tables" ] -> print_tables ()
  | [] -> ignore (run true [ "" ])
  | arguments -> exit (if run true arguments then 0 else 1)
