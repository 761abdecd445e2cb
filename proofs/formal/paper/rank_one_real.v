(* The rank-one lower bound for real data: a shared context of rank at least r and   *)
(* T distinct queries in an open half-space give, with H heads of key dimension 1,   *)
(*   rank(Z) >= min(T, H (r - 1) + 1),                                               *)
(* with equality for n = r independent tokens, by Proposition 2.  All heads are      *)
(* positive multiples of one matrix u v of rank one.                                 *)
(* Different from the paper's Proposition 1 for a shared context: d_h = 1 is enough  *)
(* (the paper: d_h >= r), the context has rank at least r instead of n, and the      *)
(* queries are distinct and in an open half-space instead of having Kruskal rank n   *)
(* (neither condition implies the other; opposite_queries.v shows that distinct      *)
(* queries alone are not enough).                                                    *)
(* rank_one_lower_bound.v has the bound for integer data, which rank_one_real        *)
(* contains.  There the proof is algebraic, so its attn_lower_bound holds over any   *)
(* ordered field, for a softmax in base 2 and with integer weights, and is closed    *)
(* under the global context; here the data are arbitrary real numbers, the base is e *)
(* and the proof is a limit (scaled_limit.v).                                        *)
(*                                                                                   *)
(*      rank_one_real == u and v such that W_h = c_h u v^T reaches the bound         *)
(*   rank_one_real_exact, rank_one_real_memorized == equality, and what it memorizes *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra classical_sets.
From Attest Require Import attention common proposition_1 theorem_1 proposition_2 generalized_vandermonde.
From Attest Require Import rank_one_lower_bound scaled_limit.

(* queries in an open half-space can be told apart by a positive functional          *)
Lemma good_queries_real (R : realFieldType) T d (e : 'I_T -> 'cV[R]_d) (w : 'rV[R]_d) :
    injective e -> (forall t, 0 < (w *m e t) 0 0) ->
  exists v : 'rV[R]_d, (forall t, 0 < (v *m e t) 0 0) /\
     injective (fun t => (v *m e t) 0 0).
Proof.
move=> inj_e wP.
pose I := [finType of {a : 'I_T * 'I_T | a.1 != a.2}].
have [a|v0 vP] := @separating _ I _ (fun a => e (val a).1 - e (val a).2).
  by rewrite subr_eq0 (inj_eq inj_e) (valP a).
pose a t := (w *m e t) 0 0; pose b t := (v0 *m e t) 0 0.
pose K0 := \sum_t `|b t| / a t.
have leK0 t : `|b t| <= K0 * a t.
  rewrite -ler_pdivr_mulr ?wP // /K0 (bigD1 t) //= ler_addl.
  by apply: sumr_ge0 => t' _; rewrite divr_ge0 // ltW ?wP.
(* the bad multiples of w are roots of a polynomial                                *)
pose p (x : I) : {poly R} := (a (val x).1 - a (val x).2) *: 'X + (b (val x).1 - b (val x).2)%:P.
have pE x k : (p x).[k] = (k * a (val x).1 + b (val x).1) - (k * a (val x).2 + b (val x).2).
  rewrite hornerD hornerZ hornerX hornerC opprD addrACA -mulrBr.
  by rewrite mulrC.
have p0 x : p x != 0.
  apply: contra_neq (vP x) => px0; have := pE x 0.
  rewrite px0 horner0 !mul0r !add0r => bb.
  by rewrite mulmxBr [LHS]mxE [X in _ + X]mxE -/(b _) -/(b _) -bb.
have [||k] := @nonroot _ (\prod_x p x) (fun k => K0 + k.+1%:R).
- by move=> k k' /addrI/eqP; rewrite eqr_nat eqSS => /eqP.
- by apply/prodf_neq0 => x _.
rewrite horner_prod => /prodf_neq0 pk; set K := K0 + _ in pk.
have vE t : ((K *: w + v0) *m e t) 0 0 = K * a t + b t.
  by rewrite mulmxDl -scalemxAl mxE [X in X + _]mxE.
exists (K *: w + v0); split=> [t|t t'].
  rewrite vE mulrDl addrAC ltr_spaddr ?mulr_gt0 ?ltr0n ?wP //.
  rewrite -ler_subl_addr sub0r (le_trans _ (leK0 t)) // -normrN.
  exact: ler_norm.
rewrite !vE => vtt'; apply/eqP/negPn/negP => neq.
by have := pk (exist _ (t, t') neq) isT; rewrite pE vtt' subrr eqxx.
Qed.

Section SharedReal.
Variables (R : realType) (T n d r' : nat).
Variables (E : 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis rE : (r'.+1 <= \rank E)%N.
Variables (u : 'cV[R]_d) (v : 'rV[R]_d).
(* tokens with the same key are equal; queries differ in their positive values     *)
Hypothesis keys_sep : forall i i', (E *m u) i 0 = (E *m u) i' 0 -> row i E = row i' E.
Hypothesis queries_gt0 : forall t, 0 < (v *m e t) 0 0.
Hypothesis queries_inj : injective (fun t => (v *m e t) 0 0).

Let x i := (E *m u) i 0.
Let s t := (v *m e t) 0 0.
Let H_ c : 'M[R]_(d, T) := (head (fun=> E) e (c *: (u *m v)))^T.

Let n_gt0 : (0 < n)%N.
Proof. by apply: leq_trans (rank_leq_row E); apply: leq_trans rE. Qed.

(* the heads through functionals with distinct speeds: columns k of the heads       *)
Lemma speeds : exists Y : 'M[R]_(r'.+1, d), exists speed : 'I_r'.+1 -> R,
    exists B : 'M[R]_(r'.+1, T),
  [/\ forall a, 0 <= speed a, forall a b : 'I_r'.+1, (a < b)%N -> speed a < speed b,
      forall k t, B k t != 0 &
      forall k t, tends (fun c => expR (c * speed k * s t) * (Y *m H_ c) k t) (B k t)].
Proof.
have [i0 pmax] : exists i0, forall i, x i <= x i0.
  exists [arg max_(i > Ordinal n_gt0) x i]%O.
  by case: Order.TotalTheory.arg_maxP => // i _ imax j; apply: imax.
pose gap i := x i0 - x i.
have gap0 i : 0 <= gap i by rewrite subr_ge0.
(* the rank of a gap among all gaps                                                *)
pose below (g : R) := [set i | gap i < g].
pose q i := #|below (gap i)|.
have qlt i i' : (q i < q i')%N = (gap i < gap i').
  have mono j j' : gap j < gap j' -> (q j < q j')%N.
    move=> jj'; apply: proper_card; rewrite properE; apply/andP; split.
      by apply/subsetP => k; rewrite !inE => /lt_trans; apply.
    by apply/subsetPn; exists j; rewrite !inE // ltxx.
  apply/idP/idP => [|/mono //]; apply: contraTT; rewrite -leNgt -leqNgt le_eqVlt.
  by case/orP => [/eqP gg|/mono /ltnW //]; rewrite /q gg.
have qeq i i' : (q i == q i') = (gap i == gap i').
  apply/eqP/eqP => [qq|gg]; last by rewrite /q gg.
  by apply/le_anti; rewrite leNgt (leNgt (gap i')) -!qlt qq ltnn.
have qL i : (q i < n.+1)%N by rewrite ltnS (leq_trans (max_card _)) // card_ord.
have q_sep i i' : q i = q i' -> row i E = row i' E.
  move/eqP; rewrite qeq => /eqP /addrI /oppr_inj; exact: keys_sep.
have [w [j [j_inc jL wj]]] := head_basis qL q_sep rE.
(* coefficients of the polynomials are sums over a level                           *)
pose y k i := (E *m w k) i 0.
have coefF k l : (Fp E q (w k))`_l = \sum_(i | q i == l) y k i.
  rewrite coef_sum [RHS]big_mkcond; apply: eq_bigr => i _; rewrite coefZ coefXn eq_sym.
  by case: eqP => _; rewrite ?mulr1 ?mulr0.
have low k l : (l < j k)%N -> \sum_(i | q i == l) y k i = 0.
  by move=> lj; rewrite -coefF; have [f -> _] := wj k; rewrite coefXnM lj.
have top k : \sum_(i | q i == j k) y k i != 0.
  rewrite -coefF; have [f ->] := wj k.
  by rewrite coefXnM ltnn subnn -horner_coef0.
have [lead leadE] : exists lead : 'I_r'.+1 -> 'I_n, forall k, q (lead k) = j k.
  suff : forall k, exists i, q i = j k by move/fin_all_exists.
  move=> k; have : [exists i, q i == j k].
    by apply: contraNT (top k) => /existsPn no; rewrite big1 // => i /eqP/eqP qi; have := no i; rewrite qi.
  by case/existsP => i /eqP; exists i.
pose mult : R := #|[pred i | gap i == 0]|%:R.
have mult0 : mult != 0.
  by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists i0; rewrite inE /gap subrr.
exists (\matrix_k (w k)^T), (gap \o lead),
  (\matrix_(k, t) ((\sum_(i | q i == j k) y k i) / mult)); split=> [k|a b|k t|k t].
- exact: gap0.
- by move=> /j_inc; rewrite -!leadE qlt.
- by rewrite mxE mulf_neq0 ?invr_eq0.
have logitE i : (E *m (u *m v) *m e t) i 0 = x i * s t.
  by rewrite mulmxA -mulmxA mxE big_ord1.
have gapE i : (E *m (u *m v) *m e t) i0 0 - (E *m (u *m v) *m e t) i 0 = gap i * s t.
  by rewrite !logitE -mulrBl.
have st0 : s t != 0 by rewrite gt_eqF // queries_gt0.
have := @softmax_tends R n (E *m (u *m v) *m e t) i0 (y k) (gap (lead k) * s t).
rewrite /= (eq_bigl (fun i => q i == j k)); last first.
  by move=> i; rewrite gapE (inj_eq (mulIf st0)) -qeq leadE.
rewrite (eq_card (B := [pred i | gap i == 0])); last first.
  by move=> i; rewrite !inE gapE mulf_eq0 (negPf st0) orbF.
move=> lim; rewrite mxE; apply: tends_ext (lim _ _) _ => [i|i|c].
- by rewrite gapE mulr_ge0 // ltW ?queries_gt0.
- rewrite gapE ltr_pmul2r ?queries_gt0 // -qlt leadE => /low lowi.
  rewrite -[RHS]lowi; by apply: eq_bigl => i'; rewrite !gapE (inj_eq (mulIf st0)) -qeq.
- rewrite mulrA; congr (_ * _); rewrite [RHS]mxE.
  under [RHS]eq_bigr do rewrite headE mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => i _.
  rewrite /y [(E *m w k) i 0]mxE mulr_sumr; apply: eq_bigr => b _.
  by rewrite [(\matrix_k _) k b]mxE [_^T 0 b]mxE [LHS]mulrA [LHS]mulrC.
Qed.

Lemma heads_shared h : exists c : nat -> R, (forall i, 0 < c i) /\
  (minn T (h.+1 * r' + 1) <= \rank (\sum_(i < h.+1) <<H_ (c i)>>)%MS)%N.
Proof.
have [Y [speed [B [speed0 speed_inc B0 YB]]]] := speeds.
elim: h => [|h [c [c0 IH]]].
  have [c0 c0_gt0 leY] := pick_large (first_columns queries_inj speed_inc YB B0).
  exists (fun=> c0); split=> //; rewrite big_ord1 mxrank_gen mul1n addn1.
  exact: leq_trans leY (mxrankM_maxr _ _).
set S := (\sum_(i < h.+1) _)%MS in IH.
pose X c := rowsub (lift ord0) (Y *m H_ c) : 'M[R]_(r', T).
have [||||ch ch0 leS] := pick_large (add_columns queries_inj (X := X)
    (speed := speed \o lift ord0) (B := rowsub (lift ord0) B) _ _ _ S _).
- by move=> a b ab; apply: speed_inc; rewrite /= /bump !add1n ltnS.
- move=> k t; rewrite [rowsub _ B _ _]mxE; apply: tends_ext (YB _ t) _ => c1.
  by rewrite [X c1 k t]mxE.
- by move=> k t; rewrite mxE.
- by move=> k; apply: le_lt_trans (speed0 ord0) _; apply: speed_inc.
exists (fun i => if i == h.+1 then ch else c i); split=> [i|]; first by case: ifP.
rewrite big_ord_recr /= eqxx (eq_bigr (fun i : 'I_h.+1 => <<H_ (c i)>>%MS)); last first.
  by move=> i _; rewrite ltn_eqF.
have SX : (S + X ch <= S + <<H_ ch>>)%MS.
  rewrite addsmxS // genmxE; apply: submx_trans (rowsub_sub _ _) _; exact: submxMl.
apply: leq_trans (mxrankS SX); apply: leq_trans leS.
have -> : (h.+2 * r' + 1 = h.+1 * r' + 1 + r')%N by rewrite mulSn -addnA addnC.
rewrite leq_min geq_minl /=; have [TP|PT] := leqP T (h.+1 * r' + 1).
  move: IH; rewrite (minn_idPl TP) => TS.
  by rewrite (leq_trans (geq_minl _ _)) // (leq_trans TS) // leq_addr.
move: IH; rewrite (minn_idPr (ltnW PT)) => PS.
by rewrite (leq_trans (geq_minr _ _)) // leq_add2r.
Qed.

End SharedReal.

Section Real.
Variables (R : realType) (T H n d : nat) (E : 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis inj_e : injective e.
Hypothesis half_space : exists w : 'rV[R]_d, forall t, 0 < (w *m e t) 0 0.

(* u and v do not depend on r or H                                                 *)
Theorem rank_one_real : exists u : 'cV[R]_d, exists v : 'rV[R]_d,
  forall r, (0 < r <= \rank E)%N -> exists c : 'I_H -> R, (forall h, 0 < c h) /\
    (minn T (H * (r - 1) + 1) <= \rank (Zmx (fun=> E) e (fun h => (c h *: (u *m v))%R)))%N.
Proof.
have [u uP] := good_keys E; have [w w0] := half_space.
have [v [v0 v_inj]] := good_queries_real inj_e w0.
exists u, v => -[//|r'] /= rE; rewrite subn1 /=; case: H H_gt0 => // h _.
have [c [c0 leS]] := heads_shared rE uP v0 v_inj h.
by exists (fun i => c i); split=> //; rewrite rank_Zmx.
Qed.

(* a layer of key dimension 1                                                      *)
Theorem rank_one_real_layer dv do dout r : (0 < r <= \rank E)%N ->
  exists P : weights R H d 1 dv do dout,
    (minn T (H * (r - 1) + 1) <= \rank (Z (fun=> E) e P))%N.
Proof.
have [u [v uvP]] := rank_one_real => /uvP[c [_ leZ]].
exists (Weights (fun h => c h *: u) (fun=> v^T) (fun=> 0) 0 0).
rewrite ZE /= (_ : (fun h => _) = (fun h => c h *: (u *m v))) //.
by apply/funext => h; rewrite trmxK scalemxAl.
Qed.

(* with n independent tokens the bounds meet                                       *)
Theorem rank_one_real_exact dv do dout : \rank E = n -> (0 < n)%N ->
  exists P : weights R H d 1 dv do dout,
    \rank (Z (fun=> E) e P) = minn T (H * (n - 1) + 1).
Proof.
move=> rE n0; have [|P leZ] := @rank_one_real_layer dv do dout n; first by rewrite rE leqnn n0.
exists P; apply/eqP; rewrite eqn_leq leZ andbT leq_min rank_leq_row.
exact: (@proposition_2 R T H n d 1 dv do dout E (fun=> E) e P (fun=> erefl)).
Qed.

(* so the layer memorizes T <= H (n - 1) + 1 examples, with any labels              *)
Corollary rank_one_real_memorized dv do dout (y : 'I_T -> 'cV[R]_dout) r :
    (0 < r <= \rank E)%N -> (T <= H * (r - 1) + 1)%N -> (dout <= dv)%N -> (dout <= do)%N ->
  exists P : weights R H d 1 dv do dout, memorizes (fun=> E) e P y.
Proof.
move=> rE TH dv_ do_; have [P] := @rank_one_real_layer dv do dout r rE.
rewrite ZE (minn_idPl TH) => leZ.
have rZ : \rank (Zmx (fun=> E) e (fun h => WK P h *m (WQ P h)^T)) = T.
  by apply/eqP; rewrite eqn_leq leZ rank_leq_row.
by have [U UP] := readout_memorizes dv_ do_ rZ y; exists (readout dv do (WK P) (WQ P) U).
Qed.

End Real.
