(* The proved checker, sums of powers: sum_i c_i b^(x_i) as lists of pairs        *)
(* (x_i, c_i), and exact sums of fractions of them.                               *)
(*                                                                                *)
(*   value ev P == sum_i c_i ev x_i                                                *)
(*   add_sums, mul_sums == sum and product; weighted l w == sum_i w_i b^(l_i)       *)
(*   sum_fractions w s == vectors of w numerators over one denominator, the sum of s *)
(*   is_zero P == all coefficients are 0                                            *)
(* X is the type of the exponents; collect brings a list into an order in which    *)
(* equal powers meet, and may use relations of the powers.                         *)
From Attest Require Import integers literal_arithmetic.

Local Notation Z := BinNums.Z.

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
