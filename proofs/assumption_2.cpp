#include "proofs/assumption_2.hpp"

#include "attention/layer.hpp"
#include "exact/modular.hpp"
#include "input/errors.hpp"

namespace attest {
namespace {

constexpr std::size_t kPrimes = 8;

// The first context whose rank mod p is below n.
std::optional<std::size_t> deficient_context(const Case& c, const std::vector<std::uint64_t>& residues_mod_p, std::uint64_t p) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim, count = c.data.shared_context ? 1 : c.layer->examples;
  ModularMatrix context(n, d);
  for (std::size_t t = 0; t < count; ++t) {
    std::copy_n(residues_mod_p.begin() + static_cast<std::ptrdiff_t>(t * n * d), n * d, context.data());
    if (rank_profiles(context, p).rank() < n) return t;
  }
  return std::nullopt;
}

}  // namespace

bool assumption_2(const Case& c, Json& steps) {
  const std::size_t n = c.layer->context;
  for (std::size_t k = 0; k < kPrimes; ++k) {
    const std::uint64_t p = large_prime(k);
    const auto r = residues(*c.data.contexts, p);
    if (!r) continue;
    const auto t = deficient_context(c, *r, p);
    if (!t) {
      steps.push_back({{"argument", "contexts-full-rank"}, {"theorem", "modular-rank"}, {"p", p}});
      return true;
    }
    if (const auto circuit = row_relation(context_matrix(c, *t))) {
      std::vector<mpz_class> relation(n);
      for (std::size_t i = 0; i < circuit->rows.size(); ++i) relation[circuit->rows[i]] = circuit->relation[i];
      steps.push_back(
          {{"argument", "context-dependent"}, {"theorem", "dependent-rows"}, {"example", *t}, {"relation", to_json(relation)}});
      return false;
    }
  }
  throw LimitError("no prime shows the rank of the contexts");
}

ClaimProof prove_assumption_2(const Case& c, const Claim&, const Effort&) {
  ClaimProof proof;
  proof.verdict = assumption_2(c, proof.steps) ? Verdict::verified : Verdict::refuted;
  return proof;
}

}  // namespace attest
