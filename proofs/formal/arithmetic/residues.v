(* The proved checker, residues: those of real numbers modulo p, elimination with them, and roots of 2. *)
(*                                                                                                      *)
(*        place p b g == the polynomials that vanish at b vanish at g modulo p                          *)
(*          place_exp == b = exp (sqrt m / N), any g;   place_two == b = 2, g = 2                       *)
(*      red p b g x a == x = P(b) / Q(b) with the residue a                                             *)
(*   free_exact p n M == elimination finds the rows of M independent                                    *)
(*           free n X == no linear relation between the rows X holds in n columns                       *)
(*        free_exactP == free_exact is right about all rows with these residues                         *)
(*          free_rank == rows of a submatrix that are free bound its rank                               *)
(*         relation c == sum_(i < N) c_i b ^ i = 0                                                      *)
(*           rotate c == the same relation divided by b                                                 *)
(*         place_root == (b, g) is a place when b ^ N = 2 and g ^ N = 2 modulo p                        *)
From Attest Require Import integers common literal_arithmetic transcendence.

Local Notation Z := BinNums.Z.

(* ================================================================================================= *)
(* Residues and elimination                                                                          *)
(* ================================================================================================= *)
(* Real numbers of the form P(b) / Q(b), P and Q polynomials over the integers, have residues        *)
(* P(g) / Q(g) modulo p wherever (b, g) is a place: P(b) = 0 implies P(g) = 0 modulo p.  Elimination *)
(* modulo p then proves that rows are independent over the field.  Nothing here needs p to be prime. *)

Lemma int_of_Z_intr (z : Z) : (int_of_Z z)%:~R = z :> Z.
Proof. by apply: (can_inj int_of_ZK); rewrite rmorph_int intz. Qed.

Lemma intr_is_Z (k : int) : int_of_Z (k%:~R : Z) = k.
Proof. by rewrite rmorph_int intz. Qed.

(* -------------------------------------------------------------------------- *)
(* Places                                                                      *)
(* -------------------------------------------------------------------------- *)
Section Evaluation.
Variables (K : comRingType) (x : K).
Lemma ev0 : eval_at x 0 = 0. Proof. exact: rmorph0. Qed.
Lemma ev1 : eval_at x 1 = 1. Proof. exact: rmorph1. Qed.
Lemma evD P Q : eval_at x (P + Q) = eval_at x P + eval_at x Q. Proof. exact: rmorphD. Qed.
Lemma evM P Q : eval_at x (P * Q) = eval_at x P * eval_at x Q. Proof. exact: rmorphM. Qed.
End Evaluation.

Definition place (F : numFieldType) (p : Z) (b : F) (g : Z) : Prop :=
  forall P : {poly int}, eval_at b P = 0 -> eqm p (eval_at g P) 0.

Lemma place_exp (R : realType) p (m N : nat) g : (0 < m)%N -> (0 < N)%N ->
  place p (expR (Num.sqrt m%:R / N%:R : R)) g.
Proof.
move=> m0 N0 P P0; have -> : P = 0.
  by apply: (@exp_sqrt_eval_injective R m N m0 N0); rewrite P0 rmorph0.
by rewrite rmorph0; apply: eqm_refl.
Qed.

Lemma place_two (F : numFieldType) p : place p (2%:R : F) 2%coqZ.
Proof.
have ev (K : comRingType) (P : {poly int}) : eval_at (2%:R : K) P = (P.[2%:R])%:~R.
  by rewrite eval_atE -[X in _.[X]](rmorph_nat (intmul1_rmorphism K)) (horner_map (intmul1_rmorphism K)).
move=> P; rewrite ev (_ : 2%coqZ = 2%:R) // ev.
by move/eqP; rewrite intr_eq0 => /eqP->; apply: eqm_refl.
Qed.

Section Residues.
Variables (F : numFieldType) (p : Z) (b : F) (g : Z).
Hypotheses (p1 : (1 < p)%coqZ) (bg : place p b g).
Local Notation phi := (eval_at g).
Local Notation psi := (eval_at b).
Local Notation "z %:F" := (toF F z) (at level 2, format "z %:F").
Let p0 := p_neq0 p1.

