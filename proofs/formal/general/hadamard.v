(* Hadamard's inequality for Gram determinants: det (A A^T) <= product of the        *)
(* squared norms of the rows of A.  Used for the explicit labels of Proposition 3.   *)
(*                                                                                   *)
(*           hadamard == the inequality                                              *)
(*   hadamard_entries == for entries of absolute value at most b                     *)
From Attest Require Import prelude euclidean.

Section Hadamard.
Variable R : realFieldType.

Lemma gram_unit m n (A : 'M[R]_(m, n)) : row_free A -> A *m A^T \in unitmx.
Proof.
move=> fA; rewrite -row_free_unit; apply: inj_row_free => v vG.
have /eqP : sqnorm (v *m A) = 0.
  by rewrite -sqnormE trmx_mul -mulmxA (mulmxA A) mulmxA vG mul0mx mxE.
by rewrite sqnorm_eq0 mulmx_free_eq0 // => /eqP.
Qed.

Lemma gram_det_ge0_le m n (A : 'M[R]_(m, n)) :
  0 <= \det (A *m A^T) <= \prod_i sqnorm (row i A).
Proof.
elim: m A => [|m IHm] A; first by rewrite det_mx00 big_ord0 lexx ler01.
pose a : 'rV[R]_n := row ord0 A; pose A' : 'M[R]_(m, n) := dsubmx (A : 'M_(1 + m, n)).
have AE : A = col_mx a A' :> 'M_(1 + m, n).
  transitivity (col_mx (usubmx (A : 'M_(1 + m, n))) A'); first by rewrite vsubmxK.
  congr col_mx; apply/rowP => j; rewrite !mxE.
  by congr (A _ _); apply/val_inj.
have rowA i : row (lift ord0 i) A = row i A'.
  by apply/rowP => j; rewrite !mxE; congr (A _ _); apply/val_inj.
have prodE : \prod_i sqnorm (row i A) = sqnorm a * \prod_i sqnorm (row i A').
  by rewrite big_ord_recl; congr (_ * _); apply: eq_bigr => i _; rewrite rowA.
have /andP[d0 dle] := IHm A'.
have P0 : 0 <= \prod_i sqnorm (row i A') by apply: prodr_ge0 => i _; apply: sqnorm_ge0.
rewrite prodE; have [fA'|nA'] := boolP (row_free A'); last first.
  have -> : \det (A *m A^T) = 0.
    apply/eqP; rewrite -[_ == 0]negbK -unitfE -unitmxE -row_free_unit.
    apply: contra nA' => fG; have fA : row_free A.
      rewrite /row_free eqn_leq rank_leq_row /= -{1}(eqP fG).
      exact: mxrankM_maxl.
    apply: inj_row_free => v vA'; have : (row_mx 0 v : 'rV_(1 + m)) *m A == 0.
      by rewrite AE mul_row_col mul0mx add0r vA'.
    rewrite mulmx_free_eq0 // => /eqP v0.
    by rewrite -(row_mxKr (0 : 'rV_1) v) v0; apply/rowP => j; rewrite !mxE.
  by rewrite lexx mulr_ge0 ?sqnorm_ge0.
pose u := a *m A'^T *m invmx (A' *m A'^T); pose p := a - u *m A'.
have pA' : p *m A'^T = 0.
  by rewrite mulmxBl -mulmxA /u mulmxKV ?gram_unit // subrr.
have A'p : A' *m p^T = 0 by rewrite -[A']trmxK -trmx_mul pA' trmx0.
pose L : 'M[R]_(1 + m) := block_mx 1%:M u 0 1%:M.
have AL : A = L *m col_mx p A' :> 'M_(1 + m, n).
  by rewrite AE mul_block_col !mul1mx mul0mx add0r subrK.
have -> : \det (A *m A^T) = sqnorm p * \det (A' *m A'^T).
  rewrite [in LHS]AL trmx_mul mulmxA -(mulmxA L) !det_mulmx.
  rewrite det_tr (_ : \det L = 1) ?mul1r ?mulr1; last by rewrite det_ublock !det1 mulr1.
  rewrite tr_col_mx mul_col_row pA' A'p.
  transitivity (\det (p *m p^T) * \det (A' *m A'^T)); first exact: (det_ublock (p *m p^T) 0 (A' *m A'^T)).
  rewrite -sqnormE; congr (_ * _).
  by rewrite {1}[_ *m p^T]mx11_scalar det_scalar1.
have pa : sqnorm p <= sqnorm a.
  have -> : sqnorm a = sqnorm p + sqnorm (u *m A').
    have -> : a = p + u *m A' by rewrite subrK.
    have c1 : p *m (u *m A')^T = 0 by rewrite trmx_mul mulmxA pA' mul0mx.
    have c2 : u *m A' *m p^T = 0 by rewrite -mulmxA A'p mulmx0.
    by rewrite -!sqnormE linearD /= mulmxDl !mulmxDr c1 c2 addr0 add0r mxE.
  by rewrite ler_addl sqnorm_ge0.
rewrite mulr_ge0 ?sqnorm_ge0 //=.
by rewrite ler_pmul ?sqnorm_ge0.
Qed.

Theorem hadamard n (A : 'M[R]_n) : \det A ^+ 2 <= \prod_i sqnorm (row i A).
Proof.
by have /andP[_] := gram_det_ge0_le A; rewrite det_mulmx det_tr expr2.
Qed.

Corollary hadamard_entries n (A : 'M[R]_n) (b : R) : (forall i j, `|A i j| <= b) ->
  \det A ^+ 2 <= (n%:R * b ^+ 2) ^+ n.
Proof.
move=> Ab; apply: le_trans (hadamard A) _; rewrite -[X in _ ^+ X]card_ord -prodr_const.
apply: ler_prod => i _; rewrite sqnorm_ge0 /= -[n in n%:R]card_ord mulr_natl -sumr_const.
apply: ler_sum => j _; rewrite mxE -real_normK ?num_real //.
by rewrite ler_expn2r ?nnegrE // (le_trans _ (Ab i j)).
Qed.

End Hadamard.
