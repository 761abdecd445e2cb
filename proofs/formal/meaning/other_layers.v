(* Layers that are not the paper's, and their numbers: other coefficients than softmax, layers before          *)
(* the layer, contexts of varying length.                                                                      *)
(*                                                                                                             *)
(*                coefficient_kind == softmax; with the logits of sinks, one for each head; sigmoid            *)
(* sink_softmax m s l, sigmoid m l == m more terms exp s in the denominator; 1/(m (1 + exp(-l_i)))             *)
(*                    copies_of k t == how often the tokens of example t are repeated                          *)
(*            coefs_of R D k L a t == row h: the coefficients of head h at example t                           *)
(*      memorizes_of_kind R D k b == values, outputs and a read-out (with a bias) predict the labels           *)
(*   any_of_kind, capacity_of_kind == the largest rank of Z over all coefficients that a kind could have; over *)
(*                                    all weights of the shape and all logits of sinks                         *)
(*       numbers_of_kind R D k c q == the value of a quantity for a layer with such coefficients               *)
(*                         earlier == a layer before: attention, a network of one hidden layer, or rmsnorm     *)
(*                     layer_stack == a problem whose contexts and queries are vectors that go through layers  *)
(*                                    before                                                                   *)
(*               after_layer b x i == row i of what the layer b makes of the vectors x                         *)
(*                    entering S i == row i of what enters the layer                                           *)
(*   stack_alpha L t h, stack_mean L t h == the softmax coefficients of head h at example t, the mean of the   *)
(*                                    tokens                                                                   *)
(*                       stack_Z L == Z (Eq. 7) of the layer L behind the layers before                        *)
(*                    stack_Z_of P == the same with the weights P of the last layer                            *)
(*           stack_generic_outputs == rows of it that are different for almost all weights of the last layer   *)
(*        numbers_of_stack R S c q == the value of a quantity of a statement                                   *)
(*                      cycled N C == the list C, N %/ size C times                                            *)
(*            with_lists D N lists == the problem D with the list of tokens of each example so often, and with *)
(*                                    its projected keys                                                       *)
(*       kind_of_lists T N lists k == the kind k with so many copies                                           *)
(*          tokens_at, list_logits == the matrix of the tokens of an example, the logits of their layer        *)
(*   list_Z, list_given_Z, list_outputs == Z of any weights (Eq. 7), that of a layer of the case, and the      *)
(*                                    outputs of quantities.v, from the lists                                  *)
From Attest Require Import integers attention singular_values problem quantities statements.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Coefficients that are no softmax                                             *)
(* ============================================================================ *)
(* With a sink, and sigmoid ones (docs/mathematics.md, Other coefficients).     *)

(* Logits of sinks are over a common denominator, and not scaled.  Where the tokens of example t are a list that is *)
(* repeated, copies say how often (1 where they say nothing): then there are as many sinks, and sigmoid coefficients *)
(* are divided by it, so that sums are those of the list.                                                           *)
Inductive coefficient_kind := Softmax | Sinks (q : positive) (logits_of_sinks : seq Z) (copies : seq nat) | Sigmoid (copies : seq nat).

Definition copies_of (k : coefficient_kind) (t : nat) : nat :=
  match k with Softmax => 1%N | Sinks _ _ copies | Sigmoid copies => maxn 1 (nth 1%N copies t) end.

Section Meaning.
Variable R : realType.

