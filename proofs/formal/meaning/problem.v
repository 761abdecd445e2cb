(* The proved checker, problems: the literal data of a case, and what they mean over the reals with the *)
(* definitions of attention.v; integers and lists of lists of them as numbers and matrices; parts of a  *)
(* problem, which are the same contexts and queries with another number of heads, or some of the        *)
(* examples only.                                                                                       *)
(*                                                                                                      *)
(*               toF F z, ent M i j == an integer in a field, an entry of a list of lists               *)
(*                     mx F m n q M == the matrix with the entries of M over q                          *)
(*                        query_vec == queries as columns                                               *)
(*                          dot a b == the scalar product of lists                                      *)
(*                          problem == sizes, base, scale, contexts, queries, given weights             *)
(*                            layer == key and query weights with biases, or combined weights           *)
(*                  given_Z R D L a == Z (Eq. 7) of the layer L; a: the scale is in the weights         *)
(*                      largest N P == the largest k <= N with P k                                      *)
(*   capacity, rank_any, least_rank == the quantities of docs/certificate.md                            *)
(*                      part_of D p == the problem of the part p; no weights, no labels                 *)
(*                 largest_rank R D == the largest rank of Z over all weights and numbers of heads      *)
From Attest Require Import integers attention.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Integers, and lists of lists of them, over a field                           *)
(* ============================================================================ *)

Definition toF (F : numFieldType) (z : Z) : F := (int_of_Z z)%:~R.

Definition ent (M : seq (seq Z)) i j : Z := nth 0%coqZ (nth [::] M i) j.

(* the matrix with the entries of M over the common denominator q              *)
Definition mx (F : numFieldType) m n (q : positive) (M : seq (seq Z)) : 'M[F]_(m, n) :=
  \matrix_(i, j) (toF F (ent M i j) / toF F (Zpos q)).

(* queries                                                                     *)
Definition query_vec (F : numFieldType) T d (q : positive) (e : seq (seq Z))
  (t : 'I_T) : 'cV[F]_d := (row t (mx F T d q e))^T.

Fixpoint dot (a b : seq Z) : Z :=
  if a is x :: a' then if b is y :: b' then (x * y + dot a' b')%coqZ else 0%coqZ
  else 0%coqZ.

(* ============================================================================ *)
(* Problems                                                                     *)
(* ============================================================================ *)

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

(* ============================================================================ *)
(* Parts of a problem                                                           *)
(* ============================================================================ *)

Record part := Part { part_heads : nat; part_examples : seq nat }.

Definition part_of (D : problem) (p : part) : problem :=
  Problem (size (part_examples p)) (part_heads p) (n D) (d D) (d_h D) (d_v D) (d_out D) (base_two D) (logit_scale D)
    (q_contexts D) (fun k => context_at D (nth 0%N (part_examples p) k))
    (q_queries D) [seq nth [::] (queries D) t | t <- part_examples p] None (q_labels D) [::] None.

Definition largest_rank (R : realType) (D : problem) : nat := largest (T D)
  (fun k => exists H (P : weights R H (d D) (d_h D) 0 0 0), (k <= \rank (attention.Z (E R D) (e R D) P))%N).
