(* Claim 2 of the paper: for a set of s < k examples f 0, ..., f (s-1), where k     *)
(* bounds the Kruskal rank of the queries from below, any phi_i and any eps > 0,  *)
(* there is W of rank at most s + 1 that is exact on these examples and, on every *)
(* other example, within eps of a one-hot vector that does not depend on the      *)
(* phi_i (nor on eps): the indices i0 are chosen first.                           *)
(*                                                                                  *)
(*   claim_2 == the statement (alias prescribed_softmax_saturated_elsewhere)        *)
From Attest Require Import prelude attention common kruskal lemma_3 lemma_4 claim_1.

Lemma row_free_diff (F : fieldType) n d (A : 'M[F]_(n, d)) i j :
  \rank A = n -> i != j -> row i A != row j A.
Proof.
move=> rA ij; have fA : row_free A by rewrite /row_free rA.
apply/eqP => Aij; have : (delta_mx 0 i - delta_mx 0 j : 'rV_n) *m A == 0.
  by rewrite mulmxBl -!rowE Aij subrr.
rewrite mulmx_free_eq0 // => /eqP/rowP/(_ i); rewrite !mxE !eqxx (negPf ij) subr0.
by move/eqP; rewrite oner_eq0.
Qed.

Theorem claim_2 (R : realType) T n d (E : 'I_T -> 'M[R]_(n, d))
    (e : 'I_T -> 'cV[R]_d) k s (f : 'I_s -> 'I_T) :
    (0 < n)%N -> (forall t, \rank (E t) = n) -> kruskal_geq e k ->
    injective f -> (s < k)%N ->
  exists i0 : 'I_T -> 'I_n, forall (phi : 'I_s -> 'cV[R]_n) (eps : R),
    (forall i, convex_comb (phi i)) -> 0 < eps ->
  exists W : 'M[R]_d, [/\ (\rank W <= s.+1)%N,
    forall i, softmax (E (f i) *m W *m e (f i)) = phi i &
    forall t, (forall i, f i != t) -> forall j,
      `|softmax (E t *m W *m e t) j 0 - (j == i0 t)%:R| < eps].
Proof.
move=> n0 rE ek inj_f sk; set I := [set f i | i in 'I_s].
have cI : #|I| = s by rewrite card_imset // card_ord.
have rowE t i j : i != j -> row i (E t) != row j (E t) by apply: row_free_diff.
have cIk : (#|I| < k)%N by rewrite cI.
have [u [v [W'I W'diff]]] := lemma_3 rowE ek cIk.
set W' := u *m v in W'I W'diff.
have notI t : (forall i, f i != t) -> t \notin I.
  by move=> ft; apply/imsetP => -[i _ ti]; have := ft i; rewrite ti eqxx.
have sat t : exists i0 : 'I_n, t \notin I -> forall (Ws : 'M[R]_d) (eps : R), 0 < eps ->
    exists l0, forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: W') *m e t) i 0 - (i == i0)%:R| < eps.
  case tI : (t \notin I); last by exists (Ordinal n0).
  by have [i0 [_ i0P]] := lemma_4 n0 (W'diff t tI); exists i0.
have [i0 i0P] := fin_all_exists sat; exists i0 => phi eps phiP eps0.
have eI : indep_on e I by move/kruskal_geqP: ek; apply; rewrite cI ltnW.
have [Ws [rWs WsE]] := claim_1 (fun i => rE (f i)) inj_f eI phiP.
have lim t : exists l0, t \notin I -> forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: W') *m e t) i 0 - (i == i0 t)%:R| < eps.
  case tI : (t \notin I); last by exists 0.
  by have [l0 l0P] := i0P t tI Ws eps eps0; exists l0.
have [l0 l0P] := fin_all_exists lim.
pose lambda := \sum_t `|l0 t|.
have lP t : l0 t <= lambda.
  by rewrite (le_trans (ler_norm _)) // /lambda (bigD1 t) //= ler_addl sumr_ge0.
exists (Ws + lambda *: W'); split=> [|i|t ft j].
- rewrite (leq_trans (mxrank_add _ _)) // -addn1 leq_add //.
  by rewrite /W' scalemxAl (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
- rewrite mulmxDr mulmxDl -scalemxAr -scalemxAl -(mulmxA _ W') W'I ?mulmx0.
    by rewrite scaler0 addr0 WsE.
  by apply/imsetP; exists i.
- exact: (l0P t (notI t ft) lambda (lP t) j).
Qed.
