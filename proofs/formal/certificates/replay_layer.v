(* Replay of certificates, the statements: a layer given by literal integers,   *)
(* its Z over any field of characteristic zero (softmax in base 2, integer      *)
(* logits), and the theorem that over the reals this is the Z of attention.v,   *)
(* with the key weights multiplied by ln 2.                                    *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp Require Import ring.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention affine_hull replay_arithmetic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

(* Integers over common denominators.  Literals are T contexts (n x d), T       *)
(* queries (length d), H key and H query matrices (d x d_h).                   *)
Record layer_data := LayerData {
  examples : nat;                                                (* T   *)
  heads : nat;                                                   (* H   *)
  context_length : nat;                                          (* n   *)
  embed_dim : nat;                                               (* d   *)
  head_dim : nat;                                                (* d_h *)
  context_den : positive; contexts : seq (seq (seq Z));
  query_den : positive; queries : seq (seq Z);
  key_den : positive; key_weights : seq (seq (seq Z));
  query_weights_den : positive; query_weights : seq (seq (seq Z))
}.

(* contexts and queries as matrices and columns                                *)
Definition context_mx (F : numFieldType) T n d (q : positive) (E : seq (seq (seq Z)))
  (t : 'I_T) : 'M[F]_(n, d) := mx F n d q (nth [::] E t).
Definition query_vec (F : numFieldType) T d (q : positive) (e : seq (seq Z))
  (t : 'I_T) : 'cV[F]_d := (row t (mx F T d q e))^T.

Section Statement.
Variables (F : numFieldType) (D : layer_data).
Local Notation T := (examples D).
Local Notation H := (heads D).
Local Notation n := (context_length D).
Local Notation d := (embed_dim D).
Local Notation dh := (head_dim D).

Definition layer_contexts : 'I_T -> 'M[F]_(n, d) := context_mx F n d (context_den D) (contexts D).
Definition layer_queries : 'I_T -> 'cV[F]_d := query_vec F d (query_den D) (queries D).
Definition layer_key (h : 'I_H) : 'M[F]_(d, dh) :=
  mx F d dh (key_den D) (nth [::] (key_weights D) h).
Definition layer_query (h : 'I_H) : 'M[F]_(d, dh) :=
  mx F d dh (query_weights_den D) (nth [::] (query_weights D) h).

Definition layer_logits (t : 'I_T) (h : 'I_H) : 'cV[F]_n :=
  layer_contexts t *m (layer_key h *m (layer_query h)^T) *m layer_queries t.

End Statement.

(* softmax in base 2 of integer logits                                         *)
Definition softmax2 (F : numFieldType) n (l : 'cV[rat]_n) : 'cV[F]_n :=
  \col_i (2%:R ^ numq (l i 0) / \sum_j 2%:R ^ numq (l j 0)).

Definition layer_coefs (F : numFieldType) D (t : 'I_(examples D)) :
    'M[F]_(heads D, context_length D) :=
  \matrix_h (softmax2 F (layer_logits rat_numFieldType t h))^T.

(* Z (Eq. 7) over the field F, where all logits are integers                   *)
Definition layer_Z (F : numFieldType) D :
    'M[F]_(examples D, heads D * embed_dim D) :=
  attn_out (layer_coefs F (D := D)) (layer_contexts F (D := D)).

(* The weights of the layer over the reals: softmax of attention.v is that with *)
(* base e, so the factor ln 2 makes it that with base 2.  (Z does not depend on *)
(* the other weights.)                                                         *)
Definition base_2_layer (R : realType) D :
    weights R (heads D) (embed_dim D) (head_dim D) 0 0 0 :=
  Weights (fun h => ln 2%:R *: layer_key R h) (layer_query R (D := D))
    (fun=> 0) 0 0.

Definition real_Z (R : realType) D : 'M[R]_(examples D, heads D * embed_dim D) :=
  attention.Z (layer_contexts R (D := D)) (layer_queries R (D := D)) (base_2_layer R D).

(* -------------------------------------------------------------------------- *)
(* Logits, computed                                                            *)
(* -------------------------------------------------------------------------- *)
Definition raw_logits (D : layer_data) (t h : nat) : seq Z :=
  let e := nth [::] (queries D) t in
  let Q := nth [::] (query_weights D) h in
  let u := [seq dot e (col k Q) | k <- iota 0 (head_dim D)] in
  let w := [seq dot r u | r <- nth [::] (key_weights D) h] in
  [seq dot r w | r <- nth [::] (contexts D) t].

Definition logit_den (D : layer_data) : Z :=
  Zpos (context_den D * key_den D * query_weights_den D * query_den D).

Definition int_logits (D : layer_data) t h : seq Z :=
  [seq (x / logit_den D)%coqZ | x <- raw_logits D t h].

Definition well_formed (D : layer_data) : bool :=
  [&& (0 < context_length D)%N,
    size (contexts D) == examples D,
    all (fun E => (size E == context_length D) &&
                  all (fun r => size r <= embed_dim D)%N E) (contexts D),
    all (fun e => size e <= embed_dim D)%N (queries D) &
    all (all (fun r => size r <= head_dim D)%N) (key_weights D)].

Definition integer_logits (D : layer_data) : bool :=
  well_formed D && all (fun t => all (fun h =>
    all (fun x => x mod logit_den D =? 0)%coqZ (raw_logits D t h))
    (iota 0 (heads D))) (iota 0 (examples D)).

Section Logits.
Variable D : layer_data.
Local Notation T := (examples D).
Local Notation H := (heads D).
Local Notation n := (context_length D).
Local Notation d := (embed_dim D).
Local Notation dh := (head_dim D).
Hypothesis okD : integer_logits D.

Lemma n_gt0 : (0 < n)%N.
Proof. by case/andP: okD => /and5P[]. Qed.

Lemma all_nth_nil (S : Type) (P : pred (seq S)) s i : all P s -> P [::] -> P (nth [::] s i).
Proof.
move=> Ps P0; have [si|] := ltnP i (size s); last by move/(nth_default [::]) ->.
by move/all_nthP: Ps => /(_ [::])->.
Qed.

Lemma size_context (t : 'I_T) : size (nth [::] (contexts D) t) = n.
Proof.
case/andP: okD => /and5P[_ /eqP sE aE _ _] _.
by move/all_nthP: aE => /(_ [::] t); rewrite sE ltn_ord => /(_ isT) /andP[/eqP].
Qed.

Lemma size_context_row (t : 'I_T) i : (size (nth [::] (nth [::] (contexts D) t) i) <= d)%N.
Proof.
case/andP: okD => /and5P[_ /eqP sE aE _ _] _.
have /andP[_ aEt] : (size (nth [::] (contexts D) t) == n) &&
    all (fun r => size r <= d)%N (nth [::] (contexts D) t).
  by move/all_nthP: aE => /(_ [::] t); rewrite sE ltn_ord => /(_ isT).
exact: (all_nth_nil (P := fun r : seq Z => size r <= d)%N).
Qed.

Lemma scale_logits (F : fieldType) m1 m2 m3 m4 m5 (a b c e : F) (A : 'M_(m1, m2))
    (B : 'M_(m2, m3)) (C : 'M_(m4, m3)) (G : 'M_(m4, m5)) :
  (a *: A) *m ((b *: B) *m ((c *: C)^T *m (e *: G))) =
    (a * b * c * e) *: (A *m (B *m C^T) *m G).
Proof.
have -> : (c *: C)^T = c *: C^T by rewrite linearZ.
by rewrite -!scalemxAr -!scalemxAl -!scalemxAr !scalerA !mulmxA; congr (_ *: _); ring.
Qed.

Lemma raw_logitsE (F : numFieldType) (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  toF F (logit_den D) * layer_logits F t h i 0 = toF F (nth 0%coqZ (raw_logits D t h) i).
Proof.
have /andP[/and5P[_ sE aE aq aK] _] := okD.
set qE := toF F (Zpos (context_den D)); set qK := toF F (Zpos (key_den D)).
set qQ := toF F (Zpos (query_weights_den D)); set qe := toF F (Zpos (query_den D)).
have -> : toF F (logit_den D) = qE * qK * qQ * qe by rewrite -!rmorphM.
have -> : (qE * qK * qQ * qe) * layer_logits F t h i 0 =
    ((qE *: layer_contexts F t) *m ((qK *: layer_key F h) *m ((qQ *: layer_query F h)^T
       *m (qe *: layer_queries F t)))) i 0.
  by rewrite scale_logits [RHS]mxE.
rewrite /qE /qK /qQ /qe /layer_contexts /context_mx !mxS.
rewrite nth_map_dot (dotE _ (size_context_row t i)) rmorph_sum mxE.
apply: eq_bigr => j _; rewrite rmorphM /= !mxE; congr (_ * _).
rewrite nth_map_dot (@dotE dh); last first.
  apply: (all_nth_nil (P := fun r : seq Z => size r <= dh)%N) => //.
  exact: (all_nth_nil (P := all (fun r : seq Z => size r <= dh)%N)).
rewrite rmorph_sum; apply: eq_bigr => k _; rewrite rmorphM /= !mxE; congr (_ * _).
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n (@dotE d); last first.
  exact: (all_nth_nil (P := fun r : seq Z => size r <= d)%N).
rewrite rmorph_sum; apply: eq_bigr => l _; rewrite rmorphM /= nth_col.
rewrite mulrC /layer_queries /query_vec !mxE; congr (_ * _).
by rewrite mulrC mulfVK // toF_pos.
Qed.

Lemma size_raw_logits (t : 'I_T) (h : 'I_H) : size (raw_logits D t h) = n.
Proof. by rewrite size_map size_context. Qed.

Lemma size_int_logits (t : 'I_T) (h : 'I_H) : size (int_logits D t h) = n.
Proof. by rewrite size_map size_raw_logits. Qed.

Lemma layer_logitsE (F : numFieldType) (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  layer_logits F t h i 0 = toF F (nth 0%coqZ (int_logits D t h) i).
Proof.
have q0 : toF F (logit_den D) != 0 by apply: toF_pos.
apply: (mulfI q0); rewrite raw_logitsE -rmorphM /=; congr (toF F _).
rewrite (nth_map 0%coqZ) ?size_raw_logits //.
have /andP[_ /allP/(_ t)] := okD; rewrite mem_iota ltn_ord => /(_ isT)/allP/(_ h).
rewrite mem_iota ltn_ord => /(_ isT)/allP/(_ (nth 0%coqZ (raw_logits D t h) i)).
rewrite mem_nth ?size_raw_logits // => /(_ isT)/Z.eqb_eq r0.
by rewrite {1}(Z_div_mod_eq_full (nth 0%coqZ (raw_logits D t h) i) (logit_den D)) r0 Z.add_0_r.
Qed.

Lemma numq_logit (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  numq (layer_logits rat_numFieldType t h i 0) = int_of_Z (nth 0%coqZ (int_logits D t h) i).
Proof. by rewrite layer_logitsE /toF numq_int. Qed.

Lemma layer_coefsE (F : numFieldType) (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  layer_coefs F t h i = 2%:R ^ int_of_Z (nth 0%coqZ (int_logits D t h) i)
    / \sum_(j < n) 2%:R ^ int_of_Z (nth 0%coqZ (int_logits D t h) j).
Proof.
rewrite 3!mxE numq_logit; congr (_ / _).
by apply: eq_bigr => j _; rewrite numq_logit.
Qed.

Lemma sum_pow2_gt0 (F : numFieldType) (t : 'I_T) (h : 'I_H) :
  0 < \sum_(j < n) 2%:R ^ int_of_Z (nth 0%coqZ (int_logits D t h) j) :> F.
Proof.
have p0 l : 0 < 2%:R ^ l :> F.
  by case: l => k; rewrite ?NegzE -?exprnN ?invr_gt0 exprn_gt0 ?ltr0n.
rewrite (bigD1 (Ordinal n_gt0)) //= ltr_paddr //.
by apply: sumr_ge0 => j _; apply: ltW.
Qed.

Lemma layer_coefs_sum1 (F : numFieldType) (t : 'I_T) : sum1 (layer_coefs F t).
Proof.
move=> h; under eq_bigr do rewrite layer_coefsE.
by rewrite -mulr_suml divff // gt_eqF // sum_pow2_gt0.
Qed.

(* The matrix Z of the real layer is layer_Z over the reals.                   *)
Lemma expR_ln2 (R : realType) (l : Z) : expR (ln 2%:R * toF R l) = 2%:R ^ int_of_Z l.
Proof.
have e2 : expR (ln 2%:R) = 2%:R :> R by rewrite lnK // posrE ltr0n.
rewrite /toF; case: (int_of_Z l) => k.
  by rewrite -pmulrn mulrC expRMm e2.
by rewrite NegzE mulrNz mulrN expRN -pmulrn mulrC expRMm e2.
Qed.

Theorem real_ZE (R : realType) : real_Z R D = layer_Z R D.
Proof.
rewrite /real_Z ZE Zmx_attn_out; apply/row_matrixP => t; rewrite !rowK.
congr (mxvec (_ *m _)); apply/matrixP => h i; rewrite layer_coefsE 3!mxE /=.
have lE j : (layer_contexts R t *m (ln 2%:R *: layer_key R h *m (layer_query R h)^T)
    *m layer_queries R t) j 0 = ln 2%:R * toF R (nth 0%coqZ (int_logits D t h) j).
  by rewrite -layer_logitsE -scalemxAl -scalemxAr -scalemxAl mxE.
by rewrite lE expR_ln2; congr (_ / _); apply: eq_bigr => j _; rewrite lE expR_ln2.
Qed.

End Logits.
