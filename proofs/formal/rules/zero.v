(* The proved checker, vectors that annihilate Z, by sums of powers.                                            *)
(*                                                                                                              *)
(*                        value ev P == sum_i c_i ev x_i                                                        *)
(*                add_sums, mul_sums == sum and product; weighted l w == sum_i w_i b^(l_i)                      *)
(*                 sum_fractions w s == vectors of w numerators over one denominator, the sum of s              *)
(*                         is_zero P == all coefficients are 0                                                  *)
(*   left_zero_Z_ok, right_zero_Z_ok == vectors y, x with y Z = 0, Z x = 0, whose entries are sums of powers of *)
(*                                      b; they bound rank(Z) from above                                        *)
(*                  zero_capacity_ok == rational vectors y with y Z = 0 for all weights                         *)
From Attest Require Import integers attention upper_bounds problem literal_arithmetic logits residues.
From Attest Require Import elimination minors quantity_bounds rational_matrices.

Local Notation Z := BinNums.Z.

(* =================================================================================================== *)
(* Sums of powers                                                                                      *)
(* =================================================================================================== *)
(* sum_i c_i b^(x_i) as lists of pairs (x_i, c_i), and exact sums of fractions of them.  X is the type *)
(* of the exponents; collect brings a list into an order in which equal powers meet, and may use       *)
(* relations of the powers.                                                                            *)

Section Sums.
Variables (X : Type) (plus : X -> X -> X) (equal less : X -> X -> bool) (zero : X).
Variable collect : seq (X * Z) -> seq (X * Z).
Local Notation sums := (seq (X * Z)).

(* a merge of ordered lists                                                      *)
Fixpoint add_sums (P : sums) : sums -> sums :=
  match P with
  | [::] => fun Q => Q
  | s :: P' =>
    fix merge (Q : sums) : sums :=
      match Q with
      | [::] => s :: P'
      | t :: Q' =>
        if less s.1 t.1 then s :: add_sums P' Q
        else if equal s.1 t.1 then
          let c := (s.2 + t.2)%coqZ in
          if (c =? 0)%coqZ then add_sums P' Q' else (s.1, c) :: add_sums P' Q'
        else t :: merge Q'
      end
  end.

Definition times_term (s : X * Z) (Q : sums) : sums := [seq (plus s.1 t.1, s.2 * t.2)%coqZ | t <- Q].

(* the shorter factor first                                                      *)
Definition mul_sums (P Q : sums) : sums :=
  foldr (fun s r => add_sums (collect (times_term s Q)) r) [::] P.

Definition weighted (l : seq X) (w : seq Z) : sums :=
  foldr (fun s r => if (s.2 =? 0)%coqZ then r else add_sums (collect [:: s]) r) [::] (zip l w).

Definition vanishes (P : sums) : bool := all (fun s => s.2 =? 0)%coqZ P.

(* fractions with several numerators and one denominator                         *)
Definition fraction_vector := (seq sums * sums)%type.

Definition add_fractions (x y : fraction_vector) : fraction_vector :=
  ([seq add_sums (mul_sums y.2 u.1) (mul_sums u.2 x.2) | u <- zip x.1 y.1], mul_sums y.2 x.2).

Definition sum_fractions (w : nat) (s : seq fraction_vector) : fraction_vector :=
  foldl add_fractions (nseq w [::], [:: (zero, 1%coqZ)]) s.

Section Value.
Variables (F : numFieldType) (ev : X -> F).
Hypothesis evD : forall x y, ev (plus x y) = ev x * ev y.
Hypothesis ev_equal : forall x y, equal x y -> ev x = ev y.
Hypothesis ev0 : ev zero = 1.

Definition sum_value (P : sums) : F := \sum_(s <- P) toF F s.2 * ev s.1.

Hypothesis collectE : forall P, sum_value (collect P) = sum_value P.

Lemma value_nil : sum_value [::] = 0. Proof. exact: big_nil. Qed.
Lemma value_cons s P : sum_value (s :: P) = toF F s.2 * ev s.1 + sum_value P. Proof. exact: big_cons. Qed.

Lemma add_sumsE P Q : sum_value (add_sums P Q) = sum_value P + sum_value Q.
Proof.
elim: P Q => [|s P IHP] Q /=; first by rewrite value_nil add0r.
elim: Q => [|t Q IHQ]; first by rewrite value_nil addr0.
case: ifP => _; first by rewrite !value_cons IHP value_cons addrA.
case: ifP => [/ev_equal st|_]; last by rewrite value_cons IHQ [sum_value (t :: Q)]value_cons addrCA.
have E : toF F (s.2 + t.2)%coqZ * ev s.1 = toF F s.2 * ev s.1 + toF F t.2 * ev t.1.
  by rewrite (rmorphD (toF_rmorphism F)) /= mulrDl -st.
case: ifP => [/Z.eqb_eq c0|_].
  rewrite IHP !value_cons addrACA -E; have -> : (s.2 + t.2)%coqZ = 0%coqZ := c0.
  by rewrite rmorph0 mul0r add0r.
by rewrite !value_cons /= IHP E addrACA.
Qed.

Lemma times_termE s Q : sum_value (times_term s Q) = toF F s.2 * ev s.1 * sum_value Q.
Proof.
rewrite /sum_value big_map mulr_sumr; apply: eq_bigr => t _ /=.
by rewrite (rmorphM (toF_rmorphism F)) /= evD mulrACA.
Qed.

Lemma mul_sumsE P Q : sum_value (mul_sums P Q) = sum_value P * sum_value Q.
Proof.
elim: P => [|s P IH] /=; first by rewrite value_nil mul0r.
by rewrite add_sumsE collectE times_termE IH value_cons mulrDl.
Qed.

Lemma weightedE m l w x0 : size l = m -> size w = m ->
  sum_value (weighted l w) = \sum_(i < m) ev (nth x0 l i) * toF F (nth 0%coqZ w i).
Proof.
elim: l w m => [|x l IH] [|c w] [|m] //= => [_ _|[sl] [sw]]; first by rewrite value_nil big_ord0.
rewrite big_ord_recl /= -(IH w m) // mulrC /weighted /= -/(weighted l w).
case: ifP => [/Z.eqb_eq c0|_]; last by rewrite add_sumsE collectE value_cons value_nil addr0.
by have -> : c = 0%coqZ := c0; rewrite rmorph0 mul0r add0r.
Qed.

