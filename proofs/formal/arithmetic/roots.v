(* The proved checker, roots of 2: the powers b ^ i, i < N, of b = 2 ^ (1/N) are  *)
(* linearly independent over the rational numbers, so b may have any residue g    *)
(* with g ^ N = 2.                                                                *)
(*                                                                                *)
(*   relation c == sum_(i < N) c_i b ^ i = 0                                       *)
(*   rotate c == the same relation divided by b                                    *)
(*   place_root == (b, g) is a place when b ^ N = 2 and g ^ N = 2 modulo p          *)
From Attest Require Import integers transcendence literal_arithmetic residues.

Local Notation Z := BinNums.Z.

Lemma powmodE p g n : (1 < p)%coqZ -> eqm p (powmod p g n) (g ^+ Pos.to_nat n).
Proof.
move=> p1; have p0 := p_neq0 p1; elim: n => [n IH|n IH|] /=; last exact: eqm_refl.
  rewrite Pos2Nat.inj_xI multE exprSr mulnC exprM expr2.
  apply: eqm_trans (eqm_mod _ p0) _; apply: eqmM (eqm_refl _ _).
  by apply: eqm_trans (eqm_mod _ p0) _; apply: eqmM.
rewrite Pos2Nat.inj_xO multE mulnC exprM expr2.
by apply: eqm_trans (eqm_mod _ p0) _; apply: eqmM.
Qed.

Section Root.
Variables (F : numFieldType) (N : nat) (b : F).
Hypotheses (N0 : (0 < N)%N) (bN : b ^+ N = 2%:R).
Implicit Types c : nat -> int.

Definition relation c : Prop := \sum_(0 <= i < N) (c i)%:~R * b ^+ i = 0.

Definition rotate c (i : nat) : int := if (i.+1 < N)%N then c i.+1 else (c 0%N %/ 2)%Z.

(* multiplication by sum_i c_i b ^ i in the basis b ^ i has a determinant that is *)
(* c_0 ^ N modulo 2                                                              *)
Lemma relation_even c : relation c -> (2 %| c 0%N)%Z.
Proof.
move=> rel; pose M : 'M[int]_N :=
  \matrix_(i, k) if (k <= i)%N then c (i - k)%N else c (N + i - k)%N * 2%:Z.
have det0 : \det M = 0.
  apply/eqP; rewrite -(intr_eq0 F) -det_map_mx; apply/det0P; exists (\row_i b ^+ i).
    apply/eqP => /rowP/(_ (Ordinal N0)); rewrite !mxE expr0 => /eqP.
    by rewrite oner_eq0.
  apply/rowP => k; rewrite !mxE; have kN := ltnW (ltn_ord k).
  pose G i := (c (if (k <= i)%N then i - k else N + i - k)%N)%:~R * b ^+ (if (k <= i)%N then i else N + i)%N.
  transitivity (\sum_(0 <= i < N) G i).
    rewrite big_mkord; apply: eq_bigr => i _; rewrite !mxE /G; case: ifP => _; first by rewrite mulrC.
    by rewrite rmorphM /= exprD bN mulrC mulrA.
  rewrite (big_cat_nat _ _ _ (leq0n k) kN) /=.
  have -> : \sum_(0 <= i < k) G i = \sum_(N - k <= j < N) (c j)%:~R * b ^+ j * b ^+ k.
    rewrite -{1}(add0n (N - k)%N) big_addn subKn //; apply: eq_big_nat => i /andP[_ ik].
    by rewrite /G leqNgt ik /= addnBA // (addnC i) -mulrA -exprD subnK // (leq_trans kN) ?leq_addr.
  have -> : \sum_(k <= i < N) G i = \sum_(0 <= j < N - k) (c j)%:~R * b ^+ j * b ^+ k.
    rewrite -{1}(add0n (k : nat)) big_addn; apply: eq_big_nat => i _.
    by rewrite /G leq_addl addnK -mulrA -exprD.
  rewrite addrC -(big_cat_nat _ _ _ (leq0n (N - k)%N) (leq_subr _ _)) /=.
  by rewrite -mulr_suml rel mul0r.
