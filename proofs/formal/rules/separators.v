(* The proved checker, witnesses: inverses and separators, the numbers in the steps that show Lemmas 3          *)
(* and 4 and Claims 1 and 2; and what steps give to decide the quantities that are 0 or 1.                      *)
(*                                                                                                              *)
(*   wf_subset, wf_coefficients == the claim's examples are there, its coefficients positive with the sum 1     *)
(*                     inverses == right inverses of contexts, and what is 1 at one query and 0 at the others,  *)
(*                                 over common denominators; inverses_ok                                        *)
(*         separator_ok D c u v == v . e_t = 0 on the subset, and the entries of (E_t u)(v . e_t) are different *)
(*                                 elsewhere                                                                    *)
(*        power_above D k l a b == an integer that is at least 2^k b^(- a / b)                                  *)
(*        vertex_ok, one_hot_ok == the steps of Lemma 4 and Claim 2                                             *)
(*                  solving V l == sum_k R_k l_k L_k, the W with  E_t W e_t = l_k  for member k                 *)
(*   weights_sound, separator_sound, vertex_sound, one_hot_sound == what they imply                             *)
(*                  one_hot_all == Claim 2 for all coefficients and every epsilon                               *)
(*                 one_hot_near == the W of a step itself, with its lambda, is as near as claimed               *)
(*                      shown w == the quantity, and whether it is 1; witness_ok, witness_sound                 *)
From Attest Require Import integers attention common lemmas problem literal_arithmetic claims logits.
From Attest Require Import enclosures quantity_bounds networks perturbation.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Computation                                                                 *)
(* -------------------------------------------------------------------------- *)
(* examples, which left inverses show to be different; positive coefficients that sum to 1 for each of them *)
Definition wf_subset (D : problem) (c : arguments) : bool := all (fun t => t < T D)%N (subset c).
Definition wf_coefficients (D : problem) (c : arguments) : bool :=
  all (fun k => let r := nth [::] (coefficients c) k in
    [&& size r == n D, all (fun x => 0 <? x)%coqZ r & (total r =? Zpos (q_coefficients c))%coqZ])
    (iota 0 (size (subset c))).

(* members of the subset x n columns x d, and members x d                           *)
Record inverses := Inverses {
  q_right : positive; right : seq (seq (seq Z)); q_left : positive; left : seq (seq Z)
}.

(* f is q times the identity                                                        *)
Definition is_scalar (m : nat) (q : Z) (f : nat -> nat -> Z) : bool :=
  all (fun i => all (fun j => (f i j =? if eqn i j then q else 0)%coqZ) (iota 0 m)) (iota 0 m).

Definition context_of_member (D : problem) (c : arguments) (k : nat) : seq (seq Z) :=
  context_at D (nth 0%N (subset c) k).
Definition query_of_member (D : problem) (c : arguments) (k : nat) : seq Z :=
  nth [::] (queries D) (nth 0%N (subset c) k).

Definition right_ok (D : problem) (c : arguments) (V : inverses) (k : nat) : bool :=
  let C := context_of_member D c k in
  let X := nth [::] (right V) k in
  [&& size X == n D, all (fun r => size r == d D) X &
    is_scalar (n D) (Zpos (q_contexts D * q_right V)) (fun i j => dot (nth [::] C i) (nth [::] X j))].

Definition inverses_ok (D : problem) (c : arguments) (V : inverses) (most : nat) : bool :=
  let s := size (subset c) in
  [&& wf_subset D c, (s <= most)%N, size (right V) == s, size (left V) == s, all (fun r => size r == d D) (left V),
    all (right_ok D c V) (iota 0 s) &
    is_scalar s (Zpos (q_left V * q_queries D)) (fun k j => dot (nth [::] (left V) k) (query_of_member D c j))].

Definition weights_ok (D : problem) (c : arguments) (V : inverses) : bool :=
  wf_coefficients D c && inverses_ok D c V (minn (n D) (d_h D)).

(* Lemma 3: u and v only matter up to positive factors                               *)
Definition non_zero_row (r : seq Z) : bool := has (fun x => ~~ (x =? 0)%coqZ) r.
Definition entries_of (D : problem) (u v : seq Z) (t : nat) : seq Z :=
  let w := dot v (nth [::] (queries D) t) in [seq (dot r u * w)%coqZ | r <- context_at D t].
Definition separated_at (D : problem) (c : arguments) (u v : seq Z) (t : nat) : bool :=
  if has (eqn t) (subset c) then (dot v (nth [::] (queries D) t) =? 0)%coqZ
  else eqn (equal_pairs (entries_of D u v t)) 0.
Definition separated (D : problem) (c : arguments) (u v : seq Z) : bool :=
  [&& size u == d D, size v == d D & all (separated_at D c u v) (iota 0 (T D))].
Definition separator_ok (D : problem) (c : arguments) (u v : seq Z) : bool :=
  [&& separated D c u v, non_zero_row u & non_zero_row v].

(* --- powers, rounded up: exp (- x) is (1 - w + w^2 / 2) raised to 2^m, w = x / 2^m small *)
Definition exp_above (k : nat) (a b : Z) : Z :=
  let K := Z.of_nat k in
  let x := Z.min a (K * b)%coqZ in
  let m := (Z.to_nat (Z.log2 K) + 40)%N in
  let q := (b * Zpos (two_power m))%coqZ in
  iter m (fun y => shift_up k (y * y)%coqZ)
    (ceil_div (Zpos (two_power k) * (2 * q * q - 2 * q * x + x * x))%coqZ (2 * q * q)%coqZ).

(* a / b >= 0; l / K is at most ln 2, for base 2                                      *)
Definition power_above (two : bool) (k : nat) (K : positive) (l : Z) (a b : Z) : Z :=
  if two then
    let j := (a / b)%coqZ in
    let r := (a - j * b)%coqZ in
    if (Z.of_nat k <? j)%coqZ then 1%coqZ
    else let i := Z.to_nat j in
      if (r =? 0)%coqZ then Zpos (two_power (k - i)) else shift_up i (exp_above k (r * l)%coqZ (b * Zpos K)%coqZ)
  else exp_above k a b.

(* enough bits to tell a sum from epsilon; ln 2                                       *)
Definition bits_for (c : arguments) : nat := (Z.to_nat (Z.log2 (Zpos (epsilon_den c))) + 128)%N.
Definition log_precision : precision := precision_of 64.
Definition log_two_low (two : bool) : Z :=
  if two then (log_two log_precision (digits_of log_precision) 64).1 else 0%coqZ.

Definition power_bound (D : problem) (c : arguments) (l a b : Z) : Z :=
  power_above (base_two D) (bits_for c) (denominator log_precision) l a b.

(* 2 sum <= epsilon, for a sum of such powers                                         *)
Definition is_near (c : arguments) (sum : Z) : bool :=
  (2 * Zpos (epsilon_den c) * sum <=? Zpos (epsilon_num c) * Zpos (two_power (bits_for c)))%coqZ.

(* Lemma 4: lambda = p / q                                                            *)
Definition vertex_ok (D : problem) (c : arguments) (v : nat) (p q : positive) : bool :=
  let x := separated_entries D c in
  let y := image_entries D (w_star c) (example c) in
  let gap i := (nth 0 x v - nth 0 x i)%coqZ in
  let fall i := (Zpos (p * q_star c) * gap i - Zpos (q * q_prime c) * (nth 0 y i - nth 0 y v))%coqZ in
  let l := log_two_low (base_two D) in
  let b := Zpos (q_contexts D * q_queries D * (q_star c * q_prime c) * q) in
  [&& (example c < T D)%N, (v < n D)%N,
    (size (w_prime c) == d D) && all (fun r => size r == d D) (w_prime c),
    (size (w_star c) == d D) && all (fun r => size r == d D) (w_star c),
    all (fun i => eqn i v || (0 <? gap i)%coqZ) (iota 0 (n D)) &
    is_near c (total_of [seq (if eqn i v then 0 else power_bound D c l (Z.max 0 (fall i)) b)%coqZ | i <- iota 0 (n D)])].

