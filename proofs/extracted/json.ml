(* JSON, exact numbers, and what can be wrong with them. *)
module J = Yojson.Safe

exception Not_covered of string  (* by this checker *)
exception Rejected of string  (* a certificate *)
exception Bad_input of string  (* a problem, or no JSON *)

let not_covered what = raise (Not_covered what)
let rejected what = raise (Rejected what)
let bad_input what = raise (Bad_input what)

let fields = function
  | `Assoc pairs ->
    let names = List.map fst pairs in
    if List.length (List.sort_uniq compare names) <> List.length names then bad_input "a key twice";
    pairs
  | _ -> rejected "an object is expected"
let find key json = List.assoc_opt key (fields json)
let get key json = match find key json with Some v -> v | None -> rejected ("no key " ^ key)
let list = function `List l -> l | _ -> rejected "a list is expected"
let text = function `String s -> s | _ -> rejected "a string is expected"

(* In the place of a step that a claim does not name: steps are called by their numbers in the certificate. *)
let unnamed = `Null
let named = function `Null -> false | _ -> true

(* --- numerals, strict: digits are ASCII digits, at least one, and a sign is one minus in front *)

let wrong s = rejected ("not a number: " ^ s)
let digits s = s <> "" && String.for_all (fun c -> c >= '0' && c <= '9') s
let natural_text s = if digits s then Z.of_string s else wrong s
let integer_text s =
  if digits (if s <> "" && s.[0] = '-' then String.sub s 1 (String.length s - 1) else s) then Z.of_string s else wrong s
let quotient num den = if Z.sign den = 0 then rejected "a zero denominator" else Q.make num den

let integer = function
  | `Int i -> Z.of_int i
  | `Intlit s -> integer_text s
  | _ -> rejected "an integer is expected"
(* Any modulus would do for the theorems; the format has primes, and attest-check refuses others. *)
let odd_prime p = Z.gt p Z.one && Z.is_odd p && Z.probab_prime p 25 <> 0
let modulus ?(bits = 23) json =
  let p = integer json in
  if Z.numbits p > bits || not (odd_prime p) then rejected (Printf.sprintf "an odd prime below 2^%d is expected" bits) else p
let size json = let z = integer json in if Z.sign z < 0 then rejected "a negative number" else z

(* an integer, "p" or "p/q" *)
let rational = function
  | `String s -> (
    match String.split_on_char '/' s with
    | [ p ] -> Q.of_bigint (integer_text p)
    | [ p; q ] -> quotient (integer_text p) (natural_text q)
    | _ -> wrong s)
  | json -> Q.of_bigint (integer json)

(* What certificates have besides: digits with a point and an exponent, in base 16 after 0x, where the exponent is one
   of 2, after "p"; a sign may be a plus. *)
let numeral = function
  | `String s ->
    let after k s = String.sub s k (String.length s - k) in
    let signed s = if s <> "" && (s.[0] = '-' || s.[0] = '+') then (s.[0] = '-', after 1 s) else (false, s) in
    let scientific body =
      let hexadecimal = String.length body > 1 && body.[0] = '0' && (body.[1] = 'x' || body.[1] = 'X') in
      let base, point, bits, mark = if hexadecimal then (16, 2, 4, 'p') else (10, 10, 1, 'e') in
      let is_digit c =
        (c >= '0' && c <= '9') || (hexadecimal && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) in
      let digits = if hexadecimal then after 2 body else body in
      let mantissa, exponent =
        match String.index_opt (String.lowercase_ascii digits) mark with
        | None -> (digits, 0)
        | Some i ->
          let down, e = signed (after (i + 1) digits) in
          let e = natural_text e in
          if Z.gt e (Z.of_int 100_000) then wrong s;
          (String.sub digits 0 i, if down then -Z.to_int e else Z.to_int e) in
      let whole, fraction =
        match String.split_on_char '.' mantissa with
        | [ whole ] -> (whole, "")
        | [ whole; fraction ] -> (whole, fraction)
        | _ -> wrong s in
      if whole ^ fraction = "" || not (String.for_all is_digit (whole ^ fraction)) then wrong s;
      let power = exponent - (bits * String.length fraction) in
      let factor = Z.pow (Z.of_int point) (abs power) and m = Z.of_string_base base (whole ^ fraction) in
      if power >= 0 then Q.of_bigint (Z.mul m factor) else Q.make m factor in
    let negative, body = signed s in
    let x =
      match String.split_on_char '/' body with
      | [ p; q ] -> quotient (natural_text p) (natural_text q)
      | _ -> scientific body in
    if negative then Q.neg x else x
  | json -> Q.of_bigint (integer json)

(* --- lists of numbers *)

let sizes json = List.map size (list json)
let denominator numbers = List.fold_left (fun q x -> Z.lcm q x.Q.den) Z.one numbers
let over q x = Z.divexact (Z.mul x.Q.num q) x.Q.den

(* rows of rationals as integers over a common denominator *)
let over_common rows =
  let den = List.fold_left (fun q row -> Z.lcm q (denominator row)) Z.one rows in
  (den, List.map (List.map (over den)) rows)

(* the parts of length k of a list whose length is a multiple of it *)
let rec chunks k = function
  | [] -> []
  | l ->
    if k <= 0 then bad_input "an array of another shape";
    let rec split i acc rest =
      if i = 0 then (List.rev acc, rest)
      else match rest with x :: r -> split (i - 1) (x :: acc) r | [] -> bad_input "an array of another shape" in
    let first, rest = split k [] l in
    first :: chunks k rest
