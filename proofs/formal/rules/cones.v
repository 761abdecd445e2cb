(* The proved checker, coefficients that are no softmax: their blocks, and bounds of their quantities.         *)
(*                                                                                                             *)
(*                  cone_ok D L a k == no key biases, and exponents of sinks are integers                      *)
(*              cone_blocks D L a k == the blocks, as softmax_blocks; cone_Z and cone_blocks_of are those of Z *)
(*                                     and of the quantity RankBlocks                                          *)
(*           cone_entry, cone_sized == they are what the coefficients of other_layers.v average                *)
(*   cone_Z_rank, cone_blocks_rankE == blocks have the rank of Z, of RankBlocks, with these coefficients       *)
(*   cone_labels, cone_labels_rank == Z beside the labels                                                      *)
(*   different_blocks_ok, different_blocks_count == rows of Z that differ modulo p                             *)
(*                   same_kind k k' == the kinds are equal but for the logits of sinks                         *)
(*   cone_any_coefficients, cone_any_weights, cone_some_weights == rank(Z), capacity and the largest rank over *)
(*                                     all coefficients of the kind                                            *)
(*   cone_linear_hull, cone_equal_heads, cone_constant_heads == bounds by spans of tokens                      *)
(*   cone_equal_rows, cone_equal_examples == bounds by the number of different examples                        *)
(*               copies_agree D k == equal examples have tokens that are repeated equally often                *)
(*   cone_fitted, cone_missed == rank [Z Y] against rank(Z): labels that are predicted; with a bias, too       *)
(*            zero_cone_capacity_ok == rational vectors y with y Z = 0 for all weights and sinks               *)
From Attest Require Import integers.
From mathcomp Require Import perm.
From Attest Require Import attention common kruskal upper_bounds problem literal_arithmetic logits.
From Attest Require Import transcendence words residues other_layers minors quantity_bounds schemas heads.
From Attest Require Import rational_matrices zero blocks.

Local Notation Z := BinNums.Z.

(* =============================================================================================== *)
(* Blocks                                                                                          *)
(* =============================================================================================== *)
(* Their quotients have the term of a sink, or their entries are sums of n quotients, one for each *)
(* sigmoid one.                                                                                    *)

(* key biases change such coefficients; a sink's logit is not scaled, so that beside a root only 0 is covered *)
Definition cone_ok (D : problem) (L : layer) (a : bool) (k : coefficient_kind) : bool :=
  (if L is Factors _ _ _ _ _ _ bK _ _ then nilp bK else true) &&
  (if k is Sinks q s _ then
    (Pos.eqb (root D a) 1 && (Zpos (total_den D L a) mod Zpos q =? 0)%coqZ) || all (Z.eqb 0) s
  else true).

Definition sink_exponent (D : problem) (L : layer) (a : bool) (q : positive) (s : seq Z) (h : nat) : Z :=
  (nth 0 s h * (Zpos (total_den D L a) / Zpos q))%coqZ.

(* the quotients of sums of powers that a mean with such coefficients of m copies is the sum of *)
Definition quotients_of_kind (X : Type) (k : coefficient_kind) (m : nat) (sink zero : X) (l : seq X) (C : seq (seq Z)) :
    seq (seq X * seq (seq Z)) :=
  match k with
  | Softmax => [:: (l, C)]
  | Sinks _ _ _ => [:: (l ++ nseq m sink, C ++ nseq m [::])]
  | Sigmoid _ => [seq (nseq m x.1 ++ nseq m zero, x.2 :: nseq (m + m).-1 [::]) | x <- zip l C]
  end.
Definition number_of_quotients (k : coefficient_kind) (n : nat) : nat := if k is Sigmoid _ then n else 1%N.

Definition cone_quotients (D : problem) (L : layer) (a : bool) (k : coefficient_kind) (h t : nat) (l : seq Z) (C : seq (seq Z)) :
    seq power_quotient :=
  quotients_of_kind k (copies_of k t) (if k is Sinks q s _ then sink_exponent D L a q s h else 0%coqZ) 0%coqZ l C.

Definition cone_blocks (D : problem) (L : layer) (a : bool) (k : coefficient_kind) (hs : seq nat) (w : nat)
    (tokens : nat -> nat -> seq (seq Z)) (v : nat) (beside : nat -> seq Z) : head_blocks :=
  let gs := [seq prepare L h | h <- hs] in
  HeadBlocks (size hs) w (number_of_quotients k (n D))
    (fun i t => cone_quotients D L a k (nth 0%N hs i) t (exponents D L a (nth (prepare L 0) gs i) t) (tokens i t)) v beside.

Definition cone_Z (D : problem) (L : layer) (a : bool) (k : coefficient_kind) : head_blocks :=
  cone_blocks D L a k (iota 0 (H D)) (d D) (fun _ t => context_at D t) 0 (fun=> [::]).

Definition cone_labels (D : problem) (L : layer) (a : bool) (k : coefficient_kind) : head_blocks :=
  cone_blocks D L a k (iota 0 (H D)) (d D) (fun _ t => context_at D t) (d_out D) (fun t => nth [::] (labels D) t).

(* as value_blocks and blocks_of                                                  *)
Definition cone_values (D : problem) (L : layer) (a : bool) (k : coefficient_kind) (w : whole) (hs : seq nat)
    (ones labelled : bool) : head_blocks :=
  let cs := [seq value_columns D w h | h <- hs] in
  cone_blocks D L a k hs (value_width w) (fun i t => values_of w (nth [::] cs i) (context_at D t))
    (beside_size D ones labelled) (beside_of D ones labelled).

Definition cone_blocks_of (D : problem) (c : arguments) (L : layer) (a : bool) (k : coefficient_kind) (b : blocks) :
    option head_blocks :=
  let heads := iota 0 (H D) in
  let only := if only_head c is Some h then if (h < H D)%N then Some h else None else None in
  match b, only, around D with
  | WithOnes l, _, _ => Some (cone_blocks D L a k heads (d D) (fun _ t => context_at D t)
      (beside_size D true l) (beside_of D true l))
  | OneHead false, Some h, _ => Some (cone_blocks D L a k [:: h] (d D) (fun _ t => context_at D t) 0 (fun=> [::]))
  | OneHead true, Some h, Some w => Some (cone_values D L a k w [:: h] false false)
  | Outputs o l, _, Some w => Some (cone_values D L a k w heads o l)
  | _, _, _ => None
  end.

(* rows that differ modulo p                                                      *)
Definition different_blocks_ok (D : problem) (L : layer) (a : bool) (B : head_blocks) (p g o : Z) (rows : seq nat)
    (cols : seq (nat * nat)) : bool :=
  [&& (1 <? p)%coqZ, order_ok p g o, residue_ok D L a p g, all (fun t => t < T D)%N rows,
    all (fun c => (c.1 < number_of B)%N && (c.2 < block_width B)%N) cols &
    let ws := column_words cols in let m := minn (heads_in cols) (number_of B) in
    if all_some (fun t => omap (entries_at cols ws) (blocks_row_mod B p g o m t)) rows is Some M then all_differ p M else false].

(* a sum with coefficients of a kind is the sum of its quotients                    *)
Lemma copies_of_gt0 k t : (0 < copies_of k t)%N. Proof. by case: k => [|q s c|c] //; apply: leq_maxl. Qed.

Section Mean.
Variables (R : realType) (n : nat) (k : coefficient_kind) (m : nat) (X : Type) (ev : X -> R) (zero sink : X).
Hypotheses (ev0 : ev zero = 1) (ev_gt0 : forall x, 0 < ev x) (m0 : (0 < m)%N).

Let sum_nseq (x y : X) : \sum_(i < m) ev (nth x (nseq m y) i) = m%:R * ev y.
Proof.
under eq_bigr do rewrite nth_nseq ltn_ord.
by rewrite sumr_const card_ord mulr_natl.
Qed.

Lemma kind_mean (s : R) (v : 'cV[R]_n) (l : seq X) (C : seq (seq Z)) j : size l = n -> size C = n ->
    (forall i : 'I_n, expR (v i 0) = ev (nth zero l i)) -> (forall q z c, k = Sinks q z c -> expR s = ev sink) ->
  \sum_(i < n) coefs_at k m s v i 0 * toF R (ent C i j) =
  \sum_(u < number_of_quotients k n) let x := nth ([::], [::]) (quotients_of_kind k m sink zero l C) u in
    entry zero ev (size x.1) x.1 x.2 j.
Proof.
move=> sl sC exponent sinkE; rewrite /coefs_at; case: k sinkE => [|q z c|c] sinkE.
- rewrite big_ord1 /entry /= sl mulr_suml; apply: eq_bigr => i _; rewrite mxE exponent.
  by under eq_bigr do rewrite exponent; rewrite mulrAC.
- rewrite big_ord1 /entry /= size_cat size_nseq sl !big_split_ord /=.
  rewrite [X in (_ + X) / _]big1 ?addr0 => [|i _]; last first.
    by rewrite /ent [nth [::] _ _]nth_cat sC ltnNge leq_addr /= addKn nth_nseq ltn_ord nth_nil rmorph0 mulr0.
  have -> : \sum_(i < m) ev (nth zero (l ++ nseq m sink) (n + i)%N) = m%:R * expR s.
    rewrite (sinkE _ _ _ erefl) -(sum_nseq zero); apply: eq_bigr => i _.
    by rewrite nth_cat sl ltnNge leq_addr /= addKn.
  have -> : \sum_(i < n) ev (nth zero (l ++ nseq m sink) i) = \sum_(i < n) expR (v i 0).
    by apply: eq_bigr => i _; rewrite nth_cat sl ltn_ord exponent.
  rewrite mulr_suml; apply: eq_bigr => i _.
  by rewrite mxE /ent !nth_cat sl sC ltn_ord exponent mulrAC.
apply: eq_bigr => i _; rewrite mxE expRN exponent.
rewrite (nth_map (zero, [::])) ?size_zip ?sl ?sC ?minnn // nth_zip ?sl ?sC //.
rewrite /entry size_cat !size_nseq; set x := nth zero l i; cbn [fst snd].
have mm0 : (0 < m + m)%N by rewrite addn_gt0 m0.
rewrite (bigD1 (Ordinal mm0)) //= [X in (_ + X) / _]big1 ?addr0 => [|i' ni]; last first.
  have i0 : (0 < i')%N by rewrite lt0n.
  by rewrite /ent -(prednK i0) /= nth_nseq; case: ifP => _; rewrite nth_nil rmorph0 mulr0.
rewrite big_split_ord /=.
have -> : \sum_(u < m) ev (nth zero (nseq m x ++ nseq m zero) u) = m%:R * ev x.
  by rewrite -(sum_nseq zero); apply: eq_bigr => u _; rewrite nth_cat size_nseq ltn_ord.
have -> : \sum_(u < m) ev (nth zero (nseq m x ++ nseq m zero) (m + u)%N) = m%:R.
  by rewrite -[RHS]mulr1 -[X in _ = _ * X]ev0 -(sum_nseq zero); apply: eq_bigr => u _; rewrite nth_cat size_nseq ltnNge leq_addr /= addKn.
have -> : nth zero (nseq m x ++ nseq m zero) 0 = x by rewrite nth_cat size_nseq m0 nth_nseq m0.
have -> : m%:R * ev x + m%:R = m%:R * (ev x + 1) :> R by rewrite mulrDr mulr1.
rewrite /ent /=; move: (toF R _) (ev x) (ev_gt0 x) => w e e0.
have sig : (1 + e^-1)^-1 = e / (e + 1) :> R.
  rewrite -[X in (X + _)^-1](divff (lt0r_neq0 e0)) -[X in (_ + X)^-1]mul1r -mulrDl.
  by rewrite invfM invrK mulrC.
rewrite invfM sig invfM; move: (m%:R^-1) ((e + 1)^-1) => x1 x2; ring.
Qed.

Lemma quotients_sized (l : seq X) (C : seq (seq Z)) : (0 < n)%N -> size l = n -> size C = n ->
  size (quotients_of_kind k m sink zero l C) = number_of_quotients k n /\
  forall u, (u < number_of_quotients k n)%N -> let x := nth ([::], [::]) (quotients_of_kind k m sink zero l C) u in
    (0 < size x.1)%N /\ size x.2 = size x.1.
Proof.
rewrite /quotients_of_kind => n0; case: k => [|q s c|c] sl sC.
- by split=> // -[|//] _; rewrite /= sl sC.
- by split=> // -[|//] _; rewrite /= !size_cat !size_nseq sl sC addn_gt0 n0.
have sz : size (zip l C) = n by rewrite size_zip sl sC minnn.
split=> [|u un]; rewrite ?size_map ?(nth_map (zero, [::])) ?sz //= size_cat !size_nseq prednK ?addn_gt0 ?m0 //.
Qed.

End Mean.

Section Sound.
Variables (R : realType) (D : problem) (L : layer) (a : bool) (k : coefficient_kind).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Hypotheses (okD : wf_problem D) (okL : wf_layer D L) (okC : cone_ok D L a k).
Let b : R := expR (kappa R D L a).
Let ev (x : Z) : R := b ^ int_of_Z x.
Let ev0 : ev 0%coqZ = 1. Proof. exact: expr0z. Qed.
Let ev_gt0 x : 0 < ev x. Proof. by rewrite exprz_gt0 // expR_gt0. Qed.

Lemma logits_vector (t : 'I_T) (h : 'I_H) : ~~ projects L -> logits R L t h = E R D t *m vector R L t h.
Proof.
move: okC => /andP[+ _]; rewrite /logits /vector; case: L => [m qk K qq Q qkb bK qqb bQ|q W|//] + _; last by rewrite mulmxA.
move=> /nilP ->; rewrite mulmxDl -(mulmxA (const_mx 1)).
have -> : literal_bias R m qkb [::] h = 0 :> 'cV_m by apply/colP => i; rewrite !mxE /ent nth_nil nth_nil rmorph0 mul0r.
by rewrite trmx0 mul0mx mulmx0 addr0 mulmxA.
Qed.

Lemma expR_logits (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  expR ((factor R D a *: logits R L t h) i 0) = ev (nth 0%coqZ (exponents D L a (prepare L h) t) i).
Proof.
have -> : logits R L t h = main_logits R L t h.
  by rewrite /main_logits; case: ifP => // /negbT; apply: logits_vector.
by rewrite (expR_exponents R a okD okL).
Qed.

Lemma expR_sink q s c (h : 'I_H) : k = Sinks q s c -> expR (sink_logit R D k h) = ev (sink_exponent D L a q s h).
Proof.
move=> kE; move: okC; rewrite /cone_ok /sink_logit kE => /andP[_ /orP[/andP[/Pos.eqb_eq root1 /Z.eqb_eq div]|/allP s0]]; last first.
  have sh0 : nth 0%coqZ s h = 0%coqZ.
    have [hs|sh] := ltnP h (size s); last by rewrite nth_default.
    by have /Z.eqb_eq <- := s0 _ (mem_nth 0%coqZ hs).
  by rewrite /sink_exponent sh0 rmorph0 mul0r mulr0 expR0 -[(0 * _)%coqZ]/0%coqZ ev0.
rewrite /ev /b -expR_int; congr expR; rewrite /kappa root1 rmorph1 sqrtr1 div1r -!mulrA; congr (_ * _).
rewrite -[(int_of_Z _)%:~R]/(toF R _) /sink_exponent toFM mulrCA; congr (_ * _).
set N := total_den D L a; have NE : toF R (Zpos N) = toF R (Zpos q) * toF R (Zpos N / Zpos q)%coqZ.
  by rewrite -toFM; congr (toF R _); have := Z_div_mod_eq_full (Zpos N) (Zpos q); rewrite div Z.add_0_r.
by apply: (mulfI (toF_pos R N)); rewrite mulVKf ?toF_pos // {1}NE mulrC mulKf ?toF_pos.
Qed.

(* a sum with the coefficients of a head is the sum of its quotients               *)
Lemma cone_mean (t : 'I_T) (h : 'I_H) C j : size C = n ->
  \sum_(i < n) coefs_of R k L a t h i * toF R (ent C i j) =
  \sum_(u < number_of_quotients k n) let x := quotient_at (cone_quotients D L a k h t (exponents D L a (prepare L h) t) C) u in
    entry 0%coqZ ev (size x.1) x.1 x.2 j.
Proof.
move=> sC; under eq_bigr do rewrite [coefs_of _ _ _ _ _ _ _]mxE [(_)^T _ _]mxE.
apply: (@kind_mean _ _ k _ _ ev 0%coqZ) => //; first exact: copies_of_gt0.
- exact: size_exponents.
- by move=> i; rewrite expR_logits.
by move=> q s c kE; rewrite (expR_sink h kE) kE.
Qed.

Lemma cone_sized hs w (tokens : nat -> nat -> seq (seq Z)) v beside : all (fun h => h < H)%N hs ->
    (forall i t, (i < size hs)%N -> (t < T)%N -> size (tokens i t) = n) ->
  well_sized D (cone_blocks D L a k hs w tokens v beside).
Proof.
move=> /allP hH st i t iB tT; have iH : (nth 0%N hs i < H)%N by apply/hH/mem_nth.
apply: quotients_sized; [exact: copies_of_gt0|exact: n_gt0 okD| |exact: st].
by rewrite (nth_map 0%N) //; apply: (size_exponents okD a okL (Ordinal tT) (Ordinal iH)).
Qed.

Lemma cone_entry hs w (tokens : nat -> nat -> seq (seq Z)) v beside (t : 'I_T) (h : 'I_H) i j : (i < size hs)%N -> nth 0%N hs i = h -> size (tokens i t) = n ->
  block_entry R D L a (cone_blocks D L a k hs w tokens v beside) i t j =
  \sum_(i' < n) coefs_of R k L a t h i' * toF R (ent (tokens i t) i' j).
Proof.
move=> iB hE st; rewrite cone_mean // /block_entry /quotient_value /=.
by rewrite hE (nth_map 0%N) // hE.
Qed.

Local Notation A := (coefs_of R k L a).
Local Notation Zk := (attn_out A (E R D)).
Let q : R := toF R (Zpos (q_contexts D)).
Let q0 : q != 0 := toF_pos R (q_contexts D).
Let all_heads : 'I_(size (iota 0 H)) -> 'I_H := cast_ord (size_iota 0 H).
Let all_headsE (i : 'I_(size (iota 0 H))) : nth 0%N (iota 0 H) i = all_heads i.
Proof. by rewrite nth_iota // -[X in (_ < X)%N](size_iota 0 H). Qed.
Let all_heads_onto h : exists i, h = all_heads i.
Proof. by exists (cast_ord (esym (size_iota 0 H)) h); rewrite /all_heads cast_ordKV. Qed.

Let all_below : all (fun h => h < H)%N (iota 0 H). Proof. by apply/allP => h; rewrite mem_iota. Qed.
Let all_one h : (h < H)%N -> all (fun h => h < H)%N [:: h]. Proof. by rewrite /= andbT. Qed.
Let tokens_sized hs v beside : all (fun h => h < H)%N hs ->
  well_sized D (cone_blocks D L a k hs (d D) (fun _ t => context_at D t) v beside).
Proof. by move=> hH; apply: cone_sized => // i t _ tT; apply: (size_context okD (Ordinal tT)). Qed.

Lemma cone_means hs v beside (t : 'I_T) (h : 'I_H) (i : 'I_(size hs)) (j : 'I_(d D)) : nth 0%N hs i = h ->
  inner_mx R D L a (cone_blocks D L a k hs (d D) (fun _ t => context_at D t) v beside) t (mxvec_index i j) =
  q * (row h (A t) *m E R D t) 0 j.
Proof. by move=> hE; rewrite inner_mxE (@cone_entry hs _ _ _ _ t h i j (ltn_ord i) hE) ?size_context // mean_tokens. Qed.

Lemma cone_outputs w hs o l (t : 'I_T) (h : 'I_H) (i : 'I_(size hs)) (j : 'I_(value_width w)) : nth 0%N hs i = h ->
  inner_mx R D L a (cone_values D L a k w hs o l) t (mxvec_index i j) =
  toF R (Zpos (values_den D w)) * (row h (A t) *m head_values R w h t) 0 j.
Proof.
move=> hE; rewrite inner_mxE (@cone_entry hs _ _ _ _ t h i j (ltn_ord i) hE) ?size_values //.
by rewrite (nth_map 0%N) // hE mean_values.
Qed.

Let ones_means v beside (t : 'I_T) i j :
  inner_mx R D L a (cone_blocks D L a k (iota 0 H) (d D) (fun _ t => context_at D t) v beside) t (mxvec_index i j) =
  q * Zk t (mxvec_index (all_heads i) j).
Proof. by rewrite (cone_means v beside t j (all_headsE i)) attn_outE. Qed.

Theorem cone_Z_rank : well_sized D (cone_Z D L a k) /\ \rank (blocks_mx R D L a (cone_Z D L a k)) = \rank Zk.
Proof.
split; first exact: tokens_sized.
apply: (@rank_of_blocks R D L a (cone_Z D L a k) _ _ q (fun=> 1) (fun i j => mxvec_index (all_heads i) j)
  (fun o => match notF (ltn_ord o) with end)) => // [t i j|t []|i] //.
  exact: ones_means.
by case/mxvec_indexP: i => h j; have [i ->] := all_heads_onto h; left; exists i, j.
Qed.

Theorem cone_labels_rank : well_sized D (cone_labels D L a k) /\
  \rank (blocks_mx R D L a (cone_labels D L a k)) = \rank (row_mx Zk (label_matrix R D)).
Proof.
split; first exact: tokens_sized.
apply: (@rank_of_blocks R D L a (cone_labels D L a k) _ _ q (fun=> toF R (Zpos (q_labels D)))
  (fun (i : 'I_(size (iota 0 H))) (j : 'I_(d D)) => lshift _ (mxvec_index (all_heads i) j)) (fun o => rshift _ o)) => // [|t i j|t o|i].
- by move=> o; apply: toF_pos.
- by rewrite row_mxEl ones_means.
- by rewrite row_mxEr mxE mulrC divfK ?toF_pos.
case: (split_ordP i) => [{}i ->|o ->]; last by right; exists o.
by case/mxvec_indexP: i => h j; have [i ->] := all_heads_onto h; left; exists i, j.
Qed.

Lemma cone_blocks_rankE (c : claim) x B : cone_blocks_of D (args c) L a k x = Some B ->
  well_sized D B /\ \rank (blocks_mx R D L a B) = rank_blocks_of_kind R D k c L a x.
Proof.
have values_sized w hs o l : all (fun h => h < H)%N hs -> well_sized D (cone_values D L a k w hs o l).
  by move=> hH; apply: cone_sized => // i t _ tT; apply: (size_values okD w _ (Ordinal tT)).
have onto w (i : 'I_(H * w)) : exists h j, i = mxvec_index (all_heads h) j.
  by case/mxvec_indexP: i => h j; have [h' ->] := all_heads_onto h; exists h', j.
have one (h : 'I_H) (i : 'I_(size [:: h : nat])) : nth 0%N [:: h : nat] i = h by case: i => -[].
rewrite /rank_blocks_of_kind /head_of_claim /cone_blocks_of; case: x => [l|[]|o l].
- move=> [<-]; split; first exact: tokens_sized.
  apply: (rank_blocks_beside q0 _ (onto (d D))) => t i j; exact: ones_means.
- case: (only_head _) => [h|] //; case: ifP => // hH; case: (around D) => // w [<-]; rewrite (insubT (fun h => h < H)%N hH).
  split; first by apply: values_sized; apply: all_one.
  apply: (rank_blocks_beside (o := false) (l := false) (f := fun i j => j) (toF_pos R (values_den D w))) => [t i j|i]; last by exists ord0, i.
  by rewrite (cone_outputs _ _ _ _ (one (Ordinal hH) i)) [X in _ = _ * X]mxE.
- case: (only_head _) => [h|] //; case: ifP => // hH [<-]; rewrite (insubT (fun h => h < H)%N hH).
  split; first by apply: tokens_sized; apply: all_one.
  apply: (rank_blocks_beside (o := false) (l := false) (f := fun i j => j) q0) => [t i j|i]; last by exists ord0, i.
  by rewrite (cone_means _ _ _ _ (one (Ordinal hH) i)) [X in _ = _ * X]mxE.
case: (around D) => // w [<-]; split; first exact: values_sized.
apply: (rank_blocks_beside (toF_pos R (values_den D w)) _ (onto (value_width w))) => t i j.
by rewrite (cone_outputs _ _ _ _ (all_headsE i)) [X in _ = _ * X]mxE mxvecE [X in _ = _ * X]mxE.
Qed.

Theorem different_blocks_count p g o rows cols : different_blocks_ok D L a (cone_Z D L a k) p g o rows cols ->
  (size rows <= distinct_rows Zk)%N.
Proof.
set B := cone_Z D L a k; have [ws _] := cone_Z_rank.
move=> /and5P[/Z.ltb_lt p1 og res rT /andP[cH]]; cbv zeta; case NE: (all_some _ rows) => [N|] // dN.
have bg : place p b g by apply: place_kappa.
have /fin_all_exists[f fP] (c : 'I_(size cols)) : exists hj : 'I_(size (iota 0 H)) * 'I_(d D),
    (hj.1 : nat) = (nth (0, 0)%N cols c).1 /\ (hj.2 : nat) = (nth (0, 0)%N cols c).2.
  by have /andP[hH iD] := all_nthP (0, 0)%N cH c (ltn_ord c); exists (Ordinal hH, Ordinal iD).
pose F c := lshift (beside_width B) (mxvec_index (f c).1 (f c).2).
have rowsP : Forall2 (fun t r => size r = size cols /\
    forall (i : 'I_T) (c : 'I_(size cols)), i = t :> nat -> red p b g (blocks_mx R D L a B i (F c)) (nth 0%coqZ r c)) rows N.
  elim: (all_someP NE) => [|t r rows' N' tr _ IH]; constructor=> //.
  move: tr; case tr: (blocks_row_mod _ _ _ _ _ _) => [r'|] // [<-]; rewrite entries_atE.
  split=> [|i c it]; first by rewrite size_map.
  apply: (@red_columns R D L a B ws p g o cols t r' F p1 og bg _ tr) => // c'.
  by left; exists (f c').1, (f c').2; have [h1 h2] := fP c'; split.
have [h hE] := ords_of rT; have [sN HN] := Forall2_nth 0%N [::] rowsP.
apply: (distinct_rows_geq (f := h)) => i j ij; apply/negP => /eqP rE.
have : differ_mod p (nth [::] N i) (nth [::] N j).
  have jN : (j < size N)%N by rewrite -sN.
  elim: N (i : nat) (j : nat) ij jN dN {NE rowsP sN HN} => [|r N IH] [|i'] [|j'] //=.
    by move=> _ jN /andP[/all_nthP-/(_ [::] j' jN)].
  by move=> ij jN /andP[_ /(IH i' j' ij jN)].
have [si Hi] := HN i (ltn_ord i); have [sj Hj] := HN j (ltn_ord j).
rewrite differ_modE => /(has_nthP (0, 0)%coqZ)[c]; rewrite size_zip si sj minnn => cs; rewrite nth_zip ?si ?sj //=.
case/negP; apply/Z.eqb_eq/(red_zero p1 bg).
have xi := Hi (h i) (Ordinal cs) (hE i); have xj := Hj (h j) (Ordinal cs) (hE j).
suff -> : 0 = blocks_mx R D L a B (h i) (F (Ordinal cs)) - blocks_mx R D L a B (h j) (F (Ordinal cs)) by apply: red_sub.
rewrite /F !row_mxEl !ones_means; set c' := mxvec_index _ _.
have -> : Zk (h i) c' = Zk (h j) c' by move/rowP/(_ c'): rE; rewrite [LHS]mxE [RHS]mxE.
by rewrite subrr.
Qed.

End Sound.

(* ===================================================================================================== *)
(* Bounds                                                                                                *)
(* ===================================================================================================== *)
(* Coefficients with a sink, and sigmoid ones, need not sum to 1: what is said of linear hulls holds for *)
(* them, and nothing that is said of affine hulls.                                                       *)

Definition same_kind (k k' : coefficient_kind) : bool :=
  match k, k' with
  | Softmax, Softmax => true
  | Sinks _ _ c, Sinks _ _ c' | Sigmoid c, Sigmoid c' => c == c'
  | _, _ => false
  end.

(* heads whose members are equal have equal coefficients                            *)
Definition cone_head_row (D : problem) (L : layer) (a : bool) (k : coefficient_kind) (h t : nat) : seq Z :=
  let l := exponents D L a (prepare L h) t in
  match k with
  | Softmax => reduced l
  | Sinks q s _ => Z.of_nat (copies_of k t) :: reduced (rcons l (sink_exponent D L a q s h))
  | Sigmoid _ => Z.of_nat (copies_of k t) :: l
  end.
Definition cone_head (D : problem) (L : layer) (a : bool) (k : coefficient_kind) (h : nat) : seq (seq Z) :=
  [seq cone_head_row D L a k h t | t <- iota 0 (T D)].
Definition cone_heads (D : problem) (L : layer) (a : bool) (k : coefficient_kind) : seq (seq (seq Z)) :=
  distinct equal_rows [seq cone_head D L a k h | h <- iota 0 (H D)].

(* equal examples have as many copies of their tokens                              *)
Definition copies_agree (D : problem) (k : coefficient_kind) : bool :=
  match k with
  | Softmax => true
  | Sinks _ _ c | Sigmoid c => nilp c ||
    let s := [seq (example_key D t, copies_of k t) | t <- iota 0 (T D)] in
    all (fun x => all (fun y => equal_example x.1 y.1 ==> (x.2 == y.2)) s) s
  end.

Lemma copies_agreeP D k (t t' : 'I_(T D)) : copies_agree D k -> example_key D t = example_key D t' -> copies_of k t = copies_of k t'.
Proof.
have at_t (u : 'I_(T D)) : (example_key D u, copies_of k u) \in [seq (example_key D t, copies_of k t) | t <- iota 0 (T D)].
  by apply: (map_f (fun t => (example_key D t, copies_of k t))); rewrite mem_iota ltn_ord.
move=> ok tt; case: k at_t ok => [|q s c|c] at_t //= /orP[/nilP -> |/allP/(_ _ (at_t t))/allP/(_ _ (at_t t'))]; rewrite ?nth_nil //=;
  by case: equal_exampleP => // _ /eqP.
Qed.

(* as zero_capacity_ok: exponents are functions of the entries of W, and of the sink's logit *)
Definition zero_exponent (D : problem) : seq Z := nseq (d D * d D) 0%coqZ.
Definition sink_variable (D : problem) : seq Z := rcons (zero_exponent D) 1%coqZ.
Definition capacity_quotients (D : problem) (k : coefficient_kind) (t : nat) : seq (seq (seq Z) * seq (seq Z)) :=
  let C := context_at D t in
  quotients_of_kind k (copies_of k t) (sink_variable D) (zero_exponent D) [seq outer r (nth [::] (queries D) t) | r <- C] C.
Definition zero_cone_capacity_ok (D : problem) (k : coefficient_kind) (p : Z) (Y : seq (seq Z)) : bool :=
  let m := number_of_quotients k (n D) in let s := flatten [seq capacity_quotients D k t | t <- iota 0 (T D)] in
  [&& independent_mod p (T D) Y, all (fun y => size y == T D) Y &
  all (fun y => left_identity plus_row equal_row less_row (zero_exponent D) id (d D) (T D * m)
    [seq constant_sum (nth 0%coqZ y (u %/ m)) | u <- iota 0 (T D * m)]
    (fun u => (nth ([::], [::]) s u).1) (fun u => (nth ([::], [::]) s u).2)) Y].

(* -------------------------------------------------------------------------- *)
(* Coefficients                                                                *)
(* -------------------------------------------------------------------------- *)
Section Coefficients.
Variables (R : realType) (k : coefficient_kind).

Let expR_ge0 (x : R) : 0 <= expR x. Proof. exact/ltW/expR_gt0. Qed.

Lemma coefficients_range n m (s : R) (l : 'cV[R]_n) : (0 < n)%N -> (0 < m)%N -> in_range k m (coefs_at k m s l)^T.
Proof.
move=> n0 m0; have S0 := sum_expR_gt0 l n0; have r0 : 0 <= m%:R * expR s by rewrite mulr_ge0 ?ler0n.
rewrite /in_range /coefs_at; case: k => [|q z c|c]; split.
- by move=> i; rewrite mxE ltW // softmax_gt0.
- by under eq_bigr do rewrite mxE; apply: softmax_sum1.
- by move=> i; rewrite !mxE divr_ge0 ?expR_ge0 // addr_ge0 // ltW.
- under eq_bigr do rewrite 2!mxE; rewrite -mulr_suml ler_pdivr_mulr ?mul1r ?ler_addl //.
  exact: ltr_paddr S0.
- by move=> i; rewrite !mxE invr_ge0 mulr_ge0 ?ler0n // addr_ge0.
move=> i; rewrite !mxE invfM mulVKf ?pnatr_eq0 -?lt0n //.
by rewrite invf_le1 ?ler_addl // ltr_paddr.
Qed.

Lemma kind_coefficients k' n m (s : R) (l : 'cV[R]_n) : same_kind k k' -> coefs_at k' m s l = coefs_at k m s l.
Proof. by case: k => [|q z c|c]; case: k'. Qed.
Lemma same_kind_agree D k' : same_kind k k' -> copies_agree D k -> copies_agree D k'.
Proof.
have sc (q : positive) (s : seq Z) c t : copies_of (Sinks q s c) t = maxn 1 (nth 1%N c t) by [].
by case: k => [|q z c|c]; case: k' => [|q' z' c'|c'] //= /eqP->.
Qed.
Lemma kind_copies k' t : same_kind k k' -> copies_of k' t = copies_of k t.
Proof. by case: k => [|q z c|c]; case: k' => [|q' z' c'|c'] //= /eqP->. Qed.

Lemma coefficients_perm n m (s : R) (l : 'cV[R]_n) p : coefs_at k m s (row_perm p l) = row_perm p (coefs_at k m s l).
Proof.
have S : \sum_j expR (row_perm p l j 0) = \sum_j expR (l j 0).
  by rewrite [RHS](reindex_inj (@perm_inj _ p)); apply: eq_bigr => j _; rewrite mxE.
by apply/colP => i; rewrite /coefs_at; case: k => [|q z c|c]; rewrite mxE ?S !mxE.
Qed.

Lemma mean_perm n m (x : 'cV[R]_n) (M : 'M[R]_(n, m)) p : (row_perm p x)^T *m row_perm p M = x^T *m M.
Proof.
apply/matrixP => i j; rewrite mxE [RHS]mxE [RHS](reindex_inj (@perm_inj _ p)).
by apply: eq_bigr => l _; rewrite !mxE.
Qed.

End Coefficients.

(* -------------------------------------------------------------------------- *)
(* Bounds                                                                      *)
(* -------------------------------------------------------------------------- *)
Section Bounds.
Variables (R : realType) (D : problem) (k : coefficient_kind).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Hypothesis okD : wf_sizes D.
Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N := n_gt0 okP.

Lemma largest_of_geq (P : ('I_T -> 'M[R]_(H, n)) -> Prop) A : P A -> (\rank (attn_out A E) <= largest_of P)%N.
Proof. by move=> PA; apply: largest_geq; [rewrite leq_min rank_leq_row rank_leq_col|exists A]. Qed.

Theorem cone_any_coefficients k' L a : same_kind k k' -> (\rank (attn_out (coefs_of R k' L a) E) <= any_of_kind R D k)%N.
Proof.
move=> kk; apply: largest_of_geq => t h; rewrite rowK /head_coefficients (kind_coefficients _ _ _ kk) (kind_copies _ kk).
by apply: coefficients_range (copies_of_gt0 _ _).
Qed.

Theorem cone_any_weights : (capacity_of_kind R D k <= any_of_kind R D k)%N.
Proof.
apply: largest_leq => r [A [s [P AP]] /leq_trans]; apply; apply: largest_of_geq => t h; rewrite AP.
by apply: coefficients_range (copies_of_gt0 _ _).
Qed.

Theorem cone_linear_hull : (any_of_kind R D k <= H * \rank (token_matrix R D))%N.
Proof. by apply: largest_leq => r [A _ /leq_trans]; apply; apply/linear_hull_rank/context_sub_tokens. Qed.

(* a layer of the shape has the logits of weights of attention.v                    *)
Lemma shape_weights k' L a : in_shape D L -> cone_ok D L a k' -> exists P : weights R H d (d_h D) 0 0 0,
  forall t h, factor R D a *: logits R L t h = E t *m (WK P h *m (WQ P h)^T) *m e t.
Proof.
move=> sL okC; suff [W [rW WE]] : exists W : 'I_H -> 'M[R]_d, (forall h, \rank (W h) <= d_h D)%N /\
    forall t h, vector R L t h = W h *m e t.
  have /fin_all_exists[KQ KQE] : forall h, exists KQ : 'M[R]_(d, d_h D) * 'M[R]_(d, d_h D),
      factor R D a *: W h = KQ.1 *m KQ.2^T.
    move=> h; have rh : (\rank (factor R D a *: W h) <= d_h D)%N by apply: leq_trans (rW h); rewrite -mul_scalar_mx mxrankM_maxr.
    by have [K [Q KQE]] := rank_factor rh; exists (K, Q).
  exists (Weights (fun h => (KQ h).1) (fun h => (KQ h).2) (fun=> 0) 0 0) => t h /=.
  rewrite -KQE (logits_vector R okC) ?WE -?scalemxAr -?scalemxAl ?mulmxA //.
  by move: sL; rewrite /in_shape; case: (L).
move: sL; rewrite /in_shape /vector; case: L {okC} => [m qk K qq Q qkb bK qqb bQ|q W|//].
  move=> /andP[mdh /nilP ->]; exists (fun h => literal R d m qk K h *m (literal R d m qq Q h)^T); split=> [h|t h].
    by apply: leq_trans mdh; apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
  have -> : literal_bias R m qqb [::] h = 0 :> 'cV_m.
    by apply/colP => i; rewrite !mxE /ent nth_nil nth_nil rmorph0 mul0r.
  by rewrite addr0 mulmxA.
by move=> ddh; exists (literal R d d q W); split=> // h; apply: leq_trans ddh; apply: rank_leq_col.
Qed.

Theorem cone_some_weights k' L a : in_shape D L -> cone_ok D L a k' -> same_kind k k' ->
  (\rank (attn_out (coefs_of R k' L a) E) <= capacity_of_kind R D k)%N.
Proof.
move=> sL okC kk; have [P PE] := shape_weights sL okC; apply: largest_of_geq.
by exists (sink_logit R D k'), P => t h; rewrite rowK /head_coefficients PE (kind_coefficients _ _ _ kk) (kind_copies _ kk).
Qed.

(* --- equal examples *)
(* means of tokens, of values, with weights of the logits                           *)
Lemma example_mean m r (f : 'I_T -> 'M[R]_(n, m)) (s : R) (W : 'cV[R]_d -> 'cV[R]_d) (c : R) (t t' : 'I_T) :
    (forall t t' p, E t = row_perm p (E t') -> f t = row_perm p (f t')) ->
    example_key D t = example_key D t' ->
  (coefs_at k r s (c *: (E t *m W (e t))))^T *m f t = (coefs_at k r s (c *: (E t' *m W (e t'))))^T *m f t'.
Proof.
move=> fE /(same_example_key R okD)[eE [p EE]]; rewrite (fE _ _ p EE) EE eE row_permE -mulmxA scalemxAr -row_permE.
by rewrite coefficients_perm mean_perm.
Qed.

Lemma row_coefs k' L a (t : 'I_T) h : row h (coefs_of R k' L a t) = (head_coefficients R k' L a t h)^T.
Proof. exact: rowK. Qed.

Section Layer.
Variables (L : layer) (a : bool).
Hypothesis okC : cone_ok D L a k.
Local Notation A := (coefs_of R k L a).

Section Equal.
Hypotheses (nL : ~~ projects L) (agree : copies_agree D k).

Lemma layer_mean m (f : 'I_T -> 'M[R]_(n, m)) h (t t' : 'I_T) :
    (forall t t' p, E t = row_perm p (E t') -> f t = row_perm p (f t')) ->
    example_key D t = example_key D t' ->
  row h (A t) *m f t = row h (A t') *m f t'.
Proof.
move=> fE tt; pose W x := match L with
  | Factors m qk K qq Q _ _ qqb bQ => literal R d m qk K h *m ((literal R d m qq Q h)^T *m x + literal_bias R m qqb bQ h)
  | Combined q W => literal R d d q W h *m x
  | Projected _ => 0 end.
have rowE s : row h (A s) = (coefs_at k (copies_of k s) (sink_logit R D k h) (factor R D a *: (E s *m W (e s))))^T.
  by rewrite row_coefs /head_coefficients (logits_vector R okC s h nL) /vector /W; case: (L).
apply: etrans (congr1 (mulmx^~ (f t)) (rowE t)) (etrans _ (esym (congr1 (mulmx^~ (f t')) (rowE t')))).
by rewrite (copies_agreeP agree tt); apply: example_mean.
Qed.

Lemma cone_row (t t' : 'I_T) : example_key D t = example_key D t' -> row t (attn_out A E) = row t' (attn_out A E).
Proof.
move=> tt; apply/rowP => c; rewrite [LHS]mxE [RHS]mxE; case/mxvec_indexP: c => h j.
rewrite (attn_outE A E t h j) (attn_outE A E t' h j).
by have /matrixP/(_ 0 j) := @layer_mean d E h t t' (fun _ _ _ EE => EE) tt.
Qed.

Theorem cone_equal_rows : (\rank (attn_out A E) <= size (distinct_examples D))%N.
Proof. by apply: (rank_classes (example_in (D := D))) => t t'; apply: cone_row. Qed.

Theorem cone_equal_outputs : (distinct_rows (attn_out A E) <= size (distinct_examples D))%N.
Proof.
have [B BP] := rows_of_classes (distinct_examples D) cone_row.
by apply: distinct_rows_leq => t; apply/BP/example_in.
Qed.

Lemma cone_head_rows m (f : 'I_T -> 'M[R]_(n, m)) h :
    (forall t t' p, E t = row_perm p (E t') -> f t = row_perm p (f t')) ->
  (\rank (\matrix_t (row h (A t) *m f t)) <= size (distinct_examples D))%N.
Proof.
move=> fE; apply: (rank_classes (example_in (D := D))) => t t' tt.
by rewrite [LHS]rowK [RHS]rowK; apply: layer_mean.
Qed.

(* --- with the labels *)
Theorem cone_equal_labelled_rows m (B : 'M[R]_(T, m)) : (forall t t' : 'I_T, nth [::] (labels D) t = nth [::] (labels D) t' -> row t B = row t' B) ->
  (\rank (row_mx (attn_out A E) B) <= size (distinct equal_labelled [seq labelled_example D t | t <- iota 0 T]))%N.
Proof.
move=> BE; apply: (rank_classes (x := fun t : 'I_T => labelled_example D t)) => [t|t t' [CE qE yE]].
  by rewrite (mem_distinct _ equal_labelledP); apply/mapP; exists (t : nat); rewrite // mem_iota ltn_ord.
by rewrite !row_row_mx (BE t t' yE) (@cone_row t t') // /example_key CE qE.
Qed.

End Equal.

Lemma cone_head_hull h : (\rank (\matrix_t (row h (A t) *m E t)) <= \rank (token_matrix R D))%N.
Proof. by apply/mxrankS/row_subP => t; rewrite rowK; apply: submx_trans (submxMl _ _) _; apply: context_sub_tokens. Qed.

(* --- equal heads *)
Hypothesis okL : wf_layer D L.
Let b : R := expR (kappa R D L a).
Let ev (x : Z) : R := b ^ int_of_Z x.
Let ev_gt0 x : 0 < ev x. Proof. by rewrite exprz_gt0 // expR_gt0. Qed.
Let evB x y : ev (x - y)%coqZ = ev x / ev y.
Proof.
apply: (canRL (mulfK (lt0r_neq0 (ev_gt0 y)))); rewrite /ev -expfzDr ?gt_eqF ?expR_gt0 // -rmorphD.
by congr (_ ^ int_of_Z _); apply: Z.sub_add.
Qed.

Lemma reduced_at (l : seq Z) i : (i < size l)%N -> ev (nth 0%coqZ (reduced l) i) = ev (nth 0%coqZ l i) / ev (nth 0%coqZ l 0).
Proof. by move=> il; rewrite (nth_map 0%coqZ) // evB. Qed.

Lemma cone_head_coefs (t t' : 'I_T) (g h : 'I_H) :
    nth [::] (cone_head D L a k g) t = nth [::] (cone_head D L a k h) t' -> row g (A t) = row h (A t').
Proof.
have rowE x (s : 'I_T) : nth [::] (cone_head D L a k x) s = cone_head_row D L a k x s.
  by rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite (rowE g t) (rowE h t') /cone_head_row => keys {rowE}.
have szl s (x : 'I_H) : size (exponents D L a (prepare L x) (s : 'I_T)) = n by apply: size_exponents.
have expo s (x : 'I_H) := @expR_logits R D L a k okP okL okC s x.
have sinkE q s c (x : 'I_H) := @expR_sink R D L a k okC q s c x.
rewrite [LHS]rowK [RHS]rowK /head_coefficients; apply: (congr1 trmx); apply/colP => i; move: keys; rewrite /coefs_at.
case: k expo sinkE => [|q z w|w] expo sinkE keys; rewrite [LHS]mxE [RHS]mxE.
- pose r s (x : 'I_H) (j : nat) := ev (nth 0%coqZ (reduced (exponents D L a (prepare L x) s)) j).
  have rE s (x : 'I_H) : expR ((factor R D a *: logits R L s x) i 0) / (\sum_(j < n) expR ((factor R D a *: logits R L s x) j 0)) =
      r s x i / \sum_(j < n) r s x j.
    rewrite expo; under eq_bigr do rewrite expo; under [X in _ = _ / X]eq_bigr do rewrite /r reduced_at ?szl //.
    by rewrite /r reduced_at ?szl // -mulr_suml invfM invrK mulrACA mulVf ?mulr1 // gt_eqF.
  by rewrite [LHS](rE t g) [RHS](rE t' h) /r keys.
- have cE : copies_of (Sinks q z w) t = copies_of (Sinks q z w) t' by case: keys => /Nat2Z.inj.
  case: keys => _ keys.
  pose l s (x : 'I_H) := rcons (exponents D L a (prepare L x) s) (sink_exponent D L a q z x).
  have rE (m : nat) s (x : 'I_H) : expR ((factor R D a *: logits R L s x) i 0) /
        (\sum_(j < n) expR ((factor R D a *: logits R L s x) j 0) + m%:R * expR (sink_logit R D (Sinks q z w) x)) =
      ev (nth 0%coqZ (reduced (l s x)) i) / (\sum_(j < n) ev (nth 0%coqZ (reduced (l s x)) j) + m%:R * ev (nth 0%coqZ (reduced (l s x)) n)).
    have red_at (j : nat) : (j <= n)%N -> ev (nth 0%coqZ (reduced (l s x)) j) = ev (nth 0%coqZ (l s x) j) / ev (nth 0%coqZ (l s x) 0).
      by move=> jn; rewrite reduced_at // size_rcons szl.
    rewrite expo (sinkE _ _ _ _ erefl) (red_at n) // (red_at i) ?(ltnW (ltn_ord i)) //; under eq_bigr do rewrite expo.
    rewrite [X in _ = _ / (X + _)](eq_bigr (fun j : 'I_n => ev (nth 0%coqZ (l s x) j) / ev (nth 0%coqZ (l s x) 0))) => [|j _]; last first.
      by rewrite red_at // ltnW.
    rewrite -mulr_suml mulrA -mulrDl invfM invrK mulrACA mulVf ?mulr1 ?gt_eqF //.
    rewrite /l !nth_rcons szl ltn_ord ltnn eqxx; congr (_ / (_ + _)).
    by apply: eq_bigr => j _; rewrite nth_rcons szl ltn_ord.
  by rewrite cE [LHS](rE _ t g) [RHS](rE _ t' h) /l keys.
have cE : copies_of (Sigmoid w) t = copies_of (Sigmoid w) t' by case: keys => /Nat2Z.inj.
by case: keys => _ keys; rewrite cE !expRN !expo keys.
Qed.

Let headsP x : reflect (exists h : 'I_H, x = cone_head D L a k h) (x \in cone_heads D L a k).
Proof.
rewrite (mem_distinct _ equal_rowsP); apply: (iffP mapP) => [[h]|[h ->]].
  by rewrite mem_iota => /andP[_ hH] ->; exists (Ordinal hH).
by exists (h : nat) => //; rewrite mem_iota ltn_ord.
Qed.

Lemma cone_cover (K : bool) (P : pred (seq (seq Z))) :
    (forall h : 'I_H, ~~ P (cone_head D L a k h) ->
      K /\ forall t t', row h (A t) *m E t = row h (A t') *m E t') ->
  exists f : 'I_(size [seq s <- cone_heads D L a k | P s]) -> 'I_H, forall h,
    (exists i, forall t, row h (A t) = row (f i) (A t)) \/
    (K /\ forall t t', row h (A t) *m E t = row h (A t') *m E t').
Proof.
move=> rest; set U := [seq s <- _ | P s].
have /fin_all_exists[f fE] (i : 'I_(size U)) : exists h : 'I_H, nth [::] U i = cone_head D L a k h.
  by apply/headsP; have := mem_nth [::] (ltn_ord i); rewrite mem_filter => /andP[].
exists f => h; have [Ph|/rest] := boolP (P (cone_head D L a k h)); last by right.
have hU : cone_head D L a k h \in U by rewrite mem_filter Ph; apply/headsP; exists h.
have iU : (index (cone_head D L a k h) U < size U)%N by rewrite index_mem.
by left; exists (Ordinal iU) => t; apply: cone_head_coefs; rewrite -fE nth_index.
Qed.

Theorem cone_equal_heads : (\rank (attn_out A E) <= size (cone_heads D L a k) * \rank (token_matrix R D))%N.
Proof.
rewrite -[cone_heads _ _ _ _]filter_predT.
have [f cover] := @cone_cover false predT (fun h (no : ~~ true) => False_ind _ (negP no isT)).
by rewrite -[X in (_ <= X)%N]addn0; apply: (heads_linear_rank cover) => t; apply: context_sub_tokens.
Qed.

Theorem cone_constant_heads : size (distinct equal_rows (contexts D)) = 1%N ->
  (\rank (attn_out A E) <= size [seq s <- cone_heads D L a k | ~~ constant_rows s] * \rank (token_matrix R D) + 1)%N.
Proof.
move=> one; have same (t t' : 'I_T) : context_at D t = context_at D t'.
  have : forall s : 'I_T, context_at D s \in distinct equal_rows (contexts D).
    by move=> s; rewrite (mem_distinct _ equal_rowsP) context_in.
  case: (distinct _ _) one => [|x [|y r]] //= _ xE.
  by have := xE t; have := xE t'; rewrite !inE => /eqP -> /eqP ->.
have [h nP|f cover] := @cone_cover true (fun s => ~~ constant_rows s).
  split=> // t t'; rewrite (_ : E t = E t'); last by rewrite /problem.E (same t t').
  move: nP; rewrite negbK => /allP cP; have cE (s : 'I_T) : nth [::] (cone_head D L a k h) s = nth [::] (cone_head D L a k h) 0.
    by apply/esym/equal_rowP/cP; rewrite mem_nth // size_map size_iota.
  exact: (congr1 (mulmx^~ (E t')) (cone_head_coefs (etrans (cE t) (esym (cE t'))))).
by apply: (heads_linear_rank cover) => t; apply: context_sub_tokens.
Qed.

End Layer.

Theorem cone_equal_examples : copies_agree D k -> (capacity_of_kind R D k <= size (distinct_examples D))%N.
Proof.
move=> agree; apply: largest_leq => r [A [s [P AP]] /leq_trans]; apply; apply: (rank_classes (example_in (D := D))) => t t' tt.
apply/rowP => c; rewrite [LHS]mxE [RHS]mxE; case/mxvec_indexP: c => h j; rewrite !attn_outE !AP; congr (_ 0 j).
have := @example_mean d (copies_of k t') E (s h) (fun x => WK P h *m (WQ P h)^T *m x) 1 t t' (fun t t' p EE => EE) tt.
by rewrite (copies_agreeP agree tt) !scale1r !mulmxA => ->.
Qed.

(* --- labels that values, outputs and a read-out predict *)
Section Labels.
Variable L : layer.
Hypothesis givenD : given D = Some L.
Local Notation Zk := (attn_out (coefs_of R k L false) E).
Local Notation Y := (label_matrix R D).
Local Notation ones := (ones_column R D).
Let z t h := (E t)^T *m head_coefficients R k L false t h.

Let ZkE : Zk = \matrix_t (stack (z t))^T.
Proof.
apply/row_matrixP => t; rewrite !rowK trmxK; congr mxvec; apply/row_matrixP => h.
by rewrite row_mul !rowK trmx_mul trmxK.
Qed.

Theorem cone_fitted : (d_out D <= d_v D)%N -> (\rank (row_mx Zk Y) <= \rank Zk)%N -> memorizes_of_kind R D k false.
Proof. by rewrite ZkE => ov /(means_fitted ov)[P PP]; exists L => //; exists P, 0; split=> // t; rewrite addr0; apply: PP. Qed.

Theorem cone_fitted_bias : (d_out D <= d_v D)%N -> (\rank (row_mx Zk (row_mx ones Y)) <= \rank (row_mx Zk ones))%N ->
  memorizes_of_kind R D k true.
Proof. by rewrite ZkE => ov /(means_fitted_bias ov)[P [b PP]]; exists L => //; exists P, b. Qed.

Theorem cone_missed : (\rank Zk < \rank (row_mx Zk Y))%N -> ~ memorizes_of_kind R D k false.
Proof.
rewrite ZkE => rY [L']; rewrite givenD => -[<-] [P [b [/(_ isT) -> PP]]].
by apply: (means_missed (P := P) rY) => t; rewrite -PP addr0.
Qed.

Theorem cone_missed_bias : (\rank (row_mx Zk ones) < \rank (row_mx Zk (row_mx ones Y)))%N -> ~ memorizes_of_kind R D k true.
Proof. by rewrite ZkE => rY [L']; rewrite givenD => -[<-] [P [b [_ PP]]]; apply: (means_missed_bias (P := P) (b := b) rY). Qed.

End Labels.

(* --- vectors that annihilate Z for all weights *)
Section Weights.
Variables (W : 'M[R]_d) (s : R).
Let qE : R := toF R (Zpos (q_contexts D)).
Let qe : R := toF R (Zpos (q_queries D)).
Let w (x : seq Z) : R :=
  \sum_(i < d) \sum_(j < d) W i j / (qE * qe) * toF R (nth 0%coqZ x (i * d + j)%N) + s * toF R (nth 0%coqZ x (d * d)).
Let ev (x : seq Z) : R := expR (w x).

Let evD x y : ev (plus_row x y) = ev x * ev y.
Proof.
rewrite /ev -expRD; congr expR; rewrite /w nth_add_rows toFD mulrDr addrACA -big_split; congr (_ + _).
by apply: eq_bigr => i _; rewrite -big_split; apply: eq_bigr => j _; rewrite nth_add_rows toFD mulrDr.
Qed.
Let ev_equal x y : equal_row x y -> ev x = ev y. Proof. by move=> /equal_rowP->. Qed.
Let ev0 : ev [::] = 1.
Proof.
rewrite /ev /w nth_nil rmorph0 mulr0 addr0 big1 ?expR0 // => i _; rewrite big1 // => j _.
by rewrite nth_nil rmorph0 mulr0.
Qed.
Let evz : ev (zero_exponent D) = 1.
Proof.
rewrite /ev /w nth_default ?size_nseq // rmorph0 mulr0 addr0 big1 ?expR0 // => i _; rewrite big1 // => j _.
by rewrite nth_nseq if_same rmorph0 mulr0.
Qed.
Let ev_gt0 x : 0 < ev x. Proof. exact: expR_gt0. Qed.
Let logits_of (t : nat) := [seq outer r (nth [::] (queries D) t) | r <- context_at D t].
Let size_query_at (t : 'I_T) : size (nth [::] (queries D) t) = d.
Proof. by have [_ _ /eqP sQ /allP aq _] := and5P okD; apply/eqP/aq; rewrite mem_nth // sQ. Qed.

Let ev_logit (t : 'I_T) (i : 'I_n) : expR ((E t *m W *m e t) i 0) = ev (nth (zero_exponent D) (logits_of t) i).
Proof.
have sE : size (nth [::] (context_at D t) i) = d.
  by have [_ _ _ _ /allP/(_ _ (context_in (ltn_ord t)))/allP sr] := wf_sizesP okD; apply/eqP/sr; rewrite mem_nth ?size_context.
rewrite /logits_of (nth_map [::]) ?size_context // /ev /w [nth _ _ (d * d)]nth_default ?size_outer ?sE ?size_query_at //.
rewrite rmorph0 mulr0 addr0; congr (expR _).
rewrite -mulmxA mxE; apply: eq_bigr => x _; rewrite [X in _ * X = _]mxE mulr_sumr; apply: eq_bigr => y _.
rewrite (nth_outer _ _ (size_query_at t)) // toFM !mxE /ent -/qE -/qe invfM.
move: (W x y) (qE^-1) (qe^-1) (toF R _) (toF R _) => p q r u v; ring.
Qed.

Let ev_sink : expR s = ev (sink_variable D).
Proof.
rewrite /ev /w /sink_variable /zero_exponent nth_rcons size_nseq ltnn eqxx rmorph1 mulr1 big1 ?add0r // => i _; rewrite big1 // => j _.
have ij : (i * d + j < d * d)%N.
  by apply: (@leq_trans (i.+1 * d)%N); [rewrite mulSnr ltn_add2l|rewrite leq_mul2r ltn_ord orbT].
by rewrite nth_rcons size_nseq ij nth_nseq ij rmorph0 mulr0.
Qed.

Lemma cone_row_annihilated y : let m := number_of_quotients k n in
    let q := flatten [seq capacity_quotients D k t | t <- iota 0 T] in
    left_identity plus_row equal_row less_row (zero_exponent D) id d (T * m) [seq constant_sum (nth 0%coqZ y (u %/ m)) | u <- iota 0 (T * m)]
      (fun u => (nth ([::], [::]) q u).1) (fun u => (nth ([::], [::]) q u).2) ->
  forall j : 'I_d, \sum_(t < T) toF R (nth 0%coqZ y t) * (((coefs_at k (copies_of k t) s (E t *m W *m e t))^T *m E t) 0 j) = 0.
Proof.
move=> m q ok j.
have sized (t : 'I_T) := quotients_sized k (zero_exponent D) (sink_variable D) (copies_of_gt0 k t) n0
  (etrans (size_map _ _) (size_context okP t) : size (logits_of t) = n) (size_context okP t).
have qE' u : (u < T * m)%N -> exists2 t : 'I_T, t = (u %/ m)%N :> nat &
    nth ([::], [::]) q u = nth ([::], [::]) (capacity_quotients D k t) (u %% m)%N /\ (u %% m < m)%N.
  move=> uT; have m0 : (0 < m)%N by move: uT; case: (posnP m) => // ->; rewrite muln0.
  have ut : (u %/ m < T)%N by rewrite ltn_divLR.
  exists (Ordinal ut) => //; split; last by rewrite ltn_mod.
  by rewrite /q (@flatten_at _ _ _ m) // => t tT; have [-> _] := sized (Ordinal tT).
pose r u := size (nth ([::], [::]) q u).1.
have sz (u : 'I_(T * m)) : [/\ (0 < r u)%N, size (nth ([::], [::]) q u).1 = r u & size (nth ([::], [::]) q u).2 = r u].
  by rewrite /r; have [t _ [-> um]] := qE' u (ltn_ord u); have [_ /(_ _ um)[]] := sized t.
have := left_identity_sized evD ev_equal evz ev_gt0 (fun=> erefl) sz ok (ltn_ord j).
pose f t u := let x := nth ([::], [::]) (capacity_quotients D k t) u in
  toF R (nth 0%coqZ y t) * entry (zero_exponent D) ev (size x.1) x.1 x.2 j.
rewrite (eq_bigr (fun u : 'I_(T * m) => f (u %/ m)%N (u %% m)%N)); last first.
  move=> u _; have [t tE [qu _]] := qE' u (ltn_ord u); rewrite /f /r qu tE; congr (_ * _).
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n /constant_sum; case: ifP => [/Z.eqb_eq ->|_]; first by rewrite value_nil rmorph0.
  by rewrite value_cons value_nil ev0 mulr1 addr0.
rewrite (sum_divmod T m f) => /(congr1 (fun x => x / qE)); rewrite mul0r mulr_suml => s0; rewrite -[RHS]s0.
apply: eq_bigr => t _; rewrite /f -mulr_sumr -mulrA; congr (_ * _).
have mean := @kind_mean R n k (copies_of k t) _ ev (zero_exponent D) (sink_variable D) evz ev_gt0 (copies_of_gt0 k t) s (E t *m W *m e t) (logits_of t) (context_at D t) j
  (etrans (size_map _ _) (size_context okP t)) (size_context okP t) (ev_logit t) (fun _ _ _ _ => ev_sink).
rewrite -[X in _ = X / _]mean mxE mulr_suml; apply: eq_bigr => i _.
by rewrite [_^T _ _]mxE [E t i j]mxE mulrA.
Qed.

End Weights.

Theorem zero_cone_capacity p Y : zero_cone_capacity_ok D k p Y -> (capacity_of_kind R D k <= T - size Y)%N.
Proof.
move=> /and3P[iY sYT /allP ok]; apply: largest_leq => r [A [s [P AP]] /leq_trans]; apply; rewrite -mxrank_tr.
apply: leq_trans (kernel_rank (X := mx R (size Y) T 1 Y) _) _; last first.
  by apply: leq_sub2l; apply: independent_mod_rank iY.
apply/matrixP => c u; rewrite mxE [RHS]mxE; case/mxvec_indexP: c => h j.
rewrite -[RHS](cone_row_annihilated (WK P h *m (WQ P h)^T) (s h) (ok _ (mem_nth [::] (ltn_ord u))) j).
apply: eq_bigr => t _; rewrite [X in X * _]mxE attn_outE AP [X in _ * X]mxE [X in _ * X]mxE rmorph1 divr1 mulrC.
by [].
Qed.

(* --- Z beside a column of ones; any Z *)
Section Beside.
Variables (m : nat) (M : 'M[R]_(T, m)).
Local Notation ones := (ones_column R D).

Lemma matrix_equal_rows_ones : (forall t t' : 'I_T, example_key D t = example_key D t' -> row t M = row t' M) ->
  (\rank (row_mx M ones) <= size (distinct_examples D))%N.
Proof.
move=> ME; apply: (rank_classes (example_in (D := D))) => t t' tt.
by rewrite !row_row_mx (ME _ _ tt); congr row_mx; apply/rowP => i; rewrite !mxE.
Qed.
End Beside.

End Bounds.
