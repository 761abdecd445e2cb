(* The proved checker, literal matrices: those of a problem, and products of matrices of integers, many        *)
(* in one.                                                                                                     *)
(*                                                                                                             *)
(*               literal_rows D c m == height, width and rows of the matrix m, times a denominator             *)
(*                  well_shaped c m == the matrices of the claim have the shapes that m needs                  *)
(*   members D c f, least_rank_of f == the matrices of a family; their least rank                              *)
(*              literal_exponents D == the rows of rank(exponents), times a denominator                        *)
(*          literal_vectors D mixed == the vectors of a Kruskal rank, times a denominator                      *)
(*   rank_of_literal, members_literal, vectors_literal == these are what the quantities are about              *)
(*               one_integer base r == r_0 + base r_1 + base^2 r_2 + ...                                       *)
(*                row_from w bits y == the w integers from -2^(bits - 1) below 2^(bits - 1) that are digits of *)
(*                                     y to base 2^bits                                                        *)
(*               combinations w X M == all of combination w x M, x in X                                        *)
(*                  all_times w S M == enclosures of the rows S times M, where those of a row are taken for as *)
(*                                     wide as its widest, if none or all are numbers                          *)
(*              each_encloses D v S == the rows S enclose the row vectors v, over the denominator D            *)
(*                   all_dots w X Y == the matrix of all dot x y, y in Y of length w                           *)
From Attest Require Import integers attention kruskal problem literal_arithmetic logits quantities enclosures.
From Attest Require Import quantity_bounds schemas rational_matrices zero.

Local Notation Z := BinNums.Z.

(* ================================================================================================== *)
(* Matrices and families                                                                              *)
(* ================================================================================================== *)
(* The literal rows of a matrix, of the members of a family and of the vectors of a Kruskal rank, and *)
(* that they are right.                                                                               *)

Section Literals.
Variables (D : problem) (c : arguments).

Definition scaled (k : Z) (r : seq Z) : seq Z := [seq (k * x)%coqZ | x <- r].
(* the sum of the rows *)
Definition sum_rows (w : nat) (M : seq (seq Z)) : seq Z := combination w (nseq (size M) 1%coqZ) M.