Definition red (x : F) (a : Z) : Prop :=
  exists d m : {poly int}, [/\ unitm p (phi d), psi d * x = psi m & eqm p (phi m) (phi d * a)].

Lemma unit_psi d : unitm p (phi d) -> psi d != 0.
Proof.
move=> ud; apply/eqP => /bg d0; apply: (unitm0 p1).
exact: unitm_eqm ud d0.
Qed.

Lemma red_poly P : red (psi P) (phi P).
Proof.
exists 1, P; rewrite !ev1 !mul1r; split=> //; last exact: eqm_refl.
by exists 1; rewrite mulr1; apply: eqm_refl.
Qed.

Lemma red_int z : red z%:F z.
Proof. by have := red_poly (int_of_Z z)%:P; rewrite !eval_atC int_of_Z_intr. Qed.

Lemma red_base : red b g.
Proof. by have := red_poly 'X; rewrite !eval_atX. Qed.

Lemma red_eqm x a c : red x a -> eqm p a c -> red x c.
Proof.
move=> [d [m [du dx ma]]] ac; exists d, m; split=> //.
by apply: eqm_trans ma _; apply: eqmM ac; apply: eqm_refl.
Qed.

Lemma red_mod x a : red x a -> red x (a mod p)%coqZ.
Proof. by move=> /red_eqm; apply; apply/eqm_sym/eqm_mod. Qed.

Lemma red_add x y a c : red x a -> red y c -> red (x + y) (a + c).
Proof.
move=> [d [m [du dx ma]]] [e [k [eu ey kc]]]; exists (d * e), (e * m + d * k).
split; first by rewrite evM; apply: unitmM.
  rewrite evD !evM mulrDr -dx -ey; congr (_ + _); last by rewrite mulrA.
  by rewrite mulrA (mulrC (psi e)).
rewrite evD !evM mulrDr; apply: eqmD.
  rewrite (mulrC (phi d)) -mulrA; apply: eqmM ma; exact: eqm_refl.
rewrite -mulrA; apply: eqmM kc; exact: eqm_refl.
Qed.

Lemma red_mul x y a c : red x a -> red y c -> red (x * y) (a * c).
Proof.
move=> [d [m [du dx ma]]] [e [k [eu ey kc]]]; exists (d * e), (m * k).
split; first by rewrite evM; apply: unitmM.
  by rewrite !evM -dx -ey mulrACA.
by rewrite !evM mulrACA; apply: eqmM.
Qed.

Lemma red_opp x a : red x a -> red (- x) (- a).
Proof. by move=> xa; have := red_mul (red_int (-1)) xa; rewrite rmorphN rmorph1 !mulN1r. Qed.

Lemma red_sub x y a c : red x a -> red y c -> red (x - y) (a - c).
Proof. by move=> xa /red_opp; apply: red_add. Qed.

Lemma red_sum (I : Type) (r : seq I) (P : pred I) f h :
  (forall i, P i -> red (f i) (h i)) ->
  red (\sum_(i <- r | P i) f i) (\sum_(i <- r | P i) h i).
Proof.
move=> fh; apply: (big_ind2 red) => // [|*]; last exact: red_add.
by have := red_int 0; rewrite rmorph0.
Qed.

Lemma red_exp x a k : red x a -> red (x ^+ k) (a ^+ k).
Proof.
move=> xa; elim: k => [|k IHk]; last by rewrite !exprS; apply: red_mul.
by have := red_int 1; rewrite rmorph1.
Qed.

Lemma red_neq0 x a : red x a -> unitm p a -> x != 0.
Proof.
move=> [d [m [du dx ma]]] au; apply/eqP => x0.
have m0 : psi m = 0 by rewrite -dx x0 mulr0.
have := bg m0; move: (unitmM du au) => /unitm_eqm um m00; apply: (unitm0 p1).
exact: unitm_eqm (um _ (eqm_sym ma)) m00.
Qed.

