(* The proved checker, interval arithmetic: integers that enclose real numbers over the denominator K = 2^point of a *)
(* precision, for vectors that go through layers.                                                                     *)
(*                                                                                                                    *)
(*    within_iv v x == K v is inside x                                                                                      *)
(*    iv_times, iv_dot == products, scalar products                                                                   *)
(*    lowered q x == from the denominator K q to K                                                                      *)
(*    iv_inverse, iv_root == inverses and square roots                                                                *)
(*    iv_softmax, iv_logistic == coefficients of softmax, 1 / (1 + exp (- y))                                            *)
From Attest Require Import integers attention literal_arithmetic enclosures.

Local Notation Z := BinNums.Z.

Section Compute.
Variables (p : precision) (gs : seq digit).  (* gs: digits_of p *)
Let K : Z := Zpos (denominator p).
Let M : Z := Zpos (fine p).

Definition lowered (q : positive) (x : Z * Z) : Z * Z := (x.1 / Zpos q, ceil_div x.2 (Zpos q))%coqZ.

Definition iv_times (x y : Z * Z) : Z * Z :=
  let a := (x.1 * y.1)%coqZ in let b := (x.1 * y.2)%coqZ in let c := (x.2 * y.1)%coqZ in let e := (x.2 * y.2)%coqZ in
  (shift_down (binary_point p) (Z.min (Z.min a b) (Z.min c e)), shift_up (binary_point p) (Z.max (Z.max a b) (Z.max c e))).

Definition iv_dot (v w : seq (Z * Z)) : Z * Z := foldr (fun x s => plus (iv_times x.1 x.2) s) (0, 0)%coqZ (zip v w).

(* of a number above 0, and of one from 0 on                                       *)
Definition iv_inverse (y : Z * Z) : Z * Z := (K * K / y.2, ceil_div (K * K) y.1)%coqZ.
Definition iv_root (x : Z * Z) : Z * Z := (Z.sqrt (K * x.1), Z.sqrt (K * x.2) + 1)%coqZ.

(* M exp (- r / K), r >= 0                                                       *)
Definition exp_minus (r : Z) : Z * Z :=
  let limit := (255 * K)%coqZ in
  let e := exp_by (finest p) M (Zpos (two_power (guard p))) gs (Z.min limit r) in
  (if (r <=? limit)%coqZ then e.1 else 0%coqZ, e.2).

Definition iv_softmax (l : seq (Z * Z)) : seq (Z * Z) :=
  let top := maximum (unzip2 l) in
  let powers := [seq ((exp_minus (top - x.1)).1, (exp_minus (top - x.2)).2)%coqZ | x <- l] in
  let low := total_of (unzip1 powers) in let high := total_of (unzip2 powers) in
  if (0 <? low)%coqZ && (0 <? high)%coqZ then
    [seq (x.1 * K / high, ceil_div (x.2 * K) low)%coqZ | x <- powers]
  else [seq (0%coqZ, K) | _ <- l].

(* at a number, which is over K                                                   *)
Definition logistic_at (r : Z) : Z * Z :=
  let e := exp_minus (Z.abs r) in
  let low := (K * M / (M + e.2))%coqZ in let high := ceil_div (K * M) (M + e.1)%coqZ in
  if (0 <=? r)%coqZ then (low, high) else (K - high, K - low)%coqZ.
Definition iv_logistic (x : Z * Z) : Z * Z := ((logistic_at x.1).1, (logistic_at x.2).2).

(* the mean of rows with coefficients                                              *)
Definition iv_combination (w : nat) (c : seq (Z * Z)) (rows : seq (seq (Z * Z))) : seq (Z * Z) :=
  foldr (fun x s => [seq plus (iv_times x.1 y.1) y.2 | y <- zip x.2 s]) (nseq w (0, 0)%coqZ) (zip c rows).

End Compute.

(* -------------------------------------------------------------------------- *)
(* Meaning                                                                     *)
(* -------------------------------------------------------------------------- *)
Section Meaning.
Variables (R : realType) (p : precision).
Let gs := digits_of p.
Local Notation z := (toF R).
Local Notation K := (z (Zpos (denominator p))).
Local Notation M := (z (Zpos (fine p))).
Let K0 : 0 < K. Proof. exact: toFp_gt0. Qed.
Let M0 : 0 < M. Proof. exact: toFp_gt0. Qed.
Let Kn := lt0r_neq0 K0.

