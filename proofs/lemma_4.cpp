// Lemma 4. If the entries of E W' e are pairwise different then softmax(E (W* + lambda W') e) tends to the
// one-hot vector of the largest entry of E W' e, whatever W* is.
//
// Executed for a requested epsilon: with x = E W' e, y = E W* e and v the index of the largest x, the
// coefficients other than the v-th are at most b^((y_i - y_v) - lambda (x_v - x_i)), which decreases in
// lambda; so one lambda proves it for all larger ones.
#include <algorithm>

#include "base/errors.hpp"
#include "proofs/provers.hpp"
#include "search/arithmetic/balls.hpp"
#include "search/layer.hpp"

namespace attest {
namespace {

// E W e for the claim's example.
std::vector<mpq_class> image(const Case& c, const Claim& claim, const char* name) {
  const std::size_t n = c.layer->context;
  const RationalMatrix product =
      context_matrix(c, claim.size("example")) *
      (rational_matrix(claim.array(name)) * transposed(query_rows(c, {claim.size("example")})));
  std::vector<mpq_class> result;
  for (std::size_t i = 0; i < n; ++i) result.push_back(product(i, 0));
  return result;
}

}  // namespace

void prove_lemma_4(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  const std::size_t n = c.layer->context;
  const std::vector<mpq_class> x = image(c, claim, "w_prime"), y = image(c, claim, "w_star");
  const auto vertex = static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin());
  if (std::count(x.begin(), x.end(), x[vertex]) > 1) {
    proof.reason = "two entries of E W' e are the largest";
    return;
  }
  mpz_class lambda = 1;
  if (n > 1) {
    // (y_i - y_v) - lambda (x_v - x_i) <= log_b(epsilon / (2 (n - 1)))
    const auto tolerance = upper_bound(logarithm(
        c.layer->base, 2 * mpq_class(static_cast<unsigned long>(n - 1)) / claim.number("epsilon"), 128));
    if (!tolerance) throw LimitError("epsilon is too small for its logarithm");
    for (std::size_t i = 0; i < n; ++i) {
      if (i == vertex) continue;
      const mpq_class needed = (y[i] - y[vertex] + *tolerance) / (x[vertex] - x[i]);
      mpz_class whole;
      mpz_cdiv_q(whole.get_mpz_t(), needed.get_num_mpz_t(), needed.get_den_mpz_t());
      lambda = std::max(lambda, mpz_class(whole + 1));
    }
  }
  proof.script.add("ball", Fact::at_least("vertex_limit", 1), {{"vertex", vertex}, {"lambda", lambda}});
}

}  // namespace attest
