(* The proved checker, theorems of the paper as schemas of docs/statements.md: their *)
(* conditions and conclusions as data, and that they are theorems.                   *)
(*                                                                                    *)
(*   paper_theorem == the schemas; paper_conditions, paper_bounded == as data          *)
(*   paper_theorem_true == what their conditions imply                                 *)
From Coq Require Import ZArith List Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention kruskal lemma_3 lemma_4 claim_1 claim_2 euclidean lemma_5 large_lambda relu_labels proposition_3 positional_encoding.
From Attest Require Import literal_arithmetic.
From Attest Require Import proved_bounds proved_problem proved_logits proved_quantities proved_theorems.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

Inductive paper_theorem :=
  | MomentCurve | IntegerLabelling | TranscendentalLabelling | VandermondeEncoding | ZeroEncoding | ZeroMatrix
  | Lemma3Holds | Lemma4Holds | Claim1Holds | Claim2Holds | FiniteLambdaHolds.

Fixpoint all_different (s : seq nat) : bool :=
  if s is x :: s' then ~~ has (eqn x) s' && all_different s' else true.

Section Tables.
Local Notation Q x := (Qty x).
Local Notation const k := (Const k%coqZ).

(* examples that defeat every network of the claim                                *)
Definition network_examples : comparison quantity :=
  AtLeast (Q Examples) (Add (Add (Mul (Q Neurons) (Add (Q Varying) (const 1))) (Q OutputBias)) (const 1)).

Definition least_n_T : expr quantity := Min (Q Context) (Q Examples).
Definition assumption_1 := AtLeast (Q (Kruskal false)) least_n_T.
Definition assumption_2 := AtLeast (Q RankContexts) (Q Context).

