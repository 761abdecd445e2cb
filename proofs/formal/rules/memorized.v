(* Labels that layers predict exactly, by ranks: what the quantities MemorizesAll,   *)
(* MemorizesAllSkip and MemorizesGiven mean, and the schemas that bound them.        *)
(*                                                                                   *)
(*   largest_in == a largest number has the property, unless it is 0                  *)
(*   capacity_geq == the capacity is at least k when some layer's rank(Z) is          *)
(*   capacity_memorizes, capacity_memorizes_skip == a capacity of T does              *)
(*   labels_fitted, labels_missed == rank [Z Y] against rank(Z), for given weights    *)
(*   labels_fitted_bias, labels_missed_bias == rank [Z 1 Y] against rank [Z 1]        *)
(*   memorizes_given_factors == memorizes_given says memorizes of attention.v, where  *)
(*          the given layer has no biases                                             *)
From Attest Require Import integers attention theorem_1 literal_arithmetic problem logits quantity_bounds.

Local Notation Z := BinNums.Z.

Lemma largest_in N (P : nat -> Prop) : (0 < largest N P)%N -> P (largest N P).
Proof.
rewrite /largest => pos; have [[k Pk]|none] := pselect (exists k : 'I_N.+1, `[< P k >]); last first.
  by move: pos; rewrite big1 // => k Pk; case: none; exists k.
have : (0 < #|[pred k : 'I_N.+1 | `[< P k >]]|)%N by apply/card_gt0P; exists k; rewrite inE.
move/(eq_bigmax_cond (fun k : 'I_N.+1 => k : nat)) => [j]; rewrite inE => /asboolP Pj E.
by rewrite (_ : \max_(_ < _ | _) _ = j).
Qed.

Section Memorized.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).

Lemma capacity_geq k : (k <= capacity R D)%N <->
  exists P : weights R H d (d_h D) 0 0 0, (k <= \rank (attention.Z E e P))%N.
Proof.
split=> [kc|[P kP]]; last first.
  apply: (leq_trans kP); apply: largest_geq; last by exists P.
  by rewrite leq_min rank_leq_row rank_leq_col.
case: (posnP (capacity R D)) => [c0|/largest_in[P cP]]; last by exists P; apply: leq_trans cP.
by exists (Weights (fun=> 0) (fun=> 0) (fun=> 0) 0 0); move: kc; rewrite c0 leqn0 => /eqP ->.
Qed.

Lemma full_capacity : (T <= capacity R D)%N ->
  exists K Q : 'I_H -> 'M[R]_(d, d_h D), \rank (Zmx E e (fun h => K h *m (Q h)^T)) = T.
Proof.
case/capacity_geq=> P rP; exists (WK P), (WQ P).
by apply/eqP; rewrite eqn_leq rank_leq_row -ZE.
Qed.

Lemma capacity_memorizes : (d_out D <= d_v D)%N -> (T <= capacity R D)%N -> memorizes_any R D.
Proof.
move=> ov /full_capacity[K [Q rZ]] y; have [U UP] := readout_memorizes ov (leqnn _) rZ y.
by exists (readout (d_v D) (d_out D) K Q U).
Qed.

Lemma capacity_memorizes_skip : (d_out D <= d_v D)%N -> (d_out D <= d)%N -> (T <= capacity R D)%N ->
  memorizes_any_skip R D.
Proof.
move=> ov od /full_capacity[K [Q rZ]] y.
have [U UP] := readout_memorizes ov od rZ (fun t => y t - (pid_mx (d_out D) : 'M_(d_out D, d)) *m e t).
exists (readout (d_v D) d K Q U) => t.
rewrite /predict_skip /layer_out_skip mulmxDr -[X in X + _]/(predict _ _ _) UP.
by rewrite /= /readout_D tr_pid_mx subrK.
Qed.

(* --- given weights *)
Variable L : layer.
Hypothesis givenD : given D = Some L.
Local Notation z t := (fun h => (E t)^T *m softmax (factor R D false *: logits R L t h)).
Local Notation Y := (label_matrix R D).
Local Notation target := (@target R D).

Lemma target_row t : (target t)^T = row t Y.
Proof. by apply/rowP => o; rewrite !mxE. Qed.

Lemma rank_row_mxA k l m (A : 'M[R]_(T, k)) (B : 'M[R]_(T, l)) (C : 'M[R]_(T, m)) :
  \rank (row_mx A (row_mx B C)) = \rank (row_mx (row_mx A B) C).
Proof. by rewrite row_mxA -mxrank_tr trmx_cast eqmx_cast mxrank_tr. Qed.

(* columns that add nothing to the rank are a multiple of the others                 *)
Lemma columns_within k m (M : 'M[R]_(T, k)) (N : 'M[R]_(T, m)) : (\rank (row_mx M N) <= \rank M)%N ->
  exists U, N = M *m U.
Proof.
move=> rN; have MS : (M^T <= (row_mx M N)^T)%MS by rewrite tr_row_mx -addsmxE addsmxSl.
have NM : (N^T <= M^T)%MS.
  apply: submx_trans (_ : (row_mx M N)^T <= _)%MS; first by rewrite tr_row_mx -addsmxE addsmxSr.
  by rewrite -(geq_leqif (mxrank_leqif_sup MS)) !mxrank_tr.
by have /submxP[U /(congr1 trmx)] := NM; rewrite trmx_mul !trmxK => ->; exists U^T.
Qed.

(* what is linear in Z is what some values, outputs and read-out predict            *)
Lemma given_readout_exists (U : 'M[R]_(H * d, d_out D)) : (d_out D <= d_v D)%N ->
  exists P, forall t, predict_given L P t = (row t (given_Z R D L false *m U))^T.
Proof.
move=> ov; exists (Weights (fun=> 0) (fun=> 0) (readout_V (d_v D) U) (readout_O R (d_v D) (d_out D) (d_out D) H)
  (readout_D R (d_out D) (d_out D))) => t.
by rewrite /predict_given readout_outputs //; congr trmx; rewrite row_mul rowK.
Qed.

Lemma labels_fitted : (d_out D <= d_v D)%N ->
  (\rank (row_mx (given_Z R D L false) Y) <= \rank (given_Z R D L false))%N -> memorizes_given R D.
Proof.
move=> ov /columns_within[U YE]; exists L => //; have [P PU] := given_readout_exists U ov.
by exists P => t; rewrite PU -YE -target_row trmxK.
Qed.

Lemma labels_fitted_bias : (d_out D <= d_v D)%N ->
    (\rank (row_mx (given_Z R D L false) (row_mx (ones_column R D) Y)) <=
      \rank (row_mx (given_Z R D L false) (ones_column R D)))%N ->
  memorizes_biased R D.
Proof.
move=> ov; set Zg := given_Z R D L false => rY; exists L => //.
rewrite rank_row_mxA in rY.
have [U YE] := columns_within rY; have [P PU] := given_readout_exists (usubmx U) ov.
exists P, (dsubmx U)^T => t; rewrite PU -[RHS]trmxK target_row YE -[X in _ = (row t (_ *m X))^T]vsubmxK mul_row_col linearD linearD /=.
congr (_ + _); congr trmx; apply/rowP => o; rewrite [RHS]mxE [RHS]mxE big_ord1 [ones_column _ _ _ _]mxE mul1r.
by congr (dsubmx _ _ _); apply: val_inj; rewrite ord1.
Qed.

(* what values, outputs and a read-out predict is linear in Z                       *)
Lemma predict_given_linear P : exists U, \matrix_t (predict_given L P t)^T = given_Z R D L false *m U.
Proof.
set Zg := given_Z R D L false.
pose S h : 'M[R]_(H * d, d) := colsub (fun j => mxvec_index h j) 1%:M.
pose O h : 'M[R]_(d_v D, d_out D) := \matrix_j row (mxvec_index h j) (WO P).
exists (\sum_h S h *m (WV P h *m O h *m WD P)).
  apply/row_matrixP => t; rewrite rowK /predict_given !trmx_mul !trmxK row_mul rowK mulmx_sumr /stack trmxK.
  have -> : mxvec (\matrix_h ((WV P h)^T *m z t h)^T) *m WO P = \sum_h (z t h)^T *m WV P h *m O h.
    apply/rowP => o; rewrite mxE summxE (reindex _ (curry_mxvec_bij _ _)) /=.
    rewrite (eq_bigr (fun p => ((z t p.1)^T *m WV P p.1) 0 p.2 * WO P (mxvec_index p.1 p.2) o)); last first.
      by move=> [h j] _ /=; rewrite mxvecE mxE trmx_mul trmxK.
    rewrite -(pair_bigA _ (fun h j => ((z t h)^T *m WV P h) 0 j * WO P (mxvec_index h j) o)) /=.
    by apply: eq_bigr => h _; rewrite [RHS]mxE; apply: eq_bigr => j _; rewrite [O h _ _]mxE [row _ _ _ _]mxE.
  rewrite mulmx_suml; apply: eq_bigr => h _; rewrite !mulmxA; do 3![congr (_ *m _)].
  rewrite mulmx_colsub mulmx1; apply/rowP => j.
  by rewrite [RHS]mxE mxvecE [RHS]mxE.
Qed.

Lemma labels_missed : (\rank (given_Z R D L false) < \rank (row_mx (given_Z R D L false) Y))%N ->
  ~ memorizes_given R D.
Proof.
set Zg := given_Z R D L false => + [L' givenL' [P PP]]; rewrite ltnNge => /negP; apply.
have LE : L' = L by move: givenL'; rewrite givenD => -[].
have [U UE] := predict_given_linear P; rewrite {}LE in PP.
have {1}-> : Y = Zg *m U by rewrite -UE; apply/row_matrixP => t; rewrite rowK PP target_row.
rewrite -[X in row_mx X _](mulmx1 Zg) -mul_mx_row; exact: mxrankM_maxl.
Qed.

Lemma labels_missed_bias : (\rank (row_mx (given_Z R D L false) (ones_column R D)) <
    \rank (row_mx (given_Z R D L false) (row_mx (ones_column R D) Y)))%N ->
  ~ memorizes_biased R D.
Proof.
set Zg := given_Z R D L false => + [L' givenL' [P [b PP]]]; rewrite ltnNge => /negP; apply.
have LE : L' = L by move: givenL'; rewrite givenD => -[].
have [U UE] := predict_given_linear P; rewrite {}LE in PP.
have {1}-> : Y = Zg *m U + ones_column R D *m b^T.
  rewrite -UE; apply/row_matrixP => t; rewrite linearD /= rowK -target_row -PP linearD /=; congr (_ + _).
  rewrite row_mul; apply/rowP => o; rewrite [RHS]mxE big_ord1 [row _ _ _ _]mxE [ones_column _ _ _ _]mxE mul1r.
  by congr (b^T _ _); apply: val_inj.
rewrite rank_row_mxA (_ : row_mx (row_mx _ _) _ = row_mx Zg (ones_column R D) *m row_mx 1%:M (col_mx U b^T)).
  exact: mxrankM_maxl.
by rewrite mul_mx_row mulmx1 mul_row_col.
Qed.

(* without biases, the keys and queries are those of the case, the keys scaled       *)
Lemma memorizes_given_factors m qk K qq Q : L = Factors m qk K qq Q 1 [::] 1 [::] ->
  memorizes_given R D <-> exists P : weights R H d m (d_v D) (d_out D) (d_out D),
    [/\ WK P = (fun h => factor R D false *: literal R d m qk K h), WQ P = literal R d m qq Q &
      memorizes E e P target].
Proof.
move=> LE; have zE (P : weights R H d m (d_v D) (d_out D) (d_out D)) t h :
    WK P = (fun h => factor R D false *: literal R d m qk K h) -> WQ P = literal R d m qq Q ->
    head_z P (E t) (e t) h = (E t)^T *m softmax (factor R D false *: logits R L t h).
  move=> PK PQ; have b0 k : literal_bias R m 1 [::] k = 0 :> 'cV_m.
    by apply/colP => i; rewrite !mxE /ent nth_nil nth_nil rmorph0 mul0r.
  rewrite /head_z /alpha /keys /query PK PQ LE /logits !b0 addr0 trmx0 mulmx0 addr0.
  by rewrite -scalemxAr -scalemxAl.
split=> [[L' givenL' [P PP]]|[P [PK PQ PP]]].
  have E' : L' = L by move: givenL'; rewrite givenD => -[].
  exists (Weights (fun h => factor R D false *: literal R d m qk K h) (literal R d m qq Q) (WV P) (WO P) (WD P)).
  split; [by []|by []|move=> t]; rewrite -PP E' [LHS]/predict /layer_out [WD _]/= [WO _]/=; congr (_ *m (_ *m stack _)).
  by apply/funext => h; rewrite /head_out zE.
exists L; first exact: givenD.
exists (Weights (fun=> 0) (fun=> 0) (WV P) (WO P) (WD P)) => t.
rewrite -PP [RHS]/predict /layer_out [WD _]/= [WO _]/=; congr (_ *m (_ *m stack _)).
by apply/funext => h; rewrite /head_out zE.
Qed.

End Memorized.
