(* The proved checker, interval arithmetic, for vectors that go through layers, and matrices of              *)
(* intervals that are invertible.                                                                            *)
(*                                                                                                           *)
(*                  within_iv v x == K v is inside x                                                         *)
(*               iv_times, iv_dot == products, scalar products                                               *)
(*                    lowered q x == from the denominator K q to K                                           *)
(*            iv_inverse, iv_root == inverses and square roots                                               *)
(*        iv_softmax, iv_logistic == coefficients of softmax, 1 / (1 + exp (- y))                            *)
(*              enclosed_mx s A Z == the entries of s A are inside those of Z, rows of pairs of integers     *)
(*   defect one cols widths w i r == the bound of one |I - R A|_i w, of row r of R in integers over a        *)
(*                                   denominator                                                             *)
(*           defects_of q s Z w R == the bounds of all rows                                                  *)
(*                    defects_leq == they are bounds; defects_unit == A is invertible when each is below one *)
(*                                   w_i                                                                     *)
From Attest Require Import integers attention common kruskal literal_arithmetic logits enclosures.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Interval arithmetic                                                          *)
(* ============================================================================ *)
(* Integers that enclose real numbers over the denominator K = 2^point of a     *)
(* precision, for vectors that go through layers.                               *)

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

(* M exp (- r / K), r >= 0: the tables go to 255 K, and what is beyond is a square       *)
Definition table_end : Z := (255 * K)%coqZ.
Definition exp_in_table (r : Z) : Z * Z := exp_by (finest p) M (Zpos (two_power (guard p))) gs r.
Fixpoint exp_low (k : nat) (r : Z) : Z :=
  if (r <=? table_end)%coqZ then (exp_in_table r).1
  else if k is k'.+1 then let l := exp_low k' (ceil_div r 2) in (l * l / M)%coqZ else 0%coqZ.
Fixpoint exp_high (k : nat) (r : Z) : Z :=
  if (r <=? table_end)%coqZ then (exp_in_table r).2
  else if k is k'.+1 then let h := exp_high k' (r / 2)%coqZ in ceil_div (h * h) M else (exp_in_table table_end).2.
Definition exp_minus (r : Z) : Z * Z := if (r <=? table_end)%coqZ then exp_in_table r else (exp_low 8 r, exp_high 8 r).

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
Lemma exp_in_tableP r (x := exp_in_table p gs r) : (0 <= r)%coqZ -> (0 <= x.1)%coqZ /\ inside (M * expR (- (z r / K))) x.
Proof. by move=> r0; rewrite {}/x; have [e0 e] : fine_inside p (power_of R p r) (exp_in_table p gs r) by apply: exp_byP r0 => g; apply: digits_ofP. Qed.

Lemma exp_leq (r s : R) : r <= s -> M * expR (- (s / K)) <= M * expR (- (r / K)).
Proof. by move=> rs; rewrite ler_pmul2l // ler_expR ler_opp2 ler_pmul2r ?invr_gt0. Qed.
Lemma exp_square (r : R) : (M * expR (- (r / K))) * (M * expR (- (r / K))) / M = M * expR (- (2%:R * r / K)).
Proof.
have -> : - (2%:R * r / K) = - (r / K) + - (r / K) by ring.
rewrite expRD [in RHS]mulrA -mulrA [in LHS]mulrA.
have aux (m x : R) : m != 0 -> m * x * (m * x) / m = m * x * x by move=> m0; field.
by rewrite -[RHS]mulrA; have := aux M (expR (- (r / K))) (lt0r_neq0 M0); rewrite !mulrA.
Qed.

Lemma half_up r : (0 <= r)%coqZ -> (0 <= ceil_div r 2)%coqZ /\ (r <= 2 * ceil_div r 2)%coqZ.
Proof.
move=> r0; have a := Z.mul_div_le (- r) 2 erefl; have b := Z.mul_succ_div_gt (- r) 2 erefl.
rewrite /ceil_div; move: a b; move: (- r / 2)%coqZ => y a b; split; nia.
Qed.

