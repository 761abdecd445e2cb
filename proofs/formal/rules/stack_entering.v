(* Layers before the layer, as they are given: vectors that enter the layer and are independent, and weights of *)
(* the layer.                                                                                                  *)
(*                                                                                                             *)
(*        taken st r == the enclosures st of independent vectors with r, if it is shown to be independent      *)
(*    subsets_free st k rows == so are any k of the rows                                                       *)
(*   entering_queries_ok S mixed k bits == any k of the examples' own rows; entering_contexts_ok == the tokens *)
(*                         of each example; entering_queries_geq, entering_contexts_geq == these bound Kruskal  *)
(*                         rank and the least rank of the contexts                                             *)
(*    queries_most, contexts_most S == at most so many, by classes; entering_queries_leq, entering_contexts_leq *)
(*    different_heads S L == pairs of W_h and what a query bias makes of the keys; equal_heads_rank == they      *)
(*                         bound rank(Z)                                                                        *)
(*    with_last S L == the same with the last layer L, its scale in the weights                                 *)
(*   last_layer_capacity, stack_capacity_any, stack_capacity_memorizes == theorem schemas                       *)
From Attest Require Import integers attention common kruskal theorem_1.
From Attest Require Import literal_arithmetic problem logits quantities statements other_layers stack_quantities.
From Attest Require Import enclosures intervals schemas readout quantity_bounds stack_enclosures stack_symmetry.
From Attest Require Import upper_bounds rational_matrices heads stack_hulls.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Elimination with enclosures                                                  *)
(* ============================================================================ *)
Section Compute.
Variable p : precision.

Definition iv_opposite (x : Z * Z) : Z * Z := (- x.2, - x.1)%coqZ.
(* divided by what is shown not to be 0 *)
Definition iv_over (x y : Z * Z) : Z * Z :=
  if (0 <? y.1)%coqZ then iv_times p x (iv_inverse p y) else iv_times p (iv_opposite x) (iv_inverse p (iv_opposite y)).

(* how far from 0, if that is shown *)
Definition off_zero (x : Z * Z) : Z := Z.max x.1 (- x.2)%coqZ.
Fixpoint farthest (r : seq (Z * Z)) (k : nat) (best : nat * Z) : nat :=
  if r is x :: r' then farthest r' k.+1 (if (best.2 <? off_zero x)%coqZ then (k, off_zero x) else best) else best.1.

(* rows with a place where each is not 0; each is 0 in the places of those before it *)
Definition placed := (nat * seq (Z * Z))%type.
Definition reduced_row (r : seq (Z * Z)) (u : placed) : seq (Z * Z) :=
  let f := iv_opposite (iv_over (nth (0, 0)%coqZ r u.1) (nth (0, 0)%coqZ u.2 u.1)) in
  [seq plus x.1 (iv_times p f x.2) | x <- zip r u.2].
Definition taken (st : seq placed) (r : seq (Z * Z)) : option (seq placed) :=
  let s := foldl reduced_row r st in let j := farthest s 0 (0%N, 0%coqZ) in
  if (0 <? off_zero (nth (0, 0)%coqZ s j))%coqZ then Some (rcons st (j, s)) else None.

Fixpoint subsets_free (st : seq placed) (k : nat) (rows : seq (seq (Z * Z))) : bool :=
  match k, rows with
  | 0, _ | _, [::] => true
  | k'.+1, r :: rows' =>
    if (size rows < k)%N then true
    else if subsets_free st k rows' then if taken st r is Some st' then subsets_free st' k' rows' else false else false
  end.

End Compute.

Section Elimination.
Variables (R : realType) (p : precision) (d : nat).
Local Notation K := (toF R (Zpos (denominator p))).
Local Notation z := (toF R).
Local Notation right v x := (encloses K v x).
Let K0 : 0 < K. Proof. exact: toFp_gt0. Qed.

Lemma near_opposite (v : R) x : within_iv p v x -> within_iv p (- v) (iv_opposite x).
Proof.
move=> /andP[l h]; rewrite /within_iv mulrN; apply/andP; rewrite [X in z X <= _]/fst [X in _ <= z X]/snd !toFN.
by split; rewrite ler_opp2.
Qed.

Lemma not_zero (v : R) x : (0 < off_zero x)%coqZ -> within_iv p v x -> v != 0.
Proof.
move=> o /andP[l h]; apply/eqP => v0; rewrite v0 mulr0 -(toF0 R) in l h.
have xl : (x.1 <= 0)%coqZ by apply/Z.leb_le/(toF_leP R). have xh : (0 <= x.2)%coqZ by apply/Z.leb_le/(toF_leP R).
by move: o; rewrite /off_zero; lia.
Qed.

Lemma near_over (v w : R) x y : (0 < off_zero y)%coqZ -> within_iv p v x -> within_iv p w y -> within_iv p (v / w) (iv_over p x y).
Proof.
move=> y0 vx wy; rewrite /iv_over; case: Z.ltb_spec => y1; first by apply: near_timesP => //; apply: near_inverse.
have -> : v / w = (- v) / (- w) by rewrite invrN mulrNN.
apply: near_timesP; first exact: near_opposite.
by apply: near_inverse; [move: y0 y1; rewrite /off_zero /iv_opposite /=; lia|apply: near_opposite].
Qed.

