(* The proved checker, equal rows and columns of Z: heads whose logits differ by a constant in every        *)
(* example, heads that are constant in a shared context, equal examples, and lists of tokens that are       *)
(* repeated.                                                                                                *)
(*                                                                                                          *)
(*   heads_linear_rank, heads_affine_rank == the ranks of heads that few heads cover                        *)
(*   rank_equal_heads, rank_constant_heads == heads(W), moving(W) bound rank(Z(W))                          *)
(*   rank_equal_rows, capacity_equal_examples == distinct(examples) bounds them                             *)
(*   rank_equal_labelled_rows, rank_labels_beside == bounds of the rank of [Z Y]                            *)
(*      keys_listed D l L == as many projected keys as tokens                                               *)
(*   lists_Z, lists_given_Z, lists_outputs == the problem with lists has the Z of any weights, the Z of the *)
(*                         case's layer and the outputs that the lists have                                 *)
(*   lists_coefficients, lists_combinations == and the same means and sums with coefficients of any kind    *)
From Attest Require Import integers.
From mathcomp Require Import perm.
From Attest Require Import attention layer_variants upper_bounds problem literal_arithmetic logits quantities.
From Attest Require Import other_layers quantity_bounds schemas.

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

(* ============================================================================ *)
(* Lists that are repeated                                                      *)
(* ============================================================================ *)
(* A list that is repeated has the same means.                                  *)

(* means of the rows of a matrix, with coefficients of any kind of logits that are repeated, too *)
Lemma repeated_mean (R : realType) d c (kind : coefficient_kind) (s : R) n k m (X : 'M[R]_(n, d)) (Y : 'M[R]_(k, d))
    (u : 'cV[R]_n) (v : 'cV[R]_k) (x : nat -> 'rV[R]_d) (l : nat -> R) : n = (m * k)%N -> (0 < n)%N ->
    (forall i, row i X = x (i %% k)%N) -> (forall i, row i Y = x i) ->
    (forall i, u i 0 = l (i %% k)%N) -> (forall i, v i 0 = l i) ->
  X^T *m coefs_at kind m s (c *: u) = Y^T *m coefs_at kind 1 s (c *: v).
Proof.
move=> nE n0 XE YE uE vE; have m0 : (m%:R : R) != 0 by rewrite pnatr_eq0; apply: contraTneq n0 => m0; rewrite nE m0.
have sums (g : nat -> R) : \sum_(i < n) g (i %% k)%N = m%:R * \sum_(i < k) g i.
  by move: (nE) => ->; rewrite (sum_repeated m k g) mulr_natl.
pose f i := expR (c * l i); pose S := \sum_(i < k) f i.
have Su : \sum_i expR ((c *: u) i 0) = m%:R * S by rewrite -sums; apply: eq_bigr => i _; rewrite mxE uE.
have Sv : \sum_i expR ((c *: v) i 0) = S by apply: eq_bigr => i _; rewrite mxE vE.
pose a i := match kind with Softmax => f i / S | Sinks _ _ _ => f i / (S + expR s) | Sigmoid _ => (1 + expR (- (c * l i)))^-1 end.
have aX (i : 'I_n) : coefs_at kind m s (c *: u) i 0 = a (i %% k)%N / m%:R.
  rewrite /a /coefs_at; case: kind {a} => [|q z w|w]; rewrite mxE ?Su ?mxE uE // ?invfM.
  - by rewrite mulrCA mulrC.
  - by rewrite -mulrDr invfM mulrCA mulrC.
  by rewrite mulrC.
have aY (i : 'I_k) : coefs_at kind 1 s (c *: v) i 0 = a i.
  by rewrite /a /coefs_at; case: kind {a aX} => [|q z w|w]; rewrite mxE ?Sv ?mxE vE // mul1r.
apply/colP => j; rewrite !mxE.
rewrite (eq_bigr (fun i : 'I_n => (fun i => x i 0 j * (a i / m%:R)) (i %% k)%N)) => [|i _]; last by rewrite mxE -(XE i) mxE aX.
rewrite (sums (fun i => x i 0 j * (a i / m%:R))) mulr_sumr; apply: eq_bigr => i _.
by rewrite mxE -(YE i) mxE aY mulrCA [m%:R * (_ / _)]mulrCA divff // mulr1.
Qed.

(* logits that are a function of the row *)
Definition row_logits (R : realType) d (f : 'rV[R]_d -> R) n (X : 'M[R]_(n, d)) : 'cV[R]_n := \col_i f (row i X).

Definition keys_listed (D : problem) (lists : nat -> seq (seq Z)) (L : layer) : bool :=
  if L is Projected p then
    (size (projected_keys p) == T D) && all (fun t => let K := nth [::] (projected_keys p) t in
      (size K == H D) && all (fun M => size M == size (lists t)) K) (iota 0 (T D))
  else true.

Section Lists.
Variables (R : realType) (D : problem) (N : nat) (lists : nat -> seq (seq Z)).
Local Notation D' := (with_lists D N lists).
Local Notation X := (tokens_at R (D := D) lists).
Local Notation copies t := (N %/ size (lists t))%N.
Hypothesis okD : wf_problem D'.

Lemma list_length (t : 'I_(T D)) : N = (N %/ size (lists t) * size (lists t))%N.
Proof.
have := @size_context D' okD t; rewrite /context_at ltn_ord /= size_repeated => {1}<-; exact: erefl.
Qed.

Let token t i : 'rV[R]_(d D) := \row_j (toF R (ent (lists t) i j) / toF R (Zpos (q_contexts D))).

Lemma copies_gt0 (t : 'I_(T D)) : (0 < copies t)%N.
Proof. by rewrite lt0n; apply: contraTneq (n_gt0 okD) => m0; rewrite /= (list_length t) m0. Qed.

Lemma row_repeated (t : 'I_(T D)) i : row i (E R D' t) = token t (i %% size (lists t)).
Proof.
apply/rowP => j; rewrite !mxE /ent /context_at ltn_ord /= /cycled nth_repeated //.
by rewrite -list_length ltn_ord.
Qed.

Lemma row_listed (t : 'I_(T D)) i : row i (X t) = token t i.
Proof. by apply/rowP => j; rewrite !mxE. Qed.

Lemma mean_listed kind s c (t : 'I_(T D)) (f : 'rV[R]_(d D) -> R) :
  (E R D' t)^T *m coefs_at kind (copies t) s (c *: row_logits f (E R D' t)) = (X t)^T *m coefs_at kind 1 s (c *: row_logits f (X t)).
Proof.
apply: (@repeated_mean R (d D) c kind s N _ _ (E R D' t) (X t) (row_logits f (E R D' t)) (row_logits f (X t)) (token t)
  (f \o token t) (list_length t) (n_gt0 okD)) => i.
- exact: row_repeated.
- exact: row_listed.
- by rewrite mxE row_repeated.
by rewrite mxE row_listed.
Qed.

Let softmax_listed (t : 'I_(T D)) (f : 'rV[R]_(d D) -> R) :
  (E R D' t)^T *m softmax (row_logits f (E R D' t)) = (X t)^T *m softmax (row_logits f (X t)).
Proof. by have := mean_listed Softmax 0 1 t f; rewrite !scale1r. Qed.

(* logits that are the product of a row, and a row of biases, with a column         *)
Let linear m (s : R) (K : 'M[R]_(d D, m)) (b : 'rV[R]_m) (u : 'cV[R]_m) : 'rV[R]_(d D) -> R :=
  fun r => s * ((r *m K + b) *m u) 0 0.

Let linearE n m s (K : 'M[R]_(d D, m)) b u (A : 'M[R]_(n, d D)) :
  s *: ((A *m K + const_mx 1 *m b) *m u) = row_logits (linear s K b u) A.
Proof.
apply/colP => i; rewrite [LHS]mxE [RHS]mxE /linear; congr (_ * _).
rewrite mxE [RHS]mxE; apply: eq_bigr => j _; congr (_ * _); rewrite mxE [RHS]mxE; congr (_ + _).
  by rewrite mxE [RHS]mxE; apply: eq_bigr => l _; rewrite mxE.
by rewrite mxE big_ord1 mxE mul1r.
Qed.

Theorem lists_Z (P : weights R (H D) (d D) (d_h D) 0 0 0) : attention.Z (E R D') (e R D') P = list_Z lists P.
Proof.
apply/row_matrixP => t; rewrite !rowK; congr (stack _)^T; apply/funext => h.
have zE n (A : 'M[R]_(n, d D)) u : A *m WK P h *m u = row_logits (linear 1 (WK P h) 0 u) A.
  by rewrite -linearE mulmx0 addr0 scale1r.
by rewrite /head_z /alpha /keys !zE softmax_listed.
Qed.

(* means with the coefficients of the given layer *)
Theorem lists_coefficients kind L a (t : 'I_(T D)) h : keys_listed D lists L ->
  (E R D' t)^T *m @head_coefficients R D' (kind_of_lists (T D) N lists kind) (cycled_keys N L) a t h =
    (X t)^T *m coefs_at kind 1 (sink_logit R D kind h) (factor R D a *: @list_logits R D lists L t h).
Proof.
move=> ok; transitivity ((E R D' t)^T *m coefs_at kind (copies t) (sink_logit R D kind h) (factor R D a *: @logits R D' (cycled_keys N L) t h)).
  rewrite /head_coefficients /copies_of; case: kind => [|q z c|c] //; rewrite /= (nth_map 0%N) ?size_iota // nth_iota // add0n.
    by rewrite (maxn_idPr (copies_gt0 t)).
  by rewrite (maxn_idPr (copies_gt0 t)).
have fE n m (A : 'M[R]_(n, d D)) (K : 'M[R]_(d D, m)) b u : (A *m K + const_mx 1 *m b) *m u = row_logits (linear 1 K b u) A.
  by rewrite -linearE scale1r.
have cE n (A : 'M[R]_(n, d D)) K u : A *m K *m u = row_logits (linear (m := d D) 1 K 0 u) A.
  by rewrite -fE mulmx0 addr0.
case: L ok => [m qk K qq Q qkb bK qqb bQ|q W|[w qq Q qk K]] ok; rewrite /logits /list_logits /cycled_keys.
- by rewrite !fE mean_listed.
- by rewrite !cE mean_listed.
move: ok => /= /andP[/eqP sT /allP/(_ (t : nat))]; rewrite mem_iota ltn_ord => /(_ isT)/andP[/eqP sH /allP sM].
set M := nth [::] (nth [::] K t) h; have sMh : size M = size (lists t) by apply/eqP/sM; rewrite mem_nth // sH.
have -> : nth [::] (nth [::] [seq [seq cycled N keys | keys <- heads] | heads <- K] t) h = cycled N M.
  by rewrite (nth_map [::]) ?sT // (nth_map [::]) ?sH.
set v := (row h _)^T; pose l i := \sum_(j < w) toF R (ent M i j) / toF R (Zpos qk) * v j 0.
apply: (@repeated_mean R (d D) _ kind _ N _ _ (E R D' t) (X t) _ _ (token t) l (list_length t) (n_gt0 okD)) => i;
  rewrite ?row_repeated ?row_listed // mxE.
  apply: eq_bigr => j _; congr (_ * _); rewrite mxE; congr (toF _ _ / _); rewrite /ent /cycled nth_repeated ?sMh //.
  by rewrite -list_length ltn_ord.
by apply: eq_bigr => j _; rewrite mxE.
Qed.

Theorem lists_given_Z L a : keys_listed D lists L -> given_Z R D' (cycled_keys N L) a = list_given_Z R D lists L a.
Proof.
move=> ok; apply/row_matrixP => t; rewrite !rowK; congr (stack _)^T; apply/funext => h.
exact: (lists_coefficients Softmax a t h ok).
Qed.

Theorem lists_outputs m s (bK bQ : 'I_(H D) -> 'cV[R]_m) (w : parameter D m -> R) t :
  outputs (D := D') s bK bQ w t = list_outputs lists s bK bQ w t.
Proof.
rewrite /outputs /list_outputs; apply: eq_bigr => h _; congr (_ *m _).
by rewrite /logits_at !linearE softmax_listed.
Qed.

(* numbers that could be coefficients of a kind have the same sums                   *)
Theorem lists_combinations kind (t : 'I_(T D)) (z : 'rV[R]_(d D)) :
  (exists2 a : 'rV[R]_N, in_range kind (copies t) a & z = a *m E R D' t) <->
  (exists2 a : 'rV[R]_(size (lists t)), in_range kind 1 a & z = a *m X t).
Proof.
have N0 := n_gt0 okD; have NE := list_length t; have m0 := copies_gt0 t; set k := size (lists t) in NE m0 *.
have k0 : (0 < k)%N by move: N0; rewrite /= NE; case: (k) => //; rewrite muln0.
have r0 : ((N %/ k)%:R : R) != 0 by rewrite pnatr_eq0 -lt0n.
pose place (i : 'I_N) : 'I_k := Ordinal (ltn_pmod i k0).
have rowE i : row i (E R D' t) = row (place i) (X t) by rewrite row_repeated row_listed.
have sums (V : lmodType R) (g : nat -> V) : \sum_(i < N) g (place i) = (N %/ k)%:R *: \sum_(j < k) g j.
  by rewrite scaler_nat -(sum_repeated (N %/ k) k g) -!(big_mkord xpredT (fun i => g (i %% k)%N)) -NE.
split=> [[a [a0 aK] ->]|[a [a0 aK] ->]].
  have total : \sum_j (\row_j \sum_(i | place i == j) a 0 i) 0 j = \sum_i a 0 i :> R.
    by rewrite [RHS](partition_big place xpredT) //=; apply: eq_bigr => j _; rewrite mxE.
  exists (\row_j \sum_(i | place i == j) a 0 i); last first.
    rewrite !mulmx_sum_row (partition_big place xpredT) //=; apply: eq_bigr => j _.
    by rewrite mxE scaler_suml; apply: eq_bigr => i /eqP <-; rewrite rowE.
  split=> [j|]; first by rewrite mxE; apply: sumr_ge0.
  case: kind aK => [|q s c|c] aK; rewrite ?total // => j; rewrite mul1r mxE.
  pose g i : R^o := (i == j :> nat)%:R / (N %/ k)%:R.
  have one : \sum_(i < N) g (place i) = 1.
    rewrite (sums _ g) (bigD1 j) //= big1 ?addr0 => [|i ij]; last by rewrite /g (_ : (_ == _) = false) ?mul0r //; apply/negbTE.
    by rewrite /g eqxx /GRing.scale /= mulrCA divff // mulr1.
  rewrite -one big_mkcond; apply: ler_sum => i _; rewrite /g -[(place i == j :> nat)]/(place i == j); case: ifP => _; last by rewrite mul0r.
  by rewrite ler_pdivl_mulr ?ltr0n // mulrC; apply: aK.
exists (\row_i (a 0 (place i) / (N %/ k)%:R)).
  have total : \sum_i (\row_i (a 0 (place i) / (N %/ k)%:R)) 0 i = \sum_j a 0 j :> R.
    pose g j : R^o := if insub j is Some j' then a 0 j' else 0.
    have gE (j : 'I_k) : g j = a 0 j by rewrite /g valK.
    under eq_bigr do rewrite mxE -gE.
    rewrite -mulr_suml (sums _ g) [X in _ *: X](eq_bigr (fun j => a 0 j)) => [|j _]; last exact: gE.
    by rewrite /GRing.scale /= mulrAC divff // mul1r.
  split=> [i|]; first by rewrite mxE divr_ge0 ?a0 ?ler0n.
  case: kind aK => [|q s c|c] aK; rewrite ?total // => i; rewrite mxE mulrCA divff // mulr1.
  by have := aK (place i); rewrite mul1r.
rewrite !mulmx_sum_row.
pose g j : 'rV[R]_(d D) := if insub j is Some j' then (a 0 j' / (N %/ k)%:R) *: row j' (X t) else 0.
have gE (j : 'I_k) : g j = (a 0 j / (N %/ k)%:R) *: row j (X t) by rewrite /g valK.
rewrite [RHS](eq_bigr (fun i => g (place i))) => [|i _]; last by rewrite gE mxE rowE.
rewrite sums scaler_sumr; apply: eq_bigr => j _; rewrite gE scalerA mulrCA divff // mulr1; exact: erefl.
Qed.

End Lists.
