(* Coefficients of attention that are no softmax: with a sink, and sigmoid ones           *)
(* (docs/mathematics.md, Other coefficients).                                             *)
(*                                                                                        *)
(* coefficient_kind == softmax; with the logits of sinks, one for each head; sigmoid        *)
(*  sink_softmax s l, sigmoid l == one more term exp s in the denominator; 1/(1 + exp(-l_i)) *)
(*  coefs_of R D k L a t == row h: the coefficients of head h at example t                 *)
(*  any_of_kind, capacity_of_kind == the largest rank of Z over all coefficients that a kind *)
(*                 could have; over all weights of the shape and all logits of sinks        *)
(*  numbers_of_kind R D k c q == the value of a quantity for a layer with such coefficients *)
From Attest Require Import integers attention literals problem quantities statements.

Local Notation Z := BinNums.Z.

(* over a common denominator; not scaled *)
Inductive coefficient_kind := Softmax | Sinks (q : positive) (logits_of_sinks : seq Z) | Sigmoid.

Section Meaning.
Variable R : realType.

Definition sink_softmax n (s : R) (l : 'cV[R]_n) : 'cV[R]_n := \col_i (expR (l i 0) / (\sum_j expR (l j 0) + expR s)).
Definition sigmoid n (l : 'cV[R]_n) : 'cV[R]_n := \col_i (1 + expR (- l i 0))^-1.

(* of the logits l, with a sink of logit s *)
Definition coefs_at (k : coefficient_kind) n (s : R) (l : 'cV[R]_n) : 'cV[R]_n :=
  match k with Softmax => softmax l | Sinks _ _ => sink_softmax s l | Sigmoid => sigmoid l end.

(* numbers that could be coefficients of a head *)
Definition in_range (k : coefficient_kind) n (phi : 'rV[R]_n) : Prop := (forall i, 0 <= phi 0 i) /\
  match k with Softmax => \sum_i phi 0 i = 1 | Sinks _ _ => \sum_i phi 0 i <= 1 | Sigmoid => forall i, phi 0 i <= 1 end.

Variable D : problem.
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).

Definition sink_logit (k : coefficient_kind) (h : nat) : R :=
  if k is Sinks q s then (if base_two D then ln 2%:R else 1) * (toF R (nth 0%coqZ s h) / toF R (Zpos q)) else 0.

Definition head_coefficients (k : coefficient_kind) (L : layer) (a : bool) (t : 'I_T) (h : 'I_H) : 'cV[R]_n :=
  coefs_at k (sink_logit k h) (factor R D a *: logits R L t h).

Definition coefs_of (k : coefficient_kind) (L : layer) (a : bool) (t : 'I_T) : 'M[R]_(H, n) :=
  \matrix_h (head_coefficients k L a t h)^T.

Definition largest_of (P : ('I_T -> 'M[R]_(H, n)) -> Prop) : nat :=
  largest (minn T (H * d)) (fun r => exists2 A, P A & (r <= \rank (attn_out A E))%N).
Definition any_of_kind (k : coefficient_kind) : nat := largest_of (fun A => forall t h, in_range k (row h (A t))).
Definition capacity_of_kind (k : coefficient_kind) : nat := largest_of (fun A =>
  exists (s : 'I_H -> R) (P : weights R H d (d_h D) 0 0 0),
    forall t h, row h (A t) = (coefs_at k (s h) (E t *m (WK P h *m (WQ P h)^T) *m e t))^T).

(* as rank_blocks of quantities.v *)
Definition rank_blocks_of_kind (k : coefficient_kind) (c : claim) (L : layer) (a : bool) (b : blocks) : nat :=
  let A := coefs_of k L a in
  match b, head_of_claim D c, around D with
  | WithOnes false, _, _ => \rank (row_mx (attn_out A E) (ones_column R D))
  | WithOnes true, _, _ => \rank (row_mx (attn_out A E) (row_mx (ones_column R D) (label_matrix R D)))
  | OneHead false, Some h, _ => \rank (\matrix_t (row h (A t) *m E t))
  | OneHead true, Some h, Some w => \rank (\matrix_t (row h (A t) *m head_values R w h t))
  | AllOutputs, _, Some w => \rank (\matrix_t mxvec (\matrix_h (row h (A t) *m head_values R w h t)))
  | _, _, _ => 0%N
  end.

(* of layers whose kinds are given; a layer of a certificate has sinks of its own *)
Definition number_of_kind (layers : layer_name -> option (layer * bool)) (kind : layer_name -> coefficient_kind)
    (own : quantity -> Z) (c : claim) (q : quantity) : Z :=
  match q with
  | RankZ l => if layers l is Some (L, a) then Z.of_nat (\rank (attn_out (coefs_of (kind l) L a) E)) else 0%coqZ
  | DistinctOutputs =>
    if layers None is Some (L, a) then Z.of_nat (distinct_rows (attn_out (coefs_of (kind None) L a) E)) else 0%coqZ
  | RankBlocks b => if layers None is Some (L, a) then Z.of_nat (rank_blocks_of_kind (kind None) c L a b) else 0%coqZ
  | RankAny => Z.of_nat (any_of_kind (kind None))
  | Capacity => Z.of_nat (capacity_of_kind (kind None))
  | _ => number R D layers own c q
  end.

Definition numbers_of_kind (k : coefficient_kind) (c : claim) : quantity -> Z :=
  if k is Softmax then numbers R D c else number_of_kind (given_layer D) (fun=> k) (fun=> 0%coqZ) c.

End Meaning.
