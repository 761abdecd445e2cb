(* The number of parameters: it bounds from above how much is memorized; the settings after Theorem 1,   *)
(* and the comparison after Proposition 3.                                                               *)
(*                                                                                                       *)
(*      lipschitz_on B L f == f is Lipschitz with constant L for parameters of absolute value at most B  *)
(*         loc_lipschitz f == some L for every B                                                         *)
(*      loc_lipschitz_mx A == every entry of the matrix A is locally Lipschitz                           *)
(*    not_all_values_taken == functions of fewer parameters than values miss a value                     *)
(*       layer_of_params x == the layer whose weights are the entries of x, which has num_params entries *)
(*   parameter_upper_bound == if all labels of T examples can be memorized then T d_out <= num_params    *)
(*   memorizes_all R H n d dh dv do dout == all data of at most H (n - 1) + 1 examples are memorized     *)
(*   setting_1, setting_2, setting_3_order_optimal == the three settings after Theorem 1                 *)
(*         relu_params m D == the number of parameters of a network with m neurons on R^D                *)
(*        equal_parameters == the comparison with networks of as many parameters                         *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra classical_sets ring zify.
From Attest Require Import attention theorem_1 proposition_3 transcendence.

(* ==================================================================================================== *)
(* The upper bound by the number of parameters                                                          *)
(* ==================================================================================================== *)
(* The upper bound by the number of parameters (after Theorem 1): a model whose outputs are locally     *)
(* Lipschitz functions of #|I| real parameters does not take all values in R^J if #|J| > #|I|.          *)
(* So a layer that memorizes all labels of T examples has at least T d_out parameters.                  *)
(*                                                                                                      *)
(* Proof: on a box of parameters the image is covered by D^#|I| K^#|I| small cubes, for any K; so it    *)
(* misses one of K^#|J| disjoint subcubes of any given cube.  Nested cubes that avoid larger and larger *)
(* boxes have a common point, and that is not a value.  (No measure theory.)                            *)

(* ----------------------------------------------------------------------------------------------------- *)
(* Locally Lipschitz functions of finitely many parameters                                                *)
(* ----------------------------------------------------------------------------------------------------- *)
Section Lipschitz.
Variables (R : realType) (I : finType).
Implicit Types (x y : I -> R) (f g : (I -> R) -> R) (B L delta : R).

Definition in_box B x : Prop := forall i, `|x i| <= B.

Definition lipschitz_on B L f : Prop := forall x y delta, in_box B x -> in_box B y ->
  0 <= delta -> (forall i, `|x i - y i| <= delta) -> `|f x - f y| <= L * delta.

Definition loc_lipschitz f : Prop := forall B, 0 <= B -> exists2 L, 0 <= L & lipschitz_on B L f.

Lemma loc_lipschitz_const c : loc_lipschitz (fun=> c).
Proof. by move=> B B0; exists 0 => // x y delta _ _ _ _; rewrite subrr normr0 mul0r. Qed.

Lemma loc_lipschitz_param i : loc_lipschitz (fun x => x i).
Proof. by move=> B B0; exists 1 => // x y delta _ _ _; rewrite mul1r; apply. Qed.

Lemma loc_lipschitz_bounded f B : 0 <= B -> loc_lipschitz f ->
  exists2 M, 0 <= M & forall x, in_box B x -> `|f x| <= M.
Proof.
move=> B0 /(_ B B0)[L L0 fL]; exists (L * B + `|f (fun=> 0)|); first by rewrite addr_ge0 ?mulr_ge0.
move=> x xB; rewrite -ler_subl_addr (le_trans (ler_sub_dist _ _)) // fL // => i.
  by rewrite normr0.
by rewrite subr0.
Qed.

Lemma loc_lipschitz_add f g : loc_lipschitz f -> loc_lipschitz g -> loc_lipschitz (fun x => f x + g x).
Proof.
move=> fL gL B B0; have [L L0 {}fL] := fL B B0; have [M M0 {}gL] := gL B B0.
exists (L + M) => [|x y delta xB yB d0 xy]; first exact: addr_ge0.
rewrite opprD addrACA mulrDl (le_trans (ler_norm_add _ _)) // ler_add //; [exact: fL|exact: gL].
Qed.

Lemma loc_lipschitz_mul f g : loc_lipschitz f -> loc_lipschitz g -> loc_lipschitz (fun x => f x * g x).
Proof.
move=> fL gL B B0; have [F F0 fF] := loc_lipschitz_bounded B0 fL.
have [G G0 gG] := loc_lipschitz_bounded B0 gL.
have [L L0 {}fL] := fL B B0; have [M M0 {}gL] := gL B B0.
exists (F * M + G * L) => [|x y delta xB yB d0 xy]; first by rewrite addr_ge0 ?mulr_ge0.
have -> : f x * g x - f y * g y = f x * (g x - g y) + g y * (f x - f y) by ring.
rewrite (le_trans (ler_norm_add _ _)) // !normrM mulrDl -!mulrA.
by rewrite ler_add // ler_pmul ?normr_ge0 ?mulr_ge0 // ?fF ?gG ?(fL x y) ?(gL x y).
Qed.

Lemma loc_lipschitz_sum (J : finType) (P : pred J) (f : J -> (I -> R) -> R) :
  (forall j, loc_lipschitz (f j)) -> loc_lipschitz (fun x => \sum_(j | P j) f j x).
Proof.
move=> fL; elim: (index_enum J) => [|j s IHs].
  rewrite (_ : (fun x => _) = fun=> 0); first exact: loc_lipschitz_const.
  by apply/funext => x; rewrite big_nil.
have [Pj|Pj] := boolP (P j); last first.
  by rewrite (_ : (fun x => _) = fun x => \sum_(k <- s | P k) f k x) //;
    apply/funext => x; rewrite big_cons (negPf Pj).
rewrite (_ : (fun x => _) = fun x => f j x + \sum_(k <- s | P k) f k x).
  exact: loc_lipschitz_add.
by apply/funext => x; rewrite big_cons Pj.
Qed.

Lemma expR_le_1D (w : R) : 0 <= w -> expR w <= 1 + w * expR w.
Proof.
move=> w0; apply: (@expR_le_partial _ _ 1) => -[//|N] _.
rewrite /exp_partial big_ord_recl expr0 fact0 divr1 ler_add2l.
apply: le_trans (_ : w * exp_partial w N <= _); last by rewrite ler_wpmul2l ?exp_partial_le.
rewrite mulr_sumr; apply: ler_sum => j _; rewrite lift0 exprS -mulrA ler_wpmul2l //.
by rewrite ler_wpmul2l ?exprn_ge0 // lef_pinv ?posrE ?fact_gt0R // ler_nat factS leq_pmull.
Qed.

Lemma expR_lipschitz (M u v : R) : u <= M -> v <= M -> `|expR u - expR v| <= expR M * `|u - v|.
Proof.
wlog uv : u v / v <= u => [H uM vM|uM vM].
  have [/H|/ltW/H] := leP v u; first exact.
  by rewrite distrC [`|u - v|]distrC; apply.
rewrite !ger0_norm ?subr_ge0 ?ler_expR //.
apply: le_trans (_ : expR u * (u - v) <= _); last by rewrite ler_wpmul2r ?subr_ge0 ?ler_expR.
have uE : expR u = expR v * expR (u - v) by rewrite -expRD addrC subrK.
have w0 : 0 <= u - v by rewrite subr_ge0.
have le_u : expR u <= expR v * (1 + (u - v) * expR (u - v)).
  by rewrite uE ler_pmul2l ?expR_gt0 // expR_le_1D.
by rewrite ler_subl_addl (le_trans le_u) // mulrDr mulr1 mulrCA -uE mulrC.
Qed.

Lemma loc_lipschitz_exp f : loc_lipschitz f -> loc_lipschitz (fun x => expR (f x)).
Proof.
move=> fL B B0; have [M M0 fM] := loc_lipschitz_bounded B0 fL; have [L L0 {}fL] := fL B B0.
exists (expR M * L) => [|x y delta xB yB d0 xy]; first by rewrite mulr_ge0 // ltW ?expR_gt0.
apply: le_trans (expR_lipschitz (M := M) _ _) _; try by rewrite (le_trans (ler_norm _)) ?fM.
by rewrite -mulrA ler_wpmul2l ?(ltW (expR_gt0 _)) // fL.
Qed.

Lemma loc_lipschitz_inv f : (forall x, 1 <= f x) -> loc_lipschitz f -> loc_lipschitz (fun x => (f x)^-1).
Proof.
move=> f1 fL B B0; have [L L0 {}fL] := fL B B0; exists L => // x y delta xB yB d0 xy.
have f0 z : 0 < f z := lt_le_trans ltr01 (f1 z).
have -> : (f x)^-1 - (f y)^-1 = (f y - f x) / (f x * f y).
  by field; rewrite !gt_eqF.
rewrite normrM normfV distrC (ger0_norm (ltW (mulr_gt0 _ _))) // ler_pdivr_mulr ?mulr_gt0 //.
rewrite -[X in X <= _]mulr1 ler_pmul ?normr_ge0 // ?fL //.
by rewrite -[1]mulr1 ler_pmul.
Qed.

Definition loc_lipschitz_mx m n (A : (I -> R) -> 'M[R]_(m, n)) : Prop :=
  forall i j, loc_lipschitz (fun x => A x i j).

Lemma loc_lipschitz_mx_const m n (A : 'M[R]_(m, n)) : loc_lipschitz_mx (fun=> A).
Proof. by move=> i j; apply: loc_lipschitz_const. Qed.

Lemma loc_lipschitz_mulmx m n p (A : (I -> R) -> 'M[R]_(m, n)) (B : (I -> R) -> 'M[R]_(n, p)) :
  loc_lipschitz_mx A -> loc_lipschitz_mx B -> loc_lipschitz_mx (fun x => A x *m B x).
Proof.
move=> AL BL i j; rewrite (_ : (fun x => _) = fun x => \sum_k A x i k * B x k j).
  by apply: loc_lipschitz_sum => k; apply: loc_lipschitz_mul.
by apply/funext => x; rewrite mxE.
Qed.

Lemma loc_lipschitz_trmx m n (A : (I -> R) -> 'M[R]_(m, n)) :
  loc_lipschitz_mx A -> loc_lipschitz_mx (fun x => (A x)^T).
Proof.
move=> AL i j; rewrite (_ : (fun x => _) = fun x => A x j i) //.
by apply/funext => x; rewrite mxE.
Qed.

Lemma loc_lipschitz_softmax n (l : (I -> R) -> 'cV[R]_n) :
  loc_lipschitz_mx l -> loc_lipschitz_mx (fun x => softmax (l x)).
Proof.
move=> lL i j; rewrite (_ : (fun x => _) = fun x => (\sum_k expR (l x k 0 + - 1 * l x i 0))^-1).
  apply: loc_lipschitz_inv => [x|].
    rewrite (bigD1 i) //= mulN1r subrr expR0 ler_addl; apply: sumr_ge0 => k _.
    exact/ltW/expR_gt0.
  apply: loc_lipschitz_sum => k; apply: loc_lipschitz_exp; apply: loc_lipschitz_add => //.
  by apply: loc_lipschitz_mul => //; apply: loc_lipschitz_const.
apply/funext => x; have e0 := lt0r_neq0 (expR_gt0 (l x i 0)).
rewrite mxE (_ : \sum_k _ = expR (l x i 0) * \sum_k expR (l x k 0 + - 1 * l x i 0)).
  by rewrite invfM mulrA divff // mul1r.
rewrite mulr_sumr; apply: eq_bigr => k _.
by rewrite -expRD mulN1r addrC subrK.
Qed.

Lemma loc_lipschitz_stack H k (v : (I -> R) -> 'I_H -> 'cV[R]_k) :
  (forall h, loc_lipschitz_mx (v^~ h)) -> loc_lipschitz_mx (fun x => stack (v x)).
Proof.
move=> vL i j; case/mxvec_indexP: i => h a.
rewrite (_ : (fun x => _) = fun x => v x h a 0); first exact: vL.
by apply/funext => x; rewrite /stack mxE ord1 mxvecE !mxE.
Qed.

End Lipschitz.

(* ----------------------------------------------------------------------------------------------------- *)
(* Fewer parameters than values: some vector of values is not taken                                       *)
(* ----------------------------------------------------------------------------------------------------- *)
Section NotAllValues.
Variable R : realType.

(* the M cells of [-B, B], of width 2 B / M                                                              *)
Lemma cell_of (B r : R) M : (0 < M)%N -> `|r| <= B ->
  exists k : 'I_M, let v := B / M%:R in `|r - (k%:R * (v + v) + v - B)| <= v.
Proof.
move=> M0; rewrite ler_norml => /andP[Br rB]; set v := B / M%:R.
have vM : M%:R * v = B by rewrite mulrC divfK // pnatr_eq0 -lt0n.
pose P k := (k < M)%N && (r <= k.+1%:R * (v + v) - B).
have exP : exists k, P k.
  by exists M.-1; rewrite /P prednK // leqnn /= mulrDr !vM addrK.
case: (ex_minnP exP) => k /andP[kM rk] kmin; exists (Ordinal kM) => /=.
have rk' : k%:R * (v + v) - B <= r.
  case: k kM rk kmin => [|k] kM rk kmin; first by rewrite mul0r add0r.
  rewrite leNgt; apply/negP => lt_r; have := kmin k; rewrite ltnn.
  by rewrite /P (ltn_trans _ kM) // ltW //= => /(_ isT).
move: rk rk'; rewrite -addn1 natrD mulrDl mul1r; move: (k%:R * _) => u rk rk'.
rewrite ler_norml; apply/andP; split.
  by rewrite -subr_ge0 (_ : _ - _ = r - (u - B)) ?subr_ge0 //; ring.
by rewrite -subr_ge0 (_ : _ - _ = u + (v + v) - B - r) ?subr_ge0 //; ring.
Qed.

Variables I J : finType.
Variable F : (I -> R) -> J -> R.
Hypothesis F_lip : forall j, loc_lipschitz (F^~ j).
Hypothesis IJ : (#|I| < #|J|)%N.

Definition in_cube (c : J -> R) (s : R) (y : J -> R) : Prop := forall j, `|y j - c j| <= s.

(* any cube has a subcube that misses the image of a box                                                  *)
Lemma missed_cube (B : R) c s : 0 <= B -> 0 < s -> exists c' s',
  [/\ 0 < s', forall j, `|c' j - c j| + s' <= s & forall x, in_box B x -> ~ in_cube c' s' (F x)].
Proof.
move=> B0 s0.
have [L [L0 FL]] : exists L, 0 < L /\ forall j, lipschitz_on B L (F^~ j).
  have ex j : exists L, 0 <= L /\ lipschitz_on B L (F^~ j) by have [L] := F_lip j B0; exists L.
  have [Lj LjP] := fin_all_exists ex; exists (1 + \sum_j Lj j); split.
    by rewrite ltr_spaddl //; apply: sumr_ge0 => j _; case: (LjP j).
  move=> j x y delta xB yB d0 xy; apply: le_trans (proj2 (LjP j) x y delta xB yB d0 xy) _.
  rewrite ler_wpmul2r // (bigD1 j) //= addrCA ler_addl addr_ge0 //.
  by apply: sumr_ge0 => j' _; case: (LjP j').
pose D := (Num.bound (3%:R * (L * B) / s)).+1.
have D_big : 3%:R * (L * B) < s * D%:R.
  rewrite [s * _]mulrC -ltr_pdivr_mulr //; apply: lt_le_trans (archi_boundP _) _.
    by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?(ltW L0) ?(ltW s0).
  by rewrite ler_nat; apply: leqnSn.
pose K := (D ^ #|I|).+1; pose M := (D * K)%N.
have KR : 0 < K%:R :> R by rewrite ltr0n.
have M0 : (0 < M)%N by rewrite muln_gt0.
have MR : 0 < M%:R :> R by rewrite ltr0n.
pose s' := s / (3%:R * K%:R).
have s'0 : 0 < s' by rewrite divr_gt0 ?mulr_gt0 ?ltr0n.
pose centre (u : {ffun J -> 'I_K}) j : R := c j + s * (((u j).*2.+1)%:R / K%:R - 1).
have inside u j : `|centre u j - c j| + s' <= s.
  have uK := ltn_ord (u j); rewrite /centre addrAC subrr add0r normrM (gtr0_norm s0).
  rewrite -{2}[s]mulr1 /s' -mulrDr ler_pmul2l // invfM.
  rewrite -(ler_pmul2r KR) mulrDl mulfVK ?gt_eqF // mul1r.
  rewrite -{2}(gtr0_norm KR) -normrM mulrBl mulfVK ?gt_eqF // mul1r.
  apply: (@le_trans _ _ (`|((u j).*2.+1)%:R - K%:R| + 1)).
    by rewrite ler_add2l invf_le1 ?ltr0n // ler1n.
  have K1 : K%:R - 1 = (K.-1)%:R :> R by rewrite /K -addn1 natrD addrK addn1.
  rewrite -ler_subr_addr K1 ler_norml; move: uK; move: (u j : nat) => k kK; apply/andP; split.
    by rewrite ler_oppl opprB ler_subl_addr -natrD ler_nat; clearbody K; clear -kK; lia.
  by rewrite ler_subl_addr -natrD ler_nat; clearbody K; clear -kK; lia.
apply: contrapT => none.
have hit (u : {ffun J -> 'I_K}) : exists x, in_box B x /\ in_cube (centre u) s' (F x).
  apply: contrapT => no_x; apply: none; exists (centre u), s'; split=> // x xB xu.
  by apply: no_x; exists x.
have [x xP] := fin_all_exists hit.
pose v := B / M%:R.
have cells u : exists k : {ffun I -> 'I_M},
    forall i, `|x u i - ((k i)%:R * (v + v) + v - B)| <= v.
  have ex i := cell_of M0 ((xP u).1 i).
  by have [k kP] := fin_all_exists ex; exists [ffun i => k i] => i; rewrite ffunE.
have [k kP] := fin_all_exists cells.
have /leq_card : injective k.
  move=> u w kuw; apply/ffunP => j; apply/eqP; apply: contraT => uw.
  have close : `|F (x u) j - F (x w) j| <= L * (v + v).
    apply: FL; [exact: (xP u).1|exact: (xP w).1|by rewrite addr_ge0 ?divr_ge0 ?ler0n|move=> i].
    have xu := kP u i; have xw := kP w i; rewrite -kuw in xw.
    rewrite (_ : x u i - x w i = (x u i - ((k u i)%:R * (v + v) + v - B))
      - (x w i - ((k u i)%:R * (v + v) + v - B))); last by ring.
    by rewrite (le_trans (ler_norm_sub _ _)) // ler_add.
  have far : `|centre u j - centre w j| <= s' + L * (v + v) + s'.
    have -> : centre u j - centre w j = (centre u j - F (x u) j) + (F (x u) j - F (x w) j)
        + (F (x w) j - centre w j) by ring.
    rewrite (le_trans (ler_norm_add _ _)) // ler_add ?(xP w).2 //.
    by rewrite (le_trans (ler_norm_add _ _)) // ler_add // distrC (xP u).2.
  have : 2%:R * s / K%:R <= `|centre u j - centre w j|.
    have -> : centre u j - centre w j = 2%:R * s / K%:R * ((u j)%:R - (w j)%:R).
      rewrite /centre -addn1 -[(w j).*2.+1]addn1 !natrD -!muln2 !natrM.
      by move: (u j)%:R (w j)%:R K%:R^-1 => a b c'; ring.
    rewrite normrM ger0_norm ?divr_ge0 ?mulr_ge0 ?ler0n ?(ltW s0) //.
    apply: ler_pemulr; first by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?(ltW s0).
    have -> : (u j)%:R - (w j)%:R = ((u j : nat)%:Z - (w j : nat)%:Z)%:~R :> R by rewrite rmorphB.
    rewrite -intr_norm -[1]/(1%:~R) ler_int -gtz0_ge1 normr_gt0 subr_eq0.
    by apply: contra uw => h; apply/eqP/val_inj; move: h; rewrite eqz_nat => /eqP.
  rewrite leNgt => /negP[]; apply: le_lt_trans far _.
  have q_small : L * v < s'.
    have -> : L * v = L * B / D%:R / K%:R by rewrite /v /M natrM invfM !mulrA.
    have -> : s' = s / 3%:R / K%:R by rewrite /s' invfM mulrA.
    rewrite ltr_pmul2r ?invr_gt0 // ltr_pdivr_mulr ?ltr0n // mulrAC ltr_pdivl_mulr ?ltr0n //.
    by rewrite (_ : L * B * 3%:R = 3%:R * (L * B)) //; ring.
  have -> : 2%:R * s / K%:R = (s' + (s' + s') + s') + (s' + s').
    by rewrite /s' invfM; field; rewrite gt_eqF.
  rewrite mulrDr ltr_spaddr ?addr_gt0 // ler_add2r ler_add2l.
  by rewrite ler_add // ltW.
rewrite !card_ffun !card_ord leqNgt => /negP[].
rewrite /M expnMn (@leq_trans (K ^ #|I|.+1)) // ?leq_pexp2l //.
by rewrite expnS ltn_pmul2r ?expn_gt0.
Qed.


Lemma low_high (a b c s : R) : 0 < s -> s - b <= c - a -> a - b <= c + s.
Proof.
move=> s0 h; rewrite -subr_ge0 (_ : c + s - (a - b) = (c - a - (s - b)) + (s + s)); last by ring.
by rewrite addr_ge0 ?subr_ge0 // addr_ge0 ?ltW.
Qed.

Lemma high_low (a b c s : R) : 0 < s -> c - a <= b - s -> c - s <= a + b.
Proof.
move=> s0 h; rewrite -subr_ge0 (_ : a + b - (c - s) = (b - s - (c - a)) + (s + s)); last by ring.
by rewrite addr_ge0 ?subr_ge0 // addr_ge0 ?ltW.
Qed.

(* nested cubes                                                                                          *)
Theorem not_all_values_taken : exists y : J -> R, forall x, exists j, F x j != y j.
Proof.
have step (k : nat) (cs : (J -> R) * R) : exists cs' : (J -> R) * R, 0 < cs.2 ->
    [/\ 0 < cs'.2, forall j, `|cs'.1 j - cs.1 j| + cs'.2 <= cs.2 &
       forall x, in_box k%:R x -> ~ in_cube cs'.1 cs'.2 (F x)].
  have [s0|] := ltP 0 cs.2; last by exists cs.
  by have [c' [s' H]] := missed_cube cs.1 (ler0n _ k) s0; exists (c', s').
have [f fP] : exists f : nat -> (J -> R) * R -> (J -> R) * R, forall k cs, 0 < cs.2 ->
    [/\ 0 < (f k cs).2, forall j, `|(f k cs).1 j - cs.1 j| + (f k cs).2 <= cs.2 &
       forall x, in_box k%:R x -> ~ in_cube (f k cs).1 (f k cs).2 (F x)].
  have [f fP] := choice (fun kcs : nat * ((J -> R) * R) => step kcs.1 kcs.2).
  by exists (fun k cs => f (k, cs)) => k cs; apply: (fP (k, cs)).
pose cube := fix cube k := if k is k'.+1 then f k' (cube k') else (fun=> 0, 1) : (J -> R) * R.
have cube0 k : 0 < (cube k).2 by elim: k => [|k /(fP k)[]] //=.
have nested k l j : `|(cube (k + l)%N).1 j - (cube k).1 j| + (cube (k + l)%N).2 <= (cube k).2.
  elim: l => [|l IHl]; first by rewrite addn0 subrr normr0 add0r.
  apply: le_trans IHl; rewrite addnS /=; have [_ /(_ j) near _] := fP (k + l)%N _ (cube0 (k + l)%N).
  set cl := (cube (k + l)%N).1 j in near *; set c' := (f _ _).1 j in near *.
  rewrite (_ : c' - _ = (cl - (cube k).1 j) + (c' - cl)); last by ring.
  by rewrite (le_trans (ler_add (ler_norm_add _ _) (lexx _))) // -addrA ler_add2l.
pose low j : set R := fun z => exists k, z = (cube k).1 j - (cube k).2.
have below k l j : (cube k).1 j - (cube k).2 <= (cube l).1 j + (cube l).2.
  have [/subnKC <-|/ltnW/subnKC <-] := leqP k l.
    have := nested k (l - k)%N j; rewrite -ler_subr_addr ler_norml => /andP[+ _].
    move: (cube0 (k + (l - k))%N); move: (cube (k + _)%N).2 (cube (k + _)%N).1 => s c s0.
    by rewrite opprB; apply: low_high.
  have := nested l (k - l)%N j; rewrite -ler_subr_addr ler_norml => /andP[_].
  move: (cube0 (l + (k - l))%N); move: (cube (l + _)%N).2 (cube (l + _)%N).1 => s c s0.
  exact: high_low.
have limit k : in_cube (cube k).1 (cube k).2 (fun j => sup (low j)).
  move=> j; have ub : has_ubound (low j) by exists ((cube 0%N).1 j + (cube 0%N).2) => _ [l ->].
  have lo : (cube k).1 j - (cube k).2 <= sup (low j) by apply: (sup_ub ub); exists k.
  have hi : sup (low j) <= (cube k).1 j + (cube k).2.
    by apply: sup_le_ub => [|_ [l ->]//]; exists ((cube 0%N).1 j - (cube 0%N).2); exists 0%N.
  by rewrite ler_norml ler_subr_addl lo ler_subl_addl hi.
exists (fun j => sup (low j)) => x; apply: contrapT => all_eq.
pose k := Num.bound (\sum_i `|x i|).
have xk : in_box k%:R x.
  move=> i; apply: (@le_trans _ _ (\sum_i `|x i|)); last first.
    by apply/ltW/archi_boundP/sumr_ge0 => i' _; apply: normr_ge0.
  by rewrite (bigD1 i) //= ler_addl sumr_ge0.
have [_ _ /(_ x xk)] := fP k _ (cube0 k); apply => j.
rewrite (_ : F x j = sup (low j)); first exact: (limit k.+1).
by apply/eqP; apply: contrapT => /negP ne; apply: all_eq; exists j.
Qed.

End NotAllValues.

(* ----------------------------------------------------------------------------------------------------- *)
(* The layer                                                                                              *)
(* ----------------------------------------------------------------------------------------------------- *)
Section Layer.
Variables (R : realType) (H d dh dv do dout : nat).

(* one index for each parameter                                                                          *)
Definition params : finType := [finType of
  'I_H * 'I_d * 'I_dh + ('I_H * 'I_d * 'I_dh + ('I_H * 'I_d * 'I_dv + ('I_(H * dv) * 'I_do + 'I_do * 'I_dout)))%type].

Lemma card_params : #|params| = num_params H d dh dv do dout.
Proof. by rewrite !card_sum !card_prod !card_ord /num_params !mulnDr !mulnA !addnA. Qed.

Definition layer_of_params (x : params -> R) : weights R H d dh dv do dout :=
  Weights (fun h => \matrix_(i, j) x (inl (h, i, j)))
          (fun h => \matrix_(i, j) x (inr (inl (h, i, j))))
          (fun h => \matrix_(i, j) x (inr (inr (inl (h, i, j)))))
          (\matrix_(i, j) x (inr (inr (inr (inl (i, j))))))
          (\matrix_(i, j) x (inr (inr (inr (inr (i, j)))))).

Lemma layer_of_params_onto (P : weights R H d dh dv do dout) : exists x, layer_of_params x = P.
Proof.
case: P => K Q V O D; exists (fun i => match i with
  | inl (h, i, j) => K h i j
  | inr (inl (h, i, j)) => Q h i j
  | inr (inr (inl (h, i, j))) => V h i j
  | inr (inr (inr (inl (i, j)))) => O i j
  | inr (inr (inr (inr (i, j)))) => D i j end).
rewrite /layer_of_params; congr Weights; try (apply/funext => h); apply/matrixP => i j; exact: mxE.
Qed.

Lemma predict_lipschitz n (E : 'M[R]_(n, d)) (e : 'cV[R]_d) :
  loc_lipschitz_mx (fun x => predict (layer_of_params x) E e).
Proof.
have entries m k (g : 'I_m -> 'I_k -> params) :
    loc_lipschitz_mx (fun x : params -> R => \matrix_(i, j) x (g i j)).
  move=> i j; rewrite (_ : (fun x => _) = fun x => x (g i j)); first exact: loc_lipschitz_param.
  by apply/funext => x; rewrite mxE.
apply: loc_lipschitz_mulmx; first by apply: loc_lipschitz_trmx; apply: entries.
apply: loc_lipschitz_mulmx; first by apply: loc_lipschitz_trmx; apply: entries.
apply: loc_lipschitz_stack => h; apply: loc_lipschitz_mulmx.
  by apply: loc_lipschitz_trmx; apply: entries.
apply: loc_lipschitz_mulmx; first exact: loc_lipschitz_mx_const.
apply: loc_lipschitz_softmax; apply: loc_lipschitz_mulmx.
  by apply: loc_lipschitz_mulmx; [apply: loc_lipschitz_mx_const|apply: entries].
apply: loc_lipschitz_mulmx; last exact: loc_lipschitz_mx_const.
by apply: loc_lipschitz_trmx; apply: entries.
Qed.

Section Data.
Variables (T n : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

(* more label entries than parameters: some labels are out of reach, whatever the data                   *)
Theorem labels_not_memorized : (num_params H d dh dv do dout < T * dout)%N ->
  exists y : 'I_T -> 'cV[R]_dout,
    forall P : weights R H d dh dv do dout, ~ memorizes E e P y.
Proof.
move=> NT; pose J := [finType of 'I_T * 'I_dout].
pose F (x : params -> R) (j : J) : R := predict (layer_of_params x) (E j.1) (e j.1) j.2 0.
have [||y yP] := @not_all_values_taken R params J F.
- by move=> j; apply: predict_lipschitz.
- by rewrite card_params card_prod !card_ord.
exists (fun t => \col_o y (t, o)) => P; have [x <-] := layer_of_params_onto P => mem.
by have [[t o]] := yP x; rewrite /F /= mem mxE eqxx.
Qed.

Theorem parameter_upper_bound :
    (forall y : 'I_T -> 'cV[R]_dout, exists P : weights R H d dh dv do dout, memorizes E e P y) ->
  (T * dout <= num_params H d dh dv do dout)%N.
Proof.
move=> all_mem; rewrite leqNgt; apply/negP => /labels_not_memorized[y no].
by have [P /no] := all_mem y.
Qed.

End Data.
End Layer.

(* ----------------------------------------------------------------------------------------------------- *)
(* The three settings after Theorem 1                                                                     *)
(* ----------------------------------------------------------------------------------------------------- *)
Section Settings.
Variables (R : realType) (H n d : nat).
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis n_le_d : (n <= d)%N.

(* every data set of at most H (n - 1) + 1 examples that satisfies Assumptions 1 and 2 is memorized        *)
Definition memorizes_all (dh dv do dout : nat) : Prop :=
  forall T (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (y : 'I_T -> 'cV[R]_dout),
    Assumption1 n e -> Assumption2 E -> (T <= H * (n - 1) + 1)%N ->
  exists P : weights R H d dh dv do dout, memorizes E e P y.

Lemma memorizes_all_dh dh dv do dout : (n <= dh)%N -> (dout <= dv)%N -> (dout <= do)%N ->
  memorizes_all dh dv do dout.
Proof.
move=> ndh dv_ do_ T E e y A1 A2 TH; apply: theorem_1 => //.
by rewrite (minn_idPl ndh).
Qed.

Let d_gt0 : (0 < d)%N. Proof. exact: leq_trans n_le_d. Qed.

(* d_h = d_v = d, scalar labels: Theta (H d^2) parameters                                                 *)
Theorem setting_1 : memorizes_all d d d 1 /\
  (2 * (H * d ^ 2) <= num_params H d d d d 1 <= 6 * (H * d ^ 2))%N.
Proof.
split; first exact: memorizes_all_dh.
have /andP[lo hi] := @theorem_1_params H d d d d 1 H_gt0 (leqnn d) d_gt0.
have E2 : (H * d * (d + d) = 2 * (H * d ^ 2))%N by rewrite addnn -muln2 -mulnn; lia.
by move: lo hi; rewrite E2 => -> /leq_trans -> //; rewrite mulnA.
Qed.

(* d_h = n, d_v = 1, scalar labels: Theta (H n d) parameters                                              *)
Theorem setting_2 : memorizes_all n 1 1 1 /\
  (H * d * n <= num_params H d n 1 1 1 <= 6 * (H * d * n))%N.
Proof.
split; first exact: memorizes_all_dh.
have /andP[lo hi] := @theorem_1_params H d n 1 1 1 H_gt0 d_gt0 (leqnn 1).
apply/andP; split; first by apply: leq_trans lo; rewrite leq_mul2l leq_addr orbT.
apply: leq_trans hi _; rewrite (_ : (6 * (H * d * n) = 3 * (H * d * (2 * n)))%N); last by lia.
by rewrite !leq_mul2l; apply/orP; right; apply/orP; right; lia.
Qed.

(* d-dimensional labels, d_h = d_v = d: if d <= c n then the (H (n - 1) + 1) d real numbers that are        *)
(* memorized are a constant fraction of the Theta (H d^2) parameters, and no layer with so many parameters *)
(* memorizes more numbers than it has parameters                                                         *)
Theorem setting_3_order_optimal c : (1 < n)%N -> (d <= c * n)%N ->
  [/\ memorizes_all d d d d,
      (2 * (H * d ^ 2) <= num_params H d d d d d <= 6 * (H * d ^ 2))%N,
      (num_params H d d d d d <= 12 * c * ((H * (n - 1) + 1) * d))%N &
      forall T (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d),
        (forall y : 'I_T -> 'cV[R]_d, exists P : weights R H d d d d d, memorizes E e P y) ->
        (T * d <= num_params H d d d d d)%N].
Proof.
move=> n1 dcn; have /andP[lo hi] := @theorem_1_params H d d d d d H_gt0 (leqnn d) (leqnn d).
have E2 : (H * d * (d + d) = 2 * (H * d ^ 2))%N by rewrite addnn -muln2 -mulnn; lia.
rewrite E2 in lo hi; have hi6 : (num_params H d d d d d <= 6 * (H * d ^ 2))%N.
  by apply: leq_trans hi _; rewrite mulnA.
split; [exact: memorizes_all_dh|by rewrite lo hi6| |by move=> T E e; apply: parameter_upper_bound].
apply: leq_trans hi6 _; rewrite -mulnn.
apply: (@leq_trans (6 * (H * (c * n * d)))); first by rewrite !leq_mul2l leq_mul2r dcn !orbT.
have -> : (6 * (H * (c * n * d)) = 6 * c * (H * n) * d)%N by lia.
have -> : (12 * c * ((H * (n - 1) + 1) * d) = 6 * c * (2 * (H * (n - 1) + 1)) * d)%N by lia.
rewrite leq_mul2r leq_mul2l; apply/orP; right; apply/orP; right.
apply: (@leq_trans (2 * (H * (n - 1)))); last by rewrite leq_mul2l leq_addr orbT.
by rewrite mulnCA leq_mul2l; apply/orP; right; lia.
Qed.

End Settings.

Notation capacity_full_width := setting_1 (only parsing).
Notation capacity_narrow := setting_2 (only parsing).
Notation capacity_vector_labels_optimal := setting_3_order_optimal (only parsing).

(* ====================================================================================================== *)
(* Equal numbers of parameters                                                                            *)
(* ====================================================================================================== *)
(* The comparison after Proposition 3, for equal numbers of parameters.  A two-layer ReLU network with m  *)
(* neurons on the n d + d numbers of an example has m (n d + d + 2) parameters.  If these are not more    *)
(* than those of an attention layer with d_h = d_v = d and scalar labels (Theta (H d^2)) then some data   *)
(* set of m (d + 1) + 1 examples that satisfies Assumptions 1 and 2 is not memorized by any such network, *)
(* and m (d + 1) is at most 12 H d^2 / (n + 1), so at most 12 c^2 H n if d <= c n; the attention layer    *)
(* memorizes all such data sets of H (n - 1) + 1 examples.                                                *)

Definition relu_params (m D : nat) : nat := (m * (D + 2))%N.

Theorem equal_parameters (R : realType) (H n d m : nat) :
    (0 < H)%N -> (0 < n)%N -> (n <= d)%N ->
    (relu_params m (n * d + d) <= num_params H d d d d 1)%N ->
  [/\ memorizes_all R H n d d d d 1,
      exists E : 'I_(m * (d + 1) + 1) -> 'M[R]_(n, d), exists e : 'I_(m * (d + 1) + 1) -> 'cV[R]_d,
        exists y : 'I_(m * (d + 1) + 1) -> R,
        [/\ Assumption1 n e, Assumption2 E &
          forall a (w : 'I_m -> 'rV[R]_(n * d + d)) b,
            ~ (forall t, relu_net a w b (flat (E t) (e t)) = y t)],
      (m * (d + 1) * (n + 1) <= 12 * (H * d ^ 2))%N &
      forall c, (d <= c * n)%N -> (m * (d + 1) <= 12 * c ^ 2 * (H * n))%N].
Proof.
move=> H0 n0 nd few; have d0 : (0 < d)%N by apply: leq_trans nd.
have [mem /andP[_ hi]] := setting_1 R H0 n0 nd.
have m_few : (m * (n + 1) <= 6 * (H * d))%N.
  rewrite -(leq_pmul2r d0); apply: leq_trans (_ : _ <= relu_params m (n * d + d))%N _.
    by rewrite /relu_params -mulnA leq_mul2l mulnDl mul1n leq_addr orbT.
  by apply: leq_trans few _; apply: leq_trans hi _; rewrite -mulnn !mulnA.
have d2 : (d + 1 <= 2 * d)%N by lia.
split=> //; first by apply: proposition_3 => //; rewrite [X in (_ < X)%N]addn1.
  apply: (@leq_trans (2 * d * (m * (n + 1)))).
    by rewrite -mulnA mulnCA leq_mul2r d2 orbT.
  apply: (@leq_trans (2 * d * (6 * (H * d)))); first by rewrite leq_mul2l m_few orbT.
  by rewrite -mulnn; lia.
move=> c dcn; apply: (@leq_trans (2 * d * m)); first by rewrite mulnC leq_mul2r d2 orbT.
apply: (@leq_trans (2 * (c * n) * m)); first by rewrite leq_mul2r leq_mul2l dcn !orbT.
apply: (@leq_trans (2 * c * (m * (n + 1)))).
  rewrite (_ : (2 * (c * n) * m = 2 * c * (m * n))%N); last by lia.
  by rewrite leq_mul2l leq_mul2l leq_addr !orbT.
apply: (@leq_trans (2 * c * (6 * (H * d)))); first by rewrite leq_mul2l m_few orbT.
apply: (@leq_trans (2 * c * (6 * (H * (c * n))))); first by rewrite !leq_mul2l dcn !orbT.
by rewrite -mulnn; lia.
Qed.
