(* The arrays of a problem, in JSON or as the bytes of their canonical form (docs/certificate.md): integers over a common
   denominator, and the digest of that form.  All of this is trusted. *)
open Json

type exact = { den : Z.t; number : int -> Z.t  (* by its place in row-major order *); shape : int list; digest : string }

let digest shape kind data at length =
  Printf.sprintf "%s %s %s" (String.concat "x" (List.map string_of_int shape)) kind (Digest.sha256 data at length)

(* --- from numbers *)

(* the least class of three in which a number is exact *)
let class_of (x : Q.t) =
  let k = Z.numbits x.Q.den - 1 in
  if Z.sign x.Q.num = 0 then 0
  else if Z.trailing_zeros x.Q.den <> k then 2
  else
    let shift = Z.trailing_zeros x.Q.num in
    let bits = Z.numbits x.Q.num - shift and exponent = shift - k in
    let fits digits least most = bits <= digits && exponent >= least && exponent + bits <= most in
    if fits 24 (-149) 128 then 0 else if fits 53 (-1074) 1024 then 1 else 2

(* of a number of the classes 0 and 1 *)
let float_of (x : Q.t) =
  let shift = if Z.sign x.Q.num = 0 then 0 else Z.trailing_zeros x.Q.num in
  ldexp (Z.to_float (Z.shift_right x.Q.num shift)) (shift - Z.numbits x.Q.den + 1)

let of_numbers shape numbers =
  let kind = List.fold_left (fun k x -> max k (class_of x)) 0 numbers in
  let out = Buffer.create 4096 in
  List.iter (fun (x : Q.t) ->
    match kind with
    | 0 -> Buffer.add_int32_le out (Int32.bits_of_float (float_of x))
    | 1 -> Buffer.add_int64_le out (Int64.bits_of_float (float_of x))
    | _ ->
      Buffer.add_string out (Z.format "%x" x.Q.num);
      if not (Z.equal x.Q.den Z.one) then Buffer.add_string out ("/" ^ Z.format "%x" x.Q.den);
      Buffer.add_char out '\n') numbers;
  let den = denominator numbers in
  let entries = Array.of_list (List.map (over den) numbers) in
  { den; number = Array.get entries; shape;
    digest = digest shape [| "f4"; "f8"; "q" |].(kind) (Buffer.contents out) 0 (Buffer.length out) }

(* --- from the bytes of the canonical form *)

(* a float of so many bits, its sign apart: an integer times a power of 2 *)
let parts digits least infinite magnitude negative =
  let e = magnitude lsr digits and m = magnitude land ((1 lsl digits) - 1) in
  if e = infinite then bad_input "an entry is not finite";
  if magnitude = 0 && negative then bad_input "-0";
  let m, e = if e = 0 then (m, least) else (m lor (1 lsl digits), e + least - 1) in
  ((if negative then -m else m), e)
let binary32 data at =
  let bits = Int32.to_int (String.get_int32_le data at) in
  parts 23 (-149) 0xff (bits land 0x7fffffff) (bits < 0)
let binary64 data at =
  let bits = String.get_int64_le data at in
  parts 52 (-1074) 0x7ff (Int64.to_int (Int64.logand bits Int64.max_int)) (Int64.compare bits 0L < 0)

let rec twos k m = if m land 1 = 1 then k else twos (k + 1) (m asr 1)

let of_floats shape data at length (kind, width, digits, float) =
  let part k = float data (at + (width * k)) in
  let shift = ref 0 in
  for k = 0 to (length / width) - 1 do
    let m, e = part k in
    if m <> 0 && !shift < -e then shift := max !shift (-e - twos 0 m)
  done;
  let shift = !shift in
  let number k =
    let m, e = part k in
    let s = e + shift in
    if m = 0 then Z.zero
    else if s <= 0 then Z.of_int (m asr -s)
    else if s <= 62 - digits then Z.of_int (m lsl s)
    else Z.shift_left (Z.of_int m) s in
  { den = Z.shift_left Z.one shift; number; shape; digest = digest shape kind data at length }

let hexadecimal s =
  let digit c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') in
  let whole s =
    let body = if s <> "" && s.[0] = '-' then String.sub s 1 (String.length s - 1) else s in
    if body = "" || not (String.for_all digit body) then wrong s else Z.of_string_base 16 s in
  match String.split_on_char '/' s with
  | [ p ] -> Q.of_bigint (whole p)
  | [ p; q ] -> quotient (whole p) (whole q)
  | _ -> wrong s

(* --- either, where data are the bytes of all arrays *)

let exact data json =
  let shape = List.map size (list (get "shape" json)) in
  let count = List.fold_left Z.mul Z.one shape and small = List.map Z.to_int shape in
  let sized n = if not (Z.equal count (Z.of_int n)) then bad_input "an array of another size" in
  let of_list numbers = sized (List.length numbers); of_numbers small numbers in
  match find "entries" json with
  | Some entries -> of_list (List.map rational (list entries))
  | None ->
    let at = Z.to_int (size (get "at" json)) and length = Z.to_int (size (get "bytes" json)) in
    if at > String.length data || length > String.length data - at then bad_input "an array beyond the end";
    let floats ((_, width, _, _) as form) =
      if length mod width <> 0 then bad_input "an array of another size";
      sized (length / width);
      of_floats small data at length form in
    match text (get "class" json) with
    | "f4" -> floats ("f4", 4, 24, binary32)
    | "f8" -> floats ("f8", 8, 53, binary64)
    | "q" -> (
      match List.rev (String.split_on_char '\n' (String.sub data at length)) with
      | "" :: lines -> of_list (List.rev_map hexadecimal lines)
      | _ -> bad_input "a last line without an end")
    | kind -> bad_input ("the class " ^ kind)

(* --- lists of what is in them *)

let rows a first height width =
  List.init height (fun i -> List.init width (fun j -> a.number (((first + i) * width) + j)))
let matrix a = match a.shape with [ h; w ] -> rows a 0 h w | _ -> bad_input "a matrix is expected"
let matrices a =
  match a.shape with
  | [ n; h; w ] -> List.init n (fun k -> rows a (k * h) h w)
  | _ -> bad_input "matrices are expected"
let numbers a = List.init (List.fold_left ( * ) 1 a.shape) a.number
