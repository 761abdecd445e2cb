(* Free weights of layers of one head without residual connections before the layer: what enters it is a point p of the    *)
(* hulls of the given vectors, times the product of the values, and p depends on one form of each layer                    *)
(* (docs/mathematics.md, Free layers).                                                                                     *)
(*                                                                                                                         *)
(*            single_path bs == the layers have one head each and no residual connection                                   *)
(*               path A ls x == means of means of the vectors x, layer l with the form A l and the lists ls l              *)
(*                 path_move == their derivatives;  path_span == in a space of as many dimensions as the forms move in     *)
(*             motions m v q == the largest dimension of all dK Q^T + K dQ^T for given K (v x m) and Q (q x m)             *)
(*              forms W bs P == the forms of the weights W behind the values P; entering_path == they say what enters      *)
(*             absorbed W bs == weights with values 1 and the same means                                                   *)
(*         path_outputs_move == outputs move in a space of path_motions dimensions, and with the read-out                  *)
(*             path_partials == so do columns of the Jacobian;  point_rows == what the read-out is behind                  *)
From Attest Require Import integers.
From mathcomp Require Import zify classical_sets functions derive realfun.
From Attest Require Import attention common upper_bounds problem logits quantities statements other_layers stack_quantities.
From Attest Require Import quantity_bounds jacobians jacobian_bounds stack_enclosures stack_hulls tangents free_stacks.
Import numFieldNormedType.Exports.

Definition no_layer : earlier := EarlierAttention false [::] [::].
Definition lists_of (b : earlier) : seq (seq nat) := if b is EarlierAttention _ lists _ then lists else [::].
Definition path_width (b : earlier) : nat := if b is EarlierAttention _ _ heads then width_at heads 0 else 0%N.
Definition single_path (bs : seq earlier) : bool :=
  all (fun b => if b is EarlierAttention false _ [:: _] then true else false) bs.

(* the rows that those of s are means of behind layers with the lists ls; all of these are means of some *)
Fixpoint reach (ls : seq (seq (seq nat))) (s : seq nat) : seq nat :=
  if ls is l :: ls' then undup (flatten [seq nth [::] l j | j <- reach ls' s]) else s.
