(* Soundness of lower-bound certificates by character evaluation.                        *)
(* Let the logits be l / N with integers l.  Replace exp(1 / N) (or 2, or any base) by    *)
(* an element g of a finite field and the data by their residues: wherever no softmax     *)
(* denominator becomes 0, the rank of the resulting matrix is at most rank(Z).           *)
(*  character_evaluation: the algebra, for any base in any field;                        *)
(*  base2_certificate: logits in ln 2 * Z, no hypothesis;                                *)
(*  base_e_certificate: rational logits; the Lindemann-Weierstrass theorem for rational   *)
(*    exponents is an explicit premise;                                                  *)
(*  base_e_certificate_hermite: the same from the transcendence of e alone.              *)
(* A certificate in terms of a character r -> g^(r mod q) of order q, with logits l / N,  *)
(* is of this form with base g^(1/N mod q).                                              *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp Require Import zify.
From Attest Require Import attention common certificates.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
  by rewrite (denE ls) // mulf_eq0 negb_or => /andP[].
rewrite -(rank_cleared _ ls b0 den0) -(rank_cleared _ ls psib psiden).
exact: rank_specialize.
Qed.

End Base.

(* ------------------------------------------------------------------------------ *)
(* The layer                                                                        *)
(* ------------------------------------------------------------------------------ *)
Lemma expR_int (R : realType) (c : R) (z : int) : expR (c * z%:~R) = expR c ^ z.
Proof.
case: z => k; first by rewrite mulrC -[_%:~R]/(k%:R) expRMm.
by rewrite NegzE mulrNz mulrN expRN mulrC -[_%:~R]/(k.+1%:R) expRMm.
Qed.

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
move=> lE; rewrite Zmx_attn_out /Z_base; congr attn_out; apply/funext => t.
apply/matrixP => h i; rewrite [LHS]mxE [LHS]mxE [LHS]mxE [RHS]mxE lE expR_int.
by congr (_ / _); apply: eq_bigr => j _; rewrite lE expR_int.
Qed.

(* F is any field in which 2 <> 0, for example F_p for an odd prime p                *)
Theorem base2_certificate (F : fieldType) :
    (forall t h i, (E t *m W h *m e t) i 0 = ln 2%:R * (l t h i)%:~R) ->
    (2%:R : F) != 0 -> (forall t h, \sum_j (2%:R : F) ^ l t h j != 0) ->
  (\rank (Z_base (2%:R : F) l (fun t => map_mx intr (Ei t))) <= \rank (Zmx E e W))%N.
Proof.
move=> lE F2 den0; rewrite (Zmx_base lE) lnK ?posrE ?ltr0n // Z_base_scale //.
pose phi := intmul1_rmorphism [ringType of F].
pose psi := intmul1_rmorphism [ringType of R].
have := @character_evaluation T H n d int_comRing F [fieldType of R] phi psi 2%:R l Ei.
have -> : phi 2%:R = 2%:R by rewrite rmorph_nat.
have -> : psi 2%:R = 2%:R by rewrite rmorph_nat.
by apply => //; apply: intr_inj.
Qed.

(* base e: the morphism p |-> p(x) from Z[X]                                         *)
Definition eval_at (K : comRingType) (x : K) : {rmorphism {poly int} -> K} :=
  [rmorphism of horner_eval x \o map_poly intr].

Lemma base_e_certificate_gen (F : fieldType) (g : F) N :
    injective (eval_at (expR (N%:R^-1 : R))) ->
    (forall t h i, (E t *m W h *m e t) i 0 = N%:R^-1 * (l t h i)%:~R) ->
    g != 0 -> (forall t h, \sum_j g ^ l t h j != 0) ->
  (\rank (Z_base g l (fun t => map_mx intr (Ei t))) <= \rank (Zmx E e W))%N.
Proof.
move=> inj_x lE g0 den0; rewrite (Zmx_base lE) Z_base_scale //.
set x := expR _ in inj_x *.
have evX (K : comRingType) (y : K) : eval_at y 'X = y.
  by rewrite /= /horner_eval map_polyX hornerX.
have evC (K : comRingType) (y : K) t :
    map_mx (eval_at y) (map_mx polyC (Ei t)) = map_mx intr (Ei t) :> 'M[K]_(n, d).
  by apply/matrixP => i j; rewrite !mxE /= /horner_eval map_polyC hornerC.
have := @character_evaluation T H n d [comRingType of {poly int}] F [fieldType of R]
  (eval_at g) (eval_at x) 'X l (fun t => map_mx polyC (Ei t)) inj_x.
rewrite !evX (_ : (fun t => _) = fun t => map_mx intr (Ei t)); last first.
  by apply/funext => t; apply: evC.
rewrite (_ : (fun t => map_mx (eval_at x) _) = fun t => map_mx intr (Ei t)); last first.
  by apply/funext => t; apply: evC.
by apply.
Qed.

End Certificates.

Section Transcendence.
Variable R : realType.

(* the Lindemann-Weierstrass theorem for rational exponents                          *)
Definition Lindemann_Weierstrass : Prop :=
  forall m (r c : 'I_m -> rat), injective r ->
    \sum_i ratr (c i) * expR (ratr (r i)) = 0 :> R -> forall i, c i = 0.

(* Hermite's theorem: e is transcendental                                            *)
Definition e_transcendental : Prop :=
  forall p : {poly int}, p != 0 -> (map_poly intr p).[expR 1] != 0 :> R.

Lemma eval_injective N : (0 < N)%N -> Lindemann_Weierstrass ->
  injective (eval_at (expR (N%:R^-1 : R))).
Proof.
move=> N0 LW; apply: raddf_inj => p /= px0; apply/polyP => i; rewrite coef0.
have [ip|] := ltnP i (size p); last by move/leq_sizeP; apply.
have N_neq0 : N%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n.
suff c0 : forall i : 'I_(size p), (p`_i)%:~R = 0 :> rat.
  by have /eqP := c0 (Ordinal ip); rewrite intr_eq0 => /eqP.
apply: (LW _ (fun i : 'I_(size p) => i%:R / N%:R)).
  by move=> a b /(mulIf (invr_neq0 N_neq0))/eqP; rewrite eqr_nat => /eqP/val_inj.
rewrite -[RHS]px0 /horner_eval (@horner_coef_wide _ (size p)) ?size_poly //.
apply: eq_bigr => j _; rewrite coef_map /= ratr_int; congr (_ * _).
by rewrite -expRMm fmorph_div /= !ratr_nat.
Qed.

(* e^(1/N) is transcendental when e is                                                *)
Lemma eval_injective_hermite N : (0 < N)%N -> e_transcendental ->
  injective (eval_at (expR (N%:R^-1 : R))).
Proof.
move=> N0 He; apply: raddf_inj => p /= px0; apply/eqP; apply: contraT => p0.
pose alg (y : R) := algebraicOver (@ratr [unitRingType of R]) y.
set x := expR _ in px0.
have algx : alg x.
  exists (map_poly intr p); first by rewrite map_poly_eq0_id0 ?intr_eq0 ?lead_coef_eq0.
  rewrite -map_poly_comp (eq_map_poly (g := intr)); last by move=> z; apply: ratr_int.
  by apply/rootP.
have algX k : alg (x ^+ k).
  elim: k => [|k IHk]; first exact: algebraic1.
  by rewrite exprS; apply: algebraic_mul.
have : alg (expR 1).
  by have := algX N; rewrite /x -expRMm mulfV // pnatr_eq0 -lt0n.
case=> q q0 /rootP qe; have [q' [a a0 qE]] := rat_poly_scale q.
have q'0 : q' != 0.
  by apply: contra_neq q0 => q'0; rewrite qE q'0 rmorph0 scaler0.
have := He q' q'0; rewrite (_ : _.[_] = 0) ?eqxx //.
move: qe; rewrite qE map_polyZ hornerZ -map_poly_comp.
rewrite (eq_map_poly (g := intr)); last by move=> z; apply: ratr_int.
by move/eqP; rewrite mulf_eq0 fmorph_eq0 invr_eq0 intr_eq0 (negPf a0) => /eqP.
Qed.

Section Certificates.
Variables (T H n d N : nat) (Ei : 'I_T -> 'M[int]_(n, d)) (c : R) (e : 'I_T -> 'cV[R]_d).
Variables (W : 'I_H -> 'M[R]_d) (l : 'I_T -> 'I_H -> 'I_n -> int).
Variables (F : fieldType) (g : F).
Let E t : 'M[R]_(n, d) := c *: map_mx intr (Ei t).
Hypothesis c_neq0 : c != 0.
Hypothesis N_gt0 : (0 < N)%N.
Hypothesis logits : forall t h i, (E t *m W h *m e t) i 0 = N%:R^-1 * (l t h i)%:~R.
Hypothesis g_neq0 : g != 0.
Hypothesis den_neq0 : forall t h, \sum_j g ^ l t h j != 0.

Theorem base_e_certificate : Lindemann_Weierstrass ->
  (\rank (Z_base g l (fun t => map_mx intr (Ei t))) <= \rank (Zmx E e W))%N.
Proof.
by move=> LW; apply: base_e_certificate_gen logits _ _ => //; apply: eval_injective.
Qed.

Theorem base_e_certificate_hermite : e_transcendental ->
  (\rank (Z_base g l (fun t => map_mx intr (Ei t))) <= \rank (Zmx E e W))%N.
Proof.
by move=> He; apply: base_e_certificate_gen logits _ _ => //; apply: eval_injective_hermite.
Qed.

End Certificates.

End Transcendence.
