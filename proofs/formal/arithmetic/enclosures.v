(* The proved checker, enclosures: integers that enclose real numbers over a common  *)
(* denominator; exp, the logarithm of 2, square roots, softmax.                      *)
(*                                                                                   *)
(*         inside x p == p.1 <= x <= p.2                                             *)
(*   encloses D v s == the entries of D v are inside those of s (v a row vector)       *)
(*          near v x == M v is inside x, and x.1 >= 0                                 *)
(*       exp_by ... r == bounds of M exp (- r / K), by tables of powers and a series  *)
(*          log_two == bounds of K ln 2; square_root m == bounds of K sqrt m           *)
(*            alphas == enclosures of the coefficients of softmax                      *)
(*   times_rows, add_rows, exact_row == v M, v + w, literal rows                      *)
From Attest Require Import integers attention upper_bounds transcendence literal_arithmetic.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Computation                                                                 *)
(* -------------------------------------------------------------------------- *)
Definition ceil_div (a b : Z) : Z := (- (- a / b))%coqZ.
Arguments ceil_div (a b)%coqZ.

(* 2^k                                                                           *)
Definition two_power (k : nat) : positive := iter k (fun q => (2 * q)%positive) 1%positive.

(* 2^-k x, rounded down and up                                                    *)
Definition shift_down (k : nat) (x : Z) : Z := Z.shiftr x (Z.of_nat k).
Definition shift_up (k : nat) (x : Z) : Z := (- shift_down k (- x))%coqZ.

(* What a precision fixes: K = 2^point the denominator of arguments and coefficients, *)
(* M = 2^finest = 2^guard K that of powers                                            *)
Record precision := Precision { binary_point : nat; guard : nat }.

Definition finest (p : precision) : nat := (guard p + binary_point p)%N.
Definition denominator (p : precision) : positive := two_power (binary_point p).
Definition fine (p : precision) : positive := two_power (finest p).

(* bits after the point, and as many that rounding may take                        *)
Definition precision_of (bits : nat) : precision := Precision (bits + 24) (bits./2 + 40).

(* Powers by tables: exp (- r / K) is a product of exp (- i 2^s / K), i < 16, one for each s = s0, s0 + 4, ..., and of *)
(* 1 - w + w^2 / 2 - w^3 / 2 <= exp (- w) <= 1 - w + w^2 / 2, G = 2^guard                                               *)
Definition times_fixed (m : nat) (x y : Z * Z) : Z * Z := (shift_down m (x.1 * y.1)%coqZ, shift_up m (x.2 * y.2)%coqZ).

Definition small_power (m : nat) (M G r : Z) : Z * Z :=
  let a := (r * G)%coqZ in
  let s := (a * a)%coqZ in
  let square := shift_up m.+1 s in
  (Z.max 0%coqZ (M - a + shift_down m.+1 s - shift_up m (square * a)%coqZ)%coqZ, (M - a + square)%coqZ).

(* x, x base, x base^2, ...                                                         *)
Fixpoint table (m count : nat) (base x : Z * Z) : seq (Z * Z) :=
  if count is count'.+1 then x :: table m count' base (times_fixed m x base) else [:: x].
Fixpoint pick (other : Z * Z) (l : seq (Z * Z)) (i : Z) : Z * Z :=
  if l is x :: l' then if (i =? 0)%coqZ then x else pick other l' (i - 1)%coqZ else other.

(* Digits have powers by their lower ends and widths: a product then takes one multiplication *)
Definition by_width (x : Z * Z) : Z * Z := (x.1, x.2 - x.1)%coqZ.
Definition by_ends (x : Z * Z) : Z * Z := (x.1, x.1 + x.2)%coqZ.

Record digit := Digit { digit_shift : nat; digit_step : Z; digit_powers : seq (Z * Z) }.

Fixpoint digits_from (m : nat) (M : Z) (count s : nat) (base : Z * Z) (found : seq digit) : seq digit :=
  if count is count'.+1 then
    let t := table m 16 base (M, M) in
    digits_from m M count' (s + 4) (pick (0, M)%coqZ t 16%coqZ) (Digit s (Zpos (two_power s)) [seq by_width x | x <- t] :: found)
  else found.

(* x to the power 2^k                                                                *)
Fixpoint squared (m k : nat) (x : Z * Z) : Z * Z := if k is k'.+1 then squared m k' (times_fixed m x x) else x.

(* The table of s + 4 comes from that of s, which makes relative errors 16 times as large, so the first power has    *)
(* w = 2^(- point / 2 - 12); there are tables where an argument is not below 2^(- point / 3), where the series is enough *)
Definition digits_of (p : precision) : seq digit :=
  let M := Zpos (fine p) in
  let count := (binary_point p %/ 8 + 3)%N in
  let tables := (binary_point p %/ 12 + 3)%N in
  let s := (binary_point p - 4 * count)%N in
  let k := (4 * (count + 2 - tables))%N in
  let base := small_power (finest p) M (Zpos (two_power (guard p))) (Zpos (two_power s)) in
  digits_from (finest p) M tables (s + k) (squared (finest p) k base) [::].

