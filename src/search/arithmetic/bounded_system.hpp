// Rational linear inequalities: linear forms between bounds, solved exactly with a refutation where there is
// no solution.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <utility>
#include <vector>

#include "search/arithmetic/rational.hpp"

namespace attest {

/// Free variables x_0 .. x_{n-1} and linear forms x_{n+i} = (row i) . x, each with an optional lower and
/// upper bound. A dense simplex tableau that survives changes of the bounds (Dutertre and de Moura 2006),
/// with Bland's rule, so that it always ends.
class BoundedSystem {
public:
  using Bound = std::optional<mpq_class>;
  /// Factors k_v with sum_v k_v x_v = 0 identically and sum_v k_v (bound of x_v) > 0, the bound being the
  /// lower one where k_v > 0 and the upper one where k_v < 0: no x satisfies the bounds.
  using Conflict = std::vector<std::pair<std::size_t, mpq_class>>;

  explicit BoundedSystem(RationalMatrix forms);

  struct Bounds {
    Bound lower, upper;
  };
  const Bounds& bounds(std::size_t variable) const { return bounds_[variable]; }
  /// Precondition: lower <= upper.
  void set_bounds(std::size_t variable, Bounds bounds);
  /// Makes `value` satisfy all bounds, or returns why that is impossible. The tableau entries that it updates
  /// are taken off `budget`; throws LimitError when that is spent.
  std::optional<Conflict> solve(double& budget);
  const mpq_class& value(std::size_t variable) const { return value_[variable]; }

private:
  bool too_small(std::size_t v) const { return bounds_[v].lower && value_[v] < *bounds_[v].lower; }
  bool too_large(std::size_t v) const { return bounds_[v].upper && value_[v] > *bounds_[v].upper; }
  void move(std::size_t column, const mpq_class& by);
  void pivot(std::size_t row, std::size_t column);

  RationalMatrix tableau_;                     ///< basic variables as forms in the non-basic ones
  std::vector<std::size_t> basic_, nonbasic_;  ///< variables of the rows and columns
  std::vector<std::size_t> place_;             ///< of each variable: its row or column
  std::vector<bool> is_basic_;
  std::vector<Bounds> bounds_;
  std::vector<mpq_class> value_;  ///< non-basic ones are within their bounds
};

}  // namespace attest
