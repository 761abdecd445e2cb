(* The proved checker, quantities: what facts are about, their values over the   *)
(* reals, and the bounds that need no proof.                                      *)
(*                                                                                *)
(*    quantity == the quantities of docs/certificate.md that are covered            *)
(*   number R D layers c q == the value of q, an integer                            *)
(*   natural D c q == bounds of q that need no proof; naturalP                      *)
(*  tokens D, affine_tokens D == the distinct tokens; the same with a last entry 1  *)
(*          differences D == the tokens minus the first one of their context        *)
From Coq Require Import ZArith List Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention kruskal affine_hull lemma_1 common positional_encoding.
From Attest Require Import literal_arithmetic.
From Attest Require Import proved_bounds proved_problem proved_logits.
From Attest Require Export proved_claims proved_real.
From Attest Require Import inertia.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

(* a layer by its name: the given one, or the one that step k defines             *)
Definition layer_name := option nat.

(* a matrix of rational numbers; from MatrixA on they are of the claim          *)
Inductive matrix :=
  | Queries | Tokens | AffineTokens | Differences
  | MatrixA | MatrixB | MatrixC | Block | RowVectors | Shifted | SubsetQueries.

(* a family of n x d matrices                                                   *)
Inductive family := AllContexts | MixedContexts | SubsetContexts.

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
  | Capacity | TailRank
  | Kruskal (mixed : bool)
  | DistinctContexts | DistinctTokens | DistinctExamples | DistinctLabelled | DistinctSums
  | InShape (l : layer_name)
  | DistinctHeads (l : layer_name) | MovingHeads (l : layer_name)
  | Neurons | OutputBias | SizeSubset | RowsOfVectors             (* of the claim *)
  | Varying | Fractions | OffMomentCurve | EqualEntries
  | Truth (x : truth)
  | Saturated | LargeSingularValues | Accurate.

Definition quantity_dec (x y : quantity) : {x = y} + {x <> y}.
Proof. repeat decide equality. Defined.

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

Definition equal_example (x y : seq (seq Z) * seq Z) : bool :=
  equal_row x.2 y.2 && equal_rows x.1 y.1.

(* examples with their labels                                                    *)
Definition equal_labelled (x y : seq (seq Z) * seq Z * seq Z) : bool :=
  equal_row x.2 y.2 && equal_example x.1 y.1.
Definition labelled_example (D : problem) (t : nat) : seq (seq Z) * seq Z * seq Z :=
  (nth [::] (contexts D) t, nth [::] (queries D) t, nth [::] (labels D) t).

(* heads by their logits up to what is constant in an example                    *)
Definition reduced (l : seq Z) : seq Z := [seq (x - nth 0 l 0)%coqZ | x <- l].
Definition head_logits (D : problem) (L : layer) (g : head) : seq (seq Z) :=
  [seq reduced (raw_logits D L g t) | t <- iota 0 (T D)].
Definition constant_rows (s : seq (seq Z)) : bool := all (equal_row (nth [::] s 0)) s.
Definition distinct_heads (D : problem) (L : layer) : seq (seq (seq Z)) :=
  distinct equal_rows [seq head_logits D L g | g <- prepared D L].

Definition in_shape (D : problem) (L : layer) : bool :=
  match L with
  | Factors m _ _ _ _ _ _ _ bQ => (m <= d_h D)%N && nilp bQ
  | Combined _ _ => (d D <= d_h D)%N
  end.

(* entries of contexts and queries that are not integers                        *)
Definition fractions (D : problem) : nat :=
  (count (fun x => ~~ (x mod Zpos (q_contexts D) =? 0)%coqZ) (flatten (all_tokens D)) +
   count (fun x => ~~ (x mod Zpos (q_queries D) =? 0)%coqZ) (flatten (queries D)))%N.

(* r / q = (1, x, ..., x^(d-1)), x = r_1 / q                                     *)
Definition on_curve (d : nat) (q : Z) (r : seq Z) : bool :=
  all (fun j => nth 0 r j * q ^ Z.of_nat j =? nth 0 r 1 ^ Z.of_nat j * q)%coqZ (iota 0 d).
