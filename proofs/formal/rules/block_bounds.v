(* The proved checker, bounds of the ranks of matrices made of heads: the schemas about  *)
(* a column of ones beside Z, about one head, about what heads put out, and about the    *)
(* singular values of Z.                                                                 *)
(*                                                                                       *)
(*   block_theorem, block_conditions, block_bounded == these schemas, as data             *)
(*   block_theorem_true == they are right                                                *)
From Attest Require Import integers attention upper_bounds literal_arithmetic problem logits quantity_bounds.
From Attest Require Import bounds schemas heads euclidean.
From Attest Require Export statements.

Local Notation Z := BinNums.Z.

Section Bounds.
Variables (R : realType) (D : problem) (L : layer) (a : bool).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Hypothesis okD : wf_sizes D.
Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N := n_gt0 okP.
Local Notation Zg := (given_Z R D L a).
Local Notation ones := (ones_column R D).
Local Notation Y := (label_matrix R D).
Local Notation coefs := (given_coefs R L a).

Let sA (t : 'I_T) : sum1 (coefs t).
Proof.
move=> h; rewrite -[RHS](softmax_sum1 (factor R D a *: logits R L t h) n0).
by apply: eq_bigr => i _; rewrite [LHS]mxE [LHS]mxE.
Qed.

Let sum_row (t : 'I_T) (h : 'I_H) : row h (coefs t) *m const_mx 1 = 1%:M :> 'M_1.
Proof.
apply/matrixP => i j; rewrite !ord1 mxE [RHS]mxE -[RHS](sA t h); apply: eq_bigr => k _.
by rewrite [row _ _ _ _]mxE [const_mx _ _ _]mxE mulr1.
Qed.

(* --- a column of ones *)
Lemma affine_hull_ones : (\rank (row_mx Zg ones) <= H * (\rank (affine_matrix R D)).-1 + 1)%N.
Proof.
have [x0 [V [EV rV]]] := affine_difference R okD.
pose G t := E R D t - const_mx 1 *m x0; pose B := attn_out coefs G.
have GV t : (G t <= V)%MS.
  apply/row_subP => i; rewrite linearB /= row_mul.
  have -> : row i (const_mx 1 : 'cV[R]_n) = 1%:M by apply/matrixP=> x y; rewrite !ord1 !mxE.
  by rewrite mul1mx EV.
have BE : Zg = B + ones *m mxvec (const_mx 1 *m x0 : 'M_(H, d)).
  rewrite given_Z_attn_out; apply/row_matrixP => t; rewrite linearD /= row_mul !rowK.
  have -> : row t ones = 1%:M by apply/matrixP=> x y; rewrite !ord1 !mxE.
  rewrite mul1mx -linearD /= /G mulmxBr mulmxA; congr mxvec.
  by rewrite (_ : coefs t *m const_mx 1 = const_mx 1) ?subrK //; apply: sum1P (sA t).
apply: leq_trans (_ : \rank (row_mx B ones) <= _)%N.
  rewrite BE (_ : row_mx _ _ = row_mx B ones *m block_mx 1%:M 0 (mxvec (const_mx 1 *m x0 : 'M_(H, d))) 1%:M).
    exact: mxrankM_maxl.
  by rewrite mul_row_block !mulmx1 mulmx0 add0r.
rewrite -mxrank_tr tr_row_mx -addsmxE; apply: leq_trans (mxrank_adds_leqif _ _) _.
rewrite mxrank_tr leq_add ?rank_leq_row //; apply: leq_trans (linear_hull_rank _ GV) _.
by rewrite leq_mul2l -ltnS prednK ?rV ?orbT // affine_rank_gt0.
Qed.

Lemma ones_within : (0 < H)%N -> (\rank (affine_matrix R D) <= \rank (token_matrix R D))%N ->
  (\rank (row_mx Zg ones) <= \rank Zg)%N.
Proof.
move=> H0; rewrite /affine_matrix; set M := token_matrix R D => rM; pose h := Ordinal H0.
have MS : (M^T <= (row_mx M (const_mx 1 : 'cV[R]_(size (tokens D))))^T)%MS by rewrite tr_row_mx -addsmxE addsmxSl.
have NM : ((const_mx 1 : 'cV[R]_(size (tokens D)))^T <= M^T)%MS.
  apply: submx_trans (_ : (row_mx M (const_mx 1 : 'cV[R]_(size (tokens D))))^T <= _)%MS.
    by rewrite tr_row_mx -addsmxE addsmxSr.
  by rewrite -(geq_leqif (mxrank_leqif_sup MS)) !mxrank_tr.
have /submxP[u' /(congr1 trmx)] := NM; rewrite trmx_mul !trmxK => uE; pose u := u'^T.
have Eu t : E R D t *m u = const_mx 1.
  apply/row_matrixP => i; have [j jE] := token_row R okD t i.
  by rewrite row_mul jE -row_mul -uE; apply/rowP => k; rewrite !mxE.
have -> : ones = Zg *m (colsub (fun j => mxvec_index h j) 1%:M *m u).
  apply/row_matrixP => t; rewrite row_mul mulmxA given_Z_attn_out.
  have -> : row t (attn_out coefs (E R D)) *m colsub (fun j => mxvec_index h j) 1%:M = row h (coefs t) *m E R D t.
    by rewrite mulmx_colsub mulmx1; apply/rowP => j; rewrite [LHS]mxE [LHS]mxE attn_outE.
  by rewrite -mulmxA Eu sum_row; apply/rowP => k; rewrite !mxE !ord1.
rewrite -[X in row_mx X _](mulmx1 Zg) -mul_mx_row; exact: mxrankM_maxl.
Qed.

Lemma rank_equal_rows_ones : ~~ projects L -> (\rank (row_mx Zg ones) <= size (distinct_examples D))%N.
Proof.
move=> nL; apply: (rank_classes (example_in (D := D))) => t t' tt.
by rewrite !row_row_mx (given_Z_example R okD a nL tt); congr row_mx; apply/rowP => i; rewrite !mxE.
Qed.

Lemma rank_equal_labelled_rows_ones : ~~ projects L -> (\rank (row_mx Zg (row_mx ones Y))
  <= size (distinct equal_labelled [seq labelled_example D t | t <- iota 0 T]))%N.
Proof.
move=> nL; apply: (rank_classes (x := fun t : 'I_T => labelled_example D t)) => [t|t t' [CE qE yE]].
  rewrite (mem_distinct _ equal_labelledP); apply/mapP; exists (t : nat) => //.
  by rewrite mem_iota ltn_ord.
rewrite !row_row_mx (given_Z_example R okD a (t := t) (t' := t') nL) /example_key ?CE ?qE //; congr (row_mx _ (row_mx _ _)).
  by apply/rowP => i; rewrite !mxE.
by apply/rowP => o; rewrite !mxE /ent yE.
Qed.

Lemma labels_beside_ones m (M : 'M[R]_(T, m)) : (\rank (row_mx M ones) <= \rank (row_mx M (row_mx ones Y)))%N.
Proof.
rewrite (_ : row_mx M ones = row_mx M (row_mx ones Y) *m block_mx 1%:M 0 0 (col_mx 1%:M 0)); first exact: mxrankM_maxl.
by rewrite mul_row_block mul_row_col !mulmx1 !mulmx0 !addr0 add0r.
Qed.

(* --- labels that are all 0, and that are all the same *)
Lemma label_entry varying (t : 'I_T) (o : 'I_(d_out D)) : label_entries D varying = 0%N ->
  ent (labels D) t o = if varying then ent (labels D) 0 o else 0%coqZ.
Proof.
move/eqP; rewrite -leqn0 leqNgt -has_count => /hasPn/(_ (t : nat, o : nat)).
rewrite negbK /= => H0; apply/Z.eqb_eq/H0/allpairsP; exists (t : nat, o : nat).
by rewrite !mem_iota !ltn_ord.
Qed.

Lemma zero_labels m (M : 'M[R]_(T, m)) : label_entries D false = 0%N -> (\rank (row_mx M Y) <= \rank M)%N.
Proof.
move=> c0; have -> : Y = M *m 0.
  by rewrite mulmx0; apply/matrixP => t o; rewrite !mxE (label_entry _ _ c0) rmorph0 mul0r.
by rewrite -[X in row_mx X _](mulmx1 M) -mul_mx_row; exact: mxrankM_maxl.
Qed.

Lemma equal_labels m (M : 'M[R]_(T, m)) : label_entries D true = 0%N -> (\rank (row_mx M (row_mx ones Y)) <= \rank (row_mx M ones))%N.
Proof.
move=> c0; pose y : 'rV[R]_(d_out D) := mx R _ _ (q_labels D) (labels D).
rewrite (_ : row_mx M (row_mx ones Y) = row_mx M ones *m block_mx 1%:M 0 0 (row_mx 1%:M y)); first exact: mxrankM_maxl.
rewrite mul_row_block mul_mx_row !mulmx1 !mulmx0 addr0 add0r; congr (row_mx _ (row_mx _ _)).
by apply/matrixP => t o; rewrite !mxE big_ord1 !mxE mul1r (label_entry _ _ c0).
Qed.

(* --- one head *)
Lemma head_meansE (h : 'I_H) : head_averages R L a h = Zg *m colsub (fun j => mxvec_index h j) 1%:M.
Proof.
rewrite mulmx_colsub mulmx1 given_Z_attn_out; apply/matrixP => t j.
by rewrite [RHS]mxE attn_outE [LHS]mxE.
Qed.

Lemma head_hull (h : 'I_H) : (\rank (head_averages R L a h) <= \rank (token_matrix R D))%N.
Proof.
apply/mxrankS/row_subP => t; rewrite rowK; apply: submx_trans (submxMl _ _) _; exact: context_sub_tokens.
Qed.

Lemma averages_row (h : 'I_H) (t t' : 'I_T) : ~~ projects L -> example_key D t = example_key D t' ->
  row t (head_averages R L a h) = row t' (head_averages R L a h).
Proof. by move=> nL tt; rewrite head_meansE !row_mul (given_Z_example R okD a nL tt). Qed.

Lemma head_rows (h : 'I_H) : ~~ projects L -> (\rank (head_averages R L a h) <= size (distinct_examples D))%N.
Proof. by move=> nL; apply: (rank_classes (example_in (D := D))) => t t'; apply: averages_row. Qed.

(* --- outputs *)
Section Outputs.
Variable w : whole.
Local Notation V h := (literal R d (value_width w) (q_value w) (value_weights w) h).
Local Notation b h := ((literal_bias R (value_width w) (q_value_bias w) (value_bias w) h)^T).

Lemma head_outputsE (h : 'I_H) : head_outputs R w L a h = head_averages R L a h *m V h + ones *m b h.
Proof.
apply/row_matrixP => t; rewrite [LHS]rowK [RHS]linearD /= [X in _ = X + _]row_mul [X in _ = _ + X]row_mul [row t (head_averages _ _ _ _)]rowK.
rewrite /head_values mulmxDr !mulmxA sum_row; congr (_ + _ *m _); apply/rowP => i; by rewrite !mxE !ord1.
Qed.

(* all outputs, if those of each head are linear in some matrix                    *)
Lemma layer_outputs_sub k (M : 'M[R]_(T, k)) : (forall h, exists X, head_outputs R w L a h = M *m X) ->
  ((layer_outputs R D w L a)^T <= M^T)%MS.
Proof.
move=> MX; apply/row_subP => c; case/mxvec_indexP: c => h j; have [X XE] := MX h.
have -> : row (mxvec_index h j) (layer_outputs R D w L a)^T = row j (head_outputs R w L a h)^T.
  by apply/rowP => t; rewrite [LHS]mxE [LHS]mxE [LHS]mxE mxvecE [RHS]mxE [RHS]mxE [LHS]mxE [LHS]mxE.
by rewrite XE trmx_mul row_mul submxMl.
Qed.

Lemma layer_outputs_rank k (M : 'M[R]_(T, k)) : (forall h, exists X, head_outputs R w L a h = M *m X) ->
  (\rank (layer_outputs R D w L a) <= \rank M)%N.
Proof. by move=> /layer_outputs_sub MX; rewrite -mxrank_tr -[X in (_ <= X)%N]mxrank_tr; apply: mxrankS. Qed.

Lemma outputs_beside k l (M : 'M[R]_(T, k)) (N : 'M[R]_(T, l)) :
    (forall h, exists X, head_outputs R w L a h = row_mx M N *m X) ->
  (\rank (row_mx (layer_outputs R D w L a) N) <= \rank (row_mx M N))%N.
Proof.
move=> /layer_outputs_sub MX; rewrite -mxrank_tr -[X in (_ <= X)%N]mxrank_tr; apply: mxrankS.
by rewrite tr_row_mx col_mx_sub MX /= tr_row_mx -addsmxE addsmxSr.
Qed.

Let no_biases : count (fun x => ~~ (x =? 0)%coqZ) (flatten (value_bias w)) = 0%N -> forall h : 'I_H, b h = 0.
Proof.
move=> c0 h; apply/rowP => j; rewrite !mxE /ent.
suff -> : nth 0%coqZ (nth [::] (value_bias w) h) j = 0%coqZ by rewrite rmorph0 mul0r.
have [hv|vh] := ltnP h (size (value_bias w)); last by rewrite [nth [::] _ _]nth_default // nth_nil.
have [jv|vj] := ltnP j (size (nth [::] (value_bias w) h)); last by rewrite nth_default.
move/eqP: c0; rewrite -leqn0 leqNgt -has_count => /hasPn/(_ (nth 0%coqZ (nth [::] (value_bias w) h) j)).
rewrite negbK => H0; apply/Z.eqb_eq/H0/flattenP; exists (nth [::] (value_bias w) h); exact: mem_nth.
Qed.

Lemma outputs_of_means : count (fun x => ~~ (x =? 0)%coqZ) (flatten (value_bias w)) = 0%N ->
  (\rank (layer_outputs R D w L a) <= \rank Zg)%N.
Proof.
move=> /no_biases b0; apply: layer_outputs_rank => h; rewrite head_outputsE b0 mulmx0 addr0 head_meansE -mulmxA.
by exists (colsub (fun j => mxvec_index h j) 1%:M *m V h).
Qed.

Lemma outputs_with_biases : (\rank (layer_outputs R D w L a) <= \rank (row_mx Zg ones))%N.
Proof.
apply: layer_outputs_rank => h; exists (col_mx (colsub (fun j => mxvec_index h j) 1%:M *m V h) (b h)).
by rewrite head_outputsE mul_row_col mulmxA head_meansE.
Qed.

Lemma outputs_and_labels : count (fun x => ~~ (x =? 0)%coqZ) (flatten (value_bias w)) = 0%N ->
  (\rank (row_mx (layer_outputs R D w L a) Y) <= \rank (row_mx Zg Y))%N.
Proof.
move=> /no_biases b0; apply: outputs_beside => h; exists (col_mx (colsub (fun j => mxvec_index h j) 1%:M *m V h) 0).
by rewrite head_outputsE b0 mulmx0 addr0 head_meansE -mulmxA mul_row_col mulmx0 addr0.
Qed.

Lemma outputs_and_ones : (\rank (row_mx (layer_outputs R D w L a) ones) <= \rank (row_mx Zg ones))%N.
Proof.
apply: outputs_beside => h; exists (col_mx (colsub (fun j => mxvec_index h j) 1%:M *m V h) (b h)).
by rewrite head_outputsE mul_row_col mulmxA head_meansE.
Qed.

Lemma outputs_ones_labels :
  (\rank (row_mx (layer_outputs R D w L a) (row_mx ones Y)) <= \rank (row_mx Zg (row_mx ones Y)))%N.
Proof.
apply: outputs_beside => h; exists (col_mx (colsub (fun j => mxvec_index h j) 1%:M *m V h) (col_mx (b h) 0)).
by rewrite head_outputsE !mul_row_col mulmx0 addr0 mulmxA head_meansE.
Qed.

Let output_row (h : 'I_H) (t t' : 'I_T) : ~~ projects L -> example_key D t = example_key D t' ->
  row t (head_outputs R w L a h) = row t' (head_outputs R w L a h).
Proof.
move=> nL tt; rewrite head_outputsE !linearD /= !row_mul (averages_row h nL tt); congr (_ + _ *m _).
by apply/rowP => i; rewrite !mxE.
Qed.

Lemma equal_output_rows : ~~ projects L -> (\rank (layer_outputs R D w L a) <= size (distinct_examples D))%N.
Proof.
move=> nL; apply: (rank_classes (example_in (D := D))) => t t' tt; rewrite [LHS]rowK [RHS]rowK; congr mxvec.
by apply/row_matrixP => h; rewrite [LHS]rowK [RHS]rowK; apply: output_row.
Qed.

Lemma head_outputs_of_means (h : 'I_H) : count (fun x => ~~ (x =? 0)%coqZ) (flatten (value_bias w)) = 0%N ->
  (\rank (head_outputs R w L a h) <= \rank (head_averages R L a h))%N.
Proof. by move=> /no_biases b0; rewrite head_outputsE b0 mulmx0 addr0 mxrankM_maxl. Qed.

Lemma head_output_rows (h : 'I_H) : ~~ projects L -> (\rank (head_outputs R w L a h) <= size (distinct_examples D))%N.
Proof. by move=> nL; apply: (rank_classes (example_in (D := D))) => t t'; apply: output_row. Qed.

End Outputs.
End Bounds.

(* vectors that are stretched are independent after they are                      *)
Lemma singular_count_rank (R : realType) m k (A : 'M[R]_(m, k)) tau : 0 <= tau -> (singular_count A tau <= \rank A)%N.
Proof.
move=> t0; have [V sV] := singular_countP A tau; apply: leq_trans (mxrankM_maxr V A).
suff /eqP -> : row_free (V *m A) by [].
rewrite -kermx_eq0; apply/rowV0P => y /sub_kermxP yVA; apply/eqP; apply: contraT => /sV.
by rewrite -mulmxA yVA norm2_0 ltNge mulr_ge0 ?norm2_ge0.
Qed.

(* -------------------------------------------------------------------------- *)
(* The schemas                                                                 *)
(* -------------------------------------------------------------------------- *)
Inductive block_theorem :=
  | OnesBeside | OneColumn | AffineHullOnes | OnesWithin | EqualRowsOnes | EqualLabelledRowsOnes | LabelsBesideOnes
  | FittedLabelsBias | MissedLabelsBias | LabelsAreZero | LabelsAreEqual
  | OutputsOfMeans | OutputsWithBiases | EqualOutputRows
  | OutputsAndLabels | OutputsAndOnes | OutputsOnesLabels | OutputsOneColumn | OutputsZeroLabels | OutputsEqualLabels
  | HeadHull | HeadRows | HeadOutputsOfMeans | HeadOutputRows | SingularValues.

Section Tables.
Local Notation Q x := (Qty x).
Local Notation const k := (Const k%coqZ).
Local Notation ones := (RankBlocks (WithOnes false)).
Local Notation ones_labels := (RankBlocks (WithOnes true)).
Local Notation head := (RankBlocks (OneHead false)).
Local Notation head_outputs := (RankBlocks (OneHead true)).
Local Notation outputs := (RankBlocks (Outputs false false)).
Local Notation outputs_and ones labels := (RankBlocks (Outputs ones labels)).

Definition block_conditions (x : block_theorem) : seq (comparison quantity) :=
  let of_head := AtLeast (Q OnlyHead) (const 0) in
  let valued := AtLeast (Q ValueBiases) (const 0) in
  let no_biases := Equal (Q ValueBiases) (const 0) in
  AtLeast (Q (InShape None)) (const 0) :: match x with
  | OnesWithin => [:: AtLeast (Q (RankOf Tokens)) (Q (RankOf AffineTokens))]
  | LabelsBesideOnes => [:: AtLeast (Q DistinctLabelled) (const 1)]
  | FittedLabelsBias => [:: AtMost (Q ones_labels) (Q ones); AtMost (Q OutputDimension) (Q ValueDimension)]
  | MissedLabelsBias => [:: AtLeast (Q ones_labels) (Add (Q ones) (const 1))]
  | LabelsAreZero => [:: Equal (Q (LabelEntries false)) (const 0); AtMost (Q OutputDimension) (Q ValueDimension)]
  | LabelsAreEqual => [:: Equal (Q (LabelEntries true)) (const 0); AtMost (Q OutputDimension) (Q ValueDimension)]
  | OutputsOfMeans | OutputsAndLabels => [:: no_biases]
  | OutputsWithBiases | EqualOutputRows | OutputsAndOnes | OutputsOnesLabels | OutputsOneColumn => [:: valued]
  | OutputsZeroLabels => [:: Equal (Q (LabelEntries false)) (const 0)]
  | OutputsEqualLabels => [:: Equal (Q (LabelEntries true)) (const 0)]
  | HeadHull | HeadRows => [:: of_head]
  | HeadOutputsOfMeans => [:: of_head; no_biases]
  | HeadOutputRows => [:: of_head; valued]
  | _ => [::]
  end.

Definition block_bounded (x : block_theorem) : quantity * bool * expr quantity :=
  match x with
  | OnesBeside => (ones, true, Q (RankZ None))
  | OneColumn => (ones, false, Add (Q (RankZ None)) (const 1))
  | AffineHullOnes => (ones, false, paper_bound (Q (RankOf AffineTokens)))
  | OnesWithin => (ones, false, Q (RankZ None))
  | EqualRowsOnes => (ones, false, Q DistinctExamples)
  | EqualLabelledRowsOnes => (ones_labels, false, Q DistinctLabelled)
  | LabelsBesideOnes => (ones_labels, true, Q ones)
  | FittedLabelsBias => (Truth MemorizesBias, true, const 1)
  | MissedLabelsBias => (Truth MemorizesBias, false, const 0)
  | LabelsAreZero => (Truth MemorizesGiven, true, const 1)
  | LabelsAreEqual => (Truth MemorizesBias, true, const 1)
  | OutputsOfMeans => (outputs, false, Q (RankZ None))
  | OutputsWithBiases => (outputs, false, Q ones)
  | EqualOutputRows => (outputs, false, Q DistinctExamples)
  | OutputsAndLabels => (outputs_and false true, false, Q RankWithLabels)
  | OutputsAndOnes => (outputs_and true false, false, Q ones)
  | OutputsOnesLabels => (outputs_and true true, false, Q ones_labels)
  | OutputsOneColumn => (outputs_and true false, false, Add (Q outputs) (const 1))
  | OutputsZeroLabels => (outputs_and false true, false, Q outputs)
  | OutputsEqualLabels => (outputs_and true true, false, Q (outputs_and true false))
  | HeadHull => (head, false, Q (RankOf Tokens))
  | HeadRows => (head, false, Q DistinctExamples)
  | HeadOutputsOfMeans => (head_outputs, false, Q head)
  | HeadOutputRows => (head_outputs, false, Q DistinctExamples)
  | SingularValues => (LargeSingularValues, false, Q (RankZ None))
  end.

(* what the schemas need of the literal data                                     *)
Definition block_readable (D : problem) (x : block_theorem) : bool :=
  match x with
  | OnesWithin => (0 < H D)%N
  | FittedLabelsBias | MissedLabelsBias | LabelsAreZero | LabelsAreEqual | SingularValues => isSome (given D)
  | EqualRowsOnes | EqualLabelledRowsOnes | EqualOutputRows | HeadRows | HeadOutputRows =>
    if given D is Some L then ~~ projects L else true
  | _ => true
  end.
End Tables.

Section Schemas.
Variables (R : realType) (D : problem) (layers : layer_name -> option (layer * bool)) (c : claim).
Hypotheses (okD : wf_sizes D) (layersP : layers None = given_layer D None).
Local Notation v := (checker_number R D layers c).

Let leq_Z j k : (j <= k)%N -> (Z.of_nat j <= Z.of_nat k)%coqZ. Proof. by move=> /ssrnat.leP jk; lia. Qed.
Let leq_of_Z j k : (Z.of_nat j <= Z.of_nat k)%coqZ -> (j <= k)%N. Proof. by move=> jk; apply/ssrnat.leP; lia. Qed.

Lemma block_theorem_true x : block_readable D x -> (forall p, List.In p (block_conditions x) -> meaning v p) ->
  let: (q, lower, e) := block_bounded x in
  if lower then (value v e <= v q)%coqZ else (v q <= value v e)%coqZ.
Proof.
have aff0 := affine_rank_gt0 R okD.
have affine r k : (0 < k)%N -> (r <= H D * k.-1 + 1)%N -> (Z.of_nat r <= Z.of_nat (H D) * (Z.of_nat k - 1) + 1)%coqZ.
  by case: k => // k _; rewrite -plusE -multE => /leq_Z; lia.
have count0 w : around D = Some w -> meaning v (Equal (Qty ValueBiases) (Const 0%coqZ)) ->
    count (fun x => ~~ (x =? 0)%coqZ) (flatten (value_bias w)) = 0%N.
  by move=> wE; rewrite /= /own_number /= wE => /(Nat2Z.inj _ 0).
move: layersP; rewrite /given_layer; case GE: (given D) => [L|] LE; last first.
  case: x => /= read _; rewrite ?GE // in read *; rewrite ?LE /own_number /=; try lia.
  - by apply: (@affine 0%N _ aff0); apply: leq0n.
have one r k : (r <= k + 1)%N -> (Z.of_nat r <= Z.of_nat k + 1)%coqZ by rewrite -plusE => /leq_Z; lia.
case: x => /= read cond; rewrite ?GE in read; rewrite ?LE /=.
- by apply: leq_Z; apply: matrix_beside.
- by apply: one; apply: matrix_one_column.
- by apply: affine aff0 _; apply: affine_hull_ones.
- by apply: leq_Z; apply: ones_within => //; apply: leq_of_Z; apply: (cond _ (or_intror (or_introl erefl))).
- by apply: leq_Z; apply: rank_equal_rows_ones.
- by apply: leq_Z; apply: rank_equal_labelled_rows_ones.
- by apply: leq_Z; apply: labels_beside_ones.
- have := cond _ (or_intror (or_introl erefl)); rewrite /= LE => /leq_of_Z le.
  have /leq_of_Z ov := cond _ (or_intror (or_intror (or_introl erefl))).
  by rewrite asboolT //; apply: labels_fitted_bias GE ov le.
- have := cond _ (or_intror (or_introl erefl)); rewrite /= LE => le.
  by rewrite asboolF //; apply: labels_missed_bias GE _; apply: leq_of_Z; rewrite Nat2Z.inj_succ; lia.
- have /(Nat2Z.inj _ 0) c0 := cond _ (or_intror (or_introl erefl)).
  have /leq_of_Z ov := cond _ (or_intror (or_intror (or_introl erefl))).
  by rewrite asboolT //; apply: labels_fitted GE ov (zero_labels _ c0).
- have /(Nat2Z.inj _ 0) c0 := cond _ (or_intror (or_introl erefl)).
  have /leq_of_Z ov := cond _ (or_intror (or_intror (or_introl erefl))).
  by rewrite asboolT //; apply: labels_fitted_bias GE ov (equal_labels _ c0).
- have := cond _ (or_intror (or_introl erefl)); rewrite /rank_blocks; case wE: (around D) => [w|] b0.
    by apply: leq_Z; apply: outputs_of_means => //; apply: count0.
  by case: (head_of_claim D c) => *; apply: Zle_0_nat.
- rewrite /rank_blocks; case: (around D) => [w|]; first by case: (head_of_claim D c) => *; apply: leq_Z; apply: outputs_with_biases.
  by case: (head_of_claim D c) => *; apply: Zle_0_nat.
- rewrite /rank_blocks; case: (around D) => [w|]; first by case: (head_of_claim D c) => *; apply: leq_Z; apply: equal_output_rows.
  by case: (head_of_claim D c) => *; apply: Zle_0_nat.
- have := cond _ (or_intror (or_introl erefl)); rewrite /rank_blocks; case wE: (around D) => [w|] b0.
    by case: (head_of_claim D c) => *; apply: leq_Z; apply: outputs_and_labels => //; apply: count0.
  by case: (head_of_claim D c) => *; apply: Zle_0_nat.
- rewrite /rank_blocks; case: (around D) => [w|]; last by case: (head_of_claim D c) => *; apply: Zle_0_nat.
  by case: (head_of_claim D c) => *; apply: leq_Z; apply: outputs_and_ones.
- rewrite /rank_blocks; case: (around D) => [w|]; last by case: (head_of_claim D c) => *; apply: Zle_0_nat.
  by case: (head_of_claim D c) => *; apply: leq_Z; apply: outputs_ones_labels.
- rewrite /rank_blocks; case: (around D) => [w|]; case: (head_of_claim D c) => *; try lia; by apply: one; apply: matrix_one_column.
- have /(Nat2Z.inj _ 0) c0 := cond _ (or_intror (or_introl erefl)).
  by rewrite /rank_blocks; case: (around D) => [w|]; case: (head_of_claim D c) => *; try lia; apply: leq_Z; apply: zero_labels.
- have /(Nat2Z.inj _ 0) c0 := cond _ (or_intror (or_introl erefl)).
  by rewrite /rank_blocks; case: (around D) => [w|]; case: (head_of_claim D c) => *; try lia; apply: leq_Z; apply: equal_labels.
- by rewrite /rank_blocks; case: (head_of_claim D c) => [h|]; [apply: leq_Z; apply: head_hull|apply: Zle_0_nat].
- by rewrite /rank_blocks; case: (head_of_claim D c) => [h|]; [apply: leq_Z; apply: head_rows|apply: Zle_0_nat].
- have := cond _ (or_intror (or_intror (or_introl erefl))); rewrite /rank_blocks; case: (head_of_claim D c) => [h|]; last by move=> *; apply: Zle_0_nat.
  case wE: (around D) => [w|] b0; last exact: Zle_0_nat.
  by apply: leq_Z; apply: head_outputs_of_means => //; apply: count0.
- rewrite /rank_blocks; case: (head_of_claim D c) => [h|]; last exact: Zle_0_nat.
  by case: (around D) => [w|]; [apply: leq_Z; apply: head_output_rows|apply: Zle_0_nat].
by apply: leq_Z; rewrite /numerical_rank (attention_Z_given _ GE); apply: singular_count_rank; apply: level_ge0.
Qed.

End Schemas.
