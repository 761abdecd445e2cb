(* Proposition 2 of the paper: with one context shared by all examples,         *)
(* rank(Z) <= H (n - 1) + 1 for any weights.                                   *)
(* Stronger than the paper: neither Assumption 1 nor Assumption 2 is needed.   *)
(*                                                                              *)
(*   shared_context_rank == for coefficients that sum to one, any field         *)
(*         proposition_2 == for the layer (alias shared_context_rank_bound)     *)
From Attest Require Import prelude attention affine_hull.

Section SharedContext.
Variables (F : fieldType) (T H : nat).

Corollary shared_context_rank n' d (A : 'I_T -> 'M[F]_(H, n'.+1))
    (E : 'M[F]_(n'.+1, d)) :
  (forall t, sum1 (A t)) ->
  (\rank (attn_out A (fun=> E)) <= H * n' + 1)%N.
Proof.
move=> sA.
pose V : 'M[F]_(n', d) := \matrix_(i < n') (row (lift 0 i) E - row 0 E).
apply: leq_trans (_ : _ <= H * \rank V + 1)%N _.
  apply: (affine_hull_rank (x0 := row 0 E)) => // t i.
  case: (unliftP 0 i) => [j|] ->; last by rewrite subrr sub0mx.
  by rewrite -(rowK (fun i => row (lift 0 i) E - row 0 E)) row_sub.
by rewrite leq_add2r leq_mul2l rank_leq_row orbT.
Qed.

End SharedContext.

Theorem proposition_2 (R : realType) T H n d dh dv do dout
    (C : 'M[R]_(n, d)) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (P : weights R H d dh dv do dout) :
  (forall t, E t = C) -> (\rank (Z E e P) <= H * (n - 1) + 1)%N.
Proof.
move=> EC; case: n C E EC => [|n] C E EC.
  have : forall t, (E t <= (0 : 'M_(0, d)))%MS.
    by move=> t; apply/row_subP => -[].
  by move/(linear_hull_bound e P)/leq_trans; apply; rewrite mxrank0 muln0.
pose V : 'M[R]_(n, d) := \matrix_(i < n) (row (lift 0 i) C - row 0 C).
apply: leq_trans (_ : _ <= H * \rank V + 1)%N _; last first.
  by rewrite leq_add2r leq_mul2l subn1 rank_leq_row orbT.
apply: (affine_hull_bound e P (x0 := row 0 C)) => // t i; rewrite EC.
case: (unliftP 0 i) => [j|] ->; last by rewrite subrr sub0mx.
by rewrite -(rowK (fun i => row (lift 0 i) C - row 0 C)) row_sub.
Qed.
