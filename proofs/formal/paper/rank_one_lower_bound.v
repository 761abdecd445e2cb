(* A lower bound stronger than the paper's (Proposition 1) in one respect: with  *)
(* key dimension d_h = 1, that is with weights W_h of rank one, a shared context *)
(* of rank at least r and any T distinct queries in an open half-space already   *)
(* give rank(Z) >= min(T, H (r - 1) + 1) (the paper: d_h >= r, and queries of     *)
(* Kruskal rank n).  For n independent tokens this is an equality, by            *)
(* Proposition 2.  Data are integers here.                                      *)
(* rank_one_real.v has the same bound for real data (and contains                *)
(* rank_one_lower_bound), by a limit and with real weights.                      *)
(* The proof is algebraic: no limit.  The base of the exponential is arbitrary   *)
(* up to rescaling the weights; 2 is used, and the softmax of the layer (base e) *)
(* is obtained with weights multiplied by ln 2.                                  *)
(*                                                                                *)
(*  softmaxz x l == the softmax with x^l in place of exp(l)                       *)
(*  attn_layer x E W e == the layer with it, integer data, shared context         *)
(*  attn_lower_bound == the bound for x = 2, any ordered field                    *)
(*   rank_one_lower_bound, rank_one_exact == for the layer                        *)
From Attest Require Import prelude.
From mathcomp Require Import zify.
From Attest Require Import attention common upper_bounds generalized_vandermonde.

Section Head.
Variables (K : numFieldType) (n d L r' : nat).
Variables (E : 'M[K]_(n, d)) (q : 'I_n -> nat).
Hypothesis qL : forall i, (q i < L)%N.
Hypothesis q_sep : forall i i', q i = q i' -> row i E = row i' E.
Hypothesis rE : (r'.+1 <= \rank E)%N.

Definition Fp (w : 'cV[K]_d) : {poly K} := \sum_i (E *m w) i 0 *: 'X^(q i).
Definition Dp : {poly K} := \sum_i 'X^(q i).

Lemma head_basis : exists w : 'I_r'.+1 -> 'cV[K]_d, exists j : 'I_r'.+1 -> nat,
  [/\ forall a b : 'I_r'.+1, (a < b)%N -> (j a < j b)%N,
      forall a, (j a < L)%N & forall a, hasval (Fp (w a)) (j a)].
Proof.
pose C : 'M[K]_(d, L) := \matrix_(a, l) \sum_(i | q i == l) E i a.
have rC : (r'.+1 <= \rank C)%N.
  apply: leq_trans rE _; rewrite -mxrank_tr.
  pose cnt i : K := #|[pred i' | q i' == q i]|%:R.
  have cnt0 i : cnt i != 0.
    by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists i; rewrite inE.
  have -> : E^T = C *m \matrix_(l, i) ((l == q i :> nat)%:R * (cnt i)^-1).
    apply/matrixP => a i; rewrite !mxE (bigD1 (Ordinal (qL i))) //=.
    rewrite big1 ?addr0 => [|l li]; last first.
      rewrite !mxE (_ : (l == q i :> nat) = false) ?mul0r ?mulr0 //.
      by apply: contraNF li => /eqP li; apply/eqP/val_inj.
    rewrite !mxE eqxx mul1r (eq_bigr (fun=> E i a)) => [|i' /eqP /q_sep /rowP/(_ a)].
      by rewrite sumr_const -[E i a *+ _]mulr_natr mulfK ?cnt0.
    by rewrite !mxE.
  exact: mxrankM_maxl.
have [w [j [jm wj]]] := echelon rC.
exists (fun a => (w a)^T), j; split=> // a.
pose c (l : nat) := \sum_(i | q i == l) (E *m (w a)^T) i 0.
have cE (l : 'I_L) : (w a *m C) 0 l = c l.
  rewrite mxE /c (eq_bigr (fun b => \sum_(i | q i == l) w a 0 b * E i b)).
    rewrite exchange_big; apply: eq_bigr => i _; rewrite mxE.
    by apply: eq_bigr => b _; rewrite mxE mulrC.
  by move=> b _; rewrite mxE mulr_sumr.
have -> : Fp (w a)^T = \poly_(l < L) c l.
  apply/polyP => l; rewrite coef_sum coef_poly /c.
  rewrite (eq_bigr (fun i => if q i == l then (E *m (w a)^T) i 0 else 0)).
    rewrite -big_mkcond /=; case: ltnP => // Ll; rewrite big1 // => i /eqP qi.
    by move: (qL i); rewrite qi ltnNge Ll.
  move=> i _; rewrite coefZ coefXn eq_sym.
  by case: eqP => _; rewrite ?mulr1 ?mulr0.
have [w1 w2] := wj a; apply: hasval_poly => //.
  by rewrite -cE.
by move=> l lj; rewrite -(w2 (Ordinal (ltn_trans lj (ltn_ord _)))) ?cE.
Qed.

Lemma Dp_val (i0 : 'I_n) : q i0 = 0%N -> hasval Dp 0.
Proof.
move=> qi0; exists Dp; rewrite ?mul1r // horner_sum (bigD1 i0) //= qi0.
rewrite hornerXn expr0 gt_eqF // (lt_le_trans ltr01) // ler_addl.
by apply: sumr_ge0 => i _; rewrite hornerXn expr0n ler0n.
Qed.

Lemma Dp_gt0 (i0 : 'I_n) y : 0 < y -> 0 < Dp.[y].
Proof.
move=> y0; rewrite horner_sum (bigD1 i0) //= ltr_paddr //.
  by apply: sumr_ge0 => i _; rewrite hornerXn exprn_ge0 // ltW.
by rewrite hornerXn exprn_gt0.
Qed.

End Head.

Section Softmax.
Variable K : realFieldType.

Definition softmaxz (x : K) n (l : 'I_n -> int) : 'rV[K]_n :=
  \row_i (x ^ l i / \sum_j x ^ l j).

Lemma softmaxz_sum1 x n (l : 'I_n.+1 -> int) : 0 < x ->
  \sum_i softmaxz x l 0 i = 1.
Proof.
move=> x0; under eq_bigr do rewrite mxE; rewrite -mulr_suml divff //.
rewrite gt_eqF // (bigD1 0) //= ltr_paddr ?exprz_gt0 //.
by apply: sumr_ge0 => i _; apply/exprz_ge0/ltW.
Qed.

Lemma softmaxz_shift x n (l : 'I_n -> int) (c : int) (m : 'I_n -> nat) N i :
  x != 0 -> (forall i, l i = c - (N * m i)%:Z) ->
  softmaxz x l 0 i = (x ^- N) ^+ m i / \sum_j (x ^- N) ^+ m j.
Proof.
move=> x0 lE.
have xE j : x ^ l j = x ^ c * (x ^- N) ^+ m j.
  by rewrite lE expfzDr // -exprnN -exprVn exprM exprVn.
rewrite mxE xE; under eq_bigr do rewrite xE.
by rewrite -mulr_sumr -mulf_div divff ?mul1r // expfz_neq0.
Qed.

Definition attn_weights H n d x (E : 'M[int]_(n, d)) (W : 'I_H -> 'M[int]_d)
    (e : 'cV[int]_d) : 'M[K]_(H, n) :=
  \matrix_(h < H) softmaxz x (fun i => (E *m W h *m e) i 0).

(* the attention layer output: row t is the concatenation over heads h of    *)
(* softmax_x(E W_h e_t) E                                                    *)
Definition attn_layer H T n d x (E : 'M[int]_(n, d)) (W : 'I_H -> 'M[int]_d)
    (e : 'I_T -> 'cV[int]_d) : 'M[K]_(T, H * d) :=
  attn_out (fun t => attn_weights x E W (e t)) (fun=> map_mx intr E).

End Softmax.

Lemma good_keys (R : numDomainType) n d (E : 'M[R]_(n, d)) : exists u : 'cV[R]_d,
  forall i i', (E *m u) i 0 = (E *m u) i' 0 -> row i E = row i' E.
Proof.
pose I := [finType of {a : 'I_n * 'I_n | row a.1 E != row a.2 E}].
have [a|v vP] := @separating _ I _ (fun a => (row (val a).1 E - row (val a).2 E)^T).
  by rewrite -trmx0 (inj_eq trmx_inj) subr_eq0 (valP a).
exists v^T => i i' ii'; apply/eqP/negPn/negP => neq.
have /negP[] := vP (exist _ (i, i') neq).
have vE j : (v *m (row j E)^T) 0 0 = (E *m v^T) j 0.
  by rewrite -{1}(trmxK v) -trmx_mul mxE -row_mul mxE.
by rewrite /= linearB /= mulmxBr mxE [X in _ + X]mxE !vE ii' subrr.
Qed.

Lemma good_queries T d (e : 'I_T -> 'cV[int]_d) (w : 'rV[int]_d) :
    injective e -> (forall t, 0 < (w *m e t) 0 0) ->
  exists v : 'rV[int]_d, (forall t, 0 < (v *m e t) 0 0) /\
     injective (fun t => (v *m e t) 0 0).
Proof.
move=> inj_e wP.
pose I := [finType of {a : 'I_T * 'I_T | a.1 != a.2}].
have [a|v0 vP] := @separating _ I _ (fun a => e (val a).1 - e (val a).2).
  by rewrite subr_eq0 (inj_eq inj_e) (valP a).
pose B : int := \sum_t `|(v0 *m e t) 0 0|.
have leB t : `|(v0 *m e t) 0 0| <= B.
  by rewrite /B (bigD1 t) //= ler_addl sumr_ge0.
have B0 : 0 <= B by apply: sumr_ge0.
pose v := (2%:R * B + 1) *: w + v0.
have vE t : (v *m e t) 0 0 = (2%:R * B + 1) * (w *m e t) 0 0 + (v0 *m e t) 0 0.
  by rewrite mulmxDl -scalemxAl !mxE.
exists v; split=> [t|t t'].
  rewrite vE; have := leB t; have := wP t.
  move: ((w *m e t) 0 0) ((v0 *m e t) 0 0) => a b a0 bB; nia.
move=> vtt'; apply/eqP/negPn/negP => neq.
have := vP (exist _ (t, t') neq); rewrite /= mulmxBr !mxE.
move: vtt' (leB t) (leB t'); rewrite /= !vE.
move: (wP t) (wP t'); rewrite !mxE.
move: (\sum_j w _ _ * _) (\sum_j w _ _ * _) (\sum_j v0 _ _ * _) (\sum_j v0 _ _ * _).
move=> a a' b b' a0 a'0 ab bB b'B /eqP; apply.
have [aa|aa|aa] := ltgtP a a'; nia.
Qed.

Lemma pow_digit_inj L a b j k : (0 < j < L)%N -> (0 < k < L)%N ->
  (L ^ a * j = L ^ b * k)%N -> a = b /\ j = k.
Proof.
wlog ab : a b j k / (a <= b)%N => [H jL kL eq|].
  case: (leqP a b) => ab; first exact: H.
  by have [-> ->] := H _ _ _ _ (ltnW ab) kL jL (esym eq).
move=> /andP[j0 jL] /andP[k0 kL]; have L0 : (0 < L)%N by apply: ltn_trans jL.
rewrite -(subnKC ab) expnD -mulnA => /eqP; rewrite eqn_pmul2l ?expn_gt0 ?L0 //.
case: (b - a)%N => [|c] /eqP jE; first by rewrite addn0 jE expn0 mul1n.
move: jL; rewrite jE expnS -mulnA -[X in (_ < X)%N]muln1 ltn_pmul2l //.
by rewrite ltnNge muln_gt0 expn_gt0 L0 k0.
Qed.

Lemma attn_probe (F : fieldType) T H n d (A : 'I_T -> 'M[F]_(H, n))
    (E : 'I_T -> 'M[F]_(n, d)) m (hd : 'I_m -> 'I_H) (x : 'I_m -> 'cV[F]_d) t i :
  (attn_out A E *m
     \matrix_(k, i) mxvec (delta_mx (hd i) 0 *m (x i)^T) 0 k) t i
  = \sum_k A t (hd i) k * (E t *m x i) k 0.
Proof.
transitivity ((mxvec (delta_mx (hd i) 0 *m (x i)^T) *m (mxvec (A t *m E t))^T) 0 0).
  by rewrite [LHS]mxE [RHS]mxE; apply: eq_bigr => k _; rewrite !mxE mulrC.
rewrite -trmx_delta mxvec_dotmul trmxK -rowE -row_mul [LHS]mxE -mulmxA.
by rewrite [LHS]mxE.
Qed.

Section Main.
Variables (K : realFieldType) (H' T n d r' : nat).
Variables (E : 'M[int]_(n, d)) (e : 'I_T -> 'cV[int]_d).
Let EK : 'M[K]_(n, d) := map_mx intr E.
Hypothesis rE : (r'.+1 <= \rank EK)%N.
Hypothesis inj_e : injective e.
Hypothesis e_pos : exists w : 'rV[int]_d, forall t, 0 < (w *m e t) 0 0.

Theorem attn_lower_bound : exists W : 'I_H'.+1 -> 'M[int]_d,
  (forall h, exists u : 'cV_d, exists v : 'rV_d, W h = u *m v) /\
  (minn T (H'.+1 * r' + 1) <= \rank (attn_layer 2%:R E W e : 'M[K]_(T, H'.+1 * d)))%N.
Proof.
have n0 : (0 < n)%N.
  by apply: leq_trans (rank_leq_row EK); apply: leq_trans rE.
have [u uP] := good_keys E.
have [w0 w0P] := e_pos.
have [v [v_gt0 v_inj]] := good_queries inj_e w0P.
(* scores of keys and queries *)
pose p i := (E *m u) i 0.
pose z t := (v *m e t) 0 0.
pose s t := `|z t|%N.
have sE t : z t = (s t)%:Z by rewrite /s gez0_abs // ltW ?v_gt0.
have s_gt0 t : (0 < s t)%N by rewrite -ltz_nat -sE v_gt0.
have s_inj : injective s.
  by move=> t t' st; apply: v_inj; rewrite -/(z t) -/(z t') !sE st.
have [i0 pmax] : exists i0, forall i, p i <= p i0.
  exists [arg max_(i > Ordinal n0) p i]%O.
  by case: Order.TotalTheory.arg_maxP => // i _ imax j; apply: imax.
pose q i := `|p i0 - p i|%N.
have qE i : p i = p i0 - (q i)%:Z.
  by rewrite /q gez0_abs ?subr_ge0 // opprB addrC subrK.
have q0 : q i0 = 0%N by rewrite /q subrr.
pose L := (\max_i q i).+1.
have qL i : (q i < L)%N by rewrite ltnS leq_bigmax.
have q_sep i i' : q i = q i' -> row i EK = row i' EK.
  move=> qq; rewrite -!map_row; congr map_mx; apply: uP.
  by rewrite -/(p i) -/(p i') (qE i) (qE i') qq.
have [w [j [j_inc jL wj]]] := head_basis qL q_sep rE.
pose M (h : 'I_H'.+1) := (L ^ h)%N.
have M_gt0 h : (0 < M h)%N by rewrite expn_gt0.
(* the family of functions *)
pose I := [finType of option ('I_H'.+1 * 'I_r')].
pose hd (f : I) : 'I_H'.+1 := if f is Some a then a.1 else ord0.
pose ix (f : I) : 'I_r'.+1 := if f is Some a then lift ord0 a.2 else ord0.
pose dl f := (M (hd f) * j (ix f))%N.
have j_gt0 k : (0 < j (lift ord0 k))%N.
  by apply: leq_ltn_trans (leq0n (j ord0)) _; apply: j_inc.
have j_inj k k' : j (lift ord0 k) = j (lift ord0 k') -> k = k'.
  move=> jj; apply/eqP; have [kk|kk|/val_inj->//] := ltngtP k k'.
    have : (lift ord0 k < lift ord0 k')%N by rewrite /= /bump !add1n ltnS.
    by move/j_inc; rewrite jj ltnn.
  have : (lift ord0 k' < lift ord0 k)%N by rewrite /= /bump !add1n ltnS.
  by move/j_inc; rewrite jj ltnn.
have dl_None h k : dl None = dl (Some (h, k)) -> False.
  rewrite /dl /= /M expn0 mul1n => jE.
  have j0 : (0 < j ord0)%N by rewrite jE muln_gt0 expn_gt0 /= j_gt0.
  have jo : (0 < j ord0 < L)%N by rewrite j0 jL.
  have jk : (0 < j (lift ord0 k) < L)%N by rewrite j_gt0 jL.
  have jE' : (L ^ 0 * j ord0 = L ^ h * j (lift ord0 k))%N by rewrite expn0 mul1n.
  have [_ jj] := pow_digit_inj jo jk jE'.
  by have := j_inc ord0 (lift ord0 k) isT; rewrite jj ltnn.
have dl_inj : injective dl.
  case=> [[h k]|] [[h' k']|] // => [dd|/esym/dl_None//|/dl_None//].
  have jk : (0 < j (lift ord0 k) < L)%N by rewrite j_gt0 jL.
  have jk' : (0 < j (lift ord0 k') < L)%N by rewrite j_gt0 jL.
  have [hh /j_inj ->] := pow_digit_inj jk jk' dd.
  by have -> : h = h' by apply: val_inj.
pose g f : {poly K} := (Fp EK q (w (ix f)) \Po 'X^(M (hd f)))
  * \prod_(h | h != hd f) (Dp K q \Po 'X^(M h)).
have D_val h : hasval (Dp K q \Po 'X^(M h)) 0.
  by rewrite -(muln0 (M h)); apply: hasval_comp => //; apply: Dp_val q0.
have g_val f : hasval (g f) (dl f).
  rewrite -[dl f]addn0; apply: hasvalM; last exact: hasval_prod.
  exact: hasval_comp.
(* choose functions and tokens *)
set m := minn _ _.
have [phi phiP] : exists phi : 'I_m -> I,
    forall a b : 'I_m, (a < b)%N -> (dl (phi a) < dl (phi b))%N.
  apply: sorted_sel => //; rewrite card_option card_prod !card_ord.
  by rewrite -[X in (_ <= X)%N]addn1 geq_minr.
have [tau tauP] : exists tau : 'I_m -> 'I_T,
    forall a b : 'I_m, (a < b)%N -> (s (tau b) < s (tau a))%N.
  have [||tau tauP] := @sorted_sel _ s m => //; first by rewrite card_ord geq_minl.
  exists (fun a => tau (rev_ord a)) => a b ab; apply: tauP.
  by rewrite /=; move: (ltn_ord b) ab; clearbody m; lia.
pose G := \matrix_(i < m, t < m) (g (phi i) \Po 'X^(s (tau t))).
have G0 : \det G != 0.
  pose ext (F : 'I_m -> nat) k := oapp F 0%N (insub k).
  have extE F (a : 'I_m) : ext F a = F a by rewrite /ext valK.
  pose D1 := ext (dl \o phi); pose S1 := ext (s \o tau).
  rewrite [G](_ : _ = \matrix_(i < m, t < m) (g (phi i) \Po 'X^(S1 t))); last first.
    by apply/matrixP => i t; rewrite !mxE /S1 extE.
  apply: (gen_vandermonde (dl := D1)).
  - move=> a b /andP[ab bm]; have am := ltn_trans ab bm.
    by rewrite /D1 (extE _ (Ordinal am)) (extE _ (Ordinal bm)); apply: phiP.
  - move=> a b /andP[ab bm]; have am := ltn_trans ab bm.
    by rewrite /S1 (extE _ (Ordinal am)) (extE _ (Ordinal bm)); apply: tauP.
  - by move=> a am; rewrite /S1 (extE _ (Ordinal am)) /=.
  - by move=> a; rewrite /D1 extE; apply: g_val.
(* choose the base 2^N *)
have [N GN] : exists N, (\det G).[2%:R ^- N] != 0.
  apply: nonroot G0 => a b /invr_inj; rewrite -!natrX => /eqP.
  by rewrite eqr_nat eqn_exp2l // => /eqP.
set ep : K := 2%:R ^- N in GN.
have ep0 : 0 < ep by rewrite /ep invr_gt0 exprn_gt0 ?ltr0n.
exists (fun h => (N * M h)%:Z *: (u *m v)).
split; first by move=> h; exists ((N * M h)%:Z *: u), v; rewrite scalemxAl.
set W := (fun h => _); set Z := attn_layer _ _ _ _.
have wE t h i : attn_weights 2%:R E W (e t) h i
    = (ep ^+ s t) ^+ (M h * q i) / (Dp K q \Po 'X^(M h)).[ep ^+ s t].
  have lE k : (E *m W h *m e t) k 0 = (N * M h)%:Z * (p k * z t).
    rewrite /W -scalemxAr -scalemxAl mxE; congr (_ * _).
    by rewrite mulmxA -(mulmxA (E *m u)) [LHS]mxE big_ord1.
  rewrite mxE (@softmaxz_shift _ _ _ _ ((N * M h)%:Z * (p i0 * z t))
    (fun k => (s t * (M h * q k))%N) N) ?pnatr_eq0 //; last first.
    move=> k; rewrite lE qE sE mulrBl mulrBr; congr (_ - _).
    by rewrite -!PoszM -mulnA (mulnA (M h)) (mulnC (_ * _)%N (s t)).
  rewrite -/ep exprM; congr (_ / _); rewrite horner_comp hornerXn horner_sum.
  by apply: eq_bigr => k _; rewrite hornerXn !exprM.
have Dpos t h : 0 < (Dp K q \Po 'X^(M h)).[ep ^+ s t].
  by rewrite horner_comp hornerXn (Dp_gt0 _ (Ordinal n0)) // !exprn_gt0.
pose B : 'M[K]_(H'.+1 * d, m) :=
  \matrix_(k, i) mxvec (delta_mx (hd (phi i)) 0 *m (w (ix (phi i)))^T) 0 k.
pose Dt : 'rV[K]_m := \row_t \prod_h (Dp K q \Po 'X^(M h)).[ep ^+ s (tau t)].
have ZE t i : (Z *m B) t i =
    \sum_k attn_weights 2%:R E W (e t) (hd (phi i)) k * (EK *m w (ix (phi i))) k 0.
  exact: (attn_probe (fun t => attn_weights 2%:R E W (e t)) (fun=> EK)
    (fun i => hd (phi i)) (fun i => w (ix (phi i)))).
have key : diag_mx Dt *m (rowsub tau Z *m B) = (map_mx (horner_eval ep) G)^T.
  apply/matrixP => t i; rewrite mul_diag_mx mul_rowsub_mx.
  rewrite mxE [rowsub _ _ _ _]mxE ZE !mxE /= /horner_eval horner_comp hornerXn.
  set y := ep ^+ _; set f := phi i; rewrite hornerM (bigD1 (hd f)) //=.
  rewrite mulrAC horner_prod; congr (_ * _); rewrite mulr_sumr.
  rewrite [RHS]horner_comp hornerXn [RHS]horner_sum; apply: eq_bigr => k _.
  rewrite wE -/y hornerZ hornerXn -exprM mulrA mulrCA divff ?gt_eqF ?Dpos //.
  by rewrite mulr1 mulrC.
have : (m <= \rank (diag_mx Dt *m (rowsub tau Z *m B)))%N.
  rewrite key mxrank_tr (_ : \rank _ = m) //; apply/eqP.
  by rewrite -[_ == _]/(row_free _) row_free_unit unitmxE unitfE det_map_mx.
move/leq_trans; apply; apply: leq_trans (mxrankM_maxr _ _) _.
by apply: leq_trans (mxrankM_maxl _ _) _; apply/mxrankS/rowsub_sub.
Qed.

End Main.

Lemma expR_ln2 (R : realType) (z : int) : expR (ln 2%:R * z%:~R) = (2%:R : R) ^ z.
Proof.
have e2 : expR (ln 2%:R) = 2%:R :> R by rewrite lnK // posrE ltr0n.
case: z => k; first by rewrite mulrC -[_%:~R]/(k%:R) expRMm e2.
by rewrite NegzE mulrNz mulrN expRN mulrC -[_%:~R]/(k.+1%:R) expRMm e2.
Qed.

Section Real.
Variables (R : realType) (H' T n d : nat) (E : 'M[int]_(n, d)).
Variable e : 'I_T -> 'cV[int]_d.
Let ER : 'I_T -> 'M[R]_(n, d) := fun=> map_mx intr E.
Let eR t : 'cV[R]_d := map_mx intr (e t).
Hypothesis inj_e : injective e.
Hypothesis half_space : exists w : 'rV[int]_d, forall t, 0 < (w *m e t) 0 0.

Theorem rank_one_lower_bound r : (0 < r <= \rank (map_mx intr E : 'M[R]_(n, d)))%N ->
  exists W : 'I_H'.+1 -> 'M[R]_d, (forall h, \rank (W h) <= 1)%N /\
    (minn T (H'.+1 * (r - 1) + 1) <= \rank (Zmx ER eR W))%N.
Proof.
case: r => // r' /= rE; rewrite subn1 /=.
have [W [W1 leW]] := @attn_lower_bound R H' T n d r' E e rE inj_e half_space.
exists (fun h => ln 2%:R *: map_mx intr (W h)); split=> [h|].
  have [u [v ->]] := W1 h; rewrite map_mxM scalemxAl.
  by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
rewrite Zmx_attn_out [attn_out _ _](_ : _ = attn_layer 2%:R E W e) //.
apply/row_matrixP => t; rewrite !rowK; congr (mxvec (_ *m _)).
apply/row_matrixP => h; rewrite !rowK.
have lE i : (ER t *m (ln 2%:R *: map_mx intr (W h)) *m eR t) i 0
    = ln 2%:R * ((E *m W h *m e t) i 0)%:~R.
  by rewrite -scalemxAr -scalemxAl -!map_mxM !mxE.
apply/rowP => i; rewrite 2![LHS]mxE [RHS]mxE lE expR_ln2; congr (_ / _).
by apply: eq_bigr => k _; rewrite lE expR_ln2.
Qed.

(* with n independent tokens the bounds meet, for a layer of key dimension 1    *)
Theorem rank_one_exact dv do dout :
    \rank (map_mx intr E : 'M[R]_(n, d)) = n -> (0 < n)%N ->
  exists P : weights R H'.+1 d 1 dv do dout,
    \rank (Z ER eR P) = minn T (H'.+1 * (n - 1) + 1).
Proof.
move=> rE n0; have [|W [W1 leW]] := @rank_one_lower_bound n.
  by rewrite rE leqnn n0.
have /fin_all_exists [K /fin_all_exists [Q WE]] h := rank_factor (W1 h).
exists (Weights K Q (fun=> 0) 0 0); set P := Weights _ _ _ _ _.
apply/eqP; rewrite eqn_leq leq_min rank_leq_row /=; apply/andP; split.
  exact: (@proposition_2 R T H'.+1 n d 1 dv do dout (map_mx intr E) ER eR P (fun=> erefl)).
by rewrite ZE (_ : (fun h => _) = W) //; apply/funext => h; rewrite WE.
Qed.

End Real.
