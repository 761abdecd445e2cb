// The prover's knowledge of computed quantities (docs/certificate.md, Quantities).
#pragma once

#include "problem/case.hpp"
#include "theory/facts.hpp"

namespace attest {

/// Sizes, arguments and what the entries of the data say, computed when it is asked for, once. `heads(given)`
/// and `moving(given)` are known for the given weights only. Refers to case and claim.
Knowledge quantities(const Case& c, const Claim& claim);

/// How many different examples there are that equal none of `others`: the same query, and the same tokens in
/// any order. With their labels, where these are given.
std::size_t distinct_examples(const Case& c, const std::optional<ExactArray>& labels = std::nullopt,
                              const std::vector<std::size_t>& others = {});

/// The examples that equal no earlier one, in this sense. Precondition: the case has queries.
std::vector<std::size_t> first_of_equal_examples(const Case& c);

}  // namespace attest
