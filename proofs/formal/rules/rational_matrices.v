(* The proved checker, rules about matrices of rational numbers and about the     *)
(* Kruskal rank: minors modulo p, vectors that annihilate, independent subsets.    *)
(*                                                                                 *)
(*  minor_rows_ok p h w M rows cols == a minor of M is not 0 modulo p                *)
(*   right_zero_ok, left_zero_ok == independent vectors x with M x = 0, y M = 0      *)
(*   subsets_mod p k V == every k of the vectors V are independent modulo p          *)
(*   subsets_words p k V == the same with words                                      *)
(*   kruskal_ok p T w k V == every k of the T vectors V are independent              *)
From Attest Require Import integers attention kruskal affine_hull common literal_arithmetic words residues.
From Attest Require Import elimination problem logits.

Local Notation Z := BinNums.Z.

Lemma flatten_nth (A : Type) (a : A) (s : seq (seq A)) w h j : all (fun r => size r == w) s -> (j < w)%N -> (h < size s)%N ->
  nth a (flatten s) (h * w + j) = nth a (nth [::] s h) j.
Proof.
move=> + jw; elim: s h => // r s IH [|h] /= /andP[/eqP sr als] hs; rewrite nth_cat sr.
  by rewrite mul0n add0n jw.
by rewrite mulSn -addnA ltnNge leq_addr addKn; apply: IH.
Qed.

