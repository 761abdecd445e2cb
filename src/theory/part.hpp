// A part of a problem: the same data with another number of heads, or some of the examples only, about which
// certificates prove facts (docs/certificate.md, `part`).
#pragma once

#include <optional>
#include <vector>

#include "problem/case.hpp"

namespace attest {

struct Part {
  std::optional<std::size_t> heads{};
  std::optional<std::vector<std::size_t>> examples{};  ///< different ones, at least one
};

/// The data of the part, with one claim of `capacity`; no weights or labels. It may refer to entries of
/// `whole`, which outlives it. Precondition: the case has [layer], contexts and queries.
Case part_of(const Case& whole, const Part& part);

/// What a claim is about, if it is not the case as it stands: the part with its `heads`; where it shows the
/// capacity, free query biases of the layer are one more coordinate, tokens (x, 0) and queries (e, 1).
std::optional<Case> own_problem(const Case& c, const Claim& claim);

}  // namespace attest
