#include "attention/affine_hull.hpp"

#include <algorithm>
#include <optional>

#include "exact/equal_rows.hpp"
#include "exact/modular.hpp"

namespace attest {

AffineHull::AffineHull(const Case& c) : case_(&c) {
  const std::vector<std::size_t> first = first_equal_rows(*c.data.contexts, c.layer->embed_dim);
  for (std::size_t k = 0; k < first.size(); ++k)
    if (first[k] == k) tokens_.push_back(k);
  linear_ = rank_mod(Span::linear, 0);
  affine_ = rank_mod(Span::affine, 0);
}

std::size_t AffineHull::columns(Span span) const {
  return case_->layer->embed_dim + (span == Span::affine ? 1 : 0);
}

std::size_t AffineHull::bound() const {
  const std::size_t H = case_->layer->heads;
  return best() == Span::linear ? H * linear_.minor.rank() : H * (affine_.minor.rank() - 1) + 1;
}

RationalVector AffineHull::row(Span span, std::size_t k) const {
  const std::size_t d = case_->layer->embed_dim;
  std::vector<mpq_class> x;
  for (std::size_t j = 0; j < d; ++j) x.push_back(case_->data.contexts->at(tokens_[k] * d + j));
  if (span == Span::affine) x.emplace_back(1);
  return rational_vector(x);
}

// Many tokens are thinned out a few at a time: rows that depend on those before them never enter a row rank
// profile. The first prime from `first_prime` on that divides no denominator.
AffineHull::TokenRank AffineHull::rank_mod(Span span, std::size_t first_prime) const {
  const std::size_t width = columns(span);
  for (std::size_t k = first_prime;; ++k) {
    TokenRank result;
    result.prime = large_prime(k);
    std::vector<std::size_t>& kept = result.minor.rows;
    bool defined = true;
    for (std::size_t next = 0; next < tokens_.size() && kept.size() < width && defined;) {
      std::vector<std::size_t> candidates = kept;
      for (std::size_t i = 0; i < width + 1 && next < tokens_.size(); ++i) candidates.push_back(next++);
      ModularMatrix m(candidates.size(), width);
      for (std::size_t i = 0; i < candidates.size() && defined; ++i) {
        const RationalVector token = row(span, candidates[i]);
        const std::uint64_t den = mpz_fdiv_ui(token.den.get_mpz_t(), result.prime);
        defined = den != 0;
        const std::uint64_t inverse = defined ? inverse_mod(den, result.prime) : 0;
        for (std::size_t j = 0; j < width; ++j)
          m(i, j) = multiply_mod(mpz_fdiv_ui(token.num[j].get_mpz_t(), result.prime), inverse, result.prime);
      }
      const MinorIndices minor = rank_profiles(m, result.prime);
      kept.clear();
      for (std::size_t i : minor.rows) kept.push_back(candidates[i]);
      result.minor.cols = minor.cols;
    }
    if (defined) return result;
  }
}

bool AffineHull::annihilates(Span span, const std::vector<std::vector<mpz_class>>& vectors) const {
  for (std::size_t k = 0; k < tokens_.size(); ++k) {
    const RationalVector token = row(span, k);
    for (const std::vector<mpz_class>& x : vectors) {
      mpz_class sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j)
        if (x[j] != 0 && token.num[j] != 0) sum += x[j] * token.num[j];
      if (sum != 0) return false;
    }
  }
  return true;
}

std::vector<std::vector<mpz_class>> AffineHull::kernel() {
  // An exact rank may show that the other matrix is the better one: then one of the primes was unlucky.
  for (;;) {
    const Span span = best();
    std::vector<std::vector<mpz_class>> vectors = kernel(span);
    if (best() == span) return vectors;
  }
}

std::vector<std::vector<mpz_class>> AffineHull::kernel(Span span) {
  TokenRank& rank = span == Span::linear ? linear_ : affine_;
  // The kernel of the rows of the minor, verified on all the others: it fails when the prime is unlucky, and
  // only finitely many are.
  for (std::size_t prime = 1;; ++prime) {
    RationalMatrix rows(rank.minor.rank(), columns(span));
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const std::vector<mpq_class> token = entries(row(span, rank.minor.rows[i]));
      std::copy(token.begin(), token.end(), rows.row(i));
    }
    std::vector<std::vector<mpz_class>> vectors = right_kernel(rows);
    if (annihilates(span, vectors)) return vectors;
    rank = rank_mod(span, prime);
  }
}

}  // namespace attest
