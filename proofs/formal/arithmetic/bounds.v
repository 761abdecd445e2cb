(* What follows about expressions and comparisons from bounds of the quantities.  *)
(*                                                                                *)
(*        interval == a lower and an upper bound, each of which may be missing     *)
(*       range b e == bounds of an expression from bounds b of the quantities      *)
(*        decide b p == whether a comparison holds, where the bounds decide it     *)
(*   rangeP, decideP == these are right wherever the bounds are                   *)
From Coq Require Import ZArith Lia Bool.
From Attest Require Export comparisons.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

Definition interval := (option Z * option Z)%type.

Definition within (x : Z) (i : interval) : Prop :=
  match fst i with Some l => l <= x | None => True end /\
  match snd i with Some u => x <= u | None => True end.

Definition exactly (x : Z) : interval := (Some x, Some x).

Section Ranges.
Variables (Q : Type) (b : Q -> interval).

Definition lift2 (f : Z -> Z -> Z) (x y : option Z) : option Z :=
  match x, y with Some x, Some y => Some (f x y) | _, _ => None end.

(* the bound that is there                                                      *)
Definition either (f : Z -> Z -> Z) (x y : option Z) : option Z :=
  match x, y with Some x, Some y => Some (f x y) | Some x, None => Some x | None, y => y end.

Definition times (x y : interval) : interval :=
  match x, y with
  | (Some l, Some u), (Some l', Some u') =>
    (Some (Z.min (Z.min (l * l') (l * u')) (Z.min (u * l') (u * u'))),
     Some (Z.max (Z.max (l * l') (l * u')) (Z.max (u * l') (u * u'))))
  | _, _ => (None, None)
  end.

Definition quotient (x y : interval) : interval :=
  match y with
  | (Some l, Some u) =>
    if (l =? u) && (0 <? l)
    then (option_map (fun a => a / l) (fst x), option_map (fun a => a / l) (snd x))
    else (None, None)
  | _ => (None, None)
  end.

Fixpoint range (e : expr Q) : interval :=
  match e with
  | Const z => exactly z
  | Qty q => b q
  | Add x y => let x := range x in let y := range y in
    (lift2 Z.add (fst x) (fst y), lift2 Z.add (snd x) (snd y))
  | Sub x y => let x := range x in let y := range y in
    (lift2 Z.sub (fst x) (snd y), lift2 Z.sub (snd x) (fst y))
  | Mul x y => times (range x) (range y)
  | Div x y => quotient (range x) (range y)
  | Min x y => let x := range x in let y := range y in
    (lift2 Z.min (fst x) (fst y), either Z.min (snd x) (snd y))
  | Max x y => let x := range x in let y := range y in
    (either Z.max (fst x) (fst y), lift2 Z.max (snd x) (snd y))
  end.

Definition at_least (x y : interval) : option bool :=
  match fst x, snd y with
  | Some l, Some u => if u <=? l then Some true else
      match snd x, fst y with Some u', Some l' => if u' <? l' then Some false else None | _, _ => None end
  | _, _ =>
      match snd x, fst y with Some u', Some l' => if u' <? l' then Some false else None | _, _ => None end
  end.

Definition and3 (x y : option bool) : option bool :=
  match x, y with
  | Some false, _ => Some false | _, Some false => Some false
  | Some true, Some true => Some true | _, _ => None
  end.

Fixpoint decide (p : comparison Q) : option bool :=
  match p with
  | AtLeast x y => at_least (range x) (range y)
  | AtMost x y => at_least (range y) (range x)
  | Equal x y => and3 (at_least (range x) (range y)) (at_least (range y) (range x))
  | Both p q => and3 (decide p) (decide q)
  | Decided x =>
    match range x with (Some l, Some u) => if l =? u then Some true else None | _ => None end
  end.

Variable v : Q -> Z.
Hypothesis bv : forall q, within (v q) (b q).

