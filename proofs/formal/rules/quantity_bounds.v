(* Quantities, as a checker computes and bounds them.                                *)
(*                                                                                   *)
(*   wf_sizes D == the literal data have the sizes that they say                      *)
(*   sorted_rows C == the rows C in an order of their own                              *)
(*   example_key D t == an example up to the order of its tokens                        *)
(*   outside D p == the different examples outside a part that no example inside equals  *)
(*   computed D layers q == what is counted in the data and in the logits of layers   *)
(*   checker_number R D layers c q == the value of q, those of the checker included   *)
(*   natural D layers c q == bounds of q that need no proof; naturalP                 *)
From Attest Require Import integers attention kruskal upper_bounds lemmas common euclidean.
From Attest Require Import positional_encoding literal_arithmetic bounds problem logits quantities.
From Attest Require Export quantities.

Local Notation Z := BinNums.Z.

Definition quantity_dec (x y : quantity) : {x = y} + {x <> y}.
Proof. repeat decide equality. Defined.

Definition equal_example (x y : seq (seq Z) * seq Z) : bool :=
  equal_row x.2 y.2 && equal_rows x.1 y.1.

(* examples up to the order of their tokens, which are sorted; of a repeated list once, which is then the same list *)
Fixpoint leq_row (r s : seq Z) : bool :=
  match r, s with
  | x :: r', y :: s' => if (x <? y)%coqZ then true else if (x =? y)%coqZ then leq_row r' s' else false
  | [::], _ => true
  | _, _ => false
  end.
Definition sorted_rows (C : seq (seq Z)) : seq (seq Z) :=
  let P := period C in let k := (size C %/ size P)%N in flatten [seq nseq k r | r <- sort leq_row P].
Definition example_key (D : problem) (t : nat) : seq (seq Z) * seq Z :=
  (sorted_rows (context_at D t), nth [::] (queries D) t).
Definition distinct_examples (D : problem) : seq (seq (seq Z) * seq Z) :=
  distinct equal_example [seq example_key D t | t <- iota 0 (T D)].

(* different examples of D; those outside that equal none inside                  *)
Definition good_part (D : problem) (p : part) : bool :=
  uniq (part_examples p) && all (fun t => t < T D)%N (part_examples p).
Definition outside (D : problem) (p : part) : seq (seq (seq Z) * seq Z) :=
  let inside := [seq example_key D t | t <- part_examples p] in
  distinct equal_example [seq x <- [seq example_key D t | t <- iota 0 (T D)] | ~~ has (equal_example x) inside].

(* examples with their labels                                                    *)
Definition equal_labelled (x y : seq (seq Z) * seq Z * seq Z) : bool :=
  equal_row x.2 y.2 && equal_example x.1 y.1.
Definition labelled_example (D : problem) (t : nat) : seq (seq Z) * seq Z * seq Z :=
  (example_key D t, nth [::] (labels D) t).

(* heads by their logits up to what is constant in an example                    *)
Definition reduced (l : seq Z) : seq Z := [seq (x - nth 0 l 0)%coqZ | x <- l].
Definition head_logits (D : problem) (L : layer) (g : literal_head) : seq (seq Z) :=
  [seq reduced (raw_logits D L g t) | t <- iota 0 (T D)].
Definition constant_rows (s : seq (seq Z)) : bool := all (equal_row (nth [::] s 0)) s.
Definition distinct_heads (D : problem) (L : layer) : seq (seq (seq Z)) :=
  distinct equal_rows [seq head_logits D L g | g <- prepared D L].

Definition in_shape (D : problem) (L : layer) : bool :=
  match L with
  | Factors m _ _ _ _ _ _ _ bQ => (m <= d_h D)%N && nilp bQ
  | Combined _ _ => (d D <= d_h D)%N
  | Projected _ => false
  end.

(* r / q = (1, x, ..., x^(d-1)), x = r_1 / q                                     *)
Definition on_curve (d : nat) (q : Z) (r : seq Z) : bool :=
  all (fun j => nth 0 r j * q ^ Z.of_nat j =? nth 0 r 1 ^ Z.of_nat j * q)%coqZ (iota 0 d).
