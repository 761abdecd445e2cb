(* The proved checker, exponents modulo the order of a root of unity, with words.     *)
(*                                                                                    *)
(*            res o r s == the words r are the residues of the integers s modulo o       *)
(*         dotmod o a b == scalar product modulo o                                      *)
(*   word_heads o D L hs == heads modulo o;   word_layer == with the factors of a layer   *)
(*  word_exponents ... q E == exponents of logits.v modulo o                       *)
(*   word_exponentsE == this                                                            *)
From Attest Require Import integers literal_arithmetic words elimination problem logits.

Local Open Scope Z_scope.
Local Notation Z := BinNums.Z.

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
