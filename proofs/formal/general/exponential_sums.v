(* Sums of multiples of exponentials of many variables, and quotients of functions.     *)
(*                                                                                      *)
(* sum_quotient sums f == f is a quotient of two functions of the class sums, the lower *)
(*            one positive; closed under sums, products and determinants                *)
(*     interpolation, powers_vanish == multiples of powers y ^ k of distinct numbers y  *)
(*            that add up to 0 for every k do so for every function of y                *)
From Attest Require Import prelude.

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
