(* Quantities: what propositions are about, and their values over the reals; before them those that are       *)
(* about real numbers and not ranks over a field, and the Jacobian of a layer's outputs                       *)
(* (docs/mathematics.md, The Jacobian).                                                                       *)
(*                                                                                                            *)
(*           attention R D t h == the softmax coefficients of head h at example t                             *)
(*               means R D t h == the mean of the tokens with these coefficients                              *)
(*             attention_Z R D == Z of the case's layer                                                       *)
(*                   saturated == pairs of example and head with a coefficient above the number of the claim  *)
(*              numerical_rank == singular values of attention_Z above it                                     *)
(*           scores_of R D z t == what the whole layer puts out whose heads have the means z                  *)
(*   accurate_from z, accurate == examples that it gets right; that the case's gets right                     *)
(*               parameter D m == one entry of a key, of a query or of a read-out of a head                   *)
(*                   outputs w == f_t = sum_h U_h^T z_{t,h}, the parameters being w                           *)
(*             partial w t o k == the derivative of output o of example t by the parameter k                  *)
(*          derivatives both w == the matrix J of these; not both: queries stay as they are                   *)
(*            rank_J R D L a u == its rank at the weights of the layer L, u the read-out                      *)
(*    functional_dimension R D == its largest rank over all weights of the shape                              *)
(*         exponent_matrix R D == the products of differences of two tokens and the query                     *)
(*                    quantity == the quantities of docs/certificate.md that are covered                      *)
(*   number R D layers own c q == the value of q, an integer; own: of quantities that no statement is about   *)
(*      tail_rank, lambda_rank == of weights with separators, for all large lambda, and for one               *)
(*           embedded_capacity == of words and positions; generic_outputs == rows of Z that are different for *)
(*                                almost all weights                                                          *)
(*   tokens D, affine_tokens D == the distinct tokens; the same with a last entry 1                           *)
(*               differences D == the tokens minus the first one of their context                             *)
From Attest Require Import integers.
From mathcomp Require Import derive.
From Attest Require Import attention singular_values.
From Attest Require Export problem claims.
Import numFieldNormedType.Exports.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Quantities about real numbers                                                *)
(* ============================================================================ *)

Section Meaning.
Variables (R : realType) (D : problem) (c : arguments).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).

Definition real_logits (t : 'I_T) (h : 'I_H) : 'cV[R]_n :=
  if given D is Some L then logits R L t h else 0.

Definition attention (t : 'I_T) (h : 'I_H) : 'cV[R]_n := softmax (factor R D false *: real_logits t h).
Definition means (t : 'I_T) (h : 'I_H) : 'rV[R]_d := (attention t h)^T *m E t.
Definition attention_Z : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_h means t h).

(* the threshold, the tolerance, or epsilon                                          *)
Definition level : R := toF R (Zpos (epsilon_num c)) / toF R (Zpos (epsilon_den c)).

(* --- saturation *)
Definition counted (h : nat) : bool := if only_head c is Some k then h == k else true.

