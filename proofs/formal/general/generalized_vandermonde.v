(* Algebra of the rank-one lower bound:                                        *)
(*  - echelon form: vectors with distinct orders of vanishing;                 *)
(*  - a generalized Vandermonde determinant: polynomials with distinct         *)
(*    valuations, at the points X^s for distinct s > 0, give a non-singular     *)
(*    matrix over K[X].                                                        *)
(*                                                                              *)
(*   hasval p v == p = X^v q with q(0) != 0                                     *)
From Attest Require Import prelude common.

Lemma sorted_sel (I : finType) (f : I -> nat) m :
    injective f -> (m <= #|I|)%N ->
  exists g : 'I_m -> I, forall i j : 'I_m, (i < j)%N -> (f (g i) < f (g j))%N.
Proof.
move=> inj_f; case: m => [_|m le_m].
  by exists (fun i : 'I_0 => match i with Ordinal _ h => False_rect _ (notF h) end) => -[].
have /card_gt0P[i0 _] : (0 < #|I|)%N by apply: leq_trans le_m.
pose r : rel I := fun a b => (f a <= f b)%N.
pose s := sort r (enum I).
have sz : size s = #|I| by rewrite size_sort -cardE.
have us : uniq s by rewrite sort_uniq enum_uniq.
have ss : sorted r s by apply: sort_sorted => a b; apply: leq_total.
exists (fun i => nth i0 s i) => i j ij.
have lt_s (k : 'I_m.+1) : (k < size s)%N by rewrite sz (leq_trans _ le_m).
rewrite ltn_neqAle; apply/andP; split.
  by rewrite (inj_eq inj_f) nth_uniq // ltn_eqF.
have tr : transitive r by move=> a b c; apply: leq_trans.
have rf : reflexive r by move=> a; apply: leqnn.
by apply: (sorted_leq_nth tr rf i0 ss); rewrite ?inE // ltnW.
Qed.

Section Echelon.
Variable K : fieldType.

Lemma echelon r : forall m L (C : 'M[K]_(m, L)), (r <= \rank C)%N ->
  exists w : 'I_r -> 'rV[K]_m, exists j : 'I_r -> 'I_L,
    (forall a b : 'I_r, (a < b)%N -> (j a < j b)%N) /\
    (forall a, (w a *m C) 0 (j a) != 0 /\
       forall l : 'I_L, (l < j a)%N -> (w a *m C) 0 l = 0).
Proof.
elim: r => [|r IHr] m L C rC.
  have abs (i : 'I_0) : False by case: i.
  exists (fun i => False_rect _ (abs i)), (fun i => False_rect _ (abs i)).
  by split=> [] [].
have C0 : C != 0 by rewrite -mxrank_eq0 -lt0n (leq_trans _ rC).
have /existsP[l0 Pl0] : [exists l, col l C != 0].
  apply: contraR C0; rewrite negb_exists => /forallP cC.
  apply/eqP/matrixP => i l; move: (cC l); rewrite negbK => /eqP/matrixP/(_ i 0).
  by rewrite !mxE.
case: (@arg_minnP _ l0 (fun l => col l C != 0) (fun l : 'I_L => l : nat) Pl0) => j0 Pj0 minj0.
have /existsP[i0 Ci0] : [exists i, C i j0 != 0].
  apply: contraR Pj0; rewrite negb_exists => /forallP cC.
  apply/eqP/matrixP => i l; rewrite !mxE; apply/eqP.
  by move: (cC i); rewrite negbK.
have Clt i (l : 'I_L) : (l < j0)%N -> C i l = 0.
  move=> lj; apply: contraTeq lj => Cil; rewrite -leqNgt; apply: minj0.
  by apply: contra_neq Cil => /matrixP/(_ i 0); rewrite !mxE.
pose Q : 'M[K]_m := 1%:M - (C i0 j0)^-1 *: (col j0 C *m delta_mx 0 i0).
have QCE : Q *m C = C - (C i0 j0)^-1 *: (col j0 C *m row i0 C).
  by rewrite mulmxBl mul1mx -scalemxAl -mulmxA -rowE.
have QC i (l : 'I_L) : (l <= j0)%N -> (Q *m C) i l = 0.
  rewrite QCE !mxE big_ord1 !mxE leq_eqVlt => /orP[/eqP/val_inj->|lj].
    by rewrite mulrCA mulVf // mulr1 subrr.
  by rewrite !(Clt _ l lj) !mulr0 subr0.
have rQC : (r <= \rank (Q *m C))%N.
  rewrite -ltnS (leq_trans rC) //.
  set D := (C i0 j0)^-1 *: (col j0 C *m row i0 C) in QCE *.
  rewrite -{1}(subrK D C) -QCE (leq_trans (mxrank_add _ _)) //.
  rewrite -addn1 leq_add2l /D.
  by rewrite scalemxAl (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
have [w [j [jmon wj]]] := IHr _ _ _ rQC.
have j0j a : (j0 < j a)%N.
  rewrite ltnNge; apply/negP => ja; have [/negP[]] := wj a; apply/eqP.
  by rewrite mxE big1 // => i _; rewrite QC ?mulr0.
exists (fun a => if unlift ord0 a is Some b then w b *m Q else delta_mx 0 i0).
exists (fun a => if unlift ord0 a is Some b then j b else j0).
split=> [a b|a].
  case: (unliftP ord0 a) => [a'|] -> ; case: (unliftP ord0 b) => [b'|] -> //=.
  by rewrite /bump !add1n ltnS => /jmon.
case: (unliftP ord0 a) => [b|] _.
  by have [w1 w2] := wj b; split=> [|l lj]; rewrite -mulmxA ?w1 ?w2.
split; first by rewrite -rowE mxE.
by move=> l lj; rewrite -rowE mxE Clt.
Qed.

End Echelon.

Section Valuation.
Variable K : fieldType.
Implicit Types p q : {poly K}.

Lemma comp_Xn_poly n (q : {poly K}) : 'X^n \Po q = q ^+ n.
Proof. by rewrite rmorphX /= comp_polyX. Qed.

Definition hasval p v := exists2 q, p = 'X^v * q & q.[0] != 0.

Lemma hasvalM p q v w : hasval p v -> hasval q w -> hasval (p * q) (v + w).
Proof.
move=> [p' -> p0] [q' -> q0]; exists (p' * q'); last first.
  by rewrite hornerM mulf_neq0.
by rewrite exprD mulrACA.
Qed.

Lemma hasval_comp p v s : (0 < s)%N -> hasval p v -> hasval (p \Po 'X^s) (s * v).
Proof.
move=> s0 [q -> q0]; exists (q \Po 'X^s).
  by rewrite comp_polyM comp_Xn_poly exprM.
by rewrite horner_comp hornerXn expr0n gtn_eqF.
Qed.

Lemma hasval_prod (I : Type) (r : seq I) (P : pred I) (F : I -> {poly K}) :
  (forall i, hasval (F i) 0) -> hasval (\prod_(i <- r | P i) F i) 0.
Proof.
move=> F0; elim/big_ind: _ => [|p q|i _] //.
  by exists 1; rewrite ?mul1r ?hornerC ?oner_eq0.
by move=> /hasvalM; apply.
Qed.

Lemma hasval_poly L (c : nat -> K) j : (j < L)%N -> c j != 0 ->
  (forall l, (l < j)%N -> c l = 0) -> hasval (\poly_(l < L) c l) j.
Proof.
move=> jL cj cl; exists (\poly_(l < L - j) c (j + l)%N).
  apply/polyP => l; rewrite mulrC coefMXn !coef_poly.
  case: (ltnP l j) => lj; first by rewrite cl ?if_same.
  by rewrite ltn_subRL subnKC.
by rewrite horner_coef0 coef_poly subn_gt0 jL addn0.
Qed.

(* potentials for the assignment problem with costs dl_i * s_t *)
Section Potentials.
Variables (N : nat) (dl s : nat -> nat).
Hypothesis dl_inc : forall i j, (i < j < N)%N -> (dl i < dl j)%N.
Hypothesis s_dec : forall i j, (i < j < N)%N -> (s j < s i)%N.

Fixpoint pot t := if t is k.+1 then (pot k + dl k.+1 * (s k - s k.+1))%N else 0%N.

Lemma pot_up i k : (i + k.+1 < N)%N ->
  (pot i + dl i * (s i - s (i + k.+1)) < pot (i + k.+1))%N.
Proof.
elim: k => [|k IHk] ikN.
  rewrite addn1 /= ltn_add2l ltn_mul2r subn_gt0.
  by rewrite addn1 in ikN; rewrite dl_inc ?s_dec ?ltnSn.
have ik : (i + k.+1 < N)%N by rewrite (leq_ltn_trans _ ikN) // leq_add2l.
rewrite [(i + k.+2)%N]addnS /=.
rewrite addnS in ikN.
set m := (i + k.+1)%N in ik ikN IHk *.
have im : (i < m)%N by rewrite /m -[X in (X < _)%N]addn0 ltn_add2l.
have s1 : (s m < s i)%N by rewrite s_dec ?im.
have s2 : (s m.+1 < s m)%N by rewrite s_dec ?ltnSn.
have -> : (s i - s m.+1 = (s i - s m) + (s m - s m.+1))%N.
  by rewrite (addnBA _ (ltnW s2)) (subnK (ltnW s1)).
have H1 := IHk ik.
have H2 : (dl i * (s m - s m.+1) <= dl m.+1 * (s m - s m.+1))%N.
  by rewrite leq_mul2r ltnW ?orbT // dl_inc // (ltn_trans im) //=.
by rewrite mulnDr addnA -addSn; apply: leq_add H1 H2.
Qed.

Lemma pot_dn t k : (t + k < N)%N ->
  (pot (t + k) <= pot t + dl (t + k) * (s t - s (t + k)))%N.
Proof.
elim: k => [|k IHk] tkN; first by rewrite addn0 leq_addr.
rewrite addnS in tkN *; have tk : (t + k < N)%N by apply: ltnW.
have s1 : (s (t + k) <= s t)%N.
  case: (posnP k) => [->|k0]; first by rewrite addn0.
  by rewrite ltnW // s_dec // tk andbT -[X in (X < _)%N]addn0 ltn_add2l.
set m := (t + k)%N in s1 tk tkN IHk *.
have s2 : (s m.+1 < s m)%N by rewrite s_dec ?ltnSn.
have -> : (s t - s m.+1 = (s t - s m) + (s m - s m.+1))%N.
  by rewrite (addnBA _ (ltnW s2)) (subnK s1).
have H1 := IHk tk.
have H2 : (dl m * (s t - s m) <= dl m.+1 * (s t - s m))%N.
  by rewrite leq_mul2r ltnW ?orbT // dl_inc // ltnSn.
by rewrite /= mulnDr addnA leq_add2r (leq_trans H1) // leq_add2l.
Qed.

(* slack of the potentials: 0 on the diagonal, > 0 for i < t, >= 0 always *)
Lemma pot_slack i t : (i < N)%N -> (t < N)%N ->
  (dl i * s i + pot i + (i < t) <= dl i * s t + pot t)%N.
Proof.
move=> iN tN; case: (ltngtP i t) => [it|ti|->]; last by rewrite addn0.
  have [k tE] : exists k, t = (i + k.+1)%N.
    by exists (t - i.+1)%N; rewrite addnS -addSn subnKC.
  have H : (pot i + dl i * (s i - s t) < pot t)%N by rewrite tE pot_up -?tE.
  have sit : (s t <= s i)%N by rewrite ltnW // s_dec // it.
  have -> : (dl i * s i = dl i * s t + dl i * (s i - s t))%N.
    by rewrite -mulnDr (subnKC sit).
  by rewrite addn1 -addnA (addnC (_ * (_ - _))%N) ltn_add2l.
have [k iE] : exists k, i = (t + k)%N by exists (i - t)%N; rewrite (subnKC (ltnW ti)).
have H : (pot i <= pot t + dl i * (s t - s i))%N by rewrite iE pot_dn -?iE.
have sti : (s i <= s t)%N by rewrite ltnW // s_dec // ti.
have -> : (dl i * s t = dl i * s i + dl i * (s t - s i))%N.
  by rewrite -mulnDr (subnKC sti).
by rewrite addn0 -addnA leq_add2l addnC.
Qed.

End Potentials.

(* generalized Vandermonde, valuations increasing, points decreasing *)
Lemma gen_vandermonde N (g : 'I_N -> {poly K}) (dl s : nat -> nat) :
    (forall i j, (i < j < N)%N -> (dl i < dl j)%N) ->
    (forall i j, (i < j < N)%N -> (s j < s i)%N) ->
    (forall i, (i < N)%N -> (0 < s i)%N) ->
    (forall i, hasval (g i) (dl i)) ->
  \det (\matrix_(i < N, t < N) (g i \Po 'X^(s t))) != 0.
Proof.
move=> dl_inc s_dec s_gt0 gval; pose a := pot dl s.
pose b i := (dl i * s i + a i)%N.
have sl i t : (i < N)%N -> (t < N)%N -> (b i + (i < t) <= dl i * s t + a t)%N.
  exact: (pot_slack dl_inc s_dec).
have [h hE] : exists h : 'I_N -> {poly K},
    forall i, g i = 'X^(dl i) * h i /\ (h i).[0] != 0.
  have : forall i, exists hi, g i = 'X^(dl i) * hi /\ hi.[0] != 0.
    by move=> i; have [q q1 q2] := gval i; exists q.
  by move/fin_all_exists.
pose P := \matrix_(i < N, t < N)
   ('X^(dl i * s t + a t - b i) * (h i \Po 'X^(s t))).
set G := \matrix_(i, t) _.
have GP : G *m diag_mx (\row_t 'X^(a t)) = diag_mx (\row_i 'X^(b i)) *m P.
  apply/matrixP => i t; rewrite mul_mx_diag mul_diag_mx !mxE.
  have [-> _] := hE i; rewrite comp_polyM comp_Xn_poly -exprM mulrAC -exprD.
  have le : (b i <= dl i * s t + a t)%N.
    exact: leq_trans (leq_addr _ _) (sl i t (ltn_ord _) (ltn_ord _)).
  by rewrite mulrA -exprD (subnKC le) (mulnC (s t)).
have P0 : \det P != 0.
  suff: (\det P).[0] != 0 by apply: contra_neq => ->; rewrite horner0.
  rewrite -[_.[0]]/(horner_eval 0 _) -det_map_mx det_trig.
    apply/prodf_neq0 => i _; rewrite !mxE /horner_eval subnn mul1r.
    rewrite /= /horner_eval horner_comp hornerXn expr0n gtn_eqF ?s_gt0 //.
    by have [] := hE i.
  apply/is_trig_mxP => i t it; rewrite !mxE /= /horner_eval hornerM hornerXn.
  rewrite expr0n; have := sl i t (ltn_ord _) (ltn_ord _); rewrite it addn1.
  by rewrite -subn_gt0; case: (_ - _)%N => // k _; rewrite mul0r.
apply: contra_neq P0 => G0; have := congr1 determinant GP.
rewrite !det_mulmx G0 mul0r !det_diag => /esym/eqP; rewrite mulf_eq0.
case/orP => [|/eqP //]; rewrite prodf_seq_eq0 => /hasP[i _] /=.
by rewrite mxE expf_eq0 polyX_eq0 andbF.
Qed.

End Valuation.
