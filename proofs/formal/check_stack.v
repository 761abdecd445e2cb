(* The proved checker, layers before the layer: check_of_stack, and the theorem that it is right.                        *)
(*                                                                                                                    *)
(*  covered_stack s == statements about a layer behind given others that are covered                                    *)
(*      stack_step == steps: what enclosures show, and theorems                                                         *)
(*  stack_rank_any S == the largest rank of Z for any coefficients, a number of the checker's own                        *)
(*  check_of_stack S s c built steps == verdict and facts, built: the layers that steps define;                          *)
(*                      check_of_stack_sound == the verdict is right over every realType                                *)
From Attest Require Import integers attention upper_bounds literal_arithmetic bounds problem logits.
From Attest Require Import quantity_bounds singular_values euclidean enclosures saturation stack_enclosures.
From Attest Require Import heads stack_symmetry stack_hulls stack_entering soundness.
From Attest Require Export other_layers stack_quantities.

Local Notation Z := BinNums.Z.

(* about the weights of the case *)
Definition stack_given (s : statement) : bool :=
  match s with Rank | Injective | InjectiveAlmostSurely | Saturation | NumericalRank | Accuracy => true | _ => false end.
(* about contexts of n tokens each *)
Definition about_length (s : statement) : bool :=
  match s with Assumption1_ | Assumption2_ | Assumption3_ | Proposition1 | Proposition4 | Theorem1 => true | _ => false end.

Definition covered_stack (s : statement) : bool :=
  [|| stack_given s, about_length s | match s with CapacityQuestion | KruskalQuestion | GeneralPosition => true | _ => false end].

(* theorems about what is computed of classes and spaces: equal-outputs, equal-rows, opposite-examples, opposite-outputs, *)
(* equal-inputs, entering-queries, -contexts, -equal-heads, -linear-hull, -affine-hull and -differences                 *)
Inductive stack_bound :=
  | DifferentRows | RankOfRows | Directions | FreeDirections | FreeRows | QueriesMost | ContextsMost | EqualHeadsOf
  | LinearHullOf | AffineHullOf | DifferencesOf.

Inductive stack_step :=
  (* rows, and of columns the head and the coordinate; nearly the inverse, over q     *)
  | StackMinor (l : layer_name) (bits : nat) (rows : seq nat) (cols : seq (nat * nat)) (q : positive) (inverse : seq (seq Z))
  | StackApart (bits : nat) (rows : seq nat)
  (* counts, and vectors for so many bits of Z, which are those of enclosures at more bits *)
  | StackPairs (above : bool) (count bits : nat)
  | StackScores (above : bool) (count bits : nat)
  | StackSpectrum (above : bool) (bits more : nat) (vectors : seq (seq Z))
  (* any so many of the examples' own rows, the tokens of each example *)
  | StackQueries (mixed : bool) (count bits : nat)
  | StackContexts (mixed : bool) (bits : nat)
  | StackApply (x : theorem) (l : layer_name) (uses : seq nat)
  | StackBound (b : stack_bound)
  | StackNotCovered.

Definition stack_theorem (x : theorem) : bool :=
  match x with AnyCoefficients | SomeCoefficients | AlmostAllOutputs | AnyWeights | SomeWeights | AllLabels => true | _ => false end.

Section Check.
Variables (S : layer_stack) (c : claim) (built : seq (option (layer * bool))).
Let D := top_problem S.

(* a layer by its name, in a stack of which it is the last one, with the scale in its weights or not *)
Definition stack_of (l : layer_name) : option (layer_stack * layer) :=
  if l is Some k then omap (fun L => (if L.2 then with_last S L.1 else S, L.1)) (nth None built k)
  else omap (fun L => (S, L)) (given D).

Definition natural_of_stack (q : quantity) : interval :=
  match q with
  | Examples => exactly_nat (T D)
  | Asked => exactly (asked c)
  | Heads => exactly_nat (H D)
  | Context => exactly_nat (n D)
  | Dimension => exactly_nat (d D)
  | HeadDimension => exactly_nat (d_h D)
  | ValueDimension => exactly_nat (d_v D)
  | OutputDimension => exactly_nat (d_out D)
  | LeastRank => exactly_nat (minn (n D) (d_h D))
  | RankZ _ | RankAny | Capacity => up_to (minn (T D) (H D * d D))
  | Kruskal _ => up_to (minn (T D) (d D))
  | RankContexts | RankMixedContexts => up_to (minn (n D) (d D))
  | Truth MemorizesAll => up_to 1
  | DistinctOutputs | GenericOutputs | Accurate => up_to (T D)
  | Saturated => up_to (T D * H D)
  | LargeSingularValues => up_to (minn (T D) (H D * d D))
  | InShape l => exactly (if stack_of l is Some (_, L) then if in_shape D L then 1%coqZ else 0%coqZ else 0%coqZ)
  | _ => (None, None)
  end.

(* vectors differ by what A contains, or, those of one sequence, by what C contains    *)
Definition sequence_of (j : nat) : Z := (Z.of_nat j / Zpos (Z.to_pos (Z.of_nat (n D))))%coqZ.
Definition bound_fact (b : stack_bound) : option fact :=
  let none := fun _ : nat => 0%coqZ in
  let given_turns := if given D is Some L then turns L else true in
  let of_given (f : layer -> option fact) := if given D is Some L then f L else None in
  let classes := stack_enclosable S no_last_layer in
  match b with
  | DifferentRows => of_given (fun L => proves classes DistinctOutputs false (stack_distinct S (turns L)))
  | RankOfRows => of_given (fun L => proves classes (RankZ None) false (stack_distinct S (turns L)))
  | Directions => of_given (fun L => proves classes (RankZ None) false (stack_directions S (turns L)))
  | FreeDirections => proves classes Capacity false (stack_directions S given_turns)
  | FreeRows => proves classes GenericOutputs false (stack_distinct S given_turns)
  | QueriesMost => proves classes (Kruskal false) false (queries_most S)
  | ContextsMost => proves (hulls_ok S none && (0 < T D)%N) RankContexts false (contexts_most S none)
  | EqualHeadsOf => of_given (fun L => let N := size (different_heads S L) in
      proves (hulls_ok S none) (RankZ None) false (minn (N * dim_affine S none + 1) (N * dim_linear S none)))
  | LinearHullOf => proves (hulls_ok S none) RankAny false (H D * dim_linear S none)
  | AffineHullOf => proves (hulls_ok S none) RankAny false (H D * dim_affine S none + 1)
  | DifferencesOf => proves (hulls_ok S sequence_of && (0 < H D)%N) RankAny false
      ((H D - 1) * dim_differences S sequence_of + dim_linear S sequence_of)
  end.

Definition run_stack_step (facts : seq (option fact)) (s : stack_step) : option fact :=
  let of_given f := if given D is Some L then f L else None in
  match s with
  | StackMinor l bits rows cols q V =>
    if stack_of l is Some (S', L) then proves (stack_minor_ok S' L bits rows cols q V) (RankZ l) true (size rows) else None
  | StackApart bits rows => of_given (fun L => proves (stack_apart_ok S L bits rows) DistinctOutputs true (size rows))
  | StackPairs above k bits => of_given (fun L => proves (stack_pairs_ok S L (args c) above k bits) Saturated above
      (if above then k else (pairs_counted D (args c) - k)%N))
  | StackScores above k bits => of_given (fun L =>
      proves (stack_scores_ok S L (args c) above k bits) Accurate above (if above then k else (T D - k)%N))
  | StackSpectrum above bits more X => of_given (fun L =>
      proves (stack_spectrum_ok S L (args c) above bits more X) LargeSingularValues above
        (if above then size X else (minn (T D) (H D * d D) - size X)%N))
  | StackQueries mixed k bits => proves (entering_queries_ok S bits mixed k) (Kruskal mixed) true k
  | StackContexts mixed bits =>
    proves (entering_contexts_ok S bits mixed) (if mixed then RankMixedContexts else RankContexts) true (fewest_tokens S)
  | StackApply x l uses =>
    if stack_theorem x then
      apply_from natural_of_stack (conditions x l) (bounded x l) (pmap (fun k => nth None facts k) uses)
    else None
  | StackBound b => bound_fact b
  | StackNotCovered => None
  end.

Fixpoint run_stack_steps (facts : seq (option fact)) (steps : seq stack_step) : seq (option fact) :=
  if steps is s :: steps' then run_stack_steps (rcons facts (run_stack_step facts s)) steps' else facts.

End Check.

(* every example has a token *)
Definition check_of_stack (S : layer_stack) (s : statement) (c : claim) (built : seq (option (layer * bool)))
    (steps : seq stack_step) : result :=
  let D := top_problem S in
  if [&& covered_stack s, size (example_tokens S) == T D, all (fun l => 0 < size l)%N (example_tokens S)
      & about_length s ==> all (fun l => size l == n D) (example_tokens S)] then
    let facts := run_stack_steps S c built [::] steps in
    Result (judge_from (natural_of_stack S c built) s c (pmap id facts)) facts
  else Result Undecided [::].

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section AnyCoefficients.
Variables (R : realType) (S : layer_stack).
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

(* all weights of the shape give coefficients                                          *)
Lemma stack_capacity_any : (stack_capacity R S <= stack_rank_any)%N.
Proof.
apply: largest_leq => k [P /leq_trans]; apply.
have n0 (t : 'I_(T D)) : (0 < size (list_of t))%N by apply: (all_nthP [::] filled); rewrite (eqP sizes).
apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
pose l (t : 'I_(T D)) h := stack_tokens (entering R S) (list_of t) *m (WK P h *m (WQ P h)^T *m (own_row R t)^T).
exists (fun t => \matrix_h (softmax (l t h))^T); split=> [t h|t h i|].
- by rewrite -[RHS](softmax_sum1 (l t h) (n0 t)); apply: eq_bigr => i _; rewrite [LHS]mxE [LHS]mxE.
- by rewrite mxE [X in 0 <= X]mxE ltW // softmax_gt0.
rewrite leq_eqVlt; apply/orP; left; apply/eqP; congr (\rank _); apply/row_matrixP => t; rewrite free_row rowK; congr mxvec.
by apply/row_matrixP => h; rewrite row_mul !rowK.
Qed.

End AnyCoefficients.

Section Sound.
Variables (R : realType) (S : layer_stack) (c : claim) (built : seq (option (layer * bool))).
Local Notation D := (top_problem S).
Hypotheses (sizes : size (example_tokens S) == T D) (filled : all (fun l => 0 < size l)%N (example_tokens S)).

Let own (q : quantity) : Z :=
  match q with
  | RankAny => Z.of_nat (stack_rank_any R S)
  | InShape l => if stack_of S built l is Some (_, L) then if in_shape D L then 1%coqZ else 0%coqZ else 0%coqZ
  | RankZ (Some k) => if nth None built k is Some (L, a) then
      Z.of_nat (if a then \rank (stack_Z R (with_last S L) L) else \rank (stack_Z R S L)) else 0%coqZ
  | _ => 0%coqZ
  end.
Local Notation v := (number_behind R S own c).
Local Notation fact_true := (fact_true v).
Local Notation step_true := (step_true v).

Lemma natural_of_stackP q : within (v q) (natural_of_stack S c built q).
Proof.
have with_layer (f : layer -> nat) m : (forall L, f L <= m)%N -> within (if given D is Some L then Z.of_nat (f L) else 0%coqZ) (up_to m).
  by move=> fm; case: (given D) => [L|]; [apply: within_up_to|apply: (@within_up_to 0)].
have small k m (M : 'M[R]_(k, m)) : (distinct_rows M <= k)%N by rewrite /distinct_rows (leq_trans (size_undup _)) // size_map -cardE card_ord.
have least b m : (b <= m)%N -> forall l : seq nat, (foldr minn b l <= m)%N.
  by move=> bm; elim=> //= a l; apply: leq_trans; apply: geq_minr.
case: q => //=; try (by move=> *; split); try exact: within_exactly.
- exact/within_up_to/least.
- exact/within_up_to/least.
- case=> [k|]; last by apply: with_layer => L; rewrite leq_min rank_leq_row rank_leq_col.
  case: (nth None built k) => [[L a]|]; last exact: (@within_up_to 0).
  by apply: within_up_to; case: a; rewrite leq_min rank_leq_row rank_leq_col.
- by apply: with_layer => L; apply: small.
- by apply: within_up_to; apply: largest_leq_N.
- by apply: within_up_to; apply: largest_leq_N.
- by move=> mixed; apply: within_up_to; apply: kruskal_rank_size.
- by move=> l; apply: within_exactly.
- by case; do ?[by move=> *; split]; apply: within_up_to; case: asboolP.
- by apply: with_layer => L; apply: stack_saturated_leq.
- by apply: with_layer => L; apply: singular_count_leq_sizes; apply: level_ge0.
- by apply: with_layer => L; apply: accurate_from_leq.
by apply: within_up_to; apply: largest_leq_N.
Qed.

Lemma stack_ofP l S' L : stack_of S built l = Some (S', L) ->
  [/\ v (RankZ l) = Z.of_nat (\rank (stack_Z R S' L)), (\rank (stack_Z R S' L) <= stack_rank_any R S)%N
    & in_shape D L -> (\rank (stack_Z R S' L) <= stack_capacity R S)%N].
Proof.
case: l => [k|]; rewrite [stack_of _ _ _]/=.
  case E: (nth None built k) => [[L' a]|] //= [<- <-]; split=> [||sL].
  - by rewrite E; case: (a).
  - by case: (a); [apply: (@stack_any_coefficients R (with_last S L') sizes filled L')|apply: stack_any_coefficients].
  by case: (a); [apply: last_layer_capacity|apply: given_layer_capacity].
case E: (given D) => [L'|] //= [<- <-]; split=> [||sL]; first by rewrite E.
  exact: stack_any_coefficients.
exact: given_layer_capacity.
Qed.

Lemma bound_fact_true b : step_true (bound_fact S b).
Proof.
have leqZ j k : (j <= k)%N -> (Z.of_nat j <= Z.of_nat k)%coqZ by move=> /ssrnat.leP jk; lia.
have n0 (t : 'I_(T D)) : (0 < size (list_of t))%N by apply: (all_nthP [::] filled); rewrite (eqP sizes).
have any k : (forall A : forall t : 'I_(T D), 'M[R]_(H D, size (list_of t)), (forall t, sum1 (A t)) -> (\rank (sequence_out A) <= k)%N) ->
    (v RankAny <= Z.of_nat k)%coqZ.
  by move=> Ak; apply: leqZ; apply: largest_leq => r [A [A1 _ /leq_trans]]; apply; apply: Ak.
rewrite /bound_fact; case: b.
- case LE: (given D) => [L|] //; apply: proved_true => ok; rewrite /= LE; apply: leqZ; exact: stack_distinct_leq.
- case LE: (given D) => [L|] //; apply: proved_true => ok; rewrite /= LE; apply: leqZ.
  apply: leq_trans (stack_distinct_leq R L ok).
  by apply: (rank_classes (x := fun t => row t (stack_Z R S L))) => [t|t t' //]; rewrite mem_undup; apply: map_f; rewrite mem_enum.
- case LE: (given D) => [L|] //; apply: proved_true => ok; rewrite /= LE; apply: leqZ; exact: stack_directions_leq.
- apply: proved_true => ok; apply: leqZ; apply: largest_leq => k [P /leq_trans]; apply; exact: free_directions_leq.
- apply: proved_true => ok; apply: leqZ; exact: stack_equal_inputs.
- apply: proved_true => ok; apply: leqZ; exact: entering_queries_leq.
- apply: proved_true => /andP[ok T0]; apply: leqZ; exact: (entering_contexts_leq R (eqP sizes) n0 ok T0).
- case LE: (given D) => [L|] //; apply: proved_true => ok; rewrite /= LE; apply: leqZ.
  exact: (equal_heads_rank R L (eqP sizes) n0 ok).
- by apply: proved_true => ok; apply: any => A A1; apply: (linear_hulls ok (eqP sizes) n0 A).
- by apply: proved_true => ok; apply: any => A A1; apply: (affine_hulls ok (eqP sizes) n0 A1).
by apply: proved_true => /andP[ok H0]; apply: any => A A1; apply: (context_hulls_of ok (eqP sizes) n0 A1 H0).
Qed.

Lemma run_stack_step_true facts s : (forall f, List.In f (pmap id facts) -> fact_true f) ->
  step_true (run_stack_step S c built facts s).
Proof.
move=> Hfacts; have leqZ j k : (j <= k)%N -> (Z.of_nat j <= Z.of_nat k)%coqZ by move=> /ssrnat.leP jk; lia.
have n0 (t : 'I_(T D)) : (0 < size (list_of t))%N by apply: (all_nthP [::] filled); rewrite (eqP sizes).
case: s => [l bits rows cols q V|bits rows|above k bits|above k bits|above bits more X|mixed k bits|mixed bits|x l uses|b|] //;
  rewrite /run_stack_step.
- case lE: (stack_of S built l) => [[S' L]|] //; have [vE _ _] := stack_ofP lE.
  apply: proved_true => ok; change (Z.of_nat (size rows) <= v (RankZ l))%coqZ; rewrite vE; apply: leqZ; apply: stack_minor_rank ok.
- case LE: (given D) => [L|] //; apply: proved_true => ok; rewrite /= LE; apply: leqZ; apply: stack_apart_rows ok.
- case LE: (given D) => [L|] //; apply: proved_true; case: above => ok; rewrite /= LE; apply: leqZ; [exact: stack_pairs_above ok|exact: stack_pairs_below ok].
- case LE: (given D) => [L|] //; apply: proved_true; case: above => ok; rewrite /= LE; apply: leqZ; [exact: stack_scores_above ok|exact: stack_scores_below ok].
- case LE: (given D) => [L|] //; apply: proved_true; case: above => ok; rewrite /= LE; apply: leqZ; [exact: stack_spectrum_above ok|exact: stack_spectrum_below ok].
- by apply: proved_true => ok; apply: leqZ; exact: (entering_queries_geq R (eqP sizes) n0 ok).
- by apply: proved_true => ok; case: mixed ok => ok; apply: leqZ; exact: (entering_contexts_geq R (eqP sizes) n0 ok).
- case: ifP => // xs; case TE: (bounded x l) => [[q lower] e].
  apply: (apply_from_true natural_of_stackP); first exact: used_true.
  have shape : meaning v (Equal (Qty (InShape l)) (Const 1%coqZ)) -> exists S' L, stack_of S built l = Some (S', L) /\ in_shape D L.
    by rewrite /=; case: (stack_of S built l) => [[S' L]|] //; case: ifP => // sL _; exists S', L.
  have any : (v (RankZ l) <= v RankAny)%coqZ.
    case lE: (stack_of S built l) => [[S' L]|]; first by have [-> r _] := stack_ofP lE; apply: leqZ.
    have rank0 : (0 <= Z.of_nat (stack_rank_any R S))%coqZ by lia.
    by case: l lE {TE shape} => [k|] /=; [case: (nth _ _ _)|case: (given D)].
  case: x xs TE => //= _ [<- <- <-] cond.
  + exact: any.
  + exact: any.
  + exact: (leqZ _ _ (stack_capacity_any R sizes filled)).
  + have [S' [L [lE sL]]] := shape (cond _ (or_introl erefl)); have [vE _ r] := stack_ofP lE.
    by change (v (RankZ l) <= v Capacity)%coqZ; rewrite vE; apply: leqZ; apply: r.
  + have full := cond _ (or_introl erefl); have ov := cond _ (or_intror (or_introl erefl)); rewrite /= in full ov.
    by rewrite /=; case: asboolP => // -[]; apply: stack_capacity_memorizes; apply/ssrnat.leP; lia.
  have := cond _ (or_introl erefl); rewrite /=; case LE: (given D) => [L|] //=; case: ifP => // sL _.
  by apply: leqZ; apply: stack_almost_all_outputs.
exact: bound_fact_true.
Qed.

Lemma run_stack_steps_true steps facts : (forall f, List.In f (pmap id facts) -> fact_true f) ->
  forall f, List.In f (pmap id (run_stack_steps S c built facts steps)) -> fact_true f.
Proof.
elim: steps facts => //= s steps IH facts H; apply: IH => f; rewrite -cats1 pmap_cat => ff.
have [/H//|] : List.In f (pmap id facts) \/ List.In f (pmap id [:: run_stack_step S c built facts s]).
  move: ff; elim: (pmap id facts) => /= [|g gs IHg]; first by right.
  by case=> [->|/IHg[]]; [left; left|left; right|right].
by have := run_stack_step_true s H; case: (run_stack_step _ _ _ _ _) => //= g gt [<- //|[]].
Qed.

Lemma judge_of_stack s steps :
  verdict_true v s c (judge_from (natural_of_stack S c built) s c (pmap id (run_stack_steps S c built [::] steps))).
Proof.
apply: (judge_from_true natural_of_stackP) => f; exact: (@run_stack_steps_true steps [::] (fun f no => match no with end)).
Qed.

(* the numbers of a statement that is covered are no numbers of the checker's own      *)
Lemma covered_stack_numbers s p : covered_stack s -> List.In p (conclusion s (asks c) :: hypotheses s) ->
  meaning v p = meaning (numbers_behind R S c) p.
Proof.
case: s => //= _; do ?[by case: (asks c) => /= -[<-|[]]].
all: by do ![case=> [<-|] //].
Qed.

End Sound.

Theorem check_of_stack_sound (R : realType) S s c built steps :
  verdict_true (numbers_behind R S c) s c (of_claim (check_of_stack S s c built steps)).
Proof.
rewrite /check_of_stack; case: ifP => // /and4P[cs sizes filled _].
have := @judge_of_stack R S c built sizes filled s steps; rewrite [of_claim _]/=.
have E p := @covered_stack_numbers R S c built s p cs.
rewrite /verdict_true; case: (judge_from _ _ _ _) => [b| | |] //.
- by case=> cP hP; split; [rewrite -E; [|left]|move=> /hP {}hP p ps; rewrite -E; [apply: hP|right]].
- by case=> cP hP; split; [rewrite -E; [|left]|move=> p ps; rewrite -E; [apply: hP|right]].
by case=> p ps np; exists p => //; rewrite -E //; right.
Qed.
