(* Replay of certificates, the arithmetic: integers of the Coq library Z, which *)
(* vm_compute evaluates quickly, and what a computation with them says about    *)
(* mathcomp's matrices over any field of characteristic zero.                  *)
(*  - residues: `red p x a` says that x is a fraction whose denominator is a   *)
(*    unit modulo p and that its residue is a.  It is stable under the field    *)
(*    operations, so determinants can be computed modulo p.  p need not be      *)
(*    prime.                                                                    *)
(*  - minor_leq: a minor whose residues have an inverse modulo p bounds the     *)
(*    rank from below.                                                          *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import common.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.

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

Lemma dot0 b : dot [::] b = 0%coqZ. Proof. by []. Qed.

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
Lemma eqm_sum (I : Type) (r : seq I) (P : pred I) f g :
  (forall i, P i -> eqm (f i) (g i)) ->
  eqm (\sum_(i <- r | P i) f i) (\sum_(i <- r | P i) g i).
Proof.
by move=> fg; apply: (big_ind2 eqm) => // [|*]; [apply: eqm_refl|apply: eqmD].
Qed.
Lemma eqm_prod (I : Type) (r : seq I) (P : pred I) f g :
  (forall i, P i -> eqm (f i) (g i)) ->
  eqm (\prod_(i <- r | P i) f i) (\prod_(i <- r | P i) g i).
Proof.
by move=> fg; apply: (big_ind2 eqm) => // [|*]; [apply: eqm_refl|apply: eqmM].
Qed.
Lemma eqm_det r (A B : 'M[Z]_r) : (forall i j, eqm (A i j) (B i j)) ->
  eqm (\det A) (\det B).
Proof.
move=> AB; apply: eqm_sum => s _; apply: eqmM (eqm_refl _) _.
exact: eqm_prod.
Qed.

(* -------------------------------------------------------------------------- *)
(* Residues of elements of a field                                             *)
(* -------------------------------------------------------------------------- *)
Variable F : numFieldType.
Local Notation "z %:F" := (toF F z) (at level 2, format "z %:F").

Definition unitm (d : Z) : Prop := exists u, eqm (u * d) 1.

Lemma unitmM d e : unitm d -> unitm e -> unitm (d * e).
Proof. by move=> [u ud] [v ve]; exists (u * v); rewrite mulrACA -[1]mulr1; apply: eqmM. Qed.

Definition red (x : F) (a : Z) : Prop :=
  exists d m, [/\ unitm d, d%:F * x = m%:F & eqm m (d * a)].

Lemma red_int z : red z%:F z.
Proof.
exists 1, z; rewrite rmorph1 !mul1r; split=> //; last exact: eqm_refl.
by exists 1; rewrite mulr1; apply: eqm_refl.
Qed.

Lemma red_eqm x a b : red x a -> eqm a b -> red x b.
Proof.
move=> [d [m [du dx ma]]] ab; exists d, m; split=> //.
by apply: eqm_trans ma _; apply: eqmM ab; apply: eqm_refl.
Qed.

Lemma red_mod x a : p <> 0%coqZ -> red x a -> red x (a mod p)%coqZ.
Proof. by move=> p0 /red_eqm; apply; apply/eqm_sym/eqm_mod. Qed.

Lemma red_add x y a b : red x a -> red y b -> red (x + y) (a + b).
Proof.
move=> [d [m [du dx ma]]] [e [k [eu ey kb]]]; exists (d * e), (e * m + d * k).
split; first exact: unitmM.
  rewrite rmorphD !rmorphM /= mulrDr -dx -ey; congr (_ + _); last by rewrite mulrA.
  by rewrite mulrA (mulrC e%:F).
rewrite mulrDr; apply: eqmD.
  rewrite (mulrC d) -mulrA; apply: eqmM ma; exact: eqm_refl.
rewrite -mulrA; apply: eqmM kb; exact: eqm_refl.
Qed.

Lemma red_mul x y a b : red x a -> red y b -> red (x * y) (a * b).
Proof.
move=> [d [m [du dx ma]]] [e [k [eu ey kb]]]; exists (d * e), (m * k).
split; first exact: unitmM.
  by rewrite !rmorphM /= -dx -ey mulrACA.
by rewrite mulrACA; apply: eqmM.
Qed.

Lemma red_sum (I : Type) (r : seq I) (P : pred I) f g :
  (forall i, P i -> red (f i) (g i)) ->
  red (\sum_(i <- r | P i) f i) (\sum_(i <- r | P i) g i).
Proof.
move=> fg; apply: (big_ind2 red) => // [|*]; last exact: red_add.
by have := red_int 0; rewrite rmorph0.
Qed.

Lemma red_prod (I : Type) (r : seq I) (P : pred I) f g :
  (forall i, P i -> red (f i) (g i)) ->
  red (\prod_(i <- r | P i) f i) (\prod_(i <- r | P i) g i).
Proof.
move=> fg; apply: (big_ind2 red) => // [|*]; last exact: red_mul.
by have := red_int 1; rewrite rmorph1.
Qed.

Lemma red_exp x a k : red x a -> red (x ^+ k) (a ^+ k).
Proof.
move=> xa; elim: k => [|k IHk]; last by rewrite !exprS; apply: red_mul.
by have := red_int 1; rewrite rmorph1.
Qed.

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

Lemma red_neq0 x a : red x a -> unitm a -> x != 0.
Proof.
move=> [d [m [du dx ma]]] au; apply/eqP => x0.
have m0 : m = 0 by apply: (@toF_inj F); rewrite -dx x0 mulr0 rmorph0.
by apply: unitm0; rewrite -m0; apply: unitm_eqm (eqm_sym ma); apply: unitmM.
Qed.

Lemma red_inv x a b : red x a -> eqm (a * b) 1 -> red x^-1 b.
Proof.
move=> xa ab; have au : unitm a by exists b; rewrite mulrC.
have x0 := red_neq0 xa au; case: xa => d [m [du dx ma]].
exists m, d; split; first by apply: unitm_eqm (eqm_sym ma); apply: unitmM.
  by rewrite -dx -mulrA mulfV ?mulr1.
apply: eqm_sym; apply: eqm_trans (_ : eqm (d * a * b) d).
  by apply: eqmM ma (eqm_refl _).
by rewrite -mulrA -[X in eqm _ X]mulr1; apply: eqmM ab; apply: eqm_refl.
Qed.

Lemma red_det r (A : 'M[F]_r) (a : 'M[Z]_r) :
  (forall i j, red (A i j) (a i j)) -> red (\det A) (\det a).
Proof.
move=> Aa; apply: red_sum => s _; apply: red_mul; last exact: red_prod.
have -> : (-1) ^+ perm.odd_perm s = ((-1) ^+ perm.odd_perm s)%:F :> F.
  by rewrite rmorphX rmorphN rmorph1.
exact: red_int.
Qed.

Lemma red_unit_minor r (A : 'M[F]_r) (a b : 'M[Z]_r) :
    (forall i j, red (A i j) (a i j)) ->
    (forall i j, eqm ((a *m b) i j) (i == j)%:R) ->
  \det A != 0.
Proof.
move=> Aa ab; apply: (red_neq0 (red_det Aa)); exists (\det b).
rewrite mulrC -det_mulmx -(det1 _ r).
by apply: eqm_det => i j; rewrite [X in eqm _ X]mxE.
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

Lemma red_powmod x a n : red x a -> red (x ^+ Pos.to_nat n) (powmod a n).
Proof.
move=> xa; elim: n => [n IHn|n IHn|] //=.
  rewrite Pos2Nat.inj_xI multE exprS mulnC exprM mulrC.
  apply: red_mod p_neq0 _; apply: red_mul (xa); apply: red_mod p_neq0 _.
  exact: red_mul.
rewrite Pos2Nat.inj_xO multE mulnC exprM.
by apply: red_mod p_neq0 _; apply: red_mul.
Qed.

(* 2 ^ l modulo p                                                              *)
Definition pow2mod (l : Z) : Z :=
  match l with
  | Z0 => 1%coqZ
  | Zpos n => powmod 2%coqZ n
  | Zneg n => powmod ((p + 1) / 2)%coqZ n
  end.

Definition odd_modulus : bool := ((2 * ((p + 1) / 2)) mod p =? 1)%coqZ.

Lemma red_pow2mod l : odd_modulus -> red (2%:R ^ int_of_Z l) (pow2mod l).
Proof.
move=> /Z.eqb_eq half.
have red2 : red 2%:R 2%coqZ by have := red_int 2%coqZ.
case: l => [|n|n] /=.
- by have := red_int 1; rewrite rmorph1.
- exact: red_powmod.
rewrite NegzE -exprnN prednK; last exact/ssrnat.ltP/Pos2Nat.is_pos.
rewrite -exprVn; apply: red_powmod; apply: red_inv red2 _.
by apply: eqm_trans (eqm_sym (eqm_mod _ p_neq0)) _; rewrite half; apply: eqm_refl.
Qed.

(* the inverse of a, if a ^ (p - 2) is one                                     *)
Definition invmod (a : Z) : option Z :=
  let b := powmod a (Z.to_pos (p - 2)) in
  if ((a * b) mod p =? 1)%coqZ then Some b else None.

Lemma red_invmod x a b : red x a -> invmod a = Some b -> red x^-1 b.
Proof.
rewrite /invmod; case: ifP => // /Z.eqb_eq ab1 xa [<-]; apply: red_inv xa _.
apply: eqm_trans (eqm_sym (eqm_mod _ p_neq0)) _.
by rewrite ab1; apply: eqm_refl.
Qed.

End Congruence.

(* -------------------------------------------------------------------------- *)
(* Non-singular minors                                                         *)
(* -------------------------------------------------------------------------- *)
(* A is an r x r matrix of residues, and the rows of Bt are the columns of its *)
(* inverse modulo p                                                            *)
Definition inverse_ok (p : Z) (A Bt : seq (seq Z)) : bool :=
  [&& (1 <? p)%coqZ, all (fun a => size a <= size A)%N A &
   all (fun i => all (fun k =>
     (dot (nth [::] A i) (nth [::] Bt k) mod p =? if i == k then 1 else 0)%coqZ)
     (iota 0 (size A))) (iota 0 (size A))].

Lemma minor_leq (F : numFieldType) p m n (M : 'M[F]_(m, n)) A Bt
    (f : 'I_(size A) -> 'I_m) (g : 'I_(size A) -> 'I_n) :
    inverse_ok p A Bt ->
    (forall i j, red p (M (f i) (g j)) (ent A i j)) ->
  (size A <= \rank M)%N.
Proof.
move=> /and3P[/Z.ltb_lt p1 /allP sA /allP AB] MA.
apply: (minor_leq_rank (f := f) (g := g)).
pose a := \matrix_(i < size A, j < size A) ent A i j.
pose b := \matrix_(i < size A, j < size A) ent Bt j i.
apply: (@red_unit_minor p F p1 _ _ a b) => i j; first by rewrite !mxE.
have inI (k : 'I_(size A)) : (k : nat) \in iota 0 (size A) by rewrite mem_iota ltn_ord.
have /allP/(_ _ (inI j))/Z.eqb_eq ABij := AB _ (inI i).
rewrite mxE (eq_bigr (fun k : 'I_(size A) => nth 0%coqZ (nth [::] A i) k * nth 0%coqZ (nth [::] Bt j) k)); last first.
  by move=> k _; rewrite !mxE.
rewrite -dotE; last by apply: sA; apply: mem_nth.
apply: eqm_trans (eqm_sym (eqm_mod _ (p_neq0 p1))) _.
rewrite ABij -(inj_eq val_inj); case: eqP => _; exact: eqm_refl.
Qed.

(* M has independent rows: its minor in columns where its entries are those of *)
(* V in the columns cols has an inverse modulo p                               *)
Lemma independent_rows (F : numFieldType) V d (M : 'M[F]_(size V, d)) p cols inverse :
    size cols == size V ->
    (forall j, (j < size cols)%N -> exists k : 'I_d, forall i, M i k = toF F (ent V i (nth 0%N cols j))) ->
    inverse_ok p [seq [seq nth 0%coqZ v j | j <- cols] | v <- V] inverse ->
  (size V <= \rank M)%N.
Proof.
move=> /eqP scols Mcols inv.
have /fin_all_exists[g gE] : forall j : 'I_(size cols), exists k, forall i,
    M i k = toF F (ent V i (nth 0%N cols j)) by move=> j; apply: Mcols.
set N := [seq _ | _ <- V] in inv; have sN : size N = size V by rewrite size_map.
have cN (i : 'I_(size N)) : (i < size V)%N by rewrite -[X in (_ < X)%N]sN.
have cC (i : 'I_(size N)) : (i < size cols)%N by rewrite scols -[X in (_ < X)%N]sN.
rewrite -[X in (X <= _)%N]sN.
apply: (@minor_leq _ p _ _ _ N inverse (fun i => Ordinal (cN i))
  (fun j => g (Ordinal (cC j)))) => // i j.
rewrite gE /ent /N (nth_map [::]) ?(cN i) // (nth_map 0%N) ?(cC j) //; exact: red_int.
Qed.
