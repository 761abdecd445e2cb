(* Heads have diminishing returns: the largest rank of Z over all weights is a concave     *)
(* function of the number of heads, for all data and every key dimension.                 *)
(* Almost all weights of H + 2 heads reach the largest rank for H + 2 heads, and their    *)
(* first H heads the one for H; the column spaces of all heads but the last and of all    *)
(* but the last but one add up to the first and share the second.                         *)
(*                                                                                         *)
(*   layer_capacity E e dh H == the largest rank of Z for H heads of key dimension dh      *)
(*              heads_of f a == of the heads of a those that f numbers                    *)
(*               heads_space == the row space of Z^T                                      *)
(*         concave_constants == from a heads, and columns that every head has              *)
(*             concave_heads == from the numbers for b and for a heads, b < a, a bound      *)
(*                             for H heads                                                *)
From Attest Require Import prelude attention common generic_data problem logits.
From mathcomp Require Import zify.

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
