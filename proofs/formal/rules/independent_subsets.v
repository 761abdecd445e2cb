(* The proved checker: all subsets of k vectors are independent, modulo a prime with words.   *)
(*                                                                                            *)
(* Vectors are mapped to k coordinates by a matrix of pseudo-random entries, whatever they     *)
(* are: what is independent there was so before. Divided by their first entries, k vectors are *)
(* independent exactly when the differences of k - 1 of them to the other are, without this    *)
(* entry. In the end this leaves one number for each vector; all differences of two such       *)
(* numbers, over all subsets, are multiplied, and their product must have an inverse.          *)
(*                                                                                            *)
(*   coordinates p C M == the rows M in as many coordinates as C has members                   *)
(*   normalized p acc M == the inverse of acc times all first entries of M, and the other       *)
(*          entries of M, divided by the first                                                 *)
(*   subsets_product p k acc M == acc times what must have an inverse for all k of the rows M   *)
(*          to be independent, in k coordinates                                                *)
(*   subsets_words p k w M == every k of the rows M of length w are independent modulo p        *)
From Attest Require Import integers common literal_arithmetic words residues elimination.

Local Notation Z := BinNums.Z.

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
