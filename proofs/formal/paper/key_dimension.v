(* The key dimension does not matter for the largest rank of Z.                           *)
(* A minor of Z, times a positive function, is a sum of a exp(<W, X>) over tuples X of    *)
(* matrices, one for each head.  On W_h = c_h u v^T with general c, u, v different tuples *)
(* have different exponents, and sums of multiples of powers of different numbers do not  *)
(* vanish for all powers.  So one rank-one matrix, scaled for each head, serves all heads *)
(* (rank_one_weights), for all data.                                                      *)
(*                                                                                        *)
(*            pair W X == <W, X>, the sum over the heads                                  *)
(*   with_key_dimension D k == the problem with another key dimension                     *)
(*   capacity_key_dimension == capacity is the same for every key dimension from 1 on     *)
From Attest Require Import prelude attention common exponential_sums generic_data problem.

Section RankOne.
Variables (R : realType) (H d : nat).
Local Notation tuple := {ffun 'I_H -> 'M[R]_d}.
Implicit Types (W : 'I_H -> 'M[R]_d) (X : tuple).

Definition pair W X : R := \sum_h \sum_i \sum_j W h i j * X h i j.

Lemma pair0 W : pair W 0 = 0.
Proof. by rewrite /pair big1 // => h _; rewrite big1 // => i _; rewrite big1 // => j _; rewrite ffunE mxE mulr0. Qed.

Lemma pairD W X X' : pair W (X + X') = pair W X + pair W X'.
Proof.
rewrite /pair -big_split; apply: eq_bigr => h _; rewrite -big_split; apply: eq_bigr => i _.
by rewrite -big_split; apply: eq_bigr => j _; rewrite ffunE mxE mulrDr.
Qed.

Lemma pairB W X X' : pair W (X - X') = pair W X - pair W X'.
Proof. by apply/eqP; rewrite eq_sym subr_eq -pairD subrK. Qed.

