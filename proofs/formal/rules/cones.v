(* The proved checker, coefficients that are no softmax: blocks whose quotients have the  *)
(* term of a sink, or whose entries are sums of n quotients, one for each sigmoid one.      *)
(*                                                                                        *)
(*     cone_ok D L a k == no key biases, and exponents of sinks are integers               *)
(*  cone_blocks D L a k == the blocks, as softmax_blocks; cone_Z and cone_blocks_of are those *)
(*                 of Z and of the quantity RankBlocks                                      *)
(*  cone_entry, cone_sized == they are what the coefficients of coefficients.v average      *)
(*  cone_Z_rank, cone_blocks_rankE == blocks have the rank of Z, of RankBlocks, with these   *)
(*                 coefficients                                                             *)
(*  different_blocks_ok, different_blocks_count == rows of Z that differ modulo p            *)
From Attest Require Import integers attention affine_hull transcendence literal_arithmetic words residues problem.
From Attest Require Import logits minors quantity_bounds sums zero outputs blocks coefficients.

Local Notation Z := BinNums.Z.

(* key biases change such coefficients; a sink's logit is not scaled, so that beside a root only 0 is covered *)
Definition cone_ok (D : problem) (L : layer) (a : bool) (k : coefficient_kind) : bool :=
  (match L with Factors _ _ _ _ _ _ bK _ _ => nilp bK | Combined _ _ => true | Projected _ => false end) &&
  (if k is Sinks q s then
    (Pos.eqb (root D a) 1 && (Zpos (total_den D L a) mod Zpos q =? 0)%coqZ) || all (Z.eqb 0) s
  else true).

Definition sink_exponent (D : problem) (L : layer) (a : bool) (q : positive) (s : seq Z) (h : nat) : Z :=
  (nth 0 s h * (Zpos (total_den D L a) / Zpos q))%coqZ.

(* the quotients of sums of powers that a mean with such coefficients is the sum of, and how many terms they have *)
Definition quotients_of_kind (X : Type) (k : coefficient_kind) (sink zero : X) (l : seq X) (C : seq (seq Z)) :
    seq (seq X * seq (seq Z)) :=
  match k with
  | Softmax => [:: (l, C)]
  | Sinks _ _ => [:: (rcons l sink, rcons C [::])]
  | Sigmoid => [seq ([:: x.1; zero], [:: x.2; [::]]) | x <- zip l C]
  end.
Definition number_of_quotients (k : coefficient_kind) (n : nat) : nat := if k is Sigmoid then n else 1%N.
Definition number_of_terms (k : coefficient_kind) (n : nat) : nat := match k with Softmax => n | Sinks _ _ => n.+1 | Sigmoid => 2%N end.

Definition cone_quotients (D : problem) (L : layer) (a : bool) (k : coefficient_kind) (h : nat) (l : seq Z) (C : seq (seq Z)) :
    seq power_quotient :=
  quotients_of_kind k (if k is Sinks q s then sink_exponent D L a q s h else 0%coqZ) 0%coqZ l C.

Definition cone_blocks (D : problem) (L : layer) (a : bool) (k : coefficient_kind) (hs : seq nat) (w : nat)
    (tokens : nat -> nat -> seq (seq Z)) (v : nat) (beside : nat -> seq Z) : head_blocks :=
  let gs := [seq prepare L h | h <- hs] in
  HeadBlocks (size hs) w (number_of_quotients k (n D)) (number_of_terms k (n D))
    (fun i t => cone_quotients D L a k (nth 0%N hs i) (exponents D L a (nth (prepare L 0) gs i) t) (tokens i t)) v beside.

Definition cone_Z (D : problem) (L : layer) (a : bool) (k : coefficient_kind) : head_blocks :=
  cone_blocks D L a k (iota 0 (H D)) (d D) (fun _ t => context_at D t) 0 (fun=> [::]).

(* as value_blocks and blocks_of                                                  *)
Definition cone_values (D : problem) (L : layer) (a : bool) (k : coefficient_kind) (w : whole) (hs : seq nat) : head_blocks :=
  let cs := [seq value_columns D w h | h <- hs] in
  cone_blocks D L a k hs (value_width w) (fun i t => values_of w (nth [::] cs i) (context_at D t)) 0 (fun=> [::]).

Definition cone_blocks_of (D : problem) (c : arguments) (L : layer) (a : bool) (k : coefficient_kind) (b : blocks) :
    option head_blocks :=
  let heads := iota 0 (H D) in
  let only := if only_head c is Some h then if (h < H D)%N then Some h else None else None in
  match b, only, around D with
  | WithOnes l, _, _ => Some (cone_blocks D L a k heads (d D) (fun _ t => context_at D t)
      (1 + if l then d_out D else 0)%N (fun t => 1%coqZ :: if l then nth [::] (labels D) t else [::]))
  | OneHead false, Some h, _ => Some (cone_blocks D L a k [:: h] (d D) (fun _ t => context_at D t) 0 (fun=> [::]))
  | OneHead true, Some h, Some w => Some (cone_values D L a k w [:: h])
  | AllOutputs, _, Some w => Some (cone_values D L a k w heads)
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
Section Mean.
Variables (R : realType) (n : nat) (k : coefficient_kind) (X : Type) (ev : X -> R) (zero sink : X).
Hypotheses (ev0 : ev zero = 1) (ev_gt0 : forall x, 0 < ev x).

Lemma kind_mean (s : R) (v : 'cV[R]_n) (l : seq X) (C : seq (seq Z)) j : size l = n -> size C = n ->
    (forall i : 'I_n, expR (v i 0) = ev (nth zero l i)) -> (forall q z, k = Sinks q z -> expR s = ev sink) ->
  \sum_(i < n) coefs_at k s v i 0 * toF R (ent C i j) =
  \sum_(u < number_of_quotients k n) let x := nth ([::], [::]) (quotients_of_kind k sink zero l C) u in
    entry zero ev (number_of_terms k n) x.1 x.2 j.
Proof.
move=> sl sC exponent sinkE; rewrite /coefs_at; case: k sinkE => [|q z|] sinkE.
- rewrite big_ord1 /entry mulr_suml; apply: eq_bigr => i _; rewrite mxE exponent.
  by under eq_bigr do rewrite exponent; rewrite mulrAC.
- have last_l : nth zero (rcons l sink) n = sink by rewrite nth_rcons sl ltnn eqxx.
  have last_C : ent (rcons C [::]) n j = 0%coqZ by rewrite /ent nth_rcons sC ltnn eqxx nth_nil.
  have first_l (i : 'I_n) : nth zero (rcons l sink) i = nth zero l i by rewrite nth_rcons sl ltn_ord.
  have first_C (i : 'I_n) : ent (rcons C [::]) i j = ent C i j by rewrite /ent nth_rcons sC ltn_ord.
  rewrite big_ord1 /entry /= !big_ord_recr /= last_l last_C rmorph0 mulr0 addr0 mulr_suml; apply: eq_bigr => i _.
  rewrite mxE exponent (sinkE _ _ erefl) first_l first_C mulrAC.
  by congr (_ * _ / (_ + _)); apply: eq_bigr => i' _; rewrite exponent first_l.
apply: eq_bigr => i _; rewrite mxE expRN exponent.
rewrite (nth_map (zero, [::])) ?size_zip ?sl ?sC ?minnn // nth_zip ?sl ?sC //.
rewrite /entry !big_ord_recr !big_ord0 /= !add0r /ent nth_nil rmorph0 mulr0 addr0 ev0 -/(ent C i j).
have sig e : 0 < e -> (1 + e^-1)^-1 = e / (e + 1) :> R.
  move=> e0; rewrite -[X in (X + _)^-1](divff (lt0r_neq0 e0)) -[X in (_ + X)^-1]mul1r -mulrDl.
  by rewrite invfM invrK mulrC.
by rewrite sig ?ev_gt0 // mulrAC.
Qed.

Lemma quotients_sized (l : seq X) (C : seq (seq Z)) : size l = n -> size C = n ->
  size (quotients_of_kind k sink zero l C) = number_of_quotients k n /\
  forall u, (u < number_of_quotients k n)%N -> let x := nth ([::], [::]) (quotients_of_kind k sink zero l C) u in
    size x.1 = number_of_terms k n /\ size x.2 = number_of_terms k n.
Proof.
rewrite /quotients_of_kind; case: k => [|q s|] sl sC.
- by split=> // -[|//] _; split.
- by split=> // -[|//] _; split; rewrite /= size_rcons ?sl ?sC.
have sz : size (zip l C) = n by rewrite size_zip sl sC minnn.
by split=> [|u un]; rewrite ?size_map ?(nth_map (zero, [::])) ?sz.
Qed.

Lemma number_of_terms_gt0 : (0 < n)%N -> (0 < number_of_terms k n)%N. Proof. by case: k. Qed.
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

Lemma logits_vector (t : 'I_T) (h : 'I_H) : logits R L t h = E R D t *m vector R L t h.
Proof.
move: okC => /andP[]; rewrite /logits /vector; case: L => [m qk K qq Q qkb bK qqb bQ|q W|//]; last by rewrite mulmxA.
move=> /nilP -> _; rewrite mulmxDl -(mulmxA (const_mx 1)).
have -> : literal_bias R m qkb [::] h = 0 :> 'cV_m by apply/colP => i; rewrite !mxE /ent nth_nil nth_nil rmorph0 mul0r.
by rewrite trmx0 mul0mx mulmx0 addr0 mulmxA.
Qed.

Lemma size_all_exponents (t : 'I_T) g : size (exponents D L a g t) = n.
Proof. by move: okC; rewrite /cone_ok /exponents /raw_logits; case: L => [*|*|p] //=; rewrite ?size_map ?(size_context okD). Qed.

Lemma expR_logits (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  expR ((factor R D a *: logits R L t h) i 0) = ev (nth 0%coqZ (exponents D L a (prepare L h) t) i).
Proof.
have nL : ~~ projects L by move: okC; rewrite /cone_ok; case: L.
by rewrite logits_vector -main_logitsE // (expR_exponents R a okD okL).
Qed.

Lemma expR_sink q s (h : 'I_H) : k = Sinks q s -> expR (sink_logit R D k h) = ev (sink_exponent D L a q s h).
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
  \sum_(u < number_of_quotients k n) let x := quotient_at (cone_quotients D L a k h (exponents D L a (prepare L h) t) C) u in
    entry 0%coqZ ev (number_of_terms k n) x.1 x.2 j.
Proof.
move=> sC; under eq_bigr do rewrite [coefs_of _ _ _ _ _ _ _]mxE [(_)^T _ _]mxE.
apply: (@kind_mean _ _ k _ ev 0%coqZ) => //; first exact: size_all_exponents.
  by move=> i; rewrite expR_logits.
by move=> q s kE; rewrite (expR_sink h kE) kE.
Qed.

Lemma cone_sized hs w (tokens : nat -> nat -> seq (seq Z)) v beside : (forall i t, (i < size hs)%N -> (t < T)%N -> size (tokens i t) = n) ->
  well_sized D (cone_blocks D L a k hs w tokens v beside).
Proof.
move=> st; split=> [|i t iB tT]; first exact: number_of_terms_gt0 (n_gt0 okD).
by apply: quotients_sized; [apply: (size_all_exponents (Ordinal tT))|apply: st].
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

Lemma cone_means hs v beside (t : 'I_T) (h : 'I_H) (i : 'I_(size hs)) (j : 'I_(d D)) : nth 0%N hs i = h ->
  inner_mx R D L a (cone_blocks D L a k hs (d D) (fun _ t => context_at D t) v beside) t (mxvec_index i j) =
  q * (row h (A t) *m E R D t) 0 j.
Proof. by move=> hE; rewrite inner_mxE (@cone_entry hs _ _ _ _ t h i j (ltn_ord i) hE) ?size_context // mean_tokens. Qed.

Lemma cone_outputs w hs (t : 'I_T) (h : 'I_H) (i : 'I_(size hs)) (j : 'I_(value_width w)) : nth 0%N hs i = h ->
  inner_mx R D L a (cone_values D L a k w hs) t (mxvec_index i j) =
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
split; first by apply: cone_sized => i t _ tT; apply: (size_context okD (Ordinal tT)).
apply: (@rank_of_blocks R D L a (cone_Z D L a k) _ _ q (fun=> 1) (fun i j => mxvec_index (all_heads i) j)
  (fun o => match notF (ltn_ord o) with end)) => // [t i j|t []|i] //.
  exact: ones_means.
by case/mxvec_indexP: i => h j; have [i ->] := all_heads_onto h; left; exists i, j.
Qed.

Lemma cone_blocks_rankE (c : claim) x B : cone_blocks_of D (args c) L a k x = Some B ->
  well_sized D B /\ \rank (blocks_mx R D L a B) = rank_blocks_of_kind R D k c L a x.
Proof.
have tokens_sized hs v beside : well_sized D (cone_blocks D L a k hs (d D) (fun _ t => context_at D t) v beside).
  by apply: cone_sized => i t _ tT; apply: (size_context okD (Ordinal tT)).
have values_sized w hs : well_sized D (cone_values D L a k w hs).
  by apply: cone_sized => i t _ tT; apply: (size_values okD w _ (Ordinal tT)).
rewrite /rank_blocks_of_kind /head_of_claim /cone_blocks_of; case: x => [[]|[]|].
- move=> [<-]; split=> //; set B' := (X in blocks_mx _ _ _ _ X).
  pose y (o : 'I_(1 + d_out D)) : R := if (o < 1)%N then 1 else toF R (Zpos (q_labels D)).
  apply: (@rank_of_blocks R D L a B' _ _ q y (fun (i : 'I_(size (iota 0 H))) (j : 'I_(d D)) => lshift _ (mxvec_index (all_heads i) j))
    (fun o => rshift _ o)) => // [o|t i j|t o|i].
  + by rewrite /y; case: ifP; rewrite ?oner_neq0 ?toF_pos.
  + by rewrite row_mxEl ones_means.
  + rewrite row_mxEr /y; case: (split_ordP o) => j -> /=; first by rewrite row_mxEl mxE ord1 mulr1 rmorph1.
    by rewrite row_mxEr mxE mulrC divfK ?toF_pos.
  case: (split_ordP i) => [{}i ->|o ->]; last by right; exists o.
  by case/mxvec_indexP: i => h j; have [i ->] := all_heads_onto h; left; exists i, j.
- move=> [<-]; split=> //; set B' := (X in blocks_mx _ _ _ _ X).
  apply: (@rank_of_blocks R D L a B' _ _ q (fun=> 1) (fun (i : 'I_(size (iota 0 H))) (j : 'I_(d D)) => lshift _ (mxvec_index (all_heads i) j))
    (fun o => rshift _ o)) => // [t i j|t o|i].
  + by rewrite row_mxEl ones_means.
  + by rewrite row_mxEr mxE ord1 mulr1 rmorph1.
  case: (split_ordP i) => [{}i ->|o ->]; last by right; exists o.
  by case/mxvec_indexP: i => h j; have [i ->] := all_heads_onto h; left; exists i, j.
- case: (only_head _) => [h|] //; case: ifP => // hH; case: (around D) => // w [<-]; rewrite (insubT (fun h => h < H)%N hH).
  split=> //; set B' := (X in blocks_mx _ _ _ _ X).
  apply: (@rank_of_blocks R D L a B' _ _ (toF R (Zpos (values_den D w))) (fun=> 1) (fun i j => j)
    (fun o => match (notF (ltn_ord o)) with end)) => // [|t i j|t []|i] //; first exact: toF_pos.
    by rewrite (@cone_outputs w [:: h] t (Ordinal hH) i j); [rewrite [X in _ = _ * X]mxE|case: i => -[]].
  by left; exists ord0, i.
- case: (only_head _) => [h|] //; case: ifP => // hH [<-]; rewrite (insubT (fun h => h < H)%N hH).
  split=> //; set B' := (X in blocks_mx _ _ _ _ X).
  apply: (@rank_of_blocks R D L a B' _ _ q (fun=> 1) (fun i j => j) (fun o => match (notF (ltn_ord o)) with end)) => // [t i j|t []|i] //.
    by rewrite (@cone_means [:: h] 0 (fun=> [::]) t (Ordinal hH) i j); [rewrite [X in _ = _ * X]mxE|case: i => -[]].
  by left; exists ord0, i.
case: (around D) => // w [<-]; split=> //; set B' := (X in blocks_mx _ _ _ _ X).
apply: (@rank_of_blocks R D L a B' _ _ (toF R (Zpos (values_den D w))) (fun=> 1)
  (fun (i : 'I_(size (iota 0 H))) (j : 'I_(value_width w)) => mxvec_index (all_heads i) j) (fun o => match (notF (ltn_ord o)) with end))
  => // [|t i j|t []|i] //; first exact: toF_pos.
  by rewrite (cone_outputs t j (all_headsE i)) [X in _ = _ * X]mxE mxvecE [X in _ = _ * X]mxE.
by case/mxvec_indexP: i => h j; have [i ->] := all_heads_onto h; left; exists i, j.
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
