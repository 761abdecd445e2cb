(* What an exported file needs: the statements (attention, replay_layer), the   *)
(* checks with their theorems, and the combination of bounds.                  *)
From Coq Require Export ZArith.
From mathcomp Require Export all_ssreflect all_algebra.
From mathcomp Require Export boolp reals signed topology normedtype sequences exp.
From Attest Require Export attention replay_arithmetic replay_layer replay_lower.
From Attest Require Export replay_hull replay_kernel replay_heads replay_kruskal.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Lemma leq_both r a b : (r <= a)%N -> (r <= b)%N -> (r <= minn a b)%N.
Proof. by rewrite leq_min => -> ->. Qed.

Lemma upper_value r a b : (r <= a)%N -> a == b -> (r <= b)%N.
Proof. by move=> ra /eqP<-. Qed.
