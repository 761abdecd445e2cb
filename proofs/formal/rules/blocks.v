(* The proved checker, outputs and matrices made of heads: the different rows of Z, Z beside the *)
(* labels, and blocks for each head.                                                             *)
(*                                                                                               *)
(*     different_rows_ok == minor of distinct(Z): rows that differ modulo p                      *)
(*         equal_rows_ok == pairs of equal rows of Z, the edges of a forest                      *)
(*       minor_labels_ok == minor of [Z Y]; block H of the columns holds the labels              *)
(*   different_rows_count, equal_rows_count, minor_labels_rank == what they prove                *)
(*   outputs_of_examples == distinct(Z) is at most the number of examples                        *)
(*        power_quotient == exponents and the tokens that their powers average                   *)
(*           head_blocks == the quotients of each block and example, and what is beside them     *)
(*   minor_blocks_ok, left_blocks_ok, right_blocks_ok == the checks of steps about them          *)
(*   blocks_of D c L a b == those of the quantity RankBlocks b                                   *)
(*   minor_blocks_rank, left_blocks_rank, right_blocks_rank == what the checks prove             *)
From Attest Require Import integers attention upper_bounds problem literal_arithmetic logits transcendence.
From Attest Require Import words residues elimination minors quantity_bounds schemas heads rational_matrices.
From Attest Require Import zero.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* The different rows of Z, and Z beside the labels                             *)
(* ============================================================================ *)

Section Checks.
Variables (D : problem) (L : layer) (a : bool).

(* the row of [Z Y] of example t, times denominators                               *)
Definition output_row (p g o : Z) (r : reader) (cols : seq (nat * nat)) (ws : option (seq (word * word))) (t : nat) :
    option (seq Z) :=
  if blocks_mod D L a p g o r t is Some b then Some (entries_at cols ws (rcons b (nth [::] (labels D) t)))
  else None.

Definition output_rows (p g o : Z) (cols : seq (nat * nat)) (rows : seq nat) : option (seq (seq Z)) :=
  all_some (output_row p g o (reader_of D L a p g o (H D)) cols (column_words cols)) rows.

Definition column_ok (c : nat * nat) : bool :=
  if (c.1 < H D)%N then (c.2 < d D)%N else (c.1 == H D) && (c.2 < d_out D)%N.

Definition rows_ok (p g o : Z) (rows : seq nat) (cols : seq (nat * nat)) : bool :=
  [&& wf_problem D, wf_layer D L, (1 <? p)%coqZ, order_ok p g o, residue_ok D L a p g,
    all (fun t => t < T D)%N rows & all column_ok cols].

Definition minor_labels_ok (p g o : Z) (rows : seq nat) (cols : seq (nat * nat)) : bool :=
  rows_ok p g o rows cols &&
  if output_rows p g o cols rows is Some M then free_mod p (size cols) M else false.

Fixpoint differ_mod (p : Z) (r s : seq Z) : bool :=
  match r, s with
  | x :: r', y :: s' => if ((x - y) mod p =? 0)%coqZ then differ_mod p r' s' else true
  | _, _ => false
  end.
Fixpoint all_differ (p : Z) (M : seq (seq Z)) : bool :=
  if M is r :: M' then all (differ_mod p r) M' && all_differ p M' else true.

Definition different_rows_ok (p g o : Z) (rows : seq nat) (cols : seq (nat * nat)) : bool :=
  [&& rows_ok p g o rows cols, all (fun c => c.1 < H D)%N cols &
    if output_rows p g o cols rows is Some M then all_differ p M else false].

(* e_s - e_t                                                                        *)
Definition edge (k : nat) (x : nat * nat) : seq Z :=
  [seq ((if i == x.1 then 1 else 0) - (if i == x.2 then 1 else 0))%coqZ | i <- iota 0 k].

Definition equal_rows_ok (p : Z) (pairs : seq (nat * nat)) : bool :=
  [&& wf_problem D, wf_layer D L, all (fun x => (x.1 < T D)%N && (x.2 < T D)%N) pairs,
    independent_mod p (T D) [seq edge (T D) x | x <- pairs] &
    all (fun x => left_zero_Z D L a [seq if (c =? 0)%coqZ then [::] else [:: (0%coqZ, c)] | c <- edge (T D) x]) pairs].

End Checks.

Lemma differ_modE p r s : differ_mod p r s = has (fun x => ~~ ((x.1 - x.2) mod p =? 0)%coqZ) (zip r s).
Proof. by elim: r s => [|x r IH] [|y s] //=; rewrite IH; case: (_ =? _)%coqZ. Qed.

