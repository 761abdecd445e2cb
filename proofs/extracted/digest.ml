(* SHA-256 (FIPS 180-4), on words of 32 bits in OCaml's integers. *)

let mask = 0xffffffff

(* the first 32 bits of the fractional part of the k-th root of a number *)
let root_bits k p = Z.to_int (Z.logand (Z.root (Z.shift_left (Z.of_int p) (32 * k)) k) (Z.of_int mask))
let primes =
  let prime p = List.for_all (fun k -> p mod (k + 2) <> 0) (List.init (p - 2) Fun.id) in
  Array.of_list (List.filter prime (List.init 310 (( + ) 2)))
let initial = Array.map (root_bits 2) (Array.sub primes 0 8)
let constants = Array.map (root_bits 3) (Array.sub primes 0 64)

(* Rotations to the right of a word of 32 bits; what is beyond 32 bits is left there. *)
let turned x k = (x lsr k) lor (x lsl (32 - k))

(* of a part of a string *)
let sha256 data at length =
  let rest = length land 63 in
  let last = Bytes.make (if rest < 56 then 64 else 128) '\000' in
  Bytes.blit_string data (at + length - rest) last 0 rest;
  Bytes.set last rest '\x80';
  Bytes.set_int64_be last (Bytes.length last - 8) (Int64.of_int (8 * length));
  let last = Bytes.unsafe_to_string last in
  let state = Array.copy initial and w = Array.make 64 0 in
  let add k x = state.(k) <- (state.(k) + x) land mask in
  let rec rounds t a b c d e f g h =
    if t = 64 then begin
      add 0 a; add 1 b; add 2 c; add 3 d; add 4 e; add 5 f; add 6 g; add 7 h
    end else
      let s1 = (turned e 6 lxor turned e 11 lxor turned e 25) land mask and chosen = (e land f) lxor (lnot e land g) in
      let s0 = (turned a 2 lxor turned a 13 lxor turned a 22) land mask
      and majority = (a land b) lxor (a land c) lxor (b land c) in
      let added = h + s1 + chosen + constants.(t) + w.(t) in
      rounds (t + 1) ((added + s0 + majority) land mask) a b c ((d + added) land mask) e f g in
  let block text at =
    for t = 0 to 15 do
      w.(t) <- Int32.to_int (String.get_int32_be text (at + (4 * t))) land mask
    done;
    for t = 16 to 63 do
      let x = w.(t - 15) and y = w.(t - 2) in
      let s0 = turned x 7 lxor turned x 18 lxor (x lsr 3) and s1 = turned y 17 lxor turned y 19 lxor (y lsr 10) in
      w.(t) <- ((s0 land mask) + w.(t - 16) + (s1 land mask) + w.(t - 7)) land mask
    done;
    rounds 0 state.(0) state.(1) state.(2) state.(3) state.(4) state.(5) state.(6) state.(7) in
  for k = 0 to (length / 64) - 1 do
    block data (at + (64 * k))
  done;
  for k = 0 to (String.length last / 64) - 1 do
    block last (64 * k)
  done;
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list state))

let sha256_of text = sha256 text 0 (String.length text)
