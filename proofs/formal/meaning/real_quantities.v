(* The proved checker, quantities that are about real numbers and not ranks over a   *)
(* field: their meaning.                                                             *)
(*                                                                                   *)
(*   attention R D t h == the softmax coefficients of head h at example t              *)
(*     means R D t h == the mean of the tokens with these coefficients                *)
(*        attention_Z R D == Z of the case's layer                                    *)
(*         saturated == pairs of example and head with a coefficient above the number  *)
(*                      of the claim                                                  *)
(*    numerical_rank == singular values of attention_Z above it                            *)
(*    scores_of R D z t == what the whole layer puts out whose heads have the means z *)
(*  accurate_from z, accurate == examples that it gets right; that the case's gets right *)
From Attest Require Import integers attention singular_values literals problem claims.

Local Notation Z := BinNums.Z.

Section Meaning.
Variables (R : realType) (D : problem) (c : arguments).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).

Definition real_logits (t : 'I_T) (h : 'I_H) : 'cV[R]_n :=
  if given D is Some L then logits R L t h else 0.

Definition attention (t : 'I_T) (h : 'I_H) : 'cV[R]_n := softmax (factor R D false *: real_logits t h).
Definition means (t : 'I_T) (h : 'I_H) : 'rV[R]_d := (attention t h)^T *m E t.
Definition attention_Z : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_h means t h).

(* the threshold, the tolerance, or epsilon                                          *)
Definition level : R := toF R (Zpos (epsilon_num c)) / toF R (Zpos (epsilon_den c)).

(* --- saturation *)
Definition counted (h : nat) : bool := if only_head c is Some k then h == k else true.

Definition saturated : nat :=
  (\sum_(t < T) \sum_(h < H) `[< counted h /\ exists i, (level < attention t h i 0)%R >])%N.

(* --- numerical rank *)
Definition numerical_rank : nat := singular_count attention_Z level.

(* --- accuracy *)
Section Scores.
Variable z : 'I_T -> 'I_H -> 'rV[R]_d.

Definition scores_of (t : 'I_T) : 'rV[R]_(d_out D) :=
  if around D is Some w then
    let head (h : 'I_H) : 'rV[R]_(output_width w) :=
      (z t h *m mx R d (value_width w) (q_value w) (nth [::] (value_weights w) h)
        + row h (mx R H (value_width w) (q_value_bias w) (value_bias w)))
      *m mx R (value_width w) (output_width w) (q_output w) (nth [::] (output_weights w) h) in
    (\sum_h head h + mx R 1 (output_width w) (q_output_shift w) [:: output_shift w]
      + row t (mx R T (output_width w) (q_skip w) (skip_rows w)))
      *m mx R (output_width w) (d_out D) (q_readout w) (readout_weights w)
    + mx R 1 (d_out D) (q_readout_shift w) [:: readout_shift w]
  else 0.

(* of a class; a single score is that of class 1, against 0                          *)
Definition score_of (t : 'I_T) (o : nat) : R :=
  if d_out D == 1%N then (if o == 1%N then [seq scores_of t 0 j | j <- enum 'I_(d_out D)]`_0 else 0)
  else [seq scores_of t 0 j | j <- enum 'I_(d_out D)]`_o.
Definition number_of_classes : nat := if d_out D == 1%N then 2%N else d_out D.

Definition is_right (t : 'I_T) : Prop :=
  if classes c is Some k then
    forall o, (o < number_of_classes)%N -> o != nth 0%N k t -> score_of t o < score_of t (nth 0%N k t)
  else forall o : 'I_(d_out D),
    `|scores_of t 0 o - toF R (ent (labels D) t o) / toF R (Zpos (q_labels D))| <= level.

Definition accurate_from : nat := (\sum_(t < T) `[< is_right t >])%N.

End Scores.

Definition accurate : nat := accurate_from means.

End Meaning.
Arguments attention : clear implicits.
Arguments means : clear implicits.
Arguments scores_of : clear implicits.
Arguments score_of : clear implicits.
Arguments is_right : clear implicits.
Arguments accurate_from : clear implicits.
