(* Descriptive names for the statements that are named after their number in the paper: every alias is *)
(* the theorem itself.                                                                                 *)
(*                                                                                                     *)
(*         rank_block_triangular == lemma_1, and so on: one alias for each of them                     *)
From Attest Require Import lemma_1 lemma_2 lemma_3 lemma_4 lemma_5 claim_1 claim_2 proposition_1.
From Attest Require Import theorem_1 remark_1 proposition_2 proposition_3 proposition_4 proposition_5.
From Attest Require Import parameter_count.

(* rank [A B; 0 C] >= rank A + rank C *)
Notation rank_block_triangular := lemma_1 (only parsing).
(* a_i + c sum_j a_j are independent when the a_i are, c >= 0 *)
Notation row_free_add_multiple_of_sum := lemma_2 (only parsing).
(* a rank-one matrix that kills the queries in I and separates the tokens of the others *)
Notation separating_rank_one := lemma_3 (only parsing).
(* softmax tends to the one-hot vector of the largest entry of E W' e *)
Notation softmax_limit_one_hot := lemma_4 (only parsing).
(* rank B >= rank A when A - B is smaller than the smallest singular value of A *)
Notation rank_geq_near := lemma_5 (only parsing).
(* weights for prescribed softmax values on independent queries *)
Notation prescribed_softmax := claim_1 (only parsing).
(* the same, and nearly one-hot coefficients on all other examples *)
Notation prescribed_softmax_saturated_elsewhere := claim_2 (only parsing).
(* rank Z >= min(T, H (min(n, d_h) - 1) + 1) for some weights *)
Notation attention_rank_lower_bound := proposition_1 (only parsing).
(* as many examples are memorized *)
Notation attention_memorizes := theorem_1 (only parsing).
(* the same for queries of a smaller Kruskal rank *)
Notation attention_memorizes_kruskal := remark_1 (only parsing).
(* rank Z <= H (n - 1) + 1 for a shared context *)
Notation shared_context_rank_bound := proposition_2 (only parsing).
(* data that no two-layer ReLU network with m neurons memorizes *)
Notation relu_data_not_memorized := proposition_3 (only parsing).
(* one averaging layer turns Assumptions 2 and 3 into Assumptions 1 and 2 *)
Notation averaging_gives_assumptions := proposition_4 (only parsing).
(* rank Z <= H (d - 1) + 1 for tokens of constant sum *)
Notation constant_sum_rank := proposition_5 (only parsing).
(* the settings after Theorem 1 *)
Notation capacity_full_width := setting_1 (only parsing).
Notation capacity_narrow := setting_2 (only parsing).
Notation capacity_vector_labels_optimal := setting_3_order_optimal (only parsing).