(* -------------------------------------------------------------------------- *)
(* Different rows of a matrix                                                  *)
(* -------------------------------------------------------------------------- *)
Section Rows.
Variables (F : numFieldType) (m k : nat) (M : 'M[F]_(m, k)).

Lemma distinct_rows_geq r (f : 'I_r -> 'I_m) : (forall i j : 'I_r, (i < j)%N -> row (f i) M != row (f j) M) ->
  (r <= size (undup [seq row t M | t <- enum 'I_m]))%N.
Proof.
move=> diff; have inj : injective (fun i => row (f i) M).
  move=> i j /eqP ij; apply/val_inj; case: (ltngtP i j) => // lt.
    by move: (diff _ _ lt); rewrite ij.
  by move: (diff _ _ lt); rewrite eq_sym ij.
rewrite -[X in (X <= _)%N](size_enum_ord r) -(size_map (fun i => row (f i) M)).
apply: uniq_leq_size => [|x /mapP[i _ ->]]; first by rewrite map_inj_uniq ?enum_uniq.
by rewrite mem_undup; apply/mapP; exists (f i); rewrite ?mem_enum.
Qed.

Lemma distinct_rows_leq l (B : 'M[F]_(l, k)) : (forall t, exists i, row t M = row i B) ->
  (size (undup [seq row t M | t <- enum 'I_m]) <= l)%N.
Proof.
move=> MB; rewrite -[X in (_ <= X)%N](size_enum_ord l) -(size_map (fun i => row i B)).
apply: uniq_leq_size => [|x]; first exact: undup_uniq.
rewrite mem_undup => /mapP[t _ ->]; have [i ->] := MB t.
by apply/mapP; exists i; rewrite ?mem_enum.
Qed.

(* Y has rank s, and its rows y have y P = 0 for all matrices P whose rows are equal where those of M are *)
Lemma distinct_rows_relations s (Y : 'M[F]_(s, m)) :
    (forall l (P : 'M[F]_(m, l)), (forall t t', row t M = row t' M -> row t P = row t' P) -> Y *m P = 0) ->
  (size (undup [seq row t M | t <- enum 'I_m]) <= m - \rank Y)%N.
Proof.
move=> YP; set U := undup _; pose P : 'M[F]_(m, size U) := \matrix_(t, j) (row t M == nth 0 U j)%:R.
have P0 : Y *m P = 0 by apply: YP => t t' tt; apply/rowP => j; rewrite !mxE tt.
have PK : P^T *m Y^T = 0 by rewrite -trmx_mul P0 trmx0.
have := kernel_rank PK; rewrite mxrank_tr; apply: leq_trans.
have /fin_all_exists[f fE] (j : 'I_(size U)) : exists t, row t M = nth 0 U j.
  have : nth 0 U j \in U by apply: mem_nth.
  by rewrite mem_undup => /mapP[t _ ->]; exists t.
apply: leq_trans (mxrankS (rowsub_sub f P)).
suff -> : rowsub f P = 1%:M by rewrite mxrank1.
by apply/matrixP => i j; rewrite !mxE fE nth_uniq ?undup_uniq.
Qed.

(* rows of M with the residues N                                                   *)
Lemma residues_rank p b g s (f : 'I_s -> 'I_k) rows N : (1 < p)%coqZ -> place p b g ->
    all (fun t => t < m)%N rows ->
    Forall2 (fun t r => size r = s /\ forall (i : 'I_m) (c : 'I_s), i = t :> nat -> red p b g (M i (f c)) (nth 0%coqZ r c))
      rows N ->
    free_mod p s N ->
  (size rows <= \rank M)%N.
Proof.
move=> p1 bg rT /(Forall2_nth 0%N [::])[sN HN] fN; have [h hE] := ords_of rT.
apply: (free_rank (f := h) (h := f)); apply: (free_modP p1 bg) fN.
have -> : N = [seq nth [::] N (i : 'I_(size rows)) | i <- enum 'I_(size rows)].
  apply: (@eq_from_nth _ [::]); first by rewrite size_map size_enum_ord.
  by move=> i iN; rewrite -sN in iN; rewrite (nth_map (Ordinal iN)) ?size_enum_ord // nth_enum_ord.
elim: (enum _) => [|i r IH] /=; constructor=> // c; have [sr rE] := HN i (ltn_ord i).
have [cs|sc] := ltnP c s; last first.
  by rewrite insubF ?ltnNge ?sc // nth_default ?sr //; have := red_int p b g 0; rewrite rmorph0.
by rewrite (insubT (fun j => j < s)%N cs); apply: rE; rewrite hE.
Qed.

End Rows.

Section Sound.
Variables (R : realType) (D : problem) (L : layer) (a : bool).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Let b : R := expR (kappa R D L a).
Let q : R := toF R (Zpos (q_contexts D)).
Let ql : R := toF R (Zpos (q_labels D)).
(* [Z Y], times denominators *)
Let M : 'M[R]_(T, H * d + d_out D) := row_mx (q *: given_Z R D L a) (ql *: label_matrix R D).

Lemma red_zero p g x : (1 < p)%coqZ -> place p b g -> red p b g 0 x -> (x mod p)%coqZ = 0%coqZ.
Proof.
move=> p1 bg [e [m [[u ue] em mx]]]; move: em; rewrite mulr0 => /esym/bg m0.
have [k xE] : eqm p x 0.
  have e0 : eqm p (eval_at g e * x) 0 by apply: eqm_trans (eqm_sym mx) m0.
  apply: (@eqm_trans _ _ (u * eval_at g e * x)).
    by rewrite -[X in eqm _ X _]mul1r; apply: eqmM (eqm_sym ue) (eqm_refl _ _).
  by rewrite -mulrA -[X in eqm _ _ X](mulr0 u); apply: eqmM e0; apply: eqm_refl.
by rewrite xE add0r mulrC; apply: Z_mod_mult.
Qed.

Lemma output_rowsP p g o rows cols N : rows_ok D L a p g o rows cols ->
    output_rows D L a p g o cols rows = Some N ->
  exists f : 'I_(size cols) -> 'I_(H * d + d_out D),
    (forall c : 'I_(size cols), ((nth (0, 0)%N cols c).1 < H)%N -> exists i, f c = lshift _ i) /\
    Forall2 (fun t r => size r = size cols /\
        forall (i : 'I_T) (c : 'I_(size cols)), i = t :> nat -> red p b g (M i (f c)) (nth 0%coqZ r c))
      rows N.
Proof.
move=> /and5P[okD okL /Z.ltb_lt p1 og /and3P[res _ cH]] /all_someP rowsE.
have bg : place p b g by apply: place_kappa.
have /fin_all_exists[f fP] (c : 'I_(size cols)) : exists j : 'I_(H * d + d_out D),
    (exists h i, [/\ j = lshift _ (mxvec_index h i), (h : nat) = (nth (0, 0)%N cols c).1 &
      (i : nat) = (nth (0, 0)%N cols c).2]) \/
    (exists i, [/\ j = rshift _ i, (nth (0, 0)%N cols c).1 = H & (i : nat) = (nth (0, 0)%N cols c).2]).
  have := all_nthP (0, 0)%N cH c (ltn_ord c); rewrite /column_ok; case: ifP => [hH iD|_ /andP[/eqP hH iD]].
    by exists (lshift _ (mxvec_index (Ordinal hH) (Ordinal iD))); left; exists (Ordinal hH), (Ordinal iD).
  by exists (rshift _ (Ordinal iD)); right; exists (Ordinal iD).
exists f; split=> [c cH'|].
  by have [[h [i [-> _ _]]]|[i [_ cE _]]] := fP c; [exists (mxvec_index h i)|move: cH'; rewrite cE ltnn].
elim: rowsE => [|t r rows' N' tr _ IH]; constructor=> //; move: tr; rewrite /output_row.
case B: (blocks_mod _ _ _ _ _ _ _ _) => [bs|] // [<-]; rewrite entries_atE.
split=> [|i c it]; first by rewrite size_map.
rewrite -it in B *; rewrite (nth_map (0, 0)%N) // nth_rcons.
have sbs : size bs = H := size_blocks B.
have [[h [j [-> <- <-]]]|[j [-> -> <-]]] := fP c; rewrite sbs.
  by rewrite ltn_ord row_mxEl; exact: (red_blocks okD okL j p1 og bg (ltn_ord h) B).
by rewrite ltnn eqxx row_mxEr /label_matrix mxS mxE; apply: red_int.
Qed.

Theorem minor_labels_rank p g o rows cols : minor_labels_ok D L a p g o rows cols ->
  (size rows <= \rank (row_mx (given_Z R D L a) (label_matrix R D)))%N.
Proof.
move=> /andP[ok]; case NE: (output_rows _ _ _ _ _ _ _ _) => [N|] // fN.
have /and5P[okD okL /Z.ltb_lt p1 og /and3P[res rT _]] := ok; have [f [_ rowsP]] := output_rowsP ok NE.
rewrite -(rank_scaled_parts _ _ (toF_pos R (q_contexts D)) (toF_pos R (q_labels D))).
apply: (residues_rank p1 _ rT rowsP fN); exact: place_kappa.
Qed.

Theorem different_rows_count p g o rows cols : different_rows_ok D L a p g o rows cols ->
  (size rows <= distinct_rows (given_Z R D L a))%N.
Proof.
move=> /and3P[ok cH]; case NE: (output_rows _ _ _ _ _ _ _ _) => [N|] // dN.
have /and5P[okD okL /Z.ltb_lt p1 og /and3P[res rT _]] := ok; have [f [fH rowsP]] := output_rowsP ok NE.
have bg : place p b g by apply: place_kappa.
have [h hE] := ords_of rT; have [sN HN] := Forall2_nth 0%N [::] rowsP.
apply: (distinct_rows_geq (f := h)) => i j ij; apply/negP => /eqP rE.
have : differ_mod p (nth [::] N i) (nth [::] N j).
  have jN : (j < size N)%N by rewrite -sN.
  elim: N (i : nat) (j : nat) ij jN dN {NE rowsP sN HN} => [|r N IH] [|i'] [|j'] //=.
    by move=> _ jN /andP[/all_nthP-/(_ [::] j' jN)].
  by move=> ij jN /andP[_ /(IH i' j' ij jN)].
have [si Hi] := HN i (ltn_ord i); have [sj Hj] := HN j (ltn_ord j).
rewrite differ_modE => /(has_nthP (0, 0)%coqZ)[c]; rewrite size_zip si sj minnn => cs; rewrite nth_zip ?si ?sj //=.
case/negP; apply/Z.eqb_eq/(red_zero p1 bg).
have xi := Hi (h i) (Ordinal cs) (hE i); have xj := Hj (h j) (Ordinal cs) (hE j).
suff -> : 0 = M (h i) (f (Ordinal cs)) - M (h j) (f (Ordinal cs)) by apply: red_sub.
have [l ->] := fH (Ordinal cs) (all_nthP (0, 0)%N cH _ cs).
have {}rE : given_Z R D L a (h i) l = given_Z R D L a (h j) l by move/rowP/(_ l): rE; rewrite [LHS]mxE [RHS]mxE.
by rewrite /M !row_mxEl [X in X - _]mxE [X in _ - X]mxE rE subrr.
Qed.

Theorem equal_rows_count p pairs : equal_rows_ok D L a p pairs ->
  (distinct_rows (given_Z R D L a) <= T - size pairs)%N.
Proof.
move=> /and5P[okD okL /allP lt iP /allP zero].
have := independent_mod_rank R iP; rewrite size_map => rP.
apply: leq_trans (leq_sub2l T rP); apply: distinct_rows_relations => l P PE.
apply/row_matrixP => k; rewrite row_mul row0; have kp := ltn_ord k.
pose x := nth (0, 0)%N pairs k; have xp : x \in pairs by apply: mem_nth.
have /andP[x1 x2] := lt _ xp; pose s := Ordinal x1; pose t := Ordinal x2.
have edgeE (j : 'I_T) : toF R (nth 0%coqZ (edge T x) j) = (j == s)%:R - (j == t)%:R.
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n (rmorphB (toF_rmorphism R)).
  by rewrite -!val_eqE /=; do 2!case: eqP => _; rewrite ?rmorph0 ?rmorph1.
have sumE (V : lmodType R) (v : 'I_T -> V) : \sum_j ((j == s)%:R - (j == t)%:R) *: v j = v s - v t.
  have pick r : \sum_j (j == r)%:R *: v j = v r.
    by rewrite (bigD1 r) //= eqxx scale1r big1 ?addr0 // => j /negPf ->; rewrite scale0r.
  by under eq_bigr do rewrite scalerBl; rewrite sumrB !pick.
have rowE : row k (mx R (size pairs) T 1 [seq edge T x | x <- pairs]) =
    \row_j ((j == s)%:R - (j == t)%:R).
  by apply/rowP => j; rewrite !mxE rmorph1 divr1 /ent (nth_map (0, 0)%N) // edgeE.
rewrite rowE mulmx_sum_row; under eq_bigr do rewrite mxE.
rewrite sumE; apply/eqP; rewrite subr_eq0; apply/eqP/PE/rowP => c; rewrite [LHS]mxE [RHS]mxE.
case/mxvec_indexP: c => h i.
have := left_zero_Z_numbers R okD okL h i (_ : size (edge T x) = T) (zero _ xp).
rewrite size_map size_iota => /(_ erefl); under eq_bigr do rewrite edgeE.
have := sumE [lmodType R of R^o] (fun j => (q *: given_Z R D L a) j (mxvec_index h i)).
rewrite /GRing.scale /= => -> /eqP; rewrite subr_eq0 [X in X == _]mxE [X in _ == X]mxE => /eqP.
exact/mulfI/toF_pos.
Qed.

Theorem outputs_of_examples : wf_sizes D -> ~~ projects L ->
  (distinct_rows (given_Z R D L a) <= size (distinct_examples D))%N.
Proof.
move=> okD nL; have [B BP] := rows_of_classes (distinct_examples D) (fun t t' => @given_Z_example R D okD L a t t' nL).
by apply: distinct_rows_leq => t; apply/BP/example_in.
Qed.

End Sound.

(* ================================================================================================= *)
(* Matrices made of heads                                                                            *)
(* ================================================================================================= *)
(* Blocks whose entries are sums of quotients of sums of powers of b, and columns of integers beside *)
(* them.                                                                                             *)

Definition power_quotient := (seq Z * seq (seq Z))%type.

(* number_of blocks of block_width columns; an entry is the sum of so many quotients *)
Record head_blocks := HeadBlocks {
  number_of : nat; block_width : nat; quotients_of : nat;
  quotients : nat -> nat -> seq power_quotient;  (* of a block and an example *)
  beside_width : nat; beside_row : nat -> seq Z  (* of an example *)
}.

Definition quotient_at (s : seq power_quotient) (k : nat) : power_quotient := nth ([::], [::]) s k.

(* -------------------------------------------------------------------------- *)
(* The checks                                                                  *)
(* -------------------------------------------------------------------------- *)
Fixpoint add_row (r s : seq Z) : seq Z :=
  match r, s with
  | x :: r', y :: s' => (x + y)%coqZ :: add_row r' s'
  | [::], _ => s
  | _, [::] => r
  end.

Section Checks.
Variables (D : problem) (L : layer) (a : bool) (B : head_blocks).

Definition block_mod (p g o : Z) (t i : nat) : option (seq Z) :=
  omap (foldr add_row [::])
    (all_some (fun x => block_of p g o [seq [seq (y mod p)%coqZ | y <- r] | r <- x.2] x.1) (quotients B i t)).

(* the first m blocks of a row, and what is beside all of them                    *)
Definition blocks_row_mod (p g o : Z) (m t : nat) : option (seq (seq Z)) :=
  omap (fun r => rcons r (beside_row B t)) (all_some (block_mod p g o t) (iota 0 m)).

Definition block_column_ok (c : nat * nat) : bool :=
  if (c.1 < number_of B)%N then (c.2 < block_width B)%N else (c.1 == number_of B) && (c.2 < beside_width B)%N.

Definition minor_blocks_ok (p g o : Z) (rows : seq nat) (cols : seq (nat * nat)) : bool :=
  [&& (1 <? p)%coqZ, order_ok p g o, residue_ok D L a p g, all (fun t => t < T D)%N rows, all block_column_ok cols &
    let ws := column_words cols in let m := minn (heads_in cols) (number_of B) in
    free_rows p (size cols) (fun t => omap (entries_at cols ws) (blocks_row_mod p g o m t)) rows].

(* a vector with each entry as often as there are quotients                        *)
Definition repeated (m : nat) (y : seq (seq (Z * Z))) : seq (seq (Z * Z)) :=
  [seq nth [::] y (k %/ quotients_of B)%N | k <- iota 0 (m * quotients_of B)].

Definition left_blocks (y : seq (seq (Z * Z))) : bool :=
  all (fun i => let s := flatten [seq quotients B i t | t <- iota 0 (T D)] in
    left_identity Z.add Z.eqb Z.ltb 0%coqZ (collect_powers D L a) (block_width B) (T D * quotients_of B) (repeated (T D) y)
      (fun k => least_0 (quotient_at s k).1) (fun k => (quotient_at s k).2)) (iota 0 (number_of B)) &&
  left_zero_rows D L a (beside_width B) (beside_row B) y.

Definition left_blocks_ok (p g o : Z) (V : seq (seq (seq (Z * Z)))) : bool :=
  independent_sums D L a p g o (T D) V && all left_blocks V.

Definition right_blocks (x : seq (seq (seq (Z * Z)))) : bool :=
  all (fun t => let s := flatten [seq quotients B i t | i <- iota 0 (number_of B)] in
    right_identity Z.add Z.eqb Z.ltb 0%coqZ (collect_powers D L a) (block_width B) (number_of B * quotients_of B)
      [seq nth [::] x (k %/ quotients_of B)%N | k <- iota 0 (number_of B * quotients_of B)]
      (fun k => least_0 (quotient_at s k).1) (fun k => (quotient_at s k).2)) (iota 0 (T D)).

(* each vector as a part for each block                                            *)
Definition right_blocks_ok (p g o : Z) (V : seq (seq (seq (seq (Z * Z))))) : bool :=
  [&& beside_width B == 0%N, all (fun v => (size v == number_of B) && all (fun x => size x == block_width B) v) V,
    independent_sums D L a p g o (number_of B * block_width B) [seq flatten v | v <- V] & all right_blocks V].

End Checks.

(* --- what is averaged by a softmax, tokens or values *)
Definition softmax_blocks (D : problem) (L : layer) (a : bool) (hs : seq nat) (w : nat) (tokens : nat -> nat -> seq (seq Z))
    (v : nat) (beside : nat -> seq Z) : head_blocks :=
  let gs := [seq prepare L h | h <- hs] in
  HeadBlocks (size hs) w 1 (fun i t => [:: (exponents D L a (nth (prepare L 0) gs i) t, tokens i t)]) v beside.

(* the values x W_V,h + b_V,h, times denominators                                    *)
Definition values_den (D : problem) (w : whole) : positive := (q_contexts D * q_value w * q_value_bias w)%positive.
Definition value_columns (D : problem) (w : whole) (h : nat) : seq (seq Z * Z) :=
  [seq (col k (nth [::] (value_weights w) h), Zpos (q_contexts D * q_value w) * ent (value_bias w) h k)%coqZ
    | k <- iota 0 (value_width w)].
Definition values_of (w : whole) (cs : seq (seq Z * Z)) (C : seq (seq Z)) : seq (seq Z) :=
  [seq [seq (dot x c.1 * Zpos (q_value_bias w) + c.2)%coqZ | c <- cs] | x <- C].

(* a one, and the labels of an example                                               *)
Definition beside_size (D : problem) (ones labelled : bool) : nat :=
  ((if ones then 1 else 0) + if labelled then d_out D else 0)%N.
Definition beside_of (D : problem) (ones labelled : bool) (t : nat) : seq Z :=
  (if ones then [:: 1%coqZ] else [::]) ++ (if labelled then nth [::] (labels D) t else [::]).

Definition value_blocks (D : problem) (L : layer) (a : bool) (w : whole) (hs : seq nat) (ones labelled : bool) : head_blocks :=
  let cs := [seq value_columns D w h | h <- hs] in
  softmax_blocks D L a hs (value_width w) (fun i t => values_of w (nth [::] cs i) (context_at D t))
    (beside_size D ones labelled) (beside_of D ones labelled).

Definition blocks_of (D : problem) (c : arguments) (L : layer) (a : bool) (b : blocks) : option head_blocks :=
  let heads := iota 0 (H D) in
  let only := if only_head c is Some h then if (h < H D)%N then Some h else None else None in
  match b, only, around D with
  | WithOnes l, _, _ => Some (softmax_blocks D L a heads (d D) (fun _ t => context_at D t)
      (beside_size D true l) (beside_of D true l))
  | OneHead false, Some h, _ => Some (softmax_blocks D L a [:: h] (d D) (fun _ t => context_at D t) 0 (fun=> [::]))
  | OneHead true, Some h, Some w => Some (value_blocks D L a w [:: h] false false)
  | Outputs o l, _, Some w => Some (value_blocks D L a w heads o l)
  | _, _, _ => None
  end.

Lemma nth_add_row r s j : nth 0%coqZ (add_row r s) j = (nth 0 r j + nth 0 s j)%coqZ.
Proof.
elim: r s j => [|x r IH] [|y s] [|j] //=; rewrite ?nth_nil ?Z.add_0_r //.
Qed.

Lemma sum_divmod (V : zmodType) m k (f : nat -> nat -> V) :
  \sum_(s < m * k) f (s %/ k)%N (s %% k)%N = \sum_(t < m) \sum_(u < k) f t u.
Proof.
elim: m f => [|m IH] f; first by rewrite !big_ord0.
rewrite mulSn big_split_ord big_ord_recl /=; congr (_ + _).
  by apply: eq_bigr => u _; rewrite divn_small // modn_small.
rewrite -(IH (fun t => f t.+1)); apply: eq_bigr => s _.
have k0 : (0 < k)%N by have := ltn_ord s; case: (posnP k) => // {2}->; rewrite muln0.
by rewrite divnDl // divnn k0 modnDl.
Qed.

Lemma flatten_at (A : Type) (x0 : A) m k (f : nat -> seq A) s : (forall t, (t < m)%N -> size (f t) = k) -> (s < m * k)%N ->
  nth x0 (flatten [seq f t | t <- iota 0 m]) s = nth x0 (f (s %/ k)%N) (s %% k)%N.
Proof.
move=> sf sm; have k0 : (0 < k)%N by move: sm; case: (posnP k) => // ->; rewrite muln0.
rewrite (@nth_flatten_rows _ _ k) // ?all_map; last by apply/allP => t; rewrite mem_iota => /sf /= ->.
by rewrite (nth_map 0%N) ?size_iota ?ltn_divLR // nth_iota ?ltn_divLR.
Qed.

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Sound.
Variables (R : realType) (D : problem) (L : layer) (a : bool) (B : head_blocks).
Local Notation T := (T D).
Let b : R := expR (kappa R D L a).
Let ev (x : Z) : R := b ^ int_of_Z x.
Let evD x y : ev (x + y)%coqZ = ev x * ev y.
Proof. by rewrite /ev -expfzDr ?gt_eqF ?expR_gt0 // -rmorphD. Qed.
Let ev_equal x y : (x =? y)%coqZ -> ev x = ev y. Proof. by move=> /Z.eqb_eq->. Qed.
Let ev0 : ev 0%coqZ = 1. Proof. exact: expr0z. Qed.
Let ev_gt0 x : 0 < ev x. Proof. by rewrite exprz_gt0 // expR_gt0. Qed.
Local Notation k := (quotients_of B).

(* the quotients are as many as they should be, and have tokens                    *)
Definition sized (x : power_quotient) : Prop := (0 < size x.1)%N /\ size x.2 = size x.1.
Definition well_sized : Prop := forall i t, (i < number_of B)%N -> (t < T)%N ->
  size (quotients B i t) = k /\ forall u, (u < k)%N -> sized (quotient_at (quotients B i t) u).

Definition quotient_value (x : power_quotient) (j : nat) : R := entry 0%coqZ ev (size x.1) x.1 x.2 j.
Definition block_entry (i t j : nat) : R := \sum_(u < k) quotient_value (quotient_at (quotients B i t) u) j.
Definition inner_mx : 'M[R]_(T, number_of B * block_width B) :=
  \matrix_t mxvec (\matrix_(i < number_of B, j < block_width B) block_entry i t j).
Definition beside_mx : 'M[R]_(T, beside_width B) := \matrix_(t, j) toF R (nth 0%coqZ (beside_row B t) j).
Definition blocks_mx : 'M[R]_(T, number_of B * block_width B + beside_width B) := row_mx inner_mx beside_mx.

Hypothesis wsB : well_sized.

Lemma inner_mxE t (i : 'I_(number_of B)) (j : 'I_(block_width B)) : inner_mx t (mxvec_index i j) = block_entry i t j.
Proof. by rewrite mxE mxvecE mxE. Qed.

Lemma red_quotients p g o s rs j : (1 < p)%coqZ -> order_ok p g o -> place p b g ->
    Forall2 (fun (x : power_quotient) r => block_of p g o [seq [seq (y mod p)%coqZ | y <- c] | c <- x.2] x.1 = Some r) s rs ->
    (forall u, (u < size s)%N -> sized (quotient_at s u)) ->
  red p b g (\sum_(u < size s) quotient_value (quotient_at s u) j) (nth 0%coqZ (foldr add_row [::] rs) j).
Proof.
move=> p1 og bg; elim=> [|x r s' rs' xr _ IH] sz.
  by rewrite big_ord0 nth_nil; have := red_int p b g 0; rewrite rmorph0.
rewrite big_ord_recl [foldr _ _ _]/= nth_add_row; apply: red_add; last by apply: IH => u us; apply: (sz u.+1).
have [_ s2] := sz 0%N isT; rewrite -[quotient_at _ _]/x in s2 *.
by have := @red_block_of R D L a p g o _ _ j _ p1 og bg s2 xr; rewrite /quotient_value /entry.
Qed.

Lemma red_block p g o (t : 'I_T) i j r : (1 < p)%coqZ -> order_ok p g o -> place p b g -> (i < number_of B)%N ->
  block_mod B p g o t i = Some r -> red p b g (block_entry i t j) (nth 0%coqZ r j).
Proof.
move=> p1 og bg iB; rewrite /block_mod; case A: (all_some _ _) => [rs|] // [<-].
have [sq qs] := wsB iB (ltn_ord t); rewrite /block_entry -sq.
by apply: (red_quotients _ p1 og bg (all_someP A)) => u; rewrite sq; apply: qs.
Qed.

Lemma red_columns p g o cols t r (f : 'I_(size cols) -> 'I_(number_of B * block_width B + beside_width B)) :
    (1 < p)%coqZ -> order_ok p g o -> place p b g ->
    (forall c : 'I_(size cols),
      (exists h i, [/\ f c = lshift _ (mxvec_index h i), (h : nat) = (nth (0, 0)%N cols c).1 & (i : nat) = (nth (0, 0)%N cols c).2]) \/
      (exists i, [/\ f c = rshift _ i, (nth (0, 0)%N cols c).1 = number_of B & (i : nat) = (nth (0, 0)%N cols c).2])) ->
    blocks_row_mod B p g o (minn (heads_in cols) (number_of B)) t = Some r ->
  forall (i : 'I_T) (c : 'I_(size cols)), i = t :> nat ->
    red p b g (blocks_mx i (f c)) (nth 0%coqZ [seq nth 0%coqZ (nth [::] r c.1) c.2 | c <- cols] c).
Proof.
move=> p1 og bg fP; rewrite /blocks_row_mod; case A: (all_some _ _) => [rs|] // [<-] i c it.
have [] := Forall2_nth 0%N [::] (all_someP A); rewrite size_iota => srs At.
rewrite (nth_map (0, 0)%N) // nth_rcons -srs.
have cm := heads_inP (ltn_ord c).
have [[h [j [-> hE jE]]]|[j [-> cE jE]]] := fP c; last first.
  have -> : minn (heads_in cols) (number_of B) = number_of B by apply/minn_idPr; rewrite -cE ltnW.
  by rewrite cE ltnn eqxx -jE row_mxEr mxE it; apply: red_int.
have hm : ((nth (0, 0)%N cols c).1 < minn (heads_in cols) (number_of B))%N by rewrite leq_min cm -hE ltn_ord.
rewrite hm row_mxEl inner_mxE hE -jE; have := At _ hm; rewrite nth_iota // add0n -it => Ah.
by apply: red_block Ah; rewrite // -hE ltn_ord.
Qed.

Theorem minor_blocks_rank p g o rows cols : minor_blocks_ok D L a B p g o rows cols -> (size rows <= \rank blocks_mx)%N.
Proof.
move=> /and5P[/Z.ltb_lt p1 og res rT /andP[cH]] /free_rowsP[M' /Forall2_omap[M ME ->] fM].
have bg : place p b g by apply: place_kappa.
have /fin_all_exists[f fP] (c : 'I_(size cols)) : exists j : 'I_(number_of B * block_width B + beside_width B),
    (exists h i, [/\ j = lshift _ (mxvec_index h i), (h : nat) = (nth (0, 0)%N cols c).1 &
      (i : nat) = (nth (0, 0)%N cols c).2]) \/
    (exists i, [/\ j = rshift _ i, (nth (0, 0)%N cols c).1 = number_of B & (i : nat) = (nth (0, 0)%N cols c).2]).
  have := all_nthP (0, 0)%N cH c (ltn_ord c); rewrite /block_column_ok; case: ifP => [hH iD|_ /andP[/eqP hH iD]].
    by exists (lshift _ (mxvec_index (Ordinal hH) (Ordinal iD))); left; exists (Ordinal hH), (Ordinal iD).
  by exists (rshift _ (Ordinal iD)); right; exists (Ordinal iD).
apply: (residues_rank (s := size cols) (f := f) p1 bg rT _ fM); rewrite (eq_map (entries_atE cols)).
elim: ME => [|t r rows' M'' tr _ IH]; first by constructor.
constructor; last exact: IH.
by split=> [|i c it]; [rewrite size_map|apply: red_columns tr _ _ it].
Qed.

(* --- vectors that annihilate the blocks *)
Lemma quotient_least_0 x j : entry 0%coqZ ev (size x.1) (least_0 x.1) x.2 j = quotient_value x j.
Proof. by rewrite (@entry_least_0 R D L a). Qed.

Lemma left_blocksE y (c : 'I_(number_of B * block_width B + beside_width B)) : left_blocks D L a B y ->
  \sum_(t < T) sum_value ev (nth [::] y t) * blocks_mx t c = 0.
Proof.
move=> /andP[/allP ok okB]; case: (split_ordP c) => [{}c ->|{}c ->]; last first.
  by rewrite -[RHS](left_zero_rowsE R c okB); apply: eq_bigr => t _; rewrite row_mxEr mxE.
case/mxvec_indexP: c => i j; have /= := ok i; rewrite mem_iota ltn_ord => /(_ isT).
set s := flatten _; have sE u : (u < T * k)%N -> quotient_at s u = quotient_at (quotients B i (u %/ k)%N) (u %% k)%N /\
    sized (quotient_at s u).
  move=> uT; have k0 : (0 < k)%N by move: uT; case: (posnP k) => // ->; rewrite muln0.
  have uk : (u %/ k < T)%N by rewrite ltn_divLR.
  have [sq qs] := wsB (ltn_ord i) uk; have E : quotient_at s u = quotient_at (quotients B i (u %/ k)%N) (u %% k)%N.
    by rewrite /quotient_at /s (@flatten_at _ _ _ k) // => t tT; have [] := wsB (ltn_ord i) tT.
  by rewrite E; split=> //; apply: qs; rewrite ltn_mod.
move=> id0; pose m u := size (quotient_at s u).1.
have sz (u : 'I_(T * k)) : [/\ (0 < m u)%N, size (least_0 (quotient_at s u).1) = m u & size (quotient_at s u).2 = m u].
  by have [_ [s1 s2]] := sE u (ltn_ord u); rewrite size_least_0.
rewrite -[RHS](left_identity_sized evD ev_equal ev0 ev_gt0 (collect_powersE R D L a) sz id0 (ltn_ord j)).
rewrite (eq_bigr (fun u : 'I_(T * k) => sum_value ev (nth [::] y (u %/ k)%N) *
    quotient_value (quotient_at (quotients B i (u %/ k)%N) (u %% k)%N) j)); last first.
  move=> u _; have [E su] := sE u (ltn_ord u); rewrite quotient_least_0 -E; congr (sum_value _ _ * _).
  by rewrite /repeated (nth_map 0%N) ?size_iota // nth_iota.
rewrite (sum_divmod T k (fun t u => sum_value ev (nth [::] y t) * quotient_value (quotient_at (quotients B i t) u) j)).
by apply: eq_bigr => t _; rewrite row_mxEl inner_mxE mulr_sumr.
Qed.

Theorem left_blocks_rank p g o V : left_blocks_ok D L a B p g o V -> (\rank blocks_mx <= T - size V)%N.
Proof.
move=> /andP[iV /allP ok]; rewrite -mxrank_tr.
pose X := \matrix_(r < size V, t < T) sum_value ev (nth [::] (nth [::] V r) t).
apply: leq_trans (kernel_rank (X := X) _) _; last first.
  by apply: leq_sub2l; apply: (independent_sums_rank (f := id)) iV => // r c; rewrite mxE.
apply/matrixP => c r; rewrite mxE [RHS]mxE -[RHS](left_blocksE c (ok _ (mem_nth [::] (ltn_ord r)))).
by apply: eq_bigr => t _; rewrite mxE [X in _ * X]mxE [X in _ * X]mxE mulrC.
Qed.

Lemma right_blocksE x (t : 'I_T) : right_blocks D L a B x ->
  \sum_(i < number_of B) \sum_(j < block_width B) block_entry i t j * sum_value ev (nth [::] (nth [::] x i) j) = 0.
Proof.
move=> /allP ok; have /= := ok t; rewrite mem_iota ltn_ord => /(_ isT).
set s := flatten _; have sE u : (u < number_of B * k)%N -> quotient_at s u = quotient_at (quotients B (u %/ k)%N t) (u %% k)%N /\
    sized (quotient_at s u).
  move=> uT; have k0 : (0 < k)%N by move: uT; case: (posnP k) => // ->; rewrite muln0.
  have uk : (u %/ k < number_of B)%N by rewrite ltn_divLR.
  have [sq qs] := wsB uk (ltn_ord t); have E : quotient_at s u = quotient_at (quotients B (u %/ k)%N t) (u %% k)%N.
    by rewrite /quotient_at /s (@flatten_at _ _ _ k) // => i iB; have [] := wsB iB (ltn_ord t).
  by rewrite E; split=> //; apply: qs; rewrite ltn_mod.
move=> id0; pose m u := size (quotient_at s u).1.
have sz (u : 'I_(number_of B * k)) : [/\ (0 < m u)%N, size (least_0 (quotient_at s u).1) = m u & size (quotient_at s u).2 = m u].
  by have [_ [s1 s2]] := sE u (ltn_ord u); rewrite size_least_0.
rewrite -[RHS](right_identity_sized evD ev_equal ev0 ev_gt0 (collect_powersE R D L a) sz id0).
rewrite [RHS](eq_bigr (fun u : 'I_(number_of B * k) => \sum_(j < block_width B)
    quotient_value (quotient_at (quotients B (u %/ k)%N t) (u %% k)%N) j * sum_value ev (nth [::] (nth [::] x (u %/ k)%N) j)));
  last first.
  move=> u _; apply: eq_bigr => j _; have [E su] := sE u (ltn_ord u); rewrite quotient_least_0 -E; congr (_ * sum_value _ (nth _ _ _)).
  by rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite (sum_divmod (number_of B) k (fun i u => \sum_(j < block_width B)
  quotient_value (quotient_at (quotients B i t) u) j * sum_value ev (nth [::] (nth [::] x i) j))).
apply: eq_bigr => i _; rewrite [RHS]exchange_big; apply: eq_bigr => j _.
by rewrite /block_entry mulr_suml.
Qed.

Theorem right_blocks_rank p g o V : right_blocks_ok D L a B p g o V ->
  (\rank blocks_mx <= number_of B * block_width B - size V)%N.
Proof.
move=> /and4P[/eqP v0 /allP sV iV /allP ok]; set w := block_width B.
have -> : \rank blocks_mx = \rank inner_mx.
  apply/eqP; rewrite eqn_leq; apply/andP; split; last first.
    by rewrite -mxrank_tr -[X in (_ <= X)%N]mxrank_tr mxrankS // tr_row_mx -addsmxE addsmxSl.
  rewrite -mxrank_tr tr_row_mx -addsmxE; apply: leq_trans (mxrank_adds_leqif _ _) _.
  by rewrite mxrank_tr -[X in (_ <= X)%N]addn0 leq_add2l (leq_trans (rank_leq_row _)) ?v0.
pose x (r : 'I_(size V)) : 'M[R]_(number_of B, w) :=
  \matrix_(h, j) sum_value ev (nth [::] (nth [::] (nth [::] V r) h) j).
have cd (c : 'I_(number_of B * w)) : (0 < w)%N /\ (c %/ w < number_of B)%N.
  have d0 : (0 < w)%N by have := leq_ltn_trans (leq0n c) (ltn_ord c); rewrite muln_gt0 => /andP[].
  by rewrite ltn_divLR.
pose hj c := mxvec_index (Ordinal (proj2 (cd c))) (Ordinal (ltn_pmod c (proj1 (cd c)))).
apply: leq_trans (kernel_rank (X := \matrix_r mxvec (x r)) _) _; last first.
  apply: leq_sub2l; apply: (independent_sums_rank (f := hj)) iV; first by rewrite size_map.
  move=> r c; rewrite mxE mxvecE mxE (nth_map [::]) //.
  have /andP[_ sr] := sV _ (mem_nth [::] (ltn_ord r)).
  by rewrite (@nth_flatten_rows _ _ w) ?(proj1 (cd c)).
apply/matrixP => t r; rewrite mxE [RHS]mxE.
pose f (h : 'I_(number_of B)) (j : 'I_w) :=
  inner_mx t (mxvec_index h j) * (\matrix_r mxvec (x r))^T (mxvec_index h j) r.
rewrite (reindex _ (curry_mxvec_bij _ _)) (eq_bigr (fun hj => f hj.1 hj.2)); last by case.
rewrite -(pair_bigA _ f) /= -[RHS](right_blocksE t (ok _ (mem_nth [::] (ltn_ord r)))).
by apply: eq_bigr => h _; apply: eq_bigr => j _; rewrite /f inner_mxE [X in _ * X]mxE [X in _ * X]mxE mxvecE mxE.
Qed.

End Sound.

(* -------------------------------------------------------------------------- *)
(* What the blocks are                                                         *)
(* -------------------------------------------------------------------------- *)
Lemma rank_multiples (F : fieldType) m k l (M : 'M[F]_(m, k)) (N : 'M[F]_(m, l)) :
  (forall c, exists c' s, forall t, M t c = s * N t c') -> (\rank M <= \rank N)%N.
Proof.
move=> MN; rewrite -mxrank_tr -[X in (_ <= X)%N]mxrank_tr; apply/mxrankS/row_subP => c.
have [c' [s sE]] := MN c; rewrite (_ : row c M^T = s *: row c' N^T) ?scalemx_sub ?row_sub //.
by apply/rowP => t; rewrite !mxE.
Qed.

Section Softmax.
Variables (R : realType) (D : problem) (L : layer) (a : bool).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Hypotheses (okD : wf_problem D) (okL : wf_layer D L).
Let b : R := expR (kappa R D L a).
Let ev (x : Z) : R := b ^ int_of_Z x.

Lemma softmax_sized hs w tokens v beside : all (fun h => h < H)%N hs ->
    (forall i t, (i < size hs)%N -> (t < T)%N -> size (tokens i t) = n) ->
  well_sized D (softmax_blocks D L a hs w tokens v beside).
Proof.
move=> /allP hH st i t iB tT; split=> // -[|//] _.
have iH : (nth 0%N hs i < H)%N by apply/hH/mem_nth.
have sE := size_exponents okD a okL (Ordinal tT) (Ordinal iH).
by split; rewrite /= (nth_map 0%N) // sE ?st // (n_gt0 okD).
Qed.

(* a mean with the coefficients of a head                                        *)
Lemma given_mean (t : 'I_T) (h : 'I_H) C j :
  \sum_(i < n) given_coefs R L a t h i * toF R (ent C i j) = entry 0%coqZ ev n (exponents D L a (prepare L h) t) C j.
Proof.
rewrite /entry mulr_suml; apply: eq_bigr => i _.
rewrite [given_coefs _ _ _ _ _ _]mxE [(_)^T _ _]mxE softmax_logits [softmax _ _ _]mxE (expR_exponents R a okD okL).
by under eq_bigr do rewrite (expR_exponents R a okD okL); rewrite mulrAC.
Qed.

Lemma softmax_entry hs w tokens v beside (t : 'I_T) (h : 'I_H) (i : 'I_(size hs)) (j : 'I_w) : nth 0%N hs i = h ->
  inner_mx R D L a (softmax_blocks D L a hs w tokens v beside) t (mxvec_index i j) =
  \sum_(i' < n) given_coefs R L a t h i' * toF R (ent (tokens i t) i' j).
Proof.
move=> hE; rewrite inner_mxE /block_entry big_ord1 /quotient_value given_mean /=.
by rewrite (nth_map 0%N) // hE (size_exponents okD a okL).
Qed.

End Softmax.

Section Kinds.
Variables (R : realType) (D : problem) (L : layer) (a : bool) (c : claim).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Hypotheses (okD : wf_problem D) (okL : wf_layer D L).
Let q : R := toF R (Zpos (q_contexts D)).
Let q0 : q != 0 := toF_pos R (q_contexts D).

(* means with any coefficients                                                    *)
Lemma mean_tokens (A : 'M[R]_(H, n)) (t : 'I_T) (h : 'I_H) (j : 'I_d) :
  \sum_(i < n) A h i * toF R (ent (context_at D t) i j) = q * (row h A *m E R D t) 0 j.
Proof.
rewrite mxE mulr_sumr; apply: eq_bigr => i _.
by rewrite [row _ _ _ _]mxE [E R D t i j]mxE mulrCA; congr (_ * _); rewrite mulrC divfK.
Qed.

Lemma size_values w cs (t : 'I_T) : size (values_of w cs (context_at D t)) = n.
Proof. by rewrite size_map size_context. Qed.

Lemma mean_values w (A : 'M[R]_(H, n)) (t : 'I_T) (h : 'I_H) (j : 'I_(value_width w)) :
  \sum_(i < n) A h i * toF R (ent (values_of w (value_columns D w h) (context_at D t)) i j) =
  toF R (Zpos (values_den D w)) * (row h A *m head_values R w h t) 0 j.
Proof.
rewrite mxE mulr_sumr; apply: eq_bigr => i _; rewrite [row _ _ _ _]mxE mulrCA; congr (_ * _).
rewrite /ent (nth_map [::]) ?size_context // (nth_map ([::], 0%coqZ)) ?size_map ?size_iota //.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n; cbn [fst snd].
rewrite /head_values mxE [X in _ * (X + _)]mxE [X in _ * (_ + X)]mxE big_ord1 [const_mx 1 _ _]mxE mul1r.
rewrite [(literal_bias _ _ _ _ _)^T _ _]mxE [literal_bias _ _ _ _ _ _ _]mxE [row _ _ _ _]mxE [mx _ _ _ _ _ _ _]mxE.
rewrite toFD toFM (@dotE d) ?size_token // rmorph_sum /values_den !toFpM mulrDr; congr (_ + _); last first.
  by rewrite toFM toFpM -[RHS]mulrA; congr (_ * _); rewrite mulrC divfK ?toF_pos.
rewrite [RHS]mulrC mulrA; congr (_ * _); rewrite mulr_suml; apply: eq_bigr => k _.
rewrite rmorphM /= nth_col [E R D t i k]mxE [literal _ _ _ _ _ _ _ _]mxE -/(ent _ _ _) /ent.
by rewrite mulrACA !divfK ?toF_pos.
Qed.

(* columns of M, in blocks and beside them, and no others                         *)
Lemma rank_of_blocks B k (M : 'M[R]_(T, k)) x y (f : 'I_(number_of B) -> 'I_(block_width B) -> 'I_k) (g : 'I_(beside_width B) -> 'I_k) :
    x != 0 -> (forall o, y o != 0) ->
    (forall t i j, inner_mx R D L a B t (mxvec_index i j) = x * M t (f i j)) ->
    (forall (t : 'I_T) (o : 'I_(beside_width B)), toF R (nth 0%coqZ (beside_row B t) o) = y o * M t (g o)) ->
    (forall i, (exists j l, i = f j l) \/ (exists o, i = g o)) ->
  \rank (blocks_mx R D L a B) = \rank M.
Proof.
move=> x0 y0 fE gE onto; apply/eqP; rewrite eqn_leq; apply/andP; split; apply: rank_multiples => i.
  case: (split_ordP i) => [{}i ->|o ->]; last by exists (g o), (y o) => t; rewrite row_mxEr mxE gE.
  by case/mxvec_indexP: i => j l; exists (f j l), x => t; rewrite row_mxEl fE.
have [[j [l ->]]|[o ->]] := onto i.
  by exists (lshift _ (mxvec_index j l)), x^-1 => t; rewrite row_mxEl fE mulKf.
by exists (rshift _ o), (y o)^-1 => t; rewrite row_mxEr mxE gE mulKf.
Qed.

(* entries of M, and beside them a column of ones and the labels                  *)
Lemma rank_blocks_beside N w qs quots k (M : 'M[R]_(T, k)) x (f : 'I_N -> 'I_w -> 'I_k) o l :
    let B := HeadBlocks N w qs quots (beside_size D o l) (beside_of D o l) in
    x != 0 -> (forall t i j, inner_mx R D L a B t (mxvec_index i j) = x * M t (f i j)) ->
    (forall i, exists h j, i = f h j) ->
  \rank (blocks_mx R D L a B) = rank_beside M o l.
Proof.
have ql0 : toF R (Zpos (q_labels D)) != 0 := toF_pos R (q_labels D).
have onto l' : (forall i, exists h j, i = f h j) -> forall i : 'I_(k + l'),
    (exists h j, i = lshift l' (f h j)) \/ exists o, i = rshift k o.
  move=> fi i; case: (split_ordP i) => [{}i ->|u ->]; last by right; exists u.
  by left; have [h [j ->]] := fi i; exists h, j.
case: o l => [] [] B x0 fE fi.
- pose y (u : 'I_(1 + d_out D)) : R := if (u < 1)%N then 1 else toF R (Zpos (q_labels D)).
  apply: (rank_of_blocks (B := B) (x := x) (y := y) (f := fun i j => lshift _ (f i j)) (g := fun u => rshift _ u)) => // [u|t i j|t u|].
  + by rewrite /y; case: ifP; rewrite ?oner_neq0.
  + by rewrite row_mxEl fE.
  + rewrite row_mxEr /y; case: (split_ordP u) => j -> /=.
      by rewrite row_mxEl mxE ord1 mulr1 rmorph1.
    by rewrite row_mxEr mxE mulrC divfK.
  exact: onto.
- apply: (rank_of_blocks (B := B) (x := x) (y := fun=> 1) (f := fun i j => lshift _ (f i j)) (g := fun u => rshift _ u)) => // [t i j|t u|].
  + by rewrite row_mxEl fE.
  + by rewrite row_mxEr mxE [u]ord1 mulr1 rmorph1.
  exact: onto.
- apply: (rank_of_blocks (B := B) (x := x) (y := fun=> toF R (Zpos (q_labels D))) (f := fun i j => lshift _ (f i j)) (g := fun u => rshift _ u)) => // [t i j|t u|].
  + by rewrite row_mxEl fE.
  + by rewrite row_mxEr mxE mulrC divfK.
  exact: onto.
apply: (rank_of_blocks (B := B) (x := x) (y := fun=> 1) (f := f) (g := fun u => match notF (ltn_ord u) with end)) => // [t []//|i].
by left; apply: fi.
Qed.

Let all_heads : 'I_(size (iota 0 H)) -> 'I_H := cast_ord (size_iota 0 H).
Let all_headsE (i : 'I_(size (iota 0 H))) : nth 0%N (iota 0 H) i = all_heads i.
Proof. by rewrite nth_iota // -[X in (_ < X)%N](size_iota 0 H). Qed.
Let all_heads_onto w (i : 'I_(H * w)) : exists h j, i = mxvec_index (all_heads h) j.
Proof.
case/mxvec_indexP: i => h j; exists (cast_ord (esym (size_iota 0 H)) h), j.
by rewrite /all_heads cast_ordKV.
Qed.
Let tokens_sized (hs : seq nat) i t : (i < size hs)%N -> (t < T)%N -> size (context_at D t) = n.
Proof. by move=> _ tT; apply: (size_context okD (Ordinal tT)). Qed.
Let values_sized w (hs : seq nat) i t : (i < size hs)%N -> (t < T)%N ->
  size (values_of w (nth [::] [seq value_columns D w h | h <- hs] i) (context_at D t)) = n.
Proof. by move=> _ tT; apply: (size_values w _ (Ordinal tT)). Qed.

Let means_and l : \rank (blocks_mx R D L a (softmax_blocks D L a (iota 0 H) d (fun _ t => context_at D t)
    (beside_size D true l) (beside_of D true l))) = rank_beside (given_Z R D L a) true l.
Proof.
apply: (rank_blocks_beside q0 _ (@all_heads_onto d)) => t i j.
by rewrite (@softmax_entry R D L a okD okL (iota 0 H) d (fun _ t => context_at D t) (beside_size D true l) (beside_of D true l) t (all_heads i) i j (all_headsE i)) mean_tokens given_Z_attn_out attn_outE.
Qed.

Let means_of_head (h : 'I_H) : \rank (blocks_mx R D L a
    (softmax_blocks D L a [:: h : nat] d (fun _ t => context_at D t) 0 (fun=> [::]))) = \rank (head_averages R L a h).
Proof.
apply: (rank_blocks_beside (o := false) (l := false) (f := fun i j => j) q0) => [t i j|i]; last by exists ord0, i.
rewrite (@softmax_entry R D L a okD okL [:: h : nat] d (fun _ t => context_at D t) 0%N (fun=> [::]) t h i j) ?mean_tokens; last by case: i => -[].
by rewrite [X in _ = _ * X]mxE.
Qed.

Let values_entry w hs o l (t : 'I_T) (h : 'I_H) (i : 'I_(size hs)) (j : 'I_(value_width w)) : nth 0%N hs i = h ->
  inner_mx R D L a (value_blocks D L a w hs o l) t (mxvec_index i j) =
    toF R (Zpos (values_den D w)) * (row h (given_coefs R L a t) *m head_values R w h t) 0 j.
Proof.
move=> hE; rewrite (@softmax_entry R D L a okD okL hs _ _ _ _ t h i j hE).
by rewrite (nth_map 0%N) // hE mean_values.
Qed.

Let outputs_of_head w (h : 'I_H) : \rank (blocks_mx R D L a (value_blocks D L a w [:: h : nat] false false)) =
  \rank (head_outputs R w L a h).
Proof.
apply: (rank_blocks_beside (o := false) (l := false) (f := fun i j => j) (toF_pos R (values_den D w))) => [t i j|i]; last by exists ord0, i.
have hE : nth 0%N [:: h : nat] i = h by case: i => -[].
by rewrite (values_entry false false t j hE) [X in _ = _ * X]mxE.
Qed.

Let outputs_and w o l : \rank (blocks_mx R D L a (value_blocks D L a w (iota 0 H) o l)) =
  rank_beside (layer_outputs R D w L a) o l.
Proof.
apply: (rank_blocks_beside (toF_pos R (values_den D w)) _ (@all_heads_onto (value_width w))) => t i j.
by rewrite (values_entry o l t j (all_headsE i)) [X in _ = _ * X]mxE mxvecE [X in _ = _ * X]mxE [X in _ = _ * X]mxE [X in _ = _ * X]mxE.
Qed.

Let all_one h : (h < H)%N -> all (fun h => h < H)%N [:: h]. Proof. by rewrite /= andbT. Qed.
Let all_below : all (fun h => h < H)%N (iota 0 H). Proof. by apply/allP => h; rewrite mem_iota. Qed.

Lemma blocks_rankE b B : blocks_of D (args c) L a b = Some B ->
  well_sized D B /\ \rank (blocks_mx R D L a B) = rank_blocks R D c L a b.
Proof.
rewrite /rank_blocks /head_of_claim /blocks_of; case: b => [l|[]|o l].
- by move=> [<-]; split; [apply: softmax_sized => // i t; apply: tokens_sized|apply: means_and].
- case: (only_head _) => [h|] //; case: ifP => // hH; case: (around D) => // w [<-]; rewrite (insubT (fun h => h < H)%N hH).
  by have one := all_one hH; split; [apply: softmax_sized => // i t; apply: values_sized|exact: (outputs_of_head w (Ordinal hH))].
- case: (only_head _) => [h|] //; case: ifP => // hH [<-]; rewrite (insubT (fun h => h < H)%N hH).
  by have one := all_one hH; split; [apply: softmax_sized => // i t; apply: (@tokens_sized [:: h])|exact: (means_of_head (Ordinal hH))].
by case: (around D) => // w [<-]; split; rewrite ?outputs_and //; apply: softmax_sized => // i t; apply: values_sized.
Qed.

End Kinds.
