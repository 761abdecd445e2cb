(* From Taylor coefficients to rank: functions g_c of a real variable whose matrix of     *)
(* Taylor coefficients at 0 of order < N has rank N give, at any T distinct points scaled  *)
(* by a small enough eps, a T-row matrix g_c (eps s_t) of rank at least min(T, N).  No     *)
(* condition on the signs of the points.  Then: the Taylor expansion of softmax.           *)
(*                                                                                         *)
(*     order N f == abs (f x) <= K abs(x)^N on every bounded set                           *)
(*   taylor_rank == from Taylor coefficients to rank                                       *)
(*   expR_taylor == the remainder of the series of exp                                     *)
From Attest Require Import prelude.
From mathcomp Require Import ring.
From Attest Require Import common lemma_5 softmax_jets.

Lemma rank_vandermonde (F : fieldType) T N (s : 'I_T -> F) : injective s ->
  (minn T N <= \rank (\matrix_(t < T, k < N) s t ^+ k))%N.
Proof.
move=> inj_s; set A := \matrix_(t, k) _; pose r := minn T N.
pose f := widen_ord (geq_minl T N); pose g := widen_ord (geq_minr T N).
apply: (minor_leq_rank (f := f) (g := g)).
rewrite -unitfE -unitmxE -unitmx_tr -row_free_unit; apply: inj_row_free => y yA.
pose p := \poly_(k < r) (if insub k is Some k' then y 0 k' else 0).
have pE k : p`_(k : 'I_r) = y 0 k by rewrite coef_poly ltn_ord valK.
suff p0 : p = 0 by apply/rowP => k; rewrite -pE p0 coef0 mxE.
pose rs := [seq s (f t) | t <- enum 'I_r].
apply: contraTeq (leqnn (size rs)) => pn0; rewrite -ltnNge.
have srs : size rs = r by rewrite size_map -cardE card_ord.
rewrite {2}srs; apply: (@leq_trans (size p)); last exact: size_poly.
apply: max_poly_roots => //.
  apply/allP => _ /mapP[t _ ->]; apply/eqP.
  have := congr1 (fun B : 'rV_r => B 0 t) yA; rewrite !mxE => yt.
  rewrite -[RHS]yt (horner_coef_wide _ (size_poly _ _)); apply: eq_bigr => k _.
  by rewrite pE !mxE.
rewrite map_inj_uniq ?enum_uniq // => t t' /inj_s /(congr1 val) /=.
by move=> /val_inj.
Qed.

(* -------------------------------------------------------------------------- *)
(* Functions of order x^N, uniformly on bounded sets                           *)
(* -------------------------------------------------------------------------- *)
Section Order.
Variable R : realType.
Implicit Types (f g : R -> R) (N : nat) (a : R).

Definition order N f := forall M, exists K, forall x, `|x| <= M -> `|f x| <= K * `|x| ^+ N.

Lemma orderD N f g : order N f -> order N g -> order N (fun x => f x + g x).
Proof.
move=> fN gN M; have [K fK] := fN M; have [K' gK'] := gN M.
exists (K + K') => x xM; rewrite mulrDl (le_trans (ler_norm_add _ _)) //.
by rewrite ler_add ?fK ?gK'.
Qed.

Lemma orderN N f : order N f -> order N (fun x => - f x).
Proof. by move=> fN M; have [K fK] := fN M; exists K => x /fK; rewrite normrN. Qed.

Lemma orderM N N' f g : order N f -> order N' g -> order (N + N') (fun x => f x * g x).
Proof.
move=> fN gN M; have [K fK] := fN M; have [K' gK'] := gN M.
exists (K * K') => x xM; rewrite exprD mulrACA normrM.
by rewrite ler_pmul ?fK ?gK'.
Qed.

Lemma order_sum N (I : finType) (f : I -> R -> R) :
  (forall i, order N (f i)) -> order N (fun x => \sum_i f i x).
Proof.
move=> fN; rewrite /order => M; have /fin_all_exists[K fK] i := fN i M.
exists (\sum_i K i) => x xM; rewrite (le_trans (ler_norm_sum _ _ _)) // mulr_suml.
by apply: ler_sum => i _; apply: fK.
Qed.

Lemma order_scale N f a : order N f -> order N (fun x => f (a * x)).
Proof.
move=> fN M; have [K fK] := fN (`|a| * M); exists (K * `|a| ^+ N) => x xM.
by rewrite -mulrA -exprMn -normrM fK // normrM ler_wpmul2l.
Qed.

Lemma order_const a : order 0 (fun=> a).
Proof. by move=> M; exists `|a| => x _; rewrite expr0 mulr1. Qed.

Lemma order_exp N : order N (fun x => x ^+ N).
Proof. by move=> M; exists 1 => x _; rewrite mul1r normrX. Qed.

Lemma order_poly (p : {poly R}) : order 0 (fun x => p.[x]).
Proof.
elim/poly_ind: p => [|p c IHp] M.
  by have [K KP] := order_const 0 M; exists K => x /KP; rewrite horner0.
have id0 : order 0 (fun x => x) by move=> B; exists B => x xB; rewrite expr0 mulr1.
have [K KP] := orderD (orderM IHp id0) (order_const c) M.
by exists K => x /KP; rewrite hornerMXaddC.
Qed.

(* a quotient by a function that is at least 1                                   *)
Lemma orderV N f g : (forall x, 1 <= g x) -> order N f -> order N (fun x => f x / g x).
Proof.
move=> g1 fN M; have [K fK] := fN M; exists K => x /fK; apply: le_trans.
have g0 : 0 < g x by apply: lt_le_trans (g1 x).
by rewrite normrM normfV (gtr0_norm g0) ler_pdivr_mulr // ler_pemulr.
Qed.

Lemma fact_leq k k' : (k <= k')%N -> (k`! <= k'`!)%N.
Proof.
move/subnK <-; elim: (k' - k)%N => [//|i IHi].
by rewrite addSn factS (leq_trans IHi) // leq_pmull.
Qed.

Lemma expR_taylor N (x : R) : `|expR x - \sum_(k < N) x ^+ k / k`!%:R| <= `|x| ^+ N * expR `|x|.
Proof.
set S := \sum_(k < N) _; set B := _ * _.
have le_exp n : \sum_(k < n) `|x| ^+ k / k`!%:R <= expR `|x|.
  apply: limr_ge; first exact: is_cvg_series_exp_coeff.
  exists n => // n' /= nn'; rewrite /series /= (big_cat_nat _ _ _ _ nn') //= big_mkord.
  by rewrite ler_addl sumr_ge0 // => k _; rewrite divr_ge0 ?exprn_ge0.
have near_S n : (N <= n)%N -> `|series (exp_coeff x) n - S| <= B.
  move=> Nn; rewrite /series /= (big_cat_nat _ _ _ _ Nn) //= big_mkord -/S addrAC subrr add0r.
  rewrite -{1}[N]add0n big_addn big_mkord.
  apply: le_trans (ler_norm_sum _ _ _) _.
  apply: le_trans (_ : _ <= `|x| ^+ N * \sum_(k < n - N) `|x| ^+ k / k`!%:R) _; last first.
    by rewrite ler_wpmul2l ?exprn_ge0.
  rewrite mulr_sumr; apply: ler_sum => k _.
  rewrite normrM normrX normfV normr_nat mulrA -exprD (addnC N) ler_wpmul2l ?exprn_ge0 //.
  rewrite lef_pinv ?posrE ?ltr0n ?fact_gt0 // ler_nat.
  by rewrite fact_leq // leq_addr.
have cv := @is_cvg_series_exp_coeff R x.
rewrite ler_distl; apply/andP; split.
  apply: limr_ge cv _; exists N => // n /= Nn.
  by have := near_S n Nn; rewrite ler_distl => /andP[].
apply: limr_le cv _; exists N => // n /= Nn.
by have := near_S n Nn; rewrite ler_distl => /andP[].
Qed.

End Order.

Section TaylorRank.
Variables (R : realType) (T N M : nat) (s : 'I_T -> R) (g : 'I_M -> R -> R).
Variable G : 'M[R]_(N, M).
Hypothesis inj_s : injective s.
Hypothesis gG : forall c, order N (fun x => g c x - \sum_(k < N) G k c * x ^+ k).

Theorem taylor_rank : row_free G -> exists2 eps, 0 < eps &
  (minn T N <= \rank (\matrix_(t < T, c < M) g c (eps * s t)))%N.
Proof.
move=> fG; pose P := pinvmx G.
have [eps1 eps10 near_V] := rank_near (\matrix_(t < T, k < N) s t ^+ k).
pose S := \sum_t `|s t|.
have /fin_all_exists[K KP] c := gG c S.
pose C := \sum_c `|K c| * (\sum_t `|s t| ^+ N) * (\sum_(k < N) `|P c k|).
have C0 : 0 <= C.
  by apply: sumr_ge0 => c _; rewrite !mulr_ge0 ?sumr_ge0 // => t _; rewrite exprn_ge0.
have D0 : 0 < eps1 + C + 1 by rewrite addr_gt0 ?ltr_paddr.
pose eps := eps1 / (eps1 + C + 1).
have eps0 : 0 < eps by rewrite divr_gt0.
have eps_le1 : eps <= 1.
  by rewrite ler_pdivr_mulr // mul1r -addrA ler_addl addr_ge0.
have epsC : eps * C <= eps1.
  rewrite mulrAC ler_pdivr_mulr // ler_wpmul2l ?(ltW eps10) //.
  by rewrite addrAC ler_addr addr_ge0 // ltW.
exists eps => //; set X := \matrix_(t, c) _.
apply: leq_trans (rank_vandermonde N inj_s) _.
pose D : 'rV[R]_N := \row_k eps ^- k.
apply: leq_trans (near_V (X *m P *m diag_mx D) _) _ => [t k|]; last first.
  by rewrite -mulmxA mxrankM_maxl.
have sS : `|eps * s t| <= S.
  rewrite normrM (gtr0_norm eps0) (le_trans (ler_wpmul2r _ eps_le1)) // mul1r.
  by rewrite /S (bigD1 t) //= ler_addl sumr_ge0.
have VE : s t ^+ k = \sum_c (\sum_(k' < N) G k' c * (eps * s t) ^+ k') * P c k * eps ^- k.
  rewrite -mulr_suml; under eq_bigr do rewrite mulr_suml.
  rewrite exchange_big /= (eq_bigr (fun k' : 'I_N => (eps * s t) ^+ k' * (k' == k)%:R)) => [|k' _].
    rewrite (bigD1 k) //= big1 => [|k' /negPf ->]; last by rewrite mulr0.
    by rewrite eqxx mulr1 addr0 exprMn mulrAC divff ?mul1r // expf_neq0 // gt_eqF.
  have := congr1 (fun B : 'M_N => B k' k) (mulmxVp fG); rewrite !mxE => <-.
  by rewrite mulr_sumr; apply: eq_bigr => c _; rewrite mulrAC mulrC.
rewrite mxE VE mul_mx_diag mxE [(_ *m _) _ _]mxE [D _ _]mxE mulr_suml -sumrB.
apply: le_trans epsC; rewrite mulr_sumr (le_trans (ler_norm_sum _ _ _)) //.
apply: ler_sum => c _; rewrite [X t c]mxE -!mulrBl !normrM distrC.
have -> : `|eps ^- k| = eps ^- k by rewrite ger0_norm // invr_ge0 exprn_ge0 // ltW.
have gK : `|g c (eps * s t) - \sum_(k' < N) G k' c * (eps * s t) ^+ k'|
    <= `|K c| * (eps ^+ N * `|s t| ^+ N).
  apply: le_trans (KP c _ sS) _; rewrite normrM exprMn (gtr0_norm eps0).
  by rewrite ler_wpmul2r ?ler_norm // mulr_ge0 ?exprn_ge0 // ltW.
have epsk : eps ^+ N * eps ^- k <= eps.
  rewrite -[N in eps ^+ N](subnK (ltnW (ltn_ord k))) exprD mulfK ?expf_neq0 ?gt_eqF //.
  rewrite -(subnSK (ltn_ord k)) exprS ler_pimulr ?(ltW eps0) //.
  by rewrite exprn_ile1 // ltW.
apply: le_trans (_ : _ <= `|K c| * (eps ^+ N * `|s t| ^+ N) * `|P c k| * eps ^- k) _.
  rewrite ler_wpmul2r ?invr_ge0 ?exprn_ge0 ?(ltW eps0) //.
  by rewrite ler_wpmul2r.
rewrite (_ : _ * _ * _ * _ = (eps ^+ N * eps ^- k) * (`|K c| * `|s t| ^+ N * `|P c k|)); last by ring.
apply: ler_pmul => //; first by rewrite divr_ge0 ?exprn_ge0 ?(ltW eps0).
apply: ler_pmul; rewrite ?mulr_ge0 ?exprn_ge0 //.
  by rewrite ler_wpmul2l // (bigD1 t) //= ler_addl sumr_ge0.
by rewrite (bigD1 k) //= ler_addl sumr_ge0.
Qed.

End TaylorRank.

(* -------------------------------------------------------------------------- *)
(* The Taylor expansion of softmax                                             *)
(* -------------------------------------------------------------------------- *)
Lemma order_expR (R : realType) N : order N (fun x : R => expR x - (exp_poly N 1).[x]).
Proof.
move=> M; exists (expR M) => x xM.
rewrite horner_poly (eq_bigr (fun k : 'I_N => x ^+ k / k`!%:R)) => [|k _].
  rewrite (le_trans (expR_taylor N x)) // mulrC ler_wpmul2r ?exprn_ge0 //.
  by rewrite ler_expR.
by rewrite expr1n mulrC mulrA mulr1.
Qed.

Lemma exp_poly_scale (R : realType) N (a x : R) : (exp_poly N a).[x] = (exp_poly N 1).[a * x].
Proof.
rewrite !horner_poly; apply: eq_bigr => k _.
by rewrite expr1n mul1r exprMn mulrAC mulrC.
Qed.

Lemma truncate (K : ringType) N (p : {poly K}) :
  exists S, p = \poly_(k < N) p`_k + S * 'X^N.
Proof.
exists (\poly_(k < size p) p`_(k + N)); apply/polyP => k.
rewrite coefD coefMXn !coef_poly; case: ltnP => kN; first by rewrite addr0.
rewrite subnK // add0r; case: ltnP => // pk.
by rewrite nth_default // (leq_trans pk) // leq_subr.
Qed.

Section Softmax.
Variables (R : realType) (m N : nat) (q : 'I_m.+1 -> R).
Hypothesis q0 : q ord0 = 0.
Hypothesis N_gt0 : (0 < N)%N.

Lemma softmax_taylor i :
  order N (fun x => expR (q i * x) / (\sum_j expR (q j * x))
     - \sum_(k < N) (softmax_poly N q i)`_k * x ^+ k).
Proof.
have expO j : order N (fun x => expR (q j * x) - (exp_poly N (q j)).[x]).
  move=> M; have [K KP] := order_scale (q j) (@order_expR R N) M.
  by exists K => x; rewrite exp_poly_scale; apply: KP.
have denO : order N (fun x => (den_poly N q).[x] - \sum_j expR (q j * x)).
  move=> M; have [K KP] := orderN (order_sum expO) M.
  exists K => x /KP; rewrite sumrB opprB /den_poly; congr (`|_ - _| <= _).
  by rewrite horner_sum.
have [S1 S1P] := truncate N (softmax_poly N q i).
set Q := \poly_(k < N) _ in S1P.
have nU : (m.+1%:R : R) \is a GRing.unit by rewrite unitfE pnatr_eq0.
have [S2 S2P] := den_invP q nU N_gt0.
have QD : Q * den_poly N q = exp_poly N (q i) + (exp_poly N (q i) * S2 - S1 * den_poly N q) * 'X^N.
  have QE : Q = softmax_poly N q i - S1 * 'X^N by rewrite S1P addrK.
  have PD : softmax_poly N q i * den_poly N q = exp_poly N (q i) * (1 + S2 * 'X^N).
    by rewrite -S2P /softmax_poly mulrAC mulrA.
  by rewrite QE [LHS]mulrBl PD mulrDr mulr1 mulrBl -addrA mulrA [S1 * _ * _]mulrAC.
set S := _ - _ in QD.
have den1 x : 1 <= \sum_j expR (q j * x).
  rewrite big_ord_recl q0 mul0r expR0 ler_addl sumr_ge0 // => j _.
  exact/ltW/expR_gt0.
have SO : order N (fun x => S.[x] * x ^+ N).
  exact: orderM (order_poly S) (@order_exp R N).
have QO : order N (fun x => Q.[x] * ((den_poly N q).[x] - \sum_j expR (q j * x))).
  exact: orderM (order_poly Q) denO.
move=> M; have [K KP] := orderV den1 (orderD (orderD (expO i) (orderN SO)) QO) M.
exists K => x /KP; congr (`|_| <= _).
have -> : \sum_(k < N) (softmax_poly N q i)`_k * x ^+ k = Q.[x].
  by rewrite horner_poly.
have d0 : \sum_j expR (q j * x) != 0 by rewrite gt_eqF // (lt_le_trans ltr01) ?den1.
apply: (mulIf d0); rewrite mulfVK // mulrBl mulfVK //.
have := congr1 (fun p => p.[x]) QD; rewrite hornerD !hornerM hornerXn => QDx.
by rewrite mulrBr QDx -[_ - _ - _]addrA -opprD addrA subrK.
Qed.

End Softmax.
