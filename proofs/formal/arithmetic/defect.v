(* The proved checker, inverses: a matrix whose entries are enclosed is invertible when a rational matrix is nearly *)
(* its inverse.                                                                                                       *)
(*                                                                                                                    *)
(*   enclosed_mx s A Z == the entries of s A are inside those of Z, rows of pairs of integers                          *)
(*    defect one cols widths w i r == the bound of one |I - R A|_i w, of row r of R in integers over a denominator      *)
(*         defects_of q s Z w R == the bounds of all rows                                                              *)
(*    defects_leq == they are bounds; defects_unit == A is invertible when each is below one w_i                         *)
From Attest Require Import integers attention kruskal common literal_arithmetic logits enclosures.

Local Notation Z := BinNums.Z.

(* twice the number that is enclosed differs from the sum of its bounds by at most their difference *)
Definition middle (x : Z * Z) : Z := (x.1 + x.2)%coqZ.
Definition width_of (x : Z * Z) : Z := (x.2 - x.1)%coqZ.
Definition sizes_are (k l : nat) (A : Type) (M : seq (seq A)) : bool := (size M == k) && all (fun r => size r == l) M.

(* |one e_i - r C| w + |r| widths, C by its columns, widths those of the rows of Z times w *)
Definition defect (one : Z) (cols : seq (seq Z)) (widths w : seq Z) (i : nat) (r : seq Z) : Z :=
  (dot [seq Z.abs ((if eqn x.1 i then one else 0) - dot r x.2) | x <- zip (iota 0 (size cols)) cols] w
   + dot [seq Z.abs x | x <- r] widths)%coqZ.

Definition defects_of (m : nat) (one : Z) (Zs : seq (seq (Z * Z))) (w : seq Z) (R : seq (seq Z)) : seq Z :=
  let cols := columns m [seq [seq middle x | x <- r] | r <- Zs] in
  let widths := [seq dot [seq width_of x | x <- r] w | r <- Zs] in
  [seq defect one cols widths w x.1 x.2 | x <- zip (iota 0 m) R].

