(* The rank-one lower bound without a half-space. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From Attest Require Import attention common affine_hull proposition_2 softmax_jets taylor_rank.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* -------------------------------------------------------------------------- *)
(* The coefficients of independent shared tokens                               *)
(* -------------------------------------------------------------------------- *)
Section Shared.
Variables (R : realType) (H T n d : nat) (C : 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

(* row t: the attention coefficients of all heads                              *)
Definition coef_mx (W : 'I_H -> 'M[R]_d) : 'M[R]_(T, H * n) :=
  \matrix_t mxvec (coefs (fun=> C) e W t).

Lemma coef_mxE W t h i :
  coef_mx W t (mxvec_index h i) = softmax (C *m W h *m e t) i 0.
Proof. by rewrite mxE mxvecE mxE mxE. Qed.

Lemma rank_coef_mx W : \rank C = n -> \rank (Zmx (fun=> C) e W) = \rank (coef_mx W).
Proof.
move=> rC; have fC : row_free C by rewrite /row_free rC.
have ZE : Zmx (fun=> C) e W = coef_mx W *m lin_mx (mulmxr C).
  rewrite Zmx_attn_out; apply/row_matrixP => t.
  by rewrite row_mul !rowK mul_vec_lin.
have CE : coef_mx W = Zmx (fun=> C) e W *m lin_mx (mulmxr (pinvmx C)).
  rewrite Zmx_attn_out; apply/row_matrixP => t.
  by rewrite row_mul !rowK mul_vec_lin /= -mulmxA mulmxVp // mulmx1.
by apply/eqP; rewrite eqn_leq {1}ZE mxrankM_maxl CE mxrankM_maxl.
Qed.

(* weights with the keys k_h, up to the scale of the query v e_t                *)
Lemma rank_one_logits (k : 'I_H -> 'cV[R]_n) (v : 'rV[R]_d) : \rank C = n ->
  exists W : 'I_H -> 'M[R]_d, (forall h, \rank (W h) <= 1)%N /\
    forall h t i, (C *m W h *m e t) i 0 = k h i 0 * (v *m e t) 0 0.
Proof.
move=> rC; have fC : row_free C by rewrite /row_free rC.
have [D CD] : exists D, C *m D = 1%:M by exists (pinvmx C); rewrite mulmxVp.
exists (fun h => D *m k h *m v); split=> [h|h t i].
  by rewrite (leq_trans (mxrankM_maxr _ _)) ?rank_leq_row.
by rewrite /= !mulmxA CD mul1mx -mulmxA [LHS]mxE big_ord1.
Qed.

End Shared.

Lemma separating_injective (R : realType) T d (e : 'I_T -> 'cV[R]_d) : injective e ->
  exists v : 'rV[R]_d, injective (fun t => (v *m e t) 0 0).
Proof.
move=> inj_e; pose I := [finType of {a : 'I_T * 'I_T | a.1 != a.2}].
have [a|v vP] := @separating _ I _ (fun a => e (val a).1 - e (val a).2).
  by rewrite subr_eq0 (inj_eq inj_e) (valP a).
exists v => t t' tt; apply/eqP/negPn/negP => neq.
have /negP[] := vP (exist _ (t, t') neq).
by rewrite /= mulmxBr mxE [X in _ + X]mxE tt subrr.
Qed.

(* -------------------------------------------------------------------------- *)
(* Three independent tokens or more: distinct queries suffice                  *)
(* -------------------------------------------------------------------------- *)
Section ThreeTokens.
Variables (R : realType) (H' T n d : nat) (C : 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).
Hypothesis n_gt2 : (2 < n)%N.
Hypothesis rC : \rank C = n.
Hypothesis inj_e : injective e.

Theorem rank_one_three_tokens : exists W : 'I_H'.+1 -> 'M[R]_d,
  (forall h, \rank (W h) <= 1)%N /\
  (minn T (H'.+1 * (n - 1) + 1) <= \rank (Zmx (fun=> C) e W))%N.
Proof.
case: n n_gt2 C rC => // m; rewrite ltnS subn1 addn1 => m_gt1 C' rC'; rewrite -[m.+1.-1]/m.
set N := (H'.+1 * m).+1; have [z zP] := jets_nat H' m_gt1.
have [v v_inj] := separating_injective inj_e.
pose G : 'M[R]_(N, H'.+1 * m.+1) := jets H'.+1 m N z%:R.
have fG : row_free G.
  have -> : G = map_mx ratr (jets H'.+1 m N (z%:R : rat)).
    rewrite map_jets ?rmorph_nat // => k.
    by rewrite unitfE pnatr_eq0.
  by rewrite (row_free_map (ratr_rmorphism R)) zP.
pose q := @keys R m z%:R; pose A i x := expR (q i * x) / \sum_j expR (q j * x).
pose g c x := mxvec (\matrix_(h < H'.+1, i < m.+1) A i (h.+1%:R * x)) 0 c.
have gG c : order N (fun x => g c x - \sum_(k < N) G k c * x ^+ k).
  case/mxvec_indexP: c => h i M.
  have q0 : q ord0 = 0 by rewrite /q /keys unlift_none.
  have [K KP] := order_scale h.+1%:R (@softmax_taylor R m N q q0 isT i) M.
  exists K => x /KP; rewrite /g mxvecE mxE; congr (`|_ - _| <= _).
  by apply: eq_bigr => k _; rewrite jetsE exprMn mulrCA mulrA.
have [eps _ epsP] := taylor_rank v_inj gG fG.
have [W [W1 WE]] := rank_one_logits e
  (fun h : 'I_H'.+1 => \col_i (h.+1%:R * eps * q i)) v rC'.
exists W; split=> //; rewrite rank_coef_mx //.
congr (_ <= \rank _)%N: epsP; apply/matrixP => t c; case/mxvec_indexP: c => h i.
rewrite [RHS]coef_mxE [LHS]mxE /g mxvecE [LHS]mxE [RHS]mxE WE /A; congr (expR _ / _).
  by rewrite [(\col__ _) _ _]mxE !mulrA; congr (_ * _); rewrite -mulrA mulrC.
apply: eq_bigr => j _; rewrite WE [(\col__ _) _ _]mxE !mulrA; congr (expR (_ * _)).
by rewrite -mulrA mulrC.
Qed.

(* with Proposition 2, an equality, for a layer of key dimension 1               *)
Theorem rank_one_three_tokens_exact dv do dout :
  exists P : weights R H'.+1 d 1 dv do dout,
    \rank (Z (fun=> C) e P) = minn T (H'.+1 * (n - 1) + 1).
Proof.
have [W [W1 leW]] := rank_one_three_tokens.
have /fin_all_exists [K /fin_all_exists [Q WE]] h := rank_factor (W1 h).
exists (Weights K Q (fun=> 0) 0 0); set P := Weights _ _ _ _ _.
apply/eqP; rewrite eqn_leq leq_min rank_leq_row /=; apply/andP; split.
  exact: (@proposition_2 R T H'.+1 n d 1 dv do dout C (fun=> C) e P (fun=> erefl)).
by rewrite ZE (_ : (fun h => _) = W) //; apply/funext => h; rewrite WE.
Qed.

End ThreeTokens.
