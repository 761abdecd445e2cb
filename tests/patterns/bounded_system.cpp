// Linear forms between bounds: solutions satisfy them, refutations refute them.
#include "search/arithmetic/bounded_system.hpp"

#include <doctest/doctest.h>

#include "base/errors.hpp"
#include "problem/generate.hpp"

using namespace attest;

namespace {

struct System {
  RationalMatrix forms;
  std::vector<BoundedSystem::Bounds> bounds;
};

System random_system(SplitMix64& random) {
  const std::size_t n = 1 + random.below(3), rows = 1 + random.below(6);
  System result{RationalMatrix(rows, n), std::vector<BoundedSystem::Bounds>(n + rows)};
  for (std::size_t i = 0; i < rows * n; ++i) result.forms.data()[i] = static_cast<long>(random.below(7)) - 3;
  for (auto& bounds : result.bounds) {
    const mpq_class lower = static_cast<long>(random.below(7)) - 3,
                    width = static_cast<long>(random.below(3));
    if (random.below(2) == 0) bounds.lower = lower;
    if (random.below(3) == 0) bounds.upper = lower + width;
  }
  return result;
}

/// Requires a solution within the bounds or a refutation; returns whether there is a solution.
bool solve_and_check(BoundedSystem& system, const System& question) {
  const std::size_t n = question.forms.cols();
  double budget = 1e7;
  const auto conflict = system.solve(budget);
  if (!conflict) {
    for (std::size_t i = 0; i < question.forms.rows(); ++i) {
      mpq_class sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += question.forms(i, j) * system.value(j);
      CHECK(sum == system.value(n + i));
    }
    for (std::size_t v = 0; v < question.bounds.size(); ++v) {
      if (question.bounds[v].lower) CHECK(system.value(v) >= *question.bounds[v].lower);
      if (question.bounds[v].upper) CHECK(system.value(v) <= *question.bounds[v].upper);
    }
    return true;
  }
  std::vector<mpq_class> identity(n);
  mpq_class gain = 0;
  for (const auto& [v, factor] : *conflict) {
    for (std::size_t j = 0; j < n; ++j)
      identity[j] += factor * (v < n ? mpq_class(v == j ? 1 : 0) : question.forms(v - n, j));
    const auto& bound = factor > 0 ? question.bounds[v].lower : question.bounds[v].upper;
    REQUIRE(bound.has_value());
    gain += factor * *bound;
  }
  for (const mpq_class& entry : identity) CHECK(entry == 0);
  CHECK(gain > 0);
  return false;
}

}  // namespace

TEST_CASE("random systems are solved or refuted, also after their bounds have changed") {
  SplitMix64 random(1, 1);
  std::size_t solved = 0, refuted = 0;
  for (int round = 0; round < 400; ++round) {
    System question = random_system(random);
    BoundedSystem system(question.forms);
    for (std::size_t v = 0; v < question.bounds.size(); ++v) system.set_bounds(v, question.bounds[v]);
    ++(solve_and_check(system, question) ? solved : refuted);
    const std::size_t v = random.below(question.bounds.size());
    const auto before = question.bounds[v];
    question.bounds[v] = {mpq_class(1), mpq_class(1)};
    system.set_bounds(v, question.bounds[v]);
    const bool narrow = solve_and_check(system, question);
    question.bounds[v] = before;
    system.set_bounds(v, before);
    if (solve_and_check(system, question) < narrow && (!before.lower || *before.lower <= 1) &&
        (!before.upper || *before.upper >= 1))
      FAIL("wider bounds lose a solution");
  }
  CHECK(solved > 50);
  CHECK(refuted > 50);
}

TEST_CASE("a spent budget is a limit") {
  RationalMatrix one(1, 1);
  one(0, 0) = 1;
  BoundedSystem system(one);
  system.set_bounds(1, {mpq_class(1), std::nullopt});
  double budget = 0.5;
  CHECK_THROWS_AS(system.solve(budget), LimitError);
}
