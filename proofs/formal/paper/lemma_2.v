(* Lemma 2 of the paper: if a_1, ..., a_n are linearly independent, then so are *)
(* a_i + c (a_1 + ... + a_n), for every c >= 0.  Here the a_i are the rows of A. *)
(* Stronger than the paper: over any field, whenever 1 + n c <> 0.             *)
(*                                                                               *)
(*   row_free_add_sum == for 1 + n c != 0, any field                             *)
(*            lemma_2 == for c >= 0 (alias row_free_add_multiple_of_sum)         *)
From Attest Require Import prelude.

Lemma row_free_add_sum (F : fieldType) n m (A : 'M[F]_(n, m)) (c : F) :
    1 + n%:R * c != 0 -> row_free A ->
  row_free (\matrix_(i < n) (row i A + c *: \sum_j row j A)).
Proof.
move=> c0 fA; apply: inj_row_free => v.
have -> : \matrix_(i < n) (row i A + c *: \sum_j row j A)
          = (1%:M + const_mx c) *m A.
  apply/row_matrixP => i; rewrite rowK row_mul linearD /= row1 mulmxDl.
  rewrite -rowE; congr (_ + _); rewrite [RHS]mulmx_sum_row scaler_sumr.
  by apply: eq_bigr => j _; rewrite !mxE.
rewrite mulmxA => /eqP; rewrite mulmx_free_eq0 // => /eqP vA.
have vE i : v 0 i = - ((\sum_j v 0 j) * c).
  move/matrixP/(_ 0 i): vA; rewrite mulmxDr mulmx1 !mxE => /eqP.
  rewrite addr_eq0 => /eqP ->; congr (- _).
  by rewrite mulr_suml; apply: eq_bigr => j _; rewrite mxE.
have s0 : \sum_j v 0 j = 0.
  set S := \sum_j v 0 j.
  have eS : S = - (n%:R * (S * c)).
    rewrite {1}/S (eq_bigr _ (fun i _ => vE i)) sumr_const card_ord.
    by rewrite -/S mulr_natl mulNrn.
  have /eqP : S * (1 + n%:R * c) = 0.
    by rewrite mulrDr mulr1 mulrCA {1}eS addNr.
  by rewrite mulf_eq0 (negPf c0) orbF => /eqP.
by apply/matrixP => i j; rewrite ord1 vE s0 mul0r oppr0 mxE.
Qed.

Theorem lemma_2 (F : numFieldType) n m (A : 'M[F]_(n, m)) c :
    0 <= c -> row_free A ->
  row_free (\matrix_(i < n) (row i A + c *: \sum_j row j A)).
Proof.
move=> c0; apply: row_free_add_sum.
have nc0 : 0 <= n%:R * c by rewrite mulr_ge0 // ler0n.
by rewrite gt_eqF // (lt_le_trans ltr01) // ler_addl.
Qed.