Implicit Types (v w : 'rV[R]_d) (vs : seq 'rV[R]_d).

(* st, from the last to the first, of independent vectors vs                        *)
Definition placed_rows vs (st : seq placed) : Prop :=
  [/\ free vs, forall v, v \in <<vs>>%VS -> (forall u (j : 'I_d), u \in st -> u.1 = j -> v 0 j = 0) -> v = 0 &
    forall k, (k < size st)%N -> let u := nth (0%N, [::]) st k in
      (0 < off_zero (nth (0, 0)%coqZ u.2 u.1))%coqZ /\ (u.1 < d)%N /\
      exists2 w, w \in <<vs>>%VS & right w u.2 /\
        forall l (j : 'I_d), (l < k)%N -> (nth (0%N, [::]) st l).1 = j -> w 0 j = 0].

Lemma right_reduced v r w (u : placed) : right v r -> right w u.2 -> (0 < off_zero (nth (0, 0)%coqZ u.2 u.1))%coqZ ->
  forall j : 'I_d, u.1 = j -> right (v - (v 0 j / w 0 j) *: w) (reduced_row p r u).
Proof.
move=> [sr vr] [su wu] o j uj; split=> [|k]; first by rewrite size_map size_zip sr su minnn.
rewrite (nth_map ((0, 0), (0, 0))%coqZ) ?size_zip ?sr ?su ?minnn // nth_zip ?sr ?su // !mxE -mulNr.
apply: near_plus; first exact: vr.
by apply: near_timesP; [apply: near_opposite; rewrite uj in o *; apply: near_over; [|apply: vr|apply: wu]|apply: wu].
Qed.

Lemma reducedP vs st v r : placed_rows vs st -> right v r -> exists v', [/\ right v' (foldl (reduced_row p) r st),
  v - v' \in <<vs>>%VS & forall u (j : 'I_d), u \in st -> u.1 = j -> v' 0 j = 0].
Proof.
move=> [_ _ st_good] vr.
have : forall m, (m <= size st)%N -> exists v', [/\ right v' (foldl (reduced_row p) r (take m st)), v - v' \in <<vs>>%VS &
    forall l (j : 'I_d), (l < m)%N -> (nth (0%N, [::]) st l).1 = j -> v' 0 j = 0].
  elim=> [|m IH] mst; first by exists v; rewrite take0 subrr mem0v.
  have [v' [vr' vv' v0]] := IH (ltnW mst); have /= [o [jd [w wvs [wu w0]]]] := st_good m mst.
  set u := nth _ st m in o jd wu; pose j := Ordinal jd.
  exists (v' - (v' 0 j / w 0 j) *: w); split=> [||l i].
  - rewrite (take_nth (0%N, [::])) // -cats1 foldl_cat /=; exact: (right_reduced vr' wu o).
  - by rewrite opprB addrCA addrC memvD // memvZ.
  rewrite ltnS leq_eqVlt => /orP[/eqP ->|lm] ui.
    have ij : i = j by apply: val_inj; rewrite /= -ui.
    have wj : w 0 j != 0 by have [_ wu'] := wu; apply: not_zero (wu' j).
    by rewrite ij !mxE divfK // subrr.
  by rewrite !mxE (v0 l i) // (w0 l i) // mulr0 subr0.
move=> /(_ (size st) (leqnn _)); rewrite take_size => -[v' [vr' vv' v0]]; exists v'; split=> // u j ust uj.
by apply: (v0 (index u st)); rewrite ?index_mem ?nth_index.
Qed.

Lemma takenP vs st st' v r : placed_rows vs st -> right v r -> taken p st r = Some st' -> placed_rows (v :: vs) st'.
Proof.
move=> good vr; have [v' [vr' vv' v0]] := reducedP good vr; have [free_vs zero st_good] := good.
rewrite /taken; set s := foldl _ _ _ in vr' *; set k := farthest _ _ _; case: ifP => // /Z.ltb_lt o [<-].
have [ss vs'] := vr'; have kd : (k < d)%N.
  by rewrite ltnNge; apply/negP => dk; rewrite nth_default ?ss // in o; move: o; rewrite /off_zero /=; lia.
pose j := Ordinal kd; have v'j : v' 0 j != 0 by apply: not_zero (vs' j).
have v'_out : v \notin <<vs>>%VS.
  apply/negP => vin; have v'in : v' \in <<vs>>%VS by rewrite -[v'](subKr v) memvB.
  by move: v'j; rewrite (zero v' v'in v0) mxE eqxx.
have sub : (<<vs>> <= <<v :: vs>>)%VS by rewrite span_cons addvSr.
have v_in : v \in <<v :: vs>>%VS by rewrite memv_span ?mem_head.
have v'_in : v' \in <<v :: vs>>%VS by rewrite -[v'](subKr v) memvB // (subvP sub).
split; first by rewrite free_cons v'_out.
- move=> y; rewrite span_cons => /memv_addP[a /vlineP[c ->] [b bvs ->]] y0.
  pose b' := b + c *: (v - v'); have b'vs : b' \in <<vs>>%VS by rewrite memvD // memvZ.
  have yE : c *: v + b = c *: v' + b' by rewrite /b' scalerBr [b + _]addrC addrA addrCA subrr addr0.
  rewrite yE in y0 *; have b'0 : b' = 0.
    apply: zero b'vs _ => u i ust ui; have := y0 u i; rewrite mem_rcons inE ust orbT => /(_ isT ui).
    by rewrite !mxE (v0 u) // mulr0 add0r.
  have := y0 (k, s) j; rewrite mem_rcons mem_head => /(_ isT erefl); rewrite b'0 addr0 mxE => /eqP.
  by rewrite mulf_eq0 (negPf v'j) orbF => /eqP ->; rewrite scale0r.
move=> l; rewrite size_rcons ltnS leq_eqVlt => /orP[/eqP ->|lst].
  rewrite nth_rcons ltnn eqxx /=; split=> //; split=> //; exists v' => //; split=> // l' i l'st ui.
  by apply: (v0 (nth (0%N, [::]) st l')) => //; [apply: mem_nth|rewrite nth_rcons l'st in ui].
rewrite nth_rcons lst /=; have /= [o' [jd [w wvs [wu w0]]]] := st_good l lst; split=> //; split=> //.
exists w; first exact: (subvP sub).
split=> // l' i l'l; rewrite nth_rcons (ltn_trans l'l lst); exact: w0.
Qed.

(* any k of the rows, one after the other                                           *)
Lemma subsets_freeP k rows xs st vs : placed_rows vs st -> size rows = size xs ->
    (forall i, (i < size xs)%N -> right (nth 0 xs i) (nth [::] rows i)) -> subsets_free p st k rows ->
  forall s, subseq s xs -> size s = k -> free (rev s ++ vs).
Proof.
elim: rows k xs st vs => [|r rows IH] [|k] [|x xs] st vs //= good.
- by move=> _ _ _ s _ /size0nil ->; have [] := good.
- by move=> _ _ _ [] // _ _.
- by move=> _ _ _ s _ /size0nil ->; have [] := good.
move=> [srx] right_xs; rewrite ltnS; case: ltnP => [few _ s sx sk|_].
  by have := size_subseq (sx : subseq s (x :: xs)); rewrite sk /= ltnS -srx leqNgt few.
have right_xs' i : (i < size xs)%N -> right (nth 0 xs i) (nth [::] rows i) by move=> ix; apply: (right_xs i.+1).
case: ifP => // rest; case E: (taken p st r) => [st'|] // sf [|y s] //= sx [sk].
have good' := takenP good (right_xs 0%N isT) E.
move: sx; case: eqP => [->|_] sx; last by apply: (IH k.+1 xs st vs) rest (y :: s) sx _; rewrite //= sk.
by rewrite rev_cons cat_rcons; apply: (IH k xs st' (x :: vs)) sf s sx sk.
Qed.

Lemma all_subsets_free k rows (xs : seq 'rV[R]_d) : size rows = size xs ->
    (forall i, (i < size xs)%N -> right (nth 0 xs i) (nth [::] rows i)) -> subsets_free p [::] k rows ->
  forall s, subseq s xs -> size s = k -> free s.
Proof.
move=> sz xr ok s sx sk; have := @subsets_freeP k rows xs [::] [::] _ sz xr ok s sx sk.
rewrite cats0 (perm_free (_ : perm_eq _ s)) ?perm_rev //; apply; split=> //; first exact: nil_free.
by move=> v; rewrite span_nil memv0 => /eqP.
Qed.

End Elimination.

(* independent rows, as a matrix and as vectors with indices                         *)
Section Free.
Variables (F : fieldType) (d : nat).

Lemma free_sum (s : seq 'rV[F]_d) (c : nat -> F) : free s -> \sum_(i < size s) c i *: nth 0 s i = 0 ->
  forall i, (i < size s)%N -> c i = 0.
Proof. by move=> /(freeP (X := in_tuple s)) fs sum0 i si; have := fs (fun i => c i) sum0 (Ordinal si). Qed.

Lemma free_rows_rank m (M : 'M[F]_(m, d)) : free [seq row i M | i <- enum 'I_m] -> \rank M = m.
Proof.
move=> fM; apply/eqP; change (row_free M); apply: inj_row_free => v vM; apply/rowP => i; rewrite [RHS]mxE.
have sM : size [seq row i M | i <- enum 'I_m] = m by rewrite size_map size_enum_ord.
have := free_sum (c := fun k => if insub k is Some j then v 0 j else 0) fM.
rewrite sM => /(_ _ i (ltn_ord i)); rewrite valK; apply; rewrite -[RHS]vM mulmx_sum_row; apply: eq_bigr => j _.
by rewrite valK (nth_map j) ?size_enum_ord // nth_ord_enum.
Qed.

Lemma free_kruskal T (x : 'I_T -> 'cV[F]_d) k : (k <= T)%N ->
  (forall s, subseq s [seq (x t)^T | t <- enum 'I_T] -> size s = k -> free s) -> (k <= kruskal_rank x)%N.
Proof.
move=> kT all_free; have kT1 : (k < T.+1)%N by []; apply: (leq_bigmax_cond (Ordinal kT1)); apply/asboolP => I Ik c c0 sum0 t.
case: (boolP (t \in I)) => [tI|/c0 //]; pose s := [seq (x t)^T | t <- enum I].
have enumE : enum I = [seq u <- enum 'I_T | u \in I] by rewrite enumT.
have fs : free s by apply: all_free; [rewrite /s enumE; apply/map_subseq/filter_subseq|rewrite size_map -cardE Ik].
have ts : (index t (enum I) < size s)%N by rewrite size_map index_mem mem_enum.
have := free_sum (c := fun i => c (nth t (enum I) i)) fs _ ts; rewrite nth_index ?mem_enum //; apply.
have sumT : \sum_u c u *: (x u)^T = 0.
  by rewrite -[RHS]trmx0 -sum0 raddf_sum; apply: eq_bigr => u _; apply/rowP => j; rewrite !mxE.
rewrite -[RHS]sumT [RHS](bigID (mem I)) /= [X in _ = _ + X]big1 ?addr0 => [|u /c0 ->]; last exact: scale0r.
rewrite -[RHS]big_enum /= (big_nth t) big_mkord size_map; apply: eq_bigr => i _.
by rewrite (nth_map t).
Qed.

End Free.

(* ============================================================================ *)
(* What enters                                                                  *)
(* ============================================================================ *)
Section Compute.
Variables (S : layer_stack) (bits : nat).
Let p := precision_of bits.
Local Notation d := (d (top_problem S)).

Definition iv_mean_of (rows : seq (seq (Z * Z))) (s : seq nat) : seq (Z * Z) :=
  [seq lowered (Z.to_pos (Z.of_nat (size s))) y | y <- foldr add_iv (nseq d (0, 0)%coqZ) (iv_tokens rows s)].
Definition iv_mixed (mixed : bool) (rows : seq (seq (Z * Z))) (s : seq nat) (v : seq (Z * Z)) : seq (Z * Z) :=
  if mixed then add_iv v (iv_mean_of rows s) else v.

Definition iv_vectors : option (seq (seq (Z * Z))) :=
  let st := iv_entering S p (digits_of p) in if stack_enclosable S no_last_layer && st.1 then Some st.2 else None.

Definition entering_queries_ok (mixed : bool) (k : nat) : bool :=
  if iv_vectors is Some rows then
    (k <= T (top_problem S))%N &&
    subsets_free p [::] k [seq iv_mixed mixed rows (nth [::] (example_tokens S) t) (nth [::] rows (nth 0%N (example_rows S) t))
      | t <- iota 0 (T (top_problem S))]
  else false.
Definition entering_contexts_ok (mixed : bool) : bool :=
  if iv_vectors is Some rows then
    all (fun s => subsets_free p [::] (size s) [seq iv_mixed mixed rows s (nth [::] rows j) | j <- s]) (example_tokens S)
  else false.
Definition fewest_tokens : nat := foldr minn (minn (n (top_problem S)) d) [seq size s | s <- example_tokens S].

End Compute.

Section Entering.
Variables (R : realType) (S : layer_stack) (bits : nat).
Local Notation p := (precision_of bits).
Local Notation d := (d (top_problem S)).
Local Notation T := (T (top_problem S)).
Local Notation K := (toF R (Zpos (denominator p))).
Local Notation z := (toF R).
Local Notation right v x := (encloses K v x).
Local Notation x := (entering R S).

Hypotheses (sizes : size (example_tokens S) = T) (filled : forall t : 'I_T, (0 < size (list_of t))%N).
Variable rows : seq (seq (Z * Z)).
Hypothesis found : iv_vectors S bits = Some rows.

Lemma right_vectors : right_rows p x rows /\ size rows = size (hidden_rows S) /\ stack_enclosable S no_last_layer.
Proof.
move: found; rewrite /iv_vectors; case: ifP => // /andP[ok shown] [<-]; have /and5P[d0 _ _ ins _] := ok.
by have [xr sr] := right_entering R d0 ins shown.
Qed.

Lemma inside_rows (t : 'I_T) : (nth 0%N (example_rows S) t < size rows)%N /\ all (fun j => j < size rows)%N (list_of t).
Proof.
have [_ [-> /and5P[_ _ _ _ /andP[/andP[N0 own] tok]]]] := right_vectors; split.
  by have [tl|lt] := ltnP t (size (example_rows S)); [apply: (all_nthP 0%N own)|rewrite nth_default].
by apply: (all_nthP [::] tok); rewrite sizes.
Qed.

Lemma right_tokens_sum s : all (fun j => j < size rows)%N s ->
  right (\sum_(j <- s) x j) (foldr (add_iv) (nseq d (0, 0)%coqZ) (iv_tokens rows s)).
Proof.
have [xr _] := right_vectors; elim: s => [_|j s IH] /=; first by rewrite big_nil; apply: right_zero.
by case/andP => jr sr; rewrite big_cons; apply: right_add; [apply: xr|apply: IH].
Qed.

Lemma right_mixed mixed (t : 'I_T) v r : right v r ->
  right (v + (if mixed then (mean_token (own_tokens R t))^T else 0)) (iv_mixed S mixed rows (list_of t) r).
Proof.
move=> vr; case: mixed; last by rewrite addr0.
apply: right_add => //; have [_ inside_t] := inside_rows t; have [ss sums] := right_tokens_sum inside_t.
split=> [|k]; first by rewrite size_map.
rewrite (nth_map (0, 0)%coqZ) ?ss //; apply: inside_lowered; have n0 := filled t.
have -> : z (Zpos (Z.to_pos (Z.of_nat (size (list_of t))))) = (size (list_of t))%:R.
  by rewrite Z2Pos.id ?toF_of_nat //; move/ssrnat.ltP: n0; lia.
rewrite mxE mxE -mulrA [_^-1 * _]mulrC divfK ?pnatr_eq0 -?lt0n //.
have -> : \sum_i own_tokens R t i k = (\sum_(j <- list_of t) x j) 0 k.
  by rewrite -(sum_nth x) summxE; apply: eq_bigr => i _; rewrite mxE.
exact: sums.
Qed.

Lemma entering_queryE mixed (t : 'I_T) : (entering_query R mixed t)^T = own_row R t + (if mixed then (mean_token (own_tokens R t))^T else 0).
Proof. by rewrite linearD /= trmxK; case: mixed; rewrite ?trmx0. Qed.

End Entering.

Lemma nth_own m (i : 'I_m) : nth i (enum 'I_m) i = i. Proof. exact: nth_ord_enum. Qed.

Section Bounds.
Variables (R : realType) (S : layer_stack) (bits : nat) (mixed : bool).
Local Notation T := (T (top_problem S)).
Hypotheses (sizes : size (example_tokens S) = T) (filled : forall t : 'I_T, (0 < size (list_of t))%N).

Theorem entering_queries_geq k : entering_queries_ok S bits mixed k -> (k <= kruskal_rank (entering_query R (S := S) mixed))%N.
Proof.
rewrite /entering_queries_ok; case found: (iv_vectors _ _) => [rows|] // /andP[kT ok]; apply: free_kruskal => // s sx sk.
have sxs : size [seq (entering_query R mixed t)^T | t <- enum 'I_T] = T by rewrite size_map size_enum_ord.
apply: (all_subsets_free (p := precision_of bits) _ _ ok sx sk); first by rewrite sxs size_map size_iota.
rewrite sxs => i iT; rewrite (nth_map (Ordinal iT)) ?size_enum_ord // (nth_map 0%N) ?size_iota // nth_iota // add0n.
rewrite entering_queryE (nth_own (Ordinal iT)); apply: (right_mixed sizes filled found mixed (Ordinal iT)).
have [xr _] := right_vectors R found; apply: xr; exact: (proj1 (inside_rows R sizes found (Ordinal iT))).
Qed.

Theorem entering_contexts_geq : entering_contexts_ok S bits mixed -> (fewest_tokens S <= least_entering_rank R S mixed)%N.
Proof.
rewrite /entering_contexts_ok; case found: (iv_vectors _ _) => [rows|] // /allP ok.
have rankE (t : 'I_T) : \rank (entering_context R mixed t) = size (list_of t).
  apply: free_rows_rank; have sE : size [seq row i (entering_context R mixed t) | i <- enum 'I_(size (list_of t))] = size (list_of t).
    by rewrite size_map size_enum_ord.
  have tS : list_of t \in example_tokens S by rewrite mem_nth // sizes.
  apply: (all_subsets_free (p := precision_of bits) _ _ (ok _ tS)) => //; first by rewrite sE size_map.
  rewrite sE => i it; rewrite (nth_map (Ordinal it)) ?size_enum_ord // (nth_map 0%N) // rowK.
  apply: (right_mixed sizes filled found); have [xr _] := right_vectors R found.
  have [_ inside_t] := inside_rows R sizes found t; rewrite (nth_own (Ordinal it)) rowK; apply: xr.
  by apply: (allP inside_t); apply: mem_nth.
have least l b j : j \in l -> (foldr minn b l <= j)%N.
  by elim: l => //= a l IH; rewrite inE => /predU1P[->|/IH]; [apply: geq_minl|apply: leq_trans; apply: geq_minr].
have base l b : (foldr minn b l <= b)%N by elim: l => //= a l; apply: leq_trans; apply: geq_minr.
rewrite /least_entering_rank; elim: (enum _) => [|t s IH] /=; first exact: base.
by rewrite leq_min IH rankE andbT; apply: least; apply: map_f; rewrite mem_nth // sizes.
Qed.

End Bounds.

(* --- from above, by classes *)
Definition own_directions (S : layer_stack) : seq Z :=
  [seq Z.abs (class_at S (nth 0%N (example_rows S) t)) | t <- iota 0 (T (top_problem S))].
Definition queries_most (S : layer_stack) : nat :=
  let os := own_directions S in if 0%coqZ \in os then 0%N else if uniq os then T (top_problem S) else 1%N.
(* g: as for hulls *)
Definition contexts_most (S : layer_stack) (g : nat -> Z) : nat :=
  foldr minn (dim_linear S g) [seq size (directions_of S s) | s <- example_tokens S].

Section FromAbove.
Variables (R : realType) (S : layer_stack).
Local Notation T := (T (top_problem S)).
Local Notation own t := (nth 0%N (example_rows S) t).

Theorem entering_queries_leq : stack_enclosable S no_last_layer -> (kruskal_rank (entering_query R (S := S) false) <= queries_most S)%N.
Proof.
move=> /and5P[_ _ _ ins /andP[/andP[N0 rows] _]]; have [cx sc] := row_classes_right R ins; set k := kruskal_rank _.
have ownN t : (own t < size (row_classes S))%N.
  rewrite sc; have [tl|lt] := ltnP t (size (example_rows S)); last by rewrite nth_default.
  exact: (all_nthP 0%N rows).
have kT : (k <= T)%N by apply: leq_trans (kruskal_rank_size _) (geq_minl _ _).
have indep (I : {set 'I_T}) : (#|I| <= k)%N -> indep_on (entering_query R (S := S) false) I.
  have /kruskal_geqP ind : kruskal_geq (entering_query R (S := S) false) k by rewrite /kruskal_geq geq_minl.
  exact: ind.
have qE t : entering_query R (S := S) false t = (own_row R t)^T by rewrite /entering_query addr0.
rewrite /queries_most; case: ifP => [/mapP[t]|_].
  rewrite mem_iota add0n => tT o; have zero : own_row R (Ordinal tT) = 0.
    have := cx (own t) (own t) true (ownN t) (ownN t); rewrite /alike -/(class_at S (own t)) => /(_ _) opp.
    have /opp : class_at S (own t) = (sign_of true * class_at S (own t))%coqZ by change (sign_of true) with (-1)%coqZ; lia.
    by rewrite scaleN1r => /eqP; rewrite -addr_eq0 -mulr2n -scaler_nat scaler_eq0 pnatr_eq0 /= => /eqP.
  rewrite leqNgt; apply/negP => k0; have ind : indep_on (entering_query R (S := S) false) [set Ordinal tT] by apply: indep; rewrite cards1.
  have /eqP : (fun s : 'I_T => (s == Ordinal tT)%:R : R) (Ordinal tT) = 0; last by rewrite eqxx oner_eq0.
  apply: (ind (fun s => (s == Ordinal tT)%:R)) => [s|]; first by rewrite inE => /negPf ->.
  rewrite (bigD1 (Ordinal tT)) //= qE zero trmx0 scaler0 add0r big1 // => s /negPf ->; exact: scale0r.
case: ifP => // /negbT /(uniqPn 0%coqZ)[i [j [ij]]]; rewrite size_map size_iota => jT.
have iT : (i < T)%N := ltn_trans ij jT; rewrite !(nth_map 0%N) ?size_iota // !nth_iota // !add0n => o.
pose g := ~~ (class_at S (own i) =? class_at S (own j))%coqZ.
have rowE : own_row R (Ordinal iT) = sgn R g *: own_row R (Ordinal jT).
  apply: cx; rewrite ?ownN // /alike -/(class_at S (own i)) -/(class_at S (own j)) /g.
  case: Z.eqb_spec => [->|ne]; first by rewrite Z.mul_1_l.
  by change (sign_of (~~ false)) with (-1)%coqZ; lia.
have neq : Ordinal iT != Ordinal jT by rewrite -val_eqE /= ltn_eqF.
rewrite leqNgt; apply/negP => k1.
have ind : indep_on (entering_query R (S := S) false) [set Ordinal iT; Ordinal jT] by apply: indep; rewrite cards2 neq.
pose c (s : 'I_T) : R := if s == Ordinal iT then 1 else if s == Ordinal jT then - sgn R g else 0.
have /eqP : c (Ordinal iT) = 0; last by rewrite /c eqxx oner_eq0.
apply: ind => [s|]; first by rewrite !inE negb_or /c => /andP[/negPf -> /negPf ->].
rewrite (bigD1 (Ordinal iT)) //= (bigD1 (Ordinal jT)) 1?eq_sym //= big1 ?addr0 => [|s /andP[/negPf si /negPf sj]]; last by rewrite /c si sj scale0r.
rewrite /c eqxx [_ == Ordinal iT]eq_sym (negPf neq) eqxx scale1r !qE rowE linearZ /= scaleNr; exact: subrr.
Qed.

Hypotheses (sizes : size (example_tokens S) = T) (filled : forall t : 'I_T, (0 < size (list_of t))%N).

Theorem entering_contexts_leq g : hulls_ok S g -> (0 < T)%N -> (least_entering_rank R S false <= contexts_most S g)%N.
Proof.
move=> ok T0; have contextE (t : 'I_T) : entering_context R (S := S) false t = own_tokens R t.
  by apply/row_matrixP => i; rewrite rowK addr0.
have leastP (t : 'I_T) : (least_entering_rank R S false <= \rank (own_tokens R t))%N.
  rewrite /least_entering_rank; have : t \in enum 'I_T by rewrite mem_enum.
  elim: (enum _) => //= u s IH; rewrite inE => /predU1P[->|/IH]; first by rewrite contextE geq_minl.
  by apply: leq_trans; apply: geq_minr.
have most b l (m : nat) : (m <= b)%N -> (forall j, j \in l -> (m <= j)%N) -> (m <= foldr minn b l)%N.
  by move=> mb; elim: l => //= j l IH ml; rewrite leq_min ml ?mem_head //= IH // => j' jl; apply: ml; rewrite inE jl orbT.
apply: most => [|_ /mapP[s sS ->]].
  apply: leq_trans (leastP (Ordinal T0)) _; have [m [V [rV inV]]] := tokens_inside R ok sizes filled.
  apply: leq_trans rV; apply/mxrankS/row_subP => i; rewrite rowK.
  by apply: (listed_inside (inV (Ordinal T0))); apply: mem_nth.
have [t tE] : exists t : 'I_T, list_of t = s.
  have : (index s (example_tokens S) < T)%N by rewrite -sizes index_mem.
  by move=> tT; exists (Ordinal tT); rewrite /list_of nth_index.
apply: leq_trans (leastP t) _; rewrite -tE.
have [j jt|V VP] := directionsP R ok sizes (js := list_of t); first by apply/flattenP; exists (list_of t); rewrite // mem_nth // sizes.
by apply: leq_trans (rank_leq_row V); apply/mxrankS/row_subP => i; rewrite rowK; apply: VP; apply: mem_nth.
Qed.

End FromAbove.

(* ============================================================================ *)
(* Equal heads                                                                  *)
(* ============================================================================ *)
(* rows of W_h over a common denominator, each with what the bias makes of a key   *)
Definition head_form_rows (S : layer_stack) (L : layer) (h : nat) : seq (seq Z) :=
  let ds := iota 0 (d (top_problem S)) in
  match L with
  | Factors m _ K _ Q _ _ _ bQ =>
    let key j := padded m (nth [::] (nth [::] K h) j) in
    [seq dot (key j) (padded m (nth [::] bQ h)) :: [seq dot (key j) (padded m (nth [::] (nth [::] Q h) i)) | i <- ds] | j <- ds]
  | Combined _ W => [seq padded (d (top_problem S)) (nth [::] (nth [::] W h) j) | j <- ds]
  | Projected _ => [::]
  end.
Definition different_heads (S : layer_stack) (L : layer) : seq (seq (seq Z)) :=
  distinct equal_rows [seq head_form_rows S L h | h <- iota 0 (H (top_problem S))].

Section EqualHeads.
Variables (R : realType) (S : layer_stack) (L : layer).
Local Notation T := (T (top_problem S)).
Local Notation H := (H (top_problem S)).
Local Notation d := (d (top_problem S)).
Local Notation z := (toF R).

Lemma product_dot m q r q' M j : (row_of R m q r *m (mx R d m q' M)^T) 0 j
  = z (dot (padded m (nth [::] M j)) (padded m r)) / (z (Zpos q) * z (Zpos q')).
Proof.
rewrite (@dotE m) ?size_padded // rmorph_sum mulr_suml mxE; apply: eq_bigr => k _.
have aux (a b u v : R) : a / u * (b / v) = b * a / (u * v) by rewrite invfM mulrACA [a * b]mulrC.
by rewrite !mxE !nth_padded rmorphM aux.
Qed.

Lemma equal_rows_along (h h' : 'I_H) (y : 'rV[R]_d) : head_form_rows S L h = head_form_rows S L h' -> along_of L h y = along_of L h' y.
Proof.
case: L => [m qk K qq Q qkb bK qqb bQ|q W|w] //= E.
  have entry (j : 'I_d) : dot (padded m (nth [::] (nth [::] K h) j)) (padded m (nth [::] bQ h)) ::
      [seq dot (padded m (nth [::] (nth [::] K h) j)) (padded m (nth [::] (nth [::] Q h) i)) | i <- iota 0 d] =
      dot (padded m (nth [::] (nth [::] K h') j)) (padded m (nth [::] bQ h')) ::
      [seq dot (padded m (nth [::] (nth [::] K h') j)) (padded m (nth [::] (nth [::] Q h') i)) | i <- iota 0 d].
    by have := congr1 (fun M => nth [::] M j) E; rewrite !(nth_map 0%N) ?size_iota // nth_iota.
  rewrite !mulmxDl -!mulmxA; congr (y *m _ + _).
    apply/matrixP => i j; have rowE (g : 'I_H) : (literal R d m qq Q g *m (literal R d m qk K g)^T) i j
        = (row_of R m qq (nth [::] (nth [::] Q g) i) *m (mx R d m qk (nth [::] K g))^T) 0 j.
      by rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
    have := entry j => -[_ /(congr1 (fun r => nth 0%coqZ r i))]; rewrite !(nth_map 0%N) ?size_iota // nth_iota // add0n => e.
    by rewrite !rowE !product_dot e.
  by apply/rowP => j; rewrite !product_dot; have := entry j => -[-> _].
congr (y *m _^T); apply/matrixP => j i; rewrite !mxE; congr (z _ / _).
have := congr1 (fun M => nth 0%coqZ (nth [::] M j) i) E.
by rewrite !(nth_map 0%N) ?size_iota // !nth_iota // !add0n.
Qed.

Hypotheses (sizes : size (example_tokens S) = T) (filled : forall t : 'I_T, (0 < size (list_of t))%N).

Theorem equal_heads_rank g : hulls_ok S g -> (forall i j, g i = g j) -> let N := size (different_heads S L) in
  (\rank (stack_Z R S L) <= minn (N * dim_affine S g + 1) (N * dim_linear S g))%N.
Proof.
move=> ok same; rewrite /=; set U := different_heads S L.
pose A (t : 'I_T) : 'M[R]_(H, size (list_of t)) := \matrix_h (stack_alpha R L t h)^T.
have -> : stack_Z R S L = sequence_out A.
  by apply/row_matrixP => t; rewrite !rowK; congr mxvec; apply/row_matrixP => h; rewrite row_mul !rowK.
have A1 t : sum1 (A t).
  move=> h; rewrite -[RHS](softmax_sum1 (factor R (top_problem S) false *: stack_logits L h (stack_tokens (entering R S) (list_of t))
    (entering R S (nth 0%N (example_rows S) t))) (filled t)).
  by apply: eq_bigr => i _; rewrite [LHS]mxE [LHS]mxE.
have inU (h : 'I_H) : head_form_rows S L h \in U.
  by rewrite (mem_distinct _ equal_rowsP); apply: map_f; rewrite mem_iota ltn_ord.
have /fin_all_exists[f fE] (i : 'I_(size U)) : exists h : 'I_H, nth [::] U i = head_form_rows S L h.
  have := mem_nth [::] (ltn_ord i); rewrite (mem_distinct _ equal_rowsP) => /mapP[h].
  by rewrite mem_iota add0n => hH ->; exists (Ordinal hH).
have cover (h : 'I_H) : (exists i, forall t, row h (padded_coefs A t) = row (f i) (padded_coefs A t)) \/
    (false /\ forall t t', row h (padded_coefs A t) *m padded_tokens R t = row h (padded_coefs A t') *m padded_tokens R t').
  have iU : (index (head_form_rows S L h) U < size U)%N by rewrite index_mem.
  left; exists (Ordinal iU) => t; have hE : head_form_rows S L h = head_form_rows S L (f (Ordinal iU)) by rewrite -fE /= nth_index.
  have alphaE : stack_alpha R L t h = stack_alpha R L t (f (Ordinal iU)) by rewrite /stack_alpha !softmax_along (equal_rows_along _ hE).
  have rowA g' : row g' (A t) = (stack_alpha R L t g')^T by apply: rowK.
  have AE k : A t h k = A t (f (Ordinal iU)) k.
    have := congr1 (fun r : 'rV[R]_(size (list_of t)) => r 0 k) (etrans (rowA h) (etrans (congr1 trmx alphaE) (esym (rowA _)))).
    by rewrite ![row _ _ _ _]mxE.
  apply/rowP => k; rewrite ![row _ _ _ _]mxE ![padded_coefs _ _ _ _]mxE; by case: insubP.
rewrite sequence_outE leq_min; apply/andP; split.
  have [x0 [m [V [rV inV]]]] := tokens_affine R ok sizes filled same.
  apply: leq_trans (heads_affine_rank (padded_sum1 A1) cover inV) _.
  by rewrite leq_add2r leq_mul2l rV orbT.
have [m [V [rV inV]]] := tokens_inside R ok sizes filled.
by apply: leq_trans (heads_linear_rank cover inV) _; rewrite addn0 leq_mul2l rV orbT.
Qed.

End EqualHeads.

(* ============================================================================ *)
(* Weights of the last layer                                                    *)
(* ============================================================================ *)
Definition with_last (S : layer_stack) (L : layer) : layer_stack :=
  LayerStack (with_layer (top_problem S) L) (q_hidden S) (hidden_rows S) (befores S) (example_rows S) (example_tokens S).

Section Capacity.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation weights := (weights R (H D) (d D) (d_h D) 0 0 0).

Lemma stack_capacity_geq (P : weights) : (\rank (stack_Z_of P) <= stack_capacity R S)%N.
Proof. by apply: largest_geq; [rewrite leq_min rank_leq_row rank_leq_col|exists P]. Qed.

Theorem last_layer_capacity L : in_shape D L -> (\rank (stack_Z R (with_last S L) L) <= stack_capacity R S)%N.
Proof. by move=> sL; have [P ->] := @stack_in_shape R (with_last S L) L sL; apply: (@stack_capacity_geq P). Qed.

Theorem given_layer_capacity L : in_shape D L -> (\rank (stack_Z R S L) <= stack_capacity R S)%N.
Proof. by move=> sL; have [P ->] := @stack_in_shape R S L sL; apply: stack_capacity_geq. Qed.

Theorem stack_capacity_memorizes : (d_out D <= d_v D)%N -> (T D <= stack_capacity R S)%N -> stack_memorizes_any R S.
Proof.
move=> ov full y; have [P rP] : exists P : weights, (T D <= \rank (stack_Z_of P))%N.
  have [c0|/largest_in[P cP]] := posnP (stack_capacity R S); last by exists P; apply: leq_trans cP.
  by exists (Weights (fun=> 0) (fun=> 0) (fun=> 0) 0 0); apply: leq_trans full _; rewrite c0.
set M := stack_Z_of P in rP; have fM : row_free M by rewrite /row_free eqn_leq rank_leq_row.
pose U := pinvmx M *m \matrix_t (y t)^T.
exists (readout (d_v D) (d_out D) (WK P) (WQ P) U) => t.
rewrite (@predict_readout R 1 _ _ _ _ _ _ _ (fun=> own_tokens R t) (fun=> (own_row R t)^T) _ _ ov (leqnn _) U ord0).
have -> : row ord0 (attention.Z (fun _ : 'I_1 => own_tokens R t) (fun=> (own_row R t)^T) (readout (d_v D) (d_out D) (WK P) (WQ P) U)) = row t M.
  by rewrite rowK rowK rowK.
by rewrite -row_mul mulmxA mulmxVp // mul1mx rowK trmxK.
Qed.

End Capacity.
