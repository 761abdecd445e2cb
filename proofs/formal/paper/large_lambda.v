(* Appendix B.2 for all large lambda at once: under Assumption 2, for queries of Kruskal rank at    *)
(* least r <= n, there are W_h and separators u_h v_h of rank at most r together, and L, such that   *)
(* the layer W_h + lambda_h u_h v_h has rank at least min(T, H (r - 1) + 1) whatever lambda_h >= L    *)
(* are, one for each head.  The induction of Proposition 1 works with the limits of the heads, and   *)
(* the rank of the limit is that of what is near.                                                    *)
(*                                                                                                   *)
(*   tends_to M N == M lambda tends to N in every entry                                              *)
(*    large_lambda == the statement                                                                  *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra zify.
From Attest Require Import attention common kruskal lemma_3 lemma_4 lemma_5 claim_1 claim_2 proposition_1.
From Attest Require Import lambda_schedule.

Definition tends_to (R : realType) m k (M : R -> 'M[R]_(m, k)) (N : 'M[R]_(m, k)) : Prop :=
  forall eps, 0 < eps -> exists L, forall l, L <= l -> forall i j, `|N i j - M l i j| <= eps.

Section Limits.
Variables (R : realType) (T n d r : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

(* heads side by side                                                              *)
Definition beside H (N : 'I_H -> 'M[R]_(T, d)) : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_h row t (N h)).

Lemma rank_beside H (N : 'I_H -> 'M[R]_(T, d)) : \rank (beside N) = \rank (\sum_(h < H) <<(N h)^T>>)%MS.
Proof.
have colE h j : row (mxvec_index h j) (beside N)^T = row j (N h)^T.
  by apply/rowP => t; rewrite !mxE mxvecE !mxE.
rewrite -mxrank_tr; apply/eqmx_rank/andP; split.
  apply/row_subP => k; case/mxvec_indexP: k => h j; rewrite colE.
  by rewrite (sumsmx_sup h) // genmxE row_sub.
by apply/sumsmx_subP => h _; rewrite genmxE; apply/row_subP => j; rewrite -colE row_sub.
Qed.

Lemma Zmx_beside H (W : 'I_H -> 'M[R]_d) : Zmx E e W = beside (fun h => head E e (W h)).
Proof.
apply/matrixP => t c; case/mxvec_indexP: c => h j; rewrite !mxE !mxvecE !mxE.
by apply: eq_bigr => k _; rewrite !mxE mulrC.
Qed.

Hypothesis n_gt0 : (0 < n)%N.
Hypothesis r_le_n : (r <= n)%N.
Hypothesis rankE : Assumption2 E.
Hypothesis kruskal_e : kruskal_geq e r.

(* a later head, in the limit; compare next_head of proposition_1.v                *)
Lemma limit_head m (S : 'M[R]_(m, T)) : (0 < r)%N ->
  exists Ws : 'M[R]_d, exists u : 'cV[R]_d, exists v : 'rV[R]_d, exists N : 'M[R]_(T, d),
  [/\ (\rank Ws + \rank (u *m v) <= r)%N, tends_to (fun l => head E e (Ws + l *: (u *m v))) N &
    (minn T (\rank S + (r - 1)) <= \rank (S + N^T)%MS)%N].
Proof.
move=> r0; pose s := minn (r - 1) (T - \rank S).
have sr : (s < r)%N by rewrite (leq_ltn_trans (geq_minl _ _)) // subn1 prednK.
have [f [P [inj_f SP Pf]]] := fresh_rows (geq_minr (r - 1) (T - \rank S) : (s <= _)%N).
set I := [set f i | i in 'I_s]; have cI : #|I| = s by rewrite card_imset // card_ord.
have rowE t i j : i != j -> row i (E t) != row j (E t) by apply/row_free_diff/rankE.
have cIr : (#|I| < r)%N by rewrite cI.
have [u [v [W'I W'diff]]] := lemma_3 rowE kruskal_e cIr.
have [i0 i0P] : exists i0 : 'I_T -> 'I_n, forall t, t \notin I -> forall (Ws : 'M[R]_d) (eps : R), 0 < eps ->
    exists l0, forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: (u *m v)) *m e t) i 0 - (i == i0 t)%:R| < eps.
  suff /fin_all_exists : forall t, exists i0, t \notin I -> forall (Ws : 'M[R]_d) (eps : R), 0 < eps ->
    exists l0, forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: (u *m v)) *m e t) i 0 - (i == i0)%:R| < eps by [].
  move=> t; have [tI|/W'diff dt] := boolP (t \in I); first by exists (Ordinal n_gt0).
  by have [i0 [_ i0P]] := lemma_4 n_gt0 dt; exists i0.
pose c i : 'rV[R]_d := \sum_(t | t \notin I) P i t *: row (i0 t) (E t).
pose one : 'cV[R]_n := const_mx 1.
have [i|phi [phiP fphi]] := @pick_free R s n d (fun i => E (f i) + one *m c i).
  have rc : (\rank (one *m c i) <= 1)%N.
    by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
  have := mxrank_add (E (f i) + one *m c i) (- (one *m c i)).
  rewrite addrK rankE mxrank_opp => n_le.
  rewrite -ltnS (leq_trans sr) // (leq_trans r_le_n) // (leq_trans n_le) //.
  by rewrite -[X in (_ <= X)%N]addn1 leq_add2l.
have eI : indep_on e I by move/kruskal_geqP: kruskal_e; apply; rewrite cI ltnW.
have [Ws [rWs WsE]] := claim_1 (fun i => rankE (f i)) inj_f eI phiP.
pose N : 'M[R]_(T, d) := \matrix_t (if t \in I then row t (head E e Ws) else row (i0 t) (E t)).
exists Ws, u, v, N; split.
- apply: leq_trans sr; rewrite -[s.+1]addn1 leq_add //.
  by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
- move=> eps eps0; pose K := \sum_t \sum_k \sum_j `|E t k j|.
  have K0 : 0 <= K by do 3![apply: sumr_ge0 => ? _].
  have K1 : 0 < K + 1 by rewrite ltr_spaddr.
  have /fin_all_exists[l lP] t : exists l0, t \notin I -> forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: (u *m v)) *m e t) i 0 - (i == i0 t)%:R| < eps / (K + 1).
    have [tI|tI] := boolP (t \in I); first by exists 0.
    by have [l0 l0P] := i0P t tI Ws _ (divr_gt0 eps0 K1); exists l0.
  have [L LP] := upper_bound l; exists L => lambda lL t j; rewrite [N t j]mxE.
  have [tI|tI] := boolP (t \in I).
    rewrite [row t _ _ _]mxE [head _ _ _ _ _]mxE [X in `|_ - X|]mxE.
    by rewrite mulmxDr mulmxDl -scalemxAr -scalemxAl -[E t *m (u *m v) *m e t]mulmxA W'I // mulmx0 scaler0 addr0 subrr normr0 ltW.
  have {}lP := lP t tI lambda (le_trans (LP t) lL).
  rewrite [row _ _ _ _]mxE [head _ _ _ _ _]mxE [X in `|_ - X|]mxE.
  have -> : E t (i0 t) j - \sum_k (softmax (E t *m (Ws + lambda *: (u *m v)) *m e t))^T 0 k * E t k j =
      \sum_k ((k == i0 t)%:R - softmax (E t *m (Ws + lambda *: (u *m v)) *m e t) k 0) * E t k j.
    under [RHS]eq_bigr do rewrite mulrBl.
    rewrite sumrB; congr (_ - _); last by apply: eq_bigr => k _; rewrite mxE.
    rewrite (bigD1 (i0 t)) //= eqxx mul1r big1 ?addr0 // => k /negPf ->.
    by rewrite mul0r.
  apply: (@le_trans _ _ (eps / (K + 1) * \sum_k `|E t k j|)).
    rewrite mulr_sumr (le_trans (ler_norm_sum _ _ _)) //; apply: ler_sum => k _.
    by rewrite normrM ler_wpmul2r // distrC ltW.
  have KE : \sum_k `|E t k j| <= K.
    rewrite /K (bigD1 t) //= ler_paddr //; first by do 3![apply: sumr_ge0 => ? _].
    apply: ler_sum => k _; rewrite (bigD1 j) //= ler_addl.
    by apply: sumr_ge0 => ? _.
  rewrite mulrAC ler_pdivr_mulr // ler_pmul2l // (le_trans KE) //.
  by rewrite ler_addl.
have rPN : row_free (P *m N).
  rewrite (_ : P *m N = \matrix_i ((phi i)^T *m (E (f i) + one *m c i))) //.
  apply/row_matrixP => i; rewrite row_mul mulmx_sum_row [RHS]rowK mulmxDr mulmxA.
  rewrite (_ : _ *m one = 1%:M) ?mul1mx; last first.
    apply/matrixP => a b; rewrite !ord1 !mxE /= -(proj2 (phiP i)).
    by apply: eq_bigr => k _; rewrite !mxE mulr1.
  rewrite (bigID [pred t | t \in I]) /=; congr (_ + _); last first.
    by apply: eq_bigr => t tI; rewrite mxE rowK (negPf tI).
  have fI : f i \in I by apply/imsetP; exists i.
  have PE i' : P i (f i') = (i == i')%:R by move/matrixP/(_ i i'): Pf; rewrite !mxE.
  rewrite (bigD1 (f i)) //= big1 ?addr0 => [|t /andP[/imsetP[i' _ ->] fi']].
    by rewrite mxE PE eqxx scale1r rowK fI rowK WsE.
  by rewrite mxE PE (negPf (contraNneq _ fi')) ?scale0r // => ->.
have := rank_adds_ker N^T SP; rewrite trmxK (eqP rPN); apply: leq_trans.
by rewrite /s addn_minr subnKC ?rank_leq_col // minnC.
Qed.

Lemma limit_heads H : (0 < r)%N ->
  exists Ws : nat -> 'M[R]_d, exists u : nat -> 'cV[R]_d, exists v : nat -> 'rV[R]_d, exists N : nat -> 'M[R]_(T, d),
  (forall h, (\rank (Ws h) + \rank (u h *m v h) <= r)%N /\
    tends_to (fun l => head E e (Ws h + l *: (u h *m v h))) (N h)) /\
  (minn T (H.+1 * (r - 1) + 1) <= \rank (\sum_(h < H.+1) <<(N h)^T>>)%MS)%N.
Proof.
move=> r0; elim: H => [|H [Ws [u [v [N [WN leN]]]]]].
  have [W rW base] := first_head r_le_n rankE kruskal_e.
  exists (fun=> W), (fun=> 0), (fun=> 0), (fun=> head E e W); split=> [_|]; last first.
    by rewrite big_ord1 mxrank_gen mul1n subnK.
  rewrite mul0mx mxrank0 addn0; split=> // eps eps0; exists 0 => l _ i j.
  by rewrite scaler0 addr0 subrr normr0 ltW.
set S := (\sum_(h < H.+1) _)%MS in leN; have [Wn [un [vn [Nn [rn tn leNn]]]]] := limit_head S r0.
pose upto (A : Type) (x : nat -> A) y h := if (h < H.+1)%N then x h else y.
exists (upto _ Ws Wn), (upto _ u un), (upto _ v vn), (upto _ N Nn); split=> [h|].
  by rewrite /upto; case: ifP.
rewrite big_ord_recr /= {2}/upto ltnn (eq_bigr (fun h : 'I_H.+1 => <<(N h)^T>>%MS)).
  rewrite -/S (adds_eqmx (eqmx_refl S) (genmxE _)) (leq_trans _ leNn) // mulSn.
  move: leN; move: (\rank S) (H.+1 * (r - 1))%N (r - 1)%N => a b c'.
  by lia.
by move=> h _; rewrite /upto ltn_ord.
Qed.

Theorem large_lambda H : (0 < r)%N -> (0 < H)%N ->
  exists Ws : 'I_H -> 'M[R]_d, exists u : 'I_H -> 'cV[R]_d, exists v : 'I_H -> 'rV[R]_d, exists L : R,
  (forall h, (\rank (Ws h) + \rank (u h *m v h) <= r)%N) /\
  forall lambda : 'I_H -> R, (forall h, L <= lambda h) ->
    (minn T (H * (r - 1) + 1) <= \rank (Zmx E e (fun h => Ws h + lambda h *: (u h *m v h))%R))%N.
Proof.
move=> r0; case: H => // H _; have [Ws [u [v [N [WN leN]]]]] := limit_heads H r0.
have [eps eps0 near] := rank_near (beside (fun h : 'I_H.+1 => N h)).
have /fin_all_exists[l lP] (h : 'I_H.+1) := proj2 (WN h) _ eps0; have [L LP] := upper_bound l.
exists (fun h => Ws h), (fun h => u h), (fun h => v h), L; split=> [h|lambda lL]; first by case: (WN h).
rewrite -rank_beside in leN; apply: leq_trans leN _; apply: near => t c.
rewrite Zmx_beside; case/mxvec_indexP: c => h j; rewrite !mxE !mxvecE ![(\matrix__ _) _ _]mxE ![row _ _ _ _]mxE.
by apply: lP; apply: le_trans (LP h) (lL h).
Qed.

End Limits.
