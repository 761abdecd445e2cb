(* The proved checker, layers before the layer: integers that enclose the vectors that enter the layer,       *)
(* Z, and numbers of single coefficients, of singular values and of scores.                                   *)
(*                                                                                                            *)
(*                  right_rows x rows == rows enclose the vectors x, over the denominator of a precision      *)
(*                      iv_entering S == they enclose what enters the layer, if sizes are shown to be above 0 *)
(*                   iv_stack_Z S L t == row t of Z, in H parts of length d                                   *)
(*   stack_minor_ok, stack_minor_rank == a square part of Z with nearly an inverse bounds rank(Z) from below  *)
(*   stack_apart_ok, stack_apart_rows == rows of Z that are apart pairwise are different                      *)
(*   stack_pairs_ok, stack_pairs_above, .._below == so many pairs have a coefficient above the level, or none *)
(*   stack_spectrum_ok, stack_spectrum_above, .._below == vectors that stretch Z, or shrink it                *)
(*   stack_scores_ok, stack_scores_above, .._below == so many examples are right, or wrong                    *)
From Attest Require Import integers attention singular_values layer_variants upper_bounds problem.
From Attest Require Import literal_arithmetic claims logits quantities statements other_layers enclosures.
From Attest Require Import rational_matrices intervals literal_matrices saturation accuracy.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Enclosures                                                                   *)
(* ============================================================================ *)

Definition add_iv (v w : seq (Z * Z)) : seq (Z * Z) := [seq plus x.1 x.2 | x <- zip v w].

Section Compute.
Variables (S : layer_stack) (p : precision) (gs : seq digit).
Let d := d (top_problem S).
Let K : Z := Zpos (denominator p).

Definition exact_entry (q : positive) (c : Z) : Z * Z := (K * c / Zpos q, ceil_div (K * c) (Zpos q))%coqZ.
Definition iv_row (w : nat) (q : positive) (r : seq Z) : seq (Z * Z) := [seq exact_entry q (nth 0%coqZ r k) | k <- iota 0 w].
Definition iv_mulmx (w : nat) (q : positive) (M : seq (seq Z)) (x : seq (Z * Z)) : seq (Z * Z) :=
  [seq lowered q y | y <- times_rows w x M].
Definition transposed (w : nat) (M : seq (seq Z)) : seq (seq Z) := [seq col j M | j <- iota 0 w].

Definition iv_activate (f : activation) (x : Z * Z) : Z * Z :=
  match f with
  | Relu => (Z.max 0%coqZ x.1, Z.max 0%coqZ x.2)
  | Silu => iv_times p x (iv_logistic p gs x)
  | Tanh => let y := iv_logistic p gs (2 * x.1, 2 * x.2)%coqZ in (2 * y.1 - K, 2 * y.2 - K)%coqZ
  end.

Definition iv_tokens (rows : seq (seq (Z * Z))) (s : seq nat) : seq (seq (Z * Z)) := [seq nth [::] rows j | j <- s].

Definition iv_head (rows : seq (seq (Z * Z))) (s : seq nat) (x : seq (Z * Z)) (g : earlier_head) : seq (Z * Z) :=
  let along := iv_mulmx d (q_earlier_key g) (transposed (earlier_width g) (earlier_key g))
    (iv_mulmx (earlier_width g) (q_earlier_query g) (earlier_query g) x) in
  let tokens := iv_tokens rows s in
  iv_mulmx d (q_earlier_value g) (earlier_value g)
    (iv_combination p d (iv_softmax p gs [seq iv_dot p y along | y <- tokens]) tokens).

(* the mean square and epsilon *)
Definition iv_square (x : seq (Z * Z)) (num : Z) (den : positive) : Z * Z :=
  plus (lowered (Z.to_pos (Z.of_nat d)) (iv_dot p x x)) (exact_entry den num).

Definition iv_kept (residual : bool) (x : seq (Z * Z)) : seq (Z * Z) := if residual then x else nseq d (0, 0)%coqZ.

Definition iv_after (b : earlier) (rows : seq (seq (Z * Z))) (i : nat) : seq (Z * Z) :=
  let x := nth [::] rows i in
  match b with
  | EarlierAttention residual lists heads =>
    foldr (fun g y => add_iv (iv_head rows (nth [::] lists i) x g) y) (iv_kept residual x) heads
  | EarlierNetwork residual f m q1 W1 qb1 b1 q2 W2 qb2 b2 =>
    let inner := add_iv (iv_mulmx m q1 W1 x) (iv_row m qb1 b1) in
    add_iv (add_iv (iv_kept residual x) (iv_mulmx d q2 W2 [seq iv_activate f y | y <- inner])) (iv_row d qb2 b2)
  | EarlierNorm q gain num den =>
    let inverse := iv_inverse p (iv_root p (iv_square x num den)) in
    [seq iv_times p (iv_times p y.1 y.2) inverse | y <- zip x (iv_row d q gain)]
  end.

(* whether a row of numbers has a size that is shown to be above 0                    *)
Definition iv_sized (b : earlier) (x : seq (Z * Z)) : bool :=
  if b is EarlierNorm _ _ num den then
    let s := iv_square x num den in (0 <=? s.1)%coqZ && (0 <? (iv_root p s).1)%coqZ
  else true.

Definition iv_given : seq (seq (Z * Z)) := [seq iv_row d (q_hidden S) r | r <- hidden_rows S].
(* and whether all sizes are shown to be above 0 *)
Definition iv_stage (st : bool * seq (seq (Z * Z))) (b : earlier) : bool * seq (seq (Z * Z)) :=
  (st.1 && all (iv_sized b) st.2, [seq iv_after b st.2 i | i <- iota 0 (size st.2)]).
