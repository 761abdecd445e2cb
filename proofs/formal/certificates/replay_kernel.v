(* Replay of certificates, upper bounds of rank(Z) by kernel vectors: Z x = 0   *)
(* or y Z = 0, verified exactly.  In base 2 with integer logits Z is a matrix   *)
(* of fractions; the check adds them up without dividing.                      *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention affine_hull replay_arithmetic replay_layer replay_lower.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Fractions (numerator, denominator), not reduced                             *)
(* -------------------------------------------------------------------------- *)
Definition add_frac (x y : Z * Z) : Z * Z :=
  if (x.1 =? 0)%coqZ then y else (x.1 * y.2 + y.1 * x.2, x.2 * y.2)%coqZ.
Definition sum_frac (s : seq (Z * Z)) : Z * Z := foldr add_frac (0, 1)%coqZ s.

Section Fractions.
Variable F : numFieldType.
Definition frac (x : Z * Z) : F := toF F x.1 / toF F x.2.
Definition proper (x : Z * Z) : bool := toF F x.2 != 0.

Lemma add_fracE x y : proper x -> proper y ->
  proper (add_frac x y) /\ frac (add_frac x y) = frac x + frac y.
Proof.
rewrite /add_frac; case: ifP => [/Z.eqb_eq x0 _ py|_ px py].
  by rewrite {2}/frac x0 rmorph0 mul0r add0r.
by rewrite /proper /frac /= rmorphD !rmorphM mulf_neq0 // addf_div.
Qed.

Lemma sum_fracE (I : Type) (r : seq I) (f : I -> Z * Z) : (forall i, proper (f i)) ->
  proper (sum_frac [seq f i | i <- r]) /\
  frac (sum_frac [seq f i | i <- r]) = \sum_(i <- r) frac (f i).
Proof.
move=> pf; elim: r => [|i r [pr IHr]] /=.
  by rewrite big_nil /proper /frac /= rmorph0 mul0r rmorph1 oner_neq0.
by have [pa aE] := add_fracE (pf i) pr; rewrite big_cons -IHr.
Qed.

