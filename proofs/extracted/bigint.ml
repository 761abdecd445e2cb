(* Zarith, and OCaml's integers of 63 bits, under names that extraction does not use. *)
include Z
type word = int
let () = if Sys.int_size <> 63 then failwith "a 64-bit machine is needed: words have 63 bits"

(* Zarith holds integers of 63 bits as OCaml's own.  For these, without a call of C: a quarter of the processor time of the
   shipped cases. *)
let is_word (x : t) = Obj.is_int (Obj.repr x)
let sign (x : t) = if is_word x then Stdlib.compare (Obj.magic x : int) 0 else Z.sign x
let equal (x : t) (y : t) = if is_word x || is_word y then x == y else Z.equal x y
