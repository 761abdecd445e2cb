(* Replay of certificates, upper bounds of rank(Z) by equal and constant heads:  *)
(* heads whose logits differ by a constant in every example have equal columns  *)
(* of Z; a head whose logit differences do not depend on the example, in a      *)
(* shared context, has constant columns.  The remaining D heads and the affine  *)
(* hull of the tokens bound the rank.                                          *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention affine_hull replay_arithmetic replay_layer replay_lower replay_hull.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Coefficients of any kind                                                    *)
(* -------------------------------------------------------------------------- *)
Section Heads.
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

End Heads.

(* -------------------------------------------------------------------------- *)
(* The check                                                                   *)
(* -------------------------------------------------------------------------- *)
(* logits up to a constant                                                     *)
Definition reduced_logits (D : layer_data) (t h : nat) : seq Z :=
  let l := int_logits D t h in [seq (x - head 0 l)%coqZ | x <- l].

Definition equal_heads D (g h : nat) : bool :=
  all (fun t => reduced_logits D t g == reduced_logits D t h) (iota 0 (examples D)).
Definition constant_head D (h : nat) : bool :=
  all (fun t => reduced_logits D t h == reduced_logits D 0 h) (iota 0 (examples D)).
Definition shared_context D : bool :=
  all (fun E => E == nth [::] (contexts D) 0) (contexts D).

(* every head is in `distinct` or in `constant`, or is the second of a pair of  *)
(* equal heads whose first is                                                  *)
Definition heads_ok (D : layer_data) (distinct : seq nat) (equal : seq (nat * nat))
    (constant : seq nat) : bool :=
  [&& all (fun h => h < heads D)%N (distinct ++ constant),
    all (fun x => (x.1 \in distinct ++ constant) && equal_heads D x.1 x.2) equal,
    all (constant_head D) constant, nilp constant || shared_context D &
    all (fun h => (h \in distinct ++ constant) || has (fun x => x.2 == h) equal)
      (iota 0 (heads D))].

Section Layer.
Variables (F : numFieldType) (D : layer_data).
Local Notation T := (examples D).
Local Notation H := (heads D).
Local Notation n := (context_length D).
Local Notation d := (embed_dim D).
Hypothesis okD : integer_logits D.

