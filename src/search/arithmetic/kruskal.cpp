#include "search/arithmetic/kruskal.hpp"

#include <flint/ulong_extras.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/meter.hpp"
#include "problem/generate.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kProjectionStream = 34;

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

  // The first dependent subset of exactly k rows of length k, given that every subset of k - 1 rows is
  // independent; empty if there is none.
  std::optional<std::vector<std::size_t>> dependent_subset(std::size_t k) {
    chosen_.clear();
    pivots_.clear();
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
    pivots_.resize(depth);
    pivots_.push_back(pivot);
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

  // The first two parallel ones among the rows `first` and on of a level at which all but two columns are 0,
  // or one that is 0.
  std::vector<std::size_t> dependent_pair(const ModularMatrix& m, std::size_t first) const {
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < m.cols(); ++j)
      if (std::find(pivots_.begin(), pivots_.end(), j) == pivots_.end()) columns.push_back(j);
    const std::size_t x = columns.at(0), y = columns.at(1);
    // Slopes y / x, and p where x = 0; all x are inverted together.
    std::vector<std::pair<std::uint64_t, std::size_t>> slopes;
    std::vector<std::uint64_t> products{1};
    meter().work((size() - first + 1) * 40);
    for (std::size_t l = first; l < size(); ++l) {
      if (m(l, x) == 0 && m(l, y) == 0) return {l};
      slopes.emplace_back(p_, l);
      products.push_back(m(l, x) == 0 ? products.back() : multiply_mod(products.back(), m(l, x), p_));
    }
    std::uint64_t inverse = n_invmod(products.back(), p_);
    for (std::size_t k = slopes.size(); k-- > 0;) {
      const std::size_t l = slopes[k].second;
      if (m(l, x) == 0) continue;
      slopes[k].first = multiply_mod(m(l, y), multiply_mod(inverse, products[k], p_), p_);
      inverse = multiply_mod(inverse, m(l, x), p_);
    }
    std::sort(slopes.begin(), slopes.end());
    std::vector<std::size_t> least;
    for (std::size_t k = 1; k < slopes.size(); ++k) {
      std::vector<std::size_t> pair{slopes[k - 1].second, slopes[k].second};
      if (slopes[k - 1].first == slopes[k].first && (least.empty() || pair < least)) least = std::move(pair);
    }
    return least;
  }

  std::optional<std::vector<std::size_t>> extend_to_dependency(std::size_t depth, std::size_t k) {
    const std::size_t first = chosen_.empty() ? 0 : chosen_.back() + 1;
    if (depth + 2 == k) {
      const std::vector<std::size_t> pair = dependent_pair(levels_[depth], first);
      if (pair.empty()) return std::nullopt;
      chosen_.insert(chosen_.end(), pair.begin(), pair.end());
      return chosen_;
    }
    for (std::size_t i = first; i + (k - depth) <= size(); ++i) {
      if (k == 1) {
        if (is_zero(levels_[depth], i)) return std::vector<std::size_t>{i};
        continue;
      }
      chosen_.push_back(i);
      if (!choose(depth, i, i + 1)) return chosen_;
      if (auto found = extend_to_dependency(depth + 1, k)) return found;
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
  std::vector<std::size_t> chosen_, pivots_;
};

// The rows mod p, multiplied with a random matrix where that makes them shorter than they are: independent
// images are those of independent rows.
ModularMatrix images(const ModularMatrix& rows, std::size_t width, std::uint64_t p, std::uint64_t seed) {
  if (width >= rows.cols()) return rows;
  ModularMatrix map(rows.cols(), width), result(rows.rows(), width);
  SplitMix64 random(seed, kProjectionStream);
  for (std::size_t j = 0; j < map.rows() * width; ++j) map.data()[j] = random.below(p);
  meter().work(rows.rows() * rows.cols() * width);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j)
      for (std::size_t k = 0; k < width; ++k)
        result(i, k) = n_addmod(result(i, k), multiply_mod(rows(i, j), map(j, k), p), p);
  return result;
}

