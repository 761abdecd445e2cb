(* The half-space condition of the rank-one lower bound cannot be dropped: with a       *)
(* shared context of n = 2 tokens and queries that come in opposite pairs q_i, -q_i      *)
(* (p pairs, T = 2 p distinct queries), rank(Z) <= p + 1 for all weights of any rank     *)
(* and any number of heads, because the two outputs of a pair always add up to the sum   *)
(* of the two tokens.  For p >= 2 and H >= 2 p - 1 that is less than                     *)
(* min(T, H (n - 1) + 1) = 2 p.                                                          *)
(*                                                                                       *)
(*      opposite_queries q == the queries q_1, ..., q_p, - q_1, ..., - q_p               *)
(*   opposite_queries_rank == rank Z <= p + 1, all weights                               *)
(*       half_space_needed == four queries for which the bound of n = 2 is not reached   *)
From Attest Require Import prelude.
From mathcomp Require Import ring.
From Attest Require Import attention.

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