Definition times_by_width (m : nat) (x y : Z * Z) : Z * Z := (shift_down m (x.1 * y.1)%coqZ, x.2 + y.2 + 1)%coqZ.
Fixpoint exp_by_width (m : nat) (M G : Z) (digits : seq digit) (r : Z) : Z * Z :=
  if digits is g :: digits' then
    let i := shift_down (digit_shift g) r in
    times_by_width m (pick (0, M)%coqZ (digit_powers g) i) (exp_by_width m M G digits' (r - i * digit_step g)%coqZ)
  else by_width (small_power m M G r).
Definition exp_by (m : nat) (M G : Z) (digits : seq digit) (r : Z) : Z * Z := by_ends (exp_by_width m M G digits r).

(* sum_(i >= 1) 1 / (i 2^i): a guess, which log_two checks                         *)
Fixpoint log_two_guess (k : nat) (i power : Z) : Z :=
  if k is k'.+1 then (power / i + log_two_guess k' (i + 1)%coqZ (power / 2)%coqZ)%coqZ else 0%coqZ.

Definition log_two (p : precision) (digits : seq digit) (bits : nat) : Z * Z :=
  let K := denominator p in
  let guess := log_two_guess (bits + 32) 1 (Zpos K / 2)%coqZ in
  let slack := (Z.of_nat bits + 16384)%coqZ in
  let low := (guess - slack)%coqZ in let high := (guess + slack)%coqZ in
  let exp_minus := exp_by (finest p) (Zpos (fine p)) (Zpos (two_power (guard p))) digits in
  if [&& (0 <=? low)%coqZ, (Zpos (fine p) <=? 2 * (exp_minus low).1)%coqZ &
      (2 * (exp_minus high).2 <=? Zpos (fine p))%coqZ]
  then (low, high) else (0%coqZ, Zpos K).

Definition square_root (K m : positive) : Z * Z :=
  if (m =? 1)%positive then (Zpos K, Zpos K) else
  let s := Z.sqrt (Zpos m * (Zpos K * Zpos K))%coqZ in (s, s + 1)%coqZ.

(* bounds of 2^unit_shift K times the factor of integer exponents, and powers; the factor is ln 2 / unit_steps *)
Record unit_bounds := UnitBounds { unit_low : Z; unit_high : Z; unit_shift : nat; digits : seq digit;
  unit_steps : option positive }.

Definition unit_of (p : precision) (bits : nat) (two : bool) (m N : positive) : unit_bounds :=
  let K := denominator p in
  let r := square_root K m in
  let digits := digits_of p in
  let l := if two then log_two p digits bits else (Zpos K, Zpos K) in
  let s := (Z.to_nat (Z.log2 (Zpos N)) + 24)%N in
  let q := Zpos (N * K) in
  UnitBounds (r.1 * l.1 * Zpos (two_power s) / q)%coqZ (ceil_div (r.2 * l.2 * Zpos (two_power s))%coqZ q) s digits
    (if two && (m =? 1)%positive then Some N else None).

Definition maximum (l : seq Z) : Z := foldr Z.max (head 0%coqZ l) l.
Definition total_of (l : seq Z) : Z := foldr Z.add 0%coqZ l.

(* M exp (- unit d), where it is an integer: so that equal numbers are told to be equal *)
Definition exact_power (p : precision) (M : Z) (u : unit_bounds) (d : Z) : option Z :=
  if (d =? 0)%coqZ then Some M else
  if unit_steps u is Some N then
    let k := (d / Zpos N)%coqZ in
    if (k * Zpos N =? d)%coqZ && (k <=? Z.of_nat (finest p))%coqZ
    then Some (Zpos (two_power (finest p - Z.to_nat k))) else None
  else None.

(* d >= 0; below exp (- 255) it is only bounded from above                          *)
Definition rounded_power (p : precision) (K M G : Z) (u : unit_bounds) (d : Z) : Z * Z :=
  let least := shift_down (unit_shift u) (d * unit_low u)%coqZ in
  let most := shift_up (unit_shift u) (d * unit_high u)%coqZ in
  let limit := (255 * K)%coqZ in
  let x := exp_by (finest p) M G (digits u) (Z.min limit least) in
  (if (least <=? limit)%coqZ then Z.max 0%coqZ (shift_down (binary_point p) (x.1 * (K - (most - least)))%coqZ) else 0%coqZ, x.2).

Definition power (p : precision) (K M G : Z) (u : unit_bounds) (d : Z) : Z * Z :=
  if exact_power p M u d is Some x then (x, x) else rounded_power p K M G u d.

Definition alphas (p : precision) (u : unit_bounds) (l : seq Z) : seq (Z * Z) :=
  let top := maximum l in
  let K := Zpos (denominator p) in
  let M := Zpos (fine p) in
  let G := Zpos (two_power (guard p)) in
  let powers := [seq power p K M G u (top - x)%coqZ | x <- l] in
  let low := total_of (unzip1 powers) in let high := total_of (unzip2 powers) in
  if (0 <? low)%coqZ && (0 <? high)%coqZ then
    [seq (x.1 * K / high, ceil_div (x.2 * K) low)%coqZ | x <- powers]
  else [seq (0%coqZ, K) | _ <- l].

Definition scaled_enclosure (c : Z) (x : Z * Z) : Z * Z :=
  if (0 <=? c)%coqZ then (c * x.1, c * x.2)%coqZ else (c * x.2, c * x.1)%coqZ.
Definition plus (x y : Z * Z) : Z * Z := (x.1 + y.1, x.2 + y.2)%coqZ.

