(* The proved checker, elimination modulo p with words: rows one after the other,    *)
(* entries reduced when they are needed, so that the inner loop multiplies and adds. *)
(*                                                                                   *)
(*     fits p k == sums of k products of residues modulo p are words                   *)
(*   axpy c s u == s + c u                                                             *)
(*   insert p B r == the row r, reduced by the pivot rows B, one for each column that   *)
(*               has one, and without their first entries, joins them                  *)
(*   eliminate p B M == all rows of M do                                                *)
(*   word_row, insert_row, eliminate_rows == the same with rows of a type of their own    *)
(*   free_mod p n M == elimination finds the rows of M independent                      *)
(*   free_modP == it is right about all rows with these residues                        *)
From Attest Require Import integers common transcendence literal_arithmetic words residues.

Local Notation Z := BinNums.Z.

Definition fits_word (p : Z) (k : nat) : bool := (1 <? p)%coqZ && (p * p * (Z.of_nat k + 1) <=? limit)%coqZ.

Fixpoint axpy (c : word) (s u : seq word) : seq word :=
  match s, u with
  | x :: s', y :: u' => muladd x c y :: axpy c s' u'
  | [::], _ => [seq muladd zero c y | y <- u]
  | _, [::] => s
  end.

Definition reduce_row (p : word) (u r : seq word) : seq word :=
  let x := rem (head zero r) p in
  if is_zero x then behead r else axpy (sub p x) (behead r) u.

(* the row after its first entry, whose inverse is v                               *)
Definition normal (p v : word) (r : seq word) : seq word := [seq mulmod p v (rem x p) | x <- behead r].