Lemma reduced_coefs (t t' : 'I_T) (g h : 'I_H) :
    reduced_logits D t g = reduced_logits D t' h ->
  row g (layer_coefs F t) = row h (layer_coefs F t').
Proof.
have coefsE (s : 'I_T) (k : 'I_H) (i : 'I_n) : layer_coefs F s k i =
    2%:R ^ int_of_Z (nth 0%coqZ (reduced_logits D s k) i)
      / \sum_(j < n) 2%:R ^ int_of_Z (nth 0%coqZ (reduced_logits D s k) j).
  have c0 : 2%:R ^ int_of_Z (head 0%coqZ (int_logits D s k)) != 0 :> F.
    by rewrite expfz_neq0 ?pnatr_eq0.
  have rE (j : 'I_n) : 2%:R ^ int_of_Z (nth 0%coqZ (int_logits D s k) j) =
      2%:R ^ int_of_Z (head 0%coqZ (int_logits D s k))
        * 2%:R ^ int_of_Z (nth 0%coqZ (reduced_logits D s k) j) :> F.
    rewrite -expfzDr ?pnatr_eq0 // -rmorphD; congr (_ ^ int_of_Z _).
    by rewrite [in RHS](nth_map 0%coqZ) ?size_int_logits //; apply/esym/Zplus_minus.
  rewrite layer_coefsE // rE; under eq_bigr do rewrite rE.
  by rewrite -mulr_sumr -mulf_div divff // mul1r.
by move=> tt'; apply/rowP => i; rewrite [LHS]mxE [RHS]mxE !coefsE tt'.
Qed.

Section Cover.
Variables (distinct constant : seq nat) (equal : seq (nat * nat)).
Hypothesis ok : heads_ok D distinct equal constant.

Lemma heads_cover : exists f : 'I_(size distinct) -> 'I_H, forall h,
  (exists i, forall t, row h (layer_coefs F t) = row (f i) (layer_coefs F t)) \/
  (~~ nilp constant /\ forall t t', row h (layer_coefs F t) *m layer_contexts F t =
    row h (layer_coefs F t') *m layer_contexts F t').
Proof.
have /and5P[hH /allP eqok /allP cok sh /allP cov] := ok.
have /(@ords_of H)[f fE] : all (fun h => h < H)%N distinct by move: hH; rewrite all_cat => /andP[].
exists f => h.
have [g gin gh] : exists2 g : 'I_H, (g : nat) \in distinct ++ constant &
    forall t, row h (layer_coefs F t) = row g (layer_coefs F t).
  have := cov h; rewrite mem_iota ltn_ord => /(_ isT)/orP[hin|/hasP[[g h'] gin /eqP /= h'E]].
    by exists h.
  have /andP[/= g_in /allP gh] := eqok _ gin.
  exists (Ordinal (allP hH _ g_in)) => // t; apply: reduced_coefs; apply/esym/eqP.
  by rewrite -h'E; apply: gh; rewrite mem_iota ltn_ord.
move: gin; rewrite mem_cat => /orP[gd|gc].
  have gi : (index (g : nat) distinct < size distinct)%N by rewrite index_mem.
  left; exists (Ordinal gi) => t; rewrite gh; congr (row _ _).
  by apply: val_inj; rewrite [RHS]fE /= nth_index.
right; have c0 : ~~ nilp constant by case: (constant) gc.
split=> // t t'; rewrite !gh.
have E0 (s : 'I_T) : nth [::] (contexts D) s = nth [::] (contexts D) 0.
  move: sh; rewrite (negPf c0) => /allP/(_ (nth [::] (contexts D) s)) sh.
  apply/eqP; apply: sh; apply: mem_nth.
  by case/andP: okD => /and5P[_ /eqP-> _ _ _] _.
have -> : layer_contexts F t = layer_contexts F t'.
  by rewrite /layer_contexts /context_mx !E0.
congr (_ *m _); apply: reduced_coefs.
have r0 (s : 'I_T) : reduced_logits D s g = reduced_logits D 0 g.
  by apply/eqP; have /allP := cok _ gc; apply; rewrite mem_iota ltn_ord.
by rewrite !r0.
Qed.

Theorem replay_rank_leq_heads_functionals V c p cols inverse :
    functionals_ok T n d (contexts D) V c p cols inverse ->
  (\rank (layer_Z F D) <= size distinct * (d - size V)
     + (~~ nilp constant || has (fun x => ~~ (x =? 0)%coqZ) c))%N.
Proof.
have [f cover] := heads_cover.
have sA (t : 'I_T) : sum1 (layer_coefs F t) by apply: layer_coefs_sum1.
move=> /(functionalsP F (context_den D))[W [w [EW rW wc]]].
have := functional_hull EW; case: eqP wc => [w0 _|w0 /= wc].
  move/(heads_linear_rank cover)/leq_trans; apply; rewrite mxrank_ker.
  by apply: leq_add; [rewrite leq_mul2l rW orbT|case: nilp].
case=> x0 /(heads_affine_rank sA cover)/leq_trans; apply; rewrite mxrank_ker.
apply: leq_add; first by rewrite leq_mul2l rW orbT.
by rewrite (leq_trans wc) //; case: nilp => //; apply: leq_b1.
Qed.

Theorem replay_rank_leq_heads_tokens ti :
    tokens_ok T n (contexts D) (listed_tokens (contexts D) ti) ->
  (\rank (layer_Z F D) <= size distinct * (size ti).-1 + 1)%N.
Proof.
have [f cover] := heads_cover.
have sA (t : 'I_T) : sum1 (layer_coefs F t) by apply: layer_coefs_sum1.
rewrite -[size ti](size_map (fun x => nth [::] (nth [::] (contexts D) x.1) x.2)).
move=> /(tokensP F d (context_den D))[x0 [V /(heads_affine_rank sA cover)/leq_trans]]; apply.
by rewrite leq_add2r leq_mul2l rank_leq_row orbT.
Qed.

End Cover.
End Layer.
