(* Prints the assumptions of every headline theorem; check.sh compares the     *)
(* output with assumptions.expected.                                           *)
From Attest Require Import attention common lemma_1 lemma_2 affine_hull proposition_2 proposition_5 certificates generalized_vandermonde rank_one_lower_bound.

Goal True. idtac "== lemma_1". exact I. Qed.
Print Assumptions lemma_1.
Goal True. idtac "== lemma_2". exact I. Qed.
Print Assumptions lemma_2.
Goal True. idtac "== affine_hull_bound". exact I. Qed.
Print Assumptions affine_hull_bound.
Goal True. idtac "== linear_hull_bound". exact I. Qed.
Print Assumptions linear_hull_bound.
Goal True. idtac "== proposition_2". exact I. Qed.
Print Assumptions proposition_2.
Goal True. idtac "== proposition_5". exact I. Qed.
Print Assumptions proposition_5.
Goal True. idtac "== rank_specialize". exact I. Qed.
Print Assumptions rank_specialize.
Goal True. idtac "== rank_mod_p". exact I. Qed.
Print Assumptions rank_mod_p.
Goal True. idtac "== functional_kernel_bound". exact I. Qed.
Print Assumptions functional_kernel_bound.
Goal True. idtac "== gen_vandermonde". exact I. Qed.
Print Assumptions gen_vandermonde.
Goal True. idtac "== rank_one_lower_bound". exact I. Qed.
Print Assumptions rank_one_lower_bound.
Goal True. idtac "== rank_one_exact". exact I. Qed.
Print Assumptions rank_one_exact.
