#include "exact/kruskal.hpp"

#include <flint/ulong_extras.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "exact/modular.hpp"
#include "input/generate.hpp"
#include "input/meter.hpp"

namespace attest {
namespace {

double binomial(std::size_t n, std::size_t k) {
  if (k > n) return 0;
  return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0));
}

// Depth-first search over subsets of the rows of a matrix mod p. Level j holds the rows reduced by the j rows
// chosen so far; choosing one more costs one elimination of the rows behind it, and all subsets that extend
// the choice share it.
class SubsetSearch {
public:
  SubsetSearch(const ModularMatrix& rows, std::uint64_t p) : p_(p), levels_{rows}, chosen_() {}

  // A dependent subset of exactly k rows, given that every subset of k - 1 rows is independent; empty if
  // there is none.
  std::optional<std::vector<std::size_t>> dependent_subset(std::size_t k) {
    chosen_.clear();
    return extend_to_dependency(0, k);
  }

  // The largest number of rows in a subspace of dimension c - 1 that is spanned by rows; the rows span
  // dimension c >= 1. `best` receives the indices of the rows in it.
  std::size_t largest_hyperplane(std::size_t c, std::vector<std::size_t>& best) {
    best.clear();
    chosen_.clear();
    extend_to_hyperplane(0, c, best);
    return best.size();
  }

private:
  std::size_t size() const { return levels_[0].rows(); }

  // Makes level depth + 1 from level depth by eliminating with row i; false when that row is zero.
  bool choose(std::size_t depth, std::size_t i, std::size_t first) {
    if (levels_.size() == depth + 1) levels_.push_back(levels_[0]);
    const ModularMatrix& from = levels_[depth];
    ModularMatrix& to = levels_[depth + 1];
    const std::uint64_t* pivot_row = from.row(i);
    const std::size_t width = from.cols();
    std::size_t pivot = 0;
    while (pivot < width && pivot_row[pivot] == 0) ++pivot;
    if (pivot == width) return false;
    meter().work((size() - first + 1) * (width + 20));
    const std::uint64_t inverse = n_invmod(pivot_row[pivot], p_);
    for (std::size_t l = first; l < size(); ++l) {
      const std::uint64_t factor = multiply_mod(from(l, pivot), inverse, p_);
      const std::uint64_t shoup = n_mulmod_precomp_shoup(factor, p_);
      for (std::size_t j = 0; j < width; ++j)
        to(l, j) = factor == 0 ? from(l, j)
                               : n_submod(from(l, j), n_mulmod_shoup(factor, pivot_row[j], shoup, p_), p_);
    }
    return true;
  }

  static bool is_zero(const ModularMatrix& m, std::size_t i) {
    return std::all_of(m.row(i), m.row(i) + m.cols(), [](std::uint64_t x) { return x == 0; });
  }

  // Whether row l is a multiple of row i, stopping at the first coordinate that says no. Row i is not zero.
  bool parallel(const ModularMatrix& m, std::size_t i, std::size_t l) const {
    std::size_t pivot = 0;
    while (m(i, pivot) == 0) ++pivot;
    for (std::size_t j = 0; j < m.cols(); ++j)
      if (multiply_mod(m(i, pivot), m(l, j), p_) != multiply_mod(m(l, pivot), m(i, j), p_)) return false;
    return true;
  }

  std::optional<std::vector<std::size_t>> extend_to_dependency(std::size_t depth, std::size_t k) {
    const std::size_t first = chosen_.empty() ? 0 : chosen_.back() + 1;
    for (std::size_t i = first; i + (k - depth) <= size(); ++i) {
      chosen_.push_back(i);
      if (k == 1) {
        if (is_zero(levels_[depth], i)) return chosen_;
      } else if (depth + 2 == k) {
        for (std::size_t l = i + 1; l < size(); ++l)
          if (parallel(levels_[depth], i, l)) {
            chosen_.push_back(l);
            return chosen_;
          }
      } else {
        choose(depth, i, i + 1);
        if (auto found = extend_to_dependency(depth + 1, k)) return found;
      }
      chosen_.pop_back();
    }
    return std::nullopt;
  }

  void extend_to_hyperplane(std::size_t depth, std::size_t c, std::vector<std::size_t>& best) {
    if (depth + 1 == c) {
      std::vector<std::size_t> inside;
      for (std::size_t l = 0; l < size(); ++l)
        if (is_zero(levels_[depth], l)) inside.push_back(l);
      if (inside.size() > best.size()) best = std::move(inside);
      return;
    }
    const std::size_t first = chosen_.empty() ? 0 : chosen_.back() + 1;
    for (std::size_t i = first; i < size(); ++i) {
      if (!choose(depth, i, 0)) continue;
      chosen_.push_back(i);
      extend_to_hyperplane(depth + 1, c, best);
      chosen_.pop_back();
    }
  }

