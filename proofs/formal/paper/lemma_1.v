(* Lemma 1 of the paper: rank [A B; 0 C] >= rank A + rank C.                    *)
(* Stronger than the paper: over any field.                                    *)
(*                                                                              *)
(*   lemma_1 == the statement (alias rank_block_triangular)                     *)
From Attest Require Import prelude.

Section BlockTri.
Variable F : fieldType.

Lemma rank_block_lower m1 m2 n1 n2 (A : 'M[F]_(m1, n1)) (B : 'M_(m2, n1))
    (C : 'M_(m2, n2)) :
  (\rank A + \rank C <= \rank (block_mx A 0 B C))%N.
Proof.
set M := block_mx _ _ _ _.
pose P : 'M[F]_(n1 + n2, n2) := col_mx 0 1%:M.
rewrite -(mxrank_mul_ker M P) addnC leq_add //.
  rewrite /M mul_block_col !mulmx0 mul0mx !add0r mulmx1.
  by rewrite rank_col_0mx.
rewrite -(rank_row_mx0 n2 A) mxrankS // sub_capmx; apply/andP; split.
  by rewrite /M block_mxEv -addsmxE addsmxSl.
by apply/sub_kermxP; rewrite mul_row_col mulmx0 mul0mx addr0.
Qed.

Theorem lemma_1 m1 m2 n1 n2 (A : 'M[F]_(m1, n1)) (B : 'M_(m1, n2))
    (C : 'M_(m2, n2)) :
  (\rank A + \rank C <= \rank (block_mx A B 0 C))%N.
Proof.
rewrite -(mxrank_tr A) -(mxrank_tr C) -(mxrank_tr (block_mx _ _ _ _)).
by rewrite tr_block_mx trmx0 rank_block_lower.
Qed.

End BlockTri.
