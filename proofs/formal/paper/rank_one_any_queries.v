(* The rank-one lower bound (weights W_h of rank one, shared context, n independent       *)
(* tokens) without the open half-space of rank_one_lower_bound.v; real data.               *)
(*  - n >= 3: distinct queries suffice for min(T, H (n - 1) + 1), with equality by         *)
(*    Proposition 2.  Opposite pairs of queries are an obstruction for n = 2 only.  The     *)
(*    proof is in taylor_rank.v.                                                           *)
(*  - n = 2: let N be the number of classes of non-zero queries up to sign.  For distinct  *)
(*    queries the largest rank over all weights (of any rank) is min(T, 1 + min(H, N)),    *)
(*    reached with rank one.  In particular min(T, H + 1) is reached by queries that are   *)
(*    pairwise different up to sign.  T exceeds 1 + N, so that no number of heads gives    *)
(*    rank T, exactly when there are two opposite pairs, or one such pair and the query 0.  *)
(*  - Independence of the tokens is needed: for a context that is symmetric about 0 the    *)
(*    output is an odd function of the query and rank(Z) <= N for all weights, whatever    *)
(*    the number of tokens and the rank of the context.  A characterization of the         *)
(*    dependent contexts for which the bound holds is open.                                *)
(* The paper (Proposition 1) asks for d_h >= n and queries of Kruskal rank n for the same   *)
(* bound, but allows a different context for every example; here the context is shared.    *)
(*                                                                                          *)
(*          coef_mx == row t: the coefficients of all heads                                 *)
(*   sign_classes e == the number of non-zero queries up to sign                            *)
From Attest Require Import prelude.
From mathcomp Require Import all_fingroup ring zify.
From Attest Require Import attention common upper_bounds taylor_rank.

