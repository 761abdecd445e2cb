(* Rule hadamard: the rank of an integer matrix from above, by eliminations modulo numbers whose least common     *)
(* multiple exceeds Hadamard's bound of its minors: what a checker computes, and why that is enough.             *)
(*                                                                                                                  *)
(*       basis_of p B M == the rows M, reduced one after the other, join the pivot rows B                           *)
(*          vanish p B r == the row r is reduced to 0 by the pivot rows B; vanish_row: with rows of their own type   *)
(*   spanned_ok p w G N == modulo p all rows of N are combinations of the rows G, in w columns                      *)
(*          spanned_okP == it is right                                                                              *)
(*  scaled_rows a b N M == M_ij = a_i N_ij b_j, no a_i is 0                                                         *)
(*       exceeds_bound t k N L == L ^ 2 exceeds the product of the k largest squared norms of the rows of N, if t is the  *)
(*                           smallest of them, and what is not smaller for any other positive t                     *)
(*   hadamard_ok ... == what the step needs;   hadamard_rank == then the rank is at most the number of rows          *)
From Attest Require Import integers common euclidean transcendence literal_arithmetic words residues elimination rational_matrices.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Rows that are combinations of others modulo p                               *)
(* -------------------------------------------------------------------------- *)
Fixpoint basis_of (p : word) (B : seq (option word_row)) (M : seq word_row) : option (seq (option word_row)) :=
  if M is r :: M' then if insert_row p [::] B r is Some B' then basis_of p B' M' else None else Some B.

Fixpoint vanish (p : word) (B : seq (option (seq word))) (r : seq word) : bool :=
  match B with
  | [::] => true
  | Some u :: B' => vanish p B' (reduce_row p u r)
  | None :: B' => if is_zero (rem (head zero r) p) then vanish p B' (behead r) else false
  end.

Fixpoint vanish_row (p : word) (us : seq word_row) (B : seq (option word_row)) (r : word_row) : bool :=
  match B with
  | [::] => true
  | Some u :: B' => vanish_row p (u :: us) B' r
  | None :: B' =>
    let s := unrow (reduce_rows p (rev us) r) in
    if is_zero (rem (head zero s) p) then vanish_row p [::] B' (Row (behead s)) else false
  end.

Definition spanned_ok (w : nat) (G N : seq (seq Z)) (p : Z) : bool :=
  if fits_word p w.+1 then
    let word_of r := Row (residues p r) in
    if basis_of (ofZ p) (nseq w None) [seq word_of r | r <- G] is Some B then
      all (fun r => vanish_row (ofZ p) [::] B (word_of r)) N
    else false
  else false.

Lemma vanish_rowE p us B r : vanish_row p us B r = vanish p (map (omap unrow) B) (unrow (reduce_rows p (rev us) r)).
Proof.
elim: B us r => [|[u|] B IH] us r //=.
  by rewrite IH rev_cons -cats1 /= foldl_cat.
by case: ifP => // _; rewrite IH.
Qed.

Section Spanned.
Variables (F : numFieldType) (q : Z).
Hypotheses (q1 : (1 < q)%coqZ) (ql : (q * q <= limit)%coqZ).
Let p := ofZ q.
Let pE : toZ p = q. Proof. by apply: ofZ_id; nia. Qed.
Let bg : place q (2%:R : F) 2%coqZ := @place_two F q.
Local Notation red := (red q (2%:R : F) 2%coqZ).
Local Notation red_words := (red_words q (2%:R : F) 2%coqZ).
Local Notation bound k := (q * q * Z.of_nat k)%coqZ.
Variables (n r : nat) (G : nat -> nat -> Z).

Definition combined_row (x : nat -> F) : Prop :=
  exists c : nat -> Z, forall j, (j < n)%N -> red (x j - toF F (\sum_(i < r) c i * G i j)) 0.

Lemma red_int_eqm z : red (toF F z) 0 -> eqm q z 0.
Proof.
move=> [d [m [du dz md]]]; rewrite mulr0 in md.
have e0 : eval_at (2%:R : F) (d * (int_of_Z z)%:P - m) = 0 by rewrite rmorphB evM eval_atC -[_%:~R]/(toF F z) dz subrr.
have := bg e0; rewrite rmorphB evM eval_atC int_of_Z_intr => dzm.
have dz0 : eqm q (eval_at 2%coqZ d * z) 0 by have := eqmD dzm md; rewrite subrK addr0.
case: du => u ud; apply: eqm_trans (_ : eqm q (u * eval_at 2%coqZ d * z) 0).
  by apply: eqm_sym; rewrite -[X in eqm q _ X]mul1r; apply: eqmM ud (eqm_refl _ _).
