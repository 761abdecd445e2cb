(* Sums of exponentials: of many variables, and exponential polynomials in one real variable.                   *)
(*                                                                                                              *)
(*            sum_quotient sums f == f is a quotient of two functions of the class sums, the lower one          *)
(*                                   positive; closed under sums, products and determinants                     *)
(*   interpolation, powers_vanish == multiples of powers y ^ k of distinct numbers y that add up to 0 for every *)
(*                                   k do so for every function of y                                            *)
(*                     expsum s x == the sum of p(x) exp(q(x)) over the pairs (p, q) of s                       *)
(*                    few_zeros f == all zeros of f are in one list                                             *)
(*                      expfrac f == f is a quotient of such sums, the lower one positive                       *)
(*    expsum_zeros, expfrac_zeros == one that is not zero everywhere has few zeros                              *)
From Attest Require Import prelude.
From mathcomp Require Import classical_sets functions derive realfun.
Import numFieldNormedType.Exports.

(* ============================================================================ *)
(* Many variables                                                               *)
(* ============================================================================ *)

(* -------------------------------------------------------------------------- *)
(* Quotients with positive denominators                                        *)
(* -------------------------------------------------------------------------- *)
Section Quotients.
Variables (F : numFieldType) (P : Type) (sums : (P -> F) -> Prop).
Hypothesis sums_const : forall c, sums (fun=> c).
Hypothesis sumsD : forall f g, sums f -> sums g -> sums (fun x => f x + g x).
Hypothesis sumsM : forall f g, sums f -> sums g -> sums (fun x => f x * g x).
Implicit Types (f g : P -> F).

Definition sum_quotient f : Prop := exists s d, [/\ sums s, sums d, forall x, 0 < d x & forall x, f x = s x / d x].

Lemma quotient_ext f g : sum_quotient f -> f =1 g -> sum_quotient g.
Proof. by move=> [s [d [sP dP d0 fE]]] fg; exists s, d; split=> // x; rewrite -fg. Qed.

Lemma quotient_of f : sums f -> sum_quotient f.
Proof. by move=> fP; exists f, (fun=> 1); split=> // x; rewrite divr1. Qed.

Lemma quotient_const c : sum_quotient (fun=> c). Proof. exact: quotient_of. Qed.

