(* Fewer parameters than values: an algebraic relation between all values.  Numbers y_j, j in J, that are    *)
(* quotients of polynomials in #|V| parameters, #|V| < #|J|, satisfy one polynomial equation, the same for   *)
(* all parameters; so they are not algebraically independent, and miss some points with small natural        *)
(* coordinates.  No transcendence degree is needed: times the denominators, the monomials in the y_j of      *)
(* degree at most D in each are combinations of fewer monomials in the parameters.                           *)
(* Also: exp of the square roots of different primes are algebraically independent if the theorem of         *)
(* Lindemann and Weierstrass holds, which is not proved here.                                                *)
(*                                                                                                           *)
(*            monomial x a == the product of x_v ^ a_v                                                       *)
(*             poly_fun k f == f is a polynomial function, of degree at most k v in x_v; coefficients in F   *)
(*       relation_value c y == the polynomial with coefficients c at y                                       *)
(*       algebraic_relation == the polynomial equation                                                       *)
(*  algebraically_independent y == no such equation holds but 0 = 0                                          *)
(*          point_off_zeros == a polynomial of degree at most D in each variable is not 0 on all of {0..D}^J *)
(*    lindemann_weierstrass R == exp of different algebraic numbers of R are independent over the rationals  *)
(*     sqrt_primes_independent == square roots of different primes are independent over the rationals        *)
(*     exp_sqrt_primes_independent == exp of these, under lindemann_weierstrass                              *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra ring zify.

(* ------------------------------------------------------------------------------------------------------ *)
(* Polynomial functions                                                                                    *)
(* ------------------------------------------------------------------------------------------------------ *)
Section PolynomialFunctions.
Variables (F R : fieldType) (iota : {rmorphism F -> R}) (V : finType).
Implicit Types (x : V -> R) (a : {ffun V -> nat}) (k : V -> nat) (f g : (V -> R) -> R).

Definition monomial x a : R := \prod_v x v ^+ a v.

Definition poly_fun k f : Prop := exists2 s : seq (F * {ffun V -> nat}),
  (forall m, m \in s -> forall v, (m.2 v <= k v)%N) &
  forall x, f x = \sum_(m <- s) iota m.1 * monomial x m.2.

Lemma poly_fun_eq k f g : f =1 g -> poly_fun k f -> poly_fun k g.
Proof. by move=> fg [s sk sE]; exists s => // x; rewrite -fg. Qed.

Lemma poly_fun_le k k' f : (forall v, (k v <= k' v)%N) -> poly_fun k f -> poly_fun k' f.
Proof. by move=> kk' [s sk sE]; exists s => // m ms v; apply: leq_trans (kk' v); apply: sk. Qed.

Lemma poly_fun_const k c : poly_fun k (fun=> iota c).
Proof.
exists [:: (c, [ffun=> 0%N])] => [m|x]; first by rewrite inE => /eqP -> v; rewrite ffunE.
by rewrite big_seq1 /monomial big1 ?mulr1 // => v _; rewrite ffunE.
Qed.

Lemma poly_fun_var k v : (0 < k v)%N -> poly_fun k (fun x => x v).
Proof.
move=> kv; exists [:: (1, [ffun w => (w == v : nat)])] => [m|x].
  by rewrite inE => /eqP -> w; rewrite ffunE /=; case: eqP => [->|].
rewrite big_seq1 rmorph1 mul1r /monomial (bigD1 v) //= ffunE eqxx expr1 big1 ?mulr1 // => w wv.
by rewrite ffunE (negPf wv).
Qed.

Lemma poly_fun_add k f g : poly_fun k f -> poly_fun k g -> poly_fun k (fun x => f x + g x).
Proof.
move=> [s sk sE] [s' sk' sE']; exists (s ++ s') => [m|x]; last by rewrite sE sE' big_cat.
by rewrite mem_cat => /orP[/sk|/sk'].
Qed.

Lemma poly_fun_sum k (I : finType) (f : I -> (V -> R) -> R) :
  (forall i, poly_fun k (f i)) -> poly_fun k (fun x => \sum_i f i x).
Proof.
move=> fk; elim: (index_enum I) => [|i r IHr].
  by apply: poly_fun_eq (poly_fun_const k 0) => x; rewrite big_nil rmorph0.
by apply: poly_fun_eq (poly_fun_add (fk i) IHr) => x; rewrite big_cons.
Qed.

Lemma monomialD x a a' : monomial x [ffun v => a v + a' v]%N = monomial x a * monomial x a'.
Proof. by rewrite /monomial -big_split; apply: eq_bigr => v _; rewrite ffunE exprD. Qed.