by rewrite -mulrA; have := eqmM (eqm_refl q u) dz0; rewrite mulr0.
Qed.

Lemma residue_zero : red 0 0. Proof. by have := red_int q (2%:R : F) 2%coqZ 0; rewrite rmorph0. Qed.

Lemma spanned0 x : (forall j, (j < n)%N -> red (x j) 0) -> combined_row x.
Proof.
move=> x0; exists (fun=> 0) => j jn; rewrite big1 => [|i _]; last by rewrite mul0r.
by rewrite rmorph0 subr0; apply: x0.
Qed.

Lemma spanned_sub x y a k : combined_row x -> combined_row y -> red a k -> combined_row (fun j => x j - a * y j).
Proof.
move=> [c xc] [d yd] ak; exists (fun i => c i - k * d i) => j jn.
have -> : \sum_(i < r) (c i - k * d i) * G i j = \sum_(i < r) c i * G i j - k * \sum_(i < r) d i * G i j.
  by rewrite mulr_sumr -sumrB; apply: eq_bigr => i _; rewrite mulrBl mulrA.
rewrite rmorphB rmorphM; set S := \sum_i _; set U := \sum_i _.
have -> : x j - a * y j - (toF F S - toF F k * toF F U) = (x j - toF F S) - a * (y j - toF F U) - (a - toF F k) * toF F U.
  by ring.
have ak0 : red (a - toF F k) 0 by have := red_sub ak (red_int q (2%:R : F) 2%coqZ k); rewrite subrr.
have := red_sub (red_sub (xc j jn) (red_mul ak (yd j jn))) (red_mul ak0 (red_int q (2%:R : F) 2%coqZ U)).
by rewrite mulr0 mul0r !subr0.
Qed.

Lemma spanned_scale y a k : combined_row y -> red a k -> combined_row (fun j => a * y j).
Proof.
move=> ys ak; have z : combined_row (fun=> 0) by apply: spanned0 => j _; apply: residue_zero.
have [c cP] := spanned_sub z ys (red_opp ak); exists c => j jn.
by have := cP j jn; rewrite sub0r mulNr opprK.
Qed.

Lemma spanned_add x y a k : combined_row (fun j => x j - a * y j) -> combined_row y -> red a k -> combined_row x.
Proof.
move=> xs ys ak; have [c cP] := spanned_sub xs ys (red_opp ak); exists c => j jn.
by have := cP j jn; rewrite mulNr opprK subrK.
Qed.

(* the vector x from column k on is the row s, and 0 before                     *)
Definition at_column (k m : nat) (x : nat -> F) (s : seq word) : Prop :=
  [/\ forall j, (j < k)%N -> red (x j) 0, red_words (fun j => x (k + j)%N) s & all_small (bound m) s].

Definition pivot_at (k : nat) (u : seq word) : Prop :=
  exists y, [/\ forall j, (j < k)%N -> red (y j) 0, y k = 1, red_words (fun j => y (k + j.+1)%N) u, all_small q u & combined_row y].

Fixpoint good_rows (k : nat) (B : seq (option (seq word))) : Prop :=
  if B is o :: B' then (if o is Some u then pivot_at k u else True) /\ good_rows k.+1 B' else True.

Lemma at_next k m x s : (0 < m)%N -> (bound m.+1 <= limit)%coqZ -> at_column k m x s -> is_zero (rem (head zero s) p) ->
  at_column k.+1 m.+1 x (behead s).
