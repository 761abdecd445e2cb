(* Appendix C of the paper: Theorem 1 for the layer with a skip connection,        *)
(* o = W_O^T [v_1; ...; v_H] + e.  Theorem 1 is applied to shifted labels.         *)
(* Difference: the paper shifts by the first d_out entries of e, which is          *)
(* W_D^T e for the W_D of its construction; the layer below has that W_D.          *)
(*                                                                                 *)
(*    skip_connection == weights that memorize any labels with the skip connection *)
From Attest Require Import prelude attention common kruskal proposition_1 theorem_1.

Theorem skip_connection (R : realType) T n d dh dv dout H
    (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d) (y : 'I_T -> 'cV[R]_dout) :
    (0 < n)%N -> (0 < H)%N -> (dout <= dv)%N -> (dout <= d)%N ->
    Assumption1 n e -> Assumption2 E ->
    (T <= H * (minn n dh - 1) + 1)%N ->
  exists P : weights R H d dh dv d dout, memorizes_skip E e P y.
Proof.
move=> n0 H0 dv_ do_ A1 A2 TH.
have [K [Q leZ]] := @proposition_1 R T n d dh dv d dout H E e (fun=> 0) 0 0 n0 H0 A1 A2.
rewrite ZE /= (minn_idPl TH) in leZ.
have rZ : \rank (Zmx E e (fun h => K h *m (Q h)^T)) = T.
  by apply/eqP; rewrite eqn_leq leZ rank_leq_row.
have [U UP] := readout_memorizes dv_ do_ rZ
  (fun t => y t - (pid_mx dout : 'M_(dout, d)) *m e t).
exists (readout dv d K Q U) => t.
rewrite /predict_skip /layer_out_skip mulmxDr -[X in X + _]/(predict _ _ _) UP.
by rewrite /= /readout_D tr_pid_mx subrK.
Qed.
