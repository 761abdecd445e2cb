(* Free weights of layers of one head without residual connections before the layer: what the outputs can be moved by      *)
(* where there are few sequences (docs/mathematics.md, Free layers, composed-means).                                       *)
(*                                                                                                                         *)
(*        averaged S t == the rows that an example is a mean of                                                            *)
(*          composed S == each example is one of some                                                                      *)
(*    moved_dimensions == for each example the dimension of the differences of these, H times, at most d_out               *)
(*     composed_moves, composed_span == they bound the functional dimension, and the span of the rows the capacity         *)
(*          spanned_by B y == the rows B clear y one after the other                                                       *)
(*          maps_ok S p Es == independent linear maps of the span that take the rows of each example to differences        *)
(*           composed_maps == they move the outputs by the means and by the read-out at once, and count once               *)
From Attest Require Import integers.
From mathcomp Require Import zify classical_sets functions derive realfun.
From Attest Require Import attention common upper_bounds literal_arithmetic problem logits quantities statements other_layers.
From Attest Require Import stack_quantities quantity_bounds jacobians jacobian_bounds rational_matrices literal_matrices.
From Attest Require Import stack_symmetry stack_enclosures stack_hulls free_stacks tangents single_path.
Import numFieldNormedType.Exports.

Local Notation Z := BinNums.Z.

Section Compute.
Variable S : layer_stack.
Local Notation D := (top_problem S).

Definition path_lists : seq (seq (seq nat)) := [seq lists_of b | b <- befores S].
Definition averaged (t : nat) : seq nat := reach path_lists (nth [::] (example_tokens S) t).
Definition composed : bool := single_path (befores S) && all (reaches path_lists) (example_tokens S).
Definition hidden_row (j : nat) := nth [::] (hidden_rows S) j.
Definition row_differences (js : seq nat) := [seq less 1 (hidden_row j) 1 (hidden_row (head 0%N js)) | j <- js].
Definition moved_at (t : nat) : nat := minn (d_out D) (H D * size (basis (d D) (row_differences (averaged t)))).
Definition moved_dimensions : nat := sumn [seq moved_at t | t <- iota 0 (T D)].
Definition averaged_rows := [seq hidden_row j | j <- undup (flatten [seq averaged t | t <- iota 0 (T D)])].
Definition averaged_span : nat := size (basis (d D) averaged_rows).

Fixpoint cleared_by (B : seq (seq Z)) (y : seq Z) : seq Z :=
  if B is u :: B' then
    let k := find (fun x => ~~ (x =? 0)%coqZ) u in
    cleared_by B' (if (k < size u)%N then less (nth 0%coqZ u k) y (nth 0%coqZ y k) u else y)
  else y.
Definition spanned_by (B : seq (seq Z)) (y : seq Z) : bool := all_zero (cleared_by B y).
Definition map_rows (E : seq (seq Z)) : seq Z := flatten [seq image (d D) r E | r <- averaged_rows].
Definition maps_ok (p : Z) (Es : seq (seq (seq Z))) : bool :=
  [&& H D == 1%N, (averaged_span <= d_out D)%N,
    all (fun js => let B := rev (basis (d D) (row_differences js)) in
        all (fun E => all (fun j => spanned_by B (image (d D) (hidden_row j) E)) js) Es)
      (undup [seq averaged t | t <- iota 0 (T D)])
    & independent_mod p (size averaged_rows * d D) [seq map_rows E | E <- Es]].

End Compute.