Lemma is_zeroE P : vanishes P -> sum_value P = 0.
Proof.
elim: P => [|s P IH] /=; first by rewrite value_nil.
by move=> /andP[/Z.eqb_eq c0 /IH P0]; rewrite value_cons P0 c0 rmorph0 mul0r addr0.
Qed.

Definition proper (w : nat) (x : fraction_vector) : Prop := size x.1 = w /\ sum_value x.2 != 0.
Definition fraction (x : fraction_vector) (j : nat) : F := sum_value (nth [::] x.1 j) / sum_value x.2.

Lemma add_fractionsE w x y : proper w x -> proper w y ->
  proper w (add_fractions x y) /\
  forall j, (j < w)%N -> fraction (add_fractions x y) j = fraction x j + fraction y j.
Proof.
move=> [sx x0] [sy y0]; split=> [|j jw].
  by split; rewrite ?size_map ?size_zip ?sx ?sy ?minnn //= mul_sumsE mulf_neq0.
rewrite /fraction /= (nth_map ([::], [::])) ?size_zip ?sx ?sy ?minnn // nth_zip ?sx ?sy //=.
rewrite add_sumsE !mul_sumsE addf_div //; congr (_ / _); last exact: mulrC.
by congr (_ + _); rewrite mulrC.
Qed.

Lemma sum_fractionsE w (I : Type) (r : seq I) (f : I -> fraction_vector) : (forall i, proper w (f i)) ->
  let x := sum_fractions w [seq f i | i <- r] in
  proper w x /\ forall j, (j < w)%N -> fraction x j = \sum_(i <- r) fraction (f i) j.
Proof.
move=> pf /=; rewrite /sum_fractions; set x := (_, _).
have px : proper w x.
  by split; rewrite /= ?size_nseq // value_cons value_nil rmorph1 mul1r addr0 ev0 oner_neq0.
have [pr rE] : let y := foldl add_fractions x [seq f i | i <- r] in
    proper w y /\ forall j, (j < w)%N -> fraction y j = fraction x j + \sum_(i <- r) fraction (f i) j.
  elim: r x px => [|i r IH] x px /=; first by split=> // j _; rewrite big_nil addr0.
  have [pa aE] := add_fractionsE px (pf i); have [py yE] := IH _ pa; split=> // j jw.
  by rewrite yE // aE // big_cons addrA.
split=> // j jw; rewrite rE // /fraction /= nth_nseq jw value_nil mul0r add0r.
by [].
Qed.

(* all numerators are 0                                                          *)
Lemma sum_fractions0 w (I : Type) (r : seq I) (f : I -> fraction_vector) j : (forall i, proper w (f i)) ->
    all vanishes (sum_fractions w [seq f i | i <- r]).1 -> (j < w)%N ->
  \sum_(i <- r) fraction (f i) j = 0.
Proof.
move=> pf /(all_nthP [::]) z0 jw; have [[sx _] xE] := sum_fractionsE r pf.
by rewrite -xE // /fraction is_zeroE ?mul0r //; apply: z0; rewrite sx.
Qed.

End Value.
End Sums.

(* ============================================================================================== *)
(* Vectors that annihilate Z                                                                      *)
(* ============================================================================================== *)
(* Identities between sums of powers of b for Z of one layer, and of variables that stand for the *)
(* weights for the capacity.                                                                      *)

(* -------------------------------------------------------------------------- *)
(* The checks, for exponents of any type                                       *)
(* -------------------------------------------------------------------------- *)
Section Identities.
Variables (X : Type) (plus : X -> X -> X) (equal less : X -> X -> bool) (zero : X).
Variable collect : seq (X * Z) -> seq (X * Z).
Variables (d : nat).
Local Notation sums := (seq (X * Z)).
Local Notation weighted := (weighted equal less collect).
Local Notation mul_sums := (mul_sums plus equal less collect).
Local Notation sum_fractions := (sum_fractions plus equal less zero collect).
Local Notation add_sums := (add_sums equal less).

Definition softmax_denominator (l : seq X) : sums := weighted l (nseq (size l) 1%coqZ).

(* y times a block of a row of Z: l the logits, C the tokens                     *)
Definition block_fractions (y : sums) (l : seq X) (C : seq (seq Z)) : fraction_vector X :=
  ([seq mul_sums y (weighted l (col j C)) | j <- iota 0 d], softmax_denominator l).

(* the same block times the part x of a column                                    *)
Definition block_times (x : seq sums) (l : seq X) (C : seq (seq Z)) : fraction_vector X :=
  ([:: foldr (fun j r => let xj := nth [::] x j in
        if nilp xj then r else add_sums (mul_sums xj (weighted l (col j C))) r) [::] (iota 0 d)], softmax_denominator l).

(* sum_t y_t (row t of a block of columns) = 0                                   *)
Definition left_identity (T : nat) (y : seq sums) (l : nat -> seq X) (C : nat -> seq (seq Z)) : bool :=
  all (@vanishes X) (sum_fractions d [seq block_fractions (nth [::] y t) (l t) (C t)
    | t <- iota 0 T & ~~ nilp (nth [::] y t)]).1.

(* (a row of Z) x = 0                                                            *)
Definition right_identity (H : nat) (x : seq (seq sums)) (l : nat -> seq X) (C : nat -> seq (seq Z)) : bool :=
  all (@vanishes X) (sum_fractions 1 [seq block_times (nth [::] x h) (l h) (C h)
    | h <- iota 0 H & ~~ all (@nilp _) (nth [::] x h)]).1.

Section Values.
Variables (F : numFieldType) (ev : X -> F).
Hypothesis evD : forall x y, ev (plus x y) = ev x * ev y.
Hypothesis ev_equal : forall x y, equal x y -> ev x = ev y.
Hypothesis ev0 : ev zero = 1.
Hypothesis ev_gt0 : forall x, 0 < ev x.
Hypothesis collectE : forall P, sum_value ev (collect P) = sum_value ev P.
Local Notation value := (sum_value ev).
Local Notation wE := (weightedE less ev_equal collectE zero).

