(* Norms, and the number of singular values above a number, by subspaces (Courant  *)
(* and Fischer).                                                                   *)
(*                                                                                 *)
(*   sqnorm v, norm2 v == the squared Euclidean norm of a row vector, and its root  *)
(*   stretches A theta X == |y X A| > theta |y X| for all y != 0                    *)
(*  singular_count A tau == the largest k such that |v A| > tau |v| for all v != 0  *)
(*                   of some space of dimension k: the number of singular values    *)
(*                   above tau >= 0, with multiplicity                              *)
From Attest Require Import prelude.

Definition sqnorm (R : realFieldType) n (v : 'rV[R]_n) : R := \sum_i v 0 i ^+ 2.

Definition norm2 (R : rcfType) n (v : 'rV[R]_n) : R := Num.sqrt (sqnorm v).

Section Count.
Variable R : realType.

Definition stretches m n (A : 'M[R]_(m, n)) (theta : R) k (X : 'M[R]_(k, m)) : Prop :=
  forall y : 'rV[R]_k, y != 0 -> theta * norm2 (y *m X) < norm2 (y *m X *m A).

Definition singular_count m n (A : 'M[R]_(m, n)) (tau : R) : nat :=
  \max_(k < m.+1 | `[< exists V : 'M[R]_(k, m), row_free V /\ stretches A tau V >]) k.

End Count.
