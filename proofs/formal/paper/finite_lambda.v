(* Finite lambda (Appendix B.2): an explicit lambda* for one head, a schedule for the heads of a layer,        *)
(* and all large lambda at once.                                                                               *)
(*                                                                                                             *)
(*                  W_at lambda == the new head                                                                *)
(*           D_at lambda, D_inf == D(lambda) and its limit                                                     *)
(*              bound_constants == M, gamma, s, c and sigma are bounds as below                                *)
(*                lambda_factor == 2 M (n - 1) sqrt(rho) c                                                     *)
(*                  lambda_star == lambda*                                                                     *)
(*   finite_lambda_rank, finite_lambda, finite_lambda_layer == the statement for one head                      *)
(*        scheduled lambda_star == max(0, lambda* ) + 1, a choice that is always above                         *)
(*   adds_rows W Ws W' lambda m == the conditions of finite_lambda for a head Ws + lambda W' that adds m rows  *)
(*                                 to the heads W                                                              *)
(*              lambda_schedule == the statement for a schedule                                                *)
(*       lambda_schedule_exists == under Assumption 2 and for queries of Kruskal rank at least r <= n there is *)
(*                                 such a schedule, with heads of rank at most r, and the layer has rank at    *)
(*                                 least min(T, H (r - 1) + 1)                                                 *)
(*                 tends_to M N == M lambda tends to N in every entry                                          *)
(*                 large_lambda == the statement for all large lambda                                          *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra ring zify.
From Attest Require Import attention common kruskal euclidean lemmas proposition_1.

(* ================================================================================ *)
(* One head                                                                         *)
(* ================================================================================ *)
(* Finite lambda (Appendix B.2): an explicit lambda* above which the head           *)
(* W* + lambda W' of the induction of Proposition 1 keeps the rank of its limit.    *)
(*                                                                                  *)
(* Z' (T x q) holds the heads before; g lists the rows B with rank Z'_B = rank Z'   *)
(* (|B| = rho), f the m rows I, C Z'_B = Z'_I.  Z(lambda) is the block of the new   *)
(* head and D(lambda) = Z_I(lambda) - C Z_B(lambda).  As W' e_t = 0 for t in I, Z_I *)
(* does not depend on lambda; row t of Z_B tends to the token i0 t, so D(lambda)    *)
(* tends to D_inf.  M bounds the norms of the tokens, gamma > 0 is at most the gap  *)
(* between the largest entry of E_t W' e_t and the others, s at least the spread of *)
(* the entries of E_t W* e_t (all for t in B), c at least ||C||_2 and sigma > 0 at  *)
(* most the smallest singular value of D_inf.  If                                   *)
(*   2 M (n - 1) sqrt(rho) c exp(s - lambda gamma) < sigma,                         *)
(* in particular if lambda > lambda* = (s + ln (2 M (n - 1) sqrt(rho) c / sigma)) / *)
(* gamma, then rank D(lambda) = m, and by Lemma 1 the new head adds m to the rank.  *)
(*                                                                                  *)
(* Differences from the paper: ||C||_2 and the smallest singular value are given by *)
(* their variational characterizations, |v C| <= c |v| and sigma |v| <= |v D_inf|   *)
(* for all v; lambda >= 0 is explicit (lambda* can be negative); B need not be a    *)
(* basis; Z' is any matrix in finite_lambda, the heads before in                    *)
(* finite_lambda_layer.  frobenius_bound: the Frobenius norm will do for c.         *)

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
  apply/row_matrixP => i; rewrite [LHS]row_rowsub [RHS]row_rowsub [LHS]rowK [RHS]rowK /W_at.
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

(* ================================================================================================== *)
(* A schedule for a whole layer                                                                       *)
(* ================================================================================================== *)
(* Head h has the weights Ws_h + lambda_h W'_h, and lambda_h is chosen after lambda_0, ...,           *)
(* lambda_(h-1), above the lambda* of head h.  That lambda* is explicit: its constants are those of   *)
(* finite_lambda for the block Z' of the heads before at *their* lambda.  If head h adds the rows I_h *)
(* then Z has rank at least sum_h |I_h|.                                                              *)
(* The first head may take lambda = 0 (rho = 0: nothing has to be kept).                              *)

Section Schedule.
Variables (R : realType) (T n d : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

Definition scheduled (lambda_star : R) : R := Num.max 0 lambda_star + 1.

Lemma scheduled_ge0 l : 0 <= scheduled l.
Proof. by rewrite /scheduled addr_ge0 // le_maxr lexx. Qed.

Lemma scheduled_above l : l < scheduled l.
Proof. by rewrite /scheduled ltr_spaddr // le_maxr lexx orbT. Qed.

Definition adds_rows H (W : 'I_H -> 'M[R]_d) (Ws W' : 'M[R]_d) (lambda : R) (m : nat) : Prop :=
  let Z' := Zmx E e W in
  exists rho (f : 'I_m -> 'I_T) (g : 'I_rho -> 'I_T) (i0 : 'I_rho -> 'I_n) (C : 'M[R]_(m, rho))
    (M gamma s sigma c : R),
  [/\ [/\ \rank (rowsub g Z') = \rank Z', C *m rowsub g Z' = rowsub f Z' &
          forall i, W' *m e (f i) = 0],
      bound_constants E e f g Ws W' i0 C M gamma s sigma c,
      0 < gamma, 0 < sigma &
      lambda = scheduled (lambda_star n rho M gamma s sigma c)].

Lemma adds_rowsP H (W : 'I_H -> 'M[R]_d) Ws W' lambda m : adds_rows W Ws W' lambda m ->
  (\rank (Zmx E e W) + m <= \rank (Zmx E e
    (fun h : 'I_H.+1 => oapp W (Ws + lambda *: W')%R (unlift ord_max h))))%N.
Proof.
case=> rho [f [g [i0 [C [M [gamma [s [sigma [c [[rZ CZ W'I] cst g0 s0 ->]]]]]]]]]].
have := @finite_lambda_layer R n d T E e m rho f g Ws W' i0 C M gamma s sigma c W'I cst H W
  (scheduled (lambda_star n rho M gamma s sigma c)) g0 s0 (scheduled_ge0 _) rZ CZ.
by apply=> _; apply: scheduled_above.
Qed.

Theorem lambda_schedule H (Ws W' : nat -> 'M[R]_d) (lambda : nat -> R) (m : nat -> nat) :
    let W h := Ws h + lambda h *: W' h in
    (forall h, (h < H)%N -> adds_rows (fun h' : 'I_h => W h') (Ws h) (W' h) (lambda h) (m h)) ->
  (\sum_(h < H) m h <= \rank (Zmx E e (fun h : 'I_H => W h)))%N.
Proof.
move=> W; elim: H => [|H IHs] step; first by rewrite big_ord0.
rewrite big_ord_recr /=; have le_H : (\sum_(h < H) m h <= \rank (Zmx E e (fun h : 'I_H => W h)))%N.
  by apply: IHs => h hH; apply: step; apply: ltnW.
have := adds_rowsP (step H (ltnSn H)); rewrite -(leq_add2r (m H)) in le_H.
move/(leq_trans le_H)/leq_trans; apply.
rewrite (_ : (fun h : 'I_H.+1 => oapp _ _ _) = fun h : 'I_H.+1 => W h) //.
apply/funext => h; case: unliftP => [h' ->|->] //=.
by congr W; rewrite /= /bump leqNgt ltn_ord.
Qed.

End Schedule.

(* ------------------------------------------------------------------------------------------------------ *)
(* The constants exist                                                                                     *)
(* ------------------------------------------------------------------------------------------------------ *)
(* a positive lower bound of the singular values of a matrix of full row rank                              *)
Lemma row_free_norm (R : rcfType) m d (D : 'M[R]_(m, d)) : row_free D ->
  exists2 sigma, 0 < sigma & forall v, sigma * norm2 v <= norm2 (v *m D).
Proof.
case/row_freeP=> X DX; have F1 : 0 < frobenius X + 1 by rewrite ltr_spaddr // sqrtr_ge0.
exists (frobenius X + 1)^-1 => [|v]; first by rewrite invr_gt0.
rewrite mulrC ler_pdivr_mulr // -{1}[v]mulmx1 -DX mulmxA (le_trans (frobenius_bound _ _)) //.
by rewrite mulrC ler_wpmul2l ?norm2_ge0 // ler_addl.
Qed.

(* a positive lower bound of finitely many positive numbers                                                *)
Lemma positive_gap (R : realFieldType) (I : finType) (P : pred I) (x : I -> R) :
  (forall i, P i -> 0 < x i) -> exists2 gamma, 0 < gamma & forall i, P i -> gamma <= x i.
Proof.
move=> x0; exists (\big[Order.min/1]_(i | P i) x i).
  by apply: (big_ind (fun y => 0 < y)) => // y z y0 z0; rewrite lt_minr y0.
by move=> i Pi; apply: bigmin_le_cond.
Qed.

(* an upper bound of finitely many numbers                                                                 *)
Lemma upper_bound (R : realFieldType) (I : finType) (x : I -> R) : exists M, forall i, x i <= M.
Proof.
exists (\sum_i `|x i|) => i; rewrite (le_trans (ler_norm _)) // (bigD1 i) //= ler_addl.
by apply: sumr_ge0 => ? _.
Qed.

(* s rows outside a row basis, and how they depend on it                                                   *)
Lemma basis_and_rows (F : fieldType) T q s (Z : 'M[F]_(T, q)) : (s <= T - \rank Z)%N ->
  exists g : 'I_(\rank Z) -> 'I_T, exists f : 'I_s -> 'I_T, exists C : 'M[F]_(s, \rank Z),
    [/\ \rank (rowsub g Z) = \rank Z, C *m rowsub g Z = rowsub f Z, injective f &
        forall b i, f i != g b].
Proof.
move=> sT; pose g := maxrankfun Z.
have gZ : (Z <= rowsub g Z)%MS by rewrite eq_maxrowsub.
pose B := [set g b | b in 'I_(\rank Z)]; pose A := enum (~: B).
have sA : (s <= size A)%N.
  rewrite -cardE (leq_trans sT) // leq_subLR -[X in (X <= _)%N]card_ord -(cardsC B) leq_add2r.
  by rewrite (leq_trans (leq_imset_card _ _)) // card_ord.
have tnth_lt (i : 'I_s) : (i < #|~: B|)%N by rewrite cardE (leq_trans (ltn_ord i)).
pose f i : 'I_T := enum_val (Ordinal (tnth_lt i)).
have fB i : f i \notin B by have := enum_valP (Ordinal (tnth_lt i)); rewrite inE.
exists g, f, (rowsub f Z *m pinvmx (rowsub g Z)); split.
- by apply/eqP; rewrite eqn_leq [X in X && _]mxrankS ?mxrankS ?rowsub_sub.
- by rewrite mulmxKpV // (submx_trans (rowsub_sub _ _)).
- by move=> i j /enum_val_inj [] ij; apply/val_inj.
- by move=> b i; apply: contraNneq (fB i) => ->; apply: imset_f.
Qed.

Section Existence.
Variables (R : realType) (T n d r : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis r_le_n : (r <= n)%N.
Hypothesis rankE : Assumption2 E.
Hypothesis kruskal_e : kruskal_geq e r.

(* the first head keeps nothing, so W' = 0 will do                                                         *)
Lemma first_step : exists Ws : 'M[R]_d, exists lambda,
  (\rank Ws <= r)%N /\ forall W : 'I_0 -> 'M[R]_d, adds_rows E e W Ws 0 lambda (minn T r).
Proof.
pose s := minn T r; have sT : (s <= T)%N by apply: geq_minl.
pose f := widen_ord sT.
have inj_f : injective f by move=> i j /(congr1 val) /= ij; apply/val_inj.
have [i|phi [phiP fphi]] := @pick_free R s n d (fun i => E (f i)).
  by rewrite rankE (leq_trans _ r_le_n) // geq_minr.
have eI : indep_on e [set f i | i in 'I_s].
  move/kruskal_geqP: kruskal_e; apply.
  by rewrite card_imset // card_ord geq_minr.
have [Ws [rW WE]] := claim_1 (fun i => rankE (f i)) inj_f eI phiP.
have no (i : 'I_0) : False by case: i.
pose g (i : 'I_0) : 'I_T := False_rect _ (no i).
pose i0 (i : 'I_0) : 'I_n := False_rect _ (no i).
have fD : row_free (D_inf E e f g Ws i0 0).
  rewrite /D_inf mul0mx subr0 (_ : rowsub f _ = \matrix_i ((phi i)^T *m E (f i))) //.
  by apply/row_matrixP => i; rewrite row_rowsub !rowK WE.
have [sigma sigma0 sigmaD] := row_free_norm fD.
exists Ws, (scheduled (lambda_star n 0 0 1 0 sigma 0)); split.
  by rewrite (leq_trans rW) // geq_minr.
move=> W; have Z0 : \rank (Zmx E e W) = 0%N.
  by rewrite rank_Zmx big_ord0 mxrank0.
exists 0%N, f, g, i0, 0, 0, 1, 0, sigma, 0; split=> //.
- split.
  + by rewrite Z0; apply/eqP; rewrite -leqn0; apply: rank_leq_row.
  + rewrite mul0mx (_ : Zmx E e W = 0) //; last by apply/eqP; rewrite -mxrank_eq0 Z0.
    by apply/matrixP => i j; rewrite !mxE.
  + by move=> i; rewrite mul0mx.
- by split=> // v; rewrite mulmx0 norm2_0 mul0r.
Qed.

(* a later head: the rank-one W' of Lemma 3 for examples outside a row basis                               *)
Lemma next_step H (W : 'I_H -> 'M[R]_d) : (0 < r)%N ->
  exists Ws : 'M[R]_d, exists W' : 'M[R]_d, exists lambda,
    (\rank (Ws + lambda *: W')%R <= r)%N /\
    adds_rows E e W Ws W' lambda (minn (r - 1) (T - \rank (Zmx E e W))).
Proof.
move=> r0; set Z := Zmx E e W; set s := minn _ _.
have sr : (s < r)%N by rewrite (leq_ltn_trans (geq_minl _ _)) // subn1 prednK.
have [g [f [C [gZ CZ inj_f fg]]]] := basis_and_rows (geq_minr _ _ : (s <= T - \rank Z)%N).
set I := [set f i | i in 'I_s]; have cI : #|I| = s by rewrite card_imset // card_ord.
have rowE t i j : i != j -> row i (E t) != row j (E t) by apply/row_free_diff/rankE.
have cIr : (#|I| < r)%N by rewrite cI.
have [u [v [W'I W'diff]]] := lemma_3 rowE kruskal_e cIr.
set W' := u *m v in W'I W'diff; pose x b i := (E (g b) *m W' *m e (g b)) i 0.
have gI b : g b \notin I by apply/imsetP => -[i _ gf]; have := fg b i; rewrite gf eqxx.
have largest b : exists i0, forall j, x b j <= x b i0.
  exists [arg max_(i > Ordinal n_gt0) x b i]%O.
  by case: Order.TotalTheory.arg_maxP => // i _ im j; apply: im.
have [i0 i0P] := fin_all_exists largest.
have [gamma gamma0 gammaP] : exists2 gamma, 0 < gamma &
    forall p : 'I_(\rank Z) * 'I_n, p.2 != i0 p.1 -> gamma <= x p.1 (i0 p.1) - x p.1 p.2.
  apply: positive_gap => -[b j] /= ji; rewrite subr_gt0 lt_neqAle i0P andbT.
  exact: W'diff (gI b) _ _ ji.
pose c i : 'rV[R]_d := - row i (C *m \matrix_b row (i0 b) (E (g b))).
pose one : 'cV[R]_n := const_mx 1.
have [i|phi [phiP fphi]] := @pick_free R s n d (fun i => E (f i) + one *m c i).
  have rc : (\rank (one *m c i) <= 1)%N.
    by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
  have := mxrank_add (E (f i) + one *m c i) (- (one *m c i)).
  rewrite addrK rankE mxrank_opp => n_le.
  rewrite -ltnS (leq_trans sr) // (leq_trans r_le_n) // (leq_trans n_le) //.
  by rewrite -[X in (_ <= X)%N]addn1 leq_add2l.
have eI : indep_on e I by move/kruskal_geqP: kruskal_e; apply; rewrite cI ltnW.
have [Ws [rWs WsE]] := claim_1 (fun i => rankE (f i)) inj_f eI phiP.
have fD : row_free (D_inf E e f g Ws i0 C).
  rewrite /D_inf (_ : _ - _ = \matrix_i ((phi i)^T *m (E (f i) + one *m c i))) //.
  apply/row_matrixP => i; rewrite linearB /= row_rowsub [in RHS]rowK rowK WsE mulmxDr mulmxA.
  rewrite (_ : _ *m one = 1%:M) ?mul1mx //.
  apply/matrixP => a b; rewrite !ord1 !mxE /= -(proj2 (phiP i)).
  by apply: eq_bigr => k _; rewrite !mxE mulr1.
have [sigma sigma0 sigmaD] := row_free_norm fD.
have [M MP] := upper_bound (fun p : 'I_(\rank Z) * 'I_n => norm2 (row p.2 (E (g p.1)))).
pose y b i := (E (g b) *m Ws *m e (g b)) i 0.
have [S SP] := upper_bound (fun p : 'I_(\rank Z) * 'I_n * 'I_n => y p.1.1 p.1.2 - y p.1.1 p.2).
pose l := scheduled (lambda_star n (\rank Z) M gamma S sigma (frobenius C)).
exists Ws, W', l; split.
  rewrite (leq_trans (mxrank_add _ _)) // (leq_trans _ sr) // -addn1 leq_add //.
  by rewrite scalemxAl (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
exists (\rank Z), f, g, i0, C, M, gamma, S, sigma, (frobenius C); split=> //.
  by split=> // i; rewrite -/W' W'I //; apply/imsetP; exists i.
split=> [b i|b j ji|b i j|v1|//].
- exact: (MP (b, i)).
- exact: (gammaP (b, j) ji).
- exact: (SP (b, i, j)).
- exact: frobenius_bound.
Qed.

Theorem lambda_schedule_exists H : (0 < r)%N ->
  exists Ws W' : nat -> 'M[R]_d, exists lambda : nat -> R, exists m : nat -> nat,
    let W h := Ws h + lambda h *: W' h in
  [/\ forall h, (\rank (W h) <= r)%N,
      forall h, (h <= H)%N -> adds_rows E e (fun h' : 'I_h => W h') (Ws h) (W' h) (lambda h) (m h) &
      (minn T (H.+1 * (r - 1) + 1) <= \rank (Zmx E e (fun h : 'I_H.+1 => W h)))%N].
Proof.
move=> r0; elim: H => [|H [Ws [W' [lambda [m /= [rW add le_H]]]]]].
  have [Ws [l [rW add]]] := first_step.
  exists (fun=> Ws), (fun=> 0), (fun=> l), (fun=> minn T r) => /=.
  have add0 h : (h <= 0)%N -> adds_rows E e (fun _ : 'I_h => Ws + l *: 0) Ws 0 l (minn T r).
    by case: h => // _; apply: add.
  split=> [_|//|]; first by rewrite scaler0 addr0.
  have := @lambda_schedule R T n d E e 1 (fun=> Ws) (fun=> 0) (fun=> l) (fun=> minn T r).
  rewrite big_ord1 (_ : (1 * (r - 1) + 1 = r)%N) ?mul1n ?subnK //; apply=> h h1.
  exact: add0.
pose W h := Ws h + lambda h *: W' h.
have [Wn [Wn' [l [rWn addn]]]] := next_step (fun h : 'I_H.+1 => W h) r0.
set mn := minn _ _ in addn.
pose upto (A : Type) (x : nat -> A) y h := if (h <= H)%N then x h else y.
exists (upto _ Ws Wn), (upto _ W' Wn'), (upto _ lambda l), (upto _ m mn) => /=.
have WE h : upto _ Ws Wn h + upto _ lambda l h *: upto _ W' Wn' h = upto _ W (Wn + l *: Wn') h.
  by rewrite /upto; case: ifP.
have before h : (h <= H.+1)%N -> (fun h' : 'I_h => upto _ W (Wn + l *: Wn') h') = (fun h' : 'I_h => W h').
  move=> hH; apply/funext => h'; rewrite /upto ifT // -ltnS.
  exact: leq_trans (ltn_ord h') hH.
split=> [h|h|].
- by rewrite WE /upto; case: ifP => // _; apply: rW.
- rewrite (_ : (fun h' : 'I_h => _) = (fun h' : 'I_h => upto _ W (Wn + l *: Wn') h')); last first.
    by apply/funext => h'; rewrite WE.
  move=> hH; rewrite before // /upto; case: leqP => [/add //|Hh].
  by have /eqP -> : h == H.+1 by rewrite eqn_leq hH.
rewrite (_ : (fun h : 'I_H.+2 => _) =
    (fun h : 'I_H.+2 => oapp (fun h : 'I_H.+1 => W h) (Wn + l *: Wn') (unlift ord_max h))); last first.
  apply/funext => h; rewrite WE /upto; case: unliftP => [h' ->|->] /=.
    have -> : bump H.+1 h' = h' by rewrite /bump leqNgt ltn_ord.
    by rewrite -ltnS ltn_ord.
  by rewrite ltnn.
apply: leq_trans (adds_rowsP addn); move: le_H; rewrite /mn.
set z := \rank _ => le_H; have zT : (z <= T)%N by apply: rank_leq_row.
by rewrite (mulSn H.+1); move: le_H; move: (H.+1 * (r - 1))%N (r - 1)%N => a b; lia.
Qed.

End Existence.

(* =============================================================================================== *)
(* All large lambda at once                                                                        *)
(* =============================================================================================== *)
(* Appendix B.2 for all large lambda at once: under Assumption 2, for queries of Kruskal rank at   *)
(* least r <= n, there are W_h and separators u_h v_h of rank at most r together, and L, such that *)
(* the layer W_h + lambda_h u_h v_h has rank at least min(T, H (r - 1) + 1) whatever lambda_h >= L *)
(* are, one for each head.  The induction of Proposition 1 works with the limits of the heads, and *)
(* the rank of the limit is that of what is near.                                                  *)

Definition tends_to (R : realType) m k (M : R -> 'M[R]_(m, k)) (N : 'M[R]_(m, k)) : Prop :=
  forall eps, 0 < eps -> exists L, forall l, L <= l -> forall i j, `|N i j - M l i j| <= eps.

Section Limits.
Variables (R : realType) (T n d r : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

(* heads side by side                                                              *)
Definition beside H (N : 'I_H -> 'M[R]_(T, d)) : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_h row t (N h)).

Lemma rank_of_beside H (N : 'I_H -> 'M[R]_(T, d)) : \rank (beside N) = \rank (\sum_(h < H) <<(N h)^T>>)%MS.
Proof.
have colE h j : row (mxvec_index h j) (beside N)^T = row j (N h)^T.
  by apply/rowP => t; rewrite !mxE mxvecE !mxE.
rewrite -mxrank_tr; apply/eqmx_rank/andP; split.
  apply/row_subP => k; case/mxvec_indexP: k => h j; rewrite colE.
  by rewrite (sumsmx_sup h) // genmxE row_sub.
by apply/sumsmx_subP => h _; rewrite genmxE; apply/row_subP => j; rewrite -colE row_sub.
Qed.

Lemma Zmx_beside H (W : 'I_H -> 'M[R]_d) : Zmx E e W = beside (fun h => head E e (W h)).
Proof.
apply/matrixP => t c; case/mxvec_indexP: c => h j; rewrite !mxE !mxvecE !mxE.
by apply: eq_bigr => k _; rewrite !mxE mulrC.
Qed.

Hypothesis n_gt0 : (0 < n)%N.
Hypothesis r_le_n : (r <= n)%N.
Hypothesis rankE : Assumption2 E.
Hypothesis kruskal_e : kruskal_geq e r.

(* a later head, in the limit; compare next_head of proposition_1.v                *)
Lemma limit_head m (S : 'M[R]_(m, T)) : (0 < r)%N ->
  exists Ws : 'M[R]_d, exists u : 'cV[R]_d, exists v : 'rV[R]_d, exists N : 'M[R]_(T, d),
  [/\ (\rank Ws + \rank (u *m v) <= r)%N, tends_to (fun l => head E e (Ws + l *: (u *m v))) N &
    (minn T (\rank S + (r - 1)) <= \rank (S + N^T)%MS)%N].
Proof.
move=> r0; pose s := minn (r - 1) (T - \rank S).
have sr : (s < r)%N by rewrite (leq_ltn_trans (geq_minl _ _)) // subn1 prednK.
have [f [P [inj_f SP Pf]]] := fresh_rows (geq_minr (r - 1) (T - \rank S) : (s <= _)%N).
set I := [set f i | i in 'I_s]; have cI : #|I| = s by rewrite card_imset // card_ord.
have rowE t i j : i != j -> row i (E t) != row j (E t) by apply/row_free_diff/rankE.
have cIr : (#|I| < r)%N by rewrite cI.
have [u [v [W'I W'diff]]] := lemma_3 rowE kruskal_e cIr.
have [i0 i0P] : exists i0 : 'I_T -> 'I_n, forall t, t \notin I -> forall (Ws : 'M[R]_d) (eps : R), 0 < eps ->
    exists l0, forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: (u *m v)) *m e t) i 0 - (i == i0 t)%:R| < eps.
  suff /fin_all_exists : forall t, exists i0, t \notin I -> forall (Ws : 'M[R]_d) (eps : R), 0 < eps ->
    exists l0, forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: (u *m v)) *m e t) i 0 - (i == i0)%:R| < eps by [].
  move=> t; have [tI|/W'diff dt] := boolP (t \in I); first by exists (Ordinal n_gt0).
  by have [i0 [_ i0P]] := lemma_4 n_gt0 dt; exists i0.
pose c i : 'rV[R]_d := \sum_(t | t \notin I) P i t *: row (i0 t) (E t).
pose one : 'cV[R]_n := const_mx 1.
have [i|phi [phiP fphi]] := @pick_free R s n d (fun i => E (f i) + one *m c i).
  have rc : (\rank (one *m c i) <= 1)%N.
    by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
  have := mxrank_add (E (f i) + one *m c i) (- (one *m c i)).
  rewrite addrK rankE mxrank_opp => n_le.
  rewrite -ltnS (leq_trans sr) // (leq_trans r_le_n) // (leq_trans n_le) //.
  by rewrite -[X in (_ <= X)%N]addn1 leq_add2l.
have eI : indep_on e I by move/kruskal_geqP: kruskal_e; apply; rewrite cI ltnW.
have [Ws [rWs WsE]] := claim_1 (fun i => rankE (f i)) inj_f eI phiP.
pose N : 'M[R]_(T, d) := \matrix_t (if t \in I then row t (head E e Ws) else row (i0 t) (E t)).
exists Ws, u, v, N; split.
- apply: leq_trans sr; rewrite -[s.+1]addn1 leq_add //.
  by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
- move=> eps eps0; pose K := \sum_t \sum_k \sum_j `|E t k j|.
  have K0 : 0 <= K by do 3![apply: sumr_ge0 => ? _].
  have K1 : 0 < K + 1 by rewrite ltr_spaddr.
  have /fin_all_exists[l lP] t : exists l0, t \notin I -> forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: (u *m v)) *m e t) i 0 - (i == i0 t)%:R| < eps / (K + 1).
    have [tI|tI] := boolP (t \in I); first by exists 0.
    by have [l0 l0P] := i0P t tI Ws _ (divr_gt0 eps0 K1); exists l0.
  have [L LP] := upper_bound l; exists L => lambda lL t j; rewrite [N t j]mxE.
  have [tI|tI] := boolP (t \in I).
    rewrite [X in `|_ - X|]mxE [row t _ _ _]mxE [head _ _ _ _ _]mxE.
    by rewrite mulmxDr mulmxDl -scalemxAr -scalemxAl -[E t *m (u *m v) *m e t]mulmxA W'I // mulmx0 scaler0 addr0 subrr normr0 ltW.
  have {}lP := lP t tI lambda (le_trans (LP t) lL).
  rewrite [row _ _ _ _]mxE [head _ _ _ _ _]mxE [X in `|_ - X|]mxE.
  have -> : E t (i0 t) j - \sum_k (softmax (E t *m (Ws + lambda *: (u *m v)) *m e t))^T 0 k * E t k j =
      \sum_k ((k == i0 t)%:R - softmax (E t *m (Ws + lambda *: (u *m v)) *m e t) k 0) * E t k j.
    under [RHS]eq_bigr do rewrite mulrBl.
    rewrite sumrB; congr (_ - _); last by apply: eq_bigr => k _; rewrite mxE.
    rewrite (bigD1 (i0 t)) //= eqxx mul1r big1 ?addr0 // => k /negPf ->.
    by rewrite mul0r.
  apply: (@le_trans _ _ (eps / (K + 1) * \sum_k `|E t k j|)).
    rewrite mulr_sumr (le_trans (ler_norm_sum _ _ _)) //; apply: ler_sum => k _.
    by rewrite normrM ler_wpmul2r // distrC ltW.
  have KE : \sum_k `|E t k j| <= K.
    rewrite /K (bigD1 t) //= ler_paddr //; first by do 3![apply: sumr_ge0 => ? _].
    apply: ler_sum => k _; rewrite (bigD1 j) //= ler_addl.
    by apply: sumr_ge0 => ? _.
  rewrite mulrAC ler_pdivr_mulr // ler_pmul2l // (le_trans KE) //.
  by rewrite ler_addl.
have rPN : row_free (P *m N).
  rewrite (_ : P *m N = \matrix_i ((phi i)^T *m (E (f i) + one *m c i))) //.
  apply/row_matrixP => i; rewrite row_mul mulmx_sum_row [RHS]rowK mulmxDr mulmxA.
  rewrite (_ : _ *m one = 1%:M) ?mul1mx; last first.
    apply/matrixP => a b; rewrite !ord1 !mxE /= -(proj2 (phiP i)).
    by apply: eq_bigr => k _; rewrite !mxE mulr1.
  rewrite (bigID [pred t | t \in I]) /=; congr (_ + _); last first.
    by apply: eq_bigr => t tI; rewrite mxE rowK (negPf tI).
  have fI : f i \in I by apply/imsetP; exists i.
  have PE i' : P i (f i') = (i == i')%:R by move/matrixP/(_ i i'): Pf; rewrite !mxE.
  rewrite (bigD1 (f i)) //= big1 ?addr0 => [|t /andP[/imsetP[i' _ ->] fi']].
    by rewrite mxE PE eqxx scale1r rowK fI rowK WsE.
  by rewrite mxE PE (negPf (contraNneq _ fi')) ?scale0r // => ->.
have := rank_adds_ker N^T SP; rewrite trmxK (eqP rPN); apply: leq_trans.
by rewrite /s addn_minr subnKC ?rank_leq_col // minnC.
Qed.

Lemma limit_heads H : (0 < r)%N ->
  exists Ws : nat -> 'M[R]_d, exists u : nat -> 'cV[R]_d, exists v : nat -> 'rV[R]_d, exists N : nat -> 'M[R]_(T, d),
  (forall h, (\rank (Ws h) + \rank (u h *m v h) <= r)%N /\
    tends_to (fun l => head E e (Ws h + l *: (u h *m v h))) (N h)) /\
  (minn T (H.+1 * (r - 1) + 1) <= \rank (\sum_(h < H.+1) <<(N h)^T>>)%MS)%N.
Proof.
move=> r0; elim: H => [|H [Ws [u [v [N [WN leN]]]]]].
  have [W rW base] := first_head r_le_n rankE kruskal_e.
  exists (fun=> W), (fun=> 0), (fun=> 0), (fun=> head E e W); split=> [_|]; last first.
    by rewrite big_ord1 mxrank_gen mul1n subnK.
  rewrite mul0mx mxrank0 addn0; split=> // eps eps0; exists 0 => l _ i j.
  by rewrite scaler0 addr0 subrr normr0 ltW.
set S := (\sum_(h < H.+1) _)%MS in leN; have [Wn [un [vn [Nn [rn tn leNn]]]]] := limit_head S r0.
pose upto (A : Type) (x : nat -> A) y h := if (h < H.+1)%N then x h else y.
exists (upto _ Ws Wn), (upto _ u un), (upto _ v vn), (upto _ N Nn); split=> [h|].
  by rewrite /upto; case: ifP.
rewrite big_ord_recr /= {2}/upto ltnn (eq_bigr (fun h : 'I_H.+1 => <<(N h)^T>>%MS)).
  rewrite -/S (adds_eqmx (eqmx_refl S) (genmxE _)) (leq_trans _ leNn) // mulSn.
  move: leN; move: (\rank S) (H.+1 * (r - 1))%N (r - 1)%N => a b c'.
  by lia.
by move=> h _; rewrite /upto ltn_ord.
Qed.

Theorem large_lambda H : (0 < r)%N -> (0 < H)%N ->
  exists Ws : 'I_H -> 'M[R]_d, exists u : 'I_H -> 'cV[R]_d, exists v : 'I_H -> 'rV[R]_d, exists L : R,
  (forall h, (\rank (Ws h) + \rank (u h *m v h) <= r)%N) /\
  forall lambda : 'I_H -> R, (forall h, L <= lambda h) ->
    (minn T (H * (r - 1) + 1) <= \rank (Zmx E e (fun h => Ws h + lambda h *: (u h *m v h))%R))%N.
Proof.
move=> r0; case: H => // H _; have [Ws [u [v [N [WN leN]]]]] := limit_heads H r0.
have [eps eps0 near] := rank_near (beside (fun h : 'I_H.+1 => N h)).
have /fin_all_exists[l lP] (h : 'I_H.+1) := proj2 (WN h) _ eps0; have [L LP] := upper_bound l.
exists (fun h => Ws h), (fun h => u h), (fun h => v h), L; split=> [h|lambda lL]; first by case: (WN h).
rewrite -rank_of_beside in leN; apply: leq_trans leN _; apply: near => t c.
rewrite Zmx_beside; case/mxvec_indexP: c => h j; rewrite !mxE !mxvecE ![(\matrix__ _) _ _]mxE ![row _ _ _ _]mxE.
by apply: lP; apply: le_trans (LP h) (lL h).
Qed.

End Limits.
