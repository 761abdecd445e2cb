(* Sets of examples that can be memorized are a matroid: one layer has the largest rank    *)
(* for every set of examples at once, so these ranks are those of the rows of one matrix.  *)
(*                                                                                         *)
(*     rows_of S M == the rows of M that are numbered by the set S                          *)
(*     one_layer_for_all_sets == weights that have the largest rank on every set            *)
From Attest Require Import prelude attention generic_data problem logits concave_heads.

Section Sets.
Variables (R : realType) (T n d dh H : nat) (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Local Notation point := (point R T H n d dh).
Local Notation number S := (@enum_val _ (mem S)).

Definition rows_of m (S : {set 'I_T}) (M : 'M[R]_(T, m)) : 'M[R]_(#|S|, m) := rowsub (number S) M.
Definition set_capacity (S : {set 'I_T}) : nat := layer_capacity (E \o number S) (e \o number S) dh H.

Definition on_set (S : {set 'I_T}) (a : point) := ((a.1.1 \o number S, a.1.2 \o number S), a.2).

Lemma Z_on_set S a : Z_at (on_set S a) = rows_of S (Z_at a).
Proof. exact: Zmx_rows. Qed.

Lemma set_capacity_geq S (a : point) : a.1 = (E, e) -> (\rank (rows_of S (Z_at a)) <= set_capacity S)%N.
Proof. by move=> aE; rewrite -Z_on_set; apply: layer_capacity_geq; rewrite /on_set aE. Qed.

Theorem one_layer_for_all_sets : exists a : point, a.1 = (E, e) /\
  forall S, \rank (rows_of S (Z_at a)) = set_capacity S.
Proof.
suff [a [aE aP]] : exists a : point, a.1 = (E, e) /\
    {in enum {set 'I_T}, forall S, (set_capacity S <= \rank (rows_of S (Z_at a)))%N}.
  exists a; split=> // S; apply/eqP; rewrite eqn_leq set_capacity_geq //.
  by apply: aP; rewrite mem_enum.
elim: (enum _) => [|S l [a [aE aP]]]; first by exists ((E, e), (fun=> 0, fun=> 0)).
have [b [bE bS]] := layer_capacity_reached dh (E \o number S) (e \o number S) H.
pose b' : point := ((E, e), b.2).
have b'S : on_set S b' = b by rewrite /on_set /b' /= -bE -surjective_pairing.
have /fin_all_exists[r rP] (S' : {set 'I_T}) := rank_line_from (on_set S' a) (on_set S' b') 0.
have [r1 r1P] := rank_line_from (on_set S a) (on_set S b') 1.
have [x [_]] := few_points (r1 ++ flatten [seq r S' | S' <- enum {set 'I_T}]) 0 (@ltr01 R).
rewrite mem_cat negb_or => /andP[/r1P x1 xr].
have lineE S' y : line_at (on_set S' a) (on_set S' b') y = on_set S' (line_at a b' y) by [].
have line1 : line_at (on_set S a) (on_set S b') 1 = b.
  rewrite b'S /line_at; case: (b) => [[? ?] [? ?]]; rewrite /line /=.
  by congr ((_, _), (_, _)); apply/funext => ?; rewrite scale1r addrC subrK.
exists (line_at a b' x); split.
  by rewrite /line_at /b' aE /line /=; congr (_, _); apply/funext => ?; rewrite subrr scaler0 addr0.
move=> S'; rewrite inE => /predU1P[->|/aP le].
  by rewrite -Z_on_set /set_capacity -bS -[X in (\rank (Z_at X) <= _)%N]line1 -lineE; apply: x1.
have xS' : x \notin r S'.
  by apply: contra xr => xr; apply/flattenP; exists (r S') => //; apply: map_f; rewrite mem_enum.
by apply: leq_trans le _; have := rP S' x xS'; rewrite line_at0 lineE !Z_on_set.
Qed.

End Sets.
