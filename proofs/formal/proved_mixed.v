(* The proved checker, Assumption 3 and Proposition 4: queries and tokens to which *)
(* the mean of the tokens is added, as integers.                                  *)
(*                                                                                *)
(*  mixed_queries, mixed_context == multiples of e_t + mean_i E_t,i and of          *)
(*              E_t,i + mean_k E_t,k                                               *)
(*  mixed_kruskal_rank, mixed_zero_rank, mixed_contexts_rank == bounds              *)
From Coq Require Import ZArith List.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp Require Import ring.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention kruskal.
From Attest Require Import replay_arithmetic replay_layer.
From Attest Require Import proved_problem proved_logits proved_quantities proved_rules.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

Definition sum_rows (C : seq (seq Z)) : seq Z := foldr add_rows [::] C.
Definition multiple (c : Z) (r : seq Z) : seq Z := [seq (c * x)%coqZ | x <- r].

Definition mixed_query (D : problem) (x : seq (seq Z) * seq Z) : seq Z :=
  add_rows (multiple (Z.of_nat (n D) * Zpos (q_contexts D)) x.2) (multiple (Zpos (q_queries D)) (sum_rows x.1)).
Definition mixed_queries (D : problem) : seq (seq Z) :=
  [seq mixed_query D x | x <- zip (contexts D) (queries D)].

Definition mixed_context (D : problem) (C : seq (seq Z)) : seq (seq Z) :=
  [seq add_rows (multiple (Z.of_nat (n D)) r) (sum_rows C) | r <- C].

(* a relation between vectors, whose non-zero entries are counted                *)
Definition non_zero (y : seq Z) : nat := count (fun x => ~~ (x =? 0)%coqZ) y.

Definition relation_ok (T d : nat) (y : seq Z) (V : seq (seq Z)) : bool :=
  [&& size y == T, (0 < non_zero y)%N, all (fun r => size r <= d)%N V &
    all (fun x => x =? 0)%coqZ (combination d y V)].