(* Claim 2: lambda = p / q. The binary digits of the denominator of x / q: at least -log (x / q), for base e and 2 *)
Definition log_bits (q x : Z) : Z := (Z.log2 (q / Z.gcd x q)%coqZ + 1)%coqZ.
Definition extent (l : seq Z) : Z := (maximum l + maximum [seq (- x)%coqZ | x <- l])%coqZ.

(* how far entries of E_t W e_t are apart, W as in Claim 1, over the denominators of contexts, queries and inverses *)
Definition spread_at (D : problem) (c : arguments) (V : inverses) (t : nat) : Z :=
  total_of [seq (Z.abs (dot (nth [::] (left V) k) (nth [::] (queries D) t)) *
      total_of [seq log_bits (Zpos (q_coefficients c)) (ent (coefficients c) k i) *
          extent [seq dot r (nth [::] (nth [::] (right V) k) i) | r <- context_at D t]
        | i <- iota 0 (n D)])%coqZ
    | k <- iota 0 (size (subset c))].

(* the largest entry minus the second                                                 *)
Definition separator_gap (x : seq Z) : Z :=
  let m := maximum x in (m - maximum [seq y <- x | ~~ (y =? m)%coqZ])%coqZ.

Definition vertex_near_at (D : problem) (c : arguments) (l : Z) (V : inverses) (u v : seq Z) (p : Z) (q : positive) (t : nat) : bool :=
  if has (eqn t) (subset c) then true else
  let g := separator_gap (entries_of D u v t) in
  let s := spread_at D c V t in
  let fall := (p * Zpos (q_right V * q_left V) * g - Zpos q * s)%coqZ in
  let b := Zpos (q_contexts D * q_queries D * (q_right V * q_left V) * q) in
  is_near c (Z.of_nat (n D).-1 * power_bound D c l (Z.max 0 fall) b)%coqZ.

Definition one_hot_ok (D : problem) (c : arguments) (V : inverses) (u v : seq Z) (p : Z) (q : positive) : bool :=
  [&& wf_coefficients D c, inverses_ok D c V (minn (n D) (d_h D) - 1)%N, (0 < minn (n D) (d_h D))%N, separated D c u v &
    let l := log_two_low (base_two D) in all (vertex_near_at D c l V u v p q) (iota 0 (T D))].

