#include "search/affine_hull.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "base/meter.hpp"
#include "base/progress.hpp"
#include "search/arithmetic/echelon.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/residues.hpp"
#include "search/layer.hpp"

namespace attest {
namespace {

// The k-th prime below 2^23, counting only those that divide no denominator of the contexts.
std::uint64_t prime_for_contexts(const Case& c, std::size_t k) {
  for (std::size_t candidate = 0;; ++candidate)
    if (invertible_denominators(*c.data.contexts, small_prime(candidate)) && k-- == 0)
      return small_prime(candidate);
}

// A token over a power of two, or another common denominator, as integers.
struct IntegerToken {
  std::vector<std::int64_t> small;  // when all of them are below 2^62
  std::vector<mpz_class> large;     // otherwise
  mpz_class den = 1;
};

template <class Entry>
IntegerToken integer_token(const Entry* x, std::size_t d) {
  IntegerToken token;
  if constexpr (std::is_floating_point_v<Entry>) {
    int least = std::numeric_limits<int>::max(), most = std::numeric_limits<int>::min();
    for (std::size_t j = 0; j < d; ++j) {
      if (x[j] == 0) continue;
      int exponent = 0;
      std::frexp(x[j], &exponent);
      most = std::max(most, exponent);
      least = std::min(least, exponent - std::numeric_limits<Entry>::digits);
    }
    if (most <= 62 && most - std::min(least, 0) <= 62) {
      const int shift = std::max(0, -least);
      for (std::size_t j = 0; j < d; ++j)
        token.small.push_back(static_cast<std::int64_t>(std::ldexp(static_cast<double>(x[j]), shift)));
      mpz_ui_pow_ui(token.den.get_mpz_t(), 2, static_cast<unsigned long>(shift));
      return token;
    }
  } else if constexpr (std::is_same_v<Entry, std::int64_t>) {
    constexpr std::int64_t bound = std::int64_t{1} << 62;
    if (std::all_of(x, x + d, [](std::int64_t y) { return -bound <= y && y <= bound; })) {
      token.small.assign(x, x + d);
      return token;
    }
  }
  std::vector<mpq_class> entries;
  for (std::size_t j = 0; j < d; ++j) {
    if constexpr (std::is_same_v<Entry, std::int64_t>)
      entries.emplace_back(static_cast<long>(x[j]));
    else
      entries.emplace_back(x[j]);
  }
  RationalVector v = RationalVector(entries);
  token.large = std::move(v.num);
  token.den = std::move(v.den);
  return token;
}

// x, of length d or d + 1; mostly sparse, when coordinates are 0 or equal for all tokens.
struct Functional {
  Functional(const std::vector<mpz_class>& entries, std::size_t d) : x(entries) {
    bool fits = entries.size() < (std::size_t{1} << 31);
    for (std::size_t j = 0; j < d; ++j) {
      if (x[j] == 0) continue;
      support.push_back(j);
      fits = fits && mpz_sizeinbase(x[j].get_mpz_t(), 2) <= 31;
    }
    for (std::size_t k = 0; k < support.size() && fits; ++k) small.push_back(x[support[k]].get_si());
  }

