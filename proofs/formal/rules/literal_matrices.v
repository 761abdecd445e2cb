(* The proved checker, matrices and families: the literal rows of a matrix, of the              *)
(* members of a family and of the vectors of a Kruskal rank, and that they are right.           *)
(*                                                                                              *)
(* literal_rows D c m == height, width and rows of the matrix m, times a denominator            *)
(* well_shaped c m == the matrices of the claim have the shapes that m needs                    *)
(* members D c f, least_rank_of f == the matrices of a family; their least rank                 *)
(* literal_exponents D == the rows of rank(exponents), times a denominator                      *)
(* literal_vectors D mixed == the vectors of a Kruskal rank, times a denominator                *)
(* rank_of_literal, members_literal, vectors_literal == these are what the quantities are about *)
From Attest Require Import integers attention kruskal literal_arithmetic problem logits quantity_bounds.
From Attest Require Import jacobian rational_matrices schemas zero.

Local Notation Z := BinNums.Z.

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
