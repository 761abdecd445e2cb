#include "attention/affine_hull.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "attention/distinct.hpp"
#include "exact/echelon.hpp"
#include "exact/modular.hpp"
#include "exact/residues.hpp"

namespace attest {
namespace {

std::size_t number_of_tokens(const Case& c) {
  return c.layer->context * (c.data.shared_context ? 1 : c.layer->examples);
}

TokenIndex token_index(const Case& c, std::size_t k) {
  return {k / c.layer->context, k % c.layer->context};
}

// Rank profiles mod p of all tokens, with a last column of ones or without. Tokens on which a random
// functional vanishes that vanishes on those before are taken to depend on them: that is wrong once in p
// tokens, which makes the profile smaller, as an unlucky prime does.
MinorIndices token_profiles(const Case& c, bool affine, std::uint64_t p) {
  constexpr std::size_t kBlock = 512;
  const std::size_t d = c.layer->embed_dim, total = number_of_tokens(c), width = d + (affine ? 1 : 0);
  const BalancedResidues mod_p(p);
  Echelon echelon(p, width);
  std::vector<double> block(std::min(total, kBlock) * width), functional, values;
  std::vector<std::size_t> names;
  for (std::size_t first = 0; first < total && echelon.rank() < width; first += kBlock) {
    const std::size_t count = std::min(kBlock, total - first);
    for (std::size_t k = 0; k < count; ++k) {
      if (!mod_p.convert(*c.data.contexts, (first + k) * d, d, &block[k * width]))
        throw std::logic_error("a prime divides a denominator of the contexts");
      if (affine) block[k * width + d] = 1;
    }
    names.clear();
    if (!functional.empty()) {
      values.resize(count);
      blas::multiply(p, count, 1, width, block.data(), width, functional.data(), 1, false, values.data(), 1);
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (!functional.empty() && values[k] == 0) continue;
      if (names.size() < k) std::copy_n(&block[k * width], width, &block[names.size() * width]);
      names.push_back(first + k);
    }
    if (names.empty()) continue;
    echelon.add_rows(block.data(), names);
    functional = echelon.kernel_vector(first);
  }
  return echelon.minor();
}

// The k-th prime below 2^23, counting only those that divide no denominator of the contexts.
std::uint64_t prime_for_contexts(const Case& c, std::size_t k = 0) {
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
  RationalVector v = rational_vector(entries);
  token.large = std::move(v.num);
  token.den = std::move(v.den);
  return token;
}

// Whether v . token = c, for an integer vector v over 1.
bool holds(const Functional& f, const std::vector<std::int64_t>& small_v, const IntegerToken& token) {
  const std::size_t d = f.v.num.size();
  mpz_class sum = 0;
  if (!small_v.empty() && !token.small.empty()) {
    // Below 2^31 times 2^62 times d.
    __extension__ using Wide = __int128;
    Wide wide = 0;
    for (std::size_t j = 0; j < d; ++j) wide += static_cast<Wide>(small_v[j]) * token.small[j];
    const mpz_class high(static_cast<long>(wide >> 62));
    sum = (high << 62) + mpz_class(static_cast<long>(wide & ((Wide{1} << 62) - 1)));
  } else {
    for (std::size_t j = 0; j < d; ++j) {
      if (token.small.empty())
        sum += f.v.num[j] * token.large[j];
      else if (token.small[j] >= 0)
        mpz_addmul_ui(sum.get_mpz_t(), f.v.num[j].get_mpz_t(), static_cast<unsigned long>(token.small[j]));
      else
        mpz_submul_ui(sum.get_mpz_t(), f.v.num[j].get_mpz_t(), static_cast<unsigned long>(-token.small[j]));
    }
  }
  return sum == f.c * f.v.den * token.den;
}

// Whether the functionals are constant on all tokens, of which equal ones are looked at once.
bool hold_everywhere(const Case& c, const std::vector<Functional>& functionals) {
  const std::size_t d = c.layer->embed_dim;
  const std::vector<std::size_t> equal = equal_rows(*c.data.contexts, d);
  std::vector<std::vector<std::int64_t>> small(functionals.size());
  for (std::size_t k = 0; k < functionals.size(); ++k) {
    const std::vector<mpz_class>& v = functionals[k].v.num;
    const bool fits = d < (std::size_t{1} << 31) && std::all_of(v.begin(), v.end(), [](const mpz_class& x) {
                        return mpz_sizeinbase(x.get_mpz_t(), 2) <= 31;
                      });
    for (std::size_t j = 0; j < d && fits; ++j) small[k].push_back(v[j].get_si());
  }
  return std::visit(
      [&](const auto& entries) {
        for (std::size_t t = 0; t < equal.size(); ++t) {
          if (equal[t] != t) continue;
          const IntegerToken token = integer_token(entries.data() + t * d, d);
          for (std::size_t k = 0; k < functionals.size(); ++k)
            if (!holds(functionals[k], small[k], token)) return false;
        }
        return true;
      },
      c.data.contexts->storage());
}

// The hull by the rank profile mod p; empty when p is unlucky, that is when the profile is too small: then a
// functional that is constant on its tokens is not so on some other.
std::optional<AffineHull> hull_by_profile(const Case& c, std::uint64_t p) {
  const std::size_t d = c.layer->embed_dim;
  const MinorIndices minor = token_profiles(c, true, p);
  AffineHull hull{d, false, {}, {}, p};
  if (minor.rank() == d + 1) return hull;
  // The kernel of [E | -1] on the tokens of the profile; verified on all the others.
  RationalMatrix tokens(minor.rank(), d + 1);
  for (std::size_t k = 0; k < minor.rank(); ++k) {
    for (std::size_t j = 0; j < d; ++j) tokens(k, j) = c.data.contexts->at(minor.rows[k] * d + j);
    tokens(k, d) = -1;
  }
  bool linear = true;
  for (const std::vector<mpz_class>& x : right_kernel(tokens)) {
    Functional f;
    f.v.num.assign(x.begin(), x.end() - 1);
    f.c = x.back();
    linear = linear && f.c == 0;
    hull.functionals.push_back(std::move(f));
  }
  if (!hold_everywhere(c, hull.functionals)) return std::nullopt;
  hull.dimension = d - hull.functionals.size();
  hull.linear = linear;
  // The functionals are independent over Q; find a prime that shows it.
  RationalMatrix v(hull.functionals.size(), d);
  for (std::size_t k = 0; k < v.rows(); ++k)
    for (std::size_t j = 0; j < d; ++j) v(k, j) = hull.functionals[k].v.num[j];
  for (std::size_t k = 0;; ++k) {
    ModularMatrix m(v.rows(), d);
    hull.prime = small_prime(k);
    for (std::size_t i = 0; i < v.rows(); ++i)
      for (std::size_t j = 0; j < d; ++j) m(i, j) = *residue(v(i, j), hull.prime);
    if (rank_profiles(m, hull.prime).rank() == v.rows()) return hull;
  }
}

}  // namespace

AffineHull affine_hull(const Case& c) {
  for (std::size_t k = 0;; ++k)  // only finitely many primes are unlucky
    if (auto hull = hull_by_profile(c, prime_for_contexts(c, k))) return std::move(*hull);
}

AffineHull cheapest_affine_hull(const Case& c) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim;
  const std::uint64_t p = prime_for_contexts(c);
  const std::size_t affine_rank = token_profiles(c, true, p).rank();
  if (affine_rank == d + 1) return {d, false, {}, {}, p};
  const bool contains_zero_perhaps = token_profiles(c, false, p).rank() < affine_rank;
  if (c.data.shared_context && affine_rank == n && !contains_zero_perhaps) {
    AffineHull hull{n - 1, false, {}, {}, 0};
    for (std::size_t i = 0; i < n; ++i) hull.tokens.emplace_back(0, i);
    return hull;
  }
  return affine_hull(c);
}