Lemma red_inv x a c : red x a -> eqm p (a * c) 1 -> red x^-1 c.
Proof.
move=> xa ac; have au : unitm p a by exists c; rewrite mulrC.
have x0 := red_neq0 xa au; case: xa => d [m [du dx ma]].
exists m, d; split; first by apply: unitm_eqm (eqm_sym ma); apply: unitmM.
  by rewrite -dx -mulrA mulfV ?mulr1.
apply: eqm_sym; apply: eqm_trans (_ : eqm p (phi d * a * c) (phi d)).
  by apply: eqmM ma (eqm_refl _ _).
by rewrite -mulrA -[X in eqm _ _ X]mulr1; apply: eqmM ac; apply: eqm_refl.
Qed.

Lemma red_powmod x a n : red x a -> red (x ^+ Pos.to_nat n) (powmod p a n).
Proof.
move=> xa; elim: n => [n IHn|n IHn|] //=.
  rewrite Pos2Nat.inj_xI multE exprS mulnC exprM mulrC.
  apply: red_mod; apply: red_mul (xa); apply: red_mod.
  exact: red_mul.
rewrite Pos2Nat.inj_xO multE mulnC exprM.
by apply: red_mod; apply: red_mul.
Qed.

Lemma invmod_eqm a c : invmod p a = Some c -> eqm p (a * c) 1.
Proof.
rewrite /invmod; case: ifP => // /Z.eqb_eq ac1 [<-].
apply: eqm_trans (eqm_sym (eqm_mod _ p0)) _.
by rewrite ac1; apply: eqm_refl.
Qed.

Lemma red_invmod x a c : red x a -> invmod p a = Some c -> red x^-1 c.
Proof.
by move=> xa /invmod_eqm ac; apply: red_inv xa ac.
Qed.

End Residues.

(* -------------------------------------------------------------------------- *)
(* Elimination                                                                 *)
(* -------------------------------------------------------------------------- *)
Section Elimination.
Variable p : Z.

(* s - c r modulo p                                                            *)
Fixpoint submul (c : Z) (s r : seq Z) : seq Z :=
  match s, r with
  | x :: s', y :: r' => ((x - c * y) mod p)%coqZ :: submul c s' r'
  | [::], _ => [seq ((- (c * y)) mod p)%coqZ | y <- r]
  | _, [::] => s
  end.