(* x r + acc                                                                        *)
Fixpoint add_multiple (x : Z * Z) (r : seq Z) (acc : seq (Z * Z)) : seq (Z * Z) :=
  match r, acc with
  | c :: r', a :: acc' => plus (scaled_enclosure c x) a :: add_multiple x r' acc'
  | _, _ => acc
  end.
Fixpoint times_rows (w : nat) (s : seq (Z * Z)) (M : seq (seq Z)) : seq (Z * Z) :=
  match s, M with
  | x :: s', r :: M' => add_multiple x r (times_rows w s' M')
  | _, _ => nseq w (0, 0)%coqZ
  end.

(* v over the denominator a plus w over b, over a b                                  *)
Definition add_rows (a b : positive) (v w : seq (Z * Z)) : seq (Z * Z) :=
  [seq plus (scaled_enclosure (Zpos b) x.1) (scaled_enclosure (Zpos a) x.2) | x <- zip v w].

Definition exact_row (w : nat) (r : seq Z) : seq (Z * Z) := [seq (nth 0 r k, nth 0 r k)%coqZ | k <- iota 0 w].

(* -------------------------------------------------------------------------- *)
(* Meaning                                                                     *)
(* -------------------------------------------------------------------------- *)
Section Meaning.
Variable R : realType.
Local Notation z := (toF R).

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

(* --- the logarithm of 2 and square roots *)
Lemma two_powerE k : z (Zpos (two_power k)) = 2%:R ^+ k.
Proof. by elim: k => [|k IH]; rewrite ?toF1 // /two_power iterS toFpM toF2 exprS -IH. Qed.

Lemma fine_scale p : z (Zpos (fine p)) = z (Zpos (two_power (guard p))) * z (Zpos (denominator p)).
Proof. by rewrite !two_powerE -exprD. Qed.

Lemma two_power_pow k : Zpos (two_power k) = (2 ^ Z.of_nat k)%coqZ.
Proof.
elim: k => [|k IH] //; rewrite Nat2Z.inj_succ Z.pow_succ_r; last lia.
by rewrite /two_power iterS Pos2Z.inj_mul -IH.
Qed.

Lemma shift_downE k x : shift_down k x = (x / Zpos (two_power k))%coqZ.
Proof. by rewrite two_power_pow; apply: Z.shiftr_div_pow2; lia. Qed.
Lemma shift_down_leq k x : z (shift_down k x) <= z x / 2%:R ^+ k.
Proof. by rewrite shift_downE -two_powerE; apply: floor_leq. Qed.
Lemma shift_up_geq k x : z x / 2%:R ^+ k <= z (shift_up k x).
Proof. by rewrite /shift_up toFN ler_oppr -mulNr -toFN; apply: shift_down_leq. Qed.
Lemma shift_down_geq0 k x : (0 <= x)%coqZ -> (0 <= shift_down k x)%coqZ.
Proof. by move=> x0; rewrite shift_downE; apply: Z.div_pos; lia. Qed.

Lemma ln2_gt0 : 0 < ln 2%:R :> R. Proof. by rewrite ln_gt0 // ltr1n. Qed.

Lemma square_rootP K m (s := square_root K m) :
  (0 <= s.1)%coqZ /\ z s.1 <= z (Zpos K) * Num.sqrt (z (Zpos m)) <= z s.2.
Proof.
have K0 := toFp_gt0 R K; have m0 := toFp_gt0 R m.
rewrite {}/s /square_root; case: ifP => [/Pos.eqb_eq ->|_].
  by rewrite toF1 sqrtr1 mulr1 lexx.
set N := (Zpos m * (Zpos K * Zpos K))%coqZ; have N0 : (0 <= N)%coqZ by lia.
have [low high] := Z.sqrt_spec N N0; have s0 := Z.sqrt_nonneg N.
have NE : z N = (z (Zpos K) * Num.sqrt (z (Zpos m))) ^+ 2.
  by rewrite exprMn sqr_sqrtr ?ltW // toFM (toFM R (Zpos K)) mulrC expr2.
have y0 : 0 <= z (Zpos K) * Num.sqrt (z (Zpos m)) by rewrite mulr_ge0 ?sqrtr_ge0 // ltW.
have le_square a : (0 <= a)%coqZ -> 0 <= z a by move=> a0; rewrite -toF0; apply: toF_leq.
split=> //; apply/andP; split; rewrite -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?le_square // -?NE; try lia.
  by rewrite expr2 -toFM; apply: toF_leq.
by rewrite expr2 -toFM; apply: toF_leq; apply: Z.lt_le_incl high.
Qed.

(* --- powers by tables *)
Definition inside (x : R) (p : Z * Z) : Prop := z p.1 <= x <= z p.2.

Section Powers.
Variable p : precision.
Local Notation M := (z (Zpos (fine p))).
Local Notation K := (z (Zpos (denominator p))).
Let M0 : 0 < M. Proof. exact: toFp_gt0. Qed.
Let K0 : 0 < K. Proof. exact: toFp_gt0. Qed.

Definition fine_inside (v : R) (x : Z * Z) : Prop := (0 <= x.1)%coqZ /\ inside (M * v) x.