// The rows modulo primes below 2^23, for products of matrices.
class SmallResidues {
public:
  explicit SmallResidues(const Matrix<mpz_class>& rows) : rows_(rows) {}

  // The sparsest of the fundamental circuits of the basis that comes first in this order; empty when the rows
  // are independent.
  std::vector<std::size_t> shortest_circuit(const std::vector<std::size_t>& order, std::size_t prime) {
    const std::size_t T = rows_.rows(), d = rows_.cols();
    const std::vector<double>& rows = modulo(prime);
    std::vector<double> columns(d * T);
    for (std::size_t i = 0; i < T; ++i)
      for (std::size_t j = 0; j < d; ++j) columns[j * T + i] = rows[order[i] * d + j];
    const blas::ReducedEchelon echelon = blas::reduced_echelon(small_prime(prime), d, T, columns.data(), T);
    std::vector<bool> in_basis(T);
    for (const std::size_t i : echelon.cols) in_basis[i] = true;
    const std::size_t r = rank_ = echelon.cols.size();
    std::vector<std::size_t> sizes(T - r, 1);
    for (std::size_t k = 0; k < r; ++k)
      for (std::size_t f = 0; f < T - r; ++f) sizes[f] += echelon.rest[k * (T - r) + f] != 0 ? 1 : 0;
    std::vector<std::size_t> circuit;
    if (sizes.empty()) return circuit;
    const auto best = static_cast<std::size_t>(std::min_element(sizes.begin(), sizes.end()) - sizes.begin());
    for (std::size_t i = 0, f = 0; i < T; ++i)
      if (!in_basis[i] && f++ == best) circuit.push_back(order[i]);
    for (std::size_t k = 0; k < r; ++k)
      if (echelon.rest[k * (T - r) + best] != 0) circuit.push_back(order[echelon.cols[k]]);
    std::sort(circuit.begin(), circuit.end());
    return circuit;
  }

  // Of the matrix whose circuits were asked for last.
  std::size_t rank() const { return rank_; }

  bool dependent(const std::vector<std::size_t>& subset, std::size_t prime) {
    const std::size_t d = rows_.cols();
    if (subset.size() > d) return true;
    const std::vector<double>& rows = modulo(prime);
    std::vector<double> a;
    for (const std::size_t i : subset)
      a.insert(a.end(), rows.begin() + static_cast<std::ptrdiff_t>(i * d),
               rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * d));
    return blas::nonsingular_minor(small_prime(prime), subset.size(), d, a.data()).rank() < subset.size();
  }

private:
  const std::vector<double>& modulo(std::size_t prime) {
    std::vector<double>& result = residues_[prime];
    if (!result.empty()) return result;
    const std::uint64_t p = small_prime(prime);
    const std::size_t size = rows_.rows() * rows_.cols();
    meter().work(4 * size);
    result.resize(size);
    for (std::size_t k = 0; k < size; ++k)
      result[k] = blas::balanced(mpz_fdiv_ui(rows_.data()[k].get_mpz_t(), p), p);
    return result;
  }

  const Matrix<mpz_class>& rows_;
  std::map<std::size_t, std::vector<double>> residues_;
  std::size_t rank_ = 0;
};

}  // namespace

KruskalSearch::KruskalSearch(RationalMatrix vectors)
    : vectors_(std::move(vectors)), integers_(primitive_rows(vectors_)) {}

bool KruskalSearch::add_dependency(const std::vector<std::size_t>& subset, KruskalRank& found) const {
  if (subset.size() > found.upper) return true;
  auto relation = row_relation(vectors_, subset);  // it may be dependent mod a prime only
  if (!relation) return false;
  found.upper = relation->rows.size() - 1;
  found.dependency = std::move(relation);
  return true;
}

