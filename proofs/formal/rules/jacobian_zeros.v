(* The proved checker, upper bounds of rank(J): vectors with J x = 0, by identities       *)
(* between sums of powers of b.  With y_i what the read-out makes of token i, m_i and w_i  *)
(* what x adds to its logit and to its value, a head adds                                 *)
(*     sum_i alpha_i (m_i (y_i - sum_k alpha_k y_k) + w_i)                                *)
(*       = sum_i sum_k alpha_i alpha_k (m_i (y_i - y_k) + w_i)                            *)
(* to a row of J times x: a quotient of sums of powers over pairs of tokens.              *)
(*                                                                                       *)
(*   J_part == the part of a vector that belongs to a head: numbers for its keys (d rows),  *)
(*             its queries (m rows) and its read-out (d_out rows)                          *)
(*   zero_J_ok D L a u p V == the check of vectors V; zero_J_rank == they bound rank(J)       *)
From Attest Require Import integers attention upper_bounds literal_arithmetic intervals residues elimination.
From Attest Require Import problem quantities logits rational_matrices zero blocks jacobians.

Local Notation Z := BinNums.Z.

Record J_part := JPart { on_keys : seq (seq Z); on_queries : seq (seq Z); on_reads : seq (seq Z) }.
Definition no_part := JPart [::] [::] [::].

Definition query_width (L : layer) : nat := if L is Factors m _ _ _ _ _ _ _ _ then m else 0.
Definition of_size (h w : nat) (M : seq (seq Z)) : bool := (size M == h) && all (fun r => size r == w) M.
Definition part_ok (D : problem) (L : layer) (x : J_part) : bool :=
  [&& of_size (d D) (key_width D L) (on_keys x), of_size (query_width L) (d D) (on_queries x) &
    of_size (d_out D) (d D) (on_reads x)].
Definition flat_part (x : J_part) : seq Z := flatten (on_keys x) ++ flatten (on_queries x) ++ flatten (on_reads x).
Definition part_width (D : problem) (L : layer) : nat :=
  (d D * key_width D L + (query_width L * d D + d_out D * d D))%N.
Definition columns_number (D : problem) (L : layer) : nat := (H D * part_width D L)%N.

(* columns of the read-outs, as integers over a common denominator               *)
Definition readout_den (D : problem) (u : option (seq (seq Z))) : positive :=
  match u, around D with None, Some w => (q_value w * (q_output w * q_readout w))%positive | _, _ => 1%positive end.
Definition readout_column (D : problem) (u : option (seq (seq Z))) (h o : nat) : seq Z :=
  match u, around D with
  | Some U, _ => col o (take (d D) (drop (h * d D) U))
  | None, Some w =>
    let c := [seq dot r (col o (readout_weights w)) | r <- nth [::] (output_weights w) h] in
    [seq dot r c | r <- nth [::] (value_weights w) h]
  | None, None => [::]
  end.
Definition readout_sizes (D : problem) (u : option (seq (seq Z))) : bool :=
  match u, around D with
  | None, Some w => all (all (fun r => size r <= value_width w)%N) (value_weights w) &&
      all (all (fun r => size r <= output_width w)%N) (output_weights w)
  | _, _ => true
  end.

(* the projected query, and what a vector adds to the logits is the product of a token with *)
Definition projected_den (D : problem) (L : layer) : positive :=
  match L with Factors _ _ _ qq _ _ _ qqb _ => (qq * qqb * q_queries D)%positive | _ => q_queries D end.
Definition projected_row (D : problem) (L : layer) (h : nat) (e : seq Z) : seq Z :=
  match L with
  | Factors m _ _ qq Q _ _ qqb bQ =>
    add_bias (Zpos (qq * q_queries D)) [seq (Zpos qqb * dot c e)%coqZ | c <- columns m (nth [::] Q h)] (nth [::] bQ h)
  | _ => e
  end.
Definition motion_den (D : problem) (L : layer) : positive :=
  match L with Factors _ qk _ _ _ _ _ _ _ => (qk * projected_den D L)%positive | _ => projected_den D L end.
Definition motion_row (D : problem) (L : layer) (h : nat) (e : seq Z) (x : J_part) : seq Z :=
  let P := projected_row D L h e in
  match L with
  | Factors _ qk K qq _ _ _ qqb _ =>
    let q := [seq dot r e | r <- on_queries x] in
    [seq (Zpos qk * dot (nth [::] (on_keys x) r) P + Zpos (qq * qqb) * dot (nth [::] (nth [::] K h) r) q)%coqZ | r <- iota 0 (d D)]
  | _ => [seq dot r P | r <- on_keys x]
  end.

(* a head, over pairs of tokens                                                   *)
Definition pair_logits (n : nat) (l : seq Z) : seq Z :=
  [seq (nth 0 l (s %/ n) + nth 0 l (s %% n))%coqZ | s <- iota 0 (n * n)].
Definition pair_tokens (D : problem) (L : layer) (u : option (seq (seq Z))) (t o h : nat) (x : J_part) : seq (seq Z) :=
  let C := context_at D t in
  let g := motion_row D L h (nth [::] (queries D) t) x in
  let y := [seq dot r (readout_column D u h o) | r <- C] in
  let m := [seq dot r g | r <- C] in
  let w := [seq dot r (nth [::] (on_reads x) o) | r <- C] in
  let s := Zpos (q_contexts D * motion_den D L * readout_den D u) in
  [seq [:: nth 0 m (k %/ n D) * (nth 0 y (k %/ n D) - nth 0 y (k %% n D)) + nth 0 w (k %/ n D) * s]%coqZ
    | k <- iota 0 (n D * n D)].