  std::uint64_t p_;
  std::vector<ModularMatrix> levels_;
  std::vector<std::size_t> chosen_;
};

ModularMatrix modular_rows(const Matrix<mpz_class>& a, std::uint64_t p) {
  ModularMatrix m(a.rows(), a.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) m(i, j) = mpz_fdiv_ui(a(i, j).get_mpz_t(), p);
  return m;
}

// The circuit of a subset that is dependent mod a prime; empty when it is independent over Q.
std::optional<RowRelation> confirm(const RationalMatrix& vectors, const std::vector<std::size_t>& subset) {
  RationalMatrix rows(subset.size(), vectors.cols());
  for (std::size_t k = 0; k < subset.size(); ++k)
    for (std::size_t j = 0; j < vectors.cols(); ++j) rows(k, j) = vectors(subset[k], j);
  auto relation = row_relation(rows);
  if (relation)
    for (std::size_t& row : relation->rows) row = subset[row];
  return relation;
}

// A short circuit mod p: the sparsest of the fundamental circuits for a few bases.
std::vector<std::size_t> short_circuit(const ModularMatrix& rows, std::uint64_t p) {
  const std::size_t T = rows.rows();
  std::vector<std::size_t> order(T), best;
  std::iota(order.begin(), order.end(), 0);
  SplitMix64 random(1, 0);
  for (int attempt = 0; attempt < 8; ++attempt) {
    ModularMatrix permuted(T, rows.cols());
    for (std::size_t i = 0; i < T; ++i) std::copy_n(rows.row(order[i]), rows.cols(), permuted.row(i));
    const ModularMatrix kernel = left_kernel(permuted, p);
    for (std::size_t k = 0; k < kernel.rows(); ++k) {
      std::vector<std::size_t> support;
      for (std::size_t i = 0; i < T; ++i)
        if (kernel(k, i) != 0) support.push_back(order[i]);
      if (best.empty() || support.size() < best.size()) best = std::move(support);
    }
    for (std::size_t i = T; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  std::sort(best.begin(), best.end());
  return best;
}

}  // namespace

KruskalRank kruskal_rank(const RationalMatrix& vectors, std::size_t target, double budget) {
  const std::size_t T = vectors.rows(), d = vectors.cols();
  const Matrix<mpz_class> integers = primitive_rows(vectors);
  KruskalRank result;
  for (std::size_t attempt = 0;; ++attempt) {  // a prime that makes independent vectors dependent is replaced
    const std::uint64_t p = large_prime(attempt);
    const ModularMatrix rows = modular_rows(integers, p);
    result = {0, std::min(T, d), p, SubsetMethod::subsets, std::nullopt, false};

    const std::size_t rho = rank_profiles(rows, p).rank();
    if (rho == T) {
      result.lower = result.upper = T;
      result.method = SubsetMethod::dual;
      return result;
    }
    bool unlucky = false;
    auto dependent = [&](const std::vector<std::size_t>& subset) {
      auto relation = confirm(vectors, subset);
      if (!relation) {
        unlucky = true;
      } else if (relation->rows.size() <= result.upper) {
        result.upper = relation->rows.size() - 1;
        result.dependency = std::move(relation);
      }
    };
    dependent(short_circuit(rows, p));
    if (unlucky) continue;

    const std::size_t c = T - rho;
    const double dual_cost = binomial(T, c - 1);
    target = std::min(target, std::min(T, d));
    double spent = 0;
    while (result.lower < std::min(target, result.upper) && !result.limited && !unlucky) {
      const std::size_t k = result.lower + 1;
      if (dual_cost <= budget && dual_cost < binomial(T, std::min(target, result.upper))) {
        // One pass decides: the sparsest vector of the left kernel vanishes on the rows of the largest
        // hyperplane.
        const ModularMatrix kernel = left_kernel(rows, p);
        ModularMatrix n(T, c);
        for (std::size_t i = 0; i < T; ++i)
          for (std::size_t j = 0; j < c; ++j) n(i, j) = kernel(j, i);
        std::vector<std::size_t> inside, outside;
        SubsetSearch(n, p).largest_hyperplane(c, inside);
        for (std::size_t i = 0, next = 0; i < T; ++i) {
          if (next < inside.size() && inside[next] == i)
            ++next;
          else
            outside.push_back(i);
        }
        result.lower = outside.size() - 1;
        result.method = SubsetMethod::dual;
        dependent(outside);
        break;
      }
      spent += binomial(T, k);
      if (spent > budget) {
        result.limited = true;
        break;
      }
      if (const auto subset = SubsetSearch(rows, p).dependent_subset(k))
        dependent(*subset);
      else
        result.lower = k;
    }
    if (!unlucky) return result;
  }
}

}  // namespace attest