Lemma near_times v w x y : fine_inside v x -> fine_inside w y -> fine_inside (v * w) (times_fixed (finest p) x y).
Proof.
move=> [x0 /andP[vl vh]] [y0 /andP[wl wh]]; split; first by apply: shift_down_geq0; rewrite /=; nia.
have zx : 0 <= z x.1 by rewrite -toF0; apply: toF_leq.
have zy : 0 <= z y.1 by rewrite -toF0; apply: toF_leq.
have E : M * (v * w) = (M * v) * (M * w) / 2%:R ^+ finest p.
  by rewrite -two_powerE -/(fine p); move: (lt0r_neq0 M0) => m0; field.
have m0 : 0 <= (2%:R ^+ finest p : R)^-1 by rewrite invr_ge0 exprn_ge0 // ler0n.
rewrite E; apply/andP; split.
  by apply: le_trans (shift_down_leq _ _) _; rewrite toFM ler_wpmul2r // ler_pmul.
apply: le_trans _ (shift_up_geq _ _); rewrite toFM ler_wpmul2r // ler_pmul //; exact: le_trans zx vl || exact: le_trans zy wl.
Qed.

(* v w M <= x y / M + (widths of x and y), as v M, w M <= M                            *)
Lemma near_times_by_width v w x y : v <= 1 -> w <= 1 -> fine_inside v (by_ends x) -> fine_inside w (by_ends y) ->
  fine_inside (v * w) (by_ends (times_by_width (finest p) x y)).
Proof.
move=> v1 w1 xP yP; have [x0 /andP[vl vh]] := xP; have [y0 /andP[wl wh]] := yP.
have [t0 /andP[tl _]] := near_times xP yP; split=> //; apply/andP; split=> //.
move: x0 y0 vl vh wl wh {xP yP t0 tl}; rewrite /by_ends /times_by_width /= !toFD toF1 => x0 y0 vl vh wl wh.
have zx : 0 <= z x.1 by rewrite -toF0; apply: toF_leq.
have vM : M * v <= M by rewrite -[X in _ <= X]mulr1 ler_pmul2l.
have wM : M * w <= M by rewrite -[X in _ <= X]mulr1 ler_pmul2l.
have a0 : 0 <= z x.2 by move: (le_trans vl vh); rewrite ler_addl.
have b0 : 0 <= z y.2 by move: (le_trans wl wh); rewrite ler_addl.
rewrite -(ler_pmul2l M0).
apply: le_trans (_ : z x.1 * z y.1 + M * (z x.2 + z y.2) <= _).
  have -> : M * (M * (v * w)) = M * v * (M * w) by ring.
  apply: le_trans (_ : z x.1 * (z y.1 + z y.2) + z x.2 * M <= _).
    apply: le_trans (_ : (z x.1 + z x.2) * (M * w) <= _).
      by rewrite ler_wpmul2r // (le_trans _ wl) // -toF0; apply: toF_leq.
    by rewrite mulrDl ler_add // ler_wpmul2l.
  rewrite mulrDr mulrDr addrA [z x.2 * M]mulrC addrAC ler_add2l ler_wpmul2r //; exact: le_trans vM.
have -> : M * (z (shift_down (finest p) (x.1 * y.1)) + (z x.2 + z y.2 + 1)) =
    z ((shift_down (finest p) (x.1 * y.1) + 1) * Zpos (fine p))%coqZ + M * (z x.2 + z y.2).
  by rewrite toFM toFD toF1; ring.
rewrite ler_add2r -toFM; apply: toF_leq; rewrite shift_downE /fine.
by apply: Z.lt_le_incl; rewrite [X in (_ < X)%coqZ]Z.mul_comm Z.add_1_r; apply: Z.mul_succ_div_gt.
Qed.

Lemma near_any v : 0 <= v <= 1 -> fine_inside v (0%coqZ, Zpos (fine p)).
Proof.
move=> /andP[v0 v1]; split=> //; apply/andP; split=> /=; first by rewrite toF0 mulr_ge0 // ltW.
by rewrite -[X in _ <= X]mulr1 ler_pmul2l.
Qed.

Definition power_of (a : Z) : R := expR (- (z a / K)).

Lemma power_ofD a b : power_of (a + b)%coqZ = power_of a * power_of b.
Proof. by rewrite /power_of toFD mulrDl opprD expRD. Qed.
Lemma power_of0 : power_of 0 = 1. Proof. by rewrite /power_of toF0 mul0r oppr0 expR0. Qed.
Lemma power_of_ge0 a : 0 <= power_of a. Proof. exact/ltW/expR_gt0. Qed.
Lemma power_of_leq1 a : (0 <= a)%coqZ -> power_of a <= 1.
Proof.
by move=> a0; rewrite -expR0 ler_expR oppr_le0 divr_ge0 ?(ltW K0) // -toF0; apply: toF_leq.
Qed.

Lemma pick_table count step base v x i : (0 <= step)%coqZ -> (0 <= i)%coqZ -> 0 <= v <= 1 -> fine_inside (power_of step) base ->
  fine_inside v x -> fine_inside (v * power_of (i * step)) (pick (0%coqZ, Zpos (fine p)) (table (finest p) count base x) i).
Proof.
move=> s0; elim: count v x i => [|count IH] v x i i0 v01 baseP xP /=; case: ifP => [/Z.eqb_eq ->|/Z.eqb_neq ne];
    rewrite ?Z.mul_0_l ?power_of0 ?mulr1 //.
  have /andP[v0 v1] := v01; apply: near_any; rewrite mulr_ge0 ?power_of_ge0 //=.
  by rewrite mulr_ile1 ?power_of_ge0 // power_of_leq1 //; nia.
