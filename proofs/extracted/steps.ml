(* The layers and steps of a certificate (docs/certificate.md), as Proved.check takes them.  Nothing here is trusted: it
   only makes terms for Proved.check, and a step that is handed over wrongly proves less, never more. *)
open Json
module P = Proved

(* --- layers of a certificate *)

let whole json =
  let x = numeral json in
  if Z.equal x.Q.den Z.one then x.Q.num else rejected "an integer is expected"
let vector json =
  let q = whole (get "den" json) in
  if Z.sign q <= 0 then rejected "a positive denominator is expected";
  List.map (fun x -> quotient (whole x) q) (list (get "num" json))

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

(* The logits of the sinks of a layer, over one denominator; those of its heads, all or none, or of random weights. *)
type sinks = Z.t * Z.t list
let no_sinks : sinks = (Z.one, [])
let sinks_of_heads json : sinks =
  let given = List.map (fun head -> Option.map numeral (find "sink" head)) (list json) in
  let logits = List.map (Option.value ~default:Q.zero) given in
  let q = denominator logits in
  (q, List.map (over q) logits)

let heads_of json : heads =
  List.map (fun head ->
    let keys = List.map vector (list (get "key" head)) and queries = List.map vector (list (get "query" head)) in
    if List.length keys <> List.length queries then rejected "as many keys as queries are expected";
    let separator = Option.map (fun s -> (vector (get "u" s), vector (get "v" s), numeral (get "lambda" s)))
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
  let draw stream width =
    let below = splitmix seed stream in
    let values = Z.succ (Z.mul (Z.of_int 2) bound) in
    let entries = Array.make (h * d * width) Z.zero in
    Array.iteri (fun i _ -> entries.(i) <- Z.sub (below values) bound) entries;
    List.init h (fun g -> List.init d (fun i -> List.init width (fun k -> entries.((g * d + i) * width + k)))) in
  let key = draw 4 m in
  let query = draw 5 m in
  let readout = lazy (List.concat (draw 8 (Z.to_int p.P.d_out))) in
  let sinks =
    let below = splitmix seed 9 in
    let logits = Array.make h Z.zero in
    Array.iteri (fun i _ -> logits.(i) <- Z.sub (below (Z.succ (Z.mul (Z.of_int 2) bound))) bound) logits;
    match p.P.logit_scale with P.InverseRoot _ -> no_sinks | _ -> (Z.one, Array.to_list logits) in
  (P.Factors (p.P.d_h, Z.one, key, Z.one, query, Z.one, [], Z.one, []), readout, sinks)

(* --- steps *)

let layer_name = function
  | "given" -> None
  | s -> Some (natural_text s)

let inside = Claims.inside

(* the entries of a sparse vector, in all places *)
let entries length zero value json =
  let row = Array.make length zero and last = ref (-1) in
  List.iter (fun entry ->
    match list entry with
    | [ i; v ] ->
      let i = Z.to_int (size i) in
      if i >= length then rejected "an index outside";
      if i <= !last then rejected "increasing indices are expected";
      last := i;
      row.(i) <- value v
    | _ -> rejected "an entry [index, value] is expected") (list json);
  Array.to_list row

let dense length json =
  let number = function `List _ -> rejected "rational values are expected" | v -> numeral v in
  let row = entries length Q.zero number json in
  List.map (over (denominator row)) row

let theorems =
  [ "affine-hull", P.AffineHull; "linear-hull", P.LinearHull; "context-hulls", P.ContextHulls;
    "any-coefficients", P.AnyCoefficients;
    "some-coefficients", P.SomeCoefficients; "any-weights", P.AnyWeights; "coefficients-of-weights", P.CoefficientsOfWeights;
    "some-weights", P.SomeWeights; "any-heads", P.AnyHeads;
    "equal-examples", P.EqualExamples; "equal-rows", P.EqualRows;
    "equal-outputs", P.EqualOutputs; "equal-labelled-rows", P.EqualLabelledRows;
    "labels-beside", P.LabelsBeside; "equal-heads", P.EqualHeads; "constant-heads", P.ConstantHeads;
    "all-labels", P.AllLabels; "all-labels-skip", P.AllLabelsSkip; "fitted-labels", P.FittedLabels;
    "missed-labels", P.MissedLabels; "exponent-count", P.ExponentCount;
    "exponent-products", P.ExponentProducts; "different-examples", P.DifferentExamples;
    "related-outputs", P.RelatedOutputs; "moving-directions", P.MovingDirections;
    "almost-all-outputs", P.AlmostAllOutputs;
    "independent-outputs", P.IndependentOutputs; "equal-inputs", P.EqualInputs;
    "equal-heads-cones", P.EqualHeadsCones; "constant-heads-cones", P.ConstantHeadsCones ]

(* those about J of a layer, and the read-out that goes with it *)
let jacobian_theorems =
  [ "some-jacobian", (fun u -> P.SomeJacobian u); "all-jacobians", (fun u -> P.AllJacobians u);
    "equal-jacobian-rows", (fun u -> P.EqualJacobianRows u); "biased-tangents", (fun u -> P.BiasedTangents u);
    "tangents", (fun u -> P.Tangents u) ]

(* those about the claim's sequences of words *)
let sequence_theorems =
  [ "words-and-positions", (fun s -> P.SumsOfEmbeddings s); "some-embeddings", (fun s -> P.SomeEmbeddings s) ]

(* those about parts of the problem, and about how many *)
let part_theorems =
  [ "part-and-others", (fun p -> P.PartAndOthers p); "concave-from-0", (fun p -> P.ConcaveFrom0 p);
    "concave-from-constants", (fun p -> P.ConcaveFromConstants p); "many-heads", (fun p -> P.ManyHeads p) ]

(* those about matrices made of the heads of the given layer *)
let block_names =
  [ "rank(Z|1)", P.WithOnes false; "rank(Z|1Y)", P.WithOnes true; "rank(head)", P.OneHead false;
    "rank(head-outputs)", P.OneHead true; "rank(outputs)", P.Outputs (false, false);
    "rank(outputs|1)", P.Outputs (true, false); "rank(outputs|Y)", P.Outputs (false, true);
    "rank(outputs|1Y)", P.Outputs (true, true) ]
let block_theorems =
  [ "ones-beside", P.OnesBeside; "one-column", P.OneColumn; "affine-hull-ones", P.AffineHullOnes;
    "ones-within", P.OnesWithin; "equal-rows-ones", P.EqualRowsOnes;
    "equal-labelled-rows-ones", P.EqualLabelledRowsOnes; "labels-beside-ones", P.LabelsBesideOnes;
    "fitted-labels-bias", P.FittedLabelsBias; "missed-labels-bias", P.MissedLabelsBias;
    "zero-labels", P.LabelsAreZero; "equal-labels-bias", P.LabelsAreEqual;
    "outputs-of-means", P.OutputsOfMeans; "outputs-with-biases", P.OutputsWithBiases;
    "outputs-and-labels", P.OutputsAndLabels; "outputs-and-ones", P.OutputsAndOnes;
    "outputs-ones-labels", P.OutputsOnesLabels; "outputs-one-column", P.OutputsOneColumn;
    "outputs-zero-labels", P.OutputsZeroLabels; "outputs-equal-labels", P.OutputsEqualLabels;
    "equal-output-rows", P.EqualOutputRows; "head-hull", P.HeadHull; "head-rows", P.HeadRows;
    "head-outputs-of-means", P.HeadOutputsOfMeans;
    "head-output-rows", P.HeadOutputRows; "singular-values", P.SingularValues ]

let paper_theorems =
  [ "moment-curve", P.MomentCurve; "integer-labels", P.IntegerLabelling;
    "transcendental-labels", P.TranscendentalLabelling; "vandermonde-encoding", P.VandermondeEncoding;
    "zero-encoding", P.ZeroEncoding;
    "integer-outputs", P.UnfittableOutputs false; "transcendental-outputs", P.UnfittableOutputs true ]

(* the matrices and families of rank(...), and the vectors of kruskal(...) *)
let matrix_names =
  [ "queries", P.Queries; "tokens", P.Tokens; "affine-tokens", P.AffineTokens;
    "differences", P.Differences; "exponents", P.Exponents; "a", P.MatrixA; "b", P.MatrixB;
    "c", P.MatrixC; "block", P.Block; "vectors", P.RowVectors; "matrix", P.RowVectors; "shifted", P.Shifted;
    "subset-queries", P.SubsetQueries ]
let family_names =
  [ "contexts", P.AllContexts; "mixed-contexts", P.MixedContexts; "subset-contexts", P.SubsetContexts ]
let vector_names = [ "queries", false; "mixed-queries", true ]

(* --- case trees: a list in preorder *)
let integers json = List.map whole (list json)
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
  let numbers key json = List.map numeral (list (get key json)) in
  let qw = denominator (List.concat_map (fun x -> numeral (get "b" x) :: numbers "w" x) neurons) in
  let bias = match find "output_bias" step with Some b -> numeral b | None -> Q.zero in
  let qa = denominator (bias :: List.map (fun x -> numeral (get "a" x)) neurons) in
  let n = Z.to_int p.P.n and d = Z.to_int p.P.d in
  let neuron x =
    let w = List.map (over qw) (numbers "w" x) in
    if List.length w <> (n + 1) * d then rejected "weights of another length";
    let rows = chunks d w in
    { P.on_context = List.filteri (fun i _ -> i < n) rows; on_query = List.nth rows n;
      neuron_bias = over qw (numeral (get "b" x)); output = over qa (numeral (get "a" x)) } in
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

(* the steps that a step uses, all different *)
let used step =
  let uses = sizes (get "uses" step) in
  if List.length (List.sort_uniq Z.compare uses) < List.length uses then rejected "different steps are expected";
  uses

(* that step k of the claim may use step u *)
let expect_earlier json k u =
  if Z.geq u (Z.of_int k) || not (named json.(Z.to_int u)) then rejected "an earlier step of the claim is expected"

let perturbation_of (args : P.arguments) step =
  let mu = numeral (get "mu" step) in
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

(* --- Hadamard's bound *)

(* M_ij = a_i N_ij b_j, N without common factors of a row or then a column; t is the least of the largest squared norms of
   rows of N, or of columns, whichever have the smaller product. *)
let hadamard_of m (width, rows) step =
  let common = List.fold_left Z.gcd Z.zero and factor g = if Z.equal g Z.zero then Z.one else g in
  let a = List.map (fun row -> factor (common row)) rows in
  let divided = List.map2 (fun g -> List.map (fun x -> Z.divexact x g)) a rows in
  let b = List.map factor (List.fold_left (List.map2 Z.gcd) (List.init width (fun _ -> Z.zero)) divided) in
  let n = List.map (fun row -> List.map2 Z.divexact row b) divided in
  let chosen = sizes (get "rows" step) in
  let order = List.length chosen + 1 in
  if order > min width (List.length n) then rejected "fewer rows than the matrix has rows or columns are expected";
  let largest norms = List.filteri (fun k _ -> k < order) (List.sort (fun x y -> Z.compare y x) norms) in
  let square x = Z.mul x x and zeros = List.init width (fun _ -> Z.zero) in
  let of_rows = largest (List.map (List.fold_left (fun s x -> Z.add s (square x)) Z.zero) n) in
  let of_columns = largest (List.fold_left (List.map2 (fun s x -> Z.add s (square x))) zeros n) in
  let product = List.fold_left Z.mul Z.one in
  let columns = Z.lt (product of_columns) (product of_rows) in
  let t = Z.max Z.one (List.nth (if columns then of_columns else of_rows) (order - 1)) in
  let primes = List.map Json.modulus (list (get "primes" step)) in
  let rec decreasing = function p :: (q :: _ as rest) -> Z.gt p q && decreasing rest | _ -> true in
  if not (decreasing primes) then rejected "primes, each smaller than the one before, are expected";
  P.Hadamard (m, n, a, b, chosen, t, columns, primes)

(* --- inverses in steps *)

let numerals json = List.map (fun row -> List.map numeral (list row)) (list json)

let readout_of step =
  let balls = List.map list (list (get "weights" step)) in
  let part key = over_common (List.map (List.map (fun ball -> numeral (get key ball))) balls) in
  let q_inverse, inverse_rows = over_common (numerals (get "inverse" step)) in
  let q_mid, mids = part "mid" and q_rad, rads = part "rad" in
  { P.q_inverse; inverse_rows; q_mid; mids; q_rad; rads }

(* heads without their separators, whose lambdas are arbitrary; entries are numbers of each head, over one denominator *)
let separated_of (heads : heads) =
  let literals vectors =
    let q = denominator (List.concat (List.concat vectors)) in
    (q, List.map (List.map (List.map (over q))) vectors) in
  let columns pick =
    let q, vectors = literals (List.map (fun (kq, _) -> List.map pick kq) heads) in
    (q, List.map (fun vectors ->
      let d = List.fold_left (fun m v -> max m (List.length v)) 0 vectors in
      let vectors = List.map Array.of_list vectors in
      List.init d (fun i -> List.map (fun v -> v.(i)) vectors)) vectors) in
  let separators pick =
    let q, vectors = literals (List.map (fun (_, s) -> match s with None -> [] | Some s -> [ pick s ]) heads) in
    (q, List.map List.concat vectors) in
  let tail_qk, tail_key = columns fst and tail_qq, tail_query = columns snd in
  let tail_qu, tail_u = separators (fun (u, _, _) -> u) and tail_qv, tail_v = separators (fun (_, v, _) -> v) in
  { P.tail_width = Z.of_int (List.fold_left (fun m (kq, _) -> max m (List.length kq)) 0 heads); tail_qk; tail_key;
    tail_qq; tail_query; tail_qu; tail_u; tail_qv; tail_v }

let tail_of heads step =
  let positive what x = if Q.sign x <= 0 then rejected (what ^ " is positive") else x in
  let lambda = positive "lambda" (numeral (get "lambda" step)) in
  let scale = List.map (fun w -> positive "a scale" (numeral w)) (list (get "scale" step)) in
  let tail_qi, tail_inverse = over_common (numerals (get "inverse" step)) in
  { P.tail_heads = separated_of heads; tail_num = lambda.Q.num; tail_den = lambda.Q.den;
    tail_rows = sizes (get "rows" step); tail_cols = sizes (get "cols" step); tail_qi; tail_inverse;
    tail_scale = List.map (over (denominator scale)) scale;
    tail_tries = Z.of_int 4 }

(* --- inverses and separators: Lemmas 3 and 4, Claims 1 and 2 *)
let inverses_of step =
  let members = List.map (fun m -> List.map vector (list m)) (list (get "right_inverses" step)) in
  let q_right = denominator (List.concat (List.concat members)) in
  let q_left, left = over_common (List.map vector (list (get "left_inverse" step))) in
  { P.q_right; right = List.map (List.map (List.map (over q_right))) members; q_left; left }

(* u and v as integers, and what u v^T is over *)
let separator_of step =
  let row key = match over_common [ vector (get key step) ] with q, [ r ] -> (q, r) | _ -> rejected "a vector is expected" in
  let qu, u = row "u" and qv, v = row "v" in
  (u, v, Z.mul qu qv)

let vertex_of step =
  let lambda = numeral (get "lambda" step) in
  if Q.sign lambda <= 0 then rejected "lambda is positive";
  P.VertexOf (size (get "vertex" step), lambda.Q.num, lambda.Q.den)

let one_hot_of step =
  let u, v, q = separator_of step in
  let lambda = Q.div (numeral (get "lambda" step)) (Q.of_bigint q) in
  P.OneHotOf (inverses_of step, u, v, lambda.Q.num, lambda.Q.den)

let most_subsets = 30_000_000.
let most_bits = Z.of_int 65536
let precision json =
  let b = size json in
  if Z.gt b most_bits then rejected "at most 65536 bits are expected" else b
let binomial n k = let r = ref 1. in for i = 1 to k do r := !r *. float (n - k + i) /. float i done; !r

let above json =
  match text (get "side" json) with
  | "above" -> true | "below" -> false | _ -> rejected "the side above or below is expected"
let side json = match text (get "side" json) with "right" -> true | "left" -> false | _ -> rejected "a side is expected"
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
  if not (odd_prime order && Z.gt g Z.one && Z.lt g modulus && Z.equal (Z.powm g order modulus) Z.one) then
    rejected "a modulus 2 q + 1 and a root of order q, an odd prime, are expected";
  match Z.invert (exponent_unit p layer) order with
  | inverse -> (Z.powm g inverse modulus, order)
  | exception Division_by_zero -> rejected "a denominator that is 0 modulo the order"

(* In base 2 with an irrational scale there is no character without the theorem of Gelfond and Schneider: the minor is
   enclosed, and its inverse found with binary64 numbers, which are checked like all else. *)
let enclosed_minor (p : P.problem) name (layer, absorbed) rows cols =
  let k = List.length rows and bits = Z.of_int 64 in
  let part = P.enclosed_part p layer absorbed bits rows cols in
  if List.exists (fun r -> List.length r <> k) part then rejected "as many columns as rows are expected";
  let a = Array.of_list (List.mapi (fun i r ->
      let entry (x, y) = ldexp (Z.to_float (Z.add x y)) (-65) in
      Array.append (Array.of_list (List.map entry r)) (Array.init k (fun j -> if i = j then 1. else 0.))) part) in
  for j = 0 to k - 1 do
    let pivot = ref j in
    for i = j + 1 to k - 1 do if abs_float a.(i).(j) > abs_float a.(!pivot).(j) then pivot := i done;
    let row = a.(!pivot) in
    a.(!pivot) <- a.(j);
    a.(j) <- Array.map (fun x -> x /. row.(j)) row;
    Array.iteri (fun i r ->
      let factor = r.(j) in
      if i <> j && factor <> 0. then Array.iteri (fun l x -> r.(l) <- r.(l) -. (factor *. x)) a.(j)) a
  done;
  let integer x =
    if Float.is_finite x then Z.of_float (Float.round (ldexp x 40))
    else not_covered "base 2 with an irrational scale, and a minor that is nearly singular" in
  let inverse = Array.to_list (Array.map (fun r -> List.init k (fun j -> integer r.(k + j))) a) in
  let q = Z.shift_left Z.one 40 in
  if not (P.enclosed_minor_ok p layer absorbed bits rows cols q inverse) then
    not_covered "base 2 with an irrational scale, and a minor that is nearly singular";
  P.EnclosedMinor (name, bits, rows, cols, q, inverse)

(* A vector whose entries are sums of powers, multiplied by a number and a power so that coefficients are integers and
   exponents not negative. *)
let power_vector (p : P.problem) layer length json =
  let exponent x =
    let x = Q.mul x (Q.of_bigint (exponent_unit p layer)) in
    if Z.equal x.Q.den Z.one then x.Q.num else not_covered "powers that are no products of those of the logits" in
  let value = function
    | `List terms ->
      List.map (fun term -> match list term with
        | [ c; x ] -> (exponent (numeral x), numeral c)
        | _ -> rejected "a term [coefficient, exponent] is expected") terms
    | v -> [ (Z.zero, numeral v) ] in
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
  let q = modulus (get "p" step) in
  let g, order = if constant then (Z.one, Z.one) else character p layer q (integer (get "g" step)) in
  (q, g, order, vectors)

(* Vectors whose entries are sums of c b^X, X an H-tuple of matrices: coefficients and exponents as integers, and an index
   for each vector at which no other has a value. *)
let weight_relations (p : P.problem) vectors =
  let unit = Q.of_bigint (Z.mul p.P.q_contexts p.P.q_queries) in
  let t = Z.to_int p.P.t and length = Z.to_int p.P.h * Z.to_int p.P.d * Z.to_int p.P.d in
  let exponent json =
    entries length Z.zero (fun x ->
      let x = Q.mul (numeral x) unit in
      if Z.equal x.Q.den Z.one then x.Q.num else not_covered "powers that are no products of those of the logits") json in
  let value = function
    | `List terms ->
      List.map (fun term -> match list term with
        | [ c; x ] -> (exponent x, numeral c)
        | _ -> rejected "a term [coefficient, exponent] is expected") terms
    | v -> [ (exponent (`List []), numeral v) ] in
  let collected terms =
    let sums = Hashtbl.create 7 in
    List.iter (fun (x, c) -> Hashtbl.replace sums x (Q.add c (Option.value (Hashtbl.find_opt sums x) ~default:Q.zero))) terms;
    List.sort compare (Hashtbl.fold (fun x c all -> if Q.sign c = 0 then all else (x, c) :: all) sums []) in
  let vectors = List.map (fun json ->
    let row = List.map collected (entries t [] value json) in
    let den = denominator (List.map snd (List.concat row)) in
    List.map (List.map (fun (x, c) -> (x, over den c))) row) vectors in
  let users = Array.make t 0 in
  List.iter (List.iteri (fun i terms -> if terms <> [] then users.(i) <- users.(i) + 1)) vectors;
  let own row =
    match List.find_opt (fun (i, terms) -> terms <> [] && users.(i) = 1) (List.mapi (fun i terms -> (i, terms)) row) with
    | Some (i, _) -> Z.of_int i
    | None -> rejected "an index of its own for each vector is expected" in
  (List.map own vectors, vectors)

