(* The proved checker, rules about matrices of rational numbers and about the     *)
(* Kruskal rank: minors modulo p, vectors that annihilate, independent subsets.    *)
(*                                                                                 *)
(*  minor_rows_ok p h w M rows cols == a minor of M is not 0 modulo p                *)
(*   right_zero_ok, left_zero_ok == independent vectors x with M x = 0, y M = 0      *)
(*   subsets_mod p k V == every k of the vectors V are independent modulo p          *)
(*   subsets_ok p w k V == the same, with words if that shows it                      *)
(*   kruskal_ok p T w k V == every k of the T vectors V are independent              *)
From Attest Require Import integers attention kruskal affine_hull common literal_arithmetic words residues.
From Attest Require Import elimination independent_subsets problem logits.

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

(* Members at increasing indices, by one walk: gaps are how many are between them    *)
Fixpoint gaps (from : nat) (js : seq nat) : option (seq nat) :=
  if js is j :: js' then
    if (from <= j)%N then omap (cons (j - from)%N) (gaps j.+1 js') else None
  else Some [::].

Fixpoint at_gaps (A : Type) (x0 : A) (s : seq A) (gs : seq nat) : seq A :=
  if gs is g :: gs' then let s' := drop g s in head x0 s' :: at_gaps x0 (behead s') gs' else [::].

Definition members_at (A : Type) (x0 : A) (js : seq nat) (gs : option (seq nat)) (s : seq A) : seq A :=
  if gs is Some gs then at_gaps x0 s gs else [seq nth x0 s j | j <- js].

Lemma members_atE (A : Type) (x0 : A) js s : members_at x0 js (gaps 0 js) s = [seq nth x0 s j | j <- js].
Proof.
rewrite /members_at; case E: (gaps 0 js) => [gs|] //.
suff H k : gaps k js = Some gs -> at_gaps x0 (drop k s) gs = [seq nth x0 s j | j <- js].
  by have := H 0%N E; rewrite drop0.
elim: js k gs {E} => [|j js IH] k gs /=; first by case=> <-.
case: leqP => // kj; case E: (gaps j.+1 js) => [gs'|] //= [<-] /=.
by rewrite drop_drop subnK // -nth0 nth_drop addn0 -[in RHS](IH _ _ E) -drop1 drop_drop add1n.
Qed.

Definition minor_rows_ok (p : Z) (h w : nat) (M : seq (seq Z)) (rows cols : seq nat) : bool :=
  [&& (1 <? p)%coqZ, all (fun t => t < h)%N rows, all (fun j => j < w)%N cols &
    let gs := gaps 0 cols in
    free_mod p (size cols) [seq members_at 0%coqZ cols gs r | r <- members_at [::] rows (gaps 0 rows) M]].

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
        loop rs && (if (size rs < k')%N then true
          else if pivot_mod p r is Some (j, r') then
            if k' is 0 then true
            else subsets_mod p k' [seq submul p (nth 0%coqZ s j) s r' | s <- rs]
          else false)
      else true
  else fun=> true.

(* The two largest primes below 2^30: the given modulus is needed if some subset is *)
(* dependent modulo these.                                                         *)
Definition subsets_moduli : seq Z := [:: 1073741789; 1073741783]%coqZ.
Definition subsets_at (w k : nat) (V : seq (seq Z)) (q : Z) : bool :=
  if k == size V then free_mod q w V else subsets_words (ofZ q) k w [seq residues q r | r <- V].
Fixpoint subsets_first (p : Z) (w k : nat) (V : seq (seq Z)) (moduli : seq Z) : bool :=
  if moduli is q :: moduli' then if subsets_at w k V q then true else subsets_first p w k V moduli' else subsets_mod p k V.
Definition subsets_ok (p : Z) (w k : nat) (V : seq (seq Z)) : bool := subsets_first p w k V subsets_moduli.

Lemma subsets_firstP p w k V moduli : subsets_first p w k V moduli -> has (subsets_at w k V) moduli \/ subsets_mod p k V.
Proof. by elim: moduli => [|q moduli IH] /=; [right|case: ifP => [|_ /IH]; [left|]]. Qed.

Section Rules.
Variable F : numFieldType.

Lemma minor_rows_rank p h w q M rows cols : minor_rows_ok p h w M rows cols ->
  (size rows <= \rank (mx F h w q M))%N.
Proof.
move=> /and4P[/Z.ltb_lt p1 rh cw]; rewrite /= members_atE (eq_map (members_atE 0%coqZ cols)) => fM; have bg := @place_two F p.
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

Lemma kruskal_rank_all T w (x : 'I_T -> 'cV[F]_w) k : (k <= T)%N ->
  (forall I : {set 'I_T}, #|I| = k -> indep_on x I) -> (k <= kruskal_rank x)%N.
Proof.
move=> kT ind; have /kruskal_geqP : forall I : {set 'I_T}, (#|I| <= k)%N -> indep_on x I.
  move=> I Ik; have [|J IJ cJ] := @extend_set T I k; first by rewrite Ik.
  exact: indep_on_sub IJ (ind J cJ).
by rewrite /kruskal_geq (minn_idPl kT).
Qed.

Definition kruskal_ok (p : Z) (T w k : nat) (V : seq (seq Z)) : bool :=
  [&& (1 <? p)%coqZ, (k <= T)%N, size V == T, all (fun r => size r <= w)%N V & subsets_ok p w k V].

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
  have [/hasP[q qin okq]|{}ok] := subsets_firstP ok; last exact: subsets_modP p1 (XM p) sw ok smX cX.
  have [q1 q2] : (1 < q)%coqZ /\ (q * q * 2 <= limit)%coqZ by move: qin; rewrite !inE => /orP[]/eqP->.
  move: okq; rewrite /subsets_at; case: eqP => [kV fV|_ {}ok].
    have mX : mask m X = X.
      have /all_pred1P -> : all (pred1 true) m.
        rewrite (eq_all (a2 := id)) => [|[]//]; rewrite all_count -(size_mask smX) cX kV smX.
        by rewrite (Forall2_size (XM q)).
      by apply: mask_true; rewrite smX.
    by rewrite mX; apply: (free_modP q1 (@place_two F q) (XM q)).
  apply: (subsets_wordsP q1 q2 (@place_two F q) (M := [seq residues q r | r <- V])) ok smX cX.
  exact: red_residues.
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