Lemma sum_frac0 m (f : nat -> Z * Z) : (forall i : 'I_m, proper (f i)) ->
  ((sum_frac [seq f i | i <- iota 0 m]).1 =? 0)%coqZ -> \sum_(i < m) frac (f i) = 0.
Proof.
move=> pf s0; have := @sum_fracE _ (enum 'I_m) (fun i : 'I_m => f i) pf.
rewrite (map_comp f val) val_enum_ord big_enum /= => -[_ <-].
by move/Z.eqb_eq: s0; rewrite /frac => ->; rewrite rmorph0 mul0r.
Qed.

End Fractions.

(* -------------------------------------------------------------------------- *)
(* The checks                                                                  *)
(* -------------------------------------------------------------------------- *)
(* z_h of example t, times the common denominator of the contexts: numerators  *)
(* and the softmax denominator, the least logit subtracted                     *)
Definition exact_block (D : layer_data) (t h : nat) : seq Z * Z :=
  let l := int_logits D t h in
  let m := foldr Z.min (head 0%coqZ l) l in
  let w := [seq (2 ^ (x - m))%coqZ | x <- l] in
  let E := nth [::] (contexts D) t in
  ([seq dot w (col j E) | j <- iota 0 (embed_dim D)], dot w (nseq (size w) 1%coqZ)).

Definition exact_blocks D : seq (seq (seq Z * Z)) :=
  [seq [seq exact_block D t h | h <- iota 0 (heads D)] | t <- iota 0 (examples D)].

Definition independent_ok (n : nat) (V : seq (seq Z)) (p : Z) (cols : seq nat)
    (inverse : seq (seq Z)) : bool :=
  [&& all (fun j => j < n)%N cols, size cols == size V &
    inverse_ok p [seq [seq nth 0%coqZ v j | j <- cols] | v <- V] inverse].

(* X: vectors x of length H d with Z x = 0                                     *)
Definition right_kernel_ok (D : layer_data) (X : seq (seq Z)) (p : Z) (cols : seq nat)
    (inverse : seq (seq Z)) : bool :=
  let B := exact_blocks D in
  independent_ok (heads D * embed_dim D) X p cols inverse &&
  all (fun x => all (fun row => ((sum_frac [seq
      let b := nth ([::], 1%coqZ) row h in (dot b.1 (drop (h * embed_dim D) x), b.2)
      | h <- iota 0 (heads D)]).1 =? 0)%coqZ) B) X.

(* Y: vectors y of length T with y Z = 0                                       *)
Definition left_kernel_ok (D : layer_data) (Y : seq (seq Z)) (p : Z) (cols : seq nat)
    (inverse : seq (seq Z)) : bool :=
  let B := exact_blocks D in
  independent_ok (examples D) Y p cols inverse &&
  all (fun y => all (fun h => all (fun j => ((sum_frac [seq
      let b := nth ([::], 1%coqZ) (nth [::] B t) h in (nth 0 y t * nth 0 b.1 j, b.2)%coqZ
      | t <- iota 0 (examples D)]).1 =? 0)%coqZ)
    (iota 0 (embed_dim D))) (iota 0 (heads D))) Y.

Lemma foldr_min_leq (a x : Z) l : x \in l -> (foldr Z.min a l <= x)%coqZ.
Proof.
elim: l => // y l IHl; rewrite inE => /predU1P[->|/IHl xl] /=; first exact: Z.le_min_l.
exact: Z.le_trans (Z.le_min_r _ _) xl.
Qed.

Lemma toF_pow2 (F : numFieldType) (l m : Z) : (m <= l)%coqZ ->
  2%:R ^ int_of_Z l = 2%:R ^ int_of_Z m * toF F (2 ^ (l - m))%coqZ.
Proof.
move=> ml; have [k lm] : exists k : nat, (l - m)%coqZ = Z.of_nat k.
  by exists (Z.to_nat (l - m)); rewrite Z2Nat.id //; apply/Zle_minus_le_0.
have -> : l = m + Z.of_nat k by rewrite -lm; apply/esym/Zplus_minus.
have -> : (m + Z.of_nat k - m)%coqZ = Z.of_nat k by rewrite -lm; apply: Z.add_simpl_l.
rewrite rmorphD /= expfzDr ?pnatr_eq0 //; congr (_ * _).
have -> : int_of_Z (Z.of_nat k) = k by case: k {lm} => //= k; rewrite SuccNat2Pos.id_succ.
elim: k {lm} => [|k IHk]; first by rewrite expr0z rmorph1.
rewrite Nat2Z.inj_succ Z.pow_succ_r; last exact: Nat2Z.is_nonneg.
by rewrite rmorphM /= -IHk exprSz.
Qed.

Lemma kernel_rank (F : fieldType) m n k (M : 'M[F]_(m, n)) (X : 'M[F]_(k, n)) :
  M *m X^T = 0 -> (\rank M <= n - \rank X)%N.
Proof. by move/mulmx0_rank_max; rewrite mxrank_tr leq_subRL ?rank_leq_col // addnC. Qed.

Section Kernel.
Variables (F : numFieldType) (D : layer_data).
Local Notation T := (examples D).
Local Notation H := (heads D).
Local Notation n := (context_length D).
Local Notation d := (embed_dim D).
Local Notation q := (toF F (Zpos (context_den D))).
Hypothesis okD : integer_logits D.

Local Notation pow2 t h i := (2%:R ^ int_of_Z (nth 0%coqZ (int_logits D t h) i) : F).

(* numerators and denominator of the block, up to the factor 2 ^ m              *)
Lemma exact_block_scale (t : 'I_T) (h : 'I_H) : exists2 c : F, c != 0 &
  (forall j : 'I_d, \sum_(i < n) pow2 t h i * toF F (ent (nth [::] (contexts D) t) i j) =
    c * toF F (nth 0%coqZ (exact_block D t h).1 j)) /\
  \sum_(i < n) pow2 t h i = c * toF F (exact_block D t h).2.
Proof.
rewrite /exact_block /=; set l := int_logits D t h; set m := foldr _ _ _.
set w := [seq _ | _ <- l]; have sl : size l = n by apply: size_int_logits.
have sw : size w = n by rewrite size_map.
pose c : F := 2%:R ^ int_of_Z m; have c0 : c != 0 by rewrite expfz_neq0 ?pnatr_eq0.
have wE (i : 'I_n) : 2%:R ^ int_of_Z (nth 0%coqZ l i) = c * toF F (nth 0%coqZ w i).
  rewrite [in RHS](nth_map 0%coqZ) ?sl //; apply: toF_pow2; apply: foldr_min_leq.
  by rewrite mem_nth ?sl.
exists c => //; split=> [j|]; rewrite ?(nth_map 0%N) ?size_iota // ?nth_iota ?add0n //.
  rewrite (@dotE n) ?sw // rmorph_sum mulr_sumr; apply: eq_bigr => i _.
  by rewrite wE nth_col rmorphM mulrA.
rewrite (@dotE n) ?sw // rmorph_sum mulr_sumr; apply: eq_bigr => i _.
by rewrite wE nth_nseq ltn_ord rmorphM rmorph1 mulr1.
Qed.

Lemma exact_block_proper (t : 'I_T) (h : 'I_H) : toF F (exact_block D t h).2 != 0.
Proof.
have [c c0 [_ SE]] := exact_block_scale t h.
have /lt0r_neq0 := sum_pow2_gt0 okD F t h; rewrite SE.
by apply: contra_neq => ->; rewrite mulr0.
Qed.

Lemma exact_blockE (t : 'I_T) (h : 'I_H) (j : 'I_d) :
  (q *: layer_Z F D) t (mxvec_index h j) =
    toF F (nth 0%coqZ (exact_block D t h).1 j) / toF F (exact_block D t h).2.
Proof.
have [c c0 [NE SE]] := exact_block_scale t h.
by rewrite scaled_ZE // NE SE -mulf_div divff // mul1r.
Qed.

Lemma size_exact_block t h : size (exact_block D t h).1 = d.
Proof. by rewrite size_map size_iota. Qed.

Lemma nth_exact_blocks (t : 'I_T) (h : 'I_H) :
  nth ([::], 1%coqZ) (nth [::] (exact_blocks D) t) h = exact_block D t h.
Proof. by rewrite (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota // !nth_iota. Qed.

Theorem replay_rank_leq_right_kernel X p cols inverse : right_kernel_ok D X p cols inverse ->
  (\rank (layer_Z F D) <= H * d - size X)%N.
Proof.
case/andP => /and3P[cH scols inv] /allP XZ; rewrite -(rank_scaled F D).
pose x (k : 'I_(size X)) : 'M[F]_(H, d) := \matrix_(h, j) toF F (ent X k (h * d + j)%N).
apply: leq_trans (kernel_rank (X := \matrix_k mxvec (x k)) _) _; last first.
  apply: leq_sub2l; apply: independent_rows scols _ inv => j /(all_nthP 0%N cH).
  set c := nth _ _ _ => cd; have d0 : (0 < d)%N by move: cd; case: (d) => //; rewrite muln0.
  have h_lt : (c %/ d < H)%N by rewrite ltn_divLR.
  exists (mxvec_index (Ordinal h_lt) (Ordinal (ltn_pmod c d0))) => i.
  by rewrite mxE mxvecE mxE /= -divn_eq.
apply/matrixP => t k; rewrite mxE [RHS]mxE.
pose f (h : 'I_H) (j : 'I_d) :=
  (q *: layer_Z F D) t (mxvec_index h j) * (\matrix_k mxvec (x k))^T (mxvec_index h j) k.
rewrite (reindex _ (curry_mxvec_bij _ _)) (eq_bigr (fun hj => f hj.1 hj.2)); last by case.
rewrite -(pair_bigA _ f) /=.
have /allP/(_ (nth [::] (exact_blocks D) t)) := XZ _ (mem_nth [::] (ltn_ord k)).
rewrite mem_nth ?size_map ?size_iota // => /(_ isT) s0.
rewrite -[RHS](sum_frac0 _ s0) => [|h] /=; last first.
  by rewrite /proper nth_exact_blocks; apply: exact_block_proper.
apply: eq_bigr => h _; rewrite /frac nth_exact_blocks /=.
rewrite (@dotE d) ?size_exact_block // rmorph_sum mulr_suml; apply: eq_bigr => j _.
rewrite /f exact_blockE !mxE mxvecE mxE nth_drop -/(ent X k (h * d + j)) rmorphM.
by rewrite mulrAC.
Qed.

Theorem replay_rank_leq_left_kernel Y p cols inverse : left_kernel_ok D Y p cols inverse ->
  (\rank (layer_Z F D) <= T - size Y)%N.
Proof.
case/andP => /and3P[cT scols inv] /allP YZ; rewrite -(rank_scaled F D) -mxrank_tr.
apply: leq_trans (kernel_rank (X := \matrix_(k < size Y, t < T) toF F (ent Y k t)) _) _; last first.
  apply: leq_sub2l; apply: independent_rows scols _ inv => j /(all_nthP 0%N cT) jT.
  by exists (Ordinal jT) => i; rewrite mxE.
apply/matrixP => c k; rewrite mxE [RHS]mxE; case/mxvec_indexP: c => h j.
have /allP/(_ (h : nat)) := YZ _ (mem_nth [::] (ltn_ord k)).
rewrite mem_iota ltn_ord => /(_ isT)/allP/(_ (j : nat)); rewrite mem_iota ltn_ord => /(_ isT) s0.
rewrite -[RHS](sum_frac0 _ s0) => [|t] /=; last first.
  by rewrite /proper nth_exact_blocks; apply: exact_block_proper.
apply: eq_bigr => t _; rewrite /frac nth_exact_blocks /= [_^T _ _]mxE exact_blockE !mxE.
by rewrite -/(ent Y k t) rmorphM /= mulrC mulrA.
Qed.

End Kernel.
