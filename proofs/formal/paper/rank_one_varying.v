(* A lower bound for varying contexts that grows with H d instead of H (n - 1):     *)
(* all heads are multiples c_h W' of one matrix, which may have rank one.          *)
(* For every example t let p t be the token with the largest logit under W', q t    *)
(* the one with the second largest, and delta_t the gap between the two.  If the    *)
(* gaps are pairwise distinct, the largest tokens have Kruskal rank at least kP     *)
(* and the differences (second - largest) have Kruskal rank at least kD, then       *)
(*   rank(Z) >= min(T, kP + (H - 1) kD)                                             *)
(* for suitable c_h > 0.  Head h is close to the largest token, up to                *)
(* exp(- c_h delta_t) times the difference; see rank_one_real.v.                    *)
(* Different from the paper's Proposition 1: neither Assumption 1 nor Assumption 2  *)
(* is used, the key dimension is 1 (for W' = u v), all heads share W' up to a factor, *)
(* and kP and kD can be as large as d.  The price is the condition on the gaps, and  *)
(* contexts that vary: a shared one has at most two largest tokens under u v, so kP   *)
(* and kD are at most 1 for T > 2 (see rank_one_real.v for shared contexts).        *)
(* fresh_contexts answers a question of the paper (Appendix I.1) in the positive    *)
(* for explicit integer data that satisfy Assumptions 1 and 2: for any n from 2 to d *)
(* the dependence on n can become one on d, rank(Z) = min(T, H d), the most a matrix  *)
(* of its size can have (n = 2, d = 3, H = 2, T = 6: rank 6, where Proposition 1       *)
(* gives 3).  It says nothing about other data.                                     *)
(*                                                                                                           *)
(*  top_token, top_difference, top_gap == the largest token, the difference to and the gap before the second *)
(*                              top_two == p and q pick the two largest logits of every example              *)
(*                         rank_varying == rank >= min(T, kP + (H - 1) kD) for heads c_h W'                  *)
(*                     rank_one_varying == the same with rank-one heads                                      *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra classical_sets.
From Attest Require Import attention common kruskal lemmas proposition_1 theorem_1 proposition_3.
From Attest Require Import rank_one_real.

Section Varying.
Variables (R : realType) (T n d : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (W' : 'M[R]_d).

Definition logit t i : R := (E t *m W' *m e t) i 0.

Variables p q : 'I_T -> 'I_n.

Definition top_token t : 'cV[R]_d := (row (p t) (E t))^T.
Definition top_difference t : 'cV[R]_d := (row (q t) (E t) - row (p t) (E t))^T.
Definition top_gap t : R := logit t (p t) - logit t (q t).

(* p t has the largest logit and q t the second largest, without ties               *)
Definition top_two : Prop := forall t,
  logit t (q t) < logit t (p t) /\
  forall i, i != p t -> i != q t -> logit t i < logit t (q t).

Hypothesis pq : top_two.

Let tokens : 'M[R]_(d, T) := \matrix_(k, t) E t (p t) k.
Let H_ c : 'M[R]_(d, T) := (head E e (c *: W'))^T.

Lemma gap_ge0 t i : 0 <= logit t (p t) - logit t i.
Proof.
have [pq1 pq2] := pq t; rewrite subr_ge0.
have [->//|ip] := eqVneq i (p t); have [->|iq] := eqVneq i (q t); first exact: ltW.
by rewrite (le_trans (ltW (pq2 i ip iq))) // ltW.
Qed.

Lemma logit_gap_eq0 t i : (logit t (p t) - logit t i == 0) = (i == p t).
Proof.
have [pq1 pq2] := pq t; rewrite subr_eq0.
have [->|ip] := eqVneq i (p t); first by rewrite eqxx.
have [->|iq] := eqVneq i (q t); first by rewrite gt_eqF.
by rewrite gt_eqF // (lt_trans (pq2 i ip iq)).
Qed.

Lemma gap_top t i : logit t (p t) - logit t i < top_gap t -> i = p t.
Proof.
have [pq1 pq2] := pq t; rewrite /top_gap ltr_add2l ltr_opp2.
have [//|ip] := eqVneq i (p t); have [->|iq] := eqVneq i (q t); first by rewrite ltxx.
by move/(lt_trans (pq2 i ip iq)); rewrite ltxx.
Qed.

Lemma gap_eq t i : (logit t (p t) - logit t i == top_gap t) = (i == q t).
Proof.
have [pq1 pq2] := pq t; rewrite /top_gap (inj_eq (addrI _)) eqr_opp.
have [->|iq] := eqVneq i (q t); first by rewrite eqxx.
have [->|ip] := eqVneq i (p t); first by rewrite gt_eqF.
by rewrite lt_eqF // pq2.
Qed.

Lemma head_tends k t : tends (fun c => H_ c k t) (tokens k t).
Proof.
have := @softmax_tends R n (E t *m W' *m e t) (p t) (E t ^~ k) 0 (gap_ge0 t).
rewrite (eq_bigl _ _ (logit_gap_eq0 t)) big_pred1_eq (eq_card (logit_gap_eq0 t)) card1 divr1.
move=> lim; rewrite mxE; apply: tends_ext (lim _) _ => [i|c].
  by rewrite ltNge gap_ge0.
by rewrite mulr0 expR0 mul1r headE.
Qed.

Lemma difference_tends k t :
  tends (fun c => expR (c * top_gap t) * (H_ c - tokens) k t) (top_difference t k 0).
Proof.
have n0 : (0 < n)%N by apply: leq_ltn_trans (ltn_ord (p t)).
have := @softmax_tends R n (E t *m W' *m e t) (p t)
  (fun i => E t i k - E t (p t) k) (top_gap t) (gap_ge0 t).
rewrite (eq_bigl _ _ (gap_eq t)) big_pred1_eq (eq_card (logit_gap_eq0 t)) card1 divr1.
move=> lim; rewrite !mxE; apply: tends_ext (lim _) _ => [i /gap_top ->|c].
  have gp i' : (logit t (p t) - logit t i' == logit t (p t) - logit t (p t)) = (i' == p t).
    by rewrite subrr logit_gap_eq0.
  by rewrite (eq_bigl _ _ gp) big_pred1_eq subrr.
rewrite [(_ - tokens) _ _]mxE headE [(- tokens) _ _]mxE [tokens _ _]mxE; congr (_ * _).
under eq_bigr do rewrite mulrBr.
by rewrite sumrB -mulr_suml softmax_sum1 // mul1r.
Qed.

Hypothesis gap_inj : injective top_gap.
Variables kP kD : nat.
Hypothesis P_kruskal : kruskal_geq top_token kP.
Hypothesis D_kruskal : kruskal_geq top_difference kD.

Lemma rank_tokens : (minn T kP <= \rank tokens)%N.
Proof.
pose w : 'I_(minn T kP) -> 'I_T := widen_ord (geq_minl T kP).
have w_inj : injective w by move=> a b /(congr1 val) /= ab; apply/val_inj.
have /kruskal_geqP Pk := P_kruskal; have := indep_row_free w_inj (Pk _ _).
rewrite card_imset // card_ord geq_minr => /(_ isT) /eqP fB.
rewrite -[X in (X <= _)%N]fB -[X in (_ <= X)%N]mxrank_tr; apply: leq_trans (mxrankS (rowsub_sub w tokens^T)).
by apply: eq_leq; congr mxrank; apply/matrixP => i k; rewrite !mxE.
Qed.

Lemma heads_with_tokens h : exists c : nat -> R, (forall i, 0 < c i) /\
  (minn T (kP + h * kD) <= \rank (tokens + \sum_(i < h) <<H_ (c i)>>)%MS)%N.
Proof.
elim: h => [|h [c [c0 IH]]].
  exists (fun=> 1); split=> [_|]; first exact: ltr01.
  by rewrite big_ord0 mul0n addn0 addsmx0 rank_tokens.
set S := (tokens + _)%MS in IH.
have [||ch ch0 leS] := pick_large (add_block gap_inj S (X := fun c => H_ c - tokens)
    (B := \matrix_(k, t) top_difference t k 0) (r := kD) _ _).
- by move=> k t; rewrite mxE; apply: difference_tends.
- rewrite (_ : (fun t => _) = top_difference) //; apply/funext => t.
  by apply/colP => k; rewrite !mxE.
exists (fun i => if i == h then ch else c i); split=> [i|]; first by case: ifP.
rewrite big_ord_recr /= eqxx (eq_bigr (fun i : 'I_h => <<H_ (c i)>>%MS)); last first.
  by move=> i _; rewrite ltn_eqF.
have SX : (S + (H_ ch - tokens) <= tokens + (\sum_(i < h) <<H_ (c i)>> + <<H_ ch>>))%MS.
  rewrite addsmxA -/S addsmx_sub addsmxSl /= addmx_sub //.
    by rewrite (submx_trans _ (addsmxSr S <<H_ ch>>%MS)) ?genmxE.
  by rewrite eqmx_opp /S -addsmxA addsmxSl.
apply: leq_trans (mxrankS SX); apply: leq_trans leS.
rewrite mulSn addnCA addnC leq_min geq_minl /=.
have [TP|PT] := leqP T (kP + h * kD).
  move: IH; rewrite (minn_idPl TP) => TS.
  by rewrite (leq_trans (geq_minl _ _)) // (leq_trans TS) // leq_addr.
move: IH; rewrite (minn_idPr (ltnW PT)) => PS.
by rewrite (leq_trans (geq_minr _ _)) // leq_add2r.
Qed.

Theorem rank_varying H : exists c : 'I_H.+1 -> R, (forall h, 0 < c h) /\
  (minn T (kP + H * kD) <= \rank (Zmx E e (fun h => c h *: W')))%N.
Proof.
have [c [c0 leS]] := heads_with_tokens H.
set S := (\sum_(i < H) _)%MS in leS.
have [i k|cH cH0 leH] := pick_large (@rank_tends R _ _ (fun c => col_mx (H_ c) S) (col_mx tokens S) _).
  case: (split_ordP i) => i' ->.
    by rewrite col_mxEu; apply: tends_ext (head_tends i' k) _ => x; rewrite col_mxEu.
  by rewrite col_mxEd; apply: tends_ext (tends_cst _) _ => x; rewrite col_mxEd.
pose c' (h : nat) := if h == H then cH else c h.
exists (fun h => c' h); split=> [h|]; first by rewrite /c'; case: ifP.
rewrite rank_Zmx big_ord_recr /= /c' eqxx.
rewrite (eq_bigr (fun i : 'I_H => <<H_ (c i)>>%MS)); last by move=> i _; rewrite ltn_eqF.
rewrite -/S (leq_trans leS) // addsmxE (leq_trans leH) // -addsmxE addsmxC.
by rewrite (adds_eqmx (eqmx_refl S) (genmxE _)).
Qed.

End Varying.

(* the bound for a layer; for W' = u v the key dimension can be 1                   *)
Theorem rank_varying_layer (R : realType) T H n d dh dv do dout
    (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (W' : 'M[R]_d)
    (p q : 'I_T -> 'I_n) kP kD :
    (0 < H)%N -> (\rank W' <= dh)%N ->
    top_two E e W' p q -> injective (top_gap E e W' p q) ->
    kruskal_geq (top_token E p) kP -> kruskal_geq (top_difference E p q) kD ->
  exists P : weights R H d dh dv do dout,
    (minn T (kP + (H - 1) * kD) <= \rank (Z E e P))%N.
Proof.
case: H => // H _ rW pq inj_gap Pk Dk; rewrite subn1 /=.
have [c [_ leZ]] := rank_varying pq inj_gap Pk Dk H.
have [K [Q WE]] := rank_factor rW.
exists (Weights (fun h => c h *: K) (fun=> Q) (fun=> 0) 0 0).
rewrite ZE /= (_ : (fun h => _) = (fun h => c h *: W')) //.
by apply/funext => h; rewrite -scalemxAl -WE.
Qed.

(* W' = u v, so all weights have rank one                                          *)
Section RankOne.
Variables (R : realType) (T H n d : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (u : 'cV[R]_d) (v : 'rV[R]_d).
Variables p q : 'I_T -> 'I_n.
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis pq : top_two E e (u *m v) p q.
Hypothesis gap_inj : injective (top_gap E e (u *m v) p q).

Theorem rank_one_varying kP kD :
    kruskal_geq (top_token E p) kP -> kruskal_geq (top_difference E p q) kD ->
  exists c : 'I_H -> R, (forall h, 0 < c h) /\
    (minn T (kP + (H - 1) * kD) <= \rank (Zmx E e (fun h => (c h *: (u *m v))%R)))%N.
Proof.
case: H H_gt0 => // H' _ Pk Dk; rewrite subn1 /=.
exact: (rank_varying pq gap_inj Pk Dk H').
Qed.

(* the number in the paper's Proposition 1                                         *)
Corollary rank_one_varying_paper : (0 < n)%N ->
    kruskal_geq (top_token E p) n -> kruskal_geq (top_difference E p q) (n - 1) ->
  exists c : 'I_H -> R, (forall h, 0 < c h) /\
    (minn T (H * (n - 1) + 1) <= \rank (Zmx E e (fun h => (c h *: (u *m v))%R)))%N.
Proof.
move=> n0 Pk Dk; have [c [c0 leZ]] := rank_one_varying Pk Dk; exists c; split=> //.
move: leZ; congr (minn _ _ <= _)%N; case: H H_gt0 => // H' _.
by rewrite subn1 /= mulSn addnAC subnK.
Qed.

(* general position: Z has full rank                                               *)
Corollary rank_one_varying_full :
    general_position (top_token E p) -> general_position (top_difference E p q) ->
  exists c : 'I_H -> R, (forall h, 0 < c h) /\
    \rank (Zmx E e (fun h => c h *: (u *m v))) = minn T (H * d).
Proof.
move=> Pk Dk; have [c [c0 leZ]] := rank_one_varying Pk Dk; exists c; split=> //.
apply/eqP; rewrite eqn_leq leq_min rank_leq_row rank_leq_col /=; apply: leq_trans leZ.
by rewrite -mulSn subn1 prednK.
Qed.

End RankOne.

(* A convenient sufficient condition: u ranks the tokens of every context with a    *)
(* strict largest and second largest one, at distance g t; the queries lie in an    *)
(* open half-space, and the g t e_t are pairwise distinct.  Then v exists.          *)
Section HalfSpace.
Variables (R : realType) (T H n d : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (u : 'cV[R]_d).
Variables p q : 'I_T -> 'I_n.

Definition key_gap t : R := (E t *m u) (p t) 0 - (E t *m u) (q t) 0.

Hypothesis H_gt0 : (0 < H)%N.
Hypothesis top_keys : forall t, (E t *m u) (q t) 0 < (E t *m u) (p t) 0 /\
  forall i, i != p t -> i != q t -> (E t *m u) i 0 < (E t *m u) (q t) 0.
Hypothesis scaled_inj : injective (fun t => key_gap t *: e t).
Hypothesis half_space : exists w : 'rV[R]_d, forall t, 0 < (w *m e t) 0 0.

Theorem rank_one_varying_half_space kP kD :
    kruskal_geq (top_token E p) kP -> kruskal_geq (top_difference E p q) kD ->
  exists v : 'rV[R]_d, exists c : 'I_H -> R, (forall h, 0 < c h) /\
    (minn T (kP + (H - 1) * kD) <= \rank (Zmx E e (fun h => (c h *: (u *m v))%R)))%N.
Proof.
move=> Pk Dk; have [w w0] := half_space.
have gap0 t : 0 < key_gap t by rewrite subr_gt0; have [] := top_keys t.
have [t|v [v0 v_inj]] := @good_queries_real R T d _ w scaled_inj.
  by rewrite -scalemxAr mxE mulr_gt0.
have vE t : (v *m (key_gap t *: e t)) 0 0 = key_gap t * (v *m e t) 0 0.
  by rewrite -scalemxAr mxE.
have ve0 t : 0 < (v *m e t) 0 0 by have := v0 t; rewrite vE pmulr_rgt0.
have lE t i : logit E e (u *m v) t i = (E t *m u) i 0 * (v *m e t) 0 0.
  by rewrite /logit mulmxA -mulmxA mxE big_ord1.
exists v; apply: (rank_one_varying H_gt0 _ _ Pk Dk) => [t|t t'].
  have [pq1 pq2] := top_keys t; rewrite !lE ltr_pmul2r //; split=> // i ip iq.
  by rewrite lE ltr_pmul2r // pq2.
by rewrite /top_gap !lE -!mulrBl -!vE => /v_inj.
Qed.

End HalfSpace.

(* -------------------------------------------------------------------------- *)
(* Contexts for which n becomes d                                              *)
(* -------------------------------------------------------------------------- *)

Lemma kruskal_geq_comp (F : fieldType) T T' d (x : 'I_T' -> 'cV[F]_d) (f : 'I_T -> 'I_T') k :
  injective f -> kruskal_geq x k -> kruskal_geq (x \o f) k.
Proof.
move=> inj_f /kruskal_geqP xk; apply/kruskal_geqP => I Ik c cI c0 t.
pose c' u := \sum_(t | f t == u) c t.
have c'E s : c' (f s) = c s.
  by rewrite /c' (eq_bigl (pred1 s)) ?big_pred1_eq // => s'; rewrite /= (inj_eq inj_f).
rewrite -c'E; apply: (xk [set f s | s in I]) => [|u uI|].
- by rewrite card_imset.
- rewrite /c' big1 // => s /eqP fs; apply: cI; apply: contra uI => sI.
  by apply/imsetP; exists s.
- rewrite -[RHS]c0 [RHS](partition_big f xpredT) //=; apply: eq_bigr => u _.
  by rewrite /c' scaler_suml; apply: eq_bigr => s /eqP ->.
Qed.

Lemma kruskal_geqN (F : fieldType) T d (x : 'I_T -> 'cV[F]_d) k :
  kruskal_geq x k -> kruskal_geq (fun t => - x t) k.
Proof.
move=> /kruskal_geqP xk; apply/kruskal_geqP => I Ik c cI c0; apply: (xk I Ik c cI).
rewrite -[LHS]opprK -sumrN (eq_bigr (fun t => c t *: - x t)) ?c0 ?oppr0 // => t _.
by rewrite scalerN.
Qed.

Section Fresh.
Variables (R : realType) (T n' d' : nat).
Notation n := n'.+2.
Notation d := d'.+2.
Hypothesis n_le_d : (n <= d)%N.

(* n T distinct points on the moment curve (1, s, s^2, ...)                         *)
Lemma fresh_node_subproof (i : 'I_n) (t : 'I_T) : (i * T + t < n * T)%N.
Proof. by rewrite (@leq_trans (i.+1 * T)) ?leq_mul2r ?ltn_ord ?orbT // mulSn addnC ltn_add2r. Qed.
Definition fresh_node i t : 'I_(n * T) := Ordinal (fresh_node_subproof i t).
Definition fresh_point i t : 'cV[R]_d := moment R d (fresh_node i t).

(* token i of context t is x_{0,t} - i x_{i,t}                                      *)
Definition fresh_context t : 'M[R]_(n, d) :=
  \matrix_(i < n) (fresh_point 0 t - i%:R *: fresh_point i t)^T.
Definition fresh_query (t : 'I_T) : 'cV[R]_d := moment R d t.

Lemma fresh_node_injt i : injective (fresh_node i).
Proof. by move=> t t' /(congr1 val) /= /addnI tt'; apply/val_inj. Qed.

Lemma fresh_node_inji t : injective (fresh_node^~ t).
Proof.
move=> i i' /(congr1 val) /= /addIn/eqP.
by rewrite eqn_pmul2r ?(leq_ltn_trans _ (ltn_ord t)) // => /eqP ii'; apply/val_inj.
Qed.

Lemma fresh_point_kruskal i : kruskal_geq (fresh_point i) d.
Proof. exact: kruskal_geq_comp (@fresh_node_injt i) (moment_general_position _ _ _). Qed.

Lemma fresh_assumption1 : Assumption1 n fresh_query.
Proof. exact: kruskal_geqW n_le_d (moment_general_position _ _ _). Qed.

Lemma fresh_assumption2 : Assumption2 fresh_context.
Proof.
move=> t; pose A : 'M[R]_n := \matrix_(i, k) ((k == 0)%:R - i%:R * (k == i)%:R).
pose M : 'M[R]_(n, d) := \matrix_(i < n) (fresh_point i t)^T.
have -> : fresh_context t = A *m M.
  have one k0 (x : 'I_n -> 'rV[R]_d) : \sum_k (k == k0)%:R *: x k = x k0.
    rewrite (bigD1 k0) //= eqxx scale1r big1 ?addr0 // => k /negPf ->.
    by rewrite scale0r.
  apply/row_matrixP => i; rewrite row_mul mulmx_sum_row [LHS]rowK.
  rewrite (eq_bigr (fun k => (k == 0)%:R *: (fresh_point k t)^T
    - i%:R *: ((k == i)%:R *: (fresh_point k t)^T))); last first.
    by move=> k _; rewrite !mxE rowK scalerBl scalerA.
  by rewrite sumrB -scaler_sumr !one linearB linearZ.
have fM : row_free M.
  apply: indep_row_free (@fresh_node_inji t) _.
  have /kruskal_geqP := moment_general_position R (n * T) d; apply.
  by rewrite card_imset ?card_ord //; apply: fresh_node_inji.
rewrite mxrankMfree //; apply/eqP; rewrite -[_ == _]/(row_free A) row_free_unit unitmxE unitfE.
rewrite det_trig; last first.
  apply/is_trig_mxP => i k ik; rewrite mxE.
  by rewrite -!(inj_eq val_inj) /= (gtn_eqF ik) (gtn_eqF (leq_ltn_trans _ ik)) // mulr0 subr0.
apply/prodf_neq0 => i _; rewrite mxE eqxx mulr1.
have [->|i0] := eqVneq i 0; first by rewrite subr0 oner_neq0.
by rewrite sub0r oppr_eq0 pnatr_eq0.
Qed.

(* u and v: the first coordinate of a token times the second one of a query         *)
Let u : 'cV[R]_d := delta_mx 0 0.
Let v : 'rV[R]_d := delta_mx 0 1.
Let W' : 'M[R]_d := u *m v.

Lemma fresh_logit t i : logit fresh_context fresh_query W' t i = (1 - i%:R) * t.+1%:R.
Proof.
rewrite /logit /W' mulmxA -mulmxA mxE big_ord1; congr (_ * _).
  by rewrite -colE !mxE !expr0 mulr1.
by rewrite -rowE !mxE expr1.
Qed.

Lemma fresh_top_two : top_two fresh_context fresh_query W' (fun=> 0) (fun=> 1).
Proof.
move=> t; rewrite !fresh_logit /= subr0 subrr mul1r mul0r ltr0n; split=> // i i0 i1.
rewrite fresh_logit pmulr_llt0 ?ltr0n // subr_lt0 ltr1n.
by case: i i0 i1 => -[|[|]].
Qed.

Lemma fresh_gap t : top_gap fresh_context fresh_query W' (fun=> 0) (fun=> 1) t = t.+1%:R.
Proof. by rewrite /top_gap !fresh_logit /= subrr mul0r !subr0 mul1r. Qed.

Lemma fresh_gap_inj : injective (top_gap fresh_context fresh_query W' (fun=> 0) (fun=> 1)).
Proof.
by move=> t t'; rewrite !fresh_gap => /eqP; rewrite eqr_nat eqSS => /eqP/val_inj.
Qed.

Lemma fresh_top_kruskal : kruskal_geq (top_token fresh_context (fun=> 0)) d.
Proof.
rewrite (_ : top_token _ _ = fresh_point 0); first exact: fresh_point_kruskal.
by apply/funext => t; rewrite /top_token rowK trmxK scale0r subr0.
Qed.

Lemma fresh_difference_kruskal :
  kruskal_geq (top_difference fresh_context (fun=> 0) (fun=> 1)) d.
Proof.
rewrite (_ : top_difference _ _ _ = fun t => - fresh_point 1 t).
  exact/kruskal_geqN/fresh_point_kruskal.
apply/funext => t; rewrite /top_difference !rowK -linearB /= trmxK.
by rewrite scale1r scale0r subr0 addrAC subrr add0r.
Qed.

(* a layer with H heads of key dimension 1 has an embedding matrix of full rank      *)
Theorem fresh_contexts H : (0 < H)%N ->
  [/\ Assumption1 n fresh_query, Assumption2 fresh_context &
    exists u' : 'cV[R]_d, exists v' : 'rV[R]_d, exists c : 'I_H -> R,
      \rank (Zmx fresh_context fresh_query (fun h => c h *: (u' *m v'))) = minn T (H * d)].
Proof.
move=> H0; split; [exact: fresh_assumption1|exact: fresh_assumption2|].
have [c [_ rZ]] := rank_one_varying_full H0 fresh_top_two fresh_gap_inj fresh_top_kruskal
  fresh_difference_kruskal.
by exists u, v, c.
Qed.

(* so it memorizes T <= H d examples, with any labels                                *)
Corollary fresh_contexts_memorized H dv do dout (y : 'I_T -> 'cV[R]_dout) :
    (T <= H * d)%N -> (0 < H)%N -> (dout <= dv)%N -> (dout <= do)%N ->
  exists P : weights R H d 1 dv do dout, memorizes fresh_context fresh_query P y.
Proof.
move=> TH H0 dv_ do_; have [_ _ [u' [v' [c rZ]]]] := fresh_contexts H0.
rewrite (minn_idPl TH) in rZ.
have rZ' : \rank (Zmx fresh_context fresh_query (fun h => (c h *: u') *m (v'^T)^T)) = T.
  by rewrite -[RHS]rZ; congr (\rank (Zmx _ _ _)); apply/funext => h; rewrite trmxK scalemxAl.
by have [U UP] := readout_memorizes dv_ do_ rZ' y; exists (readout dv do (fun h => c h *: u') (fun=> v'^T) U).
Qed.

End Fresh.
