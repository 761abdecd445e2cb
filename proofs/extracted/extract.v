(* Extraction of the proved checker to OCaml.  nat, positive and Z become Zarith's Bigint.t; *)
(* every mapping below is trusted to compute what the Coq constant computes.            *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From Attest Require Import words elimination enclosures bounds problem logits quantity_bounds.
From Attest Require Import literal_matrices paper_schemas statements tail blocks block_bounds other_layers query_biases.
From Attest Require Import moving_hulls cones readout jacobian_zeros stack_enclosures stack_entering free_jacobians check check_cones check_stack check_free.
Require Import Extraction.
Require Import ExtrOcamlBasic.

Extract Inductive nat => "Bigint.t" [ "Bigint.zero" "Bigint.succ" ]
  "(fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))".
Extract Inductive positive => "Bigint.t" [ "(fun p -> Bigint.succ (Bigint.shift_left p 1))" "(fun p -> Bigint.shift_left p 1)" "Bigint.one" ]
  "(fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))".
Extract Inductive Z => "Bigint.t" [ "Bigint.zero" "(fun p -> p)" "Bigint.neg" ]
  "(fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))".

(* Words of 63 bits, for which all results are computed modulo 2^63 in both languages; ofZ and Word raise an        *)
(* exception for integers that are no words.                                                                    *)
Extract Inductive word => "Bigint.word" [ "Bigint.to_int" ] "(fun f w -> f (Bigint.of_int w))".
Extract Constant toZ => "Bigint.of_int".
Extract Constant ofZ => "Bigint.to_int".
Extract Constant muladd => "(fun x c y -> x + c * y)".
Extract Constant words.sub => "(fun x y -> x - y)".
Extract Constant words.rem => "(fun x p -> if x < 0 || p <= 0 then 0 else x mod p)".
Extract Constant is_odd => "(fun x -> x land 1 = 1)".
Extract Constant halved => "(fun x -> x asr 1)".
Extract Constant is_zero => "(fun x -> x = 0)".
Extract Constant is_one => "(fun x -> x = 1)".

(* Rows of words are arrays that nothing changes; x.(j) .. is what is left of the row after j columns.  A row that is as *)
(* long as it must be is all that occurs; another is refused.                                                        *)
Extract Inductive word_row => "Bigint.word array" [ "Array.of_list" ] "(fun f r -> f (Array.to_list r))".
(* Four pivot rows at once: the entries of the row are read and written once for four products. *)
Extract Constant reduce_rows => "(fun p us r ->
  let x = Array.copy r in
  let factor y = let h = if y < 0 || p <= 0 then 0 else y mod p in if h = 0 then 0 else p - h in
  let fits j u = if Array.length u <> Array.length x - j - 1 then invalid_arg ""reduce_rows"" in
  let rec reduce j = function
    | [] -> Array.sub x j (Array.length x - j)
    | s :: t :: u :: v :: us ->
      fits j s; fits (j + 1) t; fits (j + 2) u; fits (j + 3) v;
      let a = factor x.(j) in
      let b = factor (x.(j + 1) + a * s.(0)) in
      let c = factor (x.(j + 2) + a * s.(1) + b * t.(0)) in
      let d = factor (x.(j + 3) + a * s.(2) + b * t.(1) + c * u.(0)) in
      for i = 0 to Array.length v - 1 do
        Array.unsafe_set x (j + 4 + i)
          (Array.unsafe_get x (j + 4 + i) + a * Array.unsafe_get s (i + 3) + b * Array.unsafe_get t (i + 2)
           + c * Array.unsafe_get u (i + 1) + d * Array.unsafe_get v i)
      done;
      reduce (j + 4) us
    | u :: us ->
      fits j u;
      let a = factor x.(j) in
      for i = 0 to Array.length u - 1 do
        Array.unsafe_set x (j + 1 + i) (Array.unsafe_get x (j + 1 + i) + a * Array.unsafe_get u i)
      done;
      reduce (j + 1) us in
  reduce 0 us)".

Extract Constant BinInt.Z.add => "Bigint.add".
Extract Constant BinInt.Z.sub => "Bigint.sub".
Extract Constant BinInt.Z.mul => "Bigint.mul".
Extract Constant BinInt.Z.opp => "Bigint.neg".
Extract Constant BinInt.Z.min => "Bigint.min".
Extract Constant BinInt.Z.max => "Bigint.max".
Extract Constant BinInt.Z.eqb => "Bigint.equal".
Extract Constant BinInt.Z.leb => "Bigint.leq".
Extract Constant BinInt.Z.ltb => "Bigint.lt".
(* for a positive divisor; no other occurs, as check divides by p, an order o and a denominator, *)
(* all of which are compared with 0 or 1 first or are positive by type                          *)
Extract Constant BinInt.Z.modulo =>
  "(fun a b -> if Bigint.sign b <= 0 then invalid_arg ""modulo"" else Bigint.erem a b)".
Extract Constant quick_mod =>
  "(fun a b -> if Bigint.sign b <= 0 then invalid_arg ""modulo"" else Bigint.erem a b)".
Extract Constant BinInt.Z.div =>
  "(fun a b -> if Bigint.sign b <= 0 then invalid_arg ""div"" else Bigint.ediv a b)".
(* rounds down, as Coq's; shifts are never negative *)
Extract Constant BinInt.Z.shiftr =>
  "(fun a k -> if Bigint.sign k < 0 then invalid_arg ""shiftr"" else Bigint.shift_right a (Bigint.to_int k))".
Extract Constant BinInt.Z.of_nat => "(fun n -> n)".
Extract Constant BinPos.Pos.mul => "Bigint.mul".
Extract Constant BinPos.Pos.eqb => "Bigint.equal".
Extract Constant BinInt.Z.to_pos => "(fun z -> if Bigint.sign z <= 0 then Bigint.one else z)".
Extract Constant Init.Nat.add => "Bigint.add".
Extract Constant Init.Nat.mul => "Bigint.mul".
Extract Constant Init.Nat.sub => "(fun a b -> Bigint.max Bigint.zero (Bigint.sub a b))".
Extract Constant Init.Nat.pred => "(fun a -> Bigint.max Bigint.zero (Bigint.pred a))".
Extract Constant ssrnat.eqn => "Bigint.equal".
Extract Constant seq.size => "(fun s -> Bigint.of_int (List.length s))".
Extract Constant seq.nth =>
  "(fun x0 s n -> let rec at k = function [] -> x0 | x :: s -> if k <= 0 then x else at (k - 1) s in at (Bigint.to_int n) s)".
Extract Constant two_power => "(fun k -> Bigint.shift_left Bigint.one (Bigint.to_int k))".

Extraction "proved.ml" check_after lasting about_given hypotheses conclusion conditions bounded raw_den scale_num scale_den literal_rows
  paper_conditions paper_bounded block_conditions block_bounded blocks_of lambda_layer run transcendence_degree
  with_lists kind_of_lists with_query_bias enclosed_part enclosed_minor_ok
  check_of_kind natural_of_kind kind_of_layer covered_kind cone_sound cone_block_sound copies_agree same_copies columns_number
  check_of_stack covered_stack stack_given natural_of_stack stack_of stack_theorem stack_minor_ok stack_apart_ok
  entering_queries_ok entering_contexts_ok stack_pairs_ok stack_scores_ok stack_spectrum_ok
  check_of_free covered_free natural_of_free with_weights bound_fact iv_stack_rows iv_free_J free_J_ok precision_of denominator.
