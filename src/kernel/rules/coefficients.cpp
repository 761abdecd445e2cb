// The capacity by the tokens: the rules `coefficients`, heads that point at them, and `hulls`.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "kernel/quantities/examples.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {
namespace {

/// Whether these queries, of binary floats or integers, are no multiples of each other because they are none
/// modulo the prime; otherwise nothing is said of them.
bool different_directions(const Problem& problem, const std::vector<std::size_t>& examples, Word p) {
  if (std::holds_alternative<std::vector<Rational>>(problem.queries().storage())) return false;
  const ArrayResidues queries(problem.queries(), p);
  std::set<std::vector<double>> directions;
  for (const std::size_t t : examples) {
    std::vector<double> query(problem.d);
    queries.copy(t * problem.d, problem.d, query.data());
    const auto first = std::ranges::find_if(query, [](double x) { return x != 0; });
    if (first == query.end()) return false;
    const auto scale = static_cast<double>(inverse(static_cast<Word>(*first), p));
    for (double& x : query) x *= scale;
    reduce(query.data(), query.size(), p);
    if (!directions.insert(std::move(query)).second) return false;
  }
  return true;
}

/// Ensures that no query of these examples, which move, is a multiple of another one.
void ensure_non_parallel(const Problem& problem, const std::vector<std::size_t>& examples, Word p) {
  if (different_directions(problem, examples, p)) return;
  MovingQueries queries;
  for (const std::size_t t : examples) {
    const auto earlier = queries.add(problem, t);
    ENSURE(!earlier, "queries that are pairwise no multiples of each other",
           "those of the examples " + count(*earlier) + " and " + count(t));
  }
}

/// Subtracts the columns of the last one's head from those of other heads with the same coordinates, where
/// both are there: which rank the matrix has stays, and where heads point at the same token it gets zeros.
void subtract_head(Matrix& image, const std::vector<std::size_t>& cols, std::size_t d, Word p) {
  std::map<std::size_t, std::size_t> of_last;  // by their coordinates
  for (std::size_t j = 0; j < cols.size(); ++j)
    if (cols[j] / d == cols.back() / d) of_last[cols[j] % d] = j;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t j = 0; j < cols.size(); ++j)
    if (const auto other = of_last.find(cols[j] % d);
        other != of_last.end() && cols[j] / d != cols.back() / d)
      pairs.emplace_back(j, other->second);
  for (std::size_t i = 0; i < image.rows; ++i)
    for (const auto& [j, other] : pairs) {
      const double difference = image[i][j] - image[i][other];
      image[i][j] = difference + (difference < 0 ? static_cast<double>(p) : 0);
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
  std::vector<bool> still(minor.rows.size());
  std::vector<std::size_t> moving;
  for (std::size_t k = 0; k < minor.rows.size(); ++k) {
    still[k] = is_zero(problem.query(minor.rows[k]));
    if (!still[k] && different_tokens(problem, minor.rows[k])) moving.push_back(minor.rows[k]);
  }
  ensure_non_parallel(problem, moving, p);
  const Json& pointed = array(step["tokens"], minor.rows.size());
  const ArrayResidues contexts(problem.contexts(), p);
  Matrix image(minor.rows.size(), minor.cols.size());
  std::vector<double> row(H * d), token(d);
  for (std::size_t k = 0; k < minor.rows.size(); ++k) {
    const std::size_t t = minor.rows[k], n = problem.source.tokens(t);
    const Json& heads = array(pointed[k], H);
    std::ranges::fill(row, 0);
    for (std::size_t h = 0; h < H; ++h) {
      const std::size_t at = index(heads[h], n);
      if (!still[k]) contexts.copy(problem.source.token_row(t, at) * d, d, row.data() + h * d);
    }
    for (std::size_t i = 0; still[k] && i < n; ++i) {
      contexts.copy(problem.source.token_row(t, i) * d, d, token.data());
      for (std::size_t j = 0; j < H * d; ++j) row[j] += token[j % d];
      reduce(row.data(), H * d, p);
    }
    for (std::size_t j = 0; j < minor.cols.size(); ++j) image[k][j] = row[minor.cols[j]];
  }
  subtract_head(image, minor.cols, d, p);
  return non_singular(step, std::move(image), p);
}

/// capacity <= what hulls say of A, which contains the `vectors`, too.
Fact rules::hulls(const Step& step) {
  ENSURE(step.problem.source.layer.has_value(), "a case with [layer]", "none");
  std::vector<Vector> within;
  for (const Json& x : array(step["vectors"])) within.push_back(vector(x, step.problem.d));
  return Fact::at_most("capacity", hulls_of_moving(step.problem, within));
}

}  // namespace attest::kernel
