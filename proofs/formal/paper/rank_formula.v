(* The largest rank of Z for any contexts, over almost all queries; and contexts that no number of *)
(* heads separates.                                                                                *)
(*                                                                                                 *)
(*             diffs C == the differences of the tokens of C, as a row space                       *)
(*         hull_span C == the span of A^H, A the affine hull of the tokens of C                    *)
(*         hull_rank I == (H - 1) dim V_I + dim L_I                                                *)
(*             curve s == a row of Z for the query with parameter s                                *)
(*       rectangle a b == the context {0, a, b, a + b}                                             *)
(*   rectangle_cycle t == the t-th of the four contexts                                            *)
(*      rectangle_rank == rank(Z) <= 3                                                             *)
From Attest Require Import prelude.
From mathcomp Require Import ring.
From Attest Require Import attention common upper_bounds rank_one_real exponential_polynomials generic_data.

(* ======================================================================================= *)
(* The largest rank                                                                        *)
(* ======================================================================================= *)
(* The largest rank of Z for any contexts.  For a set I of examples let V_I be the span    *)
(* of the differences of tokens within the contexts of I, and L_I the span of their        *)
(* tokens.  Then, for all queries and weights,                                             *)
(*   rank(Z) <= T - |I| + (H - 1) dim V_I + dim L_I                                        *)
(* (hull_bound), and the smallest of these bounds is reached with key dimension 1, by      *)
(* almost all queries (rank_formula) and by all independent queries                        *)
(* (independent_queries_rank).  For queries on one line and W_h = c_h u v^T the rows of Z  *)
(* are points, one each, on curves that span the spaces of the upper bound (curve_span);   *)
(* Rado's theorem on independent transversals, for such curves (transversal), gives points *)
(* of the rank that the bounds allow.                                                      *)

(* -------------------------------------------------------------------------- *)
(* A relation between the heads of one example                                 *)
(* -------------------------------------------------------------------------- *)
Section Relation.
Variables (R : realType) (H n : nat) (l : 'cV[R]_n) (c : 'I_H -> R).
Variables (phi : 'I_H -> 'I_n -> R) (p : 'I_n).
Hypothesis p_max : forall i, l i 0 <= l p 0.
Hypothesis phi_l : forall h i j, l i 0 = l j 0 -> phi h i = phi h j.
Hypothesis c_gt0 : forall h, 0 < c h.
Hypothesis c_sep : forall h h' i j, l i 0 != l p 0 ->
  c h * (l p 0 - l i 0) = c h' * (l p 0 - l j 0) -> h = h'.
Hypothesis rel : forall s, \sum_h \sum_i softmax (s *: (c h *: l)) i 0 * phi h i = 0.

Let gap h i := c h * (l p 0 - l i 0).
Let y h i := phi h i - phi h p.
Let out h s := \sum_i softmax (s *: (c h *: l)) i 0 * y h i.

Lemma out_tends h g : (forall i, gap h i < g -> y h i = 0) ->
  tends (fun s => expR (s * g) * out h s)
    ((\sum_(k | gap h k == g) y h k) / #|[pred k | gap h k == 0]|%:R).
Proof.
have gapE i : (c h *: l) p 0 - (c h *: l) i 0 = gap h i by rewrite !mxE -mulrBr.
move=> low.
have -> : (\sum_(k | gap h k == g) y h k) / #|[pred k | gap h k == 0]|%:R
    = (\sum_(k | (c h *: l) p 0 - (c h *: l) k 0 == g) y h k)
      / #|[pred k | (c h *: l) p 0 - (c h *: l) k 0 == 0]|%:R.
  congr (_ / _%:R); first by apply: eq_bigl => k; rewrite gapE.
  by apply: eq_card => k; rewrite !inE gapE.
apply: softmax_tends => i; rewrite /= gapE; first by rewrite mulr_ge0 ?subr_ge0 // ltW.
by move=> gi; rewrite big1 // => k; rewrite !gapE => /eqP gk; apply: low; rewrite gk.
Qed.

Lemma tends_unique (f : R -> R) a b : tends f a -> f =1 (fun=> b) -> a = b.
Proof.
move=> fa fb; apply/eqP; rewrite -subr_eq0; apply: contraT => ab.
have [x _] := pick_large (tends_neq0 ab (tendsB fa (tends_cst b))).
by rewrite fb subrr eqxx.
Qed.

Lemma gap_eq0 h i : (gap h i == 0) = (l i 0 == l p 0).
Proof. by rewrite mulf_eq0 (gt_eqF (c_gt0 h)) /= subr_eq0 eq_sym. Qed.

Lemma out_sum s : \sum_h out h s = - \sum_h phi h p.
Proof.
have n0 : (0 < n)%N := leq_ltn_trans (leq0n p) (ltn_ord p).
rewrite -[RHS]add0r -[X in X + _](rel s) -sumrB; apply: eq_bigr => h _.
rewrite /out /y; under eq_bigr do rewrite mulrBr.
by rewrite sumrB -mulr_suml softmax_sum1 // mul1r.
Qed.

Lemma y_eq0 h k : l k 0 = l p 0 -> y h k = 0.
Proof. by move=> kp; rewrite /y (phi_l h kp) subrr. Qed.

Lemma sum_top : \sum_h phi h p = 0.
Proof.
have lim h : tends (fun s => expR (s * 0) * out h s) 0.
  have := @out_tends h 0; rewrite big1 ?mul0r => [|k]; last by rewrite gap_eq0 => /eqP/y_eq0.
  by apply=> i; rewrite ltNge mulr_ge0 ?subr_ge0 // ltW.
have E0 : \sum_(h < H) (0 : R) = - \sum_h phi h p.
  apply: tends_unique (tends_sum (index_enum _) (fun h (_ : predT h) => lim h)) _ => s.
  by rewrite -(out_sum s); apply: eq_bigr => h _; rewrite mulr0 expR0 mul1r.
by apply: oppr_inj; rewrite -E0 big1 ?oppr0.
Qed.

Theorem heads_relation h i : phi h i = phi h p.
Proof.
apply/eqP; rewrite -subr_eq0 -/(y h i); apply: contraT => yhi.
case: (@Order.TotalTheory.arg_minP _ _ _ (h, i) (fun a => y a.1 a.2 != 0)
  (fun a => gap a.1 a.2) yhi) => -[h0 i0] /= y0 y_min.
set g := gap h0 i0 in y_min.
have i0p : l i0 0 != l p 0 by apply: contraNneq y0 => /y_eq0 ->.
have low h' k : gap h' k < g -> y h' k = 0.
  by move=> kg; apply/eqP; apply: contraLR kg => yk; rewrite -leNgt (y_min (h', k)).
have lim := tends_sum (index_enum _) (fun h' (_ : predT h') => out_tends (low h')).
have : \sum_h' (\sum_(k | gap h' k == g) y h' k) / #|[pred k | gap h' k == 0]|%:R = 0.
  by apply: tends_unique lim _ => s; rewrite -mulr_sumr out_sum sum_top oppr0 mulr0.
rewrite (bigD1 h0) //= [X in _ + X]big1 ?addr0 => [|h' h'0]; last first.
  rewrite big1 ?mul0r // => k /eqP kg; apply: contraNeq h'0 => yk.
  have kp : l k 0 != l p 0 by apply: contraNneq yk => /y_eq0 ->.
  by rewrite (c_sep kp kg).
have -> : \sum_(k | gap h0 k == g) y h0 k = #|[pred k | gap h0 k == g]|%:R * y h0 i0.
  rewrite mulr_natl -sumr_const; apply: eq_bigr => k.
  rewrite /gap /g (inj_eq (mulfI (lt0r_neq0 (c_gt0 h0)))) (inj_eq (addrI _)) eqr_opp => /eqP ki.
  by rewrite /y (phi_l h0 ki).
have card_neq0 j g' : gap h0 j = g' -> #|[pred k | gap h0 k == g']|%:R != 0 :> R.
  by move=> jg; rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists j; rewrite inE jg.
move/eqP; rewrite !mulf_eq0 invr_eq0 (negPf y0) (negPf (card_neq0 i0 _ _)) //.
by rewrite (negPf (card_neq0 p _ _)) // /gap subrr mulr0.
Qed.

End Relation.

(* -------------------------------------------------------------------------- *)
(* Weights c_h u v for which the relations of all examples are trivial          *)
(* -------------------------------------------------------------------------- *)
Section Choice.
Variables (R : realType) (T H n d : nat) (E : 'I_T -> 'M[R]_(n, d)).

Lemma separating_keys : exists u : 'cV[R]_d, forall t i j,
  (E t *m u) i 0 = (E t *m u) j 0 -> row i (E t) = row j (E t).
Proof.
pose I := [finType of {a : 'I_T * ('I_n * 'I_n) | row a.2.1 (E a.1) != row a.2.2 (E a.1)}].
have [a|v vP] := @separating _ I d (fun a => let b := val a in
    (row b.2.1 (E b.1))^T - (row b.2.2 (E b.1))^T).
  by rewrite /= subr_eq0 (inj_eq trmx_inj) (valP a).
exists v^T => t i j ij; apply/eqP; apply: contraT => rij.
have /negP[] := vP (exist _ (t, (i, j)) rij); rewrite /= mulmxBr mxE [X in _ + X]mxE.
have rE k : (v *m (row k (E t))^T) 0 0 = (E t *m v^T) k 0.
  by rewrite -[v in LHS]trmxK -trmx_mul mxE -row_mul mxE.
by rewrite !rE ij subrr.
Qed.

Lemma separating_scales (u : 'cV[R]_d) : exists c : 'I_H -> R, (forall h, 0 < c h) /\
  forall t (k : 'I_n) h h' i j, (E t *m u) i 0 != (E t *m u) k 0 ->
    c h * ((E t *m u) k 0 - (E t *m u) i 0) = c h' * ((E t *m u) k 0 - (E t *m u) j 0) -> h = h'.
Proof.
pose l t i := (E t *m u) i 0.
pose q (a : ('I_T * 'I_n) * ('I_n * 'I_n) * ('I_H * 'I_H)) : {poly R} :=
  (l a.1.1.1 a.1.1.2 - l a.1.1.1 a.1.2.1) *: 'X^(a.2.1)
  - (l a.1.1.1 a.1.1.2 - l a.1.1.1 a.1.2.2) *: 'X^(a.2.2).
pose good (a : ('I_T * 'I_n) * ('I_n * 'I_n) * ('I_H * 'I_H)) :=
  (a.2.1 != a.2.2) && (l a.1.1.1 a.1.2.1 != l a.1.1.1 a.1.1.2).
have [||m mP] := @nonroot R (\prod_(a | good a) q a) (fun m => m.+1%:R).
- by move=> i j /eqP; rewrite eqr_nat eqSS => /eqP.
- apply/prodf_neq0 => -[[[t k] [i j]] [h h']] /andP[/= hh li].
  apply: contra_neq li => /polyP/(_ h); rewrite coef0 coefB !coefZ !coefXn eqxx mulr1.
  by rewrite -[(h == h' :> nat)]/(h == h') (negPf hh) mulr0 subr0 => /eqP; rewrite subr_eq0 => /eqP.
exists (fun h => m.+1%:R ^+ h); split=> [h|t k h h' i j li eq_c].
  by rewrite exprn_gt0 ?ltr0n.
apply/eqP; apply: contraT => hh.
move: mP; rewrite horner_prod => /prodf_neq0/(_ ((t, k), (i, j), (h, h'))).
rewrite /good /= hh li => /(_ isT).
by rewrite /q /= hornerD hornerN !hornerZ !hornerXn mulrC eq_c mulrC subrr eqxx.
Qed.

End Choice.

(* -------------------------------------------------------------------------- *)
(* The rows of Z lie in the spans of the hulls                                 *)
(* -------------------------------------------------------------------------- *)
Section Hull.
Variables (F : fieldType) (H n d : nat).

(* a row vector put into block h                                               *)
Definition block (h : 'I_H) : 'M[F]_(d, H * d) :=
  lin1_mx (mxvec \o mulmx (delta_mx h 0 : 'M[F]_(H, 1))).

Lemma blockE (y : 'rV[F]_d) h : y *m block h = mxvec (delta_mx h 0 *m y).
Proof. by rewrite mul_rV_lin1. Qed.

Lemma mxvec_blocks (M : 'M[F]_(H, d)) : mxvec M = \sum_h row h M *m block h.
Proof.
under eq_bigr do rewrite blockE rowE mulmxA mul_delta_mx.
by rewrite -linear_sum -mulmx_suml -mx1_sum_delta mul1mx.
Qed.

(* combinations of the tokens with coefficients that sum to 0                   *)
Definition diffs (C : 'M[F]_(n, d)) : 'M[F]_(n, d) := kermx (const_mx 1 : 'cV[F]_n) *m C.

(* the span of A^H, A the affine hull of the tokens                            *)
Definition hull_span (C : 'M[F]_(n, d)) : 'M[F]_(H * d) :=
  (C *m (\sum_h block h) + \sum_h <<diffs C *m block h>>)%MS.

Lemma hull_row (i0 : 'I_n) (C : 'M[F]_(n, d)) (A : 'M[F]_(H, n)) : sum1 A ->
  (mxvec (A *m C) <= hull_span C)%MS.
Proof.
move=> A1; rewrite mxvec_blocks.
have -> : \sum_h row h (A *m C) *m block h = delta_mx 0 i0 *m (C *m (\sum_h block h))
    + \sum_h (row h A - delta_mx 0 i0) *m C *m block h.
  rewrite mulmxA mulmx_sumr -big_split /=; apply: eq_bigr => h _.
  by rewrite !mulmxBl addrC subrK row_mul.
apply: addmx_sub_adds; first exact: submxMl.
apply: summx_sub_sums => h _; rewrite genmxE /diffs; do 2!apply: submxMr; apply/sub_kermxP.
by apply/matrixP => a b; rewrite mulmxBl -row_mul (sum1P A1) -rowE !mxE subrr.
Qed.

End Hull.

Lemma rank_sums_leq (F : fieldType) (I : finType) (P : pred I) m n (A : I -> 'M[F]_(m, n)) :
  (\rank (\sum_(i | P i) <<A i>>)%MS <= \sum_(i | P i) \rank (A i))%N.
Proof.
elim/big_rec2: _ => [|i r S Pi IH]; first by rewrite mxrank0.
by rewrite (leq_trans (mxrank_adds_leqif _ _)) // mxrank_gen leq_add2l.
Qed.

Lemma hull_span_bound (R : realType) T H n d (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (W : 'I_H -> 'M[R]_d) (I : {set 'I_T}) : (0 < n)%N ->
  (\rank (Zmx E e W) <= T - #|I| + \rank (\sum_(t in I) <<hull_span H (E t)>>)%MS)%N.
Proof.
move=> n0; set Y := (\sum_(t in I) _)%MS; set Z0 := Zmx E e W.
have ZY : (Z0 <= (\sum_(t | t \notin I) <<row t Z0>>) + Y)%MS.
  apply/row_subP => t; case: (boolP (t \in I)) => tI.
    apply: submx_trans (addsmxSr _ _); rewrite (sumsmx_sup t) // genmxE.
    rewrite /Z0 Zmx_attn_out rowK; apply: (hull_row (Ordinal n0)).
    exact: coefs_sum1.
  by apply: submx_trans (addsmxSl _ _); rewrite (sumsmx_sup t) // genmxE.
apply: leq_trans (mxrankS ZY) _; apply: leq_trans (mxrank_adds_leqif _ _) _.
rewrite leq_add2r; apply: leq_trans (rank_sums_leq _ _) _.
apply: (@leq_trans (\sum_(t | t \notin I) 1)%N); first by apply: leq_sum => t _; apply: rank_leq_row.
have -> : (T - #|I|)%N = #|[predC I]|.
  by have := cardC (mem I); rewrite card_ord => {1}<-; rewrite addKn.
by rewrite sum1_card.
Qed.

(* -------------------------------------------------------------------------- *)
(* The curve of one example                                                    *)
(* -------------------------------------------------------------------------- *)
Section CurveSpan.
Variables (R : realType) (H n d : nat) (C : 'M[R]_(n, d)) (u : 'cV[R]_d) (c : 'I_H -> R).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis u_sep : forall i j, (C *m u) i 0 = (C *m u) j 0 -> row i C = row j C.
Hypothesis c_gt0 : forall h, 0 < c h.
Hypothesis c_sep : forall k h h' i j, (C *m u) i 0 != (C *m u) k 0 ->
  c h * ((C *m u) k 0 - (C *m u) i 0) = c h' * ((C *m u) k 0 - (C *m u) j 0) -> h = h'.

Definition curve s : 'rV[R]_(H * d) :=
  mxvec ((\matrix_h (softmax (s *: (c h *: (C *m u))))^T) *m C).

Let phi (f : 'cV[R]_(H * d)) h i := (C *m block R d h *m f) i 0.

Lemma curveE f s :
  (curve s *m f) 0 0 = \sum_h \sum_i softmax (s *: (c h *: (C *m u))) i 0 * phi f h i.
Proof.
rewrite /curve mxvec_blocks mulmx_suml summxE; apply: eq_bigr => h _.
rewrite row_mul rowK -!mulmxA mulmxA -mulmxA mulmxA -mulmxA [LHS]mxE.
by apply: eq_bigr => i _; rewrite mxE /phi mulmxA.
Qed.

Lemma curve_functional (f : 'cV[R]_(H * d)) :
  (forall s, (curve s *m f) 0 0 = 0) -> (hull_span H C <= kermx f)%MS.
Proof.
move=> f0; pose l := C *m u.
case: (@Order.TotalTheory.arg_maxP _ _ _ (Ordinal n_gt0) predT (fun i => l i 0) isT) => p _ p_max.
have l_max j : l j 0 <= l p 0 by apply: p_max.
have phi_l h j j' : l j 0 = l j' 0 -> phi f h j = phi f h j'.
  move=> /u_sep rjj; rewrite /phi.
  have rE a : (C *m block R d h *m f) a 0 = (row a C *m block R d h *m f) 0 0.
    by rewrite -!row_mul [RHS]mxE.
  by rewrite !rE rjj.
have rel s : \sum_h \sum_i softmax (s *: (c h *: l)) i 0 * phi f h i = 0 by rewrite -curveE.
have phi_p h i : phi f h i = phi f h p.
  exact: (heads_relation l_max phi_l c_gt0 (@c_sep p) rel).
have sum0 : \sum_h phi f h p = 0.
  rewrite -[RHS](f0 0) curveE; apply: eq_bigr => h _.
  by under eq_bigr do rewrite phi_p; rewrite -mulr_suml softmax_sum1 // mul1r.
rewrite addsmx_sub; apply/andP; split; last first.
  apply/sumsmx_subP => h _; rewrite genmxE; apply/sub_kermxP; rewrite /diffs.
  have := mulmx_ker (const_mx 1 : 'cV[R]_n); move: (kermx (const_mx 1)) => N N1; rewrite -!mulmxA.
  have -> : C *m (block R d h *m f) = const_mx 1 *m (phi f h p)%:M.
    apply/matrixP => i j; rewrite ord1 mulmxA -[LHS]/(phi f h i) phi_p mul_mx_scalar !mxE.
    by rewrite mulr1.
  by rewrite mulmxA N1 mul0mx.
apply/sub_kermxP/matrixP => i j; rewrite ord1 mulmx_sumr mulmx_suml summxE [RHS]mxE -[RHS]sum0.
by apply: eq_bigr => h _; apply: phi_p.
Qed.

Lemma expfrac_curve (f : 'cV[R]_(H * d)) : expfrac (fun s => (curve s *m f) 0 0).
Proof.
apply: (@expfrac_ext _ (fun s => \sum_h \sum_i (expR ((c h * (C *m u) i 0) *: 'X).[s]
    / \sum_j expR ((c h * (C *m u) j 0) *: 'X).[s]) * phi f h i)).
  apply: expfrac_sum => h _; apply: expfrac_sum => i _.
  apply: expfracM (expfrac_const _).
  exact: (expfrac_softmax (fun j => (c h * (C *m u) j 0) *: 'X)).
move=> s; rewrite curveE; apply: eq_bigr => h _; apply: eq_bigr => i _; congr (_ * _).
have E j : (s *: (c h *: (C *m u))) j 0 = ((c h * (C *m u) j 0) *: 'X).[s].
  by rewrite hornerZ hornerX mulrC 2!mxE.
by rewrite [RHS]mxE E; congr (_ / _); apply: eq_bigr => j _; rewrite E.
Qed.

(* the curve meets a space that does not contain its hull in finitely many points  *)
Theorem curve_span (S : 'M[R]_(H * d)) : ~~ (hull_span H C <= S)%MS ->
  exists r : seq R, forall s, s \notin r -> ~~ (curve s <= S)%MS.
Proof.
move=> hS; pose K := cokermx S; pose f j := K *m (delta_mx j 0 : 'cV_(H * d)).
have [[j [s0 nz]]|none] := pselect (exists j, exists s, (curve s *m f j) 0 0 != 0).
  have [r rP] := expfrac_zeros (expfrac_curve _) nz; exists r => s.
  apply: contra; rewrite submxE => /eqP sK; apply: rP.
  by rewrite /f mulmxA sK mul0mx mxE.
case/negP: hS; rewrite submxE; apply/eqP/matrixP => i j.
have all0 s : (curve s *m f j) 0 0 = 0.
  by apply/eqP; apply: contraT => nz; case: none; exists j, s.
have /sub_kermxP := curve_functional all0.
by rewrite /f mulmxA -colE => /matrixP/(_ i 0); rewrite !mxE.
Qed.

End CurveSpan.

(* -------------------------------------------------------------------------- *)
(* Rado's theorem for curves                                                   *)
(* -------------------------------------------------------------------------- *)
Section Transversal.
Variables (R : realType) (T N : nat) (U : 'I_T -> 'M[R]_N) (gamma : 'I_T -> R -> 'rV[R]_N).
Hypothesis gammaP : forall t (S : 'M[R]_N), ~~ (U t <= S)%MS ->
  exists r : seq R, forall s, s \notin r -> ~~ (gamma t s <= S)%MS.

Let sum_U (I : {set 'I_T}) := (\sum_(t in I) <<U t>>)%MS.

Lemma transversal_seq (l : seq 'I_T) (S : 'M[R]_N) : uniq l ->
  exists s : 'I_T -> R, exists I : {set 'I_T}, {subset I <= l} /\
    (size l + \rank (S + sum_U I)%MS
      <= #|I| + \rank (S + \sum_(t <- l) <<gamma t (s t)>>)%MS)%N.
Proof.
elim: l S => [|t0 l IH] S /=.
  move=> _; exists (fun=> 0), set0; split=> [t|]; first by rewrite inE.
  by rewrite /sum_U !big_nil cards0 big_pred0 // => t; rewrite inE.
case/andP=> t0l ul.
have /fin_all_exists[r rP] (I : {set 'I_T}) : exists r : seq R,
    ~~ (U t0 <= S + sum_U I)%MS -> forall s, s \notin r -> ~~ (gamma t0 s <= S + sum_U I)%MS.
  have [//|/gammaP[r rP]] := boolP (U t0 <= S + sum_U I)%MS; first by exists [::].
  by exists r.
have [s0 [_ s0r]] := few_points (flatten [seq r I | I <- enum {set 'I_T}]) 0 ltr01.
have s0P I : ~~ (U t0 <= S + sum_U I)%MS -> ~~ (gamma t0 s0 <= S + sum_U I)%MS.
  move=> /rP; apply; apply: contra s0r => s0I; apply/flattenP; exists (r I) => //.
  by apply: map_f; rewrite mem_enum.
have [s [I [Il leI]]] := IH (S + <<gamma t0 s0>>)%MS ul.
pose s' t := if t == t0 then s0 else s t.
have sumE : (S + \sum_(t <- t0 :: l) <<gamma t (s' t)>> :=:
    S + <<gamma t0 s0>> + \sum_(t <- l) <<gamma t (s t)>>)%MS.
  rewrite big_cons {1}/s' eqxx -addsmxA.
  rewrite (_ : (\sum_(t <- l) <<gamma t (s' t)>>)%MS = (\sum_(t <- l) <<gamma t (s t)>>)%MS) //.
  apply: eq_big_seq => t tl; rewrite /s'; case: eqP => // tt.
  by rewrite -tt tl in t0l.
have t0I : t0 \notin I by apply: contra t0l; apply: Il.
exists s'; rewrite sumE.
have [tI|tI] := boolP (gamma t0 s0 <= S + sum_U I)%MS.
  have UI : (U t0 <= S + sum_U I)%MS by apply: contraLR tI; apply: s0P.
  exists (t0 |: I); split=> [t|].
    by rewrite !inE => /orP[/eqP ->|/Il tl]; rewrite ?eqxx // tl orbT.
  rewrite cardsU1 t0I add1n !addSn ltnS; apply: leq_trans leI; rewrite leq_add2l.
  apply: mxrankS; rewrite /sum_U big_setU1 //=.
  rewrite addsmx_sub (submx_trans _ (addsmxSl _ _)) ?addsmxSl //= addsmx_sub genmxE.
  have SI : (S + sum_U I <= S + <<gamma t0 s0>> + sum_U I)%MS by rewrite addsmxS // addsmxSl.
  by rewrite (submx_trans UI SI) addsmxSr.
exists I; split=> [t /Il tl|]; first by rewrite inE tl orbT.
apply: leq_trans leI; rewrite addSn -addnS leq_add2l.
have SI : (S + sum_U I <= S + <<gamma t0 s0>> + sum_U I)%MS by rewrite addsmxS // addsmxSl.
rewrite ltn_neqAle mxrankS // andbT; apply: contra tI => /eqP rI.
have /andP[_] : (S + sum_U I == S + <<gamma t0 s0>> + sum_U I)%MS.
  by rewrite -(geq_leqif (mxrank_leqif_eq SI)) rI.
apply: submx_trans; apply: submx_trans (addsmxSl _ _); apply: submx_trans (addsmxSr _ _).
by rewrite genmxE.
Qed.

Theorem transversal : exists s : 'I_T -> R, exists I : {set 'I_T},
  (T + \rank (sum_U I) <= #|I| + \rank (\matrix_t gamma t (s t)))%N.
Proof.
have [s [I [_ leI]]] := transversal_seq 0 (enum_uniq 'I_T).
exists s, I; rewrite size_enum_ord in leI.
have z (A : 'M[R]_N) : \rank (0 + A)%MS = \rank A by rewrite adds0mx.
rewrite !z in leI; apply: leq_trans leI _; rewrite leq_add2l; apply: mxrankS.
rewrite big_enum /=; apply/sumsmx_subP => t _; rewrite genmxE.
by rewrite -[gamma t (s t)](rowK (fun t => gamma t (s t))) row_sub.
Qed.

End Transversal.

(* -------------------------------------------------------------------------- *)
(* The dimension of the sum of hulls                                           *)
(* -------------------------------------------------------------------------- *)
Section Dimension.
Variable F : fieldType.

Lemma mxvec_block_tr H d (M : 'M[F]_(H, d)) h : mxvec M *m (block F d h)^T = row h M.
Proof.
apply/rowP => j; rewrite [RHS]mxE -[RHS]mxvecE.
have -> : (mxvec M *m (block F d h)^T) 0 j = (mxvec M *m (row j (block F d h))^T) 0 0.
  by rewrite [LHS]mxE [RHS]mxE; apply: eq_bigr => k _; rewrite !mxE.
by rewrite rowE blockE mul_delta_mx mxvec_delta trmx_delta -colE mxE.
Qed.

Lemma block_block_tr H d m (y : 'M[F]_(m, d)) (h h' : 'I_H) :
  y *m block F d h *m (block F d h')^T = (h == h')%:R *: y.
Proof.
apply/row_matrixP => i; rewrite !row_mul blockE mxvec_block_tr [LHS]rowE mulmxA mul_delta_mx_cond.
rewrite [RHS]linearZ /= eq_sym; case: (h == h'); rewrite ?mulr1n ?mulr0n ?scale1r ?scale0r ?mul0mx //.
by rewrite (_ : delta_mx 0 0 = 1%:M) ?mul1mx //; apply/matrixP => a b; rewrite !ord1 !mxE.
Qed.

Lemma block_tr H d (h h' : 'I_H) : block F d h *m (block F d h')^T = (h == h')%:R *: 1%:M.
Proof. by rewrite -[block F d h]mul1mx block_block_tr. Qed.

Variables (T H' n d : nat) (E : 'I_T -> 'M[F]_(n, d)) (I : {set 'I_T}).
Notation H := H'.+1.

Let L := (\sum_(t in I) <<E t>>)%MS.
Let V := (\sum_(t in I) <<diffs (E t)>>)%MS.
Let P1 : 'M[F]_(d, H * d) := \sum_h block F d h.
Let Lb := row_base L.
Let Vb := row_base V.

(* V in each block but the first                                               *)
Let B : 'M[F]_(H' * \rank V, H * d) :=
  \sum_(h < H') (block F (\rank V) h)^T *m Vb *m block F d (lift ord0 h).

Lemma B_row h : block F (\rank V) h *m B = Vb *m block F d (lift ord0 h).
Proof.
rewrite mulmx_sumr (bigD1 h) //= big1 ?addr0 => [|k kh].
  by rewrite !mulmxA block_tr eqxx scale1r mul1mx.
by rewrite !mulmxA block_tr eq_sym (negPf kh) scale0r !mul0mx.
Qed.

Lemma basis_free : row_free (col_mx (Lb *m P1) B).
Proof.
apply: inj_row_free => y; rewrite -[y]hsubmxK; set a := lsubmx y; set c := rsubmx y.
rewrite mul_row_col -[c]vec_mxK; move: (vec_mx c) => C yB.
have cB : mxvec C *m B = \sum_h row h C *m Vb *m block F d (lift ord0 h).
  rewrite mulmx_sumr; apply: eq_bigr => h _.
  by rewrite !mulmxA mxvec_block_tr.
have P1_tr h : a *m (Lb *m P1) *m (block F d h)^T = a *m Lb.
  rewrite mulmxA mulmx_sumr mulmx_suml (bigD1 h) //= big1 ?addr0 => [|k kh].
    by rewrite block_block_tr eqxx scale1r.
  by rewrite block_block_tr (negPf kh) scale0r.
have a0 : a = 0.
  apply: (row_free_inj (row_base_free L)); rewrite mul0mx -(P1_tr ord0).
  have := congr1 (mulmx^~ (block F d ord0)^T) yB; rewrite mulmxDl cB mul0mx mulmx_suml.
  by rewrite [X in _ + X]big1 ?addr0 // => h _; rewrite block_block_tr scale0r.
have C0 : C = 0.
  apply/row_matrixP => h; rewrite row0; apply: (row_free_inj (row_base_free V)).
  have := congr1 (mulmx^~ (block F d (lift ord0 h))^T) yB; rewrite mulmxDl cB a0 !mul0mx add0r.
  rewrite mulmx_suml (bigD1 h) //= big1 ?addr0 => [|k kh].
    by rewrite block_block_tr eqxx scale1r.
  by rewrite block_block_tr (inj_eq lift_inj) (negPf kh) scale0r.
by rewrite a0 C0 linear0 row_mx0.
Qed.

Lemma rank_hull_span :
  \rank (\sum_(t in I) <<hull_span H (E t)>>)%MS = (H' * \rank V + \rank L)%N.
Proof.
rewrite addnC -[RHS](eqP basis_free); apply/eqmx_rank/andP; split.
  apply/sumsmx_subP => t tI; rewrite genmxE -addsmxE.
  have EL : (E t <= Lb)%MS by rewrite eq_row_base (sumsmx_sup t) // genmxE.
  have DV : (diffs (E t) <= Vb)%MS by rewrite eq_row_base (sumsmx_sup t) // genmxE.
  have DB h : (diffs (E t) *m block F d (lift ord0 h) <= B)%MS.
    by rewrite (submx_trans (submxMr _ DV)) // -B_row submxMl.
  rewrite addsmx_sub (submx_trans (submxMr _ EL) (addsmxSl _ _)) /=.
  apply/sumsmx_subP => h _; rewrite genmxE.
  case: (unliftP ord0 h) => [k ->|->]; first exact: submx_trans (DB k) (addsmxSr _ _).
  have -> : diffs (E t) *m block F d ord0
      = diffs (E t) *m P1 - \sum_k diffs (E t) *m block F d (lift ord0 k).
    by rewrite /P1 mulmx_sumr big_ord_recl addrK.
  apply: addmx_sub_adds; last first.
    by rewrite eqmx_opp; apply: summx_sub => k _; apply: DB.
  by apply: submxMr; apply: submx_trans EL; apply: submxMl.
rewrite -addsmxE addsmx_sub; apply/andP; split.
  apply: submx_trans (submxMr _ (_ : Lb <= L)%MS) _; first by rewrite eq_row_base.
  rewrite sumsmxMr_gen; apply/sumsmx_subP => t tI; rewrite genmxE (sumsmx_sup t) // genmxE.
  by rewrite (eqmxMr _ (genmxE _)) addsmxSl.
apply: summx_sub => h _; rewrite -mulmxA.
apply: submx_trans (submxMl _ _) _.
apply: submx_trans (submxMr _ (_ : Vb <= V)%MS) _; first by rewrite eq_row_base.
rewrite sumsmxMr_gen; apply/sumsmx_subP => t tI; rewrite genmxE (sumsmx_sup t) // genmxE.
rewrite (eqmxMr _ (genmxE _)); apply: submx_trans (addsmxSr _ _).
by rewrite (sumsmx_sup (lift ord0 h)) // genmxE.
Qed.

End Dimension.

(* -------------------------------------------------------------------------- *)
(* The bounds are reached, with key dimension 1                                *)
(* -------------------------------------------------------------------------- *)
Section Reached.
Variables (R : realType) (T H n d : nat) (E : 'I_T -> 'M[R]_(n, d)).
Hypothesis n_gt0 : (0 < n)%N.

Hypothesis H_gt0 : (0 < H)%N.

(* the dimension of what the rows in I can span                                *)
Definition hull_rank (I : {set 'I_T}) : nat :=
  (H - 1) * \rank (\sum_(t in I) <<diffs (E t)>>)%MS + \rank (\sum_(t in I) <<E t>>)%MS.

Lemma hull_rankE (I : {set 'I_T}) : \rank (\sum_(t in I) <<hull_span H (E t)>>)%MS = hull_rank I.
Proof. by rewrite /hull_rank; case: H H_gt0 => // H' _; rewrite rank_hull_span subn1. Qed.

(* for all queries and weights                                                 *)
Theorem hull_bound (e : 'I_T -> 'cV[R]_d) (W : 'I_H -> 'M[R]_d) (I : {set 'I_T}) :
  (\rank (Zmx E e W) <= T - #|I| + hull_rank I)%N.
Proof. by rewrite -hull_rankE; apply: hull_span_bound. Qed.

(* u, c and the numbers s_t depend on the contexts only                        *)
Lemma reached_weights : exists u : 'cV[R]_d, exists c : 'I_H -> R, exists s : 'I_T -> R,
  exists I : {set 'I_T}, forall (e : 'I_T -> 'cV[R]_d) (v : 'rV[R]_d),
    (forall t, (v *m e t) 0 0 = s t) ->
  (T + hull_rank I <= #|I| + \rank (Zmx E e (fun h => c h *: (u *m v))))%N.
Proof.
have [u uP] := separating_keys E; have [c [c0 cP]] := separating_scales H E u.
have curveP t (S : 'M[R]_(H * d)) : ~~ (hull_span H (E t) <= S)%MS ->
    exists r : seq R, forall s, s \notin r -> ~~ (curve (E t) u c s <= S)%MS.
  exact: (curve_span n_gt0 (@uP t) c0 (@cP t)).
have [s [I leI]] := transversal curveP; rewrite hull_rankE in leI.
exists u, c, s, I => e v vs.
have lE h t : E t *m (c h *: (u *m v)) *m e t = s t *: (c h *: (E t *m u)).
  rewrite -scalemxAr -scalemxAl mulmxA -(mulmxA (E t *m u)) [v *m e t]mx11_scalar vs.
  by rewrite mul_mx_scalar !scalerA mulrC.
have coefsE t : coefs E e (fun h => c h *: (u *m v)) t
    = \matrix_h (softmax (s t *: (c h *: (E t *m u))))^T.
  by apply/row_matrixP => h; rewrite [LHS]rowK [RHS]rowK lE.
have -> : Zmx E e (fun h => c h *: (u *m v)) = \matrix_t curve (E t) u c (s t).
  by apply/row_matrixP => t; rewrite Zmx_attn_out [LHS]rowK [RHS]rowK coefsE.
exact: leI.
Qed.

Lemma leq_sub_add (I : {set 'I_T}) h z : (T + h <= #|I| + z)%N -> (T - #|I| + h <= z)%N.
Proof.
have IT : (#|I| <= T)%N by rewrite -[X in (_ <= X)%N](card_ord T) max_card.
by rewrite -{1}(subnKC IT) -addnA leq_add2l.
Qed.

(* linearly independent queries: the exact largest rank                         *)
Theorem independent_queries_rank (e : 'I_T -> 'cV[R]_d) : row_free (\matrix_t (e t)^T) ->
  exists r, [/\ forall W : 'I_H -> 'M[R]_d, (\rank (Zmx E e W) <= r)%N,
    exists W : 'I_H -> 'M[R]_d, (forall h, \rank (W h) <= 1)%N /\ \rank (Zmx E e W) = r,
    forall I : {set 'I_T}, (r <= T - #|I| + hull_rank I)%N &
    exists I : {set 'I_T}, r = (T - #|I| + hull_rank I)%N].
Proof.
move=> fe; have [u [c [s [I leI]]]] := reached_weights.
pose v : 'rV[R]_d := (pinvmx (\matrix_t (e t)^T) *m (\col_t s t))^T.
have vs t : (v *m e t) 0 0 = s t.
  rewrite -[v *m e t]trmxK trmx_mul trmxK [LHS]mxE.
  have -> : (e t)^T = row t (\matrix_t' (e t')^T) by rewrite rowK.
  by rewrite -row_mul mulmxA mulmxVp // mul1mx !mxE.
have {}leI := leI e v vs; set W := (fun h => _) in leI.
have eqI : \rank (Zmx E e W) = (T - #|I| + hull_rank I)%N.
  by apply/eqP; rewrite eqn_leq hull_bound // (leq_sub_add leI).
exists (T - #|I| + hull_rank I)%N; split=> [W'|| J|]; last by exists I.
- exact: hull_bound.
- exists W; split=> // h; rewrite /W scalemxAl.
  by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
- by rewrite -eqI; apply: hull_bound.
Qed.

End Reached.

(* almost all queries, for any contexts: on every line through one choice of queries and  *)
(* weights all but finitely many have the largest rank that any queries and weights have   *)
Section AlmostAll.
Variables (R : realType) (T H n d dh : nat) (E : 'I_T -> 'M[R]_(n, d)).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis dh_gt0 : (0 < dh)%N.

Theorem rank_formula : exists r, [/\
    forall (e : 'I_T -> 'cV[R]_d) (W : 'I_H -> 'M[R]_d), (\rank (Zmx E e W) <= r)%N,
    (forall I : {set 'I_T}, r <= T - #|I| + hull_rank H E I)%N,
    exists I : {set 'I_T}, r = (T - #|I| + hull_rank H E I)%N &
    exists2 a : point R T H n d dh, a.1.1 = E &
      forall b : point R T H n d dh, b.1.1 = E -> exists s : seq R, forall x, x \notin s ->
        (line_at a b x).1.1 = E /\ \rank (Z_at (line_at a b x)) = r].
Proof.
have [u [c [s [I leI]]]] := @reached_weights R T H n d E n_gt0 H_gt0.
pose w : 'cV[R]_d := delta_mx (Ordinal d_gt0) 0; pose e t := s t *: w.
have vs t : (w^T *m e t) 0 0 = s t.
  by rewrite -scalemxAr trmx_delta mul_delta_mx !mxE eqxx mulr1.
have {}leI := leI e w^T vs; set W := (fun h => _) in leI.
have [h|a [aE aZ]] := @point_of R T H n d dh E e W.
  by rewrite /W scalemxAl (leq_trans (mxrankM_maxr _ _)) // (leq_trans (rank_leq_row _)).
have geI : (T - #|I| + hull_rank H E I <= \rank (Zmx E e W))%N.
  exact: leq_sub_add leI.
exists (T - #|I| + hull_rank H E I)%N; split.
- by move=> e' W'; apply: hull_bound.
- by move=> J; apply: leq_trans geI _; apply: hull_bound.
- by exists I.
exists a => [|b bE]; first by rewrite aE.
have [r rP] := rank_line a b; exists r => x xr.
have lE : (line_at a b x).1.1 = E.
  by apply/funext => t; rewrite /line_at /= aE bE /line subrr scaler0 addr0.
split; first exact: lE.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  by rewrite /Z_at lE; apply: hull_bound.
by apply: leq_trans geI (leq_trans _ (rP x xr)); rewrite aZ.
Qed.

End AlmostAll.

(* a shared context, of any number of tokens and any rank                        *)
Theorem shared_rank_formula (R : realType) T H n d dh (C : 'M[R]_(n, d)) :
    (0 < n)%N -> (0 < H)%N -> (0 < d)%N -> (0 < dh)%N ->
  let r := minn T ((H - 1) * \rank (diffs C) + \rank C) in
  (forall (e : 'I_T -> 'cV[R]_d) (W : 'I_H -> 'M[R]_d), \rank (Zmx (fun=> C) e W) <= r)%N /\
  exists2 a : point R T H n d dh, a.1.1 = (fun=> C) &
    forall b : point R T H n d dh, b.1.1 = (fun=> C) -> exists s : seq R, forall x, x \notin s ->
      (line_at a b x).1.1 = (fun=> C) /\ \rank (Z_at (line_at a b x)) = r.
Proof.
move=> n0 H0 d0 dh0 r.
have sumC m k (A : 'M[R]_(m, k)) (I : {set 'I_T}) : I != set0 -> \rank (\sum_(t in I) <<A>>)%MS = \rank A.
  move=> /set0Pn[t tI]; apply/eqmx_rank/andP; split.
    by apply/sumsmx_subP => t' _; rewrite genmxE.
  by rewrite (sumsmx_sup t) // genmxE.
have [r' [r'_max r'_le [I r'I] lines]] := @rank_formula R T H n d dh (fun=> C) n0 H0 d0 dh0.
suff -> : r = r' by [].
apply/eqP; rewrite /r eqn_leq; apply/andP; split.
  rewrite r'I; have [->|I0] := eqVneq I set0.
    by rewrite cards0 subn0 (leq_trans (geq_minl _ _)) ?leq_addr.
  by rewrite /hull_rank !sumC // (leq_trans (geq_minr _ _)) ?leq_addl.
rewrite leq_min; apply/andP; split.
  by have := r'_le set0; rewrite cards0 subn0 /hull_rank !big_set0 !mxrank0 muln0 !addn0.
have [T0|T0] := posnP T.
  apply: leq_trans (r'_le set0) _; rewrite /hull_rank !big_set0 !mxrank0 muln0 !addn0 cards0 subn0.
  by apply: (@leq_trans 0%N); rewrite // leqn0; apply/eqP.
have full0 : [set: 'I_T] != set0 by apply/set0Pn; exists (Ordinal T0); rewrite inE.
by have := r'_le [set: 'I_T]; rewrite cardsT card_ord subnn add0n /hull_rank !sumC.
Qed.

(* ====================================================================================== *)
(* Rectangles                                                                             *)
(* ====================================================================================== *)
(* Four different contexts that no number of heads separates: the contexts                *)
(* {0, a, b, a + b}, {0, b, c, b + c}, {0, c, f, c + f}, {0, f, a, f + a} with one query  *)
(* satisfy z_1 - z_2 + z_3 - z_4 = 0 for all weights, because softmax over a rectangle is *)
(* the product of softmax over its sides.  So rank(Z) <= 3 for every H, although the      *)
(* bounds of hull_bound allow 4 (d = 1, a, b, c, f = 1, 2, 3, 4, H >= 4).             *)

Section Rectangle.
Variables (R : realType) (d : nat).
Implicit Types (a b : 'rV[R]_d) (y : 'cV[R]_d).

Definition rectangle a b : 'M[R]_(4, d) := \matrix_(i < 4) nth 0 [:: 0; a; b; a + b] i.

(* the coefficient of a token with logit x beside one with logit 0               *)
Let side (x : R) : R := expR x / (1 + expR x).

Lemma rectangle_out a b y k :
  \sum_i rectangle a b i k * softmax (rectangle a b *m y) i 0
    = side ((a *m y) 0 0) * a 0 k + side ((b *m y) 0 0) * b 0 k.
Proof.
have lE i : (rectangle a b *m y) i 0 = nth 0 [:: 0; (a *m y) 0 0; (b *m y) 0 0;
    (a *m y) 0 0 + (b *m y) 0 0] i.
  have -> : (rectangle a b *m y) i 0 = (row i (rectangle a b) *m y) 0 0.
    by rewrite -row_mul [RHS]mxE.
  rewrite rowK; case: i => -[|[|[|[|//]]]] i4 //=; first by rewrite mul0mx mxE.
  by rewrite mulmxDl mxE.
have cE i : rectangle a b i k = nth 0 [:: 0; a 0 k; b 0 k; a 0 k + b 0 k] i.
  by rewrite mxE; case: i => -[|[|[|[|//]]]] i4 /=; rewrite ?mxE.
set X := expR ((a *m y) 0 0); set Y := expR ((b *m y) 0 0).
have DE : \sum_j expR ((rectangle a b *m y) j 0) = 1 + (X + (Y + (X * Y + 0))).
  under eq_bigr do rewrite lE.
  by rewrite !big_ord_recl big_ord0 /= expR0 expRD.
under eq_bigr do rewrite cE [softmax _ _ _]mxE lE DE.
rewrite !big_ord_recl big_ord0 /= expR0 expRD -/X -/Y /side -/X -/Y.
have X0 : 0 < X := expR_gt0 _; have Y0 : 0 < Y := expR_gt0 _.
have X1 : 1 + X != 0 by rewrite gt_eqF ?addr_gt0.
have Y1 : 1 + Y != 0 by rewrite gt_eqF ?addr_gt0.
move: (a 0 k) (b 0 k) X1 Y1 X0 Y0; clearbody X Y => u v X1 Y1 X0 Y0.
have -> : 1 + (X + (Y + (X * Y + 0))) = (1 + X) * (1 + Y) by ring.
by field; rewrite X1 Y1.
Qed.

(* four rectangles on a cycle of four sides                                     *)
Variable side_vector : 'I_4 -> 'rV[R]_d.

Definition rectangle_cycle (t : 'I_4) : 'M[R]_(4, d) :=
  rectangle (side_vector t) (side_vector (t + 1)).

Theorem rectangle_rank H (e : 'cV[R]_d) (W : 'I_H -> 'M[R]_d) :
  (\rank (Zmx rectangle_cycle (fun=> e) W) <= 3)%N.
Proof.
set Z0 := Zmx _ _ _; pose w : 'rV[R]_4 := \row_t (-1) ^+ t.
have wZ : w *m Z0 = 0.
  apply/rowP => c; case/mxvec_indexP: c => h k; rewrite [LHS]mxE [RHS]mxE.
  have ZtE t : Z0 t (mxvec_index h k) = side ((side_vector t *m (W h *m e)) 0 0) * side_vector t 0 k
      + side ((side_vector (t + 1) *m (W h *m e)) 0 0) * side_vector (t + 1) 0 k.
    by rewrite ZmxE -rectangle_out; apply: eq_bigr => i _; rewrite -mulmxA.
  pose f t := side ((side_vector t *m (W h *m e)) 0 0) * side_vector t 0 k.
  rewrite (eq_bigr (fun t : 'I_4 => (-1) ^+ t * (f t + f (t + 1)))); last first.
    by move=> t _; rewrite ZtE mxE.
  rewrite !big_ord_recl big_ord0 /=.
  have -> : lift ord0 ord0 = 1 :> 'I_4 by apply/val_inj.
  have -> : ord0 + 1 = 1 :> 'I_4 by apply/val_inj.
  have -> : lift ord0 (lift ord0 ord0) = 1 + 1 :> 'I_4 by apply/val_inj.
  have -> : lift ord0 (lift ord0 (lift ord0 ord0)) = 1 + 1 + 1 :> 'I_4 by apply/val_inj.
  have -> : 1 + 1 + 1 + 1 = ord0 :> 'I_4 by apply/val_inj.
  rewrite /bump /= !addn0 !add1n !exprS expr0.
  by move: (f ord0) (f 1) (f (1 + 1)) (f (1 + 1 + 1)) => f0 f1 f2 f3; ring.
have w0 : w != 0.
  by apply/eqP => /matrixP/(_ 0 ord0); rewrite !mxE expr0 => /eqP; rewrite oner_eq0.
have : (0 < \rank (kermx Z0))%N.
  rewrite lt0n mxrank_eq0; apply: contra w0 => /eqP k0.
  by move/sub_kermxP: wZ; rewrite k0 submx0.
by rewrite mxrank_ker subn_gt0 ltnS.
Qed.

End Rectangle.
