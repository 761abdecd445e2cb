(* The proved checker, rules about matrices of rational numbers and about the Kruskal rank: minors             *)
(* modulo p, vectors that annihilate, independent subsets.                                                     *)
(*                                                                                                             *)
(*                 coordinates p C M == the rows M in as many coordinates as C has members                     *)
(*                normalized p acc M == the inverse of acc times all first entries of M, and the other entries *)
(*                                      of M, divided by the first                                             *)
(*         subsets_product p k acc M == acc times what must have an inverse for all k of the rows M to be      *)
(*                                      independent, in k coordinates                                          *)
(*             subsets_words p k w M == every k of the rows M of length w are independent modulo p             *)
(*   minor_rows_ok p h w M rows cols == a minor of M is not 0 modulo p                                         *)
(*       right_zero_ok, left_zero_ok == independent vectors x with M x = 0, y M = 0                            *)
(*                 subsets_mod p k V == every k of the vectors V are independent modulo p                      *)
(*                subsets_ok p w k V == the same, with words if that shows it                                  *)
(*              kruskal_ok p T w k V == every k of the T vectors V are independent                             *)
From Attest Require Import integers attention common kruskal upper_bounds problem literal_arithmetic logits.
From Attest Require Import words residues elimination.

Local Notation Z := BinNums.Z.

(* ==================================================================================================== *)
(* All subsets of k vectors, modulo a prime                                                             *)
(* ==================================================================================================== *)
(* Vectors are mapped to k coordinates by a matrix of pseudo-random entries, whatever they are: what is *)
(* independent there was so before. Divided by their first entries, k vectors are independent exactly   *)
(* when the differences of k - 1 of them to the other are, without this entry. In the end this leaves   *)
(* one number for each vector; all differences of two such numbers, over all subsets, are multiplied,   *)
(* and their product must have an inverse.                                                              *)

Section Program.
Variable p : word.

(* x_(i + 1) = x_i ^ 2 + i                                                           *)
Fixpoint draws (w : nat) (x i : word) : seq word :=
  if w is w'.+1 then x :: draws w' (rem (muladd i x x) p) (muladd i one_word one_word) else [::].
Fixpoint random_columns (k w : nat) (x : word) : seq (seq word) :=
  if k is k'.+1 then let c := draws w x one_word in c :: random_columns k' w (last x c) else [::].

Fixpoint product (acc : word) (c r : seq word) : word :=
  match c, r with
  | a :: c', y :: r' => product (rem (muladd acc a y) p) c' r'
  | _, _ => acc
  end.
Definition coordinates (C : seq (seq word)) (M : seq (seq word)) : seq (seq word) :=
  [seq [seq product zero c r | c <- C] | r <- M].

Fixpoint normalized (acc : word) (M : seq (seq word)) : option (word * seq (seq word)) :=
  if M is r :: M' then
    let x := head zero r in
    if normalized (mulmod p acc x) M' is Some (v, N) then
      Some (mulmod p v x, scaled_words p (mulmod p v acc) (behead r) :: N)
    else None
  else if inverse p acc is Some v then Some (v, [::]) else None.

(* s - r, where c are the entries of r subtracted from p                              *)
Fixpoint sums_of (s c : seq word) : seq word :=
  match s, c with
  | x :: s', y :: c' => muladd x one_word y :: sums_of s' c'
  | [::], _ => c
  | _, [::] => s
  end.

(* acc times what k of the differences of N to r are to have inverses of; numbers, if k is 1 *)
Definition times_differences (rest : word -> seq (seq word) -> word) (k : nat) (acc : word) (r : seq word)
    (N : seq (seq word)) : word :=
  let c := [seq sub p x | x <- r] in
  if k is 1 then
    let y := head p c in
    foldl (fun a s => mulmod p a (muladd (head zero s) one_word y)) acc N
  else if (size N < k)%N then acc else rest acc [seq sums_of s c | s <- N].

Fixpoint each (f : word -> seq word -> seq (seq word) -> word) (acc : word) (N : seq (seq word)) : word :=
  if N is r :: N' then if is_zero acc then acc else each f (f acc r N') N' else acc.

