(* Facts about matrices over a field that several files use.                    *)
(*                                                                              *)
(*  nonroot == a polynomial p != 0 is not 0 somewhere on an infinite sequence   *)
(*  separating == a vector that is orthogonal to none of finitely many          *)
(*   mxrank_minor, minor_leq_rank == rank and non-zero minors                   *)
(*  rank_factor == a matrix of rank at most r is a product over r columns       *)
From Attest Require Import prelude.

(* -------------------------------------------------------------------------- *)
(* Non-roots and vectors that avoid finitely many hyperplanes                  *)
(* -------------------------------------------------------------------------- *)
Lemma nonroot (R : idomainType) (p : {poly R}) (f : nat -> R) :
  injective f -> p != 0 -> exists k, p.[f k] != 0.
Proof.
move=> inj_f p0; pose s := [seq f i | i <- iota 0 (size p)].
case: (boolP (all (root p) s)) => [ps|/allPn[y /mapP[k _ ->] fk]].
  have us : uniq s by rewrite map_inj_uniq ?iota_uniq.
  have := max_poly_roots p0 ps us.
  by rewrite size_map size_iota ltnn.
by exists k.
Qed.

Lemma separating (R : numDomainType) (I : finType) d (x : I -> 'cV[R]_d) :
  (forall a, x a != 0) -> exists v : 'rV[R]_d, forall a, (v *m x a) 0 0 != 0.
Proof.
move=> x0; pose p a : {poly R} := \poly_(j < d) (if insub j is Some k then x a k 0 else 0).
have p0 a : p a != 0.
  apply: contra_neq (x0 a) => pa0; apply/matrixP => k j; rewrite ord1 mxE.
  by move/polyP/(_ k): pa0; rewrite coef_poly ltn_ord valK coef0.
have [||c] := @nonroot _ (\prod_a p a) (fun n => n%:R : R).
- by move=> i j /eqP; rewrite eqr_nat => /eqP.
- by apply/prodf_neq0 => a _.
rewrite horner_prod => /prodf_neq0 pc.
exists (\row_j c%:R ^+ j) => a; move: (pc a isT).
rewrite horner_poly mxE; congr (_ != 0); apply: eq_bigr => j _.
by rewrite valK mxE mulrC.
Qed.

(* -------------------------------------------------------------------------- *)
(* Rank and non-zero minors                                                    *)
(* -------------------------------------------------------------------------- *)
Lemma mxrank_minor (F : fieldType) m n (A : 'M[F]_(m, n)) :
  exists f : 'I_(\rank A) -> 'I_m, exists g : 'I_(\rank A) -> 'I_n,
    \det (mxsub f g A) != 0.
Proof.
pose f := maxrankfun A; pose B := rowsub f A.
have fB : row_full B^T by rewrite /row_full mxrank_tr -[_ == _]/(row_free B) maxrowsub_free.
pose g := fullrankfun fB.
exists f, g.
have := fullrowsub_unit fB; rewrite -/g unitmxE unitfE -det_tr.
by rewrite trmx_mxsub trmxK /B -mxsubcr.
Qed.

Lemma minor_leq_rank (F : fieldType) m n r (A : 'M[F]_(m, n))
    (f : 'I_r -> 'I_m) (g : 'I_r -> 'I_n) :
  \det (mxsub f g A) != 0 -> (r <= \rank A)%N.
Proof.
rewrite -unitfE -unitmxE -row_free_unit => /eqP rS.
rewrite -[X in (X <= _)%N]rS -[A in mxsub f g A]mul1mx mxsub_mul.
rewrite (leq_trans (mxrankM_maxr _ _)) // -[A in colsub g A]mulmx1 mxsub_mul.
by rewrite mxsub_id mxrankM_maxl.
Qed.

(* a d x d matrix of rank at most dh is a product W_K W_Q^T with d x dh factors *)
Lemma rank_factor (F : fieldType) m n dh (W : 'M[F]_(m, n)) : (\rank W <= dh)%N ->
  exists K : 'M[F]_(m, dh), exists Q : 'M[F]_(n, dh), W = K *m Q^T.
Proof.
move=> rW; exists (col_base W *m pid_mx (\rank W)).
exists (pid_mx (\rank W) *m row_base W)^T; rewrite trmxK.
rewrite mulmxA -(mulmxA (col_base W)) mul_pid_mx minnn (minn_idPr rW).
by rewrite pid_mx_1 mulmx1 mulmx_base.
Qed.

