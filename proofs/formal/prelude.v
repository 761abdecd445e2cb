(* What every file about the paper starts with: Mathematical Components, the reals *)
(* of mathcomp-analysis, and how arguments and numerals are read.                  *)
(*                                                                                 *)
(*      ring_scope == numerals and operations are those of rings, "x%N" of nat      *)
From mathcomp Require Export all_ssreflect all_algebra.
From mathcomp Require Export boolp reals signed topology normedtype sequences exp.

#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Unset Printing Implicit Defensive.
Export Order.TTheory GRing.Theory Num.Theory.
Open Scope ring_scope.
