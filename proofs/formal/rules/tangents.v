(* Curves of matrices, and where their derivatives at 0 lie.                                                               *)
(*                                                                                                                         *)
(*      derives M dM == the entries of M, functions of a number, have the derivatives dM at 0                              *)
(*   softmax_slope l == the derivative of softmax at l                                                                     *)
(*   mean_move, form_move == the derivative of a softmax mean of moving vectors with moving logits                         *)
(*         movable M == M has derivatives;  movable_outputs == the outputs of free layers have them                        *)
From Attest Require Import integers.
From mathcomp Require Import classical_sets functions derive realfun.
From Attest Require Import attention common upper_bounds problem logits quantities statements other_layers jacobians free_stacks.
Import numFieldNormedType.Exports.

Section Moves.
Variable R : realType.
Implicit Types (m n k : nat).

Definition derives m n (M : R -> 'M[R]_(m, n)) (dM : 'M[R]_(m, n)) : Prop :=
  forall i j, is_derive (0 : R) 1 (fun s => M s i j) (dM i j).

Lemma derives_ext m n (M N : R -> 'M[R]_(m, n)) dM : (forall s, M s = N s) -> derives M dM -> derives N dM.
Proof. by move=> MN mM i j; rewrite (_ : (fun s => N s i j) = fun s => M s i j) //; apply/funext => s; rewrite MN. Qed.

Lemma derives_eq m n (M : R -> 'M[R]_(m, n)) dM dN : derives M dM -> dM = dN -> derives M dN.
Proof. by move=> mM <-. Qed.

Lemma derives_cst m n (M : 'M[R]_(m, n)) : derives (fun=> M) 0.
Proof. by move=> i j; rewrite mxE; exact: is_derive_cst. Qed.

Lemma derives_line m n (M dM : 'M[R]_(m, n)) : derives (fun s => M + s *: dM) dM.
Proof.
move=> i j; rewrite (_ : (fun s => _) = fun s => M i j + s * dM i j); first exact: is_derive_line.
by apply/funext => s; rewrite !mxE.
Qed.

Lemma derives_add m n (M N : R -> 'M[R]_(m, n)) dM dN : derives M dM -> derives N dN -> derives (fun s => M s + N s) (dM + dN).
Proof.
move=> mM mN i j; rewrite mxE (_ : (fun s => _) = (fun s => M s i j) + (fun s => N s i j)).
  by apply: is_deriveD; [exact: mM|exact: mN].
by apply/funext => s; rewrite mxE.
Qed.

Lemma derives_sum m n (I : Type) (r : seq I) (M : I -> R -> 'M[R]_(m, n)) dM : (forall i, derives (M i) (dM i)) ->
  derives (fun s => \sum_(i <- r) M i s) (\sum_(i <- r) dM i).
Proof.
move=> mM; elim: r => [|i r IH].
  by rewrite big_nil; apply: derives_ext (derives_cst 0) => s; rewrite big_nil.
by rewrite big_cons; apply: derives_ext (derives_add (mM i) IH) => s; rewrite big_cons.
Qed.

Lemma derives_mul m n k (M : R -> 'M[R]_(m, n)) (N : R -> 'M[R]_(n, k)) dM dN : derives M dM -> derives N dN ->
  derives (fun s => M s *m N s) (dM *m N 0 + M 0 *m dN).
Proof.
move=> mM mN i j; rewrite (_ : (fun s => _) = fun s => \sum_l M s i l * N s l j); last by apply/funext => s; rewrite mxE.
have -> : (dM *m N 0 + M 0 *m dN) i j = \sum_l (M 0 i l * dN l j + N 0 l j * dM i l).
  by rewrite !mxE big_split addrC; congr (_ + _); apply: eq_bigr => l _; rewrite mulrC.
by apply: is_derive_fsum => l; apply: is_deriveM; [exact: mM|exact: mN].
Qed.

Lemma derives_tr m n (M : R -> 'M[R]_(m, n)) dM : derives M dM -> derives (fun s => (M s)^T) dM^T.
Proof. by move=> mM i j; rewrite mxE (_ : (fun s => _) = fun s => M s j i) //; apply/funext => s; rewrite mxE. Qed.

Lemma derives_unique m n (M : R -> 'M[R]_(m, n)) dM i j : derives M dM -> derive1 (fun s => M s i j) 0 = dM i j.
Proof. by move=> mM; exact: derive1_val (mM i j). Qed.

Lemma derives_scale m n (a : R) (M : R -> 'M[R]_(m, n)) dM : derives M dM -> derives (fun s => a *: M s) (a *: dM).
Proof.
move=> mM i j; rewrite mxE (_ : (fun s => _) = a *: (fun s => M s i j)); first exact: is_deriveZ (mM i j).
by apply/funext => s; rewrite mxE.
Qed.

Definition softmax_slope n (l : 'cV[R]_n) : 'M[R]_n := \matrix_(i, j) (softmax l i 0 * ((i == j)%:R - softmax l j 0)).

Lemma derives_softmax n (l : R -> 'cV[R]_n) dl : derives l dl -> derives (fun s => softmax (l s)) (softmax_slope (l 0) *m dl).
Proof.
move=> ml i j; rewrite ord1 {j}; have n0 : (0 < n)%N by case: (n) i => [[]|].
pose S s := \sum_j expR (l s j 0).
have S0 : S 0 != 0 by apply: lt0r_neq0; exact: sum_expR_gt0.
have dp j : is_derive (0 : R) 1 (fun s => expR (l s j 0)) (expR (l 0 j 0) * dl j 0).
  exact: (@is_derive1_comp R expR (fun s => l s j 0) 0 _ _ (is_derive_expR _) (ml j 0)).
have dS : is_derive (0 : R) 1 S (\sum_j expR (l 0 j 0) * dl j 0) by apply: is_derive_fsum.
have dV := is_deriveV S0 dS.
rewrite (_ : (fun s => _) = (fun s => expR (l s i 0)) * (fun s => (S s)^-1)); last by apply/funext => s; rewrite mxE.
have -> : (softmax_slope (l 0) *m dl) i 0 = expR (l 0 i 0) *: (- S 0 ^- 2 *: (\sum_j expR (l 0 j 0) * dl j 0))
    + (S 0)^-1 *: (expR (l 0 i 0) * dl i 0).
  rewrite mxE; pose a j := softmax (l 0) j 0.
  transitivity (a i * (dl i 0 - \sum_j a j * dl j 0)).
    rewrite mulrBr mulr_sumr (bigD1 i) //= [X in _ - X](bigD1 i) //= mxE eqxx opprD addrA -/(a i).
    congr (_ + _); first by rewrite mulrBr mulr1 mulrBl mulrA.
    by rewrite -sumrN; apply: eq_bigr => j ji; rewrite mxE eq_sym (negbTE ji) sub0r mulrN mulNr mulrA.
  have aE j : a j = expR (l 0 j 0) / S 0 by rewrite /a mxE.
  have -> : \sum_j a j * dl j 0 = (S 0)^-1 * \sum_j expR (l 0 j 0) * dl j 0.
    by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite aE mulrAC mulrC.
  rewrite aE /GRing.scale /=; move: (S 0) S0 (expR (l 0 i 0)) (\sum_j _) (dl i 0) => a0 a00 b c e.
  by rewrite exprSr expr1; field.
exact: is_deriveM.
Qed.

End Moves.

Section Means.
Variables (R : realType) (S : layer_stack).
Local Notation d := (d (top_problem S)).
Implicit Types (x dx : nat -> 'rV[R]_d) (s : seq nat).

(* the mean of the tokens s for logits l, and how it derives *)
Definition mean_move x dx s (l dl : 'cV[R]_(size s)) : 'rV[R]_d :=
  (softmax_slope l *m dl)^T *m stack_tokens x s + (softmax l)^T *m stack_tokens dx s.

Lemma derives_tokens (x : R -> nat -> 'rV[R]_d) dx s : (forall i, derives (fun u => x u i) (dx i)) ->
  derives (fun u => stack_tokens (x u) s) (stack_tokens dx s).
Proof.
move=> mx k j; rewrite mxE (_ : (fun u => _) = fun u => x u (nth 0%N s k) 0 j); first exact: mx.
by apply/funext => u; rewrite mxE.
Qed.

Lemma derives_mean (x : R -> nat -> 'rV[R]_d) dx s (l : R -> 'cV[R]_(size s)) dl :
  (forall i, derives (fun u => x u i) (dx i)) -> derives l dl ->
  derives (fun u => softmax_mean (x u) (l u)) (mean_move (x 0) dx (l 0) dl).
Proof. by move=> mx ml; exact: derives_mul (derives_tr (derives_softmax ml)) (derives_tokens (s := s) mx). Qed.

(* with the form A of tokens s and of a row y *)
Definition form_move x dx s (A dA : 'M[R]_d) (y dy : 'rV[R]_d) : 'rV[R]_d :=
  mean_move x dx (stack_tokens x s *m (A *m y^T))
    (stack_tokens dx s *m (A *m y^T) + stack_tokens x s *m (dA *m y^T + A *m dy^T)).

Lemma derives_form (x : R -> nat -> 'rV[R]_d) dx s (A : R -> 'M[R]_d) dA (y : R -> 'rV[R]_d) dy :
  (forall i, derives (fun u => x u i) (dx i)) -> derives A dA -> derives y dy ->
  derives (fun u => softmax_mean (x u) (stack_tokens (x u) s *m (A u *m (y u)^T))) (form_move (x 0) dx s (A 0) dA (y 0) dy).
Proof.
move=> mx mA my; apply: derives_mean => //; apply: derives_mul (derives_tokens (s := s) mx) _.
exact: derives_mul mA (derives_tr my).
Qed.

(* -------------------------------------------------------------------------- *)
(* The outputs of free layers have derivatives                                 *)
(* -------------------------------------------------------------------------- *)
Definition movable m n (M : R -> 'M[R]_(m, n)) : Prop := exists dM, derives M dM.

Lemma movable_form (x : R -> nat -> 'rV[R]_d) s m (K Q : R -> 'M[R]_(d, m)) i k (V : R -> 'M[R]_(d, k)) :
    (forall j, movable (fun u => x u j)) -> movable K -> movable Q -> movable V ->
  movable (fun u => softmax_mean (x u) (stack_tokens (x u) s *m (K u *m (Q u)^T *m (x u i)^T)) *m V u).
Proof.
move=> /choice[dx mx] [dK mK] [dQ mQ] [dV mV].
by eexists; apply: derives_mul mV; apply: (derives_form s mx (derives_mul mK (derives_tr mQ)) (mx i)).
Qed.

Lemma movable_sum m n (I : Type) (r : seq I) (M : I -> R -> 'M[R]_(m, n)) : (forall i, movable (M i)) ->
  movable (fun u => \sum_(i <- r) M i u).
Proof. by move=> /choice[dM mM]; eexists; apply: derives_sum mM. Qed.

Definition only_attention (bs : seq earlier) : bool := all (fun b => if b is EarlierAttention _ _ _ then true else false) bs.

Lemma movable_entering (W : R -> nat -> free_weights R S) bs (x : R -> nat -> 'rV[R]_d) i : only_attention bs ->
    (forall l k v, [/\ movable (fun u => free_key (W u l k v)), movable (fun u => free_query (W u l k v))
      & movable (fun u => free_value (W u l k v))]) ->
    (forall j, movable (fun u => x u j)) -> movable (fun u => entering_free (W u) bs (x u) i).
Proof.
elim: bs W x => [|b bs IH] W x //= /andP[att atts] mW mx.
apply: (IH (fun u l => W u l.+1) (fun u => after_free (W u 0%N) b (x u))) => // j.
case: b att => // residual lists heads _ /=.
have [dK mK] : movable (fun u => kept_input residual (x u j)).
  by case: residual; [exact: mx|exists 0; exact: derives_cst].
have [k|dM mM] := @movable_sum _ _ _ (iota 0 (size heads)) (fun k u => let g := W u 0%N k (width_at heads k) in
    softmax_mean (x u) (stack_tokens (x u) (nth [::] lists j) *m (free_key g *m (free_query g)^T *m (x u j)^T)) *m free_value g).
  by have [mk mq mv] := mW 0%N k (width_at heads k); exact: movable_form.
by eexists; exact: (derives_add mK mM).
Qed.

Theorem movable_outputs (w : all_weights R S) p t : only_attention (befores S) ->
  movable (fun u => free_outputs (moved_free w p u) t).
Proof.
have line m n (M dM : 'M[R]_(m, n)) : movable (fun u => M + u *: dM) by exists dM; exact: derives_line.
move=> att; apply: movable_sum => h; apply: movable_form => [j|||]; try exact: line.
apply: movable_entering => // [l k v|i]; first by split; exact: line.
by exists 0; exact: derives_cst.
Qed.

End Means.
