(* Lemmas 1 to 5 and Claims 1 and 2 of the paper.                                     *)
(*                                                                                    *)
(*            lemma_1 == the statement (alias rank_block_triangular)                  *)
(*   row_free_add_sum == Lemma 2 for 1 + n c != 0, any field                          *)
(*            lemma_2 == for c >= 0 (alias row_free_add_multiple_of_sum)              *)
(*            lemma_3 == the statement (alias separating_rank_one)                    *)
(*    saturation_rate == the quantitative form of Lemma 4                             *)
(*            lemma_4 == the statement (alias softmax_limit_one_hot)                  *)
(*            lemma_5 == the statement (alias rank_geq_near)                          *)
(*          rank_near == the form of Lemma 5 with entrywise small perturbations       *)
(*            claim_1 == the statement (alias prescribed_softmax)                     *)
(*            claim_2 == the statement (alias prescribed_softmax_saturated_elsewhere) *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra.
From Attest Require Import attention common kruskal euclidean.

(* ============================================================================ *)
(* Lemma 1                                                                      *)
(* ============================================================================ *)
(* Lemma 1 of the paper: rank [A B; 0 C] >= rank A + rank C.                    *)
(* Stronger than the paper: over any field.                                     *)

Section BlockTri.
Variable F : fieldType.

Lemma rank_block_lower m1 m2 n1 n2 (A : 'M[F]_(m1, n1)) (B : 'M_(m2, n1))
    (C : 'M_(m2, n2)) :
  (\rank A + \rank C <= \rank (block_mx A 0 B C))%N.
Proof.
set M := block_mx _ _ _ _.
pose P : 'M[F]_(n1 + n2, n2) := col_mx 0 1%:M.
rewrite -(mxrank_mul_ker M P) addnC leq_add //.
  rewrite /M mul_block_col !mulmx0 mul0mx !add0r mulmx1.
  by rewrite rank_col_0mx.
rewrite -(rank_row_mx0 n2 A) mxrankS // sub_capmx; apply/andP; split.
  by rewrite /M block_mxEv -addsmxE addsmxSl.
by apply/sub_kermxP; rewrite mul_row_col mulmx0 mul0mx addr0.
Qed.

Theorem lemma_1 m1 m2 n1 n2 (A : 'M[F]_(m1, n1)) (B : 'M_(m1, n2))
    (C : 'M_(m2, n2)) :
  (\rank A + \rank C <= \rank (block_mx A B 0 C))%N.
Proof.
rewrite -(mxrank_tr A) -(mxrank_tr C) -(mxrank_tr (block_mx _ _ _ _)).
by rewrite tr_block_mx trmx0 rank_block_lower.
Qed.

End BlockTri.

Notation rank_block_triangular := lemma_1 (only parsing).

(* ============================================================================= *)
(* Lemma 2                                                                       *)
(* ============================================================================= *)
(* Lemma 2 of the paper: if a_1, ..., a_n are linearly independent, then so are  *)
(* a_i + c (a_1 + ... + a_n), for every c >= 0.  Here the a_i are the rows of A. *)
(* Stronger than the paper: over any field, whenever 1 + n c <> 0.               *)

Lemma row_free_add_sum (F : fieldType) n m (A : 'M[F]_(n, m)) (c : F) :
    1 + n%:R * c != 0 -> row_free A ->
  row_free (\matrix_(i < n) (row i A + c *: \sum_j row j A)).
Proof.
move=> c0 fA; apply: inj_row_free => v.
have -> : \matrix_(i < n) (row i A + c *: \sum_j row j A)
          = (1%:M + const_mx c) *m A.
  apply/row_matrixP => i; rewrite rowK row_mul linearD /= row1 mulmxDl.
  rewrite -rowE; congr (_ + _); rewrite [RHS]mulmx_sum_row scaler_sumr.
  by apply: eq_bigr => j _; rewrite !mxE.
rewrite mulmxA => /eqP; rewrite mulmx_free_eq0 // => /eqP vA.
have vE i : v 0 i = - ((\sum_j v 0 j) * c).
  move/matrixP/(_ 0 i): vA; rewrite mulmxDr mulmx1 !mxE => /eqP.
  rewrite addr_eq0 => /eqP ->; congr (- _).
  by rewrite mulr_suml; apply: eq_bigr => j _; rewrite mxE.
have s0 : \sum_j v 0 j = 0.
  set S := \sum_j v 0 j.
  have eS : S = - (n%:R * (S * c)).
    rewrite {1}/S (eq_bigr _ (fun i _ => vE i)) sumr_const card_ord.
    by rewrite -/S mulr_natl mulNrn.
  have /eqP : S * (1 + n%:R * c) = 0.
    by rewrite mulrDr mulr1 mulrCA {1}eS addNr.
  by rewrite mulf_eq0 (negPf c0) orbF => /eqP.
by apply/matrixP => i j; rewrite ord1 vE s0 mul0r oppr0 mxE.
Qed.

Theorem lemma_2 (F : numFieldType) n m (A : 'M[F]_(n, m)) c :
    0 <= c -> row_free A ->
  row_free (\matrix_(i < n) (row i A + c *: \sum_j row j A)).
Proof.
move=> c0; apply: row_free_add_sum.
have nc0 : 0 <= n%:R * c by rewrite mulr_ge0 // ler0n.
by rewrite gt_eqF // (lt_le_trans ltr01) // ler_addl.
Qed.

Notation row_free_add_multiple_of_sum := lemma_2 (only parsing).

(* ============================================================================== *)
(* Lemma 3                                                                        *)
(* ============================================================================== *)
(* Lemma 3 of the paper: for contexts of rank n and queries of Kruskal rank at    *)
(* least n, and n - 1 of the examples (I), there is a rank-one W' with W' e_t = 0 *)
(* for t in I and the entries of E_t W' e_t pairwise different for the others.    *)
(* Stronger than the paper: over any field of characteristic 0 with an order,     *)
(* for queries of Kruskal rank at least k and fewer than k examples, contexts     *)
(* with pairwise different tokens; W' is explicitly a column times a row.         *)

Theorem lemma_3 (F : numFieldType) T n d (E : 'I_T -> 'M[F]_(n, d))
    (e : 'I_T -> 'cV[F]_d) k (I : {set 'I_T}) :
    (forall t i j, i != j -> row i (E t) != row j (E t)) ->
    kruskal_geq e k -> (#|I| < k)%N ->
  exists u : 'cV[F]_d, exists v : 'rV[F]_d, let W' := u *m v in
    (forall t, t \in I -> W' *m e t = 0) /\
    (forall t, t \notin I -> forall i j, i != j ->
       (E t *m W' *m e t) i 0 != (E t *m W' *m e t) j 0).
Proof.
move=> Ediff /kruskal_geqP ek Ik.
pose C := cokermx (span_on e I).
have [a|y yP] := @separating _ [finType of {t | t \notin I}] _
    (fun a => C^T *m e (val a)).
  case: a => t tI /=; rewrite -(inj_eq trmx_inj) trmx_mul trmxK trmx0 -submxE.
  by apply: notin_span_on => //; apply: ek; rewrite cardsU1 tI.
pose J := [finType of {a : 'I_T * 'I_n * 'I_n | a.1.2 != a.2}].
have [a|w wP] := @separating _ J _
    (fun a => (row (val a).1.2 (E (val a).1.1) - row (val a).2 (E (val a).1.1))^T).
  by rewrite -trmx0 (inj_eq trmx_inj) subr_eq0 Ediff // (valP a).
exists w^T, (y *m C^T); split=> [t tI|t tI i j ij].
  have /eqP etC : (e t)^T *m C == 0 by rewrite -submxE mem_span_on.
  by rewrite -!mulmxA -(trmxK (e t)) -trmx_mul etC trmx0 !mulmx0.
have yt := yP (exist _ t tI); rewrite /= mulmxA in yt.
set z := y *m C^T *m e t in yt.
have EwE l : (E t *m (w^T *m (y *m C^T)) *m e t) l 0 = (w *m (row l (E t))^T) 0 0 * z 0 0.
  rewrite !mulmxA -(mulmxA _ y) -(mulmxA _ (y *m _)) -/z mxE big_ord1.
  congr (_ * _); rewrite [LHS]mxE [RHS]mxE.
  by apply: eq_bigr => c _; rewrite !mxE mulrC.
rewrite !EwE (inj_eq (mulIf yt)) -subr_eq0.
have := wP (exist _ (t, i, j) ij); rewrite /= linearB /= mulmxBr mxE.
by rewrite [X in _ + X]mxE.
Qed.

Notation separating_rank_one := lemma_3 (only parsing).

(* =============================================================================== *)
(* Lemma 4                                                                         *)
(* =============================================================================== *)
(* Lemma 4 of the paper (saturation of softmax): if the entries of E W' e are      *)
(* pairwise different, then softmax (E (W* + lambda W') e) tends to the one-hot    *)
(* vector of the largest entry of E W' e as lambda grows, whatever W* is.          *)
(* The quantifiers say that the limit depends on W' only: the index i0 is chosen   *)
(* before W* and eps.                                                              *)
(* saturation_rate is the quantitative form (Appendix B.2): the coefficients other *)
(* than the largest are at most exp(s - lambda gamma), where gamma is the gap and  *)
(* s the spread.                                                                   *)

Section Saturation.
Variables (R : realType) (n : nat).
Implicit Types a b : 'cV[R]_n.

Lemma softmax_le_expB a i j : softmax a j 0 <= expR (a j 0 - a i 0).
Proof.
rewrite mxE expRB ler_pmul2l ?expR_gt0 // lef_pinv ?posrE ?expR_gt0 //.
  rewrite (bigD1 i) //= ler_addl.
  by apply: sumr_ge0 => k _; apply/ltW/expR_gt0.
by apply: sum_expR_gt0; apply: leq_ltn_trans (ltn_ord i).
Qed.

Theorem saturation_rate a b i0 (gamma s lambda : R) : 0 <= lambda ->
    (forall j, j != i0 -> gamma <= b i0 0 - b j 0) ->
    (forall i j, a i 0 - a j 0 <= s) ->
  (forall j, j != i0 -> softmax (a + lambda *: b) j 0 <= expR (s - lambda * gamma)) /\
  1 - softmax (a + lambda *: b) i0 0 <= n.-1%:R * expR (s - lambda * gamma).
Proof.
move=> l0 bg as_; have n0 : (0 < n)%N by apply: leq_ltn_trans (ltn_ord i0).
have le_j j : j != i0 -> softmax (a + lambda *: b) j 0 <= expR (s - lambda * gamma).
  move=> ji; apply: le_trans (softmax_le_expB _ i0 j) _; rewrite ler_expR !mxE.
  rewrite opprD addrACA ler_add // -mulrBr -opprB mulrN ler_oppr opprK.
  by rewrite ler_wpmul2l // bg.
split=> //; rewrite -[X in X - _](softmax_sum1 (a + lambda *: b) n0) (bigD1 i0) //=.
rewrite [X in X - _]addrC addrK (le_trans (ler_sum _ le_j)) //.
rewrite sumr_const -[X in X <= _]mulr_natl ler_pmul2r ?expR_gt0 // ler_nat.
by rewrite cardC1 card_ord.
Qed.

Lemma expR_small (g c eps : R) : 0 < g -> 0 < eps ->
  exists l0, forall l, l0 <= l -> 0 <= l /\ expR (c - l * g) < eps.
Proof.
move=> g0 eps0; exists (expR c / (eps * g)) => l lP.
have l_ge0 : 0 <= l by rewrite (le_trans _ lP) // divr_ge0 ?ltW ?expR_gt0 ?mulr_gt0.
split=> //; rewrite expRB ltr_pdivr_mulr ?expR_gt0 //.
have lg : 0 <= l * g by rewrite mulr_ge0 // ltW.
apply: lt_le_trans (_ : _ < eps * (1 + l * g)) _; last first.
  by rewrite ler_pmul2l // expR_ge1Dx.
by rewrite mulrDr mulr1 ltr_spaddl // mulrCA -ler_pdivr_mulr ?mulr_gt0.
Qed.

Lemma softmax_saturates b : (0 < n)%N -> (forall i j, i != j -> b i 0 != b j 0) ->
  exists i0 : 'I_n, (forall j, b j 0 <= b i0 0) /\
    forall a eps, 0 < eps -> exists l0, forall lambda, l0 <= lambda ->
      forall i, `|softmax (a + lambda *: b) i 0 - (i == i0)%:R| < eps.
Proof.
move=> n0 bdiff.
have [i0 imax] : exists i0, forall j, b j 0 <= b i0 0.
  exists [arg max_(i > Ordinal n0) b i 0]%O.
  by case: Order.TotalTheory.arg_maxP => // i _ im j; apply: im.
exists i0; split=> // a eps eps0.
pose gamma := \big[Order.min/1]_(j | j != i0) (b i0 0 - b j 0).
have g0 : 0 < gamma.
  apply: (big_ind (fun x => 0 < x)) => [|x y x0 y0|j ji].
  - exact: ltr01.
  - by rewrite lt_minr x0.
  - by rewrite subr_gt0 lt_neqAle imax bdiff.
pose s := \sum_i \sum_j `|a i 0 - a j 0|.
have as_ i j : a i 0 - a j 0 <= s.
  rewrite (le_trans (ler_norm _)) // /s (bigD1 i) //= (bigD1 j) //= -addrA ler_addl.
  by rewrite addr_ge0 // ?sumr_ge0 // => k _; apply: sumr_ge0.
have bg j : j != i0 -> gamma <= b i0 0 - b j 0.
  by move=> ji; rewrite /gamma; apply: bigmin_le_cond.
have epsn : 0 < eps / n%:R by rewrite divr_gt0 // ltr0n.
have [l0 l0P] := expR_small s g0 epsn; exists l0 => lambda /l0P[l_ge0 small] i.
have [le_j le_i0] := saturation_rate l_ge0 bg as_.
have [->|ii0] := eqVneq i i0; last first.
  rewrite subr0 gtr0_norm ?softmax_gt0 // (le_lt_trans (le_j _ ii0)) //.
  by rewrite (lt_le_trans small) // ler_pdivr_mulr ?ltr0n // ler_pmulr // ler1n.
rewrite distrC ger0_norm; last first.
  rewrite subr_ge0 -[X in _ <= X](softmax_sum1 (a + lambda *: b) n0).
  rewrite (bigD1 i0) //= ler_addl.
  by apply: sumr_ge0 => j _; apply/ltW/softmax_gt0.
apply: le_lt_trans le_i0 _; apply: le_lt_trans (_ : _ <= n.-1%:R * (eps / n%:R)) _.
  by rewrite ler_wpmul2l ?ler0n // ltW.
rewrite mulrA ltr_pdivr_mulr ?ltr0n // mulrC ltr_pmul2l // ltr_nat.
by rewrite prednK.
Qed.

End Saturation.

Theorem lemma_4 (R : realType) n d (E : 'M[R]_(n, d)) (W' : 'M[R]_d) (e : 'cV[R]_d) :
    (0 < n)%N ->
    (forall i j, i != j -> (E *m W' *m e) i 0 != (E *m W' *m e) j 0) ->
  exists i0 : 'I_n, (forall j, (E *m W' *m e) j 0 <= (E *m W' *m e) i0 0) /\
    forall (Ws : 'M[R]_d) (eps : R), 0 < eps ->
    exists l0, forall lambda, l0 <= lambda -> forall i,
      `|softmax (E *m (Ws + lambda *: W') *m e) i 0 - (i == i0)%:R| < eps.
Proof.
move=> n0 /(softmax_saturates n0)[i0 [imax sat]]; exists i0; split=> // Ws eps eps0.
have [l0 l0P] := sat (E *m Ws *m e) eps eps0; exists l0 => lambda /l0P ll i.
by rewrite mulmxDr mulmxDl -scalemxAr -scalemxAl.
Qed.

Notation softmax_limit_one_hot := lemma_4 (only parsing).

(* ============================================================================ *)
(* Lemma 5                                                                      *)
(* ============================================================================ *)
(* Lemma 5 of the paper: if ||A - B||_2 is less than the smallest non-zero      *)
(* singular value of A then rank B >= rank A.                                   *)
(* Singular values are given by their variational characterization: the         *)
(* smallest non-zero singular value of A is at least s when                     *)
(*   s |v|^2 <= |v A|^2, up to squares, for all v orthogonal to the left kernel *)
(* of A, that is for all v in the row space of A^T; the spectral norm of A - B  *)
(* is at most s' when |v (A - B)|^2 <= s' |v|^2 for all v.  So s and s' are the *)
(* squares of the two numbers that the paper compares.                          *)
(* row_free_near is the form that the proof of Proposition 1 uses: it has an    *)
(* explicit radius.                                                             *)

Theorem lemma_5 (R : realFieldType) m n (A B : 'M[R]_(m, n)) (s s' : R) :
    (forall v : 'rV_m, (v <= A^T)%MS -> s * sqnorm v <= sqnorm (v *m A)) ->
    (forall v : 'rV_m, sqnorm (v *m (A - B)) <= s' * sqnorm v) ->
    s' < s ->
  (\rank A <= \rank B)%N.
Proof.
move=> As ABs' lt_s; rewrite -[X in (X <= _)%N]mxrank_tr.
rewrite -(mxrank_mul_ker A^T B) (_ : (_ :&: _)%MS = 0) ?mxrank0 ?addn0.
  exact: mxrankM_maxr.
apply/eqP/rowV0P => v; rewrite sub_capmx => /andP[vA /sub_kermxP vB].
apply/eqP; rewrite -sqnorm_eq0; apply: contraTT lt_s => v0; rewrite -leNgt.
have v_gt0 : 0 < sqnorm v by rewrite lt0r v0 sqnorm_ge0.
rewrite -(ler_pmul2r v_gt0) (le_trans (As v vA)) //.
by rewrite (le_trans _ (ABs' v)) // mulmxBr vB subr0.
Qed.

(* linearly independent rows stay so under small perturbations                   *)
Lemma row_free_near (R : realFieldType) m n (A : 'M[R]_(m, n)) : row_free A ->
  exists2 eps : R, 0 < eps & forall B : 'M[R]_(m, n),
    (forall i j, `|A i j - B i j| <= eps) -> row_free B.
Proof.
move=> fA; pose P := pinvmx A.
pose K := \sum_(k < n) \sum_(j < m) `|P k j|.
have K0 : 0 <= K by do 2![apply: sumr_ge0 => ? _].
exists (K + 1)^-1 => [|B AB]; first by rewrite invr_gt0 ltr_spaddr.
set eps := _^-1 in AB; apply: inj_row_free => v vB.
have vE : v = v *m (A - B) *m P.
  by rewrite mulmxBr vB subr0 -mulmxA mulmxVp // mulmx1.
pose S := \sum_j `|v 0 j|.
have S0 : 0 <= S by apply: sumr_ge0.
have vAB k : `|(v *m (A - B)) 0 k| <= S * eps.
  rewrite mxE (le_trans (ler_norm_sum _ _ _)) // mulr_suml.
  by apply: ler_sum => i _; rewrite normrM ler_wpmul2l // !mxE AB.
have SK : S <= S * eps * K.
  rewrite /K exchange_big mulr_sumr; apply: ler_sum => j _.
  rewrite {1}vE mxE (le_trans (ler_norm_sum _ _ _)) // mulr_sumr.
  by apply: ler_sum => k _; rewrite normrM ler_wpmul2r.
have epsK : eps * K < 1.
  by rewrite /eps mulrC ltr_pdivr_mulr ?mul1r ?ltr_addl // ltr_spaddr.
have S_0 : S = 0.
  apply/eqP; move: SK; rewrite -mulrA; apply: contraTT => Sn0; rewrite -ltNge.
  by rewrite -[X in _ < X]mulr1 ltr_pmul2l // lt0r Sn0.
apply/rowP => j; rewrite mxE; apply/eqP; rewrite -normr_eq0.
by move/psumr_eq0P: S_0 => ->.
Qed.

(* the rank does not drop under small enough perturbations of the entries        *)
Theorem rank_near (R : realFieldType) m n (A : 'M[R]_(m, n)) :
  exists2 eps : R, 0 < eps & forall B : 'M[R]_(m, n),
    (forall i j, `|A i j - B i j| <= eps) -> (\rank A <= \rank B)%N.
Proof.
have [eps eps0 nA] := row_free_near (maxrowsub_free A).
exists eps => // B AB; have /eqP <- : row_free (rowsub (maxrankfun A) B).
  by apply: nA => i j; rewrite !mxE.
exact/mxrankS/rowsub_sub.
Qed.

Notation rank_geq_near := lemma_5 (only parsing).

(* ============================================================================== *)
(* Claim 1                                                                        *)
(* ============================================================================== *)
(* Claim 1 of the paper: for examples f 0, ..., f (s-1) with linearly independent *)
(* queries and any positive convex combinations phi_i there is W, of rank at most *)
(* s, such that softmax (E_t W e_t) = phi_i for t = f i.                          *)

(* any logits can be prescribed on the chosen examples                           *)
Lemma prescribe_logits (F : fieldType) T n d (E : 'I_T -> 'M[F]_(n, d))
    (e : 'I_T -> 'cV[F]_d) s (f : 'I_s -> 'I_T) (l : 'I_s -> 'cV[F]_n) :
    (forall i, \rank (E (f i)) = n) -> injective f ->
    indep_on e [set f i | i in 'I_s] ->
  exists W : 'M[F]_d, (\rank W <= s)%N /\ forall i, E (f i) *m W *m e (f i) = l i.
Proof.
move=> rE inj_f eI; have fX := indep_row_free inj_f eI.
set X := \matrix_i _ in fX.
pose A := \matrix_(i < s) (pinvmx (E (f i)) *m l i)^T.
exists (pinvmx X *m A)^T; split=> [|i].
  by rewrite mxrank_tr (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
have -> : e (f i) = (row i X)^T by rewrite rowK trmxK.
rewrite -mulmxA -trmx_mul -row_mul mulmxA mulmxVp // mul1mx rowK trmxK mulmxA.
by rewrite mulmxVp ?mul1mx // /row_free rE.
Qed.

Theorem claim_1 (R : realType) T n d (E : 'I_T -> 'M[R]_(n, d))
    (e : 'I_T -> 'cV[R]_d) s (f : 'I_s -> 'I_T) (phi : 'I_s -> 'cV[R]_n) :
    (forall i, \rank (E (f i)) = n) -> injective f ->
    indep_on e [set f i | i in 'I_s] ->
    (forall i, convex_comb (phi i)) ->
  exists W : 'M[R]_d, (\rank W <= s)%N /\
    forall i, softmax (E (f i) *m W *m e (f i)) = phi i.
Proof.
move=> rE inj_f eI phiP.
have [W [rW WE]] := prescribe_logits (fun i => \col_k ln (phi i k 0)) rE inj_f eI.
exists W; split=> // i; have [phi0 phi1] := phiP i.
by rewrite WE softmax_ln.
Qed.

Notation prescribed_softmax := claim_1 (only parsing).

(* ============================================================================== *)
(* Claim 2                                                                        *)
(* ============================================================================== *)
(* Claim 2 of the paper: for a set of s < k examples f 0, ..., f (s-1), where k   *)
(* bounds the Kruskal rank of the queries from below, any phi_i and any eps > 0,  *)
(* there is W of rank at most s + 1 that is exact on these examples and, on every *)
(* other example, within eps of a one-hot vector that does not depend on the      *)
(* phi_i (nor on eps): the indices i0 are chosen first.                           *)

Lemma row_free_diff (F : fieldType) n d (A : 'M[F]_(n, d)) i j :
  \rank A = n -> i != j -> row i A != row j A.
Proof.
move=> rA ij; have fA : row_free A by rewrite /row_free rA.
apply/eqP => Aij; have : (delta_mx 0 i - delta_mx 0 j : 'rV_n) *m A == 0.
  by rewrite mulmxBl -!rowE Aij subrr.
rewrite mulmx_free_eq0 // => /eqP/rowP/(_ i); rewrite !mxE !eqxx (negPf ij) subr0.
by move/eqP; rewrite oner_eq0.
Qed.

Theorem claim_2 (R : realType) T n d (E : 'I_T -> 'M[R]_(n, d))
    (e : 'I_T -> 'cV[R]_d) k s (f : 'I_s -> 'I_T) :
    (0 < n)%N -> (forall t, \rank (E t) = n) -> kruskal_geq e k ->
    injective f -> (s < k)%N ->
  exists i0 : 'I_T -> 'I_n, forall (phi : 'I_s -> 'cV[R]_n) (eps : R),
    (forall i, convex_comb (phi i)) -> 0 < eps ->
  exists W : 'M[R]_d, [/\ (\rank W <= s.+1)%N,
    forall i, softmax (E (f i) *m W *m e (f i)) = phi i &
    forall t, (forall i, f i != t) -> forall j,
      `|softmax (E t *m W *m e t) j 0 - (j == i0 t)%:R| < eps].
Proof.
move=> n0 rE ek inj_f sk; set I := [set f i | i in 'I_s].
have cI : #|I| = s by rewrite card_imset // card_ord.
have rowE t i j : i != j -> row i (E t) != row j (E t) by apply: row_free_diff.
have cIk : (#|I| < k)%N by rewrite cI.
have [u [v [W'I W'diff]]] := lemma_3 rowE ek cIk.
set W' := u *m v in W'I W'diff.
have notI t : (forall i, f i != t) -> t \notin I.
  by move=> ft; apply/imsetP => -[i _ ti]; have := ft i; rewrite ti eqxx.
have sat t : exists i0 : 'I_n, t \notin I -> forall (Ws : 'M[R]_d) (eps : R), 0 < eps ->
    exists l0, forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: W') *m e t) i 0 - (i == i0)%:R| < eps.
  case tI : (t \notin I); last by exists (Ordinal n0).
  by have [i0 [_ i0P]] := lemma_4 n0 (W'diff t tI); exists i0.
have [i0 i0P] := fin_all_exists sat; exists i0 => phi eps phiP eps0.
have eI : indep_on e I by move/kruskal_geqP: ek; apply; rewrite cI ltnW.
have [Ws [rWs WsE]] := claim_1 (fun i => rE (f i)) inj_f eI phiP.
have lim t : exists l0, t \notin I -> forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: W') *m e t) i 0 - (i == i0 t)%:R| < eps.
  case tI : (t \notin I); last by exists 0.
  by have [l0 l0P] := i0P t tI Ws eps eps0; exists l0.
have [l0 l0P] := fin_all_exists lim.
pose lambda := \sum_t `|l0 t|.
have lP t : l0 t <= lambda.
  by rewrite (le_trans (ler_norm _)) // /lambda (bigD1 t) //= ler_addl sumr_ge0.
exists (Ws + lambda *: W'); split=> [|i|t ft j].
- rewrite (leq_trans (mxrank_add _ _)) // -addn1 leq_add //.
  by rewrite /W' scalemxAl (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
- rewrite mulmxDr mulmxDl -scalemxAr -scalemxAl -(mulmxA _ W') W'I ?mulmx0.
    by rewrite scaler0 addr0 WsE.
  by apply/imsetP; exists i.
- exact: (l0P t (notI t ft) lambda (lP t) j).
Qed.

Notation prescribed_softmax_saturated_elsewhere := claim_2 (only parsing).
