#include "proofs/hypotheses.hpp"

#include <algorithm>

#include "proofs/assumption_2.hpp"
#include "proofs/kruskal_rank.hpp"

namespace attest {

void decide_hypotheses(const Case& c, const Effort& effort, ProofScript& script) {
  add_assumption_2(c, script);
  const std::size_t threshold = std::min(c.layer->context, c.layer->examples);
  decide_kruskal_threshold("kruskal(queries)", all_queries(c), threshold, effort.hypothesis_subsets, script);
}

}  // namespace attest
