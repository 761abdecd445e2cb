(* The proved checker, parts of a problem: what the capacity with fewer heads, or of some of the              *)
(* examples, says about the capacity, and which examples can be memorized together.                           *)
(*                                                                                                            *)
(*   part_and_others, concave_from_0, concave_from_constants, any_heads, many_heads == the schemas about parts *)
(*   free_with_each p n M rs == free_mod p n (rcons M r) for all r of rs, M eliminated once                   *)
(*             spanned D I k == no more than k examples of I can be memorized together                        *)
(*   circuits_ok D c L a p g o cols set conflicts parts == the check; parts are lists of examples with such a *)
(*                              bound                                                                         *)
(*            circuits_sound == it proves which_examples, when the bounds of the parts are right              *)
From Attest Require Import integers attention upper_bounds problem literal_arithmetic logits capacity words.
From Attest Require Import residues elimination minors quantity_bounds schemas heads.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Schemas                                                                      *)
(* ============================================================================ *)

Section Parts.
Variables (R : realType) (D : problem).
Hypothesis okD : wf_sizes D.
Local Notation T := (T D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).

Let okP := wf_sizes_problem okD.

Section Part.
Variable p : part.
Hypothesis good : good_part D p.
Local Notation ex := (part_examples p).

Let in_T (k : 'I_(size ex)) : (nth 0%N ex k < T)%N.
Proof. by have /andP[_ /allP] := good; apply; apply: mem_nth. Qed.
Let f k : 'I_T := Ordinal (in_T k).

Lemma capacity_part H : layer_capacity (problem.E R (part_of D p)) (problem.e R (part_of D p)) (d_h D) H =
  layer_capacity (E \o f) (e \o f) (d_h D) H.
Proof.
have -> : problem.E R (part_of D p) = E \o f.
  apply/funext => k; have kp : (k < size ex)%N := ltn_ord k.
  by rewrite /problem.E [context_at (part_of D p) k]/context_at /= kp.
have -> // : problem.e R (part_of D p) = e \o f.
by apply/funext => k; apply/colP => j; rewrite !mxE /ent /= (nth_map 0%N).
Qed.

Theorem part_and_others : (H D <= part_heads p)%N ->
  (capacity R D <= capacity R (part_of D p) + size (outside D p))%N.
Proof.
move=> Hp; rewrite -[capacity R D]/(layer_capacity E e (d_h D) (H D)).
rewrite -[capacity R (part_of D p)]/(layer_capacity (problem.E R (part_of D p)) _ (d_h D) (part_heads p)) capacity_part.
apply: leq_trans (leq_add (layer_capacity_mono _ _ _ Hp) (leqnn _)).
have [[x [K Q]] [/= xE <-]] := layer_capacity_reached (d_h D) E e (H D).
apply: leq_trans (leq_add (@layer_capacity_geq _ _ _ _ _ (E \o f) (e \o f) _ ((E \o f, e \o f), (K, Q)) erefl) (leqnn _)).
rewrite /generic_data.Z_at xE Zmx_rows /=; set Z0 := Zmx E e _; set s := outside D p.
have same (t t' : 'I_T) : example_key D t = example_key D t' -> row t Z0 = row t' Z0.
  by move=> /(same_example_key R okD) tt; rewrite /Z0 (same_row _ tt).
have [S SP] := rows_of_classes s same.
apply: leq_trans (_ : \rank (rowsub f Z0 + S)%MS <= _)%N; last first.
  by apply: leq_trans (mxrank_adds_leqif _ _) _; rewrite leq_add2l rank_leq_row.
apply/mxrankS/row_subP => t.
have [/hasP[y /mapP[t' t'p ->] /equal_exampleP eqy]|new] :=
    boolP (has (equal_example (example_key D t)) [seq example_key D t' | t' <- ex]).
  have kp : (index t' ex < size ex)%N by rewrite index_mem.
  apply: submx_trans (addsmxSl _ _); rewrite (_ : row t Z0 = row (Ordinal kp) (rowsub f Z0)) ?row_sub //.
  by rewrite row_rowsub; apply: same; rewrite eqy /= nth_index.
have xs : example_key D t \in s.
  by rewrite (mem_distinct _ equal_exampleP) mem_filter new map_f // mem_iota ltn_ord.
by apply: submx_trans (addsmxSr _ _); have [i ->] := SP t xs; apply: row_sub.
Qed.

Lemma capacity_all_examples : size ex = T ->
  capacity R (part_of D p) = layer_capacity E e (d_h D) (part_heads p).
Proof.
move=> sT; rewrite -[LHS]/(layer_capacity (problem.E R (part_of D p)) _ (d_h D) (part_heads p)) capacity_part.
apply: layer_capacity_all_rows => t; have /andP[uex /allP inT] := good.
have tex : (t : nat) \in ex.
  have sub : {subset ex <= iota 0 T} by move=> x /inT; rewrite mem_iota.
  have le : (size (iota 0 T) <= size ex)%N by rewrite size_iota sT.
  by have [_ ->] := uniq_min_size uex sub le; rewrite mem_iota ltn_ord.
have kp : (index (t : nat) ex < size ex)%N by rewrite index_mem.
by exists (Ordinal kp); apply: val_inj; rewrite /= nth_index.
Qed.

End Part.

Theorem concave_from_0 p : good_part D p -> size (part_examples p) = T -> (part_heads p <= H D)%N ->
  (part_heads p * capacity R D <= H D * capacity R (part_of D p))%N.
Proof.
move=> gp sp pH; rewrite capacity_all_examples //.
have := @concave_heads R T n d (d_h D) E e 0 (part_heads p) (H D); rewrite pH subn0 => /(_ isT).
by rewrite subn0; apply: leq_trans; apply: leq_addr.
Qed.

(* --- any number of heads *)
Theorem any_heads : (capacity R D <= largest_rank R D)%N.
Proof.
apply: largest_leq => k [P /leq_trans]; apply; apply: largest_geq; first exact: rank_leq_row.
by exists (H D), P.
Qed.

Theorem many_heads p : good_part D p -> (capacity R (part_of D p) <= largest_rank R D)%N.
Proof.
move=> gp; rewrite -[capacity _ _]/(layer_capacity (problem.E R (part_of D p)) _ (d_h D) (part_heads p)).
rewrite capacity_part //; apply: leq_trans (layer_capacity_rows _ _ _ _ _) _.
apply: largest_leq => k [P /leq_trans]; apply; apply: largest_geq; first exact: rank_leq_row.
by exists (part_heads p), P.
Qed.

(* --- columns that every head has *)
Lemma token_of_example j : exists t i, row j (token_matrix R D) = row i (E t).
Proof.
have sC := size_contexts D.
have : nth [::] (tokens D) j \in tokens D by apply: mem_nth.
rewrite (mem_distinct _ equal_rowP) => /flattenP[C CD rC].
have tT : (index C (contexts D) < T)%N by rewrite -sC index_mem.
have CE : context_at D (index C (contexts D)) = C by rewrite -contextE nth_index.
have iN : (index (nth [::] (tokens D) j) C < n)%N by rewrite -(size_context okP (Ordinal tT)) /= CE index_mem.
exists (Ordinal tT), (Ordinal iN); apply/rowP => k; rewrite !mxE /ent /= CE nth_index //.
Qed.

Theorem concave_from_constants p : good_part D p -> size (part_examples p) = T -> (0 < part_heads p <= H D)%N ->
  (part_heads p * capacity R D + (H D - part_heads p) * (\rank (token_matrix R D) - \rank (difference_matrix R D)) <=
   H D * capacity R (part_of D p))%N.
Proof.
move=> gp sp pH; rewrite capacity_all_examples //; pose n0 := n_gt0 okP.
pose K := cokermx (difference_matrix R D); pose M := \matrix_t (row (Ordinal n0) (E t) *m K).
have const t i : row i (E t) *m K = row t M.
  have : (row i (E t) - row (Ordinal n0) (E t)) *m K == 0 by rewrite -submxE; apply: (difference_row R okD).
  by rewrite mulmxBl subr_eq0 rowK => /eqP.
apply: leq_trans (concave_constants (d_h D) e n0 const pH); rewrite leq_add2l leq_mul2l; apply/orP; right.
set L := token_matrix R D; have LM : (L *m K <= M)%MS.
  by apply/row_subP => j; rewrite row_mul; have [t [i ->]] := token_of_example j; rewrite const row_sub.
apply: leq_trans (mxrankS LM); rewrite leq_subLR -(mxrank_mul_ker L K) addnC leq_add2r.
apply: mxrankS; rewrite submxE; apply/eqP; rewrite -/K; apply/sub_kermxP; apply: capmxSr.
Qed.

End Parts.

(* ================================================================================================== *)
(* Which examples                                                                                     *)
(* ================================================================================================== *)
(* A set of examples whose rows of Z are free modulo p, the rows that take the place of others in it, *)
(* and parts of the problem that are too small for what else would be memorized together.             *)

(* -------------------------------------------------------------------------- *)
(* Elimination of many rows with one more                                      *)
(* -------------------------------------------------------------------------- *)
Fixpoint pivots (p : word) (B : seq (option word_row)) (M : seq word_row) : option (seq (option word_row)) :=
  if M is r :: M' then if insert_row p [::] B r is Some B' then pivots p B' M' else None else Some B.

Definition free_with_each (p : Z) (n : nat) (M rs : seq (seq Z)) : bool :=
  if fits_word p n.+1 then
    if pivots (ofZ p) (nseq n None) [seq Row (residues p r) | r <- M] is Some B then
      all (fun r => if insert_row (ofZ p) [::] B (Row (residues p r)) is Some _ then true else false) rs
    else false
  else all (fun r => free_exact p n (rcons M r)) rs.

Lemma free_with_eachP p n M rs r : free_with_each p n M rs -> r \in rs -> free_mod p n (rcons M r).
Proof.
rewrite /free_with_each /free_mod; case: ifP => _; last by move/allP; apply.
rewrite map_rcons; move: (nseq n None) [seq _ | r <- M] => B N ok rrs.
elim: N B ok => [|s N IH] B /=; last by case: insert_row.
by move/allP/(_ _ rrs); case: insert_row.
Qed.

(* -------------------------------------------------------------------------- *)
(* The check                                                                   *)
(* -------------------------------------------------------------------------- *)
Definition row_images (D : problem) (L : layer) (a : bool) (p g o : Z) (cols : seq (nat * nat)) : option (seq (seq Z)) :=
  let blocks := blocks_mod D L a p g o (reader_of D L a p g o (heads_in cols)) in let ws := column_words cols in
  all_some (fun t => omap (entries_at cols ws) (blocks t)) (iota 0 (T D)).

Definition conflict_ok (c : arguments) (set : seq nat) (parts : seq (seq nat * Z)) (x : nat * seq nat) : bool :=
  all (fun s => (s \in set) && before c s x.1) x.2 &&
  has (fun part => (x.1 \in part.1) && (part.2 <=? Z.of_nat (count (fun s => s \in x.2) part.1))%coqZ) parts.

Definition circuits_ok (D : problem) (c : arguments) (L : layer) (a : bool) (p g o : Z) (cols : seq (nat * nat))
    (set : seq nat) (conflicts : seq (nat * seq nat)) (parts : seq (seq nat * Z)) : bool :=
  [&& wf_problem D, wf_layer D L, in_shape D L, (1 <? p)%coqZ,
    [&& order_ok p g o, residue_ok D L a p g & all (fun c => (c.1 < H D) && (c.2 < d D))%N cols],
    perm_eq (set ++ [seq x.1 | x <- conflicts]) (iota 0 (T D)), all (conflict_ok c set parts) conflicts &
    if row_images D L a p g o cols is Some M then
      free_mod p (size cols) [seq nth [::] M t | t <- set] &&
      all (fun s => free_with_each p (size cols) [seq nth [::] M t | t <- seq.rem s set]
        [seq nth [::] M x.1 | x <- [seq x <- conflicts | s \in x.2]]) set
    else false].

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Sound.
Variables (R : realType) (D : problem) (c : arguments).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation memorized := (memorized_together R D).
Hypothesis okD : wf_problem D.

Definition different (S : seq nat) : bool := uniq S && all (fun t => t < T)%N S.
Definition spanned (I : seq nat) (k : Z) : Prop :=
  different I /\ forall S, different S -> {subset S <= I} -> memorized S -> (Z.of_nat (size S) <= k)%coqZ.

Lemma in_T S (ok : different S) (k : 'I_(size S)) : (nth 0%N S k < T)%N.
Proof. by case/andP: ok => _ /allP; apply; apply: mem_nth. Qed.
Definition numbered S (ok : different S) (k : 'I_(size S)) : 'I_T := Ordinal (in_T ok k).

Lemma part_E S H' (ok : different S) : problem.E R (part_of D (Part H' S)) = E \o numbered ok.
Proof.
apply/funext => k; have kp : (k < size S)%N := ltn_ord k.
by rewrite /problem.E [context_at (part_of D _) k]/context_at /= kp.
Qed.
Lemma part_e S H' (ok : different S) : problem.e R (part_of D (Part H' S)) = e \o numbered ok.
Proof. by apply/funext => k; apply/colP => j; rewrite !mxE /ent /= (nth_map 0%N). Qed.

