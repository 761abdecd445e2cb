// Given labels (docs/certificate.md): no network of m neurons fits them, by case trees with Farkas
// identities.
#pragma once

#include "checker/certificate.hpp"
#include "checker/problem.hpp"

namespace attest::checker {

/// The tokens of E_t (unless `query_only`), then e_t, then 1.
Vector input_and_one(const Problem& problem, std::size_t t, bool query_only);

/// Checks the trees of a `split`.
void check_trees(const Problem& problem, const Claim& claim, const Json& trees);

}  // namespace attest::checker
