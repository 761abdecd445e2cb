(* The proved checker, finite lambda: a minor of Z that is invertible for all factors lambda >= L of the separators.   *)
(*                                                                                                                      *)
(*          tail_data == heads without separators, the separators u v, L, the minor and what is nearly its inverse        *)
(*  tail_alphas p u a b Y X == enclosures of softmax (y + lambda x) that hold for all lambda >= L                         *)
(*            tail_Z == enclosures of the minor                                                                          *)
(*           tail_ok == |I - R M| w < w at some precision                                                                 *)
(*        tail_sound == the rank is at least the order of the minor for all lambdas >= L, one for each head               *)
(*    tail_rank_geq == so the quantity tail_rank is at least that                                                        *)
(*   separating_ok == the heads have the shape and separate what they should; separatingP                                *)
(*    lambda_layer, lambda_rank_geq == the layer with one factor of all separators, and minors of its Z                  *)
From Attest Require Import integers attention kruskal common literal_arithmetic problem claims logits minors.
From Attest Require Import rational_matrices quantity_bounds schemas enclosures saturation literal_matrices.
From Attest Require Import intervals.

Local Notation Z := BinNums.Z.

(* Key rows of a head are as long as it has terms; u and v of a head without separator are empty. *)
Record separated_heads := SeparatedHeads {
  tail_width : nat; tail_qk : positive; tail_key : seq (seq (seq Z)); tail_qq : positive; tail_query : seq (seq (seq Z));
  tail_qu : positive; tail_u : seq (seq Z); tail_qv : positive; tail_v : seq (seq Z)
}.

(* L = tail_num / tail_den *)
Record tail_data := Tail {
  tail_heads : separated_heads;
  tail_num : positive; tail_den : positive;
  tail_rows : seq nat; tail_cols : seq nat;
  tail_qi : positive; tail_inverse : seq (seq Z); tail_scale : seq Z;
  tail_tries : nat                                              (* 32 bits, four times as many, ... *)
}.

(* Y over N, X: the logits are y + lambda x; a and b times what is over N, and X, are over one denominator *)
Definition tail_alphas (p : precision) (u : unit_bounds) (a b : Z) (Y X : seq Z) : seq (Z * Z) :=
  let K := Zpos (denominator p) in let M := Zpos (fine p) in let G := Zpos (two_power (guard p)) in
  let top := find (Z.eqb (maximum X)) X in
  let x0 := nth 0%coqZ X top in let y0 := nth 0%coqZ Y top in
  let most (j : nat) : Z :=
    if eqn j top then 0%coqZ else
    let e := ((y0 - nth 0 Y j) * a + b * (x0 - nth 0 X j))%coqZ in
    if (0 <=? e)%coqZ then shift_up (guard p) (power p K M G u e).2 else K in
  let mosts := [seq most j | j <- iota 0 (size X)] in
  if (top < size X)%N && all (fun x => x <=? x0)%coqZ X then
    [seq if eqn x.1 top then (K - total_of mosts, K)%coqZ else (0%coqZ, x.2) | x <- zip (iota 0 (size X)) mosts]
  else [seq (0%coqZ, K) | _ <- X].

Section Heads.
Variables (D : problem) (s : separated_heads).

Definition tail_layer : layer :=
  Factors (tail_width s) (tail_qk s) (tail_key s) (tail_qq s) (tail_query s) 1 [::] 1 [::].

(* the entries of E_t u_h (v_h . e_t) *)
Definition separator_entries (t h : nat) : seq Z :=
  let c := dot (nth [::] (tail_v s) h) (nth [::] (queries D) t) in
  [seq (dot r (nth [::] (tail_u s) h) * c)%coqZ | r <- context_at D t].
Definition separated_den : positive := (q_contexts D * tail_qu s * (tail_qv s * q_queries D))%positive.

Definition terms_of (h : nat) : nat := foldr maxn 0%N [seq size r | r <- nth [::] (tail_key s) h].

(* the heads have the shape, and every one but the first separates all examples but r - 1 *)
Definition separating_ok : bool :=
  [&& wf_layer D tail_layer,
    all (fun h => terms_of h + ~~ nilp (nth [::] (tail_u s) h) <= d_h D)%N (iota 0 (H D)) &
    all (fun h => (h == 0)%N || (count (fun t => 0 < equal_pairs (separator_entries t h)) (iota 0 (T D))
      <= (minn (n D) (d_h D)).-1))%N (iota 0 (H D))].