(* rows of a matrix, one after the other                                            *)
Lemma mxvec_index_val m n (i : 'I_m) (j : 'I_n) : mxvec_index i j = (i * n + j)%N :> nat.
Proof.
have kE : nth (i, j) (enum [finType of 'I_m * 'I_n]) (i * n + j) = (i, j).
  have rows : all (fun r => size r == n) [seq [seq (x, y) | y <- enum 'I_n] | x <- enum 'I_m].
    by apply/allP => r /mapP[x _ ->]; rewrite size_map size_enum_ord.
  have im : (i < size [seq [seq (x, y) | y <- enum 'I_n] | x <- enum 'I_m])%N by rewrite size_map size_enum_ord.
  rewrite enumT unlock; apply: etrans (flatten_nth (i, j) rows (ltn_ord j) im) _.
  by rewrite (nth_map i) ?size_enum_ord // (nth_map j) ?size_enum_ord // !nth_ord_enum.
have kN : (i * n + j < size (enum [finType of 'I_m * 'I_n]))%N.
  rewrite -cardE card_prod !card_ord; apply: leq_trans (_ : i.+1 * n <= _)%N.
    by rewrite mulSn addnC ltn_add2r.
  by rewrite leq_mul2r ltn_ord orbT.
have rN : (enum_rank (i, j) < size (enum [finType of 'I_m * 'I_n]))%N by rewrite -cardE ltn_ord.
have := index_uniq (i, j) rN (enum_uniq [finType of 'I_m * 'I_n]); rewrite nth_enum_rank => rE.
have := index_uniq (i, j) kN (enum_uniq [finType of 'I_m * 'I_n]); rewrite kE => <-.
by rewrite /mxvec_index /= rE.
Qed.

Definition minor_rows_ok (p : Z) (h w : nat) (M : seq (seq Z)) (rows cols : seq nat) : bool :=
  [&& (1 <? p)%coqZ, all (fun t => t < h)%N rows, all (fun j => j < w)%N cols &
    free_mod p (size cols) [seq [seq nth 0%coqZ r j | j <- cols] | r <- [seq nth [::] M t | t <- rows]]].

(* sum_i y_i M_i, exactly, in w columns                                         *)
Fixpoint combination (w : nat) (y : seq Z) (M : seq (seq Z)) : seq Z :=
  match y, M with
  | c :: y', r :: M' =>
    if (c =? 0)%coqZ then combination w y' M' else add_bias c (combination w y' M') r
  | _, _ => nseq w 0%coqZ
  end.

Definition independent_mod (p : Z) (w : nat) (V : seq (seq Z)) : bool := 
  [&& (1 <? p)%coqZ, all (fun r => size r <= w)%N V & free_mod p w V].

Definition right_zero_ok (p : Z) (w : nat) (M V : seq (seq Z)) : bool :=
  independent_mod p w V && all (fun r => (size r <= w)%N && all (fun x => dot r x =? 0)%coqZ V) M.

Definition left_zero_ok (p : Z) (h w : nat) (M Y : seq (seq Z)) : bool :=
  [&& independent_mod p h Y, all (fun r => size r <= w)%N M, all (fun y => size y <= h)%N Y, size M == h &
    all (fun y => all (fun x => x =? 0)%coqZ (combination w y M)) Y].

(* the first entry that is not 0 modulo p, its inverse times the row            *)
Definition pivot_mod (p : Z) (r : seq Z) : option (nat * seq Z) :=
  let j := find (fun x => ~~ (x mod p =? 0)%coqZ) r in
  match invmod p (nth 0%coqZ r j) with
  | Some u => Some (j, [seq ((u * x) mod p)%coqZ | x <- r])
  | None => None
  end.

(* every k of the rows are independent; subsets with a common beginning share its elimination *)
Fixpoint subsets_mod (p : Z) (k : nat) : seq (seq Z) -> bool :=
  if k is k'.+1 then
    fix loop (rows : seq (seq Z)) : bool :=
      if rows is r :: rs then
        loop rs && ((size rs < k')%N ||
          if pivot_mod p r is Some (j, r') then
            if k' is 0 then true
            else subsets_mod p k' [seq submul p (nth 0%coqZ s j) s r' | s <- rs]
          else false)
      else true
  else fun=> true.

(* The same with words.  The first entry of r that is not 0, and the entry of s there *)
Fixpoint first (r : seq word) : word :=
  if r is x :: r' then if is_zero x then first r' else x else zero.
Fixpoint at_first (r s : seq word) : word :=
  match r, s with
  | x :: r', y :: s' => if is_zero x then at_first r' s' else y
  | _, _ => zero
  end.

(* the product of the first entries has an inverse, hence each has one            *)
Definition units_words (p : word) (rows : seq (seq word)) : bool :=
  isSome (inverse p (foldr (fun r x => mulmod p (first r) x) one_word rows)).

Definition clear (p : word) (r r' s : seq word) : seq word :=
  [seq rem x p | x <- axpy (sub p (at_first r s)) s r'].

Fixpoint subsets_words (p : word) (k : nat) : seq (seq word) -> bool :=
  if k is k'.+1 then
    if k' is 0 then units_words p
    else
      fix loop (rows : seq (seq word)) : bool :=
        if rows is r :: rs then
          if loop rs then
            if (size rs < k')%N then true
            else
              match inverse p (first r) with
              | Some u =>
                let r' := [seq mulmod p u (rem x p) | x <- r] in
                subsets_words p k' [seq clear p r r' s | s <- rs]
              | None => false
              end
          else false
        else true
  else fun=> true.

(* The largest prime below 2^30: the given modulus is needed if some subset is     *)
(* dependent modulo this one.                                                      *)
Definition subsets_modulus : Z := 1073741789%coqZ.
Definition subsets_ok (p : Z) (k : nat) (V : seq (seq Z)) : bool :=
  if subsets_words (ofZ subsets_modulus) k [seq residues subsets_modulus r | r <- V] then true
  else subsets_mod p k V.

Section Rules.
Variable F : numFieldType.

Lemma minor_rows_rank p h w q M rows cols : minor_rows_ok p h w M rows cols ->
  (size rows <= \rank (mx F h w q M))%N.
Proof.
move=> /and4P[/Z.ltb_lt p1 rh cw fM]; have bg := @place_two F p.
have [f fE] := ords_of rh; have [g gE] := ords_of cw.
rewrite -(mxrank_scale_nz _ (toF_pos F q)) mxS.
apply: (free_rank (f := f) (h := g)); apply: (free_modP p1 bg) fM.
have -> : [seq nth [::] M t | t <- rows] = [seq nth [::] M (f i) | i <- enum 'I_(size rows)].
  rewrite (eq_map (f2 := fun i : 'I_(size rows) => nth [::] M (nth 0%N rows i))); last by move=> i; rewrite fE.
  rewrite (map_comp (nth [::] M) (fun i : 'I_(size rows) => nth 0%N rows i)); congr map.
  rewrite (map_comp (nth 0%N rows) val) val_enum_ord.
  by apply: (@eq_from_nth _ 0%N) => [|i]; rewrite ?size_map ?size_iota // => ir;
    rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite -map_comp; elim: (enum _) => [|i s IHs] /=; constructor=> // k.
have [kc|ck] := ltnP k (size cols); last first.
  rewrite insubF ?ltnNge ?ck // nth_default ?size_map //.
  by have := red_int p (2%:R : F) 2%coqZ 0; rewrite rmorph0.
rewrite (insubT (fun j => j < size cols)%N kc) (nth_map 0%N) // mxE gE /=.
exact: red_int.
Qed.

Lemma independent_mod_rank p w V : independent_mod p w V -> (size V <= \rank (mx F (size V) w 1 V))%N.
Proof.
move=> /and3P[/Z.ltb_lt p1 sV fV]; have bg := @place_two F p.
apply: (free_rank (f := id) (h := id)); apply: (free_modP p1 bg) fV.
have VE : [seq nth [::] V (i : 'I_(size V)) | i <- enum 'I_(size V)] = V.
  rewrite (map_comp (nth [::] V) val) val_enum_ord.
  by apply: (@eq_from_nth _ [::]) => [|i]; rewrite ?size_map ?size_iota // => iV;
    rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite -[X in Forall2 _ _ X]VE.
elim: (enum _) => [|i s IHs] /=; constructor=> // k.
have [kw|wk] := ltnP k w; last first.
  rewrite insubF ?ltnNge ?wk // nth_default; first by have := red_int p (2%:R : F) 2%coqZ 0; rewrite rmorph0.
  by apply: leq_trans wk; apply: (all_nth_nil (P := fun r : seq Z => size r <= w)%N).
by rewrite (insubT (fun j => j < w)%N kw) mxE rmorph1 divr1; apply: red_int.
Qed.

Lemma right_zero_rank p h w q M V : size M = h -> right_zero_ok p w M V ->
  (\rank (mx F h w q M) <= w - size V)%N.
Proof.
move=> <- /andP[iV /allP ok]; have sV : all (fun r => size r <= w)%N V by case/and3P: iV.
rewrite -(mxrank_scale_nz _ (toF_pos F q)) mxS.
apply: leq_trans (kernel_rank (X := mx F (size V) w 1 V) _) _; last first.
  by apply: leq_sub2l; apply: independent_mod_rank iV.
apply/matrixP => i k; rewrite mxE [RHS]mxE.
have /andP[sr /allP/(_ (nth [::] V k))] := ok _ (mem_nth [::] (ltn_ord i)).
rewrite mem_nth // => /(_ isT)/Z.eqb_eq/(congr1 (toF F)); rewrite rmorph0 => d0; rewrite -[RHS]d0.
rewrite (dotE _ sr) rmorph_sum; apply: eq_bigr => j _.
by rewrite rmorphM !mxE rmorph1 divr1.
Qed.

Lemma nth_combination w y M j : all (fun r => size r <= w)%N M ->
  nth 0%coqZ (combination w y M) j = \sum_(i < size y) nth 0%coqZ y i * ent M i j.
Proof.
have sc y' M' : size (combination w y' M') = w.
  have sab c u b : size (add_bias c u b) = size u by elim: u b => [|x u IH] [|z b] //=; rewrite IH.
  by elim: y' M' => [|c y' IH] [|r M']; rewrite /= ?size_nseq //; case: ifP; rewrite ?sab.
elim: y M => [|c y IH] M /=; first by rewrite big_ord0 nth_nseq; case: ifP.
case: M => [_|r M /= /andP[sr sM]].
  rewrite nth_nseq big1 => [|i _]; first by case: ifP.
  by rewrite /ent nth_nil nth_nil mulr0.
rewrite big_ord_recl /=; have {}IH := IH M sM.
case: ifP => [/Z.eqb_eq ->|_]; first by rewrite mul0r add0r IH.
by rewrite nth_add_bias ?sc // IH addrC.
Qed.

Lemma left_zero_rank p h w q M Y : left_zero_ok p h w M Y ->
  (\rank (mx F h w q M) <= h - size Y)%N.
Proof.
case/and5P=> iY sM /allP sY /eqP sh /allP ok.
rewrite -(mxrank_scale_nz _ (toF_pos F q)) mxS -mxrank_tr.
apply: leq_trans (kernel_rank (X := mx F (size Y) h 1 Y) _) _; last first.
  by apply: leq_sub2l; apply: independent_mod_rank iY.
apply/matrixP => j k; rewrite mxE [RHS]mxE.
have Yk : nth [::] Y k \in Y by apply: mem_nth.
have /(all_nthP 0%coqZ)/(_ j) zero := ok _ Yk.
have : nth 0%coqZ (combination w (nth [::] Y k) M) j = 0%coqZ.
  have [/zero/Z.eqb_eq //|sj] := ltnP j (size (combination w (nth [::] Y k) M)).
  by rewrite nth_default.
rewrite nth_combination // => /(congr1 (toF F)); rewrite rmorph0 rmorph_sum => d0; rewrite -[RHS]d0.
rewrite (big_ord_widen h (fun i => toF F (nth 0%coqZ (nth [::] Y k) i * ent M i j))) ?sY //.
rewrite [RHS]big_mkcond; apply: eq_bigr => i _; rewrite !mxE rmorph1 divr1.
case: ifP => [_|iy]; first by rewrite rmorphM mulrC.
by rewrite /ent [nth 0%coqZ (nth [::] Y k) i]nth_default ?rmorph0 ?mulr0 // leqNgt iy.
Qed.

(* subsets                                                                      *)
Lemma free_pivot_at n (x : nat -> F) X j : (j < n)%N -> x j != 0 ->
  free n [seq (fun l => y l - y j * ((x j)^-1 * x l)) | y <- X] -> free n (x :: X).
Proof.
move=> jn x0 fX [//|a c] /= [sc] c0.
have E l : comb c [seq (fun l => y l - y j * ((x j)^-1 * x l)) | y <- X] l =
    comb c X l - comb c X j * ((x j)^-1 * x l).
  clear -sc; elim: c X sc => [|a c IH] [|y X] //= => [_|[sc]].
    by rewrite /comb !big_nil mul0r subrr.
  by rewrite !comb_cons IH // mulrBr mulrDl opprD !mulrA addrACA.
have r0 := c0 j jn; rewrite comb_cons in r0.
have aE : comb c X j = - (a * x j) by apply/eqP; rewrite -addr_eq0 addrC r0.
have cz : forall a', a' \in c -> a' = 0.
  apply: fX; rewrite ?size_map // => l ln; rewrite E aE.
  have := c0 l ln; rewrite comb_cons => <-.
  by rewrite mulNr opprK -mulrA mulVKf // addrC.
have c00 l : comb c X l = 0 by apply: comb0.
move=> a'; rewrite inE => /predU1P[->|/cz//].
by move/eqP: r0; rewrite c00 addr0 mulf_eq0 (negPf x0) orbF => /eqP.
Qed.

Local Notation red_row p := (red_row p (2%:R : F) 2%coqZ).

Lemma pivot_modP p w x r j r' : (1 < p)%coqZ -> (size r <= w)%N -> red_row p x r ->
    pivot_mod p r = Some (j, r') ->
  [/\ (j < w)%N, x j != 0 & red_row p (fun l => (x j)^-1 * x l) r'].
Proof.
move=> p1 rw xr; rewrite /pivot_mod; set i := find _ _; case I: (invmod p _) => [u|] // [<- <-].
have bg := @place_two F p; have ru := red_invmod p1 bg (xr i) I.
have iu : unitm p (nth 0%coqZ r i) by exists u; rewrite mulrC; apply: (invmod_eqm p1).
split.
- apply: leq_trans rw; rewrite ltnNge; apply/negP => ri; move: iu; rewrite nth_default //.
  exact: (unitm0 p1).
- exact: (red_neq0 p1 bg (xr i) iu).
move=> l; have [lr|rl] := ltnP l (size r).
  by rewrite (nth_map 0%coqZ) //; apply: (red_mod p1); apply: red_mul.
rewrite [in X in red _ _ _ _ X]nth_default ?size_map //.
by have := red_mul ru (xr l); rewrite [nth _ r l]nth_default // mulr0.
Qed.

Lemma size_submul p c s r w : (size s <= w)%N -> (size r <= w)%N -> (size (submul p c s r) <= w)%N.
Proof.
elim: s r w => [|x s IH] [|y r] [|w] //=; rewrite ?size_map //.
exact: IH.
Qed.

Lemma subsets_modP p w k M X m : (1 < p)%coqZ ->
    Forall2 (red_row p) X M -> all (fun r => size r <= w)%N M ->
    subsets_mod p k M -> size m = size X -> size (mask m X) = k -> free w (mask m X).
Proof.
move=> p1; elim: k M X m => [|k IHk] M X m.
  by move=> _ _ _ _ /size0nil -> [|a c].
elim: M X m => [|r M IHM] X m XM.
  by have := Forall2_size XM; case: X {XM} => // _ _ _; case: m.
case: X XM => [/Forall2_size//|x X] XM /andP[sr sM].
have [xr XM'] : red_row p x r /\ Forall2 (red_row p) X M by inversion XM.
case: m => [|b m] //= /andP[okM okr] [sm]; case: b => /=; last exact: IHM.
move=> [sk]; move: okr; have -> /= : (size M < k)%N = false.
  apply/negbTE; rewrite -leqNgt -sk -(Forall2_size XM') size_mask ?sm //.
  by rewrite -sm count_size.
case P: (pivot_mod p r) => [[j r']|] //; have [jw xj xr'] := pivot_modP p1 sr xr P => oks.
apply: (free_pivot_at jw xj); clear IHM okM; case: k IHk sk oks => [|k] IHk sk oks.
  by rewrite (size0nil sk) => -[|a c].
rewrite map_mask; apply: IHk oks _ _; rewrite ?size_map // -?map_mask ?size_map //.
  apply: Forall2_map2 XM' => y s ys.
  exact: (red_submul p1 (x := y) (y := fun l => (x j)^-1 * x l)).
rewrite all_map; apply/allP => s sin /=; apply: size_submul; first exact: (allP sM).
by move: P; rewrite /pivot_mod; case: (invmod p _) => // u [_ <-]; rewrite size_map.
Qed.

(* with words                                                                    *)
Section Words.
Variable q : Z.
Hypotheses (q1 : (1 < q)%coqZ) (q2 : (q * q * 2 <= limit)%coqZ).
Let p := ofZ q.
Let qq : (q * q <= limit)%coqZ. Proof. by move: q1 q2; nia. Qed.
Let pE : toZ p = q. Proof. by apply: ofZ_id; move: q1 qq; nia. Qed.
Let pq : (1 < toZ p)%coqZ. Proof. by rewrite pE. Qed.
Let pp : (toZ p * toZ p <= limit)%coqZ. Proof. by rewrite pE. Qed.
Let bg := @place_two F q.
Local Notation red := (red q (2%:R : F) 2%coqZ).
Local Notation red_words := (red_words q (2%:R : F) 2%coqZ).
Let nz (x : word) : bool := ~~ is_zero x.

Lemma at_firstE r s : has nz r -> at_first r s = nth zero s (find nz r).
Proof.
elim: r s => [//|x r IH] [|y s]; first by rewrite nth_nil.
by have := IH s; rewrite /= -/nz /nz; case: (is_zero x) => //= H /H.
Qed.

Lemma firstE r : first r = nth zero r (find nz r).
Proof. by elim: r => [//|x r IH] /=; rewrite IH /nz; case: (is_zero x). Qed.

Lemma unit_first x r : red_words x r -> unitm q (toZ (first r)) ->
  exists j, [/\ (j < size r)%N, x j != 0, red (x j) (toZ (first r)) &
    forall s, at_first r s = nth zero s j].
Proof.
move=> xr ru; have hr : has nz r.
  case: (boolP (has nz r)) => // hr; have z : toZ (first r) = 0%coqZ; last first.
    by rewrite z in ru; case: (unitm0 q1); exact: ru.
  elim: r hr {xr ru} => [//|y r IH] /=; rewrite negb_or /nz negbK => /andP[yz hr].
  by rewrite yz; apply: IH.
have xf : red (x (find nz r)) (toZ (first r)) by rewrite firstE; apply: xr.
exists (find nz r); split=> //; first by rewrite -has_find.
  exact: (red_neq0 q1 bg xf).
by move=> s; apply: at_firstE.
Qed.

Lemma inverse_unit a u : small q a -> inverse p a = Some u -> small q u /\ eqm q (toZ a * toZ u) 1.
Proof.
move=> sa I; have := inverseE pq pp; rewrite pE => /(_ _ _ sa I)[us au]; split=> //.
by have := eqm_sym (eqm_mod (toZ a * toZ u)%coqZ (p_neq0 q1)); rewrite au.
Qed.

Lemma unitm_factor a c : unitm q (a * c) -> unitm q a /\ unitm q c.
Proof.
move=> [u ue]; split; first by exists (u * c); rewrite -mulrA [c * a]mulrC.
by exists (u * a); rewrite -mulrA.
Qed.

Lemma small_first r : all_small q r -> small q (first r).
Proof. by move=> rs; rewrite firstE; apply: small_nth => //; lia. Qed.

Lemma units_wordsP M : (forall r, List.In r M -> all_small q r) -> units_words p M ->
  forall r, List.In r M -> unitm q (toZ (first r)).
Proof.
set f := fun r x => mulmod p (first r) x; move=> Ms.
have sm := small_mulmod pq pp; have mE := mulmodE pq pp; rewrite pE in sm mE.
have s1 : small q one_word by rewrite /small (_ : toZ one_word = 1%coqZ) //; lia.
have Ps N : (forall r, List.In r N -> all_small q r) -> small q (foldr f one_word N).
  elim: N => [//|r N IH] H; apply: sm; first by apply/small_first/H; left.
  by apply: IH => s sN; apply: H; right.
rewrite /units_words -/f; case I: (inverse p _) => [u|] // _.
have [_ iu] := inverse_unit (Ps _ Ms) I.
have {I iu u} : unitm q (toZ (foldr f one_word M)) by exists (toZ u); rewrite mulrC.
elim: M Ms => [//|s M IH] Ms /= Mu.
have sM r : List.In r M -> all_small q r by move=> rM; apply: Ms; right.
have /unitm_factor[us uM] : unitm q (toZ (first s) * toZ (foldr f one_word M)).
  apply: unitm_eqm Mu _; have E := mE _ _ (small_first (Ms s (or_introl erefl))) (Ps _ sM).
  by have := eqm_mod (toZ (first s) * toZ (foldr f one_word M))%coqZ (p_neq0 q1); rewrite -E.
by move=> r [<- //|]; apply: IH.
Qed.

Lemma size_axpy c s u w : (size s <= w)%N -> (size u <= w)%N -> (size (axpy c s u) <= w)%N.
Proof.
elim: s u w => [|x s IH] [|y u] [|w] //=; rewrite ?size_map //.
exact: IH.
Qed.

Lemma all_small_square r : all_small q r -> all_small (q * q * Z.of_nat 1)%coqZ r.
Proof. by apply: all_small_le; rewrite Z.mul_1_r; move: q1; nia. Qed.

Lemma red_residues X V : Forall2 (red_row q) X V -> Forall2 red_words X [seq residues q r | r <- V].
Proof.
have ql : (q <= limit)%coqZ by move: q1 qq; nia.
move=> XV; rewrite -[X in Forall2 _ X _]map_id; apply: Forall2_map2 XV => x r xr j.
have [jr|rj] := ltnP j (size r).
  by rewrite (nth_map 0%coqZ) // residueE //; apply: (red_mod q1).
by rewrite nth_default ?size_map // toZ_zero; have := xr j; rewrite nth_default.
Qed.

Lemma red_clear x y r s u j : red_words x r -> all_small q r -> red_words y s -> all_small q s ->
    (forall s, at_first r s = nth zero s j) -> small q u -> red (x j)^-1 (toZ u) ->
  red_words (fun l => y l - y j * ((x j)^-1 * x l)) (clear p r [seq mulmod p u (rem z p) | z <- r] s) /\
  all_small q (clear p r [seq mulmod p u (rem z p) | z <- r] s).
Proof.
move=> xr rs ys ss jE us xu; set c := sub p (at_first r s).
have [r'x r's] := red_normal q1 qq (k := 1) isT xr (all_small_square rs) us xu.
have [s0 sq] : small q (at_first r s) by rewrite jE; apply: small_nth => //; lia.
have cE : toZ c = (q - toZ (at_first r s))%coqZ.
  by rewrite /c subE pE //; move: q1 qq; nia.
have c0 : (0 <= toZ c <= q)%coqZ by rewrite cE; lia.
have := @axpyE p pq 1 c s [seq mulmod p u (rem z p) | z <- r]; rewrite pE.
move=> /(_ q2 c0 (all_small_square ss) r's)[as_ aE].
have ya : red_words (fun l => y l - y j * ((x j)^-1 * x l)) (axpy c s [seq mulmod p u (rem z p) | z <- r]).
  move=> l; rewrite aE cE.
  apply: (@red_eqm F q _ _ _ (toZ (nth zero s l) - toZ (at_first r s) *
      toZ (nth zero [seq mulmod p u (rem z p) | z <- r] l))).
    by apply: red_sub (ys l) (red_mul _ (r'x l)); rewrite jE; apply: ys.
  exists (- toZ (nth zero [seq mulmod p u (rem z p) | z <- r] l)).
  set A := toZ (nth zero s l); set B := toZ (at_first r s); set C := toZ (nth zero _ l).
  by change (A - B * C = A + (q - B) * C + q * - C)%coqZ; lia.
have rems a z : red_words z a -> all_small (q * q * Z.of_nat 2)%coqZ a ->
    red_words z [seq rem v p | v <- a] /\ all_small q [seq rem v p | v <- a].
  elim: a z => [//|v a IH] z za [vs sa].
  have [zv vr] := red_rem q1 qq 0 (k := 2) isT za (conj vs sa).
  have [IH1 IH2] := IH (fun l => z l.+1) (fun l => za l.+1) sa.
  by split; [case|split].
exact: rems ya as_.
Qed.

Lemma Forall2_map2_in (A B A' B' : Type) (P : A -> B -> Prop) (Q : A' -> B' -> Prop) f h X M :
  Forall2 P X M -> (forall x m, List.In m M -> P x m -> Q (f x) (h m)) -> Forall2 Q (map f X) (map h M).
Proof.
elim=> [|x m X' M' xm _ IH] PQ /=; constructor; first by apply: PQ xm; left.
by apply: IH => y n nM; apply: PQ; right.
Qed.

Lemma mask_Forall2 (A B : Type) (P : A -> B -> Prop) X M m x : Forall2 P X M -> List.In x (mask m X) ->
  exists2 r, List.In r M & P x r.
Proof.
move=> XM; elim: XM m => [|y r X' M' yr _ IH] [|b m] //=; case: b => /=.
  by case=> [<-|/IH[s sM xs]]; [exists r => //; left|exists s => //; right].
by move/IH => [s sM xs]; exists s => //; right.
Qed.

Lemma subsets_wordsP w k M X m :
    Forall2 red_words X M -> (forall r, List.In r M -> all_small q r /\ (size r <= w)%N) ->
    subsets_words p k M -> size m = size X -> size (mask m X) = k -> free w (mask m X).
Proof.
case: k => [|k]; first by move=> _ _ _ _ /size0nil -> [|a c].
elim: k M X m => [|k IHk] M X m XM Ms.
  move=> /units_wordsP us _; case E: (mask m X) => [//|x [|//]] _.
  have [r rM xr] : exists2 r, List.In r M & red_words x r by apply: (mask_Forall2 (m := m) XM); rewrite E; left.
  have [|j [jr xj _ _]] := unit_first xr; first by apply: us => // s /Ms[].
  by apply: (free_pivot_at (j := j)) => //; [apply: leq_trans (proj2 (Ms _ rM))|move=> [|a c]].
elim: M X m XM Ms => [|r M IHM] X m XM Ms.
  by have := Forall2_size XM; case: X {XM} => // _ _ _; case: m.
case: X XM => [/Forall2_size//|x X] XM.
have [xr XM'] : red_words x r /\ Forall2 red_words X M by inversion XM.
have Ms' s : List.In s M -> all_small q s /\ (size s <= w)%N by move=> sM; apply: Ms; right.
have [rs rw] := Ms r (or_introl erefl).
have -> : subsets_words p k.+2 (r :: M) =
    if subsets_words p k.+2 M then
      if (size M < k.+1)%N then true
      else
        match inverse p (first r) with
        | Some u => subsets_words p k.+1 [seq clear p r [seq mulmod p u (rem x p) | x <- r] s | s <- M]
        | None => false
        end
    else false by [].
case: ifP => // okM; case: m => [|b m] //= okr [sm]; case: b => /=; last exact: IHM.
move=> [sk]; move: okr; have -> : (size M < k.+1)%N = false.
  apply/negbTE; rewrite -leqNgt -sk -(Forall2_size XM') size_mask ?sm //.
  by rewrite -sm count_size.
case I: (inverse p _) => [u|] // oks.
have [us fu] := inverse_unit (small_first rs) I.
have [|j [jr xj xf jE]] := unit_first xr; first by exists (toZ u); rewrite mulrC.
have xu := red_inv q1 bg xf fu.
apply: (free_pivot_at (j := j)) => //; first exact: leq_trans rw.
rewrite map_mask; apply: IHk oks _ _; rewrite ?size_map // -?map_mask ?size_map //.
  apply: (Forall2_map2_in XM') => y s sM ys.
  by have [ss _] := Ms' s sM; have [] := red_clear xr rs ys ss jE us xu.
move=> s' /in_map_iff[s [<- sM]]; have [ss sw] := Ms' s sM; split.
  have [y ys] : exists y, red_words y s.
    by elim: XM' sM => //= y t X' M' yt _ IH [<-|/IH//]; exists y.
  by have [] := red_clear xr rs ys ss jE us xu.
by rewrite size_map; apply: size_axpy => //; rewrite size_map.
Qed.

End Words.

Lemma kruskal_rank_all T w (x : 'I_T -> 'cV[F]_w) k : (k <= T)%N ->
  (forall I : {set 'I_T}, #|I| = k -> indep_on x I) -> (k <= kruskal_rank x)%N.
Proof.
move=> kT ind; have /kruskal_geqP : forall I : {set 'I_T}, (#|I| <= k)%N -> indep_on x I.
  move=> I Ik; have [|J IJ cJ] := @extend_set T I k; first by rewrite Ik.
  exact: indep_on_sub IJ (ind J cJ).
by rewrite /kruskal_geq (minn_idPl kT).
Qed.

Definition kruskal_ok (p : Z) (T w k : nat) (V : seq (seq Z)) : bool :=
  [&& (1 <? p)%coqZ, (k <= T)%N, size V == T, all (fun r => size r <= w)%N V & subsets_ok p k V].

(* vectors x_t that are multiples of V_t, none of the factors 0                 *)
Lemma kruskal_ok_rank p T w k V (x : 'I_T -> 'cV[F]_w) (c : 'I_T -> F) :
    (forall t, c t != 0) -> (forall t j, c t * x t j 0 = toF F (ent V t j)) ->
    kruskal_ok p T w k V -> (k <= kruskal_rank x)%N.
Proof.
move=> c0 xV /and5P[/Z.ltb_lt p1 kT /eqP sV sw ok]; apply: kruskal_rank_all => // I cI a aI0 rel t.
pose X := [seq (fun j => toF F (ent V t j)) | t : 'I_T <- enum 'I_T].
have XM p' : Forall2 (red_row p') X V.
  have VE : [seq nth [::] V (i : 'I_T) | i <- enum 'I_T] = V.
    rewrite (map_comp (nth [::] V) val) val_enum_ord.
    by apply: (@eq_from_nth _ [::]) => [|i]; rewrite ?size_map ?size_iota // => iV;
      rewrite (nth_map 0%N) ?size_iota // nth_iota.
  rewrite -[X in Forall2 _ _ X]VE /X; elim: (enum _) => [|i s IHs] /=; constructor=> // j.
  exact: red_int.
pose m := [seq t \in I | t <- enum 'I_T].
have mE (A : Type) (f : 'I_T -> A) : mask m [seq f t | t <- enum 'I_T] = [seq f t | t <- enum I].
  rewrite -map_mask; congr map; rewrite -filter_mask enumT; apply: eq_filter => i.
  by rewrite inE.
have smX : size m = size X by rewrite !size_map.
have cX : size (mask m X) = k by rewrite mE size_map -cardE.
have : free w (mask m X).
  move: ok; rewrite /subsets_ok; case: ifP => [okw _|_ ok]; last exact: subsets_modP p1 (XM p) sw ok smX cX.
  have q1 : (1 < subsets_modulus)%coqZ by [].
  have q2 : (subsets_modulus * subsets_modulus * 2 <= limit)%coqZ by [].
  apply: (subsets_wordsP q1 q2 _ _ okw smX cX) => [|r' /in_map_iff[r [<- rV]]].
    exact: red_residues (XM _).
  rewrite size_map; split; first exact: all_small_residues.
  by elim: (V) sw rV => //= s V' IH /andP[ss sV'] [<-|/IH ->].
rewrite mE.
move=> /(_ [seq a t / c t | t <- enum I]); rewrite !size_map => /(_ erefl) H.
have [tI|] := boolP (t \in I); last exact: aI0.
suff /eqP : a t / c t = 0 by rewrite mulf_eq0 invr_eq0 (negPf (c0 t)) orbF => /eqP.
apply: H => [j jw|]; last by apply: map_f; rewrite mem_enum.
rewrite /comb zip_map big_map /= big_enum /=.
move/colP/(_ (Ordinal jw)): rel; rewrite summxE !mxE => r0; rewrite -[RHS]r0.
rewrite [RHS](bigID (mem I)) /= [X in _ = _ + X]big1 ?addr0 => [|i iI]; last first.
  by rewrite aI0 // scale0r mxE.
by apply: eq_bigr => i _; rewrite mxE -(xV i (Ordinal jw)) mulrA divfK.
Qed.

(* a relation with non-zero factors between the vectors of a subset             *)
Lemma kruskal_leq_relation T w (x : 'I_T -> 'cV[F]_w) (I : {set 'I_T}) (y : 'I_T -> F) :
    (forall t, (y t != 0) = (t \in I)) -> \sum_t y t *: x t = 0 -> I != set0 ->
  (kruskal_rank x <= #|I|.-1)%N.
Proof.
move=> yI rel /set0Pn[t tI]; rewrite leqNgt; apply/negP => Ik.
have I0 : (0 < #|I|)%N by apply/card_gt0P; exists t.
rewrite prednK // in Ik.
have /kruskal_geqP ind : kruskal_geq x #|I| by rewrite /kruskal_geq (leq_trans (geq_minl _ _)).
have y0 s : s \notin I -> y s = 0 by rewrite -yI negbK => /eqP.
have yt : y t = 0 := ind I (leqnn _) y y0 rel t.
by move: tI; rewrite -yI yt eqxx.
Qed.

End Rules.
