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

Definition shift : nat := (\sum_t \sum_h \sum_i absz (l t h i))%N.
Definition lnat t h i : nat := absz (l t h i + shift%:Z).
Definition den t h : R := \sum_i b ^+ lnat t h i.
Definition cleared : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_(h, j)
  ((\sum_i b ^+ lnat t h i * E t i j) * \prod_(h' | h' != h) den t h')).

Lemma lnatE t h i : (lnat t h i)%:Z = l t h i + shift%:Z.
Proof.
have le_shift : (absz (l t h i) <= shift)%N.
  by rewrite /shift (bigD1 t) //= (bigD1 h) //= (bigD1 i) //= -!addnA leq_addr.
by rewrite /lnat; move: (l t h i) shift le_shift => a s; lia.
Qed.

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
have psiden t h : \sum_j psi b ^ l t h j != 0.
  have := neq0 _ (den_neq0 b0 den0 t h).
  by rewrite denE // mulf_eq0 negb_or => /andP[].
rewrite -(rank_cleared _ b0 den0) -(rank_cleared _ psib psiden).
exact: rank_specialize.
Qed.

End Base.
