(* The proved checker, tokens that are sums of words and positions, for all vectors of words and positions: the graph     *)
(* that joins them bounds the affine hull of the tokens.                                                                 *)
(*                                                                                                                       *)
(*   words_and_positions, some_embeddings == the schemas of docs/statements.md                                           *)
From Attest Require Import integers attention affine_hull.
From Attest Require Import literal_arithmetic problem logits quantity_bounds schemas memorized.

Local Notation Z := BinNums.Z.

Section Embeddings.
Variables (R : realType) (D : problem) (c : claim).
Hypothesis okD : wf_sizes D.
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation s := (sequences (args c)).
Hypothesis okS : (size s == T) && all (fun r => size r == n) s.
Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N := n_gt0 okP.
Let T0 : (0 < T)%N. Proof. by case/and5P: okD. Qed.
Let ws := words_of s.
Let g := joined D s.

Lemma word_in (t : 'I_T) (i : 'I_n) : ent s t i \in ws.
Proof.
have /andP[/eqP sT /allP sn] := okS; rewrite (mem_distinct _ Z.eqb_spec); apply/flattenP.
have ts : nth [::] s t \in s by rewrite mem_nth ?sT.
by exists (nth [::] s t) => //; apply: mem_nth; rewrite (eqP (sn _ ts)).
Qed.

