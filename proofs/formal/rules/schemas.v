(* The proved checker, theorems: schemas of docs/statements.md as theorems about the quantities of              *)
(* quantities.v.                                                                                                *)
(*                                                                                                              *)
(*   any_coefficients, any_weights, some_weights == rank(Z), capacity and the largest rank for any coefficients *)
(*   linear_hull, affine_hull, context_hulls == bounds of the last one by spans of tokens                       *)
(*                      in_shapeP == a layer of the shape has the Z of weights of attention.v                   *)
(*                     largest_in == a largest number has the property, unless it is 0                          *)
(*                   capacity_geq == the capacity is at least k when some layer's rank(Z) is                    *)
(*   capacity_memorizes, capacity_memorizes_skip == a capacity of T does                                        *)
(*   labels_fitted, labels_missed == rank [Z Y] against rank(Z), for given weights                              *)
(*   labels_fitted_bias, labels_missed_bias == rank [Z 1 Y] against rank [Z 1]                                  *)
(*        memorizes_given_factors == memorizes_given says memorizes of attention.v, where the given layer has   *)
(*                                   no biases                                                                  *)
(*   words_and_positions, some_embeddings == the schemas about sums of words and positions                      *)
From Attest Require Import integers attention common kruskal lemmas theorem_1 upper_bounds problem.
From Attest Require Import literal_arithmetic logits rank_formula bounds quantity_bounds.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Ranks, capacity and hulls                                                    *)
(* ============================================================================ *)

Lemma mem_distinct (A : eqType) (eqA : A -> A -> bool) (s : seq A) :
  (forall x y, reflect (x = y) (eqA x y)) -> distinct eqA s =i s.
Proof.
move=> eqP x; suff in_after r : x \in distinct_after eqA r s = (x \in s) && (x \notin r) by rewrite in_after andbT.
elim: s r => //= y s IH r; rewrite inE; case: hasP => [[z zr /eqP yz]|new].
  by rewrite IH; case: (x =P y) => //= ->; rewrite yz zr andbF.
rewrite inE IH inE negb_or; case: (x =P y) => //= xy.
by apply/esym/negP => xr; apply: new; exists y; [rewrite -xy|apply/eqP].
Qed.

(* the tokens minus one of them                                                  *)
Lemma row_minus_first (F : fieldType) n d (C : 'M[F]_(n, d)) (i0 i : 'I_n) :
  row i (C - const_mx 1 *m row i0 C) = row i C - row i0 C.
