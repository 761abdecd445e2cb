(* The proved checker, labels that no layer fits: the theorems of unfittable_labels.v   *)
(* about the literal data of a problem.                                                *)
(*                                                                                     *)
(*   no_layer_fits == what T d_out > H rho + d_out ((H - 1) v + r) says, rho, v and r   *)
(*          the ranks of exponents, differences and tokens                              *)
From Attest Require Import integers attention rank_formula algebraic_relations unfittable_labels.
From Attest Require Import literal_arithmetic problem jacobian logits quantity_bounds schemas.

Lemma map_sums_sub (F : fieldType) (K : fieldType) (f : {rmorphism F -> K}) (I : finType) m n k
    (A : I -> 'M[F]_(m, n)) (M : 'M[K]_(k, n)) : (forall i, (map_mx f (A i) <= M)%MS) ->
  (\rank (\sum_i <<A i>>)%MS <= \rank M)%N.
Proof.
move=> AM; rewrite -(mxrank_map f); apply: mxrankS.
have /sub_sumsmxP[u ->] : ((\sum_i <<A i>>) <= \sum_i <<A i>>)%MS by [].
rewrite map_mx_sum; apply: summx_sub => i _.
have /submxP[v ->] : (<<A i>> <= A i)%MS by rewrite genmxE.
by rewrite !map_mxM; apply: mulmx_sub; apply: mulmx_sub.
Qed.

Section Unfittable.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation d_out := (d_out D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation rat_map := (map_mx (@ratr R)).
Hypothesis okD : wf_sizes D.
Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N := n_gt0 okP.

(* the data as rational numbers                                                     *)
Let X (t : 'I_T) : 'M[rat]_(n, d) := mx rat_numFieldType n d (q_contexts D) (context_at D t).
Let q : 'I_T -> 'cV[rat]_d := query_vec rat_numFieldType d (q_queries D) (queries D).

Lemma ratr_toF z : ratr (toF rat_numFieldType z) = toF R z. Proof. exact: ratr_int. Qed.
Lemma map_context t : rat_map (X t) = E t.
Proof. by apply/matrixP => i j; rewrite !mxE fmorph_div /= !ratr_toF. Qed.
Lemma map_query t : rat_map (q t) = e t.
Proof. by apply/matrixP => i j; rewrite !mxE fmorph_div /= !ratr_toF. Qed.

Lemma map_diffs t : rat_map (diffs (X t)) = diffs (E t).
Proof. by rewrite /diffs map_mxM map_kermx map_const_mx rmorph1 map_context. Qed.

Lemma exponents_leq : (exponent_rank X q <= \rank (exponent_matrix R D))%N.
Proof.
apply: (map_sums_sub (f := [rmorphism of @ratr R])) => t.
apply/row_subP => i.
have -> : row i (rat_map (exponent_rows X q t)) = mxvec ((row i (diffs (E t)))^T *m (e t)^T).
  by rewrite -map_row rowK map_mxvec map_mxM -2!map_trmx map_query map_row map_diffs.
have /submxP[u ->] : (row i (diffs (E t)) <= E t - const_mx 1 *m row (Ordinal n0) (E t))%MS.
  by apply: submx_trans (row_sub _ _) (diffs_sub_first (E t) (Ordinal n0)).
rewrite mulmx_sum_row linear_sum /= mulmx_suml linear_sum; apply: summx_sub => k _.
rewrite linearZ /= -scalemxAl linearZ; apply: scalemx_sub; rewrite row_minus_first.
by apply: (eq_row_sub (enum_rank (t, (k, Ordinal n0)))); rewrite rowK enum_rankK.
Qed.

Lemma differences_leq : (difference_rank X <= \rank (difference_matrix R D))%N.
Proof. by apply: (map_sums_sub (f := [rmorphism of @ratr R])) => t; rewrite map_diffs; apply: diffs_sub. Qed.

Lemma tokens_leq : (token_rank X <= \rank (token_matrix R D))%N.
Proof.
by apply: (map_sums_sub (f := [rmorphism of @ratr R])) => t; rewrite map_context; apply: context_sub_tokens.
Qed.

Theorem no_layer_fits b : (0 < H)%N ->
    (H * \rank (exponent_matrix R D) + d_out * ((H - 1) * \rank (difference_matrix R D) + \rank (token_matrix R D))
      < T * d_out)%N ->
  ~ layer_fits R D b.
Proof.
move=> H0 many; have few : (H * exponent_rank X q + d_out * ((H - 1) * difference_rank X + token_rank X) < T * d_out)%N.
  apply: leq_ltn_trans many; apply: leq_add; rewrite leq_mul2l ?exponents_leq ?orbT //.
  by apply/orP; right; apply: leq_add tokens_leq; rewrite leq_mul2l differences_leq orbT.
have EX : E = fun t => rat_map (X t) by apply/funext => t; rewrite map_context.
have eq : e = fun t => rat_map (q t) by apply/funext => t; rewrite map_query.
rewrite /layer_fits /some_layer_fits EX eq; case: b.
  have [N [m [[p mp] mP]]] := fitted_labels_relation R n0 H0 few.
  case=> y none [dh [dv [d_o [P /mP rel]]]]; case/negP: mp; apply/eqP.
  exact: none rel p.
have [y yP] := unfittable_integer_labels R n0 H0 few.
by move/(_ (fun t o => (y t o)%:Z)) => [dh [dv [d_o [P fit]]]]; apply: (yP dh dv d_o P).
Qed.

End Unfittable.
