#include "search/arithmetic/sampled_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "base/progress.hpp"
#include "problem/generate.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/rational.hpp"
#include "search/arithmetic/residues.hpp"
#include "search/arithmetic/singular_values.hpp"

namespace attest {
namespace {

using Indices = std::vector<std::size_t>;

constexpr std::uint64_t kSubsetStream = 32, kSampleProjectionStream = 33;

// The subsets that are drawn, one after the other.
class Subsets {
public:
  Subsets(const ExactArray& vectors, std::size_t size, std::uint64_t seed) : random_(seed, kSubsetStream) {
    if (vectors.shape().size() != 2)
      throw InputError("vectors", "", "has shape " + shape_text(vectors.shape()), "two dimensions: (m, d)");
    const std::size_t m = vectors.shape()[0];
    if (size < 1 || size > m)
      throw InputError("size", "", "is " + std::to_string(size), "between 1 and " + std::to_string(m));
    size_ = size;
    order_ = range(0, m);
  }

  Indices next() {
    for (std::size_t i = 0; i < size_; ++i)
      std::swap(order_[i], order_[i + random_.below(order_.size() - i)]);
    return {order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(size_)};
  }

private:
  SplitMix64 random_;
  std::size_t size_ = 0;
  Indices order_;
};

// Images of the vectors modulo a prime, in at most `width` dimensions: independent images are those of
// independent vectors.
class Images {
public:
  Images(const ExactArray& vectors, std::size_t width, std::uint64_t p, SplitMix64& random)
      : p_(p), rows_(vectors.shape()[0]), cols_(vectors.shape()[1]), entries_(vectors.size()) {
    meter().work(vectors.size());
    if (!BalancedResidues(p).convert(vectors, 0, vectors.size(), entries_.data()))
      throw InputError("vectors", "", "a denominator is divisible by " + std::to_string(p), "other numbers");
    if (width >= cols_) return;
    std::vector<double> projection(cols_ * width), images(rows_ * width);
    for (double& x : projection) x = blas::balanced(random.below(p), p);
    meter().work(rows_ * width * cols_);
    blas::multiply(p, rows_, width, cols_, entries_.data(), cols_, projection.data(), width, false,
                   images.data(), width);
    entries_ = std::move(images);
    cols_ = width;
  }

  // For many subsets: vectors by their coordinates in a basis of some of them, where there is one. A subset
  // is then independent when those of its vectors that are not in the basis are so, without the coordinates
  // at those that are.
  void choose_basis() {
    if (rows_ < cols_) return;
    std::vector<double> columns(entries_.size());
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < cols_; ++j) columns[j * rows_ + i] = entries_[i * cols_ + j];
    const blas::ReducedEchelon echelon = blas::reduced_echelon(p_, cols_, rows_, columns.data(), rows_);
    if (echelon.cols.size() < cols_) return;
    place_.assign(rows_, cols_);
    for (std::size_t k = 0; k < cols_; ++k) place_[echelon.cols[k]] = k;
    std::fill(entries_.begin(), entries_.end(), 0.0);
    for (std::size_t i = 0, column = 0; i < rows_; ++i) {
      if (place_[i] < cols_) continue;
      for (std::size_t k = 0; k < cols_; ++k)
        entries_[i * cols_ + k] = echelon.rest[k * (rows_ - cols_) + column];
      ++column;
    }
  }

  bool independent(const Indices& subset) const {
    if (subset.size() > cols_) return false;
    Indices vectors, coordinates;
    std::vector<bool> chosen(place_.empty() ? 0 : cols_);
    for (const std::size_t i : subset) {
      if (!place_.empty() && place_[i] < cols_)
        chosen[place_[i]] = true;
      else
        vectors.push_back(i);
    }
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (!chosen[k]) coordinates.push_back(k);
    std::vector<double> a;
    a.reserve(vectors.size() * (place_.empty() ? cols_ : coordinates.size()));
    for (const std::size_t i : vectors) {
      const double* const row = entries_.data() + i * cols_;
      if (place_.empty())
        a.insert(a.end(), row, row + cols_);
      else
        for (const std::size_t k : coordinates) a.push_back(row[k]);
    }
    const std::size_t m = vectors.size(), n = place_.empty() ? cols_ : coordinates.size();
    if (m <= n) meter().work(m * m * n);
    return blas::rows_independent(p_, m, n, a.data());
  }

private:
  std::uint64_t p_;
  std::size_t rows_, cols_;
  std::vector<double> entries_;
  Indices place_;  // of a vector in the basis, or cols_; empty without a basis
};

RationalMatrix rows_of(const ExactArray& vectors, const Indices& rows) {
  const std::size_t d = vectors.shape()[1];
  RationalMatrix a(rows.size(), d);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < d; ++j) a(i, j) = vectors.at(rows[i] * d + j);
  return a;
}

// Whether the relation, whose rows are those of the vectors, holds.
bool holds(const ExactArray& vectors, const RowRelation& r) {
  const std::size_t d = vectors.shape()[1];
  for (std::size_t j = 0; j < d; ++j) {
    mpq_class sum = 0;
    for (std::size_t i = 0; i < r.rows.size(); ++i) sum += r.relation[i] * vectors.at(r.rows[i] * d + j);
    if (sum != 0) return false;
  }
  return !r.rows.empty();
}

enum class Answer { independent, dependent, open };

// Decides subsets that are probably dependent.
class Dependence {
public:
  Dependence(const ExactArray& vectors, double effort) : vectors_(vectors), effort_(effort) {}

