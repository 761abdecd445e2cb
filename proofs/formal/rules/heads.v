(* The proved checker, equal rows and columns of Z: heads whose logits differ by  *)
(* a constant in every example, heads that are constant in a shared context, and  *)
(* equal examples.                                                                *)
(*                                                                                *)
(*  heads_linear_rank, heads_affine_rank == the ranks of heads that few heads cover *)
(*  rank_equal_heads, rank_constant_heads == heads(W), moving(W) bound rank(Z(W))  *)
(*  rank_equal_rows, capacity_equal_examples == distinct(examples) bounds them     *)
(*  rank_equal_labelled_rows, rank_labels_beside == bounds of the rank of [Z Y]     *)
From Attest Require Import integers attention affine_hull biases literal_arithmetic problem logits.
From Attest Require Import token_order periods quantity_bounds schemas.
From mathcomp Require Import perm.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Coefficients of any kind                                                    *)
(* -------------------------------------------------------------------------- *)
Section Cover.
Variables (F : fieldType) (T H n d D : nat) (A : 'I_T -> 'M[F]_(H, n)) (E : 'I_T -> 'M[F]_(n, d)).
Variables (f : 'I_D -> 'I_H) (K : bool).
Hypothesis sA : forall t, sum1 (A t).
(* every head equals one of f, or it is constant (then K)                      *)
Hypothesis cover : forall h, (exists i, forall t, row h (A t) = row (f i) (A t)) \/
  (K /\ forall t t', row h (A t) *m E t = row h (A t') *m E t').
Let B t : 'M[F]_(D, n) := rowsub f (A t).
Let ones : 'rV[F]_T := const_mx K%:R.

Let sB t : sum1 (B t).
Proof. by move=> i; rewrite -[RHS](sA t (f i)); apply: eq_bigr => j _; rewrite mxE. Qed.

Lemma cover_sub : ((attn_out A E)^T <= (attn_out B E)^T + ones)%MS.
Proof.
apply/row_subP => c; case/mxvec_indexP: c => h j.
case: (cover h) => [[i hi]|[K1 z]].
  apply: submx_trans (addsmxSl _ _); apply: eq_row_sub (mxvec_index i j) _.
  apply/rowP => t; rewrite !mxE !mxvecE -[LHS]/((B t *m E t) i j) -[RHS]/((A t *m E t) h j).
  have -> : (B t *m E t) i j = (row i (B t) *m E t) 0 j by rewrite -row_mul [RHS]mxE.
  have -> : (A t *m E t) h j = (row h (A t) *m E t) 0 j by rewrite -row_mul [RHS]mxE.
  by rewrite row_rowsub hi.
apply: submx_trans (addsmxSr _ _); case: (posnP T) => T0.
  suff -> : row (mxvec_index h j) (attn_out A E)^T = 0 by rewrite sub0mx.
  by apply/rowP => t; have := ltn_ord t; rewrite {2}T0.
rewrite (_ : row _ _ = (row h (A (Ordinal T0)) *m E (Ordinal T0)) 0 j *: ones) ?scalemx_sub //.
apply/rowP => t; rewrite -(z t) /ones K1 !mxE mulr1 mxvecE -[LHS]/((A t *m E t) h j).
by rewrite mxE; apply: eq_bigr => i _; rewrite mxE.
Qed.

Lemma rank_cover : (\rank (attn_out A E) <= \rank ((attn_out B E)^T + ones)%MS)%N.
Proof. by rewrite -mxrank_tr mxrankS // cover_sub. Qed.

Lemma rank_ones : (\rank ones <= K)%N.
Proof.
rewrite /ones; case: K; first exact: rank_leq_row.
by rewrite (_ : const_mx _ = 0) ?mxrank0 //; apply/matrixP => i j; rewrite !mxE.
Qed.

