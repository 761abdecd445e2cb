(* The Euclidean norm of row vectors and the Cauchy-Schwarz inequality.          *)
(*                                                                              *)
(* frobenius A == the square root of the sum of the squares of the entries of A  *)
From Attest Require Import prelude.
From mathcomp Require Import ring.
From Attest Require Export singular_values.

Lemma sqnorm_eq0 (R : realFieldType) n (v : 'rV[R]_n) : (sqnorm v == 0) = (v == 0).
Proof.
apply/eqP/eqP => [v0|->]; last first.
  by rewrite /sqnorm big1 // => i _; rewrite mxE expr0n.
apply/rowP => i; rewrite mxE; apply/eqP; rewrite -sqrf_eq0.
by move/psumr_eq0P: v0 => -> // j _; apply: sqr_ge0.
Qed.

Lemma sqnormE (R : realFieldType) n (v : 'rV[R]_n) : (v *m v^T) 0 0 = sqnorm v.
Proof. by rewrite mxE; apply: eq_bigr => i _; rewrite mxE expr2. Qed.

Lemma sqnorm_ge0 (R : realFieldType) n (v : 'rV[R]_n) : 0 <= sqnorm v.
Proof. by apply: sumr_ge0 => i _; apply: sqr_ge0. Qed.

Lemma sqnormN (R : realFieldType) n (v : 'rV[R]_n) : sqnorm (- v) = sqnorm v.
Proof. by apply: eq_bigr => i _; rewrite mxE sqrrN. Qed.

Lemma cauchy_schwarz (R : realFieldType) (I : finType) (a b : I -> R) :
  (\sum_i a i * b i) ^+ 2 <= (\sum_i a i ^+ 2) * (\sum_i b i ^+ 2).
Proof.
rewrite -(ler_pmuln2r (isT : (0 < 2)%N)) -subr_ge0.
rewrite (_ : _ - _ = \sum_i \sum_j (a i * b j - a j * b i) ^+ 2); last first.
  transitivity (\sum_i \sum_j (a i ^+ 2 * b j ^+ 2)
      + \sum_i \sum_j (b i ^+ 2 * a j ^+ 2) - (\sum_i \sum_j (a i * b i) * (a j * b j)) *+ 2).
    by rewrite -!big_distrlr /= [X in _ + X - _]mulrC -mulr2n -expr2 -mulrnBl.
  rewrite -sumrMnl -big_split -sumrB; apply: eq_bigr => i _.
  rewrite -sumrMnl -big_split -sumrB; apply: eq_bigr => j _.
  by rewrite /=; ring.
by do 2![apply: sumr_ge0 => ? _]; apply: sqr_ge0.
Qed.

Section Norm.
Variable R : rcfType.

Lemma norm2_ge0 n (v : 'rV[R]_n) : 0 <= norm2 v. Proof. exact: sqrtr_ge0. Qed.

Lemma sqr_norm2 n (v : 'rV[R]_n) : norm2 v ^+ 2 = sqnorm v.
Proof. by rewrite sqr_sqrtr // sqnorm_ge0. Qed.

Lemma norm2_eq0 n (v : 'rV[R]_n) : (norm2 v == 0) = (v == 0).
Proof. by rewrite -sqnorm_eq0 -sqr_norm2 sqrf_eq0. Qed.

Lemma norm2_0 n : norm2 (0 : 'rV[R]_n) = 0.
Proof. by apply/eqP; rewrite norm2_eq0. Qed.

Lemma norm2N n (v : 'rV[R]_n) : norm2 (- v) = norm2 v.
Proof. by rewrite /norm2 sqnormN. Qed.

Lemma norm2Z n (k : R) (v : 'rV[R]_n) : norm2 (k *: v) = `|k| * norm2 v.
Proof.
rewrite -sqrtr_sqr -sqrtrM ?sqr_ge0 //; congr Num.sqrt.
by rewrite /sqnorm mulr_sumr; apply: eq_bigr => i _; rewrite mxE exprMn.
Qed.

Lemma norm2D n (u v : 'rV[R]_n) : norm2 (u + v) <= norm2 u + norm2 v.
Proof.
have uv0 : 0 <= norm2 u + norm2 v by rewrite addr_ge0 ?norm2_ge0.
rewrite -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?norm2_ge0 // sqrrD !sqr_norm2.
have -> : sqnorm (u + v) = sqnorm u + (\sum_i u 0 i * v 0 i) *+ 2 + sqnorm v.
  rewrite /sqnorm -sumrMnl -!big_split; apply: eq_bigr => i _.
  by rewrite mxE /= sqrrD.
rewrite ler_add2r ler_add2l ler_pmuln2r // (le_trans (ler_norm _)) //.
rewrite -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?mulr_ge0 ?norm2_ge0 //.
by rewrite exprMn !sqr_norm2 real_normK ?num_real // cauchy_schwarz.
Qed.

Lemma norm2_sum n (I : finType) (P : pred I) (F : I -> 'rV[R]_n) :
  norm2 (\sum_(i | P i) F i) <= \sum_(i | P i) norm2 (F i).
Proof.
elim/big_ind2: _ => [|x y u v xy uv|//]; first by rewrite norm2_0.
by apply: le_trans (norm2D _ _) _; apply: ler_add.
Qed.

Definition frobenius m n (A : 'M[R]_(m, n)) : R := Num.sqrt (\sum_i sqnorm (row i A)).

Lemma frobenius_bound m n (A : 'M[R]_(m, n)) v : norm2 (v *m A) <= frobenius A * norm2 v.
Proof.
have S0 : 0 <= \sum_i sqnorm (row i A) by apply: sumr_ge0 => i _; apply: sqnorm_ge0.
rewrite -sqrtrM // ler_wsqrtr // /sqnorm exchange_big mulr_suml.
apply: ler_sum => j _; rewrite mxE mulrC (le_trans (cauchy_schwarz _ _)) //.
by apply: ler_wpmul2l; [apply: sqnorm_ge0|apply: ler_sum => i _; rewrite mxE].
Qed.

(* m rows of norm at most delta                                                *)
Lemma frobenius_rows m n (A : 'M[R]_(m, n)) delta :
  (forall i, norm2 (row i A) <= delta) -> frobenius A <= Num.sqrt m%:R * delta.
Proof.
move=> Ad; have [m0|m0] := posnP m.
  rewrite /frobenius big1 => [|i _]; first by rewrite m0 sqrtr0 mul0r.
  by move: (ltn_ord i); rewrite [X in (_ < X)%N]m0.
have d0 : 0 <= delta by rewrite (le_trans _ (Ad (Ordinal m0))) ?norm2_ge0.
rewrite -[delta]ger0_norm // -sqrtr_sqr -sqrtrM ?ler0n //.
rewrite ler_wsqrtr // mulr_natl -[m in _ *+ m]card_ord -sumr_const.
apply: ler_sum => i _; rewrite -sqr_norm2.
by rewrite ler_pexpn2r ?nnegrE ?norm2_ge0.
Qed.

End Norm.
