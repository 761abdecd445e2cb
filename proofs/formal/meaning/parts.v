(* Parts of a problem: the same contexts and queries with another number of heads, *)
(* or some of the examples only.                                                   *)
(*                                                                                 *)
(*     part_of D p == the problem of the part p; no weights, no labels              *)
(*  largest_rank R D == the largest rank of Z over all weights and numbers of heads  *)
From Attest Require Import integers attention problem.

Record part := Part { part_heads : nat; part_examples : seq nat }.

Definition part_of (D : problem) (p : part) : problem :=
  Problem (size (part_examples p)) (part_heads p) (n D) (d D) (d_h D) (d_v D) (d_out D) (base_two D) (logit_scale D)
    (q_contexts D) (fun k => context_at D (nth 0%N (part_examples p) k))
    (q_queries D) [seq nth [::] (queries D) t | t <- part_examples p] None (q_labels D) [::] None.

Definition largest_rank (R : realType) (D : problem) : nat := largest (T D)
  (fun k => exists H (P : weights R H (d D) (d_h D) 0 0 0), (k <= \rank (attention.Z (E R D) (e R D) P))%N).