Definition sink_softmax n (m : nat) (s : R) (l : 'cV[R]_n) : 'cV[R]_n :=
  \col_i (expR (l i 0) / (\sum_j expR (l j 0) + m%:R * expR s)).
Definition sigmoid n (m : nat) (l : 'cV[R]_n) : 'cV[R]_n := \col_i (m%:R * (1 + expR (- l i 0)))^-1.
(* of the logits l of m copies of a list, with a sink of logit s *)
Definition coefs_at (k : coefficient_kind) n (m : nat) (s : R) (l : 'cV[R]_n) : 'cV[R]_n :=
  match k with Softmax => softmax l | Sinks _ _ _ => sink_softmax m s l | Sigmoid _ => sigmoid m l end.

(* numbers that could be coefficients of a head *)
Definition in_range (k : coefficient_kind) n (m : nat) (phi : 'rV[R]_n) : Prop := (forall i, 0 <= phi 0 i) /\
  match k with
  | Softmax => \sum_i phi 0 i = 1
  | Sinks _ _ _ => \sum_i phi 0 i <= 1
  | Sigmoid _ => forall i, m%:R * phi 0 i <= 1
  end.

Variable D : problem.
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).

Definition sink_logit (k : coefficient_kind) (h : nat) : R :=
  if k is Sinks q s _ then (if base_two D then ln 2%:R else 1) * (toF R (nth 0%coqZ s h) / toF R (Zpos q)) else 0.

Definition head_coefficients (k : coefficient_kind) (L : layer) (a : bool) (t : 'I_T) (h : 'I_H) : 'cV[R]_n :=
  coefs_at k (copies_of k t) (sink_logit k h) (factor R D a *: logits R L t h).

Definition coefs_of (k : coefficient_kind) (L : layer) (a : bool) (t : 'I_T) : 'M[R]_(H, n) :=
  \matrix_h (head_coefficients k L a t h)^T.

Definition largest_of (P : ('I_T -> 'M[R]_(H, n)) -> Prop) : nat :=
  largest (minn T (H * d)) (fun r => exists2 A, P A & (r <= \rank (attn_out A E))%N).
Definition any_of_kind (k : coefficient_kind) : nat := largest_of (fun A => forall (t : 'I_T) h, in_range k (copies_of k t) (row h (A t))).
Definition capacity_of_kind (k : coefficient_kind) : nat := largest_of (fun A =>
  exists (s : 'I_H -> R) (P : weights R H d (d_h D) 0 0 0),
    forall (t : 'I_T) h, row h (A t) = (coefs_at k (copies_of k t) (s h) (E t *m (WK P h *m (WQ P h)^T) *m e t))^T).

(* as rank_blocks of quantities.v *)
Definition rank_blocks_of_kind (k : coefficient_kind) (c : claim) (L : layer) (a : bool) (b : blocks) : nat :=
  let A := coefs_of k L a in
  match b, head_of_claim D c, around D with
  | WithOnes l, _, _ => rank_beside (attn_out A E) true l
  | OneHead false, Some h, _ => \rank (\matrix_t (row h (A t) *m E t))
  | OneHead true, Some h, Some w => \rank (\matrix_t (row h (A t) *m head_values R w h t))
  | Outputs o l, _, Some w => rank_beside (\matrix_t mxvec (\matrix_h (row h (A t) *m head_values R w h t))) o l
  | _, _, _ => 0%N
  end.

(* as memorizes_given and memorizes_biased of claims.v *)
Definition predict_of_kind (k : coefficient_kind) (L : layer) (P : weights R H d 0 (d_v D) (d_out D) (d_out D)) (t : 'I_T) : 'cV[R]_(d_out D) :=
  (WD P)^T *m ((WO P)^T *m stack (fun h => (WV P h)^T *m ((E t)^T *m head_coefficients k L false t h))).
Definition memorizes_of_kind (k : coefficient_kind) (biased : bool) : Prop := exists2 L, given D = Some L &
  exists P b, (~~ biased -> b = 0) /\ forall t, predict_of_kind k L P t + b = @target R D t.

(* of layers whose kinds are given; a layer of a certificate has sinks of its own *)
Definition number_of_kind (layers : layer_name -> option (layer * bool)) (kind : layer_name -> coefficient_kind)
    (own : quantity -> Z) (c : claim) (q : quantity) : Z :=
  match q with
  | RankZ l => if layers l is Some (L, a) then Z.of_nat (\rank (attn_out (coefs_of (kind l) L a) E)) else 0%coqZ
  | DistinctOutputs =>
    if layers None is Some (L, a) then Z.of_nat (distinct_rows (attn_out (coefs_of (kind None) L a) E)) else 0%coqZ
  | RankWithLabels =>
    if layers None is Some (L, a) then Z.of_nat (\rank (row_mx (attn_out (coefs_of (kind None) L a) E) (label_matrix R D))) else 0%coqZ
  | Truth MemorizesGiven => Z.of_nat `[< memorizes_of_kind (kind None) false >]
  | Truth MemorizesBias => Z.of_nat `[< memorizes_of_kind (kind None) true >]
  | RankBlocks b => if layers None is Some (L, a) then Z.of_nat (rank_blocks_of_kind (kind None) c L a b) else 0%coqZ
  | RankAny => Z.of_nat (any_of_kind (kind None))
  | Capacity => Z.of_nat (capacity_of_kind (kind None))
  | _ => number R D layers own c q
  end.

Definition numbers_of_kind (k : coefficient_kind) (c : claim) : quantity -> Z :=
  if k is Softmax then numbers R D c else number_of_kind (given_layer D) (fun=> k) (fun=> 0%coqZ) c.

End Meaning.

(* ===================================================================================================== *)
(* Layers before the layer                                                                               *)
(* ===================================================================================================== *)
(* docs/certificate.md, Layers before the layer: what enters the layer, real vectors, and the numbers of *)
(* the layer behind them.                                                                                *)

Inductive activation := Relu | Silu | Tanh.

(* W_h = key query^T, and value; key and query d x width, value d x d              *)
Record earlier_head := EarlierHead {
  earlier_width : nat;
  q_earlier_key : positive; earlier_key : seq (seq Z);
  q_earlier_query : positive; earlier_query : seq (seq Z);
  q_earlier_value : positive; earlier_value : seq (seq Z)
}.

(* lists: the tokens of each row; hidden width m, weights d x m and m x d; a gain for each coordinate *)
Inductive earlier :=
  | EarlierAttention (residual : bool) (lists : seq (seq nat)) (heads : seq earlier_head)
  | EarlierNetwork (residual : bool) (f : activation) (m : nat) (q1 : positive) (weight_1 : seq (seq Z))
      (qb1 : positive) (bias_1 : seq Z) (q2 : positive) (weight_2 : seq (seq Z)) (qb2 : positive) (bias_2 : seq Z)
  | EarlierNorm (q : positive) (gain : seq Z) (epsilon_num : Z) (epsilon_den : positive).

(* sizes, scale, weights, labels and what follows the heads are those of top_problem, which has no contexts and queries *)
Record layer_stack := LayerStack {
  top_problem : problem;
  q_hidden : positive; hidden_rows : seq (seq Z);       (* rows of length d *)
  befores : seq earlier;
  example_rows : seq nat; example_tokens : seq (seq nat)     (* of each example: its row, the rows of its tokens *)
}.

Section Meaning.
Variables (R : realType) (S : layer_stack).
Local Notation T := (T (top_problem S)).
Local Notation H := (H (top_problem S)).
Local Notation d := (d (top_problem S)).

Definition activate (f : activation) (y : R) : R :=
  match f with
  | Relu => Num.max 0 y
  | Silu => y / (1 + expR (- y))
  | Tanh => (expR y - expR (- y)) / (expR y + expR (- y))
  end.

Definition row_of w (q : positive) (r : seq Z) : 'rV[R]_w := \row_j (toF R (nth 0%coqZ r j) / toF R (Zpos q)).

(* rows of x, one below the other, and their mean with the softmax of logits        *)
Definition stack_tokens (x : nat -> 'rV[R]_d) (s : seq nat) : 'M[R]_(size s, d) := \matrix_k x (nth 0%N s k).
Definition softmax_mean (x : nat -> 'rV[R]_d) (s : seq nat) (l : 'cV[R]_(size s)) : 'rV[R]_d :=
  (softmax l)^T *m stack_tokens x s.

Definition head_form (g : earlier_head) : 'M[R]_d :=
  mx R d (earlier_width g) (q_earlier_key g) (earlier_key g) *m
  (mx R d (earlier_width g) (q_earlier_query g) (earlier_query g))^T.
Definition kept_input (residual : bool) (x : 'rV[R]_d) : 'rV[R]_d := if residual then x else 0.

Definition after_layer (b : earlier) (x : nat -> 'rV[R]_d) (i : nat) : 'rV[R]_d :=
  match b with
  | EarlierAttention residual lists heads =>
    let s := nth [::] lists i in
    kept_input residual (x i) + \sum_(g <- heads) softmax_mean x (stack_tokens x s *m (head_form g *m (x i)^T))
      *m mx R d d (q_earlier_value g) (earlier_value g)
  | EarlierNetwork residual f m q1 W1 qb1 b1 q2 W2 qb2 b2 =>
    kept_input residual (x i) + map_mx (activate f) (x i *m mx R d m q1 W1 + row_of m qb1 b1) *m mx R m d q2 W2 + row_of d qb2 b2
  | EarlierNorm q gain num den =>
    let size := Num.sqrt ((\sum_j x i 0 j ^+ 2) / d%:R + toF R num / toF R (Zpos den)) in
    \row_j (x i 0 j * row_of d q gain 0 j / size)
  end.

Definition given_vectors (i : nat) : 'rV[R]_d := row_of d (q_hidden S) (nth [::] (hidden_rows S) i).
Definition entering : nat -> 'rV[R]_d := foldl (fun x b => after_layer b x) given_vectors (befores S).

Definition list_of (t : 'I_T) : seq nat := nth [::] (example_tokens S) t.

(* the layer: logits of tokens X with the query of a row y                          *)
Definition stack_logits (L : layer) (h : 'I_H) k (X : 'M[R]_(k, d)) (y : 'rV[R]_d) : 'cV[R]_k :=
  match L with
  | Factors m qk K qq Q qkb bK qqb bQ =>
    (X *m literal R d m qk K h + const_mx 1 *m (literal_bias R m qkb bK h)^T)
      *m ((literal R d m qq Q h)^T *m y^T + literal_bias R m qqb bQ h)
  | Combined q W => X *m literal R d d q W h *m y^T
  | Projected _ => 0
  end.

Section Layer.
Variable L : layer.

Definition stack_alpha (t : 'I_T) (h : 'I_H) : 'cV[R]_(size (list_of t)) :=
  softmax (factor R (top_problem S) false
    *: stack_logits L h (stack_tokens entering (list_of t)) (entering (nth 0%N (example_rows S) t))).
Definition stack_mean (t : 'I_T) (h : 'I_H) : 'rV[R]_d := (stack_alpha t h)^T *m stack_tokens entering (list_of t).
Definition stack_Z : 'M[R]_(T, H * d) := \matrix_t mxvec (\matrix_h stack_mean t h).

(* pairs of example and head with a coefficient above the claim's threshold          *)
Definition stack_saturated (c : arguments) : nat :=
  (\sum_(t < T) \sum_(h < H) `[< counted c h /\ exists i, (level R c < stack_alpha t h i 0)%R >])%N.

End Layer.

(* each example by itself, as their lists of tokens need not be equally long       *)
Definition stack_Z_of (P : weights R H d (d_h (top_problem S)) 0 0 0) : 'M[R]_(T, H * d) :=
  \matrix_t row ord0 (attention.Z (fun _ : 'I_1 => stack_tokens entering (list_of t))
    (fun _ : 'I_1 => (entering (nth 0%N (example_rows S) t))^T) P).
Definition stack_generic_outputs : nat := largest T (fun k =>
  almost_all_weights (fun P => (k <= distinct_rows (stack_Z_of P))%N)).

(* what the statements about such a layer are about                                *)
Definition number_of_stack (own : quantity -> Z) (c : claim) (q : quantity) : Z :=
  let with_layer f := if given (top_problem S) is Some L then Z.of_nat (f L) else 0%coqZ in
  match q with
  | Examples => Z.of_nat T
  | Asked => asked c
  | RankZ None => with_layer (fun L => \rank (stack_Z L))
  | DistinctOutputs => with_layer (fun L => distinct_rows (stack_Z L))
  | Saturated => with_layer (fun L => stack_saturated L (args c))
  | LargeSingularValues => with_layer (fun L => singular_count (stack_Z L) (level R (args c)))
  | Accurate => with_layer (fun L => accurate_from R (top_problem S) (args c) (stack_mean L))
  | GenericOutputs => Z.of_nat stack_generic_outputs
  | _ => own q
  end.

Definition numbers_of_stack (c : claim) : quantity -> Z := number_of_stack (fun=> 0%coqZ) c.

End Meaning.

(* ==================================================================================================== *)
(* Lists of tokens                                                                                      *)
(* ==================================================================================================== *)
(* docs/certificate.md, Lists of tokens: contexts of varying length.  The problem that is checked has   *)
(* each list as often as makes them equally long, which changes no mean: rules/heads.v proves that what *)
(* it puts out is what is put out from the lists.                                                       *)

Definition cycled (A : Type) (N : nat) (C : seq A) : seq A := flatten (nseq (N %/ size C) C).

Definition cycled_keys (N : nat) (L : layer) : layer :=
  if L is Projected (Projection w qq Q qk K) then
    Projected (Projection w qq Q qk [seq [seq cycled N keys | keys <- heads] | heads <- K])
  else L.

Definition with_lists (D : problem) (N : nat) (lists : nat -> seq (seq Z)) : problem :=
  Problem (T D) (H D) N (d D) (d_h D) (d_v D) (d_out D) (base_two D) (logit_scale D)
    (q_contexts D) (fun t => cycled N (lists t)) (q_queries D) (queries D) (omap (cycled_keys N) (given D)) (q_labels D) (labels D)
    (around D).

Definition kind_of_lists (T N : nat) (lists : nat -> seq (seq Z)) (k : coefficient_kind) : coefficient_kind :=
  let copies := [seq (N %/ size (lists t))%N | t <- iota 0 T] in
  match k with Softmax => Softmax | Sinks q s _ => Sinks q s copies | Sigmoid _ => Sigmoid copies end.

Section Meaning.
Variables (R : realType) (D : problem) (lists : nat -> seq (seq Z)).

Definition tokens_at (t : 'I_(T D)) : 'M[R]_(size (lists t), d D) := mx R _ _ (q_contexts D) (lists t).

Definition list_Z (P : weights R (H D) (d D) (d_h D) 0 0 0) : 'M[R]_(T D, H D * d D) :=
  \matrix_t (stack (head_z P (tokens_at t) (e R D t)))^T.

Definition list_logits (L : layer) (t : 'I_(T D)) (h : 'I_(H D)) : 'cV[R]_(size (lists t)) :=
  match L with
  | Factors m qk K qq Q qkb bK qqb bQ =>
    (tokens_at t *m literal R (d D) m qk K h + const_mx 1 *m (literal_bias R m qkb bK h)^T)
      *m ((literal R (d D) m qq Q h)^T *m e R D t + literal_bias R m qqb bQ h)
  | Combined q W => tokens_at t *m literal R (d D) (d D) q W h *m e R D t
  | Projected p =>
    mx R (size (lists t)) (projected_width p) (q_projected_keys p) (nth [::] (nth [::] (projected_keys p) t) h)
      *m (row h (mx R (H D) (projected_width p) (q_projected_queries p) (nth [::] (projected_queries p) t)))^T
  end.

Definition list_given_Z (L : layer) (a : bool) : 'M[R]_(T D, H D * d D) :=
  \matrix_t (stack (fun h => (tokens_at t)^T *m softmax (factor R D a *: list_logits L t h)))^T.

Definition list_outputs m (s : R) (bK bQ : 'I_(H D) -> 'cV[R]_m) (w : parameter D m -> R) (t : 'I_(T D)) : 'cV[R]_(d_out D) :=
  \sum_h (readout_of w h)^T *m ((tokens_at t)^T *m
    softmax (s *: ((tokens_at t *m key_of w h + const_mx 1 *m (bK h)^T) *m ((query_of w h)^T *m e R D t + bQ h)))).

End Meaning.