  const std::vector<mpz_class>& x;
  std::vector<std::size_t> support;  // within the first d entries
  std::vector<std::int64_t> small;   // the entries there, when they are below 2^31
};

__extension__ using Wide = __int128;

// The sum of the small entries; below 2^31 times 2^62 times d.
Wide small_value(const Functional& f, const IntegerToken& token) {
  Wide sum = 0;
  for (std::size_t k = 0; k < f.support.size(); ++k)
    sum += static_cast<Wide>(f.small[k]) * token.small[f.support[k]];
  return sum;
}

bool small(const Functional& f, const IntegerToken& token) {
  return f.small.size() == f.support.size() && !token.small.empty();
}

// The value on a token, or on (token, 1) when the functional has an entry more, times token.den.
mpz_class value(const Functional& f, const IntegerToken& token) {
  const std::size_t d = std::max(token.small.size(), token.large.size());
  mpz_class sum;
  if (small(f, token)) {
    const Wide wide = small_value(f, token);
    sum = mpz_class(static_cast<long>(wide >> 62)) << 62;
    sum += mpz_class(static_cast<long>(wide & ((Wide{1} << 62) - 1)));
  } else {
    for (std::size_t j : f.support) {
      if (token.small.empty())
        sum += f.x[j] * token.large[j];
      else if (token.small[j] >= 0)
        mpz_addmul_ui(sum.get_mpz_t(), f.x[j].get_mpz_t(), static_cast<unsigned long>(token.small[j]));
      else
        mpz_submul_ui(sum.get_mpz_t(), f.x[j].get_mpz_t(), static_cast<unsigned long>(-token.small[j]));
    }
  }
  if (f.x.size() > d) sum += f.x[d] * token.den;
  return sum;
}

// Whether the functional is 0 there.
bool vanishes(const Functional& f, const IntegerToken& token) {
  const bool constant = f.x.size() > token.small.size() && f.x.back() != 0;
  return small(f, token) && !constant ? small_value(f, token) == 0 : value(f, token) == 0;
}

}  // namespace

AffineHull::AffineHull(const Case& c) : case_(&c) {
  start(0);
}

std::size_t AffineHull::columns(Span span) const {
  return case_->layer->embed_dim + (span == Span::affine ? 1 : 0);
}

std::size_t AffineHull::size(Span span) {
  look(columns(Span::affine));
  return echelon_->rank_of_leading(columns(span));
}

std::size_t AffineHull::bound(std::size_t known) {
  const std::size_t H = case_->layer->heads;
  known = std::min(known, H * case_->layer->embed_dim);  // more is never found
  // From this affine rank a + 1 on, H a is no less than what is known.
  const std::size_t enough = (known + H - 1) / H + 1;
  look(enough);
  if (echelon_->rank() >= enough) return known;
  return std::min(known, best() == Span::linear ? H * best_rank() : H * (best_rank() - 1) + 1);
}

AffineHull::TokenRank AffineHull::rank(Span span) {
  TokenRank result{echelon_->prime(), minor(span)};
  const std::vector<std::size_t> first = kernel::first_equal(*case_->data.contexts, case_->layer->embed_dim);
  std::vector<std::size_t> number(first.size());  // of the first of equal tokens among the distinct ones
  std::size_t distinct = 0;
  for (std::size_t k = 0; k < first.size(); ++k)
    if (first[k] == k) number[k] = distinct++;
  for (std::size_t& row : result.minor.rows) row = number[first[row]];
  std::sort(result.minor.rows.begin(), result.minor.rows.end());
  return result;
}

// A maximal minor of all tokens. Those that are linearly independent are among the affinely independent ones.
MinorIndices AffineHull::minor(Span span) {
  look(columns(Span::affine));
  const MinorIndices affine = echelon_->minor();
  if (span == Span::affine) return affine;
  const std::size_t d = case_->layer->embed_dim;
  const BalancedResidues mod_p(echelon_->prime());
  std::vector<double> rows(affine.rank() * d);
  for (std::size_t i = 0; i < affine.rank(); ++i)
    mod_p.convert(*case_->data.contexts, affine.rows[i] * d, d, &rows[i * d]);
  Echelon linear(echelon_->prime(), d);
  linear.add_rows(rows.data(), affine.rows);
  return linear.minor();
}

void AffineHull::start(std::size_t prime) {
  echelon_.emplace(prime_for_contexts(*case_, prime), columns(Span::affine));
  next_ = 0;
  functional_.clear();
}

// Looks at tokens until `enough` of them are affinely independent, or all were looked at. Tokens on which a
// random functional vanishes that vanishes on those before are taken to depend on them: that is wrong once in
// p tokens, which makes the rank smaller, as an unlucky prime does.
void AffineHull::look(std::size_t enough) {
  constexpr std::size_t kBlock = 512, kSpare = 20;
  const ExactArray& contexts = *case_->data.contexts;
  const std::size_t d = case_->layer->embed_dim, total = contexts.size() / d, width = echelon_->width();
  enough = std::min(enough, width);
  const std::uint64_t p = echelon_->prime();
  const BalancedResidues mod_p(p);
  std::vector<double> block, values;
  std::vector<std::size_t> names;
  while (next_ < total && echelon_->rank() < enough) {
    std::size_t count = std::min(kBlock, total - next_);
    // As long as most tokens are new, a few more than are missing are enough.
    if (2 * echelon_->rank() >= next_) count = std::min(count, enough - echelon_->rank() + kSpare);
    report_progress("tokens", next_, total);
    block.resize(count * width);
    for (std::size_t k = 0; k < count; ++k) {
      if (!mod_p.convert(contexts, (next_ + k) * d, d, &block[k * width]))
        throw std::logic_error("a prime divides a denominator of the contexts");
      block[k * width + d] = 1;
    }
    names.clear();
    if (!functional_.empty()) {
      values.resize(count);
      blas::multiply(p, count, 1, width, block.data(), width, functional_.data(), 1, false, values.data(), 1);
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (!functional_.empty() && values[k] == 0) continue;
      if (names.size() < k) std::copy_n(&block[k * width], width, &block[names.size() * width]);
      names.push_back(next_ + k);
    }
    if (!names.empty()) {
      echelon_->add_rows(block.data(), names);
      functional_ = echelon_->kernel_vector(next_);
    }
    next_ += count;
  }
}

// Equal tokens are looked at once.
bool AffineHull::hold_everywhere(const std::vector<std::vector<mpz_class>>& functionals) const {
  const std::size_t d = case_->layer->embed_dim;
  const std::vector<std::size_t> first = kernel::first_equal(*case_->data.contexts, d);
  std::vector<Functional> each;
  for (const std::vector<mpz_class>& x : functionals) each.emplace_back(x, d);
  return std::visit(
      [&](const auto& entries) {
        for (std::size_t t = 0; t < first.size(); ++t) {
          if (first[t] != t) continue;
          const IntegerToken token = integer_token(entries.data() + t * d, d);
          if (!std::all_of(each.begin(), each.end(), [&](const Functional& f) { return vanishes(f, token); }))
            return false;
        }
        return true;
      },
      case_->data.contexts->storage());
}

// The kernel of the rows of the minor, verified on all the others: it fails when the prime is unlucky, and
// only finitely many are.
std::vector<std::vector<mpz_class>> AffineHull::kernel() {
  const std::size_t d = case_->layer->embed_dim;
  for (std::size_t prime = 1;; ++prime) {
    const Span span = best();
    if (best_rank() == columns(span)) return {};
    const MinorIndices independent = minor(span);
    RationalMatrix rows(independent.rank(), columns(span));
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (std::size_t j = 0; j < d; ++j) rows(i, j) = case_->data.contexts->at(independent.rows[i] * d + j);
      if (span == Span::affine) rows(i, d) = 1;
    }
    std::vector<std::vector<mpz_class>> functionals = right_kernel(rows);
    if (hold_everywhere(functionals)) return functionals;
    start(prime);
  }
}

