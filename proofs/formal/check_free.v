(* The proved checker, layers before the layer of which all weights are meant: the largest rank of Z over the weights  *)
(* of all layers.                                                                                                     *)
(*                                                                                                                    *)
(*    with_weights S ws == S with the weights ws of heads in the layers before; fitting == these have their d_h       *)
(*            free_step == what is shown of the capacity                                                              *)
(*   check_of_free S s c steps == verdict and facts; check_of_free_sound == the verdict is right over every realType    *)
From Attest Require Import integers attention layer_variants upper_bounds generic_data literal_arithmetic bounds problem logits.
From Attest Require Import quantity_bounds stack_enclosures stack_symmetry stack_entering tangents single_path composed_means free_jacobians free_symmetries soundness check_stack.
From Attest Require Export other_layers stack_quantities free_stacks.

Local Notation Z := BinNums.Z.

Definition with_heads (b : earlier) (hs : seq earlier_head) : earlier :=
  if b is EarlierAttention residual lists _ then EarlierAttention residual lists hs else b.
Definition all_attention (S : layer_stack) : bool := only_attention (befores S).
Definition with_weights (S : layer_stack) (ws : seq (seq earlier_head)) : layer_stack :=
  LayerStack (top_problem S) (q_hidden S) (hidden_rows S) [seq with_heads x.1 x.2 | x <- zip (befores S) ws]
    (example_rows S) (example_tokens S).

Inductive free_step :=
  (* at these weights of the layers before and of the layer; as for given ones *)
  | FreeMinor (ws : seq (seq earlier_head)) (L : layer) (bits : nat) (rows : seq nat) (cols : seq (nat * nat)) (q : positive)
      (inverse : seq (seq Z))
  (* of J, at these weights of the layers before, and keys, queries and read-outs of the layer *)
  | FreeJacobianMinor (ws : seq (seq earlier_head)) (last : seq earlier_head) (bits : nat) (rows : seq (nat * nat))
      (cols : seq free_parameter) (q : positive) (inverse : seq (seq Z))
  (* opposite-outputs; opposite-jacobian-rows *)
  | FreeExamples | FreeOppositeRows
  (* stack-means, with a prime that shows bases to be independent *)
  | FreeMeans (p : Z)
  (* stack-symmetries, and composed-means of one way through the layers, with what of the capacity is used: stack-means,  *)
  (* opposite-outputs; composed-means-maps, with maps that are independent modulo p; both of one of equal and opposite    *)
  (* examples each                                                                                                        *)
  | FreeSymmetries (p : Z) (means directions : bool) | FreeMoved (p : Z) (means directions : bool)
  | FreeMovedMaps (p : Z) (maps : seq (seq (seq Z)))
  | FreeNotCovered.

(* one of equal and opposite examples each, and none of those that put out 0 *)
Definition some_examples (S : layer_stack) (ts : seq nat) : layer_stack :=
  LayerStack (part_of (top_problem S) (Part (H (top_problem S)) ts)) (q_hidden S) (hidden_rows S) (befores S)
    [seq nth 0%N (example_rows S) t | t <- ts] [seq nth [::] (example_tokens S) t | t <- ts].
Definition representatives (S : layer_stack) : seq nat :=
  let ks := [seq Z.abs k | k <- key_classes (example_keys S)] in
  [seq t <- iota 0 (T (top_problem S)) | let k := nth 0%coqZ ks t in ~~ (k =? 0)%coqZ && (find (Z.eqb k) ks == t)].
Definition one_of_each (S : layer_stack) : layer_stack :=
  if all_attention S && stack_enclosable S no_last_layer then some_examples S (representatives S) else S.

Section Check.
Variables (S : layer_stack) (c : claim).
Let D := top_problem S.

