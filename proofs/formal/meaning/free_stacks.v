(* Layers before the layer, weights of all of which are free (layers_before = "free"): all of them are attention, of as     *)
(* many heads and as large d_h as those that are written down.                                                              *)
(*                                                                                                                          *)
(*             free_head d w == a key and a query (d x w) and a value (d x d)                                               *)
(*        entering_free W bs x == what enters the layer behind bs, head k of layer l having the weights W l k               *)
(*                    free_Z W P == Z with these, and the weights P of the layer                                            *)
(*               free_capacity S == its largest rank over all weights of all layers                                         *)
(*                free_parameter == an entry of a key, of a query or of a value of head k of layer l, the first layer being *)
(*                                    0; of the layer behind all others, the values are its read-out                        *)
(*                   all_weights == weights of all layers, and the read-out                                                 *)
(*                free_outputs w == f_t = sum_h z_{t,h} U_h                                                                 *)
(*          free_partial w t o p == the derivative of output o of example t by the parameter p                              *)
(*                    free_J w p == the matrix J of these, for the parameters p 0, p 1, ...                                 *)
(*   free_functional_dimension S == its largest rank over all weights of all layers and finite lists of parameters          *)
(*      numbers_behind_free R S c == the values of the quantities of statements                                             *)
From Attest Require Import integers.
From mathcomp Require Import derive.
From Attest Require Import attention problem quantities statements other_layers stack_quantities.
Import numFieldNormedType.Exports.

Local Notation Z := BinNums.Z.

Inductive free_parameter := KeyAt (l k i j : nat) | QueryAt (l k i j : nat) | ValueAt (l k i j : nat).

Record free_head (R : realType) (d w : nat) := FreeHead {
  free_key : 'M[R]_(d, w); free_query : 'M[R]_(d, w); free_value : 'M[R]_d
}.

Section Meaning.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).

(* of each head, for its d_h *)
Definition free_weights : Type := nat -> forall w, free_head R d w.
Definition width_at (heads : seq earlier_head) (k : nat) : nat := nth 0%N [seq earlier_width g | g <- heads] k.

Definition after_free (W : free_weights) (b : earlier) (x : nat -> 'rV[R]_d) (i : nat) : 'rV[R]_d :=
  match b with
  | EarlierAttention residual lists heads =>
    let s := nth [::] lists i in
    kept_input residual (x i) + \sum_(k <- iota 0 (size heads)) let g := W k (width_at heads k) in
      softmax_mean x (stack_tokens x s *m (free_key g *m (free_query g)^T *m (x i)^T)) *m free_value g
  | _ => after_layer b x i
  end.

Fixpoint entering_free (W : nat -> free_weights) (bs : seq earlier) (x : nat -> 'rV[R]_d) : nat -> 'rV[R]_d :=
  if bs is b :: bs' then entering_free (fun l => W l.+1) bs' (after_free (W 0%N) b x) else x.

Definition free_Z (W : nat -> free_weights) (P : weights R H d (d_h D) 0 0 0) : 'M[R]_(T, H * d) :=
  let x := entering_free W (befores S) (given_vectors R S) in
  \matrix_t row ord0 (attention.Z (fun _ : 'I_1 => stack_tokens x (list_of t))
    (fun _ : 'I_1 => (x (nth 0%N (example_rows S) t))^T) P).
Definition free_capacity : nat := largest (minn T (H * d))
  (fun k => exists (W : nat -> free_weights) (P : weights R H d (d_h D) 0 0 0), (k <= \rank (free_Z W P))%N).

(* --- the Jacobian (docs/mathematics.md, Free layers) *)
Record all_weights := AllWeights {
  weights_before : nat -> free_weights;
  last_key : 'I_H -> 'M[R]_(d, d_h D); last_query : 'I_H -> 'M[R]_(d, d_h D); last_readout : 'I_H -> 'M[R]_(d, d_out D)
}.
Implicit Types (w : all_weights) (p : free_parameter).

Definition free_mean w (t : 'I_T) (h : 'I_H) : 'rV[R]_d :=
  let x := entering_free (weights_before w) (befores S) (given_vectors R S) in
  softmax_mean x (stack_tokens x (list_of t) *m (last_key w h *m (last_query w h)^T *m (x (nth 0%N (example_rows S) t))^T)).
Definition free_outputs w (t : 'I_T) : 'rV[R]_(d_out D) := \sum_h free_mean w t h *m last_readout w h.

(* what p adds to one of head k of layer l, when it grows by 1 *)
Definition entry_at (l k : nat) m n (at_p : nat * nat * nat * nat) : 'M[R]_(m, n) :=
  \matrix_(i, j) ((l, k, nat_of_ord i, nat_of_ord j) == at_p)%:R.
Definition unit_of_key p l k m n : 'M[R]_(m, n) := if p is KeyAt l' k' i j then entry_at l k m n (l', k', i, j) else 0.
Definition unit_of_query p l k m n : 'M[R]_(m, n) := if p is QueryAt l' k' i j then entry_at l k m n (l', k', i, j) else 0.
Definition unit_of_value p l k m n : 'M[R]_(m, n) := if p is ValueAt l' k' i j then entry_at l k m n (l', k', i, j) else 0.

(* w with x added to the parameter p *)
Definition moved_free w p (x : R) : all_weights :=
  let L := size (befores S) in
  AllWeights (fun l k v => let g := weights_before w l k v in
      FreeHead (free_key g + x *: unit_of_key p l k d v) (free_query g + x *: unit_of_query p l k d v)
        (free_value g + x *: unit_of_value p l k d d))
    (fun h => last_key w h + x *: unit_of_key p L h d (d_h D)) (fun h => last_query w h + x *: unit_of_query p L h d (d_h D))
    (fun h => last_readout w h + x *: unit_of_value p L h d (d_out D)).

Definition free_partial w (t : 'I_T) (o : 'I_(d_out D)) p : R := derive1 (fun x => free_outputs (moved_free w p x) t 0 o) 0.
Definition free_J w m (ps : 'I_m -> free_parameter) : 'M[R]_(#|{: 'I_T * 'I_(d_out D)}|, m) :=
  \matrix_(i, j) free_partial w (enum_val i).1 (enum_val i).2 (ps j).
Definition free_functional_dimension : nat := largest (T * d_out D)
  (fun k => exists w m (ps : 'I_m -> free_parameter), (k <= \rank (free_J w ps))%N).

Definition numbers_behind_free (c : claim) (q : quantity) : Z :=
  match q with
  | Capacity => Z.of_nat free_capacity
  | FunctionalDimension => Z.of_nat free_functional_dimension
  | _ => numbers_behind R S c q
  end.

End Meaning.
