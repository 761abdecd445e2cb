(* Proposition 1 of the paper (rank of Z, lower bound): under Assumptions 1 and 2 *)
(* there are key and query weights with rank(Z) >= min(T, H (r - 1) + 1), where    *)
(* r = min(n, d_h).  As in the paper, by induction on heads.                      *)
(* Stronger than the paper: r is any number with r <= n, r <= d_h and queries of   *)
(* Kruskal rank at least r (this contains Remark 1); T < n is allowed.             *)
(* Made explicit: n >= 1 and H >= 1 (without a head or a token, Z has rank 0).     *)
(*                                                                                 *)
(*              head E e W == the block of one head: row t is its z_t^T            *)
(*           proposition_1 == the statement (alias attention_rank_lower_bound)     *)
(*   proposition_1_kruskal == for queries of Kruskal rank at least r               *)
From Attest Require Import prelude.
From mathcomp Require Import zify.
From Attest Require Import attention common kruskal lemmas.

(* -------------------------------------------------------------------------- *)
(* Linear algebra of the induction step                                        *)
(* -------------------------------------------------------------------------- *)
Section Algebra.
Variable F : fieldType.

(* the rank of a matrix grows by the rank of the new block modulo the old one   *)
Lemma rank_adds_ker T s m1 m2 (S : 'M[F]_(m1, T)) (D : 'M[F]_(m2, T)) (N : 'M[F]_(s, T)) :
  S *m N^T = 0 -> (\rank S + \rank (N *m D^T) <= \rank (S + D)%MS)%N.
Proof.
move=> SN; rewrite -(mxrank_mul_ker (S + D)%MS N^T) addnC leq_add //.
  rewrite -mxrank_tr trmx_mul trmxK; apply: mxrankS.
  by rewrite submxMr ?addsmxSr.
by rewrite mxrankS // sub_capmx addsmxSl; apply/sub_kermxP.
Qed.

(* fresh rows: s examples f i outside a row basis, with the shift matrix        *)
Lemma fresh_rows T m s (S : 'M[F]_(m, T)) : (s <= T - \rank S)%N ->
  exists f : 'I_s -> 'I_T, exists N : 'M[F]_(s, T),
    [/\ injective f, S *m N^T = 0 & colsub f N = 1%:M].
Proof.
move=> sT; pose K := row_base (kermx S^T).
have rK : \rank (kermx S^T) = (T - \rank S)%N by rewrite mxrank_ker mxrank_tr.
have SK : S *m K^T = 0.
  apply: trmx_inj; rewrite trmx_mul trmxK trmx0; apply/sub_kermxP.
  by rewrite eq_row_base.
have fK : row_full K^T by rewrite /row_full mxrank_tr eq_row_base.
pose g := fullrankfun fK.
have uK : colsub g K \in unitmx.
  by rewrite -unitmx_tr trmx_mxsub; apply: fullrowsub_unit.
have inj_g : injective g by apply: fullrankfun_inj.
have sK : (s <= \rank (kermx S^T))%N by rewrite rK.
pose w := widen_ord sK.
exists (g \o w), (rowsub w (invmx (colsub g K) *m K)); split.
- by move=> i j /inj_g /(congr1 val) /= ij; apply/val_inj.
- by rewrite -[rowsub _ _]mul1mx -mul_rowsub_mx mulmxA trmx_mul mulmxA SK mul0mx.
- apply/matrixP => i j; rewrite !mxE.
  transitivity ((invmx (colsub g K) *m colsub g K) (w i) (w j)).
    by rewrite mxE; apply: eq_bigr => k _; rewrite !mxE.
  by rewrite mulVmx // mxE.
Qed.

(* a new row outside the span of the others keeps the rows independent           *)
Lemma row_free_cons d s (D : 'M[F]_(1 + s, d)) :
  row_free (dsubmx D) -> ~~ (usubmx D <= dsubmx D)%MS -> row_free D.
Proof.
move=> fD uD; apply: inj_row_free => v; rewrite -[v]hsubmxK -[D]vsubmxK mul_row_col.
set a := lsubmx v; have -> : a = (a 0 0)%:M by rewrite -mx11_scalar.
rewrite mul_scalar_mx; have [-> |a0] := eqVneq (a 0 0) 0; last first.
  move/eqP; rewrite addr_eq0 => /eqP aD; case/negP: uD.
  by rewrite -[usubmx D]scale1r -(mulVf a0) -scalerA aD scalemx_sub // eqmx_opp submxMl.
rewrite scale0r add0r => /eqP; rewrite mulmx_free_eq0 // => /eqP ->.
by rewrite raddf0 row_mx0.
Qed.

End Algebra.

Section Pick.
Variable R : realType.

(* a positive convex combination of the rows of M outside a smaller space         *)
Lemma pick_convex n d m (M : 'M[R]_(n, d)) (V : 'M[R]_(m, d)) :
    (0 < n)%N -> (\rank V < \rank M)%N ->
  exists2 phi : 'cV[R]_n, convex_comb phi & ~~ (phi^T *m M <= V)%MS.
Proof.
move=> n0 VM; pose u : 'cV[R]_n := const_mx n%:R^-1.
have n_gt0 : 0 < n%:R :> R by rewrite ltr0n.
have uP : convex_comb u.
  split=> [k|]; first by rewrite mxE invr_gt0.
  under eq_bigr do rewrite mxE.
  by rewrite sumr_const card_ord -[LHS]mulr_natl divff // gt_eqF.
have [uV|] := boolP (u^T *m M <= V)%MS; last by exists u.
have /row_subPn[i Mi] : ~~ (M <= V)%MS.
  by apply: contraL VM => /mxrankS; rewrite -leqNgt.
pose phi := 2%:R^-1 *: (u + delta_mx i 0).
exists phi.
  split=> [k|].
    rewrite !mxE; apply: mulr_gt0; first by rewrite invr_gt0 ltr0n.
    by apply: ltr_spaddl; rewrite ?ler0n // invr_gt0.
  have [_ u1] := uP; under eq_bigr do rewrite mxE.
  rewrite -mulr_sumr; under eq_bigr do rewrite mxE.
  rewrite big_split /= u1 (bigD1 i) //= big1 => [|k /negPf ki]; last by rewrite mxE ki.
  by rewrite mxE !eqxx addr0 (_ : 1 + 1 = 2%:R) // mulVf // pnatr_eq0.
apply: contra Mi => phiV.
have -> : row i M = 2%:R *: (phi^T *m M) - u^T *m M.
  rewrite linearZ linearD /= trmx_delta -scalemxAl scalerA mulfV ?pnatr_eq0 //.
  by rewrite scale1r mulmxDl addrC addKr -rowE.
by rewrite addmx_sub ?scalemx_sub // eqmx_opp.
Qed.

(* one combination per matrix, so that the results are linearly independent       *)
Lemma pick_free s n d (M : 'I_s -> 'M[R]_(n, d)) : (forall i, s <= \rank (M i))%N ->
  exists phi : 'I_s -> 'cV[R]_n, (forall i, convex_comb (phi i)) /\
    row_free (\matrix_(i < s) ((phi i)^T *m M i)).
Proof.
elim: s M => [|s IHs] M rM.
  have abs (i : 'I_0) : False by case: i.
  exists (fun i => False_rect _ (abs i)); split=> [[]//|].
  by rewrite /row_free flatmx0 mxrank0.
have [|phi [phiP fphi]] := IHs (fun i => M (lift ord0 i)).
  by move=> i; rewrite ltnW.
set D' := \matrix_i _ in fphi.
have D'M : (\rank D' < \rank (M ord0))%N by apply: leq_ltn_trans (rank_leq_row _) _.
have n0 : (0 < n)%N by apply: leq_trans (rank_leq_row (M ord0)); apply: leq_trans (rM _).
have [phi0 phi0P phi0D] := pick_convex n0 D'M.
exists (fun i => oapp phi phi0 (unlift ord0 i)); split=> [i|].
  by case: unliftP => [j|] _ /=.
apply: (@row_free_cons _ d s).
  rewrite (_ : dsubmx _ = D') //; apply/row_matrixP => i.
  by rewrite row_dsubmx !rowK rshift1 liftK.
rewrite (_ : dsubmx _ = D'); last first.
  by apply/row_matrixP => i; rewrite row_dsubmx !rowK rshift1 liftK.
rewrite (_ : usubmx _ = phi0^T *m M ord0) //; apply/row_matrixP => i.
rewrite row_usubmx rowK.
have -> : lshift s i = ord0 :> 'I_s.+1 by apply/val_inj; rewrite /= ord1.
by rewrite unlift_none /=; apply/rowP => j; rewrite [RHS]mxE ord1.
Qed.

End Pick.

(* -------------------------------------------------------------------------- *)
(* Heads                                                                       *)
(* -------------------------------------------------------------------------- *)
Section Heads.
Variables (R : realType) (T n d : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

(* one head: row t is z^T                                                         *)
Definition head W : 'M[R]_(T, d) := \matrix_t ((softmax (E t *m W *m e t))^T *m E t).

(* the columns of Z are those of its heads                                        *)
Lemma Zmx_heads H (W : 'I_H -> 'M[R]_d) :
  ((Zmx E e W)^T :=: \sum_(h < H) <<(head (W h))^T>>)%MS.
Proof.
have colE h j : row (mxvec_index h j) (Zmx E e W)^T = row j (head (W h))^T.
  apply/rowP => t; rewrite !mxE mxvecE !mxE; apply: eq_bigr => k _.
  by rewrite !mxE mulrC.
apply/eqmxP/andP; split.
  apply/row_subP => k; case/mxvec_indexP: k => h j; rewrite colE.
  by rewrite (sumsmx_sup h) // genmxE row_sub.
by apply/sumsmx_subP => h _; rewrite genmxE; apply/row_subP => j; rewrite -colE row_sub.
Qed.

Lemma rank_Zmx H (W : 'I_H -> 'M[R]_d) :
  \rank (Zmx E e W) = \rank (\sum_(h < H) <<(head (W h))^T>>)%MS.
Proof. by rewrite -mxrank_tr Zmx_heads. Qed.

Variable r : nat.
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis r_le_n : (r <= n)%N.
Hypothesis rankE : Assumption2 E.
Hypothesis kruskal_e : kruskal_geq e r.

(* the first head                                                                 *)
Lemma first_head : exists2 W : 'M[R]_d, (\rank W <= r)%N &
  (minn T r <= \rank (head W)^T)%N.
Proof.
pose s := minn T r; have sT : (s <= T)%N by apply: geq_minl.
pose f := widen_ord sT.
have inj_f : injective f by move=> i j /(congr1 val) /= ij; apply/val_inj.
have [i|phi [phiP fphi]] := @pick_free R s n d (fun i => E (f i)).
  by rewrite rankE (leq_trans _ r_le_n) // geq_minr.
have eI : indep_on e [set f i | i in 'I_s].
  move/kruskal_geqP: kruskal_e; apply.
  by rewrite card_imset // card_ord geq_minr.
have [W [rW WE]] := claim_1 (fun i => rankE (f i)) inj_f eI phiP.
exists W; first by rewrite (leq_trans rW) // geq_minr.
rewrite mxrank_tr -/s -(eqP fphi); apply: mxrankS; apply/row_subP => i.
rewrite rowK -WE (_ : _ *m _ = row (f i) (head W)) ?row_sub //.
by rewrite rowK.
Qed.

(* a later head                                                                   *)
Lemma next_head m (S : 'M[R]_(m, T)) : (0 < r)%N ->
  exists2 W : 'M[R]_d, (\rank W <= r)%N &
    (minn T (\rank S + (r - 1)) <= \rank (S + (head W)^T)%MS)%N.
Proof.
move=> r0; pose s := minn (r - 1) (T - \rank S).
have sr : (s < r)%N by rewrite (leq_ltn_trans (geq_minl _ _)) // subn1 prednK.
have [f [N [inj_f SN Nf]]] := fresh_rows (geq_minr (r - 1) (T - \rank S) : (s <= _)%N).
have [i0 i0P] := claim_2 n_gt0 rankE kruskal_e inj_f sr.
pose others t := t \notin [set f i | i in 'I_s].
have othersP t : others t -> forall i, f i != t.
  by move=> ot i; apply: contra ot => /eqP <-; apply/imsetP; exists i.
(* the limit of the shift rows                                                    *)
pose c i : 'rV[R]_d := \sum_(t | others t) N i t *: row (i0 t) (E t).
pose one : 'cV[R]_n := const_mx 1.
have [i|phi [phiP fphi]] := @pick_free R s n d (fun i => E (f i) + one *m c i).
  have rc : (\rank (one *m c i) <= 1)%N.
    by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
  have := mxrank_add (E (f i) + one *m c i) (- (one *m c i)).
  rewrite addrK rankE mxrank_opp => n_le.
  rewrite -ltnS (leq_trans sr) // (leq_trans r_le_n) // (leq_trans n_le) //.
  by rewrite -[X in (_ <= X)%N]addn1 leq_add2l.
set Dinf := \matrix_i _ in fphi.
have DinfE i : row i Dinf = (phi i)^T *m E (f i) + c i.
  rewrite rowK mulmxDr mulmxA (_ : _ *m one = 1%:M) ?mul1mx //.
  apply/matrixP => a b; rewrite !ord1 !mxE /= -(proj2 (phiP i)).
  by apply: eq_bigr => k _; rewrite !mxE mulr1.
have [eps eps0 near] := row_free_near fphi.
pose K := \sum_i \sum_j \sum_(t | others t) \sum_k `|N i t * E t k j|.
have K0 : 0 <= K by do 4![apply: sumr_ge0 => ? _].
have K1 : 0 < K + 1 by rewrite ltr_spaddr.
have [W [rW Wf Wt]] := i0P phi (eps / (K + 1)) phiP (divr_gt0 eps0 K1).
exists W; first exact: leq_trans rW sr.
have : row_free (N *m head W).
  apply: near => i j.
  have -> : (N *m head W) i j = ((phi i)^T *m E (f i)) 0 j
      + \sum_(t | others t) N i t * \sum_k softmax (E t *m W *m e t) k 0 * E t k j.
    rewrite mxE (bigID others) addrC /=; congr (_ + _).
      apply: eq_bigr => t _; rewrite [head _ _ _]mxE [(_ *m _) _ _]mxE; congr (_ * _).
      by apply: eq_bigr => k _; rewrite !mxE.
    have fi : ~~ others (f i) by rewrite /others negbK; apply/imsetP; exists i.
    rewrite (bigD1 (f i)) //= big1 ?addr0 => [|t /andP[]].
      have -> : N i (f i) = 1.
        by move/matrixP/(_ i i): Nf; rewrite !mxE eqxx.
      by rewrite mul1r [LHS]mxE Wf [LHS]mxE [RHS]mxE.
    rewrite /others negbK => /imsetP[i' _ ->] fi'.
    move/matrixP/(_ i i'): Nf; rewrite !mxE => ->.
    by rewrite (negPf (contraNneq _ fi')) ?mul0r // => ->.
  have -> : Dinf i j = ((phi i)^T *m E (f i)) 0 j + \sum_(t | others t) N i t * E t (i0 t) j.
    transitivity (row i Dinf 0 j); first by rewrite [RHS]mxE.
    rewrite DinfE mxE; congr (_ + _); rewrite /c summxE.
    by apply: eq_bigr => t _; rewrite !mxE.
  rewrite opprD addrACA subrr add0r -sumrB (le_trans (ler_norm_sum _ _ _)) //.
  pose Kij := \sum_(t | others t) \sum_k `|N i t * E t k j|.
  apply: (@le_trans _ _ (eps / (K + 1) * Kij)).
    rewrite mulr_sumr; apply: ler_sum => t ot.
    have -> : N i t * E t (i0 t) j - N i t * (\sum_k softmax (E t *m W *m e t) k 0 * E t k j)
       = \sum_k ((k == i0 t)%:R - softmax (E t *m W *m e t) k 0) * (N i t * E t k j).
      under [RHS]eq_bigr do rewrite mulrBl.
      rewrite sumrB; congr (_ - _).
        rewrite (bigD1 (i0 t)) //= eqxx mul1r big1 ?addr0 // => k /negPf ->.
        by rewrite mul0r.
      by rewrite mulr_sumr; apply: eq_bigr => k _; rewrite mulrCA.
    rewrite mulr_sumr (le_trans (ler_norm_sum _ _ _)) //; apply: ler_sum => k _.
    rewrite normrM ler_wpmul2r // distrC ltW //.
    by apply: Wt; apply: othersP.
  have KijK : Kij <= K.
    rewrite /K (bigD1 i) //= (bigD1 j) //= -addrA ler_addl addr_ge0 //.
      by do 3![apply: sumr_ge0 => ? _].
    by do 4![apply: sumr_ge0 => ? _].
  rewrite mulrAC ler_pdivr_mulr // ler_pmul2l // (le_trans KijK) //.
  by rewrite ler_addl.
move=> /eqP rNh; have := rank_adds_ker (head W)^T SN.
rewrite trmxK rNh; apply: leq_trans.
by rewrite /s addn_minr subnKC ?rank_leq_col // minnC.
Qed.

Lemma heads_rank H : (0 < r)%N ->
  exists W : nat -> 'M[R]_d, (forall h, \rank (W h) <= r)%N /\
  (minn T (H.+1 * (r - 1) + 1) <= \rank (\sum_(h < H.+1) <<(head (W h))^T>>)%MS)%N.
Proof.
move=> r0; elim: H => [|H [W [rW leW]]].
  have [W0 rW0 base] := first_head; exists (fun=> W0); split=> //.
  by rewrite big_ord1 mxrank_gen mul1n subnK.
set S := (\sum_(h < H.+1) _)%MS in leW.
have [Wn rWn leWn] := next_head S r0.
exists (fun h => if (h < H.+1)%N then W h else Wn); split=> [h|].
  by case: ifP.
rewrite big_ord_recr /= ltnn (eq_bigr (fun h : 'I_H.+1 => <<(head (W h))^T>>%MS)).
  rewrite -/S (adds_eqmx (eqmx_refl S) (genmxE _)) (leq_trans _ leWn) // mulSn.
  move: leW; move: (\rank S) (H.+1 * (r - 1))%N (r - 1)%N => a b c.
  by lia.
by move=> h _; rewrite ltn_ord.
Qed.

(* without keys and queries (r = 0) the rank is still at least 1                   *)
Lemma head_neq0 W : (0 < T)%N -> (0 < \rank (head W))%N.
Proof.
move=> T0; rewrite lt0n mxrank_eq0; apply/eqP => /row_matrixP/(_ (Ordinal T0)).
rewrite rowK row0 => /eqP; rewrite mulmx_free_eq0; last by rewrite /row_free rankE.
move=> /eqP/rowP/(_ (Ordinal n_gt0)); rewrite !mxE => /eqP.
by rewrite gt_eqF // divr_gt0 ?expR_gt0 // sum_expR_gt0.
Qed.

Theorem rank_lower_bound H : exists W : 'I_H.+1 -> 'M[R]_d,
  (forall h, \rank (W h) <= r)%N /\
  (minn T (H.+1 * (r - 1) + 1) <= \rank (Zmx E e W))%N.
Proof.
have [r0|/(heads_rank H)[W [rW leW]]] := posnP r; last first.
  by exists (fun h => W h); split=> //; rewrite rank_Zmx.
exists (fun=> 0); split=> [h|]; first by rewrite mxrank0.
rewrite r0 muln0 add0n; have [T0|T0] := posnP T.
  by apply: leq_trans (geq_minl _ _) _; rewrite [X in (X <= _)%N]T0.
rewrite (leq_trans (geq_minr _ _)) // rank_Zmx.
apply: leq_trans (head_neq0 0 T0) _; rewrite -mxrank_tr -mxrank_gen.
by apply: mxrankS; apply: (sumsmx_sup ord0).
Qed.

End Heads.

(* the general form: queries of Kruskal rank at least r                            *)
Theorem proposition_1_kruskal (R : realType) T n d dh dv do dout H r
    (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (WV : 'I_H -> 'M[R]_(d, dv)) (WO : 'M[R]_(H * dv, do)) (WD : 'M[R]_(do, dout)) :
    (0 < n)%N -> (0 < H)%N -> (r <= n)%N -> (r <= dh)%N ->
    kruskal_geq e r -> Assumption2 E ->
  exists WK : 'I_H -> 'M[R]_(d, dh), exists WQ : 'I_H -> 'M[R]_(d, dh),
    (minn T (H * (r - 1) + 1) <= \rank (Z E e (Weights WK WQ WV WO WD)))%N.
Proof.
move=> n0 H0 rn rdh er A2; case: H H0 WV WO => // H _ WV WO.
have [W [rW leW]] := rank_lower_bound n0 rn A2 er H.
have fac h : exists KQ : 'M[R]_(d, dh) * 'M[R]_(d, dh), W h = KQ.1 *m KQ.2^T.
  by have [K [Q KQ]] := rank_factor (leq_trans (rW h) rdh); exists (K, Q).
have [KQ WE] := fin_all_exists fac.
exists (fun h => (KQ h).1), (fun h => (KQ h).2).
by rewrite ZE (_ : (fun h => _) = W) //; apply/funext => h; rewrite WE.
Qed.

(* The value and output weights do not matter for Z: they are arbitrary here.      *)
Theorem proposition_1 (R : realType) T n d dh dv do dout H
    (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (WV : 'I_H -> 'M[R]_(d, dv)) (WO : 'M[R]_(H * dv, do)) (WD : 'M[R]_(do, dout)) :
    (0 < n)%N -> (0 < H)%N -> Assumption1 n e -> Assumption2 E ->
  exists WK : 'I_H -> 'M[R]_(d, dh), exists WQ : 'I_H -> 'M[R]_(d, dh),
    (minn T (H * (minn n dh - 1) + 1) <= \rank (Z E e (Weights WK WQ WV WO WD)))%N.
Proof.
move=> n0 H0 A1 A2; apply: proposition_1_kruskal => //.
- exact: geq_minl.
- exact: geq_minr.
- by apply: kruskal_geqW A1; apply: geq_minl.
Qed.

Notation attention_rank_lower_bound := proposition_1 (only parsing).
