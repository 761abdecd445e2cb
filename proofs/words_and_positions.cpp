// The largest rank of Z over all embeddings of words and positions, when tokens are their sums. From above
// for all embeddings by the number of independent sums, from below by the contexts of the case, when they are
// sums.
#include "proofs/capacity.hpp"
#include "proofs/provers.hpp"

namespace attest {

void prove_words_and_positions(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  ProofScript& script = proof.script;
  derive(script, "words-and-positions");
  bound_capacity(c, script, true, weights_found(effort));
  if (script.of("sums(sequences)").lower == 1) derive(script, "some-embeddings");
  proof.reason = unmet_bounds(script, "embedded_capacity", "capacity for any embeddings") +
                 ": the embeddings of the case reach no more, and others were not tried";
}

}  // namespace attest
