(* Proposition 4 of the paper: self-attention with one head, a skip connection, zero     *)
(* key and query weights and identity value and output weights maps e to e + mean(E)     *)
(* and every token E_i to E_i + mean(E); under Assumptions 2 and 3 the outputs satisfy   *)
(* Assumptions 1 and 2.                                                                  *)
(* W_O is the identity up to the equality 1 * d = d.                                     *)
(*                                                                                       *)
(*                averaging == the layer                                                 *)
(*   out_query, out_context == what it makes of the queries and contexts                 *)
(*            proposition_4 == the statement (alias averaging_gives_assumptions)         *)
From Attest Require Import prelude attention lemma_2.

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
