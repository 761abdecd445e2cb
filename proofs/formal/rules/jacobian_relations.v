(* The proved checker, relations between examples and Jacobians: what holds between the   *)
(* means of all heads holds between the outputs of all weights, and their derivatives.     *)
(*                                                                                        *)
(*   related_span == a space of the dimension largest_rank has all columns of means         *)
(*   related_outputs == functional dimension <= d_out largest_rank                          *)
(*   directions w V == where keys and queries move outputs: the differences V of tokens       *)
(*          through the read-outs of all heads                                              *)
(*   moving_directions == functional dimension <= (d_out - f) capacity + largest_rank f,      *)
(*          f = min(d_out, H rank(differences))                                              *)
(*   moving_outputs == functional dimension <= d_out capacity + N min(d_out, H (n - 1)), N the  *)
(*          number of different examples                                                     *)
From Attest Require Import integers attention kruskal affine_hull biases common literal_arithmetic bounds problem jacobian logits.
From Attest Require Import token_order quantity_bounds schemas heads part_bounds memorized jacobians jacobian_bounds.
From mathcomp Require Import classical_sets functions derive realfun.
Import numFieldNormedType.Exports.

Lemma tensor_both (F : fieldType) k l m n (A : 'M[F]_(k, m)) (B : 'M[F]_(l, n)) (G : 'M[F]_(m, n)) :
  (G^T <= A)%MS -> (G <= B)%MS -> (mxvec G <= tensor A B)%MS.
Proof.
move=> /submxP[Y YE] /mulmxKpV GE.
have -> : G = \sum_a (row a A)^T *m row a (Y^T *m pinvmx B *m B).
  rewrite -{1}GE -[G in LHS]trmxK YE trmx_mul -!mulmxA.
  apply/matrixP => i j; rewrite mxE summxE; apply: eq_bigr => a _.
  by rewrite [in RHS]mxE big_ord1 !mxE.
rewrite linear_sum; apply: summx_sub => a _; apply: tensor_sub; first exact: row_sub.
by apply: submx_trans (row_sub _ _) (submxMl _ _).
Qed.

Lemma moved_leq (r c o f f' : nat) : (c <= r -> f' <= f -> f <= o -> r * f' + c * (o - f') <= (o - f) * c + r * f)%N.
Proof.
move=> cr ff fo; have -> : (o - f' = (o - f) + (f - f'))%N by rewrite addnBA // subnK.
rewrite mulnDr addnCA [(c * (o - f))%N]mulnC leq_add2l -{2}(subnKC ff) mulnDr leq_add2l.
by rewrite leq_mul2r cr orbT.
Qed.

