(* Layers before the layer: rows that are equal, or opposite, whatever the weights are                          *)
(* (docs/certificate.md, Classes), and rows of Z that are different for almost all weights of the last          *)
(* layer.                                                                                                       *)
(*                                                                                                              *)
(*        alike c i j s == the classes of i and j are equal, or opposite for s; right_classes c x == then x_i = *)
(*                         x_j, or - x_j                                                                        *)
(*        row_classes S == classes of the rows that enter the layer                                             *)
(*       example_keys S == what examples are made of; stack_distinct, stack_directions == how many classes      *)
(*                         there are, up to sign, of a layer whose logits turn with the vectors, or do not      *)
(*     means_along k w == Z of logits that are k times products of the tokens with w h y                         *)
(*   distinct_along_leq, directions_along_leq == they bound the different rows and the rank of it               *)
(*   stack_distinct_leq, stack_directions_leq == those of a layer                                               *)
(*   free_directions_leq, free_distinct_leq, stack_equal_inputs == and of all weights of the layer              *)
(*   stack_in_shape, stack_almost_all_outputs == a layer of the shape is one of these weights                   *)
From Attest Require Import integers attention common layer_variants exponential_polynomials generic_data.
From Attest Require Import problem literal_arithmetic logits quantities statements other_layers.
From Attest Require Import quantity_bounds schemas heads blocks generic_weights intervals stack_enclosures.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Computation                                                                 *)
(* -------------------------------------------------------------------------- *)
(* keys with their opposites: the number of the first key that is equal, or its negative for an opposite one; 0 for what *)
(* is its own opposite                                                                                                 *)
Definition class_in (keys : seq (seq Z * seq Z)) (k : seq Z * seq Z) : Z :=
  if equal_row k.1 k.2 then 0%coqZ
  else
    let j := find (fun x => equal_row x.1 k.1 || equal_row x.2 k.1) keys in
    let number := Z.of_nat j.+1 in
    if equal_row (nth ([::], [::]) keys j).1 k.1 then number else (- number)%coqZ.
Definition key_classes (keys : seq (seq Z * seq Z)) : seq Z := [seq class_in keys k | k <- keys].

Definition negated (r : seq Z) : seq Z := [seq (- x)%coqZ | x <- r].

(* what a row is made of: its own class, and those of its tokens in order             *)
Definition made_of (c : seq Z) (own : nat) (s : seq nat) : seq Z * seq Z :=
  let own_class := nth 0%coqZ c own in let tokens := [seq nth 0%coqZ c j | j <- s] in
  (own_class :: sort Z.leb tokens, (- own_class)%coqZ :: sort Z.leb (negated tokens)).

Definition all_zero (r : seq Z) : bool := all (fun x => x =? 0)%coqZ r.

Definition classes_after (b : earlier) (c : seq Z) : seq Z :=
  match b with
  | EarlierAttention _ lists _ => key_classes [seq made_of c i (nth [::] lists i) | i <- iota 0 (size c)]
  | EarlierNetwork _ f _ _ _ _ b1 _ _ _ b2 =>
    if (if f is Tanh then true else false) && all_zero b1 && all_zero b2 then c
    else [seq Z.of_nat (find (fun y => x =? y)%coqZ c).+1 | x <- c]
  | EarlierNorm _ _ _ _ => c
  end.

Definition padded (d : nat) (r : seq Z) : seq Z := [seq nth 0%coqZ r k | k <- iota 0 d].

(* divided by the greatest common divisor *)
Definition primitive (r : seq Z) : seq Z :=
  let c := foldr Z.gcd 0%coqZ r in
  if (1 <? c)%coqZ then
    let s := [seq (x / c)%coqZ | x <- r] in if equal_row [seq (c * x)%coqZ | x <- s] r then s else r
  else r.

(* of a vector with rmsnorm of epsilon 0: with y the vector times the gains, y_j |y_j| / |x|^2, as integers *)
Definition direction_key (gain r : seq Z) : seq Z * seq Z :=
  let y := [seq (x.1 * x.2)%coqZ | x <- zip r (padded (size r) gain)] in
  let key s := primitive (foldr (fun u n => u * u + n)%coqZ 0%coqZ r :: [seq (s * (u * Z.abs u))%coqZ | u <- y]) in
  (key 1, key (-1))%coqZ.
Definition given_keys (S : layer_stack) : seq (seq Z * seq Z) :=
  let rows := [seq padded (d (top_problem S)) r | r <- hidden_rows S] in
  let plain := [seq (r, negated r) | r <- rows] in
  if befores S is EarlierNorm _ gain num _ :: _ then if (num =? 0)%coqZ then [seq direction_key gain r | r <- rows] else plain
  else plain.
Definition row_classes (S : layer_stack) : seq Z :=
  foldl (fun c b => classes_after b c) (key_classes (given_keys S)) (befores S).

(* whether the logits turn with the vectors: there is no query bias                  *)
Definition turns (L : layer) : bool :=
  match L with Factors _ _ _ _ _ _ _ _ bQ => all all_zero bQ | Combined _ _ => true | Projected _ => false end.

Definition example_keys (S : layer_stack) : seq (seq Z * seq Z) :=
  let c := row_classes S in
  [seq made_of c (nth 0%N (example_rows S) t) (nth [::] (example_tokens S) t) | t <- iota 0 (T (top_problem S))].

Definition stack_distinct (S : layer_stack) (turning : bool) : nat :=
  let keys := example_keys S in
  if turning then size (undup (key_classes keys)) else size (undup (unzip1 keys)).
Definition stack_directions (S : layer_stack) (turning : bool) : nat :=
  let keys := example_keys S in
  if turning then size (undup [seq Z.abs x | x <- key_classes keys & ~~ (x =? 0)%coqZ]) else size (undup (unzip1 keys)).

(* -------------------------------------------------------------------------- *)
(* Meaning                                                                     *)
(* -------------------------------------------------------------------------- *)
Definition sign_of (s : bool) : Z := if s then (-1)%coqZ else 1%coqZ.

Lemma sort_leb_eq (s t : seq Z) : sort Z.leb s = sort Z.leb t -> perm_eq s t.
Proof. by move=> e; rewrite -(perm_sort Z.leb s) e perm_sort. Qed.

(* sums over lists that are permutations of each other by classes                    *)
Lemma sum_by_class (V : zmodType) (A B : eqType) (C : eqType) (f : A -> C) (g : B -> C) (F : A -> V) (G : B -> V) s t :
  perm_eq [seq f a | a <- s] [seq g b | b <- t] ->
  (forall a a', a \in s -> a' \in s -> f a = f a' -> F a = F a') ->
  (forall a b, a \in s -> b \in t -> f a = g b -> F a = G b) ->
  \sum_(a <- s) F a = \sum_(b <- t) G b.
