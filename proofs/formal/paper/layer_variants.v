(* Theorem 1 for other layers than those of Sec. 3: with a skip connection, with self-attention and a         *)
(* causal mask, with key and query biases.                                                                    *)
(*                                                                                                            *)
(*                    skip_connection == weights that memorize any labels with the skip connection            *)
(*                  token_query E i t == token i t of context t, as a query                                   *)
(*                 masked_softmax B l == softmax over the positions in B, 0 elsewhere                         *)
(*               causal_predict P E i == the prediction for position i under the causal mask                  *)
(*                last_token_unmasked == at the last position it is the prediction without mask               *)
(*   self_attention_memorizes, self_attention_rank == Theorem 1 and Proposition 1 for self-attention          *)
(*                   causal_memorizes == Theorem 1 for the last token under the causal mask                   *)
(*                      causal_prefix == under the mask, position i sees the layer on the first i + 1 tokens, *)
(*                                       and nothing else                                                     *)
(*           predict_bias P bK bQ E e == the prediction with key biases bK and query biases bQ                *)
(*       memorizes_bias E e P bK bQ y == it is y_t on every example                                           *)
(*   padded_context E, padded_query e == [E 0] and (e, 1)                                                     *)
(*                key_bias_irrelevant == predict_bias does not depend on bK                                   *)
(*                 query_bias_padding == a layer with biases memorizes the labels iff a layer without biases  *)
(*                                       memorizes them on the padded data                                    *)
(*                   theorem_1_biases == Theorem 1 with biases, under Assumption 1 for the padded queries     *)
(*                assumption_1_padded == Assumption 1 for the queries implies it for the padded ones          *)
(*                      padding_helps == and not the other way round: the queries x and 2 x                   *)
From Attest Require Import prelude attention common kruskal proposition_1 theorem_1.

(* ============================================================================ *)
(* A skip connection (Appendix C)                                               *)
(* ============================================================================ *)
(* Appendix C of the paper: Theorem 1 for the layer with a skip connection,     *)
(* o = W_O^T [v_1; ...; v_H] + e.  Theorem 1 is applied to shifted labels.      *)
(* Difference: the paper shifts by the first d_out entries of e, which is       *)
(* W_D^T e for the W_D of its construction; the layer below has that W_D.       *)