have p2 : prime 2 by [].
have even_int (z : int) : ((z%:~R : 'F_2) == 0) = (2 %| z)%Z.
  rewrite dvdzE /= (dvdn_charf (char_Fp p2)); case: z => k; first by rewrite -pmulrn.
  by rewrite NegzE mulrNz oppr_eq0 -pmulrn abszN.
have := congr1 (fun z : int => z%:~R : 'F_2) det0; rewrite -det_map_mx /= mulr0z det_trig.
  move=> /eqP; rewrite (eq_bigr (fun=> (c 0%N)%:~R : 'F_2)); last first.
    by move=> i _; rewrite !mxE leqnn subnn.
  by rewrite prodr_const card_ord expf_eq0 N0 even_int.
apply/is_trig_mxP => i k ik; rewrite !mxE leqNgt ik /= rmorphM /=.
by rewrite (_ : 2%:Z%:~R = 0 :> 'F_2) ?mulr0 //; apply/eqP; rewrite even_int.
Qed.

Lemma relation_rotate c : relation c -> relation (rotate c).
Proof.
move=> rel; have /dvdzP[k kE] := relation_even rel.
have b0 : b != 0.
  by apply/eqP => b0; move/eqP: bN; rewrite b0 expr0n gtn_eqF //= eq_sym pnatr_eq0.
apply: (mulfI b0); rewrite mulr0 -[RHS]rel -(prednK N0) big_nat_recr // [RHS]big_nat_recl //=.
rewrite mulrDr addrC; congr (_ + _).
  rewrite /rotate (prednK N0) ltnn mulrCA -exprS (prednK N0) bN kE mulzK // expr0 mulr1.
  by rewrite rmorphM.
rewrite mulr_sumr; apply: eq_big_nat => i /andP[_ iN].
by rewrite /rotate -ltn_predRL iN mulrCA -exprS.
Qed.

Lemma rotateE c j i : (j <= N)%N -> (i < N)%N ->
  iter j rotate c i = if (i + j < N)%N then c (i + j)%N else (c (i + j - N)%N %/ 2)%Z.
Proof.
elim: j i => [|j IH] i jN iN; first by rewrite addn0 iN.
rewrite iterS {1}/rotate; have [i1|i1] := ltnP i.+1 N; first by rewrite IH ?(ltnW jN) // addnS addSn.
have iE : i.+1 = N by apply/eqP; rewrite eqn_leq iN.
rewrite IH ?(ltnW jN) // add0n jN addnS -addSn iE ltnNge leq_addr /=.
by rewrite addKn.
Qed.

Lemma relation_iter c j : relation c -> relation (iter j rotate c).
Proof. by move=> rel; elim: j => //= j; apply: relation_rotate. Qed.

Lemma relation_dvd m c : relation c -> (2 ^+ m %| c 0%N)%Z.
Proof.
elim: m c => [|m IH] c rel; first by rewrite expr0 dvd1z.
have /dvdzP[k kE] := relation_even rel.
have := IH _ (relation_iter N rel); rewrite rotateE // add0n ltnn subnn kE mulzK // => mk.
by rewrite exprSr dvdz_mul.
Qed.

Lemma relation0 c i : relation c -> (i < N)%N -> c i = 0.
Proof.
move=> rel iN; have -> : c i = iter i rotate c 0%N by rewrite rotateE ?add0n ?iN // ltnW.
move: (iter i rotate c) (relation_iter i rel) => {}c {}rel; apply/eqP; rewrite -absz_eq0.
apply: contraLR (relation_dvd `|c 0%N| rel); rewrite -lt0n dvdzE abszX => c0.
by apply/negP => /(dvdn_leq c0); rewrite leqNgt ltn_expl.
Qed.

Lemma place_root p g : eqm p (g ^+ N) 2%coqZ -> place p b g.
Proof.
move=> g2 P P0; pose X2 : {poly int} := 'X^N - 2%:P.
have sX : size X2 = N.+1.
  by rewrite size_addl ?size_polyXn // size_opp (leq_ltn_trans (size_polyC_leq1 _)).
have mX : X2 \is monic.
  by rewrite monicE lead_coefDl ?lead_coefXn // size_polyXn size_opp (leq_ltn_trans (size_polyC_leq1 _)).
have PE := Pdiv.RingMonic.rdivp_eq mX P; set Q := Pdiv.Ring.rdivp P X2 in PE; set r := Pdiv.Ring.rmodp P X2 in PE.
have sr : (size r <= N)%N by rewrite -ltnS -sX Pdiv.Ring.ltn_rmodpN0 // monic_neq0.
have XE (K : comRingType) (x : K) : eval_at x X2 = x ^+ N - 2%:~R.
  by rewrite rmorphB eval_atC rmorphX eval_atX.
have r0 : r = 0.
  have rel : relation (fun i => r`_i).
    move: P0; rewrite PE rmorphD rmorphM XE bN subrr mulr0 add0r eval_atE.
    rewrite (horner_coef_wide _ (leq_trans (size_poly _ _) sr)) => P0.
    by rewrite /relation -[RHS]P0 big_mkord; apply: eq_bigr => i _; rewrite coef_map.
  apply/polyP => i; rewrite coef0; have [iN|Ni] := ltnP i N; first exact: (relation0 rel iN).
  by rewrite nth_default // (leq_trans sr).
rewrite PE r0 addr0 rmorphM XE; case: g2 => k ->; exists (eval_at g Q * k).
by rewrite add0r [_ - _]addrAC subrr add0r mulrCA.
Qed.

End Root.
