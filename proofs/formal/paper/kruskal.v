(* Kruskal rank (Definition 1 of the paper): basic facts.                       *)
(*                                                                                *)
(*   kruskal_geqP == kruskal_geq x k iff at most k vectors are always independent *)
(*   kruskal_geqW == it is monotone in k                                          *)
(*      span_on I == the space spanned by the vectors of I                        *)
From Attest Require Import prelude attention.

Section Kruskal.
Variables (F : fieldType) (T d : nat) (x : 'I_T -> 'cV[F]_d).
Implicit Types I J : {set 'I_T}.

Lemma indep_on_sub I J : I \subset J -> indep_on x J -> indep_on x I.
Proof.
by move=> /subsetP IJ iJ c cI; apply: iJ => t tJ; apply/cI/(contra (IJ t)).
Qed.

Lemma extend_set I k : (#|I| <= k <= T)%N ->
  exists2 J : {set 'I_T}, I \subset J & #|J| = k.
Proof.
move=> /andP[Ik kT]; rewrite -(subnKC Ik) in kT *.
elim: (k - #|I|)%N kT => [|m IHm] kT; first by exists I; rewrite ?addn0.
have [|J IJ cJ] := IHm; first by rewrite (leq_trans _ kT) // leq_add2l.
have /card_gt0P[t tJ] : (0 < #|~: J|)%N.
  by rewrite cardsCs setCK card_ord subn_gt0 cJ (leq_trans _ kT) // addnS.
rewrite inE in tJ; exists (t |: J); first by rewrite subsetU // IJ orbT.
by rewrite cardsU1 tJ cJ addnS.
Qed.

(* Kruskal rank at least k: all subsets of at most k vectors are independent    *)
Lemma kruskal_geqP k : kruskal_geq x k <-> forall I, (#|I| <= k)%N -> indep_on x I.
Proof.
rewrite /kruskal_geq /kruskal_rank.
pose p (k : 'I_T.+1) := `[< forall I : {set 'I_T}, #|I| = k -> indep_on x I >].
rewrite -[\max_(k < _ | _) _]/(\max_(k < T.+1 | p k) k); split=> [kK I Ik|xI].
  have [|k0 /asboolP pk0 K0] := @eq_bigmax_cond _ (mem p) (fun k : 'I_T.+1 => k : nat).
    apply/card_gt0P; exists ord0; rewrite inE; apply/asboolP => J /eqP.
    by rewrite cards_eq0 => /eqP -> c c0 _ t; apply: c0; rewrite inE.
  have Ik0 : (#|I| <= k0 <= T)%N.
    have k0T : (k0 <= T)%N by rewrite -ltnS ltn_ord.
    rewrite k0T andbT -[X in (_ <= X)%N]K0 (leq_trans _ kK) //.
    by rewrite leq_min Ik -[X in (_ <= X)%N](card_ord T) max_card.
  have [J IJ cJ] := extend_set Ik0.
  exact: indep_on_sub IJ (pk0 _ cJ).
have mT : (minn k T < T.+1)%N by rewrite ltnS geq_minr.
apply: (@leq_trans (Ordinal mT)) => //.
apply: (@leq_bigmax_cond _ p (fun k : 'I_T.+1 => k : nat)).
by apply/asboolP => I cI; apply: xI; rewrite cI /= geq_minl.
Qed.

Lemma kruskal_geqW k m : (m <= k)%N -> kruskal_geq x k -> kruskal_geq x m.
Proof.
by move=> mk /kruskal_geqP xk; apply/kruskal_geqP => I Im; apply/xk/(leq_trans Im).
Qed.

(* enumerated subsets                                                           *)
Lemma indep_row_free s (f : 'I_s -> 'I_T) : injective f ->
  indep_on x [set f i | i in 'I_s] -> row_free (\matrix_(i < s) (x (f i))^T).
Proof.
move=> inj_f xI; apply: inj_row_free => v vM.
pose c t := \sum_(i | f i == t) v 0 i.
have cE i : c (f i) = v 0 i.
  by rewrite /c (eq_bigl (pred1 i)) ?big_pred1_eq // => j; rewrite /= (inj_eq inj_f).
suff c0 t : c t = 0 by apply/rowP => i; rewrite -cE c0 mxE.
apply: xI t => [t tI|].
  rewrite /c big1 // => i /eqP fi; case/negP: tI.
  by rewrite -fi; apply/imsetP; exists i.
transitivity (\sum_i v 0 i *: x (f i)).
  rewrite [RHS](partition_big f xpredT) //=; apply: eq_bigr => t _.
  by rewrite /c scaler_suml; apply: eq_bigr => i /eqP ->.
apply: trmx_inj; rewrite trmx0 -vM mulmx_sum_row linear_sum /=.
by apply: eq_bigr => i _; rewrite rowK linearZ.
Qed.

Definition span_on I : 'M[F]_(T, d) := \matrix_t (if t \in I then (x t)^T else 0).

Lemma mem_span_on I t : t \in I -> ((x t)^T <= span_on I)%MS.
Proof. by move=> tI; rewrite (_ : (x t)^T = row t (span_on I)) ?row_sub // rowK tI. Qed.

Lemma notin_span_on I t : t \notin I -> indep_on x (t |: I) ->
  ~~ ((x t)^T <= span_on I)%MS.
Proof.
move=> tI xI; apply/negP => /submxP[D xD].
pose c s := if s == t then 1 else if s \in I then - D 0 s else 0.
have /eqP : c t = 0; last by rewrite /c eqxx oner_eq0.
apply: xI => [s|]; first by rewrite !inE /c; case: eqP => //= _ /negPf ->.
rewrite (bigD1 t) //= /c eqxx scale1r; apply: trmx_inj.
rewrite trmx0 linearD /= xD mulmx_sum_row (bigD1 t) //= rowK (negPf tI) scaler0 add0r.
rewrite linear_sum -big_split big1 //= => s /negPf ->; rewrite rowK.
by case: ifP => _; rewrite ?linearZ /= ?scaleNr ?subrr // scaler0 scale0r addr0.
Qed.

End Kruskal.
