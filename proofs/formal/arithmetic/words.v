(* The proved checker, words: integers of 63 bits with two's complement arithmetic,  *)
(* which extraction maps to OCaml's int.  wrap is part of every definition, so that   *)
(* the mapping is exact for all words; lemmas about bounds say where wrap does        *)
(* nothing.                                                                           *)
(*                                                                                    *)
(*   quick_mod x p == x modulo p, quicker in Coq for p slightly below a power of two     *)
(*   wrap z == the integer in [-2^62, 2^62) that is z modulo 2^63                       *)
(*   word, toZ, ofZ == words and the integers that they are                            *)
(*   muladd x c y == x + c y;   sub x y == x - y                                        *)
(*   rem x p == x modulo p, where x >= 0 and p > 0                                     *)
(*   is_odd x, halved x == last bit, and what is before it                              *)
(*   small B w == 0 <= w < B                                                           *)
(*   residues p s == words of the numbers s modulo p                                   *)
(*   mulmod, pow, inverse, scaled == arithmetic modulo p, of residues                   *)
From Coq Require Import ZArith Zpow_facts Lia.
From mathcomp Require Import all_ssreflect.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.
Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Remainders                                                                  *)
(* -------------------------------------------------------------------------- *)
(* x mod p for p slightly below 2^k, as primes of witnesses are: x = l + 2^k h is l + (2^k - p) h modulo p.  Coq's    *)
(* virtual machine takes a sixth of the time of Z.modulo, and extraction maps both to the same.                    *)
Fixpoint up_to_power (p : positive) : Z :=  (* 2^k - p, 2^(k - 1) <= p < 2^k *)
  match p with xH => 1 | xO p' => Z.double (up_to_power p') | xI p' => Z.pred_double (up_to_power p') end.
Fixpoint low_and_rest (p x : positive) : Z * Z :=
  match p with
  | xH => match x with xH => (1, 0) | xO x' => (0, Zpos x') | xI x' => (1, Zpos x') end
  | xO p' | xI p' =>
    match x with
    | xH => (1, 0)
    | xO x' => let (l, h) := low_and_rest p' x' in (Z.double l, h)
    | xI x' => let (l, h) := low_and_rest p' x' in (Z.succ_double l, h)
    end
  end.
Fixpoint positive_mod (tries : nat) (p : positive) (c : Z) (x : positive) : Z :=
  if tries is tries'.+1 then
    let (l, h) := low_and_rest p x in
    if h is Zpos _ then if l + c * h is Zpos y then positive_mod tries' p c y else Zpos x mod Zpos p
    else if l <? Zpos p then l else l - Zpos p
  else Zpos x mod Zpos p.
Definition quick_mod (x p : Z) : Z :=
  match p, x with
  | Zpos q, Zpos y => positive_mod 6 q (up_to_power q) y
  | Zpos q, Zneg y => let r := positive_mod 6 q (up_to_power q) y in if r =? 0 then 0 else p - r
  | _, _ => x mod p
  end.

Local Arguments Z.mul : simpl never.
Local Arguments Z.add : simpl never.

Lemma low_and_restE p x : let (l, h) := low_and_rest p x in
  [/\ Zpos x = l + (Zpos p + up_to_power p) * h, 0 <= l < Zpos p + up_to_power p, 0 <= h & 0 < up_to_power p <= Zpos p].
Proof.
have c0 q : 0 < up_to_power q <= Zpos q by elim: q => //= q; lia.
by elim: p x => [p IH|p IH|] [x|x|] /=; try (have := c0 p); try (have := IH x; case: low_and_rest => l h /= [E ? ? ?]); split; lia.
Qed.

