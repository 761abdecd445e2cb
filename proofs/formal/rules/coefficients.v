(* The proved checker, rule `coefficients`: each head points at one token of each example, and the queries  *)
(* of the rows of a minor are pairwise non-parallel.                                                        *)
(*                                                                                                          *)
(*                     zero_query d r == the first d entries are 0                                          *)
(*          first_entry r, crossing r s == where r is not 0; two rows are no multiples of each other, as    *)
(*                                         they are not when multiplied with each other's entry there       *)
(*                    varied_rows d C == the rows are not all equal                                         *)
(*                        apart_all L == no two rows that count are multiples of each other                 *)
(*  token_entries, sum_row, pointed_row == a token, the sum of all, those at which the heads point          *)
(*                      token_rows D == these rows, for the rows of the minor                               *)
(*                 query_if_moving D t == whether the example moves, and its query                          *)
(*  coefficients_ok D p rows cols tokens == a minor of them is not 0 modulo p                               *)
(*                 coefficients_sound == a bound of the capacity                                            *)
From Attest Require Import integers attention common upper_bounds problem literal_arithmetic logits rational_matrices.
From Attest Require Import capacity nonparallel.

Local Notation Z := BinNums.Z.

Definition at_index (r : seq Z) (j : nat) : Z := nth 0%coqZ r j.
Definition zero_query (d : nat) (r : seq Z) : bool := all (fun j => at_index r j =? 0)%coqZ (iota 0 d).
Fixpoint crossed (x y : Z) (r s : seq Z) : bool :=
  match r, s with
  | a :: r', b :: s' => if (x * b =? a * y)%coqZ then crossed x y r' s' else true
  | _, _ => false
  end.
Definition first_entry (r : seq Z) : nat := find (fun x => ~~ (x =? 0)%coqZ) r.
Definition crossing_at (i : nat) (r s : seq Z) : bool := crossed (at_index r i) (at_index s i) r s.
Definition crossing (r : seq Z) : seq Z -> bool := crossing_at (first_entry r) r.
Definition varied_rows (d : nat) (C : seq (seq Z)) : bool :=
  let r := head [::] C in has (fun s => has (fun j => ~~ (at_index s j =? at_index r j)%coqZ) (iota 0 d)) C.

Fixpoint apart_all (L : seq (bool * seq Z)) : bool :=
  if L is (b, r) :: L' then
    if b then
      let i := first_entry r in
      if all (fun a => if a.1 then crossing_at i r a.2 else true) L' then apart_all L' else false
    else apart_all L'
  else true.

Section Rule.
Variable D : problem.
Local Notation n := (n D).
Local Notation d := (d D).

Definition query_at (t : nat) : seq Z := nth [::] (queries D) t.

(* entry j of the token c; of the sum of all tokens                              *)
Definition token_entries (t c : nat) : seq Z := [seq ent (context_at D t) c j | j <- iota 0 d].
Definition sum_row (t : nat) : seq Z :=
  let C := context_at D t in [seq foldr (fun i s => ent C i j + s)%coqZ 0%coqZ (iota 0 n) | j <- iota 0 d].
Definition pointed_row (t : nat) (tokens : seq nat) : seq Z :=
  flatten [seq (if zero_query d (query_at t) then sum_row t else token_entries t (nth 0%N tokens h)) | h <- iota 0 (H D)].
Definition token_rows (rows : seq nat) (tokens : seq (seq nat)) : seq (seq Z) :=
  [seq pointed_row (nth 0%N rows k) (nth [::] tokens k) | k <- iota 0 (size rows)].

Definition query_if_moving (t : nat) : bool * seq Z :=
  (~~ zero_query d (query_at t) && varied_rows d (context_at D t), query_at t).

Definition coefficients_ok (p : Z) (rows cols : seq nat) (tokens : seq (seq nat)) : bool :=
  [&& (0 < d_h D)%N, all (fun t => t < T D)%N rows, all (all (fun c => c < n)%N) tokens, apart_all [seq query_if_moving t | t <- rows] &
    minor_rows_ok p (size rows) (H D * d) (token_rows rows tokens) (iota 0 (size rows)) cols].

End Rule.

Section Sound.
Variables (R : realType) (D : problem).
Hypothesis okD : wf_problem D.
Let n_gt0 : (0 < n D)%N. Proof. by case/and3P: okD. Qed.
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation zq := (toF R (Zpos (q_contexts D))).

Lemma apartP L i j : apart_all L -> (i < j < size L)%N -> (nth (false, [::]) L i).1 -> (nth (false, [::]) L j).1 ->
  crossing (nth (false, [::]) L i).2 (nth (false, [::]) L j).2.
Proof.
elim: L i j => [|[b r] L IH] i j; first by rewrite andbC ltn0.
move=> ok /andP[ij jL]; case: j ij jL => [|j]; first by rewrite ltn0.
case: i => [|i] ij jL /=; last first.
  have apartL : apart_all L by move: ok => /=; case: (b) => //; case: ifP.
  by apply: IH => //; rewrite -ltnS ij.
move=> bT Lj; move: ok => /=; rewrite bT; case: ifP => // /all_nthP ok _.
by have := ok (false, [::]) j jL; rewrite Lj.
Qed.

Lemma eE (t : 'I_(T D)) j : e t j 0 = toF R (at_index (query_at D t) j) / toF R (Zpos (q_queries D)).
Proof. by rewrite !mxE. Qed.

Lemma zero_queryP (t : 'I_(T D)) : zero_query (d D) (query_at D t) = (e t == 0).
Proof.
apply/allP/eqP => [zero|e0 j].
  apply/colP => j; rewrite eE [RHS]mxE; have jd : nat_of_ord j \in iota 0 (d D) by rewrite mem_iota /= add0n.
  by have /Z.eqb_eq -> := zero _ jd; rewrite toF0 mul0r.
rewrite mem_iota /= add0n => jd; have /colP/(_ (Ordinal jd)) := e0; rewrite eE [RHS]mxE => /eqP.
by rewrite mulf_eq0 invr_eq0 (negPf (toF_pos R _)) orbF toF_eq0 => /eqP ->.
Qed.

Lemma crossedP x y r s : crossed x y r s -> exists k, (x * at_index s k)%coqZ <> (at_index r k * y)%coqZ.
Proof.
elim: r s => [|a r IH] [|b s] //=; case: ifP => [_ /IH[k ne]|/Z.eqb_neq ne _]; first by exists k.+1.
by exists 0%N.
Qed.

Lemma query_size t : (size (query_at D t) <= d D)%N.
Proof.
have /and3P[_ _ /allP sizes] := okD; have [tQ|Qt] := ltnP t (size (queries D)); last by rewrite /query_at nth_default.
by apply: sizes; exact: mem_nth.
Qed.

Lemma crossing_rows (t t' : 'I_(T D)) (c : R) : crossing (query_at D t) (query_at D t') -> e t != c *: e t'.
Proof.
case/crossedP => j ne; apply/eqP => et; apply: ne; apply: (@toF_inj R); rewrite !toFM.
have value k : toF R (at_index (query_at D t) k) = c * toF R (at_index (query_at D t') k).
  have [kd|dk] := ltnP k (d D); last by rewrite /at_index !nth_default ?(leq_trans (query_size _)) // toF0 mulr0.
  have := congr1 (fun v : 'cV_(d D) => v (Ordinal kd) 0) et; rewrite eE [RHS]mxE eE mulrA; apply: mulIf.
  by rewrite invr_eq0 toF_pos.
by rewrite (value (first_entry _)) (value j) -!mulrA; congr (_ * _); rewrite mulrC.
Qed.

Lemma EE t i j : E t i j = toF R (ent (context_at D t) i j) / zq.
Proof. by rewrite mxE. Qed.

Lemma varied_rowsP (t : 'I_(T D)) : size (context_at D t) = n D -> varied E t -> varied_rows (d D) (context_at D t).
Proof.
move=> sC /existsP[i /existsP[i' ii']]; apply: contraT => none.
have same (k : 'I_(n D)) : row k (E t) = row (Ordinal n_gt0) (E t).
  apply/rowP => j; rewrite !mxE; congr (toF R _ / _).
  have /hasPn/(_ (nth [::] (context_at D t) k)) := none; rewrite mem_nth ?sC // => /(_ isT)/hasPn/(_ (nat_of_ord j)).
  rewrite mem_iota /= add0n => /(_ (ltn_ord j)); rewrite negbK -nth0 => /Z.eqb_eq; apply.
by case/negP: ii'; rewrite !same.
Qed.

Lemma sum_rowE C j m : toF R (foldr (fun i s => ent C i j + s)%coqZ 0%coqZ (iota 0 m)) = \sum_(i < m) toF R (ent C i j).
Proof.
rewrite -(big_mkord predT (fun i => toF R (ent C i j))) /index_iota subn0.
by elim: (iota 0 m) => [|i s IH] /=; rewrite ?big_nil ?toF0 // big_cons -IH toFD.
Qed.

Theorem coefficients_sound p rows cols tokens : coefficients_ok D p rows cols tokens -> (size rows <= capacity R D)%N.
Proof.
move=> /and5P[dh0 rT ct ap minor]; have [f fE] := ords_of rT; set r := size rows in f fE minor *.
have sC (t : 'I_(T D)) : size (context_at D t) = n D.
  have tT : nat_of_ord t \in iota 0 (T D) by rewrite mem_iota /= add0n.
  by have /and3P[_ /allP sizes _] := okD; have /andP[/eqP size_t _] := sizes _ tT.
pose g (k : 'I_r) (h : 'I_(H D)) : 'I_(n D) := insubd (Ordinal n_gt0) (nth 0%N (nth [::] tokens k) h).
have gE k h : g k h = nth 0%N (nth [::] tokens k) h :> nat.
  rewrite /g insubdK // -topredE /=; have [kt|tk] := ltnP k (size tokens); last by rewrite (nth_default _ tk) nth_nil.
  have cs := all_nthP [::] ct k kt; have [hs|sh] := ltnP h (size (nth [::] tokens k)); last by rewrite nth_default.
  exact: (all_nthP 0%N cs).
have np : non_parallel (E \o f) (e \o f).
  have cross (k k' : 'I_r) : (k < k')%N -> e (f k) != 0 -> e (f k') != 0 -> varied (E \o f) k -> varied (E \o f) k' ->
      crossing (query_at D (f k)) (query_at D (f k')).
    move=> kk' ek ek' vk vk'; have := apartP ap (i := k) (j := k').
    rewrite size_map kk' ltn_ord !(nth_map 0%N) // -!fE /query_if_moving /= !zero_queryP ek ek' /=.
    by apply=> //; apply: varied_rowsP.
  move=> k k' kk' ek ek' vk vk' c; case: (ltngtP k k') => [lt|lt|/val_inj E0]; last by rewrite E0 eqxx in kk'.
    exact: crossing_rows (cross _ _ lt ek ek' vk vk').
  apply: contra (crossing_rows c^-1 (cross _ _ lt ek' ek vk' vk)) => /eqP E0.
  have E1 : e (f k) = c *: e (f k') := E0.
  by rewrite E1 scalerA mulVf ?scale1r //; apply: contraNneq ek => c0; rewrite /= E1 c0 scale0r.
have [P leP] := hard_attention_rank dh0 g np.
apply: (@leq_trans (\rank (attention.Z E e P))).
  have rowsZ : attention.Z (E \o f) (e \o f) P = rowsub f (attention.Z E e P).
    by apply/row_matrixP => k; rewrite row_rowsub !rowK.
  have : (\rank (attention.Z (E \o f) (e \o f) P) <= \rank (attention.Z E e P))%N by rewrite rowsZ rowsubE mxrankM_maxr.
  apply: leq_trans; apply: leq_trans leP; set M := \matrix_k _.
  have := minor_rows_rank R 1 minor; rewrite size_iota => /leq_trans; apply.
  (* rows of M up to a factor *)
  pose s k : R := zq * (if e (f k) == 0 then (n D)%:R else 1).
  rewrite (_ : mx _ _ _ _ _ = diag_mx (\row_k s k) *m M) ?mxrankM_maxr //.
  apply/matrixP => k c; case/mxvec_indexP: c => h j; rewrite mul_diag_mx [RHS]mxE [X in _ = X * _]mxE.
  have -> : M k (mxvec_index h j) = pointed (E \o f) (e \o f) g k h j by rewrite mxE mxvecE.
  rewrite mxE toF1 divr1 /ent mxvec_index_val (nth_map 0%N) ?size_iota ?ltn_ord // nth_iota ?ltn_ord // add0n -fE.
  rewrite /pointed_row zero_queryP (@flatten_nth _ _ _ (d D)) ?size_map ?size_iota ?ltn_ord //; last first.
    by apply/allP => u /mapP[h' _ ->]; case: ifP => _; rewrite size_map size_iota.
  rewrite (nth_map 0%N) ?size_iota ?ltn_ord // nth_iota ?ltn_ord // add0n /pointed /s /=.
  have [e0|e0] := eqVneq (e (f k)) 0; rewrite (nth_map 0%N) ?size_iota ?ltn_ord // nth_iota ?ltn_ord // add0n; last first.
    by rewrite mulr1 [in RHS]mxE [in RHS]mxE EE gE mulrC divfK ?toF_pos.
  rewrite sum_rowE [in RHS]mxE mulr_sumr; apply: eq_bigr => i _; rewrite mxE EE mulrA mulfK ?mulrA; last first.
    by rewrite pnatr_eq0 -lt0n.
  by rewrite mulrC mulKf ?toF_pos.
by apply: largest_geq; [rewrite leq_min rank_leq_row rank_leq_col|exists P].
Qed.

End Sound.