Definition within_iv (v : R) (x : Z * Z) : Prop := inside (K * v) x.

Lemma toF_min a b : z (Z.min a b) = Num.min (z a) (z b).
Proof.
have [[ab ->]|[ab ->]] := Z.min_spec a b; first by rewrite min_l // toF_leq //; lia.
by rewrite min_r // toF_leq.
Qed.
Lemma toF_max a b : z (Z.max a b) = Num.max (z a) (z b).
Proof.
have [[ab ->]|[ab ->]] := Z.max_spec a b; first by rewrite max_r // toF_leq //; lia.
by rewrite max_l // toF_leq.
Qed.

Lemma inside_lowered q (x : R) s : inside (x * z (Zpos q)) s -> inside x (lowered q s).
Proof.
move=> /andP[low high]; have q0 := toFp_gt0 R q; apply/andP; split.
  by apply: le_trans (floor_leq _ _ _) _ => //; rewrite ler_pdivr_mulr.
by apply: le_trans _ (ceil_geq _ _ _) => //; rewrite ler_pdivl_mulr.
Qed.

(* x y lies between the products of the ends                                       *)
Lemma between_ends (l u x y : R) : l <= x <= u -> Num.min (l * y) (u * y) <= x * y <= Num.max (l * y) (u * y).
Proof.
move=> /andP[lx xu]; have [y0|y0] := leP 0 y.
  by rewrite le_minl le_maxr (ler_wpmul2r y0 lx) (ler_wpmul2r y0 xu) orbT.
by rewrite le_minl le_maxr (ler_wnmul2r (ltW y0) lx) (ler_wnmul2r (ltW y0) xu) orbT.
Qed.

Lemma corners (l u l' u' x y : R) : l <= x <= u -> l' <= y <= u' ->
  Num.min (Num.min (l * l') (l * u')) (Num.min (u * l') (u * u')) <= x * y <=
  Num.max (Num.max (l * l') (l * u')) (Num.max (u * l') (u * u')).
Proof.
move=> X Y; have /andP[a b] := between_ends y X.
have /andP[c e] := between_ends l Y; have /andP[f g] := between_ends u Y.
rewrite ![_ * l]mulrC in c e; rewrite ![_ * u]mulrC in f g.
apply/andP; split.
  apply: le_trans a; rewrite le_minr; apply/andP; split.
    by apply: le_trans c; rewrite le_minl lexx.
  by apply: le_trans f; rewrite le_minl lexx orbT.
apply: le_trans b _; rewrite le_maxl; apply/andP; split.
  by apply: le_trans e _; rewrite le_maxr lexx.
by apply: le_trans g _; rewrite le_maxr lexx orbT.
Qed.

Lemma near_timesP v w x y : within_iv v x -> within_iv w y -> within_iv (v * w) (iv_times p x y).
Proof.
move=> vx wy; have := corners vx wy; rewrite -!toFM -!toF_min -!toF_max.
have -> : K * v * (K * w) = K * (v * w) * K by ring.
rewrite /within_iv /iv_times => /andP[low high]; apply/andP; split.
  by apply: le_trans (shift_down_leq _ _ _) _; rewrite -two_powerE ler_pdivr_mulr.
by apply: le_trans _ (shift_up_geq _ _ _); rewrite -two_powerE ler_pdivl_mulr.
Qed.

Lemma near_plus v w x y : within_iv v x -> within_iv w y -> within_iv (v + w) (plus x y).
Proof. by rewrite /within_iv mulrDr; apply: inside_plus. Qed.

Lemma near0 : within_iv 0 (0, 0)%coqZ.
Proof. by rewrite /within_iv mulr0 /inside /= toF0 lexx. Qed.

