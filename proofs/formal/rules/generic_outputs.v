(* The proved checker, rows of Z that are different for almost all weights: two rows that differ for some weights do on  *)
(* all but finitely many points of each line through these.                                                              *)
(*                                                                                                                       *)
(*   almost_all_outputs, independent_outputs, equal_inputs == the schemas of docs/statements.md                          *)
From Attest Require Import integers attention generic_data exponential_polynomials.
From Attest Require Import literal_arithmetic problem logits quantity_bounds schemas memorized heads outputs.

Section GenericOutputs.
Variables (R : realType) (D : problem).
Hypothesis okD : wf_sizes D.
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation weights := (weights R H d (d_h D) 0 0 0).
Let okP := wf_sizes_problem okD.

Lemma distinct_rows_mono k m m' (M : 'M[R]_(k, m)) (M' : 'M[R]_(k, m')) :
  (forall t t', row t M' = row t' M' -> row t M = row t' M) -> (distinct_rows M <= distinct_rows M')%N.
Proof.
move=> same; set s := undup [seq row t M | t <- enum 'I_k].
have /fin_all_exists[f fE] (i : 'I_(size s)) : exists t : 'I_k, row t M = nth 0 s i.
  have : nth 0 s i \in s by apply: mem_nth.
  by rewrite mem_undup => /mapP[t _ ->]; exists t.
apply: (distinct_rows_geq (f := f)) => i j ij; apply/negP => /eqP/same; rewrite !fE => /eqP.
by rewrite nth_uniq ?undup_uniq // => /eqP ijE; rewrite ijE ltnn in ij.
Qed.

Lemma few_equal m k (M : R -> 'M[R]_(m, k)) : (forall t c, expfrac (fun x => M x t c)) ->
  exists few : seq R, forall x, x \notin few -> (distinct_rows (M 0%R) <= distinct_rows (M x))%N.
Proof.
move=> frac; have pair (tt : 'I_m * 'I_m) : exists r : seq R, forall x, x \notin r ->
    row tt.1 (M x) = row tt.2 (M x) -> row tt.1 (M 0) = row tt.2 (M 0).
  have [[c cP]|all0] := pselect (exists c, M 0 tt.1 c - M 0 tt.2 c != 0); last first.
    exists [::] => x _ _; apply/rowP => c; rewrite [LHS]mxE [RHS]mxE; apply/eqP; rewrite -subr_eq0.
    by apply/negPn/negP => ne; case: all0; exists c.
  have [|r rP] := @expfrac_zeros R (fun x => M x tt.1 c - M x tt.2 c) 0 _ cP.
    apply: expfrac_ext (expfracD (frac tt.1 c) (expfracM (expfrac_const (-1)) (frac tt.2 c))) _ => x.
    by rewrite mulN1r.
  exists r => x /negP xr /rowP/(_ c); rewrite [LHS]mxE [RHS]mxE => same; case: xr; apply: rP.
  by rewrite same subrr.
have /fin_all_exists[r rP] := pair.
exists (flatten [seq r tt | tt <- enum {: 'I_m * 'I_m}]) => x xr.
apply: distinct_rows_mono => t t'; apply: (rP (t, t')); apply: contra xr => xr.
by apply/flattenP; exists (r (t, t')) => //; apply: map_f; rewrite mem_enum.
Qed.

Lemma generic_geq (P : weights) : (distinct_rows (attention.Z E e P) <= generic_outputs R D)%N.
Proof.
apply: largest_geq; first by rewrite /distinct_rows (leq_trans (size_undup _)) // size_map size_enum_ord.
exists (WK P), (WQ P) => K' Q'.
pose line x : weights := Weights (fun h => WK P h + x *: (K' h - WK P h)) (fun h => WQ P h + x *: (Q' h - WQ P h)) (fun=> 0) 0 0.
have frac t c : expfrac (fun x => attention.Z E e (line x) t c).
  apply: (@expfrac_ext _ (fun x => Zmx E e (fun h => WK (line x) h *m (WQ (line x) h)^T) t c)); last by move=> x; rewrite ZE.
  apply: (@expfrac_Zmx R T H (n D) d (fun=> E) (fun=> e) (fun x h => WK (line x) h *m (WQ (line x) h)^T)).
  - by move=> t' i k; apply: polynomial_const.
  - by move=> t' i k; apply: polynomial_const.
  move=> h; apply: polynomial_mulmx => [i k|i k]; first exact: (line_poly (WK P h) (K' h)).
  by have [p pE] := line_poly (WQ P h) (Q' h) k i; exists p => x; rewrite -pE mxE.
have [few fewP] := few_equal frac; exists few => x /fewP.
have -> : attention.Z E e (line 0) = attention.Z E e P; last exact.
by rewrite !ZE; congr Zmx; apply/funext => h /=; rewrite !scale0r !addr0.
Qed.

Theorem almost_all_outputs L a : in_shape D L -> (distinct_rows (given_Z R D L a) <= generic_outputs R D)%N.
Proof. by move=> sL; have [P ->] := in_shapeP R a sL; apply: generic_geq. Qed.

Theorem independent_outputs : (capacity R D <= generic_outputs R D)%N.
Proof.
have /capacity_geq[P rP] := leqnn (capacity R D); apply: leq_trans (generic_geq P); apply: (leq_trans rP).
move: (attention.Z E e P) => M; rewrite /distinct_rows; set s := undup _.
pose B : 'M[R]_(size s, H * d) := \matrix_i nth 0 s i.
suff /mxrankS/leq_trans : (M <= B)%MS by apply; apply: rank_leq_row.
apply/row_subP => t; have ts : row t M \in s by rewrite mem_undup; apply/mapP; exists t; rewrite ?mem_enum.
have iS : (index (row t M) s < size s)%N by rewrite index_mem.
by rewrite (_ : row t M = row (Ordinal iS) B) ?row_sub // rowK /= nth_index.
Qed.

Theorem equal_inputs : (generic_outputs R D <= size (distinct_examples D))%N.
Proof.
apply: largest_leq => k [K [Q /(_ K Q)[few fewP]]].
have [x [_ xfew]] := few_points few 0 (@ltr01 R); apply: (leq_trans (fewP x xfew)).
set P := Weights _ _ _ _ _; have same (t t' : 'I_T) : example_key D t = example_key D t' ->
    row t (attention.Z E e P) = row t' (attention.Z E e P).
  by move=> /(same_example_key R okD) tt; rewrite ZE (token_order.same_row _ tt).
have [B BP] := rows_of_classes (distinct_examples D) same.
by apply: distinct_rows_leq => t; apply/BP/example_in.
Qed.

End GenericOutputs.
