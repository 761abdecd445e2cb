(* The proved checker, theorems of the paper and of unfittable_labels.v as schemas of                   *)
(* docs/statements.md.                                                                                  *)
(*                                                                                                      *)
(*        no_layer_fits == what T d_out > H rho + d_out ((H - 1) v + r) says, rho, v and r the ranks of *)
(*                         exponents, differences and tokens                                            *)
(*        paper_theorem == the schemas; paper_conditions, paper_bounded == as data                      *)
(*   paper_theorem_true == what their conditions imply                                                  *)
From Attest Require Import integers attention kruskal euclidean lemmas proposition_3 positional_encoding.
From Attest Require Import problem literal_arithmetic logits rank_formula algebraic_relations.
From Attest Require Import unfittable_labels bounds quantities statements quantity_bounds schemas.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Labels that no layer fits                                                    *)
(* ============================================================================ *)
(* The theorems of unfittable_labels.v about the literal data of a problem.     *)

Lemma map_sums_sub (F : fieldType) (K : fieldType) (f : {rmorphism F -> K}) (I : finType) m n k
    (A : I -> 'M[F]_(m, n)) (M : 'M[K]_(k, n)) : (forall i, (map_mx f (A i) <= M)%MS) ->
  (\rank (\sum_i <<A i>>)%MS <= \rank M)%N.
Proof.
move=> AM; rewrite -(mxrank_map f); apply: mxrankS.
have /sub_sumsmxP[u ->] : ((\sum_i <<A i>>) <= \sum_i <<A i>>)%MS by [].
rewrite map_mx_sum; apply: summx_sub => i _.
have /submxP[v ->] : (<<A i>> <= A i)%MS by rewrite genmxE.
by rewrite !map_mxM; apply: mulmx_sub; apply: mulmx_sub.
Qed.

