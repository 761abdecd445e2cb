(* What holds for all weights: the affine-hull bound, Propositions 2 and 5 of the paper, the half-space       *)
(* condition, and the order of the tokens.                                                                    *)
(*                                                                                                            *)
(*   affine_hull_rank, linear_hull_rank == the affine-hull bound for coefficients that sum to one, any field; *)
(*                            the linear hull                                                                 *)
(*   affine_hull_bound, linear_hull_bound == these for the layer, any weights                                 *)
(*     shared_context_rank == Proposition 2 for coefficients that sum to one, any field                       *)
(*           proposition_2 == for the layer (alias shared_context_rank_bound)                                 *)
(*           proposition_5 == the statement (alias constant_sum_rank)                                         *)
(*      opposite_queries q == the queries q_1, ..., q_p, - q_1, ..., - q_p                                    *)
(*   opposite_queries_rank == rank Z <= p + 1, all weights                                                    *)
(*       half_space_needed == four queries for which the bound of n = 2 is not reached                        *)
(*            same_example == the same query, the same tokens in another order                                *)
(*                same_row == the same examples have the same rows in Z, for all weights                      *)
From Attest Require Import prelude.
From mathcomp Require Import ring perm.
From Attest Require Import attention.

(* ============================================================================ *)
(* The affine-hull bound                                                        *)
(* ============================================================================ *)
(* The affine-hull bound: if all tokens of all contexts lie in an affine space  *)
(* x0 + V, then rank(Z) <= H dim(V) + 1, for all weights.  Propositions 2 and 5 *)
(* of the paper are instances.  If 0 lies in the affine space, the + 1 goes.    *)
(* The statement about coefficients that sum to one holds over any field;       *)
(* affine_hull_bound is the one about the layer.                                *)

Section AffineHull.
Variables (F : fieldType) (T H n d : nat).

Lemma attn_outE (A : 'I_T -> 'M[F]_(H, n)) (E : 'I_T -> 'M[F]_(n, d)) t h j :
  attn_out A E t (mxvec_index h j) = (row h (A t) *m E t) 0 j.
Proof. by rewrite mxE mxvecE -row_mul [RHS]mxE. Qed.

