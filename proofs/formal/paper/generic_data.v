(* The rank of Z for generic data and weights (paper, Appendix I.1).                       *)
(* Along any curve on which all entries of data and weights are polynomials in one         *)
(* real parameter, the minors of Z are quotients of exponential polynomials, so the rank   *)
(* at any point is a lower bound for it at all but finitely many points (rank_curve).      *)
(* In particular every line through data and weights with rank(Z) = r meets the data and   *)
(* weights with rank(Z) < r in finitely many points (rank_line), and those with            *)
(* rank(Z) >= r are dense (rank_dense).  With one example each:                            *)
(*  - contexts of n >= 2 tokens in any dimension d >= 1: data and weights with             *)
(*    rank(Z) = min(T, H d) are dense, key dimension 1 (generic_contexts), and data that   *)
(*    are memorized by T <= H d are dense (generic_contexts_memorized);                    *)
(*  - a shared context of n <= d tokens: the same for min(T, H (n - 1) + 1)                *)
(*    (generic_shared_context).                                                            *)
(* See docs/mathematics.md for the measure-theoretic statements.                           *)
(*                                                                                         *)
(*              point == data and weights together: contexts, queries, keys, query weights *)
(*             Z_at a == Z of a point                                                      *)
(*       line_at a b x == the point a + x (b - a)                                          *)
(*     near_at eps a b == all entries differ by less than eps                              *)
(*           shared a == all contexts of a are the same                                    *)
From Attest Require Import prelude attention common kruskal upper_bounds theorem_1 proposition_3.
From Attest Require Import exponential_polynomials rank_one_real rank_one_varying.

(* -------------------------------------------------------------------------- *)
(* Polynomial functions                                                        *)
(* -------------------------------------------------------------------------- *)
Section Polynomial.
Variable R : realType.
Implicit Types (f g : R -> R).

Definition polynomial f : Prop := exists p : {poly R}, forall x, f x = p.[x].

Lemma polynomial_const c : polynomial (fun=> c).
Proof. by exists c%:P => x; rewrite hornerC. Qed.

Lemma polynomialD f g : polynomial f -> polynomial g -> polynomial (fun x => f x + g x).
Proof. by move=> [p fp] [q gq]; exists (p + q) => x; rewrite hornerD fp gq. Qed.

Lemma polynomialM f g : polynomial f -> polynomial g -> polynomial (fun x => f x * g x).
Proof. by move=> [p fp] [q gq]; exists (p * q) => x; rewrite hornerM fp gq. Qed.

Lemma polynomial_sum (I : finType) (f : I -> R -> R) :
  (forall i, polynomial (f i)) -> polynomial (fun x => \sum_i f i x).
Proof.
move=> fP; have /fin_all_exists[p pP] i := fP i; exists (\sum_i p i) => x.
by rewrite horner_sum; apply: eq_bigr.
Qed.

Lemma polynomial_mulmx m n k (A : R -> 'M[R]_(m, n)) (B : R -> 'M[R]_(n, k)) :
  (forall i j, polynomial (fun x => A x i j)) -> (forall i j, polynomial (fun x => B x i j)) ->
  forall i j, polynomial (fun x => (A x *m B x) i j).
Proof.
move=> AP BP i j.
have [p pP] := polynomial_sum (fun l => polynomialM (AP i l) (BP l j)).
by exists p => x; rewrite -pP mxE.
Qed.

Lemma expfrac_polynomial f : polynomial f -> expfrac f.
Proof.
move=> [p fp]; apply: expfrac_ext (expfrac_poly p 0) _ => x.
by rewrite horner0 expR0 mulr1 fp.
Qed.

End Polynomial.

