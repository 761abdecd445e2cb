(* Finite lambda (Appendix B.2): an explicit lambda* above which the head           *)
(* W* + lambda W' of the induction of Proposition 1 keeps the rank of its limit.    *)
(*                                                                               *)
(* Z' (T x q) holds the heads before; g lists the rows B with rank Z'_B = rank Z'   *)
(* (|B| = rho), f the m rows I, C Z'_B = Z'_I.  Z(lambda) is the block of the new   *)
(* head and D(lambda) = Z_I(lambda) - C Z_B(lambda).  As W' e_t = 0 for t in I, Z_I *)
(* does not depend on lambda; row t of Z_B tends to the token i0 t, so D(lambda)    *)
(* tends to D_inf.  M bounds the norms of the tokens, gamma > 0 is at most the gap  *)
(* between the largest entry of E_t W' e_t and the others, s at least the spread of *)
(* the entries of E_t W* e_t (all for t in B), c at least ||C||_2 and sigma > 0 at  *)
(* most the smallest singular value of D_inf.  If                                  *)
(*   2 M (n - 1) sqrt(rho) c exp(s - lambda gamma) < sigma,                         *)
(* in particular if lambda > lambda* = (s + ln (2 M (n - 1) sqrt(rho) c / sigma)) /  *)
(* gamma, then rank D(lambda) = m, and by Lemma 1 the new head adds m to the rank.  *)
(*                                                                               *)
(* Differences from the paper: ||C||_2 and the smallest singular value are given by *)
(* their variational characterizations, |v C| <= c |v| and sigma |v| <= |v D_inf|   *)
(* for all v; lambda >= 0 is explicit (lambda* can be negative); B need not be a    *)
(* basis; Z' is any matrix in finite_lambda, the heads before in                    *)
(* finite_lambda_layer.  frobenius_bound: the Frobenius norm will do for c.         *)
(*                                                                                   *)
(*            W_at lambda == the new head                                            *)
(*     D_at lambda, D_inf == D(lambda) and its limit                                 *)
(*        bound_constants == M, gamma, s, c and sigma are bounds as above            *)
(*          lambda_factor == 2 M (n - 1) sqrt(rho) c                                 *)
(*            lambda_star == lambda*                                                 *)
(*  finite_lambda_rank, finite_lambda, finite_lambda_layer == the statement          *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra ring.
From Attest Require Import attention euclidean lemma_1 lemma_4 proposition_1.

(* -------------------------------------------------------------------------- *)
(* The matrix core                                                             *)
(* -------------------------------------------------------------------------- *)
Section Core.
Variable R : rcfType.

(* Z_I - C Z_B is row free when each row of Z_B is within delta of its limit and *)
(* delta is small: the argument of Lemma 5, for a limit of full row rank.        *)
Theorem perturbed_rank m rho d (ZI : 'M[R]_(m, d)) (C : 'M[R]_(m, rho))
    (ZB Binf : 'M[R]_(rho, d)) (sigma c delta : R) :
    (forall v, norm2 (v *m C) <= c * norm2 v) ->
    (forall v, sigma * norm2 v <= norm2 (v *m (ZI - C *m Binf))) ->
    (forall b, norm2 (row b ZB - row b Binf) <= delta) ->
    c * (Num.sqrt rho%:R * delta) < sigma ->
  row_free (ZI - C *m ZB).
Proof.
move=> cC sD dB lt_sigma; apply: inj_row_free => v vD.
have vE : v *m (ZI - C *m Binf) = v *m C *m (ZB - Binf).
  have vZI : v *m ZI = v *m C *m ZB.
    by apply/eqP; rewrite -subr_eq0 -mulmxA -mulmxBr vD.
  by rewrite !mulmxBr vZI mulmxA.
have frob : frobenius (ZB - Binf) <= Num.sqrt rho%:R * delta.
  by apply: frobenius_rows => // b; rewrite linearB; apply: dB.
apply/eqP; rewrite -norm2_eq0 eq_le norm2_ge0 andbT.
rewrite -(ler_pmul2l (_ : 0 < sigma - c * (Num.sqrt rho%:R * delta))) ?subr_gt0 //.
rewrite mulr0 mulrBl subr_le0 (le_trans (sD v)) // vE.
rewrite (le_trans (frobenius_bound _ _)) // mulrAC mulrC.
apply: ler_pmul; rewrite ?sqrtr_ge0 //.
Qed.

(* Lemma 1: rows I whose shifts by C are independent add to the rank of the rest *)
Lemma rank_row_schur m rho T q d (Z' : 'M[R]_(T, q)) (Zh : 'M[R]_(T, d))
    (f : 'I_m -> 'I_T) (g : 'I_rho -> 'I_T) (C : 'M[R]_(m, rho)) :
    C *m rowsub g Z' = rowsub f Z' ->
  (\rank (rowsub g Z') + \rank (rowsub f Zh - C *m rowsub g Zh)%R <= \rank (row_mx Z' Zh))%N.
Proof.
move=> CZ; apply: leq_trans (lemma_1 _ (rowsub g Zh) _) _; apply: mxrankS.
rewrite block_mxEv -addsmxE addsmx_sub; apply/andP.
have row_sub_mx k (h : 'I_k -> 'I_T) : row_mx (rowsub h Z') (rowsub h Zh) = rowsub h (row_mx Z' Zh).
  apply/row_matrixP => i; apply/rowP => j; rewrite !mxE.
  by case: splitP => l _; rewrite mxE.
have sub k (h : 'I_k -> 'I_T) : (row_mx (rowsub h Z') (rowsub h Zh) <= row_mx Z' Zh)%MS.
  by rewrite row_sub_mx rowsub_sub.
split=> //.
rewrite (_ : row_mx 0 _ = row_mx (rowsub f Z') (rowsub f Zh)
  - C *m row_mx (rowsub g Z') (rowsub g Zh)).
  by rewrite addmx_sub // eqmx_opp mulmx_sub.
by rewrite mul_mx_row CZ opp_row_mx add_row_mx subrr.
Qed.

End Core.

(* -------------------------------------------------------------------------- *)
(* The layer                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Layer.
Variables (R : realType) (n d : nat).

(* The row of Z of an example t in B: it is within 2 M (n - 1) exp(s - lambda    *)
(* gamma) of the token i0.                                                     *)
Theorem saturated_row (E : 'M[R]_(n, d)) (e : 'cV[R]_d) (Ws W' : 'M[R]_d) i0
    (M gamma s lambda : R) : 0 <= lambda ->
    (forall i, norm2 (row i E) <= M) ->
    (forall j, j != i0 -> gamma <= (E *m W' *m e) i0 0 - (E *m W' *m e) j 0) ->
    (forall i j, (E *m Ws *m e) i 0 - (E *m Ws *m e) j 0 <= s) ->
  norm2 ((softmax (E *m (Ws + lambda *: W') *m e))^T *m E - row i0 E)
    <= 2%:R * M * n.-1%:R * expR (s - lambda * gamma).
Proof.
move=> l0 EM Eg Es; have n0 : (0 < n)%N by apply: leq_ltn_trans (ltn_ord i0).
have [_] := saturation_rate l0 Eg Es.
rewrite mulmxDr mulmxDl -scalemxAr -scalemxAl.
set a := softmax _; have a1 : \sum_i a i 0 = 1 := softmax_sum1 _ n0.
have a0 i : 0 <= a i 0 by apply/ltW/softmax_gt0.
have M0 : 0 <= M by rewrite (le_trans _ (EM i0)) ?norm2_ge0.
move=> a_i0.
have -> : a^T *m E - row i0 E = \sum_(i | i != i0) a i 0 *: (row i E - row i0 E).
  rewrite mulmx_sum_row -[X in _ - X]scale1r -a1 scaler_suml -sumrB (bigD1 i0) //=.
  rewrite mxE subrr add0r; apply: eq_bigr => i _.
  by rewrite mxE -scalerBr.
apply: le_trans (norm2_sum _ _) _.
apply: le_trans (_ : _ <= \sum_(i | i != i0) a i 0 * (M + M)) _.
  apply: ler_sum => i _; rewrite norm2Z ger0_norm // ler_wpmul2l //.
  by rewrite (le_trans (norm2D _ _)) // norm2N ler_add.
rewrite -mulr_suml (_ : \sum_(i | _) _ = 1 - a i0 0); last first.
  by rewrite -a1 [X in X - _](bigD1 i0) //= [X in X - _]addrC addrK.
rewrite -mulr2n -[M *+ 2]mulr_natl mulrC -mulrA ler_wpmul2l //.
by rewrite mulr_ge0.
Qed.

Section Examples.
Variables (T : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Variables (m rho : nat) (f : 'I_m -> 'I_T) (g : 'I_rho -> 'I_T).
Variables (Ws W' : 'M[R]_d) (i0 : 'I_rho -> 'I_n) (C : 'M[R]_(m, rho)).
Variables (M gamma s sigma c : R).

(* the new head, D(lambda) and its limit                                        *)
Definition W_at lambda : 'M[R]_d := Ws + lambda *: W'.
Definition D_at lambda : 'M[R]_(m, d) :=
  rowsub f (head E e (W_at lambda)) - C *m rowsub g (head E e (W_at lambda)).
Definition D_inf : 'M[R]_(m, d) :=
  rowsub f (head E e Ws) - C *m \matrix_b row (i0 b) (E (g b)).

(* the constants of the bound                                                   *)
Definition bound_constants : Prop :=
  [/\ forall b i, norm2 (row i (E (g b))) <= M,
      forall b j, j != i0 b ->
        gamma <= (E (g b) *m W' *m e (g b)) (i0 b) 0 - (E (g b) *m W' *m e (g b)) j 0,
      forall b i j,
        (E (g b) *m Ws *m e (g b)) i 0 - (E (g b) *m Ws *m e (g b)) j 0 <= s,
      forall v, norm2 (v *m C) <= c * norm2 v &
      forall v, sigma * norm2 v <= norm2 (v *m D_inf)].

Definition lambda_factor : R := 2%:R * M * n.-1%:R * Num.sqrt rho%:R * c.
Definition lambda_star : R := (s + ln (lambda_factor / sigma)) / gamma.

Hypothesis W'I : forall i, W' *m e (f i) = 0.
Hypothesis constants : bound_constants.

Theorem finite_lambda_rank lambda : 0 <= lambda ->
    lambda_factor * expR (s - lambda * gamma) < sigma ->
  row_free (D_at lambda).
Proof.
have [EM Eg Es cC sD] := constants => l0 small.
have ZI : rowsub f (head E e (W_at lambda)) = rowsub f (head E e Ws).
  apply/row_matrixP => i; rewrite [LHS]row_rowsub [RHS]row_rowsub rowK rowK /W_at.
  by rewrite mulmxDr mulmxDl -scalemxAr -scalemxAl -(mulmxA _ W') W'I mulmx0 scaler0 addr0.
rewrite /D_at ZI.
apply: (perturbed_rank (delta := 2%:R * M * n.-1%:R * expR (s - lambda * gamma)) cC sD).
  move=> b; rewrite row_rowsub rowK rowK.
  exact: (saturated_row l0 (EM b) (Eg b) (Es b)).
rewrite [X in X < _](_ : _ = lambda_factor * expR (s - lambda * gamma)); first exact: small.
by rewrite /lambda_factor; ring.
Qed.

(* the form of the paper: lambda above lambda*; where C = 0 or n = 1 (no         *)
(* logarithm), any lambda                                                      *)
Lemma above_lambda_star lambda : 0 < gamma -> 0 < sigma ->
    (0 < lambda_factor -> lambda_star < lambda) ->
  lambda_factor * expR (s - lambda * gamma) < sigma.
Proof.
move=> g0 s0 above; have [K0|K0] := ltP 0 lambda_factor; last first.
  by apply: le_lt_trans s0; rewrite mulr_le0_ge0 // ltW ?expR_gt0.
have lt_l : ln (lambda_factor / sigma) < - (s - lambda * gamma).
  by rewrite opprB ltr_subr_addl -ltr_pdivr_mulr //; apply: above.
move: lt_l; rewrite ltr_oppr -ltr_expR expRN lnK ?posrE ?divr_gt0 // invf_div.
by rewrite ltr_pdivl_mulr // mulrC.
Qed.

(* the block of the new head adds m to the rank of the blocks before            *)
Theorem finite_lambda q (Z' : 'M[R]_(T, q)) lambda : 0 < gamma -> 0 < sigma -> 0 <= lambda ->
    \rank (rowsub g Z') = \rank Z' -> C *m rowsub g Z' = rowsub f Z' ->
    (0 < lambda_factor -> lambda_star < lambda) ->
  (\rank Z' + m <= \rank (row_mx Z' (head E e (W_at lambda))))%N.
Proof.
move=> g0 s0 l0 <- CZ /(above_lambda_star g0 s0)/(finite_lambda_rank l0)/eqP rD.
by rewrite -[m in (_ + m)%N]rD rank_row_schur.
Qed.

(* a layer with H heads before                                                 *)
Theorem finite_lambda_layer H (W : 'I_H -> 'M[R]_d) lambda : 0 < gamma -> 0 < sigma ->
    0 <= lambda -> let Z' := Zmx E e W in
    \rank (rowsub g Z') = \rank Z' -> C *m rowsub g Z' = rowsub f Z' ->
    (0 < lambda_factor -> lambda_star < lambda) ->
  (\rank Z' + m <=
    \rank (Zmx E e (fun h : 'I_H.+1 => oapp W (W_at lambda) (unlift ord_max h))))%N.
Proof.
move=> g0 s0 l0 Z' rZ CZ above; apply: leq_trans (finite_lambda g0 s0 l0 rZ CZ above) _.
set W1 := fun h => _.
have W1max : W1 ord_max = W_at lambda by rewrite /W1 unlift_none.
have W1E h : W1 (widen_ord (leqnSn H) h) = W h.
  rewrite /W1 (_ : widen_ord _ h = lift ord_max h) ?liftK //.
  by apply/ord_inj; rewrite lift_max.
rewrite -mxrank_tr tr_row_mx -addsmxE rank_Zmx big_ord_recr W1max.
rewrite (adds_eqmx (Zmx_heads E e W) (eqmx_sym (genmxE _))).
rewrite [X in (_ <= \rank (X + _)%MS)%N](eq_bigr (fun h => <<(head E e (W h))^T>>%MS)).
  exact: leqnn.
by move=> h _; rewrite W1E.
Qed.

End Examples.
End Layer.
