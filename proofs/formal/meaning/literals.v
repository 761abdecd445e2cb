(* Integers of Coq's library, and lists of lists of them, as numbers and matrices   *)
(* over a field.                                                                    *)
(*                                                                                  *)
(*     toF F z, ent M i j == an integer in a field, an entry of a list of lists     *)
(*          mx F m n q M == the matrix with the entries of M over q                 *)
(*              query_vec == queries as columns                                     *)
(*                 dot a b == the scalar product of lists                            *)
From Attest Require Import integers.

Definition toF (F : numFieldType) (z : Z) : F := (int_of_Z z)%:~R.

Definition ent (M : seq (seq Z)) i j : Z := nth 0%coqZ (nth [::] M i) j.

(* the matrix with the entries of M over the common denominator q              *)
Definition mx (F : numFieldType) m n (q : positive) (M : seq (seq Z)) : 'M[F]_(m, n) :=
  \matrix_(i, j) (toF F (ent M i j) / toF F (Zpos q)).

(* queries                                                                     *)
Definition query_vec (F : numFieldType) T d (q : positive) (e : seq (seq Z))
  (t : 'I_T) : 'cV[F]_d := (row t (mx F T d q e))^T.

Fixpoint dot (a b : seq Z) : Z :=
  if a is x :: a' then if b is y :: b' then (x * y + dot a' b')%coqZ else 0%coqZ
  else 0%coqZ.
