(* The proved checker, query biases: what it proves of the problem with_query_bias D is true of the layer   *)
(* with free query biases.                                                                                  *)
(*                                                                                                          *)
(*   with_query_bias_E, with_query_bias_e == its tokens and queries                                         *)
(*                  capacity_with_query_bias == its capacity is biased_capacity                             *)
(*             kind_capacity_with_query_bias == the same with sinks or sigmoid coefficients                 *)
From Attest Require Import integers attention layer_variants problem literal_arithmetic logits other_layers query_biases nonparallel.

Local Notation Z := BinNums.Z.

Section Capacity.
Variables (R : realType) (D : problem).
Local Notation D' := (with_query_bias D).
Hypotheses (okD : wf_problem D).

Lemma with_query_bias_E (t : 'I_(T D)) : E R D' t = padded_context (E R D t).
Proof.
apply/matrixP => i j; rewrite mxE /context_at /= ltn_ord.
have jE k : ent [seq rcons x 0%coqZ | x <- context_rows D t] i k = if (k < d D)%N then ent (context_rows D t) i k else 0%coqZ.
  rewrite /ent; have /and3P[_ /allP rows _] := okD.
  have := rows (nat_of_ord t); rewrite mem_iota /= add0n ltn_ord /context_at ltn_ord => /(_ isT)/andP[/eqP sC sr].
  have iC : (i < size (context_rows D t))%N by rewrite sC.
  rewrite (nth_map [::]) // nth_rcons; have /allP/(_ (nth [::] (context_rows D t) i)) := sr.
  rewrite mem_nth // => /(_ isT) sd; case: (ltngtP k (size _)) => [kr|rk|->].
  - by rewrite (leq_trans kr sd).
  - by case: ifP => // _; rewrite nth_default // ltnW.
  by case: ifP => // _; rewrite nth_default.
rewrite jE /padded_context; case: (splitP j) => k jk.
  have -> : j = lshift 1 k by apply/val_inj.
  by rewrite row_mxEl mxE /context_at /= !ltn_ord.
have -> : j = rshift (d D) k by apply/val_inj.
by rewrite row_mxEr mxE /= toF0 mul0r.
Qed.

Lemma with_query_bias_e (t : 'I_(T D)) : e R D' t = padded_query (e R D t).
Proof.
apply/colP => j; rewrite !mxE /ent /= (nth_map 0%N) ?size_iota // nth_iota // add0n nth_rcons size_mkseq.
case: (splitP j) => k jk.
  by rewrite jk nth_mkseq // !mxE.
by rewrite jk ord1 addn0 eqxx mxE eqxx divff // toF_pos.
Qed.

Theorem capacity_with_query_bias : capacity R D' = biased_capacity R D.
Proof.
have ZE (P : weights R (H D) (d D + 1) (d_h D) 0 0 0) : attention.Z (E R D') (e R D') P =
    attention.Z (fun t => padded_context (E R D t)) (fun t => padded_query (e R D t)) P.
  by rewrite (funext with_query_bias_E) (funext with_query_bias_e).
apply/eqP; rewrite eqn_leq; apply/andP; split; apply: largest_leq => k.
  move=> [P /leq_trans]; apply; rewrite ZE padded_Z_rank; apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
  by exists (fun h => usubmx (WK P h)), (fun h => usubmx (WQ P h)), (fun h => (dsubmx (WQ P h))^T).
move=> [K [Q [b /leq_trans]]]; apply.
pose P : weights R (H D) (d D + 1) (d_h D) 0 0 0 := Weights (fun h => col_mx (K h) 0) (fun h => col_mx (Q h) (b h)^T) (fun=> 0) 0 0.
have KE : (fun h => usubmx (WK P h)) = K by apply/funext => h; apply: col_mxKu.
have QE : (fun h => usubmx (WQ P h)) = Q by apply/funext => h; apply: col_mxKu.
have bE : (fun h => (dsubmx (WQ P h))^T) = b by apply/funext => h; rewrite col_mxKd trmxK.
have PE : \rank (attention.Z (E R D') (e R D') P) = \rank (query_biased_Z (E R D) (e R D) K Q b).
  by rewrite ZE padded_Z_rank KE QE bE.
rewrite -PE; apply: largest_geq; last by exists P.
by rewrite leq_min rank_leq_row rank_leq_col.
Qed.

Lemma padded_attn_out (A : 'I_(T D) -> 'M[R]_(H D, n D)) : \rank (attn_out A (E R D')) = \rank (attn_out A (E R D)).
Proof.
have -> : E R D' = fun t => E R D t *m row_mx 1%:M 0.
  by apply/funext => t; rewrite with_query_bias_E mul_mx_row mulmx1 mulmx0.
have outE m (K : 'M[R]_(d D, m)) : attn_out A (fun t => E R D t *m K) = attn_out A (E R D) *m lin_mx (mulmxr K).
  by apply/row_matrixP => t; rewrite row_mul !rowK mul_vec_lin /= mulmxA.
apply/eqP; rewrite eqn_leq outE mxrankM_maxl /=.
suff {1}-> : attn_out A (E R D) = attn_out A (E R D) *m lin_mx (mulmxr (row_mx 1%:M (0 : 'M_(_, 1)))) *m lin_mx (mulmxr (col_mx 1%:M 0)).
  exact: mxrankM_maxl.
by apply/row_matrixP => t; rewrite !row_mul !rowK !mul_vec_lin /= -mulmxA mul_row_col mulmx1 mulmx0 addr0 mulmx1.
Qed.

Lemma padded_logits m (C : 'M[R]_(m, d D)) (u : 'cV[R]_(d D)) (K Q : 'M[R]_(d D + 1, d_h D)) :
  padded_context C *m (K *m Q^T) *m padded_query u = C *m usubmx K *m ((usubmx Q)^T *m u + (dsubmx Q)^T).
Proof.
by rewrite mulmxA -{1}[K]vsubmxK -{1}[Q]vsubmxK mul_row_col mul0mx addr0 tr_col_mx -mulmxA mul_row_col mulmx1.
Qed.

Theorem kind_capacity_with_query_bias k : capacity_of_kind R D' k = biased_capacity_of_kind R D k.
Proof.
apply/eqP; rewrite eqn_leq; apply/andP; split; apply: largest_leq => r.
  move=> [A [s [P AP]] /leq_trans]; apply; rewrite padded_attn_out.
  apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
  exists A => //; exists s, (fun h => usubmx (WK P h)), (fun h => usubmx (WQ P h)), (fun h => (dsubmx (WQ P h))^T) => t h.
  by rewrite AP with_query_bias_E with_query_bias_e padded_logits.
move=> [A [s [K [Q [b AP]]]] /leq_trans]; apply; rewrite -padded_attn_out.
apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
exists A => //.
exists s, (Weights (fun h => col_mx (K h) 0) (fun h => col_mx (Q h) (b h)^T) (fun=> 0) 0 0 : weights R (H D) (d D + 1) (d_h D) 0 0 0) => t h.
by rewrite AP with_query_bias_E with_query_bias_e padded_logits !col_mxKu col_mxKd trmxK.
Qed.

End Capacity.
