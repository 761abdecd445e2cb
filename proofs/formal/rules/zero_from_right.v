(* The proved checker, vectors x with Z x = 0 for all weights: for each head an affine functional that is      *)
(* constant on the tokens of each example that moves, with sum 0.  Where the query is 0, only the sum of the   *)
(* tokens counts, as all coefficients are equal, and those of all heads up to a factor of each head: beside a  *)
(* sink of logit s they are 1/(n + exp s).                                                                     *)
(*                                                                                                             *)
(*         sum_integers L, head_part D x h == the sum of a list; the entries of x for head h                   *)
(*                  annihilated D k t x == row t of Z times x is 0 for all weights of this kind                *)
(*            zero_from_right_ok D k p V == vectors, independent modulo p, of which this is true in each row   *)
(*   zero_from_right, zero_cone_from_right == they bound the capacity from above                               *)
From Attest Require Import integers attention upper_bounds problem literal_arithmetic logits residues other_layers.
From Attest Require Import quantity_bounds rational_matrices coefficients.

Local Notation Z := BinNums.Z.

Definition sum_integers (L : seq Z) : Z := foldr Z.add 0%coqZ L.

Section Rule.
Variables (D : problem) (k : coefficient_kind).

Definition head_part (x : seq Z) (h : nat) : seq Z := take (d D) (drop (h * d D) x).

Definition annihilated (t : nat) (x : seq Z) : bool :=
  let C := context_at D t in let parts := [seq head_part x h | h <- iota 0 (H D)] in
  let on r := sum_integers [seq dot r y | y <- parts] in
  if zero_query (d D) (query_at D t) then (sum_integers [seq on r | r <- C] =? 0)%coqZ
  else if k is Softmax then
    all (fun y => all (fun r => dot r y =? dot (nth [::] C 0) y)%coqZ C) parts && (on (nth [::] C 0) =? 0)%coqZ
  else all (fun y => all (fun r => dot r y =? 0)%coqZ C) parts.

Definition zero_from_right_ok (p : Z) (V : seq (seq Z)) : bool :=
  independent_mod p (H D * d D) V && all (fun x => all (fun t => annihilated t x) (iota 0 (T D))) V.

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
Let q : R := toF R (Zpos (q_contexts D)).

Lemma toF_sum_integers (I : Type) (f : I -> Z) s : toF R (sum_integers [seq f i | i <- s]) = \sum_(i <- s) toF R (f i).
Proof. by elim: s => [|i s IH]; rewrite ?big_nil ?toF0 // big_cons -IH toFD. Qed.

Lemma sum_heads (f : nat -> R) : \sum_(h <- iota 0 H) f h = \sum_(h < H) f h.
Proof. by rewrite -(big_mkord predT f) /index_iota subn0. Qed.

