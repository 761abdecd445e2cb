// Lemma 4. If the entries of E W' e are pairwise different then softmax(E (W* + lambda W') e) tends to the
// one-hot vector of the largest entry of E W' e, whatever W* is.
//
// Executed for a requested epsilon: with x = E W' e, y = E W* e and v the index of the largest x, the
// coefficients other than the v-th are at most b^((y_i - y_v) - lambda (x_v - x_i)), which decreases in
// lambda; so one lambda proves it for all larger ones.
#include <algorithm>

#include "attention/layer.hpp"
#include "exact/balls.hpp"
#include "proofs/lemmas.hpp"

namespace attest {
namespace {

// E W e for the claim's example.
std::vector<mpq_class> image(const Case& c, const Claim& claim, const char* name) {
  const std::size_t n = c.layer->context;
  const RationalMatrix product =
      context_matrix(c, *claim.example) *
      (rational_matrix(claim.matrices.at(name)) * transposed(query_rows(c, {*claim.example})));
  std::vector<mpq_class> result;
  for (std::size_t i = 0; i < n; ++i) result.push_back(product(i, 0));
  return result;
}

}  // namespace

ClaimProof prove_lemma_4(const Case& c, const Claim& claim, const Effort&) {
  ClaimProof proof;
  const std::size_t n = c.layer->context;
  const std::vector<mpq_class> x = image(c, claim, "w_prime"), y = image(c, claim, "w_star");
  bool distinct = true;
  for (std::size_t i = 0; i < n && distinct; ++i)
    for (std::size_t j = i + 1; j < n && distinct; ++j)
      if (x[i] == x[j]) {
        proof.steps.push_back({{"argument", "equal-entries"}, {"theorem", "witness"}, {"entries", {i, j}}});
        distinct = false;
      }
  const auto vertex = static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin());
  mpz_class lambda = 1;
  bool proved = true;
  for (std::size_t i = 0; i < n && proved; ++i) {
    if (i == vertex) continue;
    if (x[i] == x[vertex]) {
      proved = false;
      break;
    }
    // (y_i - y_v) - lambda (x_v - x_i) <= log_b(epsilon / (2 (n - 1)))
    const auto tolerance = upper_bound(
        logarithm(c.layer->base, 2 * mpq_class(static_cast<unsigned long>(n - 1)) / *claim.epsilon, 128));
    if (!tolerance) {
      proved = false;
      break;
    }
    const mpq_class needed = (y[i] - y[vertex] + *tolerance) / (x[vertex] - x[i]);
    mpz_class whole;
    mpz_cdiv_q(whole.get_mpz_t(), needed.get_num_mpz_t(), needed.get_den_mpz_t());
    lambda = std::max(lambda, mpz_class(whole + 1));
  }
  if (proved)
    proof.steps.push_back({{"argument", "lemma-4-lambda"},
                           {"theorem", "lemma-4"},
                           {"vertex", vertex},
                           {"lambda", to_json(lambda)}});
  proof.result["hypotheses"] = {{"distinct-entries", distinct ? "holds" : "fails"}};
  proof.result["conclusion"] = proved ? "proved" : "open";
  proof.verdict = !distinct ? Verdict::inapplicable : proved ? Verdict::verified : Verdict::undecided;
  return proof;
}

}  // namespace attest
