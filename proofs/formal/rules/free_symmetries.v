(* All weights of attention layers behind each other free, any number of heads, residual connections                        *)
(* (docs/mathematics.md, Free layers): how many dimensions the means have, and the outputs move in.                         *)
(*                                                                                                                          *)
(*      after_move, entering_move, output_move == the derivatives of what layers put out, and of the outputs                *)
(*               framed D C x moves == vectors x are a D + b C, b the same within a sequence, and move in N dimensions, *)
(*                                     and with D and C                                                                     *)
(*                           values_spread == values that are as independent as they can be; almost all are                        *)
(*          symmetries_dimension, means_dimension == bounds of the functional dimension and of the capacity                 *)
From Attest Require Import integers.
From mathcomp Require Import zify classical_sets functions derive realfun.
From Attest Require Import attention common lemmas upper_bounds generic_data coordinates problem literal_arithmetic logits quantities statements.
From Attest Require Import other_layers stack_quantities quantity_bounds jacobians jacobian_bounds rational_matrices literal_matrices stack_symmetry.
From Attest Require Import stack_enclosures stack_hulls free_stacks free_jacobians tangents single_path composed_means.
Import numFieldNormedType.Exports.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* A head                                                                      *)
(* -------------------------------------------------------------------------- *)
Section Slope.
Variables (R : realType) (n : nat) (l : 'cV[R]_n).

Lemma slope_sym : (softmax_slope l)^T = softmax_slope l.
Proof.
apply/matrixP => i j; rewrite [LHS]mxE [LHS]mxE [RHS]mxE; case: (eqVneq i j) => [->//|ij].
by rewrite !sub0r !mulrN mulrC.
Qed.

Lemma slope_ones k (r : 'rV[R]_k) : (0 < n)%N -> softmax_slope l *m (const_mx 1 *m r) = 0.
Proof.
move=> n0; rewrite mulmxA (_ : _ *m const_mx 1 = 0) ?mul0mx //; apply/colP => i; rewrite mxE [RHS]mxE.
rewrite (eq_bigr (fun j => softmax l i 0 * ((i == j)%:R - softmax l j 0))) => [|j _]; last by rewrite mxE [const_mx _ _ _]mxE mulr1.
rewrite -mulr_sumr sumrB softmax_sum1 // (bigD1 i) //= eqxx big1 ?addr0 ?subrr ?mulr0 // => j ji.
by rewrite eq_sym (negbTE ji).
Qed.

Lemma mean_ones k (r : 'rV[R]_k) : (0 < n)%N -> (softmax l)^T *m (const_mx 1 *m r) = r.
Proof.
move=> n0; rewrite mulmxA (_ : _ *m const_mx 1 = 1%:M) ?mul1mx //; apply/matrixP => i j.
rewrite !ord1 [RHS]mxE eqxx; transitivity (\sum_k softmax l k 0); last exact: softmax_sum1.
by rewrite mxE; apply: eq_bigr => k' _; rewrite [(softmax l)^T _ _]mxE [const_mx _ _ _]mxE mulr1.
Qed.

End Slope.

Section Head.
Variables (R : realType) (S : layer_stack).
Local Notation d := (d (top_problem S)).

Definition tokens_in k (s : seq nat) (f : nat -> 'rV[R]_k) : 'M[R]_(size s, k) := \matrix_i f (nth 0%N s i).

Lemma tokens_split k (x : nat -> 'rV[R]_d) s (f : nat -> 'rV[R]_k) (A : 'M[R]_(k, d)) r : (forall j, j \in s -> x j = f j *m A + r) ->
  stack_tokens x s = tokens_in s f *m A + const_mx 1 *m r.
Proof.
move=> xE; apply/matrixP => i j; rewrite [LHS]mxE xE ?mem_nth // [LHS]mxE [RHS]mxE; congr (_ + _).
  by rewrite !mxE; apply: eq_bigr => k' _; rewrite [in RHS]mxE.
by rewrite mxE big_ord1 mxE mul1r.
Qed.

Lemma tokens_split2 k k' (x : nat -> 'rV[R]_d) s (f : nat -> 'rV[R]_k) (A : 'M[R]_(k, d)) (g : nat -> 'rV[R]_k') (A' : 'M[R]_(k', d)) r :
    (forall j, j \in s -> x j = f j *m A + g j *m A' + r) ->
  stack_tokens x s = tokens_in s f *m A + tokens_in s g *m A' + const_mx 1 *m r.
Proof.
move=> xE; apply/matrixP => i j; rewrite [LHS]mxE xE ?mem_nth // [LHS]mxE [RHS]mxE; congr (_ + _).
  rewrite [LHS]mxE [RHS]mxE; congr (_ + _); rewrite !mxE; apply: eq_bigr => b _; by rewrite [in RHS]mxE.
by rewrite mxE big_ord1 mxE mul1r.
Qed.

Variables (v c N m : nat) (D : 'M[R]_(v, d)) (C : 'M[R]_(c, d)) (a : nat -> 'rV[R]_v) (by_ : 'rV[R]_c).
Variables (B : nat -> 'M[R]_(N, v)) (Gy : 'M[R]_(N, c)) (x : nat -> 'rV[R]_d) (s : seq nat) (y : nat) (K Q : 'M[R]_(d, m)).
Hypotheses (s0 : (0 < size s)%N) (xy : x y = a y *m D + by_ *m C) (xs : forall j, j \in s -> x j = a j *m D + by_ *m C).
Local Notation P := (col_mx D C).
Local Notation l := (stack_tokens x s *m (K *m Q^T *m (x y)^T)).

Definition head_point : 'rV[R]_v := (softmax l)^T *m tokens_in s a.

Lemma head_pointE : softmax_mean x l = head_point *m D + by_ *m C.
Proof. by rewrite /softmax_mean [X in _ *m X](tokens_split xs) mulmxDr mean_ones // mulmxA. Qed.

Lemma head_span : exists B' : 'M[R]_(N + motions m v (v + c), v), forall dx z dD dC dK dQ w,
    dx y = z *m B y *m D + a y *m dD + (z *m Gy *m C + by_ *m dC) ->
    (forall j, j \in s -> dx j = z *m B j *m D + a j *m dD + (z *m Gy *m C + by_ *m dC)) ->
    (dD *m K + D *m dK) *m (P *m Q)^T + D *m K *m (col_mx dD dC *m Q + P *m dQ)^T = vec_mx (w *m motion_span (D *m K) (P *m Q)) ->
  form_move x dx s (K *m Q^T) (dK *m Q^T + K *m dQ^T) (x y) (dx y)
  = row_mx z w *m B' *m D + head_point *m dD + (z *m Gy *m C + by_ *m dC).
Proof.
set E := motion_span _ _; set sl := softmax_slope l; set al := softmax l.
pose TB (z : 'rV[R]_N) := tokens_in s (fun j => z *m B j); pose A1 := tokens_in s a.
pose r (z : 'rV[R]_N) := row_mx (z *m B y) (z *m Gy); pose p := row_mx (a y) by_.
pose core z (F : 'M[R]_(v, v + c)) := TB z *m (D *m (K *m Q^T) *m (x y)^T)
  + A1 *m (D *m (K *m Q^T) *m (r z *m P)^T + F *m p^T).
pose f (u : 'rV[R]_(N + motions m v (v + c))) := (sl *m core (lsubmx u) (vec_mx (rsubmx u *m E)))^T *m A1 + al^T *m TB (lsubmx u).
have TBl k z z' : TB (k *: z + z') = k *: TB z + TB z'.
  by apply/row_matrixP => i; rewrite linearP /= !rowK mulmxDl -scalemxAl.
have rl k z z' : r (k *: z + z') = k *: r z + r z' by rewrite /r !mulmxDl -!scalemxAl scale_row_mx add_row_mx.
have corel k z z' F F' : core (k *: z + z') (k *: F + F') = k *: core z F + core z' F'.
  rewrite /core TBl rl [(k *: r z + r z') *m P]mulmxDl -scalemxAl [(_ + _)^T]linearP /=.
  rewrite !(mulmxDl, mulmxDr) -!(scalemxAl, scalemxAr) !scalerDr.
  by rewrite [X in (_ + X) = _]addrACA [LHS]addrACA.
have fl : linear f.
  move=> k u u'; have e1 : lsubmx (k *: u + u') = k *: lsubmx u + lsubmx u' by rewrite linearP.
  have e2 : vec_mx (rsubmx (k *: u + u') *m E) = k *: vec_mx (rsubmx u *m E) + vec_mx (rsubmx u' *m E).
    by rewrite linearP mulmxDl -scalemxAl linearP.
  rewrite /f e1 e2 corel TBl; move: (core _ _) (core _ _) (TB _) (TB _) => c1 c2 t1 t2.
  by rewrite !mulmxDr -!scalemxAr [(_ + _)^T]linearP /= mulmxDl -scalemxAl scalerDr [LHS]addrACA.
exists (lin1_mx (Linear fl)) => dx z dD dC dK dQ w dy ds wE.
rewrite mul_rV_lin1 /= /f row_mxKl row_mxKr -wE.
have XE : stack_tokens x s = A1 *m D + const_mx 1 *m (by_ *m C) := tokens_split xs.
have dXE := tokens_split2 ds; rewrite -/A1 -/(TB z) in dXE.
have xp : x y = p *m P by rewrite mul_row_col xy.
have dxp : dx y = r z *m P + p *m col_mx dD dC.
  by rewrite !mul_row_col dy addrACA.
have killed (r0 : 'rV[R]_d) (u : 'cV[R]_d) : sl *m (const_mx 1 *m r0 *m u) = 0 by rewrite -[_ *m r0 *m _]mulmxA /sl slope_ones.
have key : dD *m (K *m Q^T *m (x y)^T) + D *m ((dK *m Q^T + K *m dQ^T) *m (x y)^T + K *m Q^T *m (dx y)^T)
    = D *m (K *m Q^T) *m (r z *m P)^T + ((dD *m K + D *m dK) *m (P *m Q)^T + D *m K *m (col_mx dD dC *m Q + P *m dQ)^T) *m p^T.
  rewrite dxp xp !(trmx_mul, linearD) /= !trmx_mul !(mulmxDl, mulmxDr) !mulmxA -!addrA [RHS]addrCA; congr (_ + _).
  by rewrite [RHS]addrCA; congr (_ + _); rewrite addrC -addrA.
have coreE : sl *m (stack_tokens dx s *m (K *m Q^T *m (x y)^T)
    + stack_tokens x s *m ((dK *m Q^T + K *m dQ^T) *m (x y)^T + K *m Q^T *m (dx y)^T))
  = sl *m core z ((dD *m K + D *m dK) *m (P *m Q)^T + D *m K *m (col_mx dD dC *m Q + P *m dQ)^T).
  rewrite /core -key [in LHS]dXE [X in _ + X *m _]XE mulmxDl [in X in _ + X]mulmxDl mulmxDr.
  rewrite [sl *m (_ + _ *m _ *m _)]mulmxDr killed addr0 [sl *m (_ + _ *m _ *m _)]mulmxDr killed addr0 -mulmxDr; congr (_ *m _).
  by rewrite mulmxDl [in RHS]mulmxDr !mulmxA addrA.
rewrite /form_move /mean_move -/sl -/al coreE [X in _ *m X + _]XE dXE.
have cz1 (M : 'cV[R]_(size s)) : (sl *m M)^T *m (const_mx 1 *m (by_ *m C)) = 0 by rewrite trmx_mul -mulmxA /sl slope_sym slope_ones ?mulmx0.
move: (core z _) => M; rewrite mulmxDr cz1 addr0 [al^T *m (_ + const_mx _ *m _)]mulmxDr mean_ones // mulmxDr mulmxDl.
by rewrite !mulmxA -!addrA.
Qed.

End Head.

(* -------------------------------------------------------------------------- *)
(* Layers                                                                      *)
(* -------------------------------------------------------------------------- *)
Section Moves.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation d := (d D).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation stacked := (nat -> free_weights R S).
Local Notation own t := (nth 0%N (example_rows S) t).
Implicit Types (x dx : nat -> 'rV[R]_d) (W : stacked) (b : earlier) (bs : seq earlier).

Definition after_move (W W' : free_weights R S) b x dx (i : nat) : 'rV[R]_d :=
  match b with
  | EarlierAttention residual lists heads =>
    let s := nth [::] lists i in
    kept_input residual (dx i) + \sum_(k <- iota 0 (size heads)) let g := W k (width_at heads k) in let g' := W' k (width_at heads k) in
      (form_move x dx s (free_key g *m (free_query g)^T) (free_key g' *m (free_query g)^T + free_key g *m (free_query g')^T) (x i) (dx i)
          *m free_value g
        + softmax_mean x (stack_tokens x s *m (free_key g *m (free_query g)^T *m (x i)^T)) *m free_value g')
  | _ => dx i
  end.

Fixpoint entering_move W W' bs x dx : nat -> 'rV[R]_d :=
  if bs is b :: bs' then entering_move (fun l => W l.+1) (fun l => W' l.+1) bs' (after_free (W 0%N) b x) (after_move (W 0%N) (W' 0%N) b x dx)
  else dx.

Definition head_derives (g : R -> forall w, free_head R d w) (g' : forall w, free_head R d w) : Prop := forall w,
  [/\ derives (fun u => free_key (g u w)) (free_key (g' w)), derives (fun u => free_query (g u w)) (free_query (g' w))
    & derives (fun u => free_value (g u w)) (free_value (g' w))].

Lemma derives_kept residual (x : R -> 'rV[R]_d) (dx : 'rV[R]_d) : derives x dx -> derives (fun u => kept_input residual (x u)) (kept_input residual dx).
Proof. by case: residual => // _; exact: derives_cst. Qed.

Lemma derives_entering bs (W : R -> stacked) W' (x : R -> nat -> 'rV[R]_d) dx : only_attention bs ->
    (forall l k, head_derives (fun u => W u l k) (W' l k)) -> (forall j, derives (fun u => x u j) (dx j)) ->
  forall i, derives (fun u => entering_free (W u) bs (x u) i) (entering_move (W 0) W' bs (x 0) dx i).
Proof.
elim: bs W W' x dx => [|b bs IH] W W' x dx //= /andP[att atts] mW mx i.
apply: (IH (fun u l => W u l.+1) (fun l => W' l.+1) (fun u => after_free (W u 0%N) b (x u))) => // j.
case: b att => // residual lists heads _; apply: derives_add; first exact: derives_kept.
apply: derives_sum => k; have [mk mq mv] := mW 0%N k (width_at heads k).
by apply: derives_mul mv; apply: derives_form => //; apply: derives_mul mk (derives_tr mq).
Qed.

Definition unit_weights p : stacked := fun l k v => FreeHead (unit_of_key R p l k d v) (unit_of_query R p l k d v) (unit_of_value R p l k d d).
Definition output_move (w : all_weights R S) p (t : 'I_T) : 'rV[R]_(d_out D) :=
  let L := size (befores S) in let x := entering_free (weights_before w) (befores S) (given_vectors R S) in
  let dx := entering_move (weights_before w) (unit_weights p) (befores S) (given_vectors R S) (fun=> 0) in
  \sum_h (form_move x dx (list_of t) (last_key w h *m (last_query w h)^T)
        (unit_of_key R p L h d (d_h D) *m (last_query w h)^T + last_key w h *m (unit_of_query R p L h d (d_h D))^T) (x (own t)) (dx (own t))
      *m last_readout w h + free_mean w t h *m unit_of_value R p L h d (d_out D)).

Lemma free_partialE (w : all_weights R S) t o p : only_attention (befores S) -> free_partial w t o p = output_move w p t 0 o.
Proof.
move=> att; suff : derives (fun u => free_outputs (moved_free w p u) t) (output_move w p t) by exact: derives_unique.
have at0 := moved_free0 w p.
pose X u := entering_free (weights_before (moved_free w p u)) (befores S) (given_vectors R S).
pose dX := entering_move (weights_before w) (unit_weights p) (befores S) (given_vectors R S) (fun=> 0).
have X0 : X 0 = entering_free (weights_before w) (befores S) (given_vectors R S) by rewrite /X at0.
have mX i : derives (fun u => X u i) (dX i).
  have := @derives_entering (befores S) (fun u => weights_before (moved_free w p u)) (unit_weights p) (fun=> given_vectors R S)
    (fun=> 0) att _ (fun j => derives_cst _) i; rewrite at0; apply=> l k v.
  by split; exact: derives_line.
apply: derives_sum => h; pose L := size (befores S).
pose A u := last_key (moved_free w p u) h *m (last_query (moved_free w p u) h)^T.
have A0 : A 0 = last_key w h *m (last_query w h)^T by rewrite /A at0.
have mA : derives A (unit_of_key R p L h d (d_h D) *m (last_query w h)^T + last_key w h *m (unit_of_query R p L h d (d_h D))^T).
  have mk : derives (fun u => last_key (moved_free w p u) h) (unit_of_key R p L h d (d_h D)) by exact: derives_line.
  have mq : derives (fun u => last_query (moved_free w p u) h) (unit_of_query R p L h d (d_h D)) by exact: derives_line.
  by apply: derives_eq (derives_mul mk (derives_tr mq)) _; rewrite at0.
have mU : derives (fun u => last_readout (moved_free w p u) h) (unit_of_value R p L h d (d_out D)) by exact: derives_line.
apply: derives_eq (derives_mul (derives_form (list_of t) mX mA (mX (own t))) mU) _.
by rewrite X0 A0 at0.
Qed.

(* --- frames *)
Variables (us : seq nat) (grp : nat -> nat).

Definition framed v c N (E : 'M[R]_(v, d)) (C : 'M[R]_(c, d)) x (moves : (nat -> 'rV[R]_d) -> Prop) : Prop :=
  exists (a : nat -> 'rV[R]_v) (b : nat -> 'rV[R]_c) (B : nat -> 'M[R]_(N, v)) (G : nat -> 'M[R]_(N, c)),
    [/\ forall i, i \in us -> x i = a i *m E + b i *m C,
      forall i j, i \in us -> j \in us -> grp i = grp j -> b i = b j /\ G i = G j &
      forall dx, moves dx -> exists z dE dC, forall i, i \in us ->
        dx i = z *m B i *m E + a i *m dE + (z *m G i *m C + b i *m dC)].

Definition grouped_layer b : bool :=
  if b is EarlierAttention _ lists heads then
    [&& (0 < size heads)%N, all (fun g => earlier_width g == width_at heads 0) heads &
      all (fun i => let l := nth [::] lists i in [&& (0 < size l)%N, all (mem us) l & all (fun j => grp j == grp i) l]) us]
  else false.

Definition residual_of b : bool := if b is EarlierAttention residual _ _ then residual else false.
Definition before_heads b : seq earlier_head := if b is EarlierAttention _ _ heads then heads else [::].
Definition ways_of b : nat := (residual_of b + size (before_heads b))%N.
Definition before_values (W : free_weights R S) b (k : nat) : 'M[R]_d := free_value (W k (path_width b)).

Lemma sum_same_width (A : zmodType) heads (f : nat -> nat -> A) : all (fun g => earlier_width g == width_at heads 0) heads ->
  \sum_(k <- iota 0 (size heads)) f k (width_at heads k) = \sum_(k < size heads) f k (width_at heads 0).
Proof.
move=> same; rewrite (_ : iota 0 (size heads) = index_iota 0 (size heads)); last by rewrite /index_iota subn0.
rewrite big_mkord; apply: eq_bigr => k _; congr (f k _).
by rewrite /width_at (nth_map no_head) //; apply/eqP; apply: (all_nthP no_head same).
Qed.

Lemma sum_res (A : zmodType) (res : bool) n (f : nat -> A) : \sum_(k < res + n) f k = (if res then f 0%N else 0) + \sum_(k < n) f (res + k)%N.
Proof. by case: res; rewrite ?add0r // -[(true + n)%N]/n.+1 big_ord_recl. Qed.

Lemma framed_layer (W : free_weights R S) b v c N (E : 'M[R]_(v, d)) (C : 'M[R]_(c, d)) x moves : grouped_layer b -> framed N E C x moves ->
  framed (N + size (before_heads b) * motions (path_width b) v (v + c))
    (ways (fun k : 'I_(ways_of b) => E *m way_value (residual_of b) (before_values W b) k))
    (C *m (\sum_(k < ways_of b) way_value (residual_of b) (before_values W b) k))
    (after_free W b x) (fun dx' => exists dx (W' : free_weights R S), moves dx /\ forall i, i \in us -> dx' i = after_move W W' b x dx i).
Proof.
case: b => // res lists heads /and3P[h0 same inside] [a [b [B [G [xE bE move]]]]].
rewrite [before_heads _]/= [path_width _]/= [residual_of _]/=.
set m := width_at heads 0 in same *; set n := size heads; set e := motions m v (v + c).
pose K k := free_key (W k m); pose Q k := free_query (W k m); pose V k := free_value (W k m).
have VE : before_values W (EarlierAttention res lists heads) = V by [].
rewrite VE -[ways_of _]/(res + n)%N; pose s i := nth [::] lists i.
have seen i : i \in us -> [/\ (0 < size (s i))%N, forall j, j \in s i -> j \in us & forall j, j \in s i -> grp j = grp i].
  move=> iu; have /and3P[? /allP ? /allP g] := allP inside i iu; split=> // j /g /eqP //.
have xs i j : i \in us -> j \in s i -> x j = a j *m E + b i *m C.
  by move=> iu /[dup] ji; have [_ su sg] := seen i iu => /su ju; rewrite xE //; have [->] := bE j i ju iu (sg j ji).
pose P := col_mx E C.
pose point k i := head_point a x (s i) i (K k) (Q k).
have /choice[BB BBE] : forall ki : nat * nat, exists B' : 'M[R]_(N + e, v), ki.2 \in us -> forall dx z dE dC dK dQ w,
    (forall j, j \in us -> dx j = z *m B j *m E + a j *m dE + (z *m G j *m C + b j *m dC)) ->
    (dE *m K ki.1 + E *m dK) *m (P *m Q ki.1)^T + E *m K ki.1 *m (col_mx dE dC *m Q ki.1 + P *m dQ)^T
      = vec_mx (w *m motion_span (E *m K ki.1) (P *m Q ki.1)) ->
  form_move x dx (s ki.2) (K ki.1 *m (Q ki.1)^T) (dK *m (Q ki.1)^T + K ki.1 *m dQ^T) (x ki.2) (dx ki.2)
  = row_mx z w *m B' *m E + point ki.1 ki.2 *m dE + (z *m G ki.2 *m C + b ki.2 *m dC).
  move=> [k i] /=; case: (boolP (i \in us)) => [iu|_]; last by exists 0.
  have [s0 su sg] := seen i iu.
  have [B' B'E] := head_span B (G i) (K k) (Q k) s0 (xE i iu) (fun j => xs i j iu).
  exists B' => _ dx z dE dC dK dQ w dxE wE; apply: B'E => // [|j ji]; first exact: dxE.
  by rewrite dxE ?su //; have [-> ->] := bE j i (su j ji) iu (sg j ji).
pose sel k : 'M[R]_(n * e, e) := if insub k is Some h then @nth_block R n e h else 0.
pose headT k i := (block_mx 1%:M 0 0 (sel k) : 'M[R]_(N + n * e, N + e)) *m BB (k, i).
pose pt k i := if res then (if k is k'.+1 then point k' i else a i) else point k i.
pose TT k i := if res then (if k is k'.+1 then headT k' i else col_mx (B i) 0) else headT k i.
pose a' i := mxvec (\matrix_(k < res + n) pt k i).
exists a', b, (fun i => unways (fun k : 'I_(res + n) => TT k i)), (fun i => col_mx (G i) 0); split.
- move=> i iu; have [s0 su sg] := seen i iu.
  rewrite /a' mul_ways mulmxA mulmx_sumr.
  have -> : \sum_(k < res + n) row k (\matrix_(k < res + n) pt k i) *m (E *m way_value res V k) + \sum_(k < res + n) b i *m C *m way_value res V k
      = \sum_(k < res + n) (pt k i *m E + b i *m C) *m way_value res V k.
    by rewrite -big_split /=; apply: eq_bigr => k _; rewrite rowK mulmxA mulmxDl.
  rewrite (sum_res res n (fun k => (pt k i *m E + b i *m C) *m way_value res V k)) /=.
  rewrite (sum_same_width (fun k v => softmax_mean x (stack_tokens x (s i) *m (free_key (W k v) *m (free_query (W k v))^T *m (x i)^T))
    *m free_value (W k v)) same); congr (_ + _).
    by rewrite /kept_input /pt; case: (res); rewrite /= ?mulmx1 ?xE.
  apply: eq_bigr => k _; rewrite (head_pointE i (K k) (Q k) s0 (fun j => xs i j iu)) -/(V k) /pt /way_value.
  by case: (res).
- move=> i j iu ju g; have [-> ->] := bE i j iu ju g; by split.
move=> dx' [dx [W' [/move[z [dE [dC dxE]]] dx'E]]].
pose dK k := free_key (W' k m); pose dQ k := free_query (W' k m); pose dV k := free_value (W' k m).
have /choice[w wE] k : exists w, (dE *m K k + E *m dK k) *m (P *m Q k)^T + E *m K k *m (col_mx dE dC *m Q k + P *m dQ k)^T
      = vec_mx (w *m motion_span (E *m K k) (P *m Q k)) by exact: motion_spanP.
pose z' := row_mx z (mxvec (\matrix_(k < n) w k)).
pose dway k := if res then (if k is k'.+1 then dV k' else 0) else dV k.
exists z', (ways (fun k : 'I_(res + n) => dE *m way_value res V k + E *m dway k)),
  (dC *m (\sum_(k < res + n) way_value res V k) + C *m (\sum_(k < res + n) dway k)) => i iu.
have [s0 su sg] := seen i iu.
have headE (k : 'I_n) : z' *m headT k i = row_mx z (w k) *m BB (nat_of_ord k, i).
  rewrite /headT mulmxA mul_row_block mulmx1 !mulmx0 addr0 add0r; congr (row_mx _ _ *m _).
  by rewrite /sel valK mul_nth_block rowK.
have keptE : z' *m col_mx (B i) 0 = z *m B i by rewrite mul_row_col mulmx0 addr0.
rewrite dx'E //= (sum_same_width (fun k v => (form_move x dx (s i) (free_key (W k v) *m (free_query (W k v))^T)
    (free_key (W' k v) *m (free_query (W k v))^T + free_key (W k v) *m (free_query (W' k v))^T) (x i) (dx i) *m free_value (W k v)
  + softmax_mean x (stack_tokens x (s i) *m (free_key (W k v) *m (free_query (W k v))^T *m (x i)^T)) *m free_value (W' k v))) same).
have -> : z' *m unways (fun k : 'I_(res + n) => TT k i) *m ways (fun k : 'I_(res + n) => E *m way_value res V k)
    + a' i *m ways (fun k : 'I_(res + n) => dE *m way_value res V k + E *m dway k)
    + (z' *m col_mx (G i) 0 *m (C *m (\sum_(k < res + n) way_value res V k))
      + b i *m (dC *m (\sum_(k < res + n) way_value res V k) + C *m (\sum_(k < res + n) dway k)))
  = \sum_(k < res + n) ((z' *m TT k i *m E + pt k i *m dE + (z *m G i *m C + b i *m dC)) *m way_value res V k
      + (pt k i *m E + b i *m C) *m dway k).
  rewrite mul_unways /a' !mul_ways mul_row_col mulmx0 addr0 mulmxDr !mulmxA !mulmx_sumr -!big_split /=.
  apply: eq_bigr => k _; rewrite !rowK mulmxDr !mulmxDl !mulmxA -!addrA; congr (_ + _); congr (_ + _).
  by rewrite addrCA; congr (_ + _); rewrite addrCA.
rewrite (sum_res res n (fun k => (z' *m TT k i *m E + pt k i *m dE + (z *m G i *m C + b i *m dC)) *m way_value res V k
      + (pt k i *m E + b i *m C) *m dway k)); congr (_ + _).
  by rewrite /kept_input /TT /pt /dway; case: (res); rewrite //= mulmx1 mulmx0 addr0 keptE dxE.
apply: eq_bigr => k _; rewrite (head_pointE i (K k) (Q k) s0 (fun j => xs i j iu)).
have := BBE (nat_of_ord k, i) iu dx z dE dC (dK k) (dQ k) (w k) dxE (wE k); rewrite /= => ->.
by rewrite -headE /TT /pt /dway /way_value -/(V k) -/(dV k); case: (res).
Qed.

Lemma regrouped (A : zmodType) (p q r s t u : A) : p + q + (r + s + (t + u)) = p + t + r + (q + u + s).
Proof. by rewrite [r + s + _]addrC addrA [p + q + _]addrACA addrACA. Qed.

Lemma regrouped_again (A : zmodType) (p q r s t u : A) : p + q + (r + s) + (t + u) = p + r + (q + t + (s + u)).
Proof. by rewrite [p + q + _]addrACA -addrA [q + s + _]addrACA. Qed.

Lemma framed_coordinates n c N (E : 'M[R]_(n, d)) (C : 'M[R]_(c, d)) x moves : let q := minn d (n + c) in
    (minn d n <= \rank E)%N -> (q <= \rank (col_mx E C))%N -> framed N E C x moves ->
  exists v' c' (E' : 'M[R]_(v', d)) (C' : 'M[R]_(c', d)),
    [/\ v' = minn d n, (v' + c')%N = q, row_free (col_mx E' C'), (E' :=: E)%MS /\ (col_mx E' C' :=: col_mx E C)%MS &
      framed (N + (n + c - q) * q) E' C' x moves].
Proof.
move=> q rE rEC [a [b [B [G [xE bE move]]]]].
have [v' [c' [E' [C' [Yd [Yc [Xd [Xc [vE qE fP same [points moved]]]]]]]]]] := fewest_coordinates (erefl (n + c - q)%N) rE rEC.
set r := (n + c - q)%N in Xd Xc moved *.
exists v', c', E', C'; split=> //.
have -> : (N + r * q = N + r * v' + r * c')%N by rewrite -addnA -mulnDr qE.
exists (fun i => row_mx (a i) (b i) *m Yd), (fun i => b i *m Yc),
  (fun i => col_mx (col_mx (row_mx (B i) (G i) *m Yd) (row_times v' (row_mx (a i) (b i) *m Xd))) 0),
  (fun i => col_mx (col_mx (G i *m Yc) 0) (row_times c' (b i *m Xc))); split.
- by move=> i iu; rewrite xE // points.
- by move=> i j iu ju g; have [-> ->] := bE i j iu ju g.
move=> dx /move[z [dE [dC dxE]]]; have [dE' [dC' [w [u moveE]]]] := moved dE dC.
exists (row_mx (row_mx z (mxvec w)) (mxvec u)), dE', dC' => i iu.
rewrite !mul_row_col !mulmx0 !addr0 !mul_row_times dxE // addrACA moveE.
have -> : z *m B i *m E + z *m G i *m C = z *m row_mx (B i) (G i) *m Yd *m E' + z *m G i *m Yc *m C'.
  by rewrite points mul_mx_row.
by rewrite !mulmxA !mulmxDl; exact: regrouped.
Qed.

Lemma framed_sub v c N (E : 'M[R]_(v, d)) (C : 'M[R]_(c, d)) x (moves moves' : (nat -> 'rV[R]_d) -> Prop) : (forall dx, moves' dx -> moves dx) ->
  framed N E C x moves -> framed N E C x moves'.
Proof. by move=> sub [a [b [B [G [xE bE move]]]]]; exists a, b, B, G; split=> // dx /sub/move. Qed.

Fixpoint dims (v c : nat) bs : nat * nat :=
  if bs is b :: bs' then let n := (ways_of b * v)%N in dims (minn d n) (minn d (n + c) - minn d n) bs' else (v, c).
Fixpoint motions_of (v c : nat) bs : nat :=
  if bs is b :: bs' then
    let n := (ways_of b * v)%N in let q := minn d (n + c) in
    (size (before_heads b) * motions (path_width b) v (v + c) + (n + c - q) * q + motions_of (minn d n) (q - minn d n) bs')%N
  else 0%N.

Fixpoint values_spread n m v c (E : 'M[R]_(n, d)) (P : 'M[R]_(m, d)) W bs : Prop :=
  if bs is b :: bs' then
    let K := ways_of b in let V := way_value (residual_of b) (before_values (W 0%N) b) in
    let E' := ways (fun k : 'I_K => E *m V k) in let P' := col_mx E' (P *m (\sum_(k < K) V k)) in
    [/\ (minn d (K * v) <= \rank E')%N, (minn d (K * v + c) <= \rank P')%N
      & values_spread (minn d (K * v))%N (minn d (K * v + c) - minn d (K * v))%N E' P' (fun l => W l.+1) bs']
  else True.

Lemma framed_through bs W v c N (E : 'M[R]_(v, d)) (C : 'M[R]_(c, d)) n m (E1 : 'M[R]_(n, d)) (P1 : 'M[R]_(m, d)) x moves :
    all grouped_layer bs -> row_free (col_mx E C) -> (E :=: E1)%MS -> (col_mx E C :=: P1)%MS -> values_spread v c E1 P1 W bs -> framed N E C x moves ->
  exists (E' : 'M[R]_((dims v c bs).1, d)) (C' : 'M[R]_((dims v c bs).2, d)), row_free (col_mx E' C') /\
    framed (N + motions_of v c bs) E' C' (entering_free W bs x)
      (fun dx' => exists dx W', moves dx /\ forall i, i \in us -> dx' i = entering_move W W' bs x dx i).
Proof.
elim: bs W v c N E C n m E1 P1 x moves => [|b bs IH] W v c N E C n m E1 P1 x moves.
  move=> _ fP _ _ _ [a [b [B [G [xE bE move]]]]]; exists E, C; split=> //; rewrite addn0; exists a, b, B, G; split=> //.
  by move=> dx' [dx [W' [/move[z [dE [dC dxE]]] dx'E]]]; exists z, dE, dC => i iu; rewrite dx'E //= dxE.
move=> /andP[gb gbs] fP EE PP [r1 r2 sp] fr.
have [E'E P'E] := same_spans (ways_of b) (way_value (residual_of b) (before_values (W 0%N) b)) EE PP.
have frl := framed_layer (W 0%N) gb fr.
rewrite -E'E in r1; rewrite -P'E in r2.
have [v' [c' [E' [C' [vE qE fP' [EE' PP'] fr']]]]] := framed_coordinates r1 r2 frl.
subst v'; have cE : c' = (minn d (ways_of b * v + c) - minn d (ways_of b * v))%N by rewrite -qE addKn.
subst c'.
have [E2 [C2 [f2 fr2]]] := IH (fun l => W l.+1) _ _ _ E' C' _ _ _ _ _ _ gbs fP' (eqmx_trans EE' E'E) (eqmx_trans PP' P'E) sp fr'.
exists E2, C2; split=> //; move: fr2; rewrite /= -!addnA; apply: framed_sub => dx' [dx [W' [mdx dx'E]]].
exists (after_move (W 0%N) (W' 0%N) b x dx), (fun l => W' l.+1); split=> //.
by exists dx, (W' 0%N).
Qed.

Lemma spread_exists bs v c (E : 'M[R]_(v, d)) (C : 'M[R]_(c, d)) n m (E1 : 'M[R]_(n, d)) (P1 : 'M[R]_(m, d)) :
    all grouped_layer bs -> row_free (col_mx E C) -> (E :=: E1)%MS -> (col_mx E C :=: P1)%MS ->
  exists W, values_spread v c E1 P1 W bs.
Proof.
elim: bs v c E C n m E1 P1 => [|b bs IH] v c E C n m E1 P1; first by exists (fun _ _ _ => FreeHead 0 0 0).
move=> /andP[gb gbs] fP EE PP.
have h0 : (0 < size (before_heads b))%N by case: b gb => // ? ? ? /and3P[].
have [V [r1 r2]] := spreading (residual_of b) fP h0.
have [E'E P'E] := same_spans (ways_of b) (way_value (residual_of b) V) EE PP.
have [v' [c' [E' [C' [Yd [Yc [Xd [Xc [vE qE fP' [EE' PP'] _]]]]]]]]] := fewest_coordinates erefl r1 r2.
rewrite -/(ways_of b) in EE' PP' vE qE r1 r2.
subst v'; have cE : c' = (minn d (ways_of b * v + c) - minn d (ways_of b * v))%N by rewrite -qE addKn.
subst c'.
have [W' sp] := IH _ _ E' C' _ _ _ _ gbs fP' (eqmx_trans EE' E'E) (eqmx_trans PP' P'E).
exists (fun l => if l is l'.+1 then W' l' else fun k w => FreeHead 0 0 (V k)).
by split=> //=; rewrite -?E'E -?P'E.
Qed.

End Moves.

(* -------------------------------------------------------------------------- *)
(* Almost all values are as independent                                        *)
(* -------------------------------------------------------------------------- *)
Section Almost.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation d := (d D).
Local Notation stacked := (nat -> free_weights R S).
Implicit Types (bs : seq earlier).

Definition poly_mx m n (M : R -> 'M[R]_(m, n)) : Prop := forall i j, polynomial (fun s => M s i j).

Lemma poly_cst m n (M : 'M[R]_(m, n)) : poly_mx (fun=> M). Proof. by move=> i j; exact: polynomial_const. Qed.
Lemma poly_sum (I : finType) m n (M : I -> R -> 'M[R]_(m, n)) : (forall i, poly_mx (M i)) -> poly_mx (fun s => \sum_i M i s).
Proof.
move=> PM i j; have [p pP] := polynomial_sum (fun k => PM k i j); exists p => s.
by rewrite summxE pP.
Qed.
Lemma poly_col m1 m2 n (M : R -> 'M[R]_(m1, n)) (N : R -> 'M[R]_(m2, n)) : poly_mx M -> poly_mx N -> poly_mx (fun s => col_mx (M s) (N s)).
Proof.
move=> PM PN i j; case: (splitP i) => k ik.
  by have [p pP] := PM k j; exists p => s; rewrite -pP (_ : i = lshift m2 k) ?col_mxEu //; apply: val_inj.
by have [p pP] := PN k j; exists p => s; rewrite -pP (_ : i = rshift m1 k) ?col_mxEd //; apply: val_inj.
Qed.
Lemma poly_ways K v n (M : 'I_K -> R -> 'M[R]_(v, n)) : (forall k, poly_mx (M k)) -> poly_mx (fun s => ways (fun k => M k s)).
Proof.
move=> PM; refine (@poly_sum _ _ _ (fun k s => @nth_block R K v k *m M k s) _) => k.
by apply: polynomial_mulmx (PM k) => i j; exact: polynomial_const.
Qed.

Lemma poly_rank m n (M : R -> 'M[R]_(m, n)) : poly_mx M -> exists2 p : {poly R}, p != 0 & forall s, p.[s] != 0 -> (\rank (M 1%R) <= \rank (M s))%N.
Proof.
move=> PM; have /choice[P PE] : forall ij : 'I_m * 'I_n, exists p : {poly R}, forall s, M s ij.1 ij.2 = p.[s] by move=> [i j]; exact: PM.
have [f [g minor]] := mxrank_minor (M 1); pose p := \det (mxsub f g (\matrix_(i, j) P (i, j))).
have pE s : p.[s] = \det (mxsub f g (M s)).
  rewrite -[LHS]/(horner_eval s p) -det_map_mx; congr (\det _); apply/matrixP => i j.
  by rewrite !mxE /= /horner_eval -PE.
exists p => [|s]; first by apply: contraNneq minor => p0; rewrite -pE p0 horner0.
by rewrite pE => /minor_leq_rank.
Qed.

Lemma spread_line bs v c n m (E1 : R -> 'M[R]_(n, d)) (P1 : R -> 'M[R]_(m, d)) (W : R -> stacked) : poly_mx E1 -> poly_mx P1 ->
    (forall l k w, poly_mx (fun s => free_value (W s l k w))) -> values_spread v c (E1 1) (P1 1) (W 1) bs ->
  exists2 p : {poly R}, p != 0 & forall s, p.[s] != 0 -> values_spread v c (E1 s) (P1 s) (W s) bs.
Proof.
elim: bs v c n m E1 P1 W => [|b bs IH] v c n m E1 P1 W PE PP PW; first by move=> _; exists 1%:P => [|s _ //]; rewrite polyC_eq0 oner_neq0.
move=> [r1 r2 sp]; pose V s := way_value (residual_of b) (before_values (W s 0%N) b).
have PV k : poly_mx (fun s => V s k).
  rewrite /V /way_value; case: (residual_of b); last exact: PW.
  by case: k => [|k]; [exact: poly_cst|exact: PW].
pose E2 s := ways (fun k : 'I_(ways_of b) => E1 s *m V s k).
pose P2 s := col_mx (E2 s) (P1 s *m (\sum_(k < ways_of b) V s k)).
have PE2 : poly_mx E2 by apply: (poly_ways (M := fun k s => E1 s *m V s k)) => k; apply: polynomial_mulmx PE (PV k).
have PP2 : poly_mx P2.
  apply: poly_col => //; apply: polynomial_mulmx PP _; refine (@poly_sum _ _ _ (fun (k : 'I_(ways_of b)) s => V s k) _) => k; exact: PV.
have [p1 p10 p1P] := poly_rank PE2; have [p2 p20 p2P] := poly_rank PP2.
have [p3 p30 p3P] := IH _ _ _ _ E2 P2 (fun s l => W s l.+1) PE2 PP2 (fun l => PW l.+1) sp.
exists (p1 * p2 * p3); first by rewrite !mulf_neq0.
move=> s; rewrite !hornerM !mulf_eq0 !negb_or => /andP[/andP[s1 s2] s3]; split.
- exact: leq_trans r1 (p1P s s1).
- exact: leq_trans r2 (p2P s s2).
exact: p3P.
Qed.

(* only values matter *)
Lemma spread_values bs v c n m (E1 : 'M[R]_(n, d)) (P1 : 'M[R]_(m, d)) (W W' : stacked) :
  (forall l k w, free_value (W l k w) = free_value (W' l k w)) -> values_spread v c E1 P1 W bs -> values_spread v c E1 P1 W' bs.
Proof.
elim: bs v c n m E1 P1 W W' => [|b bs IH] v c n m E1 P1 W W' //= WW.
have -> : before_values (W 0%N) b = before_values (W' 0%N) b by apply/funext => k; exact: WW.
by move=> [r1 r2 /(IH _ _ _ _ _ _ _ (fun l => W' l.+1) (fun l => WW l.+1))]; split.
Qed.

End Almost.

(* -------------------------------------------------------------------------- *)
(* What holds for almost all weights on a line                                 *)
(* -------------------------------------------------------------------------- *)
Section Movable.
Variable R : realType.

Lemma movable_cst m n (M : 'M[R]_(m, n)) : movable (fun=> M). Proof. by exists 0; exact: derives_cst. Qed.
Lemma movable_add m n (M N : R -> 'M[R]_(m, n)) : movable M -> movable N -> movable (fun s => M s + N s).
Proof. by move=> [dM mM] [dN mN]; eexists; exact: derives_add mM mN. Qed.
Lemma movable_mul m n k (M : R -> 'M[R]_(m, n)) (N : R -> 'M[R]_(n, k)) : movable M -> movable N -> movable (fun s => M s *m N s).
Proof. by move=> [dM mM] [dN mN]; eexists; exact: derives_mul mM mN. Qed.
Lemma movable_tr m n (M : R -> 'M[R]_(m, n)) : movable M -> movable (fun s => (M s)^T).
Proof. by move=> [dM mM]; eexists; exact: derives_tr mM. Qed.
Lemma movable_softmax n (l : R -> 'cV[R]_n) : movable l -> movable (fun s => softmax (l s)).
Proof. by move=> [dl ml]; eexists; exact: derives_softmax ml. Qed.
Lemma movable_entries m n (M : R -> 'M[R]_(m, n)) : (forall i j, exists df : R, is_derive (0 : R) 1 (fun s => M s i j) df) -> movable M.
Proof. by move=> mM; exists (\matrix_(i, j) sval (cid (mM i j))) => i j; rewrite mxE; exact: svalP. Qed.
Lemma movable_slope n (l : R -> 'cV[R]_n) : movable l -> movable (fun s => softmax_slope (l s)).
Proof.
move=> /movable_softmax[dl ml]; apply: movable_entries => i j.
rewrite (_ : (fun s => _) = (fun s => softmax (l s) i 0) * (cst (i == j)%:R - (fun s => softmax (l s) j 0))); last first.
  by apply/funext => s; rewrite mxE.
by eexists; apply: is_deriveM; [exact: ml|apply: is_deriveB; exact: ml].
Qed.

Lemma movable_rows m n (M : R -> 'I_m -> 'rV[R]_n) : (forall i, movable (fun s => M s i)) -> movable (fun s => \matrix_i M s i).
Proof.
move=> mM; apply: movable_entries => i j; have [dM mi] := mM i; exists (dM 0 j).
by rewrite (_ : (fun s => _) = fun s => M s i 0 j) //; apply/funext => s; rewrite mxE.
Qed.
Lemma movable_mxvec m n (M : R -> 'M[R]_(m, n)) : movable M -> movable (fun s => mxvec (M s)).
Proof.
move=> [dM mM]; apply: movable_entries => i j; rewrite (ord1 i); case/mxvec_indexP: j => a b; exists (dM a b).
by rewrite (_ : (fun s => _) = fun s => M s a b) //; apply/funext => s; rewrite mxvecE.
Qed.

Lemma rank_below m n (M : R -> 'M[R]_(m, n)) r (p : {poly R}) : movable M -> p != 0 -> (forall s, p.[s] != 0 -> (\rank (M s) <= r)%N) ->
  (\rank (M 0%R) <= r)%N.
Proof.
move=> [dM mM] p0 rM; have [eps eps0 near_M] := rank_near (M 0).
have close i j : \forall s \near (0 : R), `|M 0 i j - M s i j| < eps.
  have c : {for 0, continuous (fun s => M s i j)}.
    by apply/differentiable_continuous/derivable1_diffP; case: (mM i j).
  by have /cvgrPdist_lt/(_ _ eps0) := c.
have /nbhs_ballP[e /= e0 eM] : \forall s \near (0 : R), forall ij : 'I_m * 'I_n, `|M 0 ij.1 ij.2 - M s ij.1 ij.2| < eps.
  apply: (@filter_forall _ _ (fun (ij : 'I_m * 'I_n) (s : R) => `|M 0 ij.1 ij.2 - M s ij.1 ij.2| < eps) (nbhs (0 : R))) => -[i j]; exact: close.
pose f k : R := e / k.+2%:R.
have inj_f : injective f.
  by move=> k l /(mulfI (lt0r_neq0 e0))/invr_inj/eqP; rewrite eqr_nat !eqSS => /eqP.
have [k pk] := nonroot inj_f p0.
apply: leq_trans (rM _ pk); apply: near_M => i j; apply: ltW; apply: (eM (f k) _ (i, j)).
rewrite -ball_normE /= sub0r normrN /f normrM gtr0_norm // normfV normr_nat.
by rewrite ltr_pdivr_mulr ?ltr0n // ltr_pmulr // ltr1n.
Qed.

End Movable.

Section Bounds.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation d := (d D).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation bs := (befores S).
Local Notation own t := (nth 0%N (example_rows S) t).
Local Notation stacked := (nat -> free_weights R S).

Lemma movable_tokens (x : R -> nat -> 'rV[R]_d) s : (forall i, movable (fun u => x u i)) -> movable (fun u => stack_tokens (x u) s).
Proof. by move=> /choice[dx mx]; eexists; apply: derives_tokens; exact: mx. Qed.

Lemma movable_form_move (x dx : R -> nat -> 'rV[R]_d) s (A dA : R -> 'M[R]_d) (y dy : R -> 'rV[R]_d) :
    (forall i, movable (fun u => x u i)) -> (forall i, movable (fun u => dx u i)) -> movable A -> movable dA -> movable y -> movable dy ->
  movable (fun u => form_move (x u) (dx u) s (A u) (dA u) (y u) (dy u)).
Proof.
move=> mx mdx mA mdA my mdy; have mX := movable_tokens s mx; have mdX := movable_tokens s mdx.
have ml := movable_mul mX (movable_mul mA (movable_tr my)).
have mdl := movable_add (movable_mul mdX (movable_mul mA (movable_tr my)))
  (movable_mul mX (movable_add (movable_mul mdA (movable_tr my)) (movable_mul mA (movable_tr mdy)))).
exact: movable_add (movable_mul (movable_tr (movable_mul (movable_slope ml) mdl)) mX) (movable_mul (movable_tr (movable_softmax ml)) mdX).
Qed.

Lemma movable_mean (x : R -> nat -> 'rV[R]_d) s (A : R -> 'M[R]_d) (y : R -> 'rV[R]_d) : (forall i, movable (fun u => x u i)) -> movable A -> movable y ->
  movable (fun u => softmax_mean (x u) (stack_tokens (x u) s *m (A u *m (y u)^T))).
Proof.
move=> mx mA my; have mX := movable_tokens s mx.
exact: movable_mul (movable_tr (movable_softmax (movable_mul mX (movable_mul mA (movable_tr my))))) mX.
Qed.

Definition movable_heads (W : R -> stacked) : Prop := forall l k v,
  [/\ movable (fun u => free_key (W u l k v)), movable (fun u => free_query (W u l k v)) & movable (fun u => free_value (W u l k v))].

Lemma movable_entering_move bs' (W : R -> stacked) W' (x dx : R -> nat -> 'rV[R]_d) : only_attention bs' -> movable_heads W ->
    (forall i, movable (fun u => x u i)) -> (forall i, movable (fun u => dx u i)) ->
  forall i, movable (fun u => entering_move (W u) W' bs' (x u) (dx u) i).
Proof.
elim: bs' W W' x dx => [|b bs' IH] W W' x dx //= /andP[att atts] mW mx mdx i.
apply: (IH (fun u l => W u l.+1) (fun l => W' l.+1) (fun u => after_free (W u 0%N) b (x u)) (fun u => after_move (W u 0%N) (W' 0%N) b (x u) (dx u))) => //.
- by move=> j; apply: (@movable_entering R S W [:: b] x j) => //; rewrite /= att.
move=> j; case: b att => // residual lists heads _; apply: movable_add.
  by case: residual; [exact: mdx|exact: movable_cst].
apply: movable_sum => k; have [mk mq mv] := mW 0%N k (width_at heads k).
have mkq := movable_mul mk (movable_tr mq).
apply: movable_add; apply: movable_mul => //; [|exact: movable_mean|exact: movable_cst].
apply: movable_form_move => //; apply: movable_add; [apply: movable_mul (movable_cst _) (movable_tr mq)|exact: movable_mul mk (movable_cst _)].
Qed.

End Bounds.

(* ============================================================================ *)
(* Computation                                                                  *)
(* ============================================================================ *)
Section Compute.
Variable S : layer_stack.
Local Notation D := (top_problem S).
Local Notation d := (d D).

(* the rows that any layer looks at, and the first one of the sequence of row i *)
Definition seen_rows : seq nat :=
  once (sort leq (example_rows S ++ flatten (example_tokens S) ++ flatten (flatten [seq lists_of b | b <- befores S]))).
Definition sequence_number (i : nat) : nat := (i %/ n D)%N.
Definition first_among (us : seq nat) (i : nat) : nat := nth 0%N us (find (fun j => sequence_number j == sequence_number i) us).
Definition first_in_sequence : nat -> nat := first_among seen_rows.
Definition difference_basis :=
  let us := seen_rows in basis d [seq less 1 (hidden_row S i) 1 (hidden_row S (first_among us i)) | i <- us].
Definition seen_basis := basis d [seq hidden_row S i | i <- seen_rows].

(* p shows that the bases are independent *)
Definition in_sequences (p : Z) : bool :=
  [&& (0 < H D)%N, size (example_rows S) == T D, all (grouped_layer seen_rows sequence_number) (befores S),
    all (fun t => let l := nth [::] (example_tokens S) t in
      (0 < size l)%N && all (fun j => sequence_number j == sequence_number (nth 0%N (example_rows S) t)) l) (iota 0 (T D))
    & independent_mod p d difference_basis && independent_mod p d seen_basis].

Definition first_dims : nat * nat := let v := size difference_basis in (v, size seen_basis - v)%N.
Definition means_most : nat := let: (v, c) := first_dims in let e := dims S v c (befores S) in (H D * e.1 + e.2)%N.
Definition symmetry_motions : nat :=
  let: (v, c) := first_dims in let e := dims S v c (befores S) in
  (motions_of S v c (befores S) + H D * motions (d_h D) e.1 (e.1 + e.2))%N.

End Compute.

(* ============================================================================ *)
(* Bounds                                                                       *)
(* ============================================================================ *)
Section Dimension.
Variables (R : realType) (S : layer_stack) (p : Z).
Hypotheses (ok : in_sequences S p) (sT : size (example_tokens S) = T (top_problem S)).
Local Notation D := (top_problem S).
Local Notation d := (d D).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation bs := (befores S).
Local Notation own t := (nth 0%N (example_rows S) t).
Local Notation us := (seen_rows S).
Local Notation grp := (sequence_number S).
Local Notation v := (size (difference_basis S)).
Local Notation c := (size (seen_basis S) - size (difference_basis S))%N.
Local Notation E0 := (space R d (difference_basis S)).
Local Notation given := (given_vectors R S).

Let grouped : all (grouped_layer us grp) bs. Proof. by have /and5P[] := ok. Qed.
Let H0 : (0 < H)%N. Proof. by have /and5P[] := ok. Qed.

Let att : only_attention bs.
Proof. by apply: sub_all grouped => -[]. Qed.

Let own_seen (t : 'I_T) : own t \in us.
Proof.
have /and5P[_ /eqP sr _ _ _] := ok; rewrite mem_once mem_sort mem_cat; apply/orP; left.
by apply: mem_nth; rewrite sr.
Qed.

Let tokens_seen (t : 'I_T) : [/\ (0 < size (list_of t))%N, forall j, j \in list_of t -> j \in us & forall j, j \in list_of t -> grp j = grp (own t)].
Proof.
have /and5P[_ _ _ /allP tok _] := ok; have /tok/andP[l0 /allP lg] : (t : nat) \in iota 0 T by rewrite mem_iota add0n /=.
split=> // j jl; last by apply/eqP/lg.
rewrite mem_once mem_sort !mem_cat; apply/orP; right; apply/orP; left; apply/flattenP; exists (list_of t) => //.
by apply: mem_nth; rewrite sT.
Qed.

Lemma first_seen i : i \in us -> first_in_sequence S i \in us.
Proof. by move=> iu; apply: mem_nth; rewrite -has_find; apply/hasP; exists i. Qed.

Lemma first_same i j : grp i = grp j -> first_in_sequence S i = first_in_sequence S j.
Proof. by move=> g; rewrite /first_in_sequence /first_among g. Qed.

Lemma given_seen i : i \in us -> (given i <= space R d (seen_basis S))%MS.
Proof.
move=> iu; rewrite given_vec; apply: scalemx_sub; apply: submx_trans (basis_spans _ _ _).
by apply: in_space; apply: map_f.
Qed.

Lemma given_moved i : i \in us -> (given i - given (first_in_sequence S i) <= E0)%MS.
Proof.
move=> iu; rewrite !given_vec -scalerBr; apply: scalemx_sub; apply: submx_trans (basis_spans _ _ _).
have -> : row_of R d 1 (hidden_row S i) - row_of R d 1 (hidden_row S (first_in_sequence S i))
    = row_of R d 1 (less 1 (hidden_row S i) 1 (hidden_row S (first_in_sequence S i))) by rewrite vec_less toF1 !scale1r.
by apply: in_space; apply: (map_f (fun i => less 1 (hidden_row S i) 1 (hidden_row S (first_in_sequence S i)))).
Qed.

Lemma first_complement : exists C0 : 'M[R]_(c, d), row_free (col_mx E0 C0) /\ (space R d (seen_basis S) <= E0 + C0)%MS.
Proof.
have /and5P[_ _ _ _ /andP[/(independent_mod_rank R) rE /(independent_mod_rank R) rP]] := ok.
set P0 := space R d (seen_basis S).
have fE : \rank E0 = v by apply/eqP; rewrite eqn_leq rank_leq_row.
have fP : \rank P0 = size (seen_basis S) by apply/eqP; rewrite eqn_leq rank_leq_row.
have EP : (E0 <= P0)%MS.
  apply: submx_trans (basis_inside _ _ _) _; apply: space_sub => r /mapP[i iu ->]; rewrite vec_less toF1 !scale1r.
  have row_in j : j \in us -> (row_of R d 1 (hidden_row S j) <= P0)%MS.
    by move=> ju; apply: submx_trans (basis_spans _ _ _); apply: in_space; apply: map_f.
  by rewrite addmx_sub ?eqmx_opp ?row_in // first_seen.
have rC : \rank (P0 :\: E0)%MS = c.
  by have := mxrank_cap_compl P0 E0; rewrite (capmx_idPr EP); move: fE fP; lia.
have : exists C0 : 'M[R]_(\rank (P0 :\: E0)%MS, d), (C0 :=: (P0 :\: E0)%MS)%MS by exists (row_base _); exact: eq_row_base.
rewrite rC => -[C0 CE]; exists C0.
have into : (P0 <= E0 + C0)%MS.
  rewrite -(addsmx_diff_cap_eq P0 E0) addsmx_sub; apply/andP; split.
    by apply: submx_trans _ (addsmxSr _ _); rewrite CE.
  exact: submx_trans (capmxSr _ _) (addsmxSl _ _).
split=> //; rewrite /row_free eqn_leq rank_leq_row -addsmxE; apply: leq_trans (mxrankS into); rewrite fP.
by have := rank_leq_row E0; have := mxrankS EP; rewrite fE fP; lia.
Qed.

Lemma framed_given (C0 : 'M[R]_(c, d)) : (space R d (seen_basis S) <= E0 + C0)%MS ->
  framed us grp 0 E0 C0 given (fun dx => forall i, dx i = 0).
Proof.
move=> into; have /choice[f fE] : forall i, exists uw : 'rV[R]_v * 'rV[R]_c, i \in us -> given i = uw.1 *m E0 + uw.2 *m C0.
  move=> i; case: (boolP (i \in us)) => [iu|_]; last by exists (0, 0).
  by have /sub_addsmxP[uw uwE] := submx_trans (given_seen iu) into; exists uw.
have /choice[g gE] : forall i, exists u : 'rV[R]_v, i \in us -> given i - given (first_in_sequence S i) = u *m E0.
  move=> i; case: (boolP (i \in us)) => [iu|_]; last by exists 0.
  by have /submxP[u uE] := given_moved iu; exists u.
exists (fun i => g i + (f (first_in_sequence S i)).1), (fun i => (f (first_in_sequence S i)).2), (fun=> 0), (fun=> 0); split.
- move=> i iu; rewrite mulmxDl -gE // -addrA -fE ?first_seen //; by rewrite subrK.
- by move=> i j _ _ g'; rewrite (first_same g').
by move=> dx dx0; exists 0, 0, 0 => i _; rewrite dx0 !mul0mx !mulmx0 !addr0.
Qed.

Local Notation V := (dims S v c bs).1.
Local Notation Cn := (dims S v c bs).2.

Theorem at_spread (C0 : 'M[R]_(c, d)) (w : all_weights R S) m (ps : 'I_m -> free_parameter) : row_free (col_mx E0 C0) ->
    (space R d (seen_basis S) <= E0 + C0)%MS -> values_spread v c E0 (col_mx E0 C0) (weights_before w) bs ->
  let Z := mean_rows (weights_before w) (last_key w) (last_query w) in
  (\rank (free_J w ps) <= symmetry_motions S + d_out D * \rank Z)%N /\ (\rank Z <= means_most S)%N.
Proof.
move=> fP into sp Zw.
have [E [C [fEC [a [b [B [G [xE bE move]]]]]]]] := framed_through grouped fP (eqmx_refl _) (eqmx_refl _) sp (framed_given into).
set x := entering_free _ _ _ in xE move.
pose K := last_key w; pose Q := last_query w; pose U := last_readout w; pose P := col_mx E C.
have xs (t : 'I_T) j : j \in list_of t -> x j = a j *m E + b (own t) *m C.
  move=> jt; have [_ lu lg] := tokens_seen t; rewrite xE ?lu //.
  by have [-> _] := bE j (own t) (lu j jt) (own_seen t) (lg j jt).
pose N := motions_of S v c bs; pose e := motions (d_h D) V (V + Cn).
pose point (t : 'I_T) h := head_point a x (list_of t) (own t) (K h) (Q h).
have /choice[BB BBE] : forall th : 'I_T * 'I_H, exists B' : 'M[R]_(0 + N + e, V), forall dx z dE dC dK dQ wf,
    (forall j, j \in us -> dx j = z *m B j *m E + a j *m dE + (z *m G j *m C + b j *m dC)) ->
    (dE *m K th.2 + E *m dK) *m (P *m Q th.2)^T + E *m K th.2 *m (col_mx dE dC *m Q th.2 + P *m dQ)^T
      = vec_mx (wf *m motion_span (E *m K th.2) (P *m Q th.2)) ->
  form_move x dx (list_of th.1) (K th.2 *m (Q th.2)^T) (dK *m (Q th.2)^T + K th.2 *m dQ^T) (x (own th.1)) (dx (own th.1))
  = row_mx z wf *m B' *m E + point th.1 th.2 *m dE + (z *m G (own th.1) *m C + b (own th.1) *m dC).
  move=> [t h] /=; have [s0 lu lg] := tokens_seen t.
  have [B' B'E] := head_span B (G (own t)) (K h) (Q h) s0 (xE _ (own_seen t)) (xs t).
  exists B' => dx z dE dC dK dQ wf dxE wE; apply: B'E => // [|j jt]; first exact: dxE (own_seen t).
  by rewrite dxE ?lu //; have [-> ->] := bE j (own t) (lu j jt) (own_seen t) (lg j jt).
pose Y : 'M[R]_(T, H * V + Cn) := \matrix_t row_mx (mxvec (\matrix_h point t h)) (b (own t)).
have meanE t h : weights_mean (weights_before w) K Q t h = row_mx (point t h) (b (own t)) *m P.
  have [s0 lu lg] := tokens_seen t; rewrite mul_row_col.
  exact: (head_pointE (own t) (K h) (Q h) s0 (xs t)).
have ZY : Zw = Y *m unways (fun h : 'I_H => col_mx (@nth_block R H V h *m E) C).
  apply/row_matrixP => t; rewrite row_mul !rowK mul_unways; congr mxvec; apply/row_matrixP => h; rewrite !rowK meanE.
  by rewrite /P !mul_row_col [in RHS]mulmxA mul_nth_block rowK.
have YZ : Y = Zw *m row_mx (unways (fun h : 'I_H => @nth_block R H d h *m (pinvmx P *m col_mx 1%:M 0)))
    (@nth_block R H d (Ordinal H0) *m (pinvmx P *m col_mx 0 1%:M)).
  have back t h : weights_mean (weights_before w) K Q t h *m pinvmx P = row_mx (point t h) (b (own t)).
    by rewrite meanE -mulmxA mulmxVp // mulmx1.
  apply/row_matrixP => t; rewrite row_mul !rowK mul_mx_row mul_unways; congr (row_mx (mxvec _) _).
    apply/row_matrixP => h; rewrite !rowK [mxvec _ *m (_ *m _)]mulmxA mul_nth_block rowK mulmxA back.
    by rewrite mul_row_col mulmx1 mulmx0 addr0.
  rewrite [mxvec _ *m (_ *m _)]mulmxA.  by rewrite mul_nth_block rowK mulmxA back mul_row_col mulmx1 mulmx0 add0r.
split; last by rewrite ZY; apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
apply: leq_trans (_ : symmetry_motions S + d_out D * \rank Y <= _)%N; last first.
  by rewrite leq_add2l leq_mul2l YZ mxrankM_maxl orbT.
rewrite -[symmetry_motions S]/(0 + N + H * e)%N.
pose headB t h := (block_mx 1%:M 0 0 (@nth_block R H e h) : 'M[R]_(0 + N + H * e, 0 + N + e)) *m BB (t, h).
apply: (rank_moving_outputs (B := fun t => \sum_h (headB t h *m E + col_mx (G (own t) *m C) 0) *m U h)) => j.
have [|z [dE [dC dxE]]] := move (entering_move (weights_before w) (@unit_weights R S (ps j)) bs given (fun=> 0)).
  by exists (fun=> 0), (@unit_weights R S (ps j)); split.
pose L := size bs; pose dK (h : 'I_H) := unit_of_key R (ps j) L (nat_of_ord h) d (d_h D).
pose dQ (h : 'I_H) := unit_of_query R (ps j) L (nat_of_ord h) d (d_h D); pose dU (h : 'I_H) := unit_of_value R (ps j) L (nat_of_ord h) d (d_out D).
have /choice[wf wfE] (h : 'I_H) : exists wf, (dE *m K h + E *m dK h) *m (P *m Q h)^T + E *m K h *m (col_mx dE dC *m Q h + P *m dQ h)^T
    = vec_mx (wf *m motion_span (E *m K h) (P *m Q h)) by exact: motion_spanP.
exists (row_mx z (mxvec (\matrix_h wf h))), (col_mx (ways (fun h : 'I_H => dE *m U h + E *m dU h)) (\sum_h (dC *m U h + C *m dU h))) => i.
rewrite mxE free_partialE //; set t := (enum_val i).1; congr (fun_of_matrix _ 0 _).
set z' := row_mx z _; pose at_head h := z' *m ((headB t h *m E + col_mx (G (own t) *m C) 0) *m U h)
  + (point t h *m (dE *m U h + E *m dU h) + b (own t) *m (dC *m U h + C *m dU h)).
transitivity (\sum_h at_head h); last first.
  rewrite [row t Y]rowK mul_row_col mul_ways /at_head [LHS]big_split; congr (_ + _); first by rewrite mulmx_sumr.
  rewrite [LHS]big_split; congr (_ + _); last by rewrite mulmx_sumr.
  by apply: eq_bigr => h _; rewrite rowK.
apply: eq_bigr => h _; rewrite -/x -/L -/(dK h) -/(dQ h) -/(dU h) -/(K h) -/(Q h) -/(U h).
have -> := BBE (t, h) _ z dE dC (dK h) (dQ h) (wf h) dxE (wfE h).
have -> : free_mean w t h = point t h *m E + b (own t) *m C by rewrite -mul_row_col -meanE.
have zB : z' *m headB t h = row_mx z (wf h) *m BB (t, h).
  by rewrite /headB mulmxA mul_row_block mulmx1 !mulmx0 addr0 add0r mul_nth_block rowK.
have zG : z' *m col_mx (G (own t) *m C) 0 = z *m G (own t) *m C by rewrite mul_row_col mulmx0 addr0 mulmxA.
have first : z' *m ((headB t h *m E + col_mx (G (own t) *m C) 0) *m U h) = (row_mx z (wf h) *m BB (t, h) *m E + z *m G (own t) *m C) *m U h.
  by rewrite mulmxA mulmxDr mulmxA zB zG.
rewrite /at_head first /= !mulmxDl !mulmxDr !mulmxA; exact: regrouped_again.
Qed.

(* -------------------------------------------------------------------------- *)
(* At all weights                                                              *)
(* -------------------------------------------------------------------------- *)
Lemma at_all m1 m2 (M : all_weights R S -> 'M[R]_(m1, m2)) bound : (forall (C0 : 'M[R]_(c, d)) w, row_free (col_mx E0 C0) ->
      (space R d (seen_basis S) <= E0 + C0)%MS -> values_spread v c E0 (col_mx E0 C0) (weights_before w) bs -> (\rank (M w) <= bound)%N) ->
    (forall (W : R -> nat -> free_weights R S) K Q U, movable_heads W -> movable (fun s => M (AllWeights (W s) K Q U))) ->
  forall w, (\rank (M w) <= bound)%N.
Proof.
move=> spreadM moveM w; have [C0 [fP into]] := first_complement.
have [W1 sp1] := spread_exists grouped fP (eqmx_refl _) (eqmx_refl _).
pose W s l k u := let g := weights_before w l k u in
  FreeHead (free_key g) (free_query g) (line (free_value g) (free_value (W1 l k u)) s).
pose W0 l k u := let g := weights_before w l k u in FreeHead (free_key g) (free_query g) (free_value (W1 l k u)).
have W1E : W 1 = W0.
  by apply/funext => l; apply/funext => k; apply: functional_extensionality_dep => u; rewrite /W /W0 /line scale1r addrC subrK.
have W0E : AllWeights (W 0) (last_key w) (last_query w) (last_readout w) = w.
  case: w @W @W0 W1E => Wb K Q U W W0 _; congr AllWeights; apply/funext => l; apply/funext => k; apply: functional_extensionality_dep => u.
  by rewrite /W /line scale0r addr0 /=; case: (Wb l k u).
have sp0 : values_spread v c E0 (col_mx E0 C0) W0 bs by apply: spread_values sp1.
have [q q0 qP] := @spread_line R S bs v c _ _ (fun=> E0) (fun=> col_mx E0 C0) W (poly_cst _) (poly_cst _)
  (fun l k u => line_poly _ _) ltac:(by rewrite W1E).
rewrite -{}W0E; apply: (@rank_below R _ _ (fun s => M (AllWeights (W s) (last_key w) (last_query w) (last_readout w))) _ q) => //.
  apply: moveM => l k u; split; [exact: movable_cst|exact: movable_cst|].
  by eexists; exact: derives_line.
by move=> s /qP sps; exact: (spreadM C0 (AllWeights (W s) (last_key w) (last_query w) (last_readout w)) fP into sps).
Qed.

Theorem means_dimension : (free_capacity R S <= means_most S)%N.
Proof.
apply: largest_leq => k [W [P /leq_trans]]; apply.
have -> : free_Z W P = mean_rows W (WK P) (WQ P) by rewrite free_Z_rows.
pose M (w : all_weights R S) := mean_rows (weights_before w) (last_key w) (last_query w).
have spreadM (C0 : 'M[R]_(c, d)) w : row_free (col_mx E0 C0) -> (space R d (seen_basis S) <= E0 + C0)%MS ->
    values_spread v c E0 (col_mx E0 C0) (weights_before w) bs -> (\rank (M w) <= means_most S)%N.
  by move=> fP into sp; have [] := @at_spread C0 w 0 (fun=> KeyAt 0 0 0 0) fP into sp.
have moveM (W' : R -> nat -> free_weights R S) K Q U : movable_heads W' -> movable (fun s => M (AllWeights (W' s) K Q U)).
  move=> mW; apply: movable_rows => t; apply: movable_mxvec; apply: movable_rows => h.
  have mx i : movable (fun s => entering_free (W' s) bs given i).
    by apply: movable_entering => // j; exact: (movable_cst (given j)).
  exact: (movable_mean (list_of t) mx (movable_cst (K h *m (Q h)^T)) (mx (own t))).
exact: (at_all spreadM moveM (AllWeights W (WK P) (WQ P) (fun=> 0))).
Qed.

Theorem symmetries_dimension : (free_functional_dimension R S <= symmetry_motions S + d_out D * free_capacity R S)%N.
Proof.
apply: largest_leq => k [w [m [ps /leq_trans]]]; apply.
apply: (@at_all _ _ (fun w => free_J w ps) (symmetry_motions S + d_out D * free_capacity R S)%N).
  move=> C0 w' fP into sp; have [J_leq _] := at_spread ps fP into sp.
  by apply: leq_trans J_leq _; rewrite leq_add2l leq_mul2l rank_mean_rows orbT.
move=> W K Q U mW; apply: movable_entries => i j.
rewrite (_ : (fun s => _) = fun s => output_move (AllWeights (W s) K Q U) (ps j) (enum_val i).1 0 (enum_val i).2); last first.
  by apply/funext => s; rewrite mxE free_partialE.
suff [dM mM] : movable (fun s => output_move (AllWeights (W s) K Q U) (ps j) (enum_val i).1) by exists (dM 0 (enum_val i).2).
set t := (enum_val i).1; apply: movable_sum => h.
have mx a : movable (fun s => entering_free (W s) bs given a).
  by apply: movable_entering => // b; exact: (movable_cst (given b)).
have mdx := movable_entering_move (@unit_weights R S (ps j)) att mW (fun a => movable_cst (given a)) (fun a => movable_cst (0 : 'rV[R]_d)).
apply: movable_add.
  apply: movable_mul (movable_cst (U h)).
  pose L := size bs; pose dA := unit_of_key R (ps j) L h d (d_h D) *m (Q h)^T + K h *m (unit_of_query R (ps j) L h d (d_h D))^T.
  exact: (movable_form_move (list_of t) mx mdx (movable_cst (K h *m (Q h)^T)) (movable_cst dA) (mx (own t)) (mdx (own t))).
apply: movable_mul (movable_cst (unit_of_value R (ps j) (size bs) h d (d_out D))).
exact: (movable_mean (list_of t) mx (movable_cst (K h *m (Q h)^T)) (mx (own t))).
Qed.

End Dimension.
