#include "attention/affine_hull.hpp"

#include "exact/modular.hpp"

namespace attest {
namespace {

std::size_t number_of_tokens(const Case& c) {
  return c.layer->context * (c.data.shared_context ? 1 : c.layer->examples);
}

TokenIndex token_index(const Case& c, std::size_t k) {
  return {k / c.layer->context, k % c.layer->context};
}

// Rank profiles of all tokens, with a last column of ones or without. Many tokens are first thinned out d + 1
// at a time: rows that depend on those before them never enter a row rank profile.
MinorIndices token_profiles(const Case& c, bool affine, std::uint64_t p) {
  const std::size_t d = c.layer->embed_dim, total = number_of_tokens(c), width = d + (affine ? 1 : 0);
  const auto r = residues(*c.data.contexts, p);
  if (!r) throw std::logic_error("a prime divides a denominator of the contexts");
  auto rows_of = [&](const std::vector<std::size_t>& tokens) {
    ModularMatrix m(tokens.size(), width);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      for (std::size_t j = 0; j < d; ++j) m(k, j) = (*r)[tokens[k] * d + j];
      if (affine) m(k, d) = 1;
    }
    return m;
  };
  std::vector<std::size_t> kept;
  MinorIndices minor;
  for (std::size_t next = 0; next < total && kept.size() < width;) {
    std::vector<std::size_t> candidates = kept;
    for (std::size_t k = 0; k < width + 1 && next < total; ++k) candidates.push_back(next++);
    minor = rank_profiles(rows_of(candidates), p);
    kept.clear();
    for (std::size_t row : minor.rows) kept.push_back(candidates[row]);
  }
  minor.rows = kept;
  return minor;
}

// The k-th large prime, counting only those that divide no denominator of the contexts.
std::uint64_t prime_for_contexts(const Case& c, std::size_t k = 0) {
  for (std::size_t candidate = 0;; ++candidate)
    if (residues(*c.data.contexts, large_prime(candidate)) && k-- == 0) return large_prime(candidate);
}

bool holds_everywhere(const Case& c, const Functional& f) {
  const std::size_t d = c.layer->embed_dim;
  for (std::size_t k = 0; k < number_of_tokens(c); ++k) {
    mpq_class sum = 0;
    for (std::size_t j = 0; j < d; ++j)
      if (f.v.num[j] != 0) sum += f.v.num[j] * c.data.contexts->at(k * d + j);
    if (sum != f.c * f.v.den) return false;
  }
  return true;
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
    if (!holds_everywhere(c, f)) return std::nullopt;
    linear = linear && f.c == 0;
    hull.functionals.push_back(std::move(f));
  }
  hull.dimension = d - hull.functionals.size();
  hull.linear = linear;
  // The functionals are independent over Q; find a prime that shows it.
  RationalMatrix v(hull.functionals.size(), d);
  for (std::size_t k = 0; k < v.rows(); ++k)
    for (std::size_t j = 0; j < d; ++j) v(k, j) = hull.functionals[k].v.num[j];
  for (std::size_t k = 0;; ++k) {
    ModularMatrix m(v.rows(), d);
    hull.prime = large_prime(k);
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
  for (std::size_t k = 0; k < number_of_tokens(c); ++k) {
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
