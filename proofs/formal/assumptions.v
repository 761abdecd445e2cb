(* Prints the assumptions of the headline theorems, together for those that have  *)
(* none and for those that have mathcomp-analysis's: for one theorem after the    *)
(* other Coq would go through all proofs each time.  check.sh compares the output *)
(* with assumptions.expected.                                                     *)
From Attest Require Import attention common kruskal lemmas proposition_1 finite_lambda theorem_1.
From Attest Require Import layer_variants upper_bounds euclidean proposition_3 proposition_4.
From Attest Require Import positional_encoding generalized_vandermonde rank_one_lower_bound taylor_rank heads.
From Attest Require Import readout rank_one_any_queries rank_one_real rank_one_varying.
From Attest Require Import exponential_polynomials generic_data rank_formula transcendence parameter_count.
From Attest Require Import certificates residues zero networks paper_schemas soundness blocks block_bounds cones.
From Attest Require Import check_cones intervals stack_enclosures stack_symmetry stack_hulls stack_entering single_path composed_means free_symmetries free_jacobians check_stack check_free.
From Attest Require Import perturbation separators enclosures saturation accuracy tail schemas capacity.
From Attest Require Import part_bounds generic_weights algebraic_relations unfittable_labels jacobians.
From Attest Require Import jacobian_zeros jacobian_bounds literal_matrices mixed_cells nonparallel coefficients padded_problems moving_hulls.
From Attest Require replay schemas.

(* No tuple: the type of each of its parts would be as long as what is before it. *)
Notation "( 'theorems' x , .. , y )" := (let _ := x in .. (let _ := y in tt) ..).

Definition without_assumptions := (theorems
  @lemma_1, @lemma_2, @row_free_add_sum, @lemma_5, @rank_near, @perturbed_rank, @theorem_1_params,
  @hadamard, @relu_labels_exist, @relu_kronecker, @relu_kronecker_bias, @relu_independent_labels,
  @shared_context_not_memorized, @gen_vandermonde, @attn_lower_bound, @jets_nat,
  @rank_specialize, @rank_mod_p, @character_evaluation, @functional_kernel_rank, @place_root,
  @algebraic_relation, @sqrt_primes_independent).

Definition with_classical_assumptions := (theorems
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
  @generic_shared_context, @transversal, @independent_queries_rank, @hull_bound, @rank_formula,
  @shared_rank_formula, @mixed_cell, @vertices, @one_head_rank, @all_heads, @nonparallel_rank,
  @nonparallel_rank_formula, @hard_attention_rank, @nonparallel_rank_bias, @capacity_with_query_bias, @kind_capacity_with_query_bias, @moving_hulls_rank, @moving_hulls, @moving_cone_hulls, @rectangle_rank, @opposite_queries_rank, @half_space_needed, @expR_taylor,
  @taylor_rank, @rank_one_three_tokens, @rank_one_three_tokens_exact, @two_tokens_rank,
  @two_tokens_lower, @two_tokens_exact, @rank_one_two_tokens, @symmetric_context_rank,
  @independence_needed, @functional_kernel_bound, @base2_certificate, @base_e_certificate,
  @base_e_certificate_sqrt, @e_transcendental, @exp_sqrt_transcendental, @exp_independent,
  @exp_independent_int, @exp_sqrt_independent, @exp_sqrt_independent_int, @exp_sqrt_eval_injective,
  @rank_equal_heads, @rank_constant_heads,
  @rank_equal_rows, @capacity_equal_examples, @rank_equal_labelled_rows, @rank_labels_beside, @left_zero_Z_rank, @right_zero_Z_rank, @zero_capacity, @coefficients_sound,
  @rank_one_weights, @capacity_key_dimension, @concave_heads, @concave_constants, @one_layer_for_all_sets, @exp_sqrt_primes_independent,
  @fitted_labels_relation, @unfittable_integer_labels, @unfittable_labels, @part_and_others,
  @concave_from_0, @concave_from_constants, @any_heads, @many_heads, @zero_functions, @zero_largest_rank,
  @left_zero_labels_rank, @minor_labels_rank, @different_rows_count, @equal_rows_count,
  @schemas.context_hulls, @small_sound, @large_sound, @check_sound, @facts_sound, @check_after_sound, @lasting_sound,
  @shared_tableP, @alphasP,
  @count_pairs_above, @count_pairs_below, @singular_count_above, @singular_count_below,
  @singular_count_tr, @spectrum_above, @spectrum_below, @count_examples_above,
  @count_examples_below, @defects_unit, @enclosed_minor_rank, @lists_Z, @lists_given_Z, @lists_coefficients, @lists_outputs, @lists_combinations,
  @tangents_in_shape, @readout_enclosed, @readout_sound, @tail_sound, @tail_rank_geq, @lambda_rank_geq, @capacity_memorizes,
  @capacity_memorizes_skip, @labels_fitted, @labels_missed, @labels_fitted_bias, @labels_missed_bias, @zero_labels, @equal_labels, @memorizes_given_factors, @trees_sound,
  @blocks_rankE, @minor_blocks_rank, @left_blocks_rank, @right_blocks_rank, @block_theorem_true, @cone_entry, @cone_Z_rank,
  @cone_blocks_rankE, @different_blocks_count, @cone_labels_rank, @cone_fitted, @cone_missed, @cone_fitted_bias, @cone_missed_bias, @cone_any_coefficients, @cone_some_weights, @cone_linear_hull, @cone_equal_rows,
  @cone_equal_examples, @cone_equal_heads, @cone_constant_heads, @zero_cone_capacity, @check_of_kind_sound, @kinds_sound,
  @near_softmax, @right_entering, @stack_minor_rank, @stack_apart_rows, @stack_distinct_leq, @stack_directions_leq,
  @stack_pairs_above, @stack_pairs_below, @stack_spectrum_above, @stack_spectrum_below, @stack_scores_above, @stack_scores_below,
  @stack_almost_all_outputs, @entering_queries_geq, @entering_contexts_geq, @entering_queries_leq, @entering_contexts_leq,
  @equal_heads_rank, @free_directions_leq, @stack_equal_inputs, @last_layer_capacity, @stack_capacity_memorizes, @symmetries_dimension,
  @means_dimension, @opposite_rows, @composed_span, @composed_moves, @composed_maps, @free_J_rank, @mostP, @spacesP,
  @linear_hulls, @affine_hulls, @context_hulls_of, @check_of_stack_sound, @check_of_free_sound,
  @paper_theorem_true, @weights_sound, @separator_sound, @vertex_sound, @one_hot_sound, @one_hot_near, @power_aboveP, @is_derive_outputs,
  @minor_J_rank, @rank_J_shape, @rank_J_examples, @exponent_count, @exponent_products, @biased_tangents, @related_outputs,
  @different_examples, @circuits_sound, @words_and_positions, @some_embeddings, @almost_all_outputs, @independent_outputs,
  @equal_inputs, @moving_directions, @zero_J_rank, @literal_exponents_rank, @no_layer_fits, @replay.verified,
  @replay.verified_hypotheses, @replay.refuted, @replay.inapplicable).

(* every name is that of a theorem: its type is a proposition; a definition is found out *)
Ltac is_theorem t := let T := type of t in let S := type of T in
  lazymatch S with Prop => idtac | _ => fail "not a theorem:" t end.
Ltac are_theorems p := lazymatch p with (let _ := ?t in ?q) => is_theorem t; are_theorems q | tt => idtac end.
Goal True.
let names := eval unfold without_assumptions in without_assumptions in are_theorems names.
let names := eval unfold with_classical_assumptions in with_classical_assumptions in are_theorems names.
assert_fails (idtac; are_theorems (theorems @lemma_1, @affine_bound, @lemma_2)).
exact I.
Qed.

Goal True. idtac "== without_assumptions". exact I. Qed.
Print Assumptions without_assumptions.
Goal True. idtac "== with_classical_assumptions". exact I. Qed.
Print Assumptions with_classical_assumptions.