std::vector<std::vector<mpz_class>> kernel_of_differences(const Case& c, std::size_t enough) {
  constexpr std::size_t kBlock = 512;
  const ExactArray& contexts = *c.data.contexts;
  const std::size_t d = c.layer->embed_dim;
  const std::size_t T = c.data.shared_context ? 1 : c.layer->examples;
  for (std::size_t prime = 0;; ++prime) {
    const std::uint64_t p = prime_for_contexts(c, prime);
    const BalancedResidues mod_p(p);
    const BalancedReduction reduce(p);
    Echelon echelon(p, d);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;  // rows of the contexts: a token, the first one
    std::vector<double> block, base(d);
    std::vector<std::size_t> names;
    const auto eliminate = [&] {
      echelon.add_rows(block.data(), names);
      block.clear(), names.clear();
    };
    for (std::size_t t = 0; t < T && echelon.rank() < enough; ++t) {
      mod_p.convert(contexts, c.token_row(t, 0) * d, d, base.data());
      for (std::size_t i = 1; i < c.tokens(t); ++i) {
        names.push_back(pairs.size());
        pairs.emplace_back(c.token_row(t, i), c.token_row(t, 0));
        block.resize(block.size() + d);
        double* const row = &block[block.size() - d];
        mod_p.convert(contexts, pairs.back().first * d, d, row);
        for (std::size_t j = 0; j < d; ++j) row[j] = reduce(row[j] - base[j]);
      }
      if (names.size() >= kBlock) eliminate();
    }
    eliminate();
    if (echelon.rank() >= std::min(enough, d)) return {};
    const auto difference = [&](std::size_t k, std::size_t j) {
      return mpq_class(contexts.at(pairs[k].first * d + j) - contexts.at(pairs[k].second * d + j));
    };
    const std::vector<std::size_t> basis = echelon.minor().rows;
    RationalMatrix rows(std::max<std::size_t>(basis.size(), 1), d);  // a row of zeros when there is no other
    for (std::size_t i = 0; i < basis.size(); ++i)
      for (std::size_t j = 0; j < d; ++j) rows(i, j) = difference(basis[i], j);
    std::vector<std::vector<mpz_class>> functionals = right_kernel(rows);
    // An unlucky prime has shown too small a rank.
    std::vector<Functional> each;
    for (const std::vector<mpz_class>& x : functionals) each.emplace_back(x, d);
    const bool hold = std::visit(
        [&](const auto& entries) {
          const auto token = [&](std::size_t row) { return integer_token(entries.data() + row * d, d); };
          std::size_t first_row = 0;
          IntegerToken start;
          std::vector<mpz_class> values;  // on the first token of the context
          for (const auto& [row, its_first] : pairs) {
            meter().work(4 * d);
            if (values.empty() || its_first != first_row) {
              start = token(first_row = its_first);
              values.clear();
              for (const Functional& f : each) values.push_back(value(f, start));
            }
            const IntegerToken other = token(row);
            for (std::size_t k = 0; k < each.size(); ++k)
              if (value(each[k], other) * start.den != values[k] * other.den) return false;
          }
          return true;
        },
        contexts.storage());
    if (hold) return functionals;
  }
}

}  // namespace attest