// Decides whether all subsets of found.lower + 1 vectors are independent, by going through them.
void KruskalSearch::go_through_subsets(KruskalRank& found) {
  const std::size_t k = found.lower + 1;
  const auto known = by_subsets_.find(k);
  if (known != by_subsets_.end()) {
    found = known->second;
    return;
  }
  for (;; ++attempt_) {
    const std::uint64_t p = large_prime(attempt_);
    const auto subset = SubsetSearch(images(residues(integers_, p), k, p, attempt_), p).dependent_subset(k);
    if (subset && !add_dependency(*subset, found)) continue;
    if (!subset) {
      found.lower = k;
      found.prime = p;
      found.method = SubsetMethod::subsets;
    }
    break;
  }
  by_subsets_.emplace(k, found);
}

// One pass decides: the sparsest vector of the left kernel vanishes on the rows of the largest hyperplane.
void KruskalSearch::go_through_hyperplanes(KruskalRank& found) {
  const std::size_t T = vectors_.rows();
  for (; !by_hyperplanes_; ++attempt_) {
    const std::uint64_t p = large_prime(attempt_);
    const ModularMatrix n = transposed(left_kernel(residues(integers_, p), p));
    std::vector<std::size_t> inside, outside;
    SubsetSearch(n, p).largest_hyperplane(n.cols(), inside);
    for (std::size_t i = 0, next = 0; i < T; ++i) {
      if (next < inside.size() && inside[next] == i)
        ++next;
      else
        outside.push_back(i);
    }
    if (!add_dependency(outside, found)) continue;
    found.lower = outside.size() - 1;
    found.prime = p;
    found.method = SubsetMethod::dual;
    by_hyperplanes_ = found;
    return;
  }
  found = *by_hyperplanes_;
}

// What the shortest of some circuits shows; everything when the vectors are independent.
void KruskalSearch::take_circuits(KruskalRank& found) {
  constexpr std::size_t kOrders = 8;
  const std::size_t T = vectors_.rows();
  SmallResidues residues(integers_);
  for (std::size_t first = 0;; ++first) {
    std::vector<std::size_t> shortest, order = range(0, T);
    SplitMix64 random(1, 0);
    for (std::size_t k = 0, prime = first; k < kOrders; ++k) {
      std::vector<std::size_t> circuit = residues.shortest_circuit(order, prime);
      // Some of many numbers are 0 by chance modulo a prime below 2^23.
      while (!circuit.empty() && circuit.size() <= found.upper && !residues.dependent(circuit, prime + 1))
        circuit = residues.shortest_circuit(order, ++prime);
      rank_ = residues.rank();
      if (circuit.empty()) {
        found = {T, T, small_prime(prime), SubsetMethod::dual, std::nullopt, false};
        return;
      }
      if (shortest.empty() || circuit.size() < shortest.size()) shortest = std::move(circuit);
      if (shortest.size() <= found.lower + 1) break;  // none is shorter
      for (std::size_t i = T; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    }
    if (add_dependency(shortest, found)) return;
  }
}

KruskalRank KruskalSearch::up_to(std::size_t target, double budget) {
  const std::size_t T = vectors_.rows(), most = std::min(T, vectors_.cols());
  if (!first_) {
    KruskalRank found;
    found.upper = most;
    // Pairs are compared by sorting.
    while (found.lower < std::min<std::size_t>(2, found.upper)) go_through_subsets(found);
    if (found.lower < found.upper) take_circuits(found);
    first_ = found;
  }
  KruskalRank found = *first_;
  target = std::min(target, most);
  double spent = 0;
  for (std::size_t k = 1; k <= found.lower; ++k) spent += binomial(T, k);
  while (found.lower < std::min(target, found.upper)) {
    const double hyperplanes = binomial(T, T - rank_ - 1);
    if (hyperplanes <= budget && hyperplanes < binomial(T, std::min(target, found.upper))) {
      go_through_hyperplanes(found);
      break;
    }
    spent += binomial(T, found.lower + 1);
    if (spent > budget) {
      found.limited = true;
      break;
    }
    go_through_subsets(found);
  }
  return found;
}

KruskalRank kruskal_rank(const RationalMatrix& vectors, std::size_t target, double budget) {
  return KruskalSearch(vectors).up_to(target, budget);
}

}  // namespace attest
