(* The proved checker, enclosures: integers that enclose real numbers over a common  *)
(* denominator; exp, the logarithm of 2, square roots, softmax.                      *)
(*                                                                                   *)
(*         inside x p == p.1 <= x <= p.2                                             *)
(*   encloses D v s == the entries of D v are inside those of s (v a row vector)       *)
(*   exp_lower, exp_upper M j a == bounds of M exp (- 2^j a / M), by j squarings       *)
(*          log_two == bounds of K ln 2; square_root m == bounds of K sqrt m           *)
(*            alphas == enclosures of the coefficients of softmax                      *)
(*   times_rows, add_rows, exact_row == v M, v + w, literal rows                      *)
From Coq Require Import ZArith List Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp Require Import ring.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention affine_hull transcendence.
From Attest Require Import literal_arithmetic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Computation                                                                 *)
(* -------------------------------------------------------------------------- *)
Definition ceil_div (a b : Z) : Z := (- (- a / b))%coqZ.
Arguments ceil_div (a b)%coqZ.

(* 2^k                                                                           *)
Definition two_power (k : nat) : positive := iter k (fun q => (2 * q)%positive) 1%positive.

(* (1 - w) / (1 - w^2 / 2) <= exp (-w) <= 1 / (1 + w), 1 - w + w^2 / 2, for w = a / M *)
Definition start_lower (M : positive) (a : Z) : Z :=
  if (a <? Zpos M)%coqZ
  then (2 * Zpos M * Zpos M * (Zpos M - a) / Z.max 1 (2 * Zpos M * Zpos M - a * a))%coqZ else 0%coqZ.
Definition start_upper (M : positive) (a : Z) : Z :=
  Z.min (ceil_div (Zpos M * Zpos M) (Zpos M + Z.max 0 a)) (Zpos M - a + ceil_div (a * a) (2 * Zpos M))%coqZ.

(* ... and j squarings                                                            *)
Definition exp_lower (M : positive) (j : nat) (a : Z) : Z :=
  iter j (fun x => (x * x / Zpos M)%coqZ) (start_lower M a).
Definition exp_upper (M : positive) (j : nat) (a : Z) : Z :=
  iter j (fun x => ceil_div (x * x) (Zpos M)) (start_upper M a).

(* What a precision fixes: K the denominator of arguments and coefficients, M = 2^halvings K that of powers *)
Record precision := Precision { denominator : positive; halvings : nat }.

Definition fine (p : precision) : positive := (two_power (halvings p) * denominator p)%positive.

(* bits after the point, and as many that rounding may take                        *)
Definition precision_of (bits : nat) : precision := Precision (two_power (bits + 24)) (bits./2 + 8).

(* sum_(i >= 1) 1 / (i 2^i): a guess, which log_two checks                         *)
Fixpoint log_two_guess (k : nat) (i power : Z) : Z :=
  if k is k'.+1 then (power / i + log_two_guess k' (i + 1)%coqZ (power / 2)%coqZ)%coqZ else 0%coqZ.

Definition log_two (p : precision) (bits : nat) : Z * Z :=
  let: K := denominator p in
  let guess := log_two_guess (bits + 32) 1 (Zpos K / 2)%coqZ in
  let slack := (Z.of_nat bits + 16384)%coqZ in
  let low := (guess - slack)%coqZ in let high := (guess + slack)%coqZ in
  if [&& (0 <=? low)%coqZ, (Zpos (fine p) <=? 2 * exp_lower (fine p) (halvings p) low)%coqZ &
      (2 * exp_upper (fine p) (halvings p) high <=? Zpos (fine p))%coqZ]
  then (low, high) else (0%coqZ, Zpos K).

Definition square_root (K m : positive) : Z * Z :=
  if (m =? 1)%positive then (Zpos K, Zpos K) else
  let s := Z.sqrt (Zpos m * (Zpos K * Zpos K))%coqZ in (s, s + 1)%coqZ.

(* bounds of K^2 times the factor of integer exponents, and its denominator N K^2   *)
Record unit_bounds := UnitBounds { unit_low : Z; unit_high : Z; unit_den : positive }.

Definition unit_of (p : precision) (bits : nat) (two : bool) (m N : positive) : unit_bounds :=
  let: K := denominator p in
  let r := square_root K m in
  let l := if two then log_two p bits else (Zpos K, Zpos K) in
  UnitBounds (r.1 * l.1)%coqZ (r.2 * l.2)%coqZ (N * (K * K))%positive.

Definition maximum (l : seq Z) : Z := foldr Z.max (head 0%coqZ l) l.
Definition total_of (l : seq Z) : Z := foldr Z.add 0%coqZ l.

(* exp (- unit d), d >= 0                                                           *)
Definition power (p : precision) (u : unit_bounds) (d : Z) : Z * Z :=
  let: K := Zpos (denominator p) in
  (exp_lower (fine p) (halvings p) (ceil_div (d * unit_high u * K) (Zpos (unit_den u))),
   exp_upper (fine p) (halvings p) (d * unit_low u * K / Zpos (unit_den u))%coqZ).