Lemma relation_ok_rank (F : numFieldType) T d y V (x : 'I_T -> 'cV[F]_d) (c : F) : c != 0 ->
    (forall t (j : 'I_d), c * x t j 0 = toF F (ent V t j)) -> relation_ok T d y V ->
  (kruskal_rank x <= (non_zero y).-1)%N.
Proof.
move=> c0 xV /and4P[/eqP sy y0 sV /allP zero].
pose I := [set t : 'I_T | toF F (nth 0%coqZ y t) != 0].
have yE : y = [seq nth 0%coqZ y (t : 'I_T) | t <- enum 'I_T].
  rewrite (map_comp (nth 0%coqZ y) val) val_enum_ord.
  by apply: (@eq_from_nth _ 0%coqZ) => [|i]; rewrite ?size_map ?size_iota ?sy // => iT;
    rewrite (nth_map 0%N) ?size_iota // nth_iota.
have cI : #|I| = non_zero y.
  rewrite /non_zero yE count_map cardE -size_filter /I; congr (size _).
  by rewrite enumT; apply: eq_filter => t; rewrite /= inE toF_eq0.
rewrite -cI; apply: (kruskal_leq_relation (y := fun t => toF F (nth 0%coqZ y t))) => [t||].
+ by rewrite inE.
+ apply/colP => j; rewrite summxE !mxE; apply: (mulfI c0).
  rewrite mulr0 mulr_sumr.
  have : nth 0%coqZ (combination d y V) j = 0%coqZ.
    have [js|sj] := ltnP j (size (combination d y V)); last by rewrite nth_default.
    by apply/Z.eqb_eq; apply: zero; apply: mem_nth.
  rewrite nth_combination // sy => /(congr1 (toF F)).
  rewrite rmorph0 rmorph_sum => s0; rewrite -[RHS]s0; apply: eq_bigr => t _.
  by rewrite mxE rmorphM /= mulrCA xV.
by rewrite -cards_eq0 cI -lt0n.
Qed.

Lemma nth_multiple c r j : nth 0%coqZ (multiple c r) j = (c * nth 0 r j)%coqZ.
Proof.
have [jr|rj] := ltnP j (size r); first by rewrite (nth_map 0%coqZ).
by rewrite !nth_default ?size_map // Z.mul_0_r.
Qed.

Lemma nth_sum_rows C j : nth 0%coqZ (sum_rows C) j = \sum_(i < size C) ent C i j.
Proof.
elim: C => [|r C IH] /=; first by rewrite big_ord0 nth_nil.
by rewrite nth_add_rows big_ord_recl IH.
Qed.

Section Mixed.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Hypothesis okD : wf_sizes D.
Let okP : wf_problem D. Proof. by case/and5P: okD. Qed.
Let N : R := toF R (Z.of_nat n).
Let a : R := toF R (Zpos (q_contexts D)).
Let b : R := toF R (Zpos (q_queries D)).

Let NE : N = n%:R. Proof. by rewrite /N /toF; case: (n) => // k; rewrite -pmulrn /= SuccNat2Pos.id_succ. Qed.
Let N0 : N != 0. Proof. by rewrite NE pnatr_eq0 -lt0n (n_gt0 okP). Qed.
Let a0 : a != 0. Proof. exact: toF_pos. Qed.
Let b0 : b != 0. Proof. exact: toF_pos. Qed.

Let sum_tokens (t : 'I_T) (j : 'I_d) :
  toF R (nth 0%coqZ (sum_rows (nth [::] (contexts D) t)) j) = \sum_(i < n) a * E t i j.
Proof.
rewrite nth_sum_rows size_context // rmorph_sum; apply: eq_bigr => i _.
by rewrite mxE mulrC divfK.
Qed.

Let mean_tokenE (t : 'I_T) (j : 'I_d) :
  N * a * mean_token (E t) j 0 = toF R (nth 0%coqZ (sum_rows (nth [::] (contexts D) t)) j).
Proof.
rewrite sum_tokens -mulr_sumr mxE -NE; move: (\sum_i _) => S.
by rewrite mulrACA divff // mul1r.
Qed.

Lemma mixed_queriesE (t : 'I_T) (j : 'I_d) :
  N * a * b * (e t + mean_token (E t)) j 0 = toF R (ent (mixed_queries D) t j).
Proof.
have sC : size (contexts D) = T by apply/eqP; case/and4P: okP.
have sQ : size (queries D) = T by apply/eqP; case/and5P: okD.
rewrite /ent (nth_map ([::], [::])) ?size_zip ?sC ?sQ ?minnn // nth_zip ?sC ?sQ //=.
rewrite nth_add_rows !nth_multiple toFD !toFM -mean_tokenE -/N -/a -/b mxE mulrDr.
congr (_ + _); last by rewrite mulrAC mulrC mulrA.
by rewrite !mxE mulrACA divff // mulr1.
Qed.

Lemma mixed_kruskal_rank p k : kruskal_ok p T d k (mixed_queries D) ->
  (k <= kruskal_rank (fun t => (e t + mean_token (E t))%R))%N.
Proof.
apply: (kruskal_ok_rank (c := fun=> N * a * b)) => [t|]; last exact: mixed_queriesE.
by rewrite !mulf_neq0.
Qed.

Lemma mixed_zero_rank y : relation_ok T d y (mixed_queries D) ->
  (kruskal_rank (fun t => (e t + mean_token (E t))%R) <= (non_zero y).-1)%N.
Proof. by apply: (relation_ok_rank (c := N * a * b)) mixed_queriesE; rewrite !mulf_neq0. Qed.

Lemma mixed_context_rank p (t : 'I_T) :
    minor_rows_ok p n d (mixed_context D (nth [::] (contexts D) t)) (iota 0 n) (iota 0 d) ->
  (n <= \rank (mixed_tokens (E t)))%N.
Proof.
move=> ok; rewrite -{1}(size_iota 0 n) -(mxrank_scale_nz (mixed_tokens (E t)) (mulf_neq0 N0 a0)).
suff -> : (N * a) *: mixed_tokens (E t) = mx R n d 1 (mixed_context D (nth [::] (contexts D) t)).
  exact: minor_rows_rank ok.
apply/matrixP => i j; rewrite mxE [mixed_tokens _ _ _]mxE [RHS]mxE rmorph1 divr1 mulrDr mean_tokenE.
rewrite /ent (nth_map [::]) ?size_context // nth_add_rows nth_multiple toFD toFM; congr (_ + _).
by rewrite -mulrA [E t i j]mxE; congr (_ * _); rewrite mulrC divfK.
Qed.

End Mixed.
