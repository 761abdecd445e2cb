(* Replay of certificates, Kruskal ranks of literal integer queries.            *)
(* Lower bounds go through all subsets of k queries, by elimination over the    *)
(* integers (subsets with a common beginning share it); upper bounds are an     *)
(* integer relation, or the dimension.                                         *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention kruskal replay_arithmetic replay_layer replay_lower.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

(* index of the first non-zero entry                                           *)
Definition pivot (r : seq Z) : nat := find (fun x => ~~ (x =? 0)%coqZ) r.

(* a s - b r, a and b the entries of r and s in column j                       *)
Fixpoint combine (a b : Z) (s r : seq Z) : seq Z :=
  match s, r with
  | x :: s', y :: r' => (a * x - b * y)%coqZ :: combine a b s' r'
  | _, [::] => [seq (a * x)%coqZ | x <- s]
  | [::], _ => [seq (- (b * y))%coqZ | y <- r]
  end.

(* divided by the greatest common divisor, where that is exact                 *)
Definition content (s : seq Z) : Z := foldr Z.gcd 0%coqZ s.
Definition primitive (s : seq Z) : seq Z :=
  let g := content s in
  let s' := [seq (x / g)%coqZ | x <- s] in
  if ~~ (g =? 0)%coqZ && ([seq (g * x)%coqZ | x <- s'] == s) then s' else s.

Definition eliminate (r s : seq Z) : seq Z :=
  let j := pivot r in primitive (combine (nth 0%coqZ r j) (nth 0%coqZ s j) s r).

(* all subsets of k rows are independent                                       *)
Fixpoint subsets_ok (k : nat) : seq (seq Z) -> bool :=
  if k is k'.+1 then
    fix loop (rows : seq (seq Z)) : bool :=
      if rows is r :: rs then
        loop rs && ((size rs < k')%N || (has (fun x => ~~ (x =? 0)%coqZ) r &&
          subsets_ok k' [seq eliminate r s | s <- rs]))
      else true
  else fun=> true.

Section Independence.
Variable F : numFieldType.

(* a list of rows is independent over F                                        *)
Definition independent (s : seq (seq Z)) : Prop :=
  forall c : nat -> F, (forall j, \sum_(i < size s) c i * toF F (ent s i j) = 0) ->
    forall i, (i < size s)%N -> c i = 0.

Lemma nth_combine a b s r j :
  nth 0%coqZ (combine a b s r) j = a * nth 0%coqZ s j - b * nth 0%coqZ r j.
Proof.
have nthN (f : Z -> Z) (u : seq Z) i : f 0%coqZ = 0%coqZ ->
    nth 0%coqZ [seq f y | y <- u] i = f (nth 0%coqZ u i).
  move=> f0; have [iu|ui] := ltnP i (size u); first by rewrite (nth_map 0%coqZ).
  by rewrite !nth_default ?size_map.
elim: s r j => [|x s IHs] [|y r] j; rewrite ?nth_nil.
- by rewrite [a * _]Z.mul_0_r [b * _]Z.mul_0_r subr0.
- rewrite (nthN (fun y => - (b * y))%coqZ (y :: r)); last by rewrite Z.mul_0_r.
  by rewrite [a * _]Z.mul_0_r sub0r.
- rewrite (nthN (fun x => a * x)%coqZ (x :: s)); last by rewrite Z.mul_0_r.
  by rewrite [b * _]Z.mul_0_r subr0.
by case: j => //= j; apply: IHs.
Qed.

Lemma nth_primitive s : exists2 g : Z, g != 0 &
  forall j, nth 0%coqZ s j = g * nth 0%coqZ (primitive s) j.
Proof.
rewrite /primitive; case: ifP => [/andP[g0 /eqP sE]|_]; last first.
  by exists 1 => // j; rewrite mul1r.
exists (content s) => // j; rewrite -{1}sE.
have [js|sj] := ltnP j (size [seq (x / content s)%coqZ | x <- s]).
  by rewrite (nth_map 0%coqZ).
by rewrite !nth_default ?size_map // ?mulr0 // -(size_map (fun x => x / content s)%coqZ).
Qed.

Lemma cross (c r s : F) : r * (c * s) - s * (c * r) = 0.
Proof. by rewrite mulrCA [s * _]mulrCA (mulrC r) subrr. Qed.

Lemma cross2 (c s sj r rl : F) :
  c * (r * s - sj * rl) = r * (c * s) - rl * (c * sj).
Proof. by rewrite mulrBr mulrCA (mulrC sj) [c * (rl * _)]mulrCA. Qed.

Lemma independent_cons r s : has (fun x => ~~ (x =? 0)%coqZ) r ->
  independent [seq eliminate r x | x <- s] -> independent (r :: s).
Proof.
move=> r0 inds c rel.
pose j := pivot r; have rj : nth 0%coqZ r j != 0 by have := nth_find 0%coqZ r0.
have {}rel l : c 0%N * toF F (nth 0%coqZ r l) +
    \sum_(i < size s) c i.+1 * toF F (ent s i l) = 0.
  by rewrite -[RHS](rel l) big_ord_recl.
have /fin_all_exists2[g g0 gE] : forall i : 'I_(size s), exists2 g : Z, g != 0 &
    forall l, nth 0%coqZ r j * ent s i l - ent s i j * nth 0%coqZ r l =
      g * ent [seq eliminate r x | x <- s] i l.
  move=> i; have [g g0 gE] := nth_primitive
    (combine (nth 0%coqZ r j) (ent s i j) (nth [::] s i) r).
  by exists g => // l; rewrite -nth_combine gE /ent (nth_map [::]).
pose c' i := if insub i is Some k then c i.+1 * toF F (g k) else 0.
have c'E (i : 'I_(size s)) : c' i = c i.+1 * toF F (g i) by rewrite /c' valK.
have c0 i : (i < size s)%N -> c i.+1 = 0.
  move=> si; have := inds c'; rewrite size_map => /(_ _ i si) ci.
  have /eqP : c' i = 0.
    apply: ci => l; transitivity (toF F (nth 0%coqZ r j) *
        (c 0%N * toF F (nth 0%coqZ r l) + \sum_(i < size s) c i.+1 * toF F (ent s i l))
      - toF F (nth 0%coqZ r l) *
        (c 0%N * toF F (nth 0%coqZ r j) + \sum_(i < size s) c i.+1 * toF F (ent s i j))).
      rewrite !mulrDr opprD addrACA cross add0r !mulr_sumr -sumrB.
      apply: eq_bigr => k _; rewrite c'E -mulrA -rmorphM -gE rmorphB !rmorphM.
      exact: cross2.
    by rewrite !rel !mulr0 subr0.
  by rewrite (c'E (Ordinal si)) mulf_eq0 toF_eq0 (negPf (g0 _)) orbF => /eqP.
case=> [_|i]; last exact: c0.
have := rel j; rewrite big1 ?addr0 => [/eqP|i _]; last by rewrite c0 ?mul0r.
by rewrite mulf_eq0 toF_eq0 (negPf rj) orbF => /eqP.
Qed.

Lemma subsets_okP k rows s : subsets_ok k rows -> subseq s rows -> size s = k ->
  independent s.
Proof.
elim: k rows s => [|k IHk] rows s; first by move=> _ _ /size0nil-> c _ i.
elim: rows s => [|r rs IHrs] [|x s] //= /andP[okrs okr].
case: eqP => [->|_]; last by apply: IHrs.
move=> srs /eqP; rewrite eqSS => /eqP sk.
have ks : (size rs < k)%N = false by apply/negbTE; rewrite -leqNgt -sk size_subseq.
move: okr; rewrite ks /= => /andP[r0 oks]; apply: independent_cons => //.
by apply: IHk oks _ _; rewrite ?size_map // map_subseq.
Qed.

End Independence.

(* -------------------------------------------------------------------------- *)
(* Kruskal ranks                                                               *)
(* -------------------------------------------------------------------------- *)
Definition kruskal_geq_ok (T d k : nat) (e : seq (seq Z)) : bool :=
  [&& (k <= T)%N, size e == T, all (fun x => size x <= d)%N e & subsets_ok k e].

(* the sum of c_i times query subset_i is zero, and no c_i is                   *)
Definition relation_ok (T d : nat) (e : seq (seq Z)) (subset : seq nat) (c : seq Z) : bool :=
  [&& uniq subset, all (fun t => t < T)%N subset, (0 < size subset)%N, size c == size subset,
    all (fun x => ~~ (x =? 0)%coqZ) c &
    all (fun j => dot c [seq nth 0%coqZ (nth [::] e t) j | t <- subset] =? 0)%coqZ (iota 0 d)].

Lemma kruskal_rank_size (F : fieldType) T d (x : 'I_T -> 'cV[F]_d) : (kruskal_rank x <= minn T d)%N.
Proof.
have kT : (kruskal_rank x <= T)%N.
  by apply/bigmax_leqP => i _; rewrite -ltnS ltn_ord.
rewrite leq_min kT leqNgt; apply/negP => dk.
have /kruskal_geqP ind : kruskal_geq x d.+1 by rewrite /kruskal_geq (leq_trans (geq_minl _ _)).
have dT : (d < T)%N := leq_trans dk kT.
pose f (i : 'I_d.+1) : 'I_T := widen_ord dT i.
have inj_f : injective f by move=> i j /(congr1 val) /= /val_inj.
have := indep_row_free inj_f (ind _ _); rewrite card_imset // card_ord => /(_ (leqnn _)).
by rewrite /row_free => /eqP r; have := rank_leq_col (\matrix_(i < d.+1) (x (f i))^T); rewrite r ltnn.
Qed.

Section KruskalRank.
Variables (F : numFieldType) (T d : nat) (q : positive) (e : seq (seq Z)).
Local Notation x := (query_vec F d q e : 'I_T -> 'cV[F]_d).

Lemma kruskal_rankP k : (k <= T)%N ->
  (forall I : {set 'I_T}, #|I| = k -> indep_on x I) -> (k <= kruskal_rank x)%N.
Proof.
move=> kT ind; have /kruskal_geqP : forall I : {set 'I_T}, (#|I| <= k)%N -> indep_on x I.
  move=> I Ik; have [|J IJ cJ] := @extend_set T I k; first by rewrite Ik.
  exact: indep_on_sub IJ (ind J cJ).
by rewrite /kruskal_geq (minn_idPl kT).
Qed.

Theorem replay_kruskal_geq k : kruskal_geq_ok T d k e -> (k <= kruskal_rank x)%N.
Proof.
move=> /and4P[kT /eqP sE sd ok]; apply: kruskal_rankP => // I cI c cI0 rel t.
have [tI|] := boolP (t \in I); last exact: cI0.
pose s := [seq nth [::] e t | t : 'I_T <- enum I].
have ss : size s = k by rewrite size_map -cardE.
have sub : subseq s e.
  have -> : e = [seq nth [::] e t | t : 'I_T <- enum 'I_T].
    rewrite (map_comp (nth [::] e) val) val_enum_ord -sE.
    by apply: (@eq_from_nth _ [::]) => [|i ie]; rewrite ?size_map ?size_iota //
      (nth_map 0%N) ?size_iota // nth_iota.
  by apply: map_subseq; rewrite enumT; apply: filter_subseq.
have := subsets_okP (F := F) ok sub ss.
move=> /(_ (fun i => c (nth t (enum I) i))); rewrite size_map => inds.
have tE : (index t (enum I) < size (enum I))%N by rewrite index_mem mem_enum.
rewrite -[t in c t](nth_index t (_ : t \in enum I)) ?mem_enum //.
apply: inds => // j.
have [jd|dj] := ltnP j d; last first.
  apply: big1 => i _; rewrite /ent [nth 0%coqZ _ j]nth_default ?rmorph0 ?mulr0 //.
  apply: leq_trans dj; rewrite (nth_map t) //.
  exact: (all_nth_nil (P := fun r : seq Z => size r <= d)%N).
transitivity (toF F (Zpos q) * (\sum_t c t *: x t) (Ordinal jd) 0); last first.
  by rewrite rel mxE mulr0.
rewrite summxE (bigID (mem I)) /= [X in _ + X]big1 ?addr0; last first.
  by move=> i /cI0 ->; rewrite scale0r mxE.
rewrite -[in RHS]big_enum [in RHS](big_nth t) [in RHS]big_mkord mulr_sumr; apply: eq_bigr => i _.
rewrite !mxE /ent (nth_map t) // mulrCA; congr (_ * _).
by rewrite mulrC mulfVK // toF_pos.
Qed.

Theorem replay_kruskal_leq subset c : relation_ok T d e subset c ->
  (kruskal_rank x <= (size subset).-1)%N.
Proof.
move=> /and5P[us sT s0 /eqP sc /andP[c0 rel]].
rewrite leqNgt; apply/negP => sk.
have /kruskal_geqP ind : kruskal_geq x (size subset).
  by rewrite /kruskal_geq (leq_trans (geq_minl _ _)) // -(prednK s0).
have [f fE] := ords_of sT.
pose I : {set 'I_T} := [set f i | i in 'I_(size subset)].
have inj_f : injective f.
  move=> i j /(congr1 val) /=; rewrite !fE => /eqP; rewrite nth_uniq // => /eqP.
  exact: val_inj.
have I_ind : indep_on x I by apply: ind; rewrite card_imset // card_ord.
have /row_freeP[B MB] := indep_row_free inj_f I_ind.
pose v : 'rV[F]_(size subset) := \row_i toF F (nth 0%coqZ c i).
have vM : v *m \matrix_(i < size subset) (x (f i))^T = 0.
  apply/rowP => j; rewrite !mxE.
  have /allP/(_ (val j)) := rel; rewrite mem_iota ltn_ord => /(_ isT)/Z.eqb_eq.
  rewrite (@dotE (size subset)) ?sc // => /(congr1 (toF F)).
  rewrite rmorph0 rmorph_sum => relF.
  apply: (mulfI (toF_pos F q)); rewrite mulr0 -[RHS]relF mulr_sumr.
  apply: eq_bigr => i _; rewrite rmorphM /= !mxE (nth_map 0%N) // fE mulrCA.
  by congr (_ * _); rewrite mulrC mulfVK // toF_pos.
have v0 : v = 0 by rewrite -[v]mulmx1 -MB mulmxA vM mul0mx.
have /rowP/(_ (Ordinal s0)) := v0; rewrite !mxE /= => /eqP.
rewrite toF_eq0; have /allP/(_ (nth 0%coqZ c 0)) := c0.
by rewrite mem_nth ?sc // => /(_ isT)/negP.
Qed.

Theorem replay_kruskal_leq_size : (kruskal_rank x <= minn T d)%N.
Proof. exact: kruskal_rank_size. Qed.

End KruskalRank.
