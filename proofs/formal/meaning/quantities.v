(* Quantities: what propositions are about, and their values over the reals.      *)
(*                                                                                *)
(*    quantity == the quantities of docs/certificate.md that are covered            *)
(*   number R D layers own c q == the value of q, an integer; own: of quantities that *)
(*          no statement is about                                                    *)
(*   tail_rank, lambda_rank == of weights with separators, for all large lambda, and  *)
(*          for one                                                                  *)
(*   embedded_capacity == of words and positions; generic_outputs == rows of Z that are *)
(*          different for almost all weights                                         *)
(*  tokens D, affine_tokens D == the distinct tokens; the same with a last entry 1  *)
(*          differences D == the tokens minus the first one of their context        *)
From Attest Require Import integers attention literals problem.
From Attest Require Export claims parts real_quantities.
From Attest Require Import singular_values encoding jacobian.

Local Notation Z := BinNums.Z.

(* a layer by its name: the given one, or the one that step k defines             *)
Definition layer_name := option nat.

(* a matrix of rational numbers; from MatrixA on they are of the claim          *)
Inductive matrix :=
  | Queries | Tokens | AffineTokens | Differences | Exponents
  | MatrixA | MatrixB | MatrixC | Block | RowVectors | Shifted | SubsetQueries.

(* a family of n x d matrices                                                   *)
Inductive family := AllContexts | MixedContexts | SubsetContexts.

(* matrices made of the heads of the given layer: Z beside a column of ones, and beside the labels; the means, or   *)
(* what is put out, of the claim's head; what all heads put out                                                     *)
Inductive blocks := WithOnes (and_labels : bool) | OneHead (outputs : bool) | AllOutputs.

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
  | RankBlocks (b : blocks) | OnlyHead | ValueBiases.

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
Definition head_of_claim : option 'I_(H D) := if only_head (args c) is Some h then insub h else None.
Definition rank_blocks (L : layer) (a : bool) (b : blocks) : nat :=
  match b, head_of_claim, around D with
  | WithOnes false, _, _ => \rank (row_mx (given_Z R D L a) ones_column)
  | WithOnes true, _, _ => \rank (row_mx (given_Z R D L a) (row_mx ones_column label_matrix))
  | OneHead false, Some h, _ => \rank (head_averages L a h)
  | OneHead true, Some h, Some w => \rank (head_outputs w L a h)
  | AllOutputs, _, Some w => \rank (layer_outputs w L a)
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

