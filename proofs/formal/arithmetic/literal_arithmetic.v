(* Integers of the Coq library Z, which vm_compute and the extracted program evaluate    *)
(* quickly, and what a computation with them says about mathcomp's matrices over any     *)
(* field of characteristic zero.                                                         *)
(*                                                                                       *)
(*               col j M == a column of a list of lists                                    *)
(*    eqm p x y, unitm p d == congruence and units modulo p, which need not be prime      *)
(*         powmod, invmod == powers and inverses modulo p                                 *)
(*    kernel_rank, kruskal_rank_size == bounds of ranks                                   *)
From Attest Require Import integers attention kruskal common.
From Attest Require Export problem.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Integers as elements of a field                                             *)
(* -------------------------------------------------------------------------- *)
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

Local Notation z := (toF F).

Lemma toF_leq a b : (a <= b)%coqZ -> z a <= z b.
Proof. by move=> ab; rewrite /toF ler_int; lia. Qed.
Lemma toF_lt a b : (a < b)%coqZ -> z a < z b.
Proof. by move=> ab; rewrite /toF ltr_int; lia. Qed.
Lemma toF_leP a b : reflect (z a <= z b) (a <=? b)%coqZ.
Proof. by apply: (iffP idP) => [/Z.leb_le/toF_leq //|]; rewrite /toF ler_int => ab; lia. Qed.
Lemma toF_ltP a b : reflect (z a < z b) (a <? b)%coqZ.
Proof. by apply: (iffP idP) => [/Z.ltb_lt/toF_lt //|]; rewrite /toF ltr_int => ab; lia. Qed.
Lemma toF0 : z 0%coqZ = 0. Proof. exact: rmorph0. Qed.
Lemma toFN a : z (- a)%coqZ = - z a. Proof. exact: rmorphN. Qed.
Lemma toFD a b : z (a + b)%coqZ = z a + z b. Proof. exact: rmorphD. Qed.
Lemma toFB a b : z (a - b)%coqZ = z a - z b. Proof. exact: rmorphB. Qed.
Lemma toFM a b : z (a * b)%coqZ = z a * z b. Proof. exact: rmorphM. Qed.
Lemma toFpM a b : z (Zpos (a * b)) = z (Zpos a) * z (Zpos b). Proof. exact: (toFM (Zpos a) (Zpos b)). Qed.
Lemma toFp_gt0 q : 0 < z (Zpos q). Proof. by rewrite -toF0; apply: toF_lt. Qed.
Lemma toF1 : z 1%coqZ = 1. Proof. exact: rmorph1. Qed.
Lemma toF2 : z 2%coqZ = 2%:R. Proof. by rewrite (toFD 1 1) toF1. Qed.

End ToF.

Lemma mxS (F : numFieldType) m n q M :
  toF F (Zpos q) *: mx F m n q M = \matrix_(i, j) toF F (ent M i j).
Proof. by apply/matrixP => i j; rewrite !mxE mulrC mulfVK // toF_pos. Qed.

(* -------------------------------------------------------------------------- *)
(* Scalar products                                                             *)
(* -------------------------------------------------------------------------- *)
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
