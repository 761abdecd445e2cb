(* Prints the assumptions of the headline theorems, together for those that have  *)
(* none and for those that have mathcomp-analysis's: for one theorem after the    *)
(* other Coq would go through all proofs each time.  check.sh compares the output *)
(* with assumptions.expected.                                                     *)
From Attest Require Import attention common kruskal lemma_1 lemma_2 lemma_3 lemma_4 lemma_5 claim_1 claim_2 proposition_1 finite_lambda theorem_1 remark_1 skip_connection affine_hull proposition_2 proposition_5 hadamard relu_labels proposition_3 proposition_4 positional_encoding generalized_vandermonde rank_one_lower_bound opposite_queries softmax_jets taylor_rank rank_one_any_queries scaled_limit rank_one_real rank_one_varying exponential_polynomials generic_data rank_formula rectangle_contexts certificates character_evaluation.
From Attest Require Import proved_roots proved_heads proved_zero proved_split proved_paper proved_check.
From Attest Require Import proved_outputs proved_perturbation.
From Attest Require Import inertia proved_enclosures proved_attention proved_spectrum proved_accuracy.
From Attest Require replay_claims proved_theorems.
From Attest Require Import transcendence parameter_count relu_comparison two_layers self_attention biases lambda_schedule large_lambda.

Definition without_assumptions := (
  @lemma_1, @lemma_2, @row_free_add_sum, @lemma_5, @rank_near, @perturbed_rank, @theorem_1_params,
  @hadamard, @relu_labels_exist, @relu_kronecker, @relu_kronecker_bias, @relu_independent_labels,
  @shared_context_not_memorized, @gen_vandermonde, @attn_lower_bound, @hull_bound, @jets_nat,
  @rank_specialize, @rank_mod_p, @character_evaluation, @functional_kernel_rank, @place_root).

Definition with_classical_assumptions := (
  @kruskal_geqP, @lemma_3, @lemma_4, @saturation_rate, @claim_1, @claim_2, @proposition_1,
  @proposition_1_kruskal, @saturated_row, @finite_lambda_rank, @finite_lambda, @finite_lambda_layer,
  @lambda_schedule, @lambda_schedule_exists, @large_lambda, @theorem_1, @theorem_1_kruskal,
  @remark_1_rank, @remark_1, @skip_connection, @affine_hull_bound, @linear_hull_bound,
  @proposition_2, @proposition_5, @moment_general_position, @proposition_3_explicit, @proposition_3,
  @proposition_3_any_queries, @proposition_3_paper, @proposition_4, @two_layers_rank,
  @two_layers_memorize, @self_attention_rank, @self_attention_memorizes, @last_token_unmasked,
  @causal_memorizes, @causal_prefix, @key_bias_irrelevant, @query_bias_padding, @theorem_1_biases,
  @assumption_1_padded, @padding_helps, @not_all_values_taken, @labels_not_memorized,
  @parameter_upper_bound, @setting_1, @setting_2, @setting_3_order_optimal, @equal_parameters,
  @sinusoidal_encoding_rank, @sinusoidal_encoding_rank_odd, @positional_encoding_rank,
  @positional_encoding_rank_odd, @rank_one_lower_bound, @rank_one_exact, @add_block, @add_columns,
  @rank_one_real, @rank_one_real_exact, @rank_one_real_memorized, @rank_varying,
  @rank_varying_layer, @rank_one_varying, @rank_one_varying_half_space, @rank_one_varying_paper,
  @rank_one_varying_full, @fresh_contexts, @fresh_contexts_memorized, @expsum_zeros, @rank_curve,
  @rank_line, @rank_dense, @generic_contexts_line, @generic_contexts, @generic_contexts_memorized,
  @generic_shared_context, @transversal, @independent_queries_rank, @rank_formula,
  @shared_rank_formula, @rectangle_rank, @opposite_queries_rank, @half_space_needed, @expR_taylor,
  @taylor_rank, @rank_one_three_tokens, @rank_one_three_tokens_exact, @two_tokens_rank,
  @two_tokens_lower, @two_tokens_exact, @rank_one_two_tokens, @symmetric_context_rank,
  @independence_needed, @functional_kernel_bound, @base2_certificate, @base_e_certificate,
  @base_e_certificate_sqrt, @e_transcendental, @exp_sqrt_transcendental, @exp_independent,
  @exp_independent_int, @exp_sqrt_independent, @exp_sqrt_independent_int, @exp_sqrt_eval_injective,
  @rank_equal_heads, @rank_constant_heads,
  @rank_equal_rows, @capacity_equal_examples, @rank_equal_labelled_rows, @rank_labels_beside, @left_zero_Z_rank, @right_zero_Z_rank, @zero_capacity,
  @left_zero_labels_rank, @minor_labels_rank, @different_rows_count, @equal_rows_count,
  @proved_theorems.context_hulls, @small_sound, @large_sound, @check_sound, @facts_sound, @check_after_sound, @lasting_sound, @alphasP,
  @count_pairs_above, @count_pairs_below, @singular_count_above, @singular_count_below,
  @singular_count_tr, @spectrum_above, @spectrum_below, @count_examples_above,
  @count_examples_below, @trees_sound, @paper_theorem_true, @replay_claims.verified,
  @replay_claims.verified_hypotheses, @replay_claims.refuted, @replay_claims.inapplicable).

Goal True. idtac "== without_assumptions". exact I. Qed.
Print Assumptions without_assumptions.
Goal True. idtac "== with_classical_assumptions". exact I. Qed.
Print Assumptions with_classical_assumptions.
