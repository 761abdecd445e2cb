// Section 4.4: the sinusoidal positional encoding PE[k, 2j] = sin(k w_j), PE[k, 2j + 1] = cos(k w_j), w_j =
// 10000^(-2j/d), has rank n for n <= d.
//
// Proof (docs/mathematics.md) for all n <= d at once: the nodes exp(+-i w_j) are pairwise different because 0
// < w_j <= 1 < pi are, so the columns are those of a Vandermonde matrix up to an invertible change of basis
// over the complex numbers. Nothing is computed but n <= d.
#include "proofs/provers.hpp"

namespace attest {

void prove_positional_encoding(const Case& c, const Claim&, const Effort&, ClaimProof& proof) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim;
  if (n == 1 && d == 1)  // sin(0)
    proof.script.theorem("zero-encoding", {});
  else if (n <= d)
    proof.script.theorem("vandermonde-encoding", {});
}

}  // namespace attest