Definition alphas (p : precision) (u : unit_bounds) (l : seq Z) : seq (Z * Z) :=
  let top := maximum l in
  let powers := [seq power p u (top - x)%coqZ | x <- l] in
  let low := total_of (unzip1 powers) in let high := total_of (unzip2 powers) in
  let: K := Zpos (denominator p) in
  if (0 <? low)%coqZ && (0 <? high)%coqZ then
    [seq (x.1 * K / high, ceil_div (x.2 * K) low)%coqZ | x <- powers]
  else [seq (0%coqZ, K) | _ <- l].

Definition scaled (c : Z) (x : Z * Z) : Z * Z :=
  if (0 <=? c)%coqZ then (c * x.1, c * x.2)%coqZ else (c * x.2, c * x.1)%coqZ.
Definition plus (x y : Z * Z) : Z * Z := (x.1 + y.1, x.2 + y.2)%coqZ.

(* x r + acc                                                                        *)
Fixpoint add_multiple (x : Z * Z) (r : seq Z) (acc : seq (Z * Z)) : seq (Z * Z) :=
  match r, acc with
  | c :: r', a :: acc' => plus (scaled c x) a :: add_multiple x r' acc'
  | _, _ => acc
  end.
Fixpoint times_rows (w : nat) (s : seq (Z * Z)) (M : seq (seq Z)) : seq (Z * Z) :=
  match s, M with
  | x :: s', r :: M' => add_multiple x r (times_rows w s' M')
  | _, _ => nseq w (0, 0)%coqZ
  end.

(* v over the denominator a plus w over b, over a b                                  *)
Definition add_rows (a b : positive) (v w : seq (Z * Z)) : seq (Z * Z) :=
  [seq plus (scaled (Zpos b) x.1) (scaled (Zpos a) x.2) | x <- zip v w].

Definition exact_row (w : nat) (r : seq Z) : seq (Z * Z) := [seq (nth 0 r k, nth 0 r k)%coqZ | k <- iota 0 w].

(* -------------------------------------------------------------------------- *)
(* Meaning                                                                     *)
(* -------------------------------------------------------------------------- *)
Section Meaning.
Variable R : realType.
Local Notation z := (toF R).

