(* The proved checker, all weights of all layers free: a lower bound of the functional dimension, by enclosures of     *)
(* the derivatives of the outputs at weights that are written down.                                                    *)
(*                                                                                                                     *)
(*             moves_by A dA == the matrix dA is the derivative of x |-> A x at 0                                      *)
(*   head_motion, head_moves == the derivative of what a head puts out                                                 *)
(*                layer_form == a layer: the rows that its rows come from, their tokens, and heads with weights        *)
(*    stages, motion_through == what goes through layers, and how it moves with a parameter                            *)
(*      free_J_ok, free_J_rank == a square part of J at these weights, with nearly an inverse, bounds the functional    *)
(*                               dimension from below                                                                  *)
From Attest Require Import integers.
From mathcomp Require Import classical_sets functions derive realfun.
From Attest Require Import attention upper_bounds problem literal_arithmetic logits quantities statements other_layers.
From Attest Require Import enclosures elimination rational_matrices intervals stack_quantities free_stacks jacobians stack_enclosures.
Import numFieldNormedType.Exports.

Local Notation Z := BinNums.Z.

(* ============================================================================ *)
(* Derivatives                                                                  *)
(* ============================================================================ *)
Section Moves.
Variable R : realType.

Definition moves_by m n (A : R -> 'M[R]_(m, n)) (dA : 'M[R]_(m, n)) : Prop :=
  forall i j, is_derive (0 : R) 1 (fun x => A x i j) (dA i j).