Lemma quotientM f g : sum_quotient f -> sum_quotient g -> sum_quotient (fun x => f x * g x).
Proof.
move=> [s [d [sP dP d0 fE]]] [s' [d' [s'P d'P d'0 gE]]].
exists (fun x => s x * s' x), (fun x => d x * d' x).
split=> [||x|x]; [exact: sumsM|exact: sumsM|by rewrite mulr_gt0|].
by rewrite fE gE invfM mulrACA.
Qed.

Lemma quotientD f g : sum_quotient f -> sum_quotient g -> sum_quotient (fun x => f x + g x).
Proof.
move=> [s [d [sP dP d0 fE]]] [s' [d' [s'P d'P d'0 gE]]].
exists (fun x => s x * d' x + s' x * d x), (fun x => d x * d' x).
split=> [||x|x]; [by apply: sumsD; apply: sumsM|exact: sumsM|by rewrite mulr_gt0|].
by rewrite fE gE addf_div ?gt_eqF.
Qed.

Lemma quotient_sum (I : Type) (r : seq I) (f : I -> P -> F) :
  (forall i, sum_quotient (f i)) -> sum_quotient (fun x => \sum_(i <- r) f i x).
Proof.
move=> fP; elim: r => [|i r IH]; first by apply: quotient_ext (quotient_const 0) _ => x; rewrite big_nil.
by apply: quotient_ext (quotientD (fP i) IH) _ => x; rewrite big_cons.
Qed.

Lemma quotient_prod (I : Type) (r : seq I) (f : I -> P -> F) :
  (forall i, sum_quotient (f i)) -> sum_quotient (fun x => \prod_(i <- r) f i x).
Proof.
move=> fP; elim: r => [|i r IH]; first by apply: quotient_ext (quotient_const 1) _ => x; rewrite big_nil.
by apply: quotient_ext (quotientM (fP i) IH) _ => x; rewrite big_cons.
Qed.

Lemma quotient_det n (A : P -> 'M[F]_n) : (forall i j, sum_quotient (fun x => A x i j)) ->
  sum_quotient (fun x => \det (A x)).
Proof.
move=> AP; rewrite /determinant; apply: quotient_sum => s.
by apply: quotientM (quotient_const _) _; apply: quotient_prod => i; apply: AP.
Qed.

End Quotients.

(* -------------------------------------------------------------------------- *)
(* Powers of distinct numbers                                                   *)
(* -------------------------------------------------------------------------- *)
Section Powers.
Variables (F : fieldType) (V : eqType) (y : V -> F).

Lemma interpolation (g : V -> F) (s : seq V) : {in s &, injective y} ->
  exists p : {poly F}, {in s, forall X, p.[y X] = g X}.
Proof.
elim: s => [|X s IH] inj_y; first by exists 0.
have [|p pP] := IH; first by move=> a b sa sb; apply: inj_y; rewrite inE ?sa ?sb orbT.
have [Xs|Xs] := boolP (X \in s).
  by exists p => X'; rewrite inE => /predU1P[->|]; apply: pP.
pose q : {poly F} := \prod_(X' <- s) ('X - (y X')%:P).
have qE z : q.[z] = \prod_(X' <- s) (z - y X').
  by rewrite horner_prod; apply: eq_bigr => X' _; rewrite hornerXsubC.
have qX : q.[y X] != 0.
  rewrite qE prodf_seq_neq0; apply/allP => X' X's /=; rewrite subr_eq0.
  by apply: contraNneq Xs => /inj_y->; rewrite ?inE ?eqxx ?X's ?orbT.
exists (p + ((g X - p.[y X]) / q.[y X]) *: q) => X'; rewrite inE hornerD hornerZ => /predU1P[->|X's].
  by rewrite divfK // addrC subrK.
suff /eqP-> : q.[y X'] == 0 by rewrite mulr0 addr0 pP.
by rewrite qE prodf_seq_eq0; apply/hasP; exists X'; rewrite //= subrr.
Qed.

Lemma powers_vanish (s : seq (F * V)) (g : V -> F) : {in [seq a.2 | a <- s] &, injective y} ->
  (forall k, \sum_(a <- s) a.1 * y a.2 ^+ k = 0) -> \sum_(a <- s) a.1 * g a.2 = 0.
Proof.
move=> inj_y s0; have [p pP] := interpolation g inj_y.
rewrite (eq_big_seq (fun a => \sum_(k < size p) p`_k * (a.1 * y a.2 ^+ k))).
  by rewrite exchange_big big1 // => k _; rewrite -mulr_sumr s0 mulr0.
move=> a sa; rewrite -pP ?map_f // horner_coef mulr_sumr; apply: eq_bigr => k _.
by rewrite mulrCA.
Qed.

End Powers.

(* ===================================================================================== *)
(* One variable: exponential polynomials                                                 *)
(* ===================================================================================== *)
(* Exponential polynomials in one real variable: sums of p(x) exp(q(x)) with             *)
(* polynomials p and q.  One that is not identically zero has finitely many zeros        *)
(* (expsum_zeros); the proof divides by one exponential, differentiates until its        *)
(* polynomial is gone, and uses the mean value theorem on the way back.  Then: quotients *)
(* with positive denominators, which are closed under sums, products and determinants.   *)

Section Zeros.
Variable R : realType.
Implicit Types (f g : R -> R) (s : seq ({poly R} * {poly R})).

Definition expsum s x : R := \sum_(a <- s) a.1.[x] * expR a.2.[x].

(* finitely many zeros                                                         *)
Definition few_zeros f : Prop := exists N, forall r : seq R,
  sorted <%R r -> all (fun x => f x == 0) r -> (size r <= N)%N.

Lemma few_zerosP f : few_zeros f -> exists r : seq R, forall x, f x = 0 -> x \in r.
Proof.
move=> [N Nf].
pose P k := `[< exists r, [/\ sorted <%R r, all (fun x => f x == 0) r & size r = k] >].
have P0 : exists k, P k by exists 0%N; apply/asboolP; exists [::].
have PN k : P k -> (k <= N)%N by move=> /asboolP[r [r1 r2 <-]]; apply: Nf.
case: (ex_maxnP P0 PN) => k /asboolP[r [r_sorted r0 rk]] k_max.
exists r => x fx; apply: contraT => xr.
suff /k_max : P k.+1 by rewrite ltnn.
apply/asboolP; exists (sort <=%R (x :: r)); split.
- rewrite sort_lt_sorted /= xr; apply: lt_sorted_uniq r_sorted.
- by rewrite all_sort /= fx eqxx.
- by rewrite size_sort /= rk.
Qed.

Lemma few_zeros_scale f g : (forall x, g x = 0 -> f x = 0) -> few_zeros f -> few_zeros g.
Proof.
move=> gf [N Nf]; exists N => r r1 r0; apply: Nf => //.
by apply: sub_all r0 => x /eqP/gf/eqP.
Qed.

Section Rolle.
Variables (f df : R -> R).
Hypothesis fdf : forall x : R, is_derive x 1 f (df x).

Lemma zero_between (a b : R) : a < b -> f a = 0 -> f b = 0 ->
  exists2 c, a < c < b & df c = 0.
Proof.
move=> ab fa fb; have [|c] := @MVT R f df a b ab (fun x _ => fdf x).
  by apply: continuous_subspaceT => x; apply/differentiable_continuous/derivable1_diffP; case: (fdf x).
rewrite in_itv /= => cab /eqP; rewrite fa fb subrr eq_sym mulf_eq0 => /orP[/eqP c0|].
  by exists c.
by rewrite subr_eq0 gt_eqF.
Qed.

Lemma zeros_between r a : path <%R a r -> all (fun x => f x == 0) (a :: r) ->
  exists r', [/\ path <%R a r', all (fun x => df x == 0) r' & size r' = size r].
Proof.
elim: r a => [|b r IH] a /=; first by exists [::].
move=> /andP[ab br] /and3P[/eqP fa /eqP fb fr].
have [|r' [br' r'0 sr']] := IH b br; first by rewrite /= fb eqxx.
have [c /andP[ac cb] c0] := zero_between ab fa fb.
exists (c :: r'); split; rewrite /= ?sr' ?c0 ?eqxx // ac /=.
by case: r' br' {r'0 sr'} => //= x r' /andP[bx ->]; rewrite (lt_trans cb bx).
Qed.

Lemma few_zeros_derive : few_zeros df -> few_zeros f.
Proof.
move=> [N Ndf]; exists N.+1 => -[//|a r] ar r0.
have [r' [ar' r'0 rr']] := zeros_between ar r0; rewrite /= ltnS -rr'.
exact: Ndf (path_sorted ar') r'0.
Qed.

End Rolle.

(* identically zero, or finitely many zeros                                    *)
Definition zero_or_few f : Prop := (forall x, f x = 0) \/ few_zeros f.

Lemma zero_or_few_derive f df : (forall x : R, is_derive x 1 f (df x)) ->
  zero_or_few df -> zero_or_few f.
Proof.
move=> fdf [df0|]; last by move=> df_few; right; apply: few_zeros_derive df_few.
have f_cst x : f x = f 0.
  by apply: is_derive_0_is_cst => y; have := fdf y; rewrite df0.
have [f0|f0] := eqVneq (f 0) 0; first by left=> x; rewrite f_cst.
by right; exists 0%N => -[//|x r] _ /= /andP[]; rewrite f_cst (negPf f0).
Qed.

Lemma zero_or_few_scale f g : (forall x, f x = 0 <-> g x = 0) -> zero_or_few f -> zero_or_few g.
Proof.
move=> fg [f0|few]; first by left=> x; apply/fg.
by right; apply: few_zeros_scale few => x /fg.
Qed.

Lemma is_derive_horner (p : {poly R}) (x : R) : is_derive x 1 (fun y => p.[y]) p^`().[x].
Proof.
elim/poly_ind: p => [|p c IH].
  rewrite deriv0 horner0 (_ : (fun y => _) = cst 0); first exact: is_derive_cst.
  by apply/funext => y; rewrite horner0.
rewrite (_ : (fun y => _) = (fun y => p.[y]) * id + cst c); last first.
  by apply/funext => y; rewrite hornerMXaddC.
apply: is_derive_eq.
by rewrite derivMXaddC hornerD hornerMX addr0 /GRing.scale /= mulr1 [x * _]mulrC.
Qed.

Definition derive_term (a : {poly R} * {poly R}) := (a.1^`() + a.1 * a.2^`(), a.2).

Lemma is_derive_expsum s (x : R) :
  is_derive x 1 (expsum s) (expsum (map derive_term s) x).
Proof.
elim: s => [|a s IH].
  rewrite (_ : expsum [::] = cst 0) => [|]; last by apply/funext => y; rewrite /expsum big_nil.
  exact: is_derive_cst.
rewrite (_ : expsum (a :: s) =
    (fun y => a.1.[y]) * (expR \o (fun y => a.2.[y])) + expsum s); last first.
  by apply/funext => y; rewrite /expsum big_cons.
have d1 := is_derive_horner a.1 x; have d2 := is_derive_horner a.2 x.
apply: is_derive_eq; rewrite /expsum /= big_cons -/(expsum _ x); congr (_ + _).
rewrite /derive_term /= hornerD hornerM mulrDl addrC /GRing.scale /=.
by congr (_ + _); [rewrite mulrC|rewrite -mulrA [expR _ * _]mulrC].
Qed.

Lemma expsum_zero_or_few s : zero_or_few (expsum s).
Proof.
move: {2}(size s) (leqnn (size s)) => m; elim: m s => [|m IHm] s.
  by rewrite leqn0 size_eq0 => /eqP ->; left=> x; rewrite /expsum big_nil.
case: s => [|[p q] s] /=; first by left=> x; rewrite /expsum big_nil.
rewrite ltnS => sm.
suff dich k (p' : {poly R}) s' : (size p' <= k)%N -> (size s' <= m)%N ->
    zero_or_few (expsum ((p', 0) :: s')).
  pose s' := [seq (a.1, a.2 - q) | a <- s].
  have E x : expsum ((p, q) :: s) x = expsum ((p, 0) :: s') x * expR q.[x].
    rewrite /expsum !big_cons /= horner0 expR0 mulr1 mulrDl big_map mulr_suml.
    congr (_ + _); apply: eq_bigr => a _.
    by rewrite -mulrA -expRD hornerD hornerN subrK.
  have := dich (size p) p s' (leqnn _); rewrite size_map => /(_ sm).
  apply: zero_or_few_scale => x; rewrite E; split=> [->|/eqP]; first by rewrite mul0r.
  by rewrite mulf_eq0 (gt_eqF (expR_gt0 _)) orbF => /eqP.
elim: k p' s' => [|k IHk] p' s' p'k s'm.
  have : zero_or_few (expsum s') by apply: IHm.
  apply: zero_or_few_scale => x; move: p'k; rewrite leqn0 size_poly_eq0 => /eqP ->.
  by rewrite {2}/expsum big_cons /= horner0 mul0r add0r.
apply: zero_or_few_derive (@is_derive_expsum _) _.
rewrite /= /derive_term /= deriv0 mulr0 addr0; apply: IHk; last by rewrite size_map.
have [->|p'0] := eqVneq p' 0; first by rewrite deriv0 size_poly0.
by rewrite -ltnS (leq_trans (lt_size_deriv p'0)).
Qed.

Theorem expsum_zeros s : (exists x, expsum s x != 0) ->
  exists r : seq R, forall x, expsum s x = 0 -> x \in r.
Proof.
move=> [x fx]; apply: few_zerosP.
by have [f0|//] := expsum_zero_or_few s; rewrite f0 eqxx in fx.
Qed.

End Zeros.

(* -------------------------------------------------------------------------- *)
(* Quotients of exponential polynomials, positive denominators                 *)
(* -------------------------------------------------------------------------- *)
Section Quotients.
Variable R : realType.
Implicit Types (f g : R -> R).

Definition expfrac f : Prop := exists s d, (forall x, 0 < expsum d x) /\
  forall x, f x = expsum s x / expsum d x.

Theorem expfrac_zeros f x0 : expfrac f -> f x0 != 0 ->
  exists r : seq R, forall x, f x = 0 -> x \in r.
Proof.
move=> [s [d [d0 fE]]] fx0; have [|r rP] := @expsum_zeros R s.
  by exists x0; apply: contraNneq fx0 => s0; rewrite fE s0 mul0r.
exists r => x /eqP; rewrite fE mulf_eq0 invr_eq0 (gt_eqF (d0 x)) orbF => /eqP.
exact: rP.
Qed.

Lemma expfrac_ext f g : expfrac f -> f =1 g -> expfrac g.
Proof. by move=> [s [d [d0 fE]]] fg; exists s, d; split=> // x; rewrite -fg. Qed.

Lemma expsumD (s s' : seq ({poly R} * {poly R})) x :
  expsum (s ++ s') x = expsum s x + expsum s' x.
Proof. by rewrite /expsum big_cat. Qed.

Lemma expsumM (s s' : seq ({poly R} * {poly R})) x :
  expsum [seq (a.1 * b.1, a.2 + b.2) | a <- s, b <- s'] x = expsum s x * expsum s' x.
Proof.
rewrite /expsum big_allpairs_dep mulr_suml; apply: eq_bigr => a _.
rewrite mulr_sumr; apply: eq_bigr => b _.
by rewrite /= hornerM hornerD expRD mulrACA.
Qed.

Lemma expsum1 x : expsum [:: (1 : {poly R}, 0)] x = 1.
Proof. by rewrite /expsum big_seq1 /= hornerC horner0 expR0 mulr1. Qed.

(* polynomials, and their exponentials                                         *)
Lemma expfrac_poly (p q : {poly R}) : expfrac (fun x => p.[x] * expR q.[x]).
Proof.
exists [:: (p, q)], [:: (1, 0)]; split=> x; first by rewrite expsum1.
by rewrite expsum1 divr1 /expsum big_seq1.
Qed.

Lemma expfrac_const c : expfrac (fun=> c).
Proof.
by apply: expfrac_ext (expfrac_poly c%:P 0) _ => x; rewrite hornerC horner0 expR0 mulr1.
Qed.

Lemma expfracM f g : expfrac f -> expfrac g -> expfrac (fun x => f x * g x).
Proof.
move=> [s [d [d0 fE]]] [s' [d' [d'0 gE]]].
exists [seq (a.1 * b.1, a.2 + b.2) | a <- s, b <- s'].
exists [seq (a.1 * b.1, a.2 + b.2) | a <- d, b <- d'].
split=> x; rewrite !expsumM; first by rewrite mulr_gt0.
by rewrite fE gE invfM mulrACA.
Qed.

Lemma expfracD f g : expfrac f -> expfrac g -> expfrac (fun x => f x + g x).
Proof.
move=> [s [d [d0 fE]]] [s' [d' [d'0 gE]]].
exists ([seq (a.1 * b.1, a.2 + b.2) | a <- s, b <- d'] ++
        [seq (a.1 * b.1, a.2 + b.2) | a <- s', b <- d]).
exists [seq (a.1 * b.1, a.2 + b.2) | a <- d, b <- d'].
split=> x; rewrite ?expsumD !expsumM; first by rewrite mulr_gt0.
by rewrite fE gE addf_div ?gt_eqF.
Qed.

Lemma expfrac_sum (I : Type) (r : seq I) (P : pred I) (f : I -> R -> R) :
  (forall i, P i -> expfrac (f i)) -> expfrac (fun x => \sum_(i <- r | P i) f i x).
Proof.
move=> fP; elim: r => [|i r IH].
  by apply: expfrac_ext (expfrac_const 0) _ => x; rewrite big_nil.
have [Pi|nPi] := boolP (P i); last first.
  by apply: expfrac_ext IH _ => x; rewrite big_cons (negPf nPi).
by apply: expfrac_ext (expfracD (fP i Pi) IH) _ => x; rewrite big_cons Pi.
Qed.

Lemma expfrac_prod (I : Type) (r : seq I) (P : pred I) (f : I -> R -> R) :
  (forall i, P i -> expfrac (f i)) -> expfrac (fun x => \prod_(i <- r | P i) f i x).
Proof.
move=> fP; elim: r => [|i r IH].
  by apply: expfrac_ext (expfrac_const 1) _ => x; rewrite big_nil.
have [Pi|nPi] := boolP (P i); last first.
  by apply: expfrac_ext IH _ => x; rewrite big_cons (negPf nPi).
by apply: expfrac_ext (expfracM (fP i Pi) IH) _ => x; rewrite big_cons Pi.
Qed.

Lemma expfrac_det n (A : R -> 'M[R]_n) : (forall i j, expfrac (fun x => A x i j)) ->
  expfrac (fun x => \det (A x)).
Proof.
move=> AP; rewrite /determinant; apply: expfrac_sum => s _.
by apply: expfracM (expfrac_const _) _; apply: expfrac_prod => i _; apply: AP.
Qed.

(* softmax of polynomial logits                                                *)
Lemma expfrac_softmax n (l : 'I_n -> {poly R}) i :
  expfrac (fun x => expR (l i).[x] / \sum_j expR (l j).[x]).
Proof.
pose d := [seq (1 : {poly R}, l j) | j <- enum 'I_n].
have dE x : expsum d x = \sum_j expR (l j).[x].
  rewrite /expsum big_map big_enum; apply: eq_bigr => j _.
  by rewrite /= hornerC mul1r.
exists [:: (1, l i)], d; split=> x; rewrite dE.
  rewrite (bigD1 i) //= ltr_paddr ?expR_gt0 //.
  by apply: sumr_ge0 => j _; apply/ltW/expR_gt0.
by rewrite /expsum big_seq1 /= hornerC mul1r.
Qed.

End Quotients.
