(* The proved checker, lists of tokens: a list that is repeated has the same means.          *)
(*                                                                                           *)
(*   lists_Z, lists_given_Z, lists_outputs == the problem with lists has the Z of any weights, *)
(*          the Z of the case's layer and the outputs that the lists have                     *)
(*   lists_combinations == and the same sums with coefficients that are positive or 0 and       *)
(*          sum to one                                                                       *)
From Attest Require Import integers attention literal_arithmetic problem logits periods quantity_bounds jacobian token_lists.

Local Notation Z := BinNums.Z.

(* means of the rows of a matrix whose logits are a function of the row             *)
Section Means.
Variables (R : realType) (d : nat) (f : 'rV[R]_d -> R).
Definition row_logits n (X : 'M[R]_(n, d)) : 'cV[R]_n := \col_i f (row i X).

Lemma repeated_mean n k (X : 'M[R]_(n, d)) (Y : 'M[R]_(k, d)) (x : nat -> 'rV[R]_d) m : n = (m * k)%N -> (0 < n)%N ->
    (forall i, row i X = x (i %% k)%N) -> (forall i, row i Y = x i) ->
  X^T *m softmax (row_logits X) = Y^T *m softmax (row_logits Y).
Proof.
move=> nE n0 XE YE; have m0 : (m%:R : R) != 0 by rewrite pnatr_eq0; apply: contraTneq n0 => m0; rewrite nE m0.
have sums (g : 'rV[R]_d -> R) : \sum_i g (row i X) = m%:R * \sum_i g (row i Y).
  under eq_bigr do rewrite XE; under [X in _ * X]eq_bigr do rewrite YE.
  by move: X XE; rewrite nE => X XE; rewrite (sum_repeated m k (fun i => g (x i))) mulr_natl.
apply/colP => j; rewrite !mxE.
have side l (A : 'M[R]_(l, d)) : \sum_i A^T j i * softmax (row_logits A) i 0 =
    (\sum_i (row i A) 0 j * expR (f (row i A))) / \sum_i expR (f (row i A)).
  rewrite mulr_suml; apply: eq_bigr => i _; rewrite !mxE mulrA; congr (_ / _).
  by apply: eq_bigr => i' _; rewrite mxE.
by rewrite !side (sums (fun r => r 0 j * expR (f r))) (sums (fun r => expR (f r))) -mulf_div divff // mul1r.
Qed.

End Means.

Section Lists.
Variables (R : realType) (D : problem) (N : nat) (lists : nat -> seq (seq Z)).
Local Notation D' := (with_lists D N lists).
Local Notation X := (tokens_at R (D := D) lists).
Hypothesis okD : wf_problem D'.

Lemma list_length (t : 'I_(T D)) : N = (N %/ size (lists t) * size (lists t))%N.
Proof.
have := @size_context D' okD t; rewrite /context_at ltn_ord /= size_repeated => {1}<-; exact: erefl.
Qed.

Let token t i : 'rV[R]_(d D) := \row_j (toF R (ent (lists t) i j) / toF R (Zpos (q_contexts D))).

Lemma row_repeated (t : 'I_(T D)) i : row i (E R D' t) = token t (i %% size (lists t)).
Proof.
apply/rowP => j; rewrite !mxE /ent /context_at ltn_ord /= /cycled nth_repeated //.
by rewrite -list_length ltn_ord.
Qed.

Lemma row_listed (t : 'I_(T D)) i : row i (X t) = token t i.
Proof. by apply/rowP => j; rewrite !mxE. Qed.

Lemma mean_listed (t : 'I_(T D)) (f : 'rV[R]_(d D) -> R) :
  (E R D' t)^T *m softmax (row_logits f (E R D' t)) = (X t)^T *m softmax (row_logits f (X t)).
Proof.
exact: (@repeated_mean R _ f N _ (E R D' t) (X t) (token t) _ (list_length t) (n_gt0 okD) (row_repeated t) (@row_listed t)).
Qed.

(* logits that are the product of a row, and a row of biases, with a column         *)
Let linear m (s : R) (K : 'M[R]_(d D, m)) (b : 'rV[R]_m) (u : 'cV[R]_m) : 'rV[R]_(d D) -> R :=
  fun r => s * ((r *m K + b) *m u) 0 0.

Let linearE n m s (K : 'M[R]_(d D, m)) b u (A : 'M[R]_(n, d D)) :
  s *: ((A *m K + const_mx 1 *m b) *m u) = row_logits (linear s K b u) A.
Proof.
apply/colP => i; rewrite [LHS]mxE [RHS]mxE /linear; congr (_ * _).
rewrite mxE [RHS]mxE; apply: eq_bigr => j _; congr (_ * _); rewrite mxE [RHS]mxE; congr (_ + _).
  by rewrite mxE [RHS]mxE; apply: eq_bigr => l _; rewrite mxE.
by rewrite mxE big_ord1 mxE mul1r.
Qed.

Theorem lists_Z (P : weights R (H D) (d D) (d_h D) 0 0 0) : attention.Z (E R D') (e R D') P = list_Z lists P.
Proof.
apply/row_matrixP => t; rewrite !rowK; congr (stack _)^T; apply/funext => h.
have zE n (A : 'M[R]_(n, d D)) u : A *m WK P h *m u = row_logits (linear 1 (WK P h) 0 u) A.
  by rewrite -linearE mulmx0 addr0 scale1r.
by rewrite /head_z /alpha /keys !zE mean_listed.
Qed.

Theorem lists_given_Z L a : ~~ projects L -> given_Z R D' L a = list_given_Z R D lists L a.
Proof.
move=> nL; apply/row_matrixP => t; rewrite !rowK; congr (stack _)^T; apply/funext => h.
rewrite (_ : factor R D' a = factor R D a) //; case: L nL => [m qk K qq Q qkb bK qqb bQ|q W|//] _; rewrite /logits /list_logits.
  by rewrite !linearE mean_listed.
have zE n (A : 'M[R]_(n, d D)) s K u : s *: (A *m K *m u) = row_logits (linear (m := d D) s K 0 u) A.
  by rewrite -linearE mulmx0 addr0.
by rewrite !zE mean_listed.
Qed.

Theorem lists_outputs m s (bK bQ : 'I_(H D) -> 'cV[R]_m) (w : parameter D m -> R) t :
  outputs (D := D') s bK bQ w t = list_outputs lists s bK bQ w t.
Proof.
rewrite /outputs /list_outputs; apply: eq_bigr => h _; congr (_ *m _).
by rewrite /logits_at !linearE mean_listed.
Qed.

Theorem lists_combinations (t : 'I_(T D)) (z : 'rV[R]_(d D)) :
  (exists a : 'rV[R]_N, [/\ \sum_i a 0 i = 1, forall i, 0 <= a 0 i & z = a *m E R D' t]) <->
  (exists a : 'rV[R]_(size (lists t)), [/\ \sum_i a 0 i = 1, forall i, 0 <= a 0 i & z = a *m X t]).
Proof.
have N0 := n_gt0 okD; have NE := list_length t; set k := size (lists t) in NE *.
have k0 : (0 < k)%N by move: N0; rewrite /= NE; case: (k) => //; rewrite muln0.
have m0 : ((N %/ k)%:R : R) != 0 by rewrite pnatr_eq0; apply: contraTneq N0 => m0; rewrite /= NE m0.
pose place (i : 'I_N) : 'I_k := Ordinal (ltn_pmod i k0).
have rowE i : row i (E R D' t) = row (place i) (X t) by rewrite row_repeated row_listed.
split=> [[a [a1 a0 ->]]|[a [a1 a0 ->]]].
  exists (\row_j \sum_(i | place i == j) a 0 i); split.
  - by rewrite -a1 (partition_big place xpredT) //=; apply: eq_bigr => j _; rewrite mxE.
  - by move=> j; rewrite mxE; apply: sumr_ge0.
  rewrite !mulmx_sum_row (partition_big place xpredT) //=; apply: eq_bigr => j _.
  by rewrite mxE scaler_suml; apply: eq_bigr => i /eqP <-; rewrite rowE.
have sums (V : lmodType R) (g : nat -> V) : \sum_(i < N) g (place i) = (N %/ k)%:R *: \sum_(j < k) g j.
  by rewrite scaler_nat -(sum_repeated (N %/ k) k g) -!(big_mkord xpredT (fun i => g (i %% k)%N)) -NE.
exists (\row_i (a 0 (place i) / (N %/ k)%:R)); split.
- pose g j : R^o := if insub j is Some j' then a 0 j' else 0.
  have gE (j : 'I_k) : g j = a 0 j by rewrite /g valK.
  under eq_bigr do rewrite mxE -gE.
  rewrite -mulr_suml (sums _ g) [X in _ *: X](eq_bigr (fun j => a 0 j)) => [|j _]; last exact: gE.
  by rewrite a1 /GRing.scale /= mulr1 divff.
- by move=> i; rewrite mxE divr_ge0 ?a0 ?ler0n.
rewrite !mulmx_sum_row.
pose g j : 'rV[R]_(d D) := if insub j is Some j' then (a 0 j' / (N %/ k)%:R) *: row j' (X t) else 0.
have gE (j : 'I_k) : g j = (a 0 j / (N %/ k)%:R) *: row j (X t) by rewrite /g valK.
rewrite [RHS](eq_bigr (fun i => g (place i))) => [|i _]; last by rewrite gE mxE rowE.
rewrite sums scaler_sumr; apply: eq_bigr => j _; rewrite gE scalerA mulrCA divff // mulr1; exact: erefl.
Qed.

End Lists.
