(* The proved checker, minors of Z by enclosures: for base 2 with an irrational scale, where residues modulo p would  *)
(* need that 2^(1/sqrt m) is transcendental (Gelfond and Schneider).                                                  *)
(*                                                                                                                    *)
(*   case_layer_at D L a == the problem with L in place of its layer; a: the scale is in its weights                    *)
(*    enclosed_minor_ok == |I - R A| is below 1 for a square part A of Z of the layer                                    *)
(*   enclosed_minor_rank == so its order is at most rank(Z)                                                             *)
From Attest Require Import integers attention literal_arithmetic problem claims logits quantity_bounds enclosures.
From Attest Require Import real_quantities saturation spectrum defect.

Local Notation Z := BinNums.Z.

Definition case_layer_at (D : problem) (L : layer) (a : bool) : problem :=
  Problem (T D) (H D) (n D) (d D) (d_h D) (d_v D) (d_out D) (base_two D) (if a then Rational 1 1 else logit_scale D)
    (q_contexts D) (context_rows D) (q_queries D) (queries D) (Some L) (q_labels D) (labels D) None.

Definition enclosed_part (D : problem) (L : layer) (a : bool) (bits : nat) (rows cols : seq nat) : seq (seq (Z * Z)) :=
  let D' := case_layer_at D L a in let Zs := rounded_Z D' (attention_table D' bits) bits in
  [seq [seq nth (0, 0)%coqZ r j | j <- cols] | r <- [seq nth [::] Zs t | t <- rows]].

(* R: integers over q, nearly the inverse                                            *)
Definition enclosed_minor_ok (D : problem) (L : layer) (a : bool) (bits : nat) (rows cols : seq nat) (q : positive)
    (R : seq (seq Z)) : bool :=
  let k := size rows in
  [&& wf_problem D, wf_layer D L, size cols == k, all (fun t => t < T D)%N rows & all (fun j => j < H D * d D)%N cols] &&
  (sizes_are k k R && let one := (Zpos q * Zpos (2 * two_power bits))%coqZ in
    all (fun x => x <? one)%coqZ (defects_of k one (enclosed_part D L a bits rows cols) (nseq k 1%coqZ) R)).

Section Sound.
Variables (R : realType) (D : problem) (L : layer) (a : bool) (bits : nat) (rows cols : seq nat) (q : positive) (V : seq (seq Z)).
Local Notation D' := (case_layer_at D L a).
Local Notation k := (size rows).

Lemma Z_case_layer : attention_Z R D' = given_Z R D L a.
Proof.
rewrite (@attention_Z_given R D' L (erefl _)) /given_Z.
rewrite (_ : factor R D' false = factor R D a) //.
by rewrite /factor /scale_value /=; case: (a); rewrite // toF1 divr1.
Qed.

Theorem enclosed_minor_rank : enclosed_minor_ok D L a bits rows cols q V -> (k <= \rank (given_Z R D L a))%N.
Proof.
move=> /andP[/and5P[okD okL /eqP sC rT cH] /andP[sV small]].
have okD' : wf_problem D' by [].
have okS : wf_source D' by [].
have [f fE] := ords_of rT; have [g gE] := ords_of cH; rewrite -Z_case_layer.
pose g' (j : 'I_k) := g (cast_ord (esym sC) j).
pose A : 'M[R]_k := \matrix_(i, j) attention_Z R D' (f i) (g' j).
set Zs := enclosed_part D L a bits rows cols in small.
have enclosed : enclosed_mx (two_power bits) A Zs.
  move=> i j; rewrite mxE /Zs /enclosed_part -map_comp (nth_map 0%N) //= (nth_map 0%N) ?sC //.
  by rewrite -fE -[nth 0%N cols j]/(nth 0%N cols (cast_ord (esym sC) j)) -gE; apply: (@rounded_ZP R D' bits okD' okS).
have sZ : sizes_are k k Zs.
  apply/andP; split; first by rewrite !size_map.
  by apply/allP => r /mapP[x _ ->]; rewrite size_map sC.
have ones (i : 'I_k) : nth 0%coqZ (nseq k 1%coqZ) i = 1%coqZ by rewrite nth_nseq ltn_ord.
have unit_A : A \in unitmx.
  apply: (defects_unit (q := q) (w := nseq k 1%coqZ) enclosed sZ sV) => i; rewrite ones //.
  rewrite Z.mul_1_r; apply/Z.ltb_lt; apply: (all_nthP 0%coqZ small).
  by have /andP[/eqP sV' _] := sV; rewrite size_map size_zip size_iota sV' minnn.
have AE : A = rowsub f (1%:M) *m (attention_Z R D' *m colsub g' 1%:M).
  by rewrite mulmx_colsub mulmx1 -rowsubE; apply/matrixP => i j; rewrite !mxE.
have := mxrank_unit unit_A; rewrite {1}AE => {1}<-.
exact: leq_trans (mxrankM_maxr _ _) (mxrankM_maxl _ _).
Qed.

End Sound.
