(* Prints the assumptions of every headline theorem; check.sh compares the     *)
(* output with assumptions.expected.                                           *)
From Attest Require Import attention common kruskal lemma_1 lemma_2 lemma_3 lemma_4 lemma_5 claim_1 claim_2 proposition_1 finite_lambda theorem_1 remark_1 skip_connection affine_hull proposition_2 proposition_5 hadamard relu_labels proposition_3 proposition_4 positional_encoding generalized_vandermonde rank_one_lower_bound opposite_queries softmax_jets taylor_rank rank_one_any_queries scaled_limit rank_one_real rank_one_varying exponential_polynomials generic_data rank_formula rectangle_contexts certificates character_evaluation replay_layer replay_lower replay_hull replay_kernel replay_heads replay_kruskal.
From Attest Require Import proved_roots proved_heads proved_zero proved_split proved_paper proved_check.
From Attest Require Import inertia proved_enclosures proved_attention proved_spectrum proved_accuracy.
From Attest Require Import proved_outputs proved_perturbation.
From Attest Require replay_claims proved_theorems.
From Attest Require Import transcendence parameter_count relu_comparison two_layers self_attention biases lambda_schedule large_lambda.

Goal True. idtac "== kruskal_geqP". exact I. Qed.
Print Assumptions kruskal_geqP.
Goal True. idtac "== lemma_1". exact I. Qed.
Print Assumptions lemma_1.
Goal True. idtac "== lemma_2". exact I. Qed.
Print Assumptions lemma_2.
Goal True. idtac "== row_free_add_sum". exact I. Qed.
Print Assumptions row_free_add_sum.
Goal True. idtac "== lemma_3". exact I. Qed.
Print Assumptions lemma_3.
Goal True. idtac "== lemma_4". exact I. Qed.
Print Assumptions lemma_4.
Goal True. idtac "== saturation_rate". exact I. Qed.
Print Assumptions saturation_rate.
Goal True. idtac "== lemma_5". exact I. Qed.
Print Assumptions lemma_5.
Goal True. idtac "== rank_near". exact I. Qed.
Print Assumptions rank_near.
Goal True. idtac "== claim_1". exact I. Qed.
Print Assumptions claim_1.
Goal True. idtac "== claim_2". exact I. Qed.
Print Assumptions claim_2.
Goal True. idtac "== proposition_1". exact I. Qed.
Print Assumptions proposition_1.
Goal True. idtac "== proposition_1_kruskal". exact I. Qed.
Print Assumptions proposition_1_kruskal.
Goal True. idtac "== perturbed_rank". exact I. Qed.
Print Assumptions perturbed_rank.
Goal True. idtac "== saturated_row". exact I. Qed.
Print Assumptions saturated_row.
Goal True. idtac "== finite_lambda_rank". exact I. Qed.
Print Assumptions finite_lambda_rank.
Goal True. idtac "== finite_lambda". exact I. Qed.
Print Assumptions finite_lambda.
Goal True. idtac "== finite_lambda_layer". exact I. Qed.
Print Assumptions finite_lambda_layer.
Goal True. idtac "== lambda_schedule". exact I. Qed.
Print Assumptions lambda_schedule.
Goal True. idtac "== lambda_schedule_exists". exact I. Qed.
Print Assumptions lambda_schedule_exists.
Goal True. idtac "== large_lambda". exact I. Qed.
Print Assumptions large_lambda.
Goal True. idtac "== theorem_1". exact I. Qed.
Print Assumptions theorem_1.
Goal True. idtac "== theorem_1_kruskal". exact I. Qed.
Print Assumptions theorem_1_kruskal.
Goal True. idtac "== theorem_1_params". exact I. Qed.
Print Assumptions theorem_1_params.
Goal True. idtac "== remark_1_rank". exact I. Qed.
Print Assumptions remark_1_rank.
Goal True. idtac "== remark_1". exact I. Qed.
Print Assumptions remark_1.
Goal True. idtac "== skip_connection". exact I. Qed.
Print Assumptions skip_connection.
Goal True. idtac "== affine_hull_bound". exact I. Qed.
Print Assumptions affine_hull_bound.
Goal True. idtac "== linear_hull_bound". exact I. Qed.
Print Assumptions linear_hull_bound.
Goal True. idtac "== proposition_2". exact I. Qed.
Print Assumptions proposition_2.
Goal True. idtac "== proposition_5". exact I. Qed.
Print Assumptions proposition_5.
Goal True. idtac "== hadamard". exact I. Qed.
Print Assumptions hadamard.
Goal True. idtac "== relu_labels_exist". exact I. Qed.
Print Assumptions relu_labels_exist.
Goal True. idtac "== relu_kronecker". exact I. Qed.
Print Assumptions relu_kronecker.
Goal True. idtac "== relu_kronecker_bias". exact I. Qed.
Print Assumptions relu_kronecker_bias.
Goal True. idtac "== relu_independent_labels". exact I. Qed.
Print Assumptions relu_independent_labels.
Goal True. idtac "== moment_general_position". exact I. Qed.
Print Assumptions moment_general_position.
Goal True. idtac "== proposition_3_explicit". exact I. Qed.
Print Assumptions proposition_3_explicit.
Goal True. idtac "== proposition_3". exact I. Qed.
Print Assumptions proposition_3.
Goal True. idtac "== shared_context_not_memorized". exact I. Qed.
Print Assumptions shared_context_not_memorized.
Goal True. idtac "== proposition_3_any_queries". exact I. Qed.
Print Assumptions proposition_3_any_queries.
Goal True. idtac "== proposition_3_paper". exact I. Qed.
Print Assumptions proposition_3_paper.
Goal True. idtac "== proposition_4". exact I. Qed.
Print Assumptions proposition_4.
Goal True. idtac "== two_layers_rank". exact I. Qed.
Print Assumptions two_layers_rank.
Goal True. idtac "== two_layers_memorize". exact I. Qed.
Print Assumptions two_layers_memorize.
Goal True. idtac "== self_attention_rank". exact I. Qed.
Print Assumptions self_attention_rank.
Goal True. idtac "== self_attention_memorizes". exact I. Qed.
Print Assumptions self_attention_memorizes.
Goal True. idtac "== last_token_unmasked". exact I. Qed.
Print Assumptions last_token_unmasked.
Goal True. idtac "== causal_memorizes". exact I. Qed.
Print Assumptions causal_memorizes.
Goal True. idtac "== causal_prefix". exact I. Qed.
Print Assumptions causal_prefix.
Goal True. idtac "== key_bias_irrelevant". exact I. Qed.
Print Assumptions key_bias_irrelevant.
Goal True. idtac "== query_bias_padding". exact I. Qed.
Print Assumptions query_bias_padding.
Goal True. idtac "== theorem_1_biases". exact I. Qed.
Print Assumptions theorem_1_biases.
Goal True. idtac "== assumption_1_padded". exact I. Qed.
Print Assumptions assumption_1_padded.
Goal True. idtac "== padding_helps". exact I. Qed.
Print Assumptions padding_helps.
Goal True. idtac "== not_all_values_taken". exact I. Qed.
Print Assumptions not_all_values_taken.
Goal True. idtac "== labels_not_memorized". exact I. Qed.
Print Assumptions labels_not_memorized.
Goal True. idtac "== parameter_upper_bound". exact I. Qed.
Print Assumptions parameter_upper_bound.
Goal True. idtac "== setting_1". exact I. Qed.
Print Assumptions setting_1.
Goal True. idtac "== setting_2". exact I. Qed.
Print Assumptions setting_2.
Goal True. idtac "== setting_3_order_optimal". exact I. Qed.
Print Assumptions setting_3_order_optimal.
Goal True. idtac "== equal_parameters". exact I. Qed.
Print Assumptions equal_parameters.
Goal True. idtac "== sinusoidal_encoding_rank". exact I. Qed.
Print Assumptions sinusoidal_encoding_rank.
Goal True. idtac "== sinusoidal_encoding_rank_odd". exact I. Qed.
Print Assumptions sinusoidal_encoding_rank_odd.
Goal True. idtac "== positional_encoding_rank". exact I. Qed.
Print Assumptions positional_encoding_rank.
Goal True. idtac "== positional_encoding_rank_odd". exact I. Qed.
Print Assumptions positional_encoding_rank_odd.
Goal True. idtac "== gen_vandermonde". exact I. Qed.
Print Assumptions gen_vandermonde.
Goal True. idtac "== attn_lower_bound". exact I. Qed.
Print Assumptions attn_lower_bound.
Goal True. idtac "== rank_one_lower_bound". exact I. Qed.
Print Assumptions rank_one_lower_bound.
Goal True. idtac "== rank_one_exact". exact I. Qed.
Print Assumptions rank_one_exact.
Goal True. idtac "== add_block". exact I. Qed.
Print Assumptions add_block.
Goal True. idtac "== add_columns". exact I. Qed.
Print Assumptions add_columns.
Goal True. idtac "== rank_one_real". exact I. Qed.
Print Assumptions rank_one_real.
Goal True. idtac "== rank_one_real_exact". exact I. Qed.
Print Assumptions rank_one_real_exact.
Goal True. idtac "== rank_one_real_memorized". exact I. Qed.
Print Assumptions rank_one_real_memorized.
Goal True. idtac "== rank_varying". exact I. Qed.
Print Assumptions rank_varying.
Goal True. idtac "== rank_varying_layer". exact I. Qed.
Print Assumptions rank_varying_layer.
Goal True. idtac "== rank_one_varying". exact I. Qed.
Print Assumptions rank_one_varying.
Goal True. idtac "== rank_one_varying_half_space". exact I. Qed.
Print Assumptions rank_one_varying_half_space.
Goal True. idtac "== rank_one_varying_paper". exact I. Qed.
Print Assumptions rank_one_varying_paper.
Goal True. idtac "== rank_one_varying_full". exact I. Qed.
Print Assumptions rank_one_varying_full.
Goal True. idtac "== fresh_contexts". exact I. Qed.
Print Assumptions fresh_contexts.
Goal True. idtac "== fresh_contexts_memorized". exact I. Qed.
Print Assumptions fresh_contexts_memorized.
Goal True. idtac "== expsum_zeros". exact I. Qed.
Print Assumptions expsum_zeros.
Goal True. idtac "== rank_curve". exact I. Qed.
Print Assumptions rank_curve.
Goal True. idtac "== rank_line". exact I. Qed.
Print Assumptions rank_line.
Goal True. idtac "== rank_dense". exact I. Qed.
Print Assumptions rank_dense.
Goal True. idtac "== generic_contexts_line". exact I. Qed.
Print Assumptions generic_contexts_line.
Goal True. idtac "== generic_contexts". exact I. Qed.
Print Assumptions generic_contexts.
Goal True. idtac "== generic_contexts_memorized". exact I. Qed.
Print Assumptions generic_contexts_memorized.
Goal True. idtac "== generic_shared_context". exact I. Qed.
Print Assumptions generic_shared_context.
Goal True. idtac "== hull_bound". exact I. Qed.
Print Assumptions hull_bound.
Goal True. idtac "== transversal". exact I. Qed.
Print Assumptions transversal.
Goal True. idtac "== independent_queries_rank". exact I. Qed.
Print Assumptions independent_queries_rank.
Goal True. idtac "== rank_formula". exact I. Qed.
Print Assumptions rank_formula.
Goal True. idtac "== shared_rank_formula". exact I. Qed.
Print Assumptions shared_rank_formula.
Goal True. idtac "== rectangle_rank". exact I. Qed.
Print Assumptions rectangle_rank.
Goal True. idtac "== opposite_queries_rank". exact I. Qed.
Print Assumptions opposite_queries_rank.
Goal True. idtac "== half_space_needed". exact I. Qed.
Print Assumptions half_space_needed.
Goal True. idtac "== jets_nat". exact I. Qed.
Print Assumptions jets_nat.
Goal True. idtac "== expR_taylor". exact I. Qed.
Print Assumptions expR_taylor.
Goal True. idtac "== taylor_rank". exact I. Qed.
Print Assumptions taylor_rank.
Goal True. idtac "== rank_one_three_tokens". exact I. Qed.
Print Assumptions rank_one_three_tokens.
Goal True. idtac "== rank_one_three_tokens_exact". exact I. Qed.
Print Assumptions rank_one_three_tokens_exact.
Goal True. idtac "== two_tokens_rank". exact I. Qed.
Print Assumptions two_tokens_rank.
Goal True. idtac "== two_tokens_lower". exact I. Qed.
Print Assumptions two_tokens_lower.
Goal True. idtac "== two_tokens_exact". exact I. Qed.
Print Assumptions two_tokens_exact.
Goal True. idtac "== rank_one_two_tokens". exact I. Qed.
Print Assumptions rank_one_two_tokens.
Goal True. idtac "== symmetric_context_rank". exact I. Qed.
Print Assumptions symmetric_context_rank.
Goal True. idtac "== independence_needed". exact I. Qed.
Print Assumptions independence_needed.
Goal True. idtac "== rank_specialize". exact I. Qed.
Print Assumptions rank_specialize.
Goal True. idtac "== rank_mod_p". exact I. Qed.
Print Assumptions rank_mod_p.
Goal True. idtac "== functional_kernel_bound". exact I. Qed.
Print Assumptions functional_kernel_bound.
Goal True. idtac "== character_evaluation". exact I. Qed.
Print Assumptions character_evaluation.
Goal True. idtac "== base2_certificate". exact I. Qed.
Print Assumptions base2_certificate.
Goal True. idtac "== base_e_certificate". exact I. Qed.
Print Assumptions base_e_certificate.
Goal True. idtac "== base_e_certificate_sqrt". exact I. Qed.
Print Assumptions base_e_certificate_sqrt.
Goal True. idtac "== e_transcendental". exact I. Qed.
Print Assumptions e_transcendental.
Goal True. idtac "== exp_sqrt_transcendental". exact I. Qed.
Print Assumptions exp_sqrt_transcendental.
Goal True. idtac "== exp_independent". exact I. Qed.
Print Assumptions exp_independent.
Goal True. idtac "== exp_independent_int". exact I. Qed.
Print Assumptions exp_independent_int.
Goal True. idtac "== exp_sqrt_independent". exact I. Qed.
Print Assumptions exp_sqrt_independent.
Goal True. idtac "== exp_sqrt_independent_int". exact I. Qed.
Print Assumptions exp_sqrt_independent_int.
Goal True. idtac "== exp_sqrt_eval_injective". exact I. Qed.
Print Assumptions exp_sqrt_eval_injective.
Goal True. idtac "== functional_kernel_rank". exact I. Qed.
Print Assumptions functional_kernel_rank.
Goal True. idtac "== real_ZE". exact I. Qed.
Print Assumptions real_ZE.
Goal True. idtac "== replay_rank_geq". exact I. Qed.
Print Assumptions replay_rank_geq.
Goal True. idtac "== replay_rank_leq_size". exact I. Qed.
Print Assumptions replay_rank_leq_size.
Goal True. idtac "== replay_rank_leq_functionals". exact I. Qed.
Print Assumptions replay_rank_leq_functionals.
Goal True. idtac "== replay_rank_leq_tokens". exact I. Qed.
Print Assumptions replay_rank_leq_tokens.
Goal True. idtac "== replay_rank_leq_heads_functionals". exact I. Qed.
Print Assumptions replay_rank_leq_heads_functionals.
Goal True. idtac "== replay_rank_leq_heads_tokens". exact I. Qed.
Print Assumptions replay_rank_leq_heads_tokens.
Goal True. idtac "== replay_rank_leq_right_kernel". exact I. Qed.
Print Assumptions replay_rank_leq_right_kernel.
Goal True. idtac "== replay_rank_leq_left_kernel". exact I. Qed.
Print Assumptions replay_rank_leq_left_kernel.
Goal True. idtac "== replay_hull_size". exact I. Qed.
Print Assumptions replay_hull_size.
Goal True. idtac "== replay_hull_functionals". exact I. Qed.
Print Assumptions replay_hull_functionals.
Goal True. idtac "== replay_hull_tokens". exact I. Qed.
Print Assumptions replay_hull_tokens.
Goal True. idtac "== replay_kruskal_geq". exact I. Qed.
Print Assumptions replay_kruskal_geq.
Goal True. idtac "== replay_kruskal_leq". exact I. Qed.
Print Assumptions replay_kruskal_leq.
Goal True. idtac "== replay_kruskal_leq_size". exact I. Qed.
Print Assumptions replay_kruskal_leq_size.
Goal True. idtac "== place_root". exact I. Qed.
Print Assumptions place_root.
Goal True. idtac "== rank_equal_heads". exact I. Qed.
Print Assumptions rank_equal_heads.
Goal True. idtac "== rank_constant_heads". exact I. Qed.
Print Assumptions rank_constant_heads.
Goal True. idtac "== rank_equal_rows". exact I. Qed.
Print Assumptions rank_equal_rows.
Goal True. idtac "== capacity_equal_examples". exact I. Qed.
Print Assumptions capacity_equal_examples.
Goal True. idtac "== left_zero_Z_rank". exact I. Qed.
Print Assumptions left_zero_Z_rank.
Goal True. idtac "== right_zero_Z_rank". exact I. Qed.
Print Assumptions right_zero_Z_rank.
Goal True. idtac "== zero_capacity". exact I. Qed.
Print Assumptions zero_capacity.
Goal True. idtac "== left_zero_labels_rank". exact I. Qed.
Print Assumptions left_zero_labels_rank.
Goal True. idtac "== minor_labels_rank". exact I. Qed.
Print Assumptions minor_labels_rank.
Goal True. idtac "== different_rows_count". exact I. Qed.
Print Assumptions different_rows_count.
Goal True. idtac "== equal_rows_count". exact I. Qed.
Print Assumptions equal_rows_count.
Goal True. idtac "== context_hulls". exact I. Qed.
Print Assumptions proved_theorems.context_hulls.
Goal True. idtac "== small_sound". exact I. Qed.
Print Assumptions small_sound.
Goal True. idtac "== large_sound". exact I. Qed.
Print Assumptions large_sound.
Goal True. idtac "== check_sound". exact I. Qed.
Print Assumptions check_sound.
Goal True. idtac "== facts_sound". exact I. Qed.
Print Assumptions facts_sound.
Goal True. idtac "== alphasP". exact I. Qed.
Print Assumptions alphasP.
Goal True. idtac "== count_pairs_above". exact I. Qed.
Print Assumptions count_pairs_above.
Goal True. idtac "== count_pairs_below". exact I. Qed.
Print Assumptions count_pairs_below.
Goal True. idtac "== singular_count_above". exact I. Qed.
Print Assumptions singular_count_above.
Goal True. idtac "== singular_count_below". exact I. Qed.
Print Assumptions singular_count_below.
Goal True. idtac "== singular_count_tr". exact I. Qed.
Print Assumptions singular_count_tr.
Goal True. idtac "== spectrum_above". exact I. Qed.
Print Assumptions spectrum_above.
Goal True. idtac "== spectrum_below". exact I. Qed.
Print Assumptions spectrum_below.
Goal True. idtac "== count_examples_above". exact I. Qed.
Print Assumptions count_examples_above.
Goal True. idtac "== count_examples_below". exact I. Qed.
Print Assumptions count_examples_below.
Goal True. idtac "== trees_sound". exact I. Qed.
Print Assumptions trees_sound.
Goal True. idtac "== paper_theorem_true". exact I. Qed.
Print Assumptions paper_theorem_true.
Goal True. idtac "== verified". exact I. Qed.
Print Assumptions replay_claims.verified.
Goal True. idtac "== verified_hypotheses". exact I. Qed.
Print Assumptions replay_claims.verified_hypotheses.
Goal True. idtac "== refuted". exact I. Qed.
Print Assumptions replay_claims.refuted.
Goal True. idtac "== inapplicable". exact I. Qed.
Print Assumptions replay_claims.inapplicable.
