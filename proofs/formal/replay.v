(* Replay: what a claim says, in the words of attention.v, and the theorem that     *)
(* it holds (is false, has a false hypothesis) when the function check of          *)
(* check.v says so.  scripts/replay_in_coq writes files that use this one.          *)
(*                                                                                *)
(*        "3 -4"%text == digits that are quick to read; integers t, rows, matrices  *)
(*                      are the integers that they stand for                       *)
(*   packed_rows k s, packed_matrices k s == integers in words of 60 bits            *)
(*          output_memorizes == a read-out of the outputs fits the labels           *)
(*  paper_hypotheses R D s c, paper_conclusion R D s c == the statement s about the *)
(*                      data D over the reals R; c: the number that is asked for   *)
(*          checked D s c v == the answer of check is v, for some certificate       *)
(*  verified, verified_hypotheses, refuted, inapplicable == what follows from it    *)
From Coq Require Export PrimInt63.
From Coq Require Import Init.Byte.
From Attest Require Export integers attention upper_bounds layer_variants literal_arithmetic bounds problem.
From Attest Require Export claims logits quantity_bounds literal_matrices soundness tail networks separators.
From Attest Require Export paper_schemas block_bounds positional_encoding lemmas quantities jacobians.
From Attest Require Export other_layers heads.
From Attest Require Import kruskal schemas.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Literals                                                                    *)
(* -------------------------------------------------------------------------- *)
(* One constructor for a character: nothing else is read as quickly.             *)
Inductive text :=
  | Stop | Blank (t : text) | Minus (t : text)
  | D0 (t : text) | D1 (t : text) | D2 (t : text) | D3 (t : text) | D4 (t : text)
  | D5 (t : text) | D6 (t : text) | D7 (t : text) | D8 (t : text) | D9 (t : text).

Definition text_of_byte (c : byte) : option (text -> text) :=
  match c with
  | x20 => Some Blank | x2d => Some Minus
  | x30 => Some D0 | x31 => Some D1 | x32 => Some D2 | x33 => Some D3 | x34 => Some D4
  | x35 => Some D5 | x36 => Some D6 | x37 => Some D7 | x38 => Some D8 | x39 => Some D9
  | _ => None
  end.
Fixpoint text_of_bytes (b : list byte) : option text :=
  if b is c :: b' then
    if text_of_byte c is Some C then
      if text_of_bytes b' is Some t then Some (C t) else None
    else None
  else Some Stop.
Fixpoint bytes_of_text (t : text) : list byte :=
  match t with
  | Stop => [::] | Blank t => x20 :: bytes_of_text t | Minus t => x2d :: bytes_of_text t
  | D0 t => x30 :: bytes_of_text t | D1 t => x31 :: bytes_of_text t | D2 t => x32 :: bytes_of_text t
  | D3 t => x33 :: bytes_of_text t | D4 t => x34 :: bytes_of_text t | D5 t => x35 :: bytes_of_text t
  | D6 t => x36 :: bytes_of_text t | D7 t => x37 :: bytes_of_text t | D8 t => x38 :: bytes_of_text t
  | D9 t => x39 :: bytes_of_text t
  end.
Declare Scope text_scope.
Delimit Scope text_scope with text.
Bind Scope text_scope with text.
String Notation text text_of_bytes bytes_of_text : text_scope.

(* z: the absolute value that has been read so far, if a digit came before        *)
Fixpoint integers_from (negative : bool) (z : option Z) (t : text) : seq Z :=
  let done := if z is Some z then [:: if negative then (- z)%coqZ else z] else [::] in
  let next k := integers_from negative (Some (10 * (if z is Some z then z else 0) + k)%coqZ) in
  match t with
  | Stop => done
  | Blank t => done ++ integers_from false None t
  | Minus t => done ++ integers_from true None t
  | D0 t => next 0%coqZ t | D1 t => next 1%coqZ t | D2 t => next 2%coqZ t | D3 t => next 3%coqZ t
  | D4 t => next 4%coqZ t | D5 t => next 5%coqZ t | D6 t => next 6%coqZ t | D7 t => next 7%coqZ t
  | D8 t => next 8%coqZ t | D9 t => next 9%coqZ t
  end.