Lemma near_dot n (v w : 'I_n -> R) s t : size s = n -> size t = n ->
  (forall i, within_iv (v i) (nth (0, 0)%coqZ s i)) -> (forall i, within_iv (w i) (nth (0, 0)%coqZ t i)) ->
  within_iv (\sum_i v i * w i) (iv_dot p s t).
Proof.
elim: n v w s t => [|n IH] v w [|x s] [|y t] //=; first by rewrite big_ord0 => *; apply: near0.
move=> [ss] [st] vs wt; rewrite big_ord_recl; apply: near_plus; first by apply: near_timesP; [apply: (vs ord0)|apply: (wt ord0)].
by apply: IH => // i; [apply: (vs (lift ord0 i))|apply: (wt (lift ord0 i))].
Qed.

(* --- inverses and square roots *)
Let posZ a : 0 < z a -> (0 < a)%coqZ. Proof. by move=> za; apply/Z.ltb_lt; apply/(toF_ltP R); rewrite toF0. Qed.
Let geZ a : (0 <= a)%coqZ -> 0 <= z a. Proof. by move=> a0; rewrite -(toF0 R); apply: toF_leq. Qed.

Lemma near_inverse w y : (0 < y.1)%coqZ -> within_iv w y -> within_iv w^-1 (iv_inverse p y).
Proof.
move=> y0 /andP[yl yh]; have zy1 : 0 < z y.1 by rewrite -(toF0 R); apply: toF_lt.
have KwV : 0 < K * w by apply: lt_le_trans yl.
have zy2 : 0 < z y.2 by apply: lt_le_trans KwV yh.
have E : K * w^-1 = K * K / (K * w) by rewrite -mulf_div divff // mul1r.
have KK : 0 <= K * K by rewrite mulr_ge0 // ltW.
rewrite /within_iv E /iv_inverse; apply/andP; rewrite [X in z X <= _]/fst [X in _ <= z X]/snd; split.
  apply: le_trans (floor_leq _ _ (posZ zy2)) _; rewrite toFM.
  by apply: ler_wpmul2l => //; rewrite lef_pinv.
apply: le_trans _ (ceil_geq _ _ y0); rewrite toFM.
by apply: ler_wpmul2l => //; rewrite lef_pinv.
Qed.

Lemma near_root (v : R) x : (0 <= x.1)%coqZ -> within_iv v x -> within_iv (Num.sqrt v) (iv_root p x).
Proof.
move=> x0 /andP[xl xh]; have zx := geZ x0.
have v0 : 0 <= v by rewrite -(pmulr_rge0 _ K0) (le_trans zx).
have KE : (K * Num.sqrt v) ^+ 2 = K * (K * v) by rewrite exprMn sqr_sqrtr // expr2 mulrA.
have y0 : 0 <= K * Num.sqrt v by rewrite mulr_ge0 ?sqrtr_ge0 // ltW.
have x2 : (0 <= x.2)%coqZ by apply: (Z.le_trans _ x.1) => //; apply/Z.leb_le/(toF_leP R)/(le_trans xl).
have dp : (0 <= Zpos (denominator p))%coqZ by [].
have N1 := Z.mul_nonneg_nonneg _ _ dp x0; have N2 := Z.mul_nonneg_nonneg _ _ dp x2.
have [l1 _] := Z.sqrt_spec _ N1; have [_ h2] := Z.sqrt_spec _ N2.
have s1 := Z.sqrt_nonneg (Zpos (denominator p) * x.1); have s2 := Z.sqrt_nonneg (Zpos (denominator p) * x.2).
have s3 : (0 <= Z.sqrt (Zpos (denominator p) * x.2) + 1)%coqZ by move: s2; clear; lia.
rewrite /within_iv /iv_root; apply/andP; rewrite [X in z X <= _]/fst [X in _ <= z X]/snd; split.
  rewrite -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?(geZ s1) // KE expr2 -toFM.
  by apply: le_trans (toF_leq _ l1) _; rewrite toFM ler_pmul2l.
rewrite -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?(geZ s3) // KE expr2 -toFM.
apply: le_trans (toF_leq _ (Z.lt_le_incl _ _ h2)); by rewrite toFM ler_pmul2l.
Qed.

(* --- exp *)
Lemma exp_minusP r (x := exp_minus p gs r) : (0 <= r)%coqZ -> (0 <= x.1)%coqZ /\ inside (M * expR (- (z r / K))) x.
Proof.
move=> r0; rewrite {}/x /exp_minus; set lim := (255 * _)%coqZ; set e := exp_by _ _ _ _ _.
have l0 : (0 <= Z.min lim r)%coqZ by rewrite /lim; lia.
have [e0 /andP[el eh]] : fine_inside p (power_of R p (Z.min lim r)) e by apply: exp_byP l0 => g; apply: digits_ofP.
clearbody e; rewrite /= /power_of in el eh *.
have le : z (Z.min lim r) <= z r by apply: toF_leq; lia.
have E0 : 0 <= M * expR (- (z r / K)) by rewrite mulr_ge0 ?ltW ?expR_gt0.
split; first by case: ifP.
apply/andP; split=> /=.
  by case: ifP => [/Z.leb_le rl|_]; [rewrite Z.min_r in el|rewrite toF0].
apply: le_trans eh; rewrite ler_pmul2l // ler_expR ler_opp2 ler_pmul2r ?invr_gt0 //.
Qed.

Lemma exp_minus_between (y : R) a b : (0 <= a)%coqZ -> z a <= K * y <= z b ->
  inside (M * expR (- y)) ((exp_minus p gs b).1, (exp_minus p gs a).2) /\ (0 <= (exp_minus p gs b).1)%coqZ.
Proof.
move=> a0 /andP[ay yb]; have b0 : (0 <= b)%coqZ.
  by apply: (Z.le_trans _ a) => //; apply/Z.leb_le/(toF_leP R)/(le_trans ay yb).
have [_ /andP[_ ah]] := exp_minusP a0; have [bp /andP[bl _]] := exp_minusP b0; split=> //.
apply/andP; split=> /=.
  by apply: le_trans bl _; rewrite ler_pmul2l // ler_expR ler_opp2 ler_pdivl_mulr // mulrC.
by apply: le_trans _ ah; rewrite ler_pmul2l // ler_expR ler_opp2 ler_pdivr_mulr // mulrC.
Qed.

(* --- softmax *)
Lemma size_iv_softmax l : size (iv_softmax p gs l) = size l.
Proof. by rewrite /iv_softmax; case: ifP; rewrite !size_map. Qed.

Lemma near_softmax n (v : 'cV[R]_n) l : size l = n -> (forall i, within_iv (v i 0) (nth (0, 0)%coqZ l i)) ->
  forall i, within_iv (softmax v i 0) (nth (0, 0)%coqZ (iv_softmax p gs l) i).
Proof.
move=> sl vl i; have n0 : (0 < n)%N by apply: leq_trans (ltn_ord i).
rewrite /iv_softmax; set top := maximum _.
set P := [seq ((exp_minus p gs (top - x.1)).1, (exp_minus p gs (top - x.2)).2)%coqZ | x <- l].
pose E (j : 'I_n) := expR (- (z top / K - v j 0)).
have E0 j : 0 < E j := expR_gt0 _.
have softE : softmax v i 0 = E i / \sum_j E j.
  have e j : expR (v j 0) = expR (z top / K) * E j by rewrite -expRD; congr expR; ring.
  rewrite mxE e (eq_bigr _ (fun j _ => e j)) -mulr_sumr invfM mulrACA divff ?mul1r //.
  exact/lt0r_neq0/expR_gt0.
have S0 : 0 < \sum_j E j by rewrite (bigD1 i) //= ltr_paddr // sumr_ge0 // => j _; apply: ltW.
have PP (j : 'I_n) : inside (M * E j) (nth (0, 0)%coqZ P j) /\ 0 <= z (nth (0, 0)%coqZ P j).1.
  have jl : (j < size l)%N by rewrite sl.
  rewrite /P (nth_map (0, 0)%coqZ) //; have := vl j; set x := nth _ l _ => /andP[xl xh].
  have tx : (x.2 <= top)%coqZ.
    have := @maximum_leq (unzip2 l) j; rewrite size_map => /(_ jl); rewrite (nth_map (0, 0)%coqZ) //.
  have a0 : (0 <= top - x.2)%coqZ by lia.
  have between : z (top - x.2)%coqZ <= K * (z top / K - v j 0) <= z (top - x.1)%coqZ.
    by rewrite mulrBr mulrCA divff // mulr1 !toFB; apply/andP; split; apply: ler_sub.
  have [ins b0] := exp_minus_between a0 between.
  by split; [exact: ins|rewrite -(toF0 R); apply: toF_leq].
have sP : size P = n by rewrite size_map.
have lowE : z (total_of (unzip1 P)) = \sum_(j < n) z (nth (0, 0)%coqZ P j).1.
  by rewrite total_ofE size_map sP; apply: eq_bigr => j _; rewrite (nth_map (0, 0)%coqZ) ?sP.
have highE : z (total_of (unzip2 P)) = \sum_(j < n) z (nth (0, 0)%coqZ P j).2.
  by rewrite total_ofE size_map sP; apply: eq_bigr => j _; rewrite (nth_map (0, 0)%coqZ) ?sP.
have lowP : z (total_of (unzip1 P)) <= M * \sum_j E j.
  by rewrite lowE mulr_sumr; apply: ler_sum => j _; case: (PP j) => /andP[].
have highP : M * (\sum_j E j) <= z (total_of (unzip2 P)).
  by rewrite highE mulr_sumr; apply: ler_sum => j _; case: (PP j) => /andP[].
set S := \sum_j E j in S0 lowP highP softE; have MS : 0 < M * S by rewrite mulr_gt0.
have aE : softmax v i 0 = M * E i / (M * S).
  by rewrite softE invfM mulrACA divff ?mul1r // lt0r_neq0.
rewrite /within_iv; case: ifP => [/andP[/Z.ltb_lt low0 /Z.ltb_lt high0]|_]; last first.
  rewrite (nth_map (0, 0)%coqZ) ?sl // /inside /= toF0 softE; apply/andP; split.
    by rewrite mulr_ge0 ?(ltW K0) // divr_ge0 // ltW.
  rewrite -[X in _ <= X]mulr1 ler_pmul2l // ler_pdivr_mulr // mul1r /S (bigD1 i) //=.
  by rewrite ler_addl sumr_ge0 // => j _; apply: ltW.
have [/andP[Plow Phigh] Pge] := PP i.
have zlow : 0 < z (total_of (unzip1 P)) by rewrite -(toF0 R); apply: toF_lt.
have zhigh : 0 < z (total_of (unzip2 P)) by rewrite -(toF0 R); apply: toF_lt.
rewrite (nth_map (0, 0)%coqZ) ?sP // /inside /= aE mulrA; apply/andP; split.
  apply: le_trans (floor_leq _ _ _) _ => //; rewrite toFM [z _.1 * _]mulrC; apply: ler_pmul.
  - by rewrite mulr_ge0 // ltW.
  - by rewrite invr_ge0 ltW.
  - by rewrite ler_pmul2l.
  by rewrite lef_pinv.
apply: le_trans _ (ceil_geq _ _ low0); rewrite toFM [z _.2 * _]mulrC; apply: ler_pmul.
- by apply/ltW; rewrite !mulr_gt0.
- by rewrite invr_ge0 ltW.
- by rewrite ler_pmul2l.
by rewrite lef_pinv.
Qed.

(* --- the logistic function *)
Definition logistic_value (y : R) : R := (1 + expR (- y))^-1.

Lemma logistic_gt0 y : 0 < 1 + expR (- y) :> R. Proof. by rewrite ltr_paddr // ?ltW ?expR_gt0. Qed.
Lemma logistic_leq y y' : y <= y' -> logistic_value y <= logistic_value y'.
Proof. by move=> yy; rewrite lef_pinv ?posrE ?logistic_gt0 // ler_add2l ler_expR ler_opp2. Qed.
Lemma logistic_valueN y : logistic_value (- y) = 1 - logistic_value y.
Proof.
rewrite /logistic_value opprK; have := expR_gt0 y; rewrite expRN; move: (expR y) => e e0.
by field; rewrite !gt_eqF // addr_gt0.
Qed.

Lemma logistic_atP r : inside (K * logistic_value (z r / K)) (logistic_at p gs r).
Proof.
rewrite /logistic_at; have [e0 ins] := exp_minusP (Z.abs_nonneg r); move: e0 ins; set e := exp_minus _ _ _ => e0.
set y := z (Z.abs r) / K; move=> /andP[el eh].
have ze : 0 <= z e.1 by rewrite -(toF0 R); apply: toF_leq.
have LE : K * logistic_value y = K * M / (M + M * expR (- y)).
  rewrite /logistic_value -{2}[M]mulr1 -mulrDr invfM mulrA mulfK ?lt0r_neq0 //.
have low : z (Zpos (denominator p) * Zpos (fine p) / (Zpos (fine p) + e.2))%coqZ <= K * logistic_value y.
  have d0 : 0 < z (Zpos (fine p) + e.2)%coqZ by rewrite toFD ltr_paddr // (le_trans ze) // (le_trans el).
  apply: le_trans (floor_leq _ _ (posZ d0)) _; rewrite LE !toFM; apply: ler_wpmul2l; first by rewrite mulr_ge0 // ltW.
  by rewrite lef_pinv ?posrE //; [rewrite toFD ler_add2l|rewrite ltr_paddr // mulr_ge0 ?ltW ?expR_gt0].
have high : K * logistic_value y <= z (ceil_div (Zpos (denominator p) * Zpos (fine p)) (Zpos (fine p) + e.1))%coqZ.
  have d0 : 0 < z (Zpos (fine p) + e.1)%coqZ by rewrite toFD ltr_paddr.
  apply: le_trans _ (ceil_geq _ _ (posZ d0)); rewrite LE !toFM; apply: ler_wpmul2l; first by rewrite mulr_ge0 // ltW.
  by rewrite lef_pinv ?posrE //; [rewrite toFD ler_add2l|rewrite ltr_paddr // mulr_ge0 ?ltW ?expR_gt0].
case: ifP => r0; first by have -> : z r / K = y by [rewrite /y Z.abs_eq //; apply/Z.leb_le]; apply/andP.
have -> : z r / K = - y by rewrite /y Z.abs_neq ?toFN ?mulNr ?opprK //; move/Z.leb_gt: r0; clear; lia.
rewrite logistic_valueN mulrBr mulr1; apply/andP; rewrite [X in z X <= _]/fst [X in _ <= z X]/snd !toFB.
by split; apply: ler_sub.
Qed.

Lemma near_logistic y x : within_iv y x -> within_iv (logistic_value y) (iv_logistic p gs x).
Proof.
move=> /andP[xl xh]; have /andP[low _] := logistic_atP x.1; have /andP[_ high] := logistic_atP x.2.
apply/andP; split.
  by apply: le_trans low _; rewrite ler_pmul2l //; apply: logistic_leq; rewrite ler_pdivr_mulr // mulrC.
by apply: le_trans _ high; rewrite ler_pmul2l //; apply: logistic_leq; rewrite ler_pdivl_mulr // mulrC.
Qed.

(* --- rows *)
Lemma size_iv_combination w c rows : all (fun r => size r == w) rows -> size (iv_combination p w c rows) = w.
Proof.
rewrite /iv_combination; elim: c rows => [|x c IH] [|r rows] //=; rewrite ?size_nseq // => /andP[/eqP sr /IH sw].
by rewrite size_map size_zip sr sw minnn.
Qed.

Lemma near_combination w n (c : 'I_n -> R) (X : 'I_n -> 'rV[R]_w) s rows (k : 'I_w) :
    size s = n -> size rows = n -> all (fun r => size r == w) rows ->
    (forall i, within_iv (c i) (nth (0, 0)%coqZ s i)) ->
    (forall i k, within_iv (X i 0 k) (nth (0, 0)%coqZ (nth [::] rows i) k)) ->
  within_iv (\sum_i c i * X i 0 k) (nth (0, 0)%coqZ (iv_combination p w s rows) k).
Proof.
elim: n c X s rows => [|n IH] c X [|x s] [|r rows] //=; first by rewrite big_ord0 nth_nseq ltn_ord => *; apply: near0.
move=> [ss] [sr] /andP[/eqP swr rw] cs Xr; rewrite big_ord_recl.
have sc := size_iv_combination s rw; rewrite /iv_combination /= -/(iv_combination p w s rows).
rewrite (nth_map ((0, 0), (0, 0))%coqZ) ?size_zip ?swr ?sc ?minnn // nth_zip ?swr ?sc //=.
apply: near_plus; first by apply: near_timesP; [apply: (cs ord0)|apply: (Xr ord0)].
by apply: (IH (fun i => c (lift ord0 i)) (fun i => X (lift ord0 i))) => // i; [apply: (cs (lift ord0 i))|apply: (Xr (lift ord0 i))].
Qed.

End Meaning.
