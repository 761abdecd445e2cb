(* The proved checker, problems: the literal data of a case, and what they mean   *)
(* over the reals with the definitions of attention.v.                            *)
(*                                                                                *)
(*       problem == sizes, base, scale, contexts, queries, given weights            *)
(*         layer == key and query weights with biases, or combined weights          *)
(*  given_Z R D L a == Z (Eq. 7) of the layer L; a: the scale is in the weights     *)
(*       largest N P == the largest k <= N with P k                                *)
(*   capacity, rank_any, least_rank == the quantities of docs/certificate.md        *)
(*  given_Z_factors, given_Z_biased, given_Z_combined == given_Z is the Z of        *)
(*                  attention.v, with the logits of biases.v where there are biases *)
From Coq Require Import ZArith List.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp Require Import ring.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention affine_hull biases.
From Attest Require Import literal_arithmetic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

Inductive scale := Rational (a : Z) (q : positive) | InverseRoot (m : positive).

(* integers over common denominators; empty lists stand for biases that are not there *)
Inductive layer :=
  | Factors (m : nat)                                       (* key and query: H x (d x m) *)
      (qk : positive) (key : seq (seq (seq Z)))
      (qq : positive) (query : seq (seq (seq Z)))
      (qkb : positive) (key_bias : seq (seq Z))             (* H x m *)
      (qqb : positive) (query_bias : seq (seq Z))
  | Combined (qw : positive) (combined : seq (seq (seq Z))). (* H x (d x d) *)

(* projected queries and keys, which logits are the products of                    *)
Record projection := Projection {
  projected_width : nat;
  q_projected_queries : positive; projected_queries : seq (seq (seq Z));     (* T x H x m *)
  q_projected_keys : positive; projected_keys : seq (seq (seq (seq Z)))      (* T x H x (n x m) *)
}.

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
  q_contexts : positive; contexts : seq (seq (seq Z));  (* T x (n x d) *)
  q_queries : positive; queries : seq (seq Z);          (* T x d *)
  given : option layer;
  q_labels : positive; labels : seq (seq Z);            (* T x d_out; empty where the case has none *)
  projected : option projection; around : option whole
}.

(* the largest k <= N with P k                                                  *)
Definition largest (N : nat) (P : nat -> Prop) : nat := \max_(k < N.+1 | `[< P k >]) k.

Lemma largest_geq N (P : nat -> Prop) k : (k <= N)%N -> P k -> (k <= largest N P)%N.
Proof.
move=> kN Pk; rewrite -ltnS in kN; apply: (@leq_trans (Ordinal kN)) => //.
by rewrite /largest (bigmax_sup (Ordinal kN)) //; apply/asboolP.
Qed.

Lemma largest_leq N (P : nat -> Prop) m : (forall k, P k -> k <= m)%N -> (largest N P <= m)%N.
Proof. by move=> Pm; apply/bigmax_leqP => k /asboolP; apply: Pm. Qed.

Lemma largest_leq_N N P : (largest N P <= N)%N.
Proof. by apply/bigmax_leqP => k _; rewrite -ltnS ltn_ord. Qed.

(* -------------------------------------------------------------------------- *)
(* Meaning                                                                     *)
(* -------------------------------------------------------------------------- *)
Section Meaning.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).

Definition E : 'I_T -> 'M[R]_(n, d) := context_mx R n d (q_contexts D) (contexts D).
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

Lemma given_Z_attn_out L a : given_Z L a = attn_out (given_coefs L a) E.
Proof.
apply/row_matrixP => t; rewrite !rowK trmxK; congr mxvec.
by apply/row_matrixP => h; rewrite row_mul !rowK trmx_mul trmxK.
Qed.

(* without biases: Z of attention.v for the layer whose key weights are scaled   *)
Lemma given_Z_factors m qk K qq Q a :
  given_Z (Factors m qk K qq Q 1 [::] 1 [::]) a =
  attention.Z E e (Weights (fun h => factor a *: literal d m qk K h) (literal d m qq Q) (fun=> 0) 0 0
    : weights R H d m 0 0 0).
Proof.
have b0 h : literal_bias m 1 [::] h = 0.
  by apply/colP => k; rewrite !mxE /ent nth_nil nth_nil rmorph0 mul0r.
apply/row_matrixP => t; rewrite !rowK; congr (stack _)^T; apply/funext => h.
rewrite /head_z /alpha /keys /query /logits !b0 /= addr0 trmx0 mulmx0 addr0.
by rewrite -scalemxAr -scalemxAl.
Qed.

(* with biases: the logits of biases.v                                           *)
Lemma given_Z_biased m qk K qq Q qkb bK qqb bQ a :
  given_Z (Factors m qk K qq Q qkb bK qqb bQ) a =
  \matrix_t (stack (fun h => (E t)^T *m softmax (factor a *:
    biased_logits (Weights (literal d m qk K) (literal d m qq Q) (fun=> 0) 0 0
      : weights R H d m 0 0 0) (literal_bias m qkb bK) (literal_bias m qqb bQ) (E t) (e t) h)))^T.
Proof. by []. Qed.

(* combined weights: Z as a function of W_h                                      *)
Lemma given_Z_combined q W a :
  given_Z (Combined q W) a = Zmx E e (fun h => factor a *: literal d d q W h).
Proof.
apply/row_matrixP => t; rewrite !rowK; congr (stack _)^T; apply/funext => h.
by rewrite /logits -scalemxAr -scalemxAl.
Qed.

End Meaning.
Arguments E : clear implicits.
Arguments e : clear implicits.

