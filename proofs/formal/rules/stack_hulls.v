(* The proved checker, layers before the layer: spaces that contain what enters the layer (docs/certificate.md, Spaces). *)
(*                                                                                                                       *)
(*     space B == the span of rows of integers, and that of basis d B                                                    *)
(*     used_rows S == the rows of examples and of what layers attend to                                                   *)
(*     most S bs f == at least what the functional f is on the used rows behind the layers bs, the last one first          *)
(*     hulls S g == what contains the used rows that enter the layer, and the differences of those with the same key g      *)
(*     hulls_ok S g == lists of rows are not empty, their rows have the key of their row; so have the tokens of an example  *)
(*     sequence_out A == Z with the coefficients A                                                                         *)
(*   mostP, spacesP == most and spaces are what they are said to be                                                         *)
(*     few_linear, few_affine, few_differences S == of as many vectors as there are classes of tokens                      *)
(*     dim_linear, dim_affine, dim_differences S == the smaller of both dimensions                                         *)
(*   linear_hulls, affine_hulls, context_hulls_of == they bound the rank of Z with any coefficients                         *)
(*     different_heads S L == pairs of W_h and what a query bias makes of the keys; equal_heads_rank == they bound rank(Z)  *)
(*   entering_queries_most, entering_contexts_most == classes bound Kruskal rank and the least rank of the contexts         *)
From Attest Require Import integers attention upper_bounds rank_formula schemas layer_variants.
From Attest Require Import literal_arithmetic problem logits quantities statements rational_matrices.
From Attest Require Import literal_matrices heads other_layers stack_enclosures stack_symmetry.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* A basis                                                                     *)
(* -------------------------------------------------------------------------- *)
(* a r - b u *)
Fixpoint less (a : Z) (r : seq Z) (b : Z) (u : seq Z) : seq Z :=
  match r, u with
  | x :: r', y :: u' => (a * x - b * y)%coqZ :: less a r' b u'
  | x :: r', [::] => (a * x)%coqZ :: less a r' b [::]
  | [::], _ => [seq (- (b * y))%coqZ | y <- u]
  end.

(* rows that are taken, and those that are left, 0 in the columns that have been seen  *)
Definition eliminated (st : seq (seq Z) * seq (seq Z)) (k : nat) : seq (seq Z) * seq (seq Z) :=
  let i := find (fun r => ~~ (nth 0%coqZ r k =? 0)%coqZ) st.2 in
  if (i < size st.2)%N then
    let u := nth [::] st.2 i in let c := nth 0%coqZ u k in
    (u :: st.1, [seq r <- [seq (if (nth 0%coqZ r k =? 0)%coqZ then r else primitive (less c r (nth 0%coqZ r k) u)) | r <- st.2]
      | ~~ all_zero r])
  else st.
Definition basis (d : nat) (rows : seq (seq Z)) : seq (seq Z) :=
  let st := foldl eliminated ([::], [seq r <- rows | ~~ all_zero r]) (iota 0 d) in st.1 ++ st.2.

Section Space.
Variables (R : realType) (d : nat).
Local Notation z := (toF R).
Local Notation vec := (row_of R d 1).

Definition space (B : seq (seq Z)) : 'M[R]_(size B, d) := mx R (size B) d 1 B.

Lemma row_space B i : row i (space B) = vec (nth [::] B i).
Proof. by apply/rowP => j; rewrite !mxE. Qed.

Lemma vecE r j : vec r 0 j = z (nth 0%coqZ r j).
Proof. by rewrite mxE toF1 divr1. Qed.

Lemma in_space B r : r \in B -> (vec r <= space B)%MS.
Proof.
move=> rB; have i : (index r B < size B)%N by rewrite index_mem.
by have := row_sub (Ordinal i) (space B); rewrite row_space nth_index.
Qed.

