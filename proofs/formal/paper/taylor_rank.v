(* Taylor coefficients: those of softmax, and ranks near 0 of functions with given ones. *)
(*                                                                                       *)
(*         exp_poly N c == the Taylor polynomial of exp(c x)                             *)
(*   softmax_poly N q j == that of coefficient j of softmax(q x)                         *)
(*         jets H m N z == Taylor coefficients of H heads, keys 0, 1, z, ..., z^(m-1)    *)
(*            order N f == abs (f x) <= K abs(x)^N on every bounded set                  *)
(*          taylor_rank == from Taylor coefficients to rank                              *)
(*          expR_taylor == the remainder of the series of exp                            *)
From Attest Require Import prelude.
From mathcomp Require Import all_field ring.
From Attest Require Import common lemmas.

(* ===================================================================================== *)
(* The Taylor coefficients of softmax                                                    *)
(* ===================================================================================== *)
(* Algebra of the rank-one lower bound without a half-space: the Taylor coefficients at  *)
(* s = 0 of s |-> softmax(s q), for keys q_0 = 0 and q_i = z^(i-1), i = 1, ..., m.       *)
(* For z a primitive m-th root of unity the denominator 1 + sum_i e^(z^i s) does not     *)
(* change when s is multiplied by z, so the coefficient of order k of token i is         *)
(* z^((i-1) k) a_k, where a_k, that of e^s / D(s), is not zero when m >= 2 (k! a_k is    *)
(* 1 modulo m, up to powers of m + 1 when m does not divide k).  For m = 1, two tokens,  *)
(* a_k = 0 for even k >= 2.  With heads scaled by x_h = 1, ..., H, the matrix of         *)
(* coefficients of order 0, ..., H m is therefore a Vandermonde matrix at the H m + 1    *)
(* distinct nodes 0 and x_h z^i, up to the factors a_k.  Its minors are polynomials in z *)
(* with rational coefficients, so it has full rank for some natural number z too.        *)

