(* The comparison after Proposition 3, for equal numbers of parameters.  A two-layer ReLU network with m   *)
(* neurons on the n d + d numbers of an example has m (n d + d + 2) parameters.  If these are not more     *)
(* than those of an attention layer with d_h = d_v = d and scalar labels (Theta (H d^2)) then some data    *)
(* set of m (d + 1) + 1 examples that satisfies Assumptions 1 and 2 is not memorized by any such network,  *)
(* and m (d + 1) is at most 12 H d^2 / (n + 1), so at most 12 c^2 H n if d <= c n; the attention layer      *)
(* memorizes all such data sets of H (n - 1) + 1 examples.                                               *)
(*                                                                                                       *)
(*    relu_params m D == the number of parameters of a network with m neurons on R^D                      *)
(*   equal_parameters == the statement                                                                   *)
From Attest Require Import prelude.
From mathcomp Require Import zify.
From Attest Require Import attention theorem_1 proposition_3 parameter_count.

Definition relu_params (m D : nat) : nat := (m * (D + 2))%N.

Theorem equal_parameters (R : realType) (H n d m : nat) :
    (0 < H)%N -> (0 < n)%N -> (n <= d)%N ->
    (relu_params m (n * d + d) <= num_params H d d d d 1)%N ->
  [/\ memorizes_all R H n d d d d 1,
      exists E : 'I_(m * (d + 1) + 1) -> 'M[R]_(n, d), exists e : 'I_(m * (d + 1) + 1) -> 'cV[R]_d,
        exists y : 'I_(m * (d + 1) + 1) -> R,
        [/\ Assumption1 n e, Assumption2 E &
          forall a (w : 'I_m -> 'rV[R]_(n * d + d)) b,
            ~ (forall t, relu_net a w b (flat (E t) (e t)) = y t)],
      (m * (d + 1) * (n + 1) <= 12 * (H * d ^ 2))%N &
      forall c, (d <= c * n)%N -> (m * (d + 1) <= 12 * c ^ 2 * (H * n))%N].
Proof.
move=> H0 n0 nd few; have d0 : (0 < d)%N by apply: leq_trans nd.
have [mem /andP[_ hi]] := setting_1 R H0 n0 nd.
have m_few : (m * (n + 1) <= 6 * (H * d))%N.
  rewrite -(leq_pmul2r d0); apply: leq_trans (_ : _ <= relu_params m (n * d + d))%N _.
    by rewrite /relu_params -mulnA leq_mul2l mulnDl mul1n leq_addr orbT.
  by apply: leq_trans few _; apply: leq_trans hi _; rewrite -mulnn !mulnA.
have d2 : (d + 1 <= 2 * d)%N by lia.
split=> //; first by apply: proposition_3 => //; rewrite [X in (_ < X)%N]addn1.
  apply: (@leq_trans (2 * d * (m * (n + 1)))).
    by rewrite -mulnA mulnCA leq_mul2r d2 orbT.
  apply: (@leq_trans (2 * d * (6 * (H * d)))); first by rewrite leq_mul2l m_few orbT.
  by rewrite -mulnn; lia.
move=> c dcn; apply: (@leq_trans (2 * d * m)); first by rewrite mulnC leq_mul2r d2 orbT.
apply: (@leq_trans (2 * (c * n) * m)); first by rewrite leq_mul2r leq_mul2l dcn !orbT.
apply: (@leq_trans (2 * c * (m * (n + 1)))).
  rewrite (_ : (2 * (c * n) * m = 2 * c * (m * n))%N); last by lia.
  by rewrite leq_mul2l leq_mul2l leq_addr !orbT.
apply: (@leq_trans (2 * c * (6 * (H * d)))); first by rewrite leq_mul2l m_few orbT.
apply: (@leq_trans (2 * c * (6 * (H * (c * n))))); first by rewrite !leq_mul2l dcn !orbT.
by rewrite -mulnn; lia.
Qed.
