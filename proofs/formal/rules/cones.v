(* The proved checker, coefficients that are no softmax: blocks whose quotients have the  *)
(* term of a sink, or whose entries are sums of n quotients, one for each sigmoid one.      *)
(*                                                                                        *)
(*     cone_ok D L a k == no key biases, and exponents of sinks are integers               *)
(*  cone_blocks D L a k == the blocks, as softmax_blocks                                   *)
(*  cone_entry, cone_sized == they are what the coefficients of coefficients.v average      *)
(*  cone_Z_rank == the blocks of all heads have the rank of Z with these coefficients        *)
From Attest Require Import integers attention affine_hull transcendence literal_arithmetic problem coefficients.
From Attest Require Import logits minors sums zero blocks.

Local Notation Z := BinNums.Z.

(* key biases change such coefficients; a sink's logit is not scaled, so that beside a root only 0 is covered *)
Definition cone_ok (D : problem) (L : layer) (a : bool) (k : coefficient_kind) : bool :=
  (match L with Factors _ _ _ _ _ _ bK _ _ => nilp bK | Combined _ _ => true | Projected _ => false end) &&
  (if k is Sinks q s then
    (Pos.eqb (root D a) 1 && (Zpos (total_den D L a) mod Zpos q =? 0)%coqZ) || all (Z.eqb 0) s
  else true).

Definition sink_exponent (D : problem) (L : layer) (a : bool) (q : positive) (s : seq Z) (h : nat) : Z :=
  (nth 0 s h * (Zpos (total_den D L a) / Zpos q))%coqZ.

Definition cone_quotients (D : problem) (L : layer) (a : bool) (k : coefficient_kind) (h : nat) (l : seq Z) (C : seq (seq Z)) :
    seq power_quotient :=
  match k with
  | Softmax => [:: (l, C)]
  | Sinks q s => [:: (rcons l (sink_exponent D L a q s h), rcons C [::])]
  | Sigmoid => [seq ([:: x.1; 0%coqZ], [:: x.2; [::]]) | x <- zip l C]
  end.

Definition cone_blocks (D : problem) (L : layer) (a : bool) (k : coefficient_kind) (hs : seq nat) (w : nat)
    (tokens : nat -> nat -> seq (seq Z)) (v : nat) (beside : nat -> seq Z) : head_blocks :=
  let gs := [seq prepare L h | h <- hs] in
  let terms := match k with Softmax => n D | Sinks _ _ => (n D).+1 | Sigmoid => 2%N end in
  HeadBlocks (size hs) w (if k is Sigmoid then n D else 1%N) terms
    (fun i t => cone_quotients D L a k (nth 0%N hs i) (exponents D L a (nth (prepare L 0) gs i) t) (tokens i t)) v beside.

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
  let s := cone_quotients D L a k h (exponents D L a (prepare L h) t) C in
  let m := match k with Softmax => n | Sinks _ _ => n.+1 | Sigmoid => 2%N end in
  \sum_(i < n) coefs_of R k L a t h i * toF R (ent C i j) =
  \sum_(u < if k is Sigmoid then n else 1%N) entry 0%coqZ ev m (quotient_at s u).1 (quotient_at s u).2 j.
Proof.
move=> sC /=; set l := exponents _ _ _ _ _; have sl : size l = n by apply: size_all_exponents.
have exponent i : expR ((factor R D a *: logits R L t h) i 0) = ev (nth 0%coqZ l i) by apply: expR_logits.
rewrite (eq_bigr (fun i : 'I_n => head_coefficients R k L a t h i 0 * toF R (ent C i j))); last first.
  by move=> i _; rewrite [coefs_of _ _ _ _ _ _ _]mxE [(_)^T _ _]mxE.
have sinkE q s := @expR_sink q s h; rewrite /head_coefficients; case: k sinkE => [|q s|] sinkE.
- rewrite big_ord1 /entry mulr_suml; apply: eq_bigr => i _; rewrite mxE exponent.
  by under eq_bigr do rewrite exponent; rewrite mulrAC.
- have last_l : nth 0%coqZ (rcons l (sink_exponent D L a q s h)) n = sink_exponent D L a q s h.
    by rewrite nth_rcons sl ltnn eqxx.
  have last_C : ent (rcons C [::]) n j = 0%coqZ by rewrite /ent nth_rcons sC ltnn eqxx nth_nil.
  have first_l (i : 'I_n) : nth 0%coqZ (rcons l (sink_exponent D L a q s h)) i = nth 0%coqZ l i by rewrite nth_rcons sl ltn_ord.
  have first_C (i : 'I_n) : ent (rcons C [::]) i j = ent C i j by rewrite /ent nth_rcons sC ltn_ord.
  rewrite big_ord1 /entry /= !big_ord_recr /= last_l last_C rmorph0 mulr0 addr0 mulr_suml; apply: eq_bigr => i _.
  rewrite mxE exponent -/(sink_logit R D (Sinks q s) h) (sinkE _ _ erefl) first_l first_C mulrAC.
  by congr (_ * _ / (_ + _)); apply: eq_bigr => i' _; rewrite exponent first_l.
apply: eq_bigr => i _; rewrite mxE expRN exponent.
rewrite /quotient_at (nth_map (0%coqZ, [::])) ?size_zip ?sl ?sC ?minnn // nth_zip ?sl ?sC //.
rewrite /entry !big_ord_recr !big_ord0 /= !add0r /ent nth_nil rmorph0 mulr0 addr0 ev0 -/(ent C i j).
have sig e : 0 < e -> (1 + e^-1)^-1 = e / (e + 1) :> R.
  move=> e0; rewrite -[X in (X + _)^-1](divff (lt0r_neq0 e0)) -[X in (_ + X)^-1]mul1r -mulrDl.
  by rewrite invfM invrK mulrC.
by rewrite sig ?ev_gt0 // mulrAC.
Qed.

Lemma cone_sized hs w (tokens : nat -> nat -> seq (seq Z)) v beside : (forall i t, (i < size hs)%N -> (t < T)%N -> size (tokens i t) = n) ->
  well_sized D (cone_blocks D L a k hs w tokens v beside).
Proof.
move=> st; split=> [|i t iB tT]; first by case: k; rewrite //= (n_gt0 okD).
have sl g : size (exponents D L a g t) = n by apply: (size_all_exponents (Ordinal tT)).
rewrite /= /cone_quotients; case: k => [|q s|].
- by split=> // -[|//] _; split; rewrite /= ?sl ?st.
- by split=> // -[|//] _; split; rewrite /= size_rcons ?sl ?st.
have sz : size (zip (exponents D L a (nth (prepare L 0) [seq prepare L h | h <- hs] i) t) (tokens i t)) = n.
  by rewrite size_zip sl st // minnn.
split=> [|u un]; first by rewrite size_map sz.
by rewrite /quotient_at (nth_map (0%coqZ, [::])) ?sz.
Qed.

Lemma cone_entry hs w (tokens : nat -> nat -> seq (seq Z)) v beside (t : 'I_T) (h : 'I_H) i j : (i < size hs)%N -> nth 0%N hs i = h -> size (tokens i t) = n ->
  block_entry R D L a (cone_blocks D L a k hs w tokens v beside) i t j =
  \sum_(i' < n) coefs_of R k L a t h i' * toF R (ent (tokens i t) i' j).
Proof.
move=> iB hE st; rewrite cone_mean // /block_entry /quotient_value /=.
by rewrite hE (nth_map 0%N) // hE.
Qed.

Let q : R := toF R (Zpos (q_contexts D)).

Theorem cone_Z_rank :
  let B := cone_blocks D L a k (iota 0 H) (d D) (fun _ t => context_at D t) 0 (fun=> [::]) in
  well_sized D B /\ \rank (blocks_mx R D L a B) = \rank (attn_out (coefs_of R k L a) (E R D)).
Proof.
set B := cone_blocks _ _ _ _ _ _ _ _ _ => /=; split.
  by apply: cone_sized => i t _ tT; apply: (size_context okD (Ordinal tT)).
have headE (i : 'I_(size (iota 0 H))) : nth 0%N (iota 0 H) i = cast_ord (size_iota 0 H) i.
  by rewrite nth_iota // -[X in (_ < X)%N](size_iota 0 H).
apply: (@rank_of_blocks R D L a B _ _ q (fun=> 1) (fun i j => mxvec_index (cast_ord (size_iota 0 H) i) j)
  (fun o => match notF (ltn_ord o) with end)) => // [|t i j|t []|i] //; first exact: toF_pos.
- rewrite inner_mxE (cone_entry _ _ _ _ _ (headE i)) ?size_context // attn_outE mxE mulr_sumr; apply: eq_bigr => l _.
  by rewrite [row _ _ _ _]mxE [E R D t l j]mxE mulrCA; congr (_ * _); rewrite mulrC divfK ?toF_pos.
case/mxvec_indexP: i => h j; left; exists (cast_ord (esym (size_iota 0 H)) h), j; rewrite cast_ordKV.
by [].
Qed.

End Sound.