Lemma moves_eq m n (A : R -> 'M[R]_(m, n)) B dA dB : A =1 B -> dA = dB -> moves_by A dA -> moves_by B dB.
Proof. by move=> /funext -> ->. Qed.

Lemma moves_line m n (A B : 'M[R]_(m, n)) : moves_by (fun x => A + x *: B) B.
Proof.
move=> i j; rewrite (_ : (fun x => _) = fun x => A i j + x * B i j); first exact: is_derive_line.
by apply/funext => x; rewrite !mxE.
Qed.

Lemma moves_const m n (A : 'M[R]_(m, n)) : moves_by (fun=> A) 0.
Proof. by apply: moves_eq (moves_line A 0) => // x; rewrite scaler0 addr0. Qed.

Lemma moves_tr m n (A : R -> 'M[R]_(m, n)) dA : moves_by A dA -> moves_by (fun x => (A x)^T) dA^T.
Proof.
move=> Am i j; rewrite mxE (_ : (fun x => _) = fun x => A x j i); first exact: Am.
by apply/funext => x; rewrite mxE.
Qed.

Lemma moves_sum (I : Type) (l : seq I) m n (A : I -> R -> 'M[R]_(m, n)) dA : (forall k, moves_by (A k) (dA k)) ->
  moves_by (fun x => \sum_(k <- l) A k x) (\sum_(k <- l) dA k).
Proof.
move=> Am i j; elim: l => [|k l IH].
  rewrite big_nil mxE (_ : (fun x => _) = cst 0); first exact: is_derive_cst.
  by apply/funext => x; rewrite big_nil mxE.
rewrite big_cons mxE (_ : (fun x => _) = (fun x => A k x i j) + (fun x => (\sum_(k <- l) A k x) i j)).
  exact: is_deriveD (Am k i j) IH.
by apply/funext => x; rewrite big_cons mxE.
Qed.

Lemma moves_add m n (A B : R -> 'M[R]_(m, n)) dA dB : moves_by A dA -> moves_by B dB -> moves_by (fun x => A x + B x) (dA + dB).
Proof.
move=> Am Bm i j; rewrite mxE (_ : (fun x => _) = (fun x => A x i j) + (fun x => B x i j)); first exact: is_deriveD (Am i j) (Bm i j).
by apply/funext => x; rewrite mxE.
Qed.

Lemma moves_mul m n l (A : R -> 'M[R]_(m, n)) (B : R -> 'M[R]_(n, l)) dA dB : moves_by A dA -> moves_by B dB ->
  moves_by (fun x => A x *m B x) (dA *m B 0 + A 0 *m dB).
Proof.
move=> Am Bm i j; rewrite (_ : (fun x => _) = fun x => \sum_k A x i k * B x k j); last by apply/funext => x; rewrite mxE.
rewrite mxE [X in X + _]mxE [X in _ + X]mxE -big_split /=; apply: is_derive_fsum => k.
have := is_deriveM (Am i k) (Bm k j); rewrite /GRing.scale /= addrC [B 0 k j * _]mulrC; exact.
Qed.

Definition softmax_motion n (a l : 'cV[R]_n) : 'cV[R]_n := \col_i (a i 0 * (l i 0 - (a^T *m l) 0 0)).

Lemma moves_softmax n (l : R -> 'cV[R]_n) dl : moves_by l dl -> moves_by (fun x => softmax (l x)) (softmax_motion (softmax (l 0)) dl).
Proof.
move=> lm i j; rewrite (ord1 j) mxE; have n0 : (0 < n)%N := leq_ltn_trans (leq0n i) (ltn_ord i).
pose S x := \sum_k expR (l x k 0).
have S0 x : S x != 0 by apply: lt0r_neq0; exact: sum_expR_gt0.
have dp k : is_derive (0 : R) 1 (fun x => expR (l x k 0)) (expR (l 0 k 0) * dl k 0).
  exact: (@is_derive1_comp R expR (fun x => l x k 0) 0 _ _ (is_derive_expR _) (lm k 0)).
have dS : is_derive (0 : R) 1 S (\sum_k expR (l 0 k 0) * dl k 0) by apply: is_derive_fsum.
have dV := is_deriveV (S0 0) dS.
rewrite (_ : (fun x => _) = (fun x => expR (l x i 0)) * (fun x => (S x)^-1)); last first.
  by apply/funext => x; rewrite mxE.
apply: is_derive_eq; rewrite /GRing.scale /=.
have -> : ((softmax (l 0))^T *m dl) 0 0 = (S 0)^-1 * \sum_k expR (l 0 k 0) * dl k 0.
  by rewrite mxE mulr_sumr; apply: eq_bigr => k _; rewrite !mxE /S mulrAC mulrC mulrA.
rewrite mxE -/(S 0); move: (S 0) (S0 0) => s s0; move: (\sum_k _) (expR _) (dl i 0) => A P D.
by rewrite exprSr expr1; field.
Qed.

(* --- a head *)
Section Head.
Variables (S : layer_stack) (w e : nat) (s : seq nat).
Local Notation d := (d (top_problem S)).

Definition free_head_out (x : nat -> 'rV[R]_d) (y : 'rV[R]_d) (A B : 'M[R]_(d, w)) (V : 'M[R]_(d, e)) : 'rV[R]_e :=
  (softmax (stack_tokens x s *m (A *m B^T *m y^T)))^T *m stack_tokens x s *m V.

(* du: how the direction moves that the tokens are multiplied with *)
Definition head_motion (x : nat -> 'rV[R]_d) (y : 'rV[R]_d) (A B : 'M[R]_(d, w)) (V : 'M[R]_(d, e))
    (dx : nat -> 'rV[R]_d) (du : 'rV[R]_d) (dV : 'M[R]_(d, e)) : 'rV[R]_e :=
  let X := stack_tokens x s in let u := y *m B *m A^T in let a := softmax (X *m u^T) in
  let dl := stack_tokens dx s *m u^T + X *m du^T in
  ((softmax_motion a dl)^T *m X + a^T *m stack_tokens dx s) *m V + a^T *m X *m dV.

Lemma moves_tokens (x : R -> nat -> 'rV[R]_d) dx : (forall i, moves_by (x ^~ i) (dx i)) ->
  moves_by (fun z => stack_tokens (x z) s) (stack_tokens dx s).
Proof.
move=> xm i j; rewrite mxE (_ : (fun z => _) = fun z => x z (nth 0%N s i) 0 j); first exact: xm.
by apply/funext => z; rewrite mxE.
Qed.

Lemma head_moves (x : R -> nat -> 'rV[R]_d) dx (y : R -> 'rV[R]_d) dy A dA B dB V dV : (forall i, moves_by (x ^~ i) (dx i)) ->
    moves_by y dy -> moves_by A dA -> moves_by B dB -> moves_by V dV ->
  moves_by (fun z => free_head_out (x z) (y z) (A z) (B z) (V z))
    (head_motion (x 0) (y 0) (A 0) (B 0) (V 0) dx
      ((dy *m B 0 + y 0 *m dB) *m (A 0)^T + y 0 *m B 0 *m dA^T) dV).
Proof.
move=> xm ym Am Bm Vm; have Xm := moves_tokens xm.
have um := moves_mul (moves_mul ym Bm) (moves_tr Am).
have am := moves_softmax (moves_mul Xm (moves_tr um)).
apply: moves_eq (moves_mul (moves_mul (moves_tr am) Xm) Vm) => // z.
by rewrite /free_head_out !trmx_mul trmxK mulmxA.
Qed.

End Head.
End Moves.

(* ============================================================================ *)
(* Enclosures                                                                   *)
(* ============================================================================ *)
Definition minus (x y : Z * Z) : Z * Z := (x.1 - y.2, x.2 - y.1)%coqZ.
Definition row_with (w j : nat) (x : Z * Z) : seq (Z * Z) := [seq if eqn b j then x else (0, 0)%coqZ | b <- iota 0 w].
Definition sum_iv (start : seq (Z * Z)) (vs : seq (seq (Z * Z))) : seq (Z * Z) := foldr add_iv start vs.

(* A row of the layer is made of the row that it comes from and its tokens. *)
Record layer_form := Form { keeps : bool; across : nat; owns : seq nat; lists_at : seq (seq nat); heads_at : seq earlier_head }.
(* of a head at a row: the query times keys, once and for each coordinate; coefficients; the mean of the tokens *)
Record seen := Seen { inner : seq (Z * Z); seen_along : seq (Z * Z); seen_alpha : seq (Z * Z); seen_mean : seq (Z * Z) }.
Record stage := Stage { of_form : layer_form; rows_in : seq (seq (Z * Z)); looks : seq (seq seen) }.

Definition no_head : earlier_head := EarlierHead 0 1 [::] 1 [::] 1 [::].
Definition nothing_seen : seen := Seen [::] [::] [::] [::].
Definition layer_of (par : free_parameter) : nat := match par with KeyAt l _ _ _ | QueryAt l _ _ _ | ValueAt l _ _ _ => l end.

Section Compute.
Variables (d : nat) (p : precision) (gs : seq digit).

Definition look (rows : seq (seq (Z * Z))) (s : seq nat) (y : seq (Z * Z)) (g : earlier_head) : seen :=
  let w := earlier_width g in
  let inner := iv_mulmx w (q_earlier_query g) (earlier_query g) y in
  let seen_along := iv_mulmx d (q_earlier_key g) (transposed w (earlier_key g)) inner in
  let tokens := iv_tokens rows s in
  let alpha := iv_softmax p gs [seq iv_dot p x seen_along | x <- tokens] in
  Seen inner seen_along alpha (iv_combination p d alpha tokens).

Definition to_values (e : nat) (g : earlier_head) : seq (Z * Z) -> seq (Z * Z) := iv_mulmx e (q_earlier_value g) (earlier_value g).

(* how the mean moves with logits that move by l *)
Definition mean_motion (c : seq (Z * Z)) (tokens : seq (seq (Z * Z))) (l : seq (Z * Z)) : seq (Z * Z) :=
  let m := iv_dot p c l in iv_combination p d [seq iv_times p x.1 (minus x.2 m) | x <- zip c l] tokens.

(* what moves with the rows that enter, and with a weight of the head *)
Definition carried (e : nat) (rows moved : seq (seq (Z * Z))) (s : seq nat) (dy : seq (Z * Z)) (v : seen) (g : earlier_head) :=
  let w := earlier_width g in let tokens := iv_tokens rows s in let moving := iv_tokens moved s in
  let du := iv_mulmx d (q_earlier_key g) (transposed w (earlier_key g)) (iv_mulmx w (q_earlier_query g) (earlier_query g) dy) in
  let l := [seq plus (iv_dot p x.2 (seen_along v)) (iv_dot p x.1 du) | x <- zip tokens moving] in
  to_values e g (add_iv (mean_motion (seen_alpha v) tokens l) (iv_combination p d (seen_alpha v) moving)).
Definition begun (e : nat) (rows : seq (seq (Z * Z))) (s : seq nat) (y : seq (Z * Z)) (v : seen) (g : earlier_head)
    (l k : nat) (par : free_parameter) : seq (Z * Z) :=
  let w := earlier_width g in
  let zero := nseq e (0, 0)%coqZ in
  let by_direction du := let tokens := iv_tokens rows s in
    to_values e g (mean_motion (seen_alpha v) tokens [seq iv_dot p x du | x <- tokens]) in
  match par with
  | KeyAt l' k' i j => if eqn l l' && eqn k k' then by_direction (row_with d i (nth (0, 0)%coqZ (inner v) j)) else zero
  | QueryAt l' k' i j => if eqn l l' && eqn k k'
    then by_direction (iv_mulmx d (q_earlier_key g) (transposed w (earlier_key g)) (row_with w j (nth (0, 0)%coqZ y i))) else zero
  | ValueAt l' k' i j => if eqn l l' && eqn k k' then row_with e j (nth (0, 0)%coqZ (seen_mean v) i) else zero
  end.

Definition own_of (F : layer_form) (rows : seq (seq (Z * Z))) (i : nat) : seq (Z * Z) := nth [::] rows (nth 0%N (owns F) i).
Definition kept_of (F : layer_form) (rows : seq (seq (Z * Z))) (i : nat) : seq (Z * Z) :=
  if keeps F then own_of F rows i else nseq (across F) (0, 0)%coqZ.
Definition by_heads (F : layer_form) (f : nat -> earlier_head -> seq (Z * Z)) : seq (seq (Z * Z)) :=
  [seq f k (nth no_head (heads_at F) k) | k <- iota 0 (size (heads_at F))].

Definition look_all (F : layer_form) (rows : seq (seq (Z * Z))) : seq (seq seen) :=
  [seq [seq look rows (nth [::] (lists_at F) i) (own_of F rows i) g | g <- heads_at F] | i <- iota 0 (size (owns F))].
Definition outs (st : stage) : seq (seq (Z * Z)) :=
  let F := of_form st in
  [seq let vs := nth [::] (looks st) i in
    sum_iv (kept_of F (rows_in st) i) (by_heads F (fun k g => to_values (across F) g (seen_mean (nth nothing_seen vs k))))
  | i <- iota 0 (size (owns F))].

(* None: no row moves *)
Definition moved_rows (st : stage) (l : nat) (par : free_parameter) (dx : option (seq (seq (Z * Z)))) : option (seq (seq (Z * Z))) :=
  let F := of_form st in let e := across F in let rows := rows_in st in
  match dx with
  | Some moved => Some [seq let vs := nth [::] (looks st) i in let s := nth [::] (lists_at F) i in
      sum_iv (kept_of F moved i)
        (by_heads F (fun k g => carried e rows moved s (own_of F moved i) (nth nothing_seen vs k) g))
    | i <- iota 0 (size (owns F))]
  | None => if eqn l (layer_of par) then Some [seq let vs := nth [::] (looks st) i in let s := nth [::] (lists_at F) i in
      sum_iv (nseq e (0, 0)%coqZ)
        (by_heads F (fun k g => begun e rows s (own_of F rows i) (nth nothing_seen vs k) g l k par))
    | i <- iota 0 (size (owns F))] else None
  end.

Fixpoint stages (rows : seq (seq (Z * Z))) (Fs : seq layer_form) : seq stage * seq (seq (Z * Z)) :=
  if Fs is F :: Fs' then let st := Stage F rows (look_all F rows) in let r := stages (outs st) Fs' in (st :: r.1, r.2) else ([::], rows).
Fixpoint motion_through (sts : seq stage) (l : nat) (par : free_parameter) (dx : option (seq (seq (Z * Z)))) : option (seq (seq (Z * Z))) :=
  if sts is st :: sts' then motion_through sts' l.+1 par (moved_rows st l par dx) else dx.

End Compute.

Definition fitting (b : earlier) (hs : seq earlier_head) : bool :=
  if b is EarlierAttention _ _ heads then [seq earlier_width g | g <- hs] == [seq earlier_width g | g <- heads] else false.
Definition form_of (d N : nat) (b : earlier) (hs : seq earlier_head) : layer_form :=
  if b is EarlierAttention residual lists _ then Form residual d (iota 0 N) lists hs else Form false d [::] [::] [::].

(* the derivatives of the outputs by the parameters at these weights, by parameters *)
Definition iv_free_J (S : layer_stack) (ws : seq (seq earlier_head)) (last : seq earlier_head) (p : precision)
    (rows : seq (nat * nat)) (pars : seq free_parameter) : seq (seq (Z * Z)) :=
  let D := top_problem S in let gs := digits_of p in let N := size (hidden_rows S) in
  let F := Form false (d_out D) (example_rows S) (example_tokens S) last in
  let sts := stages (d D) p gs (iv_given S p) [seq form_of (d D) N x.1 x.2 | x <- zip (befores S) ws] in
  let st := Stage F sts.2 (look_all (d D) p gs F sts.2) in
  [seq let moved := odflt [::] (moved_rows (d D) p st (size (befores S)) par (motion_through (d D) p sts.1 0 par None)) in
    [seq nth (0, 0)%coqZ (nth [::] moved r.1) r.2 | r <- rows] | par <- pars].

Definition free_J_ok (S : layer_stack) (ws : seq (seq earlier_head)) (last : seq earlier_head) (bits : nat)
    (rows : seq (nat * nat)) (pars : seq free_parameter) (q : positive) (V : seq (seq Z)) : bool :=
  let D := top_problem S in let N := size (hidden_rows S) in let k := size rows in let p := precision_of bits in
  [&& (size ws == size (befores S)) && all (fun x => fitting x.1 x.2) (zip (befores S) ws),
    (size last == H D) && all (fun g => earlier_width g == d_h D) last,
    all (fun b => if b is EarlierAttention _ lists _ then rows_inside N lists else false) (befores S),
    [&& (size (example_rows S) == T D)%N, all (fun j => j < N)%N (example_rows S) & rows_inside N (example_tokens S)],
    all (fun r => (r.1 < T D) && (r.2 < d_out D))%N rows & (size pars == k) && sizes_are k k V] &&
  let one := (Zpos q * Zpos (2 * denominator p))%coqZ in
  all (fun x => x <? one)%coqZ (defects_of k one (iv_free_J S ws last p rows pars) (nseq k 1%coqZ) V).

(* -------------------------------------------------------------------------- *)
(* Meaning                                                                     *)
(* -------------------------------------------------------------------------- *)
Section Meaning.
Variables (R : realType) (S : layer_stack) (p : precision).
Local Notation d := (d (top_problem S)).
Local Notation gs := (digits_of p).
Local Notation K := (toF R (Zpos (denominator p))).
Local Notation right v x := (encloses K v x).
Local Notation key_mx g w := (mx R d w (q_earlier_key g) (earlier_key g)).
Local Notation query_mx g w := (mx R d w (q_earlier_query g) (earlier_query g)).
Local Notation value_mx g e := (mx R d e (q_earlier_value g) (earlier_value g)).

Lemma head_moves_line s w e (x : R -> nat -> 'rV[R]_d) dx (y : R -> 'rV[R]_d) dy (A dA B dB : 'M[R]_(d, w)) (V dV : 'M[R]_(d, e)) :
    (forall i, moves_by (x ^~ i) (dx i)) -> moves_by y dy ->
  moves_by (fun z => free_head_out s (x z) (y z) (A + z *: dA) (B + z *: dB) (V + z *: dV))
    (head_motion s (x 0) (y 0) A B V dx ((dy *m B + y 0 *m dB) *m A^T + y 0 *m B *m dA^T) dV).
Proof.
move=> xm ym; pose A' z := A + z *: dA; pose B' z := B + z *: dB; pose V' z := V + z *: dV.
have Am : moves_by A' dA by apply: moves_line.
have Bm : moves_by B' dB by apply: moves_line.
have Vm : moves_by V' dV by apply: moves_line.
have := head_moves s xm ym Am Bm Vm.
have -> : A' 0 = A by rewrite /A' scale0r addr0.
have -> : B' 0 = B by rewrite /B' scale0r addr0.
by have -> : V' 0 = V by rewrite /V' scale0r addr0.
Qed.

Lemma near_minus (v w : R) x y : within_iv p v x -> within_iv p w y -> within_iv p (v - w) (minus x y).
Proof.
rewrite /within_iv mulrBr => /andP[lx hx] /andP[ly hy]; rewrite /inside /minus /= !toFB.
by apply/andP; split; apply: ler_sub.
Qed.

Lemma right_unit w j (y : R) x : within_iv p y x -> right (\row_(b < w) (y * (nat_of_ord b == j)%:R)) (row_with w j x).
Proof.
move=> yx; split=> [|k]; first by rewrite size_map size_iota.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n mxE -[eqn k j]/(nat_of_ord k == j).
by case: (_ == j); rewrite ?mulr1 // mulr0; apply: near0.
Qed.

Lemma right_nth w (v : 'rV[R]_w) s i : right v s -> within_iv p (\sum_(b < w) v 0 b * (nat_of_ord b == i)%:R) (nth (0, 0)%coqZ s i).
Proof.
move=> [ss vs]; have [iw|wi] := ltnP i w.
  rewrite (bigD1 (Ordinal iw)) //= eqxx mulr1 big1 ?addr0 => [|b bi]; first exact: (vs (Ordinal iw)).
  by rewrite (_ : (nat_of_ord b == i) = false) ?mulr0 //; apply: negbTE.
rewrite nth_default ?ss // big1 => [|b _]; first exact: near0.
by rewrite (_ : (nat_of_ord b == i) = false) ?mulr0 //; apply: ltn_eqF; apply: leq_trans (ltn_ord b) wi.
Qed.

Lemma right_combination x rows s (c : 'cV[R]_(size s)) cs : right_rows p x rows -> all (fun j => j < size rows)%N s ->
    size cs = size s -> (forall k, within_iv p (c k 0) (nth (0, 0)%coqZ cs k)) ->
  right (c^T *m stack_tokens (S := S) x s) (iv_combination p d cs (iv_tokens rows s)).
Proof.
move=> xr sr sc lc; have ts := tokens_sizes xr sr; split=> [|k]; first exact: size_iv_combination.
have -> : (c^T *m stack_tokens x s) 0 k = \sum_i c i 0 * x (nth 0%N s i) 0 k.
  by rewrite mxE; apply: eq_bigr => i _; rewrite mxE [X in _ * X]mxE.
apply: (near_combination (X := fun i : 'I_(size s) => x (nth 0%N s i))) => // [|i k']; first by rewrite size_map.
rewrite (nth_map 0%N) //; have [_] := xr (nth 0%N s i) (allP sr _ (mem_nth 0%N (ltn_ord i))); exact.
Qed.

Lemma right_dots x rows s u v : right_rows (S := S) p x rows -> all (fun j => j < size rows)%N s -> right (u : 'rV[R]_d) v ->
  size [seq iv_dot p y v | y <- iv_tokens rows s] = size s /\
  forall k, within_iv p ((stack_tokens x s *m u^T) k 0) (nth (0, 0)%coqZ [seq iv_dot p y v | y <- iv_tokens rows s] k).
Proof.
move=> xr sr uv; split=> [|k]; first by rewrite !size_map.
rewrite stack_tokens_mul (nth_map [::]) ?size_map // (nth_map 0%N) //.
by apply: dot_along uv; apply: xr; apply: (allP sr); apply: mem_nth.
Qed.

Lemma softmax_motion0 n (a : 'cV[R]_n) : softmax_motion a 0 = 0.
Proof. by apply/colP => i; rewrite mxE mulmx0 !mxE subrr mulr0. Qed.

Section Head.
Variables (x : nat -> 'rV[R]_d) (rows : seq (seq (Z * Z))) (s : seq nat) (y : 'rV[R]_d) (v : seq (Z * Z)) (g : earlier_head).
Hypotheses (xr : right_rows p x rows) (sr : all (fun j => j < size rows)%N s) (yv : right y v).
Local Notation w := (earlier_width g).
Let X := stack_tokens x s.
Let u := y *m query_mx g w *m (key_mx g w)^T.
Let a := softmax (X *m u^T).
Let seen_here := look d p gs rows s v g.

Lemma right_inner : right (y *m query_mx g w) (inner seen_here). Proof. exact: right_mulmx. Qed.
Lemma right_u : right u (seen_along seen_here).
Proof. by rewrite /u -mx_transposed; apply: right_mulmx; apply: right_inner. Qed.
Lemma right_a : size (seen_alpha seen_here) = size s /\ forall k, within_iv p (a k 0) (nth (0, 0)%coqZ (seen_alpha seen_here) k).
Proof.
have [sl ll] := right_dots xr sr right_u; split=> [|k]; first by rewrite size_iv_softmax.
exact: near_softmax.
Qed.
Lemma right_seen_mean : right (a^T *m X) (seen_mean seen_here).
Proof. by have [sa aa] := right_a; apply: right_combination. Qed.

Lemma right_mean_motion (l : 'cV[R]_(size s)) ls : size ls = size s -> (forall k, within_iv p (l k 0) (nth (0, 0)%coqZ ls k)) ->
  right ((softmax_motion a l)^T *m X) (mean_motion d p (seen_alpha seen_here) (iv_tokens rows s) ls).
Proof.
move=> sl ll; have [sa aa] := right_a; apply: right_combination => // [|k]; first by rewrite size_map size_zip sa sl minnn.
rewrite (nth_map ((0, 0), (0, 0))%coqZ) ?size_zip ?sa ?sl ?minnn // nth_zip ?sa ?sl // mxE.
apply: near_timesP; first exact: aa.
apply: near_minus; first exact: ll.
rewrite mxE; rewrite (_ : \sum_j _ = \sum_j a j 0 * l j 0); first exact: near_dot.
by apply: eq_bigr => j _; rewrite mxE.
Qed.

Lemma right_values e (m : 'rV[R]_d) ms : right m ms -> right (m *m value_mx g e) (to_values e g ms).
Proof. exact: right_mulmx. Qed.

Lemma tokens0 : stack_tokens (R := R) (S := S) (fun=> 0) s = 0.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.

Lemma head_motion0 w' e A B (V : 'M[R]_(d, e)) : head_motion (w := w') s x y A B V (fun=> 0) 0 0 = 0.
Proof.
rewrite /head_motion tokens0 mul0mx trmx0 mulmx0 addr0 !mulmx0 !addr0.
by rewrite softmax_motion0 trmx0 !mul0mx.
Qed.

Lemma right_carried e dx moved dy dv : right_rows p dx moved -> size moved = size rows -> right dy dv ->
  right (head_motion s x y (key_mx g w) (query_mx g w) (value_mx g e) dx (dy *m query_mx g w *m (key_mx g w)^T) 0)
    (carried d p e rows moved s dv seen_here g).
Proof.
move=> dr sm dyv; rewrite /head_motion mulmx0 addr0; apply: right_values.
have mr : all (fun j => j < size moved)%N s by rewrite sm.
have [sa aa] := right_a; rewrite -/u -/X -/a; apply: right_add; last exact: right_combination.
have rdu : right (dy *m query_mx g w *m (key_mx g w)^T)
    (iv_mulmx d (q_earlier_key g) (transposed w (earlier_key g)) (iv_mulmx w (q_earlier_query g) (earlier_query g) dv)).
  by rewrite -mx_transposed; apply: right_mulmx; apply: right_mulmx.
apply: right_mean_motion => [|k]; first by rewrite size_map size_zip !size_map minnn.
rewrite (nth_map ([::], [::])) ?size_zip ?size_map ?minnn // nth_zip ?size_map // mxE.
have [_ d1] := right_dots dr mr right_u; have [_ d2] := right_dots xr sr rdu.
move: (d1 k) (d2 k); rewrite !(nth_map [::]) ?size_map //; exact: near_plus.
Qed.

Lemma mul_unit m n l k at_p (r : 'rV[R]_m) : let: (l', k', i, j) := at_p in
  r *m entry_at R l k m n at_p = ((l == l') && (k == k'))%:R *: \row_(b < n) ((\sum_(c < m) r 0 c * (nat_of_ord c == i)%:R) * (nat_of_ord b == j)%:R).
Proof.
case: at_p => [[[l' k'] i] j]; apply/rowP => b; rewrite !mxE.
under eq_bigr do rewrite mxE !xpair_eqE -!andbA.
case: (l == l') => /=; last by rewrite mul0r big1 // => c _; rewrite mulr0.
case: (k == k') => /=; last by rewrite mul0r big1 // => c _; rewrite mulr0.
rewrite mul1r mulr_suml; apply: eq_bigr => c _; rewrite -mulrA; congr (_ * _).
by case: (nat_of_ord c == i); case: (nat_of_ord b == j); rewrite ?mulr0 ?mulr1.
Qed.

Lemma mul_unit_tr m n l k at_p (r : 'rV[R]_n) : let: (l', k', i, j) := at_p in
  r *m (entry_at R l k m n at_p)^T = ((l == l') && (k == k'))%:R *: \row_(b < m) ((\sum_(c < n) r 0 c * (nat_of_ord c == j)%:R) * (nat_of_ord b == i)%:R).
Proof.
case: at_p => [[[l' k'] i] j].
have -> : (entry_at R l k m n (l', k', i, j))^T = entry_at R l k n m (l', k', j, i).
  apply/matrixP => b c; rewrite !mxE !xpair_eqE -!andbA; congr (_%:R); congr nat_of_bool.
  by congr (_ && (_ && _)); exact: andbC.
exact: (mul_unit _ _ _ (l', k', j, i)).
Qed.

Lemma right_begun e l k par :
  right (head_motion s x y (key_mx g w) (query_mx g w) (value_mx g e) (fun=> 0)
      ((0 *m query_mx g w + y *m unit_of_query R par l k d w) *m (key_mx g w)^T + y *m query_mx g w *m (unit_of_key R par l k d w)^T)
      (unit_of_value R par l k d e))
    (begun d p e rows s v seen_here g l k par).
Proof.
have by_direction du dv : right du dv ->
    right (head_motion s x y (key_mx g w) (query_mx g w) (value_mx g e) (fun=> 0) du 0)
      (to_values e g (mean_motion d p (seen_alpha seen_here) (iv_tokens rows s) [seq iv_dot p x0 dv | x0 <- iv_tokens rows s])).
  move=> rdu; rewrite /head_motion tokens0 mul0mx add0r !mulmx0 !addr0 -/u -/X -/a; apply: right_values.
  by have [sd dd] := right_dots xr sr rdu; apply: right_mean_motion.
have zero : right (head_motion s x y (key_mx g w) (query_mx g w) (value_mx g e) (fun=> 0) 0 0) (nseq e (0, 0)%coqZ).
  by rewrite head_motion0; apply: encloses0.
rewrite /begun mul0mx add0r; case: par => l' k' i j; rewrite /unit_of_query /unit_of_key /unit_of_value ?trmx0 ?mulmx0 ?mul0mx ?addr0 ?add0r.
- rewrite (mul_unit_tr _ _ _ (l', k', i, j)) -[eqn l l']/(l == l') -[eqn k k']/(k == k').
  case: (_ && _); rewrite ?scale0r // scale1r; apply: by_direction; apply: right_unit; apply: right_nth; exact: right_inner.
- rewrite (mul_unit _ _ _ (l', k', i, j)) -[eqn l l']/(l == l') -[eqn k k']/(k == k').
  case: (_ && _); rewrite ?scale0r ?mul0mx // scale1r; apply: by_direction.
  rewrite -mx_transposed; apply: right_mulmx; apply: right_unit; exact: right_nth.
rewrite /head_motion tokens0 mul0mx trmx0 !mulmx0 !addr0 -/u -/X -/a.
rewrite softmax_motion0 trmx0 !mul0mx add0r (mul_unit _ _ _ (l', k', i, j)) -[eqn l l']/(l == l') -[eqn k k']/(k == k').
case: (_ && _); rewrite ?scale0r ?scale1r; last exact: encloses0.
apply: right_unit; apply: right_nth; exact: right_seen_mean.
Qed.

End Head.

Lemma right_sum e (l : seq nat) (f : nat -> 'rV[R]_e) (h : nat -> seq (Z * Z)) a start : right a start ->
    (forall i, i \in l -> right (f i) (h i)) ->
  right (a + \sum_(i <- l) f i) (sum_iv start [seq h i | i <- l]).
Proof.
move=> ra; elim: l => [|i l IH] rf /=; first by rewrite big_nil addr0.
rewrite big_cons addrCA; apply: right_add; first by apply: rf; rewrite mem_head.
by apply: IH => j jl; apply: rf; rewrite inE jl orbT.
Qed.

Lemma unit0 par l k m n : l != layer_of par ->
  [/\ unit_of_key R par l k m n = 0, unit_of_query R par l k m n = 0 & unit_of_value R par l k m n = 0].
Proof.
have at0 l' k' i j : l != l' -> entry_at R l k m n (l', k', i, j) = 0.
  by move=> /negbTE ll; apply/matrixP => a b; rewrite !mxE !xpair_eqE ll.
by case: par => l' k' i j ll; split=> //; apply: at0.
Qed.

(* what is known of how the rows move that enter layer l *)
Definition state (N l : nat) (par : free_parameter) (dx : nat -> 'rV[R]_d) (odx : option (seq (seq (Z * Z)))) : Prop :=
  if odx is Some moved then [/\ (layer_of par < l)%N, size moved = N & right_rows p dx moved]
  else (l <= layer_of par)%N /\ forall i, dx i = 0.

Section Row.
Variables (F : layer_form) (x : R -> nat -> 'rV[R]_d) (rows : seq (seq (Z * Z))) (i l : nat) (par : free_parameter).
Local Notation s := (nth [::] (lists_at F) i).
Local Notation own := (nth 0%N (owns F) i).
Local Notation e := (across F).
Local Notation hs := (heads_at F).
Local Notation head k := (nth no_head (heads_at F) k).
Local Notation width k := (earlier_width (head k)).
Local Notation st := (Stage F rows (look_all d p gs F rows)).
Hypotheses (xr : right_rows p (x 0) rows) (iF : (i < size (owns F))%N) (io : (own < size rows)%N).
Hypothesis sr : all (fun j => j < size rows)%N s.

Definition row_out (z : R) : 'rV[R]_e := \sum_(k <- iota 0 (size hs))
  free_head_out s (x z) (x z own) (key_mx (head k) (width k) + z *: unit_of_key R par l k d (width k))
    (query_mx (head k) (width k) + z *: unit_of_query R par l k d (width k)) (value_mx (head k) e + z *: unit_of_value R par l k d e).
Definition row_motion (dx : nat -> 'rV[R]_d) : 'rV[R]_e := \sum_(k <- iota 0 (size hs))
  head_motion s (x 0) (x 0 own) (key_mx (head k) (width k)) (query_mx (head k) (width k)) (value_mx (head k) e) dx
    ((dx own *m query_mx (head k) (width k) + x 0 own *m unit_of_query R par l k d (width k)) *m (key_mx (head k) (width k))^T
      + x 0 own *m query_mx (head k) (width k) *m (unit_of_key R par l k d (width k))^T) (unit_of_value R par l k d e).

Lemma row_moves dx : (forall j, moves_by (x ^~ j) (dx j)) -> moves_by row_out (row_motion dx).
Proof.
by move=> xm; apply: moves_sum => k; apply: head_moves_line xm (xm own).
Qed.

Lemma row_motion0 : l != layer_of par -> row_motion (fun=> 0) = 0.
Proof.
move=> ll; rewrite /row_motion big1_seq // => k _.
have [-> _ _] := unit0 k d (width k) ll; have [_ -> _] := unit0 k d (width k) ll; have [_ _ ->] := unit0 k d e ll.
by rewrite trmx0 !mulmx0 addr0 addr0 (mul0mx _ (query_mx (head k) (width k))) mul0mx head_motion0.
Qed.

Lemma look_allE k : (k < size hs)%N ->
  nth nothing_seen (nth [::] (look_all d p gs F rows) i) k = look d p gs rows s (own_of F rows i) (head k).
Proof. by move=> kh; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n (nth_map no_head). Qed.

Lemma right_own : right (x 0 own) (own_of F rows i). Proof. exact: xr. Qed.

Lemma right_outs a : right a (kept_of F rows i) -> right (a + row_out 0) (nth [::] (outs st) i).
Proof.
move=> ra; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n; apply: right_sum => // k.
rewrite mem_iota add0n /= => kh; rewrite look_allE // !scale0r !addr0 /free_head_out.
apply: right_values; rewrite (_ : _ *m _^T *m _^T = (x 0 own *m query_mx (head k) (width k) *m (key_mx (head k) (width k))^T)^T).
  by apply: right_seen_mean => //; apply: right_own.
by rewrite !trmx_mul trmxK mulmxA.
Qed.

Lemma right_moved dx odx a : state (size rows) l par dx odx ->
    (if odx is Some moved then right a (kept_of F moved i) else a = 0) ->
  if moved_rows d p st l par odx is Some moved then right (a + row_motion dx) (nth [::] moved i)
  else l != layer_of par.
Proof.
case: odx => [moved [lp sm dr]|[lp dx0]] ra /=.
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n; apply: right_sum => // k.
  rewrite mem_iota add0n /= => kh; rewrite look_allE //.
  have ln : l != layer_of par by rewrite neq_ltn lp orbT.
  have [-> _ _] := unit0 k d (width k) ln; have [_ -> _] := unit0 k d (width k) ln; have [_ _ ->] := unit0 k d e ln.
  rewrite trmx0 !mulmx0 !addr0; apply: right_carried => //; [exact: right_own|apply: dr; rewrite sm //].
have -> : dx = (fun=> 0) by apply/funext.
rewrite -[eqn l _]/(l == layer_of par); case: eqP => [ll|/eqP ll].
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n ra; apply: right_sum => [|k]; first exact: encloses0.
  rewrite mem_iota add0n /= => kh; rewrite look_allE //; apply: right_begun => //; exact: right_own.
by [].
Qed.

End Row.

Lemma size_outs F rows : size (outs (Stage F rows (look_all d p gs F rows))) = size (owns F).
Proof. by rewrite size_map size_iota. Qed.

(* --- a layer before *)
Definition moved_heads (hs : seq earlier_head) (l : nat) (par : free_parameter) (z : R) : free_weights R S := fun k w =>
  let g := nth no_head hs k in
  FreeHead (key_mx g w + z *: unit_of_key R par l k d w) (query_mx g w + z *: unit_of_query R par l k d w)
    (value_mx g d + z *: unit_of_value R par l k d d).

Lemma after_freeE (W : free_weights R S) residual lists heads x i :
  after_free W (EarlierAttention residual lists heads) x i = kept_input residual (x i) + \sum_(k <- iota 0 (size heads))
    free_head_out (nth [::] lists i) x (x i) (free_key (W k (width_at heads k))) (free_query (W k (width_at heads k)))
      (free_value (W k (width_at heads k))).
Proof. by []. Qed.

Lemma after_rowE residual lists heads hs l par (x : R -> nat -> 'rV[R]_d) i z :
    fitting (EarlierAttention residual lists heads) hs ->
  after_free (moved_heads hs l par z) (EarlierAttention residual lists heads) (x z) i =
    kept_input residual (x z i) + row_out (Form residual d [:: i] [:: nth [::] lists i] hs) x 0 l par z.
Proof.
move=> /eqP ff; rewrite after_freeE; apply: (congr1 (fun v => kept_input residual (x z i) + v)).
have sh : size heads = size hs by have := congr1 size ff; rewrite !size_map.
rewrite sh; apply: eq_big_seq => k; rewrite mem_iota add0n => /andP[_ kh].
by rewrite (_ : width_at heads k = earlier_width (nth no_head hs k)) // /width_at -ff (nth_map no_head).
Qed.
Lemma row_outE residual lists hs N i l par x z : (i < N)%N ->
  row_out (Form residual d (iota 0 N) lists hs) x i l par z = row_out (Form residual d [:: i] [:: nth [::] lists i] hs) x 0 l par z.
Proof. by move=> iN; rewrite /row_out [owns _]/= [owns _]/= [nth 0%N [:: i] 0]/= nth_iota. Qed.

Lemma row_motionE residual lists hs N i l par x dx : (i < N)%N ->
  row_motion (Form residual d (iota 0 N) lists hs) x i l par dx = row_motion (Form residual d [:: i] [:: nth [::] lists i] hs) x 0 l par dx.
Proof. by move=> iN; rewrite /row_motion [owns _]/= [owns _]/= [nth 0%N [:: i] 0]/= nth_iota. Qed.

Lemma kept_moves residual (x : R -> 'rV[R]_d) dx : moves_by x dx -> moves_by (fun z => kept_input residual (x z)) (kept_input residual dx).
Proof. by case: residual => // _; apply: moves_const. Qed.

Lemma after_moved b hs l par (x : R -> nat -> 'rV[R]_d) rows dx odx : fitting b hs ->
    (if b is EarlierAttention _ lists _ then rows_inside (size rows) lists else false) -> right_rows p (x 0) rows ->
    (forall i, moves_by (x ^~ i) (dx i)) -> state (size rows) l par dx odx ->
  let st := Stage (form_of d (size rows) b hs) rows (look_all d p gs (form_of d (size rows) b hs) rows) in
  [/\ right_rows p (after_free (moved_heads hs l par 0) b (x 0)) (outs st), size (outs st) = size rows &
    exists2 dx', forall i, moves_by (fun z => after_free (moved_heads hs l par z) b (x z) i) (dx' i) &
      state (size rows) l.+1 par dx' (moved_rows d p st l par odx)].
Proof.
case: b => // residual lists heads fit inside xr xm sx; set F := form_of _ _ _ _ => st.
have sF : size (owns F) = size rows by rewrite size_iota.
have ownE i : (i < size rows)%N -> nth 0%N (owns F) i = i by move=> ir; rewrite nth_iota.
have srs i : all (fun j => j < size rows)%N (nth [::] lists i).
  by have [il|li'] := ltnP i (size lists); [apply: (all_nthP [::] inside)|rewrite nth_default].
have keptE (y : 'rV[R]_d) rs i : (i < size rows)%N -> right y (nth [::] rs i) -> right (kept_input residual y) (kept_of F rs i).
  move=> ir yr; rewrite /kept_of /own_of ownE // [keeps F]/= [across F]/=.
  by case: (residual) => //; apply: right_zero.
have so : size (outs st) = size rows by rewrite size_map size_iota.
split=> // [i|].
  rewrite so => ir; rewrite after_rowE // -(@row_outE residual lists hs (size rows)) //; apply: (right_outs (F := F)) => //; rewrite ?sF ?ownE //.
  by apply: keptE => //; apply: xr.
pose dx' i := kept_input residual (dx i) + row_motion (Form residual d [:: i] [:: nth [::] lists i] hs) x 0 l par dx.
exists dx' => [i|].
  have -> : (fun z => after_free (moved_heads hs l par z) (EarlierAttention residual lists heads) (x z) i) =
      fun z => kept_input residual (x z i) + row_out (Form residual d [:: i] [:: nth [::] lists i] hs) x 0 l par z.
    by apply/funext => z; rewrite after_rowE.
  pose F1 := Form residual d [:: i] [:: nth [::] lists i] hs.
  have rm : @moves_by R 1 d (row_out F1 x 0 l par) (row_motion F1 x 0 l par dx) := @row_moves F1 x 0 l par dx xm.
  exact: (@moves_add R 1 d _ _ _ _ (kept_moves residual (xm i)) rm).
have moved_right i (ir : (i < size rows)%N) := @right_moved F x rows i l par xr (eq_ind_r (fun n => i < n)%N ir sF)
  (eq_ind_r (fun n => n < size rows)%N ir (ownE i ir)) (srs i) dx odx (kept_input residual (dx i)) sx.
have sizes r : moved_rows d p st l par odx = Some r -> size r = size rows.
  rewrite /moved_rows; case: (odx) => [m|]; last case: ifP => // _; by case=> <-; rewrite size_map size_iota.
have above r : moved_rows d p st l par odx = Some r -> (layer_of par < l.+1)%N.
  move: sx; rewrite /moved_rows; case: (odx) => [m [lp _ _] _|_]; first exact: ltnW.
  by rewrite -[eqn l _]/(l == layer_of par); case: eqP => // ->.
have start i : (i < size rows)%N -> (if odx is Some moved then right (kept_input residual (dx i)) (kept_of F moved i) else kept_input residual (dx i) = 0).
  move: sx; case: (odx) => [m [_ sm dr] ir|[_ dx0] _]; last by rewrite dx0; case: (residual).
  by apply: keptE => //; apply: dr; rewrite sm.
case mE: (moved_rows d p st l par odx) => [r|].
  split; [exact: above mE|exact: sizes mE|] => i; rewrite (sizes _ mE) => ir.
  by have := moved_right i ir (start i ir); rewrite mE (@row_motionE residual lists hs (size rows)).
move: sx mE; rewrite /moved_rows; case: (odx) => // -[ll dx0].
rewrite -[eqn l _]/(l == layer_of par); case: eqP => // /eqP ln _; split; first by rewrite ltn_neqAle ln.
have dxE : dx = (fun=> 0) by apply/funext.
by move=> i; rewrite /dx' dxE row_motion0 // addr0; case: (residual).
Qed.

(* --- all layers before *)
Definition moved_before (ws : seq (seq earlier_head)) (off : nat) (par : free_parameter) (z : R) : nat -> free_weights R S :=
  fun l => moved_heads (nth [::] ws l) (l + off) par z.

Lemma through bs : forall ws off par (x : R -> nat -> 'rV[R]_d) rows dx odx, size ws = size bs ->
    all (fun y => fitting y.1 y.2) (zip bs ws) ->
    all (fun b => if b is EarlierAttention _ lists _ then rows_inside (size rows) lists else false) bs ->
    right_rows p (x 0) rows -> (forall i, moves_by (x ^~ i) (dx i)) -> state (size rows) off par dx odx ->
  let sts := stages d p gs rows [seq form_of d (size rows) y.1 y.2 | y <- zip bs ws] in
  [/\ right_rows p (entering_free (moved_before ws off par 0) bs (x 0)) sts.2, size sts.2 = size rows &
    exists2 dx', forall i, moves_by (fun z => entering_free (moved_before ws off par z) bs (x z) i) (dx' i) &
      state (size rows) (off + size bs) par dx' (motion_through d p sts.1 off par odx)].
Proof.
elim: bs => [|b bs IH] [|hs ws] off par x rows dx odx //=.
  by move=> _ _ _ xr xm sx; rewrite addn0; split=> //; exists dx.
move=> [sw] /andP[fb fbs] /andP[ib ibs] xr xm sx.
have [xr' so [dx1 xm1 sx1]] := after_moved fb ib xr xm sx; rewrite /= in so xr' sx1.
set st := Stage _ _ _ in xr' so sx1 *.
have shift z : (fun l => moved_before (hs :: ws) off par z l.+1) = moved_before ws off.+1 par z.
  by apply/funext => l; rewrite /moved_before /= addSnnS.
have := IH ws off.+1 par (fun z => after_free (moved_heads hs off par z) b (x z)) (outs st) dx1 (moved_rows d p st off par odx) sw fbs.
rewrite so addSnnS => /(_ ibs xr' xm1 sx1)[r1 s1 [dx2 xm2 sx2]].
split=> //; first by rewrite shift.
exists dx2 => // i; rewrite (_ : (fun z => _) = fun z => entering_free (moved_before ws off.+1 par z) bs
  (after_free (moved_heads hs off par z) b (x z)) i); first exact: xm2.
by apply/funext => z; rewrite shift.
Qed.

(* weights that are written down are some weights                                      *)
Definition weights_of (ws : seq (seq earlier_head)) (l k w : nat) : free_head R d w :=
  let g := nth no_head (nth [::] ws l) k in FreeHead (key_mx g w) (query_mx g w) (value_mx g d).

Section Outputs.
Local Notation D := (top_problem S).
Variables (ws : seq (seq earlier_head)) (last : seq earlier_head).
Hypotheses (sw : size ws = size (befores S)) (fit : all (fun x => fitting x.1 x.2) (zip (befores S) ws)).
Hypotheses (sl : size last = H D) (wl : all (fun g => earlier_width g == d_h D) last).
Hypothesis ins : all (fun b => if b is EarlierAttention _ lists _ then rows_inside (size (hidden_rows S)) lists else false) (befores S).
Hypotheses (se : size (example_rows S) = T D) (oe : all (fun j => j < size (hidden_rows S))%N (example_rows S)).
Hypothesis te : rows_inside (size (hidden_rows S)) (example_tokens S).

Definition written : all_weights R S :=
  AllWeights (weights_of ws) (fun h : 'I_(H D) => key_mx (nth no_head last h) (d_h D))
    (fun h : 'I_(H D) => query_mx (nth no_head last h) (d_h D)) (fun h : 'I_(H D) => value_mx (nth no_head last h) (d_out D)).
Let F := Form false (d_out D) (example_rows S) (example_tokens S) last.
Let x par z := entering_free (moved_before ws 0 par z) (befores S) (given_vectors R S).

Lemma outputs_moved par z (t : 'I_(T D)) : free_outputs (moved_free written par z) t = row_out F (x par) t (size (befores S)) par z.
Proof.
have xE : entering_free (weights_before (moved_free written par z)) (befores S) (given_vectors R S) = x par z.
  by rewrite /x; congr (entering_free _ _ _); apply/funext => l; rewrite /moved_before addn0.
rewrite /free_outputs /row_out [heads_at F]/= sl (_ : iota 0 (H D) = index_iota 0 (H D)) ?big_mkord; last by rewrite /index_iota subn0.
apply: eq_bigr => h _; rewrite /free_mean xE.
have -> : earlier_width (nth no_head last h) = d_h D by apply/eqP; apply: (all_nthP no_head wl); rewrite sl.
by [].
Qed.

Lemma partial_near par (t : 'I_(T D)) (o : 'I_(d_out D)) : let N := size (hidden_rows S) in
  let sts := stages d p gs (iv_given S p) [seq form_of d N y.1 y.2 | y <- zip (befores S) ws] in
  let st := Stage F sts.2 (look_all d p gs F sts.2) in
  within_iv p (free_partial written t o par)
    (nth (0, 0)%coqZ (nth [::] (odflt [::] (moved_rows d p st (size (befores S)) par (motion_through d p sts.1 0 par None))) t) o).
Proof.
have sg : size (iv_given S p) = size (hidden_rows S) by rewrite size_map.
have gr : right_rows p (given_vectors R S) (iv_given S p).
  by move=> i; rewrite sg => ir; rewrite (nth_map [::]) //; apply: right_row.
have gm i : moves_by (fun=> given_vectors R S i) 0 by apply: moves_const.
have s0 : state (size (iv_given S p)) 0 par (fun=> 0) None by [].
have := @through (befores S) ws 0 par (fun=> given_vectors R S) (iv_given S p) (fun=> 0) None sw fit.
rewrite sg => /(_ ins gr gm s0) /=; rewrite add0n; set sts := stages _ _ _ _ _; move=> [xr sx [dx xm sd]].
have tE : (t < size (example_rows S))%N by rewrite se.
have own : (nth 0%N (owns F) t < size sts.2)%N by rewrite sx; apply: (all_nthP 0%N oe).
have tok : all (fun j => j < size sts.2)%N (nth [::] (lists_at F) t).
  rewrite sx; have [tl|lt] := ltnP t (size (example_tokens S)); last by rewrite [lists_at F]/= nth_default.
  exact: (all_nthP [::] te).
have rm := @row_moves F (x par) t (size (befores S)) par dx xm.
have -> : free_partial written t o par = row_motion F (x par) t (size (befores S)) par dx 0 o.
  apply: derive1_val; rewrite (_ : (fun z => _) = fun z => row_out F (x par) t (size (befores S)) par z 0 o); first exact: rm.
  by apply/funext => z; rewrite outputs_moved.
rewrite -sx in sd.
have := @right_moved F (x par) sts.2 t (size (befores S)) par xr tE own tok dx (motion_through d p sts.1 0 par None) 0 sd.
have zero m : kept_of F m t = nseq (d_out D) (0, 0)%coqZ by [].
move=> h; specialize (h ltac:(by case: (motion_through d p sts.1 0 par None) => // m; rewrite zero; apply: encloses0)).
move: h; rewrite add0r; case mE: (moved_rows _ _ _ _ _ _) => [m|] /= => [[_ mm]|ln]; first exact: mm.
rewrite !nth_nil; move: sd mE; case: (motion_through d p sts.1 0 par None) => [m _ //|[_ dx0] _].
have -> : dx = (fun=> 0) by apply/funext.
by rewrite row_motion0 // mxE; apply: near0.
Qed.

End Outputs.
End Meaning.

Theorem free_J_rank (R : realType) S ws last bits rows pars q V : free_J_ok S ws last bits rows pars q V ->
  (size rows <= free_functional_dimension R S)%N.
Proof.
move=> /andP[/and4P[/andP[/eqP sw fit] /andP[/eqP sl wl] ins /and3P[/and3P[/eqP se oe te] rT /andP[/eqP sP sV]]] small].
set k := size rows in sP sV *; set p := precision_of bits in small.
have [f fE] : exists f : 'I_k -> 'I_(T (top_problem S)) * 'I_(d_out (top_problem S)),
    forall j : 'I_k, nth (0, 0)%N rows j = ((f j).1 : nat, (f j).2 : nat).
  have fT (j : 'I_k) : ((nth (0, 0)%N rows j).1 < T (top_problem S))%N && ((nth (0, 0)%N rows j).2 < d_out (top_problem S))%N.
    exact: (all_nthP (0, 0)%N rT).
  exists (fun j => (Ordinal (proj1 (andP (fT j))), Ordinal (proj2 (andP (fT j))))) => j /=.
  by case: (nth _ rows j).
pose w := @written R S ws last; pose ps (j : 'I_k) := nth (KeyAt 0 0 0 0) pars j.
pose A : 'M[R]_k := \matrix_(i, j) free_partial w (f j).1 (f j).2 (ps i).
set Zs := iv_free_J _ _ _ _ _ _ in small.
have sZ : sizes_are k k Zs.
  apply/andP; split; first by rewrite size_map sP.
  by apply/(all_nthP [::]) => i; rewrite size_map sP => ik; rewrite (nth_map (KeyAt 0 0 0 0)) ?sP // size_map.
have enclosed : enclosed_mx (denominator p) A Zs.
  move=> i j; rewrite mxE /Zs /iv_free_J (nth_map (KeyAt 0 0 0 0)) ?sP // (nth_map (0, 0)%N) // fE.
  exact: partial_near.
have ones (i : 'I_k) : nth 0%coqZ (nseq k 1%coqZ) i = 1%coqZ by rewrite nth_nseq ltn_ord.
have unit_A : A \in unitmx.
  apply: (defects_unit (q := q) (w := nseq k 1%coqZ) enclosed sZ sV) => i; rewrite ones //.
  rewrite Z.mul_1_r; apply/Z.ltb_lt; apply: (all_nthP 0%coqZ small).
  by have /andP[/eqP sV' _] := sV; rewrite size_map size_zip size_iota sV' minnn.
have r : (k <= \rank (free_J w ps))%N.
  have AE : A^T = rowsub (fun i => enum_rank (f i)) 1%:M *m free_J w ps.
    by rewrite -rowsubE; apply/matrixP => i j; rewrite !mxE enum_rankK.
  by have := mxrank_unit unit_A; rewrite -mxrank_tr AE => {1}<-; apply: mxrankM_maxr.
apply: largest_geq; last by exists w, k, ps.
by apply: leq_trans r _; apply: leq_trans (rank_leq_row _) _; rewrite card_prod !card_ord.
Qed.
