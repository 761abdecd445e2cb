(* Finite lambda for a whole layer (Appendix B.2): head h has the weights Ws_h + lambda_h W'_h, and        *)
(* lambda_h is chosen after lambda_0, ..., lambda_(h-1), above the lambda* of head h.  That lambda* is     *)
(* explicit: its constants are those of finite_lambda.v for the block Z' of the heads before at *their*    *)
(* lambda.  If head h adds the rows I_h then Z has rank at least sum_h |I_h|.                             *)
(* The first head may take lambda = 0 (rho = 0: nothing has to be kept).                                  *)
(*                                                                                                       *)
(*      scheduled lambda_star == max(0, lambda* ) + 1, a choice that is always above                      *)
(*   adds_rows W Ws W' lambda m == the conditions of finite_lambda for a head Ws + lambda W' that adds m    *)
(*                                 rows to the heads W                                                   *)
(*          lambda_schedule == the statement                                                             *)
(*   lambda_schedule_exists == under Assumption 2 and for queries of Kruskal rank at least r <= n there     *)
(*                             is such a schedule, with heads of rank at most r, and the layer has rank at   *)
(*                             least min(T, H (r - 1) + 1)                                               *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra zify.
From Attest Require Import attention common euclidean kruskal lemma_3 lemma_5 claim_1 claim_2 proposition_1.
From Attest Require Import finite_lambda.

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
