(* Replay of certificates, the affine-hull bound of rank(Z), from functionals   *)
(* (v, c) with E_t v = c 1 for all t, or from a list that contains all tokens:  *)
(* for the layer of literal integers in base 2 over any field, and for any      *)
(* layer of attention.v with these contexts: all weights, all queries.         *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
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

(* every token satisfies the equations v . x = c, and V is independent: the     *)
(* minor of V in the columns cols has an inverse modulo p                      *)
Definition functionals_ok (T n d : nat) (E : seq (seq (seq Z))) (V : seq (seq Z))
    (c : seq Z) (p : Z) (cols : seq nat) (inverse : seq (seq Z)) : bool :=
  [&& (0 < n)%N, size E == T, size c == size V, size cols == size V,
    all (fun j => j < d)%N cols,
    all (fun Et => (size Et == n) && all (fun x => (size x <= d)%N &&
      all (fun vc => dot x vc.1 =? vc.2)%coqZ (zip V c)) Et) E &
    inverse_ok p [seq [seq nth 0%coqZ v j | j <- cols] | v <- V] inverse].

(* all tokens are in the list                                                  *)
Definition tokens_ok (T n : nat) (E : seq (seq (seq Z))) (tokens : seq (seq Z)) : bool :=
  [&& (0 < n)%N, size E == T, (0 < size tokens)%N &
    all (fun Et => (size Et == n) && all (fun x => x \in tokens) Et) E].

Definition listed_tokens (E : seq (seq (seq Z))) (ti : seq (nat * nat)) : seq (seq Z) :=
  [seq nth [::] (nth [::] E x.1) x.2 | x <- ti].

(* the tokens lie in the kernel of V, or in a translate of it                  *)
Lemma functional_hull (F : fieldType) T n d k (E : 'I_T -> 'M[F]_(n, d)) (V : 'M[F]_(d, k))
    (c : 'rV[F]_k) : (forall t, E t *m V = const_mx 1 *m c) ->
  if c == 0 then forall t, (E t <= kermx V)%MS
  else exists x0, forall t i, (row i (E t) - x0 <= kermx V)%MS.
Proof.
move=> EV; case: eqP => [c0 t|_]; first by apply/sub_kermxP; rewrite EV c0 mulmx0.
have row1 t i : row i (E t) *m V = c.
  rewrite -row_mul EV row_mul (_ : row i (const_mx 1) = 1%:M) ?mul1mx //.
  by apply/matrixP => a b; rewrite !ord1 !mxE.
case: (pickP (fun _ : 'I_T * 'I_n => true)) => [[t0 i0] _|noT].
  by exists (row i0 (E t0)) => t i; apply/sub_kermxP; rewrite mulmxBl !row1 subrr.
by exists 0 => t i; have := noT (t, i).
Qed.

Section Hull.
Variables (F : numFieldType) (T n d : nat) (q : positive) (E : seq (seq (seq Z))).
Local Notation q' := (toF F (Zpos q)).

Lemma functionalsP V c p cols inverse : functionals_ok T n d E V c p cols inverse ->
  exists (W : 'M[F]_(d, size V)) (w : 'rV[F]_(size V)),
    [/\ forall t : 'I_T, context_mx F n d q E t *m W = const_mx 1 *m w,
        (d - \rank W <= d - size V)%N & ((w != 0%R) <= has (fun x => ~~ (x =? 0)%coqZ) c)%N].
Proof.
move=> /and5P[n0 /eqP sE /eqP sc scols /and3P[cd aE inv]].
exists (\matrix_(j, l) toF F (ent V j l))^T, (\row_j (toF F (nth 0%coqZ c j) / q')); split=> [t||].
- apply: (scalerI (toF_pos F q)); rewrite scalemxAl mxS.
  have /andP[/eqP sEt aEt] : (size (nth [::] E t) == n) && all (fun x => (size x <= d)%N &&
      all (fun vc => dot x vc.1 =? vc.2)%coqZ (zip V c)) (nth [::] E t).
    by move/all_nthP: aE => /(_ [::] t); rewrite sE ltn_ord => /(_ isT).
  apply/matrixP => i j; rewrite 3!mxE big_ord1 !mxE mul1r mulrC mulfVK ?toF_pos //.
  have /allP/(_ (nth [::] (nth [::] E t) i)) := aEt.
  rewrite mem_nth ?sEt // => /(_ isT)/andP[sx /allP/(_ (nth [::] V j, nth 0%coqZ c j))].
  rewrite -nth_zip // mem_nth ?size_zip ?sc ?minnn // nth_zip // => /(_ isT)/Z.eqb_eq /= <-.
  rewrite (dotE _ sx) rmorph_sum; apply: eq_bigr => l _.
  by rewrite rmorphM !mxE.
- rewrite leq_sub2l // mxrank_tr; apply: independent_rows scols _ inv => j /(all_nthP 0%N cd) jd.
  by exists (Ordinal jd) => i; rewrite mxE.
case: hasP => [_|c0]; first exact: leq_b1.
rewrite leqn0 eqb0 negbK; apply/eqP/rowP => j; rewrite !mxE.
have [jc|cj] := ltnP j (size c); last by rewrite nth_default // rmorph0 mul0r.
case: (boolP (nth 0%coqZ c j =? 0)%coqZ) => [/Z.eqb_eq ->|cj0]; first by rewrite rmorph0 mul0r.
by case: c0; exists (nth 0%coqZ c j) => //; apply: mem_nth.
Qed.

Lemma tokensP tokens : tokens_ok T n E tokens ->
  exists (x0 : 'rV[F]_d) (V : 'M[F]_((size tokens).-1, d)),
    forall (t : 'I_T) i, (row i (context_mx F n d q E t) - x0 <= V)%MS.
Proof.
case: tokens => [|x0 s]; first by case/and4P.
move=> /and4P[n0 /eqP sE _ aE] /=.
pose r (x : seq Z) : 'rV[F]_d := \row_l (toF F (nth 0%coqZ x l) / q').
exists (r x0), (\matrix_(j < size s) (r (nth [::] s j) - r x0)) => t i.
have /andP[/eqP sEt /allP aEt] :
    (size (nth [::] E t) == n) && all (fun x => x \in x0 :: s) (nth [::] E t).
  by move/all_nthP: aE => /(_ [::] t); rewrite sE ltn_ord => /(_ isT).
have -> : row i (context_mx F n d q E t) = r (nth [::] (nth [::] E t) i).
  by apply/rowP => l; rewrite !mxE.
have := aEt (nth [::] (nth [::] E t) i); rewrite mem_nth ?sEt // => /(_ isT).
rewrite inE => /predU1P[->|xs]; first by rewrite subrr sub0mx.
have xi : (index (nth [::] (nth [::] E t) i) s < size s)%N by rewrite index_mem.
by apply: eq_row_sub (Ordinal xi) _; rewrite rowK nth_index.
Qed.

Variables (H : nat) (A : 'I_T -> 'M[F]_(H, n)).
Hypothesis sA : forall t, sum1 (A t).

Lemma rank_leq_functionals V c p cols inverse :
    functionals_ok T n d E V c p cols inverse ->
  (\rank (attn_out A (context_mx F n d q E))
     <= H * (d - size V) + has (fun x => ~~ (x =? 0)%coqZ) c)%N.
Proof.
move=> /functionalsP[W [w [EW rW wc]]]; have := functional_hull EW; case: eqP wc => [w0 _|w0 wc].
  move/(linear_hull_rank A)/leq_trans; apply; rewrite mxrank_ker.
  by rewrite (leq_trans _ (leq_addr _ _)) // leq_mul2l rW orbT.
case=> x0 /(affine_hull_rank sA)/leq_trans; apply; rewrite mxrank_ker.
by apply: leq_add wc; rewrite leq_mul2l rW orbT.
Qed.

Lemma rank_leq_tokens tokens : tokens_ok T n E tokens ->
  (\rank (attn_out A (context_mx F n d q E)) <= H * (size tokens).-1 + 1)%N.
Proof.
case/tokensP => x0 [V /(affine_hull_rank sA)/leq_trans]; apply.
by rewrite leq_add2r leq_mul2l rank_leq_row orbT.
Qed.

End Hull.

(* -------------------------------------------------------------------------- *)
(* The layer of literal integers in base 2                                     *)
(* -------------------------------------------------------------------------- *)
Section Layer.
Variables (F : numFieldType) (D : layer_data).
Hypothesis okD : integer_logits D.

Theorem replay_rank_leq_functionals V c p cols inverse :
    functionals_ok (examples D) (context_length D) (embed_dim D) (contexts D) V c p cols inverse ->
  (\rank (layer_Z F D) <= heads D * (embed_dim D - size V)
     + has (fun x => ~~ (x =? 0)%coqZ) c)%N.
Proof. by apply: rank_leq_functionals => t; apply: layer_coefs_sum1. Qed.

Theorem replay_rank_leq_tokens ti :
    tokens_ok (examples D) (context_length D) (contexts D) (listed_tokens (contexts D) ti) ->
  (\rank (layer_Z F D) <= heads D * (size ti).-1 + 1)%N.
Proof.
rewrite -[size ti](size_map (fun x => nth [::] (nth [::] (contexts D) x.1) x.2)).
by apply: rank_leq_tokens => t; apply: layer_coefs_sum1.
Qed.

Theorem replay_rank_leq_size :
  (\rank (layer_Z F D) <= minn (examples D) (heads D * embed_dim D))%N.
Proof. by rewrite leq_min rank_leq_row rank_leq_col. Qed.

End Layer.

(* -------------------------------------------------------------------------- *)
(* Any layer with these contexts: the real softmax, all weights, all queries   *)
(* -------------------------------------------------------------------------- *)
Section AllWeights.
Variables (R : realType) (T H n d dh dv do dout : nat) (q : positive).
Variables (E : seq (seq (seq Z))) (e : 'I_T -> 'cV[R]_d) (P : weights R H d dh dv do dout).

Theorem replay_hull_functionals V c p cols inverse :
    functionals_ok T n d E V c p cols inverse ->
  (\rank (attention.Z (context_mx R n d q E) e P)
     <= H * (d - size V) + has (fun x => ~~ (x =? 0)%coqZ) c)%N.
Proof.
move=> ok; have /andP[n0 _] := ok; rewrite ZE Zmx_attn_out.
by apply: rank_leq_functionals ok => t; apply: coefs_sum1.
Qed.

Theorem replay_hull_tokens ti : tokens_ok T n E (listed_tokens E ti) ->
  (\rank (attention.Z (context_mx R n d q E) e P) <= H * (size ti).-1 + 1)%N.
Proof.
move=> ok; have /andP[n0 _] := ok; rewrite ZE Zmx_attn_out.
rewrite -[size ti](size_map (fun x => nth [::] (nth [::] E x.1) x.2)).
by apply: rank_leq_tokens ok => t; apply: coefs_sum1.
Qed.

Theorem replay_hull_size :
  (\rank (attention.Z (context_mx R n d q E) e P) <= minn T (H * d))%N.
Proof. by rewrite leq_min rank_leq_row rank_leq_col. Qed.

End AllWeights.