Fixpoint subsets_product (k : nat) (acc : word) (M : seq (seq word)) : word :=
  match k with
  | 0 => acc
  | 1 => foldl (fun a r => mulmod p a (head zero r)) acc M
  | k'.+1 =>
    if normalized one_word M is Some (_, N) then each (times_differences (subsets_product k') k') acc N else zero
  end.

Definition subsets_words (k w : nat) (M : seq (seq word)) : bool :=
  isSome (inverse p (subsets_product k one_word (coordinates (random_columns k w (halved p)) M))).

End Program.

Section Free.
Variable F : fieldType.
Implicit Types (x : nat -> F) (X : seq (nat -> F)).

Definition over_first x : nat -> F := fun j => x j.+1 / x 0%N.

Lemma free_scaled n x X : x 0%N != 0 -> (forall y, List.In y X -> y 0%N != 0) ->
  free n [seq (fun j => y j - over_first x j) | y <- [seq over_first y | y <- X]] -> free n.+1 (x :: X).
Proof.
move=> x0 X0 fX [//|a c] /= [sc] c0.
pose c' := [seq ay.1 * ay.2 0%N | ay <- zip c X].
have sc' : size c' = size X by rewrite size_map size_zip sc minnn.
have E j : comb c' [seq (fun j => y j - over_first x j) | y <- [seq over_first y | y <- X]] j =
    comb c X j.+1 - comb c X 0%N * over_first x j.
  rewrite /c'; clear -sc X0; elim: c X sc X0 => [|b c IH] [|y X] //= => [_ _|[sc] X0].
    by rewrite /comb !big_nil mul0r subrr.
  have y0 : y 0%N != 0 by apply: X0; left.
  rewrite !comb_cons IH // => [|z zX]; last by apply: X0; right.
  by rewrite /over_first mulrBr mulrDl opprD [y _ / _]mulrC -mulrA mulVKf // addrACA.
have r0 := c0 0%N isT; rewrite comb_cons in r0.
have aE : comb c X 0%N = - (a * x 0%N) by apply/eqP; rewrite -addr_eq0 addrC r0.
have z' : forall b, b \in c' -> b = 0.
  apply: fX => [|j jn]; first by rewrite sc' !size_map.
  rewrite E aE; have := c0 j.+1 jn; rewrite comb_cons => <-.
  by rewrite mulNr opprK /over_first -mulrA [_ / _]mulrC mulVKf // addrC.
have cz : forall b, b \in c -> b = 0.
  rewrite /c' in z'; clear -sc X0 z'; elim: c X sc X0 z' => [|b c IH] [|y X] //= [sc] X0 z' b'.
  rewrite inE => /predU1P[->|bc].
    have /eqP : b * y 0%N = 0 by apply: z'; rewrite inE eqxx.
    by rewrite mulf_eq0 (negPf (X0 y (or_introl erefl))) orbF => /eqP.
  by apply: (IH X) bc => // [z zX|b'' b''c]; [apply: X0; right|apply: z'; rewrite inE b''c orbT].
move=> a'; rewrite inE => /predU1P[->|/cz//].
by move/eqP: r0; rewrite (comb0 X 0%N cz) addr0 mulf_eq0 (negPf x0) orbF => /eqP.
Qed.

Definition imaged w (A : nat -> nat -> F) x : nat -> F := fun j => \sum_(l < w) A j l * x l.

Lemma free_imaged n w A X : free n [seq imaged w A x | x <- X] -> free w X.
Proof.
move=> fX c sc c0; apply: fX; rewrite ?size_map // => j _.
have -> : comb c [seq imaged w A x | x <- X] j = \sum_(l < w) A j l * comb c X l.
  clear -sc; elim: c X sc => [|a c IH] [|x X] //= => [_|[sc]].
    by rewrite /comb big_nil big1 // => l _; rewrite big_nil mulr0.
  rewrite comb_cons IH // /imaged mulr_sumr -big_split /=; apply: eq_bigr => l _.
  by rewrite comb_cons mulrDr mulrCA.
by apply: big1 => l _; rewrite c0 ?mulr0.
Qed.

End Free.

Section Words.
Variables (F : numFieldType) (q : Z) (b : F) (g : Z).
Hypotheses (q1 : (1 < q)%coqZ) (q2 : (q * q * 2 <= limit)%coqZ) (bg : place q b g).
Let p := ofZ q.
Let qq : (q * q <= limit)%coqZ. Proof. by move: q1 q2; nia. Qed.
Let pE : toZ p = q. Proof. by apply: ofZ_id; move: q1 qq; nia. Qed.
Let pq : (1 < toZ p)%coqZ. Proof. by rewrite pE. Qed.
Let pp : (toZ p * toZ p <= limit)%coqZ. Proof. by rewrite pE. Qed.
Local Notation red := (red q b g).
Local Notation red_words := (red_words q b g).
Local Notation small2 := (small (2 * q)).

Let rem_small x : small q (rem x p).
Proof.
rewrite /small /rem quick_modE; case: ifP => [/andP[x0 _]|_]; last by rewrite /=; lia.
by rewrite pE; apply: Z.mod_pos_bound; lia.
Qed.

Let mul_small x y : small q (mulmod p x y). Proof. exact: rem_small. Qed.
Let small_2 x : small q x -> small2 x. Proof. by apply: small_le; lia. Qed.
Let small_zero : small q zero. Proof. by rewrite /small toZ_zero; lia. Qed.
Let small_one : small q one_word. Proof. by rewrite /small (_ : toZ one_word = 1%coqZ) //; lia. Qed.

Let mulE x y : small q x -> small2 y -> toZ (mulmod p x y) = ((toZ x * toZ y) mod q)%coqZ.
Proof.
move=> [x0 xq] [y0 yq]; have xy : (0 <= toZ x * toZ y < limit)%coqZ.
  by split; [nia|apply: Z.lt_le_trans q2; nia].
by rewrite /mulmod remE ?muladdE ?toZ_zero ?pE //; lia.
Qed.

Let mul_eqm x y : small q x -> small2 y -> eqm q (toZ (mulmod p x y)) (toZ x * toZ y).
Proof. by move=> xs ys; rewrite mulE //; apply: eqm_mod; apply: p_neq0. Qed.

Let red_mulmod x y a c : red x (toZ a) -> red y (toZ c) -> small q a -> small2 c -> red (x * y) (toZ (mulmod p a c)).
Proof. by move=> xa yc sa sc; rewrite mulE //; apply: (red_mod q1); apply: red_mul. Qed.

Let unitm_factor a c : unitm q (a * c) -> unitm q a /\ unitm q c.
Proof.
move=> [u ue]; split; first by exists (u * c); rewrite -mulrA [c * a]mulrC.
by exists (u * a); rewrite -mulrA.
Qed.

Let unit_mulmod x y : small q x -> small2 y -> unitm q (toZ (mulmod p x y)) -> unitm q (toZ x) /\ unitm q (toZ y).
Proof. by move=> xs ys u; apply/unitm_factor/(unitm_eqm u)/mul_eqm. Qed.

Let inverse_unit a u : small q a -> inverse p a = Some u -> small q u /\ eqm q (toZ a * toZ u) 1.
Proof.
move=> sa I; have := inverseE pq pp; rewrite pE => /(_ _ _ sa I)[us au]; split=> //.
by have := eqm_sym (eqm_mod (toZ a * toZ u)%coqZ (p_neq0 q1)); rewrite au.
Qed.

Let head_small B r : (0 < B)%coqZ -> all_small B r -> small B (head zero r).
Proof. by move=> B0 rs; rewrite -nth0; apply: small_nth. Qed.

(* what the rows M are the residues of                                               *)
Definition residues_of (X : seq (nat -> F)) (M : seq (seq word)) : Prop :=
  Forall2 (fun x r => red_words x r /\ all_small (2 * q) r) X M.

Lemma residues_cons x X r M : residues_of (x :: X) (r :: M) <->
  [/\ red_words x r, all_small (2 * q) r & residues_of X M].
Proof. by split=> [H|[xr rs XM]]; [inversion H as [|? ? ? ? [] ]; split|constructor]. Qed.

(* -------------------------------------------------------------------------- *)
(* coordinates                                                                      *)
(* -------------------------------------------------------------------------- *)
Lemma red_product acc x c r y w : red y (toZ acc) -> small q acc -> red_words x r -> all_small q r -> all_small q c ->
    (size c <= w)%N ->
  red (y + \sum_(l < w) toF F (toZ (nth zero c l)) * x l) (toZ (product p acc c r)) /\ small q (product p acc c r).
Proof.
elim: c r acc x y w => [|a c IH] r acc x y w ya sacc xr rs cs cw.
  split=> //=; rewrite big1 ?addr0 // => l _; rewrite nth_nil toZ_zero rmorph0; exact: mul0r.
case: r xr rs => [|z r] xr rs.
  split=> //; have : red (\sum_(l < w) toF F (toZ (nth zero (a :: c) l)) * x l) (\sum_(l < w) 0).
    apply: red_sum => l _; have := red_mul (red_int q b g (toZ (nth zero (a :: c) l))) (xr l).
    by rewrite [nth zero [::] l]nth_nil mulr0.
  by rewrite [X in red _ X]big1 // => z; have := red_add ya z; rewrite addr0.
case: w cw => // w cw; rewrite big_ord_recl addrA /=.
have [[as_ cs'] [zs rs']] := (cs, rs).
have bound : (0 <= toZ acc + toZ a * toZ z < limit)%coqZ.
  by case: sacc as_ zs => ? ? [? ?] [? ?]; split; nia.
have E : toZ (muladd acc a z) = (toZ acc + toZ a * toZ z)%coqZ.
  by case: sacc as_ zs bound => ? ? [? ?] [? ?] [? ?]; apply: muladdE.
apply: (IH r (rem (muladd acc a z) p) (fun l => x l.+1)) => //; last by move=> l; apply: (xr l.+1).
rewrite remE ?E ?pE; try lia.
by apply: (red_mod q1); apply: red_add => //; apply: red_mul; [apply: red_int|apply: (xr 0%N)].
Qed.

Lemma draws_small w x i : small q x -> all_small q (draws p w x i).
Proof. by elim: w x i => //= w IH x i xs; split=> //; apply: IH. Qed.

Lemma size_draws w x i : size (draws p w x i) = w.
Proof. by elim: w x i => //= w IH x i; rewrite IH. Qed.

Lemma columns_small k w x c : small q x -> List.In c (random_columns p k w x) -> all_small q c /\ size c = w.
Proof.
elim: k x => //= k IH x xs [<-|]; first by rewrite size_draws; split=> //; apply: draws_small.
apply: IH; have := draws_small w one_word xs; have := size_draws w x one_word; move: (draws _ _ _ _) => s _ ss.
by elim: s x xs ss => //= y s IHs x xs [ys ss]; apply: IHs.
Qed.

Lemma size_columns k w x : size (random_columns p k w x) = k.
Proof. by elim: k x => //= k IH x; rewrite IH. Qed.

Lemma residues_images X M w (C : seq (seq word)) : (forall c, List.In c C -> all_small q c /\ size c = w) ->
    Forall2 (fun x r => red_words x r /\ all_small q r) X M ->
  residues_of [seq imaged w (fun j l => toF F (toZ (nth zero (nth [::] C j) l))) x | x <- X] (coordinates p C M).
Proof.
move=> Cs XM; apply: Forall2_map2 XM => x r [xr rs].
have col c : List.In c C -> red (\sum_(l < w) toF F (toZ (nth zero c l)) * x l) (toZ (product p zero c r)) /\
    small q (product p zero c r).
  move=> /Cs[cs cw]; have := @red_product zero x c r 0 w; rewrite add0r; apply=> //; last by rewrite cw.
  by rewrite toZ_zero; have := red_int q b g 0; rewrite rmorph0.
split=> [j|]; last first.
  elim: (C) col => //= c C' IH col; split; first by apply/small_2/(proj2 (col c (or_introl erefl))).
  by apply: IH => c' c'C; apply: col; right.
rewrite /imaged; have [jC|Cj] := ltnP j (size C).
  rewrite (nth_map [::]) //; apply: (proj1 (col _ _)).
  by elim: (C) j jC {col Cs} => //= c C' IH [|j] jC; [left|right; apply: IH].
rewrite [nth _ (map _ _) _]nth_default ?size_map // [nth _ C j]nth_default // big1; last first.
  by move=> l _; rewrite nth_nil toZ_zero rmorph0; apply: mul0r.
by have := red_int q b g 0; rewrite rmorph0.
Qed.

(* -------------------------------------------------------------------------- *)
(* first entries 1                                                             *)
(* -------------------------------------------------------------------------- *)
Lemma normalizedP acc X M v N : small q acc -> residues_of X M -> normalized p acc M = Some (v, N) ->
  [/\ small q v, eqm q (toZ acc * toZ v) 1, forall x, List.In x X -> x 0%N != 0 &
    Forall2 (fun x r => red_words x r /\ all_small q r) [seq over_first x | x <- X] N].
Proof.
move=> + XM; elim: XM acc v N => {X M} [|x r X M [xr rs] _ IH] acc v N sacc /=.
  by case I: (inverse p acc) => [u|] // [<- <-]; have [us au] := inverse_unit sacc I; split.
have hs : small2 (head zero r) by apply: head_small => //; lia.
case E: (normalized _ _ _) => [[u N']|] // [<- <-].
have [us au X0 XN] := IH _ _ _ (mul_small _ _) E; have ax := mul_eqm sacc hs.
have one : eqm q (toZ acc * toZ (head zero r) * toZ u) 1.
  by apply: eqm_trans au; apply: eqmM (eqm_refl _ _); apply: eqm_sym.
have xu : eqm q (toZ (head zero r) * toZ (mulmod p u acc)) 1.
  apply: eqm_trans one; rewrite -mulrA mulrCA; apply: eqmM (eqm_refl _ _) _.
  by rewrite [_ * toZ u]mulrC; apply: mul_eqm => //; apply: small_2.
have x0 : red (x 0%N) (toZ (head zero r)) by rewrite -nth0; apply: xr.
have ix := red_inv q1 bg x0 xu.
split=> //.
- apply: eqm_trans one; rewrite [toZ acc * _ * _]mulrAC -mulrA; apply: eqmM (eqm_refl _ _) _.
  exact: mul_eqm.
- move=> y [<-|/X0//]; apply: (red_neq0 q1 bg x0).
  by exists (toZ (mulmod p u acc)); rewrite mulrC.
constructor=> //; split=> [j|]; last first.
  by elim: (behead r) => //= y s IHs; split.
have := xr j.+1; have : all_small (2 * q) (behead r) by case: (r) rs => //= y s [].
have -> : nth zero r j.+1 = nth zero (behead r) j by case: (r) => //; rewrite !nth_nil.
move=> bs xj; have [jr|rj] := ltnP j (size (behead r)).
  rewrite (nth_map zero) // /over_first mulrC; apply: red_mulmod => //.
  by apply: small_nth => //; lia.
rewrite nth_default ?size_map // toZ_zero; rewrite nth_default // toZ_zero in xj.
by have := red_mul xj ix; rewrite mul0r.
Qed.

(* -------------------------------------------------------------------------- *)
(* differences                                                                 *)
(* -------------------------------------------------------------------------- *)
Lemma subP x a : red x (toZ a) -> small q a -> red (- x) (toZ (sub p a)) /\ (0 < toZ (sub p a) <= q)%coqZ.
Proof.
move=> xa [a0 aq]; have E : toZ (sub p a) = (q - toZ a)%coqZ by rewrite subE pE //; move: q1 qq; nia.
rewrite E; split; last by lia.
by apply: (red_eqm (red_opp xa)); exists (- 1); change (- toZ a = q - toZ a + q * - 1)%coqZ; lia.
Qed.

Lemma plusP x y a c : red x (toZ a) -> small q a -> red y (toZ c) -> (0 <= toZ c <= q)%coqZ ->
  red (x + y) (toZ (muladd a one_word c)) /\ small2 (muladd a one_word c).
Proof.
move=> xa [a0 aq] yc [c0 cq].
have E : toZ (muladd a one_word c) = (toZ a + toZ c)%coqZ.
  have o1 : toZ one_word = 1%coqZ by [].
  have : (toZ a + toZ c < limit)%coqZ by apply: Z.lt_le_trans q2; nia.
  by move=> l; rewrite muladdE ?o1 ?Z.mul_1_l //; lia.
by rewrite /small E; split; [apply: red_add|lia].
Qed.

Fixpoint at_most (B : Z) (r : seq word) : Prop := if r is x :: r' then (0 <= toZ x <= B)%coqZ /\ at_most B r' else True.

Lemma red_negated x r : red_words x r -> all_small q r ->
  red_words (fun j => - x j) [seq sub p y | y <- r] /\ at_most q [seq sub p y | y <- r].
Proof.
elim: r x => [|y r IH] x xr /=.
  by split=> // j; have := red_opp (xr j); rewrite nth_nil oppr0.
move=> [ys rs]; have [xy [y0 yq]] := subP (xr 0%N) ys; have [IH1 IH2] := IH (fun j => x j.+1) (fun j => xr j.+1) rs.
split; first by case=> [|j]; [exact: xy|exact: IH1].
by split=> //; split=> //; apply: Z.lt_le_incl.
Qed.

Lemma red_plus x y s c : red_words x s -> all_small q s -> red_words y c -> at_most q c ->
  red_words (fun j => x j + y j) (sums_of s c) /\ all_small (2 * q) (sums_of s c).
Proof.
have wide r : all_small q r -> all_small (2 * q) r by apply: all_small_le; lia.
have wide' r : at_most q r -> all_small (2 * q) r.
  by elim: r => //= z r IH [zq /IH]; split=> //; rewrite /small; lia.
elim: s c x y => [|a s IH] c x y xs ss yc cs /=.
  split; last by apply: wide'; case: (c) cs.
  move=> j; have := red_add (xs j) (yc j); rewrite nth_nil toZ_zero add0r.
  by case: (c).
case: c yc cs => [|z c] yc cs.
  split; last exact: wide.
  by move=> j; have := red_add (xs j) (yc j); rewrite [nth _ [::] _]nth_nil toZ_zero addr0.
case: ss cs => as_ ss [zs cs]; have [az azs] := plusP (xs 0%N) as_ (yc 0%N) zs.
have [IH1 IH2] := IH c (fun j => x j.+1) (fun j => y j.+1) (fun j => xs j.+1) ss (fun j => yc j.+1) cs.
by split; [case|split].
Qed.

(* -------------------------------------------------------------------------- *)
(* products                                                                    *)
(* -------------------------------------------------------------------------- *)
Lemma product_units (A : Type) (f : A -> word) s acc : small q acc -> (forall a, List.In a s -> small2 (f a)) ->
    unitm q (toZ (foldl (fun a x => mulmod p a (f x)) acc s)) ->
  unitm q (toZ acc) /\ forall a, List.In a s -> unitm q (toZ (f a)).
Proof.
elim: s acc => [|x s IH] acc sacc fs /= u; first by split.
have [ax us] := IH _ (mul_small _ _) (fun a aS => fs a (or_intror aS)) u.
by have [aU xU] := unit_mulmod sacc (fs x (or_introl erefl)) ax; split=> // a [<-|/us].
Qed.

Lemma products_small (A : Type) (f : A -> word) s acc : small q acc -> small q (foldl (fun a x => mulmod p a (f x)) acc s).
Proof. by elim: s acc => //= x s IH acc _; apply: IH. Qed.

Lemma free_one (x : nat -> F) : x 0%N != 0 -> free 1 [:: x].
Proof.
move=> x0 [//|a [|//]] _ c0 a'; rewrite inE => /eqP ->.
have /eqP := c0 0%N isT; rewrite comb_cons /comb big_nil addr0 mulf_eq0 (negPf x0) orbF.
by move/eqP.
Qed.

Lemma in_mask (A B : Type) (P : A -> B -> Prop) X M m x : Forall2 P X M -> List.In x (mask m X) ->
  exists2 r, List.In r M & P x r.
Proof.
move=> XM; elim: XM m => [|y r X' M' yr _ IH] [|[] m] //=.
  by case=> [<-|/IH[s sM xs]]; [exists r => //; left|exists s => //; right].
by move/IH => [s sM xs]; exists s => //; right.
Qed.

Definition independent k (X : seq (nat -> F)) : Prop :=
  forall m, size m = size X -> size (mask m X) = k -> free k (mask m X).

Definition right_about k (f : word -> seq (seq word) -> word) : Prop := forall acc X M, small q acc -> residues_of X M ->
  small q (f acc M) /\ (unitm q (toZ (f acc M)) -> unitm q (toZ acc) /\ independent k X).

Lemma differencesP k f acc x r X N : right_about k.+1 f -> small q acc -> red_words x r -> all_small q r ->
    Forall2 (fun x r => red_words x r /\ all_small q r) X N ->
  small q (times_differences p f k.+1 acc r N) /\
  (unitm q (toZ (times_differences p f k.+1 acc r N)) ->
    unitm q (toZ acc) /\ independent k.+1 [seq (fun j => y j - x j) | y <- X]).
Proof.
move=> fP sacc xr rs XN; have [xc cs] := red_negated xr rs.
rewrite /times_differences; set c := [seq sub p x | x <- r] in xc cs *; case: k fP => [|k] fP.
  split=> [|u]; first exact: products_small.
  have y0 : red (- x 0%N) (toZ (head p c)) /\ (0 <= toZ (head p c) <= q)%coqZ.
    move: cs (xc 0%N); rewrite /c; case: (r) => [|z r'] c's x0; last first.
      by have [zq _] : (0 <= toZ (sub p z) <= q)%coqZ /\ at_most q [seq sub p x | x <- r'] := c's; split.
    rewrite [head _ _](_ : _ = p) // pE; split; last by lia.
    by apply: (red_eqm x0); exists (- 1); change (0 = q + q * - 1)%coqZ; lia.
  have heads s : List.In s N -> small2 (muladd (head zero s) one_word (head p c)).
    move=> sN; have [y [ys ss]] : exists y : nat -> F, red_words y s /\ all_small q s.
      by elim: XN sN => //= y s' X' N' H _ IHX [<-|/IHX//]; exists y.
    by have [] := @plusP (y 0%N) _ (head zero s) _ _ _ (proj1 y0) (proj2 y0); rewrite -?nth0 //; apply: small_nth => //; lia.
  have [aU us] := product_units sacc heads u; split=> // m _ sm.
  rewrite -map_mask in sm *; case E: (mask m X) sm => [|y [|//]] // _.
  have [|s sN [ys ss]] := in_mask (m := m) (x := y) XN; first by rewrite E; left.
  apply: free_one; apply: (red_neq0 q1 bg) (us _ sN).
  have hs : small q (head zero s) by rewrite -nth0; apply: small_nth => //; lia.
  by have [] := @plusP (y 0%N) _ (head zero s) _ _ hs (proj1 y0) (proj2 y0); rewrite -?nth0.
case: ifP => [sN|_].
  split=> // u; split=> // m smX sm; exfalso; move: sN; apply/negP; rewrite -leqNgt -sm -(Forall2_size XN) size_mask //.
  by apply: leq_trans (count_size _ _) _; rewrite smX size_map.
apply: (fP acc _ _ sacc); apply: Forall2_map2 XN => y s [ys ss].
exact: red_plus.
Qed.

Lemma eachP k f acc X N : right_about k.+1 f -> small q acc -> Forall2 (fun x r => red_words x r /\ all_small q r) X N ->
  small q (each (times_differences p f k.+1) acc N) /\
  (unitm q (toZ (each (times_differences p f k.+1) acc N)) -> unitm q (toZ acc) /\
    forall m x Y, size m = size X -> mask m X = x :: Y -> size Y = k.+1 -> free k.+1 [seq (fun j => y j - x j) | y <- Y]).
Proof.
move=> fP sacc XN; elim: XN acc sacc => {X N} [|x r X N [xr rs] XN IH] acc sacc /=.
  by split=> // u; split=> // m x Y; rewrite mask0.
case: ifP => [/Z.eqb_eq z|_]; first by split=> //; rewrite z => /(unitm0 q1).
have [sd dP] := differencesP fP sacc xr rs XN; have [se eP] := IH _ sd.
split=> // /eP[/dP[aU ind] rest]; split=> // -[|[] m] // x' Y [sm] /=; last exact: rest.
by case=> <- <- sY; rewrite map_mask; apply: ind; rewrite ?size_map // -map_mask size_map.
Qed.

Lemma subsets_productP k : right_about k (subsets_product p k).
Proof.
elim: k => [|[|k] IH] acc X M sacc XM.
- by split=> //= u; split=> // m _ /size0nil -> [|a c].
- split=> [|u]; first exact: products_small.
  have heads r : List.In r M -> small2 (head zero r).
    move=> rM; apply: head_small; first by lia.
    by elim: XM rM => //= x s X' M' [_ ss] _ IHX [<-//|/IHX].
  have [aU us] := product_units sacc heads u; split=> // m _ sm.
  case E: (mask m X) sm => [|x [|//]] // _.
  have [|r rM [xr _]] := in_mask (m := m) (x := x) XM; first by rewrite E; left.
  by apply: free_one; apply: (red_neq0 q1 bg (xr 0%N)); rewrite nth0; apply: us.
rewrite [subsets_product _ _ _ _]/=; case E: (normalized _ _ _) => [[v N]|]; last first.
  by split=> // u; case: (unitm0 q1); move: u; rewrite toZ_zero.
have [_ _ X0 XN] := normalizedP small_one XM E.
have [se eP] := eachP IH sacc XN; split=> // /eP[aU H]; split=> // m sm sk.
case E': (mask m X) sk => [//|x Y] [sY].
have inX y : List.In y (x :: Y) -> List.In y X.
  by rewrite -E'; elim: (X) (m) => [|z X' IHX] [|[] m'] //= => [[->|/IHX]|/IHX]; [left|right|right].
apply: free_scaled => [|y yY|]; [by apply/X0/inX; left|by apply/X0/inX; right|].
by apply: (H m (over_first x)); rewrite ?size_map // -map_mask E'.
Qed.

Lemma red_residues X V : Forall2 (red_row q b g) X V ->
  Forall2 (fun x r => red_words x r /\ all_small q r) X [seq residues q r | r <- V].
Proof.
have ql : (q <= limit)%coqZ by move: q1 qq; nia.
move=> XV; rewrite -[X in Forall2 _ X _]map_id; apply: Forall2_map2 XV => x r xr.
split=> [j|]; last exact: all_small_residues.
have [jr|rj] := ltnP j (size r).
  by rewrite (nth_map 0%coqZ) // quick_modE residueE //; apply: (red_mod q1).
by rewrite nth_default ?size_map // toZ_zero; have := xr j; rewrite nth_default.
Qed.

Lemma subsets_wordsP k w X M m : Forall2 (fun x r => red_words x r /\ all_small q r) X M ->
  subsets_words p k w M -> size m = size X -> size (mask m X) = k -> free w (mask m X).
Proof.
have seed : small q (halved p) by move: (halvedE p); rewrite /small pE; case: (is_odd p); lia.
move=> XM; rewrite /subsets_words; case I: (inverse _ _) => [u|] // _ sm sk.
have XI := residues_images (fun c => @columns_small k w (halved p) c seed) XM.
have [ss us] := subsets_productP k small_one XI.
have [|_ ind] := us; first by have [_ pu] := inverse_unit ss I; exists (toZ u); rewrite mulrC.
apply: (@free_imaged F k w); rewrite map_mask; apply: ind; rewrite ?size_map //.
by rewrite -map_mask size_map.
Qed.

End Words.

(* ============================================================================ *)
(* Matrices of rational numbers                                                 *)
(* ============================================================================ *)

Lemma flatten_nth (A : Type) (a : A) (s : seq (seq A)) w h j : all (fun r => size r == w) s -> (j < w)%N -> (h < size s)%N ->
  nth a (flatten s) (h * w + j) = nth a (nth [::] s h) j.
Proof.
move=> + jw; elim: s h => // r s IH [|h] /= /andP[/eqP sr als] hs; rewrite nth_cat sr.
  by rewrite mul0n add0n jw.
by rewrite mulSn -addnA ltnNge leq_addr addKn; apply: IH.
Qed.

(* rows of a matrix, one after the other                                            *)
Lemma mxvec_index_val m n (i : 'I_m) (j : 'I_n) : mxvec_index i j = (i * n + j)%N :> nat.
Proof.
have kE : nth (i, j) (enum [finType of 'I_m * 'I_n]) (i * n + j) = (i, j).
  have rows : all (fun r => size r == n) [seq [seq (x, y) | y <- enum 'I_n] | x <- enum 'I_m].
    by apply/allP => r /mapP[x _ ->]; rewrite size_map size_enum_ord.
  have im : (i < size [seq [seq (x, y) | y <- enum 'I_n] | x <- enum 'I_m])%N by rewrite size_map size_enum_ord.
  rewrite enumT unlock; apply: etrans (flatten_nth (i, j) rows (ltn_ord j) im) _.
  by rewrite (nth_map i) ?size_enum_ord // (nth_map j) ?size_enum_ord // !nth_ord_enum.
have kN : (i * n + j < size (enum [finType of 'I_m * 'I_n]))%N.
  rewrite -cardE card_prod !card_ord; apply: leq_trans (_ : i.+1 * n <= _)%N.
    by rewrite mulSn addnC ltn_add2r.
  by rewrite leq_mul2r ltn_ord orbT.
have rN : (enum_rank (i, j) < size (enum [finType of 'I_m * 'I_n]))%N by rewrite -cardE ltn_ord.
have := index_uniq (i, j) rN (enum_uniq [finType of 'I_m * 'I_n]); rewrite nth_enum_rank => rE.
have := index_uniq (i, j) kN (enum_uniq [finType of 'I_m * 'I_n]); rewrite kE => <-.
by rewrite /mxvec_index /= rE.
Qed.

(* Members at increasing indices, by one walk: gaps are how many are between them    *)
Fixpoint gaps (from : nat) (js : seq nat) : option (seq nat) :=
  if js is j :: js' then
    if (from <= j)%N then omap (cons (j - from)%N) (gaps j.+1 js') else None
  else Some [::].

Fixpoint at_gaps (A : Type) (x0 : A) (s : seq A) (gs : seq nat) : seq A :=
  if gs is g :: gs' then let s' := drop g s in head x0 s' :: at_gaps x0 (behead s') gs' else [::].

Definition members_at (A : Type) (x0 : A) (js : seq nat) (gs : option (seq nat)) (s : seq A) : seq A :=
  if gs is Some gs then at_gaps x0 s gs else [seq nth x0 s j | j <- js].

Lemma members_atE (A : Type) (x0 : A) js s : members_at x0 js (gaps 0 js) s = [seq nth x0 s j | j <- js].
Proof.
rewrite /members_at; case E: (gaps 0 js) => [gs|] //.
suff H k : gaps k js = Some gs -> at_gaps x0 (drop k s) gs = [seq nth x0 s j | j <- js].
  by have := H 0%N E; rewrite drop0.
elim: js k gs {E} => [|j js IH] k gs /=; first by case=> <-.
case: leqP => // kj; case E: (gaps j.+1 js) => [gs'|] //= [<-] /=.
by rewrite drop_drop subnK // -nth0 nth_drop addn0 -[in RHS](IH _ _ E) -drop1 drop_drop add1n.
Qed.

Definition minor_rows_ok (p : Z) (h w : nat) (M : seq (seq Z)) (rows cols : seq nat) : bool :=
  [&& (1 <? p)%coqZ, all (fun t => t < h)%N rows, all (fun j => j < w)%N cols &
    let gs := gaps 0 cols in
    free_mod p (size cols) [seq members_at 0%coqZ cols gs r | r <- members_at [::] rows (gaps 0 rows) M]].

(* sum_i y_i M_i, exactly, in w columns                                         *)
Fixpoint combination (w : nat) (y : seq Z) (M : seq (seq Z)) : seq Z :=
  match y, M with
  | c :: y', r :: M' =>
    if (c =? 0)%coqZ then combination w y' M' else add_bias c (combination w y' M') r
  | _, _ => nseq w 0%coqZ
  end.

Definition independent_mod (p : Z) (w : nat) (V : seq (seq Z)) : bool := 
  [&& (1 <? p)%coqZ, all (fun r => size r <= w)%N V & free_mod p w V].

Definition right_zero_ok (p : Z) (w : nat) (M V : seq (seq Z)) : bool :=
  independent_mod p w V && all (fun r => (size r <= w)%N && all (fun x => dot r x =? 0)%coqZ V) M.

Definition left_zero_ok (p : Z) (h w : nat) (M Y : seq (seq Z)) : bool :=
  [&& independent_mod p h Y, all (fun r => size r <= w)%N M, all (fun y => size y <= h)%N Y, size M == h &
    all (fun y => all (fun x => x =? 0)%coqZ (combination w y M)) Y].

(* the first entry that is not 0 modulo p, its inverse times the row            *)
Definition pivot_mod (p : Z) (r : seq Z) : option (nat * seq Z) :=
  let j := find (fun x => ~~ (x mod p =? 0)%coqZ) r in
  match invmod p (nth 0%coqZ r j) with
  | Some u => Some (j, [seq ((u * x) mod p)%coqZ | x <- r])
  | None => None
  end.

(* every k of the rows are independent; subsets with a common beginning share its elimination *)
Fixpoint subsets_mod (p : Z) (k : nat) : seq (seq Z) -> bool :=
  if k is k'.+1 then
    fix loop (rows : seq (seq Z)) : bool :=
      if rows is r :: rs then
        loop rs && (if (size rs < k')%N then true
          else if pivot_mod p r is Some (j, r') then
            if k' is 0 then true
            else subsets_mod p k' [seq submul p (nth 0%coqZ s j) s r' | s <- rs]
          else false)
      else true
  else fun=> true.

(* The two largest primes below 2^30: the given modulus is needed if some subset is *)
(* dependent modulo these.                                                         *)
Definition subsets_moduli : seq Z := [:: 1073741789; 1073741783]%coqZ.
Definition subsets_at (w k : nat) (V : seq (seq Z)) (q : Z) : bool :=
  if k == size V then free_mod q w V else subsets_words (ofZ q) k w [seq residues q r | r <- V].
Fixpoint subsets_first (p : Z) (w k : nat) (V : seq (seq Z)) (moduli : seq Z) : bool :=
  if moduli is q :: moduli' then if subsets_at w k V q then true else subsets_first p w k V moduli' else subsets_mod p k V.
Definition subsets_ok (p : Z) (w k : nat) (V : seq (seq Z)) : bool := subsets_first p w k V subsets_moduli.

Lemma subsets_firstP p w k V moduli : subsets_first p w k V moduli -> has (subsets_at w k V) moduli \/ subsets_mod p k V.
Proof. by elim: moduli => [|q moduli IH] /=; [right|case: ifP => [|_ /IH]; [left|]]. Qed.

Section Rules.
Variable F : numFieldType.

Lemma minor_rows_rank p h w q M rows cols : minor_rows_ok p h w M rows cols ->
  (size rows <= \rank (mx F h w q M))%N.
Proof.
move=> /and4P[/Z.ltb_lt p1 rh cw]; rewrite /= members_atE (eq_map (members_atE 0%coqZ cols)) => fM; have bg := @place_two F p.
have [f fE] := ords_of rh; have [g gE] := ords_of cw.
rewrite -(mxrank_scale_nz _ (toF_pos F q)) mxS.
apply: (free_rank (f := f) (h := g)); apply: (free_modP p1 bg) fM.
have -> : [seq nth [::] M t | t <- rows] = [seq nth [::] M (f i) | i <- enum 'I_(size rows)].
  rewrite (eq_map (f2 := fun i : 'I_(size rows) => nth [::] M (nth 0%N rows i))); last by move=> i; rewrite fE.
  rewrite (map_comp (nth [::] M) (fun i : 'I_(size rows) => nth 0%N rows i)); congr map.
  rewrite (map_comp (nth 0%N rows) val) val_enum_ord.
  by apply: (@eq_from_nth _ 0%N) => [|i]; rewrite ?size_map ?size_iota // => ir;
    rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite -map_comp; elim: (enum _) => [|i s IHs] /=; constructor=> // k.
have [kc|ck] := ltnP k (size cols); last first.
  rewrite insubF ?ltnNge ?ck // nth_default ?size_map //.
  by have := red_int p (2%:R : F) 2%coqZ 0; rewrite rmorph0.
rewrite (insubT (fun j => j < size cols)%N kc) (nth_map 0%N) // mxE gE /=.
exact: red_int.
Qed.

Lemma independent_mod_rank p w V : independent_mod p w V -> (size V <= \rank (mx F (size V) w 1 V))%N.
Proof.
move=> /and3P[/Z.ltb_lt p1 sV fV]; have bg := @place_two F p.
apply: (free_rank (f := id) (h := id)); apply: (free_modP p1 bg) fV.
have VE : [seq nth [::] V (i : 'I_(size V)) | i <- enum 'I_(size V)] = V.
  rewrite (map_comp (nth [::] V) val) val_enum_ord.
  by apply: (@eq_from_nth _ [::]) => [|i]; rewrite ?size_map ?size_iota // => iV;
    rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite -[X in Forall2 _ _ X]VE.
elim: (enum _) => [|i s IHs] /=; constructor=> // k.
have [kw|wk] := ltnP k w; last first.
  rewrite insubF ?ltnNge ?wk // nth_default; first by have := red_int p (2%:R : F) 2%coqZ 0; rewrite rmorph0.
  by apply: leq_trans wk; apply: (all_nth_nil (P := fun r : seq Z => size r <= w)%N).
by rewrite (insubT (fun j => j < w)%N kw) mxE rmorph1 divr1; apply: red_int.
Qed.

Lemma right_zero_rank p h w q M V : size M = h -> right_zero_ok p w M V ->
  (\rank (mx F h w q M) <= w - size V)%N.
Proof.
move=> <- /andP[iV /allP ok]; have sV : all (fun r => size r <= w)%N V by case/and3P: iV.
rewrite -(mxrank_scale_nz _ (toF_pos F q)) mxS.
apply: leq_trans (kernel_rank (X := mx F (size V) w 1 V) _) _; last first.
  by apply: leq_sub2l; apply: independent_mod_rank iV.
apply/matrixP => i k; rewrite mxE [RHS]mxE.
have /andP[sr /allP/(_ (nth [::] V k))] := ok _ (mem_nth [::] (ltn_ord i)).
rewrite mem_nth // => /(_ isT)/Z.eqb_eq/(congr1 (toF F)); rewrite rmorph0 => d0; rewrite -[RHS]d0.
rewrite (dotE _ sr) rmorph_sum; apply: eq_bigr => j _.
by rewrite rmorphM !mxE rmorph1 divr1.
Qed.

Lemma nth_combination w y M j : all (fun r => size r <= w)%N M ->
  nth 0%coqZ (combination w y M) j = \sum_(i < size y) nth 0%coqZ y i * ent M i j.
Proof.
have sc y' M' : size (combination w y' M') = w.
  have sab c u b : size (add_bias c u b) = size u by elim: u b => [|x u IH] [|z b] //=; rewrite IH.
  by elim: y' M' => [|c y' IH] [|r M']; rewrite /= ?size_nseq //; case: ifP; rewrite ?sab.
elim: y M => [|c y IH] M /=; first by rewrite big_ord0 nth_nseq; case: ifP.
case: M => [_|r M /= /andP[sr sM]].
  rewrite nth_nseq big1 => [|i _]; first by case: ifP.
  by rewrite /ent nth_nil nth_nil mulr0.
rewrite big_ord_recl /=; have {}IH := IH M sM.
case: ifP => [/Z.eqb_eq ->|_]; first by rewrite mul0r add0r IH.
by rewrite nth_add_bias ?sc // IH addrC.
Qed.

Lemma left_zero_rank p h w q M Y : left_zero_ok p h w M Y ->
  (\rank (mx F h w q M) <= h - size Y)%N.
Proof.
case/and5P=> iY sM /allP sY /eqP sh /allP ok.
rewrite -(mxrank_scale_nz _ (toF_pos F q)) mxS -mxrank_tr.
apply: leq_trans (kernel_rank (X := mx F (size Y) h 1 Y) _) _; last first.
  by apply: leq_sub2l; apply: independent_mod_rank iY.
apply/matrixP => j k; rewrite mxE [RHS]mxE.
have Yk : nth [::] Y k \in Y by apply: mem_nth.
have /(all_nthP 0%coqZ)/(_ j) zero := ok _ Yk.
have : nth 0%coqZ (combination w (nth [::] Y k) M) j = 0%coqZ.
  have [/zero/Z.eqb_eq //|sj] := ltnP j (size (combination w (nth [::] Y k) M)).
  by rewrite nth_default.
rewrite nth_combination // => /(congr1 (toF F)); rewrite rmorph0 rmorph_sum => d0; rewrite -[RHS]d0.
rewrite (big_ord_widen h (fun i => toF F (nth 0%coqZ (nth [::] Y k) i * ent M i j))) ?sY //.
rewrite [RHS]big_mkcond; apply: eq_bigr => i _; rewrite !mxE rmorph1 divr1.
case: ifP => [_|iy]; first by rewrite rmorphM mulrC.
by rewrite /ent [nth 0%coqZ (nth [::] Y k) i]nth_default ?rmorph0 ?mulr0 // leqNgt iy.
Qed.

(* subsets                                                                      *)
Lemma free_pivot_at n (x : nat -> F) X j : (j < n)%N -> x j != 0 ->
  free n [seq (fun l => y l - y j * ((x j)^-1 * x l)) | y <- X] -> free n (x :: X).
Proof.
move=> jn x0 fX [//|a c] /= [sc] c0.
have E l : comb c [seq (fun l => y l - y j * ((x j)^-1 * x l)) | y <- X] l =
    comb c X l - comb c X j * ((x j)^-1 * x l).
  clear -sc; elim: c X sc => [|a c IH] [|y X] //= => [_|[sc]].
    by rewrite /comb !big_nil mul0r subrr.
  by rewrite !comb_cons IH // mulrBr mulrDl opprD !mulrA addrACA.
have r0 := c0 j jn; rewrite comb_cons in r0.
have aE : comb c X j = - (a * x j) by apply/eqP; rewrite -addr_eq0 addrC r0.
have cz : forall a', a' \in c -> a' = 0.
  apply: fX; rewrite ?size_map // => l ln; rewrite E aE.
  have := c0 l ln; rewrite comb_cons => <-.
  by rewrite mulNr opprK -mulrA mulVKf // addrC.
have c00 l : comb c X l = 0 by apply: comb0.
move=> a'; rewrite inE => /predU1P[->|/cz//].
by move/eqP: r0; rewrite c00 addr0 mulf_eq0 (negPf x0) orbF => /eqP.
Qed.

Local Notation red_row p := (red_row p (2%:R : F) 2%coqZ).

Lemma pivot_modP p w x r j r' : (1 < p)%coqZ -> (size r <= w)%N -> red_row p x r ->
    pivot_mod p r = Some (j, r') ->
  [/\ (j < w)%N, x j != 0 & red_row p (fun l => (x j)^-1 * x l) r'].
Proof.
move=> p1 rw xr; rewrite /pivot_mod; set i := find _ _; case I: (invmod p _) => [u|] // [<- <-].
have bg := @place_two F p; have ru := red_invmod p1 bg (xr i) I.
have iu : unitm p (nth 0%coqZ r i) by exists u; rewrite mulrC; apply: (invmod_eqm p1).
split.
- apply: leq_trans rw; rewrite ltnNge; apply/negP => ri; move: iu; rewrite nth_default //.
  exact: (unitm0 p1).
- exact: (red_neq0 p1 bg (xr i) iu).
move=> l; have [lr|rl] := ltnP l (size r).
  by rewrite (nth_map 0%coqZ) //; apply: (red_mod p1); apply: red_mul.
rewrite [in X in red _ _ _ _ X]nth_default ?size_map //.
by have := red_mul ru (xr l); rewrite [nth _ r l]nth_default // mulr0.
Qed.

Lemma size_submul p c s r w : (size s <= w)%N -> (size r <= w)%N -> (size (submul p c s r) <= w)%N.
Proof.
elim: s r w => [|x s IH] [|y r] [|w] //=; rewrite ?size_map //.
exact: IH.
Qed.

Lemma subsets_modP p w k M X m : (1 < p)%coqZ ->
    Forall2 (red_row p) X M -> all (fun r => size r <= w)%N M ->
    subsets_mod p k M -> size m = size X -> size (mask m X) = k -> free w (mask m X).
Proof.
move=> p1; elim: k M X m => [|k IHk] M X m.
  by move=> _ _ _ _ /size0nil -> [|a c].
elim: M X m => [|r M IHM] X m XM.
  by have := Forall2_size XM; case: X {XM} => // _ _ _; case: m.
case: X XM => [/Forall2_size//|x X] XM /andP[sr sM].
have [xr XM'] : red_row p x r /\ Forall2 (red_row p) X M by inversion XM.
case: m => [|b m] //= /andP[okM okr] [sm]; case: b => /=; last exact: IHM.
move=> [sk]; move: okr; have -> /= : (size M < k)%N = false.
  apply/negbTE; rewrite -leqNgt -sk -(Forall2_size XM') size_mask ?sm //.
  by rewrite -sm count_size.
case P: (pivot_mod p r) => [[j r']|] //; have [jw xj xr'] := pivot_modP p1 sr xr P => oks.
apply: (free_pivot_at jw xj); clear IHM okM; case: k IHk sk oks => [|k] IHk sk oks.
  by rewrite (size0nil sk) => -[|a c].
rewrite map_mask; apply: IHk oks _ _; rewrite ?size_map // -?map_mask ?size_map //.
  apply: Forall2_map2 XM' => y s ys.
  exact: (red_submul p1 (x := y) (y := fun l => (x j)^-1 * x l)).
rewrite all_map; apply/allP => s sin /=; apply: size_submul; first exact: (allP sM).
by move: P; rewrite /pivot_mod; case: (invmod p _) => // u [_ <-]; rewrite size_map.
Qed.

Lemma kruskal_rank_all T w (x : 'I_T -> 'cV[F]_w) k : (k <= T)%N ->
  (forall I : {set 'I_T}, #|I| = k -> indep_on x I) -> (k <= kruskal_rank x)%N.
Proof.
move=> kT ind; have /kruskal_geqP : forall I : {set 'I_T}, (#|I| <= k)%N -> indep_on x I.
  move=> I Ik; have [|J IJ cJ] := @extend_set T I k; first by rewrite Ik.
  exact: indep_on_sub IJ (ind J cJ).
by rewrite /kruskal_geq (minn_idPl kT).
Qed.

Definition kruskal_ok (p : Z) (T w k : nat) (V : seq (seq Z)) : bool :=
  [&& (1 <? p)%coqZ, (k <= T)%N, size V == T, all (fun r => size r <= w)%N V & subsets_ok p w k V].

(* vectors x_t that are multiples of V_t, none of the factors 0                 *)
Lemma kruskal_ok_rank p T w k V (x : 'I_T -> 'cV[F]_w) (c : 'I_T -> F) :
    (forall t, c t != 0) -> (forall t j, c t * x t j 0 = toF F (ent V t j)) ->
    kruskal_ok p T w k V -> (k <= kruskal_rank x)%N.
Proof.
move=> c0 xV /and5P[/Z.ltb_lt p1 kT /eqP sV sw ok]; apply: kruskal_rank_all => // I cI a aI0 rel t.
pose X := [seq (fun j => toF F (ent V t j)) | t : 'I_T <- enum 'I_T].
have XM p' : Forall2 (red_row p') X V.
  have VE : [seq nth [::] V (i : 'I_T) | i <- enum 'I_T] = V.
    rewrite (map_comp (nth [::] V) val) val_enum_ord.
    by apply: (@eq_from_nth _ [::]) => [|i]; rewrite ?size_map ?size_iota // => iV;
      rewrite (nth_map 0%N) ?size_iota // nth_iota.
  rewrite -[X in Forall2 _ _ X]VE /X; elim: (enum _) => [|i s IHs] /=; constructor=> // j.
  exact: red_int.
pose m := [seq t \in I | t <- enum 'I_T].
have mE (A : Type) (f : 'I_T -> A) : mask m [seq f t | t <- enum 'I_T] = [seq f t | t <- enum I].
  rewrite -map_mask; congr map; rewrite -filter_mask enumT; apply: eq_filter => i.
  by rewrite inE.
have smX : size m = size X by rewrite !size_map.
have cX : size (mask m X) = k by rewrite mE size_map -cardE.
have : free w (mask m X).
  have [/hasP[q qin okq]|{}ok] := subsets_firstP ok; last exact: subsets_modP p1 (XM p) sw ok smX cX.
  have [q1 q2] : (1 < q)%coqZ /\ (q * q * 2 <= limit)%coqZ by move: qin; rewrite !inE => /orP[]/eqP->.
  move: okq; rewrite /subsets_at; case: eqP => [kV fV|_ {}ok].
    have mX : mask m X = X.
      have /all_pred1P -> : all (pred1 true) m.
        rewrite (eq_all (a2 := id)) => [|[]//]; rewrite all_count -(size_mask smX) cX kV smX.
        by rewrite (Forall2_size (XM q)).
      by apply: mask_true; rewrite smX.
    by rewrite mX; apply: (free_modP q1 (@place_two F q) (XM q)).
  apply: (subsets_wordsP q1 q2 (@place_two F q) (M := [seq residues q r | r <- V])) ok smX cX.
  exact: red_residues.
rewrite mE.
move=> /(_ [seq a t / c t | t <- enum I]); rewrite !size_map => /(_ erefl) H.
have [tI|] := boolP (t \in I); last exact: aI0.
suff /eqP : a t / c t = 0 by rewrite mulf_eq0 invr_eq0 (negPf (c0 t)) orbF => /eqP.
apply: H => [j jw|]; last by apply: map_f; rewrite mem_enum.
rewrite /comb zip_map big_map /= big_enum /=.
move/colP/(_ (Ordinal jw)): rel; rewrite summxE !mxE => r0; rewrite -[RHS]r0.
rewrite [RHS](bigID (mem I)) /= [X in _ = _ + X]big1 ?addr0 => [|i iI]; last first.
  by rewrite aI0 // scale0r mxE.
by apply: eq_bigr => i _; rewrite mxE -(xV i (Ordinal jw)) mulrA divfK.
Qed.

(* a relation with non-zero factors between the vectors of a subset             *)
Lemma kruskal_leq_relation T w (x : 'I_T -> 'cV[F]_w) (I : {set 'I_T}) (y : 'I_T -> F) :
    (forall t, (y t != 0) = (t \in I)) -> \sum_t y t *: x t = 0 -> I != set0 ->
  (kruskal_rank x <= #|I|.-1)%N.
Proof.
move=> yI rel /set0Pn[t tI]; rewrite leqNgt; apply/negP => Ik.
have I0 : (0 < #|I|)%N by apply/card_gt0P; exists t.
rewrite prednK // in Ik.
have /kruskal_geqP ind : kruskal_geq x #|I| by rewrite /kruskal_geq (leq_trans (geq_minl _ _)).
have y0 s : s \notin I -> y s = 0 by rewrite -yI negbK => /eqP.
have yt : y t = 0 := ind I (leqnn _) y y0 rel t.
by move: tI; rewrite -yI yt eqxx.
Qed.

End Rules.
