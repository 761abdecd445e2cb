(* Each mapping of extract.v (Mapped) against the Coq function without it (Plain), on random and extreme arguments.  The
   last line is "N passed, N failed". *)
module M = Mapped
module P = Plain

let passed = ref 0
and failed = ref 0

(* --- Coq's binary and unary numbers *)

let rec plain_pos z =
  if Z.equal z Z.one then P.XH
  else
    let half = plain_pos (Z.shift_right z 1) in
    if Z.is_odd z then P.XI half else P.XO half
let plain z =
  match Z.sign z with 0 -> P.Z0 | s when s > 0 -> P.Zpos (plain_pos z) | _ -> P.Zneg (plain_pos (Z.neg z))
let rec value_pos = function
  | P.XH -> Z.one
  | P.XO p -> Z.shift_left (value_pos p) 1
  | P.XI p -> Z.succ (Z.shift_left (value_pos p) 1)
let value = function P.Z0 -> Z.zero | P.Zpos p -> value_pos p | P.Zneg p -> Z.neg (value_pos p)
let plain_nat z = List.fold_left (fun n _ -> P.S n) P.O (List.init (Z.to_int z) Fun.id)
let value_nat n = let rec go k = function P.O -> Z.of_int k | P.S n -> go (k + 1) n in go 0 n

(* --- arguments *)

let power k = Z.shift_left Z.one k
let extreme =
  let near x = [ Z.pred x; x; Z.succ x ] in
  let whole = List.concat_map near (Z.zero :: Z.of_int 10 :: List.map power [ 1; 31; 32; 61; 62; 63; 64; 127; 200 ]) in
  Array.of_list (List.sort_uniq Z.compare (whole @ List.map Z.neg whole))
let any () =
  if Random.bool () then extreme.(Random.int (Array.length extreme))
  else
    let bits = 1 + Random.int 260 in
    let z = List.fold_left (fun z _ -> Z.add (Z.shift_left z 30) (Z.of_int (Random.bits ()))) Z.zero (List.init 9 Fun.id) in
    let z = Z.extract z 0 bits in
    if Random.bool () then Z.neg z else z
let positive () = Z.succ (Z.abs (any ()))
let natural () = Z.of_int (if Random.bool () then Random.int 4 else Random.int 60)
let lowest = Z.neg (power 62)
let word () =
  match Random.int 4 with
  | 0 -> Z.add lowest (Z.of_int (Random.int 3))
  | 1 -> Z.sub (Z.pred (power 62)) (Z.of_int (Random.int 3))
  | _ -> Z.sub (Z.extract (Z.abs (any ())) 0 63) (power 62)

(* --- comparisons: mapped and plain give the same, or the mapped one raises where `raises` says so *)

let check ?(raises = fun _ -> false) name arguments mapped plain =
  let show = function Some x -> x | None -> "an exception" in
  let mapped = match mapped arguments with
    | x -> Some x
    | exception (Invalid_argument _ | Z.Overflow) -> None in
  let expected = if raises arguments then None else Some (plain arguments) in
  if mapped = expected then incr passed
  else begin
    incr failed;
    Printf.printf "FAILED  %s %s: %s, in Coq %s\n" name (String.concat " " (List.map Z.to_string arguments)) (show mapped) (show expected)
  end

let text = Z.to_string
let unary f = function [ x ] -> f x | _ -> assert false
let binary f = function [ x; y ] -> f x y | _ -> assert false
let ternary f = function [ x; y; z ] -> f x y z | _ -> assert false
let couple to_value = function None -> "none" | Some (b, p) -> Printf.sprintf "%b %s" b (text (to_value p))

let round () =
  let z2 name m p =
    check name [ any (); any () ] (binary (fun x y -> text (m x y))) (binary (fun x y -> text (value (p (plain x) (plain y))))) in
  let z2_bool name m p =
    let x = any () in
    let y = if Random.int 4 = 0 then x else any () in
    check name [ x; y ] (binary (fun x y -> string_of_bool (m x y))) (binary (fun x y -> string_of_bool (p (plain x) (plain y)))) in
  z2 "Z.add" M.z_add P.z_add; z2 "Z.sub" M.z_sub P.z_sub; z2 "Z.mul" M.z_mul P.z_mul; z2 "Z.min" M.z_min P.z_min;
  z2 "Z.max" M.z_max P.z_max; z2_bool "Z.eqb" M.z_eqb P.z_eqb; z2_bool "Z.leb" M.z_leb P.z_leb;
  z2_bool "Z.ltb" M.z_ltb P.z_ltb;
  check "Z.opp" [ any () ] (unary (fun x -> text (M.z_opp x))) (unary (fun x -> text (value (P.z_opp (plain x)))));
  let not_positive = binary (fun _ y -> Z.sign y <= 0) in
  let division name m p =
    check ~raises:not_positive name [ any (); any () ] (binary (fun x y -> text (m x y)))
      (binary (fun x y -> text (value (p (plain x) (plain y))))) in
  division "Z.modulo" M.z_modulo P.z_modulo; division "quick_mod" M.z_quick_mod P.z_quick_mod;
  division "Z.div" M.z_div P.z_div;
  check ~raises:(binary (fun _ k -> Z.sign k < 0)) "Z.shiftr" [ any (); Z.sub (natural ()) Z.one ]
    (binary (fun x k -> text (M.z_shiftr x k))) (binary (fun x k -> text (value (P.z_shiftr (plain x) (plain k)))));
  check "Z.of_nat" [ natural () ] (unary (fun n -> text (M.z_of_nat n))) (unary (fun n -> text (value (P.z_of_nat (plain_nat n)))));
  check "Z.to_pos" [ any () ] (unary (fun x -> text (M.z_to_pos x))) (unary (fun x -> text (value_pos (P.z_to_pos (plain x)))));
  let p = positive () in
  let q = if Random.int 4 = 0 then p else positive () in
  check "Pos.mul" [ p; q ] (binary (fun x y -> text (M.pos_mul x y)))
    (binary (fun x y -> text (value_pos (P.pos_mul (plain_pos x) (plain_pos y)))));
  check "Pos.eqb" [ p; q ] (binary (fun x y -> string_of_bool (M.pos_eqb x y)))
    (binary (fun x y -> string_of_bool (P.pos_eqb (plain_pos x) (plain_pos y))));
  let nat2 name m p =
    check name [ natural (); natural () ] (binary (fun x y -> text (m x y)))
      (binary (fun x y -> text (value_nat (p (plain_nat x) (plain_nat y))))) in
  nat2 "Nat.add" M.nat_add P.nat_add; nat2 "Nat.mul" M.nat_mul P.nat_mul; nat2 "Nat.sub" M.nat_sub P.nat_sub;
  let n = natural () in
  let m = if Random.bool () then n else natural () in
  check "eqn" [ n; m ] (binary (fun x y -> string_of_bool (M.nat_eqn x y)))
    (binary (fun x y -> string_of_bool (P.nat_eqn (plain_nat x) (plain_nat y))));
  let nat1 name m p = check name [ n ] (unary (fun x -> text (m x))) (unary (fun x -> text (value_nat (p (plain_nat x))))) in
  nat1 "Nat.pred" M.nat_pred P.nat_pred; nat1 "S" M.nat_succ P.nat_succ;
  check "O" [] (fun _ -> text M.nat_zero) (fun _ -> text (value_nat P.nat_zero));
  check "match nat" [ n ] (unary (fun x -> match M.nat_match x with None -> "none" | Some k -> text k))
    (unary (fun x -> match P.nat_match (plain_nat x) with None -> "none" | Some k -> text (value_nat k)));
  let pos1 name m p = check name [ positive () ] (unary (fun x -> m x)) (unary (fun x -> p (plain_pos x))) in
  pos1 "xO" (fun x -> text (M.pos_double x)) (fun x -> text (value_pos (P.pos_double x)));
  pos1 "xI" (fun x -> text (M.pos_double_succ x)) (fun x -> text (value_pos (P.pos_double_succ x)));
  pos1 "Zpos" (fun x -> text (M.z_positive x)) (fun x -> text (value (P.z_positive x)));
  pos1 "Zneg" (fun x -> text (M.z_negative x)) (fun x -> text (value (P.z_negative x)));
  pos1 "match positive" (fun x -> couple Fun.id (M.pos_match x)) (fun x -> couple value_pos (P.pos_match x));
  check "xH" [] (fun _ -> text M.pos_one) (fun _ -> text (value_pos P.pos_one));
  check "Z0" [] (fun _ -> text M.z_zero) (fun _ -> text (value P.z_zero));
  check "match Z" [ any () ] (unary (fun x -> couple Fun.id (M.z_match x))) (unary (fun x -> couple value_pos (P.z_match (plain x))));
  (* words: equal modulo 2^63 in all results; what is no word is refused when it is made *)
  let w = word () and v = word () and u = word () in
  let no_word x = not (Z.fits_int x) in
  let large = if Random.bool () then any () else word () in
  check ~raises:(unary no_word) "ofZ, toZ" [ large ] (unary (fun x -> text (M.word_of x))) (unary (fun x -> text (value (P.word_of (plain x)))));
  check ~raises:(unary no_word) "Word" [ large ] (unary (fun x -> text (M.word_made x))) (unary (fun x -> text (value (P.word_made (plain x)))));
  let word1 name m p = check name [ w ] (unary (fun x -> text (m x))) (unary (fun x -> text (value (p (plain x))))) in
  word1 "match word" M.word_match P.word_match; word1 "halved" M.word_halved P.word_halved;
  let word1_bool name m p =
    check name [ (if Random.int 3 = 0 then natural () else w) ] (unary (fun x -> string_of_bool (m x)))
      (unary (fun x -> string_of_bool (p (plain x)))) in
  word1_bool "is_odd" M.word_is_odd P.word_is_odd; word1_bool "is_zero" M.word_is_zero P.word_is_zero;
  word1_bool "is_one" M.word_is_one P.word_is_one;
  let word2 name m p =
    check name [ w; (if Random.int 3 = 0 then natural () else v) ] (binary (fun x y -> text (m x y)))
      (binary (fun x y -> text (value (p (plain x) (plain y))))) in
  word2 "sub" M.word_sub P.word_sub; word2 "rem" M.word_rem P.word_rem;
  (* rows: k pivot rows, each shorter by one, in a row of n entries; a pivot row of another length is refused *)
  let n = 1 + Random.int 12 in
  let k = Random.int (n + 1) in
  let wrong = if k > 0 && Random.int 4 = 0 then Random.int k else -1 in
  let p = if Random.int 5 = 0 then word () else Z.of_int (2 + Random.int 8388606) in
  let entry () = if Random.int 5 = 0 then word () else Z.of_int (Random.int 8388608) in
  let row = List.init n (fun _ -> entry ()) in
  let us = List.init k (fun j -> List.init (n - j - 1 + if j = wrong then 1 else 0) (fun _ -> entry ())) in
  check ~raises:(fun _ -> wrong >= 0) "row, reduce_rows" (p :: List.concat (row :: us))
    (fun _ -> String.concat " " (List.map text (M.rows_reduced p us row)))
    (fun _ ->
      String.concat " "
        (List.map (fun x -> text (value x)) (P.rows_reduced (plain p) (List.map (List.map plain) us) (List.map plain row))));
  check "size" row (fun row -> text (M.size_of row)) (fun row -> text (value_nat (P.size_of (List.map plain row))));
  let at = Z.of_int (Random.int (List.length row + 3)) in
  check "nth" (any () :: at :: row) (function x :: at :: row -> text (M.nth_of x row at) | _ -> assert false)
    (function x :: at :: row -> text (value (P.nth_of (plain x) (List.map plain row) (plain_nat at))) | _ -> assert false);
  check "two_power" [ natural () ] (unary (fun k -> text (M.power_of_two k)))
    (unary (fun k -> text (value_pos (P.power_of_two (plain_nat k)))));
  check "muladd" [ w; v; u ] (ternary (fun x c y -> text (M.word_muladd x c y)))
    (ternary (fun x c y -> text (value (P.word_muladd (plain x) (plain c) (plain y)))))

let () =
  Random.init 1;
  for _ = 1 to 2000 do round () done;
  Printf.printf "%d passed, %d failed\n" !passed !failed;
  exit (if !failed = 0 then 0 else 1)
