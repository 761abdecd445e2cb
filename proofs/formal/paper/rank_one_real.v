(* The rank-one lower bound for real data; before it the limit of saturating heads, on which it and *)
(* rank_one_varying.v rest.                                                                         *)
(*                                                                                                  *)
(*       tends f a == f x tends to a as x grows                                                     *)
(*   rank_one_real == u and v such that W_h = c_h u v^T reaches the bound                           *)
(*   rank_one_real_exact, rank_one_real_memorized == equality, and what it memorizes                *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra classical_sets ring.
From Attest Require Import attention common kruskal lemmas proposition_1 theorem_1 upper_bounds.
From Attest Require Import generalized_vandermonde rank_one_lower_bound.
Import numFieldNormedType.Exports.

(* =============================================================================== *)
(* The scaled limit                                                                *)
(* =============================================================================== *)
(* Saturating heads, one at a time: rank_one_varying.v needs them, too.            *)
(* A head whose weights are scaled by c adds to the space S spanned by the         *)
(* columns so far (rows here, everything is transposed) columns x_k(c) with        *)
(*   x_k(c)_t = exp(- c j_k delta_t) (b_{k,t} + o(1)) as c grows,                  *)
(* where j_k > 0 is a speed and delta_t, pairwise distinct, belongs to example t.  *)
(* Take a basis N of the vectors orthogonal to S in echelon form, with the         *)
(* examples in increasing order of delta, and pivots f a.  Then                    *)
(*   (N x_k(c))_a = exp(- c j_k delta_{f a}) (N_{a, f a} b_{k, f a} + o(1)),       *)
(* because all later examples vanish faster and all earlier ones have coefficient  *)
(* zero (block_limit).  So whatever S is, the new columns are independent of S as  *)
(* far as this scaled limit allows.  The limit matrix is handled by rank_near when *)
(* all speeds are equal (add_block), and by exp_det, a generalized Vandermonde     *)
(* determinant with real exponents, when they are distinct (add_columns).          *)
(* The last part is the limit itself for a softmax (softmax_tends).                *)

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

(* ================================================================================= *)
(* The rank-one lower bound for real data                                            *)
(* ================================================================================= *)
(* The rank-one lower bound for real data: a shared context of rank at least r and   *)
(* T distinct queries in an open half-space give, with H heads of key dimension 1,   *)
(*   rank(Z) >= min(T, H (r - 1) + 1),                                               *)
(* with equality for n = r independent tokens, by Proposition 2.  All heads are      *)
(* positive multiples of one matrix u v of rank one.                                 *)
(* Different from the paper's Proposition 1 for a shared context: d_h = 1 is enough  *)
(* (the paper: d_h >= r), the context has rank at least r instead of n, and the      *)
(* queries are distinct and in an open half-space instead of having Kruskal rank n   *)
(* (neither condition implies the other; upper_bounds.v shows that distinct          *)
(* queries alone are not enough).                                                    *)
(* rank_one_lower_bound.v has the bound for integer data, which rank_one_real        *)
(* contains.  There the proof is algebraic, so its attn_lower_bound holds over any   *)
(* ordered field, for a softmax in base 2 and with integer weights, and is closed    *)
(* under the global context; here the data are arbitrary real numbers, the base is e *)
(* and the proof is a limit (softmax_tends).                                          *)

(* queries in an open half-space can be told apart by a positive functional          *)
Lemma good_queries_real (R : realFieldType) T d (e : 'I_T -> 'cV[R]_d) (w : 'rV[R]_d) :
    injective e -> (forall t, 0 < (w *m e t) 0 0) ->
  exists v : 'rV[R]_d, (forall t, 0 < (v *m e t) 0 0) /\
     injective (fun t => (v *m e t) 0 0).
Proof.
move=> inj_e wP.
pose I := [finType of {a : 'I_T * 'I_T | a.1 != a.2}].
have [a|v0 vP] := @separating _ I _ (fun a => e (val a).1 - e (val a).2).
  by rewrite subr_eq0 (inj_eq inj_e) (valP a).
pose a t := (w *m e t) 0 0; pose b t := (v0 *m e t) 0 0.
pose K0 := \sum_t `|b t| / a t.
have leK0 t : `|b t| <= K0 * a t.
  rewrite -ler_pdivr_mulr ?wP // /K0 (bigD1 t) //= ler_addl.
  by apply: sumr_ge0 => t' _; rewrite divr_ge0 // ltW ?wP.
(* the bad multiples of w are roots of a polynomial                                *)
pose p (x : I) : {poly R} := (a (val x).1 - a (val x).2) *: 'X + (b (val x).1 - b (val x).2)%:P.
have pE x k : (p x).[k] = (k * a (val x).1 + b (val x).1) - (k * a (val x).2 + b (val x).2).
  rewrite hornerD hornerZ hornerX hornerC opprD addrACA -mulrBr.
  by rewrite mulrC.
have p0 x : p x != 0.
  apply: contra_neq (vP x) => px0; have := pE x 0.
  rewrite px0 horner0 !mul0r !add0r => bb.
  by rewrite mulmxBr [LHS]mxE [X in _ + X]mxE -/(b _) -/(b _) -bb.
have [||k] := @nonroot _ (\prod_x p x) (fun k => K0 + k.+1%:R).
- by move=> k k' /addrI/eqP; rewrite eqr_nat eqSS => /eqP.
- by apply/prodf_neq0 => x _.
rewrite horner_prod => /prodf_neq0 pk; set K := K0 + _ in pk.
have vE t : ((K *: w + v0) *m e t) 0 0 = K * a t + b t.
  by rewrite mulmxDl -scalemxAl mxE [X in X + _]mxE.
exists (K *: w + v0); split=> [t|t t'].
  rewrite vE mulrDl addrAC ltr_spaddr ?mulr_gt0 ?ltr0n ?wP //.
  rewrite -ler_subl_addr sub0r (le_trans _ (leK0 t)) // -normrN.
  exact: ler_norm.
rewrite !vE => vtt'; apply/eqP/negPn/negP => neq.
by have := pk (exist _ (t, t') neq) isT; rewrite pE vtt' subrr eqxx.
Qed.

Section SharedReal.
Variables (R : realType) (T n d r' : nat).
Variables (E : 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis rE : (r'.+1 <= \rank E)%N.
Variables (u : 'cV[R]_d) (v : 'rV[R]_d).
(* tokens with the same key are equal; queries differ in their positive values     *)
Hypothesis keys_sep : forall i i', (E *m u) i 0 = (E *m u) i' 0 -> row i E = row i' E.
Hypothesis queries_gt0 : forall t, 0 < (v *m e t) 0 0.
Hypothesis queries_inj : injective (fun t => (v *m e t) 0 0).

Let x i := (E *m u) i 0.
Let s t := (v *m e t) 0 0.
Let H_ c : 'M[R]_(d, T) := (head (fun=> E) e (c *: (u *m v)))^T.

Let n_gt0 : (0 < n)%N.
Proof. by apply: leq_trans (rank_leq_row E); apply: leq_trans rE. Qed.

(* the heads through functionals with distinct speeds: columns k of the heads       *)
Lemma speeds : exists Y : 'M[R]_(r'.+1, d), exists speed : 'I_r'.+1 -> R,
    exists B : 'M[R]_(r'.+1, T),
  [/\ forall a, 0 <= speed a, forall a b : 'I_r'.+1, (a < b)%N -> speed a < speed b,
      forall k t, B k t != 0 &
      forall k t, tends (fun c => expR (c * speed k * s t) * (Y *m H_ c) k t) (B k t)].
Proof.
have [i0 pmax] : exists i0, forall i, x i <= x i0.
  exists [arg max_(i > Ordinal n_gt0) x i]%O.
  by case: Order.TotalTheory.arg_maxP => // i _ imax j; apply: imax.
pose gap i := x i0 - x i.
have gap0 i : 0 <= gap i by rewrite subr_ge0.
(* the rank of a gap among all gaps                                                *)
pose below (g : R) := [set i | gap i < g].
pose q i := #|below (gap i)|.
have qlt i i' : (q i < q i')%N = (gap i < gap i').
  have mono j j' : gap j < gap j' -> (q j < q j')%N.
    move=> jj'; apply: proper_card; rewrite properE; apply/andP; split.
      by apply/subsetP => k; rewrite !inE => /lt_trans; apply.
    by apply/subsetPn; exists j; rewrite !inE // ltxx.
  apply/idP/idP => [|/mono //]; apply: contraTT; rewrite -leNgt -leqNgt le_eqVlt.
  by case/orP => [/eqP gg|/mono /ltnW //]; rewrite /q gg.
have qeq i i' : (q i == q i') = (gap i == gap i').
  apply/eqP/eqP => [qq|gg]; last by rewrite /q gg.
  by apply/le_anti; rewrite leNgt (leNgt (gap i')) -!qlt qq ltnn.
have qL i : (q i < n.+1)%N by rewrite ltnS (leq_trans (max_card _)) // card_ord.
have q_sep i i' : q i = q i' -> row i E = row i' E.
  move/eqP; rewrite qeq => /eqP /addrI /oppr_inj; exact: keys_sep.
have [w [j [j_inc jL wj]]] := head_basis qL q_sep rE.
(* coefficients of the polynomials are sums over a level                           *)
pose y k i := (E *m w k) i 0.
have coefF k l : (Fp E q (w k))`_l = \sum_(i | q i == l) y k i.
  rewrite coef_sum [RHS]big_mkcond; apply: eq_bigr => i _; rewrite coefZ coefXn eq_sym.
  by case: eqP => _; rewrite ?mulr1 ?mulr0.
have low k l : (l < j k)%N -> \sum_(i | q i == l) y k i = 0.
  by move=> lj; rewrite -coefF; have [f -> _] := wj k; rewrite coefXnM lj.
have top k : \sum_(i | q i == j k) y k i != 0.
  rewrite -coefF; have [f ->] := wj k.
  by rewrite coefXnM ltnn subnn -horner_coef0.
have [lead leadE] : exists lead : 'I_r'.+1 -> 'I_n, forall k, q (lead k) = j k.
  suff : forall k, exists i, q i = j k by move/fin_all_exists.
  move=> k; have : [exists i, q i == j k].
    by apply: contraNT (top k) => /existsPn no; rewrite big1 // => i /eqP/eqP qi; have := no i; rewrite qi.
  by case/existsP => i /eqP; exists i.
pose mult : R := #|[pred i | gap i == 0]|%:R.
have mult0 : mult != 0.
  by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists i0; rewrite inE /gap subrr.
exists (\matrix_k (w k)^T), (gap \o lead),
  (\matrix_(k, t) ((\sum_(i | q i == j k) y k i) / mult)); split=> [k|a b|k t|k t].
- exact: gap0.
- by move=> /j_inc; rewrite -!leadE qlt.
- by rewrite mxE mulf_neq0 ?invr_eq0.
have logitE i : (E *m (u *m v) *m e t) i 0 = x i * s t.
  by rewrite mulmxA -mulmxA mxE big_ord1.
have gapE i : (E *m (u *m v) *m e t) i0 0 - (E *m (u *m v) *m e t) i 0 = gap i * s t.
  by rewrite !logitE -mulrBl.
have st0 : s t != 0 by rewrite gt_eqF // queries_gt0.
have := @softmax_tends R n (E *m (u *m v) *m e t) i0 (y k) (gap (lead k) * s t).
rewrite /= (eq_bigl (fun i => q i == j k)); last first.
  by move=> i; rewrite gapE (inj_eq (mulIf st0)) -qeq leadE.
rewrite (eq_card (B := [pred i | gap i == 0])); last first.
  by move=> i; rewrite !inE gapE mulf_eq0 (negPf st0) orbF.
move=> lim; rewrite mxE; apply: tends_ext (lim _ _) _ => [i|i|c].
- by rewrite gapE mulr_ge0 // ltW ?queries_gt0.
- rewrite gapE ltr_pmul2r ?queries_gt0 // -qlt leadE => /low lowi.
  rewrite -[RHS]lowi; by apply: eq_bigl => i'; rewrite !gapE (inj_eq (mulIf st0)) -qeq.
- rewrite mulrA; congr (_ * _); rewrite [RHS]mxE.
  under [RHS]eq_bigr do rewrite headE mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => i _.
  rewrite /y [(E *m w k) i 0]mxE mulr_sumr; apply: eq_bigr => b _.
  by rewrite [(\matrix_k _) k b]mxE [_^T 0 b]mxE [LHS]mulrA [LHS]mulrC.
Qed.

Lemma heads_shared h : exists c : nat -> R, (forall i, 0 < c i) /\
  (minn T (h.+1 * r' + 1) <= \rank (\sum_(i < h.+1) <<H_ (c i)>>)%MS)%N.
Proof.
have [Y [speed [B [speed0 speed_inc B0 YB]]]] := speeds.
elim: h => [|h [c [c0 IH]]].
  have [c0 c0_gt0 leY] := pick_large (first_columns queries_inj speed_inc YB B0).
  exists (fun=> c0); split=> //; rewrite big_ord1 mxrank_gen mul1n addn1.
  exact: leq_trans leY (mxrankM_maxr _ _).
set S := (\sum_(i < h.+1) _)%MS in IH.
pose X c := rowsub (lift ord0) (Y *m H_ c) : 'M[R]_(r', T).
have [||||ch ch0 leS] := pick_large (add_columns queries_inj (X := X)
    (speed := speed \o lift ord0) (B := rowsub (lift ord0) B) _ _ _ S _).
- by move=> a b ab; apply: speed_inc; rewrite /= /bump !add1n ltnS.
- move=> k t; rewrite [rowsub _ B _ _]mxE; apply: tends_ext (YB _ t) _ => c1.
  by rewrite [X c1 k t]mxE.
- by move=> k t; rewrite mxE.
- by move=> k; apply: le_lt_trans (speed0 ord0) _; apply: speed_inc.
exists (fun i => if i == h.+1 then ch else c i); split=> [i|]; first by case: ifP.
rewrite big_ord_recr /= eqxx (eq_bigr (fun i : 'I_h.+1 => <<H_ (c i)>>%MS)); last first.
  by move=> i _; rewrite ltn_eqF.
have SX : (S + X ch <= S + <<H_ ch>>)%MS.
  rewrite addsmxS // genmxE; apply: submx_trans (rowsub_sub _ _) _; exact: submxMl.
apply: leq_trans (mxrankS SX); apply: leq_trans leS.
have -> : (h.+2 * r' + 1 = h.+1 * r' + 1 + r')%N by rewrite mulSn -addnA addnC.
rewrite leq_min geq_minl /=; have [TP|PT] := leqP T (h.+1 * r' + 1).
  move: IH; rewrite (minn_idPl TP) => TS.
  by rewrite (leq_trans (geq_minl _ _)) // (leq_trans TS) // leq_addr.
move: IH; rewrite (minn_idPr (ltnW PT)) => PS.
by rewrite (leq_trans (geq_minr _ _)) // leq_add2r.
Qed.

End SharedReal.

Section Real.
Variables (R : realType) (T H n d : nat) (E : 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis inj_e : injective e.
Hypothesis half_space : exists w : 'rV[R]_d, forall t, 0 < (w *m e t) 0 0.

(* u and v do not depend on r or H                                                 *)
Theorem rank_one_real : exists u : 'cV[R]_d, exists v : 'rV[R]_d,
  forall r, (0 < r <= \rank E)%N -> exists c : 'I_H -> R, (forall h, 0 < c h) /\
    (minn T (H * (r - 1) + 1) <= \rank (Zmx (fun=> E) e (fun h => (c h *: (u *m v))%R)))%N.
Proof.
have [u uP] := good_keys E; have [w w0] := half_space.
have [v [v0 v_inj]] := good_queries_real inj_e w0.
exists u, v => -[//|r'] /= rE; rewrite subn1 /=; case: H H_gt0 => // h _.
have [c [c0 leS]] := heads_shared rE uP v0 v_inj h.
by exists (fun i => c i); split=> //; rewrite rank_Zmx.
Qed.

(* a layer of key dimension 1                                                      *)
Theorem rank_one_real_layer dv do dout r : (0 < r <= \rank E)%N ->
  exists P : weights R H d 1 dv do dout,
    (minn T (H * (r - 1) + 1) <= \rank (Z (fun=> E) e P))%N.
Proof.
have [u [v uvP]] := rank_one_real => /uvP[c [_ leZ]].
exists (Weights (fun h => c h *: u) (fun=> v^T) (fun=> 0) 0 0).
rewrite ZE /= (_ : (fun h => _) = (fun h => c h *: (u *m v))) //.
by apply/funext => h; rewrite trmxK scalemxAl.
Qed.

(* with n independent tokens the bounds meet                                       *)
Theorem rank_one_real_exact dv do dout : \rank E = n -> (0 < n)%N ->
  exists P : weights R H d 1 dv do dout,
    \rank (Z (fun=> E) e P) = minn T (H * (n - 1) + 1).
Proof.
move=> rE n0; have [|P leZ] := @rank_one_real_layer dv do dout n; first by rewrite rE leqnn n0.
exists P; apply/eqP; rewrite eqn_leq leZ andbT leq_min rank_leq_row.
exact: (@proposition_2 R T H n d 1 dv do dout E (fun=> E) e P (fun=> erefl)).
Qed.

(* so the layer memorizes T <= H (n - 1) + 1 examples, with any labels              *)
Corollary rank_one_real_memorized dv do dout (y : 'I_T -> 'cV[R]_dout) r :
    (0 < r <= \rank E)%N -> (T <= H * (r - 1) + 1)%N -> (dout <= dv)%N -> (dout <= do)%N ->
  exists P : weights R H d 1 dv do dout, memorizes (fun=> E) e P y.
Proof.
move=> rE TH dv_ do_; have [P] := @rank_one_real_layer dv do dout r rE.
rewrite ZE (minn_idPl TH) => leZ.
have rZ : \rank (Zmx (fun=> E) e (fun h => WK P h *m (WQ P h)^T)) = T.
  by apply/eqP; rewrite eqn_leq leZ rank_leq_row.
by have [U UP] := readout_memorizes dv_ do_ rZ y; exists (readout dv do (WK P) (WQ P) U).
Qed.

End Real.
