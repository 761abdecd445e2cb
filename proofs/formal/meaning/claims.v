(* The proved checker, claims: the arguments of a claim, and the propositions that  *)
(* statements are about besides ranks.                                              *)
(*                                                                                   *)
(*      arguments == of a claim; those that a statement does not have are empty      *)
(*          truth == the quantities of docs/certificate.md that are 0 or 1           *)
(*  holds R D c x == what it means that x is 1                                       *)
(*       shared D == all contexts are equal                                          *)
From Attest Require Import integers attention singular_values problem.

Local Notation Z := BinNums.Z.

Inductive labelling := IntegerLabels | TranscendentalLabels | GivenLabels.

(* matrices are integers over common denominators                                    *)
Record arguments := Arguments {
  neurons : nat; output_bias : bool;                             (* Proposition 3 *)
  q_matrices : positive;                                         (* Lemmas 1, 2, 5 *)
  matrix_a : seq (seq Z); matrix_b : seq (seq Z); matrix_c : seq (seq Z);
  row_vectors : seq (seq Z); shift_num : Z; shift_den : positive;
  subset : seq nat;                                              (* Lemma 3, Claims 1, 2 *)
  q_coefficients : positive; coefficients : seq (seq Z);         (* a row for each member *)
  example : nat;                                                 (* Lemma 4 *)
  q_star : positive; w_star : seq (seq Z); q_prime : positive; w_prime : seq (seq Z);
  epsilon_num : positive; epsilon_den : positive;                (* also the threshold, the tolerance *)
  only_head : option nat;                                        (* saturation, rank and output-rank *)
  classes : option (seq nat);                                    (* accuracy; by epsilon without them *)
  added_query : bool;                                            (* skip-connection: outputs have the query added *)
  at_lambda : option (Z * positive);                             (* finite-lambda: the factor of all separators *)
  values : seq Z;                                                (* which examples, times a number *)
  sequences : seq (seq Z)                                        (* words, times a number; T x n *)
}.

Inductive truth :=
  | NetworkFits (l : labelling) | SmallPerturbation | Separates | VertexLimit | Prescribed | OneHot | ReadOut
  | MemorizesAll | MemorizesAllSkip | MemorizesGiven
  | LayerFits (transcendental : bool)
  | WhichExamples (set : seq nat) (conflicts : seq (nat * seq nat))
  | MemorizesBias.

(* -------------------------------------------------------------------------- *)
(* Literal data                                                                *)
(* -------------------------------------------------------------------------- *)
(* "if", as the virtual machine evaluates both sides of &&                          *)
Fixpoint equal_row (r s : seq Z) : bool :=
  match r, s with
  | [::], [::] => true
  | x :: r', y :: s' => if (x =? y)%coqZ then equal_row r' s' else false
  | _, _ => false
  end.
Fixpoint equal_rows (r s : seq (seq Z)) : bool :=
  match r, s with
  | [::], [::] => true
  | x :: r', y :: s' => if equal_row x y then equal_rows r' s' else false
  | _, _ => false
  end.

(* contexts are made one after the other, as they need not all fit into memory together              *)
Definition shared (D : problem) : bool :=
  let C := context_at D 0 in all (fun t => equal_rows C (context_at D t)) (iota 0 (T D)).

(* the rows of a literal matrix are equally long, and there is one                    *)
Definition width (M : seq (seq Z)) : nat := size (head [::] M).
Definition wf_matrix (M : seq (seq Z)) : bool := (0 < size M)%N && all (fun r => size r == width M) M.

(* what varies in the inputs of a network                                            *)
Definition varying (D : problem) : nat := if shared D then d D else ((n D).+1 * d D)%N.

