(* The Euclidean norm of row vectors, Hadamard's inequality, and singular values above a number.             *)
(*                                                                                                           *)
(*         frobenius A == the square root of the sum of the squares of the entries of A                      *)
(*            hadamard == Hadamard's inequality: det (A A^T) <= the product of the squared norms of the rows *)
(*    hadamard_entries == the same for entries of absolute value at most b                                   *)
(*   shrinks A theta X == |y X A| < theta |y X| for all y != 0                                               *)
(*   singular_count_tr == A and its transpose have the same number                                           *)
(*   singular_count_above, singular_count_below == bounds from the images of X under a matrix near K A       *)
(*       dominant_form == a symmetric strictly dominant form is positive                                     *)
From Attest Require Import prelude.
From mathcomp Require Import ring.
From Attest Require Export singular_values.

(* ============================================================================ *)
(* The Cauchy-Schwarz inequality                                                *)
(* ============================================================================ *)

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

(* =============================================================================== *)
(* Hadamard's inequality                                                           *)
(* =============================================================================== *)
(* Hadamard's inequality for Gram determinants: det (A A^T) <= product of the      *)
(* squared norms of the rows of A.  Used for the explicit labels of Proposition 3. *)

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

(* =============================================================================================== *)
(* Singular values above a number, counted by subspaces                                            *)
(* =============================================================================================== *)
(* Courant and Fischer; diagonally dominant forms bound their number (docs/mathematics.md, theorem *)
(* inertia).                                                                                       *)

Section Count.
Variable R : realType.

Definition shrinks m n (A : 'M[R]_(m, n)) (theta : R) k (X : 'M[R]_(k, m)) : Prop :=
  forall y : 'rV[R]_k, y != 0 -> norm2 (y *m X *m A) < theta * norm2 (y *m X).

Lemma row_free_neq0 m k (V : 'M[R]_(k, m)) : (forall y : 'rV_k, y != 0 -> y *m V != 0) -> row_free V.
Proof.
move=> V0; apply: inj_row_free => y yV; apply/eqP; apply: contraT => /V0.
by rewrite yV eqxx.
Qed.

Lemma stretches_free m n (A : 'M[R]_(m, n)) theta k (X : 'M[R]_(k, m)) :
  stretches A theta X -> row_free X.
Proof.
move=> sX; apply: row_free_neq0 => y /sX; apply: contraTneq => ->.
by rewrite mul0mx !norm2_0 mulr0 ltxx.
Qed.

Lemma shrinks_free m n (A : 'M[R]_(m, n)) theta k (X : 'M[R]_(k, m)) :
  shrinks A theta X -> row_free X.
Proof.
move=> sX; apply: row_free_neq0 => y /sX; apply: contraTneq => ->.
by rewrite mul0mx !norm2_0 mulr0 ltxx.
Qed.

Lemma singular_count_geq m n (A : 'M[R]_(m, n)) tau k (V : 'M[R]_(k, m)) :
  stretches A tau V -> (k <= singular_count A tau)%N.
Proof.
move=> sV; have fV := stretches_free sV.
have km : (k < m.+1)%N by rewrite ltnS -(eqP fV) rank_leq_col.
rewrite /singular_count (bigmax_sup (Ordinal km)) //; apply/asboolP; by exists V.
Qed.

Lemma singular_countP m n (A : 'M[R]_(m, n)) tau :
  exists V : 'M[R]_(singular_count A tau, m), stretches A tau V.
Proof.
pose P := fun k : 'I_m.+1 => `[< exists V : 'M[R]_(k, m), row_free V /\ stretches A tau V >].
have [|i iP E] := @eq_bigmax_cond _ P val.
  apply/card_gt0P; exists ord0; rewrite unfold_in; apply/asboolP; exists 0; split.
    by rewrite /row_free mxrank0.
  by move=> y; rewrite [y]thinmx0 eqxx.
by rewrite /singular_count E; have /asboolP[V [_ sV]] := iP; exists V.
Qed.

Lemma singular_count_leq_size m n (A : 'M[R]_(m, n)) tau : (singular_count A tau <= m)%N.
Proof. by apply/bigmax_leqP => k _; rewrite -ltnS. Qed.

(* a space on which nothing is stretched has dimension at most the codimension      *)
Lemma singular_count_leq m n (A : 'M[R]_(m, n)) tau k (U : 'M[R]_(k, m)) : row_free U ->
  (forall y : 'rV_k, norm2 (y *m U *m A) <= tau * norm2 (y *m U)) -> (singular_count A tau <= m - k)%N.
Proof.
move=> fU sU; have [V sV] := singular_countP A tau; have fV := stretches_free sV.
have VU : (V :&: U = 0)%MS.
  apply/eqP/rowV0P => w; rewrite sub_capmx => /andP[/submxP[y wV] /submxP[x wU]].
  apply/eqP; apply: contraT => w0; have y0 : y != 0.
    by apply: contraNneq w0 => y0; rewrite wV y0 mul0mx.
  by have := sV y y0; rewrite -wV wU ltNge sU.
have := mxrank_disjoint_sum VU; rewrite (eqP fV) (eqP fU) => VUE.
have := rank_leq_col (V + U)%MS; rewrite VUE => le_m.
by rewrite -(addnK k (singular_count A tau)) leq_sub2r.
Qed.

(* |w|^2 <= |w A^T| |v| for w = v A                                                  *)
Lemma norm2_image m n (A : 'M[R]_(m, n)) (v : 'rV[R]_m) :
  norm2 (v *m A) ^+ 2 <= norm2 (v *m A *m A^T) * norm2 v.
Proof.
have dotE : sqnorm (v *m A) = \sum_i (v *m A *m A^T) 0 i * v 0 i.
  transitivity ((v *m A *m (v *m A)^T) 0 0).
    by rewrite mxE; apply: eq_bigr => i _; rewrite [(v *m A)^T _ _]mxE expr2.
  by rewrite trmx_mul mulmxA mxE; apply: eq_bigr => i _; rewrite [v^T _ _]mxE.
have s0 : 0 <= norm2 (v *m A *m A^T) * norm2 v by rewrite mulr_ge0 ?norm2_ge0.
rewrite -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?exprn_ge0 ?norm2_ge0 //.
by rewrite sqr_norm2 exprMn !sqr_norm2 dotE cauchy_schwarz.
Qed.

Lemma singular_count_tr_leq m n (A : 'M[R]_(m, n)) tau : 0 <= tau ->
  (singular_count A tau <= singular_count A^T tau)%N.
Proof.
move=> t0; have [V sV] := singular_countP A tau.
apply: (@singular_count_geq _ _ _ _ _ (V *m A)) => y /sV {sV}; rewrite mulmxA.
set v := y *m V; set w := v *m A => sv.
have v0 : 0 <= norm2 v by apply: norm2_ge0.
have w0 : 0 < norm2 w by apply: le_lt_trans sv; rewrite mulr_ge0.
have := norm2_image A v; rewrite -/w => wv.
have vp : 0 < norm2 v.
  rewrite lt0r v0 andbT; apply: contraTneq w0 => vE; move/eqP: vE.
  by rewrite norm2_eq0 => /eqP v00; rewrite /w v00 mul0mx norm2_0 ltxx.
rewrite -(ltr_pmul2r vp); apply: lt_le_trans wv.
by rewrite expr2 mulrAC ltr_pmul2r.
Qed.

Lemma singular_count_tr m n (A : 'M[R]_(m, n)) tau : 0 <= tau ->
  singular_count A^T tau = singular_count A tau.
Proof.
move=> t0; apply/eqP; rewrite eqn_leq singular_count_tr_leq // andbT.
by rewrite -{2}(trmxK A) singular_count_tr_leq.
Qed.

Lemma singular_count_leq_sizes m n (A : 'M[R]_(m, n)) tau : 0 <= tau ->
  (singular_count A tau <= minn m n)%N.
Proof. by move=> t0; rewrite leq_min singular_count_leq_size -singular_count_tr // singular_count_leq_size. Qed.

Lemma frobenius_tr m n (A : 'M[R]_(m, n)) : frobenius A^T = frobenius A.
Proof.
congr Num.sqrt; rewrite /sqnorm exchange_big; apply: eq_bigr => i _; apply: eq_bigr => j _.
by rewrite !mxE.
Qed.

(* entries of at most rho                                                            *)
Lemma frobenius_entries m n (A : 'M[R]_(m, n)) rho : 0 <= rho -> (forall i j, `|A i j| <= rho) ->
  frobenius A <= Num.sqrt (m * n)%:R * rho.
Proof.
move=> r0 Ar; rewrite -[rho]ger0_norm // -sqrtr_sqr -sqrtrM ?ler0n // ler_wsqrtr //.
rewrite natrM -mulrA mulr_natl -[m in _ *+ m]card_ord -sumr_const; apply: ler_sum => i _.
rewrite mulr_natl -[n in _ *+ n]card_ord -sumr_const /sqnorm; apply: ler_sum => j _.
by rewrite mxE -real_normK ?num_real // ler_pexpn2r ?nnegrE.
Qed.

Section Near.
Variables (m n : nat) (A C : 'M[R]_(m, n)) (K tau theta delta : R).
Hypotheses (K0 : 0 < K) (near : frobenius (K *: A - C) <= delta).

Lemma image_near (v : 'rV[R]_m) : `|K * norm2 (v *m A) - norm2 (v *m C)| <= delta * norm2 v.
Proof.
have vD : norm2 (v *m (K *: A - C)) <= delta * norm2 v.
  by apply: le_trans (frobenius_bound _ _) _; rewrite ler_wpmul2r ?norm2_ge0.
have KE : K * norm2 (v *m A) = norm2 (v *m (K *: A)) by rewrite -scalemxAr norm2Z gtr0_norm.
rewrite KE ler_norml; apply/andP; split.
  rewrite ler_oppl opprB ler_subl_addr.
  rewrite (_ : v *m C = - (v *m (K *: A - C)) + v *m (K *: A)); last by rewrite mulmxBr opprB subrK.
  by apply: le_trans (norm2D _ _) _; rewrite norm2N ler_add2r.
rewrite ler_subl_addr {1}(_ : v *m (K *: A) = v *m (K *: A - C) + v *m C); last by rewrite mulmxBr subrK.
by apply: le_trans (norm2D _ _) _; rewrite ler_add2r.
Qed.

Lemma stretches_near k (X : 'M[R]_(k, m)) : K * tau + delta <= theta ->
  stretches C theta X -> stretches A tau X.
Proof.
move=> th sX y /sX; set v := y *m X => sv.
have v0 : 0 <= norm2 v by apply: norm2_ge0.
have := image_near v; rewrite ler_norml => /andP[]; rewrite ler_subr_addr => low _.
rewrite -(ltr_pmul2l K0); apply: lt_le_trans low.
rewrite addrC ltr_subr_addr; apply: le_lt_trans sv.
by rewrite mulrA -mulrDl ler_wpmul2r.
Qed.

Lemma shrinks_near k (X : 'M[R]_(k, m)) : theta <= K * tau - delta ->
  shrinks C theta X -> forall y : 'rV_k, norm2 (y *m X *m A) <= tau * norm2 (y *m X).
Proof.
move=> th sX y; have [->|/sX] := eqVneq y 0; first by rewrite !mul0mx !norm2_0 mulr0.
set v := y *m X => sv; have v0 : 0 <= norm2 v by apply: norm2_ge0.
have := image_near v; rewrite ler_norml => /andP[_]; rewrite ler_subl_addr => high.
rewrite -(ler_pmul2l K0); apply: le_trans high _; apply: le_trans (_ : (delta + theta) * norm2 v <= _).
  by rewrite mulrDl ler_add2l ltW.
by rewrite mulrA ler_wpmul2r // addrC -ler_subr_addr.
Qed.

Lemma singular_count_above k (X : 'M[R]_(k, m)) : K * tau + delta <= theta ->
  stretches C theta X -> (k <= singular_count A tau)%N.
Proof. by move=> th /(stretches_near th); apply: singular_count_geq. Qed.

Lemma singular_count_below k (X : 'M[R]_(k, m)) : theta <= K * tau - delta ->
  shrinks C theta X -> (singular_count A tau <= m - k)%N.
Proof.
by move=> th sX; apply: (singular_count_leq (shrinks_free sX)); apply: (shrinks_near th).
Qed.

End Near.

(* -------------------------------------------------------------------------- *)
(* Diagonally dominant forms                                                   *)
(* -------------------------------------------------------------------------- *)
Lemma dominant_form k (G : 'M[R]_k) (y : 'rV[R]_k) : G^T = G ->
  (forall i, \sum_j `|G i j| < G i i *+ 2) -> y != 0 -> 0 < (y *m G *m y^T) 0 0.
Proof.
move=> sG dG y0.
have formE : (y *m G *m y^T) 0 0 = \sum_i \sum_j G i j * (y 0 i * y 0 j).
  rewrite mxE exchange_big; apply: eq_bigr => j _; rewrite [y^T _ _]mxE mxE mulr_suml.
  by apply: eq_bigr => i _; rewrite mulrCA mulrA.
have half i j : - (`|G i j| * (y 0 i ^+ 2 + y 0 j ^+ 2)) <= (G i j * (y 0 i * y 0 j)) *+ 2.
  have q : `|y 0 i * y 0 j| *+ 2 <= y 0 i ^+ 2 + y 0 j ^+ 2.
    rewrite normrM -subr_ge0 -[y 0 i ^+ 2]real_normK ?num_real // -[y 0 j ^+ 2]real_normK ?num_real //.
    by rewrite addrAC -sqrrB sqr_ge0.
  rewrite ler_oppl -mulNrn; apply: le_trans (_ : `|G i j * (y 0 i * y 0 j)| *+ 2 <= _).
    by rewrite ler_pmuln2r // -normrN ler_norm.
  by rewrite normrM -mulrnAr ler_wpmul2l.
have diag i : (G i i * (y 0 i * y 0 i)) *+ 2 = G i i *+ 4 * y 0 i ^+ 2 - G i i * (y 0 i ^+ 2 + y 0 i ^+ 2).
  ring.
have Gii i : 0 < G i i.
  rewrite -(@pmulrn_lgt0 _ _ 2) //; apply: le_lt_trans (dG i); apply: sumr_ge0 => j _; exact: normr_ge0.
rewrite -(@pmulrn_lgt0 _ _ 2) // formE.
have low : \sum_i ((G i i *+ 2 - \sum_j `|G i j|) * y 0 i ^+ 2) *+ 2
    <= (\sum_i \sum_j G i j * (y 0 i * y 0 j)) *+ 2.
  rewrite (_ : \sum_i _ = \sum_i (G i i *+ 4 * y 0 i ^+ 2 - \sum_j `|G i j| * (y 0 i ^+ 2 + y 0 j ^+ 2))).
    rewrite -sumrMnl; apply: ler_sum => i _; rewrite (bigD1 i) //= [X in _ <= X *+ 2](bigD1 i) //=.
    rewrite mulrnDl diag gtr0_norm // opprD addrA ler_add2l -sumrN -sumrMnl.
    by apply: ler_sum => j _; apply: half.
  have -> : \sum_i (G i i *+ 4 * y 0 i ^+ 2 - \sum_j `|G i j| * (y 0 i ^+ 2 + y 0 j ^+ 2)) =
      \sum_i G i i *+ 4 * y 0 i ^+ 2 - (\sum_i \sum_j `|G i j| * y 0 i ^+ 2) *+ 2.
    rewrite sumrB; congr (_ - _).
    under eq_bigr => i _ do (under eq_bigr => j _ do rewrite mulrDr; rewrite big_split).
    rewrite big_split mulr2n /=; congr (_ + _); rewrite exchange_big; apply: eq_bigr => i _.
    by apply: eq_bigr => j _; rewrite -{1}sG mxE.
  rewrite -sumrMnl -sumrB; apply: eq_bigr => i _; rewrite -mulr_suml.
  by move: (\sum_j _) (G i i) (y 0 i) => S g x; ring.
apply: lt_le_trans low.
have [i yi] : exists i, y 0 i != 0.
  apply/existsP; rewrite -negb_forall; apply: contra y0 => /forallP y00.
  by apply/eqP/rowP => i; rewrite mxE; apply/eqP.
have term j : 0 <= ((G j j *+ 2 - \sum_l `|G j l|) * y 0 j ^+ 2) *+ 2.
  by rewrite mulrn_wge0 // mulr_ge0 ?sqr_ge0 // subr_ge0 ltW.
rewrite (bigD1 i) //= ltr_paddr ?sumr_ge0 // pmulrn_lgt0 // mulr_gt0 ?subr_gt0 //.
by rewrite lt0r sqrf_eq0 yi sqr_ge0.
Qed.

Lemma norm2_form m n (v : 'rV[R]_m) (A : 'M[R]_(m, n)) : norm2 (v *m A) ^+ 2 = (v *m (A *m A^T) *m v^T) 0 0.
Proof.
have -> : v *m (A *m A^T) *m v^T = v *m A *m (v *m A)^T by rewrite trmx_mul !mulmxA.
by rewrite sqr_norm2 mxE; apply: eq_bigr => i _; rewrite [(v *m A)^T _ _]mxE expr2.
Qed.

Section Dominant.
Variables (m n k : nat) (C : 'M[R]_(m, n)) (X : 'M[R]_(k, m)) (theta : R).
Hypothesis theta0 : 0 < theta.

(* X (C C^T - theta^2 I) X^T                                                         *)
Definition form : 'M[R]_k := X *m C *m (X *m C)^T - theta ^+ 2 *: (X *m X^T).

Lemma form_tr : form^T = form.
Proof. by rewrite /form raddfB /= linearZ /= !trmx_mul !trmxK. Qed.

Lemma formE (y : 'rV[R]_k) :
  (y *m form *m y^T) 0 0 = norm2 (y *m X *m C) ^+ 2 - (theta * norm2 (y *m X)) ^+ 2.
Proof.
have -> : y *m form *m y^T = y *m X *m (C *m C^T) *m (y *m X)^T - theta ^+ 2 *: (y *m X *m (1%:M *m 1%:M^T) *m (y *m X)^T).
  by rewrite /form mulmxBr mulmxBl -scalemxAr -scalemxAl !trmx_mul trmx1 !mulmxA !mulmx1.
by rewrite exprMn [LHS]mxE [X in _ + X]mxE [X in _ - X]mxE -!norm2_form mulmx1.
Qed.

Lemma dominant_stretches : (forall i, \sum_j `|form i j| < form i i *+ 2) -> stretches C theta X.
Proof.
move=> dom y y0; have := dominant_form form_tr dom y0; rewrite formE subr_gt0.
by rewrite ltr_pexpn2r ?nnegrE ?norm2_ge0 ?mulr_ge0 ?norm2_ge0 // ltW.
Qed.

Lemma dominant_shrinks : (forall i, \sum_j `|form i j| < - form i i *+ 2) -> shrinks C theta X.
Proof.
move=> dom y y0; have sN : (- form)^T = - form by rewrite raddfN /= form_tr.
have domN i : \sum_j `|(- form) i j| < (- form) i i *+ 2.
  rewrite mxE; under eq_bigr => j _ do rewrite mxE normrN; exact: dom.
have := dominant_form sN domN y0; rewrite mulmxN mulNmx mxE oppr_gt0 formE subr_lt0.
by rewrite ltr_pexpn2r ?nnegrE ?norm2_ge0 ?mulr_ge0 ?norm2_ge0 // ltW.
Qed.

End Dominant.
End Count.