(* the layer with the factor a / q of all separators, which are one term more *)
Definition lambda_key (a : Z) (q : positive) : seq (seq (seq Z)) :=
  [seq [seq rcons [seq (ent (nth [::] (tail_key s) h) j i * Zpos (tail_qu s * q))%coqZ | i <- iota 0 (tail_width s)]
    (Zpos (tail_qk s) * (ent (tail_u s) h j * a))%coqZ | j <- iota 0 (d D)] | h <- iota 0 (H D)].
Definition lambda_query : seq (seq (seq Z)) :=
  [seq [seq rcons [seq (ent (nth [::] (tail_query s) h) j i * Zpos (tail_qv s))%coqZ | i <- iota 0 (tail_width s)]
    (Zpos (tail_qq s) * ent (tail_v s) h j)%coqZ | j <- iota 0 (d D)] | h <- iota 0 (H D)].
Definition lambda_layer (a : Z) (q : positive) : layer :=
  Factors (tail_width s).+1 (tail_qk s * (tail_qu s * q)) (lambda_key a q) (tail_qq s * tail_qv s) lambda_query
    1 [::] 1 [::].

(* a minor of its Z *)
Definition lambda_minor_ok (a : Z) (q : positive) (p g o : Z) (rows : seq nat) (cols : seq (nat * nat)) : bool :=
  if separating_ok then minor_Z_ok D (lambda_layer a q) true p g o rows cols else false.

End Heads.

Section Compute.
Variables (D : problem) (w : tail_data) (bits : nat).
Local Notation s := (tail_heads w).

Definition plain_unit : unit_bounds :=
  unit_of (precision_of bits) bits (base_two D) 1 (total_den D (tail_layer s) true).
Definition tail_unit_den : positive := (total_den D (tail_layer s) true * (separated_den D s * tail_den w))%positive.
Definition tail_unit : unit_bounds := unit_of (precision_of bits) bits (base_two D) 1 tail_unit_den.

