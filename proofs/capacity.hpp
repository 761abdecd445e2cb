// Lower bounds that hold because some weights reach them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "proofs/proof.hpp"
#include "search/layer.hpp"

namespace attest {

/// A minor that shows the capacity from below, and how its steps are written.
struct CapacityWitness {
  MinorWitness minor;
  std::function<void(ProofScript&)> write;
};

/// By the number of heads, whether the case has weights, and whether heads that point at tokens will do,
/// those that reach what is known to be possible: every claim would find the same, and the second need not
/// search again, which is half of `attest capacity`.
struct FoundWeights {
  std::map<std::tuple<std::size_t, bool, bool>, CapacityWitness> of_layers;
  /// What a search for a minor of the case's Z of so many rows found.
  std::optional<std::pair<std::size_t, MinorWitness>> given;
};

/// Those that the claims of the effort's case share, or nullptr.
FoundWeights* weights_found(const Effort& effort);

/// The weights of heads that a `let` defines.
HeadFactors head_factors(const LetHead& head);
template <class Heads>
std::vector<HeadFactors> factors_of(const Heads& heads) {
  std::vector<HeadFactors> factors;
  for (const LetHead& head : heads) factors.push_back(head_factors(head));
  return factors;
}
/// Random integer weights u v_h^T, which reach the capacity but for bad luck.
std::vector<LetHead> random_heads(const Case& c, std::uint64_t seed);

/// Bounds capacity and rank(Z(any)) from below by the given weights, if they are of the shape, or by random
/// ones, whose rank is hardly ever less than the capacity. Nothing without queries. `found`: of this case.
void add_weights_for_capacity(const Case& c, ProofScript& script, FoundWeights* found = nullptr);

/// Bounds `capacity` from both sides, with the help of fewer heads where that is wanted.
void bound_capacity(const Case& c, ProofScript& script, bool with_fewer_heads, FoundWeights* found = nullptr);

}  // namespace attest
