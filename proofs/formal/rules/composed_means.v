(* Free weights of layers of one head without residual connections before the layer: what the outputs can be moved by      *)
(* where there are few sequences (docs/mathematics.md, Free layers, composed-means).                                       *)
(*                                                                                                                         *)
(*        averaged S t == the rows that an example is a mean of                                                            *)
(*          composed S == each example is one of some                                                                      *)
(*    moved_dimensions == for each example the dimension of the differences of these, H times, at most d_out               *)
(*     composed_moves, composed_span == they bound the functional dimension, and the span of the rows the capacity         *)
From Attest Require Import integers.
From mathcomp Require Import zify classical_sets functions derive realfun.
From Attest Require Import attention common upper_bounds literal_arithmetic problem logits quantities statements other_layers.
From Attest Require Import stack_quantities quantity_bounds jacobians jacobian_bounds stack_enclosures stack_hulls free_stacks.
From Attest Require Import tangents single_path.
Import numFieldNormedType.Exports.

Section Compute.
Variable S : layer_stack.
Local Notation D := (top_problem S).

Definition path_lists : seq (seq (seq nat)) := [seq lists_of b | b <- befores S].
Definition averaged (t : nat) : seq nat := reach path_lists (nth [::] (example_tokens S) t).
Definition composed : bool := single_path (befores S) && all (reaches path_lists) (example_tokens S).
Definition hidden_row (j : nat) := nth [::] (hidden_rows S) j.
Definition row_differences (js : seq nat) := [seq less 1 (hidden_row j) 1 (hidden_row (head 0%N js)) | j <- js].
Definition moved_at (t : nat) : nat := minn (d_out D) (H D * size (basis (d D) (row_differences (averaged t)))).
Definition moved_dimensions : nat := sumn [seq moved_at t | t <- iota 0 (T D)].
Definition averaged_rows := [seq hidden_row j | j <- undup (flatten [seq averaged t | t <- iota 0 (T D)])].
Definition averaged_span : nat := size (basis (d D) averaged_rows).

End Compute.

Section Bounds.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation bs := (befores S).
Hypotheses (ok : composed S) (sT : size (example_tokens S) = T).

