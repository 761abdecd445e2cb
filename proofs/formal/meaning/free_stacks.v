(* Layers before the layer, weights of all of which are free (layers_before = "free"): all of them are attention, of as     *)
(* many heads and as large d_h as those that are written down.                                                             *)
(*                                                                                                                         *)
(*             free_head d w == a key and a query (d x w) and a value (d x d)                                              *)
(*        entering_free W bs x == what enters the layer behind bs, head k of layer l having the weights W l k              *)
(*                    free_Z W P == Z with these, and the weights P of the layer                                           *)
(*               free_capacity S == its largest rank over all weights of all layers                                        *)
(*      numbers_behind_free R S c == the values of the quantities of statements                                            *)
From Attest Require Import integers attention problem quantities statements other_layers stack_quantities.

Local Notation Z := BinNums.Z.

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

Definition numbers_behind_free (c : claim) (q : quantity) : Z :=
  if q is Capacity then Z.of_nat free_capacity else numbers_behind R S c q.

End Meaning.