Proof.
move=> st FF FG; pose phi (c : C) : V := nth 0 [seq F a | a <- s] (index c [seq f a | a <- s]).
have phiE c : c \in [seq f a | a <- s] -> exists2 a, a \in s & f a = c /\ phi c = F a.
  move=> cs; have [a0 _ _] := mapP cs; have i : (index c [seq f a | a <- s] < size s)%N by rewrite -(size_map f) index_mem.
  exists (nth a0 s (index c [seq f a | a <- s])); first exact: mem_nth.
  by rewrite /phi (nth_map a0) // -(nth_map a0 c) // nth_index.
have sumF : \sum_(a <- s) F a = \sum_(c <- [seq f a | a <- s]) phi c.
  rewrite big_map big_seq [RHS]big_seq; apply: eq_bigr => a sa.
  by have [a' sa' [fa ->]] := phiE _ (map_f f sa); apply: FF.
have sumG : \sum_(b <- t) G b = \sum_(c <- [seq g b | b <- t]) phi c.
  rewrite big_map big_seq [RHS]big_seq; apply: eq_bigr => b tb.
  have gs : g b \in [seq f a | a <- s] by rewrite (perm_mem st) map_f.
  by have [a sa [fa ->]] := phiE _ gs; rewrite (FG a b).
by rewrite sumF sumG; apply: perm_big.
Qed.