(* a head that adds nothing is left out                                           *)
Definition factor_of_head (C : seq (seq Z)) : seq (seq (Z * Z)) :=
  if all (all (Z.eqb 0)) C then [::] else [:: [:: (0, 1)]]%coqZ.

Definition zero_J_row (D : problem) (L : layer) (a : bool) (u : option (seq (seq Z))) (v : seq J_part) (t o : nat) : bool :=
  let C h := pair_tokens D L u t o h (nth no_part v h) in
  right_identity Z.add Z.eqb Z.ltb 0%coqZ (collect_powers D L a) 1 (H D) [seq factor_of_head (C h) | h <- iota 0 (H D)]
    (fun h => pair_logits (n D) (least_0 (exponents D L a (prepare L h) t))) C.

Definition zero_J_ok (D : problem) (L : layer) (a : bool) (u : option (seq (seq Z))) (p : Z) (V : seq (seq J_part)) : bool :=
  [&& wf_problem D && wf_layer D L, readout_sizes D u,
    (match L with Factors _ _ K _ Q _ _ _ _ => all (fun M => size M <= d D)%N K && all (fun M => size M <= d D)%N Q
     | Combined _ _ => true | Projected _ => false end),
    all (fun v => (size v == H D) && all (part_ok D L) v) V,
    independent_mod p (columns_number D L) [seq flatten [seq flat_part x | x <- v] | v <- V] &
    all (fun v => all (fun t => all (zero_J_row D L a u v t) (iota 0 (d_out D))) (iota 0 (T D))) V].

Lemma divmod_ords a b c : (c < a * b)%N -> exists (i : 'I_a) (j : 'I_b), c = (i * b + j)%N.
Proof.
move=> ca; have b0 : (0 < b)%N by move: ca; case: (posnP b) => // ->; rewrite muln0.
have ia : (c %/ b < a)%N by rewrite ltn_divLR.
by exists (Ordinal ia), (Ordinal (ltn_pmod c b0)); rewrite /= -divn_eq.
Qed.

Lemma nth_flatten_size h w M (i : 'I_h) (j : 'I_w) : of_size h w M -> nth 0%coqZ (flatten M) (i * w + j) = ent M i j.
Proof.
move=> /andP[_ sM]; have w0 : (0 < w)%N by apply: leq_ltn_trans (ltn_ord j).
by rewrite (nth_flatten_rows _ _ sM) // divnMDl // modnMDl divn_small // modn_small // addn0.
Qed.

