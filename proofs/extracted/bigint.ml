(* Zarith, and OCaml's integers of 63 bits, under names that extraction does not use. *)
include Z
type word = int
let () = if Sys.int_size <> 63 then failwith "a 64-bit machine is needed: words have 63 bits"