Definition tail_coefficients (u u' : unit_bounds) (t h : nat) : seq (Z * Z) :=
  let p := precision_of bits in
  let Y := exponents D (tail_layer s) true (prepare (tail_layer s) h) t in
  let X := separator_entries D s t h in
  if all (Z.eqb 0) X then alphas p u Y
  else tail_alphas p u' (Zpos (separated_den D s * tail_den w)) (Zpos (tail_num w * total_den D (tail_layer s) true)) Y X.

Definition tail_s : positive := (denominator (precision_of bits) * q_contexts D)%positive.

Definition tail_row (u u' : unit_bounds) (t : nat) : seq (Z * Z) :=
  flatten [seq times_rows (d D) (tail_coefficients u u' t h) (context_at D t) | h <- iota 0 (H D)].

Definition tail_Z : seq (seq (Z * Z)) :=
  let u := plain_unit in let u' := tail_unit in
  [seq let r := tail_row u u' t in [seq nth (0, 0)%coqZ r j | j <- tail_cols w] | t <- tail_rows w].

Definition tail_ok_at : bool :=
  let one := (Zpos (tail_qi w) * Zpos (2 * tail_s))%coqZ in
  all (fun x => x.1 <? one * x.2)%coqZ
    (zip (defects_of (size (tail_rows w)) one tail_Z (tail_scale w) (tail_inverse w)) (tail_scale w)).

End Compute.

Definition tail_shape (D : problem) (w : tail_data) : bool :=
  let k := size (tail_rows w) in
  separating_ok D (tail_heads w) &&
    [&& all (fun t => t < T D)%N (tail_rows w), all (fun j => j < H D * d D)%N (tail_cols w), size (tail_cols w) == k &
      [&& sizes_are k k (tail_inverse w), size (tail_scale w) == k & all (fun x => 0 <? x)%coqZ (tail_scale w)]].

(* more bits are tried when few do not show it                                      *)
Fixpoint shown_at (D : problem) (w : tail_data) (tries bits : nat) : bool :=
  if tries is tries'.+1 then if tail_ok_at D w bits then true else shown_at D w tries' (4 * bits) else false.
Definition tail_ok (D : problem) (w : tail_data) : bool := if tail_shape D w then shown_at D w (tail_tries w) 32 else false.

Lemma shown_atP D w tries bits : shown_at D w tries bits -> exists b, tail_ok_at D w b.
Proof. by elim: tries bits => //= tries IH bits; case: ifP => [ok _|_ /IH //]; exists bits. Qed.

(* -------------------------------------------------------------------------- *)
(* Enclosures                                                                  *)
(* -------------------------------------------------------------------------- *)
Section Softmax.
Variables (R : realType) (p : precision) (u : unit_bounds) (kappa : R) (n : nat).
Variables (a b : Z) (Y X : seq Z) (l : 'cV[R]_n).
Local Notation z := (toF R).
Local Notation K := (z (Zpos (denominator p))).
Hypotheses (u0 : (0 <= unit_low u)%coqZ) (uP : z (unit_low u)
  <= 2%:R ^+ unit_shift u * (K * kappa) <= z (unit_high u)).
Hypothesis powers : forall g, List.In g (digits u) -> good_digit R p g.
Hypothesis stepsP : forall N, unit_steps u = Some N -> kappa * z (Zpos N) = ln 2%:R.
Hypothesis sX : size X = n.
(* the largest difference that lambda may leave                                     *)
Hypothesis farP : forall i j : 'I_n, (nth 0 X i <= nth 0 X j)%coqZ ->
  l i 0 - l j 0 <= - (kappa * z ((nth 0 Y j - nth 0 Y i) * a + b * (nth 0 X j - nth 0 X i))%coqZ).

Lemma softmax_le1 (i : 'I_n) : softmax l i 0 <= 1.
Proof.
have n0 : (0 < n)%N by apply: leq_trans (ltn_ord i).
rewrite mxE ler_pdivr_mulr ?sum_expR_gt0 // mul1r (bigD1 i) //= ler_addl.
by apply: sumr_ge0 => j _; apply/ltW/expR_gt0.
Qed.

Lemma softmax_leq (i j : 'I_n) : softmax l i 0 <= expR (l i 0 - l j 0).
Proof.
have n0 : (0 < n)%N by apply: leq_trans (ltn_ord i).
rewrite mxE ler_pdivr_mulr ?sum_expR_gt0 //.
apply: le_trans (_ : expR (l i 0 - l j 0) * expR (l j 0) <= _); first by rewrite -expRD subrK.
rewrite ler_pmul2l ?expR_gt0 // (bigD1 j) //= ler_addl.
by apply: sumr_ge0 => k _; apply/ltW/expR_gt0.
Qed.

Lemma size_tail_alphas : size (tail_alphas p u a b Y X) = n.
Proof. by rewrite /tail_alphas; case: ifP => _; rewrite size_map ?size_zip ?size_map ?size_iota ?minnn. Qed.

Lemma tail_alphasP (i : 'I_n) : inside (K * softmax l i 0) (nth (0, 0)%coqZ (tail_alphas p u a b Y X) i).
Proof.
have K0 := toFp_gt0 R (denominator p); have n0 : (0 < n)%N by apply: leq_trans (ltn_ord i).
have pos (j : 'I_n) : 0 <= K * softmax l j 0 by rewrite mulr_ge0 // ltW // softmax_gt0.
have le1 (j : 'I_n) : K * softmax l j 0 <= K by rewrite -[X in _ <= X]mulr1 ler_pmul2l // softmax_le1.
rewrite /tail_alphas; set top := find _ X; set mosts := [seq _ | j <- iota 0 (size X)].
case: ifP => [/andP[]|_]; last by rewrite (nth_map 0%coqZ) ?sX // /inside toF0 pos le1.
rewrite {1}sX => topn /allP largest.
have sm : size mosts = n by rewrite size_map size_iota.
have mostP (j : 'I_n) : nat_of_ord j != top -> K * softmax l j 0 <= z (nth 0%coqZ mosts j).
  move=> jt; rewrite (nth_map 0%N) ?size_iota ?sX // nth_iota ?sX // add0n.
  have -> : eqn j top = false by apply/negbTE.
  set e := (_ + _)%coqZ; case: Z.leb_spec => [e0|_]; last exact: le1.
  have [/andP[_ high] _] := powerP u0 uP powers stepsP sX e0.
  apply: le_trans (_ : K * expR (- (kappa * z e)) <= _).
    rewrite ler_pmul2l //; apply: le_trans (softmax_leq j (Ordinal topn)) _; rewrite ler_expR.
    by apply: farP; apply/Z.leb_le/largest; rewrite mem_nth ?sX.
  apply: le_trans _ (shift_up_geq _ _ _); rewrite ler_pdivl_mulr ?exprn_gt0 ?ltr0n // -two_powerE.
  by rewrite mulrC mulrA -fine_scale.
rewrite (nth_map (0%N, 0%coqZ)) ?size_zip ?sm ?size_iota ?sX ?minnn // nth_zip ?size_iota ?sm ?sX // nth_iota ?sX // add0n.
rewrite [(_, _).1]/fst [(_, _).2]/snd; case E: (eqn i top); last first.
  by rewrite /inside [(_, _).1]/fst [(_, _).2]/snd toF0 pos mostP //; apply: negbT.
have {E}it : i = Ordinal topn by apply: ord_inj; apply/eqP.
rewrite /inside [(_, _).1]/fst [(_, _).2]/snd le1 andbT toFB total_ofE sm.
rewrite ler_subl_addr -ler_subl_addl.
have sum1 := softmax_sum1 l n0; rewrite (bigD1 i) //= in sum1.
have -> : softmax l i 0 = 1 - \sum_(j < n | j != i) softmax l j 0 by rewrite -sum1 addrK.
rewrite mulrBr mulr1 opprB addrC subrK mulr_sumr big_mkcond /=; apply: ler_sum => j _.
case: ifP => [ji|/negbFE/eqP ->]; first by apply: mostP; apply: contra ji => /eqP jt; apply/eqP/ord_inj; rewrite it.
rewrite (nth_map 0%N) ?size_iota ?sX // nth_iota ?sX // add0n it.
by rewrite (_ : eqn _ _ = true) ?toF0 //; apply/eqP.
Qed.

End Softmax.

(* -------------------------------------------------------------------------- *)
(* The layers                                                                  *)
(* -------------------------------------------------------------------------- *)
(* columns that are 0 add nothing to the rank                                   *)
Lemma rank_short (F : numFieldType) h m q (M : seq (seq Z)) (l : nat) :
  all (fun r => size r <= l)%N M -> (\rank (mx F h m q M) <= l)%N.
Proof.
move=> sM; have -> : mx F h m q M = mx F h m q M *m (pid_mx l : 'M_m).
  apply/matrixP => i j; rewrite mxE mxE (bigD1 j) //= big1 ?addr0 => [|k kj].
    rewrite !mxE eqxx /=; case: ltnP => [_|lj]; first by rewrite mulr1.
    rewrite /ent [nth 0%coqZ _ _]nth_default ?rmorph0 ?mul0r ?mulr0 //; apply: leq_trans lj.
    exact: (all_nth_nil (P := fun r : seq Z => size r <= l)%N).
  by rewrite [(pid_mx l : 'M_m) k j]mxE -[_ == _]/(k == j) (negPf kj) mulr0.
apply: leq_trans (mxrankM_maxr _ _) _; case: (leqP l m) => lm; first by rewrite rank_pid_mx.
exact: leq_trans (rank_leq_row _) (ltnW lm).
Qed.

Lemma equal_pairs_uniq s : equal_pairs s = 0%N -> uniq s.
Proof.
elim: s => //= x s IH /eqP; rewrite addn_eq0 => /andP[/eqP x0 /eqP/IH ->]; rewrite andbT.
apply/negP => xs; have : has (Z.eqb x) s by apply/hasP; exists x => //; apply: Z.eqb_refl.
by rewrite has_count x0.
Qed.

Section Separators.
Variables (R : realType) (D : problem) (s : separated_heads).
Hypothesis okD : wf_problem D.
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation z := (toF R).

Definition tail_W (h : 'I_H) : 'M[R]_d :=
  literal R d (tail_width s) (tail_qk s) (tail_key s) h *m (literal R d (tail_width s) (tail_qq s) (tail_query s) h)^T.
Definition tail_uv (h : 'I_H) : 'cV[R]_d := \col_j (z (ent (tail_u s) h j) / z (Zpos (tail_qu s))).
Definition tail_vv (h : 'I_H) : 'rV[R]_d := \row_j (z (ent (tail_v s) h j) / z (Zpos (tail_qv s))).

Lemma size_separated t h : (t < T)%N -> size (separator_entries D s t h) = n.
Proof. by move=> tT; rewrite size_map (size_context okD (Ordinal tT)). Qed.

Lemma separator_logit (t : 'I_T) (h : 'I_H) (i : 'I_n) : (E t *m (tail_uv h *m tail_vv h) *m e t) i 0 =
  z (nth 0%coqZ (separator_entries D s t h) i) / z (Zpos (separated_den D s)).
Proof.
have -> : (E t *m (tail_uv h *m tail_vv h) *m e t) i 0 = (E t *m tail_uv h) i 0 * (tail_vv h *m e t) 0 0.
  by rewrite mulmxA -mulmxA mxE big_ord1.
rewrite (nth_map [::]) ?size_context // toFM (@toF_dot R d) ?size_token //.
rewrite /separated_den !toFpM.
set S := \sum_(k < d) _; set c := dot _ _.
have -> : (E t *m tail_uv h) i 0 = S / (z (Zpos (q_contexts D)) * z (Zpos (tail_qu s))).
  rewrite mxE /S mulr_suml; apply: eq_bigr => k _; rewrite !mxE /ent invfM.
  by rewrite mulrACA.
have -> : (tail_vv h *m e t) 0 0 = z c / (z (Zpos (tail_qv s)) * z (Zpos (q_queries D))).
  rewrite /c dotC (@toF_dot R d) ?size_query // mxE mulr_suml; apply: eq_bigr => k _; rewrite !mxE /ent invfM.
  by rewrite mulrACA [z (nth 0%coqZ (nth [::] (tail_v s) h) k) * _]mulrC.
by rewrite mulf_div.
Qed.

Lemma separatingP : separating_ok D s -> separated_weights tail_W tail_uv tail_vv.
Proof.
case/and3P=> _ /allP terms /allP split; split=> h.
  have := terms (h : nat); rewrite mem_iota ltn_ord => /(_ isT); apply: leq_trans; apply: leq_add.
    apply: leq_trans (mxrankM_maxl _ _) _; apply: rank_short; apply/allP => r rK; rewrite /terms_of.
    elim: (nth [::] (tail_key s) h) rK => //= r' M IH; rewrite inE => /predU1P[->|/IH rM]; first exact: leq_maxl.
    exact: leq_trans rM (leq_maxr _ _).
  case: (boolP (nilp _)) => [/nilP u0|_]; last by apply: leq_trans (mxrankM_maxr _ _) (rank_leq_row _).
  have -> : tail_uv h = 0 by apply/colP => j; rewrite !mxE /ent u0 nth_nil toF0 mul0r.
  by rewrite mul0mx mxrank0.
move=> h0; have := split (h : nat); rewrite mem_iota ltn_ord => /(_ isT).
rewrite -[_ == _]negbK -lt0n h0 /=; apply: leq_trans.
rewrite -sum1_count -[X in iota 0 X]subn0 -/(index_iota 0 T) big_mkord sum1dep_card.
apply/subset_leq_card/subsetP => t; rewrite !inE lt0n; apply: contra => /eqP/equal_pairs_uniq un.
apply/asboolP => i j ij; rewrite !separator_logit; apply: contra ij => /eqP/(mulIf _) eq.
have {}eq := toF_inj (eq (invr_neq0 (toF_pos R _))).
by have := nth_uniq 0%coqZ _ _ un; rewrite size_separated // => /(_ i j (ltn_ord i) (ltn_ord j)); rewrite eq eqxx => /esym.
Qed.

(* --- with a factor *)
Lemma lambda_weights a q (h : 'I_H) :
  literal R d (tail_width s).+1 (tail_qk s * (tail_qu s * q)) (lambda_key D s a q) h
    *m (literal R d (tail_width s).+1 (tail_qq s * tail_qv s) (lambda_query D s) h)^T =
  tail_W h + (z a / z (Zpos q)) *: (tail_uv h *m tail_vv h).
Proof.
have cancel (x y c : R) : c != 0 -> (x * c) / (y * c) = x / y.
  by move=> c0; rewrite -mulf_div divff // mulr1.
have entE (f : nat -> nat -> seq Z) (j : 'I_d) i :
    ent (nth [::] [seq [seq f h j | j <- iota 0 d] | h <- iota 0 H] h) j i = nth 0%coqZ (f h j) i.
  by rewrite /ent (nth_map 0%N) ?size_iota // nth_iota // (nth_map 0%N) ?size_iota // nth_iota.
apply/matrixP => j l; rewrite mxE big_ord_recr [RHS]mxE; congr (_ + _).
  rewrite [RHS]mxE; apply: eq_bigr => i _; rewrite !mxE !entE !nth_rcons !size_map !size_iota.
  rewrite -[nat_of_ord (widen_ord _ _)]/(nat_of_ord i) ltn_ord.
  rewrite !(nth_map 0%N) ?size_iota // !nth_iota // !add0n !toFpM !toFM !toFpM.
  by rewrite !cancel // ?mulf_neq0 ?toF_pos.
rewrite !mxE big_ord1 !mxE !entE !nth_rcons !size_map !size_iota.
rewrite -[nat_of_ord ord_max]/(tail_width s) ltnn eqxx !toFpM !toFM.
by field; rewrite !toF_pos.
Qed.

Lemma lambda_minor_sound a q p g o rows cols : lambda_minor_ok D s a q p g o rows cols ->
  (size rows <= \rank (with_separators tail_W tail_uv tail_vv (fun=> (z a / z (Zpos q))%R)))%N.
Proof.
rewrite /lambda_minor_ok; case: ifP => // _ ok; have /and5P[_ okL _ _ _] := ok.
have <- : given_Z R D (lambda_layer D s a q) true =
    with_separators tail_W tail_uv tail_vv (fun=> z a / z (Zpos q)).
  rewrite /lambda_layer given_Z_factors ZE; congr (Zmx _ _ _); apply/funext => h.
  by rewrite -lambda_weights /factor mulr1 scalemxAl.
exact: minor_Z_rank ok.
Qed.

End Separators.

Section Sound.
Variables (R : realType) (D : problem) (w : tail_data).
Hypotheses (okD : wf_problem D) (shape : tail_shape D w).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation z := (toF R).
Local Notation s := (tail_heads w).
Local Notation L0 := (tail_layer s).
Local Notation tail_W := (tail_W R s).
Local Notation tail_uv := (tail_uv R s).
Local Notation tail_vv := (tail_vv R s).
Let okL : wf_layer D L0. Proof. by case/andP: shape => /and3P[]. Qed.
Let n0 : (0 < n)%N := n_gt0 okD.
Definition tail_L : R := z (Zpos (tail_num w)) / z (Zpos (tail_den w)).

(* logits without separators, and what lambda multiplies                            *)
Let Y (t : 'I_T) (h : 'I_H) := exponents D L0 true (prepare L0 h) t.
Let X (t : 'I_T) (h : 'I_H) := separator_entries D s t h.
Let base : R := if base_two D then ln 2%:R else 1.
Let base0 : 0 < base. Proof. by rewrite /base; case: ifP; rewrite ?ltr01 ?ln2_gt0. Qed.

Lemma base_logit (t : 'I_T) (h : 'I_H) (i : 'I_n) : (E t *m tail_W h *m e t) i 0 =
  z (nth 0%coqZ (Y t h) i) / z (Zpos (total_den D L0 true)).
Proof.
have b0 : literal_bias R (tail_width s) 1 [::] h = 0 :> 'cV_(tail_width s).
  by apply/colP => k; rewrite !mxE /ent nth_nil nth_nil rmorph0 mul0r.
have := exponentsE R okD true okL t h i; rewrite /factor mulr1 /kappa /root toF1 sqrtr1 mul1r -/base -mulrA.
move/(mulfI (lt0r_neq0 base0)); rewrite main_logitsE // /vector /= b0 addr0 !mulmxA => ->.
by rewrite mulrC.
Qed.

Variable lambda : 'I_H -> R.
Hypothesis lambdaP : forall h, tail_L <= lambda h.
Definition tail_at (h : 'I_H) : 'M[R]_d := base *: (tail_W h + lambda h *: (tail_uv h *m tail_vv h)).
Let l (t : 'I_T) (h : 'I_H) : 'cV[R]_n := E t *m tail_at h *m e t.

Lemma lE t h i : l t h i 0 = base * (z (nth 0%coqZ (Y t h) i) / z (Zpos (total_den D L0 true)) +
  lambda h * (z (nth 0%coqZ (X t h) i) / z (Zpos (separated_den D s)))).
Proof.
rewrite /l /tail_at -scalemxAr -scalemxAl mxE mulmxDr mulmxDl mxE base_logit -scalemxAr -scalemxAl.
by rewrite [(lambda h *: (E t *m (tail_uv h *m tail_vv h) *m e t)) i 0]mxE separator_logit.
Qed.

Variable bits : nat.
Let p := precision_of bits.
Let u := plain_unit D w bits.
Let u' := tail_unit D w bits.

Lemma tail_coefficientsP (t : 'I_T) (h : 'I_H) :
  encloses (z (Zpos (denominator p))) (softmax (l t h))^T (tail_coefficients D w bits u u' t h).
Proof.
have sY : size (Y t h) = n by apply: size_exponents.
rewrite /tail_coefficients -/(Y t h) -/(X t h); case: ifP => [zero|_].
  have [u0 uP uE uN] := unit_ofP R p bits (base_two D) 1 (total_den D L0 true).
  split=> [|i]; first exact: size_alphas.
  rewrite mxE; have -> : softmax (l t h) = coefficients_of ((if base_two D then ln 2%:R else 1) *
      (Num.sqrt (z 1%coqZ) / z (Zpos (total_den D L0 true)))) n (Y t h).
    congr softmax; apply/colP => j; rewrite lE [RHS]mxE [X in _ = _ * X]mxE toF1 sqrtr1 mul1r -/base.
    have -> : nth 0%coqZ (X t h) j = 0%coqZ.
      by have /allP/(_ (nth 0%coqZ (X t h) j)) := zero; rewrite mem_nth ?(size_separated s okD) // => /(_ isT)/Z.eqb_eq.
    by rewrite toF0 mul0r mulr0 addr0 mulrA mulrAC.
  by apply: alphasP => //; [rewrite uE; apply: digits_ofP].
have [u0 uP uE uN] := unit_ofP R p bits (base_two D) 1 (tail_unit_den D w).
have sX := size_separated s okD h (ltn_ord t).
split=> [|i]; first by apply: size_tail_alphas.
rewrite mxE; apply: tail_alphasP uN sX _ i => //; first by rewrite uE; apply: digits_ofP.
move=> i j Xij; rewrite !lE -/base toF1 sqrtr1 mul1r.
have s0 := toFp_gt0 R (separated_den D s); have t0 := toFp_gt0 R (total_den D L0 true); have d0 := toFp_gt0 R (tail_den w).
have {}Xij := toF_leq R Xij.
rewrite toFD (toFM _ (_ - _)%coqZ) !toFM !toFB /tail_unit_den !toFpM.
have far (yi yj xi xj N S td tn lam : R) : 0 < N -> 0 < S -> 0 < td -> tn / td <= lam -> xi <= xj ->
    yi / N + lam * (xi / S) - (yj / N + lam * (xj / S)) <=
    - ((N * (S * td))^-1 * ((yj - yi) * (S * td) + tn * N * (xj - xi))).
  move=> N0 S0 td0 tl x0; rewrite -subr_ge0.
  have -> : - ((N * (S * td))^-1 * ((yj - yi) * (S * td) + tn * N * (xj - xi))) -
      (yi / N + lam * (xi / S) - (yj / N + lam * (xj / S))) = (lam - tn / td) * ((xj - xi) / S).
    by field; rewrite !lt0r_neq0.
  by rewrite mulr_ge0 ?subr_ge0 // divr_ge0 ?subr_ge0 // ltW.
rewrite -mulrBr -[X in _ <= - X]mulrA -mulrN ler_pmul2l //; by apply: far; rewrite ?mulr_gt0 ?toFp_gt0.
Qed.


(* --- the minor *)
Hypothesis ok : tail_ok_at D w bits.
Let k := size (tail_rows w).
Let rT : all (fun t => t < T)%N (tail_rows w). Proof. by case/andP: shape => _ /and4P[]. Qed.
Let cH : all (fun j => j < H * d)%N (tail_cols w). Proof. by case/andP: shape => _ /and4P[]. Qed.
Let sC : size (tail_cols w) = k. Proof. by case/andP: shape => _ /and4P[_ _ /eqP]. Qed.
Let sI : sizes_are k k (tail_inverse w). Proof. by case/andP: shape => _ /and4P[_ _ _ /and3P[]]. Qed.
Let sS : size (tail_scale w) = k. Proof. by case/andP: shape => _ /and4P[_ _ _ /and3P[_ /eqP]]. Qed.
Let scale0 : all (fun x => 0 <? x)%coqZ (tail_scale w).
Proof. by case/andP: shape => _ /and4P[_ _ _ /and3P[]]. Qed.

Definition tail_rowsub (i : 'I_k) : 'I_T := Ordinal (all_nthP 0%N rT i (ltn_ord i)).
Definition tail_colsub (j : 'I_k) : 'I_(H * d) := Ordinal (all_nthP 0%N cH j (leq_trans (ltn_ord j) (eq_leq (esym sC)))).

Lemma tail_row_inside (t : 'I_T) (j : 'I_(H * d)) :
  inside (z (Zpos (tail_s D bits)) * Zmx E e tail_at t j) (nth (0, 0)%coqZ (tail_row D w bits u u' t) j).
Proof.
case/mxvec_indexP: j => h j; rewrite /tail_row mxvec_index_val flatten_nth //; last by rewrite size_map size_iota.
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n Zmx_attn_out [attn_out _ _ _ _]mxE mxvecE.
  have -> : (coefs E e tail_at t *m E t) h j = ((softmax (l t h))^T *m E t) 0 j.
    by rewrite mxE [RHS]mxE; apply: eq_bigr => i _; rewrite [coefs _ _ _ _ _ _]mxE.
  rewrite /tail_s toFpM; have [_] := @enclosesM R _ (q_contexts D) n d _ _ (context_at D t) (tail_coefficientsP t h).
  by apply.
by apply/allP => r /mapP[h' _ ->]; rewrite size_times_rows.
Qed.

Theorem tail_sound : (k <= \rank (Zmx E e tail_at))%N.
Proof.
pose A : 'M[R]_k := \matrix_(i, j) Zmx E e tail_at (tail_rowsub i) (tail_colsub j).
have enclosed : enclosed_mx (tail_s D bits) A (tail_Z D w bits).
  move=> i j; rewrite mxE /tail_Z (nth_map 0%N) // (nth_map 0%N) ?sC //.
  exact: (tail_row_inside (tail_rowsub i) (tail_colsub j)).
have sZ : sizes_are k k (tail_Z D w bits).
  apply/andP; split; first by rewrite size_map.
  by apply/allP => r /mapP[t _ ->]; rewrite size_map sC.
have unit_A : A \in unitmx.
  apply: (defects_unit (q := tail_qi w) (w := tail_scale w) enclosed sZ sI) => i.
    by apply/Z.ltb_lt; apply: (all_nthP 0%coqZ scale0); rewrite sS.
  have := ok; rewrite /tail_ok_at; set ds := defects_of _ _ _ _ _ => /(all_nthP (0, 0)%coqZ)/(_ i).
  have sd : size ds = k by have /andP[/eqP sI' _] := sI; rewrite size_map size_zip size_iota sI' minnn.
  by rewrite size_zip sd sS minnn ltn_ord nth_zip ?sd ?sS // => /(_ isT)/Z.ltb_lt.
have AE : A = rowsub tail_rowsub (1%:M) *m (Zmx E e tail_at *m colsub tail_colsub 1%:M).
  by rewrite mulmx_colsub mulmx1 -rowsubE; apply/matrixP => i j; rewrite !mxE.
have := mxrank_unit unit_A; rewrite {1}AE => {1}<-.
exact: leq_trans (mxrankM_maxr _ _) (mxrankM_maxl _ _).
Qed.

End Sound.

Theorem tail_rank_geq (R : realType) D w : wf_problem D -> tail_ok D w -> (size (tail_rows w) <= tail_rank R D)%N.
Proof.
move=> okD; rewrite /tail_ok; case: ifP => // shape ok.
have {ok}[bits ok] := shown_atP ok.
have all_lambda (lambda : 'I_(H D) -> R) : (forall h, tail_L R w <= lambda h) ->
    (size (tail_rows w) <= \rank (with_separators (@tail_W R D (tail_heads w)) (@tail_uv R D (tail_heads w))
      (@tail_vv R D (tail_heads w)) lambda))%N.
  by move=> lP; have := tail_sound okD shape lP ok.
apply: largest_geq.
  have := all_lambda (fun=> tail_L R w) (fun=> lexx _); move/leq_trans; apply.
  by rewrite leq_min rank_leq_row rank_leq_col.
exists (@tail_W R D (tail_heads w)), (@tail_uv R D (tail_heads w)), (@tail_vv R D (tail_heads w)); split.
  by apply: separatingP => //; case/andP: shape.
by exists (tail_L R w).
Qed.

Theorem lambda_rank_geq (R : realType) D s a q p g o rows cols : wf_problem D ->
  lambda_minor_ok D s a q p g o rows cols -> (size rows <= lambda_rank D (toF R a / toF R (Zpos q)))%N.
Proof.
move=> okD ok; have big := lambda_minor_sound R okD ok.
apply: largest_geq; first by apply: leq_trans big _; rewrite leq_min rank_leq_row rank_leq_col.
exists (@tail_W R D s), (@tail_uv R D s), (@tail_vv R D s); split=> //.
by apply: separatingP => //; move: ok; rewrite /lambda_minor_ok; case: ifP.
Qed.
