// Which examples can be memorized together (docs/certificate.md, `circuits`).
#pragma once

#include <utility>
#include <vector>

#include "kernel/layers/layer.hpp"
#include "theory/circuits.hpp"

namespace attest::kernel {

/// Some examples, increasing, and their capacity at most.
using Spanned = std::pair<std::vector<std::size_t>, Integer>;

/// Ensures that the set has as many `cols` as examples, that its minor of Z is non-singular under the
/// character, and that every other example t
/// - has under it the row that the rows of its conflicts D add up to with factors that are not 0 (so that the
///   set with t in place of a member of D is independent),
/// - is in one of `parts` whose capacity is at most the number of members of D in it (so that the row of t is
/// in
///   their span), and
/// - comes after the members of D in the order of the claim's values (so that the set is that of greedy
/// choices).
void check_circuits(const Problem& problem, const Claim& claim, const Layer& layer,
                    const Character& character, const std::vector<std::size_t>& cols, const Circuits& stated,
                    const std::vector<Spanned>& parts);

}  // namespace attest::kernel
