(* The proved checker, lower bounds of rank(Z): a minor of Z whose residues under a character are      *)
(* independent.                                                                                        *)
(* Exponents are computed modulo the order of the character, with words.                               *)
(*                                                                                                     *)
(*                          res o r s == the words r are the residues of the integers s modulo o       *)
(*                       dotmod o a b == scalar product modulo o                                       *)
(*                word_heads o D L hs == heads modulo o;   word_layer == with the factors of a layer   *)
(*             word_exponents ... q E == exponents of logits.v modulo o                                *)
(*                    word_exponentsE == they are that                                                 *)
(*                      power p g o l == g ^ l modulo p, where g ^ o = 1 modulo p                      *)
(*                     blocks_mod ... == the blocks of a row of Z, times the denominator of the tokens *)
(*   minor_Z_ok D L a p g o rows cols == the check; cols are pairs (head, coordinate)                  *)
(*                       minor_Z_rank == the check bounds rank(Z) from below                           *)
From Attest Require Import integers attention upper_bounds problem literal_arithmetic claims logits.
From Attest Require Import transcendence words residues elimination.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Exponents modulo the order of a root of unity                                *)
(* ============================================================================ *)

Local Open Scope Z_scope.

Fixpoint dot_from (x : word) (a b : seq word) : word :=
  match a, b with
  | y :: a', z :: b' => dot_from (muladd x y z) a' b'
  | _, _ => x
  end.
Definition dotmod (o : word) (a b : seq word) : word := rem (dot_from zero a b) o.

(* u + c b                                                                            *)
Fixpoint word_bias (o c : word) (u b : seq word) : seq word :=
  match u, b with
  | x :: u', y :: b' => rem (muladd x c y) o :: word_bias o c u' b'
  | _, _ => u
  end.

Inductive word_head :=
  | FactorWords (key query_columns : seq (seq word)) (bias : seq word)
  | CombinedWords (rows : seq (seq word)).

Definition head_words (o : Z) (g : literal_head) : word_head :=
  match g with
  | FactorHead K Q b => FactorWords [seq residues o r | r <- K] [seq residues o c | c <- Q] (residues o b)
  | CombinedHead W => CombinedWords [seq residues o r | r <- W]
  | ProjectedHead _ => CombinedWords [::]
  end.

(* the order, and factors of queries, of biases and of logits                          *)
Record word_layer := WordLayer { word_order : word; of_queries : word; of_bias : word; of_logits : word }.

Definition layer_words (D : problem) (L : layer) (a : bool) (o : Z) : word_layer :=
  let residue z := ofZ (z mod o) in
  match L with
  | Factors _ _ _ qq _ _ _ qqb _ =>
    WordLayer (ofZ o) (residue (Zpos qqb)) (residue (Zpos (qq * q_queries D))) (residue (scale_num D a))
  | _ => WordLayer (ofZ o) zero zero (residue (scale_num D a))
  end.

Definition word_vector (l : word_layer) (g : word_head) (q : seq word) : seq word :=
  match g with
  | FactorWords K Q b =>
    let u := [seq mulmod (word_order l) (dotmod (word_order l) q c) (of_queries l) | c <- Q] in
    let u := word_bias (word_order l) (of_bias l) u b in
    [seq dotmod (word_order l) r u | r <- K]
  | CombinedWords W => [seq dotmod (word_order l) r q | r <- W]
  end.

Definition word_exponents (l : word_layer) (g : word_head) (q : seq word) (E : seq (seq word)) : seq word :=
  let w := word_vector l g q in
  [seq mulmod (word_order l) (of_logits l) (dotmod (word_order l) r w) | r <- E].

(* the longest scalar product                                                          *)
Definition layer_width (D : problem) (L : layer) : nat :=
  match L with
  | Factors m _ _ _ _ _ _ _ _ => maxn (d D) m
  | _ => d D
  end.

(* -------------------------------------------------------------------------- *)
(* Correctness                                                                 *)
(* -------------------------------------------------------------------------- *)
Definition res (o : Z) (r : seq word) (s : seq Z) : Prop := map toZ r = [seq x mod o | x <- s].

Lemma muladd_mod o x c y z : o <> 0 -> (x + (c mod o) * (y mod o) + z) mod o = (x + c * y + z) mod o.
Proof.
move=> o0; rewrite (Z.mod_eq c o o0) (Z.mod_eq y o o0).
set k := c / o; set l := y / o.
have -> : x + (c - o * k) * (y - o * l) + z = x + c * y + z + (o * k * l - k * y - l * c) * o by lia.
exact: Z_mod_plus_full.
Qed.

Section Residues.
Variables (o : Z) (k : nat).
Hypothesis ok : fits_word o k.
Let o1 : 1 < o. Proof. by case/andP: ok => /Z.ltb_lt. Qed.
Let ol : o * o * (Z.of_nat k + 1) <= limit. Proof. by case/andP: ok => _ /Z.leb_le. Qed.
Let oo : o * o <= limit. Proof. by nia. Qed.
Let ol1 : o <= limit. Proof. by nia. Qed.
Let oE : toZ (ofZ o) = o. Proof. by apply: ofZ_id; nia. Qed.

Lemma res_residues s : res o (residues o s) s. Proof. exact: toZ_residues. Qed.

Lemma res_small r s : res o r s -> all_small o r.
Proof.
rewrite /res; elim: r s => [|x r IH] [|y s] //= [xE /IH rs]; split=> //.
by rewrite /small xE; apply: Z.mod_pos_bound; lia.
Qed.

Lemma dot_fromE x a b a' b' : res o a a' -> res o b b' -> 0 <= toZ x ->
    toZ x + o * o * Z.of_nat (size a) < limit ->
  toZ (dot_from x a b) mod o = (toZ x + dot a' b') mod o /\ 0 <= toZ (dot_from x a b).
Proof.
elim: a a' b b' x => [|y a IH] [|y' a'] // b b' x.
  by rewrite Z.add_0_r.
move=> /= [yE aE]; case: b b' => [|z b] [|z' b'] //=; first by rewrite Z.add_0_r.
move=> [zE bE] x0; rewrite Zpos_P_of_succ_nat => xl.
have [y0 yo] : 0 <= toZ y < o by rewrite yE; apply: Z.mod_pos_bound; lia.
have [z0 zo] : 0 <= toZ z < o by rewrite zE; apply: Z.mod_pos_bound; lia.
have yz : 0 <= toZ y * toZ z < o * o by nia.
have sE : toZ (muladd x y z) = toZ x + toZ y * toZ z by apply: muladdE; nia.
have [||-> ?] := IH a' b b' (muladd x y z) aE bE; rewrite ?sE; try nia.
split=> //; rewrite Z.add_assoc yE zE; apply: muladd_mod; lia.
Qed.