Lemma positive_modE tries p x : positive_mod tries p (up_to_power p) x = Zpos x mod Zpos p.
Proof.
elim: tries x => //= tries IH x; have := low_and_restE p x; case: low_and_rest => l h [-> [l0 lp] h0 [c0 cp]].
case: h h0 => [_|h _|//].
  rewrite Z.mul_0_r Z.add_0_r; case: Z.ltb_spec => [|pl]; first by move=> ?; rewrite Z.mod_small; lia.
  by apply: (Z.mod_unique_pos _ _ 1); lia.
case E: (l + _) => [|y|y] //; rewrite IH -E.
by rewrite Z.mul_add_distr_r [X in _ = X mod _](_ : _ = l + up_to_power p * Zpos h + Zpos h * Zpos p) ?Z.mod_add //; lia.
Qed.

Lemma quick_modE x p : quick_mod x p = x mod p.
Proof.
case: p x => [|p|p] [|x|x] //; rewrite /quick_mod positive_modE //; case: Z.eqb_spec => x0.
  by rewrite -Pos2Z.opp_pos Z.mod_opp_l_z.
by rewrite -Pos2Z.opp_pos Z.mod_opp_l_nz.
Qed.
(* -------------------------------------------------------------------------- *)
(* Words                                                                       *)
(* -------------------------------------------------------------------------- *)
Definition limit : Z := 4611686018427387904.  (* 2^62 *)

Definition wrap (z : Z) : Z :=
  if (- limit <=? z) && (z <? limit) then z else (z + limit) mod (2 * limit) - limit.

Inductive word := Word (z : Z).
Definition toZ (w : word) : Z := let: Word z := w in z.
Definition ofZ (z : Z) : word := Word (wrap z).

Definition muladd (x c y : word) : word := Word (wrap (toZ x + toZ c * toZ y)).
Definition sub (x y : word) : word := Word (wrap (toZ x - toZ y)).
Definition rem (x p : word) : word := Word (if (0 <=? toZ x) && (0 <? toZ p) then quick_mod (toZ x) (toZ p) else 0).
Definition is_odd (x : word) : bool := Z.odd (toZ x).
Definition halved (x : word) : word := Word (Z.div2 (toZ x)).
Definition is_zero (x : word) : bool := toZ x =? 0.
Definition is_one (x : word) : bool := toZ x =? 1.
Definition zero : word := ofZ 0.
Definition one_word : word := ofZ 1.

Definition small (B : Z) (w : word) : Prop := 0 <= toZ w < B.

Lemma wrap_id z : 0 <= z < limit -> wrap z = z.
Proof.
move=> zl; rewrite /wrap; have /Z.leb_le -> : - limit <= z by rewrite /limit in zl *; lia.
by have /Z.ltb_lt -> : z < limit by case: zl.
Qed.

Lemma ofZ_id z : 0 <= z < limit -> toZ (ofZ z) = z.
Proof. exact: wrap_id. Qed.

Lemma muladdE x c y : 0 <= toZ x -> 0 <= toZ c -> 0 <= toZ y -> toZ x + toZ c * toZ y < limit ->
  toZ (muladd x c y) = toZ x + toZ c * toZ y.
Proof. by move=> x0 c0 y0 l; apply: wrap_id; split=> //; nia. Qed.

Lemma subE x y : toZ y <= toZ x -> toZ x - toZ y < limit -> toZ (sub x y) = toZ x - toZ y.
Proof. by move=> yx l; apply: wrap_id; lia. Qed.

Lemma remE x p : 0 <= toZ x -> 0 < toZ p -> toZ (rem x p) = toZ x mod toZ p.
Proof. by move=> /Z.leb_le x0 /Z.ltb_lt p0; rewrite /rem /= x0 p0 quick_modE. Qed.

Lemma small_le A B w : A <= B -> small A w -> small B w.
Proof. by rewrite /small; lia. Qed.

Lemma small_rem x p : 0 <= toZ x -> 0 < toZ p -> small (toZ p) (rem x p).
Proof. by move=> x0 p0; rewrite /small remE //; apply: Z.mod_pos_bound. Qed.

Lemma toZ_zero : toZ zero = 0. Proof. by []. Qed.

(* -------------------------------------------------------------------------- *)
(* Residues                                                                    *)
(* -------------------------------------------------------------------------- *)
Definition residues (p : Z) (s : seq Z) : seq word := [seq ofZ (quick_mod x p) | x <- s].
Lemma residuesE p s : residues p s = [seq ofZ (x mod p) | x <- s].
Proof. by apply: eq_map => x; rewrite quick_modE. Qed.

Lemma residueE p x : 1 < p -> p <= limit -> toZ (ofZ (x mod p)) = x mod p.
Proof. by move=> p1 pl; apply: ofZ_id; have := Z.mod_pos_bound x p; lia. Qed.

Lemma toZ_residues p s : 1 < p -> p <= limit -> map toZ (residues p s) = [seq x mod p | x <- s].
Proof. by move=> p1 pl; rewrite residuesE; elim: s => //= x s ->; congr (_ :: _); apply: residueE. Qed.

Lemma small_residue p x : 1 < p -> p <= limit -> small p (ofZ (x mod p)).
Proof. by move=> p1 pl; rewrite /small residueE //; apply: Z.mod_pos_bound; lia. Qed.

Fixpoint all_small (B : Z) (r : seq word) : Prop := if r is x :: r' then small B x /\ all_small B r' else True.

Lemma all_small_le A B r : A <= B -> all_small A r -> all_small B r.
Proof. by move=> AB; elim: r => //= x r IH [/(small_le AB) ? /IH]. Qed.

Lemma all_small_residues p s : 1 < p -> p <= limit -> all_small p (residues p s).
Proof. by move=> p1 pl; rewrite residuesE; elim: s => //= x s IH; split=> //; apply: small_residue. Qed.

Lemma small_nth B r j : 0 < B -> all_small B r -> small B (nth zero r j).
Proof.
move=> B0; have z : small B zero by rewrite /small toZ_zero; lia.
by elim: r j => [|x r IH] [|j] //= [] // _ /IH.
Qed.

Section Modulo.
Variable p : word.
Hypotheses (p1 : 1 < toZ p) (pp : toZ p * toZ p <= limit).

Definition mulmod (x y : word) : word := rem (muladd zero x y) p.

Lemma mulmodE x y : small (toZ p) x -> small (toZ p) y -> toZ (mulmod x y) = (toZ x * toZ y) mod toZ p.
Proof.
move=> [x0 xp] [y0 yp]; have xy : 0 <= toZ x * toZ y < limit by nia.
by rewrite /mulmod remE ?muladdE ?toZ_zero //; lia.
Qed.

Lemma small_mod z w : toZ w = z mod toZ p -> small (toZ p) w.
Proof. by rewrite /small => ->; apply: Z.mod_pos_bound; lia. Qed.

Lemma small_mulmod x y : small (toZ p) x -> small (toZ p) y -> small (toZ p) (mulmod x y).
Proof. by move=> xs ys; apply: small_mod (mulmodE xs ys). Qed.

(* g, g^2, g^4, ... for each bit of n, and a power with an exponent of at most n    *)
Fixpoint squares (g : word) (n : positive) : seq word :=
  match n with
  | xH => [:: g]
  | xO n' | xI n' => g :: squares (mulmod g g) n'
  end.

Fixpoint pow (S : seq word) (e acc : word) : word :=
  if S is g :: S' then
    if is_zero e then acc else pow S' (halved e) (if is_odd e then mulmod acc g else acc)
  else acc.

Lemma halvedE e : toZ e = 2 * toZ (halved e) + (if is_odd e then 1 else 0).
Proof. by rewrite /halved /is_odd /= {1}(Z.div2_odd (toZ e)); case: (Z.odd _). Qed.

Lemma powE g n e acc : small (toZ p) g -> small (toZ p) acc -> 0 <= toZ e <= Zpos n ->
  toZ (pow (squares g n) e acc) = (toZ acc * toZ g ^ toZ e) mod toZ p.
Proof.
have step e' g' acc' : small (toZ p) g' -> small (toZ p) acc' -> 0 <= toZ e' ->
    (toZ (if is_odd e' then mulmod acc' g' else acc') * toZ (mulmod g' g') ^ toZ (halved e')) mod toZ p =
    (toZ acc' * toZ g' ^ toZ e') mod toZ p.
  move=> gs accs e0; have hE := halvedE e'; have h0 : 0 <= toZ (halved e') by move: hE; case: (is_odd e'); lia.
  rewrite [in RHS]hE Z.pow_add_r ?Z.pow_mul_r ?Z.pow_2_r //; try (case: (is_odd e'); lia).
  rewrite mulmodE // Z.mul_mod -?Zpower_mod; try lia.
  have -> : toZ (if is_odd e' then mulmod acc' g' else acc') mod toZ p =
      (toZ acc' * toZ g' ^ (if is_odd e' then 1 else 0)) mod toZ p.
    by case: (is_odd e'); rewrite ?mulmodE ?Z.pow_1_r ?Z.pow_0_r ?Z.mul_1_r ?Zmod_mod.
  by rewrite -Z.mul_mod; [congr (_ mod _); ring|lia].
elim: n g e acc => [n IH|n IH|] g e acc gs accs [e0 en] /=; case E: (is_zero e);
  try (by move/Z.eqb_eq: E => ->; rewrite Z.pow_0_r Z.mul_1_r Z.mod_small).
- rewrite IH ?step //; first exact: small_mulmod.
    by case: (is_odd e) => //; apply: small_mulmod.
  by have := halvedE e; case: (is_odd e); lia.
- rewrite IH ?step //; first exact: small_mulmod.
    by case: (is_odd e) => //; apply: small_mulmod.
  by have := halvedE e; case: (is_odd e); lia.
have -> : toZ e = 1 by move/Z.eqb_neq: E; lia.
have -> : is_odd e by rewrite /is_odd; have -> : toZ e = 1 by move/Z.eqb_neq: E; lia.
by rewrite mulmodE // Z.pow_1_r.
Qed.

Lemma all_small_squares g n : small (toZ p) g -> all_small (toZ p) (squares g n).
Proof. by elim: n g => [n IH|n IH|] g gs /=; split=> //; apply/IH/small_mulmod. Qed.

Lemma small_pow S e acc : all_small (toZ p) S -> small (toZ p) acc -> small (toZ p) (pow S e acc).
Proof.
elim: S e acc => //= g S IH e acc [gs Ss] accs; case: ifP => // _; apply: IH => //.
by case: (is_odd e) => //; apply: small_mulmod.
Qed.

(* the inverse of a, if a ^ (p - 2) is one                                       *)
Definition inverse (a : word) : option word :=
  let k := Z.to_pos (toZ p - 2) in
  let b := pow (squares a k) (ofZ (Zpos k)) one_word in
  if is_one (mulmod a b) then Some b else None.

Lemma inverseE a b : small (toZ p) a -> inverse a = Some b ->
  small (toZ p) b /\ (toZ a * toZ b) mod toZ p = 1.
Proof.
move=> sa; rewrite /inverse; set c := pow _ _ _; case: ifP => // /Z.eqb_eq ab [<-].
have sc : small (toZ p) c by apply: small_pow; [apply: all_small_squares|rewrite /small (_ : toZ one_word = 1) //; lia].
by split=> //; rewrite -mulmodE.
Qed.

Definition scaled_words (c : word) (s : seq word) : seq word := [seq mulmod c x | x <- s].

Lemma all_small_scaled c s : small (toZ p) c -> all_small (toZ p) s -> all_small (toZ p) (scaled_words c s).
Proof. by move=> cs; elim: s => //= x s IH [xs ss]; split; [apply: small_mulmod|apply: IH]. Qed.

End Modulo.
