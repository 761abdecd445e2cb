(* The canonical problem (docs/certificate.md): its literals as Proved.check takes them, and its digest.  All of this is
   trusted: that they are handed over as they are. *)
open Json
open Arrays
module P = Proved

(* --- the problem *)

let scale_of s =
  let n = String.length s in
  if n > 8 && String.sub s 0 7 = "1/sqrt(" && s.[n - 1] = ')' then (
    let m = natural_text (String.sub s 7 (n - 8)) in
    if Z.sign m <= 0 then bad_input "the scale";
    P.InverseRoot m)
  else
    let q = rational (`String s) in
    P.Rational (q.Q.num, q.Q.den)

let shape_is a expected = if a.shape <> expected then bad_input "an array of another shape"

(* What this reader does not know may change the meaning of what it knows. *)
let only names what json =
  List.iter (fun (key, _) -> if not (List.mem key names) then not_covered (what ^ key)) (fields json)

(* What follows the heads: accuracy and Jacobians are about it. *)
let after_heads =
  [ "value"; "value_bias"; "output"; "output_bias"; "readout"; "readout_bias"; "skip" ]

let array_names =
  [ "contexts"; "hidden"; "queries"; "labels"; "key"; "query"; "combined"; "key_bias"; "query_bias"; "projected_queries";
    "projected_keys"; "sink" ] @ after_heads

(* the arrays of a canonical problem, in the order of its text *)
let arrays_of data json =
  let arrays = get "arrays" json in
  List.iter (fun (name, _) -> if not (List.mem name array_names) then not_covered ("the array " ^ name)) (fields arrays);
  List.filter_map (fun name -> Option.map (fun a -> (name, exact data a)) (find name arrays)) array_names

(* of the layers before the layer, each with its arrays in the order of the canonical text *)
let names_before = [ "key"; "query"; "combined"; "value"; "weight_1"; "bias_1"; "weight_2"; "bias_2"; "gain" ]
let before_of data json =
  let layers = match find "before" json with None -> [] | Some layers -> list layers in
  List.map (fun layer ->
    let arrays = get "arrays" layer in
    List.iter (fun (name, _) -> if not (List.mem name names_before) then not_covered ("the array " ^ name)) (fields arrays);
    (layer, List.filter_map (fun name -> Option.map (fun a -> (name, exact data a)) (find name arrays)) names_before)) layers

(* The whole layer (docs/case-files.md): what is missing is the identity, or 0.  Without a read-out that fits the
   outputs only the values are read, which output-rank and output-memorizes are about. *)
let whole_of array ~reads_out h d t d_out =
  let identity k = List.init k (fun i -> List.init k (fun j -> if i = j then Z.one else Z.zero)) in
  let zeros h w = List.init h (fun _ -> List.init w (fun _ -> Z.zero)) in
  let q_value, value_weights, d_v =
    match array "value" with
    | Some a -> let d_v = List.nth a.shape 2 in shape_is a [h; d; d_v]; (a.den, matrices a, d_v)
    | None -> (Z.one, List.init h (fun _ -> identity d), d) in
  let shaped key shape zero rows = match array key with
    | Some a -> shape_is a shape; (a.den, rows a)
    | None -> (Z.one, zero ()) in
  let vector key w = shaped key [w] (fun () -> List.hd (zeros 1 w)) numbers in
  let q_value_bias, value_bias = shaped "value_bias" [h; d_v] (fun () -> zeros h d_v) matrix in
  let q_output, output_weights, m =
    match array "output" with
    | Some a -> let m = List.nth a.shape 2 in shape_is a [h; d_v; m]; (a.den, matrices a, m)
    | None -> (Z.one, chunks d_v (identity (h * d_v)), h * d_v) in
  let q_output_shift, output_shift = vector "output_bias" m in
  let q_skip, skip_rows = shaped "skip" [t; m] (fun () -> zeros t m) matrix in
  let q_readout, readout_weights =
    shaped "readout" [m; d_out]
      (fun () -> if not reads_out then [] else if m <> d_out then bad_input "outputs of another length" else identity m)
      matrix in
  let q_readout_shift, readout_shift = vector "readout_bias" d_out in
  { P.value_width = Z.of_int d_v; output_width = Z.of_int m; q_value; value_weights; q_value_bias; value_bias; q_output;
    output_weights; q_output_shift; output_shift; q_skip; skip_rows; q_readout; readout_weights; q_readout_shift;
    readout_shift }

(* The kind of the coefficients; weights have logits of sinks, and no key biases beside one.  The exponents of sinks are
   integers over a denominator of the layer (cone_ok of cones.v), which that of their logits divides when the key weights
   are written over a multiple of it. *)
let kind_of layer array h =
  let sink = array "sink" and weights = List.exists (fun key -> array key <> None) [ "key"; "combined"; "projected_keys" ] in
  if (find "sink" layer <> None || find "coefficients" layer <> None) && array "key_bias" <> None then
    bad_input "key biases beside a sink or sigmoid coefficients";
  match (find "sink" layer, find "coefficients" layer) with
  | None, None -> if sink <> None then bad_input "logits of sinks without a sink" else P.Softmax
  | Some (`Bool true), None -> (
    match sink with
    | None -> if weights then bad_input "no logits of sinks" else P.Sinks (Z.one, [], [])
    | Some a -> shape_is a [ h ]; P.Sinks (a.den, numbers a, []))
  | None, Some (`String "sigmoid") when sink = None -> P.Sigmoid []
  | _ -> bad_input "coefficients of another kind"

(* Of layers with free query biases the capacity is meant; these are about it, or about no weights but those given. *)
let beside_query_biases =
  [ "rank"; "output-rank"; "capacity"; "any-coefficients"; "memorizes"; "output-memorizes"; "injective"; "kruskal-rank";
    "general-position"; "assumption-1"; "assumption-2"; "assumption-3" ]
let query_bias_of json =
  match get "layer" json with
  | `Null -> false
  | layer -> (match find "query_bias" layer with None -> false | Some (`Bool true) -> true | _ -> bad_input "query_bias")

let given_before_of json = match get "layer" json with
  | `Null -> false
  | layer ->
    match find "layers_before" layer with None -> false | Some (`String "given") -> true | _ -> bad_input "layers before that are given"

let over_multiple q = function
  | P.Factors (m, qk, key, qq, query, qkb, bk, qqb, bq) ->
    P.Factors (m, Z.mul q qk, List.map (List.map (List.map (Z.mul q))) key, qq, query, qkb, bk, qqb, bq)
  | P.Combined (qw, w) -> P.Combined (Z.mul q qw, List.map (List.map (List.map (Z.mul q))) w)
  | P.Projected p ->
    P.Projected { p with P.q_projected_keys = Z.mul q p.P.q_projected_keys;
      projected_keys = List.map (List.map (List.map (List.map (Z.mul q)))) p.P.projected_keys }
let with_sinks = function P.Sinks (q, _, _) when not (Z.equal q Z.one) -> over_multiple q | _ -> Fun.id

(* Keys are those of the rows of the contexts, or of the tokens of each example, members the rows that these are; heads share
   them in groups. *)
let projection_of queries keys h t rows_of_contexts members =
  let m = List.nth queries.shape 2 in
  shape_is queries [t; h; m];
  let groups = List.nth keys.shape 1 and rows = List.hd keys.shape in
  shape_is keys [rows; groups; m];
  let tokens = List.fold_left (fun sum l -> sum + List.length l) 0 members in
  if groups = 0 || h mod groups <> 0 || not (rows = rows_of_contexts || rows = tokens) then
    bad_input "projected keys of another shape";
  let by_row = Array.of_list (List.map Array.of_list (matrices keys)) in
  let next = ref 0 and last = ref ([], []) in
  let places l = if rows = rows_of_contexts then l else List.map (fun _ -> incr next; !next - 1) l in
  let keys_of l =
    let l = places l in
    if l != fst !last then last := (l, List.init h (fun g -> List.map (fun i -> by_row.(i).(g * groups / h)) l));
    snd !last in
  { P.projected_width = Z.of_int m; q_projected_queries = queries.den; projected_queries = matrices queries;
    q_projected_keys = keys.den; projected_keys = List.map keys_of members }

(* Most contexts that are kept as lists, which take 24 bytes a number; larger ones are read each time that they are
   asked for. *)
let most_kept = 1 lsl 24

let by_example a =
  match a.shape with
  | [ t; n; d ] ->
    let context k = rows a (k * n) n d in
    if t * n * d > most_kept then fun k -> context (Z.to_int k)
    else let kept = Array.init t context in fun k -> kept.(Z.to_int k)
  | _ -> bad_input "contexts are expected"

(* What is given with lists of tokens (docs/certificate.md): the problem has each list so often that all are equally long,
   which changes no mean (with_lists of other_layers.v).  These are the statements that are about means, tokens and queries;
   `saturation` is about single coefficients. *)
let about_means =
  [ "rank"; "output-rank"; "capacity"; "any-coefficients"; "memorizable"; "memorizes"; "output-memorizes"; "injective";
    "injective-almost-surely"; "numerical-rank"; "accuracy"; "jacobian-rank"; "functional-dimension"; "unfittable-labels";
    "kruskal-rank"; "general-position"; "affine-hull-bound" ]

(* What is given with projected queries and keys: statements about the layer that the case has, and about its contexts
   alone.  There are no queries. *)
let about_projections =
  [ "rank"; "output-rank"; "memorizes"; "output-memorizes"; "injective"; "saturation"; "numerical-rank"; "accuracy"; "assumption-2";
    "affine-hull-bound"; "proposition-2"; "proposition-5" ]

(* Most tokens of all examples, so repeated. *)
let most_repeated = 4_000_000

(* the tokens of each example, their rows, and how many they are when repeated *)
let lists_of json a t d =
  let all = match a.shape with
    | [ _; width ] when width = d -> Array.of_list (matrix a) | _ -> bad_input "an array of another shape" in
  let row k =
    let k = size k in
    if Z.geq k (Z.of_int (Array.length all)) then bad_input "a token outside";
    Z.to_int k in
  let members = List.map (fun l -> List.map row (list l)) (list json) in
  let lists = Array.of_list (List.map (List.map (Array.get all)) members) in
  if Array.length lists <> t then bad_input "a list of tokens for each example is expected";
  if Array.mem [] lists then bad_input "an example without tokens";
  let n = Array.fold_left (fun n l -> Z.lcm n (Z.of_int (List.length l))) Z.one lists in
  if Z.gt (Z.mul n (Z.of_int t)) (Z.of_int most_repeated) then
    not_covered "lists whose lengths have so large a common multiple";
  (lists, members, n)

(* Layers before the layer: rows of the hidden vectors, and what each layer makes of them.  Weights W are W 1^T, values that
   are missing the identity, gains 1. *)
let truth json = match json with `Bool b -> b | _ -> bad_input "true or false is expected"
let lists_of_rows json = List.map sizes (list json)

let earlier_of d (layer, arrays) =
  let array key = List.assoc_opt key arrays in
  let identity = List.init d (fun i -> List.init d (fun j -> if i = j then Z.one else Z.zero)) in
  let width key = match array key with
    | Some a -> List.nth a.shape (List.length a.shape - 1) | None -> bad_input ("no " ^ key) in
  match text (get "kind" layer) with
  | "attention" ->
    only [ "kind"; "heads"; "head_dim"; "residual"; "members"; "arrays" ] "attention before the layer with " layer;
    let h = Z.to_int (size (get "heads" layer)) in
    let shaped key w = let a = List.assoc key arrays in shape_is a [ h; d; w ]; (a.den, matrices a) in
    let w, (qk, key), (qq, query) = match array "key", array "query", array "combined" with
      | Some _, Some _, None -> let w = width "key" in (w, shaped "key" w, shaped "query" w)
      | None, None, Some _ -> (d, shaped "combined" d, (Z.one, List.init h (fun _ -> identity)))
      (* all weights are meant: entries that are missing are 0 *)
      | None, None, None -> let w = Z.to_int (size (get "head_dim" layer)) in
        let none = (Z.one, List.init h (fun _ -> [])) in (w, none, none)
      | _ -> bad_input "weights of another kind" in
    let qv, value = match array "value" with
      | Some _ -> shaped "value" d | None -> (Z.one, List.init h (fun _ -> identity)) in
    let head i k q = { P.earlier_width = Z.of_int w; q_earlier_key = qk; earlier_key = k; q_earlier_query = qq;
      earlier_query = q; q_earlier_value = qv; earlier_value = List.nth value i } in
    P.EarlierAttention (truth (get "residual" layer), lists_of_rows (get "members" layer),
      List.mapi (fun i (k, q) -> head i k q) (List.combine key query))
  | "mlp" ->
    only [ "kind"; "activation"; "residual"; "arrays" ] "networks before the layer with " layer;
    let m = width "weight_1" in
    let shaped key shape = match array key with
      | Some a -> shape_is a shape; (a.den, matrix a) | None -> bad_input ("no " ^ key) in
    let vector key w = match array key with Some a -> shape_is a [ w ]; (a.den, numbers a) | None -> (Z.one, []) in
    let q1, w1 = shaped "weight_1" [ d; m ] and q2, w2 = shaped "weight_2" [ m; d ] in
    let qb1, b1 = vector "bias_1" m and qb2, b2 = vector "bias_2" d in
    let f = match text (get "activation" layer) with
      | "relu" -> P.Relu | "silu" -> P.Silu | "tanh" -> P.Tanh | _ -> bad_input "an activation" in
    P.EarlierNetwork (truth (get "residual" layer), f, Z.of_int m, q1, w1, qb1, b1, q2, w2, qb2, b2)
  | "rmsnorm" ->
    only [ "kind"; "epsilon"; "arrays" ] "rmsnorm before the layer with " layer;
    let q, gain = match array "gain" with
      | Some a -> shape_is a [ d ]; (a.den, numbers a) | None -> (Z.one, List.init d (fun _ -> Z.one)) in
    let epsilon = rational (get "epsilon" layer) in
    if Q.sign epsilon < 0 then bad_input "epsilon";
    P.EarlierNorm (q, gain, epsilon.Q.num, epsilon.Q.den)
  | kind -> bad_input ("the layer " ^ kind)

let parameters_before (stack : P.layer_stack) =
  let d = stack.P.top_problem.P.d in
  let of_head g = Z.mul d (Z.add (Z.mul (Z.of_int 2) g.P.earlier_width) d) in
  List.fold_left (fun sum -> function P.EarlierAttention (_, _, heads) -> List.fold_left (fun s g -> Z.add s (of_head g)) sum heads | _ -> sum)
    Z.zero stack.P.befores

let without_weights (stack : P.layer_stack) = List.exists (function
  | P.EarlierAttention (_, _, heads) -> List.exists (fun g -> g.P.earlier_key = []) heads
  | _ -> false) stack.P.befores

let stack_of json arrays before (p : P.problem) =
  let hidden = match List.assoc_opt "hidden" arrays with
    | Some { shape = [ s; l; d ]; _ } as a when d = Z.to_int p.P.d -> ignore a; rows (Option.get a) 0 (s * l) d
    | _ -> bad_input "hidden vectors are expected" in
  let count = Z.of_int (List.length hidden) in
  let inside = List.iter (fun k -> if Z.geq k count then bad_input "a row outside") in
  let members = lists_of_rows (get "members" json) and own = sizes (get "positions" json) in
  List.iter inside (own :: members);
  if List.exists (fun k -> not (Z.equal (Z.of_int k) p.P.t)) [ List.length own; List.length members ] || List.mem [] members then
    bad_input "a row and tokens for each example are expected";
  let befores = List.map (earlier_of (Z.to_int p.P.d)) before in
  let lists = List.concat_map (function P.EarlierAttention (_, lists, _) -> List.iter inside lists; lists | _ -> []) befores in
  (* No vector that is used is divided by 0; of those that are not another one takes the place. *)
  let without_epsilon = List.mapi (fun k -> function P.EarlierNorm (_, _, num, _) when Z.sign num = 0 -> k | _ -> -1) befores in
  if List.exists (fun k -> k > 0) without_epsilon then bad_input "epsilon is 0 behind another layer";
  let hidden =
    if not (List.mem 0 without_epsilon) then hidden
    else
      let used = Hashtbl.create 97 in
      List.iter (List.iter (fun k -> Hashtbl.replace used (Z.to_int k) ())) (own :: members @ lists);
      let first = List.nth hidden (Z.to_int (List.hd own)) in
      List.mapi (fun k row ->
        if List.exists (fun x -> Z.sign x <> 0) row then row
        else if Hashtbl.mem used k then bad_input "a vector of zeros and epsilon 0"
        else first) hidden in
  if p.P.base_two then not_covered "layers before the layer in base 2";
  { P.top_problem = p; q_hidden = (List.assoc "hidden" arrays).den; hidden_rows = hidden; befores; example_rows = own;
    example_tokens = members }

(* Lists of tokens as what enters a layer behind no others, which may have any lengths: tokens, then queries.  Single
   coefficients, which `saturation` is about, are those of the lists there. *)
let stack_of_lists (p : P.problem) lists =
  let q = Z.lcm p.P.q_contexts p.P.q_queries in
  let over den = List.map (List.map (Z.mul (Z.divexact q den))) in
  let tokens = List.concat (Array.to_list lists) and next = ref (-1) in
  let number _ = incr next; Z.of_int !next in
  let example_tokens = List.map (List.map number) (Array.to_list lists) in
  let example_rows = List.map number p.P.queries in
  { P.top_problem = p; q_hidden = q; hidden_rows = over p.P.q_contexts tokens @ over p.P.q_queries p.P.queries; befores = [];
    example_rows; example_tokens }
let by_lists (p : P.problem) kind name =
  name = "saturation" && kind = P.Softmax && not p.P.base_two
  && (match p.P.given with Some (P.Factors _ | P.Combined _) -> true | _ -> false)

(* the problem of a canonical one whose arrays have been read, the lists of tokens that it is made of, the kind of its
   coefficients, and the layers before the layer *)
let problem_of json arrays before =
  let layer = get "layer" json in
  let deep = before <> [] in
  if (List.mem_assoc "hidden" arrays || find "positions" json <> None) <> deep then bad_input "hidden vectors";
  if deep && List.exists (fun key -> List.mem_assoc key arrays) [ "contexts"; "queries" ] then bad_input "contexts";
  only ([ "format"; "digest"; "layer"; "arrays"; "members"; "claims" ] @ if deep then [ "positions"; "before" ] else [])
    "problems with " json;
  only [ "heads"; "context"; "embed_dim"; "head_dim"; "examples"; "output_dim"; "value_dim"; "base"; "logit_scale"; "sink";
      "coefficients"; "query_bias"; "layers_before" ]
    "layers with " layer;
  if given_before_of json && not deep then bad_input "layers before that are given";
  let dim key = size (get key layer) in
  let t = dim "examples" and h = dim "heads" and n = dim "context" and d = dim "embed_dim" in
  let d_h = dim "head_dim" in
  let int = Z.to_int in
  let array key = List.assoc_opt key arrays in
  (* Queries and contexts that the case does not have are zero: no claim that is covered without them depends
     on them (`statements` says which arrays each one needs). *)
  let lists = match find "members" json, array "contexts" with
    | None, _ -> None
    | Some _, _ when deep -> None
    | Some members, Some a -> Some (lists_of members a (int t) (int d))
    | Some _, None -> bad_input "lists of tokens, and no contexts" in
  let q_contexts, context_rows =
    match array "contexts" with
    | None -> let zero = List.init (int n) (fun _ -> List.init (int d) (fun _ -> Z.zero)) in (Z.one, fun _ -> zero)
    | Some a when lists <> None -> (a.den, fun _ -> [])
    | Some a when List.length a.shape = 2 ->
      shape_is a [int n; int d];
      let shared = matrix a in
      (a.den, fun _ -> shared)
    | Some a -> shape_is a [int t; int n; int d]; (a.den, by_example a) in
  let q_queries, queries =
    match array "queries" with
    | None -> (Z.one, List.init (int t) (fun _ -> List.init (int d) (fun _ -> Z.zero)))
    | Some a -> shape_is a [int t; int d]; (a.den, matrix a) in
  let bias key =
    match array key with
    | None -> (Z.one, [])
    | Some a -> shape_is a [int h; int d_h]; (a.den, matrix a) in
  let kind = kind_of layer array (int h) in
  let given = Option.map (with_sinks kind) @@
    match (array "key", array "query", array "combined") with
    | Some k, Some q, None ->
      shape_is k [int h; int d; int d_h];
      shape_is q [int h; int d; int d_h];
      let qkb, bk = bias "key_bias" and qqb, bq = bias "query_bias" in
      Some (P.Factors (d_h, k.den, matrices k, q.den, matrices q, qkb, bk, qqb, bq))
    | None, None, Some w ->
      shape_is w [int h; int d; int d];
      Some (P.Combined (w.den, matrices w))
    | None, None, None -> (
      match array "projected_queries", array "projected_keys" with
      | Some q, Some k ->
        let a = match array "contexts" with Some a -> a | None -> bad_input "no contexts" in
        let first = List.init (int n) Fun.id and shared = List.length a.shape = 2 in
        let members = match lists with
          | Some (_, members, _) -> members
          | None -> List.init (int t) (fun e -> if shared then first else List.map (fun i -> (e * int n) + i) first) in
        let rows_of_contexts = List.hd a.shape * if shared then 1 else int n in
        Some (P.Projected (projection_of q k (int h) (int t) rows_of_contexts members))
      | None, None -> None
      | _ -> bad_input "weights of another kind")
    | _ -> bad_input "weights of another kind" in
  (match given with
   | Some (P.Projected _) | None -> ()
   | _ -> if array "projected_queries" <> None || array "projected_keys" <> None then bad_input "weights of another kind");
  let q_labels, labels =
    match array "labels" with
    | None -> (Z.one, [])
    | Some a -> shape_is a [int t; int (dim "output_dim")]; (a.den, matrix a) in
  let asks names = List.exists (fun claim -> List.mem (text (get "statement" claim)) names) (list (get "claims" json)) in
  let width key missing = match array key with Some a -> List.nth a.shape 2 | None -> missing () in
  let outputs () = width "output" (fun () -> int h * width "value" (fun () -> int d)) in
  let reads_out () = array "readout" <> None || outputs () = int (dim "output_dim") in
  let around =
    let whole reads_out = Some (whole_of array ~reads_out (int h) (int d) (int t) (int (dim "output_dim"))) in
    if asks [ "accuracy"; "jacobian-rank" ] || (asks [ "functional-dimension" ] && given <> None && reads_out ()) then
      whole true
    else if asks [ "output-rank"; "output-memorizes" ] then whole false
    else None in
  let problem =
    { P.t; h; n; d; d_h; d_v = dim "value_dim"; d_out = dim "output_dim";
      base_two = (match text (get "base" layer) with "2" -> true | "e" -> false | _ -> bad_input "the base");
      logit_scale = scale_of (text (get "logit_scale" layer));
      q_contexts; context_rows; q_queries; queries; given; q_labels; labels; around } in
  if deep && kind <> P.Softmax then not_covered "layers before the layer with a sink or sigmoid coefficients";
  match lists with
  | None -> (problem, None, kind, if deep then Some (stack_of json arrays before problem) else None)
  | Some (lists, _, n) ->
    let list k = lists.(Z.to_int k) in
    let repeated = P.with_lists problem n list and kind = P.kind_of_lists t n list kind in
    let kept = Array.init (int t) (fun k -> repeated.P.context_rows (Z.of_int k)) in
    ({ repeated with P.context_rows = (fun k -> kept.(Z.to_int k)) }, Some lists, kind, None)

(* Ranks of matrices and Lemmas 1, 2 and 5 are about the matrices of the claim alone; any other data will do. *)
let no_layer =
  { P.t = Z.one; h = Z.one; n = Z.one; d = Z.one; d_h = Z.one; d_v = Z.one; d_out = Z.one; base_two = false;
    logit_scale = P.Rational (Z.one, Z.one); q_contexts = Z.one; context_rows = (fun _ -> [ [ Z.zero ] ]); q_queries = Z.one;
    queries = [ [ Z.zero ] ]; given = None; q_labels = Z.one; labels = []; around = None }

(* Statements that are covered, the arrays that they are about (none without a layer), and their arguments. *)
let statements =
  let number = "value at_least at_most" in
  [ "rank", P.Rank, "contexts queries", number; "memorizes", P.Memorizes, "contexts queries labels", "";
    "rank", P.RankOfBlocks (P.OneHead false), "contexts queries", "head " ^ number;
    "rank", P.RankOfBlocks (P.WithOnes false), "contexts queries", "bias " ^ number;
    "output-rank", P.RankOfBlocks (P.OneHead true), "contexts queries value", "head " ^ number;
    "output-rank", P.RankOfBlocks (P.Outputs (false, false)), "contexts queries value", number;
    "memorizes", P.MemorizesBiased, "contexts queries labels", "bias";
    "output-memorizes", P.OutputMemorizes false, "contexts queries value labels", "";
    "output-memorizes", P.OutputMemorizes true, "contexts queries value labels", "bias";
    "injective", P.Injective, "contexts queries", ""; "capacity", P.CapacityQuestion, "contexts queries", "heads " ^ number;
    "capacity", P.WhichQuestion ([], []), "contexts queries", "heads which values " ^ number;
    "any-coefficients", P.AnyCoefficientsQuestion, "contexts queries", number;
    "kruskal-rank", P.KruskalQuestion, "queries", number; "general-position", P.GeneralPosition, "queries", "";
    "assumption-1", P.Assumption1_, "queries", ""; "assumption-2", P.Assumption2_, "contexts", "";
    "assumption-3", P.Assumption3_, "contexts queries", ""; "affine-hull-bound", P.AffineHullBound, "contexts", "";
    "proposition-1", P.Proposition1, "contexts queries", ""; "proposition-2", P.Proposition2, "contexts", "";
    "proposition-5", P.Proposition5, "contexts", ""; "theorem-1", P.Theorem1, "contexts queries", "";
    "remark-1", P.Remark1, "contexts queries", ""; "skip-connection", P.SkipConnection, "contexts queries", "";
    "matrix-rank", P.MatrixRank, "", "matrix " ^ number; "lemma-1", P.Lemma1, "", "a b c"; "lemma-2", P.Lemma2, "", "vectors c"; "lemma-5", P.Lemma5, "", "a b";
    "proposition-3", P.Proposition3 P.IntegerLabels, "contexts queries", "neurons output_bias labels";
    "proposition-3", P.Proposition3 P.TranscendentalLabels, "contexts queries", "neurons output_bias labels";
    "relu-memorizes", P.ReluMemorizes, "contexts queries labels", "neurons output_bias";
    "lemma-3", P.Lemma3, "contexts queries", "subset"; "memorizable", P.Memorizable, "contexts queries", "";
    "lemma-4", P.Lemma4, "contexts queries", "example w_star w_prime epsilon";
    "claim-1", P.Claim1, "contexts queries", "subset coefficients";
    "claim-2", P.Claim2, "contexts queries", "subset coefficients epsilon";
    "saturation", P.Saturation, "contexts", "threshold head " ^ number;
    "numerical-rank", P.NumericalRank, "contexts", "tolerance " ^ number;
    "accuracy", P.Accuracy, "contexts", "classes epsilon " ^ number;
    "proposition-4", P.Proposition4, "contexts queries", ""; "positional-encoding", P.PositionalEncoding, "layer", "";
    "finite-lambda", P.FiniteLambda true, "contexts queries", "lambda";
    "finite-lambda", P.FiniteLambda false, "contexts queries", "lambda";
    "jacobian-rank", P.JacobianRank, "contexts queries", number;
    "functional-dimension", P.FunctionalDimensionQuestion, "contexts queries", number;
    "unfittable-labels", P.UnfittableLabels false, "contexts queries", "labels";
    "unfittable-labels", P.UnfittableLabels true, "contexts queries", "labels";
    "words-and-positions", P.WordsAndPositions, "contexts queries", "sequences " ^ number;
    "injective-almost-surely", P.InjectiveAlmostSurely, "contexts queries", "" ]

let words s = List.filter (( <> ) "") (String.split_on_char ' ' s)

(* which(S;t:D;...): the set, and for each other example those that it conflicts with *)
let circuits_of text_ =
  let listed s = if s = "" then [] else List.map natural_text (String.split_on_char ',' s) in
  match String.split_on_char ';' text_ with
  | [] -> ([], [])
  | set :: others ->
    (listed set, List.map (fun part -> match String.split_on_char ':' part with
       | [ t; others ] -> (natural_text t, listed others)
       | _ -> rejected "an example and those that it conflicts with") others)

(* What is in the parentheses of the quantity NAME(...). *)
let inside prefix s =
  let n = String.length prefix and m = String.length s in
  if m > n + 1 && String.sub s 0 n = prefix && s.[n] = '(' && s.[m - 1] = ')' then Some (String.sub s (n + 1) (m - n - 2))
  else None

(* The answer of a certificate to which examples; a fact about another one is false, or none. *)
let answer_of steps =
  let of_step step = if named step && text (get "rule" step) = "circuits" then inside "which" (text (get "of" step)) else None in
  match List.find_map of_step steps with Some which -> circuits_of which | None -> ([], [])

(* of the claim; proposition-3 and unfittable-labels are two statements each, by their labels, and others are some by the
   arguments that they have *)
let statement_of name arguments steps =
  let labels =
    match find "labels" arguments with
    | Some (`String "transcendental") -> P.TranscendentalLabels
    | Some (`String "integer") | None -> P.IntegerLabels
    | _ -> bad_input "labels of another kind" in
  let head = find "head" arguments <> None in
  let bias = match find "bias" arguments with
    | Some (`Bool b) -> b | None -> false | _ -> bad_input "bias" in
  let is (n, s, _, _) = n = name && (match s with
      | P.Rank -> not head && not bias
      | P.Memorizes -> not bias
      | P.MemorizesBiased -> bias
      | P.OutputMemorizes biased -> biased = bias
      | P.RankOfBlocks (P.OneHead _) -> head
      | P.RankOfBlocks (P.WithOnes _) -> bias && not head
      | P.RankOfBlocks (P.Outputs _) -> not head
      | P.Proposition3 l -> l = labels
      | P.UnfittableLabels transcendental ->
        find "labels" arguments = Some (`String (if transcendental then "transcendental" else "integer"))
      | P.FiniteLambda at_lambda -> at_lambda = (find "lambda" arguments <> None)
      | P.CapacityQuestion -> find "which" arguments = None
      | P.WhichQuestion _ -> find "which" arguments = Some (`Bool true)
      | _ -> true) in
  match List.find_opt is statements with
  | Some (n, P.WhichQuestion _, needs, names) ->
    let set, conflicts = answer_of steps in
    (n, P.WhichQuestion (set, conflicts), needs, names)
  | Some s -> s
  | None -> not_covered ("the statement " ^ name)

let no_arguments =
  { P.neurons = Z.zero; output_bias = false; q_matrices = Z.one; matrix_a = []; matrix_b = []; matrix_c = [];
    row_vectors = []; shift_num = Z.zero; shift_den = Z.one; subset = []; q_coefficients = Z.one; coefficients = [];
    example = Z.zero; q_star = Z.one; w_star = []; q_prime = Z.one; w_prime = []; epsilon_num = Z.one;
    epsilon_den = Z.one; only_head = None; classes = None; added_query = false; at_lambda = None; values = [];
    sequences = [] }

(* the matrices of a claim over one denominator *)
let matrices_of data arguments keys =
  let found = List.map (fun key -> exact data (get key arguments)) keys in
  let den = List.fold_left (fun q a -> Z.lcm q a.den) Z.one found in
  (den, List.map (fun a -> matrix { a with number = (fun k -> Z.mul (Z.divexact den a.den) (a.number k)) }) found)

let claim_of data (p : P.problem) statement names arguments =
  only (words names) "the argument " arguments;
  let n = Z.to_int p.P.n and d = Z.to_int p.P.d in
  let subset () = List.map size (list (get "subset" arguments)) in
  let shaped key shape = let a = exact data (get key arguments) in shape_is a shape; (a.den, matrix a) in
  let positive key =
    let e = rational (get key arguments) in
    if Q.sign e <= 0 then bad_input key;
    (e.Q.num, e.Q.den) in
  let epsilon () = positive "epsilon" in
  let only_head () =
    let head = Option.map size (find "head" arguments) in
    Option.iter (fun k -> if Z.geq k p.P.h then bad_input "head") head;
    head in
  let level key = let epsilon_num, epsilon_den = positive key in { no_arguments with P.epsilon_num; epsilon_den } in
  let args =
    match statement with
    | P.Lemma1 ->
      (match matrices_of data arguments [ "a"; "b"; "c" ] with
       | q, [ a; b; c ] -> { no_arguments with P.q_matrices = q; matrix_a = a; matrix_b = b; matrix_c = c }
       | _ -> no_arguments)
    | P.Lemma2 ->
      let c = rational (get "c" arguments) in
      (match matrices_of data arguments [ "vectors" ] with
       | q, [ v ] ->
         { no_arguments with P.q_matrices = q; row_vectors = v; shift_num = c.Q.num; shift_den = c.Q.den }
       | _ -> no_arguments)
    | P.MatrixRank ->
      let a = exact data (get "matrix" arguments) in
      { no_arguments with P.q_matrices = a.den; row_vectors = matrix a }
    | P.Lemma5 ->
      (match matrices_of data arguments [ "a"; "b" ] with
       | q, [ a; b ] -> { no_arguments with P.q_matrices = q; matrix_a = a; matrix_b = b }
       | _ -> no_arguments)
    | P.Proposition3 _ | P.ReluMemorizes ->
      let output_bias =
        match find "output_bias" arguments with
        | Some (`Bool b) -> b | None -> false | _ -> bad_input "output_bias" in
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
    | P.Saturation -> { (level "threshold") with P.only_head = only_head () }
    | P.RankOfBlocks _ -> { no_arguments with P.only_head = only_head () }
    | P.NumericalRank -> level "tolerance"
    | P.FiniteLambda true ->
      let lambda = rational (get "lambda" arguments) in
      { no_arguments with P.at_lambda = Some (lambda.Q.num, lambda.Q.den) }
    | P.SkipConnection -> { no_arguments with P.added_query = true }
    | P.WhichQuestion _ -> (
      match find "values" arguments with
      | None -> no_arguments
      | Some v ->
        let a = exact data v in
        shape_is a [ Z.to_int p.P.t ];
        { no_arguments with P.values = numbers a })
    | P.WordsAndPositions -> { no_arguments with P.sequences = snd (shaped "sequences" [ Z.to_int p.P.t; n ]) }
    | P.Accuracy -> (
      match find "classes" arguments with
      | None ->
        if p.P.labels = [] then bad_input "no labels";
        level "epsilon"
      | Some k ->
        if find "epsilon" arguments <> None then bad_input "classes and epsilon";
        let a = exact data k in
        shape_is a [Z.to_int p.P.t];
        let number = if Z.equal p.P.d_out Z.one then Z.of_int 2 else p.P.d_out in
        if not (Z.equal a.den Z.one && List.for_all (fun x -> Z.sign x >= 0 && Z.lt x number) (numbers a)) then
          bad_input "classes";
        { no_arguments with P.classes = Some (numbers a) })
    | _ -> no_arguments in
  let asked = List.filter_map (fun (key, asks) ->
      Option.map (fun v -> { P.asks; asked = integer v; args }) (find key arguments))
    [ "value", P.IsValue; "at_least", P.IsAtLeast; "at_most", P.IsAtMost ] in
  match asked with
  | [] -> { P.asks = P.IsOpen; asked = Z.zero; args }
  | [ c ] -> c
  | _ -> bad_input "more than one number is asked for"

(* --- the digest of a canonical problem: of its text (docs/certificate.md), from what has been read *)

let argument_text data = function
  | `Assoc _ as array -> (exact data array).digest
  | `List numbers -> String.concat "," (List.map (fun x -> Z.to_string (integer x)) numbers)
  | `Bool b -> string_of_bool b
  | `String s -> s
  | number -> Z.to_string (integer number)

let canonical_text data json arrays before =
  let layer_line layer =
    let number (symbol, key) = Printf.sprintf "%s=%s" symbol (Z.to_string (integer (get key layer))) in
    let further key = match find key layer with
      | None -> ""
      | Some (`Bool b) -> Printf.sprintf " %s=%b" key b
      | Some word -> Printf.sprintf " %s=%s" key (text word) in
    Printf.sprintf "layer %s base=%s scale=%s%s%s%s"
      (String.concat " " (List.map number
        [ "H", "heads"; "n", "context"; "d", "embed_dim"; "d_h", "head_dim"; "T", "examples"; "d_out", "output_dim";
          "d_v", "value_dim" ]))
      (text (get "base" layer)) (text (get "logit_scale" layer)) (further "sink") (further "coefficients")
      (further "query_bias" ^ further "layers_before") in
  let lists_digest lists =
    let row numbers = String.concat "," (List.map (fun x -> Z.to_string (integer x)) (list numbers)) ^ "\n" in
    Digest.sha256_of (String.concat "" (List.map row (list lists))) in
  let members_line members = "members " ^ lists_digest members in
  let array_lines name =
    match List.assoc_opt name arrays with
    | None -> []
    | Some a ->
      Printf.sprintf "array %s shape=%s" name a.digest
      :: (match find "members" json with
          | Some m when name = "contexts" -> [ members_line m ]
          | Some m when name = "hidden" -> [ members_line m; "positions " ^ argument_text data (get "positions" json) ]
          | _ -> []) in
  let before_lines k (layer, arrays) =
    let word key = match key, find key layer with
      | _, None -> []
      | "members", Some m -> [ "members=" ^ lists_digest m ]
      | _, Some x -> [ key ^ "=" ^ argument_text data x ] in
    String.concat " " (Printf.sprintf "before.%d %s" k (text (get "kind" layer))
      :: List.concat_map word [ "heads"; "head_dim"; "activation"; "epsilon"; "residual"; "members" ])
    :: List.map (fun (name, a) -> Printf.sprintf "array before.%d.%s shape=%s" k name a.digest) arrays in
  let claim_lines k claim =
    let arguments = List.sort compare (List.map fst (fields (get "arguments" claim))) in
    Printf.sprintf "claim %d %s" k (text (get "statement" claim))
    :: List.map (fun key -> key ^ "=" ^ argument_text data (get key (get "arguments" claim))) arguments in
  let layer = match get "layer" json with `Null -> [] | layer -> [ layer_line layer ] in
  let lines =
    ("attest-problem/1" :: layer)
    @ List.concat_map (fun name ->
        array_lines name @ if name = "labels" then List.concat (List.mapi before_lines before) else []) array_names
    @ List.concat (List.mapi claim_lines (list (get "claims" json))) in
  if List.exists (fun line -> String.contains line '\n') lines then bad_input "a text of two lines";
  String.concat "" (List.map (fun line -> line ^ "\n") lines)
