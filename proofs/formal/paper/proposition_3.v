(* Proposition 3 of the paper: data that two-layer ReLU networks do not memorize; before it labels that     *)
(* none of them fits on given inputs.                                                                       *)
(*                                                                                                          *)
(*                        pattern == which neuron is active at which example                                *)
(*                      patmx x A == the linear map from the a_j (w_j, b_j) to the outputs                  *)
(*                   moment R d t == the point (t^0, ..., t^(d-1)) of the moment curve, t = 1, 2, ...       *)
(*        powers_general_position == points of the moment curve are in general position                     *)
(*      proposition_3_any_queries == for contexts [I_n 0] and any queries in general position, as the paper *)
(*                                   says                                                                   *)
(*   shared_context_not_memorized == for any shared context and any queries                                 *)
(*                  proposition_3 == the statement (alias relu_data_not_memorized)                          *)
(*         proposition_3_explicit == with data and labels written down                                      *)
(*            proposition_3_paper == for the number of examples in the paper                                *)
From Attest Require Import prelude.
From mathcomp Require Import zify.
From Attest Require Import attention common kruskal euclidean.

(* ================================================================================= *)
(* Labels that no network fits                                                       *)
(* ================================================================================= *)
(* Labels that no two-layer ReLU network with m neurons fits on given inputs in R^D, *)
(* as soon as there are more than m (D + 1) of them (the paper: m (D + 2)).          *)
(*  relu_labels_exist: any real inputs, labels exist;                                *)
(*  relu_kronecker: integer inputs bounded by b, the explicit integer labels         *)
(*    y_t = s^t, t = 0, 1, ..., for any s with s^2 > (k b^2)^k, k = m (D + 1);       *)
(*    relu_kronecker_bias: with an output bias, k = m (D + 1) + 1;                   *)
(*  relu_independent_labels: rational inputs, labels that no small integer vector    *)
(*    annihilates.                                                                   *)
(* For a fixed activation pattern the outputs are linear in the parameters           *)
(* a_j (w_j, b_j), so they lie in a proper subspace; each of the finitely many       *)
(* subspaces is killed by a non-zero vector c, an integer vector of minors in the    *)
(* second case, which Hadamard's inequality bounds.                                  *)

Section Patterns.
Variables (T m D : nat).

Definition pattern := {ffun 'I_T * 'I_m -> bool}.

Definition patmx (R : ringType) (x : 'I_T -> 'cV[R]_D) (A : pattern)
    : 'M[R]_(T, m * (D + 1)) :=
  \matrix_t mxvec (\matrix_(j < m) ((A (t, j))%:R *: row_mx (x t)^T 1%:M)).

Lemma patmxE (R : ringType) (x : 'I_T -> 'cV[R]_D) A t j i :
  patmx x A t (mxvec_index j i) = (A (t, j))%:R * (row_mx (x t)^T 1%:M : 'rV_(D + 1)) 0 i.
Proof. by rewrite mxE mxvecE [LHS]mxE [LHS]mxE. Qed.

Lemma mxvec_dot (R : comRingType) p q (X Y : 'M[R]_(p, q)) :
  (mxvec X *m (mxvec Y)^T) 0 0 = \sum_j (row j X *m (row j Y)^T) 0 0.
Proof.
rewrite mxE (reindex _ (curry_mxvec_bij _ _)) /=.
rewrite (eq_bigr (fun p => X p.1 p.2 * Y p.1 p.2)); last first.
  by move=> [h j] _ /=; rewrite mxE !mxvecE.
rewrite -(pair_bigA _ (fun h j => X h j * Y h j)) /=.
by apply: eq_bigr => h _; rewrite mxE; apply: eq_bigr => j _; rewrite !mxE.
Qed.

(* the outputs of a network are in the column space of one of the pattern matrices  *)
Lemma relu_pattern (R : realFieldType) (x : 'I_T -> 'cV[R]_D) a (w : 'I_m -> 'rV[R]_D) b :
  exists A : pattern, exists u : 'cV[R]_(m * (D + 1)),
    forall t, relu_net a w b (x t) = (patmx x A *m u) t 0.
Proof.
exists [ffun p => 0 < (w p.2 *m x p.1) 0 0 + b p.2].
exists (mxvec (\matrix_(j < m) (a j *: row_mx (w j) (b j)%:M)))^T => t.
transitivity ((row t (patmx x [ffun p => 0 < (w p.2 *m x p.1) 0 0 + b p.2]) *m
  (mxvec (\matrix_(j < m) (a j *: row_mx (w j) (b j)%:M)))^T) 0 0); last first.
  by rewrite -row_mul mxE.
rewrite rowK mxvec_dot; apply: eq_bigr => j _.
rewrite !rowK linearZ /= -scalemxAl -scalemxAr mxE [in RHS]mxE ffunE /=.
rewrite tr_row_mx mul_row_col -trmx_mul mul1mx !mxE !eqxx mulr1n.
case: ltP => h; last by rewrite mulr0 mul0r.
by rewrite mul1r.
Qed.

End Patterns.

Theorem relu_labels_exist (R : realFieldType) T m D (x : 'I_T -> 'cV[R]_D) :
    (m * (D + 1) < T)%N ->
  exists y : 'I_T -> R, forall a (w : 'I_m -> 'rV[R]_D) b,
    ~ (forall t, relu_net a w b (x t) = y t).
Proof.
move=> mT; pose c (A : pattern T m) := nz_row (kermx (patmx x A)).
have c0 A : c A != 0.
  rewrite nz_row_eq0 -mxrank_eq0 mxrank_ker -lt0n subn_gt0.
  exact: leq_ltn_trans (rank_leq_col _) mT.
have cP A : c A *m patmx x A = 0 by apply/sub_kermxP/nz_row_sub.
have [A|v vP] := @separating R [finType of pattern T m] _ (fun A => (c A)^T).
  by rewrite -trmx0 (inj_eq trmx_inj).
exists (fun t => v 0 t) => a w b fit.
have [A [u uP]] := relu_pattern x a w b.
have vE : v^T = patmx x A *m u by apply/colP => t; rewrite mxE -fit uP.
have := vP A; rewrite -[v]trmxK -trmx_mul vE mulmxA cP mul0mx.
by rewrite !mxE eqxx.
Qed.

(* ------------------------------------------------------------------------------ *)
(* Integer labels                                                                  *)
(* ------------------------------------------------------------------------------ *)

(* more rows than columns: a non-zero integer vector of minors kills the matrix      *)
Lemma bounded_annihilator T k (M : 'M[int]_(T, k)) (b : nat) :
    (k < T)%N -> (0 < b)%N -> (forall i j, (`|M i j| <= b)%N) ->
  exists c : 'I_T -> int, [/\ exists t, c t != 0,
    forall t, (`|c t| ^ 2 <= (k * b ^ 2) ^ k)%N &
    forall j, \sum_t c t * M t j = 0].
Proof.
move=> kT b0 Mb; pose Mq : 'M[rat]_(T, k) := map_mx intr M.
have [f [g fg]] := mxrank_minor Mq; set rho := \rank Mq in f g fg.
have rk : (rho <= k)%N by apply: rank_leq_col.
have inj_f : injective f.
  move=> i j fij; apply/eqP; apply: contraNT fg => ij; apply/eqP.
  by apply: (determinant_alternate ij) => l; rewrite !mxE fij.
have [t0 t0f] : exists t0, t0 \notin [set f i | i in 'I_rho].
  apply/existsP; rewrite -[X in is_true X]negbK negb_exists; apply/negP => /forallP allf.
  have := leq_ltn_trans rk kT; rewrite ltnNge => /negP; apply.
  rewrite -[X in (X <= _)%N]card_ord -[X in (_ <= X)%N](card_ord rho).
  rewrite -(card_imset _ inj_f); apply: subset_leq_card; apply/subsetP => t _.
  by have := allf t; rewrite negbK.
pose F (i : 'I_rho.+1) := oapp f t0 (unlift ord0 i).
have inj_F : injective F.
  move=> i j; rewrite /F.
  case: (unliftP ord0 i) => [i'|] ->; case: (unliftP ord0 j) => [j'|] -> //=.
  - by move/inj_f => ->.
  - by move=> fi; case/imsetP: t0f; exists i'.
  - by move=> fi; case/imsetP: t0f; exists j'.
pose G l (j : 'I_rho.+1) := oapp g l (unlift ord0 j).
have detN l : \det (mxsub F (G l) M) = 0.
  apply: (@intr_inj [numDomainType of rat]); rewrite rmorph0 -det_map_mx map_mxsub.
  apply/eqP; apply: contraT => /minor_leq_rank.
  by rewrite -/rho ltnn.
pose C := mxsub F g M.
pose cof (i : 'I_rho.+1) : int := (-1) ^+ (i + 0) * \det (row' i C).
have cofE l i : cofactor (mxsub F (G l) M) i ord0 = cof i.
  rewrite /cofactor; congr (_ * \det _); apply/matrixP => p q; rewrite !mxE.
  by rewrite /G liftK.
pose c t := \sum_(i | F i == t) cof i.
have cF i : c (F i) = cof i.
  by rewrite /c (eq_bigl (pred1 i)) ?big_pred1_eq // => j; rewrite /= (inj_eq inj_F).
exists c; split.
- exists t0; have -> : t0 = F ord0 by rewrite /F unlift_none.
  have C0 : (row' (ord0 : 'I_rho.+1) C : 'M_rho) = mxsub f g M.
    by apply/matrixP => p q; rewrite !mxE /F liftK.
  rewrite cF /cof mul1r [X in \det X]C0; apply: contraNneq fg => d0.
  by rewrite -map_mxsub det_map_mx d0.
- move=> t; case: (pickP (fun i => F i == t)) => [i /eqP <-|noi]; last first.
    by rewrite /c big_pred0.
  rewrite cF /cof abszM abszX exp1n mul1n.
  set d := \det _; suff db : d ^+ 2 <= ((rho * b ^ 2) ^ rho)%N%:Z.
    have : (`|d| ^ 2 <= (rho * b ^ 2) ^ rho)%N.
      by rewrite -lez_nat -abszX gez0_abs ?sqr_ge0.
    move/leq_trans; apply; case: (posnP k) => [k0|k0].
      by move: rk; rewrite k0 leqn0 => /eqP ->.
    apply: (@leq_trans ((k * b ^ 2) ^ rho)%N).
      by case: (rho) rk => // r rk; rewrite leq_exp2r // leq_mul2r rk orbT.
    by rewrite leq_pexp2l // muln_gt0 k0 expn_gt0 b0.
  rewrite -(ler_int [numDomainType of rat]) rmorphX /= -det_map_mx.
  have rC p q : `|(map_mx intr (row' i C) : 'M[rat]_rho) p q| <= b%:R.
    by rewrite !mxE -intr_norm pmulrn ler_int -abszE lez_nat Mb.
  by rewrite (le_trans (hadamard_entries rC)) // -pmulrn natrX natrM natrX.
- move=> j; rewrite -[RHS](detN j) (expand_det_col _ ord0).
  transitivity (\sum_i cof i * M (F i) j).
    rewrite [RHS](partition_big F xpredT) //=; apply: eq_bigr => t _.
    by rewrite /c mulr_suml; apply: eq_bigr => i /eqP ->.
  apply: eq_bigr => i _; rewrite cofE mulrC; congr (_ * _).
  by rewrite mxE /G unlift_none.
Qed.

(* digits: small integers c_t with sum_t c_t s^t = 0 are all 0                       *)
Lemma kronecker_digits N (s : nat) (c : 'I_N -> int) :
    (forall i, (`|c i| < s)%N) -> \sum_i c i * s%:Z ^+ i = 0 -> forall i, c i = 0.
Proof.
elim: N c => [|N IHN] c cs; first by move=> _ [].
rewrite big_ord_recl expr0 mulr1.
have -> : \sum_(i < N) c (lift ord0 i) * s%:Z ^+ (lift ord0 i)
        = s%:Z * \sum_(i < N) c (lift ord0 i) * s%:Z ^+ i.
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite exprS mulrCA.
move=> sum0; have c0 : c ord0 = 0.
  have : (s %| `|c ord0|)%N.
    have /eqP := sum0; rewrite addr_eq0 => /eqP ->.
    by rewrite abszN abszM dvdn_mulr.
  have := cs ord0; case: (posnP `|c ord0|%N) => [/eqP|c_gt0 lt /(dvdn_leq c_gt0)].
    by rewrite absz_eq0 => /eqP.
  by rewrite leqNgt lt.
have s0 : (0 < s)%N by apply: leq_ltn_trans (cs ord0).
move: sum0; rewrite c0 add0r => /eqP; rewrite mulf_eq0 eqz_nat gtn_eqF //= => /eqP sum0.
have IH := IHN (fun i => c (lift ord0 i)) (fun i => cs _) sum0.
by move=> i; case: (unliftP ord0 i) => [j|] ->.
Qed.

(* ------------------------------------------------------------------------------ *)
(* Rational inputs, with or without an output bias                                 *)
(* ------------------------------------------------------------------------------ *)
Section OutputBias.
Variables (R : realFieldType) (T m D : nat) (o : bool) (X : 'I_T -> 'cV[int]_D) (q : nat).
Let k := (m * (D + 1) + o)%N.

(* q times the map from the a_j (w_j, b_j) and the output bias to the outputs        *)
Definition patmx_int (A : pattern T m) : 'M[int]_(T, k) :=
  row_mx (\matrix_t mxvec (\matrix_(j < m) ((A (t, j))%:R *: row_mx (X t)^T q%:Z%:M)))
    (const_mx q%:Z).

Lemma relu_outputs (x : 'I_T -> 'cV[R]_D) a (w : 'I_m -> 'rV[R]_D) b b0 :
    (forall t, q%:R *: x t = map_mx intr (X t)) -> (~~ o -> b0 = 0) ->
  exists A, exists u : 'cV[R]_k, forall t,
    q%:R * (relu_net a w b (x t) + b0) = (map_mx intr (patmx_int A) *m u) t 0.
Proof.
move=> xX ob; have [A [u uP]] := relu_pattern x a w b.
exists A, (col_mx u (const_mx b0)) => t.
rewrite /patmx_int map_row_mx mul_row_col mxE mulrDr; congr (_ + _); last first.
  rewrite mxE (eq_bigr (fun=> q%:R * b0)) => [|i _]; last by rewrite !mxE.
  rewrite sumr_const card_ord; case: (o) ob => [_|->//]; first by rewrite mulr1n.
  by rewrite mulr0.
rewrite uP mxE [RHS]mxE mulr_sumr; apply: eq_bigr => l _; rewrite mulrA; congr (_ * _).
case/mxvec_indexP: l => j i; rewrite patmxE [in RHS]mxE [in RHS]mxE mxvecE.
rewrite (_ : (\matrix_(j0 < m) _) j i = (A (t, j))%:R * row_mx (X t)^T q%:Z%:M 0 i); last by rewrite !mxE.
rewrite rmorphM /= mulrCA; congr (_ * _); first by case: (A _).
rewrite !mxE; case: (split i) => i'; rewrite !mxE.
  by have := congr1 (fun v : 'cV_D => v i' 0) (xX t); rewrite /= !mxE.
by rewrite ord1 eqxx mulr1.
Qed.

(* no network fits labels that no small integer vector but 0 annihilates             *)
Theorem relu_independent_labels (x : 'I_T -> 'cV[R]_D) (y : 'I_T -> R) b :
    (k < T)%N -> (0 < q <= b)%N -> (forall t i, (`|X t i 0%R| <= b)%N) ->
    (forall t, q%:R *: x t = map_mx intr (X t)) ->
    (forall c : 'I_T -> int, (forall t, (`|c t| ^ 2 <= (k * b ^ 2) ^ k)%N) ->
      \sum_t (c t)%:~R * y t = 0 -> forall t, c t = 0) ->
  forall a (w : 'I_m -> 'rV[R]_D) b' b0, (~~ o -> b0 = 0) ->
    ~ (forall t, relu_net a w b' (x t) + b0 = y t).
Proof.
move=> kT /andP[q0 qb] Xb xX yP a w b' b0 ob fit.
have [A [u uP]] := relu_outputs a w b' xX ob.
have b_gt0 : (0 < b)%N := leq_trans q0 qb.
have [|c [[t1 ct1] cb cM]] := bounded_annihilator kT b_gt0 (_ : forall i j, (`|patmx_int A i j| <= b)%N).
  move=> t l; rewrite mxE; case: (split l) => l'; last by rewrite mxE absz_nat.
  case/mxvec_indexP: l' => j i; rewrite mxE mxvecE.
  rewrite (_ : (\matrix_(j0 < m) _) j i = (A (t, j))%:R * row_mx (X t)^T q%:Z%:M 0 i); last by rewrite !mxE.
  case: (A _); last by rewrite mul0r.
  rewrite mul1r mxE; case: (split i) => i'; rewrite mxE //.
  by rewrite ord1 eqxx mulr1n absz_nat.
case/negP: ct1; apply/eqP; apply: (yP c cb).
apply: (mulfI (_ : q%:R != 0)); first by rewrite pnatr_eq0 -lt0n.
rewrite mulr0 mulr_sumr (eq_bigr (fun t => (c t)%:~R * (map_mx intr (patmx_int A) *m u) t 0)); last first.
  by move=> t _; rewrite -uP fit mulrCA.
under eq_bigr do rewrite mxE mulr_sumr.
rewrite exchange_big big1 //= => l _.
transitivity ((\sum_t c t * patmx_int A t l)%:~R * u l 0); last by rewrite cM mul0r.
rewrite rmorph_sum mulr_suml; apply: eq_bigr => t _.
by rewrite rmorphM mulrA mxE.
Qed.

End OutputBias.

(* powers of a large s, for integer inputs                                           *)
Theorem relu_kronecker_bias (R : realFieldType) T m D (o : bool) (x : 'I_T -> 'cV[int]_D) (b s : nat) :
    (m * (D + 1) + o < T)%N -> (0 < b)%N -> (forall t i, (`|x t i 0%R| <= b)%N) ->
    (((m * (D + 1) + o) * b ^ 2) ^ (m * (D + 1) + o) < s ^ 2)%N ->
  forall a (w : 'I_m -> 'rV[R]_D) b' b0, (~~ o -> b0 = 0) ->
    ~ (forall t, relu_net a w b' (map_mx intr (x t)) + b0 = (s ^ t)%N%:R).
Proof.
move=> kT b0 xb sb; apply: (@relu_independent_labels R T m D o x 1 _ _ b) => // [t|c cb cs t].
  by rewrite scale1r.
apply: (@kronecker_digits T s) t => [t|]; first by rewrite -ltn_sqr (leq_ltn_trans (cb t)).
apply: (@intr_inj R); rewrite rmorph0 -[RHS]cs rmorph_sum; apply: eq_bigr => t _.
by rewrite rmorphM rmorphX /= natrX -pmulrn.
Qed.

Theorem relu_kronecker (R : realFieldType) T m D (x : 'I_T -> 'cV[int]_D) (b s : nat) :
    (m * (D + 1) < T)%N -> (0 < b)%N -> (forall t i, (`|x t i 0%R| <= b)%N) ->
    ((m * (D + 1) * b ^ 2) ^ (m * (D + 1)) < s ^ 2)%N ->
  forall a (w : 'I_m -> 'rV[R]_D) b',
    ~ (forall t, relu_net a w b' (map_mx intr (x t)) = (s ^ t)%N%:R).
Proof.
move=> mT b0 xb sb a w b' fit.
apply: (@relu_kronecker_bias R T m D false x b s _ b0 xb _ a w b' 0); rewrite ?addn0 // => t.
by rewrite addr0.
Qed.

(* =================================================================================== *)
(* Proposition 3                                                                       *)
(* =================================================================================== *)
(* Proposition 3 of the paper: for two-layer ReLU networks with m neurons on the       *)
(* flattened inputs (E, e) in R^((n+1) d) there is a data set of size T that satisfies *)
(* Assumptions 1 and 2 and that no such network memorizes.                             *)
(* Stronger than the paper: T = m (d + 1) + 1 is enough (the paper: m (d + 2) + 1),    *)
(* any larger T will do, and the data set and its integer labels are explicit:         *)
(* contexts [I_n 0], queries (t^0, t^1, ..., t^(d-1)) for t = 1..T, labels s^0, s^1,   *)
(* ... for any s with s^2 > (k b^2)^k, k = m (d + 1), b = T^d.                         *)

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

Notation relu_data_not_memorized := proposition_3 (only parsing).