Definition iv_entering : bool * seq (seq (Z * Z)) := foldl iv_stage (true, iv_given) (befores S).

Definition iv_scale : Z * Z :=
  match logit_scale (top_problem S) with
  | Rational a q => exact_entry q a
  | InverseRoot m => lowered m (square_root (denominator p) m)
  end.

Definition iv_along (L : layer) (h : nat) (y : seq (Z * Z)) : seq (Z * Z) :=
  match L with
  | Factors m qk A qq B qkb bK qqb bQ =>
    iv_mulmx d qk (transposed m (nth [::] A h)) (add_iv (iv_mulmx m qq (nth [::] B h) y) (iv_row m qqb (nth [::] bQ h)))
  | Combined q W => iv_mulmx d q (transposed d (nth [::] W h)) y
  | Projected _ => [::]
  end.

Definition iv_alpha (L : layer) (rows : seq (seq (Z * Z))) (t h : nat) : seq (Z * Z) :=
  let along := iv_along L h (nth [::] rows (nth 0%N (example_rows S) t)) in
  iv_softmax p gs [seq iv_times p iv_scale (iv_dot p y along) | y <- iv_tokens rows (nth [::] (example_tokens S) t)].
Definition iv_mean (L : layer) (rows : seq (seq (Z * Z))) (t h : nat) : seq (Z * Z) :=
  iv_combination p d (iv_alpha L rows t h) (iv_tokens rows (nth [::] (example_tokens S) t)).

End Compute.

Definition rows_inside (N : nat) (lists : seq (seq nat)) : bool := all (all (fun j => j < N)%N) lists.

(* in base e; rows that examples and layers are about are there                      *)
Definition stack_enclosable (S : layer_stack) (L : layer) : bool :=
  let N := size (hidden_rows S) in
  [&& (0 < d (top_problem S))%N, ~~ base_two (top_problem S), (if L is Projected _ then false else true),
    all (fun b => if b is EarlierAttention _ lists _ then rows_inside N lists else true) (befores S),
    (0 < N)%N && all (fun j => j < N)%N (example_rows S) & rows_inside N (example_tokens S)].

(* rows t of Z, of which an entry is that of a head and a coordinate                   *)
Definition iv_stack_rows (S : layer_stack) (L : layer) (bits : nat) (ts : seq nat) : option (seq (seq (seq (Z * Z)))) :=
  let p := precision_of bits in let gs := digits_of p in let st := iv_entering S p gs in
  if st.1 then Some [seq [seq iv_mean S p gs L st.2 t h | h <- iota 0 (H (top_problem S))] | t <- ts] else None.

Definition stack_minor_ok (S : layer_stack) (L : layer) (bits : nat) (rows : seq nat) (cols : seq (nat * nat)) (q : positive)
    (V : seq (seq Z)) : bool :=
  let k := size rows in
  if iv_stack_rows S L bits rows is Some Z_rows then
  let Zs := [seq [seq nth (0, 0)%coqZ (nth [::] r c.1) c.2 | c <- cols] | r <- Z_rows] in
  [&& stack_enclosable S L, size cols == k, all (fun t => t < T (top_problem S))%N rows,
    all (fun c => (c.1 < H (top_problem S)) && (c.2 < d (top_problem S)))%N cols & sizes_are k k V] &&
  let one := (Zpos q * Zpos (2 * denominator (precision_of bits)))%coqZ in
  all (fun x => x <? one)%coqZ (defects_of k one Zs (nseq k 1%coqZ) V)
  else false.

Definition apart (v w : seq (Z * Z)) : bool := has (fun x => (x.1.2 <? x.2.1) || (x.2.2 <? x.1.1))%coqZ (zip v w).
Definition stack_apart_ok (S : layer_stack) (L : layer) (bits : nat) (ts : seq nat) : bool :=
  if iv_stack_rows S L bits ts is Some Z_rows then
    [&& stack_enclosable S L, all (fun t => t < T (top_problem S))%N ts &
      pairwise (fun r s => has (fun x => apart x.1 x.2) (zip r s)) Z_rows]
  else false.

(* -------------------------------------------------------------------------- *)
(* Meaning                                                                     *)
(* -------------------------------------------------------------------------- *)
Section Meaning.
Variables (R : realType) (S : layer_stack) (p : precision).
Local Notation d := (d (top_problem S)).
Local Notation gs := (digits_of p).
Local Notation K := (toF R (Zpos (denominator p))).
Local Notation z := (toF R).
Local Notation right v x := (encloses K v x).
Let K0 : 0 < K. Proof. exact: toFp_gt0. Qed.

Lemma near_exact q c : within_iv p (z c / z (Zpos q)) (exact_entry p q c).
Proof.
have q0 := toFp_gt0 R q; rewrite /within_iv mulrA -toFM; apply/andP; split; first by apply: floor_leq.
exact: ceil_geq.
Qed.

Lemma right_row w q r : right (row_of R w q r) (iv_row p w q r).
Proof.
split=> [|k]; first by rewrite size_map size_iota.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n mxE; apply: near_exact.
Qed.

