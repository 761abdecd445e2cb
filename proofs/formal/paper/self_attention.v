(* Self-attention: the query of an example is one of its tokens, e_t = row (i_t) of E_t.  Proposition 1    *)
(* and Theorem 1 hold as they stand, with Assumption 1 for these tokens; where all contexts are equal it   *)
(* fails for n >= 2 and T > n, since two examples then have the same query.                              *)
(* A causal mask lets position i attend to positions j <= i only.  For the last token it changes nothing: *)
(* so all statements hold for causal attention that predicts from the last token.                        *)
(*                                                                                                       *)
(*            token_query E i t == token i t of context t, as a query                                    *)
(*            masked_softmax B l == softmax over the positions in B, 0 elsewhere                          *)
(*          causal_predict P E i == the prediction for position i under the causal mask                   *)
(*        last_token_unmasked == at the last position it is the prediction without mask                   *)
(*     self_attention_memorizes, self_attention_rank == Theorem 1 and Proposition 1 for self-attention     *)
(*           causal_memorizes == Theorem 1 for the last token under the causal mask                       *)
(*  causal_prefix == under the mask, position i sees the layer on the first i + 1 tokens, and nothing else *)
From Attest Require Import prelude attention kruskal proposition_1 theorem_1.

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
