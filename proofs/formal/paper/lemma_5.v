(* Lemma 5 of the paper: if ||A - B||_2 is less than the smallest non-zero       *)
(* singular value of A then rank B >= rank A.                                   *)
(* Singular values are given by their variational characterization: the         *)
(* smallest non-zero singular value of A is at least s when                     *)
(*   s |v|^2 <= |v A|^2, up to squares, for all v orthogonal to the left kernel  *)
(* of A, that is for all v in the row space of A^T; the spectral norm of A - B   *)
(* is at most s' when |v (A - B)|^2 <= s' |v|^2 for all v.  So s and s' are the   *)
(* squares of the two numbers that the paper compares.                          *)
(* row_free_near is the form that the proof of Proposition 1 uses: it has an      *)
(* explicit radius.                                                             *)
(*                                                                                *)
(*     lemma_5 == the statement (alias rank_geq_near)                             *)
(*   rank_near == the form with entrywise small perturbations                     *)
From Attest Require Import prelude euclidean.

Theorem lemma_5 (R : realFieldType) m n (A B : 'M[R]_(m, n)) (s s' : R) :
    (forall v : 'rV_m, (v <= A^T)%MS -> s * sqnorm v <= sqnorm (v *m A)) ->
    (forall v : 'rV_m, sqnorm (v *m (A - B)) <= s' * sqnorm v) ->
    s' < s ->
  (\rank A <= \rank B)%N.
Proof.
move=> As ABs' lt_s; rewrite -[X in (X <= _)%N]mxrank_tr.
rewrite -(mxrank_mul_ker A^T B) (_ : (_ :&: _)%MS = 0) ?mxrank0 ?addn0.
  exact: mxrankM_maxr.
apply/eqP/rowV0P => v; rewrite sub_capmx => /andP[vA /sub_kermxP vB].
apply/eqP; rewrite -sqnorm_eq0; apply: contraTT lt_s => v0; rewrite -leNgt.
have v_gt0 : 0 < sqnorm v by rewrite lt0r v0 sqnorm_ge0.
rewrite -(ler_pmul2r v_gt0) (le_trans (As v vA)) //.
by rewrite (le_trans _ (ABs' v)) // mulmxBr vB subr0.
Qed.

(* linearly independent rows stay so under small perturbations                   *)
Lemma row_free_near (R : realFieldType) m n (A : 'M[R]_(m, n)) : row_free A ->
  exists2 eps : R, 0 < eps & forall B : 'M[R]_(m, n),
    (forall i j, `|A i j - B i j| <= eps) -> row_free B.
Proof.
move=> fA; pose P := pinvmx A.
pose K := \sum_(k < n) \sum_(j < m) `|P k j|.
have K0 : 0 <= K by do 2![apply: sumr_ge0 => ? _].
exists (K + 1)^-1 => [|B AB]; first by rewrite invr_gt0 ltr_spaddr.
set eps := _^-1 in AB; apply: inj_row_free => v vB.
have vE : v = v *m (A - B) *m P.
  by rewrite mulmxBr vB subr0 -mulmxA mulmxVp // mulmx1.
pose S := \sum_j `|v 0 j|.
have S0 : 0 <= S by apply: sumr_ge0.
have vAB k : `|(v *m (A - B)) 0 k| <= S * eps.
  rewrite mxE (le_trans (ler_norm_sum _ _ _)) // mulr_suml.
  by apply: ler_sum => i _; rewrite normrM ler_wpmul2l // !mxE AB.
have SK : S <= S * eps * K.
  rewrite /K exchange_big mulr_sumr; apply: ler_sum => j _.
  rewrite {1}vE mxE (le_trans (ler_norm_sum _ _ _)) // mulr_sumr.
  by apply: ler_sum => k _; rewrite normrM ler_wpmul2r.
have epsK : eps * K < 1.
  by rewrite /eps mulrC ltr_pdivr_mulr ?mul1r ?ltr_addl // ltr_spaddr.
have S_0 : S = 0.
  apply/eqP; move: SK; rewrite -mulrA; apply: contraTT => Sn0; rewrite -ltNge.
  by rewrite -[X in _ < X]mulr1 ltr_pmul2l // lt0r Sn0.
apply/rowP => j; rewrite mxE; apply/eqP; rewrite -normr_eq0.
by move/psumr_eq0P: S_0 => ->.
Qed.

(* the rank does not drop under small enough perturbations of the entries        *)
Theorem rank_near (R : realFieldType) m n (A : 'M[R]_(m, n)) :
  exists2 eps : R, 0 < eps & forall B : 'M[R]_(m, n),
    (forall i j, `|A i j - B i j| <= eps) -> (\rank A <= \rank B)%N.
Proof.
have [eps eps0 nA] := row_free_near (maxrowsub_free A).
exists eps => // B AB; have /eqP <- : row_free (rowsub (maxrankfun A) B).
  by apply: nA => i j; rewrite !mxE.
exact/mxrankS/rowsub_sub.
Qed.
