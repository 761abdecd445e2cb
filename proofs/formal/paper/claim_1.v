(* Claim 1 of the paper: for examples f 0, ..., f (s-1) with linearly independent *)
(* queries and any positive convex combinations phi_i there is W, of rank at most *)
(* s, such that softmax (E_t W e_t) = phi_i for t = f i.                          *)
(*                                                                                *)
(*           claim_1 == the statement (alias prescribed_softmax)                  *)
From Attest Require Import prelude attention common kruskal.

(* any logits can be prescribed on the chosen examples                           *)
Lemma prescribe_logits (F : fieldType) T n d (E : 'I_T -> 'M[F]_(n, d))
    (e : 'I_T -> 'cV[F]_d) s (f : 'I_s -> 'I_T) (l : 'I_s -> 'cV[F]_n) :
    (forall i, \rank (E (f i)) = n) -> injective f ->
    indep_on e [set f i | i in 'I_s] ->
  exists W : 'M[F]_d, (\rank W <= s)%N /\ forall i, E (f i) *m W *m e (f i) = l i.
Proof.
move=> rE inj_f eI; have fX := indep_row_free inj_f eI.
set X := \matrix_i _ in fX.
pose A := \matrix_(i < s) (pinvmx (E (f i)) *m l i)^T.
exists (pinvmx X *m A)^T; split=> [|i].
  by rewrite mxrank_tr (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
have -> : e (f i) = (row i X)^T by rewrite rowK trmxK.
rewrite -mulmxA -trmx_mul -row_mul mulmxA mulmxVp // mul1mx rowK trmxK mulmxA.
by rewrite mulmxVp ?mul1mx // /row_free rE.
Qed.

Theorem claim_1 (R : realType) T n d (E : 'I_T -> 'M[R]_(n, d))
    (e : 'I_T -> 'cV[R]_d) s (f : 'I_s -> 'I_T) (phi : 'I_s -> 'cV[R]_n) :
    (forall i, \rank (E (f i)) = n) -> injective f ->
    indep_on e [set f i | i in 'I_s] ->
    (forall i, convex_comb (phi i)) ->
  exists W : 'M[R]_d, (\rank W <= s)%N /\
    forall i, softmax (E (f i) *m W *m e (f i)) = phi i.
Proof.
move=> rE inj_f eI phiP.
have [W [rW WE]] := prescribe_logits (fun i => \col_k ln (phi i k 0)) rE inj_f eI.
exists W; split=> // i; have [phi0 phi1] := phiP i.
by rewrite WE softmax_ln.
Qed.