(* Many numbers are read faster as words of 60 bits, k for a number, the lowest first, 2^(60 k - 1) added to it. *)
Inductive words := End | Bits (x : PrimInt63.int) (w : words).
(* The level 0 makes coqc read a word in a third of the time that Bits 0x1 (Bits 0x2 ..) takes it.                *)
Notation "[bits x ; .. ; y ]" := (Bits x .. (Bits y End) ..) (at level 0, x at level 0, y at level 0, only parsing).
Fixpoint word_value (bits : nat) (x : PrimInt63.int) : Z :=
  if bits is b.+1 then
    let z := word_value b (PrimInt63.lsr x 1%uint63) in
    if PrimInt63.eqb (PrimInt63.land x 1%uint63) 1%uint63 then Z.succ_double z else Z.double z
  else 0%coqZ.
(* of the number that begins with the word at weight 2^s, j words of it left       *)
Fixpoint numbers_from (k j : nat) (s z : Z) (w : words) : seq Z :=
  match w with
  | End => [::]
  | Bits x w =>
    let z := (z + Z.shiftl (word_value 60 x) s)%coqZ in
    if j is j'.+1 then numbers_from k j' (s + 60) z w
    else (z - Z.shiftl 1 (s + 59))%coqZ :: numbers_from k k.-1 0 0 w
  end.
Definition packed (k : nat) (w : words) : seq Z := numbers_from k k.-1 0 0 w.
Definition packed_rows (k : nat) (s : seq words) : seq (seq Z) := [seq packed k w | w <- s].
Definition packed_matrices (k : nat) (s : seq (seq words)) : seq (seq (seq Z)) := [seq packed_rows k m | m <- s].

(* decimal numbers, separated by blanks                                          *)
Definition integers (t : text) : seq Z := integers_from false None t.
Definition rows (s : seq text) : seq (seq Z) := [seq integers t | t <- s].
Definition matrices (s : seq (seq text)) : seq (seq (seq Z)) := [seq rows m | m <- s].
Definition indices (t : text) : seq nat := [seq Z.to_nat z | z <- integers t].
(* "0 3 1 2" is (0, 3), (1, 2)                                                   *)
Fixpoint in_pairs (A : Type) (s : seq A) : seq (A * A) :=
  if s is i :: j :: s' then (i, j) :: in_pairs s' else [::].
Definition pairs (t : text) : seq (nat * nat) := in_pairs (indices t).
(* "0 3 1 -2" is 3 b^0 - 2 b^1                                                    *)
Definition sums (s : seq text) : seq (seq (Z * Z)) := [seq in_pairs (integers t) | t <- s].

(* The arguments of claims; those that a statement does not have are empty.        *)
Definition no_arguments : arguments :=
  Arguments 0 false 1 [::] [::] [::] [::] 0 1 [::] 1 [::] 0 1 [::] 1 [::] 1 1 None None false None [::] [::].
(* a, b, c over the denominator q                                                *)
Definition matrix_arguments (q : positive) (a b c : seq (seq Z)) : arguments :=
  Arguments 0 false q a b c [::] 0 1 [::] 1 [::] 0 1 [::] 1 [::] 1 1 None None false None [::] [::].
(* vectors over q, and the number num / den                                      *)
Definition shift_arguments (q : positive) (vectors : seq (seq Z)) (num : Z) (den : positive) : arguments :=
  Arguments 0 false q [::] [::] [::] vectors num den [::] 1 [::] 0 1 [::] 1 [::] 1 1 None None false None [::] [::].
Definition network_arguments (neurons : nat) (output_bias : bool) : arguments :=
  Arguments neurons output_bias 1 [::] [::] [::] [::] 0 1 [::] 1 [::] 0 1 [::] 1 [::] 1 1 None None false None [::] [::].
(* examples, and coefficients over q, a row for each; Claim 2: epsilon = num / den  *)
Definition subset_arguments (subset : seq nat) (q : positive) (coefficients : seq (seq Z)) (num den : positive) : arguments :=
  Arguments 0 false 1 [::] [::] [::] [::] 0 1 subset q coefficients 0 1 [::] 1 [::] num den None None false None [::] [::].
(* Lemma 4; epsilon = num / den                                                  *)
Definition vertex_arguments (example : nat) (q_star : positive) (w_star : seq (seq Z)) (q_prime : positive)
    (w_prime : seq (seq Z)) (num den : positive) : arguments :=
  Arguments 0 false 1 [::] [::] [::] [::] 0 1 [::] 1 [::] example q_star w_star q_prime w_prime num den None None false None [::] [::].
(* the threshold, the tolerance, or epsilon                                      *)
Definition level_arguments (num den : positive) (only_head : option nat) (classes : option (seq nat)) : arguments :=
  Arguments 0 false 1 [::] [::] [::] [::] 0 1 [::] 1 [::] 0 1 [::] 1 [::] num den only_head classes false None [::] [::].