Lemma sum1P (A : 'M[F]_(H, n)) : sum1 A -> A *m const_mx 1 = const_mx 1 :> 'M_(H, 1).
Proof.
move=> sA; apply/matrixP=> h j; rewrite !mxE -[RHS](sA h).
by apply: eq_bigr => i _; rewrite mxE mulr1.
Qed.

Theorem affine_hull_rank (A : 'I_T -> 'M[F]_(H, n)) (E : 'I_T -> 'M[F]_(n, d))
    (x0 : 'rV[F]_d) m (V : 'M[F]_(m, d)) :
    (forall t, sum1 (A t)) ->
    (forall t i, (row i (E t) - x0 <= V)%MS) ->
  (\rank (attn_out A E) <= H * \rank V + 1)%N.
Proof.
move=> sA EV.
pose B := row_base V.
have EB t : (E t - const_mx 1 *m x0 <= B)%MS.
  apply/row_subP => i; rewrite eq_row_base.
  rewrite linearB /= -[row i (E t)]/(row i (E t)) row_mul.
  have -> : row i (const_mx 1 : 'cV[F]_n) = 1%:M.
    by apply/matrixP=> a b; rewrite !ord1 !mxE.
  by rewrite mul1mx EV.
pose C t := A t *m ((E t - const_mx 1 *m x0) *m pinvmx B).
have AE t : A t *m E t = const_mx 1 *m x0 + C t *m B.
  rewrite /C -(mulmxA (A t)) mulmxKpV //.
  by rewrite mulmxBr mulmxA (sum1P (sA t)) addrC subrK.
have -> : attn_out A E =
    const_mx 1 *m mxvec (const_mx 1 *m x0 : 'M_(H, d))
    + (\matrix_t mxvec (C t)) *m lin_mx (mulmxr B).
  apply/row_matrixP => t; rewrite linearD /= !row_mul !rowK.
  have -> : row t (const_mx 1 : 'cV[F]_T) = 1%:M.
    by apply/matrixP=> a b; rewrite !ord1 !mxE.
  by rewrite mul1mx mul_vec_lin /= AE linearD.
rewrite addnC (leq_trans (mxrank_add _ _)) //.
by rewrite leq_add // (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
Qed.


Theorem linear_hull_rank (A : 'I_T -> 'M[F]_(H, n)) (E : 'I_T -> 'M[F]_(n, d)) m (V : 'M[F]_(m, d)) :
    (forall t, (E t <= V)%MS) ->
  (\rank (attn_out A E) <= H * \rank V)%N.
Proof.
move=> EV; pose B := row_base V.
have -> : attn_out A E =
    (\matrix_t mxvec (A t *m (E t *m pinvmx B))) *m lin_mx (mulmxr B).
  apply/row_matrixP => t; rewrite row_mul !rowK mul_vec_lin /=.
  by rewrite -mulmxA mulmxKpV // eq_row_base.
by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
Qed.

End AffineHull.

(* the two bounds for the layer, whatever its weights                           *)
Section Layer.
Variables (R : realType) (T H n d dh dv do dout : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Variable P : weights R H d dh dv do dout.

Lemma coefs_sum1 (W : 'I_H -> 'M[R]_d) t : (0 < n)%N -> sum1 (coefs E e W t).
Proof.
move=> n0 h; rewrite -[RHS](softmax_sum1 (E t *m W h *m e t) n0).
by apply: eq_bigr => i _; rewrite [LHS]mxE mxE.
Qed.

Theorem affine_hull_bound (x0 : 'rV[R]_d) m (V : 'M[R]_(m, d)) :
    (forall t i, (row i (E t) - x0 <= V)%MS) ->
  (\rank (Z E e P) <= H * \rank V + 1)%N.
Proof.
move=> EV; rewrite ZE Zmx_attn_out; case: (posnP n) => n0.
  apply: leq_trans (_ : _ <= H * \rank V)%N _; last by rewrite leq_addr.
  apply: linear_hull_rank => t; rewrite (_ : E t = 0) ?sub0mx //.
  apply/matrixP => i j; have := leq_ltn_trans (leq0n i) (ltn_ord i).
  by rewrite [X in (_ < X)%N -> _]n0 ltnn.
by apply: affine_hull_rank EV => t; apply: coefs_sum1.
Qed.

Theorem linear_hull_bound m (V : 'M[R]_(m, d)) : (forall t, (E t <= V)%MS) ->
  (\rank (Z E e P) <= H * \rank V)%N.
Proof. by move=> EV; rewrite ZE Zmx_attn_out; apply: linear_hull_rank. Qed.

End Layer.

(* ============================================================================ *)
(* Proposition 2                                                                *)
(* ============================================================================ *)
(* Proposition 2 of the paper: with one context shared by all examples,         *)
(* rank(Z) <= H (n - 1) + 1 for any weights.                                    *)
(* Stronger than the paper: neither Assumption 1 nor Assumption 2 is needed.    *)

Section SharedContext.
Variables (F : fieldType) (T H : nat).

Corollary shared_context_rank n' d (A : 'I_T -> 'M[F]_(H, n'.+1))
    (E : 'M[F]_(n'.+1, d)) :
  (forall t, sum1 (A t)) ->
  (\rank (attn_out A (fun=> E)) <= H * n' + 1)%N.
Proof.
move=> sA.
pose V : 'M[F]_(n', d) := \matrix_(i < n') (row (lift 0 i) E - row 0 E).
apply: leq_trans (_ : _ <= H * \rank V + 1)%N _.
  apply: (affine_hull_rank (x0 := row 0 E)) => // t i.
  case: (unliftP 0 i) => [j|] ->; last by rewrite subrr sub0mx.
  by rewrite -(rowK (fun i => row (lift 0 i) E - row 0 E)) row_sub.
by rewrite leq_add2r leq_mul2l rank_leq_row orbT.
Qed.

End SharedContext.

Theorem proposition_2 (R : realType) T H n d dh dv do dout
    (C : 'M[R]_(n, d)) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (P : weights R H d dh dv do dout) :
  (forall t, E t = C) -> (\rank (Z E e P) <= H * (n - 1) + 1)%N.
Proof.
move=> EC; case: n C E EC => [|n] C E EC.
  have : forall t, (E t <= (0 : 'M_(0, d)))%MS.
    by move=> t; apply/row_subP => -[].
  by move/(linear_hull_bound e P)/leq_trans; apply; rewrite mxrank0 muln0.
pose V : 'M[R]_(n, d) := \matrix_(i < n) (row (lift 0 i) C - row 0 C).
apply: leq_trans (_ : _ <= H * \rank V + 1)%N _; last first.
  by rewrite leq_add2r leq_mul2l subn1 rank_leq_row orbT.
apply: (affine_hull_bound e P (x0 := row 0 C)) => // t i; rewrite EC.
case: (unliftP 0 i) => [j|] ->; last by rewrite subrr sub0mx.
by rewrite -(rowK (fun i => row (lift 0 i) C - row 0 C)) row_sub.
Qed.

Notation shared_context_rank_bound := proposition_2 (only parsing).

(* ============================================================================ *)
(* Proposition 5                                                                *)
(* ============================================================================ *)
(* Proposition 5 of the paper: if the entries of every token of every context   *)
(* sum to the same c, then rank(Z) <= H (d - 1) + 1 for any weights.            *)

Theorem proposition_5 (R : realType) T H n d dh dv do dout
    (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (P : weights R H d dh dv do dout) (c : R) :
  (forall t i, \sum_j E t i j = c) -> (\rank (Z E e P) <= H * (d - 1) + 1)%N.
Proof.
case: d E e P => [|d'] E e P sE.
  by rewrite (leq_trans (rank_leq_col _)) // muln0.
rewrite subn1 /=.
pose o : 'cV[R]_d'.+1 := const_mx 1.
pose V := kermx o.
pose x0 : 'rV[R]_d'.+1 := c *: delta_mx 0 0.
have rV : \rank V = d'.
  rewrite mxrank_ker; suff -> : \rank o = 1%N by rewrite subn1.
  apply/eqP; rewrite eqn_leq rank_leq_col lt0n mxrank_eq0.
  apply/negP => /eqP /matrixP /(_ 0 0) /eqP.
  by rewrite !mxE oner_eq0.
rewrite -[X in (H * X + 1)%N]rV.
apply: (affine_hull_bound e P (x0 := x0)) => // t i.
apply/sub_kermxP; rewrite mulmxBl; apply/matrixP => a b.
rewrite !ord1 !mxE -[X in X - _](_ : c = _).
  rewrite (bigD1 0) //= big1 ?addr0 => [|j j0]; last first.
    by rewrite !mxE (negPf j0) mulr0 mul0r.
  by rewrite !mxE !eqxx !mulr1 subrr.
by rewrite -(sE t i); apply: eq_bigr => j _; rewrite !mxE mulr1.
Qed.

Notation constant_sum_rank := proposition_5 (only parsing).

(* =================================================================================== *)
(* Opposite queries                                                                    *)
(* =================================================================================== *)
(* The half-space condition of the rank-one lower bound cannot be dropped: with a      *)
(* shared context of n = 2 tokens and queries that come in opposite pairs q_i, -q_i    *)
(* (p pairs, T = 2 p distinct queries), rank(Z) <= p + 1 for all weights of any rank   *)
(* and any number of heads, because the two outputs of a pair always add up to the sum *)
(* of the two tokens.  For p >= 2 and H >= 2 p - 1 that is less than                   *)
(* min(T, H (n - 1) + 1) = 2 p.                                                        *)

Lemma inv_share (F : realFieldType) (x y : F) : 0 < x -> 0 < y ->
  x^-1 / (x^-1 + y^-1) = 1 - x / (x + y) /\ y^-1 / (x^-1 + y^-1) = 1 - y / (x + y).
Proof.
move=> x0 y0; have xn0 : x != 0 by rewrite gt_eqF.
have yn0 : y != 0 by rewrite gt_eqF.
have sn0 : x + y != 0 by rewrite gt_eqF ?addr_gt0.
have sn0' : y + x != 0 by rewrite addrC.
by split; field; rewrite ?xn0 ?yn0 ?sn0 ?sn0'.
Qed.

Lemma softmax2_opp (R : realType) (l : 'cV[R]_2) i :
  softmax (- l) i 0 = 1 - softmax l i 0.
Proof.
pose o1 : 'I_2 := lift ord0 ord0.
have [i0 i1] := inv_share (expR_gt0 (l ord0 0)) (expR_gt0 (l o1 0)).
have sumE (k : 'cV[R]_2) : \sum_j expR (k j 0) = expR (k ord0 0) + expR (k o1 0).
  by rewrite big_ord_recl big_ord_recl big_ord0 addr0.
have oppE k : expR ((- l) k 0) = (expR (l k 0))^-1 by rewrite mxE expRN.
rewrite mxE [in RHS]mxE !sumE !oppE.
have [->|->] : i = ord0 \/ i = o1; [|exact: i0|exact: i1].
by case: i => -[|[|//]] ?; [left|right]; apply/val_inj.
Qed.

Section Opposite.
Variables (R : realType) (H d p : nat) (C : 'M[R]_(2, d)) (q : 'I_p -> 'cV[R]_d).

Definition opposite_queries (t : 'I_(p + p)) : 'cV[R]_d :=
  match split t with inl i => q i | inr i => - q i end.

Theorem opposite_queries_rank dh dv do dout (P : weights R H d dh dv do dout) :
  (\rank (Z (fun=> C) opposite_queries P) <= p + 1)%N.
Proof.
rewrite ZE; pose W h := WK P h *m (WQ P h)^T; set Z0 := Zmx _ _ _.
pose A : 'M[R]_(p, H * d) := rowsub (@lshift p p) Z0.
pose c : 'rV[R]_(H * d) := mxvec (const_mx 1 *m (const_mx 1 *m C : 'rV_d)).
apply: leq_trans (rank_leq_row (col_mx A c)); apply: mxrankS.
rewrite -addsmxE; apply/row_subP => t; case: (splitP t) => [i ti|i ti].
  have -> : t = lshift p i by apply/val_inj.
  rewrite (_ : row _ _ = row i A); last by apply/rowP => k; rewrite !mxE.
  by rewrite (submx_trans (row_sub _ _)) ?addsmxSl.
have -> : t = rshift p i by apply/val_inj.
have ZhE u h j : Z0 u (mxvec_index h j)
    = \sum_k softmax (C *m W h *m opposite_queries u) k 0 * C k j.
  rewrite /Z0 Zmx_attn_out mxE mxvecE [LHS]mxE; apply: eq_bigr => k _.
  by congr (_ * _); rewrite [LHS]mxE [LHS]mxE.
have qr : opposite_queries (rshift p i) = - q i.
  by rewrite /opposite_queries (unsplitK (inr i)).
have ql : opposite_queries (lshift p i) = q i.
  by rewrite /opposite_queries (unsplitK (inl i)).
have -> : row (rshift p i) Z0 = c - row i A.
  apply/rowP => k; case/mxvec_indexP: k => h j.
  have -> : (row (rshift p i) Z0) 0 (mxvec_index h j) = Z0 (rshift p i) (mxvec_index h j).
    by rewrite mxE.
  have -> : (c - row i A) 0 (mxvec_index h j)
      = (\sum_k C k j) - Z0 (lshift p i) (mxvec_index h j).
    rewrite [LHS]mxE; congr (_ + _); last by rewrite mxE [in LHS]mxE [in LHS]mxE.
    rewrite /c mxvecE mxE big_ord1 [X in X * _]mxE mul1r mxE.
    by apply: eq_bigr => k _; rewrite mxE mul1r.
  rewrite !ZhE -sumrB; apply: eq_bigr => k _.
  by rewrite qr ql mulmxN softmax2_opp mulrBl mul1r.
by rewrite addmx_sub ?addsmxSr // eqmx_opp (submx_trans (row_sub _ _)) ?addsmxSl.
Qed.

End Opposite.

Theorem half_space_needed (R : realType) :
  exists C : 'M[R]_2, exists e : 'I_4 -> 'cV[R]_2,
    [/\ \rank C = 2%N, injective e &
      forall dh dv do dout (P : weights R 3 2 dh dv do dout),
        (\rank (Z (fun=> C) e P) < minn 4 (3 * (2 - 1) + 1))%N].
Proof.
exists 1%:M, (@opposite_queries R 2 2 (fun i => delta_mx i 0)); split.
- by rewrite mxrank1.
- have one0 : (1 : R) <> 0 by apply/eqP/oner_neq0.
  have mone0 : (- 1 : R) <> 0 by apply/eqP; rewrite oppr_eq0 oner_neq0.
  have onem : (1 : R) <> -1.
    by apply/eqP; rewrite -subr_eq0 opprK -(natrD _ 1 1) pnatr_eq0.
  have dE (i j : 'I_2) : (delta_mx i 0 : 'cV[R]_2) j 0 = (i == j)%:R.
    by rewrite mxE eqxx andbT eq_sym.
  move=> s t; rewrite /opposite_queries.
  case: (@splitP 2 2 s) => i si; case: (@splitP 2 2 t) => j tj /colP st;
    apply/val_inj; rewrite /= si tj.
  + by have := st i; rewrite !dE eqxx; case: (altP (j =P i)) => [->//|_ /one0].
  + have := st i; rewrite [in RHS]mxE !dE eqxx.
    by case: (altP (j =P i)) => [_ /onem//|_]; rewrite oppr0 => /one0.
  + have := st j; rewrite [in LHS]mxE !dE eqxx => /esym.
    by case: (altP (i =P j)) => [_ /onem//|_]; rewrite oppr0 => /one0.
  + have := st i; rewrite [in LHS]mxE [in RHS]mxE !dE eqxx => /oppr_inj.
    by case: (altP (j =P i)) => [->//|_ /one0].
move=> dh dv d_o dout P.
by rewrite (leq_ltn_trans (@opposite_queries_rank R 3 2 2 _ _ _ _ _ _ P)).
Qed.

(* ============================================================================ *)
(* The order of the tokens                                                      *)
(* ============================================================================ *)
(* Z does not depend on the order of the tokens in a context.                   *)

Lemma softmax_perm (R : realType) n d (C C' : 'M[R]_(n, d)) (w : 'cV[R]_d) (p : 'S_n) :
  C' = row_perm p C -> (C'^T *m softmax (C' *m w) = C^T *m softmax (C *m w))%R.
Proof.
move=> ->; have wE i : (row_perm p C *m w) i 0 = (C *m w) (p i) 0.
  by rewrite mxE [RHS]mxE; apply: eq_bigr => j _; rewrite mxE.
have sE : \sum_j expR ((row_perm p C *m w) j 0) = \sum_j expR ((C *m w) j 0).
  by rewrite [RHS](reindex_inj (@perm_inj _ p)); apply: eq_bigr => j _; rewrite wE.
apply/matrixP => k l; rewrite mxE [RHS]mxE [RHS](reindex_inj (@perm_inj _ p)); apply: eq_bigr => i _.
by rewrite ord1 3!mxE sE wE [in RHS]mxE [X in _ = _ * X]mxE.
Qed.

Section Rows.
Variables (R : realType) (T n d : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

Definition same_example (t t' : 'I_T) : Prop := e t = e t' /\ exists p : 'S_n, E t = row_perm p (E t').

Lemma same_row H (W : 'I_H -> 'M[R]_d) t t' : same_example t t' -> row t (Zmx E e W) = row t' (Zmx E e W).
Proof.
move=> [et [p Et]]; rewrite [LHS]rowK [RHS]rowK; apply: (congr1 (fun f => (stack f)^T)); apply/funext => h.
by rewrite -!mulmxA (softmax_perm _ Et) et.
Qed.

End Rows.
