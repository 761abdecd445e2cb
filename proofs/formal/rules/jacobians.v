(* The proved checker, Jacobians: the derivatives of the outputs, computed.           *)
(*                                                                                    *)
(*   is_derive_mean == the derivative of a mean of numbers with softmax coefficients    *)
(*    is_derive_outputs == the outputs are differentiable, and their derivative          *)
From Attest Require Import integers attention literal_arithmetic problem logits jacobian.
From mathcomp Require Import classical_sets functions derive realfun.
Import numFieldNormedType.Exports.

(* -------------------------------------------------------------------------- *)
(* A mean                                                                      *)
(* -------------------------------------------------------------------------- *)
Section Mean.
Variables (R : realType) (n : nat).
Implicit Types (f : 'I_n -> R -> R) (l m y v : 'I_n -> R).

Lemma is_derive_fsum f (df : 'I_n -> R) (x : R) : (forall i, is_derive x 1 (f i) (df i)) ->
  is_derive x 1 (fun z => \sum_i f i z) (\sum_i df i).
Proof.
move=> fdf; rewrite (_ : (fun z => _) = \sum_i f i); first exact: is_derive_sum.
by apply/funext => z; rewrite fct_sumE.
Qed.

Lemma derive1_val (f : R -> R) (x df : R) : is_derive x 1 f df -> derive1 f x = df.
Proof. by move=> fdf; rewrite derive1E; case: fdf. Qed.

Lemma is_derive_line (a c x : R) : is_derive x 1 (fun z => a + z * c) c.
Proof.
rewrite (_ : (fun z => _) = cst a + id * cst c); last by apply/funext.
by apply: is_derive_eq; rewrite /GRing.scale /= mulr0 add0r add0r mulr1.
Qed.

Definition share l (i : 'I_n) : R := expR (l i) / \sum_j expR (l j).

Lemma share_softmax l i : share l i = softmax (\col_j l j) i 0.
Proof. by rewrite !mxE; congr (_ / _); apply: eq_bigr => j _; rewrite mxE. Qed.

Lemma sum_share l : (0 < n)%N -> \sum_i share l i = 1.
Proof.
by move=> n0; rewrite -(softmax_sum1 (\col_i l i) n0); apply: eq_bigr => i _; apply: share_softmax.
Qed.

Lemma is_derive_mean y v l m : (0 < n)%N ->
  is_derive (0 : R) 1 (fun x => \sum_i (y i + x * v i) * share (fun j => l j + x * m j) i)
    (\sum_i share l i * v i + \sum_i share l i * (y i - \sum_j share l j * y j) * m i).
Proof.
move=> n0; pose S x := \sum_j expR (l j + x * m j).
have S0 x : S x != 0.
  by have := @sum_expR_gt0 R n (\col_j (l j + x * m j)) n0; under eq_bigr do rewrite mxE; move/lt0r_neq0.
have l0 i : l i + 0 * m i = l i by rewrite mul0r addr0.
have dp i : is_derive (0 : R) 1 (fun x => expR (l i + x * m i)) (expR (l i) * m i).
  have dl := is_derive_line (l i) (m i) 0.
  have := @is_derive1_comp R expR (fun x => l i + x * m i) 0 _ _ (is_derive_expR _) dl.
  by rewrite l0.
have dS : is_derive (0 : R) 1 S (\sum_j expR (l j) * m j) by apply: is_derive_fsum.
have dV := is_deriveV (S0 0) dS.
rewrite -big_split /=.
have S0E : S 0 = \sum_j expR (l j) by apply: eq_bigr => j _; rewrite l0.
have -> : \sum_i (share l i * v i + share l i * (y i - \sum_j share l j * y j) * m i) =
    \sum_i (v i * share l i + y i * (share l i * m i - share l i * \sum_j share l j * m j)).
  rewrite !big_split /=; congr (_ + _); first by apply: eq_bigr => i _; rewrite mulrC.
  transitivity (\sum_i share l i * y i * m i - (\sum_j share l j * y j) * \sum_i share l i * m i).
    rewrite mulr_sumr -sumrB; apply: eq_bigr => i _.
    by rewrite mulrBr mulrBl; congr (_ - _); rewrite mulrA; congr (_ * _); exact: mulrC.
  rewrite mulr_suml -sumrB; apply: eq_bigr => i _.
  by rewrite mulrBr; congr (_ - _); rewrite mulrA; congr (_ * _); apply: mulrC.
apply: is_derive_fsum => i.
have dy := is_derive_line (y i) (v i) 0.
rewrite (_ : (fun x => _) = (fun x => y i + x * v i) * ((fun x => expR (l i + x * m i)) * (fun x => (S x)^-1))); last first.
  by apply/funext.
apply: is_derive_eq.
have -> : ((fun x => expR (l i + x * m i)) * (fun x => (S x)^-1)) 0 = expR (l i) / \sum_j expR (l j).
  by rewrite -S0E -[X in _ = expR X / _](l0 i).
rewrite /GRing.scale /= l0 S0E mul0r addr0.
have -> : \sum_j share l j * m j = (\sum_j expR (l j))^-1 * \sum_j expR (l j) * m j.
  by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite /share mulrCA mulrA.
rewrite /share; move: (S0 0); rewrite S0E; move: (\sum_j expR (l j)) (\sum_j expR (l j) * m j) => A B A0.
move: (expR (l i)) (y i) (v i) (m i) => P Y V M; rewrite exprSr expr1.
by field.
Qed.

End Mean.

(* -------------------------------------------------------------------------- *)
(* The outputs                                                                 *)
(* -------------------------------------------------------------------------- *)
Section Outputs.
Variables (R : realType) (D : problem) (m : nat) (s : R) (bK bQ : 'I_(H D) -> 'cV[R]_m).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation d_out := (d_out D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation parameter := (parameter D m).
Hypothesis n0 : (0 < n)%N.
Implicit Type w : parameter -> R.

(* coefficients, values of the tokens, and how they move with the parameter k      *)
Definition one_at (k : parameter) : parameter -> R := fun k' => (k' == k)%:R.
Definition coef w t h : 'I_n -> R := share (fun i => s * logits_at bK bQ w t h i 0).
Definition value_at w (t : 'I_T) h o (i : 'I_n) : R := (E t *m readout_of w h) i o.
Definition motion w t h (k : parameter) (i : 'I_n) : R :=
  (((E t *m key_of w h + const_mx 1 *m (bK h)^T) *m ((query_of (one_at k) h)^T *m e t)) +
    (E t *m key_of (one_at k) h) *m ((query_of w h)^T *m e t + bQ h)) i 0.
Definition deviation w t h o (i : 'I_n) : R :=
  coef w t h i * (value_at w t h o i - \sum_j coef w t h j * value_at w t h o j).

Lemma sum_coef w t h : \sum_i coef w t h i = 1. Proof. exact: sum_share. Qed.

Lemma sum_deviation w t h o : \sum_i deviation w t h o i = 0.
Proof.
under eq_bigr do rewrite /deviation mulrBr; rewrite sumrB -mulr_suml sum_coef mul1r; exact: subrr.
Qed.

Lemma key_moved w k x h : key_of (moved w k x) h = key_of w h + x *: key_of (one_at k) h.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma query_moved w k x h : query_of (moved w k x) h = query_of w h + x *: query_of (one_at k) h.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma readout_moved w k x h : readout_of (moved w k x) h = readout_of w h + x *: readout_of (one_at k) h.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.

Lemma one_of_both k h : key_of (one_at k) h = 0 \/ query_of (one_at k) h = 0.
Proof.
by case: k => h' [[[j l]|[j l]]|[j o]]; [right|left|left]; apply/matrixP => i c; rewrite !mxE /one_at;
  case: eqP => // -[].
Qed.

Lemma logits_moved w k x t h i :
  logits_at bK bQ (moved w k x) t h i 0 = logits_at bK bQ w t h i 0 + x * motion w t h k i.
Proof.
rewrite /logits_at /motion key_moved query_moved; set K := key_of w h; set Q := query_of w h.
set dK := key_of _ h; set dQ := query_of _ h; set B := const_mx 1 *m _.
have dKQ : (E t *m dK) *m (dQ^T *m e t) = 0.
  by rewrite /dK /dQ; case: (one_of_both k h) => ->; rewrite ?trmx0 ?mul0mx ?mulmx0 ?mul0mx.
suff -> : (E t *m (K + x *: dK) + B) *m ((Q + x *: dQ)^T *m e t + bQ h) =
    (E t *m K + B) *m (Q^T *m e t + bQ h) +
    x *: ((E t *m K + B) *m (dQ^T *m e t) + (E t *m dK) *m (Q^T *m e t + bQ h)).
  by rewrite mxE [X in _ + X]mxE.
have -> : (Q + x *: dQ)^T = Q^T + x *: dQ^T by apply/matrixP => i' j'; rewrite !mxE.
have -> : E t *m (K + x *: dK) + B = (E t *m K + B) + x *: (E t *m dK) by rewrite mulmxDr -scalemxAr addrAC.
have -> : (Q^T + x *: dQ^T) *m e t + bQ h = (Q^T *m e t + bQ h) + x *: (dQ^T *m e t).
  by rewrite mulmxDl -scalemxAl addrAC.
move: dKQ; move: (E t *m dK) (dQ^T *m e t) (E t *m K + B) (Q^T *m e t + bQ h) => A v C u Av.
by rewrite mulmxDl !mulmxDr -!scalemxAl -!scalemxAr Av !scaler0 addr0 scalerDr addrA.
Qed.

Lemma outputsE w t o : outputs s bK bQ w t o 0 = \sum_h \sum_i value_at w t h o i * coef w t h i.
Proof.
rewrite /outputs summxE; apply: eq_bigr => h _; rewrite mulmxA -trmx_mul mxE; apply: eq_bigr => i _.
rewrite mxE; congr (_ * _); rewrite mxE /coef /share mxE; congr (_ / _).
by apply: eq_bigr => j _; rewrite mxE.
Qed.

Theorem is_derive_outputs w t o k :
  is_derive (0 : R) 1 (fun x => outputs s bK bQ (moved w k x) t o 0)
    (\sum_h (\sum_i coef w t h i * (E t *m readout_of (one_at k) h) i o
      + s * \sum_i deviation w t h o i * motion w t h k i)).
Proof.
rewrite (_ : (fun x => _) = fun x => \sum_h \sum_i (value_at w t h o i + x * (E t *m readout_of (one_at k) h) i o) *
    share (fun j => s * logits_at bK bQ w t h j 0 + x * (s * motion w t h k j)) i); last first.
  apply/funext => x; rewrite outputsE; apply: eq_bigr => h _; apply: eq_bigr => i _; congr (_ * _).
    by rewrite /value_at readout_moved mulmxDr -scalemxAr mxE [X in _ + X]mxE.
  rewrite /coef; apply: (congr1 (@share R n ^~ i)); apply/funext => j.
  by rewrite logits_moved mulrDr [s * (x * _)]mulrCA.
apply: is_derive_fsum => h; rewrite mulr_sumr.
have := @is_derive_mean R n (value_at w t h o) (fun i => (E t *m readout_of (one_at k) h) i o)
  (fun j => s * logits_at bK bQ w t h j 0) (fun j => s * motion w t h k j) n0.
congr (is_derive _ _ _ (_ + _)); apply: eq_bigr => i _.
by rewrite /deviation /coef mulrCA.
Qed.

Lemma partialE w t o k : partial s bK bQ w t o k =
  \sum_h (\sum_i coef w t h i * (E t *m readout_of (one_at k) h) i o
    + s * \sum_i deviation w t h o i * motion w t h k i).
Proof. exact: (derive1_val (is_derive_outputs w t o k)). Qed.

(* -------------------------------------------------------------------------- *)
(* One parameter                                                               *)
(* -------------------------------------------------------------------------- *)
(* C = sum_i alpha_i (y_i - sum_k alpha_k y_k) x_i                                *)
Definition covariance w t h o (j : 'I_d) : R := \sum_i deviation w t h o i * E t i j.
Definition projected_query w t h (l : 'I_m) : R := ((query_of w h)^T *m e t + bQ h) l 0.

(* the derivative by a parameter, without the factor s of keys and queries         *)
Definition slope w t o (k : parameter) : R :=
  match k.2 with
  | inl (inl (j, l)) => covariance w t k.1 o j * projected_query w t k.1 l
  | inl (inr (j, l)) => e t j 0 * \sum_r key_of w k.1 r l * covariance w t k.1 o r
  | inr (j, o') => if o' == o then \sum_i coef w t k.1 i * E t i j else 0
  end.

Lemma unit_key h j l h' : key_of (one_at (h, inl (inl (j, l))) : parameter -> R) h' = (h' == h)%:R *: delta_mx j l.
Proof.
by apply/matrixP => a b; rewrite !mxE /one_at -natrM mulnb xpair_eqE; congr (_ && _)%:R.
Qed.
Lemma unit_query h j l h' : query_of (one_at (h, inl (inr (j, l))) : parameter -> R) h' = (h' == h)%:R *: delta_mx j l.
Proof.
by apply/matrixP => a b; rewrite !mxE /one_at -natrM mulnb xpair_eqE; congr (_ && _)%:R.
Qed.
Lemma unit_readout h j o h' : readout_of (one_at (h, inr (j, o)) : parameter -> R) h' = (h' == h)%:R *: delta_mx j o.
Proof.
by apply/matrixP => a b; rewrite !mxE /one_at -natrM mulnb xpair_eqE; congr (_ && _)%:R.
Qed.
Lemma unit_key0 h x h' : key_of (one_at ((h, x) : parameter)) h' = 0 \/ exists j l, x = inl (inl (j, l)).
Proof.
by case: x => [[[j l]|x]|x]; [by right; exists j, l|left|left]; apply/matrixP => a b; rewrite !mxE /one_at; case: eqP => // -[].
Qed.
Lemma unit_query0 h x h' : query_of (one_at ((h, x) : parameter)) h' = 0 \/ exists j l, x = inl (inr (j, l)).
Proof.
by case: x => [[x|[j l]]|x]; [left|by right; exists j, l|left]; apply/matrixP => a b; rewrite !mxE /one_at; case: eqP => // -[].
Qed.
Lemma unit_readout0 h x h' : readout_of (one_at ((h, x) : parameter)) h' = 0 \/ exists j o, x = inr (j, o).
Proof.
by case: x => [x|[j o]]; [left|by right; exists j, o]; apply/matrixP => a b; rewrite !mxE /one_at; case: eqP => // -[].
Qed.

Lemma mul_delta_col k (A : 'M[R]_(n, d)) (j : 'I_d) (l : 'I_k) i b : (A *m delta_mx j l) i b = A i j * (b == l)%:R.
Proof.
rewrite mxE (bigD1 j) //= big1 ?addr0 => [|r rj]; first by rewrite mxE eqxx.
by rewrite mxE (negPf rj) mulr0.
Qed.

Lemma mul_delta_row k (v : 'cV[R]_d) (j : 'I_d) (l : 'I_k) : (delta_mx j l)^T *m v = v j 0 *: delta_mx l 0.
Proof.
rewrite trmx_delta; apply/matrixP => a b; rewrite mxE (bigD1 j) //= big1 ?addr0 => [|r rj].
  by rewrite !mxE eqxx andbT (ord1 b) eqxx andbT mulrC.
by rewrite mxE (negPf rj) andbF mul0r.
Qed.

Lemma one_head (h : 'I_H) (F : 'I_H -> R) : (forall h', h' != h -> F h' = 0) -> \sum_h' F h' = F h.
Proof. by move=> F0; rewrite (bigD1 h) //= big1 ?addr0. Qed.

Theorem partial_slope w t o (k : parameter) :
  partial s bK bQ w t o k = (if k.2 is inl _ then s else 1) * slope w t o k.
Proof.
rewrite partialE // /slope; case: k => h x /=.
have no_read : (forall h', readout_of (one_at ((h, x) : parameter)) h' = 0) ->
    forall h', \sum_i coef w t h' i * (E t *m readout_of (one_at (h, x)) h') i o = 0.
  by move=> r0 h'; rewrite big1 // => i _; rewrite r0 mulmx0 mxE mulr0.
case: x no_read => [[[j l]|[j l]]|[j o']] no_read.
- have r0 h' : readout_of (one_at ((h, inl (inl (j, l))) : parameter)) h' = 0.
    by case: (unit_readout0 h (inl (inl (j, l))) h') => // -[? [? //]].
  have q0 h' : query_of (one_at ((h, inl (inl (j, l))) : parameter)) h' = 0.
    by case: (unit_query0 h (inl (inl (j, l))) h') => // -[? [? //]].
  under eq_bigr do rewrite no_read // add0r; rewrite -mulr_sumr; congr (_ * _).
  have mE h' i : motion w t h' (h, inl (inl (j, l))) i = (h' == h)%:R * (E t i j * projected_query w t h' l).
    rewrite /motion q0 trmx0 mul0mx mulmx0 mxE [X in X + _]mxE add0r unit_key -scalemxAr -scalemxAl mxE; congr (_ * _).
    rewrite mxE (bigD1 l) //= big1 ?addr0 => [|r rl]; first by rewrite mul_delta_col eqxx mulr1.
    by rewrite mul_delta_col (negPf rl) mulr0 mul0r.
  rewrite (one_head (h := h)) => [|h' /negPf h'h]; last by rewrite big1 // => i _; rewrite mE h'h mul0r mulr0.
  by rewrite /covariance mulr_suml; apply: eq_bigr => i _; rewrite mE eqxx mul1r mulrA.
- have r0 h' : readout_of (one_at ((h, inl (inr (j, l))) : parameter)) h' = 0.
    by case: (unit_readout0 h (inl (inr (j, l))) h') => // -[? [? //]].
  have k0 h' : key_of (one_at ((h, inl (inr (j, l))) : parameter)) h' = 0.
    by case: (unit_key0 h (inl (inr (j, l))) h') => // -[? [? //]].
  under eq_bigr do rewrite no_read // add0r; rewrite -mulr_sumr; congr (_ * _).
  have mE h' i : motion w t h' (h, inl (inr (j, l))) i =
      (h' == h)%:R * (e t j 0 * (\sum_r E t i r * key_of w h' r l + bK h' l 0)).
    rewrite /motion k0 mulmx0 mul0mx mxE [X in _ + X]mxE addr0 unit_query linearZ /= -scalemxAl -scalemxAr mxE; congr (_ * _).
    rewrite mul_delta_row -scalemxAr mxE; congr (_ * _); rewrite mxE (bigD1 l) //= big1 ?addr0 => [|r rl].
      rewrite [delta_mx _ _ _ _]mxE !eqxx mulr1 mxE [in X in X + _]mxE; congr (_ + _).
      by rewrite mxE big_ord1 !mxE mul1r.
    by rewrite [delta_mx _ _ _ _]mxE (negPf rl) mulr0.
  rewrite (one_head (h := h)) => [|h' /negPf h'h]; last by rewrite big1 // => i _; rewrite mE h'h mul0r mulr0.
  under eq_bigr do rewrite mE eqxx mul1r mulrCA mulrDr; rewrite -mulr_sumr; congr (_ * _).
  rewrite big_split /= -mulr_suml sum_deviation // mul0r addr0.
  under eq_bigr do rewrite mulr_sumr; rewrite exchange_big /=; apply: eq_bigr => r _.
  rewrite /covariance mulr_sumr; apply: eq_bigr => i _.
  by rewrite [RHS]mulrC -[RHS]mulrA.
have k0 h' : key_of (one_at ((h, inr (j, o')) : parameter)) h' = 0.
  by case: (unit_key0 h (inr (j, o')) h') => // -[? [? //]].
have q0 h' : query_of (one_at ((h, inr (j, o')) : parameter)) h' = 0.
  by case: (unit_query0 h (inr (j, o')) h') => // -[? [? //]].
have mE h' i : motion w t h' (h, inr (j, o')) i = 0.
  by rewrite /motion k0 q0 trmx0 mul0mx mulmx0 mulmx0 mul0mx addr0 mxE.
have -> : forall F : 'I_H -> R, \sum_h' (F h' + s * \sum_i deviation w t h' o i * motion w t h' (h, inr (j, o')) i) = \sum_h' F h'.
  move=> F; apply: eq_bigr => h' _; rewrite big1 ?mulr0 ?addr0 // => i _; by rewrite mE mulr0.
have rE h' i : (E t *m readout_of (one_at ((h, inr (j, o')) : parameter)) h') i o = (h' == h)%:R * (E t i j * (o == o')%:R).
  by rewrite unit_readout -scalemxAr mxE mul_delta_col.
rewrite mul1r (one_head (h := h)) => [|h' /negPf h'h]; last by rewrite big1 // => i _; rewrite rE h'h mul0r mulr0.
under eq_bigr do rewrite rE eqxx mul1r; rewrite eq_sym; case: eqP => _; first by apply: eq_bigr => i _; rewrite mulr1.
by rewrite big1 // => i _; rewrite !mulr0.
Qed.

(* the matrix of slopes, which has the rank of the Jacobian                        *)
Definition slopes (both : bool) w : 'M[R]_(#|{: 'I_T * 'I_d_out}|, #|parameter|) :=
  \matrix_(i, k) if both || ~~ of_query (enum_val k)
                 then slope w (enum_val i).1 (enum_val i).2 (enum_val k) else 0.

Lemma rank_slopes both w : s != 0 -> (\rank (slopes both w) <= \rank (derivatives s bK bQ both w))%N.
Proof.
move=> s0; suff -> : slopes both w = derivatives s bK bQ both w *m
    diag_mx (\row_k if (enum_val k : parameter).2 is inl _ then s^-1 else 1) by apply: mxrankM_maxl.
apply/matrixP => i k; rewrite mul_mx_diag !mxE; case: ifP => _; last by rewrite mul0r.
by rewrite partial_slope; case: (enum_val k).2 => [x|x]; rewrite ?mul1r ?mulr1 // mulrAC divff ?mul1r.
Qed.

End Outputs.