Lemma product_corners l u l' u' x y : l <= x <= u -> l' <= y <= u' ->
  Z.min (Z.min (l * l') (l * u')) (Z.min (u * l') (u * u')) <= x * y /\
  x * y <= Z.max (Z.max (l * l') (l * u')) (Z.max (u * l') (u * u')).
Proof.
intros X Y.
assert (A : forall z, l <= z <= u -> Z.min (z * l') (z * u') <= z * y /\ z * y <= Z.max (z * l') (z * u')).
{ intros z _; destruct (Z.le_ge_cases 0 z); nia. }
assert (B : forall z, Z.min (l * z) (u * z) <= x * z /\ x * z <= Z.max (l * z) (u * z)).
{ intros z; destruct (Z.le_ge_cases 0 z); nia. }
generalize (A x X) (B l') (B u'); lia.
Qed.

Lemma rangeP e : within (value v e) (range e).
Proof.
induction e as [z|q|x IHx y IHy|x IHx y IHy|x IHx y IHy|x IHx y IHy|x IHx y IHy|x IHx y IHy]; simpl.
- split; simpl; lia.
- apply bv.
- destruct (range x) as [[|] [|]], (range y) as [[|] [|]], IHx, IHy; split; simpl in *; trivial; lia.
- destruct (range x) as [[|] [|]], (range y) as [[|] [|]], IHx, IHy; split; simpl in *; trivial; lia.
- destruct (range x) as [[|] [|]], (range y) as [[|] [|]], IHx, IHy; split; simpl in *; trivial;
    apply product_corners; lia.
- unfold quotient; destruct (range y) as [[l|] [u|]]; try (split; simpl; trivial; fail).
  destruct (Z.eqb_spec l u) as [<-|]; [|split; simpl; trivial].
  destruct (Z.ltb_spec 0 l) as [l0|]; [|split; simpl; trivial].
  destruct IHy as [Y Y']; simpl in Y, Y'; replace (value v y) with l by lia.
  destruct (range x) as [[|] [|]], IHx; split; simpl in *; trivial; apply Z.div_le_mono; assumption.
- destruct (range x) as [[|] [|]], (range y) as [[|] [|]], IHx, IHy; split; simpl in *; trivial; lia.
- destruct (range x) as [[|] [|]], (range y) as [[|] [|]], IHx, IHy; split; simpl in *; trivial; lia.
Qed.

Lemma at_leastP x y i j : within x i -> within y j ->
  match at_least i j with Some true => y <= x | Some false => x < y | None => True end.
Proof.
intros [I I'] [J J']; destruct i as [[l|] [u|]], j as [[l'|] [u'|]]; unfold at_least; simpl in *; trivial;
  try destruct (Z.leb_spec u' l); try destruct (Z.ltb_spec u l'); trivial; lia.
Qed.

Lemma decideP p :
  match decide p with Some true => meaning v p | Some false => ~ meaning v p | None => True end.
Proof.
induction p as [x y|x y|x y|p IHp q IHq|x]; simpl.
- generalize (at_leastP (rangeP x) (rangeP y)); destruct (at_least _ _) as [[|]|]; lia.
- generalize (at_leastP (rangeP y) (rangeP x)); destruct (at_least _ _) as [[|]|]; lia.
- generalize (at_leastP (rangeP x) (rangeP y)) (at_leastP (rangeP y) (rangeP x)).
  destruct (at_least (range x) _) as [[|]|], (at_least (range y) _) as [[|]|]; simpl; lia.
- destruct (decide p) as [[|]|], (decide q) as [[|]|]; simpl; tauto.
- destruct (range x) as [[l|] [u|]]; trivial; destruct (l =? u); trivial.
Qed.

End Ranges.

Lemma within_either (x : Z) (i j : interval) : within x i -> within x j ->
  within x (either Z.max (fst i) (fst j), either Z.min (snd i) (snd j)).
Proof.
intros [I I'] [J J']; destruct i as [[l|] [u|]], j as [[l'|] [u'|]]; split; simpl in *; trivial; lia.
Qed.
