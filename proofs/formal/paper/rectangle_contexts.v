(* Four different contexts that no number of heads separates: the contexts                *)
(* {0, a, b, a + b}, {0, b, c, b + c}, {0, c, f, c + f}, {0, f, a, f + a} with one query  *)
(* satisfy z_1 - z_2 + z_3 - z_4 = 0 for all weights, because softmax over a rectangle is *)
(* the product of softmax over its sides.  So rank(Z) <= 3 for every H, although the      *)
(* bounds of rank_formula.v allow 4 (d = 1, a, b, c, f = 1, 2, 3, 4, H >= 4).             *)
(*                                                                                        *)
(*      rectangle a b == the context {0, a, b, a + b}                                     *)
(*  rectangle_cycle t == the t-th of the four contexts                                    *)
(*     rectangle_rank == rank(Z) <= 3                                                     *)
From Attest Require Import prelude.
From mathcomp Require Import ring.
From Attest Require Import attention generic_data.

Section Rectangle.
Variables (R : realType) (d : nat).
Implicit Types (a b : 'rV[R]_d) (y : 'cV[R]_d).

Definition rectangle a b : 'M[R]_(4, d) := \matrix_(i < 4) nth 0 [:: 0; a; b; a + b] i.

(* the coefficient of a token with logit x beside one with logit 0               *)
Let side (x : R) : R := expR x / (1 + expR x).

Lemma rectangle_out a b y k :
  \sum_i rectangle a b i k * softmax (rectangle a b *m y) i 0
    = side ((a *m y) 0 0) * a 0 k + side ((b *m y) 0 0) * b 0 k.
Proof.
have lE i : (rectangle a b *m y) i 0 = nth 0 [:: 0; (a *m y) 0 0; (b *m y) 0 0;
    (a *m y) 0 0 + (b *m y) 0 0] i.
  have -> : (rectangle a b *m y) i 0 = (row i (rectangle a b) *m y) 0 0.
    by rewrite -row_mul [RHS]mxE.
  rewrite rowK; case: i => -[|[|[|[|//]]]] i4 //=; first by rewrite mul0mx mxE.
  by rewrite mulmxDl mxE.
have cE i : rectangle a b i k = nth 0 [:: 0; a 0 k; b 0 k; a 0 k + b 0 k] i.
  by rewrite mxE; case: i => -[|[|[|[|//]]]] i4 /=; rewrite ?mxE.
set X := expR ((a *m y) 0 0); set Y := expR ((b *m y) 0 0).
have DE : \sum_j expR ((rectangle a b *m y) j 0) = 1 + (X + (Y + (X * Y + 0))).
  under eq_bigr do rewrite lE.
  by rewrite !big_ord_recl big_ord0 /= expR0 expRD.
under eq_bigr do rewrite cE [softmax _ _ _]mxE lE DE.
rewrite !big_ord_recl big_ord0 /= expR0 expRD -/X -/Y /side -/X -/Y.
have X0 : 0 < X := expR_gt0 _; have Y0 : 0 < Y := expR_gt0 _.
have X1 : 1 + X != 0 by rewrite gt_eqF ?addr_gt0.
have Y1 : 1 + Y != 0 by rewrite gt_eqF ?addr_gt0.
move: (a 0 k) (b 0 k) X1 Y1 X0 Y0; clearbody X Y => u v X1 Y1 X0 Y0.
have -> : 1 + (X + (Y + (X * Y + 0))) = (1 + X) * (1 + Y) by ring.
by field; rewrite X1 Y1.
Qed.

(* four rectangles on a cycle of four sides                                     *)
Variable side_vector : 'I_4 -> 'rV[R]_d.

Definition rectangle_cycle (t : 'I_4) : 'M[R]_(4, d) :=
  rectangle (side_vector t) (side_vector (t + 1)).

Theorem rectangle_rank H (e : 'cV[R]_d) (W : 'I_H -> 'M[R]_d) :
  (\rank (Zmx rectangle_cycle (fun=> e) W) <= 3)%N.
Proof.
set Z0 := Zmx _ _ _; pose w : 'rV[R]_4 := \row_t (-1) ^+ t.
have wZ : w *m Z0 = 0.
  apply/rowP => c; case/mxvec_indexP: c => h k; rewrite [LHS]mxE [RHS]mxE.
  have ZtE t : Z0 t (mxvec_index h k) = side ((side_vector t *m (W h *m e)) 0 0) * side_vector t 0 k
      + side ((side_vector (t + 1) *m (W h *m e)) 0 0) * side_vector (t + 1) 0 k.
    by rewrite ZmxE -rectangle_out; apply: eq_bigr => i _; rewrite -mulmxA.
  pose f t := side ((side_vector t *m (W h *m e)) 0 0) * side_vector t 0 k.
  rewrite (eq_bigr (fun t : 'I_4 => (-1) ^+ t * (f t + f (t + 1)))); last first.
    by move=> t _; rewrite ZtE mxE.
  rewrite !big_ord_recl big_ord0 /=.
  have -> : lift ord0 ord0 = 1 :> 'I_4 by apply/val_inj.
  have -> : ord0 + 1 = 1 :> 'I_4 by apply/val_inj.
  have -> : lift ord0 (lift ord0 ord0) = 1 + 1 :> 'I_4 by apply/val_inj.
  have -> : lift ord0 (lift ord0 (lift ord0 ord0)) = 1 + 1 + 1 :> 'I_4 by apply/val_inj.
  have -> : 1 + 1 + 1 + 1 = ord0 :> 'I_4 by apply/val_inj.
  rewrite /bump /= !addn0 !add1n !exprS expr0.
  by move: (f ord0) (f 1) (f (1 + 1)) (f (1 + 1 + 1)) => f0 f1 f2 f3; ring.
have w0 : w != 0.
  by apply/eqP => /matrixP/(_ 0 ord0); rewrite !mxE expr0 => /eqP; rewrite oner_eq0.
have : (0 < \rank (kermx Z0))%N.
  rewrite lt0n mxrank_eq0; apply: contra w0 => /eqP k0.
  by move/sub_kermxP: wZ; rewrite k0 submx0.
by rewrite mxrank_ker subn_gt0 ltnS.
Qed.

End Rectangle.