Lemma exp_lowP k r : (0 <= r)%coqZ -> (0 <= exp_low p gs k r)%coqZ /\ z (exp_low p gs k r) <= M * expR (- (z r / K)).
Proof.
have E0 (x : R) : 0 <= M * expR x by rewrite mulr_ge0 ?ltW ?expR_gt0.
elim: k r => [|k IH] r r0 /=; case: Z.leb_spec => _.
- by have [e0 /andP[l _]] := exp_in_tableP r0.
- by rewrite toF0.
- by have [e0 /andP[l _]] := exp_in_tableP r0.
have [c0 cr] := half_up r0.
have [l0 le] := IH _ c0; set l := exp_low _ _ _ _ in l0 le *.
split; first by apply: Z.div_pos => //; lia.
apply: le_trans (floor_leq _ _ (posZ M0)) _; rewrite toFM; have zl := geZ l0.
apply: le_trans (_ : _ <= M * expR (- (z (ceil_div r 2) / K)) * (M * expR (- (z (ceil_div r 2) / K))) / M) _.
  by rewrite ler_pmul2r ?invr_gt0 // ler_pmul.
by rewrite exp_square; apply: exp_leq; rewrite -toF2 -toFM; apply: toF_leq.
Qed.

Lemma exp_highP k r : (0 <= r)%coqZ -> M * expR (- (z r / K)) <= z (exp_high p gs k r).
Proof.
have E0 (x : R) : 0 <= M * expR x by rewrite mulr_ge0 ?ltW ?expR_gt0.
elim: k r => [|k IH] r r0 /=; case: Z.leb_spec => big.
- by have [_ /andP[_ h]] := exp_in_tableP r0.
- have t0 : (0 <= table_end p)%coqZ by rewrite /table_end; lia.
  have [_ /andP[_ h]] := exp_in_tableP t0; apply: le_trans h; apply: exp_leq; apply: toF_leq; lia.
- by have [_ /andP[_ h]] := exp_in_tableP r0.
have [c0 cr] : (0 <= r / 2)%coqZ /\ (2 * (r / 2) <= r)%coqZ by split; [apply: Z.div_pos|apply: Z.mul_div_le].
have he := IH _ c0; set h := exp_high _ _ _ _ in he *.
apply: le_trans _ (ceil_geq _ _ (posZ M0)); rewrite toFM.
apply: le_trans (_ : M * expR (- (z (r / 2)%coqZ / K)) * (M * expR (- (z (r / 2)%coqZ / K))) / M <= _).
  by rewrite exp_square; apply: exp_leq; rewrite -toF2 -toFM; apply: toF_leq.
by rewrite ler_pmul2r ?invr_gt0 // ler_pmul.
Qed.

Lemma exp_minusP r (x := exp_minus p gs r) : (0 <= r)%coqZ -> (0 <= x.1)%coqZ /\ inside (M * expR (- (z r / K))) x.
Proof.
move=> r0; rewrite {}/x /exp_minus; case: ifP => _; first exact: exp_in_tableP.
by have [l0 l] := exp_lowP 8 r0; split; [exact: l0|apply/andP; split; [exact: l|exact: exp_highP]].
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
  have a0 : (0 <= top - x.2)%coqZ by clear -tx; lia.
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

(* ============================================================================ *)
(* Inverses                                                                     *)
(* ============================================================================ *)

(* twice the number that is enclosed differs from the sum of its bounds by at most their difference *)
Definition middle (x : Z * Z) : Z := (x.1 + x.2)%coqZ.
Definition width_of (x : Z * Z) : Z := (x.2 - x.1)%coqZ.
Definition sizes_are (k l : nat) (A : Type) (M : seq (seq A)) : bool := (size M == k) && all (fun r => size r == l) M.

(* |one e_i - r C| w + |r| widths, C by its columns, widths those of the rows of Z times w *)
Definition defect (one : Z) (cols : seq (seq Z)) (widths w : seq Z) (i : nat) (r : seq Z) : Z :=
  (dot [seq Z.abs ((if eqn x.1 i then one else 0) - dot r x.2) | x <- zip (iota 0 (size cols)) cols] w
   + dot [seq Z.abs x | x <- r] widths)%coqZ.