Proof.
move=> m0 ml [x0 xs ss] /Z.eqb_eq z.
have [xk _] := red_rem q1 ql 0 m0 xs ss; rewrite nth0 z addn0 in xk.
split=> [j|j|]; last by apply: all_small_le (behead_small ss); rewrite Nat2Z.inj_succ; nia.
  by rewrite ltnS leq_eqVlt => /predU1P[-> //|/x0].
by have := red_behead xs j; rewrite addnS addSn.
Qed.

Lemma at_reduced k m x s u : (0 < m)%N -> (bound m.+1 <= limit)%coqZ -> at_column k m x s -> pivot_at k u ->
  exists y, [/\ combined_row y, at_column k.+1 m.+1 (fun j => x j - x k * y j) (reduce_row p u s) &
    exists a, red (x k) a].
Proof.
move=> m0 ml [x0 xs ss] [y [y0 yk yu us ys]]; exists y.
have [xk _] := red_rem q1 ql 0 m0 xs ss; rewrite addn0 in xk.
split=> //; last by exists (toZ (rem (nth zero s 0) p)).
have := red_reduced q1 ql m0 ml xs ss yu us (erefl (x (k + 0)%N)).
case=> rw sm; split=> // [j|j].
  rewrite ltnS leq_eqVlt => /predU1P[->|jk]; first by rewrite yk mulr1 subrr; apply: residue_zero.
  by have := red_sub (x0 j jk) (red_mul xk (y0 j jk)); rewrite mulr0 subr0.
by have := rw j; rewrite addn0 !addnS addSn.
Qed.

Lemma insertP B k m x s B' : (0 < m)%N -> (bound (m + size B)%N <= limit)%coqZ -> at_column k m x s -> combined_row x ->
  good_rows k B -> insert p B s = Some B' -> good_rows k B'.
Proof.
elim: B k m x s B' => //= o B IH k m x s B' m0 ml xs sx [ok gB].
have ml' : (bound (m.+1 + size B)%N <= limit)%coqZ by rewrite addSnnS.
have ml1 : (bound m.+1 <= limit)%coqZ.
  by apply: Z.le_trans ml'; apply: Z.mul_le_mono_nonneg_l; [nia|apply/inj_le/ssrnat.leP; rewrite leq_addr].
case: o ok => [u uP|_].
  have [y [ys xy [a xk]]] := at_reduced m0 ml1 xs uP.
  case E: (insert p B _) => [B''|] // [<-] /=; split=> //.
  exact: IH xy (spanned_sub sx ys xk) gB E.
case: ifP => z; first by case E: (insert p B _) => [B''|] // [<-] /=; split=> //; apply: IH (at_next m0 ml1 xs z) sx gB E.
case E: (inverse p _) => [v|] // [<-] /=; split=> //; case: xs => x0 xs ss.
have [xk hs] := red_rem q1 ql 0 m0 xs ss; rewrite nth0 addn0 in xk hs.
have p1 : (1 < toZ p)%coqZ by rewrite pE.
have pp : (toZ p * toZ p <= limit)%coqZ by rewrite pE.
have [vs v1] : small q v /\ eqm q (toZ (rem (head zero s) p) * toZ v) 1.
  have := inverseE p1 pp; rewrite pE => /(_ _ _ hs E)[vs av]; split=> //.
  by have := eqm_sym (eqm_mod (toZ (rem (head zero s) p) * toZ v)%coqZ (p_neq0 q1)); rewrite av.
have xv := red_inv q1 bg xk v1.
have xk0 : x k != 0 by apply: (red_neq0 q1 bg xk); exists (toZ v); rewrite mulrC.
have [us ub] := red_normal q1 ql m0 (red_behead xs) (behead_small ss) vs xv.
exists (fun j => (x k)^-1 * x j); split=> //.
- by move=> j jk; have := red_mul xv (x0 j jk); rewrite mulr0.
- by rewrite mulVf.
exact: spanned_scale sx xv.
Qed.

Lemma vanishP B k m x s : (0 < m)%N -> (bound (m + size B)%N <= limit)%coqZ -> at_column k m x s ->
  good_rows k B -> (k + size B = n)%N -> vanish p B s -> combined_row x.
Proof.
elim: B k m x s => [|o B IH] k m x s m0 /= ml xs.
  by rewrite addn0 => _ kn _; apply: spanned0 => j jn; case: xs => x0 _ _; apply: x0; rewrite kn.
move=> [ok gB] kn; have ml' : (bound (m.+1 + size B)%N <= limit)%coqZ by rewrite addSnnS.
have ml1 : (bound m.+1 <= limit)%coqZ.
  by apply: Z.le_trans ml'; apply: Z.mul_le_mono_nonneg_l; [nia|apply/inj_le/ssrnat.leP; rewrite leq_addr].
have kn' : (k.+1 + size B = n)%N by rewrite addSnnS.
case: o ok => [u uP|_].
  have [y [ys xy [a xk]]] := at_reduced m0 ml1 xs uP.
  by move/(IH _ _ _ _ (ltn0Sn _) ml' xy gB kn') => sx; apply: spanned_add sx ys xk.
by case: ifP => // z; apply: (IH _ _ _ _ (ltn0Sn _) ml' (at_next m0 ml1 xs z) gB kn').
Qed.

Lemma at_residues s : at_column 0 1 (fun j => toF F (nth 0%coqZ s j)) (residues q s).
Proof.
have qlim : (q <= limit)%coqZ by nia.
split=> // [j|]; last by rewrite Z.mul_1_r; apply: all_small_le (all_small_residues _ q1 qlim); nia.
have [js|sj] := ltnP j (size s); last by rewrite !nth_default ?size_map // rmorph0 toZ_zero; apply: residue_zero.
by rewrite (nth_map 0%coqZ) // quick_modE residueE //; apply: (red_mod q1); apply: red_int.
Qed.

Lemma size_insert B s B' : insert p B s = Some B' -> size B' = size B.
Proof.
elim: B s B' => //= [[u|]] B IH s B'; first by case E: (insert _ _ _) => [B''|] // [<-] /=; rewrite (IH _ _ E).
case: ifP => _; first by case E: (insert _ _ _) => [B''|] // [<-] /=; rewrite (IH _ _ E).
by case: inverse => // v [<-].
Qed.

Lemma basis_ofP (M : seq (seq Z)) B B' : (bound (1 + n)%N <= limit)%coqZ -> size B = n ->
    (forall s, List.In s M -> combined_row (fun j => toF F (nth 0%coqZ s j))) -> good_rows 0 (map (omap unrow) B) ->
  basis_of p B [seq Row (residues q s) | s <- M] = Some B' -> good_rows 0 (map (omap unrow) B') /\ size B' = n.