Definition entry (n : nat) (l : seq X) (C : seq (seq Z)) (j : nat) : F :=
  (\sum_(i < n) ev (nth zero l i) * toF F (ent C i j)) / \sum_(i < n) ev (nth zero l i).

Lemma sum_ev_neq0 n (n0 : (0 < n)%N) (l : seq X) : \sum_(i < n) ev (nth zero l i) != 0.
Proof.
apply: lt0r_neq0; rewrite (bigD1 (Ordinal n0)) //= ltr_paddr // sumr_ge0 // => i _.
exact: ltW.
Qed.

Lemma denominatorE n l : size l = n -> value (softmax_denominator l) = \sum_(i < n) ev (nth zero l i).
Proof.
move=> sl; rewrite /softmax_denominator (wE sl) ?size_nseq //; apply: eq_bigr => i _.
by rewrite nth_nseq sl ltn_ord rmorph1 mulr1.
Qed.

Lemma numeratorE n l C j : size l = n -> size C = n ->
  value (weighted l (col j C)) = \sum_(i < n) ev (nth zero l i) * toF F (ent C i j).
Proof.
by move=> sl sC; rewrite (wE sl) ?size_map //; apply: eq_bigr => i _; rewrite nth_col.
Qed.

Lemma block_fractionsP n y l C : (0 < n)%N -> size l = n -> size C = n ->
  proper ev d (block_fractions y l C) /\
  forall j, (j < d)%N -> fraction ev (block_fractions y l C) j = value y * entry n l C j.
Proof.
move=> n0 sl sC; split; first by split; rewrite /= ?size_map ?size_iota // (denominatorE sl) sum_ev_neq0.
move=> j jd; rewrite /fraction /= (nth_map 0%N) ?size_iota // nth_iota // (denominatorE sl).
by rewrite (mul_sumsE less evD ev_equal collectE) (numeratorE _ sl sC) mulrA.
Qed.

Lemma block_timesP n x l C : (0 < n)%N -> size l = n -> size C = n ->
  proper ev 1 (block_times x l C) /\
  fraction ev (block_times x l C) 0 = \sum_(j < d) entry n l C j * value (nth [::] x j).
Proof.
move=> n0 sl sC; split; first by split; rewrite //= (denominatorE sl) sum_ev_neq0.
rewrite /fraction /= (denominatorE sl).
under [RHS]eq_bigr do rewrite /entry mulrAC.
rewrite -mulr_suml; congr (_ / _); rewrite -(big_mkord xpredT (fun j =>
  (\sum_(i < n) ev (nth zero l i) * toF F (ent C i j)) * value (nth [::] x j))) /index_iota subn0.
elim: (iota 0 d) => [|j r IH] /=; first by rewrite big_nil value_nil.
rewrite big_cons -IH; case: nilP => [->|_]; first by rewrite value_nil mulr0 add0r.
by rewrite (add_sumsE less ev_equal) (mul_sumsE less evD ev_equal collectE) (numeratorE _ sl sC) mulrC.
Qed.