Theorem skip_connection (R : realType) T n d dh dv dout H
    (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (y : 'I_T -> 'cV[R]_dout) :
    (0 < n)%N -> (0 < H)%N -> (dout <= dv)%N -> (dout <= d)%N ->
    Assumption1 n e -> Assumption2 E ->
    (T <= H * (minn n dh - 1) + 1)%N ->
  exists P : weights R H d dh dv d dout, memorizes_skip E e P y.
Proof.
move=> n0 H0 dv_ do_ A1 A2 TH.
have [K [Q leZ]] := @proposition_1 R T n d dh dv d dout H E e (fun=> 0) 0 0 n0 H0 A1 A2.
rewrite ZE /= (minn_idPl TH) in leZ.
have rZ : \rank (Zmx E e (fun h => K h *m (Q h)^T)) = T.
  by apply/eqP; rewrite eqn_leq leZ rank_leq_row.
have [U UP] := readout_memorizes dv_ do_ rZ
  (fun t => y t - (pid_mx dout : 'M_(dout, d)) *m e t).
exists (readout dv d K Q U) => t.
rewrite /predict_skip /layer_out_skip mulmxDr -[X in X + _]/(predict _ _ _) UP.
by rewrite /= /readout_D tr_pid_mx subrK.
Qed.

(* ====================================================================================================== *)
(* Self-attention and the causal mask                                                                     *)
(* ====================================================================================================== *)
(* Self-attention: the query of an example is one of its tokens, e_t = row (i_t) of E_t.  Proposition 1   *)
(* and Theorem 1 hold as they stand, with Assumption 1 for these tokens; where all contexts are equal it  *)
(* fails for n >= 2 and T > n, since two examples then have the same query.                               *)
(* A causal mask lets position i attend to positions j <= i only.  For the last token it changes nothing: *)
(* so all statements hold for causal attention that predicts from the last token.                         *)

Section SelfAttention.
Variables (R : realType) (n d : nat).

Definition token_query T (E : 'I_T -> 'M[R]_(n, d)) (i : 'I_T -> 'I_n) t : 'cV[R]_d :=
  (row (i t) (E t))^T.

Section Theorems.
Variables (T dh dv do dout H : nat) (E : 'I_T -> 'M[R]_(n, d)) (i : 'I_T -> 'I_n).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis A1 : Assumption1 n (token_query E i).
Hypothesis A2 : Assumption2 E.

Corollary self_attention_rank
    (WV : 'I_H -> 'M[R]_(d, dv)) (WO : 'M[R]_(H * dv, do)) (WD : 'M[R]_(do, dout)) :
  exists WK : 'I_H -> 'M[R]_(d, dh), exists WQ : 'I_H -> 'M[R]_(d, dh),
    (minn T (H * (minn n dh - 1) + 1) <=
      \rank (Z E (token_query E i) (Weights WK WQ WV WO WD)))%N.
Proof. exact: proposition_1. Qed.

Corollary self_attention_memorizes (y : 'I_T -> 'cV[R]_dout) :
    (dout <= dv)%N -> (dout <= do)%N -> (T <= H * (minn n dh - 1) + 1)%N ->
  exists P : weights R H d dh dv do dout, memorizes E (token_query E i) P y.
Proof. by move=> dv_ do_; apply: theorem_1. Qed.

End Theorems.

(* ----------------------------------------------------------------------------------------------------- *)
(* The causal mask                                                                                        *)
(* ----------------------------------------------------------------------------------------------------- *)
Definition masked_softmax (B : pred 'I_n) (l : 'cV[R]_n) : 'cV[R]_n :=
  \col_i (if B i then expR (l i 0) / \sum_(j | B j) expR (l j 0) else 0).

Lemma masked_softmaxT l : masked_softmax predT l = softmax l.
Proof. by apply/colP => i; rewrite !mxE. Qed.

Section Layer.
Variables (H dh dv do dout : nat) (P : weights R H d dh dv do dout) (E : 'M[R]_(n, d)).

(* position i attends to the positions j <= i; its query is its own token                                *)
Definition causal_alpha (i : 'I_n) h : 'cV[R]_n :=
  masked_softmax (fun j => (j <= i)%N) (keys P E h *m query P (row i E)^T h).
Definition causal_predict (i : 'I_n) : 'cV[R]_dout :=
  (WD P)^T *m ((WO P)^T *m stack (fun h => (WV P h)^T *m (E^T *m causal_alpha i h))).

Lemma last_token_unmasked (i : 'I_n) : i.+1 = n ->
  causal_predict i = predict P E (row i E)^T.
Proof.
move=> i_last; rewrite /causal_predict /predict /layer_out /head_out /head_z /alpha /causal_alpha.
congr (_ *m (_ *m stack _)); apply/funext => h; congr (_ *m (_ *m _)).
rewrite -masked_softmaxT; congr (masked_softmax _ _); apply/funext => j.
by rewrite /= -ltnS i_last ltn_ord.
Qed.

End Layer.

Theorem causal_memorizes T dh dv do dout H (E : 'I_T -> 'M[R]_(n, d)) (last : 'I_n)
    (y : 'I_T -> 'cV[R]_dout) : last.+1 = n -> (0 < H)%N -> (dout <= dv)%N -> (dout <= do)%N ->
    Assumption1 n (token_query E (fun=> last)) -> Assumption2 E ->
    (T <= H * (minn n dh - 1) + 1)%N ->
  exists P : weights R H d dh dv do dout, forall t, causal_predict P (E t) last = y t.
Proof.
move=> l_last H0 dv_ do_ A1 A2 TH.
have n0 : (0 < n)%N by rewrite -l_last.
have [P memP] := self_attention_memorizes (i := fun=> last) n0 H0 A1 A2 y dv_ do_ TH.
by exists P => t; rewrite last_token_unmasked //; apply: memP.
Qed.

End SelfAttention.

(* position i under the causal mask is the last position of the first i + 1 tokens, without mask          *)
Theorem causal_prefix (R : realType) n d H dh dv do dout (P : weights R H d dh dv do dout)
    (E : 'M[R]_(n, d)) (i : 'I_n) :
  causal_predict P E i = predict P (rowsub (widen_ord (ltn_ord i)) E) (row i E)^T.
Proof.
rewrite /causal_predict /predict /layer_out /head_out /head_z /alpha /causal_alpha.
set w := widen_ord _; congr (_ *m (_ *m stack _)); apply/funext => h; congr (_ *m _).
set q := query P _ h.
have lE j : (keys P (rowsub w E) h *m q) j 0 = (keys P E h *m q) (w j) 0.
  by rewrite /keys mul_rowsub_mx mul_rowsub_mx mxE.
have inner (f : 'I_n -> R) : \sum_(j : 'I_n | (j <= i)%N) f j = \sum_(j < i.+1) f (w j).
  exact: (big_ord_narrow (F := f) (ltn_ord i)).
apply/colP => k; rewrite [LHS]mxE [RHS]mxE (bigID (fun j : 'I_n => (j <= i)%N)) /= addrC.
rewrite big1 ?add0r => [|j /negPf ji]; last by rewrite [masked_softmax _ _ _ _]mxE ji mulr0.
rewrite inner; apply: eq_bigr => j _; congr (_ * _); first by rewrite !mxE.
have ji : (w j <= i)%N by exact: (ltn_ord j).
rewrite [LHS]mxE [RHS]mxE ji lE; congr (_ / _); rewrite inner.
by apply: eq_bigr => l _; rewrite lE.
Qed.

(* ====================================================================================================== *)
(* Key and query biases                                                                                   *)
(* ====================================================================================================== *)
(* Key and query biases: keys E W_K + 1 b_K^T, queries W_Q^T e + b_Q.                                     *)
(* A key bias adds the same number to all logits of a head, so it never changes anything.  A query bias   *)
(* adds E W_K b_Q to the logits, the same for all queries: a layer with query biases on (E, e) is a layer *)
(* without biases on the contexts [E 0] and the queries (e, 1), and the other way round.  So biases help  *)
(* exactly as appending 1 to the queries does: Assumption 1 is needed for the vectors (e_t, 1) only, that *)
(* is affine independence in place of linear independence.                                                *)

Lemma softmax_shift (R : realType) n (l : 'cV[R]_n) c : softmax (l + const_mx c) = softmax l.
Proof.
apply/colP => i; rewrite !mxE expRD (eq_bigr (fun j => expR (l j 0) * expR c)); last first.
  by move=> j _; rewrite !mxE expRD.
by rewrite -mulr_suml -mulf_div divff ?mulr1 // gt_eqF // expR_gt0.
Qed.

Section Biases.
Variables (R : realType) (n d dh dv do dout H : nat).
Implicit Types (P : weights R H d dh dv do dout) (bK bQ : 'I_H -> 'cV[R]_dh).
Implicit Types (E : 'M[R]_(n, d)) (e : 'cV[R]_d).

Definition biased_logits P bK bQ E e h : 'cV[R]_n :=
  (E *m WK P h + const_mx 1 *m (bK h)^T) *m ((WQ P h)^T *m e + bQ h).

Definition biased_head P bK bQ E e h : 'cV[R]_dv :=
  (WV P h)^T *m (E^T *m softmax (biased_logits P bK bQ E e h)).

Definition predict_bias P bK bQ E e : 'cV[R]_dout :=
  (WD P)^T *m ((WO P)^T *m stack (biased_head P bK bQ E e)).

Definition memorizes_bias T (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) P bK bQ
    (y : 'I_T -> 'cV[R]_dout) : Prop :=
  forall t, predict_bias P bK bQ (E t) (e t) = y t.

Theorem key_bias_irrelevant P bK bK' bQ E e :
  predict_bias P bK bQ E e = predict_bias P bK' bQ E e.
Proof.
have eqH b : biased_head P b bQ E e = biased_head P (fun=> 0) bQ E e.
  apply/funext => h; apply: (congr1 (fun x => (WV P h)^T *m (E^T *m x))).
  rewrite /biased_logits trmx0 mulmx0 addr0 mulmxDl -(mulmxA (const_mx 1)).
  set q := (WQ P h)^T *m e + bQ h.
  have -> : (b h)^T *m q = (((b h)^T *m q) 0 0)%:M by exact: mx11_scalar.
  rewrite mul_mx_scalar (_ : _ *: const_mx 1 = const_mx (((b h)^T *m q) 0 0)) ?softmax_shift //.
  by apply/matrixP => i j; rewrite !mxE mulr1.
by rewrite /predict_bias eqH [in RHS]eqH.
Qed.

Definition padded_context E : 'M[R]_(n, d + 1) := row_mx E 0.
Definition padded_query e : 'cV[R]_(d + 1) := col_mx e 1.

(* weights for the padded data, and back                                                                 *)
Definition pad P bQ : weights R H (d + 1) dh dv do dout :=
  Weights (fun h => col_mx (WK P h) 0) (fun h => col_mx (WQ P h) (bQ h)^T)
          (fun h => col_mx (WV P h) 0) (WO P) (WD P).
Definition unpad (P' : weights R H (d + 1) dh dv do dout) : weights R H d dh dv do dout :=
  Weights (fun h => usubmx (WK P' h)) (fun h => usubmx (WQ P' h))
          (fun h => usubmx (WV P' h)) (WO P') (WD P').
Definition unpad_bias (P' : weights R H (d + 1) dh dv do dout) h : 'cV[R]_dh :=
  (dsubmx (WQ P' h))^T.

Lemma predict_unpad (P' : weights R H (d + 1) dh dv do dout) bK E e :
  predict P' (padded_context E) (padded_query e) = predict_bias (unpad P') bK (unpad_bias P') E e.
Proof.
rewrite (key_bias_irrelevant _ bK (fun=> 0)).
suff outE : head_out P' (padded_context E) (padded_query e)
    = biased_head (unpad P') (fun=> 0) (unpad_bias P') E e.
  by rewrite /predict /layer_out outE.
apply/funext => h; rewrite /head_out /head_z /alpha /keys /query /padded_context /padded_query.
rewrite /biased_head.
have -> : row_mx E 0 *m WK P' h = E *m usubmx (WK P' h).
  by rewrite -{1}[WK P' h]vsubmxK mul_row_col mul0mx addr0.
have -> : (WQ P' h)^T *m col_mx e 1 = (usubmx (WQ P' h))^T *m e + (dsubmx (WQ P' h))^T.
  by rewrite -{1}[WQ P' h]vsubmxK tr_col_mx mul_row_col mulmx1.
rewrite {1}/biased_logits trmx0 mulmx0 addr0 -/(unpad_bias P' h).
rewrite -{1}[WV P' h]vsubmxK tr_col_mx tr_row_mx trmx0 mul_col_mx mul0mx mul_row_col mulmx0.
by rewrite addr0.
Qed.

Lemma predict_pad P bK bQ E e :
  predict_bias P bK bQ E e = predict (pad P bQ) (padded_context E) (padded_query e).
Proof.
have uP : unpad (pad P bQ) = P.
  by case: P => K Q V O D; congr Weights; apply/funext => h; apply: col_mxKu.
have uQ : unpad_bias (pad P bQ) = bQ by apply/funext => h; rewrite /unpad_bias col_mxKd trmxK.
by rewrite (predict_unpad (pad P bQ) bK) uP uQ.
Qed.

Section Data.
Variables (T : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (y : 'I_T -> 'cV[R]_dout).

Theorem query_bias_padding :
  (exists P bK bQ, memorizes_bias E e P bK bQ y) <->
  (exists P' : weights R H (d + 1) dh dv do dout,
     memorizes (fun t => padded_context (E t)) (fun t => padded_query (e t)) P' y).
Proof.
split=> [[P [bK [bQ mem]]]|[P' mem]].
  by exists (pad P bQ) => t; rewrite -(predict_pad _ bK).
by exists (unpad P'), (fun=> 0), (unpad_bias P') => t; rewrite -predict_unpad.
Qed.

Theorem theorem_1_biases : (0 < n)%N -> (0 < H)%N -> (dout <= dv)%N -> (dout <= do)%N ->
    Assumption1 n (fun t => padded_query (e t)) -> Assumption2 E ->
    (T <= H * (minn n dh - 1) + 1)%N ->
  exists P bK bQ, memorizes_bias E e P bK bQ y.
Proof.
move=> n0 H0 dv_ do_ A1 A2 TH; apply/query_bias_padding.
apply: theorem_1 => // t; rewrite -[RHS](A2 t) /padded_context.
by rewrite -mxrank_tr tr_row_mx trmx0 -addsmxE addsmx0 mxrank_tr.
Qed.

Lemma assumption_1_padded k : Assumption1 k e -> Assumption1 k (fun t => padded_query (e t)).
Proof.
move=> /kruskal_geqP A1; apply/kruskal_geqP => I Ik c cI csum.
apply: (A1 I Ik c cI); apply/colP => i; have /colP/(_ (lshift 1 i)) := csum.
rewrite !summxE !mxE => csum_i; rewrite -[RHS]csum_i.
by apply: eq_bigr => t _; rewrite [LHS]mxE [RHS]mxE /padded_query col_mxEu.
Qed.

End Data.
End Biases.

(* x and 2 x are dependent, (x, 1) and (2 x, 1) are not                                                   *)
Lemma padding_helps (R : realType) d (x : 'cV[R]_d) : x != 0 ->
  let e (t : 'I_2) : 'cV[R]_d := (t.+1)%:R *: x in
  ~ Assumption1 2 e /\ Assumption1 2 (fun t => padded_query (e t)).
Proof.
move=> x0 e; split=> [/kruskal_geqP A1|].
  pose c (t : 'I_2) : R := if t == ord0 then 2%:R else - 1.
  have I2 : (#|[set: 'I_2]| <= 2)%N by rewrite cardsT card_ord.
  have cI t : t \notin [set: 'I_2] -> c t = 0 by rewrite inE.
  have csum : \sum_t c t *: e t = 0.
    rewrite !big_ord_recl big_ord0 /e /c /= addr0 !scalerA mulr1 mulN1r -scalerDl.
    by rewrite subrr scale0r.
  by have := A1 _ I2 c cI csum ord0; rewrite /c eqxx => /eqP; rewrite pnatr_eq0.
apply/kruskal_geqP => I _ c _; rewrite !big_ord_recl big_ord0 addr0 /padded_query.
rewrite !scale_col_mx add_col_mx => /eqP; rewrite col_mx_eq0 => /andP[bottom /eqP top].
have {}top : c ord0 + c (lift ord0 ord0) = 0.
  by have /matrixP/(_ 0 0) := top; rewrite !mxE !mulr1.
move: bottom; rewrite /e !scalerA -scalerDl scaler_eq0 (negPf x0) orbF mulr1 mulr_natr.
rewrite mulr2n addrA top add0r => /eqP c1.
move: top; rewrite c1 addr0 => c0 t.
by case: (unliftP ord0 t) => [j|] -> //; rewrite ord1.
Qed.
