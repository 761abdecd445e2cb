(* The half-space condition of the rank-one lower bound cannot be dropped: with a       *)
(* shared context of n = 2 tokens and queries that come in opposite pairs q_i, -q_i      *)
(* (p pairs, T = 2 p distinct queries), rank(Z) <= p + 1 for all weights of any rank     *)
(* and any number of heads, because the two outputs of a pair always add up to the sum   *)
(* of the two tokens.  For p >= 2 and H >= 2 p - 1 that is less than                     *)
(* min(T, H (n - 1) + 1) = 2 p.                                                          *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp Require Import ring.
From Attest Require Import attention.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
have [i0 i1] := inv_share (expR_gt0 (l 0 0)) (expR_gt0 (l 1 0)).
have sumE (k : 'cV[R]_2) : \sum_j expR (k j 0) = expR (k 0 0) + expR (k 1 0).
  rewrite !big_ord_recl big_ord0 addr0; congr (_ + expR (k _ _)); exact/val_inj.
rewrite mxE [in RHS]mxE !sumE ![(- l) _ _]mxE !expRN.
have [->|->] : i = 0 \/ i = 1; last 2 [exact: i0 | exact: i1].
by case: i => -[|[|//]] ?; [left|right]; apply/val_inj.
Qed.

Section Opposite.
Variables (R : realType) (H d p : nat) (C : 'M[R]_(2, d)) (q : 'I_p -> 'cV[R]_d).

Definition opposite_queries (t : 'I_(p + p)) : 'cV[R]_d :=
  match split t with inl i => q i | inr i => - q i end.

Theorem opposite_queries_rank dh dv do dout (P : weights R H d dh dv do dout) :
  (\rank (Z (fun=> C) opposite_queries P) <= p + 1)%N.
Proof.
rewrite ZE; set W := fun h => _; set Z0 := Zmx _ _ _.
pose A : 'M[R]_(p, H * d) := rowsub (@lshift p p) Z0.
pose c : 'rV[R]_(H * d) := mxvec (const_mx 1 *m (const_mx 1 *m C : 'rV_d)).
apply: leq_trans (rank_leq_row (col_mx A c)); apply: mxrankS.
rewrite -addsmxE; apply/row_subP => t; case: (splitP t) => [i ti|i ti].
  have -> : t = lshift p i by apply/val_inj.
  rewrite (_ : row _ _ = row i A); last by apply/rowP => k; rewrite !mxE.
  by rewrite (submx_trans (row_sub _ _)) ?addsmxSl.
have -> : t = rshift p i by apply/val_inj.
have -> : row (rshift p i) Z0 = c - row i A.
  apply/rowP => k; case/mxvec_indexP: k => h j.
  rewrite [LHS]mxE [RHS]mxE [(- _) _ _]mxE /c mxvecE.
  rewrite [(row i A) _ _]mxE [A _ _]mxE /Z0 !Zmx_attn_out.
  rewrite ![attn_out _ _ _ _]mxE !mxvecE !mxE big_ord1 !mxE mul1r -sumrB.
  apply: eq_bigr => k _; rewrite ![coefs _ _ _ _ _ _]mxE ![(_^T) _ _]mxE mxE mul1r.
  rewrite /opposite_queries (unsplitK (inr i)) (unsplitK (inl i)) mulmxN softmax2_opp.
  by rewrite mulrBl mul1r.
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
  move=> s t; rewrite /opposite_queries.
  rewrite -{2}(splitK s) -{2}(splitK t).
  case: (split s) => i; case: (split t) => j /= /colP st.
  + by have := st i; rewrite !mxE !eqxx andbT; case: eqP => // ->.
  + by have := st i; rewrite !mxE !eqxx andbT; case: eqP => //= _; rewrite ?oppr0.
  + by have := st j; rewrite !mxE !eqxx andbT; case: eqP => //= _; rewrite ?oppr0 => /esym.
  + have := st i; rewrite !mxE !eqxx andbT; case: eqP => [-> //|_] /=.
    by rewrite oppr0.
move=> dh dv do dout P.
by rewrite (leq_ltn_trans (@opposite_queries_rank R 3 2 2 _ _ _ _ _ _ P)).
Qed.
