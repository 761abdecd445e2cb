(* Labels that no layer fits, whatever its weights and its key dimension (Theorem T of                 *)
(* docs/mathematics.md).  Let the data be rational, and                                                *)
(*   rho the dimension of the span of the matrices (x - x') e_t^T, x and x' tokens of example t,       *)
(*   v that of the differences x - x', r that of the tokens, all over the rationals.                   *)
(* The coefficients of a head are quotients of polynomials in rho numbers exp(..), and the outputs     *)
(* are linear over them in (H - 1) v + r more numbers for each coordinate.  So if                      *)
(*   T d_out > H rho + d_out ((H - 1) v + r)                                                           *)
(* all labels that any weights fit satisfy one polynomial equation with rational coefficients          *)
(* (fitted_labels_relation).  Some integer labels do not (unfittable_integer_labels), and exp of       *)
(* the square roots of different primes do not (unfittable_labels), if the theorem of Lindemann and    *)
(* Weierstrass holds, which is a premise there.                                                        *)
(*                                                                                                     *)
(*          exponent_rows X q == the matrices (x - x') e_t^T as rows, for one example                  *)
(*       exponent_rank, difference_rank, token_rank == rho, v and r                                    *)
(*        outputs_relation == the equation, for exponents with given natural coordinates, and a degree *)
(*                            that is large enough, written down                                       *)
From Attest Require Import prelude.
From mathcomp Require Import ring zify.
From Attest Require Import attention proposition_3 transcendence rank_formula algebraic_relations.

(* -------------------------------------------------------------------------------------------------- *)
(* Outputs as quotients of polynomials in few parameters                                               *)
(* -------------------------------------------------------------------------------------------------- *)
Section Outputs.
Variables (F : fieldType) (R : realType) (iota : {rmorphism F -> R}).
Variables (T H n dout rho v r : nat).   (* H + 1 heads *)
(* coordinates of exponents, of tokens and of their differences                                         *)
Variables (a : 'I_T -> 'I_n -> 'I_rho -> nat) (w : 'I_T -> 'I_rho -> nat).
Variables (c : 'I_T -> 'I_n -> 'I_r -> F) (b : 'I_T -> 'I_n -> 'I_v -> F).
Hypothesis aw : forall t i k, (a t i k <= w t k)%N.
Hypothesis n_gt0 : (0 < n)%N.

Definition output_params : finType := [finType of ('I_H.+1 * 'I_rho + 'I_dout * ('I_r + 'I_H * 'I_v))%type].
Definition output_degree (j : 'I_T * 'I_dout) (z : output_params) : nat :=
  match z with inl hk => w j.1 hk.2 | inr ok => j.2 == ok.1 end.

Lemma card_output_params : #|output_params| = (H.+1 * rho + dout * (H * v + r))%N.
Proof. by rewrite card_sum !card_prod card_sum card_prod !card_ord [(r + _)%N]addnC. Qed.

Lemma output_degrees z : (\sum_j output_degree j z =
  match z with inl hk => dout * \sum_t w t hk.2 | inr _ => T end)%N.
Proof.
rewrite -(pair_bigA _ (fun t o => output_degree (t, o) z)) /=; case: z => [[h k]|[o k]] /=.
  by rewrite big_distrr; apply: eq_bigr => t _; rewrite sum_nat_const card_ord.
rewrite (eq_bigr (fun=> 1%N)) ?sum_nat_const ?card_ord ?muln1 // => t _.
by rewrite (bigD1 o) //= eqxx big1 // => o' /negPf ->.
Qed.

Implicit Types (x : output_params -> R).
Definition weight_of h t i x : R := \prod_k x (inl (h, k)) ^+ a t i k.
Definition weights_sum h t x : R := \sum_i weight_of h t i x.
Definition coefficient_num h t i x : R := weight_of h t i x * \prod_(h' | h' != h) weights_sum h' t x.
Definition output_den (j : 'I_T * 'I_dout) x : R := \prod_h weights_sum h j.1 x.
Definition output_num (j : 'I_T * 'I_dout) x : R :=
  \sum_i coefficient_num ord0 j.1 i x * (\sum_k iota (c j.1 i k) * x (inr (j.2, inl k))) +
  \sum_h \sum_i (coefficient_num (lift ord0 h) j.1 i x + - coefficient_num ord0 j.1 i x) *
    (\sum_k iota (b j.1 i k) * x (inr (j.2, inr (h, k)))).

Let head_degree h t (z : output_params) : nat := if z is inl hk then (hk.1 == h) * w t hk.2 else 0%N.

Lemma weight_poly h t i : poly_fun iota (head_degree h t) (weight_of h t i).
Proof.
apply: poly_fun_le (poly_fun_prod (k := fun k z => (a t i k * (z == inl (h, k)))%N) _) => [z|k _].
  case: z => [[h' k']|z] /=; last by rewrite big1 // => k _; rewrite muln0.
  rewrite (bigD1 k') //= big1 => [|k kk']; last first.
    by rewrite (_ : inl _ == inl _ = ((h', k') == (h, k))) // xpair_eqE [k' == k]eq_sym (negPf kk') andbF muln0.
  by rewrite addn0 (_ : inl _ == inl _ = ((h', k') == (h, k'))) // xpair_eqE eqxx andbT mulnC leq_mul2l aw orbT.
by apply: poly_fun_exp; apply: poly_fun_var; rewrite eqxx.
Qed.

Lemma weights_sum_poly h t : poly_fun iota (head_degree h t) (weights_sum h t).
Proof. by apply: poly_fun_sum => i; apply: weight_poly. Qed.

Lemma head_degrees t z : (\sum_h head_degree h t z = if z is inl hk then w t hk.2 else 0)%N.
Proof.
case: z => [[h k]|z] /=; last by rewrite big1.
by rewrite (bigD1 h) //= eqxx mul1n big1 ?addn0 // => h' h'h; rewrite eq_sym (negPf h'h).
Qed.

Lemma coefficient_poly h t i :
  poly_fun iota (fun z => if z is inl hk then w t hk.2 else 0%N) (coefficient_num h t i).
Proof.
apply: poly_fun_le (poly_fun_mul (weight_poly h t i)
  (poly_fun_prod (P := fun h' => h' != h) (k := fun h' => head_degree h' t) _)) => [z|h' _].
  by rewrite -head_degrees [X in (_ <= X)%N](bigD1 h).
exact: weights_sum_poly.
Qed.

Lemma output_den_poly j : poly_fun iota (output_degree j) (output_den j).
Proof.
apply: poly_fun_le (poly_fun_prod (k := fun h => head_degree h j.1) _) => [z|h _].
  by rewrite head_degrees; case: z.
exact: weights_sum_poly.
Qed.

Lemma output_num_poly j : poly_fun iota (output_degree j) (output_num j).
Proof.
have term m (f : 'I_m -> F) (g : 'I_m -> 'I_r + 'I_H * 'I_v) p :
    poly_fun iota (fun z => if z is inl hk then w j.1 hk.2 else 0%N) p ->
  poly_fun iota (output_degree j) (fun x => p x * (\sum_k iota (f k) * x (inr (j.2, g k)))).
  move=> pp; apply: poly_fun_le (poly_fun_mul pp (poly_fun_sum
    (k := fun z => if z is inr ok then j.2 == ok.1 : nat else 0%N) _)) => [[hk|ok] /=|k]; rewrite ?addn0 //.
  apply: poly_fun_le (poly_fun_mul (poly_fun_const iota (fun=> 0%N) (f k)) (@poly_fun_var _ _ iota _
    (fun z : output_params => if z is inr ok then j.2 == ok.1 : nat else 0%N) (inr (j.2, g k)) _)) => //=.
  by rewrite eqxx.
apply: poly_fun_add; first by apply: poly_fun_sum => i; apply: term; apply: coefficient_poly.
apply: poly_fun_sum => h; apply: poly_fun_sum => i; apply: (term _ _ (fun k => inr (h, k))).
by apply: poly_fun_add; [|apply: poly_fun_opp]; apply: coefficient_poly.
Qed.

Theorem outputs_relation D :
    ((\prod_k (D * (dout * \sum_t w t k)).+1) ^ H.+1 * (D * T).+1 ^ (dout * (H * v + r)) < D.+1 ^ (T * dout))%N ->
  exists2 m : {ffun 'I_T * 'I_dout -> 'I_D.+1} -> F, exists p, m p != 0 &
    forall (l : 'I_H.+1 -> 'I_T -> 'cV[R]_n) (kappa : 'I_H.+1 -> 'I_rho -> R) (l0 : 'I_H.+1 -> 'I_T -> R)
      (X : 'I_H.+1 -> 'I_T -> 'I_n -> 'I_dout -> R) (x : 'I_H.+1 -> 'I_r -> 'I_dout -> R)
      (x0 : 'I_H.+1 -> 'I_T -> 'I_dout -> R) (u : 'I_H.+1 -> 'I_v -> 'I_dout -> R),
    (forall h t i, l h t i 0 = l0 h t + \sum_k (a t i k)%:R * kappa h k) ->
    (forall h t i o, X h t i o = \sum_k iota (c t i k) * x h k o) ->
    (forall h t i o, X h t i o = x0 h t o + \sum_k iota (b t i k) * u h k o) ->
  relation_value iota m (fun j => \sum_h \sum_i softmax (l h j.1) i 0 * X h j.1 i j.2) = 0.
Proof.
move=> few; have [|m m0 mP] := algebraic_relation output_num_poly output_den_poly (D := D).
  under eq_bigr do rewrite output_degrees.
  rewrite big_sumType card_prod !card_ord /= -(pair_bigA _ (fun h k => (D * (dout * \sum_t w t k)).+1)) /=.
  by rewrite !prod_nat_const card_ord card_prod card_sum card_prod !card_ord [(r + _)%N]addnC.
exists m => // l kappa l0 X x x0 u lE XE XE'.
pose z (i : output_params) : R := match i with
  | inl hk => expR (kappa hk.1 hk.2)
  | inr (o, inl k) => \sum_h x h k o
  | inr (o, inr hk) => u (lift ord0 hk.1) hk.2 o
  end.
have wE h t i : expR (l h t i 0) = expR (l0 h t) * weight_of h t i z.
  rewrite lE expRD; congr (_ * _); rewrite (big_morph _ (@expRD R) (expR0 R)).
  by apply: eq_bigr => k _; rewrite expRMm.
have s0 h t : weights_sum h t z != 0.
  rewrite (_ : weights_sum h t z = (expR (l0 h t))^-1 * \sum_i expR (l h t i 0)); last first.
    rewrite mulr_sumr; apply: eq_bigr => i _.
    by rewrite wE mulrA mulVf ?mul1r // gt_eqF ?expR_gt0.
  by rewrite mulf_neq0 ?invr_eq0 ?gt_eqF ?expR_gt0 ?sum_expR_gt0.
have aE h t i : softmax (l h t) i 0 = weight_of h t i z / weights_sum h t z.
  rewrite mxE wE; under eq_bigr do rewrite wE.
  by rewrite -mulr_sumr invfM mulrACA divff ?mul1r // gt_eqF ?expR_gt0.
have den0 j : output_den j z != 0 by apply/prodf_neq0 => h _.
apply: (mP z) => [//|[t o]]; set den := output_den _ _.
have cE h i : coefficient_num h t i z = den * softmax (l h t) i 0.
  rewrite aE /den /output_den (bigD1 h) //= /coefficient_num; set others := \prod_(_ | _) _.
  by move: others (s0 h t) => others sh; field.
rewrite /output_num /=; transitivity (den * (\sum_h \sum_i softmax (l ord0 t) i 0 * X h t i o) +
    den * \sum_h \sum_i (softmax (l (lift ord0 h) t) i 0 - softmax (l ord0 t) i 0) * X (lift ord0 h) t i o).
  rewrite -mulrDr; congr (_ * _); rewrite [LHS]big_ord_recl [X in _ = X + _]big_ord_recl -addrA; congr (_ + _).
  rewrite -big_split; apply: eq_bigr => h _ /=; rewrite -big_split; apply: eq_bigr => i _ /=.
  by rewrite -mulrDl addrC subrK.
congr (_ + _).
  rewrite [X in _ * X]exchange_big mulr_sumr; apply: eq_bigr => i _; rewrite cE -mulrA -mulr_sumr; do 2!congr (_ * _).
  under [RHS]eq_bigr do rewrite mulr_sumr.
  by rewrite [RHS]exchange_big; apply: eq_bigr => h _; rewrite XE.
rewrite mulr_sumr; apply: eq_bigr => h _; transitivity (\sum_i den *
    ((softmax (l (lift ord0 h) t) i 0 - softmax (l ord0 t) i 0) * (X (lift ord0 h) t i o - x0 (lift ord0 h) t o))).
  rewrite -mulr_sumr; congr (_ * _); under [RHS]eq_bigr do rewrite mulrBr.
  by rewrite sumrB -mulr_suml sumrB !softmax_sum1 // subrr mul0r subr0.
by apply: eq_bigr => i _; rewrite !cE -mulrBr -mulrA XE' addrAC subrr add0r.
Qed.

End Outputs.

(* -------------------------------------------------------------------------------------------------- *)
(* Outputs of a layer                                                                                  *)
(* -------------------------------------------------------------------------------------------------- *)
Lemma predict_heads (R : realType) H d dh dv do dout (P : weights R H d dh dv do dout) :
  exists U : 'I_H -> 'M[R]_(d, dout), forall n (E : 'M[R]_(n, d)) e,
    predict P E e = \sum_h (U h)^T *m head_z P E e h.
Proof.
exists (fun h => WV P h *m (\matrix_j row (mxvec_index h j) (WO P)) *m WD P) => n E e.
rewrite /predict /layer_out; transitivity ((WD P)^T *m
    \sum_h (\matrix_j row (mxvec_index h j) (WO P))^T *m head_out P E e h).
  congr (_ *m _); apply/colP => o; rewrite mxE summxE (reindex _ (curry_mxvec_bij _ _)) /=.
  rewrite (eq_bigr (fun p => WO P (mxvec_index p.1 p.2) o * head_out P E e p.1 p.2 0)); last first.
    by move=> [h j] _ /=; rewrite /stack !mxE mxvecE !mxE.
  rewrite -(pair_bigA _ (fun h j => WO P (mxvec_index h j) o * head_out P E e h j 0)) /=.
  by apply: eq_bigr => h _; rewrite [RHS]mxE; apply: eq_bigr => j _; rewrite !mxE.
rewrite mulmx_sumr; apply: eq_bigr => h _.
by rewrite !trmx_mul /head_out !mulmxA.
Qed.

Lemma mxvec_outer (R : comRingType) d (x : 'rV[R]_d) (W : 'M[R]_d) (y : 'cV[R]_d) :
  (mxvec (x^T *m y^T) *m (mxvec W)^T) 0 0 = (x *m W *m y) 0 0.
Proof.
rewrite mxvec_dot -mulmxA [RHS]mxE; apply: eq_bigr => j _.
rewrite [(W *m y) j 0]mxE mulr_sumr [LHS]mxE; apply: eq_bigr => k _.
by rewrite !mxE big_ord1 !mxE mulrAC mulrA.
Qed.

Lemma map_row_mul (R : realType) k d p (y : 'rV[rat]_k) (M : 'M[rat]_(k, d)) (U : 'M[R]_(d, p)) o :
  (map_mx (@ratr R) (y *m M) *m U) 0 o = \sum_j ratr (y 0 j) * (map_mx (@ratr R) M *m U) j o.
Proof.
rewrite map_mxM -mulmxA mxE; apply: eq_bigr => j _.
by rewrite mxE.
Qed.

Section Labels.
Variables (R : realType) (T n d dout : nat) (X : 'I_T -> 'M[rat]_(n, d)) (q : 'I_T -> 'cV[rat]_d).
Hypothesis n_gt0 : (0 < n)%N.

Definition exponent_rows t : 'M[rat]_(n, d * d) := \matrix_i mxvec ((row i (diffs (X t)))^T *m (q t)^T).
Definition exponent_rank : nat := \rank (\sum_t <<exponent_rows t>>)%MS.
Definition difference_rank : nat := \rank (\sum_t <<diffs (X t)>>)%MS.
Definition token_rank : nat := \rank (\sum_t <<X t>>)%MS.

Local Notation E := (fun t => map_mx (@ratr R) (X t)).
Local Notation e := (fun t => map_mx (@ratr R) (q t)).
Let i0 := Ordinal n_gt0.

Lemma difference_sub t i : (row i (X t) - row i0 (X t) <= diffs (X t))%MS.
Proof.
rewrite !rowE -mulmxBl; apply: submxMr; apply/sub_kermxP; rewrite mulmxBl -!rowE.
by apply/rowP => j; rewrite !mxE subrr.
Qed.

Lemma exponent_sub t i : (mxvec ((row i (X t) - row i0 (X t))^T *m (q t)^T) <= exponent_rows t)%MS.
Proof.
have /submxP[y ->] := difference_sub t i.
have -> : exponent_rows t = diffs (X t) *m lin1_mx (mxvec \o mulmxr (q t)^T \o trmx).
  by apply/row_matrixP => k; rewrite [LHS]rowK [RHS]row_mul mul_rV_lin1.
by apply/submxP; exists y; rewrite mulmxA mul_rV_lin1.
Qed.

(* all labels that any weights fit satisfy one equation                                                 *)
Theorem fitted_labels_relation H : (0 < H)%N ->
    (H * exponent_rank + dout * ((H - 1) * difference_rank + token_rank) < T * dout)%N ->
  exists D (m : {ffun 'I_T * 'I_dout -> 'I_D.+1} -> rat), (exists p, m p != 0) /\
    forall dh dv do (P : weights R H d dh dv do dout) y, memorizes E e P y ->
  relation_value [rmorphism of @ratr R] m (fun j => y j.1 j.2 0) = 0.
Proof.
case: H => // H _; rewrite subn1 /= => few.
pose L := row_base (\sum_t <<X t>>)%MS; pose V := row_base (\sum_t <<diffs (X t)>>)%MS.
pose B := row_base (\sum_t <<exponent_rows t>>)%MS.
have XL t i : row i (X t) = row i (X t *m pinvmx L) *m L.
  rewrite -row_mul mulmxKpV // eq_row_base.
  by rewrite (sumsmx_sup t) // genmxE.
have XV t i : row i (X t) - row i0 (X t) = ((row i (X t) - row i0 (X t)) *m pinvmx V) *m V.
  rewrite mulmxKpV // eq_row_base; apply: submx_trans (difference_sub t i) _.
  by rewrite (sumsmx_sup t) // genmxE.
have XB t i : mxvec ((row i (X t) - row i0 (X t))^T *m (q t)^T)
    = (mxvec ((row i (X t) - row i0 (X t))^T *m (q t)^T) *m pinvmx B) *m B.
  rewrite mulmxKpV // eq_row_base; apply: submx_trans (exponent_sub t i) _.
  by rewrite (sumsmx_sup t) // genmxE.
pose g t i := mxvec ((row i (X t) - row i0 (X t))^T *m (q t)^T) *m pinvmx B.
have [N [N0 [z zE]]] := common_denominator (fun p : 'I_T * 'I_n * 'I_exponent_rank => g p.1.1 p.1.2 0 p.2).
pose A := (\sum_p `|z p|)%N.
pose a t i k := absz (z (t, i, k) + A%:Z).
have aE t i k : (a t i k)%:Z = z (t, i, k) + A%:Z.
  have : `|z (t, i, k)| <= A%:Z by rewrite -abszE lez_nat /A (bigD1 (t, i, k)) //= leq_addr.
  by rewrite ler_norml => /andP[+ _]; rewrite -subr_ge0 opprK => /gez0_abs.
pose w t k := (\sum_i a t i k)%N.
have aw t i k : (a t i k <= w t k)%N by rewrite /w (bigD1 i) //= leq_addr.
pose K := (dout * (\sum_t \sum_k w t k) + T + 1)%N.
pose D := (K ^ #|output_params H dout exponent_rank difference_rank token_rank|)%N.
have [|m m0 mP] := @outputs_relation _ R [rmorphism of @ratr R] T H n dout exponent_rank difference_rank token_rank
  a w (fun t i k => (X t *m pinvmx L) i k)
  (fun t i k => ((row i (X t) - row i0 (X t)) *m pinvmx V) 0 k) aw n_gt0 D.
  pose k (p : output_params H dout exponent_rank difference_rank token_rank) : nat :=
    match p with inl hk => (dout * \sum_t w t hk.2)%N | inr _ => T end.
  have := @enough_degree _ [finType of 'I_T * 'I_dout] k K D.
  rewrite card_output_params card_prod !card_ord => /(_ few) bound.
  have -> : ((\prod_k (D * (dout * \sum_t w t k)).+1) ^ H.+1 * (D * T).+1 ^ (dout * (H * difference_rank + token_rank)) =
      \prod_p (D * k p).+1)%N.
    rewrite big_sumType /= -(pair_bigA _ (fun h k => (D * (dout * \sum_t w t k)).+1)) /=.
    by rewrite !prod_nat_const card_ord card_prod card_sum card_prod !card_ord [(token_rank + _)%N]addnC.
  apply: bound; [by rewrite /K addn1| |by rewrite /D card_output_params].
  case=> [[h i]|p] /=; last by rewrite /K addn1 leqW // leq_addl.
  rewrite /K addn1 leqW // (leq_trans _ (leq_addr _ _)) // leq_mul2l; apply/orP; right.
  by apply: leq_sum => t _; rewrite (bigD1 i) //= leq_addr.
exists D, m; split=> // dh dv d' P y fit; have [U UP] := predict_heads P.
pose W h := WK P h *m (WQ P h)^T.
pose l h t := E t *m W h *m e t.
pose kappa h k : R := N%:R^-1 * (map_mx ratr B *m (mxvec (W h))^T) k 0.
have lE h t i : l h t i 0 = (l h t i0 0 - \sum_k A%:R * kappa h k) + \sum_k (a t i k)%:R * kappa h k.
  have -> : l h t i 0 = l h t i0 0 + \sum_k (z (t, i, k))%:~R * kappa h k.
    have -> : \sum_k (z (t, i, k))%:~R * kappa h k = (map_mx ratr (g t i *m B) *m (mxvec (W h))^T) 0 0.
      rewrite map_row_mul; apply: eq_bigr => k _.
      rewrite [g t i 0 k](zE (t, i, k)) fmorph_div /= ratr_int ratr_nat /kappa mulrA.
      by [].
    rewrite /g -XB map_mxvec map_mxM -!map_trmx mxvec_outer map_mxB !map_row !mulmxBl.
    have rl k : l h t k 0 = (row k (E t) *m W h *m e t) 0 0 by rewrite -!row_mul [RHS]mxE.
    have subE (M M' : 'M[R]_1) : (M - M') 0 0 = M 0 0 - M' 0 0 by rewrite !mxE.
    by rewrite !rl subE addrC subrK.
  rewrite -addrA; congr (_ + _); rewrite addrC -sumrB; apply: eq_bigr => k _.
  by rewrite -mulrBl [(a t i k)%:R]pmulrn aE rmorphD /= -pmulrn addrK.
pose Xo h (t : 'I_T) i o := (map_mx (@ratr R) (row i (X t)) *m U h) 0 o.
have -> : (fun j => y j.1 j.2 0) = (fun j => \sum_h \sum_i softmax (l h j.1) i 0 * Xo h j.1 i j.2).
  apply/funext => -[t o] /=; rewrite -fit UP summxE; apply: eq_bigr => h _.
  rewrite /head_z /alpha /keys /query mulmxA -trmx_mul mxE; apply: eq_bigr => i _.
  by rewrite mulrC /l /W !mulmxA /Xo map_row -row_mul !mxE.
apply: (mP l kappa _ Xo (fun h k o => (map_mx ratr L *m U h) k o)
  (fun h t o => (map_mx ratr (row i0 (X t)) *m U h) 0 o) (fun h k o => (map_mx ratr V *m U h) k o) lE) => h t i o.
  by rewrite /Xo XL map_row_mul; apply: eq_bigr => k _; rewrite mxE.
rewrite /Xo -{1}[row i (X t)](subrK (row i0 (X t))) addrC map_mxD mulmxDl mxE; congr (_ + _).
by rewrite {1}XV map_row_mul.
Qed.

(* some integer labels in a box are fitted by no weights                                                *)
Theorem unfittable_integer_labels H : (0 < H)%N ->
    (H * exponent_rank + dout * ((H - 1) * difference_rank + token_rank) < T * dout)%N ->
  exists y : 'I_T -> 'I_dout -> nat, forall dh dv do (P : weights R H d dh dv do dout),
    ~ memorizes E e P (fun t => \col_o (y t o)%:R).
Proof.
move=> H0 few; have [D [m [[p mp] mP]]] := fitted_labels_relation H0 few.
have [y y0] := point_off_zeros mp.
exists (fun t o => y (t, o)) => dh dv d' P /mP rel; case/negP: y0.
rewrite -(fmorph_eq0 [rmorphism of @ratr R]) -{}[X in _ == X]rel rmorph_sum; apply/eqP/eq_bigr => f _.
rewrite rmorphM rmorph_prod; congr (_ * _); apply: eq_bigr => -[t o] _.
by rewrite rmorphX /= ratr_nat mxE.
Qed.

(* exp of square roots of different primes are fitted by no weights                                     *)
Theorem unfittable_labels H (p : 'I_T * 'I_dout -> nat) : (0 < H)%N ->
    (H * exponent_rank + dout * ((H - 1) * difference_rank + token_rank) < T * dout)%N ->
    (forall j, prime (p j)) -> injective p -> lindemann_weierstrass R ->
  forall dh dv do (P : weights R H d dh dv do dout),
    ~ memorizes E e P (fun t => \col_o expR (Num.sqrt (p (t, o))%:R)).
Proof.
move=> H0 few pp inj_p lw dh dv d' P; have [D [m [[a ma] mP]]] := fitted_labels_relation H0 few.
move/mP => rel; case/negP: ma; apply/eqP; apply: (exp_sqrt_primes_independent lw pp inj_p) a.
by rewrite -[RHS]rel; apply: eq_bigr => f _; congr (_ * _); apply: eq_bigr => -[t o] _; rewrite mxE.
Qed.

End Labels.