Fixpoint insert (p : word) (B : seq (option (seq word))) (r : seq word) : option (seq (option (seq word))) :=
  match B with
  | [::] => None
  | Some u :: B' => if insert p B' (reduce_row p u r) is Some B'' then Some (Some u :: B'') else None
  | None :: B' =>
    let x := rem (head zero r) p in
    if is_zero x then if insert p B' (behead r) is Some B'' then Some (None :: B'') else None
    else if inverse p x is Some v then Some (Some (normal p v r) :: B') else None
  end.

Fixpoint eliminate (p : word) (B : seq (option (seq word))) (M : seq (seq word)) : bool :=
  if M is r :: M' then if insert p B r is Some B' then eliminate p B' M' else false else true.

(* The same with rows of a type of their own, which extraction maps to arrays, and reduce_rows to a loop: a row is   *)
(* reduced by all pivot rows us that follow one another at once.                                                   *)
Inductive word_row := Row (s : seq word).
Definition unrow (r : word_row) : seq word := let: Row s := r in s.

Definition reduce_rows (p : word) (us : seq word_row) (r : word_row) : word_row :=
  Row (foldl (fun s u => reduce_row p (unrow u) s) (unrow r) us).

Fixpoint insert_row (p : word) (us : seq word_row) (B : seq (option word_row)) (r : word_row) : option (seq (option word_row)) :=
  match B with
  | [::] => None
  | Some u :: B' => if insert_row p (u :: us) B' r is Some B'' then Some (Some u :: B'') else None
  | None :: B' =>
    let s := unrow (reduce_rows p (rev us) r) in
    let x := rem (head zero s) p in
    if is_zero x then if insert_row p [::] B' (Row (behead s)) is Some B'' then Some (None :: B'') else None
    else if inverse p x is Some v then Some (Some (Row (normal p v s)) :: B') else None
  end.

Fixpoint eliminate_rows (p : word) (B : seq (option word_row)) (M : seq word_row) : bool :=
  if M is r :: M' then if insert_row p [::] B r is Some B' then eliminate_rows p B' M' else false else true.

Lemma insert_rowE p us B r :
  omap (map (omap unrow)) (insert_row p us B r) = insert p (map (omap unrow) B) (unrow (reduce_rows p (rev us) r)).
Proof.
elim: B us r => [|[u|] B IH] us r //=.
  by have := IH (u :: us) r; rewrite rev_cons -cats1 /= foldl_cat /= => <-; case: insert_row.
case: ifP => _; last by case: inverse.
by have := IH [::] (Row (behead (foldl (fun s u => reduce_row p (unrow u) s) (unrow r) (rev us)))); rewrite /= => <-; case: insert_row.
Qed.

Lemma eliminate_rowsE p B M : eliminate_rows p B M = eliminate p (map (omap unrow) B) (map unrow M).
Proof.
elim: M B => //= r M IH B; have := insert_rowE p [::] B r; rewrite /= => <-.
by case: insert_row => //= B'; apply: IH.
Qed.

Definition free_mod (p : Z) (n : nat) (M : seq (seq Z)) : bool :=
  if fits_word p n.+1 then eliminate_rows (ofZ p) (nseq n None) [seq Row (residues p r) | r <- M] else free_exact p n M.

(* -------------------------------------------------------------------------- *)
(* One column                                                                  *)
(* -------------------------------------------------------------------------- *)
Lemma eliminate_some p u B M : eliminate p (Some u :: B) M -> eliminate p B [seq reduce_row p u r | r <- M].
Proof. by elim: M B => [|r M IH] B //=; case: (insert _ _ _) => // B' /IH. Qed.

Definition zero_head (p : word) (r : seq word) : bool := is_zero (rem (head zero r) p).

Lemma eliminate_none p B M : eliminate p (None :: B) M ->
  (all (zero_head p) M /\ eliminate p B [seq behead r | r <- M]) \/
  exists A r C v, [/\ M = A ++ r :: C, all (zero_head p) A, inverse p (rem (head zero r) p) = Some v &
    eliminate p B ([seq behead s | s <- A] ++ [seq reduce_row p (normal p v r) s | s <- C])].
Proof.
elim: M B => [|r M IH] B //=; first by left.
case: ifP => [x0|_]; last first.
  by case E: (inverse p _) => [v|] // /eliminate_some ok; right; exists [::], r, M, v.
case E: (insert p B (behead r)) => [B'|] // /IH [[z ok]|[A [s [C [v [-> zA sv ok]]]]]].
  by left; rewrite /zero_head x0 z.
by right; exists (r :: A), s, C, v; rewrite /= E /zero_head x0.
Qed.

(* -------------------------------------------------------------------------- *)
(* Bounds                                                                      *)
(* -------------------------------------------------------------------------- *)
Section Bounds.
Variable p : word.
Hypothesis p1 : (1 < toZ p)%coqZ.
Local Notation bound k := (toZ p * toZ p * Z.of_nat k)%coqZ.

Lemma axpyE k c s u : (bound k.+1 <= limit)%coqZ -> (0 <= toZ c <= toZ p)%coqZ ->
    all_small (bound k) s -> all_small (toZ p) u ->
  all_small (bound k.+1) (axpy c s u) /\
  forall j, toZ (nth zero (axpy c s u) j) = (toZ (nth zero s j) + toZ c * toZ (nth zero u j))%coqZ.
Proof.
move=> kl [c0 cp]; have bS : (bound k.+1 = bound k + toZ p * toZ p)%coqZ by rewrite Nat2Z.inj_succ Z.mul_succ_r.
have b0 : (0 <= bound k)%coqZ by nia.
have one_step x y : (0 <= toZ x < bound k)%coqZ \/ toZ x = 0%coqZ -> small (toZ p) y ->
    toZ (muladd x c y) = (toZ x + toZ c * toZ y)%coqZ /\ small (bound k.+1) (muladd x c y).
  move=> xb [y0 yp].
  have cy : (0 <= toZ c * toZ y <= toZ p * (toZ p - 1))%coqZ by split; nia.
  have xE : toZ (muladd x c y) = (toZ x + toZ c * toZ y)%coqZ by apply: muladdE; lia.
  by split=> //; rewrite /small xE; lia.
elim: s u => [|x s IH] u.
  have -> : axpy c [::] u = [seq muladd zero c y | y <- u] by case: u.
  elim: u => [|y u IHu] /=; first by move=> _ _; split=> // j; rewrite !nth_nil toZ_zero Z.mul_0_r.
  move=> _ [ys us]; have [yE yb] := one_step zero y (or_intror erefl) ys; have [IH1 IH2] := IHu I us.
  by split=> // -[|j] //=; rewrite IH2 nth_nil.
case: u => [|y u] /=.
  move=> [xs ss] _; split=> [|j]; last by rewrite [in X in (_ * X)%coqZ]nth_nil toZ_zero Z.mul_0_r Z.add_0_r.
  split; first by apply: small_le xs; lia.
  by apply: all_small_le ss; lia.
move=> [xs ss] [ys us]; have [xE xb] := one_step x y (or_introl xs) ys; have [IH1 IH2] := IH u ss us.
by split; [split|case].
Qed.

Lemma small_rem_nth k r j : all_small (bound k) r -> (0 < k)%N ->
  toZ (rem (nth zero r j) p) = (toZ (nth zero r j) mod toZ p)%coqZ /\ small (toZ p) (rem (nth zero r j) p).
Proof.
move=> rs k0; have bk : (0 < bound k)%coqZ by have /ssrnat.ltP/inj_lt := k0; nia.
have [x0 _] := small_nth j bk rs; split; first by apply: remE; lia.
by apply: small_rem; lia.
Qed.

End Bounds.

Section FreeMod.
Variables (F : numFieldType) (q : Z) (b : F) (g : Z).
Hypotheses (q1 : (1 < q)%coqZ) (ql : (q * q <= limit)%coqZ) (bg : place q b g).
Let p := ofZ q.
Let pE : toZ p = q. Proof. by apply: ofZ_id; nia. Qed.
Local Notation red := (red q b g).
Local Notation bound k := (q * q * Z.of_nat k)%coqZ.

Definition red_words (x : nat -> F) (r : seq word) : Prop := forall j, red (x j) (toZ (nth zero r j)).

Lemma red_behead x r : red_words x r -> red_words (fun j => x j.+1) (behead r).
Proof. by move=> xr j; have := xr j.+1; case: r {xr} => //; rewrite !nth_nil. Qed.

Lemma behead_small B r : all_small B r -> all_small B (behead r).
Proof. by case: r => //= x r []. Qed.

Lemma Forall_cat (A : Type) (P : A -> Prop) s t : Forall P (s ++ t) <-> Forall P s /\ Forall P t.
Proof. exact: Forall_app. Qed.

Lemma Forall_map (A B : Type) (P : A -> Prop) (Q : B -> Prop) f s :
  (forall x, P x -> Q (f x)) -> Forall P s -> Forall Q (map f s).
Proof. by move=> PQ; elim=> [|x r Px _ IH] /=; constructor; auto. Qed.

Lemma red_rem k x r j : (0 < k)%N -> red_words x r -> all_small (bound k) r ->
  red (x j) (toZ (rem (nth zero r j) p)) /\ small q (rem (nth zero r j) p).
Proof.
move=> k0 xr rs; have := @small_rem_nth p _ k r j; rewrite pE => /(_ q1 rs k0)[-> s].
by split=> //; apply: (red_mod q1).
Qed.

Lemma red_normal k x r v a : (0 < k)%N -> red_words x r -> all_small (bound k) r -> small q v -> red a (toZ v) ->
  red_words (fun j => a * x j) [seq mulmod p v (rem y p) | y <- r] /\
  all_small q [seq mulmod p v (rem y p) | y <- r].
Proof.
move=> k0 xr rs vs av; split=> [j|]; last first.
  elim: r x xr rs => //= y r IH x xr [ys rs]; split; last first.
    by apply: (IH (fun j => x j.+1)) => // j; apply: (xr j.+1).
  have [_ s] := @red_rem k x (y :: r) 0 k0 xr (conj ys rs).
  by rewrite -pE; apply: small_mulmod; rewrite pE.
have [jr|rj] := ltnP j (size r); last first.
  have := red_mul av (xr j); rewrite [nth _ (map _ _) _]nth_default ?size_map // [nth _ r j]nth_default //.
  by rewrite toZ_zero mulr0.
rewrite (nth_map zero) //; have [xj s] := red_rem j k0 xr rs.
by rewrite mulmodE ?pE //; apply: (red_mod q1); apply: red_mul.
Qed.

Lemma red_reduced k x r y u c : (0 < k)%N -> (bound k.+1 <= limit)%coqZ -> red_words x r -> all_small (bound k) r ->
    red_words y u -> all_small q u -> c = x 0%N ->
  red_words (fun j => x j.+1 - c * y j) (reduce_row p u r) /\ all_small (bound k.+1) (reduce_row p u r).
Proof.
move=> k0 kl xr rs yu us ->; rewrite /reduce_row -nth0.
have [x0 [l0 lq]] := red_rem 0 k0 xr rs; have tr := red_behead xr; have ts := behead_small rs.
case: ifP => [/Z.eqb_eq z|_].
  rewrite z in x0; split=> [j|]; last by apply: all_small_le ts; rewrite Nat2Z.inj_succ; nia.
  by have := red_sub (tr j) (red_mul x0 (yu j)); rewrite mul0r subr0.
have sE : toZ (sub p (rem (nth zero r 0) p)) = (q - toZ (rem (nth zero r 0) p))%coqZ.
  by rewrite subE pE //; [lia|nia].
have := @axpyE p _ k (sub p (rem (nth zero r 0) p)) (behead r) u; rewrite sE pE => /(_ q1 kl).
case=> [||//|sm nE]; try lia; try exact: ts; split=> // j; rewrite nE.
apply: (@red_eqm F q b g _ (toZ (nth zero (behead r) j) - toZ (rem (nth zero r 0) p) * toZ (nth zero u j))).
  by apply: red_sub (tr j) (red_mul x0 (yu j)).
exists (- toZ (nth zero u j)).
move: (toZ (nth zero (behead r) j)) (toZ (rem _ p)) (toZ (nth zero u j)) => A B C.
by change (A - B * C = A + (q - B) * C + q * - C)%coqZ; lia.
Qed.

Lemma eliminateP n k X M : (0 < k)%N -> (bound (k + n)%N <= limit)%coqZ ->
    Forall2 red_words X M -> Forall (all_small (bound k)) M ->
  eliminate p (nseq n None) M -> free n X.
Proof.
elim: n k X M => [|n IH] k X M k0 kl XM Ms.
  by case: M XM {Ms} => [/Forall2_size|//]; case: X => // _ _ [|a c] //= _ _ a'.
case/eliminate_none => [[_ ok]|[A [r [C [v [ME zA vE ok]]]]]].
  apply: free_behead; apply: (IH k _ _ k0) ok.
  - by apply: Z.le_trans kl; apply: Z.mul_le_mono_nonneg_l; [nia|apply/inj_le/ssrnat.leP; rewrite leq_add2l].
  - by apply: Forall2_map2 XM => x m; apply: red_behead.
  by apply: Forall_map Ms => m; apply: behead_small.
rewrite {}ME in XM Ms.
have [XA [XB' [XAA [XBB XE]]]] := Forall2_app_inv_r _ _ XM.
case: XB' XBB XE => [|x XB] XBB XE; first by inversion XBB.
have [xr XBB'] : red_words x r /\ Forall2 red_words XB C by inversion XBB.
have [As Bs] := proj1 (Forall_cat _ _ _) Ms; have [rs Cs] : all_small (bound k) r /\ Forall (all_small (bound k)) C.
  by inversion Bs.
rewrite XE; apply: free_move.
have [x0 hs] := red_rem 0 k0 xr rs; rewrite nth0 in x0 hs.
have pp : (toZ p * toZ p <= limit)%coqZ by rewrite pE.
have p1 : (1 < toZ p)%coqZ by rewrite pE.
have [vs v1] : small q v /\ eqm q (toZ (rem (head zero r) p) * toZ v) 1.
  have := inverseE p1 pp; rewrite pE => /(_ _ _ hs vE)[vs av]; split=> //.
  by have := eqm_sym (eqm_mod (toZ (rem (head zero r) p) * toZ v)%coqZ (p_neq0 q1)); rewrite av.
have x0v := red_inv q1 bg x0 v1.
have [us ub] := red_normal k0 (red_behead xr) (behead_small rs) vs x0v.
have k1l : (bound k.+1 <= limit)%coqZ.
  apply: Z.le_trans kl; apply: Z.mul_le_mono_nonneg_l; first by nia.
  by apply/inj_le/ssrnat.leP; rewrite addnS ltnS leq_addr.
apply: free_pivot; first by apply: (red_neq0 q1 bg x0); exists (toZ v); rewrite mulrC.
apply: (IH k.+1) ok; rewrite ?addSnnS //.
  rewrite map_cat; apply: Forall2_app; last first.
    have := Cs; elim: XBB' => /= [|y s X' C' ys _ IHC]; first by constructor.
    move=> sC; inversion sC; constructor; last by apply: IHC.
    by have [] := @red_reduced k y s _ _ (y 0%N) k0 k1l ys _ us ub erefl.
  have := As; elim: XAA zA => /= [|y s X' A' ys _ IHA]; first by constructor.
  move=> /andP[zs zA] sA; inversion sA; constructor; last by apply: IHA.
  have [y0 _] := red_rem 0 k0 ys (ltac:(eassumption) : all_small (bound k) s).
  move/Z.eqb_eq: zs; rewrite -nth0 => z; rewrite z in y0 => j.
  by have := red_sub (red_behead ys j) (red_mul y0 (us j)); rewrite mul0r subr0.
apply/Forall_cat; split.
  apply: Forall_map As => s /behead_small; apply: all_small_le; rewrite Nat2Z.inj_succ; nia.
have := Cs; elim: XBB' => /= [|y s X' C' ys _ IHC]; first by constructor.
move=> sC; inversion sC; constructor; last by apply: IHC.
by have [] := @red_reduced k y s _ _ (y 0%N) k0 k1l ys _ us ub erefl.
Qed.

End FreeMod.

Lemma free_modP (F : numFieldType) (p : Z) (b : F) (g : Z) n X M : (1 < p)%coqZ -> place p b g ->
  Forall2 (red_row p b g) X M -> free_mod p n M -> free n X.
Proof.
move=> p1 bg XM; rewrite /free_mod; case: ifP => [|_]; last exact: free_exactP XM.
move=> /andP[_ /Z.leb_le pl]; have pp : (p * p <= limit)%coqZ by nia.
have pl' : (p <= limit)%coqZ by nia.
rewrite eliminate_rowsE map_nseq -map_comp.
apply: (@eliminateP F p b g p1 pp bg n 1) => //; first by rewrite add1n; nia.
  rewrite -[X in Forall2 _ X _]map_id; apply: Forall2_map2 XM => x r xr j.
  have [jr|rj] := ltnP j (size r).
    by rewrite (nth_map 0%coqZ) // quick_modE residueE //; apply: (red_mod p1).
  by rewrite nth_default ?size_map // toZ_zero; have := xr j; rewrite nth_default.
elim: M {XM} => /= [|r M IH]; constructor=> //; apply: all_small_le (all_small_residues _ p1 pl').
by rewrite Z.mul_1_r; nia.
Qed.
