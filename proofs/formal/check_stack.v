(* The proved checker, layers before the layer: check_of_stack, and the theorem that it is right.                        *)
(*                                                                                                                    *)
(*  covered_stack s == statements about a layer behind others that are covered                                          *)
(*      stack_step == steps: what enclosures show, and theorems                                                         *)
(*  stack_rank_any S == the largest rank of Z for any coefficients, a number of the checker's own                        *)
(*  check_of_stack S s c steps == verdict and facts; check_of_stack_sound == the verdict is right over every realType            *)
From Attest Require Import integers attention upper_bounds literal_arithmetic bounds problem logits.
From Attest Require Import quantity_bounds singular_values euclidean enclosures saturation stack_enclosures.
From Attest Require Import stack_symmetry stack_hulls soundness.
From Attest Require Export other_layers.

Local Notation Z := BinNums.Z.

Definition covered_stack (s : statement) : bool :=
  match s with Rank | Injective | InjectiveAlmostSurely | Saturation | NumericalRank | Accuracy => true | _ => false end.

Inductive stack_hull := LinearHullOf | AffineHullOf | DifferencesOf.

Inductive stack_step :=
  (* rows, and of columns the head and the coordinate; nearly the inverse, over q     *)
  | StackMinor (bits : nat) (rows : seq nat) (cols : seq (nat * nat)) (q : positive) (inverse : seq (seq Z))
  | StackApart (bits : nat) (rows : seq nat)
  (* counts, and vectors for so many bits of Z, which are those of enclosures at more bits *)
  | StackPairs (above : bool) (count bits : nat)
  | StackScores (above : bool) (count bits : nat)
  | StackSpectrum (above : bool) (bits more : nat) (vectors : seq (seq Z))
  | StackApply (x : theorem) (uses : seq nat)
  (* the theorems equal-outputs and opposite-examples *)
  | StackDistinct | StackDirections
  (* the theorems entering-linear-hull, entering-affine-hull and entering-differences *)
  | StackHull (h : stack_hull)
  | StackNotCovered.

Definition stack_theorem (x : theorem) : bool := match x with AnyCoefficients | SomeCoefficients | AlmostAllOutputs => true | _ => false end.

Section Check.
Variables (S : layer_stack) (c : claim).
Let D := top_problem S.

Definition natural_of_stack (q : quantity) : interval :=
  match q with
  | Examples => exactly_nat (T D)
  | Asked => exactly (asked c)
  | RankZ None | RankAny => up_to (minn (T D) (H D * d D))
  | DistinctOutputs | GenericOutputs | Accurate => up_to (T D)
  | Saturated => up_to (T D * H D)
  | LargeSingularValues => up_to (minn (T D) (H D * d D))
  | InShape None => exactly (if given D is Some L then if in_shape D L then 1%coqZ else 0%coqZ else 0%coqZ)
  | _ => (None, None)
  end.

(* vectors differ by what A contains, or, those of one sequence, by what C contains    *)
Definition sequence_of (j : nat) : Z := (Z.of_nat j / Zpos (Z.to_pos (Z.of_nat (n D))))%coqZ.
Definition hull_fact (h : stack_hull) : option fact :=
  let none := fun _ : nat => 0%coqZ in
  match h with
  | LinearHullOf => proves (hulls_ok S none) RankAny false (H D * size (hulls S none).1)
  | AffineHullOf => proves (hulls_ok S none) RankAny false (H D * size (hulls S none).2 + 1)
  | DifferencesOf => let s := hulls S sequence_of in
    proves (hulls_ok S sequence_of && (0 < H D)%N) RankAny false ((H D - 1) * size s.2 + size s.1)
  end.

Definition run_stack_step (facts : seq (option fact)) (s : stack_step) : option fact :=
  if given D is Some L then
    match s with
    | StackMinor bits rows cols q V => proves (stack_minor_ok S L bits rows cols q V) (RankZ None) true (size rows)
    | StackApart bits rows => proves (stack_apart_ok S L bits rows) DistinctOutputs true (size rows)
    | StackPairs above k bits => proves (stack_pairs_ok S L (args c) above k bits) Saturated above
        (if above then k else (pairs_counted D (args c) - k)%N)
    | StackScores above k bits => proves (stack_scores_ok S L (args c) above k bits) Accurate above (if above then k else (T D - k)%N)
    | StackSpectrum above bits more X => proves (stack_spectrum_ok S L (args c) above bits more X) LargeSingularValues above
        (if above then size X else (minn (T D) (H D * d D) - size X)%N)
    | StackApply x uses =>
      if stack_theorem x then
        apply_from natural_of_stack (conditions x None) (bounded x None) (pmap (fun k => nth None facts k) uses)
      else None
    | StackDistinct => proves (stack_enclosable S L) DistinctOutputs false (stack_distinct S L)
    | StackDirections => proves (stack_enclosable S L) (RankZ None) false (stack_directions S L)
    | StackHull h => hull_fact h
    | StackNotCovered => None
    end
  else None.

Fixpoint run_stack_steps (facts : seq (option fact)) (steps : seq stack_step) : seq (option fact) :=
  if steps is s :: steps' then run_stack_steps (rcons facts (run_stack_step facts s)) steps' else facts.

End Check.

(* every example has a token *)
Definition check_of_stack (S : layer_stack) (s : statement) (c : claim) (steps : seq stack_step) : result :=
  let D := top_problem S in
  if [&& covered_stack s, isSome (given D), size (example_tokens S) == T D & all (fun l => 0 < size l)%N (example_tokens S)] then
    let facts := run_stack_steps S c [::] steps in
    Result (judge_from (natural_of_stack S c) s c (pmap id facts)) facts
  else Result Undecided [::].

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Sound.
Variables (R : realType) (S : layer_stack) (c : claim).
Local Notation D := (top_problem S).

Definition stack_rank_any : nat := largest (minn (T D) (H D * d D)) (fun k =>
  exists A : forall t : 'I_(T D), 'M[R]_(H D, size (list_of t)),
    [/\ forall t, sum1 (A t), forall t h i, 0 <= A t h i & (k <= \rank (sequence_out A))%N]).

Hypotheses (sizes : size (example_tokens S) == T D) (filled : all (fun l => 0 < size l)%N (example_tokens S)).

Lemma stack_any_coefficients L : (\rank (stack_Z R S L) <= stack_rank_any)%N.
Proof.
have n0 (t : 'I_(T D)) : (0 < size (list_of t))%N by apply: (all_nthP [::] filled); rewrite (eqP sizes).
apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
exists (fun t => \matrix_h (stack_alpha R L t h)^T); split=> [t h|t h i|].
- rewrite -[RHS](softmax_sum1 (factor R D false *: stack_logits L h (stack_tokens (entering R S) (list_of t))
    (entering R S (nth 0%N (example_rows S) t))) (n0 t)).
  by apply: eq_bigr => i _; rewrite [LHS]mxE [LHS]mxE.
- by rewrite mxE [X in 0 <= X]mxE ltW // softmax_gt0.
rewrite leq_eqVlt; apply/orP; left; apply/eqP; congr (\rank _); apply/row_matrixP => t; rewrite !rowK; congr mxvec.
by apply/row_matrixP => h; rewrite row_mul !rowK.
Qed.

Let own (q : quantity) : Z :=
  match q with
  | RankAny => Z.of_nat stack_rank_any
  | InShape None => if given D is Some L then if in_shape D L then 1%coqZ else 0%coqZ else 0%coqZ
  | _ => 0%coqZ
  end.
Local Notation v := (number_of_stack R S own c).
Local Notation fact_true := (fact_true v).
Local Notation step_true := (step_true v).

Lemma natural_of_stackP q : within (v q) (natural_of_stack S c q).
Proof.
have with_layer (f : layer -> nat) m : (forall L, f L <= m)%N -> within (if given D is Some L then Z.of_nat (f L) else 0%coqZ) (up_to m).
  by move=> fm; case: (given D) => [L|]; [apply: within_up_to|apply: (@within_up_to 0)].
have small k m (M : 'M[R]_(k, m)) : (distinct_rows M <= k)%N by rewrite /distinct_rows (leq_trans (size_undup _)) // size_map -cardE card_ord.
case: q => //=; try (by move=> *; split).
- exact: within_exactly.
- exact: within_exactly.
- by case=> [j|]; [split|apply: with_layer => L; rewrite leq_min rank_leq_row rank_leq_col].
- by apply: with_layer => L; apply: small.
- by apply: within_up_to; apply: largest_leq_N.
- by case=> [j|]; [split|apply: within_exactly].
- by apply: with_layer => L; apply: stack_saturated_leq.
- by apply: with_layer => L; apply: singular_count_leq_sizes; apply: level_ge0.
- by apply: with_layer => L; apply: accurate_from_leq.
by apply: within_up_to; apply: largest_leq_N.
Qed.

Lemma run_stack_step_true facts s : (forall f, List.In f (pmap id facts) -> fact_true f) ->
  step_true (run_stack_step S c facts s).
Proof.
move=> Hfacts; have leqZ j k : (j <= k)%N -> (Z.of_nat j <= Z.of_nat k)%coqZ by move=> /ssrnat.leP jk; lia.
rewrite /run_stack_step; case LE: (given D) => [L|] //.
case: s => [bits rows cols q V|bits rows|above k bits|above k bits|above bits more X|x uses|||h|] //.
- by apply: proved_true => ok; rewrite /= LE; apply: leqZ; apply: stack_minor_rank ok.
- by apply: proved_true => ok; rewrite /= LE; apply: leqZ; apply: stack_apart_rows ok.
- by apply: proved_true; case: above => ok; rewrite /= LE; apply: leqZ; [exact: stack_pairs_above ok|exact: stack_pairs_below ok].
- by apply: proved_true; case: above => ok; rewrite /= LE; apply: leqZ; [exact: stack_scores_above ok|exact: stack_scores_below ok].
- by apply: proved_true; case: above => ok; rewrite /= LE; apply: leqZ; [exact: stack_spectrum_above ok|exact: stack_spectrum_below ok].
- case: ifP => // xs; case TE: (bounded x None) => [[q lower] e].
  apply: (apply_from_true natural_of_stackP); first exact: used_true.
  have any := leqZ _ _ (stack_any_coefficients L).
  case: x xs TE => //= _ [<- <- <-] cond /=; rewrite LE //.
  have := cond _ (or_introl erefl); rewrite /= LE; case: ifP => // sL _.
  by apply: leqZ; apply: stack_almost_all_outputs.
- by apply: proved_true => ok; rewrite /= LE; apply: leqZ; apply: stack_distinct_leq ok.
- by apply: proved_true => ok; rewrite /= LE; apply: leqZ; apply: stack_directions_leq ok.
have any k : (forall A : forall t : 'I_(T D), 'M[R]_(H D, size (list_of t)), (forall t, sum1 (A t)) -> (\rank (sequence_out A) <= k)%N) ->
    (v RankAny <= Z.of_nat k)%coqZ.
  by move=> Ak; apply: leqZ; apply: largest_leq => r [A [A1 _ /leq_trans]]; apply; apply: Ak.
have n0 (t : 'I_(T D)) : (0 < size (list_of t))%N by apply: (all_nthP [::] filled); rewrite (eqP sizes).
case: h; apply: proved_true => ok; apply: any => A A1.
- exact: (linear_hulls ok (eqP sizes) n0 A).
- exact: (affine_hulls ok (eqP sizes) n0 A1).
by move: ok => /andP[ok H0]; apply: (context_hulls_of ok (eqP sizes) n0 A1 H0).
Qed.

Lemma run_stack_steps_true steps facts : (forall f, List.In f (pmap id facts) -> fact_true f) ->
  forall f, List.In f (pmap id (run_stack_steps S c facts steps)) -> fact_true f.
Proof.
elim: steps facts => //= s steps IH facts H; apply: IH => f; rewrite -cats1 pmap_cat => ff.
have [/H//|] : List.In f (pmap id facts) \/ List.In f (pmap id [:: run_stack_step S c facts s]).
  move: ff; elim: (pmap id facts) => /= [|g gs IHg]; first by right.
  by case=> [->|/IHg[]]; [left; left|left; right|right].
by have := run_stack_step_true s H; case: (run_stack_step _ _ _ _) => //= g gt [<- //|[]].
Qed.

Lemma judge_of_stack s steps :
  verdict_true v s c (judge_from (natural_of_stack S c) s c (pmap id (run_stack_steps S c [::] steps))).
Proof.
apply: (judge_from_true natural_of_stackP) => f; exact: (@run_stack_steps_true steps [::] (fun f no => match no with end)).
Qed.

(* the numbers of a statement that is covered are no numbers of the checker's own      *)
Lemma covered_stack_numbers s p : covered_stack s -> List.In p (conclusion s (asks c) :: hypotheses s) ->
  meaning v p = meaning (numbers_of_stack R S c) p.
Proof. by case: s => //= _; case: (asks c) => /= -[<-|[]]. Qed.

End Sound.

Theorem check_of_stack_sound (R : realType) S s c steps :
  verdict_true (numbers_of_stack R S c) s c (of_claim (check_of_stack S s c steps)).
Proof.
rewrite /check_of_stack; case: ifP => // /and4P[cs _ sizes filled].
have := @judge_of_stack R S c sizes filled s steps; rewrite [of_claim _]/=.
have E p := @covered_stack_numbers R S c s p cs.
rewrite /verdict_true; case: (judge_from _ _ _ _) => [b| | |] //.
- by case=> cP hP; split; [rewrite -E; [|left]|move=> /hP {}hP p ps; rewrite -E; [apply: hP|right]].
- by case=> cP hP; split; [rewrite -E; [|left]|move=> p ps; rewrite -E; [apply: hP|right]].
by case=> p ps np; exists p => //; rewrite -E //; right.
Qed.