Section Means.
Variables (R : realType) (S : layer_stack).
Local Notation d := (d (top_problem S)).
Implicit Types (x : nat -> 'rV[R]_d) (s : seq nat).

Lemma sum_nth (V : zmodType) (F : nat -> V) s : \sum_(k < size s) F (nth 0%N s k) = \sum_(j <- s) F j.
Proof. by rewrite (big_nth 0%N) big_mkord. Qed.

(* the mean with logits that are products of the tokens with a column               *)
Lemma softmax_meanE (c : R) x s (w : 'cV[R]_d) :
  (softmax (c *: (stack_tokens x s *m w)))^T *m stack_tokens x s =
  \sum_(j <- s) (expR (c * (x j *m w) 0 0) / \sum_(i <- s) expR (c * (x i *m w) 0 0)) *: x j.
Proof.
have le (k : 'I_(size s)) : (c *: (stack_tokens x s *m w)) k 0 = c * (x (nth 0%N s k) *m w) 0 0.
  by rewrite mxE; congr (_ * _); rewrite !mxE; apply: eq_bigr => j _; rewrite mxE.
rewrite -[RHS](sum_nth (fun j => (expR (c * (x j *m w) 0 0) / \sum_(i <- s) expR (c * (x i *m w) 0 0)) *: x j)).
rewrite mulmx_sum_row; apply: eq_bigr => k _; rewrite rowK; congr (_ *: _).
rewrite mxE /softmax mxE le; congr (_ / _); rewrite -[RHS](sum_nth (fun i => expR (c * (x i *m w) 0 0))).
by apply: eq_bigr => i _; rewrite le.
Qed.

End Means.

Section Symmetry.
Variables (R : realType).

Definition alike (c : seq Z) (i j : nat) (s : bool) : Prop := nth 0%coqZ c i = (sign_of s * nth 0 c j)%coqZ.
Definition sgn (s : bool) : R := if s then -1 else 1.
Lemma sgnK s : sgn s * sgn s = 1. Proof. by case: s; rewrite /sgn ?mulrNN mulr1. Qed.

(* classes are right about x: equal ones for equal rows, opposite ones for opposite rows *)
Definition right_classes d (c : seq Z) (x : nat -> 'rV[R]_d) : Prop :=
  forall i j s, (i < size c)%N -> (j < size c)%N -> alike c i j s -> x i = sgn s *: x j.

Lemma size_key_classes keys : size (key_classes keys) = size keys. Proof. by rewrite size_map. Qed.

(* keys with opposites that are right about x                                       *)
Lemma key_classesP d (keys : seq (seq Z * seq Z)) (x : nat -> 'rV[R]_d) :
    (forall i j, (i < size keys)%N -> (j < size keys)%N ->
      (nth ([::], [::]) keys i).1 = (nth ([::], [::]) keys j).1 -> x i = x j) ->
    (forall i j, (i < size keys)%N -> (j < size keys)%N ->
      (nth ([::], [::]) keys i).2 = (nth ([::], [::]) keys j).1 -> x i = - x j) ->
  right_classes (key_classes keys) x.
Proof.
move=> eqx oppx; pose key i := nth ([::], [::]) keys i.
have zero i : (i < size keys)%N -> (key i).1 = (key i).2 -> x i = 0.
  move=> ik e; have := oppx i i ik ik (esym e) => /eqP; rewrite -addr_eq0 -mulr2n -scaler_nat scaler_eq0 pnatr_eq0 /=.
  by move=> /eqP.
(* the first key that is like the one of i, and how *)
have first i : (i < size keys)%N -> (key i).1 <> (key i).2 -> exists j (s : bool),
    [/\ (j < size keys)%N, x i = sgn s *: x j & nth 0%coqZ (key_classes keys) i = (sign_of s * Z.of_nat j.+1)%coqZ].
  move=> ik ne; rewrite (nth_map ([::], [::])) // /class_in -/(key i).
  case: equal_rowP => // _; set P := fun y : seq Z * seq Z => _; set j := find P keys.
  have jk : (j < size keys)%N.
    rewrite -has_find; apply/(has_nthP ([::], [::])); exists i => //.
    by rewrite /P -/(key i) (introT (equal_rowP _ _)).
  have := nth_find ([::], [::]) (_ : has P keys); rewrite has_find jk => /(_ isT); rewrite /P -/j -/(key j).
  case: equal_rowP => [e _|_ /= /equal_rowP e].
    by exists j, false; split; rewrite ?scale1r ?Z.mul_1_l //; apply/esym/eqx.
  exists j, true; split; rewrite ?scaleN1r //.
  by rewrite (oppx j i) // opprK.
have zero_class i : (i < size keys)%N -> (key i).1 = (key i).2 -> nth 0%coqZ (key_classes keys) i = 0%coqZ.
  by move=> ik e; rewrite (nth_map ([::], [::])) // /class_in -/(key i) (introT (equal_rowP _ _)).
move=> i j s; rewrite !size_key_classes => ik jk; rewrite /alike.
have [ei|ei] := equal_rowP (key i).1 (key i).2; have [ej|ej] := equal_rowP (key j).1 (key j).2.
- by rewrite !zero // scaler0.
- by rewrite (zero_class i) //; have [k [s' [_ _ ->]]] := first j jk ej; rewrite /sign_of; case: (s); case: (s'); lia.
- by rewrite (zero_class j) //; have [k [s' [_ _ ->]]] := first i ik ei; rewrite /sign_of; case: (s); case: (s'); lia.
have [k [s1 [_ -> ->]]] := first i ik ei; have [l [s2 [_ -> ->]]] := first j jk ej.
move=> e; have kl : k = l.
  apply: Nat2Z.inj; move: e; rewrite !Nat2Z.inj_succ /sign_of; have := Nat2Z.is_nonneg k; have := Nat2Z.is_nonneg l.
  by case: (s); case: (s1); case: (s2); lia.
rewrite scalerA; congr (_ *: _); last by rewrite kl.
by move: e; rewrite kl /sgn /sign_of; case: (s); case: (s1); case: (s2); rewrite ?mulrNN ?mulr1 ?mul1r //; lia.
Qed.

End Symmetry.

Section Layers.
Variables (R : realType) (S : layer_stack).
Local Notation d := (d (top_problem S)).
Implicit Types (x : nat -> 'rV[R]_d) (c : seq Z) (s t : seq nat).
Local Notation cls c := (nth 0%coqZ c).
Local Notation sg := (sgn R).

(* tokens with the same classes up to a sign                                       *)
Definition alike_tokens c s t g : Prop := perm_eq [seq cls c a | a <- s] [seq (sign_of g * cls c b)%coqZ | b <- t].

Lemma softmax_mean_alike (k : R) x c s t g (w u : 'cV[R]_d) : right_classes c x ->
    all (fun j => j < size c)%N s -> all (fun j => j < size c)%N t -> alike_tokens c s t g -> w = sg g *: u ->
  softmax_mean x (k *: (stack_tokens x s *m w)) = sg g *: softmax_mean x (k *: (stack_tokens x t *m u)).
Proof.
move=> cx /allP sc /allP tc st ->; rewrite /softmax_mean !softmax_meanE scaler_sumr.
have same a a' : a \in s -> a' \in s -> cls c a = cls c a' -> x a = x a'.
  by move=> sa sa' e; rewrite -[RHS]scale1r; apply: (cx a a' false) => //; rewrite ?sc // /alike Z.mul_1_l.
have other a b : a \in s -> b \in t -> cls c a = (sign_of g * cls c b)%coqZ -> x a = sg g *: x b.
  by move=> sa tb e; apply: cx => //; [apply: sc|apply: tc].
have logit a b : x a = sg g *: x b -> (x a *m (sg g *: u)) 0 0 = (x b *m u) 0 0.
  by move=> ->; rewrite -scalemxAl -scalemxAr scalerA sgnK scale1r.
have sums : \sum_(a <- s) expR (k * (x a *m (sg g *: u)) 0 0) = \sum_(b <- t) expR (k * (x b *m u) 0 0).
  apply: (sum_by_class (f := cls c) (g := fun b => (sign_of g * cls c b)%coqZ)) => // [a a' sa sa' e|a b sa tb e].
    by rewrite (same a a').
  by rewrite (logit a b) //; apply: other.
rewrite sums; apply: (sum_by_class (f := cls c) (g := fun b => (sign_of g * cls c b)%coqZ)) => // [a a' sa sa' e|a b sa tb e].
  by rewrite (same a a').
by have xab := other a b sa tb e; rewrite (logit a b) // xab !scalerA mulrC.
Qed.

Lemma heads_alike (A : Type) (heads : seq A) (form value : A -> 'M[R]_d) x c i j g residual lists : right_classes c x -> x i = sg g *: x j ->
    all (all (fun a => a < size c)%N) lists -> alike_tokens c (nth [::] lists i) (nth [::] lists j) g ->
  let after i := kept_input residual (x i) + \sum_(h <- heads)
    softmax_mean x (stack_tokens x (nth [::] lists i) *m (form h *m (x i)^T)) *m value h in
  after i = sg g *: after j.
Proof.
move=> cx xij li ij /=; rewrite scalerDr; congr (_ + _).
  by rewrite /kept_input; case: residual; rewrite ?scaler0.
have inside k : all (fun a => a < size c)%N (nth [::] lists k).
  by have [kl|lk] := ltnP k (size lists); [apply: (all_nthP [::] li)|rewrite nth_default].
rewrite scaler_sumr; apply: eq_bigr => h _; rewrite scalemxAl; congr (_ *m _).
rewrite -[stack_tokens x _ *m _]scale1r -[X in _ *: softmax_mean x X]scale1r.
by apply: (softmax_mean_alike 1 cx (inside _) (inside _) ij); rewrite xij linearZ /= -scalemxAr.
Qed.

Lemma made_ofP c i j s t g : (if g then (made_of c i s).2 else (made_of c i s).1) = (made_of c j t).1 ->
  alike c i j g /\ alike_tokens c s t g.
Proof.
rewrite /made_of /alike /alike_tokens; case: g => -[own /sort_leb_eq st]; split; try (rewrite /sign_of; lia).
  have e1 : [seq Z.opp y | y <- negated [seq cls c a | a <- s]] = [seq cls c a | a <- s].
    by rewrite /negated -!map_comp; apply: eq_map => a; rewrite /= Z.opp_involutive.
  have e2 : [seq Z.opp y | y <- [seq cls c b | b <- t]] = [seq (sign_of true * cls c b)%coqZ | b <- t].
    by rewrite -map_comp; apply: eq_map => b; rewrite [RHS]Z.mul_comm; exact: Z.opp_eq_mul_m1.
  have := perm_map Z.opp st; rewrite e1 e2; exact.
have e2 : [seq cls c b | b <- t] = [seq (sign_of false * cls c b)%coqZ | b <- t].
  by apply: eq_map => b; rewrite /sign_of Z.mul_1_l.
move: st; rewrite e2; exact.
Qed.

End Layers.

(* --- what layers make of classes *)
Section Stages.
Variables (R : realType) (S : layer_stack).
Local Notation d := (d (top_problem S)).
Implicit Types (x : nat -> 'rV[R]_d) (c : seq Z).
Local Notation cls c := (nth 0%coqZ c).
Local Notation sg := (sgn R).

Lemma keys_right w c (own : nat -> nat) (lists : nat -> seq nat) (y : nat -> 'rV[R]_w) n :
    (forall i j g, (i < n)%N -> (j < n)%N -> alike c (own i) (own j) g -> alike_tokens c (lists i) (lists j) g -> y i = sg g *: y j) ->
  right_classes (key_classes [seq made_of c (own i) (lists i) | i <- iota 0 n]) y.
Proof.
move=> yP; have nthE i : (i < n)%N -> nth ([::], [::]) [seq made_of c (own i) (lists i) | i <- iota 0 n] i = made_of c (own i) (lists i).
  by move=> ni; rewrite (nth_map 0%N) ?size_iota // nth_iota.
apply: key_classesP => i j; rewrite size_map size_iota => ni nj; rewrite !nthE // => e.
  have [o t] := @made_ofP c (own i) (own j) (lists i) (lists j) false e.
  by rewrite -[RHS]scale1r; apply: (yP i j false).
have [o t] := @made_ofP c (own i) (own j) (lists i) (lists j) true e.
by rewrite -scaleN1r; apply: (yP i j true).
Qed.

Lemma row_of_zero w q r : all_zero r -> row_of R w q r = 0.
Proof.
move=> /allP z0; apply/rowP => j; rewrite !mxE; have [jr|rj] := ltnP j (size r); last by rewrite nth_default // toF0 mul0r.
by have /Z.eqb_eq -> := z0 _ (mem_nth 0%coqZ jr); rewrite toF0 mul0r.
Qed.

Lemma activate_odd g (y : R) : activate Tanh (sg g * y) = sg g * activate Tanh y.
Proof. by case: g; rewrite /sgn ?mul1r // !mulN1r /= opprK -opprB mulNr [expR (- y) + _]addrC. Qed.

Lemma after_right b c x : right_classes c x ->
    (if b is EarlierAttention _ lists _ then rows_inside (size c) lists else true) ->
  right_classes (classes_after b c) (after_layer b x) /\ size (classes_after b c) = size c.
Proof.
case: b => [residual lists heads|residual f m q1 W1 qb1 b1 q2 W2 qb2 b2|q gain num den] cx inside.
- split; last by rewrite /= size_key_classes size_map size_iota.
  rewrite /classes_after; apply: (keys_right (own := id) (lists := fun k => nth [::] lists k)) => i j g ic jc o t.
  exact: (heads_alike heads (@head_form R S) _ residual cx (cx i j g ic jc o) inside t).
- rewrite /classes_after; case: ifP => [/andP[/andP[odd z1] z2]|_].
    split=> // i j g ic jc o; have xij := cx i j g ic jc o; case: f odd => //= _.
    rewrite (row_of_zero _ qb1 z1) (row_of_zero _ qb2 z2).
    rewrite [LHS]addr0 [X in _ = _ *: X]addr0 [_ *m mx R d m q1 W1 + 0]addr0 [X in _ = _ *: (_ + map_mx _ X *m _)]addr0.
    rewrite xij scalerDr; congr (_ + _); first by rewrite /kept_input; case: residual; rewrite ?scaler0.
    by rewrite scalemxAl; congr (_ *m _); rewrite -scalemxAl; apply/rowP => k; rewrite !mxE -activate_odd.
  rewrite size_map; split=> // i j g; rewrite !size_map => ic jc; rewrite /alike !(nth_map 0%coqZ) // => o.
  case: g o => [|o]; first by rewrite /sign_of; lia.
  have fE k : (k < size c)%N -> cls c (find (fun y => cls c k =? y)%coqZ c) = cls c k.
    move=> kc; apply/esym/Z.eqb_eq; apply: (nth_find 0%coqZ (a := fun y => cls c k =? y)%coqZ).
    by apply/(has_nthP 0%coqZ); exists k; rewrite // Z.eqb_refl.
  have ff : find (fun y => cls c i =? y)%coqZ c = find (fun y => cls c j =? y)%coqZ c by move: o; rewrite /sign_of; lia.
  have xij : x i = x j.
    rewrite -[RHS]scale1r; apply: (cx i j false) => //; rewrite /alike Z.mul_1_l.
    by rewrite -(fE i) // ff fE.
  by rewrite scale1r /= xij.
split=> // i j g ic jc o; have xij := cx i j g ic jc o; rewrite /= xij.
have -> : \sum_k (sg g *: x j) 0 k ^+ 2 = \sum_k x j 0 k ^+ 2.
  by apply: eq_bigr => k _; rewrite !mxE exprMn expr2 sgnK mul1r.
by apply/rowP => k; rewrite !mxE !mulrA.
Qed.

(* --- rmsnorm with epsilon 0 *)
Lemma primitiveP (r : seq Z) : exists c : Z, (0 < c)%coqZ /\ forall j, nth 0%coqZ r j = (c * nth 0%coqZ (primitive r) j)%coqZ.
Proof.
rewrite /primitive; set c := foldr _ _ _; case: Z.ltb_spec => [c1|_]; last by exists 1%coqZ; split=> // j; rewrite Z.mul_1_l.
case: ifP => [|_]; last by exists 1%coqZ; split=> // j; rewrite Z.mul_1_l.
set s := [seq _ | _ <- r] => /equal_rowP rE; exists c; split=> [|j]; first lia.
rewrite -[in LHS]rE; have [js|sj] := ltnP j (size s); first by rewrite (nth_map 0%coqZ).
rewrite [LHS]nth_default; last by rewrite size_map.
by rewrite nth_default // Z.mul_0_r.
Qed.

Lemma signed_square (a b : R) : a * `|a| = b * `|b| -> a = b.
Proof.
move=> e; have : `|a| ^+ 2 = `|b| ^+ 2 by have := congr1 Num.norm e; rewrite !normrM !normr_id -!expr2.
move=> /eqP; rewrite eqr_expn2 // => /eqP ab; have [/eqP|n0] := boolP (`|a| == 0); last by apply: (mulIf n0); rewrite e ab.
by move=> a0; move: (a0); rewrite ab => /normr0_eq0 ->; apply/normr0_eq0.
Qed.

Local Notation z := (toF R).
Definition normed_row q (gain : seq Z) den (qh : positive) (r : seq Z) : 'rV[R]_d :=
  after_layer (EarlierNorm q gain 0 den) (fun=> row_of R d qh r) 0%N.

Lemma normedE q gain den qh r (j : 'I_d) : let S := \sum_(k < d) z (nth 0%coqZ r k) ^+ 2 in
  normed_row q gain den qh r 0 j = z (nth 0%coqZ r j * nth 0%coqZ gain j)%coqZ / (z (Zpos qh) * z (Zpos q))
    / Num.sqrt (S / (z (Zpos qh) ^+ 2 * d%:R)).
Proof.
rewrite /normed_row /= !mxE toF0 mul0r addr0 toFM; congr (_ / Num.sqrt _); first by rewrite invfM mulrACA.
rewrite invfM mulrA; congr (_ / _); rewrite mulr_suml; apply: eq_bigr => k _; rewrite !mxE exprMn exprVn //.
Qed.

Lemma direction_right q gain den qh r r' (b : bool) : size r = d -> size r' = d ->
    (if b then (direction_key gain r).2 else (direction_key gain r).1) = (direction_key gain r').1 ->
  normed_row q gain den qh r = sg b *: normed_row q gain den qh r'.
Proof.
move=> sr sr' keys; apply/rowP => j; rewrite [RHS]mxE !normedE /=.
pose square (v : seq Z) := foldr (fun u n => u * u + n)%coqZ 0%coqZ v.
have squareE v : size v = d -> z (square v) = \sum_(k < d) z (nth 0%coqZ v k) ^+ 2.
  move=> <-; rewrite /square; elim: v => [|u v IH] /=; first by rewrite big_ord0 toF0.
  by rewrite big_ord_recl toFD toFM IH expr2.
pose y (v : seq Z) k := (nth 0%coqZ v k * nth 0%coqZ gain k)%coqZ.
pose key s v := square v :: [seq (s * (u * Z.abs u))%coqZ | u <- [seq (x.1 * x.2)%coqZ | x <- zip v (padded (size v) gain)]].
have keyE s v k : size v = d -> (k < d)%N -> nth 0%coqZ (key s v) k.+1 = (s * (y v k * Z.abs (y v k)))%coqZ.
  move=> sv kd; have sg' : size (padded (size v) gain) = d by rewrite size_map size_iota.
  have sz : size (zip v (padded (size v) gain)) = d by rewrite size_zip sg' sv minnn.
  rewrite /= (nth_map 0%coqZ) ?size_map ?sz // (nth_map (0, 0)%coqZ) ?sz // nth_zip ?sg' //=.
  by rewrite /y (nth_map 0%N) ?size_iota ?sv // nth_iota ?sv.
have {}keys : primitive (key (sign_of b) r) = primitive (key 1 r') by case: b keys.
have [c [c0 cE]] := primitiveP (key (sign_of b) r); have [c' [c'0 c'E]] := primitiveP (key 1 r').
rewrite keys in cE; set p := primitive _ in cE c'E.
have s0 := cE 0%N; have s0' := c'E 0%N; rewrite /= in s0 s0'.
have yj := cE j.+1; have yj' := c'E j.+1; rewrite keyE // in yj; rewrite keyE // Z.mul_1_l in yj'.
rewrite -/(y r j) -/(y r' j) -!squareE // s0 s0' [z (c * _)%coqZ]toFM [z (c' * _)%coqZ]toFM.
set P := z (nth 0%coqZ p 0); have zc : 0 < z c by rewrite -(toF0 R); apply: toF_lt.
have zc' : 0 < z c' by rewrite -(toF0 R); apply: toF_lt.
have [P0|Pn] := eqVneq P 0; first by rewrite P0 !mulr0 !mul0r sqrtr0 invr0 !mulr0.
have dpos : (0 < d%:R :> R) by rewrite ltr0n; apply: leq_ltn_trans (ltn_ord j).
have qh0 := toFp_gt0 R qh; set w := z (Zpos qh) ^+ 2 * d%:R; have w0 : 0 < w by rewrite mulr_gt0 // exprn_gt0.
have P_pos : 0 < P.
  rewrite lt_def Pn -(pmulr_rge0 _ zc) -toFM -s0 squareE //; apply: sumr_ge0 => k _; exact: sqr_ge0.
set N := Num.sqrt _; set N' := Num.sqrt (z c' * P / w).
have N0 : 0 < N by rewrite sqrtr_gt0 divr_gt0 // mulr_gt0.
have N'0 : 0 < N' by rewrite sqrtr_gt0 divr_gt0 // mulr_gt0.
have NN : N * N = z c * P / w by rewrite -expr2 sqr_sqrtr // ltW // divr_gt0 // mulr_gt0.
have NN' : N' * N' = z c' * P / w by rewrite -expr2 sqr_sqrtr // ltW // divr_gt0 // mulr_gt0.
have key_eq : sg b * (z (y r j) * `|z (y r j)|) = z c * z (nth 0%coqZ p j.+1).
  rewrite -toFM -yj [RHS]toFM [z (y r j * _)%coqZ]toFM toF_abs; congr (_ * _).
  by case: (b); rewrite /sgn /sign_of ?toF1 // (_ : (-1)%coqZ = (- (1))%coqZ) // toFN toF1.
have key_eq' : z (y r' j) * `|z (y r' j)| = z c' * z (nth 0%coqZ p j.+1) by rewrite -toFM -yj' [RHS]toFM toF_abs.
have main : z (y r j) * N' = sg b * z (y r' j) * N.
  apply: signed_square; rewrite !normrM !(gtr0_norm N0) !(gtr0_norm N'0).
  have sgb : `|sg b| = 1 by rewrite /sgn; case: (b); rewrite ?normrN1 ?normr1.
  have -> : z (y r j) * N' * (`|z (y r j)| * N') = sg b * (sg b * (z (y r j) * `|z (y r j)|)) * (N' * N').
    by rewrite [sg b * (sg b * _)]mulrA sgnK mul1r mulrACA.
  rewrite sgb mul1r key_eq NN' .
  have -> : sg b * z (y r' j) * N * (`|z (y r' j)| * N) = sg b * (z (y r' j) * `|z (y r' j)|) * (N * N).
    by rewrite mulrACA -[sg b * z (y r' j) * _]mulrA.
  by rewrite key_eq' NN; ring.
have Nn := lt0r_neq0 N0; have N'n := lt0r_neq0 N'0.
have -> : z (y r j) = sg b * z (y r' j) * N / N' by rewrite -main mulfK.
have aux (a t u m m' : R) : m != 0 -> m' != 0 -> a * t * m / m' * u / m = a * (t * u / m') by move=> m0 m'0; field; rewrite m0 m'0.
by rewrite aux.
Qed.

Lemma stages_right bs c x : right_classes c x -> size c = size (hidden_rows S) ->
    all (fun b => if b is EarlierAttention _ lists _ then rows_inside (size (hidden_rows S)) lists else true) bs ->
  right_classes (foldl (fun c b => classes_after b c) c bs) (foldl (fun x b => after_layer b x) x bs) /\
  size (foldl (fun c b => classes_after b c) c bs) = size (hidden_rows S).
Proof.
elim: bs c x => [|b bs IH] c x //= cx sc /andP[ib ibs].
have [|cx' sc'] := @after_right b c x cx; first by rewrite sc.
by apply: IH; rewrite // sc'.
Qed.

Lemma row_classes_right :
    all (fun b => if b is EarlierAttention _ lists _ then rows_inside (size (hidden_rows S)) lists else true) (befores S) ->
  right_classes (row_classes S) (entering R S) /\ size (row_classes S) = size (hidden_rows S).
Proof.
pose rows := [seq padded d r | r <- hidden_rows S]; pose N := size (hidden_rows S).
have entry r k : (k < d)%N -> nth 0%coqZ (padded d r) k = nth 0%coqZ r k.
  by move=> kd; rewrite (nth_map 0%N) ?size_iota // nth_iota.
have given i : (i < N)%N -> given_vectors R S i = row_of R d (q_hidden S) (nth [::] rows i).
  by move=> iN; apply/rowP => k; rewrite !mxE (nth_map [::]) // entry.
have plain : right_classes (key_classes [seq (r, negated r) | r <- rows]) (given_vectors R S).
  apply: key_classesP => i j; rewrite !size_map => iN jN; rewrite !(nth_map [::]) ?size_map //= => e; rewrite !given //.
    by rewrite !(nth_map [::]) // e.
  rewrite !(nth_map [::]) // -e; apply/rowP => k; rewrite !mxE -mulNr -toFN; congr (z _ / _).
  by rewrite (nth_map 0%coqZ) ?size_map ?size_iota // Z.opp_involutive.
have sizeE : size (key_classes [seq (r, negated r) | r <- rows]) = N by rewrite size_key_classes !size_map.
rewrite /row_classes /given_keys /entering -/rows.
case bE: (befores S) => [|[residual lists heads|residual f m q1 W1 qb1 b1 q2 W2 qb2 b2|q gain num den] bs];
  try exact: (stages_right plain sizeE).
case: Z.eqb_spec => [->|_]; last exact: (stages_right plain sizeE).
move=> /= ins; apply: stages_right => //; last by rewrite size_key_classes !size_map.
have normed i : (i < N)%N -> after_layer (EarlierNorm q gain 0 den) (given_vectors R S) i = normed_row q gain den (q_hidden S) (nth [::] rows i).
  by move=> iN; rewrite /normed_row /= given.
have padded_size i : (i < N)%N -> size (nth [::] rows i) = d by move=> iN; rewrite (nth_map [::]) // size_map size_iota.
apply: key_classesP => i j; rewrite !size_map => iN jN; rewrite !(nth_map [::]) ?size_map // -!(nth_map [::] [::] (padded d)) // => e;
  rewrite !normed //.
  by rewrite -[RHS]scale1r; apply: (@direction_right _ _ _ _ _ _ false); rewrite ?padded_size.
by rewrite -scaleN1r; apply: (@direction_right _ _ _ _ _ _ true); rewrite ?padded_size.
Qed.

End Stages.

(* in the place of a layer where any will do *)
Definition no_last_layer : layer := Combined 1 [::].

Lemma entering_right (R : realType) (S : layer_stack) : stack_enclosable S no_last_layer ->
  right_classes (row_classes S) (entering R S) /\ size (row_classes S) = size (hidden_rows S).
Proof. by move=> /and5P[_ _ _ ins _]; exact: row_classes_right. Qed.

(* rows of examples that are equal or opposite when the examples are *)
Section Signed.
Variables (R : realType) (S : layer_stack) (N : nat) (Y : 'M[R]_(T (top_problem S), N)).
Local Notation T := (T (top_problem S)).
Local Notation sg := (sgn R).
Let cls (t : 'I_T) : Z := nth 0%coqZ (key_classes (example_keys S)) t.
Hypothesis alike : forall (t u : 'I_T) g, cls t = (sign_of g * cls u)%coqZ -> row t Y = sg g *: row u Y.
Let size_keys : size (example_keys S) = T. Proof. by rewrite size_map size_iota. Qed.

Lemma signed_rank : (\rank Y <= stack_directions S true)%N.
Proof.
rewrite /stack_directions.
pose g (t : 'I_T) := (cls t <? 0)%coqZ; pose M : 'M[R]_(T, _) := \matrix_t (sg (g t) *: row t Y).
have absE t : cls t = (sign_of (g t) * Z.abs (cls t))%coqZ by rewrite /g /sign_of; case: Z.ltb_spec; lia.
have ZM t : row t Y = sg (g t) *: row t M by rewrite [row t M]rowK scalerA sgnK scale1r.
set s := undup _; have [t u e|B BP] := @rows_of_classes _ _ _ _ M (fun t => Z.abs (cls t)) s.
  rewrite [row t M]rowK [row u M]rowK (@alike t u (g t (+) g u)); last first.
    have e' : Z.abs (cls t) = Z.abs (cls u) := e.
    by have := absE t; have := absE u; rewrite e' /sign_of; case: (g t); case: (g u); rewrite [_ (+) _]/=; lia.
  by rewrite scalerA; congr (_ *: _); rewrite /sgn; case: (g t); case: (g u); rewrite /= ?mulrNN ?mulr1 ?mul1r.
apply: leq_trans (rank_leq_row B); apply/mxrankS/row_subP => t; rewrite ZM; apply: scalemx_sub.
have [z0|nz] := Z.eq_dec (cls t) 0%coqZ.
  have : row t Y = sg true *: row t Y by apply: alike; rewrite z0.
  rewrite scaleN1r => /eqP; rewrite -addr_eq0 -mulr2n -scaler_nat scaler_eq0 pnatr_eq0 /= => /eqP z.
  by rewrite [row t M]rowK z scaler0 sub0mx.
have [|i ->] := BP t; last exact: row_sub.
rewrite mem_undup; apply: map_f; rewrite mem_filter mem_nth ?size_key_classes ?size_keys // andbT.
by apply/negP => /Z.eqb_eq.
Qed.

End Signed.

(* --- examples *)
Section Examples.
Variables (R : realType) (S : layer_stack) (ok : stack_enclosable S no_last_layer).
Local Notation T := (T (top_problem S)).
Local Notation H := (H (top_problem S)).
Local Notation d := (d (top_problem S)).
Local Notation sg := (sgn R).
Local Notation own t := (nth 0%N (example_rows S) t).
Let c := row_classes S.
Variables (x : nat -> 'rV[R]_d) (right : right_classes c x /\ size c = size (hidden_rows S)).

(* way h y times a token is its logit, up to k *)
Variables (k : R) (way : 'I_H -> 'rV[R]_d -> 'rV[R]_d) (turning : bool).
Hypothesis turned : forall (g : bool) h y, (if g then turning else true) -> way h (sg g *: y) = sg g *: way h y.
Definition means_along : 'M[R]_(T, H * d) :=
  \matrix_t mxvec (\matrix_h softmax_mean x (k *: (stack_tokens x (list_of t) *m (way h (x (own t)))^T))).
Local Notation Zs := means_along.

Lemma example_alike (t u : 'I_T) g : (if g then turning else true) -> alike c (own t) (own u) g ->
    alike_tokens c (list_of t) (list_of u) g -> row t Zs = sg g *: row u Zs.
Proof.
have /and5P[d0 base pr ins /andP[/andP[N0 rows] tok]] := ok; have [cx sc] := right.
move=> tL o tk; have inside (v : 'I_T) : all (fun j => j < size c)%N (list_of v).
  rewrite sc /list_of; have [vl|lv] := ltnP v (size (example_tokens S)); last by rewrite nth_default.
  exact: (all_nthP [::] tok).
have ownN (v : 'I_T) : (own v < size c)%N.
  rewrite sc; have [vl|lv] := ltnP v (size (example_rows S)); last by rewrite nth_default.
  exact: (all_nthP 0%N rows).
rewrite !rowK -linearZ /=; congr mxvec; apply/row_matrixP => h; rewrite linearZ /= !rowK.
apply: (softmax_mean_alike _ cx (inside t) (inside u) tk).
rewrite -linearZ /= -turned //; congr (way h _)^T; exact: (cx _ _ _ (ownN _) (ownN _) o).
Qed.

Let keyE (t : 'I_T) : nth ([::], [::]) (example_keys S) t = made_of c (own t) (list_of t).
Proof. by rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.
Let size_keys : size (example_keys S) = T. Proof. by rewrite size_map size_iota. Qed.

(* classes of examples, where logits turn                                         *)
Lemma classes_right : turning ->
  right_classes (key_classes (example_keys S)) (fun t => if insub t is Some v then row v Zs else 0).
Proof.
move=> tL; apply: (keys_right (own := fun t => own t) (lists := fun t => nth [::] (example_tokens S) t)) => i j g iT jT o tk.
have tg : if g then turning else true by case: (g).
rewrite (insubT (fun i => i < T)%N iT) (insubT (fun i => i < T)%N jT).
exact: (@example_alike (Ordinal iT) (Ordinal jT) g tg o tk).
Qed.

Lemma equal_kinds (t u : 'I_T) : (nth ([::], [::]) (example_keys S) t).1 = (nth ([::], [::]) (example_keys S) u).1 ->
  row t Zs = row u Zs.
Proof.
rewrite !keyE => e; have [o tk] := @made_ofP c _ _ _ _ false e.
by rewrite -[RHS]scale1r; apply: (@example_alike t u false).
Qed.

Let cls (t : 'I_T) : Z := nth 0%coqZ (key_classes (example_keys S)) t.

Lemma alike_rows (t u : 'I_T) g : turning -> cls t = (sign_of g * cls u)%coqZ -> row t Zs = sg g *: row u Zs.
Proof.
move=> tL e; have := classes_right tL (i := t) (j := u) (s := g); rewrite !size_key_classes size_keys !valK => r.
exact: (r (ltn_ord t) (ltn_ord u) e).
Qed.

Lemma distinct_by (A : eqType) (f : 'I_T -> A) (s : seq A) : (forall t, f t \in s) ->
  (forall t u, f t = f u -> row t Zs = row u Zs) -> (distinct_rows Zs <= size (undup s))%N.
Proof.
move=> fs same; pose rows := [seq row t Zs | t <- enum 'I_T]; pose fs' := [seq f t | t <- enum 'I_T].
rewrite -(size_map (fun a => nth 0 rows (index a fs'))) /distinct_rows; apply: uniq_leq_size; first exact: undup_uniq.
move=> r; rewrite mem_undup => /mapP[t _ ->]; apply/mapP; exists (f t); first by rewrite mem_undup.
have fin : f t \in fs' by apply: map_f; rewrite mem_enum.
have [u _ e] := mapP fin; have il : (index (f t) fs' < size (enum 'I_T))%N by rewrite -(size_map f) index_mem.
rewrite (nth_map t) //; apply: same; rewrite -(nth_map t (f t)) // nth_index //.
Qed.

Theorem distinct_along_leq : (distinct_rows Zs <= stack_distinct S turning)%N.
Proof.
rewrite /stack_distinct; case: (boolP turning) => tL.
  apply: (distinct_by (f := cls)) => [t|t u e].
    by rewrite mem_nth // size_key_classes size_keys.
  by rewrite -[RHS]scale1r; apply: (@alike_rows t u false tL); rewrite Z.mul_1_l.
apply: (distinct_by (f := fun t => (nth ([::], [::]) (example_keys S) t).1)) => [t|]; last exact: equal_kinds.
by apply: map_f; rewrite mem_nth // size_keys.
Qed.

Theorem directions_along_leq : (\rank Zs <= stack_directions S turning)%N.
Proof.
rewrite /stack_directions; case: (boolP turning) => tL; last first.
  apply: (rank_classes (x := fun t : 'I_T => (nth ([::], [::]) (example_keys S) t).1)) => [t|]; last exact: equal_kinds.
  by rewrite mem_undup; apply: map_f; rewrite mem_nth // size_keys.
exact: (signed_rank (fun t u g => @alike_rows t u g tL)).
Qed.

End Examples.

Section Given.
Variables (R : realType) (S : layer_stack) (L : layer) (ok : stack_enclosable S no_last_layer).
Local Notation d := (d (top_problem S)).
Local Notation sg := (sgn R).

Lemma along_turned (g : bool) h (y : 'rV[R]_d) : (if g then turns L else true) ->
  along_of (S := S) L h (sg g *: y) = sg g *: along_of L h y.
Proof.
case: L => [m qk B qq C qkb bK qqb bQ|q W|w] /= tL; last by rewrite scaler0.
  rewrite scalemxAl; congr (_ *m _); rewrite scalerDr -scalemxAl; congr (_ + _).
  case: g tL => [/allP z0|_]; last by rewrite scale1r.
  rewrite row_of_zero ?scaler0 //; have [hb|bh] := ltnP h (size bQ); first by apply: z0; apply: mem_nth.
  by rewrite nth_default.
by rewrite scalemxAl.
Qed.

Lemma stack_Z_along : stack_Z R S L = means_along (entering R S) (factor R (top_problem S) false) (along_of L).
Proof.
apply/row_matrixP => t; rewrite !rowK; congr mxvec; apply/row_matrixP => h; rewrite !rowK.
by rewrite /stack_mean /stack_alpha softmax_along.
Qed.

Theorem stack_distinct_leq : (distinct_rows (stack_Z R S L) <= stack_distinct S (turns L))%N.
Proof. by rewrite stack_Z_along; exact: (distinct_along_leq ok (entering_right R ok) _ along_turned). Qed.

Theorem stack_directions_leq : (\rank (stack_Z R S L) <= stack_directions S (turns L))%N.
Proof. by rewrite stack_Z_along; exact: (directions_along_leq ok (entering_right R ok) _ along_turned). Qed.

End Given.

(* ============================================================================ *)
(* Almost all weights of the last layer                                         *)
(* ============================================================================ *)
(* As in generic_weights.v, each example by itself.                             *)

Section Outputs.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation weights := (weights R H d (d_h D) 0 0 0).
Local Notation x := (entering R S).
Local Notation own t := (nth 0%N (example_rows S) t).

Lemma free_row (P : weights) t : row t (stack_Z_of P)
  = mxvec (\matrix_h softmax_mean x (stack_tokens x (list_of t) *m (WK P h *m (WQ P h)^T *m (x (own t))^T))).
Proof.
rewrite rowK ZE rowK /stack trmxK; congr mxvec; apply/row_matrixP => h; rewrite !rowK.
by rewrite /softmax_mean trmx_mul trmxK !mulmxA.
Qed.

Lemma free_along (P : weights) : stack_Z_of P = means_along x 1 (fun h y => y *m (WK P h *m (WQ P h)^T)^T).
Proof.
apply/row_matrixP => t; rewrite free_row rowK; congr mxvec; apply/row_matrixP => h; rewrite !rowK scale1r.
by rewrite [in RHS]trmx_mul trmxK.
Qed.

Theorem free_directions_leq (P : weights) turning : stack_enclosable S no_last_layer ->
  (\rank (stack_Z_of P) <= stack_directions S turning)%N.
Proof. by move=> ok; rewrite free_along; apply: (directions_along_leq ok (entering_right R ok)) => g h y _; rewrite -scalemxAl. Qed.

Theorem free_distinct_leq (P : weights) turning : stack_enclosable S no_last_layer ->
  (distinct_rows (stack_Z_of P) <= stack_distinct S turning)%N.
Proof. by move=> ok; rewrite free_along; apply: (distinct_along_leq ok (entering_right R ok)) => g h y _; rewrite -scalemxAl. Qed.

Theorem stack_equal_inputs turning : stack_enclosable S no_last_layer -> (stack_generic_outputs R S <= stack_distinct S turning)%N.
Proof.
move=> ok; apply: largest_leq => k [K [Q /(_ K Q)[few fewP]]].
have [y [_ yfew]] := few_points few 0 (@ltr01 R); apply: (leq_trans (fewP y yfew)); exact: free_distinct_leq.
Qed.

Lemma free_entry (P : weights) t c : stack_Z_of P t c = Zmx (fun _ : 'I_1 => stack_tokens x (list_of t)) (fun=> (x (own t))^T)
  (fun h => WK P h *m (WQ P h)^T) ord0 c.
Proof. by rewrite -ZE [LHS]mxE; rewrite /row [LHS]mxE. Qed.

Lemma stack_generic_geq (P : weights) : (distinct_rows (stack_Z_of P) <= stack_generic_outputs R S)%N.
Proof.
apply: largest_geq; first by rewrite /distinct_rows (leq_trans (size_undup _)) // size_map size_enum_ord.
exists (WK P), (WQ P) => K' Q'.
pose line y : weights := Weights (fun h => WK P h + y *: (K' h - WK P h)) (fun h => WQ P h + y *: (Q' h - WQ P h)) (fun=> 0) 0 0.
have frac t c : expfrac (fun y => stack_Z_of (line y) t c).
  pose E (_ : 'I_1) := stack_tokens x (list_of t); pose e (_ : 'I_1) := (x (own t))^T.
  pose W y h : 'M[R]_d := WK (line y) h *m (WQ (line y) h)^T.
  have FE y : Zmx E e (W y) ord0 c = stack_Z_of (line y) t c by rewrite free_entry.
  apply: expfrac_ext FE; apply: (@expfrac_Zmx R 1 H (size (list_of t)) d (fun=> E) (fun=> e) W).
  - by move=> t' i k; apply: polynomial_const.
  - by move=> t' i k; apply: polynomial_const.
  move=> h; apply: polynomial_mulmx => [i k|i k]; first exact: (line_poly (WK P h) (K' h)).
  by have [p pE] := line_poly (WQ P h) (Q' h) k i; exists p => y; rewrite -pE mxE.
have line0 : stack_Z_of (line 0) = stack_Z_of P.
  have W0 : (fun h => WK (line 0) h *m (WQ (line 0) h)^T) = (fun h => WK P h *m (WQ P h)^T).
    by apply/funext => h; rewrite /line /= !scale0r !addr0.
  apply/matrixP => t c; apply: etrans (free_entry (line 0) t c) _; rewrite W0; apply: esym; exact: free_entry.
have [few fewP] := few_equal (M := fun y => stack_Z_of (line y)) frac; exists few => y yf.
by have := fewP y yf; rewrite line0.
Qed.

Lemma stack_in_shape L : in_shape D L -> exists P : weights, stack_Z R S L = stack_Z_of P.
Proof.
move=> sL; have [W [rW LW]] : exists W : 'I_H -> 'M[R]_d, (forall h, \rank (W h) <= d_h D)%N /\
    forall h y, (@along_of R S L h y)^T = W h *m y^T.
  move: sL; rewrite /in_shape; case: L => [m qk K qq Q qkb bK qqb bQ|q W|//].
    move=> /andP[mdh /nilP bQ0]; exists (fun h => literal R d m qk K h *m (literal R d m qq Q h)^T); split=> [h|h y].
      by apply: leq_trans mdh; apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
    by rewrite /= bQ0 row_of_zero ?nth_nil // addr0 !trmx_mul trmxK mulmxA.
  move=> ddh; exists (fun h => literal R d d q W h); split=> [h|h y]; first by apply: leq_trans ddh; apply: rank_leq_row.
  by rewrite /= trmx_mul trmxK.
have /fin_all_exists[KQ KQE] : forall h, exists KQ : 'M[R]_(d, d_h D) * 'M[R]_(d, d_h D), factor R D false *: W h = KQ.1 *m KQ.2^T.
  move=> h; have rf : (\rank (factor R D false *: W h) <= d_h D)%N.
    by apply: leq_trans (rW h); rewrite -mul_scalar_mx mxrankM_maxr.
  by have [K [Q WE]] := rank_factor rf; exists (K, Q).
exists (Weights (fun h => (KQ h).1) (fun h => (KQ h).2) (fun=> 0) 0 0); apply/row_matrixP => t.
rewrite free_row rowK; apply: (congr1 mxvec); apply/row_matrixP => h.
rewrite [LHS]rowK [RHS]rowK -KQE /stack_mean /stack_alpha softmax_along LW.
by rewrite /softmax_mean -scalemxAl -scalemxAr.
Qed.

Theorem stack_almost_all_outputs L : in_shape D L -> (distinct_rows (stack_Z R S L) <= stack_generic_outputs R S)%N.
Proof. by move=> /stack_in_shape[P ->]; apply: stack_generic_geq. Qed.

End Outputs.
