(* Hermite's theorem and its quadratic case: for a positive integer m, exp (sqrt m) is transcendental, over *)
(* any realType; m = 1 is the transcendence of e.  Hence for rational r_i that are pairwise different the  *)
(* numbers exp (r_i sqrt m) are linearly independent over the rationals: the ring that they generate is    *)
(* the group ring of (Q, +), as certificates in base e need it.                                           *)
(*                                                                                                        *)
(* Proof.  Let P(exp (sqrt m)) = 0 with integers p_k not all 0; write a for sqrt m.  Multiplied with        *)
(* P(exp (- a)) this is sum_(k, j) p_k p_j exp ((k - j) a) = 0, an expression that a -> - a leaves alone.   *)
(* For a prime q let f = X^(q-1) (prod_(0 < l <= n) (X^2 - l^2 m))^q, which has integer coefficients, and   *)
(*   J = sum_(k, j) p_k p_j lap (f (X + (k - j) a)),   lap (X^i) = i!.                                     *)
(* The terms with k <> j come in conjugate pairs, f (X + (k - j) a) is divisible by X^q, so their sum is an *)
(* integer multiple of q!; the terms with k = j are (sum_k p_k^2) lap f.  So J is (q - 1)! times an integer *)
(* that q does not divide once q is large: |J| >= (q - 1)!.  But lap f exp x and lap (f (X + x)) differ     *)
(* little, so that |J| <= A B^q with A and B independent of q, which is smaller.  No integral is needed.   *)
(*                                                                                                        *)
(*                lap g == the linear form on polynomials with lap 'X^i = i!                              *)
(*          dominated g h == the coefficients of g are at most those of h, in absolute value               *)
(*            eval_at x == the ring morphism p |-> p(x) from {poly int}                                   *)
(*   exp_sqrt_transcendental == p(exp (sqrt m)) != 0 for every integer polynomial p != 0 and m > 0         *)
(*          e_transcendental == the same for e                                                            *)
(*   exp_sqrt_independent, exp_independent == linear independence over rat of exp (r_i sqrt m), exp (r_i)  *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra classical_sets ring zify.

(* ------------------------------------------------------------------------------------------------------ *)
(* The linear form X^i |-> i!                                                                              *)
(* ------------------------------------------------------------------------------------------------------ *)
Section Laplace.
Variable R : comRingType.
Implicit Types g h : {poly R}.

Definition lap g : R := \sum_(m < size g) m`!%:R * g`_m.

Lemma lapE N g : (size g <= N)%N -> lap g = \sum_(m < N) m`!%:R * g`_m.
Proof.
move=> sg; rewrite /lap (big_ord_widen _ (fun m => m`!%:R * g`_m) sg) big_mkcond.
by apply: eq_bigr => m _; case: ltnP => // h; rewrite nth_default ?mulr0.
Qed.

Fact lap_is_linear : scalar lap.
Proof.
move=> c g h; pose N := maxn (size g) (size h).
have sg : (size g <= N)%N by apply: leq_maxl.
have sh : (size h <= N)%N by apply: leq_maxr.
have sgh : (size (c *: g + h)%R <= N)%N.
  rewrite (leq_trans (size_add _ _)) // geq_max sh andbT.
  by rewrite (leq_trans (size_scale_leq _ _)).
rewrite (lapE sg) (lapE sh) (lapE sgh) mulr_sumr -big_split; apply: eq_bigr => m _ /=.
by rewrite coefD coefZ mulrDr mulrCA.
Qed.
Canonical lap_additive := Additive lap_is_linear.
Canonical lap_linear := Linear lap_is_linear.

Lemma lap_XnM a g : lap ('X^a * g) = \sum_(m < size g) (a + m)`!%:R * g`_m.
Proof.
have s : (size ('X^a * g)%R <= a + size g)%N.
  by rewrite (leq_trans (size_mul_leq _ _)) // size_polyXn.
rewrite (lapE s) big_split_ord /= big1 ?add0r => [|i _]; last first.
  by rewrite coefXnM ltn_ord mulr0.
by apply: eq_bigr => i _; rewrite coefXnM ltnNge leq_addr addKn.
Qed.

Lemma lap_Xn a : lap 'X^a = a`!%:R.
Proof.
by rewrite -[_ ^+ _]mulr1 lap_XnM size_poly1 big_ord1 addn0 coef1 eqxx mulr1.
Qed.

Lemma lap_dvd a g : exists z, lap ('X^a * g) = a`!%:R * z.
Proof.
exists (\sum_(m < size g) ((a + m) ^_ m)%:R * g`_m).
rewrite lap_XnM mulr_sumr; apply: eq_bigr => m _; rewrite mulrA -natrM mulnC.
by rewrite -[in LHS](ffact_fact (leq_addl a m)) addnK.
Qed.

Lemma lap_shift g (c : R) : lap (g \Po ('X + c%:P)) =
  \sum_(i < size g) g`_i * \sum_(j < i.+1) ('C(i, j) * (i - j)`!)%:R * c ^+ j.
Proof.
rewrite comp_polyE linear_sum; apply: eq_bigr => i _ /=.
rewrite linearZ /=; congr (_ * _); rewrite exprDn linear_sum; apply: eq_bigr => j _ /=.
rewrite -rmorphX mulrC mul_polyC -scaler_nat scalerA linearZ /= lap_Xn.
by rewrite natrM mulrAC.
Qed.

End Laplace.

Lemma lap_map (R S : comRingType) (phi : {rmorphism R -> S}) (g : {poly R}) :
  lap (map_poly phi g) = phi (lap g).
Proof.
rewrite (lapE (size_poly _ _)) rmorph_sum; apply: eq_bigr => m _ /=.
by rewrite coef_map rmorphM /= rmorph_nat.
Qed.

(* ------------------------------------------------------------------------------------------------------ *)
(* lap g exp x is close to lap (g (X + x))                                                                 *)
(* ------------------------------------------------------------------------------------------------------ *)
Section Estimate.
Variable R : realType.
Implicit Types x : R.

Definition exp_partial x N : R := \sum_(j < N) x ^+ j / j`!%:R.

Lemma exp_partialE x N : exp_partial x N = series (exp_coeff x) N.
Proof. by rewrite /series /= big_mkord; apply: eq_bigr => j _; rewrite /exp_coeff. Qed.

Lemma exp_partial_le x N : 0 <= x -> exp_partial x N <= expR x.
Proof.
move=> x0; rewrite /expR exp_partialE.
apply: nondecreasing_cvg_le; last exact: is_cvg_series_exp_coeff.
move=> a b ab; apply: (@nondecreasing_series _ (exp_coeff x) xpredT) => // k _.
exact: exp_coeff_ge0.
Qed.

(* a bound of all late partial sums bounds exp                                                             *)
Lemma expR_le_partial x i c : (forall N, (i <= N)%N -> exp_partial x N <= c) -> expR x <= c.
Proof.
move=> le_c; rewrite /expR; apply: limr_le; first exact: is_cvg_series_exp_coeff.
near=> N; rewrite -exp_partialE; apply: le_c; near: N; exact: nbhs_infty_ge.
Unshelve. all: by end_near. Qed.

Lemma expR_ge_partial x i c : (forall N, (i <= N)%N -> c <= exp_partial x N) -> c <= expR x.
Proof.
move=> le_c; rewrite /expR; apply: limr_ge; first exact: is_cvg_series_exp_coeff.
near=> N; rewrite -exp_partialE; apply: le_c; near: N; exact: nbhs_infty_ge.
Unshelve. all: by end_near. Qed.

Lemma fact_gt0R k : 0 < k`!%:R :> R. Proof. by rewrite ltr0n fact_gt0. Qed.

Lemma exp_partialD x i k : exp_partial x (i + k) =
  exp_partial x i + \sum_(j < k) x ^+ (i + j) / (i + j)`!%:R.
Proof. by rewrite /exp_partial big_split_ord. Qed.

(* the tail of the series after x^i / i!                                                                   *)
Lemma exp_tail x i k :
  `|\sum_(j < k) x ^+ (i.+1 + j) / (i.+1 + j)`!%:R| <= `|x| ^+ i / i`!%:R * expR `|x|.
Proof.
have x0 := normr_ge0 x.
apply: le_trans (_ : \sum_(j < k) `|x| ^+ i / i`!%:R * (`|x| ^+ j.+1 / j.+1`!%:R) <= _).
  apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _.
  rewrite normrM normrX normfV (ger0_norm (ler0n _ _)) addSnnS exprD -!mulrA.
  rewrite ler_wpmul2l ?exprn_ge0 // mulrCA ler_wpmul2l ?exprn_ge0 //.
  rewrite -invfM lef_pinv ?posrE ?mulr_gt0 ?fact_gt0R // -natrM ler_nat.
  rewrite -(bin_fact (leq_addr j.+1 i)) addKn.
  by rewrite leq_pmull // bin_gt0 leq_addr.
rewrite -mulr_sumr ler_wpmul2l ?divr_ge0 ?exprn_ge0 ?ler0n //.
apply: le_trans (exp_partial_le k.+1 x0).
by rewrite /exp_partial big_ord_recl ler_addr divr_ge0 ?exprn_ge0 ?ler0n.
Qed.

Lemma expR_tail x i :
  `|i`!%:R * expR x - \sum_(j < i.+1) ('C(i, j) * (i - j)`!)%:R * x ^+ j| <= `|x| ^+ i * expR `|x|.
Proof.
have -> : \sum_(j < i.+1) ('C(i, j) * (i - j)`!)%:R * x ^+ j = i`!%:R * exp_partial x i.+1.
  rewrite mulr_sumr; apply: eq_bigr => j _.
  have ji : (j <= i)%N by rewrite -ltnS.
  apply: (mulIf (lt0r_neq0 (fact_gt0R j))).
  by rewrite -[RHS]mulrA divfK ?lt0r_neq0 ?fact_gt0R // -(bin_fact ji) !natrM; ring.
rewrite -mulrBr normrM (ger0_norm (ler0n _ _)) mulrC -ler_pdivl_mulr ?fact_gt0R //.
rewrite mulrAC; set c := _ * expR _.
have near_partial N : (i.+1 <= N)%N -> `|exp_partial x N - exp_partial x i.+1| <= c.
  by move=> /subnKC <-; rewrite exp_partialD addrC addKr; apply: exp_tail.
rewrite ler_norml ler_subr_addr ler_subl_addr; apply/andP; split.
  apply: (@expR_ge_partial _ i.+1) => N /near_partial.
  by rewrite ler_norml ler_subr_addr => /andP[].
apply: (@expR_le_partial _ i.+1) => N /near_partial.
by rewrite ler_norml ler_subl_addr => /andP[].
Qed.

Lemma lap_estimate (g : {poly R}) x :
  `|lap g * expR x - lap (g \Po ('X + x%:P))|
    <= (\sum_(i < size g) `|g`_i| * `|x| ^+ i) * expR `|x|.
Proof.
rewrite lap_shift {1}/lap !mulr_suml -sumrB.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => i _.
by rewrite mulrAC [_ * g`_i]mulrC -mulrBr normrM -mulrA ler_wpmul2l // expR_tail.
Qed.

(* factorials grow faster than powers                                                                      *)
Lemma fact_dominates (A B : R) : exists N, forall m, (N <= m)%N -> A * B ^+ m.+1 < m`!%:R.
Proof.
pose b := `|B|; pose a := `|A| * b * expR (2%:R * b).
have b0 : 0 <= b by apply: normr_ge0.
exists (Num.bound a) => m Nm.
have lem : (2%:R * b) ^+ m <= m`!%:R * expR (2%:R * b).
  have le_e := exp_partial_le m.+1 (mulr_ge0 (ler0n _ 2) b0).
  rewrite [X in _ <= X]mulrC -ler_pdivr_mulr ?ltr0n ?fact_gt0 //.
  apply: le_trans le_e; rewrite /exp_partial big_ord_recr /=.
  by rewrite ler_addr sumr_ge0 // => j _; rewrite divr_ge0 ?exprn_ge0 ?mulr_ge0 ?ler0n.
apply: le_lt_trans (ler_norm _) _; rewrite normrM normrX -/b exprS.
have [b_eq0|bn0] := eqVneq b 0; first by rewrite b_eq0 mul0r mulr0 ltr0n fact_gt0.
have b_gt0 : 0 < b by rewrite lt0r bn0.
have am : a < 2%:R ^+ m.
  rewrite (lt_le_trans (archi_boundP _)) ?mulr_ge0 ?(ltW (expR_gt0 _)) ?normr_ge0 //.
  by rewrite -natrX ler_nat (leq_trans Nm) // ltnW // ltn_expl.
rewrite -(ltr_pmul2r (expR_gt0 (2%:R * b))) (lt_le_trans _ lem) //.
rewrite mulrA mulrAC -/a exprMn ltr_pmul2r ?exprn_gt0 //.
Qed.

End Estimate.

(* ------------------------------------------------------------------------------------------------------ *)
(* Polynomials with larger coefficients                                                                    *)
(* ------------------------------------------------------------------------------------------------------ *)
Section Dominated.
Definition dominated (g h : {poly int}) := forall i, `|g`_i| <= h`_i.

Lemma dominated_mul g g' h h' : dominated g h -> dominated g' h' -> dominated (g * g') (h * h').
Proof.
move=> gh gh' i; rewrite !coefM (le_trans (ler_norm_sum _ _ _)) //.
by apply: ler_sum => j _; rewrite normrM ler_pmul.
Qed.

Lemma dominated1 : dominated 1 1.
Proof. by move=> i; rewrite coef1; case: eqP. Qed.

Lemma dominated_exp g h m : dominated g h -> dominated (g ^+ m) (h ^+ m).
Proof. by move=> gh; elim: m => [|m IHm]; [apply: dominated1|rewrite !exprS; apply: dominated_mul]. Qed.

Lemma dominatedX : dominated 'X 'X.
Proof. by move=> i; rewrite coefX; case: eqP. Qed.

Lemma dominated_X2subC (c : nat) : dominated ('X^2 - c%:R%:P) ('X^2 + c%:R%:P).
Proof.
move=> i; rewrite coefB coefD coefXn coefC; case: i => [|[|[|i]]] //=.
by rewrite sub0r add0r normrN ger0_norm ?ler0n.
Qed.

Lemma dominated_horner (R : realType) (g h : {poly int}) (x : R) : dominated g h -> 0 <= x ->
  \sum_(i < size (map_poly intr g : {poly R})) `|(map_poly intr g : {poly R})`_i| * x ^+ i
    <= (map_poly intr h).[x].
Proof.
move=> gh x0; set G := map_poly _ g; set H := map_poly _ h.
have s : (size H <= maxn (size G) (size H))%N by apply: leq_maxr.
have s' : (size G <= maxn (size G) (size H))%N by apply: leq_maxl.
rewrite (horner_coef_wide x s).
rewrite (big_ord_widen _ (fun i => `|G`_i| * x ^+ i) s') big_mkcond.
apply: ler_sum => i _; have Hi : `|G`_i| <= H`_i.
  by rewrite !coef_map /= -intr_norm ler_int.
case: ifP => _; first by rewrite ler_wpmul2r ?exprn_ge0 ?ler0n.
by rewrite mulr_ge0 ?exprn_ge0 ?ler0n // (le_trans _ Hi).
Qed.
End Dominated.

(* ------------------------------------------------------------------------------------------------------ *)
(* Conjugate values of integer polynomials                                                                 *)
(* ------------------------------------------------------------------------------------------------------ *)
Definition eval_at (K : comRingType) (x : K) : {rmorphism {poly int} -> K} :=
  [rmorphism of horner_eval x \o map_poly intr].

Lemma eval_atE (K : comRingType) (x : K) p : eval_at x p = (map_poly intr p).[x].
Proof. by []. Qed.

Lemma eval_atX (K : comRingType) (x : K) : eval_at x 'X = x.
Proof. by rewrite eval_atE map_polyX hornerX. Qed.

Lemma eval_atC (K : comRingType) (x : K) c : eval_at x c%:P = c%:~R.
Proof. by rewrite eval_atE map_polyC hornerC. Qed.

Lemma conjugates (K : comRingType) (a : K) (m : nat) (p : {poly int}) : a ^+ 2 = m%:R ->
  exists u v : int, eval_at a p = u%:~R + v%:~R * a /\ eval_at (- a) p = u%:~R - v%:~R * a.
Proof.
move=> am; elim/poly_ind: p => [|p c [u [v [pE pE']]]].
  by exists 0, 0; rewrite !rmorph0 mul0r addr0 subr0.
exists (v * m%:R + c), u; rewrite !rmorphD !rmorphM !eval_atX !eval_atC pE pE' /= rmorph_nat -am.
by split; ring.
Qed.

Section Hermite.
Variables (m n q : nat).
Hypothesis q_gt0 : (0 < q)%N.

Definition hermite_base : {poly int} := \prod_(l < n) ('X^2 - (l.+1 ^ 2 * m)%:R%:P).
Definition hermite_poly : {poly int} := 'X^(q.-1) * hermite_base ^+ q.

Lemma hermite_polyE (R : comRingType) : map_poly intr hermite_poly =
  'X^(q.-1) * (\prod_(l < n) ('X^2 - (l.+1 ^ 2 * m)%:R%:P)) ^+ q :> {poly R}.
Proof.
rewrite rmorphM rmorphX /= map_polyX rmorphX rmorph_prod /=; congr (_ * _ ^+ _).
apply: eq_bigr => l _; rewrite rmorphB rmorphX /= map_polyX map_polyC /=.
by rewrite rmorph_nat.
Qed.

(* f (X + s a) is divisible by X^q                                                                         *)
Lemma hermite_shift (s : int) : s != 0 -> (absz s <= n)%N ->
  exists G : {poly {poly int}}, forall (R : comRingType) (a : R), a ^+ 2 = m%:R ->
    map_poly intr hermite_poly \Po ('X + (s%:~R * a)%:P) = 'X^q * map_poly (eval_at a) G.
Proof.
move=> s0 sn; have l_lt : ((absz s).-1 < n)%N by rewrite prednK // absz_gt0.
pose l0 := Ordinal l_lt; pose c : {poly int} := s%:P * 'X.
exists (('X + c%:P) ^+ q.-1 * ('X + (c + c)%:P) ^+ q
  * (\prod_(l < n | l != l0) (('X + c%:P) ^+ 2 - ((l.+1 ^ 2 * m)%:R%:P)%:P)) ^+ q) => R a am.
move: (eval_at a) (eval_atX a) (eval_atC a) => ev evX evC.
have : ev c = s%:~R * a by rewrite rmorphM evX evC.
have : (s%:~R * a) ^+ 2 = (absz s ^ 2 * m)%:R.
  rewrite exprMn am natrM -abszX; congr (_ * _).
  by rewrite -rmorphX [RHS]pmulrn gez0_abs ?sqr_ge0.
move: (s%:~R * a) c => x c xx cE.
have XE k : map_poly ev ('X + k%:P) = 'X + (ev k)%:P by rewrite rmorphD /= map_polyX map_polyC.
have -> : map_poly ev (('X + c%:P) ^+ q.-1 * ('X + (c + c)%:P) ^+ q
    * (\prod_(l < n | l != l0) (('X + c%:P) ^+ 2 - ((l.+1 ^ 2 * m)%:R%:P)%:P)) ^+ q)
  = ('X + x%:P) ^+ q.-1 * ('X + (x + x)%:P) ^+ q
    * (\prod_(l < n | l != l0) (('X + x%:P) ^+ 2 - (l.+1 ^ 2 * m)%:R%:P)) ^+ q.
  rewrite !rmorphM !rmorphX /= !XE rmorphD !cE rmorph_prod; congr (_ * _ ^+ _).
  by apply: eq_bigr => l _; rewrite rmorphB rmorphX /= XE cE map_polyC /= evC rmorph_nat.
rewrite hermite_polyE comp_polyM !rmorphX /= comp_polyX rmorph_prod /=.
rewrite [in LHS](eq_bigr (fun l : 'I_n => ('X + x%:P) ^+ 2 - (l.+1 ^ 2 * m)%:R%:P)); last first.
  by move=> l _; rewrite comp_polyB rmorphX /= comp_polyX comp_polyC.
rewrite (bigD1 l0) //=; set r := \prod_(_ | _) _.
rewrite prednK ?absz_gt0 // -xx.
have -> : ('X + x%:P) ^+ 2 - (x ^+ 2)%:P = 'X * ('X + (x + x)%:P).
  by rewrite polyC_exp polyCD; ring.
by rewrite !exprMn -!mulrA [LHS]mulrCA.
Qed.

End Hermite.
Lemma prime_ndvd_fact q n : prime q -> (n < q)%N -> ~~ (q %| n`!)%N.
Proof.
move=> pq; elim: n => [|n IHn] nq; first by rewrite dvdn1 neq_ltn prime_gt1 ?orbT.
by rewrite factS Euclid_dvdM // negb_or gtnNdvd // IHn // ltnW.
Qed.

(* lap f is (q - 1)! times the q-th power of the constant coefficient, up to a multiple of q!              *)
Lemma lap_hermite_poly m n q : (0 < q)%N -> exists z,
  lap (hermite_poly m n q) = q.-1`!%:R * (hermite_base m n)`_0 ^+ q + q`!%:R * z.
Proof.
move=> q_gt0; set h := hermite_base m n ^+ q.
have [h1 hE] : exists h1 : {poly int}, h = h1 * 'X + (h`_0)%:P.
  have /factor_theorem[h1 h1E] : root (h - (h`_0)%:P) 0.
    by rewrite rootE hornerD hornerN hornerC horner_coef0 subrr.
  by exists h1; rewrite -[LHS](subrK (h`_0)%:P) h1E subr0.
have [z zE] := lap_dvd q h1; exists z; rewrite -zE /hermite_poly -/h {1}hE mulrDr raddfD /=.
rewrite addrC mulrC mul_polyC linearZ /= lap_Xn mulrC; congr (_ * _ + lap _).
  by rewrite -!horner_coef0 horner_exp.
by rewrite mulrCA mulrC -exprSr prednK.
Qed.

Lemma hermite_base0 m n : absz (hermite_base m n)`_0 = (n`! ^ 2 * m ^ n)%N.
Proof.
rewrite -horner_coef0 horner_prod (big_morph absz abszM (erefl _ : absz 1%R = 1%N)).
rewrite (eq_bigr (fun l : 'I_n => l.+1 ^ 2 * m)%N) => [|l _]; last first.
  by rewrite hornerD hornerN hornerXn hornerC expr0n /= sub0r abszN natz.
rewrite big_split prod_nat_const card_ord /=; congr (_ * _)%N.
by rewrite fact_prod big_add1 /= big_mkord (big_morph (expn^~ 2%N) (fun x y => expnMn x y 2%N) (exp1n 2%N)).
Qed.

Section Transcendence.
Variables (R : realType) (m : nat).
Hypothesis m_gt0 : (0 < m)%N.
Let a : R := Num.sqrt m%:R.

Let am : a ^+ 2 = m%:R.
Proof. by rewrite sqr_sqrtr ?ler0n. Qed.

Section Polynomial.
Variable p : {poly int}.
Hypothesis p_neq0 : p != 0.
Hypothesis p_root : (map_poly intr p).[expR a] = 0 :> R.
Let n := size p.

(* the exponents (k - j) a of P(exp a) P(exp (- a)), and its coefficients                                 *)
Let pairs := [finType of 'I_n * 'I_n].
Let shift (kj : pairs) : int := (kj.1 : nat)%:Z - (kj.2 : nat)%:Z.
Let coeff (kj : pairs) : int := p`_kj.1 * p`_kj.2.
Let diagonal := \sum_(k < n) p`_k ^+ 2.

Lemma sum_exp_pairs : \sum_kj (coeff kj)%:~R * expR ((shift kj)%:~R * a) = 0 :> R.
Proof.
transitivity ((\sum_(k < n) (p`_k)%:~R * expR (k%:R * a)) * \sum_(j < n) (p`_j)%:~R * expR (- (j%:R * a))).
  rewrite big_distrlr /= pair_bigA /=; apply: eq_bigr => -[k j] _ /=.
  by rewrite mulrACA -expRD /coeff /shift /= intrM rmorphB mulrBl.
rewrite (_ : \sum_(k < n) _ = 0) ?mul0r // -[RHS]p_root (horner_coef_wide _ (size_poly _ _)).
by apply: eq_bigr => k _; rewrite coef_map /= -expRMm.
Qed.

Lemma diagonal_neq0 : diagonal != 0.
Proof.
apply: contra_neq p_neq0 => /eqP; rewrite psumr_eq0 => [/allP p0|k _]; last exact: sqr_ge0.
apply/polyP => i; rewrite coef0; have [ni|ni] := leqP n i; first by rewrite nth_default.
by have := p0 (Ordinal ni) (mem_index_enum _); rewrite sqrf_eq0 => /eqP.
Qed.

Section Prime.
Variable q : nat.
Hypothesis q_gt0 : (0 < q)%N.
Let f := hermite_poly m n q.
Let shifted kj : R := lap (map_poly intr f \Po ('X + ((shift kj)%:~R * a)%:P)).
Let J : R := \sum_kj (coeff kj)%:~R * shifted kj.

(* the terms with k <> j add up to a multiple of q!                                                       *)
Lemma off_diagonal : exists z : int,
  \sum_(kj | kj.1 != kj.2) (coeff kj)%:~R * shifted kj = q`!%:R * z%:~R.
Proof.
pose swap (kj : pairs) : pairs := (kj.2, kj.1).
have term (kj : pairs) : exists uv : int * int, kj.1 != kj.2 ->
    shifted kj = q`!%:R * (uv.1%:~R + uv.2%:~R * a) /\
    shifted (swap kj) = q`!%:R * (uv.1%:~R - uv.2%:~R * a).
  have [|ne] := eqVneq kj.1 kj.2; first by exists (0, 0).
  have s0 : shift kj != 0 by rewrite subr_eq0; apply: contra ne => /eqP[/val_inj/eqP].
  have sn : (absz (shift kj) <= n)%N.
    by move: (ltn_ord kj.1) (ltn_ord kj.2); rewrite /shift; clearbody n; lia.
  have [G GE] := hermite_shift m q s0 sn; have am' : (- a) ^+ 2 = m%:R by rewrite sqrrN.
  have [w wE] := lap_dvd q G.
  have [u [v [uvE uvE']]] := conjugates w am; exists (u, v) => _ /=.
  have sh b : b ^+ 2 = m%:R ->
      lap (map_poly intr f \Po ('X + ((shift kj)%:~R * b)%:P)) = q`!%:R * eval_at b w.
    move=> bm; rewrite /f GE // -(rmorph_nat (eval_at b) q`!) -rmorphM -wE -lap_map.
    by rewrite rmorphM rmorphX /= map_polyX.
  split; first by rewrite /shifted sh // uvE.
  by rewrite -uvE' -sh // /shifted mulrN -mulNr -rmorphN /shift opprB.
have [uv uvE] := fin_all_exists term.
exists (\sum_(kj | kj.1 != kj.2) coeff kj * (uv kj).1); set S := \sum_(_ | _) _.
apply: (@mulfI _ 2%:R); first by rewrite pnatr_eq0.
have SE : S = \sum_(kj | kj.1 != kj.2) (coeff kj)%:~R * shifted (swap kj).
  rewrite /S (reindex_inj (h := swap)) /=; last by move=> [? ?] [? ?] [-> ->].
  apply: eq_big => [kj|kj _]; first by rewrite eq_sym.
  by rewrite [coeff (swap kj)]mulrC.
rewrite mulr2n mulrDl mul1r {2}SE /S -big_split /= mulrCA rmorph_sum !mulr_sumr.
apply: eq_bigr => kj /uvE[-> ->]; rewrite rmorphM /=; ring.
Qed.

Lemma J_E : exists w : int,
  J = (q.-1`!%:R * (diagonal * (hermite_base m n)`_0 ^+ q + q%:R * w))%:~R.
Proof.
have [z zE] := off_diagonal; have [z0 z0E] := lap_hermite_poly m n q_gt0.
exists (diagonal * z0 + z); rewrite /J (bigID (fun kj => kj.1 != kj.2)) /= zE.
rewrite (_ : \sum_(_ | _) _ = (diagonal * lap f)%:~R); last first.
  rewrite (reindex (fun k : 'I_n => (k, k))) /=; last first.
    by exists (fun kj => kj.1) => [//|[k j]]; rewrite inE negbK => /eqP /= ->.
  rewrite /diagonal mulr_suml rmorph_sum (eq_bigl predT) => [|k]; last by rewrite eqxx.
  apply: eq_bigr => k _; rewrite /shifted /shift /coeff subrr mul0r polyC0 addr0 comp_polyXr.
  by rewrite lap_map -expr2 [RHS]rmorphM.
have qE : q`! = (q * q.-1`!)%N by rewrite -{1}(prednK q_gt0) factS prednK.
rewrite -/f in z0E; rewrite z0E qE !(natrM, intrM, intrD) !rmorph_nat.
move: (q.-1`!%:R : R) (q%:R : R) (((hermite_base m n)`_0 ^+ q)%:~R : R) => x y u.
move: (diagonal%:~R : R) (z%:~R : R) (z0%:~R : R) => v s t.
by ring.
Qed.

(* the number is small                                                                                    *)
Definition bound_A : R := \sum_kj `|(coeff kj)%:~R| * expR `|(shift kj)%:~R * a|.
Definition bound_B : R := \sum_(kj : pairs) let x := `|(shift kj)%:~R * a| in
  (1 + x) * \prod_(l < n) (x ^+ 2 + (l.+1 ^ 2 * m)%:R).

Lemma J_small : `|J| <= bound_A * bound_B ^+ q.
Proof.
have -> : J = - \sum_kj (coeff kj)%:~R *
    (lap (map_poly intr f) * expR ((shift kj)%:~R * a) - shifted kj).
  transitivity (J + - lap (map_poly intr f) * \sum_kj (coeff kj)%:~R * expR ((shift kj)%:~R * a)).
    by rewrite sum_exp_pairs mulr0 addr0.
  rewrite /J -sumrN mulr_sumr -big_split; apply: eq_bigr => kj _ /=.
  by move: (lap _) (shifted kj) => x y; ring.
rewrite normrN (le_trans (ler_norm_sum _ _ _)) // /bound_A mulr_suml; apply: ler_sum => kj _.
rewrite normrM -mulrA ler_wpmul2l // (le_trans (lap_estimate _ _)) // mulrC.
rewrite ler_wpmul2l ?(ltW (expR_gt0 _)) //; set x := `|_ * a|.
have x0 : 0 <= x := normr_ge0 _.
pose fh : {poly int} := 'X^(q.-1) * (\prod_(l < n) ('X^2 + (l.+1 ^ 2 * m)%:R%:P)) ^+ q.
have df : dominated f fh.
  apply: dominated_mul; first exact/dominated_exp/dominatedX.
  apply: dominated_exp; apply: (big_ind2 dominated) => [|g g' h h'|l _].
  - exact: dominated1.
  - exact: dominated_mul.
  - exact: dominated_X2subC.
apply: le_trans (dominated_horner df x0) _.
pose pr := \prod_(l < n) (x ^+ 2 + (l.+1 ^ 2 * m)%:R).
have pr0 : 0 <= pr by apply: prodr_ge0 => l _; rewrite addr_ge0 ?exprn_ge0 ?ler0n.
have -> : (map_poly intr fh).[x] = x ^+ q.-1 * pr ^+ q.
  rewrite rmorphM rmorphX /= map_polyX rmorphX rmorph_prod /= hornerM !horner_exp hornerX horner_prod.
  congr (_ * _ ^+ _); apply: eq_bigr => l _.
  by rewrite rmorphD rmorphX /= map_polyX map_polyC /= rmorph_nat hornerD hornerXn hornerC.
apply: le_trans (_ : ((1 + x) * pr) ^+ q <= _).
  rewrite exprMn ler_wpmul2r ?exprn_ge0 //.
  apply: le_trans (_ : (1 + x) ^+ q.-1 <= _).
    by rewrite ler_expn2r ?nnegrE ?addr_ge0 // ler_addr.
  by rewrite -{2}(prednK q_gt0) exprS ler_pemull ?exprn_ge0 ?addr_ge0 // ler_addl.
have term0 (y : R) : 0 <= y -> 0 <= (1 + y) * \prod_(l < n) (y ^+ 2 + (l.+1 ^ 2 * m)%:R).
  move=> y0; rewrite mulr_ge0 ?addr_ge0 //; apply: prodr_ge0 => l _.
  by rewrite addr_ge0 ?exprn_ge0 ?ler0n.
rewrite ler_expn2r ?nnegrE ?mulr_ge0 ?addr_ge0 //; first by apply: sumr_ge0 => ij _; apply: term0.
rewrite /bound_B (bigD1 kj) //= -/x -/pr ler_addl; apply: sumr_ge0 => ij _.
exact: term0.
Qed.

End Prime.

Lemma no_root : False.
Proof.
have [N NP] := fact_dominates bound_A bound_B.
have [q q_gt prime_q] := prime_above (maxn N (maxn n (maxn m (absz diagonal)))).
have [Nq nq mq dq] : [/\ (N < q)%N, (n < q)%N, (m < q)%N & (absz diagonal < q)%N].
  by move: q_gt; rewrite !gtn_max => /and4P[].
have q_gt0 := prime_gt0 prime_q.
have [w JE] := J_E q_gt0; have := J_small q_gt0.
rewrite JE -intr_norm normrM rmorphM /= ger0_norm ?ler0n // rmorph_nat.
have Nq1 : (N <= q.-1)%N by rewrite -ltnS prednK.
have := NP _ Nq1; rewrite prednK // => lt_fact /le_lt_trans/(_ lt_fact).
rewrite ltNge ler_pmulr ?ltr0n ?fact_gt0 // => /negP; apply.
rewrite -[1]/(1%:~R) ler_int -gtz0_ge1 normr_gt0.
apply/negP => /eqP e0; have : (q %| absz (diagonal * (hermite_base m n)`_0 ^+ q)%R)%N.
  have -> : diagonal * (hermite_base m n)`_0 ^+ q = - (q%:R * w) by apply/eqP; rewrite -addr_eq0 e0.
  by rewrite abszN abszM natz absz_nat dvdn_mulr.
rewrite abszM abszX hermite_base0 Euclid_dvdM // gtnNdvd ?lt0n ?absz_eq0 ?diagonal_neq0 //=.
rewrite Euclid_dvdX // Euclid_dvdM // !Euclid_dvdX // (negPf (prime_ndvd_fact prime_q nq)) /=.
by rewrite gtnNdvd.
Qed.

End Polynomial.
End Transcendence.

Theorem exp_sqrt_transcendental (R : realType) (m : nat) (p : {poly int}) : (0 < m)%N -> p != 0 ->
  (map_poly intr p).[expR (Num.sqrt m%:R)] != 0 :> R.
Proof. by move=> m0 p0; apply/eqP => /(no_root m0 p0). Qed.

Theorem e_transcendental (R : realType) (p : {poly int}) : p != 0 ->
  (map_poly intr p).[expR 1] != 0 :> R.
Proof. by move=> p0; have := @exp_sqrt_transcendental R 1 p isT p0; rewrite sqrtr1. Qed.

(* ------------------------------------------------------------------------------------------------------ *)
(* The group ring of exponentials                                                                          *)
(* ------------------------------------------------------------------------------------------------------ *)

(* exp (sqrt m / N) is transcendental when exp (sqrt m) is                                                *)
Theorem exp_sqrt_eval_injective (R : realType) (m N : nat) : (0 < m)%N -> (0 < N)%N ->
  injective (eval_at (expR (Num.sqrt m%:R / N%:R : R))).
Proof.
move=> m0 N0; apply: raddf_inj => p /= px0; apply/eqP; apply: contraT => p0.
pose alg (y : R) := algebraicOver (@ratr [unitRingType of R]) y.
set x := expR _ in px0.
have ratr_intr (g : {poly int}) : map_poly (ratr : rat -> R) (map_poly intr g) = map_poly intr g.
  by rewrite -map_poly_comp; apply: eq_map_poly => z; apply: ratr_int.
have algx : alg x.
  exists (map_poly intr p); first by rewrite map_poly_eq0_id0 ?intr_eq0 ?lead_coef_eq0.
  by rewrite ratr_intr; apply/rootP.
have algX k : alg (x ^+ k).
  elim: k => [|k IHk]; first exact: algebraic1.
  by rewrite exprS; apply: algebraic_mul.
have : alg (expR (Num.sqrt m%:R)).
  by have := algX N; rewrite /x -expRMm mulrC divfK // pnatr_eq0 -lt0n.
case=> g g0 /rootP ge; have [g' [c c0 gE]] := rat_poly_scale g.
have g'0 : g' != 0.
  by apply: contra_neq g0 => g'0; rewrite gE g'0 rmorph0 scaler0.
have := @exp_sqrt_transcendental R m g' m0 g'0; rewrite (_ : _.[_] = 0) ?eqxx //.
move: ge; rewrite gE map_polyZ hornerZ ratr_intr.
by move/eqP; rewrite mulf_eq0 fmorph_eq0 invr_eq0 intr_eq0 (negPf c0) => /eqP.
Qed.

Lemma expR_int (R : realType) (c : R) (z : int) : expR (c * z%:~R) = expR c ^ z.
Proof.
case: z => k; first by rewrite mulrC -[_%:~R]/(k%:R) expRMm.
by rewrite NegzE mulrNz mulrN expRN mulrC -[_%:~R]/(k.+1%:R) expRMm.
Qed.

(* exponents l_i sqrt m / N over a common denominator, integer coefficients                                *)
Theorem exp_sqrt_independent_int (R : realType) (I : finType) (m N : nat) (l c : I -> int) :
    (0 < m)%N -> (0 < N)%N -> injective l ->
    \sum_i (c i)%:~R * expR (Num.sqrt m%:R / N%:R * (l i)%:~R) = 0 :> R ->
  forall i, c i = 0.
Proof.
move=> m0 N0 inj_l sum0 i; pose s := (\sum_j absz (l j))%N.
pose k j := absz (l j + s%:Z).
have kE j : (k j)%:Z = l j + s%:Z.
  rewrite /k gez0_abs //; have : (absz (l j) <= s)%N by rewrite /s (bigD1 j) //= leq_addr.
  by clearbody s; lia.
have inj_k : injective k.
  by move=> j j' jj'; apply: inj_l; apply: (addIr s%:Z); rewrite -!kE jj'.
pose p : {poly int} := \sum_j c j *: 'X^(k j).
suff p0 : p = 0.
  have := congr1 (fun g : {poly int} => g`_(k i)) p0; rewrite coef0 coef_sum (bigD1 i) //=.
  rewrite coefZ coefXn eqxx mulr1 big1 ?addr0 // => j /negPf ji.
  by rewrite coefZ coefXn (inj_eq inj_k) eq_sym ji mulr0.
apply: (exp_sqrt_eval_injective (R := R) m0 N0); rewrite [RHS]rmorph0 eval_atE.
set x := expR _; have x0 : x != 0 by rewrite gt_eqF ?expR_gt0.
transitivity ((\sum_j (c j)%:~R * expR (Num.sqrt m%:R / N%:R * (l j)%:~R)) * x ^+ s); last first.
  by rewrite sum0 mul0r.
rewrite /p rmorph_sum horner_sum mulr_suml; apply: eq_bigr => j _; rewrite /= map_polyZ map_polyXn hornerZ hornerXn -mulrA; congr (_ * _).
by rewrite expR_int -/x !exprnP kE expfzDr.
Qed.

Lemma common_denominator (I : finType) (r : I -> rat) : exists N : nat, (0 < N)%N /\
  exists l : I -> int, forall i, r i = (l i)%:~R / N%:R.
Proof.
pose D := \prod_i denq (r i); have D0 : 0 < D by apply: prodr_gt0 => i _; apply: denq_gt0.
exists (absz D); split; first by rewrite absz_gt0 gt_eqF.
exists (fun i => numq (r i) * \prod_(j | j != i) denq (r j)) => i.
have -> : (absz D)%:R = D%:~R :> rat by rewrite pmulrn gez0_abs // ltW.
apply: (canRL (mulfK _)); first by rewrite intr_eq0 gt_eqF.
by rewrite /D (bigD1 i) //= !intrM mulrA numqE.
Qed.

Theorem exp_sqrt_independent (R : realType) (I : finType) (m : nat) (r c : I -> rat) :
    (0 < m)%N -> injective r ->
    \sum_i ratr (c i) * expR (ratr (r i) * Num.sqrt m%:R) = 0 :> R ->
  forall i, c i = 0.
Proof.
move=> m0 inj_r sum0 i.
have [N [N0 [l rE]]] := common_denominator r; have [D [D0 [b cE]]] := common_denominator c.
have D0R : D%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have bi0 : b i = 0; last by rewrite cE bi0 mul0r.
apply: (exp_sqrt_independent_int (R := R) m0 N0 (l := l)).
  by move=> j j' ll; apply: inj_r; rewrite !rE ll.
transitivity (D%:R * \sum_j ratr (c j) * expR (ratr (r j) * Num.sqrt m%:R) : R); last first.
  by rewrite sum0 mulr0.
rewrite mulr_sumr; apply: eq_bigr => j _.
rewrite cE rE !fmorph_div /= !ratr_int !ratr_nat mulrA [D%:R * _]mulrC divfK //.
by congr (_ * expR _); rewrite mulrAC [RHS]mulrAC [X in X / _]mulrC.
Qed.

(* the case of e: exponentials of different rationals are linearly independent over the rationals         *)
Corollary exp_independent (R : realType) (I : finType) (r c : I -> rat) : injective r ->
    \sum_i ratr (c i) * expR (ratr (r i)) = 0 :> R ->
  forall i, c i = 0.
Proof.
move=> inj_r sum0; apply: (@exp_sqrt_independent R I 1 r c) => //.
by rewrite -[RHS]sum0; apply: eq_bigr => i _; rewrite sqrtr1 mulr1.
Qed.

Corollary exp_independent_int (R : realType) (I : finType) (N : nat) (l c : I -> int) :
    (0 < N)%N -> injective l -> \sum_i (c i)%:~R * expR (N%:R^-1 * (l i)%:~R) = 0 :> R ->
  forall i, c i = 0.
Proof.
move=> N0 inj_l sum0; apply: (@exp_sqrt_independent_int R I 1 N l c) => //.
by rewrite -[RHS]sum0; apply: eq_bigr => i _; rewrite sqrtr1 div1r.
Qed.
