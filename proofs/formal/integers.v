(* What every file about the proved checker starts with: the prelude, and the      *)
(* integers of Coq's library, which vm_compute and extracted programs are fast at.  *)
(*                                                                                 *)
(*      "x%coqZ" == in the scope of these integers, Z                               *)
From Coq Require Export ZArith List Lia.
From Attest Require Export prelude.
From mathcomp Require Export ring.
From mathcomp.zify Require Export ssrZ.

Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Open Scope ring_scope.
