(* The proved checker, parts of a problem: what the capacity with fewer heads, or of some  *)
(* of the examples, says about the capacity.                                               *)
(*                                                                                         *)
(*    part_and_others, concave_parts, concave_from_0, concave_from_constants, any_heads,   *)
(*          many_heads == the schemas of docs/statements.md                               *)
From Attest Require Import integers attention concave_heads token_order.
From Attest Require Import literal_arithmetic problem parts logits quantity_bounds schemas heads.

Local Notation Z := BinNums.Z.

Section Parts.
Variables (R : realType) (D : problem).
Hypothesis okD : wf_sizes D.
Local Notation T := (T D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).

Let okP := wf_sizes_problem okD.

Section Part.
Variable p : part.
Hypothesis good : good_part D p.
Local Notation ex := (part_examples p).

Let in_T (k : 'I_(size ex)) : (nth 0%N ex k < T)%N.
Proof. by have /andP[_ /allP] := good; apply; apply: mem_nth. Qed.
Let f k : 'I_T := Ordinal (in_T k).

Lemma capacity_part H : layer_capacity (problem.E R (part_of D p)) (problem.e R (part_of D p)) (d_h D) H =
  layer_capacity (E \o f) (e \o f) (d_h D) H.
Proof.
have -> : problem.E R (part_of D p) = E \o f.
  apply/funext => k; have kp : (k < size ex)%N := ltn_ord k.
  by rewrite /problem.E [context_at (part_of D p) k]/context_at /= kp.
have -> // : problem.e R (part_of D p) = e \o f.
by apply/funext => k; apply/colP => j; rewrite !mxE /ent /= (nth_map 0%N).
Qed.

Theorem part_and_others : (H D <= part_heads p)%N ->
  (capacity R D <= capacity R (part_of D p) + size (outside D p))%N.
Proof.
move=> Hp; rewrite -[capacity R D]/(layer_capacity E e (d_h D) (H D)).
rewrite -[capacity R (part_of D p)]/(layer_capacity (problem.E R (part_of D p)) _ (d_h D) (part_heads p)) capacity_part.
apply: leq_trans (leq_add (layer_capacity_mono _ _ _ Hp) (leqnn _)).
have [[x [K Q]] [/= xE <-]] := layer_capacity_reached (d_h D) E e (H D).
apply: leq_trans (leq_add (@layer_capacity_geq _ _ _ _ _ (E \o f) (e \o f) _ ((E \o f, e \o f), (K, Q)) erefl) (leqnn _)).
rewrite /generic_data.Z_at xE Zmx_rows /=; set Z0 := Zmx E e _; set s := outside D p.
have same (t t' : 'I_T) : example_key D t = example_key D t' -> row t Z0 = row t' Z0.
  by move=> /(same_example_key R okD) tt; rewrite /Z0 (same_row _ tt).
have [S SP] := rows_of_classes s same.
apply: leq_trans (_ : \rank (rowsub f Z0 + S)%MS <= _)%N; last first.
  by apply: leq_trans (mxrank_adds_leqif _ _) _; rewrite leq_add2l rank_leq_row.
apply/mxrankS/row_subP => t.
have [/hasP[y /mapP[t' t'p ->] /equal_exampleP eqy]|new] :=
    boolP (has (equal_example (example_key D t)) [seq example_key D t' | t' <- ex]).
  have kp : (index t' ex < size ex)%N by rewrite index_mem.
  apply: submx_trans (addsmxSl _ _); rewrite (_ : row t Z0 = row (Ordinal kp) (rowsub f Z0)) ?row_sub //.
  by rewrite row_rowsub; apply: same; rewrite eqy /= nth_index.
have xs : example_key D t \in s.
  by rewrite (mem_distinct _ equal_exampleP) mem_filter new map_f // mem_iota ltn_ord.
by apply: submx_trans (addsmxSr _ _); have [i ->] := SP t xs; apply: row_sub.
Qed.

Lemma capacity_all_examples : size ex = T ->
  capacity R (part_of D p) = layer_capacity E e (d_h D) (part_heads p).
Proof.
move=> sT; rewrite -[LHS]/(layer_capacity (problem.E R (part_of D p)) _ (d_h D) (part_heads p)) capacity_part.
apply: layer_capacity_all_rows => t; have /andP[uex /allP inT] := good.
have tex : (t : nat) \in ex.
  have sub : {subset ex <= iota 0 T} by move=> x /inT; rewrite mem_iota.
  have le : (size (iota 0 T) <= size ex)%N by rewrite size_iota sT.
  by have [_ ->] := uniq_min_size uex sub le; rewrite mem_iota ltn_ord.
have kp : (index (t : nat) ex < size ex)%N by rewrite index_mem.
by exists (Ordinal kp); apply: val_inj; rewrite /= nth_index.
Qed.

End Part.

Theorem concave_parts p q : good_part D p -> good_part D q -> size (part_examples p) = T -> size (part_examples q) = T ->
    (part_heads q < part_heads p <= H D)%N ->
  ((part_heads p - part_heads q) * capacity R D + (H D - part_heads p) * capacity R (part_of D q) <=
   (H D - part_heads q) * capacity R (part_of D p))%N.
Proof.
move=> gp gq sp sq /andP[qp pH]; rewrite !capacity_all_examples //.
by apply: concave_heads; rewrite (ltnW qp).
Qed.

Theorem concave_from_0 p : good_part D p -> size (part_examples p) = T -> (part_heads p <= H D)%N ->
  (part_heads p * capacity R D <= H D * capacity R (part_of D p))%N.
Proof.
move=> gp sp pH; rewrite capacity_all_examples //.
have := @concave_heads R T n d (d_h D) E e 0 (part_heads p) (H D); rewrite pH subn0 => /(_ isT).
by rewrite subn0; apply: leq_trans; apply: leq_addr.
Qed.

(* --- any number of heads *)
Theorem any_heads : (capacity R D <= largest_rank R D)%N.
Proof.
apply: largest_leq => k [P /leq_trans]; apply; apply: largest_geq; first exact: rank_leq_row.
by exists (H D), P.
Qed.

Theorem many_heads p : good_part D p -> (capacity R (part_of D p) <= largest_rank R D)%N.
Proof.
move=> gp; rewrite -[capacity _ _]/(layer_capacity (problem.E R (part_of D p)) _ (d_h D) (part_heads p)).
rewrite capacity_part //; apply: leq_trans (layer_capacity_rows _ _ _ _ _) _.
apply: largest_leq => k [P /leq_trans]; apply; apply: largest_geq; first exact: rank_leq_row.
by exists (part_heads p), P.
Qed.

(* --- columns that every head has *)
Lemma token_of_example j : exists t i, row j (token_matrix R D) = row i (E t).
Proof.
have sC := size_contexts D.
have : nth [::] (tokens D) j \in tokens D by apply: mem_nth.
rewrite (mem_distinct _ equal_rowP) => /flattenP[C CD rC].
have tT : (index C (contexts D) < T)%N by rewrite -sC index_mem.
have CE : context_at D (index C (contexts D)) = C by rewrite -contextE nth_index.
have iN : (index (nth [::] (tokens D) j) C < n)%N by rewrite -(size_context okP (Ordinal tT)) /= CE index_mem.
exists (Ordinal tT), (Ordinal iN); apply/rowP => k; rewrite !mxE /ent /= CE nth_index //.
Qed.

Theorem concave_from_constants p : good_part D p -> size (part_examples p) = T -> (0 < part_heads p <= H D)%N ->
  (part_heads p * capacity R D + (H D - part_heads p) * (\rank (token_matrix R D) - \rank (difference_matrix R D)) <=
   H D * capacity R (part_of D p))%N.
Proof.
move=> gp sp pH; rewrite capacity_all_examples //; pose n0 := n_gt0 okP.
pose K := cokermx (difference_matrix R D); pose M := \matrix_t (row (Ordinal n0) (E t) *m K).
have const t i : row i (E t) *m K = row t M.
  have : (row i (E t) - row (Ordinal n0) (E t)) *m K == 0 by rewrite -submxE; apply: (difference_row R okD).
  by rewrite mulmxBl subr_eq0 rowK => /eqP.
apply: leq_trans (concave_constants (d_h D) e n0 const pH); rewrite leq_add2l leq_mul2l; apply/orP; right.
set L := token_matrix R D; have LM : (L *m K <= M)%MS.
  by apply/row_subP => j; rewrite row_mul; have [t [i ->]] := token_of_example j; rewrite const row_sub.
apply: leq_trans (mxrankS LM); rewrite leq_subLR -(mxrank_mul_ker L K) addnC leq_add2r.
apply: mxrankS; rewrite submxE; apply/eqP; rewrite -/K; apply/sub_kermxP; apply: capmxSr.
Qed.

End Parts.
