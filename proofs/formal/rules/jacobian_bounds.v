(* The proved checker, upper bounds of rank(J) and of the functional dimension: by structure, and by        *)
(* relations between examples.                                                                              *)
(*                                                                                                          *)
(*        rank_J_shape == weights of the shape have at most the functional dimension                        *)
(*     rank_J_examples == equal examples have equal rows in J                                               *)
(*   exponent_products == rank(exponents) <= rank(differences) rank(queries)                                *)
(*      exponent_count == functional dimension <= H k + d_out capacity                                      *)
(*        related_span == a space of the dimension largest_rank has all columns of means                    *)
(*     related_outputs == functional dimension <= d_out largest_rank                                        *)
(*      directions w V == where keys and queries move outputs: the differences V of tokens through the      *)
(*                        read-outs of all heads                                                            *)
(*   moving_directions == functional dimension <= (d_out - f) capacity + largest_rank f, f = min(d_out, H   *)
(*                        rank(differences))                                                                *)
From Attest Require Import integers.
From mathcomp Require Import perm zify derive classical_sets functions realfun.
From Attest Require Import attention common kruskal layer_variants upper_bounds problem literal_arithmetic.
From Attest Require Import logits bounds quantities jacobians quantity_bounds schemas heads part_bounds.
Import numFieldNormedType.Exports.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Bounds by structure                                                          *)
(* ============================================================================ *)
(* docs/mathematics.md, Theorem J.                                              *)

(* -------------------------------------------------------------------------- *)
(* Products of rows                                                            *)
(* -------------------------------------------------------------------------- *)
Section Tensor.
Variables (F : fieldType) (k l c d : nat) (A : 'M[F]_(k, c)) (B : 'M[F]_(l, d)).

Definition tensor : 'M[F]_(\rank A * \rank B, c * d) :=
  \matrix_(i < \rank A * \rank B) let: (a, b) := enum_val (cast_ord (esym (mxvec_cast _ _)) i) in
    mxvec ((row a (row_base A))^T *m row b (row_base B)).

Lemma tensor_sub (x : 'rV[F]_c) (y : 'rV[F]_d) : (x <= A)%MS -> (y <= B)%MS -> (mxvec (x^T *m y) <= tensor)%MS.
Proof.
rewrite -(eq_row_base A) -(eq_row_base B) => /submxP[v ->] /submxP[w ->].
have -> : mxvec ((v *m row_base A)^T *m (w *m row_base B)) =
    \sum_a \sum_b (v 0 a * w 0 b) *: mxvec ((row a (row_base A))^T *m row b (row_base B)).
  rewrite mulmx_sum_row linear_sum /= mulmx_suml linear_sum; apply: eq_bigr => a _.
  rewrite mulmx_sum_row mulmx_sumr linear_sum; apply: eq_bigr => b _.
  by rewrite !linearZ /= -scalemxAl linearZ /= scalerA mulrC.
apply: summx_sub => a _; apply: summx_sub => b _; apply: scalemx_sub.
apply: (eq_row_sub (mxvec_index a b)); rewrite rowK /mxvec_index cast_ordK enum_rankK //.
Qed.

End Tensor.

Lemma rank_tensor (F : fieldType) k l c d (A : 'M[F]_(k, c)) (B : 'M[F]_(l, d)) : (\rank (tensor A B) <= \rank A * \rank B)%N.
Proof. exact: rank_leq_row. Qed.

Lemma motions_leq a b v q m : (a <= minn m v -> b <= minn m q ->
  a * q + (v - a) * b <= minn m v * q + minn m q * (v - m))%N.
Proof.
have -> : (v - m = v - minn m v)%N by lia.
move: (minn m v) (geq_minr m v) (minn m q) (geq_minr m q) => k kv l lq ak bl.
apply: (@leq_trans (a * q + (v - a) * l)); first by rewrite leq_add2l leq_mul2l bl orbT.
have -> : (v - a = (v - k) + (k - a))%N by rewrite addnBA // subnK.
have -> : (k * q = a * q + (k - a) * q)%N by rewrite -mulnDl subnKC.
by rewrite mulnDl [(l * _)%N]mulnC -[X in (_ <= X)%N]addnA leq_add2l addnC leq_add2r leq_mul2l lq orbT.
Qed.

