(* Layers before the layer, as they are given: what enters the layer, and what all weights of it can do.        *)
(*                                                                                                             *)
(*          own_row t, own_tokens t == the query of an example and its tokens, as they enter the layer         *)
(*   entering_query, entering_context == the same, mixed with the mean of the tokens (Proposition 4) or not     *)
(*                    stack_capacity == the largest rank of Z over all weights of the last layer               *)
(*               stack_memorizes_any == for all labels some weights of the last layer predict them exactly     *)
(*              numbers_behind R S c == the values of the quantities of statements                             *)
From Attest Require Import integers attention problem quantities statements other_layers.

Local Notation Z := BinNums.Z.

Section Meaning.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation x := (entering R S).

Definition own_row (t : 'I_T) : 'rV[R]_d := x (nth 0%N (example_rows S) t).
Definition own_tokens (t : 'I_T) : 'M[R]_(size (list_of t), d) := stack_tokens x (list_of t).

Definition entering_query (mixed : bool) (t : 'I_T) : 'cV[R]_d :=
  (own_row t)^T + (if mixed then mean_token (own_tokens t) else 0).
Definition entering_context (mixed : bool) (t : 'I_T) : 'M[R]_(size (list_of t), d) :=
  \matrix_i (row i (own_tokens t) + (if mixed then (mean_token (own_tokens t))^T else 0)).
Definition least_entering_rank (mixed : bool) : nat :=
  foldr minn (minn (n D) d) [seq \rank (entering_context mixed t) | t <- enum 'I_T].

Definition stack_capacity : nat := largest (minn T (H * d))
  (fun k => exists P : weights R H d (d_h D) 0 0 0, (k <= \rank (stack_Z_of P))%N).
Definition stack_memorizes_any : Prop := forall y : 'I_T -> 'cV[R]_(d_out D),
  exists P : weights R H d (d_h D) (d_v D) (d_out D) (d_out D), forall t, predict P (own_tokens t) (own_row t)^T = y t.

Definition number_behind (own : quantity -> Z) (c : claim) (q : quantity) : Z :=
  match q with
  | Heads => Z.of_nat H
  | Context => Z.of_nat (n D)
  | Dimension => Z.of_nat d
  | HeadDimension => Z.of_nat (d_h D)
  | ValueDimension => Z.of_nat (d_v D)
  | OutputDimension => Z.of_nat (d_out D)
  | LeastRank => Z.of_nat (minn (n D) (d_h D))
  | Kruskal mixed => Z.of_nat (kruskal_rank (entering_query mixed))
  | RankContexts => Z.of_nat (least_entering_rank false)
  | RankMixedContexts => Z.of_nat (least_entering_rank true)
  | Capacity => Z.of_nat stack_capacity
  | Truth MemorizesAll => Z.of_nat `[< stack_memorizes_any >]
  | _ => number_of_stack R S own c q
  end.

Definition numbers_behind (c : claim) : quantity -> Z := number_behind (fun=> 0%coqZ) c.

End Meaning.
