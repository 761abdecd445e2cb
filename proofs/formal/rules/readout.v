(* The proved checker, nearly inverses: of T columns of Z of a layer, and weights in balls that give *)
(* exactly the labels; of square parts of Z, whose order bounds rank(Z) from below.                  *)
(*                                                                                                   *)
(*        with_layer D L == the problem with L in place of its layer, whose scale is in its weights  *)
(*        chosen_columns == enclosures of the columns of Z that are chosen                           *)
(*            readout_ok == |I - R A| is below 1, and |R (Y - A mid)| small                          *)
(*      readout_enclosed == A is invertible, and A U = Y for some U in the balls                     *)
(*         readout_sound == so some layer of the shape gives exactly the labels                      *)
(*   case_layer_at D L a == the problem with L in place of its layer; a: the scale is in its weights *)
(*     enclosed_minor_ok == |I - R A| is below 1 for a square part A of Z of the layer               *)
(*   enclosed_minor_rank == so its order is at most rank(Z)                                          *)
From Attest Require Import integers attention common kruskal proposition_1 theorem_1 problem.
From Attest Require Import literal_arithmetic claims logits quantities enclosures quantity_bounds schemas.
From Attest Require Import intervals saturation.

Local Notation Z := BinNums.Z.

(* ==================================================================================== *)
(* Read-outs                                                                            *)
(* ==================================================================================== *)
(* T columns of Z of a layer, nearly an inverse of them, and weights in balls that give *)
(* exactly the labels.                                                                  *)

Definition with_layer (D : problem) (L : layer) : problem :=
  Problem (T D) (H D) (n D) (d D) (d_h D) (d_v D) (d_out D) (base_two D) (Rational 1 1) (q_contexts D) (context_rows D)
    (q_queries D) (queries D) (Some L) (q_labels D) (labels D) None.

Definition chosen_columns (D : problem) (L : layer) (bits : nat) (cols : seq nat) : seq (seq (Z * Z)) :=
  let D' := with_layer D L in
  [seq [seq nth (0, 0)%coqZ r j | j <- cols] | r <- rounded_Z D' (attention_table D' bits) bits].

(* integers over common denominators: T x T, T x d_out, T x d_out                   *)
Record enclosed_readout := EnclosedReadout {
  q_inverse : positive; inverse_rows : seq (seq Z);
  q_mid : positive; mids : seq (seq Z);
  q_rad : positive; rads : seq (seq Z)
}.

Definition worst (l : seq Z) : Z := foldr Z.max 0%coqZ l.

Section Compute.
Variables (D : problem) (c : arguments) (w : enclosed_readout).

(* the labels, without the query where it is added, over q_target                   *)
Definition q_target : positive := (q_labels D * q_queries D)%positive.
Definition target_entry (t o : nat) : Z :=
  (ent (labels D) t o * Zpos (q_queries D)
   - (if added_query c then ent (queries D) t o * Zpos (q_labels D) else 0))%coqZ.

(* q_target q_mid s (Y - A mid) for one column of the weights, and by how much it may be wrong; s is twice the *)
(* denominator of the enclosures                                                                              *)
Definition residual (s : positive) (Zs : seq (seq (Z * Z))) (o : nat) : seq Z :=
  let mid := col o (mids w) in
  [seq (Zpos (q_mid w) * Zpos s * target_entry x.1 o - Zpos q_target * dot [seq middle y | y <- x.2] mid)%coqZ
    | x <- zip (iota 0 (T D)) Zs].
Definition residual_error (Zs : seq (seq (Z * Z))) (o : nat) : seq Z :=
  let size := [seq Z.abs x | x <- col o (mids w)] in
  [seq (Zpos q_target * dot [seq width_of x | x <- r] size)%coqZ | r <- Zs].

Definition label_column_ok (s : positive) (slack : Z) (Zs : seq (seq (Z * Z))) (o : nat) : bool :=
  let V := residual s Zs o in let N := residual_error Zs o in
  let most := worst [seq (Z.abs (dot r V) + dot [seq Z.abs x | x <- r] N)%coqZ | r <- inverse_rows w] in
  all (fun rad => most * Zpos (q_rad w) <=? slack * rad * (Zpos q_target * Zpos (q_mid w)))%coqZ (col o (rads w)).

