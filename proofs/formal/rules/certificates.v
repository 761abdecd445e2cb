(* Certificates of ranks, the algebra:                                         *)
(*  - the rank of a matrix of ring elements, mapped to any field, is at most   *)
(*    its rank in a field into which the ring embeds (lower bounds that hold   *)
(*    modulo p hold over the rationals and the reals);                         *)
(*  - functionals (v, c) with E_t v = c 1 for all t bound rank(Z) from above,   *)
(*    for all weights.                                                         *)
(*                                                                                 *)
(*   rank_specialize == the rank under any ring morphism and an injective one      *)
(*        rank_mod_p == the rank modulo p and over the rationals                   *)
(*  functional_kernel_rank, functional_kernel_bound == the bound from functionals  *)
From Attest Require Import prelude attention common affine_hull.

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
