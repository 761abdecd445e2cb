(* Proposition 4 and Theorem 1 composed: under Assumptions 2 and 3 a layer that averages, with a skip     *)
(* connection, followed by a layer with H heads memorizes T <= H (r - 1) + 1 examples, r = min(n, d_h).   *)
(* The first layer is the one of Proposition 4, the same for all data: no parameter of it depends on the  *)
(* data.  It is applied to the query and to every token.                                                 *)
(*                                                                                                       *)
(*    predict_two_layers P1 P E e == the prediction of P after P1 (with its skip connection)             *)
(*   memorizes_two_layers P1 P E e y == it is y_t on every example                                       *)
(*                 two_layers_memorize == the statement; two_layers_rank == for Z of the second layer     *)
From Attest Require Import prelude attention proposition_1 theorem_1 proposition_4.

Section TwoLayers.
Variables (R : realType) (n d : nat).

Section Definitions.
Variables (H1 dh1 dv1 H dh dv do dout : nat).
Variables (P1 : weights R H1 d dh1 dv1 d d) (P : weights R H d dh dv do dout).

(* self-attention with a skip connection: every token is a query in turn                                 *)
Definition next_context (E : 'M[R]_(n, d)) : 'M[R]_(n, d) :=
  \matrix_i (layer_out_skip P1 E (row i E)^T)^T.

Definition predict_two_layers (E : 'M[R]_(n, d)) (e : 'cV[R]_d) : 'cV[R]_dout :=
  predict P (next_context E) (layer_out_skip P1 E e).

Definition memorizes_two_layers T (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (y : 'I_T -> 'cV[R]_dout) : Prop :=
  forall t, predict_two_layers (E t) (e t) = y t.

End Definitions.

Variables (T dh1 dh dv do dout H : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis A2 : Assumption2 E.
Hypothesis A3 : Assumption3 E e.

Let P1 := averaging R d dh1.

Theorem two_layers_rank
    (WV : 'I_H -> 'M[R]_(d, dv)) (WO : 'M[R]_(H * dv, do)) (WD : 'M[R]_(do, dout)) :
  exists WK : 'I_H -> 'M[R]_(d, dh), exists WQ : 'I_H -> 'M[R]_(d, dh),
    (minn T (H * (minn n dh - 1) + 1) <=
      \rank (Z (fun t => next_context P1 (E t)) (fun t => layer_out_skip P1 (E t) (e t))
        (Weights WK WQ WV WO WD)))%N.
Proof. by have [A1' A2'] := proposition_4 dh1 A2 A3; apply: proposition_1. Qed.

Theorem two_layers_memorize (y : 'I_T -> 'cV[R]_dout) :
    (dout <= dv)%N -> (dout <= do)%N -> (T <= H * (minn n dh - 1) + 1)%N ->
  exists P : weights R H d dh dv do dout, memorizes_two_layers P1 P E e y.
Proof.
move=> dv_ do_ TH; have [A1' A2'] := proposition_4 dh1 A2 A3.
exact: (theorem_1 y n_gt0 H_gt0 dv_ do_ A1' A2' TH).
Qed.

End TwoLayers.
