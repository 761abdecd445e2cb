(* Proposition 3 of the paper: for two-layer ReLU networks with m neurons on the       *)
(* flattened inputs (E, e) in R^((n+1) d) there is a data set of size T that satisfies *)
(* Assumptions 1 and 2 and that no such network memorizes.                            *)
(* Stronger than the paper: T = m (d + 1) + 1 is enough (the paper: m (d + 2) + 1),    *)
(* any larger T will do, and the data set and its integer labels are explicit:        *)
(* contexts [I_n 0], queries (t^0, t^1, ..., t^(d-1)) for t = 1..T, labels s^0, s^1,   *)
(* ... for any s with s^2 > (k b^2)^k, k = m (d + 1), b = T^d.                         *)
(*                                                                                     *)
(*  moment R d t == the point (t^0, ..., t^(d-1)) of the moment curve, t = 1, 2, ...   *)
(*   powers_general_position == points of the moment curve are in general position     *)
(* proposition_3_any_queries == for contexts [I_n 0] and any queries in general         *)
(*                             position, as the paper says                             *)
(* shared_context_not_memorized == for any shared context and any queries              *)
(*            proposition_3 == the statement (alias relu_data_not_memorized)           *)
(*   proposition_3_explicit == with data and labels written down                       *)
(*      proposition_3_paper == for the number of examples in the paper                 *)
From Attest Require Import prelude.
From mathcomp Require Import zify.
From Attest Require Import attention common kruskal hadamard relu_labels.