Lemma ZmxE (R : realType) T H n d (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (W : 'I_H -> 'M[R]_d) t h k :
  Zmx E e W t (mxvec_index h k) = \sum_i E t i k * softmax (E t *m W h *m e t) i 0.
Proof. by rewrite mxE mxE mxE mxvecE mxE mxE mxE; apply: eq_bigr => i _; rewrite mxE. Qed.

(* -------------------------------------------------------------------------- *)
(* Rank along a curve                                                          *)
(* -------------------------------------------------------------------------- *)
Section Curve.
Variables (R : realType) (T H n d : nat).
Variables (E : R -> 'I_T -> 'M[R]_(n, d)) (e : R -> 'I_T -> 'cV[R]_d) (W : R -> 'I_H -> 'M[R]_d).
Hypothesis E_poly : forall t i k, polynomial (fun x => E x t i k).
Hypothesis e_poly : forall t k j, polynomial (fun x => e x t k j).
Hypothesis W_poly : forall h i k, polynomial (fun x => W x h i k).

Lemma expfrac_Zmx t c : expfrac (fun x => Zmx (E x) (e x) (W x) t c).
Proof.
case/mxvec_indexP: c => h k.
have lP i : polynomial (fun x => (E x t *m W x h *m e x t) i 0).
  apply: polynomial_mulmx => [i' j'|]; last exact: e_poly.
  by apply: polynomial_mulmx; [apply: E_poly|apply: W_poly].
have /fin_all_exists[l lE] i := lP i.
apply: (@expfrac_ext _ (fun x => \sum_i E x t i k * (expR (l i).[x] / \sum_j expR (l j).[x]))).
  apply: expfrac_sum => i _; apply: expfracM; first exact/expfrac_polynomial/E_poly.
  exact: expfrac_softmax.
move=> x; rewrite ZmxE; apply: eq_bigr => i _; rewrite [softmax _ _ _]mxE lE.
by congr (_ * (_ / _)); apply: eq_bigr => j _; rewrite lE.
Qed.

Theorem rank_curve x0 : exists r : seq R, forall x, x \notin r ->
  (\rank (Zmx (E x0) (e x0) (W x0)) <= \rank (Zmx (E x) (e x) (W x)))%N.
Proof.
have [f [g fg]] := mxrank_minor (Zmx (E x0) (e x0) (W x0)).
have fracP : expfrac (fun x => \det (mxsub f g (Zmx (E x) (e x) (W x)))).
  apply: expfrac_det => i j; apply: expfrac_ext (expfrac_Zmx (f i) (g j)) _ => x.
  by rewrite [RHS]mxE.
have [r rP] := expfrac_zeros fracP fg.
exists r => x xr; apply: (minor_leq_rank (f := f) (g := g)).
by apply: contraNneq xr => /rP.
Qed.

End Curve.

(* -------------------------------------------------------------------------- *)
(* Lines and neighbourhoods of data and weights                                *)
(* -------------------------------------------------------------------------- *)
Section Line.
Variable R : realType.

(* the line through A and B: A at x = 0, B at x = 1                            *)
Definition line m n (A B : 'M[R]_(m, n)) (x : R) : 'M[R]_(m, n) := A + x *: (B - A).

Lemma line0 m n (A B : 'M[R]_(m, n)) : line A B 0 = A.
Proof. by rewrite /line scale0r addr0. Qed.

Lemma line_poly m n (A B : 'M[R]_(m, n)) i j : polynomial (fun x => line A B x i j).
Proof.
exists ((A i j)%:P + (B i j - A i j) *: 'X) => x.
by rewrite !mxE hornerD hornerC hornerZ hornerX mulrC.
Qed.

(* all entries differ by less than eps                                         *)
Definition near eps m n (A B : 'M[R]_(m, n)) : Prop := forall i j, `|A i j - B i j| < eps.

Variables (T H n d dh : nat).

(* contexts, queries and key and query weights                                 *)
Definition point := ((('I_T -> 'M[R]_(n, d)) * ('I_T -> 'cV[R]_d)) *
  (('I_H -> 'M[R]_(d, dh)) * ('I_H -> 'M[R]_(d, dh))))%type.

Definition Z_at (a : point) : 'M[R]_(T, H * d) :=
  Zmx a.1.1 a.1.2 (fun h => a.2.1 h *m (a.2.2 h)^T).

Definition line_at (a b : point) x : point :=
  ((fun t => line (a.1.1 t) (b.1.1 t) x, fun t => line (a.1.2 t) (b.1.2 t) x),
   (fun h => line (a.2.1 h) (b.2.1 h) x, fun h => line (a.2.2 h) (b.2.2 h) x)).

Definition near_at eps (a b : point) : Prop :=
  [/\ forall t, near eps (a.1.1 t) (b.1.1 t), forall t, near eps (a.1.2 t) (b.1.2 t),
      forall h, near eps (a.2.1 h) (b.2.1 h) & forall h, near eps (a.2.2 h) (b.2.2 h)].

Lemma line_at0 (a b : point) : line_at a b 0 = a.
Proof.
case: a b => [[E e] [K Q]] b; rewrite /line_at /=.
have l0 N m k (A B : 'I_N -> 'M[R]_(m, k)) : (fun i => line (A i) (B i) 0) = A.
  by apply/funext => i; rewrite line0.
by rewrite !l0.
Qed.

Lemma rank_line_from (a b : point) x0 : exists r : seq R, forall x, x \notin r ->
  (\rank (Z_at (line_at a b x0)) <= \rank (Z_at (line_at a b x)))%N.
Proof.
apply: (@rank_curve R T H n d (fun x => (line_at a b x).1.1)
  (fun x => (line_at a b x).1.2) (fun x h => (line_at a b x).2.1 h *m ((line_at a b x).2.2 h)^T)).
- by move=> t i k; apply: line_poly.
- by move=> t i k; apply: line_poly.
move=> h; apply: polynomial_mulmx => [i' k'|i' k']; first exact: line_poly.
have [p pP] := line_poly (a.2.2 h) (b.2.2 h) k' i'.
by exists p => x; rewrite -pP mxE.
Qed.

Theorem rank_line (a b : point) : exists r : seq R, forall x, x \notin r ->
  (\rank (Z_at a) <= \rank (Z_at (line_at a b x)))%N.
Proof. by have [r rP] := rank_line_from a b 0; exists r => x /rP; rewrite line_at0. Qed.

Lemma few_points (r : seq R) (y eps : R) : 0 < eps -> exists x, `|x - y| < eps /\ x \notin r.
Proof.
move=> eps0; pose f k : R := y + eps / k.+2%:R.
have f_inj : injective f.
  move=> k l /addrI/(mulfI (lt0r_neq0 eps0))/invr_inj/eqP.
  by rewrite eqr_nat !eqSS => /eqP.
have [k _ kr] : exists2 k, k \in iota 0 (size r).+1 & f k \notin r.
  apply/hasP; apply: contraT => /hasPn all_r.
  have := @uniq_leq_size _ [seq f k | k <- iota 0 (size r).+1] r.
  rewrite map_inj_uniq // iota_uniq size_map size_iota ltnn; apply=> // _ /mapP[k kI ->].
  by apply: contraT => kr; have := all_r k kI; rewrite kr.
exists (f k); split=> //; rewrite addrAC subrr add0r normrM gtr0_norm // normfV normr_nat.
by rewrite ltr_pdivr_mulr ?ltr0n // ltr_pmulr // ltr1n.
Qed.

Theorem rank_dense (a b : point) eps : 0 < eps ->
  exists x, near_at eps (line_at a b x) b /\ (\rank (Z_at a) <= \rank (Z_at (line_at a b x)))%N.
Proof.
move=> eps0; have [r rP] := rank_line a b.
have bound m k N (A B : 'I_N -> 'M[R]_(m, k)) :
    exists2 M, 0 < M & forall s i j, `|B s i j - A s i j| < M.
  pose f s i j := `|B s i j - A s i j|.
  exists (1 + \sum_s \sum_i \sum_j f s i j) => [|s i j].
    by rewrite ltr_paddr ?ltr01 //; do 3!(apply: sumr_ge0 => ? _); apply: normr_ge0.
  rewrite ltr_spaddl // (bigD1 s) //= (bigD1 i) //= (bigD1 j) //= -!addrA ler_addl.
  by rewrite !addr_ge0 //; do ?(apply: sumr_ge0 => ? _); apply: normr_ge0.
have [M1 M10 M1P] := bound _ _ _ a.1.1 b.1.1; have [M2 M20 M2P] := bound _ _ _ a.1.2 b.1.2.
have [M3 M30 M3P] := bound _ _ _ a.2.1 b.2.1; have [M4 M40 M4P] := bound _ _ _ a.2.2 b.2.2.
pose M := M1 + M2 + M3 + M4; have M0 : 0 < M by rewrite !addr_gt0.
have [x [x1 xr]] := few_points r 1 (divr_gt0 eps0 M0).
have lineE m k (A B : 'M[R]_(m, k)) i j :
    line A B x i j - B i j = (x - 1) * (B i j - A i j).
  by rewrite /line 4!mxE mulrBl mul1r opprB addrAC addrC.
have nearP m k N (A B : 'I_N -> 'M[R]_(m, k)) M' : 0 < M' -> M' <= M ->
    (forall s i j, `|B s i j - A s i j| < M') -> forall s, near eps (line (A s) (B s) x) (B s).
  move=> M'0 M'M AB s i j; rewrite lineE normrM.
  apply: le_lt_trans (_ : _ <= `|x - 1| * M) _.
    by rewrite ler_wpmul2l // (le_trans (ltW (AB s i j))).
  by rewrite -ltr_pdivl_mulr.
exists x; split; last exact: rP.
have leM1 : M1 <= M by rewrite /M -!addrA ler_addl !addr_ge0 // ltW.
have leM2 : M2 <= M by rewrite /M -!addrA addrCA ler_addl !addr_ge0 // ltW.
have leM3 : M3 <= M by rewrite /M -addrA addrCA ler_addl !addr_ge0 // ltW.
have leM4 : M4 <= M by rewrite /M ler_addr !addr_ge0 // ltW.
split.
- exact: nearP leM1 M1P.
- exact: nearP leM2 M2P.
- exact: nearP leM3 M3P.
- exact: nearP leM4 M4P.
Qed.

End Line.

Lemma Z_atE (R : realType) T H n d dh dv do dout (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (P : weights R H d dh dv do dout) : Z E e P = Z_at ((E, e), (WK P, WQ P)).
Proof. exact: ZE. Qed.

Lemma point_of (R : realType) T H n d dh (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d)
    (W : 'I_H -> 'M[R]_d) : (forall h, \rank (W h) <= dh)%N ->
  exists a : point R T H n d dh, a.1 = (E, e) /\ Z_at a = Zmx E e W.
Proof.
move=> rW; have /fin_all_exists[K /fin_all_exists[Q WE]] h := rank_factor (rW h).
have KQ : (fun h => K h *m (Q h)^T) = W by apply/funext => h; rewrite -WE.
by exists ((E, e), (K, Q)); split; [|rewrite /Z_at /= KQ].
Qed.

(* -------------------------------------------------------------------------- *)
(* One example with rank(Z) = min(T, H d), for any n >= 2 and d >= 1           *)
(* -------------------------------------------------------------------------- *)
Section Collinear.
Variables (R : realType) (T n' d' : nat).
Notation n := n'.+2.
Notation d := d'.+1.

(* token i of context t is 1 - i times the point t of the moment curve          *)
Let context (t : 'I_T) : 'M[R]_(n, d) := \matrix_(i < n) ((1 - i%:R) *: moment R d t)^T.
Let query (t : 'I_T) : 'cV[R]_d := t.+1%:R *: delta_mx 0 0.
Let u : 'cV[R]_d := delta_mx 0 0.
Let v : 'rV[R]_d := delta_mx 0 0.

Lemma collinear_logit t i : logit context query (u *m v) t i = (1 - i%:R) * t.+1%:R.
Proof.
rewrite /logit mulmxA -mulmxA mxE big_ord1; congr (_ * _).
  by rewrite -colE !mxE expr0 mulr1.
by rewrite -scalemxAr mul_delta_mx !mxE eqxx mulr1.
Qed.

Lemma collinear_contexts H : (0 < H)%N -> exists E : 'I_T -> 'M[R]_(n, d),
  exists e : 'I_T -> 'cV[R]_d, exists W : 'I_H -> 'M[R]_d,
    (forall h, \rank (W h) <= 1)%N /\ \rank (Zmx E e W) = minn T (H * d).
Proof.
move=> H0; pose p := fun _ : 'I_T => ord0 : 'I_n; pose q := fun _ : 'I_T => 1 : 'I_n.
have pq : top_two context query (u *m v) p q.
  move=> t; rewrite !collinear_logit /= subr0 subrr mul1r mul0r ltr0n; split=> // i i0 i1.
  rewrite collinear_logit pmulr_llt0 ?ltr0n // subr_lt0 ltr1n.
  by case: i i0 i1 => -[|[|]].
have gapE t : top_gap context query (u *m v) p q t = t.+1%:R.
  by rewrite /top_gap !collinear_logit /= subrr mul0r !subr0 mul1r.
have gap_inj : injective (top_gap context query (u *m v) p q).
  by move=> t t'; rewrite !gapE => /eqP; rewrite eqr_nat eqSS => /eqP/val_inj.
have [||c [_ rZ]] := rank_one_varying_full H0 pq gap_inj.
- rewrite (_ : top_token _ _ = @moment R T d); first exact: moment_general_position.
  by apply/funext => t; rewrite /top_token rowK trmxK subr0 scale1r.
- rewrite (_ : top_difference _ _ _ = fun t => - @moment R T d t).
    exact/kruskal_geqN/moment_general_position.
  apply/funext => t; rewrite /top_difference !rowK -linearB /= trmxK.
  by rewrite subrr scale0r subr0 scale1r sub0r.
exists context, query, (fun h => c h *: (u *m v)); split=> // h.
by rewrite scalemxAl (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
Qed.

End Collinear.

Section Generic.
Variables (R : realType) (T H n d dh : nat).
Hypothesis n_gt1 : (1 < n)%N.
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis dh_gt0 : (0 < dh)%N.

Lemma full_rank_point : exists a : point R T H n d dh, \rank (Z_at a) = minn T (H * d).
Proof.
have [E [e [W [W1 rZ]]]] : exists E : 'I_T -> 'M[R]_(n, d), exists e, exists W : 'I_H -> 'M[R]_d,
    (forall h, \rank (W h) <= 1)%N /\ \rank (Zmx E e W) = minn T (H * d).
  case: n n_gt1 => [|[|n']] // _; case: d d_gt0 => // d' _.
  exact: collinear_contexts.
have [|a [_ aW]] := @point_of R T H n d dh E e W; last by exists a; rewrite aW.
by move=> h; rewrite (leq_trans (W1 h)).
Qed.

Lemma full_rank_geq (b : point R T H n d dh) :
  (minn T (H * d) <= \rank (Z_at b))%N -> \rank (Z_at b) = minn T (H * d).
Proof. by move=> leZ; apply/eqP; rewrite eqn_leq leZ leq_min rank_leq_row rank_leq_col. Qed.

(* one point of which every line has full rank at all but finitely many points     *)
Theorem generic_contexts_line : exists a : point R T H n d dh, forall b,
  exists r : seq R, forall x, x \notin r -> \rank (Z_at (line_at a b x)) = minn T (H * d).
Proof.
have [a ra] := full_rank_point; exists a => b; have [r rP] := rank_line a b.
by exists r => x /rP leZ; apply/full_rank_geq/(leq_trans _ leZ)/eq_leq/esym.
Qed.

Theorem generic_contexts (b : point R T H n d dh) eps : 0 < eps ->
  exists c, near_at eps c b /\ \rank (Z_at c) = minn T (H * d).
Proof.
move=> eps0; have [a ra] := full_rank_point; have [x [xb leZ]] := rank_dense a b eps0.
exists (line_at a b x); split; first exact: xb.
exact/full_rank_geq/(leq_trans _ leZ)/eq_leq/esym.
Qed.

(* any T <= H d examples become memorizable by an arbitrarily small change          *)
Corollary generic_contexts_memorized dv do dout (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) eps :
    (T <= H * d)%N -> (dout <= dv)%N -> (dout <= do)%N -> 0 < eps ->
  exists E' : 'I_T -> 'M[R]_(n, d), exists e' : 'I_T -> 'cV[R]_d,
    [/\ forall t, near eps (E' t) (E t), forall t, near eps (e' t) (e t) &
        forall y : 'I_T -> 'cV[R]_dout, exists P : weights R H d dh dv do dout, memorizes E' e' P y].
Proof.
move=> TH dv_ do_ eps0.
have [c [[nE ne _ _] rZ]] := generic_contexts ((E, e), (fun=> 0, fun=> 0)) eps0.
exists c.1.1, c.1.2; split=> // y; rewrite (minn_idPl TH) in rZ.
have [U UP] := readout_memorizes dv_ do_ rZ y; by exists (readout dv do c.2.1 c.2.2 U).
Qed.

End Generic.

(* -------------------------------------------------------------------------- *)
(* One shared context                                                          *)
(* -------------------------------------------------------------------------- *)
Section Shared.
Variables (R : realType) (T H n d dh : nat).
Hypothesis n_gt0 : (0 < n)%N.
Hypothesis n_le_d : (n <= d)%N.
Hypothesis H_gt0 : (0 < H)%N.
Hypothesis dh_gt0 : (0 < dh)%N.

Definition shared_point (a : point R T H n d dh) : Prop := exists C, a.1.1 = fun=> C.

Lemma shared_leq a : shared_point a -> (\rank (Z_at a) <= minn T (H * (n - 1) + 1))%N.
Proof.
case: a => -[E e] [K Q] [C /= EC]; rewrite leq_min rank_leq_row /=.
have := @proposition_2 R T H n d dh d d d C E e (Weights K Q (fun=> 0) 0 0).
by rewrite Z_atE; apply=> t; rewrite EC.
Qed.

Theorem generic_shared_context (b : point R T H n d dh) eps : shared_point b -> 0 < eps ->
  exists c, [/\ shared_point c, near_at eps c b & \rank (Z_at c) = minn T (H * (n - 1) + 1)].
Proof.
move=> [B bB] eps0; pose C : 'M[R]_(n, d) := pid_mx n.
have rC : \rank C = n by rewrite rank_pid_mx.
have d0 : (0 < d)%N := leq_trans n_gt0 n_le_d.
pose e (t : 'I_T) : 'cV[R]_d := const_mx t.+1%:R.
have inj_e : injective e.
  move=> t t' /matrixP/(_ (Ordinal d0) 0); rewrite !mxE => /eqP.
  by rewrite eqr_nat eqSS => /eqP/val_inj.
have half : exists w : 'rV[R]_d, forall t, 0 < (w *m e t) 0 0.
  exists (const_mx 1) => t; rewrite mxE; under eq_bigr do rewrite !mxE mul1r.
  by rewrite sumr_const card_ord -mulr_natr mulr_gt0 ?ltr0n.
have [u [v uvP]] := rank_one_real C H_gt0 inj_e half.
have [|k [_ leZ]] := uvP n; first by rewrite rC leqnn n_gt0.
have [h|a [ae aZ]] := @point_of R T H n d dh (fun=> C) e (fun h => k h *: (u *m v)).
  by rewrite scalemxAl (leq_trans (mxrankM_maxr _ _)) // (leq_trans (rank_leq_row _)).
have [x [xb leX]] := rank_dense a b eps0.
have shx : shared_point (line_at a b x).
  by exists (line C B x); apply/funext => t; rewrite /line_at /= ae bB.
have leZx : (minn T (H * (n - 1) + 1) <= \rank (Z_at (line_at a b x)))%N.
  by apply: leq_trans leX; rewrite aZ; exact: leZ.
exists (line_at a b x); split; [exact: shx|exact: xb|].
by apply/eqP; rewrite eqn_leq leZx (shared_leq shx).
Qed.

End Shared.
