(* Many integers in one: a combination of rows costs one product for each row.         *)
(*                                                                                     *)
(*   one_integer base r == r_0 + base r_1 + base^2 r_2 + ...                                 *)
(*   row_from w bits y == the w integers from -2^(bits - 1) below 2^(bits - 1) that     *)
(*          are digits of y to base 2^bits                                            *)
(*   combinations w X M == all of combination w x M, x in X                             *)
(*   all_dots w X Y == the matrix of all dot x y, y in Y of length w                        *)
From Attest Require Import integers literals literal_arithmetic rational_matrices literal_matrices logits enclosures saturation.

Local Notation Z := BinNums.Z.

Fixpoint one_integer (base : Z) (r : seq Z) : Z := if r is x :: r' then (x + base * one_integer base r')%coqZ else 0%coqZ.

Fixpoint row_from (half base : Z) (bits w : nat) (y : Z) : seq Z :=
  if w is w'.+1 then
    let q := shift_down bits (y + half) in (y - base * q)%coqZ :: row_from half base bits w' q
  else [::].

Definition absolute_sum (x : seq Z) : Z := foldr (fun a s => Z.abs a + s)%coqZ 0%coqZ x.
Definition largest_entry (M : seq (seq Z)) : Z := foldr (fun r b => foldr (fun a => Z.max (Z.abs a)) b r) 0%coqZ M.

Definition few_columns (w : nat) (X M : seq (seq Z)) : seq (seq Z) :=
  let most := (foldr Z.max 0 [seq absolute_sum x | x <- X] * largest_entry M)%coqZ in
  let bits := (Z.to_nat (Z.log2 most)).+2 in let half := Zpos (two_power bits.-1) in let base := Zpos (two_power bits) in
  if (most <? half)%coqZ then
    let P := [seq one_integer base r | r <- M] in [seq row_from half base bits w (dot x P) | x <- X]
  else [seq combination w x M | x <- X].

(* so many columns that an integer is long, and not so long that taking it apart takes most of the time *)
Definition width_of_piece : nat := 16.
Fixpoint by_pieces (k w : nat) (X M : seq (seq Z)) : seq (seq Z) :=
  if k is k'.+1 then
    if (w <= width_of_piece)%N then few_columns w X M else
    [seq a.1 ++ a.2 | a <- zip (few_columns width_of_piece X [seq take width_of_piece r | r <- M])
      (by_pieces k' (w - width_of_piece) X [seq drop width_of_piece r | r <- M])]
  else few_columns w X M.
Definition combinations (w : nat) (X M : seq (seq Z)) : seq (seq Z) :=
  if all (fun r => size r == w) M then by_pieces w w X M else [seq combination w x M | x <- X].

Fixpoint turned (w : nat) (Y : seq (seq Z)) : seq (seq Z) :=
  if Y is y :: Y' then [seq a.1 :: a.2 | a <- zip y (turned w Y')] else nseq w [::].

Definition all_dots (w : nat) (X Y : seq (seq Z)) : seq (seq Z) :=
  if all (fun y => size y == w) Y then combinations (size Y) X (turned w Y) else [seq [seq dot x y | y <- Y] | x <- X].

Local Arguments Z.mul : simpl never.
Local Arguments Z.add : simpl never.

Lemma row_fromK bits r : all (fun x => (- Zpos (two_power bits) <=? x) && (x <? Zpos (two_power bits)))%coqZ r ->
  row_from (Zpos (two_power bits)) (Zpos (two_power bits.+1)) bits.+1 (size r) (one_integer (Zpos (two_power bits.+1)) r) = r.
Proof.
set half := Zpos (two_power bits).
have -> : Zpos (two_power bits.+1) = (2 * half)%coqZ by [].
elim: r => //= x r IH /andP[/andP[/Z.leb_le lo /Z.ltb_lt hi] /IH {}IH].
set y := one_integer _ r in IH *.
have -> : shift_down bits.+1 (x + 2 * half * y + half)%coqZ = y.
  rewrite shift_downE -[Zpos (two_power bits.+1)]/(2 * half)%coqZ.
  have -> : (x + 2 * half * y + half = y * (2 * half) + (x + half))%coqZ by ring.
  rewrite Z.div_add_l; last by rewrite /half; lia.
  by rewrite Z.div_small; lia.
by rewrite IH; congr cons; ring.
Qed.

Lemma one_integer_add_bias base c u r : size u = size r -> one_integer base (add_bias c u r) = (one_integer base u + c * one_integer base r)%coqZ.
Proof. by elim: u r => [|x u IH] [|a r] //=; [rewrite Z.mul_0_r|move=> [/IH->]; ring]. Qed.

