(* The proved checker, query biases: what it proves of the problem with_query_bias D is true of the layer   *)
(* with free query biases.                                                                                  *)
(*                                                                                                          *)
(*   with_query_bias_E, with_query_bias_e == its tokens and queries                                         *)
(*                  capacity_with_query_bias == its capacity is biased_capacity                             *)
From Attest Require Import integers attention layer_variants problem literal_arithmetic logits query_biases nonparallel.

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
  by rewrite row_mxEl mxE /context_at ltn_ord /= ltn_ord.
have -> : j = rshift (d D) k by apply/val_inj.
by rewrite row_mxEr mxE /= ltnNge leq_addr /= toF0 mul0r.
Qed.

Lemma with_query_bias_e (t : 'I_(T D)) : e R D' t = padded_query (e R D t).
Proof.
apply/colP => j; rewrite !mxE /ent /= (nth_map 0%N) ?size_iota // nth_iota // add0n nth_rcons size_mkseq.
case: (splitP j) => k jk.
  by rewrite jk ltn_ord nth_mkseq // !mxE.
rewrite jk (ltn_geF (leq_addr _ _)) ord1 addn0 eqxx mxE divff //.
by rewrite toF_pos.
Qed.

Theorem capacity_with_query_bias : capacity R D' = biased_capacity R D.
Proof.
have ZE (P : weights R (H D) (d D + 1) (d_h D) 0 0 0) : attention.Z (E R D') (e R D') P =
    attention.Z (fun t => padded_context (E R D t)) (fun t => padded_query (e R D t)) P.
  by apply/row_matrixP => t; rewrite !rowK with_query_bias_E with_query_bias_e.
apply/eqP; rewrite eqn_leq; apply/andP; split; apply: largest_leq => k.
  move=> [P /leq_trans]; apply; rewrite ZE padded_Z_rank; apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
  by exists (fun h => usubmx (WK P h)), (fun h => usubmx (WQ P h)), (fun h => (dsubmx (WQ P h))^T).
move=> [K [Q [b /leq_trans]]]; apply.
pose P : weights R (H D) (d D + 1) (d_h D) 0 0 0 := Weights (fun h => col_mx (K h) 0) (fun h => col_mx (Q h) (b h)^T) (fun=> 0) 0 0.
have PE : \rank (attention.Z (E R D') (e R D') P) = \rank (query_biased_Z (E R D) (e R D) K Q b).
  rewrite ZE padded_Z_rank; congr (\rank (query_biased_Z _ _ _ _ _)); apply/funext => h;
    by rewrite /P /= ?col_mxKu ?col_mxKd ?trmxK.
rewrite -PE; apply: largest_geq; last by exists P.
by rewrite leq_min rank_leq_row rank_leq_col.
Qed.

End Capacity.
