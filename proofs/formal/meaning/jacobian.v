(* The Jacobian of a layer's outputs with respect to all of its keys, queries and     *)
(* read-outs, for the literal data of a problem (docs/mathematics.md, The Jacobian).   *)
(*                                                                                   *)
(*    parameter D m == one entry of a key, of a query or of a read-out of a head       *)
(*        outputs w == f_t = sum_h U_h^T z_{t,h}, the parameters being w               *)
(*      partial w t o k == the derivative of output o of example t by the parameter k   *)
(*     derivatives both w == the matrix J of these; not both: queries stay as they are   *)
(*    rank_J R D L a u == its rank at the weights of the layer L, u the read-out         *)
(*     functional_dimension R D == its largest rank over all weights of the shape       *)
(*     exponent_matrix R D == the products of differences of two tokens and the query     *)
From Attest Require Import integers attention literals problem.
From mathcomp Require Import derive.
Import numFieldNormedType.Exports.

Local Notation Z := BinNums.Z.

Definition parameter (D : problem) (m : nat) : finType :=
  [finType of 'I_(H D) * ('I_(d D) * 'I_m + 'I_(d D) * 'I_m + 'I_(d D) * 'I_(d_out D))].

Section Meaning.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation d_out := (d_out D).
Local Notation E := (E R D).
Local Notation e := (e R D).

Section Layer.
(* what multiplies the logits in the exponential function, and biases of keys and queries, which are no parameters *)
Variables (m : nat) (s : R) (bK bQ : 'I_H -> 'cV[R]_m).
Implicit Type w : parameter D m -> R.

Definition key_of w (h : 'I_H) : 'M[R]_(d, m) := \matrix_(j, k) w (h, inl (inl (j, k))).
Definition query_of w (h : 'I_H) : 'M[R]_(d, m) := \matrix_(j, k) w (h, inl (inr (j, k))).
Definition readout_of w (h : 'I_H) : 'M[R]_(d, d_out) := \matrix_(j, o) w (h, inr (j, o)).

Definition logits_at w (t : 'I_T) (h : 'I_H) : 'cV[R]_(n D) :=
  (E t *m key_of w h + const_mx 1 *m (bK h)^T) *m ((query_of w h)^T *m e t + bQ h).
Definition outputs w (t : 'I_T) : 'cV[R]_d_out :=
  \sum_h (readout_of w h)^T *m ((E t)^T *m softmax (s *: logits_at w t h)).

(* w with x added to the parameter k                                             *)
Definition moved w (k : parameter D m) (x : R) : parameter D m -> R := fun k' => w k' + x * (k' == k)%:R.
Definition partial w (t : 'I_T) (o : 'I_d_out) (k : parameter D m) : R :=
  derive1 (fun x => outputs (moved w k x) t o 0) 0.

Definition of_query (k : parameter D m) : bool := if k.2 is inl (inr _) then true else false.
Definition derivatives (both : bool) w : 'M[R]_(#|{: 'I_T * 'I_d_out}|, #|parameter D m|) :=
  \matrix_(i, k) if both || ~~ of_query (enum_val k)
                 then partial w (enum_val i).1 (enum_val i).2 (enum_val k) else 0.

Definition parameters (K Q : 'I_H -> 'M[R]_(d, m)) (U : 'I_H -> 'M[R]_(d, d_out)) : parameter D m -> R :=
  fun k => match k.2 with
  | inl (inl (j, l)) => K k.1 j l
  | inl (inr (j, l)) => Q k.1 j l
  | inr (j, o) => U k.1 j o
  end.

End Layer.

(* The read-out of a head: rows h d .. of integers that a certificate writes down, or W_V,h W_O,h R of the case. *)
Definition given_readout (u : option (seq (seq Z))) (h : 'I_H) : 'M[R]_(d, d_out) :=
  match u, around D with
  | Some U, _ => \matrix_(j, o) toF R (ent U (h * d + j) o)
  | None, Some w =>
    mx R d (value_width w) (q_value w) (nth [::] (value_weights w) h)
      *m (mx R (value_width w) (output_width w) (q_output w) (nth [::] (output_weights w) h)
        *m mx R (output_width w) d_out (q_readout w) (readout_weights w))
  | None, None => 0
  end.

(* Of combined weights W_h = K_h Q_h^T the keys are W_h, and Q_h = 1 is no parameter. *)
Definition rank_J (L : layer) (a : bool) (u : option (seq (seq Z))) : nat :=
  match L with
  | Factors m qk K qq Q qkb bK qqb bQ =>
    \rank (derivatives (factor R D a) (literal_bias R m qkb bK) (literal_bias R m qqb bQ) true
      (parameters (literal R d m qk K) (literal R d m qq Q) (given_readout u)))
  | Combined q W =>
    \rank (derivatives (m := d) (factor R D a) (fun=> 0) (fun=> 0) false
      (parameters (literal R d d q W) (fun=> 1%:M) (given_readout u)))
  | Projected _ => 0%N
  end.

Definition functional_dimension : nat := largest (minn (T * d_out) (H * d * (2 * d_h D + d_out)))
  (fun k => exists w : parameter D (d_h D) -> R, (k <= \rank (derivatives 1%R (fun=> 0%R) (fun=> 0%R) true w))%N).

Definition exponent_matrix : 'M[R]_(#|{: 'I_T * ('I_(n D) * 'I_(n D))}|, d * d) :=
  \matrix_k let: (t, (i, j)) := enum_val k in mxvec ((row i (E t) - row j (E t))^T *m (e t)^T).

End Meaning.
Arguments given_readout : clear implicits.
Arguments rank_J : clear implicits.
Arguments functional_dimension : clear implicits.
Arguments exponent_matrix : clear implicits.
