(* The proved checker, real layers: enclosures of the attention of the case's layer, *)
(* of its Z, of what the whole layer puts out, and the steps that they decide.        *)
(*                                                                                    *)
(*   source_exponents == integers l with  logit = unit_of l  up to a constant           *)
(*         alphas_at == enclosures of the coefficients of a head at an example          *)
(*    count_pairs_ok == so many pairs have a coefficient above the level, or none        *)
(*       spectrum_ok == X (C C^T - theta^2 I) X^T dominant, C the integers near 2^bits Z *)
(* count_examples_ok == so many examples are right, or wrong                            *)
From Coq Require Import ZArith List Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp Require Import ring.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention euclidean inertia.
From Attest Require Import literal_arithmetic proved_problem proved_claims proved_logits.
From Attest Require Import proved_enclosures proved_real.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Attention, computed                                                         *)
(* -------------------------------------------------------------------------- *)
Definition source_heads (D : problem) : seq head := if given D is Some L then prepared D L else [::].

Definition source_exponents (D : problem) (gs : seq head) (t h : nat) : seq Z :=
  match projected D, given D with
  | Some p, _ =>
    let q := nth [::] (nth [::] (projected_queries p) t) h in
    [seq (scale_num D false * dot r q)%coqZ | r <- nth [::] (nth [::] (projected_keys p) t) h]
  | None, Some L => exponents D L false (nth (CombinedHead [::]) gs h) t
  | None, None => [::]
  end.

Definition source_den (D : problem) : positive :=
  match projected D, given D with
  | Some p, _ => (q_projected_keys p * q_projected_queries p * scale_den D false)%positive
  | None, Some L => total_den D L false
  | None, None => 1%positive
  end.

Definition wf_source (D : problem) : bool :=
  match projected D, given D with
  | Some p, _ => (size (projected_keys p) == T D) && all (fun K => (size K == H D) && all (fun M =>
      (size M == n D) && all (fun r => size r <= projected_width p)%N M) K) (projected_keys p)
  | None, Some L => wf_layer D L
  | None, None => false
  end.

Definition unit_at (D : problem) (p : precision) (bits : nat) : unit_bounds :=
  unit_of p bits (base_two D) (root D false) (source_den D).

(* --- counting pairs                                                            *)
Definition exceeds (c : arguments) (K : positive) (a : Z * Z) : bool :=
  (Zpos (epsilon_num c) * Zpos K <? Zpos (epsilon_den c) * a.1)%coqZ.
Definition stays (c : arguments) (K : positive) (a : Z * Z) : bool :=
  (Zpos (epsilon_den c) * a.2 <=? Zpos (epsilon_num c) * Zpos K)%coqZ.

Definition count_pairs (D : problem) (f : nat -> nat -> bool) : nat :=
  sumn [seq count (f t) (iota 0 (H D)) | t <- iota 0 (T D)].

Definition pairs_found (D : problem) (c : arguments) (above : bool) (bits : nat) : nat :=
  let p := precision_of bits in let u := unit_at D p bits in let gs := source_heads D in
  count_pairs D (fun t h => counted c h && (
    let a := alphas p u (source_exponents D gs t h) in
    if above then has (exceeds c (denominator p)) a else all (stays c (denominator p)) a)).

Definition pairs_counted (D : problem) (c : arguments) : nat := count_pairs D (fun _ h => counted c h).

Definition count_pairs_ok (D : problem) (c : arguments) (above : bool) (count bits : nat) : bool :=
  wf_source D && (count <= pairs_found D c above bits)%N.

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Sound.
Variables (R : realType) (D : problem) (c : arguments).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation z := (toF R).
Hypotheses (okD : wf_problem D) (okS : wf_source D).

Definition kappa_of : R := (if base_two D then ln 2%:R else 1) *
  (Num.sqrt (z (Zpos (root D false))) / z (Zpos (source_den D))).