Lemma right_add w (u v : 'rV[R]_w) s r : right u s -> right v r -> right (u + v) (add_iv s r).
Proof.
move=> [ss us] [sr vr]; split=> [|k]; first by rewrite size_map size_zip ss sr minnn.
rewrite (nth_map ((0, 0), (0, 0))%coqZ) ?size_zip ?ss ?sr ?minnn // nth_zip ?ss ?sr // mxE.
by apply: near_plus; [apply: us|apply: vr].
Qed.

Lemma right_mulmx w n q M (v : 'rV[R]_n) s : right v s -> right (v *m mx R n w q M) (iv_mulmx w q M s).
Proof.
move=> sv; have [ss vs] := @enclosesM R K q n w v s M sv; split=> [|k]; first by rewrite size_map.
by rewrite (nth_map (0, 0)%coqZ) ?ss //; apply: inside_lowered; rewrite mulrAC; apply: vs.
Qed.

Lemma mx_transposed w n q M : mx R w n q (transposed w M) = (mx R n w q M)^T.
Proof.
apply/matrixP => i j; rewrite !mxE; congr (z _ / _).
by rewrite /ent (nth_map 0%N) ?size_iota // nth_iota // add0n nth_col.
Qed.

Lemma right_zero w : right (0 : 'rV[R]_w) (nseq w (0, 0)%coqZ). Proof. exact: encloses0. Qed.

Lemma near_activate f (y : R) x : within_iv p y x -> within_iv p (activate f y) (iv_activate p gs f x).
Proof.
move=> yx; case: f; rewrite /activate /iv_activate.
- have /andP[l h] := yx; have KE : K * Num.max 0 y = Num.max 0 (K * y) by rewrite maxr_pmulr ?(ltW K0) // mulr0.
  apply/andP; rewrite [X in z X <= _]/fst [X in _ <= z X]/snd KE !(toF_max _ p) (toF0 R).
  by split; rewrite le_maxl !le_maxr ?lexx ?l ?h ?orbT.
- by apply: near_timesP => //; apply: near_logistic.
have yx2 : within_iv p (2%:R * y) (2 * x.1, 2 * x.2)%coqZ.
  by have := inside_scaled 2 yx; rewrite toF2 mulrCA.
have /andP[l h] := near_logistic yx2; set u := iv_logistic _ _ _ in l h *.
have -> : (expR y - expR (- y)) / (expR y + expR (- y)) = 2%:R * logistic_value (2%:R * y) - 1.
  have e2 : expR (- (2%:R * y)) = expR (- y) * expR (- y) by rewrite -expRD; congr expR; ring.
  have e0 := expR_gt0 y; rewrite /logistic_value e2 expRN.
  move: (expR y) e0 => e e0; have en := lt0r_neq0 e0; have sq : 0 < e * e + 1 by rewrite addr_gt0 ?mulr_gt0.
  by field; rewrite en lt0r_neq0.
rewrite /within_iv mulrBr mulr1 mulrCA; apply/andP; rewrite [X in z X <= _]/fst [X in _ <= z X]/snd !toFB !toFM toF2.
by split; rewrite ler_add2r ler_pmul2l ?ltr0n.
Qed.

(* --- means *)
Definition right_rows (x : nat -> 'rV[R]_d) (rows : seq (seq (Z * Z))) : Prop :=
  forall i, (i < size rows)%N -> right (x i) (nth [::] rows i).

Lemma dot_along (y w : 'rV[R]_d) s r : right y s -> right w r -> within_iv p ((y *m w^T) 0 0) (iv_dot p s r).
Proof.
move=> [ss ys] [sr wr]; have -> : (y *m w^T) 0 0 = \sum_k y 0 k * w 0 k by rewrite mxE; apply: eq_bigr => k _; rewrite mxE.
exact: near_dot.
Qed.

Lemma tokens_sizes rows s (x : nat -> 'rV[R]_d) : right_rows x rows -> all (fun j => j < size rows)%N s ->
  all (fun r : seq (Z * Z) => size r == d) (iv_tokens rows s).
Proof. by move=> xr /allP sr; apply/allP => _ /mapP[j js ->]; have [-> _] := xr j (sr j js). Qed.

Lemma stack_tokens_mul x s (w : 'cV[R]_d) (k : 'I_(size s)) : (stack_tokens x s *m w) k 0 = (x (nth 0%N s k) *m w) 0 0.
Proof. by rewrite !mxE; apply: eq_bigr => j _; rewrite mxE. Qed.

Lemma right_mean x rows s (l : 'cV[R]_(size s)) c : right_rows x rows -> all (fun j => j < size rows)%N s ->
    size c = size s -> (forall k, within_iv p (softmax l k 0) (nth (0, 0)%coqZ c k)) ->
  right (softmax_mean x l) (iv_combination p d c (iv_tokens rows s)).
Proof.
move=> xr sr sc lc; have ts := tokens_sizes xr sr; split=> [|k]; first exact: size_iv_combination.
have -> : softmax_mean x l 0 k = \sum_i softmax l i 0 * x (nth 0%N s i) 0 k.
  by rewrite mxE; apply: eq_bigr => i _; rewrite mxE [X in _ * X]mxE.
apply: (near_combination (X := fun i : 'I_(size s) => x (nth 0%N s i))) => // [|i k']; first by rewrite size_map.
rewrite (nth_map 0%N) //; have [_] := xr (nth 0%N s i) (allP sr _ (mem_nth 0%N (ltn_ord i))); exact.
Qed.

Lemma right_head x rows s y v g : right_rows x rows -> all (fun j => j < size rows)%N s -> right y v ->
  right (softmax_mean x (stack_tokens x s *m (head_form R S g *m y^T)) *m mx R d d (q_earlier_value g) (earlier_value g))
    (iv_head S p gs rows s v g).
Proof.
move=> xr sr yv; apply: right_mulmx; set along := iv_mulmx d (q_earlier_key g) _ _.
have ra : right (y *m mx R d (earlier_width g) (q_earlier_query g) (earlier_query g)
    *m (mx R d (earlier_width g) (q_earlier_key g) (earlier_key g))^T) along.
  by rewrite -mx_transposed; apply: right_mulmx; apply: right_mulmx.
apply: right_mean => // [|k]; first by rewrite size_iv_softmax !size_map.
apply: near_softmax => [|k']; first by rewrite !size_map.
rewrite stack_tokens_mul (nth_map [::]) ?size_map // (nth_map 0%N) //.
rewrite (_ : head_form R S g *m y^T = (y *m mx R d (earlier_width g) (q_earlier_query g) (earlier_query g)
    *m (mx R d (earlier_width g) (q_earlier_key g) (earlier_key g))^T)^T).
  by apply: dot_along ra; apply: xr; apply: (allP sr); apply: mem_nth.
by rewrite /head_form !trmx_mul trmxK mulmxA.
Qed.

Lemma right_kept residual (y : 'rV[R]_d) v : right y v -> right (kept_input residual y) (iv_kept S residual v).
Proof. by case: residual => // _; apply: right_zero. Qed.

Lemma toF_of_nat n : z (Z.of_nat n) = n%:R.
Proof. by rewrite /toF (_ : int_of_Z _ = n%:Z) //; lia. Qed.

Lemma near_square (y : 'rV[R]_d) v num den : (0 < d)%N -> right y v ->
  within_iv p ((\sum_j y 0 j ^+ 2) / d%:R + z num / z (Zpos den)) (iv_square S p v num den).
Proof.
move=> d0 [sv yv]; apply: near_plus; last exact: near_exact.
apply: inside_lowered; have dE : z (Zpos (Z.to_pos (Z.of_nat d))) = d%:R.
  by rewrite Z2Pos.id ?toF_of_nat //; move/ssrnat.ltP: d0; lia.
rewrite dE -mulrA divfK ?pnatr_eq0 -?lt0n //.
by have -> : \sum_j y 0 j ^+ 2 = \sum_j y 0 j * y 0 j; [apply: eq_bigr => j _; rewrite expr2|apply: near_dot].
Qed.

Lemma right_after b x rows : (0 < d)%N -> all (iv_sized S p b) rows ->
    (if b is EarlierAttention _ lists _ then rows_inside (size rows) lists else true) -> right_rows x rows ->
  right_rows (after_layer b x) [seq iv_after S p gs b rows i | i <- iota 0 (size rows)].
Proof.
move=> d0 sized inside xr i; rewrite size_map size_iota => ir; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
have yv := xr i ir; have := all_nthP [::] sized i ir.
case: b {sized} inside => [residual lists heads|residual f m q1 W1 qb1 b1 q2 W2 qb2 b2|q gain num den] inside /=; last first.
- move=> /andP[/Z.leb_le s0 /Z.ltb_lt r0]; have [sv vv] := yv; have [sg gg] := right_row d q gain.
  have szip : size (zip (nth [::] rows i) (iv_row p d q gain)) = d by rewrite size_zip sv sg minnn.
  split=> [|k]; first by rewrite size_map.
  rewrite (nth_map ((0, 0), (0, 0))%coqZ) ?szip // nth_zip ?sv ?sg // mxE.
  apply: near_timesP; first by apply: near_timesP; [apply: vv|apply: gg].
  by apply: near_inverse => //; apply: near_root => //; apply: near_square.
- move=> _; apply: right_add; last exact: right_row.
  apply: right_add; first exact: right_kept.
  apply: right_mulmx; have [sr rr] := right_add (right_mulmx m q1 W1 yv) (right_row m qb1 b1).
  split=> [|k]; first by rewrite size_map.
  by rewrite (nth_map (0, 0)%coqZ) ?sr // mxE; apply: near_activate; apply: rr.
move=> _.
have sr : all (fun j => j < size rows)%N (nth [::] lists i).
  by have [il|li'] := ltnP i (size lists); [apply: (all_nthP [::] inside)|rewrite nth_default].
elim: heads => [|g heads IH] /=; first by rewrite big_nil addr0; apply: right_kept.
by rewrite big_cons addrCA; apply: right_add => //; apply: right_head.
Qed.

Lemma right_entering : (0 < d)%N ->
    all (fun b => if b is EarlierAttention _ lists _ then rows_inside (size (hidden_rows S)) lists else true) (befores S) ->
  (iv_entering S p gs).1 ->
  right_rows (entering R S) (iv_entering S p gs).2 /\ size (iv_entering S p gs).2 = size (hidden_rows S).
Proof.
move=> d0; rewrite /entering /iv_entering; set x0 := given_vectors R S; set r0 := iv_given S p.
have : right_rows x0 r0 by move=> i ir; rewrite size_map in ir; rewrite (nth_map [::]) //; apply: right_row.
have : size r0 = size (hidden_rows S) by rewrite size_map.
have stay bs r : ~~ (foldl (iv_stage S p gs) (false, r) bs).1 by elim: bs r => //= b bs IH r; apply: IH.
elim: (befores S) x0 r0 => [|b bs IH] x0 r0 //= sr xr /andP[ib ibs]; rewrite /iv_stage /=.
case: (boolP (all (iv_sized S p b) r0)) => sized; last by move=> h; have := stay bs [seq iv_after S p gs b r0 i | i <- iota 0 (size r0)]; rewrite h.
apply: IH => //; first by rewrite size_map size_iota.
by apply: right_after => //; rewrite sr.
Qed.

(* --- the layer *)
Lemma near_scale : within_iv p (scale_value R (top_problem S)) (iv_scale S p).
Proof.
rewrite /scale_value /iv_scale; case: (logit_scale _) => [a q|m]; first exact: near_exact.
apply: inside_lowered; have [_] := square_rootP R (denominator p) m; congr inside.
have m0 := toFp_gt0 R m; have s0 : 0 < Num.sqrt (z (Zpos m)) by rewrite sqrtr_gt0.
have aux (k s m' : R) : s != 0 -> s * s = m' -> k * s = k * s^-1 * m' by move=> sn <-; field.
by apply: aux; [apply: lt0r_neq0|rewrite -expr2 sqr_sqrtr // ltW].
Qed.

(* the tokens times this are the logits, up to a constant                            *)
Definition along_of (L : layer) (h : 'I_(H (top_problem S))) (y : 'rV[R]_d) : 'rV[R]_d :=
  match L with
  | Factors m qk A qq B qkb bK qqb bQ =>
    (y *m literal R d m qq B h + row_of R m qqb (nth [::] bQ h)) *m (literal R d m qk A h)^T
  | Combined q W => y *m (literal R d d q W h)^T
  | Projected _ => 0
  end.

Lemma softmax_along L h k (X : 'M[R]_(k, d)) y c :
  softmax (c *: stack_logits L h X y) = softmax (c *: (X *m (along_of L h y)^T)).
Proof.
case: L => [m qk A qq B qkb bK qqb bQ|q W|w] /=; last by rewrite trmx0 mulmx0.
  set v := _ *m y^T + _; have -> : (y *m literal R d m qq B h + row_of R m qqb (nth [::] bQ h)) *m (literal R d m qk A h)^T = (literal R d m qk A h *m v)^T.
    rewrite trmx_mul /v linearD /= trmx_mul !trmxK; congr ((_ + _) *m _).
    by apply/rowP => j; rewrite !mxE.
  rewrite [in RHS]trmxK mulmxDl scalerDr.
  have -> : c *: (const_mx 1 *m (literal_bias R m qkb bK h)^T *m v) = const_mx (c * ((literal_bias R m qkb bK h)^T *m v) 0 0) :> 'cV_k.
    rewrite -mulmxA; apply/colP => i; rewrite mxE [(_ *m _) i 0]mxE big_ord1 !mxE mul1r.
    by congr (_ * _); apply: eq_bigr => j _; rewrite !mxE.
  by rewrite softmax_shift mulmxA.
by rewrite trmx_mul trmxK mulmxA.
Qed.

Lemma right_along L h y v : (if L is Projected _ then false else true) -> right y v ->
  right (along_of L h y) (iv_along S p L h v).
Proof.
case: L => [m qk A qq B qkb bK qqb bQ|q W|w] //= _ yv; rewrite -mx_transposed; apply: right_mulmx => //.
by apply: right_add; [apply: right_mulmx|apply: right_row].
Qed.

Variables (L : layer) (ok : stack_enclosable S L) (shown : (iv_entering S p gs).1).
Let rows := (iv_entering S p gs).2.

Lemma enclosed_alpha (t : 'I_(T (top_problem S))) (h : 'I_(H (top_problem S))) : size (iv_alpha S p gs L rows t h) = size (list_of t) /\
  forall k, within_iv p (stack_alpha R L t h k 0) (nth (0, 0)%coqZ (iv_alpha S p gs L rows t h) k).
Proof.
have /and5P[enc base pr ins /andP[/andP[N0 own] tok]] := ok; have [xr sr] := right_entering enc ins shown; rewrite -/rows in xr sr.
have lr : all (fun j => j < size rows)%N (list_of t).
  rewrite sr /list_of; have [tl|lt] := ltnP t (size (example_tokens S)); last by rewrite nth_default.
  exact: (all_nthP [::] tok).
have yr : (nth 0%N (example_rows S) t < size rows)%N.
  rewrite sr; have [tl|lt] := ltnP t (size (example_rows S)); last by rewrite nth_default.
  exact: (all_nthP 0%N own).
split=> [|k]; first by rewrite size_iv_softmax !size_map.
rewrite /stack_alpha softmax_along; apply: near_softmax => [|k']; first by rewrite !size_map.
rewrite (nth_map [::]) ?size_map // (nth_map 0%N) // mxE stack_tokens_mul.
apply: near_timesP.
  by rewrite /factor (negPf base) mul1r; apply: near_scale.
apply: dot_along; first by apply: xr; apply: (allP lr); apply: mem_nth.
by apply: right_along => //; apply: xr.
Qed.

Lemma enclosed_mean (t : 'I_(T (top_problem S))) (h : 'I_(H (top_problem S))) : right (stack_mean R L t h) (iv_mean S p gs L rows t h).
Proof.
have /and5P[enc base pr ins /andP[/andP[N0 own] tok]] := ok; have [xr sr] := right_entering enc ins shown; rewrite -/rows in xr sr.
have lr : all (fun j => j < size rows)%N (list_of t).
  rewrite sr /list_of; have [tl|lt] := ltnP t (size (example_tokens S)); last by rewrite nth_default.
  exact: (all_nthP [::] tok).
have [sa an] := enclosed_alpha t h; exact: right_mean.
Qed.

End Meaning.

Section Sound.
Variables (R : realType) (S : layer_stack) (L : layer) (bits : nat).
Local Notation p := (precision_of bits).
Local Notation T := (T (top_problem S)).
Local Notation H := (H (top_problem S)).
Local Notation d := (d (top_problem S)).

(* an entry of Z                                                                  *)
Lemma stack_ZE (t : 'I_T) (h : 'I_H) k : stack_Z R S L t (mxvec_index h k) = stack_mean R L t h 0 k.
Proof. by rewrite mxE mxvecE mxE. Qed.

Lemma enclosed_row ts rows i (t : 'I_T) (h : 'I_H) : stack_enclosable S L -> iv_stack_rows S L bits ts = Some rows ->
    (i < size ts)%N -> nth 0%N ts i = t ->
  encloses (toF R (Zpos (denominator p))) (stack_mean R L t h) (nth [::] (nth [::] rows i) h).
Proof.
rewrite /iv_stack_rows; case: ifP => // shown ok [<-] it iE; rewrite (nth_map 0%N) // (nth_map 0%N) ?size_iota // nth_iota // add0n iE.
exact: enclosed_mean.
Qed.
Lemma size_stack_rows ts rows : iv_stack_rows S L bits ts = Some rows -> size rows = size ts /\
  forall i, (i < size ts)%N -> size (nth [::] rows i) = H.
Proof.
rewrite /iv_stack_rows; case: ifP => // _ [<-]; split=> [|i it]; first by rewrite size_map.
by rewrite (nth_map 0%N) // size_map size_iota.
Qed.

Theorem stack_minor_rank rows cols q V : stack_minor_ok S L bits rows cols q V -> (size rows <= \rank (stack_Z R S L))%N.
Proof.
rewrite /stack_minor_ok; case ZE: (iv_stack_rows _ _ _ _) => [Z_rows|] // /andP[/and5P[ok /eqP sC rT cH sV] small].
have [sZr _] := size_stack_rows ZE; set k := size rows; set Zs := [seq _ | r <- _] in small.
have [f fE] := ords_of rT.
have [g gE] : exists g : 'I_k -> 'I_H * 'I_d, forall j : 'I_k, nth (0, 0)%N cols j = ((g j).1 : nat, (g j).2 : nat).
  have gH (j : 'I_k) : ((nth (0, 0)%N cols j).1 < H)%N && ((nth (0, 0)%N cols j).2 < d)%N.
    by apply: (all_nthP (0, 0)%N cH); rewrite sC.
  exists (fun j => (Ordinal (proj1 (andP (gH j))), Ordinal (proj2 (andP (gH j))))) => j /=.
  by case: (nth _ cols j).
pose A : 'M[R]_k := \matrix_(i, j) stack_Z R S L (f i) (mxvec_index (g j).1 (g j).2).
have enclosed : enclosed_mx (denominator p) A Zs.
  move=> i j; rewrite mxE /Zs (nth_map [::]) ?sZr // (nth_map (0, 0)%N) ?sC // gE /= stack_ZE.
  by have [_] := enclosed_row (g j).1 ok ZE (ltn_ord i) (esym (fE i)); apply.
have sZ : sizes_are k k Zs.
  apply/andP; split; first by rewrite size_map sZr.
  by apply/allP => r /mapP[x _ ->]; rewrite size_map sC.
have ones (i : 'I_k) : nth 0%coqZ (nseq k 1%coqZ) i = 1%coqZ by rewrite nth_nseq ltn_ord.
have unit_A : A \in unitmx.
  apply: (defects_unit (q := q) (w := nseq k 1%coqZ) enclosed sZ sV) => i; rewrite ones //.
  rewrite Z.mul_1_r; apply/Z.ltb_lt; apply: (all_nthP 0%coqZ small).
  by have /andP[/eqP sV' _] := sV; rewrite size_map size_zip size_iota sV' minnn.
pose g' j := mxvec_index (g j).1 (g j).2.
have AE : A = rowsub f (1%:M) *m (stack_Z R S L *m colsub g' 1%:M).
  by rewrite mulmx_colsub mulmx1 -rowsubE; apply/matrixP => i j; rewrite !mxE.
have := mxrank_unit unit_A; rewrite {1}AE => {1}<-.
exact: leq_trans (mxrankM_maxr _ _) (mxrankM_maxl _ _).
Qed.

Lemma apart_differ w (u v : 'rV[R]_w) K s r : encloses K u s -> encloses K v r -> apart s r -> u <> v.
Proof.
move=> [ss us] [sr vr] /(has_nthP ((0, 0), (0, 0))%coqZ)[k]; rewrite size_zip ss sr minnn => kw.
rewrite nth_zip ?ss ?sr //= => apart_k uv.
have /andP[ul uh] := us (Ordinal kw); have /andP[vl vh] := vr (Ordinal kw); rewrite uv /= in ul uh.
by case/orP: apart_k => /Z.ltb_lt /(toF_lt R); rewrite ltNge ?(le_trans vl uh) ?(le_trans ul vh).
Qed.

Theorem stack_apart_rows ts : stack_apart_ok S L bits ts -> (size ts <= distinct_rows (stack_Z R S L))%N.
Proof.
rewrite /stack_apart_ok; case ZE: (iv_stack_rows _ _ _ _) => [Z_rows|] // /and3P[ok tT pw]; have [f fE] := ords_of tT.
have [sZr sZh] := size_stack_rows ZE.
have inj : injective (fun i => row (f i) (stack_Z R S L)).
  move=> i j rE; apply/eqP; apply/negPn/negP => ij.
  wlog ltij : i j rE ij / (i < j)%N => [wl|].
    by move: ij; rewrite neq_ltn => /orP[lt|lt]; [apply: (wl i j)|apply: (wl j i)] => //; rewrite neq_ltn lt ?orbT.
  move: pw => /(pairwiseP [::])/(_ i j); rewrite !inE !sZr => /(_ (ltn_ord i) (ltn_ord j) ltij).
  move=> /(has_nthP ([::], [::]))[h]; rewrite size_zip !sZh // minnn => hH; rewrite nth_zip ?sZh //=.
  move=> ap; apply: (apart_differ (enclosed_row (Ordinal hH) ok ZE (ltn_ord i) (esym (fE i)))
    (enclosed_row (Ordinal hH) ok ZE (ltn_ord j) (esym (fE j))) ap).
  have rowE (t : 'I_T) m : row t (stack_Z R S L) 0 m = stack_Z R S L t m by exact: mxE.
  by apply/rowP => k; rewrite -!stack_ZE -!rowE; congr (fun_of_matrix _ 0 _); apply: rE.
have -> : size ts = size [seq row (f i) (stack_Z R S L) | i <- enum 'I_(size ts)] by rewrite size_map -cardE card_ord.
rewrite /distinct_rows; apply: uniq_leq_size; first by rewrite map_inj_uniq ?enum_uniq.
by move=> _ /mapP[i _ ->]; rewrite mem_undup; apply/mapP; exists (f i); rewrite ?mem_enum.
Qed.

End Sound.

(* ============================================================================ *)
(* Coefficients, singular values and scores                                     *)
(* ============================================================================ *)

Section Compute.
Variables (S : layer_stack) (L : layer) (c : arguments) (above : bool).
Local Notation D := (top_problem S).

Definition iv_coefficients (bits : nat) : option (seq (seq (seq (Z * Z)))) :=
  let p := precision_of bits in let gs := digits_of p in let st := iv_entering S p gs in
  if st.1 then Some [seq [seq iv_alpha S p gs L st.2 t h | h <- iota 0 (H D)] | t <- iota 0 (T D)] else None.

Definition stack_pairs_ok (k bits : nat) : bool :=
  if iv_coefficients bits is Some A then stack_enclosable S L && (k <= pairs_found D c A above bits)%N else false.

(* with enclosures of 2^bits Z; those of Z have more bits, at least so many that few are lost *)
Definition iv_stack_Z (bits more : nat) : option (seq (seq (Z * Z))) :=
  omap (fun Z_rows => [seq [seq rounded (Zpos (two_power bits)) (denominator (precision_of more)) x | x <- flatten r] | r <- Z_rows])
    (iv_stack_rows S L more (iota 0 (T D))).
Definition stack_spectrum_ok (bits more : nat) (X : seq (seq Z)) : bool :=
  if iv_stack_Z bits more is Some Zs then stack_enclosable S L && dominant_ok (T D) (H D * d D) Zs c above bits X else false.

(* the means of a score are over the denominator of the contexts, of which there are none *)
Definition stack_scores_ok (k bits : nat) : bool :=
  if (iv_stack_rows S L bits (iota 0 (T D)), around D) is (Some Z_rows, Some w) then
    [&& stack_enclosable S L, (Zpos (q_contexts D) =? 1)%coqZ &
      count_from D c (score_rows D w (precision_of bits) (fun h => [seq nth [::] r h | r <- Z_rows])) above k bits]
  else false.

End Compute.

Section Sound.
Variables (R : realType) (S : layer_stack) (L : layer) (c : arguments).
Local Notation D := (top_problem S).
Local Notation z := (toF R).

Lemma stack_saturated_leq : (stack_saturated R S L c <= T D * H D)%N.
Proof.
apply: leq_trans (_ : \sum_(t < T D) \sum_(h < H D) 1 <= _)%N.
  by apply: leq_sum => t _; apply: leq_sum => h _; case: asboolP.
by rewrite !(big_const_ord, iter_addn) !addn0 mul1n mulnC.
Qed.

Lemma accurate_from_leq (mean : 'I_(T D) -> 'I_(H D) -> 'rV[R]_(d D)) : (accurate_from R D c mean <= T D)%N.
Proof.
apply: leq_trans (_ : \sum_(t < T D) 1 <= _)%N; first by apply: leq_sum => t _; case: asboolP.
by rewrite big_const_ord iter_addn addn0 mul1n.
Qed.

Section Coefficients.
Variables (A : seq (seq (seq (Z * Z)))) (bits : nat).
Hypotheses (ok : stack_enclosable S L) (AE : iv_coefficients S L bits = Some A).

Lemma coefficientsE (t : 'I_(T D)) (h : 'I_(H D)) : size (coefficients_at A t h) = size (list_of t) /\
  forall k, inside (z (Zpos (denominator (precision_of bits))) * stack_alpha R L t h k 0) (nth (0, 0)%coqZ (coefficients_at A t h) k).
Proof.
move: AE; rewrite /iv_coefficients; case: ifP => // shown [<-]; rewrite /coefficients_at (nth_map 0%N) ?size_iota // nth_iota // add0n.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n; apply: enclosed_alpha.
Qed.

End Coefficients.

Theorem stack_pairs_above k bits : stack_pairs_ok S L c true k bits -> (k <= stack_saturated R S L c)%N.
Proof.
rewrite /stack_pairs_ok; case AE: (iv_coefficients _ _ _) => [A|] // /andP[ok].
apply: (pairs_above (a := fun t h => stack_alpha R L t h)) => t h *; have [] := coefficientsE ok AE t h; auto.
Qed.

Theorem stack_pairs_below k bits : stack_pairs_ok S L c false k bits -> (stack_saturated R S L c <= pairs_counted D c - k)%N.
Proof.
rewrite /stack_pairs_ok; case AE: (iv_coefficients _ _ _) => [A|] // /andP[ok].
apply: (pairs_below (a := fun t h => stack_alpha R L t h)) => t h *; have [] := coefficientsE ok AE t h; auto.
Qed.

(* --- all rows of Z                                                               *)
Section Rows.
Variables (Z_rows : seq (seq (seq (Z * Z)))) (bits : nat).
Hypotheses (ok : stack_enclosable S L) (ZE : iv_stack_rows S L bits (iota 0 (T D)) = Some Z_rows).

Lemma all_rows (t : 'I_(T D)) : size (nth [::] Z_rows t) = H D /\
  forall h : 'I_(H D), encloses (z (Zpos (denominator (precision_of bits)))) (stack_mean R L t h) (nth [::] (nth [::] Z_rows t) h).
Proof.
have [sZ sH] := size_stack_rows ZE; split=> [|h]; first by apply: sH; rewrite size_iota.
have tI : (t < size (iota 0 (T D)))%N by rewrite size_iota.
by apply: (@enclosed_row R S L bits _ _ _ t h ok ZE tI); rewrite nth_iota.
Qed.

Lemma number_of_rows : size Z_rows = T D. Proof. by have [-> _] := size_stack_rows ZE; rewrite size_iota. Qed.

End Rows.

Section Spectrum.
Variables (Zs : seq (seq (Z * Z))) (bits more : nat).
Hypotheses (ok : stack_enclosable S L) (ZE : iv_stack_Z S L bits more = Some Zs).

Lemma stack_Z_inside : size Zs = T D /\ forall t : 'I_(T D), size (nth [::] Zs t) = (H D * d D)%N /\
  forall k, inside (z (Zpos (two_power bits)) * stack_Z R S L t k) (nth (0, 0)%coqZ (nth [::] Zs t) k).
Proof.
move: ZE; rewrite /iv_stack_Z; case rE: (iv_stack_rows _ _ _ _) => [Z_rows|] //= [<-].
rewrite size_map (number_of_rows rE); split=> // t; have [sr rr] := all_rows ok rE t.
have sd : all (fun r : seq (Z * Z) => size r == d D) (nth [::] Z_rows t).
  by apply/(all_nthP [::]) => h; rewrite sr => hH; have [/eqP] := rr (Ordinal hH).
rewrite (nth_map [::]) ?(number_of_rows rE) //; have sf : size (flatten (nth [::] Z_rows t)) = (H D * d D)%N.
  rewrite size_flatten /shape (eq_in_map (fun r : seq (Z * Z) => size r) (fun=> d D) _).1; last by move=> r /(allP sd)/eqP.
  by rewrite sumnE big_map big_const_seq count_predT sr iter_addn addn0 mulnC.
rewrite size_map sf; split=> // k; case/mxvec_indexP: k => h j.
rewrite (nth_map (0, 0)%coqZ) ?sf //; apply: rounded_inside; rewrite stack_ZE mxvec_index_val flatten_nth ?sr //.
by have [_] := rr h; apply.
Qed.

End Spectrum.

Theorem stack_spectrum_above bits more X : stack_spectrum_ok S L c true bits more X ->
  (size X <= singular_count (stack_Z R S L) (level R c))%N.
Proof.
rewrite /stack_spectrum_ok; case ZE: (iv_stack_Z _ _ _ _) => [Zs|] // /andP[ok]; have [sZ rZ] := stack_Z_inside ok ZE.
by apply: dominant_above => // t; have [] := rZ t.
Qed.

Theorem stack_spectrum_below bits more X : stack_spectrum_ok S L c false bits more X ->
  (singular_count (stack_Z R S L) (level R c) <= minn (T D) (H D * d D) - size X)%N.
Proof.
rewrite /stack_spectrum_ok; case ZE: (iv_stack_Z _ _ _ _) => [Zs|] // /andP[ok]; have [sZ rZ] := stack_Z_inside ok ZE.
by apply: dominant_below => // t; have [] := rZ t.
Qed.

(* --- scores                                                                      *)
Lemma mean_den_stack bits : (Zpos (q_contexts D) =? 1)%coqZ -> mean_den D (precision_of bits) = denominator (precision_of bits).
Proof. by move=> /Z.eqb_eq[q1]; rewrite /mean_den q1 Pos.mul_1_r. Qed.

Lemma means_of_rows Z_rows bits (h : 'I_(H D)) : stack_enclosable S L -> iv_stack_rows S L bits (iota 0 (T D)) = Some Z_rows ->
    (Zpos (q_contexts D) =? 1)%coqZ ->
  each_encloses (z (Zpos (mean_den D (precision_of bits)))) (fun t => stack_mean R L t h) [seq nth [::] r h | r <- Z_rows].
Proof.
move=> ok ZE q1; rewrite mean_den_stack //; split=> [|t]; first by rewrite size_map (number_of_rows ZE).
by rewrite (nth_map [::]) ?(number_of_rows ZE) //; have [_] := all_rows ok ZE t; apply.
Qed.

Theorem stack_scores_above k bits : stack_scores_ok S L c true k bits -> (k <= accurate_from R D c (stack_mean R L))%N.
Proof.
rewrite /stack_scores_ok; case ZE: (iv_stack_rows _ _ _ _) => [Z_rows|] //; case wE: (around D) => [w|] // /and3P[ok q1].
by apply: count_from_above wE => h; apply: means_of_rows.
Qed.

Theorem stack_scores_below k bits : stack_scores_ok S L c false k bits -> (accurate_from R D c (stack_mean R L) <= T D - k)%N.
Proof.
rewrite /stack_scores_ok; case ZE: (iv_stack_rows _ _ _ _) => [Z_rows|] //; case wE: (around D) => [w|] // /and3P[ok q1].
by apply: count_from_below wE => h; apply: means_of_rows.
Qed.

End Sound.
