(* The proved checker, Jacobians: the derivatives of the outputs, and lower bounds of rank(J) by              *)
(* minors.                                                                                                    *)
(*                                                                                                            *)
(*      is_derive_mean == the derivative of a mean of numbers with softmax coefficients                       *)
(*   is_derive_outputs == the outputs are differentiable, and their derivative                                *)
(*          over p q r == the numbers r / q modulo p;   dots p M u == the products of rows                    *)
(*             J_entry == an entry of a key, of a query or of a read-out                                      *)
(*         row_mod ... == what the row of output o of example t is made of, for a head                        *)
(*   minor_J_ok D L a u p g o rows cols == the check; rows are pairs (example, output), cols are pairs (head, *)
(*                        J_entry)                                                                            *)
(*        minor_J_rank == the check bounds rank(J) from below                                                 *)
From Attest Require Import integers.
From mathcomp Require Import classical_sets functions derive realfun.
From Attest Require Import attention upper_bounds problem literal_arithmetic logits transcendence residues.
From Attest Require Import elimination quantities minors.
Import numFieldNormedType.Exports.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Derivatives                                                                  *)
(* ============================================================================ *)

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

(* ============================================================================ *)
(* Minors                                                                       *)
(* ============================================================================ *)
(* A minor of J whose residues under a character are independent.               *)

Inductive J_entry := KeyEntry (j k : nat) | QueryEntry (j k : nat) | ReadEntry (j o : nat).

Definition invertible (p : Z) (q : positive) : bool := isSome (invmod p (Zpos q)).
Definition over (p : Z) (q : positive) (r : seq Z) : seq Z :=
  if invmod p (Zpos q) is Some v then [seq ((x * v) mod p)%coqZ | x <- r] else [::].
Definition dots (p : Z) (M : seq (seq Z)) (u : seq Z) : seq Z := [seq (dot r u mod p)%coqZ | r <- M].

(* columns of the read-outs, by head and output                                   *)
Definition readouts_mod (D : problem) (p : Z) (u : option (seq (seq Z))) : seq (seq (seq Z)) :=
  let by_output f := [seq f o | o <- iota 0 (d_out D)] in
  match u, around D with
  | Some U, _ => [seq by_output (fun o => over p 1 (col o (take (d D) (drop (h * d D) U)))) | h <- iota 0 (H D)]
  | None, Some w =>
    let last := by_output (fun o => over p (q_readout w) (col o (readout_weights w))) in
    [seq let V := [seq over p (q_value w) r | r <- nth [::] (value_weights w) h] in
         let O := [seq over p (q_output w) r | r <- nth [::] (output_weights w) h] in
         [seq dots p V (dots p O c) | c <- last] | h <- iota 0 (H D)]
  | None, None => [::]
  end.

Definition readouts_ok (D : problem) (p : Z) (u : option (seq (seq Z))) : bool :=
  match u, around D with
  | Some U, _ => invertible p 1
  | None, Some w => [&& invertible p (q_value w), invertible p (q_output w), invertible p (q_readout w),
      all (all (fun r => size r <= value_width w)%N) (value_weights w) &
      all (all (fun r => size r <= output_width w)%N) (output_weights w)]
  | None, None => true
  end.

(* a head: its logits, columns of keys and queries, and the query bias; none for combined weights *)
Record head_mod := HeadMod {
  logits_of : literal_head; key_columns : seq (seq Z); query_columns : seq (seq Z); query_bias_mod : seq Z;
  readout_columns : seq (seq Z) }.

Definition head_mod_of (L : layer) (p : Z) (U : seq (seq (seq Z))) (h : nat) : head_mod :=
  match L with
  | Factors m qk K qq Q _ _ qqb bQ =>
    HeadMod (prepare L h) [seq over p qk c | c <- columns m (nth [::] K h)]
      [seq over p qq c | c <- columns m (nth [::] Q h)] (over p qqb (nth [::] bQ h)) (nth [::] U h)
  | _ => HeadMod (prepare L h) [::] [::] [::] (nth [::] U h)
  end.
Definition heads_mod (D : problem) (L : layer) (p : Z) (u : option (seq (seq Z))) : seq head_mod :=
  let U := readouts_mod D p u in [seq head_mod_of L p U h | h <- iota 0 (H D)].

