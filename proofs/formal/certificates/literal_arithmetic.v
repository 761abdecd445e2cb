(* Integers of the Coq library Z, which vm_compute and the extracted program evaluate    *)
(* quickly, and what a computation with them says about mathcomp's matrices over any     *)
(* field of characteristic zero.                                                         *)
(*                                                                                       *)
(*     toF F z, ent M i j == an integer in a field, an entry of a list of lists           *)
(*          mx F m n q M == the matrix with the entries of M over q                       *)
(*   context_mx, query_vec == contexts as matrices, queries as columns                    *)
(*               dot, col == scalar product and column of lists                           *)
(*    eqm p x y, unitm p d == congruence and units modulo p, which need not be prime      *)
(*         powmod, invmod == powers and inverses modulo p                                 *)
(*    kernel_rank, kruskal_rank_size == bounds of ranks                                   *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp Require Import ring.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention kruskal common.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with BinNums.Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Integer literals as elements of a field, lists of lists as matrices         *)
(* -------------------------------------------------------------------------- *)
Definition toF (F : numFieldType) (z : Z) : F := (int_of_Z z)%:~R.

Section ToF.
Variable F : numFieldType.
Local Notation "z %:F" := (toF F z) (at level 2, format "z %:F").

Fact toF_is_rmorphism : rmorphism (toF F).
Proof.
exact: (rmorphismP [rmorphism of (intmul1_rmorphism F) \o int_of_Z]).
Qed.
Canonical toF_additive := Additive toF_is_rmorphism.
Canonical toF_rmorphism := RMorphism toF_is_rmorphism.

Lemma toF_inj : injective (toF F).
Proof. by move=> x y /intr_inj /(can_inj int_of_ZK). Qed.

Lemma toF_eq0 z : (z%:F == 0) = (z == 0).
Proof. by rewrite -(inj_eq toF_inj) rmorph0. Qed.

Lemma toF_pos (q : positive) : (Zpos q)%:F != 0.
Proof. by rewrite toF_eq0. Qed.

End ToF.

Definition ent (M : seq (seq Z)) i j : Z := nth 0%coqZ (nth [::] M i) j.

(* the matrix with the entries of M over the common denominator q              *)
Definition mx (F : numFieldType) m n (q : positive) (M : seq (seq Z)) : 'M[F]_(m, n) :=
  \matrix_(i, j) (toF F (ent M i j) / toF F (Zpos q)).

(* contexts and queries                                                        *)
Definition context_mx (F : numFieldType) T n d (q : positive) (E : seq (seq (seq Z)))
  (t : 'I_T) : 'M[F]_(n, d) := mx F n d q (nth [::] E t).
Definition query_vec (F : numFieldType) T d (q : positive) (e : seq (seq Z))
  (t : 'I_T) : 'cV[F]_d := (row t (mx F T d q e))^T.

Lemma mxS (F : numFieldType) m n q M :
  toF F (Zpos q) *: mx F m n q M = \matrix_(i, j) toF F (ent M i j).
Proof. by apply/matrixP => i j; rewrite !mxE mulrC mulfVK // toF_pos. Qed.

(* -------------------------------------------------------------------------- *)
(* Scalar products                                                             *)
(* -------------------------------------------------------------------------- *)
Fixpoint dot (a b : seq Z) : Z :=
  if a is x :: a' then if b is y :: b' then (x * y + dot a' b')%coqZ else 0%coqZ
  else 0%coqZ.

Definition col (j : nat) (M : seq (seq Z)) : seq Z := [seq nth 0%coqZ r j | r <- M].

Lemma dotE n a b : (size a <= n)%N ->
  dot a b = \sum_(i < n) nth 0%coqZ a i * nth 0%coqZ b i.
Proof.
elim: a n b => [|x a IHa] [|n] [|y b] //= an.
- by rewrite big_ord0.
- by rewrite big_ord0.
- by rewrite big1 // => i _; rewrite nth_nil; apply: mul0r.
- by rewrite big1 // => i _; rewrite nth_nil; apply: mul0r.
- by rewrite big1 // => i _; rewrite nth_nil; apply: mulr0.
- by rewrite big_ord_recl /= -(IHa n).
Qed.

Lemma nth_map_dot b (M : seq (seq Z)) i :
  nth 0%coqZ [seq dot r b | r <- M] i = dot (nth [::] M i) b.
Proof.
have [iM|Mi] := ltnP i (size M); first by rewrite (nth_map [::]).
by rewrite !nth_default ?size_map.
Qed.

Lemma nth_col j M i : nth 0%coqZ (col j M) i = ent M i j.
Proof.
rewrite /ent; have [iM|Mi] := ltnP i (size M); first by rewrite (nth_map [::]).
by rewrite [RHS]nth_default nth_default ?size_map // nth_default.
Qed.

(* -------------------------------------------------------------------------- *)
(* Congruences                                                                 *)
(* -------------------------------------------------------------------------- *)
Section Congruence.
Variable p : Z.

Definition eqm (x y : Z) : Prop := exists k, x = y + p * k.

Lemma eqm_refl x : eqm x x. Proof. by exists 0; rewrite mulr0 addr0. Qed.
Lemma eqm_sym x y : eqm x y -> eqm y x.
Proof. by move=> [k ->]; exists (- k); rewrite mulrN addrK. Qed.
Lemma eqm_trans x y z : eqm x y -> eqm y z -> eqm x z.
Proof. by move=> [k ->] [l ->]; exists (l + k); rewrite mulrDr addrA. Qed.
Lemma eqmD x y z t : eqm x y -> eqm z t -> eqm (x + z) (y + t).
Proof. by move=> [k ->] [l ->]; exists (k + l); rewrite mulrDr addrACA. Qed.
Lemma eqmM x y z t : eqm x y -> eqm z t -> eqm (x * z) (y * t).
Proof.
move=> [k ->] [l ->]; exists (y * l + k * t + p * (k * l)).
ring.
Qed.
Lemma eqm_mod x : p <> 0%coqZ -> eqm (x mod p)%coqZ x.
Proof.
move=> p0; apply: eqm_sym; exists (x / p)%coqZ.
by rewrite {1}(Z_div_mod_eq_full x p) addrC.
Qed.

Definition unitm (d : Z) : Prop := exists u, eqm (u * d) 1.

Lemma unitmM d e : unitm d -> unitm e -> unitm (d * e).
Proof. by move=> [u ud] [v ve]; exists (u * v); rewrite mulrACA -[1]mulr1; apply: eqmM. Qed.

Hypothesis p1 : (1 < p)%coqZ.

Lemma p_neq0 : p <> 0%coqZ. Proof. by move=> p0; move: p1; rewrite p0. Qed.

Lemma unitm0 : ~ unitm 0.
Proof.
move=> [u]; rewrite mulr0 => /eqm_sym[k].
rewrite add0r => pk; have /Z.divide_1_r_nonneg pE : Z.divide p 1.
  by exists k; rewrite pk; apply: Z.mul_comm.
have := p1; rewrite pE //; exact: Z.lt_le_incl (Z.lt_trans 0 1 p erefl p1).
Qed.

Lemma unitm_eqm d e : unitm d -> eqm d e -> unitm e.
Proof.
move=> [u ud] de; exists u; apply: eqm_trans ud; apply: eqmM (eqm_refl _) _.
exact: eqm_sym.
Qed.

(* -------------------------------------------------------------------------- *)
(* Powers modulo p                                                             *)
(* -------------------------------------------------------------------------- *)
Fixpoint powmod (a : Z) (n : positive) : Z :=
  match n with
  | xH => a
  | xO n' => let b := powmod a n' in ((b * b) mod p)%coqZ
  | xI n' => let b := powmod a n' in (((b * b) mod p * a) mod p)%coqZ
  end.

(* the inverse of a, if a ^ (p - 2) is one                                     *)
Definition invmod (a : Z) : option Z :=
  let b := powmod a (Z.to_pos (p - 2)) in
  if ((a * b) mod p =? 1)%coqZ then Some b else None.

End Congruence.

(* -------------------------------------------------------------------------- *)
(* Lists, fractions, logits, ranks                                             *)
(* -------------------------------------------------------------------------- *)
Lemma all_nth_nil (S : Type) (P : pred (seq S)) s i : all P s -> P [::] -> P (nth [::] s i).
Proof.
move=> Ps P0; have [si|] := ltnP i (size s); last by move/(nth_default [::]) ->.
by move/all_nthP: Ps => /(_ [::])->.
Qed.

(* ordinals with prescribed values                                             *)
Lemma ords_of T (s : seq nat) : all (fun t => t < T)%N s ->
  exists f : 'I_(size s) -> 'I_T, forall i, f i = nth 0%N s i :> nat.
Proof.
move/all_nthP => sT; have sT' (i : 'I_(size s)) := sT 0%N i (ltn_ord i).
by exists (fun i => Ordinal (sT' i)).
Qed.

Lemma scale_frac (F : fieldType) (c a s x : F) : c != 0 ->
  c * (a / s * (x / c)) = a * x / s.
Proof.
by move=> c0; rewrite mulrCA [c * (x / c)]mulrCA divff // mulr1 mulrAC.
Qed.

Lemma kernel_rank (F : fieldType) m n k (M : 'M[F]_(m, n)) (X : 'M[F]_(k, n)) :
  M *m X^T = 0 -> (\rank M <= n - \rank X)%N.
Proof. by move/mulmx0_rank_max; rewrite mxrank_tr leq_subRL ?rank_leq_col // addnC. Qed.

Lemma kruskal_rank_size (F : fieldType) T d (x : 'I_T -> 'cV[F]_d) : (kruskal_rank x <= minn T d)%N.
Proof.
have kT : (kruskal_rank x <= T)%N.
  by apply/bigmax_leqP => i _; rewrite -ltnS ltn_ord.
rewrite leq_min kT leqNgt; apply/negP => dk.
have /kruskal_geqP ind : kruskal_geq x d.+1 by rewrite /kruskal_geq (leq_trans (geq_minl _ _)).
have dT : (d < T)%N := leq_trans dk kT.
pose f (i : 'I_d.+1) : 'I_T := widen_ord dT i.
have inj_f : injective f by move=> i j /(congr1 val) /= /val_inj.
have := indep_row_free inj_f (ind _ _); rewrite card_imset // card_ord => /(_ (leqnn _)).
by rewrite /row_free => /eqP r; have := rank_leq_col (\matrix_(i < d.+1) (x (f i))^T); rewrite r ltnn.
Qed.