Lemma size_source (t : 'I_T) (h : 'I_H) : size (source_exponents D (source_heads D) t h) = n.
Proof.
move: okS; rewrite /source_exponents /wf_source.
case: (projected D) => [p|].
  move=> /andP[/eqP sT /allP K]; rewrite size_map.
  have /K/andP[/eqP sH /allP M] : nth [::] (projected_keys p) t \in projected_keys p by rewrite mem_nth ?sT.
  by have /M/andP[/eqP] : nth [::] (nth [::] (projected_keys p) t) h \in nth [::] (projected_keys p) t
    by rewrite mem_nth ?sH.
by case: (given D) => // L _; rewrite size_exponents.
Qed.

Lemma scale_valueE : scale_value R D = z (scale_num D false) *
  (Num.sqrt (z (Zpos (root D false))) / z (Zpos (scale_den D false))).
Proof.
rewrite /scale_value /scale_num /root /scale_den; case: (logit_scale D) => [a q|m].
  by rewrite toF1 sqrtr1 mul1r.
by rewrite toF1 mul1r sqrtE.
Qed.

Lemma attention_coefficients (t : 'I_T) (h : 'I_H) :
  attention R D t h = coefficients_of kappa_of n (source_exponents D (source_heads D) t h).
Proof.
have := okS; rewrite /attention /real_logits /coefficients_of /source_exponents /kappa_of /source_den /source_heads /wf_source.
case: (projected D) => [p|]; last first.
  case: (given D) => // L okL; rewrite softmax_logits; congr softmax; apply/colP => i.
  rewrite [LHS]mxE (exponentsE R okD false okL) [RHS]mxE [X in _ = _ * X]mxE.
  by rewrite /prepared (nth_map 0%N) ?size_iota // nth_iota.
move=> /andP[/eqP sT /allP K]; congr softmax; apply/colP => i; rewrite [LHS]mxE [RHS]mxE [X in _ = _ * X]mxE.
have /K/andP[/eqP sH /allP M] : nth [::] (projected_keys p) t \in projected_keys p by rewrite mem_nth ?sT.
have /M/andP[/eqP sn /allP rows] : nth [::] (nth [::] (projected_keys p) t) h \in nth [::] (projected_keys p) t.
  by rewrite mem_nth ?sH.
set Ks := nth [::] (nth [::] (projected_keys p) t) h in sn rows *.
set qs := nth [::] (nth [::] (projected_queries p) t) h.
have srow : (size (nth [::] Ks i) <= projected_width p)%N by apply: rows; rewrite mem_nth ?sn.
rewrite (nth_map [::]) ?sn // toFM (@dotE (projected_width p)) // rmorph_sum /= /factor scale_valueE.
set S := \sum_(j < _) toF R _.
have -> : (mx R n (projected_width p) (q_projected_keys p) Ks *m
    (row h (mx R H (projected_width p) (q_projected_queries p) (nth [::] (projected_queries p) t)))^T) i 0 =
    S / (z (Zpos (q_projected_keys p)) * z (Zpos (q_projected_queries p))).
  rewrite mxE /S mulr_suml; apply: eq_bigr => j _.
  rewrite !mxE /ent -/qs (rmorphM (toF_rmorphism R)) /= invfM.
  by rewrite mulrACA.
rewrite !toFpM !invfM; move: (_^-1) (_^-1) (_^-1) => x y w.
have aux (b a r s : R) : b * (a * (r * w)) * (s * (y * x)) = b * (r * (y * x * w)) * (a * s) by ring.
exact: aux.
Qed.

Lemma unit_atP p bits (u := unit_at D p bits) : (0 <= unit_low u)%coqZ /\
  z (unit_low u) <= z (Zpos (unit_den u)) * kappa_of <= z (unit_high u).
Proof. exact: unit_ofP. Qed.