(* (s, t) of a multiple of e_s - e_t *)
let edge_of row =
  match List.filter (fun (_, x) -> Z.sign x <> 0) (List.mapi (fun i x -> (Z.of_int i, x)) row) with
  | [ (s, x); (t, y) ] when Z.equal (Z.add x y) Z.zero -> (s, t)
  | _ -> rejected "a multiple of a difference of two unit vectors is expected"

(* steps with the layers that they define, those that are not covered, and why *)
type translated = {
  built : (P.layer * bool) option list; sinks : sinks list; steps : P.step array; uncovered : bool array; missing : string list }

(* the entry of a key, a query or a read-out that is column c of J *)
let column_of_J (p : P.problem) layer c =
  let m, factors = match layer with P.Factors (m, _, _, _, _, _, _, _, _) -> (m, true) | _ -> (p.P.d, false) in
  let keys = Z.mul p.P.d m and readouts = Z.mul p.P.d p.P.d_out in
  let weights = if factors then Z.add keys keys else keys in
  let h, k = Z.div_rem c (Z.add weights readouts) in
  let pair k width = Z.div_rem k width in
  (h, if Z.lt k keys then let i, j = pair k m in P.KeyEntry (i, j)
      else if Z.lt k weights then let i, j = pair (Z.sub k keys) m in P.QueryEntry (i, j)
      else let i, j = pair (Z.sub k weights) p.P.d_out in P.ReadEntry (i, j))

