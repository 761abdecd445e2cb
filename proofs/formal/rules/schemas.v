(* The proved checker, theorems: the schemas of docs/statements.md as theorems                                *)
(* about the quantities of quantities.v.                                                               *)
(*                                                                                                            *)
(* any_coefficients, any_weights, some_weights == rank(Z), capacity and the largest rank for any coefficients *)
(* linear_hull, affine_hull, context_hulls == bounds of the last one by spans of tokens                       *)
(* in_shapeP == a layer of the shape has the Z of weights of attention.v                                      *)
From Attest Require Import integers attention kruskal affine_hull lemma_1 common rank_formula.
From Attest Require Import literal_arithmetic bounds problem logits quantity_bounds.

Local Notation Z := BinNums.Z.

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