(* X |-> [X Q, X^T K], for X = a^T b with a and b in the spans of A and B            *)
Section Motion.
Variables (F : fieldType) (k l d m N : nat) (A : 'M[F]_(k, d)) (B : 'M[F]_(l, d)) (K Q : 'M[F]_(d, m)).

Definition motion_map : 'M[F]_(d * d, d * m + d * m) := row_mx (lin_mx (mulmxr Q)) (lin_mx (mulmxr K \o trmx)).

Lemma motion_mapE (X : 'M[F]_d) : mxvec X *m motion_map = row_mx (mxvec (X *m Q)) (mxvec (X^T *m K)).
Proof. by rewrite mul_mx_row !mul_vec_lin. Qed.

Lemma rank_motions (M : 'M[F]_(N, d * m + d * m)) :
    (forall i, exists2 a : 'rV_d, (a <= A)%MS & exists2 b : 'rV_d, (b <= B)%MS & row i M = mxvec (a^T *m b) *m motion_map) ->
  (\rank M <= minn m (\rank A) * \rank B + minn m (\rank B) * (\rank A - m))%N.
Proof.
move=> ME; pose C1 := (A :\: kermx K)%MS; pose C2 := (A :&: kermx K)%MS.
have rk : (\rank C1 + \rank C2 = \rank A)%N by rewrite addnC mxrank_cap_compl.
have r1 : \rank C1 = \rank (A *m K).
  by apply/eqP; rewrite -(eqn_add2r (\rank C2)) rk mxrank_mul_ker.
have le : (M <= col_mx (tensor C1 B *m motion_map) (row_mx (tensor C2 (B *m Q)) 0))%MS.
  apply/row_subP => i; have [a aA [b bB ->]] := ME i.
  have : (a <= C1 + C2)%MS by rewrite addsmx_diff_cap_eq.
  case/sub_addsmxP => -[u v] /= ->; rewrite linearD /= mulmxDl linearD /= mulmxDl; apply: addmx_sub.
    apply: submx_trans (_ : _ <= tensor C1 B *m motion_map)%MS _; last by rewrite -addsmxE addsmxSl.
    by apply: submxMr; apply: tensor_sub => //; apply: submxMl.
  apply: submx_trans (_ : _ <= row_mx (tensor C2 (B *m Q)) 0)%MS _; last by rewrite -addsmxE addsmxSr.
  have v0 : v *m C2 *m K = 0.
    by apply/sub_kermxP; apply: submx_trans (submxMl _ _) (capmxSr _ _).
  rewrite motion_mapE; have -> : ((v *m C2)^T *m b)^T *m K = 0 by rewrite trmx_mul trmxK -mulmxA v0 mulmx0.
  rewrite linear0 -mulmxA.
  have /submxP[y yE] : (mxvec ((v *m C2)^T *m (b *m Q)) <= tensor C2 (B *m Q))%MS.
    by apply: tensor_sub; [apply: submxMl|apply: submxMr].
  by apply/submxP; exists y; rewrite mul_mx_row mulmx0 yE.
apply: leq_trans (mxrankS le) _; apply: leq_trans (rank_leq_row _) _.
have k1 : (\rank C1 <= minn m (\rank A))%N by rewrite r1 leq_min rank_leq_col mxrankM_maxl.
have k2 : (\rank (B *m Q) <= minn m (\rank B))%N by rewrite leq_min rank_leq_col mxrankM_maxl.
have -> : \rank C2 = (\rank A - \rank C1)%N by rewrite -rk addKn.
exact: motions_leq.
Qed.

End Motion.

Section Bounds.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation d_h := (d_h D).
Local Notation d_out := (d_out D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation pair := [finType of 'I_T * 'I_d_out].
Local Notation query_matrix := (mx R T d (q_queries D) (queries D)).
Hypothesis okD : wf_sizes D.
Let okP := wf_sizes_problem okD.
Let n0 : (0 < n)%N := n_gt0 okP.

(* -------------------------------------------------------------------------- *)
(* The columns of J                                                            *)
(* -------------------------------------------------------------------------- *)
Section Columns.
Variables (m : nat) (s : R) (bK bQ : 'I_H -> 'cV[R]_m) (w : parameter D m -> R).

Definition covariances h (x : pair) : 'rV[R]_d := \row_j covariance s bK bQ w x.1 h x.2 j.
Definition moving h : 'M[R]_(#|pair|, d * m + d * m) :=
  \matrix_i row_mx (mxvec ((covariances h (enum_val i))^T *m (\col_l projected_query bQ w (enum_val i).1 h l)^T))
    (mxvec (e (enum_val i).1 *m (covariances h (enum_val i) *m key_of w h))).
Definition mean_matrix : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_(h, j) \sum_i coef s bK bQ w t h i * E t i j).
Definition reading (o : 'I_d_out) : 'M[R]_(#|pair|, H * d) :=
  \matrix_i if (enum_val i).2 == o then row (enum_val i).1 mean_matrix else 0.

Lemma query_row (t : 'I_T) : (e t)^T = row t query_matrix. Proof. exact: trmxK. Qed.

Lemma moving_key h j l i : moving h i (lshift _ (mxvec_index j l)) =
  covariance s bK bQ w (enum_val i).1 h (enum_val i).2 j * projected_query bQ w (enum_val i).1 h l.
Proof.
have -> : moving h i (lshift _ (mxvec_index j l)) = row i (moving h) 0 (lshift _ (mxvec_index j l)) by rewrite [RHS]mxE.
rewrite rowK row_mxEl mxvecE mxE big_ord1 [in X in X * _]mxE [in X in X * _]mxE; congr (_ * _).
by rewrite mxE mxE.
Qed.

Lemma moving_query h j l i : moving h i (rshift _ (mxvec_index j l)) =
  e (enum_val i).1 j 0 * \sum_r key_of w h r l * covariance s bK bQ w (enum_val i).1 h (enum_val i).2 r.
Proof.
have -> : moving h i (rshift _ (mxvec_index j l)) = row i (moving h) 0 (rshift _ (mxvec_index j l)) by rewrite [RHS]mxE.
rewrite rowK row_mxEr mxvecE mxE big_ord1; congr (_ * _).
by rewrite mxE; apply: eq_bigr => r _; rewrite mxE mulrC.
Qed.

Lemma columns_sub both : ((derivatives s bK bQ both w)^T <=
  \sum_(h < H) <<(moving h)^T>> + \sum_(o < d_out) <<(reading o)^T>>)%MS.
Proof.
apply/row_subP => k; case kE: (enum_val k : parameter D m) => [h x].
have [no|yes] := boolP (both || ~~ of_query (enum_val k : parameter D m)); last first.
  by rewrite (_ : row k _ = 0) ?sub0mx //; apply/rowP => i; rewrite !mxE (negPf yes).
have rowE (c : R) N (M : 'M[R]_(#|pair|, N)) (l : 'I_N) :
    (forall i, (if (enum_val k : parameter D m).2 is inl _ then s else 1) * slope s bK bQ w (enum_val i).1 (enum_val i).2 (enum_val k) = c * M i l) ->
    (row k (derivatives s bK bQ both w)^T <= M^T)%MS.
  move=> ME; rewrite (_ : row k _ = c *: row l M^T) ?scalemx_sub ?row_sub //.
  by apply/rowP => i; rewrite [LHS]mxE [LHS]mxE [LHS]mxE no partial_slope // ME [RHS]mxE [X in _ = _ * X]mxE [X in _ = _ * X]mxE.
case: x kE => [[[j l]|[j l]]|[j o]] kE.
- apply: submx_trans (addsmxSl _ _); rewrite (sumsmx_sup h) // genmxE.
  apply: (rowE s _ _ (lshift _ (mxvec_index j l))) => i; by rewrite kE moving_key.
- apply: submx_trans (addsmxSl _ _); rewrite (sumsmx_sup h) // genmxE.
  apply: (rowE s _ _ (rshift _ (mxvec_index j l))) => i; by rewrite kE moving_query.
apply: submx_trans (addsmxSr _ _); rewrite (sumsmx_sup o) // genmxE.
apply: (rowE 1 _ _ (mxvec_index h j)) => i; rewrite kE !mul1r /slope /=.
have -> : reading o i (mxvec_index h j) = row i (reading o) 0 (mxvec_index h j) by rewrite [RHS]mxE.
rewrite rowK eq_sym; case: eqP => _; last by rewrite mxE.
by rewrite rowK mxvecE mxE.
Qed.

Lemma rank_reading o : (\rank (reading o) <= \rank mean_matrix)%N.
Proof. by apply/mxrankS/row_subP => i; rewrite rowK; case: ifP; rewrite ?row_sub ?sub0mx. Qed.

Lemma rank_columns both k : (forall h, \rank (moving h) <= k)%N ->
  (\rank (derivatives s bK bQ both w) <= H * k + d_out * \rank mean_matrix)%N.
Proof.
move=> mk; rewrite -mxrank_tr; apply: leq_trans (mxrankS (columns_sub both)) _.
apply: leq_trans (mxrank_adds_leqif _ _) _; apply: leq_add; apply: leq_trans (mxrank_sum_leqif _) _ => /=.
  apply: leq_trans (_ : \sum_(h < H) k <= _)%N; last by rewrite sum_nat_const card_ord.
  by apply: leq_sum => h _; rewrite genmxE mxrank_tr.
apply: leq_trans (_ : \sum_(o < d_out) \rank mean_matrix <= _)%N; last by rewrite sum_nat_const card_ord.
by apply: leq_sum => o _; rewrite genmxE mxrank_tr rank_reading.
Qed.

(* the covariance lies in the span of the differences                              *)
Lemma covariancesE h t o : covariances h (t, o) =
  \sum_i deviation s bK bQ w t h o i *: (row i (E t) - row (Ordinal n0) (E t)).
Proof.
apply/rowP => j; rewrite [LHS]mxE summxE /covariance.
have z : \sum_i deviation s bK bQ w t h o i * E t (Ordinal n0) j = 0 by rewrite -mulr_suml sum_deviation // mul0r.
transitivity (\sum_i deviation s bK bQ w t h o i * E t i j - \sum_i deviation s bK bQ w t h o i * E t (Ordinal n0) j).
  by rewrite z subr0.
rewrite -sumrB; apply: eq_bigr => i _.
by rewrite -mulrBr [RHS]mxE; congr (_ * _); rewrite [RHS]mxE [X in _ = X + _]mxE [X in _ = _ + X]mxE [X in _ = _ - X]mxE.
Qed.

Lemma covariances_sub h (x : pair) : (covariances h x <= difference_matrix R D)%MS.
Proof.
case: x => t o; rewrite covariancesE.
by apply: summx_sub => i _; apply: scalemx_sub; apply: difference_row.
Qed.

Lemma product_sub h (x : pair) : (mxvec ((covariances h x)^T *m (e x.1)^T) <= exponent_matrix R D)%MS.
Proof.
case: x => t o; rewrite covariancesE.
rewrite linear_sum /= mulmx_suml linear_sum; apply: summx_sub => i _.
rewrite linearZ /= -scalemxAl linearZ; apply: scalemx_sub.
by apply: (eq_row_sub (enum_rank (t, (i, Ordinal n0)))); rewrite rowK enum_rankK.
Qed.

(* without query biases                                                            *)
Section NoBias.
Hypothesis bQ0 : forall h, bQ h = 0.

Lemma moving_row h i : row i (moving h) =
  mxvec ((covariances h (enum_val i))^T *m (e (enum_val i).1)^T) *m motion_map (key_of w h) (query_of w h).
Proof.
have motionE (c : 'rV[R]_d) (v : 'cV[R]_d) (K Q : 'M[R]_(d, m)) : mxvec (c^T *m v^T) *m motion_map K Q =
    row_mx (mxvec (c^T *m (Q^T *m v)^T)) (mxvec (v *m (c *m K))).
  by rewrite motion_mapE [(_ *m v^T)^T]trmx_mul !trmxK trmx_mul trmxK !mulmxA.
rewrite rowK motionE; congr (row_mx (mxvec (_ *m _^T)) _).
by apply/colP => l; rewrite mxE /projected_query bQ0 addr0.
Qed.

Lemma rank_moving h : (\rank (moving h) <= minn (\rank (exponent_matrix R D))
  (minn m (\rank (difference_matrix R D)) * \rank query_matrix
   + minn m (\rank query_matrix) * (\rank (difference_matrix R D) - m)))%N.
Proof.
rewrite leq_min; apply/andP; split.
  apply: leq_trans (_ : \rank (exponent_matrix R D *m motion_map (key_of w h) (query_of w h)) <= _)%N; last exact: mxrankM_maxl.
  by apply/mxrankS/row_subP => i; rewrite moving_row submxMr // product_sub.
apply: (rank_motions (K := key_of w h) (Q := query_of w h)) => i.
exists (covariances h (enum_val i)); first exact: covariances_sub.
by exists (e (enum_val i).1)^T; [rewrite query_row row_sub|rewrite moving_row].
Qed.

Theorem rank_tangents both : (\rank (derivatives s bK bQ both w) <=
  H * minn (\rank (exponent_matrix R D))
    (minn m (\rank (difference_matrix R D)) * \rank query_matrix
     + minn m (\rank query_matrix) * (\rank (difference_matrix R D) - m)) + d_out * \rank mean_matrix)%N.
Proof. by apply: rank_columns => h; apply: rank_moving. Qed.

End NoBias.

(* with them the query has an entry 1 more                                          *)
Lemma rank_moving_biased h :
  (\rank (moving h) <= \rank (difference_matrix R D) * (\rank query_matrix + 1))%N.
Proof.
pose Q1 := col_mx (query_of w h) (bQ h)^T.
pose L : 'M[R]_(d * (d + 1), d * m + d * m) :=
  row_mx (lin_mx (mulmxr Q1)) (lin_mx (mulmxr (key_of w h) \o trmx \o lsubmx)).
pose one : 'cV[R]_T := const_mx 1.
have rowE (c : 'rV[R]_d) (v : 'cV[R]_d) :
    row_mx (mxvec (c^T *m ((query_of w h)^T *m v + bQ h)^T)) (mxvec (v *m (c *m key_of w h))) =
    mxvec (c^T *m row_mx v^T (1%:M : 'M_1)) *m L.
  rewrite mul_mx_row !mul_vec_lin /= -mulmxA mul_row_col mul1mx mul_mx_row row_mxKl trmx_mul !trmxK mulmxA linearD /=.
  by rewrite trmx_mul trmxK.
have le : (moving h <= tensor (difference_matrix R D) (row_mx query_matrix one) *m L)%MS.
  apply/row_subP => i; set x := enum_val i.
  have -> : row i (moving h) = mxvec ((covariances h x)^T *m row_mx (e x.1)^T (1%:M : 'M_1)) *m L.
    rewrite -rowE rowK -/x; congr (row_mx (mxvec (_ *m _^T)) _); by apply/colP => l; rewrite mxE.
  apply: submxMr; apply: tensor_sub; first exact: covariances_sub.
  have -> : row_mx (e x.1)^T (1%:M : 'M_1) = row x.1 (row_mx query_matrix one); last exact: row_sub.
  rewrite row_row_mx -query_row; congr row_mx; by apply/rowP => k; rewrite !mxE ord1.
apply: leq_trans (mxrankS le) _; apply: leq_trans (mxrankM_maxl _ _) _; apply: leq_trans (rank_tensor _ _) _.
rewrite leq_mul2l; apply/orP; right; rewrite -mxrank_tr tr_row_mx -addsmxE.
by apply: leq_trans (mxrank_adds_leqif _ _) _; rewrite mxrank_tr leq_add2l mxrank_tr rank_leq_col.
Qed.

Theorem rank_biased_tangents both : (\rank (derivatives s bK bQ both w) <=
  H * (\rank (difference_matrix R D) * (\rank query_matrix + 1)) + d_out * \rank mean_matrix)%N.
Proof. by apply: rank_columns => h; apply: rank_moving_biased. Qed.

End Columns.

(* -------------------------------------------------------------------------- *)
(* Weights of the shape                                                        *)
(* -------------------------------------------------------------------------- *)
Lemma softmax_logits_at m s (bK bQ : 'I_H -> 'cV[R]_m) w t h :
  softmax (s *: logits_at bK bQ w t h) = softmax (E t *m (s *: (key_of w h *m ((query_of w h)^T *m e t + bQ h)))).
Proof.
rewrite /logits_at; set q := _ + bQ h.
rewrite mulmxDl -(mulmxA (const_mx 1)) -mulmxA scalerDr -scalemxAr.
have -> : (bK h)^T *m q = (((bK h)^T *m q) 0 0)%:M by apply: mx11_scalar.
rewrite mul_mx_scalar scalerA (_ : _ *: const_mx 1 = const_mx (s * ((bK h)^T *m q) 0 0)); first exact: softmax_shift.
by apply/matrixP => i j; rewrite !mxE mulr1.
Qed.

Section Shape.
Variables (m : nat) (s : R) (bK : 'I_H -> 'cV[R]_m) (w : parameter D m -> R).
Hypothesis mh : (m <= d_h)%N.
Let P : 'M[R]_(m, d_h) := pid_mx m.
Let none k : 'I_H -> 'cV[R]_k := fun=> 0.

(* the weights with columns 0 added, and the factor in the keys                    *)
Definition widened : parameter D d_h -> R :=
  parameters (fun h => s *: (key_of w h *m P)) (fun h => query_of w h *m P) (readout_of w).

Lemma times_P k (A : 'M[R]_(k, m)) a l : (A *m P) a (widen_ord mh l) = A a l.
Proof.
rewrite mxE (bigD1 l) //= big1 ?addr0 => [|r rl]; rewrite mxE /= ?eqxx ?ltn_ord ?mulr1 //.
by rewrite (_ : (r == l :> nat) = false) ?mulr0 //; apply/negbTE.
Qed.

Lemma key_widened h : key_of widened h = s *: (key_of w h *m P).
Proof. by apply/matrixP => i j; rewrite mxE. Qed.
Lemma key_widenedE h r l : key_of widened h r (widen_ord mh l) = s * key_of w h r l.
Proof. by rewrite key_widened [LHS]mxE times_P. Qed.
Lemma query_widened h : query_of widened h = query_of w h *m P.
Proof. by apply/matrixP => i j; rewrite mxE. Qed.
Lemma readout_widened h : readout_of widened h = readout_of w h.
Proof. by apply/matrixP => i j; rewrite mxE. Qed.

Lemma coef_widened t h i : coef 1 (none d_h) (none d_h) widened t h i = coef s bK (none m) w t h i.
Proof.
have share_coef k s' bK' (bQ' : 'I_H -> 'cV[R]_k) w' : coef s' bK' bQ' w' t h i = softmax (s' *: logits_at bK' bQ' w' t h) i 0.
  by rewrite /coef share_softmax; congr (softmax _ _ _); apply/colP => j; rewrite !mxE.
rewrite !share_coef !softmax_logits_at; apply: (congr1 (fun v => softmax (E t *m v) i 0)).
rewrite /none !addr0 key_widened query_widened scale1r trmx_mul -scalemxAl; congr (_ *: _).
by rewrite -!mulmxA (mulmxA P) /P tr_pid_mx pid_mx_id // pid_mx_1 mul1mx.
Qed.

Definition wide (k : parameter D m) : parameter D d_h :=
  (k.1, match k.2 with
        | inl (inl (j, l)) => inl (inl (j, widen_ord mh l))
        | inl (inr (j, l)) => inl (inr (j, widen_ord mh l))
        | inr x => inr x
        end).

Lemma partial_widened t o k : partial s bK (none m) w t o k =
  (if k.2 is inl (inl _) then s else 1) * partial 1 (none d_h) (none d_h) widened t o (wide k).
Proof.
have dE h i : deviation 1 (none d_h) (none d_h) widened t h o i = deviation s bK (none m) w t h o i.
  rewrite /deviation coef_widened; congr (_ * (_ - _)); first by rewrite /value_at readout_widened.
  by apply: eq_bigr => j _; rewrite coef_widened /value_at readout_widened.
have cE h j : covariance 1 (none d_h) (none d_h) widened t h o j = covariance s bK (none m) w t h o j.
  by apply: eq_bigr => i _; rewrite dE.
rewrite !partial_slope // /slope; case: k => h [[[j l]|[j l]]|[j o']] /=.
- rewrite mul1r cE; congr (_ * (_ * _)).
  rewrite /projected_query query_widened /none !addr0 mxE [RHS]mxE.
  by apply: eq_bigr => r _; congr (_ * _); rewrite mxE [RHS]mxE times_P.
- rewrite !mul1r mulrCA; congr (_ * _); rewrite mulr_sumr; apply: eq_bigr => r _.
  by rewrite cE key_widenedE mulrA.
by rewrite !mul1r; case: eqP => // _; apply: eq_bigr => i _; rewrite coef_widened.
Qed.

Lemma rank_widened both : (\rank (derivatives s bK (none m) both w) <= functional_dimension R D)%N.
Proof.
apply: (@leq_trans (\rank (derivatives 1 (none d_h) (none d_h) true widened))); last first.
  by apply: largest_geq; [apply: rank_derivatives|exists widened].
rewrite -mxrank_tr -[X in (_ <= X)%N]mxrank_tr; apply/mxrankS/row_subP => k.
have [no|yes] := boolP (both || ~~ of_query (enum_val k : parameter D m)); last first.
  by rewrite (_ : row k _ = 0) ?sub0mx //; apply/rowP => i; rewrite !mxE (negPf yes).
set c := if (enum_val k : parameter D m).2 is inl (inl _) then s else 1.
rewrite (_ : row k _ = c *: row (enum_rank (wide (enum_val k))) (derivatives 1 (none d_h) (none d_h) true widened)^T) ?scalemx_sub ?row_sub //.
by apply/rowP => i; rewrite [LHS]mxE [LHS]mxE [LHS]mxE no partial_widened [RHS]mxE [X in _ = _ * X]mxE [X in _ = _ * X]mxE [X in _ = _ * X]mxE /= enum_rankK.
Qed.

End Shape.

Theorem rank_J_shape L a u : in_shape D L -> (rank_J R D L a u <= functional_dimension R D)%N.
Proof.
rewrite /in_shape /rank_J; case: L => [m qk K qq Q qkb bK qqb bQ|q W|//].
  move=> /andP[mh /nilP ->].
  rewrite (_ : literal_bias R m qqb [::] = fun=> 0); first exact: rank_widened.
  by apply/funext => h; apply/colP => k; rewrite !mxE /ent !nth_nil rmorph0 mul0r.
by move=> dh; apply: rank_widened.
Qed.

(* --- equal examples *)
Lemma outputs_example m s (bK bQ : 'I_H -> 'cV[R]_m) w t t' : same_example E e t t' ->
  outputs s bK bQ w t = outputs s bK bQ w t'.
Proof.
move=> [eE [p EE]]; rewrite /outputs; apply: eq_bigr => h _.
by rewrite !softmax_logits_at (softmax_perm _ EE) eE.
Qed.

Lemma rank_derivatives_examples m s (bK bQ : 'I_H -> 'cV[R]_m) both w :
  (\rank (derivatives s bK bQ both w) <= d_out * size (distinct_examples D))%N.
Proof.
pose s0 := [seq (x, o) | x <- distinct_examples D, o <- enum 'I_d_out].
have -> : (d_out * size (distinct_examples D) = size s0)%N by rewrite size_allpairs size_enum_ord mulnC.
pose x (i : 'I_#|{: 'I_T * 'I_d_out}|) := (example_key D (enum_val i).1, (enum_val i).2).
apply: (@rank_classes R _ _ _ _ x s0) => [i|i i' [cE qE oE]].
  by apply/allpairsP; exists (x i); rewrite example_in mem_enum.
have kE : example_key D (enum_val i).1 = example_key D (enum_val i').1 by rewrite /example_key cE qE.
have sE : same_example E e (enum_val i).1 (enum_val i').1 by apply: same_example_key.
have pE k : partial s bK bQ w (enum_val i).1 (enum_val i).2 k = partial s bK bQ w (enum_val i').1 (enum_val i').2 k.
  by congr (derive1 _ 0); apply/funext => y; rewrite (outputs_example _ _ _ _ sE) oE.
by apply/rowP => k; rewrite [LHS]mxE [RHS]mxE [LHS]mxE [RHS]mxE pE.
Qed.

Theorem rank_J_examples L a u : (rank_J R D L a u <= d_out * size (distinct_examples D))%N.
Proof. by rewrite /rank_J; case: L => [*|*|//]; apply: rank_derivatives_examples. Qed.

Theorem different_examples : (largest_rank R D <= size (distinct_examples D))%N.
Proof.
apply: largest_leq => k [H' [P /leq_trans]]; apply; apply: (rank_classes (@example_in D)) => t t' kE.
by rewrite ZE; apply: same_row; apply: same_example_key.
Qed.

Theorem exponent_products :
  (\rank (exponent_matrix R D) <= \rank (difference_matrix R D) * \rank query_matrix)%N.
Proof.
apply: leq_trans (mxrankS _) (rank_tensor _ _); apply/row_subP => k; rewrite rowK; case: (enum_val k) => t [i j].
apply: tensor_sub; last by rewrite query_row row_sub.
have -> : row i (E t) - row j (E t) =
    (row i (E t) - row (Ordinal n0) (E t)) - (row j (E t) - row (Ordinal n0) (E t)).
  by rewrite opprB addrA subrK.
by rewrite addmx_sub ?eqmx_opp ?difference_row.
Qed.

Lemma rank_means w : (\rank (mean_matrix 1%R (fun=> 0%R) (fun=> 0%R) (w : parameter D d_h -> R)) <= capacity R D)%N.
Proof.
apply: largest_geq; first by rewrite leq_min rank_leq_row rank_leq_col.
pose W : weights R H d d_h 0 0 0 := Weights (key_of w) (query_of w) (fun=> 0) 0 0; exists W.
suff -> : mean_matrix 1 (fun=> 0) (fun=> 0) w = attention.Z E e W by [].
apply/row_matrixP => t; rewrite !rowK /stack trmxK; congr mxvec; apply/matrixP => h j; rewrite [LHS]mxE [RHS]mxE [RHS]mxE [RHS]mxE.
apply: eq_bigr => i _; rewrite mulrC [(_^T) _ _]mxE; congr (_ * _).
rewrite /coef share_softmax /alpha; congr (softmax _ _ _); apply/colP => l.
by rewrite mxE mul1r /logits_at trmx0 mulmx0 !addr0.
Qed.

Theorem exponent_count : (functional_dimension R D <= H * minn (\rank (exponent_matrix R D))
    (minn d_h (\rank (difference_matrix R D)) * \rank query_matrix
     + minn d_h (\rank query_matrix) * (\rank (difference_matrix R D) - d_h))
  + d_out * capacity R D)%N.
Proof.
apply: largest_leq => k [w /leq_trans]; apply.
apply: leq_trans (@rank_tangents d_h 1%R (fun=> 0%R) (fun=> 0%R) w (fun=> erefl) true) _.
by rewrite leq_add2l leq_mul2l rank_means orbT.
Qed.

Lemma mean_given L a m (bK bQ : 'I_H -> 'cV[R]_m) w : (forall t h, logits_at bK bQ w t h = logits R L t h) ->
  mean_matrix (factor R D a) bK bQ w = given_Z R D L a.
Proof.
move=> lE; apply/row_matrixP => t; rewrite !rowK /stack trmxK; congr mxvec; apply/matrixP => h j.
rewrite [LHS]mxE [RHS]mxE [RHS]mxE [RHS]mxE; apply: eq_bigr => i _; rewrite mulrC [(_^T) _ _]mxE; congr (_ * _).
rewrite /coef share_softmax; congr (softmax _ _ _); apply/colP => l; by rewrite mxE [RHS]mxE lE.
Qed.

Lemma motions_mono v q m m' : (m <= m' -> minn m v * q + minn m q * (v - m) <= minn m' v * q + minn m' q * (v - m'))%N.
Proof.
move=> mm; have -> : (v - m = v - minn m v)%N by lia.
by rewrite [(minn m q * _)%N]mulnC; apply: motions_leq; rewrite leq_min geq_minr andbT (leq_trans (geq_minl _ _)).
Qed.

Theorem tangents_in_shape L a u : in_shape D L -> (rank_J R D L a u <= H * minn (\rank (exponent_matrix R D))
    (minn d_h (\rank (difference_matrix R D)) * \rank query_matrix
     + minn d_h (\rank query_matrix) * (\rank (difference_matrix R D) - d_h)) + d_out * \rank (given_Z R D L a))%N.
Proof.
pose v := \rank (difference_matrix R D); pose q := \rank query_matrix.
have le m r (mh : (m <= d_h)%N) c x : (x <= H * minn r (minn m v * q + minn m q * (v - m)) + c)%N ->
    (x <= H * minn r (minn d_h v * q + minn d_h q * (v - d_h)) + c)%N.
  move/leq_trans; apply; rewrite leq_add2r leq_mul2l; apply/orP; right.
  by rewrite leq_min geq_minl (leq_trans (geq_minr _ _)) // motions_mono.
rewrite /in_shape /rank_J; case: L => [m qk K qq Q qkb bK qqb bQ|Q W|//].
  move=> /andP[mh /nilP bQ0]; subst bQ; apply: (le m _ mh).
  have b0 h : literal_bias R m qqb [::] h = 0 :> 'cV_m.
    by apply/colP => k; rewrite !mxE /ent !nth_nil rmorph0 mul0r.
  have lE t h : logits_at (literal_bias R m qkb bK) (literal_bias R m qqb [::])
      (parameters (literal R d m qk K) (literal R d m qq Q) (given_readout R D u)) t h =
      logits R (Factors m qk K qq Q qkb bK qqb [::]) t h.
    by rewrite /logits_at key_parameters query_parameters.
  by rewrite -(mean_given a lE); apply: rank_tangents => h; rewrite b0.
move=> dh; apply: (le d _ dh).
have lE t h : logits_at (fun=> 0) (fun=> 0) (parameters (literal R d d Q W) (fun=> 1%:M) (given_readout R D u)) t h =
    logits R (Combined Q W) t h.
  by rewrite /logits_at key_parameters query_parameters trmx0 mulmx0 addr0 trmx1 mul1mx addr0.
by rewrite -(mean_given a lE); apply: rank_tangents.
Qed.

Theorem biased_tangents L a u : (rank_J R D L a u <=
  H * (\rank (difference_matrix R D) * (\rank query_matrix + 1)) + d_out * \rank (given_Z R D L a))%N.
Proof.
rewrite /rank_J; case: L => [m qk K qq Q qkb bK qqb bQ|q W|//].
  have lE t h : logits_at (literal_bias R m qkb bK) (literal_bias R m qqb bQ)
      (parameters (literal R d m qk K) (literal R d m qq Q) (given_readout R D u)) t h =
      logits R (Factors m qk K qq Q qkb bK qqb bQ) t h.
    by rewrite /logits_at key_parameters query_parameters.
  by rewrite -(mean_given a lE); apply: rank_biased_tangents.
have lE t h : logits_at (fun=> 0) (fun=> 0) (parameters (literal R d d q W) (fun=> 1%:M) (given_readout R D u)) t h =
    logits R (Combined q W) t h.
  by rewrite /logits_at key_parameters query_parameters trmx0 mulmx0 addr0 trmx1 mul1mx addr0.
by rewrite -(mean_given a lE); apply: rank_biased_tangents.
Qed.

End Bounds.

(* ============================================================================================= *)
(* Relations between examples                                                                    *)
(* ============================================================================================= *)
(* What holds between the means of all heads holds between the outputs of all weights, and their *)
(* derivatives.                                                                                  *)

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
  apply: (congr1 (fun l => (_ *m softmax l) _ _)); rewrite scale1r /logits_at trmx0 mulmx0 !addr0; by rewrite !mulmxA.
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

End Directions.

Theorem moving_directions (f := minn d_out (H * \rank V)) :
  (functional_dimension R D <= (d_out - f) * capacity R D + largest_rank R D * f)%N.
Proof.
apply: largest_leq => k [w /leq_trans]; apply; apply: leq_trans (rank_moving_directions w) _.
by apply: moved_leq; [apply: any_heads|apply: rank_directions|apply: geq_minl].
Qed.

End Related.