(* A vector that J is multiplied with, by head: rows for its keys, columns for its queries and its read-out. *)
let parts_of_J (p : P.problem) layer vector =
  let m, factors = match layer with P.Factors (m, _, _, _, _, _, _, _, _) -> (Z.to_int m, true) | _ -> (Z.to_int p.P.d, false) in
  let d = Z.to_int p.P.d and d_out = Z.to_int p.P.d_out in
  let keys = d * m in
  let weights = if factors then 2 * keys else keys in
  List.map (fun part ->
    let part = Array.of_list part in
    let columns first width = List.init width (fun k -> List.init d (fun j -> part.(first + (j * width) + k))) in
    { P.on_keys = List.init d (fun j -> List.init m (fun k -> part.((j * m) + k)));
      on_queries = (if factors then columns keys m else []); on_reads = columns weights d_out })
    (chunks (weights + (d * d_out)) vector)

(* With lists of tokens the rows of a certificate are those of each token of a list once, and those of Proved of each
   repeated list: where the former are. *)
let repeated_row (p : P.problem) lists m row =
  let n = Z.to_int p.P.n in
  let rec member k first = function
    | [] -> rejected "a row outside"
    | l :: rest -> let size = List.length l in if k < size then (l, first, k) else member (k - size) (first + 1) rest in
  let distinct all = List.rev (List.fold_left (fun s l -> if List.mem l s then s else l :: s) [] all) in
  let all = Array.to_list lists and k = Z.to_int row in
  let index l s = let rec at i = function [] -> rejected "a row outside" | x :: r -> if x = l then i else at (i + 1) r in at 0 s in
  match m with
  | P.Differences ->
    let list, _, k = member k 0 (distinct all) in
    let repeated l = List.init n (fun i -> List.nth l (i mod List.length l)) in
    Z.of_int (index (repeated list) (distinct (List.map repeated all)) * n + k)
  | P.Exponents -> let _, example, k = member k 0 all in Z.of_int (example * n + k)
  | _ -> row

(* Theorems that need coefficients that sum to 1: a step that applies one to others is wrong, not without a proof here. *)
let convex_theorems =
  [ "affine-hull"; "context-hulls"; "equal-heads"; "constant-heads"; "exponent-count"; "moving-directions";
    "integer-outputs"; "transcendental-outputs"; "affine-hull-ones"; "ones-within"; "outputs-with-biases" ]

(* What Proved.run_cone_step does not prove of a layer with a sink or sigmoid coefficients. *)
let cover_kind p kind step = function
  | P.Hulls _ when not (P.same_copies p kind) -> not_covered "queries that are 0, with a sink and lists of several lengths"
  | P.Apply ((P.EqualExamples | P.EqualRows | P.EqualOutputs | P.EqualLabelledRows), _, _)
  | P.ApplyBlocks ((P.EqualRowsOnes | P.EqualLabelledRowsOnes | P.EqualOutputRows | P.HeadRows | P.HeadOutputRows), _)
    when not (P.copies_agree p kind) -> not_covered "lists that are the same when they are repeated, with such coefficients"
  | P.MinorZ _ | P.LeftZeroZ _ | P.RightZeroZ _ | P.MinorDistinct _ | P.MinorBlocks _ | P.LeftZeroBlocks _
  | P.RightZeroBlocks _ | P.MinorLabels _ | P.ZeroLabels _ | P.ZeroCapacity _ | P.Hulls _ | P.Minor _ | P.Hadamard _ | P.MinorContexts _ | P.Zero _ | P.ZeroContext _ | P.Subsets _
  | P.ZeroKruskal _ | P.ApplyPaper _ | P.NotCovered -> ()
  | P.Apply (x, _, _) when P.cone_sound x -> ()
  | P.ApplyBlocks (x, _) when P.cone_block_sound x -> ()
  | P.Apply _ | P.ApplyBlocks _ ->
    let name = text (get "theorem" step) in
    if not (List.mem name convex_theorems) then not_covered ("the theorem " ^ name ^ " for such coefficients")
  | _ ->
    let of_ = match find "of" step with Some of_ -> " of " ^ text of_ | None -> "" in
    not_covered ("the rule " ^ text (get "rule" step) ^ of_ ^ " for such coefficients")