(* C, K^T C, z, what multiplies C in the derivative by a key, and the query         *)
Record parts_of_row := HeadRow {
  row_c : seq Z; row_kc : seq Z; row_z : seq Z; row_projected : seq Z; row_query : seq Z }.

Definition row_mod (D : problem) (L : layer) (a : bool) (p g o : Z) (t out : nat) (h : head_mod) : option parts_of_row :=
  let X := [seq over p (q_contexts D) r | r <- context_at D t] in
  let q := over p (q_queries D) (nth [::] (queries D) t) in
  let powers := [seq root_power p g o x | x <- exponents D L a (logits_of h) t] in
  match invmod p (sum_mod p powers) with
  | None => None
  | Some v =>
    let alpha := [seq ((x * v) mod p)%coqZ | x <- powers] in
    let y := dots p X (nth [::] (readout_columns h) out) in
    let mean := (dot alpha y mod p)%coqZ in
    let C := wsum p [seq ((x.1 * (x.2 - mean)) mod p)%coqZ | x <- zip alpha y] X in
    let projected := if L is Factors _ _ _ _ _ _ _ _ _ then add_bias 1 (dots p (query_columns h) q) (query_bias_mod h) else q in
    Some (HeadRow C (dots p (key_columns h) C) (wsum p alpha X) projected q)
  end.

Definition entry_mod (p : Z) (out : nat) (rs : seq parts_of_row) (c : nat * J_entry) : Z :=
  let r := nth (HeadRow [::] [::] [::] [::] [::]) rs c.1 in
  match c.2 with
  | KeyEntry j k => (nth 0 (row_c r) j * nth 0 (row_projected r) k mod p)%coqZ
  | QueryEntry j k => (nth 0 (row_query r) j * nth 0 (row_kc r) k mod p)%coqZ
  | ReadEntry j o => if o == out then nth 0%coqZ (row_z r) j else 0%coqZ
  end.

Definition entries_mod (D : problem) (L : layer) (a : bool) (p g o : Z) (hs : seq head_mod) (cols : seq (nat * J_entry))
    (x : nat * nat) : option (seq Z) :=
  if all_some (row_mod D L a p g o x.1 x.2) hs is Some rs then Some [seq entry_mod p x.2 rs c | c <- cols] else None.

Definition key_width (D : problem) (L : layer) : nat := if L is Factors m _ _ _ _ _ _ _ _ then m else d D.

Definition entry_ok (D : problem) (L : layer) (c : nat * J_entry) : bool :=
  (c.1 < H D)%N && match c.2 with
  | KeyEntry j k => (j < d D)%N && (k < key_width D L)%N
  | QueryEntry j k => if L is Factors m _ _ _ _ _ _ _ _ then (j < d D)%N && (k < m)%N else false
  | ReadEntry j o => (j < d D)%N && (o < d_out D)%N
  end.

Definition scale_ok (D : problem) (a : bool) : bool :=
  a || if logit_scale D is Rational x _ then negb (x =? 0)%coqZ else true.

Definition factors_ok (D : problem) (L : layer) (p : Z) : bool :=
  match L with
  | Factors _ qk K qq Q _ _ qqb _ => [&& invertible p qk, invertible p qq, invertible p qqb,
      all (fun M => size M <= d D)%N K & all (fun M => size M <= d D)%N Q]
  | Combined _ _ => true
  | Projected _ => false
  end.

Definition minor_J_ok (D : problem) (L : layer) (a : bool) (u : option (seq (seq Z))) (p g o : Z)
    (rows : seq (nat * nat)) (cols : seq (nat * J_entry)) : bool :=
  [&& [&& wf_problem D, wf_layer D L, (1 <? p)%coqZ, order_ok p g o & residue_ok D L a p g],
    [&& scale_ok D a, invertible p (q_contexts D), invertible p (q_queries D), readouts_ok D p u & factors_ok D L p],
    all (fun x => (x.1 < T D) && (x.2 < d_out D))%N rows, all (entry_ok D L) cols &
    if all_some (entries_mod D L a p g o (heads_mod D L p u) cols) rows is Some M then free_mod p (size cols) M else false].

(* -------------------------------------------------------------------------- *)
(* Residues of lists                                                           *)
(* -------------------------------------------------------------------------- *)
Section Lists.
Variables (R : realType) (p : Z) (b : R) (g : Z).
Hypotheses (p1 : (1 < p)%coqZ) (bg : place p b g).
Local Notation red := (red p b g).

