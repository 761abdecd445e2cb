#include "checker/spectrum.hpp"

#include <optional>
#include <utility>

#include "input/meter.hpp"

namespace attest::checker {
namespace {

using Place = std::pair<std::size_t, std::size_t>;

/// One of the diagonal if there is any.
std::optional<Place> nonzero_entry(const RationalMatrix& m) {
  for (std::size_t off = 0; off < m.size(); ++off) {
    for (std::size_t i = 0; i + off < m.size(); ++i) {
      if (m[i][i + off] != 0) return Place{i, i + off};
    }
  }
  return std::nullopt;
}

}  // namespace

RationalMatrix gram(const std::vector<Vector>& rows) {
  const std::size_t height = rows.size(), width = rows.front().size();
  std::vector<Vector> columns;
  for (std::size_t j = 0; height > width && j < width; ++j) {
    std::vector<Rational> column;
    for (const Vector& row : rows) column.push_back(row[j]);
    columns.emplace_back(column);
  }
  const std::vector<Vector>& sides = height > width ? columns : rows;
  RationalMatrix result(sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (const Vector& other : sides) result[i].push_back(dot(sides[i], other));
  }
  return result;
}

EigenvalueCount count_eigenvalues(RationalMatrix m, const Rational& mu) {
  for (std::size_t i = 0; i < m.size(); ++i) m[i][i] -= mu;
  // By Sylvester's law of inertia congruences keep the numbers of positive and of zero eigenvalues. Each
  // round splits off a pivot, in the last row and column, and drops it.
  EigenvalueCount result;
  for (std::optional<Place> place = nonzero_entry(m); place; place = nonzero_entry(m)) {
    const auto [i, j] = *place;
    const std::size_t last = m.size() - 1;
    for (std::size_t k = 0; i != j && k <= last; ++k) m[i][k] += m[j][k];
    for (std::size_t k = 0; i != j && k <= last; ++k) m[k][i] += m[k][j];
    std::swap(m[i], m[last]);
    for (std::vector<Rational>& row : m) std::swap(row[i], row[last]);
    const std::vector<Rational> pivot = std::move(m.back());
    m.pop_back();
    if (pivot[last] > 0) ++result.above;
    for (std::vector<Rational>& row : m) {
      const Rational factor = row[last] / pivot[last];
      for (std::size_t b = 0; b < last; ++b) {
        meter().work(operation_cost(factor, pivot[b]) + operation_cost(row[b], row[b]));
        row[b] -= factor * pivot[b];
      }
      row.pop_back();
    }
  }
  result.equal = m.size();
  return result;
}

}  // namespace attest::checker