let rec step_of ?lists (p : P.problem) (args : P.arguments) layers readout heads part step =
  let modulus () = Json.modulus (get "p" step) in
  let known_layer name = match layers name with Some l -> l | None -> not_covered "a layer that is not covered" in
  let block_step () =
    let b = List.assoc (text (get "of" step)) block_names in
    let (layer, absorbed) as l = known_layer None in
    match P.blocks_of p args layer absorbed b with
    | Some m -> (b, l, m)
    | None -> rejected "heads with what is asked for are expected" in
  match text (get "rule" step) with
  | "coefficients" ->
    let rows = sizes (get "rows" step) and tokens = List.map sizes (list (get "tokens" step)) in
    if List.compare_lengths rows tokens <> 0 || List.exists (fun t -> List.length t <> Z.to_int p.P.h) tokens then
      rejected "a token for each of the rows and heads is expected";
    Option.iter (fun lists -> List.iter2 (fun t chosen ->
      let n = List.length (try lists.(Z.to_int t) with Invalid_argument _ -> rejected "an example outside") in
      if List.exists (fun i -> Z.to_int i >= n) chosen then rejected "a token outside") rows tokens) lists;
    P.Coefficients (modulus (), rows, sizes (get "cols" step), tokens)
  | "hulls" ->
    P.Hulls (List.map (fun v ->
      if List.compare_length_with (vector v) (Z.to_int p.P.d) <> 0 then rejected "vectors of the tokens' dimension are expected";
      List.map whole (list (get "num" v))) (list (get "vectors" step)))
  | "minor" when List.mem_assoc (text (get "of" step)) block_names ->
    let b, layer, m = block_step () in
    let q = modulus () in
    let g, order = character p layer q (integer (get "g" step)) in
    let width = Z.mul m.P.number_of m.P.block_width in
    let cols = List.map (fun c ->
        if Z.geq c width then (m.P.number_of, Z.sub c width) else Z.div_rem c m.P.block_width) (sizes (get "cols" step)) in
    let rows = sizes (get "rows" step) in
    P.MinorBlocks (b, q, g, order, rows, cols)
  | "zero" when List.mem_assoc (text (get "of" step)) block_names ->
    let b, layer, m = block_step () in
    let right = side step and width = Z.to_int m.P.block_width in
    let q, g, order, vectors =
      power_vectors p layer (if right then Z.to_int m.P.number_of * width else Z.to_int p.P.t) step in
    if right then P.RightZeroBlocks (b, q, g, order, List.map (chunks width) vectors)
    else P.LeftZeroBlocks (b, q, g, order, vectors)
  | "minor" when List.mem (text (get "of" step)) [ "rank(Z|Y)"; "distinct(Z)" ] ->
    let q = modulus () in
    let g, order = character p (known_layer None) q (integer (get "g" step)) in
    let rows = sizes (get "rows" step) and labels = Z.mul p.P.h p.P.d in
    let cols = List.map (fun c -> if Z.geq c labels then (p.P.h, Z.sub c labels) else Z.div_rem c p.P.d)
        (sizes (get "cols" step)) in
    if text (get "of" step) <> "distinct(Z)" then P.MinorLabels (q, g, order, rows, cols)
    else if List.exists (fun (h, _) -> Z.geq h p.P.h) cols then rejected "columns of Z are expected"
    else P.MinorDistinct (q, g, order, rows, cols)
  | "minor" when text (get "of" step) = "lambda_rank" -> (
    match heads (Z.to_int (size (get "layer" step))), args.P.at_lambda with
    | Some h, Some (a, d) ->
      let lambda = { Q.num = a; den = d } in
      List.iter (function
        | _, Some (_, _, l) when not (Q.equal l lambda) -> rejected "separators with the lambda of the claim are expected"
        | _ -> ()) h;
      let s = separated_of h in
      let q = modulus () in
      let g, order = character p (P.lambda_layer p s a d, true) q (integer (get "g" step)) in
      let rows = sizes (get "rows" step) in
      let cols = List.map (fun c -> Z.div_rem c p.P.d) (sizes (get "cols" step)) in
      P.LambdaMinor (s, q, g, order, rows, cols)
    | None, _ -> rejected "a layer that is defined by its heads"
    | _, None -> rejected "a claim with a lambda is expected")
  | "minor" -> (
    let of_ = text (get "of" step) in
    match inside "rank" of_ with
    | None -> not_covered ("minors of " ^ of_)
    | Some m -> (
      match List.assoc_opt m matrix_names, List.assoc_opt m family_names, inside "Z" m with
      | _ when inside "J" m <> None ->
        let name = layer_name (Option.get (inside "J" m)) in
        let layer = known_layer name in
        let q = modulus () in
        let g, order = character p layer q (integer (get "g" step)) in
        let rows = List.map (fun r -> Z.div_rem r p.P.d_out) (sizes (get "rows" step)) in
        let cols = List.map (column_of_J p (fst layer)) (sizes (get "cols" step)) in
        P.MinorJ (name, readout name, q, g, order, rows, cols)
      | Some m, _, _ ->
        let place = match lists with Some lists -> repeated_row p lists m | None -> Fun.id in
        P.Minor (m, modulus (), List.map place (sizes (get "rows" step)), sizes (get "cols" step))
      | _, Some f, _ -> P.MinorContexts (f, modulus ())
      | _, _, None -> not_covered ("minors of " ^ of_)
      | _, _, Some w ->
        let name = layer_name w in
        let layer = known_layer name in
        let rows = sizes (get "rows" step) and cols = sizes (get "cols" step) in
        if p.P.base_two && irrational p (snd layer) then enclosed_minor p name layer rows cols
        else
          let q = modulus () in
          let g, order = character p layer q (integer (get "g" step)) in
          P.MinorZ (name, q, g, order, rows, List.map (fun c -> Z.div_rem c p.P.d) cols)))
  | "zero" -> (
    let of_ = text (get "of" step) in
    let vectors length = List.map (dense length) (list (get "vectors" step)) in
    let int = Z.to_int in
    match Option.map (fun m -> (List.assoc_opt m matrix_names, List.assoc_opt m family_names)) (inside "rank" of_),
          Option.map (fun v -> List.assoc_opt v vector_names) (inside "kruskal" of_) with
    | Some (Some m, _), _ ->
      let right = side step in
      if lists <> None && not right && List.mem m [ P.Differences; P.Exponents ] then
        not_covered ("zero of " ^ of_ ^ " with lists of tokens");
      let (height, width), _ = P.literal_rows p args m in
      P.Zero (m, right, modulus (), vectors (int (if right then width else height)))
    | Some (_, Some f), _ ->
      let member = match find "member" step with Some m -> size m | None -> Z.zero in
      let right = side step in
      P.ZeroContext (f, member, right, modulus (), vectors (int (if right then p.P.d else p.P.n)))
    | _, Some (Some mixed) -> (
      ignore (modulus ());
      if side step then rejected "the left side is expected";
      match vectors (int p.P.t) with [ y ] -> P.ZeroKruskal (mixed, y) | _ -> rejected "one vector is expected")
    | _ when of_ = "distinct(Z)" ->
      if side step then rejected "the left side is expected";
      P.ZeroDistinct (modulus (), List.map edge_of (List.map (dense (int p.P.t)) (list (get "vectors" step))))
    | _ when of_ = "rank(Z|Y)" ->
      if side step then rejected "the left side is expected";
      let q, g, order, vectors = power_vectors p (known_layer None) (int p.P.t) step in
      P.ZeroLabels (q, g, order, vectors)
    | _ when List.mem of_ [ "capacity"; "largest_rank" ] && side step ->
      rejected "the left side is expected"
    | _ when of_ = "capacity" && find "p" step = None ->
      let own, vectors = weight_relations p (list (get "vectors" step)) in
      P.ZeroFunctions (own, vectors)
    | _ when of_ = "capacity" -> P.ZeroCapacity (modulus (), vectors (int p.P.t))
    | _ when of_ = "largest_rank" -> P.ZeroLargestRank (modulus (), vectors (int p.P.t))
    | _ when Option.bind (inside "rank" of_) (inside "J") <> None ->
      if not (side step) then rejected "the side right is expected";
      let name = layer_name (Option.get (Option.bind (inside "rank" of_) (inside "J"))) in
      let layer, _ = known_layer name in
      P.ZeroJ (name, readout name, modulus (), List.map (parts_of_J p layer) (vectors (int (P.columns_number p layer))))
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
  | "hadamard" -> (
    let of_ = text (get "of" step) in
    match Option.bind (inside "rank" of_) (fun m -> List.assoc_opt m matrix_names) with
    | Some m ->
      let (_, width), rows = P.literal_rows p args m in
      hadamard_of m (Z.to_int width, rows) step
    | None -> not_covered ("hadamard of " ^ of_))
  | "subsets" -> (
    let of_ = text (get "of" step) in
    match Option.map (fun v -> List.assoc_opt v vector_names) (inside "kruskal" of_) with
    | Some (Some mixed) ->
      let k = size (get "k" step) in
      if binomial (Z.to_int p.P.t) (Z.to_int k) > most_subsets then not_covered "more than 30000000 subsets";
      P.Subsets (mixed, k, Json.modulus ~bits:62 (get "p" step))
    | _ -> not_covered ("subsets of " ^ of_))
  | "ball" when List.mem (text (get "of" step)) [ "saturated"; "numerical_rank"; "accurate" ] -> (
    let above = above step in
    let bits key = precision (get key step) in
    match text (get "of" step) with
    | "saturated" -> P.CountPairs (above, size (get "count" step), bits "precision")
    | "accurate" -> P.CountExamples (above, size (get "count" step), bits "precision")
    | _ ->
      let vectors = List.map integers (list (get "vectors" step)) in
      if vectors = [] then rejected "a vector is expected";
      P.Spectrum (above, bits "bits", vectors))
  | "compare" when text (get "of" step) = "perturbation" -> P.Show (perturbation_of args step)
  | "compare" when text (get "of" step) = "network(given)" -> P.Show (network_of p step)
  | "compare" when text (get "of" step) = "separator" ->
    let u, v, _ = separator_of step in
    P.Show (P.Separator (u, v))
  | "ball" when text (get "of" step) = "vertex_limit" -> P.Show (vertex_of step)
  | "ball" when text (get "of" step) = "one_hot" -> P.Show (one_hot_of step)
  | "inverse" when text (get "of" step) = "weights" -> P.Show (P.WeightsOf (inverses_of step))
  | "split" -> P.Show (P.CaseTrees (List.map tree_of (list (get "trees" step))))
  | "theorem" -> (
    let name = text (get "theorem" step) in
    let parts = match find "parts" step with Some k -> List.map part (sizes k) | None -> [] in
    let l () = match find "layer" step with
      | None -> None
      | Some (`String s) -> layer_name s
      | Some k -> Some (size k) in
    let about, x = match List.assoc_opt name part_theorems, parts with
      | Some x, p :: _ -> (1, Some (x p))
      | Some _, [] -> (1, None)
      | None, _ -> (
        match List.assoc_opt name jacobian_theorems with
        | Some x -> (0, Some (x (readout (l ()))))
        | None -> (
          match List.assoc_opt name sequence_theorems with
          | Some x -> (0, Some (x args.P.sequences))
          | None -> (0, List.assoc_opt name theorems))) in
    if List.length parts <> about then rejected (Printf.sprintf "%d parts are expected" about);
    match x, List.assoc_opt name paper_theorems, List.assoc_opt name block_theorems with
    | None, None, None -> not_covered ("the theorem " ^ name)
    | None, Some x, _ -> P.ApplyPaper (x, used step)
    | None, None, Some x -> P.ApplyBlocks (x, used step)
    | Some x, _, _ -> P.Apply (x, l (), used step))
  | "let" -> P.NotCovered  (* read before *)
  | "part" ->
    let part_examples = match find "examples" step with
      | Some _ -> sizes (get "examples" step)
      | None -> List.init (Z.to_int p.P.t) Z.of_int in
    let part_heads = match find "heads" step with Some h -> size h | None -> p.P.h in
    if Z.sign part_heads = 0 || Z.gt part_heads (Z.max p.P.h p.P.t) then rejected "1 to max(H, T) heads are expected";
    if part_examples = [] then rejected "an example is expected";
    let part = { P.part_heads; part_examples } in
    if not (P.good_part p part) then rejected "different examples of the problem are expected";
    let above = above step in
    let lists = Option.map (fun l -> Array.of_list (List.map (fun k -> l.(Z.to_int k)) part_examples)) lists in
    let t = translate ?lists (P.part_of p part) args (list (get "steps" step)) in
    Option.iter not_covered (List.nth_opt t.missing 0);
    P.PartOf (part, t.built, Array.to_list t.steps, above)
  | "circuits" ->
    let set, conflicts = match inside "which" (text (get "of" step)) with
      | Some which -> Claims.circuits_of which | None -> rejected "examples, and those that they conflict with" in
    let rec increasing = function x :: (y :: _ as rest) -> Z.lt x y && increasing rest | _ -> true in
    if not (List.for_all increasing (set :: List.map fst conflicts :: List.map snd conflicts)) then
      rejected "increasing examples are expected";
    let name = Some (size (get "layer" step)) in
    let q = modulus () in
    let layer = match layers name with Some l -> l | None -> rejected "a layer that a step defines" in
    let g, order = character p layer q (integer (get "g" step)) in
    let cols = List.map (fun c -> Z.div_rem c p.P.d) (sizes (get "cols" step)) in
    if List.length cols <> List.length set then rejected "as many columns as members are expected";
    P.Circuits (name, q, g, order, cols, set, conflicts, sizes (get "uses" step))
  | "inverse" when text (get "of" step) = "readout" ->
    let layer = Some (size (get "layer" step)) in
    if layers layer = None then rejected "a layer that is defined by its heads";
    P.ReadLabels (layer, precision (get "precision" step), sizes (get "cols" step), readout_of step)
  | "inverse" when text (get "of" step) = "tail_rank" -> (
    match heads (Z.to_int (size (get "layer" step))) with
    | Some heads -> P.TailMinor (tail_of heads step)
    | None -> rejected "a layer that is defined by its heads")
  | rule -> not_covered ("the rule " ^ rule)

(* the steps of a claim, or of a part of the problem, and the layers that they define *)
and translate ?lists ?(kind = P.Softmax) (p : P.problem) args json =
  let json = Array.of_list json in
  let heads = Hashtbl.create 7 and readouts = Hashtbl.create 7 in
  let sinks = Array.make (Array.length json) no_sinks in
  let with_sinks k own layer =
    match kind with
    | P.Sinks _ -> sinks.(k) <- own; Claims.with_sinks (P.Sinks (fst own, snd own, [])) layer
    | _ -> layer in
  let built = Array.mapi (fun k step ->
    if not (named step) || text (get "rule" step) <> "let" then None
    else
      let layer = get "layer" step in
      match (find "heads" layer, find "random" layer, find "rescaled" layer) with
      | Some h, None, None ->
        let own = sinks_of_heads h in
        let h = heads_of h in
        Hashtbl.replace heads k h;
        Some (with_sinks k own (layer_of_heads p h), true)
      | None, Some r, None ->
        let layer, readout, own = random_layer p r in
        Hashtbl.replace readouts (Z.of_int k) readout;
        Some (with_sinks k own layer, false)
      | None, None, Some r ->
        let l = numeral (get "lambda" r) in
        let h = match Hashtbl.find_opt heads (Z.to_int (size (get "of" r))) with
          | Some h -> h | None -> rejected "a layer with heads is expected" in
        let h = List.map (fun (kq, s) -> (kq, Option.map (fun (u, v, _) -> (u, v, l)) s)) h in
        Hashtbl.replace heads k h;
        Some (layer_of_heads p h, true)
      | _ -> rejected "a layer is expected") json in
  let layers = function
    | None -> Option.map (fun l -> (l, false)) p.P.given
    | Some k -> if Z.lt k (Z.of_int (Array.length built)) then built.(Z.to_int k) else None in
  let readout = function
    | None -> None
    | Some k -> (
      match Hashtbl.find_opt readouts k with
      | Some u -> Some (Lazy.force u) | None -> rejected "a layer of given or random weights is expected") in
  let uncovered = Array.make (Array.length json) false and steps = Array.make (Array.length json) P.NotCovered in
  let missing = ref [] in
  Array.iteri (fun k step ->
    let before u =
      expect_earlier json k u;
      if uncovered.(Z.to_int u) then not_covered "theorems that use what is not covered";
      steps.(Z.to_int u) in
    let part u = match before u with P.PartOf (part, _, _, _) -> part | _ -> rejected "a part is expected" in
    if named step then try
      steps.(k) <- step_of ?lists p args layers readout (Hashtbl.find_opt heads) part step;
      if kind <> P.Softmax then cover_kind p kind step steps.(k);
      match steps.(k) with
      | P.Apply (_, _, uses) | P.ApplyPaper (_, uses) | P.ApplyBlocks (_, uses) | P.Circuits (_, _, _, _, _, _, _, uses) ->
        List.iter (fun u -> ignore (before u)) uses
      | _ -> ()
    with
    | Not_covered what ->
      missing := what :: !missing;
      uncovered.(k) <- true;
      steps.(k) <- P.NotCovered) json;
  { built = Array.to_list built; sinks = Array.to_list sinks; steps; uncovered; missing = List.sort_uniq compare !missing }

(* --- with layers before the layer: what enclosures show, at so many bits as show it, which are found here *)
let most_tries = 5
let stack_bounds =
  [ "equal-outputs", P.DifferentRows; "equal-rows", P.RankOfRows; "opposite-examples", P.Directions;
    "opposite-outputs", P.FreeDirections; "equal-inputs", P.FreeRows; "entering-queries", P.QueriesMost;
    "entering-contexts", P.ContextsMost; "entering-equal-heads", P.EqualHeadsOf; "entering-linear-hull", P.LinearHullOf;
    "entering-affine-hull", P.AffineHullOf; "entering-differences", P.DifferencesOf ]
let translate_stack ~search (stack : P.layer_stack) args json =
  let p = stack.P.top_problem in
  let layer = lazy (match p.P.given with Some l -> l | None -> rejected "weights of the layer are expected") in
  let json = Array.of_list json in
  (* with the scale in their weights, or not *)
  let built = Array.map (fun step ->
    if not (named step) || text (get "rule" step) <> "let" then None
    else
      let layer = get "layer" step in
      match find "heads" layer, find "random" layer with
      | Some h, None ->
        let h = heads_of h in
        if List.exists (fun (_, separator) -> separator <> None) h then not_covered "separators behind other layers";
        if List.exists (fun (terms, _) -> Z.gt (Z.of_int (List.length terms)) p.P.d_h) h then
          rejected "weights of rank at most d_h are expected";
        Some (layer_of_heads p h, true)
      | None, Some r -> let layer, _, _ = random_layer p r in Some (layer, false)
      | _ -> not_covered "such a layer behind other layers") json in
  let all_built = Array.to_list built in
  let uncovered = Array.make (Array.length json) false and missing = ref [] in
  let named_layer k step = match find "layer" step with
    | None -> None
    | Some (`String s) -> layer_name s
    | Some l ->
      let l = size l in
      if Z.geq l (Z.of_int k) || built.(Z.to_int l) = None then rejected "an earlier step that defines a layer is expected";
      Some l in
  let shown_at shows bits =
    let rec attempt k bits = if not search || k = 1 || shows bits then bits else attempt (k - 1) (Z.min most_bits (Z.add bits (Z.add bits (Z.of_int 16)))) in
    attempt most_tries bits in
  let step_of k step =
    let of_ () = text (get "of" step) in
    match text (get "rule" step) with
    | "let" -> P.StackNotCovered  (* read before *)
    | "inverse" when Option.bind (inside "rank" (of_ ())) (inside "Z") <> None ->
      let name = layer_name (Option.get (Option.bind (inside "rank" (of_ ())) (inside "Z"))) in
      (match name with
       | Some l when Z.geq l (Z.of_int k) -> rejected "an earlier step that defines a layer is expected"
       | _ -> ());
      let stack, layer = match P.stack_of stack all_built name with Some both -> both | None -> rejected "a layer is expected" in
      let rows = sizes (get "rows" step) and cols = List.map (fun c -> Z.div_rem c p.P.d) (sizes (get "cols" step)) in
      let q, inverse = over_common (numerals (get "inverse" step)) in
      let shows bits = P.stack_minor_ok stack layer bits rows cols q inverse in
      P.StackMinor (name, shown_at shows (precision (get "precision" step)), rows, cols, q, inverse)
    | "ball" when of_ () = "distinct(Z)" ->
      let rows = sizes (get "rows" step) and layer = Lazy.force layer in
      P.StackApart (shown_at (fun bits -> P.stack_apart_ok stack layer bits rows) (precision (get "precision" step)), rows)
    | "ball" when of_ () = "saturated" || of_ () = "accurate" ->
      let k = size (get "count" step) and side = above step and layer = Lazy.force layer in
      let first = precision (get "precision" step) in
      if of_ () = "saturated" then P.StackPairs (side, k, shown_at (P.stack_pairs_ok stack layer args side k) first)
      else P.StackScores (side, k, shown_at (P.stack_scores_ok stack layer args side k) first)
    | "ball" when of_ () = "numerical_rank" ->
      let bits = precision (get "bits" step) and vectors = List.map integers (list (get "vectors" step)) in
      if vectors = [] then rejected "a vector is expected";
      let shows more = P.stack_spectrum_ok stack (Lazy.force layer) args (above step) bits more vectors in
      P.StackSpectrum (above step, bits, shown_at shows bits, vectors)
    | "ball" when List.mem (of_ ()) [ "kruskal(queries)"; "kruskal(mixed-queries)" ] ->
      let mixed = of_ () = "kruskal(mixed-queries)" and k = size (get "k" step) in
      let shows bits = P.entering_queries_ok stack bits mixed k in
      P.StackQueries (mixed, k, shown_at shows (precision (get "precision" step)))
    | "ball" when List.mem (of_ ()) [ "rank(contexts)"; "rank(mixed-contexts)" ] ->
      let mixed = of_ () = "rank(mixed-contexts)" in
      P.StackContexts (mixed, shown_at (fun bits -> P.entering_contexts_ok stack bits mixed) (precision (get "precision" step)))
    | "theorem" -> (
      let name = text (get "theorem" step) and uses = used step in
      List.iter (fun u ->
        expect_earlier json k u;
        if uncovered.(Z.to_int u) then not_covered "theorems that use what is not covered") uses;
      match List.assoc_opt name stack_bounds, List.assoc_opt name theorems with
      | Some b, _ -> P.StackBound b
      | None, Some x when P.stack_theorem x ->
        if List.mem x [ P.AnyCoefficients; P.SomeCoefficients; P.SomeWeights ] <> (find "layer" step <> None) then
          rejected "a layer exactly where the theorem has one";
        P.StackApply (x, named_layer k step, uses)
      | _ -> not_covered ("the theorem " ^ name))
    | rule -> not_covered ("the rule " ^ rule ^ match find "of" step with Some (`String s) -> " of " ^ s | _ -> "") in
  let steps = Array.mapi (fun k step ->
    if not (named step) then P.StackNotCovered
    else try step_of k step with Not_covered what ->
      missing := what :: !missing;
      uncovered.(k) <- true;
      P.StackNotCovered) json in
  (steps, all_built, uncovered, List.sort_uniq compare !missing)

(* --- all weights of all layers: `nested` says which minor of Z is not 0 for almost all weights; what is handed over are small
   rational weights for which enclosures show it, found here *)
let inverse_over q m den =
  let k = Array.length m in
  let a = Array.map (fun r -> Array.append (Array.map (fun x -> Q.make x den) r) (Array.make k Q.zero)) m in
  Array.iteri (fun i r -> r.(k + i) <- Q.one) a;
  for c = 0 to k - 1 do
    let best = ref c in
    for i = c + 1 to k - 1 do if Q.gt (Q.abs a.(i).(c)) (Q.abs a.(!best).(c)) then best := i done;
    let row = a.(!best) in
    a.(!best) <- a.(c);
    let f = Q.inv row.(c) in  (* Division_by_zero for what is singular *)
    a.(c) <- Array.map (Q.mul f) row;
    Array.iteri (fun i r -> if i <> c then let g = r.(c) in a.(i) <- Array.mapi (fun j x -> Q.sub x (Q.mul g a.(c).(j))) r) a
  done;
  List.init k (fun i -> List.init k (fun j -> let x = Q.mul (Q.of_bigint q) a.(i).(k + j) in Z.fdiv x.Q.num x.Q.den))

(* small weights of the layers before and of the layer, whose values have so many columns: the larger [logits], the smaller these;
   of 2 [steps] + 1 numbers each, which should be many where there are few weights *)
let small_weights (stack : P.layer_stack) ~logits ~steps seed outputs =
  let p = stack.P.top_problem in
  let largest = List.fold_left (List.fold_left (fun m x -> Z.max m (Z.abs x))) stack.P.q_hidden stack.P.hidden_rows in
  let den = Z.mul (Z.of_int (logits * steps / 4)) (Z.cdiv largest stack.P.q_hidden) in
  let below = splitmix seed 4 in
  let entry _ = Z.sub (below (Z.of_int ((2 * steps) + 1))) (Z.of_int steps) in
  let matrix width = List.init (Z.to_int p.P.d) (fun _ -> List.init (Z.to_int width) entry) in
  let head w outputs =
    let earlier_key = matrix w in
    let earlier_query = matrix w in
    { P.earlier_width = w; q_earlier_key = den; earlier_key; q_earlier_query = den; earlier_query; q_earlier_value = Z.of_int steps;
      earlier_value = matrix outputs } in
  let before = List.map (function
    | P.EarlierAttention (_, _, heads) -> List.map (fun g -> head g.P.earlier_width p.P.d) heads
    | _ -> not_covered "free weights of networks") stack.P.befores in
  (before, List.init (Z.to_int p.P.h) (fun _ -> head p.P.d_h outputs))

let free_minor (stack : P.layer_stack) seed rows cols =
  let p = stack.P.top_problem in
  let attempt (number, logits, steps, bits) =
    let bits = Z.of_int bits in
    let weights, last = small_weights stack ~logits ~steps (Z.add seed (Z.of_int number)) Z.zero in
    let den = (List.hd last).P.q_earlier_key in
    let layer = P.Factors (p.P.d_h, den, List.map (fun g -> g.P.earlier_key) last, den, List.map (fun g -> g.P.earlier_query) last,
      Z.one, [], Z.one, []) in
    let at = P.with_weights stack weights in
    let q = Z.shift_left Z.one (Z.to_int bits) in
    match P.iv_stack_rows at layer bits rows with
    | None -> None
    | Some enclosed ->
      let entry r (h, c) = let lo, hi = List.nth (List.nth r (Z.to_int h)) (Z.to_int c) in Z.add lo hi in
      let middle = Array.of_list (List.map (fun r -> Array.of_list (List.map (entry r) cols)) enclosed) in
      match inverse_over q middle (Z.mul (Z.of_int 2) (P.denominator (P.precision_of bits))) with
      | exception Division_by_zero -> None
      | inverse ->
        if P.stack_minor_ok at layer bits rows cols q inverse then Some (P.FreeMinor (weights, layer, bits, rows, cols, q, inverse))
        else None in
  List.find_map attempt [ (0, 4, 4, 64); (1, 4, 4, 64); (2, 4, 4, 64); (0, 4, 4, 192); (1, 4, 4, 192); (2, 4, 4, 192); (0, 2, 64, 192); (1, 1, 64, 192) ]

(* The inverse of a matrix, nearly: floating-point numbers propose what integers then check. *)
let near_inverse a =
  let k = Array.length a in
  let a = Array.mapi (fun i r -> Array.append r (Array.init k (fun j -> if i = j then 1. else 0.))) a in
  for c = 0 to k - 1 do
    let best = ref c in
    for i = c + 1 to k - 1 do if Float.abs a.(i).(c) > Float.abs a.(!best).(c) then best := i done;
    let row = a.(!best) in
    a.(!best) <- a.(c);
    a.(c) <- Array.map (fun x -> x /. row.(c)) row;
    Array.iteri (fun i r ->
      if i <> c && r.(c) <> 0. then let g = r.(c) in Array.iteri (fun j x -> if j >= c then r.(j) <- r.(j) -. g *. x) a.(c)) a
  done;
  Array.map (fun r -> Array.sub r k k) a

(* Columns of J: of each head of each layer, the first one first, key, query, value, each by rows. *)
let free_parameter (stack : P.layer_stack) col =
  let p = stack.P.top_problem in
  let d = p.P.d in
  let of_layer = function
    | P.EarlierAttention (_, _, heads) -> List.map (fun g -> (g.P.earlier_width, d)) heads
    | _ -> not_covered "free weights of networks" in
  let layers = List.map of_layer stack.P.befores @ [ List.init (Z.to_int p.P.h) (fun _ -> (p.P.d_h, p.P.d_out)) ] in
  let rec find l k col = function
    | [] -> rejected "columns of the Jacobian are expected"
    | [] :: layers -> find (l + 1) 0 col layers
    | ((w, outputs) :: heads) :: layers ->
      let keys = Z.mul d w in
      let values = Z.mul Z.(of_int 2) keys in
      let size = Z.add values (Z.mul d outputs) in
      if Z.geq col size then find l (k + 1) (Z.sub col size) (heads :: layers)
      else
        let at from width = let i, j = Z.div_rem (Z.sub col from) width in (Z.of_int l, Z.of_int k, i, j) in
        if Z.lt col keys then let l, k, i, j = at Z.zero w in P.KeyAt (l, k, i, j)
        else if Z.lt col values then let l, k, i, j = at keys w in P.QueryAt (l, k, i, j)
        else let l, k, i, j = at values outputs in P.ValueAt (l, k, i, j) in
  find 0 0 col layers

(* That the check will succeed is seen before it is made, once. *)
let free_jacobian (stack : P.layer_stack) seed rows cols =
  let p = stack.P.top_problem in
  let bits = Z.of_int 64 and shift = 30 in
  let precision = P.precision_of bits in
  let attempt (number, logits, steps) =
    let weights, last = small_weights stack ~logits ~steps (Z.add seed (Z.of_int number)) p.P.d_out in
    let scale = 2. *. Z.to_float (P.denominator precision) in
    let enclosed = List.map Array.of_list (P.iv_free_J stack weights last precision rows cols) in
    let middle = Array.of_list (List.map (Array.map (fun (lo, hi) -> Z.to_float (Z.add lo hi) /. scale)) enclosed) in
    let widths = Array.of_list (List.map (Array.fold_left (fun sum (lo, hi) -> sum +. Z.to_float (Z.sub hi lo) /. scale) 0.) enclosed) in
    let rounded = Array.map (Array.map (fun x -> Float.round (Float.ldexp x shift))) (near_inverse middle) in
    let small row i =
      let left = Array.init (Array.length row) (fun j -> if i = j then 1. else 0.) and spread = ref 0. in
      Array.iteri (fun k x ->
        let x = Float.ldexp x (-shift) in
        spread := !spread +. Float.abs x *. widths.(k);
        Array.iteri (fun j y -> left.(j) <- left.(j) -. x *. y) middle.(k)) row;
      Array.fold_left (fun sum x -> sum +. Float.abs x) !spread left < 0.9 in
    if Array.for_all Fun.id (Array.mapi (fun i row -> small row i) rounded) then
      Some (P.FreeJacobianMinor (weights, last, bits, rows, cols, Z.shift_left Z.one shift,
        Array.to_list (Array.map (fun r -> List.map Z.of_float (Array.to_list r)) rounded)))
    else None in
  List.find_map attempt (List.concat_map (fun (logits, steps) -> List.init 8 (fun number -> (number, logits, steps))) [ (6, 4); (2, 4); (1, 4); (2, 64) ])

(* --- composed-means-maps: linear maps that take what an example is a mean of to its differences *)
let first_nonzero row =
  let rec from j = if j = Array.length row then None else if Q.sign row.(j) <> 0 then Some j else from (j + 1) in
  from 0

(* each with the column in which it alone is 1, and all others 0 *)
let reduced_rows rows =
  let clear (k, u) row = let g = row.(k) in if Q.sign g = 0 then row else Array.mapi (fun j x -> Q.sub x (Q.mul g u.(j))) row in
  List.fold_left (fun known row ->
    let row = List.fold_left (fun row pivot -> clear pivot row) row known in
    match first_nonzero row with
    | None -> known
    | Some k ->
      let pivot = (k, Array.map (fun x -> Q.div x row.(k)) row) in
      pivot :: List.map (fun (l, u) -> (l, clear pivot u)) known) [] rows

(* what is orthogonal to all rows *)
let null_space width rows =
  let known = reduced_rows rows in
  let free = List.filter (fun j -> not (List.mem_assoc j known)) (List.init width Fun.id) in
  List.map (fun f ->
    let x = Array.make width Q.zero in
    x.(f) <- Q.one;
    List.iter (fun (k, u) -> x.(k) <- Q.neg u.(f)) known;
    x) free

let dot_product x y =
  let sum = ref Q.zero in
  Array.iteri (fun j a -> sum := Q.add !sum (Q.mul a y.(j))) x;
  !sum

(* A map is the rows that it makes of the vectors of a basis in the columns of their pivots, combinations of this basis. *)
let free_maps (stack : P.layer_stack) =
  let p = stack.P.top_problem in
  let d = Z.to_int p.P.d in
  let rational row = Array.of_list (List.map Q.of_bigint row) in
  let averaged = List.sort_uniq compare (List.init (Z.to_int p.P.t) (fun t -> P.averaged stack (Z.of_int t))) in
  let known = reduced_rows (List.map rational (P.averaged_rows stack)) in
  let q = List.length known in
  let conditions js =
    let functionals = null_space d (List.map rational (P.row_differences stack js)) in
    let images = List.map (fun f -> List.map (fun (_, u) -> dot_product f u) known) functionals in
    let vectors = List.map snd (reduced_rows (List.map (fun j -> rational (P.hidden_row stack j)) js)) in
    List.concat_map (fun x ->
      List.map (fun image -> Array.of_list (List.concat_map (fun (k, _) -> List.map (Q.mul x.(k)) image) known)) images) vectors in
  let map coefficients =
    let entries = Array.make_matrix d d Q.zero in
    List.iteri (fun i (k, _) ->
      List.iteri (fun j (_, u) ->
        Array.iteri (fun l x -> entries.(k).(l) <- Q.add entries.(k).(l) (Q.mul coefficients.((i * q) + j) x)) u) known) known;
    let den = Array.fold_left (Array.fold_left (fun den x -> Z.lcm den x.Q.den)) Z.one entries in
    Array.to_list (Array.map (fun r -> List.map (fun x -> Z.div (Z.mul x.Q.num den) x.Q.den) (Array.to_list r)) entries) in
  P.FreeMovedMaps (Z.of_int 8388593, List.map map (null_space (q * q) (List.concat_map conditions averaged)))

(* modulo which bases are independent that are *)
let prime = Z.of_int 8388593

(* steps, what is proved of the given weights in the place of some, and what is not covered *)
let translate_free (stack : P.layer_stack) ~given json =
  let p = stack.P.top_problem in
  let missing = ref [] and others = Array.make (List.length json) None in
  let about step = List.hd (String.split_on_char ' ' (text (get "fact" step))) in
  let step_of k step =
    match text (get "rule" step) with
    | "nested" ->
      (* not needed for small weights; attest-check refuses others *)
      let primes = List.map Json.modulus (list (get "primes" step)) in
      let rec chain = function p :: (q :: _ as rest) -> Z.equal q (Z.succ (Z.add p p)) && chain rest | _ -> true in
      if List.compare_length_with primes (List.length stack.P.befores + 2) <> 0 || not (chain primes) then
        rejected "odd primes, one more than layers, each twice the one before and 1, are expected";
      let rows = sizes (get "rows" step) and cols = sizes (get "cols" step) and seed = size (get "seed" step) in
      let minor = match text (get "of" step) with
        | "capacity" ->
          let cols = List.map (fun c -> Z.div_rem c p.P.d) cols in
          if List.exists (fun t -> Z.geq t p.P.t) rows || List.exists (fun (h, _) -> Z.geq h p.P.h) cols then
            rejected "rows and columns of Z are expected";
          free_minor stack seed rows cols
        | "functional_dimension" ->
          let rows = List.map (fun r -> Z.div_rem r p.P.d_out) rows in
          if List.exists (fun (t, _) -> Z.geq t p.P.t) rows then rejected "rows of the Jacobian are expected";
          free_jacobian stack seed rows (List.map (free_parameter stack) cols)
        | of_ -> not_covered ("minors of " ^ of_) in
      (match minor with Some minor -> minor | None -> not_covered "a minor that no small weights show")
    | "theorem" -> (
      let steps = Array.of_list json and name = text (get "theorem" step) in
      let quantities = about step :: (if List.mem name [ "stack-symmetries"; "composed-means" ] then [ "capacity" ] else []) in
      List.iter (fun j ->
        expect_earlier steps k j;
        if not (List.mem (about steps.(Z.to_int j)) quantities) then rejected ("facts about quantities of " ^ name ^ " are expected")) (used step);
      let uses theorem =
        List.exists (fun j -> find "theorem" steps.(Z.to_int j) = Some (`String theorem)) (used step) in
      let means = uses "stack-means" and opposite = uses "opposite-outputs" in
      match name with
      | "opposite-outputs" -> P.FreeExamples
      | "opposite-jacobian-rows" -> P.FreeOppositeRows
      | "stack-means" when P.run_free_step stack (P.FreeMeans prime) <> None -> P.FreeMeans prime
      | "stack-symmetries" when P.run_free_step stack (P.FreeSymmetries (prime, means, opposite)) <> None ->
        P.FreeSymmetries (prime, means, opposite)
      | "composed-means" -> P.FreeMoved (prime, means, opposite)
      | "composed-means-maps" -> free_maps (P.one_of_each stack)
      | name when given && List.mem_assoc name stack_bounds ->
        others.(k) <- P.bound_fact stack (List.assoc name stack_bounds);
        P.FreeNotCovered
      | name -> not_covered ("the theorem " ^ name))
    | rule -> not_covered ("the rule " ^ rule) in
  let steps = List.mapi (fun k step ->
    if not (named step) then P.FreeNotCovered
    else try step_of k step with Not_covered what -> missing := what :: !missing; P.FreeNotCovered) json in
  (steps, others, List.sort_uniq compare !missing)

(* --- the form of steps: what attest-check refuses is refused here, too, also where nothing depends on it *)

let of_z = [ "rank(Z(*))"; "rank(Z|Y)"; "distinct(Z)" ] @ List.map fst block_names
let of_kruskal = [ "kruskal(queries)"; "kruskal(mixed-queries)" ]
let minor = "rows:[count] cols:[count]" and zero = "side:left|right vectors:[[entry]]"
let counted = "side:above|below count:count precision:count" and prescribed = "right_inverses:[[vector]] left_inverse:[vector]"
let shapes =
  [ "let", [], "layer:object"; "part", [], "heads?:count examples?:[count] steps:[object] side:above|below";
    "minor", of_z @ [ "rank(J(*))" ], "p:count g:count " ^ minor; "minor", [ "lambda_rank" ], "layer:count p:count g:count " ^ minor;
    "minor", [ "rank(*contexts)" ], "p:count"; "minor", [ "rank(*)" ], "p:count " ^ minor;
    "zero", of_z, zero ^ " p:count g?:count"; "zero", [ "rank(*contexts)" ], zero ^ " p:count member?:count";
    "zero", [ "rank(*)" ] @ of_kruskal, zero ^ " p:count"; "zero", [ "capacity"; "largest_rank" ], zero ^ " p?:count";
    "hadamard", [ "rank(*)" ], "rows:[count] primes:[count]"; "coefficients", [ "capacity" ], "p:count tokens:[[count]] " ^ minor;
    "hulls", [ "capacity" ], "vectors:[vector]";
    "nested", [ "capacity"; "functional_dimension" ], "primes:[count] bound:count seed:count " ^ minor;
    "circuits", [ "which(*)" ], "layer:count p:count g:count cols:[count] uses:[count]";
    "subsets", of_kruskal, "k:count p:count method:subsets|dual"; "compare", [ "separator" ], "u:vector v:vector";
    "compare", [ "network(given)" ], "neurons:[neuron] output_bias?:string"; "compare", [ "perturbation" ], "mu:string side:holds|fails";
    "ball", [ "distinct(Z)" ], "rows:[count] precision:count"; "ball", [ "rank(contexts)"; "rank(mixed-contexts)" ], "precision:count";
    "ball", of_kruskal, "k:count precision:count"; "ball", [ "saturated"; "accurate" ], counted;
    "ball", [ "numerical_rank" ], "side:above|below bits:count vectors:[[string]]";
    "ball", [ "vertex_limit" ], "vertex:count lambda:string"; "ball", [ "one_hot" ], prescribed ^ " u:vector v:vector lambda:string";
    "inverse", [ "rank(Z(*))" ], "precision:count inverse:[[string]] " ^ minor; "inverse", [ "weights" ], prescribed;
    "inverse", [ "readout" ], "layer:count cols:[count] precision:count inverse:[[string]] weights:[[ball]]";
    "inverse", [ "tail_rank" ], "layer:count lambda:string inverse:[[string]] scale:[string] " ^ minor;
    "split", [ "network(given)" ], "trees:[[object]]"; "theorem", [], "theorem:string uses:[count] layer?:given|count parts?:[count]" ]

let has_form text form =
  match String.split_on_char '*' form with
  | [ first; last ] ->
    String.length text >= String.length first + String.length last && String.starts_with ~prefix:first text && String.ends_with ~suffix:last text
  | _ -> text = form

let keys_are keys json =
  let known = List.map (fun key -> List.hd (String.split_on_char '?' (List.hd (String.split_on_char ':' key)))) (String.split_on_char ' ' keys) in
  List.iter (fun (key, _) -> if not (List.mem key known) then rejected ("no key " ^ key ^ " is expected")) (fields json)

let rec is_of kind json =
  match kind, json with
  | "count", _ -> ignore (size json)
  | "string", _ -> ignore (text json)
  | "object", _ -> ignore (fields json)
  | "entry", `List [ i; `List _ ] -> ignore (size i)
  | "entry", `List [ i; value ] -> ignore (size i); ignore (text value)
  | "entry", _ -> rejected "an entry [index, value] is expected"
  | "vector", _ -> of_keys "den:string num:[string]" json
  | "ball", _ -> of_keys "mid:string rad:string" json
  | "neuron", _ -> of_keys "w:[string] b:string a:string" json
  | _ when kind.[0] = '[' -> List.iter (is_of (String.sub kind 1 (String.length kind - 2))) (list json)
  | _, `String s when List.mem s (String.split_on_char '|' kind) -> ()
  | _ -> if List.mem "count" (String.split_on_char '|' kind) then ignore (size json) else rejected ("one of " ^ kind ^ " is expected")
