// The rule `coefficients`: heads that point at tokens.
#include <algorithm>

#include "base/meter.hpp"
#include "base/text.hpp"
#include "kernel/quantities/examples.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {

/// capacity >= |rows|, when the minor at these distinct rows and cols, equally many, of the T x Hd matrix S
/// is not 0 mod the prime p, and no query of an example of the rows that moves is a multiple of another one.
/// Block h of row t of S is the token of t at which head h points; where the query is 0, all coefficients are
/// the same, and it is the sum of all tokens. An example moves when its query is not 0 and its tokens are not
/// all equal.
Fact rules::coefficients(const Step& step) {
  const Problem& problem = step.problem;
  ENSURE(problem.source.layer.has_value(), "a case with [layer]", "none");
  ENSURE(problem.source.layer->convex(), "coefficients that sum to 1", "a sink, or sigmoid ones");
  const std::size_t d = problem.d, H = problem.H;
  const Word p = prime(step["p"]);
  const Minor minor(step, problem.T, checked_size(H, d));
  MovingQueries queries;
  for (const std::size_t t : minor.rows) {
    const auto earlier = queries.add(problem, t);
    ENSURE(!earlier, "queries that are pairwise no multiples of each other",
           "those of the examples " + count(*earlier) + " and " + count(t));
  }
  const Json& pointed = array(step["tokens"], minor.rows.size());
  Matrix image(minor.rows.size(), minor.cols.size());
  std::vector<Word> row(H * d), token(d);
  for (std::size_t k = 0; k < minor.rows.size(); ++k) {
    const std::size_t t = minor.rows[k], n = problem.source.tokens(t);
    const auto read = [&](std::size_t i, Word* entries) {
      residues(Vector(problem.contexts(), problem.source.token_row(t, i) * d, d), p, entries);
    };
    const bool still = is_zero(problem.query(t));
    const Json& heads = array(pointed[k], H);
    std::ranges::fill(row, 0);
    for (std::size_t h = 0; h < H; ++h) {
      const std::size_t at = index(heads[h], n);
      if (!still) read(at, row.data() + h * d);
    }
    for (std::size_t i = 0; still && i < n; ++i) {
      read(i, token.data());
      for (std::size_t j = 0; j < H * d; ++j) row[j] = (row[j] + token[j % d]) % p;
    }
    for (std::size_t j = 0; j < minor.cols.size(); ++j) image[k][j] = row[minor.cols[j]];
    meter().work(2 * H * d);
  }
  return non_singular(step, std::move(image), p);
}

}  // namespace attest::kernel
