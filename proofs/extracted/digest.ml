(* The canonical text of a problem and its digest (docs/certificate.md). *)

(* --- SHA-256 (FIPS 180-4), on words of 32 bits in OCaml's integers *)

let mask = 0xffffffff
let rotate x k = (x lsr k) lor (x lsl (32 - k)) land mask

(* the first 32 bits of the fractional part of the k-th root of a number *)
let root_bits k p = Z.to_int (Z.logand (Z.root (Z.shift_left (Z.of_int p) (32 * k)) k) (Z.of_int mask))
let primes =
  let prime p = List.for_all (fun k -> p mod (k + 2) <> 0) (List.init (p - 2) Fun.id) in
  Array.of_list (List.filter prime (List.init 310 (( + ) 2)))
let initial = Array.map (root_bits 2) (Array.sub primes 0 8)
let constants = Array.map (root_bits 3) (Array.sub primes 0 64)

let sha256 message =
  let length = String.length message in
  let padded = Bytes.make ((length + 72) / 64 * 64) '\000' in
  Bytes.blit_string message 0 padded 0 length;
  Bytes.set padded length '\x80';
  Bytes.set_int64_be padded (Bytes.length padded - 8) (Int64.of_int (8 * length));
  let state = Array.copy initial and w = Array.make 64 0 in
  for block = 0 to (Bytes.length padded / 64) - 1 do
    for t = 0 to 63 do
      w.(t) <-
        (if t < 16 then Int32.to_int (Bytes.get_int32_be padded ((64 * block) + (4 * t))) land mask
         else
           let x = w.(t - 15) and y = w.(t - 2) in
           let s0 = rotate x 7 lxor rotate x 18 lxor (x lsr 3) and s1 = rotate y 17 lxor rotate y 19 lxor (y lsr 10) in
           (w.(t - 16) + s0 + w.(t - 7) + s1) land mask)
    done;
    let s = Array.copy state in
    for t = 0 to 63 do
      let a = s.(0) and e = s.(4) in
      let s1 = rotate e 6 lxor rotate e 11 lxor rotate e 25 and chosen = (e land s.(5)) lxor (lnot e land s.(6)) in
      let s0 = rotate a 2 lxor rotate a 13 lxor rotate a 22
      and majority = (a land s.(1)) lxor (a land s.(2)) lxor (s.(1) land s.(2)) in
      let added = s.(7) + s1 + chosen + constants.(t) + w.(t) in
      Array.blit s 0 s 1 7;
      s.(4) <- (s.(4) + added) land mask;
      s.(0) <- (added + s0 + majority) land mask
    done;
    Array.iteri (fun i x -> state.(i) <- (state.(i) + x) land mask) s
  done;
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list state))

(* --- entries of arrays *)

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

let array_text shape entries =
  let kind = List.fold_left (fun k x -> max k (class_of x)) 0 entries in
  let out = Buffer.create 4096 in
  List.iter (fun (x : Q.t) ->
    match kind with
    | 0 -> Buffer.add_int32_le out (Int32.bits_of_float (float_of x))
    | 1 -> Buffer.add_int64_le out (Int64.bits_of_float (float_of x))
    | _ ->
      Buffer.add_string out (Z.format "%x" x.Q.num);
      if not (Z.equal x.Q.den Z.one) then Buffer.add_string out ("/" ^ Z.format "%x" x.Q.den);
      Buffer.add_char out '\n') entries;
  Printf.sprintf "%s %s %s" (String.concat "x" (List.map string_of_int shape)) [| "f4"; "f8"; "q" |].(kind)
    (sha256 (Buffer.contents out))