Definition readout_ok (L : layer) (bits : nat) (cols : seq nat) : bool :=
  let Zs := chosen_columns D L bits cols in
  let s := (2 * two_power bits)%positive in
  let one := (Zpos (q_inverse w) * Zpos s)%coqZ in
  [&& [&& in_shape D L, wf_layer D L, size cols == T D & all (fun j => j < H D * d D)%N cols],
    [&& sizes_are (T D) (T D) (inverse_rows w), sizes_are (T D) (d_out D) (mids w), sizes_are (T D) (d_out D) (rads w),
      size (labels D) == T D & added_query c ==> (d_out D <= d D)%N] &
    let slack := (one - worst (defects_of (T D) one Zs (nseq (T D) 1%coqZ) (inverse_rows w)))%coqZ in
    (0 <? slack)%coqZ && all (label_column_ok s slack Zs) (iota 0 (d_out D))].

End Compute.

Section Layer.
Variables (R : realType) (D : problem) (L : layer).
Local Notation D' := (with_layer D L).

Lemma factor_with_layer : factor R D' false = factor R D true.
Proof. by rewrite /factor /scale_value /= toF1 divr1. Qed.

Lemma Z_with_layer : attention_Z R D' = given_Z R D L true.
Proof.
by rewrite (@attention_Z_given R D' L (erefl _)) [RHS]/given_Z -factor_with_layer; exact: erefl.
Qed.

Variables (bits : nat) (cols : seq nat).
Hypotheses (okD : wf_problem D) (okL : wf_layer D L).

Lemma chosen_columns_sizes : sizes_are (T D) (size cols) (chosen_columns D L bits cols).
Proof.
apply/andP; split; first by rewrite size_map size_rounded_Z.
by apply/allP => r /mapP[x _ ->]; rewrite size_map.
Qed.

Lemma chosen_columns_inside (g : 'I_(size cols) -> 'I_(H D * d D)) : (forall j, g j = nth 0%N cols j :> nat) ->
  forall (t : 'I_(T D)) j, inside (toF R (Zpos (two_power bits)) * given_Z R D L true t (g j))
    (nth (0, 0)%coqZ (nth [::] (chosen_columns D L bits cols) t) j).
Proof.
move=> gE t j; rewrite /chosen_columns (nth_map [::]) ?size_rounded_Z // (nth_map 0%N) // -gE.
by rewrite -Z_with_layer; apply: (@rounded_ZP R D').
Qed.

End Layer.

(* A (U - mid) is what is left, and U - mid = (I - R A) (U - mid) + R A (U - mid)     *)
Lemma solution_near (F : realFieldType) m (M : 'M[F]_m) (u : 'cV[F]_m) (g b : F) : (0 < m)%N ->
    (forall i, \sum_j `|(1%:M - M) i j| <= g) -> g < 1 -> (forall i, `|(M *m u) i 0| <= b) ->
  forall i, (1 - g) * `|u i 0| <= b.
Proof.
move=> m0 Mg g1 Mb i; have [k _ kP] := @arg_maxP _ _ _ i xpredT (fun i => `|u i 0|) isT.
have g0 : 0 <= g by apply: le_trans (Mg i); apply: sumr_ge0.
apply: le_trans (_ : (1 - g) * `|u k 0| <= _); first by rewrite ler_wpmul2l ?subr_ge0 ?(ltW g1) //; apply: kP.
rewrite mulrBl mul1r ler_subl_addr.
have {1}-> : u k 0 = (M *m u) k 0 + ((1%:M - M) *m u) k 0.
  by rewrite mulmxBl mul1mx [((u - _) : 'M_(_, _)) _ _]mxE [(- (M *m u)) k 0]mxE addrC subrK.
apply: le_trans (ler_norm_add _ _) (ler_add (Mb k) _); rewrite mxE.
apply: le_trans (ler_norm_sum _ _ _) _; apply: le_trans (_ : \sum_j `|(1%:M - M) k j| * `|u k 0| <= _).
  by apply: ler_sum => j _; rewrite normrM ler_wpmul2l //; apply: kP.
by rewrite -mulr_suml ler_wpmul2r.
Qed.

Lemma worst_geq l i : (i < size l)%N -> (nth 0 l i <= worst l)%coqZ.
Proof. by rewrite /worst; elim: l i => //= x l IH [|i] /= il; [lia|have := IH i il; lia]. Qed.

Section Sound.
Variables (R : realType) (D : problem) (c : arguments) (w : enclosed_readout) (L : layer) (bits : nat) (cols : seq nat).
Hypotheses (okD : wf_sizes D) (ok : readout_ok D c w L bits cols).
Local Notation T := (T D).
Local Notation z := (toF R).
Let okP := wf_sizes_problem okD.
Let T0 : (0 < T)%N. Proof. by case/and5P: okD. Qed.
Let s := (2 * two_power bits)%positive.
Let Zs := chosen_columns D L bits cols.
Let one := (Zpos (q_inverse w) * Zpos s)%coqZ.
Let defects := defects_of T one Zs (nseq T 1%coqZ) (inverse_rows w).

Let shape : in_shape D L. Proof. by case/and3P: ok => /and4P[]. Qed.
Let okL : wf_layer D L. Proof. by case/and3P: ok => /and4P[]. Qed.
Let sc : size cols = T. Proof. by case/and3P: ok => /and4P[_ _ /eqP]. Qed.
Let cw : all (fun j => j < H D * d D)%N cols. Proof. by case/and3P: ok => /and4P[]. Qed.
Let sI : sizes_are T T (inverse_rows w). Proof. by case/and3P: ok => _ /and5P[]. Qed.
Let sM : sizes_are T (d_out D) (mids w). Proof. by case/and3P: ok => _ /and5P[]. Qed.
Let sW : sizes_are T (d_out D) (rads w). Proof. by case/and3P: ok => _ /and5P[]. Qed.
Let skip : added_query c -> (d_out D <= d D)%N. Proof. by case/and3P: ok => _ /and5P[_ _ _ _ /implyP]. Qed.
Let slack := (one - worst defects)%coqZ.
Let slack0 : (0 < slack)%coqZ. Proof. by case/and3P: ok => _ _ /andP[/Z.ltb_lt]. Qed.
Let columnsP : all (label_column_ok D c w s slack Zs) (iota 0 (d_out D)). Proof. by case/and3P: ok => _ _ /andP[]. Qed.

Definition chosen (j : 'I_T) : 'I_(H D * d D).
Proof. by apply: (@Ordinal _ (nth 0%N cols j)); apply: (all_nthP 0%N cw); rewrite sc. Defined.

Definition A_mx : 'M[R]_T := \matrix_(t, j) given_Z R D L true t (chosen j).

Lemma A_enclosed : enclosed_mx (two_power bits) A_mx Zs.
Proof.
move=> t j; rewrite mxE; have jc : (j < size cols)%N by rewrite sc.
have [g gE] := ords_of cw.
have -> : chosen j = g (Ordinal jc) by apply: ord_inj; rewrite gE.
exact: (@chosen_columns_inside R D L bits cols okP okL g gE t (Ordinal jc)).
Qed.

Let sZ : sizes_are T T Zs. Proof. by have := chosen_columns_sizes D L bits cols; rewrite sc. Qed.

(* what the layer is to give                                                         *)
Definition target_mx : 'M[R]_(T, d_out D) := \matrix_(t, o) (z (target_entry D c t o) / z (Zpos (q_target D))).

Let Rm := mx R T T (q_inverse w) (inverse_rows w).
Definition mid_mx : 'M[R]_(T, d_out D) := mx R T (d_out D) (q_mid w) (mids w).
Definition rad_mx : 'M[R]_(T, d_out D) := mx R T (d_out D) (q_rad w) (rads w).

Let one0 : 0 < z one. Proof. exact: (toFp_gt0 R (q_inverse w * s)). Qed.

Lemma nth_ones (j : 'I_T) : nth 0%coqZ (nseq T 1%coqZ) j = 1%coqZ.
Proof. by rewrite nth_nseq ltn_ord. Qed.

Lemma A_norm (i : 'I_T) : \sum_j `|(1%:M - Rm *m A_mx) i j| <= z (worst defects) / z one.
Proof.
have w0 (j : 'I_T) : (0 <= nth 0 (nseq T 1%coqZ) j)%coqZ by rewrite nth_ones.
rewrite ler_pdivl_mulr // mulrC.
rewrite (eq_bigr (fun j => `|(1%:M - Rm *m A_mx) i j| * z (nth 0%coqZ (nseq T 1%coqZ) j))); last first.
  by move=> j _; rewrite nth_ones toF1 mulr1.
apply: le_trans (defects_leq (q_inverse w) A_enclosed sZ sI i w0) _; apply/toF_leq/worst_geq.
by have /andP[/eqP sI' _] := sI; rewrite size_map size_zip size_iota sI' minnn.
Qed.

Lemma A_unit : A_mx \in unitmx.
Proof.
apply: (defects_unit (q := q_inverse w) (w := nseq T 1%coqZ) A_enclosed sZ sI) => i; rewrite nth_ones //.
have iD : (i < size defects)%N.
  by have /andP[/eqP sI' _] := sI; rewrite size_map size_zip size_iota sI' minnn.
apply: Z.le_lt_trans (worst_geq iD) _; rewrite Z.mul_1_r; apply/Z.lt_0_sub; exact: slack0.
Qed.

Lemma nth_residual (o : 'I_(d_out D)) (t : 'I_T) :
  `|z (Zpos (q_target D)) * z (Zpos (q_mid w)) * z (Zpos s) * (target_mx - A_mx *m mid_mx) t o
    - z (nth 0%coqZ (residual D c w s Zs o) t)| <= z (nth 0%coqZ (residual_error D w Zs o) t).
Proof.
have /andP[/eqP sZ' _] := sZ; have /andP[/eqP sM' _] := sM.
rewrite (nth_map (0%N, [::])) ?size_zip ?size_iota ?sZ' ?minnn // nth_zip ?size_iota ?sZ' // nth_iota // add0n.
rewrite [nth 0%coqZ (residual_error _ _ _ _) _](nth_map [::]) ?sZ' //.
have qt := toFp_gt0 R (q_target D); have qm := toFp_gt0 R (q_mid w).
have sr : size (nth [::] Zs t) = T by apply: size_Zs_row sZ t.
set r := nth [::] Zs t in sr *; rewrite [X in target_entry _ _ X]/= [X in [seq middle y | y <- X]]/=.
rewrite toFB !toFM (@toF_dot R T) ?size_map ?sr // (@toF_dot R T) ?size_map ?sr //.
have -> : (target_mx - A_mx *m mid_mx) t o = z (target_entry D c t o) / z (Zpos (q_target D)) -
    \sum_(k < T) A_mx t k * (z (ent (mids w) k o) / z (Zpos (q_mid w))).
  rewrite mxE [target_mx _ _]mxE [(- (A_mx *m mid_mx)) t o]mxE [(A_mx *m mid_mx) t o]mxE; congr (_ - _).
  by apply: eq_bigr => k _; rewrite [mid_mx _ _]mxE.
set S := \sum_(k < T) A_mx _ _ * _; set U := \sum_(k < T) _.
set y := z (target_entry _ _ _ _).
have aux (a b e x v S' : R) : a != 0 -> a * b * e * (x / a - S') - (b * e * x - a * v) = a * (v - e * (b * S')).
  by move=> ?; field.
rewrite aux ?lt0r_neq0 // normrM gtr0_norm // ler_pmul2l //.
rewrite /S !mulr_sumr /U -sumrB; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => k _.
rewrite nth_col (nth_map (0, 0)%coqZ) ?sr // (nth_map (0, 0)%coqZ) ?sr //.
rewrite [nth 0%coqZ [seq Z.abs x | x <- _] _](nth_map 0%coqZ) ?size_map ?sM' // nth_col toF_abs.
have aux2 (e a m' q' v : R) : q' != 0 -> v * m' - e * (q' * (a * (m' / q'))) = - ((e * a - v) * m').
  by move=> ?; field.
rewrite aux2 ?lt0r_neq0 // normrN normrM ler_wpmul2r //.
exact: (middle_near A_enclosed t k).
Qed.

Lemma left_over (o : 'I_(d_out D)) (i : 'I_T) (k : 'I_T) :
  `|(Rm *m (target_mx - A_mx *m mid_mx)) i o| <= z slack / z one * rad_mx k o.
Proof.
have /andP[/eqP sI' _] := sI; have /andP[/eqP sZ' _] := sZ; have /andP[/eqP sW' _] := sW.
have qt := toFp_gt0 R (q_target D); have qm := toFp_gt0 R (q_mid w); have qr := toFp_gt0 R (q_rad w).
have qi := toFp_gt0 R (q_inverse w); have s0 := toFp_gt0 R s.
set V := residual D c w s Zs o; set N := residual_error D w Zs o; set r := nth [::] (inverse_rows w) i.
have sr : size r = T by apply: size_square_row sI.
pose X := (Z.abs (dot r V) + dot [seq Z.abs x | x <- r] N)%coqZ.
set most := worst [seq (Z.abs (dot r V) + dot [seq Z.abs x | x <- r] N)%coqZ | r <- inverse_rows w].
have Xmost : z X <= z most.
  apply: toF_leq; have := @worst_geq [seq (Z.abs (dot r V) + dot [seq Z.abs x | x <- r] N)%coqZ | r <- inverse_rows w] i.
  by rewrite size_map sI' ltn_ord (nth_map [::]) ?sI' // => /(_ isT).
have : label_column_ok D c w s slack Zs o by apply: (allP columnsP); rewrite mem_iota ltn_ord.
rewrite /label_column_ok -/V -/N -/most => /allP/(_ (nth 0%coqZ (col o (rads w)) k)).
rewrite mem_nth ?size_map ?sW' // => /(_ isT)/Z.leb_le/(@toF_leq R); rewrite nth_col !toFM => small.
pose a := z (Zpos (q_target D)) * z (Zpos (q_mid w)) * z (Zpos s).
have a0 : 0 < a by rewrite /a !mulr_gt0.
have bound : z (Zpos (q_inverse w)) * a * `|(Rm *m (target_mx - A_mx *m mid_mx)) i o| <= z X.
  rewrite -[a]gtr0_norm // -[z (Zpos (q_inverse w))]gtr0_norm // -!normrM mxE mulr_sumr.
  have -> : \sum_j z (Zpos (q_inverse w)) * a * (Rm i j * (target_mx - A_mx *m mid_mx) j o) =
      \sum_(j < T) z (nth 0%coqZ r j) * z (nth 0%coqZ V j) +
      \sum_(j < T) z (nth 0%coqZ r j) * (a * (target_mx - A_mx *m mid_mx) j o - z (nth 0%coqZ V j)).
    rewrite -big_split; apply: eq_bigr => j _; rewrite /= -mulrDr [_ + (_ - _)]addrC subrK.
    rewrite [Rm i j]mxE -/r; have aux (q' b x y : R) : q' != 0 -> q' * b * (x / q' * y) = x * (b * y) by move=> ?; field.
    exact/aux/lt0r_neq0.
  rewrite -(@toF_dot R T) ?sr //; apply: le_trans (ler_norm_add _ _) _; rewrite /X toFD toF_abs ler_add2l.
  apply: le_trans (ler_norm_sum _ _ _) _; under eq_bigr do rewrite normrM.
  by apply: row_error => // j; apply: nth_residual.
have X1 : z X * z (Zpos (q_rad w)) <= z slack * z (ent (rads w) k o) * (z (Zpos (q_target D)) * z (Zpos (q_mid w))).
  by apply: le_trans small; rewrite ler_pmul2r.
rewrite [rad_mx k o]mxE -(ler_pmul2l (mulr_gt0 qi a0)); apply: (le_trans bound).
rewrite -(ler_pmul2r qr); apply: (le_trans X1); rewrite le_eqVlt; apply/orP; left; apply/eqP.
rewrite /a; have aux (u v x y b r' e : R) : b != 0 -> r' != 0 -> e != 0 ->
    u * v * (x * y) = b * (x * y * e) * (u / (b * e) * (v / r')) * r'.
  by move=> b0 r0 e0; field; rewrite b0 r0 e0.
by apply: aux; apply: lt0r_neq0.
Qed.

Theorem readout_enclosed : exists U : 'M[R]_(T, d_out D),
  [/\ A_mx \in unitmx, A_mx *m U = target_mx & forall k o, `|U k o - mid_mx k o| <= rad_mx k o].
Proof.
exists (invmx A_mx *m target_mx); split=> [||k o]; first exact: A_unit.
  by rewrite mulmxA mulmxV ?mul1mx // A_unit.
set U := invmx _ *m _; have AU : A_mx *m U = target_mx by rewrite mulmxA mulmxV ?mul1mx // A_unit.
have s1 : 0 < z slack / z one by rewrite divr_gt0 // -(toF0 R); apply: toF_lt.
have slackE : 1 - z (worst defects) / z one = z slack / z one.
  by rewrite /slack toFB mulrBl divff // lt0r_neq0.
have g1 : z (worst defects) / z one < 1 by rewrite -subr_gt0 slackE.
have bound i : `|((Rm *m A_mx) *m matrix.col o (U - mid_mx)) i 0| <= z slack / z one * rad_mx k o.
  have -> : (Rm *m A_mx) *m matrix.col o (U - mid_mx) = matrix.col o (Rm *m (A_mx *m (U - mid_mx))).
    by rewrite !colE !mulmxA.
  by rewrite mulmxBr AU mxE; apply: left_over.
by have := solution_near T0 A_norm g1 bound k; rewrite slackE ler_pmul2l // !mxE.
Qed.

(* the columns of Z that are not chosen have the weights 0                            *)
Lemma labels_read (K Q : 'I_(H D) -> 'M[R]_(d D, d_h D)) :
    given_Z R D L true = Zmx (E R D) (e R D) (fun h => K h *m (Q h)^T) ->
  exists U, forall d_v d_o (t : 'I_T), (d_out D <= d_v)%N -> (d_out D <= d_o)%N ->
    predict (theorem_1.readout d_v d_o K Q U) (E R D t) (e R D t) = (row t target_mx)^T.
Proof.
move=> ZE'; have [U [_ AU _]] := readout_enclosed.
pose S : 'M[R]_(H D * d D, T) := \matrix_(k, j) (k == chosen j)%:R.
exists (S *m U) => d_v d_o t v0 o0; rewrite predict_readout; [|by []|by []].
rewrite ZE -ZE' mulmxA -!row_mul -AU; suff -> : given_Z R D L true *m S = A_mx by [].
apply/matrixP => i j; rewrite mxE [RHS]mxE (bigD1 (chosen j) isT) /= big1 ?addr0 => [|k kj]; rewrite [S _ _]mxE.
  by rewrite eqxx mulr1.
by rewrite (negPf kj) mulr0.
Qed.

Theorem readout_sound : holds R D c ReadOut.
Proof.
have [P PE] := in_shapeP R true shape; rewrite ZE in PE.
have [U UP] := labels_read PE; move=> d_v d_o v0 o0.
have q1 := lt0r_neq0 (toFp_gt0 R (q_labels D)); have q2 := lt0r_neq0 (toFp_gt0 R (q_queries D)).
case: ifP => [addE|plain].
  exists (theorem_1.readout d_v (d D) (WK P) (WQ P) U) => t.
  rewrite /predict_skip /layer_out_skip mulmxDr -[X in X + _]/(predict _ _ _) (UP _ _ t v0 (skip addE)).
  apply/colP => o; rewrite mxE [(row t target_mx)^T o 0]mxE [row t _ 0 o]mxE [target_mx t o]mxE /= /readout_D tr_pid_mx.
  rewrite [target _ _ _ _]mxE /target_entry addE toFB !toFM /q_target toFpM.
  have -> : ((pid_mx (d_out D) : 'M_(d_out D, d D)) *m e R D t) o 0 = z (ent (queries D) t o) / z (Zpos (q_queries D)).
    rewrite mxE (bigD1 (widen_ord (skip addE) o) isT) /= big1 ?addr0 => [|k ko].
      by rewrite !mxE /= eqxx ltn_ord mul1r.
    rewrite mxE (_ : (o == k :> nat) = false); first exact: mul0r.
    by rewrite eq_sym; apply: negbTE.
  by field; rewrite q1 q2.
exists (theorem_1.readout d_v d_o (WK P) (WQ P) U) => t; rewrite (UP _ _ t v0 o0).
apply/colP => o; rewrite mxE [row t _ 0 o]mxE [target_mx t o]mxE [target _ _ _ _]mxE /target_entry plain toFB !toFM toF0 subr0.
by rewrite /q_target toFpM; field; rewrite q1 q2.
Qed.

End Sound.

(* ============================================================================================ *)
(* Minors of Z by enclosures                                                                    *)
(* ============================================================================================ *)
(* For base 2 with an irrational scale, where residues modulo p would need that 2^(1/sqrt m) is *)
(* transcendental (Gelfond and Schneider).                                                      *)

Definition case_layer_at (D : problem) (L : layer) (a : bool) : problem :=
  Problem (T D) (H D) (n D) (d D) (d_h D) (d_v D) (d_out D) (base_two D) (if a then Rational 1 1 else logit_scale D)
    (q_contexts D) (context_rows D) (q_queries D) (queries D) (Some L) (q_labels D) (labels D) None.

Definition enclosed_part (D : problem) (L : layer) (a : bool) (bits : nat) (rows cols : seq nat) : seq (seq (Z * Z)) :=
  let D' := case_layer_at D L a in let Zs := rounded_Z D' (attention_table D' bits) bits in
  [seq [seq nth (0, 0)%coqZ r j | j <- cols] | r <- [seq nth [::] Zs t | t <- rows]].

(* R: integers over q, nearly the inverse                                            *)
Definition enclosed_minor_ok (D : problem) (L : layer) (a : bool) (bits : nat) (rows cols : seq nat) (q : positive)
    (R : seq (seq Z)) : bool :=
  let k := size rows in
  [&& wf_problem D, wf_layer D L, size cols == k, all (fun t => t < T D)%N rows & all (fun j => j < H D * d D)%N cols] &&
  (sizes_are k k R && let one := (Zpos q * Zpos (2 * two_power bits))%coqZ in
    all (fun x => x <? one)%coqZ (defects_of k one (enclosed_part D L a bits rows cols) (nseq k 1%coqZ) R)).

Section Sound.
Variables (R : realType) (D : problem) (L : layer) (a : bool) (bits : nat) (rows cols : seq nat) (q : positive) (V : seq (seq Z)).
Local Notation D' := (case_layer_at D L a).
Local Notation k := (size rows).

Lemma Z_case_layer : attention_Z R D' = given_Z R D L a.
Proof.
rewrite (@attention_Z_given R D' L (erefl _)) /given_Z.
rewrite (_ : factor R D' false = factor R D a) //.
by rewrite /factor /scale_value /=; case: (a); rewrite // toF1 divr1.
Qed.

Theorem enclosed_minor_rank : enclosed_minor_ok D L a bits rows cols q V -> (k <= \rank (given_Z R D L a))%N.
Proof.
move=> /andP[/and5P[okD okL /eqP sC rT cH] /andP[sV small]].
have okD' : wf_problem D' by [].
have okS : wf_source D' by [].
have [f fE] := ords_of rT; have [g gE] := ords_of cH; rewrite -Z_case_layer.
pose g' (j : 'I_k) := g (cast_ord (esym sC) j).
pose A : 'M[R]_k := \matrix_(i, j) attention_Z R D' (f i) (g' j).
set Zs := enclosed_part D L a bits rows cols in small.
have enclosed : enclosed_mx (two_power bits) A Zs.
  move=> i j; rewrite mxE /Zs /enclosed_part -map_comp (nth_map 0%N) //= (nth_map 0%N) ?sC //.
  by rewrite -fE -[nth 0%N cols j]/(nth 0%N cols (cast_ord (esym sC) j)) -gE; apply: (@rounded_ZP R D' bits okD' okS).
have sZ : sizes_are k k Zs.
  apply/andP; split; first by rewrite !size_map.
  by apply/allP => r /mapP[x _ ->]; rewrite size_map sC.
have ones (i : 'I_k) : nth 0%coqZ (nseq k 1%coqZ) i = 1%coqZ by rewrite nth_nseq ltn_ord.
have unit_A : A \in unitmx.
  apply: (defects_unit (q := q) (w := nseq k 1%coqZ) enclosed sZ sV) => i; rewrite ones //.
  rewrite Z.mul_1_r; apply/Z.ltb_lt; apply: (all_nthP 0%coqZ small).
  by have /andP[/eqP sV' _] := sV; rewrite size_map size_zip size_iota sV' minnn.
have AE : A = rowsub f (1%:M) *m (attention_Z R D' *m colsub g' 1%:M).
  by rewrite mulmx_colsub mulmx1 -rowsubE; apply/matrixP => i j; rewrite !mxE.
have := mxrank_unit unit_A; rewrite {1}AE => {1}<-.
exact: leq_trans (mxrankM_maxr _ _) (mxrankM_maxl _ _).
Qed.

End Sound.
