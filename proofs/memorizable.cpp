// Whether the examples can be memorized by some number of heads: the largest rank of Z over all of them. From
// above by the relations with rational coefficients between the outputs of one head: with many heads there
// are no others (docs/mathematics.md, Any number of heads). From below by so many heads, and their weights.
#include <algorithm>

#include "proofs/capacity.hpp"
#include "proofs/provers.hpp"
#include "proofs/relations.hpp"

namespace attest {

// Of a Z that is looked at: many heads are too many for large data.
static constexpr std::size_t kEntries = 50'000'000;

void prove_memorizable(const Case& c, const Claim&, const Effort&, ClaimProof& proof) {
  ProofScript& script = proof.script;
  add_rational_relations(c, "largest_rank", script);
  const std::size_t most = upper_bound_of(script, "largest_rank"), T = c.layer->examples,
                    d = c.layer->embed_dim;
  const std::size_t enough = std::min(T, std::max<std::size_t>(1, kEntries / (T * d)));
  std::optional<ProvedPart> best;
  for (std::size_t heads = std::clamp<std::size_t>((most + d - 1) / d, 1, enough);;
       heads = std::min(enough, 2 * heads)) {
    ProvedPart part(c, {heads, std::nullopt}, [](const Case& its_case, ProofScript& inner) {
      add_weights_for_capacity(its_case, inner);
    });
    if (!best || part.least() > best->least()) best.emplace(std::move(part));
    if (best->least() == most || heads == enough) break;
  }
  const ProofScript::Number number = best->add(script, true);
  script.theorem("many-heads", {number}, "", {number});
  const Bounds rank = script.of("largest_rank");
  proof.reason = "the bounds " + rank.lower.get_str() + " and " + rank.upper.get_str() +
                 " of the largest rank for any number of heads do not meet";
}

}  // namespace attest
