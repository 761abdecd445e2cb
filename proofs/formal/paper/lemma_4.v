(* Lemma 4 of the paper (saturation of softmax): if the entries of E W' e are     *)
(* pairwise different, then softmax (E (W* + lambda W') e) tends to the one-hot   *)
(* vector of the largest entry of E W' e as lambda grows, whatever W* is.         *)
(* The quantifiers say that the limit depends on W' only: the index i0 is chosen  *)
(* before W* and eps.                                                             *)
(* saturation_rate is the quantitative form (Appendix B.2): the coefficients other *)
(* than the largest are at most exp(s - lambda gamma), where gamma is the gap and  *)
(* s the spread.                                                                  *)
(*                                                                                 *)
(*   saturation_rate == the quantitative form                                      *)
(*           lemma_4 == the statement (alias softmax_limit_one_hot)                    *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra.
From Attest Require Import attention.

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
