// The samples by what they are about; samples() has them all.
#pragma once

#include <vector>

#include "tests/checker/samples.hpp"

namespace attest::test {

// p = 1000919 in them is a safe prime and 7 mod 8, so 4 and 2 both have order q = 500459.
std::vector<Sample> rank_samples();
std::vector<Sample> kruskal_samples();
std::vector<Sample> theorem_samples();
std::vector<Sample> lemma_samples();
std::vector<Sample> network_samples();
std::vector<Sample> layer_samples();
std::vector<Sample> jacobian_samples();
std::vector<Sample> stack_samples();

}  // namespace attest::test
