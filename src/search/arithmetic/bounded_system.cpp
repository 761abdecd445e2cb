#include "search/arithmetic/bounded_system.hpp"

#include "base/errors.hpp"
#include "base/meter.hpp"

namespace attest {

BoundedSystem::BoundedSystem(RationalMatrix forms) : tableau_(std::move(forms)) {
  const std::size_t n = tableau_.cols(), all = n + tableau_.rows();
  bounds_.resize(all);
  value_.resize(all);
  for (std::size_t v = 0; v < all; ++v) {
    is_basic_.push_back(v >= n);
    place_.push_back(v < n ? v : v - n);
    (v < n ? nonbasic_ : basic_).push_back(v);
  }
}

void BoundedSystem::set_bounds(std::size_t variable, Bounds bounds) {
  bounds_[variable] = std::move(bounds);
  if (is_basic_[variable]) return;
  if (too_small(variable)) move(place_[variable], *bounds_[variable].lower - value_[variable]);
  if (too_large(variable)) move(place_[variable], *bounds_[variable].upper - value_[variable]);
}

void BoundedSystem::move(std::size_t column, const mpq_class& by) {
  value_[nonbasic_[column]] += by;
  for (std::size_t i = 0; i < basic_.size(); ++i)
    if (tableau_(i, column) != 0) value_[basic_[i]] += tableau_(i, column) * by;
}

std::optional<BoundedSystem::Conflict> BoundedSystem::solve(double& budget) {
  while (true) {
    // Bland's rule: the first variable outside its bounds leaves, the first that can help enters.
    std::size_t leaving = value_.size();
    for (const std::size_t v : basic_)
      if (v < leaving && (too_small(v) || too_large(v))) leaving = v;
    if (leaving == value_.size()) return std::nullopt;
    const std::size_t row = place_[leaving];
    const bool up = too_small(leaving);
    std::size_t entering = value_.size();
    for (std::size_t j = 0; j < nonbasic_.size(); ++j) {
      const int direction = up ? sgn(tableau_(row, j)) : -sgn(tableau_(row, j));
      const std::size_t v = nonbasic_[j];
      const bool helps = (direction > 0 && (!bounds_[v].upper || value_[v] < *bounds_[v].upper)) ||
                         (direction < 0 && (!bounds_[v].lower || value_[v] > *bounds_[v].lower));
      if (helps && v < entering) entering = v;
    }
    if (entering == value_.size()) {
      Conflict conflict = {{leaving, up ? 1 : -1}};
      for (std::size_t j = 0; j < nonbasic_.size(); ++j)
        if (tableau_(row, j) != 0)
          conflict.emplace_back(nonbasic_[j], up ? mpq_class(-tableau_(row, j)) : tableau_(row, j));
      return conflict;
    }
    budget -= static_cast<double>(value_.size() - nonbasic_.size()) * static_cast<double>(nonbasic_.size());
    if (budget < 0) throw LimitError("too many pivots");
    const mpq_class& target = up ? *bounds_[leaving].lower : *bounds_[leaving].upper;
    const std::size_t column = place_[entering];
    move(column, (target - value_[leaving]) / tableau_(row, column));
    pivot(row, column);
  }
}

void BoundedSystem::pivot(std::size_t row, std::size_t column) {
  const std::size_t rows = tableau_.rows(), cols = tableau_.cols();
  // basic = sum_j a_j nonbasic_j becomes an equation for the variable of `column`.
  const mpq_class inverse = 1 / tableau_(row, column);
  for (std::size_t j = 0; j < cols; ++j)
    if (tableau_(row, j) != 0) tableau_(row, j) *= -inverse;
  tableau_(row, column) = inverse;
  for (std::size_t i = 0; i < rows; ++i) {
    if (i == row || tableau_(i, column) == 0) continue;
    const mpq_class factor = tableau_(i, column);
    meter().work(cols * (16 + mpz_size(factor.get_num_mpz_t()) + mpz_size(factor.get_den_mpz_t())));
    tableau_(i, column) = 0;
    for (std::size_t j = 0; j < cols; ++j)
      if (tableau_(row, j) != 0) tableau_(i, j) += factor * tableau_(row, j);
  }
  std::swap(basic_[row], nonbasic_[column]);
  place_[basic_[row]] = row;
  place_[nonbasic_[column]] = column;
  is_basic_[basic_[row]] = true;
  is_basic_[nonbasic_[column]] = false;
}

}  // namespace attest
