(* Replay of exported cases: a checker by computation (binary integers, to be run with     *)
(* vm_compute) and its soundness.                                                          *)
(* A case is a layer with integer data, integer W_h and softmax in base 2 (so Z is a        *)
(* rational matrix): case_Z.  case_Z_real says that it is the Z of the real layer with       *)
(* weights ln 2 W_h.                                                                       *)
(*  check_lower: a minor of Z, cleared of denominators, has an inverse modulo m > 1 (m need  *)
(*    not be prime); then rank(Z) >= r.                                                     *)
(*  check_upper: functionals (v, c) with E_t v = c 1 for all t, independent because a minor  *)
(*    of them has an inverse modulo m; then rank(Z) <= H (d - k) + [c <> 0].                 *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ssrZ.
From mathcomp Require Import mathcomp_extra boolp reals signed topology normedtype sequences exp.
From Attest Require Import attention common affine_hull certificates character_evaluation.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.
(* literals of binary integers in exported cases: 5%BZ                          *)
Delimit Scope Z_scope with BZ.

(* -------------------------------------------------------------------------- *)
(* Computation with lists of binary integers                                   *)
(* -------------------------------------------------------------------------- *)
Fixpoint dot (u v : seq Z) : Z :=
  match u, v with
  | a :: u', b :: v' => Z.add (Z.mul a b) (dot u' v')
  | _, _ => Z0
  end.
Definition vget (v : seq Z) i : Z := nth Z0 v i.
Definition mget (M : seq (seq Z)) i : seq Z := nth [::] M i.
Definition tget (M : seq (seq (seq Z))) i : seq (seq Z) := nth [::] M i.
Definition mulmv (M : seq (seq Z)) (v : seq Z) : seq Z := [seq dot r v | r <- M].
Definition column (M : seq (seq Z)) j : seq Z := [seq vget r j | r <- M].
Definition zsum (v : seq Z) : Z := foldr Z.add Z0 v.
Definition zprod (v : seq Z) : Z := foldr Z.mul (Zpos xH) v.

Definition shape2 (m n : nat) (M : seq (seq Z)) : bool :=
  (size M == m) && all (fun r => size r == n) M.
Definition shape3 (k m n : nat) (M : seq (seq (seq Z))) : bool :=
  (size M == k) && all (shape2 m n) M.

(* M X = 1 modulo m, where XT lists the columns of X                            *)
Definition check_inverse (r : nat) (m : Z) (M XT : seq (seq Z)) : bool :=
  [&& Z.ltb (Zpos xH) m, shape2 r r M, shape2 r r XT &
    all (fun a => let row := mget M a in
      all (fun b => Z.eqb (Z.modulo (dot row (mget XT b)) m) (if a == b then Zpos xH else Z0))
        (iota 0 r)) (iota 0 r)].

Definition zmx m n (M : seq (seq Z)) : 'M[Z]_(m, n) := \matrix_(i, j) vget (mget M i) j.
Definition zcol n (v : seq Z) : 'cV[Z]_n := \col_i vget v i.

Lemma dotE (k : nat) u v : size u = k -> size v = k ->
  dot u v = \sum_(i < k) vget u i * vget v i.
Proof.
elim: k u v => [|k IHk] [|a u] [|b v] //= => [_ _|[su] [sv]]; first by rewrite big_ord0.
by rewrite big_ord_recl /= (IHk _ _ su sv).
Qed.

Lemma shape2P (m n i : nat) M : shape2 m n M -> (i < m)%N -> size (mget M i) = n.
Proof.
by case/andP => /eqP sM /all_nthP MP im; apply/eqP/(MP [::]); rewrite sM.
Qed.

Lemma shape3P (k m n i : nat) M : shape3 k m n M -> (i < k)%N -> shape2 m n (tget M i).
Proof.
by case/andP => /eqP sM /all_nthP MP im; apply: (MP [::]); rewrite sM.
Qed.

Lemma mulmvE (m n i : nat) M v : shape2 m n M -> size v = n -> (i < m)%N ->
  vget (mulmv M v) i = \sum_(j < n) vget (mget M i) j * vget v j.
Proof.
move=> sM sv im; rewrite /vget (nth_map [::]); last by case/andP: sM => /eqP ->.
by rewrite (@dotE n) // (shape2P sM).
Qed.

Lemma mulmv_mx (m n : nat) M v : shape2 m n M -> size v = n ->
  zcol m (mulmv M v) = zmx m n M *m zcol n v.
Proof.
move=> sM sv; apply/colP => i; rewrite !mxE (mulmvE sM) //.
by apply: eq_bigr => j _; rewrite !mxE.
Qed.

Lemma size_mulmv (m n : nat) M v : shape2 m n M -> size (mulmv M v) = m.
Proof. by case/andP => /eqP sM _; rewrite size_map. Qed.

(* an inverse modulo m > 1 makes the determinant non-zero                         *)
Lemma check_inverseP r m M XT : check_inverse r m M XT ->
  forall A : 'M[Z]_r, (forall i j, Z.modulo (A i j) m = Z.modulo (vget (mget M i) j) m) ->
  \det A != 0.
Proof.
case/and4P => /Z.ltb_lt m1 sM sX /allP inv A AM.
pose p := Z.to_nat m; have mE : m = Z.of_nat p by rewrite Z2Nat.id; lia.
have p1 : (1 < p)%N by lia.
pose f : {rmorphism Z -> 'Z_p} := [rmorphism of intr \o int_of_Z].
have f_mod (x y : Z) : Z.modulo x m = Z.modulo y m -> f x = f y.
  move=> xy; have [q xE] : exists q, x = Z.add y (Z.mul q m).
    exists (Z.sub (Z.div x m) (Z.div y m)).
    have := Z.div_mod x m; have := Z.div_mod y m; rewrite xy; lia.
  have fm : f m = 0.
    rewrite /= mE; have -> : int_of_Z (Z.of_nat p) = p%:Z by lia.
    by rewrite -pmulrn char_Zp.
  have -> : f x = f y + f q * f m by rewrite -rmorphM -rmorphD xE.
  by rewrite fm mulr0 addr0.
pose X : 'M[Z]_r := (zmx r r XT)^T.
have AX : map_mx f A *m map_mx f X = 1%:M.
  rewrite -map_mxM; apply/matrixP => i j; rewrite [LHS]mxE [RHS]mxE.
  have /inv/allP/(_ (nat_of_ord j)) : (i : nat) \in iota 0 r by rewrite mem_iota ltn_ord.
  rewrite mem_iota ltn_ord => /(_ isT)/Z.eqb_spec dm.
  transitivity (f (dot (mget M i) (mget XT j))).
    rewrite mxE rmorph_sum (@dotE r) ?(shape2P sM) ?(shape2P sX) // rmorph_sum.
    apply: eq_bigr => k _; rewrite !rmorphM; congr (_ * _); first exact: f_mod.
    by rewrite !mxE.
  transitivity (f (if (i : nat) == j then Zpos xH else Z0)).
    by apply: f_mod; rewrite dm; case: ifP => _; rewrite Z.mod_small; lia.
  by rewrite -val_eqE; case: ifP => _; rewrite ?rmorph1 ?rmorph0.
apply/eqP => dA; have := congr1 determinant AX.
rewrite det_mulmx det_map_mx dA rmorph0 mul0r det1 => /esym/eqP.
by rewrite oner_eq0.
Qed.

Lemma int_of_Z_inj : injective (intr \o int_of_Z : Z -> rat).
Proof. by move=> x y /intr_inj; apply: (can_inj int_of_ZK). Qed.

(* -------------------------------------------------------------------------- *)
(* Cases                                                                        *)
(* -------------------------------------------------------------------------- *)
Record layer_case := LayerCase {
  lc_T : nat; lc_H : nat; lc_n : nat; lc_d : nat;
  lc_E : seq (seq (seq Z));   (* T contexts, n rows of d entries               *)
  lc_W : seq (seq (seq Z));   (* H matrices W_h, d rows of d entries           *)
  lc_e : seq (seq Z)          (* T queries of d entries                        *)
}.

Definition well_formed (c : layer_case) : bool :=
  [&& shape3 (lc_T c) (lc_n c) (lc_d c) (lc_E c), shape3 (lc_H c) (lc_d c) (lc_d c) (lc_W c)
    & shape2 (lc_T c) (lc_d c) (lc_e c)].

(* the rational data and Z of a case                                             *)
Section Case.
Variable c : layer_case.
Let T := lc_T c.
Let H := lc_H c.
Let n := lc_n c.
Let d := lc_d c.

Definition EZ (t : 'I_T) : 'M[Z]_(n, d) := zmx n d (tget (lc_E c) t).
Definition WZ (h : 'I_H) : 'M[Z]_d := zmx d d (tget (lc_W c) h).
Definition eZ (t : 'I_T) : 'cV[Z]_d := zcol d (mget (lc_e c) t).
Definition case_E t : 'M[int]_(n, d) := map_mx int_of_Z (EZ t).
Definition case_W h : 'M[int]_d := map_mx int_of_Z (WZ h).
Definition case_e t : 'cV[int]_d := map_mx int_of_Z (eZ t).
Definition case_logit (t : 'I_T) (h : 'I_H) (i : 'I_n) : int :=
  (case_E t *m case_W h *m case_e t) i 0.
Definition case_Z : 'M[rat]_(T, H * d) :=
  Z_base 2%:R case_logit (fun t => map_mx intr (case_E t)).

(* ---- the checker ---- *)
Definition logits t h : seq Z :=
  mulmv (tget (lc_E c) t) (mulmv (tget (lc_W c) h) (mget (lc_e c) t)).
Definition powers (s : Z) t h : seq Z := [seq Z.pow 2 (Z.add x s) | x <- logits t h].
Definition others (v : seq Z) : seq Z :=
  [seq zprod [seq (if h' == h then Zpos xH else vget v h') | h' <- iota 0 H] | h <- iota 0 H].
Definition minor_row (s m : Z) (cols : seq (nat * nat)) t : seq Z :=
  let Et := tget (lc_E c) t in
  let pw := [seq powers s t h | h <- iota 0 H] in
  let rest := others [seq zsum v | v <- pw] in
  [seq Z.modulo (Z.mul (dot (mget pw hj.1) (column Et hj.2)) (vget rest hj.1)) m | hj <- cols].
Definition check_lower (s m : Z) (rows : seq nat) (cols : seq (nat * nat))
    (XT : seq (seq Z)) : bool :=
  [&& well_formed c, (0 < n)%N, Z.leb Z0 s,
      all (fun t => all (fun h => all (fun x => Z.leb Z0 (Z.add x s)) (logits t h))
        (iota 0 H)) (iota 0 T),
      all (fun t => t < T)%N rows, all (fun hj => (hj.1 < H) && (hj.2 < d))%N cols,
      size cols == size rows &
      check_inverse (size rows) m [seq minor_row s m cols t | t <- rows] XT].

Definition check_upper (m : Z) (VT : seq (seq Z)) (cv : seq Z) (sel : seq nat)
    (XT : seq (seq Z)) : bool :=
  [&& well_formed c, (0 < n)%N, shape2 (size cv) d VT, size sel == size cv,
      all (fun j => j < d)%N sel,
      all (all (fun x => all2 (fun v w => Z.eqb (dot x v) w) VT cv)) (lc_E c) &
      check_inverse (size cv) m [seq column VT j | j <- sel] XT].

(* ---- soundness ---- *)
Lemma zsumE k v : size v = k -> zsum v = \sum_(i < k) vget v i.
Proof.
elim: k v => [|k IHk] [|a v] //= => [_|[sv]]; first by rewrite big_ord0.
by rewrite big_ord_recl /= -(IHk _ sv).
Qed.

Lemma zprodE k v : size v = k -> zprod v = \prod_(i < k) vget v i.
Proof.
elim: k v => [|k IHk] [|a v] //= => [_|[sv]]; first by rewrite big_ord0.
by rewrite big_ord_recl /= -(IHk _ sv).
Qed.

Lemma pow2E k : Z.pow 2 (Z.of_nat k) = 2%:R ^+ k :> Z.
Proof.
elim: k => [|k IHk]; first by rewrite expr0.
by rewrite exprS -IHk Nat2Z.inj_succ Z.pow_succ_r //; lia.
Qed.

Hypothesis wf : well_formed c.
Hypothesis n_gt0 : (0 < n)%N.

Let f : {rmorphism Z -> rat} := [rmorphism of intr \o int_of_Z].

Lemma wfE t : (t < T)%N -> shape2 n d (tget (lc_E c) t).
Proof. by move=> tT; case/and3P: wf => sE _ _; apply: shape3P sE _. Qed.

Lemma logitsE (t : 'I_T) (h : 'I_H) :
  size (logits t h) = n /\ forall i : 'I_n, int_of_Z (vget (logits t h) i) = case_logit t h i.
Proof.
case/and3P: wf => sE sW se.
have sEt := wfE (ltn_ord t); have sWh := shape3P sW (ltn_ord h).
have set := shape2P se (ltn_ord t).
split=> [|i]; first exact: size_mulmv sEt.
transitivity (int_of_Z ((zcol n (logits t h)) i 0)); first by rewrite mxE.
rewrite /logits (mulmv_mx sEt) ?(size_mulmv _ sWh) // (mulmv_mx sWh) //.
rewrite /case_logit /case_E /case_W /case_e -!map_mxM [RHS]mxE mulmxA.
by congr int_of_Z.
Qed.

Lemma case_den t h : \sum_j (f 2%:R) ^ case_logit t h j != 0.
Proof.
rewrite rmorph_nat gt_eqF // (bigD1 (Ordinal n_gt0)) //= ltr_paddr ?exprz_gt0 //.
by apply: sumr_ge0 => i _; apply/exprz_ge0.
Qed.

Lemma f2 : f 2%:R != 0. Proof. by rewrite rmorph_nat. Qed.

Section Lower.
Variable s : Z.
Hypothesis s_ge0 : Z.leb Z0 s.
Hypothesis logits_ge : all (fun t => all (fun h =>
  all (fun x => Z.leb Z0 (Z.add x s)) (logits t h)) (iota 0 H)) (iota 0 T).
Let shift : nat := Z.to_nat s.
Let L := lnat case_logit shift.

Lemma shifted (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  Z.leb Z0 (Z.add (vget (logits t h) i) s).
Proof.
have /allP/(_ (t : nat)) := logits_ge; rewrite mem_iota ltn_ord => /(_ isT).
move/allP/(_ (h : nat)); rewrite mem_iota ltn_ord => /(_ isT)/allP; apply.
by rewrite mem_nth // (logitsE t h).1.
Qed.

Lemma shift_ge t h i : 0 <= case_logit t h i + shift%:Z.
Proof.
rewrite -(logitsE t h).2; have := shifted t h i; move: (vget _ _) => x.
by rewrite /shift; lia.
Qed.

Lemma powersE (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  vget (powers s t h) i = 2%:R ^+ L t h i.
Proof.
have [sl lE] := logitsE t h.
rewrite /vget (nth_map Z0) ?sl // -pow2E; congr (Z.pow _ _).
have := shifted t h i; rewrite /L /lnat -lE /shift -/(vget _ _).
by move: (vget _ _) => x; lia.
Qed.

Lemma size_powers (t : 'I_T) (h : 'I_H) : size (powers s t h) = n.
Proof. by rewrite size_map (logitsE t h).1. Qed.

Lemma denZ (t : 'I_T) (h : 'I_H) :
  zsum (powers s t h) = den 2%:R case_logit shift t h.
Proof.
by rewrite (zsumE (size_powers t h)); apply: eq_bigr => i _; rewrite powersE.
Qed.

Lemma othersE (v : seq Z) (h : 'I_H) : 
  vget (others v) h = \prod_(h' < H | h' != h) vget v h'.
Proof.
rewrite /others /vget (nth_map 0%N) ?size_iota // nth_iota // add0n.
rewrite (@zprodE H) ?size_map ?size_iota // [RHS]big_mkcond /=.
apply: eq_bigr => h' _; rewrite /vget (nth_map 0%N) ?size_iota // nth_iota // add0n.
by rewrite -val_eqE /=; case: eqP.
Qed.

Lemma minor_rowE (m : Z) cols (t : 'I_T) b (h : 'I_H) (j : 'I_d) :
    (b < size cols)%N -> nth (0, 0)%N cols b = (h : nat, j : nat) ->
  vget (minor_row s m cols t) b
    = Z.modulo (cleared 2%:R case_logit EZ shift t (mxvec_index h j)) m.
Proof.
move=> bc cb; rewrite /minor_row /vget (nth_map (0, 0)%N) // cb /=; congr (Z.modulo _ m).
rewrite [RHS]mxE mxvecE [RHS]mxE; congr (_ * _).
  rewrite /mget (nth_map 0%N) ?size_iota // nth_iota // add0n.
  rewrite (@dotE n) ?size_powers //; last first.
    by rewrite size_map; case/andP: (wfE (ltn_ord t)) => /eqP.
  apply: eq_bigr => i _; rewrite powersE; congr (_ * _).
  rewrite mxE /column /vget (nth_map [::]) //.
  by case/andP: (wfE (ltn_ord t)) => /eqP ->.
rewrite -/(vget _ _) othersE; apply: eq_bigr => h' _.
rewrite /vget -map_comp (nth_map 0%N) ?size_iota // nth_iota // add0n /=.
exact: denZ.
Qed.

End Lower.

End Case.

Theorem check_lowerP (c : layer_case) s m rows cols XT :
  check_lower c s m rows cols XT -> (size rows <= \rank (case_Z c))%N.
Proof.
case/and5P => wf n0 s0 ls /and4P[/all_nthP rT /all_nthP cT /eqP sc inv].
pose r := size rows.
have rP (a : 'I_r) : (nth 0%N rows a < lc_T c)%N by apply: rT.
have cP (a : 'I_r) : let hj := nth (0, 0)%N cols a in (hj.1 < lc_H c)%N && (hj.2 < lc_d c)%N.
  by apply: cT; rewrite sc.
have c1 a := proj1 (andP (cP a)); have c2 a := proj2 (andP (cP a)).
pose rf a := Ordinal (rP a).
pose cg a := mxvec_index (Ordinal (c1 a)) (Ordinal (c2 a)).
pose f : {rmorphism Z -> rat} := [rmorphism of intr \o int_of_Z].
have sg := shift_ge wf n0 ls.
have := rank_cleared (@EZ c) sg f2 (case_den n0).
have -> : Z_base (f 2%:R) (@case_logit c) (fun t => map_mx f (EZ t)) = case_Z c.
  rewrite /case_Z rmorph_nat; congr attn_out; apply/funext => t.
  by apply/matrixP => i j; rewrite !mxE.
move=> <-; apply: (minor_leq_rank (f := rf) (g := cg)).
rewrite -map_mxsub det_map_mx.
have : \det (mxsub rf cg (cleared 2%:R (@case_logit c) (@EZ c) (Z.to_nat s))) != 0.
  apply: (check_inverseP inv) => a b; rewrite mxE.
  have m0 : m <> Z0 by case/and4P: inv => /Z.ltb_lt m1 _ _ _; lia.
  rewrite [in RHS]/mget (nth_map 0%N) // (minor_rowE wf n0 s0 ls m (rf a)
    (h := Ordinal (c1 b)) (j := Ordinal (c2 b))) ?sc //; last exact: surjective_pairing.
  by rewrite Z.mod_mod.
by apply: contra_neq => d0; apply: int_of_Z_inj; rewrite rmorph0.
Qed.

(* ---- upper bounds ---- *)
Theorem check_upperP (c : layer_case) m VT cv sel XT :
  check_upper c m VT cv sel XT ->
  (\rank (case_Z c) <= lc_H c * (lc_d c - size cv) + ~~ all (Z.eqb Z0) cv)%N.
Proof.
case/and5P => wf n0 sV /eqP ssel /and3P[/all_nthP selP vals inv].
pose k := size cv; pose f : {rmorphism Z -> rat} := [rmorphism of intr \o int_of_Z].
pose V : 'M[Z]_(lc_d c, k) := (zmx k (lc_d c) VT)^T.
pose w : 'rV[Z]_k := (zcol k cv)^T.
have valE (t : 'I_(lc_T c)) : EZ t *m V = const_mx 1 *m w.
  have sEt := wfE wf (ltn_ord t).
  apply/matrixP => i b; rewrite !mxE big_ord1 !mxE mul1r.
  have tE : tget (lc_E c) t \in lc_E c.
    by rewrite mem_nth //; case/and3P: wf => /andP[/eqP -> _].
  have iE : mget (tget (lc_E c) t) i \in tget (lc_E c) t.
    by rewrite mem_nth //; case/andP: sEt => /eqP ->.
  have := allP (allP vals _ tE) _ iE; rewrite all2E => /andP[_ /all_nthP].
  move=> /(_ ([::], Z0) b); rewrite size_zip nth_zip; last by case/andP: sV => /eqP.
  case/andP: (sV) => /eqP sVk _; rewrite sVk minnn ltn_ord => /(_ isT) /= /Z.eqb_spec vE.
  rewrite -[RHS]/(nth Z0 cv b) -vE.
  rewrite (@dotE (lc_d c)) ?(shape2P sEt) ?(shape2P sV) //.
  by apply: eq_bigr => j _; rewrite !mxE.
have selk (a : 'I_k) : (nth 0%N sel a < lc_d c)%N by apply: selP; rewrite ssel.
have rV : \rank (map_mx f V) = k.
  apply/eqP; rewrite eqn_leq rank_leq_col /=.
  apply: (minor_leq_rank (f := fun a => Ordinal (selk a)) (g := id)).
  rewrite -map_mxsub det_map_mx.
  have : \det (mxsub (fun a => Ordinal (selk a)) id V) != 0.
    apply: (check_inverseP inv) => a b; congr (Z.modulo _ m).
    rewrite !mxE [in RHS]/mget (nth_map 0%N) ?ssel // /column /vget (nth_map [::]) //.
    by case/andP: sV => /eqP ->.
  by apply: contra_neq => d0; apply: int_of_Z_inj; rewrite rmorph0.
rewrite -[X in (_ - X)%N]rV.
have -> : ~~ all (Z.eqb Z0) cv = (map_mx f w != 0).
  congr (~~ _); apply/idP/eqP => [/all_nthP c0|w0].
    apply/rowP => b; rewrite !mxE -[RHS](rmorph0 f); congr (f _).
    by have /Z.eqb_spec := c0 Z0 b (ltn_ord b).
  apply/(all_nthP Z0) => b bk; apply/Z.eqb_spec/int_of_Z_inj.
  by have /rowP/(_ (Ordinal bk)) := w0; rewrite !mxE /vget /= => ->.
apply: functional_kernel_rank => [t h|t i].
  under eq_bigr do rewrite mxE.
  rewrite -mulr_suml divff //.
  by have := case_den n0 t h; rewrite rmorph_nat.
rewrite -row_mul (_ : map_mx intr (case_E t) = map_mx f (EZ t)); last first.
  by apply/matrixP => a b; rewrite !mxE.
rewrite -map_mxM valE map_mxM row_mul (_ : row i _ = 1%:M) ?mul1mx //.
by apply/rowP => a; rewrite !ord1 !mxE /= rmorph1.
Qed.

(* ---- the case is about the real layer ---- *)
Theorem case_Z_real (R : realType) (c : layer_case) : (0 < lc_n c)%N ->
  \rank (Zmx (fun t => map_mx intr (@case_E c t) : 'M[R]_(_, _))
             (fun t => map_mx intr (@case_e c t))
             (fun h => ln 2%:R *: map_mx intr (@case_W c h)))
  = \rank (case_Z c).
Proof.
move=> n0; set ER := fun t => _; set eR := fun t => _; set WR := fun h => _.
have lE t h i : (1 *: map_mx intr (@case_E c t) *m WR h *m eR t) i 0
    = ln 2%:R * (case_logit t h i)%:~R :> R.
  rewrite scale1r /WR -scalemxAr -scalemxAl mxE; congr (_ * _).
  by rewrite /eR /case_logit -!map_mxM [LHS]mxE.
have -> : ER = (fun t => 1 *: map_mx intr (@case_E c t)).
  by apply/funext => t; rewrite scale1r.
rewrite (Zmx_base lE) Z_base_scale ?oner_neq0 // lnK ?posrE ?ltr0n //.
have [s ls] := large_shift (@case_logit c).
pose psi (K : numFieldType) : {rmorphism Z -> K} := [rmorphism of intr \o int_of_Z].
have psi2 (K : numFieldType) : psi K 2%:R != 0 by rewrite rmorph_nat pnatr_eq0.
have den2 (K : realFieldType) t h : \sum_j psi K 2%:R ^ @case_logit c t h j != 0.
  rewrite rmorph_nat gt_eqF // (bigD1 (Ordinal n0)) //= ltr_paddr ?exprz_gt0 ?ltr0n //.
  by apply: sumr_ge0 => i _; apply/exprz_ge0.
have := rank_cleared (@EZ c) ls (psi2 [numFieldType of R]) (den2 [realFieldType of R]).
have := rank_cleared (@EZ c) ls (psi2 [numFieldType of rat]) (den2 [realFieldType of rat]).
rewrite !rmorph_nat => rQ rR.
transitivity (\rank (map_mx (psi [numFieldType of R]) (cleared 2%:R (@case_logit c) (@EZ c) s))).
  rewrite rR; congr (\rank (attn_out _ _)); apply/funext => t.
  by apply/matrixP => i j; rewrite !mxE.
transitivity (\rank (map_mx (psi [numFieldType of rat]) (cleared 2%:R (@case_logit c) (@EZ c) s))).
  rewrite -[RHS](mxrank_map [rmorphism of @ratr [numFieldType of R]]) -map_mx_comp.
  by congr mxrank; apply/matrixP => i j; rewrite !mxE /= ratr_int.
rewrite rQ; congr (\rank (attn_out _ _)); apply/funext => t.
by apply/matrixP => i j; rewrite !mxE.
Qed.
