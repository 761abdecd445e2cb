(* The largest rank of Z over all weights: it does not depend on the key dimension, is concave in the *)
(* number of heads, and for all sets of examples together it is that of the rows of one matrix.       *)
(*                                                                                                    *)
(*                  pair W X == <W, X>, the sum over the heads                                        *)
(*    with_key_dimension D k == the problem with another key dimension                                *)
(*    capacity_key_dimension == capacity is the same for every key dimension from 1 on                *)
(*   layer_capacity E e dh H == the largest rank of Z for H heads of key dimension dh                 *)
(*              heads_of f a == of the heads of a those that f numbers                                *)
(*               heads_space == the row space of Z^T                                                  *)
(*         concave_constants == from a heads, and columns that every head has                         *)
(*             concave_heads == from the numbers for b and for a heads, b < a, a bound for H heads    *)
(*               rows_of S M == the rows of M that are numbered by the set S                          *)
(*    one_layer_for_all_sets == weights that have the largest rank on every set                       *)
From Attest Require Import prelude.
From mathcomp Require Import zify.
From Attest Require Import attention common exponential_polynomials generic_data problem logits.

(* ====================================================================================== *)
(* The key dimension                                                                      *)
(* ====================================================================================== *)
(* The key dimension does not matter for the largest rank of Z.                           *)
(* A minor of Z, times a positive function, is a sum of a exp(<W, X>) over tuples X of    *)
(* matrices, one for each head.  On W_h = c_h u v^T with general c, u, v different tuples *)
(* have different exponents, and sums of multiples of powers of different numbers do not  *)
(* vanish for all powers.  So one rank-one matrix, scaled for each head, serves all heads *)
(* (rank_one_weights), for all data.                                                      *)

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
- rewrite (bigD1 i) //=; apply: ltr_paddr; last by rewrite mul1r expR_gt0.
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

(* =================================================================================== *)
(* The number of heads                                                                 *)
(* =================================================================================== *)
(* Heads have diminishing returns: the largest rank of Z over all weights is a concave *)
(* function of the number of heads, for all data and every key dimension.              *)
(* Almost all weights of H + 2 heads reach the largest rank for H + 2 heads, and their *)
(* first H heads the one for H; the column spaces of all heads but the last and of all *)
(* but the last but one add up to the first and share the second.                      *)

(* sequences of numbers whose increments do not grow                               *)
Lemma concave_chord (f : nat -> nat) b a H : (forall k, f k + f k.+2 <= 2 * f k.+1)%N -> (b <= a <= H)%N ->
  ((a - b) * f H + (H - a) * f b <= (H - b) * f a)%N.
Proof.
move=> f2 /andP[ba aH].
have up k q : (f (k + q) + q * f k <= f k + q * f k.+1)%N /\ (f k + f (k + q).+1 <= f k.+1 + f (k + q))%N.
  elim: q => [|q [IH1 IH2]]; first by rewrite !addn0; split; lia.
  have := f2 (k + q)%N; rewrite !addnS !mulSn; lia.
have down q : (q <= a)%N -> (f (a - q) + q * f a.+1 <= q.+1 * f a)%N.
  elim: q => [|q IH] qa; first by rewrite subn0; lia.
  have := IH (ltnW qa); have [_] := up (a - q.+1)%N q.+1.
  rewrite (subnK qa) subnSK // !mulSn; lia.
have [up_a _] := up a (H - a)%N; have := down (a - b)%N (leq_subr _ _).
rewrite (subKn ba) => down_a; rewrite (subnKC aH) in up_a.
have -> : (H - b = (a - b) + (H - a))%N by lia.
move: (a - b)%N (H - a)%N up_a down_a => p q up_a down_a.
have := leq_mul (leqnn p) up_a; have := leq_mul (leqnn q) down_a.
rewrite !mulSn !mulnDr mulnDl; lia.
Qed.

Definition layer_capacity (R : realType) T n d (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) dh H : nat :=
  largest (minn T (H * d)) (fun k => exists P : weights R H d dh 0 0 0, (k <= \rank (Z E e P))%N).