(* a row whose first entry is not 0 modulo p, and the others                    *)
Fixpoint pick_row (M : seq (seq Z)) : option (seq Z * seq (seq Z)) :=
  match M with
  | [::] => None
  | r :: M' =>
    if (head 0%coqZ r mod p =? 0)%coqZ then
      match pick_row M' with
      | Some (r', M'') => Some (r', r :: M'')
      | None => None
      end
    else Some (r, M')
  end.

Fixpoint free_exact (n : nat) (M : seq (seq Z)) : bool :=
  match M, n with
  | [::], _ => true
  | _, 0 => false
  | _, n'.+1 =>
    match pick_row M with
    | None => free_exact n' [seq behead r | r <- M]
    | Some (r, M') =>
      match invmod p (head 0%coqZ r) with
      | None => false
      | Some u =>
        let r' := [seq ((u * x) mod p)%coqZ | x <- behead r] in
        free_exact n' [seq submul (head 0%coqZ s) (behead s) r' | s <- M']
      end
    end
  end.

Lemma pick_rowP M r M' : pick_row M = Some (r, M') ->
  exists A B, M = A ++ r :: B /\ M' = A ++ B.
Proof.
elim: M r M' => //= s M IH r M'; case: ifP => _; last by case=> <- <-; exists [::], M.
case E: (pick_row M) => [[r' M'']|] // [<- <-].
by have [A [B [-> ->]]] := IH _ _ E; exists (s :: A), B.
Qed.

End Elimination.

Section Free.
Variable F : fieldType.
Implicit Types (x : nat -> F) (X : seq (nat -> F)) (c : seq F).

Definition comb c X (j : nat) : F := \sum_(cx <- zip c X) cx.1 * cx.2 j.

Definition free (n : nat) X : Prop :=
  forall c, size c = size X -> (forall j, (j < n)%N -> comb c X j = 0) -> forall a, a \in c -> a = 0.

Lemma comb_cons a c x X j : comb (a :: c) (x :: X) j = a * x j + comb c X j.
Proof. by rewrite /comb /= big_cons. Qed.

Lemma comb0 c X j : (forall a, a \in c -> a = 0) -> comb c X j = 0.
Proof.
elim: c X => [|a c IH] [|x X] c0; try by rewrite /comb big_nil.
rewrite comb_cons (c0 a) ?inE ?eqxx // mul0r add0r IH // => a' a'c.
by rewrite (c0 a') // inE a'c orbT.
Qed.

Lemma comb_cat c c' X X' j : size c = size X -> comb (c ++ c') (X ++ X') j = comb c X j + comb c' X' j.
Proof. by move=> s; rewrite /comb zip_cat // big_cat. Qed.

Lemma free_move n A B x : free n (x :: A ++ B) -> free n (A ++ x :: B).
Proof.
move=> fx c; rewrite size_cat /= => sc c0 a.
have sA : (size A < size c)%N by rewrite sc -addSnnS leq_addr.
pose c1 := take (size A) c; pose c2 := drop (size A).+1 c; pose a0 := nth 0 c (size A).
have cE : c = c1 ++ a0 :: c2 by rewrite -drop_nth // cat_take_drop.
have s1 : size c1 = size A by rewrite size_takel // ltnW.
have := fx (a0 :: c1 ++ c2).
have sc2 : size (a0 :: c1 ++ c2) = size (x :: A ++ B).
  move: sc; rewrite cE !size_cat /= !size_cat s1 => /eqP.
  by rewrite eqn_add2l => /eqP [->].
move=> /(_ sc2) H; rewrite cE mem_cat inE orbCA => ac; apply: H => [j jn|]; last first.
  by rewrite inE mem_cat.
have := c0 j jn; rewrite cE !comb_cat // !comb_cons => <-; rewrite comb_cat //.
by rewrite addrCA.
Qed.

Lemma free_behead n X : free n [seq (fun j => x j.+1) | x <- X] -> free n.+1 X.
Proof.
move=> fX c sc c0 a; apply: fX; rewrite ?size_map // => j jn.
rewrite -[RHS](c0 j.+1 jn); clear -sc; elim: c X sc => [|a c IH] [|x X] //= => [_|[sc]].
  by rewrite /comb !big_nil.
by rewrite !comb_cons IH.
Qed.

Lemma free_pivot n x X : x 0%N != 0 ->
  free n [seq (fun j => y j.+1 - y 0%N * ((x 0%N)^-1 * x j.+1)) | y <- X] -> free n.+1 (x :: X).
Proof.
move=> x0 fX [//|a c] /= [sc] c0.
pose k := comb c X 0%N / x 0%N.
have E j : comb c [seq (fun j => y j.+1 - y 0%N * ((x 0%N)^-1 * x j.+1)) | y <- X] j =
    comb c X j.+1 - comb c X 0%N * ((x 0%N)^-1 * x j.+1).
  clear -sc; elim: c X sc => [|a c IH] [|y X] //= => [_|[sc]].
    by rewrite /comb !big_nil mul0r subrr.
  rewrite !comb_cons IH // mulrBr mulrDl opprD !mulrA; ring.
have r0 := c0 0%N isT; rewrite comb_cons in r0.
have aE : comb c X 0%N = - (a * x 0%N) by apply/eqP; rewrite -addr_eq0 addrC r0.
have cz : forall a', a' \in c -> a' = 0.
  apply: fX; rewrite ?size_map // => j jn; rewrite E aE.
  have := c0 j.+1 jn; rewrite comb_cons => <-.
  by rewrite mulNr opprK -mulrA mulVKf // addrC.
have c00 j : comb c X j = 0 by apply: comb0.
move=> a'; rewrite inE => /predU1P[->|/cz//].
by move/eqP: r0; rewrite c00 addr0 mulf_eq0 (negPf x0) orbF => /eqP.
Qed.

(* rows of a matrix, in the columns cols                                       *)
Lemma free_rank m k r s (M : 'M[F]_(m, k)) (f : 'I_r -> 'I_m) (h : 'I_s -> 'I_k) :
  free s [seq (fun j => if insub j is Some j' then M (f i) (h j') else 0) | i <- enum 'I_r] ->
  (r <= \rank M)%N.
Proof.
move=> fX; suff : row_free (mxsub f h M).
  move=> /eqP rS; rewrite -[X in (X <= _)%N]rS -[A in mxsub f h A]mul1mx mxsub_mul.
  rewrite (leq_trans (mxrankM_maxr _ _)) // -[A in colsub h A]mulmx1 mxsub_mul.
  by rewrite mxsub_id mxrankM_maxl.
apply: inj_row_free => v vM; apply/rowP => i; rewrite mxE.
have vi : v 0 i \in [seq v 0 i | i <- enum 'I_r] by apply: map_f; rewrite mem_enum.
apply: fX vi; first by rewrite !size_map.
move=> j js; move/rowP/(_ (Ordinal js)): vM; rewrite !mxE => <-.
rewrite /comb zip_map big_map big_enum; apply: eq_bigr => l _ /=.
by rewrite (insubT (fun j => j < s)%N js) mxE.
Qed.

End Free.

Section FreeMod.
Variables (F : numFieldType) (p : Z) (b : F) (g : Z).
Hypotheses (p1 : (1 < p)%coqZ) (bg : place p b g).
Local Notation red := (red p b g).

Definition red_row (x : nat -> F) (r : seq Z) : Prop := forall j, red (x j) (nth 0%coqZ r j).

Lemma red_submul x y c (s r : seq Z) a : red a c -> red_row x s -> red_row y r ->
  red_row (fun j => x j - a * y j) (submul p c s r).
Proof.
move=> ac; elim: s r x y => [|x0 s IH] r x y xs yr.
  have -> : submul p c [::] r = [seq ((- (c * y)) mod p)%coqZ | y <- r] by case: r {yr}.
  move=> j; have := xs j; rewrite nth_nil => xj.
  have [jr|rj] := ltnP j (size r).
    rewrite (nth_map 0%coqZ) //; apply: (red_mod p1).
    by have := red_sub xj (red_mul ac (yr j)); rewrite sub0r.
  have := yr j; rewrite !nth_default ?size_map // => yj.
  by have := red_sub xj (red_mul ac yj); rewrite mulr0 subr0.
case: r yr => [|y0 r] yr j /=.
  have := yr j; rewrite nth_nil => yj.
  by have := red_sub (xs j) (red_mul ac yj); rewrite mulr0 subr0.
case: j => [|j] /=; first by apply: (red_mod p1); apply: red_sub (xs 0%N) (red_mul ac (yr 0%N)).
by apply: (IH r (fun j => x j.+1) (fun j => y j.+1)) => j'; [have := xs j'.+1|have := yr j'.+1].
Qed.

Lemma red_row_behead x r : red_row x r -> red_row (fun j => x j.+1) (behead r).
Proof. by move=> xr j; have := xr j.+1; case: r {xr} => //; rewrite !nth_nil. Qed.

Lemma Forall2_map2 (A B A' B' : Type) (P : A -> B -> Prop) (Q : A' -> B' -> Prop) f h X M :
  (forall x m, P x m -> Q (f x) (h m)) -> Forall2 P X M -> Forall2 Q (map f X) (map h M).
Proof. by move=> PQ; elim=> [|x m X' M' xm _ IH] /=; constructor; auto. Qed.

Lemma Forall2_size (A B : Type) (P : A -> B -> Prop) X M : Forall2 P X M -> size X = size M.
Proof. by elim=> //= x m X' M' _ _ ->. Qed.

Lemma free_exactP n X M : Forall2 red_row X M -> free_exact p n M -> free n X.
Proof.
elim: n X M => [|n IH] X M XM.
  by case: M XM => [/Forall2_size/=|//]; case: X => // _ _ [|a c] //= _ _ a'.
have free_nil : free n.+1 ([::] : seq (nat -> F)) by move=> [|a c].
case M0: M XM => [|r0 M1] XM.
  by have := Forall2_size XM; case: X {XM}.
rewrite -M0 in XM *; have -> : free_exact p n.+1 M = match pick_row p M with
    | None => free_exact p n [seq behead r | r <- M]
    | Some (r, M') =>
      match invmod p (head 0%coqZ r) with
      | None => false
      | Some u =>
        let r' := [seq ((u * x) mod p)%coqZ | x <- behead r] in
        free_exact p n [seq submul p (head 0%coqZ s) (behead s) r' | s <- M']
      end
    end by rewrite M0.
case E: (pick_row p M) => [[r M']|]; last first.
  move/(IH [seq (fun j => x j.+1) | x <- X]) => fX; apply/free_behead/fX.
  by apply: Forall2_map2 XM => x m; apply: red_row_behead.
case I: (invmod p _) => [u|] // fM.
have [A [B [MAB M'AB]]] := pick_rowP E; rewrite MAB in XM.
have [XA [XB' [XAA [XBB XE]]]] := Forall2_app_inv_r _ _ XM.
case: XB' XBB XE => [|x XB] XBB XE; first by inversion XBB.
have [xr XBB'] : red_row x r /\ Forall2 red_row XB B by inversion XBB.
rewrite XE; apply: free_move.
have ru := red_invmod p1 bg (xr 0%N) I.
apply: free_pivot.
  apply: (red_neq0 p1 bg (xr 0%N)).
  by exists u; rewrite mulrC nth0; apply: (invmod_eqm p1).
apply: IH fM; rewrite M'AB.
apply: Forall2_map2 (Forall2_app XAA XBB') => y s ys.
apply: (@red_submul (fun j => y j.+1) (fun j => (x 0%N)^-1 * x j.+1)).
- by have := ys 0%N; rewrite nth0.
- exact: red_row_behead.
move=> j; have xj := red_row_behead xr j.
have [jr|rj] := ltnP j (size (behead r)).
  by rewrite (nth_map 0%coqZ) //; apply: (red_mod p1); apply: red_mul.
rewrite [in X in red _ X]nth_default ?size_map //.
by have := red_mul (ru) xj; rewrite [nth _ (behead r) _]nth_default // mulr0.
Qed.

End FreeMod.

(* ================================================================================================== *)
(* Roots of 2                                                                                         *)
(* ================================================================================================== *)
(* The powers b ^ i, i < N, of b = 2 ^ (1/N) are linearly independent over the rational numbers, so b *)
(* may have any residue g with g ^ N = 2.                                                             *)

Lemma powmodE p g n : (1 < p)%coqZ -> eqm p (powmod p g n) (g ^+ Pos.to_nat n).
Proof.
move=> p1; have p0 := p_neq0 p1; elim: n => [n IH|n IH|] /=; last exact: eqm_refl.
  rewrite Pos2Nat.inj_xI multE exprSr mulnC exprM expr2.
  apply: eqm_trans (eqm_mod _ p0) _; apply: eqmM (eqm_refl _ _).
  by apply: eqm_trans (eqm_mod _ p0) _; apply: eqmM.
rewrite Pos2Nat.inj_xO multE mulnC exprM expr2.
by apply: eqm_trans (eqm_mod _ p0) _; apply: eqmM.
Qed.

Section Root.
Variables (F : numFieldType) (N : nat) (b : F).
Hypotheses (N0 : (0 < N)%N) (bN : b ^+ N = 2%:R).
Implicit Types c : nat -> int.

Definition relation c : Prop := \sum_(0 <= i < N) (c i)%:~R * b ^+ i = 0.

Definition rotate c (i : nat) : int := if (i.+1 < N)%N then c i.+1 else (c 0%N %/ 2)%Z.

(* multiplication by sum_i c_i b ^ i in the basis b ^ i has a determinant that is *)
(* c_0 ^ N modulo 2                                                              *)
Lemma relation_even c : relation c -> (2 %| c 0%N)%Z.
Proof.
move=> rel; pose M : 'M[int]_N :=
  \matrix_(i, k) if (k <= i)%N then c (i - k)%N else c (N + i - k)%N * 2%:Z.
have det0 : \det M = 0.
  apply/eqP; rewrite -(intr_eq0 F) -det_map_mx; apply/det0P; exists (\row_i b ^+ i).
    apply/eqP => /rowP/(_ (Ordinal N0)); rewrite !mxE expr0 => /eqP.
    by rewrite oner_eq0.
  apply/rowP => k; rewrite !mxE; have kN := ltnW (ltn_ord k).
  pose G i := (c (if (k <= i)%N then i - k else N + i - k)%N)%:~R * b ^+ (if (k <= i)%N then i else N + i)%N.
  transitivity (\sum_(0 <= i < N) G i).
    rewrite big_mkord; apply: eq_bigr => i _; rewrite !mxE /G; case: ifP => _; first by rewrite mulrC.
    by rewrite rmorphM /= exprD bN mulrC mulrA.
  rewrite (big_cat_nat _ _ _ (leq0n k) kN) /=.
  have -> : \sum_(0 <= i < k) G i = \sum_(N - k <= j < N) (c j)%:~R * b ^+ j * b ^+ k.
    rewrite -{1}(add0n (N - k)%N) big_addn subKn //; apply: eq_big_nat => i /andP[_ ik].
    by rewrite /G leqNgt ik /= addnBA // (addnC i) -mulrA -exprD subnK // (leq_trans kN) ?leq_addr.
  have -> : \sum_(k <= i < N) G i = \sum_(0 <= j < N - k) (c j)%:~R * b ^+ j * b ^+ k.
    rewrite -{1}(add0n (k : nat)) big_addn; apply: eq_big_nat => i _.
    by rewrite /G leq_addl addnK -mulrA -exprD.
  rewrite addrC -(big_cat_nat _ _ _ (leq0n (N - k)%N) (leq_subr _ _)) /=.
  by rewrite -mulr_suml rel mul0r.
have p2 : prime 2 by [].
have even_int (z : int) : ((z%:~R : 'F_2) == 0) = (2 %| z)%Z.
  rewrite dvdzE /= (dvdn_charf (char_Fp p2)); case: z => k; first by rewrite -pmulrn.
  by rewrite NegzE mulrNz oppr_eq0 -pmulrn abszN.
have := congr1 (fun z : int => z%:~R : 'F_2) det0; rewrite -det_map_mx /= mulr0z det_trig.
  move=> /eqP; rewrite (eq_bigr (fun=> (c 0%N)%:~R : 'F_2)); last first.
    by move=> i _; rewrite !mxE leqnn subnn.
  by rewrite prodr_const card_ord expf_eq0 N0 even_int.
apply/is_trig_mxP => i k ik; rewrite !mxE leqNgt ik /= rmorphM /=.
by rewrite (_ : 2%:Z%:~R = 0 :> 'F_2) ?mulr0 //; apply/eqP; rewrite even_int.
Qed.

Lemma relation_rotate c : relation c -> relation (rotate c).
Proof.
move=> rel; have /dvdzP[k kE] := relation_even rel.
have b0 : b != 0.
  by apply/eqP => b0; move/eqP: bN; rewrite b0 expr0n gtn_eqF //= eq_sym pnatr_eq0.
apply: (mulfI b0); rewrite mulr0 -[RHS]rel -(prednK N0) big_nat_recr // [RHS]big_nat_recl //=.
rewrite mulrDr addrC; congr (_ + _).
  rewrite /rotate (prednK N0) ltnn mulrCA -exprS (prednK N0) bN kE mulzK // expr0 mulr1.
  by rewrite rmorphM.
rewrite mulr_sumr; apply: eq_big_nat => i /andP[_ iN].
by rewrite /rotate -ltn_predRL iN mulrCA -exprS.
Qed.

Lemma rotateE c j i : (j <= N)%N -> (i < N)%N ->
  iter j rotate c i = if (i + j < N)%N then c (i + j)%N else (c (i + j - N)%N %/ 2)%Z.
Proof.
elim: j i => [|j IH] i jN iN; first by rewrite addn0 iN.
rewrite iterS {1}/rotate; have [i1|i1] := ltnP i.+1 N; first by rewrite IH ?(ltnW jN) // addnS addSn.
have iE : i.+1 = N by apply/eqP; rewrite eqn_leq iN.
rewrite IH ?(ltnW jN) // add0n jN addnS -addSn iE ltnNge leq_addr /=.
by rewrite addKn.
Qed.

Lemma relation_iter c j : relation c -> relation (iter j rotate c).
Proof. by move=> rel; elim: j => //= j; apply: relation_rotate. Qed.

Lemma relation_dvd m c : relation c -> (2 ^+ m %| c 0%N)%Z.
Proof.
elim: m c => [|m IH] c rel; first by rewrite expr0 dvd1z.
have /dvdzP[k kE] := relation_even rel.
have := IH _ (relation_iter N rel); rewrite rotateE // add0n ltnn subnn kE mulzK // => mk.
by rewrite exprSr dvdz_mul.
Qed.

Lemma relation0 c i : relation c -> (i < N)%N -> c i = 0.
Proof.
move=> rel iN; have -> : c i = iter i rotate c 0%N by rewrite rotateE ?add0n ?iN // ltnW.
move: (iter i rotate c) (relation_iter i rel) => {}c {}rel; apply/eqP; rewrite -absz_eq0.
apply: contraLR (relation_dvd `|c 0%N| rel); rewrite -lt0n dvdzE abszX => c0.
by apply/negP => /(dvdn_leq c0); rewrite leqNgt ltn_expl.
Qed.

Lemma place_root p g : eqm p (g ^+ N) 2%coqZ -> place p b g.
Proof.
move=> g2 P P0; pose X2 : {poly int} := 'X^N - 2%:P.
have sX : size X2 = N.+1.
  by rewrite size_addl ?size_polyXn // size_opp (leq_ltn_trans (size_polyC_leq1 _)).
have mX : X2 \is monic.
  by rewrite monicE lead_coefDl ?lead_coefXn // size_polyXn size_opp (leq_ltn_trans (size_polyC_leq1 _)).
have PE := Pdiv.RingMonic.rdivp_eq mX P; set Q := Pdiv.Ring.rdivp P X2 in PE; set r := Pdiv.Ring.rmodp P X2 in PE.
have sr : (size r <= N)%N by rewrite -ltnS -sX Pdiv.Ring.ltn_rmodpN0 // monic_neq0.
have XE (K : comRingType) (x : K) : eval_at x X2 = x ^+ N - 2%:~R.
  by rewrite rmorphB eval_atC rmorphX eval_atX.
have r0 : r = 0.
  have rel : relation (fun i => r`_i).
    move: P0; rewrite PE rmorphD rmorphM XE bN subrr mulr0 add0r eval_atE.
    rewrite (horner_coef_wide _ (leq_trans (size_poly _ _) sr)) => P0.
    by rewrite /relation -[RHS]P0 big_mkord; apply: eq_bigr => i _; rewrite coef_map.
  apply/polyP => i; rewrite coef0; have [iN|Ni] := ltnP i N; first exact: (relation0 rel iN).
  by rewrite nth_default // (leq_trans sr).
rewrite PE r0 addr0 rmorphM XE; case: g2 => k ->; exists (eval_at g Q * k).
by rewrite add0r [_ - _]addrAC subrr add0r mulrCA.
Qed.

End Root.
