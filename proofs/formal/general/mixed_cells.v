(* Convex piecewise linear functions whose slopes can be independent have a point where they are; the  *)
(* only geometric fact about softmax with pairwise non-parallel queries (paper/nonparallel.v).         *)
(*                                                                                                     *)
(*                 unit_row == a row of an invertible matrix is replaced                               *)
(*              choose_rows == an invertible matrix whose rows are combinations, by a member of each   *)
(*               small_step == numbers that are positive stay so                                       *)
(*   active A c tau t i == i is a largest member of A t for the slopes x and the constants c           *)
(*          slope_matrix i j == the matrix with the rows x t (j t) - x t (i t)                          *)
(*               mixed_cell == a point where two slopes are active in each set, with independent       *)
(*                             differences                                                             *)
From Attest Require Import prelude.
From mathcomp Require Import ring.

Section Rows.
Variables (F : fieldType) (k : nat).

Lemma unit_row (M M' : 'M[F]_k) t0 (s : 'cV[F]_k) : M \in unitmx ->
    (forall t j, t != t0 -> M' t j = M t j) -> (forall t, t != t0 -> (M *m s) t 0 = 0) ->
    (M' *m s) t0 0 != 0 -> M' \in unitmx.
Proof.
move=> Mu eqM s0 s1; rewrite -row_free_unit; apply: inj_row_free => z zM'.
have s0' t : t != t0 -> (M' *m s) t 0 = 0.
  by move=> tt0; rewrite -[RHS](s0 t tt0) !mxE; apply: eq_bigr => j _; rewrite eqM.
have z0 : z 0 t0 = 0.
  have : (z *m (M' *m s)) 0 0 = 0 by rewrite mulmxA zM' mul0mx mxE.
  rewrite mxE (bigD1 t0) //= big1 ?addr0 => [/eqP|t tt0]; last by rewrite s0' ?mulr0.
  by rewrite mulf_eq0 (negPf s1) orbF => /eqP.
have zM : z *m M = 0.
  rewrite -zM'; apply/rowP => j; rewrite !mxE; apply: eq_bigr => t _.
  by have [->|tt0] := eqVneq t t0; rewrite ?z0 ?mul0r ?eqM.
by rewrite -[z](mulmxK Mu) zM mul0mx.
Qed.

(* the direction that moves along row t0 alone                                        *)
Definition dual (M : 'M[F]_k) t0 : 'cV[F]_k := invmx M *m delta_mx t0 0.
Lemma dualE (M : 'M[F]_k) t0 t : M \in unitmx -> (M *m dual M t0) t 0 = (t == t0)%:R.
Proof. by move=> Mu; rewrite mulmxA mulmxV // mul1mx mxE eqxx andbT. Qed.

Lemma choose_rows (I : finType) (lam : 'I_k -> I -> F) (u : 'I_k -> I -> 'rV[F]_k) :
    (\matrix_t \sum_i lam t i *: u t i) \in unitmx ->
  exists f : 'I_k -> I, (forall t, lam t (f t) != 0) /\ (\matrix_t u t (f t)) \in unitmx.
Proof.
move=> unit0; set sum := fun t => \sum_i lam t i *: u t i in unit0.
pose chosen (f : 'I_k -> option I) : 'M[F]_k := \matrix_t (if f t is Some i then u t i else sum t).
suff [f [lam0 _ unitf]] : exists f, [/\ forall t, t \in enum 'I_k -> exists2 i, f t = Some i & lam t i != 0,
    forall t, t \notin enum 'I_k -> f t = None & chosen f \in unitmx].
  have /fin_all_exists2[g gE g0] t : exists2 i, f t = Some i & lam t i != 0 by apply: lam0; rewrite mem_enum.
  exists g; split=> //; rewrite (_ : \matrix_t _ = chosen f) //.
  by apply/row_matrixP => t; rewrite !rowK gE.
elim: (enum _) (enum_uniq 'I_k) => [_|t0 s IH /andP[t0s /IH[f [lam0 none unitf]]]].
  by exists (fun=> None).
set M := chosen f in unitf; pose rho := dual M t0.
have f0 : f t0 = None by apply: none.
have : \sum_i lam t0 i * (u t0 i *m rho) 0 0 != 0.
  rewrite (_ : \sum_i _ = (M *m rho) t0 0); first by rewrite dualE // eqxx oner_eq0.
  have -> : (M *m rho) t0 0 = (row t0 M *m rho) 0 0 by rewrite -row_mul [RHS]mxE.
  rewrite rowK f0 mulmx_suml summxE; apply: eq_bigr => i _.
  by rewrite -scalemxAl [RHS]mxE.
have [i0 i0P _|none0] := pickP (fun i => lam t0 i * (u t0 i *m rho) 0 0 != 0); last first.
  by rewrite big1 ?eqxx // => i _; apply/eqP/negPn; rewrite none0.
move: i0P; rewrite mulf_eq0 negb_or => /andP[l0 r0].
exists (fun t => if t == t0 then Some i0 else f t); split=> [t|t|].
- by rewrite inE; have [->|_] := eqVneq t t0; [exists i0|apply: lam0].
- by rewrite inE negb_or => /andP[/negPf->]; apply: none.
apply: (unit_row (t0 := t0) (s := rho) unitf) => [t j /negPf tt0|t /negPf tt0|].
- by rewrite !mxE tt0.
- by rewrite dualE // tt0.
have -> : (chosen (fun t => if t == t0 then Some i0 else f t) *m rho) t0 0 = (u t0 i0 *m rho) 0 0; last by [].
by rewrite !mxE; apply: eq_bigr => j _; rewrite mxE eqxx.
Qed.

End Rows.

(* -------------------------------------------------------------------------- *)
(* Affine inequalities in one number                                          *)
(* -------------------------------------------------------------------------- *)
Section Inequalities.
Variable R : realFieldType.

Lemma small_step (L : finType) (a b : L -> R) :
  exists2 eps, 0 < eps & forall l, 0 < a l -> 0 < a l + eps * b l.
Proof.
pose S := \sum_l `|b l / a l|; have S0 : 0 <= S by apply: sumr_ge0.
have S1 : 0 < 1 + S by rewrite ltr_paddr.
exists (1 + S)^-1; rewrite ?invr_gt0 // => l al.
have bl : `|b l| < a l * (1 + S).
  rewrite -[b l](divfK (lt0r_neq0 al)) normrM (gtr0_norm al) mulrC ltr_pmul2l //.
  rewrite (le_lt_trans (y := S)) ?ltr_addr //.
  by rewrite /S (bigD1 l) //= ler_addl sumr_ge0.
move: bl; rewrite ltr_norml => /andP[bl _]; rewrite -(pmulr_rgt0 _ S1) mulrDr mulrA divff ?mul1r ?gt_eqF //.
by move: bl; rewrite -subr_gt0 opprK addrC mulrC.
Qed.

Lemma least_number (s : seq (R * R)) g0 : 0 <= g0 -> all (fun c => 0 <= c.1 + g0 * c.2) s ->
  exists g, [/\ 0 <= g, all (fun c => 0 <= c.1 + g * c.2) s &
    forall g', 0 <= g' -> all (fun c => 0 <= c.1 + g' * c.2) s -> g <= g'].
Proof.
move=> g00; elim: s => [|[a b] s IH] /=; first by exists 0.
move=> /andP[ab s0]; have [g [gge gs gmin]] := IH s0.
have [abg|abg] := leP 0 (a + g * b).
  by exists g; split; rewrite ?abg // => g' g'0 /andP[_]; apply: gmin.
have gg0 : g <= g0 by apply: gmin.
have b0 : 0 < b.
  rewrite ltNge; apply/negP => b0; have := lt_le_trans abg ab; rewrite ltr_add2l ltNge => /negP[].
  by rewrite ler_wnmul2r.
pose h := - a / b; have hb : a + h * b = 0 by rewrite /h divfK ?gt_eqF // subrr.
have gh : g <= h by rewrite /h ler_pdivl_mulr // -subr_le0 opprK addrC ltW.
have hg0 : h <= g0 by rewrite /h ler_pdivr_mulr // -subr_ge0 opprK addrC.
exists h; split; first exact: le_trans gge gh.
  rewrite hb lexx /=; apply/allP => -[a' b'] cs /=; have := allP gs _ cs; have := allP s0 _ cs => /= c0 cg.
  have [b'0|b'0] := leP 0 b'; first by rewrite (le_trans cg) // ler_add2l ler_wpmul2r.
  by rewrite (le_trans c0) // ler_add2l ler_wnmul2r // ltW.
move=> g' _ /andP[/= abg' _]; rewrite /h ler_pdivr_mulr // -subr_ge0 opprK addrC //.
Qed.

(* the least number of finitely many sets that have one each                     *)
Lemma least_of_all (Q : finType) (P : Q -> R -> Prop) :
    (forall q g0, P q g0 -> exists2 g, P q g & forall g', P q g' -> g <= g') ->
    (exists q g, P q g) ->
  exists q g, P q g /\ forall q' g', P q' g' -> g <= g'.
Proof.
move=> least [q0 [g0 P0]].
suff [q [g [Pg gmin]]] : exists q g, P q g /\ forall q', q' \in enum Q -> forall g', P q' g' -> g <= g'.
  by exists q, g; split=> // q' g'; apply: gmin; rewrite mem_enum.
elim: (enum Q) => [|q1 s [q [g [Pg gmin]]]]; first by exists q0, g0.
have [[g1 P1]|none] := pselect (exists g1, P q1 g1); last first.
  exists q, g; split=> // q'; rewrite inE => /predU1P[->|/gmin//] g' P'.
  by case: none; exists g'.
have {g1 P1}[g1 P1 g1min] := least _ _ P1.
have [gg1|g1g] := leP g g1.
  by exists q, g; split=> // q'; rewrite inE => /predU1P[->|/gmin//] g' /g1min; apply: le_trans.
exists q1, g1; split=> // q'; rewrite inE => /predU1P[->//|/gmin le] g' /le.
by apply: le_trans; apply: ltW.
Qed.

End Inequalities.

(* -------------------------------------------------------------------------- *)
(* Mixed cells                                                                *)
(* -------------------------------------------------------------------------- *)
Section Cells.
Variables (R : realFieldType) (k : nat) (I : finType) (x : 'I_k -> I -> 'rV[R]_k).
Implicit Types (A : 'I_k -> {set I}) (c : 'I_k -> I -> R) (tau : 'cV[R]_k) (i j : 'I_k -> I).

Definition height c tau t l : R := (x t l *m tau) 0 0 + c t l.
Definition active A c tau t l : bool := (l \in A t) && [forall l' in A t, height c tau t l' <= height c tau t l].
Definition slope_matrix i j : 'M[R]_k := \matrix_t (x t (j t) - x t (i t)).

Lemma activeP A c tau t l : reflect (l \in A t /\ forall l', l' \in A t -> height c tau t l' <= height c tau t l) (active A c tau t l).
Proof. by apply: (iffP andP) => -[lA /forall_inP]. Qed.

Lemma active_eq A c tau t l l' : active A c tau t l -> active A c tau t l' -> height c tau t l = height c tau t l'.
Proof. by move=> /activeP[lA lP] /activeP[l'A l'P]; apply/eqP; rewrite eq_le lP ?l'P. Qed.

Lemma some_active A c tau t l : l \in A t -> exists l', active A c tau t l'.
Proof.
move=> lA; case: (@Order.TotalTheory.arg_maxP _ _ _ l (mem (A t)) (height c tau t) lA) => l' l'A l'P.
by exists l'; apply/activeP.
Qed.

Lemma slopesE i j tau t : (slope_matrix i j *m tau) t 0 = (x t (j t) *m tau) 0 0 - (x t (i t) *m tau) 0 0.
Proof.
have -> : (slope_matrix i j *m tau) t 0 = (row t (slope_matrix i j) *m tau) 0 0 by rewrite -row_mul [RHS]mxE.
by rewrite rowK mulmxBl !mxE.
Qed.

Lemma slopesN i j : slope_matrix j i = - slope_matrix i j.
Proof. by apply/matrixP => t l; rewrite !mxE opprB. Qed.

Lemma height_step c tau c' s eps t l :
  height c (tau + eps *: s) t l = height c tau t l + eps * (height c' s t l - c' t l).
Proof. by rewrite /height mulmxDr -scalemxAr !mxE addrAC addrK. Qed.

(* the larger one of t0 moves along: gap g between an active and another member   *)
Definition cell A c t0 g (q : {ffun 'I_k -> I} * {ffun 'I_k -> I}) tau : Prop :=
  [/\ slope_matrix q.1 q.2 \in unitmx, forall t, active A c tau t (q.1 t), forall t, t != t0 -> active A c tau t (q.2 t),
    q.2 t0 \in A t0 & height c tau t0 (q.1 t0) = height c tau t0 (q.2 t0) + g].

Lemma least_cell A c t0 q g0 : 0 <= g0 -> (exists tau, cell A c t0 g0 q tau) ->
  exists2 g, 0 <= g /\ (exists tau, cell A c t0 g q tau) &
    forall g', 0 <= g' -> (exists tau, cell A c t0 g' q tau) -> g <= g'.
Proof.
case: q => i j g00 [tau0 [/= unit0 iA jA jA0 gap0]].
(* tau as a function of the gap *)
pose M := slope_matrix i j; pose s : 'cV[R]_k := - dual M t0.
pose at_gap (g : R) := tau0 + (g - g0) *: s.
have sE t : (x t (i t) *m s) 0 0 = (x t (j t) *m s) 0 0 + (t == t0)%:R.
  have oppE (z : 'M[R]_1) : (- z) 0 0 = - z 0 0 by rewrite mxE.
  by rewrite /s !mulmxN !oppE -(dualE t0 t unit0) slopesE addKr.
have tau0E t : height c tau0 t (i t) = height c tau0 t (j t) + (t == t0)%:R * g0.
  have [->|tt0] := eqVneq t t0; first by rewrite mul1r; apply: gap0.
  by rewrite mul0r addr0; apply: active_eq (iA t) (jA t tt0).
have at_gapE g t l : height c (at_gap g) t l = height c tau0 t l + (g - g0) * (x t l *m s) 0 0.
  by rewrite (height_step c tau0 (fun _ _ => 0)) /height addr0 subr0.
have gapE g t : height c (at_gap g) t (i t) = height c (at_gap g) t (j t) + (t == t0)%:R * g.
  by rewrite !at_gapE tau0E sE; move: (_%:R) (height _ _ _ _) (_ 0 0) => b a z; ring.
have only g tau : cell A c t0 g (i, j) tau -> tau = at_gap g.
  case=> _ /= iA' jA' _ gap'; rewrite -[LHS](mulKmx unit0) -[RHS](mulKmx unit0); congr (_ *m _).
  apply/matrixP => t l; rewrite [l]ord1 !slopesE.
  have E tau' : height c tau' t (i t) = height c tau' t (j t) + (t == t0)%:R * g ->
      (x t (j t) *m tau') 0 0 - (x t (i t) *m tau') 0 0 = c t (i t) - c t (j t) - (t == t0)%:R * g.
    rewrite /height; set a := (x t (i t) *m _) 0 0; set b := (x t (j t) *m _) 0 0 => E.
    have -> : a = b + c t (j t) + (t == t0)%:R * g - c t (i t) by rewrite -E addrK.
    by move: (_%:R) => z; ring.
  rewrite E ?E //; have [->|tt0] := eqVneq t t0; first by rewrite mul1r.
  by rewrite mul0r addr0; apply: active_eq (iA' t) (jA' t tt0).
(* what the members that are active ask of the gap *)
pose L := [finType of 'I_k * bool * I].
pose end_ (l : L) := if l.1.2 then j l.1.1 else i l.1.1.
pose asked (l : L) := (l.2 \in A l.1.1) && (l.1.2 ==> (l.1.1 != t0)).
pose ask (l : L) : R * R := if asked l then
    (height c (at_gap 0) l.1.1 (end_ l) - height c (at_gap 0) l.1.1 l.2,
     (x l.1.1 (end_ l) *m s) 0 0 - (x l.1.1 l.2 *m s) 0 0) else (0, 0).
have askE g l : asked l -> (ask l).1 + g * (ask l).2 = height c (at_gap g) l.1.1 (end_ l) - height c (at_gap g) l.1.1 l.2.
  by move=> al; rewrite /ask al /= !at_gapE sub0r; move: (height _ _ _ _) (height _ _ _ _) ((_ *m s) 0 0) ((_ *m s) 0 0) => a b z w; ring.
have askP g : (exists tau, cell A c t0 g (i, j) tau) <-> all (fun a => 0 <= a.1 + g * a.2) [seq ask l | l <- enum L].
  split=> [[tau cl]|/allP ok].
    apply/allP => _ /mapP[[[t b] l] _ ->]; case: (boolP (asked (t, b, l))) => [al|/negPf al]; last first.
      by rewrite /ask al mulr0 addr0.
    rewrite askE // -(only _ _ cl) subr_ge0; case: cl => _ iA' jA' _ _.
    case: b al => /andP[/= lA tt0]; rewrite /end_ /=; first by have /activeP[_] := jA' t tt0; apply.
    by have /activeP[_] := iA' t; apply.
  have ok' l : asked l -> height c (at_gap g) l.1.1 l.2 <= height c (at_gap g) l.1.1 (end_ l).
    by move=> al; rewrite -subr_ge0 -askE // ok // map_f // mem_enum.
  exists (at_gap g); split=> //=.
  - move=> t; apply/activeP; split=> [|l lA]; first by have /activeP[] := iA t.
    by apply: (ok' (t, false, l)); rewrite /asked /= lA.
  - move=> t tt0; apply/activeP; split=> [|l lA]; first by have /activeP[] := jA t tt0.
    by apply: (ok' (t, true, l)); rewrite /asked /= lA tt0.
  by rewrite gapE eqxx mul1r.
have [|g [g1 /askP g2 g3]] := least_number g00 (proj1 (askP g0) _).
  by exists tau0; split.
by exists g => // g' g'0 /askP; apply: g3.
Qed.

Lemma slopes_neq i j t : slope_matrix i j \in unitmx -> i t != j t.
Proof.
move=> unit0; apply/eqP => ij; have := dualE t t unit0; rewrite slopesE ij subrr eqxx => /eqP.
by rewrite eq_sym oner_eq0.
Qed.

(* another pair at t0                                                             *)
Definition at_t0 t0 (l : I) i : {ffun 'I_k -> I} := [ffun t => if t == t0 then l else i t].

Lemma other_pair i j t0 (s : 'cV[R]_k) l l' : slope_matrix i j \in unitmx ->
    (forall t, t != t0 -> (x t (j t) *m s) 0 0 = (x t (i t) *m s) 0 0) ->
    (x t0 l' *m s) 0 0 != (x t0 l *m s) 0 0 -> slope_matrix (at_t0 t0 l i) (at_t0 t0 l' j) \in unitmx.
Proof.
move=> unit0 s0 ll'; apply: (unit_row (t0 := t0) (s := s) unit0) => [t m /negPf tt0|t tt0|].
- by rewrite !mxE !ffunE tt0.
- by rewrite slopesE s0 // subrr.
by rewrite slopesE !ffunE eqxx subr_eq0.
Qed.

Lemma fewer_large A A' t0 m : (forall t, t != t0 -> A' t \subset A t) -> (#|A' t0| <= 2)%N -> (2 < #|A t0|)%N ->
  (#|[set t | (2 < #|A t|)%N]| < m.+1)%N -> (#|[set t | (2 < #|A' t|)%N]| < m)%N.
Proof.
move=> sub A'0 A0; rewrite ltnS => le; apply: leq_trans le; apply: proper_card; apply/properP; split; last first.
  by exists t0; rewrite !inE // -leqNgt.
apply/subsetP => t; rewrite !inE; have [->|tt0] := eqVneq t t0; first by rewrite ltnNge A'0.
by move=> A't; apply: leq_trans A't (subset_leq_card (sub t tt0)).
Qed.

Theorem mixed_cell A c i j : (forall t, i t \in A t) -> (forall t, j t \in A t) -> slope_matrix i j \in unitmx ->
  exists tau i' j', [/\ forall t, active A c tau t (i' t), forall t, active A c tau t (j' t) & slope_matrix i' j' \in unitmx].
Proof.
have [m] := ubnP #|[set t | (2 < #|A t|)%N]|; elim: m A c i j => // m IH A c i j Am iA jA unit0.
have [/existsP[t0 large]|small] := boolP [exists t, (2 < #|A t|)%N]; last first.
  (* two members each: linear equations *)
  have A2 t : A t = [set i t; j t].
    apply/eqP; rewrite eq_sym eqEcard cards2 (slopes_neq _ unit0) subUset !sub1set iA jA /=.
    by rewrite leqNgt; apply: contraNN small => At; apply/existsP; exists t.
  pose tau := invmx (slope_matrix i j) *m \col_t (c t (i t) - c t (j t)).
  have E t : height c tau t (i t) = height c tau t (j t).
    have : (slope_matrix i j *m tau) t 0 = c t (i t) - c t (j t) by rewrite /tau mulKVmx // mxE.
    rewrite slopesE /height => E; rewrite -[(x t (j t) *m tau) 0 0](subrK ((x t (i t) *m tau) 0 0)) E.
    by rewrite addrAC subrK addrC.
  exists tau, i, j; split=> // t; apply/activeP; split=> // l; rewrite A2 !inE => /orP[] /eqP ->; rewrite ?E //.
pose pair_at (B : 'I_k -> {set I}) l l' t := if t == t0 then [set l; l'] else B t.
have pair0 (B : 'I_k -> {set I}) l l' : pair_at B l l' t0 = [set l; l'] by rewrite /pair_at eqxx.
have pairN (B : 'I_k -> {set I}) l l' t : t != t0 -> pair_at B l l' t = B t by rewrite /pair_at => /negPf->.
have IH' (B : 'I_k -> {set I}) c' i' j' : (forall t, t != t0 -> B t \subset A t) -> (forall t, t != t0 -> i' t \in B t) ->
    (forall t, t != t0 -> j' t \in B t) -> slope_matrix i' j' \in unitmx ->
    exists tau i1 j1, [/\ forall t, active (pair_at B (i' t0) (j' t0)) c' tau t (i1 t),
      forall t, active (pair_at B (i' t0) (j' t0)) c' tau t (j1 t), slope_matrix i1 j1 \in unitmx, i1 t0 = i' t0 & j1 t0 = j' t0].
  move=> BA i'B j'B unit'.
  have [|||tau [i1 [j1 [i1A j1A unit1]]]] := IH (pair_at B (i' t0) (j' t0)) c' i' j' _ _ _ unit'.
  - apply: (fewer_large (t0 := t0)) Am => // [t tt0|]; first by rewrite pairN ?BA.
    by rewrite pair0 cards2; case: (_ != _).
  - by move=> t; have [->|tt0] := eqVneq t t0; rewrite ?pair0 ?set21 ?pairN ?i'B.
  - by move=> t; have [->|tt0] := eqVneq t t0; rewrite ?pair0 ?set22 ?pairN ?j'B.
  have := slopes_neq t0 unit1; have /activeP[+ _] := i1A t0; have /activeP[+ _] := j1A t0; rewrite pair0 !inE.
  move=> /orP[] /eqP jE /orP[] /eqP iE; rewrite ?iE ?jE ?eqxx // => _.
    exists tau, j1, i1; split=> //; by rewrite slopesN -scaleN1r unitmxZ ?unitrN1.
  by exists tau, i1, j1; split.
(* some cell, and the one of the least gap *)
pose P q g := 0 <= g /\ exists tau, cell A c t0 g q tau.
have some : exists q g, P q g.
  have [tau [i1 [j1 [i1A j1A unit1 i1E j1E]]]] :=
    IH' A c i j (fun t _ => subxx (A t)) (fun t _ => iA t) (fun t _ => jA t) unit0.
  have [y /activeP[yA yP]] := some_active c tau (iA t0).
  have act t l : t != t0 -> active (pair_at A (i t0) (j t0)) c tau t l -> active A c tau t l.
    by move=> tt0 /activeP[]; rewrite pairN // => lA lP; apply/activeP.
  pose s := dual (slope_matrix i1 j1) t0.
  have s0 t : t != t0 -> (x t (j1 t) *m s) 0 0 = (x t (i1 t) *m s) 0 0.
    by move=> /negPf tt0; apply/eqP; rewrite -subr_eq0 -slopesE dualE // tt0.
  have [l lA ly] : exists2 l, l \in A t0 & (x t0 l *m s) 0 0 != (x t0 y *m s) 0 0.
    have [E|] := eqVneq ((x t0 (j t0) *m s) 0 0) ((x t0 y *m s) 0 0); last by exists (j t0).
    exists (i t0) => //; have := dualE t0 t0 unit1; rewrite slopesE i1E j1E -/s E eqxx => /eqP.
    by rewrite subr_eq addrC -subr_eq => /eqP <-; rewrite -subr_eq0 addrAC subrr sub0r oppr_eq0 oner_eq0.
  exists (at_t0 t0 y i1, at_t0 t0 l j1), (height c tau t0 y - height c tau t0 l); split; first by rewrite subr_ge0 yP.
  exists tau; split=> /=; first exact: other_pair ly.
  - move=> t; rewrite ffunE; have [->|tt0] := eqVneq t t0; first by apply/activeP.
    exact: act (i1A t).
  - by move=> t tt0; rewrite ffunE (negPf tt0); apply: act (j1A t).
  - by rewrite ffunE eqxx.
  by rewrite !ffunE eqxx addrC subrK.
have [q g0 [g00 ex]|q [g [[g0 [tau cl]] gmin]]] := least_of_all _ some.
  by have [g [g1 g2] g3] := least_cell g00 ex; exists g => // g' [g'0 ex']; apply: g3.
case: q cl => i0 j0 cl; have [/= unit1 i0A j0A j0A0 gap] := cl.
have [g_eq0|g_neq0] := eqVneq g 0.
  exists tau, i0, j0; split=> // t; have [->|/j0A//] := eqVneq t t0.
  have /activeP[_ top] := i0A t0; apply/activeP; split=> // l lA.
  by rewrite -[X in _ <= X]addr0 -g_eq0 -gap top.
have gpos : 0 < g by rewrite lt_neqAle eq_sym g_neq0.
(* the cell of what is active here, in a direction in which the gap shrinks *)
pose B t := [set l | active A c tau t l].
pose c' t l : R := if t == t0 then (l == i0 t0)%:R else 0.
have [||||s [i1 [j1 [i1A j1A unit2 i1E j1E]]]] := IH' B c' i0 j0.
- by move=> t _; apply/subsetP => l; rewrite inE => /activeP[].
- by move=> t _; rewrite inE i0A.
- by move=> t tt0; rewrite inE j0A.
- by [].
have act t l : t != t0 -> active (pair_at B (i0 t0) (j0 t0)) c' s t l ->
    active A c tau t l /\ forall l', active A c tau t l' -> (x t l' *m s) 0 0 <= (x t l *m s) 0 0.
  move=> tt0 /activeP[]; rewrite pairN // inE => lA lP; split=> // l' l'A.
  by have := lP l'; rewrite inE l'A /height /c' (negPf tt0) !addr0; apply.
have s0 t : t != t0 -> (x t (j1 t) *m s) 0 0 = (x t (i1 t) *m s) 0 0.
  move=> tt0; have [iA' iP] := act _ _ tt0 (i1A t); have [jA' jP] := act _ _ tt0 (j1A t).
  by apply/eqP; rewrite eq_le iP ?jP.
have s1 : (x t0 (j0 t0) *m s) 0 0 = (x t0 (i0 t0) *m s) 0 0 + 1.
  have := active_eq (i1A t0) (j1A t0); rewrite /height /c' eqxx i1E j1E eqxx => ->.
  by have := slopes_neq t0 unit1; rewrite eq_sym => /negPf->; rewrite addr0.
have flat l : active A c tau t0 l -> (x t0 l *m s) 0 0 = (x t0 (i0 t0) *m s) 0 0.
  move=> lA; apply/eqP; apply: contraT => ls.
  suff : g <= 0 by rewrite leNgt gpos.
  apply: (gmin (at_t0 t0 (i0 t0) i1, at_t0 t0 l j1)); split=> //; exists tau; split=> /=.
  - exact: other_pair ls.
  - by move=> t; rewrite ffunE; have [->|tt0] := eqVneq t t0; [apply: i0A|have [] := act _ _ tt0 (i1A t)].
  - by move=> t tt0; rewrite ffunE (negPf tt0); have [] := act _ _ tt0 (j1A t).
  - by rewrite ffunE eqxx; have /activeP[] := lA.
  by rewrite !ffunE eqxx addr0; apply: active_eq lA.
have [eps eps0 epsP] := small_step (fun l : 'I_k * I * I => height c tau l.1.1 l.1.2 - height c tau l.1.1 l.2)
  (fun l => (x l.1.1 l.1.2 *m s) 0 0 - (x l.1.1 l.2 *m s) 0 0).
have stepE t l : height c (tau + eps *: s) t l = height c tau t l + eps * (x t l *m s) 0 0.
  by rewrite (height_step c tau (fun _ _ => 0)) /height addr0 subr0.
have stays t l : active A c tau t l -> (forall l', active A c tau t l' -> (x t l' *m s) 0 0 <= (x t l *m s) 0 0) ->
    active A c (tau + eps *: s) t l.
  move=> lA lP; have /activeP[lA' top] := lA; apply/activeP; split=> // l' l'A; rewrite !stepE.
  have [E|ne] := eqVneq (height c tau t l') (height c tau t l).
    rewrite E ler_add2l; apply: ler_wpmul2l; first exact: ltW.
    by apply: lP; apply/activeP; split=> // l'' /top; rewrite E.
  have lt : height c tau t l' < height c tau t l by rewrite lt_neqAle ne top.
  have := epsP (t, l, l'); rewrite /= subr_gt0 => /(_ lt) pos; rewrite ltW // -subr_gt0.
  by rewrite opprD addrACA -mulrBr.
have : g <= g - eps.
  have cl' : cell A c t0 (g - eps) (finfun i1, finfun j1) (tau + eps *: s).
    split=> /=.
    - by rewrite (_ : slope_matrix _ _ = slope_matrix i1 j1) //; apply/matrixP => t l; rewrite !mxE !ffunE.
    - move=> t; rewrite ffunE; have [->|tt0] := eqVneq t t0; last by have [] := act _ _ tt0 (i1A t); apply: stays.
      by rewrite i1E; apply: stays => // l /flat ->.
    - by move=> t tt0; rewrite ffunE; have [] := act _ _ tt0 (j1A t); apply: stays.
    - by rewrite ffunE j1E.
    by rewrite !ffunE i1E j1E !stepE gap s1; move: (height _ _ _ _) ((_ *m s) 0 0) => a b; ring.
  apply: gmin (finfun i1, finfun j1) _ _; split; last by exists (tau + eps *: s).
  case: cl' => /= _ /(_ t0)/activeP[_ top] _ j'A E.
  by rewrite -(ler_add2l (height c (tau + eps *: s) t0 ((finfun j1) t0))) -E addr0 top.
by rewrite ler_subr_addr -ler_subr_addl subrr leNgt eps0.
Qed.

End Cells.
