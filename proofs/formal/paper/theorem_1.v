(* Theorem 1 and Remark 1 of the paper: a layer memorizes as many examples as the rank of Z in *)
(* Proposition 1.                                                                              *)
(*                                                                                             *)
(*       readout K Q U == the layer with the outputs Z U                                       *)
(*           theorem_1 == the statement (alias attention_memorizes)                            *)
(*   theorem_1_kruskal == for queries of Kruskal rank at least r                               *)
(*    theorem_1_params == the number of parameters                                             *)
(*       remark_1_rank == for Proposition 1                                                    *)
(*            remark_1 == for Theorem 1 (alias attention_memorizes_kruskal)                    *)
From Attest Require Import prelude.
From mathcomp Require Import zify.
From Attest Require Import attention common kruskal proposition_1.

(* =============================================================================== *)
(* Theorem 1                                                                       *)
(* =============================================================================== *)
(* Theorem 1 of the paper: under Assumptions 1 and 2, for any labels, a layer with *)
(* H heads and key dimension d_h memorizes T <= H (r - 1) + 1 examples, where      *)
(* r = min(n, d_h).  Step 1 is Proposition 1; step 2 solves Z U = Y and reads the  *)
(* value and output weights off U.                                                 *)
(* Made explicit: n >= 1, H >= 1, and the label dimension is at most the value     *)
(* dimension d_v and the dimension do of the layer's output o.                     *)

Section Readout.
Variables (R : realType) (T n d dh dv do dout H : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Variables (K Q : 'I_H -> 'M[R]_(d, dh)).
Hypothesis dout_dv : (dout <= dv)%N.
Hypothesis dout_do : (dout <= do)%N.

(* W_V,h = [U_h 0], W_O = stacked [1 0; 0 0], W_D = [1; 0]                           *)
Definition readout_V (U : 'M[R]_(H * d, dout)) h : 'M[R]_(d, dv) :=
  (\matrix_(j < d) row (mxvec_index h j) U) *m pid_mx dout.
Definition readout_O : 'M[R]_(H * dv, do) :=
  lin1_mx (mulmxr (pid_mx dout : 'M_(dv, do)) \o mulmx (const_mx 1 : 'rV_H) \o vec_mx).
Definition readout_D : 'M[R]_(do, dout) := pid_mx dout.
Definition readout U := Weights K Q (readout_V U) readout_O readout_D.

Lemma readout_outputs U (z : 'I_H -> 'cV[R]_d) :
  readout_D^T *m (readout_O^T *m stack (fun h => (readout_V U h)^T *m z h)) = ((stack z)^T *m U)^T.
Proof.
rewrite /stack -!trmx_mul /= mul_rV_lin1 /= mxvecK; congr trmx.
rewrite -!mulmxA mul_pid_mx minnn (minn_idPr dout_do) trmxK.
transitivity (\sum_h ((z h)^T *m (\matrix_(j < d) row (mxvec_index h j) U))).
  set M := \matrix_h _.
  have -> : M = (\matrix_h ((z h)^T *m \matrix_(j < d) row (mxvec_index h j) U))
      *m (pid_mx dout : 'M_(dout, dv)).
    apply/row_matrixP => h; rewrite row_mul !rowK trmx_mul trmxK.
    by rewrite /readout_V mulmxA.
  rewrite -mulmxA mul_pid_mx minnn (minn_idPr dout_dv) pid_mx_1 mulmx1.
  rewrite mulmx_sum_row; apply: eq_bigr => h _.
  by rewrite rowK mxE scale1r.
apply/rowP => o; rewrite summxE [RHS]mxE (reindex _ (curry_mxvec_bij _ _)) /=.
rewrite (eq_bigr (fun p => (z p.1) p.2 0 * U (mxvec_index p.1 p.2) o)); last first.
  by move=> [h j] _ /=; rewrite mxvecE !mxE.
rewrite -(pair_bigA _ (fun h j => (z h) j 0 * U (mxvec_index h j) o)) /=.
apply: eq_bigr => h _; rewrite mxE; apply: eq_bigr => j _.
by rewrite !mxE.
Qed.

Lemma predict_readout U t :
  predict (readout U) (E t) (e t) = (row t (Z E e (readout U)) *m U)^T.
Proof. by rewrite rowK -readout_outputs. Qed.

Lemma readout_memorizes : \rank (Zmx E e (fun h => K h *m (Q h)^T)) = T ->
  forall y : 'I_T -> 'cV[R]_dout, exists U, memorizes E e (readout U) y.
Proof.
set Z0 := Zmx _ _ _ => rZ y; pose Y := \matrix_t (y t)^T.
exists (pinvmx Z0 *m Y) => t; rewrite predict_readout ZE -/Z0.
by rewrite -row_mul mulmxA mulmxVp ?mul1mx ?rowK ?trmxK // /row_free rZ.
Qed.

End Readout.

(* the general form, for queries of Kruskal rank at least r                         *)
Theorem theorem_1_kruskal (R : realType) T n d dh dv do dout H r
    (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (y : 'I_T -> 'cV[R]_dout) :
    (0 < n)%N -> (0 < H)%N -> (dout <= dv)%N -> (dout <= do)%N ->
    (r <= n)%N -> (r <= dh)%N -> kruskal_geq e r -> Assumption2 E ->
    (T <= H * (r - 1) + 1)%N ->
  exists P : weights R H d dh dv do dout, memorizes E e P y.
Proof.
move=> n0 H0 dv_ do_ rn rdh er A2 TH.
have [K [Q leZ]] := @proposition_1_kruskal R T n d dh dv do dout H r E e
  (fun=> 0) 0 0 n0 H0 rn rdh er A2.
rewrite ZE /= (minn_idPl TH) in leZ.
have rZ : \rank (Zmx E e (fun h => K h *m (Q h)^T)) = T.
  by apply/eqP; rewrite eqn_leq leZ rank_leq_row.
by have [U UP] := readout_memorizes dv_ do_ rZ y; exists (readout dv do K Q U).
Qed.

Theorem theorem_1 (R : realType) T n d dh dv do dout H
    (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (y : 'I_T -> 'cV[R]_dout) :
    (0 < n)%N -> (0 < H)%N -> (dout <= dv)%N -> (dout <= do)%N ->
    Assumption1 n e -> Assumption2 E ->
    (T <= H * (minn n dh - 1) + 1)%N ->
  exists P : weights R H d dh dv do dout, memorizes E e P y.
Proof.
move=> n0 H0 dv_ do_ A1 A2 TH.
apply: (@theorem_1_kruskal _ _ _ _ _ _ _ _ _ (minn n dh)) => //.
- exact: geq_minl.
- exact: geq_minr.
- by apply: kruskal_geqW A1; apply: geq_minl.
Qed.

(* Theta(H d (d_h + d_v)) parameters, when the output o is not larger than d        *)
Theorem theorem_1_params H d dh dv do dout :
    (0 < H)%N -> (do <= d)%N -> (dout <= dv)%N ->
  (H * d * (dh + dv) <= num_params H d dh dv do dout <= 3 * (H * d * (dh + dv)))%N.
Proof.
move=> H0 do_d dout_dv; rewrite /num_params.
have b1 : (H * dv * do <= H * d * dv)%N.
  by rewrite -!mulnA leq_mul2l (mulnC d) leq_mul2l do_d !orbT.
have b2 : (do * dout <= H * d * dv)%N.
  by rewrite leq_mul // (leq_trans do_d) // leq_pmull.
have -> : (H * (d * dh + d * dh + d * dv) = H * d * dh + H * d * dh + H * d * dv)%N.
  by rewrite !mulnDr !mulnA.
have -> : (H * d * (dh + dv) = H * d * dh + H * d * dv)%N by rewrite mulnDr.
move: b1 b2.
move: (H * dv * do)%N (do * dout)%N (H * d * dv)%N (H * d * dh)%N => a b c f; lia.
Qed.

Notation attention_memorizes := theorem_1 (only parsing).

(* ============================================================================= *)
(* Remark 1                                                                      *)
(* ============================================================================= *)
(* Remark 1 of the paper: if the Kruskal rank of the queries is only k < n, then *)
(* Proposition 1 and Theorem 1 hold with r = min(n, d_h, k).                     *)

Section Remark1.
Variables (R : realType) (T n d dh dv do dout H k : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis kruskal_e : kruskal_geq e k.
Hypothesis rankE : Assumption2 E.
Let r := minn (minn n dh) k.

Theorem remark_1_rank
    (WV : 'I_H -> 'M[R]_(d, dv)) (WO : 'M[R]_(H * dv, do)) (WD : 'M[R]_(do, dout)) :
  exists WK : 'I_H -> 'M[R]_(d, dh), exists WQ : 'I_H -> 'M[R]_(d, dh),
    (minn T (H * (r - 1) + 1) <= \rank (Z E e (Weights WK WQ WV WO WD)))%N.
Proof.
apply: proposition_1_kruskal => //.
- by rewrite /r -minnA geq_minl.
- by rewrite /r minnAC geq_minr.
- by apply: kruskal_geqW kruskal_e; apply: geq_minr.
Qed.

Theorem remark_1 (y : 'I_T -> 'cV[R]_dout) :
    (dout <= dv)%N -> (dout <= do)%N -> (T <= H * (r - 1) + 1)%N ->
  exists P : weights R H d dh dv do dout, memorizes E e P y.
Proof.
move=> dv_ do_; apply: theorem_1_kruskal => //.
- by rewrite /r -minnA geq_minl.
- by rewrite /r minnAC geq_minr.
- by apply: kruskal_geqW kruskal_e; apply: geq_minr.
Qed.

End Remark1.

Notation attention_memorizes_kruskal := remark_1 (only parsing).