(* rows of words                                                                 *)
Definition sequence_arguments (s : seq (seq Z)) : arguments :=
  Arguments 0 false 1 [::] [::] [::] [::] 0 1 [::] 1 [::] 0 1 [::] 1 [::] 1 1 None None false None [::] s.
Definition values_arguments (v : seq Z) : arguments :=
  Arguments 0 false 1 [::] [::] [::] [::] 0 1 [::] 1 [::] 0 1 [::] 1 [::] 1 1 None None false None v [::].

(* -------------------------------------------------------------------------- *)
(* What a claim says                                                           *)
(* -------------------------------------------------------------------------- *)
(* the answer to a question for a number                                        *)
Definition answers (k : question) (x a : nat) : Prop :=
  match k with
  | IsValue => x = a
  | IsAtLeast => (a <= x)%N
  | IsAtMost => (x <= a)%N
  | IsOpen => True
  end.

(* H (r - 1) + 1, or 0 where this is negative                                    *)
Definition paper_rank (H r : nat) : nat := (H * r + 1 - H)%N.

Section Words.
Variables (R : realType) (D : problem).

(* some weights of the shape (H, d, d_h), and Z has rank k at least               *)
Definition some_layer (k : nat) : Prop :=
  exists P : weights R (H D) (d D) (d_h D) 0 0 0, (k <= \rank (attention.Z (E R D) (e R D) P))%N.

(* whatever the coefficients are, in place of the softmax                         *)
Definition any_coefficients_leq (k : nat) : Prop :=
  forall A : 'I_(T D) -> 'M[R]_(H D, n D), (forall t, sum1 (A t)) -> (forall t h i, 0 <= A t h i) ->
  (\rank (attn_out A (E R D)) <= k)%N.

Definition subset_queries (a : arguments) : 'M[R]_(size (subset a), d D) :=
  mx R _ _ (q_queries D) [seq nth [::] (queries D) t | t <- subset a].
Definition context_of (a : arguments) (k : nat) : 'M[R]_(n D, d D) :=
  mx R (n D) (d D) (q_contexts D) (context_at D (nth 0%N (subset a) k)).

(* weights with separators, the same for all factors lambda_h that are large enough; for one factor in all heads *)
Definition schedule (k : nat) : Prop := exists W u v, separated_weights (R := R) (D := D) W u v /\
  exists L : R, forall lambda : 'I_(H D) -> R, (forall h, L <= lambda h) -> (k <= \rank (with_separators W u v lambda))%N.
Definition schedule_at (lambda : R) (k : nat) : Prop := exists W u v, separated_weights (R := R) (D := D) W u v /\
  (k <= \rank (with_separators W u v (fun=> lambda)))%N.

(* a read-out of what the heads put out with the given weights and values, with a bias, fits the labels *)
Definition output_memorizes (bias : bool) : Prop :=
  if (given D, around D) is (Some L, Some w) then
    exists (U : 'M[R]_(H D * value_width w, d_out D)) (b : 'rV[R]_(d_out D)), (~~ bias -> b = 0) /\
      forall t, row t (layer_outputs R D w L false) *m U + b = (@target R D t)^T
  else True.

(* more outputs than numbers of which they are rational functions  *)
Definition more_outputs : Prop :=
  (H D * \rank (exponent_matrix R D) + d_out D * (H D * \rank (difference_matrix R D) + \rank (token_matrix R D))
    < T D * d_out D + d_out D * \rank (difference_matrix R D))%N.