Fixpoint reaches (ls : seq (seq (seq nat))) (s : seq nat) : bool :=
  if ls is l :: ls' then reaches ls' s && all (fun j => 0 < size (nth [::] l j))%N (reach ls' s) else (0 < size s)%N.

Section Forms.
Variables (R : realType) (S : layer_stack).
Local Notation d := (d (top_problem S)).
Implicit Types (x dx p : nat -> 'rV[R]_d) (s : seq nat) (A dA : nat -> 'M[R]_d) (ls : seq (seq (seq nat))).

(* -------------------------------------------------------------------------- *)
(* Means of means                                                              *)
(* -------------------------------------------------------------------------- *)
Definition mean_at (A : 'M[R]_d) (l : seq (seq nat)) x (i : nat) : 'rV[R]_d :=
  softmax_mean x (stack_tokens x (nth [::] l i) *m (A *m (x i)^T)).
Definition mean_at_move (A dA : 'M[R]_d) (l : seq (seq nat)) x dx (i : nat) : 'rV[R]_d :=
  form_move x dx (nth [::] l i) A dA (x i) (dx i).

Fixpoint path A ls x : nat -> 'rV[R]_d :=
  if ls is l :: ls' then path (A \o succn) ls' (mean_at (A 0%N) l x) else x.
Fixpoint path_move A dA ls x dx : nat -> 'rV[R]_d :=
  if ls is l :: ls' then path_move (A \o succn) (dA \o succn) ls' (mean_at (A 0%N) l x) (mean_at_move (A 0%N) (dA 0%N) l x dx)
  else dx.

Lemma derives_path (A : R -> nat -> 'M[R]_d) dA ls (x : R -> nat -> 'rV[R]_d) dx i :
    (forall l, derives (fun u => A u l) (dA l)) -> (forall j, derives (fun u => x u j) (dx j)) ->
  derives (fun u => path (A u) ls (x u) i) (path_move (A 0) dA ls (x 0) dx i).
Proof.
elim: ls A dA x dx => [|l ls IH] A dA x dx mA mx //=.
apply: (IH (fun u => A u \o succn) _ (fun u => mean_at (A u 0%N) l (x u))) => [k|j]; first exact: mA.
exact: (derives_form (nth [::] l j) mx (mA 0%N) (mx j)).
Qed.

(* -------------------------------------------------------------------------- *)
(* The tangents are linear                                                     *)
(* -------------------------------------------------------------------------- *)
Lemma form_move_linear x s (A : 'M[R]_d) (y : 'rV[R]_d) (a : R) dx dx' (dA dA' : 'M[R]_d) (dy dy' : 'rV[R]_d) :
  form_move x (fun i => a *: dx i + dx' i) s A (a *: dA + dA') y (a *: dy + dy')
  = a *: form_move x dx s A dA y dy + form_move x dx' s A dA' y dy'.
Proof.
have tok : stack_tokens (fun i => a *: dx i + dx' i) s = a *: stack_tokens dx s + stack_tokens dx' s.
  by apply/row_matrixP => k; rewrite linearD linearZ /= !rowK.
rewrite /form_move /mean_move tok; set X := stack_tokens x s; set X1 := stack_tokens dx s; set X2 := stack_tokens dx' s.
set l := _ *m (A *m _); set M := softmax_slope l; set w := softmax l.
have -> : (a *: X1 + X2) *m (A *m y^T) + X *m ((a *: dA + dA') *m y^T + A *m (a *: dy + dy')^T)
    = a *: (X1 *m (A *m y^T) + X *m (dA *m y^T + A *m dy^T)) + (X2 *m (A *m y^T) + X *m (dA' *m y^T + A *m dy'^T)).
  rewrite linearP /= !(mulmxDl, mulmxDr) -!(scalemxAl, scalemxAr) !scalerDr.
  by rewrite [X in _ + X]addrACA addrACA.
move: (X1 *m _ + _) (X2 *m _ + _) => L1 L2.
rewrite !mulmxDr -!scalemxAr linearP /= mulmxDl -scalemxAl scalerDr.
by rewrite addrACA.
Qed.

Lemma form_span k e (b : nat -> 'M[R]_(k, d)) (E : 'M[R]_(e, d * d)) x s (A : 'M[R]_d) (y : 'rV[R]_d) (c : 'M[R]_(k, d)) :
  exists B : 'M[R]_(k + e, d), forall u w, form_move x (fun i => u *m b i) s A (vec_mx (w *m E)) y (u *m c) = row_mx u w *m B.
Proof.
pose f (z : 'rV[R]_(k + e)) := form_move x (fun i => lsubmx z *m b i) s A (vec_mx (rsubmx z *m E)) y (lsubmx z *m c).
have fl : linear f.
  move=> a z z'; rewrite /f -form_move_linear.
  have -> : (fun i => lsubmx (a *: z + z') *m b i) = fun i => a *: (lsubmx z *m b i) + lsubmx z' *m b i.
    by apply/funext => i; rewrite linearP /= mulmxDl -scalemxAl.
  have -> : vec_mx (rsubmx (a *: z + z') *m E) = a *: vec_mx (rsubmx z *m E) + vec_mx (rsubmx z' *m E).
    by rewrite linearP /= mulmxDl -scalemxAl linearP.
  by have -> : lsubmx (a *: z + z') *m c = a *: (lsubmx z *m c) + lsubmx z' *m c; first by rewrite linearP /= mulmxDl -scalemxAl.
exists (lin1_mx (Linear fl)) => u w; rewrite mul_rV_lin1 /= /f row_mxKl row_mxKr //.
Qed.

Lemma path_span (e : nat -> nat) (E : forall l, 'M[R]_(e l, d * d)) A ls x k (b : nat -> 'M[R]_(k, d)) :
  exists N (B : nat -> 'M[R]_(N, d)), (N = k + \sum_(l < size ls) e l)%N /\
    forall (u : 'rV[R]_k) (w : forall l, 'rV[R]_(e l)), exists z : 'rV[R]_N,
      forall i, path_move A (fun l => vec_mx (w l *m E l)) ls x (fun i => u *m b i) i = z *m B i.
Proof.
elim: ls e E A x k b => [|l ls IH] e E A x k b.
  by exists k, b; split=> [|u w]; [rewrite big_ord0 addn0|exists u].
have /choice[B BE] : forall i, exists B : 'M[R]_(k + e 0%N, d), forall u w,
    mean_at_move (A 0%N) (vec_mx (w *m E 0%N)) l x (fun j => u *m b j) i = row_mx u w *m B.
  by move=> i; apply: form_span.
have [N [B' [NE B'E]]] := IH (e \o succn) (fun l => E l.+1) (A \o succn) (mean_at (A 0%N) l x) _ B.
exists N, B'; split=> [|u w]; first by rewrite NE big_ord_recl /= addnA.
have [z zE] := B'E (row_mx u (w 0%N)) (fun l => w l.+1); exists z => i; rewrite -zE /=.
by congr (path_move _ _ _ _ _ i); apply/funext => j; apply: BE.
Qed.

(* -------------------------------------------------------------------------- *)
(* The tangents stay in the space of differences                               *)
(* -------------------------------------------------------------------------- *)
Lemma form_inside m (V : 'M[R]_(m, d)) c x dx s (A dA : 'M[R]_d) (y dy : 'rV[R]_d) :
  (0 < size s)%N -> (forall a, a \in s -> (x a - c <= V)%MS /\ (dx a <= V)%MS) -> (form_move x dx s A dA y dy <= V)%MS.
Proof.
move=> s0 sV; rewrite /form_move /mean_move; set l := _ *m (A *m _); set dl := (X in softmax_slope l *m X); apply: addmx_sub; last first.
  apply: submx_trans (submxMl _ _) _; apply/row_subP => k; rewrite rowK.
  by have [_] := sV _ (mem_nth 0%N (ltn_ord k)).
have sum0 : \sum_k (softmax_slope l *m dl) k 0 = 0.
  rewrite (eq_bigr (fun k => \sum_j softmax_slope l k j * dl j 0)) => [|k _]; last by rewrite mxE.
  rewrite exchange_big big1 //= => j _; rewrite -mulr_suml (_ : \sum_k _ = 0) ?mul0r //.
  rewrite (eq_bigr (fun k => softmax l k 0 * (k == j)%:R - softmax l k 0 * softmax l j 0)) => [|k _]; last by rewrite mxE mulrBr.
  rewrite big_split /= sumrN -mulr_suml softmax_sum1 // mul1r (bigD1 j) //= eqxx mulr1 big1 ?addr0 ?subrr // => k kj.
  by rewrite (negbTE kj) mulr0.
have -> : (softmax_slope l *m dl)^T *m stack_tokens x s = \sum_k (softmax_slope l *m dl) k 0 *: (x (nth 0%N s k) - c).
  rewrite (eq_bigr (fun k => (softmax_slope l *m dl) k 0 *: x (nth 0%N s k) - (softmax_slope l *m dl) k 0 *: c)); last first.
    by move=> k _; rewrite scalerBr.
  rewrite big_split /= sumrN -scaler_suml sum0 scale0r subr0 mulmx_sum_row.
  by apply: eq_bigr => k _; rewrite rowK [X in X *: _]mxE.
apply: summx_sub => k _; apply: scalemx_sub; by have [] := sV _ (mem_nth 0%N (ltn_ord k)).
Qed.

Lemma path_inside m (V : 'M[R]_(m, d)) c A dA ls s x dx : reaches ls s ->
    (forall a, a \in reach ls s -> (x a - c <= V)%MS /\ (dx a <= V)%MS) ->
  forall i, i \in s -> (path A ls x i - c <= V)%MS /\ (path_move A dA ls x dx i <= V)%MS.
Proof.
elim: ls A dA x dx => [|l ls IH] A dA x dx /=; first by move=> _ xV i si; exact: xV.
move=> /andP[ok some] xV i si; apply: IH => // a ar; have a0 : (0 < size (nth [::] l a))%N := allP some a ar.
have tV b : b \in nth [::] l a -> (x b - c <= V)%MS /\ (dx b <= V)%MS.
  by move=> ba; apply: xV; rewrite mem_undup; apply/flattenP; exists (nth [::] l a) => //; apply: map_f.
split; last exact: form_inside a0 tV.
by apply: mean_inside => // b /tV[].
Qed.

(* -------------------------------------------------------------------------- *)
(* Products of keys and queries                                                *)
(* -------------------------------------------------------------------------- *)
Lemma tensor_mul (v q m : nat) k l (C : 'M[R]_(k, v)) (B : 'M[R]_(l, q)) (X : 'M[R]_(v, m)) (Y : 'M[R]_(q, m)) :
  (X^T <= C)%MS -> (Y^T <= B)%MS -> (mxvec (X *m Y^T) <= tensor C B)%MS.
Proof.
move=> XC YB; have -> : X *m Y^T = \sum_j (row j X^T)^T *m row j Y^T.
  apply/matrixP => i j; rewrite mxE summxE; apply: eq_bigr => r _.
  by rewrite !mxE big_ord1 !mxE.
rewrite linear_sum /=; apply: summx_sub => j _; apply: tensor_sub; first exact: submx_trans (row_sub _ _) XC.
exact: submx_trans (row_sub _ _) YB.
Qed.

Definition motions (m v q : nat) : nat := (minn m v * q + minn m q * (v - m))%N.

Lemma form_motions (v q m : nat) (K : 'M[R]_(v, m)) (Q : 'M[R]_(q, m)) :
  exists E : 'M[R]_(motions m v q, v * q), forall dK dQ, (mxvec (dK *m Q^T + K *m dQ^T) <= E)%MS.
Proof.
pose E1 := tensor K^T (1%:M : 'M[R]_q); pose E2 := tensor (K^T)^C%MS Q^T; pose E := col_mx E1 E2.
have rE : (\rank E <= motions m v q)%N.
  apply: leq_trans (rank_leq_row _) _; rewrite mxrank1 mxrank_compl.
  by apply: motions_leq; rewrite leq_min rank_leq_row rank_leq_col.
have [E' EE'] : exists E' : 'M[R]_(motions m v q, v * q), (E <= E')%MS.
  exists (pid_mx (\rank E) *m row_base E); rewrite -(eq_row_base E); apply/submxP; exists (pid_mx (\rank E)).
  by rewrite mulmxA pid_mx_id // pid_mx_1 mul1mx.
exists E' => dK dQ; apply: submx_trans EE'; rewrite -addsmxE linearD /=; apply: addmx_sub; last first.
  apply: submx_trans (addsmxSl _ _); apply: tensor_mul => //; exact: submx1.
have : (dK^T <= K^T + (K^T)^C)%MS by apply: submx_full; exact: addsmx_compl_full.
case/sub_addsmxP => -[u w] /= dKE; have -> : dK = (u *m K^T)^T + (w *m (K^T)^C%MS)^T by rewrite -linearD /= -dKE trmxK.
rewrite mulmxDl linearD /= addmx_sub //.
  by apply: submx_trans (addsmxSl _ _); apply: tensor_mul; [rewrite trmxK submxMl|exact: submx1].
by apply: submx_trans (addsmxSr _ _); apply: tensor_mul; [rewrite trmxK submxMl|].
Qed.

Definition motion_span (v q m : nat) (K : 'M[R]_(v, m)) (Q : 'M[R]_(q, m)) : 'M[R]_(motions m v q, v * q) :=
  sval (cid (form_motions K Q)).
Lemma motion_spanP (v q m : nat) (K : 'M[R]_(v, m)) (Q : 'M[R]_(q, m)) dK dQ :
  exists w, dK *m Q^T + K *m dQ^T = vec_mx (w *m motion_span K Q).
Proof.
rewrite /motion_span; case: (cid _) => E /= /(_ dK dQ)/submxP[w wE].
by exists w; rewrite -wE mxvecK.
Qed.

End Forms.

(* -------------------------------------------------------------------------- *)
(* Free weights                                                                *)
(* -------------------------------------------------------------------------- *)
Section Free.
Variables (R : realType) (S : layer_stack).
Local Notation d := (d (top_problem S)).
Local Notation stacked := (nat -> free_weights R S).
Implicit Types (x p : nat -> 'rV[R]_d) (V : nat -> 'M[R]_d) (W : stacked) (bs : seq earlier).

Fixpoint way V (l : nat) : 'M[R]_d := if l is l'.+1 then V 0%N *m way (V \o succn) l' else 1%:M.

Lemma derives_way (V : R -> nat -> 'M[R]_d) dV l : (forall k, derives (fun u => V u k) (dV k)) ->
  exists dP, derives (fun u => way (V u) l) dP.
Proof.
elim: l V dV => [|l IH] V dV mV; first by exists 0; exact: derives_cst.
have [dP mP] := IH (fun u => V u \o succn) (dV \o succn) (fun k => mV k.+1).
by eexists; exact: (derives_mul (mV 0%N) mP).
Qed.

Lemma way1 l : way (fun=> 1%:M) l = 1%:M.
Proof. by elim: l => //= l IH; rewrite mul1mx IH. Qed.

Definition head_at W bs l : free_head R d (path_width (nth no_layer bs l)) := W l 0%N (path_width (nth no_layer bs l)).
Definition path_values W bs l : 'M[R]_d := free_value (head_at W bs l).
Definition path_key W bs (P : 'M[R]_d) l := P *m way (path_values W bs) l *m free_key (head_at W bs l).
Definition path_query W bs (P : 'M[R]_d) l := P *m way (path_values W bs) l *m free_query (head_at W bs l).
Definition forms W bs (P : 'M[R]_d) l : 'M[R]_d := path_key W bs P l *m (path_query W bs P l)^T.

Lemma tokens_times p (P : 'M[R]_d) s : stack_tokens (fun i => p i *m P) s = stack_tokens p s *m P.
Proof. by apply/row_matrixP => k; rewrite row_mul !rowK. Qed.

Lemma mean_times p (P M : 'M[R]_d) s (y : 'rV[R]_d) :
  softmax_mean (fun i => p i *m P) (stack_tokens (fun i => p i *m P) s *m (M *m (y *m P)^T))
  = softmax_mean p (stack_tokens p s *m (P *m M *m P^T *m y^T)) *m P.
Proof. by rewrite /softmax_mean tokens_times trmx_mul !mulmxA. Qed.

Lemma entering_path W bs p (P : 'M[R]_d) i : single_path bs ->
  entering_free W bs (fun j => p j *m P) i
  = path (forms W bs P) [seq lists_of b | b <- bs] p i *m (P *m way (path_values W bs) (size bs)).
Proof.
elim: bs W p P => [|b bs IH] W p P /=; first by rewrite mulmx1.
case: b => // -[] // lists [|g [|]] // sp.
set b := EarlierAttention _ _ _; set q := mean_at (forms W (b :: bs) P 0%N) lists p.
have -> : after_free (W 0%N) b (fun j => p j *m P) = fun j => q j *m (P *m path_values W (b :: bs) 0%N).
  have F0 : forms W (b :: bs) P 0%N = P *m (free_key (W 0%N 0%N (width_at [:: g] 0)) *m
      (free_query (W 0%N 0%N (width_at [:: g] 0)))^T) *m P^T.
    by rewrite /forms /path_key /path_query [way _ _]/= !mulmx1 trmx_mul !mulmxA.
  by apply/funext => j; rewrite /= big_cons big_nil addr0 add0r mean_times /q /mean_at F0 [RHS]mulmxA.
rewrite IH // -!mulmxA; congr (path _ _ _ i *m _).
by apply/funext => l; rewrite /forms /path_key /path_query /= !mulmxA.
Qed.

(* weights with values 1 and the same means *)
Definition absorbed W bs : stacked := fun l k w =>
  let g := W l k w in let P := way (path_values W bs) l in FreeHead (P *m free_key g) (P *m free_query g) 1%:M.

Lemma entering_absorbed W bs x i : single_path bs ->
  entering_free (absorbed W bs) bs x i = path (forms W bs 1%:M) [seq lists_of b | b <- bs] x i.
Proof.
move=> sp; have v1 : path_values (absorbed W bs) bs = fun=> 1%:M by [].
have x1 : x = fun j => x j *m 1%:M by apply/funext => j; rewrite mulmx1.
rewrite [in LHS]x1 entering_path // v1 way1 !mulmx1.
rewrite (_ : forms (absorbed W bs) bs 1%:M = forms W bs 1%:M) //.
by apply/funext => l; rewrite /forms /path_key /path_query v1 way1 !mul1mx.
Qed.

End Free.

(* -------------------------------------------------------------------------- *)
(* The outputs                                                                 *)
(* -------------------------------------------------------------------------- *)
Section Outputs.
Variables (R : realType) (S : layer_stack).
Local Notation D := (top_problem S).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation stacked := (nat -> free_weights R S).
Local Notation bs := (befores S).
Local Notation own t := (nth 0%N (example_rows S) t).
Implicit Types (W : stacked) (K Q : 'I_H -> 'M[R]_(d, d_h D)).

Definition weights_mean W K Q (t : 'I_T) (h : 'I_H) : 'rV[R]_d :=
  let x := entering_free W bs (given_vectors R S) in
  softmax_mean x (stack_tokens x (list_of t) *m (K h *m (Q h)^T *m (x (own t))^T)).
Definition weights_output k (U : 'I_H -> 'M[R]_(d, k)) W K Q (t : 'I_T) : 'rV[R]_k := \sum_h weights_mean W K Q t h *m U h.

Let P W := way (path_values W bs) (size bs).
Let ls := [seq lists_of b | b <- bs].
Let points W := path (forms W bs 1%:M) ls (given_vectors R S).
Definition point_mean W K Q (t : 'I_T) (h : 'I_H) : 'rV[R]_d := let x := points W in
  softmax_mean x (stack_tokens x (list_of t) *m (P W *m K h *m (P W *m Q h)^T *m (x (own t))^T)).

Lemma mean_point W K Q t h : single_path bs -> weights_mean W K Q t h = point_mean W K Q t h *m P W.
Proof.
move=> sp; rewrite /weights_mean; set x := entering_free _ _ _.
have -> : x = fun j => points W j *m P W.
  have x1 : given_vectors R S = fun j => given_vectors R S j *m 1%:M by apply/funext => j; rewrite mulmx1.
  by apply/funext => j; rewrite /x [in LHS]x1 entering_path // mul1mx.
by rewrite mean_times /point_mean !trmx_mul !mulmxA.
Qed.

Lemma point_mean_absorbed W K Q t h : single_path bs ->
  point_mean W K Q t h = weights_mean (absorbed W bs) (fun h => P W *m K h) (fun h => P W *m Q h) t h.
Proof.
move=> sp; rewrite /weights_mean; have -> : entering_free (absorbed W bs) bs (given_vectors R S) = points W.
  by apply/funext => j; rewrite entering_absorbed.
by [].
Qed.

Lemma point_mean_inside m (V : 'M[R]_(m, d)) W K Q t h : reaches ls (list_of t) ->
  (forall a, a \in reach ls (list_of t) -> (given_vectors R S a <= V)%MS) -> (point_mean W K Q t h <= V)%MS.
Proof.
move=> ok inside; have t0 : (0 < size (list_of t))%N by elim: (ls) ok {inside} => //= l ls' IH /andP[/IH].
have pV := @path_inside R S _ V 0 (forms W bs 1%:M) (fun=> 0) ls (list_of t) (given_vectors R S) (fun=> 0) ok.
rewrite -[point_mean _ _ _ _ _]subr0; apply: mean_inside t0 _ => a /pV[|v _] //.
by move=> b /inside; rewrite subr0 sub0mx.
Qed.

Definition mean_rows W K Q : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_h weights_mean W K Q t h).

Lemma free_Z_rows W K Q : mean_rows W K Q = free_Z W (Weights K Q (fun=> 0) 0 0).
Proof.
apply/row_matrixP => t; rewrite [LHS]rowK [RHS]rowK ZE rowK /stack trmxK; congr mxvec; apply/row_matrixP => h; rewrite !rowK.
by rewrite /weights_mean /softmax_mean trmx_mul trmxK !mulmxA.
Qed.

Lemma rank_mean_rows W K Q : (\rank (mean_rows W K Q) <= free_capacity R S)%N.
Proof.
rewrite free_Z_rows; apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
by exists W, (Weights K Q (fun=> 0) 0 0).
Qed.

Definition point_rows W K Q : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_h point_mean W K Q t h).

Lemma rank_point_rows W K Q : single_path bs -> (\rank (point_rows W K Q) <= free_capacity R S)%N.
Proof.
move=> sp; rewrite (_ : point_rows W K Q = mean_rows (absorbed W bs) (fun h => P W *m K h) (fun h => P W *m Q h)); first exact: rank_mean_rows.
by apply/row_matrixP => t; rewrite !rowK; congr mxvec; apply/row_matrixP => h; rewrite !rowK point_mean_absorbed.
Qed.

Lemma point_sums k (X : 'I_H -> 'M[R]_(d, k)) : exists Z, forall W K Q t,
  \sum_h point_mean W K Q t h *m X h = row t (point_rows W K Q) *m Z.
Proof.
pose f (v : 'rV[R]_(H * d)) := \sum_h row h (vec_mx v) *m X h.
have fl : linear f.
  by move=> a v v'; rewrite /f scaler_sumr -big_split /=; apply: eq_bigr => h _; rewrite scalemxAl -mulmxDl !linearP.
exists (lin1_mx (Linear fl)) => W K Q t; rewrite mul_rV_lin1 /= /f rowK mxvecK.
by apply: eq_bigr => h _; rewrite rowK.
Qed.

(* weights of heads that move from given ones on                                *)
Definition weights_move (W : R -> stacked) : Prop := forall l, exists g : free_head R d (path_width (nth no_layer bs l)),
  [/\ derives (fun u => free_key (head_at (W u) bs l)) (free_key g), derives (fun u => free_query (head_at (W u) bs l)) (free_query g)
    & derives (fun u => free_value (head_at (W u) bs l)) (free_value g)].

Lemma product_moves m (X : R -> 'M[R]_d) dX (K Q : R -> 'M[R]_(d, m)) dK dQ : derives X dX -> derives K dK -> derives Q dQ ->
  exists w, derives (fun u => X u *m K u *m (X u *m Q u)^T) (vec_mx (w *m motion_span (X 0 *m K 0) (X 0 *m Q 0))).
Proof.
move=> mX mK mQ; have [w wE] := motion_spanP (X 0 *m K 0) (X 0 *m Q 0) (dX *m K 0 + X 0 *m dK) (dX *m Q 0 + X 0 *m dQ).
by exists w; rewrite -wE; apply: (derives_mul (derives_mul mX mK) (derives_tr (derives_mul mX mQ))).
Qed.

Definition path_motions : nat := (sumn [seq motions (path_width b) d d | b <- bs] + H * motions (d_h D) d d)%N.

Theorem path_outputs_move k W0 K0 Q0 (U0 : 'I_H -> 'M[R]_(d, k)) : single_path bs ->
  exists B : 'I_T -> 'M[R]_(path_motions, k), forall (W : R -> stacked) (K Q : R -> 'I_H -> 'M[R]_(d, d_h D)) (U : R -> 'I_H -> 'M[R]_(d, k)) dK dQ dU,
    W 0 = W0 -> K 0 = K0 -> Q 0 = Q0 -> U 0 = U0 ->
    weights_move W -> (forall h, derives (fun u => K u h) (dK h)) -> (forall h, derives (fun u => Q u h) (dQ h)) ->
    (forall h, derives (fun u => U u h) (dU h)) ->
    exists z X, forall t, derives (fun u => weights_output (U u) (W u) (K u) (Q u) t) (z *m B t + \sum_h point_mean W0 K0 Q0 t h *m X h) /\
      forall m (V : 'M[R]_(m, d)) c, reaches ls (list_of t) -> (forall a, a \in reach ls (list_of t) -> (given_vectors R S a - c <= V)%MS) ->
        (z *m B t <= \sum_h <<V *m (P W0 *m U0 h)>>)%MS.
Proof.
move=> sp; pose e l := motions (path_width (nth no_layer bs l)) d d.
pose E l := motion_span (path_key W0 bs 1%:M l) (path_query W0 bs 1%:M l).
pose E' h := motion_span (P W0 *m K0 h) (P W0 *m Q0 h).
have [N [B0 [NE B0E]]] := path_span E (forms W0 bs 1%:M) ls (given_vectors R S) (fun=> 0 : 'M[R]_(0, d)).
have /choice[B1 B1E] : forall th : 'I_T * 'I_H, exists B : 'M[R]_(N + motions (d_h D) d d, d), forall u w,
    form_move (points W0) (fun i => u *m B0 i) (list_of th.1) (P W0 *m K0 th.2 *m (P W0 *m Q0 th.2)^T) (vec_mx (w *m E' th.2))
      (points W0 (own th.1)) (u *m B0 (own th.1)) = row_mx u w *m B.
  by move=> th; apply: form_span.
pose f t (z : 'rV[R]_(N + H * motions (d_h D) d d)) : 'rV[R]_k :=
  \sum_h row_mx (lsubmx z) (row h (vec_mx (rsubmx z))) *m (B1 (t, h) *m (P W0 *m U0 h)).
have fl t : linear (f t).
  move=> a z z'; rewrite /f scaler_sumr -big_split /=; apply: eq_bigr => h _.
  by rewrite scalemxAl -mulmxDl scale_row_mx add_row_mx !linearP.
have NM : (N + H * motions (d_h D) d d = path_motions)%N.
  by rewrite NE size_map add0n /path_motions sumnE big_map (big_nth no_layer) big_mkord.
rewrite -NM; exists (fun t => lin1_mx (Linear (fl t))).
move=> W K Q U dK dQ dU W00 K00 Q00 U00 mW mK mQ mU.
pose dV l := free_value (sval (cid (mW l))).
have mV l : derives (fun u => path_values (W u) bs l) (dV l) by rewrite /dV; case: (cid (mW l)) => ? [].
have mway l : exists dP, derives (fun u => 1%:M *m way (path_values (W u) bs) l) dP.
  have [dP mP] := derives_way l mV; by eexists; exact: (derives_mul (derives_cst _) mP).
have mF l : exists w, derives (fun u => forms (W u) bs 1%:M l) (vec_mx (w *m E l)).
  have [dP mP] := mway l; have [g [mk mq _]] := mW l.
  by rewrite /E -W00; exact: (product_moves mP mk mq).
pose g l := sval (cid (mF l)); have gE l : derives (fun u => forms (W u) bs 1%:M l) (vec_mx (g l *m E l)).
  by rewrite /g; case: (cid (mF l)).
have [z0 z0E] := B0E 0 g.
have mp i : derives (fun u => points (W u) i) (z0 *m B0 i).
  rewrite -z0E -W00; apply: (@derives_path R S (fun u => forms (W u) bs 1%:M) _ ls (fun=> given_vectors R S)) => // j.
  by apply: derives_eq (derives_cst _) _; rewrite mulmx0.
have [dP mP] := derives_way (size bs) mV.
have /choice[w wE] : forall h, exists w, derives (fun u => P (W u) *m K u h *m (P (W u) *m Q u h)^T) (vec_mx (w *m E' h)).
  by move=> h; rewrite /E' -W00 -K00 -Q00; exact: (product_moves mP (mK h) (mQ h)).
pose dM h := dP *m U0 h + P W0 *m dU h.
have mM h : derives (fun u => P (W u) *m U u h) (dM h) by rewrite /dM -W00 -U00; exact: derives_mul mP (mU h).
exists (row_mx z0 (mxvec (\matrix_h w h))), dM => t.
rewrite mul_rV_lin1 /= /f row_mxKl row_mxKr mxvecK; split; last first.
  move=> m V c ok inside; apply: summx_sub_sums => h _; rewrite genmxE mulmxA rowK -B1E /=; apply: submxMr.
  have dV0 a : a \in reach ls (list_of t) -> (given_vectors R S a - c <= V)%MS /\ ((0 : 'rV[R]_0) *m (0 : 'M[R]_(0, d)) <= V)%MS.
    by move=> /inside ac; rewrite mulmx0 sub0mx.
  have pV := @path_inside R S _ V c (forms W0 bs 1%:M) (fun l => vec_mx (g l *m E l)) ls (list_of t) _ _ ok dV0.
  have t0 : (0 < size (list_of t))%N by elim: (ls) ok {dV0 pV inside} => //= l ls' IH /andP[/IH].
  apply: form_inside t0 _ => a /pV[v1 v2]; split; [exact: v1|rewrite -z0E; exact: v2].
rewrite -big_split /=.
have ext u : weights_output (U u) (W u) (K u) (Q u) t = \sum_h point_mean (W u) (K u) (Q u) t h *m (P (W u) *m U u h).
  by apply: eq_bigr => h _; rewrite mean_point // mulmxA.
apply: derives_ext (fun u => esym (ext u)) _; apply: derives_sum => h.
apply: derives_eq (derives_mul (derives_form (list_of t) mp (wE h) (mp (own t))) (mM h)) _.
have eB := B1E (t, h) z0 (w h); rewrite W00 K00 Q00 U00 rowK; congr (_ + _); by rewrite [RHS]mulmxA -eB.
Qed.

(* -------------------------------------------------------------------------- *)
(* The Jacobian                                                                *)
(* -------------------------------------------------------------------------- *)
Lemma moved_free0 (w : all_weights R S) p : moved_free w p 0 = w.
Proof.
case: w => W K Q U; rewrite /moved_free /=; congr AllWeights; apply/funext => h; rewrite ?scale0r ?addr0 //.
by apply/funext => k; apply: functional_extensionality_dep => v; rewrite !scale0r !addr0; case: (W h k v).
Qed.

Lemma path_partials (w : all_weights R S) : single_path bs ->
  exists B : 'I_T -> 'M[R]_(path_motions, d_out D), forall p, exists z X, forall t,
    (forall o, free_partial w t o p
      = (z *m B t + \sum_h point_mean (weights_before w) (last_key w) (last_query w) t h *m X h) 0 o) /\
    forall m (V : 'M[R]_(m, d)) c, reaches ls (list_of t) -> (forall a, a \in reach ls (list_of t) -> (given_vectors R S a - c <= V)%MS) ->
      (z *m B t <= \sum_h <<V *m (P (weights_before w) *m last_readout w h)>>)%MS.
Proof.
move=> sp; have [B move] := path_outputs_move (weights_before w) (last_key w) (last_query w) (last_readout w) sp.
exists B => p; pose at0 := moved_free0 w p.
have [l|h|h|h|z [X zX]] := move (fun x => weights_before (moved_free w p x)) (fun x => last_key (moved_free w p x))
    (fun x => last_query (moved_free w p x)) (fun x => last_readout (moved_free w p x))
    (fun h => unit_of_key R p (size bs) h d (d_h D)) (fun h => unit_of_query R p (size bs) h d (d_h D))
    (fun h => unit_of_value R p (size bs) h d (d_out D)) (congr1 (@weights_before R S) at0) (congr1 (@last_key R S) at0)
    (congr1 (@last_query R S) at0) (congr1 (@last_readout R S) at0).
- exists (FreeHead (unit_of_key R p l 0 d _) (unit_of_query R p l 0 d _) (unit_of_value R p l 0 d d)).
  by split; exact: derives_line.
- exact: derives_line.
- exact: derives_line.
- exact: derives_line.
by exists z, X => t; have [dt inside] := zX t; split=> // o; exact: derives_unique dt.
Qed.

(* columns of the form that outputs move in *)
Lemma rank_moving_spaces k m e b (B : 'M[R]_(b, #|{: 'I_T * 'I_k}|)) (Y : 'M[R]_(T, e)) (J : 'M[R]_(#|{: 'I_T * 'I_k}|, m)) :
    (forall j, exists (f : 'rV[R]_#|{: 'I_T * 'I_k}|) X, (f <= B)%MS /\
      forall i, J i j = f 0 i + (row (enum_val i).1 Y *m X) 0 (enum_val i).2) ->
  (\rank J <= \rank B + k * \rank Y)%N.
Proof.
move=> JE; pose reads (o : 'I_k) : 'M[R]_(#|{: 'I_T * 'I_k}|, e) :=
  \matrix_i if (enum_val i).2 == o then row (enum_val i).1 Y else 0.
have reads_rank o : (\rank (reads o) <= \rank Y)%N.
  by apply/mxrankS/row_subP => i; rewrite rowK; case: ifP; rewrite ?row_sub ?sub0mx.
have le : (J^T <= B + \sum_(o < k) <<(reads o)^T>>)%MS.
  apply/row_subP => j; have [f [X [fB fX]]] := JE j.
  have -> : row j J^T = f + \sum_o (col o X)^T *m (reads o)^T.
    apply/rowP => i; rewrite 2!mxE fX !mxE; congr (_ + _).
    rewrite summxE [RHS](bigD1 (enum_val i).2) //= [X in _ = _ + X]big1 ?addr0 => [|o ne].
      by rewrite [RHS]mxE; apply: eq_bigr => a _; rewrite !mxE eqxx !mxE mulrC.
    by rewrite mxE big1 // => a _; rewrite !mxE eq_sym (negbTE ne) mxE mulr0.
  apply: addmx_sub_adds => //.
  by apply: summx_sub_sums => o _; rewrite genmxE submxMl.
rewrite -mxrank_tr; apply: leq_trans (mxrankS le) _; apply: leq_trans (mxrank_adds_leqif _ _) _.
apply: leq_add (leqnn _) _; apply: leq_trans (mxrank_sum_leqif _) _ => /=.
apply: leq_trans (_ : \sum_(o < k) \rank Y <= _)%N; last by rewrite sum_nat_const card_ord.
by apply: leq_sum => o _; rewrite genmxE mxrank_tr reads_rank.
Qed.

Lemma rank_moving_outputs k N m e (B : 'I_T -> 'M[R]_(N, k)) (Y : 'M[R]_(T, e)) (J : 'M[R]_(#|{: 'I_T * 'I_k}|, m)) :
    (forall j, exists z X, forall i, J i j = (z *m B (enum_val i).1 + row (enum_val i).1 Y *m X) 0 (enum_val i).2) ->
  (\rank J <= N + k * \rank Y)%N.
Proof.
move=> JE; pose B' : 'M[R]_(N, #|{: 'I_T * 'I_k}|) := \matrix_(a, i) B (enum_val i).1 a (enum_val i).2.
apply: leq_trans (_ : \rank B' + k * \rank Y <= _)%N; last by rewrite leq_add2r rank_leq_row.
apply: rank_moving_spaces => j; have [z [X zX]] := JE j; exists (z *m B'), X; split=> [|i]; first exact: submxMl.
by rewrite zX mxE; congr (_ + _); rewrite !mxE; apply: eq_bigr => a _; rewrite !mxE.
Qed.

End Outputs.