Section Related.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation d_h := (d_h D).
Local Notation d_out := (d_out D).
Local Notation V := (difference_matrix R D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation pair := [finType of 'I_T * 'I_d_out].
Hypothesis okD : wf_sizes D.
Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N := n_gt0 okP.

Definition head_means (W : 'M[R]_d) (j : 'I_d) : 'rV[R]_T := \row_t ((E t)^T *m softmax (E t *m W *m e t)) j 0.

Lemma head_means_row k (W : 'I_k -> 'M[R]_d) h j : head_means (W h) j = row (mxvec_index h j) (Zmx E e W)^T.
Proof. by apply/rowP => t; rewrite mxE [RHS]mxE [RHS]mxE [RHS]mxE /stack trmxK mxvecE [RHS]mxE [RHS]mxE. Qed.

Lemma related_span : exists k, exists2 U : 'M[R]_(k, T), (\rank U <= largest_rank R D)%N &
  forall (K Q : 'M[R]_(d, d_h)) j, (head_means (K *m Q^T) j <= U)%MS.
Proof.
pose reached k := exists h (P : weights R h d d_h 0 0 0), (k <= \rank (attention.Z E e P))%N.
have [h [P le]] : reached (largest_rank R D).
  have [r0|] := posnP (largest_rank R D); last exact: (@largest_in T reached).
  by exists 0%N, (Weights (fun=> 0) (fun=> 0) (fun=> 0) 0 0); rewrite r0.
pose W i := WK P i *m (WQ P i)^T.
exists (h * d)%N, (Zmx E e W)^T.
  rewrite mxrank_tr -ZE; apply: largest_geq; first exact: rank_leq_row.
  by exists h, P.
move=> K Q j; pose W' (i : 'I_h.+1) := if insub (i : nat) is Some i' then W i' else K *m Q^T.
have sub : ((Zmx E e W)^T <= (Zmx E e W')^T)%MS.
  apply/row_subP => c; case/mxvec_indexP: c => i l; rewrite -head_means_row.
  have -> : W i = W' (widen_ord (leqnSn h) i).
    by rewrite /W' (_ : insub (nat_of_ord (widen_ord (leqnSn h) i)) = Some i :> option 'I_h) //; apply: valK.
  by rewrite head_means_row row_sub.
have new : (head_means (K *m Q^T) j <= (Zmx E e W')^T)%MS.
  have -> : K *m Q^T = W' ord_max by rewrite /W' insubF //= ltnn.
  by rewrite head_means_row row_sub.
apply: submx_trans new _; rewrite -(mxrank_leqif_sup sub).2 eqn_leq mxrankS //=.
have W'E : exists P' : weights R h.+1 d d_h 0 0 0, attention.Z E e P' = Zmx E e W'.
  exists (Weights (fun i => if insub (i : nat) is Some i' then WK P i' else K)
    (fun i => if insub (i : nat) is Some i' then WQ P i' else Q) (fun=> 0) 0 0).
  by rewrite ZE; congr (Zmx E e _); apply/funext => i; rewrite /W' /=; case: insub.
have [P' PE] := W'E; rewrite !mxrank_tr -PE -ZE; apply: leq_trans le.
by apply: largest_geq; [exact: rank_leq_row|exists h.+1, P'].
Qed.

(* the outputs o of all examples                                                   *)
Let none : 'I_H -> 'cV[R]_d_h := fun=> 0.
Definition outputs_row (w : parameter D d_h -> R) o : 'rV[R]_T := \row_t outputs 1 none none w t o 0.

Lemma outputs_row_sub k (U : 'M[R]_(k, T)) w o :
  (forall (K Q : 'M[R]_(d, d_h)) j, (head_means (K *m Q^T) j <= U)%MS) -> (outputs_row w o <= U)%MS.
Proof.
move=> UP; have -> : outputs_row w o = \sum_h \sum_j readout_of w h j o *: head_means (key_of w h *m (query_of w h)^T) j.
  apply/rowP => t; rewrite mxE /outputs [LHS]summxE summxE; apply: eq_bigr => h _.
  rewrite mxE summxE; apply: eq_bigr => j _; rewrite mxE [RHS]mxE [X in _ = _ * X]mxE; congr (_ * _).
  congr ((_ *m softmax _) _ _); rewrite scale1r /logits_at trmx0 mulmx0 !addr0; by rewrite !mulmxA.
by apply: summx_sub => h _; apply: summx_sub => j _; apply: scalemx_sub; apply: UP.
Qed.

Lemma partial_row_sub k (U : 'M[R]_(k, T)) w o c :
    (forall (K Q : 'M[R]_(d, d_h)) j, (head_means (K *m Q^T) j <= U)%MS) ->
  (\row_t partial 1 none none w t o c <= U)%MS.
Proof.
move=> UP; rewrite submxE; apply/eqP/rowP => l; rewrite mxE [RHS]mxE.
pose C t := cokermx U t l.
have zero x : \sum_t C t * outputs 1 none none (moved w c x) t o 0 = 0.
  have := outputs_row_sub (moved w c x) o UP; rewrite submxE => /eqP/rowP/(_ l); rewrite mxE [RHS]mxE => eq0.
  by rewrite -[RHS]eq0; apply: eq_bigr => t _; rewrite mulrC mxE.
have der t : is_derive (0 : R) 1 (fun x => C t * outputs 1 none none (moved w c x) t o 0) (C t * partial 1 none none w t o c).
  have dt := is_derive_outputs 1 none none n0 w t o c.
  rewrite (_ : (fun x => _) = cst (C t) * (fun x => outputs 1 none none (moved w c x) t o 0)); last by apply/funext.
  by apply: is_derive_eq; rewrite scaler0 addr0 partialE.
have dsum := is_derive_fsum der.
have dzero : is_derive (0 : R) 1 (fun x => \sum_t C t * outputs 1 none none (moved w c x) t o 0) 0.
  by rewrite (_ : (fun x => _) = cst 0); [apply: is_derive_cst|apply/funext => x; rewrite zero].
have := derive1_val dsum; rewrite (derive1_val dzero) => eq0.
by rewrite [RHS]eq0; apply: eq_bigr => t _; rewrite mxE mulrC.
Qed.

Theorem related_outputs : (functional_dimension R D <= d_out * largest_rank R D)%N.
Proof.
apply: largest_leq => k [w /leq_trans]; apply; have [h [U rU UP]] := related_span.
pose S (o : 'I_d_out) : 'M[R]_(T, #|pair|) := \matrix_(t, i) (enum_val i == (t, o))%:R.
rewrite -mxrank_tr; apply: (@leq_trans (\rank (\sum_(o < d_out) <<U *m S o>>)%MS)).
  apply/mxrankS/row_subP => c.
  have -> : row c (derivatives 1 none none true w)^T = \sum_o (\row_t partial 1 none none w t o (enum_val c)) *m S o.
    apply/rowP => i; rewrite mxE [LHS]mxE [LHS]mxE /= summxE.
    rewrite (bigD1 (enum_val i).2) //= [X in _ + X]big1 => [|o oi]; last first.
      by rewrite mxE big1 // => t _; rewrite mxE [S _ _ _]mxE -pair_eqE /pair_eq /= [_ == o]eq_sym (negPf oi) andbF mulr0.
    rewrite addr0 mxE (bigD1 (enum_val i).1) //= big1 => [|t ti]; last first.
      by rewrite mxE [S _ _ _]mxE -pair_eqE /pair_eq /= [_ == t]eq_sym (negPf ti) mulr0.
    by rewrite addr0 mxE [S _ _ _]mxE -surjective_pairing eqxx mulr1.
  apply: summx_sub => o _; apply: submx_trans (_ : _ <= <<U *m S o>>)%MS _; last by rewrite (sumsmx_sup o).
  by rewrite genmxE submxMr // partial_row_sub.
apply: leq_trans (mxrank_sum_leqif _) _ => /=.
apply: leq_trans (_ : \sum_(o < d_out) largest_rank R D <= _)%N; last by rewrite sum_nat_const card_ord.
by apply: leq_sum => o _; rewrite genmxE; apply: leq_trans (mxrankM_maxl _ _) rU.
Qed.

(* keys and queries move the outputs in few directions                             *)
Section Directions.
Variable w : parameter D d_h -> R.
Local Notation coef := (coef 1 none none w).
Local Notation covariance := (covariance 1 none none w).

Definition directions k (U : 'M[R]_(k, d)) : 'M[R]_d_out := (\sum_h <<U *m readout_of w h>>)%MS.

Lemma rank_directions k (U : 'M[R]_(k, d)) : (\rank (directions U) <= minn d_out (H * \rank U))%N.
Proof.
rewrite leq_min rank_leq_col /=; apply: leq_trans (mxrank_sum_leqif _) _ => /=.
apply: leq_trans (_ : \sum_(h < H) \rank U <= _)%N; last by rewrite sum_nat_const card_ord.
by apply: leq_sum => h _; rewrite genmxE mxrankM_maxl.
Qed.

(* all differences of two tokens of example t                                      *)
Definition within_span t k (U : 'M[R]_(k, d)) := forall i, (row i (E t) - row (Ordinal n0) (E t) <= U)%MS.

Lemma covariance_direction t h j k (U : 'M[R]_(k, d)) : within_span t U -> (\row_o covariance t h o j <= directions U)%MS.
Proof.
move=> tU; pose u i : 'rV[R]_d := row i (E t) - row (Ordinal n0) (E t).
have uE i o : (u i *m readout_of w h) 0 o = value_at w t h o i - value_at w t h o (Ordinal n0).
  by rewrite mulmxBl -!row_mul mxE [X in _ + X]mxE [X in X - _]mxE [X in _ - X]mxE.
have -> : \row_o covariance t h o j =
    (\sum_i (coef t h i * E t i j) *: (u i - \sum_k coef t h k *: u k)) *m readout_of w h.
  apply/rowP => o; rewrite mxE mulmx_suml summxE; apply: eq_bigr => i _.
  rewrite -scalemxAl mulmxBl [RHS]mxE [X in _ = _ * X]mxE [X in _ = _ * (_ + X)]mxE uE mulmx_suml summxE.
  under eq_bigr do rewrite -scalemxAl mxE uE mulrBr.
  by rewrite sumrB -mulr_suml sum_coef // mul1r /deviation; ring.
apply: submx_trans (_ : U *m readout_of w h <= _)%MS; last by rewrite (sumsmx_sup h) // genmxE.
apply: submxMr; apply: summx_sub => i _; apply: scalemx_sub; apply: addmx_sub; first exact: tU.
by rewrite eqmx_opp; apply: summx_sub => i' _; apply: scalemx_sub; apply: tU.
Qed.

(* the derivatives by one parameter, a row for each example                                     *)
Definition derivative (c : parameter D d_h) : 'M[R]_(T, d_out) := \matrix_(t, o) partial 1 none none w t o c.

Lemma derivative_direction h x t k (U : 'M[R]_(k, d)) : within_span t U ->
  (row t (derivative (h, inl x)) <= directions U)%MS.
Proof.
move=> tU; have cov j := covariance_direction h j tU.
case: x => [[j l]|[j l]].
  have -> : row t (derivative (h, inl (inl (j, l)))) = projected_query none w t h l *: \row_o covariance t h o j.
    by apply/rowP => o; rewrite !mxE partial_slope // mul1r mulrC.
  exact: scalemx_sub.
have -> : row t (derivative (h, inl (inr (j, l)))) = e t j 0 *: \sum_r key_of w h r l *: \row_o covariance t h o r.
  apply/rowP => o; rewrite [LHS]mxE [LHS]mxE partial_slope // mul1r mxE summxE; congr (_ * _).
  by apply: eq_bigr => r _; rewrite [RHS]mxE [X in _ = _ * X]mxE.
by apply: scalemx_sub; apply: summx_sub => r _; apply: scalemx_sub.
Qed.

Lemma derivative_readout h j o : derivative (h, inr (j, o)) =
  (row (mxvec_index h j) (mean_matrix 1 none none w)^T)^T *m delta_mx 0 o.
Proof.
apply/matrixP => t o'; rewrite mxE partial_slope // mul1r mxE big_ord1 [X in _ = X * _]mxE [X in _ = X * _]mxE.
rewrite [X in _ = X * _]mxE /slope /= [X in _ = _ * X]mxE eqxx /= [o' == o]eq_sym.
have -> : mean_matrix 1 none none w t (mxvec_index h j) = row t (mean_matrix 1 none none w) 0 (mxvec_index h j).
  by rewrite [RHS]mxE.
by rewrite rowK mxvecE mxE; case: eqP; rewrite ?mulr1 ?mulr0.
Qed.

Lemma rank_moving_directions : (\rank (derivatives 1 none none true w) <=
  largest_rank R D * \rank (directions V) + capacity R D * (d_out - \rank (directions V)))%N.
Proof.
have [k [U rU UP]] := related_span; pose M := (mean_matrix 1 none none w)^T.
have GU c : ((derivative c)^T <= U)%MS.
  apply/row_subP => o; rewrite (_ : row o _ = \row_t partial 1 none none w t o c); first exact: partial_row_sub.
  by apply/rowP => t; rewrite !mxE.
pose f (i : 'I_#|pair|) := mxvec_index (enum_val i).1 (enum_val i).2.
rewrite -mxrank_tr; apply: leq_trans (_ : \rank ((tensor U (directions V) + tensor M (directions V)^C)%MS *m colsub f 1%:M) <= _)%N.
  apply/mxrankS/row_subP => c.
  have -> : row c (derivatives 1 none none true w)^T = mxvec (derivative (enum_val c)) *m colsub f 1%:M.
    rewrite mulmx_colsub mulmx1; apply/rowP => i.
    by rewrite [LHS]mxE [LHS]mxE [LHS]mxE [RHS]mxE /= mxvecE mxE.
  apply: submxMr; case: (enum_val c) => h [x|[j o]].
    by apply: submx_trans (addsmxSl _ _); apply: tensor_both => //; apply/row_subP => t; apply: derivative_direction => i; apply: difference_row.
  have : ((delta_mx 0 o : 'rV[R]_d_out) <= directions V + (directions V)^C)%MS by exact: (submx_full _ (addsmx_compl_full _)).
  case/sub_addsmxP => -[a b] /= oE; set m := row (mxvec_index h j) M.
  rewrite derivative_readout -/M -/m oE mulmxDr linearD; apply: addmx_sub.
    apply: submx_trans (addsmxSl _ _); apply: tensor_sub; last exact: submxMl.
    have := GU (h, inr (j, o)); rewrite derivative_readout -/M -/m trmx_mul trmxK => mU.
    have -> : m = row o ((delta_mx 0 o : 'rV[R]_d_out)^T *m m); last exact: submx_trans (row_sub _ _) mU.
    by rewrite row_mul trmx_delta rowE mul_delta_mx; apply/rowP => t; rewrite [RHS]mxE big_ord1 [delta_mx _ _ _ _]mxE !eqxx mul1r.
  by apply: submx_trans (addsmxSr _ _); apply: tensor_sub; [apply: row_sub|apply: submxMl].
apply: leq_trans (mxrankM_maxl _ _) _; apply: leq_trans (mxrank_adds_leqif _ _) _; apply: leq_add.
  by apply: leq_trans (rank_tensor _ _) _; rewrite leq_mul2r rU orbT.
apply: leq_trans (rank_tensor _ _) _; rewrite mxrank_compl leq_mul2r mxrank_tr.
by apply/orP; right; apply: rank_means.
Qed.


(* keys and queries move the outputs of an example in directions of its own differences *)
Let N := size (distinct_examples D).
Let class (t : 'I_T) : nat := index (example_key D t) (distinct_examples D).

Lemma partial_example (t t' : 'I_T) o c : example_key D t = example_key D t' -> partial 1 none none w t o c = partial 1 none none w t' o c.
Proof.
move=> /(same_example_key R okD) tt; apply: (congr1 (fun f : R -> R => derive1 f 0)); apply/funext => x.
exact: (congr1 (fun y : 'cV[R]_d_out => y o 0) (outputs_example 1 none none (moved w c x) tt)).
Qed.

Lemma rank_moving_outputs :
  (\rank (derivatives 1 none none true w) <= d_out * capacity R D + N * minn d_out (H * (n - 1)))%N.
Proof.
pose M := (mean_matrix 1 none none w)^T.
pose own t : 'M[R]_(n, d) := \matrix_i (row i (E t) - row (Ordinal n0) (E t)).
have rank_own t : (\rank (own t) <= n - 1)%N.
  have le : (own t <= row' (Ordinal n0) (own t))%MS.
    apply/row_subP => i; case: (unliftP (Ordinal n0) i) => [j ->|->]; last by rewrite rowK subrr sub0mx.
    by rewrite (_ : row _ _ = row j (row' (Ordinal n0) (own t))) ?row_sub //; apply/rowP => c; rewrite !mxE.
  by apply: leq_trans (mxrankS le) _; rewrite subn1 rank_leq_row.
pose near (x : 'I_N) : 'M[R]_d_out := if [pick t | class t == x] is Some t then directions (own t) else 0.
pose at_class (x : 'I_N) : 'M[R]_(d_out, #|pair|) := \matrix_(o, i) ((class (enum_val i).1 == x) && ((enum_val i).2 == o))%:R.
pose at_output (o : 'I_d_out) : 'M[R]_(T, #|pair|) := \matrix_(t, i) (enum_val i == (t, o))%:R.
have classP t : (class t < N)%N by rewrite index_mem example_in.
have same t t' : class t = class t' -> example_key D t = example_key D t'.
  by move=> tt; rewrite -[LHS](nth_index ([::], [::]) (example_in t)) -/(class t) tt nth_index ?example_in.
rewrite -mxrank_tr; apply: (@leq_trans (\rank (\sum_(o < d_out) <<M *m at_output o>> + \sum_(x < N) <<near x *m at_class x>>)%MS)).
  apply/mxrankS/row_subP => c; set c' := (enum_val c : parameter D d_h).
  have cE i : row c (derivatives 1 none none true w)^T 0 i = derivative c' (enum_val i).1 (enum_val i).2 by rewrite !mxE.
  case c'E: c' cE => [h [x|[j o]]] cE.
    apply: submx_trans (addsmxSr _ _).
    have -> : row c (derivatives 1 none none true w)^T =
        \sum_(x < N) (if [pick t | class t == x] is Some t then row t (derivative c') else 0) *m at_class x.
      apply/rowP => i; rewrite cE -c'E summxE (bigD1 (Ordinal (classP (enum_val i).1))) //= [X in _ + X]big1 => [|y yi]; last first.
        by rewrite mxE big1 // => o _; rewrite [at_class _ _ _]mxE -[class _ == _]/(Ordinal (classP _) == y) eq_sym (negPf yi) mulr0.
      rewrite addr0; case: pickP => [t /eqP tE|/(_ (enum_val i).1)]; last by rewrite eqxx.
      rewrite [RHS]mxE (bigD1 (enum_val i).2) //= big1 => [|o oi]; last by rewrite [at_class _ _ _]mxE [_ == o]eq_sym (negPf oi) andbF mulr0.
      rewrite addr0 [at_class _ _ _]mxE !eqxx mulr1 !mxE; apply: partial_example; exact/esym/same.
    apply: summx_sub => y _; apply: submx_trans (_ : _ <= <<near y *m at_class y>>)%MS _; last by rewrite (sumsmx_sup y).
    rewrite genmxE submxMr // /near; case: pickP => [t _|_]; last exact: sub0mx.
    by rewrite c'E; apply: derivative_direction => i; apply: (eq_row_sub i); rewrite rowK.
  apply: submx_trans (addsmxSl _ _).
  have -> : row c (derivatives 1 none none true w)^T = row (mxvec_index h j) M *m at_output o.
    apply/rowP => i; rewrite cE derivative_readout -/M mxE big_ord1 [X in X * _ = _]mxE [X in _ = X]mxE (bigD1 (enum_val i).1) //= big1 => [|t ti].
      rewrite addr0 [at_output _ _ _]mxE [delta_mx _ _ _ _]mxE /= [in RHS](surjective_pairing (enum_val i)) xpair_eqE !eqxx /=.
      by [].
    by rewrite [at_output _ _ _]mxE [in (_ == _)](surjective_pairing (enum_val i)) xpair_eqE [_ == t]eq_sym (negPf ti) mulr0.
  apply: submx_trans (_ : _ <= <<M *m at_output o>>)%MS _; last by rewrite (sumsmx_sup o).
  by rewrite genmxE submxMr // row_sub.
apply: leq_trans (mxrank_adds_leqif _ _) _; apply: leq_add; apply: leq_trans (mxrank_sum_leqif _) _ => /=.
  apply: leq_trans (_ : \sum_(o < d_out) capacity R D <= _)%N; last by rewrite sum_nat_const card_ord.
  apply: leq_sum => o _; rewrite genmxE; apply: leq_trans (mxrankM_maxl _ _) _; rewrite mxrank_tr; exact: rank_means.
apply: leq_trans (_ : \sum_(x < N) minn d_out (H * (n - 1)) <= _)%N; last by rewrite sum_nat_const card_ord.
apply: leq_sum => x _; rewrite genmxE; apply: leq_trans (mxrankM_maxl _ _) _; rewrite /near.
case: pickP => [t _|_]; last by rewrite mxrank0.
by apply: leq_trans (rank_directions _) _; rewrite leq_min geq_minl (leq_trans (geq_minr _ _)) // leq_mul2l rank_own orbT.
Qed.

End Directions.

Theorem moving_directions (f := minn d_out (H * \rank V)) :
  (functional_dimension R D <= (d_out - f) * capacity R D + largest_rank R D * f)%N.
Proof.
apply: largest_leq => k [w /leq_trans]; apply; apply: leq_trans (rank_moving_directions w) _.
by apply: moved_leq; [apply: any_heads|apply: rank_directions|apply: geq_minl].
Qed.

Theorem moving_outputs :
  (functional_dimension R D <= d_out * capacity R D + size (distinct_examples D) * minn d_out (H * (n - 1)))%N.
Proof. by apply: largest_leq => k [w /leq_trans]; apply; apply: rank_moving_outputs. Qed.

End Related.
