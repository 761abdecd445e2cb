(* Expressions over quantities and comparisons of them: the propositions that       *)
(* statements and theorem schemas are made of, as data.                             *)
(*                                                                                  *)
(*   expr Q, comparison Q == over quantities of the type Q                          *)
(*   value v e, meaning v p == of an expression, of a comparison, v the numbers     *)
From Coq Require Import ZArith.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

Inductive expr (Q : Type) :=
  | Const (z : Z) | Qty (q : Q)
  | Add (a b : expr Q) | Sub (a b : expr Q) | Mul (a b : expr Q) | Div (a b : expr Q)
  | Min (a b : expr Q) | Max (a b : expr Q).
Arguments Const {Q} z.

Inductive comparison (Q : Type) :=
  | AtLeast (a b : expr Q) | AtMost (a b : expr Q) | Equal (a b : expr Q)
  | Both (p q : comparison Q)
  | Decided (a : expr Q).  (* a question for a number: no proposition, but the bounds agree *)

Section Values.
Variables (Q : Type) (v : Q -> Z).

Fixpoint value (e : expr Q) : Z :=
  match e with
  | Const z => z
  | Qty q => v q
  | Add a b => value a + value b
  | Sub a b => value a - value b
  | Mul a b => value a * value b
  | Div a b => value a / value b
  | Min a b => Z.min (value a) (value b)
  | Max a b => Z.max (value a) (value b)
  end.

Fixpoint meaning (p : comparison Q) : Prop :=
  match p with
  | AtLeast a b => value b <= value a
  | AtMost a b => value a <= value b
  | Equal a b => value a = value b
  | Both p q => meaning p /\ meaning q
  | Decided _ => True
  end.

End Values.
