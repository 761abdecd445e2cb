// The paper's sampling test: are random subsets of vectors linearly independent, exactly and numerically?
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "problem/exact_array.hpp"
#include "search/arithmetic/rational.hpp"

namespace attest {

/// How many subsets were proved to be independent and dependent, and how many were left open; of the first
/// dependent one the relation of its rows that was found.
struct SampledRanks {
  std::size_t independent = 0, dependent = 0, open = 0;
  std::optional<RowRelation> witness;
};

/// Draws `count` subsets of `size` of the rows of `vectors` (m, d), uniformly (SplitMix64 from `seed`; the
/// first `size` places of a Fisher-Yates shuffle), and decides for each whether its rows are linearly
/// independent over the rationals. Independence modulo a prime is a proof of it. Dependence is confirmed by
/// an exact relation, which is verified by multiplication; one relation settles every subset that contains
/// its rows. At most about `effort` operations go into finding a relation; subsets that need more are
/// counted as open. Throws InputError unless `vectors` has two dimensions and 1 <= size <= m.
SampledRanks sampled_ranks(const ExactArray& vectors, std::size_t count, std::size_t size, std::uint64_t seed,
                           double effort);

/// How many subsets have which numerical rank, the number of singular values above a tolerance; `open`: some
/// are too close to it (their square within 2^-20 of the tolerance's, relatively).
struct NumericalRanks {
  std::map<std::size_t, std::size_t> subsets;  ///< by rank
  std::size_t open = 0;
};

/// The same subsets. Singular vectors in binary64 are guesses; that as many singular values are above and
/// below is shown with integers, by diagonal dominance (singular_values.hpp), for vectors that are not
/// rounded. Throws InputError as sampled_ranks, and unless 0 < tolerance.
NumericalRanks sampled_numerical_ranks(const ExactArray& vectors, std::size_t count, std::size_t size,
                                       std::uint64_t seed, const mpq_class& tolerance);

}  // namespace attest