(* -------------------------------------------------------------------------- *)
(* Meaning                                                                     *)
(* -------------------------------------------------------------------------- *)
(* no integers but 0 combine the labels to 0; powers of e are such labels (exp_independent_int in transcendence.v) *)
Definition independent_labels (R : realType) T (y : 'I_T -> R) : Prop :=
  forall z : 'I_T -> int, \sum_t (z t)%:~R * y t = 0 -> forall t, z t = 0.
(* no polynomial with rational coefficients but 0 vanishes at them; exp of the square roots of different primes are such *)
(* numbers by the theorem of Lindemann and Weierstrass (exp_sqrt_primes_independent in algebraic_relations.v)            *)
Definition satisfy_no_equation (R : realType) (J : finType) (y : J -> R) : Prop :=
  forall N (c : {ffun J -> 'I_N} -> rat), \sum_a ratr (c a) * \prod_j y j ^+ a j = 0 -> forall a, c a = 0.

Section Meaning.
Variables (R : realType) (D : problem) (c : arguments).
Local Notation T := (T D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).

(* --- Proposition 3 *)
Definition label (t : 'I_T) : R := toF R (ent (labels D) t 0) / toF R (Zpos (q_labels D)).
Definition input (t : 'I_T) : 'cV[R]_(n * d + d) := flat (E t) (e t).

(* some network of the claim has these outputs                                       *)
Definition fits (y : 'I_T -> R) : Prop :=
  exists a (w : 'I_(neurons c) -> 'rV[R]_(n * d + d)) b b0, (~~ output_bias c -> b0 = 0) /\
    forall t, relu_net a w b (input t) + b0 = y t.

(* the integer labels are the powers of any s that is large for a bound b of the inputs (mathematics.md has the *)
(* least); the transcendental ones are any that are independent over the rationals                             *)
Definition network_fits (l : labelling) : Prop :=
  match l with
  | GivenLabels => fits label
  | IntegerLabels => exists b s : nat, let k := (neurons c * (varying D + 1) + output_bias c)%N in
    [/\ (0 < b)%N, forall t i, `|input t i 0| <= b%:R, ((k * b ^ 2) ^ k < s ^ 2)%N & fits (fun t => (s ^ t)%N%:R)]
  | TranscendentalLabels => exists2 y, independent_labels y & fits y
  end.

(* --- Lemma 5: ||A - B||^2 <= s' < s <= the square of the least non-zero singular value of A *)
Definition claim_mx (M N : seq (seq Z)) : 'M[R]_(size M, width N) := mx R _ _ (q_matrices c) M.
Definition small_perturbation : Prop :=
  let A := claim_mx (matrix_a c) (matrix_a c) in
  let B : 'M_(size (matrix_a c), width (matrix_a c)) := mx R _ _ (q_matrices c) (matrix_b c) in
  exists s s' : R, [/\ forall v : 'rV_(size (matrix_a c)), (v <= A^T)%MS -> s * sqnorm v <= sqnorm (v *m A),
    forall v : 'rV_(size (matrix_a c)), sqnorm (v *m (A - B)) <= s' * sqnorm v & s' < s].

(* --- Lemmas 3 and 4, Claims 1 and 2; the base's softmax *)
Definition in_subset (t : 'I_T) : bool := has (eqn t) (subset c).
Definition softmax_base k (l : 'cV[R]_k) : 'cV[R]_k := softmax ((if base_two D then ln 2%:R else 1) *: l).

(* the entries of E_t W' e_t are pairwise different                                   *)
Definition split_entries (W' : 'M[R]_d) (t : 'I_T) : Prop :=
  forall i j, i != j -> (E t *m W' *m e t) i 0 != (E t *m W' *m e t) j 0.

Definition separates : Prop :=
  exists (u : 'cV[R]_d) (v : 'rV[R]_d), [/\ u != 0, v != 0, forall t, in_subset t -> u *m v *m e t = 0 &
    forall t, ~~ in_subset t -> split_entries (u *m v) t].

Definition vertex_limit : Prop :=
  exists2 t : 'I_T, nat_of_ord t = example c & exists i0 : 'I_n, exists l0 : R, forall lambda, l0 <= lambda ->
    \sum_i `|softmax_base (E t *m (mx R d d (q_star c) (w_star c) + lambda *: mx R d d (q_prime c) (w_prime c)) *m e t) i 0
             - (i == i0)%:R| <= toF R (Zpos (epsilon_num c)) / toF R (Zpos (epsilon_den c)).

(* the coefficients that are prescribed for member k of the subset                    *)
Definition prescribed (k : nat) : 'cV[R]_n :=
  \col_i (toF R (ent (coefficients c) k i) / toF R (Zpos (q_coefficients c))).

Definition prescribed_weights : Prop :=
  exists W : 'M[R]_d, (\rank W <= size (subset c))%N /\
    forall (k : nat) (t : 'I_T), (k < size (subset c))%N -> nth 0%N (subset c) k = t ->
      softmax_base (E t *m W *m e t) = prescribed k.

(* the vertices do not depend on the coefficients, nor on epsilon                     *)
Definition one_hot : Prop :=
  exists i0 : 'I_T -> 'I_n, forall (phi : nat -> 'cV[R]_n) (eps : R), (forall k, convex_comb (phi k)) -> 0 < eps ->
  exists W : 'M[R]_d, [/\ (\rank W <= (size (subset c)).+1)%N,
    forall (k : nat) (t : 'I_T), (k < size (subset c))%N -> nth 0%N (subset c) k = t ->
      softmax_base (E t *m W *m e t) = phi k &
    forall t, ~~ in_subset t -> \sum_i `|softmax_base (E t *m W *m e t) i 0 - (i == i0 t)%:R| <= eps].

(* --- a layer of the shape gives exactly the labels, whatever the dimensions of values and outputs are that are at *)
(* least d_out; with the query added where the claim says so                                                        *)
Definition target (t : 'I_T) : 'cV[R]_(d_out D) := \col_o (toF R (ent (labels D) t o) / toF R (Zpos (q_labels D))).

Definition read_out : Prop := forall d_v d_o : nat, (d_out D <= d_v)%N -> (d_out D <= d_o)%N ->
  if added_query c then exists P : weights R (H D) d (d_h D) d_v d (d_out D), memorizes_skip E e P target
  else exists P : weights R (H D) d (d_h D) d_v d_o (d_out D), memorizes E e P target.

(* --- for all labels some layer of the shape predicts them exactly, o having d_out entries; with the query added, where *)
(* o has d entries                                                                                                      *)
Definition memorizes_any : Prop := forall y : 'I_T -> 'cV[R]_(d_out D),
  exists P : weights R (H D) d (d_h D) (d_v D) (d_out D) (d_out D), memorizes E e P y.
Definition memorizes_any_skip : Prop := forall y : 'I_T -> 'cV[R]_(d_out D),
  exists P : weights R (H D) d (d_h D) (d_v D) d (d_out D), memorizes_skip E e P y.

(* --- some values, outputs and read-out predict the case's labels exactly, with the given keys and queries (Eqs. 4 to 6, *)
(* the keys and queries of P replaced by the logits of the given layer); the same with a read-out that has a bias         *)
Definition predict_given (L : layer) (P : weights R (H D) d 0 (d_v D) (d_out D) (d_out D)) (t : 'I_T) : 'cV[R]_(d_out D) :=
  (WD P)^T *m ((WO P)^T *m stack (fun h => (WV P h)^T *m ((E t)^T *m softmax (factor R D false *: logits R L t h)))).
Definition memorizes_given : Prop := exists2 L, given D = Some L & exists P, forall t, predict_given L P t = target t.
Definition memorizes_biased : Prop := exists2 L, given D = Some L & exists P b, forall t, predict_given L P t + b = target t.

(* --- weights of any dimensions but d and d_out predict labels that satisfy no equation; they predict all integer labels *)
Definition some_layer_fits (y : 'I_T -> 'cV[R]_(d_out D)) : Prop :=
  exists d_h d_v d_o (P : weights R (H D) d d_h d_v d_o (d_out D)), memorizes E e P y.
Definition layer_fits (transcendental : bool) : Prop :=
  if transcendental then exists2 y : 'I_T -> 'cV[R]_(d_out D), satisfy_no_equation (fun j => y j.1 j.2 0) & some_layer_fits y
  else forall y : 'I_T -> 'I_(d_out D) -> int, some_layer_fits (fun t => \col_o (y t o)%:~R).
(* --- sets of examples: for some weights of the shape their rows of Z are independent; the greedy set by the claim's values, *)
(* larger ones first, equal ones (all without values) in the order of the examples; and for each other example the members *)
(* that it can replace                                                                                                    *)
Definition memorized_together (S : seq nat) : Prop := capacity R (part_of D (Part (H D) S)) = size S.
Definition before (s t : nat) : bool :=
  let value t := nth 0%coqZ (values c) t in (value t <? value s)%coqZ || ((value t =? value s)%coqZ && (s < t)%N).

Definition which_examples (S : seq nat) (C : seq (nat * seq nat)) : Prop :=
  [/\ perm_eq (S ++ [seq x.1 | x <- C]) (iota 0 T),
    forall t, (t < T)%N -> (t \in S <-> memorized_together (t :: [seq s <- S | before s t])) &
    forall t others, (t, others) \in C -> forall s, (s \in others <-> s \in S /\ memorized_together (t :: rem s S))].

Definition holds (x : truth) : Prop :=
  match x with
  | NetworkFits l => network_fits l
  | SmallPerturbation => small_perturbation
  | Separates => separates
  | VertexLimit => vertex_limit
  | Prescribed => prescribed_weights
  | OneHot => one_hot
  | ReadOut => read_out
  | MemorizesAll => memorizes_any
  | MemorizesAllSkip => memorizes_any_skip
  | MemorizesGiven => memorizes_given
  | LayerFits transcendental => layer_fits transcendental
  | WhichExamples set conflicts => which_examples set conflicts
  | MemorizesBias => memorizes_biased
  end.

End Meaning.
Arguments label : clear implicits.
Arguments input : clear implicits.