  Answer of(const Indices& subset) {
    Indices sorted = subset;
    std::sort(sorted.begin(), sorted.end());
    for (const RowRelation& known : relations_)
      if (std::includes(sorted.begin(), sorted.end(), known.rows.begin(), known.rows.end()))
        return Answer::dependent;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t p = large_prime(k);
      const std::optional<Indices> support = least_support(sorted, p);
      if (!support) return Answer::independent;
      // Elimination with entries that grow with the number of rows.
      const double rows = static_cast<double>(support->size());
      effort_ -= rows * rows * rows * static_cast<double>(vectors_.shape()[1]);
      if (effort_ < 0) return Answer::open;
      std::optional<RowRelation> found = row_relation(rows_of(vectors_, *support));
      if (!found) continue;  // p is unlucky
      for (std::size_t& row : found->rows) row = (*support)[row];
      if (!holds(vectors_, *found)) throw std::logic_error("a relation of rows does not hold");
      relations_.push_back(std::move(*found));
      return Answer::dependent;
    }
    return Answer::open;
  }

  const std::vector<RowRelation>& relations() const { return relations_; }

private:
  // The rows of a shortest relation modulo p among those of a basis; none when the rows are independent.
  std::optional<Indices> least_support(const Indices& rows, std::uint64_t p) const {
    const std::size_t d = vectors_.shape()[1];
    ModularMatrix a(rows.size(), d);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < d; ++j) {
        const auto r = residue(vectors_.at(rows[i] * d + j), p);
        if (!r) throw InputError("vectors", "", "a denominator is divisible by " + std::to_string(p));
        a(i, j) = *r;
      }
    meter().work(rows.size() * rows.size() * d);
    const ModularMatrix kernel = left_kernel(a, p);
    std::optional<Indices> least;
    for (std::size_t k = 0; k < kernel.rows(); ++k) {
      Indices support;
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (kernel(k, i) != 0) support.push_back(rows[i]);
      if (!least || support.size() < least->size()) least = std::move(support);
    }
    return least;
  }

  const ExactArray& vectors_;
  double effort_;
  std::vector<RowRelation> relations_;
};

}  // namespace

SampledRanks sampled_ranks(const ExactArray& vectors, std::size_t count, std::size_t size, std::uint64_t seed,
                           double effort) {
  Subsets subsets(vectors, size, seed);
  SplitMix64 projection(seed, kSampleProjectionStream);
  constexpr std::size_t kMany = 16;  // samples for which a basis pays
  Images images(vectors, size, small_prime(0), projection);
  if (count >= kMany) images.choose_basis();
  std::optional<Images> second;
  Dependence dependence(vectors, effort);
  SampledRanks result;
  for (std::size_t k = 0; k < count; ++k) {
    report_progress("subsets", k, count);
    const Indices subset = subsets.next();
    Answer answer = Answer::independent;
    if (!images.independent(subset)) {
      if (!second) second.emplace(vectors, vectors.shape()[1], small_prime(1), projection);
      if (!second->independent(subset)) answer = dependence.of(subset);
    }
    result.independent += answer == Answer::independent ? 1 : 0;
    result.dependent += answer == Answer::dependent ? 1 : 0;
    result.open += answer == Answer::open ? 1 : 0;
  }
  if (!dependence.relations().empty()) result.witness = dependence.relations().front();
  return result;
}

NumericalRanks sampled_numerical_ranks(const ExactArray& vectors, std::size_t count, std::size_t size,
                                       std::uint64_t seed, const mpq_class& tolerance) {
  constexpr double kDistance = 0x1p-20;
  constexpr long kMostBits = 1 << 14;
  Subsets subsets(vectors, size, seed);
  if (tolerance <= 0) throw InputError("tolerance", "", "is " + tolerance.get_str(), "a number above 0");
  const std::size_t d = vectors.shape()[1];
  // Entries are rounded to multiples of 2^-bits, which moves singular values by little of that distance.
  const auto places = [](const mpz_class& x) { return static_cast<long>(mpz_sizeinbase(x.get_mpz_t(), 2)); };
  const double entries = static_cast<double>(size) * static_cast<double>(d);
  const long bits = std::max(
      0L, places(tolerance.get_den()) - places(tolerance.get_num()) + 2 +
              std::lround(std::log2(entries) / 2 + std::log2(static_cast<double>(std::min(size, d))) + 7 -
                          std::log2(kDistance)));
  if (bits > kMostBits)
    throw InputError("tolerance", "", "is below 2^-" + std::to_string(kMostBits - 200), "a larger number");
  const auto scaled = [bits](const mpq_class& x) {
    mpq_class result;
    mpq_mul_2exp(result.get_mpq_t(), x.get_mpq_t(), static_cast<mp_bitcnt_t>(bits));
    return result;
  };
  const auto down = [](const mpq_class& x) {
    mpz_class result;
    mpz_fdiv_q(result.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
    return result;
  };
  std::vector<mpz_class> rounded(vectors.size());
  meter().work(10 * vectors.size());
  for (std::size_t k = 0; k < vectors.size(); ++k) rounded[k] = down(scaled(vectors.at(k)));
  const mpz_class moved = sqrt(mpz_class(size) * mpz_class(d)) + 1, below = down(scaled(tolerance)),
                  above = below + 1;
  NumericalRanks result;
  for (std::size_t k = 0; k < count; ++k) {
    report_progress("subsets", k, count);
    const Indices subset = subsets.next();
    const bool turned = size > d;
    Matrix<mpz_class> c(turned ? d : size, turned ? size : d);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < d; ++j) (turned ? c(j, i) : c(i, j)) = rounded[subset[i] * d + j];
    const SpectralSplit split = split_spectrum(c, moved, below, above, kDistance);
    if (split.above.size() + split.below.size() == c.rows())
      ++result.subsets[split.above.size()];
    else
      ++result.open;
  }
  return result;
}

}  // namespace attest
