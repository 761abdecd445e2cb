// Given labels (docs/certificate.md): no network of m neurons fits them, by case trees with Farkas
// identities.
#pragma once

#include "kernel/certificate.hpp"
#include "kernel/problem.hpp"

namespace attest::kernel {

/// The tokens of E_t (unless `query_only`), then e_t, then 1.
Vector input_and_one(const Problem& problem, std::size_t t, bool query_only);

/// Concludes that no network of the claim's neurons fits the labels: for each number of neurons with positive
/// factors, a tree of decisions which neurons are active at which examples covers all such networks, and at
/// each leaf factors of the equations and inequalities sum up to 0 > 0 (docs/mathematics.md, The remaining
/// statements: *Given labels*).
void check_trees(const Problem& problem, const Claim& claim, const Json& trees);

}  // namespace attest::kernel
