(* The proved checker, outputs: the different rows of Z, and Z beside the labels.      *)
(*                                                                                     *)
(*     different_rows_ok == minor of distinct(Z): rows that differ modulo p             *)
(*         equal_rows_ok == pairs of equal rows of Z, the edges of a forest             *)
(*       minor_labels_ok == minor of [Z Y]; block H of the columns holds the labels     *)
(*  different_rows_count, equal_rows_count, minor_labels_rank == what they prove        *)
(*         outputs_of_examples == distinct(Z) is at most the number of examples         *)
From Attest Require Import integers attention affine_hull transcendence literal_arithmetic words residues.
From Attest Require Import elimination problem logits minors quantity_bounds rational_matrices schemas heads sums.
From Attest Require Import zero.

Local Notation Z := BinNums.Z.

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
