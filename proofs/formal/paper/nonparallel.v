(* Softmax is no restriction: with pairwise non-parallel queries a layer has the largest rank that any  *)
(* coefficients have (docs/mathematics.md, Theorem 5); also with query biases, for different queries.  *)
(*                                                                                                     *)
(*   along x gamma a b t l == the product of the point x t l and a + gamma t b                         *)
(*                vertices == a and b for which each set of points has one with the largest product,   *)
(*                            if possible with independent rows p t + x *m S                           *)
(* one_head_rank, all_heads == a head whose output tends to the point of the largest logit as weights  *)
(*                            grow, beside any columns, and all heads: as good as any combinations     *)
(*                varied E t == the tokens of example t are not all equal                              *)
(*          non_parallel E e == no query of an example that moves is a multiple of another one         *)
(*            at_means E e t == the context, with the mean for each token where the query is 0         *)
(*          nonparallel_rank == weights that are at least as good as any coefficients                  *)
(*  nonparallel_rank_formula == the largest rank of Z                                                  *)
(*          pointed E e g t == each head at one token, or at the mean where the query is 0             *)
(*       hard_attention_rank == weights that are at least as good as that                              *)
(*     nonparallel_rank_bias == different queries are enough                                           *)
From Attest Require Import prelude.
From mathcomp Require Import ring.
From Attest Require Import attention common layer_variants rank_one_real upper_bounds generic_data rank_formula problem query_biases capacity mixed_cells.