Lemma red0 : red 0 0%coqZ. Proof. by have := red_int p b g 0; rewrite rmorph0. Qed.

Lemma red_over q r : invertible p q -> red_row p b g (fun j => toF R (nth 0%coqZ r j) / toF R (Zpos q)) (over p q r).
Proof.
rewrite /invertible /over; case I: (invmod _ _) => [v|] // _ j.
have iv : red (toF R (Zpos q))^-1 v by apply: (red_invmod p1 bg (red_int p b g _) I).
have [jr|rj] := ltnP j (size r); last first.
  by rewrite !nth_default ?size_map // toF0 mul0r; apply: red0.
by rewrite (nth_map 0%coqZ) //; apply: (red_mod p1); apply: red_mul iv; apply: red_int.
Qed.

Lemma size_over q r : (size (over p q r) <= size r)%N.
Proof. by rewrite /over; case: invmod => [v|]; rewrite ?size_map. Qed.

Lemma nth_dots M u i : nth 0%coqZ (dots p M u) i = (dot (nth [::] M i) u mod p)%coqZ.
Proof.
have [iM|Mi] := ltnP i (size M); first by rewrite (nth_map [::]).
by rewrite !nth_default ?size_map.
Qed.

Lemma red_dot k (x y : 'I_k -> R) r u : (size r <= k)%N ->
    (forall j : 'I_k, red (x j) (nth 0%coqZ r j)) -> (forall j : 'I_k, red (y j) (nth 0%coqZ u j)) ->
  red (\sum_j x j * y j) (dot r u mod p)%coqZ.
Proof.
move=> rk xr yu; apply: (red_mod p1); rewrite (dotE _ rk).
by apply: red_sum => j _; apply: red_mul.
Qed.

Lemma red_over_ent q M i j : invertible p q ->
  red (toF R (ent M i j) / toF R (Zpos q)) (nth 0%coqZ (nth [::] [seq over p q r | r <- M] i) j).
Proof.
move=> iq; have [iM|Mi] := ltnP i (size M); first by rewrite (nth_map [::]) //; apply: red_over.
by rewrite /ent ![nth [::] _ i]nth_default ?size_map // !nth_nil toF0 mul0r; apply: red0.
Qed.

Lemma size_over_nth q k M i : all (fun r => size r <= k)%N M -> (size (nth [::] [seq over p q r | r <- M] i) <= k)%N.
Proof.
move=> sM; have [iM|Mi] := ltnP i (size M); last by rewrite nth_default ?size_map.
by rewrite (nth_map [::]) //; apply: leq_trans (size_over _ _) _; apply: (all_nthP [::] sM).
Qed.

Lemma ent_columns m M i l : (l < m)%N -> ent (columns m M) l i = ent M i l.
Proof. by move=> lm; rewrite {1}/ent (nth_map 0%N) ?size_iota // nth_iota // add0n nth_col. Qed.

End Lists.

(* -------------------------------------------------------------------------- *)
(* The minor                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Minor.
Variables (R : realType) (D : problem) (L : layer) (a : bool) (u : option (seq (seq Z))) (p g o : Z).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation d_out := (d_out D).
Hypotheses (okD : wf_problem D) (okL : wf_layer D L) (p1 : (1 < p)%coqZ) (og : order_ok p g o).
Let b : R := expR (kappa R D L a).
Hypothesis bg : place p b g.
Hypotheses (ix : invertible p (q_contexts D)) (ie : invertible p (q_queries D)).
Hypotheses (okU : readouts_ok D p u) (okW : factors_ok D L p).
Local Notation red := (red p b g).
Let n0 : (0 < n)%N := n_gt0 okD.
Let s := factor R D a.

Lemma red_readout (h : 'I_H) (out : 'I_d_out) (j : 'I_d) :
  red (given_readout R D u h j out) (nth 0%coqZ (nth [::] (nth [::] (readouts_mod D p u) h) out) j).
Proof.
move: okU; rewrite /given_readout /readouts_mod /readouts_ok; case: u => [U|]; last case: (around D) => [w|]; last first.
- by rewrite !nth_nil mxE => _; apply: red0.
- move=> /and5P[iV iO iR sV sO]; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n -map_comp.
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n /= nth_dots mxE.
  apply: (red_dot p1) => [|v|v].
  + by apply: size_over_nth; apply: (all_nth_nil (P := all (fun r : seq Z => size r <= _)%N)).
  + by rewrite mxE; apply: red_over_ent.
  rewrite nth_dots mxE; apply: (red_dot p1) => [|k|k].
  + by apply: size_over_nth; apply: (all_nth_nil (P := all (fun r : seq Z => size r <= _)%N)).
  + by rewrite mxE; apply: red_over_ent.
  by have := red_over p1 bg (col out (readout_weights w)) iR k; rewrite nth_col mxE.
move=> i1; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
have := red_over p1 bg (col out (take d (drop (h * d) U))) i1 j.
by rewrite nth_col /ent nth_take // nth_drop toF1 divr1 mxE.
Qed.

Lemma row_query_mod (t : 'I_T) (h out : nat) r : row_mod D L a p g o t out (head_mod_of L p (readouts_mod D p u) h) = Some r ->
  row_projected r = (if L is Factors _ _ _ _ _ _ _ _ _ then
    add_bias 1 (dots p (query_columns (head_mod_of L p (readouts_mod D p u) h)) (row_query r))
      (query_bias_mod (head_mod_of L p (readouts_mod D p u) h))
    else row_query r) /\ forall j : 'I_d, red (e R D t j 0) (nth 0%coqZ (row_query r) j).
Proof.
rewrite /row_mod; case: (invmod _ _) => [v|] // -[<-] /=; split=> // j.
have -> : e R D t j 0 = toF R (ent (queries D) t j) / toF R (Zpos (q_queries D)) by rewrite !mxE.
exact: (red_over p1 bg (nth [::] (queries D) t) ie j).
Qed.

(* a layer with factors, or a combined one                                        *)
Section Layer.
Variables (m : nat) (bK bQ : 'I_H -> 'cV[R]_m) (w : parameter D m -> R) (both : bool).
Local Notation coef := (coef s bK bQ w).
Local Notation covariance := (covariance s bK bQ w).
Hypothesis logitsE : forall t h, logits_at bK bQ w t h = logits R L t h.
Hypothesis readoutE : forall h, readout_of w h = given_readout R D u h.

Let U := readouts_mod D p u.

Lemma coefE (t : 'I_T) (h : 'I_H) (i : 'I_n) : let l := exponents D L a (prepare L h) t in
  coef t h i = b ^ int_of_Z (nth 0%coqZ l i) / \sum_(j < n) b ^ int_of_Z (nth 0%coqZ l j).
Proof.
move=> l; rewrite /jacobians.coef share_softmax.
have -> : \col_j (s * logits_at bK bQ w t h j 0) = s *: logits R L t h by apply/colP => j; rewrite [LHS]mxE [RHS]mxE logitsE.
rewrite softmax_logits mxE; congr (_ / _); first exact: expR_exponents.
by apply: eq_bigr => j _; apply: expR_exponents.
Qed.

Lemma red_row_mod (t : 'I_T) (h : 'I_H) (out : 'I_d_out) r :
    row_mod D L a p g o t out (head_mod_of L p U h) = Some r ->
  [/\ forall j, red (covariance t h out j) (nth 0%coqZ (row_c r) j),
    forall j : 'I_d, red (\sum_i coef t h i * E R D t i j) (nth 0%coqZ (row_z r) j) &
    row_kc r = dots p (key_columns (head_mod_of L p U h)) (row_c r)].
Proof.
rewrite /row_mod; have -> : logits_of (head_mod_of L p U h) = prepare L h by case: (L).
have -> : readout_columns (head_mod_of L p U h) = nth [::] U h by case: (L).
set X := [seq over _ _ _ | _ <- _]; set q := over _ _ (nth _ _ _); set l := exponents _ _ _ _ _.
set c := nth [::] (nth [::] U h) out; set ps := [seq root_power _ _ _ _ | _ <- _].
case I: (invmod _ _) => [v|] //.
set al := [seq (x * v mod p)%coqZ | x <- ps]; set y := dots p X c; set mean := (dot al y mod p)%coqZ.
set dv := [seq _ | x <- zip al y] => -[<-] /=.
have sl : size l = n by apply: size_exponents.
have sp : size ps = n by rewrite size_map.
have sa : size al = n by rewrite size_map.
have sX : size X = n by rewrite size_map size_context.
have sy : size y = n by rewrite size_map.
have sd : size dv = n by rewrite size_map size_zip sa sy minnn.
pose P (i : nat) := b ^ int_of_Z (nth 0%coqZ l i).
have Pr i : (i < size ps)%N -> red (P i) (nth 0%coqZ ps i).
  by rewrite size_map => il; rewrite (nth_map 0%coqZ) //; apply: (red_power p1 bg og).
have rv := red_invmod p1 bg (red_sum_mod p1 (W := P) Pr) I; rewrite sp in rv.
pose A (i : nat) := P i / \sum_(j < n) P j.
have Ar i : (i < size al)%N -> red (A i) (nth 0%coqZ al i).
  rewrite sa -sp => ip; rewrite (nth_map 0%coqZ) //; apply: (red_mod p1); exact: red_mul (Pr i ip) rv.
have AE (i : 'I_n) : coef t h i = A i by rewrite coefE.
pose x (i j : nat) := toF R (ent (context_at D t) i j) / toF R (Zpos (q_contexts D)).
have xE (i : 'I_n) (j : 'I_d) : E R D t i j = x i j by rewrite mxE.
have Xr i : (i < n)%N -> red_row p b g (x i) (nth [::] X i).
  by move=> iX; rewrite (nth_map [::]) ?size_context //; apply: red_over.
have cr (j : 'I_d) : red (readout_of w h j out) (nth 0%coqZ c j) by rewrite readoutE; apply: red_readout.
pose Y (i : nat) := \sum_(j < d) x i j * readout_of w h j out.
have YE (i : 'I_n) : value_at w t h out i = Y i by rewrite /value_at mxE; apply: eq_bigr => j _; rewrite xE.
have Yr i : (i < n)%N -> red (Y i) (nth 0%coqZ y i).
  move=> iX; rewrite nth_dots; apply: (red_dot p1) => // [|j]; last exact: Xr.
  by rewrite (nth_map [::]) ?size_context //; apply: leq_trans (size_over _ _ _) (size_token okD t i).
pose M := \sum_(i < n) A i * Y i.
have Mr : red M mean.
  by apply: (red_dot p1) => [|i|i]; [rewrite sa|apply: Ar; rewrite sa|apply: Yr].
pose V (i : nat) := A i * (Y i - M).
have Vr i : (i < size dv)%N -> red (V i) (nth 0%coqZ dv i).
  rewrite sd => id; rewrite (nth_map (0, 0)%coqZ) ?size_zip ?sa ?sy ?minnn // nth_zip ?sa ?sy //=.
  apply: (red_mod p1); apply: red_mul; first by apply: Ar; rewrite sa.
  by apply: red_sub Mr; apply: Yr.
have VE (i : 'I_n) : deviation s bK bQ w t h out i = V i.
  rewrite /deviation AE YE /V /M; congr (_ * (_ - _)); by apply: eq_bigr => j _; rewrite AE YE.
split=> // j.
- have := red_wsum p1 (b := b) (g := g) (W := V) (X := x) (w := dv) (E := X).
  rewrite sd in Vr *; rewrite sX => /(_ erefl Vr Xr j).
  by rewrite /jacobians.covariance; under eq_bigr do rewrite VE xE.
have := red_wsum p1 (b := b) (g := g) (W := A) (X := x) (w := al) (E := X).
rewrite sa in Ar *; rewrite sX => /(_ erefl Ar Xr j).
by under eq_bigr do rewrite AE xE.
Qed.

Hypothesis keyE : both -> forall (h : 'I_H) l (r : 'I_d), red (key_of w h r l)
  (nth 0%coqZ (nth [::] (key_columns (head_mod_of L p U h)) l) r).
Hypothesis key_size : forall h l, (size (nth [::] (key_columns (head_mod_of L p U h)) l) <= d)%N.
Hypothesis projectedE : forall (t : 'I_T) (h : 'I_H) out (l : 'I_m) r, row_mod D L a p g o t out (head_mod_of L p U h) = Some r ->
  red (projected_query bQ w t h l) (nth 0%coqZ (row_projected r) l).

(* the parameter of a column                                                      *)
Definition names (c : nat * J_entry) (k : parameter D m) : Prop :=
  (k.1 = c.1 :> nat) /\ match k.2, c.2 with
  | inl (inl (j, l)), KeyEntry j' l' => (j = j' :> nat) /\ (l = l' :> nat)
  | inl (inr (j, l)), QueryEntry j' l' => both /\ (j = j' :> nat) /\ (l = l' :> nat)
  | inr (j, o), ReadEntry j' o' => (j = j' :> nat) /\ (o = o' :> nat)
  | _, _ => False
  end.

Lemma red_entry (t : 'I_T) (out : 'I_d_out) c (k : parameter D m) rs : names c k ->
    all_some (row_mod D L a p g o t out) (heads_mod D L p u) = Some rs ->
  red (if both || ~~ of_query k then slope s bK bQ w t out k else 0) (entry_mod p out rs c).
Proof.
case: k => h x [/= hc names_c] /all_someP/(Forall2_nth (head_mod_of L p U 0) (HeadRow [::] [::] [::] [::] [::]))[_].
rewrite size_map size_iota => /(_ h (ltn_ord h)).
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n => rE.
have [cE zE kcE] := red_row_mod rE; have [_ eE] := row_query_mod rE; have pE l := projectedE l rE.
rewrite /entry_mod -hc; move: names_c; rewrite /of_query /slope /=.
case: x => [[[j l]|[j l]]|[j o']]; case: c.2 => // j' l'.
- move=> [<- <-]; rewrite orbT; apply: (red_mod p1); exact: red_mul (cE _) (pE _).
- move=> [both1 [<- <-]]; rewrite both1; apply: (red_mod p1); apply: red_mul (eE _) _.
  rewrite kcE nth_dots; apply: (red_dot p1) => [|r|r]; [exact: key_size|exact: keyE|exact: cE].
move=> [<- <-]; rewrite orbT -val_eqE /=; case: ifP => _; [exact: zE|exact: red0].
Qed.

Hypothesis both_factors : both = if L is Factors _ _ _ _ _ _ _ _ _ then true else false.
Hypothesis widthE : m = key_width D L.

Lemma entry_named c : entry_ok D L c -> exists k, names c k.
Proof.
case: c => h c /andP[/= hH]; rewrite /names.
case: c => [j l|j l|j o'] /=.
- by rewrite -widthE => /andP[jd lm]; exists (Ordinal hH, inl (inl (Ordinal jd, Ordinal lm))).
- move: widthE both_factors; case: (L) => // m' ? ? ? ? ? ? ? ? /= mE -> /andP[jd lm]; rewrite -mE in lm.
  by exists (Ordinal hH, inl (inr (Ordinal jd, Ordinal lm))).
by move=> /andP[jd od]; exists (Ordinal hH, inr (Ordinal jd, Ordinal od)).
Qed.

Lemma slopes_minor rows cols : all (fun x => (x.1 < T) && (x.2 < d_out))%N rows -> all (entry_ok D L) cols ->
    (if all_some (entries_mod D L a p g o (heads_mod D L p u) cols) rows is Some M then free_mod p (size cols) M else false) ->
  (size rows <= \rank (slopes s bK bQ both w))%N.
Proof.
move=> rT cH; case ME: (all_some _ _) => [M|] // fM.
have /fin_all_exists[f fE] (i : 'I_(size rows)) : exists x : 'I_T * 'I_d_out, (x.1 : nat, x.2 : nat) = nth (0, 0)%N rows i.
  have /andP[i1 i2] := all_nthP (0, 0)%N rT i (ltn_ord i).
  by exists (Ordinal i1, Ordinal i2); rewrite /= -surjective_pairing.
have /fin_all_exists[h hE] (i : 'I_(size cols)) : exists k, names (nth (0%N, KeyEntry 0 0) cols i) k.
  exact: entry_named (all_nthP (0%N, KeyEntry 0 0) cH i (ltn_ord i)).
apply: (free_rank (f := fun i => enum_rank (f i)) (h := fun i => enum_rank (h i))).
apply: (free_modP p1 bg) fM.
have [sM HM] := Forall2_nth (0, 0)%N [::] (all_someP ME).
have -> : M = [seq nth [::] M (i : 'I_(size rows)) | i <- enum 'I_(size rows)].
  apply: (@eq_from_nth _ [::]); first by rewrite size_map size_enum_ord.
  move=> i iM; rewrite -sM in iM.
  by rewrite (nth_map (Ordinal iM)) ?size_enum_ord // nth_enum_ord.
elim: (enum _) => [|i r IHr] /=; constructor=> // k.
have := HM i (ltn_ord i); rewrite -fE /entries_mod /=; case rsE: (all_some _ _) => [rs|] // [<-].
have [kc|ck] := ltnP k (size cols); last first.
  by rewrite insubF ?ltnNge ?ck // nth_default ?size_map //; apply: red0.
rewrite (insubT (fun j => j < size cols)%N kc) (nth_map (0%N, KeyEntry 0 0)) // mxE !enum_rankK.
exact: red_entry (hE (Ordinal kc)) rsE.
Qed.

End Layer.

Lemma scale_factor_neq0 : scale_ok D a -> s != 0.
Proof.
rewrite /scale_ok /s /factor => sc; apply: mulf_neq0.
  by case: (base_two D); rewrite ?oner_neq0 // gt_eqF // ln_gt0 // ltr1n.
case: a sc => [_|]; first exact: oner_neq0.
rewrite /scale_value; case: (logit_scale D) => [x q|k] /= x0.
  rewrite mulf_neq0 ?invr_neq0 ?toF_pos // toF_eq0; apply/eqP => x0'; by move/negP: x0; apply; apply/Z.eqb_eq.
by rewrite invr_neq0 // sqrtr_eq0 -ltNge toFp_gt0.
Qed.

Section Packed.
Variables (m : nat) (K Q : 'I_H -> 'M[R]_(d, m)) (W : 'I_H -> 'M[R]_(d, d_out)).
Lemma key_parameters h : key_of (parameters K Q W) h = K h. Proof. by apply/matrixP => i j; rewrite mxE. Qed.
Lemma query_parameters h : query_of (parameters K Q W) h = Q h. Proof. by apply/matrixP => i j; rewrite mxE. Qed.
Lemma readout_parameters h : readout_of (parameters K Q W) h = W h. Proof. by apply/matrixP => i j; rewrite mxE. Qed.
End Packed.

Variables (rows : seq (nat * nat)) (cols : seq (nat * J_entry)).
Hypotheses (sc : scale_ok D a) (rT : all (fun x => (x.1 < T) && (x.2 < d_out))%N rows) (cH : all (entry_ok D L) cols).
Hypothesis fM : if all_some (entries_mod D L a p g o (heads_mod D L p u) cols) rows is Some M
  then free_mod p (size cols) M else false.

Lemma factors_minor m qk K qq Q qkb bK qqb bQ : L = Factors m qk K qq Q qkb bK qqb bQ -> (size rows <= rank_J R D L a u)%N.
Proof.
move=> LE; have [iK iQ iB sK sQ] : [/\ invertible p qk, invertible p qq, invertible p qqb,
    all (fun M => size M <= d)%N K & all (fun M => size M <= d)%N Q].
  by move: okW; rewrite LE => /and5P[].
have sB : all (fun b => size b <= m)%N bQ by move: okL; rewrite LE => /andP[].
pose w := parameters (literal R d m qk K) (literal R d m qq Q) (given_readout R D u).
have logitsE t h : logits_at (literal_bias R m qkb bK) (literal_bias R m qqb bQ) w t h = logits R L t h.
  by rewrite /logits_at key_parameters query_parameters LE.
have readoutE h : readout_of w h = given_readout R D u h by rewrite readout_parameters.
have small M : (size M <= d)%N -> all (fun c => size c <= d)%N (columns m M).
  by move=> sM; rewrite all_map; apply/allP => l _ /=; rewrite size_map.
have sizeK h : (size (nth [::] K h) <= d)%N by apply: (all_nth_nil (P := fun M : seq (seq Z) => size M <= d)%N).
have sizeQ h : (size (nth [::] Q h) <= d)%N by apply: (all_nth_nil (P := fun M : seq (seq Z) => size M <= d)%N).
have keyE : true -> forall (h : 'I_H) l (r : 'I_d), red (key_of w h r l)
    (nth 0%coqZ (nth [::] (key_columns (head_mod_of L p (readouts_mod D p u) h)) l) r).
  move=> _ h l r; rewrite key_parameters LE /= mxE -(ent_columns _ _ (ltn_ord l)).
  exact: red_over_ent.
have key_size h l : (size (nth [::] (key_columns (head_mod_of L p (readouts_mod D p u) h)) l) <= d)%N.
  by rewrite LE /=; apply: size_over_nth; apply: small.
have projectedE (t : 'I_T) (h : 'I_H) out (l : 'I_m) r :
    row_mod D L a p g o t out (head_mod_of L p (readouts_mod D p u) h) = Some r ->
    red (projected_query (literal_bias R m qqb bQ) w t h l) (nth 0%coqZ (row_projected r) l).
  move=> rE; have [-> eE] := row_query_mod rE; rewrite LE /=.
  rewrite nth_add_bias; last first.
    rewrite !size_map size_iota; apply: leq_trans (size_over _ _ _) _.
    exact: (all_nth_nil (P := fun b : seq Z => size b <= m)%N).
  rewrite /projected_query query_parameters mxE; apply: red_add; last first.
    rewrite Z.mul_1_l (_ : literal_bias R m qqb bQ h l 0 = toF R (ent bQ h l) / toF R (Zpos qqb)); last by rewrite !mxE.
    exact: (red_over p1 bg (nth [::] bQ h) iB l).
  rewrite nth_dots mxE; apply: (red_dot p1) => [|j|j]; first by apply: size_over_nth; apply: small.
    rewrite mxE [literal _ _ _ _ _ _ _ _]mxE -(ent_columns _ _ (ltn_ord l)); exact: red_over_ent.
  exact: eE.
rewrite LE /rank_J; apply: leq_trans (rank_slopes _ _ n0 true w (scale_factor_neq0 sc)).
have bothE : true = if L is Factors _ _ _ _ _ _ _ _ _ then true else false by rewrite LE.
have widthE : m = key_width D L by rewrite LE.
exact: (slopes_minor logitsE readoutE keyE key_size projectedE bothE widthE rT cH fM).
Qed.

Lemma combined_minor q W : L = Combined q W -> (size rows <= rank_J R D L a u)%N.
Proof.
move=> LE; pose z := fun _ : 'I_H => 0 : 'cV[R]_d.
pose w := parameters (literal R d d q W) (fun=> 1%:M) (given_readout R D u).
have logitsE t h : logits_at z z w t h = logits R L t h.
  by rewrite /logits_at key_parameters query_parameters LE /= trmx0 mulmx0 addr0 trmx1 mul1mx addr0.
have readoutE h : readout_of w h = given_readout R D u h by rewrite readout_parameters.
have keyE : false -> forall (h : 'I_H) l (r : 'I_d), red (key_of w h r l)
    (nth 0%coqZ (nth [::] (key_columns (head_mod_of L p (readouts_mod D p u) h)) l) r) by [].
have key_size h l : (size (nth [::] (key_columns (head_mod_of L p (readouts_mod D p u) h)) l) <= d)%N.
  by rewrite LE /= nth_nil.
have projectedE (t : 'I_T) (h : 'I_H) out (l : 'I_d) r :
    row_mod D L a p g o t out (head_mod_of L p (readouts_mod D p u) h) = Some r ->
    red (projected_query z w t h l) (nth 0%coqZ (row_projected r) l).
  move=> rE; have [-> eE] := row_query_mod rE; rewrite LE /= /projected_query query_parameters trmx1 mul1mx addr0.
  exact: eE.
rewrite LE /rank_J; apply: leq_trans (rank_slopes _ _ n0 false w (scale_factor_neq0 sc)).
have bothE : false = if L is Factors _ _ _ _ _ _ _ _ _ then true else false by rewrite LE.
have widthE : d = key_width D L by rewrite LE.
exact: (slopes_minor logitsE readoutE keyE key_size projectedE bothE widthE rT cH fM).
Qed.

End Minor.

Theorem minor_J_rank (R : realType) D L a u p g o rows cols : minor_J_ok D L a u p g o rows cols ->
  (size rows <= rank_J R D L a u)%N.
Proof.
move=> /and5P[/and5P[okD okL /Z.ltb_lt p1 og gb] /and5P[sc ix ie okU okW] rT cH fM].
have bg : place p (expR (kappa R D L a)) g by apply: place_kappa.
case LE: {-1}L => [m qk K qq Q qkb bK qqb bQ|q W|P]; last by rewrite LE in okW.
  exact: (factors_minor okD okL p1 og bg ix ie okU okW sc rT cH fM LE).
by apply: combined_minor LE; eassumption.
Qed.