Lemma one_integer_nseq0 base w : one_integer base (nseq w 0%coqZ) = 0%coqZ.
Proof. by elim: w => //= w ->; ring. Qed.

Lemma dot_one_integer base w x M : all (fun r => size r == w) M ->
  dot x [seq one_integer base r | r <- M] = one_integer base (combination w x M).
Proof.
elim: x M => [|c x IH] [|r M] /=; rewrite ?one_integer_nseq0 // => /andP[/eqP sr /IH->].
case: ifP => [/Z.eqb_eq->|_]; first by rewrite Z.mul_0_l.
by rewrite one_integer_add_bias ?size_combination // Z.add_comm.
Qed.

Lemma largest_entry_ge0 M : (0 <= largest_entry M)%coqZ.
Proof. by elim: M => //= r M IH; elim: r => //= a r; lia. Qed.

Lemma largest_entryP r M : (all (fun a => Z.abs a <=? largest_entry (r :: M)) r)%coqZ.
Proof.
rewrite /=; set b := largest_entry M.
elim: r => //= a r IH; apply/andP; split; first by apply/Z.leb_le; lia.
by apply: sub_all IH => x /Z.leb_le xb; apply/Z.leb_le; lia.
Qed.

Lemma largest_entry_cons r M : (largest_entry M <= largest_entry (r :: M))%coqZ.
Proof. by rewrite /=; elim: r => /= [|a r IH]; lia. Qed.

Lemma absolute_sum_ge0 x : (0 <= absolute_sum x)%coqZ.
Proof. by elim: x => //= a x; lia. Qed.

Lemma add_bias_bound c u r s b : (0 <= b)%coqZ -> all (fun a => Z.abs a <=? s)%coqZ u -> all (fun a => Z.abs a <=? b)%coqZ r ->
  (0 <= s)%coqZ -> all (fun a => Z.abs a <=? Z.abs c * b + s)%coqZ (add_bias c u r).
Proof.
move=> b0 + + s0; have cb : (0 <= Z.abs c * b)%coqZ by apply: Z.mul_nonneg_nonneg => //; exact: Z.abs_nonneg.
elim: u r => [|x u IH] [|a r] //= /andP[/Z.leb_le xs us] => [_|/andP[/Z.leb_le ab rs]].
  by apply/andP; split; [apply/Z.leb_le; lia|apply: sub_all us => y /Z.leb_le; move=> ys; apply/Z.leb_le; lia].
rewrite IH // andbT; apply/Z.leb_le.
have : (Z.abs (c * a) <= Z.abs c * b)%coqZ by rewrite Z.abs_mul; apply: Z.mul_le_mono_nonneg_l => //; exact: Z.abs_nonneg.
by lia.
Qed.

Lemma combination_bound w x M b : (largest_entry M <= b)%coqZ ->
  all (fun a => Z.abs a <=? absolute_sum x * b)%coqZ (combination w x M).
Proof.
have zeros s : (0 <= s)%coqZ -> all (fun a => Z.abs a <=? s)%coqZ (nseq w 0%coqZ).
  by move=> s0; rewrite all_nseq; apply/orP; right; apply/Z.leb_le.