Section Concave.
Variables (R : realType) (T n d dh : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Local Notation cap := (layer_capacity E e dh).
Local Notation point H := (point R T H n d dh).

Lemma layer_capacity_geq H (a : point H) : a.1 = (E, e) -> (\rank (Z_at a) <= cap H)%N.
Proof.
move=> aE; apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
exists (Weights a.2.1 a.2.2 (fun=> 0) 0 0); rewrite Z_atE -aE /=.
by case: (a) => ? [].
Qed.

Lemma layer_capacity_reached H : exists a : point H, a.1 = (E, e) /\ \rank (Z_at a) = cap H.
Proof.
have [a [aE ra]] : exists a : point H, a.1 = (E, e) /\ (cap H <= \rank (Z_at a))%N.
  rewrite /layer_capacity /largest.
  elim/big_ind: _ => [|x y [a [aE xa]] [b [bE yb]]|k /asboolP[P kP]].
  - by exists ((E, e), (fun=> 0, fun=> 0)).
  - by case: (leqP x y) => _; [exists b|exists a].
  by exists ((E, e), (WK P, WQ P)); rewrite Z_atE in kP.
by exists a; split=> //; apply/eqP; rewrite eqn_leq ra layer_capacity_geq.
Qed.

(* some heads of a layer                                                           *)
Definition heads_of K H (f : 'I_K -> 'I_H) (a : point H) : point K :=
  (a.1, (fun k => a.2.1 (f k), fun k => a.2.2 (f k))).

Definition head_block (W : 'M[R]_d) : 'M[R]_(T, d) := \matrix_t ((E t)^T *m softmax (E t *m W *m e t))^T.
Definition heads_space K H (f : 'I_K -> 'I_H) (a : point H) : 'M[R]_T :=
  (\sum_k <<(head_block (a.2.1 (f k) *m (a.2.2 (f k))^T))^T>>)%MS.

Lemma heads_spaceE K H (f : 'I_K -> 'I_H) (a : point H) : a.1 = (E, e) ->
  \rank (Z_at (heads_of f a)) = \rank (heads_space f a).
Proof.
move=> aE; rewrite -mxrank_tr; apply: eqmx_rank.
have entryE h j t : (Z_at (heads_of f a))^T (mxvec_index h j) t =
    (head_block (a.2.1 (f h) *m (a.2.2 (f h))^T))^T j t.
  rewrite mxE ZmxE [RHS]mxE /head_block mxE mxE mxE /= aE; apply: eq_bigr => i _.
  by congr (_ * _); rewrite [RHS]mxE.
apply/andP; split.
  apply/row_subP => c; case/mxvec_indexP: c => h j; rewrite (sumsmx_sup h) // genmxE.
  rewrite (_ : row _ _ = row j (head_block (a.2.1 (f h) *m (a.2.2 (f h))^T))^T) ?row_sub //.
  by apply/rowP => t; rewrite mxE entryE [RHS]mxE.
apply/sumsmx_subP => h _; rewrite genmxE; apply/row_subP => j.
rewrite (_ : row _ _ = row (mxvec_index h j) (Z_at (heads_of f a))^T) ?row_sub //.
by apply/rowP => t; rewrite mxE -entryE [RHS]mxE.
Qed.

Lemma heads_space_leq K H (f : 'I_K -> 'I_H) (a : point H) : a.1 = (E, e) ->
  (\rank (heads_space f a) <= cap K)%N.
Proof. by move=> aE; rewrite -heads_spaceE // layer_capacity_geq. Qed.

Lemma heads_spaceS K L H (f : 'I_K -> 'I_H) (g : 'I_L -> 'I_H) (a : point H) :
  (forall k, exists l, f k = g l) -> (heads_space f a <= heads_space g a)%MS.
Proof. by move=> fg; apply/sumsmx_subP => k _; have [l ->] := fg k; apply: (sumsmx_sup l). Qed.

Lemma fill_heads H H' (le : (H <= H')%N) (b : point H) :
  exists b' : point H', b'.1 = b.1 /\ heads_of (widen_ord le) b' = b.
Proof.
pose fill (M : 'I_H -> 'M[R]_(d, dh)) (h : 'I_H') := if insub (h : nat) is Some k then M k else 0.
exists (b.1, (fill b.2.1, fill b.2.2)); split=> //; rewrite /heads_of /=; case: (b) => x [K Q] /=.
by congr (_, (_, _)); apply/funext => k; rewrite /fill /= valK.
Qed.

