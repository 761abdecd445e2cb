// The rule `subsets`.
#include "kernel/arithmetic/kruskal.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {

/// kruskal(V) >= k, when every k of the T vectors, as primitive integer ones, are independent mod the prime
/// p.
Fact rules::subsets(const Step& step) {
  const Rows rows = matrices(step).member(0);
  const Word k = word(step["k"]), p = prime(step["p"], 62);
  const bool dual = choice(step["method"], "dual", "subsets");
  ENSURE(k <= rows.size(), "k <= " + count(rows.size()), count(k));
  WordMatrix images(rows.size(), step.problem.d);
  for (std::size_t t = 0; t < rows.size(); ++t) residues(primitive(rows.exact(t)), p, images[t]);
  ENSURE(subsets_independent(images, k, p, dual), "independent vectors mod p in every subset of " + count(k),
         "a dependent subset");
  return Fact::at_least(step.of, k);
}

}  // namespace attest::kernel
