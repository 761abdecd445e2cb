(* Certificates of ranks of Z: the algebra of modular ones and of functionals, and lower bounds by             *)
(* character evaluation.                                                                                       *)
(*                                                                                                             *)
(*           rank_specialize == the rank under any ring morphism and an injective one                          *)
(*                rank_mod_p == the rank modulo p and over the rationals                                       *)
(*   functional_kernel_rank, functional_kernel_bound == the bound from functionals                             *)
(*            coefs_base x l == coefficients x^(l_i) / sum_j x^(l_j), in any field                             *)
(*              Z_base x l E == Z with these coefficients                                                      *)
(*      character_evaluation == the algebra, for any base in any field                                         *)
(*         base2_certificate == logits in ln 2 * Z                                                             *)
(*        base_e_certificate == logits l / N: rational                                                         *)
(*   base_e_certificate_sqrt == logits l sqrt m / N: rational, scaled by the square root of a positive integer *)
(*                              (1 / sqrt m = sqrt m / m)                                                      *)
From Attest Require Import prelude.
From mathcomp Require Import zify.
From Attest Require Import attention common upper_bounds transcendence.

(* ============================================================================ *)
(* The algebra                                                                  *)
(* ============================================================================ *)
(* Certificates of ranks, the algebra:                                          *)
(*  - the rank of a matrix of ring elements, mapped to any field, is at most    *)
(*    its rank in a field into which the ring embeds (lower bounds that hold    *)
(*    modulo p hold over the rationals and the reals);                          *)
(*  - functionals (v, c) with E_t v = c 1 for all t bound rank(Z) from above,   *)
(*    for all weights.                                                          *)

Section Specialize.

