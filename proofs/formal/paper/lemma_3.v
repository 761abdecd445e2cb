(* Lemma 3 of the paper: for contexts of rank n and queries of Kruskal rank at    *)
(* least n, and n - 1 of the examples (I), there is a rank-one W' with W' e_t = 0 *)
(* for t in I and the entries of E_t W' e_t pairwise different for the others.    *)
(* Stronger than the paper: over any field of characteristic 0 with an order,    *)
(* for queries of Kruskal rank at least k and fewer than k examples, contexts     *)
(* with pairwise different tokens; W' is explicitly a column times a row.         *)
(*                                                                                *)
(*   lemma_3 == the statement (alias separating_rank_one)                         *)
From Attest Require Import prelude attention common kruskal.

Theorem lemma_3 (F : numFieldType) T n d (E : 'I_T -> 'M[F]_(n, d))
    (e : 'I_T -> 'cV[F]_d) k (I : {set 'I_T}) :
    (forall t i j, i != j -> row i (E t) != row j (E t)) ->
    kruskal_geq e k -> (#|I| < k)%N ->
  exists u : 'cV[F]_d, exists v : 'rV[F]_d, let W' := u *m v in
    (forall t, t \in I -> W' *m e t = 0) /\
    (forall t, t \notin I -> forall i j, i != j ->
       (E t *m W' *m e t) i 0 != (E t *m W' *m e t) j 0).
Proof.
move=> Ediff /kruskal_geqP ek Ik.
pose C := cokermx (span_on e I).
have [a|y yP] := @separating _ [finType of {t | t \notin I}] _
    (fun a => C^T *m e (val a)).
  case: a => t tI /=; rewrite -(inj_eq trmx_inj) trmx_mul trmxK trmx0 -submxE.
  by apply: notin_span_on => //; apply: ek; rewrite cardsU1 tI.
pose J := [finType of {a : 'I_T * 'I_n * 'I_n | a.1.2 != a.2}].
have [a|w wP] := @separating _ J _
    (fun a => (row (val a).1.2 (E (val a).1.1) - row (val a).2 (E (val a).1.1))^T).
  by rewrite -trmx0 (inj_eq trmx_inj) subr_eq0 Ediff // (valP a).
exists w^T, (y *m C^T); split=> [t tI|t tI i j ij].
  have /eqP etC : (e t)^T *m C == 0 by rewrite -submxE mem_span_on.
  by rewrite -!mulmxA -(trmxK (e t)) -trmx_mul etC trmx0 !mulmx0.
have yt := yP (exist _ t tI); rewrite /= mulmxA in yt.
set z := y *m C^T *m e t in yt.
have EwE l : (E t *m (w^T *m (y *m C^T)) *m e t) l 0 = (w *m (row l (E t))^T) 0 0 * z 0 0.
  rewrite !mulmxA -(mulmxA _ y) -(mulmxA _ (y *m _)) -/z mxE big_ord1.
  congr (_ * _); rewrite [LHS]mxE [RHS]mxE.
  by apply: eq_bigr => c _; rewrite !mxE mulrC.
rewrite !EwE (inj_eq (mulIf yt)) -subr_eq0.
have := wP (exist _ (t, i, j) ij); rewrite /= linearB /= mulmxBr mxE.
by rewrite [X in _ + X]mxE.
Qed.