Lemma size_flatten_size h w M : of_size h w M -> size (flatten M) = (h * w)%N.
Proof.
move=> /andP[/eqP <-]; elim: M => //= r M IH /andP[/eqP sr /IH]; by rewrite size_cat sr mulSn => ->.
Qed.

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Zeros.
Variables (R : realType) (D : problem) (L : layer) (a : bool) (u : option (seq (seq Z))).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation d_out := (d_out D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation z := (toF R).
Hypotheses (okD : wf_problem D) (okL : wf_layer D L) (okU : readout_sizes D u).
Let n0 : (0 < n)%N := n_gt0 okD.
Let b : R := expR (kappa R D L a).
Let ev (x : Z) : R := b ^ int_of_Z x.
Let evD x y : ev (x + y)%coqZ = ev x * ev y.
Proof. by rewrite /ev -expfzDr ?gt_eqF ?expR_gt0 // -rmorphD. Qed.
Let ev_equal x y : (x =? y)%coqZ -> ev x = ev y. Proof. by move=> /Z.eqb_eq->. Qed.
Let ev0 : ev 0%coqZ = 1. Proof. exact: expr0z. Qed.
Let ev_gt0 x : 0 < ev x. Proof. by rewrite exprz_gt0 // expR_gt0. Qed.
Let s := factor R D a.
Let zp q : z (Zpos q) != 0. Proof. exact: toF_pos. Qed.

Lemma readout_columnE (h : 'I_H) (o : 'I_d_out) (j : 'I_d) :
  given_readout R D u h j o = z (nth 0%coqZ (readout_column D u h o) j) / z (Zpos (readout_den D u)).
Proof.
move: okU; rewrite /given_readout /readout_column /readout_den /readout_sizes; case: u => [U|]; last case: (around D) => [w|].
- by move=> _; rewrite toF1 divr1 nth_col /ent nth_take // nth_drop mxE.
- move=> /andP[sV sO]; rewrite nth_map_dot mxE (@toF_dot _ (value_width w)); last first.
    by apply: (all_nth_nil (P := fun r : seq Z => size r <= value_width w)%N) => //; exact: (all_nth_nil (P := all (fun r : seq Z => size r <= value_width w)%N)).
  rewrite mulr_suml; apply: eq_bigr => v _; rewrite nth_map_dot mxE [X in _ * X]mxE (@toF_dot _ (output_width w)); last first.
    by apply: (all_nth_nil (P := fun r : seq Z => size r <= output_width w)%N) => //; exact: (all_nth_nil (P := all (fun r : seq Z => size r <= output_width w)%N)).
  rewrite mulr_sumr mulr_sumr mulr_suml; apply: eq_bigr => k _.
  rewrite mxE [X in _ * (_ * X)]mxE nth_col !toFpM.
  by rewrite !mulf_div.
by move=> _; rewrite nth_nil toF0 mul0r mxE.
Qed.

Lemma token_product (t : 'I_T) (i : 'I_n) (r : seq Z) :
  z (nth 0%coqZ [seq dot x r | x <- context_at D t] i) = z (Zpos (q_contexts D)) * \sum_(j < d) E t i j * z (nth 0%coqZ r j).
Proof.
rewrite nth_map_dot (@toF_dot _ d) ?size_token // mulr_sumr; apply: eq_bigr => j _.
by rewrite [E t i j]mxE mulrA mul_lit.
Qed.

(* a layer with factors, or a combined one                                        *)
Section Layer.
Variables (m : nat) (bK bQ : 'I_H -> 'cV[R]_m) (w : parameter D m -> R) (both : bool).
Local Notation coef := (coef s bK bQ w).
Local Notation covariance := (covariance s bK bQ w).
Local Notation projected := (projected_query bQ w).
Local Notation m2 := (query_width L).
Hypothesis logitsE : forall t h, logits_at bK bQ w t h = logits R L t h.
Hypothesis readoutE : forall h, readout_of w h = given_readout R D u h.
Hypothesis widthE : m = key_width D L.
Hypothesis queriesE : m2 = if both then m else 0%N.
Hypothesis motionE : forall (t : 'I_T) (h : 'I_H) x (r : 'I_d), part_ok D L x ->
  \sum_(l < m) projected t h l * z (ent (on_keys x) r l)
    + (if both then \sum_(l < m) key_of w h r l * \sum_(j < d) e t j 0 * z (ent (on_queries x) l j) else 0)
  = z (nth 0%coqZ (motion_row D L h (nth [::] (queries D) t) x) r) / z (Zpos (motion_den D L)).

Let m2m : (m2 <= m)%N. Proof. by rewrite queriesE; case: both. Qed.

Definition J_column : finType := [finType of 'I_H * ('I_d * 'I_m + 'I_m2 * 'I_d + 'I_d_out * 'I_d)].
Definition parameter_of (c : J_column) : parameter D m :=
  (c.1, match c.2 with
        | inl (inl (j, l)) => inl (inl (j, l))
        | inl (inr (l, j)) => inl (inr (j, widen_ord m2m l))
        | inr (o, j) => inr (j, o)
        end).
Definition number_at (v : seq J_part) (c : J_column) : Z :=
  let x := nth no_part v c.1 in
  match c.2 with
  | inl (inl (j, l)) => ent (on_keys x) j l
  | inl (inr (l, j)) => ent (on_queries x) l j
  | inr (o, j) => ent (on_reads x) o j
  end.

Lemma card_J_column : #|J_column| = columns_number D L.
Proof. by rewrite /columns_number /part_width card_prod !card_sum !card_prod !card_ord widthE addnA. Qed.

(* what a head adds                                                                *)
Section Head.
Variables (t : 'I_T) (h : 'I_H) (o : 'I_d_out) (x : J_part).
Hypothesis okx : part_ok D L x.
Let l := exponents D L a (prepare L h) t.
Let g (r : 'I_d) : R := z (nth 0%coqZ (motion_row D L h (nth [::] (queries D) t) x) r) / z (Zpos (motion_den D L)).
Let y i := value_at w t h o i.
Let mo i := \sum_(r < d) E t i r * g r.
Let rd i := \sum_(j < d) E t i j * z (ent (on_reads x) o j).
Let den : R := z (Zpos (q_contexts D)) * z (Zpos (q_contexts D)) * z (Zpos (motion_den D L)) * z (Zpos (readout_den D u)).

Lemma size_l : size l = n. Proof. exact: size_exponents. Qed.

Lemma head_slopes :
  \sum_(j < d) \sum_(k < m) covariance t h o j * projected t h k * z (ent (on_keys x) j k)
  + (if both then \sum_(k < m) \sum_(j < d) e t j 0 * (\sum_r key_of w h r k * covariance t h o r) * z (ent (on_queries x) k j) else 0)
  + \sum_(j < d) (\sum_i coef t h i * E t i j) * z (ent (on_reads x) o j)
  = \sum_i \sum_k coef t h i * coef t h k * (mo i * (y i - y k) + rd i).
Proof.
have covE : \sum_(r < d) covariance t h o r * g r = \sum_i coef t h i * (mo i * (y i - \sum_k coef t h k * y k)).
  rewrite (eq_bigr (fun r => \sum_i deviation s bK bQ w t h o i * E t i r * g r)) => [|r _]; last exact: mulr_suml.
  rewrite exchange_big; apply: eq_bigr => i _.
  rewrite /mo mulr_suml mulr_sumr; apply: eq_bigr => r _; rewrite /deviation -/(y i).
  by rewrite (eq_bigr (fun k => coef t h k * y k)) //; move: (\sum_k _) => c; ring.
transitivity (\sum_(r < d) covariance t h o r * g r + \sum_i coef t h i * rd i).
  congr (_ + _); last first.
    rewrite (eq_bigr (fun j : 'I_d => \sum_i coef t h i * E t i j * z (ent (on_reads x) o j))) => [|j _]; last exact: mulr_suml.
    rewrite exchange_big; apply: eq_bigr => i _.
    by rewrite /rd mulr_sumr; apply: eq_bigr => j _; rewrite mulrA.
  rewrite [RHS](eq_bigr (fun r => \sum_(k < m) covariance t h o r * projected t h k * z (ent (on_keys x) r k) +
    (if both then \sum_(k < m) covariance t h o r * (key_of w h r k * \sum_(j < d) e t j 0 * z (ent (on_queries x) k j)) else 0))).
    rewrite big_split /=; congr (_ + _); case: both; last by rewrite big1.
    rewrite [RHS]exchange_big; apply: eq_bigr => k _.
    transitivity ((\sum_r key_of w h r k * covariance t h o r) * \sum_j e t j 0 * z (ent (on_queries x) k j)).
      by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite [RHS]mulrA; congr (_ * _); apply: mulrC.
    by rewrite mulr_suml; apply: eq_bigr => r _; rewrite [RHS]mulrA; congr (_ * _); apply: mulrC.
  move=> r _; rewrite /g -motionE // mulrDr mulr_sumr; congr (_ + _); last by case: both; rewrite ?mulr0 ?mulr_sumr.
  by apply: eq_bigr => k _; rewrite mulrA.
have sc := sum_coef s bK bQ n0 w t h.
rewrite covE -big_split /=; apply: eq_bigr => i _.
rewrite [RHS](eq_bigr (fun k => coef t h i * (mo i * y i + rd i) * coef t h k - coef t h i * mo i * (coef t h k * y k))); last first.
  by move=> k _; move: (coef t h i) (coef t h k) (mo i) (y i) (y k) (rd i) => *; ring.
rewrite sumrB -!mulr_sumr sc; move: (coef t h i) (mo i) (y i) (rd i) (\sum_k coef t h k * y k) => *; ring.
Qed.

Lemma coef_ev i : coef t h i = ev (nth 0%coqZ l i) / \sum_(j < n) ev (nth 0%coqZ l j).
Proof. exact: (coefE a okD okL logitsE t h i). Qed.

Lemma pair_entry :
  entry 0%coqZ ev (n * n) (pair_logits n (least_0 l)) (pair_tokens D L u t o h x) 0 =
  den * \sum_i \sum_k coef t h i * coef t h k * (mo i * (y i - y k) + rd i).
Proof.
have frac (p q x' c' r : R) : p * q * (c' * x') / (r * r) = c' * (p / r * (q / r) * x') by rewrite invfM; move: r^-1 => v; ring.
pose l0 := least_0 l; have sl0 : size l0 = n by rewrite size_least_0 size_l.
pose S := \sum_(j < n) ev (nth 0%coqZ l0 j).
have S0 : S != 0 by apply: (sum_ev_neq0 0%coqZ ev_gt0 n0).
have coef0 i : coef t h i = ev (nth 0%coqZ l0 i) / S.
  have sh (j : 'I_n) : ev (nth 0%coqZ l0 j) = ev (nth 0%coqZ l j) * ev (- foldr Z.min (nth 0%coqZ l 0) l)%coqZ.
    by rewrite (nth_map 0%coqZ) ?size_l // -evD.
  rewrite coef_ev sh /S; under [X in _ = _ / X]eq_bigr do rewrite sh; rewrite -mulr_suml.
  by rewrite invfM mulrACA divff ?mulr1 // gt_eqF.
have nd k : (k < n * n)%N -> (k %/ n < n)%N /\ (k %% n < n)%N by move=> kn; rewrite ltn_divLR // ltn_mod.
have lE k : (k < n * n)%N -> ev (nth 0%coqZ (pair_logits n l0) k) = ev (nth 0%coqZ l0 (k %/ n)) * ev (nth 0%coqZ l0 (k %% n)).
  by move=> kn; rewrite (nth_map 0%N) ?size_iota // nth_iota // evD.
pose c i k := den * (mo i * (y i - y k) + rd i).
have uE (i : 'I_n) : z (nth 0%coqZ [seq dot r (motion_row D L h (nth [::] (queries D) t) x) | r <- context_at D t] i) =
    z (Zpos (q_contexts D)) * z (Zpos (motion_den D L)) * mo i.
  rewrite token_product -mulrA; congr (_ * _); rewrite /mo mulr_sumr; apply: eq_bigr => j _.
  by rewrite /g mulrCA [z _ * (_ / _)]mulrC divfK.
have yE (i : 'I_n) : z (nth 0%coqZ [seq dot r (readout_column D u h o) | r <- context_at D t] i) =
    z (Zpos (q_contexts D)) * z (Zpos (readout_den D u)) * y i.
  rewrite token_product -mulrA; congr (_ * _); rewrite /y /value_at readoutE mxE mulr_sumr; apply: eq_bigr => j _.
  by rewrite readout_columnE mulrCA [z _ * (_ / _)]mulrC divfK.
have cE (i k : 'I_n) : z (ent (pair_tokens D L u t o h x) (i * n + k) 0) = c i k.
  have ikn : (i * n + k < n * n)%N.
    by apply: (@leq_trans (i.+1 * n)%N); [rewrite mulSnr ltn_add2l|rewrite leq_mul2r ltn_ord orbT].
  rewrite /ent (nth_map 0%N) ?size_iota // nth_iota // add0n divnMDl // modnMDl divn_small // modn_small // addn0 /=.
  rewrite !(toFD, toFM, toFB) uE !yE token_product !toFpM /c /den; rewrite -/(rd i).
  by move: (z (Zpos _)) (z (Zpos _)) (z (Zpos _)) (mo i) (y i) (y k) (rd i) => x1 x2 x3 x4 x5 x6 x7; ring.
have double (f : nat -> nat -> R) : \sum_(k < n * n) f (k %/ n)%N (k %% n)%N = \sum_(i < n) \sum_(k < n) f i k by apply: sum_divmod.
rewrite /entry; have -> : \sum_(k < n * n) ev (nth 0%coqZ (pair_logits n l0) k) = S * S.
  rewrite (eq_bigr (fun k : 'I_(n * n) => ev (nth 0%coqZ l0 (k %/ n)) * ev (nth 0%coqZ l0 (k %% n)))) => [|k _]; last exact: lE.
  rewrite (double (fun i k => ev (nth 0%coqZ l0 i) * ev (nth 0%coqZ l0 k))) mulr_suml.
  by apply: eq_bigr => i _; rewrite mulr_sumr.
rewrite (eq_bigr (fun k : 'I_(n * n) => ev (nth 0%coqZ l0 (k %/ n)) * ev (nth 0%coqZ l0 (k %% n)) *
    z (ent (pair_tokens D L u t o h x) (k %/ n * n + k %% n) 0))) => [|k _]; last by rewrite lE // -divn_eq.
rewrite (double (fun i k => ev (nth 0%coqZ l0 i) * ev (nth 0%coqZ l0 k) * z (ent (pair_tokens D L u t o h x) (i * n + k) 0))).
rewrite mulr_suml mulr_sumr; apply: eq_bigr => i _; rewrite mulr_suml mulr_sumr; apply: eq_bigr => k _.
rewrite cE /c !coef0; exact: frac.
Qed.

End Head.

Lemma rowE (t : 'I_T) (o : 'I_d_out) v : all (part_ok D L) v -> size v = H -> zero_J_row D L a u v t o ->
  \sum_(c : J_column) slope s bK bQ w t o (parameter_of c) * z (number_at v c) = 0.
Proof.
move=> okv' sv; have okv := all_nthP no_part okv'; rewrite /zero_J_row /= => ok.
pose C (h : nat) := pair_tokens D L u t o h (nth no_part v h); pose X := [seq factor_of_head (C h) | h <- iota 0 H].
have okx (h : 'I_H) : part_ok D L (nth no_part v h) by apply: okv; rewrite sv.
have n20 : (0 < n * n)%N by rewrite muln_gt0 n0.
have sz (h : 'I_H) : size (pair_logits n (least_0 (exponents D L a (prepare L h) t))) = (n * n)%N /\ size (C h) = (n * n)%N.
  by split; rewrite size_map size_iota.
have := right_identityE (x := X) (C := C) evD ev_equal ev0 ev_gt0 (collect_powersE R D L a) n20 sz ok.
pose f h := \sum_i \sum_k coef t h i * coef t h k * ((\sum_(r < d) E t i r *
  (z (nth 0%coqZ (motion_row D L h (nth [::] (queries D) t) (nth no_part v h)) r) / z (Zpos (motion_den D L)))) *
    (value_at w t h o i - value_at w t h o k) + \sum_(j < d) E t i j * z (ent (on_reads (nth no_part v h)) o j)).
pose den : R := z (Zpos (q_contexts D)) * z (Zpos (q_contexts D)) * z (Zpos (motion_den D L)) * z (Zpos (readout_den D u)).
have den0 : den != 0 by rewrite !mulf_neq0.
have -> : \sum_(h < H) \sum_(j < 1) entry 0%coqZ ev (n * n) (pair_logits n (least_0 (exponents D L a (prepare L h) t))) (C h) j *
    sum_value ev (nth [::] (nth [::] X h) j) = den * \sum_h f h.
  rewrite mulr_sumr; apply: eq_bigr => h _; rewrite big_ord1 /f /den -pair_entry // -/(C h).
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n /factor_of_head; case: ifP => [C0|_]; last first.
    by rewrite value_cons value_nil ev0 toF1 mulr1 addr0 mulr1.
  rewrite value_nil mulr0 /entry big1 ?mul0r // => i _.
  rewrite (_ : ent (C h) i 0 = 0%coqZ) ?toF0 ?mulr0 // /ent.
  have [iC|Ci] := ltnP i (size (C h)); last by rewrite [nth [::] _ i]nth_default ?nth_nil.
  have /all_nthP-/(_ 0%coqZ) r0 := all_nthP [::] C0 i iC.
  have [s0|s0] := ltnP 0 (size (nth [::] (C h) i)); last by rewrite nth_default.
  by have /Z.eqb_eq <- := r0 0%N s0.
move=> /eqP; rewrite mulf_eq0 (negPf den0) => /eqP f0; rewrite -[RHS]f0.
pose F h x := slope s bK bQ w t o (parameter_of (h, x)) * z (number_at v (h, x)).
rewrite (eq_bigr (fun c => F c.1 c.2)); last by case.
rewrite -(pair_bigA _ F) /=; apply: eq_bigr => h _; rewrite /f -head_slopes // !big_sumType /=; congr (_ + _ + _).
- by rewrite [RHS](pair_bigA _ (fun j k => covariance t h o j * projected t h k * z (ent (on_keys (nth no_part v h)) j k)));
    apply: eq_bigr => -[j k].
- rewrite (eq_bigr (fun kj : 'I_m2 * 'I_d => e t kj.2 0 * (\sum_r key_of w h r (widen_ord m2m kj.1) * covariance t h o r) *
    z (ent (on_queries (nth no_part v h)) kj.1 kj.2))); last by case.
  rewrite -(pair_bigA _ (fun (k : 'I_m2) j => e t j 0 * (\sum_r key_of w h r (widen_ord m2m k) * covariance t h o r) *
    z (ent (on_queries (nth no_part v h)) k j))) /=.
  move: m2m queriesE; case: both => m2m' qE.
    pose g (k : 'I_m) := \sum_(j < d) e t j 0 * (\sum_r key_of w h r k * covariance t h o r) * z (ent (on_queries (nth no_part v h)) k j).
    rewrite -[RHS]/(\sum_k g k) (reindex (cast_ord qE)) /=; last first.
      by exists (cast_ord (esym qE)) => k _; rewrite ?cast_ordK ?cast_ordKV.
    apply: eq_bigr => k _; rewrite /g; have -> : cast_ord qE k = widen_ord m2m' k by apply: val_inj.
    by [].
  by rewrite big1 // => k; have := ltn_ord k; rewrite {2}qE.
rewrite (eq_bigr (fun oj : 'I_d_out * 'I_d => (if oj.1 == o then \sum_i coef t h i * E t i oj.2 else 0) *
  z (ent (on_reads (nth no_part v h)) oj.1 oj.2))); last by case.
rewrite -(pair_bigA _ (fun (o' : 'I_d_out) j => (if o' == o then \sum_i coef t h i * E t i j else 0) *
  z (ent (on_reads (nth no_part v h)) o' j))) /= (bigD1 o) //= eqxx [X in _ + X]big1 ?addr0 // => o' /negPf o'o.
by rewrite big1 // => j _; rewrite o'o mul0r.
Qed.

(* where the numbers are in a flat vector                                           *)
Lemma number_flat (c : 'I_(columns_number D L)) : exists c' : J_column,
  forall v, all (part_ok D L) v -> size v = H -> nth 0%coqZ (flatten [seq flat_part x | x <- v]) c = number_at v c'.
Proof.
have sizes x : part_ok D L x -> [/\ of_size d m (on_keys x), of_size m2 d (on_queries x), of_size d_out d (on_reads x) &
    size (flat_part x) = part_width D L].
  move=> /and3P[xk xq xr]; rewrite widthE; split=> //.
  by rewrite !size_cat (size_flatten_size xk) (size_flatten_size xq) (size_flatten_size xr).
have [h [k cE]] := divmod_ords (ltn_ord c).
have part v : all (part_ok D L) v -> size v = H ->
    nth 0%coqZ (flatten [seq flat_part x | x <- v]) c = nth 0%coqZ (flat_part (nth no_part v h)) k.
  move=> okv sv; have w0 : (0 < part_width D L)%N by apply: leq_ltn_trans (ltn_ord k).
  have all_w : all (fun r => size r == part_width D L) [seq flat_part x | x <- v].
    by rewrite all_map; apply: sub_all okv => x /sizes[_ _ _ /= ->].
  rewrite (nth_flatten_rows _ _ all_w) // cE divnMDl // modnMDl divn_small // modn_small // addn0.
  by rewrite (nth_map no_part) // sv.
have okx v : all (part_ok D L) v -> size v = H -> part_ok D L (nth no_part v h).
  by move=> okv sv; apply: (all_nthP no_part okv); rewrite sv.
have := ltn_ord k; rewrite {2}/part_width -widthE => kw.
have [k1|k1] := ltnP k (d * m).
  have [j [l kE]] := divmod_ords k1; exists (h, inl (inl (j, l))) => v okv sv; rewrite part //.
  have [xk _ _ _] := sizes _ (okx v okv sv).
  by rewrite /flat_part nth_cat (size_flatten_size xk) k1 kE nth_flatten_size.
have kw1 : (k - d * m < m2 * d + d_out * d)%N by rewrite ltn_subLR.
have [k2|k2] := ltnP (k - d * m) (m2 * d).
  have [l [j kE]] := divmod_ords k2; exists (h, inl (inr (l, j))) => v okv sv; rewrite part //.
  have [xk xq _ _] := sizes _ (okx v okv sv).
  by rewrite /flat_part nth_cat (size_flatten_size xk) ltnNge k1 /= nth_cat (size_flatten_size xq) k2 kE nth_flatten_size.
have kw2 : (k - d * m - m2 * d < d_out * d)%N by rewrite ltn_subLR.
have [o [j kE]] := divmod_ords kw2; exists (h, inr (o, j)) => v okv sv; rewrite part //.
have [xk xq xr _] := sizes _ (okx v okv sv).
rewrite /flat_part nth_cat (size_flatten_size xk) ltnNge k1 /= nth_cat (size_flatten_size xq) ltnNge k2 /= kE.
exact: nth_flatten_size.
Qed.

Lemma slopes_kernel p V : all (fun v => (size v == H) && all (part_ok D L) v) V ->
    independent_mod p (columns_number D L) [seq flatten [seq flat_part x | x <- v] | v <- V] ->
    all (fun v => all (fun t => all (zero_J_row D L a u v t) (iota 0 d_out)) (iota 0 T)) V ->
  (\rank (slopes s bK bQ both w) <= columns_number D L - size V)%N.
Proof.
move=> okV iV zV; have ok (r : 'I_(size V)) := all_nthP [::] okV r (ltn_ord r).
pose J : 'M[R]_(#|{: 'I_T * 'I_d_out}|, #|J_column|) := \matrix_(i, c) slope s bK bQ w (enum_val i).1 (enum_val i).2 (parameter_of (enum_val c)).
pose X : 'M[R]_(size V, #|J_column|) := \matrix_(r, c) z (number_at (nth [::] V r) (enum_val c)).
apply: (@leq_trans (\rank J)).
  rewrite -mxrank_tr -[X in (_ <= X)%N]mxrank_tr; apply/mxrankS/row_subP => k.
  have [yes|no] := boolP (both || ~~ of_query (enum_val k : parameter D m)); last first.
    by rewrite (_ : row k _ = 0) ?sub0mx //; apply/rowP => i; rewrite !mxE (negPf no).
  have [c cE] : exists c, parameter_of c = enum_val k.
    move: yes; rewrite /parameter_of; case: (enum_val k) => h [[[j l]|[j l]]|[j o]].
    - by exists (h, inl (inl (j, l))).
    - rewrite /of_query /= orbF => b1; have l2 : (l < m2)%N by rewrite queriesE b1.
      by exists (h, inl (inr (Ordinal l2, j))); congr (_, inl (inr (_, _))); apply: val_inj.
    by exists (h, inr (o, j)).
  rewrite (_ : row k _ = row (enum_rank c) J^T) ?row_sub //; apply/rowP => i.
  by rewrite [LHS]mxE [LHS]mxE [LHS]mxE yes [RHS]mxE [RHS]mxE [RHS]mxE enum_rankK cE.
have JX : J *m X^T = 0.
  apply/matrixP => i r; rewrite mxE [RHS]mxE.
  have /andP[/eqP sv okv] := ok r.
  case tE: (enum_val i) => [t o].
  have /allP/(_ (t : nat)) := all_nthP [::] zV r (ltn_ord r); rewrite mem_iota ltn_ord => /(_ isT)/allP/(_ (o : nat)).
  rewrite mem_iota ltn_ord => /(_ isT)/(rowE okv sv) r0; rewrite -[RHS]r0.
  rewrite [RHS](reindex (fun c : 'I_#|J_column| => enum_val c)) /=; last first.
    by exists (fun c => enum_rank c) => c _; rewrite ?enum_valK ?enum_rankK.
  by apply: eq_bigr => c _; rewrite mxE [X in _ * X]mxE [X in _ * X]mxE tE.
apply: leq_trans (kernel_rank JX) _; rewrite -card_J_column leq_sub2l //.
have := independent_mod_rank R iV; rewrite size_map => /leq_trans; apply.
have /fin_all_exists[f fE] := number_flat.
rewrite (_ : mx _ _ _ _ _ = X *m colsub (fun c => enum_rank (f c)) 1%:M); first exact: mxrankM_maxl.
apply/matrixP => r c; rewrite mulmx_colsub mulmx1 !mxE enum_rankK toF1 divr1.
have /andP[/eqP sv okv] := ok r.
by rewrite -fE // /ent (nth_map [::]).
Qed.

End Layer.

Lemma rank_derivatives_slopes m s' (bK bQ : 'I_H -> 'cV[R]_m) both w :
  (\rank (derivatives s' bK bQ both w) <= \rank (slopes s' bK bQ both w))%N.
Proof.
suff -> : derivatives s' bK bQ both w = slopes s' bK bQ both w *m
    diag_mx (\row_k if (enum_val k : parameter D m).2 is inl _ then s' else 1) by apply: mxrankM_maxl.
apply/matrixP => i k; rewrite mul_mx_diag !mxE; case: ifP => _; last by rewrite mul0r.
by rewrite partial_slope // mulrC.
Qed.

Section Check.
Variables (p : Z) (V : seq (seq J_part)).
Hypothesis okV : all (fun v => (size v == H) && all (part_ok D L) v) V.
Hypothesis iV : independent_mod p (columns_number D L) [seq flatten [seq flat_part x | x <- v] | v <- V].
Hypothesis zV : all (fun v => all (fun t => all (zero_J_row D L a u v t) (iota 0 d_out)) (iota 0 T)) V.

Lemma queryE (t : 'I_T) (j : 'I_d) : e t j 0 = z (nth 0%coqZ (nth [::] (queries D) t) j) / z (Zpos (q_queries D)).
Proof. by rewrite !mxE. Qed.

Lemma factors_zero m qk K qq Q qkb bK qqb bQ : L = Factors m qk K qq Q qkb bK qqb bQ ->
    all (fun M => size M <= d)%N K -> all (fun M => size M <= d)%N Q ->
  (rank_J R D L a u <= columns_number D L - size V)%N.
Proof.
move=> LE sK sQ; pose w := parameters (literal R d m qk K) (literal R d m qq Q) (given_readout R D u).
have [sK2 sB] : all (all (fun r => size r <= m)%N) K /\ all (fun b => size b <= m)%N bQ by move: okL; rewrite LE => /andP[].
have logitsE t h : logits_at (literal_bias R m qkb bK) (literal_bias R m qqb bQ) w t h = logits R L t h.
  by rewrite /logits_at key_parameters query_parameters LE.
have readoutE h : readout_of w h = given_readout R D u h by rewrite readout_parameters.
have projectedE (t : 'I_T) (h : 'I_H) (l : 'I_m) : projected_query (literal_bias R m qqb bQ) w t h l =
    z (nth 0%coqZ (projected_row D L h (nth [::] (queries D) t)) l) / z (Zpos (projected_den D L)).
  have sl : (l < size (columns m (nth [::] Q h)))%N by rewrite size_map size_iota.
  rewrite LE /projected_row /projected_den nth_add_bias; last first.
    by rewrite !size_map size_iota; apply: (all_nth_nil (P := fun b : seq Z => size b <= m)%N).
  rewrite (nth_map [::]) // (nth_map 0%N) ?size_iota // nth_iota // add0n toFD !toFM (@toF_dot _ d); last first.
    by rewrite size_map; apply: (all_nth_nil (P := fun M : seq (seq Z) => size M <= d)%N).
  rewrite /projected_query query_parameters mxE [(_ *m _) l 0]mxE [literal_bias _ _ _ _ _ _ _]mxE [row _ _ _ _]mxE [mx _ _ _ _ _ _ _]mxE.
  have -> : (\sum_j (literal R d m qq Q h)^T l j * e t j 0) =
      (\sum_(j < d) z (nth 0%coqZ (col l (nth [::] Q h)) j) * z (nth 0%coqZ (nth [::] (queries D) t) j)) / (z (Zpos qq) * z (Zpos (q_queries D))).
    rewrite mulr_suml; apply: eq_bigr => j _; rewrite queryE nth_col.
    by rewrite [_^T _ _]mxE [literal _ _ _ _ _ _ _ _]mxE mulf_div.
  rewrite -/(ent bQ h l) !toFpM; move: (zp qq) (zp qqb) (zp (q_queries D)).
  move: (z (Zpos qq)) (z (Zpos qqb)) (z (Zpos (q_queries D))) (\sum_(j < d) _) (z (ent bQ h l)) => x1 x2 x3 x4 x5 *.
  by field; apply/and3P.
have widthE : m = key_width D L by rewrite LE.
have queriesE : query_width L = if true then m else 0%N by rewrite LE.
rewrite {1}LE /rank_J; apply: leq_trans (rank_derivatives_slopes _ _ _ _ _) _.
apply: (@slopes_kernel m _ _ w true logitsE readoutE widthE queriesE _ p V okV iV zV) => t h x r okx.
have /and3P[/andP[/eqP sk ak] /andP[/eqP sq aq] _] := okx.
under eq_bigr do rewrite projectedE.
rewrite LE /motion_row (nth_map 0%N) ?size_iota // nth_iota // add0n toFD !toFM !(@toF_dot _ m); last 2 first.
- by apply: (all_nth_nil (P := fun r : seq Z => size r <= m)%N) => //; exact: (all_nth_nil (P := all (fun r : seq Z => size r <= m)%N)).
- have /all_nthP-/(_ [::] r) := ak; rewrite sk => /(_ (ltn_ord r))/eqP ->; by rewrite LE.
rewrite -LE.
have -> : (\sum_(l < m) key_of w h r l * \sum_(j < d) e t j 0 * z (ent (on_queries x) l j)) =
    (\sum_(l < m) z (ent (nth [::] K h) r l) * z (nth 0%coqZ [seq dot r0 (nth [::] (queries D) t) | r0 <- on_queries x] l)) /
    (z (Zpos qk) * z (Zpos (q_queries D))).
  rewrite mulr_suml; apply: eq_bigr => l _; rewrite key_parameters [literal _ _ _ _ _ _ _ _]mxE nth_map_dot (@toF_dot _ d); last first.
    have lq : (l < size (on_queries x))%N by rewrite sq LE.
    by have /all_nthP-/(_ [::] l lq)/eqP -> := aq.
  rewrite -mulf_div mulr_suml; congr (_ * _); apply: eq_bigr => j _.
  by rewrite queryE mulrC mulrA.
have -> : (\sum_(l < m) z (nth 0%coqZ (projected_row D L h (nth [::] (queries D) t)) l) / z (Zpos (projected_den D L)) * z (ent (on_keys x) r l)) =
    (\sum_(l < m) z (nth 0%coqZ (nth [::] (on_keys x) r) l) * z (nth 0%coqZ (projected_row D L h (nth [::] (queries D) t)) l)) /
    z (Zpos (projected_den D L)).
  by rewrite mulr_suml; apply: eq_bigr => l _; rewrite mulrC mulrA.
rewrite LE /motion_den /projected_den !toFpM; move: (zp qk) (zp qq) (zp qqb) (zp (q_queries D)).
move: (z (Zpos qk)) (z (Zpos qq)) (z (Zpos qqb)) (z (Zpos (q_queries D))) (\sum_(l < m) _) (\sum_(l < m) _) => x1 x2 x3 x4 x5 x6 n1 n2 n3 n4.
by field; apply/and4P.
Qed.

Lemma combined_zero q W : L = Combined q W -> (rank_J R D L a u <= columns_number D L - size V)%N.
Proof.
move=> LE; pose none := fun _ : 'I_H => 0 : 'cV[R]_d.
pose w := parameters (literal R d d q W) (fun=> 1%:M) (given_readout R D u).
have logitsE t h : logits_at none none w t h = logits R L t h.
  by rewrite /logits_at key_parameters query_parameters LE /= trmx0 mulmx0 addr0 trmx1 mul1mx addr0.
have readoutE h : readout_of w h = given_readout R D u h by rewrite readout_parameters.
have widthE : d = key_width D L by rewrite LE.
have queriesE : query_width L = if false then d else 0%N by rewrite LE.
rewrite {1}LE /rank_J; apply: leq_trans (rank_derivatives_slopes _ _ _ _ _) _.
apply: (@slopes_kernel d none none w false logitsE readoutE widthE queriesE _ p V okV iV zV) => t h x r /and3P[/andP[/eqP sk ak] _ _].
rewrite addr0 LE /motion_row /motion_den /projected_den /projected_row nth_map_dot (@toF_dot _ d); last first.
  by have /all_nthP-/(_ [::] r) := ak; rewrite sk LE => /(_ (ltn_ord r))/eqP ->.
rewrite mulr_suml; apply: eq_bigr => l _.
by rewrite /projected_query query_parameters trmx1 mul1mx addr0 queryE mulrC mulrA.
Qed.

End Check.
End Zeros.

Theorem zero_J_rank (R : realType) D L a u p V : zero_J_ok D L a u p V ->
  (rank_J R D L a u <= columns_number D L - size V)%N.
Proof.
move=> /and5P[/andP[okD okL] okU okW okV /andP[iV zV]].
have cases L' : L = L' -> (match L' with Factors _ _ K _ Q _ _ _ _ => all (fun M => size M <= d D)%N K && all (fun M => size M <= d D)%N Q
    | Combined _ _ => true | Projected _ => false end) -> (rank_J R D L a u <= columns_number D L - size V)%N.
  case: L' => [m qk K qq Q qkb bK qqb bQ|q W|//] LE; first by move=> /andP[sK sQ]; apply: factors_zero LE sK sQ; eassumption.
  by move=> _; apply: combined_zero LE; eassumption.
exact: cases erefl okW.
Qed.