(* hypotheses of the paper's statements *)
Definition claim_1_hypotheses : seq (comparison quantity) :=
  [:: AtMost (Q SizeSubset) (Q LeastRank); AtLeast (Q (RankOf SubsetQueries)) (Q SizeSubset);
    AtLeast (Q RankSubsetContexts) (Q Context)].
Definition claim_2_hypotheses : seq (comparison quantity) :=
  [:: AtMost (Q SizeSubset) (Sub (Q LeastRank) (const 1)); assumption_1; assumption_2].
Definition lemma_4_hypotheses : seq (comparison quantity) := [:: Equal (Q EqualEntries) (const 0)].

Definition paper_conditions (x : paper_theorem) : seq (comparison quantity) :=
  match x with
  | MomentCurve => [:: Equal (Q OffMomentCurve) (const 0)]
  | IntegerLabelling => [:: network_examples; Equal (Q Fractions) (const 0)]
  | TranscendentalLabelling => [:: network_examples]
  | VandermondeEncoding => [:: AtMost (Q Context) (Q Dimension); AtLeast (Q Dimension) (const 2)]
  | ZeroEncoding => [:: Equal (Q Context) (const 1); Equal (Q Dimension) (const 1)]
  | ZeroMatrix => [:: AtMost (Q (RankOf MatrixA)) (const 0)]
  | Lemma3Holds => [:: assumption_1; assumption_2]
  | Lemma4Holds => lemma_4_hypotheses
  | Claim1Holds => claim_1_hypotheses
  | Claim2Holds => claim_2_hypotheses
  | FiniteLambdaHolds => [:: assumption_1; assumption_2]
  end.

(* the quantity, whether it is bounded from below, and by what                    *)
Definition paper_bounded (x : paper_theorem) : quantity * bool * expr quantity :=
  match x with
  | MomentCurve => (Kruskal false, true, Min (Q Examples) (Q Dimension))
  | IntegerLabelling => (Truth (NetworkFits IntegerLabels), false, const 0)
  | TranscendentalLabelling => (Truth (NetworkFits TranscendentalLabels), false, const 0)
  | VandermondeEncoding => (RankEncoding, true, Q Context)
  | ZeroEncoding => (RankEncoding, false, const 0)
  | ZeroMatrix => (Truth SmallPerturbation, true, const 1)
  | Lemma3Holds => (Truth Separates, true, const 1)
  | Lemma4Holds => (Truth VertexLimit, true, const 1)
  | Claim1Holds => (Truth Prescribed, true, const 1)
  | Claim2Holds => (Truth OneHot, true, const 1)
  | FiniteLambdaHolds =>
    (TailRank, true, Min (Q Examples) (Add (Mul (Q Heads) (Sub (Q LeastRank) (const 1))) (const 1)))
  end.

End Tables.

(* different examples; positive coefficients that sum to 1 for each of them         *)
Definition wf_subset (D : problem) (c : arguments) : bool :=
  all (fun t => t < T D)%N (subset c) && all_different (subset c).
Definition wf_coefficients (D : problem) (c : arguments) : bool :=
  all (fun k => let r := nth [::] (coefficients c) k in
    [&& size r == n D, all (fun x => 0 <? x)%coqZ r & (total r =? Zpos (q_coefficients c))%coqZ])
    (iota 0 (size (subset c))).

(* positional_encoding.v leaves out n = d odd beyond 20000                         *)
Definition paper_proved (D : problem) (c : arguments) (x : paper_theorem) : bool :=
  match x with
  | VandermondeEncoding => ~~ odd (d D) || (n D < d D)%N || (Z.of_nat (d D) <=? 20000)%coqZ
  | Lemma3Holds => wf_subset D c && (size (subset c) < n D)%N
  | Lemma4Holds => [&& (example c < T D)%N, size (w_prime c) == d D & all (fun r => size r <= d D)%N (w_prime c)]
  | Claim1Holds => wf_subset D c && wf_coefficients D c
  | Claim2Holds => wf_subset D c
  | FiniteLambdaHolds => (0 < H D)%N && (0 < d_h D)%N
  | _ => true
  end.

Section Theorems.
Variables (R : realType) (D : problem) (layers : layer_name -> option (layer * bool)) (c : claim).
Hypothesis okD : wf_sizes D.
Local Notation T := (T D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation z x := (toF R x).
Let okP : wf_problem D. Proof. by case/and5P: okD. Qed.
Let sC : size (contexts D) = T. Proof. by apply/eqP; case/and4P: okP. Qed.
Let m := neurons (args c).
Let o := output_bias (args c).

Lemma zM x y : z (x * y)%coqZ = z x * z y. Proof. exact: rmorphM. Qed.

Lemma off_curve0 k q earlier rows : off_curve k q earlier rows = 0%N ->
  [/\ forall i, (i < size rows)%N -> on_curve k q (nth [::] rows i),
    (1 < k)%N -> forall i, (i < size rows)%N -> ~~ has (Z.eqb (ent rows i 1)) earlier &
    (1 < k)%N -> forall i j, (i < j < size rows)%N -> ent rows i 1 <> ent rows j 1].
Proof.
elim: rows earlier => [|r rows IH] earlier /=; first by move=> _; split=> // _ i j; rewrite ltn0 andbF.
move/eqP; rewrite addn_eq0 eqb0 negbK => /andP[/andP[on new] /eqP/IH[onr newr diff]].
have new' : (1 < k)%N -> ~~ has (Z.eqb (nth 0 r 1)%coqZ) earlier by rewrite ltnNge; case: (k <= 1)%N new.
split=> [[|i] //|k1 [|i] //= ir|k1 [|i] [|j] //= ij].
- exact: onr.
- exact: new'.
- by have := newr k1 i ir; rewrite negb_or => /andP[].
- by have := newr k1 j ij; rewrite /= negb_or /ent /= => /andP[/negP ne _] eq; apply: ne; rewrite eq Z.eqb_refl.
exact: diff.
Qed.

Lemma moment_curve : off_curve d (Zpos (q_queries D)) [::] (queries D) = 0%N ->
  (minn T d <= kruskal_rank e)%N.
Proof.
case/off_curve0=> on _ diff; have [_ _ /eqP sQ _ _] := and5P okD; rewrite sQ in on diff.
pose x (t : 'I_T) : R := if (d <= 1)%N then (t : nat)%:R else z (ent (queries D) t 1) / z (Zpos (q_queries D)).
have q0 := toF_pos R (q_queries D).
have inj_x : injective x.
  move=> s t; rewrite /x; case: leqP => [_ /eqP|d1 /(mulIf (invr_neq0 q0))/toF_inj est].
    by rewrite eqr_nat => /eqP/val_inj.
  apply/val_inj; case: (ltngtP s t) => // lt.
    by case: (diff d1 s t); rewrite ?lt ?ltn_ord.
  by case: (diff d1 t s); rewrite ?lt ?ltn_ord.
suff : kruskal_geq e d by rewrite /kruskal_geq minnC.
have -> : e = (fun t => \col_(i < d) x t ^+ i); last exact: powers_general_position.
apply/funext => t; apply/colP => j; rewrite !mxE.
have /allP/(_ (j : nat)) := on t (ltn_ord t); rewrite mem_iota add0n ltn_ord => /(_ isT)/Z.eqb_eq.
move/(congr1 (toF R)); rewrite !zM.
have powE a : z (a ^ Z.of_nat j)%coqZ = z a ^+ j.
  elim: (nat_of_ord j) => [|k IH]; first by rewrite expr0 -(rmorph1 [rmorphism of toF R]).
  by rewrite Nat2Z.inj_succ Z.pow_succ_r ?zM ?IH ?exprS //; apply: Nat2Z.is_nonneg.
rewrite !powE => eq; rewrite /ent in eq *.
have -> : x t ^+ j = (z (nth 0%coqZ (nth [::] (queries D) t) 1) / z (Zpos (q_queries D))) ^+ j.
  rewrite /x; case: leqP => // d1; have -> : nat_of_ord j = 0%N by apply/eqP; rewrite -leqn0 -ltnS (leq_trans (ltn_ord j)).
  by rewrite !expr0.
by apply/eqP; rewrite expr_div_n eqr_div ?expf_neq0 // eq.
Qed.

(* --- networks: the inputs as integer vectors over a common denominator q *)
Lemma integer_vectors D' (x : 'I_T -> 'cV[R]_D') (q : nat) :
    (forall t i, exists a : int, q%:R * x t i 0 = a%:~R) ->
  exists X : 'I_T -> 'cV[int]_D', forall t, q%:R *: x t = map_mx intr (X t).
Proof.
move=> int_x; have [X XP] := fin_all_exists (fun p : 'I_T * 'I_D' => int_x p.1 p.2).
by exists (fun t => \col_i X (t, i)) => t; apply/colP => i; rewrite !mxE -(XP (t, i)).
Qed.

Lemma pos_nat p : (Pos.to_nat p)%:R = z (Zpos p).
Proof. by rewrite /toF (_ : int_of_Z (Zpos p) = (Pos.to_nat p)%:Z) //; lia. Qed.

Lemma scaled_entry p q (a : Z) : exists b : int, (Pos.to_nat (p * q))%:R * (z a / z (Zpos p)) = b%:~R.
Proof.
exists (int_of_Z (a * Zpos q)); rewrite pos_nat -/(toF R _) zM (_ : Zpos (p * q) = (Zpos p * Zpos q)%coqZ) // zM.
by rewrite mulrC -mulrA mulKf // toF_pos.
Qed.

Lemma integer_entry p (a : Z) : (a mod Zpos p =? 0)%coqZ -> exists b : int, 1%:R * (z a / z (Zpos p)) = b%:~R.
Proof.
move/Z.eqb_eq => a0; have aE : a = (Zpos p * (a / Zpos p))%coqZ by apply/Z.div_exact.
exists (int_of_Z (a / Zpos p)%coqZ); rewrite {1}aE mul1r zM.
by rewrite mulrAC mulfV ?toF_pos // mul1r.
Qed.

(* entries of the input *)
Lemma input_cases (P : R -> Prop) t : (forall i j, P (E t i j)) -> (forall j, P (e t j 0)) ->
  forall i, P (input R D t i 0).
Proof.
move=> PE Pe i; rewrite /input /flat mxE; case: (split i) => k //.
by rewrite mxE; case/mxvec_indexP: k => i' j; rewrite mxvecE.
Qed.

Lemma integer_data : fractions D = 0%N ->
  (forall (t : 'I_T) (i : 'I_n) (j : 'I_d), (ent (nth [::] (contexts D) t) i j mod Zpos (q_contexts D) =? 0)%coqZ) /\
  (forall (t : 'I_T) (j : 'I_d), (ent (queries D) t j mod Zpos (q_queries D) =? 0)%coqZ).
Proof.
have [_ _ /eqP sQ sq /allP sE] := and5P okD.
have none (P : pred Z) s a : count P s = 0%N -> a \in s -> ~~ P a.
  by move=> c0 xs; apply/negP => ax; have : has P s by [apply/hasP; exists a]; rewrite has_count c0.
move/eqP; rewrite addn_eq0 => /andP[/eqP cE /eqP ce].
split=> [t i j|t j].
  have Ct : nth [::] (contexts D) t \in contexts D by rewrite mem_nth ?sC.
  have rt : nth [::] (nth [::] (contexts D) t) i \in nth [::] (contexts D) t by rewrite mem_nth ?size_context.
  apply/negPn/(none _ _ _ cE)/flattenP; exists (nth [::] (nth [::] (contexts D) t) i).
    by apply/flattenP; exists (nth [::] (contexts D) t).
  by rewrite mem_nth // (eqP (allP (sE _ Ct) _ rt)).
have qt : nth [::] (queries D) t \in queries D by rewrite mem_nth ?sQ.
apply/negPn/(none _ _ _ ce)/flattenP; exists (nth [::] (queries D) t) => //.
by rewrite mem_nth // (eqP (allP sq _ qt)).
Qed.

(* x stands for the inputs or for the queries alone *)
Lemma no_network D' (x : 'I_T -> 'cV[R]_D') l : (m * (D' + 1) + o < T)%N -> l <> GivenLabels ->
    (exists2 q, (0 < q)%N & forall t i, exists a : int, q%:R * x t i 0 = a%:~R) ->
    (l = IntegerLabels -> forall t i, exists a : int, 1%:R * x t i 0 = a%:~R) ->
    varying D = D' -> (forall b : R, (forall t i, `|input R D t i 0| <= b) -> forall t i, `|x t i 0| <= b) ->
    (forall y, fits (args c) y -> exists a (w : 'I_m -> 'rV[R]_D') b b0, (~~ o -> b0 = 0) /\
      forall t, relu_net a w b (x t) + b0 = y t) ->
  ~ network_fits R D (args c) l.
Proof.
move=> T_gt; case: l => // _ [q q0 /integer_vectors[X XP]] intx vE bx red /=.
  have [X1 X1P] := integer_vectors (intx erefl); have {}X1P t : x t = map_mx intr (X1 t) by rewrite -X1P scale1r.
  rewrite vE => -[b [s [b0 /bx bnd sb /red[a [w [b' [b1 [b1P fit]]]]]]]].
  apply: (@relu_kronecker_bias R T m D' o X1 b s T_gt b0 _ sb a w b' b1 b1P) => [t i|t]; last by rewrite -X1P.
  have := bnd t i; rewrite X1P mxE -intr_norm -[b%:R]/(b%:~R) ler_int; lia.
case=> y yP /red[a [w [b' [b1 [b1P fit]]]]].
pose B := (q + \sum_t \sum_i `|X t i 0%R|)%N.
apply: (@relu_independent_labels R T m D' o X q x y B T_gt _ _ XP _ a w b' b1 b1P fit) => [|t i|c' _].
- by rewrite q0 leq_addr.
- by rewrite /B (bigD1 t) //= (bigD1 i) //=; lia.
exact: yP.
Qed.

Lemma network_kind l : (m * (varying D + 1) + o < T)%N ->
  (l = IntegerLabels -> fractions D = 0%N) -> l <> GivenLabels -> ~ network_fits R D (args c) l.
Proof.
move=> T_gt int_l l_given; have T0 : (0 < T)%N by case/and5P: okD.
have eE t j : e t j 0 = z (ent (queries D) t j) / z (Zpos (q_queries D)) by rewrite !mxE.
have EE t i j : E t i j = z (ent (nth [::] (contexts D) t) i j) / z (Zpos (q_contexts D)) by rewrite !mxE.
have e_int t j : l = IntegerLabels -> exists a : int, 1%:R * e t j 0 = a%:~R.
  by move/int_l/integer_data => [_ iq]; rewrite eE; apply/integer_entry/iq.
case sh : (shared D).
  apply: (@no_network d e) => //.
  - by move: T_gt; rewrite /varying sh.
  - exists (Pos.to_nat (q_queries D * 1)); first by apply/ssrnat.ltP/Pos2Nat.is_pos.
    by move=> t i; rewrite eE; apply: scaled_entry.
  - by move=> lE t i; apply: e_int.
  - by rewrite /varying sh.
  - by move=> b bi t i; have := bi t (rshift _ i); rewrite /input /flat col_mxEd.
  move=> y [a [w [b [b0 [b0P fit]]]]].
  have Et t : E t = E (Ordinal T0).
    have CE s : (s < T)%N -> nth [::] (contexts D) s = nth [::] (contexts D) 0.
      by move=> sT; apply/esym/equal_rowsP/(allP sh)/mem_nth; rewrite sC.
    by rewrite /proved_problem.E /context_mx (CE t) ?(CE 0%N).
  have [w' [b' wE]] := relu_shared (E (Ordinal T0)) a w b.
  by exists a, w', b', b0; split=> // t; rewrite -wE -fit /input Et.
apply: (@no_network (n * d + d) (input R D)) => //.
- by move: T_gt; rewrite /varying sh mulSn [(d + _)%N]addnC.
- exists (Pos.to_nat (q_contexts D * q_queries D)); first by apply/ssrnat.ltP/Pos2Nat.is_pos.
  move=> t; apply: (input_cases (P := fun x => exists a : int, (Pos.to_nat (q_contexts D * q_queries D))%:R * x = a%:~R))
    => [i j|j]; first by rewrite EE; apply: scaled_entry.
  by rewrite eE Pos.mul_comm; apply: scaled_entry.
- move=> lE t; apply: (input_cases (P := fun x => exists a : int, 1%:R * x = a%:~R)) => [i j|j]; last exact: e_int.
  by rewrite EE; apply/integer_entry; have [iE _] := integer_data (int_l lE); apply: iE.
by rewrite /varying sh mulSn [(d + _)%N]addnC.
Qed.

(* --- Lemmas 3 and 4, Claims 1 and 2 *)
Lemma all_differentP s : all_different s -> uniq s.
Proof. by elim: s => //= x s IH /andP[/negP no /IH ->]; rewrite andbT; apply/negP => xs; apply: no; apply/hasP; exists x => //; apply/eqnP. Qed.

Lemma assumption_2P : (Z.of_nat n <= Z.of_nat (least_rank E))%coqZ -> Assumption2 E.
Proof.
move=> le t; apply/eqP; rewrite eqn_leq rank_leq_row /= (leq_trans _ (least_rank_leq E t)) //.
by apply/ssrnat.leP/Nat2Z.inj_le.
Qed.

Lemma assumption_1P : (Z.min (Z.of_nat n) (Z.of_nat T) <= Z.of_nat (kruskal_rank e))%coqZ -> kruskal_geq e n.
Proof. by rewrite /kruskal_geq /minn; case: ltnP; lia. Qed.

(* the members of the subset *)
Section Subset.
Hypothesis okS : wf_subset D (args c).
Local Notation s := (size (subset (args c))).

Let member_lt (k : 'I_s) : (nth 0%N (subset (args c)) k < T)%N.
Proof. by case/andP: okS => /allP lt _; apply/lt/mem_nth. Qed.
Definition member (k : 'I_s) : 'I_T := Ordinal (member_lt k).

Lemma member_inj : injective member.
Proof.
move=> i j /(congr1 val) /= /eqP; case/andP: okS => _ /all_differentP us.
by rewrite nth_uniq // => /eqP/val_inj.
Qed.

Lemma in_subsetP t : reflect (exists k, member k = t) (in_subset (args c) t).
Proof.
apply: (iffP hasP) => [[t' ts /eqnP tE]|[k <-]]; last by exists (nth 0%N (subset (args c)) k); rewrite ?mem_nth //=; apply/eqnP.
have ks : (index t' (subset (args c)) < s)%N by rewrite index_mem.
by exists (Ordinal ks); apply/val_inj; rewrite /= nth_index.
Qed.

Lemma mem_members t : (t \in [set member i | i in 'I_s]) = in_subset (args c) t.
Proof. by apply/imsetP/in_subsetP => -[k]; [move=> _ ->; exists k|exists k]. Qed.

Lemma member_nth k (t : 'I_T) (ks : (k < s)%N) : nth 0%N (subset (args c)) k = t -> member (Ordinal ks) = t.
Proof. by move=> tE; apply/val_inj. Qed.
End Subset.

Let base : R := if base_two D then ln 2%:R else 1.
Lemma base_gt0 : 0 < base.
Proof. by rewrite /base; case: ifP => // _; apply: ln_gt0; rewrite ltr1n. Qed.

Lemma softmax_baseE k (E' : 'M[R]_(k, d)) (W : 'M[R]_d) (x : 'cV[R]_d) : softmax_base D (E' *m W *m x) = softmax (E' *m (base *: W) *m x).
Proof. by rewrite /softmax_base -scalemxAr -scalemxAl. Qed.

Lemma softmax_unbase k (E' : 'M[R]_(k, d)) (W : 'M[R]_d) (x : 'cV[R]_d) : softmax_base D (E' *m (base^-1 *: W) *m x) = softmax (E' *m W *m x).
Proof. by rewrite softmax_baseE scalerA mulfV ?scale1r // gt_eqF // base_gt0. Qed.

Lemma lemma_3_holds : wf_subset D (args c) -> (size (subset (args c)) < n)%N -> kruskal_geq e n -> Assumption2 E ->
  separates R D (args c).
Proof.
move=> okS sn A1 A2; pose I := [set member okS i | i in 'I_(size (subset (args c)))].
have cI : (#|I| < n)%N by rewrite (leq_ltn_trans (leq_imset_card _ _)) // card_ord.
have [u [v [zero diff]]] := lemma_3 (fun t i j ij => row_free_diff (A2 t) ij) A1 cI.
exists u, v; split=> [t tI|t tI i j]; first by apply: zero; rewrite (mem_members okS).
by apply: diff; rewrite (mem_members okS).
Qed.

Lemma toF_gt0 a : (0 < a)%coqZ -> 0 < z a.
Proof. by move=> a0; rewrite /toF ltr0z; lia. Qed.

Lemma total_sum r k : size r = k -> z (total r) = \sum_(i < k) z (nth 0%coqZ r i).
Proof.
move=> <-; rewrite /total; elim: r => [|x r IH] /=; first by rewrite big_ord0 rmorph0.
by rewrite big_ord_recl rmorphD /= IH.
Qed.

Lemma claim_1_holds : wf_subset D (args c) -> wf_coefficients D (args c) ->
    (size (subset (args c)) <= \rank (mx R (size (subset (args c))) d (q_queries D)
      [seq nth [::] (queries D) t | t <- subset (args c)]))%N ->
    (n <= least_rank (@subset_context R D c))%N ->
  prescribed_weights R D (args c).
Proof.
move=> okS okC rq rc; set f := member okS.
have rE i : \rank (E (f i)) = n.
  by apply/eqP; rewrite eqn_leq rank_leq_row /= (leq_trans rc) // (least_rank_leq _ i).
have free : row_free (\matrix_(i < size (subset (args c))) (e (f i))^T).
  rewrite /row_free eqn_leq rank_leq_row /= (leq_trans rq) // eq_leq //; congr (\rank _).
  by apply/matrixP => i j; rewrite !mxE /ent (nth_map 0%N).
have indep : indep_on e [set f i | i in 'I_(size (subset (args c)))].
  move=> a aI rel; suff aF i : a (f i) = 0.
    by move=> t; have [/imsetP[i _ ->]|/aI] := boolP (t \in [set f i | i in 'I_(size (subset (args c)))]).
  have /rowP/(_ i) : \row_i a (f i) = 0; last by rewrite !mxE.
  apply/eqP; rewrite -(mulmx_free_eq0 _ free); apply/eqP; rewrite -[LHS]trmxK -[RHS]trmxK; congr (_^T).
  rewrite trmx0 -[RHS]rel mulmx_sum_row linear_sum /=.
  rewrite [RHS](bigID (mem [set f i | i in 'I_(size (subset (args c)))])) /= [X in _ = _ + X]big1 ?addr0; last first.
    by move=> t tI; rewrite aI // scale0r.
  rewrite big_imset /=; last by move=> ? ? _ _; apply: member_inj.
  by apply: eq_bigr => k _; rewrite linearZ /= rowK trmxK mxE.
have phiP (i : 'I_(size (subset (args c)))) : convex_comb (prescribed R D (args c) i).
  have := allP okC (i : nat); rewrite mem_iota add0n ltn_ord => /(_ isT)/and3P[/eqP sr /(all_nthP 0%coqZ) pos].
  have q0 : 0 < z (Zpos (q_coefficients (args c))) by apply: toF_gt0.
  move=> /Z.eqb_eq sum1; split=> [k|].
    by rewrite mxE divr_gt0 // toF_gt0 //; apply/Z.ltb_lt/pos; rewrite sr.
  under eq_bigr do rewrite mxE; rewrite -mulr_suml -(total_sum sr) sum1 mulfV //.
  by rewrite gt_eqF.
have [W [rW WE]] := claim_1 rE (@member_inj okS) indep phiP.
exists (base^-1 *: W); split=> [|k t ks tE]; first by rewrite (leq_trans _ rW) // -mul_scalar_mx mxrankM_maxr.
by rewrite softmax_unbase -(member_nth okS ks tE) WE.
Qed.

(* n numbers below eps / n *)
Lemma sum_below (x : 'I_n -> R) eps : (forall i, x i < eps / n%:R) -> \sum_i x i <= eps.
Proof.
move=> lt; apply: le_trans (_ : \sum_(i < n) eps / n%:R <= _); first by apply: ler_sum => i _; apply: ltW.
by rewrite sumr_const card_ord -[X in X <= _]mulr_natr mulfVK // pnatr_eq0 -lt0n n_gt0.
Qed.

Lemma claim_2_holds : wf_subset D (args c) -> (size (subset (args c)) < n)%N -> kruskal_geq e n -> Assumption2 E ->
  one_hot R D (args c).
Proof.
move=> okS sn A1 A2; have n0 : (0 < n)%N := n_gt0 okP.
have [i0 i0P] := claim_2 n0 A2 A1 (@member_inj okS) sn.
exists i0 => phi eps phiP eps0.
have eps' : 0 < eps / n%:R by rewrite divr_gt0 // ltr0n.
have [W [rW WE near]] := i0P (fun i => phi i) (eps / n%:R) (fun i => phiP i) eps'.
exists (base^-1 *: W); split=> [|k t ks tE|t tI].
- by rewrite (leq_trans _ rW) // -mul_scalar_mx mxrankM_maxr.
- by rewrite softmax_unbase -(member_nth okS ks tE) WE.
have far i : member okS i != t by apply: contraNneq tI => <-; apply/(in_subsetP okS); exists i.
apply: sum_below => i; rewrite softmax_unbase; exact: near.
Qed.

(* --- Lemma 4 *)
Lemma equal_pairs0 s i j : equal_pairs s = 0%N -> (i < j < size s)%N -> nth 0%coqZ s i <> nth 0%coqZ s j.
Proof.
elim: s i j => [|x s IH] i j; first by rewrite andbF.
rewrite /= => /eqP; rewrite addn_eq0 => /andP[/eqP c0 /eqP s0]; case: i j => [|i] [|j] //= ij; last exact: IH.
move=> xj; have : has (Z.eqb x) s by apply/hasP; exists (nth 0%coqZ s j); [exact: mem_nth|apply/Z.eqb_eq].
by rewrite has_count c0.
Qed.

Lemma separated_entriesE (t : 'I_T) (i : 'I_n) : nat_of_ord t = example (args c) ->
    size (w_prime (args c)) = d -> all (fun r => size r <= d)%N (w_prime (args c)) ->
  (E t *m mx R d d (q_prime (args c)) (w_prime (args c)) *m e t) i 0 =
  z (nth 0%coqZ (separated_entries D (args c)) i) / (z (Zpos (q_contexts D)) * (z (Zpos (q_prime (args c))) * z (Zpos (q_queries D)))).
Proof.
move=> tE sw aw; rewrite -mulmxA mxE /separated_entries -tE.
have sE : size (nth [::] (contexts D) t) = n := size_context okP t.
rewrite (nth_map [::]) ?sE // (@dotE d); last exact: size_token.
rewrite rmorph_sum mulr_suml; apply: eq_bigr => k _; rewrite rmorphM [in LHS]mxE -mulf_div; congr (_ * _).
rewrite (nth_map [::]) ?sw // (@dotE d); last exact: (all_nth_nil (P := fun r : seq Z => size r <= d)%N).
by rewrite mxE rmorph_sum mulr_suml; apply: eq_bigr => j _; rewrite !mxE rmorphM mulf_div.
Qed.

Lemma lemma_4_holds : (example (args c) < T)%N -> size (w_prime (args c)) = d ->
    all (fun r => size r <= d)%N (w_prime (args c)) -> equal_pairs (separated_entries D (args c)) = 0%N ->
  vertex_limit R D (args c).
Proof.
move=> exT sw aw pairs; pose t : 'I_T := Ordinal exT; exists t => //.
have n0 : (0 < n)%N := n_gt0 okP.
have se : size (separated_entries D (args c)) = n by rewrite size_map (size_context okP t).
set W' := mx R d d (q_prime _) _.
have diff i j : i != j -> (E t *m W' *m e t) i 0 != (E t *m W' *m e t) j 0.
  move=> ij; rewrite !separated_entriesE //.
  have q0 : z (Zpos (q_contexts D)) * (z (Zpos (q_prime (args c))) * z (Zpos (q_queries D))) != 0.
    by rewrite !mulf_neq0 // toF_pos.
  rewrite (inj_eq (mulIf (invr_neq0 q0))) (inj_eq (@toF_inj R)); apply/eqP => eq.
  case: (ltngtP i j) ij => [lt _|lt _|/val_inj ->]; last by rewrite eqxx.
    by apply: (equal_pairs0 (i := i) (j := j) pairs _ eq); rewrite lt se ltn_ord.
  by apply: (equal_pairs0 (i := j) (j := i) pairs _ (esym eq)); rewrite lt se ltn_ord.
have [i0 [_ lim]] := lemma_4 n0 diff.
set eps : R := _ / _; have eps0 : 0 < eps by rewrite divr_gt0 // toF_gt0.
have eps' : 0 < eps / n%:R by rewrite divr_gt0 // ltr0n.
have [l0 l0P] := lim (base *: mx R d d (q_star (args c)) (w_star (args c))) (eps / n%:R) eps'.
exists i0, (l0 / base) => lambda; rewrite ler_pdivr_mulr ?base_gt0 // => /l0P near.
apply: sum_below => i; rewrite softmax_baseE scalerDr scalerA [base * _]mulrC; exact: near.
Qed.

Lemma odd_limit k : (Z.of_nat k <= 20000)%coqZ -> (k <= 2 * 10 ^ 4)%N.
Proof.
have powE i : Z.of_nat (10 ^ i)%N = (10 ^ Z.of_nat i)%coqZ.
  elim: i => // i IH; rewrite expnS -multE Nat2Z.inj_mul IH [in RHS]Nat2Z.inj_succ Z.pow_succ_r //.
  exact: Nat2Z.is_nonneg.
by move=> small; apply/ssrnat.leP/Nat2Z.inj_le; rewrite -multE Nat2Z.inj_mul powE.
Qed.

Lemma finite_lambda_holds : (0 < H D)%N -> (0 < d_h D)%N -> kruskal_geq e n -> Assumption2 E ->
  (minn T (H D * (minn n (d_h D) - 1) + 1) <= tail_rank R D)%N.
Proof.
move=> H0 dh0 A1 A2; set r := minn n (d_h D); have n0 : (0 < n)%N := n_gt0 okP.
have r0 : (0 < r)%N by rewrite leq_min n0.
have A1r : kruskal_geq e r by apply: kruskal_geqW A1; apply: geq_minl.
have [W [u [v [L [rW big]]]]] := large_lambda n0 (geq_minl _ _) A2 A1r r0 H0.
have b0 : base_factor R D != 0 by rewrite gt_eqF // base_gt0.
have split_base lambda : (fun h => base_factor R D *: ((base_factor R D)^-1 *: W h + lambda h *: (u h *m ((base_factor R D)^-1 *: v h))))
    = (fun h => W h + lambda h *: (u h *m v h)).
  apply/funext => h; rewrite scalerDr scalerA mulfV // scale1r; congr (_ + _).
  by rewrite -scalemxAr !scalerA mulrAC mulfV // mul1r.
apply: largest_geq.
  have none (h : 'I_(H D)) : L <= L := lexx L.
  by have := big (fun=> L) none; move/leq_trans; apply; rewrite leq_min rank_leq_row rank_leq_col.
exists (fun h => (base_factor R D)^-1 *: W h), u, (fun h => (base_factor R D)^-1 *: v h), L; split=> [h|lambda lL].
  rewrite -scalemxAr !mxrank_scale_nz ?invr_eq0 //; apply: leq_trans (rW h) _; exact: geq_minr.
by rewrite split_base; apply: big.
Qed.

Theorem paper_theorem_true x : paper_proved D (args c) x ->
  (forall p, List.In p (paper_conditions x) -> meaning (number R D layers c) p) ->
  let: (q, lower, ex) := paper_bounded x in
  if lower then (value (number R D layers c) ex <= number R D layers c q)%coqZ
  else (number R D layers c q <= value (number R D layers c) ex)%coqZ.
Proof.
case: x => /= ok cond.
- have off : off_curve d (Zpos (q_queries D)) [::] (queries D) = 0%N.
    by have := cond _ (or_introl erefl); rewrite /=; lia.
  by have := moment_curve off; rewrite /minn; case: ltnP; lia.
- have := cond _ (or_introl erefl); have := cond _ (or_intror (or_introl erefl)); rewrite /= => fr T_gt.
  case: asboolP => // fit; exfalso; apply: (network_kind (l := IntegerLabels)) fit => // [|_]; last by lia.
  by move: T_gt; rewrite /m /o -plusE -multE; lia.
- have := cond _ (or_introl erefl); rewrite /= => T_gt.
  case: asboolP => // fit; exfalso; apply: (network_kind (l := TranscendentalLabels)) fit => //.
  by move: T_gt; rewrite /m /o -plusE -multE; lia.
- have := cond _ (or_introl erefl); have := cond _ (or_intror (or_introl erefl)); rewrite /= => d2 nd.
  have nd' : (n <= d)%N by lia.
  have [od|] := boolP (odd d && (d <= n)%N); last first.
    rewrite negb_and -ltnNge => even; rewrite positional_encoding_rank; first exact: Z.le_refl.
      by [].
    by move=> od; move: even; rewrite od.
  case/andP: od => od dn; rewrite positional_encoding_rank_odd //; first exact: Z.le_refl.
  move: ok; rewrite od ltnNge dn /= => /Z.leb_le.
  by move=> small; rewrite odd_limit // andbT; lia.
- have := cond _ (or_introl erefl); have := cond _ (or_intror (or_introl erefl)); rewrite /= => d1 n1.
  have nE : n = 1%N by lia.
  have -> : sinusoidal_encoding (frequency R d) n d = 0.
    apply/matrixP => k j; rewrite mxE [RHS]mxE /sinusoid.
    have -> : nat_of_ord j = 0%N by have := ltn_ord j; lia.
    have -> : nat_of_ord k = 0%N by have := ltn_ord k; lia.
    by rewrite /= mul0r trigo.sin0.
  by rewrite mxrank0.
- have := cond _ (or_introl erefl); rewrite /= => A0.
  have {A0} : \rank (claim_mx R (args c) (matrix_a (args c)) (matrix_a (args c))) = 0%N by lia.
  move/eqP; rewrite mxrank_eq0 => /eqP A0.
  rewrite (_ : `[< _ >] = true) //; apply/asboolP; rewrite /small_perturbation A0.
  set B := mx _ _ _ _ _; pose s' := frobenius (0 - B) ^+ 2.
  exists (s' + 1), s'; split; last by rewrite ltr_addl.
    move=> v; rewrite trmx0 => /submxP[w ->]; rewrite mulmx0 mul0mx.
    by rewrite (_ : sqnorm 0 = 0) ?mulr0 // /sqnorm big1 // => i _; rewrite mxE expr0n.
  move=> v; rewrite -!sqr_norm2 -exprMn ler_pexpn2r ?nnegrE ?norm2_ge0 ?mulr_ge0 ?sqrtr_ge0 //.
  exact: frobenius_bound.
- case/andP: ok => okS sn; have := cond _ (or_introl erefl); have := cond _ (or_intror (or_introl erefl)).
  rewrite /= => /assumption_2P A2 /assumption_1P A1.
  by case: asboolP => // -[]; apply: lemma_3_holds.
- case/and3P: ok => exT /eqP sw aw; have := cond _ (or_introl erefl); rewrite /= => pairs.
  by case: asboolP => // -[]; apply: lemma_4_holds => //; lia.
- case/andP: ok => okS okC; have := cond _ (or_introl erefl); have := cond _ (or_intror (or_introl erefl)).
  have := cond _ (or_intror (or_intror (or_introl erefl))); rewrite /= => rc rq _.
  by case: asboolP => // -[]; apply: claim_1_holds => //; lia.
- have := cond _ (or_introl erefl); have := cond _ (or_intror (or_introl erefl)).
  have := cond _ (or_intror (or_intror (or_introl erefl))); rewrite /= => /assumption_2P A2 /assumption_1P A1 sr.
  by case: asboolP => // -[]; apply: claim_2_holds => //; move: sr; rewrite /minn; case: ltnP; lia.
case/andP: ok => H0 dh0; have := cond _ (or_introl erefl); have := cond _ (or_intror (or_introl erefl)).
rewrite /= => /assumption_2P A2 /assumption_1P A1.
have := finite_lambda_holds H0 dh0 A1 A2; have : (0 < minn n (d_h D))%N by rewrite leq_min (n_gt0 okP).
move: (minn n _) (tail_rank R D) => r k /ssrnat.ltP r0 /ssrnat.leP.
rewrite /minn -plusE -multE -minusE; case: ltnP => /ssrnat.leP; nia.
Qed.

End Theorems.