(* -------------------------------------------------------------------------- *)
(* Meaning                                                                     *)
(* -------------------------------------------------------------------------- *)
Lemma is_scalarP m q f : is_scalar m q f -> forall i j : 'I_m, f i j = if i == j then q else 0%coqZ.
Proof.
move=> /allP all_f i j; have im (k : 'I_m) : (k : nat) \in iota 0 m by rewrite mem_iota add0n ltn_ord.
by have /allP/(_ _ (im j))/Z.eqb_eq -> := all_f _ (im i); rewrite eqnE.
Qed.

Lemma equal_pairs0 s i j : equal_pairs s = 0%N -> (i < j < size s)%N -> nth 0%coqZ s i <> nth 0%coqZ s j.
Proof.
elim: s i j => [|x s IH] i j; first by rewrite andbF.
rewrite /= => /eqP; rewrite addn_eq0 => /andP[/eqP c0 /eqP s0]; case: i j => [|i] [|j] //= ij; last exact: IH.
move=> xj; have : has (Z.eqb x) s by apply/hasP; exists (nth 0%coqZ s j); [exact: mem_nth|apply/Z.eqb_eq].
by rewrite has_count c0.
Qed.

Lemma equal_pairs_inj s i j : equal_pairs s = 0%N -> (i < size s)%N -> (j < size s)%N -> i <> j -> nth 0%coqZ s i <> nth 0%coqZ s j.
Proof.
move=> s0 is_ js ij; case: (ltngtP i j) => // lt.
  by apply: equal_pairs0 => //; rewrite lt.
by move/esym; apply: equal_pairs0 => //; rewrite lt.
Qed.

Section Meaning.
Variables (R : realType) (D : problem) (c : arguments).
Hypothesis okD : wf_sizes D.
Local Notation T := (T D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation z := (toF R).
Local Notation s := (size (subset c)).
Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N. Proof. exact: n_gt0 okP. Qed.
Local Notation base := (base_factor R D).

Lemma base_gt0 : 0 < base.
Proof. by rewrite /base_factor; case: ifP => // _; apply: ln_gt0; rewrite ltr1n. Qed.

Lemma softmax_baseE k (E' : 'M[R]_(k, d)) (W : 'M[R]_d) (x : 'cV[R]_d) : softmax_base D (E' *m W *m x) = softmax (E' *m (base *: W) *m x).
Proof. by rewrite /softmax_base -scalemxAr -scalemxAl. Qed.

Lemma total_sum r k : size r = k -> z (total r) = \sum_(i < k) z (nth 0%coqZ r i).
Proof.
move=> <-; rewrite /total; elim: r => [|x r IH] /=; first by rewrite big_ord0 rmorph0.
by rewrite big_ord_recl rmorphD /= IH.
Qed.

(* n numbers below eps / n *)
Lemma sum_below (x : 'I_n -> R) eps : (forall i, x i < eps / n%:R) -> \sum_i x i <= eps.
Proof.
move=> lt; apply: le_trans (_ : \sum_(i < n) eps / n%:R <= _); first by apply: ler_sum => i _; apply: ltW.
by rewrite sumr_const card_ord -[X in X <= _]mulr_natr mulfVK // pnatr_eq0 -lt0n.
Qed.

Lemma total_iota m (f : nat -> Z) : z (total_of [seq f i | i <- iota 0 m]) = \sum_(i < m) z (f i).
Proof.
rewrite total_ofE size_map size_iota; apply: eq_bigr => i _.
by rewrite (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma mem_ords m (i : 'I_m) : (i : nat) \in iota 0 m.
Proof. by rewrite mem_iota add0n ltn_ord. Qed.

(* scalar products of rows over common denominators                                   *)
Lemma rows_product a b q q' (M N : seq (seq Z)) (i : 'I_a) (j : 'I_b) : (size (nth [::] M i) <= d)%N ->
  (mx R a d q M *m (mx R b d q' N)^T) i j = z (dot (nth [::] M i) (nth [::] N j)) / (z (Zpos q) * z (Zpos q')).
Proof.
move=> sM; rewrite mxE (@dotE d) // rmorph_sum mulr_suml; apply: eq_bigr => k _.
by rewrite !mxE rmorphM mulf_div.
Qed.

Lemma mul_query q b (N : seq (seq Z)) (i : 'I_b) (t : 'I_T) : (size (nth [::] N i) <= d)%N ->
  (mx R b d q N *m e t) i 0 = z (dot (nth [::] N i) (nth [::] (queries D) t)) / (z (Zpos q) * z (Zpos (q_queries D))).
Proof.
by move=> sN; rewrite /problem.e /query_vec -rows_product // !mxE; apply: eq_bigr => k _; rewrite !mxE.
Qed.

(* --- the members of the subset *)
Section Subset.
Hypothesis okS : wf_subset D c.

Let member_lt (k : 'I_s) : (nth 0%N (subset c) k < T)%N.
Proof. by move/allP: okS; apply; apply: mem_nth. Qed.
Definition member (k : 'I_s) : 'I_T := Ordinal (member_lt k).

Lemma in_subsetP t : reflect (exists k, member k = t) (in_subset c t).
Proof.
apply: (iffP hasP) => [[t' ts /eqnP tE]|[k <-]]; last by exists (nth 0%N (subset c) k); rewrite ?mem_nth //=; apply/eqnP.
have ks : (index t' (subset c) < s)%N by rewrite index_mem.
by exists (Ordinal ks); apply/val_inj; rewrite /= nth_index.
Qed.

Lemma member_nth k (t : 'I_T) (ks : (k < s)%N) : nth 0%N (subset c) k = t -> member (Ordinal ks) = t.
Proof. by move=> tE; apply/val_inj. Qed.
End Subset.

(* --- inverses *)
Section Inverses.
Variables (V : inverses) (most : nat).
Hypothesis okV : inverses_ok D c V most.

Lemma inverses_subset : wf_subset D c. Proof. by case/and5P: okV. Qed.
Local Notation f := (member inverses_subset).

Definition right_mx (k : nat) : 'M[R]_(d, n) := (mx R n d (q_right V) (nth [::] (right V) k))^T.
Definition left_mx : 'M[R]_(s, d) := mx R s d (q_left V) (left V).

Lemma right_inverse (k : 'I_s) : E (f k) *m right_mx k = 1%:M.
Proof.
have /and5P[_ _ _ _ /and3P[_ /allP/(_ _ (mem_ords k))/and3P[_ _ /is_scalarP eqs] _]] := okV.
apply/matrixP => i j; rewrite rows_product; last exact: (size_token okP (f k)).
rewrite (eqs i j) mxE; case: eqP => _; last by rewrite rmorph0 mul0r.
by rewrite toFpM divff // mulf_neq0 // lt0r_neq0 // toFp_gt0.
Qed.

Lemma left_inverse (k : 'I_s) : left_mx *m e (f k) = delta_mx k 0.
Proof.
have /and5P[_ _ _ /eqP sL /and3P[/allP aL _ /is_scalarP eqs]] := okV.
apply/colP => j; rewrite mul_query; last by rewrite (eqP (aL _ _)) // mem_nth // sL.
rewrite (eqs j k) !mxE andbT; case: eqP => _; last by rewrite rmorph0 mul0r.
by rewrite toFpM divff // mulf_neq0 // lt0r_neq0 // toFp_gt0.
Qed.

(* W = sum_k R_k l_k L_k                                                              *)
Definition solving (l : nat -> 'cV[R]_n) : 'M[R]_d := (\matrix_(k < s) (right_mx k *m l k)^T)^T *m left_mx.

Lemma rank_solving l : (\rank (solving l) <= s)%N.
Proof. by apply: leq_trans (mxrankM_maxr _ _) _; apply: rank_leq_row. Qed.

Lemma solvingE l (k : 'I_s) : E (f k) *m solving l *m e (f k) = l k.
Proof.
rewrite /solving -!mulmxA left_inverse.
rewrite (_ : _^T *m _ = right_mx k *m l k); last first.
  by rewrite -[delta_mx k 0]trmxK -trmx_mul trmx_delta -rowE rowK trmxK.
by rewrite mulmxA right_inverse mul1mx.
Qed.

(* the logarithms to the base of coefficients                                         *)
Definition logs (phi : nat -> 'cV[R]_n) (k : nat) : 'cV[R]_n := base^-1 *: \col_i ln (phi k i 0).

Lemma softmax_solving phi (k : nat) (t : 'I_T) : convex_comb (phi k) -> (k < s)%N -> nth 0%N (subset c) k = t ->
  softmax_base D (E t *m solving (logs phi) *m e t) = phi k.
Proof.
move=> [phi0 phi1] ks tE; rewrite -(member_nth inverses_subset ks tE) solvingE /logs /softmax_base.
by rewrite -/(base_factor R D) scalerA mulfV ?scale1r ?softmax_ln // gt_eqF // base_gt0.
Qed.
End Inverses.

Lemma prescribed_convex (k : 'I_s) : wf_coefficients D c -> convex_comb (prescribed R D c k).
Proof.
move/allP/(_ _ (mem_ords k)); rewrite /= => /and3P[/eqP sr /(all_nthP 0%coqZ) pos /Z.eqb_eq sum1].
have q0 : 0 < z (Zpos (q_coefficients c)) := toFp_gt0 R _.
split=> [i|].
  by rewrite mxE divr_gt0 // -toF0; apply: toF_lt; apply/Z.ltb_lt/pos; rewrite sr.
under eq_bigr do rewrite mxE; rewrite -mulr_suml -(total_sum sr) sum1 mulfV //.
by rewrite gt_eqF.
Qed.

Theorem weights_sound V : weights_ok D c V -> prescribed_weights R D c.
Proof.
case/andP=> okC okV; exists (solving V (logs (prescribed R D c))); split=> [|k t ks tE]; first exact: rank_solving.
exact: (softmax_solving okV (prescribed_convex (Ordinal ks) okC)).
Qed.

(* --- separators *)
Definition separator_mx (u v : seq Z) : 'M[R]_d := (mx R 1 d 1 [:: u])^T *m mx R 1 d 1 [:: v].

Section Separators.
Variables u v : seq Z.
Hypothesis ok : separated D c u v.
Let su : size u = d. Proof. by case/and3P: ok => /eqP. Qed.
Let sv : size v = d. Proof. by case/and3P: ok => _ /eqP. Qed.

Lemma v_query t : mx R 1 d 1 [:: v] *m e t = (z (dot v (nth [::] (queries D) t)) / z (Zpos (q_queries D)))%:M.
Proof. by apply/matrixP => i j; rewrite !ord1 mul_query ?sv //= toF1 mul1r mxE. Qed.

Lemma separator_at (t : 'I_T) (i : 'I_n) : (E t *m separator_mx u v *m e t) i 0 =
  z (nth 0%coqZ (entries_of D u v t) i) / (z (Zpos (q_contexts D)) * z (Zpos (q_queries D))).
Proof.
rewrite /separator_mx -!mulmxA v_query mulmxA mul_mx_scalar mxE rows_product; last exact: size_token okP t i.
rewrite (nth_map [::]) ?(size_context okP) //= toF1 mulr1 toFM mulrC.
by rewrite mulf_div.
Qed.

Lemma separator_zero (t : 'I_T) : in_subset c t -> separator_mx u v *m e t = 0.
Proof.
move=> tI; case/and3P: ok => _ _ /allP/(_ _ (mem_ords t)); rewrite /separated_at.
rewrite (_ : has _ _ = true) // => /Z.eqb_eq v0.
by rewrite /separator_mx -mulmxA v_query v0 toF0 mul0r mul_mx_scalar scale0r.
Qed.

Lemma separator_diff (t : 'I_T) : ~~ in_subset c t -> forall i j, i != j ->
  (E t *m separator_mx u v *m e t) i 0 != (E t *m separator_mx u v *m e t) j 0.
Proof.
move=> tI i j ij; case/and3P: ok => _ _ /allP/(_ _ (mem_ords t)); rewrite /separated_at.
rewrite (_ : has _ _ = false) => [/eqnP pairs|]; last exact: negbTE.
rewrite !separator_at (inj_eq (mulIf _)); last first.
  by rewrite invr_eq0 mulf_neq0 // lt0r_neq0 // toFp_gt0.
rewrite (inj_eq (@toF_inj R)); apply/eqP; apply: equal_pairs_inj pairs _ _ _.
- by rewrite size_map (size_context okP).
- by rewrite size_map (size_context okP).
by apply/eqP; rewrite (inj_eq val_inj).
Qed.
End Separators.

Lemma mx_neq0 r : size r = d -> non_zero_row r -> mx R 1 d 1 [:: r] != 0.
Proof.
move=> sr /(has_nthP 0%coqZ)[i]; rewrite sr => id /negP ri; apply/eqP => /matrixP/(_ 0 (Ordinal id)).
rewrite !mxE /ent /= toF1 divr1 -toF0 => /toF_inj eq0; apply: ri.
by rewrite eq0.
Qed.

Theorem separator_sound u v : separator_ok D c u v -> separates R D c.
Proof.
case/and3P=> ok u0 v0; have /and3P[/eqP su /eqP sv _] := ok.
exists (mx R 1 d 1 [:: u])^T, (mx R 1 d 1 [:: v]); split.
- by rewrite -trmx0 (inj_eq trmx_inj) mx_neq0.
- exact: mx_neq0.
- by move=> t; apply: separator_zero.
by move=> t tI i j; apply: separator_diff.
Qed.

(* --- powers *)
Lemma exp_aboveP k a b : (0 <= a)%coqZ -> (0 < b)%coqZ -> z (Zpos (two_power k)) * expR (- (z a / z b)) <= z (exp_above k a b).
Proof.
move=> a0 b0; rewrite /exp_above; set K := Z.of_nat k; set x := Z.min a _; set m := (_ + 40)%N; set q := (b * _)%coqZ.
have zb : 0 < z b by rewrite -toF0; apply: toF_lt.
have xa : (x <= a)%coqZ by apply: Z.le_min_l.
have x0 : (0 <= x)%coqZ by apply: Z.min_glb => //; rewrite /K; nia.
have zx : 0 <= z x by rewrite -toF0; apply: toF_leq.
have M0 : 0 < z (Zpos (two_power k)) := toFp_gt0 R _.
apply: le_trans (_ : z (Zpos (two_power k)) * expR (- (z x / z b)) <= _).
  by rewrite ler_pmul2l // ler_expR ler_opp2 ler_pmul2r ?invr_gt0 // toF_leq.
have q0 : (0 < q)%coqZ by rewrite /q; lia.
have zq : 0 < z q by rewrite -toF0; apply: toF_lt.
pose w := z x / z q; have w0 : 0 <= w by rewrite divr_ge0 // ltW.
have -> : z x / z b = 2%:R ^+ m * w.
  by rewrite /w /q toFM two_powerE invfM mulrCA; congr (_ * _); rewrite mulrCA mulfV ?mulr1 // expf_neq0 // pnatr_eq0.
clearbody q; set y := ceil_div _ _; have yP : z (Zpos (two_power k)) * expR (- w) <= z y.
  apply: le_trans (_ : z (Zpos (two_power k)) * (1 - w + w ^+ 2 / 2%:R) <= _); first by rewrite ler_pmul2l // expN_leq2.
  apply: le_trans _ (ceil_geq _ _ _); last by clear -q0; nia.
  rewrite !toFM toFD toFB !toFM toF2 /w.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; have := lt0r_neq0 zq; move: (z q) (z x) (z (Zpos _)) => q' x' M' ne; field; exact: ne.
elim: m => [|m IH]; first by rewrite expr0 mul1r.
rewrite iterS; apply: le_trans _ (shift_up_geq _ _ _); rewrite toFM ler_pdivl_mulr ?exprn_gt0 ?ltr0n // -(two_powerE R k).
have -> : z (Zpos (two_power k)) * expR (- (2%:R ^+ m.+1 * w)) * z (Zpos (two_power k)) =
    (z (Zpos (two_power k)) * expR (- (2%:R ^+ m * w))) * (z (Zpos (two_power k)) * expR (- (2%:R ^+ m * w))).
  by rewrite [RHS]mulrACA -expRD -opprD -mulrDl -mulr2n -[in RHS]mulr_natl -exprS mulrAC.
by have p0 := ltW (mulr_gt0 M0 (expR_gt0 (- (2%:R ^+ m * w)))); apply: ler_pmul.
Qed.

Lemma expR_two k : expR (- (ln 2%:R * k%:R)) = (2%:R ^+ k)^-1 :> R.
Proof. by rewrite mulrC -mulrN expRMm expRN lnK ?posrE ?ltr0n // exprVn. Qed.

Lemma power_aboveP (two : bool) k K l a b : (0 <= a)%coqZ -> (0 < b)%coqZ -> (0 <= l)%coqZ ->
    (two -> z l <= z (Zpos K) * ln 2%:R) ->
  z (Zpos (two_power k)) * expR (- ((if two then ln 2%:R else 1) * (z a / z b))) <= z (power_above two k K l a b).
Proof.
move=> a0 b0 l0 lP; rewrite /power_above; case: two lP => [/(_ isT) lP|_]; last by rewrite mul1r; apply: exp_aboveP.
have zb : 0 < z b by rewrite -toF0; apply: toF_lt.
set j := (a / b)%coqZ; set r := (a - j * b)%coqZ.
have j0 : (0 <= j)%coqZ by apply: Z.div_pos.
have r0 : (0 <= r)%coqZ by have := Z.mul_div_le a b b0; rewrite /r /j; lia.
set i := Z.to_nat j; have zj : z j = i%:R by rewrite /toF (_ : int_of_Z j = i%:Z) // /i; lia.
have aE : z a / z b = i%:R + z r / z b.
  rewrite -zj {1}(_ : a = (j * b + r)%coqZ); last by rewrite /r; lia.
  by rewrite toFD toFM mulrDl mulfK // lt0r_neq0.
have zr : 0 <= z r / z b by rewrite divr_ge0 ?(ltW zb) // -toF0; apply: toF_leq.
have ln0 := ltW (ln2_gt0 R).
have M0 : 0 < z (Zpos (two_power k)) := toFp_gt0 R _.
have P0 : 0 < (2%:R ^+ i : R) by rewrite exprn_gt0 // ltr0n.
have split_power : expR (- (ln 2%:R * (z a / z b))) = (2%:R ^+ i)^-1 * expR (- (ln 2%:R * (z r / z b))) :> R.
  by rewrite aE mulrDr opprD expRD expR_two.
case: ifP => [/Z.ltb_lt kj|/Z.ltb_ge jk].
  rewrite toF1 split_power two_powerE mulrA; apply: mulr_ile1.
  - by rewrite divr_ge0 ?exprn_ge0 ?ler0n.
  - exact/ltW/expR_gt0.
  - rewrite ler_pdivr_mulr // mul1r ler_eexpn2l ?ltr1n //; apply/ssrnat.leP; rewrite /i; clear - kj; lia.
  by rewrite -[X in _ <= X]expR0 ler_expR oppr_le0 mulr_ge0.
have ik : (i <= k)%N by apply/ssrnat.leP; rewrite /i; clear - jk; lia.
case: ifP => [/Z.eqb_eq rE|_].
  rewrite split_power rE toF0 mul0r mulr0 oppr0 expR0 mulr1 !two_powerE.
  by rewrite ler_pdivr_mulr // -exprD subnK.
apply: le_trans _ (shift_up_geq _ _ _); rewrite split_power mulrCA mulrC ler_pdivl_mulr // mulrA mulfVK ?lt0r_neq0 //.
apply: le_trans _ (exp_aboveP k _ _); [|exact: Z.mul_nonneg_nonneg|exact: Z.mul_pos_pos].
rewrite ler_pmul2l // ler_expR ler_opp2 !toFM invfM mulrACA [ln _ * _]mulrC [X in _ <= X]mulrAC.
by apply: ler_wpmul2l => //; rewrite ler_pdivr_mulr ?toFp_gt0 // mulrC.
Qed.

Lemma power_boundP a b : (0 <= a)%coqZ -> (0 < b)%coqZ ->
  z (Zpos (two_power (bits_for c))) * expR (- (base * (z a / z b))) <= z (power_bound D c (log_two_low (base_two D)) a b).
Proof.
have := log_twoP R log_precision 64; rewrite /power_bound /base_factor /log_two_low.
move: log_precision 64%N => p bits [l0 /andP[lP _]] a0 b0.
by apply: power_aboveP => // [|->] //; case: (base_two D).
Qed.

(* --- the distance to a vertex                                                       *)
Definition distance (l : 'cV[R]_n) (v : nat) : R := \sum_i `|softmax_base D l i 0 - ((i : nat) == v)%:R|.

Lemma softmax_leq1 k (l : 'cV[R]_k) i : softmax l i 0 <= 1.
Proof.
have k0 : (0 < k)%N by apply: leq_trans (ltn_ord i).
rewrite -(softmax_sum1 l k0) (bigD1 i) //= ler_addl.
by apply: sumr_ge0 => j _; apply/ltW/softmax_gt0.
Qed.

Lemma distanceE l (v : 'I_n) : distance l v = 2%:R * \sum_(i < n | i != v) softmax_base D l i 0.
Proof.
rewrite /distance (bigD1 v) //= eqxx; set S := \sum_(i < n | _) softmax_base D l i 0.
have sum1 : softmax_base D l v 0 + S = 1.
  by rewrite -(softmax_sum1 (base *: l) n0) (bigD1 v).
have S0 : 0 <= S by apply: sumr_ge0 => i _; apply/ltW/softmax_gt0.
rewrite (_ : softmax_base D l v 0 - 1 = - S); last by rewrite -sum1 opprD addNKr.
rewrite normrN ger0_norm // mulr_natl mulr2n; congr (_ + _); apply: eq_bigr => i iv.
by rewrite (inj_eq val_inj) (negbTE iv) subr0 ger0_norm // ltW // softmax_gt0.
Qed.

(* coefficients away from the vertex, by how far logits are below its own            *)
Lemma coefficient_leq (l : 'cV[R]_n) (v i : 'I_n) (a b : Z) : (0 < b)%coqZ ->
    ((0 < a)%coqZ -> l i 0 - l v 0 <= - (z a / z b)) ->
  z (Zpos (two_power (bits_for c))) * softmax_base D l i 0
    <= z (power_bound D c (log_two_low (base_two D)) (Z.max 0 a) b).
Proof.
move=> b0 la; have zb : 0 < z b by rewrite -toF0; apply: toF_lt.
apply: le_trans _ (power_boundP (Z.le_max_l 0 a) b0); rewrite ler_pmul2l ?toFp_gt0 //.
have [[neg ->]|[_ ->]] := Z.max_spec 0%coqZ a; last first.
  by rewrite toF0 mul0r mulr0 oppr0 expR0; apply: softmax_leq1.
apply: le_trans (softmax_le_expB _ v i) _; rewrite ler_expR !mxE -mulrBr -mulrN ler_pmul2l ?la //.
exact: base_gt0.
Qed.

Lemma is_nearP (x : R) sum : is_near c sum -> z (Zpos (two_power (bits_for c))) * x <= z sum ->
  2%:R * x <= z (Zpos (epsilon_num c)) / z (Zpos (epsilon_den c)).
Proof.
move=> /Z.leb_le/(toF_leq R); rewrite !toFM toF2 => small le.
have M0 : 0 < z (Zpos (two_power (bits_for c))) := toFp_gt0 R _.
rewrite ler_pdivl_mulr ?toFp_gt0 // -(ler_pmul2r M0); apply: le_trans small.
have -> : 2%:R * x * z (Zpos (epsilon_den c)) * z (Zpos (two_power (bits_for c))) =
    2%:R * z (Zpos (epsilon_den c)) * (z (Zpos (two_power (bits_for c))) * x) by ring.
rewrite ler_pmul2l //; apply: mulr_gt0; [by rewrite ltr0n|exact: toFp_gt0].
Qed.

(* --- Lemma 4 *)
Lemma image_entriesE (i : 'I_n) (t : 'I_T) q W : size W = d -> all (fun r => size r == d) W ->
  (E t *m mx R d d q W *m e t) i 0 =
  z (nth 0%coqZ (image_entries D W t) i) / (z (Zpos (q_contexts D)) * (z (Zpos q) * z (Zpos (q_queries D)))).
Proof.
move=> sw /allP aw; rewrite -mulmxA mxE /image_entries.
rewrite (nth_map [::]) ?(size_context okP) // (@dotE d); last exact: size_token okP t i.
rewrite rmorph_sum mulr_suml; apply: eq_bigr => k _; rewrite rmorphM [in LHS]mxE -mulf_div; congr (_ * _).
have sk : size (nth [::] W k) = d by apply/eqP/aw/mem_nth; rewrite sw.
rewrite (nth_map [::]) ?sw // (@dotE d) ?sk //.
by rewrite mxE rmorph_sum mulr_suml; apply: eq_bigr => j _; rewrite !mxE rmorphM mulf_div.
Qed.

Theorem vertex_sound v p q : vertex_ok D c v p q -> vertex_limit R D c.
Proof.
case/and5P=> exT vn /andP[/eqP sw aw] /andP[/eqP ss as_] /andP[/allP above near].
pose t : 'I_T := Ordinal exT; pose v' : 'I_n := Ordinal vn.
exists t => //; exists v', (z (Zpos p) / z (Zpos q)) => lambda lP; set l := E t *m _ *m _.
have -> : \sum_i `|softmax_base D l i 0 - (i == v')%:R| = distance l v' by [].
rewrite distanceE; apply: is_nearP near _.
rewrite total_iota mulr_sumr [X in X <= _]big_mkcond; apply: ler_sum => i _.
rewrite (_ : eqn i v = (i == v')) //; case: eqP => [_|/eqP iv]; first by rewrite toF0.
apply: (coefficient_leq (v := v')) => // _.
have gap : (0 < nth 0 (image_entries D (w_prime c) t) v - nth 0 (image_entries D (w_prime c) t) i)%coqZ.
  have := above _ (mem_ords i); rewrite (_ : eqn i v = (i == v')) // (negbTE iv) /=.
  by move/Z.ltb_lt.
rewrite /l !mulmxDr !mulmxDl -!scalemxAr -!scalemxAl.
have E1 (M N : 'cV[R]_n) (k : 'I_n) : (M + lambda *: N) k 0 = M k 0 + lambda * N k 0 by rewrite !mxE.
rewrite !E1 !image_entriesE //.
move: gap; set x := image_entries D (w_prime c) t; set y := image_entries D (w_star c) t => gap.
have xgap := toF_lt R gap; rewrite toF0 in xgap.
rewrite -/x -/y; set xv := nth 0%coqZ x v' in gap xgap *; set xi := nth 0%coqZ x i in gap xgap *.
set yv := nth 0%coqZ y v'; set yi := nth 0%coqZ y i.
have [a0 b0 c0 d0 e0] : [/\ 0 < z (Zpos (q_contexts D)), 0 < z (Zpos (q_queries D)), 0 < z (Zpos (q_star c)),
  0 < z (Zpos (q_prime c)) & 0 < z (Zpos q)] by split; apply: toFp_gt0.
set A := z (Zpos (q_contexts D)) * (z (Zpos (q_star c)) * _); set B := z (Zpos (q_contexts D)) * _.
have -> : z yi / A + lambda * (z xi / B) - (z yv / A + lambda * (z xv / B)) = z (yi - yv)%coqZ / A - lambda * (z (xv - xi)%coqZ / B).
  by rewrite !toFB; move: (A^-1) (B^-1) => A' B'; ring.
apply: le_trans (_ : _ <= z (yi - yv)%coqZ / A - z (Zpos p) / z (Zpos q) * (z (xv - xi)%coqZ / B)) _.
  by rewrite ler_add2l ler_opp2 ler_wpmul2r // divr_ge0 ?(ltW xgap) // !mulr_ge0 // ltW.
rewrite le_eqVlt /A /B; apply/orP; left; apply/eqP; rewrite !(toFM, toFpM, toFB).
have [[[[a1 b1] c1] d1] e1] := (lt0r_neq0 a0, lt0r_neq0 b0, lt0r_neq0 c0, lt0r_neq0 d0, lt0r_neq0 e0).
by field; rewrite ?a1 ?b1 ?c1 ?d1 ?e1.
Qed.

(* --- Claim 2, for all coefficients and every epsilon *)
Section OneHot.
Variables (V : inverses) (most : nat) (u v : seq Z).
Hypotheses (okV : inverses_ok D c V most) (okuv : separated D c u v).
Local Notation f := (member (inverses_subset okV)).
Local Notation W' := (separator_mx u v).

Lemma solving_plus l lambda (k : nat) (t : 'I_T) : (k < s)%N -> nth 0%N (subset c) k = t ->
  E t *m (solving V l + lambda *: W') *m e t = E t *m solving V l *m e t.
Proof.
move=> ks tE; have tI : in_subset c t by apply/(in_subsetP (inverses_subset okV)); exists (Ordinal ks); apply: member_nth.
by rewrite mulmxDr mulmxDl -scalemxAr -scalemxAl -(mulmxA _ W') (separator_zero okuv tI) mulmx0 scaler0 addr0.
Qed.

Lemma rank_plus l lambda : (\rank (solving V l + lambda *: W')%R <= s.+1)%N.
Proof.
rewrite (leq_trans (mxrank_add _ _)) // -addn1 leq_add ?rank_solving //.
by rewrite /separator_mx scalemxAl (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
Qed.

Theorem one_hot_all : one_hot R D c.
Proof.
have sat t : exists i0 : 'I_n, ~~ in_subset c t -> forall (Ws : 'M[R]_d) (eps : R), 0 < eps ->
    exists l0, forall lambda, l0 <= lambda -> forall i,
      `|softmax (E t *m (Ws + lambda *: W') *m e t) i 0 - (i == i0)%:R| < eps.
  case tI : (in_subset c t); first by exists (Ordinal n0).
  by have [i0 [_ i0P]] := lemma_4 n0 (separator_diff okuv (negbT tI)); exists i0.
have [i0 i0P] := fin_all_exists sat; exists i0 => phi eps phiP eps0.
have eps' : 0 < eps / n%:R by rewrite divr_gt0 // ltr0n.
pose Ws := solving V (logs phi).
have lim t : exists l0, ~~ in_subset c t -> forall lambda, l0 <= lambda -> forall i,
    `|softmax (E t *m (base *: Ws + lambda *: W') *m e t) i 0 - (i == i0 t)%:R| < eps / n%:R.
  case tI : (in_subset c t); first by exists 0.
  by have [l0 l0P] := i0P t (negbT tI) (base *: Ws) _ eps'; exists l0.
have [l0 l0P] := fin_all_exists lim; pose lambda := \sum_t `|l0 t|.
have lP t : l0 t <= lambda by rewrite (le_trans (ler_norm _)) // /lambda (bigD1 t) //= ler_addl sumr_ge0.
exists (Ws + (lambda / base) *: W'); split=> [|k t ks tE|t tI]; first exact: rank_plus.
  rewrite (solving_plus _ _ ks tE); exact: (softmax_solving okV (phiP k) ks tE).
apply: sum_below => i; rewrite softmax_baseE scalerDr scalerA [base * _]mulrC mulfVK ?lt0r_neq0 ?base_gt0 //.
exact: l0P.
Qed.
End OneHot.

(* --- Claim 2, the weights of the step *)
Lemma maximum_mem (l : seq Z) x : x \in l -> (x <= maximum l)%coqZ.
Proof. by move/(nthP 0%coqZ) => [i il <-]; apply: maximum_leq. Qed.

Lemma maximum_attained (l : seq Z) : l != [::] -> maximum l \in l.
Proof.
case: l => // x l _; rewrite /maximum /=.
have all_in m : foldr Z.max m l \in m :: l.
  elim: l => [|y l IH] /=; first exact: mem_head.
  have [[_ ->]|[_ ->]] := Z.max_spec y (foldr Z.max m l); last by rewrite !inE eqxx orbT.
  by move: IH; rewrite !inE => /orP[->|->]; rewrite ?orbT.
have [[_ ->]|[_ ->]] := Z.max_spec x (foldr Z.max x l); last exact: mem_head.
exact: all_in.
Qed.

Lemma extent_leq (l : seq Z) x y : x \in l -> y \in l -> (Z.abs (x - y) <= extent l)%coqZ.
Proof.
move=> xl yl; rewrite /extent; have neg w : w \in l -> (- w)%coqZ \in [seq (- x)%coqZ | x <- l] by apply: map_f.
by have := maximum_mem xl; have := maximum_mem yl; have := maximum_mem (neg _ xl); have := maximum_mem (neg _ yl); lia.
Qed.

Lemma ln2_leq1 : ln 2%:R <= 1 :> R.
Proof. by rewrite -ler_expR lnK ?posrE ?ltr0n //; apply: expR_ge1Dx; apply: ler01. Qed.

Lemma log_bitsP (q x : Z) : (0 < x)%coqZ -> (x <= q)%coqZ -> `|base^-1 * ln (z x / z q)| <= z (log_bits q x).
Proof.
move=> x0 xq; have zx : 0 < z x by rewrite -toF0; apply: toF_lt.
have zq : 0 < z q by apply: lt_le_trans zx (toF_leq _ xq).
have g0 : (0 < Z.gcd x q)%coqZ by have := Z.gcd_nonneg x q; have := Z.gcd_eq_0_l x q; lia.
have gx : (Z.gcd x q <= x)%coqZ by apply: Z.divide_pos_le => //; apply: Z.gcd_divide_l.
have [y qE] := Z.gcd_divide_r x q; have yE : (q / Z.gcd x q)%coqZ = y by rewrite {1}qE Z.div_mul //; lia.
rewrite /log_bits yE; have y0 : (0 < y)%coqZ by nia.
have [low high] := Z.log2_spec y y0; have b0 := Z.log2_nonneg y.
set D' := (_ + 1)%coqZ; pose k := Z.to_nat D'.
have DE : Z.of_nat k = D' by rewrite /k /D'; lia.
have zD : z D' = k%:R by rewrite /toF (_ : int_of_Z D' = k%:Z) //; lia.
have le_power : 2%:R ^+ k * (z x / z q) >= 1.
  rewrite mulrA ler_pdivl_mulr // mul1r -two_powerE -toFM; apply: toF_leq.
  rewrite two_power_pow DE /D' Z.add_1_r; move: (Z.pow _ _) high => P high; nia.
have le1 : z x / z q <= 1 by rewrite ler_pdivr_mulr // mul1r; apply: toF_leq.
have r0 : 0 < z x / z q by apply: divr_gt0.
have ln_le : - ln (z x / z q) <= k%:R * ln 2%:R.
  rewrite -ler_expR expRN lnK ?posrE // expRMm lnK ?posrE ?ltr0n //.
  by rewrite -[X in X <= _]mul1r ler_pdivr_mulr.
have ln0 : ln (z x / z q) <= 0 by rewrite -ler_expR lnK ?posrE // expR0.
have ib : 0 < base^-1 by rewrite invr_gt0 base_gt0.
have il : base^-1 * ln 2%:R <= 1.
  by rewrite mulrC ler_pdivr_mulr ?base_gt0 // mul1r /base_factor; case: (base_two D); rewrite ?lexx ?ln2_leq1.
rewrite normrM gtr0_norm // ler0_norm // zD; apply: le_trans (_ : _ <= base^-1 * (k%:R * ln 2%:R)) _.
  by rewrite ler_pmul2l.
by rewrite mulrCA -[X in _ <= X]mulr1 ler_wpmul2l // ler0n.
Qed.

Section Near.
Variables (V : inverses) (most : nat) (u v : seq Z) (p : Z) (q : positive).
Hypotheses (okV : inverses_ok D c V most) (okuv : separated D c u v) (okC : wf_coefficients D c).
Local Notation W' := (separator_mx u v).
Local Notation l := (logs (prescribed R D c)).

Lemma solving_entries (t : 'I_T) (i : 'I_n) : (E t *m solving V l *m e t) i 0 =
  \sum_(k < s) (\sum_m (E t *m right_mx V k) i m * l k m 0) * (left_mx V *m e t) k 0.
Proof.
rewrite /solving mulmxA -mulmxA mxE; apply: eq_bigr => k _; congr (_ * _).
rewrite (_ : (E t *m _) i k = (E t *m (right_mx V k *m l k)) i 0); last by rewrite !mxE; apply: eq_bigr => j _; rewrite !mxE.
by rewrite mulmxA [LHS]mxE.
Qed.

Lemma coefficients_leq (k : 'I_s) (i : 'I_n) :
  (0 < ent (coefficients c) k i <= Zpos (q_coefficients c))%coqZ.
Proof.
have [pos sum1] := prescribed_convex k okC; have q0 : 0 < z (Zpos (q_coefficients c)) := toFp_gt0 R _.
have := pos i; rewrite mxE pmulr_lgt0 ?invr_gt0 // => x0.
have : prescribed R D c k i 0 <= 1.
  by rewrite -sum1 (bigD1 i) //= ler_addl; apply: sumr_ge0 => j _; apply/ltW.
rewrite mxE ler_pdivr_mulr // mul1r => x1; split.
  by apply/Z.ltb_lt/(toF_ltP R); rewrite toF0.
exact/Z.leb_le/(toF_leP R).
Qed.

Lemma spreadP (t : 'I_T) (i j : 'I_n) :
  (E t *m solving V l *m e t) i 0 - (E t *m solving V l *m e t) j 0 <=
    z (spread_at D c V t) / (z (Zpos (q_contexts D * q_queries D)) * z (Zpos (q_right V * q_left V))).
Proof.
have /and5P[_ _ _ /eqP sL /and3P[/allP aL _ _]] := okV.
rewrite !solving_entries -sumrB /spread_at total_iota mulr_suml; apply: ler_sum => k _.
rewrite -mulrBl -sumrB; apply: le_trans (ler_norm _) _; rewrite normrM.
rewrite mul_query; last by rewrite (eqP (aL _ _)) // mem_nth // sL.
have [a0 b0 c0 d0] : [/\ 0 < z (Zpos (q_contexts D)), 0 < z (Zpos (q_queries D)), 0 < z (Zpos (q_right V)) &
  0 < z (Zpos (q_left V))] by split; apply: toFp_gt0.
have normz x : `|z x| = z (Z.abs x) by rewrite /toF -intr_norm; congr (_%:~R); clear - x; lia.
rewrite normrM [`|(_ * _)^-1|]gtr0_norm ?invr_gt0 ?mulr_gt0 // normz toFM !toFpM total_iota.
set x := z (Z.abs _); set S := \sum_(m < n) z _.
have x0 : 0 <= x by rewrite /x -normz.
rewrite (_ : x * S / _ = S / (z (Zpos (q_contexts D)) * z (Zpos (q_right V))) * (x / (z (Zpos (q_left V)) * z (Zpos (q_queries D))))); last first.
  have [[[a1 b1] c1] d1] := (lt0r_neq0 a0, lt0r_neq0 b0, lt0r_neq0 c0, lt0r_neq0 d0).
  by field; rewrite a1 b1 c1 d1.
apply: ler_wpmul2r; first by rewrite divr_ge0 // mulr_ge0 // ltW.
apply: le_trans (ler_norm_sum _ _ _) _; rewrite /S mulr_suml; apply: ler_sum => m _.
rewrite -mulrBl normrM toFM mulrC -mulrA; have [x1 x2] := coefficients_leq k m.
apply: ler_pmul => //; first by rewrite /logs !mxE; apply: log_bitsP.
rewrite !rows_product; try exact: size_token okP t _.
rewrite -mulrBl -toFB normrM normz [`|(_ * _)^-1|]gtr0_norm ?invr_gt0 ?mulr_gt0 //.
rewrite ler_pmul2r ?invr_gt0 ?mulr_gt0 //; apply: toF_leq; apply: extent_leq; apply/mapP.
  by exists (nth [::] (context_at D t) i) => //; rewrite mem_nth // (size_context okP).
by exists (nth [::] (context_at D t) j) => //; rewrite mem_nth // (size_context okP).
Qed.

Definition top (t : nat) : nat := index (maximum (entries_of D u v t)) (entries_of D u v t).

Lemma size_entries (t : 'I_T) : size (entries_of D u v t) = n.
Proof. by rewrite size_map (size_context okP). Qed.

Lemma top_lt (t : 'I_T) : (top t < n)%N.
Proof.
rewrite -(size_entries t) index_mem; apply: maximum_attained; rewrite -size_eq0 (size_entries t).
by rewrite -lt0n.
Qed.

Lemma top_gapP (t : 'I_T) (i : 'I_n) : ~~ in_subset c t -> i != Ordinal (top_lt t) ->
  (nth 0 (entries_of D u v t) (top t) - nth 0 (entries_of D u v t) i >= separator_gap (entries_of D u v t))%coqZ /\
  (0 <= separator_gap (entries_of D u v t))%coqZ.
Proof.
move=> tI; case/and3P: okuv => _ _ /allP/(_ _ (mem_ords t)); rewrite /separated_at.
rewrite (_ : has _ _ = false) => [/eqnP pairs|]; last exact: negbTE.
have := top_lt t; rewrite /separator_gap /top; set X := entries_of D u v t in pairs *; have sX : size X = n := size_entries t.
set m := maximum X => lt iv; have mX : m \in X by rewrite -index_mem sX.
rewrite nth_index // -/m; set F := [seq y <- X | _].
have le_m y : y \in F -> (y <= m)%coqZ by rewrite mem_filter => /andP[_ /maximum_mem].
have iF : nth 0%coqZ X i \in F.
  rewrite mem_filter mem_nth ?sX // andbT; apply/negP => /Z.eqb_eq xim.
  move/eqP: iv; apply; apply/val_inj => /=; apply/eqP/negPn/negP => /eqP ne.
  by apply: (equal_pairs_inj pairs _ _ ne); rewrite ?sX // xim nth_index.
have := maximum_mem iF; have /le_m : maximum F \in F by apply: maximum_attained; apply/eqP => F0; move: iF; rewrite F0.
by move: (maximum F) (nth _ X i); clear; lia.
Qed.

Lemma near_atP (t : 'I_T) : vertex_near_at D c (log_two_low (base_two D)) V u v p q t -> ~~ in_subset c t ->
  distance (E t *m (solving V l + (z p / z (Zpos q)) *: W') *m e t) (top t) <= z (Zpos (epsilon_num c)) / z (Zpos (epsilon_den c)).
Proof.
move=> near tI; move: near; rewrite /vertex_near_at (_ : has _ _ = false); last exact: negbTE.
set g := separator_gap _; set S := spread_at _ _ _ _; set fall := (_ - _)%coqZ; set b := Zpos _; set w := power_bound _ _ _ _ _ => near.
rewrite (distanceE _ (Ordinal (top_lt t))); apply: is_nearP near _.
rewrite mulr_sumr toFM (_ : z (Z.of_nat n.-1) = n.-1%:R); last by rewrite /toF (_ : int_of_Z _ = n.-1%:Z) //; clear; lia.
have -> : n.-1%:R * z w = \sum_(i < n | i != Ordinal (top_lt t)) z w.
  by rewrite sumr_const cardC1 card_ord mulr_natl.
apply: ler_sum => i iv; apply: (coefficient_leq (v := Ordinal (top_lt t))) => // fall0.
have [gap g0] := top_gapP tI iv; rewrite -/g in gap g0.
have {}gap : (nth 0 (entries_of D u v t) i - nth 0 (entries_of D u v t) (top t) <= - g)%coqZ by clear -gap; lia.
have S0 : (0 <= S)%coqZ.
  have := spreadP t i i; rewrite subrr pmulr_lge0; last by rewrite invr_gt0 mulr_gt0 // toFp_gt0.
  by rewrite -toF0 => /(toF_leP R)/Z.leb_le.
have p0 : (0 <= p)%coqZ.
  case: (Z.le_gt_cases 0 p) => // neg; exfalso; move: fall0; rewrite /fall.
  have : (p * Zpos (q_right V * q_left V) * g <= 0)%coqZ by clear -neg g0; nia.
  have : (0 <= Zpos q * S)%coqZ by clear -S0; nia.
  by clear; lia.
rewrite !mulmxDr !mulmxDl -!scalemxAr -!scalemxAl.
have E1 (M N : 'cV[R]_n) lambda (k : 'I_n) : (M + lambda *: N) k 0 = M k 0 + lambda * N k 0 by rewrite !mxE.
rewrite !E1 !(separator_at okuv) opprD addrACA -mulrBr -mulrBl -toFB.
have sp := spreadP t i (Ordinal (top_lt t)); apply: le_trans (ler_add sp (lexx _)) _.
have [a0 b0 c0 d0 e0] : [/\ 0 < z (Zpos (q_contexts D)), 0 < z (Zpos (q_queries D)), 0 < z (Zpos (q_right V)),
  0 < z (Zpos (q_left V)) & 0 < z (Zpos q)] by split; apply: toFp_gt0.
have zp : 0 <= z p / z (Zpos q) by rewrite divr_ge0 ?(ltW e0) // -toF0; apply: toF_leq.
apply: le_trans (_ : _ <= z S / (z (Zpos (q_contexts D * q_queries D)) * z (Zpos (q_right V * q_left V))) +
  z p / z (Zpos q) * (z (- g)%coqZ / (z (Zpos (q_contexts D)) * z (Zpos (q_queries D))))) _.
  rewrite ler_add2l ler_wpmul2l // ler_wpmul2r // ?invr_ge0 ?mulr_ge0 ?(ltW a0) ?(ltW b0) //.
  exact: toF_leq gap.
rewrite le_eqVlt /fall /b; apply/orP; left; apply/eqP; rewrite toFN toFB !toFM !toFpM.
have [[[[a1 b1] c1] d1] e1] := (lt0r_neq0 a0, lt0r_neq0 b0, lt0r_neq0 c0, lt0r_neq0 d0, lt0r_neq0 e0).
by field; rewrite ?a1 ?b1 ?c1 ?d1 ?e1.
Qed.
End Near.

Theorem one_hot_sound V u v p q : one_hot_ok D c V u v p q -> one_hot R D c.
Proof. by case/and5P=> _ okV _ okuv _; apply: one_hot_all okV okuv. Qed.

(* the W of the step has the claim's coefficients, and is within the claim's epsilon of a vertex elsewhere *)
Theorem one_hot_near V u v p q : one_hot_ok D c V u v p q ->
  let W := solving V (logs (prescribed R D c)) + (z p / z (Zpos q)) *: separator_mx u v in
  [/\ (\rank W <= s.+1)%N,
    forall (k : nat) (t : 'I_T), (k < s)%N -> nth 0%N (subset c) k = t -> softmax_base D (E t *m W *m e t) = prescribed R D c k &
    forall t, ~~ in_subset c t -> exists i0 : 'I_n,
      \sum_i `|softmax_base D (E t *m W *m e t) i 0 - (i == i0)%:R| <= z (Zpos (epsilon_num c)) / z (Zpos (epsilon_den c))].
Proof.
case/and5P=> okC okV _ okuv near W; split=> [|k t ks tE|t tI]; first exact: rank_plus.
  rewrite (solving_plus okV okuv _ _ ks tE); exact: (softmax_solving okV (prescribed_convex (Ordinal ks) okC) ks tE).
by exists (Ordinal (top_lt u v t)); apply: (near_atP okV okuv okC (allP near _ (mem_ords t))).
Qed.

End Meaning.

(* ============================================================================ *)
(* Witnesses                                                                    *)
(* ============================================================================ *)
(* What steps give to decide the quantities that are 0 or 1.                    *)

Inductive witness :=
  | CaseTrees (trees : seq tree)
  | Network (qw qa : positive) (net : seq neuron) (bias : Z)
  | Perturbation (s s' : Z) (r : positive)                       (* s' / r < s / r *)
  | NoPerturbation (p : Z) (r : positive) (x y : seq Z)
  | Separator (u v : seq Z)
  | VertexOf (v : nat) (p q : positive)                          (* lambda = p / q *)
  | WeightsOf (V : inverses)
  | OneHotOf (V : inverses) (u v : seq Z) (p : Z) (q : positive).

Definition shown (w : witness) : truth * bool :=
  match w with
  | CaseTrees _ => (NetworkFits GivenLabels, false)
  | Network _ _ _ _ => (NetworkFits GivenLabels, true)
  | Perturbation _ _ _ => (SmallPerturbation, true)
  | NoPerturbation _ _ _ _ => (SmallPerturbation, false)
  | Separator _ _ => (Separates, true)
  | VertexOf _ _ _ => (VertexLimit, true)
  | WeightsOf _ => (Prescribed, true)
  | OneHotOf _ _ _ _ _ => (OneHot, true)
  end.

Definition witness_ok (D : problem) (c : arguments) (w : witness) : bool :=
  match w with
  | CaseTrees trees => trees_ok D c trees
  | Network qw qa net bias => network_ok D c qw qa net bias
  | Perturbation s s' r => small_ok c s s' r
  | NoPerturbation p r x y => large_ok c p r x y
  | Separator u v => separator_ok D c u v
  | VertexOf v p q => vertex_ok D c v p q
  | WeightsOf V => weights_ok D c V
  | OneHotOf V u v p q => one_hot_ok D c V u v p q
  end.

Theorem witness_sound (R : realType) D c w : wf_sizes D -> witness_ok D c w ->
  let: (x, b) := shown w in if b then holds R D c x else ~ holds R D c x.
Proof.
move=> okD; case: w => [trees|qw qa net bias|s s' r|p r x y|u v|v p q|V|V u v p q] ok /=.
- exact: trees_sound ok.
- exact: network_sound ok.
- exact: small_sound ok.
- exact: large_sound ok.
- exact: separator_sound ok.
- exact: (@vertex_sound R D c okD _ _ _ ok).
- exact: (@weights_sound R D c okD _ ok).
exact: (@one_hot_sound R D c okD _ _ _ _ _ ok).
Qed.
