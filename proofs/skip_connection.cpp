// Appendix C (skip connection). With the skip connection the layer's output is shifted by the query; so a
// layer that memorizes y_t - (first d_out entries of e_t) without it memorizes y_t with it.
#include "proofs/provers.hpp"
#include "proofs/theorem_1.hpp"

namespace attest {

void prove_skip_connection(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  RationalMatrix shifted = rational_matrix(*c.data.labels);
  for (std::size_t t = 0; t < shifted.rows(); ++t)
    for (std::size_t o = 0; o < shifted.cols(); ++o)
      shifted(t, o) -= c.data.queries->at(t * c.layer->embed_dim + o);
  memorize(c, effort, shifted, "all-labels-skip", proof);
}

}  // namespace attest
