(* Query biases: a layer with free ones is one without on the tokens (x, 0) and the queries (e, 1).   *)
(*                                                                                                    *)
(*            with_query_bias D == the problem with such tokens and queries; no weights, no labels    *)
(*     query_biased_Z E e K Q b == Z (Eq. 7) with keys K, queries Q and query biases b                *)
(*        biased_capacity R D == the largest rank of it over all of these                             *)
(*  biased_capacity_of_kind R D k == the same with coefficients of another kind, over all logits of   *)
(*                                   sinks too                                                        *)
From Attest Require Import integers attention problem other_layers.

Local Notation Z := BinNums.Z.

Definition with_query_bias (D : problem) : problem :=
  Problem (T D) (H D) (n D) (d D + 1) (d_h D) (d_v D) (d_out D) (base_two D) (logit_scale D)
    (q_contexts D) (fun t => [seq rcons x 0%coqZ | x <- context_rows D t]) (q_queries D)
    [seq rcons (mkseq (nth 0%coqZ (nth [::] (queries D) t)) (d D)) (Zpos (q_queries D)) | t <- iota 0 (T D)]
    None (q_labels D) [::] None.

Definition query_biased_Z (R : realType) T n d dh H (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (K Q : 'I_H -> 'M[R]_(d, dh)) (b : 'I_H -> 'cV[R]_dh) : 'M[R]_(T, H * d) :=
  \matrix_t (stack (fun h => (E t)^T *m softmax (E t *m K h *m ((Q h)^T *m e t + b h))))^T.

Section Capacities.
Variables (R : realType) (D : problem).

Definition biased_capacity : nat := largest (minn (T D) (H D * d D)) (fun k =>
  exists (K Q : 'I_(H D) -> 'M[R]_(d D, d_h D)) b, (k <= \rank (query_biased_Z (E R D) (e R D) K Q b))%N).

Definition biased_capacity_of_kind (k : coefficient_kind) : nat := largest_of (R := R) (D := D) (fun A =>
  exists (s : 'I_(H D) -> R) (K Q : 'I_(H D) -> 'M[R]_(d D, d_h D)) b,
    forall (t : 'I_(T D)) h, row h (A t) = (coefs_at k (copies_of k t) (s h) (E R D t *m K h *m ((Q h)^T *m e R D t + b h)))^T).

End Capacities.
