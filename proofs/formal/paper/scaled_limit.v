(* Saturating heads, one at a time: the common part of rank_one_real.v and         *)
(* rank_one_varying.v.                                                            *)
(* A head whose weights are scaled by c adds to the space S spanned by the         *)
(* columns so far (rows here, everything is transposed) columns x_k(c) with        *)
(*   x_k(c)_t = exp(- c j_k delta_t) (b_{k,t} + o(1)) as c grows,                   *)
(* where j_k > 0 is a speed and delta_t, pairwise distinct, belongs to example t.  *)
(* Take a basis N of the vectors orthogonal to S in echelon form, with the          *)
(* examples in increasing order of delta, and pivots f a.  Then                    *)
(*   (N x_k(c))_a = exp(- c j_k delta_{f a}) (N_{a, f a} b_{k, f a} + o(1)),         *)
(* because all later examples vanish faster and all earlier ones have coefficient  *)
(* zero (block_limit).  So whatever S is, the new columns are independent of S as   *)
(* far as this scaled limit allows.  The limit matrix is handled by rank_near when *)
(* all speeds are equal (add_block), and by exp_det, a generalized Vandermonde      *)
(* determinant with real exponents, when they are distinct (add_columns).          *)
(* The last part is the limit itself for a softmax (softmax_tends).                *)
(*                                                                                   *)
(*   tends f a == f x tends to a as x grows                                          *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra classical_sets ring.
From Attest Require Import attention common kruskal lemma_4 lemma_5 proposition_1 generalized_vandermonde.
Import numFieldNormedType.Exports.

(* -------------------------------------------------------------------------- *)
(* Limits as c grows                                                           *)
(* -------------------------------------------------------------------------- *)
Section Limits.
Variable R : realType.
Implicit Types (f g : R -> R) (a b : R).

(* a record, so that the limit is not unfolded into its filters                *)
Record tends f a : Prop := Tends { tends_lim : (f x @[x --> +oo] --> a)%classic }.

Lemma tends_ext f g a : tends f a -> f =1 g -> tends g a.
Proof. by move=> + /funext <-. Qed.

Lemma tends_cst a : tends (fun=> a) a.
Proof. by split; exact: cvg_cst. Qed.

Lemma tendsD f g a b : tends f a -> tends g b -> tends (fun c => f c + g c) (a + b).
Proof. by move=> [fa] [gb]; split; exact: cvgD. Qed.

Lemma tendsM f g a b : tends f a -> tends g b -> tends (fun c => f c * g c) (a * b).
Proof. by move=> [fa] [gb]; split; exact: cvgM. Qed.

Lemma tendsB f g a b : tends f a -> tends g b -> tends (fun c => f c - g c) (a - b).
Proof. by move=> [fa] [gb]; split; exact: cvgB. Qed.

Lemma tendsV f a : a != 0 -> tends f a -> tends (fun c => (f c)^-1) a^-1.
Proof. by move=> a0 [fa]; split; exact: cvgV. Qed.

Lemma tends_sum (I : Type) (r : seq I) (P : pred I) (F : I -> R -> R) (A : I -> R) :
  (forall i, P i -> tends (F i) (A i)) ->
  tends (fun c => \sum_(i <- r | P i) F i c) (\sum_(i <- r | P i) A i).
Proof.
move=> FA; elim: r => [|i r IHr].
  rewrite big_nil; apply: tends_ext (tends_cst 0) _ => c; by rewrite big_nil.
rewrite big_cons; case: (boolP (P i)) => Pi.
  apply: tends_ext (tendsD (FA i Pi) IHr) _ => c; by rewrite big_cons Pi.
by apply: tends_ext IHr _ => c; rewrite big_cons (negPf Pi).
Qed.

Lemma tends_expN a : 0 < a -> tends (fun c => expR (- (c * a))) 0.
Proof.
move=> a0; split; apply/cvgrPdist_lt => eps eps0.
have [c0 c0P] := expR_small 0 a0 eps0.
near=> c; rewrite sub0r normrN gtr0_norm ?expR_gt0 //.
have /c0P[_] : c0 <= c by near: c; apply: nbhs_pinfty_ge; apply: num_real.
by rewrite sub0r.
Unshelve. all: by end_near.
Qed.

Lemma tends_neq0 f a : a != 0 -> tends f a -> \forall c \near +oo, f c != 0.
Proof. by move=> a0 [fa]; apply: cvgr_neq0 fa a0. Qed.

(* the rank does not drop in the limit, eventually                              *)
Lemma rank_tends m n (M : R -> 'M[R]_(m, n)) (A : 'M[R]_(m, n)) :
    (forall i j, tends (fun c => M c i j) (A i j)) ->
  \forall c \near +oo, (\rank A <= \rank (M c))%N.
Proof.
move=> MA; have [eps eps0 nA] := rank_near A.
have : \forall c \near +oo, forall i j, `|A i j - M c i j| <= eps.
  apply: filter_forall => i; apply: filter_forall => j.
  by have [/cvgrPdist_le] := MA i j; apply.
by apply: filterS => c; apply: nA.
Qed.

(* there is a positive c for which a property holds that holds for all large c   *)
Lemma pick_large (P : R -> Prop) : (\forall c \near +oo, P c) -> exists2 c, 0 < c & P c.
Proof.
move=> nP; have : \forall c \near +oo, (0 < c :> R) /\ P c.
  near=> c; split; last by near: c.
  by near: c; apply: nbhs_pinfty_gt; apply: num_real.
by case/filter_ex => c [c0 Pc]; exists c.
Unshelve. all: by end_near.
Qed.

End Limits.

(* -------------------------------------------------------------------------- *)
(* exp(- c j_k s_i) with the s_i increasing and the j_k decreasing              *)
(* -------------------------------------------------------------------------- *)
Section Vandermonde.
Variable R : realType.

Lemma det_schur (F : fieldType) n (M : 'M[F]_(1 + n)) : M 0 0 != 0 ->
  \det M = M 0 0 * \det (\matrix_(i, k) (M (lift 0 i) (lift 0 k)
                         - M (lift 0 i) 0 * (M 0 0)^-1 * M 0 (lift 0 k))).
Proof.
move=> M0; set M' := \matrix_(i, k) _.
pose U : 'M[F]_(1 + n) := block_mx 1%:M (- (M 0 0)^-1 *: ursubmx M) 0 1%:M.
have dU : \det U = 1 by rewrite det_ublock !det1 mulr1.
rewrite -[LHS]mulr1 -dU -det_mulmx -[M in M *m _]submxK mulmx_block.
have e0 : ulsubmx M = (M 0 0)%:M.
  by apply/matrixP => i k; rewrite !ord1 !mxE /= mulr1n; congr (M _ _); apply/val_inj.
rewrite !mulmx1 !mulmx0 !addr0 e0 mul_scalar_mx scalerA mulrN divff // scaleN1r addNr.
rewrite det_lblock det_scalar1 -scalemxAr; congr (_ * \det _).
apply/matrixP => i k; rewrite !mxE big_ord1 !mxE !rshift1.
have -> : lshift n 0 = 0 :> 'I_(1 + n) by apply/val_inj.
by rewrite addrC mulNr mulrA (mulrC _^-1).
Qed.

Lemma exp_det n (s j : 'I_n -> R) (M : R -> 'M[R]_n) (b : 'M[R]_n) :
    (forall i i' : 'I_n, (i < i')%N -> s i < s i') ->
    (forall k k' : 'I_n, (k < k')%N -> j k' < j k) ->
    (forall i k, tends (fun c => expR (c * j k * s i) * M c i k) (b i k)) ->
    (forall i, b i i != 0) ->
  \forall c \near +oo, \det (M c) != 0.
Proof.
elim: n s j M b => [|n IHn] s j M b s_inc j_dec Mb b0.
  by apply: nearW => c; rewrite det_mx00 oner_neq0.
have M0 : \forall c \near +oo, M c 0 0 != 0.
  have := tends_neq0 (b0 0) (Mb 0 0); apply: filterS => c.
  by rewrite mulf_eq0 negb_or => /andP[].
pose M' c : 'M[R]_n := \matrix_(i, k) (M c (lift 0 i) (lift 0 k)
                         - M c (lift 0 i) 0 * (M c 0 0)^-1 * M c 0 (lift 0 k)).
have : \forall c \near +oo, \det (M' c) != 0.
  apply: (IHn (s \o lift 0) (j \o lift 0) _ (\matrix_(i, k) b (lift 0 i) (lift 0 k))).
  - by move=> i i' ii; apply: s_inc; rewrite /= /bump !add1n ltnS.
  - by move=> k k' kk; apply: j_dec; rewrite /= /bump !add1n ltnS.
  - move=> i k; rewrite mxE /=; set i' := lift 0 i; set k' := lift 0 k.
    have gap : 0 < (j 0 - j k') * (s i' - s 0).
      by rewrite mulr_gt0 // subr_gt0; [apply: j_dec|apply: s_inc].
    have := tendsB (Mb i' k') (tendsM (tends_expN gap)
      (tendsM (tendsM (Mb i' 0) (tendsV (b0 0) (Mb 0 0))) (Mb 0 k'))).
    rewrite mul0r subr0 => /tends_ext; apply=> c.
    rewrite /M' mxE -/i' -/k' [RHS]mulrBr; congr (_ - _).
    rewrite invfM -expRN.
    set x := M c i' 0; set y := (M c 0 0)^-1; set z := M c 0 k'.
    transitivity ((expR (- (c * ((j 0 - j k') * (s i' - s 0)))) * expR (c * j 0 * s i')
       * expR (- (c * j 0 * s 0)) * expR (c * j k' * s 0)) * (x * y * z)).
      move: (expR _) (expR _) (expR _) (expR _) => e1 e2 e3 e4; ring.
    rewrite -!expRD; congr (expR _ * _).
    by rewrite mulrBl !mulrBr !mulrA; ring.
  - by move=> i; rewrite mxE.
apply: filterS2 M0 => c c0 d0; rewrite det_schur // mulf_neq0 //.
Qed.

End Vandermonde.

(* -------------------------------------------------------------------------- *)
(* A row echelon basis of the vectors orthogonal to S                          *)
(* -------------------------------------------------------------------------- *)
Section Echelon.
Variables (R : realType) (T : nat) (delta : 'I_T -> R).
Hypothesis delta_inj : injective delta.

Lemma order_rank : exists2 g : 'I_T -> 'I_T, bijective g &
  forall t t', (g t < g t')%N = (delta t < delta t').
Proof.
pose below t := [set t' | delta t' < delta t].
have cP t : (#|below t| < T)%N.
  rewrite -[X in (_ < X)%N]card_ord -cardsT proper_card // properE finset.subsetT.
  by apply/subsetPn; exists t; rewrite inE ?ltxx.
have mono t t' : delta t < delta t' -> (#|below t| < #|below t'|)%N.
  move=> tt'; apply: proper_card; rewrite properE; apply/andP; split.
    by apply/subsetP => u; rewrite !inE => /lt_trans; apply.
  by apply/subsetPn; exists t; rewrite !inE // ltxx.
have monoE t t' : (#|below t| < #|below t'|)%N = (delta t < delta t').
  apply/idP/idP => [|/mono //]; apply: contraTT; rewrite -leNgt -leqNgt le_eqVlt.
  by case/orP => [/eqP/delta_inj ->|/mono /ltnW].
exists (fun t => Ordinal (cP t)) => [|t t']; last exact: monoE.
apply: injF_bij => t t' /(congr1 val) /= tt'; apply: delta_inj.
by apply: le_anti; rewrite !leNgt -!monoE tt' ltnn.
Qed.

Lemma fresh_echelon m (S : 'M[R]_(m, T)) :
  exists N : 'M[R]_(T - \rank S, T), exists f : 'I_(T - \rank S) -> 'I_T,
  [/\ S *m N^T = 0,
      forall a b : 'I_(T - \rank S), (a < b)%N -> delta (f a) < delta (f b),
      forall a, N a (f a) != 0 &
      forall a t, delta t < delta (f a) -> N a t = 0].
Proof.
have [g [g' gK g'K] gP] := order_rank.
pose N0 := row_base (kermx S^T).
have rN0 : \rank N0 = (T - \rank S)%N by rewrite eq_row_base mxrank_ker mxrank_tr.
have SN0 : S *m N0^T = 0.
  apply: trmx_inj; rewrite trmx_mul trmxK trmx0; apply/sub_kermxP.
  by rewrite eq_row_base.
pose C := colsub g' N0.
have rC : (T - \rank S <= \rank C)%N.
  rewrite -rN0 [X in (\rank X <= _)%N](_ : _ = C *m colsub g 1%:M); last first.
    by rewrite mulmx_colsub mulmx1; apply/matrixP => a t; rewrite !mxE gK.
  exact: mxrankM_maxl.
have [w [j [j_inc wj]]] := echelon rC.
have wE a l : (w a *m C) 0 l = (w a *m N0) 0 (g' l).
  by rewrite /C mulmx_colsub mxE.
exists (\matrix_a (w a *m N0)), (g' \o j); split.
- rewrite (_ : \matrix_a _ = \matrix_a w a *m N0); last first.
    by apply/row_matrixP => a; rewrite row_mul !rowK.
  by rewrite trmx_mul mulmxA SN0 mul0mx.
- by move=> a b /j_inc jj; rewrite /= -gP !g'K.
- by move=> a; rewrite mxE /= -wE; have [] := wj a.
- move=> a t; rewrite /= -gP g'K => tj; rewrite mxE -(gK t) -wE.
  by have [_] := wj a; apply.
Qed.

(* new columns (rows of X), relative to S                                        *)
Section Block.
Variables (m p : nat) (S : 'M[R]_(m, T)) (X : R -> 'M[R]_(p, T)).
Variables (speed : 'I_p -> R) (B : 'M[R]_(p, T)).
Hypothesis speed_gt0 : forall k, 0 < speed k.
Hypothesis XB : forall k t,
  tends (fun c => expR (c * speed k * delta t) * X c k t) (B k t).

Lemma block_limit (N : 'rV[R]_T) u : (forall t, delta t < delta u -> N 0 t = 0) ->
  forall k, tends (fun c => expR (c * speed k * delta u) * (N *m (X c)^T) 0 k)
                  (N 0 u * B k u).
Proof.
move=> N0 k.
pose F t c := expR (c * speed k * delta u) * (N 0 t * X c k t).
have FP t : tends (F t) (if t == u then N 0 u * B k u else 0).
  case: eqP => [->|/eqP tu].
    by apply: tends_ext (tendsM (tends_cst _) (XB k u)) _ => c; rewrite /F mulrCA.
  have [ltu|gtu|/delta_inj/eqP] := ltgtP (delta t) (delta u); last by rewrite (negPf tu).
    by apply: tends_ext (tends_cst 0) _ => c; rewrite /F N0 // mul0r mulr0.
  have gap : 0 < speed k * (delta t - delta u) by rewrite mulr_gt0 // subr_gt0.
  have := tendsM (tends_expN gap) (tendsM (tends_cst (N 0 t)) (XB k t)).
  rewrite mul0r => /tends_ext; apply=> c; rewrite /F.
  rewrite mulrCA [RHS]mulrCA; congr (_ * _); rewrite [LHS]mulrA -expRD; congr (expR _ * _).
  by ring.
have := tends_sum (index_enum _) (fun t (_ : predT t) => FP t).
rewrite -big_mkcond big_pred1_eq => /tends_ext; apply=> c.
by rewrite mxE mulr_sumr; apply: eq_bigr => t _; rewrite /F mxE.
Qed.

End Block.

Lemma leq_rank_scale s p (a : 'I_s -> R) (M : 'M[R]_(s, p)) :
  (\rank (\matrix_(i, k) (a i * M i k))%R <= \rank M)%N.
Proof.
rewrite (_ : \matrix_(i, k) _ = diag_mx (\row_i a i) *m M) ?mxrankM_maxr //.
by apply/matrixP => i k; rewrite mul_diag_mx !mxE.
Qed.

(* all speeds equal to 1: the limit rows, of Kruskal rank at least k, add k       *)
Lemma add_block m p (S : 'M[R]_(m, T)) (X : R -> 'M[R]_(p, T)) (B : 'M[R]_(p, T)) r :
    (forall k t, tends (fun c => expR (c * delta t) * X c k t) (B k t)) ->
    kruskal_geq (fun t => col t B) r ->
  \forall c \near +oo, (minn T (\rank S + r) <= \rank (S + X c)%MS)%N.
Proof.
move=> XB /kruskal_geqP Br.
have [N [f [SN f_inc Nf0 Nlt]]] := fresh_echelon S; set s := (T - _)%N in N f SN f_inc Nf0 Nlt.
pose M c : 'M[R]_(s, p) := \matrix_(a, k) (expR (c * delta (f a)) * (N *m (X c)^T) a k).
pose A : 'M[R]_(s, p) := \matrix_(a, k) (N a (f a) * B k (f a)).
have MA a k : tends (fun c => M c a k) (A a k).
  have XB1 k' t : tends (fun c => expR (c * 1 * delta t) * X c k' t) (B k' t).
    by apply: tends_ext (XB k' t) _ => c; rewrite mulr1.
  have := @block_limit p X (fun=> 1) B (fun=> ltr01) XB1 (row a N) (f a).
  move/(_ _ k); rewrite [A _ _]mxE => /(_ _)/tends_ext.
  rewrite [in N a (f a)](_ : N a (f a) = row a N 0 (f a)); last by rewrite mxE.
  by apply=> [t tf|c]; [rewrite mxE Nlt|rewrite [RHS]mxE mulr1 -row_mul mxE].
have rA : (minn r s <= \rank A)%N.
  pose w : 'I_(minn r s) -> 'I_s := widen_ord (geq_minr r s).
  have f_inj : injective (f \o w).
    move=> a b /= fab; have [ab|ba|/val_inj //] := ltngtP a b.
      by have := f_inc (w a) (w b) ab; rewrite fab ltxx.
    by have := f_inc (w b) (w a) ba; rewrite fab ltxx.
  have := indep_row_free f_inj (Br _ _).
  rewrite card_imset // card_ord geq_minl => /(_ isT) /eqP fB.
  rewrite -[X in (X <= _)%N]fB; apply: leq_trans (mxrankS (rowsub_sub w A)).
  apply: leq_trans (leq_rank_scale (fun i => (N (w i) (f (w i)))^-1) _).
  apply: eq_leq; congr mxrank; apply/matrixP => i k.
  by rewrite !mxE mulKf.
have := rank_tends MA; apply: filterS => c rM.
apply: leq_trans (rank_adds_ker (X c) SN).
have : (minn r s <= \rank (N *m (X c)^T))%N.
  by apply: leq_trans (leq_rank_scale (fun a => expR (c * delta (f a))) _); apply: leq_trans rM.
rewrite -(leq_add2l (\rank S)); apply: leq_trans.
by rewrite addn_minr /s subnKC ?rank_leq_col // minnC.
Qed.

(* distinct speeds: every new column counts                                       *)
Section Columns.
Variables (r : nat) (X : R -> 'M[R]_(r, T)) (speed : 'I_r -> R) (B : 'M[R]_(r, T)).
Hypothesis speed_inc : forall a b : 'I_r, (a < b)%N -> speed a < speed b.
Hypothesis XB : forall k t,
  tends (fun c => expR (c * speed k * delta t) * X c k t) (B k t).
Hypothesis B0 : forall k t, B k t != 0.

(* the largest speed is matched with the smallest delta                          *)
Lemma columns_rank s q (f : 'I_s -> 'I_T) (a : 'I_s -> R) (Y : R -> 'M[R]_(s, r)) :
    q = minn s r ->
    (forall i i' : 'I_s, (i < i')%N -> delta (f i) < delta (f i')) ->
    (forall i, a i != 0) ->
    (forall i k, tends (fun c => expR (c * speed k * delta (f i)) * Y c i k)
                       (a i * B k (f i))) ->
  \forall c \near +oo, (q <= \rank (Y c))%N.
Proof.
move=> qE f_inc a0 YB; have qs : (q <= s)%N by rewrite qE geq_minl.
have qr : (q <= r)%N by rewrite qE geq_minr.
pose w : 'I_q -> 'I_s := widen_ord qs; pose v i : 'I_r := widen_ord qr (rev_ord i).
have := @exp_det R q (delta \o f \o w) (speed \o v) (fun c => mxsub w v (Y c))
  (\matrix_(i, k) (a (w i) * B (v k) (f (w i)))).
move=> ndet; have {ndet} : \forall c \near +oo, \det (mxsub w v (Y c)) != 0.
  apply: ndet => [i i' ii'|k k' kk'|i k|i].
  - exact: f_inc.
  - by apply: speed_inc; apply: ltn_sub2l; rewrite ?ltnS // (leq_ltn_trans kk').
  - by rewrite mxE; apply: tends_ext (YB (w i) (v k)) _ => c; rewrite mxE.
  - by rewrite mxE mulf_neq0.
by apply: filterS => c; apply: minor_leq_rank.
Qed.

Lemma first_columns : \forall c \near +oo, (minn T r <= \rank (X c))%N.
Proof.
have [N [f [_ f_inc _ _]]] := fresh_echelon (0 : 'M[R]_T).
have TE : (T - \rank (0%R : 'M[R]_T) = T)%N by rewrite mxrank0 subn0.
pose w : 'I_T -> 'I_(T - \rank (0%R : 'M[R]_T)) := cast_ord (esym TE).
have := @columns_rank T (minn T r) (f \o w) (fun=> 1) (fun c => rowsub (f \o w) (X c)^T) erefl.
move=> cr; have {cr} : \forall c \near +oo, (minn T r <= \rank (rowsub (f \o w) (X c)^T))%N.
  apply: cr => [i i' ii'|i|i k]; [exact: f_inc|exact: oner_neq0|].
  by rewrite mul1r; apply: tends_ext (XB k (f (w i))) _ => c; rewrite !mxE.
apply: filterS => c /leq_trans; apply; rewrite -[X in (_ <= X)%N]mxrank_tr.
exact/mxrankS/rowsub_sub.
Qed.

Lemma add_columns m (S : 'M[R]_(m, T)) : (forall k, 0 < speed k) ->
  \forall c \near +oo, (minn T (\rank S + r) <= \rank (S + X c)%MS)%N.
Proof.
move=> speed0; have [N [f [SN f_inc Nf0 Nlt]]] := fresh_echelon S.
set s := (T - _)%N in N f SN f_inc Nf0 Nlt.
have : \forall c \near +oo, (minn s r <= \rank (N *m (X c)^T))%N.
  apply: (columns_rank (f := f) (a := fun i => N i (f i))) => // i k.
  have := @block_limit r X speed B speed0 XB (row i N) (f i).
  move/(_ _ k); rewrite [row i N 0 _]mxE => /(_ _)/tends_ext.
  by apply=> [t tf|c]; [rewrite mxE Nlt|rewrite -row_mul mxE].
apply: filterS => c rM; apply: leq_trans (rank_adds_ker (X c) SN).
rewrite -(leq_add2l (\rank S)) in rM; apply: leq_trans rM.
by rewrite addn_minr /s subnKC ?rank_leq_col.
Qed.

End Columns.

End Echelon.

(* -------------------------------------------------------------------------- *)
(* A combination of softmax coefficients, logits c l                            *)
(* -------------------------------------------------------------------------- *)
Section Softmax.
Variables (R : realType) (n : nat).

Lemma level_sums (gap y : 'I_n -> R) (F : R -> R) g :
    (forall i, gap i < g -> \sum_(k | gap k == gap i) y k = 0) ->
  \sum_(i | gap i < g) F (gap i) * y i = 0.
Proof.
move=> y0; pose cnt i : R := #|[pred k | gap k == gap i]|%:R.
have cnt0 i : cnt i != 0.
  by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists i; rewrite inE.
rewrite (eq_bigr (fun i => \sum_(k | gap k == gap i) F (gap k) / cnt k * y i)).
  rewrite (exchange_big_dep (fun k => gap k < g)) /=; last by move=> i k ig /eqP ->.
  rewrite big1 // => k kg; rewrite -mulr_sumr (eq_bigl (fun i => gap i == gap k)).
    by rewrite y0 ?mulr0.
  by move=> i; rewrite eq_sym; case: eqP => [->|_]; rewrite ?kg ?andbF.
move=> i _; rewrite (eq_bigr (fun=> F (gap i) / cnt i * y i)); last first.
  move=> k /eqP ki; rewrite ki; congr (_ / _ * _); congr (_%:R); apply: eq_card => j.
  by rewrite !inE ki.
rewrite sumr_const -[RHS]mulr_natl -/(cnt i) [RHS]mulrCA mulrA; congr (_ * _).
by rewrite divfK.
Qed.

(* gap i = l i0 - l i for the largest logit l i0; if the sums of y over the        *)
(* levels gap = g' vanish for g' < g, the combination is exp(- c g) times the sum   *)
(* over the level g, divided by the number of largest logits                       *)
Lemma softmax_tends (l : 'cV[R]_n) i0 (y : 'I_n -> R) g :
    let gap i := l i0 0 - l i 0 in
    (forall i, 0 <= gap i) ->
    (forall i, gap i < g -> \sum_(k | gap k == gap i) y k = 0) ->
  tends (fun c => expR (c * g) * \sum_i softmax (c *: l) i 0 * y i)
        ((\sum_(k | gap k == g) y k) / #|[pred k | gap k == 0]|%:R).
Proof.
move=> gap gap0 ylow.
pose den c := \sum_j expR (- (c * gap j)).
have denP : tends den #|[pred k | gap k == 0]|%:R.
  have denj j (_ : predT j) : tends (fun c => expR (- (c * gap j))) (if gap j == 0 then 1 else 0).
    case: eqP => [->|/eqP gj]; last by apply: tends_expN; rewrite lt0r gj gap0.
    by apply: tends_ext (tends_cst 1) _ => c; rewrite mulr0 oppr0 expR0.
  have := tends_sum (index_enum _) denj; rewrite -big_mkcond sumr_const /=.
  by move/tends_ext; apply.
have cnt0 : #|[pred k | gap k == 0]|%:R != 0 :> R.
  by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists i0; rewrite inE /gap subrr.
pose num c := \sum_i expR (c * (g - gap i)) * y i.
have numP : tends num (\sum_(k | gap k == g) y k).
  have numj j : ~~ (gap j < g) ->
      tends (fun c => expR (c * (g - gap j)) * y j) (if gap j == g then y j else 0).
    rewrite -leNgt; case: eqP => [->|/eqP gj] gle.
      by apply: tends_ext (tends_cst (y j)) _ => c; rewrite subrr mulr0 expR0 mul1r.
    have jg : 0 < gap j - g by rewrite subr_gt0 lt_neqAle eq_sym gj.
    have := tendsM (tends_expN jg) (tends_cst (y j)); rewrite mul0r => /tends_ext.
    by apply=> c; rewrite -mulrN opprB.
  have := tends_sum (index_enum _) numj.
  rewrite -big_mkcondr (eq_bigl (fun k => gap k == g)) => [/tends_ext|k].
    apply=> c; rewrite /num [RHS](bigID (fun i => gap i < g)) /=.
    by rewrite (level_sums (fun x => expR (c * (g - x)))) ?add0r.
  by case: eqP => [->|_]; rewrite ?ltxx ?andbF.
have := tendsM numP (tendsV cnt0 denP) => /tends_ext; apply=> c.
rewrite /num mulr_suml mulr_sumr; apply: eq_bigr => i _.
have eE j : expR ((c *: l) j 0) = expR (c * l i0 0) * expR (- (c * gap j)).
  by rewrite mxE -expRD; congr expR; rewrite /gap mulrBr opprB addrCA subrr addr0.
rewrite [softmax _ _ _]mxE eE (eq_bigr _ (fun j _ => eE j)) -mulr_sumr.
rewrite -mulf_div divff ?gt_eqF ?expR_gt0 // mul1r mulrBr expRD -/(den c).
by move: (expR _) (expR _) (den c)^-1 (y i) => a b d z; ring.
Qed.

(* an entry of a head with weights c W                                            *)
Lemma headE T d (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (W : 'M[R]_d) c k t :
  (head E e (c *: W))^T k t = \sum_i softmax (c *: (E t *m W *m e t)) i 0 * E t i k.
Proof.
rewrite !mxE -scalemxAr -scalemxAl; apply: eq_bigr => i _.
by rewrite [X in X * _]mxE.
Qed.

End Softmax.