(* -------------------------------------------------------------------------- *)
(* What moves together                                                         *)
(* -------------------------------------------------------------------------- *)
Lemma rank_along (F : fieldType) m n (A B : 'M[F]_(m, n)) (s0 : F) :
  exists2 p : {poly F}, p != 0 & forall s, p.[s] != 0 -> (\rank (A + s0 *: B)%R <= \rank (A + s *: B)%R)%N.
Proof.
have [f [g minor]] := mxrank_minor (A + s0 *: B); pose p := \det (mxsub f g (map_mx polyC A + 'X *: map_mx polyC B)).
have pE s : p.[s] = \det (mxsub f g (A + s *: B)).
  rewrite -[LHS]/(horner_eval s p) -det_map_mx; congr (\det _); apply/matrixP => i j.
  by rewrite !mxE /= /horner_eval hornerD hornerM hornerX !hornerC.
exists p => [|s]; first by apply: contraNneq minor => p0; rewrite -pE p0 horner0.
by rewrite pE => /minor_leq_rank.
Qed.

Section Together.
Variables (F : numFieldType) (T q k a e : nat) (P : 'M[F]_(T, q)) (G : 'M[F]_(a, T * q)) (E : 'M[F]_(e, q * q)).
Hypothesis inside : (E *m lin_mulmx P <= G)%MS.

(* all P X + D N, D of G *)
Definition moved_by (N : 'M[F]_(q, k)) : 'M[F]_(q * k + a, T * k) := col_mx (lin_mulmx P) (G *m lin_mulmxr N).

(* for E of these P (E N) is (P E) N *)
Lemma rank_moved_free N : row_free N -> (\rank (moved_by N) + \rank E <= q * k + a)%N.
Proof.
move=> fN; have /submxP[C CE] := inside; pose K := row_mx (E *m lin_mulmxr N) (- C).
have comm : lin_mulmxr N *m lin_mulmx P = lin_mulmx P *m lin_mulmxr N.
  by apply/row_matrixP => i; rewrite !rowE -[delta_mx 0 i]vec_mxK !mulmxA !mul_vec_lin /= mulmxA.
have K0 : K *m moved_by N = 0 by rewrite mul_row_col mulNmx mulmxA -CE -!mulmxA comm subrr.
have rE : (\rank E <= \rank K)%N.
  apply: leq_trans (mxrankM_maxl K (col_mx (lin_mulmxr (pinvmx N)) 0)); rewrite mul_row_col mulmx0 addr0 -mulmxA.
  rewrite (_ : lin_mulmxr N *m lin_mulmxr (pinvmx N) = 1%:M) ?mulmx1 //.
  by apply/row_matrixP => i; rewrite !rowE -[delta_mx 0 i]vec_mxK mulmxA !mul_vec_lin /= -mulmxA mulmxVp // mulmx1 mulmx1.
have := leq_trans rE (mxrankS (introT sub_kermxP K0)); rewrite mxrank_ker; have := rank_leq_row (moved_by N); lia.
Qed.

Lemma rank_moved N : (q <= k)%N -> (\rank (moved_by N) + \rank E <= q * k + a)%N.
Proof.
move=> qk; pose dN := pid_mx q - N; have dNE : N + 1 *: dN = pid_mx q by rewrite scale1r addrC subrK.
have [p p0 pP] := rank_along (moved_by N) (col_mx 0 (G *m lin_mulmxr dN)) 0.
have [r r0 rP] := rank_along N dN 1; rewrite scale0r addr0 in pP; rewrite dNE rank_pid_mx ?leqnn // in rP.
have [||s] := @nonroot F (p * r) (fun n => n%:R); [by move=> i j /eqP; rewrite eqr_nat => /eqP|by rewrite mulf_neq0|].
rewrite hornerM mulf_eq0 negb_or => /andP[/pP rp /rP rr]; set N' := N + _ *: dN in rr.
have mE : moved_by N + s%:R *: col_mx 0 (G *m lin_mulmxr dN) = moved_by N'.
  by rewrite /moved_by scale_col_mx add_col_mx scaler0 addr0 /N' [in RHS]linearD linearZ_LR /= mulmxDr scalemxAr.
rewrite mE in rp; apply: leq_trans (rank_moved_free (N := N') _); first by rewrite leq_add2r.
by rewrite /row_free eqn_leq rank_leq_row.
Qed.

End Together.

(* -------------------------------------------------------------------------- *)
(* Bounds                                                                      *)
(* -------------------------------------------------------------------------- *)
Section Bounds.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation bs := (befores S).
Hypotheses (ok : composed S) (sT : size (example_tokens S) = T).

Let sp : single_path bs. Proof. by have /andP[] := ok. Qed.
Let reached (t : 'I_T) : reaches (path_lists S) (list_of t).
Proof. by have /andP[_ all_ok] := ok; apply: (all_nthP [::] all_ok); rewrite sT. Qed.

Lemma given_vec j : given_vectors R S j = (toF R (Zpos (q_hidden S)))^-1 *: row_of R d 1 (hidden_row S j).
Proof. by apply/rowP => k; rewrite !mxE toF1 divr1 mulrC. Qed.

Lemma given_difference js j : j \in js ->
  (given_vectors R S j - given_vectors R S (head 0%N js) <= space R d (basis d (row_differences S js)))%MS.
Proof.
move=> jin; rewrite !given_vec -scalerBr; apply: scalemx_sub; apply: submx_trans (basis_spans _ _ _).
have -> : row_of R d 1 (hidden_row S j) - row_of R d 1 (hidden_row S (head 0%N js))
    = row_of R d 1 (less 1 (hidden_row S j) 1 (hidden_row S (head 0%N js))) by rewrite vec_less toF1 !scale1r.
by apply: in_space; apply: map_f.
Qed.

Lemma given_averaged (t : 'I_T) j : j \in averaged S t -> (given_vectors R S j <= space R d (basis d (averaged_rows S)))%MS.
Proof.
move=> jt; rewrite given_vec; apply: scalemx_sub; apply: submx_trans (basis_spans _ _ _).
apply: in_space; apply: map_f; rewrite mem_undup; apply/flattenP; exists (averaged S t) => //.
by apply: map_f; rewrite mem_iota /= add0n.
Qed.

Theorem composed_span : (free_capacity R S <= H * averaged_span S)%N.
Proof.
apply: largest_leq => k [W [P /leq_trans]]; apply.
have -> : free_Z W P = mean_rows W (WK P) (WQ P) by rewrite free_Z_rows.
pose V := space R d (basis d (averaged_rows S)) *m way (path_values W bs) (size bs).
apply: leq_trans (_ : \rank (tensor (1%:M : 'M[R]_H) V) <= _)%N; last first.
  apply: leq_trans (rank_tensor _ _) _; rewrite mxrank1 leq_mul2l; apply/orP; right.
  by apply: leq_trans (mxrankM_maxl _ _) _; exact: rank_leq_row.
apply/mxrankS/row_subP => t; rewrite rowK -[\matrix_h _]mul1mx -[X in _ *m X]trmxK; apply: tensor_mul; first exact: submx1.
rewrite trmxK; apply/row_subP => h; rewrite rowK mean_point //; apply: submxMr.
by apply: point_mean_inside => [|a]; [exact: reached|exact: given_averaged].
Qed.

Lemma sum_moved : moved_dimensions S = (\sum_(t < T) moved_at S t)%N.
Proof. by rewrite /moved_dimensions sumnE big_map (_ : iota 0 T = index_iota 0 T) ?big_mkord // /index_iota subn0. Qed.

Theorem composed_moves : (free_functional_dimension R S <= moved_dimensions S + d_out D * free_capacity R S)%N.
Proof.
apply: largest_leq => k [w [m [ps /leq_trans]]]; apply; have [B move] := path_partials w sp.
pose Y := point_rows (weights_before w) (last_key w) (last_query w).
pose V (t : 'I_T) := (\sum_h <<space R d (basis d (row_differences S (averaged S t)))
  *m (way (path_values (weights_before w) bs) (size bs) *m last_readout w h)>>)%MS.
pose embed (t : 'I_T) : 'M[R]_(d_out D, #|{: 'I_T * 'I_(d_out D)}|) := \matrix_(o, i) (enum_val i == (t, o))%:R.
have rV t : (\rank (V t) <= moved_at S t)%N.
  rewrite leq_min rank_leq_col; apply: leq_trans (mxrank_sum_leqif _) _ => /=.
  apply: leq_trans (_ : \sum_(h < H) size (basis d (row_differences S (averaged S t))) <= _)%N; last by rewrite sum_nat_const card_ord.
  by apply: leq_sum => h _; rewrite genmxE; apply: leq_trans (mxrankM_maxl _ _) _; exact: rank_leq_row.
apply: leq_trans (_ : \rank (\sum_t <<V t *m embed t>>)%MS + d_out D * \rank Y <= _)%N; last first.
  apply: leq_add; last by rewrite leq_mul2l rank_point_rows ?orbT.
  apply: leq_trans (mxrank_sum_leqif _) _ => /=; rewrite sum_moved.
  by apply: leq_sum => t _; rewrite genmxE; apply: leq_trans (mxrankM_maxl _ _) _; exact: rV.
apply: rank_moving_spaces => j; have [z [X zX]] := move (ps j); have [Z XZ] := point_sums X.
exists (\sum_t z *m B t *m embed t), Z; split=> [|i].
  apply: summx_sub_sums => t _; rewrite genmxE; apply: submxMr; have [_ inside] := zX t.
  apply: inside; [exact: reached|move=> a; exact: given_difference].
rewrite mxE; case iE: (enum_val i) => [t o]; rewrite [(t, o).1]/= [(t, o).2]/=; have [-> _] := zX t.
rewrite mxE XZ; congr (_ + _); rewrite summxE (bigD1 t) //= big1 ?addr0 => [|u ut].
  rewrite [RHS]mxE (bigD1 o) //= [embed _ _ _]mxE iE eqxx mulr1 big1 ?addr0 // => p po.
  by rewrite [embed _ _ _]mxE iE xpair_eqE eqxx [o == p]eq_sym (negbTE po) mulr0.
by rewrite mxE big1 // => p _; rewrite [embed _ _ _]mxE iE xpair_eqE [t == u]eq_sym (negbTE ut) mulr0.
Qed.

(* --- maps *)
Lemma cleared_by_inside m (V : 'M[R]_(m, d)) B y : (forall u, u \in B -> (row_of R d 1 u <= V)%MS) ->
  (row_of R d 1 (cleared_by B y) <= V)%MS -> (row_of R d 1 y <= V)%MS.
Proof.
elim: B y => //= u B IH y uV /IH yV; have {}uV v : v \in u :: B -> (row_of R d 1 v <= V)%MS by exact: uV.
have {}yV := yV (fun v vB => uV v (mem_behead (s := u :: B) vB)); move: yV; case: ifP => // ku; rewrite vec_less => yV.
have c0 : toF R (nth 0%coqZ u (find (fun x => ~~ (x =? 0)%coqZ) u)) != 0.
  by rewrite toF_eq0; apply: contraNneq (nth_find 0%coqZ (_ : has (fun x => ~~ (x =? 0)%coqZ) u)) => [->|]; rewrite ?has_find.
rewrite -(scale1r (row_of R d 1 y)) -(mulVf c0) -scalerA scalemx_sub //.
by rewrite -[X in (X <= _)%MS](subrK (toF R (nth 0%coqZ y (find (fun x => ~~ (x =? 0)%coqZ) u)) *: row_of R d 1 u)) addmx_sub ?scalemx_sub ?uV ?mem_head.
Qed.

Variables (p : Z) (Es : seq (seq (seq Z))).
Hypothesis maps : maps_ok S p Es.

Local Notation rows := (averaged_rows S).
Local Notation differences t := (space R d (row_differences S (averaged S t))).
Let base : 'M[R]_(\rank (space R d rows), d) := row_base (space R d rows).
Let map_of E : 'M[R]_d := mx R d d 1 E.

Lemma averaged_in (t : 'I_T) j : j \in averaged S t -> hidden_row S j \in rows.
Proof. move=> jt; apply: map_f; rewrite mem_undup; apply/flattenP; exists (averaged S t) => //; by apply: map_f; rewrite mem_iota /= add0n. Qed.

Lemma differences_base (t : 'I_T) : (differences t <= base)%MS.
Proof.
rewrite eq_row_base; apply: space_sub => r /mapP[j jt ->]; rewrite vec_less toF1 !scale1r.
have h0 : head 0%N (averaged S t) \in averaged S t by case: (averaged S t) jt => //= a s _; exact: mem_head.
by rewrite addmx_sub ?eqmx_opp // in_space // (averaged_in (t := t)).
Qed.

Lemma map_inside (t : 'I_T) E r : E \in Es -> r \in [seq hidden_row S j | j <- averaged S t] -> (row_of R d 1 r *m map_of E <= differences t)%MS.
Proof.
move=> EE /mapP[j jt ->]; have /and4P[_ _ /allP inside _] := maps.
have /inside/allP/(_ E EE)/allP/(_ j jt) : averaged S t \in undup [seq averaged S t | t <- iota 0 T].
  by rewrite mem_undup map_f // mem_iota /= add0n.
move=> zero; rewrite vec_image toF1 invr1 scale1r.
apply: (@cleared_by_inside _ _ (rev (basis d (row_differences S (averaged S t))))) => [u|]; last by rewrite (vec_zero _ _ zero) sub0mx.
by rewrite mem_rev => uB; apply: submx_trans (in_space R d uB) (basis_inside _ _ _).
Qed.

Lemma map_base E : E \in Es -> (base *m map_of E <= base)%MS.
Proof.
move=> EE; apply: submx_trans (_ : space R d rows *m map_of E <= base)%MS; first by apply: submxMr; rewrite eq_row_base.
apply/row_subP => i; rewrite row_mul row_space; have /mapP[j] : nth [::] rows i \in rows by exact: mem_nth.
rewrite mem_undup => /flattenP[s /mapP[t tT ->] jt] ->; rewrite mem_iota add0n in tT.
by apply: submx_trans (differences_base (Ordinal tT)); apply: map_inside => //; exact: (map_f (hidden_row S)).
Qed.

Let on_base E : 'M[R]_(\rank (space R d rows)) := base *m map_of E *m pinvmx base.
Let maps_on_base := \matrix_(i < size Es) mxvec (on_base (nth [::] Es i)).

Lemma rank_maps : (size Es <= \rank maps_on_base)%N.
Proof.
have /and4P[_ _ _ /(independent_mod_rank R)] := maps; rewrite size_map => /leq_trans; apply.
rewrite -mxrank_tr -[X in (_ <= X)%N]mxrank_tr; apply/mxrankS/row_subP => j.
pose r := reshape_index (nseq (size rows) d) j; pose b := reshape_offset (nseq (size rows) d) j.
have jw : (j < sumn (nseq (size rows) d))%N by rewrite sumn_nseq [X in (_ < X)%N]mulnC ltn_ord.
have rr : (r < size rows)%N by have := reshape_indexP jw; rewrite size_nseq.
have bd : (b < d)%N by have := reshape_offsetP jw; rewrite nth_nseq -/r rr.
have /submxP[x xE] : (row_of R d 1 (nth [::] rows r) <= base)%MS by rewrite eq_row_base in_space ?mem_nth.
pose f (z : 'rV[R]_(\rank (space R d rows) * \rank (space R d rows))) : 'rV[R]_1 := x *m vec_mx z *m base *m delta_mx (Ordinal bd) 0.
have fl : linear f by move=> a z z'; rewrite /f linearP /= mulmxDr !mulmxDl -scalemxAr -!scalemxAl.
suff -> : row j (mx R (size Es) (size rows * d) 1 [seq map_rows S E | E <- Es])^T = (lin1_mx (Linear fl))^T *m maps_on_base^T by exact: submxMl.
rewrite -trmx_mul -tr_col; congr (_^T); apply/colP => i; have iE : nth [::] Es i \in Es by exact: mem_nth.
transitivity ((row_of R d 1 (nth [::] rows r) *m map_of (nth [::] Es i)) 0 (Ordinal bd)).
  rewrite vec_image !toF1 invr1 scale1r !mxE toF1 !divr1 /ent (nth_map [::]) // nth_flatten.
  have -> : shape [seq image d r' (nth [::] Es i) | r' <- rows] = nseq (size rows) d.
    by elim: (averaged_rows S) => //= r' s ->; rewrite size_combination.
  by rewrite (nth_map [::]).
have -> : row_of R d 1 (nth [::] rows r) *m map_of (nth [::] Es i) = x *m on_base (nth [::] Es i) *m base.
  by rewrite xE -!(mulmxA x) (mulmxKpV (map_base iE)).
have := mul_rV_lin1 (Linear fl) (mxvec (on_base (nth [::] Es i))); rewrite /= /f mxvecK -colE => /matrixP/(_ 0 0).
rewrite [RHS]mxE => <-; transitivity (row i (maps_on_base *m lin1_mx (Linear fl)) 0 0); first by rewrite row_mul rowK.
by rewrite [LHS]mxE.
Qed.

Theorem composed_maps :
  (free_functional_dimension R S <= moved_dimensions S + d_out D * averaged_span S - size Es)%N.
Proof.
have /and4P[/eqP H1 few _ _] := maps; apply: largest_leq => k [w [m [ps /leq_trans]]]; apply.
have H0 : (0 < H)%N by rewrite H1.
pose h0 := Ordinal H0; have [B move] := path_partials w sp.
pose means t := point_mean (weights_before w) (last_key w) (last_query w) t h0.
have one h : h = h0 by apply: val_inj; case: h => g gH /=; move: gH; rewrite H1; case: g.
pose M := way (path_values (weights_before w) bs) (size bs) *m last_readout w h0.
pose P := \matrix_t (means t *m pinvmx base); pose V t := differences t *m pinvmx base.
pose G := (\sum_t <<tensor (delta_mx 0 t : 'rV[R]_T) (V t)>>)%MS.
have rows_in (X : 'M[R]_(T, \rank (space R d rows))) : (forall t, row t X <= V t)%MS -> (mxvec X <= G)%MS.
  move=> XV; have -> : X = \sum_t (delta_mx 0 t : 'rV[R]_T)^T *m row t X.
    apply/matrixP => t i; rewrite summxE (bigD1 t) //= big1 ?addr0 => [|u ut]; rewrite !mxE big_ord1 !mxE ?eqxx ?mul1r //.
    by rewrite eq_sym (negbTE ut) mul0r.
  by rewrite linear_sum; apply: summx_sub_sums => t _; rewrite genmxE tensor_sub.
have rank_G : (\rank G <= moved_dimensions S)%N.
  rewrite sum_moved; apply: leq_trans (mxrank_sum_leqif _) _ => /=; apply: leq_sum => t _; rewrite genmxE.
  apply: leq_trans (rank_tensor _ _) _; apply: leq_trans (leq_mul (rank_leq_row _) (leqnn _)) _; rewrite mul1n leq_min.
  rewrite (leq_trans (rank_leq_col _)) /=.
    by rewrite H1 mul1n; apply: leq_trans (mxrankM_maxl _ _) _; apply: leq_trans (mxrankS (basis_spans _ _ _)) (rank_leq_row _).
  by apply: leq_trans few; apply: leq_trans (mxrankS (basis_spans _ _ _)) (rank_leq_row _).
have means_base t : (means t <= base)%MS.
  rewrite eq_row_base; apply: point_mean_inside => [|a aR]; first exact: reached.
  exact: submx_trans (given_averaged aR) (basis_inside _ _ _).
have inside : (maps_on_base *m lin_mulmx P <= row_base G)%MS.
  rewrite eq_row_base; apply/row_subP => i; rewrite row_mul rowK mul_vec_lin; apply: rows_in => t.
  rewrite row_mul rowK /on_base -[base *m _ *m _]mulmxA mulmxA (mulmxKpV (means_base t)) mulmxA; apply: submxMr.
  apply: submx_trans (_ : space R d [seq hidden_row S j | j <- averaged S t] *m _ <= _)%MS.
    apply/submxMr/point_mean_inside => [|a aR]; first exact: reached.
    by rewrite given_vec scalemx_sub // in_space // map_f.
  by apply/row_subP => j; rewrite row_mul row_space; apply: map_inside; exact: mem_nth.
have /choice[y yE] : forall j, exists y : 'rV[R]_(T * d_out D), (y <= moved_by P (row_base G) (base *m M))%MS /\
    forall i, free_J w ps i j = y 0 (mxvec_index (enum_val i).1 (enum_val i).2).
  move=> j; have [z [X zX]] := move (ps j).
  have /choice[c cE] : forall t : 'I_T, exists c : 'rV[R]_d, (c <= differences t)%MS /\ z *m B t = c *m M.
    move=> t; suff /submxP[c cE] : (z *m B t <= differences t *m M)%MS.
      by exists (c *m differences t); rewrite submxMl -mulmxA.
    have [_ inside_t] := zX t; apply: submx_trans (inside_t _ (differences t) (given_vectors R S (head 0%N (averaged S t))) (reached t) _) _.
      by move=> a /given_difference aV; exact: submx_trans aV (basis_inside _ _ _).
    by apply/sumsmx_subP => h _; rewrite genmxE (one h).
  pose N := \matrix_t (c t *m pinvmx base).
  exists (mxvec (P *m (base *m X h0)) + mxvec (N *m (base *m M))); split=> [|i].
    rewrite /moved_by -addsmxE addmx_sub_adds //; first by rewrite -mul_vec_lin submxMl.
    have -> : mxvec (N *m (base *m M)) = mxvec N *m lin_mulmxr (base *m M) by rewrite mul_vec_lin.
    rewrite submxMr // eq_row_base; apply: rows_in => t; rewrite rowK submxMr //; by have [] := cE t.
  have [dE _] := zX (enum_val i).1; rewrite mxE dE -linearD /= mxvecE.
  rewrite (bigD1 h0) //= big1 ?addr0 => [|h]; last by rewrite (one h) eqxx.
  rewrite mxE [RHS]mxE addrC; set t := (enum_val i).1; set o := (enum_val i).2; congr (_ + _).
    transitivity (row t (P *m (base *m X h0)) 0 o); last by rewrite mxE.
    by rewrite row_mul rowK mulmxA mulmxKpV.
  transitivity (row t (N *m (base *m M)) 0 o); last by rewrite mxE.
  have [cV ->] := cE t; rewrite row_mul rowK mulmxA mulmxKpV //; exact: submx_trans cV (differences_base t).
have rank_J : (\rank (free_J w ps) <= \rank (moved_by P (row_base G) (base *m M)))%N.
  rewrite -mxrank_tr (_ : _^T = (\matrix_j y j) *m colsub (fun i => mxvec_index (enum_val i).1 (enum_val i).2) 1%:M); last first.
    by rewrite mulmx_colsub mulmx1; apply/matrixP => j i; have [_ e] := yE j; rewrite [LHS]mxE e !mxE.
  apply: leq_trans (mxrankM_maxl _ _) (mxrankS _); apply/row_subP => j; rewrite rowK; by have [] := yE j.
have spanned_rows : (\rank (space R d rows) <= averaged_span S)%N by exact: leq_trans (mxrankS (basis_spans _ _ _)) (rank_leq_row _).
have both := rank_moved inside (base *m M) (leq_trans spanned_rows few).
have := leq_mul spanned_rows (leqnn (d_out D)); rewrite [(averaged_span _ * _)%N]mulnC => fits.
rewrite leq_subRL ?(leq_trans rank_maps) //; last first.
  by apply: leq_trans (leq_trans (leq_addl _ _) both) _; rewrite addnC leq_add.
by apply: leq_trans (leq_add rank_maps rank_J) _; rewrite addnC (leq_trans both) // addnC leq_add.
Qed.

End Bounds.