Lemma dotmodE a b a' b' : res o a a' -> res o b b' -> (size a' <= k)%N ->
  toZ (dotmod (ofZ o) a b) = (dot a' b') mod o.
Proof.
move=> aE bE /ssrnat.leP/inj_le sk; have sa : size a = size a' by have := congr1 size aE; rewrite !size_map.
have [||E ?] := @dot_fromE zero a b a' b' aE bE; rewrite ?toZ_zero ?sa; try nia.
by rewrite /dotmod remE ?oE ?E //; lia.
Qed.

Lemma mulmod_res x y x' y' : toZ x = x' mod o -> toZ y = y' mod o ->
  toZ (mulmod (ofZ o) x y) = (x' * y') mod o.
Proof.
move=> xE yE; rewrite mulmodE ?oE //; try (by rewrite /small ?xE ?yE; apply: Z.mod_pos_bound; lia).
by rewrite xE yE -Z.mul_mod //; lia.
Qed.

Lemma word_biasE c c' u b u' b' : toZ c = c' mod o -> res o u u' -> res o b b' ->
  res o (word_bias (ofZ o) c u b) (add_bias c' u' b').
Proof.
move=> cE; elim: u u' b b' => [|x u IH] [|x' u'] [|y b] [|y' b'] //= [xE uE] [yE bE].
rewrite /res [word_bias _ _ _ _]/= [add_bias _ _ _]/= !map_cons.
have := IH u' b b' uE bE; rewrite /res => ->; congr (_ :: _).
have [x0 xo] : 0 <= toZ x < o by rewrite xE; apply: Z.mod_pos_bound; lia.
have [y0 yo] : 0 <= toZ y < o by rewrite yE; apply: Z.mod_pos_bound; lia.
have [c0 co] : 0 <= toZ c < o by rewrite cE; apply: Z.mod_pos_bound; lia.
have sE : toZ (muladd x c y) = toZ x + toZ c * toZ y by apply: muladdE => //; nia.
rewrite remE ?oE ?sE; try nia; rewrite xE cE yE.
rewrite -[x' mod o + _]Z.add_0_r -Z.add_assoc Zplus_mod_idemp_l Z.add_assoc muladd_mod; last by lia.
by rewrite Z.add_0_r.
Qed.

Lemma res_map (f : seq word -> word) (h : seq Z -> Z) (M : seq (seq Z)) :
  (forall r, r \in M -> toZ (f (residues o r)) = h r mod o) ->
  res o [seq f r | r <- [seq residues o r | r <- M]] [seq h r | r <- M].
Proof.
elim: M => //= r M IH H; rewrite /res /= H ?mem_head //; congr (_ :: _).
by apply: IH => s sM; apply: H; rewrite inE sM orbT.
Qed.

End Residues.

Lemma all_nth_leq (M : seq (seq (seq Z))) h m r :
  all (all (fun r => size r <= m)%N) M -> r \in nth [::] M h -> (size r <= m)%N.
Proof. by move=> aM; have /allP := all_nth_nil (P := all (fun r : seq Z => size r <= m)%N) h aM isT; apply. Qed.

(* what tokens C are the exponents of, at the query of an example                        *)
Definition token_exponents (D : problem) (L : layer) (a : bool) (h t : nat) (C : seq (seq Z)) : seq Z :=
  let w := raw_vector D L (prepare L h) (nth [::] (queries D) t) in [seq scale_num D a * dot r w | r <- C].

Lemma exponents_of_tokens (D : problem) (L : layer) (a : bool) (h t : nat) : ~~ projects L ->
  exponents D L a (prepare L h) t = token_exponents D L a h t (context_at D t).
Proof. by rewrite /exponents /token_exponents; case: L => // * /=; rewrite -map_comp. Qed.

Lemma word_exponentsE (D : problem) (L : layer) (a : bool) (o : Z) (h t : nat) (C : seq (seq Z)) :
    wf_problem D -> wf_layer D L -> ~~ projects L -> fits_word o (layer_width D L) ->
    (forall r, r \in C -> (size r <= d D)%N) ->
  res o (word_exponents (layer_words D L a o) (head_words o (prepare L h))
           (residues o (nth [::] (queries D) t)) [seq residues o r | r <- C])
        (token_exponents D L a h t C).
Proof.
move=> okD okL nL ok sc; have /andP[/Z.ltb_lt o1 /Z.leb_le ol] := ok.
have ol1 : o <= limit by nia.
have sq : (size (nth [::] (queries D) t) <= d D)%N by apply: size_query.
have dw : (d D <= layer_width D L)%N by rewrite /layer_width; case: (L) => * //; apply: leq_maxl.
have vec : res o (word_vector (layer_words D L a o) (head_words o (prepare L h))
    (residues o (nth [::] (queries D) t))) (raw_vector D L (prepare L h) (nth [::] (queries D) t)).
  case: (L) nL okL ok dw => [m qk K qq Q qkb bK qqb bQ|q W|//] /= _ okL ok dw.
    case/andP: okL => okK okB.
    apply: res_map => r rK; apply: (dotmodE ok) => //; first exact: res_residues ok _.
      apply: (word_biasE ok); rewrite ?residueE //; last exact: res_residues ok _.
      apply: res_map => c cQ; apply: (mulmod_res ok); rewrite ?residueE //.
      by apply: (dotmodE ok); try exact: res_residues ok _; apply: leq_trans dw.
    by apply: leq_trans (leq_maxr _ _); apply: all_nth_leq rK.
  apply: res_map => r rW; apply: (dotmodE ok); try exact: res_residues ok _.
  by apply: all_nth_leq rW.
rewrite /word_exponents /token_exponents.
have oE : word_order (layer_words D L a o) = ofZ o by case: (L).
have sE : toZ (of_logits (layer_words D L a o)) = scale_num D a mod o by case: (L) => *; apply: residueE.
rewrite oE.
apply: res_map => r rE.
apply: (mulmod_res ok) => //; apply: (dotmodE ok) => //; first exact: res_residues ok _.
by apply: leq_trans dw; apply: sc.
Qed.

Local Close Scope Z_scope.

(* ============================================================================ *)
(* Minors                                                                       *)
(* ============================================================================ *)

Definition root_power (p g o l : Z) : Z :=
  match (l mod o)%coqZ with Zpos k => powmod p g k | _ => 1%coqZ end.

Definition order_ok (p g o : Z) : bool :=
  (0 <? o)%coqZ && (powmod p g (Z.to_pos o) mod p =? 1)%coqZ.

(* sum_i w_i E_i modulo p                                                       *)
Fixpoint wsum (p : Z) (w : seq Z) (E : seq (seq Z)) : seq Z :=
  match w, E with
  | x :: w', r :: E' => submul p (- x)%coqZ (wsum p w' E') r
  | _, _ => [::]
  end.

Definition sum_mod (p : Z) (w : seq Z) : Z := foldr (fun x y => ((x + y) mod p)%coqZ) 0%coqZ w.

Definition block_of (p g o : Z) (E : seq (seq Z)) (l : seq Z) : option (seq Z) :=
  let w := [seq root_power p g o x | x <- l] in
  match invmod p (sum_mod p w) with
  | Some u => Some [seq ((x * u) mod p)%coqZ | x <- wsum p w E]
  | None => None
  end.

(* f on all members of a list, if it is defined on all of them                   *)
Fixpoint all_some (A B : Type) (f : A -> option B) (s : seq A) : option (seq B) :=
  match s with
  | [::] => Some [::]
  | x :: s' =>
    match f x with
    | None => None
    | Some y => match all_some f s' with Some r => Some (y :: r) | None => None end
    end
  end.

(* free_mod of rows that are made one after the other, so that only the pivot rows are kept *)
Fixpoint eliminate_each (A : Type) (f : A -> option (seq Z)) (p : Z) (B : seq (option word_row)) (s : seq A) : bool :=
  match s with
  | [::] => true
  | x :: s' =>
    if f x is Some r then
      if insert_row (ofZ p) [::] B (Row (residues p r)) is Some B' then eliminate_each f p B' s' else false
    else false
  end.

Definition free_rows (A : Type) (p : Z) (n : nat) (f : A -> option (seq Z)) (s : seq A) : bool :=
  if fits_word p n.+1 then eliminate_each f p (nseq n None) s
  else if all_some f s is Some M then free_exact p n M else false.

(* the same with words: the exponents are residues, sq the powers g, g^2, g^4, ..., and E the columns of the tokens *)
Fixpoint onto (r : seq word) (E : seq (seq word)) : seq (seq word) :=
  if E is c :: E' then (head zero r :: c) :: onto (behead r) E' else [::].
Definition word_columns (d : nat) (M : seq (seq word)) : seq (seq word) := foldr onto (nseq d [::]) M.

Definition sum_words (p : word) (w : seq word) : word := foldr (fun x y => rem (muladd y one_word x) p) zero w.

Definition block_words (p : word) (sq : seq word) (E : seq (seq word)) (l : seq word) : option (seq word) :=
  let w := [seq pow p sq x one_word | x <- l] in
  match inverse p (sum_words p w) with
  | Some u => Some [seq mulmod p u (rem (dot_from zero w c) p) | c <- E]
  | None => None
  end.

(* what all rows need: the first m heads, or with small moduli words, these among them *)
Inductive reader :=
  | Exactly (hs : seq literal_head)
  | Modulo (p : word) (sq : seq word) (l : word_layer) (hs : seq word_head)
      (tokens : option (seq (seq word) * seq (seq word)))   (* of all examples, where they share them *).

(* the columns of the tokens modulo p, and the tokens modulo the order                *)
Definition token_words (d : nat) (p o : Z) (C : seq (seq Z)) : seq (seq word) * seq (seq word) :=
  let C := period C in (word_columns d [seq residues p r | r <- C], [seq residues o r | r <- C]).

Definition reader_of (D : problem) (L : layer) (a : bool) (p g o : Z) (m : nat) : reader :=
  let hs := [seq prepare L h | h <- iota 0 m] in
  if [&& fits_word p (n D), fits_word o (layer_width D L) & ~~ projects L] then
    Modulo (ofZ p) (squares (ofZ p) (ofZ (g mod p)%coqZ) (Z.to_pos o)) (layer_words D L a o)
      [seq head_words o h | h <- hs] (if shared D then Some (token_words (d D) p o (context_at D 0)) else None)
  else Exactly hs.

Definition blocks_mod (D : problem) (L : layer) (a : bool) (p g o : Z) (r : reader) (t : nat) :
    option (seq (seq Z)) :=
  match r with
  | Exactly hs =>
    let C := context_at D t in
    let E := [seq [seq (x mod p)%coqZ | x <- r] | r <- C] in
    all_some (fun h => block_of p g o E (exponents D L a h t)) hs
  | Modulo pw sq l hs tokens =>
    let EX := if tokens is Some EX then EX else token_words (d D) p o (context_at D t) in
    let q := residues o (nth [::] (queries D) t) in
    match all_some (fun h => block_words pw sq EX.1 (word_exponents l h q EX.2)) hs with
    | Some r => Some [seq [seq toZ x | x <- y] | y <- r]
    | None => None
    end
  end.

(* b = exp kappa may have the residue g: in base e any, in base 2 a root of 2     *)
Definition residue_ok (D : problem) (L : layer) (a : bool) (p g : Z) : bool :=
  if base_two D then Pos.eqb (root D a) 1 && ((powmod p g (total_den D L a) - 2) mod p =? 0)%coqZ else true.

(* Entries at pairs (block, coordinate): the indices are words, where they can be    *)
Fixpoint word_nth (A : Type) (x0 : A) (s : seq A) (k : word) : A :=
  if s is x :: s' then if is_zero k then x else word_nth x0 s' (sub k one_word) else x0.

Definition column_words (cols : seq (nat * nat)) : option (seq (word * word)) :=
  if all (fun c => (Z.of_nat c.1 <? limit)%coqZ && (Z.of_nat c.2 <? limit)%coqZ) cols then
    Some [seq (ofZ (Z.of_nat c.1), ofZ (Z.of_nat c.2)) | c <- cols]
  else None.

Definition entries_at (cols : seq (nat * nat)) (ws : option (seq (word * word))) (r : seq (seq Z)) : seq Z :=
  if ws is Some ws then [seq word_nth 0%coqZ (word_nth [::] r c.1) c.2 | c <- ws]
  else [seq nth 0%coqZ (nth [::] r c.1) c.2 | c <- cols].

Lemma word_nthE (A : Type) (x0 : A) s k w : toZ w = Z.of_nat k -> (Z.of_nat k < limit)%coqZ ->
  word_nth x0 s w = nth x0 s k.
Proof.
elim: s k w => [|x s IH] [|k] w //= wE kl; first by rewrite /is_zero wE.
have w1 : toZ w = (Z.of_nat k + 1)%coqZ by rewrite wE; lia.
rewrite /is_zero w1 (_ : (Z.of_nat k + 1 =? 0)%coqZ = false); last by apply/Z.eqb_neq; lia.
have kl' : (Z.of_nat k < limit)%coqZ by lia.
by apply: IH => //; rewrite subE w1 (_ : toZ one_word = 1%coqZ) //; lia.
Qed.

Lemma entries_atE cols r :
  entries_at cols (column_words cols) r = [seq nth 0%coqZ (nth [::] r c.1) c.2 | c <- cols].
Proof.
rewrite /column_words /entries_at; case: ifP => // /allP H; rewrite -map_comp; apply/eq_in_map => c /H.
case/andP=> /Z.ltb_lt c1 /Z.ltb_lt c2 /=.
have wE k : (Z.of_nat k < limit)%coqZ -> toZ (ofZ (Z.of_nat k)) = Z.of_nat k.
  by move=> kl; apply: ofZ_id; split=> //; apply: Nat2Z.is_nonneg.
by rewrite (word_nthE _ _ (wE _ c1) c1) (word_nthE _ _ (wE _ c2) c2).
Qed.

(* the heads that columns are about *)
Definition heads_in (cols : seq (nat * nat)) : nat := foldr (fun c m => maxn c.1.+1 m) 0%N cols.

Definition minor_Z_ok (D : problem) (L : layer) (a : bool) (p g o : Z)
    (rows : seq nat) (cols : seq (nat * nat)) : bool :=
  [&& wf_problem D, wf_layer D L, (1 <? p)%coqZ, order_ok p g o, residue_ok D L a p g,
    all (fun t => t < T D)%N rows, all (fun c => (c.1 < H D) && (c.2 < d D))%N cols &
    let blocks := blocks_mod D L a p g o (reader_of D L a p g o (heads_in cols)) in let ws := column_words cols in
    free_rows p (size cols) (fun t => omap (entries_at cols ws) (blocks t)) rows].

Lemma heads_inP cols k : (k < size cols)%N -> ((nth (0, 0)%N cols k).1 < heads_in cols)%N.
Proof. by elim: cols k => //= c cols IH [|k] kc; rewrite leq_max ?leqnn // IH ?orbT. Qed.

Lemma all_someP (A B : Type) (f : A -> option B) s r : all_some f s = Some r ->
  Forall2 (fun x y => f x = Some y) s r.
Proof.
elim: s r => [|x s IH] r /=; first by case=> <-; constructor.
case fx: (f x) => [y|] //; case E: (all_some f s) => [r'|] // [<-].
by constructor=> //; apply: IH.
Qed.

Lemma free_rowsP (A : Type) p n (f : A -> option (seq Z)) s : free_rows p n f s ->
  exists2 M, Forall2 (fun x r => f x = Some r) s M & free_mod p n M.
Proof.
rewrite /free_rows /free_mod; case: ifP => _; last first.
  by case E: (all_some f s) => [M|] // ok; exists M => //; apply: all_someP.
elim: s (nseq n None) => [|x s IH] B /=; first by exists [::].
case fx: (f x) => [r|] //; case E: (insert_row _ _ _ _) => [B'|] // /IH[M xM ok].
by exists (r :: M); [constructor|rewrite /= E].
Qed.

Lemma Forall2_omap (A B C : Type) (f : A -> option B) (g : B -> C) s M : Forall2 (fun x r => omap g (f x) = Some r) s M ->
  exists2 N, Forall2 (fun x r => f x = Some r) s N & M = [seq g r | r <- N].
Proof.
elim=> [|x r s' M' xr _ [N xN ->]]; first by exists [::].
by case fx: (f x) xr => [y|] //= [<-]; exists (y :: N) => //; constructor.
Qed.

Lemma Forall2_nth (A B : Type) (P : A -> B -> Prop) a b s r : Forall2 P s r ->
  size s = size r /\ forall i, (i < size s)%N -> P (nth a s i) (nth b r i).
Proof.
elim=> [|x y s' r' xy _ [ss IH]] /=; first by split.
by split; [rewrite ss|case=> [|i] //; apply: IH].
Qed.

Lemma nth_map_mod p (s : seq Z) j : nth 0%coqZ [seq (x mod p)%coqZ | x <- s] j = (nth 0%coqZ s j mod p)%coqZ.
Proof.
have [js|sj] := ltnP j (size s); first by rewrite (nth_map 0%coqZ).
by rewrite !nth_default ?size_map // Zmod_0_l.
Qed.

Section Power.
Variables (F : numFieldType) (p : Z) (b : F) (g o : Z).
Hypotheses (p1 : (1 < p)%coqZ) (bg : place p b g) (og : order_ok p g o).
Local Notation red := (red p b g).

Lemma red_order : red (b ^+ Pos.to_nat (Z.to_pos o)) 1.
Proof.
case/andP: og => _ /Z.eqb_eq o1; have := red_powmod p1 (Z.to_pos o) (red_base p b g).
by move/(red_mod p1); rewrite o1.
Qed.

Lemma base_neq0 : b != 0.
Proof.
have u1 : unitm p 1 by exists 1; rewrite mulr1; apply: eqm_refl.
have := red_neq0 p1 bg red_order u1; rewrite expf_eq0 negb_and => /orP[|//].
by have /ssrnat.ltP -> := Pos2Nat.is_pos (Z.to_pos o).
Qed.

Lemma red_power l : red (b ^ int_of_Z l) (root_power p g o l).
Proof.
have /andP[/Z.ltb_lt o0 _] := og; have b0 := base_neq0.
set N := Pos.to_nat (Z.to_pos o).
have oE : int_of_Z o = N by rewrite /N; case: (o) o0.
have lE := Z_div_mod_eq_full l o.
have [r0 _] := Z.mod_pos_bound l o o0.
have -> : b ^ int_of_Z l = (b ^+ N) ^ int_of_Z (l / o)%coqZ * b ^ int_of_Z (l mod o)%coqZ.
  rewrite exprnP exprz_exp -oE -rmorphM -expfzDr // -rmorphD; congr (_ ^ int_of_Z _).
  exact: lE.
have redN (q : int) : red ((b ^+ N) ^ q) 1.
  case: q => k; last first.
    rewrite NegzE -exprnN; apply: (red_inv p1 bg (a := 1)); last by rewrite mulr1; apply: eqm_refl.
    by have := red_exp k.+1 red_order; rewrite expr1n.
  by have := red_exp k red_order; rewrite expr1n.
rewrite -[root_power _ _ _ _]mul1r; apply: red_mul (redN _) _; rewrite /root_power.
case: (l mod o)%coqZ r0 => [|k|k] // _.
- by have := red_int p b g 1; rewrite rmorph1.
exact: (red_powmod p1 k (red_base p b g)).
Qed.

Lemma red_wsum (W : nat -> F) (X : nat -> nat -> F) w E : size w = size E ->
  (forall i, (i < size w)%N -> red (W i) (nth 0%coqZ w i)) ->
  (forall i, (i < size w)%N -> red_row p b g (X i) (nth [::] E i)) ->
  red_row p b g (fun j => \sum_(i < size w) W i * X i j) (wsum p w E).
Proof.
elim: w E W X => [|x w IH] [|r E] W X //= => [_ _ _ j|[sE] Ww XE j].
  by rewrite big_ord0 nth_nil; have := red_int p b g 0; rewrite rmorph0.
have -> : \sum_(i < (size w).+1) W i * X i j =
    \sum_(i < size w) W i.+1 * X i.+1 j - (- W 0%N) * X 0%N j.
  by rewrite big_ord_recl mulNr opprK addrC.
apply: (red_submul p1 (x := fun j => \sum_(i < size w) W i.+1 * X i.+1 j) (y := X 0%N)).
- exact: (red_opp (Ww 0%N isT)).
- by apply: (IH E (fun i => W i.+1) (fun i => X i.+1)) => // i iw; [apply: (Ww i.+1)|apply: (XE i.+1)].
exact: (XE 0%N).
Qed.

Lemma red_sum_mod (W : nat -> F) w :
  (forall i, (i < size w)%N -> red (W i) (nth 0%coqZ w i)) ->
  red (\sum_(i < size w) W i) (sum_mod p w).
Proof.
elim: w W => [|x w IH] W Ww /=.
  by rewrite big_ord0; have := red_int p b g 0; rewrite rmorph0.
rewrite big_ord_recl; apply: (red_mod p1); apply: red_add; first exact: (Ww 0%N).
by apply: (IH (fun i => W i.+1)) => i iw; apply: (Ww i.+1).
Qed.

End Power.

Section Minor.
Variables (R : realType) (D : problem) (L : layer) (a : bool).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Hypotheses (okD : wf_problem D) (okL : wf_layer D L).
Let b : R := expR (kappa R D L a).
Let q : R := toF R (Zpos (q_contexts D)).

Lemma expR_exponents (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  expR ((factor R D a *: main_logits R L t h) i 0) =
  b ^ int_of_Z (nth 0%coqZ (exponents D L a (prepare L h) t) i).
Proof. by rewrite mxE (exponentsE _ okD _ okL) expR_int. Qed.

Lemma given_ZE (t : 'I_T) (h : 'I_H) (j : 'I_d) : let l := exponents D L a (prepare L h) t in
  (q *: given_Z R D L a) t (mxvec_index h j) =
    (\sum_(i < n) b ^ int_of_Z (nth 0%coqZ l i) * toF R (ent (context_at D t) i j))
      / \sum_(i < n) b ^ int_of_Z (nth 0%coqZ l i).
Proof.
rewrite /= mxE given_Z_attn_out attn_outE mxE mulr_sumr mulr_suml.
apply: eq_bigr => i _.
rewrite [row _ _ _ _]mxE [given_coefs _ _ _ _ _ _]mxE [(_)^T _ _]mxE softmax_logits [softmax _ _ _]mxE.
rewrite expR_exponents; under eq_bigr do rewrite expR_exponents.
by rewrite [E R D t i j]mxE scale_frac // /q toF_pos.
Qed.

(* a context that repeats some tokens                                             *)
Lemma given_Z_period (t : 'I_T) (h : 'I_H) (j : 'I_d) (C := period (context_at D t)) (l := token_exponents D L a h t C) :
    ~~ projects L ->
  (q *: given_Z R D L a) t (mxvec_index h j) =
    (\sum_(i < size C) b ^ int_of_Z (nth 0%coqZ l i) * toF R (ent C i j))
      / \sum_(i < size C) b ^ int_of_Z (nth 0%coqZ l i).
Proof.
move=> nL; rewrite given_ZE (exponents_of_tokens _ _ _ _ nL).
have CE := periodP (context_at D t); rewrite -/C in CE; set m := (_ %/ _)%N in CE.
have nE : n = (m * size C)%N by rewrite -(size_context okD t) CE size_repeated.
have m0 : (m%:R : R) != 0 by rewrite pnatr_eq0; apply: contraTneq (n_gt0 okD) => m0; rewrite nE m0.
have C0 : (0 < size C)%N by rewrite lt0n; apply: contraTneq (n_gt0 okD) => C0; rewrite nE C0 muln0.
have sums (f : seq Z -> R) : \sum_(i < n) f (nth [::] (context_at D t) i) = m%:R * \sum_(i < size C) f (nth [::] C i).
  rewrite nE mulr_natl -(sum_repeated m (size C) (fun i => f (nth [::] C i))).
  by apply: eq_bigr => i _; rewrite CE nth_repeated.
pose e r := b ^ int_of_Z (scale_num D a * dot r (raw_vector D L (prepare L h) (nth [::] (queries D) t)))%coqZ.
have eE C' i : (i < size C')%N -> b ^ int_of_Z (nth 0%coqZ (token_exponents D L a h t C') i) = e (nth [::] C' i).
  by move=> iC; rewrite /token_exponents (nth_map [::]).
have big (i : 'I_n) : (i < size (context_at D t))%N by rewrite size_context.
under eq_bigr do rewrite (eE _ _ (big _)); under [X in _ / X]eq_bigr do rewrite (eE _ _ (big _)).
rewrite (sums (fun r => e r * toF R (nth 0%coqZ r j))) (sums e) -mulf_div divff // mul1r.
by congr (_ / _); apply: eq_bigr => i _; rewrite eE.
Qed.

Lemma rank_scaled_given : \rank (q *: given_Z R D L a) = \rank (given_Z R D L a).
Proof. by rewrite mxrank_scale_nz // toF_pos. Qed.

Let toFP (r : positive) : toF R (Zpos r) = (Pos.to_nat r)%:R. Proof. by rewrite /toF -pmulrn /=. Qed.
Let pos (r : positive) : (0 < Pos.to_nat r)%N. Proof. exact/ssrnat.ltP/Pos2Nat.is_pos. Qed.

Lemma root_of_two : base_two D -> root D a = 1%positive -> b ^+ Pos.to_nat (total_den D L a) = 2%:R.
Proof.
move=> b2 root1; rewrite /b /kappa b2 root1 rmorph1 sqrtr1 div1r toFP.
by rewrite -expRMm mulrC divfK ?pnatr_eq0 -?lt0n // lnK ?posrE ?ltr0n.
Qed.

Lemma place_kappa p g : (1 < p)%coqZ -> residue_ok D L a p g -> place p b g.
Proof.
move=> p1; rewrite /residue_ok; case: ifP => [b2|nb2 _]; last first.
  by rewrite /b /kappa nb2 mul1r !toFP; apply: place_exp.
move/andP=> [/Pos.eqb_eq root1 g2]; apply: (place_root (pos _) (root_of_two b2 root1)).
have [k kE] : eqm p (powmod p g (total_den D L a) - 2)%coqZ 0.
  move/Z.eqb_eq: g2 => g0; have := eqm_sym (eqm_mod (powmod p g (total_den D L a) - 2)%coqZ (p_neq0 p1)).
  by rewrite g0.
apply: eqm_trans (eqm_sym (powmodE g (total_den D L a) p1)) _; exists k.
by rewrite add0r in kE; rewrite -kE; apply/esym/Zplus_minus.
Qed.

(* one quotient of sums of powers                                                *)
Lemma red_block_of p g o l C j r : (1 < p)%coqZ -> order_ok p g o -> place p b g -> size C = size l ->
    block_of p g o [seq [seq (x mod p)%coqZ | x <- y] | y <- C] l = Some r ->
  red p b g ((\sum_(i < size l) b ^ int_of_Z (nth 0%coqZ l i) * toF R (ent C i j))
      / \sum_(i < size l) b ^ int_of_Z (nth 0%coqZ l i)) (nth 0%coqZ r j).
Proof.
move=> p1 og bg sC; rewrite /block_of; set w := [seq root_power _ _ _ _ | _ <- l].
have sw : size w = size l by rewrite size_map.
case I: (invmod p _) => [u|] // [<-].
have ww (i' : nat) : (i' < size w)%N -> red p b g (b ^ int_of_Z (nth 0%coqZ l i')) (nth 0%coqZ w i').
  rewrite size_map => il; rewrite (nth_map 0%coqZ _ (root_power p g o)) //; exact: (red_power p1 bg og).
have ru := red_invmod p1 bg (red_sum_mod p1 (W := fun i' => b ^ int_of_Z (nth 0%coqZ l i')) ww) I.
rewrite sw in ru.
set EE := [seq [seq _ | _ <- _] | _ <- _].
have := red_wsum p1 (b := b) (g := g) (W := fun i' => b ^ int_of_Z (nth 0%coqZ l i'))
  (X := fun i' j' => toF R (ent C i' j')) (w := w) (E := EE).
rewrite sw in ww *; rewrite size_map sC => /(_ erefl ww).
have XE i' : red_row p b g (fun j' => toF R (ent C i' j')) (nth [::] EE i').
  move=> j'; rewrite /EE /ent.
  have [iC|Ci] := ltnP i' (size C).
    by rewrite (nth_map [::]) // nth_map_mod; apply: (red_mod p1); apply: red_int.
  by rewrite [nth [::] C i']nth_default // [nth [::] _ i']nth_default ?size_map // nth_nil; apply: red_int.
move=> /(_ (fun i' _ => XE i')) ws.
have [jw|wj] := ltnP j (size (wsum p w EE)).
  by rewrite (nth_map 0%coqZ) //; apply: (red_mod p1); apply: red_mul ru; apply: ws.
rewrite [in X in red _ _ _ _ X]nth_default ?size_map //.
by have := red_mul (ws j) ru; rewrite [nth _ (wsum _ _ _) _]nth_default // mul0r.
Qed.

(* the entries of row t of Z, times the denominator of the tokens                *)
Lemma red_blocks_exactly p g o m (t : 'I_T) (h : 'I_H) (j : 'I_d) r :
    (1 < p)%coqZ -> order_ok p g o -> place p b g -> (h < m)%N ->
    blocks_mod D L a p g o (Exactly [seq prepare L h | h <- iota 0 m]) t = Some r ->
  red p b g ((q *: given_Z R D L a) t (mxvec_index h j)) (nth 0%coqZ (nth [::] r h) j).
Proof.
move=> p1 og bg hm /all_someP/(Forall2_nth (prepare L 0) [::])[_].
rewrite size_map size_iota => /(_ h hm).
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
have sl : size (exponents D L a (prepare L h) t) = n by apply: size_exponents.
by rewrite given_ZE -sl; apply: red_block_of; rewrite // sl size_context.
Qed.

(* with words                                                                    *)
Section Words.
Variables (p g o : Z).
Hypotheses (p1 : (1 < p)%coqZ) (og : order_ok p g o) (bg : place p b g).
Hypotheses (pf : fits_word p n) (qf : fits_word o (layer_width D L)).
Local Notation red := (red p b g).
Local Notation pw := (ofZ p).
Let sq := squares pw (ofZ (g mod p)%coqZ) (Z.to_pos o).
Let p0 : (0 < p)%coqZ. Proof. by move: p1; lia. Qed.
Let pl : (p * p * (Z.of_nat n + 1) <= limit)%coqZ. Proof. by case/andP: pf => _ /Z.leb_le. Qed.
Let pp : (p * p <= limit)%coqZ. Proof. by move: pl; nia. Qed.
Let pl1 : (p <= limit)%coqZ. Proof. by move: pp; nia. Qed.
Let pE : toZ pw = p. Proof. by apply: ofZ_id; move: pp; nia. Qed.
Let ppw : (toZ pw * toZ pw <= limit)%coqZ. Proof. by rewrite pE. Qed.
Let p1w : (1 < toZ pw)%coqZ. Proof. by rewrite pE. Qed.

Lemma exprZ (x : Z) k : x ^+ k = (x ^ Z.of_nat k)%coqZ.
Proof.
elim: k => [//|k IH]; rewrite exprS IH Nat2Z.inj_succ Z.pow_succ_r //; exact: Nat2Z.is_nonneg.
Qed.

Lemma small_one : small p one_word. Proof. by rewrite /small (_ : toZ one_word = 1%coqZ) //; move: p1; lia. Qed.

Lemma red_pow x l : toZ x = (l mod o)%coqZ ->
  red (b ^ int_of_Z l) (toZ (pow pw sq x one_word)) /\ small p (pow pw sq x one_word).
Proof.
have /andP[/Z.ltb_lt o0 _] := og; have [l0 lo] := Z.mod_pos_bound l o o0.
have gs : small (toZ pw) (ofZ (g mod p)%coqZ) by rewrite pE; apply: small_residue.
move=> xE; split; last first.
  have := @small_pow pw p1w ppw sq x one_word; rewrite pE; apply; last exact: small_one.
  by have := @all_small_squares pw p1w ppw (ofZ (g mod p)%coqZ) (Z.to_pos o) gs; rewrite pE.
apply: red_eqm (red_power p1 bg og l) _.
rewrite powE ?pE //; try exact: small_one; try (by rewrite pE in gs); try (by rewrite xE Z2Pos.id //; lia).
rewrite (_ : toZ one_word = 1%coqZ) // Z.mul_1_l residueE // xE -Zpow_facts.Zpower_mod; last by lia.
apply: eqm_trans (eqm_sym (eqm_mod _ (p_neq0 p1))).
rewrite /root_power; case: (l mod o)%coqZ l0 => [_|k _|k] //; first exact: eqm_refl.
have := powmodE g k p1; by rewrite exprZ positive_nat_Z.
Qed.

Lemma red_dot_from x acc (W X : nat -> R) w c k : red x (toZ acc) -> (0 <= toZ acc < p * p * Z.of_nat k)%coqZ \/ (k = 0%N /\ toZ acc = 0%coqZ) ->
    size w = size c -> (k + size w <= n)%N ->
    (forall i, (i < size w)%N -> red (W i) (toZ (nth zero w i)) /\ small p (nth zero w i)) ->
    (forall i, (i < size c)%N -> red (X i) (toZ (nth zero c i)) /\ small p (nth zero c i)) -> (0 < k + size w)%N ->
  red (x + \sum_(i < size w) W i * X i) (toZ (dot_from acc w c)) /\
  (0 <= toZ (dot_from acc w c) < p * p * Z.of_nat (k + size w))%coqZ.
Proof.
elim: w c x acc k W X => [|y w IH] [|z c] x acc k W X //= xa ak.
  move=> _ _ _ _; rewrite addn0 big_ord0 addr0 => k0; split=> //.
  by case: ak => // -[k0' _]; rewrite k0' in k0.
move=> [sw] kn Ww Xc _; have [y0 ys] := Ww 0%N isT; have [z0 zs] := Xc 0%N isT.
have [[y_ge yp] [z_ge zp]] : small p y /\ small p z by [].
have yz : (0 <= toZ y * toZ z < p * p)%coqZ by clear -y_ge yp z_ge zp; nia.
have a0 : (0 <= toZ acc)%coqZ by case: ak => [[]//|[_ ->]].
have aB : (toZ acc + toZ y * toZ z < p * p * Z.of_nat k.+1)%coqZ.
  by rewrite Nat2Z.inj_succ Z.mul_succ_r; clear -ak yz; case: ak => [[_ ?]|[-> ->]]; lia.
have kl : (p * p * Z.of_nat k.+1 <= limit)%coqZ.
  apply: Z.le_trans pl; apply: Z.mul_le_mono_nonneg_l; first exact: Z.square_nonneg.
  apply: (Z.le_trans _ (Z.of_nat n)); last by clear; lia.
  by apply/inj_le/ssrnat.leP; apply: leq_trans kn; rewrite addnS ltnS leq_addr.
have sE : toZ (muladd acc y z) = (toZ acc + toZ y * toZ z)%coqZ by apply: muladdE => //; clear -a0 aB kl yz; lia.
have := IH c (x + W 0%N * X 0%N) (muladd acc y z) k.+1 (fun i => W i.+1) (fun i => X i.+1).
rewrite sE addSnnS big_ord_recl addrA; apply=> //.
- by apply: red_add => //; apply: red_mul.
- by left; split=> //; clear -a0 yz; lia.
- by move=> i iw; apply: (Ww i.+1).
- by move=> i iw; apply: (Xc i.+1).
by rewrite addnS.
Qed.

Lemma nth_onto r E j : (j < size E)%N -> nth [::] (onto r E) j = nth zero r j :: nth [::] E j.
Proof. by elim: E r j => //= c E IH r [|j] jE /=; [rewrite nth0|rewrite IH // nth_behead]. Qed.

Lemma size_onto r E : size (onto r E) = size E.
Proof. by elim: E r => //= c E IH r; rewrite IH. Qed.

Lemma nth_word_columns k M j : (j < k)%N -> nth [::] (word_columns k M) j = [seq nth zero r j | r <- M] /\
  size (word_columns k M) = k.
Proof.
move=> jk; elim: M => [|r M [IH sM]] /=; first by rewrite nth_nseq jk size_nseq.
by rewrite nth_onto ?sM // IH size_onto.
Qed.

Lemma red_sum_words (W : nat -> R) w :
    (forall i, (i < size w)%N -> red (W i) (toZ (nth zero w i)) /\ small p (nth zero w i)) ->
  red (\sum_(i < size w) W i) (toZ (sum_words pw w)) /\ small p (sum_words pw w).
Proof.
elim: w W => [|x w IH] W Ww.
  rewrite big_ord0 toZ_zero; split; first by have := red_int p b g 0; rewrite rmorph0.
  by rewrite /small toZ_zero; move: p1; lia.
have [|IH1 IH2] := IH (fun i => W i.+1); first by move=> i iw; apply: (Ww i.+1).
have [x0 xs] : red (W 0%N) (toZ x) /\ small p x := Ww 0%N isT; rewrite big_ord_recl [sum_words _ _]/=.
have [[x_ge xp] [y_ge yp]] := (xs, IH2); have o1 : toZ one_word = 1%coqZ by [].
have sE : toZ (muladd (sum_words pw w) one_word x) = (toZ (sum_words pw w) + toZ x)%coqZ.
  have lt2 : (toZ (sum_words pw w) + toZ x < limit)%coqZ.
    apply: (Z.lt_le_trans _ (2 * p)%coqZ); first by clear -xp yp; lia.
    by apply: Z.le_trans pp; clear -p1; apply: Z.mul_le_mono_nonneg_r; lia.
  by rewrite muladdE ?o1 ?Z.mul_1_l.
have s0 : (0 <= toZ (muladd (sum_words pw w) one_word x))%coqZ by rewrite sE; apply: Z.add_nonneg_nonneg.
split; last by have := @small_rem (muladd (sum_words pw w) one_word x) pw s0; rewrite pE; apply.
rewrite remE ?pE //.
by rewrite sE addrC; apply: (red_mod p1); apply: red_add.
Qed.

Lemma red_blocks_words m (t : 'I_T) (h : 'I_H) (j : 'I_d) r : ~~ projects L -> (h < m)%N ->
    blocks_mod D L a p g o
      (Modulo pw sq (layer_words D L a o) [seq head_words o h | h <- [seq prepare L h | h <- iota 0 m]]
        (if shared D then Some (token_words d p o (context_at D 0)) else None)) t = Some r ->
  red ((q *: given_Z R D L a) t (mxvec_index h j)) (nth 0%coqZ (nth [::] r h) j).
Proof.
move=> nL hm; rewrite /blocks_mod.
have -> : (if (if shared D then Some (token_words d p o (context_at D 0)) else None) is Some EX then EX
    else token_words d p o (context_at D t)) = token_words d p o (context_at D t).
  by case: ifP => // /shared_contexts ->.
rewrite /token_words ![fst _]/= ![snd _]/=; case B: (all_some _ _) => [r'|] // [<-].
have := all_someP B => /(Forall2_nth (head_words o (prepare L 0)) [::])[].
rewrite !size_map size_iota => sr /(_ h hm).
rewrite (nth_map (prepare L 0)) ?size_map ?size_iota // (nth_map 0%N) ?size_iota // nth_iota // add0n.
rewrite (nth_map [::]) -?sr // /block_words.
set C := period _; set X := word_exponents _ _ _ _; set l := token_exponents D L a h t C.
have sC r0 : r0 \in C -> (size r0 <= d)%N.
  by move/mem_period => r0C; have [k kC <-] := nthP [::] r0C; apply: size_token.
have XE : res o X l by apply: word_exponentsE.
have sl : size l = size C by rewrite size_map.
have sX : size X = size C by rewrite -sl -(size_map toZ) XE size_map.
have [Cn C0] := size_period (context_at D t); rewrite -/C size_context // in Cn C0.
set w := [seq pow _ _ _ _ | _ <- _]; have sw : size w = size C by rewrite size_map.
have ww (i : nat) : (i < size w)%N ->
    red (b ^ int_of_Z (nth 0%coqZ l i)) (toZ (nth zero w i)) /\ small p (nth zero w i).
  rewrite sw => iw; rewrite (nth_map zero) ?sX //; apply: red_pow.
  rewrite -(nth_map zero 0%coqZ toZ) ?sX // XE (nth_map 0%coqZ) ?sl //.
have [rs ss] := red_sum_words ww.
case I: (inverse pw _) => [u|] // [<-].
have [us uv] : small p u /\ eqm p (toZ (sum_words pw w) * toZ u) 1.
  have := inverseE p1w ppw; rewrite pE => /(_ _ _ ss I)[us uv]; split=> //.
  by have := eqm_sym (eqm_mod (toZ (sum_words pw w) * toZ u)%coqZ (p_neq0 p1)); rewrite uv.
have ru := red_inv p1 bg rs uv; rewrite sw in ru.
have [cE sE] := nth_word_columns [seq residues p r | r <- C] (ltn_ord j).
rewrite -map_comp (nth_map [::]) ?sE // /comp cE -map_comp; set c := [seq _ | _ <- C].
have sc : size c = size C by rewrite size_map.
have cc (i : nat) : (i < size c)%N -> red (toF R (ent C i j)) (toZ (nth zero c i)) /\ small p (nth zero c i).
  rewrite sc => iC; rewrite (nth_map [::]) //=; split; last first.
    by apply: small_nth p0 _; apply: all_small_residues.
  rewrite /ent; set r0 := nth [::] _ i; have [jC|Cj] := ltnP j (size r0).
    by rewrite (nth_map 0%coqZ) // quick_modE residueE //; apply: (red_mod p1); apply: red_int.
  by rewrite !nth_default ?size_map // toZ_zero; apply: red_int.
have n1 : (0 < size C)%N by rewrite C0 // -size_eq0 size_context // -lt0n (n_gt0 okD).
have [|||||||ws [w0 wb]] := @red_dot_from 0 zero (fun i => b ^ int_of_Z (nth 0%coqZ l i)) (fun i => toF R (ent C i j)) w c 0.
- by rewrite toZ_zero; have := red_int p b g 0; rewrite rmorph0.
- by right.
- by rewrite sw sc.
- by rewrite sw.
- exact: ww.
- exact: cc.
- by rewrite sw.
rewrite sw in ws wb; have rE : toZ (rem (dot_from zero w c) pw) = (toZ (dot_from zero w c) mod p)%coqZ by rewrite remE ?pE.
rewrite given_Z_period // -/C -/l mulrC mulmodE ?pE // ?rE; last first.
  by rewrite /small rE; apply: Z.mod_pos_bound.
apply: (red_mod p1); apply: red_mul ru _; apply: (red_mod p1).
by rewrite add0r in ws.
Qed.

End Words.

Lemma red_blocks p g o m (t : 'I_T) (h : 'I_H) (j : 'I_d) r :
    (1 < p)%coqZ -> order_ok p g o -> place p b g -> (h < m)%N ->
    blocks_mod D L a p g o (reader_of D L a p g o m) t = Some r ->
  red p b g ((q *: given_Z R D L a) t (mxvec_index h j)) (nth 0%coqZ (nth [::] r h) j).
Proof.
move=> p1 og bg hm; rewrite /reader_of; case: ifP => [/and3P[pf qf nL]|_]; last exact: red_blocks_exactly.
exact: red_blocks_words.
Qed.

Lemma size_blocks p g o m t r : blocks_mod D L a p g o (reader_of D L a p g o m) t = Some r -> size r = m.
Proof.
have sP : size [seq prepare L h | h <- iota 0 m] = m by rewrite size_map size_iota.
rewrite /reader_of /blocks_mod; case: ifP => _.
  case B: (all_some _ _) => [r'|] // [<-]; rewrite size_map -sP.
  by have [/esym] := Forall2_nth (head_words o (prepare L 0)) [::] (all_someP B); rewrite size_map.
by move/all_someP/(Forall2_nth (prepare L 0) [::])=> [<-].
Qed.

(* rows of Z whose images in some columns are free                                *)
Lemma free_images p g o (rows : seq nat) cols M' (f : 'I_(size rows) -> 'I_T) : (1 < p)%coqZ -> order_ok p g o ->
    residue_ok D L a p g -> all (fun c => (c.1 < H) && (c.2 < d))%N cols -> (forall i, f i = nth 0%N rows i :> nat) ->
    Forall2 (fun t r => omap (entries_at cols (column_words cols)) (blocks_mod D L a p g o (reader_of D L a p g o (heads_in cols)) t)
      = Some r) rows M' ->
    free_mod p (size cols) M' ->
  (size rows <= \rank (rowsub f (given_Z R D L a)))%N.
Proof.
move=> p1 og gb cH fE /Forall2_omap[M ME ->] fM; have bg := place_kappa p1 gb.
rewrite (eq_map (entries_atE cols)) in fM.
have [hj hjE] : exists hj : 'I_(size cols) -> 'I_H * 'I_d,
    forall i, ((hj i).1 : nat, (hj i).2 : nat) = nth (0, 0)%N cols i.
  have Hi (i : 'I_(size cols)) : ((nth (0, 0)%N cols i).1 < H)%N /\ ((nth (0, 0)%N cols i).2 < d)%N.
    by apply/andP; apply: (all_nthP (0, 0)%N cH).
  exists (fun i => (Ordinal (proj1 (Hi i)), Ordinal (proj2 (Hi i)))) => i /=.
  by rewrite -surjective_pairing.
rewrite -(mxrank_scale_nz (rowsub f _) (toF_pos R (q_contexts D))) -/q.
apply: (free_rank (f := id) (h := fun i => mxvec_index (hj i).1 (hj i).2)).
apply: (free_modP p1 bg) fM.
have [sM HM] := Forall2_nth 0%N [::] ME.
have -> : M = [seq nth [::] M (i : 'I_(size rows)) | i <- enum 'I_(size rows)].
  apply: (@eq_from_nth _ [::]); first by rewrite size_map size_enum_ord.
  move=> i iM; rewrite -sM in iM.
  by rewrite (nth_map (Ordinal iM)) ?size_enum_ord // nth_enum_ord.
rewrite -map_comp; elim: (enum _) => [|i s IHs] /=; constructor=> // k.
have [kc|ck] := ltnP k (size cols); last first.
  rewrite insubF ?ltnNge ?ck // nth_default ?size_map //.
  by have := red_int p b g 0; rewrite rmorph0.
rewrite (insubT (fun j => j < size cols)%N kc) (nth_map (0, 0)%N) //.
have := heads_inP kc; have := hjE (Ordinal kc) => /=; case: (hj (Ordinal kc)) => h j /= <- /= hm.
have := HM i (ltn_ord i); rewrite -fE => bi.
rewrite (_ : (_ *: rowsub f _) _ _ = (q *: given_Z R D L a) (f i) (mxvec_index h j)); last by rewrite !mxE.
exact: red_blocks bi.
Qed.

Theorem minor_Z_rank p g o rows cols : minor_Z_ok D L a p g o rows cols ->
  (size rows <= \rank (given_Z R D L a))%N.
Proof.
move=> /and5P[_ _ /Z.ltb_lt p1 og /and4P[gb rT cH]]; case/free_rowsP => M fE fM; have [f ff] := ords_of rT.
by apply: leq_trans (free_images p1 og gb cH ff fE fM) _; rewrite rowsubE mxrankM_maxr.
Qed.

End Minor.