(* phi : R -> F any ring morphism, psi : R -> K an injective one     *)
Theorem rank_specialize (R : comRingType) (F K : fieldType)
    (phi : {rmorphism R -> F}) (psi : {rmorphism R -> K}) m n
    (M : 'M[R]_(m, n)) :
  injective psi -> (\rank (map_mx phi M) <= \rank (map_mx psi M))%N.
Proof.
move=> inj_psi; have [f [g]] := mxrank_minor (map_mx phi M).
rewrite -map_mxsub det_map_mx => dM.
apply: (minor_leq_rank (f := f) (g := g)).
rewrite -map_mxsub det_map_mx; apply: contraNneq dM => d0.
by rewrite (inj_psi (\det (mxsub f g M)) 0) ?raddf0.
Qed.

Corollary rank_mod_p p m n (M : 'M[int]_(m, n)) : prime p ->
  (\rank (map_mx intr M : 'M['F_p]_(m, n))
     <= \rank (map_mx intr M : 'M[rat]_(m, n)))%N.
Proof.
move=> _.
apply: (@rank_specialize int_comRing [fieldType of 'F_p] [fieldType of rat]
  (intmul1_rmorphism _) (intmul1_rmorphism _)).
exact: intr_inj.
Qed.

End Specialize.

(* The functional-kernel upper bound.  The columns of V and the entries of c    *)
(* are k functionals that take the value c_j on every token of every context.  *)
(* First for any coefficients that sum to one, over any field.                 *)
Theorem functional_kernel_rank (F : fieldType) T H n d k (A : 'I_T -> 'M[F]_(H, n))
    (E : 'I_T -> 'M[F]_(n, d)) (V : 'M[F]_(d, k)) (c : 'rV[F]_k) :
    (forall t, sum1 (A t)) -> (forall t i, row i (E t) *m V = c) ->
  (\rank (attn_out A E) <= H * (d - \rank V) + (c != 0%R))%N.
Proof.
move=> sA EV; rewrite -mxrank_ker; have [c0|c0] := eqVneq c 0.
  rewrite addn0; apply: linear_hull_rank => t; apply/row_subP => i.
  by apply/sub_kermxP; rewrite EV c0.
case: (pickP (fun _ : 'I_T * 'I_n => true)) => [[t0 i0] _|noT].
  apply: (affine_hull_rank (x0 := row i0 (E t0))) => // t i.
  by apply/sub_kermxP; rewrite mulmxBl !EV subrr.
apply: leq_trans (_ : _ <= H * \rank (kermx V))%N _; last by rewrite leq_addr.
apply: linear_hull_rank => t; apply/row_subP => i.
by have := noT (t, i).
Qed.

(* for the layer, whatever its weights                                         *)
Theorem functional_kernel_bound (R : realType) T H n d dh dv do dout k
    (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (P : weights R H d dh dv do dout) (V : 'M[R]_(d, k)) (c : 'rV[R]_k) :
    (forall t, E t *m V = const_mx 1 *m c) ->
  (\rank (Z E e P) <= H * (d - \rank V) + (c != 0%R))%N.
Proof.
move=> EV; rewrite -mxrank_ker; have [c0|c0] := eqVneq c 0.
  rewrite addn0; apply: linear_hull_bound => t.
  by apply/sub_kermxP; rewrite EV c0 mulmx0.
have row1 t i : row i (E t) *m V = c.
  rewrite -row_mul EV row_mul (_ : row i (const_mx 1) = 1%:M) ?mul1mx //.
  by apply/matrixP => a b; rewrite !ord1 !mxE.
case: (pickP (fun _ : 'I_T * 'I_n => true)) => [[t0 i0] _|noT].
  apply: (affine_hull_bound e P (x0 := row i0 (E t0))) => t i.
  by apply/sub_kermxP; rewrite mulmxBl !row1 subrr.
apply: leq_trans (_ : _ <= H * \rank (kermx V))%N _; last by rewrite leq_addr.
apply: linear_hull_bound => t; apply/row_subP => i.
by have := noT (t, i).
Qed.

(* ===================================================================================== *)
(* Character evaluation                                                                  *)
(* ===================================================================================== *)
(* Soundness of lower-bound certificates by character evaluation.                        *)
(* Let the logits be l / N with integers l.  Replace exp(1 / N) (or 2, or any base) by   *)
(* an element g of a finite field and the data by their residues: wherever no softmax    *)
(* denominator becomes 0, the rank of the resulting matrix is at most rank(Z).           *)
(* A certificate in terms of a character r -> g^(r mod q) of order q, with logits l / N, *)
(* is of this form with base g^(1/N mod q).                                              *)
(* The last two theorems rest on transcendence.v: exp (sqrt m / N) is transcendental, so *)
(* that Z[X] embeds into the reals.                                                      *)

Section Base.
Variables (T H n d : nat).
Implicit Type l : 'I_T -> 'I_H -> 'I_n -> int.

(* coefficients x^(l_i) / sum_j x^(l_j) in any field, and Z with these coefficients        *)
Definition coefs_base (F : fieldType) (x : F) l t : 'M[F]_(H, n) :=
  \matrix_(h, i) (x ^ l t h i / \sum_j x ^ l t h j).

Definition Z_base (F : fieldType) (x : F) l (E : 'I_T -> 'M[F]_(n, d)) :=
  attn_out (coefs_base x l) E.

Lemma Z_base_scale (F : fieldType) (x c : F) l (E : 'I_T -> 'M[F]_(n, d)) : c != 0 ->
  \rank (Z_base x l (fun t => c *: E t)) = \rank (Z_base x l E).
Proof.
move=> c0; rewrite (_ : Z_base _ _ _ = c *: Z_base x l E).
  by rewrite (eqmx_scale _ c0).
apply/row_matrixP => t; rewrite linearZ /= !rowK -linearZ /=.
by rewrite -scalemxAr.
Qed.

Section Clear.
Variables (R : comRingType) (b : R) (l : 'I_T -> 'I_H -> 'I_n -> int).
Variable E : 'I_T -> 'M[R]_(n, d).
Variable shift : nat.

(* logits made non-negative, denominators, and Z with each row multiplied by the        *)
(* denominators of all its heads                                                       *)
Definition lnat t h i : nat := absz (l t h i + shift%:Z).
Definition den t h : R := \sum_i b ^+ lnat t h i.
Definition cleared : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_(h, j)
  ((\sum_i b ^+ lnat t h i * E t i j) * \prod_(h' | h' != h) den t h')).

Hypothesis shift_ge : forall t h i, 0 <= l t h i + shift%:Z.

Lemma lnatE t h i : (lnat t h i)%:Z = l t h i + shift%:Z.
Proof. by rewrite /lnat gez0_abs. Qed.

Variables (F : fieldType) (f : {rmorphism R -> F}).
Hypothesis fb : f b != 0.
Hypothesis fden : forall t h, \sum_j f b ^ l t h j != 0.

Lemma pow_lnat t h i : f b ^+ lnat t h i = f b ^ l t h i * f b ^+ shift.
Proof. by rewrite !exprnP lnatE expfzDr. Qed.

Lemma denE t h : f (den t h) = (\sum_j f b ^ l t h j) * f b ^+ shift.
Proof.
rewrite rmorph_sum mulr_suml; apply: eq_bigr => i _.
by rewrite rmorphX pow_lnat.
Qed.

Lemma den_neq0 t h : f (den t h) != 0.
Proof. by rewrite denE mulf_neq0 // expf_neq0. Qed.

Lemma rank_cleared :
  \rank (map_mx f cleared) = \rank (Z_base (f b) l (fun t => map_mx f (E t))).
Proof.
pose D : 'rV[F]_T := \row_t \prod_h f (den t h).
have -> : map_mx f cleared = diag_mx D *m Z_base (f b) l (fun t => map_mx f (E t)).
  apply/matrixP => t k; case/mxvec_indexP: k => h j; rewrite mul_diag_mx.
  have -> : map_mx f cleared t (mxvec_index h j) = f (\sum_i b ^+ lnat t h i * E t i j)
      * f (\prod_(h' | h' != h) den t h') by rewrite -rmorphM mxE mxE mxvecE mxE.
  rewrite rmorph_prod [RHS]mxE {1}/D [X in _ = X * _]mxE.
  rewrite [X in _ = X * _](bigD1 h) //= [RHS]mulrAC.
  congr (_ * _); rewrite [X in _ = _ * X]mxE mxvecE [X in _ = _ * X]mxE.
  rewrite rmorph_sum mulr_sumr; apply: eq_bigr => i _.
  rewrite rmorphM rmorphX /= pow_lnat [X in _ = _ * (X * _)]mxE [map_mx _ _ _ _]mxE.
  rewrite mulrA; congr (_ * _); rewrite denE mulrCA.
  by rewrite [in RHS]mulrAC divff // mul1r.
have uD : diag_mx D \in unitmx.
  rewrite unitmxE det_diag unitfE; apply/prodf_neq0 => t _; rewrite mxE.
  by apply/prodf_neq0 => h _; apply: den_neq0.
by rewrite eqmxMfull // row_full_unit.
Qed.

End Clear.

Lemma large_shift l : exists s : nat, forall t h i, 0 <= l t h i + s%:Z.
Proof.
exists (\sum_t \sum_h \sum_i absz (l t h i))%N => t h i.
have : (absz (l t h i) <= \sum_t \sum_h \sum_i absz (l t h i))%N.
  by rewrite (bigD1 t) //= (bigD1 h) //= (bigD1 i) //= -!addnA leq_addr.
by move: (l t h i) (\sum_t _)%N => a s; lia.
Qed.

Theorem character_evaluation (R : comRingType) (F K : fieldType)
    (phi : {rmorphism R -> F}) (psi : {rmorphism R -> K}) (b : R) l
    (E : 'I_T -> 'M[R]_(n, d)) :
    injective psi -> phi b != 0 ->
    (forall t h, \sum_j phi b ^ l t h j != 0) ->
  (\rank (Z_base (phi b) l (fun t => map_mx phi (E t)))
     <= \rank (Z_base (psi b) l (fun t => map_mx psi (E t))))%N.
Proof.
move=> inj_psi b0 den0.
have neq0 a : phi a != 0 -> psi a != 0.
  apply: contra_neq => a0; rewrite (_ : a = 0) ?rmorph0 //.
  by apply: inj_psi; rewrite a0 rmorph0.
have psib := neq0 _ b0.
have [s ls] := large_shift l.
have psiden t h : \sum_j psi b ^ l t h j != 0.
  have := neq0 _ (den_neq0 ls b0 den0 t h).
  by rewrite (denE (f := psi) ls psib) mulf_eq0 negb_or => /andP[].
rewrite -(rank_cleared _ ls b0 den0) -(rank_cleared _ ls psib psiden).
exact: rank_specialize.
Qed.

End Base.

(* ------------------------------------------------------------------------------ *)
(* The layer                                                                        *)
(* ------------------------------------------------------------------------------ *)
Section Certificates.
Variables (R : realType) (T H n d : nat).
Variables (Ei : 'I_T -> 'M[int]_(n, d)) (c : R) (e : 'I_T -> 'cV[R]_d).
Variables (W : 'I_H -> 'M[R]_d) (l : 'I_T -> 'I_H -> 'I_n -> int).
(* the data: integers divided by a common denominator                               *)
Let E t : 'M[R]_(n, d) := c *: map_mx intr (Ei t).
Hypothesis c_neq0 : c != 0.

Lemma Zmx_base b : (forall t h i, (E t *m W h *m e t) i 0 = b * (l t h i)%:~R) ->
  Zmx E e W = Z_base (expR b) l E.
Proof.
move=> lE; rewrite Zmx_attn_out /Z_base; congr (attn_out _ E); apply/funext => t.
apply/matrixP => h i; rewrite [LHS]mxE [LHS]mxE [LHS]mxE [RHS]mxE lE expR_int.
by congr (_ / _); apply: eq_bigr => j _; rewrite lE expR_int.
Qed.

(* F is any field in which 2 <> 0, for example F_p for an odd prime p                *)
Theorem base2_certificate (F : fieldType) :
    (forall t h i, (E t *m W h *m e t) i 0 = ln 2%:R * (l t h i)%:~R) ->
    (2%:R : F) != 0 -> (forall t h, \sum_j (2%:R : F) ^ l t h j != 0) ->
  (\rank (Z_base (2%:R : F) l (fun t => map_mx intr (Ei t))) <= \rank (Zmx E e W))%N.
Proof.
move=> lE F2 den0; rewrite (Zmx_base lE) lnK ?posrE ?ltr0n // (Z_base_scale _ l _ c_neq0).
pose phi := intmul1_rmorphism [ringType of F].
pose psi := intmul1_rmorphism [ringType of R].
have := @character_evaluation T H n d int_comRing F [fieldType of R] phi psi 2%:R l Ei.
have -> : phi 2%:R = 2%:R by rewrite rmorph_nat.
have -> : psi 2%:R = 2%:R by rewrite rmorph_nat.
by apply => //; apply: intr_inj.
Qed.

(* base exp b, where evaluation at exp b embeds Z[X]: the morphism p |-> p(x)          *)
Lemma exp_base_certificate (F : fieldType) (g : F) b :
    injective (eval_at (expR b)) ->
    (forall t h i, (E t *m W h *m e t) i 0 = b * (l t h i)%:~R) ->
    g != 0 -> (forall t h, \sum_j g ^ l t h j != 0) ->
  (\rank (Z_base g l (fun t => map_mx intr (Ei t))) <= \rank (Zmx E e W))%N.
Proof.
move=> inj_x lE g0 den0; rewrite (Zmx_base lE) (Z_base_scale _ l _ c_neq0).
set x := expR _ in inj_x *.
have evC (K : comRingType) (y : K) t :
    map_mx (eval_at y) (map_mx polyC (Ei t)) = map_mx intr (Ei t) :> 'M[K]_(n, d).
  by apply/matrixP => i j; rewrite !mxE eval_atC.
have := @character_evaluation T H n d [comRingType of {poly int}] F [fieldType of R]
  (eval_at g) (eval_at x) 'X l (fun t => map_mx polyC (Ei t)) inj_x.
rewrite !eval_atX (_ : (fun t => _) = fun t => map_mx intr (Ei t)); last first.
  by apply/funext => t; apply: evC.
rewrite (_ : (fun t => map_mx (eval_at x) _) = fun t => map_mx intr (Ei t)); last first.
  by apply/funext => t; apply: evC.
by apply.
Qed.

(* F is any field, g its element in place of exp (sqrt m / N)                        *)
Theorem base_e_certificate_sqrt (m N : nat) (F : fieldType) (g : F) :
    (0 < m)%N -> (0 < N)%N ->
    (forall t h i, (E t *m W h *m e t) i 0 = Num.sqrt m%:R / N%:R * (l t h i)%:~R) ->
    g != 0 -> (forall t h, \sum_j g ^ l t h j != 0) ->
  (\rank (Z_base g l (fun t => map_mx intr (Ei t))) <= \rank (Zmx E e W))%N.
Proof.
by move=> m0 N0; apply: exp_base_certificate; apply: exp_sqrt_eval_injective.
Qed.

Theorem base_e_certificate (N : nat) (F : fieldType) (g : F) : (0 < N)%N ->
    (forall t h i, (E t *m W h *m e t) i 0 = N%:R^-1 * (l t h i)%:~R) ->
    g != 0 -> (forall t h, \sum_j g ^ l t h j != 0) ->
  (\rank (Z_base g l (fun t => map_mx intr (Ei t))) <= \rank (Zmx E e W))%N.
Proof.
move=> N0 lE; apply: (@base_e_certificate_sqrt 1 N) => // t h i.
by rewrite lE sqrtr1 div1r.
Qed.

End Certificates.