Lemma space_sub m (V : 'M[R]_(m, d)) B : (forall r, r \in B -> (vec r <= V)%MS) -> (space B <= V)%MS.
Proof. by move=> BV; apply/row_subP => i; rewrite row_space; apply/BV/mem_nth. Qed.

Lemma space_catl B C : (space B <= space (B ++ C))%MS.
Proof. by apply: space_sub => r rB; apply: in_space; rewrite mem_cat rB. Qed.
Lemma space_catr B C : (space C <= space (B ++ C))%MS.
Proof. by apply: space_sub => r rC; apply: in_space; rewrite mem_cat rC orbT. Qed.

Lemma nth_less a r b u j : nth 0%coqZ (less a r b u) j = (a * nth 0%coqZ r j - b * nth 0%coqZ u j)%coqZ.
Proof.
have one b' w k : nth 0%coqZ [seq (- (b' * y))%coqZ | y <- w] k = (- (b' * nth 0%coqZ w k))%coqZ.
  elim: w k => [|y w IH] [|k] //=; rewrite ?nth_nil; lia.
elim: r u j => [|x r IH] [|y u] [|j] //=; rewrite ?IH ?one ?nth_nil; lia.
Qed.

Lemma vec_less a r b u : vec (less a r b u) = z a *: vec r - z b *: vec u.
Proof. by apply/rowP => j; rewrite vecE nth_less toFB !toFM !mxE !toF1 !divr1. Qed.

Lemma vec_zero r : all_zero r -> vec r = 0. Proof. exact: row_of_zero. Qed.

Lemma vec_primitive r : exists2 c : R, c != 0 & vec r = c *: vec (primitive r).
Proof.
have [c [c0 rE]] := primitiveP r; exists (z c); first by rewrite toF_eq0; case: eqP c0 => // ->.
by apply/rowP => j; rewrite [RHS]mxE !vecE rE toFM.
Qed.

Lemma eliminated_spans m (V : 'M[R]_(m, d)) st k : (forall r, r \in (eliminated st k).1 ++ (eliminated st k).2 -> (vec r <= V)%MS) ->
  forall r, r \in st.1 ++ st.2 -> (vec r <= V)%MS.
Proof.
rewrite /eliminated; set i := find _ _; case: ifP => // ist; set u := nth _ _ i; set c := nth _ u k => /= BV r.
have uV : (vec u <= V)%MS by apply: BV; rewrite mem_head.
have c0 : z c != 0 by rewrite toF_eq0; have := nth_find [::] (a := fun r => ~~ (nth 0%coqZ r k =? 0)%coqZ) (s := st.2); rewrite has_find => /(_ ist).
have kept s : s \in [seq (if (nth 0%coqZ r k =? 0)%coqZ then r else primitive (less c r (nth 0%coqZ r k) u)) | r <- st.2] -> (vec s <= V)%MS.
  move=> ss; case: (boolP (all_zero s)) => [/vec_zero ->|nz]; first exact: sub0mx.
  by apply: BV; rewrite inE mem_cat mem_filter nz ss !orbT.
rewrite mem_cat => /orP[rs|rs]; first by apply: BV; rewrite inE mem_cat rs orbT.
have := kept _ (map_f _ rs); case: ifP => // _ sV.
have [x _ sE] := vec_primitive (less c r (nth 0%coqZ r k) u).
have lV : (vec (less c r (nth 0%coqZ r k) u) <= V)%MS by rewrite sE scalemx_sub.
have -> : vec r = (z c)^-1 *: (vec (less c r (nth 0%coqZ r k) u) + z (nth 0%coqZ r k) *: vec u).
  by rewrite vec_less subrK scalerA mulVf // scale1r.
by rewrite scalemx_sub // addmx_sub // scalemx_sub.
Qed.

Lemma basis_spans B : (space B <= space (basis d B))%MS.
Proof.
apply: space_sub => r rB; case: (boolP (all_zero r)) => [/vec_zero ->|nz]; first exact: sub0mx.
rewrite /basis; set st0 := ([::], _); have r0 : r \in st0.1 ++ st0.2 by rewrite /= mem_filter nz.
elim: (iota 0 d) st0 r {rB nz} r0 => [|k ks IH] st r rst; first exact: in_space.
by apply: (eliminated_spans (k := k) _ rst) => s ss; apply: IH.
Qed.

Lemma eliminated_inside m (V : 'M[R]_(m, d)) st k : (forall r, r \in st.1 ++ st.2 -> (vec r <= V)%MS) ->
  forall r, r \in (eliminated st k).1 ++ (eliminated st k).2 -> (vec r <= V)%MS.
Proof.
rewrite /eliminated; set i := find _ _; case: ifP => // ist; set u := nth _ _ i => /= BV r.
have uV : (vec u <= V)%MS by apply: BV; rewrite mem_cat mem_nth ?orbT.
rewrite inE mem_cat => /or3P[/eqP-> //|rs|]; first by apply: BV; rewrite mem_cat rs.
rewrite mem_filter => /andP[_ /mapP[s ss ->]]; have sV : (vec s <= V)%MS by apply: BV; rewrite mem_cat ss orbT.
case: ifP => // _; set v := less _ _ _ _; have [x x0 vE] := vec_primitive v.
by rewrite -(scale1r (vec (primitive v))) -(mulVf x0) -scalerA -vE scalemx_sub // vec_less addmx_sub ?eqmx_opp ?scalemx_sub.
Qed.

Lemma basis_inside B : (space (basis d B) <= space B)%MS.
Proof.
apply: space_sub; rewrite /basis; set st0 := ([::], _).
have : forall r, r \in st0.1 ++ st0.2 -> (vec r <= space B)%MS by move=> r; rewrite mem_filter => /andP[_ /in_space].
by elim: (iota 0 d) st0 => [|k ks IH] st inside; [exact: inside|apply: IH => r; exact: eliminated_inside].
Qed.

(* --- images under matrices of rationals *)
Definition image (v : seq Z) (M : seq (seq Z)) : seq Z := combination d (padded d v) [seq padded d r | r <- M].

Lemma nth_padded r (j : 'I_d) : nth 0%coqZ (padded d r) j = nth 0%coqZ r j.
Proof. by rewrite (nth_map 0%N) ?size_iota // nth_iota. Qed.
Lemma size_padded r : size (padded d r) = d. Proof. by rewrite size_map size_iota. Qed.

Lemma vec_image v q M : vec v *m mx R d d q M = (z (Zpos q))^-1 *: vec (image v M).
Proof.
have entE (i j : 'I_d) : ent [seq padded d r | r <- M] i j = ent M i j.
  rewrite /ent; have [iM|Mi] := ltnP i (size M); first by rewrite (nth_map [::]) // nth_padded.
  by rewrite (nth_default [::] Mi) [nth [::] _ i]nth_default ?size_map // !nth_nil.
apply/rowP => j; rewrite [RHS]mxE vecE /image nth_combination; last by apply/allP => r /mapP[s _ ->]; rewrite size_padded.
rewrite size_padded rmorph_sum mulr_sumr [LHS]mxE; apply: eq_bigr => i _.
by rewrite vecE [mx _ _ _ _ _ _ _]mxE nth_padded entE rmorphM /= mulrA mulrC.
Qed.

Lemma image_space B q M (y : 'rV[R]_d) : (y <= space B)%MS -> (y *m mx R d d q M <= space [seq image v M | v <- B])%MS.
Proof.
move=> yB; apply: submx_trans (submxMr _ yB) _; apply/row_subP => i; rewrite row_mul row_space vec_image scalemx_sub //.
by apply/in_space/map_f/mem_nth.
Qed.

End Space.

(* -------------------------------------------------------------------------- *)
(* Spaces, layer by layer                                                      *)
(* -------------------------------------------------------------------------- *)
Fixpoint once (s : seq nat) : seq nat :=
  if s is x :: s' then if s' is y :: _ then if x == y then once s' else x :: once s' else s else [::].
Lemma mem_once s : once s =i s.
Proof.
elim: s => // x [|y s] IH // j; rewrite [once _]/=; case: eqP => [->|_]; last by rewrite [LHS]inE IH [RHS]inE.
by rewrite IH [RHS]inE; case: eqP => // ->; rewrite mem_head.
Qed.

Section Compute.
Variable S : layer_stack.
Local Notation d := (d (top_problem S)).

Definition lists_of_layer (b : earlier) : seq (seq nat) := if b is EarlierAttention _ lists _ then lists else [::].
Definition used_rows : seq nat :=
  once (sort leq (example_rows S ++ flatten (example_tokens S) ++ flatten [seq flatten (lists_of_layer b) | b <- befores S])).

(* --- functionals, and numbers, over denominators                               *)
Definition any_fraction := (Z * positive)%type.
Definition plus_q (x y : any_fraction) : any_fraction := ((x.1 * Zpos y.2 + y.1 * Zpos x.2)%coqZ, (x.2 * y.2)%positive).
Definition times_q (x y : any_fraction) : any_fraction := ((x.1 * y.1)%coqZ, (x.2 * y.2)%positive).
Definition leq_q (x y : any_fraction) : bool := (x.1 * Zpos y.2 <=? y.1 * Zpos x.2)%coqZ.
Definition total_q (l : seq (option any_fraction)) : option any_fraction :=
  foldr (fun x y => if x is Some x then omap (plus_q x) y else None) (Some (0%coqZ, 1%positive)) l.

(* of a vector r / q *)
Definition applied (f : positive * seq Z) (q : positive) (r : seq Z) : any_fraction := (dot (padded d r) f.2, (q * f.1)%positive).
(* of x V as one of x *)
Definition behind (q : positive) (V : seq (seq Z)) (f : positive * seq Z) : positive * seq Z :=
  ((q * f.1)%positive, [seq dot (padded d (nth [::] V j)) f.2 | j <- iota 0 d]).
Definition column_of (q : positive) (W : seq (seq Z)) (i : nat) : positive * seq Z := (q, padded d (col i W)).

(* what enters a neuron, at most *)
Definition entering_neuron (most : positive * seq Z -> option any_fraction) q1 W1 qb1 b1 (i : nat) : option any_fraction :=
  omap (plus_q (nth 0%coqZ b1 i, qb1)) (most (column_of q1 W1 i)).

Fixpoint most (bs : seq earlier) (f : positive * seq Z) : option any_fraction :=
  match bs with
  | [::] =>
    let all_q := [seq applied f (q_hidden S) (nth [::] (hidden_rows S) j) | j <- used_rows] in
    if all_q is x :: l then Some (foldr (fun y m => if leq_q m y then y else m) x l) else None
  | EarlierAttention residual _ heads :: bs' =>
    total_q ((if residual then [:: most bs' f] else [::]) ++ [seq most bs' (behind (q_earlier_value h) (earlier_value h) f) | h <- heads])
  | EarlierNetwork residual Relu m q1 W1 qb1 b1 q2 W2 qb2 b2 :: bs' =>
    total_q ((if residual then [:: most bs' f] else [::]) ++ Some (applied f qb2 b2) ::
      [seq (let times := applied f q2 (nth [::] W2 i) in
            if (times.1 <=? 0)%coqZ then Some (0%coqZ, 1%positive)
            else omap (fun x : any_fraction => if (x.1 <=? 0)%coqZ then (0%coqZ, 1%positive) else times_q times x)
              (entering_neuron (most bs') q1 W1 qb1 b1 i)) | i <- iota 0 m])
  | _ => None
  end.

Definition is_off (bs : seq earlier) f q1 W1 qb1 b1 (i : nat) : bool :=
  if f is Relu then if entering_neuron (most bs) q1 W1 qb1 b1 i is Some x then (x.1 <=? 0)%coqZ else false else false.
Definition on_rows (bs : seq earlier) f m q1 W1 qb1 b1 (W2 : seq (seq Z)) : seq (seq Z) :=
  [seq nth [::] W2 i | i <- iota 0 m & ~~ is_off bs f q1 W1 qb1 b1 i].

(* --- what contains the used rows, or, where linear is false, differences; B the space before, and L for rows        *)
Definition next_space (bs : seq earlier) (b : earlier) (linear : bool) (L B : seq (seq Z)) : seq (seq Z) :=
  if ~~ linear && nilp B then [::]
  else basis d (match b with
  | EarlierAttention residual _ heads =>
    (if residual then B else [::]) ++ flatten [seq [seq image d v (earlier_value h) | v <- B] | h <- heads]
  | EarlierNetwork residual f m q1 W1 qb1 b1 q2 W2 qb2 b2 =>
    (if residual then B else [::]) ++ (if linear then [:: b2] else [::]) ++ on_rows bs f m q1 W1 qb1 b1 W2
  | EarlierNorm q gain _ _ => [seq [seq (nth 0%coqZ v j * nth 0%coqZ gain j)%coqZ | j <- iota 0 d] | v <- L]
  end).

Variable g : nat -> Z.

Definition first_of (i : nat) : nat := nth 0%N used_rows (find (fun j => g j == g i) used_rows).
Definition given_spaces : seq (seq Z) * seq (seq Z) :=
  let row j := nth [::] (hidden_rows S) j in
  (basis d [seq row j | j <- used_rows], basis d [seq less 1 (row j) 1 (row (first_of j)) | j <- used_rows]).
Fixpoint spaces (bs : seq earlier) : seq (seq Z) * seq (seq Z) :=
  if bs is b :: bs' then
    let s := spaces bs' in (next_space bs' b true s.1 s.1, next_space bs' b false s.1 s.2)
  else given_spaces.
Definition hulls : seq (seq Z) * seq (seq Z) := spaces (rev (befores S)).

Definition layer_lists_ok (b : earlier) : bool :=
  if b is EarlierAttention _ lists _ then
    all (fun i => let s := nth [::] lists i in (0 < size s)%N && all (fun j => g j == g i) s) used_rows
  else true.
(* --- of as many vectors as there are classes of tokens *)
Definition listed_rows : seq nat := flatten (example_tokens S).
Definition class_at (j : nat) : Z := nth 0%coqZ (row_classes S) j.
Definition token_classes : seq Z := undup [seq class_at j | j <- listed_rows].
Definition directions_of (js : seq nat) : seq Z := undup [seq Z.abs z | z <- [seq class_at j | j <- js] & ~~ (z =? 0)%coqZ].
Definition few_linear : nat := size (directions_of listed_rows).
Definition few_affine : nat := (size token_classes).-1.
(* the graph that joins the tokens of each example: a label of each class, and the edges of a forest *)
Definition join_classes (st : seq nat * seq (Z * Z)) (edge : Z * Z) : seq nat * seq (Z * Z) :=
  let class_label z := nth 0%N st.1 (index z token_classes) in
  let a := class_label edge.1 in let b := class_label edge.2 in
  if a == b then st else ([seq (if l == b then a else l) | l <- st.1], edge :: st.2).
Definition class_edges : seq (Z * Z) :=
  flatten [seq [seq (class_at (nth 0%N s 0), class_at j) | j <- s] | s <- example_tokens S].
Definition class_forest : seq nat * seq (Z * Z) := foldl join_classes (iota 0 (size token_classes), [::]) class_edges.
Definition few_differences : nat := size class_forest.2.

Definition dim_linear : nat := minn (size hulls.1) few_linear.
Definition dim_affine : nat := minn (size hulls.2) few_affine.
Definition dim_differences : nat := minn (size hulls.2) few_differences.

Definition hulls_ok : bool :=
  stack_enclosable S no_last_layer && all layer_lists_ok (befores S) && all (fun s => all (fun j => g j == g (nth 0%N s 0)) s) (example_tokens S).

End Compute.

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Sound.
Variables (R : realType) (S : layer_stack) (g : nat -> Z) (ok : hulls_ok S g).
Local Notation d := (d (top_problem S)).
Local Notation T := (T (top_problem S)).
Local Notation H := (H (top_problem S)).
Local Notation z := (toF R).
Local Notation used := (used_rows S).
Local Notation vec := (row_of R d 1).
Local Notation space := (space R d).

Lemma used_example t : nth 0%N (example_rows S) t \in example_rows S -> nth 0%N (example_rows S) t \in used.
Proof. by move=> te; rewrite mem_once mem_sort mem_cat te. Qed.

Lemma used_token s j : s \in example_tokens S -> j \in s -> j \in used.
Proof. by move=> sS js; rewrite mem_once mem_sort !mem_cat; apply/orP; right; apply/orP; left; apply/flattenP; exists s. Qed.

(* of attention: lists of used rows have used rows with the same key                *)
Definition layer_of_shape (b : earlier) : Prop :=
  if b is EarlierAttention _ lists _ then
    forall i, i \in used -> (0 < size (nth [::] lists i))%N /\ forall j, j \in nth [::] lists i -> j \in used /\ g j = g i
  else True.

Lemma good_layers b : List.In b (befores S) -> layer_of_shape b.
Proof.
move=> bS; case bE: b => [residual lists heads|//|//] i iu.
have listed j : j \in nth [::] lists i -> j \in used.
  move=> js; rewrite mem_once mem_sort !mem_cat; apply/orP; right; apply/orP; right.
  have jf : j \in flatten (lists_of_layer b).
    rewrite bE; apply/flattenP; exists (nth [::] lists i) => //; apply: mem_nth.
    by rewrite ltnNge; apply/negP => li; rewrite nth_default in js.
  by elim: (befores S) bS => //= a bs IH [->|/IH]; rewrite mem_cat ?jf // => ->; rewrite orbT.
have /andP[/andP[_ lok] _] := ok; have : layer_lists_ok S g b.
  by elim: (befores S) bS lok => //= a bs IH [->|/IH H]; case/andP.
by rewrite bE => /allP/(_ _ iu)/andP[s0 /allP same]; split=> // j js; split; [apply: listed|apply/eqP/same].
Qed.

(* --- means stay in hulls *)
Lemma mean_minus (x : nat -> 'rV[R]_d) s (l : 'cV[R]_(size s)) y : (0 < size s)%N ->
  softmax_mean x l - y = \sum_k softmax l k 0 *: (x (nth 0%N s k) - y).
Proof.
move=> s0; rewrite (eq_bigr (fun k => softmax l k 0 *: x (nth 0%N s k) - softmax l k 0 *: y)); last by move=> k _; rewrite scalerBr.
rewrite big_split /= sumrN -scaler_suml softmax_sum1 // scale1r; congr (_ - _).
apply/rowP => j; rewrite mxE summxE; apply: eq_bigr => k _; by rewrite !mxE.
Qed.

Lemma mean_inside (x : nat -> 'rV[R]_d) s (l : 'cV[R]_(size s)) y m (V : 'M[R]_(m, d)) : (0 < size s)%N ->
  (forall j, j \in s -> (x j - y <= V)%MS) -> (softmax_mean x l - y <= V)%MS.
Proof. by move=> s0 sV; rewrite mean_minus //; apply: summx_sub => k _; apply/scalemx_sub/sV/mem_nth. Qed.

(* --- neurons that are off *)
Definition behind_layers (bs : seq earlier) : nat -> 'rV[R]_d := foldr (fun b x => after_layer b x) (given_vectors R S) bs.
Definition value_q (x : any_fraction) : R := z x.1 / z (Zpos x.2).
Definition functional (f : positive * seq Z) : 'cV[R]_d := (row_of R d f.1 f.2)^T.

Let q0 q : 0 < z (Zpos q). Proof. exact: toFp_gt0. Qed.

Lemma value_plus x y : value_q (plus_q x y) = value_q x + value_q y.
Proof.
have aux (a b c e : R) : b != 0 -> e != 0 -> (a * e + c * b) / (b * e) = a / b + c / e by move=> b0 e0; field; rewrite b0 e0.
by rewrite /value_q /= toFD !toFM toFpM; apply: aux; apply: lt0r_neq0.
Qed.
Lemma value_times x y : value_q (times_q x y) = value_q x * value_q y.
Proof. by rewrite /value_q /= toFM toFpM invfM mulrACA. Qed.
Lemma value_0 : value_q (0%coqZ, 1%positive) = 0. Proof. by rewrite /value_q (toF0 R) mul0r. Qed.
Lemma value_leq x y : leq_q x y -> value_q x <= value_q y.
Proof.
move=> /Z.leb_le/(@toF_leq R); rewrite !toFM /value_q => xy.
by rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr.
Qed.
Lemma leq_q_total x y : ~~ leq_q x y -> leq_q y x.
Proof. by rewrite /leq_q; case: Z.leb_spec => // xy _; apply/Z.leb_le; lia. Qed.
Lemma value_sign x : (x.1 <=? 0)%coqZ -> value_q x <= 0.
Proof. by move=> /Z.leb_le/(@toF_leq R); rewrite (toF0 R) /value_q => x0; rewrite pmulr_lle0 // invr_gt0. Qed.
Lemma value_positive x : ~~ (x.1 <=? 0)%coqZ -> 0 <= value_q x.
Proof.
case: Z.leb_spec => // x0 _; rewrite divr_ge0 ?ltW // -(toF0 R); apply: toF_lt; lia.
Qed.

Lemma appliedE f q r : (row_of R d q r *m functional f) 0 0 = value_q (applied S f q r).
Proof.
rewrite /value_q /applied /= (@dotE d) ?size_padded // toFpM rmorph_sum mulr_suml mxE; apply: eq_bigr => j _.
by rewrite !mxE nth_padded rmorphM /= invfM mulrACA.
Qed.

Lemma behindE q V f : mx R d d q V *m functional f = functional (behind S q V f).
Proof.
apply/colP => i; have := appliedE f q (nth [::] V i); rewrite /value_q /= => E.
have -> : (mx R d d q V *m functional f) i 0 = (row_of R d q (nth [::] V i) *m functional f) 0 0.
  by rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
by rewrite E !mxE (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma columnE q W m (i : 'I_m) (x : 'rV[R]_d) : (x *m mx R d m q W) 0 i = (x *m functional (column_of S q W i)) 0 0.
Proof. by rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE nth_padded nth_col. Qed.

(* f is at most M on the used rows *)
Definition at_most_used (x : nat -> 'rV[R]_d) (f : 'cV[R]_d) (M : any_fraction) : Prop := forall j, j \in used -> (x j *m f) 0 0 <= value_q M.

Lemma total_q_cat l l' M : total_q (l ++ l') = Some M ->
  exists M1 M2, [/\ total_q l = Some M1, total_q l' = Some M2 & value_q M = value_q M1 + value_q M2].
Proof.
elim: l M => [|[x|//] l IH] M /= lM; first by exists (0%coqZ, 1%positive), M; rewrite value_0 add0r.
case tE: (total_q _) lM => [N|] //= [<-]; have [M1 [M2 [-> -> E]]] := IH _ tE.
by exists (plus_q x M1), M2; rewrite !value_plus E addrA.
Qed.

Lemma total_q_map (I : Type) (l : seq I) (F : I -> option any_fraction) (a : I -> R) M : total_q [seq F i | i <- l] = Some M ->
  (forall i x, F i = Some x -> a i <= value_q x) -> \sum_(i <- l) a i <= value_q M.
Proof.
move=> lM Fa; elim: l M lM => [|i l IH] M /=; first by move=> [<-]; rewrite big_nil value_0.
case iE: (F i) => [x|] //; case tE: (total_q _) => [N|] //= [<-]; rewrite big_cons value_plus ler_add //; first exact: Fa.
exact: IH.
Qed.

Lemma largest_q (F : nat -> any_fraction) x l (M := foldr (fun y m => if leq_q m y then y else m) x [seq F j | j <- l]) :
  value_q x <= value_q M /\ forall j, j \in l -> value_q (F j) <= value_q M.
Proof.
rewrite {}/M; elim: l => [|i l [xM lM]] /=; first by split.
set m := foldr _ _ _ in xM lM *; case: (boolP (leq_q m (F i))) => [/value_leq le|/leq_q_total/value_leq le].
  by split=> [|j]; rewrite ?inE; [apply: le_trans xM le|case/predU1P => [->//|/lM/le_trans]; apply].
by split=> // j; rewrite inE => /predU1P[->//|/lM].
Qed.

Definition inner_at (x : 'rV[R]_d) q1 W1 qb1 b1 (i : nat) : R :=
  (x *m functional (column_of S q1 W1 i)) 0 0 + value_q (nth 0%coqZ b1 i, qb1).

Lemma enteringP most' (x : nat -> 'rV[R]_d) q1 W1 qb1 b1 i M : (forall f M, most' f = Some M -> at_most_used x (functional f) M) ->
  entering_neuron S most' q1 W1 qb1 b1 i = Some M -> forall j, j \in used -> inner_at (x j) q1 W1 qb1 b1 i <= value_q M.
Proof.
move=> mP; rewrite /entering_neuron; case mE: (most' _) => [N|] //= [<-] j ju; rewrite value_plus /inner_at addrC ler_add2l.
exact: mP ju.
Qed.

Lemma network_row (x : 'rV[R]_d) f' m q1 W1 qb1 b1 q2 W2 :
  map_mx (activate f') (x *m mx R d m q1 W1 + row_of R m qb1 b1) *m mx R m d q2 W2
  = \sum_(i <- iota 0 m) activate f' (inner_at x q1 W1 qb1 b1 i) *: row_of R d q2 (nth [::] W2 i).
Proof.
rewrite -[in iota 0 m](subn0 m) -/(index_iota 0 m) big_mkord; set u := x *m _ + _.
have uE (i : 'I_m) : u 0 i = inner_at x q1 W1 qb1 b1 i.
  by rewrite /u /inner_at -columnE; move: (x *m _) => y; rewrite mxE /value_q; congr (_ + _); rewrite mxE.
apply/rowP => j; rewrite mxE summxE; apply: eq_bigr => i _; rewrite [map_mx _ _ _ _]mxE uE [RHS]mxE.
by apply: (congr1 ( *%R _)); rewrite !mxE.
Qed.

Lemma mostP bs f M : (forall b, List.In b bs -> layer_of_shape b) -> most S bs f = Some M ->
  at_most_used (behind_layers bs) (functional f) M.
Proof.
elim: bs f M => [|b bs IH] f M good.
  rewrite [most _ _ _]/=; case uE: used => [|j0 js] //= [<-] j; rewrite uE inE => ju.
  have [x0 xs] := largest_q (fun j => applied S f (q_hidden S) (nth [::] (hidden_rows S) j))
    (applied S f (q_hidden S) (nth [::] (hidden_rows S) j0)) js.
  by rewrite appliedE; case/predU1P: ju => [->|/xs].
have {}IH f' M' : most S bs f' = Some M' -> at_most_used (behind_layers bs) (functional f') M'.
  by apply: IH => b' b'bs; apply: good; right.
have kept (residual : bool) j M' : total_q (if residual then [:: most S bs f] else [::]) = Some M' -> j \in used ->
    (kept_input residual (behind_layers bs j) *m functional f) 0 0 <= value_q M'.
  case: residual => /=; last by move=> [<-] _; rewrite mul0mx mxE value_0.
  by case mE: (most S bs f) => [x|] //= [<-] ju; rewrite value_plus value_0 addr0; apply: IH mE j ju.
have := good b (or_introl erefl); case: b {good} => [residual lists heads|residual f' m q1 W1 qb1 b1 q2 W2 qb2 b2|//] good.
  move=> /total_q_cat[M1 [M2 [k1 k2 E]]] j ju; rewrite E /= mulmxDl mxE ler_add //; first exact: kept.
  have [s0 sP] := good j ju; rewrite mulmx_suml summxE; apply: (total_q_map k2) => h x hx.
  rewrite -mulmxA behindE; have := mean_inside; set l := (X in softmax_mean _ X) => _.
  have -> : softmax_mean (behind_layers bs) l *m functional (behind S (q_earlier_value h) (earlier_value h) f)
      = \sum_k softmax l k 0 *: (behind_layers bs (nth 0%N (nth [::] lists j) k) *m functional (behind S (q_earlier_value h) (earlier_value h) f)).
    have := mean_minus (behind_layers bs) l 0 s0; rewrite subr0 => ->; rewrite mulmx_suml; apply: eq_bigr => k _.
    by rewrite subr0 scalemxAl.
  rewrite summxE -[value_q x]mul1r -(softmax_sum1 l s0) mulr_suml; apply: ler_sum => k _; rewrite [X in X <= _]mxE; apply: ler_wpmul2l; first by rewrite ltW // softmax_gt0.
  have [|ku _] := sP (nth 0%N (nth [::] lists j) k); first exact: mem_nth.
  exact: (IH _ _ hx _ ku).
case: f' {good} => //; move=> /total_q_cat[M1 [M2 [k1 k2 E]]] j ju.
rewrite E [behind_layers _ _]/= -addrA mulmxDl mxE ler_add //; first exact: kept.
move: k2; rewrite [total_q _]/=; case tE: (total_q _) => [N|] //= [<-]; rewrite value_plus addrC mulmxDl mxE ler_add //; first by rewrite appliedE.
rewrite network_row mulmx_suml summxE; apply: (total_q_map tE) => i x; rewrite -scalemxAl mxE appliedE.
set y := inner_at _ _ _ _ _ i; set times := applied S f q2 _; rewrite [LHS in LHS = _ -> _]/=.
case: ifP => [t0 [<-]|/negbT t0].
  by rewrite value_0 mulr_ge0_le0 ?value_sign // le_maxr lexx.
case eE: (entering_neuron _ _ _ _ _ _ _) => [w|] //= [<-]; have yw := enteringP IH eE ju; rewrite -/y in yw.
case: ifP => [w0|/negbT w0].
  have y0 := le_trans yw (value_sign w0); by rewrite value_0 (max_idPl y0) mul0r.
by rewrite value_times mulrC; apply: ler_wpmul2l; [apply: value_positive|rewrite le_maxl value_positive].
Qed.

(* --- spaces *)
Lemma sum_space I (l : seq I) (F : I -> 'rV[R]_d) m (V : 'M[R]_(m, d)) : (forall i, List.In i l -> (F i <= V)%MS) -> ((\sum_(i <- l) F i)%R <= V)%MS.
Proof.
elim: l => [|i l IH] FV; first by rewrite big_nil sub0mx.
by rewrite big_cons addmx_sub ?FV ?IH //; [left|move=> j jl; apply: FV; right].
Qed.

Lemma image_heads B (y : 'rV[R]_d) heads h : List.In h heads -> (y <= space B)%MS ->
  (y *m mx R d d (q_earlier_value h) (earlier_value h) <= space (flatten [seq [seq image d v (earlier_value h) | v <- B] | h <- heads]))%MS.
Proof.
move=> hs yB; apply: submx_trans (image_space _ _ yB) _; elim: heads hs => //= k heads IH [->|/IH hB].
  exact: space_catl.
exact: submx_trans hB (space_catr _ _ _ _).
Qed.

(* what the neurons that are on put out *)
Lemma on_rowsP bs f m q1 W1 qb1 b1 q2 W2 j : (forall b, List.In b bs -> layer_of_shape b) -> j \in used ->
  ((map_mx (activate f) (behind_layers bs j *m mx R d m q1 W1 + row_of R m qb1 b1) *m mx R m d q2 W2)%R
    <= space (on_rows S bs f m q1 W1 qb1 b1 W2))%MS.
Proof.
move=> good ju; rewrite network_row; apply: sum_space => i im; case off: (is_off S bs f q1 W1 qb1 b1 i); last first.
  rewrite scalemx_sub // (_ : row_of R d q2 _ = (z (Zpos q2))^-1 *: vec (nth [::] W2 i)); last first.
    by apply/rowP => k; rewrite !mxE toF1 divr1 mulrC.
  rewrite scalemx_sub // in_space //; apply: map_f; rewrite mem_filter off /=.
  by elim: (iota 0 m) im => //= a l IH [->|/IH]; rewrite inE ?eqxx // => ->; rewrite orbT.
move: off; rewrite /is_off; case: f => //; case eE: (entering_neuron _ _ _ _ _ _ _) => [x|] // /value_sign x0.
have yx := enteringP (fun f M => @mostP bs f M good) eE ju.
by rewrite /activate (max_idPl (le_trans yx x0)) scale0r sub0mx.
Qed.

Lemma normed x q gain num den i B : (x i <= space B)%MS ->
  (after_layer (EarlierNorm q gain num den) x i <= space [seq [seq (nth 0%coqZ v j * nth 0%coqZ gain j)%coqZ | j <- iota 0 d] | v <- B])%MS.
Proof.
move=> /submxP[D xE]; rewrite /=; set s := Num.sqrt _; set C := [seq _ | _ <- B].
have sC : size C = size B by rewrite size_map.
pose D' : 'rV[R]_(size C) := castmx (erefl, esym sC) D.
have -> : \row_j (x i 0 j * row_of R d q gain 0 j / s) = (z (Zpos q) * s)^-1 *: (D' *m space C).
  apply/rowP => j; rewrite [LHS]mxE xE [(D *m _) 0 j]mxE [RHS]mxE [(D' *m _) 0 j]mxE !mulr_suml mulr_sumr.
  rewrite (reindex (cast_ord sC)) /=; last by exists (cast_ord (esym sC)) => k _; apply: val_inj.
  apply: eq_bigr => k _; rewrite castmxE /= cast_ord_id.
  have -> : cast_ord (esym (esym sC)) k = cast_ord sC k by apply: val_inj.
  rewrite [space B _ _]mxE [space C _ _]mxE [row_of _ _ _ _ _ _]mxE /ent (nth_map [::]) -?sC //= (nth_map 0%N) ?size_iota // nth_iota // add0n.
  have aux (a b u v w : R) : a * b * (u / v) / w = v^-1 / w * (a * (b * u)) by ring.
  by rewrite toFM toF1 !divr1 invfM; apply: aux.
by rewrite scalemx_sub // submxMl.
Qed.


Theorem spacesP bs (x := behind_layers bs) : (forall b, List.In b bs -> layer_of_shape b) ->
  (forall i, i \in used -> (x i <= space (spaces S g bs).1)%MS) /\
  (forall i j, i \in used -> j \in used -> g i = g j -> (x i - x j <= space (spaces S g bs).2)%MS).
Proof.
rewrite {}/x; elim: bs => [|b bs IH] good.
  have given i : given_vectors R S i = (z (Zpos (q_hidden S)))^-1 *: vec (nth [::] (hidden_rows S) i).
    by apply/rowP => k; rewrite !mxE toF1 divr1 mulrC.
  split=> [i iu|i j iu ju ij]; rewrite [behind_layers _]/= !given.
    by rewrite scalemx_sub //; apply: submx_trans (basis_spans _ _ _); apply/in_space/map_f.
  have from_first k : k \in used -> (vec (nth [::] (hidden_rows S) k) - vec (nth [::] (hidden_rows S) (first_of S g k))
      <= space (spaces S g [::]).2)%MS.
    move=> ku; apply: submx_trans (basis_spans _ _ _); rewrite -[X in X - _]scale1r -[X in _ - X]scale1r -{1 2}(toF1 R) -vec_less.
    by apply/in_space/(map_f (fun k => less 1 (nth [::] (hidden_rows S) k) 1 (nth [::] (hidden_rows S) (first_of S g k)))).
  have firstE : first_of S g i = first_of S g j by rewrite /first_of ij.
  have := addmx_sub (from_first i iu) _; move=> /(_ (- (vec (nth [::] (hidden_rows S) j) - vec (nth [::] (hidden_rows S) (first_of S g j))))).
  rewrite eqmx_opp => /(_ (from_first j ju)); rewrite firstE opprB addrA subrK => ij_sub.
  by rewrite -scalerBr scalemx_sub.
have [b' {}good] : layer_of_shape b /\ forall b', List.In b' bs -> layer_of_shape b' by split=> [|b' bs']; apply: good; [left|right].
have {IH}[lin dif] := IH good; rewrite [spaces _ _ _]/= [behind_layers _]/=; set x := behind_layers bs in lin dif *.
set L := (spaces S g bs).1 in lin *; set A := (spaces S g bs).2 in dif *.
have keptL (r : bool) i B : i \in used -> (kept_input r (x i) <= space ((if r then L else [::]) ++ B))%MS.
  by move=> iu; case: r => /=; [apply: submx_trans (lin i iu) (space_catl _ _ _ _)|apply: sub0mx].
have keptA (r : bool) i j B : i \in used -> j \in used -> g i = g j ->
    (kept_input r (x i) - kept_input r (x j) <= space ((if r then A else [::]) ++ B))%MS.
  by move=> iu ju ij; case: r => /=; [apply: submx_trans (dif i j iu ju ij) (space_catl _ _ _ _)|rewrite subr0 sub0mx].
have equal i j : A = [::] -> i \in used -> j \in used -> g i = g j -> x i = x j.
  move=> A0 iu ju ij; have := dif i j iu ju ij; rewrite A0 => /submxP[D]; rewrite (flatmx0 (space [::])) mulmx0 => /eqP.
  by rewrite subr_eq0 => /eqP.
case: b b' => [residual lists heads|residual f m q1 W1 qb1 b1 q2 W2 qb2 b2|q gain num den] b'.
- split=> [i iu|i j iu ju ij].
    rewrite /next_space /=; apply: submx_trans (basis_spans _ _ _); rewrite addmx_sub ?keptL //; apply: sum_space => h hs.
    apply: submx_trans (space_catr _ _ _ _); apply: image_heads => //; have [s0 sP] := b' i iu.
    by rewrite -[softmax_mean _ _]subr0; apply: mean_inside => // k /sP[ku _]; rewrite subr0; apply: lin.
  rewrite /next_space /=; have spans : (space ((if residual then A else [::]) ++ flatten [seq [seq image d v (earlier_value h) | v <- A] | h <- heads])
      <= space (if nilp A then [::] else basis d ((if residual then A else [::]) ++ flatten [seq [seq image d v (earlier_value h) | v <- A] | h <- heads])))%MS.
    case: nilP => [->|_]; last exact: basis_spans.
    rewrite (_ : flatten _ = [::]); last by elim: (heads).
    by case: (residual); apply: submx_refl.
  apply: submx_trans spans; rewrite opprD addrACA addmx_sub ?keptA // -sumrB; apply: sum_space => h hs.
  apply: submx_trans (space_catr _ _ _ _); rewrite -mulmxBl; apply: image_heads => //.
  have [[s0 sP] [t0 tP]] := (b' i iu, b' j ju).
  have both (u v : 'rV[R]_d) : (u - x j <= space A)%MS -> (v - x j <= space A)%MS -> (u - v <= space A)%MS.
    move=> uA vA; have -> : u - v = (u - x j) - (v - x j) by rewrite opprB addrA subrK.
    by apply: addmx_sub => //; rewrite eqmx_opp.
  apply: both; apply: mean_inside => // k; last by move=> /tP[ku kj]; apply: dif.
  by move=> /sP[ku ki]; apply: dif; rewrite // ki.
- split=> [i iu|i j iu ju ij].
    rewrite /next_space /=; apply: submx_trans (basis_spans _ _ _); rewrite !addmx_sub ?keptL //.
      by apply: submx_trans (space_catr _ _ _ _); apply: submx_trans (space_catr _ _ [:: b2] _); apply: on_rowsP.
    apply: submx_trans (space_catr _ _ _ _); apply: submx_trans (space_catl _ _ [:: b2] _).
    rewrite (_ : row_of R d qb2 b2 = (z (Zpos qb2))^-1 *: vec b2) ?scalemx_sub ?in_space ?mem_head //.
    by apply/rowP => k; rewrite !mxE toF1 divr1 mulrC.
  rewrite /next_space /=; case: nilP => [A0|_].
    by rewrite (equal i j) // subrr sub0mx.
  apply: submx_trans (basis_spans _ _ _); rewrite opprD addrACA subrr addr0 opprD addrACA addmx_sub ?keptA //.
  by apply: submx_trans (space_catr _ _ _ _); rewrite addmx_sub ?eqmx_opp ?on_rowsP.
have to_space i : i \in used -> (after_layer (EarlierNorm q gain num den) x i <= space (basis d
    [seq [seq (nth 0%coqZ v j * nth 0%coqZ gain j)%coqZ | j <- iota 0 d] | v <- L]))%MS.
  by move=> iu; apply: submx_trans (basis_spans _ _ _); apply/normed/lin.
split=> [i iu|i j iu ju ij]; first exact: to_space.
rewrite /next_space /=; case: nilP => [A0|_]; last by rewrite addmx_sub ?eqmx_opp ?to_space.
by rewrite /after_layer (equal i j) // subrr sub0mx.
Qed.

Lemma enteringE : behind_layers (rev (befores S)) = entering R S.
Proof. by rewrite /behind_layers -(foldl_rev (fun x b => after_layer b x)) revK. Qed.

Lemma In_rev (b : earlier) s : List.In b (rev s) -> List.In b s.
Proof.
have In_rcons l a : List.In b (rcons l a) -> a = b \/ List.In b l.
  elim: l => [|c l IH] /=; first by case=> [|[]]; left.
  by case=> [cb|/IH[ab|bl]]; [right; left|left|right; right].
by elim: s => //= a s IH; rewrite rev_cons => /In_rcons[ab|/IH]; [left|right].
Qed.

(* --- the layer averages such vectors *)
Hypotheses (sizes : size (example_tokens S) = T) (filled : forall t : 'I_T, (0 < size (list_of t))%N).
Local Notation x := (entering R S).
Let L := (hulls S g).1.
Let C := (hulls S g).2.

Lemma tokens_used (t : 'I_T) j : j \in list_of t -> j \in used.
Proof. by move=> jt; apply: used_token jt; apply: mem_nth; rewrite sizes. Qed.

Lemma hullsP : (forall j, j \in used -> (x j <= space L)%MS) /\
  (forall i j, i \in used -> j \in used -> g i = g j -> (x i - x j <= space C)%MS).
Proof. by rewrite -enteringE; apply: spacesP => b /In_rev; apply: good_layers. Qed.

(* lists that are made equally long by tokens with the coefficient 0               *)
Let n := (\max_(t < T) size (list_of t)).+1.
Lemma list_leq (t : 'I_T) : (size (list_of t) <= n)%N.
Proof. by rewrite leqW // (leq_bigmax t). Qed.

Definition padded_token (t : 'I_T) (i : 'I_n) : nat := nth (nth 0%N (list_of t) 0) (list_of t) i.
Lemma padded_in t i : padded_token t i \in list_of t.
Proof.
rewrite /padded_token; have [il|li] := ltnP i (size (list_of t)); first exact: mem_nth.
by rewrite nth_default // mem_nth.
Qed.

Definition padded_tokens (t : 'I_T) : 'M[R]_(n, d) := \matrix_i x (padded_token t i).

Section Coefficients.
Variable A : forall t : 'I_T, 'M[R]_(H, size (list_of t)).
Definition padded_coefs (t : 'I_T) : 'M[R]_(H, n) := \matrix_(h, i) (if insub (i : nat) is Some k then A t h k else 0).
Definition sequence_out : 'M[R]_(T, H * d) := \matrix_t mxvec (A t *m stack_tokens x (list_of t)).

Lemma padded_sum (t : 'I_T) h (f : nat -> R) : \sum_(i < n) padded_coefs t h i * f i = \sum_(k < size (list_of t)) A t h k * f k.
Proof.
pose F i := (if insub i is Some k then A t h k else 0) * f i.
rewrite (eq_bigr (fun k : 'I_(size (list_of t)) => F k)); last by move=> k _; rewrite /F valK.
rewrite (big_ord_widen n F (list_leq t)) [RHS]big_mkcond; apply: eq_bigr => i _; rewrite mxE.
by rewrite /F; case: ltnP => // li; rewrite insubF ?mul0r // ltnNge li.
Qed.

Lemma sequence_outE : sequence_out = attn_out padded_coefs padded_tokens.
Proof.
apply/row_matrixP => t; rewrite !rowK; congr mxvec; apply/matrixP => h j; pose f k := x (nth (nth 0%N (list_of t) 0) (list_of t) k) 0 j.
rewrite [LHS]mxE [RHS]mxE (eq_bigr (fun k : 'I_(size (list_of t)) => A t h k * f k)); last first.
  by move=> k _; rewrite [stack_tokens _ _ _ _]mxE /f; congr (_ * x _ 0 j); apply: set_nth_default.
by rewrite -padded_sum; apply: eq_bigr => i _; rewrite [padded_tokens t i j]mxE.
Qed.

End Coefficients.

Lemma padded_inside t : (padded_tokens t <= space L)%MS.
Proof. by apply/row_subP => i; rewrite rowK; apply/(proj1 hullsP)/tokens_used/padded_in. Qed.

(* --- as many vectors as there are classes of tokens *)
Local Notation cl := (class_at S).
Local Notation rows := (listed_rows S).
Local Notation classes := (token_classes S).

Lemma padded_row t i : padded_token t i \in rows.
Proof. by apply/flattenP; exists (list_of t); [apply: mem_nth; rewrite sizes|apply: padded_in]. Qed.

Lemma class_rows i j b : i \in rows -> j \in rows -> cl i = (sign_of b * cl j)%coqZ -> x i = sgn R b *: x j.
Proof.
have /andP[/andP[/and5P[_ _ _ ins /andP[_ /allP tok]] _] _] := ok; have [cx sc] := row_classes_right R ins.
have inside k : k \in rows -> (k < size (row_classes S))%N by rewrite sc => /flattenP[l lS kl]; apply: (allP (tok l lS)).
by move=> /inside ir /inside jr; apply: cx.
Qed.

(* the first token of a class *)
Definition first_token (y : Z) : nat := nth 0%N rows (find (fun j => cl j =? y)%coqZ rows).
Lemma first_tokenP j : j \in rows -> first_token (cl j) \in rows /\ cl (first_token (cl j)) = cl j.
Proof.
move=> jr; have some : has (fun k => cl k =? cl j)%coqZ rows by apply/hasP; exists j; rewrite ?Z.eqb_refl.
by split; [apply: mem_nth; rewrite -has_find|apply/Z.eqb_eq/(nth_find 0%N some)].
Qed.
Local Notation first := first_token.

Lemma token_class j : j \in rows -> cl j \in classes.
Proof. by move=> jr; rewrite mem_undup map_f. Qed.
Lemma first_of_class j : j \in rows -> x j = x (first (cl j)).
Proof.
move=> jr; have [fr fE] := first_tokenP jr; rewrite -[RHS]scale1r; apply: (class_rows (b := false)) => //.
by rewrite Z.mul_1_l fE.
Qed.

Lemma directionsP (js : seq nat) : {subset js <= rows} ->
  exists V : 'M[R]_(size (directions_of S js), d), forall j, j \in js -> (x j <= V)%MS.
Proof.
move=> jsr; set zs := directions_of S js.
pose first_in y := nth 0%N js (find (fun j => Z.abs (cl j) =? y)%coqZ js).
exists (\matrix_(k < size zs) x (first_in (nth 0%coqZ zs k))) => j jjs; have jr := jsr j jjs.
have [z0|nz] := Z.eq_dec (cl j) 0%coqZ.
  have : x j = sgn R true *: x j by apply: class_rows; rewrite // z0.
  by rewrite scaleN1r => /eqP; rewrite -addr_eq0 -mulr2n -scaler_nat scaler_eq0 pnatr_eq0 /= => /eqP ->; rewrite sub0mx.
have zin : Z.abs (cl j) \in zs.
  by rewrite mem_undup; apply: map_f; rewrite mem_filter map_f // andbT; apply/negP => /Z.eqb_eq.
have kz : (index (Z.abs (cl j)) zs < size zs)%N by rewrite index_mem.
have some : has (fun k => Z.abs (cl k) =? Z.abs (cl j))%coqZ js by apply/hasP; exists j; rewrite ?Z.eqb_refl.
have fE : Z.abs (cl (first_in (Z.abs (cl j)))) = Z.abs (cl j) by apply/Z.eqb_eq/(nth_find 0%N some).
have fr : first_in (Z.abs (cl j)) \in rows by apply/jsr/mem_nth; rewrite -has_find.
set r := first_in _ in fr fE; have -> : x j = sgn R (~~ (cl j =? cl r)%coqZ) *: x r.
  apply: class_rows => //; move: (cl j) (cl r) fE => u v; case: Z.eqb_spec => [->|ne] uv.
    by rewrite Z.mul_1_l.
  by change (sign_of (~~ false)) with (-1)%coqZ; lia.
by apply: scalemx_sub; apply: (eq_row_sub (Ordinal kz)); rewrite rowK /= nth_index.
Qed.

Lemma listed_inside m (V : 'M[R]_(m, d)) (t : 'I_T) j : (padded_tokens t <= V)%MS -> j \in list_of t -> (x j <= V)%MS.
Proof.
move=> tV jt; have jn : (index j (list_of t) < n)%N by apply: leq_trans (list_leq t); rewrite index_mem.
by apply: submx_trans tV; apply: (eq_row_sub (Ordinal jn)); rewrite rowK /padded_token /= nth_index.
Qed.

Lemma few_linearP : exists V : 'M[R]_(few_linear S, d), forall t, (padded_tokens t <= V)%MS.
Proof.
have [//|V VP] := directionsP (js := rows); exists V => t; apply/row_subP => i; rewrite rowK; apply: VP; exact: padded_row.
Qed.

Lemma few_affineP : exists x0 (V : 'M[R]_(few_affine S, d)), forall t i, (row i (padded_tokens t) - x0 <= V)%MS.
Proof.
pose zs := behead classes; have sz : size zs = few_affine S by rewrite size_behead.
exists (x (first (head 0%coqZ classes))), (\matrix_(k < few_affine S) (x (first (nth 0%coqZ zs k)) - x (first (head 0%coqZ classes)))).
move=> t i; rewrite rowK (first_of_class (padded_row t i)); have := token_class (padded_row t i).
rewrite /zs in sz *; case: classes sz => // y ys sz; rewrite inE => /predU1P[->|yy]; first by rewrite subrr sub0mx.
have ky : (index (cl (padded_token t i)) ys < few_affine S)%N by rewrite -sz index_mem.
by apply: (eq_row_sub (Ordinal ky)); rewrite rowK /= nth_index.
Qed.

Definition forest_space (es : seq (Z * Z)) : 'M[R]_(size es, d) :=
  \matrix_k (x (first (nth (0, 0)%coqZ es k).1) - x (first (nth (0, 0)%coqZ es k).2)).
Definition class_label (l : seq nat) (y : Z) : nat := nth 0%N l (index y classes).

Lemma joinP st e : size st.1 = size classes -> e.1 \in classes -> e.2 \in classes ->
    (forall y w, y \in classes -> w \in classes -> class_label st.1 y = class_label st.1 w -> (x (first y) - x (first w) <= forest_space st.2)%MS) ->
  let st' := join_classes S st e in [/\ size st'.1 = size classes, class_label st'.1 e.1 = class_label st'.1 e.2,
    forall y w, y \in classes -> w \in classes -> class_label st.1 y = class_label st.1 w -> class_label st'.1 y = class_label st'.1 w &
    forall y w, y \in classes -> w \in classes -> class_label st'.1 y = class_label st'.1 w -> (x (first y) - x (first w) <= forest_space st'.2)%MS].
Proof.
move=> sl e1 e2 inv /=; rewrite /join_classes -/(class_label st.1 e.1) -/(class_label st.1 e.2); case: eqP => [ll|_]; first by split.
set a := class_label st.1 e.1; set b := class_label st.1 e.2; set l' := [seq _ | _ <- st.1].
have newE y : y \in classes -> class_label l' y = if class_label st.1 y == b then a else class_label st.1 y.
  by move=> yc; rewrite /class_label /l' (nth_map 0%N) // sl index_mem.
have sub y w : y \in classes -> w \in classes -> class_label st.1 y = class_label st.1 w -> (x (first y) - x (first w) <= forest_space (e :: st.2))%MS.
  move=> yc wc /(inv y w yc wc)/submx_trans; apply; apply/row_subP => k; rewrite rowK.
  by apply: (eq_row_sub (lift ord0 k)); rewrite rowK.
have edge : (x (first e.1) - x (first e.2) <= forest_space (e :: st.2))%MS by apply: (eq_row_sub ord0); rewrite rowK.
have chain (u v w : 'rV[R]_d) : (u - v <= forest_space (e :: st.2))%MS -> (v - w <= forest_space (e :: st.2))%MS ->
    (u - w <= forest_space (e :: st.2))%MS by move=> uv vw; rewrite -(subrK v u) -addrA addmx_sub.
have back (u v : 'rV[R]_d) : (u - v <= forest_space (e :: st.2))%MS -> (v - u <= forest_space (e :: st.2))%MS.
  by move=> uv; rewrite -opprB eqmx_opp.
have to1 y : y \in classes -> class_label st.1 y = b -> (x (first y) - x (first e.1) <= forest_space (e :: st.2))%MS.
  by move=> yc yb; apply: chain (sub y e.2 yc e2 yb) (back _ _ edge).
split=> [|||y w yc wc]; rewrite ?size_map // ?newE //.
- by rewrite eqxx; case: ifP.
- by move=> y w yc wc yw; rewrite !newE // yw.
case: eqP => [yb|_]; case: eqP => [wb|_] yw.
- by apply: chain (to1 y yc yb) (back _ _ (to1 w wc wb)).
- by apply: chain (to1 y yc yb) (sub e.1 w e1 wc yw).
- by apply: chain (sub y e.1 yc e1 yw) (back _ _ (to1 w wc wb)).
exact: sub.
Qed.

Lemma few_differencesP : exists V : 'M[R]_(few_differences S, d), forall t i j, (row i (padded_tokens t) - row j (padded_tokens t) <= V)%MS.
Proof.
exists (forest_space (class_forest S).2) => t i j; rewrite !rowK !(first_of_class (padded_row t _)).
have ec e : e \in class_edges S -> e.1 \in classes /\ e.2 \in classes.
  move=> /flattenP[_ /mapP[s sS ->]] /mapP[k ks ->] /=; split; apply: token_class; apply/flattenP; exists s => //.
  by apply: mem_nth; case: (s) ks.
pose st0 := (iota 0 (size classes), [::] : seq (Z * Z)).
have base y w : y \in classes -> w \in classes -> class_label st0.1 y = class_label st0.1 w -> (x (first y) - x (first w) <= forest_space st0.2)%MS.
  move=> yc wc; rewrite /class_label /= !nth_iota ?index_mem // !add0n => yw.
  by rewrite -(nth_index 0%coqZ yc) yw nth_index // subrr sub0mx.
have [inv joins] : (forall y w, y \in classes -> w \in classes -> class_label (class_forest S).1 y = class_label (class_forest S).1 w ->
    (x (first y) - x (first w) <= forest_space (class_forest S).2)%MS) /\
    forall e, e \in class_edges S -> class_label (class_forest S).1 e.1 = class_label (class_forest S).1 e.2.
  rewrite /class_forest -/st0; have : size st0.1 = size classes by rewrite size_iota.
  elim: (class_edges S) st0 ec base => [|e es IH] st ec inv sl; first by split.
  have [e1 e2] := ec e (mem_head _ _); have [sl' ee kept inv'] := joinP sl e1 e2 inv.
  have es_c e' : e' \in es -> e'.1 \in classes /\ e'.2 \in classes by move=> e'es; apply: ec; rewrite inE e'es orbT.
  have keep y w : y \in classes -> w \in classes -> class_label (join_classes S st e).1 y = class_label (join_classes S st e).1 w ->
      class_label (foldl (join_classes S) (join_classes S st e) es).1 y = class_label (foldl (join_classes S) (join_classes S st e) es).1 w.
    move=> yc wc; elim: es (join_classes S st e) es_c sl' inv' {IH ec} => //= f fs IHf st' fs_c sl' inv' yw.
    have [f1 f2] := fs_c f (mem_head _ _); have [sl'' _ kept' inv''] := joinP sl' f1 f2 inv'.
    by apply: IHf => //; [move=> e' e'fs; apply: fs_c; rewrite inE e'fs orbT|apply: kept'].
  have [invE joinE] := IH _ es_c inv' sl'; split=> // e'; rewrite inE => /predU1P[->|]; last exact: joinE.
  exact: keep.
apply: inv; rewrite ?token_class ?padded_row //.
have tS : list_of t \in example_tokens S by apply: mem_nth; rewrite sizes.
have edge k : (cl (nth 0%N (list_of t) 0), cl (padded_token t k)) \in class_edges S.
  by apply/flattenP; exists [seq (cl (nth 0%N (list_of t) 0), cl m) | m <- list_of t]; apply: map_f => //; apply: padded_in.
by rewrite -(joins _ (edge i)) -(joins _ (edge j)).
Qed.

(* --- the smaller of both *)
Lemma tokens_inside : exists m (V : 'M[R]_(m, d)), (\rank V <= dim_linear S g)%N /\ forall t, (padded_tokens t <= V)%MS.
Proof.
rewrite /dim_linear; case: leqP => _; first by exists (size L), (space L); split; [apply: rank_leq_row|apply: padded_inside].
by have [V VP] := few_linearP; exists (few_linear S), V; split; [apply: rank_leq_row|].
Qed.

(* all rows have the same key *)
Lemma tokens_affine : (forall i j, g i = g j) ->
  exists x0 m (V : 'M[R]_(m, d)), (\rank V <= dim_affine S g)%N /\ forall t i, (row i (padded_tokens t) - x0 <= V)%MS.
Proof.
move=> same; rewrite /dim_affine; case: leqP => _; last first.
  by have [x0 [V VP]] := few_affineP; exists x0, (few_affine S), V; split; [apply: rank_leq_row|].
have [T0|Tpos] := posnP T; first by exists 0, (size C), (space C); split=> [|t]; [apply: rank_leq_row|have := ltn_ord t; rewrite {2}T0].
exists (x (padded_token (Ordinal Tpos) ord0)), (size C), (space C); split=> [|t i]; first exact: rank_leq_row.
by rewrite rowK; apply: (proj2 hullsP); [apply: tokens_used (padded_in _ _)|apply: tokens_used (padded_in _ _)|].
Qed.

(* the tokens of an example have the same key *)
Lemma tokens_differences : exists m (V : 'M[R]_(m, d)), (\rank V <= dim_differences S g)%N /\
  forall t i j, (row i (padded_tokens t) - row j (padded_tokens t) <= V)%MS.
Proof.
rewrite /dim_differences; case: leqP => _; last first.
  by have [V VP] := few_differencesP; exists (few_differences S), V; split; [apply: rank_leq_row|].
exists (size C), (space C); split=> [|t i j]; first exact: rank_leq_row.
rewrite !rowK; apply: (proj2 hullsP); [exact: tokens_used (padded_in _ _)|exact: tokens_used (padded_in _ _)|].
have /andP[_ /allP same] := ok; have ts : list_of t \in example_tokens S by apply: mem_nth; rewrite sizes.
have key k : k \in list_of t -> g k = g (nth 0%N (list_of t) 0) by move=> /(allP (same _ ts))/eqP.
by rewrite (key _ (padded_in t i)) (key _ (padded_in t j)).
Qed.

Variable A : forall t : 'I_T, 'M[R]_(H, size (list_of t)).

Theorem linear_hulls : (\rank (sequence_out A) <= H * dim_linear S g)%N.
Proof.
have [m [V [rV inV]]] := tokens_inside; rewrite sequence_outE.
by apply: leq_trans (linear_hull_rank (padded_coefs A) inV) _; rewrite leq_mul2l rV orbT.
Qed.

Hypothesis A1 : forall t, sum1 (A t).
Lemma padded_sum1 t : sum1 (padded_coefs A t).
Proof.
move=> h; rewrite -[RHS](A1 t h); have := padded_sum A t h (fun=> 1).
by rewrite (eq_bigr (padded_coefs A t h)) => [->|i _]; [apply: eq_bigr => k _|]; rewrite mulr1.
Qed.

Theorem affine_hulls : (forall i j, g i = g j) -> (\rank (sequence_out A) <= H * dim_affine S g + 1)%N.
Proof.
move=> /tokens_affine[x0 [m [V [rV inV]]]]; rewrite sequence_outE.
by apply: leq_trans (affine_hull_rank padded_sum1 inV) _; rewrite leq_add2r leq_mul2l rV orbT.
Qed.

Theorem context_hulls_of : (0 < H)%N -> (\rank (sequence_out A) <= (H - 1) * dim_differences S g + dim_linear S g)%N.
Proof.
move=> H0; have le : (\rank (attn_out (padded_coefs A) padded_tokens) <= \rank (\sum_(t in [set: 'I_T]) <<hull_span H (padded_tokens t)>>)%MS)%N.
  apply: mxrankS; apply/row_subP => t; rewrite rowK.
  by rewrite (sumsmx_sup t) ?inE // genmxE; apply: (hull_row ord0); apply: padded_sum1.
have [m [V [rV inV]]] := tokens_inside; have [k [W [rW inW]]] := tokens_differences.
rewrite sequence_outE; apply: (leq_trans le); rewrite hull_rankE // /hull_rank; apply: leq_add.
  rewrite leq_mul2l; apply/orP; right; apply: leq_trans rW; apply/mxrankS/sumsmx_subP => t _.
  by rewrite genmxE; apply: submx_trans (diffs_sub_first _ ord0) _; apply/row_subP => i; rewrite row_minus_first.
by apply: leq_trans rV; apply/mxrankS/sumsmx_subP => t _; rewrite genmxE.
Qed.

End Sound.
