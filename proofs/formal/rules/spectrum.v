(* The proved checker, numerical rank: integers near 2^bits Z, and a diagonally       *)
(* dominant matrix that bounds the number of large singular values.                   *)
(*                                                                                     *)
(*   near_Z == integers C and rho, |2^bits Z - C| <= rho                                *)
(*   dominant_rows above F == F, or -F, is strictly dominant with a positive diagonal   *)
(*   dominant_ok T w Zs c above bits X == X (C C^T - theta^2 I) X^T, or its negative, is *)
(*          strictly dominant with a positive diagonal, C the lower ends of Zs, T x w;   *)
(*          C^T for C where T > w                                                        *)
(*   spectrum_ok D c A above bits X == the same of the case's Z                          *)
From Attest Require Import integers attention euclidean inertia literal_arithmetic problem claims logits.
From Attest Require Import quantity_bounds rational_matrices literal_matrices enclosures saturation packed.

Local Notation Z := BinNums.Z.

Local Notation table := (seq (seq (seq (Z * Z)))).

(* the means of head h at all examples, over denominator p * q_contexts            *)
Definition means_of (D : problem) (A : table) (h : nat) : seq (seq (Z * Z)) :=
  if shared D then all_times (d D) [seq coefficients_at A t h | t <- iota 0 (T D)] (context_at D 0)
  else [seq times_rows (d D) (coefficients_at A t h) (context_at D t) | t <- iota 0 (T D)].

(* matrices side by side                                                            *)
Definition side_by_side (A : Type) (h : nat) (l : seq (seq (seq A))) : seq (seq A) :=
  foldr (fun M N => [seq x.1 ++ x.2 | x <- zip M N]) (nseq h [::]) l.

(* 2^bits x, rounded down and up                                                    *)
Definition rounded (scale : Z) (den : positive) (x : Z * Z) : Z * Z :=
  (x.1 * scale / Zpos den, ceil_div (x.2 * scale) (Zpos den))%coqZ.

Definition rounded_Z (D : problem) (A : table) (bits : nat) : seq (seq (Z * Z)) :=
  let scale := Zpos (two_power bits) in let den := (denominator (precision_of bits) * q_contexts D)%positive in
  [seq [seq rounded scale den x | x <- r] | r <- side_by_side (T D) [seq means_of D A h | h <- iota 0 (H D)]].

Definition images (transposed : bool) (w : nat) (X : seq (seq Z)) (C : seq (seq Z)) : seq (seq Z) :=
  if transposed then all_dots w X C else combinations w X C.

(* X (C C^T - square I) X^T, for rows of X of length m with images Y of length N      *)
Definition form_rows (square : Z) (m N : nat) (X Y : seq (seq Z)) : seq (seq Z) :=
  [seq [seq (e.1 - square * e.2)%coqZ | e <- zip r.1 r.2] | r <- zip (all_dots N Y Y) (all_dots m X X)].

Definition dominant_rows (above : bool) (F : seq (seq Z)) : bool :=
  all (fun r => let own := nth 0%coqZ r.1 r.2 in
    (total_of [seq Z.abs x | x <- r.1] <? 2 * (if above then own else - own))%coqZ) (zip F (iota 0 (size F))).

Definition dominant_ok (T w : nat) (Zs : seq (seq (Z * Z))) (c : arguments) (above : bool) (bits : nat) (X : seq (seq Z)) : bool :=
  let C := [seq unzip1 r | r <- Zs] in
  let rho := foldr Z.max 0%coqZ [seq widest r | r <- Zs] in
  let delta := (rho * (Z.sqrt (Z.of_nat (T * w)) + 1))%coqZ in
  let level := (Zpos (epsilon_num c) * Zpos (two_power bits) / Zpos (epsilon_den c))%coqZ in
  let theta := if above then (level + 1 + delta)%coqZ else (level - delta)%coqZ in
  let transposed := (w < T)%N in
  let m := if transposed then w else T in let N := if transposed then T else w in
  [&& (0 <? theta)%coqZ, all (fun x => size x == m) X &
    dominant_rows above (form_rows (theta * theta)%coqZ m N X (images transposed w X C))].
Definition spectrum_ok (D : problem) (c : arguments) (A : table) (above : bool) (bits : nat) (X : seq (seq Z)) : bool :=
  wf_source D && dominant_ok (T D) (H D * d D) (rounded_Z D A bits) c above bits X.

Lemma dominant_rowsP square above m N X Y i
    (e := fun j => (dot (nth [::] Y i) (nth [::] Y j) - square * dot (nth [::] X i) (nth [::] X j))%coqZ) :
  size Y = size X -> (i < size X)%N ->
  dominant_rows above (form_rows square m N X Y) ->
  (total_of [seq Z.abs (e j) | j <- iota 0 (size X)] <? 2 * (if above then e i else - e i))%coqZ.
Proof.
move=> sY iX /(all_nthP ([::], 0%N)) dom.
have FE : nth [::] (form_rows square m N X Y) i = [seq e j | j <- iota 0 (size X)].
  rewrite /form_rows !all_dotsE (nth_map ([::], [::])) ?size_zip ?size_map ?sY ?minnn //.
  rewrite nth_zip ?size_map // !(nth_map [::]) ?sY //.
  apply: (@eq_from_nth _ 0%coqZ) => [|j]; rewrite !size_map size_zip !size_map sY minnn ?size_iota // => jX.
  rewrite (nth_map (0%coqZ, 0%coqZ)) ?size_zip ?size_map ?sY ?minnn // nth_zip ?size_map //.
  by rewrite !(nth_map [::]) ?sY // (nth_map 0%N) ?size_iota // nth_iota.
have sF : size (form_rows square m N X Y) = size X by rewrite !size_map size_zip !all_dotsE !size_map sY minnn.
have := dom i; rewrite size_zip size_iota minnn sF nth_zip ?size_iota //= FE nth_iota // add0n.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n -map_comp; exact.
Qed.

Lemma nth_side_by_side (A : Type) k (l : seq (seq (seq A))) (t : nat) : all (fun M => size M == k) l -> (t < k)%N ->
  size (side_by_side k l) = k /\ nth [::] (side_by_side k l) t = flatten [seq nth [::] M t | M <- l].
Proof.
move=> + tk; elim: l => [|M l IH] /=; first by rewrite size_nseq nth_nseq; case: ifP.
case/andP=> /eqP sM /IH[sl lE]; rewrite size_map size_zip sM sl minnn; split=> //.
by rewrite (nth_map ([::], [::])) ?size_zip ?sM ?sl ?minnn // nth_zip ?sM ?sl //= lE.
Qed.

Lemma means_beside D A t (Ms := [seq means_of D A h | h <- iota 0 (H D)]) : (t < T D)%N ->
  [/\ size (side_by_side (T D) Ms) = T D, nth [::] (side_by_side (T D) Ms) t = flatten [seq nth [::] M t | M <- Ms] &
    all (fun r => size r == d D) [seq nth [::] M t | M <- Ms]].
Proof.
move=> tT; have sizes M : M \in Ms -> size M = T D /\ all (fun r => size r == d D) M.
  case/mapP=> h _ ->; rewrite /means_of; case: ifP => _; last first.
    by rewrite size_map size_iota; split=> //; apply/allP => r /mapP[u _ ->]; rewrite size_times_rows.
  by rewrite size_all_times size_map size_iota size_row_all_times.
have aM : all (fun M => size M == T D) Ms by apply/allP => M /sizes[-> _].
have [sb bE] := nth_side_by_side aM tT; split=> //.
by apply/allP => r /mapP[M /sizes[sM /allP rM] ->]; apply: rM; rewrite mem_nth ?sM.
Qed.

Lemma size_rounded_Z D A bits : size (rounded_Z D A bits) = T D.
Proof.
rewrite size_map; have [T0|T0] := posnP (T D); last by have [-> _ _] := means_beside A T0.
by rewrite T0; elim: [seq _ | _ <- _] => //= M l IH; rewrite size_map size_zip IH minn0.
Qed.

Lemma size_rounded_row D A bits t : (t < T D)%N -> size (nth [::] (rounded_Z D A bits) t) = (H D * d D)%N.
Proof.
move=> tT; have [sb bE aM] := means_beside A tT; rewrite /rounded_Z (nth_map [::]) ?sb // size_map bE size_flatten /shape.
have /all_pred1P -> : all (pred1 (d D)) [seq size r | r <- [seq nth [::] M t | M <- [seq means_of D A h | h <- iota 0 (H D)]]].
  by rewrite all_map.
by rewrite sumn_nseq !size_map size_iota mulnC.
Qed.

Definition smaller_side (D : problem) : nat := minn (T D) (H D * d D).

Section Sound.
Variables (R : realType) (D : problem) (c : arguments) (bits : nat).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation z := (toF R).
Hypotheses (okD : wf_problem D) (okS : wf_source D).
Let p := precision_of bits.
Let tab := attention_table D bits.

Lemma means_enclosed (h : 'I_H) :
  each_encloses (z (Zpos (denominator p * q_contexts D))) (fun t => means R D t h) (means_of D tab h).
Proof.
have coefficients (t : 'I_T) : encloses (z (Zpos (denominator p))) (attention R D t h)^T (coefficients_at tab t h).
  split=> [|i]; first exact: size_coefficients_at.
  by rewrite mxE; apply: coefficients_atP.
rewrite /means_of; case: ifP => [sh|_]; last first.
  split=> [|t]; first by rewrite size_map size_iota.
  by rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n toFpM; apply: enclosesM.
split=> [|t]; first by rewrite size_all_times size_map size_iota.
rewrite toFpM /means (_ : E R D t = mx R n d (q_contexts D) (context_at D 0)); last by rewrite /problem.E (shared_contexts sh).
have := @each_times R T (z (Zpos (denominator p))) (q_contexts D) n d (fun t => (attention R D t h)^T).
move=> /(_ [seq coefficients_at tab t h | t <- iota 0 T] (context_at D 0))[|_]; last by apply.
split=> [|t']; first by rewrite size_map size_iota.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n; apply: coefficients.
Qed.

Lemma rounded_inside den s (x : R) a : inside (z (Zpos den) * x) a -> inside (z (Zpos s) * x) (rounded (Zpos s) den a).
Proof.
move=> /andP[low high]; have d0 := toFp_gt0 R den; have s0 := toFp_gt0 R s.
rewrite /inside /rounded /=; apply/andP; split.
  apply: le_trans (floor_leq _ _ _) _ => //; rewrite ler_pdivr_mulr // toFM.
  rewrite (_ : _ * x * _ = z (Zpos den) * x * z (Zpos s)); last by ring.
  by rewrite ler_pmul2r.
apply: le_trans _ (ceil_geq _ _ _) => //; rewrite ler_pdivl_mulr // toFM.
rewrite (_ : _ * x * _ = z (Zpos den) * x * z (Zpos s)); last by ring.
by rewrite ler_pmul2r.
Qed.


Lemma rounded_ZP (t : 'I_T) (k : 'I_(H * d)) :
  inside (z (Zpos (two_power bits)) * attention_Z R D t k) (nth (0, 0)%coqZ (nth [::] (rounded_Z D (attention_table D bits) bits) t) k).
Proof.
have [sb bE aM] := means_beside tab (ltn_ord t); have sr := size_rounded_row tab bits (ltn_ord t).
move: sr; rewrite /rounded_Z (nth_map [::]) ?sb // size_map bE => sr.
case/mxvec_indexP: k => h j; rewrite mxE mxvecE [X in inside (_ * X)]mxE.
rewrite (nth_map (0, 0)%coqZ) ?sr //; apply: rounded_inside; rewrite mxvec_index_val flatten_nth //; last first.
  by rewrite !size_map size_iota.
rewrite (nth_map [::]) ?size_map ?size_iota // (nth_map 0%N) ?size_iota // nth_iota // add0n.
by have [_ /(_ t)[_]] := means_enclosed h; apply.
Qed.

End Sound.

Lemma largest_leq_seq (l : seq Z) x : List.In x l -> (x <= foldr Z.max 0 l)%coqZ.
Proof. by elim: l => //= y s IH [->|/IH]; lia. Qed.

(* --- Zs enclose 2^bits Z_mx *)
Section Near.
Variables (R : realType) (T w : nat) (Z_mx : 'M[R]_(T, w)) (Zs : seq (seq (Z * Z))) (bits : nat).
Local Notation z := (toF R).
Hypotheses (size_Zs : size Zs = T) (size_Z_row : forall t : 'I_T, size (nth [::] Zs t) = w).
Hypothesis inside_Z : forall (t : 'I_T) (k : 'I_w), inside (z (Zpos (two_power bits)) * Z_mx t k) (nth (0, 0)%coqZ (nth [::] Zs t) k).

Definition C_mx : 'M[R]_(T, w) := \matrix_(t, k) z (nth (0, 0)%coqZ (nth [::] Zs t) k).1.
Let rho := foldr Z.max 0%coqZ [seq widest r | r <- Zs].

Lemma rho_ge0 : (0 <= rho)%coqZ.
Proof. by rewrite /rho; elim: [seq _ | _ <- _] => //= x s IH; lia. Qed.

Lemma near_entry (t : 'I_T) (k : 'I_w) : `|(z (Zpos (two_power bits)) *: Z_mx - C_mx) t k| <= z rho.
Proof.
have := inside_Z t k; set a := nth _ _ k => /andP[low high].
have -> : (z (Zpos (two_power bits)) *: Z_mx - C_mx) t k = z (Zpos (two_power bits)) * Z_mx t k - z a.1.
  by rewrite !mxE.
have wide : (a.2 - a.1 <= rho)%coqZ.
  apply: Z.le_trans (widest_leq (s := nth [::] Zs t) _) _; first by apply: nth_In; rewrite size_Z_row.
  apply: largest_leq_seq; rewrite -(nth_map [::] 0%coqZ widest) ?size_Zs //.
  by apply: nth_In; rewrite size_map size_Zs.
rewrite ger0_norm ?subr_ge0 //; apply: le_trans (toF_leq R wide).
by rewrite toFB ler_sub.
Qed.

Let delta := (rho * (Z.sqrt (Z.of_nat (T * w)) + 1))%coqZ.

Lemma of_natE k : z (Z.of_nat k) = k%:R.
Proof. by elim: k => [|k IH]; rewrite ?toF0 // Nat2Z.inj_succ -Z.add_1_r toFD toF1 IH -addn1 natrD. Qed.

Lemma near_frobenius : frobenius (z (Zpos (two_power bits)) *: Z_mx - C_mx) <= z delta.
Proof.
have rho0 : 0 <= z rho by rewrite -(toF0 R); apply: toF_leq; apply: rho_ge0.
apply: le_trans (frobenius_entries rho0 near_entry) _.
rewrite /delta toFM mulrC ler_wpmul2l //.
have k0 : (0 <= Z.of_nat (T * w))%coqZ by lia.
have [_ high] := Z.sqrt_spec _ k0; have s0 := Z.sqrt_nonneg (Z.of_nat (T * w)).
have zs0 : 0 <= z (Z.sqrt (Z.of_nat (T * w)) + 1)%coqZ by rewrite -(toF0 R); apply: toF_leq; lia.
rewrite -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?sqrtr_ge0 // sqr_sqrtr ?ler0n // expr2 -toFM.
rewrite -of_natE; by apply: toF_leq; apply: Z.lt_le_incl high.
Qed.

(* --- the dominant matrix                                                           *)
Variables (X : seq (seq Z)) (m : nat).
Let k := size X.
Definition X_mx : 'M[R]_(k, m) := \matrix_(i, j) z (nth 0%coqZ (nth [::] X i) j).

(* entries of X S, images of the rows                                                *)
Lemma dominant_entries (N : nat) (C : 'M[R]_(m, N)) (Y : seq (seq Z)) (square : Z) (above : bool) (theta : R) :
    z square = theta ^+ 2 -> size Y = k ->
    all (fun x => size x == m) X -> all (fun y => size y == N) Y ->
    (forall (i : 'I_k) (j : 'I_N), (X_mx *m C) i j = z (nth 0%coqZ (nth [::] Y i) j)) ->
    dominant_rows above (form_rows square m N X Y) ->
  forall i, \sum_j `|form C X_mx theta i j| < (if above then form C X_mx theta i i else - form C X_mx theta i i) *+ 2.
Proof.
move=> sqE sY /allP sX /allP sizes YE dom i.
pose e (a b : 'I_k) := (dot (nth [::] Y a) (nth [::] Y b) - square * dot (nth [::] X a) (nth [::] X b))%coqZ.
have formE' a b : form C X_mx theta a b = z (e a b).
  have sYa : size (nth [::] Y a) = N by apply/eqP/sizes; rewrite mem_nth ?sY.
  have sXa : size (nth [::] X a) = m by apply/eqP/sX; rewrite mem_nth.
  rewrite /form mxE [in X in _ + X]mxE [in X in _ + X]mxE /e toFB toFM sqE.
  rewrite (@dotE N) ?sYa // (@dotE m) ?sXa // !rmorph_sum /=; congr (_ - _).
    by rewrite mxE; apply: eq_bigr => j _; rewrite [_^T _ _]mxE !YE rmorphM.
  congr (_ * _); rewrite mxE; apply: eq_bigr => j _.
  by rewrite [_^T _ _]mxE !mxE rmorphM.
have /Z.ltb_lt/(@toF_lt R) := dominant_rowsP sY (ltn_ord i) dom.
rewrite total_ofE size_map size_iota toFM toF2 mulr_natl => lt1.
have -> : (if above then form C X_mx theta i i else - form C X_mx theta i i) = z (if above then e i i else - e i i)%coqZ.
  by rewrite formE'; case: above {lt1 dom} => //; rewrite toFN.
apply: le_lt_trans lt1; apply: ler_sum => a _; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n formE'.
have [[e0 ->]|[e0 ->]] := Z.abs_spec (e i a).
  by rewrite ger0_norm // -(toF0 R); apply: toF_leq.
by rewrite toFN ltr0_norm // -(toF0 R); apply: toF_lt.
Qed.

End Near.

Section Theorems.
Variables (R : realType) (T w : nat) (Z_mx : 'M[R]_(T, w)) (Zs : seq (seq (Z * Z))) (c : arguments) (bits : nat) (X : seq (seq Z)).
Local Notation z := (toF R).
Hypotheses (size_Zs : size Zs = T) (size_Z_row : forall t : 'I_T, size (nth [::] Zs t) = w).
Hypothesis inside_Z : forall (t : 'I_T) (k : 'I_w), inside (z (Zpos (two_power bits)) * Z_mx t k) (nth (0, 0)%coqZ (nth [::] Zs t) k).
Let C := [seq unzip1 r | r <- Zs].
Local Notation C_mx := (C_mx R T w Zs).

Lemma nth_C (t : 'I_T) k : nth 0%coqZ (nth [::] C t) k = (nth (0, 0)%coqZ (nth [::] Zs t) k).1.
Proof.
rewrite (nth_map [::]) ?size_Zs //.
have [ks|sk] := ltnP k (size (nth [::] Zs t)); first by rewrite (nth_map (0, 0)%coqZ).
by rewrite [in RHS]nth_default // nth_default ?size_map.
Qed.

Lemma size_C_row (t : 'I_T) : size (nth [::] C t) = w.
Proof. by rewrite (nth_map [::]) ?size_Zs // size_map size_Z_row. Qed.

Lemma size_C : size C = T. Proof. by rewrite size_map size_Zs. Qed.

Lemma all_C : all (fun r => size r == w) C.
Proof. by apply/(all_nthP [::]) => t; rewrite size_C => tT; rewrite (size_C_row (Ordinal tT)). Qed.

Definition bound_delta : Z :=
  (foldr Z.max 0 [seq widest r | r <- Zs] * (Z.sqrt (Z.of_nat (T * w)) + 1))%coqZ.

Lemma spectrum_dominant above (level := (Zpos (epsilon_num c) * Zpos (two_power bits) / Zpos (epsilon_den c))%coqZ)
    (theta := if above then (level + 1 + bound_delta)%coqZ else (level - bound_delta)%coqZ) :
  dominant_ok T w Zs c above bits X -> 0 < z theta /\
    if (w < T)%N then
      (if above then stretches C_mx^T (z theta) (X_mx R X w) else shrinks C_mx^T (z theta) (X_mx R X w))
    else if above then stretches C_mx (z theta) (X_mx R X T) else shrinks C_mx (z theta) (X_mx R X T).
Proof.
rewrite /dominant_ok -/C -/bound_delta -/level -/theta => /and3P[/Z.ltb_lt/(@toF_lt R) th0 sX dom].
rewrite toF0 in th0; split=> //; have sq : z (theta * theta)%coqZ = z theta ^+ 2 by rewrite toFM expr2.
have sY tr : size (images tr w X C) = size X by rewrite /images; case: tr; rewrite ?all_dotsE ?combinationsE size_map.
case: ifP sX dom => wT sX dom.
  have YE (i : 'I_(size X)) (t : 'I_T) :
      (X_mx R X w *m C_mx^T) i t = z (nth 0%coqZ (nth [::] (images true w X C) i) t).
    rewrite /images all_dotsE (nth_map [::]) // (nth_map [::]) ?size_C // dotC (@dotE w) ?size_C_row // rmorph_sum mxE.
    by apply: eq_bigr => k _; rewrite rmorphM /= nth_C !mxE mulrC.
  have sizes : all (fun y => size y == T) (images true w X C).
    by rewrite /images all_dotsE; apply/allP => y /mapP[x _ ->]; rewrite size_map size_C.
  have := dominant_entries sq (sY true) sX sizes YE dom.
  by case: (above); [apply: dominant_stretches|apply: dominant_shrinks].
have YE (i : 'I_(size X)) (k : 'I_w) :
    (X_mx R X T *m C_mx) i k = z (nth 0%coqZ (nth [::] (images false w X C) i) k).
  rewrite /images combinationsE (nth_map [::]) // nth_combination; last first.
    by apply: sub_all all_C => r /eqP->.
  have -> : size (nth [::] X i) = T by apply/eqP; move/allP: sX; apply; rewrite mem_nth.
  rewrite rmorph_sum mxE; apply: eq_bigr => t _; by rewrite rmorphM /= /ent nth_C !mxE.
have sizes : all (fun y => size y == w) (images false w X C).
  by rewrite /images combinationsE; apply/allP => y /mapP[x _ ->]; rewrite size_combination.
have := dominant_entries sq (sY false) sX sizes YE dom.
by case: (above); [apply: dominant_stretches|apply: dominant_shrinks].
Qed.

Lemma scale_gt0 : 0 < z (Zpos (two_power bits)). Proof. exact: toFp_gt0. Qed.

Lemma near_Z : frobenius (z (Zpos (two_power bits)) *: Z_mx - C_mx) <= z bound_delta.
Proof. exact: near_frobenius. Qed.

Lemma near_frobenius_tr : frobenius (z (Zpos (two_power bits)) *: Z_mx^T - C_mx^T) <= z bound_delta.
Proof. by rewrite -linearZ -linearB /= frobenius_tr; apply: near_frobenius. Qed.

Lemma level_bounds (a := Zpos (epsilon_num c)) (b := Zpos (epsilon_den c)) (s := Zpos (two_power bits)) :
  z (a * s / b)%coqZ <= z s * level R c < z (a * s / b + 1)%coqZ.
Proof.
have b0 : 0 < z b := toFp_gt0 R _; rewrite /level mulrA [z s * _]mulrC -toFM; apply/andP; split.
  exact: floor_leq.
rewrite ltr_pdivr_mulr // -toFM; apply: toF_lt.
by have := Z.mul_succ_div_gt (a * s) b erefl; lia.
Qed.

Theorem dominant_above : dominant_ok T w Zs c true bits X -> (size X <= singular_count Z_mx (level R c))%N.
Proof.
move=> /spectrum_dominant[th0]; have /andP[_ lev] := level_bounds.
have th : z (Zpos (two_power bits)) * level R c + z bound_delta <=
    z (Zpos (epsilon_num c) * Zpos (two_power bits) / Zpos (epsilon_den c) + 1 + bound_delta)%coqZ.
  by rewrite [X in _ <= X]toFD ler_add2r ltW.
case: ifP => _ str.
  rewrite -singular_count_tr ?level_ge0 //.
  exact: (singular_count_above scale_gt0 near_frobenius_tr th str).
exact: (singular_count_above scale_gt0 near_Z th str).
Qed.

Theorem dominant_below : dominant_ok T w Zs c false bits X -> (singular_count Z_mx (level R c) <= minn T w - size X)%N.
Proof.
move=> /spectrum_dominant[th0]; have /andP[lev _] := level_bounds.
have th : z (Zpos (epsilon_num c) * Zpos (two_power bits) / Zpos (epsilon_den c) - bound_delta)%coqZ <=
    z (Zpos (two_power bits)) * level R c - z bound_delta.
  by rewrite [X in X <= _]toFB ler_add2r.
case: ifP => wT shr.
  rewrite (minn_idPr (ltnW wT)) -singular_count_tr ?level_ge0 //.
  exact: (singular_count_below scale_gt0 near_frobenius_tr th shr).
have /minn_idPl-> : (T <= w)%N by rewrite leqNgt wT.
exact: (singular_count_below scale_gt0 near_Z th shr).
Qed.
End Theorems.

Section Case.
Variables (R : realType) (D : problem) (c : arguments) (bits : nat) (X : seq (seq Z)).
Hypothesis okD : wf_problem D.
Theorem spectrum_above : spectrum_ok D c (attention_table D bits) true bits X -> (size X <= numerical_rank R D c)%N.
Proof. by move=> /andP[okS]; apply: dominant_above => [|t|t k]; [exact: size_rounded_Z|exact: size_rounded_row|exact: rounded_ZP]. Qed.

Theorem spectrum_below : spectrum_ok D c (attention_table D bits) false bits X -> (numerical_rank R D c <= smaller_side D - size X)%N.
Proof. by move=> /andP[okS]; apply: dominant_below => [|t|t k]; [exact: size_rounded_Z|exact: size_rounded_row|exact: rounded_ZP]. Qed.
End Case.