Section Vertices.
Variables (R : realFieldType) (k d : nat) (I : finType).
Variables (x : 'I_k -> I -> 'rV[R]_d) (p : 'I_k -> 'rV[R]_k) (S : 'M[R]_(d, k)) (gamma : 'I_k -> R).
Implicit Types (A : 'I_k -> {set I}) (f : 'I_k -> I) (a b y : 'cV[R]_d).

Definition moves t := [exists l, exists l', x t l != x t l'].
Hypothesis gammaP : forall t t', t != t' -> moves t -> moves t' -> gamma t != gamma t'.

Definition row_at t l : 'rV[R]_k := p t + x t l *m S.
Definition rows_at f : 'M[R]_k := \matrix_t row_at t (f t).
Definition at_ y t l : R := (x t l *m y) 0 0.
Definition along a b t l : R := at_ a t l + gamma t * at_ b t l.
Definition face A a b t := [set l in A t | [forall l' in A t, along a b t l' <= along a b t l]].
Definition good A := exists f, (forall t, f t \in A t) /\ rows_at f \in unitmx.

Lemma faceP A a b t l : reflect (l \in A t /\ forall l', l' \in A t -> along a b t l' <= along a b t l) (l \in face A a b t).
Proof. by rewrite inE; apply: (iffP andP) => -[lA /forall_inP]. Qed.

Lemma at_lin y z c t l : at_ (y + c *: z) t l = at_ y t l + c * at_ z t l.
Proof. by rewrite /at_ mulmxDr -scalemxAr !mxE. Qed.

Lemma at_scale c y t l : at_ (c *: y) t l = c * at_ y t l.
Proof. by rewrite /at_ -scalemxAr mxE. Qed.

Lemma row_atE t l (s : 'cV[R]_k) : (row_at t l *m s) 0 0 = (p t *m s) 0 0 + at_ (S *m s) t l.
Proof. by rewrite mulmxDl /at_ mulmxA mxE. Qed.

Lemma rows_atE f (s : 'cV[R]_k) t : (rows_at f *m s) t 0 = (row_at t (f t) *m s) 0 0.
Proof. by rewrite !mxE; apply: eq_bigr => j _; rewrite !mxE. Qed.

(* for every b some a leaves a choice of independent rows                          *)
Lemma some_face A b : good A -> exists a, good (face A a b).
Proof.
move=> [f [fA unitf]].
pose X t (l : option I) : 'rV[R]_k := if l is Some l' then row_at t l' else 0.
pose c t (l : option I) : R := if l is Some l' then gamma t * at_ b t l' else 0.
pose A' t : {set option I} := None |: [set Some l | l in A t].
have SA' t l : (Some l \in A' t) = (l \in A t).
  by rewrite !inE /=; apply/imsetP/idP => [[l' l'A [->]]|lA]; last exists l.
have [|||tau [i [j [iA jA unit_ij]]]] := @mixed_cell R k (option_finType I) X A' c (fun=> None) (fun t => Some (f t)).
- by move=> t; rewrite !inE.
- by move=> t; rewrite SA'.
- by rewrite (_ : slope_matrix _ _ _ = rows_at f) //; apply/row_matrixP => t; rewrite !rowK subr0.
pose lam t (l : option I) : R := (l == j t)%:R - (l == i t)%:R.
have [|h [hlam unith]] := @choose_rows R k (option_finType I) lam X.
  rewrite (_ : \matrix_t _ = slope_matrix X i j) //; apply/row_matrixP => t; rewrite !rowK.
  under eq_bigr do rewrite scalerBl; rewrite sumrB; congr (_ - _).
    by rewrite (bigD1 (j t)) //= eqxx scale1r big1 ?addr0 // => l /negPf->; rewrite scale0r.
  by rewrite (bigD1 (i t)) //= eqxx scale1r big1 ?addr0 // => l /negPf->; rewrite scale0r.
have hA t : active X A' c tau t (h t).
  have := hlam t; rewrite /lam; have [->|_] := eqVneq (h t) (j t); first by rewrite jA.
  by have [->|_] := eqVneq (h t) (i t); rewrite ?iA // subrr eqxx.
have /fin_all_exists[g gE] t : exists l, h t = Some l.
  case E: (h t) => [l|]; first by exists l.
  have := dualE t t unith; rewrite (_ : (_ *m _) t 0 = 0); first by rewrite eqxx => /eqP; rewrite eq_sym oner_eq0.
  by rewrite mxE big1 // => m _; rewrite !mxE E mxE mul0r.
exists (S *m tau), g; split=> [t|]; last first.
  by rewrite (_ : rows_at g = \matrix_t X t (h t)) //; apply/row_matrixP => t; rewrite !rowK gE.
have /activeP[] := hA t; rewrite gE SA' => gA top; apply/faceP; split=> // l lA.
have := top (Some l); rewrite SA' => /(_ lA); rewrite /height /X !row_atE /= -!addrA ler_add2l.
by rewrite /along.
Qed.

(* faces of faces *)
Lemma along_step a b a' b' c t l : along (a + c *: a') (b + c *: b') t l = along a b t l + c * along a' b' t l.
Proof. by rewrite /along !at_lin; ring. Qed.

Theorem vertices A : good A -> exists a b f, [/\ forall t, f t \in A t, rows_at f \in unitmx &
  forall t l, l \in A t -> x t l = x t (f t) \/ along a b t l < along a b t (f t)].
Proof.
have [m] := ubnP (\sum_t #|A t|); elim: m A => // m IH A Am goodA.
have [[a [b [goodF [t0 t0F]]]]|none] := pselect (exists a b, good (face A a b) /\ exists t, face A a b t != A t).
  have sub t : face A a b t \subset A t by apply/subsetP => l /faceP[].
  have [|//|a' [b' [f [fF unitf top]]]] := IH (face A a b).
    move: Am; rewrite ltnS; apply: leq_trans; rewrite (bigD1 t0) //= [X in (_ < X)%N](bigD1 t0) //= -addSn.
    apply: leq_add; first by rewrite proper_card // properEneq t0F sub.
    by apply: leq_sum => t _; apply: subset_leq_card.
  have [eps eps0 epsP] := small_step (fun q : 'I_k * I => along a b q.1 (f q.1) - along a b q.1 q.2)
    (fun q => along a' b' q.1 (f q.1) - along a' b' q.1 q.2).
  exists (a + eps *: a'), (b + eps *: b'), f; split=> // [t|t l lA]; first exact: (subsetP (sub t)).
  have /faceP[fA fmax] := fF t; rewrite !along_step.
  have [lF|lF] := boolP (l \in face A a b t).
    have [->|lt] := top t l lF; [by left|right].
    have -> : along a b t l = along a b t (f t) by apply/eqP; rewrite eq_le fmax //; have /faceP[_ ->] := lF.
    by rewrite ltr_add2l ltr_pmul2l.
  right; rewrite -subr_gt0 opprD addrACA -mulrBr; apply: (epsP (t, l)); rewrite /= subr_gt0 lt_neqAle fmax // andbT.
  apply: contra lF => /eqP E; apply/faceP; split=> // l' /fmax; by rewrite E.
have full a b t l l' : good (face A a b) -> l \in A t -> l' \in A t -> along a b t l = along a b t l'.
  move=> goodF lA l'A; have : face A a b t = A t.
    by apply/eqP; apply: contraT => ne; case: none; exists a, b; split=> //; exists t.
  move=> E; have := lA; have := l'A; rewrite -{1}E => /faceP[_ /(_ l lA) le1]; rewrite -{1}E => /faceP[_ /(_ l' l'A) le2].
  by apply/eqP; rewrite eq_le le1.
(* products with the numbers gamma t - gamma u come from weights, too *)
pose dif y t l l' := at_ y t l - at_ y t l'.
have times y u : exists a, forall t l l', l \in A t -> l' \in A t -> dif a t l l' = (gamma t - gamma u) * dif y t l l'.
  have [a goodF] := some_face y goodA; exists (- a + (- gamma u) *: y) => t l l' lA l'A.
  have := full _ _ _ _ _ goodF lA l'A; rewrite /along /dif !at_lin /at_ !mulmxN.
  have oppE (z : 'M[R]_1) : (- z) 0 0 = - z 0 0 by rewrite mxE.
  rewrite !oppE -!/(at_ _ _ _); move: (at_ _ _ _) (at_ _ _ _) (at_ _ _ _) (at_ _ _ _) => a1 y1 a2 y2 /eqP.
  by rewrite eq_sym -subr_eq => /eqP <-; ring.
have product (s : seq 'I_k) y : exists a, forall t l l', l \in A t -> l' \in A t ->
    dif a t l l' = (\prod_(u <- s) (gamma t - gamma u)) * dif y t l l'.
  elim: s => [|u s [a aE]]; first by exists y => t l l' _ _; rewrite big_nil mul1r.
  have [a' a'E] := times a u; exists a' => t l l' lA l'A.
  by rewrite a'E // aE // big_cons mulrA.
have alone t0 y : moves t0 -> exists a, (forall t l l', t != t0 -> l \in A t -> l' \in A t -> at_ a t l = at_ a t l') /\
    forall l l', l \in A t0 -> l' \in A t0 -> dif a t0 l l' = dif y t0 l l'.
  move=> mt0; pose s := [seq u <- enum 'I_k | (u != t0) && moves u].
  pose c := \prod_(u <- s) (gamma t0 - gamma u).
  have c0 : c != 0.
    rewrite prodf_seq_neq0; apply/allP => u; rewrite mem_filter => /andP[/andP[ut0 mu] _].
    by rewrite /= subr_eq0 gammaP // eq_sym.
  have [a aE] := product s (c^-1 *: y); exists a; split=> [t l l' tt0 lA l'A|l l' lA l'A].
    apply/eqP; rewrite -subr_eq0 -/(dif a t l l') aE //.
    have [mt|/existsPn fixed] := boolP (moves t); last first.
      by have /existsPn/(_ l') := fixed l; rewrite negbK /dif /at_ => /eqP ->; rewrite subrr mulr0.
    rewrite (bigD1_seq t) /= ?subrr ?mul0r //; last by rewrite filter_uniq ?enum_uniq.
    by rewrite mem_filter tt0 mt mem_enum.
  by rewrite aE // -/c /dif !at_scale -mulrBr mulrA divff // mul1r.
have same t l l' : l \in A t -> l' \in A t -> x t l = x t l'.
  move=> lA l'A; apply/eqP; apply: contraT => ne.
  have mt : moves t by apply/existsP; exists l; apply/existsP; exists l'.
  have [f [fA unitf]] := goodA; pose rho := dual (rows_at f) t; pose g l := (row_at t l *m rho) 0 0.
  have gf : g (f t) = 1 by rewrite /g -rows_atE dualE // eqxx.
  have [y [l1 [l2 [l1A l2A y12 ytop]]]] : exists y l1 l2, [/\ l1 \in A t, l2 \in A t, dif y t l1 l2 != 0 &
      forall l, l \in A t -> (forall l', l' \in A t -> at_ y t l' <= at_ y t l) -> g l != 0].
    have [/exists_inP[l1 l1A g1]|/exists_inPn g1] := boolP [exists l in A t, g l != 1].
      exists (S *m rho), l1, (f t); split=> // [|l2 l2A top].
        by move: g1; apply: contra => /eqP E; rewrite -gf /g !row_atE -subr_eq0 opprD addrACA subrr add0r; apply/eqP.
      rewrite gt_eqF // (lt_le_trans ltr01) // -gf /g !row_atE ler_add2l top //.
    have [j xj] : exists j, x t l 0 j != x t l' 0 j.
      apply: contrapT => nonej; case/negP: ne; apply/eqP/rowP => j; apply/eqP; apply: contraT => xj.
      by case: nonej; exists j.
    exists (delta_mx j 0), l, l'; split=> // [|l2 l2A _].
      by rewrite /dif /at_ -!colE !mxE subr_eq0.
    by have := g1 _ l2A; rewrite negbK => /eqP ->; rewrite oner_eq0.
  have [a [aN a0]] := alone t y mt.
  have along0 t' l3 : along a 0 t' l3 = at_ a t' l3 by rewrite /along -[0](scale0r y) at_scale mul0r mulr0 addr0.
  have ordE l3 l4 : l3 \in A t -> l4 \in A t -> (at_ a t l3 <= at_ a t l4) = (at_ y t l3 <= at_ y t l4).
    by move=> l3A l4A; rewrite -subr_ge0 -/(dif a t l4 l3) a0 // /dif subr_ge0.
  case: (@Order.TotalTheory.arg_maxP _ _ _ (f t) (mem (A t)) (at_ y t) (fA t)) => l0 /= l0A l0top.
  have goodF : good (face A a 0).
    exists (fun t' => if t' == t then l0 else f t'); split=> [t'|].
      apply/faceP; have [->|tt'] := eqVneq t' t.
        by split=> // l3 l3A; rewrite !along0 ordE //; apply: l0top.
      by split=> // l3 l3A; rewrite !along0 (aN t' l3 (f t')).
    apply: (unit_row (t0 := t) (s := rho) unitf) => [t' j /negPf tt'|t' /negPf tt'|].
    - by rewrite !mxE tt'.
    - by rewrite dualE // tt'.
    by rewrite rows_atE eqxx; apply: ytop.
  have := full a 0 t l1 l2 goodF l1A l2A; rewrite !along0 => E.
  by case/negP: y12; rewrite -a0 // /dif E subrr.
by have [f [fA unitf]] := goodA; exists 0, 0, f; split=> // t l lA; left; apply: same.
Qed.

End Vertices.

(* -------------------------------------------------------------------------- *)
(* Heads                                                                      *)
(* -------------------------------------------------------------------------- *)
(* x t l: the points of example t; z t y: what a head with the direction y = W *m e t makes of them        *)
Section Heads.
Variables (R : realType) (T d q : nat) (I : finType).
Variables (x : 'I_T -> I -> 'rV[R]_d) (e : 'I_T -> 'cV[R]_q) (z : 'I_T -> 'cV[R]_d -> 'rV[R]_d).

Definition moves_at t := (e t != 0) && [exists l, exists l', x t l != x t l'].
Hypothesis not_parallel : forall t t', t != t' -> moves_at t -> moves_at t' -> forall c, e t != c *: e t'.
Hypothesis z_tends : forall t y l, e t != 0 -> (forall l', x t l' = x t l \/ (x t l' *m y) 0 0 < (x t l *m y) 0 0) ->
  forall j, tends (fun s => z t (s *: y) 0 j) (x t l 0 j).
Hypothesis z_0 : forall t l, e t = 0 -> x t l = z t 0.

Lemma two_functionals : exists u v : 'rV[R]_q, (forall t, e t != 0 -> (u *m e t) 0 0 != 0) /\
  forall t t', t != t' -> moves_at t -> moves_at t' -> (v *m e t) 0 0 / (u *m e t) 0 0 != (v *m e t') 0 0 / (u *m e t') 0 0.
Proof.
pose I1 := [finType of {t : 'I_T | e t != 0}].
have [a|u uP] := @separating _ I1 _ (fun a => e (val a)); first exact: (valP a).
have {}uP t : e t != 0 -> (u *m e t) 0 0 != 0 by move=> t0; apply: (uP (exist _ t t0)).
pose I2 := [finType of {a : 'I_T * 'I_T | [&& a.1 != a.2, moves_at a.1 & moves_at a.2]}].
have [[[t t'] /= /and3P[tt' mt mt']]|v vP] := @separating _ I2 _ (fun a =>
    (u *m e (val a).2) 0 0 *: e (val a).1 - (u *m e (val a).1) 0 0 *: e (val a).2).
  have /uP u' : e t' != 0 by have /andP[] := mt'.
  apply: contra (not_parallel tt' mt mt' ((u *m e t) 0 0 / (u *m e t') 0 0)); rewrite subr_eq0 => /eqP E.
  by rewrite mulrC -scalerA -E scalerA mulVf // scale1r.
exists u, v; split=> // t t' tt' mt mt'; have /andP[/uP u1 _] := mt; have /andP[/uP u2 _] := mt'.
have ok : [&& (t, t').1 != (t, t').2, moves_at (t, t').1 & moves_at (t, t').2] by apply/and3P.
have := vP (exist _ (t, t') ok); rewrite /= mulmxBr -!scalemxAr.
rewrite [X in X != _ -> _]mxE [X in X + _ != _ -> _]mxE [X in _ + X != _ -> _]mxE [X in _ - X != _ -> _]mxE subr_eq0.
by apply: contra; rewrite eqr_div // => /eqP E; rewrite mulrC E mulrC.
Qed.

Theorem one_head_rank m (P : 'M[R]_(T, m)) (S : 'M[R]_(d, m)) (s : 'I_T -> I -> R) : (forall t, \sum_l s t l = 1) ->
  exists W : 'M[R]_(d, q), (\rank (\matrix_t (row t P + (\sum_l s t l *: x t l) *m S)) <=
    \rank (\matrix_t (row t P + z t (W *m e t) *m S)))%N.
Proof.
move=> s1; set M := \matrix_t _; have [u [v [u0 uv]]] := two_functionals.
pose f := maxrankfun M; pose B := rowsub f M.
have [Q BQ] : exists Q, B *m Q = 1%:M by exists (pinvmx B); apply: mulmxVp; apply: maxrowsub_free.
pose mu k := if e (f k) == 0 then 1 else (u *m e (f k)) 0 0.
have mu0 k : mu k != 0 by rewrite /mu; have [_|/u0] := eqVneq (e (f k)) 0; rewrite ?oner_eq0.
pose gamma k := (v *m e (f k)) 0 0 / (u *m e (f k)) 0 0.
pose x' k l := mu k *: x (f k) l; pose p k := row (f k) P *m Q; pose p' k := mu k *: p k.
have movesE k : moves x' k -> moves_at (f k).
  case/existsP=> l /existsP[l']; rewrite /x' (inj_eq (scalerI (mu0 k))) => ll'; apply/andP; split; last first.
    by apply/existsP; exists l; apply/existsP; exists l'.
  by apply: contraNneq ll' => e0; rewrite !z_0.
have f_inj : injective f.
  move=> k k' kk'; apply/eqP; apply: contraT => ne.
  have := congr1 (fun A : 'M_(\rank M) => A k k) BQ; have := congr1 (fun A : 'M_(\rank M) => A k' k) BQ.
  rewrite ![(_ *m _) _ _]mxE ![1%:M _ _]mxE eqxx eq_sym (negPf ne).
  under eq_bigr do rewrite mxE; under [in X in _ -> X = _ -> _]eq_bigr do rewrite mxE.
  by rewrite kk' => -> /eqP; rewrite eq_sym oner_eq0.
have gammaP k k' : k != k' -> moves x' k -> moves x' k' -> gamma k != gamma k'.
  by move=> kk' /movesE mk /movesE mk'; apply: uv => //; rewrite (inj_eq f_inj).
have scaled (g : 'I_(\rank M) -> I) : (rows_at x' p' (S *m Q) g \in unitmx) = ((\matrix_k (p k + x (f k) (g k) *m (S *m Q))) \in unitmx).
  have -> : rows_at x' p' (S *m Q) g = diag_mx (\row_k mu k) *m \matrix_k (p k + x (f k) (g k) *m (S *m Q)).
    apply/row_matrixP => k; set A := \matrix_k0 _.
    have -> : row k (diag_mx (\row_k mu k) *m A) = mu k *: row k A.
      by apply/rowP => j; rewrite mul_diag_mx [LHS]mxE [LHS]mxE [RHS]mxE [X in X * _]mxE [row _ _ _ _]mxE.
    by rewrite !rowK /row_at /p' /x' scalerDr -scalemxAl.
  rewrite unitmx_mul (_ : diag_mx _ \in unitmx) // unitmxE det_diag unitfE.
  by apply/prodf_neq0 => k _; rewrite mxE.
have [|g [_ unitg]] := @choose_rows R _ I (fun k => s (f k)) (fun k l => p k + x (f k) l *m (S *m Q)).
  rewrite (_ : \matrix_k _ = 1%:M) ?unitmx1 // -BQ; apply/row_matrixP => k.
  rewrite rowK row_mul row_rowsub rowK; under eq_bigr do rewrite scalerDr.
  rewrite big_split /= -scaler_suml s1 scale1r mulmxDl; congr (_ + _).
  by rewrite !mulmx_suml; apply: eq_bigr => l _; rewrite -!scalemxAl mulmxA.
have [|a [b [h [_ unith top]]]] := vertices gammaP (A := fun=> setT) (p := p') (S := S *m Q).
  by exists g; rewrite scaled; split=> // k; rewrite inE.
rewrite scaled in unith.
pose W : 'M[R]_(d, q) := a *m u + b *m v.
have WE k : e (f k) != 0 -> forall l, (x (f k) l *m (W *m e (f k))) 0 0 = along x' gamma a b k l.
  move=> e0 l; set y := x (f k) l; set ue := (u *m e (f k)) 0 0; set ve := (v *m e (f k)) 0 0.
  have -> : W *m e (f k) = ue *: a + ve *: b.
    by rewrite /W mulmxDl -!mulmxA [u *m _]mx11_scalar [v *m _]mx11_scalar !mul_mx_scalar.
  have lin (c1 c2 : R) (y1 y2 : 'cV[R]_d) : (y *m (c1 *: y1 + c2 *: y2)) 0 0 = c1 * (y *m y1) 0 0 + c2 * (y *m y2) 0 0.
    by rewrite mulmxDr -!scalemxAr mxE [X in X + _]mxE [X in _ + X]mxE.
  have scale (c1 : R) (y1 : 'cV[R]_d) : (c1 *: y *m y1) 0 0 = c1 * (y *m y1) 0 0 by rewrite -scalemxAl mxE.
  rewrite lin /along /at_ /x' !scale /gamma /mu (negPf e0) -/ue -/ve mulrA.
  by rewrite divfK ?u0.
pose N c : 'M[R]_(\rank M) := \matrix_k (p k + z (f k) ((c *: W) *m e (f k)) *m (S *m Q)).
have N_tends i j : tends (fun c => N c i j) ((\matrix_k (p k + x (f k) (h k) *m (S *m Q))) i j).
  have entry (y : 'rV[R]_d) : (p i + y *m (S *m Q)) 0 j = p i 0 j + \sum_l y 0 l * (S *m Q) l j.
    by rewrite mxE [X in _ + X]mxE.
  have z_lim l : tends (fun c => z (f i) ((c *: W) *m e (f i)) 0 l) (x (f i) (h i) 0 l).
    have [e0|e0] := eqVneq (e (f i)) 0.
      by apply: tends_ext (tends_cst (x (f i) (h i) 0 l)) _ => c; rewrite (z_0 _ e0) e0 mulmx0.
    apply: tends_ext (z_tends (y := W *m e (f i)) (l := h i) e0 _ l) _ => [l'|c]; last by rewrite -scalemxAl.
    by rewrite !WE //; case: (top i l' (in_setT _)) => [/(scalerI (mu0 i))|]; [left|right].
  rewrite mxE entry; apply: tends_ext (tendsD (tends_cst (p i 0 j))
    (tends_sum (index_enum _) (fun l (_ : predT l) => tendsM (z_lim l) (tends_cst ((S *m Q) l j))))) _ => c.
  by rewrite [RHS]mxE entry.
have [c c0 leN] := pick_large (rank_tends N_tends).
exists (c *: W); rewrite (mxrank_unit unith) in leN; apply: leq_trans leN _.
set M' := \matrix_t _.
have -> : N c = rowsub f M' *m Q.
  apply/row_matrixP => k; rewrite rowK row_mul row_rowsub rowK mulmxDl mulmxA //.
by rewrite (leq_trans (mxrankM_maxl _ _)) // rowsubE mxrankM_maxr.
Qed.

(* all heads, one after the other *)
Theorem all_heads H (s : 'I_T -> 'I_H -> I -> R) : (forall t h, \sum_l s t h l = 1) ->
  exists W : 'I_H -> 'M[R]_(d, q), (\rank (\matrix_t mxvec (\matrix_h \sum_l s t h l *: x t l)) <=
    \rank (\matrix_t mxvec (\matrix_h z t (W h *m e t))))%N.
Proof.
move=> s1; pose out (W : 'I_H -> option 'M[R]_(d, q)) t h : 'rV[R]_d :=
  if W h is Some w then z t (w *m e t) else \sum_l s t h l *: x t l.
pose Z W : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_h out W t h).
suff [W [all le]] : exists W, (forall h, h \in enum 'I_H -> exists w, W h = Some w) /\ (\rank (Z (fun=> None)) <= \rank (Z W))%N.
  have /fin_all_exists[w wE] h : exists w, W h = Some w by apply: all; rewrite mem_enum.
  exists w; apply: leq_trans le _; rewrite (_ : Z W = \matrix_t mxvec (\matrix_h z t (w h *m e t))) //.
  by apply/row_matrixP => t; rewrite !rowK; congr mxvec; apply/row_matrixP => h; rewrite !rowK /out wE.
elim: (enum _) => [|h0 hs [W [all le]]]; first by exists (fun=> None).
case E0 : (W h0) => [w|].
  by exists W; split=> // h; rewrite inE => /predU1P[->|/all//]; exists w.
pose P : 'M[R]_(T, H * d) := \matrix_t \sum_(h | h != h0) out W t h *m block R d h.
have outE W' t : mxvec (\matrix_h out W' t h) = out W' t h0 *m block R d h0 + \sum_(h | h != h0) out W' t h *m block R d h.
  by rewrite mxvec_blocks (bigD1 h0) //= rowK; congr (_ + _); apply: eq_bigr => h _; rewrite rowK.
have [w wP] := one_head_rank P (block R d h0) (fun t => s1 t h0).
exists (fun h => if h == h0 then Some w else W h); split=> [h|].
  by rewrite inE; case: eqP => [_ _|_ /= /all//]; exists w.
apply: leq_trans le _; rewrite (_ : Z W = \matrix_t (row t P + (\sum_l s t h0 l *: x t l) *m block R d h0)); last first.
  by apply/row_matrixP => t; rewrite !rowK outE addrC /out E0.
apply: leq_trans wP _; rewrite (_ : \matrix_t _ = Z (fun h => if h == h0 then Some w else W h)) //.
apply/row_matrixP => t; rewrite !rowK outE addrC; congr (_ + _); first by rewrite /out eqxx.
by apply: eq_bigr => h /negPf hh0; rewrite /out hh0.
Qed.

End Heads.

(* -------------------------------------------------------------------------- *)
(* Softmax                                                                     *)
(* -------------------------------------------------------------------------- *)
Section Softmax.
Variables (R : realType) (T n d : nat) (E : 'I_T -> 'M[R]_(n, d)).
Hypothesis n_gt0 : (0 < n)%N.

Definition varied t := [exists i, exists j, row i (E t) != row j (E t)].
Definition non_parallel q (e : 'I_T -> 'cV[R]_q) : Prop :=
  forall t t', t != t' -> e t != 0 -> e t' != 0 -> varied t -> varied t' -> forall c, e t != c *: e t'.

(* the mean, in place of each token, where the query is 0                      *)
Definition mean_coefficients k : 'M[R]_(k, n) := const_mx n%:R^-1.
Definition at_means q (e : 'I_T -> 'cV[R]_q) t : 'M[R]_(n, d) := if e t == 0 then mean_coefficients n *m E t else E t.

Lemma sum1_mean k (A : 'M[R]_(k, n)) : sum1 A -> A *m mean_coefficients n = mean_coefficients k.
Proof. by move=> A1; apply/matrixP => h i; rewrite !mxE; under eq_bigr do rewrite mxE; rewrite -mulr_suml A1 mul1r. Qed.

Lemma mean_sum1 k : sum1 (mean_coefficients k).
Proof.
move=> h; under eq_bigr do rewrite mxE.
by rewrite sumr_const card_ord -[_ *+ n]mulr_natr mulVf // pnatr_eq0 -lt0n.
Qed.

Lemma softmax0 : softmax 0 = (mean_coefficients 1)^T :> 'cV[R]_n.
Proof.
apply/colP => i; rewrite !mxE expR0; under eq_bigr do rewrite mxE expR0.
by rewrite sumr_const card_ord div1r.
Qed.

Lemma softmax_limit (C : 'M[R]_(n, d)) (y : 'cV[R]_d) l j :
    (forall i, row i C = row l C \/ (row i C *m y) 0 0 < (row l C *m y) 0 0) ->
  tends (fun s => (C^T *m softmax (C *m (s *: y))) j 0) (C l j).
Proof.
move=> top; pose lg := C *m y.
have lgE i : lg i 0 = (row i C *m y) 0 0 by rewrite -row_mul [RHS]mxE.
have gap0 i : 0 <= lg l 0 - lg i 0 by rewrite subr_ge0 !lgE; case: (top i) => [->|/ltW].
have gap_pos i : ~~ (lg l 0 - lg i 0 < 0) by rewrite -leNgt.
have lim := @softmax_tends R n lg l (fun i => C i j) 0 gap0 (fun i lt => False_ind _ (negP (gap_pos i) lt)).
have <- : (\sum_(k | lg l 0 - lg k 0 == 0) C k j) / #|[pred k | lg l 0 - lg k 0 == 0]|%:R = C l j; last first.
  apply: tends_ext lim _ => s; rewrite mulr0 expR0 mul1r [RHS]mxE -scalemxAr; apply: eq_bigr => i _.
  by rewrite [X in _ = X * _]mxE mulrC.
have level k : lg l 0 - lg k 0 == 0 -> C k j = C l j.
  rewrite subr_eq0 !lgE => /eqP lk; case: (top k) => [rk|]; last by rewrite lk ltxx.
  by have /rowP/(_ j) := rk; rewrite !mxE.
rewrite (eq_bigr (fun=> C l j) level) sumr_const -[X in X / _]mulr_natr mulfK //.
by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists l; apply/eqP; apply: subrr.
Qed.

Theorem softmax_heads q (e : 'I_T -> 'cV[R]_q) H (A : 'I_T -> 'M[R]_(H, n)) : non_parallel e -> (forall t, sum1 (A t)) ->
  exists W : 'I_H -> 'M[R]_(d, q), (\rank (attn_out A (at_means e)) <=
    \rank (\matrix_t mxvec (\matrix_h ((E t)^T *m softmax (E t *m (W h *m e t)))^T)))%N.
Proof.
move=> np A1; pose x t i := row i (at_means e t).
have [|||W le] := @all_heads R T d q (ordinal_finType n) x e (fun t y => ((E t)^T *m softmax (E t *m y))^T) _ _ _ H (fun t h i => A t h i) A1.
- move=> t t' tt' /andP[et vt] /andP[et' vt']; apply: np => //; move: vt vt';
  by rewrite /varied /x /at_means (negPf et) (negPf et').
- move=> t y l et; rewrite /x /at_means (negPf et) => top j.
  by rewrite [row _ _ _ _]mxE; apply: tends_ext (softmax_limit j top) _ => s; rewrite [RHS]mxE.
- move=> t l et; rewrite /x /at_means et eqxx mulmx0 softmax0 -trmx_mul trmxK row_mul; congr (_ *m _).
  by apply/rowP => i; rewrite !mxE.
exists W; move: le; rewrite (_ : \matrix_t mxvec (\matrix_h \sum_l _) = attn_out A (at_means e)) //.
apply/row_matrixP => t; rewrite !rowK; congr mxvec; apply/row_matrixP => h; rewrite rowK row_mul.
by rewrite mulmx_sum_row; apply: eq_bigr => i _; rewrite mxE.
Qed.

End Softmax.

Section Layer.
Variables (R : realType) (T n d dh H : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypotheses (n_gt0 : (0 < n)%N) (dh_gt0 : (0 < dh)%N) (np : non_parallel E e).

(* some weights are at least as good as any coefficients                         *)
Theorem nonparallel_rank (A : 'I_T -> 'M[R]_(H, n)) : (forall t, sum1 (A t)) ->
  exists P : weights R H d dh 0 0 0, (\rank (attn_out A (at_means E e)) <= \rank (Z E e P))%N.
Proof.
move=> A1; have [W le] := softmax_heads np A1.
have ZE : \matrix_t mxvec (\matrix_h ((E t)^T *m softmax (E t *m (W h *m e t)))^T) = Zmx E e W.
  by apply/row_matrixP => t; rewrite !rowK trmxK; congr mxvec; apply/row_matrixP => h; rewrite !rowK mulmxA.
rewrite ZE in le; have [c [u [v cuv]]] := rank_one_weights E e W.
have [h|a [aE aZ]] := @point_of R T H n d dh E e (fun h => c h *: (u *m v)).
  by rewrite scalemxAl (leq_trans (mxrankM_maxr _ _)) // (leq_trans (rank_leq_row _)).
have := leq_trans le cuv; rewrite -aZ => leP.
by exists (Weights a.2.1 a.2.2 (fun=> 0) 0 0); rewrite Z_atE -aE /=; move: leP; case: (a) => ? [].
Qed.

End Layer.

(* the largest rank                                                            *)
Section Means.
Variables (R : realType) (T n d H : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypotheses (n_gt0 : (0 < n)%N).

Lemma head_at_means (W : 'M[R]_d) t :
  (at_means E e t)^T *m softmax (at_means E e t *m W *m e t) = (E t)^T *m softmax (E t *m W *m e t).
Proof.
rewrite /at_means; case: eqP => [e0|_]; last by [].
rewrite e0 !mulmx0 (softmax0 R n) -!trmx_mul; congr trmx.
by rewrite mulmxA (sum1_mean (mean_sum1 R n_gt0 (k := 1))).
Qed.

Lemma Zmx_at_means (W : 'I_H -> 'M[R]_d) : Zmx E e W = Zmx (at_means E e) e W.
Proof.
apply/row_matrixP => t; rewrite [LHS]rowK [RHS]rowK; congr (stack _)^T; apply/funext => h.
by rewrite head_at_means.
Qed.
End Means.

Theorem nonparallel_rank_formula (R : realType) T n d dh H (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) :
    (0 < n)%N -> (0 < H)%N -> (0 < d)%N -> (0 < dh)%N -> non_parallel E e ->
  exists r, [/\ forall P : weights R H d dh 0 0 0, (\rank (attention.Z E e P) <= r)%N,
    exists P : weights R H d dh 0 0 0, \rank (attention.Z E e P) = r,
    forall I : {set 'I_T}, (r <= T - #|I| + hull_rank H (at_means E e) I)%N &
    exists I : {set 'I_T}, r = (T - #|I| + hull_rank H (at_means E e) I)%N].
Proof.
move=> n0 H0 d0 dh0 np; set E' := at_means E e.
have [r [_ rle [I rI] [a aE lines]]] := @rank_formula R T H n d dh E' n0 H0 d0 dh0.
have [s sP] := lines a aE; have [y [_ /sP[lE rZ]]] := few_points s 0 (@ltr01 R).
move: (line_at a a y) lE rZ => [[E1 e1] [K Q]] /= -> rZ.
have leZ (P : weights R H d dh 0 0 0) : (\rank (attention.Z E e P) <= r)%N.
  by rewrite rI ZE Zmx_at_means //; apply: hull_bound.
have [P leP] := nonparallel_rank dh0 np (fun t => coefs_sum1 E' e1 (fun h => K h *m (Q h)^T) t n0).
exists r; split=> //; last by exists I.
exists P; apply/eqP; rewrite eqn_leq leZ /=; apply: leq_trans leP.
by rewrite -rZ /Z_at /= Zmx_attn_out.
Qed.

(* each head points at one token of each example *)
Section HardAttention.
Variables (R : realType) (T n d dh H : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypotheses (n_gt0 : (0 < n)%N) (dh_gt0 : (0 < dh)%N).

Definition pointed (g : 'I_T -> 'I_H -> 'I_n) t : 'M[R]_(H, d) :=
  if e t == 0 then mean_coefficients R n H *m E t else \matrix_h row (g t h) (E t).

Theorem hard_attention_rank (g : 'I_T -> 'I_H -> 'I_n) : non_parallel E e ->
  exists P : weights R H d dh 0 0 0, (\rank (\matrix_t mxvec (pointed g t)) <= \rank (attention.Z E e P))%N.
Proof.
move=> np; pose A t : 'M[R]_(H, n) := \matrix_h delta_mx 0 (g t h).
have A1 t : sum1 (A t).
  move=> h; rewrite (bigD1 (g t h)) //= mxE mxE !eqxx big1 ?addr0 // => i ne.
  by rewrite mxE mxE eqxx (negPf ne).
have [P le] := nonparallel_rank (H := H) dh_gt0 np A1; exists P; apply: leq_trans le.
rewrite (_ : \matrix_t _ = attn_out A (at_means E e)) //; apply/row_matrixP => t; rewrite !rowK; congr mxvec.
rewrite /pointed /at_means; case: eqP => _; first by rewrite mulmxA (sum1_mean (A1 t)).
by apply/row_matrixP => h; rewrite row_mul !rowK -rowE.
Qed.

End HardAttention.

(* -------------------------------------------------------------------------- *)
(* Query biases                                                                *)
(* -------------------------------------------------------------------------- *)
Section Bias.
Variables (R : realType) (T n d dh H : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypotheses (n_gt0 : (0 < n)%N) (dh_gt0 : (0 < dh)%N).
Local Notation padded := (fun t => padded_context (E t)).
Local Notation padded_e := (fun t => padded_query (e t)).

Let inl : 'M[R]_(d, d + 1) := row_mx 1%:M 0.
Let right_mul m1 m2 (K : 'M[R]_(m1, m2)) : 'M[R]_(H * m1, H * m2) := lin_mx (mulmxr K).

Lemma padded_contextE (C : 'M[R]_(n, d)) : padded_context C = C *m inl.
Proof. by rewrite mul_mx_row mulmx1 mulmx0. Qed.

Lemma padded_query_neq0 (u : 'cV[R]_d) : padded_query u != 0.
Proof. by rewrite col_mx_eq0 negb_and oner_eq0 orbT. Qed.

Lemma padded_non_parallel : (forall t t', t != t' -> varied E t -> varied E t' -> e t != e t') ->
  non_parallel padded padded_e.
Proof.
have var t : varied padded t -> varied E t.
  case/existsP=> i /existsP[j ij]; apply/existsP; exists i; apply/existsP; exists j.
  by apply: contra ij => /eqP ij; rewrite /= padded_contextE !row_mul ij.
move=> different t t' tt' _ _ /var vt /var vt' c; apply: contra (different t t' tt' vt vt') => /eqP.
rewrite /padded_query scale_col_mx => /eq_col_mx[-> /matrixP/(_ 0 0)].
by rewrite !mxE mulr1 => <-; rewrite scale1r.
Qed.

Lemma head_padded (P : weights R H (d + 1) dh 0 0 0) (C : 'M[R]_(n, d)) (u : 'cV[R]_d) h : (head_z P (padded_context C) (padded_query u) h)^T =
  (C^T *m softmax (C *m usubmx (WK P h) *m ((usubmx (WQ P h))^T *m u + (dsubmx (WQ P h))^T)))^T *m inl.
Proof.
have keysE : keys P (padded_context C) h = C *m usubmx (WK P h).
  by rewrite /keys /padded_context -{1}[WK P h]vsubmxK mul_row_col mul0mx addr0.
have queryE : query P (padded_query u) h = (usubmx (WQ P h))^T *m u + (dsubmx (WQ P h))^T.
  by rewrite /query /padded_query -{1}[WQ P h]vsubmxK tr_col_mx mul_row_col mulmx1.
rewrite /head_z /alpha keysE queryE; move: (@softmax R n _) => a.
by rewrite trmx_mul trmxK [in RHS]trmx_mul trmxK padded_contextE mulmxA.
Qed.

Lemma padded_Z (P : weights R H (d + 1) dh 0 0 0) : attention.Z padded padded_e P = query_biased_Z E e
  (fun h => usubmx (WK P h)) (fun h => usubmx (WQ P h)) (fun h => (dsubmx (WQ P h))^T) *m right_mul inl.
Proof.
apply/row_matrixP => t; rewrite row_mul !rowK !trmxK mul_vec_lin; congr mxvec; apply/row_matrixP => h.
by rewrite row_mul rowK [in RHS]rowK head_padded.
Qed.

Lemma padded_Z_rank (P : weights R H (d + 1) dh 0 0 0) : \rank (attention.Z padded padded_e P) = \rank (query_biased_Z E e
  (fun h => usubmx (WK P h)) (fun h => usubmx (WQ P h)) (fun h => (dsubmx (WQ P h))^T)).
Proof.
apply/eqP; rewrite padded_Z eqn_leq mxrankM_maxl /=; set M := query_biased_Z _ _ _ _ _.
suff {1}-> : M = M *m right_mul inl *m right_mul (col_mx 1%:M 0) by exact: mxrankM_maxl.
apply/row_matrixP => t; rewrite !row_mul -[row t M]vec_mxK !mul_vec_lin /=; congr mxvec.
by rewrite -mulmxA mul_row_col mulmx1 mulmx0 addr0 mulmx1.
Qed.

Theorem nonparallel_rank_bias (A : 'I_T -> 'M[R]_(H, n)) : (forall t, sum1 (A t)) ->
    (forall t t', t != t' -> varied E t -> varied E t' -> e t != e t') ->
  exists (K Q : 'I_H -> 'M[R]_(d, dh)) b, (\rank (attn_out A E) <= \rank (query_biased_Z E e K Q b))%N.
Proof.
move=> A1 different; have [P le] := nonparallel_rank dh_gt0 (padded_non_parallel different) A1.
exists (fun h => usubmx (WK P h)), (fun h => usubmx (WQ P h)), (fun h => (dsubmx (WQ P h))^T).
have AE : attn_out A E = attn_out A (at_means padded padded_e) *m right_mul (col_mx 1%:M 0).
  apply/row_matrixP => t; rewrite row_mul !rowK mul_vec_lin /= /at_means (negPf (padded_query_neq0 _)).
  by rewrite -mulmxA mul_row_col mulmx1 mulmx0 addr0.
by rewrite AE -padded_Z_rank; apply: leq_trans (mxrankM_maxl _ _) le.
Qed.

End Bias.
