(* The proved checker, bounds of the functional dimension by the directions in which keys and    *)
(* queries move the outputs (docs/mathematics.md, Several outputs).                              *)
(*                                                                                              *)
(*   directions w == the directions: the differences of tokens through the read-outs of all heads *)
(*   moving_directions == functional dimension <= (d_out - f) capacity + largest_rank f,          *)
(*          f = min(d_out, H rank(differences))                                                   *)
From Attest Require Import integers attention common literal_arithmetic problem jacobian logits quantity_bounds.
From Attest Require Import schemas part_bounds jacobians jacobian_bounds jacobian_relations.

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

Section Directions.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation d_h := (d_h D).
Local Notation d_out := (d_out D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation parameter := (parameter D d_h).
Local Notation pair := [finType of 'I_T * 'I_d_out].
Local Notation V := (difference_matrix R D).
Hypothesis okD : wf_sizes D.
Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N := n_gt0 okP.
Let none : 'I_H -> 'cV[R]_d_h := fun=> 0.
Variable w : parameter -> R.
Local Notation coef := (coef 1 none none w).
Local Notation covariance := (covariance 1 none none w).

Definition directions : 'M[R]_d_out := (\sum_h <<V *m readout_of w h>>)%MS.

Lemma rank_directions : (\rank directions <= minn d_out (H * \rank V))%N.
Proof.
rewrite leq_min rank_leq_col /=; apply: leq_trans (mxrank_sum_leqif _) _ => /=.
apply: leq_trans (_ : \sum_(h < H) \rank V <= _)%N; last by rewrite sum_nat_const card_ord.
by apply: leq_sum => h _; rewrite genmxE mxrankM_maxl.
Qed.

Lemma covariance_direction t h j : (\row_o covariance t h o j <= directions)%MS.
Proof.
pose u i : 'rV[R]_d := row i (E t) - row (Ordinal n0) (E t).
have uE i o : (u i *m readout_of w h) 0 o = value_at w t h o i - value_at w t h o (Ordinal n0).
  by rewrite mulmxBl -!row_mul mxE [X in _ + X]mxE [X in X - _]mxE [X in _ - X]mxE.
have -> : \row_o covariance t h o j =
    (\sum_i (coef t h i * E t i j) *: (u i - \sum_k coef t h k *: u k)) *m readout_of w h.
  apply/rowP => o; rewrite mxE mulmx_suml summxE; apply: eq_bigr => i _.
  rewrite -scalemxAl mulmxBl [RHS]mxE [X in _ = _ * X]mxE [X in _ = _ * (_ + X)]mxE uE mulmx_suml summxE.
  under eq_bigr do rewrite -scalemxAl mxE uE mulrBr.
  by rewrite sumrB -mulr_suml sum_coef // mul1r /deviation; ring.
apply: submx_trans (_ : V *m readout_of w h <= _)%MS; last by rewrite (sumsmx_sup h) // genmxE.
apply: submxMr; apply: summx_sub => i _; apply: scalemx_sub; apply: addmx_sub; first exact: difference_row.
by rewrite eqmx_opp; apply: summx_sub => k _; apply: scalemx_sub; apply: difference_row.
Qed.

(* the derivatives by one parameter, a row for each example                                     *)
Definition derivative (c : parameter) : 'M[R]_(T, d_out) := \matrix_(t, o) partial 1 none none w t o c.

Lemma derivative_direction h x : (derivative (h, inl x) <= directions)%MS.
Proof.
apply/row_subP => t; have cov := covariance_direction t h.
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
  largest_rank R D * \rank directions + capacity R D * (d_out - \rank directions))%N.
Proof.
have [k [U rU UP]] := related_span R D; pose M := (mean_matrix 1 none none w)^T.
have GU c : ((derivative c)^T <= U)%MS.
  apply/row_subP => o; rewrite (_ : row o _ = \row_t partial 1 none none w t o c); first exact: partial_row_sub.
  by apply/rowP => t; rewrite !mxE.
pose f (i : 'I_#|pair|) := mxvec_index (enum_val i).1 (enum_val i).2.
rewrite -mxrank_tr; apply: leq_trans (_ : \rank ((tensor U directions + tensor M directions^C)%MS *m colsub f 1%:M) <= _)%N.
  apply/mxrankS/row_subP => c.
  have -> : row c (derivatives 1 none none true w)^T = mxvec (derivative (enum_val c)) *m colsub f 1%:M.
    rewrite mulmx_colsub mulmx1; apply/rowP => i.
    by rewrite [LHS]mxE [LHS]mxE [LHS]mxE [RHS]mxE /= mxvecE mxE.
  apply: submxMr; case: (enum_val c) => h [x|[j o]].
    by apply: submx_trans (addsmxSl _ _); apply: tensor_both (derivative_direction _ _).
  have : ((delta_mx 0 o : 'rV[R]_d_out) <= directions + directions^C)%MS by exact: (submx_full _ (addsmx_compl_full _)).
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

End Directions.

Lemma moved_leq (r c o f f' : nat) : (c <= r -> f' <= f -> f <= o -> r * f' + c * (o - f') <= (o - f) * c + r * f)%N.
Proof.
move=> cr ff fo; have -> : (o - f' = (o - f) + (f - f'))%N by rewrite addnBA // subnK.
rewrite mulnDr addnCA [(c * (o - f))%N]mulnC leq_add2l -{2}(subnKC ff) mulnDr leq_add2l.
by rewrite leq_mul2r cr orbT.
Qed.

Theorem moving_directions (R : realType) (D : problem) (f := minn (d_out D) (H D * \rank (difference_matrix R D))) :
  wf_sizes D -> (functional_dimension R D <= (d_out D - f) * capacity R D + largest_rank R D * f)%N.
Proof.
move=> okD; apply: largest_leq => k [w /leq_trans]; apply; apply: leq_trans (rank_moving_directions okD w) _.
by apply: moved_leq; [apply: any_heads|apply: rank_directions|apply: geq_minl].
Qed.
