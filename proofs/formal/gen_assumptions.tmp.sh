cd /work/wt-formal/proofs/formal
{
echo '(* Prints the assumptions of every headline theorem; check.sh compares the     *)'
echo '(* output with assumptions.expected.                                           *)'
echo "From Attest Require Import $(sed -n '/\.v$/p' _CoqProject | sed 's/\.v$//' | tr '\n' ' ' | sed 's/ $//')."
echo
for t in "$@"; do
echo "Goal True. idtac \"== $t\". exact I. Qed."
echo "Print Assumptions $t."
done
} > assumptions.v