(* -------------------------------------------------------------------------- *)
(* The coefficients of independent shared tokens                               *)
(* -------------------------------------------------------------------------- *)
Section Shared.
Variables (R : realType) (H T n d : nat) (C : 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

(* row t: the attention coefficients of all heads                              *)
Definition coef_mx (W : 'I_H -> 'M[R]_d) : 'M[R]_(T, H * n) :=
  \matrix_t mxvec (coefs (fun=> C) e W t).

Lemma coef_mxE W t h i :
  coef_mx W t (mxvec_index h i) = softmax (C *m W h *m e t) i 0.
Proof. by rewrite mxE mxvecE mxE mxE. Qed.

Lemma rank_coef_mx W : \rank C = n -> \rank (Zmx (fun=> C) e W) = \rank (coef_mx W).
Proof.
move=> rC; have fC : row_free C by rewrite /row_free rC.
have ZE : Zmx (fun=> C) e W = coef_mx W *m lin_mx (mulmxr C).
  rewrite Zmx_attn_out; apply/row_matrixP => t.
  by rewrite row_mul !rowK mul_vec_lin.
have CE : coef_mx W = Zmx (fun=> C) e W *m lin_mx (mulmxr (pinvmx C)).
  rewrite Zmx_attn_out; apply/row_matrixP => t.
  by rewrite row_mul !rowK mul_vec_lin /= -mulmxA mulmxVp // mulmx1.
by apply/eqP; rewrite eqn_leq {1}ZE mxrankM_maxl CE mxrankM_maxl.
Qed.

(* weights with the keys k_h, up to the scale of the query v e_t                *)
Lemma rank_one_logits (k : 'I_H -> 'cV[R]_n) (v : 'rV[R]_d) : \rank C = n ->
  exists W : 'I_H -> 'M[R]_d, (forall h, \rank (W h) <= 1)%N /\
    forall h t i, (C *m W h *m e t) i 0 = k h i 0 * (v *m e t) 0 0.
Proof.
move=> rC; have fC : row_free C by rewrite /row_free rC.
have [D CD] : exists D, C *m D = 1%:M by exists (pinvmx C); rewrite mulmxVp.
exists (fun h => D *m k h *m v); split=> [h|h t i].
  by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
by rewrite /= !mulmxA CD mul1mx -mulmxA [LHS]mxE big_ord1.
Qed.

End Shared.

Lemma separating_injective (R : realType) T d (e : 'I_T -> 'cV[R]_d) : injective e ->
  exists v : 'rV[R]_d, injective (fun t => (v *m e t) 0 0).
Proof.
move=> inj_e; pose I := [finType of {a : 'I_T * 'I_T | a.1 != a.2}].
have [a|v vP] := @separating _ I _ (fun a => e (val a).1 - e (val a).2).
  by rewrite subr_eq0 (inj_eq inj_e) (valP a).
exists v => t t' tt; apply/eqP/negPn/negP => neq.
have /negP[] := vP (exist _ (t, t') neq).
by rewrite /= mulmxBr mxE [X in _ + X]mxE tt subrr.
Qed.

(* -------------------------------------------------------------------------- *)
(* Three independent tokens or more: distinct queries suffice                  *)
(* -------------------------------------------------------------------------- *)
Section ThreeTokens.
Variables (R : realType) (H' T n d : nat) (C : 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis n_gt2 : (2 < n)%N.
Hypothesis rC : \rank C = n.
Hypothesis inj_e : injective e.

Theorem rank_one_three_tokens : exists W : 'I_H'.+1 -> 'M[R]_d,
  (forall h, \rank (W h) <= 1)%N /\
  (minn T (H'.+1 * (n - 1) + 1) <= \rank (Zmx (fun=> C) e W))%N.
Proof.
case: n n_gt2 C rC => // m; rewrite ltnS subn1 addn1 => m_gt1 C' rC'; rewrite -[m.+1.-1]/m.
set N := (H'.+1 * m).+1; have [z zP] := jets_nat H' m_gt1.
have [v v_inj] := separating_injective inj_e.
pose G : 'M[R]_(N, H'.+1 * m.+1) := jets H'.+1 m N z%:R.
have fG : row_free G.
  have -> : G = map_mx ratr (jets H'.+1 m N (z%:R : rat)).
    rewrite map_jets ?rmorph_nat // => k.
    by rewrite unitfE pnatr_eq0.
  by rewrite (row_free_map (ratr_rmorphism R)) zP.
pose q := @jet_keys R m z%:R; pose A i x := expR (q i * x) / \sum_j expR (q j * x).
pose g c x := mxvec (\matrix_(h < H'.+1, i < m.+1) A i (h.+1%:R * x)) 0 c.
have gG c : order N (fun x => g c x - \sum_(k < N) G k c * x ^+ k).
  case/mxvec_indexP: c => h i M.
  have q0 : q ord0 = 0 by rewrite /q /jet_keys unlift_none.
  have [K KP] := order_scale h.+1%:R (@softmax_taylor R m N q q0 isT i) M.
  exists K => x /KP; rewrite /g mxvecE mxE; congr (`|_ - _| <= _).
  by apply: eq_bigr => k _; rewrite jetsE exprMn mulrCA mulrA.
have [eps _ epsP] := taylor_rank v_inj gG fG.
have [W [W1 WE]] := rank_one_logits e
  (fun h : 'I_H'.+1 => \col_i (h.+1%:R * eps * q i)) v rC'.
exists W; split=> //; rewrite rank_coef_mx //.
congr (_ <= \rank _)%N: epsP; apply/matrixP => t c; case/mxvec_indexP: c => h i.
rewrite [RHS]coef_mxE [LHS]mxE /g mxvecE [LHS]mxE [RHS]mxE WE /A; congr (expR _ / _).
  by rewrite [(\col__ _) _ _]mxE !mulrA; congr (_ * _); rewrite -mulrA mulrC.
apply: eq_bigr => j _; rewrite WE; congr expR; rewrite [(\col__ _) _ _]mxE !mulrA; congr (_ * _).
by rewrite -mulrA mulrC.
Qed.

(* with Proposition 2, an equality, for a layer of key dimension 1               *)
Theorem rank_one_three_tokens_exact dv do dout :
  exists P : weights R H'.+1 d 1 dv do dout,
    \rank (Z (fun=> C) e P) = minn T (H'.+1 * (n - 1) + 1).
Proof.
have [W [W1 leW]] := rank_one_three_tokens.
have /fin_all_exists [K /fin_all_exists [Q WE]] h := rank_factor (W1 h).
exists (Weights K Q (fun=> 0) 0 0); set P := Weights _ _ _ _ _.
apply/eqP; rewrite eqn_leq leq_min rank_leq_row /=; apply/andP; split.
  exact: (@proposition_2 R T H'.+1 n d 1 dv do dout C (fun=> C) e P (fun=> erefl)).
by rewrite ZE (_ : (fun h => _) = W) //; apply/funext => h; rewrite WE.
Qed.

End ThreeTokens.

(* -------------------------------------------------------------------------- *)
(* Odd functions of the query: upper bounds for all weights                    *)
(* -------------------------------------------------------------------------- *)

(* the queries equal to e_t up to sign, and the number of these classes among    *)
(* the queries that are not zero                                               *)
Definition sign_class (F : ringType) T d (e : 'I_T -> 'cV[F]_d) t : {set 'I_T} :=
  [set u | (e u == e t) || (e u == - e t)].
Definition sign_classes (F : ringType) T d (e : 'I_T -> 'cV[F]_d) : nat :=
  #|[set sign_class e t | t in [pred t | e t != 0]]|.

Section SignClasses.
Variables (F : numFieldType) (T d : nat) (e : 'I_T -> 'cV[F]_d).
Let N := sign_classes e.

Lemma mem_sign_class t : t \in sign_class e t.
Proof. by rewrite inE eqxx. Qed.

(* one query of each class                                                     *)
Lemma sign_classes_rep : exists f : 'I_N -> 'I_T,
  [/\ forall i, e (f i) != 0,
      forall i j, e (f i) = e (f j) \/ e (f i) = - e (f j) -> i = j &
      forall t, e t = 0 \/ exists i, e t = e (f i) \/ e t = - e (f i)].
Proof.
pose B := [set sign_class e t | t in [pred t | e t != 0]].
have /fin_all_exists[f fP] (i : 'I_N) : exists t, e t != 0 /\ enum_val i = sign_class e t.
  by have /imsetP[t] := enum_valP i; rewrite inE => t0 it; exists t.
exists f; split=> [i|i j ij|t]; first by have [] := fP i.
  have [_ fi] := fP i; have [_ fj] := fP j; apply: enum_val_inj.
  rewrite fi fj; apply/setP => u; rewrite !inE.
  by case: ij => ->; rewrite ?opprK // orbC.
have [->|t0] := eqVneq (e t) 0; first by left.
have tB : sign_class e t \in B by apply: imset_f; rewrite inE.
pose i := enum_rank_in tB (sign_class e t).
have : t \in sign_class e (f i).
  by have [_ <-] := fP i; rewrite enum_rankK_in // mem_sign_class.
by rewrite inE => /orP[/eqP|/eqP] ti; right; exists i; [left|right].
Qed.

Lemma odd_rank M (phi : 'cV[F]_d -> 'rV[F]_M) : (forall x, phi (- x) = - phi x) ->
  (\rank (\matrix_t phi (e t)) <= N)%N.
Proof.
move=> odd; have [f [_ _ fP]] := sign_classes_rep.
apply: leq_trans (rank_leq_row (\matrix_i phi (e (f i)))); apply: mxrankS.
have rE i : phi (e (f i)) = row i (\matrix_i phi (e (f i))) by rewrite rowK.
apply/row_subP => t; rewrite rowK; have [->|[i [->|->]]] := fP t.
- have /eqP := odd 0; rewrite oppr0 -subr_eq0 opprK -mulr2n -scaler_nat scaler_eq0.
  by rewrite pnatr_eq0 => /eqP ->; rewrite sub0mx.
- by rewrite rE row_sub.
by rewrite odd eqmx_opp rE row_sub.
Qed.

End SignClasses.

Section Odd.
Variables (R : realType) (H T n d : nat) (C : 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Variable W : 'I_H -> 'M[R]_d.

Let out x : 'rV[R]_(H * d) :=
  mxvec ((\matrix_(h < H) (softmax (C *m W h *m x))^T) *m C).

Let outE x h j : out x 0 (mxvec_index h j) = \sum_i softmax (C *m W h *m x) i 0 * C i j.
Proof. by rewrite mxvecE mxE; apply: eq_bigr => i _; rewrite !mxE. Qed.

Let ZoutE : Zmx (fun=> C) e W = \matrix_t out (e t).
Proof. by rewrite Zmx_attn_out; apply/row_matrixP => t; rewrite !rowK. Qed.

(* a context that is symmetric about 0: the output is an odd function of the query *)
Lemma symmetric_context_odd (s : {perm 'I_n}) : row_perm s C = - C ->
  (\rank (Zmx (fun=> C) e W) <= sign_classes e)%N.
Proof.
move=> sC; rewrite ZoutE; apply: odd_rank => x; apply/rowP => k.
case/mxvec_indexP: k => h j; rewrite [RHS]mxE [LHS]outE (outE x) -sumrN.
have lE i : (C *m W h *m - x) i 0 = (C *m W h *m x) (s i) 0.
  have -> : C *m W h *m - x = row_perm s (C *m W h *m x).
    by rewrite mulmxN row_permE -!(mulmxA C) [RHS]mulmxA -row_permE sC mulNmx.
  by rewrite mxE.
have CE i : C i j = - C (s i) j.
  by have := congr1 (fun A : 'M_(n, d) => A i j) sC; rewrite !mxE => ->; rewrite opprK.
rewrite [RHS](reindex_inj (@perm_inj _ s)) /=; apply: eq_bigr => i _.
rewrite CE mulrN; congr (- (_ * _)).
rewrite [LHS]mxE [RHS]mxE lE; congr (_ / _).
rewrite [RHS](reindex_inj (@perm_inj _ s)) /=.
by apply: eq_bigr => i' _; rewrite lE.
Qed.

End Odd.

Section TwoTokensUpper.
Variables (R : realType) (H T d : nat) (C : 'M[R]_(2, d)) (e : 'I_T -> 'cV[R]_d).
Variable W : 'I_H -> 'M[R]_d.

Theorem two_tokens_rank : (\rank (Zmx (fun=> C) e W) <= 1 + sign_classes e)%N.
Proof.
pose A x := \matrix_(h < H) (softmax (C *m W h *m x))^T.
pose phi x : 'rV[R]_(H * d) := mxvec ((A x - const_mx 2%:R^-1) *m C).
have -> : Zmx (fun=> C) e W
    = const_mx 1 *m mxvec (const_mx 2%:R^-1 *m C) + \matrix_t phi (e t).
  rewrite Zmx_attn_out; apply/row_matrixP => t; rewrite linearD /= !row_mul !rowK.
  have -> : row t (const_mx 1 : 'cV[R]_T) = 1%:M.
    by apply/matrixP => a b; rewrite !ord1 !mxE.
  by rewrite mul1mx /phi -linearD /= -mulmxDl addrC subrK.
apply: leq_trans (mxrank_add _ _) _; apply: leq_add.
  by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
apply: odd_rank => x; rewrite /phi -linearN /= -mulNmx; congr (mxvec (_ *m _)).
apply/matrixP => h i.
have AE y : (A y - const_mx 2%:R^-1) h i = softmax (C *m W h *m y) i 0 - 2%:R^-1.
  by rewrite [LHS]mxE; congr (_ + _); [rewrite [LHS]mxE [LHS]mxE|rewrite !mxE].
rewrite [RHS]mxE [LHS]AE AE mulmxN softmax2_opp opprB addrAC; congr (_ - _).
by rewrite {1}(splitr 1) mul1r addrK.
Qed.

End TwoTokensUpper.

(* -------------------------------------------------------------------------- *)
(* Two tokens: the functions of one head                                       *)
(* -------------------------------------------------------------------------- *)
Section Logistic.
Variable R : realType.
Implicit Types (x y : R).

(* the coefficient of a token with logit 0 beside a token with logit y           *)
Definition logistic y : R := (1 + expR y)^-1.

Lemma logistic_den_gt0 y : 0 < 1 + expR y.
Proof. by rewrite addr_gt0 ?expR_gt0. Qed.

Lemma logistic0 : logistic 0 = 2%:R^-1.
Proof. by rewrite /logistic expR0. Qed.

Lemma logisticN y : logistic (- y) = 1 - logistic y.
Proof.
rewrite /logistic expRN; have : 0 < expR y := expR_gt0 y.
move: (expR y) => E E0; have En0 : E != 0 by rewrite gt_eqF.
have dn0 : 1 + E != 0 by rewrite gt_eqF ?addr_gt0.
have dn0' : E + 1 != 0 by rewrite addrC.
by field; rewrite ?En0 ?dn0 ?dn0'.
Qed.

Lemma small_exp (I : finType) (P : pred I) (s : I -> R) (eps : R) :
  (forall i, P i -> 0 < s i) -> 0 < eps ->
  exists2 x, 0 <= x & forall i, P i -> expR (- (x * s i)) <= eps.
Proof.
move=> s0 eps0; exists (\sum_(i | P i) (s i * eps)^-1) => [|i Pi].
  by rewrite sumr_ge0 // => i Pi; rewrite invr_ge0 mulr_ge0 ?ltW ?s0.
have i0 : 0 < s i by apply: s0.
rewrite expRN -[X in _ <= X]invrK lef_pinv ?posrE ?invr_gt0 ?expR_gt0 //.
have le_i : (s i * eps)^-1 <= \sum_(i | P i) (s i * eps)^-1.
  rewrite (bigD1 i) //= ler_addl sumr_ge0 // => j /andP[Pj _].
  by rewrite invr_ge0 mulr_ge0 ?ltW ?s0.
have le_x : eps^-1 <= (\sum_(i | P i) (s i * eps)^-1) * s i.
  apply: le_trans (ler_wpmul2r (ltW i0) le_i).
  by rewrite invfM mulrAC mulVf ?mul1r // gt_eqF.
have x_ge0 : 0 <= (\sum_(i | P i) (s i * eps)^-1) * s i.
  by apply: le_trans le_x; rewrite invr_ge0 ltW.
by rewrite (le_trans le_x) // (le_trans _ (expR_ge1Dx x_ge0)) // ler_addr.
Qed.

(* the functions x |-> logistic (x s), for distinct s >= 0, are independent       *)
Lemma logistic_free (I : finType) (s b : I -> R) :
    injective s -> (forall i, 0 <= s i) ->
    (forall x, \sum_i b i * logistic (x * s i) = 0) ->
  forall i, b i = 0.
Proof.
move=> inj_s s_ge0 sum0 i1; apply/eqP/negPn/negP => b1.
case: (@Order.TotalTheory.arg_minP _ _ _ i1 (fun i => b i != 0) s b1) => i0 b0 s_min.
pose S := \sum_(i | i != i0) `|b i|.
have S0 : 0 <= S by apply: sumr_ge0.
have nb0 : 0 < `|b i0| by rewrite normr_gt0.
pose eps := `|b i0| / 2%:R / (S + 1).
have S10 : 0 < S + 1 by rewrite ltr_paddl.
have eps0 : 0 < eps by rewrite !divr_gt0.
have [|x x_ge0 xP] := @small_exp I (fun i => (i != i0) && (b i != 0)) (fun i => s i - s i0) eps _ eps0.
  move=> i /andP[ii0 bi]; rewrite subr_gt0 lt_neqAle s_min // andbT.
  by apply: contra_neq ii0 => /inj_s ->.
have /eqP := sum0 x; rewrite (bigD1 i0) //= addr_eq0 => /eqP bE.
have le_S : `|b i0| * logistic (x * s i0) <= S * (eps * expR (- (x * s i0))).
  have -> : `|b i0| * logistic (x * s i0) = `|b i0 * logistic (x * s i0)|.
    by rewrite normrM [`|logistic _|]gtr0_norm // invr_gt0 logistic_den_gt0.
  rewrite bE normrN (le_trans (ler_norm_sum _ _ _)) // /S mulr_suml.
  apply: ler_sum => i ii0; rewrite normrM.
  have [->|bi] := eqVneq (b i) 0; first by rewrite normr0 !mul0r.
  rewrite ler_wpmul2l // gtr0_norm ?invr_gt0 ?logistic_den_gt0 //.
  apply: le_trans (_ : _ <= expR (- (x * s i))) _.
    rewrite expRN /logistic lef_pinv ?posrE ?expR_gt0 ?logistic_den_gt0 //.
    by rewrite ler_addr.
  rewrite -[s i](subrK (s i0)) mulrDr opprD expRD ler_wpmul2r ?(ltW (expR_gt0 _)) //.
  by rewrite xP // ii0.
have ge_S : `|b i0| / 2%:R * expR (- (x * s i0)) <= `|b i0| * logistic (x * s i0).
  rewrite -mulrA ler_wpmul2l // expRN /logistic -invfM.
  rewrite lef_pinv ?posrE ?mulr_gt0 ?expR_gt0 ?logistic_den_gt0 ?ltr0n //.
  rewrite mulrDl mul1r ler_add2r.
  by rewrite (le_trans _ (expR_ge1Dx _)) ?ler_addl ?mulr_ge0.
have := le_trans ge_S le_S; rewrite mulrA ler_pmul2r ?expR_gt0 //.
rewrite leNgt => /negP[]; rewrite /eps mulrCA -[X in _ < X]mulr1 ltr_pmul2l ?divr_gt0 //.
by rewrite ltr_pdivr_mulr // mul1r ltr_addl.
Qed.

End Logistic.

(* one head at a time: each head of a family with no common annihilator adds 1   *)
Lemma greedy_heads (F : fieldType) (X : Type) (x0 : X) k (a : 'rV[F]_k) (r : X -> 'rV[F]_k) :
    a != 0 -> (forall c : 'cV[F]_k, a *m c = 0 -> (forall x, r x *m c = 0) -> c = 0) ->
  forall H, exists x : 'I_H -> X, (minn k H.+1 <= \rank (a + \sum_h <<r (x h)>>)%MS)%N.
Proof.
move=> a0 free; elim=> [|H [x xP]].
  exists (fun=> x0); rewrite big_ord0 addsmx0 geq_min; apply/orP; right.
  by rewrite lt0n mxrank_eq0.
pose V := (a + \sum_h <<r (x h)>>)%MS.
have ext y : exists x' : 'I_H.+1 -> X, (V + r y <= a + \sum_h <<r (x' h)>>)%MS.
  exists (fun h => if unlift ord_max h is Some h' then x h' else y).
  rewrite big_ord_recr /= unlift_none addsmxA addsmxS ?genmxE //.
  rewrite /V addsmxS //; apply/sumsmx_subP => h _.
  apply: (sumsmx_sup h) => //.
  have -> : widen_ord (leqnSn H) h = lift ord_max h.
    by apply/val_inj; rewrite /= /bump leqNgt ltn_ord.
  by rewrite liftK.
have [fV|fV] := boolP (row_full V).
  have [x' x'P] := ext x0; exists x'; rewrite geq_min; apply/orP; left.
  rewrite -{1}(eqP fV : \rank V = k); apply: mxrankS.
  exact: submx_trans (addsmxSl _ _) x'P.
have : cokermx V != 0 by rewrite -mxrank_eq0 mxrank_coker subn_eq0 -ltnNge ltn_neqAle rank_leq_col andbT.
case/matrix0Pn => i [j cij]; pose c := col j (cokermx V).
have Vc : V *m c = 0 by rewrite /c colE mulmxA mulmx_coker mul0mx.
have c0 : c != 0 by apply: contraNneq cij => /colP/(_ i); rewrite !mxE => ->.
have sub0 m (A : 'M_(m, k)) : (A <= V)%MS -> A *m c = 0.
  by case/submxP => D ->; rewrite -mulmxA Vc mulmx0.
have [y yc] : exists y, r y *m c != 0.
  apply: contrapT => no; case/negP: c0; apply/eqP; apply: free.
    by apply: sub0; apply: addsmxSl.
  by move=> y; apply: contrapT => /eqP yc; apply: no; exists y.
have [x' x'P] := ext y; exists x'.
apply: leq_trans (mxrankS x'P).
suff : (\rank V < \rank (V + r y)%MS)%N by move: xP; rewrite -/V; clear; lia.
rewrite ltn_neqAle mxrankS ?addsmxSl // andbT; apply: contraNneq yc => rV.
have : (V + r y <= V)%MS by rewrite -(mxrank_leqif_sup (addsmxSl V (r y))) rV.
by rewrite addsmx_sub => /andP[_ /sub0 ->].
Qed.

Section TwoTokensLower.
Variables (R : realType) (H' T d : nat) (C : 'M[R]_(2, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis rC : \rank C = 2%N.
Let o1 : 'I_2 := lift ord0 ord0.

Lemma softmax2_logistic (l : 'cV[R]_2) : l o1 0 = 0 -> softmax l o1 0 = logistic (l ord0 0).
Proof.
move=> l1; rewrite mxE l1 expR0 big_ord_recl big_ord1 -/o1 l1 expR0 div1r addrC.
by rewrite /logistic.
Qed.

(* k of the queries at which no combination kills 1 and all logistic functions    *)
Lemma two_tokens_points k (p : 'I_k -> 'I_T) (v : 'rV[R]_d) : (0 < k)%N ->
    (forall c : 'I_k -> R, \sum_i c i = 0 ->
      (forall x, \sum_i c i * logistic (x * (v *m e (p i)) 0 0) = 0) -> forall i, c i = 0) ->
  exists W : 'I_H'.+1 -> 'M[R]_d, (forall h, \rank (W h) <= 1)%N /\
    (minn k H'.+2 <= \rank (Zmx (fun=> C) e W))%N.
Proof.
move=> k0 free; pose a : 'rV[R]_k := const_mx 1.
pose r x : 'rV[R]_k := \row_i logistic (x * (v *m e (p i)) 0 0).
have [||x xP] := @greedy_heads R R 0 k a r _ _ H'.+1.
- apply/eqP => /rowP/(_ (Ordinal k0)); rewrite !mxE => /eqP.
  by rewrite oner_eq0.
- move=> c ac rc; apply/colP => i; rewrite [RHS]mxE; apply: (free (fun i => c i 0)).
    have := congr1 (fun A : 'M_1 => A 0 0) ac; rewrite !mxE => ac0.
    by rewrite -[RHS]ac0; apply: eq_bigr => j _; rewrite ?mxE mul1r.
  move=> x; have := congr1 (fun A : 'M_1 => A 0 0) (rc x); rewrite !mxE => rc0.
  by rewrite -[RHS]rc0; apply: eq_bigr => j _; rewrite ?mxE mulrC.
have [W [W1 WE]] := rank_one_logits e (fun h => \col_i (x h * (i == ord0)%:R)) v rC.
exists W; split=> //; rewrite rank_coef_mx //; apply: leq_trans xP _.
apply: leq_trans (_ : _ <= \rank (rowsub p (coef_mx C e W))^T)%N _; last first.
  by rewrite mxrank_tr mxrankS // rowsub_sub.
set A := (rowsub p _)^T.
have AE h i j : A (mxvec_index h i) j = softmax (C *m W h *m e (p j)) i 0.
  by rewrite mxE mxE coef_mxE.
have rA h : r (x h) = row (mxvec_index h o1) A.
  apply/rowP => j; rewrite [RHS]mxE AE [LHS]mxE softmax2_logistic WE [(\col__ _) _ _]mxE.
    by rewrite mulr1.
  by rewrite mulr0 mul0r.
apply: mxrankS; rewrite addsmx_sub; apply/andP; split; last first.
  by apply/sumsmx_subP => h _; rewrite genmxE rA row_sub.
have -> : a = \sum_i row (mxvec_index (ord0 : 'I_H'.+1) i) A.
  apply/rowP => j; rewrite mxE summxE -[LHS](softmax_sum1 (C *m W ord0 *m e (p j)) isT).
  by apply: eq_bigr => i _; rewrite [RHS]mxE AE.
by apply: summx_sub => i _; apply: row_sub.
Qed.

End TwoTokensLower.

Lemma separating_signs (R : realType) T d (e : 'I_T -> 'cV[R]_d) : exists v : 'rV[R]_d,
  (forall t, e t != 0 -> (v *m e t) 0 0 != 0) /\
  (forall t u, `|(v *m e t) 0 0| = `|(v *m e u) 0 0| -> e t = e u \/ e t = - e u).
Proof.
pose x (a : 'I_T * 'I_T * bool) := e a.1.1 + (-1) ^+ a.2 *: e a.1.2.
pose I := [finType of {a : 'I_T * 'I_T * bool | x a != 0}].
have [a|v vP] := @separating _ I _ (fun a => x (val a)); first exact: (valP a).
have vx a : (v *m x a) 0 0 = 0 -> x a = 0.
  by move=> va; apply/eqP/negPn/negP => xa; have /eqP[] := vP (exist _ a xa).
have vE a : (v *m x a) 0 0 = (v *m e a.1.1) 0 0 + (-1) ^+ a.2 * (v *m e a.1.2) 0 0.
  by rewrite mulmxDr -scalemxAr mxE [X in _ + X]mxE.
exists v; split=> [t|t u].
  apply: contra_neq => vt; have := vx (t, t, false).
  rewrite vE /x /= vt mulr0 addr0 expr0 scale1r => /(_ erefl)/eqP.
  by rewrite -mulr2n -scaler_nat scaler_eq0 pnatr_eq0 => /eqP.
move=> /eqP; rewrite eqr_norm2 => /orP[/eqP tu|/eqP tu].
  left; have := vx (t, u, true); rewrite vE /x /= tu expr1 mulN1r subrr scaleN1r.
  by move=> /(_ erefl)/eqP; rewrite subr_eq0 => /eqP.
right; have := vx (t, u, false); rewrite vE /x /= tu expr0 mul1r addNr scale1r.
by move=> /(_ erefl)/eqP; rewrite addr_eq0 => /eqP.
Qed.

Section TwoTokens.
Variables (R : realType) (H' T d : nat) (C : 'M[R]_(2, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis rC : \rank C = 2%N.
Hypothesis inj_e : injective e.
Let N := sign_classes e.

Lemma sign_classes_leq : (N <= T)%N.
Proof.
by rewrite /N /sign_classes (leq_trans (leq_imset_card _ _)) // (leq_trans (max_card _)) ?card_ord.
Qed.

(* the odd part of the logistic function                                       *)
Let theta y : R := logistic y - 2%:R^-1.

Let thetaN y : theta (- y) = - theta y.
Proof. by rewrite /theta logisticN opprB addrAC {1}(splitr 1) mul1r addrK. Qed.

Let theta0 : theta 0 = 0.
Proof. by rewrite /theta logistic0 subrr. Qed.

Let theta_sgr x s : theta (x * s) = Num.sg s * theta (x * `|s|).
Proof.
have [s0|s0|->] := ltrgtP s 0; last by rewrite normr0 sgr0 mul0r mulr0 theta0.
  by rewrite ltr0_sg // ltr0_norm // mulN1r -thetaN mulrN opprK.
by rewrite gtr0_sg // gtr0_norm // mul1r.
Qed.

Lemma theta_free (s a : 'I_N -> R) : (forall i, s i != 0) ->
    (forall i j, `|s i| = `|s j| -> i = j) ->
    (forall x, \sum_i a i * theta (x * s i) = 0) ->
  forall i, a i = 0.
Proof.
move=> s0 s_inj sum0 i.
pose S (k : 'I_N.+1) := if unlift ord0 k is Some j then `|s j| else 0.
pose b (k : 'I_N.+1) :=
  if unlift ord0 k is Some j then Num.sg (s j) * a j else - \sum_j Num.sg (s j) * a j.
have b0 : forall k, b k = 0.
  apply: (@logistic_free R _ S) => [k k'|k|x].
  - rewrite /S; case: (unliftP ord0 k) => [j|] ->; case: (unliftP ord0 k') => [j'|] -> //.
    + by move/s_inj ->.
    + by move/eqP; rewrite normr_eq0 (negPf (s0 _)).
    by move/esym/eqP; rewrite normr_eq0 (negPf (s0 _)).
  - by rewrite /S; case: (unlift ord0 k).
  rewrite big_ord_recl /b /S unlift_none mulr0 logistic0 mulNr mulr_suml -sumrN -big_split /=.
  rewrite -[RHS](sum0 x); apply: eq_bigr => j _.
  by rewrite liftK theta_sgr /theta mulrA [a j * _]mulrC mulrBr addrC.
have := b0 (lift ord0 i); rewrite /b liftK => /eqP.
by rewrite mulf_eq0 sgr_eq0 (negPf (s0 _)) => /eqP.
Qed.

(* any distinct queries: a lower bound that the two upper bounds match            *)
Theorem two_tokens_lower : exists W : 'I_H'.+1 -> 'M[R]_d,
  (forall h, \rank (W h) <= 1)%N /\
  (minn T (1 + minn H'.+1 N) <= \rank (Zmx (fun=> C) e W))%N.
Proof.
have [T0|T_gt0] := posnP T.
  exists (fun=> 0); split=> [h|]; rewrite ?mxrank0 //.
  suff -> : minn T (1 + minn H'.+1 N) = 0%N by [].
  by apply/eqP; rewrite -leqn0 -[X in (_ <= X)%N]T0 geq_minl.
have [f [f0 f_inj fP]] := sign_classes_rep e.
have [v [v0 v_inj]] := separating_signs e.
pose s t := (v *m e t) 0 0.
have s0 i : s (f i) != 0 by apply: v0.
have s_inj i j : `|s (f i)| = `|s (f j)| -> i = j by move/v_inj/f_inj.
have to_theta k (p : 'I_k -> 'I_T) (c : 'I_k -> R) : \sum_i c i = 0 ->
    (forall x, \sum_i c i * logistic (x * (v *m e (p i)) 0 0) = 0) ->
    forall x, \sum_i c i * theta (x * s (p i)) = 0.
  move=> c0 cl x; rewrite /theta; under eq_bigr do rewrite mulrBr.
  by rewrite sumrB cl -mulr_suml c0 mul0r subrr.
have := sign_classes_leq; rewrite leq_eqVlt => /orP[/eqP NT|NT].
  have N0 : (0 < N)%N by rewrite NT.
  have [c c0 cl|W [W1 le_W]] := @two_tokens_points R H' T d C e rC N f v N0.
    exact: (theta_free s0 s_inj (to_theta _ f c c0 cl)).
  exists W; split=> //; apply: leq_trans le_W; rewrite -/N NT; lia.
have [u uf] : exists u, u \notin codom f.
  apply: contrapT => no; have : (#|'I_T| <= #|'I_N|)%N; last by rewrite !card_ord leqNgt NT.
  apply: leq_trans (leq_image_card f predT).
  apply/subset_leq_card/subsetP => u _; apply: contrapT => /negP uf; apply: no.
  by exists u.
have [a [a0 aP]] : exists a : 'I_N -> R, (forall j, 0 <= a j) /\
    forall x, theta (x * s u) = - \sum_j a j * theta (x * s (f j)).
  have [u0|[j0 uj]] := fP u.
    exists (fun=> 0); split=> // x; rewrite big1 => [|j _]; last by rewrite mul0r.
    by rewrite /s u0 mulmx0 mxE mulr0 theta0 oppr0.
  exists (fun j => (j == j0)%:R); split=> [j|x]; first exact: ler0n.
  rewrite (bigD1 j0) //= big1 => [|j /negPf ->]; last by rewrite mul0r.
  rewrite eqxx mul1r addr0 -thetaN; case: uj => [/inj_e uj|uj].
    by rewrite uj codom_f in uf.
  by rewrite /s uj mulmxN mxE mulrN.
pose p (k : 'I_N.+1) := if unlift ord0 k is Some j then f j else u.
have [c c0 cl|W [W1 le_W]] := @two_tokens_points R H' T d C e rC N.+1 p v (ltn0Sn N); last first.
  by exists W; split=> //; apply: leq_trans le_W; lia.
have ct := to_theta _ p c c0 cl.
have cj j : c (lift ord0 j) = c ord0 * a j.
  apply/eqP; rewrite -subr_eq0; apply/eqP; move: j.
  apply: (theta_free s0 s_inj) => x; rewrite -[RHS](ct x) big_ord_recl /p unlift_none aP.
  rewrite mulrN mulr_sumr -sumrN -big_split; apply: eq_bigr => j _ /=.
  by rewrite liftK mulrBl addrC mulrA.
have c00 : c ord0 = 0.
  move/eqP: c0; rewrite big_ord_recl; under eq_bigr do rewrite cj.
  rewrite -mulr_sumr -{1}[c ord0]mulr1 -mulrDr mulf_eq0 => /orP[/eqP //|].
  by rewrite gt_eqF // ltr_paddr // sumr_ge0.
by move=> i; case: (unliftP ord0 i) => [j|] ->; rewrite ?cj c00 ?mul0r.
Qed.

(* the largest rank over all weights, of any rank                                *)
Theorem two_tokens_exact dv do dout :
  (exists P : weights R H'.+1 d 1 dv do dout,
     \rank (Z (fun=> C) e P) = minn T (1 + minn H'.+1 N)) /\
  forall dh (P : weights R H'.+1 d dh dv do dout),
    (\rank (Z (fun=> C) e P) <= minn T (1 + minn H'.+1 N))%N.
Proof.
have upper dh (P : weights R H'.+1 d dh dv do dout) :
    (\rank (Z (fun=> C) e P) <= minn T (1 + minn H'.+1 N))%N.
  have := @proposition_2 R T H'.+1 2 d dh dv do dout C (fun=> C) e P (fun=> erefl).
  have := rank_leq_row (Z (fun=> C) e P).
  have : (\rank (Z (fun=> C) e P) <= 1 + N)%N by rewrite ZE two_tokens_rank.
  lia.
split=> //; have [W [W1 leW]] := two_tokens_lower.
have /fin_all_exists [K /fin_all_exists [Q WE]] h := rank_factor (W1 h).
exists (Weights K Q (fun=> 0) 0 0); set P := Weights _ _ _ _ _.
apply/eqP; rewrite eqn_leq upper /=.
by rewrite ZE (_ : (fun h => _) = W) //; apply/funext => h; rewrite WE.
Qed.

End TwoTokens.

(* queries that are pairwise different up to sign: the bound of the half-space     *)
Theorem rank_one_two_tokens (R : realType) H' T d (C : 'M[R]_(2, d)) (e : 'I_T -> 'cV[R]_d) :
    \rank C = 2%N -> (forall s t, e s = e t \/ e s = - e t -> s = t) ->
  exists W : 'I_H'.+1 -> 'M[R]_d, (forall h, \rank (W h) <= 1)%N /\
    (minn T (H'.+1 + 1) <= \rank (Zmx (fun=> C) e W))%N.
Proof.
move=> rC e_inj; have inj_e : injective e by move=> s t st; apply: e_inj; left.
have [W [W1 le_W]] := two_tokens_lower H' rC inj_e.
exists W; split=> //; apply: leq_trans le_W.
suff : (T <= 1 + sign_classes e)%N by lia.
rewrite /sign_classes card_in_imset => [|s t _ _ /= /setP/(_ s)]; last first.
  rewrite !inE eqxx /= => /esym/orP[/eqP st|/eqP st]; apply: e_inj; [by left|by right].
rewrite -[X in (X <= _)%N]card_ord -(cardC [pred t | e t != 0]) addnC leq_add2r.
apply/card_le1_eqP => s t; rewrite !inE !negbK => /eqP s0 /eqP t0.
by apply: inj_e; rewrite s0 t0.
Qed.

(* -------------------------------------------------------------------------- *)
(* Different tokens are not enough                                             *)
(* -------------------------------------------------------------------------- *)
Section Symmetric.
Variables (R : realType) (H T m d : nat) (A : 'M[R]_(m, d)) (e : 'I_T -> 'cV[R]_d).

Let swap (i : 'I_(m + m)) : 'I_(m + m) :=
  match split i with inl j => rshift m j | inr j => lshift m j end.

Let swapK : involutive swap.
Proof.
move=> i; rewrite -[RHS]splitK /swap; case: (split i) => j.
  by rewrite (unsplitK (inr j)).
by rewrite (unsplitK (inl j)).
Qed.

Theorem symmetric_context_rank dh dv do dout (P : weights R H d dh dv do dout) :
  (\rank (Z (fun=> col_mx A (- A)) e P) <= sign_classes e)%N.
Proof.
rewrite ZE; apply: (@symmetric_context_odd _ _ _ _ _ _ _ _ (perm (inv_inj swapK))).
apply/matrixP => i j; rewrite !mxE permE -[i in RHS]splitK /swap.
case: (split i) => k; first by rewrite (unsplitK (inl k)) (unsplitK (inr k)) mxE.
by rewrite (unsplitK (inl k)) (unsplitK (inr k)) !mxE opprK.
Qed.

End Symmetric.

(* six different tokens of rank 3, two queries                                   *)
Theorem independence_needed (R : realType) :
  exists C : 'M[R]_(3 + 3, 3), exists e : 'I_2 -> 'cV[R]_3,
    [/\ \rank C = 3%N, injective (fun i => row i C), injective e &
      forall H dh dv do dout (P : weights R H 3 dh dv do dout),
        (\rank (Z (fun=> C) e P) <= 1)%N].
Proof.
have one0 : (1 : R) <> 0 by apply/eqP/oner_neq0.
have onem : (1 : R) <> -1.
  by apply/eqP; rewrite -subr_eq0 opprK -(natrD _ 1 1) pnatr_eq0.
pose u : 'cV[R]_3 := delta_mx ord0 0; pose e (t : 'I_2) := if t == ord0 then u else - u.
exists (col_mx 1%:M (- 1%:M)), e; split.
- apply/eqP; rewrite eqn_leq rank_leq_col /=.
  by rewrite -{1}(mxrank1 R 3) mxrankS // -addsmxE addsmxSl.
- move=> i j; rewrite -[i]splitK -[j]splitK.
  have mone0 : (- 1 : R) <> 0 by apply/eqP; rewrite oppr_eq0 oner_neq0.
  case: (split i) => a; case: (split j) => b /= /rowP ij; first 1 last.
  + have := ij a; rewrite [LHS]mxE [RHS]mxE col_mxEu col_mxEd !mxE eqxx.
    by case: (b == a) => [/onem|]; rewrite ?oppr0 // => /one0.
  + have := ij b; rewrite [LHS]mxE [RHS]mxE col_mxEu col_mxEd !mxE eqxx => /esym.
    by case: (a == b) => [/onem|]; rewrite ?oppr0 // => /one0.
  + have := ij b; rewrite [LHS]mxE [RHS]mxE !col_mxEd !mxE eqxx => /oppr_inj.
    by case: eqP => [-> //|_ /esym/one0].
  have := ij b; rewrite [LHS]mxE [RHS]mxE !col_mxEu !mxE eqxx.
  by case: eqP => [-> //|_ /esym/one0].
- have uN : u <> - u by move/colP/(_ ord0); rewrite !mxE.
  move=> s t; rewrite /e; case: eqP => [->|s0]; case: eqP => [->|t0] //.
    by move/esym/uN.
  move=> _; apply/val_inj; case: s s0 => [[|[|//]] si] s0; case: t t0 => [[|[|//]] ti] t0 //.
    by case: s0; apply/val_inj.
  by case: t0; apply/val_inj.
move=> H dh dv d_o dout P; apply: leq_trans (symmetric_context_rank _ _ _) _.
have all_e s t : (e s == e t) || (e s == - e t).
  by rewrite /e; case: ifP => _; case: ifP => _; rewrite ?opprK eqxx ?orbT.
apply: leq_trans (_ : _ <= #|[set [set: 'I_2]]|)%N _; last by rewrite cards1.
apply/subset_leq_card/subsetP => _ /imsetP[t _ ->]; rewrite inE; apply/eqP/setP => s.
by rewrite !inE all_e.
Qed.