(* -------------------------------------------------------------------------- *)
(* Power series modulo 'X^N                                                    *)
(* -------------------------------------------------------------------------- *)
Section Series.
Variables (K : comUnitRingType) (N n : nat).
Implicit Types q : 'I_n -> K.

Definition exp_poly (c : K) : {poly K} := \poly_(k < N) (c ^+ k / k`!%:R).
Definition den_poly q : {poly K} := \sum_j exp_poly (q j).
(* the inverse of den_poly modulo 'X^N, when n is invertible                     *)
Definition den_inv q : {poly K} :=
  n%:R^-1 *: \sum_(i < N) (1 - n%:R^-1 *: den_poly q) ^+ i.
Definition softmax_poly q j : {poly K} := exp_poly (q j) * den_inv q.

Lemma den_invP q : (n%:R : K) \is a GRing.unit -> (0 < N)%N ->
  exists S, den_poly q * den_inv q = 1 + S * 'X^N.
Proof.
move=> nU N0; pose U := 1 - n%:R^-1 *: den_poly q.
have /factor_theorem[V UV] : root U 0.
  rewrite /root hornerD hornerN hornerZ hornerC /den_poly horner_sum.
  rewrite (eq_bigr (fun=> 1)) => [|j _].
    by rewrite sumr_const card_ord mulVr ?subrr.
  by rewrite horner_coef0 coef_poly N0 expr0 fact0 divr1.
rewrite subr0 in UV.
have DE : den_poly q = n%:R *: (1 - U).
  by rewrite /U opprB addrC subrK scalerA mulrV ?scale1r.
exists (- V ^+ N); rewrite {1}DE /den_inv -/U -scalerAl -scalerAr scalerA.
rewrite mulrV // scale1r -opprB mulNr -subrX1 UV opprB exprMn_comm ?mulNr //.
exact: commr_polyX.
Qed.

Lemma coef_den_inv q k : (n%:R : K) \is a GRing.unit -> (k < N)%N ->
  (den_poly q * den_inv q)`_k = (k == 0%N)%:R.
Proof.
move=> nU kN; have [S ->] := den_invP q nU (leq_ltn_trans (leq0n k) kN).
by rewrite coefD coef1 coefMXn kN addr0.
Qed.

Lemma softmax_poly_sum q k : (n%:R : K) \is a GRing.unit -> (k < N)%N ->
  \sum_j (softmax_poly q j)`_k = (k == 0%N)%:R.
Proof. by move=> nU kN; rewrite -(coef_den_inv q nU kN) mulr_suml coef_sum. Qed.

End Series.

Section Natural.
Variables (K L : comUnitRingType) (f : {rmorphism K -> L}).
Hypothesis natU : forall k, (k.+1%:R : K) \is a GRing.unit.

Lemma map_exp_poly N c : map_poly f (exp_poly N c) = exp_poly N (f c).
Proof.
apply/polyP => k; rewrite coef_map !coef_poly; case: ltnP => _; last exact: rmorph0.
have kU : (k`!%:R : K) \is a GRing.unit by rewrite -(prednK (fact_gt0 k)) natU.
by rewrite /= rmorphM rmorphX /= rmorphV // rmorph_nat.
Qed.

Lemma map_softmax_poly N n (q : 'I_n.+1 -> K) (q' : 'I_n.+1 -> L) j :
  (forall i, f (q i) = q' i) ->
  map_poly f (softmax_poly N q j) = softmax_poly N q' j.
Proof.
move=> qq.
have DE : map_poly f (den_poly N q) = den_poly N q'.
  by rewrite /den_poly rmorph_sum; apply: eq_bigr => i _; rewrite /= map_exp_poly qq.
rewrite /softmax_poly rmorphM /= map_exp_poly qq; congr (_ * _).
rewrite /den_inv map_polyZ rmorphV //= rmorph_nat rmorph_sum /=; congr (_ *: _).
apply: eq_bigr => i _.
by rewrite rmorphX rmorphB rmorph1 /= map_polyZ rmorphV //= rmorph_nat DE.
Qed.

End Natural.

(* -------------------------------------------------------------------------- *)
(* The numbers v_k = k! a_k do not vanish                                      *)
(* -------------------------------------------------------------------------- *)
Section Units.
Variables (F : numFieldType) (m : nat).

(* x is congruent to 1, to 0 modulo m, up to a power of m + 1                    *)
Definition one_mod (x : F) := exists e, exists a : int, m.+1%:R ^+ e * x = 1 + m%:R * a%:~R.
Definition zero_mod (x : F) := exists e, exists a : int, m.+1%:R ^+ e * x = m%:R * a%:~R.

Lemma zero_mod0 : zero_mod 0.
Proof. by exists 0%N, 0; rewrite !mulr0. Qed.

Lemma zero_modD x y : zero_mod x -> zero_mod y -> zero_mod (x + y).
Proof.
move=> [e [a xa]] [e' [a' ya]]; exists (e + e')%N.
exists ((m.+1 ^ e')%N%:Z * a + (m.+1 ^ e)%N%:Z * a').
transitivity (m.+1%:R ^+ e' * (m.+1%:R ^+ e * x) + m.+1%:R ^+ e * (m.+1%:R ^+ e' * y)).
  by rewrite exprD; ring.
by rewrite xa ya rmorphD !rmorphM /= -!pmulrn !natrX; ring.
Qed.

Lemma zero_modMn x k : zero_mod x -> zero_mod (k%:R * x).
Proof.
move=> [e [a xa]]; exists e, (k%:Z * a).
by rewrite mulrCA xa rmorphM /= -pmulrn mulrCA.
Qed.

Lemma one_mod_exp e : exists a : int, (m.+1%:R : F) ^+ e = 1 + m%:R * a%:~R.
Proof.
elim: e => [|e [a IHe]]; first by exists 0; rewrite mulr0 addr0 expr0.
exists (1 + m.+1%:Z * a).
by rewrite exprS IHe rmorphD rmorphM /= -pmulrn (mulrS 1 m); ring.
Qed.

Lemma one_modD x y : one_mod x -> zero_mod y -> one_mod (x + y).
Proof.
move=> [e [a xa]] [e' [a' ya]]; have [c cE] := one_mod_exp e'.
exists (e + e')%N, (c + (m.+1 ^ e')%N%:Z * a + (m.+1 ^ e)%N%:Z * a').
transitivity (m.+1%:R ^+ e' * (m.+1%:R ^+ e * x) + m.+1%:R ^+ e * (m.+1%:R ^+ e' * y)).
  by rewrite exprD; ring.
by rewrite xa ya !rmorphD !rmorphM /= -!pmulrn !natrX cE; ring.
Qed.

Lemma one_mod_zero x : one_mod x -> zero_mod (- (m%:R * x / m.+1%:R)).
Proof.
move=> [e [a xa]]; exists e.+1, (- (1 + m%:Z * a)).
have m1 : m.+1%:R != 0 :> F by rewrite pnatr_eq0.
transitivity (- (m%:R * (m.+1%:R ^+ e * x) * (m.+1%:R / m.+1%:R))).
  by rewrite exprS; ring.
by rewrite xa divff // rmorphN rmorphD rmorphM /= -pmulrn; ring.
Qed.

Lemma one_mod_neq0 x : (1 < m)%N -> one_mod x -> x != 0.
Proof.
move=> m1 [e [a xa]]; apply/eqP => x0; move: xa; rewrite x0 mulr0 => /esym/eqP.
have -> : 1 + m%:R * a%:~R = (1 + m%:Z * a)%:~R :> F.
  by rewrite rmorphD rmorphM /= -pmulrn.
rewrite intr_eq0 addrC addr_eq0 => /eqP ma.
have : (m%:Z %| - (1 : int))%Z by rewrite -ma dvdz_mulr.
by rewrite dvdzE /= dvdn1 => /eqP mE; rewrite mE in m1.
Qed.

Variables (u : nat -> F) (N : nat).
Hypothesis m_gt1 : (1 < m)%N.
Hypothesis u0 : m.+1%:R * u 0 = 1.
Hypothesis uS : forall k, (0 < k < N)%N ->
  u k = - (m%:R * \sum_(i < k.+1 | (m %| i)%N) 'C(k, i)%:R * u (k - i)%N).

Let v k := \sum_(i < k.+1) 'C(k, i)%:R * u (k - i)%N.

Lemma v_step k : (k.+1 < N)%N ->
    (forall j, (0 < j < k.+1)%N -> zero_mod (u j) /\ (~~ (m %| j)%N -> u j = 0)) ->
  [/\ zero_mod (u k.+1), ~~ (m %| k.+1)%N -> u k.+1 = 0 & v k.+1 != 0].
Proof.
move=> kN IHk; pose w := \sum_(i < k.+1) 'C(k.+1, i.+1)%:R * u (k - i)%N.
have vE : v k.+1 = u k.+1 + w.
  by rewrite /v big_ord_recl /= bin0 mul1r subn0.
have w1 : one_mod w.
  rewrite /w big_ord_recr /= binn mul1r subnn addrC; apply: one_modD.
    by exists 1%N, 0; rewrite mulr0 addr0 expr1.
  elim/big_ind: _ => [|x y|i _]; [exact: zero_mod0|exact: zero_modD|].
  apply/zero_modMn; have [|//] := IHk (k - i)%N.
  by rewrite subn_gt0 ltn_ord ltnS leq_subr.
have m10 : m.+1%:R != 0 :> F by rewrite pnatr_eq0.
have uE := uS (kN : (0 < k.+1 < N)%N).
have [mk|mk] := boolP (m %| k.+1)%N.
  have {}uE : u k.+1 = - (m%:R * v k.+1).
    rewrite uE; congr (- (_ * _)); rewrite big_mkcond; apply: eq_bigr => i _.
    case: ifPn => // mi; case: (posnP i) => i0; first by rewrite i0 dvdn0 in mi.
    have ik : (i <= k.+1)%N by rewrite -ltnS.
    have [|_ ->] := IHk (k.+1 - i)%N; rewrite ?mulr0 ?dvdn_subr //.
    rewrite subn_gt0 ltn_subrL i0 andbT ltn_neqAle ik andbT.
    by apply: contraNneq mi => ->.
  have vw : m.+1%:R * v k.+1 = w.
    by rewrite (mulrS 1 m) mulrDl mul1r {1}vE uE addrAC addNr add0r.
  split=> [|//|]; last first.
    by move: (one_mod_neq0 m_gt1 w1); rewrite -vw mulf_eq0 negb_or => /andP[].
  have -> : u k.+1 = - (m%:R * w / m.+1%:R).
    by rewrite uE -vw mulrCA [X in X / _]mulrC mulfK.
  exact: one_mod_zero.
have uk0 : u k.+1 = 0.
  move/eqP: uE; rewrite (bigD1 ord0) ?dvdn0 //= big1 => [|i /andP[mi i0]].
    rewrite bin0 mul1r subn0 addr0 -subr_eq0 opprK -{1}[u k.+1]mul1r -mulrDl.
    by rewrite -(mulrS 1 m) mulf_eq0 (negPf m10) => /eqP.
  have ik : (i <= k.+1)%N by rewrite -ltnS.
  have nd : ~~ (m %| k.+1 - i)%N by rewrite dvdn_subl.
  have [|_ -> //] := IHk (k.+1 - i)%N; last by rewrite mulr0.
  rewrite subn_gt0 ltn_subrL lt0n i0 andbT ltn_neqAle ik andbT.
  by apply: contraNneq mk => <-.
by rewrite vE uk0 add0r; split=> //; [exact: zero_mod0|exact: one_mod_neq0].
Qed.

Lemma u_mod k : (0 < k < N)%N -> zero_mod (u k) /\ (~~ (m %| k)%N -> u k = 0).
Proof.
elim/ltn_ind: k => -[//|k] IHk kN; have [|//] := @v_step k kN.
move=> j /andP[j0 jk]; apply: IHk => //.
by rewrite j0 (ltn_trans jk).
Qed.

Lemma v_neq0 k : (k < N)%N -> v k != 0.
Proof.
case: k => [|k] kN; last first.
  have [|//] := @v_step k kN => j /andP[j0 jk]; apply: u_mod.
  by rewrite j0 (ltn_trans jk).
rewrite /v big_ord1 bin0 mul1r subnn; apply: contra_eq_neq u0 => ->.
by rewrite mulr0 eq_sym oner_neq0.
Qed.

End Units.

(* -------------------------------------------------------------------------- *)
(* The matrix of coefficients                                                  *)
(* -------------------------------------------------------------------------- *)
Definition jet_keys (K : ringType) m (z : K) (i : 'I_m.+1) : K :=
  if unlift ord0 i is Some j then z ^+ j else 0.

(* row k: the coefficients of order k of all tokens of all heads                 *)
Definition jets (K : comUnitRingType) H m N (z : K) : 'M[K]_(N, H * m.+1) :=
  \matrix_(k < N) mxvec (\matrix_(h < H, j < m.+1)
    (h.+1%:R ^+ k * (softmax_poly N (jet_keys z) j)`_k)).

Lemma jetsE (K : comUnitRingType) H m N (z : K) k (h : 'I_H) (j : 'I_m.+1) :
  jets H m N z k (mxvec_index h j) = h.+1%:R ^+ k * (softmax_poly N (jet_keys z) j)`_k.
Proof. by rewrite mxE mxvecE mxE. Qed.

Lemma map_jets (K L : comUnitRingType) (f : {rmorphism K -> L}) H m N (z : K) :
    (forall k, (k.+1%:R : K) \is a GRing.unit) ->
  map_mx f (jets H m N z) = jets H m N (f z).
Proof.
move=> natU; apply/matrixP => k c; case/mxvec_indexP: c => h j.
rewrite mxE !jetsE rmorphM rmorphX rmorph_nat -coef_map.
rewrite (@map_softmax_poly _ _ f natU N m _ (jet_keys (f z))) // => i.
by rewrite /jet_keys; case: (unlift ord0 i) => [i'|]; rewrite ?rmorphX ?rmorph0.
Qed.

Section RootOfUnity.
Variables (F : numFieldType) (m H : nat) (z : F).
Hypothesis m_gt1 : (1 < m)%N.
Hypothesis zP : m.-primitive_root z.
Let N := (H.+1 * m).+1.

Let b k := (den_inv N (@jet_keys F m z))`_k.
Let u k := k`!%:R * b k.
Let v k := \sum_(i < k.+1) 'C(k, i)%:R * u (k - i)%N.

Let nU : (m.+1%:R : F) \is a GRing.unit.
Proof. by rewrite unitfE pnatr_eq0. Qed.

Let factn0 k : (k`!%:R : F) != 0.
Proof. by rewrite pnatr_eq0 -lt0n fact_gt0. Qed.

Lemma root_sum i : \sum_(j < m) (z ^+ j) ^+ i = if (m %| i)%N then m%:R else 0.
Proof.
under eq_bigr do rewrite exprAC; rewrite (prim_order_dvd zP).
case: eqP => [->|/eqP zi1].
  by under eq_bigr do rewrite expr1n; rewrite sumr_const card_ord.
have /eqP := subrX1 (z ^+ i) m.
rewrite exprAC (prim_expr_order zP) expr1n subrr eq_sym mulf_eq0 subr_eq0.
by rewrite (negPf zi1) => /eqP.
Qed.

Lemma den_coef i : (i < N)%N -> (den_poly N (@jet_keys F m z))`_i
  = ((i == 0%N)%:R + if (m %| i)%N then m%:R else 0) / i`!%:R.
Proof.
move=> iN; rewrite coef_sum big_ord_recl mulrDl -root_sum mulr_suml; congr (_ + _).
  by rewrite coef_poly iN /jet_keys unlift_none expr0n.
by apply: eq_bigr => j _; rewrite coef_poly iN /jet_keys liftK.
Qed.

Lemma binE k i : (i <= k)%N -> k`!%:R / i`!%:R * b (k - i) = 'C(k, i)%:R * u (k - i).
Proof.
by move=> ik; rewrite /u -(bin_fact ik) !natrM; field; rewrite factn0.
Qed.

Lemma u_rec k : (k < N)%N -> k`!%:R * (k == 0%N)%:R =
  u k + m%:R * \sum_(i < k.+1 | (m %| i)%N) 'C(k, i)%:R * u (k - i)%N.
Proof.
move=> kN; rewrite -(coef_den_inv (jet_keys z) nU kN) coefM mulr_sumr.
rewrite (eq_bigr (fun i : 'I_k.+1 => (i == 0%N :> nat)%:R * ('C(k, i)%:R * u (k - i)%N)
   + if (m %| i)%N then m%:R * ('C(k, i)%:R * u (k - i)%N) else 0)) => [|i _].
  rewrite big_split /= -big_mkcond -mulr_sumr; congr (_ + _).
  rewrite big_ord_recl big1 ?addr0 => [|i _]; last by rewrite mul0r.
  by rewrite mul1r bin0 mul1r subn0.
have ik : (i <= k)%N by rewrite -ltnS.
rewrite den_coef ?(leq_ltn_trans ik) // -binE // /b.
by case: ifP => _; field; rewrite factn0.
Qed.

Let u0 : m.+1%:R * u 0 = 1.
Proof.
have := @u_rec 0 isT; rewrite big_mkcond big_ord1 dvdn0 eqxx mulr1 bin0 subn0 mul1r.
by rewrite (mulrS 1 m) mulrDl mul1r => <-.
Qed.

Let uS k : (0 < k < N)%N ->
  u k = - (m%:R * \sum_(i < k.+1 | (m %| i)%N) 'C(k, i)%:R * u (k - i)%N).
Proof.
case/andP => k0 /u_rec; rewrite gtn_eqF // mulr0 => /esym/eqP.
by rewrite addr_eq0 => /eqP.
Qed.

Lemma softmax_poly_coef (j : 'I_m) k : (k < N)%N ->
  (softmax_poly N (jet_keys z) (lift ord0 j))`_k = (v k / k`!%:R) * (z ^+ j) ^+ k.
Proof.
move=> kN; rewrite coefM mulrAC mulr_suml mulr_suml; apply: eq_bigr => i _.
have ik : (i <= k)%N by rewrite -ltnS.
rewrite coef_poly (leq_ltn_trans ik) // /jet_keys liftK -binE // -/(b _).
have [zz|b0] : z ^+ k = z ^+ i \/ b (k - i) = 0.
- have [mk|mk] := boolP (m %| k - i)%N.
    left; move/eqP: mk => mk; apply/eqP.
    by rewrite (eq_prim_root_expr zP) eqn_mod_dvd //; apply/eqP.
  right; have [|_ /(_ mk)/eqP] := u_mod m_gt1 u0 uS (k := k - i).
  + case: (posnP (k - i)) mk => [->|ki _]; first by rewrite dvdn0.
    by rewrite (leq_ltn_trans (leq_subr _ _)).
  by rewrite mulf_eq0 (negPf (factn0 _)) => /eqP.
- rewrite -!exprM (mulnC j i) (mulnC j k) !exprM zz [RHS]mulrC -!mulrA mulKf //.
  by rewrite [RHS]mulrA [RHS]mulrC.
by rewrite b0 !(mulr0, mul0r).
Qed.

Lemma norm_root : `|z| = 1.
Proof.
apply/eqP; rewrite -(@pexpr_eq1 _ _ m) ?(ltnW m_gt1) // -normrX.
by rewrite (prim_expr_order zP) normr1.
Qed.

Lemma jets_root : row_free (jets H.+1 m N z).
Proof.
apply: inj_row_free => y yJ.
have yE (h : 'I_H.+1) (j : 'I_m.+1) : \sum_k y 0 k * (h.+1%:R ^+ k * (softmax_poly N (jet_keys z) j)`_k) = 0.
  have := congr1 (fun A : 'rV_(H.+1 * m.+1) => A 0 (mxvec_index h j)) yJ.
  by rewrite !mxE => yJ'; rewrite -[RHS]yJ'; apply: eq_bigr => k _; rewrite jetsE.
have y0 : y 0 ord0 = 0.
  have <- : \sum_j \sum_(k < N) y 0 k * ((ord0 : 'I_H.+1).+1%:R ^+ k
      * (softmax_poly N (@jet_keys F m z) j)`_k) = 0.
    by apply: big1 => j _; apply: (yE ord0 j).
  rewrite exchange_big /= (bigD1 ord0) //= [X in _ + X]big1 => [|k k0].
    rewrite addr0; under eq_bigr do rewrite expr0 mul1r.
    by rewrite -mulr_sumr softmax_poly_sum // mulr1.
  under eq_bigr do rewrite mulrA.
  by rewrite -mulr_sumr softmax_poly_sum // (negPf (k0 : k != 0%N :> nat)) mulr0.
pose w k := v k / k`!%:R.
pose p : {poly F} := \sum_(k < N) (y 0 k * w k) *: 'X^k.
pose rs := 0 :: [seq h.+1%:R * z ^+ j | h : 'I_H.+1 <- enum 'I_H.+1, j : 'I_m <- enum 'I_m].
have srs : size rs = N by rewrite /= size_allpairs -!cardE !card_ord.
have p0 : p = 0.
  apply: contraTeq (leqnn (size rs)) => pn0; rewrite -ltnNge.
  have sp : (size p <= N)%N.
    apply: (leq_trans (size_sum _ _ _)); apply/bigmax_leqP => k _.
    by rewrite (leq_trans (size_scale_leq _ _)) // size_polyXn.
  rewrite {2}srs (leq_trans _ sp) //; apply: max_poly_roots => //.
    rewrite /= andbC; apply/andP; split.
      apply/allP => _ /allpairsP[[h j] [_ _ ->]] /=; rewrite /root horner_sum.
      apply/eqP; rewrite -[RHS](yE h (lift ord0 j)); apply: eq_bigr => k _.
      by rewrite hornerZ hornerXn softmax_poly_coef // exprMn -[LHS]mulrA; congr (_ * _); rewrite mulrCA.
    rewrite /root horner_sum big_ord_recl y0 mul0r scale0r horner0 add0r big1 // => k _.
    by rewrite hornerZ hornerXn expr0n mulr0.
  have zn0 : z != 0 by rewrite -normr_eq0 norm_root oner_neq0.
  rewrite /=; apply/andP; split.
    apply/allpairsP => -[[h j] [_ _ /esym/eqP]].
    by rewrite mulf_eq0 pnatr_eq0 expf_eq0 (negPf zn0) andbF.
  apply: allpairs_uniq; rewrite ?enum_uniq // => -[h j] [h' j'] _ _ /= hj.
  have hh : h = h'.
    move/(congr1 Num.norm): hj; rewrite !normrM !normrX norm_root !expr1n !mulr1.
    by rewrite !normr_nat => /eqP; rewrite eqr_nat eqSS => /eqP/val_inj.
  have xn0 : (h'.+1%:R : F) != 0 by rewrite pnatr_eq0.
  rewrite hh in hj *; have /eqP := mulfI xn0 hj.
  by rewrite (eq_prim_root_expr zP) !modn_small // => /eqP/val_inj ->.
apply/rowP => k; have := congr1 (fun q : {poly F} => q`_k) p0.
rewrite coef0 coef_sum (bigD1 k) //= big1 => [|k' k'k].
  rewrite coefZ coefXn eqxx mulr1 addr0 => /eqP; rewrite mxE !mulf_eq0 invr_eq0.
  by rewrite (negPf (factn0 _)) (negPf (v_neq0 m_gt1 u0 uS _)) // !orbF => /eqP.
by rewrite coefZ coefXn eq_sym (negPf (k'k : k' != k :> nat)) mulr0.
Qed.

End RootOfUnity.

(* a natural number z does as well as a root of unity                            *)
Lemma jets_nat m H : (1 < m)%N ->
  exists z : nat, row_free (jets H.+1 m (H.+1 * m).+1 (z%:R : rat)).
Proof.
move=> m1; have [z zP] := C_prim_root_exists (ltnW m1).
set N := _.+1; pose M := (H.+1 * m.+1)%N.
have polyU (F : numFieldType) k : (k.+1%:R : {poly F}) \is a GRing.unit.
  by rewrite -(rmorph_nat (polyC_rmorphism F)) rmorph_unit // unitfE pnatr_eq0.
pose G : 'M[{poly rat}]_(N, M) := jets H.+1 m N 'X.
pose f : {rmorphism rat -> algC} := [rmorphism of ratr].
have GC : map_mx (horner_eval z) (map_mx (map_poly f) G) = jets H.+1 m N z.
  have -> : map_mx (map_poly f) G = jets H.+1 m N 'X.
    by rewrite -(map_polyX f); apply: (map_jets (map_poly_rmorphism f)) => k; apply: polyU.
  by rewrite -[in RHS](hornerX z); apply: (map_jets (horner_eval_rmorphism z)) => k; apply: polyU.
have GQ k : map_mx (horner_eval k%:R) G = jets H.+1 m N (k%:R : rat).
  by rewrite -[in RHS](hornerX k%:R); apply: (map_jets (horner_eval_rmorphism _)) => i; apply: polyU.
have [g gP] : exists g : 'I_N -> 'I_M, \det (colsub g (jets H.+1 m N z)) != 0.
  have full : row_full (jets H.+1 m N z)^T.
    by rewrite /row_full mxrank_tr -[_ == _]/(row_free _) jets_root.
  exists (fullrankfun full); have := fullrowsub_unit full.
  by rewrite unitmxE unitfE -det_tr trmx_mxsub trmxK.
have [||k kP] := @nonroot _ (\det (colsub g G)) (fun k => k%:R).
- by move=> i j /eqP; rewrite eqr_nat => /eqP.
- apply: contraNneq gP => gG0.
  by rewrite -GC -!map_mxsub !det_map_mx gG0 rmorph0 /= /horner_eval horner0.
exists k; move: kP; rewrite -[_.[_]]/(horner_eval _ _) -det_map_mx map_mxsub GQ => kP.
by rewrite /row_free eqn_leq rank_leq_row (minor_leq_rank (f := id) (g := g)).
Qed.

(* ====================================================================================== *)
(* From Taylor coefficients to rank                                                       *)
(* ====================================================================================== *)
(* From Taylor coefficients to rank: functions g_c of a real variable whose matrix of     *)
(* Taylor coefficients at 0 of order < N has rank N give, at any T distinct points scaled *)
(* by a small enough eps, a T-row matrix g_c (eps s_t) of rank at least min(T, N).  No    *)
(* condition on the signs of the points.  Then: the Taylor expansion of softmax.          *)

Lemma rank_vandermonde (F : fieldType) T N (s : 'I_T -> F) : injective s ->
  (minn T N <= \rank (\matrix_(t < T, k < N) s t ^+ k))%N.
Proof.
move=> inj_s; set A := \matrix_(t, k) _; pose r := minn T N.
pose f := widen_ord (geq_minl T N); pose g := widen_ord (geq_minr T N).
apply: (minor_leq_rank (f := f) (g := g)).
rewrite -unitfE -unitmxE -unitmx_tr -row_free_unit; apply: inj_row_free => y yA.
pose p := \poly_(k < r) (if insub k is Some k' then y 0 k' else 0).
have pE k : p`_(k : 'I_r) = y 0 k by rewrite coef_poly ltn_ord valK.
suff p0 : p = 0 by apply/rowP => k; rewrite -pE p0 coef0 mxE.
pose rs := [seq s (f t) | t <- enum 'I_r].
apply: contraTeq (leqnn (size rs)) => pn0; rewrite -ltnNge.
have srs : size rs = r by rewrite size_map -cardE card_ord.
rewrite {2}srs; apply: (@leq_trans (size p)); last exact: size_poly.
apply: max_poly_roots => //.
  apply/allP => _ /mapP[t _ ->]; apply/eqP.
  have := congr1 (fun B : 'rV_r => B 0 t) yA; rewrite !mxE => yt.
  rewrite -[RHS]yt (horner_coef_wide _ (size_poly _ _)); apply: eq_bigr => k _.
  by rewrite pE !mxE.
rewrite map_inj_uniq ?enum_uniq // => t t' /inj_s /(congr1 val) /=.
by move=> /val_inj.
Qed.

(* -------------------------------------------------------------------------- *)
(* Functions of order x^N, uniformly on bounded sets                           *)
(* -------------------------------------------------------------------------- *)
Section Order.
Variable R : realType.
Implicit Types (f g : R -> R) (N : nat) (a : R).

Definition order N f := forall M, exists K, forall x, `|x| <= M -> `|f x| <= K * `|x| ^+ N.

Lemma orderD N f g : order N f -> order N g -> order N (fun x => f x + g x).
Proof.
move=> fN gN M; have [K fK] := fN M; have [K' gK'] := gN M.
exists (K + K') => x xM; rewrite mulrDl (le_trans (ler_norm_add _ _)) //.
by rewrite ler_add ?fK ?gK'.
Qed.

Lemma orderN N f : order N f -> order N (fun x => - f x).
Proof. by move=> fN M; have [K fK] := fN M; exists K => x /fK; rewrite normrN. Qed.

Lemma orderM N N' f g : order N f -> order N' g -> order (N + N') (fun x => f x * g x).
Proof.
move=> fN gN M; have [K fK] := fN M; have [K' gK'] := gN M.
exists (K * K') => x xM; rewrite exprD mulrACA normrM.
by rewrite ler_pmul ?fK ?gK'.
Qed.

Lemma order_sum N (I : finType) (f : I -> R -> R) :
  (forall i, order N (f i)) -> order N (fun x => \sum_i f i x).
Proof.
move=> fN; rewrite /order => M; have /fin_all_exists[K fK] i := fN i M.
exists (\sum_i K i) => x xM; rewrite (le_trans (ler_norm_sum _ _ _)) // mulr_suml.
by apply: ler_sum => i _; apply: fK.
Qed.

Lemma order_scale N f a : order N f -> order N (fun x => f (a * x)).
Proof.
move=> fN M; have [K fK] := fN (`|a| * M); exists (K * `|a| ^+ N) => x xM.
by rewrite -mulrA -exprMn -normrM fK // normrM ler_wpmul2l.
Qed.

Lemma order_const a : order 0 (fun=> a).
Proof. by move=> M; exists `|a| => x _; rewrite expr0 mulr1. Qed.

Lemma order_exp N : order N (fun x => x ^+ N).
Proof. by move=> M; exists 1 => x _; rewrite mul1r normrX. Qed.

Lemma order_poly (p : {poly R}) : order 0 (fun x => p.[x]).
Proof.
elim/poly_ind: p => [|p c IHp] M.
  by have [K KP] := order_const 0 M; exists K => x /KP; rewrite horner0.
have id0 : order 0 (fun x => x) by move=> B; exists B => x xB; rewrite expr0 mulr1.
have [K KP] := orderD (orderM IHp id0) (order_const c) M.
by exists K => x /KP; rewrite hornerMXaddC.
Qed.

(* a quotient by a function that is at least 1                                   *)
Lemma orderV N f g : (forall x, 1 <= g x) -> order N f -> order N (fun x => f x / g x).
Proof.
move=> g1 fN M; have [K fK] := fN M; exists K => x /fK; apply: le_trans.
have g0 : 0 < g x by apply: lt_le_trans (g1 x).
by rewrite normrM normfV (gtr0_norm g0) ler_pdivr_mulr // ler_pemulr.
Qed.

Lemma fact_leq k k' : (k <= k')%N -> (k`! <= k'`!)%N.
Proof.
move/subnK <-; elim: (k' - k)%N => [//|i IHi].
by rewrite addSn factS (leq_trans IHi) // leq_pmull.
Qed.

Lemma expR_taylor N (x : R) : `|expR x - \sum_(k < N) x ^+ k / k`!%:R| <= `|x| ^+ N * expR `|x|.
Proof.
set S := \sum_(k < N) _; set B := _ * _.
have le_exp n : \sum_(k < n) `|x| ^+ k / k`!%:R <= expR `|x|.
  apply: limr_ge; first exact: is_cvg_series_exp_coeff.
  exists n => // n' /= nn'; rewrite /series /= (big_cat_nat _ _ _ _ nn') //= big_mkord.
  by rewrite ler_addl sumr_ge0 // => k _; rewrite divr_ge0 ?exprn_ge0.
have near_S n : (N <= n)%N -> `|series (exp_coeff x) n - S| <= B.
  move=> Nn; rewrite /series /= (big_cat_nat _ _ _ _ Nn) //= big_mkord -/S addrAC subrr add0r.
  rewrite -{1}[N]add0n big_addn big_mkord.
  apply: le_trans (ler_norm_sum _ _ _) _.
  apply: le_trans (_ : _ <= `|x| ^+ N * \sum_(k < n - N) `|x| ^+ k / k`!%:R) _; last first.
    by rewrite ler_wpmul2l ?exprn_ge0.
  rewrite mulr_sumr; apply: ler_sum => k _.
  rewrite normrM normrX normfV normr_nat mulrA -exprD (addnC N) ler_wpmul2l ?exprn_ge0 //.
  rewrite lef_pinv ?posrE ?ltr0n ?fact_gt0 // ler_nat.
  by rewrite fact_leq // leq_addr.
have cv := @is_cvg_series_exp_coeff R x.
rewrite ler_distl; apply/andP; split.
  apply: limr_ge cv _; exists N => // n /= Nn.
  by have := near_S n Nn; rewrite ler_distl => /andP[].
apply: limr_le cv _; exists N => // n /= Nn.
by have := near_S n Nn; rewrite ler_distl => /andP[].
Qed.

End Order.

Section TaylorRank.
Variables (R : realType) (T N M : nat) (s : 'I_T -> R) (g : 'I_M -> R -> R).
Variable G : 'M[R]_(N, M).
Hypothesis inj_s : injective s.
Hypothesis gG : forall c, order N (fun x => g c x - \sum_(k < N) G k c * x ^+ k).

Theorem taylor_rank : row_free G -> exists2 eps, 0 < eps &
  (minn T N <= \rank (\matrix_(t < T, c < M) g c (eps * s t)))%N.
Proof.
move=> fG; pose P := pinvmx G.
have [eps1 eps10 near_V] := rank_near (\matrix_(t < T, k < N) s t ^+ k).
pose S := \sum_t `|s t|.
have /fin_all_exists[K KP] c := gG c S.
pose C := \sum_c `|K c| * (\sum_t `|s t| ^+ N) * (\sum_(k < N) `|P c k|).
have C0 : 0 <= C.
  by apply: sumr_ge0 => c _; rewrite !mulr_ge0 ?sumr_ge0 // => t _; rewrite exprn_ge0.
have D0 : 0 < eps1 + C + 1 by rewrite addr_gt0 ?ltr_paddr.
pose eps := eps1 / (eps1 + C + 1).
have eps0 : 0 < eps by rewrite divr_gt0.
have eps_le1 : eps <= 1.
  by rewrite ler_pdivr_mulr // mul1r -addrA ler_addl addr_ge0.
have epsC : eps * C <= eps1.
  rewrite mulrAC ler_pdivr_mulr // ler_wpmul2l ?(ltW eps10) //.
  by rewrite addrAC ler_addr addr_ge0 // ltW.
exists eps => //; set X := \matrix_(t, c) _.
apply: leq_trans (rank_vandermonde N inj_s) _.
pose D : 'rV[R]_N := \row_k eps ^- k.
apply: leq_trans (near_V (X *m P *m diag_mx D) _) _ => [t k|]; last first.
  by rewrite -mulmxA mxrankM_maxl.
have sS : `|eps * s t| <= S.
  rewrite normrM (gtr0_norm eps0) (le_trans (ler_wpmul2r _ eps_le1)) // mul1r.
  by rewrite /S (bigD1 t) //= ler_addl sumr_ge0.
have VE : s t ^+ k = \sum_c (\sum_(k' < N) G k' c * (eps * s t) ^+ k') * P c k * eps ^- k.
  rewrite -mulr_suml; under eq_bigr do rewrite mulr_suml.
  rewrite exchange_big /= (eq_bigr (fun k' : 'I_N => (eps * s t) ^+ k' * (k' == k)%:R)) => [|k' _].
    rewrite (bigD1 k) //= big1 => [|k' /negPf ->]; last by rewrite mulr0.
    by rewrite eqxx mulr1 addr0 exprMn mulrAC divff ?mul1r // expf_neq0 // gt_eqF.
  have := congr1 (fun B : 'M_N => B k' k) (mulmxVp fG); rewrite !mxE => <-.
  by rewrite mulr_sumr; apply: eq_bigr => c _; rewrite mulrAC mulrC.
rewrite mxE VE mul_mx_diag mxE [(_ *m _) _ _]mxE [D _ _]mxE mulr_suml -sumrB.
apply: le_trans epsC; rewrite mulr_sumr (le_trans (ler_norm_sum _ _ _)) //.
apply: ler_sum => c _; rewrite [X t c]mxE -!mulrBl !normrM distrC.
have -> : `|eps ^- k| = eps ^- k by rewrite ger0_norm // invr_ge0 exprn_ge0 // ltW.
have gK : `|g c (eps * s t) - \sum_(k' < N) G k' c * (eps * s t) ^+ k'|
    <= `|K c| * (eps ^+ N * `|s t| ^+ N).
  apply: le_trans (KP c _ sS) _; rewrite normrM exprMn (gtr0_norm eps0).
  by rewrite ler_wpmul2r ?ler_norm // mulr_ge0 ?exprn_ge0 // ltW.
have epsk : eps ^+ N * eps ^- k <= eps.
  rewrite -[N in eps ^+ N](subnK (ltnW (ltn_ord k))) exprD mulfK ?expf_neq0 ?gt_eqF //.
  rewrite -(subnSK (ltn_ord k)) exprS ler_pimulr ?(ltW eps0) //.
  by rewrite exprn_ile1 // ltW.
apply: le_trans (_ : _ <= `|K c| * (eps ^+ N * `|s t| ^+ N) * `|P c k| * eps ^- k) _.
  rewrite ler_wpmul2r ?invr_ge0 ?exprn_ge0 ?(ltW eps0) //.
  by rewrite ler_wpmul2r.
rewrite (_ : _ * _ * _ * _ = (eps ^+ N * eps ^- k) * (`|K c| * `|s t| ^+ N * `|P c k|)); last by ring.
apply: ler_pmul => //; first by rewrite divr_ge0 ?exprn_ge0 ?(ltW eps0).
apply: ler_pmul; rewrite ?mulr_ge0 ?exprn_ge0 //.
  by rewrite ler_wpmul2l // (bigD1 t) //= ler_addl sumr_ge0.
by rewrite (bigD1 k) //= ler_addl sumr_ge0.
Qed.

End TaylorRank.

(* -------------------------------------------------------------------------- *)
(* The Taylor expansion of softmax                                             *)
(* -------------------------------------------------------------------------- *)
Lemma order_expR (R : realType) N : order N (fun x : R => expR x - (exp_poly N 1).[x]).
Proof.
move=> M; exists (expR M) => x xM.
rewrite horner_poly (eq_bigr (fun k : 'I_N => x ^+ k / k`!%:R)) => [|k _].
  rewrite (le_trans (expR_taylor N x)) // mulrC ler_wpmul2r ?exprn_ge0 //.
  by rewrite ler_expR.
by rewrite expr1n mulrC mulrA mulr1.
Qed.

Lemma exp_poly_scale (R : realType) N (a x : R) : (exp_poly N a).[x] = (exp_poly N 1).[a * x].
Proof.
rewrite !horner_poly; apply: eq_bigr => k _.
by rewrite expr1n mul1r exprMn mulrAC mulrC.
Qed.

Lemma truncate (K : ringType) N (p : {poly K}) :
  exists S, p = \poly_(k < N) p`_k + S * 'X^N.
Proof.
exists (\poly_(k < size p) p`_(k + N)); apply/polyP => k.
rewrite coefD coefMXn !coef_poly; case: ltnP => kN; first by rewrite addr0.
rewrite subnK // add0r; case: ltnP => // pk.
by rewrite nth_default // (leq_trans pk) // leq_subr.
Qed.

Section Softmax.
Variables (R : realType) (m N : nat) (q : 'I_m.+1 -> R).
Hypothesis q0 : q ord0 = 0.
Hypothesis N_gt0 : (0 < N)%N.

Lemma softmax_taylor i :
  order N (fun x => expR (q i * x) / (\sum_j expR (q j * x))
     - \sum_(k < N) (softmax_poly N q i)`_k * x ^+ k).
Proof.
have expO j : order N (fun x => expR (q j * x) - (exp_poly N (q j)).[x]).
  move=> M; have [K KP] := order_scale (q j) (@order_expR R N) M.
  by exists K => x; rewrite exp_poly_scale; apply: KP.
have denO : order N (fun x => (den_poly N q).[x] - \sum_j expR (q j * x)).
  move=> M; have [K KP] := orderN (order_sum expO) M.
  exists K => x /KP; rewrite sumrB opprB /den_poly; congr (`|_ - _| <= _).
  by rewrite horner_sum.
have [S1 S1P] := truncate N (softmax_poly N q i).
set Q := \poly_(k < N) _ in S1P.
have nU : (m.+1%:R : R) \is a GRing.unit by rewrite unitfE pnatr_eq0.
have [S2 S2P] := den_invP q nU N_gt0.
have QD : Q * den_poly N q = exp_poly N (q i) + (exp_poly N (q i) * S2 - S1 * den_poly N q) * 'X^N.
  have QE : Q = softmax_poly N q i - S1 * 'X^N by rewrite S1P addrK.
  have PD : softmax_poly N q i * den_poly N q = exp_poly N (q i) * (1 + S2 * 'X^N).
    by rewrite -S2P /softmax_poly mulrAC mulrA.
  by rewrite QE [LHS]mulrBl PD mulrDr mulr1 mulrBl -addrA mulrA [S1 * _ * _]mulrAC.
set S := _ - _ in QD.
have den1 x : 1 <= \sum_j expR (q j * x).
  rewrite big_ord_recl q0 mul0r expR0 ler_addl sumr_ge0 // => j _.
  exact/ltW/expR_gt0.
have SO : order N (fun x => S.[x] * x ^+ N).
  exact: orderM (order_poly S) (@order_exp R N).
have QO : order N (fun x => Q.[x] * ((den_poly N q).[x] - \sum_j expR (q j * x))).
  exact: orderM (order_poly Q) denO.
move=> M; have [K KP] := orderV den1 (orderD (orderD (expO i) (orderN SO)) QO) M.
exists K => x /KP; congr (`|_| <= _).
have -> : \sum_(k < N) (softmax_poly N q i)`_k * x ^+ k = Q.[x].
  by rewrite horner_poly.
have d0 : \sum_j expR (q j * x) != 0 by rewrite gt_eqF // (lt_le_trans ltr01) ?den1.
apply: (mulIf d0); rewrite mulfVK // mulrBl mulfVK //.
have := congr1 (fun p => p.[x]) QD; rewrite hornerD !hornerM hornerXn => QDx.
by rewrite mulrBr QDx -[_ - _ - _]addrA -opprD addrA subrK.
Qed.

End Softmax.
