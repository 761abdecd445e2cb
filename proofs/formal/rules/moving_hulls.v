(* Hulls of what moves: what contains the means of examples whose query is not 0, for any coefficients, and     *)
(* those of the others, which depend on sinks only.                                                             *)
(*                                                                                                              *)
(*          grouped_rank == rows of H blocks that lie in A, but for a multiple v_h y of one vector in each head *)
(*   moving_hulls_rank == they bound the rank of Z for all weights and logits of sinks; examples may have       *)
(*                        different numbers of tokens, and sinks have a space for each number of them           *)
(*       inner_rows, common_rows D k t == what moves at an example, and what does not                            *)
(*          hulls_number D k V == the bound for contexts of one length, for the space that V spans, too         *)
(*            same_copies D k == the tokens of examples whose query is 0 are repeated equally often            *)
(*   moving_hulls, moving_cone_hulls == it bounds the capacity from above                                       *)
From Attest Require Import integers attention upper_bounds problem literal_arithmetic logits residues other_layers.
From Attest Require Import quantity_bounds rational_matrices coefficients zero stack_hulls.

Local Notation Z := BinNums.Z.

Section Groups.
Variables (F : fieldType) (T H d K m : nat) (A : 'M[F]_(m, d)).
Variables (B : 'I_K -> 'M[F]_d) (v : 'I_K -> 'cV[F]_H) (z : 'I_T -> 'M[F]_(H, d)).
Hypothesis AB : forall g, (A <= B g)%MS.
Hypothesis zP : forall t, (z t <= A)%MS \/ exists2 g, exists2 y : 'rV[F]_d, (y <= B g)%MS & (z t - v g *m y <= A)%MS & True.

Lemma grouped_rank : (\rank (\matrix_t mxvec (z t)) <= H * \rank A + \sum_g (\rank (B g) - \rank A))%N.
Proof.
pose P : 'M_(H * \rank A, H * d) := lin_mx (mulmxr (row_base A)).
pose Q g : 'M_(d, H * d) := lin1_mx (mxvec \o mulmx (v g)).
have inP (M : 'M[F]_(H, d)) : (M <= A)%MS -> (mxvec M <= P)%MS.
  rewrite -(eq_row_base A) => /submxP[N ->]; apply/submxP; exists (mxvec N).
  by rewrite mul_vec_lin.
have inQ g y : mxvec (v g *m y) = y *m Q g by rewrite mul_rV_lin1.
apply: (@leq_trans (\rank (P + \sum_g <<(B g :\: A) *m Q g>>)%MS)); last first.
  apply: leq_trans (mxrank_adds_leqif _ _) _; apply: leq_add; first exact: rank_leq_row.
  elim/big_ind2: _ => [|x1 x2 y1 y2 le1 le2|g _]; first by rewrite mxrank0.
    exact: leq_trans (mxrank_adds_leqif _ _) (leq_add le1 le2).
  rewrite genmxE; apply: leq_trans (mxrankM_maxl _ _) _.
  by rewrite -(mxrank_cap_compl (B g) A) (capmx_idPr (AB g)) addKn.
apply/mxrankS/row_subP => t; rewrite rowK; case: (zP t) => [/inP zA|[g [y yB zA] _]].
  exact: submx_trans zA (addsmxSl _ _).
have : (y <= (B g :\: A) + (B g :&: A))%MS by rewrite addsmx_diff_cap_eq.
case/sub_addsmxP=> -[u1 u2] /= yE; set y1 := _ *m _ in yE; set y2 := _ *m _ in yE.
have y2A : (y2 <= A)%MS by apply: submx_trans (submxMl _ _) (capmxSr _ _).
have -> : z t = (z t - v g *m y + v g *m y2) + v g *m y1.
  by rewrite -addrA -mulmxDr [y2 + y1]addrC -yE subrK.
rewrite linearD /= addmx_sub //.
  by apply: submx_trans (inP _ _) (addsmxSl _ _); rewrite addmx_sub // (submx_trans (submxMl _ _)).
rewrite inQ; apply: submx_trans (addsmxSr _ _); rewrite (sumsmx_sup g) // genmxE submxMr //.
exact: submxMl.
Qed.

End Groups.

(* --- rows of Z for all weights *)
Section Rows.
Variables (R : realType) (k : coefficient_kind) (T H d K m : nat) (n : 'I_T -> nat).
Variables (X : forall t, 'M[R]_(n t, d)) (e : 'I_T -> 'cV[R]_d).
Variables (copies : 'I_T -> nat) (number times : 'I_K -> nat).
Variables (A : 'M[R]_(m, d)) (B : 'I_K -> 'M[R]_d) (group : 'I_T -> 'I_K) (point : 'I_T -> 'rV[R]_d).
Hypothesis n_gt0 : forall t, (0 < n t)%N.
Hypothesis AB : forall g, (A <= B g)%MS.
Hypothesis movingP : forall t, e t != 0 ->
  if k is Softmax then (forall i, (row i (X t) - point t <= A)%MS) /\ (point t <= B (group t))%MS else (X t <= A)%MS.
Hypothesis stillP : forall t, e t = 0 -> ((const_mx 1 : 'rV_(n t)) *m X t <= B (group t))%MS.
(* of all examples of a group whose query is 0 *)
Hypothesis numberP : forall t, e t = 0 -> k <> Softmax -> number (group t) = n t /\ times (group t) = copies t.

Theorem moving_hulls_rank (s : 'I_H -> R) (W : 'I_H -> 'M[R]_d) :
  (\rank (\matrix_t mxvec (\matrix_h ((coefs_at k (copies t) (s h) (X t *m W h *m e t))^T *m X t)))
    <= H * \rank A + \sum_g (\rank (B g) - \rank A))%N.
Proof.
pose v g : 'cV[R]_H := \col_h (if k is Sinks _ _ _ then ((number g)%:R + (times g)%:R * expR (s h))^-1 else 1).
apply: (@grouped_rank _ _ _ _ _ _ A B v _ AB) => t; have [e0|e0] := eqVneq (e t) 0.
  right; exists (group t) => //.
  pose c : R := match k with Softmax => (n t)%:R^-1 | Sinks _ _ _ => 1 | Sigmoid _ => ((copies t)%:R * (1 + 1))^-1 end.
  exists (c *: ((const_mx 1 : 'rV_(n t)) *m X t)); first by rewrite scalemx_sub ?stillP.
  rewrite (_ : _ - _ = 0) ?sub0mx //; apply/eqP; rewrite subr_eq0; apply/eqP/row_matrixP => h.
  rewrite rowK row_mul e0 mulmx0 -scalemxAr [_ *m (_ *m _)]mulmxA scalemxAl; congr (_ *m _); apply/rowP => i.
  rewrite mxE [RHS]mxE [X in _ = c * X]mxE big_ord1 [row h _ _ _]mxE [v _ _ _]mxE [const_mx _ _ _]mxE mulr1 /c /coefs_at.
  have sum1 : \sum_(j < n t) expR ((0 : 'cV[R]_(n t)) j 0) = (n t)%:R.
    by under eq_bigr do rewrite mxE expR0; rewrite sumr_const card_ord.
  have := numberP e0; case: k => [|q z w|w] nP; rewrite mxE ?sum1 ?[X in expR X]mxE ?[X in expR (- X)]mxE ?oppr0 expR0 ?mul1r ?mulr1 //.
  by have [] := nP => // -> ->.
move: (movingP e0); case kE: k => [|q z w|w] => [[xA pB]|xA|xA]; last 2 first.
- by left; apply/row_subP => h; rewrite rowK (submx_trans (submxMl _ _)).
- by left; apply/row_subP => h; rewrite rowK (submx_trans (submxMl _ _)).
right; exists (group t) => //; exists (point t) => //; apply/row_subP => h; rewrite linearB /= rowK row_mul.
set a := (_)^T; have a1 : a *m (const_mx 1 : 'cV_(n t)) = 1%:M.
  apply/matrixP => i j; rewrite !ord1 !mxE -[RHS](softmax_sum1 (X t *m W h *m e t) (n_gt0 t)).
  by apply: eq_bigr => l _; rewrite [a _ _]mxE [const_mx _ _ _]mxE mulr1.
have -> : row h (v (group t)) = 1%:M by apply/matrixP => i j; rewrite !ord1 !mxE /v kE.
rewrite -a1 -mulmxA -mulmxBr (submx_trans (submxMl _ _)) //; apply/row_subP => i.
rewrite linearB /= row_mul (_ : row i (const_mx 1) = 1%:M) ?mul1mx //.
by apply/matrixP => x y; rewrite !ord1 !mxE.
Qed.

End Rows.

(* --- contexts of one length *)
Definition total_row (C : seq (seq Z)) : seq Z := foldr plus_row [::] C.

Section Rule.
Variables (D : problem) (k : coefficient_kind).

Definition inner_rows (t : nat) : seq (seq Z) :=
  let C := context_at D t in
  if zero_query (d D) (query_at D t) then [::]
  else if k is Softmax then [seq less 1 r 1 (nth [::] C 0) | r <- C] else C.
Definition common_rows (t : nat) : seq (seq Z) :=
  let C := context_at D t in
  if zero_query (d D) (query_at D t) then [:: total_row C] else if k is Softmax then [:: nth [::] C 0] else [::].

(* examples whose query is 0 have as many copies; others could have different ones *)
Definition still_copies : nat :=
  head 1%N [seq copies_of k t | t <- iota 0 (T D) & zero_query (d D) (query_at D t)].
Definition same_copies : bool :=
  all (fun t => zero_query (d D) (query_at D t) ==> (copies_of k t == still_copies)) (iota 0 (T D)).

Definition hulls_number (V : seq (seq Z)) : nat :=
  let A := basis (d D) (V ++ flatten [seq inner_rows t | t <- iota 0 (T D)]) in
  ((H D - 1) * size A + size (basis (d D) (A ++ flatten [seq common_rows t | t <- iota 0 (T D)])))%N.

End Rule.

Section Sound.
Variables (R : realType) (D : problem) (k : coefficient_kind).
Hypothesis okD : wf_problem D.
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation vec := (row_of R d 1).
Let q : R := toF R (Zpos (q_contexts D)).

Lemma row_token (t : 'I_T) (i : 'I_n) : row i (E t) = q^-1 *: vec (nth [::] (context_at D t) i).
Proof. by apply/rowP => j; rewrite !mxE toF1 divr1 mulrC. Qed.

Lemma vec_sum C : vec (total_row C) = \sum_(r <- C) vec r.
Proof.
elim: C => [|r C IH]; first by rewrite big_nil; apply/rowP => j; rewrite !mxE nth_nil rmorph0 mul0r.
by rewrite big_cons -IH; apply/rowP => j; rewrite [RHS]mxE !vecE nth_add_rows toFD.
Qed.

Lemma sum_context (t : 'I_T) : (const_mx 1 : 'rV_n) *m E t = q^-1 *: vec (total_row (context_at D t)).
Proof.
rewrite vec_sum scaler_sumr (big_nth [::]) (size_context okD) big_mkord.
apply/rowP => j; rewrite mxE summxE; apply: eq_bigr => i _.
by rewrite -row_token [X in X * _]mxE mul1r [RHS]mxE.
Qed.

Lemma weights_moving A (s : 'I_H -> R) (W : 'I_H -> 'M[R]_d) V :
    same_copies D k -> (forall (t : 'I_T) h, row h (A t) = (coefs_at k (copies_of k t) (s h) (E t *m W h *m e t))^T) ->
  (\rank (attn_out A E) <= hulls_number D k V)%N.
Proof.
move=> sc AE; pose inner := V ++ flatten [seq inner_rows D k t | t <- iota 0 T].
pose S := basis d inner; pose points := flatten [seq common_rows D k t | t <- iota 0 T].
pose B (_ : 'I_1) : 'M[R]_d := <<space R d (S ++ points)>>%MS.
have at_t (f : nat -> seq (seq Z)) (t : 'I_T) r : r \in f t -> r \in flatten [seq f t | t <- iota 0 T].
  by move=> rt; apply/flattenP; exists (f t) => //; rewrite map_f // mem_iota /= add0n.
have innerP (t : 'I_T) r : r \in inner_rows D k t -> (vec r <= space R d S)%MS.
  by move=> rt; apply: submx_trans (basis_spans _ _ _); apply: in_space; rewrite mem_cat (at_t _ t) ?orbT.
have pointP (t : 'I_T) r : r \in common_rows D k t -> (vec r <= B ord0)%MS.
  by move=> rt; rewrite genmxE; apply: in_space; rewrite mem_cat (at_t _ t) ?orbT.
have first (t : 'I_T) : nth [::] (context_at D t) 0 \in context_at D t by rewrite mem_nth // (size_context okD) (n_gt0 okD).
have <- : \matrix_t mxvec (\matrix_h ((coefs_at k (copies_of k t) (s h) (E t *m W h *m e t))^T *m E t)) = attn_out A E.
  by apply/row_matrixP => t; rewrite !rowK; congr mxvec; apply/row_matrixP => h; rewrite rowK row_mul AE.
pose point t := q^-1 *: vec (nth [::] (context_at D t) 0).
apply: leq_trans (@moving_hulls_rank R k T H d 1 _ (fun=> n) E e (fun t => copies_of k t) (fun=> n) (fun=> still_copies D k)
  (space R d S) B (fun=> ord0) point _ _ _ _ _ s W) _ => //.
- by move=> t; apply: n_gt0 okD.
- by move=> g; rewrite genmxE; apply: space_catl.
- move=> t et; move: (innerP t) (pointP t); rewrite /inner_rows /common_rows (zero_queryP R) (negPf et) /point.
  have tokens : (forall r, r \in context_at D t -> (vec r <= space R d S)%MS) -> (E t <= space R d S)%MS.
    by move=> inS; apply/row_subP => i; rewrite row_token scalemx_sub // inS // mem_nth // (size_context okD).
  case: k => [|a b w|w] inS inB; [|exact: tokens inS..].
  split=> [i|]; last by rewrite scalemx_sub // inB // mem_head.
  have inC : nth [::] (context_at D t) i \in context_at D t by rewrite mem_nth // (size_context okD).
  by have := inS _ (map_f _ inC); rewrite vec_less !toF1 !scale1r row_token -scalerBr; apply: scalemx_sub.
- move=> t et; move: (pointP t); rewrite /common_rows (zero_queryP R) et eqxx => inB.
  by rewrite sum_context scalemx_sub // inB // mem_head.
- move=> t et _; split=> //; apply/esym/eqP; have /allP/(_ (t : nat)) := sc.
  by rewrite mem_iota ltn_ord (zero_queryP R) et eqxx => /(_ isT).
rewrite big_ord1 genmxE; set a := \rank _; set b := \rank _.
apply: (@leq_trans ((H - 1) * a + b)).
  by case: (H) => [|h]; [rewrite mul0n !add0n leq_subr|rewrite subSS subn0 mulSn -addnA addnCA subnKC ?mxrankS ?space_catl].
rewrite leq_add ?leq_mul2l ?rank_leq_row ?orbT //.
by apply: leq_trans (mxrankS (basis_spans _ _ _)) (rank_leq_row _).
Qed.

End Sound.

Theorem moving_hulls (R : realType) (D : problem) V : wf_problem D -> (capacity R D <= hulls_number D Softmax V)%N.
Proof.
move=> okD; apply: largest_leq => r [P /leq_trans]; apply; rewrite ZE Zmx_attn_out.
refine (@weights_moving R D Softmax okD _ (fun=> 0) (fun h => WK P h *m (WQ P h)^T) V _ _) => [|t h]; last exact: rowK.
by apply/allP => t _; rewrite /still_copies; case: [seq t <- _ | _] => [|u l]; rewrite /= implybT.
Qed.

Theorem moving_cone_hulls (R : realType) (D : problem) k V : wf_problem D -> same_copies D k -> (capacity_of_kind R D k <= hulls_number D k V)%N.
Proof.
move=> okD sc; apply: largest_leq => r [A [s [P AP]] /leq_trans]; apply.
exact: (@weights_moving R D k okD A s (fun h => WK P h *m (WQ P h)^T) V sc AP).
Qed.
