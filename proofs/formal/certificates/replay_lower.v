(* Replay of certificates, lower bounds of rank(Z): a minor that is not zero    *)
(* modulo p.  The check evaluates the rows and columns of the minor modulo p    *)
(* and multiplies by the inverse that the exported file supplies.              *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention affine_hull.
From Attest Require Import replay_arithmetic replay_layer.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

(* ordinals with prescribed values                                             *)
Lemma ords_of T (s : seq nat) : all (fun t => t < T)%N s ->
  exists f : 'I_(size s) -> 'I_T, forall i, f i = nth 0%N s i :> nat.
Proof.
move/all_nthP => sT; have sT' (i : 'I_(size s)) := sT 0%N i (ltn_ord i).
by exists (fun i => Ordinal (sT' i)).
Qed.

(* -------------------------------------------------------------------------- *)
(* Lower bounds of rank(Z)                                                     *)
(* -------------------------------------------------------------------------- *)
(* z_h of example t, times the common denominator of the contexts, modulo p;   *)
(* empty when a denominator vanishes                                           *)
Definition block_mod (p : Z) (D : layer_data) (t h : nat) : seq Z :=
  let w := [seq pow2mod p l | l <- int_logits D t h] in
  let E := nth [::] (contexts D) t in
  match invmod p (dot w (nseq (size w) 1%coqZ) mod p)%coqZ with
  | Some s => [seq (dot w (col j E) mod p * s)%coqZ | j <- iota 0 (embed_dim D)]
  | None => [::]
  end.

Definition blocks_mod p D t : seq (seq Z) :=
  [seq block_mod p D t h | h <- iota 0 (heads D)].

Definition head_coordinate d (c : nat) := (c %/ d, c %% d)%N.

Definition minor_ok (p : Z) (D : layer_data) (rows cols : seq nat)
    (inverse : seq (seq Z)) : bool :=
  let hj := [seq head_coordinate (embed_dim D) c | c <- cols] in
  let B := [seq blocks_mod p D t | t <- rows] in
  [&& (1 <? p)%coqZ, odd_modulus p, all (fun t => t < examples D)%N rows,
    all (fun x => (x.1 < heads D) && (x.2 < embed_dim D))%N hj,
    size hj == size rows, all (all (fun b => size b == embed_dim D)) B &
    inverse_ok p [seq [seq (nth 0%coqZ (nth [::] b x.1) x.2 mod p)%coqZ | x <- hj] | b <- B]
      inverse].

Lemma scale_frac (F : fieldType) (c a s x : F) : c != 0 ->
  c * (a / s * (x / c)) = a * x / s.
Proof.
by move=> c0; rewrite mulrCA [c * (x / c)]mulrCA divff // mulr1 mulrAC.
Qed.

Section Rank.
Variables (F : numFieldType) (D : layer_data).
Local Notation T := (examples D).
Local Notation H := (heads D).
Local Notation n := (context_length D).
Local Notation d := (embed_dim D).
Local Notation q := (toF F (Zpos (context_den D))).
Local Notation pow2 t h i := (2%:R ^ int_of_Z (nth 0%coqZ (int_logits D t h) i) : F).
Hypothesis okD : integer_logits D.

Lemma scaled_ZE (t : 'I_T) (h : 'I_H) (j : 'I_d) :
  (q *: layer_Z F D) t (mxvec_index h j) =
    (\sum_(i < n) pow2 t h i * toF F (ent (nth [::] (contexts D) t) i j))
      / \sum_(i < n) pow2 t h i.
Proof.
rewrite mxE attn_outE mxE mulr_sumr mulr_suml; apply: eq_bigr => i _.
rewrite mxE layer_coefsE // mxE.
by rewrite scale_frac ?toF_pos.
Qed.

Lemma rank_scaled : \rank (q *: layer_Z F D) = \rank (layer_Z F D).
Proof. by rewrite mxrank_scale_nz // toF_pos. Qed.

Section Modular.
Variable p : Z.
Hypotheses (p1 : (1 < p)%coqZ) (podd : odd_modulus p).

Lemma red_block (t : 'I_T) (h : 'I_H) (j : 'I_d) : size (block_mod p D t h) = d ->
  red p ((q *: layer_Z F D) t (mxvec_index h j)) (nth 0%coqZ (block_mod p D t h) j).
Proof.
rewrite scaled_ZE /block_mod; case inv: invmod => [s|] sd; last first.
  by have := ltn_ord j; rewrite -[X in (_ < X)%N]sd.
have p0 := p_neq0 p1.
pose w := [seq pow2mod p l | l <- int_logits D t h].
have sw : size w = n by rewrite size_map size_int_logits.
have wi (i : 'I_n) : red p (pow2 t h i) (nth 0%coqZ w i).
  rewrite (nth_map 0%coqZ _ (pow2mod p)) ?size_int_logits //; exact: red_pow2mod.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
apply: red_mul.
  apply: red_mod p0 _; rewrite (@dotE n) ?sw //; apply: red_sum => i _.
  by apply: red_mul => //; rewrite nth_col; apply: red_int.
apply: (red_invmod p1 _ inv); apply: red_mod p0 _; rewrite (@dotE n) ?sw //.
apply: red_sum => i _; rewrite nth_nseq ltn_ord.
have -> : nth 0%coqZ w i * 1%coqZ = nth 0%coqZ w i by apply: mulr1.
exact: wi.
Qed.

End Modular.

Theorem replay_rank_geq p rows cols inverse : minor_ok p D rows cols inverse ->
  (size rows <= \rank (layer_Z F D))%N.
Proof.
move=> /and5P[/Z.ltb_lt p1 podd rT cH /and3P[/eqP sc sB inv]].
set hj := [seq _ | _ <- cols] in cH sc inv.
have [f fE] := ords_of rT.
have [g gE] : exists g : 'I_(size rows) -> 'I_H * 'I_d,
    forall i, ((g i).1 : nat, (g i).2 : nat) = nth (0, 0)%N hj i.
  have Hi (i : 'I_(size rows)) : ((nth (0, 0)%N hj i).1 < H)%N /\ ((nth (0, 0)%N hj i).2 < d)%N.
    by apply/andP; apply: (all_nthP (0, 0)%N cH); rewrite sc.
  exists (fun i => (Ordinal (proj1 (Hi i)), Ordinal (proj2 (Hi i)))) => i /=.
  by rewrite -surjective_pairing.
set A := [seq _ | _ <- _] in inv.
have sA : size A = size rows by rewrite !size_map.
rewrite -rank_scaled -[X in (X <= _)%N]sA.
have entA (a b : nat) : (a < size rows)%N -> (b < size rows)%N ->
    ent A a b = (nth 0%coqZ (nth [::] (blocks_mod p D (nth 0%N rows a))
      (nth (0, 0)%N hj b).1) (nth (0, 0)%N hj b).2 mod p)%coqZ.
  move=> ra rb; rewrite /ent /A (nth_map [::]) ?size_map //.
  by rewrite (nth_map (0, 0)%N) ?sc // (nth_map 0%N).
have cA (i : 'I_(size A)) : (i < size rows)%N by rewrite -[X in (_ < X)%N]sA.
pose i' (i : 'I_(size A)) := Ordinal (cA i).
apply: (@minor_leq _ p _ _ _ A inverse (fun i => f (i' i))
  (fun i => mxvec_index (g (i' i)).1 (g (i' i)).2)) => // i j.
have -> : ent A i j = (nth 0%coqZ (nth [::] (blocks_mod p D (f (i' i))) (g (i' j)).1)
    (g (i' j)).2 mod p)%coqZ.
  by rewrite entA ?cA // -[nth (0, 0)%N hj j]/(nth (0, 0)%N hj (i' j)) -gE fE.
apply: red_mod (p_neq0 p1) _; case: (g (i' j)) => h k /=.
have -> : nth [::] (blocks_mod p D (f (i' i))) h = block_mod p D (f (i' i)) h.
  by rewrite (nth_map 0%N) ?size_iota // nth_iota.
apply: red_block => //.
have /allP/(_ (blocks_mod p D (f (i' i)))) := sB.
rewrite map_f; last by rewrite fE mem_nth.
move=> /(_ isT)/allP/(_ (block_mod p D (f (i' i)) h)).
by rewrite map_f ?mem_iota ?ltn_ord // => /(_ isT)/eqP.
Qed.

End Rank.