Lemma heads_linear_rank m (V : 'M[F]_(m, d)) : (forall t, (E t <= V)%MS) ->
  (\rank (attn_out A E) <= D * \rank V + K)%N.
Proof.
move=> EV; apply: leq_trans rank_cover _; apply: leq_trans (mxrank_adds_leqif _ _) _.
by rewrite leq_add ?rank_ones // mxrank_tr linear_hull_rank.
Qed.

(* Z minus a row of ones times x0 in every block lies in D dim(V) dimensions    *)
Lemma heads_affine_rank (x0 : 'rV[F]_d) m (V : 'M[F]_(m, d)) :
    (forall t i, (row i (E t) - x0 <= V)%MS) ->
  (\rank (attn_out A E) <= D * \rank V + 1)%N.
Proof.
move=> EV; pose G t := E t - const_mx 1 *m x0; pose one : 'rV[F]_T := const_mx 1.
have GV t : (G t <= V)%MS.
  apply/row_subP => i; rewrite linearB /= row_mul.
  have -> : row i (const_mx 1 : 'cV[F]_n) = 1%:M by apply/matrixP=> a b; rewrite !ord1 !mxE.
  by rewrite mul1mx EV.
have BE : attn_out B E = attn_out B G + one^T *m mxvec (const_mx 1 *m x0 : 'M_(D, d)).
  apply/row_matrixP => t; rewrite linearD /= row_mul !rowK.
  have -> : row t one^T = 1%:M by apply/matrixP=> a b; rewrite !ord1 !mxE.
  rewrite mul1mx -linearD /= /G mulmxBr mulmxA (sum1P (sB t)).
  by rewrite subrK.
apply: leq_trans rank_cover _.
apply: leq_trans (_ : \rank ((attn_out B G)^T + one)%MS <= _)%N.
  apply: mxrankS; rewrite addsmx_sub; apply/andP; split.
    by rewrite BE linearD /= trmx_mul trmxK addmx_sub_adds ?submxMl.
  apply: submx_trans (addsmxSr _ _); rewrite /ones (_ : const_mx K%:R = K%:R *: one) ?scalemx_sub //.
  by apply/matrixP => i j; rewrite !mxE mulr1.
apply: leq_trans (mxrank_adds_leqif _ _) _.
by rewrite leq_add ?rank_leq_row // mxrank_tr linear_hull_rank.
Qed.

End Cover.

(* -------------------------------------------------------------------------- *)
(* Heads of a layer                                                            *)
(* -------------------------------------------------------------------------- *)
Section Heads.
Variables (R : realType) (D : problem) (L : layer) (a : bool).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation coefs := (given_coefs R L a).
Hypotheses (okD : wf_sizes D) (okL : wf_layer D L).

Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N := n_gt0 okP.

Let sA (t : 'I_T) : sum1 (coefs t).
Proof.
move=> h; rewrite -[RHS](softmax_sum1 (factor R D a *: logits R L t h) n0).
by apply: eq_bigr => i _; rewrite [LHS]mxE [LHS]mxE.
Qed.

(* the coefficients are a function of the reduced logits                         *)
Lemma softmax_reduced (t : 'I_T) (h : 'I_H) :
  softmax (factor R D a *: logits R L t h) =
  softmax (\col_(i < n) (factor R D a / toF R (Zpos (raw_den D L)) *
    toF R (nth 0%coqZ (reduced (raw_logits D L (prepare L h) t)) i))).
Proof.
set l := raw_logits _ _ _ _; set c := _ / _; rewrite softmax_logits.
rewrite -[RHS](softmax_shift _ (c * toF R (nth 0%coqZ l 0))); congr softmax.
have lE (i : 'I_n) : toF R (nth 0%coqZ l i) = toF R (nth 0%coqZ (reduced l) i) + toF R (nth 0%coqZ l 0).
  rewrite -[RHS](rmorphD (toF_rmorphism R)) (nth_map 0%coqZ) ?size_raw_logits //.
  by congr (toF R _); apply/esym/Z.sub_add.
apply/colP => i; rewrite [RHS]mxE [X in _ = X + _]mxE [X in _ = _ + X]mxE -mulrDr -lE mxE.
by rewrite /l -(raw_logitsE R okP okL) /c mulrA mulfVK ?toF_pos.
Qed.

Lemma reduced_coefs (t t' : 'I_T) (g h : 'I_H) :
    reduced (raw_logits D L (prepare L g) t) = reduced (raw_logits D L (prepare L h) t') ->
  row g (coefs t) = row h (coefs t').
Proof.
move=> rE; apply/rowP => i; rewrite [LHS]mxE [RHS]mxE [LHS]mxE [RHS]mxE.
by rewrite 2!softmax_reduced rE.
Qed.

Lemma nth_head_logits (h : 'I_H) (t : 'I_T) :
  nth [::] (head_logits D L (prepare L h)) t = reduced (raw_logits D L (prepare L h) t).
Proof. by rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.

Let headsP x : reflect (exists h : 'I_H, x = head_logits D L (prepare L h)) (x \in distinct_heads D L).
Proof.
rewrite (mem_distinct _ equal_rowsP) -map_comp; apply: (iffP mapP) => [[h]|[h ->]].
  by rewrite mem_iota => /andP[_ hH] ->; exists (Ordinal hH).
by exists (h : nat) => //; rewrite mem_iota ltn_ord.
Qed.

(* the heads that P selects cover the others, but for those that are constant     *)
Lemma heads_cover (K : bool) (P : pred (seq (seq Z))) :
    (forall h : 'I_H, ~~ P (head_logits D L (prepare L h)) ->
      K /\ forall t t', row h (coefs t) *m E t = row h (coefs t') *m E t') ->
  exists f : 'I_(size [seq s <- distinct_heads D L | P s]) -> 'I_H, forall h,
    (exists i, forall t, row h (coefs t) = row (f i) (coefs t)) \/
    (K /\ forall t t', row h (coefs t) *m E t = row h (coefs t') *m E t').
Proof.
move=> rest; set U := [seq s <- _ | P s].
have /fin_all_exists[f fE] (i : 'I_(size U)) :
    exists h : 'I_H, nth [::] U i = head_logits D L (prepare L h).
  by apply/headsP; have := mem_nth [::] (ltn_ord i); rewrite mem_filter => /andP[].
exists f => h; have [Ph|/rest] := boolP (P (head_logits D L (prepare L h))); last by right.
have hU : head_logits D L (prepare L h) \in U.
  by rewrite mem_filter Ph; apply/headsP; exists h.
have iU : (index (head_logits D L (prepare L h)) U < size U)%N by rewrite index_mem.
left; exists (Ordinal iU) => t; apply: reduced_coefs.
by rewrite -!nth_head_logits -fE nth_index.
Qed.

Theorem rank_equal_heads : let N := size (distinct_heads D L) in
  (\rank (given_Z R D L a) <= minn (N * (\rank (affine_matrix R D)).-1 + 1)
                                   (N * \rank (token_matrix R D)))%N.
Proof.
rewrite /= -[distinct_heads D L]filter_predT given_Z_attn_out.
have [f cover] := @heads_cover false predT (fun h (no : ~~ true) => False_ind _ (negP no isT)).
rewrite leq_min; apply/andP; split.
  have [x0 [V [EV rV]]] := affine_difference R okD.
  apply: leq_trans (heads_affine_rank sA cover EV) _.
  by rewrite leq_add2r leq_mul2l -ltnS prednK ?rV ?orbT // affine_rank_gt0.
rewrite -[X in (_ <= X)%N]addn0.
by apply: (heads_linear_rank cover) => t; apply: context_sub_tokens.
Qed.

Theorem rank_constant_heads : size (distinct equal_rows (contexts D)) = 1%N ->
  let N := size [seq s <- distinct_heads D L | ~~ constant_rows s] in
  (\rank (given_Z R D L a) <= minn (N * (\rank (affine_matrix R D)).-1 + 1)
                                   (N * \rank (token_matrix R D) + 1))%N.
Proof.
move=> one /=; rewrite given_Z_attn_out.
have same (t t' : 'I_T) : context_at D t = context_at D t'.
  have : forall s : 'I_T, context_at D s \in distinct equal_rows (contexts D).
    by move=> s; rewrite (mem_distinct _ equal_rowsP) context_in.
  case: (distinct _ _) one => [|x [|y r]] //= _ xE.
  by have := xE t; have := xE t'; rewrite !inE => /eqP -> /eqP ->.
have [h nP|f cover] := @heads_cover true (fun s => ~~ constant_rows s).
  split=> // t t'; rewrite (_ : E t = E t'); last by rewrite /E (same t t').
  move: nP; rewrite negbK => /allP cP.
  have sz (s : 'I_T) : nth [::] (head_logits D L (prepare L h)) s \in head_logits D L (prepare L h).
    by rewrite mem_nth // size_map size_iota.
  have rE : row h (coefs t) = row h (coefs t').
    apply: reduced_coefs; rewrite -!nth_head_logits.
    by rewrite -(equal_rowP _ _ (cP _ (sz t))) -(equal_rowP _ _ (cP _ (sz t'))).
  exact: (congr1 (mulmx^~ (E t')) rE).
rewrite leq_min; apply/andP; split.
  have [x0 [V [EV rV]]] := affine_difference R okD.
  apply: leq_trans (heads_affine_rank sA cover EV) _.
  by rewrite leq_add2r leq_mul2l -ltnS prednK ?rV ?orbT // affine_rank_gt0.
by apply: (heads_linear_rank cover) => t; apply: context_sub_tokens.
Qed.

End Heads.

(* -------------------------------------------------------------------------- *)
(* Equal examples                                                              *)
(* -------------------------------------------------------------------------- *)
Lemma equal_exampleP x y : reflect (x = y) (equal_example x y).
Proof.
case: x y => [C q] [C' q']; apply: (iffP andP) => /= [[/equal_rowP-> /equal_rowsP->]|[-> ->]] //.
by split; [apply/equal_rowP|apply/equal_rowsP].
Qed.

Lemma equal_labelledP x y : reflect (x = y) (equal_labelled x y).
Proof.
case: x y => [x r] [y s]; apply: (iffP andP) => /= [[/equal_rowP-> /equal_exampleP->]|[-> ->]] //.
by split; [apply/equal_rowP|apply/equal_exampleP].
Qed.

(* rows that are functions of members of a sequence                              *)
Lemma rows_of_classes (F : fieldType) (A : eqType) T k (M : 'M[F]_(T, k)) (x : 'I_T -> A) (s : seq A) :
    (forall t t', x t = x t' -> row t M = row t' M) ->
  exists B : 'M[F]_(size s, k), forall t, x t \in s -> exists i, row t M = row i B.
Proof.
move=> ME; pose row_at i := if [pick t | index (x t) s == i] is Some t then row t M else 0.
exists (\matrix_(i < size s) row_at i) => t xs.
have placeP : (index (x t) s < size s)%N by rewrite index_mem.
exists (Ordinal placeP); rewrite rowK /row_at /=.
case: pickP => [t' /eqP tE|/(_ t)]; last by rewrite eqxx.
by apply: ME; rewrite -(nth_index (x t) xs) -tE nth_index // -index_mem tE.
Qed.

Lemma rank_classes (F : fieldType) (A : eqType) T k (M : 'M[F]_(T, k)) (x : 'I_T -> A) (s : seq A) :
    (forall t, x t \in s) -> (forall t t', x t = x t' -> row t M = row t' M) ->
  (\rank M <= size s)%N.
Proof.
move=> xs /(rows_of_classes s)[B BP]; apply: leq_trans (rank_leq_row B).
by apply/mxrankS/row_subP => t; have [i ->] := BP t (xs t); apply: row_sub.
Qed.

Section Examples.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Hypothesis okD : wf_sizes D.

Let okP := wf_sizes_problem okD.

Lemma perm_sorted_rows (C : seq (seq Z)) : perm_eq (sorted_rows C) C.
Proof.
set P := period C; set k := (size C %/ size P)%N; have CE : C = flatten (nseq k P) := periodP C.
apply/seq.permP => a; rewrite /sorted_rows -/P -/k [in RHS]CE !count_flatten map_nseq sumn_nseq -map_comp.
rewrite (perm_sumn (perm_map _ (permEl (perm_sort leq_row P)))).
move: (k) (P) {CE} => m Q; elim: Q => [|r Q IH] /=; first by rewrite mul0n.
by rewrite IH count_nseq mulnDl mulnC.
Qed.

Lemma same_example_key (t t' : 'I_T) : example_key D t = example_key D t' -> same_example (E R D) (e R D) t t'.
Proof.
move=> [ctx qry]; split; first by apply/colP => j; rewrite !mxE /ent qry.
set C := context_at D t; set C' := context_at D t'.
have sC' : size C' == n D by rewrite size_context.
have : perm_eq C (Tuple sC') by rewrite -(permPl (perm_sorted_rows C)) ctx perm_sorted_rows.
case/tuple_permP => p CE; exists p; apply/matrixP => i j; rewrite !mxE /ent -/C -/C' CE.
by rewrite -tnth_nth tnth_mktuple (tnth_nth [::]).
Qed.

Lemma example_in (t : 'I_T) : example_key D t \in distinct_examples D.
Proof.
by rewrite (mem_distinct _ equal_exampleP); apply/mapP; exists (t : nat); rewrite // mem_iota ltn_ord.
Qed.

Lemma given_Z_example L a (t t' : 'I_T) : ~~ projects L -> example_key D t = example_key D t' ->
  row t (given_Z R D L a) = row t' (given_Z R D L a).
Proof.
move=> nL /same_example_key[eE [p EE]]; rewrite !rowK; apply: (congr1 (fun f => (stack f)^T)); apply/funext => h.
pose w s := factor R D a *: vector R L s h.
have sE s : (E R D s)^T *m softmax (factor R D a *: logits R L s h) = (E R D s)^T *m softmax (E R D s *m w s).
  by rewrite softmax_logits main_logitsE // scalemxAr.
apply: etrans (sE t) (etrans _ (esym (sE t'))).
have -> : w t = w t' by rewrite /w /vector eE.
exact: softmax_perm EE.
Qed.

Theorem rank_equal_rows L a : ~~ projects L -> (\rank (given_Z R D L a) <= size (distinct_examples D))%N.
Proof. by move=> nL; apply: (rank_classes example_in) => t t'; apply: given_Z_example. Qed.

Theorem capacity_equal_examples : (capacity R D <= size (distinct_examples D))%N.
Proof.
apply: largest_leq => k [P /leq_trans]; apply; apply: (rank_classes example_in) => t t' /same_example_key.
by rewrite ZE; apply: same_row.
Qed.

(* --- with the labels *)
Theorem rank_equal_labelled_rows L a : ~~ projects L ->
  (\rank (row_mx (given_Z R D L a) (label_matrix R D))
     <= size (distinct equal_labelled [seq labelled_example D t | t <- iota 0 T]))%N.
Proof.
move=> nL; apply: (rank_classes (x := fun t : 'I_T => labelled_example D t)) => [t|t t' [CE qE yE]].
  rewrite (mem_distinct _ equal_labelledP); apply/mapP; exists (t : nat) => //.
  by rewrite mem_iota ltn_ord.
rewrite !row_row_mx (given_Z_example a (t := t) (t' := t') nL) /example_key ?CE ?qE //; congr row_mx.
by apply/rowP => o; rewrite !mxE /ent yE.
Qed.

Theorem rank_labels_beside L a :
  (\rank (given_Z R D L a) <= \rank (row_mx (given_Z R D L a) (label_matrix R D)))%N.
Proof.
set Y := label_matrix R D; have {1}-> : given_Z R D L a = row_mx (given_Z R D L a) Y *m col_mx 1%:M 0.
  by rewrite mul_row_col mulmx1 mulmx0 addr0.
exact: mxrankM_maxl.
Qed.

End Examples.