Definition defects_of (m : nat) (one : Z) (Zs : seq (seq (Z * Z))) (w : seq Z) (R : seq (seq Z)) : seq Z :=
  let cols := columns m [seq [seq middle x | x <- r] | r <- Zs] in
  let widths := [seq dot [seq width_of x | x <- r] w | r <- Zs] in
  [seq defect one cols widths w x.1 x.2 | x <- zip (iota 0 m) R].

Section Enclosed.
Variables (F : realType) (m : nat) (s q : positive).
Variables (A : 'M[F]_m) (Zs : seq (seq (Z * Z))) (w : seq Z) (R : seq (seq Z)).
Local Notation z := (toF F).

Definition enclosed_mx : Prop :=
  forall i j : 'I_m, inside (z (Zpos s) * A i j) (nth (0, 0)%coqZ (nth [::] Zs i) j).

Hypotheses (AZ : enclosed_mx) (sZ : sizes_are m m Zs) (sR : sizes_are m m R).
Let one := (Zpos q * Zpos (2 * s))%coqZ.
Let Rm : 'M[F]_m := mx F m m q R.
Let Zij (i j : 'I_m) := nth (0, 0)%coqZ (nth [::] Zs i) j.

Lemma size_square_row (M : seq (seq Z)) (i : 'I_m) : sizes_are m m M -> size (nth [::] M i) = m.
Proof. by move=> /andP[/eqP sM /allP rM]; apply/eqP/rM; rewrite mem_nth ?sM. Qed.

Lemma size_Zs_row (i : 'I_m) : size (nth [::] Zs i) = m.
Proof. by have /andP[/eqP s' /allP r'] := sZ; apply/eqP/r'; rewrite mem_nth ?s'. Qed.

Lemma middle_near (i j : 'I_m) : `|z (Zpos (2 * s)) * A i j - z (middle (Zij i j))| <= z (width_of (Zij i j)).
Proof.
have /andP[low high] := AZ i j; rewrite -/(Zij i j) in low high.
have aux (x l h : F) : l <= x -> x <= h -> `|2%:R * x - (l + h)| <= h - l.
  move=> lx xh; have -> : 2%:R * x - (l + h) = (x - l) - (h - x) by ring.
  have -> : h - l = (x - l) + (h - x) by ring.
  by apply: le_trans (ler_norm_sub _ _) _; rewrite !ger0_norm ?subr_ge0.
by rewrite toFpM toF2 -mulrA /middle /width_of toFD toFB; apply: aux.
Qed.

Lemma toF_abs x : z (Z.abs x) = `|z x|.
Proof.
have [[x0 ->]|[x0 ->]] := Z.abs_spec x; last by rewrite toFN ltr0_norm // -(toF0 F); apply: toF_lt.
by rewrite ger0_norm // -(toF0 F); apply: toF_leq.
Qed.

Lemma toF_dot k a b : (size a <= k)%N -> z (dot a b) = \sum_(i < k) z (nth 0%coqZ a i) * z (nth 0%coqZ b i).
Proof. by move=> /dotE ->; rewrite rmorph_sum; apply: eq_bigr => i _; rewrite rmorphM. Qed.

(* what |r|, r a row of integers, adds when the entries of s A are known up to their widths *)
Lemma row_error (r : seq Z) (x : 'I_m -> F) (W : seq Z) : size r = m ->
    (forall k : 'I_m, x k <= z (nth 0%coqZ W k)) ->
  \sum_(k < m) `|z (nth 0%coqZ r k)| * x k <= z (dot [seq Z.abs y | y <- r] W).
Proof.
move=> sr xW; rewrite (@toF_dot m) ?size_map ?sr //; apply: ler_sum => k _.
by rewrite (nth_map 0%coqZ) ?sr // toF_abs ler_wpmul2l.
Qed.

Let nthR (i k : 'I_m) : Rm i k = z (nth 0%coqZ (nth [::] R i) k) / z (Zpos q).
Proof. by rewrite mxE. Qed.

Lemma nth_column (j : 'I_m) (k : 'I_m) :
  nth 0%coqZ (nth [::] (columns m [seq [seq middle x | x <- r] | r <- Zs]) j) k = middle (Zij k j).
Proof.
have /andP[/eqP sZ' _] := sZ.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n nth_col /ent (nth_map [::]) ?sZ' //.
by rewrite (nth_map (0, 0)%coqZ) ?size_Zs_row.
Qed.

Theorem defects_leq (i : 'I_m) : (forall j : 'I_m, (0 <= nth 0 w j)%coqZ) ->
  z one * (\sum_(j < m) `|(1%:M - Rm *m A) i j| * z (nth 0%coqZ w j)) <= z (nth 0%coqZ (defects_of m one Zs w R) i).
Proof.
move=> w0; have /andP[/eqP sR' /allP rR] := sR; have /andP[/eqP sZ' _] := sZ.
have sr : size (nth [::] R i) = m by apply/eqP/rR; rewrite mem_nth ?sR'.
rewrite /defects_of (nth_map (0%N, [::])) ?size_zip ?size_iota ?sR' ?minnn // nth_zip ?size_iota ?sR' // nth_iota // add0n.
set cols := columns m _; set r := nth [::] R i in sr *; have sc : size cols = m by rewrite size_map size_iota.
rewrite /defect sc toFD (@toF_dot m) ?size_map ?size_zip ?size_iota ?sc ?minnn //.
pose mid (j : 'I_m) := ((if eqn j i then one else 0) - dot r (nth [::] cols j))%coqZ.
have midE (j : 'I_m) : z (mid j) = z one * (i == j)%:R - \sum_(k < m) z (nth 0%coqZ r k) * z (middle (Zij k j)).
  rewrite /mid toFB (@toF_dot m) ?sr //; congr (_ - _).
    have -> : eqn j i = (i == j) by rewrite -[eqn j i]/(nat_of_ord j == nat_of_ord i) eq_sym.
    by case: (i == j); rewrite ?toF0 ?mulr1 ?mulr0.
  by apply: eq_bigr => k _; rewrite nth_column.
have one0 : 0 < z one by apply: (toFp_gt0 F (q * (2 * s))).
have entry (j : 'I_m) : z one * `|(1%:M - Rm *m A) i j| <=
    `|z (mid j)| + \sum_(k < m) `|z (nth 0%coqZ r k)| * z (width_of (Zij k j)).
  have -> : z one * `|(1%:M - Rm *m A) i j| = `|z one * ((1%:M - Rm *m A) i j)| by rewrite normrM (gtr0_norm one0).
  have -> : z one * (1%:M - Rm *m A) i j = z (mid j) -
      \sum_(k < m) z (nth 0%coqZ r k) * (z (Zpos (2 * s)) * A k j - z (middle (Zij k j))).
    have -> : (1%:M - Rm *m A) i j = (i == j)%:R - \sum_(k < m) Rm i k * A k j.
      by rewrite mxE [(1%:M : 'M_m) i j]mxE [(- (Rm *m A)) i j]mxE [(Rm *m A) i j]mxE.
    rewrite midE mulrBr -addrA -opprD -big_split /=; congr (_ - _).
    rewrite mulr_sumr; apply: eq_bigr => k _; rewrite nthR -/r mulrBr addrC subrK /one toFM.
    by rewrite mulrACA [z (Zpos q) * _]mulrC divfK ?lt0r_neq0 ?toFp_gt0.
  apply: le_trans (ler_norm_sub _ _) _; rewrite ler_add2l; apply: le_trans (ler_norm_sum _ _ _) _.
  by apply: ler_sum => k _; rewrite normrM ler_wpmul2l // middle_near.
have zw (j : 'I_m) : 0 <= z (nth 0%coqZ w j) by rewrite -(toF0 F); apply: toF_leq.
apply: le_trans (_ : _ <= \sum_(j < m) (`|z (mid j)| * z (nth 0%coqZ w j) +
    \sum_(k < m) `|z (nth 0%coqZ r k)| * (z (width_of (Zij k j)) * z (nth 0%coqZ w j)))) _.
  rewrite mulr_sumr; apply: ler_sum => j _; rewrite mulrA; apply: le_trans (ler_wpmul2r (zw j) (entry j)) _.
  by rewrite mulrDl mulr_suml ler_add2l; apply: ler_sum => k _; rewrite mulrA.
rewrite big_split /=; apply: ler_add.
  apply: ler_sum => j _; rewrite (nth_map (0%N, [::])) ?size_zip ?size_iota ?sc ?minnn //.
  by rewrite nth_zip ?size_iota ?sc // nth_iota // add0n toF_abs.
rewrite exchange_big /=.
under eq_bigr do rewrite -mulr_sumr.
apply: row_error => // k; rewrite (nth_map [::]) ?sZ' // (@toF_dot m) ?size_map ?size_Zs_row //.
by apply: ler_sum => j _; rewrite (nth_map (0, 0)%coqZ) ?size_Zs_row.
Qed.

(* A v = 0 would give the largest |v_i| / w_i <= (|I - R A| w)_i / w_i times itself     *)
Lemma contraction_unit (M : 'M[F]_m) (x : 'I_m -> F) : (forall i, 0 < x i) ->
  (forall i, \sum_j `|(1%:M - M) i j| * x j < x i) -> M \in unitmx.
Proof.
move=> x0 Mx; rewrite -unitmx_tr -row_free_unit; apply: inj_row_free => v vM.
apply/rowP => i; rewrite mxE; pose f (i : 'I_m) := `|v 0 i| / x i.
have [k _ kP] := @arg_maxP _ _ _ i xpredT f isT.
have vk : v 0 k = \sum_j (1%:M - M) k j * v 0 j.
  have : \sum_j M k j * v 0 j = 0.
    by have /rowP/(_ k) := vM; rewrite !mxE => vMk; rewrite -[RHS]vMk; apply: eq_bigr => j _; rewrite mxE mulrC.
  move=> Mv; under eq_bigr do rewrite !mxE mulrBl.
  rewrite sumrB Mv subr0 (bigD1 k) //= eqxx mul1r big1 ?addr0 // => j jk.
  by rewrite eq_sym (negPf jk) mul0r.
have fx l : `|v 0 l| = f l * x l by rewrite /f divfK // gt_eqF.
have f0 l : 0 <= f l by rewrite divr_ge0 // ltW.
have bound : `|v 0 k| <= f k * \sum_j `|(1%:M - M) k j| * x j.
  rewrite {1}vk; apply: le_trans (ler_norm_sum _ _ _) _; rewrite mulr_sumr; apply: ler_sum => j _.
  rewrite normrM fx mulrCA; apply: ler_wpmul2r; last exact: kP.
  by rewrite mulr_ge0 // ltW.
have fk : f k = 0.
  apply/eqP; rewrite eq_le f0 andbT leNgt; apply/negP => fk0.
  by move: bound; rewrite fx ler_pmul2l // leNgt Mx.
apply/eqP; rewrite -normr_eq0 fx.
have : f i <= f k by apply: kP.
by rewrite fk => fi; rewrite (_ : f i = 0) ?mul0r //; apply/eqP; rewrite eq_le fi f0.
Qed.

Theorem defects_unit : (forall i : 'I_m, (0 < nth 0 w i)%coqZ) ->
    (forall i : 'I_m, (nth 0 (defects_of m one Zs w R) i < one * nth 0 w i)%coqZ) ->
  A \in unitmx.
Proof.
move=> wp small; have one0 : 0 < z one by apply: (toFp_gt0 F (q * (2 * s))).
suff : Rm *m A \in unitmx by rewrite unitmx_mul => /andP[].
apply: (@contraction_unit _ (fun j => z (nth 0%coqZ w j))) => i; first by rewrite -(toF0 F); apply: toF_lt.
have w0 (j : 'I_m) : (0 <= nth 0 w j)%coqZ by apply/Z.lt_le_incl/wp.
by rewrite -(ltr_pmul2l one0); apply: le_lt_trans (defects_leq i w0) _; rewrite -toFM; apply: toF_lt.
Qed.

End Enclosed.