AffineHull affine_hull_below(const Case& c, std::size_t rank) {
  const std::uint64_t p = prime_for_contexts(c);
  const std::size_t affine_rank = token_profiles(c, true, p).rank();
  // The hull has at least dimension affine_rank - 1.
  if (c.layer->heads * (affine_rank - 1) >= rank) return {c.layer->embed_dim, false, {}, {}, p};
  return cheapest_affine_hull(c);
}

TokenMinor token_minor(const Case& c, const AffineHull& hull, bool affine) {
  const std::size_t d = c.layer->embed_dim,
                    rank = hull.dimension + (affine || (!hull.linear && hull.dimension < d) ? 1 : 0);
  for (std::size_t k = 0;; ++k) {  // only finitely many primes are unlucky
    TokenMinor result;
    result.prime = prime_for_contexts(c, k);
    const MinorIndices minor = token_profiles(c, affine, result.prime);
    if (minor.rank() < rank) continue;
    for (std::size_t token : minor.rows) result.tokens.push_back(token_index(c, token));
    result.cols = minor.cols;
    return result;
  }
}

TokenSums token_sums(const Case& c) {
  const std::size_t d = c.layer->embed_dim;
  TokenSums result;
  const std::vector<std::size_t> equal = equal_rows(*c.data.contexts, d);
  for (std::size_t k = 0; k < number_of_tokens(c); ++k) {
    if (equal[k] != k) continue;
    mpq_class sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += c.data.contexts->at(k * d + j);
    if (k == 0) {
      result.sum = sum;
    } else if (sum != result.sum) {
      result.different = {token_index(c, 0), token_index(c, k)};
      return result;
    }
  }
  return result;
}

}  // namespace attest