(* with one shared context a network on (E, e) is a network on e                       *)
Lemma relu_shared (R : realFieldType) m n d (C : 'M[R]_(n, d)) a
    (w : 'I_m -> 'rV[R]_(n * d + d)) b :
  exists w' : 'I_m -> 'rV[R]_d, exists b', forall e : 'cV[R]_d,
    relu_net a w b (flat C e) = relu_net a w' b' e.
Proof.
exists (fun j => rsubmx (w j)), (fun j => (lsubmx (w j) *m (mxvec C)^T) 0 0 + b j) => e.
apply: eq_bigr => j _; rewrite /flat -{1}[w j]hsubmxK mul_row_col mxE addrA.
by rewrite [X in X + b j]addrC.
Qed.

(* labels exist for any shared context and any queries, by relu_labels_exist               *)
Theorem shared_context_not_memorized (R : realFieldType) T m n d (C : 'M[R]_(n, d))
    (e : 'I_T -> 'cV[R]_d) : (m * (d + 1) < T)%N ->
  exists y : 'I_T -> R, forall a (w : 'I_m -> 'rV[R]_(n * d + d)) b,
    ~ (forall t, relu_net a w b (flat C (e t)) = y t).
Proof.
case/(relu_labels_exist e) => y no; exists y => a w b fit.
have [w' [b' wE]] := relu_shared C a w b.
by apply: (no a w' b') => t; rewrite -wE.
Qed.

Theorem proposition_3_any_queries (R : realFieldType) T m n d (e : 'I_T -> 'cV[R]_d) :
    (n <= d)%N -> (m * (d + 1) < T)%N -> general_position e ->
  let E (_ : 'I_T) : 'M[R]_(n, d) := pid_mx n in
  exists y : 'I_T -> R,
    [/\ Assumption1 n e, Assumption2 E &
      forall a (w : 'I_m -> 'rV[R]_(n * d + d)) b,
        ~ (forall t, relu_net a w b (flat (E t) (e t)) = y t)].
Proof.
move=> nd mT gen E; have [y no] := shared_context_not_memorized (pid_mx n : 'M_(n, d)) e mT.
exists y; split=> //; first exact: kruskal_geqW nd gen.
by move=> t; rewrite /E rank_pid_mx.
Qed.

(* points on the moment curve are in general position                                  *)
Definition moment (R : ringType) T d (t : 'I_T) : 'cV[R]_d := \col_(i < d) t.+1%:R ^+ i.

Lemma powers_general_position (F : fieldType) T d (x : 'I_T -> F) : injective x ->
  general_position (fun t => \col_(i < d) x t ^+ i).
Proof.
move=> inj_x; apply/kruskal_geqP => I Id c cI csum t0.
have [t0I|] := boolP (t0 \in I); last exact: cI.
pose P : {poly F} := \prod_(t in I :\ t0) ('X - (x t)%:P).
have sP : (size P <= d)%N.
  rewrite /P -big_enum size_prod_XsubC -cardE.
  by move: Id; rewrite (cardsD1 t0) t0I.
have PE t : P.[x t] = \sum_(i < d) P`_i * (\col_(i < d) x t ^+ i : 'cV_d) i 0.
  by rewrite (horner_coef_wide _ sP); apply: eq_bigr => i _; rewrite mxE.
have Psum : \sum_t c t * P.[x t] = 0.
  under eq_bigr do rewrite PE mulr_sumr.
  rewrite exchange_big big1 //= => i _.
  transitivity (P`_i * (\sum_t c t *: \col_(i < d) x t ^+ i) i 0); last by rewrite csum mxE mulr0.
  rewrite summxE mulr_sumr; apply: eq_bigr => t _.
  by rewrite [in RHS]mxE mulrCA.
move/eqP: Psum; rewrite (bigD1 t0) //= big1 ?addr0 => [|t tt0]; last first.
  have [tI|/cI ->] := boolP (t \in I); last by rewrite mul0r.
  rewrite /P horner_prod (bigD1 t) /=; last by rewrite !inE tt0.
  by rewrite hornerD hornerN hornerX hornerC subrr mul0r mulr0.
rewrite mulf_eq0 => /orP[/eqP //|].
rewrite /P horner_prod prodf_seq_eq0 => /hasP[t _ /andP[]].
rewrite !inE hornerD hornerN hornerX hornerC subr_eq0 => /andP[tt0 _] /eqP tt.
by case/negP: tt0; apply/eqP/inj_x.
Qed.

Lemma moment_general_position (F : numFieldType) T d :
  general_position (fun t : 'I_T => moment F d t).
Proof.
apply: powers_general_position => t s /eqP; rewrite eqr_nat eqSS => /eqP.
exact: val_inj.
Qed.

Section Proposition3.
Variables (R : realFieldType) (T m n d s : nat).
Let k := (m * (d + 1))%N.
Hypothesis n_le_d : (n <= d)%N.
Hypothesis T_gt : (k < T)%N.
Hypothesis s_big : ((k * (T ^ d) ^ 2) ^ k < s ^ 2)%N.

Let E (t : 'I_T) : 'M[R]_(n, d) := pid_mx n.
Let e (t : 'I_T) : 'cV[R]_d := moment R d t.
Let y (t : 'I_T) : R := (s ^ t)%N%:R.

Theorem proposition_3_explicit :
  [/\ Assumption1 n e, Assumption2 E &
      forall a (w : 'I_m -> 'rV[R]_(n * d + d)) b,
        ~ (forall t, relu_net a w b (flat (E t) (e t)) = y t)].
Proof.
split.
- exact: kruskal_geqW n_le_d (moment_general_position _ _ _).
- by move=> t; rewrite /E rank_pid_mx.
move=> a w b fit.
have [w' [b' wE]] := relu_shared (pid_mx n : 'M_(n, d)) a w b.
have T0 : (0 < T)%N by apply: leq_ltn_trans T_gt.
apply: (@relu_kronecker R T m d (fun t => moment _ d t) (T ^ d) s T_gt _ _ s_big a w' b').
- by rewrite expn_gt0 T0.
- move=> t i; rewrite mxE abszX natz /= (leq_trans (leq_pexp2l _ (ltnW (ltn_ord i)))) //.
  by rewrite leq_exp2r // (leq_ltn_trans _ (ltn_ord i)).
move=> t; rewrite -[RHS]fit wE; congr relu_net; apply/colP => i.
by rewrite !mxE rmorphX /= rmorph_nat.
Qed.

End Proposition3.

Theorem proposition_3 (R : realFieldType) T m n d : (n <= d)%N -> (m * (d + 1) < T)%N ->
  exists E : 'I_T -> 'M[R]_(n, d), exists e : 'I_T -> 'cV[R]_d, exists y : 'I_T -> R,
    [/\ Assumption1 n e, Assumption2 E &
      forall a (w : 'I_m -> 'rV[R]_(n * d + d)) b,
        ~ (forall t, relu_net a w b (flat (E t) (e t)) = y t)].
Proof.
move=> nd mT; set K := ((m * (d + 1) * (T ^ d) ^ 2) ^ (m * (d + 1)))%N.
have sK : (K < K.+1 ^ 2)%N by rewrite -mulnn leq_pmulr.
have [A1 A2 no] := @proposition_3_explicit R T m n d K.+1 nd mT sK.
by exists (fun=> pid_mx n), (fun t => moment R d t), (fun t => (K.+1 ^ t)%N%:R).
Qed.

(* the size in the paper                                                               *)
Corollary proposition_3_paper (R : realFieldType) m n d : (n <= d)%N ->
  let T := (m * (d + 2) + 1)%N in
  exists E : 'I_T -> 'M[R]_(n, d), exists e : 'I_T -> 'cV[R]_d, exists y : 'I_T -> R,
    [/\ Assumption1 n e, Assumption2 E &
      forall a (w : 'I_m -> 'rV[R]_(n * d + d)) b,
        ~ (forall t, relu_net a w b (flat (E t) (e t)) = y t)].
Proof.
by move=> nd; apply: proposition_3 => //; rewrite [X in (_ < X)%N]addn1 ltnS leq_mul2l leq_add2l orbT.
Qed.