and of_keys keys json =
  keys_are keys json;
  List.iter (fun key ->
    match String.split_on_char ':' key with
    | [ name; kind ] when String.ends_with ~suffix:"?" name -> Option.iter (is_of kind) (find (String.sub name 0 (String.length name - 1)) json)
    | [ name; kind ] -> is_of kind (get name json)
    | _ -> ()) (String.split_on_char ' ' keys)

let free_theorems = [ "opposite-jacobian-rows"; "stack-means"; "stack-symmetries"; "composed-means"; "composed-means-maps" ]
let theorem_is_known name =
  let among all = List.mem_assoc name all in
  among theorems || among jacobian_theorems || among sequence_theorems || among part_theorems || among block_theorems || among paper_theorems
  || among stack_bounds || List.mem name free_theorems

let rec well_formed step =
  let rule = text (get "rule" step) and of_ = Option.map text (find "of" step) in
  match List.find_opt (fun (r, forms, _) -> r = rule && match of_ with Some of_ -> List.exists (has_form of_) forms | None -> forms = []) shapes with
  | None -> rejected ("no rule " ^ rule ^ match of_ with Some of_ -> " of " ^ of_ | None -> "")
  | Some (_, forms, keys) ->
    of_keys ((if forms = [] then "" else "of:string ") ^ "rule:string fact:string label?:string " ^ keys) step;
    let indices key = Option.map sizes (find key step) in
    List.iter (Option.iter (fun all ->
      if List.compare_lengths (List.sort_uniq Z.compare all) all <> 0 then rejected "different rows and columns are expected"))
      [ indices "rows"; indices "cols" ];
    (match indices "rows", indices "cols" with
     | Some rows, Some cols when of_ <> Some "distinct(Z)" && List.compare_lengths rows cols <> 0 ->
       rejected "as many columns as rows are expected"
     | _ -> ());
    if rule = "theorem" && not (theorem_is_known (text (get "theorem" step))) then rejected "a theorem is expected";
    if rule = "part" then List.iter well_formed (list (get "steps" step))