Lemma sum_tokens (t : 'I_T) (f : seq Z -> R) : \sum_(r <- context_at D t) f r = \sum_(i < n) f (nth [::] (context_at D t) i).
Proof. by rewrite (big_nth [::]) big_mkord size_context. Qed.

(* the product of a token with the part of a head                                *)
Let on (t : 'I_T) (x : seq Z) (h i : nat) : R := toF R (dot (nth [::] (context_at D t) i) (head_part D x h)).
Let vector (x : seq Z) (h : 'I_H) : 'cV[R]_d := \col_j toF R (nth 0%coqZ x (h * d + j)).

Lemma onE t x (h : 'I_H) (i : 'I_n) : (E t *m vector x h) i 0 = on t x h i / q.
Proof.
rewrite mxE /on (dotE _ (size_token okD t i)) rmorph_sum mulr_suml; apply: eq_bigr => j _.
by rewrite !mxE rmorphM /head_part nth_take // nth_drop mulrAC.
Qed.

(* what coefficients of this kind are, c being the factors of the heads          *)
Definition of_kind (A : 'I_T -> 'M[R]_(H, n)) (c : 'I_H -> R) : Prop := forall t,
  [/\ k = Softmax -> sum1 (A t), k = Softmax -> forall h, c h = 1 &
      e t = 0 -> forall h h' i i', A t h i * c h = A t h' i' * c h'].

Lemma row_from_right A c (t : 'I_T) x : of_kind A c -> annihilated D k t x ->
  \sum_(h < H) \sum_(i < n) A t h i * (c h * (on t x h i / q)) = 0.
Proof.
move=> /(_ t)[A1 c1 same]; rewrite /annihilated (zero_queryP R); pose i0 := Ordinal (n_gt0 okD).
have inC (i : 'I_n) : nth [::] (context_at D t) i \in context_at D t by rewrite mem_nth // size_context.
have part_in (h : 'I_H) : head_part D x h \in [seq head_part D x h | h <- iota 0 H] by rewrite map_f // mem_iota /= add0n.
have toF_on r : toF R (sum_integers [seq dot r y | y <- [seq head_part D x h | h <- iota 0 H]]) = \sum_(h < H) toF R (dot r (head_part D x h)).
  by rewrite -map_comp toF_sum_integers sum_heads.
case: eqP => [e0|_].
  move=> /Z.eqb_eq/(congr1 (toF R)); rewrite toF0 toF_sum_integers sum_tokens => zero.
  have [a aE] : exists a, forall h i, A t h i * c h = a.
    case: (pickP (fun h : 'I_H => true)) => [h0 _|none]; last by exists 0 => h; have := none h.
    by exists (A t h0 i0 * c h0) => h i; apply: same.
  rewrite (eq_bigr (fun h : 'I_H => a / q * \sum_(i < n) on t x h i)); last first.
    by move=> h _; rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mulrA aE mulrA mulrAC.
  rewrite -mulr_sumr exchange_big /= -[RHS](mulr0 (a / q)) -[in RHS]zero; congr (_ * _).
  by apply: eq_bigr => i _; rewrite toF_on.
have moving : all (fun y => all (fun r => dot r y =? 0)%coqZ (context_at D t)) [seq head_part D x h | h <- iota 0 H] ->
    \sum_(h < H) \sum_(i < n) A t h i * (c h * (on t x h i / q)) = 0.
  move=> /allP ok; apply: big1 => h _; apply: big1 => i _.
  by have /allP/(_ _ (inC i))/Z.eqb_eq := ok _ (part_in h); rewrite /on => ->; rewrite toF0 mul0r !mulr0.
case: k A1 c1 => [|qs s|] A1 c1; [|exact: moving..].
move=> /andP[/allP constant /Z.eqb_eq/(congr1 (toF R))]; rewrite toF0 toF_on => zero.
rewrite (eq_bigr (fun h : 'I_H => on t x h 0 / q)); first by rewrite -mulr_suml zero mul0r.
move=> h _; rewrite (eq_bigr (fun i => A t h i * (on t x h 0 / q))); first by rewrite -mulr_suml A1 // mul1r.
by move=> i _; have /allP/(_ _ (inC i))/Z.eqb_eq := constant _ (part_in h); rewrite c1 // mul1r /on => ->.
Qed.

Theorem attn_out_from_right A c p V : of_kind A c -> (forall h, c h != 0) -> zero_from_right_ok D k p V ->
  (\rank (attn_out A E) <= H * d - size V)%N.
Proof.
move=> kA c0 /andP[iV /allP ok]; pose X := mx R (size V) (H * d) 1 V.
pose C : 'M[R]_(H * d) := diag_mx (mxvec (\matrix_(h < H, j < d) c h)).
have freeC : row_free C.
  rewrite row_free_unit unitmxE det_diag unitfE; apply/prodf_neq0 => s _.
  by case/mxvec_indexP: s => h j; rewrite mxvecE mxE.
apply: leq_trans (kernel_rank (X := X *m C) _) _; last first.
  by rewrite (mxrankMfree _ freeC); apply: leq_sub2l; apply: independent_mod_rank iV.
apply/matrixP => t s; rewrite mxE [RHS]mxE.
have /allP/(_ (nat_of_ord t)) := ok _ (mem_nth [::] (ltn_ord s)); rewrite mem_iota /= add0n ltn_ord => /(_ isT) zero.
have XC h j : (X *m C)^T (mxvec_index h j) s = X s (mxvec_index h j) * c h.
  by rewrite mxE /C mul_mx_diag mxE; congr (_ * _); rewrite mxvecE mxE.
pose f (h : 'I_H) (j : 'I_d) := attn_out A E t (mxvec_index h j) * (X *m C)^T (mxvec_index h j) s.
rewrite -[RHS](row_from_right kA zero) (reindex _ (curry_mxvec_bij _ _)) (eq_bigr (fun hj => f hj.1 hj.2)); last by case.
rewrite -(pair_bigA _ f) /f /=.
apply: eq_bigr => h _; under eq_bigr do rewrite XC mulrA; under [RHS]eq_bigr do rewrite [c h * _]mulrC mulrA -onE.
rewrite -!mulr_suml; congr (_ * _).
transitivity ((row h (A t) *m E t *m vector (nth [::] V s) h) 0 0).
  rewrite mxE; apply: eq_bigr => j _; rewrite attn_outE; congr (_ * _).
  by rewrite !mxE rmorph1 divr1 mxvec_index_val.
by rewrite -mulmxA mxE; apply: eq_bigr => i _; rewrite [X in X * _]mxE.
Qed.

(* the coefficients of weights                                                   *)
Lemma weights_of_kind A (s : 'I_H -> R) (W : 'I_H -> 'M[R]_d) :
  (forall t h, row h (A t) = (coefs_at k (s h) (E t *m W h *m e t))^T) ->
  exists2 c, of_kind A c & forall h, c h != 0.
Proof.
move=> AE; exists (fun h => if k is Sinks _ _ then n%:R + expR (s h) else 1); last first.
  by move=> h; case: k => [|qs ss|]; rewrite ?oner_eq0 // gt_eqF // ltr_paddl ?ler0n ?expR_gt0.
move=> t.
have AhE h i : A t h i = coefs_at k (s h) (E t *m W h *m e t) i 0.
  by have := congr1 (fun r : 'rV_n => r 0 i) (AE t h); rewrite mxE [RHS]mxE.
split=> [kS h|-> //|e0 h h' i i'].
  rewrite -[RHS](softmax_sum1 (E t *m W h *m e t) (n_gt0 okD)); apply: eq_bigr => i _; by rewrite AhE kS.
rewrite !AhE e0 !mulmx0; case: k => [|qs ss|]; rewrite ?mulr1; [by rewrite !mxE| |by rewrite !mxE].
have one h1 : expR 0 / (\sum_(j < n) expR ((0 : 'cV[R]_n) j 0) + expR (s h1)) * (n%:R + expR (s h1)) = 1.
  under eq_bigr do rewrite mxE expR0; rewrite sumr_const card_ord expR0 div1r mulVf //.
  by rewrite gt_eqF // ltr_paddl ?ler0n ?expR_gt0.
by rewrite !mxE !one.
Qed.

Lemma weights_from_right A (s : 'I_H -> R) (W : 'I_H -> 'M[R]_d) p V :
  (forall t h, row h (A t) = (coefs_at k (s h) (E t *m W h *m e t))^T) -> zero_from_right_ok D k p V ->
  (\rank (attn_out A E) <= H * d - size V)%N.
Proof. by move=> /weights_of_kind[c kA c0]; apply: attn_out_from_right kA c0. Qed.

End Sound.

Theorem zero_from_right (R : realType) (D : problem) p V : wf_problem D ->
  zero_from_right_ok D Softmax p V -> (capacity R D <= H D * d D - size V)%N.
Proof.
move=> okD ok; apply: largest_leq => r [P /leq_trans]; apply; rewrite ZE Zmx_attn_out.
refine (@weights_from_right R D Softmax okD _ (fun=> 0) (fun h => WK P h *m (WQ P h)^T) p V _ ok) => t h.
exact: rowK.
Qed.

Theorem zero_cone_from_right (R : realType) (D : problem) k p V : wf_problem D ->
  zero_from_right_ok D k p V -> (capacity_of_kind R D k <= H D * d D - size V)%N.
Proof.
move=> okD ok; apply: largest_leq => r [A [s [P AP]] /leq_trans]; apply.
exact: (@weights_from_right R D k okD A s (fun h => WK P h *m (WQ P h)^T) p V AP ok).
Qed.
