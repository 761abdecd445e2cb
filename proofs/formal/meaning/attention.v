(* The objects of the paper on the memorization capacity of multi-head attention in Transformers: the *)
(* layer (Eqs. 1 to 6), the matrix Z (Eq. 7), Kruskal rank (Definition 1), Assumptions 1 to 3, what   *)
(* "memorizes" means, and the sinusoidal encoding of positions (Sec. 4.4).                            *)
(* These are the definitions that the headline theorems mention (README.md lists the few others); the *)
(* lemmas before the encoding only relate them to each other.                                         *)
(*                                                                                                    *)
(*                   indep_on x I == the vectors x_t, t in I, are linearly independent                *)
(*                 kruskal_rank x == Definition 1                                                     *)
(*                kruskal_geq x k == Kruskal rank at least min(k, T)                                  *)
(*             general_position x == Definition 2                                                     *)
(*   Assumption1 n e, Assumption2 E, Assumption3 E e == the assumptions                               *)
(*                   mean_token C == the mean of the tokens of a context                              *)
(*                   attn_out A E == row t: the rows of A t *m E t, concatenated                      *)
(*        sum1 A, convex_comb phi == coefficients that sum to one; positive ones                      *)
(*               relu_net a w b x == a two-layer ReLU network at x                                    *)
(*                       flat E e == the input of such a network                                      *)
(*                      softmax l == the softmax of a column vector                                   *)
(*                        stack v == H column vectors, one below the other                            *)
(*    weights R H d dh dv do dout == all weights of a layer                                           *)
(*   keys, query, alpha, head_z, head_out, layer_out, predict == Eqs. 1 to 6                          *)
(*   layer_out_skip, predict_skip == with a skip connection (Appendix C)                              *)
(*   num_params H d dh dv do dout == the number of parameters                                         *)
(*              memorizes E e P y == P predicts all labels exactly                                    *)
(*             Z E e P, Zmx E e W == Eq. 7; as a function of W_h = W_K,h W_Q,h^T                      *)
(*                 sinusoid w k c == entry c of position k, frequencies w                             *)
(*      sinusoidal_encoding w n d == the n x d matrix of these                                        *)
(*                  frequency d j == the paper's 10000^(-2j/d)                                        *)
From Attest Require Import prelude.
From mathcomp Require Import trigo.

(* -------------------------------------------------------------------------- *)
(* Linear independence and Kruskal rank, over any field                        *)
(* -------------------------------------------------------------------------- *)
Section Kruskal.
Variables (F : fieldType) (T d : nat).

(* the vectors x_t, t in I, are linearly independent                           *)
Definition indep_on (x : 'I_T -> 'cV[F]_d) (I : {set 'I_T}) : Prop :=
  forall c : 'I_T -> F, (forall t, t \notin I -> c t = 0) ->
    \sum_t c t *: x t = 0 -> forall t, c t = 0.

(* Definition 1: the largest k <= T such that every subset of size k is        *)
(* linearly independent.  (Without "k <= T" the words of the definition have   *)
(* no largest k: no subset has more than T elements.)                          *)
Definition kruskal_rank (x : 'I_T -> 'cV[F]_d) : nat :=
  \max_(k < T.+1 | `[< forall I : {set 'I_T}, #|I| = k -> indep_on x I >]) k.

(* "Kruskal rank at least k", read as "T vectors cannot have more than T" when *)
(* k > T.  For k <= T it is literally k <= kruskal_rank x.                     *)
Definition kruskal_geq (x : 'I_T -> 'cV[F]_d) (k : nat) : Prop :=
  (minn k T <= kruskal_rank x)%N.

(* Definition 2 *)
Definition general_position (x : 'I_T -> 'cV[F]_d) : Prop := kruskal_geq x d.

End Kruskal.

(* -------------------------------------------------------------------------- *)
(* The assumptions on the data                                                 *)
(* -------------------------------------------------------------------------- *)
Section Assumptions.
Variables (F : fieldType) (T n d : nat).
Variables (E : 'I_T -> 'M[F]_(n, d)) (e : 'I_T -> 'cV[F]_d).

Definition Assumption1 : Prop := kruskal_geq e n.

Definition Assumption2 : Prop := forall t, \rank (E t) = n.

(* the mean of the n tokens of a context, as a column vector                   *)
Definition mean_token (C : 'M[F]_(n, d)) : 'cV[F]_d :=
  \col_j (n%:R^-1 * \sum_i C i j).

Definition Assumption3 : Prop :=
  kruskal_geq (fun t => e t + mean_token (E t)) n.

End Assumptions.

(* -------------------------------------------------------------------------- *)
(* Concatenation of heads, over any field                                      *)
(* -------------------------------------------------------------------------- *)

(* row h of A t holds the attention coefficients of head h on example t; row t *)
(* of the result is the concatenation over h of (row h (A t)) *m E t.          *)
Definition attn_out (F : fieldType) T H n d (A : 'I_T -> 'M[F]_(H, n))
    (E : 'I_T -> 'M[F]_(n, d)) : 'M[F]_(T, H * d) :=
  \matrix_(t < T) mxvec (A t *m E t).

(* the coefficients of every head sum to one                                   *)
Definition sum1 (F : fieldType) H n (A : 'M[F]_(H, n)) := forall h, \sum_i A h i = 1.

(* positive coefficients that sum to one                                       *)
Definition convex_comb (R : realType) n (phi : 'cV[R]_n) : Prop :=
  (forall k, 0 < phi k 0) /\ \sum_k phi k 0 = 1.

(* -------------------------------------------------------------------------- *)
(* Two-layer ReLU networks (Proposition 3)                                     *)
(* -------------------------------------------------------------------------- *)
Section ReLU.
Variable R : realFieldType.

(* f(x) = sum_j a_j max(0, w_j . x + b_j), with m neurons on inputs in R^D     *)
Definition relu_net m D (a : 'I_m -> R) (w : 'I_m -> 'rV[R]_D) (b : 'I_m -> R)
    (x : 'cV[R]_D) : R := \sum_j a j * Num.max 0 ((w j *m x) 0 0 + b j).

(* the input (E, e), flattened                                                 *)
Definition flat n d (E : 'M[R]_(n, d)) (e : 'cV[R]_d) : 'cV[R]_(n * d + d) :=
  col_mx (mxvec E)^T e.

End ReLU.

(* -------------------------------------------------------------------------- *)
(* The layer                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Layer.
Variable R : realType.

Definition softmax n (l : 'cV[R]_n) : 'cV[R]_n :=
  \col_i (expR (l i 0) / \sum_j expR (l j 0)).

(* stacking H column vectors                                                   *)
Definition stack H k (v : 'I_H -> 'cV[R]_k) : 'cV[R]_(H * k) :=
  (mxvec (\matrix_(h < H) (v h)^T))^T.

(* all weights of a layer; do is the dimension of its output o                 *)
Record weights H d dh dv do dout := Weights {
  WK : 'I_H -> 'M[R]_(d, dh);
  WQ : 'I_H -> 'M[R]_(d, dh);
  WV : 'I_H -> 'M[R]_(d, dv);
  WO : 'M[R]_(H * dv, do);
  WD : 'M[R]_(do, dout)
}.

Section Eqs.
Variables (H n d dh dv do dout : nat) (P : weights H d dh dv do dout).
Variables (E : 'M[R]_(n, d)) (e : 'cV[R]_d).

Definition keys h : 'M[R]_(n, dh) := E *m WK P h.                  (* Eq. 1 *)
Definition query h : 'cV[R]_dh := (WQ P h)^T *m e.                 (* Eq. 2 *)
Definition alpha h : 'cV[R]_n := softmax (keys h *m query h).      (* Eq. 3 *)
Definition head_z h : 'cV[R]_d := E^T *m alpha h.
Definition head_out h : 'cV[R]_dv := (WV P h)^T *m head_z h.       (* Eq. 4 *)
Definition layer_out : 'cV[R]_do := (WO P)^T *m stack head_out.    (* Eq. 5 *)
Definition predict : 'cV[R]_dout := (WD P)^T *m layer_out.         (* Eq. 6 *)

End Eqs.

(* Appendix C: the layer with a skip connection (do = d)                       *)
Definition layer_out_skip H n d dh dv dout (P : weights H d dh dv d dout)
    (E : 'M[R]_(n, d)) (e : 'cV[R]_d) : 'cV[R]_d := layer_out P E e + e.
Definition predict_skip H n d dh dv dout (P : weights H d dh dv d dout)
    (E : 'M[R]_(n, d)) (e : 'cV[R]_d) : 'cV[R]_dout :=
  (WD P)^T *m layer_out_skip P E e.

(* number of real parameters                                                   *)
Definition num_params H d dh dv do dout : nat :=
  (H * (d * dh + d * dh + d * dv) + H * dv * do + do * dout)%N.

Section Data.
Variables (T n d : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

(* a layer memorizes a data set when it predicts all its labels exactly        *)
Definition memorizes H dh dv do dout (P : weights H d dh dv do dout)
    (y : 'I_T -> 'cV[R]_dout) : Prop :=
  forall t, predict P (E t) (e t) = y t.

Definition memorizes_skip H dh dv dout (P : weights H d dh dv d dout)
    (y : 'I_T -> 'cV[R]_dout) : Prop :=
  forall t, predict_skip P (E t) (e t) = y t.

(* Z (Eq. 7) as a function of W_h = W_K,h W_Q,h^T, which is all it depends on: *)
(* row t is [z_1^T ... z_H^T] with z_h = E_t^T softmax (E_t W_h e_t).          *)
Definition Zmx H (W : 'I_H -> 'M[R]_d) : 'M[R]_(T, H * d) :=
  \matrix_(t < T) (stack (fun h => (E t)^T *m softmax (E t *m W h *m e t)))^T.

(* Z of a layer (Eq. 7)                                                        *)
Definition Z H dh dv do dout (P : weights H d dh dv do dout) : 'M[R]_(T, H * d) :=
  \matrix_(t < T) (stack (head_z P (E t) (e t)))^T.

Definition coefs H (W : 'I_H -> 'M[R]_d) t : 'M[R]_(H, n) :=
  \matrix_(h < H) (softmax (E t *m W h *m e t))^T.

Lemma ZE H dh dv do dout (P : weights H d dh dv do dout) :
  Z P = Zmx (fun h => WK P h *m (WQ P h)^T).
Proof.
apply/row_matrixP => t; rewrite [LHS]rowK [RHS]rowK; congr (stack _)^T; apply/funext => h.
by rewrite /head_z /alpha /keys /query !mulmxA.
Qed.

Lemma Zmx_attn_out H (W : 'I_H -> 'M[R]_d) : Zmx W = attn_out (coefs W) E.
Proof.
apply/row_matrixP => t; rewrite !rowK trmxK; congr mxvec.
by apply/row_matrixP => h; rewrite row_mul !rowK trmx_mul trmxK.
Qed.

End Data.

(* -------------------------------------------------------------------------- *)
(* Elementary properties of softmax                                            *)
(* -------------------------------------------------------------------------- *)

Lemma sum_expR_gt0 n (l : 'cV[R]_n) : (0 < n)%N -> 0 < \sum_j expR (l j 0).
Proof.
move=> n0; rewrite (bigD1 (Ordinal n0)) //= ltr_paddr ?expR_gt0 //.
by apply: sumr_ge0 => j _; apply/ltW/expR_gt0.
Qed.

Lemma softmax_gt0 n (l : 'cV[R]_n) i : 0 < softmax l i 0.
Proof. by rewrite mxE divr_gt0 ?expR_gt0 // sum_expR_gt0 // (leq_trans _ (ltn_ord i)). Qed.

Lemma softmax_sum1 n (l : 'cV[R]_n) : (0 < n)%N -> \sum_i softmax l i 0 = 1.
Proof.
move=> n0; under eq_bigr do rewrite mxE.
by rewrite -mulr_suml divff // gt_eqF // sum_expR_gt0.
Qed.

(* any positive convex combination is a softmax: of its own logarithm           *)
Lemma softmax_ln n (phi : 'cV[R]_n) :
    (forall i, 0 < phi i 0) -> \sum_i phi i 0 = 1 ->
  softmax (\col_i ln (phi i 0)) = phi.
Proof.
move=> phi0 phi1; apply/colP => i; rewrite mxE.
under eq_bigr do rewrite mxE lnK ?posrE //.
by rewrite mxE lnK ?posrE // phi1 divr1.
Qed.

End Layer.

(* ============================================================================ *)
(* The sinusoidal encoding of positions (Sec. 4.4)                              *)
(* ============================================================================ *)
(* PE[k, 2j] = sin (k w_j), PE[k, 2j + 1] = cos (k w_j), w_j = 10000^(-2j/d).   *)

Section Encoding.
Variable R : realType.

(* column c belongs to the frequency w (c / 2)                                  *)
Definition sinusoid (w : nat -> R) (k c : nat) : R :=
  if odd c then cos (k%:R * w c./2) else sin (k%:R * w c./2).

Definition sinusoidal_encoding (w : nat -> R) n d : 'M[R]_(n, d) := \matrix_(k, c) sinusoid w k c.

(* 10000^(-2j/d)                                                               *)
Definition frequency (d j : nat) : R := (10%:R ^+ 4) `^ (- (j.*2%:R / d%:R)).

End Encoding.