Section Enclosed.
Variables (F : realType) (m : nat) (s q : positive).
Variables (A : 'M[F]_m) (Zs : seq (seq (Z * Z))) (w : seq Z) (R : seq (seq Z)).
Local Notation z := (toF F).

Definition enclosed_mx : Prop :=
  forall i j : 'I_m, inside (z (Zpos s) * A i j) (nth (0, 0)%coqZ (nth [::] Zs i) j).

Hypotheses (AZ : enclosed_mx) (sZ : sizes_are m m Zs) (sR : sizes_are m m R).
Let one := (Zpos q * Zpos (2 * s))%coqZ.
Let Rm : 'M[F]_m := mx F m m q R.
Let Zij (i j : 'I_m) := nth (0, 0)%coqZ (nth [::] Zs i) j.

Lemma size_square_row (M : seq (seq Z)) (i : 'I_m) : sizes_are m m M -> size (nth [::] M i) = m.
Proof. by move=> /andP[/eqP sM /allP rM]; apply/eqP/rM; rewrite mem_nth ?sM. Qed.

Lemma size_Zs_row (i : 'I_m) : size (nth [::] Zs i) = m.
Proof. by have /andP[/eqP s' /allP r'] := sZ; apply/eqP/r'; rewrite mem_nth ?s'. Qed.

Lemma middle_near (i j : 'I_m) : `|z (Zpos (2 * s)) * A i j - z (middle (Zij i j))| <= z (width_of (Zij i j)).
Proof.
have /andP[low high] := AZ i j; rewrite -/(Zij i j) in low high.
have aux (x l h : F) : l <= x -> x <= h -> `|2%:R * x - (l + h)| <= h - l.
  move=> lx xh; have -> : 2%:R * x - (l + h) = (x - l) - (h - x) by ring.
  have -> : h - l = (x - l) + (h - x) by ring.
  by apply: le_trans (ler_norm_sub _ _) _; rewrite !ger0_norm ?subr_ge0.
by rewrite toFpM toF2 -mulrA /middle /width_of toFD toFB; apply: aux.
Qed.

Lemma toF_abs x : z (Z.abs x) = `|z x|.
Proof.
have [[x0 ->]|[x0 ->]] := Z.abs_spec x; last by rewrite toFN ltr0_norm // -(toF0 F); apply: toF_lt.
by rewrite ger0_norm // -(toF0 F); apply: toF_leq.
Qed.

Lemma toF_dot k a b : (size a <= k)%N -> z (dot a b) = \sum_(i < k) z (nth 0%coqZ a i) * z (nth 0%coqZ b i).
Proof. by move=> /dotE ->; rewrite rmorph_sum; apply: eq_bigr => i _; rewrite rmorphM. Qed.

(* what |r|, r a row of integers, adds when the entries of s A are known up to their widths *)
Lemma row_error (r : seq Z) (x : 'I_m -> F) (W : seq Z) : size r = m ->
    (forall k : 'I_m, x k <= z (nth 0%coqZ W k)) ->
  \sum_(k < m) `|z (nth 0%coqZ r k)| * x k <= z (dot [seq Z.abs y | y <- r] W).
Proof.
move=> sr xW; rewrite (@toF_dot m) ?size_map ?sr //; apply: ler_sum => k _.
by rewrite (nth_map 0%coqZ) ?sr // toF_abs ler_wpmul2l.
Qed.

Let nthR (i k : 'I_m) : Rm i k = z (nth 0%coqZ (nth [::] R i) k) / z (Zpos q).
Proof. by rewrite mxE. Qed.

Lemma nth_column (j : 'I_m) (k : 'I_m) :
  nth 0%coqZ (nth [::] (columns m [seq [seq middle x | x <- r] | r <- Zs]) j) k = middle (Zij k j).
Proof.
have /andP[/eqP sZ' _] := sZ.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n nth_col /ent (nth_map [::]) ?sZ' //.
by rewrite (nth_map (0, 0)%coqZ) ?size_Zs_row.
Qed.

Theorem defects_leq (i : 'I_m) : (forall j : 'I_m, (0 <= nth 0 w j)%coqZ) ->
  z one * (\sum_(j < m) `|(1%:M - Rm *m A) i j| * z (nth 0%coqZ w j)) <= z (nth 0%coqZ (defects_of m one Zs w R) i).
Proof.
move=> w0; have /andP[/eqP sR' /allP rR] := sR; have /andP[/eqP sZ' _] := sZ.
have sr : size (nth [::] R i) = m by apply/eqP/rR; rewrite mem_nth ?sR'.
rewrite /defects_of (nth_map (0%N, [::])) ?size_zip ?size_iota ?sR' ?minnn // nth_zip ?size_iota ?sR' // nth_iota // add0n.
set cols := columns m _; set r := nth [::] R i in sr *; have sc : size cols = m by rewrite size_map size_iota.
rewrite /defect sc toFD (@toF_dot m) ?size_map ?size_zip ?size_iota ?sc ?minnn //.
pose mid (j : 'I_m) := ((if eqn j i then one else 0) - dot r (nth [::] cols j))%coqZ.
have midE (j : 'I_m) : z (mid j) = z one * (i == j)%:R - \sum_(k < m) z (nth 0%coqZ r k) * z (middle (Zij k j)).
  rewrite /mid toFB (@toF_dot m) ?sr //; congr (_ - _).
    have -> : eqn j i = (i == j) by rewrite -[eqn j i]/(nat_of_ord j == nat_of_ord i) eq_sym.
    by case: (i == j); rewrite ?toF0 ?mulr1 ?mulr0.
  by apply: eq_bigr => k _; rewrite nth_column.
have one0 : 0 < z one by apply: (toFp_gt0 F (q * (2 * s))).
have entry (j : 'I_m) : z one * `|(1%:M - Rm *m A) i j| <=
    `|z (mid j)| + \sum_(k < m) `|z (nth 0%coqZ r k)| * z (width_of (Zij k j)).
  have -> : z one * `|(1%:M - Rm *m A) i j| = `|z one * ((1%:M - Rm *m A) i j)| by rewrite normrM (gtr0_norm one0).
  have -> : z one * (1%:M - Rm *m A) i j = z (mid j) -
      \sum_(k < m) z (nth 0%coqZ r k) * (z (Zpos (2 * s)) * A k j - z (middle (Zij k j))).
    have -> : (1%:M - Rm *m A) i j = (i == j)%:R - \sum_(k < m) Rm i k * A k j.
      by rewrite mxE [(1%:M : 'M_m) i j]mxE [(- (Rm *m A)) i j]mxE [(Rm *m A) i j]mxE.
    rewrite midE mulrBr -addrA -opprD -big_split /=; congr (_ - _).
    rewrite mulr_sumr; apply: eq_bigr => k _; rewrite nthR -/r mulrBr addrC subrK /one toFM.
    by rewrite mulrACA [z (Zpos q) * _]mulrC divfK ?lt0r_neq0 ?toFp_gt0.
  apply: le_trans (ler_norm_sub _ _) _; rewrite ler_add2l; apply: le_trans (ler_norm_sum _ _ _) _.
  by apply: ler_sum => k _; rewrite normrM ler_wpmul2l // middle_near.
have zw (j : 'I_m) : 0 <= z (nth 0%coqZ w j) by rewrite -(toF0 F); apply: toF_leq.
apply: le_trans (_ : _ <= \sum_(j < m) (`|z (mid j)| * z (nth 0%coqZ w j) +
    \sum_(k < m) `|z (nth 0%coqZ r k)| * (z (width_of (Zij k j)) * z (nth 0%coqZ w j)))) _.
  rewrite mulr_sumr; apply: ler_sum => j _; rewrite mulrA; apply: le_trans (ler_wpmul2r (zw j) (entry j)) _.
  by rewrite mulrDl mulr_suml ler_add2l; apply: ler_sum => k _; rewrite mulrA.
rewrite big_split /=; apply: ler_add.
  apply: ler_sum => j _; rewrite (nth_map (0%N, [::])) ?size_zip ?size_iota ?sc ?minnn //.
  by rewrite nth_zip ?size_iota ?sc // nth_iota // add0n toF_abs.
rewrite exchange_big /=.
under eq_bigr do rewrite -mulr_sumr.
apply: row_error => // k; rewrite (nth_map [::]) ?sZ' // (@toF_dot m) ?size_map ?size_Zs_row //.
by apply: ler_sum => j _; rewrite (nth_map (0, 0)%coqZ) ?size_Zs_row.
Qed.

(* A v = 0 would give the largest |v_i| / w_i <= (|I - R A| w)_i / w_i times itself     *)
Lemma contraction_unit (M : 'M[F]_m) (x : 'I_m -> F) : (forall i, 0 < x i) ->
  (forall i, \sum_j `|(1%:M - M) i j| * x j < x i) -> M \in unitmx.
Proof.
move=> x0 Mx; rewrite -unitmx_tr -row_free_unit; apply: inj_row_free => v vM.
apply/rowP => i; rewrite mxE; pose f (i : 'I_m) := `|v 0 i| / x i.
have [k _ kP] := @arg_maxP _ _ _ i xpredT f isT.
have vk : v 0 k = \sum_j (1%:M - M) k j * v 0 j.
  have : \sum_j M k j * v 0 j = 0.
    by have /rowP/(_ k) := vM; rewrite !mxE => vMk; rewrite -[RHS]vMk; apply: eq_bigr => j _; rewrite mxE mulrC.
  move=> Mv; under eq_bigr do rewrite !mxE mulrBl.
  rewrite sumrB Mv subr0 (bigD1 k) //= eqxx mul1r big1 ?addr0 // => j jk.
  by rewrite eq_sym (negPf jk) mul0r.
have fx l : `|v 0 l| = f l * x l by rewrite /f divfK // gt_eqF.
have f0 l : 0 <= f l by rewrite divr_ge0 // ltW.
have bound : `|v 0 k| <= f k * \sum_j `|(1%:M - M) k j| * x j.
  rewrite {1}vk; apply: le_trans (ler_norm_sum _ _ _) _; rewrite mulr_sumr; apply: ler_sum => j _.
  rewrite normrM fx mulrCA; apply: ler_wpmul2r; last exact: kP.
  by rewrite mulr_ge0 // ltW.
have fk : f k = 0.
  apply/eqP; rewrite eq_le f0 andbT leNgt; apply/negP => fk0.
  by move: bound; rewrite fx ler_pmul2l // leNgt Mx.
apply/eqP; rewrite -normr_eq0 fx.
have : f i <= f k by apply: kP.
by rewrite fk => fi; rewrite (_ : f i = 0) ?mul0r //; apply/eqP; rewrite eq_le fi f0.
Qed.

Theorem defects_unit : (forall i : 'I_m, (0 < nth 0 w i)%coqZ) ->
    (forall i : 'I_m, (nth 0 (defects_of m one Zs w R) i < one * nth 0 w i)%coqZ) ->
  A \in unitmx.
Proof.
move=> wp small; have one0 : 0 < z one by apply: (toFp_gt0 F (q * (2 * s))).
suff : Rm *m A \in unitmx by rewrite unitmx_mul => /andP[].
apply: (@contraction_unit _ (fun j => z (nth 0%coqZ w j))) => i; first by rewrite -(toF0 F); apply: toF_lt.
have w0 (j : 'I_m) : (0 <= nth 0 w j)%coqZ by apply/Z.lt_le_incl/wp.
by rewrite -(ltr_pmul2l one0); apply: le_lt_trans (defects_leq i w0) _; rewrite -toFM; apply: toF_lt.
Qed.

End Enclosed.