Definition block_rows (a b c' : seq (seq Z)) : seq (seq Z) :=
  [seq x.1 ++ x.2 | x <- zip a b] ++ [seq nseq (width a) 0%coqZ ++ r | r <- c'].
(* v_i + (p/q) sum_j v_j, times q *)
Definition shifted_rows (p : Z) (q : positive) (V : seq (seq Z)) : seq (seq Z) :=
  let s := sum_rows (width V) V in [seq add_bias p (scaled (Zpos q) r) s | r <- V].

(* (x_i - x_0) e^T for all tokens of all examples                               *)
Definition literal_exponents : seq (seq Z) :=
  flatten [seq let C := context_at D t in
      [seq outer [seq (x.1 - x.2)%coqZ | x <- zip r (nth [::] C 0)] (nth [::] (queries D) t) | r <- C] | t <- iota 0 (T D)].

(* height, width and rows, as multiples of the matrix                           *)
Definition literal_rows (m : matrix) : nat * nat * seq (seq Z) :=
  match m with
  | Queries => (T D, d D, queries D)
  | Tokens => (size (tokens D), d D, tokens D)
  | AffineTokens => (size (tokens D), (d D + 1)%N, affine_tokens D)
  | Differences => (size (differences D), d D, differences D)
  | Exponents => let M := literal_exponents in (size M, (d D * d D)%N, M)
  | MatrixA => (size (matrix_a c), width (matrix_a c), matrix_a c)
  | MatrixB => (size (matrix_b c), width (matrix_b c), matrix_b c)
  | MatrixC => (size (matrix_c c), width (matrix_c c), matrix_c c)
  | Block => ((size (matrix_a c) + size (matrix_c c))%N, (width (matrix_a c) + width (matrix_c c))%N,
      block_rows (matrix_a c) (matrix_b c) (matrix_c c))
  | RowVectors => (size (row_vectors c), width (row_vectors c), row_vectors c)
  | Shifted => (size (row_vectors c), width (row_vectors c),
      shifted_rows (shift_num c) (shift_den c) (row_vectors c))
  | SubsetQueries => (size (subset c), d D, [seq nth [::] (queries D) t | t <- subset c])
  end.

(* matrices of a claim have the shapes that the statement needs                 *)
Definition well_shaped (m : matrix) : bool :=
  match m with
  | Block => [&& wf_matrix (matrix_a c), size (matrix_b c) == size (matrix_a c) & wf_matrix (matrix_c c)]
  | Shifted => wf_matrix (row_vectors c)
  | _ => true
  end.

(* n times the rows E_i + mean_k E_k                                            *)
Definition mixed_rows (C : seq (seq Z)) : seq (seq Z) :=
  let s := sum_rows (d D) C in [seq add_bias 1%coqZ (scaled (Z.of_nat (n D)) r) s | r <- C].

Definition members (f : family) : seq (seq (seq Z)) :=
  match f with
  | AllContexts => contexts D
  | MixedContexts => [seq mixed_rows C | C <- contexts D]
  | SubsetContexts => [seq context_at D t | t <- subset c]
  end.

Definition least_rank_of (f : family) : quantity :=
  match f with
  | AllContexts => RankContexts | MixedContexts => RankMixedContexts | SubsetContexts => RankSubsetContexts
  end.

(* multiples of the queries, or of e_t + mean_i E_{t,i}                         *)
Definition literal_vectors (mixed : bool) : seq (seq Z) :=
  if mixed then
    [seq add_bias (Zpos (q_queries D)) (scaled (Z.of_nat (n D) * Zpos (q_contexts D))%coqZ x.2) (sum_rows (d D) x.1)
      | x <- zip (contexts D) (queries D)]
  else queries D.

End Literals.

Section Sound.
Variables (R : realType) (D : problem) (layers : layer_name -> option (layer * bool)) (c : claim).
Hypothesis okD : wf_sizes D.
Local Notation T := (T D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation z x := (toF R x).
Let okP := wf_sizes_problem okD.
Let sC := size_contexts D.

Lemma nth_scaled k r i : nth 0%coqZ (scaled k r) i = (k * nth 0 r i)%coqZ.
Proof.
have [ir|ri] := ltnP i (size r); first by rewrite (nth_map 0%coqZ).
by rewrite !nth_default ?size_map // Z.mul_0_r.
Qed.

Lemma size_combination w y M : size (combination w y M) = w.
Proof.
have sab k u b : size (add_bias k u b) = size u by elim: u b => [|x u IH] [|x' b] //=; rewrite IH.
by elim: y M => [|k y IH] [|r M]; rewrite /= ?size_nseq //; case: ifP; rewrite ?sab.
Qed.

Lemma nth_sum_rows w M j : all (fun r => size r <= w)%N M ->
  z (nth 0%coqZ (sum_rows w M) j) = \sum_(i < size M) z (ent M i j).
Proof.
move=> sM; rewrite /sum_rows nth_combination // size_nseq rmorph_sum; apply: eq_bigr => i _.
by rewrite nth_nseq ltn_ord mul1r.
Qed.

(* k r + p s *)
Lemma nth_shifted p k r s j : (size s <= size r)%N ->
  z (nth 0%coqZ (add_bias p (scaled k r) s) j) = z k * z (nth 0%coqZ r j) + z p * z (nth 0%coqZ s j).
Proof. by move=> sr; rewrite nth_add_bias ?size_map // nth_scaled rmorphD !rmorphM. Qed.

Lemma literal_exponents_rank : \rank (exponent_matrix R D) =
  \rank (mx R (size (literal_exponents D)) (d * d) (q_contexts D * q_queries D) (literal_exponents D)).
Proof.
have [_ _ /eqP sQ /allP sq /allP sE] := wf_sizesP okD; have n0 := n_gt0 okP; set M := mx _ _ _ _ _.
pose i0 := Ordinal n0; pose C (t : nat) := context_at D t; pose q (t : nat) := nth [::] (queries D) t.
pose literal (t i : nat) := outer [seq (x.1 - x.2)%coqZ | x <- zip (nth [::] (C t) i) (nth [::] (C t) 0)] (q t).
have sqt (t : 'I_T) : size (q t) = d by apply/eqP/sq; rewrite mem_nth // sQ.
have sr (t : 'I_T) (i : 'I_n) : size (nth [::] (C t) i) = d.
  have Ct : C t \in contexts D by apply: context_in.
  by apply/eqP/(allP (sE _ Ct)); rewrite mem_nth // size_context.
have rowE (k : 'I_(size (literal_exponents D))) (t : 'I_T) (i : 'I_n) : nth [::] (literal_exponents D) k = literal t i ->
    row k M = mxvec ((row i (E t) - row i0 (E t))^T *m (e t)^T).
  move=> kE; apply/rowP => jl; case/mxvec_indexP: jl => j l; rewrite mxvecE mxE [LHS]mxE /ent kE mxvec_index_val.
  have s0 := sr t i0; rewrite nth_outer ?sqt // (nth_map (0, 0)%coqZ) ?size_zip ?sr ?s0 ?minnn //.
  rewrite nth_zip ?sr ?s0 //= [RHS]mxE big_ord1 !mxE toFM (rmorphB (toF_rmorphism R)).
  by rewrite (toFpM R) -mulf_div mulrBl.
have inP (r : seq Z) : r \in literal_exponents D -> exists t : 'I_T, exists i : 'I_n, r = literal t i.
  case/flattenP => s /mapP[t]; rewrite mem_iota => tT -> /(nthP [::])[i]; rewrite size_map => iC rE.
  have iN : (i < n)%N by rewrite -(size_context okP (Ordinal tT)).
  by exists (Ordinal tT), (Ordinal iN); rewrite -rE (nth_map [::]).
have rowP (t : 'I_T) (i : 'I_n) : (mxvec ((row i (E t) - row i0 (E t))^T *m (e t)^T) <= M)%MS.
  have lit : literal t i \in literal_exponents D.
    apply/flattenP; exists [seq literal t i' | i' <- iota 0 n].
      apply/mapP; exists (t : nat); first by rewrite mem_iota ltn_ord.
      apply: (@eq_from_nth _ [::]) => [|i']; rewrite /= !size_map size_iota ?size_context // => i'n.
      by rewrite (nth_map 0%N) ?size_iota // nth_iota // [RHS](nth_map [::]) ?size_context.
    by apply: map_f; rewrite mem_iota ltn_ord.
  have kS : (index (literal t i) (literal_exponents D) < size (literal_exponents D))%N by rewrite index_mem.
  by rewrite -(rowE (Ordinal kS)) ?row_sub //= nth_index.
apply/eqP; rewrite eqn_leq; apply/andP; split; apply/mxrankS/row_subP => k.
  rewrite rowK; case: (enum_val k) => t [i j].
  have -> : row i (E t) - row j (E t) = (row i (E t) - row i0 (E t)) - (row j (E t) - row i0 (E t)).
    by rewrite opprB addrA subrK.
  by rewrite linearB /= mulmxBl linearB; apply: addmx_sub; rewrite ?eqmx_opp; apply: rowP.
have [t [i kE]] := inP _ (mem_nth [::] (ltn_ord k)); rewrite (rowE _ _ _ kE).
by apply: (eq_row_sub (enum_rank (t, (i, i0)))); rewrite rowK enum_rankK.
Qed.

Lemma rank_of_literal m : well_shaped (args c) m -> let: (h, w, M) := literal_rows D (args c) m in
  exists q, [/\ size M = h & rank_of R D c m = \rank (mx R h w q M)].
Proof.
have [_ _ /eqP sQ sq sE] := wf_sizesP okD; set a := args c.
case: m => /= ok.
- by exists (q_queries D).
- by exists (q_contexts D).
- exists (q_contexts D); rewrite size_map; split=> //; congr (\rank _).
  apply/matrixP => i j; rewrite !mxE /ent (nth_map [::]) // nth_rcons.
  have sr : size (nth [::] (tokens D) i) = d.
    apply/eqP; have : nth [::] (tokens D) i \in tokens D by apply: mem_nth.
    rewrite (mem_distinct _ equal_rowP) => /flattenP[C /(allP sE) sC' rC]; exact: (allP sC').
  rewrite sr; case: splitP => k jk; rewrite !mxE jk //.
  by rewrite ord1 addn0 eqxx divff // toF_pos.
- by exists (q_contexts D).
- by exists (q_contexts D * q_queries D)%positive; rewrite literal_exponents_rank.
- by exists (q_matrices a).
- by exists (q_matrices a).
- by exists (q_matrices a).
- case/and3P: ok => /andP[a0 /allP sa] /eqP sb /andP[c0 /allP sc']; exists (q_matrices a).
  have sz : size (zip (matrix_a a) (matrix_b a)) = size (matrix_a a) by rewrite size_zip sb minnn.
  rewrite /block_rows size_cat !size_map sz; split=> //; congr (\rank _).
  apply/matrixP => i j; rewrite !mxE /ent nth_cat size_map sz.
  case: splitP => i' iE; rewrite mxE.
    rewrite (nth_map ([::], [::])) iE ?sz // nth_zip ?sb //= nth_cat.
    have -> : size (nth [::] (matrix_a a) i') = width (matrix_a a) by apply/eqP/sa/mem_nth.
    by case: splitP => j' jE; rewrite mxE jE ?addKn.
  rewrite iE addKn (nth_map [::]) // nth_cat size_nseq.
  case: splitP => j' jE; rewrite mxE jE ?addKn //.
  by rewrite nth_nseq ltn_ord rmorph0 mul0r.
- by exists (q_matrices a).
- case/andP: ok => a0 /allP sa; exists (q_matrices a * shift_den a)%positive.
  rewrite size_map; split=> //; congr (\rank _); apply/matrixP => i j.
  have sr : size (nth [::] (row_vectors a) i) = width (row_vectors a) by apply/eqP/sa/mem_nth.
  have -> : shifted_matrix R c i j = z (ent (row_vectors a) i j) / z (Zpos (q_matrices a)) +
      z (shift_num a) / z (Zpos (shift_den a)) *
      \sum_(k < size (row_vectors a)) z (ent (row_vectors a) k j) / z (Zpos (q_matrices a)).
    rewrite mxE mxE; congr (_ + _); first by rewrite !mxE.
    by rewrite mxE summxE; congr (_ * _); apply: eq_bigr => k _; rewrite !mxE.
  rewrite [RHS]mxE /ent (nth_map [::]) // nth_shifted ?size_combination ?sr //.
  rewrite nth_sum_rows; last by apply/allP => r /sa/eqP ->.
  rewrite -mulr_suml.
  have -> : z (Zpos (q_matrices a * shift_den a)) = z (Zpos (q_matrices a)) * z (Zpos (shift_den a)) by exact: toFpM.
  have q0 := toF_pos R (q_matrices a); have s0 := toF_pos R (shift_den a).
  set x := z (nth 0%coqZ _ j); set s := \sum_i _.
  by field; rewrite ?q0 ?s0.
by exists (q_queries D); rewrite size_map.
Qed.

Lemma toF_nat k : z (Z.of_nat k) = k%:R.
Proof. by rewrite /toF (_ : int_of_Z (Z.of_nat k) = k%:Z) //; lia. Qed.

Lemma toF_pos_nat k : (0 < k)%N -> z (Zpos (Pos.of_nat k)) = k%:R.
Proof. by move=> k0; rewrite -toF_nat; congr (z _); lia. Qed.

(* the members of a family                                                        *)
Lemma members_literal f : exists k (C : 'I_k -> 'M[R]_(n, d)) q,
  [/\ checker_number R D layers c (least_rank_of f) = Z.of_nat (least_rank C), size (members D (args c) f) = k &
    forall i, C i = mx R n d q (nth [::] (members D (args c) f) i)].
Proof.
case: f; rewrite /members /=.
- by exists T, E, (q_contexts D); rewrite size_contexts; split=> // i; rewrite contextE.
- exists T, (fun t => mixed (E t)), (q_contexts D * Pos.of_nat n)%positive; rewrite size_map; split=> // t.
  apply/matrixP => i j; have sCt := size_context okP t; have n0 := n_gt0 okP.
  have st : all (fun r => size r <= d)%N (context_at D t).
    have [_ _ _ _ /allP sE] := wf_sizesP okD; apply/allP => r rC.
    by have /allP/(_ r rC)/eqP -> : all (fun r => size r == d) (context_at D t) by apply/sE/context_in.
  have sr : size (nth [::] (context_at D t) i) = d.
    have [_ _ _ _ /allP sE] := wf_sizesP okD; apply/eqP.
    have Ct : context_at D t \in contexts D by apply: context_in.
    by apply: (allP (sE _ Ct)); rewrite mem_nth ?sCt.
  have q0 := toF_pos R (q_contexts D); have nR : n%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
  have -> : mixed (E t) i j = z (nth 0%coqZ (nth [::] (context_at D t) i) j) / z (Zpos (q_contexts D)) +
      n%:R^-1 * (\sum_(k < n) z (ent (context_at D t) k j) / z (Zpos (q_contexts D))).
    rewrite mxE mxE; congr (_ + _); first by rewrite !mxE.
    by rewrite mxE mxE; congr (_ * _); apply: eq_bigr => k _; rewrite !mxE.
  rewrite [RHS]mxE /ent (nth_map [::]) ?sC // contextE (nth_map [::]) ?sCt // nth_shifted ?size_combination ?sr //.
  rewrite nth_sum_rows // sCt toF_nat rmorph1 mul1r -mulr_suml.
  have -> : z (Zpos (q_contexts D * Pos.of_nat n)) = z (Zpos (q_contexts D)) * n%:R.
    by rewrite -toF_pos_nat //; exact: toFpM.
  move: nR; rewrite -/(ent _ _ _); move: (n%:R : R) (z (Zpos (q_contexts D))) q0 => N q q0 N0.
  apply: (mulIf (mulf_neq0 q0 N0)); rewrite mulfVK ?mulf_neq0 // mulrDl; congr (_ + _).
    by rewrite mulrA mulfVK // mulrC.
  by rewrite mulrC -mulrA mulVKf // mulrC mulfVK.
by exists (size (subset (args c))), (@subset_context R D c), (q_contexts D); rewrite size_map; split=> // i;
  rewrite (nth_map 0%N).
Qed.

(* the vectors of a Kruskal rank                                                  *)
Lemma vectors_literal mixed : exists (x : 'I_T -> 'cV[R]_d) (k : R),
  [/\ k != 0, checker_number R D layers c (Kruskal mixed) = Z.of_nat (kruskal_rank x),
    size (literal_vectors D mixed) = T, all (fun r => size r <= d)%N (literal_vectors D mixed) &
    forall (t : 'I_T) j, k * x t j 0 = z (ent (literal_vectors D mixed) t j)].
Proof.
have [_ _ /eqP sQ sq /allP sE] := wf_sizesP okD.
have q0 := toF_pos R (q_contexts D); have q1 := toF_pos R (q_queries D); have n0 := n_gt0 okP.
have nR : n%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
case: mixed; rewrite /literal_vectors /=; last first.
  exists e, (z (Zpos (q_queries D))); split=> // [|t j].
    by apply/allP => r /(allP sq)/eqP ->.
  by rewrite !mxE mulrC mulfVK.
have sz : size (zip (contexts D) (queries D)) = T by rewrite size_zip sC sQ minnn.
exists (fun t => e t + mean_token (E t)), (z (Zpos (q_queries D)) * (n%:R * z (Zpos (q_contexts D)))).
split=> // [|||t j]; first by rewrite !mulf_neq0.
- by rewrite size_map sz.
- apply/(all_nthP [::]) => i; rewrite size_map sz => iT; rewrite (nth_map ([::], [::])) ?sz // nth_zip ?sC ?sQ //=.
  have sab k u b : size (add_bias k u b) = size u by elim: u b => [|y u IH] [|y' b] //=; rewrite IH.
  by rewrite sab size_map (eqP (allP sq _ (mem_nth _ _))) ?sQ.
have sqt : size (nth [::] (queries D) t) = d by apply/eqP/(allP sq)/mem_nth; rewrite sQ.
have Ct : context_at D t \in contexts D by apply: context_in.
have st : all (fun r => size r <= d)%N (context_at D t).
  by apply/allP => r rC; have /eqP -> := allP (sE _ Ct) _ rC.
rewrite /ent (nth_map ([::], [::])) ?sz // nth_zip ?sC ?sQ //= contextE nth_shifted ?size_combination ?sqt //.
rewrite nth_sum_rows // (size_context okP t).
have -> : z (Z.of_nat n * Zpos (q_contexts D))%coqZ = n%:R * z (Zpos (q_contexts D)).
  by rewrite -toF_nat; exact: rmorphM.
have -> : (e t + mean_token (E t)) j 0 = z (nth 0%coqZ (nth [::] (queries D) t) j) / z (Zpos (q_queries D)) +
    n%:R^-1 * (\sum_(k < n) z (ent (context_at D t) k j)) / z (Zpos (q_contexts D)).
  rewrite mxE; congr (_ + _); first by rewrite !mxE.
  by rewrite mxE -mulrA mulr_suml; congr (_ * _); apply: eq_bigr => k _; rewrite !mxE.
move: (z (nth 0%coqZ _ j)) (\sum_(k < n) _) => x S.
move: nR; move: (n%:R : R) (z (Zpos (q_contexts D))) (z (Zpos (q_queries D))) q0 q1 => N q p q0 q1 N0.
by field; rewrite q0 q1 N0.
Qed.

End Sound.

(* ============================================================================ *)
(* Many integers in one                                                         *)
(* ============================================================================ *)
(* A combination of rows costs one product for each row.                        *)

Fixpoint one_integer (base : Z) (r : seq Z) : Z := if r is x :: r' then (x + base * one_integer base r')%coqZ else 0%coqZ.

Fixpoint row_from (half base : Z) (bits w : nat) (y : Z) : seq Z :=
  if w is w'.+1 then
    let q := shift_down bits (y + half) in (y - base * q)%coqZ :: row_from half base bits w' q
  else [::].

Definition absolute_sum (x : seq Z) : Z := foldr (fun a s => Z.abs a + s)%coqZ 0%coqZ x.
Definition largest_entry (M : seq (seq Z)) : Z := foldr (fun r b => foldr (fun a => Z.max (Z.abs a)) b r) 0%coqZ M.

Definition largest_sum (X : seq (seq Z)) : Z := foldr Z.max 0%coqZ [seq absolute_sum x | x <- X].

(* the digits of combinations of X, whose largest sum is given                         *)
Definition digit_bits (sum : Z) (M : seq (seq Z)) : nat := (Z.to_nat (Z.log2 (sum * largest_entry M))).+2.

Definition few_columns (sum : Z) (w : nat) (X M : seq (seq Z)) : seq (seq Z) :=
  let bits := digit_bits sum M in let half := Zpos (two_power bits.-1) in let base := Zpos (two_power bits) in
  if (sum * largest_entry M <? half)%coqZ then
    let P := [seq one_integer base r | r <- M] in [seq row_from half base bits w (dot x P) | x <- X]
  else [seq combination w x M | x <- X].

(* so many columns that an integer is long, and not so long that taking it apart takes most of the time *)
Definition columns_of_piece (bits : nat) : nat := Z.to_nat (2200 / Z.of_nat bits)%coqZ.
Fixpoint by_pieces (sum : Z) (v k w : nat) (X M : seq (seq Z)) : seq (seq Z) :=
  if k is k'.+1 then
    if (w <= v)%N then few_columns sum w X M else
    [seq a.1 ++ a.2 | a <- zip (few_columns sum v X [seq take v r | r <- M])
      (by_pieces sum v k' (w - v) X [seq drop v r | r <- M])]
  else few_columns sum w X M.
Definition combinations (w : nat) (X M : seq (seq Z)) : seq (seq Z) :=
  let sum := largest_sum X in let v := columns_of_piece (digit_bits sum M) in
  if (1 < v)%N && all (fun r => size r == w) M then by_pieces sum v w w X M else [seq combination w x M | x <- X].

Fixpoint turned (w : nat) (Y : seq (seq Z)) : seq (seq Z) :=
  if Y is y :: Y' then [seq a.1 :: a.2 | a <- zip y (turned w Y')] else nseq w [::].

Definition all_dots (w : nat) (X Y : seq (seq Z)) : seq (seq Z) :=
  if all (fun y => size y == w) Y then combinations (size Y) X (turned w Y) else [seq [seq dot x y | y <- Y] | x <- X].

(* sums of the entries of the columns that are negative, and of those that are positive *)
Definition signed_sums (w : nat) (M : seq (seq Z)) : seq (Z * Z) :=
  foldr (fun r acc => [seq (x.1.1 + Z.min x.2 0, x.1.2 + Z.max x.2 0)%coqZ | x <- zip acc r]) (nseq w (0, 0)%coqZ) M.

Definition widest (s : seq (Z * Z)) : Z := foldr (fun x w => Z.max (x.2 - x.1) w) 0%coqZ s.

Definition all_times (w : nat) (S : seq (seq (Z * Z))) (M : seq (seq Z)) : seq (seq (Z * Z)) :=
  if all (fun r => size r == w) M && all (fun s => size s == size M) S then
    let sums := signed_sums w M in
    [seq (let b := widest x.1 in
        if (b =? 0)%coqZ || all (fun y => y.1 <? y.2)%coqZ x.1
        then [seq (y.1 + b * y.2.1, y.1 + b * y.2.2)%coqZ | y <- zip x.2 sums]
        else times_rows w x.1 M)   (* what is exact beside what is not stays so *)
      | x <- zip S (combinations w [seq unzip1 s | s <- S] M)]
  else [seq times_rows w s M | s <- S].

Local Arguments Z.mul : simpl never.
Local Arguments Z.add : simpl never.

Lemma row_fromK bits r : all (fun x => (- Zpos (two_power bits) <=? x) && (x <? Zpos (two_power bits)))%coqZ r ->
  row_from (Zpos (two_power bits)) (Zpos (two_power bits.+1)) bits.+1 (size r) (one_integer (Zpos (two_power bits.+1)) r) = r.
Proof.
set half := Zpos (two_power bits).
have -> : Zpos (two_power bits.+1) = (2 * half)%coqZ by [].
elim: r => //= x r IH /andP[/andP[/Z.leb_le lo /Z.ltb_lt hi] /IH {}IH].
set y := one_integer _ r in IH *.
have -> : shift_down bits.+1 (x + 2 * half * y + half)%coqZ = y.
  rewrite shift_downE -[Zpos (two_power bits.+1)]/(2 * half)%coqZ.
  have -> : (x + 2 * half * y + half = y * (2 * half) + (x + half))%coqZ by ring.
  rewrite Z.div_add_l; last by rewrite /half; lia.
  by rewrite Z.div_small; lia.
by rewrite IH; congr cons; ring.
Qed.

Lemma one_integer_add_bias base c u r : size u = size r -> one_integer base (add_bias c u r) = (one_integer base u + c * one_integer base r)%coqZ.
Proof. by elim: u r => [|x u IH] [|a r] //=; [rewrite Z.mul_0_r|move=> [/IH->]; ring]. Qed.

Lemma one_integer_nseq0 base w : one_integer base (nseq w 0%coqZ) = 0%coqZ.
Proof. by elim: w => //= w ->; ring. Qed.

Lemma dot_one_integer base w x M : all (fun r => size r == w) M ->
  dot x [seq one_integer base r | r <- M] = one_integer base (combination w x M).
Proof.
elim: x M => [|c x IH] [|r M] /=; rewrite ?one_integer_nseq0 // => /andP[/eqP sr /IH->].
case: ifP => [/Z.eqb_eq->|_]; first by rewrite Z.mul_0_l.
by rewrite one_integer_add_bias ?size_combination // Z.add_comm.
Qed.

Lemma largest_entry_ge0 M : (0 <= largest_entry M)%coqZ.
Proof. by elim: M => //= r M IH; elim: r => //= a r; lia. Qed.

Lemma largest_entryP r M : (all (fun a => Z.abs a <=? largest_entry (r :: M)) r)%coqZ.
Proof.
rewrite /=; set b := largest_entry M.
elim: r => //= a r IH; apply/andP; split; first by apply/Z.leb_le; lia.
by apply: sub_all IH => x /Z.leb_le xb; apply/Z.leb_le; lia.
Qed.

Lemma largest_entry_cons r M : (largest_entry M <= largest_entry (r :: M))%coqZ.
Proof. by rewrite /=; elim: r => /= [|a r IH]; lia. Qed.

Lemma absolute_sum_ge0 x : (0 <= absolute_sum x)%coqZ.
Proof. by elim: x => //= a x; lia. Qed.

Lemma add_bias_bound c u r s b : (0 <= b)%coqZ -> all (fun a => Z.abs a <=? s)%coqZ u -> all (fun a => Z.abs a <=? b)%coqZ r ->
  (0 <= s)%coqZ -> all (fun a => Z.abs a <=? Z.abs c * b + s)%coqZ (add_bias c u r).
Proof.
move=> b0 + + s0; have cb : (0 <= Z.abs c * b)%coqZ by apply: Z.mul_nonneg_nonneg => //; exact: Z.abs_nonneg.
elim: u r => [|x u IH] [|a r] //= /andP[/Z.leb_le xs us] => [_|/andP[/Z.leb_le ab rs]].
  by apply/andP; split; [apply/Z.leb_le; lia|apply: sub_all us => y /Z.leb_le; move=> ys; apply/Z.leb_le; lia].
rewrite IH // andbT; apply/Z.leb_le.
have : (Z.abs (c * a) <= Z.abs c * b)%coqZ by rewrite Z.abs_mul; apply: Z.mul_le_mono_nonneg_l => //; exact: Z.abs_nonneg.
by lia.
Qed.

Lemma combination_bound w x M b : (largest_entry M <= b)%coqZ ->
  all (fun a => Z.abs a <=? absolute_sum x * b)%coqZ (combination w x M).
Proof.
have zeros s : (0 <= s)%coqZ -> all (fun a => Z.abs a <=? s)%coqZ (nseq w 0%coqZ).
  by move=> s0; rewrite all_nseq; apply/orP; right; apply/Z.leb_le.
move=> Mb; have b0 : (0 <= b)%coqZ by have := @largest_entry_ge0 M; lia.
have sb y : (0 <= absolute_sum y * b)%coqZ by apply: Z.mul_nonneg_nonneg => //; exact: absolute_sum_ge0.
elim: x M Mb => [|c x IH] [|r M] Mb; try exact: zeros (sb _).
have Mb' : (largest_entry M <= b)%coqZ by have := @largest_entry_cons r M; lia.
rewrite /= Z.mul_add_distr_r; case: ifP => _.
  have cb : (0 <= Z.abs c * b)%coqZ by apply: Z.mul_nonneg_nonneg => //; exact: Z.abs_nonneg.
  by apply: sub_all (IH M Mb') => a /Z.leb_le ab; apply/Z.leb_le; lia.
apply: add_bias_bound => //; first exact: IH.
by apply: sub_all (largest_entryP r M) => a /Z.leb_le ab; apply/Z.leb_le; lia.
Qed.

Lemma leq_largest (l : seq Z) x : x \in l -> (x <= foldr Z.max 0 l)%coqZ.
Proof. by elim: l => //= a l IH; rewrite inE => /orP[/eqP->|/IH]; lia. Qed.

Lemma few_columnsE w X M : all (fun r => size r == w) M -> few_columns (largest_sum X) w X M = [seq combination w x M | x <- X].
Proof.
rewrite /few_columns /digit_bits => sM; case: ifP => // /Z.ltb_lt small.
apply/eq_in_map => x xX; rewrite (dot_one_integer _ _ sM).
have := @row_fromK (Z.to_nat (Z.log2 (largest_sum X * largest_entry M))%coqZ).+1 (combination w x M).
rewrite size_combination; apply; apply: sub_all (combination_bound w x (Z.le_refl (largest_entry M))) => a /Z.leb_le ab.
have le1 : (absolute_sum x * largest_entry M <= largest_sum X * largest_entry M)%coqZ.
  by apply: Z.mul_le_mono_nonneg_r; [exact: largest_entry_ge0|apply: leq_largest; apply: map_f].
by apply/andP; split; [apply/Z.leb_le|apply/Z.ltb_lt]; move: small ab le1; rewrite [_.-1]/=; set h := Zpos (two_power _); set s := (_ * _)%coqZ; set s' := (_ * _)%coqZ; lia.
Qed.

Lemma add_bias_cat c u u' r r' : size u = size r -> add_bias c (u ++ u') (r ++ r') = add_bias c u r ++ add_bias c u' r'.
Proof. by elim: u r => [|x u IH] [|a r] //= [/IH->]. Qed.

Lemma combination_pieces v w x M : all (fun r => size r == v + w)%N M ->
  combination (v + w) x M = combination v x [seq take v r | r <- M] ++ combination w x [seq drop v r | r <- M].
Proof.
have zeros : nseq (v + w) 0%coqZ = nseq v 0%coqZ ++ nseq w 0%coqZ by rewrite nseqD.
elim: x M => [|c x IH] [|r M] //= /andP[/eqP sr /IH->]; case: ifP => // _.
by rewrite -{1}(cat_take_drop v r) add_bias_cat // size_combination size_takel // sr leq_addr.
Qed.

Lemma by_piecesE v k w X M : all (fun r => size r == w) M ->
  by_pieces (largest_sum X) v k w X M = [seq combination w x M | x <- X].
Proof.
set sum := largest_sum X; elim: k w M => [|k IH] w M sM /=; first exact: few_columnsE.
case: leqP => [_|/ltnW vw]; first exact: few_columnsE.
have s1 : all (fun r => size r == v) [seq take v r | r <- M].
  by rewrite all_map; apply: sub_all sM => r /eqP sr /=; rewrite size_takel // sr.
have s2 : all (fun r => size r == w - v)%N [seq drop v r | r <- M].
  by rewrite all_map; apply: sub_all sM => r /eqP sr /=; rewrite size_drop sr.
rewrite (IH _ _ s2) (few_columnsE _ s1).
have {}sM : all (fun r => size r == v + (w - v))%N M by rewrite subnKC.
by clear IH; elim: (X) => //= x X' ->; rewrite -combination_pieces // subnKC.
Qed.

Lemma combinationsE w X M : combinations w X M = [seq combination w x M | x <- X].
Proof. by rewrite /combinations; case: ifP => // /andP[_ sM]; apply: by_piecesE. Qed.

Lemma turnedE w Y : all (fun y => size y == w) Y -> turned w Y = columns w Y.
Proof.
elim: Y => [|y Y IH] /=.
  by move=> _; apply: (@eq_from_nth _ [::]) => [|k]; rewrite size_nseq ?size_map ?size_iota // => kw;
    rewrite nth_nseq kw (nth_map 0%N) ?size_iota.
case/andP=> /eqP sy /IH->; apply: (@eq_from_nth _ [::]) => [|k]; rewrite size_map size_zip !size_map size_iota sy minnn // => kw.
rewrite (nth_map (0%coqZ, [::])) ?size_zip ?size_map ?size_iota ?sy ?minnn // nth_zip ?size_map ?size_iota //=.
by rewrite !(nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma dotC x y : dot x y = dot y x.
Proof. by elim: x y => [|a x IH] [|b y] //=; rewrite IH Z.mul_comm. Qed.

Lemma combination_dot w y M j : all (fun r => size r <= w)%N M -> nth 0%coqZ (combination w y M) j = dot y (col j M).
Proof.
by move=> sM; rewrite nth_combination // (@dotE (size y)) //; apply: eq_bigr => i _; rewrite nth_col.
Qed.

Lemma all_dotsE w X Y : all_dots w X Y = [seq [seq dot x y | y <- Y] | x <- X].
Proof.
rewrite /all_dots; case: ifP => // sY; rewrite combinationsE turnedE //; apply: eq_map => x.
apply: (@eq_from_nth _ 0%coqZ) => [|j]; first by rewrite size_combination size_map.
rewrite size_combination => jY; rewrite combination_dot; last by apply/allP => r /mapP[k _ ->]; rewrite size_map.
rewrite (nth_map [::]) //; congr dot.
have sy : size (nth [::] Y j) = w by apply/eqP; move/allP: sY; apply; apply: mem_nth.
apply: (@eq_from_nth _ 0%coqZ) => [|k]; first by rewrite !size_map size_iota.
rewrite !size_map size_iota => kw; rewrite nth_col /ent (nth_map 0%N) ?size_iota // nth_iota // add0n nth_col.
by [].
Qed.

(* -------------------------------------------------------------------------- *)
(* Enclosures                                                                  *)
(* -------------------------------------------------------------------------- *)
Lemma widest_leq s x : List.In x s -> (x.2 - x.1 <= widest s)%coqZ.
Proof. by elim: s => //= y s IH [->|/IH]; lia. Qed.

Lemma nth_In (A : Type) (a : A) s k : (k < size s)%N -> List.In (nth a s k) s.
Proof. by elim: s k => // x s IH [|k] //= ks; [left|right; apply: IH]. Qed.

Lemma size_signed_sums w M : all (fun r => size r == w) M -> size (signed_sums w M) = w.
Proof. by elim: M => [|r M IH] /=; rewrite ?size_nseq // => /andP[/eqP sr /IH s]; rewrite size_map size_zip s sr minnn. Qed.

(* times_rows of intervals that are equally wide                                     *)
Lemma times_rows_wide w b l M : (0 <= b)%coqZ -> size l = size M -> all (fun r => size r == w) M ->
  times_rows w [seq (x, x + b)%coqZ | x <- l] M =
  [seq (y.1 + b * y.2.1, y.1 + b * y.2.2)%coqZ | y <- zip (combination w l M) (signed_sums w M)].
Proof.
move=> b0; elim: l M => [|x l IH] [|r M] //=.
  by move=> _ _; elim: w => //= w <-; rewrite Z.mul_0_r.
move=> [sl] /andP[/eqP sr aM]; rewrite {}IH //.
have sc := size_combination w l M; have ss := size_signed_sums aM.
have -> : (if (x =? 0)%coqZ then combination w l M else add_bias x (combination w l M) r) = add_bias x (combination w l M) r.
  case: Z.eqb_spec => // ->; elim: (combination w l M) r {sr} => [|y u IHu] [|a r] //=.
  by rewrite Z.mul_0_l Z.add_0_r -IHu.
move: (combination w l M) (signed_sums w M) sc ss => u v.
elim: r w sr u v {aM} => [|a r IHr] [|w'] //=; first by move=> _ [|y u] // [|y v].
move=> [sr] [|y u] [|[n' p'] v] //= [su] [sv].
rewrite (IHr w') //; congr cons; rewrite /plus /scaled_enclosure /=.
case: ifP => [/Z.leb_le a0|/Z.leb_gt a0].
  by rewrite Z.min_r ?Z.max_l //=; congr pair; ring.
by rewrite Z.min_l ?Z.max_r /=; try lia; congr pair; ring.
Qed.

Lemma size_all_times w S M : size (all_times w S M) = size S.
Proof. by rewrite /all_times; case: ifP => _; rewrite size_map // size_zip combinationsE !size_map minnn. Qed.

Lemma size_row_all_times w S M : all (fun r => size r == w) (all_times w S M).
Proof.
rewrite /all_times; case: ifP => aM; apply/allP => r /mapP[x xin ->]; last by rewrite size_times_rows.
have {aM}[aM _] := andP aM; rewrite (fun_if size) size_times_rows size_map size_zip size_signed_sums //; case: x xin => s c /(map_f snd) /=.
rewrite -/(unzip2 _) unzip2_zip ?combinationsE ?size_map // => /mapP[y _ ->].
by rewrite size_combination minnn; case: ifP.
Qed.

Section Enclosures.
Variable R : realType.
Local Notation z := (toF R).

Definition each_encloses T (a : R) w (v : 'I_T -> 'rV[R]_w) (S : seq (seq (Z * Z))) : Prop :=
  size S = T /\ forall t : 'I_T, encloses a (v t) (nth [::] S t).

Lemma encloses_wider (a : R) w (v : 'rV[R]_w) s : encloses a v s ->
  encloses a v [seq (x.1, x.1 + widest s)%coqZ | x <- s].
Proof.
move=> [ss vs]; split=> [|k]; first by rewrite size_map.
have ks : (k < size s)%N by rewrite ss.
have := vs k; rewrite (nth_map (0, 0)%coqZ) // /inside /=; set x := nth _ _ _ => /andP[-> /=].
move/le_trans; apply; apply: toF_leq.
by have : (x.2 - x.1 <= widest s)%coqZ; [apply/widest_leq/nth_In|lia].
Qed.

Lemma each_times T (a : R) (q : positive) n w (v : 'I_T -> 'rV[R]_n) S M : each_encloses a v S ->
  each_encloses (a * z (Zpos q)) (fun t => v t *m mx R n w q M) (all_times w S M).
Proof.
move=> [sS vS]; rewrite /all_times; case: ifP => [/andP[aM /allP SM]|_]; last first.
  by split=> [|t]; rewrite ?size_map // (nth_map [::]) ?sS //; apply: enclosesM.
split=> [|t]; first by rewrite size_map size_zip combinationsE !size_map minnn.
have tS : (t < size S)%N by rewrite sS.
rewrite (nth_map ([::], [::])) ?size_zip ?combinationsE ?size_map ?minnn // nth_zip ?size_map //=.
rewrite !(nth_map [::]) ?size_map //; set s := nth [::] S t.
case: ifP => _; last exact: enclosesM (vS t).
have w0 : (0 <= widest s)%coqZ by elim: (s) => //= x s' IH; lia.
have su : size (unzip1 s) = size M by rewrite size_map; apply/eqP/SM/mem_nth.
rewrite -(times_rows_wide w0 su aM) -map_comp; apply: enclosesM.
exact: encloses_wider (vS t).
Qed.

Lemma each_plus T (a b : positive) w (u v : 'I_T -> 'rV[R]_w) S S' : each_encloses (z (Zpos a)) u S ->
    each_encloses (z (Zpos b)) v S' ->
  each_encloses (z (Zpos (a * b))) (fun t => u t + v t) [seq add_rows a b x.1 x.2 | x <- zip S S'].
Proof.
move=> [sS uS] [sS' vS']; split=> [|t]; first by rewrite size_map size_zip sS sS' minnn.
rewrite (nth_map ([::], [::])) ?size_zip ?sS ?sS' ?minnn // nth_zip ?sS ?sS' //.
exact: enclosesD (uS t) (vS' t).
Qed.

Lemma each_eq T a w (u v : 'I_T -> 'rV[R]_w) S : (forall t, u t = v t) -> each_encloses a u S -> each_encloses a v S.
Proof. by move=> uv [sS uS]; split=> // t; rewrite -uv. Qed.

End Enclosures.