move=> Mb; have b0 : (0 <= b)%coqZ by have := @largest_entry_ge0 M; lia.
have sb y : (0 <= absolute_sum y * b)%coqZ by apply: Z.mul_nonneg_nonneg => //; exact: absolute_sum_ge0.
elim: x M Mb => [|c x IH] [|r M] Mb; try exact: zeros (sb _).
have Mb' : (largest_entry M <= b)%coqZ by have := @largest_entry_cons r M; lia.
rewrite /= Z.mul_add_distr_r; case: ifP => _.
  have cb : (0 <= Z.abs c * b)%coqZ by apply: Z.mul_nonneg_nonneg => //; exact: Z.abs_nonneg.
  by apply: sub_all (IH M Mb') => a /Z.leb_le ab; apply/Z.leb_le; lia.
apply: add_bias_bound => //; first exact: IH.
by apply: sub_all (largest_entryP r M) => a /Z.leb_le ab; apply/Z.leb_le; lia.
Qed.

Lemma leq_largest (l : seq Z) x : x \in l -> (x <= foldr Z.max 0 l)%coqZ.
Proof. by elim: l => //= a l IH; rewrite inE => /orP[/eqP->|/IH]; lia. Qed.

Lemma few_columnsE w X M : all (fun r => size r == w) M -> few_columns w X M = [seq combination w x M | x <- X].
Proof.
rewrite /few_columns => sM; case: ifP => // /Z.ltb_lt small.
apply/eq_in_map => x xX; rewrite (dot_one_integer _ _ sM).
have := @row_fromK (Z.to_nat (Z.log2 (foldr Z.max 0 [seq absolute_sum x | x <- X] * largest_entry M))%coqZ).+1 (combination w x M).
rewrite size_combination; apply; apply: sub_all (combination_bound w x (Z.le_refl (largest_entry M))) => a /Z.leb_le ab.
have le1 : (absolute_sum x * largest_entry M <= foldr Z.max 0 [seq absolute_sum y | y <- X] * largest_entry M)%coqZ.
  by apply: Z.mul_le_mono_nonneg_r; [exact: largest_entry_ge0|apply: leq_largest; apply: map_f].
by apply/andP; split; [apply/Z.leb_le|apply/Z.ltb_lt]; move: small ab le1; rewrite [_.-1]/=; set h := Zpos (two_power _); set s := (_ * _)%coqZ; set s' := (_ * _)%coqZ; lia.
Qed.

Lemma add_bias_cat c u u' r r' : size u = size r -> add_bias c (u ++ u') (r ++ r') = add_bias c u r ++ add_bias c u' r'.
Proof. by elim: u r => [|x u IH] [|a r] //= [/IH->]. Qed.

Lemma combination_pieces v w x M : all (fun r => size r == v + w)%N M ->
  combination (v + w) x M = combination v x [seq take v r | r <- M] ++ combination w x [seq drop v r | r <- M].
Proof.
have zeros : nseq (v + w) 0%coqZ = nseq v 0%coqZ ++ nseq w 0%coqZ by rewrite nseqD.
elim: x M => [|c x IH] [|r M] //= /andP[/eqP sr /IH->]; case: ifP => // _.
by rewrite -{1}(cat_take_drop v r) add_bias_cat // size_combination size_takel // sr leq_addr.
Qed.

Lemma by_piecesE k w X M : all (fun r => size r == w) M -> by_pieces k w X M = [seq combination w x M | x <- X].
Proof.
elim: k w M => [|k IH] w M sM /=; first exact: few_columnsE.
case: leqP => [_|/ltnW vw]; first exact: few_columnsE.
have s1 : all (fun r => size r == width_of_piece) [seq take width_of_piece r | r <- M].
  by rewrite all_map; apply: sub_all sM => r /eqP sr /=; rewrite size_takel // sr.
have s2 : all (fun r => size r == w - width_of_piece)%N [seq drop width_of_piece r | r <- M].
  by rewrite all_map; apply: sub_all sM => r /eqP sr /=; rewrite size_drop sr.
rewrite (IH _ _ s2) (few_columnsE _ s1).
have {}sM : all (fun r => size r == width_of_piece + (w - width_of_piece))%N M by rewrite subnKC.
by elim: X {IH} => //= x X ->; rewrite -combination_pieces // subnKC.
Qed.

Lemma combinationsE w X M : combinations w X M = [seq combination w x M | x <- X].
Proof. by rewrite /combinations; case: ifP => // sM; apply: by_piecesE. Qed.

Lemma turnedE w Y : all (fun y => size y == w) Y -> turned w Y = columns w Y.
Proof.
elim: Y => [|y Y IH] /=.
  by move=> _; apply: (@eq_from_nth _ [::]) => [|k]; rewrite size_nseq ?size_map ?size_iota // => kw;
    rewrite nth_nseq kw (nth_map 0%N) ?size_iota.
case/andP=> /eqP sy /IH->; apply: (@eq_from_nth _ [::]) => [|k]; rewrite size_map size_zip !size_map size_iota sy minnn // => kw.
rewrite (nth_map (0%coqZ, [::])) ?size_zip ?size_map ?size_iota ?sy ?minnn // nth_zip ?size_map ?size_iota //=.
by rewrite !(nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma all_dotsE w X Y : all_dots w X Y = [seq [seq dot x y | y <- Y] | x <- X].
Proof.
rewrite /all_dots; case: ifP => // sY; rewrite combinationsE turnedE //; apply: eq_map => x.
apply: (@eq_from_nth _ 0%coqZ) => [|j]; first by rewrite size_combination size_map.
rewrite size_combination => jY; rewrite combination_dot; last by apply/allP => r /mapP[k _ ->]; rewrite size_map.
rewrite (nth_map [::]) //; congr dot.
have sy : size (nth [::] Y j) = w by apply/eqP; move/allP: sY; apply; apply: mem_nth.
apply: (@eq_from_nth _ 0%coqZ) => [|k]; first by rewrite !size_map size_iota.
rewrite !size_map size_iota => kw; rewrite nth_col /ent (nth_map 0%N) ?size_iota // nth_iota // add0n nth_col.
by [].
Qed.