Lemma memorizedP S (ok : different S) : memorized S <->
  exists P : weights R H d (d_h D) 0 0 0, (size S <= \rank (rowsub (numbered ok) (attention.Z E e P)))%N.
Proof.
have ZP (P : weights R H d (d_h D) 0 0 0) :
    attention.Z (problem.E R (part_of D (Part H S))) (problem.e R (part_of D (Part H S))) P = rowsub (numbered ok) (attention.Z E e P).
  by rewrite (part_E _ ok) (part_e _ ok) !ZE Zmx_rows.
rewrite /memorized_together; split=> [cS|[P rP]].
  have /capacity_geq[P] : (size S <= capacity R (part_of D (Part H S)))%N by rewrite cS.
  by exists P; rewrite -ZP.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  by apply: leq_trans (largest_leq_N _ _) (geq_minl _ _).
by apply/capacity_geq; exists P; rewrite ZP.
Qed.

(* subsets can be memorized together, too                                         *)
Lemma memorized_subset S S' : different S -> different S' -> {subset S' <= S} -> memorized S -> memorized S'.
Proof.
move=> okS okS' sub /(memorizedP okS)[P rP]; apply/(memorizedP okS'); exists P.
have iS (k : 'I_(size S')) : (index (nth 0%N S' k) S < size S)%N by rewrite index_mem sub // mem_nth.
pose g k := Ordinal (iS k).
have -> : rowsub (numbered okS') (attention.Z E e P) = rowsub g (rowsub (numbered okS) (attention.Z E e P)).
  apply/row_matrixP => k; rewrite !row_rowsub; congr row; apply: val_inj.
  by rewrite /= nth_index // sub // mem_nth.
move: (rowsub (numbered okS) _) rP => M rP.
have /row_freeP[B MB] : row_free M by rewrite /row_free eqn_leq rank_leq_row.
suff /eqP r : row_free (rowsub g M) by rewrite r.
have g_inj : injective g.
  move=> k l /(congr1 val) /= kl; apply: val_inj => /=.
  have /eqP : nth 0%N S' k = nth 0%N S' l.
    by rewrite -(nth_index 0%N (sub _ (mem_nth 0%N (ltn_ord k)))) kl nth_index // sub // mem_nth.
  by have /andP[uS' _] := okS'; rewrite nth_uniq // => /eqP.
apply/row_freeP; exists (B *m (rowsub g 1%:M)^T).
rewrite mulmxA [rowsub g M]rowsubE -[_ *m M *m B]mulmxA MB mulmx1; apply/matrixP => i j.
rewrite !mxE (bigD1 (g i)) //= big1 ?addr0 => [|l li]; last by rewrite !mxE eq_sym (negPf li) mul0r.
by rewrite !mxE eqxx mul1r (inj_eq g_inj) eq_sym.
Qed.

(* --- rows that are free modulo p *)
Section Images.
Variables (L : layer) (a : bool) (p g o : Z) (cols : seq (nat * nat)) (M : seq (seq Z)).
Hypotheses (okL : wf_layer D L) (sL : in_shape D L) (p1 : (1 < p)%coqZ) (og : order_ok p g o) (gb : residue_ok D L a p g).
Hypothesis cH : all (fun c => (c.1 < H) && (c.2 < d))%N cols.
Hypothesis ME : row_images D L a p g o cols = Some M.

Lemma free_memorized S : different S -> free_mod p (size cols) [seq nth [::] M t | t <- S] -> memorized S.
Proof.
move=> okS fM; apply/(memorizedP okS); have [P LP] := in_shapeP R a sL; exists P; rewrite -LP.
have fS k : numbered okS k = nth 0%N S k :> nat by [].
refine (free_images R okD okL p1 og gb cH fS _ fM).
have [_ rows] := Forall2_nth 0%N [::] (all_someP ME).
have /andP[_] := okS; elim: (S) => /= [|t S' IH /andP[tT S'T]]; constructor; last exact: IH.
by have := rows t; rewrite size_iota => /(_ tT); rewrite (nth_iota _ _ tT) add0n.
Qed.

End Images.

Lemma before_irreflexive t : before c t t = false.
Proof. by rewrite /before Z.ltb_irrefl ltnn andbF. Qed.

Theorem circuits_sound L a p g o cols set conflicts parts :
    (forall part, part \in parts -> spanned part.1 part.2) ->
  circuits_ok D c L a p g o cols set conflicts parts -> which_examples R D c set conflicts.
Proof.
move=> partsP /and5P[_ okL sL /Z.ltb_lt p1 /and4P[/and3P[og gb cH] each okC]].
case ME: (row_images _ _ _ _ _ _ _) => [M|] // /andP[free_set exchanged].
have inT t : (t \in set ++ [seq x.1 | x <- conflicts]) = (t < T)%N by rewrite (perm_mem each) mem_iota.
have /= := perm_uniq each; rewrite iota_uniq cat_uniq => /and3P[uset disjoint _].
have setT t : t \in set -> (t < T)%N by rewrite -inT mem_cat => ->.
have otherT x : x \in conflicts -> (x.1 < T)%N /\ x.1 \notin set.
  move=> xC; have x1 : x.1 \in [seq x.1 | x <- conflicts] by apply: map_f.
  by split; [rewrite -inT mem_cat x1 orbT|apply: (hasPn disjoint)].
have diff S : uniq S -> (forall t, t \in S -> (t < T)%N) -> different S.
  by move=> uS ST; apply/andP; split=> //; apply/allP.
have okset := diff _ uset setT.
have mset : memorized set by apply: (free_memorized okL sL p1 og gb cH ME).
(* what others span                                                                *)
have closed x S : x \in conflicts -> different S -> x.1 \in S -> {subset x.2 <= S} -> ~ memorized S.
  move=> xC okS xS sub mS; have /andP[/allP xset /hasP[[I k] Ip /= /andP[xI /Z.leb_le kI]]] := allP okC x xC.
  have [/andP[uI /allP IT] span] := partsP _ Ip; have [xT xn] := otherT x xC.
  pose S' := x.1 :: [seq s <- I | s \in x.2].
  have okS' : different S'.
    apply: diff => [|t]; first by rewrite /= filter_uniq // mem_filter andbT; apply/negP => /andP[/xset/andP[]]; rewrite (negPf xn).
    by rewrite inE mem_filter => /predU1P[->|/andP[_ /IT]].
  have sub' : {subset S' <= S}.
    by move=> t; rewrite inE mem_filter => /predU1P[->|/andP[/sub]].
  have inI : {subset S' <= I} by move=> t; rewrite inE mem_filter => /predU1P[->|/andP[]].
  have := span S' okS' inI (memorized_subset okS okS' sub' mS).
  have -> : size S' = (count (fun s => s \in x.2) I).+1 by rewrite [LHS]/= size_filter.
  rewrite Nat2Z.inj_succ => kS; exact: Z.lt_irrefl (Z.lt_le_trans _ _ _ (Z.lt_succ_diag_r _) (Z.le_trans _ _ _ kS kI)).
split=> // [t tT|t others xC s].
  have uE : different (t :: [seq s <- set | before c s t]).
    apply: diff => [|s]; first by rewrite /= filter_uniq // mem_filter before_irreflexive.
    by rewrite inE mem_filter => /predU1P[->|/andP[_ /setT]].
  split=> [ts|mt].
    apply: memorized_subset okset uE _ mset => s.
    by rewrite inE mem_filter => /predU1P[->|/andP[]].
  apply: contraT => tn; have := tT; rewrite -inT mem_cat (negPf tn) => /mapP[x xC tx].
  have /andP[/allP xset _] := allP okC x xC; exfalso; apply: (closed x _ xC uE _ _ mt); first by rewrite tx inE eqxx.
  by move=> s /xset/andP[ss b]; rewrite inE mem_filter ss tx b orbT.
have /andP[/allP /= xset _] := allP okC _ xC; have [/= tT tn] := otherT _ xC.
have okr : different (t :: seq.rem s set).
  apply: diff => [|s']; first by rewrite /= rem_uniq // andbT; apply: contra tn; apply: mem_rem.
  by rewrite inE => /predU1P[->|/mem_rem/setT].
split=> [so|[ss mr]].
  have /andP[ss _] := xset s so; split=> //.
  have okr' : different (rcons (seq.rem s set) t).
    by move: okr; rewrite /different (perm_uniq (permEl (perm_rcons t _))) (perm_all _ (permEl (perm_rcons t _))).
  have sub : {subset t :: seq.rem s set <= rcons (seq.rem s set) t} by move=> s'; rewrite mem_rcons.
  have free_r : free_mod p (size cols) [seq nth [::] M t' | t' <- rcons (seq.rem s set) t].
    rewrite map_rcons; apply: free_with_eachP (allP exchanged s ss) _.
    by apply/mapP; exists (t, others) => //; rewrite mem_filter so.
  exact: (memorized_subset okr' okr sub (free_memorized okL sL p1 og gb cH ME okr' free_r)).
apply: contraT => so; exfalso; apply: (closed (t, others) _ xC okr _ _ mr); first by rewrite inE eqxx.
move=> s' s'o; have /andP[s's _] := xset s' s'o; rewrite inE; apply/orP; right.
have -> : (s' \in seq.rem s set) = (s' != s) && (s' \in set) by rewrite (mem_rem_uniq _ uset) !inE.
by apply/andP; split; [apply: contraNneq so => <-|].
Qed.

(* --- the bounds of parts *)
Lemma spanned_part p k : good_part D p -> (H <= part_heads p)%N -> (Z.of_nat (capacity R (part_of D p)) <= k)%coqZ ->
  spanned (part_examples p) k.
Proof.
case: p => H' I /= okI HH' cap; split=> // S okS sub mS; apply: Z.le_trans cap; apply/inj_le/ssrnat.leP.
rewrite -mS -[capacity _ _]/(layer_capacity (problem.E R (part_of D (Part H S))) (problem.e R (part_of D (Part H S))) (d_h D) H).
rewrite -[capacity _ _]/(layer_capacity (problem.E R (part_of D (Part H' I))) (problem.e R (part_of D (Part H' I))) (d_h D) H').
rewrite (part_E _ okS) (part_e _ okS) (part_E _ okI) (part_e _ okI).
apply: leq_trans (layer_capacity_mono _ _ _ HH').
have iS (l : 'I_(size S)) : (index (nth 0%N S l) I < size I)%N by rewrite index_mem sub // mem_nth.
have nE : numbered okS = numbered okI \o (fun l => Ordinal (iS l)).
  by apply/funext => l; apply: val_inj; rewrite /= nth_index // sub // mem_nth.
have -> : E \o numbered okS = (E \o numbered okI) \o (fun l => Ordinal (iS l)) by rewrite nE.
have -> : e \o numbered okS = (e \o numbered okI) \o (fun l => Ordinal (iS l)) by rewrite nE.
exact: layer_capacity_rows.
Qed.

Lemma spanned_all k : (Z.of_nat (capacity R D) <= k)%coqZ -> spanned (iota 0 T) k.
Proof.
move=> cap; have okI : different (iota 0 T).
  by rewrite /different iota_uniq; apply/allP => t; rewrite mem_iota.
split=> // S okS sub /(memorizedP okS)[P rP]; apply: Z.le_trans cap; apply/inj_le/ssrnat.leP/(leq_trans rP).
apply: leq_trans (_ : \rank (attention.Z E e P) <= _)%N; first by rewrite rowsubE mxrankM_maxr.
by apply/capacity_geq; exists P.
Qed.

End Sound.
