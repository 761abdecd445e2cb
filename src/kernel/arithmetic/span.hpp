// Spaces of rational vectors.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/arithmetic/exact.hpp"

namespace attest::kernel {

/// A basis of a space of rational vectors.
class Span {
public:
  explicit Span(std::size_t d) : d_(d) {}
  std::size_t dimension() const { return rows_.size(); }
  const std::vector<Vector>& basis() const { return basis_; }
  void add(const Vector& given) {
    if (rows_.size() == d_) return;
    Vector v = primitive(given);
    for (const auto& [pivot, row] : rows_) {
      if (v.num[pivot] == 0) continue;
      v = primitive(combination({Rational(row.num[pivot]), Rational(-v.num[pivot])}, {v, row}));
    }
    const auto leading = std::ranges::find_if(v.num, [](const Integer& x) { return x != 0; });
    if (leading == v.num.end()) return;
    rows_.emplace_back(leading - v.num.begin(), std::move(v));
    basis_.push_back(primitive(given));
  }
  void add(const Span& other) {
    for (const Vector& v : other.basis_) add(v);
  }
  /// The images under x -> x M of the matrix (height, width) of an array from `first` on.
  void add_images(const Span& of, const ExactArray& m, std::size_t first) {
    for (const Vector& v : of.basis_) {
      std::vector<Vector> rows;
      for (std::size_t i = 0; i < v.size(); ++i) rows.emplace_back(m, first + i * d_, d_);
      add(combination(v, rows));
    }
  }

  /// A basis of the functionals that are 0 on the space.
  std::vector<Vector> annihilators() const {
    std::vector<Vector> result;
    std::vector<bool> leading(d_);
    for (const auto& [pivot, row] : rows_) leading[pivot] = true;
    for (std::size_t free = 0; free < d_; ++free) {
      if (leading[free]) continue;
      std::vector<Rational> x(d_);
      x[free] = 1;
      for (std::size_t k = rows_.size(); k-- > 0;) {
        const auto& [pivot, row] = rows_[k];
        x[pivot] = -dot(row, Vector(x)) / row[pivot];
      }
      result.emplace_back(x);
    }
    return result;
  }

private:
  std::size_t d_;
  std::vector<std::pair<std::size_t, Vector>> rows_;  ///< with the place of an entry that later ones have 0
  std::vector<Vector> basis_;
};

}  // namespace attest::kernel
