(* Coefficients of attention that are no softmax: with a sink, and sigmoid ones           *)
(* (docs/mathematics.md, Other coefficients).                                             *)
(*                                                                                        *)
(* coefficient_kind == softmax; with the logits of sinks, one for each head; sigmoid        *)
(*  sink_softmax s l, sigmoid l == one more term exp s in the denominator; 1/(1 + exp(-l_i)) *)
(*  coefs_of R D k L a t == row h: the coefficients of head h at example t                 *)
From Attest Require Import integers attention literals problem.

Local Notation Z := BinNums.Z.

(* over a common denominator; not scaled *)
Inductive coefficient_kind := Softmax | Sinks (q : positive) (logits_of_sinks : seq Z) | Sigmoid.

Section Meaning.
Variable R : realType.

Definition sink_softmax n (s : R) (l : 'cV[R]_n) : 'cV[R]_n := \col_i (expR (l i 0) / (\sum_j expR (l j 0) + expR s)).
Definition sigmoid n (l : 'cV[R]_n) : 'cV[R]_n := \col_i (1 + expR (- l i 0))^-1.

Variables (D : problem) (k : coefficient_kind).

Definition sink_logit (h : nat) : R :=
  if k is Sinks q s then (if base_two D then ln 2%:R else 1) * (toF R (nth 0%coqZ s h) / toF R (Zpos q)) else 0.

Definition head_coefficients (L : layer) (a : bool) (t : 'I_(T D)) (h : 'I_(H D)) : 'cV[R]_(n D) :=
  let l := factor R D a *: logits R L t h in
  match k with Softmax => softmax l | Sinks _ _ => sink_softmax (sink_logit h) l | Sigmoid => sigmoid l end.

Definition coefs_of (L : layer) (a : bool) (t : 'I_(T D)) : 'M[R]_(H D, n D) := \matrix_h (head_coefficients L a t h)^T.

End Meaning.
