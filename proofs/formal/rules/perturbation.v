(* The proved checker, Lemma 5: whether ||A - B|| is below the least non-zero singular    *)
(* value of A, by quadratic forms over the integers.                                       *)
(*                                                                                         *)
(*            semidefinite N == elimination finds the form N nowhere negative              *)
(*              form_value N x == x N x^T                                                  *)
(*  distance_form, singular_form == of |v|^2 and |v (A - B)|^2, of |w A^T A|^2 and |w A^T|^2 *)
(*   small_ok s s' r == ||A - B||^2 <= s'/r < s/r <= the squares of the singular values    *)
(*   large_ok p r x w == x and w show that the converse holds with p/r in between           *)
From Attest Require Import integers attention euclidean literal_arithmetic problem logits claims.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Quadratic forms                                                             *)
(* -------------------------------------------------------------------------- *)
(* a times what is left of the form after completing the square; m bounds the recursion *)
Definition schur (a : Z) (r : seq Z) (rows : seq (seq Z)) : seq (seq Z) :=
  [seq [seq (a * y.1 - x.1 * y.2)%coqZ | y <- zip x.2 r] | x <- zip r rows].

Fixpoint semidefinite_from (m : nat) (N : seq (seq Z)) : bool :=
  match m, N with
  | m'.+1, (a :: r) :: N' =>
    let rows := [seq behead s | s <- N'] in
    [&& equal_row r [seq nth 0%coqZ s 0 | s <- N'], all (fun s => size s == size r) rows, (0 <=? a)%coqZ &
      if (a =? 0)%coqZ then all (fun x => x =? 0)%coqZ r && semidefinite_from m' rows
      else semidefinite_from m' (schur a r rows)]
  | 0, [::] => true
  | _, _ => false
  end.
Definition semidefinite (N : seq (seq Z)) : bool := semidefinite_from (size N) N.

Definition form_value (N : seq (seq Z)) (x : seq Z) : Z := dot x [seq dot r x | r <- N].

Section Forms.
Variable F : realFieldType.
Local Notation z x := (toF F x).

Definition quadratic_form m (N : seq (seq Z)) (x : 'I_m -> F) : F := \sum_i \sum_j x i * x j * z (ent N i j).

Lemma semidefinite_fromP m N (x : 'I_m -> F) : semidefinite_from m N -> 0 <= quadratic_form N x.
Proof.
elim: m N x => [|m IH] [|[|a r] N] x //=; first by rewrite /quadratic_form big_ord0.
case/and4P=> /equal_rowP rE /allP sN /Z.leb_le a0.
set rows := [seq behead s | s <- N]; pose y (i : 'I_m) := x (lift ord0 i).
have sr : size r = size N by rewrite rE size_map.
have r0 (i : 'I_m) : ent ((a :: r) :: N) (ord0 : 'I_m.+1) (lift ord0 i) = nth 0%coqZ r i by [].
have c0 (i : 'I_m) : ent ((a :: r) :: N) (lift ord0 i) (ord0 : 'I_m.+1) = nth 0%coqZ r i.
  rewrite /ent lift0 /= rE; have [iN|Ni] := ltnP i (size N); first by rewrite (nth_map [::]).
  by rewrite [nth [::] N i]nth_default // [RHS]nth_default ?size_map.
have rc (i j : 'I_m) : ent ((a :: r) :: N) (lift ord0 i) (lift ord0 j) = ent rows i j.
  rewrite /ent !lift0 /=; have [iN|Ni] := ltnP i (size N); first by rewrite (nth_map [::]) // nth_behead.
  by rewrite [nth _ N i]nth_default // [nth _ rows i]nth_default ?size_map // !nth_nil.
pose s := \sum_i y i * z (nth 0%coqZ r i).
have split_form : quadratic_form ((a :: r) :: N) x = x ord0 * x ord0 * z a + (x ord0 * s) *+ 2 + quadratic_form rows y.
  rewrite /quadratic_form big_ord_recl big_ord_recl.
  rewrite [X in _ + X + _](_ : _ = x ord0 * s); last first.
    by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite r0 mulrA.
  rewrite [X in _ + X](_ : _ = x ord0 * s + quadratic_form rows y); first by rewrite mulr2n !addrA.
  rewrite mulr_sumr -big_split; apply: eq_bigr => i _; rewrite big_ord_recl c0; congr (_ + _).
    by rewrite [x _ * _]mulrC mulrA.
  by apply: eq_bigr => j _; rewrite rc.
have zle0 w : (0 <= w)%coqZ -> 0 <= z w by move=> w0; rewrite /toF ler0z; lia.
rewrite split_form; case: ifP => [/Z.eqb_eq aE /andP[/allP rz /IH-/(_ y) ge0]|/Z.eqb_neq an /IH-/(_ y)].
  rewrite aE rmorph0 mulr0 add0r (_ : s = 0) ?mulr0 ?mul0rn ?add0r //.
  rewrite /s big1 // => i _; have [ir|ri] := ltnP i (size r); last by rewrite nth_default // rmorph0 mulr0.
  by have /Z.eqb_eq -> := rz _ (mem_nth 0%coqZ ir); rewrite rmorph0 mulr0.
have a1 : 0 < z a by rewrite lt0r zle0 // toF_eq0 andbT; apply/eqP.
have schurE (i j : 'I_m) : ent (schur a r rows) i j = (a * ent rows i j - nth 0 r i * nth 0 r j)%coqZ.
  rewrite /ent /schur; have srows : size rows = size r by rewrite size_map sr.
  have [ir|ri] := ltnP i (size r); last first.
    rewrite [nth [::] rows i]nth_default ?srows // [nth 0%coqZ r i]nth_default // !nth_nil.
    by rewrite [nth [::] _ i]nth_default ?size_map ?size_zip ?srows ?minnn // nth_nil Z.mul_0_r.
  rewrite (nth_map (0%coqZ, [::])) ?size_zip ?srows ?minnn // nth_zip ?srows //=.
  have /eqP si : size (nth [::] rows i) == size r by apply: sN; rewrite mem_nth ?srows.
  have [jr|rj] := ltnP j (size r).
    by rewrite (nth_map (0, 0)%coqZ) ?size_zip ?si ?minnn // nth_zip.
  rewrite [LHS]nth_default ?size_map ?size_zip ?si ?minnn // [nth 0%coqZ (nth [::] rows i) j]nth_default ?si //.
  by rewrite [nth 0%coqZ r j]nth_default // !Z.mul_0_r.
have -> : quadratic_form (schur a r rows) y = z a * quadratic_form rows y - s * s.
  rewrite /quadratic_form mulr_sumr /s big_distrlr -sumrB; apply: eq_bigr => i _.
  rewrite mulr_sumr -sumrB; apply: eq_bigr => j _; rewrite schurE.
  by rewrite (rmorphB (toF_rmorphism F)) !(rmorphM (toF_rmorphism F)) /= mulrBr mulrCA [in RHS]mulrACA.
move=> ge; rewrite -(pmulr_rge0 _ a1); have := addr_ge0 (sqr_ge0 (z a * x ord0 + s)) ge.
move: (z a) (x ord0) (quadratic_form rows y) => u v w; congr (0 <= _).
ring.
Qed.

End Forms.

(* -------------------------------------------------------------------------- *)
(* The forms of A and B                                                        *)
(* -------------------------------------------------------------------------- *)
Definition tabulate (h w : nat) (f : nat -> nat -> Z) : seq (seq Z) := [seq [seq f i j | j <- iota 0 w] | i <- iota 0 h].
Definition gram (M : seq (seq Z)) : seq (seq Z) := [seq [seq dot s t | t <- M] | s <- M].

Section Checks.
Variables (c : arguments).
Local Notation h := (size (matrix_a c)).
Local Notation w := (width (matrix_a c)).
Local Notation q := (Zpos (q_matrices c)).

Definition difference : seq (seq Z) := tabulate h w (fun i j => (ent (matrix_a c) i j - ent (matrix_b c) i j)%coqZ).
Definition gram_a : seq (seq Z) := gram (columns w (tabulate h w (ent (matrix_a c)))).

(* p |v|^2 - r |v (A - B)|^2, and r |v A^T A|^2 - p |v A^T|^2, times powers of the denominator *)
Definition distance_form (p : Z) (r : positive) : seq (seq Z) :=
  let G := gram difference in
  tabulate h h (fun i j => ((if eqn i j then p * (q * q) else 0) - Zpos r * ent G i j)%coqZ).
Definition singular_form (p : Z) (r : positive) : seq (seq Z) :=
  let G := gram_a in let G2 := gram G in tabulate w w (fun i j => (Zpos r * ent G2 i j - p * (q * q) * ent G i j)%coqZ).

Definition small_ok (s s' : Z) (r : positive) : bool :=
  [&& (s' <? s)%coqZ, semidefinite (distance_form s' r) & semidefinite (singular_form s r)].

Definition large_ok (p : Z) (r : positive) (x y : seq Z) : bool :=
  [&& size x == h, size y == w, (0 <? dot x x)%coqZ, (form_value (distance_form p r) x <=? 0)%coqZ,
    (0 <? form_value gram_a y)%coqZ & (form_value (singular_form p r) y <=? 0)%coqZ].

End Checks.

Section Sound.
Variables (R : realType) (c : arguments).
Local Notation h := (size (matrix_a c)).
Local Notation w := (width (matrix_a c)).
Local Notation z x := (toF R x).
Let A : 'M[R]_(h, w) := claim_mx R c (matrix_a c) (matrix_a c).
Let B : 'M[R]_(h, w) := mx R h w (q_matrices c) (matrix_b c).
Let q : R := z (Zpos (q_matrices c)).
Let q0 : q != 0. Proof. exact: toF_pos. Qed.
Let ints k l (M : seq (seq Z)) : 'M[R]_(k, l) := \matrix_(i, j) z (ent M i j).

Lemma ent_table k l f (i : 'I_k) (j : 'I_l) : ent (tabulate k l f) i j = f i j.
Proof. by rewrite /ent (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota // !nth_iota. Qed.

Lemma size_table k l f : size (tabulate k l f) = k /\ all (fun r => size r <= l)%N (tabulate k l f).
Proof.
split; first by rewrite size_map size_iota.
by apply/allP => r /mapP[i _ ->]; rewrite size_map size_iota.
Qed.

Lemma gram_mx k l M : size M = k -> all (fun r => size r <= l)%N M -> ints k k (gram M) = ints k l M *m (ints k l M)^T.
Proof.
move=> sM /allP sr; apply/matrixP => i j; rewrite !mxE /ent /gram.
rewrite (nth_map [::]) ?sM // (nth_map [::]) ?sM // (@dotE l); last by apply: sr; rewrite mem_nth ?sM.
by rewrite rmorph_sum; apply: eq_bigr => m _; rewrite (rmorphM (toF_rmorphism R)) !mxE.
Qed.

Lemma form_mx k N (v : 'rV[R]_k) : quadratic_form N (fun i => v 0 i) = (v *m ints k k N *m v^T) 0 0.
Proof.
rewrite /quadratic_form exchange_big mxE; apply: eq_bigr => j _; rewrite mxE mulr_suml; apply: eq_bigr => i _.
by rewrite !mxE mulrAC.
Qed.

Lemma form_valueE k N x : size x = k -> size N = k -> all (fun r => size r <= k)%N N ->
  z (form_value N x) = quadratic_form N (fun i : 'I_k => z (nth 0%coqZ x i)).
Proof.
move=> sx sN sr; rewrite /form_value (@dotE k) ?sx // rmorph_sum; apply: eq_bigr => i _.
rewrite (rmorphM (toF_rmorphism R)) /= nth_map_dot (@dotE k); last first.
  exact: (all_nth_nil (P := fun r : seq Z => size r <= k)%N).
rewrite rmorph_sum mulr_sumr; apply: eq_bigr => j _; rewrite (rmorphM (toF_rmorphism R)) /=.
by rewrite [z (nth 0%coqZ (nth [::] N i) j) * _]mulrC mulrA.
Qed.

Let differenceE : ints h w (difference c) = q *: (A - B).
Proof.
apply/matrixP => i j; rewrite [LHS]mxE ent_table (rmorphB (toF_rmorphism R)) /= !mxE mulrBr.
by congr (_ - _); rewrite mulrC mulfVK.
Qed.

Let gram_aE : ints w w (gram_a c) = q ^+ 2 *: (A^T *m A).
Proof.
have [sT _] := size_table h w (ent (matrix_a c)).
rewrite /gram_a (@gram_mx w h) ?size_map ?size_iota //; last first.
  by apply/allP => r /mapP[j _ ->]; rewrite size_map sT.
have -> : ints w h (columns w (tabulate h w (ent (matrix_a c)))) = q *: A^T.
  apply/matrixP => i j; rewrite [LHS]mxE /ent (nth_map 0%N) ?size_iota // nth_iota // add0n nth_col ent_table.
  by rewrite !mxE mulrC mulfVK.
by rewrite linearZ /= trmxK -scalemxAl -scalemxAr scalerA expr2.
Qed.

Lemma form_sub k (X Y : 'M[R]_k) (v : 'rV_k) a b :
  (v *m (a *: X - b *: Y) *m v^T) 0 0 = a * (v *m X *m v^T) 0 0 - b * (v *m Y *m v^T) 0 0.
Proof.
rewrite mulmxBr mulmxBl -!scalemxAr -!scalemxAl.
by rewrite [LHS]mxE [X in X + _]mxE [X in _ + X]mxE [X in _ - X]mxE.
Qed.

Lemma form_square k l (X : 'M[R]_(k, l)) (v : 'rV_k) : (v *m (X *m X^T) *m v^T) 0 0 = sqnorm (v *m X).
Proof. by rewrite -sqnormE trmx_mul !mulmxA. Qed.

Lemma sqnormZ k a (v : 'rV[R]_k) : sqnorm (a *: v) = a ^+ 2 * sqnorm v.
Proof. by rewrite /sqnorm mulr_sumr; apply: eq_bigr => i _; rewrite mxE exprMn. Qed.

Lemma distance_formE p r (v : 'rV_h) : quadratic_form (distance_form c p r) (fun i => v 0 i) =
  q ^+ 2 * (z p * sqnorm v - z (Zpos r) * sqnorm (v *m (A - B))).
Proof.
have [sD aD] := size_table h w (fun i j => (ent (matrix_a c) i j - ent (matrix_b c) i j)%coqZ).
have -> : quadratic_form (distance_form c p r) (fun i => v 0 i) = (v *m ((z p * q ^+ 2) *: 1%:M -
    z (Zpos r) *: (ints h w (difference c) *m (ints h w (difference c))^T)) *m v^T) 0 0.
  rewrite form_mx; congr ((v *m _ *m v^T) 0 0); rewrite -gram_mx //; apply/matrixP => i j.
  rewrite [LHS]mxE ent_table (rmorphB (toF_rmorphism R)) !(rmorphM (toF_rmorphism R)) /=.
  rewrite [RHS]mxE [X in _ = X + _]mxE [X in _ = _ * X + _]mxE.
  rewrite [X in _ = _ + X]mxE [X in _ = _ - X]mxE [ints _ _ _ _ _]mxE; congr (_ - _).
  rewrite -val_eqE /= -[eqn i j]/(nat_of_ord i == j); case: ifP => _; rewrite ?rmorph0 ?mulr0 //.
  by rewrite mulr1 (rmorphM (toF_rmorphism R)) /= toFpM expr2.
rewrite form_sub mulmx1 sqnormE form_square differenceE -scalemxAr sqnormZ.
move: (z p) (sqnorm v) (sqnorm (v *m _)) (z _) (q ^+ 2) => a s t u k.
ring.
Qed.

Lemma singular_formE p r (v : 'rV_w) : quadratic_form (singular_form c p r) (fun i => v 0 i) =
  q ^+ 4 * (z (Zpos r) * sqnorm (v *m A^T *m A) - z p * sqnorm (v *m A^T)).
Proof.
have sG : size (gram_a c) = w by rewrite !size_map size_iota.
have aG : all (fun r => size r <= w)%N (gram_a c).
  by apply/allP => s /mapP[t _ ->]; rewrite !size_map size_iota.
have -> : quadratic_form (singular_form c p r) (fun i => v 0 i) = (v *m (z (Zpos r) *:
    (ints w w (gram_a c) *m (ints w w (gram_a c))^T) - (z p * q ^+ 2) *: ints w w (gram_a c)) *m v^T) 0 0.
  rewrite form_mx; congr ((v *m _ *m v^T) 0 0); rewrite -gram_mx //; apply/matrixP => i j.
  rewrite [LHS]mxE ent_table (rmorphB (toF_rmorphism R)) (rmorphM (toF_rmorphism R)) /=.
  rewrite [RHS]mxE [X in _ = X + _]mxE [X in _ = _ + X]mxE [X in _ = _ - X]mxE ![ints _ _ _ _ _]mxE.
  by rewrite !(rmorphM (toF_rmorphism R)) /= toFpM expr2.
rewrite form_sub form_square gram_aE -scalemxAr sqnormZ -scalemxAl [X in _ - _ * X]mxE.
have -> : (v *m (A^T *m A) *m v^T) 0 0 = sqnorm (v *m A^T) by rewrite -form_square trmxK.
rewrite mulmxA.
move: (z p) (sqnorm (v *m A^T *m A)) (sqnorm (v *m A^T)) (z _) (q) => a s t u k.
ring.
Qed.

Lemma semidefiniteP k N (v : 'rV[R]_k) : size N = k -> semidefinite N -> 0 <= quadratic_form N (fun i => v 0 i).
Proof. by move=> sN; rewrite /semidefinite sN; apply: semidefinite_fromP. Qed.

Theorem small_sound s s' r : small_ok c s s' r -> small_perturbation R c.
Proof.
case/and3P=> /Z.ltb_lt lt dist sing; have r0 : 0 < z (Zpos r) by rewrite /toF ltr0z; lia.
have q2 k : 0 < q ^+ k by rewrite exprn_gt0 // /q /toF ltr0z; lia.
exists (z s / z (Zpos r)), (z s' / z (Zpos r)); split=> [v /submxP[u ->]|v|].
- have := semidefiniteP u (proj1 (size_table _ _ _)) sing; rewrite singular_formE pmulr_rge0 // subr_ge0 => ge.
  by rewrite mulrAC ler_pdivr_mulr // [X in _ <= X]mulrC.
- have := semidefiniteP v (proj1 (size_table _ _ _)) dist; rewrite distance_formE pmulr_rge0 // subr_ge0 => ge.
  by rewrite mulrAC ler_pdivl_mulr // [X in X <= _]mulrC.
by rewrite ltr_pmul2r ?invr_gt0 // /toF ltr_int; lia.
Qed.

Theorem large_sound p r x y : large_ok c p r x y -> ~ small_perturbation R c.
Proof.
case/and5P=> /eqP sx /eqP sy /Z.ltb_lt x0 /Z.leb_le dist /andP[/Z.ltb_lt y0 /Z.leb_le sing] [s [s' [sA s'B lt]]].
have r0 : 0 < z (Zpos r) by rewrite /toF ltr0z; lia.
have q2 k : 0 < q ^+ k by rewrite exprn_gt0 // /q /toF ltr0z; lia.
have zle t : (t <= 0)%coqZ -> z t <= 0 by move=> ?; rewrite /toF lerz0; lia.
have zgt t : (0 < t)%coqZ -> 0 < z t by move=> ?; rewrite /toF ltr0z; lia.
pose u : 'rV[R]_h := \row_i z (nth 0%coqZ x i); pose v : 'rV[R]_w := \row_i z (nth 0%coqZ y i).
have uE : (fun i => u 0 i) = (fun i : 'I_h => z (nth 0%coqZ x i)) by apply/funext => i; rewrite mxE.
have vE : (fun i => v 0 i) = (fun i : 'I_w => z (nth 0%coqZ y i)) by apply/funext => i; rewrite mxE.
have u0 : 0 < sqnorm u.
  suff -> : sqnorm u = z (dot x x) by apply: zgt.
  by rewrite (@dotE h) ?sx // rmorph_sum; apply: eq_bigr => i _; rewrite mxE expr2 (rmorphM (toF_rmorphism R)).
have [sD aD] := size_table h h (fun i j => ((if eqn i j then p * (Zpos (q_matrices c) * Zpos (q_matrices c)) else 0)
    - Zpos r * ent (gram (difference c)) i j)%coqZ).
have := zle _ dist; rewrite (form_valueE sx sD aD) -uE distance_formE pmulr_rle0 // subr_le0 => {}dist.
have sG : size (gram_a c) = w by rewrite !size_map size_iota.
have aG : all (fun r => size r <= w)%N (gram_a c).
  by apply/allP => s0 /mapP[t _ ->]; rewrite !size_map size_iota.
have v0 : 0 < sqnorm (v *m A^T).
  have := zgt _ y0; rewrite (form_valueE sy sG aG) -vE form_mx gram_aE -scalemxAr -scalemxAl mxE pmulr_rgt0 //.
  by rewrite -sqnormE trmx_mul trmxK !mulmxA.
have [sS aS] := size_table w w (fun i j => (Zpos r * ent (gram (gram_a c)) i j -
    p * (Zpos (q_matrices c) * Zpos (q_matrices c)) * ent (gram_a c) i j)%coqZ).
have := zle _ sing; rewrite (form_valueE sy sS aS) -vE singular_formE pmulr_rle0 // subr_le0 => {}sing.
have := sA _ (submxMl v A^T); have := s'B u; rewrite -/A -/B => s'u sv.
have h1 : z p <= z (Zpos r) * s'.
  rewrite -(ler_pmul2r u0) (le_trans dist) // -mulrA ler_pmul2l //.
have h2 : z (Zpos r) * s <= z p.
  by rewrite -(ler_pmul2r v0) (le_trans _ sing) // -mulrA ler_pmul2l.
by have := le_trans h2 h1; rewrite ler_pmul2l // leNgt lt.
Qed.

End Sound.