Lemma pair_rank_one (c : 'I_H -> R) (u : 'rV[R]_d) (v : 'cV[R]_d) X :
  pair (fun h => c h *: (u^T *m v^T)) X = \sum_h c h * (u *m X h *m v) 0 0.
Proof.
apply: eq_bigr => h _; rewrite mxE mulr_sumr exchange_big; apply: eq_bigr => j _.
rewrite mxE mulr_suml mulr_sumr; apply: eq_bigr => i _.
by rewrite mxE mxE big_ord1 !mxE -!mulrA; congr (_ * (_ * _)); rewrite mulrC.
Qed.

(* weights of rank one that tell finitely many tuples apart                        *)
Lemma separating_weights (s : seq tuple) : exists (c : 'I_H -> R) (u : 'rV[R]_d) (v : 'cV[R]_d),
  {in s &, injective (pair (fun h => c h *: (u^T *m v^T)))}.
Proof.
pose I := [finType of {a : seq_sub s * seq_sub s | val a.1 != val a.2}].
pose X (a : I) : tuple := val (val a).1 - val (val a).2.
have /fin_all_exists[h hP] (a : I) : exists h, X a h != 0.
  apply: contrapT => none; case/negP: (valP a); rewrite -subr_eq0; apply/eqP/ffunP => h.
  by rewrite [RHS]ffunE; apply/eqP/negPn/negP => Xh; apply: none; exists h.
have /fin_all_exists[j jP] (a : I) : exists j, col j (X a (h a)) != 0.
  apply: contrapT => none; case/negP: (hP a); apply/eqP/matrixP => i j; rewrite [RHS]mxE.
  apply/eqP/negPn/negP => Xij; apply: none; exists j.
  by apply: contra Xij => /eqP/colP/(_ i); rewrite !mxE => ->.
have [u uP] := separating jP.
have ux a : (u *m X a (h a))^T != 0.
  apply: contra (uP a) => /eqP/colP/(_ (j a)); rewrite mxE [RHS]mxE => u0.
  by rewrite colE mulmxA -colE mxE u0.
have [v vP] := separating ux.
have vx a : \col_h0 (u *m X a h0 *m v^T) 0 0 != 0.
  apply: contra (vP a) => /eqP/colP/(_ (h a)); rewrite mxE [RHS]mxE => v0.
  by rewrite -[v]trmxK -trmx_mul mxE v0.
have [c cP] := separating vx; exists (fun h0 => c 0 h0), u, v^T => A B sA sB /eqP.
rewrite -subr_eq0 -pairB => AB; apply/eqP; apply: contraLR AB => AB.
have := cP (exist _ (SeqSub sA, SeqSub sB) AB); rewrite mxE; apply: contra => /eqP p0.
by rewrite -[X in _ == X]p0 pair_rank_one; apply/eqP/eq_bigr => h0 _; rewrite [X in _ * X]mxE.
Qed.

(* sums of multiples of exponentials of the weights                                *)
Definition weight_sums (f : ('I_H -> 'M[R]_d) -> R) : Prop :=
  exists s : seq (R * tuple), forall W, f W = \sum_(a <- s) a.1 * expR (pair W a.2).

Lemma weight_sums_exp c X : weight_sums (fun W => c * expR (pair W X)).
Proof. by exists [:: (c, X)] => W; rewrite big_seq1. Qed.

Lemma weight_sums_const c : weight_sums (fun=> c).
Proof. by have [s sE] := weight_sums_exp c 0; exists s => W; rewrite -sE pair0 expR0 mulr1. Qed.

Lemma weight_sumsD f g : weight_sums f -> weight_sums g -> weight_sums (fun W => f W + g W).
Proof. by move=> [s sE] [s' s'E]; exists (s ++ s') => W; rewrite big_cat sE s'E. Qed.

Lemma weight_sumsM f g : weight_sums f -> weight_sums g -> weight_sums (fun W => f W * g W).
Proof.
move=> [s sE] [s' s'E]; exists [seq (a.1 * b.1, a.2 + b.2) | a <- s, b <- s'] => W.
rewrite sE s'E big_allpairs_dep mulr_suml; apply: eq_bigr => a _.
by rewrite mulr_sumr; apply: eq_bigr => b _; rewrite pairD expRD mulrACA.
Qed.

Lemma weight_sums_sum n (f : 'I_n -> ('I_H -> 'M[R]_d) -> R) :
  (forall i, weight_sums (f i)) -> weight_sums (fun W => \sum_i f i W).
Proof.
move=> fP; elim: (index_enum _) => [|i r [s sE]].
  by exists [::] => W; rewrite !big_nil.
by have [s' s'E] := fP i; exists (s' ++ s) => W; rewrite big_cons big_cat s'E sE.
Qed.

(* one that is not 0 everywhere is not 0 for some weights of rank one               *)
Lemma weight_sums_rank_one f W : weight_sums f -> f W != 0 ->
  exists (c : 'I_H -> R) (u : 'rV[R]_d) (v : 'cV[R]_d), f (fun h => c h *: (u^T *m v^T)) != 0.
Proof.
move=> [s sE] fW; have [c [u [v inj]]] := separating_weights [seq a.2 | a <- s].
apply: contrapT => none; case/negP: fW; rewrite sE; apply/eqP.
apply: (@powers_vanish _ _ (fun X => expR (pair (fun h => c h *: (u^T *m v^T)) X)) s (fun X => expR (pair W X))).
  by move=> X X' sX sX' /expR_inj/inj->.
move=> k; apply: contrapT => /eqP k0; apply: none.
exists (fun h => k%:R * c h), u, v; rewrite sE; apply: contra k0 => /eqP s0; apply/eqP.
rewrite -[RHS]s0; apply: eq_bigr => a _; congr (_ * _); rewrite -expRMm; congr (expR _).
by rewrite !pair_rank_one mulr_sumr; apply: eq_bigr => h _; rewrite mulrA.
Qed.

Section Data.
Variables (T n : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Local Notation quotient := (sum_quotient weight_sums).

(* the logit of token i of example t in head h                                      *)
Definition exponent t h i : tuple := [ffun h' => if h' == h then (row i (E t))^T *m (e t)^T else 0].

Lemma pair_exponent W t h i : pair W (exponent t h i) = (E t *m W h *m e t) i 0.
Proof.
rewrite /pair (bigD1 h) //= [X in _ + X]big1 ?addr0 => [|h' h'h]; last first.
  by rewrite big1 // => a _; rewrite big1 // => b _; rewrite ffunE (negPf h'h) mxE mulr0.
rewrite exchange_big mxE; apply: eq_bigr => b _; rewrite mxE mulr_suml; apply: eq_bigr => a _.
by rewrite ffunE eqxx mxE big_ord1 !mxE mulrCA mulrA.
Qed.

Lemma quotient_Zmx t c : quotient (fun W => Zmx E e W t c).
Proof.
case/mxvec_indexP: c => h k.
have n0 (i : 'I_n) : (0 < n)%N := leq_ltn_trans (leq0n i) (ltn_ord i).
apply: (@quotient_ext _ _ _ (fun W => \sum_i E t i k * softmax (E t *m W h *m e t) i 0)); last first.
  by move=> W; rewrite ZmxE.
apply: (quotient_sum weight_sums_const weight_sumsD weight_sumsM) => i.
exists (fun W => E t i k * expR (pair W (exponent t h i))), (fun W => \sum_j 1 * expR (pair W (exponent t h j))).
split=> [||W|W]; first exact: weight_sums_exp.
- by apply: weight_sums_sum => j; apply: weight_sums_exp.
- rewrite (bigD1 i) //= mul1r ltr_paddr ?expR_gt0 //.
  by apply: sumr_ge0 => j _; rewrite mul1r ltW ?expR_gt0.
rewrite mxE mulrA pair_exponent; congr (_ / _).
by apply: eq_bigr => j _; rewrite mul1r pair_exponent.
Qed.

Theorem rank_one_weights W : exists (c : 'I_H -> R) (u : 'cV[R]_d) (v : 'rV[R]_d),
  (\rank (Zmx E e W) <= \rank (Zmx E e (fun h => c h *: (u *m v))))%N.
Proof.
have [f [g fg]] := mxrank_minor (Zmx E e W).
have [s [D [sP _ D0 sD]]] : quotient (fun W => \det (mxsub f g (Zmx E e W))).
  apply: (quotient_det weight_sums_const weight_sumsD weight_sumsM) => i j.
  by apply: quotient_ext (quotient_Zmx (f i) (g j)) _ => W'; rewrite [RHS]mxE.
have sW : s W != 0 by apply: contra fg => /eqP s0; rewrite sD s0 mul0r.
have [c [u [v s1]]] := weight_sums_rank_one sP sW; exists c, u^T, v^T.
apply: (minor_leq_rank (f := f) (g := g)); rewrite sD; apply: mulf_neq0; first exact: s1.
by rewrite invr_eq0 gt_eqF.
Qed.

End Data.
End RankOne.

(* -------------------------------------------------------------------------- *)
(* The capacity                                                                 *)
(* -------------------------------------------------------------------------- *)
Definition with_key_dimension (D : problem) (k : nat) : problem :=
  Problem (T D) (H D) (n D) (d D) k (d_v D) (d_out D) (base_two D) (logit_scale D) (q_contexts D) (context_rows D)
    (q_queries D) (queries D) (given D) (q_labels D) (labels D) (around D).

Lemma largest_le (N : nat) (P Q : nat -> Prop) : (forall k, P k -> Q k) -> (largest N P <= largest N Q)%N.
Proof.
move=> PQ; apply/bigmax_leqP => k /asboolP Pk.
by apply: (bigmax_sup k) => //; apply/asboolP/PQ.
Qed.

Theorem capacity_key_dimension (R : realType) (D : problem) k : (0 < d_h D)%N -> (0 < k)%N ->
  capacity R (with_key_dimension D k) = capacity R D.
Proof.
have le T H n d k1 k2 (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) : (0 < k2)%N ->
    (largest (minn T (H * d)) (fun k => exists P : weights R H d k1 0 0 0, (k <= \rank (attention.Z E e P))%N) <=
     largest (minn T (H * d)) (fun k => exists P : weights R H d k2 0 0 0, (k <= \rank (attention.Z E e P))%N))%N.
  move=> k20; apply: largest_le => r [P]; rewrite ZE.
  have [c [u [v cuv]]] := rank_one_weights E e (fun h => WK P h *m (WQ P h)^T) => /leq_trans/(_ cuv) rP.
  have [h|a [aE aZ]] := @point_of R T H n d k2 E e (fun h => c h *: (u *m v)).
    by rewrite scalemxAl (leq_trans (mxrankM_maxr _ _)) // (leq_trans (rank_leq_row _)).
  by exists (Weights a.2.1 a.2.2 (fun=> 0) 0 0); rewrite Z_atE -aE /=; move: rP; rewrite -aZ; case: (a) => ? [].
by move=> k0 k10; apply/eqP; rewrite eqn_leq; apply/andP; split; apply: le.
Qed.
