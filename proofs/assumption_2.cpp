#include "proofs/assumption_2.hpp"

#include "base/errors.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/stack.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/layer.hpp"

namespace attest {
namespace {

constexpr std::size_t kAssumptionPrimes = 8;

// The first context whose rank mod p is below n.
std::optional<std::size_t> deficient_context(const Case& c, const std::vector<std::uint64_t>& residues_mod_p,
                                             std::uint64_t p) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim,
                    count = c.data.shared_context ? 1 : c.layer->examples;
  ModularMatrix context(n, d);
  for (std::size_t t = 0; t < count; ++t) {
    std::copy_n(residues_mod_p.begin() + static_cast<std::ptrdiff_t>(t * n * d), n * d, context.data());
    if (rank_profiles(context, p).rank() < n) return t;
  }
  return std::nullopt;
}

}  // namespace

bool add_assumption_2(const Case& c, ProofScript& script) {
  const std::size_t n = c.layer->context;
  for (std::size_t k = 0; k < kAssumptionPrimes; ++k) {
    const std::uint64_t p = small_prime(k);  // for these the checker is fast
    const auto r = residues(*c.data.contexts, p);
    if (!r) continue;
    const auto t = deficient_context(c, *r, p);
    if (!t) {
      script.independent_rows("rank(contexts)", n, p);
      return true;
    }
    if (const auto relation = row_relation(context_matrix(c, *t))) {
      add_dependency("rank(contexts)", *relation, n, *t, script);
      return false;
    }
  }
  throw LimitError("no prime shows the rank of the contexts");
}

void prove_assumption_2(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_behind_stack(c, claim, effort, proof);
  add_assumption_2(c, proof.script);
}

}  // namespace attest