Lemma filter_ord m (P : pred nat) (A : Type) (f : nat -> A) :
  [seq f i | i <- iota 0 m & P i] = [seq f (i : 'I_m) | i <- enum 'I_m & P (i : 'I_m)].
Proof. by rewrite -val_enum_ord filter_map -map_comp. Qed.

(* rows of n t terms                                                             *)
Lemma left_identity_sized T (n : nat -> nat) y (l : nat -> seq X) (C : nat -> seq (seq Z)) :
    (forall t : 'I_T, [/\ (0 < n t)%N, size (l t) = n t & size (C t) = n t]) ->
    left_identity T y l C -> forall j, (j < d)%N ->
  \sum_(t < T) value (nth [::] y t) * entry (n t) (l t) (C t) j = 0.
Proof.
move=> sz; rewrite /left_identity filter_ord => ok j jd.
pose f (t : 'I_T) := block_fractions (nth [::] y t) (l t) (C t).
have pf t : proper ev d (f t) by have [n0 sl sC] := sz t; have [] := block_fractionsP (nth [::] y t) n0 sl sC.
have := sum_fractions0 evD ev_equal ev0 collectE pf ok jd; rewrite big_filter big_enum_cond /=.
move=> s0; rewrite -[RHS]s0 [RHS]big_mkcond; apply: eq_bigr => t _.
have [n0 sl sC] := sz t; have [_ fE] := block_fractionsP (nth [::] y t) n0 sl sC.
by rewrite fE //; case: nilP => // ->; rewrite value_nil mul0r.
Qed.

Lemma right_identity_sized H (n : nat -> nat) x (l : nat -> seq X) (C : nat -> seq (seq Z)) :
    (forall h : 'I_H, [/\ (0 < n h)%N, size (l h) = n h & size (C h) = n h]) ->
    right_identity H x l C ->
  \sum_(h < H) \sum_(j < d) entry (n h) (l h) (C h) j * value (nth [::] (nth [::] x h) j) = 0.
Proof.
move=> sz; rewrite /right_identity filter_ord => ok.
pose f (h : 'I_H) := block_times (nth [::] x h) (l h) (C h).
have pf h : proper ev 1 (f h) by have [n0 sl sC] := sz h; have [] := block_timesP (nth [::] x h) n0 sl sC.
have := sum_fractions0 evD ev_equal ev0 collectE pf ok (ltn0Sn 0); rewrite big_filter big_enum_cond /=.
move=> s0; rewrite -[RHS]s0 [RHS]big_mkcond; apply: eq_bigr => h _.
have [n0 sl sC] := sz h; have [_ fE] := block_timesP (nth [::] x h) n0 sl sC; rewrite fE.
case: ifP => // /negbFE /(all_nthP [::]) x0; rewrite big1 // => j _.
have [jx|xj] := ltnP j (size (nth [::] x h)); last by rewrite nth_default // value_nil mulr0.
by rewrite (nilP (x0 _ jx)) value_nil mulr0.
Qed.

(* rows of equally many terms                                                    *)
Section Equal.
Variables (n : nat) (n0 : (0 < n)%N).

Lemma left_identityE T y (l : nat -> seq X) (C : nat -> seq (seq Z)) : (forall t : 'I_T, size (l t) = n /\ size (C t) = n) ->
    left_identity T y l C -> forall j, (j < d)%N ->
  \sum_(t < T) value (nth [::] y t) * entry n (l t) (C t) j = 0.
Proof. by move=> sz; apply: (left_identity_sized (n := fun=> n)) => t; have [] := sz t. Qed.

Lemma right_identityE H x (l : nat -> seq X) (C : nat -> seq (seq Z)) : (forall h : 'I_H, size (l h) = n /\ size (C h) = n) ->
    right_identity H x l C ->
  \sum_(h < H) \sum_(j < d) entry n (l h) (C h) j * value (nth [::] (nth [::] x h) j) = 0.
Proof. by move=> sz; apply: (right_identity_sized (n := fun=> n)) => h; have [] := sz h. Qed.

End Equal.

End Values.
End Identities.

(* -------------------------------------------------------------------------- *)
(* Powers of b                                                                 *)
(* -------------------------------------------------------------------------- *)
Fixpoint power_of_two (n : positive) : Z :=
  match n with
  | xH => 2%coqZ
  | xO n' => let x := power_of_two n' in (x * x)%coqZ
  | xI n' => let x := power_of_two n' in (2 * (x * x))%coqZ
  end.

(* b ^ x = 2 ^ (x / N) b ^ (x mod N) where b ^ N = 2; not for powers that are too long *)
Definition reduce_power (N : positive) (s : Z * Z) : Z * Z :=
  match (s.1 / Zpos N)%coqZ with
  | Zpos k => if (Zpos k <? 1000000)%coqZ then (s.1 mod Zpos N, s.2 * power_of_two k)%coqZ else s
  | _ => s
  end.

Definition collect_powers (D : problem) (L : layer) (a : bool) (P : seq (Z * Z)) : seq (Z * Z) :=
  if base_two D && Pos.eqb (root D a) 1 then
    foldr (fun s => add_sums Z.eqb Z.ltb [:: reduce_power (total_den D L a) s]) [::] P
  else P.

(* exponents up to the same for all tokens, so that the least is 0               *)
Definition least_0 (l : seq Z) : seq Z :=
  let m := foldr Z.min (nth 0%coqZ l 0) l in [seq (x - m)%coqZ | x <- l].

Definition left_zero_Z (D : problem) (L : layer) (a : bool) (y : seq (seq (Z * Z))) : bool :=
  all (fun g => left_identity Z.add Z.eqb Z.ltb 0%coqZ (collect_powers D L a) (d D) (T D) y
    (fun t => least_0 (exponents D L a g t)) (fun t => context_at D t)) (prepared D L).

Definition right_zero_Z (D : problem) (L : layer) (a : bool) (x : seq (seq (seq (Z * Z)))) : bool :=
  all (fun t => right_identity Z.add Z.eqb Z.ltb 0%coqZ (collect_powers D L a) (d D) (H D) x
    (fun h => least_0 (exponents D L a (prepare L h) t)) (fun=> context_at D t)) (iota 0 (T D)).

Definition residue_of (p g o : Z) (P : seq (Z * Z)) : Z :=
  foldr (fun s r => ((s.2 * root_power p g o s.1 + r) mod p)%coqZ) 0%coqZ P.

(* independent vectors of w entries; constants need no residue of b              *)
Definition independent_sums (D : problem) (L : layer) (a : bool) (p g o : Z) (w : nat)
    (V : seq (seq (seq (Z * Z)))) : bool :=
  [&& (1 <? p)%coqZ, (0 <? o)%coqZ, all (fun v => size v <= w)%N V,
    order_ok p g o && residue_ok D L a p g || all (all (all (fun s => s.1 =? 0)%coqZ)) V &
    free_mod p w [seq [seq residue_of p g o P | P <- v] | v <- V]].

Definition left_zero_Z_ok D L a p g o (Y : seq (seq (seq (Z * Z)))) : bool :=
  [&& wf_problem D, wf_layer D L, independent_sums D L a p g o (T D) Y & all (left_zero_Z D L a) Y].

(* each vector as H parts of length d                                            *)
Definition right_zero_Z_ok D L a p g o (V : seq (seq (seq (seq (Z * Z))))) : bool :=
  [&& wf_problem D, wf_layer D L, all (fun v => (size v == H D) && all (fun x => size x == d D) v) V,
    independent_sums D L a p g o (H D * d D) [seq flatten v | v <- V] & all (right_zero_Z D L a) V].

(* sum_t y_t (row t of integers) = 0; the rows of the labels                       *)
Definition left_zero_rows (D : problem) (L : layer) (a : bool) (w : nat) (rows : nat -> seq Z) (y : seq (seq (Z * Z))) : bool :=
  all (fun o => vanishes (foldr (fun t r => add_sums Z.eqb Z.ltb
      (mul_sums Z.add Z.eqb Z.ltb (collect_powers D L a) (nth [::] y t) [:: (0%coqZ, nth 0%coqZ (rows t) o)]) r)
    [::] (iota 0 (T D)))) (iota 0 w).
Definition left_zero_labels (D : problem) (L : layer) (a : bool) : seq (seq (Z * Z)) -> bool :=
  left_zero_rows D L a (d_out D) (fun t => nth [::] (labels D) t).

Lemma rank_scaled_parts (F : fieldType) m k l (A : 'M[F]_(m, k)) (B : 'M[F]_(m, l)) x y : x != 0 -> y != 0 ->
  \rank (row_mx (x *: A) (y *: B)) = \rank (row_mx A B).
Proof.
move=> x0 y0; have scale (A' : 'M[F]_(m, k)) (B' : 'M[F]_(m, l)) u v :
    (\rank (row_mx (u *: A') (v *: B')) <= \rank (row_mx A' B'))%N.
  have -> : row_mx (u *: A') (v *: B') = row_mx A' B' *m block_mx u%:M 0 0 v%:M.
    by rewrite mul_row_block !mulmx0 addr0 add0r !mul_mx_scalar.
  exact: mxrankM_maxl.
apply/eqP; rewrite eqn_leq scale; have := scale (x *: A) (y *: B) x^-1 y^-1.
by rewrite !scalerA !mulVf // !scale1r.
Qed.

Lemma nth_flatten_rows (A : Type) (x : A) d (v : seq (seq A)) c : all (fun r => size r == d) v -> (0 < d)%N ->
  nth x (flatten v) c = nth x (nth [::] v (c %/ d)) (c %% d).
Proof.
move=> vd d0; elim: v vd c => [|r v IH] /= vd c; first by rewrite !nth_nil.
case/andP: vd => /eqP sr vd; rewrite nth_cat sr; case: ltnP => cd; first by rewrite divn_small // modn_small.
by rewrite IH // -{3 4}(subnK cd) divnDr ?dvdnn // divnn d0 addn1 modnDr.
Qed.

Section Given.
Variables (R : realType) (D : problem) (L : layer) (a : bool).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Hypotheses (okD : wf_problem D) (okL : wf_layer D L).
Let b : R := expR (kappa R D L a).
Let q : R := toF R (Zpos (q_contexts D)).
Let ev (x : Z) : R := b ^ int_of_Z x.
Let n0 := n_gt0 okD.

Let b_neq0 : b != 0. Proof. by rewrite gt_eqF // expR_gt0. Qed.
Let ev_gt0 x : 0 < ev x. Proof. by rewrite exprz_gt0 // expR_gt0. Qed.
Let evD x y : ev (x + y)%coqZ = ev x * ev y.
Proof. by rewrite /ev -expfzDr // -rmorphD. Qed.
Let ev_equal x y : (x =? y)%coqZ -> ev x = ev y. Proof. by move=> /Z.eqb_eq->. Qed.
Let ev0 : ev 0%coqZ = 1. Proof. exact: expr0z. Qed.

Lemma power_of_twoE k : toF R (power_of_two k) = 2%:R ^+ Pos.to_nat k.
Proof.
elim: k => [k IH|k IH|]; last by rewrite expr1 /toF -pmulrn.
  rewrite Pos2Nat.inj_xI multE exprS mulnC exprM -IH expr2.
  have -> : 2%:R = toF R 2%coqZ by rewrite /toF -pmulrn.
  by rewrite -!toFM.
by rewrite Pos2Nat.inj_xO multE mulnC exprM -IH expr2 -toFM.
Qed.

Lemma collect_powersE P : sum_value ev (collect_powers D L a P) = sum_value ev P.
Proof.
rewrite /collect_powers; case: ifP => // /andP[b2 /Pos.eqb_eq root1].
have bN : b ^+ Pos.to_nat (total_den D L a) = 2%:R by apply: root_of_two.
have reduceE s : toF R (reduce_power (total_den D L a) s).2 * ev (reduce_power (total_den D L a) s).1 =
    toF R s.2 * ev s.1.
  rewrite /reduce_power; case kE: (s.1 / _)%coqZ => [|k|k] //; case: ifP => // _ /=.
  rewrite toFM power_of_twoE -mulrA; congr (_ * _).
  have := Z_div_mod_eq_full s.1 (Zpos (total_den D L a)); rewrite kE => {2}->.
  rewrite evD; congr (_ * _); rewrite -bN -exprM /ev exprnP; congr (b ^ _).
  by rewrite /= Pos2Nat.inj_mul multE.
elim: P => // s P IH; rewrite value_cons -reduceE -IH -[toF _ _ * _]addr0 -(value_nil ev) -value_cons.
exact: (add_sumsE Z.ltb ev_equal [:: reduce_power (total_den D L a) s]).
Qed.
Let collectE := collect_powersE.

Lemma entry_least_0 m l C j : size l = m ->
  entry 0%coqZ ev m (least_0 l) C j =
  (\sum_(i < m) b ^ int_of_Z (nth 0%coqZ l i) * toF R (ent C i j)) / \sum_(i < m) b ^ int_of_Z (nth 0%coqZ l i).
Proof.
move=> sl; rewrite /least_0; set x0 := foldr _ _ _.
have nE (i : 'I_m) : ev (nth 0%coqZ [seq (x - x0)%coqZ | x <- l] i) = b ^ int_of_Z (nth 0%coqZ l i) * ev (- x0)%coqZ.
  by rewrite (nth_map 0%coqZ) ?sl // -evD.
have -> : entry 0%coqZ ev m [seq (x - x0)%coqZ | x <- l] C j =
    ((\sum_(i < m) b ^ int_of_Z (nth 0%coqZ l i) * toF R (ent C i j)) * ev (- x0)%coqZ) /
    ((\sum_(i < m) b ^ int_of_Z (nth 0%coqZ l i)) * ev (- x0)%coqZ).
  rewrite /entry; congr (_ / _); rewrite mulr_suml; apply: eq_bigr => i _; rewrite nE //.
  by rewrite mulrAC.
by rewrite -mulf_div divff ?mulr1 // gt_eqF.
Qed.

Lemma size_least_0 l : size (least_0 l) = size l. Proof. exact: size_map. Qed.

Lemma given_entry (t : 'I_T) (h : 'I_H) (j : 'I_d) :
  (q *: given_Z R D L a) t (mxvec_index h j) =
  entry 0%coqZ ev n (least_0 (exponents D L a (prepare L h) t)) (context_at D t) j.
Proof. by rewrite given_ZE // entry_least_0 // size_exponents. Qed.

(* independence                                                                 *)
Lemma residue_ofE p (b' : R) g' g o P :
    (forall s, s \in P -> red p b' g' (ev s.1) (root_power p g o s.1)) -> (1 < p)%coqZ ->
  red p b' g' (sum_value ev P) (residue_of p g o P).
Proof.
elim: P => [|s P IH] sP p1 /=; first by rewrite value_nil; have := red_int p b' g' 0; rewrite rmorph0.
rewrite value_cons; apply: (red_mod p1); apply: red_add.
  by apply: red_mul; [apply: red_int|apply: sP; rewrite inE eqxx].
by apply: IH => // s' s'P; apply: sP; rewrite inE s'P orbT.
Qed.

Lemma independent_sums_rank p g o w V r m (M : 'M[R]_(r, m)) (f : 'I_w -> 'I_m) : size V = r ->
    (forall k c, M k (f c) = sum_value ev (nth [::] (nth [::] V k) c)) ->
    independent_sums D L a p g o w V ->
  (r <= \rank M)%N.
Proof.
move=> rE; case: r / rE M => M ME /and5P[/Z.ltb_lt p1 _ sV ch fV].
have [b' [g' [bg redP]]] : exists b' : R, exists g', place p b' g' /\
    forall k j, red p b' g' (sum_value ev (nth [::] (nth [::] V k) j)) (residue_of p g o (nth [::] (nth [::] V k) j)).
  case/orP: ch => [/andP[og res]|/allP const].
    have bg : place p b g by apply: place_kappa.
    exists b, g; split=> // k j; apply: residue_ofE => // s _.
    exact: (red_power p1 bg og).
  exists 2%:R, 2%coqZ; split=> [|k j]; first exact: place_two.
  apply: residue_ofE => // s sP.
  have [kV|Vk] := ltnP k (size V); last by move: sP; rewrite [nth [::] V k]nth_default // nth_nil.
  have [jV|Vj] := ltnP j (size (nth [::] V k)); last by move: sP; rewrite [nth [::] _ j]nth_default.
  have /allP/(_ _ (mem_nth [::] jV))/allP/(_ _ sP)/Z.eqb_eq -> := const _ (mem_nth [::] kV).
  by rewrite ev0 /root_power Zmod_0_l; have := red_int p (2%:R : R) 2%coqZ 1; rewrite rmorph1.
apply: (free_rank (f := id) (h := f)); apply: (free_modP p1 bg) fV.
have VE : [seq [seq residue_of p g o P | P <- nth [::] V (i : 'I_(size V))] | i <- enum 'I_(size V)] =
    [seq [seq residue_of p g o P | P <- v] | v <- V].
  rewrite (map_comp (fun i => [seq residue_of p g o P | P <- nth [::] V i]) val) val_enum_ord.
  rewrite (map_comp (fun v => [seq residue_of p g o P | P <- v]) (nth [::] V)); congr map.
  by apply: (@eq_from_nth _ [::]) => [|i]; rewrite ?size_map ?size_iota // => iV;
    rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite -[X in Forall2 _ _ X]VE; elim: (enum _) => [|i s IHs] /=; constructor=> // k.
have red0 : red p b' g' 0 0 by have := red_int p b' g' 0; rewrite rmorph0.
have [kv|vk] := ltnP k (size (nth [::] V i)); last first.
  rewrite [X in red _ _ _ _ X]nth_default ?size_map //.
  case: insubP => // j _ jk; rewrite ME jk nth_default ?value_nil //.
have kw : (k < w)%N.
  by apply: leq_trans kv _; apply: (all_nth_nil (P := fun r : seq (seq (Z * Z)) => size r <= w)%N).
by rewrite (insubT (fun j => j < w)%N kw) ME (nth_map [::]).
Qed.

Lemma left_zero_ZE y (h : 'I_H) (j : 'I_d) : left_zero_Z D L a y ->
  \sum_(t < T) sum_value ev (nth [::] y t) * (q *: given_Z R D L a) t (mxvec_index h j) = 0.
Proof.
rewrite /left_zero_Z /prepared all_map => /allP/(_ (h : nat)).
rewrite mem_iota ltn_ord => /(_ isT) /= id0.
have sz (t : 'I_T) : size (least_0 (exponents D L a (prepare L h) t)) = n /\ size (context_at D t) = n.
  by rewrite size_least_0 size_exponents // size_context.
rewrite -[RHS](left_identityE evD ev_equal ev0 ev_gt0 collectE n0 sz id0 (ltn_ord j)).
by apply: eq_bigr => t _; rewrite given_entry.
Qed.

(* the same for numbers                                                         *)
Lemma left_zero_Z_numbers r (h : 'I_H) (j : 'I_d) : size r = T ->
    left_zero_Z D L a [seq if (c =? 0)%coqZ then [::] else [:: (0%coqZ, c)] | c <- r] ->
  \sum_(t < T) toF R (nth 0%coqZ r t) * (q *: given_Z R D L a) t (mxvec_index h j) = 0.
Proof.
move=> sr z0; have s0 := left_zero_ZE h j z0; rewrite -[RHS]s0; apply: eq_bigr => t _; congr (_ * _).
rewrite (nth_map 0%coqZ) ?sr //; case: ifP => [/Z.eqb_eq ->|_]; first by rewrite value_nil rmorph0.
by rewrite value_cons value_nil ev0 mulr1 addr0.
Qed.

(* sum_t y_t (entry o of row t) = 0                                              *)
Lemma left_zero_rowsE w rows y (o : 'I_w) : left_zero_rows D L a w rows y ->
  \sum_(t < T) sum_value ev (nth [::] y t) * toF R (nth 0%coqZ (rows t) o) = 0.
Proof.
move=> /allP/(_ (o : nat)); rewrite mem_iota ltn_ord => /(_ isT)/(is_zeroE ev) s0; rewrite -[RHS]s0.
rewrite -(big_mkord xpredT (fun t => sum_value ev (nth [::] y t) * toF R (nth 0%coqZ (rows t) o))) /index_iota subn0.
elim: (iota 0 T) => [|t r IH]; first by rewrite big_nil value_nil.
rewrite big_cons IH /= (add_sumsE Z.ltb ev_equal) (mul_sumsE Z.ltb evD ev_equal collectE).
by rewrite value_cons value_nil ev0 mulr1 addr0.
Qed.

Lemma left_zero_labelsE y (o : 'I_(d_out D)) : left_zero_labels D L a y ->
  \sum_(t < T) sum_value ev (nth [::] y t) * (toF R (Zpos (q_labels D)) *: label_matrix R D) t o = 0.
Proof.
by move=> /left_zero_rowsE s0; rewrite -[RHS](s0 o); apply: eq_bigr => t _; rewrite /label_matrix mxS mxE.
Qed.

Theorem left_zero_labels_rank p g o Y : left_zero_Z_ok D L a p g o Y -> all (left_zero_labels D L a) Y ->
  (\rank (row_mx (given_Z R D L a) (label_matrix R D)) <= T - size Y)%N.
Proof.
move=> /and4P[_ _ iY /allP okZ] /allP okY.
rewrite -(rank_scaled_parts _ _ (toF_pos R (q_contexts D)) (toF_pos R (q_labels D))) -mxrank_tr.
pose X := \matrix_(k < size Y, t < T) sum_value ev (nth [::] (nth [::] Y k) t).
apply: leq_trans (kernel_rank (X := X) _) _; last first.
  by apply: leq_sub2l; apply: (independent_sums_rank (f := id)) iY => // k c; rewrite mxE.
apply/matrixP => c k; rewrite mxE [RHS]mxE; have Yk := mem_nth [::] (ltn_ord k).
case: (split_ordP c) => [{}c ->|{}c ->]; last first.
  rewrite -[RHS](left_zero_labelsE c (okY _ Yk)).
  by apply: eq_bigr => t _; rewrite mxE [X in _ * X]mxE [X in _ * X]mxE row_mxEr mulrC.
case/mxvec_indexP: c => h j; rewrite -[RHS](left_zero_ZE h j (okZ _ Yk)).
by apply: eq_bigr => t _; rewrite mxE [X in _ * X]mxE [X in _ * X]mxE row_mxEl mulrC.
Qed.

Theorem left_zero_Z_rank p g o Y : left_zero_Z_ok D L a p g o Y ->
  (\rank (given_Z R D L a) <= T - size Y)%N.
Proof.
move=> /and4P[_ _ iY /allP ok]; rewrite -(@rank_scaled_given R D L a) -mxrank_tr.
pose X := \matrix_(k < size Y, t < T) sum_value ev (nth [::] (nth [::] Y k) t).
apply: leq_trans (kernel_rank (X := X) _) _; last first.
  by apply: leq_sub2l; apply: (independent_sums_rank (f := id)) iY => // k c; rewrite mxE.
apply/matrixP => c k; rewrite mxE [RHS]mxE; case/mxvec_indexP: c => h j.
rewrite -[RHS](left_zero_ZE h j (ok _ (mem_nth [::] (ltn_ord k)))).
by apply: eq_bigr => t _; rewrite mxE [X in _ * X]mxE [X in _ * X]mxE mulrC.
Qed.

Theorem right_zero_Z_rank p g o V : right_zero_Z_ok D L a p g o V ->
  (\rank (given_Z R D L a) <= H * d - size V)%N.
Proof.
move=> /and5P[_ _ /allP sV iV /allP ok]; rewrite -(@rank_scaled_given R D L a).
pose x (k : 'I_(size V)) : 'M[R]_(H, d) :=
  \matrix_(h, j) sum_value ev (nth [::] (nth [::] (nth [::] V k) h) j).
have cd (c : 'I_(H * d)) : (0 < d)%N /\ (c %/ d < H)%N.
  have d0 : (0 < d)%N by have := leq_ltn_trans (leq0n c) (ltn_ord c); rewrite muln_gt0 => /andP[].
  by rewrite ltn_divLR.
pose hj c := mxvec_index (Ordinal (proj2 (cd c))) (Ordinal (ltn_pmod c (proj1 (cd c)))).
apply: leq_trans (kernel_rank (X := \matrix_k mxvec (x k)) _) _; last first.
  apply: leq_sub2l; apply: (independent_sums_rank (f := hj)) iV; first by rewrite size_map.
  move=> k c; rewrite mxE mxvecE mxE (nth_map [::]) //.
  have /andP[_ sk] := sV _ (mem_nth [::] (ltn_ord k)).
  by rewrite (@nth_flatten_rows _ _ d) ?(proj1 (cd c)).
apply/matrixP => t k; rewrite mxE [RHS]mxE.
pose f (h : 'I_H) (j : 'I_d) :=
  (q *: given_Z R D L a) t (mxvec_index h j) * (\matrix_k mxvec (x k))^T (mxvec_index h j) k.
rewrite (reindex _ (curry_mxvec_bij _ _)) (eq_bigr (fun hj => f hj.1 hj.2)); last by case.
rewrite -(pair_bigA _ f) /=.
have /allP/(_ (t : nat)) := ok _ (mem_nth [::] (ltn_ord k)); rewrite mem_iota ltn_ord => /(_ isT) id0.
have szl (h : 'I_H) : size (least_0 (exponents D L a (prepare L h) t)) = n /\ size (context_at D t) = n.
  by rewrite size_least_0 size_exponents // size_context.
rewrite -[RHS](right_identityE evD ev_equal ev0 ev_gt0 collectE n0 szl id0).
by apply: eq_bigr => h _; apply: eq_bigr => j _; rewrite /f given_entry !mxE mxvecE mxE.
Qed.

End Given.

(* -------------------------------------------------------------------------- *)
(* All weights                                                                 *)
(* -------------------------------------------------------------------------- *)
(* the coefficients of a logit r W e, as a function of the entries of W           *)
Definition outer (r e : seq Z) : seq Z := flatten [seq [seq (x * y)%coqZ | y <- e] | x <- r].

Fixpoint plus_row (r s : seq Z) : seq Z :=
  match r, s with
  | x :: r', y :: s' => (x + y)%coqZ :: plus_row r' s'
  | [::], _ => s
  | _, [::] => r
  end.

Fixpoint less_row (r s : seq Z) : bool :=
  match r, s with
  | x :: r', y :: s' => if (x <? y)%coqZ then true else if (x =? y)%coqZ then less_row r' s' else false
  | [::], _ :: _ => true
  | _, _ => false
  end.

Definition constant_sum (c : Z) : seq (seq Z * Z) := if (c =? 0)%coqZ then [::] else [:: ([::], c)].

Definition zero_capacity_ok (D : problem) (p : Z) (Y : seq (seq Z)) : bool :=
  [&& independent_mod p (T D) Y, all (fun y => size y == T D) Y &
  all (fun y => left_identity plus_row equal_row less_row [::] id (d D) (T D) [seq constant_sum c | c <- y]
    (fun t => [seq outer r (nth [::] (queries D) t) | r <- context_at D t])
    (fun t => context_at D t)) Y].

Lemma nth_add_rows r s k : nth 0%coqZ (plus_row r s) k = (nth 0 r k + nth 0 s k)%coqZ.
Proof. by elim: r s k => [|x r IH] [|y s] [|k] //=; rewrite ?Z.add_0_r. Qed.

Lemma size_outer r e : size (outer r e) = (size r * size e)%N.
Proof. by rewrite /outer; elim: r => //= x r IH; rewrite size_cat size_map IH mulSn. Qed.
Lemma nth_outer m r e i j : size e = m -> (j < m)%N ->
  nth 0%coqZ (outer r e) (i * m + j) = (nth 0 r i * nth 0 e j)%coqZ.
Proof.
move=> se jm; elim: r i => [|x r IH] i; first by rewrite !nth_nil.
rewrite /outer /= nth_cat size_map se; case: i => [|i] /=.
  by rewrite mul0n add0n jm (nth_map 0%coqZ) ?se.
by rewrite mulSn -addnA ltnNge leq_addr /= addKn -IH.
Qed.

Section AllWeights.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Hypothesis okD : wf_sizes D.
Let okP := wf_sizes_problem okD.
Let n0 := n_gt0 okP.
Let qE : R := toF R (Zpos (q_contexts D)).
Let qe : R := toF R (Zpos (q_queries D)).

Section Weights.
Variable W : 'M[R]_d.
Let ev (x : seq Z) : R :=
  expR (\sum_(i < d) \sum_(j < d) W i j / (qE * qe) * toF R (nth 0%coqZ x (i * d + j)%N)).

Let evD x y : ev (plus_row x y) = ev x * ev y.
Proof.
rewrite /ev -expRD -big_split; congr (expR _); apply: eq_bigr => i _.
rewrite -big_split; apply: eq_bigr => j _.
by rewrite nth_add_rows toFD mulrDr.
Qed.
Let ev_equal x y : equal_row x y -> ev x = ev y. Proof. by move=> /equal_rowP->. Qed.
Let ev0 : ev [::] = 1.
Proof.
rewrite /ev big1 ?expR0 // => i _; rewrite big1 // => j _.
by rewrite nth_nil rmorph0 mulr0.
Qed.
Let ev_gt0 x : 0 < ev x. Proof. exact: expR_gt0. Qed.

Let logits_of (t : nat) := [seq outer r (nth [::] (queries D) t) | r <- context_at D t].

Let ev_logit (t : 'I_T) (i : 'I_n) : ev (nth [::] (logits_of t) i) = expR ((E t *m W *m e t) i 0).
Proof.
have sq : size (nth [::] (queries D) t) = d.
  have [_ _ /eqP sQ /allP aq _] := and5P okD.
  by apply/eqP/aq; rewrite mem_nth // sQ.
rewrite /logits_of (nth_map [::]) ?size_context // /ev; congr (expR _).
rewrite -mulmxA mxE; apply: eq_bigr => a _; rewrite [X in _ = _ * X]mxE mulr_sumr; apply: eq_bigr => b _.
rewrite nth_outer // toFM !mxE /ent -/qE -/qe invfM.
move: (W a b) (qE^-1) (qe^-1) (toF R _) (toF R _) => w x y u v; ring.
Qed.

Lemma row_annihilated y : size y = T ->
    left_identity plus_row equal_row less_row [::] id d T [seq constant_sum c | c <- y] logits_of
      (fun t => context_at D t) ->
  forall j : 'I_d, \sum_(t < T) toF R (nth 0%coqZ y t) * (((softmax (E t *m W *m e t))^T *m E t) 0 j) = 0.
Proof.
move=> sy ok j.
have sz (t : 'I_T) : size (logits_of t) = n /\ size (context_at D t) = n.
  by rewrite size_map size_context.
have := left_identityE (ev := ev) evD ev_equal ev0 ev_gt0 (fun=> erefl) n0 sz ok (ltn_ord j).
move/(congr1 (fun x => x / qE)); rewrite mul0r mulr_suml => s0; rewrite -[RHS]s0.
apply: eq_bigr => t _; rewrite (nth_map 0%coqZ) ?sy // -mulrA; congr (_ * _).
  rewrite /constant_sum; case: ifP => [/Z.eqb_eq ->|_]; first by rewrite value_nil rmorph0.
  by rewrite value_cons value_nil ev0 mulr1 addr0.
rewrite mxE /entry !mulr_suml; apply: eq_bigr => i _.
rewrite [_^T _ _]mxE [softmax _ _ _]mxE [E t i j]mxE ev_logit.
under [X in _ = _ / X / _]eq_bigr do rewrite ev_logit.
by rewrite mulf_div invfM mulrA.
Qed.

End Weights.

Lemma zero_all_weights p Y H' dh (P : weights R H' d dh 0 0 0) : zero_capacity_ok D p Y ->
  (\rank (attention.Z E e P) <= T - size Y)%N.
Proof.
move=> /and3P[iY sYT /allP ok]; rewrite -mxrank_tr.
apply: leq_trans (kernel_rank (X := mx R (size Y) T 1 Y) _) _; last first.
  by apply: leq_sub2l; apply: independent_mod_rank iY.
apply/matrixP => c s; rewrite mxE [RHS]mxE; case/mxvec_indexP: c => h j.
have sY : size (nth [::] Y s) = T by apply/eqP/(allP sYT)/mem_nth.
have := row_annihilated (WK P h *m (WQ P h)^T) sY (ok _ (mem_nth [::] (ltn_ord s))) j.
move=> s0; rewrite -[RHS]s0; apply: eq_bigr => t _.
rewrite [X in X * _]mxE ZE Zmx_attn_out attn_outE [X in _ * X]mxE [X in _ * X]mxE rmorph1 divr1 mulrC.
by congr (_ * (_ *m _) _ _); apply/rowP => i; rewrite !mxE.
Qed.

Theorem zero_capacity p Y : zero_capacity_ok D p Y -> (capacity R D <= T - size Y)%N.
Proof. by move=> ok; apply: largest_leq => k [P /leq_trans]; apply; apply: zero_all_weights ok. Qed.

Theorem zero_largest_rank p Y : zero_capacity_ok D p Y -> (largest_rank R D <= T - size Y)%N.
Proof. by move=> ok; apply: largest_leq => k [H' [P /leq_trans]]; apply; apply: zero_all_weights ok. Qed.

End AllWeights.
