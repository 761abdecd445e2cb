// Confidence intervals for a share, with exact arithmetic.
#pragma once

#include <gmpxx.h>

#include <cstddef>

namespace attest {

struct Share {
  mpq_class lower, upper;
};

/// The two-sided Clopper-Pearson interval at the confidence 95 %, when `least` to `most` of the trials had
/// the property: all p for which neither as few as `most` nor as many as `least` have a probability of at
/// most 1/40. Each end is rounded outwards to a multiple of 2^-20, by exact comparisons of binomial tails.
/// Precondition: least <= most <= trials, trials >= 1.
Share clopper_pearson(std::size_t least, std::size_t most, std::size_t trials);

}  // namespace attest