Fixpoint off_curve (d : nat) (q : Z) (earlier : seq Z) (rows : seq (seq Z)) : nat :=
  if rows is r :: rows' then
    (~~ (on_curve d q r && ((d <= 1)%N || ~~ has (Z.eqb (nth 0 r 1)%coqZ) earlier)) +
     off_curve d q (nth 0%coqZ r 1 :: earlier) rows')%N
  else 0%N.

(* The graph that joins the words of sequences to their positions: each word and position has the number of its component *)
(* and a vector; where the contexts are sums of words and positions these are such vectors, which are joined by edges.   *)
Definition vertex := (nat * seq Z)%type.
Definition words_of (s : seq (seq Z)) : seq Z := distinct Z.eqb (flatten s).
Definition shift (sign : Z) (by_ : seq Z) (v : seq Z) : seq Z := [seq (x.1 + sign * x.2)%coqZ | x <- zip v by_].
Definition join (ws : seq Z) (g : seq vertex * seq vertex) (edge : Z * nat * seq Z) : seq vertex * seq vertex :=
  let: (z, i, x) := edge in
  let u := nth (0%N, [::]) g.1 (index z ws) in let v := nth (0%N, [::]) g.2 i in
  if u.1 == v.1 then g
  else
    let gap := shift (-1) v.2 (shift (-1) u.2 x) in
    let moved sign (y : vertex) := if y.1 == v.1 then (u.1, shift sign gap y.2) else y in
    ([seq moved (-1)%coqZ y | y <- g.1], [seq moved 1%coqZ y | y <- g.2]).
Definition edges (D : problem) (s : seq (seq Z)) : seq (Z * nat * seq Z) :=
  flatten [seq [seq (ent s t i, i, nth [::] (context_at D t) i) | i <- iota 0 (n D)] | t <- iota 0 (T D)].
Definition joined (D : problem) (s : seq (seq Z)) : seq vertex * seq vertex :=
  let zero := nseq (d D) 0%coqZ in let ws := words_of s in
  foldl (join ws) ([seq (k, zero) | k <- iota (n D) (size ws)], [seq (i, zero) | i <- iota 0 (n D)]) (edges D s).

(* words and positions without components, which positions are counted of               *)
Definition spread (D : problem) (s : seq (seq Z)) : nat :=
  let ws := words_of s in let g := joined D s in
  let whole := all (fun e => (nth (0%N, [::]) g.1 (index e.1.1 ws)).1 == (nth (0%N, [::]) g.2 e.1.2).1) (edges D s) in
  (size ws + n D - (if whole then size (undup [seq y.1 | y <- take (n D) g.2]) else 0))%N.
Definition sums_of_words (D : problem) (s : seq (seq Z)) : bool :=
  let ws := words_of s in let g := joined D s in
  all (fun e => equal_row (shift 1 (nth (0%N, [::]) g.1 (index e.1.1 ws)).2 (nth (0%N, [::]) g.2 e.1.2).2) e.2) (edges D s).

(* entries of the labels that are not 0, or not those of example 0                 *)
Definition label_entries (D : problem) (varying : bool) : nat :=
  count (fun x => ~~ (ent (labels D) x.1 x.2 =? if varying then ent (labels D) 0 x.2 else 0)%coqZ)
    [seq (t, o) | t <- iota 0 (T D), o <- iota 0 (d_out D)].

(* what a checker computes from the literal data and the layers of a certificate  *)
Definition computed (D : problem) (layers : layer_name -> option (layer * bool)) (q : quantity) : option Z :=
  match q with
  | DistinctTokens => Some (Z.of_nat (size (tokens D)))
  | DistinctExamples => Some (Z.of_nat (size (distinct_examples D)))
  | Outside p => Some (Z.of_nat (size (outside D p)))
  | DistinctLabelled =>
    Some (Z.of_nat (size (distinct equal_labelled [seq labelled_example D t | t <- iota 0 (T D)])))
  | InShape l => Some (if layers l is Some La then if in_shape D La.1 then 1%coqZ else 0%coqZ else 0%coqZ)
  | DistinctHeads l =>
    Some (if layers l is Some La then Z.of_nat (size (distinct_heads D La.1)) else 0%coqZ)
  | MovingHeads l =>
    Some (if layers l is Some La
          then Z.of_nat (size [seq s <- distinct_heads D La.1 | ~~ constant_rows s]) else 0%coqZ)
  | Spread s => Some (Z.of_nat (spread D s))
  | SumsOfWords s => Some (if sums_of_words D s then 1%coqZ else 0%coqZ)
  | ValueBiases => if around D is Some w then Some (Z.of_nat (count (fun x => ~~ (x =? 0)%coqZ) (flatten (value_bias w)))) else None
  | LabelEntries varying => Some (Z.of_nat (label_entries D varying))
  | OffMomentCurve => Some (Z.of_nat (off_curve (d D) (Zpos (q_queries D)) [::] (queries D)))
  | _ => counted_in_data D q
  end.

Definition own_number (D : problem) (layers : layer_name -> option (layer * bool)) (q : quantity) : Z :=
  if computed D layers q is Some z then z else 0%coqZ.
Notation checker_number R D layers c := (number R D layers (own_number D layers) c).

Definition wf_sizes (D : problem) : bool :=
  [&& wf_problem D, (0 < T D)%N, size (queries D) == T D, all (fun q => size q == d D) (queries D) &
    all (fun t => all (fun r => size r == d D) (context_at D t)) (iota 0 (T D))].

Lemma wf_sizes_problem D : wf_sizes D -> wf_problem D.
Proof. by case/and5P. Qed.
Lemma wf_sizesP D : wf_sizes D -> [/\ wf_problem D, (0 < T D)%N, size (queries D) == T D,
  all (fun q => size q == d D) (queries D) & all (fun C => all (fun r => size r == d D) C) (contexts D)].
Proof. by rewrite -all_contexts; case/and5P. Qed.

(* -------------------------------------------------------------------------- *)
(* The numbers of quantities.v                                                *)
(* -------------------------------------------------------------------------- *)
Section RealQuantities.
Variables (R : realType) (D : problem) (c : arguments).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation attention_Z := (attention_Z R D).
Local Notation level := (level R c).
Local Notation saturated := (saturated R D c).
Local Notation accurate := (accurate R D c).

Lemma attention_Z_given L : given D = Some L -> attention_Z = given_Z R D L false.
Proof.
move=> LE; apply/row_matrixP => t; rewrite !rowK /stack trmxK; congr mxvec.
apply/row_matrixP => h; rewrite !rowK trmx_mul trmxK /means /attention /real_logits.
by rewrite LE.
Qed.

Lemma level_ge0 : 0 <= level.
Proof. by rewrite divr_ge0 // /toF ler0z. Qed.

Lemma saturated_leq : (saturated <= T * H)%N.
Proof.
apply: leq_trans (_ : \sum_(t < T) \sum_(h < H) 1 <= _)%N.
  by apply: leq_sum => t _; apply: leq_sum => h _; case: asboolP.
by rewrite !(big_const_ord, iter_addn) !addn0 mul1n mulnC.
Qed.

Lemma accurate_leq : (accurate <= T)%N.
Proof.
apply: leq_trans (_ : \sum_(t < T) 1 <= _)%N; first by apply: leq_sum => t _; case: asboolP.
by rewrite big_const_ord iter_addn addn0 mul1n.
Qed.

End RealQuantities.

(* -------------------------------------------------------------------------- *)
(* Bounds that need no proof                                                   *)
(* -------------------------------------------------------------------------- *)
Definition up_to (k : nat) : interval := (Some 0%coqZ, Some (Z.of_nat k)).
Definition exactly_nat (k : nat) : interval := exactly (Z.of_nat k).

Definition most_of_J (D : problem) : nat := minn (T D * d_out D) (H D * d D * (2 * maxn (d D) (d_h D) + d_out D)).

(* rows of a matrix made of heads, and its columns                                *)
Definition most_of_blocks (D : problem) (b : blocks) : nat :=
  let values := if around D is Some w then value_width w else 0%N in
  minn (T D) (match b with
    | WithOnes l => H D * d D + (1 + if l then d_out D else 0%N)
    | OneHead o => if o then values else d D
    | Outputs o l => H D * values + ((if o then 1 else 0) + if l then d_out D else 0)
    end)%N.

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
  | RankOf Exponents => up_to (d D * d D)
  | RankOf MatrixA => up_to (minn (size (matrix_a (args c))) (width (matrix_a (args c))))
  | RankOf MatrixB => up_to (minn (size (matrix_b (args c))) (width (matrix_b (args c))))
  | RankOf MatrixC => up_to (minn (size (matrix_c (args c))) (width (matrix_c (args c))))
  | RankOf Block => up_to (minn (size (matrix_a (args c)) + size (matrix_c (args c)))
      (width (matrix_a (args c)) + width (matrix_c (args c))))
  | RankOf RowVectors | RankOf Shifted =>
    up_to (minn (size (row_vectors (args c))) (width (row_vectors (args c))))
  | RankOf SubsetQueries => up_to (minn (size (subset (args c))) (d D))
  | RankContexts | RankMixedContexts | RankSubsetContexts | RankEncoding => up_to (minn (n D) (d D))
  | RankZ _ | RankAny | Capacity | TailRank | LambdaRank => up_to (minn (T D) (H D * d D))
  | RankWithLabels => up_to (minn (T D) (H D * d D + d_out D))
  | CapacityOf p => if (size (part_examples p) <= T D)%N then up_to (T D) else (None, None)
  | LargestRank => up_to (T D)
  | PartExamples p => exactly_nat (size (part_examples p))
  | PartHeads p => exactly_nat (part_heads p)
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
  | FunctionalDimension => up_to (most_of_J D)
  | RankJ l _ =>
    if layers l is Some (Factors m _ _ _ _ _ _ _ _, _) then up_to (if m <= maxn (d D) (d_h D) then most_of_J D else T D * d_out D)%N
    else up_to (most_of_J D)
  | EmbeddedCapacity => up_to (minn (T D) (H D * d D))
  | GenericOutputs => up_to (T D)
  | RankBlocks b => up_to (most_of_blocks D b)
  | OnlyHead => if only_head (args c) is Some h then exactly_nat h else (None, None)
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

Lemma rank_derivatives (R : realType) D m s (bK bQ : 'I_(H D) -> 'cV[R]_m) both w :
  (\rank (derivatives s bK bQ both w) <= minn (T D * d_out D) (H D * d D * (2 * m + d_out D)))%N.
Proof.
have cT : #|{: 'I_(T D) * 'I_(d_out D)}| = (T D * d_out D)%N by rewrite card_prod !card_ord.
have cP : #|parameter D m| = (H D * d D * (2 * m + d_out D))%N.
  by rewrite card_prod !card_sum !card_prod !card_ord -!mulnDr mulnA mul2n addnn.
by rewrite leq_min -{1}cT -cP rank_leq_row rank_leq_col.
Qed.

Lemma rank_derivatives_most (R : realType) D m s (bK bQ : 'I_(H D) -> 'cV[R]_m) both w : (m <= maxn (d D) (d_h D))%N ->
  (\rank (derivatives s bK bQ both w) <= most_of_J D)%N.
Proof.
move=> mle; apply: leq_trans (rank_derivatives _ _ _ _ _) _.
by rewrite /most_of_J leq_min geq_minl (leq_trans (geq_minr _ _)) // leq_mul // leq_add2r leq_mul2l.
Qed.

Lemma naturalP (R : realType) D layers c q : within (checker_number R D layers c q) (natural D layers c q).
Proof.
have least k (C : 'I_k -> 'M[R]_(n D, d D)) : within (Z.of_nat (least_rank C)) (up_to (minn (n D) (d D))).
  apply: within_up_to; rewrite /least_rank; elim: (enum _) => //= i s IH.
  exact: leq_trans (geq_minr _ _) IH.
case: q => [| | | | | | | | |m| | | | |l| | | | | | |p|p|p|p||mixed| | | | | |l|l|l| | | | | | | | |x| | | |l u| | | |s|s|b| | |y] /=; try exact: within_exactly.
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
- by case: (at_lambda _) => [[x y]|]; [apply: within_up_to; apply: largest_leq_N|apply: (@within_up_to 0)].
- case: ifP => // pT; apply: within_up_to; apply: leq_trans pT.
  by apply: leq_trans (largest_leq_N _ _) _; apply: geq_minl.
- by apply: within_up_to; apply: largest_leq_N.
- by case: mixed; apply: within_up_to; apply: kruskal_rank_size.
- by apply: within_up_to; case: asboolP.
- by apply: within_up_to; apply: saturated_leq.
- by apply: within_up_to; apply: singular_count_leq_sizes; apply: level_ge0.
- by apply: within_up_to; apply: accurate_leq.
- case: (layers l) => [[[m qk K qq Q qkb bK qqb bQ|q W|p] a]|]; try by apply: (@within_up_to 0).
    apply: within_up_to; case: ifP => [|_]; first exact: rank_derivatives_most.
    by apply: leq_trans (rank_derivatives _ _ _ _ _) (geq_minl _ _).
  by apply: within_up_to; apply: rank_derivatives_most; apply: leq_maxl.
- apply: within_up_to; apply: leq_trans (largest_leq_N _ _) _.
  by rewrite /most_of_J leq_min geq_minl (leq_trans (geq_minr _ _)) // leq_mul // leq_add2r leq_mul2l leq_maxr orbT.
- by apply: within_up_to; apply: largest_leq_N.
- by apply: within_up_to; apply: largest_leq_N.
- case: (layers None) => [[L a]|]; last by apply: (@within_up_to 0).
  apply: within_up_to; rewrite /rank_blocks /most_of_blocks.
  by case: b => [[]|[]|[] []]; case: (head_of_claim D c); case: (around D) => *;
    rewrite /= /rank_beside ?add0n ?addn0 // leq_min rank_leq_row rank_leq_col.
- by case: (only_head _) => [h|]; [apply: within_exactly|split].
by rewrite /own_number /=; case: (around D) => [w|]; [apply: within_exactly|split].
Qed.
