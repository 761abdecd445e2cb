(* Linear algebra of vectors that are made of others: how many coordinates they need, and in how many ways these move.     *)
(*                                                                                                                          *)
(*              nth_block k == of vectors of K blocks, block k;  ways N == the sum of all blocks times N k                       *)
(*            unways T == the other way round: the vector of the blocks u T k                                               *)
(*           way_value res V == V 0, V 1, ..., behind 1 where res                                                                 *)
(*          spreading  == there are V for which D V 0, D V 1, ... and C (V 0 + V 1 + ...) span as much as they can          *)
(*          same_spans == that depends on what D, and D and C, span                                                         *)
(*  fewest_coordinates == vectors p D + g C have as many coordinates as these span, and move with them                      *)
From Attest Require Import prelude common.
From mathcomp Require Import zify.

Section Coordinates.
Variable F : fieldType.

Lemma cokernel n d (E : 'M[F]_(n, d)) : row_full E ->
  exists (X : 'M[F]_(n, n - d)) (Z : 'M[F]_(n - d, n)), 1%:M = E *m pinvmx E + X *m Z.
Proof.
move=> fE; have r : (\rank (1%:M - E *m pinvmx E)%R <= n - d)%N.
  apply: leq_trans (_ : \rank (kermx E) <= _)%N; last by rewrite mxrank_ker (eqP fE).
  by apply/mxrankS/sub_kermxP; rewrite mulmxBl mul1mx -mulmxA mulVpmx // mulmx1 subrr.
have [K [Q KQ]] := rank_factor r; exists K, Q^T.
by rewrite -KQ addrC subrK.
Qed.

(* --- blocks *)
Section Ways.
Variables (K v : nat).
Definition nth_block (k : 'I_K) : 'M[F]_(K * v, v) := lin1_mx (row k \o vec_mx).

Lemma mul_nth_block (A : 'M[F]_(K, v)) k : mxvec A *m nth_block k = row k A.
Proof. by rewrite mul_rV_lin1 /= mxvecK. Qed.

Definition ways d (N : 'I_K -> 'M[F]_(v, d)) : 'M[F]_(K * v, d) := \sum_k nth_block k *m N k.

Lemma mul_ways d (N : 'I_K -> 'M[F]_(v, d)) (A : 'M[F]_(K, v)) : mxvec A *m ways N = \sum_k row k A *m N k.
Proof. by rewrite mulmx_sumr; apply: eq_bigr => k _; rewrite mulmxA mul_nth_block. Qed.

Lemma ways_sub d m (N : 'I_K -> 'M[F]_(v, d)) (V : 'M[F]_(m, d)) : (forall k, (N k <= V)%MS) -> (ways N <= V)%MS.
Proof. by move=> NV; apply: summx_sub => k _; apply: submx_trans (submxMl _ _) (NV k). Qed.

Lemma sub_ways d (N : 'I_K -> 'M[F]_(v, d)) k : (N k <= ways N)%MS.
Proof.
have -> : N k = (\matrix_j mxvec (delta_mx k j)) *m ways N; last exact: submxMl.
apply/row_matrixP => j; rewrite row_mul rowK mul_ways (bigD1 k) //= big1 ?addr0 => [|h hk].
  have -> : row k (delta_mx k j : 'M[F]_(K, v)) = delta_mx 0 j by apply/rowP => i; rewrite !mxE eqxx.
  by rewrite -rowE.
have -> : row h (delta_mx k j : 'M[F]_(K, v)) = 0 by apply/rowP => i; rewrite !mxE (negbTE hk).
by rewrite mul0mx.
Qed.

Lemma unways_linear n (T : 'I_K -> 'M[F]_(n, v)) : linear (fun u : 'rV[F]_n => mxvec (\matrix_k (u *m T k))).
Proof.
move=> a u u'; rewrite -linearP; congr mxvec; apply/row_matrixP => k.
by rewrite linearP /= !rowK mulmxDl -scalemxAl.
Qed.
Definition unways n (T : 'I_K -> 'M[F]_(n, v)) : 'M[F]_(n, K * v) := lin1_mx (Linear (unways_linear T)).
Lemma mul_unways n (T : 'I_K -> 'M[F]_(n, v)) u : u *m unways T = mxvec (\matrix_k (u *m T k)).
Proof. by rewrite mul_rV_lin1. Qed.

End Ways.

Definition row_times n k (r : 'rV[F]_n) : 'M[F]_(n * k, k) := lin1_mx (mulmx r \o vec_mx).
Lemma mul_row_times n k (r : 'rV[F]_n) (W : 'M[F]_(n, k)) : mxvec W *m row_times k r = r *m W.
Proof. by rewrite mul_rV_lin1 /= mxvecK. Qed.

(* --- as much as can be spanned *)
Lemma extend m d (U : 'M[F]_(m, d)) v : exists M : 'M[F]_(v, d), (minn d (\rank U + v) <= \rank (U + M)%MS)%N.
Proof.
set B := row_base (U^C)%MS; pose r := minn v (\rank (U^C)%MS).
exists (pid_mx r *m B); set M := pid_mx r *m B.
have rM : \rank M = r by rewrite mxrankMfree ?row_base_free // rank_pid_mx // ?geq_minl ?geq_minr.
have MU : (M <= U^C)%MS by apply: submx_trans (submxMl _ _) _; rewrite eq_row_base.
have apart : (U :&: M)%MS = 0 by apply/eqP; rewrite -submx0 -(capmx_compl U) capmxS.
by rewrite mxrank_disjoint_sum // rM /r mxrank_compl; have := rank_leq_col U; lia.
Qed.

Lemma extend_all m d (U : 'M[F]_(m, d)) v K : exists N : nat -> 'M[F]_(v, d),
  (minn d (\rank U + K * v) <= \rank (U + \sum_(k < K) <<N k>>)%MS)%N.
Proof.
elim: K => [|K [N IH]].
  by exists (fun=> 0); rewrite mul0n addn0; apply: leq_trans (geq_minr _ _) _; rewrite mxrankS // addsmxSl.
have [M MP] := extend (U + \sum_(k < K) <<N k>>)%MS v.
exists (fun k => if (k < K)%N then N k else M); rewrite big_ord_recr /= ltnn.
rewrite (eq_bigr (fun k : 'I_K => <<N k>>%MS)); last by move=> k _; rewrite ltn_ord.
apply: leq_trans (_ : \rank ((U + \sum_(k < K) <<N k>>) + M)%MS <= _)%N; last first.
  by apply/mxrankS; rewrite addsmxA addsmxS // genmxE.
by have := IH; have := MP; lia.
Qed.

Definition way_value d (res : bool) (V : nat -> 'M[F]_d) (k : nat) : 'M[F]_d := if res then (if k is k'.+1 then V k' else 1%:M) else V k.

Lemma sum_ways d (A : zmodType) (res : bool) K (V : nat -> 'M[F]_d) (f : 'M[F]_d -> A) :
  \sum_(k < res + K) f (way_value res V k) = (if res then f 1%:M else 0) + \sum_(k < K) f (V k).
Proof. by case: res; rewrite ?add0r // -[(true + K)%N]/K.+1 big_ord_recl. Qed.

Lemma spreading d v c (res : bool) K (D : 'M[F]_(v, d)) (C : 'M[F]_(c, d)) : row_free (col_mx D C) -> (0 < K)%N ->
  exists V : nat -> 'M[F]_d, let E := ways (fun k : 'I_(res + K) => D *m way_value res V k) in
    (minn d ((res + K) * v) <= \rank E)%N /\
    (minn d ((res + K) * v + c) <= \rank (col_mx E (C *m (\sum_(k < res + K) way_value res V k))))%N.
Proof.
move=> fP K0; pose P := col_mx D C; pose U := if res then D else 0.
have fD : row_free D.
  have : (\rank P <= \rank D + \rank C)%N by rewrite -addsmxE; exact: mxrank_adds_leqif.
  by rewrite (eqP fP) /row_free eqn_leq rank_leq_row /=; have := rank_leq_row C; lia.
have rU : \rank U = (res * v)%N by rewrite /U; case: res {U}; rewrite ?mxrank0 ?mul0n ?mul1n //; apply/eqP.
have [N NP] := extend_all U v K; have [M MP] := extend (U + \sum_(k < K) <<N k>>)%MS c.
pose V k := pinvmx P *m col_mx (N k) (if k == 0%N then M - (if res then C else 0) else 0).
have PV k : P *m V k = col_mx (N k) (if k == 0%N then M - (if res then C else 0) else 0) by rewrite mulmxA mulmxVp ?mul1mx.
have DV k : D *m V k = N k by have := PV k; rewrite mul_col_mx => /eq_col_mx[].
have CV k : C *m V k = if k == 0%N then M - (if res then C else 0) else 0 by have := PV k; rewrite mul_col_mx => /eq_col_mx[].
have CM : C *m (\sum_(k < res + K) way_value res V k) = M.
  rewrite (sum_ways res K V id) mulmxDr mulmx_sumr (bigD1 (Ordinal K0)) //= CV /= big1 ?addr0 => [|k k0].
    by case: (res); rewrite ?mulmx1 ?mulmx0 ?subr0 ?add0r // addrC subrK.
  by rewrite CV -[nat_of_ord k == 0%N]/(k == Ordinal K0) (negbTE k0).
exists V => E; rewrite CM.
have inE : (U + \sum_(k < K) <<N k>> <= E)%MS.
  have at_way k (kK : (k < res + K)%N) : (D *m way_value res V k <= E)%MS := sub_ways (fun k : 'I_(res + K) => D *m way_value res V k) (Ordinal kK).
  rewrite addsmx_sub; apply/andP; split.
    have [->|[r1 ->]] : U = 0 \/ (res = true /\ U = D) by rewrite /U; case: (res); [right|left].
      exact: sub0mx.
    have k0 : (0 < res + K)%N by rewrite ltn_addl.
    have w0 : way_value res V 0 = 1%:M by rewrite /way_value r1.
    by have := at_way 0%N k0; rewrite w0 mulmx1.
  apply/sumsmx_subP => k _; rewrite genmxE -DV.
  have kK : (res + k < res + K)%N by rewrite ltn_add2l.
  by have := at_way _ kK; rewrite (_ : way_value res V (res + k) = V k) // /way_value; case: (res).
have rE := mxrankS inE; have ways_number : ((res + K) * v = \rank U + K * v)%N by rewrite rU mulnDl.
split; first by apply: leq_trans _ (leq_trans NP rE); rewrite ways_number.
rewrite -addsmxE; apply: leq_trans _ (mxrankS (addsmxS inE (submx_refl M))).
by apply: leq_trans MP; have := NP; rewrite ways_number; lia.
Qed.

(* what is spanned depends on what is spanned before *)
Lemma same_spans d K v c n m (E : 'M[F]_(v, d)) (C : 'M[F]_(c, d)) (E1 : 'M[F]_(n, d)) (P1 : 'M[F]_(m, d)) (V : nat -> 'M[F]_d) :
    (E :=: E1)%MS -> (col_mx E C :=: P1)%MS ->
  let E' := ways (fun k : 'I_K => E *m V k) in let E1' := ways (fun k : 'I_K => E1 *m V k) in let W := \sum_(k < K) V k in
  (E' :=: E1')%MS /\ (col_mx E' (C *m W) :=: col_mx E1' (P1 *m W))%MS.
Proof.
move=> EE PP E' E1' W.
have into : (E' <= E1')%MS.
  by apply: ways_sub => k; apply: submx_trans (sub_ways (fun k : 'I_K => E1 *m V k) k); rewrite submxMr // EE.
have back : (E1' <= E')%MS.
  by apply: ways_sub => k; apply: submx_trans (sub_ways (fun k : 'I_K => E *m V k) k); rewrite submxMr // EE.
have EW : (E *m W <= E')%MS by rewrite mulmx_sumr; apply: summx_sub => k _; exact: (sub_ways (fun k : 'I_K => E *m V k) k).
have same : (E' :=: E1')%MS by apply/eqmxP; rewrite into back.
have intoP : (col_mx E' (C *m W) <= col_mx E1' (P1 *m W))%MS.
  rewrite -!addsmxE addsmx_sub (submx_trans into (addsmxSl _ _)) /=.
  by apply: submx_trans (addsmxSr _ _); rewrite submxMr // -PP -addsmxE addsmxSr.
have backP : (col_mx E1' (P1 *m W) <= col_mx E' (C *m W))%MS.
  rewrite -!addsmxE addsmx_sub (submx_trans back (addsmxSl _ _)) /=.
  apply: submx_trans (_ : col_mx E C *m W <= _)%MS; first by rewrite submxMr // PP.
  by rewrite mul_col_mx -addsmxE addsmxS.
by split=> //; apply/eqmxP; rewrite intoP backP.
Qed.

(* --- coordinates *)
Lemma fewest_coordinates n c d (D : 'M[F]_(n, d)) (C : 'M[F]_(c, d)) r : r = (n + c - minn d (n + c))%N ->
    (minn d n <= \rank D)%N -> (minn d (n + c) <= \rank (col_mx D C))%N ->
  exists v' c' (D' : 'M[F]_(v', d)) (C' : 'M[F]_(c', d)) (Yd : 'M[F]_(n + c, v')) (Yc : 'M[F]_(c, c'))
      (Xd : 'M[F]_(n + c, r)) (Xc : 'M[F]_(c, r)),
    [/\ v' = minn d n, (v' + c')%N = minn d (n + c), row_free (col_mx D' C'),
        (D' :=: D)%MS /\ (col_mx D' C' :=: col_mx D C)%MS &
      (forall (p : 'rV[F]_n) (g : 'rV[F]_c), p *m D + g *m C = row_mx p g *m Yd *m D' + g *m Yc *m C') /\
      forall (dD : 'M[F]_(n, d)) (dC : 'M[F]_(c, d)), exists (dD' : 'M[F]_(v', d)) (dC' : 'M[F]_(c', d)) (w : 'M[F]_(r, v')) (u : 'M[F]_(r, c')),
        forall (p : 'rV[F]_n) (g : 'rV[F]_c), p *m dD + g *m dC = row_mx p g *m Yd *m dD' + g *m Yc *m dC'
          + (row_mx p g *m Xd *m w *m D' + g *m Xc *m u *m C')].
Proof.
move=> rE rD rE0; set E := col_mx D C in rE0 *.
have [dn|nd] := leqP d n.
  have dE : minn d (n + c) = d by apply/minn_idPl; exact: leq_trans dn (leq_addr _ _).
  rewrite dE in rE rE0; rewrite (minn_idPl dn) in rD.
  have fE : row_full E by rewrite /row_full eqn_leq rank_leq_col.
  have fD : row_full D by rewrite /row_full eqn_leq rank_leq_col.
  have [X [Z XZ]] := cokernel fE; move: X Z XZ; rewrite -rE => X Z XZ.
  exists d, 0%N, 1%:M, 0, E, 0, X, 0.
  have one : (col_mx 1%:M (0 : 'M[F]_(0, d)) :=: (1%:M : 'M[F]_d))%MS.
    by apply: eqmx_trans (eqmx_sym (addsmxE _ _)) (addsmx0 _ _).
  split; rewrite ?addn0 ?dE ?(minn_idPl dn) //; first by rewrite /row_free one mxrank1 addn0.
    split; first by apply/eqmxP; rewrite sub1mx fD submx1.
    by apply: eqmx_trans one _; apply/eqmxP; rewrite sub1mx fE submx1.
  split=> [p g|dD dC]; first by rewrite mulmx1 mul_row_col !mulmx0 addr0.
  exists (pinvmx E *m col_mx dD dC), 0, (Z *m col_mx dD dC), 0 => p g.
  rewrite !mulmx0 !addr0 mulmx1; transitivity (row_mx p g *m (1%:M *m col_mx dD dC)); first by rewrite mul1mx mul_row_col.
  by rewrite XZ mulmxDl mulmxDr !mulmxA.
rewrite (minn_idPr (ltnW nd)) in rD *.
have rDn : \rank D = n by apply/eqP; rewrite eqn_leq rank_leq_row.
have rEE : \rank E = minn d (n + c) by apply/eqP; rewrite eqn_leq rE0 leq_min rank_leq_row rank_leq_col.
pose c' := \rank (E :\: D)%MS; pose C' : 'M[F]_(c', d) := row_base (E :\: D)%MS.
have DE : (D <= E)%MS by rewrite -addsmxE addsmxSl.
have nc : (n + c')%N = minn d (n + c).
  by have := mxrank_cap_compl E D; rewrite (capmx_idPr DE) rDn -rEE.
have into : (E <= D + C')%MS.
  rewrite -(addsmx_diff_cap_eq E D) addsmx_sub; apply/andP; split.
    by apply: submx_trans _ (addsmxSr _ _); rewrite eq_row_base.
  exact: submx_trans (capmxSr _ _) (addsmxSl _ _).
have back : (D + C' <= E)%MS by rewrite addsmx_sub DE eq_row_base diffmxSl.
have both : (D + C' :=: E)%MS by apply/eqmxP; rewrite back into.
have CDC : (C <= D + C')%MS by apply: submx_trans into; rewrite -addsmxE addsmxSr.
have /sub_addsmxP[[Y1 Y2] /= CE] := CDC.
have fY : row_full Y2.
  have inner : (E <= D + Y2 *m C')%MS.
    rewrite -addsmxE addsmx_sub addsmxSl CE addmx_sub_adds //; exact: submxMl.
  rewrite /row_full eqn_leq rank_leq_col /=.
  have := leq_trans (mxrankS inner) (mxrank_adds_leqif _ _); rewrite rEE -nc rDn leq_add2l => /leq_trans; apply.
  exact: mxrankM_maxl.
have [X [Z XZ]] := cokernel fY.
have rc : r = (c - c')%N by rewrite rE -nc; lia.
move: X Z XZ; rewrite -rc => X Z XZ.
exists n, c', D, C', (col_mx 1%:M Y1), Y2, (col_mx 0 X), X; split=> //.
- by rewrite /row_free -addsmxE both rEE nc.
- by split=> //; apply: eqmx_trans (eqmx_sym (addsmxE _ _)) both.
split=> [p g|dD dC].
  by rewrite mul_row_col mulmx1 mulmxDl CE mulmxDr !mulmxA addrA.
pose rest := dC - Y1 *m dD.
have /sub_addsmxP[[w u] /= wuE] : (Z *m rest <= D + C')%MS.
  have [dnc|ncd] := leqP d (n + c).
    by apply: submx_full; rewrite /row_full both rEE; apply/eqP/minn_idPl.
  have r0 : r = 0%N by rewrite rE (minn_idPr (ltnW ncd)) subnn.
  have -> : Z *m rest = 0; last exact: sub0mx.
  by apply/eqP; rewrite -mxrank_eq0 -leqn0 -[X in (_ <= X)%N]r0 rank_leq_row.
exists dD, (pinvmx Y2 *m rest), w, u => p g; rewrite !mul_row_col mulmx1 mulmx0 add0r.
have -> : dC = rest + Y1 *m dD by rewrite subrK.
have -> : g *m X *m w *m D + g *m X *m u *m C' = g *m X *m Z *m rest by rewrite -!mulmxA -mulmxDr -mulmxDr -wuE.
have split_rest : g *m rest = g *m Y2 *m (pinvmx Y2 *m rest) + g *m X *m Z *m rest.
  by rewrite -{1}[rest]mul1mx XZ mulmxDl mulmxDr !mulmxA.
rewrite mulmxDr split_rest mulmxDl !mulmxA -!addrA; congr (_ + _).
by rewrite addrA addrC.
Qed.

End Coordinates.