Definition natural_of_free (q : quantity) : interval :=
  match q with
  | Examples => exactly_nat (T D)
  | Asked => exactly (asked c)
  | Heads => exactly_nat (H D)
  | Dimension => exactly_nat (d D)
  | HeadDimension => exactly_nat (d_h D)
  | OutputDimension => exactly_nat (d_out D)
  | Capacity => up_to (minn (T D) (H D * d D))
  | FunctionalDimension => up_to (T D * d_out D)
  | _ => (None, None)
  end.

(* what is used of the capacity *)
Definition capacity_most (means directions : bool) : nat :=
  minn (minn (T D) (H D * d D)) (minn (if means then means_most S else T D) (if directions then stack_directions S true else T D)).
Definition capacity_ok (p : Z) (means directions : bool) : bool :=
  (means ==> in_sequences S p) && (directions ==> all_attention S && stack_enclosable S no_last_layer).

Definition run_free_step (s : free_step) : option fact :=
  match s with
  | FreeMinor ws L bits rows cols q V =>
    proves [&& size ws == size (befores S), all (fun x => fitting x.1 x.2) (zip (befores S) ws), in_shape D L
      & stack_minor_ok (with_weights S ws) L bits rows cols q V] Capacity true (size rows)
  | FreeJacobianMinor ws last bits rows cols q V => proves (free_J_ok S ws last bits rows cols q V) FunctionalDimension true (size rows)
  | FreeExamples => proves (all_attention S && stack_enclosable S no_last_layer) Capacity false (stack_directions S true)
  | FreeOppositeRows => proves (all_attention S && stack_enclosable S no_last_layer)
    FunctionalDimension false (d_out D * stack_directions S true)
  | FreeMeans p => proves (in_sequences S p) Capacity false (minn (T D) (means_most S))
  | FreeSymmetries p means directions => proves (in_sequences S p && capacity_ok p means directions) FunctionalDimension false
    (symmetry_motions S + d_out D * capacity_most means directions)
  | FreeMoved p means directions =>
    let S' := one_of_each S in
    proves (composed S' && capacity_ok p means directions) FunctionalDimension false
      (moved_dimensions S' + d_out D * capacity_most means directions)
  | FreeMovedMaps p maps =>
    let S' := one_of_each S in
    proves (composed S' && maps_ok S' p maps) FunctionalDimension false
      (moved_dimensions S' + d_out D * averaged_span S' - size maps)
  | FreeNotCovered => None
  end.

End Check.

Definition covered_free (s : statement) : bool :=
  match s with CapacityQuestion | FunctionalDimensionQuestion => true | _ => false end.

Definition check_of_free (S : layer_stack) (s : statement) (c : claim) (steps : seq free_step) : result :=
  if covered_free s && (size (example_tokens S) == T (top_problem S)) then
    let facts := [seq run_free_step S x | x <- steps] in
    Result (judge_from (natural_of_free S c) s c (pmap id facts)) facts
  else Result Undecided [::].

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Sound.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation weights := (weights R H d (d_h D) 0 0 0).
Local Notation own t := (nth 0%N (example_rows S) t).

Local Notation weights_of := (weights_of R S).

Lemma literal_weights ws bs x : size ws = size bs -> all (fun y => fitting y.1 y.2) (zip bs ws) ->
  entering_free (weights_of ws) bs x = foldl (fun x b => @after_layer R S b x) x [seq with_heads y.1 y.2 | y <- zip bs ws].
Proof.
elim: bs ws x => [|b bs IH] [|hs ws] x //= [sw] /andP[fb fbs].
rewrite -IH //; congr (entering_free _ bs _); apply/funext => i.
case: b fb => // residual lists heads /eqP fb; rewrite /= ; congr (_ + _).
have sh : size heads = size hs by have := congr1 size fb; rewrite !size_map.
rewrite [RHS](big_nth no_head) /index_iota subn0 sh big_seq [RHS]big_seq; apply: eq_bigr => k.
rewrite mem_iota add0n => kh; rewrite /width_at -fb (nth_map no_head) //.
Qed.

Lemma free_Z_row (W : nat -> free_weights R S) (P : weights) t : let x := entering_free W (befores S) (given_vectors R S) in
  row t (free_Z W P) = mxvec (\matrix_h softmax_mean x (stack_tokens x (list_of t) *m (WK P h *m (WQ P h)^T *m (x (own t))^T))).
Proof.
rewrite /= rowK ZE rowK /stack trmxK; congr mxvec; apply/row_matrixP => h; rewrite !rowK.
by rewrite /softmax_mean trmx_mul trmxK !mulmxA.
Qed.

Lemma free_Z_along W (P : weights) : free_Z W P
  = means_along (entering_free W (befores S) (given_vectors R S)) 1 (fun h y => y *m (WK P h *m (WQ P h)^T)^T).
Proof.
apply/row_matrixP => t; rewrite free_Z_row rowK; congr mxvec; apply/row_matrixP => h; rewrite !rowK scale1r.
by rewrite [in RHS]trmx_mul trmxK.
Qed.

Lemma after_free_right (W : free_weights R S) b c x : right_classes c x ->
    (if b is EarlierAttention _ lists _ then rows_inside (size c) lists else false) ->
  right_classes (classes_after b c) (after_free W b x) /\ size (classes_after b c) = size c.
Proof.
case: b => // residual lists heads cx inside; split; last by rewrite /= size_key_classes size_map size_iota.
rewrite /classes_after; apply: (keys_right (own := id) (lists := fun k => nth [::] lists k)) => i j g ic jc o t.
exact: (heads_alike (iota 0 (size heads)) (fun k => free_key (W k (width_at heads k)) *m (free_query (W k (width_at heads k)))^T)
  (fun k => free_value (W k (width_at heads k))) residual cx (cx i j g ic jc o) inside t).
Qed.

Lemma free_right W : all_attention S -> stack_enclosable S no_last_layer ->
  right_classes (row_classes S) (entering_free W (befores S) (given_vectors R S)) /\ size (row_classes S) = size (hidden_rows S).
Proof.
move=> attention /and5P[_ _ _ ins _].
pose S0 := LayerStack D (q_hidden S) (hidden_rows S) [::] (example_rows S) (example_tokens S).
have [c0 s0] := @row_classes_right R S0 isT.
have -> : row_classes S = foldl (fun c b => classes_after b c) (row_classes S0) (befores S).
  rewrite /row_classes; congr (foldl _ (key_classes _) _).
  by rewrite /given_keys; move: attention; rewrite /all_attention; case: (befores S) => [|[]].
move: c0 s0 ins attention; rewrite /all_attention (_ : entering R S0 = given_vectors R S) //.
move: (row_classes S0) (given_vectors R S) W; elim: (befores S) => [|b bs IH] c x W cx sc //= /andP[ib ibs] /andP[ab abs].
have [|cx' sc'] := @after_free_right (W 0%N) b c x cx; first by case: (b) ib ab => // residual lists heads; rewrite sc.
by apply: IH; rewrite // sc'.
Qed.

(* rows of J of examples that are opposite are opposite *)
Lemma outputs_alike (w : all_weights R S) (t u : 'I_T) g : all_attention S -> stack_enclosable S no_last_layer ->
    nth 0%coqZ (key_classes (example_keys S)) t = (sign_of g * nth 0%coqZ (key_classes (example_keys S)) u)%coqZ ->
  free_outputs w t = sgn R g *: free_outputs w u.
Proof.
move=> att ok e; pose P : weights := Weights (last_key w) (last_query w) (fun=> 0) 0 0.
have rows : row t (free_Z (weights_before w) P) = sgn R g *: row u (free_Z (weights_before w) P).
  rewrite free_Z_along; apply: (@alike_rows R S ok _ (free_right (weights_before w) att ok) 1 _ true) => // s h y _.
  by rewrite -scalemxAl.
have mean h : free_mean w t h = sgn R g *: free_mean w u h.
  move: rows; rewrite -free_Z_rows ![row _ (mean_rows _ _ _)]rowK -linearZ => /(can_inj mxvecK)/(congr1 (row h)).
  by rewrite linearZ /= !rowK.
by rewrite /free_outputs scaler_sumr; apply: eq_bigr => h _; rewrite mean scalemxAl.
Qed.

Lemma partial_alike (w : all_weights R S) (t u : 'I_T) g o p : all_attention S -> stack_enclosable S no_last_layer ->
    nth 0%coqZ (key_classes (example_keys S)) t = (sign_of g * nth 0%coqZ (key_classes (example_keys S)) u)%coqZ ->
  free_partial w t o p = sgn R g * free_partial w u o p.
Proof.
move=> att ok e; rewrite /free_partial; have [dM mM] := movable_outputs w p u att.
rewrite (derives_unique 0 o mM) (_ : (fun x => _) = fun x => (sgn R g *: free_outputs (moved_free w p x) u) 0 o).
  by rewrite (derives_unique 0 o (derives_scale (sgn R g) mM)) mxE.
by apply/funext => x; rewrite (outputs_alike _ att ok e).
Qed.

Lemma opposite_rows : all_attention S -> stack_enclosable S no_last_layer ->
  (free_functional_dimension R S <= d_out D * stack_directions S true)%N.
Proof.
move=> att ok; apply: largest_leq => k [w [m [ps /leq_trans]]]; apply.
pose Y (o : 'I_(d_out D)) : 'M[R]_(T, m) := \matrix_(t, j) free_partial w t o (ps j).
have rY o : (\rank (Y o) <= stack_directions S true)%N.
  by apply: signed_rank => t u g e; apply/rowP => j; rewrite !mxE (partial_alike _ _ _ att ok e).
have le : (free_J w ps <= \sum_o <<Y o>>)%MS.
  apply/row_subP => i; apply: (sumsmx_sup (enum_val i).2) => //; rewrite genmxE.
  by apply: (eq_row_sub (enum_val i).1); apply/rowP => j; rewrite !mxE.
apply: leq_trans (mxrankS le) _; apply: leq_trans (mxrank_sum_leqif _) _ => /=.
apply: leq_trans (_ : \sum_(o < d_out D) stack_directions S true <= _)%N; last by rewrite sum_nat_const card_ord.
by apply: leq_sum => o _; rewrite genmxE.
Qed.

Lemma opposite_capacity : all_attention S -> stack_enclosable S no_last_layer -> (free_capacity R S <= stack_directions S true)%N.
Proof.
move=> att ok; apply: largest_leq => k [W [P /leq_trans]]; apply; rewrite free_Z_along.
by apply: (directions_along_leq ok (free_right W att ok)) => g h y _; rewrite -scalemxAl.
Qed.

Lemma some_capacity ts : all (fun t => t < T)%N ts -> (free_capacity R (some_examples S ts) <= free_capacity R S)%N.
Proof.
move=> tsT; apply: largest_leq => k [W [P le]].
pose f (j : 'I_(size ts)) : 'I_T := Ordinal (all_nthP 0%N tsT j (ltn_ord j)).
have le' : (k <= \rank (@free_Z R S W P))%N.
  apply: leq_trans le _; apply/mxrankS/row_subP => j; apply: (eq_row_sub (f j)).
  by rewrite rowK [RHS]rowK /list_of /= !(nth_map 0%N).
apply: largest_geq; last by exists W, P.
by apply: leq_trans le' _; rewrite leq_min rank_leq_row rank_leq_col.
Qed.

Lemma some_partial ts (w : all_weights R S) (j : 'I_(size ts)) (t : 'I_T) o p : nth 0%N ts j = t ->
  @free_partial R (some_examples S ts) (AllWeights (S := some_examples S ts) (weights_before w) (last_key w) (last_query w) (last_readout w)) j o p
  = @free_partial R S w t o p.
Proof.
move=> jt; rewrite /free_partial (_ : (fun x => _) = fun x => free_outputs (moved_free w p x) t 0 o) //.
apply/funext => x; congr (fun_of_matrix _ 0 o); apply: eq_bigr => h _; congr (_ *m _); rewrite /free_mean /list_of /=.
by rewrite !(nth_map 0%N) // jt.
Qed.

Lemma one_of_each_dimension : (free_functional_dimension R S <= free_functional_dimension R (one_of_each S))%N.
Proof.
rewrite /one_of_each; case: ifP => // /andP[att ok]; set ts := representatives S.
apply: largest_leq => k [w [m [ps le]]].
pose w' := AllWeights (S := some_examples S ts) (weights_before w) (last_key w) (last_query w) (last_readout w).
have le' : (k <= \rank (free_J w' ps))%N.
  apply: leq_trans le _; apply/mxrankS/row_subP => i.
  set t := (enum_val i).1; set o := (enum_val i).2.
  pose cls (u : nat) := nth 0%coqZ (key_classes (example_keys S)) u.
  have [z0|nz] := Z.eq_dec (cls t) 0%coqZ.
    rewrite (_ : row i _ = 0) ?sub0mx //; apply/rowP => j; rewrite !mxE -/t -/o.
    have : free_partial w t o (ps j) = sgn R true * free_partial w t o (ps j).
      by apply: partial_alike => //; rewrite -/(cls t) z0.
    by rewrite /sgn mulN1r => /eqP; rewrite -addr_eq0 -mulr2n -mulr_natl mulf_eq0 pnatr_eq0 /= => /eqP.
  have size_ks : size (key_classes (example_keys S)) = T by rewrite size_map size_map size_iota.
  pose ks := [seq Z.abs x | x <- key_classes (example_keys S)].
  have ksE (u : nat) : (u < T)%N -> nth 0%coqZ ks u = Z.abs (cls u) by move=> uT; rewrite (nth_map 0%coqZ) ?size_ks.
  pose u := find (Z.eqb (Z.abs (cls t))) ks.
  have has_u : has (Z.eqb (Z.abs (cls t))) ks.
    by apply/(has_nthP 0%coqZ); exists t; [rewrite size_map size_ks|rewrite ksE // Z.eqb_refl].
  have uT : (u < T)%N by rewrite -size_ks -(size_map Z.abs) -has_find.
  have eu : Z.abs (cls t) = Z.abs (cls u) by have := nth_find 0%coqZ has_u; rewrite -/u ksE // => /Z.eqb_eq.
  have uts : u \in ts.
    rewrite mem_filter mem_iota add0n uT /= -/ks ksE // -eu andbT; apply/andP; split; last by [].
    by apply/negP => /Z.eqb_eq; lia.
  have jP : (index (u : nat) ts < size ts)%N by rewrite index_mem.
  have [g e] : exists g, cls t = (sign_of g * cls u)%coqZ.
    have [e|e] : cls t = cls u \/ cls t = (- cls u)%coqZ by lia.
      by exists false; rewrite /sign_of; lia.
    by exists true; rewrite /sign_of; lia.
  rewrite (_ : row i _ = sgn R g *: row (enum_rank ((Ordinal jP, o) : 'I_(problem.T (top_problem (some_examples S ts))) * 'I_(d_out D))) (free_J w' ps)).
    exact: scalemx_sub (row_sub _ _).
  apply/rowP => j; rewrite !mxE enum_rankK -/t -/o (@partial_alike w t (Ordinal uT) g o (ps j)) //; congr (_ * _).
  by rewrite (@some_partial ts w (Ordinal jP) (Ordinal uT)) //= nth_index.
apply: largest_geq; last by exists w', m, ps.
apply: leq_trans le' _; apply: leq_trans (rank_leq_row _) _.
by rewrite card_prod !card_ord.
Qed.

Lemma one_of_each_size : size (example_tokens S) = T -> size (example_tokens (one_of_each S)) = problem.T (top_problem (one_of_each S)).
Proof. by rewrite /one_of_each; case: ifP => // _ _; rewrite size_map. Qed.

Lemma one_of_each_capacity : (free_capacity R (one_of_each S) <= free_capacity R S)%N.
Proof.
rewrite /one_of_each; case: ifP => // _; apply: some_capacity.
by apply/allP => t; rewrite mem_filter mem_iota add0n => /andP[_].
Qed.

Lemma capacity_mostP p means directions : size (example_tokens S) = T -> capacity_ok S p means directions ->
  (free_capacity R S <= capacity_most S means directions)%N.
Proof.
move=> sT /andP[/implyP mE /implyP oE]; rewrite !leq_min -leq_min largest_leq_N /=.
have fewT : (free_capacity R S <= T)%N by apply: leq_trans (largest_leq_N _ _) (geq_minl _ _).
apply/andP; split; case: ifP => // on; first exact: means_dimension (mE on) sT.
by have /andP[att ok] := oE on; exact: opposite_capacity.
Qed.

Lemma free_step_true c s : size (example_tokens S) = T -> step_true (numbers_behind_free R S c) (run_free_step S s).
Proof.
have leqZ j k : (j <= k)%N -> (Z.of_nat j <= Z.of_nat k)%coqZ by move=> /ssrnat.leP jk; lia.
move=> sT; case: s => [ws L bits rows cols q V|ws last bits rows cols q V| | |p|p means directions|p means directions|p maps|] //; apply: proved_true.
- move=> /and4P[/eqP sw fit sL minor]; apply: leqZ.
  have [P PE] := stack_in_shape R (S := with_weights S ws) sL.
  have r := stack_minor_rank R minor; rewrite PE in r.
  apply: largest_geq; first by apply: leq_trans r _; rewrite leq_min rank_leq_row rank_leq_col.
  exists (weights_of ws), P; apply: leq_trans r _; rewrite /free_Z literal_weights //.
- by move=> ok; apply: leqZ; exact: free_J_rank ok.
- by move=> /andP[att ok]; apply: leqZ; exact: opposite_capacity.
- by move=> /andP[att ok]; apply: leqZ; exact: opposite_rows.
- move=> ok; apply: leqZ; rewrite leq_min (means_dimension R ok sT) andbT.
  by apply: leq_trans (largest_leq_N _ _) (geq_minl _ _).
- move=> /andP[ok most]; apply: leqZ; apply: leq_trans (symmetries_dimension R ok sT) _.
  by rewrite leq_add2l leq_mul2l (capacity_mostP sT most) orbT.
- move=> /andP[ok most]; apply: leqZ; apply: leq_trans one_of_each_dimension _.
  apply: leq_trans (composed_moves R ok (one_of_each_size sT)) _.
  have -> : d_out (top_problem (one_of_each S)) = d_out D by rewrite /one_of_each; case: ifP.
  by rewrite leq_add2l leq_mul2l (leq_trans one_of_each_capacity (capacity_mostP sT most)) orbT.
move=> /andP[ok maps_ok]; apply: leqZ; apply: leq_trans one_of_each_dimension _.
apply: leq_trans (composed_maps R ok (one_of_each_size sT) maps_ok) _.
have -> : d_out (top_problem (one_of_each S)) = d_out D by rewrite /one_of_each; case: ifP.
exact: leqnn.
Qed.

End Sound.

Theorem check_of_free_sound (R : realType) S s c steps :
  verdict_true (numbers_behind_free R S c) s c (of_claim (check_of_free S s c steps)).
Proof.
rewrite /check_of_free; case: ifP => // /andP[_ /eqP sT]; rewrite [of_claim _]/=.
apply: judge_from_true => [q|f].
  by case: q => //=; try (by move=> *; split); try exact: within_exactly; move=> *; apply: within_up_to; apply: largest_leq_N.
elim: steps => //= x steps IH; have := @free_step_true R S c x sT; case: (run_free_step S x) => //= g gt [<- //|]; exact: IH.
Qed.