Proof.
move=> nl; elim: M B => [|s M IH] B sB Ms gB /=; first by case=> <-.
case E: (insert_row p [::] B _) => [B''|] //; have := insert_rowE p [::] B (Row (residues q s)).
rewrite E /= => E'; apply: IH; last first.
- apply: (insertP (m := 1) (x := fun j => toF F (nth 0%coqZ s j))) (esym E') => //; rewrite ?size_map ?sB //.
    exact: at_residues.
  by apply: Ms; left.
- by move=> s' s'M; apply: Ms; right.
by have := size_insert (esym E'); rewrite !size_map sB.
Qed.

End Spanned.

Lemma good_nones F q n r G k m : @good_rows F q n r G k (nseq m None).
Proof. by elim: m k => //= m IH k; split. Qed.

Lemma spanned_okP q w (G N : seq (seq Z)) : spanned_ok w G N q ->
  forall k, (k < size N)%N -> exists c : nat -> Z, forall j, (j < w)%N ->
    eqm q (ent N k j) (\sum_(i < size G) c i * ent G i j).
Proof.
have F : numFieldType := [numFieldType of rat].
rewrite /spanned_ok; case: ifP => // /andP[/Z.ltb_lt q1 /Z.leb_le ql].
have qq : (q * q <= limit)%coqZ by nia.
case E: basis_of => [B|] // /allP ok k kN.
have wl : (q * q * Z.of_nat (1 + w) <= limit)%coqZ by move: ql; rewrite -plusE; nia.
have rows s : List.In s G -> @combined_row F q w (size G) (ent G) (fun j => toF F (nth 0%coqZ s j)).
  move=> sG; have [i iG ->] : exists2 i, (i < size G)%N & s = nth [::] G i.
    elim: (G) sG => //= s' G' IH [->|/IH[i ii ->]]; [by exists 0%N|by exists i.+1].
  exists (fun k => if k == i then 1 else 0) => j jw.
  rewrite (bigD1 (Ordinal iG)) //= eqxx mul1r big1 => [|l li]; last first.
    by rewrite ifN ?mul0r //; apply: contra li => /eqP li; apply/eqP/val_inj.
  by rewrite addr0 subrr; apply: residue_zero.
have g0 : @good_rows F q w (size G) (ent G) 0 (map (omap unrow) (nseq w None)) by rewrite map_nseq; apply: good_nones.
have [gB sB] := basis_ofP q1 qq wl (size_nseq _ _) rows g0 E.
have [|||||c cP] := @vanishP F q q1 qq w (size G) (ent G) (map (omap unrow) B) 0 1
    (fun j => toF F (ent N k j)) (residues q (nth [::] N k)) isT.
- by rewrite size_map sB.
- exact: at_residues.
- exact: gB.
- by rewrite size_map sB.
- by have := ok _ (mem_nth [::] kN); rewrite vanish_rowE.
exists c => j jw; have := cP j jw; rewrite -rmorphB => cj; have e0 := red_int_eqm cj.
by have := eqmD e0 (eqm_refl q (\sum_(i < size G) c i * ent G i j)); rewrite subrK add0r.
Qed.

(* -------------------------------------------------------------------------- *)
(* Hadamard's bound                                                            *)
(* -------------------------------------------------------------------------- *)
(* a minor of any order up to the rank that is not 0                            *)
Lemma minor_of_order (F : fieldType) m n (A : 'M[F]_(m, n)) k : (k <= \rank A)%N ->
  exists f : 'I_k -> 'I_m, exists g : 'I_k -> 'I_n, \det (mxsub f g A) != 0.
Proof.
move=> kr; pose h := maxrankfun A; pose f0 := h \o widen_ord kr; pose B := rowsub f0 A.
have /eqP rB : row_free B.
  apply: inj_row_free => v vB; pose w : 'rV[F]_(\rank A) := \row_i (if insub (i : nat) is Some j then v 0 j else 0).
  have wE j : w 0 (widen_ord kr j) = v 0 j by rewrite mxE (insubT (fun i => i < k)%N (ltn_ord j)); congr (v 0 _); apply/val_inj.
  have w0 : w *m rowsub h A = 0.
    rewrite -vB; apply/rowP => j; rewrite !mxE (bigID (fun i : 'I__ => i < k)%N) /= addrC big1 ?add0r => [|i ik]; last first.
      by rewrite mxE insubF ?mul0r // (negPf ik).
    by rewrite (big_ord_narrow kr) /=; apply: eq_bigr => i _; rewrite wE !mxE.
  move/eqP: w0; rewrite mulmx_free_eq0 ?maxrowsub_free // => /eqP wz.
  by apply/rowP => j; rewrite -wE wz mxE [RHS]mxE.
have [f1 [g]] : exists f1 : 'I_k -> 'I_k, exists g : 'I_k -> 'I_n, \det (mxsub f1 g B) != 0.
  by have := mxrank_minor B; rewrite rB.
move=> d0; exists (f0 \o f1), g; apply: contra_neq d0 => d0; rewrite -[RHS]d0; congr (\det _).
by apply/matrixP => i j; rewrite !mxE.
Qed.

Lemma injective_rows (F : comRingType) m n k (A : 'M[F]_(m, n)) (f : 'I_k -> 'I_m) (g : 'I_k -> 'I_n) :
  \det (mxsub f g A) != 0 -> injective f.
Proof.
move=> d0 i j fij; apply/eqP; apply: contraNT d0 => ij; apply/eqP.
by apply: (determinant_alternate ij) => l; rewrite !mxE fij.
Qed.

Lemma injective_cols (F : comRingType) m n k (A : 'M[F]_(m, n)) (f : 'I_k -> 'I_m) (g : 'I_k -> 'I_n) :
  \det (mxsub f g A) != 0 -> injective g.
Proof. by rewrite -det_tr trmx_mxsub; apply: injective_rows. Qed.

Section Bound.
Variable R : realFieldType.

(* of k rows of m, t any positive number                                        *)
Lemma chosen_product m k (s : 'I_m -> R) (f : 'I_k -> 'I_m) (t : R) : injective f -> 0 < t -> (forall i, 0 <= s i) ->
  \prod_i s (f i) * t ^+ (m - k) <= \prod_i Num.max t (s i).
Proof.
move=> fi t0 s0; pose S := f @: 'I_k; rewrite [leRHS](bigID (mem S)) /=.
have -> : \prod_i s (f i) = \prod_(i in S) s i by rewrite big_imset //; apply: in2W.
have -> : t ^+ (m - k) = \prod_(i | i \notin S) t.
  transitivity (\prod_(i in ~: S) t); last by apply: eq_bigl => i; rewrite inE.
  by rewrite prodr_const cardsCs setCK card_imset // !card_ord.
apply: ler_pmul.
- by apply: prodr_ge0 => i _; apply: s0.
- by apply: prodr_ge0 => i _; apply: ltW.
- by apply: ler_prod => i _; rewrite s0 le_maxr lexx orbT.
by apply: ler_prod => i _; rewrite ltW //= le_maxr lexx.
Qed.

Lemma minor_bound m n k (A : 'M[R]_(m, n)) (f : 'I_k -> 'I_m) (g : 'I_k -> 'I_n) (t : R) : injective f -> injective g -> 0 < t ->
  \det (mxsub f g A) ^+ 2 * t ^+ (m - k) <= \prod_i Num.max t (sqnorm (row i A)).
Proof.
move=> fi gi t0; apply: le_trans (chosen_product fi t0 (fun i => sqnorm_ge0 (row i A))).
rewrite ler_pmul2r ?exprn_gt0 //; apply: le_trans (hadamard _) _.
apply: ler_prod => i _; rewrite sqnorm_ge0 /= /sqnorm.
have -> : \sum_j row i (mxsub f g A) 0 j ^+ 2 = \sum_(j in g @: 'I_k) row (f i) A 0 j ^+ 2.
  by rewrite big_imset; [apply: eq_bigr => j _; rewrite !mxE|apply: in2W].
by rewrite [leRHS](bigID (mem (g @: 'I_k))) /= ler_addl sumr_ge0 // => j _; apply: sqr_ge0.
Qed.

End Bound.

Lemma eqm_det p k (A B : 'M[Z]_k) : (forall i j, eqm p (A i j) (B i j)) -> eqm p (\det A) (\det B).
Proof.
move=> AB; rewrite /determinant; apply: (big_ind2 (eqm p)) => [|x y z t|s _]; first exact: eqm_refl.
  exact: eqmD.
apply: eqmM; first exact: eqm_refl.
apply: (big_ind2 (eqm p)) => [|x y z t|i _]; [exact: eqm_refl|exact: eqmM|exact: AB].
Qed.

(* k rows that are combinations of fewer modulo p                               *)
Lemma combined_det p k r (A : 'M[Z]_k) (C : 'M[Z]_(k, r)) (G : 'M[Z]_(r, k)) : (r < k)%N ->
  (forall i j, eqm p (A i j) ((C *m G) i j)) -> eqm p (\det A) 0.
Proof.
move=> rk /eqm_det; have -> // : \det (C *m G) = 0.
apply/eqP; rewrite -(toF_eq0 [numFieldType of rat]) -det_map_mx map_mxM -[_ == 0]negbK -unitfE -unitmxE.
rewrite -row_free_unit /row_free neq_ltn; apply/orP; left.
exact: leq_ltn_trans (mxrankM_maxl _ _) (leq_ltn_trans (rank_leq_col _) rk).
Qed.

(* -------------------------------------------------------------------------- *)
(* The step                                                                    *)
(* -------------------------------------------------------------------------- *)
Fixpoint scaled_row (a : Z) (b x y : seq Z) : bool :=
  match b, x, y with
  | [::], [::], [::] => true
  | c :: b', x0 :: x', y0 :: y' => if (y0 =? a * x0 * c)%coqZ then scaled_row a b' x' y' else false
  | _, _, _ => false
  end.
Fixpoint scaled_rows (a b : seq Z) (N M : seq (seq Z)) : bool :=
  match a, N, M with
  | [::], [::], [::] => true
  | c :: a', x :: N', y :: M' => if scaled_row c b x y then scaled_rows a' b N' M' else false
  | _, _, _ => false
  end.

Fixpoint power_Z (t : Z) (k : nat) : Z := if k is k'.+1 then (t * power_Z t k')%coqZ else 1%coqZ.

Definition exceeds_bound (t : Z) (k : nat) (N : seq (seq Z)) (L : Z) : bool :=
  (0 <? t)%coqZ && (foldr (fun r b => Z.max t (dot r r) * b) 1 N <? L * L * power_Z t (size N - k))%coqZ.

(* N: the rows over the factors a, the columns over b; t: for the rows of N or its columns                 *)
Definition hadamard_ok (w : nat) (M N : seq (seq Z)) (a b : seq Z) (rows : seq nat) (t : Z) (columns : bool) (primes : seq Z) : bool :=
  [&& scaled_rows a b N M, size b == w, all (fun t => t < size N)%N rows,
    exceeds_bound t (size rows).+1 (if columns then [seq col j N | j <- iota 0 w] else N) (foldr Z.lcm 1%coqZ primes) &
    let G := [seq nth [::] N i | i <- rows] in all (spanned_ok w G N) primes].

Lemma scaled_rowP a b x y : scaled_row a b x y ->
  (size x <= size b)%N /\ forall j, nth 0%coqZ y j = (a * nth 0 x j * nth 0 b j)%coqZ.
Proof.
elim: b x y => [|c b IH] [|x0 x] [|y0 y] //=; first by split=> // j; rewrite !nth_nil Z.mul_0_r.
by case: ifP => // /Z.eqb_eq -> /IH[sx E]; split=> [|[|j]] //=.
Qed.

Lemma scaled_rowsP a b N M : scaled_rows a b N M -> [/\ size M = size N, all (fun r => size r <= size b)%N N &
  forall i j, ent M i j = (nth 0 a i * ent N i j * nth 0 b j)%coqZ].
Proof.
elim: a N M => [|c a IH] [|x N] [|y M] //=; first by split=> // i j; rewrite /ent !nth_nil.
by case: ifP => // /scaled_rowP[sx E] /IH[-> -> E']; rewrite sx; split=> // -[|i] j; [exact: E|exact: E'].
Qed.

Lemma square_leq (k L : Z) : k <> 0%coqZ -> (L * L <= k * L * (k * L))%coqZ.
Proof.
move=> k0; have kk : (1 <= k * k)%coqZ by nia.
have LL : (0 <= L * L)%coqZ := Z.square_nonneg L.
have -> : (k * L * (k * L) = k * k * (L * L))%coqZ by lia.
by have := Z.mul_le_mono_nonneg_r _ _ _ LL kk; rewrite Z.mul_1_l.
Qed.

Section Literal.
Variable R : realFieldType.
Local Notation z := (toF R).

Lemma toF_larger a b : z (Z.max a b) = Num.max (z a) (z b).
Proof.
by case: (Z.max_spec a b) => -[ab ->]; [rewrite max_r|rewrite max_l] => //; apply: toF_leq; lia.
Qed.

Lemma toF_powers t k : z (power_Z t k) = z t ^+ k.
Proof. by elim: k => [|k IH] /=; [rewrite toF1|rewrite toFM IH exprS]. Qed.

Lemma toF_product t w X m : size X = m -> all (fun r => size r <= w)%N X ->
  z (foldr (fun r b => Z.max t (dot r r) * b)%coqZ 1%coqZ X) = \prod_(i < m) Num.max (z t) (\sum_(j < w) z (ent X i j) ^+ 2).
Proof.
move=> <-; elim: X => [|r X IH] /=; first by rewrite big_ord0 toF1.
move=> /andP[sr sX]; rewrite big_ord_recl toFM toF_larger IH //; congr (Num.max _ _ * _).
by rewrite (dotE r sr) rmorph_sum; apply: eq_bigr => j _; rewrite rmorphM expr2.
Qed.

Lemma lcm_divides (s : seq Z) x : (forall p, p \in s -> eqm p x 0) -> Z.divide (foldr Z.lcm 1%coqZ s) x.
Proof.
elim: s => [|p s IH] H /=; first by exists x; rewrite Z.mul_1_r.
apply: Z.lcm_least; last by apply: IH => p' ps; apply: H; rewrite inE ps orbT.
have [k ->] := H p (mem_head _ _); exists k; rewrite add0r; exact: Z.mul_comm.
Qed.

Lemma hadamard_rank h w q M N a b rows t columns primes : size M = h ->
  hadamard_ok w M N a b rows t columns primes -> (\rank (mx R h w q M) <= size rows)%N.
Proof.
move=> <- /and5P[/scaled_rowsP[MN sN ME] /eqP sb rN bok gok]; rewrite sb in sN.
rewrite -(mxrank_scale_nz _ (toF_pos R q)) mxS.
pose A : 'M[R]_(size M, w) := \matrix_(i, j) z (ent N i j).
have -> : \matrix_(i < size M, j < w) z (ent M i j) =
    diag_mx (\row_i z (nth 0%coqZ a i)) *m A *m diag_mx (\row_j z (nth 0%coqZ b j)).
  by apply/matrixP => i j; rewrite mul_mx_diag mul_diag_mx !mxE ME !toFM.
apply: leq_trans (mxrankM_maxl _ _) _; apply: leq_trans (mxrankM_maxr _ _) _.
rewrite leqNgt; apply/negP => rA; have [f [g d0]] := minor_of_order rA.
have fi := injective_rows d0; have gi := injective_cols d0.
pose Az : 'M[Z]_((size rows).+1) := \matrix_(i, j) ent N (f i) (g j).
have dE : \det (mxsub f g A) = z (\det Az).
  by rewrite -det_map_mx; congr (\det _); apply/matrixP => i j; rewrite !mxE.
have /lcm_divides : forall p, p \in primes -> eqm p (\det Az) 0.
  move=> p /(allP gok)/spanned_okP sp.
  have /fin_all_exists[c cP] : forall i : 'I_(size rows).+1, exists c : nat -> Z, forall j, (j < w)%N ->
      eqm p (ent N (f i) j) (\sum_(l < size [seq nth [::] N i | i <- rows]) c l * ent [seq nth [::] N i | i <- rows] l j).
    by move=> i; apply: sp; rewrite -MN.
  pose G := [seq nth [::] N i | i <- rows]; have sG : size G = size rows by rewrite size_map.
  pose C : 'M[Z]_((size rows).+1, size G) := \matrix_(i, l) c i l.
  pose B : 'M[Z]_(size G, (size rows).+1) := \matrix_(l, j) ent G l (g j).
  apply: (@combined_det p _ (size G) Az C B); first by rewrite sG.
  move=> i j; have := cP i (g j) (ltn_ord (g j)); rewrite -/G mxE [X in _ -> eqm _ _ X]mxE.
  have -> // : \sum_l C i l * B l j = \sum_(l < size G) c i l * ent G l (g j).
  by apply: eq_bigr => l _; rewrite !mxE.
set L := foldr Z.lcm _ _ => -[k dk].
have d1 : \det Az <> 0%coqZ by move=> dz; move: d0; rewrite dE dz toF0 eqxx.
have LL : z (L * L)%coqZ <= z (\det Az) ^+ 2.
  rewrite expr2 -toFM; apply: toF_leq; rewrite dk in d1 *; have k0 : k <> 0%coqZ by move=> kz; apply: d1; rewrite kz.
  exact: square_leq.
move: bok => /andP[/Z.ltb_lt t0 /Z.ltb_lt]; have {}t0 : 0 < z t by rewrite -toF0; apply: toF_lt.
case: columns => /(toF_lt R); rewrite toFM toF_powers.
  rewrite (@toF_product t (size M) _ w) ?size_map ?size_iota //; last first.
    by apply/allP => r /mapP[j _ ->]; rewrite size_map MN.
  have := minor_bound A^T gi fi t0; rewrite -trmx_mxsub det_tr dE.
  have -> : \prod_i Num.max (z t) (sqnorm (row i A^T)) =
      \prod_(i < w) Num.max (z t) (\sum_(j < size M) z (ent [seq col j N | j <- iota 0 w] i j) ^+ 2).
    apply: eq_bigr => i _; congr Num.max; apply: eq_bigr => j _; rewrite !mxE.
    by rewrite [in RHS]/ent (nth_map 0%N) ?size_iota // nth_iota // nth_col.
  move=> le lt; have := le_lt_trans le lt; rewrite ltr_pmul2r ?exprn_gt0 // => lt'.
  by have := lt_le_trans lt' LL; rewrite ltxx.
rewrite (@toF_product t w _ (size M)) //; have := minor_bound A fi gi t0; rewrite dE.
have -> : \prod_i Num.max (z t) (sqnorm (row i A)) =
    \prod_(i < size M) Num.max (z t) (\sum_(j < w) z (ent N i j) ^+ 2).
  by apply: eq_bigr => i _; congr Num.max; apply: eq_bigr => j _; rewrite !mxE.
rewrite -MN => le lt; have := le_lt_trans le lt; rewrite ltr_pmul2r ?exprn_gt0 // => lt'.
by have := lt_le_trans lt' LL; rewrite ltxx.
Qed.

End Literal.