Definition paper_hypotheses (s : statement) (c : claim) : Prop :=
  let a := args c in
  match s with
  | Proposition1 | Lemma3 | FiniteLambda _ => Assumption1 (n D) (e R D) /\ Assumption2 (E R D)
  | Proposition2 => (size (distinct equal_rows (contexts D)) <= 1)%N
  | Proposition5 => (size (distinct Z.eqb [seq total r | r <- all_tokens D]) <= 1)%N
  | Memorizes | MemorizesBiased => (d_out D <= d_v D)%N
  | Theorem1 => Assumption1 (n D) (e R D) /\ Assumption2 (E R D) /\
    (T D <= paper_rank (H D) (minn (n D) (d_h D)))%N /\ (d_out D <= d_v D)%N
  | SkipConnection => Assumption1 (n D) (e R D) /\ Assumption2 (E R D) /\
    (T D <= paper_rank (H D) (minn (n D) (d_h D)))%N /\ (d_out D <= minn (d_v D) (d D))%N
  | Remark1 => Assumption2 (E R D)
  | Lemma2 => (size (row_vectors a) <= \rank (claim_mx R a (row_vectors a) (row_vectors a)))%N
  | Lemma5 => small_perturbation R a
  | Proposition3 IntegerLabels =>
    fractions D = 0%N /\ (neurons a * (varying D + 1) + output_bias a < T D)%N /\
    Assumption1 (n D) (e R D) /\ Assumption2 (E R D)
  | Proposition3 TranscendentalLabels =>
    (neurons a * (varying D + 1) + output_bias a < T D)%N /\ Assumption1 (n D) (e R D) /\ Assumption2 (E R D)
  | Proposition4 => Assumption2 (E R D) /\ Assumption3 (E R D) (e R D)
  | Lemma4 => equal_pairs (separated_entries D a) = 0%N
  | Claim1 => (size (subset a) <= minn (n D) (d_h D))%N /\ \rank (subset_queries a) = size (subset a) /\
    ((n D <= d D)%N /\ forall k : 'I_(size (subset a)), \rank (context_of a k) = n D)
  | Claim2 => (size (subset a) < minn (n D) (d_h D))%N /\ Assumption1 (n D) (e R D) /\ Assumption2 (E R D)
  | UnfittableLabels _ => more_outputs
  | _ => True
  end.

Definition paper_conclusion (s : statement) (c : claim) : Prop :=
  let k := asks c in let x := Z.to_nat (asked c) in let a := args c in
  match s with
  | Rank => answers k (if given D is Some L then \rank (given_Z R D L false) else 0%N) x
  | Memorizes => memorizes_given R D
  | MemorizesBiased => memorizes_biased R D
  | OutputMemorizes bias => output_memorizes bias
  | Injective => if given D is Some L then injective (fun t => row t (given_Z R D L false)) else False
  | CapacityQuestion => answers k (capacity R D) x
  | AnyCoefficientsQuestion => answers k (rank_any R D) x
  | KruskalQuestion => answers k (kruskal_rank (e R D)) x
  | GeneralPosition => general_position (e R D)
  | Assumption1_ => Assumption1 (n D) (e R D)
  | Assumption2_ => Assumption2 (E R D)
  | Assumption3_ => Assumption3 (E R D) (e R D)
  | AffineHullBound => any_coefficients_leq
      (minn (minn (minn (T D) (H D * d D)) (paper_rank (H D) (\rank (affine_matrix R D))))
            (H D * \rank (token_matrix R D)))
  | Proposition1 => some_layer (minn (T D) (paper_rank (H D) (minn (n D) (d_h D))))
  | Proposition2 => any_coefficients_leq (paper_rank (H D) (n D))
  | Proposition5 => any_coefficients_leq (paper_rank (H D) (d D))
  | Theorem1 => memorizes_any R D
  | SkipConnection => memorizes_any_skip R D
  | Remark1 => some_layer
      (minn (T D) (paper_rank (H D) (minn (minn (n D) (d_h D)) (kruskal_rank (e R D)))))
  | FiniteLambda at_claim => let k := minn (T D) (paper_rank (H D) (minn (n D) (d_h D))) in (0 < k)%N ->
    if at_claim then if at_lambda a is Some (x, q) then schedule_at (toF R x / toF R (Zpos q)) k else False
    else schedule k
  | Lemma1 => (\rank (claim_mx R a (matrix_a a) (matrix_a a)) + \rank (claim_mx R a (matrix_c a) (matrix_c a))
      <= \rank (block_matrix R c))%N
  | Lemma2 => (size (row_vectors a) <= \rank (shifted_matrix R c))%N
  | Lemma3 => separates R D a
  | Lemma4 => vertex_limit R D a
  | Lemma5 => (\rank (claim_mx R a (matrix_a a) (matrix_a a)) <= \rank (claim_mx R a (matrix_b a) (matrix_b a)))%N
  | Claim1 => prescribed_weights R D a
  | Claim2 => one_hot R D a
  | Proposition3 l => ~ network_fits R D a l
  | Proposition4 => Assumption3 (E R D) (e R D) /\ Assumption2 (fun t => mixed (E R D t))
  | PositionalEncoding => (n D <= \rank (sinusoidal_encoding (frequency R (d D)) (n D) (d D)))%N
  | Saturation => answers k (saturated R D a) x
  | NumericalRank => answers k (numerical_rank R D a) x
  | Accuracy => answers k (accurate R D a) x
  | Memorizable => (T D <= largest_rank R D)%N
  | JacobianRank => answers k (if given D is Some L then rank_J R D L false None else 0%N) x
  | FunctionalDimensionQuestion => answers k (functional_dimension R D) x
  | UnfittableLabels b => ~ layer_fits R D b
  | WordsAndPositions => answers k (embedded_capacity R D c) x
  | InjectiveAlmostSurely => (T D <= generic_outputs R D)%N
  | WhichQuestion set conflicts =>
    if k is IsOpen then which_examples R D a set conflicts else answers k (capacity R D) x
  | RankOfBlocks b => answers k (if given D is Some L then rank_blocks R D c L false b else 0%N) x
  | ReluMemorizes => network_fits R D a GivenLabels
  | MatrixRank => answers k (\rank (claim_mx R a (row_vectors a) (row_vectors a))) x
  end.

Lemma some_layer_geq k : (k <= capacity R D)%N <-> some_layer k.
Proof. exact: capacity_geq. Qed.

Lemma rank_any_leq k : (rank_any R D <= k)%N <-> any_coefficients_leq k.
Proof.
split=> [rk A sA A0|H]; first by apply: leq_trans rk; apply: rank_any_geq.
by apply: largest_leq => j [A [sA A0 /leq_trans]]; apply; apply: H.
Qed.

Lemma schedule_geq k : (k <= tail_rank R D)%N <-> ((0 < k)%N -> schedule k).
Proof.
split=> [kt k0|sk].
  have [|W [u [v [sep [L big]]]]] := @largest_in (minn (T D) (H D * d D)) schedule; first exact: leq_trans k0 kt.
  by exists W, u, v; split=> //; exists L => lambda /big; apply: leq_trans.
case: (posnP k) => [->//|/sk{}sk]; apply: largest_geq (sk); have [W [u [v [_ [L big]]]]] := sk.
by apply: leq_trans (big (fun=> L) (fun=> lexx L)) _; rewrite leq_min rank_leq_row rank_leq_col.
Qed.

Lemma schedule_at_geq lambda k : (k <= lambda_rank D lambda)%N <-> ((0 < k)%N -> schedule_at lambda k).
Proof.
split=> [kt k0|sk].
  have [|W [u [v [sep big]]]] := @largest_in (minn (T D) (H D * d D)) (schedule_at lambda); first exact: leq_trans k0 kt.
  by exists W, u, v; split=> //; apply: leq_trans big.
case: (posnP k) => [->//|/sk{}sk]; apply: largest_geq (sk); have [W [u [v [_ big]]]] := sk.
by apply: leq_trans big _; rewrite leq_min rank_leq_row rank_leq_col.
Qed.

Lemma least_rank_geq k (C : 'I_k -> 'M[R]_(n D, d D)) :
  (n D <= least_rank C)%N <-> (n D <= d D)%N /\ forall i, \rank (C i) = n D.
Proof.
split=> [nl|[nd A]]; last by apply: leq_least_rank => [|i]; rewrite ?leq_min ?leqnn // A.
split=> [|i]; last by apply/eqP; rewrite eqn_leq rank_leq_row; apply: leq_trans nl _; apply: least_rank_leq.
apply: leq_trans nl _; rewrite /least_rank; elim: (enum _) => [|i s IH] /=; first exact: geq_minr.
by apply: leq_trans IH; apply: geq_minr.
Qed.

Lemma assumption_2_geq (C : 'I_(T D) -> 'M[R]_(n D, d D)) : (0 < T D)%N -> (n D <= least_rank C)%N <-> Assumption2 C.
Proof.
move=> T0; rewrite least_rank_geq; split=> [[] //|A]; split=> //.
by rewrite -(A (Ordinal T0)) rank_leq_col.
Qed.

Lemma distinct_rowsP k m (M : 'M[R]_(k, m)) : (k <= distinct_rows M)%N <-> injective (fun t => row t M).
Proof.
rewrite /distinct_rows; set s := [seq row t M | t <- enum 'I_k].
have -> : (k <= size (undup s))%N = uniq s.
  have sk : size s = k by rewrite size_map -cardE card_ord.
  by rewrite leqNgt -{1}sk ltn_size_undup negbK.
by split=> /injectiveP.
Qed.

Variable c : claim.
Hypotheses (okD : wf_sizes D) (d0 : (0 < d D)%N) (asked0 : (0 <= asked c)%coqZ).
Lemma sizes_gt0 : (0 < T D)%N /\ (0 < n D)%N.
Proof. by case/and5P: okD => /and3P[n0 _ _] T0 _ _ _; split. Qed.
Local Notation v := (numbers R D c).

Lemma leq_of_nat j k : (Z.of_nat j <= Z.of_nat k)%coqZ <-> (j <= k)%N.
Proof. by split=> [jk|/ssrnat.leP jk]; [apply/ssrnat.leP|]; lia. Qed.

Lemma of_nat_minn j k : Z.min (Z.of_nat j) (Z.of_nat k) = Z.of_nat (minn j k).
Proof. by rewrite -Nat2Z.inj_min /minn; case: ltnP => [/ssrnat.ltP|/ssrnat.leP] ?; congr Z.of_nat; lia. Qed.

Lemma of_nat_muln j k : (Z.of_nat j * Z.of_nat k)%coqZ = Z.of_nat (j * k).
Proof. by rewrite -multE; lia. Qed.

Lemma paper_rank_geq h r k : (Z.of_nat h * (Z.of_nat r - 1) + 1 <= Z.of_nat k)%coqZ <-> (paper_rank h r <= k)%N.
Proof.
rewrite /paper_rank -minusE -plusE -multE.
by split=> [?|/ssrnat.leP ?]; [apply/ssrnat.leP|]; nia.
Qed.

Lemma paper_rank_leq h r k : (0 < r)%N \/ (0 < k)%N ->
  (Z.of_nat k <= Z.of_nat h * (Z.of_nat r - 1) + 1)%coqZ <-> (k <= paper_rank h r)%N.
Proof.
move=> rk; have {}rk : Peano.lt 0 r \/ Peano.lt 0 k by case: rk => /ssrnat.ltP; [left|right].
rewrite /paper_rank -minusE -plusE -multE.
by split=> [?|/ssrnat.leP ?]; [apply/ssrnat.leP|]; nia.
Qed.

Lemma answersE q x : v q = Z.of_nat x ->
  meaning v (answer (asks c) q) <-> answers (asks c) x (Z.to_nat (asked c)).
Proof.
move=> vq; have vA : v Asked = Z.of_nat (Z.to_nat (asked c)) by rewrite Z2Nat.id.
case: (asks c); last by split.
- by rewrite -[meaning _ _]/(v q = v Asked) vq vA; split=> [/Nat2Z.inj|->].
- by rewrite -[meaning _ _]/(v Asked <= v q)%coqZ vq vA; apply: leq_of_nat.
by rewrite -[meaning _ _]/(v q <= v Asked)%coqZ vq vA; apply: leq_of_nat.
Qed.

Lemma truthP x : meaning v (AtLeast (Qty (Truth x)) (Const 1%coqZ)) <-> holds R D (args c) x.
Proof. by rewrite /=; case: asboolP. Qed.

Lemma not_truthP x : meaning v (AtMost (Qty (Truth x)) (Const 0%coqZ)) <-> ~ holds R D (args c) x.
Proof. by rewrite /=; case: asboolP. Qed.

Lemma hypothesesE s : (forall p, List.In p (hypotheses s) -> meaning v p) <-> paper_hypotheses s c.
Proof.
have [T0 n0] := sizes_gt0.
have one (A : Prop) p : (meaning v p <-> A) -> ((forall q, List.In q [:: p] -> meaning v q) <-> A).
  by move=> pA; split=> [/(_ p (or_introl erefl))/pA//|/pA pp q /= [<- //|[]]].
have cons (A B : Prop) p ps : (meaning v p <-> A) -> ((forall q, List.In q ps -> meaning v q) <-> B) ->
    ((forall q, List.In q (p :: ps) -> meaning v q) <-> (A /\ B)).
  move=> pA psB; split=> [all|[/pA pp /psB pps] q /= [<- //|/pps //]].
  by split; [apply/pA/all; left|apply/psB => q qs; apply: all; right].
have A1 : meaning v assumption_1 <-> Assumption1 (n D) (e R D).
  by rewrite /= of_nat_minn; apply: leq_of_nat.
have A2 : meaning v assumption_2 <-> Assumption2 (E R D).
  by rewrite -(assumption_2_geq _ T0); apply: leq_of_nat.
have A3 : meaning v (AtMost (Qty Examples) (statements.paper_bound (Qty LeastRank))) <->
    (T D <= paper_rank (H D) (minn (n D) (d_h D)))%N.
  by apply: paper_rank_leq; right.
have net : meaning v network_examples <-> (neurons (args c) * (varying D + 1) + output_bias (args c) < T D)%N.
  by rewrite /= -leq_of_nat -plusE -multE; lia.
case: s; rewrite /paper_hypotheses; first [by split=> // _ p []
  | by apply: (cons _ _ _ _ A1); apply: (cons _ _ _ _ A2); apply: (cons _ _ _ _ A3); apply: (one); apply: leq_of_nat
  | by apply: (cons _ _ _ _ A1); apply: (cons _ _ _ _ A2); apply: (cons _ _ _ _ A3); apply: (one);
      rewrite /= of_nat_minn; apply: leq_of_nat
  | by apply: (cons _ _ _ _ A1); apply: (one _ _ A2)
  | by move=> ?; apply: (cons _ _ _ _ A1); apply: (one _ _ A2)
  | by apply: (one _ _ A2)
  | by apply: (one); apply: (leq_of_nat _ 1)
  | by apply: (one); apply: leq_of_nat
  | idtac].
- by apply: (one); apply: truthP.
- case; last by split=> // _ p [].
    apply: (cons); first by rewrite /=; lia.
    by apply: (cons _ _ _ _ net); apply: (cons _ _ _ _ A1); apply: (one _ _ A2).
  by apply: (cons _ _ _ _ net); apply: (cons _ _ _ _ A1); apply: (one _ _ A2).
- by apply: (cons _ _ _ _ A2); apply: (one); rewrite /= of_nat_minn; apply: leq_of_nat.
- by apply: (one); rewrite /=; lia.
- apply: (cons); first exact: leq_of_nat.
  apply: (cons); last by apply: (one); rewrite -least_rank_geq; apply: leq_of_nat.
  rewrite /= leq_of_nat; split=> [sr|->] //; apply/eqP.
  by rewrite eqn_leq sr andbT; apply: rank_leq_row.
- by apply: (cons); [rewrite -leq_of_nat /=; lia|apply: (cons _ _ _ _ A1); apply: (one _ _ A2)].
move=> b; apply: (one); rewrite /more_outputs /=; move: (\rank (exponent_matrix R D)) (\rank (difference_matrix R D)) => x y.
by move: (\rank (token_matrix R D)) => z; rewrite -leq_of_nat -!plusE -!multE; lia.
Qed.

Lemma conclusionE s : meaning v (conclusion s (asks c)) <-> paper_conclusion s c.
Proof.
have [T0 n0] := sizes_gt0.
have cap r : (Z.min (Z.of_nat (T D)) (Z.of_nat (H D) * (Z.of_nat r - 1) + 1) <= Z.of_nat (capacity R D))%coqZ
    <-> some_layer (minn (T D) (paper_rank (H D) r)).
  rewrite -some_layer_geq geq_min Z.min_le_iff leq_of_nat paper_rank_geq.
  by split=> [/orP|/orP].
have hull r : (0 < r)%N -> (Z.of_nat (rank_any R D) <= Z.of_nat (H D) * (Z.of_nat r - 1) + 1)%coqZ
    <-> any_coefficients_leq (paper_rank (H D) r).
  by move=> r0; rewrite -rank_any_leq; apply: paper_rank_leq; left.
have all : (Z.of_nat (rank_any R D) <= value v (Min (Min (Min (Qty Examples) (Mul (Qty Heads) (Qty Dimension)))
    (statements.paper_bound (Qty (RankOf AffineTokens)))) (Mul (Qty Heads) (Qty (RankOf Tokens)))))%coqZ <->
    paper_conclusion AffineHullBound c.
  rewrite /paper_conclusion -rank_any_leq !leq_min /= !of_nat_muln !Z.min_glb_iff !leq_of_nat.
  rewrite paper_rank_leq; last by left; apply: affine_rank_gt0.
  by split=> [[[[-> ->] ->] ->]|/andP[/andP[/andP[-> ->] ->] ->]].
case: s; rewrite /paper_conclusion; first [
    by apply: answersE; rewrite /= /numbers /=; case: (given D)
  | exact: answersE | exact: cap | exact: hull | exact: all | exact: truthP
  | by rewrite -(assumption_2_geq _ T0); apply: leq_of_nat
  | by rewrite -cap /= of_nat_minn
  | by rewrite /= of_nat_minn; apply: leq_of_nat
  | idtac].
- rewrite /= /numbers /=; case: (given D) => [L|] /=; last by split=> //; lia.
  by rewrite -distinct_rowsP; apply: leq_of_nat.
- rewrite /=; move: (\rank _) (\rank (claim_mx _ _ _ _)) (\rank (block_matrix R c)) => i j k.
  by rewrite -leq_of_nat -plusE Nat2Z.inj_add.
- exact: leq_of_nat.
- exact: leq_of_nat.
- by case; exact: not_truthP.
- rewrite -[meaning _ _]/(meaning v assumption_3 /\ meaning v (AtLeast (Qty RankMixedContexts) (Qty Context))).
  by rewrite -(assumption_2_geq _ T0) /= of_nat_minn !leq_of_nat.
- exact: leq_of_nat.
- have least k : (Z.min (Z.of_nat (T D)) (Z.of_nat (H D) * (Z.of_nat (minn (n D) (d_h D)) - 1) + 1) <= Z.of_nat k)%coqZ
      <-> (minn (T D) (paper_rank (H D) (minn (n D) (d_h D))) <= k)%N.
    by rewrite geq_min Z.min_le_iff leq_of_nat paper_rank_geq; split=> [/orP|/orP].
  case; last by rewrite -schedule_geq; apply: least.
  rewrite /= /numbers /=; case: (at_lambda _) => [[x q]|]; first by rewrite -schedule_at_geq; apply: least.
  by rewrite (least 0%N) leqn0 lt0n; split=> [/eqP -> //|no]; apply/negPn/negP => /no.
- exact: leq_of_nat.
- move=> b; exact: not_truthP.
- exact: leq_of_nat.
- move=> set conflicts; have := @answersE Capacity _ erefl; have := truthP (WhichExamples set conflicts).
  rewrite /=; case: (asks c) => //= whichP _; split=> [[_ /whichP]//|/whichP].
  by split.
- by move=> b; apply: answersE; rewrite /= /numbers /=; case: (given D).
move=> bias; rewrite /= /numbers /= /output_memorizes; case: (given D) => [L|]; last by split=> // _; lia.
rewrite leq_of_nat /rank_blocks; case: (around D) => [w|]; last by case: (head_of_claim D c).
by case: (head_of_claim D c) => *; apply: columns_fitted.
Qed.

End Words.

(* -------------------------------------------------------------------------- *)
(* From a verdict to what it says                                              *)
(* -------------------------------------------------------------------------- *)
Definition checked (D : problem) (s : statement) (c : claim) (x : verdict) : Prop :=
  exists built steps, of_claim (check D s c built steps) = x.

(* what the words need                                                          *)
Definition plain (D : problem) (c : claim) : bool := (0 < d D)%N && (0 <=? asked c)%coqZ.

Section Verdicts.
Variables (R : realType) (D : problem) (s : statement) (c : claim).

Lemma checked_sound x : checked D s c x -> verdict_true (numbers R D c) s c x.
Proof. by case=> built [steps <-]; apply: check_sound. Qed.

Lemma checked_sizes x : checked D s c x -> x <> Undecided -> wf_sizes D.
Proof. by case=> built [steps <-]; rewrite /check /check_after; case: ifP => // /andP[]. Qed.

Hypothesis okc : plain D c.
Let d0 : (0 < d D)%N. Proof. by case/andP: okc. Qed.
Let asked0 : (0 <= asked c)%coqZ. Proof. by case/andP: okc => _ /Z.leb_le. Qed.

Theorem verified b : checked D s c (Verified b) -> paper_conclusion R D s c.
Proof.
move=> ok; have okD : wf_sizes D by apply: (checked_sizes ok).
by apply/(conclusionE R okD d0 asked0); case: (checked_sound ok).
Qed.

Theorem verified_hypotheses : checked D s c (Verified true) -> paper_hypotheses R D s c.
Proof.
move=> ok; have okD : wf_sizes D by apply: (checked_sizes ok).
by apply/(hypothesesE R c okD d0); case: (checked_sound ok) => _; apply.
Qed.

Theorem refuted : checked D s c Refuted -> paper_hypotheses R D s c /\ ~ paper_conclusion R D s c.
Proof.
move=> ok; have okD : wf_sizes D by apply: (checked_sizes ok).
have [no hyps] := checked_sound ok; split; first exact/(hypothesesE R c okD d0).
by move/(conclusionE R okD d0 asked0).
Qed.

Theorem inapplicable : checked D s c Inapplicable -> ~ paper_hypotheses R D s c.
Proof.
move=> ok; have okD : wf_sizes D by apply: (checked_sizes ok).
by case: (checked_sound ok) => p ps np /(hypothesesE R c okD d0) all; apply: np; apply: all.
Qed.

End Verdicts.