have -> : v * power_of (i * step) = v * power_of step * power_of ((i - 1) * step)%coqZ.
  by rewrite -mulrA -power_ofD; congr (_ * power_of _); ring.
have /andP[v0 v1] := v01.
apply: IH => //; [lia| |exact: near_times].
by rewrite mulr_ge0 ?power_of_ge0 //= mulr_ile1 ?power_of_ge0 // power_of_leq1.
Qed.

Definition good_digit (g : digit) : Prop := digit_step g = Zpos (two_power (digit_shift g)) /\
  forall i, (0 <= i)%coqZ -> fine_inside (power_of (i * digit_step g)) (by_ends (pick (0%coqZ, Zpos (fine p)) (digit_powers g) i)).

Lemma by_widthK x : by_ends (by_width x) = x.
Proof. by case: x => a b; rewrite /by_ends /by_width /=; congr pair; lia. Qed.

Lemma pick_by_width a l i : by_ends (pick (0, a)%coqZ [seq by_width x | x <- l] i) = pick (0, a)%coqZ l i.
Proof. by elim: l i => //= x l IH i; case: ifP => _; rewrite ?by_widthK. Qed.

Lemma digits_fromP count s base found : fine_inside (power_of (Zpos (two_power s))) base ->
    (forall g, List.In g found -> good_digit g) ->
  forall g, List.In g (digits_from (finest p) (Zpos (fine p)) count s base found) -> good_digit g.
Proof.
elim: count s base found => //= count IH s base found baseP foundP.
have tableP i : (0 <= i)%coqZ -> fine_inside (power_of (i * Zpos (two_power s)))
    (pick (0%coqZ, Zpos (fine p)) (table (finest p) 16 base (Zpos (fine p), Zpos (fine p))) i).
  move=> i0; rewrite -[power_of _]mul1r; apply: pick_table => //; first by rewrite ler01 lexx.
  by split=> //; rewrite /inside mulr1 lexx.
