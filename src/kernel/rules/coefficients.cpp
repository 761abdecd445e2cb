// The rule `coefficients`: heads that point at tokens.
#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {
namespace {

/// Whether they are not all equal.
bool varied(const Context& tokens) {
  return std::ranges::any_of(tokens, [&](const Vector& token) { return !(token == tokens[0]); });
}

/// Ensures that no query of these examples that move is a multiple of another one.
void ensure_non_parallel(const Problem& problem, const std::vector<std::size_t>& examples) {
  std::map<std::vector<Integer>, std::size_t> directions;
  for (const std::size_t t : examples) {
    const Vector query = problem.query(t);
    if (is_zero(query) || !varied(problem.context(t))) continue;
    std::vector<Integer> direction = primitive(query).num;
    const auto first = std::ranges::find_if(direction, [](const Integer& x) { return x != 0; });
    if (*first < 0)
      for (Integer& x : direction) x = -x;
    const auto [found, added] = directions.emplace(std::move(direction), t);
    ENSURE(added, "queries that are pairwise no multiples of each other",
           "those of the examples " + count(found->second) + " and " + count(t));
  }
}

}  // namespace

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
  ensure_non_parallel(problem, minor.rows);
  const Json& pointed = array(step["tokens"], minor.rows.size());
  Matrix image(minor.rows.size(), minor.cols.size());
  std::vector<Word> row(H * d), token(d);
  for (std::size_t k = 0; k < minor.rows.size(); ++k) {
    const std::size_t t = minor.rows[k];
    const Context& tokens = problem.context(t);
    const std::size_t n = tokens.size();
    const bool still = is_zero(problem.query(t));
    const Json& heads = array(pointed[k], H);
    std::ranges::fill(row, 0);
    for (std::size_t h = 0; h < H; ++h) {
      const std::size_t at = index(heads[h], n);
      if (!still) residues(tokens[at], p, row.data() + h * d);
    }
    for (std::size_t i = 0; still && i < n; ++i) {
      residues(tokens[i], p, token.data());
      for (std::size_t j = 0; j < H * d; ++j) row[j] = (row[j] + token[j % d]) % p;
    }
    for (std::size_t j = 0; j < minor.cols.size(); ++j) image[k][j] = row[minor.cols[j]];
  }
  return non_singular(step, std::move(image), p);
}

}  // namespace attest::kernel
