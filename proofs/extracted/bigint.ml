(* Zarith, and OCaml's integers of 63 bits, under names that extraction does not use. *)
include Z
type word = int