apply: IH => [|g [<-|/foundP //]]; last by split=> // i i0; move: (tableP i i0); rewrite -pick_by_width.
have -> : Zpos (two_power (s + 4)) = (16 * Zpos (two_power s))%coqZ by rewrite /two_power addnC iterD /=; lia.
have sixteen : (0 <= 16)%coqZ by lia.
exact (tableP _ sixteen).
Qed.

Lemma expN_geq3 (w : R) : 0 <= w -> (1 - w) * (1 + w ^+ 2 / 2%:R) <= expR (- w).
Proof.
move=> w0; have [w1|w1] := ltP w 1; last first.
  apply: le_trans (_ : 0 <= _); last exact/ltW/expR_gt0.
  by rewrite mulr_le0_ge0 ?subr_le0 // addr_ge0 ?ler01 // divr_ge0 ?sqr_ge0 ?ler0n.
have w01 : 0 <= w < 1 by rewrite w0.
apply: le_trans (expN_geq2 w01); have q0 : 0 < 2%:R - w ^+ 2.
  by rewrite subr_gt0; apply: lt_trans (_ : 1 < _); rewrite ?ltr1n // exprn_ilt1.
rewrite ler_pdivl_mulr // (_ : _ * _ * _ = (1 - w) * (2%:R - (w ^+ 2) ^+ 2 / 2%:R)); last by field.
rewrite [X in _ <= X]mulrC ler_pmul2l ?subr_gt0 //.
by rewrite ler_subl_addr ler_addl divr_ge0 ?sqr_ge0 ?ler0n.
Qed.

Lemma small_powerP r : (0 <= r)%coqZ ->
  fine_inside (power_of r) (small_power (finest p) (Zpos (fine p)) (Zpos (two_power (guard p))) r).
Proof.
move=> r0; rewrite /small_power; set a := (r * _)%coqZ.
set f := shift_down _ _; set q := shift_up (finest p).+1 _; set c := shift_up _ _.
have a0 : (0 <= a)%coqZ by rewrite /a; nia.
have za : 0 <= z a by rewrite -toF0; apply: toF_leq.
have [w [w0 aE wE]] : exists w, [/\ 0 <= w, z a = M * w & power_of r = expR (- w)].
  exists (z a / M); split; [by rewrite divr_ge0 // ltW|by rewrite mulrC divfK // lt0r_neq0|].
  rewrite /power_of /a toFM fine_scale; congr (expR (- _)).
  by rewrite invfM mulrA mulfK // lt0r_neq0 // toFp_gt0.
have m0 := lt0r_neq0 M0.
have sqE : M * (w ^+ 2 / 2%:R) = z (a * a)%coqZ / 2%:R ^+ (finest p).+1.
  rewrite toFM [2%:R ^+ _.+1]exprS -two_powerE -/(fine p) aE.
  by move: M m0 => x x0; field.
have qP : M * (w ^+ 2 / 2%:R) <= z q by rewrite sqE; apply: shift_up_geq.
have fP : z f <= M * (w ^+ 2 / 2%:R) by rewrite sqE; apply: shift_down_leq.
have cP : z q * w <= z c.
  apply: le_trans _ (shift_up_geq _ _); rewrite toFM -two_powerE -/(fine p) aE.
  by rewrite [M * w]mulrC mulrA mulfK.
have highE : z (Zpos (fine p) - a + q)%coqZ = M - M * w + z q by rewrite toFD toFB aE.
move: highE; set high := (_ - _ + _)%coqZ => highE.
have low : z (Zpos (fine p) - a + f - c)%coqZ <= M * expR (- w).
  apply: le_trans (_ : _ <= M * ((1 - w) * (1 + w ^+ 2 / 2%:R))) _; last by rewrite ler_pmul2l // expN_geq3.
  rewrite toFB toFD toFB aE.
  have -> : M * ((1 - w) * (1 + w ^+ 2 / 2%:R)) = M - M * w + M * (w ^+ 2 / 2%:R) - M * (w ^+ 2 / 2%:R) * w by field.
  apply: ler_sub; first by rewrite ler_add2l.
  by apply: le_trans cP; rewrite ler_wpmul2r.
rewrite wE; split; first exact: Z.le_max_l.
apply/andP; rewrite [X in z X <= _]/fst [X in _ <= z X]/snd; split.
  have [[_ ->]|[_ ->]] := Z.max_spec 0%coqZ (Zpos (fine p) - a + f - c)%coqZ => //.
  by rewrite toF0 mulr_ge0 ?(ltW M0) // ltW ?expR_gt0.
apply: le_trans (_ : M * (1 - w + w ^+ 2 / 2%:R) <= _); first by rewrite ler_pmul2l // expN_leq2.
by rewrite highE !mulrDr mulrN mulr1 ler_add2l.
Qed.

Lemma squaredP k s x : fine_inside (power_of (Zpos (two_power s))) x ->
  fine_inside (power_of (Zpos (two_power (s + k)))) (squared (finest p) k x).
Proof.
elim: k s x => [|k IH] s x xP; first by rewrite addn0.
rewrite addnS -addSn; apply: IH.
have -> : Zpos (two_power s.+1) = (Zpos (two_power s) + Zpos (two_power s))%coqZ by rewrite /two_power iterS; lia.
by rewrite power_ofD; apply: near_times.
Qed.

Lemma digits_ofP : forall g, List.In g (digits_of p) -> good_digit g.
Proof. by apply: digits_fromP => //; apply: squaredP; apply: small_powerP. Qed.

Lemma exp_byP (gs : seq digit) r : (forall g, List.In g gs -> good_digit g) -> (0 <= r)%coqZ ->
  fine_inside (power_of r) (exp_by (finest p) (Zpos (fine p)) (Zpos (two_power (guard p))) gs r).
Proof.
rewrite /exp_by; elim: gs r => [|g gs IH] r good r0 /=; first by rewrite by_widthK; apply: small_powerP.
have [stepE gP] := good g (or_introl erefl); set i := shift_down _ _.
have i0 : (0 <= i)%coqZ by apply: shift_down_geq0.
have ir : (i * digit_step g <= r)%coqZ.
  have := Z.mul_div_le r (Zpos (two_power (digit_shift g))) erefl; rewrite stepE /i shift_downE; lia.
have -> : power_of r = power_of (i * digit_step g) * power_of (r - i * digit_step g).
  by rewrite -power_ofD; congr power_of; ring.
have step0 : (0 <= i * digit_step g)%coqZ by rewrite stepE; nia.
apply: near_times_by_width; [exact: power_of_leq1|apply: power_of_leq1; lia|exact: gP|].
by apply: IH; [move=> g' g'gs; apply: good; right|lia].
Qed.
End Powers.

Lemma log_twoP p bits (l := log_two p (digits_of p) bits) :
  (0 <= l.1)%coqZ /\ z l.1 <= z (Zpos (denominator p)) * ln 2%:R <= z l.2.
Proof.
have K0 : 0 < z (Zpos (denominator p)) := toFp_gt0 R _.
have M0 : 0 < z (Zpos (fine p)) := toFp_gt0 R _.
have two : expR (- ln 2%:R) = 2%:R^-1 :> R by rewrite expRN lnK // posrE ltr0n.
rewrite {}/l /log_two; set low := (_ - _)%coqZ; set high := (_ + _)%coqZ; set e := exp_by _ _ _ _.
have eP a : (0 <= a)%coqZ -> fine_inside p (power_of p a) (e a) by apply: exp_byP; apply: digits_ofP.
clearbody e; case: ifP => [/and3P[/Z.leb_le low0 /Z.leb_le below /Z.leb_le above] /=|_ /=]; last first.
  split; first lia.
  rewrite toF0 mulr_ge0 ?(ltW K0) ?(ltW ln2_gt0) //= -[X in _ <= X]mulr1 ler_pmul2l //.
  rewrite -ler_expR lnK ?posrE ?ltr0n //; apply: expR_ge1Dx; exact: ler01.
split=> //; apply/andP; split.
  rewrite [X in _ <= X]mulrC -ler_pdivr_mulr // -ler_opp2 -ler_expR two.
  have [_ /andP[le_exp _]] := eP _ low0.
  have := toF_leq R below; rewrite toFM toF2 => le2.
  rewrite -(ler_pmul2l M0); apply: le_trans _ le_exp.
  by rewrite ler_pdivr_mulr ?ltr0n // mulrC.
have high0 : (0 <= high)%coqZ by lia.
rewrite [X in X <= _]mulrC -ler_pdivl_mulr // -ler_opp2 -ler_expR two.
have [_ /andP[_ le_exp]] := eP _ high0.
have := toF_leq R above; rewrite toFM toF2 => le2.
rewrite -(ler_pmul2l M0); apply: le_trans le_exp _.
by rewrite ler_pdivl_mulr ?ltr0n // mulrC.
Qed.

Lemma unit_ofP p bits two m N (u := unit_of p bits two m N) :
  [/\ (0 <= unit_low u)%coqZ, z (unit_low u)
    <= 2%:R ^+ unit_shift u * (z (Zpos (denominator p)) * ((if two then ln 2%:R else 1) * (Num.sqrt (z (Zpos m)) / z (Zpos N))))
    <= z (unit_high u), digits u = digits_of p & forall N', unit_steps u = Some N' ->
  (if two then ln 2%:R else 1) * (Num.sqrt (z (Zpos m)) / z (Zpos N)) * z (Zpos N') = ln 2%:R].
Proof.
rewrite {}/u /unit_of /=; set K := denominator p; set s := (_ + 24)%N.
have [s0 /andP[slow shigh]] := square_rootP K m; set q := square_root K m in s0 slow shigh *.
set l := if two then _ else _; set c := if two then _ else _.
have [l0 /andP[llow lhigh]] : (0 <= l.1)%coqZ /\ z l.1 <= z (Zpos K) * c <= z l.2.
  by rewrite /l /c; case: (two) => /=; [apply: log_twoP|rewrite mulr1 lexx].
have le_z a : (0 <= a)%coqZ -> 0 <= z a by move=> a0; rewrite -toF0; apply: toF_leq.
have t0 : 0 <= z (Zpos (two_power s)) by apply: ltW; apply: toFp_gt0.
split=> //; first by apply: Z.div_pos => //; do 2![apply: Z.mul_nonneg_nonneg => //].
2: { rewrite /c => N'; case E: (two && (m =? 1)%positive) => // -[<-]; move/andP: E => [-> /Peqb_true_eq ->].
  by rewrite toF1 sqrtr1 mul1r mulfVK // lt0r_neq0 // toFp_gt0. }
have NK0 : 0 < z (Zpos (N * K)) := toFp_gt0 R _.
rewrite -two_powerE (_ : _ * _ = z (Zpos K) * Num.sqrt (z (Zpos m)) * (z (Zpos K) * c) * z (Zpos (two_power s))
    / z (Zpos (N * K))); last first.
  by rewrite toFpM; have N0 := lt0r_neq0 (toFp_gt0 R N); have K0 := lt0r_neq0 (toFp_gt0 R K); field; rewrite N0 K0.
apply/andP; split.
  apply: le_trans (floor_leq _ _) _ => //; rewrite ler_pmul2r ?invr_gt0 // !toFM ler_wpmul2r //.
  by apply: ler_pmul => //; apply: le_z.
apply: le_trans _ (ceil_geq _ _) => //; rewrite ler_pmul2r ?invr_gt0 // !toFM ler_wpmul2r //.
apply: ler_pmul => //; [exact: le_trans (le_z _ s0) slow|exact: le_trans (le_z _ l0) llow].
Qed.

(* --- softmax *)
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
Hypotheses (u0 : (0 <= unit_low u)%coqZ) (uP : z (unit_low u)
  <= 2%:R ^+ unit_shift u * (z (Zpos (denominator p)) * kappa) <= z (unit_high u)).
Hypothesis powers : forall g, List.In g (digits u) -> good_digit p g.
Hypothesis stepsP : forall N, unit_steps u = Some N -> kappa * z (Zpos N) = ln 2%:R.
Hypothesis sl : size l = n.

Lemma exact_powerP d x : (0 <= d)%coqZ -> exact_power p (Zpos (fine p)) u d = Some x ->
  z x = z (Zpos (fine p)) * expR (- (kappa * z d)) /\ 0 <= z x.
Proof.
move=> d0 found; have pos a : 0 <= z (Zpos a) by apply/ltW/toFp_gt0.
move: found; rewrite /exact_power; case: ifP => [/Z.eqb_eq -> [<-]|_].
  by split; rewrite // toF0 mulr0 oppr0 expR0 mulr1.
case E: (unit_steps u) => [N|] //; set k := (d / Zpos N)%coqZ.
case: ifP => // /andP[/Z.eqb_eq dE /Z.leb_le kf] [<-]; split=> //.
have k0 : (0 <= k)%coqZ by apply: Z.div_pos.
have kn : (Z.to_nat k <= finest p)%N by apply/ssrnat.leP; lia.
have zk : z k = (Z.to_nat k)%:R by rewrite /toF (_ : int_of_Z k = (Z.to_nat k)%:Z) //; lia.
rewrite -dE toFM mulrCA (stepsP E) zk -mulrN expRMm expRN lnK ?posrE ?ltr0n //.
by rewrite two_powerE two_powerE exprVn exprB // unitfE pnatr_eq0.
Qed.

Lemma rounded_powerP d (x := rounded_power p (Zpos (denominator p)) (Zpos (fine p)) (Zpos (two_power (guard p))) u d) :
  (0 <= d)%coqZ ->
  inside (z (Zpos (fine p)) * expR (- (kappa * z d))) x /\ 0 <= z x.1.
Proof.
move=> d0; have K0 := toFp_gt0 R (denominator p); have M0 := toFp_gt0 R (fine p).
have zd : 0 <= z d by rewrite -toF0; apply: toF_leq.
have [low high] := andP uP; have s0 : 0 < 2%:R ^+ unit_shift u :> R by rewrite exprn_gt0 // ltr0n.
rewrite {}/x /rounded_power; set b := shift_down (unit_shift u) _; set a := shift_up _ _.
set lim := (255 * _)%coqZ; set y := exp_by _ _ _ _ _.
set K := z (Zpos (denominator p)) in K0 low high *.
have b0 : (0 <= b)%coqZ by apply: shift_down_geq0; apply: Z.mul_nonneg_nonneg.
have scale_eq (t : R) : K * (kappa * z d) * t = z d * (t * (K * kappa)) by ring.
have bP : z b <= K * (kappa * z d).
  apply: le_trans (shift_down_leq _ _) _; rewrite ler_pdivr_mulr // toFM.
  by rewrite scale_eq ler_wpmul2l.
have aP : K * (kappa * z d) <= z a.
  apply: le_trans _ (shift_up_geq _ _); rewrite ler_pdivl_mulr // toFM.
  by rewrite scale_eq ler_wpmul2l.
have lim0 : (0 <= Z.min lim b)%coqZ by apply: Z.min_glb b0; rewrite /lim; exact: Pos2Z.is_nonneg.
have [y0 /andP[ylow yhigh]] : fine_inside p (power_of p (Z.min lim b)) y := exp_byP powers lim0.
clearbody y a b lim.
have minb : z (Z.min lim b) <= z b by apply: toF_leq; apply: Z.le_min_r.
have minE : (b <=? lim)%coqZ -> Z.min lim b = b by move=> /Z.leb_le; apply: Z.min_r.
have zy : 0 <= z y.1 by rewrite -toF0; apply: toF_leq.
have E0 := expR_gt0 (- (kappa * z d)).
have P0 : 0 <= z (Zpos (fine p)) * expR (- (kappa * z d)) by apply/ltW/mulr_gt0.
split; last by rewrite -toF0; apply: toF_leq; rewrite [X in (_ <= X)%coqZ]/fst; case: ifP => _; [apply: Z.le_max_l|].
apply/andP; rewrite [X in z X <= _]/fst [X in _ <= z X]/snd; split; last first.
  apply: le_trans _ yhigh; rewrite ler_pmul2l // ler_expR ler_opp2 ler_pdivr_mulr // mulrC.
  exact: le_trans minb bP.
case: ifP => [/minE bE|_]; last by rewrite toF0.
rewrite bE in ylow yhigh.
have [[_ ->]|[_ ->]] := Z.max_spec 0%coqZ (shift_down (binary_point p) (y.1 * (Zpos (denominator p) - (a - b)))%coqZ); last first.
  by rewrite toF0.
apply: le_trans (shift_down_leq _ _) _; rewrite -two_powerE -/(denominator p) ler_pdivr_mulr // -/K.
(* exp (- kappa d) >= exp (- b / K) (1 - (a - b) / K) *)
pose v := kappa * z d - z b / K.
have v0 : 0 <= v by rewrite subr_ge0 ler_pdivr_mulr // mulrC.
have -> : expR (- (kappa * z d)) = power_of p b * expR (- v).
  by rewrite -expRD; congr expR; rewrite /v -/K; ring.
have vE : 1 - v <= expR (- v) by have /andP[] := expN_bounds v0.
have vK : K - z (a - b)%coqZ <= K * (1 - v).
  rewrite mulrBr mulr1 ler_add2l ler_opp2 /v mulrBr toFB [K * (z b / K)]mulrC divfK ?lt0r_neq0 //.
  by rewrite ler_add2r.
rewrite toFM toFB; have [neg|pos] := lerP (K - z (a - b)%coqZ) 0.
  apply: le_trans (_ : 0 <= _); first by rewrite mulr_ge0_le0.
  apply/ltW/mulr_gt0; last exact: K0.
  by apply: mulr_gt0; [exact: M0|apply: mulr_gt0; apply: expR_gt0].
rewrite (_ : _ * _ * K = (z (Zpos (fine p)) * power_of p b) * (K * expR (- v))); last by ring.
apply: ler_pmul => //; first exact: ltW.
by apply: le_trans vK _; rewrite ler_pmul2l.
Qed.

Lemma powerP d (x := power p (Zpos (denominator p)) (Zpos (fine p)) (Zpos (two_power (guard p))) u d) : (0 <= d)%coqZ ->
  inside (z (Zpos (fine p)) * expR (- (kappa * z d))) x /\ 0 <= z x.1.
Proof.
rewrite {}/x /power => d0; case E: (exact_power _ _ _ _) => [y|]; last exact: rounded_powerP.
by have [<- y0] := exact_powerP d0 E; rewrite /inside !lexx.
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
have K0 := toFp_gt0 R (denominator p); have M0 := toFp_gt0 R (fine p).
rewrite /alphas; set P := [seq power _ _ _ _ _ _ | _ <- _].
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

Lemma inside_scaled c x p : inside x p -> inside (z c * x) (scaled_enclosure c p).
Proof.
move=> /andP[low high]; rewrite /scaled_enclosure /inside; case: ifP => c0 /=; rewrite !toFM; apply/andP.
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