Lemma toF_leq a b : (a <= b)%coqZ -> z a <= z b.
Proof. by move=> ab; rewrite /toF ler_int; lia. Qed.
Lemma toF_lt a b : (a < b)%coqZ -> z a < z b.
Proof. by move=> ab; rewrite /toF ltr_int; lia. Qed.
Lemma toF_leP a b : reflect (z a <= z b) (a <=? b)%coqZ.
Proof. by apply: (iffP idP) => [/Z.leb_le/toF_leq //|]; rewrite /toF ler_int => ab; lia. Qed.
Lemma toF_ltP a b : reflect (z a < z b) (a <? b)%coqZ.
Proof. by apply: (iffP idP) => [/Z.ltb_lt/toF_lt //|]; rewrite /toF ltr_int => ab; lia. Qed.
Lemma toF0 : z 0%coqZ = 0. Proof. exact: rmorph0. Qed.
Lemma toFN a : z (- a)%coqZ = - z a. Proof. exact: rmorphN. Qed.
Lemma toFD a b : z (a + b)%coqZ = z a + z b. Proof. exact: rmorphD. Qed.
Lemma toFB a b : z (a - b)%coqZ = z a - z b. Proof. exact: rmorphB. Qed.
Lemma toFM a b : z (a * b)%coqZ = z a * z b. Proof. exact: rmorphM. Qed.
Lemma toFpM a b : z (Zpos (a * b)) = z (Zpos a) * z (Zpos b). Proof. exact: (toFM (Zpos a) (Zpos b)). Qed.
Lemma toFp_gt0 q : 0 < z (Zpos q). Proof. by rewrite -toF0; apply: toF_lt. Qed.
Lemma toF1 : z 1%coqZ = 1. Proof. exact: rmorph1. Qed.
Lemma toF2 : z 2%coqZ = 2%:R. Proof. by rewrite (toFD 1 1) toF1. Qed.

Lemma floor_leq a b : (0 < b)%coqZ -> z (a / b)%coqZ <= z a / z b.
Proof.
move=> b0; have zb : 0 < z b by rewrite -toF0; apply: toF_lt.
by rewrite ler_pdivl_mulr // -toFM; apply: toF_leq; rewrite Z.mul_comm; apply: Z.mul_div_le.
Qed.

Lemma ceil_geq a b : (0 < b)%coqZ -> z a / z b <= z (ceil_div a b).
Proof. by move=> b0; rewrite toFN ler_oppr -mulNr -toFN; apply: floor_leq. Qed.

(* --- exp *)
Lemma exp_leq_inverse (x : R) : 0 <= x < 1 -> expR x <= (1 - x)^-1.
Proof.
move=> /andP[x0 x1]; apply: (@expR_le_partial _ _ 0) => N _.
have d0 : 0 < 1 - x by rewrite subr_gt0.
apply: le_trans (_ : \sum_(j < N) x ^+ j <= _).
  apply: ler_sum => j _; rewrite ler_pdivr_mulr ?fact_gt0R // ler_pemulr ?exprn_ge0 //.
  by rewrite ler1n fact_gt0.
rewrite -[_^-1]mul1r ler_pdivl_mulr // mulrC -opprB mulNr -subrX1 opprB.
by rewrite ler_subl_addr ler_addl exprn_ge0.
Qed.

Lemma expN_bounds (w : R) : 0 <= w -> 1 - w <= expR (- w) <= (1 + w)^-1.
Proof.
move=> w0; have p0 : 0 < 1 + w by rewrite ltr_spaddl.
rewrite expRN; apply/andP; split; last by rewrite lef_pinv ?posrE ?expR_gt0 ?expR_ge1Dx.
have [w1|w1] := ltP w 1; last by apply: le_trans (_ : 0 <= _); rewrite ?subr_le0 // invr_ge0 ltW // expR_gt0.
have d0 : 0 < 1 - w by rewrite subr_gt0.
rewrite -[1 - w]invrK lef_pinv ?posrE ?invr_gt0 ?expR_gt0 //.
by apply: exp_leq_inverse; rewrite w0.
Qed.

(* one term more, from exp w >= 1 + w + w^2 / 2 and exp w <= 1 + w + w^2 / (2 (1 - w)) *)
Lemma expN_leq2 (w : R) : 0 <= w -> expR (- w) <= 1 - w + w ^+ 2 / 2%:R.
Proof.
move=> w0; have e1 : 1 + w + w ^+ 2 / 2%:R <= expR w.
  apply: le_trans (exp_partial_le 3 w0).
  by rewrite /exp_partial !big_ord_recl big_ord0 /= addr0 expr0 expr1 !divr1 addrA.
have p0 : 0 < 1 - w + w ^+ 2 / 2%:R.
  rewrite (_ : _ + _ = ((1 - w) ^+ 2 + 1) / 2%:R); last by field.
  by rewrite divr_gt0 ?ltr0n // ltr_spaddr // sqr_ge0.
rewrite expRN -[X in X <= _]mul1r ler_pdivr_mulr ?expR_gt0 //.
apply: le_trans (_ : 1 <= (1 - w + w ^+ 2 / 2%:R) * (1 + w + w ^+ 2 / 2%:R)) _; last by rewrite ler_pmul2l.
rewrite (_ : _ * _ = 1 + (w ^+ 2 / 2%:R) ^+ 2); last by field.
by rewrite ler_addl sqr_ge0.
Qed.

Lemma exp_leq2 (w : R) : 0 <= w < 1 -> expR w <= 1 + w + w ^+ 2 / (2%:R * (1 - w)).
Proof.
move=> /andP[w0 w1]; have d0 : 0 < 1 - w by rewrite subr_gt0.
apply: (@expR_le_partial _ _ 2) => -[|[|N]] // _; rewrite /exp_partial 2!big_ord_recl /=.
rewrite expr0 expr1 !divr1 addrA ler_add2l.
apply: le_trans (_ : \sum_(j < N) w ^+ 2 / 2%:R * w ^+ j <= _).
  apply: ler_sum => j _; rewrite /bump /= !add1n.
  rewrite (_ : w ^+ 2 / 2%:R * w ^+ j = w ^+ j.+2 / 2%:R); last by rewrite mulrAC -exprD.
  rewrite ler_wpmul2l ?exprn_ge0 // lef_pinv ?posrE ?ltr0n ?fact_gt0 // ler_nat factS.
  by apply: leq_trans (leq_pmulr _ (fact_gt0 _)).
rewrite -mulr_sumr [X in _ <= X](_ : _ = w ^+ 2 / 2%:R * (1 - w)^-1); last by rewrite invfM mulrA.
rewrite ler_wpmul2l ?divr_ge0 ?sqr_ge0 ?ler0n // -[_^-1]mul1r ler_pdivl_mulr // mulrC -opprB mulNr -subrX1 opprB.
by rewrite ler_subl_addr ler_addl exprn_ge0.
Qed.

Lemma expN_geq2 (w : R) : 0 <= w < 1 -> 2%:R * (1 - w) / (2%:R - w ^+ 2) <= expR (- w).
Proof.
move=> w01; have /andP[w0 w1] := w01; have d0 : 0 < 1 - w by rewrite subr_gt0.
have q0 : 0 < 2%:R - w ^+ 2.
  by rewrite subr_gt0; apply: lt_trans (_ : 1 < _); rewrite ?ltr1n // exprn_ilt1.
have e0 : 0 < 1 + w + w ^+ 2 / (2%:R * (1 - w)).
  by rewrite ltr_paddr ?divr_ge0 ?sqr_ge0 ?mulr_ge0 ?ler0n ?ltW // ltr_spaddl.
rewrite expRN (_ : _ / _ = (1 + w + w ^+ 2 / (2%:R * (1 - w)))^-1).
  by rewrite lef_pinv ?posrE ?expR_gt0 // exp_leq2.
have d1 := lt0r_neq0 d0; have q1 := lt0r_neq0 q0.
rewrite -[LHS]invrK; congr _^-1; rewrite invf_div; field; rewrite d1 ?pnatr_eq0 //.
Qed.

Lemma expR_square (x : R) j : expR (2%:R ^+ j.+1 * x) = expR (2%:R ^+ j * x) ^+ 2.
Proof. by rewrite exprS -mulrA expRMm. Qed.

Lemma start_lowerP M a : (0 <= a)%coqZ ->
  0 <= z (start_lower M a) <= z (Zpos M) * expR (- (z a / z (Zpos M))).
Proof.
move=> a0; have M0 : 0 < z (Zpos M) := toFp_gt0 M; have za : 0 <= z a by rewrite -toF0; apply: toF_leq.
rewrite /start_lower; case: ifP => [/Z.ltb_lt aM|_]; last by rewrite toF0 lexx mulr_ge0 ?(ltW M0) ?ltW ?expR_gt0.
have q0 : (0 < 2 * Zpos M * Zpos M - a * a)%coqZ by nia.
rewrite Z.max_r; last lia.
apply/andP; split; first by rewrite -toF0; apply: toF_leq; apply: Z.div_pos; nia.
apply: le_trans (floor_leq _ q0) _.
have w01 : 0 <= z a / z (Zpos M) < 1 by rewrite divr_ge0 ?(ltW M0) //= ltr_pdivr_mulr // mul1r toF_lt.
have qz : z (2 * Zpos M * Zpos M - a * a)%coqZ != 0 by apply: lt0r_neq0; rewrite -toF0; apply: toF_lt.
apply: le_trans (_ : z (Zpos M) * (2%:R * (1 - z a / z (Zpos M)) / (2%:R - (z a / z (Zpos M)) ^+ 2)) <= _); last first.
  by rewrite ler_pmul2l // expN_geq2.
move: qz; rewrite !(toFM, toFB) toF2; move: (z a) (z (Zpos M)) (lt0r_neq0 M0) => x y y0 qz.
rewrite (_ : 2%:R - (x / y) ^+ 2 = (2%:R * y * y - x * x) / y ^+ 2); last by field.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite y0 qz.
Qed.

Lemma start_upperP M a : (0 <= a)%coqZ -> z (Zpos M) * expR (- (z a / z (Zpos M))) <= z (start_upper M a).
Proof.
move=> a0; have M0 : 0 < z (Zpos M) := toFp_gt0 M; have za : 0 <= z a by rewrite -toF0; apply: toF_leq.
have Ma0 : (0 < Zpos M + a)%coqZ by lia.
have w0 : 0 <= z a / z (Zpos M) by rewrite divr_ge0 ?(ltW M0).
rewrite /start_upper Z.max_r //; have [[_ ->]|[_ ->]] := Z.min_spec (ceil_div (Zpos M * Zpos M) (Zpos M + a))
    (Zpos M - a + ceil_div (a * a) (2 * Zpos M))%coqZ.
  apply: le_trans _ (ceil_geq _ Ma0).
  rewrite toFM toFD -mulrA ler_pmul2l //; case/andP: (expN_bounds w0) => _ le1.
  apply: le_trans le1 _; rewrite (_ : 1 + _ = (z (Zpos M) + z a) / z (Zpos M)).
    by rewrite invfM invrK mulrC.
  by rewrite mulrDl divff ?lt0r_neq0.
apply: le_trans (_ : z (Zpos M) * (1 - z a / z (Zpos M) + (z a / z (Zpos M)) ^+ 2 / 2%:R) <= _).
  by rewrite ler_pmul2l // expN_leq2.
rewrite toFD toFB; have M20 : (0 < 2 * Zpos M)%coqZ by lia.
apply: le_trans (_ : z (Zpos M) - z a + z (a * a)%coqZ / z (2 * Zpos M)%coqZ <= _); last first.
  by rewrite ler_add2l ceil_geq.
rewrite toFM (toFM 2) toF2; move: (z a) (z (Zpos M)) (lt0r_neq0 M0) => x y y0.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite y0 ?pnatr_eq0.
Qed.

Lemma exp_lowerP M j a : (0 <= a)%coqZ ->
  0 <= z (exp_lower M j a) <= z (Zpos M) * expR (- (2%:R ^+ j * (z a / z (Zpos M)))).
Proof.
move=> a0; have M0 : 0 < z (Zpos M) := toFp_gt0 M.
have za : 0 <= z a by rewrite -toF0; apply: toF_leq.
rewrite -mulrN; elim: j => [|j /andP[low0 low]].
  by rewrite expr0 mul1r; apply: start_lowerP.
rewrite /exp_lower iterS -/(exp_lower M j a) expR_square.
set x := exp_lower M j a in low0 low *; set y := expR _ in low *.
have x0 : (0 <= x)%coqZ by move: low0; rewrite -toF0 => /toF_leP; lia.
apply/andP; split.
  by rewrite -toF0; apply: toF_leq; apply: Z.div_pos; lia.
apply: le_trans (floor_leq _ _) _; first lia.
rewrite ler_pdivr_mulr // toFM (_ : _ * y ^+ 2 * _ = z (Zpos M) * y * (z (Zpos M) * y)); last by ring.
exact: ler_pmul.
Qed.

Lemma exp_upperP M j a : (0 <= a)%coqZ ->
  z (Zpos M) * expR (- (2%:R ^+ j * (z a / z (Zpos M)))) <= z (exp_upper M j a).
Proof.
move=> a0; have M0 : 0 < z (Zpos M) := toFp_gt0 M.
have za : 0 <= z a by rewrite -toF0; apply: toF_leq.
rewrite -mulrN; elim: j => [|j high].
  by rewrite expr0 mul1r; apply: start_upperP.
rewrite /exp_upper iterS -/(exp_upper M j a) expR_square.
set x := exp_upper M j a in high *; set y := expR _ in high *.
have y0 : 0 <= y by apply/ltW/expR_gt0.
apply: le_trans _ (ceil_geq _ (erefl : (0 < Zpos M)%coqZ)).
rewrite ler_pdivl_mulr // toFM (_ : _ * y ^+ 2 * _ = z (Zpos M) * y * (z (Zpos M) * y)); last by ring.
by apply: ler_pmul => //; rewrite mulr_ge0 // ltW.
Qed.

(* --- the logarithm of 2 and square roots *)
Lemma two_powerE k : z (Zpos (two_power k)) = 2%:R ^+ k.
Proof. by elim: k => [|k IH]; rewrite ?toF1 // /two_power iterS toFpM toF2 exprS -IH. Qed.

Lemma fineE p a : 2%:R ^+ halvings p * (z a / z (Zpos (fine p))) = z a / z (Zpos (denominator p)).
Proof.
have d0 : (2%:R ^+ halvings p : R) != 0 by rewrite expf_neq0 // pnatr_eq0.
by rewrite toFpM two_powerE invfM mulrCA mulVKf.
Qed.

Lemma ln2_gt0 : 0 < ln 2%:R :> R. Proof. by rewrite ln_gt0 // ltr1n. Qed.

Lemma log_twoP p bits (l := log_two p bits) :
  (0 <= l.1)%coqZ /\ z l.1 <= z (Zpos (denominator p)) * ln 2%:R <= z l.2.
Proof.
have K0 : 0 < z (Zpos (denominator p)) := toFp_gt0 _.
have M0 : 0 < z (Zpos (fine p)) := toFp_gt0 _.
have two : expR (- ln 2%:R) = 2%:R^-1 :> R by rewrite expRN lnK // posrE ltr0n.
rewrite {}/l /log_two; set low := (_ - _)%coqZ; set high := (_ + _)%coqZ.
case: ifP => [/and3P[/Z.leb_le low0 /Z.leb_le below /Z.leb_le above] /=|_ /=]; last first.
  split; first lia.
  rewrite toF0 mulr_ge0 ?(ltW K0) ?(ltW ln2_gt0) //= -[X in _ <= X]mulr1 ler_pmul2l //.
  rewrite -ler_expR lnK ?posrE ?ltr0n //; apply: expR_ge1Dx; exact: ler01.
split=> //; apply/andP; split.
  rewrite [X in _ <= X]mulrC -ler_pdivr_mulr // -ler_opp2 -ler_expR two.
  have /andP[_] := exp_lowerP (fine p) (halvings p) low0; rewrite fineE => le_exp.
  have := toF_leq below; rewrite toFM toF2 => le2.
  rewrite -(ler_pmul2l M0); apply: le_trans _ le_exp.
  by rewrite ler_pdivr_mulr ?ltr0n // mulrC.
have high0 : (0 <= high)%coqZ by lia.
rewrite [X in X <= _]mulrC -ler_pdivl_mulr // -ler_opp2 -ler_expR two.
have := exp_upperP (fine p) (halvings p) high0; rewrite fineE => le_exp.
have := toF_leq above; rewrite toFM toF2 => le2.
rewrite -(ler_pmul2l M0); apply: le_trans le_exp _.
by rewrite ler_pdivl_mulr ?ltr0n // mulrC.
Qed.

Lemma square_rootP K m (s := square_root K m) :
  (0 <= s.1)%coqZ /\ z s.1 <= z (Zpos K) * Num.sqrt (z (Zpos m)) <= z s.2.
Proof.
have K0 := toFp_gt0 K; have m0 := toFp_gt0 m.
rewrite {}/s /square_root; case: ifP => [/Pos.eqb_eq ->|_].
  by rewrite toF1 sqrtr1 mulr1 lexx.
set N := (Zpos m * (Zpos K * Zpos K))%coqZ; have N0 : (0 <= N)%coqZ by lia.
have [low high] := Z.sqrt_spec N N0; have s0 := Z.sqrt_nonneg N.
have NE : z N = (z (Zpos K) * Num.sqrt (z (Zpos m))) ^+ 2.
  by rewrite exprMn sqr_sqrtr ?ltW // toFM (toFM (Zpos K)) mulrC expr2.
have y0 : 0 <= z (Zpos K) * Num.sqrt (z (Zpos m)) by rewrite mulr_ge0 ?sqrtr_ge0 // ltW.
have le_square a : (0 <= a)%coqZ -> 0 <= z a by move=> a0; rewrite -toF0; apply: toF_leq.
split=> //; apply/andP; split; rewrite -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?le_square // -?NE; try lia.
  by rewrite expr2 -toFM; apply: toF_leq.
by rewrite expr2 -toFM; apply: toF_leq; apply: Z.lt_le_incl high.
Qed.

Lemma unit_ofP p bits two m N (u := unit_of p bits two m N) :
  (0 <= unit_low u)%coqZ /\ z (unit_low u)
    <= z (Zpos (unit_den u)) * ((if two then ln 2%:R else 1) * (Num.sqrt (z (Zpos m)) / z (Zpos N))) <= z (unit_high u).
Proof.
rewrite {}/u /unit_of /=; set K := denominator p.
have [s0 /andP[slow shigh]] := square_rootP K m; set s := square_root K m in s0 slow shigh *.
set l := if two then _ else _; set c := if two then _ else _.
have [l0 /andP[llow lhigh]] : (0 <= l.1)%coqZ /\ z l.1 <= z (Zpos K) * c <= z l.2.
  by rewrite /l /c; case: (two) => /=; [apply: log_twoP|rewrite mulr1 lexx].
have le_z a : (0 <= a)%coqZ -> 0 <= z a by move=> a0; rewrite -toF0; apply: toF_leq.
split; first lia.
rewrite !toFpM (_ : _ * _ = z (Zpos K) * Num.sqrt (z (Zpos m)) * (z (Zpos K) * c)); last first.
  have N0 := lt0r_neq0 (toFp_gt0 N); by field.
rewrite !toFM; apply/andP; split; apply: ler_pmul => //; try exact: le_z.
  by apply: le_trans (le_z _ s0) slow.
by apply: le_trans (le_z _ l0) llow.
Qed.

(* --- softmax *)
Definition inside (x : R) (p : Z * Z) : Prop := z p.1 <= x <= z p.2.

Lemma maximum_leq l i : (i < size l)%N -> (nth 0 l i <= maximum l)%coqZ.
Proof.
rewrite /maximum; elim: l (head _ _) i => //= y l IH x [|i] /= il; first lia.
by have := IH x i il; lia.
Qed.

Lemma total_ofE l : z (total_of l) = \sum_(i < size l) z (nth 0%coqZ l i).
Proof.
elim: l => [|x l IH] /=; first by rewrite big_ord0 toF0.
by rewrite big_ord_recl /= toFD IH.
Qed.

Section Softmax.
Variables (p : precision) (u : unit_bounds) (kappa : R) (n : nat) (l : seq Z).
Hypotheses (u0 : (0 <= unit_low u)%coqZ) (uP : z (unit_low u) <= z (Zpos (unit_den u)) * kappa <= z (unit_high u)).
Hypothesis sl : size l = n.

Lemma powerP d : (0 <= d)%coqZ ->
  inside (z (Zpos (fine p)) * expR (- (kappa * z d))) (power p u d) /\ 0 <= z (power p u d).1.
Proof.
move=> d0; have D0 : 0 < z (Zpos (unit_den u)) := toFp_gt0 _; have K0 := toFp_gt0 (denominator p).
have zd : 0 <= z d by rewrite -toF0; apply: toF_leq.
have [low high] := andP uP; have uh0 : (0 <= unit_high u)%coqZ.
  by apply/Z.leb_le/toF_leP; apply: le_trans (le_trans low high); apply: toF_leq.
rewrite /power /inside /=; set K := Zpos _ in K0 *; set a := ceil_div _ _; set b := (_ / _)%coqZ.
have b0 : (0 <= b)%coqZ by apply: Z.div_pos; lia.
have aP : K0 = K0 -> kappa * z d <= z a / z K.
  move=> _; rewrite ler_pdivl_mulr //; apply: le_trans (ceil_geq _ _); last lia.
  rewrite ler_pdivl_mulr // !toFM (_ : _ * _ * _ = z (Zpos (unit_den u)) * kappa * (z d * z K)); last by ring.
  by rewrite [z d * _ * _]mulrAC [X in _ <= X]mulrC ler_wpmul2r // mulr_ge0 // ltW.
have bP : z b / z K <= kappa * z d.
  rewrite ler_pdivr_mulr //; apply: le_trans (floor_leq _ _) _; first lia.
  rewrite ler_pdivr_mulr // !toFM (_ : kappa * _ * _ * _ = z (Zpos (unit_den u)) * kappa * (z d * z K)); last by ring.
  by rewrite [z d * _ * _]mulrAC [X in X <= _]mulrC ler_wpmul2r // mulr_ge0 // ltW.
have a0 : (0 <= a)%coqZ.
  apply/Z.leb_le/toF_leP; rewrite toF0; have := le_trans bP (aP erefl).
  rewrite ler_pmul2r ?invr_gt0 // => ba; apply: le_trans ba; rewrite -toF0; exact: toF_leq.
have /andP[e0 eP] := exp_lowerP (fine p) (halvings p) a0.
have fP := exp_upperP (fine p) (halvings p) b0; rewrite !fineE in eP fP.
have M0 := toFp_gt0 (fine p); split=> //; apply/andP; split.
  by apply: le_trans eP _; rewrite ler_pmul2l // ler_expR ler_opp2 aP.
by apply: le_trans _ fP; rewrite ler_pmul2l // ler_expR ler_opp2.
Qed.

Definition coefficients_of : 'cV[R]_n := softmax (kappa *: \col_i z (nth 0%coqZ l i)).

Lemma coefficients_ofE i : coefficients_of i 0 =
  expR (- (kappa * z (maximum l - nth 0 l i)%coqZ)) / \sum_j expR (- (kappa * z (maximum l - nth 0 l (j : 'I_n))%coqZ)).
Proof.
have E k : expR ((kappa *: \col_j z (nth 0%coqZ l (j : 'I_n))) k 0) =
    expR (kappa * z (maximum l)) * expR (- (kappa * z (maximum l - nth 0 l k)%coqZ)).
  by rewrite -expRD !mxE toFB mulrBr opprB addrC subrK.
rewrite /coefficients_of mxE E (eq_bigr _ (fun j _ => E j)) -mulr_sumr.
by rewrite invfM mulrACA divff ?mul1r // gt_eqF // expR_gt0.
Qed.

Lemma size_alphas : size (alphas p u l) = n.
Proof. by rewrite /alphas; case: ifP; rewrite !size_map. Qed.

Lemma alphasP (i : 'I_n) :
  inside (z (Zpos (denominator p)) * coefficients_of i 0) (nth (0, 0)%coqZ (alphas p u l) i).
Proof.
have n0 : (0 < n)%N by apply: leq_trans (ltn_ord i).
have K0 := toFp_gt0 (denominator p); have M0 := toFp_gt0 (fine p).
rewrite /alphas; set P := [seq power _ _ _ | _ <- _].
pose E (j : 'I_n) := expR (- (kappa * z (maximum l - nth 0 l j)%coqZ)).
have E0 j : 0 < E j := expR_gt0 _.
have S0 : 0 < \sum_j E j by rewrite (bigD1 i) //= ltr_paddr // sumr_ge0 // => j _; apply: ltW.
have PP (j : 'I_n) : inside (z (Zpos (fine p)) * E j) (nth (0, 0)%coqZ P j) /\ 0 <= z (nth (0, 0)%coqZ P j).1.
  rewrite (nth_map 0%coqZ) ?sl //; apply: powerP.
  by have := @maximum_leq l j; rewrite sl ltn_ord => /(_ isT); lia.
have sP : size P = n by rewrite size_map.
have lowE : z (total_of (unzip1 P)) = \sum_(j < n) z (nth (0, 0)%coqZ P j).1.
  rewrite total_ofE size_map sP; apply: eq_bigr => j _; by rewrite (nth_map (0, 0)%coqZ) ?sP.
have highE : z (total_of (unzip2 P)) = \sum_(j < n) z (nth (0, 0)%coqZ P j).2.
  rewrite total_ofE size_map sP; apply: eq_bigr => j _; by rewrite (nth_map (0, 0)%coqZ) ?sP.
have lowP : z (total_of (unzip1 P)) <= z (Zpos (fine p)) * \sum_j E j.
  by rewrite lowE mulr_sumr; apply: ler_sum => j _; case: (PP j) => /andP[].
have highP : z (Zpos (fine p)) * (\sum_j E j) <= z (total_of (unzip2 P)).
  by rewrite highE mulr_sumr; apply: ler_sum => j _; case: (PP j) => /andP[].
rewrite coefficients_ofE -/(E i) -(eq_bigr _ (fun j _ => erefl (E j))).
set S := \sum_j E j in S0 lowP highP *.
have aE : E i / S = z (Zpos (fine p)) * E i / (z (Zpos (fine p)) * S).
  by rewrite invfM mulrACA divff ?mul1r // lt0r_neq0.
have MS : 0 < z (Zpos (fine p)) * S by rewrite mulr_gt0.
case: ifP => [/andP[/Z.ltb_lt low0 /Z.ltb_lt high0]|_]; last first.
  rewrite (nth_map 0%coqZ) ?sl // /inside /= toF0; apply/andP; split.
    by apply: mulr_ge0; apply: ltW => //; apply: divr_gt0.
  rewrite -[X in _ <= X]mulr1 ler_pmul2l // ler_pdivr_mulr // mul1r /S (bigD1 i) //=.
  by rewrite ler_addl sumr_ge0 // => j _; apply: ltW.
have [/andP[Plow Phigh] Pge] := PP i.
have zlow : 0 < z (total_of (unzip1 P)) by rewrite -toF0; apply: toF_lt.
have zhigh : 0 < z (total_of (unzip2 P)) by rewrite -toF0; apply: toF_lt.
rewrite (nth_map (0, 0)%coqZ) ?sP // /inside /= aE mulrA; apply/andP; split.
  apply: le_trans (floor_leq _ _) _ => //.
  rewrite toFM [z _.1 * _]mulrC; apply: ler_pmul.
  - by rewrite mulr_ge0 // ltW.
  - by rewrite invr_ge0 ltW.
  - by rewrite ler_pmul2l.
  by rewrite lef_pinv.
apply: le_trans _ (ceil_geq _ low0).
rewrite toFM [z _.2 * _]mulrC; apply: ler_pmul.
- by apply/ltW; rewrite !mulr_gt0.
- by rewrite invr_ge0 ltW.
- by rewrite ler_pmul2l.
by rewrite lef_pinv.
Qed.

End Softmax.

(* --- rows *)
Definition encloses (D : R) w (v : 'rV[R]_w) (s : seq (Z * Z)) : Prop :=
  size s = w /\ forall k : 'I_w, inside (D * v 0 k) (nth (0, 0)%coqZ s k).

Lemma inside_plus x y p q : inside x p -> inside y q -> inside (x + y) (plus p q).
Proof. by move=> /andP[? ?] /andP[? ?]; rewrite /inside /plus /= !toFD; apply/andP; split; apply: ler_add. Qed.

Lemma inside_scaled c x p : inside x p -> inside (z c * x) (scaled c p).
Proof.
move=> /andP[low high]; rewrite /scaled /inside; case: ifP => c0 /=; rewrite !toFM; apply/andP.
  by have z0 : 0 <= z c by [rewrite -toF0; apply/toF_leP]; split; apply: ler_wpmul2l.
have z0 : z c <= 0 by rewrite -toF0; apply: toF_leq; lia.
by split; apply: ler_wnmul2l.
Qed.

Lemma inside_exact x : inside (z x) (x, x). Proof. by rewrite /inside lexx. Qed.

Lemma size_add_multiple x r acc : size (add_multiple x r acc) = size acc.
Proof. by elim: r acc => [|c r IH] [|a acc] //=; rewrite IH. Qed.

Lemma size_times_rows w s M : size (times_rows w s M) = w.
Proof. by elim: s M => [|x s IH] [|r M] /=; rewrite ?size_nseq // size_add_multiple. Qed.

Lemma inside_add_multiple x p r acc (y : R) k : inside x p -> (k < size acc)%N ->
  inside y (nth (0, 0)%coqZ acc k) -> inside (z (nth 0%coqZ r k) * x + y) (nth (0, 0)%coqZ (add_multiple p r acc) k).
Proof.
move=> xp; elim: r acc k => [|c r IH] [|a acc] [|k] //= ka ya; rewrite ?nth_nil ?toF0 ?mul0r ?add0r //.
  by apply: inside_plus => //; apply: inside_scaled.
exact: IH.
Qed.

Lemma inside_times_rows w n (v : 'I_n -> R) s M k : (k < w)%N -> size s = n ->
  (forall i : 'I_n, inside (v i) (nth (0, 0)%coqZ s i)) ->
  inside (\sum_(i < n) z (ent M i k) * v i) (nth (0, 0)%coqZ (times_rows w s M) k).
Proof.
move=> kw; elim: n v s M => [|n IH] v [|x s] M //.
  by move=> _ _; rewrite big_ord0 /= nth_nseq kw -toF0; apply: inside_exact.
move=> [sn] vs.
case: M => [|r M] /=.
  rewrite big1 => [|i _]; last by rewrite /ent nth_nil nth_nil toF0 mul0r.
  by rewrite nth_nseq kw -toF0; apply: inside_exact.
rewrite big_ord_recl; apply: inside_add_multiple; first exact: (vs ord0).
  by rewrite size_times_rows.
by apply: (IH (fun i => v (lift ord0 i))) => // i; apply: (vs (lift ord0 i)).
Qed.

Lemma enclosesM (D : R) (q : positive) n w (v : 'rV[R]_n) s M : encloses D v s ->
  encloses (D * z (Zpos q)) (v *m mx R n w q M) (times_rows w s M).
Proof.
move=> [ss vs]; split=> [|k]; first exact: size_times_rows.
have -> : D * z (Zpos q) * (v *m mx R n w q M) 0 k = \sum_(i < n) z (ent M i k) * (D * v 0 i).
  rewrite mxE mulr_sumr; apply: eq_bigr => i _; rewrite mxE.
  have aux (x y c' q' : R) : q' != 0 -> x * q' * (y * (c' / q')) = c' * (x * y) by move=> ?; field.
  exact/aux/lt0r_neq0/toFp_gt0.
exact: inside_times_rows.
Qed.

Lemma encloses_exact h w q M (i : 'I_h) :
  encloses (z (Zpos q)) (row i (mx R h w q M)) (exact_row w (nth [::] M i)).
Proof.
split=> [|k]; first by rewrite size_map size_iota.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n !mxE mulrC divfK; first exact: inside_exact.
exact/lt0r_neq0/toFp_gt0.
Qed.

Lemma enclosesD (a b : positive) w (u v : 'rV[R]_w) s r : encloses (z (Zpos a)) u s -> encloses (z (Zpos b)) v r ->
  encloses (z (Zpos (a * b))) (u + v) (add_rows a b s r).
Proof.
move=> [ss us] [sr vr]; split=> [|k]; first by rewrite size_map size_zip ss sr minnn.
rewrite (nth_map (0, 0, (0, 0))%coqZ) ?size_zip ?ss ?sr ?minnn // nth_zip ?ss //=.
have aux (x y c1 c2 : R) : c1 * c2 * (x + y) = c2 * (c1 * x) + c1 * (c2 * y) by ring.
by rewrite mxE toFpM aux; apply: inside_plus; apply: inside_scaled.
Qed.

Lemma encloses0 (D : R) w : encloses D (0 : 'rV[R]_w) (nseq w (0, 0)%coqZ).
Proof.
by split=> [|k]; rewrite ?size_nseq // nth_nseq ltn_ord mxE mulr0 -toF0; apply: inside_exact.
Qed.
End Meaning.
