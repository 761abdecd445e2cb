(* The proved checker, problems: the literal data of a case, and what they mean   *)
(* over the reals with the definitions of attention.v.                            *)
(*                                                                                *)
(*       problem == sizes, base, scale, contexts, queries, given weights            *)
(*         layer == key and query weights with biases, or combined weights          *)
(*  given_Z R D L a == Z (Eq. 7) of the layer L; a: the scale is in the weights     *)
(*       largest N P == the largest k <= N with P k                                *)
(*   capacity, rank_any, least_rank == the quantities of docs/certificate.md        *)
From Attest Require Import integers attention literals.

Local Notation Z := BinNums.Z.

Inductive scale := Rational (a : Z) (q : positive) | InverseRoot (m : positive).

(* projected queries and keys, which logits are the products of                    *)
Record projection := Projection {
  projected_width : nat;
  q_projected_queries : positive; projected_queries : seq (seq (seq Z));     (* T x H x m *)
  q_projected_keys : positive; projected_keys : seq (seq (seq (seq Z)))      (* T x H x (n x m) *)
}.

(* integers over common denominators; empty lists stand for biases that are not there *)
Inductive layer :=
  | Factors (m : nat)                                       (* key and query: H x (d x m) *)
      (qk : positive) (key : seq (seq (seq Z)))
      (qq : positive) (query : seq (seq (seq Z)))
      (qkb : positive) (key_bias : seq (seq Z))             (* H x m *)
      (qqb : positive) (query_bias : seq (seq Z))
  | Combined (qw : positive) (combined : seq (seq (seq Z))) (* H x (d x d) *)
  | Projected (p : projection).                            (* of these examples only *)

(* what the heads go through (docs/case-files.md, the whole layer); what is missing *)
(* in a case is an identity or 0                                                   *)
Record whole := Whole {
  value_width : nat; output_width : nat;
  q_value : positive; value_weights : seq (seq (seq Z));           (* H x (d x value_width) *)
  q_value_bias : positive; value_bias : seq (seq Z);               (* H x value_width *)
  q_output : positive; output_weights : seq (seq (seq Z));         (* H x (value_width x output_width) *)
  q_output_shift : positive; output_shift : seq Z;
  q_skip : positive; skip_rows : seq (seq Z);                      (* T x output_width *)
  q_readout : positive; readout_weights : seq (seq Z);             (* output_width x d_out *)
  q_readout_shift : positive; readout_shift : seq Z
}.

Record problem := Problem {
  T : nat; H : nat; n : nat; d : nat; d_h : nat; d_v : nat; d_out : nat;
  base_two : bool; logit_scale : scale;
  q_contexts : positive; context_rows : nat -> seq (seq Z);  (* of each example, n x d *)
  q_queries : positive; queries : seq (seq Z);          (* T x d *)
  given : option layer;
  q_labels : positive; labels : seq (seq Z);            (* T x d_out; empty where the case has none *)
  around : option whole
}.

(* of example t, and of all examples                                            *)
Definition context_at (D : problem) (t : nat) : seq (seq Z) := if (t < T D)%N then context_rows D t else [::].
Definition contexts (D : problem) : seq (seq (seq Z)) := [seq context_at D t | t <- iota 0 (T D)].

(* the largest k <= N with P k                                                  *)
Definition largest (N : nat) (P : nat -> Prop) : nat := \max_(k < N.+1 | `[< P k >]) k.

(* -------------------------------------------------------------------------- *)
(* Meaning                                                                     *)
(* -------------------------------------------------------------------------- *)
Section Meaning.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).

Definition E : 'I_T -> 'M[R]_(n, d) := fun t => mx R n d (q_contexts D) (context_at D t).
Definition e : 'I_T -> 'cV[R]_d := query_vec R d (q_queries D) (queries D).

Definition scale_value : R :=
  match logit_scale D with
  | Rational a q => toF R a / toF R (Zpos q)
  | InverseRoot m => (Num.sqrt (toF R (Zpos m)))^-1
  end.

(* what multiplies the logits in the exponential function                       *)
Definition factor (absorbed : bool) : R :=
  (if base_two D then ln 2%:R else 1) * (if absorbed then 1 else scale_value).

Definition literal h w (q : positive) (M : seq (seq (seq Z))) (k : 'I_H) : 'M[R]_(h, w) :=
  mx R h w q (nth [::] M k).
Definition literal_bias m (q : positive) (M : seq (seq Z)) (k : 'I_H) : 'cV[R]_m :=
  (row k (mx R H m q M))^T.

Definition logits (L : layer) (t : 'I_T) (h : 'I_H) : 'cV[R]_n :=
  match L with
  | Factors m qk K qq Q qkb bK qqb bQ =>
    (E t *m literal d m qk K h + const_mx 1 *m (literal_bias m qkb bK h)^T)
      *m ((literal d m qq Q h)^T *m e t + literal_bias m qqb bQ h)
  | Combined q W => E t *m literal d d q W h *m e t
  | Projected p =>
    mx R n (projected_width p) (q_projected_keys p) (nth [::] (nth [::] (projected_keys p) t) h)
      *m (row h (mx R H (projected_width p) (q_projected_queries p) (nth [::] (projected_queries p) t)))^T
  end.

Definition given_coefs (L : layer) (absorbed : bool) (t : 'I_T) : 'M[R]_(H, n) :=
  \matrix_h (softmax (factor absorbed *: logits L t h))^T.

(* Z (Eq. 7): row t is [z_1 ... z_H], z_h = E_t^T softmax (factor * logits)      *)
Definition given_Z (L : layer) (absorbed : bool) : 'M[R]_(T, H * d) :=
  \matrix_t (stack (fun h => (E t)^T *m softmax (factor absorbed *: logits L t h)))^T.

(* the largest rank over all weights of the shape                               *)
Definition capacity : nat := largest (minn T (H * d))
  (fun k => exists P : weights R H d (d_h D) 0 0 0, (k <= \rank (attention.Z E e P))%N).

(* over all choices of coefficients                                             *)
Definition rank_any : nat := largest (minn T (H * d))
  (fun k => exists A : 'I_T -> 'M[R]_(H, n),
    [/\ forall t, sum1 (A t), forall t h i, 0 <= A t h i & (k <= \rank (attn_out A E))%N]).

(* the least rank of a member of a family                                        *)
Definition least_rank k (C : 'I_k -> 'M[R]_(n, d)) : nat :=
  foldr minn (minn n d) [seq \rank (C i) | i <- enum 'I_k].

End Meaning.
Arguments E : clear implicits.
Arguments e : clear implicits.