Definition product_term (m m' : F * {ffun V -> nat}) : F * {ffun V -> nat} :=
  (m.1 * m'.1, [ffun v => m.2 v + m'.2 v]%N).

Lemma poly_fun_mul k k' f g : poly_fun k f -> poly_fun k' g ->
  poly_fun (fun v => k v + k' v)%N (fun x => f x * g x).
Proof.
move=> [s sk sE] [s' sk' sE'].
exists [seq product_term m m' | m <- s, m' <- s'] => [m|x].
  by case/allpairsP => -[m1 m2] /= [/sk h1 /sk' h2 ->] v; rewrite ffunE leq_add.
rewrite big_allpairs_dep sE mulr_suml; apply: eq_bigr => m _; rewrite sE' mulr_sumr.
by apply: eq_bigr => m' _; rewrite rmorphM monomialD mulrACA.
Qed.

Lemma poly_fun_prod (I : finType) (P : pred I) (k : I -> V -> nat) (f : I -> (V -> R) -> R) :
  (forall i, P i -> poly_fun (k i) (f i)) ->
  poly_fun (fun v => \sum_(i | P i) k i v)%N (fun x => \prod_(i | P i) f i x).
Proof.
move=> fk; elim: (index_enum I) => [|i r IHr].
  apply: (@poly_fun_le (fun=> 0%N)) => //.
  by apply: poly_fun_eq (poly_fun_const _ 1) => x; rewrite big_nil rmorph1.
have [Pi|Pi] := boolP (P i).
  apply: poly_fun_le (poly_fun_eq _ (poly_fun_mul (fk i Pi) IHr)) => [v|x]; first by rewrite big_cons Pi.
  by rewrite big_cons Pi.
apply: poly_fun_le (poly_fun_eq _ IHr) => [v|x]; by rewrite big_cons (negPf Pi).
Qed.

Lemma poly_fun_opp k f : poly_fun k f -> poly_fun k (fun x => - f x).
Proof.
move=> fk; apply: poly_fun_le (poly_fun_eq _ (poly_fun_mul (poly_fun_const (fun=> 0%N) (-1)) fk)) => //.
by move=> x; rewrite rmorphN1 mulN1r.
Qed.

Lemma poly_fun_exp k f m : poly_fun k f -> poly_fun (fun v => m * k v)%N (fun x => f x ^+ m).
Proof.
move=> fk; elim: m => [|m IHm].
  by apply: poly_fun_eq (poly_fun_const _ 1) => x; rewrite rmorph1.
apply: poly_fun_le (poly_fun_eq _ (poly_fun_mul fk IHm)) => [v|x]; first by rewrite mulSn.
by rewrite exprS.
Qed.

(* the coefficients, on a box                                                                              *)
Definition box k : finType := [finType of {dffun forall v : V, 'I_(k v).+1}].
Definition exponents_in k (b : box k) : {ffun V -> nat} := [ffun v => b v : nat].

Lemma poly_funP k f : poly_fun k f -> exists c : box k -> F,
  forall x, f x = \sum_b iota (c b) * monomial x (exponents_in b).
Proof.
move=> [s sk sE]; exists (fun b : box k => \sum_(m <- s | m.2 == exponents_in b) m.1) => x.
rewrite sE.
transitivity (\sum_(b : box k) \sum_(m <- s | m.2 == exponents_in b) iota m.1 * monomial x m.2); last first.
  by apply: eq_bigr => b _; rewrite rmorph_sum mulr_suml; apply: eq_bigr => m /eqP ->.
rewrite (exchange_big_dep xpredT) //= big_seq [RHS]big_seq; apply: eq_bigr => m /sk mk.
pose b0 : box k := [ffun v => inord (m.2 v)].
rewrite (big_pred1 b0) // => b /=; apply/eqP/eqP => [mb|->].
  by apply/ffunP => v; apply/val_inj; rewrite ffunE /= mb ffunE inord_val.
by apply/ffunP => v; rewrite !ffunE inordK // ltnS mk.
Qed.

Lemma card_box k : #|box k| = (\prod_v (k v).+1)%N.
Proof.
rewrite card_dep_ffun foldrE big_map big_enum /=.
by apply: eq_bigr => v _; rewrite card_ord.
Qed.

End PolynomialFunctions.

(* ------------------------------------------------------------------------------------------------------ *)
(* The relation                                                                                            *)
(* ------------------------------------------------------------------------------------------------------ *)
Section Relation.
Variables (F R : fieldType) (iota : {rmorphism F -> R}).

Definition relation_value (J : finType) D (c : {ffun J -> 'I_D} -> F) (y : J -> R) : R :=
  \sum_a iota (c a) * \prod_j y j ^+ a j.

Definition algebraically_independent (J : finType) (y : J -> R) : Prop :=
  forall D (c : {ffun J -> 'I_D} -> F), relation_value c y = 0 -> forall a, c a = 0.

(* y_j = p_j (x) / q_j (x), both of degree at most k j v in x_v                                            *)
Theorem algebraic_relation (V J : finType) (k : J -> V -> nat) (p q : J -> (V -> R) -> R) D :
    (forall j, poly_fun iota (k j) (p j)) -> (forall j, poly_fun iota (k j) (q j)) ->
    (\prod_v (D * \sum_j k j v).+1 < D.+1 ^ #|J|)%N ->
  exists2 c : {ffun J -> 'I_D.+1} -> F, exists a, c a != 0 &
    forall x y, (forall j, q j x != 0) -> (forall j, q j x * y j = p j x) -> relation_value c y = 0.
Proof.
move=> pk qk few; pose kk v := (D * \sum_j k j v)%N.
pose A := [finType of {ffun J -> 'I_D.+1}]; pose B := box kk.
have gk (a : A) : poly_fun iota kk (fun x => \prod_j (p j x ^+ a j * q j x ^+ (D - a j))).
  apply: poly_fun_le (poly_fun_prod (k := fun j v => (D * k j v)%N) _) => [v|j _].
    by rewrite /kk big_distrr.
  apply: poly_fun_le (poly_fun_mul (poly_fun_exp (a j) (pk j)) (poly_fun_exp (D - a j) (qk j))) => v.
  by rewrite -mulnDl subnKC // -ltnS.
have [C CP] := fin_all_exists (fun a => poly_funP (gk a)).
pose M : 'M[F]_(#|A|, #|B|) := \matrix_(i, b) C (enum_val i) (enum_val b).
have ker0 : kermx M != 0.
  rewrite -mxrank_eq0 mxrank_ker -lt0n subn_gt0; apply: leq_ltn_trans (rank_leq_col _) _.
  by rewrite card_box card_ffun card_ord.
have w0 : nz_row (kermx M) != 0 by rewrite nz_row_eq0.
have wM : nz_row (kermx M) *m M = 0 by apply/sub_kermxP/nz_row_sub.
move: (nz_row _) w0 wM => w w0 wM; exists (fun a => w 0 (enum_rank a)).
  have [i wi] : exists i, w 0 i != 0.
    apply/existsP; rewrite -[X in is_true X]negbK negb_exists; apply: contra w0 => /forallP w0.
    by apply/eqP/rowP => i; rewrite mxE; have := w0 i; rewrite negbK => /eqP.
  by exists (enum_val i); rewrite enum_valK.
move=> x y q0 qy; apply: (mulfI (_ : \prod_j q j x ^+ D != 0)).
  by apply/prodf_neq0 => j _; rewrite expf_neq0.
rewrite mulr0 /relation_value mulr_sumr.
transitivity (\sum_(a : A) iota (w 0 (enum_rank a)) * \sum_b iota (C a b) * monomial x (exponents_in b)).
  apply: eq_bigr => a _; rewrite mulrCA -CP -big_split; congr (_ * _); apply: eq_bigr => j _ /=.
  rewrite -qy exprMn [RHS]mulrAC -exprD subnKC //.
  by rewrite -ltnS.
under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big big1 //= => b _.
transitivity (iota ((w *m M) 0 (enum_rank b)) * monomial x (exponents_in b)); last first.
  by rewrite wM mxE rmorph0 mul0r.
rewrite mxE rmorph_sum mulr_suml [RHS](reindex enum_rank) /=; last first.
  by apply: onW_bij; apply: enum_rank_bij.
by apply: eq_bigr => a _; rewrite mxE !enum_rankK rmorphM mulrA.
Qed.

End Relation.

(* a bound of the degree D for which there are enough monomials                                            *)
Lemma enough_degree (V J : finType) (k : V -> nat) K D : (#|V| < #|J|)%N -> (0 < K)%N ->
    (forall v, (k v <= K)%N) -> (K ^ #|V| <= D)%N ->
  (\prod_v (D * k v).+1 < D.+1 ^ #|J|)%N.
Proof.
move=> VJ K0 kK KD; apply: (@leq_ltn_trans ((K * D.+1) ^ #|V|)).
  rewrite -prod_nat_const; apply: leq_prod => v _.
  by rewrite mulnS -addn1 addnC leq_add // mulnC leq_mul2r kK orbT.
rewrite expnMn (@leq_trans (D.+1 ^ #|V|.+1)) ?leq_pexp2l //.
by rewrite expnS ltn_mul2r expn_gt0.
Qed.

(* a polynomial of degree at most D in each variable is not 0 on all of {0 .. D}^J                          *)
Lemma point_off_zeros (R : numDomainType) (J : finType) D (c : {ffun J -> 'I_D.+1} -> R) a0 : c a0 != 0 ->
  exists y : {ffun J -> 'I_D.+1}, \sum_a c a * \prod_j (y j)%:R ^+ a j != 0.
Proof.
move=> c0; pose value (s : seq J) (y : {ffun J -> 'I_D.+1}) :=
  \sum_(a : {ffun J -> 'I_D.+1} | [forall j, (j \notin s) ==> (a j == a0 j)]) c a * \prod_(j <- s) (y j)%:R ^+ a j.
suff [y y0] : exists y, value (index_enum J) y != 0.
  exists y; rewrite [X in X != 0](_ : _ = value (index_enum J) y) //.
  by apply: eq_bigl => a; apply/esym/forallP => j; rewrite mem_index_enum.
have := index_enum_uniq J; elim: (index_enum J) => [|j s IHs] /=.
  exists a0; rewrite /value (big_pred1 a0) ?big_nil ?mulr1 // => a.
  by apply/forallP/eqP => [aa0|-> j]; [apply/ffunP => j; apply/eqP/aa0|rewrite eqxx].
case/andP=> js us; have [y y0] := IHs us.
pose part (i : 'I_D.+1) := \sum_(a : {ffun J -> 'I_D.+1} |
  [forall l, (l \notin j :: s) ==> (a l == a0 l)] && (a j == i)) c a * \prod_(l <- s) (y l)%:R ^+ a l.
have partE : part (a0 j) = value s y.
  apply: eq_bigl => a; apply/andP/forallP => [[/forallP aa0 /eqP aj] l|aa0].
    by apply/implyP => ls; have := aa0 l; rewrite inE negb_or ls andbT; case: eqP => [->|_ //]; rewrite aj.
  split; last by apply: (implyP (aa0 j)).
  apply/forallP => l; apply/implyP => ls; apply: (implyP (aa0 l)).
  by move: ls; rewrite inE negb_or => /andP[].
pose P : {poly R} := \poly_(i < D.+1) part (inord i).
have P0 : P != 0.
  apply: contra y0 => /eqP P0; rewrite -partE; have := congr1 (fun g : {poly R} => g`_(a0 j)) P0.
  by rewrite coef_poly ltn_ord inord_val coef0 => ->.
have [i Pi] : exists i : 'I_D.+1, P.[i%:R] != 0.
  apply/existsP; rewrite -[X in is_true X]negbK negb_exists; apply: contra P0 => /forallP zeros.
  apply/eqP; apply: (@roots_geq_poly_eq0 _ P [seq i%:R | i <- iota 0 D.+1]).
  - apply/allP => _ /mapP[i iD ->]; rewrite mem_iota add0n in iD.
    by have := zeros (Ordinal iD); rewrite negbK.
  - by rewrite map_inj_uniq ?iota_uniq // => i i' /eqP; rewrite eqr_nat => /eqP.
  - by rewrite size_map size_iota size_poly.
pose y' : {ffun J -> 'I_D.+1} := [ffun l => if l == j then i else y l].
exists y'; apply: contra Pi => /eqP v0; apply/eqP; rewrite -[RHS]v0 horner_poly /value.
rewrite [RHS](partition_big (fun a : {ffun J -> 'I_D.+1} => a j) xpredT) //=.
apply: eq_bigr => m _; rewrite inord_val /part mulr_suml; apply: eq_bigr => a /andP[_ /eqP aj].
rewrite big_cons ffunE eqxx aj -mulrA; congr (_ * _); rewrite mulrC; congr (_ * _).
rewrite big_seq [RHS]big_seq; apply: eq_bigr => l ls; rewrite ffunE.
by case: eqP => // lj; rewrite -lj ls in js.
Qed.

(* ------------------------------------------------------------------------------------------------------ *)
(* Square roots of primes                                                                                  *)
(* ------------------------------------------------------------------------------------------------------ *)
Lemma prime_square c : prime (c ^ 2) = false.
Proof.
rewrite -mulnn; apply/negP => pp; have /primeP[c1 /(_ c)] := pp.
rewrite dvdn_mulr // => /(_ isT) /orP[] /eqP cE; last by nia.
by move: c1; rewrite cE.
Qed.

Section SquareRoots.
Variable R : rcfType.

Local Notation root p := (Num.sqrt (p%:R : R)).

(* the field that the square roots of s generate                                                           *)
Fixpoint with_roots (s : seq nat) (x : R) : Prop :=
  if s is p :: s' then exists u v, [/\ with_roots s' u, with_roots s' v & x = u + v * root p]
  else exists q : rat, x = ratr q.

Lemma with_roots_rat s q : with_roots s (ratr q).
Proof.
elim: s q => [|p s IHs] q /=; first by exists q.
by exists (ratr q), (ratr 0); split=> //; rewrite rmorph0 mul0r addr0.
Qed.

Lemma with_roots_nat s m : with_roots s m%:R.
Proof. by rewrite -(ratr_nat R); apply: with_roots_rat. Qed.

Lemma with_roots_root s p : p \in s -> with_roots s (root p).
Proof.
elim: s => // p' s IHs; rewrite inE /= => /orP[/eqP <-|/IHs ps].
  by exists 0, 1; split; [exact: (with_roots_nat s 0)|exact: (with_roots_nat s 1)|rewrite add0r mul1r].
by exists (root p), 0; split; [exact: ps|exact: (with_roots_nat s 0)|rewrite mul0r addr0].
Qed.

Lemma with_rootsD s x y : with_roots s x -> with_roots s y -> with_roots s (x + y).
Proof.
elim: s x y => [|p s IHs] x y /=; first by move=> [q ->] [q' ->]; exists (q + q'); rewrite rmorphD.
move=> [u [v [us vs ->]]] [u' [v' [us' vs' ->]]]; exists (u + u'), (v + v').
by split; [exact: IHs|exact: IHs|ring].
Qed.

Lemma with_rootsM s x y : with_roots s x -> with_roots s y -> with_roots s (x * y).
Proof.
elim: s x y => [|p s IHs] x y /=; first by move=> [q ->] [q' ->]; exists (q * q'); rewrite rmorphM.
move=> [u [v [us vs ->]]] [u' [v' [us' vs' ->]]].
exists (u * u' + v * v' * p%:R), (u * v' + v * u').
split; [|by apply: with_rootsD; apply: IHs|].
  apply: with_rootsD; first exact: IHs.
  by apply: (IHs _ _ _ (with_roots_nat s p)); apply: IHs.
by have := sqr_sqrtr (ler0n R p); move: (root p) => w; move: (p%:R) => z <-; ring.
Qed.

Lemma with_rootsN s x : with_roots s x -> with_roots s (- x).
Proof. by rewrite -mulN1r; apply: with_rootsM; rewrite -(rmorphN1 [rmorphism of ratr]); apply: with_roots_rat. Qed.

Lemma with_rootsV s x : with_roots s x -> with_roots s x^-1.
Proof.
elim: s x => [|p s IHs] x /=; first by move=> [q ->]; exists q^-1; rewrite fmorphV.
move=> xs; have [u [v [us vs xE]]] := xs; have vsN := with_rootsN vs.
have [/eqP|N0] := eqVneq ((u + v * root p) * (u - v * root p)) 0; last first.
  pose N := (u + v * root p) * (u - v * root p).
  have Ns : with_roots s N^-1.
    apply: IHs; rewrite (_ : N = u * u + (- v) * (v * p%:R)).
      apply: with_rootsD; apply: with_rootsM => //; apply: with_rootsM => //; exact: with_roots_nat.
    by rewrite /N; have := sqr_sqrtr (ler0n R p); move: (root p) => w; move: (p%:R) => z <-; ring.
  exists (u * N^-1), ((- v) * N^-1); split; [exact: with_rootsM|exact: with_rootsM|].
  have x0 : x != 0 by apply: contraNneq N0 => x0; rewrite -xE x0 mul0r.
  by rewrite /N xE in x0 N0 *; field; move: N0; rewrite mulf_eq0 negb_or => /andP[-> ->].
rewrite mulf_eq0 -xE => /orP[/eqP ->|]; first by rewrite invr0; apply: (with_roots_nat (p :: s) 0).
rewrite subr_eq0 => /eqP uE; exists (u + u)^-1, 0; split.
- by apply: IHs; apply: with_rootsD.
- exact: (with_roots_nat s 0).
- by rewrite mul0r addr0 xE -uE.
Qed.

(* the square root of a rational number that is rational                                                   *)
Lemma rational_root b (q : rat) : root b = ratr q -> exists c, b = (c ^ 2)%N.
Proof.
move=> bq; have q2 : q ^+ 2 = b%:R.
  by apply: (fmorph_inj [rmorphism of @ratr R]); rewrite rmorphX /= -bq sqr_sqrtr ?ler0n // ratr_nat.
have d0 : (denq q)%:~R != 0 :> rat by rewrite intr_eq0 denq_neq0.
have nd : (`|numq q| ^ 2 = b * `|denq q| ^ 2)%N.
  apply/eqP; rewrite -eqz_nat PoszM -!abszX !gez0_abs ?sqr_ge0 // -(eqr_int [numDomainType of rat]) expr2 !intrM.
  by rewrite !numqE mulrACA -[q * q]expr2 q2 pmulrn.
have d1 : (`|denq q| = 1)%N.
  apply/eqP; rewrite -dvdn1; have := coprime_num_den q; rewrite /coprime => /eqP <-.
  rewrite dvdn_gcd dvdnn andbT -(@dvdn_pexp2r _ _ 2) // nd; exact: dvdn_mull.
by exists `|numq q|%N; rewrite nd d1 exp1n muln1.
Qed.

(* a number prime to all primes of s whose square root the others generate is a square                     *)
Theorem root_outside s b : all prime s -> uniq s -> all (coprime b) s -> with_roots s (root b) ->
  exists c, b = (c ^ 2)%N.
Proof.
elim: s b => [|p s IHs] b /=; first by move=> _ _ _ [q] /rational_root.
case/andP=> pp ps /andP[ns us] /andP[bp bs] [u [v [us' vs bE]]].
have bR : root b ^+ 2 = b%:R by rewrite sqr_sqrtr ?ler0n.
have pR : root p ^+ 2 = p%:R by rewrite sqr_sqrtr ?ler0n.
have ps_coprime : all (coprime p) s.
  apply/allP => p' p's; rewrite prime_coprime // dvdn_prime2 ?(allP ps p' p's) //.
  by apply: contra ns => /eqP ->.
have [v0|v0] := eqVneq v 0; first by apply: (IHs b ps us bs); rewrite bE v0 mul0r addr0.
have [u0|u0] := eqVneq u 0.
  have [//||c bpE] := IHs (b * p)%N ps us.
  - by apply/allP => p' p's; rewrite coprimeMl (allP bs) ?(allP ps_coprime).
  - rewrite natrM sqrtrM ?ler0n // bE u0 add0r -mulrA -expr2 pR.
    by apply: with_rootsM => //; apply: with_roots_nat.
  have : (p %| c ^ 2)%N by rewrite -bpE dvdn_mull.
  rewrite Euclid_dvdX // => /andP[pc _].
  have : (p ^ 2 %| b * p)%N by rewrite bpE dvdn_exp2r.
  rewrite -mulnn dvdn_pmul2r ?prime_gt0 // => pb.
  by move: bp; rewrite coprime_sym prime_coprime // pb.
have [|c pE] := IHs p ps us ps_coprime.
  have -> : root p = (b%:R + (- (u * u) + - (v * (v * p%:R)))) * ((u + u) * v)^-1.
    apply: (canRL (mulfK _)); last first.
      by rewrite -bR bE; move: (root p) pR => w; move: (p%:R : R) => z <-; ring.
    by rewrite mulf_neq0 // -mulr2n mulrn_eq0.
  have natP k := with_roots_nat s k.
  apply: with_rootsM; last by apply: with_rootsV; apply: with_rootsM => //; apply: with_rootsD.
  apply: with_rootsD => //; apply: with_rootsD; apply: with_rootsN; apply: with_rootsM => //.
  exact: with_rootsM.
by move: pp; rewrite pE prime_square.
Qed.

Theorem sqrt_primes_independent (J : finType) (p : J -> nat) (c : J -> rat) :
    (forall j, prime (p j)) -> injective p -> \sum_j ratr (c j) * root (p j) = 0 ->
  forall j, c j = 0.
Proof.
move=> pp inj_p sum0 j; apply/eqP; apply: contraT => cj.
pose s := [seq p i | i <- enum J & i != j].
have s_prime : all prime s by apply/allP => _ /mapP[i _ ->].
have s_uniq : uniq s by rewrite map_inj_uniq // filter_uniq ?enum_uniq.
have [||m pE] := root_outside (b := p j) s_prime s_uniq.
- apply/allP => _ /mapP[i + ->]; rewrite mem_filter => /andP[ij _].
  by rewrite prime_coprime // dvdn_prime2 // (inj_eq inj_p) eq_sym.
- have -> : root (p j) = - (ratr (c j)^-1 * \sum_(i | i != j) ratr (c i) * root (p i)).
    move: sum0; rewrite (bigD1 j) //= => /eqP; rewrite addr_eq0 => /eqP sum0.
    by rewrite -mulrN -sum0 mulrA -rmorphM mulVf // rmorph1 mul1r.
  apply: with_rootsN; apply: with_rootsM; first exact: with_roots_rat.
  apply: (big_ind (with_roots s)) => [|x y|i ij]; [exact: (with_roots_nat s 0)|exact: with_rootsD|].
  apply: with_rootsM; [exact: with_roots_rat|apply: with_roots_root].
  by apply: map_f; rewrite mem_filter ij mem_enum.
by have := pp j; rewrite pE prime_square.
Qed.

End SquareRoots.

(* ------------------------------------------------------------------------------------------------------ *)
(* Lindemann and Weierstrass                                                                               *)
(* ------------------------------------------------------------------------------------------------------ *)
(* their theorem, for real numbers and rational coefficients; a premise where it is used                    *)
Definition lindemann_weierstrass (R : realType) : Prop :=
  forall (I : finType) (r : I -> R) (c : I -> rat), injective r ->
    (forall i, algebraicOver [rmorphism of @ratr R] (r i)) -> \sum_i ratr (c i) * expR (r i) = 0 ->
  forall i, c i = 0.

Theorem exp_sqrt_primes_independent (R : realType) (J : finType) (p : J -> nat) :
    lindemann_weierstrass R -> (forall j, prime (p j)) -> injective p ->
  algebraically_independent [rmorphism of @ratr R] (fun j => expR (Num.sqrt (p j)%:R)).
Proof.
move=> lw pp inj_p D c rel; pose r (a : {ffun J -> 'I_D}) : R := \sum_j (a j)%:R * Num.sqrt (p j)%:R.
apply: (lw _ r c) => [a a' aa'|a|].
- apply/ffunP => j; apply/val_inj/eqP; rewrite /= -(eqr_nat [numDomainType of rat]) -subr_eq0; apply/eqP.
  apply: (sqrt_primes_independent (R := R) (c := fun j => (a j)%:R - (a' j)%:R) pp inj_p).
  by under eq_bigr do rewrite rmorphB /= !ratr_nat mulrBl; rewrite sumrB -/(r a) aa' subrr.
- apply: (big_ind (algebraicOver [rmorphism of @ratr R])) => [|x y|j _].
  + exact: algebraic0.
  + exact: algebraic_add.
  + apply: algebraic_mul; first by rewrite -(ratr_nat R); apply: (algebraic_id [rmorphism of @ratr R]).
    exists ('X^2 - (p j)%:R%:P).
      apply/eqP => /polyP/(_ 2%N)/eqP.
      by rewrite coefB coefXn coefC subr0 coef0 oner_eq0.
    by rewrite rootE rmorphB /= map_polyXn map_polyC /= ratr_nat hornerD hornerN hornerC hornerXn sqr_sqrtr ?ler0n // subrr.
rewrite -[RHS]rel; apply: eq_bigr => a _; congr (_ * _).
rewrite /r (big_morph _ (@expRD R) (expR0 R)); apply: eq_bigr => j _.
by rewrite expRMm.
Qed.