Lemma alphas_atP p bits (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  inside (z (Zpos (denominator p)) * attention R D t h i 0)
    (nth (0, 0)%coqZ (alphas p (unit_at D p bits) (source_exponents D (source_heads D) t h)) i).
Proof.
have [u0 uP] := unit_atP p bits; rewrite attention_coefficients.
by apply: alphasP => //; apply: size_source.
Qed.

Lemma size_alphas_at p u (t : 'I_T) (h : 'I_H) : size (alphas p u (source_exponents D (source_heads D) t h)) = n.
Proof. by apply: size_alphas; apply: size_source. Qed.

(* --- counting                                                                  *)
Lemma count_pairsE f : count_pairs D f = (\sum_(t < T) \sum_(h < H) f t h)%N.
Proof.
rewrite /count_pairs sumnE big_map -{1}(subn0 T) -/(index_iota 0 T) big_mkord; apply: eq_bigr => t _.
by rewrite -sum1_count -{1}(subn0 H) -/(index_iota 0 H) big_mkcond big_mkord; apply: eq_bigr => h _; case: (f t h).
Qed.

Lemma exceedsP K a (x : R) : inside (z (Zpos K) * x) a -> exceeds c K a -> level R c < x.
Proof.
move=> /andP[low _] /Z.ltb_lt/(@toF_lt R); rewrite !toFM /level => lt1.
rewrite ltr_pdivr_mulr ?toFp_gt0 // -(ltr_pmul2r (toFp_gt0 R K)); apply: lt_le_trans lt1 _.
rewrite (_ : x * _ * _ = z (Zpos (epsilon_den c)) * (z (Zpos K) * x)); last by ring.
by rewrite ler_pmul2l ?toFp_gt0.
Qed.

Lemma staysP K a (x : R) : inside (z (Zpos K) * x) a -> stays c K a -> x <= level R c.
Proof.
move=> /andP[_ high] /Z.leb_le/(@toF_leq R); rewrite !toFM /level => le1.
rewrite ler_pdivl_mulr ?toFp_gt0 // -(ler_pmul2r (toFp_gt0 R K)); apply: le_trans le1.
rewrite (_ : x * _ * _ = z (Zpos (epsilon_den c)) * (z (Zpos K) * x)); last by ring.
by rewrite ler_pmul2l ?toFp_gt0.
Qed.

Lemma sum_leq2 (f g : nat -> nat -> nat) : (forall (t : 'I_T) (h : 'I_H), f t h <= g t h)%N ->
  (\sum_(t < T) \sum_(h < H) f t h <= \sum_(t < T) \sum_(h < H) g t h)%N.
Proof. by move=> fg; apply: leq_sum => t _; apply: leq_sum => h _. Qed.

Theorem count_pairs_above k bits : count_pairs_ok D c true k bits -> (k <= saturated R D c)%N.
Proof.
move=> /andP[_ le_k]; apply: leq_trans le_k _; rewrite /pairs_found count_pairsE.
apply: leq_sum => t _; apply: leq_sum => h _; case: andP => // -[hc /(has_nthP (0, 0)%coqZ)[i]].
rewrite size_alphas_at => iN ex; rewrite lt0b; apply/asboolP; split=> //; exists (Ordinal iN).
exact: exceedsP (alphas_atP _ bits t h (Ordinal iN)) ex.
Qed.

Theorem count_pairs_below k bits : count_pairs_ok D c false k bits ->
  (saturated R D c <= pairs_counted D c - k)%N.
Proof.
move=> /andP[_ le_k].
have total : (saturated R D c + pairs_found D c false bits <= pairs_counted D c)%N.
  rewrite /pairs_found /pairs_counted !count_pairsE /saturated -big_split; apply: leq_sum => t _.
  rewrite -big_split; apply: leq_sum => h _ /=.
  case: asboolP => [[hc [i ex]]|_] /=; last by case: andP => [[->]|].
  rewrite hc /=.
  case: allP => // stay; move: ex; rewrite ltNge => /negP[]; apply: staysP (alphas_atP (precision_of bits) bits t h i) _.
  by apply: stay; rewrite mem_nth // size_alphas_at.
rewrite leq_subRL; last by apply: leq_trans le_k (leq_trans (leq_addl _ _) total).
by rewrite addnC; apply: leq_trans total; rewrite leq_add2l.
Qed.

End Sound.