Lemma heads_of_id H (a : point H) : heads_of id a = a. Proof. by case: a => ? []. Qed.

Lemma layer_capacity_mono H H' : (H <= H')%N -> (cap H <= cap H')%N.
Proof.
move=> le; have [b [bE rb]] := layer_capacity_reached H; have [a [aE ab]] := fill_heads le b.
have a1 : a.1 = (E, e) by rewrite aE.
apply: leq_trans (layer_capacity_geq a1); rewrite -(heads_of_id a) -rb -ab !heads_spaceE //.
by apply/mxrankS/heads_spaceS => k; exists (widen_ord le k).
Qed.

Definition last_but_one H : 'I_H.+2 := Ordinal (leqW (ltnSn H)).

Lemma two_heads_out H (c : point H.+2) : c.1 = (E, e) ->
  (\rank (Z_at c) + \rank (heads_space (lift ord_max) c :&: heads_space (lift (last_but_one H)) c)%MS <= 2 * cap H.+1)%N.
Proof.
move=> cE; set last1 : 'I_H.+2 := ord_max; set last2 := last_but_one H.
have subm := mxrank_sum_cap (heads_space (lift last1) c) (heads_space (lift last2) c).
have up1 := heads_space_leq (lift last1) cE; have up2 := heads_space_leq (lift last2) cE.
rewrite mul2n -addnn; apply: leq_trans (leq_add up1 up2); rewrite -subm leq_add2r.
rewrite -{1}(heads_of_id c) heads_spaceE //; apply: mxrankS.
apply/sumsmx_subP => h _; have [->|h1] := eqVneq h last1.
  apply: submx_trans (addsmxSr _ _); have [k kE|] := unliftP last2 last1; last first.
    by move/(congr1 val)/eqP; rewrite /= eqn_leq ltnn.
  by rewrite kE; apply: (sumsmx_sup k).
apply: submx_trans (addsmxSl _ _); case: (unliftP last1 h) => [k kE|/eqP]; last by rewrite (negPf h1).
by rewrite kE; apply: (sumsmx_sup k).
Qed.

Lemma concave_step H : (cap H + cap H.+2 <= 2 * cap H.+1)%N.
Proof.
have [a [aE ra]] := layer_capacity_reached H.+2; have [b [bE rb]] := layer_capacity_reached H.
have [b' [b'1 b'E]] := fill_heads (leqW (leqnSn H)) b; set first := widen_ord _ in b'E.
have [r1 r1P] := rank_line_from a b' 0; have [r2 r2P] := rank_line_from (heads_of first a) (heads_of first b') 1.
have line1 : line_at (heads_of first a) (heads_of first b') 1 = b.
  rewrite b'E /line_at; case: (b) => [[? ?] [? ?]]; rewrite /line /=.
  by congr ((_, _), (_, _)); apply/funext => ?; rewrite scale1r addrC subrK.
have lineE y : line_at (heads_of first a) (heads_of first b') y = heads_of first (line_at a b' y) by [].
have {}r1P y : y \notin r1 -> (cap H.+2 <= \rank (Z_at (line_at a b' y)))%N.
  by rewrite -ra -[X in (\rank (Z_at X) <= _)%N](line_at0 a b'); apply: r1P.
have {}r2P y : y \notin r2 -> (cap H <= \rank (Z_at (heads_of first (line_at a b' y))))%N.
  by rewrite -rb -[X in (\rank (Z_at X) <= _)%N]line1 -lineE; apply: r2P.
have [x [_]] := few_points (r1 ++ r2) 0 (@ltr01 R); rewrite mem_cat negb_or => /andP[/r1P c2 /r2P c0].
set c := line_at a b' x in c2 c0.
have cE : c.1 = (E, e).
  rewrite /c /line_at b'1 aE bE /line /=.
  by congr (_, _); apply/funext => ?; rewrite subrr scaler0 addr0.
rewrite addnC; apply: leq_trans (two_heads_out cE); apply: leq_add => //.
set last1 : 'I_H.+2 := ord_max; set last2 := last_but_one H.
apply: (leq_trans c0); rewrite heads_spaceE //; apply: mxrankS; rewrite sub_capmx.
apply/andP; split; apply: heads_spaceS => k.
  case: (unliftP last1 (first k)) => [l ->|kE]; first by exists l.
  by have := ltn_ord k; rewrite -[X in (X < _)%N]/(first k : nat) kE ltnNge leqW.
case: (unliftP last2 (first k)) => [l ->|kE]; first by exists l.
by have := ltn_ord k; rewrite -[X in (X < _)%N]/(first k : nat) kE ltnn.
Qed.

(* columns that every head has, whatever its weights                               *)
Variables (q : nat) (K : 'M[R]_(d, q)) (M : 'M[R]_(T, q)).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis constant : forall t i, row i (E t) *m K = row t M.

Lemma constant_columns W : (M^T <= (head_block W)^T)%MS.
Proof.
rewrite (_ : M = head_block W *m K) ?trmx_mul ?submxMl //; apply/row_matrixP => t.
rewrite row_mul rowK trmx_mul trmxK -[_ *m E t *m K]mulmxA.
have -> : E t *m K = const_mx 1 *m row t M.
  apply/row_matrixP => i; rewrite !row_mul constant (_ : row i (const_mx 1) = (1%:M : 'M[R]_1)) ?mul1mx //.
  by apply/matrixP => a b; rewrite !ord1 !mxE.
rewrite mulmxA (_ : _ *m const_mx 1 = (1%:M : 'M[R]_1)) ?mul1mx //.
apply/matrixP => a b; rewrite !ord1 !mxE -[RHS](softmax_sum1 (E t *m W *m e t) n_gt0).
by apply: eq_bigr => i _; rewrite mxE [X in _ * X]mxE mulr1.
Qed.

Lemma constant_space k (f : 'I_k.+1 -> 'I_2) (c : point 2) : (M^T <= heads_space f c)%MS.
Proof. by rewrite (sumsmx_sup ord0) // genmxE constant_columns. Qed.

Theorem concave_constants a H : (0 < a <= H)%N -> (a * cap H + (H - a) * \rank M <= H * cap a)%N.
Proof.
pose f k := if k is 0%N then \rank M else cap k.
case/andP => a0 aH; have := @concave_chord f 0 a H; rewrite !subn0 aH /f => /(_ _ isT).
case: (a) (H) a0 aH => // a' [|H'] // _ _; apply=> -[|k]; last exact: concave_step.
have [c [cE <-]] := layer_capacity_reached 2; rewrite addnC; apply: leq_trans (two_heads_out cE).
rewrite leq_add2l -mxrank_tr; apply: mxrankS; rewrite sub_capmx.
by apply/andP; split; apply: constant_space.
Qed.

End Concave.

(* some of the examples, in another order                                          *)
Section Rows.
Variables (R : realType) (T T' n d dh H : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (f : 'I_T' -> 'I_T).
Local Notation cap E e := (layer_capacity E e dh H).

Lemma Zmx_rows (W : 'I_H -> 'M[R]_d) : Zmx (E \o f) (e \o f) W = rowsub f (Zmx E e W).
Proof. by apply/row_matrixP => t; rewrite row_rowsub !rowK. Qed.

Lemma layer_capacity_rows : (cap (E \o f) (e \o f) <= cap E e)%N.
Proof.
have [[x [K Q]] [/= xE <-]] := layer_capacity_reached dh (E \o f) (e \o f) H.
apply: leq_trans (@layer_capacity_geq _ _ _ _ _ E e H ((E, e), (K, Q)) erefl).
by rewrite /Z_at xE Zmx_rows rowsubE mxrankM_maxr.
Qed.

Lemma layer_capacity_all_rows : (forall t, exists k, f k = t) -> cap (E \o f) (e \o f) = cap E e.
Proof.
move=> onto; apply/eqP; rewrite eqn_leq layer_capacity_rows.
have [[x [K Q]] [/= xE <-]] := layer_capacity_reached dh E e H.
apply: leq_trans (@layer_capacity_geq _ _ _ _ _ (E \o f) (e \o f) H ((E \o f, e \o f), (K, Q)) erefl).
rewrite /Z_at xE Zmx_rows; apply/mxrankS/row_subP => t; have [k <-] := onto t.
by rewrite -row_rowsub row_sub.
Qed.

End Rows.

Theorem concave_heads (R : realType) T n d dh (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) b a H :
    (b <= a <= H)%N ->
  ((a - b) * layer_capacity E e dh H + (H - a) * layer_capacity E e dh b <= (H - b) * layer_capacity E e dh a)%N.
Proof. by apply: concave_chord => k; apply: concave_step. Qed.

(* ====================================================================================== *)
(* Sets of examples                                                                       *)
(* ====================================================================================== *)
(* Sets of examples that can be memorized are a matroid: one layer has the largest rank   *)
(* for every set of examples at once, so these ranks are those of the rows of one matrix. *)

Section Sets.
Variables (R : realType) (T n d dh H : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Local Notation point := (point R T H n d dh).
Local Notation number S := (@enum_val _ (mem S)).

Definition rows_of m (S : {set 'I_T}) (M : 'M[R]_(T, m)) : 'M[R]_(#|S|, m) := rowsub (number S) M.
Definition set_capacity (S : {set 'I_T}) : nat := layer_capacity (E \o number S) (e \o number S) dh H.

Definition on_set (S : {set 'I_T}) (a : point) := ((a.1.1 \o number S, a.1.2 \o number S), a.2).

Lemma Z_on_set S a : Z_at (on_set S a) = rows_of S (Z_at a).
Proof. exact: Zmx_rows. Qed.

Lemma set_capacity_geq S (a : point) : a.1 = (E, e) -> (\rank (rows_of S (Z_at a)) <= set_capacity S)%N.
Proof. by move=> aE; rewrite -Z_on_set; apply: layer_capacity_geq; rewrite /on_set aE. Qed.

Theorem one_layer_for_all_sets : exists a : point, a.1 = (E, e) /\
  forall S, \rank (rows_of S (Z_at a)) = set_capacity S.
Proof.
suff [a [aE aP]] : exists a : point, a.1 = (E, e) /\
    {in enum {set 'I_T}, forall S, (set_capacity S <= \rank (rows_of S (Z_at a)))%N}.
  exists a; split=> // S; apply/eqP; rewrite eqn_leq set_capacity_geq //.
  by apply: aP; rewrite mem_enum.
elim: (enum _) => [|S l [a [aE aP]]]; first by exists ((E, e), (fun=> 0, fun=> 0)).
have [b [bE bS]] := layer_capacity_reached dh (E \o number S) (e \o number S) H.
pose b' : point := ((E, e), b.2).
have b'S : on_set S b' = b by rewrite /on_set /b' /= -bE -surjective_pairing.
have /fin_all_exists[r rP] (S' : {set 'I_T}) := rank_line_from (on_set S' a) (on_set S' b') 0.
have [r1 r1P] := rank_line_from (on_set S a) (on_set S b') 1.
have [x [_]] := few_points (r1 ++ flatten [seq r S' | S' <- enum {set 'I_T}]) 0 (@ltr01 R).
rewrite mem_cat negb_or => /andP[/r1P x1 xr].
have lineE S' y : line_at (on_set S' a) (on_set S' b') y = on_set S' (line_at a b' y) by [].
have line1 : line_at (on_set S a) (on_set S b') 1 = b.
  rewrite b'S /line_at; case: (b) => [[? ?] [? ?]]; rewrite /line /=.
  by congr ((_, _), (_, _)); apply/funext => ?; rewrite scale1r addrC subrK.
exists (line_at a b' x); split.
  by rewrite /line_at /b' aE /line /=; congr (_, _); apply/funext => ?; rewrite subrr scaler0 addr0.
move=> S'; rewrite inE => /predU1P[->|/aP le].
  by rewrite -Z_on_set /set_capacity -bS -[X in (\rank (Z_at X) <= _)%N]line1 -lineE; apply: x1.
have xS' : x \notin r S'.
  by apply: contra xr => xr; apply/flattenP; exists (r S') => //; apply: map_f; rewrite mem_enum.
by apply: leq_trans le _; have := rP S' x xS'; rewrite line_at0 lineE !Z_on_set.
Qed.

End Sets.