Section Unfittable.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation d_out := (d_out D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation rat_map := (map_mx (@ratr R)).
Hypothesis okD : wf_sizes D.
Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N := n_gt0 okP.

(* the data as rational numbers                                                     *)
Let X (t : 'I_T) : 'M[rat]_(n, d) := mx rat_numFieldType n d (q_contexts D) (context_at D t).
Let q : 'I_T -> 'cV[rat]_d := query_vec rat_numFieldType d (q_queries D) (queries D).

Lemma ratr_toF z : ratr (toF rat_numFieldType z) = toF R z. Proof. exact: ratr_int. Qed.
Lemma map_context t : rat_map (X t) = E t.
Proof. by apply/matrixP => i j; rewrite !mxE fmorph_div /= !ratr_toF. Qed.
Lemma map_query t : rat_map (q t) = e t.
Proof. by apply/matrixP => i j; rewrite !mxE fmorph_div /= !ratr_toF. Qed.

Lemma map_diffs t : rat_map (diffs (X t)) = diffs (E t).
Proof. by rewrite /diffs map_mxM map_kermx map_const_mx rmorph1 map_context. Qed.

Lemma exponents_leq : (exponent_rank X q <= \rank (exponent_matrix R D))%N.
Proof.
apply: (map_sums_sub (f := [rmorphism of @ratr R])) => t.
apply/row_subP => i.
have -> : row i (rat_map (exponent_rows X q t)) = mxvec ((row i (diffs (E t)))^T *m (e t)^T).
  by rewrite -map_row rowK map_mxvec map_mxM -2!map_trmx map_query map_row map_diffs.
have /submxP[u ->] : (row i (diffs (E t)) <= E t - const_mx 1 *m row (Ordinal n0) (E t))%MS.
  by apply: submx_trans (row_sub _ _) (diffs_sub_first (E t) (Ordinal n0)).
rewrite mulmx_sum_row linear_sum /= mulmx_suml linear_sum; apply: summx_sub => k _.
rewrite linearZ /= -scalemxAl linearZ; apply: scalemx_sub; rewrite row_minus_first.
by apply: (eq_row_sub (enum_rank (t, (k, Ordinal n0)))); rewrite rowK enum_rankK.
Qed.

Lemma differences_leq : (difference_rank X <= \rank (difference_matrix R D))%N.
Proof. by apply: (map_sums_sub (f := [rmorphism of @ratr R])) => t; rewrite map_diffs; apply: diffs_sub. Qed.

Lemma tokens_leq : (token_rank X <= \rank (token_matrix R D))%N.
Proof.
by apply: (map_sums_sub (f := [rmorphism of @ratr R])) => t; rewrite map_context; apply: context_sub_tokens.
Qed.

Theorem no_layer_fits b : (0 < H)%N ->
    (H * \rank (exponent_matrix R D) + d_out * ((H - 1) * \rank (difference_matrix R D) + \rank (token_matrix R D))
      < T * d_out)%N ->
  ~ layer_fits R D b.
Proof.
move=> H0 many; have few : (H * exponent_rank X q + d_out * ((H - 1) * difference_rank X + token_rank X) < T * d_out)%N.
  apply: leq_ltn_trans many; apply: leq_add; rewrite leq_mul2l ?exponents_leq ?orbT //.
  by apply/orP; right; apply: leq_add tokens_leq; rewrite leq_mul2l differences_leq orbT.
have EX : E = fun t => rat_map (X t) by apply/funext => t; rewrite map_context.
have eq : e = fun t => rat_map (q t) by apply/funext => t; rewrite map_query.
rewrite /layer_fits /some_layer_fits EX eq; case: b.
  have [N [m [[p mp] mP]]] := fitted_labels_relation R n0 H0 few.
  case=> y none [dh [dv [d_o [P /mP rel]]]]; case/negP: mp; apply/eqP.
  exact: none rel p.
have [y yP] := unfittable_integer_labels R n0 H0 few.
by move/(_ (fun t o => (y t o)%:Z)) => [dh [dv [d_o [P fit]]]]; apply: (yP dh dv d_o P).
Qed.

End Unfittable.

(* ============================================================================ *)
(* Theorems of the paper                                                        *)
(* ============================================================================ *)
(* Their conditions and conclusions as data, and that they are theorems.        *)

Inductive paper_theorem :=
  | MomentCurve | IntegerLabelling | TranscendentalLabelling | VandermondeEncoding | ZeroEncoding
  | UnfittableOutputs (transcendental : bool).

Section Tables.
Local Notation Q x := (Qty x).
Local Notation const k := (Const k%coqZ).

Definition paper_conditions (x : paper_theorem) : seq (comparison quantity) :=
  match x with
  | MomentCurve => [:: Equal (Q OffMomentCurve) (const 0)]
  | IntegerLabelling => [:: network_examples; Equal (Q Fractions) (const 0)]
  | TranscendentalLabelling => [:: network_examples]
  | VandermondeEncoding => [:: AtMost (Q Context) (Q Dimension); AtLeast (Q Dimension) (const 2)]
  | ZeroEncoding => [:: Equal (Q Context) (const 1); Equal (Q Dimension) (const 1)]
  | UnfittableOutputs _ => [:: unfittable_examples]
  end.

(* the quantity, whether it is bounded from below, and by what                    *)
Definition paper_bounded (x : paper_theorem) : quantity * bool * expr quantity :=
  match x with
  | MomentCurve => (Kruskal false, true, Min (Q Examples) (Q Dimension))
  | IntegerLabelling => (Truth (NetworkFits IntegerLabels), false, const 0)
  | TranscendentalLabelling => (Truth (NetworkFits TranscendentalLabels), false, const 0)
  | VandermondeEncoding => (RankEncoding, true, Q Context)
  | ZeroEncoding => (RankEncoding, false, const 0)
  | UnfittableOutputs b => (Truth (LayerFits b), false, const 0)
  end.

End Tables.

(* positional_encoding.v leaves out n = d odd beyond 20000, unfittable_labels.v layers without heads *)
Definition paper_proved (D : problem) (c : arguments) (x : paper_theorem) : bool :=
  match x with
  | VandermondeEncoding => ~~ odd (d D) || (n D < d D)%N || (Z.of_nat (d D) <=? 20000)%coqZ
  | UnfittableOutputs _ => (0 < H D)%N
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
Let okP := wf_sizes_problem okD.
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
  (forall (t : 'I_T) (i : 'I_n) (j : 'I_d), (ent (context_at D t) i j mod Zpos (q_contexts D) =? 0)%coqZ) /\
  (forall (t : 'I_T) (j : 'I_d), (ent (queries D) t j mod Zpos (q_queries D) =? 0)%coqZ).
Proof.
have [_ _ /eqP sQ sq /allP sE] := wf_sizesP okD.
have none (P : pred Z) s a : count P s = 0%N -> a \in s -> ~~ P a.
  by move=> c0 xs; apply/negP => ax; have : has P s by [apply/hasP; exists a]; rewrite has_count c0.
move/eqP; rewrite addn_eq0 => /andP[/eqP cE /eqP ce].
split=> [t i j|t j].
  have Ct : context_at D t \in contexts D by apply: context_in.
  have rt : nth [::] (context_at D t) i \in context_at D t by rewrite mem_nth ?size_context.
  apply/negPn/(none _ _ _ cE)/flattenP; exists (nth [::] (context_at D t) i).
    by apply/flattenP; exists (context_at D t).
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
have EE t i j : E t i j = z (ent (context_at D t) i j) / z (Zpos (q_contexts D)) by rewrite !mxE.
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
    by rewrite /problem.E (shared_contexts sh (ltn_ord t)).
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

Lemma odd_limit k : (Z.of_nat k <= 20000)%coqZ -> (k <= 2 * 10 ^ 4)%N.
Proof.
have powE i : Z.of_nat (10 ^ i)%N = (10 ^ Z.of_nat i)%coqZ.
  elim: i => // i IH; rewrite expnS -multE Nat2Z.inj_mul IH [in RHS]Nat2Z.inj_succ Z.pow_succ_r //.
  exact: Nat2Z.is_nonneg.
by move=> small; apply/ssrnat.leP/Nat2Z.inj_le; rewrite -multE Nat2Z.inj_mul powE.
Qed.

Lemma degree_Z (h rho k v r t : nat) : (0 < h)%N ->
    (Z.of_nat h * Z.of_nat rho + Z.of_nat k * ((Z.of_nat h - 1) * Z.of_nat v + Z.of_nat r) + 1 <= Z.of_nat t * Z.of_nat k)%coqZ ->
  (h * rho + k * ((h - 1) * v + r) < t * k)%N.
Proof.
move=> h0 many; apply/ssrnat.ltP/Nat2Z.inj_lt; rewrite -!plusE -!multE -minusE !Nat2Z.inj_add !Nat2Z.inj_mul.
by rewrite Nat2Z.inj_add Nat2Z.inj_mul Nat2Z.inj_sub; [lia|apply/ssrnat.leP].
Qed.

Theorem paper_theorem_true x : paper_proved D (args c) x ->
  (forall p, List.In p (paper_conditions x) -> meaning (checker_number R D layers c) p) ->
  let: (q, lower, ex) := paper_bounded x in
  if lower then (value (checker_number R D layers c) ex <= checker_number R D layers c q)%coqZ
  else (checker_number R D layers c q <= value (checker_number R D layers c) ex)%coqZ.
Proof.
case: x => [| | | | |b] /= ok cond.
- have off : off_curve d (Zpos (q_queries D)) [::] (queries D) = 0%N.
    by have := cond _ (or_introl erefl); rewrite /= /own_number /=; lia.
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
have := cond _ (or_introl erefl) => /(degree_Z ok) many.
by rewrite /=; case: asboolP => // fit; case: (no_layer_fits okD ok many fit).
Qed.

End Theorems.
