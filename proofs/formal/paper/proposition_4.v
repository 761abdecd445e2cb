(* Proposition 4 of the paper, a layer that averages, and its composition with Theorem 1.                     *)
(*                                                                                                            *)
(*                         averaging == the layer                                                             *)
(*            out_query, out_context == what it makes of the queries and contexts                             *)
(*                     proposition_4 == the statement (alias averaging_gives_assumptions)                     *)
(*       predict_two_layers P1 P E e == the prediction of P after P1 (with its skip connection)               *)
(*   memorizes_two_layers P1 P E e y == it is y_t on every example                                            *)
(*               two_layers_memorize == Proposition 4 and Theorem 1 composed; two_layers_rank == for Z of the *)
(*                                      second layer                                                          *)
From Attest Require Import prelude attention lemmas proposition_1 theorem_1.

(* =================================================================================== *)
(* Proposition 4                                                                       *)
(* =================================================================================== *)
(* Proposition 4 of the paper: self-attention with one head, a skip connection, zero   *)
(* key and query weights and identity value and output weights maps e to e + mean(E)   *)
(* and every token E_i to E_i + mean(E); under Assumptions 2 and 3 the outputs satisfy *)
(* Assumptions 1 and 2.                                                                *)
(* W_O is the identity up to the equality 1 * d = d.                                   *)

Section Proposition4.
Variables (R : realType) (T n d dh : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

Definition averaging : weights R 1 d dh d d d :=
  Weights (fun=> 0) (fun=> 0) (fun=> 1%:M) (lin1_mx (vec_mx : 'rV_(1 * d) -> 'rV_d)) 1%:M.

(* the outputs of the layer: the new queries and the new contexts                        *)
Definition out_query t : 'cV[R]_d := layer_out_skip averaging (E t) (e t).
Definition out_context t : 'M[R]_(n, d) :=
  \matrix_i (layer_out_skip averaging (E t) (row i (E t))^T)^T.

Lemma averagingE (C : 'M[R]_(n, d)) x : layer_out_skip averaging C x = x + mean_token C.
Proof.
rewrite /layer_out_skip addrC; congr (_ + _).
rewrite /layer_out /stack -trmx_mul /= mul_rV_lin1 /= mxvecK; apply/colP => j.
rewrite 3![LHS]mxE /head_out /= trmx1 mul1mx /head_z [LHS]mxE [RHS]mxE mulr_sumr; apply: eq_bigr => i _.
rewrite mxE mulrC; congr (_ * _); rewrite /alpha /keys /query /= mulmx0 mul0mx.
rewrite mxE; under eq_bigr do rewrite mxE.
by rewrite mxE expR0 sumr_const card_ord mul1r.
Qed.

Theorem proposition_4 : Assumption2 E -> Assumption3 E e ->
  Assumption1 n out_query /\ Assumption2 out_context.
Proof.
move=> A2 A3; split.
  rewrite /Assumption1 (_ : out_query = fun t => e t + mean_token (E t)) //.
  by apply/funext => t; rewrite /out_query averagingE.
move=> t; have fE : row_free (E t) by rewrite /row_free A2.
have n0 : 0 <= n%:R^-1 :> R by rewrite invr_ge0 ler0n.
have /eqP fr := lemma_2 n0 fE; rewrite -[RHS]fr; congr mxrank; apply/row_matrixP => i.
rewrite !rowK averagingE linearD /= trmxK; congr (_ + _); apply/rowP => j.
by rewrite !mxE summxE; congr (_ * _); apply: eq_bigr => l _; rewrite mxE.
Qed.

End Proposition4.

Notation averaging_gives_assumptions := proposition_4 (only parsing).

(* ===================================================================================================== *)
(* Two layers                                                                                            *)
(* ===================================================================================================== *)
(* Proposition 4 and Theorem 1 composed: under Assumptions 2 and 3 a layer that averages, with a skip    *)
(* connection, followed by a layer with H heads memorizes T <= H (r - 1) + 1 examples, r = min(n, d_h).  *)
(* The first layer is the one of Proposition 4, the same for all data: no parameter of it depends on the *)
(* data.  It is applied to the query and to every token.                                                 *)

Section TwoLayers.
Variables (R : realType) (n d : nat).

Section Definitions.
Variables (H1 dh1 dv1 H dh dv do dout : nat).
Variables (P1 : weights R H1 d dh1 dv1 d d) (P : weights R H d dh dv do dout).

(* self-attention with a skip connection: every token is a query in turn                                 *)
Definition next_context (E : 'M[R]_(n, d)) : 'M[R]_(n, d) :=
  \matrix_i (layer_out_skip P1 E (row i E)^T)^T.

Definition predict_two_layers (E : 'M[R]_(n, d)) (e : 'cV[R]_d) : 'cV[R]_dout :=
  predict P (next_context E) (layer_out_skip P1 E e).

Definition memorizes_two_layers T (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (y : 'I_T -> 'cV[R]_dout) : Prop :=
  forall t, predict_two_layers (E t) (e t) = y t.

End Definitions.

Variables (T dh1 dh dv do dout H : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis A2 : Assumption2 E.
Hypothesis A3 : Assumption3 E e.

Let P1 := averaging R d dh1.

Theorem two_layers_rank
    (WV : 'I_H -> 'M[R]_(d, dv)) (WO : 'M[R]_(H * dv, do)) (WD : 'M[R]_(do, dout)) :
  exists WK : 'I_H -> 'M[R]_(d, dh), exists WQ : 'I_H -> 'M[R]_(d, dh),
    (minn T (H * (minn n dh - 1) + 1) <=
      \rank (Z (fun t => next_context P1 (E t)) (fun t => layer_out_skip P1 (E t) (e t))
        (Weights WK WQ WV WO WD)))%N.
Proof. by have [A1' A2'] := proposition_4 dh1 A2 A3; apply: proposition_1. Qed.

Theorem two_layers_memorize (y : 'I_T -> 'cV[R]_dout) :
    (dout <= dv)%N -> (dout <= do)%N -> (T <= H * (minn n dh - 1) + 1)%N ->
  exists P : weights R H d dh dv do dout, memorizes_two_layers P1 P E e y.
Proof.
move=> dv_ do_ TH; have [A1' A2'] := proposition_4 dh1 A2 A3.
exact: (theorem_1 y n_gt0 H_gt0 dv_ do_ A1' A2' TH).
Qed.

End TwoLayers.
