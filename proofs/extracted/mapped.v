(* The constants and types that extract.v maps to OCaml, each under a name of its own.  Extracted once with the mappings
   (mapped.ml) and once without (plain.ml); test_mapped.ml compares the two on random and extreme arguments. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From Attest Require Import words elimination enclosures.
Require Import Extraction ExtrOcamlBasic.

Definition z_add := BinInt.Z.add.
Definition z_sub := BinInt.Z.sub.
Definition z_mul := BinInt.Z.mul.
Definition z_opp := BinInt.Z.opp.
Definition z_min := BinInt.Z.min.
Definition z_max := BinInt.Z.max.
Definition z_eqb := BinInt.Z.eqb.
Definition z_leb := BinInt.Z.leb.
Definition z_ltb := BinInt.Z.ltb.
Definition z_modulo := BinInt.Z.modulo.
Definition z_quick_mod := quick_mod.
Definition z_div := BinInt.Z.div.
Definition z_shiftr := BinInt.Z.shiftr.
Definition z_of_nat := BinInt.Z.of_nat.
Definition z_to_pos := BinInt.Z.to_pos.
Definition pos_mul := BinPos.Pos.mul.
Definition pos_eqb := BinPos.Pos.eqb.
Definition nat_add := Init.Nat.add.  (* addn is this, and so on; Nat.add is another constant *)
Definition nat_mul := Init.Nat.mul.
Definition nat_sub := Init.Nat.sub.
Definition nat_pred := Init.Nat.pred.
Definition nat_eqn := ssrnat.eqn.
Definition size_of (s : seq Z) := size s.
Definition nth_of (x : Z) (s : seq Z) n := nth x s n.
Definition power_of_two n := two_power n.

Definition nat_zero := 0.
Definition nat_succ n := n.+1.
Definition nat_match (n : nat) : option nat := if n is m.+1 then Some m else None.
Definition pos_one := xH.
Definition pos_double p := xO p.
Definition pos_double_succ p := xI p.
Definition pos_match (p : positive) : option (bool * positive) :=
  match p with xH => None | xO q => Some (false, q) | xI q => Some (true, q) end.
Definition z_zero := Z0.
Definition z_positive p := Zpos p.
Definition z_negative p := Zneg p.
Definition z_match (z : Z) : option (bool * positive) :=
  match z with Z0 => None | Zpos p => Some (false, p) | Zneg p => Some (true, p) end.

(* words by their values; the first of two functions that make one fails in OCaml where wrap changes the value *)
Definition word_of z := toZ (ofZ z).
Definition word_made z := toZ (Word z).
Definition word_match (z : Z) : Z := match ofZ z with Word x => x end.
Definition word_muladd x c y := toZ (muladd (ofZ x) (ofZ c) (ofZ y)).
Definition word_sub x y := toZ (words.sub (ofZ x) (ofZ y)).
Definition word_rem x p := toZ (words.rem (ofZ x) (ofZ p)).
Definition word_is_odd x := is_odd (ofZ x).
Definition word_halved x := toZ (halved (ofZ x)).
Definition word_is_zero x := is_zero (ofZ x).
Definition word_is_one x := is_one (ofZ x).

(* rows by the values of their words *)
Definition row_of (s : seq Z) : word_row := Row [seq ofZ x | x <- s].
Definition row_values (r : word_row) : seq Z := [seq toZ x | x <- unrow r].
Definition rows_reduced (p : Z) (us : seq (seq Z)) (s : seq Z) : seq Z :=
  row_values (reduce_rows (ofZ p) [seq row_of u | u <- us] (row_of s)).

Extraction "NAME.ml" z_add z_sub z_mul z_opp z_min z_max z_eqb z_leb z_ltb z_modulo z_quick_mod z_div z_shiftr z_of_nat z_to_pos
  pos_mul pos_eqb nat_add nat_mul nat_sub nat_pred nat_eqn size_of nth_of power_of_two nat_zero nat_succ nat_match pos_one pos_double pos_double_succ
  pos_match z_zero z_positive z_negative z_match word_of word_made word_match word_muladd word_sub word_rem word_is_odd
  word_halved word_is_zero word_is_one row_of row_values rows_reduced.
