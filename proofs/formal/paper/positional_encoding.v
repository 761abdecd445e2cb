(* Positional encoding (paper, Sec. 4.4): the sinusoidal encoding of n positions   *)
(*   PE[k, 2j] = sin (k w_j), PE[k, 2j + 1] = cos (k w_j), w_j = 10000^(-2j/d),    *)
(* has rank n for n <= d, so that it makes Assumption 2 true.                      *)
(* More general than the paper: for any pairwise different frequencies w_j in      *)
(* ]0, pi[ (sinusoidal_encoding_rank).                                             *)
(* Odd d (the last column is a sine without its cosine): n < d is always covered;  *)
(* n = d needs sin (m w_m) != 0, d = 2 m + 1 (sinusoidal_encoding_rank_odd).  For  *)
(* the paper's frequencies m w_m < pi when d <= 20000; for larger d the premise    *)
(* would follow from the transcendence of pi, which is not proved here.  d = 1 is  *)
(* a true exception: the encoding of one position is sin 0 = 0.                    *)
(*                                                                               *)
(* Proof.  f(k) = sum_j a_j sin (k w_j) + b_j cos (k w_j) is a sum of solutions    *)
(* u_j of u(k+2) + u(k) = 2 cos w_j u(k+1).  The operator f |-> f(k+2) - 2 c       *)
(* f(k+1) + f(k) multiplies u_j by 2 (cos w_j - c) and shifts it by one.  If f     *)
(* vanishes at d = 2 m consecutive integers, the operators c = cos w_l, l != j,    *)
(* leave a non-zero multiple of u_j that vanishes at two consecutive integers, so  *)
(* a_j = b_j = 0.                                                                 *)
(*                                                                                 *)
(*  frequencies w d == pairwise different and in ]0, pi[, as many as d needs       *)
From Attest Require Import prelude.
From mathcomp Require Import mathcomp_extra trigo ring zify.
From Attest Require Export attention.

(* -------------------------------------------------------------------------- *)
(* Sums of solutions of second-order recurrences                               *)
(* -------------------------------------------------------------------------- *)
Section Recurrence.
Variables (F : fieldType) (m : nat) (x : 'I_m -> F).

Lemma annihilate (s : seq F) (u : 'I_m -> nat -> F) N :
    (forall j k, u j k.+2 + u j k = 2%:R * x j * u j k.+1) -> 2%:R != 0 :> F ->
    (forall k, (k < N + (size s).*2)%N -> \sum_j u j k = 0) ->
  forall k, (k < N)%N -> \sum_j (\prod_(c <- s) (x j - c)) * u j (k + size s)%N = 0.
Proof.
move=> + two; elim: s u => [|c s IHs] u rec u0 k kN.
  under eq_bigr do rewrite big_nil mul1r addn0.
  by apply: u0; rewrite addn0.
pose v j k := (x j - c) * u j k.+1.
have vE j l : 2%:R * v j l = u j l.+2 - 2%:R * c * u j l.+1 + u j l.
  rewrite addrAC rec /v; ring.
rewrite -[RHS](IHs v _ _ k kN) => [|j l|l lN].
- by apply: eq_bigr => j _; rewrite big_cons /v /= addnS mulrCA mulrA.
- rewrite /v -mulrDr rec; ring.
- apply: (mulfI two); rewrite mulr0 mulr_sumr.
  under eq_bigr do rewrite vE.
  rewrite !big_split /= sumrN -mulr_sumr !u0 ?mulr0 ?subr0 ?addr0 //=; lia.
Qed.

(* the summand of each root vanishes on the middle of the window                *)
Lemma isolate (u : 'I_m -> nat -> F) N :
    injective x -> 2%:R != 0 :> F ->
    (forall j k, u j k.+2 + u j k = 2%:R * x j * u j k.+1) ->
    (forall k, (k < N + (m.-1).*2)%N -> \sum_j u j k = 0) ->
  forall j k, (k < N)%N -> u j (k + m.-1)%N = 0.
Proof.
move=> inj_x two rec u0 j k kN.
pose s := [seq x l | l <- enum (predC1 j)].
have sz : size s = m.-1 by rewrite size_map -cardE cardC1 card_ord.
have := annihilate (s := s) rec two _ kN; rewrite sz => /(_ u0).
rewrite (bigD1 j) //= [X in _ + X]big1 ?addr0 => [/eqP|l lj].
  rewrite mulf_eq0 => /orP[/eqP p0|/eqP //]; exfalso.
  move/eqP: p0; apply/negP; rewrite big_map prodf_seq_neq0; apply/allP => l.
  by rewrite mem_enum /= => lj; rewrite subr_eq0 (inj_eq inj_x) eq_sym.
suff -> : \prod_(c <- s) (x l - c) = 0 by rewrite mul0r.
apply/eqP; rewrite big_map prodf_seq_eq0; apply/hasP; exists l => /=.
  by rewrite mem_enum.
by rewrite subrr.
Qed.

End Recurrence.

Section Encoding.
Variable R : realType.
Implicit Types (w a : nat -> R) (n d : nat).

(* the frequencies that occur in d columns, j with 2 j < d                      *)
Definition frequencies w d : Prop :=
  (forall j, (j.*2 < d)%N -> 0 < w j < pi) /\
  (forall i j, (i.*2 < d)%N -> (j.*2 < d)%N -> w i = w j -> i = j).

Lemma frequenciesW w d d' : (d' <= d)%N -> frequencies w d -> frequencies w d'.
Proof.
by move=> dd' [w0 w1]; split=> *; [apply: w0|apply: w1] => //; apply: leq_trans dd'.
Qed.

Lemma sum_pairs (G : nat -> R) m :
  \sum_(c < m.*2) G c = \sum_(j < m) (G j.*2 + G j.*2.+1).
Proof.
by elim: m => [|m IHm]; rewrite ?big_ord0 // doubleS !big_ord_recr /= IHm addrA.
Qed.

(* a sin (k w) + b cos (k w)                                                   *)
Definition wave w a j k : R := a j.*2 * sinusoid w k j.*2 + a j.*2.+1 * sinusoid w k j.*2.+1.

Lemma waveE w a j k : wave w a j k = a j.*2 * sin (k%:R * w j) + a j.*2.+1 * cos (k%:R * w j).
Proof. by rewrite /wave /sinusoid /= odd_double doubleK uphalf_double. Qed.

Lemma wave_rec w a j k :
  wave w a j k.+2 + wave w a j k = 2%:R * cos (w j) * wave w a j k.+1.
Proof.
rewrite !waveE.
have -> : k.+2%:R * w j = k.+1%:R * w j + w j by rewrite -[in LHS]natr1 mulrDl mul1r.
have -> : k%:R * w j = k.+1%:R * w j - w j by rewrite -natr1 mulrDl mul1r addrK.
rewrite sinD cosD sinB cosB; ring.
Qed.

(* two consecutive zeros                                                       *)
Lemma wave_eq0 w a j k : 0 < w j < pi -> wave w a j k = 0 -> wave w a j k.+1 = 0 ->
  a j.*2 = 0 /\ a j.*2.+1 = 0.
Proof.
move=> wj; have s0 : sin (w j) != 0 by rewrite gt_eqF // sin_gt0_pi.
rewrite !waveE -natr1 mulrDl mul1r sinD cosD.
set s := sin (k%:R * w j); set c := cos (k%:R * w j); set s1 := sin (w j); set c1 := cos (w j).
have cs : c ^+ 2 + s ^+ 2 = 1 := cos2Dsin2 _.
move: (a j.*2) (a j.*2.+1) => p q h0 h1.
have h2 : s1 * (p * c - q * s) = 0.
  rewrite -[RHS]h1 -[LHS]addr0 -[X in _ + X](mulr0 c1) -{1}h0; ring.
move/eqP: h2; rewrite mulf_eq0 (negPf s0) /= => /eqP h2.
have pE : p = s * (p * s + q * c) + c * (p * c - q * s).
  by rewrite -[LHS]mulr1 -cs; ring.
have qE : q = c * (p * s + q * c) - s * (p * c - q * s).
  by rewrite -[LHS]mulr1 -cs; ring.
by split; [rewrite pE|rewrite qE]; rewrite h0 h2 !mulr0 ?addr0 ?subrr.
Qed.

Section Zeros.
Variables (w a : nat -> R) (m : nat).

Let x (j : 'I_m) : R := cos (w j).

Lemma cos_frequency_inj : frequencies w m.*2 -> injective x.
Proof.
move=> [w0 w1] i j xij; apply/val_inj; apply: w1; rewrite ?ltn_double ?ltn_ord //.
have itv (l : 'I_m) : w l \in `[0, pi].
  have /andP[l0 l1] : 0 < w l < pi by apply: w0; rewrite ltn_double.
  by rewrite in_itv /= !ltW.
exact: cos_inj (itv i) (itv j) xij.
Qed.

Lemma two_neq0 : 2%:R != 0 :> R. Proof. by rewrite pnatr_eq0. Qed.

Lemma sinusoids_indep : frequencies w m.*2 ->
    (forall k, (k < m.*2)%N -> \sum_(c < m.*2) a c * sinusoid w k c = 0) ->
  forall c, (c < m.*2)%N -> a c = 0.
Proof.
move=> wP a0 c cm; have jm : (c./2 < m)%N by lia.
have [w0 _] := wP.
have z k : (k < 2)%N -> wave w a (Ordinal jm) (k + m.-1) = 0.
  apply: (isolate (u := fun j k => wave w a j k) (cos_frequency_inj wP) two_neq0).
    by move=> j l; apply: wave_rec.
  move=> l lm; rewrite -[RHS](a0 l); last lia.
  by rewrite (sum_pairs (fun c => a c * sinusoid w l c)).
have [] := wave_eq0 (w0 _ _) (z 0%N isT) (z 1%N isT); first by rewrite ltn_double.
move=> /= a0E a1E; by rewrite -(odd_double_half c); case: (odd c).
Qed.

End Zeros.

(* odd number of columns                                                       *)
Lemma sinusoids_indep_odd w a m : frequencies w m.*2.+1 -> sin (m%:R * w m) != 0 ->
    (forall k, (k < m.*2.+1)%N -> \sum_(c < m.*2.+1) a c * sinusoid w k c = 0) ->
  forall c, (c < m.*2.+1)%N -> a c = 0.
Proof.
move=> wP sm a0.
(* the coefficient of the missing cosine is 0                                  *)
pose b c := if c == m.*2.+1 then 0 else a c.
have wP' : frequencies w m.+1.*2.
  by have [w0 w1] := wP; split=> *; [apply: w0|apply: w1] => //; lia.
have am0 : a m.*2 = 0.
  have : wave w b m m = 0.
    apply: (isolate (u := fun (j : 'I_m.+1) k => wave w b j k) (N := 1)
      (cos_frequency_inj wP') two_neq0 _ _ ord_max (ltn0Sn 0)).
      by move=> j l; apply: wave_rec.
    move=> l lm; rewrite -[RHS](a0 l) // -(sum_pairs (fun c => b c * sinusoid w l c)).
    rewrite doubleS big_ord_recr /= /b eqxx mul0r addr0.
    by apply: eq_bigr => c _; rewrite ltn_eqF.
  rewrite waveE /b eqxx mul0r addr0 ltn_eqF // => /eqP.
  by rewrite mulf_eq0 (negPf sm) orbF => /eqP.
move=> c; rewrite ltnS leq_eqVlt => /predU1P[-> //|].
apply: (sinusoids_indep (frequenciesW (leqnSn _) wP)) => k km.
rewrite -[RHS](a0 k); last by rewrite leqW.
by rewrite big_ord_recr /= am0 mul0r addr0.
Qed.

(* -------------------------------------------------------------------------- *)
(* The rank                                                                    *)
(* -------------------------------------------------------------------------- *)

Lemma square_encoding_free w d :
    (forall a, (forall k, (k < d)%N -> \sum_(c < d) a c * sinusoid w k c = 0) ->
      forall c, (c < d)%N -> a c = 0) ->
  forall n, (n <= d)%N -> row_free (sinusoidal_encoding w n d).
Proof.
move=> indep n nd; have fd : row_free (sinusoidal_encoding w d d).
  rewrite row_free_unit -unitmx_tr -row_free_unit; apply: inj_row_free => v v0.
  pose a c := if insub c is Some i then v 0 i else 0.
  have aE (i : 'I_d) : a i = v 0 i by rewrite /a valK.
  apply/rowP => i; rewrite mxE -aE; apply: indep => // k kd.
  move/rowP/(_ (Ordinal kd)): v0; rewrite !mxE => v0; rewrite -[RHS]v0.
  by apply: eq_bigr => c _; rewrite aE !mxE.
have -> : sinusoidal_encoding w n d = rowsub (widen_ord nd) 1%:M *m sinusoidal_encoding w d d.
  by rewrite mul_rowsub_mx mul1mx; apply/matrixP => i j; rewrite !mxE.
rewrite /row_free mxrankMfree //; apply/row_freeP; exists (colsub (widen_ord nd) 1%:M).
rewrite -mxsub_mul mul1mx; apply/matrixP => i j; rewrite !mxE.
by congr (_ %:R); rewrite -val_eqE.
Qed.

Lemma encoding_free_cols w n d d' : (d' <= d)%N ->
  row_free (sinusoidal_encoding w n d') -> row_free (sinusoidal_encoding w n d).
Proof.
move=> dd' fd; apply: inj_row_free => v v0; apply/eqP; rewrite -(mulmx_free_eq0 _ fd).
have -> : sinusoidal_encoding w n d' = colsub (widen_ord dd') (sinusoidal_encoding w n d).
  by apply/matrixP => i j; rewrite !mxE.
by rewrite mulmx_colsub v0; apply/eqP/rowP => j; rewrite !mxE.
Qed.

Theorem sinusoidal_encoding_rank w n d : frequencies w d ->
  (n <= d)%N -> (odd d -> (n < d)%N) -> \rank (sinusoidal_encoding w n d) = n.
Proof.
move=> wP nd odd_d; apply/eqP; rewrite -[_ == _]/(row_free _).
have hd : (d./2.*2 <= d)%N by lia.
apply: (encoding_free_cols hd); apply: square_encoding_free => [a|].
  by apply: sinusoids_indep; apply: frequenciesW wP.
by move: odd_d; case: (boolP (odd d)) => od => [/(_ isT)|_]; lia.
Qed.

Theorem sinusoidal_encoding_rank_odd w n m : frequencies w m.*2.+1 ->
  sin (m%:R * w m) != 0 -> (n <= m.*2.+1)%N ->
  \rank (sinusoidal_encoding w n m.*2.+1) = n.
Proof.
move=> wP sm nd; apply/eqP; rewrite -[_ == _]/(row_free _).
by apply: square_encoding_free => // a; apply: sinusoids_indep_odd.
Qed.

(* -------------------------------------------------------------------------- *)
(* The frequencies of the paper                                                *)
(* -------------------------------------------------------------------------- *)

Local Notation frequency := (frequency R).

Lemma base_gt1 : 1 < 10%:R ^+ 4 :> R. Proof. by rewrite exprn_egt1 ?ltr1n. Qed.

Lemma frequencyP d : frequencies (frequency d) d.
Proof.
have l0 : 0 < ln (10%:R ^+ 4) :> R by apply/ln_gt0/base_gt1.
split=> [j jd|i j id_ jd].
  have d0 : 0 < d%:R :> R by rewrite ltr0n; lia.
  rewrite exp_fun_gt0 /= (@le_lt_trans _ _ 1) //.
    by rewrite -expR0 ler_expR mulNr oppr_le0 mulr_ge0 ?divr_ge0 ?ler0n // ltW.
  by rewrite (@lt_le_trans _ _ 2%:R) ?ltr1n // pi_ge2.
have d0 : d%:R != 0 :> R by rewrite pnatr_eq0; lia.
move/expR_inj/(mulIf (lt0r_neq0 l0))/oppr_inj/(divIf d0)/eqP.
by rewrite eqr_nat => /eqP; lia.
Qed.

Theorem positional_encoding_rank n d : (n <= d)%N -> (odd d -> (n < d)%N) ->
  \rank (sinusoidal_encoding (frequency d) n d) = n.
Proof. by apply: sinusoidal_encoding_rank; apply: frequencyP. Qed.

(* 10000^(1/d) <= c                                                            *)
Lemma root_le (c : R) k d : 1 <= c -> (0 < k <= d)%N -> 10%:R ^+ 4 <= c ^+ k ->
  (10%:R ^+ 4) `^ (d%:R^-1) <= c.
Proof.
move=> c1 /andP[k0 kd] le_c; have c0 : 0 < c by apply: lt_le_trans c1.
have d0 : 0 < d%:R :> R by rewrite ltr0n; lia.
rewrite -[leRHS]lnK ?posrE // ler_expR mulrC ler_pdivr_mulr //.
rewrite (le_trans (_ : _ <= ln (c ^+ k))) //.
  by rewrite ler_ln ?posrE ?exprn_gt0 ?ltr0n.
by rewrite lnX // mulr_natr; apply: (ler_wpmuln2l (ln_ge0 c1)).
Qed.

(* with d = 2 m + 1, m w_m < 2 < pi                                             *)
Lemma sin_middle_neq0 m : (0 < m < 10 ^ 4)%N -> sin (m%:R * frequency m.*2.+1 m) != 0.
Proof.
move=> /andP[m0 m_lt]; set d := m.*2.+1.
have B0 : 0 < 10%:R ^+ 4 :> R by rewrite exprn_gt0 ?ltr0n.
have d0 : d%:R != 0 :> R by rewrite pnatr_eq0.
have wE : frequency d m = (10%:R ^+ 4) `^ (d%:R^-1) / 10%:R ^+ 4.
  rewrite -(exp_fun_inv B0) -exp_funD // /frequency; congr exp_fun.
  apply: (mulIf d0); rewrite mulrDl mulNr !divfK // mulVf // mulN1r /d -natr1 opprD.
  by rewrite addrCA subrr addr0.
have w0 : 0 < frequency d m by apply: exp_fun_gt0.
rewrite gt_eqF // sin_gt0_pi // mulr_gt0 ?ltr0n //=.
rewrite (@lt_le_trans _ _ 2%:R) ?pi_ge2 // wE mulrA ltr_pdivr_mulr //.
have [d14|d14] := leqP 14 d.
  have root : (10%:R ^+ 4) `^ (d%:R^-1) <= 2%:R :> R.
    by apply: (@root_le _ 14) => //; rewrite ?ler1n // -!natrX ler_nat (expnMn 2 5 4) (expnD 2 4 10) leq_pmul2l.
  rewrite (le_lt_trans (ler_wpmul2l (ler0n _ _) root)) // mulrC ltr_pmul2l ?ltr0n //.
  by rewrite -natrX ltr_nat.
have root : (10%:R ^+ 4) `^ (d%:R^-1) <= 32%:R :> R.
  apply: (@root_le _ 3); [by rewrite ler1n|by lia|].
  by rewrite -!natrX ler_nat (expnMn 2 5 4) -(expnM 2 5 3) (expnD 2 4 11) leq_pmul2l.
rewrite (le_lt_trans (ler_wpmul2l (ler0n _ _) root)) // -natrX -!natrM ltr_nat.
by apply: (@leq_ltn_trans (6 * 32)%N); first lia.
Qed.

(* odd d, all n <= d                                                            *)
Theorem positional_encoding_rank_odd n d :
  odd d -> (1 < d <= 2 * 10 ^ 4)%N -> (n <= d)%N ->
  \rank (sinusoidal_encoding (frequency d) n d) = n.
Proof.
move=> od /andP[d1 d_le]; have dE : d = d./2.*2.+1 by lia.
move: d./2 dE => m dE; rewrite {}dE in d1 d_le *.
apply: sinusoidal_encoding_rank_odd; first exact: frequencyP.
by apply: sin_middle_neq0; lia.
Qed.

End Encoding.