Fixpoint off_curve (d : nat) (q : Z) (earlier : seq Z) (rows : seq (seq Z)) : nat :=
  if rows is r :: rows' then
    (~~ (on_curve d q r && ((d <= 1)%N || ~~ has (Z.eqb (nth 0 r 1)%coqZ) earlier)) +
     off_curve d q (nth 0%coqZ r 1 :: earlier) rows')%N
  else 0%N.

(* pairs of equal entries of E W' e                                             *)
Fixpoint equal_pairs (s : seq Z) : nat :=
  if s is x :: s' then (count (Z.eqb x) s' + equal_pairs s')%N else 0%N.
Definition separated_entries (D : problem) (c : arguments) : seq Z :=
  let w := [seq dot r (nth [::] (queries D) (example c)) | r <- w_prime c] in
  [seq dot r w | r <- nth [::] (contexts D) (example c)].

(* what a checker computes from the literal data                                *)
Definition computed (D : problem) (layers : layer_name -> option (layer * bool)) (q : quantity) : option Z :=
  match q with
  | DistinctContexts => Some (Z.of_nat (size (distinct equal_rows (contexts D))))
  | DistinctTokens => Some (Z.of_nat (size (tokens D)))
  | DistinctExamples => Some (Z.of_nat (size (distinct equal_example (zip (contexts D) (queries D)))))
  | DistinctLabelled =>
    Some (Z.of_nat (size (distinct equal_labelled [seq labelled_example D t | t <- iota 0 (T D)])))
  | DistinctSums => Some (Z.of_nat (size (distinct Z.eqb [seq total r | r <- all_tokens D])))
  | InShape l => Some (if layers l is Some La then if in_shape D La.1 then 1%coqZ else 0%coqZ else 0%coqZ)
  | DistinctHeads l =>
    Some (if layers l is Some La then Z.of_nat (size (distinct_heads D La.1)) else 0%coqZ)
  | MovingHeads l =>
    Some (if layers l is Some La
          then Z.of_nat (size [seq s <- distinct_heads D La.1 | ~~ constant_rows s]) else 0%coqZ)
  | Varying => Some (Z.of_nat (varying D))
  | Fractions => Some (Z.of_nat (fractions D))
  | OffMomentCurve => Some (Z.of_nat (off_curve (d D) (Zpos (q_queries D)) [::] (queries D)))
  | _ => None
  end.

Definition wf_sizes (D : problem) : bool :=
  [&& wf_problem D, (0 < T D)%N, size (queries D) == T D, all (fun q => size q == d D) (queries D) &
    all (fun C => all (fun r => size r == d D) C) (contexts D)].

(* -------------------------------------------------------------------------- *)
(* Values                                                                      *)
(* -------------------------------------------------------------------------- *)
Section Values.
Variables (R : realType) (D : problem) (layers : layer_name -> option (layer * bool)) (c : claim).
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

(* the largest rank of Z for some weights of the shape with separators, and all separators' factors that are *)
(* large enough, one for each head; the scale is in the weights                                              *)
Definition base_factor : R := if base_two D then ln 2%:R else 1.
Definition tail_rank : nat := largest (minn (T D) (H D * d D))
  (fun k => exists (W : 'I_(H D) -> 'M[R]_(d D)) (u : 'I_(H D) -> 'cV[R]_(d D)) (v : 'I_(H D) -> 'rV[R]_(d D)) (L : R),
    (forall h, (\rank (W h) + \rank (u h *m v h) <= d_h D)%N) /\
    forall lambda : 'I_(H D) -> R, (forall h, L <= lambda h) ->
      (k <= \rank (Zmx E e (fun h => base_factor *: (W h + lambda h *: (u h *m v h)))%R))%N).

(* the rows E_i + mean_k E_k                                                      *)
Definition mixed (C : 'M[R]_(n D, d D)) : 'M[R]_(n D, d D) := \matrix_i (row i C + (mean_token C)^T).
Definition subset_context (k : 'I_(size (subset (args c)))) : 'M[R]_(n D, d D) :=
  mx R (n D) (d D) (q_contexts D) (nth [::] (contexts D) (nth 0%N (subset (args c)) k)).

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
  | TailRank => Z.of_nat tail_rank
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
  | _ => if computed D layers q is Some z then z else 0%coqZ
  end.

End Values.

(* -------------------------------------------------------------------------- *)
(* Bounds that need no proof                                                   *)
(* -------------------------------------------------------------------------- *)
Definition up_to (k : nat) : interval := (Some 0%coqZ, Some (Z.of_nat k)).
Definition exactly_nat (k : nat) : interval := exactly (Z.of_nat k).

Definition natural (D : problem) (layers : layer_name -> option (layer * bool)) (c : claim)
    (q : quantity) : interval :=
  match q with
  | Examples => exactly_nat (T D)
  | Heads => exactly_nat (H D)
  | Context => exactly_nat (n D)
  | Dimension => exactly_nat (d D)
  | HeadDimension => exactly_nat (d_h D)
  | ValueDimension => exactly_nat (d_v D)
  | OutputDimension => exactly_nat (d_out D)
  | LeastRank => exactly_nat (minn (n D) (d_h D))
  | Asked => exactly (asked c)
  | RankOf Queries => up_to (minn (T D) (d D))
  | RankOf Tokens => up_to (minn (size (tokens D)) (d D))
  | RankOf AffineTokens => up_to (minn (size (tokens D)) (d D).+1)
  | RankOf Differences => up_to (d D)
  | RankOf MatrixA => up_to (minn (size (matrix_a (args c))) (width (matrix_a (args c))))
  | RankOf MatrixB => up_to (minn (size (matrix_b (args c))) (width (matrix_b (args c))))
  | RankOf MatrixC => up_to (minn (size (matrix_c (args c))) (width (matrix_c (args c))))
  | RankOf Block => up_to (minn (size (matrix_a (args c)) + size (matrix_c (args c)))
      (width (matrix_a (args c)) + width (matrix_c (args c))))
  | RankOf RowVectors | RankOf Shifted =>
    up_to (minn (size (row_vectors (args c))) (width (row_vectors (args c))))
  | RankOf SubsetQueries => up_to (minn (size (subset (args c))) (d D))
  | RankContexts | RankMixedContexts | RankSubsetContexts | RankEncoding => up_to (minn (n D) (d D))
  | RankZ _ | RankAny | Capacity | TailRank => up_to (minn (T D) (H D * d D))
  | RankWithLabels => up_to (minn (T D) (H D * d D + d_out D))
  | DistinctOutputs => up_to (T D)
  | Kruskal _ => up_to (minn (T D) (d D))
  | Neurons => exactly_nat (neurons (args c))
  | OutputBias => exactly_nat (output_bias (args c))
  | SizeSubset => exactly_nat (size (subset (args c)))
  | RowsOfVectors => exactly_nat (size (row_vectors (args c)))
  | EqualEntries => exactly_nat (equal_pairs (separated_entries D (args c)))
  | Truth _ => up_to 1
  | Saturated => up_to (T D * H D)
  | LargeSingularValues => up_to (minn (T D) (H D * d D))
  | Accurate => up_to (T D)
  | _ => if computed D layers q is Some z then exactly z else (None, None)
  end.

Lemma within_up_to k m : (k <= m)%N -> within (Z.of_nat k) (up_to m).
Proof. by move=> /ssrnat.leP km; split => /=; lia. Qed.

Lemma within_exactly z : within z (exactly z).
Proof. by split => /=; lia. Qed.

Lemma least_rank_leq (R : realType) (D : problem) k (C : 'I_k -> 'M[R]_(n D, d D)) i :
  (least_rank C <= \rank (C i))%N.
Proof.
rewrite /least_rank; have : i \in enum 'I_k by rewrite mem_enum.
elim: (enum 'I_k) => //= j s IH; rewrite inE => /predU1P[->|/IH]; first exact: geq_minl.
by apply: leq_trans; apply: geq_minr.
Qed.

Lemma leq_least_rank (R : realType) (D : problem) k (C : 'I_k -> 'M[R]_(n D, d D)) m :
  (m <= minn (n D) (d D))%N -> (forall i, (m <= \rank (C i))%N) -> (m <= least_rank C)%N.
Proof. by move=> m0 mC; rewrite /least_rank; elim: (enum _) => //= j s IH; rewrite leq_min mC. Qed.

Lemma naturalP (R : realType) D layers c q : within (number R D layers c q) (natural D layers c q).
Proof.
have least k (C : 'I_k -> 'M[R]_(n D, d D)) : within (Z.of_nat (least_rank C)) (up_to (minn (n D) (d D))).
  apply: within_up_to; rewrite /least_rank; elim: (enum _) => //= i s IH.
  exact: leq_trans (geq_minr _ _) IH.
case: q => [| | | | | | | | |m| | | | |l| | | | | |mixed| | | | | |l|l|l| | | | | | | | |x| | |] /=; try exact: within_exactly.
- case: m; apply: within_up_to; rewrite ?leq_min ?rank_leq_row ?rank_leq_col //.
  by rewrite -addn1; apply: rank_leq_col.
- exact: least.
- exact: least.
- exact: least.
- by apply: within_up_to; rewrite leq_min rank_leq_row rank_leq_col.
- case: (layers l) => [[L a]|]; last by apply: (@within_up_to 0).
  by apply: within_up_to; rewrite leq_min rank_leq_row rank_leq_col.
- case: (layers None) => [[L a]|]; last by apply: (@within_up_to 0).
  by apply: within_up_to; rewrite leq_min rank_leq_row rank_leq_col.
- case: (layers None) => [[L a]|]; last by apply: (@within_up_to 0).
  apply: within_up_to; rewrite /distinct_rows (leq_trans (size_undup _)) //.
  by rewrite size_map -cardE card_ord.
- by apply: within_up_to; apply: largest_leq_N.
- by apply: within_up_to; apply: largest_leq_N.
- by apply: within_up_to; apply: largest_leq_N.
- by case: mixed; apply: within_up_to; apply: kruskal_rank_size.
- by apply: within_up_to; case: asboolP.
- by apply: within_up_to; apply: saturated_leq.
- by apply: within_up_to; apply: singular_count_leq_sizes; apply: level_ge0.
by apply: within_up_to; apply: accurate_leq.
Qed.