Let sp : single_path bs. Proof. by have /andP[] := ok. Qed.
Let reached (t : 'I_T) : reaches (path_lists S) (list_of t).
Proof. by have /andP[_ all_ok] := ok; apply: (all_nthP [::] all_ok); rewrite sT. Qed.

Lemma given_vec j : given_vectors R S j = (toF R (Zpos (q_hidden S)))^-1 *: row_of R d 1 (hidden_row S j).
Proof. by apply/rowP => k; rewrite !mxE toF1 divr1 mulrC. Qed.

Lemma given_difference js j : j \in js ->
  (given_vectors R S j - given_vectors R S (head 0%N js) <= space R d (basis d (row_differences S js)))%MS.
Proof.
move=> jin; rewrite !given_vec -scalerBr; apply: scalemx_sub; apply: submx_trans (basis_spans _ _ _).
have -> : row_of R d 1 (hidden_row S j) - row_of R d 1 (hidden_row S (head 0%N js))
    = row_of R d 1 (less 1 (hidden_row S j) 1 (hidden_row S (head 0%N js))) by rewrite vec_less toF1 !scale1r.
by apply: in_space; apply: map_f.
Qed.

Lemma given_averaged (t : 'I_T) j : j \in averaged S t -> (given_vectors R S j <= space R d (basis d (averaged_rows S)))%MS.
Proof.
move=> jt; rewrite given_vec; apply: scalemx_sub; apply: submx_trans (basis_spans _ _ _).
apply: in_space; apply: map_f; rewrite mem_undup; apply/flattenP; exists (averaged S t) => //.
by apply: map_f; rewrite mem_iota /= add0n.
Qed.

Theorem composed_span : (free_capacity R S <= H * averaged_span S)%N.
Proof.
apply: largest_leq => k [W [P /leq_trans]]; apply.
have -> : free_Z W P = mean_rows W (WK P) (WQ P) by rewrite free_Z_rows.
pose V := space R d (basis d (averaged_rows S)) *m way (path_values W bs) (size bs).
apply: leq_trans (_ : \rank (tensor (1%:M : 'M[R]_H) V) <= _)%N; last first.
  apply: leq_trans (rank_tensor _ _) _; rewrite mxrank1 leq_mul2l; apply/orP; right.
  by apply: leq_trans (mxrankM_maxl _ _) _; exact: rank_leq_row.
apply/mxrankS/row_subP => t; rewrite rowK -[\matrix_h _]mul1mx -[X in _ *m X]trmxK; apply: tensor_mul; first exact: submx1.
rewrite trmxK; apply/row_subP => h; rewrite rowK mean_point //; apply: submxMr.
by apply: point_mean_inside => [|a]; [exact: reached|exact: given_averaged].
Qed.

Theorem composed_moves : (free_functional_dimension R S <= moved_dimensions S + d_out D * free_capacity R S)%N.
Proof.
apply: largest_leq => k [w [m [ps /leq_trans]]]; apply.
have [B [Y [rY move]]] := path_outputs_move (weights_before w) (last_key w) (last_query w) (last_readout w) sp.
pose V (t : 'I_T) := (\sum_h <<space R d (basis d (row_differences S (averaged S t)))
  *m (way (path_values (weights_before w) bs) (size bs) *m last_readout w h)>>)%MS.
pose embed (t : 'I_T) : 'M[R]_(d_out D, #|{: 'I_T * 'I_(d_out D)}|) := \matrix_(o, i) (enum_val i == (t, o))%:R.
have rV t : (\rank (V t) <= moved_at S t)%N.
  rewrite leq_min rank_leq_col; apply: leq_trans (mxrank_sum_leqif _) _ => /=.
  apply: leq_trans (_ : \sum_(h < H) size (basis d (row_differences S (averaged S t))) <= _)%N; last by rewrite sum_nat_const card_ord.
  by apply: leq_sum => h _; rewrite genmxE; apply: leq_trans (mxrankM_maxl _ _) _; exact: rank_leq_row.
apply: leq_trans (_ : \rank (\sum_t <<V t *m embed t>>)%MS + d_out D * \rank Y <= _)%N; last first.
  apply: leq_add; last by rewrite leq_mul2l rY orbT.
  apply: leq_trans (mxrank_sum_leqif _) _ => /=; rewrite /moved_dimensions sumnE big_map.
  rewrite (_ : iota 0 T = index_iota 0 T) ?big_mkord; last by rewrite /index_iota subn0.
  by apply: leq_sum => t _; rewrite genmxE; apply: leq_trans (mxrankM_maxl _ _) _; exact: rV.
apply: rank_moving_spaces => j; pose at0 := moved_free0 w (ps j).
have [l|h|h|h|z [X zX]] := move (fun x => weights_before (moved_free w (ps j) x)) (fun x => last_key (moved_free w (ps j) x))
    (fun x => last_query (moved_free w (ps j) x)) (fun x => last_readout (moved_free w (ps j) x))
    (fun h => unit_of_key R (ps j) (size bs) h d (d_h D)) (fun h => unit_of_query R (ps j) (size bs) h d (d_h D))
    (fun h => unit_of_value R (ps j) (size bs) h d (d_out D)) (congr1 (@weights_before R S) at0) (congr1 (@last_key R S) at0)
    (congr1 (@last_query R S) at0) (congr1 (@last_readout R S) at0).
- exists (FreeHead (unit_of_key R (ps j) l 0 d _) (unit_of_query R (ps j) l 0 d _) (unit_of_value R (ps j) l 0 d d)).
  by split; exact: derives_line.
- exact: derives_line.
- exact: derives_line.
- exact: derives_line.
exists (\sum_t z *m B t *m embed t), X; split=> [|i].
  apply: summx_sub_sums => t _; rewrite genmxE; apply: submxMr; have [_ inside] := zX t.
  apply: inside; [exact: reached|move=> a; exact: given_difference].
rewrite mxE /free_partial; case iE: (enum_val i) => [t o]; rewrite [(t, o).1]/= [(t, o).2]/=; have [dt _] := zX t.
rewrite (derives_unique 0 o dt) mxE; congr (_ + _); rewrite summxE (bigD1 t) //= big1 ?addr0 => [|u ut].
  rewrite [RHS]mxE (bigD1 o) //= [embed _ _ _]mxE iE eqxx mulr1 big1 ?addr0 // => p po.
  by rewrite [embed _ _ _]mxE iE xpair_eqE eqxx [o == p]eq_sym (negbTE po) mulr0.
by rewrite mxE big1 // => p _; rewrite [embed _ _ _]mxE iE xpair_eqE [t == u]eq_sym (negbTE ut) mulr0.
Qed.

End Bounds.