Proof.
rewrite linearB /= row_mul (_ : row i (const_mx 1) = (1%:M : 'M[F]_1)) ?mul1mx //.
by apply/matrixP => a b; rewrite !ord1 !mxE.
Qed.

Lemma diffs_sub_first (F : fieldType) n d (C : 'M[F]_(n, d)) (i0 : 'I_n) : (diffs C <= C - const_mx 1 *m row i0 C)%MS.
Proof.
rewrite /diffs; have := mulmx_ker (const_mx 1 : 'cV[F]_n); move: (kermx _) => N N1.
have -> : N *m C = N *m (C - const_mx 1 *m row i0 C) by rewrite mulmxBr mulmxA N1 mul0mx subr0.
exact: submxMl.
Qed.

Section Theorems.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Hypothesis okD : wf_sizes D.

Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N := n_gt0 okP.
Let T0 : (0 < T)%N. Proof. by case/and5P: okD. Qed.

Lemma rank_any_geq (A : 'I_T -> 'M[R]_(H, n)) :
  (forall t, sum1 (A t)) -> (forall t h i, 0 <= A t h i) -> (\rank (attn_out A E) <= rank_any R D)%N.
Proof.
move=> sA A0; apply: largest_geq; last by exists A.
by rewrite leq_min rank_leq_row rank_leq_col.
Qed.

Theorem any_coefficients L a : (\rank (given_Z R D L a) <= rank_any R D)%N.
Proof.
rewrite given_Z_attn_out; apply: rank_any_geq => [t h|t h i].
  rewrite -[RHS](softmax_sum1 (factor R D a *: logits R L t h) n0).
  by apply: eq_bigr => i _; rewrite [LHS]mxE [LHS]mxE.
by rewrite mxE [X in 0 <= X]mxE ltW // softmax_gt0.
Qed.

Theorem any_weights : (capacity R D <= rank_any R D)%N.
Proof.
apply: largest_leq => k [P /leq_trans]; apply; rewrite ZE Zmx_attn_out.
apply: rank_any_geq => [t|t h i]; first exact: coefs_sum1.
by rewrite mxE [X in 0 <= X]mxE ltW // softmax_gt0.
Qed.

(* a layer of the shape (H, d, d_h), up to the factor                            *)
Lemma in_shapeP L a : in_shape D L ->
  exists P : weights R H d (d_h D) 0 0 0, given_Z R D L a = attention.Z E e P.
Proof.
have build (W : 'I_H -> 'M[R]_d) : (forall h, \rank (W h) <= d_h D)%N ->
    exists P : weights R H d (d_h D) 0 0 0, Zmx E e W = attention.Z E e P.
  move=> rW; have /fin_all_exists[KQ KQE] : forall h, exists KQ : 'M[R]_(d, d_h D) * 'M[R]_(d, d_h D),
      W h = KQ.1 *m KQ.2^T.
    by move=> h; have [K [Q WE]] := rank_factor (rW h); exists (K, Q).
  exists (Weights (fun h => (KQ h).1) (fun h => (KQ h).2) (fun=> 0) 0 0); rewrite ZE.
  by congr (Zmx E e _); apply/funext.
have toZmx (W : 'I_H -> 'M[R]_d) : ~~ projects L -> (forall t h, vector R L t h = W h *m e t) ->
    given_Z R D L a = Zmx E e (fun h => factor R D a *: W h).
  move=> nL LW; rewrite given_Z_attn_out Zmx_attn_out.
  suff -> : given_coefs R L a = coefs E e (fun h => factor R D a *: W h) by [].
  apply/funext => t; apply/matrixP => h i; rewrite mxE [RHS]mxE softmax_logits main_logitsE // LW.
  by rewrite mulmxA -scalemxAr -scalemxAl.
rewrite /in_shape; case: L toZmx => [m qk K qq Q qkb bK qqb bQ|q W|//] toZmx.
  move=> /andP[mdh /nilP bQ0]; subst bQ.
  have b0 h : literal_bias R m qqb [::] h = 0 :> 'cV_m.
    by apply/colP => k; rewrite !mxE /ent nth_nil nth_nil rmorph0 mul0r.
  rewrite (toZmx (fun h => literal R d m qk K h *m (literal R d m qq Q h)^T)) //; last first.
    by move=> t h; rewrite /vector b0 addr0 mulmxA.
  apply: build => h; apply: leq_trans (_ : _ <= \rank (literal R d m qk K h *m (literal R d m qq Q h)^T))%N _.
    by rewrite -mul_scalar_mx mxrankM_maxr.
  by apply: leq_trans mdh; apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
move=> ddh; rewrite (toZmx (literal R d d q W)) //.
by apply: build => h; apply: leq_trans ddh; apply: rank_leq_col.
Qed.

Theorem some_weights L a : in_shape D L -> (\rank (given_Z R D L a) <= capacity R D)%N.
Proof.
move=> sL; apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
by have [P ->] := in_shapeP a sL; exists P.
Qed.

(* the tokens                                                                    *)
Lemma token_row (t : 'I_T) (i : 'I_n) : exists j, row i (E t) = row j (token_matrix R D).
Proof.
pose r := nth [::] (context_at D t) i.
have rin : r \in tokens D.
  rewrite (mem_distinct _ equal_rowP) /all_tokens; apply/flattenP.
  exists (context_at D t); first exact: context_in.
  by rewrite mem_nth // size_context.
have ri : (index r (tokens D) < size (tokens D))%N by rewrite index_mem.
exists (Ordinal ri); apply/rowP => j; rewrite !mxE /ent /= nth_index //.
Qed.

Lemma context_sub_tokens t : (E t <= token_matrix R D)%MS.
Proof. by apply/row_subP => i; have [j ->] := token_row t i; apply: row_sub. Qed.

Theorem linear_hull : (rank_any R D <= H * \rank (token_matrix R D))%N.
Proof.
by apply: largest_leq => k [A [_ _ /leq_trans]]; apply; apply/linear_hull_rank/context_sub_tokens.
Qed.

Lemma affine_rank_gt0 : (0 < \rank (affine_matrix R D))%N.
Proof.
have [j _] := token_row (Ordinal T0) (Ordinal n0).
rewrite lt0n mxrank_eq0; apply/eqP => /matrixP/(_ j (rshift _ 0)); rewrite row_mxEr !mxE => /eqP.
by rewrite oner_eq0.
Qed.

Lemma affine_difference : exists (x0 : 'rV[R]_d) (V : 'M[R]_(size (tokens D), d)),
  [/\ forall t i, (row i (E t) - x0 <= V)%MS &
    (\rank V < \rank (affine_matrix R D))%N].
Proof.
have [j0 _] := token_row (Ordinal T0) (Ordinal n0); set M := token_matrix R D.
pose x0 := row j0 M; pose V := M - (const_mx (1 : R) : 'cV[R]_(size (tokens D))) *m x0; exists x0, V.
have rE j : row j V = row j M - x0.
  rewrite linearB /= row_mul (_ : row j (const_mx (1 : R)) = (1%:M : 'M[R]_1)) ?mul1mx //.
  by apply/matrixP => a b; rewrite !ord1 !mxE.
split=> [t i|].
  by have [j ->] := token_row t i; rewrite -rE row_sub.
set A := affine_matrix R D.
have VA : (row_mx V 0 <= A)%MS.
  rewrite (_ : row_mx V 0 = A - (const_mx 1 : 'cV[R]_(size (tokens D))) *m row j0 A).
    by rewrite addmx_sub // eqmx_opp mulmx_sub // row_sub.
  rewrite /A /affine_matrix row_row_mx mul_mx_row opp_row_mx add_row_mx; congr row_mx.
  by apply/matrixP => a b; rewrite !mxE big_ord1 !mxE mulr1 subrr.
have : (col_mx (row_mx V 0) (row j0 A) <= A)%MS by rewrite col_mx_sub VA row_sub.
move/mxrankS; apply: leq_trans.
have -> : col_mx (row_mx V 0) (row j0 A) = block_mx V 0 x0 (1%:M : 'M[R]_1).
  rewrite /A /affine_matrix row_row_mx block_mxEv (_ : row j0 (const_mx (1 : R)) = (1%:M : 'M[R]_1)) //.
  by apply/matrixP => a b; rewrite !ord1 !mxE.
by apply: leq_trans (rank_block_lower _ _ _); rewrite mxrank1 addn1.
Qed.

Theorem affine_hull :
  (rank_any R D <= H * (\rank (affine_matrix R D)).-1 + 1)%N.
Proof.
have [x0 [V [EV rV]]] := affine_difference.
apply: largest_leq => k [A [sA _ /leq_trans]]; apply; apply: leq_trans (affine_hull_rank sA EV) _.
by rewrite leq_add2r leq_mul2l -ltnS prednK ?rV ?orbT // affine_rank_gt0.
Qed.

(* --- the heads of one example have the same tokens *)
Lemma difference_row (t : 'I_T) (i : 'I_n) :
  (row i (E t) - row (Ordinal n0) (E t) <= difference_matrix R D)%MS.
Proof.
pose C := context_at D t; have sCt : size C = n by apply: size_context.
have [_ _ _ _ /allP sE] := wf_sizesP okD.
have sr (i' : 'I_n) : size (nth [::] C i') = d.
  have CC : C \in contexts D by apply: context_in.
  by apply/eqP/(allP (sE C CC)); rewrite mem_nth ?sCt.
pose f r' := [seq (x.1 - x.2)%coqZ | x <- zip r' (nth [::] C 0)]; pose r := f (nth [::] C i).
have rD : r \in differences D.
  apply/flattenP; exists [seq f r' | r' <- C].
    apply/mapP; exists C; last by [].
    by rewrite (mem_distinct _ equal_rowsP) context_in.
  by apply: map_f; rewrite mem_nth ?sCt.
have ri : (index r (differences D) < size (differences D))%N by rewrite index_mem.
suff -> : row i (E t) - row (Ordinal n0) (E t) = row (Ordinal ri) (difference_matrix R D) by apply: row_sub.
have s0 : size (nth [::] C 0) = d := sr (Ordinal n0).
have si := sr i.
apply/rowP => j; rewrite /difference_matrix /problem.E [RHS]mxE [RHS]mxE /ent.
rewrite -[nat_of_ord (Ordinal ri)]/(index r (differences D)) nth_index //.
rewrite /r /f (nth_map (0, 0)%coqZ) ?size_zip ?si ?s0 ?minnn // nth_zip ?si ?s0 //.
rewrite (rmorphB (toF_rmorphism R)) mulrBl !mxE; reflexivity.
Qed.

Lemma diffs_sub (t : 'I_T) : (diffs (E t) <= difference_matrix R D)%MS.
Proof.
apply: submx_trans (diffs_sub_first _ (Ordinal n0)) _; apply/row_subP => i.
by rewrite row_minus_first; apply: difference_row.
Qed.

Theorem context_hulls : (0 < H)%N ->
  (rank_any R D <= (H - 1) * \rank (difference_matrix R D) + \rank (token_matrix R D))%N.
Proof.
move=> H0; apply: largest_leq => k [A [sA _ /leq_trans]]; apply.
have le : (\rank (attn_out A E) <= \rank (\sum_(t in [set: 'I_T]) <<hull_span H (E t)>>)%MS)%N.
  apply: mxrankS; apply/row_subP => t; rewrite rowK.
  by rewrite (sumsmx_sup t) ?inE // genmxE; apply: (hull_row (Ordinal n0)).
apply: (leq_trans le); rewrite hull_rankE // /hull_rank; apply: leq_add.
  rewrite leq_mul2l; apply/orP; right; apply/mxrankS/sumsmx_subP => t _.
  by rewrite genmxE diffs_sub.
by apply/mxrankS/sumsmx_subP => t _; rewrite genmxE context_sub_tokens.
Qed.

End Theorems.

(* =============================================================================== *)
(* Labels that layers predict                                                      *)
(* =============================================================================== *)
(* Labels that layers predict exactly, by ranks: what the quantities MemorizesAll, *)
(* MemorizesAllSkip and MemorizesGiven mean, and the schemas that bound them.      *)

Lemma largest_in N (P : nat -> Prop) : (0 < largest N P)%N -> P (largest N P).
Proof.
rewrite /largest => pos; have [[k Pk]|none] := pselect (exists k : 'I_N.+1, `[< P k >]); last first.
  by move: pos; rewrite big1 // => k Pk; case: none; exists k.
have : (0 < #|[pred k : 'I_N.+1 | `[< P k >]]|)%N by apply/card_gt0P; exists k; rewrite inE.
move/(eq_bigmax_cond (fun k : 'I_N.+1 => k : nat)) => [j]; rewrite inE => /asboolP Pj E.
by rewrite (_ : \max_(_ < _ | _) _ = j).
Qed.

Section Memorized.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).

Lemma capacity_geq k : (k <= capacity R D)%N <->
  exists P : weights R H d (d_h D) 0 0 0, (k <= \rank (attention.Z E e P))%N.
Proof.
split=> [kc|[P kP]]; last first.
  apply: (leq_trans kP); apply: largest_geq; last by exists P.
  by rewrite leq_min rank_leq_row rank_leq_col.
case: (posnP (capacity R D)) => [c0|/largest_in[P cP]]; last by exists P; apply: leq_trans cP.
by exists (Weights (fun=> 0) (fun=> 0) (fun=> 0) 0 0); move: kc; rewrite c0 leqn0 => /eqP ->.
Qed.

Lemma full_capacity : (T <= capacity R D)%N ->
  exists K Q : 'I_H -> 'M[R]_(d, d_h D), \rank (Zmx E e (fun h => K h *m (Q h)^T)) = T.
Proof.
case/capacity_geq=> P rP; exists (WK P), (WQ P).
by apply/eqP; rewrite eqn_leq rank_leq_row -ZE.
Qed.

Lemma capacity_memorizes : (d_out D <= d_v D)%N -> (T <= capacity R D)%N -> memorizes_any R D.
Proof.
move=> ov /full_capacity[K [Q rZ]] y; have [U UP] := readout_memorizes ov (leqnn _) rZ y.
by exists (readout (d_v D) (d_out D) K Q U).
Qed.

Lemma capacity_memorizes_skip : (d_out D <= d_v D)%N -> (d_out D <= d)%N -> (T <= capacity R D)%N ->
  memorizes_any_skip R D.
Proof.
move=> ov od /full_capacity[K [Q rZ]] y.
have [U UP] := readout_memorizes ov od rZ (fun t => y t - (pid_mx (d_out D) : 'M_(d_out D, d)) *m e t).
exists (readout (d_v D) d K Q U) => t.
rewrite /predict_skip /layer_out_skip mulmxDr -[X in X + _]/(predict _ _ _) UP.
by rewrite /= /readout_D tr_pid_mx subrK.
Qed.

(* --- given means of the heads, and what values, outputs and a read-out make of them *)
Local Notation Y := (label_matrix R D).
Local Notation target := (@target R D).

Lemma target_row t : (target t)^T = row t Y.
Proof. by apply/rowP => o; rewrite !mxE. Qed.

Lemma rank_row_mxA k l m (A : 'M[R]_(T, k)) (B : 'M[R]_(T, l)) (C : 'M[R]_(T, m)) :
  \rank (row_mx A (row_mx B C)) = \rank (row_mx (row_mx A B) C).
Proof. by rewrite row_mxA -mxrank_tr trmx_cast eqmx_cast mxrank_tr. Qed.

(* columns that add nothing to the rank are a multiple of the others                 *)
Lemma columns_within k m (M : 'M[R]_(T, k)) (N : 'M[R]_(T, m)) : (\rank (row_mx M N) <= \rank M)%N ->
  exists U, N = M *m U.
Proof.
move=> rN; have MS : (M^T <= (row_mx M N)^T)%MS by rewrite tr_row_mx -addsmxE addsmxSl.
have NM : (N^T <= M^T)%MS.
  apply: submx_trans (_ : (row_mx M N)^T <= _)%MS; first by rewrite tr_row_mx -addsmxE addsmxSr.
  by rewrite -(geq_leqif (mxrank_leqif_sup MS)) !mxrank_tr.
by have /submxP[U /(congr1 trmx)] := NM; rewrite trmx_mul !trmxK => ->; exists U^T.
Qed.

(* a read-out of M, with a bias, fits the labels                                    *)
Lemma columns_fitted k (M : 'M[R]_(T, k)) (bias : bool) : (rank_beside M bias true <= rank_beside M bias false)%N <->
  exists U (b : 'rV[R]_(d_out D)), (~~ bias -> b = 0) /\ forall t, row t M *m U + b = (target t)^T.
Proof.
have onesE (b : 'rV[R]_(d_out D)) t : row t (ones_column R D *m b) = b.
  by apply/rowP => o; rewrite !mxE big_ord1 !mxE mul1r.
case: bias => /=; split.
- rewrite rank_row_mxA => /columns_within[U YE]; exists (usubmx U), (dsubmx U); split=> // t.
  by rewrite target_row YE -[X in _ = row t (_ *m X)]vsubmxK mul_row_col linearD /= row_mul onesE.
- move=> [U [b [_ UE]]].
  have YE : Y = M *m U + ones_column R D *m b.
    by apply/row_matrixP => t; rewrite linearD /= onesE row_mul UE target_row.
  rewrite rank_row_mxA (_ : row_mx (row_mx M _) Y = row_mx M (ones_column R D) *m row_mx 1%:M (col_mx U b)).
    exact: mxrankM_maxl.
  by rewrite mul_mx_row mulmx1 mul_row_col -YE.
- by move=> /columns_within[U YE]; exists U, 0; split=> // t; rewrite addr0 target_row YE row_mul.
move=> [U [b [/(_ isT) -> UE]]].
have -> : Y = M *m U by apply/row_matrixP => t; rewrite row_mul -target_row -UE addr0.
rewrite -[X in row_mx X _](mulmx1 M) -mul_mx_row; exact: mxrankM_maxl.
Qed.

(* what stands beside M, and a column of ones                                        *)
Lemma matrix_beside k r (M : 'M[R]_(T, k)) (B : 'M[R]_(T, r)) : (\rank M <= \rank (row_mx M B))%N.
Proof. by rewrite {1}(_ : M = row_mx M B *m col_mx 1%:M 0) ?mxrankM_maxl // mul_row_col mulmx1 mulmx0 addr0. Qed.

Lemma matrix_one_column k (M : 'M[R]_(T, k)) : (\rank (row_mx M (ones_column R D)) <= \rank M + 1)%N.
Proof.
rewrite -mxrank_tr tr_row_mx -addsmxE; apply: leq_trans (mxrank_adds_leqif _ _) _.
by rewrite mxrank_tr leq_add2l rank_leq_row.
Qed.

Section Means.
Variable z : 'I_T -> 'I_H -> 'cV[R]_d.
Local Notation Zg := (\matrix_t (stack (z t))^T).
Local Notation readers := (weights R H d 0 (d_v D) (d_out D) (d_out D)).
Definition predict_means (P : readers) (t : 'I_T) : 'cV[R]_(d_out D) :=
  (WD P)^T *m ((WO P)^T *m stack (fun h => (WV P h)^T *m z t h)).

(* what is linear in Z is what some values, outputs and read-out predict            *)
Lemma means_readout_exists (U : 'M[R]_(H * d, d_out D)) : (d_out D <= d_v D)%N ->
  exists P, forall t, predict_means P t = (row t (Zg *m U))^T.
Proof.
move=> ov; exists (Weights (fun=> 0) (fun=> 0) (readout_V (d_v D) U) (readout_O R (d_v D) (d_out D) (d_out D) H)
  (readout_D R (d_out D) (d_out D))) => t.
by rewrite /predict_means readout_outputs //; congr trmx; rewrite row_mul rowK.
Qed.

Lemma means_fitted : (d_out D <= d_v D)%N -> (\rank (row_mx Zg Y) <= \rank Zg)%N ->
  exists P, forall t, predict_means P t = target t.
Proof.
move=> ov /columns_within[U YE]; have [P PU] := means_readout_exists U ov.
by exists P => t; rewrite PU -YE -target_row trmxK.
Qed.

Lemma means_fitted_bias : (d_out D <= d_v D)%N ->
    (\rank (row_mx Zg (row_mx (ones_column R D) Y)) <= \rank (row_mx Zg (ones_column R D)))%N ->
  exists P b, forall t, predict_means P t + b = target t.
Proof.
move=> ov rY; rewrite rank_row_mxA in rY.
have [U YE] := columns_within rY; have [P PU] := means_readout_exists (usubmx U) ov.
exists P, (dsubmx U)^T => t; rewrite PU -[RHS]trmxK target_row YE -[X in _ = (row t (_ *m X))^T]vsubmxK mul_row_col linearD linearD /=.
congr (_ + _); congr trmx; apply/rowP => o; rewrite [RHS]mxE [RHS]mxE big_ord1 [ones_column _ _ _ _]mxE mul1r.
by congr (dsubmx _ _ _); apply: val_inj; rewrite ord1.
Qed.

(* what values, outputs and a read-out predict is linear in Z                       *)
Lemma predict_means_linear P : exists U, \matrix_t (predict_means P t)^T = Zg *m U.
Proof.
pose S h : 'M[R]_(H * d, d) := colsub (fun j => mxvec_index h j) 1%:M.
pose O h : 'M[R]_(d_v D, d_out D) := \matrix_j row (mxvec_index h j) (WO P).
exists (\sum_h S h *m (WV P h *m O h *m WD P)).
  apply/row_matrixP => t; rewrite rowK /predict_means !trmx_mul !trmxK row_mul rowK mulmx_sumr /stack trmxK.
  have -> : mxvec (\matrix_h ((WV P h)^T *m z t h)^T) *m WO P = \sum_h (z t h)^T *m WV P h *m O h.
    apply/rowP => o; rewrite mxE summxE (reindex _ (curry_mxvec_bij _ _)) /=.
    rewrite (eq_bigr (fun p => ((z t p.1)^T *m WV P p.1) 0 p.2 * WO P (mxvec_index p.1 p.2) o)); last first.
      by move=> [h j] _ /=; rewrite mxvecE mxE trmx_mul trmxK.
    rewrite -(pair_bigA _ (fun h j => ((z t h)^T *m WV P h) 0 j * WO P (mxvec_index h j) o)) /=.
    by apply: eq_bigr => h _; rewrite [RHS]mxE; apply: eq_bigr => j _; rewrite [O h _ _]mxE [row _ _ _ _]mxE.
  rewrite mulmx_suml; apply: eq_bigr => h _; rewrite !mulmxA; do 3![congr (_ *m _)].
  rewrite mulmx_colsub mulmx1; apply/rowP => j.
  by rewrite [RHS]mxE mxvecE [RHS]mxE.
Qed.

Lemma means_missed P : (\rank Zg < \rank (row_mx Zg Y))%N -> ~ forall t, predict_means P t = target t.
Proof.
move=> + PP; rewrite ltnNge => /negP; apply; have [U UE] := predict_means_linear P.
have {1}-> : Y = Zg *m U by rewrite -UE; apply/row_matrixP => t; rewrite rowK PP target_row.
rewrite -[X in row_mx X _](mulmx1 Zg) -mul_mx_row; exact: mxrankM_maxl.
Qed.

Lemma means_missed_bias P b : (\rank (row_mx Zg (ones_column R D)) < \rank (row_mx Zg (row_mx (ones_column R D) Y)))%N ->
  ~ forall t, predict_means P t + b = target t.
Proof.
move=> + PP; rewrite ltnNge => /negP; apply; have [U UE] := predict_means_linear P.
have {1}-> : Y = Zg *m U + ones_column R D *m b^T.
  rewrite -UE; apply/row_matrixP => t; rewrite linearD /= rowK -target_row -PP linearD /=; congr (_ + _).
  rewrite row_mul; apply/rowP => o; rewrite [RHS]mxE big_ord1 [row _ _ _ _]mxE [ones_column _ _ _ _]mxE mul1r.
  by congr (b^T _ _); apply: val_inj.
rewrite rank_row_mxA (_ : row_mx (row_mx _ _) _ = row_mx Zg (ones_column R D) *m row_mx 1%:M (col_mx U b^T)).
  exact: mxrankM_maxl.
by rewrite mul_mx_row mulmx1 mul_row_col.
Qed.

End Means.

(* --- given weights *)
Variable L : layer.
Hypothesis givenD : given D = Some L.
Local Notation Zg := (given_Z R D L false).

Lemma labels_fitted : (d_out D <= d_v D)%N -> (\rank (row_mx Zg Y) <= \rank Zg)%N -> memorizes_given R D.
Proof. by move=> ov /(means_fitted ov)[P PP]; exists L => //; exists P. Qed.

Lemma labels_fitted_bias : (d_out D <= d_v D)%N ->
    (\rank (row_mx Zg (row_mx (ones_column R D) Y)) <= \rank (row_mx Zg (ones_column R D)))%N ->
  memorizes_biased R D.
Proof. by move=> ov /(means_fitted_bias ov)[P [b PP]]; exists L => //; exists P, b. Qed.

Lemma labels_missed : (\rank Zg < \rank (row_mx Zg Y))%N -> ~ memorizes_given R D.
Proof. by move=> rY [L']; rewrite givenD => -[<-] [P]; apply: (means_missed rY). Qed.

Lemma labels_missed_bias : (\rank (row_mx Zg (ones_column R D)) < \rank (row_mx Zg (row_mx (ones_column R D) Y)))%N ->
  ~ memorizes_biased R D.
Proof. by move=> rY [L']; rewrite givenD => -[<-] [P [b]]; apply: (means_missed_bias rY). Qed.

(* without biases, the keys and queries are those of the case, the keys scaled       *)
Lemma memorizes_given_factors m qk K qq Q : L = Factors m qk K qq Q 1 [::] 1 [::] ->
  memorizes_given R D <-> exists P : weights R H d m (d_v D) (d_out D) (d_out D),
    [/\ WK P = (fun h => factor R D false *: literal R d m qk K h), WQ P = literal R d m qq Q &
      memorizes E e P target].
Proof.
move=> LE; have zE (P : weights R H d m (d_v D) (d_out D) (d_out D)) t h :
    WK P = (fun h => factor R D false *: literal R d m qk K h) -> WQ P = literal R d m qq Q ->
    head_z P (E t) (e t) h = (E t)^T *m softmax (factor R D false *: logits R L t h).
  move=> PK PQ; have b0 k : literal_bias R m 1 [::] k = 0 :> 'cV_m.
    by apply/colP => i; rewrite !mxE /ent nth_nil nth_nil rmorph0 mul0r.
  rewrite /head_z /alpha /keys /query PK PQ LE /logits !b0 addr0 trmx0 mulmx0 addr0.
  by rewrite -scalemxAr -scalemxAl.
split=> [[L' givenL' [P PP]]|[P [PK PQ PP]]].
  have E' : L' = L by move: givenL'; rewrite givenD => -[].
  exists (Weights (fun h => factor R D false *: literal R d m qk K h) (literal R d m qq Q) (WV P) (WO P) (WD P)).
  split; [by []|by []|move=> t]; rewrite -PP E' [LHS]/predict /layer_out [WD _]/= [WO _]/=; congr (_ *m (_ *m stack _)).
  by apply/funext => h; rewrite /head_out zE.
exists L; first exact: givenD.
exists (Weights (fun=> 0) (fun=> 0) (WV P) (WO P) (WD P)) => t.
rewrite -PP [RHS]/predict /layer_out [WD _]/= [WO _]/=; congr (_ *m (_ *m stack _)).
by apply/funext => h; rewrite /head_out zE.
Qed.

End Memorized.

(* =================================================================================================== *)
(* Words and positions                                                                                 *)
(* =================================================================================================== *)
(* Tokens that are sums of words and positions, for all vectors of words and positions: the graph that *)
(* joins them bounds the affine hull of the tokens.                                                    *)

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