Lemma edge_in (t : 'I_T) (i : 'I_n) : (ent s t i, nat_of_ord i, nth [::] (context_at D t) i) \in edges D s.
Proof.
apply/flattenP; exists [seq (ent s t i', i', nth [::] (context_at D t) i') | i' <- iota 0 n].
  by apply/mapP; exists (nat_of_ord t); rewrite ?mem_iota ?ltn_ord.
by apply/mapP; exists (nat_of_ord i); rewrite ?mem_iota ?ltn_ord.
Qed.

Lemma word_number (t : 'I_T) (i : 'I_n) : (index (ent s t i) ws < size ws)%N.
Proof. by rewrite index_mem word_in. Qed.
Let w t i : 'I_(size ws) := Ordinal (word_number t i).

Section Hull.
Variables (word : Z -> 'rV[R]_d) (position : 'I_n -> 'rV[R]_d).

Lemma sums_hull : exists m (V : 'M[R]_(m, d)), (\rank V < spread D s)%N /\
  forall t i, (row i (embedded c word position t) - row (Ordinal n0) (embedded c word position (Ordinal T0)) <= V)%MS.
Proof.
pose lw (k : 'I_(size ws)) := (nth (0%N, [::]) g.1 k).1; pose lp (i : 'I_n) := (nth (0%N, [::]) g.2 i).1.
pose B : 'M[R]_(size ws + n, d) := col_mx (\matrix_k word (nth 0%coqZ ws k)) (\matrix_i position i).
(* the components that are counted, each with a position                           *)
have [L [LP LE joins]] : exists L : seq nat, [/\ forall k : 'I_(size L), exists i, lp i = nth 0%N L k, uniq L /\
    spread D s = (size ws + n - size L)%N & (0 < size L)%N -> forall t i, lw (w t i) = lp i].
  rewrite /spread -/ws -/g; case: ifP => [/allP whole|_]; last by exists [::]; split=> // -[].
  exists (undup [seq y.1 | y <- take n g.2]); split=> [k||_ t i]; first 1 last.
  - by rewrite undup_uniq.
  - by apply/eqP; have := whole _ (edge_in t i).
  have : nth 0%N (undup [seq y.1 | y <- take n g.2]) k \in [seq y.1 | y <- take n g.2] by rewrite -mem_undup mem_nth.
  case/(nthP 0%N) => i; rewrite size_map size_take_min leq_min => /andP[iN ig] <-.
  by exists (Ordinal iN); rewrite /lp (nth_map (0%N, [::])) ?nth_take // size_take_min leq_min iN.
have [uL ->] := LE.
(* combinations that each component and all words sum to 0 in                      *)
pose A k := \row_(j < size L) (lw k == nth 0%N L j)%:R : 'rV[R]_(size L).
pose U : 'M[R]_(size ws + n, size L + 1) :=
  block_mx (\matrix_k A k) (const_mx 1) (- \matrix_(i < n, j < size L) (lp i == nth 0%N L j)%:R) 0.
have rU : (size L < \rank U)%N.
  have /fin_all_exists[f fE] := LP; pose w0 := w (Ordinal T0) (Ordinal n0).
  pose X : 'M[R]_(size L + 1, size ws + n) := block_mx 0 (- \matrix_j delta_mx 0 (f j)) (delta_mx 0 w0) 0.
  have XU : X *m U = block_mx 1%:M 0 (A w0) 1%:M.
    rewrite mulmx_block !mul0mx !mulmx0 !add0r !addr0 mulNmx mulmxN opprK; congr block_mx.
    - apply/row_matrixP => j; rewrite row_mul rowK -rowE; apply/rowP => k; rewrite !mxE fE.
      by rewrite nth_uniq // -val_eqE.
    - by rewrite -rowE rowK.
    by apply/matrixP => x y; rewrite !ord1 -rowE !mxE.
  have uXU : X *m U \in unitmx by rewrite XU unitmxE det_lblock !det1 mulr1 unitr1.
  have /eqP rXU : row_free (X *m U) by rewrite row_free_unit.
  by apply: leq_trans (mxrankM_maxr X U); rewrite rXU addn1.
exists (size ws + n)%N, (kermx U *m B); split.
  apply: leq_ltn_trans (mxrankM_maxl _ _) _; rewrite mxrank_ker.
  have leU : (\rank U <= size ws + n)%N := rank_leq_row U.
  by rewrite ltn_sub2l // (leq_trans rU).
pose y t i : 'rV[R]_(size ws + n) := row_mx (delta_mx 0 (w t i)) (delta_mx 0 i).
have yB t i : row i (embedded c word position t) = y t i *m B.
  by rewrite mul_row_col -!rowE !rowK nth_index // word_in.
have yU t i : y t i *m U = row_mx 0 1.
  rewrite mul_row_block !mulmx0 addr0 mulmxN -!rowE !rowK row_const (_ : const_mx 1 = 1); last by apply/matrixP => a b; rewrite !ord1 !mxE.
  congr row_mx.
  by apply/rowP => j; rewrite !mxE joins ?subrr // (leq_ltn_trans (leq0n j) (ltn_ord j)).
move=> t i; rewrite !yB -mulmxBl; apply: submxMr; apply/sub_kermxP; by rewrite mulmxBl !yU subrr.
Qed.

End Hull.

Theorem words_and_positions : (0 < spread D s)%N /\ (embedded_capacity R D c <= H * (spread D s).-1 + 1)%N.
Proof.
split; first by have [m [V [/(leq_ltn_trans (leq0n _))]]] := sums_hull (fun=> 0) (fun=> 0).
apply: largest_leq => k [word [position [queries [P /leq_trans]]]]; apply.
have [m [V [rV hull]]] := sums_hull word position; apply: leq_trans (affine_hull_bound _ _ hull) _.
by rewrite leq_add2r leq_mul2l -ltnS prednK ?rV ?orbT // (leq_ltn_trans _ rV).
Qed.

Theorem some_embeddings : sums_of_words D s -> (capacity R D <= embedded_capacity R D c)%N.
Proof.
move=> /allP sums; have /capacity_geq[P rP] := leqnn (capacity R D).
pose q : R := toF R (Zpos (q_contexts D)).
pose literal (v : seq Z) : 'rV[R]_d := \row_j (toF R (nth 0%coqZ v j) / q).
pose word z := literal (nth (0%N, [::]) g.1 (index z ws)).2.
pose position (i : 'I_n) := literal (nth (0%N, [::]) g.2 i).2.
apply: (leq_trans rP); apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
exists word, position, (e R D), P; rewrite (_ : embedded c word position = E R D) //.
apply/funext => t; apply/row_matrixP => i; rewrite rowK; apply/rowP => j; rewrite !mxE /ent -mulrDl.
have /equal_rowP := sums _ (edge_in t i); rewrite /= -/ws -/g; move: (nth _ g.1 _).2 (nth _ g.2 _).2 => v u xE.
have jz : (j < size (zip u v))%N.
  have /and5P[_ _ _ _ /allP rows] := okD; have := rows t; rewrite mem_iota ltn_ord => /(_ isT)/allP sr.
  have /sr/eqP : nth [::] (context_at D t) i \in context_at D t by rewrite mem_nth ?(size_context okP).
  by rewrite -xE size_map => ->.
rewrite -xE (nth_map (0, 0)%coqZ) // nth_zip_cond jz.
rewrite -[(_, _).1]/(nth 0%coqZ u j) -[(_, _).2]/(nth 0%coqZ v j) Z.mul_1_l Z.add_comm (rmorphD (toF_rmorphism R)); reflexivity.
Qed.

End Embeddings.