Definition saturated : nat :=
  (\sum_(t < T) \sum_(h < H) `[< counted h /\ exists i, (level < attention t h i 0)%R >])%N.

(* --- numerical rank *)
Definition numerical_rank : nat := singular_count attention_Z level.

(* --- accuracy *)
Section Scores.
Variable z : 'I_T -> 'I_H -> 'rV[R]_d.

Definition scores_of (t : 'I_T) : 'rV[R]_(d_out D) :=
  if around D is Some w then
    let head (h : 'I_H) : 'rV[R]_(output_width w) :=
      (z t h *m mx R d (value_width w) (q_value w) (nth [::] (value_weights w) h)
        + row h (mx R H (value_width w) (q_value_bias w) (value_bias w)))
      *m mx R (value_width w) (output_width w) (q_output w) (nth [::] (output_weights w) h) in
    (\sum_h head h + mx R 1 (output_width w) (q_output_shift w) [:: output_shift w]
      + row t (mx R T (output_width w) (q_skip w) (skip_rows w)))
      *m mx R (output_width w) (d_out D) (q_readout w) (readout_weights w)
    + mx R 1 (d_out D) (q_readout_shift w) [:: readout_shift w]
  else 0.

(* of a class; a single score is that of class 1, against 0                          *)
Definition score_of (t : 'I_T) (o : nat) : R :=
  if d_out D == 1%N then (if o == 1%N then [seq scores_of t 0 j | j <- enum 'I_(d_out D)]`_0 else 0)
  else [seq scores_of t 0 j | j <- enum 'I_(d_out D)]`_o.
Definition number_of_classes : nat := if d_out D == 1%N then 2%N else d_out D.

Definition is_right (t : 'I_T) : Prop :=
  if classes c is Some k then
    forall o, (o < number_of_classes)%N -> o != nth 0%N k t -> score_of t o < score_of t (nth 0%N k t)
  else forall o : 'I_(d_out D),
    `|scores_of t 0 o - toF R (ent (labels D) t o) / toF R (Zpos (q_labels D))| <= level.

Definition accurate_from : nat := (\sum_(t < T) `[< is_right t >])%N.

End Scores.

Definition accurate : nat := accurate_from means.

End Meaning.
Arguments attention : clear implicits.
Arguments means : clear implicits.
Arguments scores_of : clear implicits.
Arguments score_of : clear implicits.
Arguments is_right : clear implicits.
Arguments accurate_from : clear implicits.

(* ============================================================================ *)
(* The Jacobian, with respect to all keys, queries and read-outs                *)
(* ============================================================================ *)

Definition parameter (D : problem) (m : nat) : finType :=
  [finType of 'I_(H D) * ('I_(d D) * 'I_m + 'I_(d D) * 'I_m + 'I_(d D) * 'I_(d_out D))].

Section Meaning.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation d_out := (d_out D).
Local Notation E := (E R D).
Local Notation e := (e R D).

Section Layer.
(* what multiplies the logits in the exponential function, and biases of keys and queries, which are no parameters *)
Variables (m : nat) (s : R) (bK bQ : 'I_H -> 'cV[R]_m).
Implicit Type w : parameter D m -> R.

Definition key_of w (h : 'I_H) : 'M[R]_(d, m) := \matrix_(j, k) w (h, inl (inl (j, k))).
Definition query_of w (h : 'I_H) : 'M[R]_(d, m) := \matrix_(j, k) w (h, inl (inr (j, k))).
Definition readout_of w (h : 'I_H) : 'M[R]_(d, d_out) := \matrix_(j, o) w (h, inr (j, o)).

Definition logits_at w (t : 'I_T) (h : 'I_H) : 'cV[R]_(n D) :=
  (E t *m key_of w h + const_mx 1 *m (bK h)^T) *m ((query_of w h)^T *m e t + bQ h).
Definition outputs w (t : 'I_T) : 'cV[R]_d_out :=
  \sum_h (readout_of w h)^T *m ((E t)^T *m softmax (s *: logits_at w t h)).

(* w with x added to the parameter k                                             *)
Definition moved w (k : parameter D m) (x : R) : parameter D m -> R := fun k' => w k' + x * (k' == k)%:R.
Definition partial w (t : 'I_T) (o : 'I_d_out) (k : parameter D m) : R :=
  derive1 (fun x => outputs (moved w k x) t o 0) 0.

Definition of_query (k : parameter D m) : bool := if k.2 is inl (inr _) then true else false.
Definition derivatives (both : bool) w : 'M[R]_(#|{: 'I_T * 'I_d_out}|, #|parameter D m|) :=
  \matrix_(i, k) if both || ~~ of_query (enum_val k)
                 then partial w (enum_val i).1 (enum_val i).2 (enum_val k) else 0.

Definition parameters (K Q : 'I_H -> 'M[R]_(d, m)) (U : 'I_H -> 'M[R]_(d, d_out)) : parameter D m -> R :=
  fun k => match k.2 with
  | inl (inl (j, l)) => K k.1 j l
  | inl (inr (j, l)) => Q k.1 j l
  | inr (j, o) => U k.1 j o
  end.

End Layer.

(* The read-out of a head: rows h d .. of integers that a certificate writes down, or W_V,h W_O,h R of the case. *)
Definition given_readout (u : option (seq (seq Z))) (h : 'I_H) : 'M[R]_(d, d_out) :=
  match u, around D with
  | Some U, _ => \matrix_(j, o) toF R (ent U (h * d + j) o)
  | None, Some w =>
    mx R d (value_width w) (q_value w) (nth [::] (value_weights w) h)
      *m (mx R (value_width w) (output_width w) (q_output w) (nth [::] (output_weights w) h)
        *m mx R (output_width w) d_out (q_readout w) (readout_weights w))
  | None, None => 0
  end.

(* Of combined weights W_h = K_h Q_h^T the keys are W_h, and Q_h = 1 is no parameter. *)
Definition rank_J (L : layer) (a : bool) (u : option (seq (seq Z))) : nat :=
  match L with
  | Factors m qk K qq Q qkb bK qqb bQ =>
    \rank (derivatives (factor R D a) (literal_bias R m qkb bK) (literal_bias R m qqb bQ) true
      (parameters (literal R d m qk K) (literal R d m qq Q) (given_readout u)))
  | Combined q W =>
    \rank (derivatives (m := d) (factor R D a) (fun=> 0) (fun=> 0) false
      (parameters (literal R d d q W) (fun=> 1%:M) (given_readout u)))
  | Projected _ => 0%N
  end.

Definition functional_dimension : nat := largest (minn (T * d_out) (H * d * (2 * d_h D + d_out)))
  (fun k => exists w : parameter D (d_h D) -> R, (k <= \rank (derivatives 1%R (fun=> 0%R) (fun=> 0%R) true w))%N).

Definition exponent_matrix : 'M[R]_(#|{: 'I_T * ('I_(n D) * 'I_(n D))}|, d * d) :=
  \matrix_k let: (t, (i, j)) := enum_val k in mxvec ((row i (E t) - row j (E t))^T *m (e t)^T).

End Meaning.
Arguments given_readout : clear implicits.
Arguments rank_J : clear implicits.
Arguments functional_dimension : clear implicits.
Arguments exponent_matrix : clear implicits.

(* ============================================================================ *)
(* All quantities                                                               *)
(* ============================================================================ *)

(* a layer by its name: the given one, or the one that step k defines             *)
Definition layer_name := option nat.

(* a matrix of rational numbers; from MatrixA on they are of the claim          *)
Inductive matrix :=
  | Queries | Tokens | AffineTokens | Differences | Exponents
  | MatrixA | MatrixB | MatrixC | Block | RowVectors | Shifted | SubsetQueries.

(* a family of n x d matrices                                                   *)
Inductive family := AllContexts | MixedContexts | SubsetContexts.

(* matrices made of the heads of the given layer: Z beside a column of ones, and beside the labels; the means, or   *)
(* what is put out, of the claim's head; what all heads put out, beside a column of ones, and the labels            *)
Inductive blocks := WithOnes (and_labels : bool) | OneHead (outputs : bool) | Outputs (ones labels : bool).

Inductive quantity :=
  | Examples | Heads | Context | Dimension | HeadDimension | ValueDimension | OutputDimension
  | LeastRank                                   (* r = min(n, d_h) *)
  | Asked                                       (* the number in the claim *)
  | RankOf (m : matrix)
  | RankContexts | RankMixedContexts | RankSubsetContexts
  | RankEncoding
  | RankZ (l : layer_name)
  | RankWithLabels | DistinctOutputs            (* of the given layer *)
  | RankAny
  | Capacity | TailRank | LambdaRank
  | CapacityOf (p : part) | PartExamples (p : part) | PartHeads (p : part) | Outside (p : part)
  | LargestRank
  | Kruskal (mixed : bool)
  | DistinctContexts | DistinctTokens | DistinctExamples | DistinctLabelled | DistinctSums
  | InShape (l : layer_name)
  | DistinctHeads (l : layer_name) | MovingHeads (l : layer_name)
  | Neurons | OutputBias | SizeSubset | RowsOfVectors             (* of the claim *)
  | Varying | Fractions | OffMomentCurve | EqualEntries
  | Truth (x : truth)
  | Saturated | LargeSingularValues | Accurate
  | RankJ (l : layer_name) (u : option (seq (seq Z)))  (* u: the read-out that goes with a layer of a certificate *)
  | FunctionalDimension
  | EmbeddedCapacity | GenericOutputs
  | Spread (s : seq (seq Z)) | SumsOfWords (s : seq (seq Z))       (* of sequences of words *)
  | RankBlocks (b : blocks) | OnlyHead | ValueBiases
  | LabelEntries (varying : bool).               (* that are not 0, or not those of example 0 *)

(* the question for a number that a claim may be                                *)
Inductive question := IsValue | IsAtLeast | IsAtMost | IsOpen.

Record claim := Claim { asks : question; asked : Z; args : arguments }.

(* -------------------------------------------------------------------------- *)
(* Literal data                                                                *)
(* -------------------------------------------------------------------------- *)
(* members in the order in which they occur first                               *)
Fixpoint distinct_after (A : Type) (eqA : A -> A -> bool) (earlier s : seq A) : seq A :=
  match s with
  | [::] => [::]
  | x :: s' =>
    if has (eqA x) earlier then distinct_after eqA earlier s' else x :: distinct_after eqA (x :: earlier) s'
  end.
Definition distinct (A : Type) (eqA : A -> A -> bool) : seq A -> seq A := distinct_after eqA [::].

Definition all_tokens (D : problem) : seq (seq Z) := flatten (contexts D).
Definition tokens (D : problem) : seq (seq Z) := distinct equal_row (all_tokens D).
Definition affine_tokens (D : problem) : seq (seq Z) :=
  [seq rcons r (Zpos (q_contexts D)) | r <- tokens D].
Definition differences (D : problem) : seq (seq Z) :=
  flatten [seq [seq [seq (x.1 - x.2)%coqZ | x <- zip r (nth [::] C 0)] | r <- C] | C <- distinct equal_rows (contexts D)].

Definition total (r : seq Z) : Z := foldr Z.add 0%coqZ r.

(* entries of contexts and queries that are not integers                        *)
Definition fractions (D : problem) : nat :=
  (count (fun x => ~~ (x mod Zpos (q_contexts D) =? 0)%coqZ) (flatten (all_tokens D)) +
   count (fun x => ~~ (x mod Zpos (q_queries D) =? 0)%coqZ) (flatten (queries D)))%N.

(* pairs of equal entries of E W' e                                             *)
Fixpoint equal_pairs (s : seq Z) : nat :=
  if s is x :: s' then (count (Z.eqb x) s' + equal_pairs s')%N else 0%N.
Definition image_entries (D : problem) (W : seq (seq Z)) (t : nat) : seq Z :=
  let w := [seq dot r (nth [::] (queries D) t) | r <- W] in
  [seq dot r w | r <- context_at D t].
Definition separated_entries (D : problem) (c : arguments) : seq Z := image_entries D (w_prime c) (example c).

(* what is counted in the literal data                                          *)
Definition counted_in_data (D : problem) (q : quantity) : option Z :=
  match q with
  | DistinctContexts => Some (Z.of_nat (size (distinct equal_rows (contexts D))))
  | DistinctSums => Some (Z.of_nat (size (distinct Z.eqb [seq total r | r <- all_tokens D])))
  | Varying => Some (Z.of_nat (varying D))
  | Fractions => Some (Z.of_nat (fractions D))
  | _ => None
  end.

(* -------------------------------------------------------------------------- *)
(* Values                                                                      *)
(* -------------------------------------------------------------------------- *)
(* Quantities that no statement is about, such as the number of different heads of a layer, are the checker's own. *)
Section Values.
Variables (R : realType) (D : problem) (layers : layer_name -> option (layer * bool)) (own : quantity -> Z) (c : claim).
Local Notation E := (E R D).
Local Notation e := (e R D).

Definition token_matrix : 'M[R]_(size (tokens D), d D) := mx R _ _ (q_contexts D) (tokens D).
Definition affine_matrix : 'M[R]_(size (tokens D), d D + 1) := row_mx token_matrix (const_mx 1).
Definition difference_matrix : 'M[R]_(size (differences D), d D) := mx R _ _ (q_contexts D) (differences D).

(* of the claim; [a b; 0 c], and the vectors v_i + c sum_j v_j                     *)
Definition block_matrix : 'M[R]_(size (matrix_a (args c)) + size (matrix_c (args c)),
    width (matrix_a (args c)) + width (matrix_c (args c))) :=
  block_mx (mx R _ _ (q_matrices (args c)) (matrix_a (args c))) (mx R _ _ (q_matrices (args c)) (matrix_b (args c)))
    0 (mx R _ _ (q_matrices (args c)) (matrix_c (args c))).
Definition shifted_matrix : 'M[R]_(size (row_vectors (args c)), width (row_vectors (args c))) :=
  let V := claim_mx R (args c) (row_vectors (args c)) (row_vectors (args c)) in
  \matrix_i (row i V + (toF R (shift_num (args c)) / toF R (Zpos (shift_den (args c)))) *: \sum_j row j V).

Definition rank_of (m : matrix) : nat :=
  match m with
  | Queries => \rank (mx R (T D) (d D) (q_queries D) (queries D))
  | Tokens => \rank token_matrix
  | AffineTokens => \rank affine_matrix
  | Differences => \rank difference_matrix
  | Exponents => \rank (exponent_matrix R D)
  | MatrixA => \rank (claim_mx R (args c) (matrix_a (args c)) (matrix_a (args c)))
  | MatrixB => \rank (claim_mx R (args c) (matrix_b (args c)) (matrix_b (args c)))
  | MatrixC => \rank (claim_mx R (args c) (matrix_c (args c)) (matrix_c (args c)))
  | Block => \rank block_matrix
  | RowVectors => \rank (claim_mx R (args c) (row_vectors (args c)) (row_vectors (args c)))
  | Shifted => \rank shifted_matrix
  | SubsetQueries => \rank (mx R (size (subset (args c))) (d D) (q_queries D)
      [seq nth [::] (queries D) t | t <- subset (args c)])
  end.

Definition label_matrix : 'M[R]_(T D, d_out D) := mx R _ _ (q_labels D) (labels D).
Definition distinct_rows k m (M : 'M[R]_(k, m)) : nat := size (undup [seq row t M | t <- enum 'I_k]).

(* Row t is z_h; what head h puts out, sum_i alpha_i (x_i W_V,h + b_V,h); this for all heads, one beside the other      *)
Definition head_averages (L : layer) (a : bool) (h : 'I_(H D)) : 'M[R]_(T D, d D) :=
  \matrix_t (row h (given_coefs R L a t) *m E t).
Definition head_values (w : whole) (h : 'I_(H D)) (t : 'I_(T D)) : 'M[R]_(n D, value_width w) :=
  E t *m literal R (d D) (value_width w) (q_value w) (value_weights w) h
    + const_mx 1 *m (literal_bias R (value_width w) (q_value_bias w) (value_bias w) h)^T.
Definition head_outputs (w : whole) (L : layer) (a : bool) (h : 'I_(H D)) : 'M[R]_(T D, value_width w) :=
  \matrix_t (row h (given_coefs R L a t) *m head_values w h t).
Definition layer_outputs (w : whole) (L : layer) (a : bool) : 'M[R]_(T D, H D * value_width w) :=
  \matrix_t mxvec (\matrix_h row t (head_outputs w L a h)).

Definition ones_column : 'M[R]_(T D, 1) := const_mx 1.
(* of M and what is beside it: a column of ones, the labels                       *)
Definition rank_beside k (M : 'M[R]_(T D, k)) (ones labels : bool) : nat :=
  match ones, labels with
  | false, false => \rank M
  | true, false => \rank (row_mx M ones_column)
  | false, true => \rank (row_mx M label_matrix)
  | true, true => \rank (row_mx M (row_mx ones_column label_matrix))
  end.
Definition head_of_claim : option 'I_(H D) := if only_head (args c) is Some h then insub h else None.
Definition rank_blocks (L : layer) (a : bool) (b : blocks) : nat :=
  match b, head_of_claim, around D with
  | WithOnes l, _, _ => rank_beside (given_Z R D L a) true l
  | OneHead false, Some h, _ => \rank (head_averages L a h)
  | OneHead true, Some h, Some w => \rank (head_outputs w L a h)
  | Outputs o l, _, Some w => rank_beside (layer_outputs w L a) o l
  | _, _, _ => 0%N
  end.

(* Weights W_h + lambda_h u_h v_h of the shape, the logit scale in them, whose heads but the first separate all examples *)
(* but r - 1, r = min(n, d_h)                                                                                          *)
Definition base_factor : R := if base_two D then ln 2%:R else 1.
Definition with_separators (W : 'I_(H D) -> 'M[R]_(d D)) (u : 'I_(H D) -> 'cV[R]_(d D)) (v : 'I_(H D) -> 'rV[R]_(d D))
    (lambda : 'I_(H D) -> R) : 'M[R]_(T D, H D * d D) :=
  Zmx E e (fun h => base_factor *: (W h + lambda h *: (u h *m v h))).
Definition separated_weights (W : 'I_(H D) -> 'M[R]_(d D)) (u : 'I_(H D) -> 'cV[R]_(d D)) (v : 'I_(H D) -> 'rV[R]_(d D)) : Prop :=
  (forall h, \rank (W h) + \rank (u h *m v h) <= d_h D)%N /\
  forall h : 'I_(H D), (0 < h)%N -> (#|[pred t | ~~ `[< split_entries (u h *m v h) t >]]| <= (minn (n D) (d_h D)).-1)%N.

(* the largest rank of Z that some of them have for all factors lambda_h from some L on, one for each head           *)
Definition tail_rank : nat := largest (minn (T D) (H D * d D)) (fun k => exists W u v, separated_weights W u v /\
  exists L : R, forall lambda : 'I_(H D) -> R, (forall h, L <= lambda h) -> (k <= \rank (with_separators W u v lambda))%N).

(* the largest rank of Z that some of them have with the factor lambda in all heads                                   *)
Definition lambda_rank (lambda : R) : nat := largest (minn (T D) (H D * d D)) (fun k => exists W u v, separated_weights W u v /\
  (k <= \rank (with_separators W u v (fun=> lambda)))%N).

(* the largest rank of Z over all vectors of words and positions whose sums the tokens are, all queries and all weights *)
Definition embedded (word : Z -> 'rV[R]_(d D)) (position : 'I_(n D) -> 'rV[R]_(d D)) (t : 'I_(T D)) : 'M[R]_(n D, d D) :=
  \matrix_i (word (ent (sequences (args c)) t i) + position i).
Definition embedded_capacity : nat := largest (minn (T D) (H D * d D)) (fun k =>
  exists word position queries (P : weights R (H D) (d D) (d_h D) 0 0 0),
    (k <= \rank (attention.Z (embedded word position) queries P))%N).

(* all but a set of weights that every line through some weights meets in finitely many points                      *)
Definition almost_all_weights (good : weights R (H D) (d D) (d_h D) 0 0 0 -> Prop) : Prop :=
  exists K Q : 'I_(H D) -> 'M[R]_(d D, d_h D), forall K' Q', exists few : seq R, forall x, x \notin few ->
    good (Weights (fun h => K h + x *: (K' h - K h)) (fun h => Q h + x *: (Q' h - Q h)) (fun=> 0) 0 0).
Definition generic_outputs : nat := largest (T D) (fun k =>
  almost_all_weights (fun P => (k <= distinct_rows (attention.Z E e P))%N)).

(* the rows E_i + mean_k E_k                                                      *)
Definition mixed (C : 'M[R]_(n D, d D)) : 'M[R]_(n D, d D) := \matrix_i (row i C + (mean_token C)^T).
Definition subset_context (k : 'I_(size (subset (args c)))) : 'M[R]_(n D, d D) :=
  mx R (n D) (d D) (q_contexts D) (context_at D (nth 0%N (subset (args c)) k)).

Definition number (q : quantity) : Z :=
  match q with
  | Examples => Z.of_nat (T D)
  | Heads => Z.of_nat (H D)
  | Context => Z.of_nat (n D)
  | Dimension => Z.of_nat (d D)
  | HeadDimension => Z.of_nat (d_h D)
  | ValueDimension => Z.of_nat (d_v D)
  | OutputDimension => Z.of_nat (d_out D)
  | LeastRank => Z.of_nat (minn (n D) (d_h D))
  | Asked => asked c
  | RankOf m => Z.of_nat (rank_of m)
  | RankContexts => Z.of_nat (least_rank E)
  | RankMixedContexts => Z.of_nat (least_rank (fun t => mixed (E t)))
  | RankSubsetContexts => Z.of_nat (least_rank subset_context)
  | RankEncoding => Z.of_nat (\rank (sinusoidal_encoding (frequency R (d D)) (n D) (d D)))
  | RankZ l => if layers l is Some (L, a) then Z.of_nat (\rank (given_Z R D L a)) else 0%coqZ
  | RankWithLabels =>
    if layers None is Some (L, a) then Z.of_nat (\rank (row_mx (given_Z R D L a) label_matrix)) else 0%coqZ
  | DistinctOutputs => if layers None is Some (L, a) then Z.of_nat (distinct_rows (given_Z R D L a)) else 0%coqZ
  | RankAny => Z.of_nat (rank_any R D)
  | Capacity => Z.of_nat (capacity R D)
  | CapacityOf p => Z.of_nat (capacity R (part_of D p))
  | PartExamples p => Z.of_nat (size (part_examples p))
  | PartHeads p => Z.of_nat (part_heads p)
  | LargestRank => Z.of_nat (largest_rank R D)
  | TailRank => Z.of_nat tail_rank
  | LambdaRank =>
    if at_lambda (args c) is Some (a, q) then Z.of_nat (lambda_rank (toF R a / toF R (Zpos q))) else 0%coqZ
  | Kruskal false => Z.of_nat (kruskal_rank e)
  | Kruskal true => Z.of_nat (kruskal_rank (fun t => e t + mean_token (E t)))
  | Neurons => Z.of_nat (neurons (args c))
  | OutputBias => Z.of_nat (output_bias (args c))
  | SizeSubset => Z.of_nat (size (subset (args c)))
  | RowsOfVectors => Z.of_nat (size (row_vectors (args c)))
  | EqualEntries => Z.of_nat (equal_pairs (separated_entries D (args c)))
  | Truth x => Z.of_nat `[< holds R D (args c) x >]
  | Saturated => Z.of_nat (saturated R D (args c))
  | LargeSingularValues => Z.of_nat (numerical_rank R D (args c))
  | Accurate => Z.of_nat (accurate R D (args c))
  | RankJ l u => if layers l is Some (L, a) then Z.of_nat (rank_J R D L a u) else 0%coqZ
  | FunctionalDimension => Z.of_nat (functional_dimension R D)
  | EmbeddedCapacity => Z.of_nat embedded_capacity
  | GenericOutputs => Z.of_nat generic_outputs
  | RankBlocks b => if layers None is Some (L, a) then Z.of_nat (rank_blocks L a b) else 0%coqZ
  | OnlyHead => if only_head (args c) is Some h then Z.of_nat h else 0%coqZ
  | _ => if counted_in_data D q is Some z then z else own q
  end.

End Values.
