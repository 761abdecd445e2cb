#include "search/affine_hull.hpp"

#include <algorithm>
#include <cmath>

#include "search/arithmetic/modular.hpp"
#include "tests/attention/case_of.hpp"
#include "tests/support.hpp"

using namespace attest;
using test::case_of;
using test::Random;

namespace {

// The functionals, as rows; they vanish on all (token, 1), or tokens.
RationalMatrix checked_kernel(const Case& c, AffineHull& hull) {
  const std::size_t d = c.layer->embed_dim;
  const std::vector<std::vector<mpz_class>> kernel = hull.kernel();
  const std::size_t width = hull.columns(hull.best());
  CHECK(kernel.size() == width - hull.best_rank());
  RationalMatrix rows(kernel.size(), width);
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    REQUIRE(kernel[k].size() == width);
    for (std::size_t j = 0; j < width; ++j) rows(k, j) = kernel[k][j];
    for (std::size_t t = 0; t < c.data.contexts->size(); t += d) {
      mpq_class sum = width > d ? mpq_class(kernel[k][d]) : mpq_class(0);
      for (std::size_t j = 0; j < d; ++j) sum += kernel[k][j] * c.data.contexts->at(t + j);
      CHECK(sum == 0);
    }
  }
  CHECK(test::textbook_rank(rows) == kernel.size());
  return rows;
}

}  // namespace

TEST_CASE("ranks, minors and kernels of random tokens, in every storage") {
  FOR_SEEDS(60, 0) {
    const std::size_t T = random.between(1, 6), n = random.between(1, 4), d = random.between(1, 5), H = 3;
    // Few points, in the span of even fewer.
    const std::size_t points = random.between(1, 6), span = random.between(1, d);
    std::vector<std::int64_t> tokens;
    for (std::size_t k = 0; k < points; ++k)
      for (std::size_t j = 0; j < d; ++j)
        tokens.push_back(j < span ? random.integer(3) : random.one_in(2) ? 1 : tokens[k * d]);
    std::vector<std::int64_t> contexts;
    for (std::size_t k = 0; k < T * n; ++k) {
      const auto token = tokens.begin() + static_cast<std::ptrdiff_t>(random.below(points) * d);
      contexts.insert(contexts.end(), token, token + static_cast<std::ptrdiff_t>(d));
    }
    std::vector<std::vector<std::int64_t>> distinct;
    for (std::size_t k = 0; k < contexts.size(); k += d) {
      const std::vector<std::int64_t> token(&contexts[k], &contexts[k] + d);
      if (std::find(distinct.begin(), distinct.end(), token) == distinct.end()) distinct.push_back(token);
    }
    std::vector<mpq_class> thirds;
    for (std::int64_t x : contexts) thirds.emplace_back(static_cast<long>(x), 3);
    for (mpq_class& x : thirds) x.canonicalize();
    const ExactArray::Storage storages[] = {contexts, std::vector<double>(contexts.begin(), contexts.end()),
                                            std::vector<float>(contexts.begin(), contexts.end()), thirds};
    for (std::size_t s = 0; s < 4; ++s) {
      const Case c = case_of(T, n, d, H, storages[s]);
      AffineHull hull(c);
      std::size_t ranks[2] = {0, 0};
      for (const Span which : {Span::linear, Span::affine}) {
        RationalMatrix m(distinct.size(), hull.columns(which));
        for (std::size_t k = 0; k < m.rows(); ++k) {
          for (std::size_t j = 0; j < d; ++j)
            m(k, j) = mpq_class(static_cast<long>(distinct[k][j])) / (s == 3 ? 3 : 1);
          if (which == Span::affine) m(k, d) = 1;
        }
        const AffineHull::TokenRank found = hull.rank(which);
        const std::size_t rank = test::textbook_rank(m);
        ranks[which == Span::affine ? 1 : 0] = rank;
        REQUIRE(found.minor.rank() == rank);
        CHECK(std::is_sorted(found.minor.rows.begin(), found.minor.rows.end()));
        RationalMatrix minor(rank, rank);
        for (std::size_t i = 0; i < rank; ++i)
          for (std::size_t j = 0; j < rank; ++j) minor(i, j) = m(found.minor.rows[i], found.minor.cols[j]);
        CHECK(test::textbook_rank(minor) == rank);
      }
      const bool linear = ranks[0] < ranks[1];
      CHECK(hull.best() == (linear ? Span::linear : Span::affine));
      const std::size_t bound = linear ? H * ranks[0] : H * (ranks[1] - 1) + 1;
      CHECK(hull.bound() == bound);
      for (std::size_t known = 0; known <= H * d + 1; ++known) {
        AffineHull hasty(c);
        CHECK(hasty.bound(known) == std::min(known, bound));
        CHECK(hasty.bound() == bound);  // looks at the rest
        CHECK(hasty.best_rank() == hull.best_rank());
      }
      checked_kernel(c, hull);
    }
  }
}

TEST_CASE("functionals of binary tokens are verified exactly, whatever their exponents") {
  // The sum of the entries is 1; in one token it is off by 2^-52, or by a subnormal number, or not at all.
  for (const double off : {0.0, 0x1p-52, 5e-324, 0x1p-1022}) {
    std::vector<double> contexts;
    const std::size_t T = 700, d = 3;
    for (std::size_t t = 0; t < T; ++t) {
      const double x = static_cast<double>(t % 37) / 64, y = static_cast<double>(t % 53) / 1024;
      contexts.insert(contexts.end(), {x, y, 1 - x - y});
    }
    contexts[3 * 600] = off;
    contexts[3 * 600 + 1] = 0.25;
    contexts[3 * 600 + 2] = 0.75;
    const Case c = case_of(T, 1, d, 2, contexts);
    AffineHull hull(c);
    CAPTURE(off);
    checked_kernel(c, hull);
    CHECK(hull.best() == (off == 0 ? Span::affine : Span::linear));
    CHECK(hull.best_rank() == 3);
    CHECK(hull.bound() == (off == 0 ? 5 : 6));
  }
  // A functional with long entries, tokens with short ones: (2^80, 1) x = 2^80 + 2^-30.
  const Case wide = case_of(2, 1, 2, 1, std::vector<double>{1, 0x1p-30, 0, 0x1p80 + 0x1p-30});
  AffineHull hull(wide);
  checked_kernel(wide, hull);
  CHECK(hull.bound() == 2);
}

TEST_CASE("a prime that divides differences of tokens is replaced: kernels and ranks are exact") {
  // Mod the first prime all tokens are (1, 0); over Q they span the plane.
  const auto p = static_cast<std::int64_t>(small_prime(0));
  const Case c = case_of(3, 1, 2, 2, std::vector<std::int64_t>{1, 0, 1 + p, 0, 1, p});
  AffineHull hull(c);
  CHECK(hull.bound() == 1);
  CHECK(checked_kernel(c, hull).rows() == 0);
  CHECK(hull.bound() == 4);
  CHECK(hull.rank(Span::linear).minor.rank() == 2);
  CHECK(hull.rank(Span::affine).minor.rank() == 3);
}

TEST_CASE("a prime that divides a denominator of the tokens is passed over") {
  const std::uint64_t p = small_prime(0);
  const Case c = case_of(2, 1, 1, 2, std::vector<mpq_class>{mpq_class(1, p), 2});
  CHECK(AffineHull(c).rank(Span::linear).prime == small_prime(1));
  CHECK(AffineHull(c).bound() == 2);
}

TEST_CASE("functionals that are constant on each context, whatever the entries") {
  const auto check = [](const Case& c, std::size_t rank) {
    const std::size_t d = c.layer->embed_dim, n = c.layer->context;
    const auto found = kernel_of_differences(c, d);
    REQUIRE(found.size() == d - rank);
    RationalMatrix rows(found.size(), d);
    for (std::size_t k = 0; k < found.size(); ++k) {
      for (std::size_t j = 0; j < d; ++j) rows(k, j) = found[k][j];
      for (std::size_t i = 0; i < c.layer->examples * n; ++i) {
        mpq_class sum = 0;
        for (std::size_t j = 0; j < d; ++j)
          sum += found[k][j] * (c.data.contexts->at(i * d + j) - c.data.contexts->at(i / n * n * d + j));
        CHECK(sum == 0);
      }
    }
    CHECK(test::textbook_rank(rows) == found.size());
  };
  FOR_SEEDS(20, 0) {
    const std::size_t T = random.between(1, 6), n = random.between(2, 4), d = random.between(4, 7);
    // One context, translated; translations of any size, so that tokens have other denominators.
    std::vector<mpq_class> rationals;
    std::vector<double> doubles;
    std::vector<std::int64_t> integers;
    RationalMatrix context(n, d), differences(n - 1, d);
    for (std::size_t k = 0; k < n * d; ++k) context.data()[k] = random.integer(2);
    for (std::size_t i = 1; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j) differences(i - 1, j) = context(i, j) - context(0, j);
    for (std::size_t t = 0; t < T; ++t) {
      std::vector<mpq_class> shift;
      std::vector<long> power;
      for (std::size_t j = 0; j < d; ++j)
        shift.push_back(random.rational(9, 5)), power.push_back(random.integer(20));
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < d; ++j) {
          rationals.push_back(context(i, j) + shift[j]);
          const double entry = context(i, j).get_d();
          doubles.push_back(entry + std::ldexp(1.0, static_cast<int>(power[j])));
          integers.push_back(static_cast<std::int64_t>(entry) + (std::int64_t{1} << 40) * power[j]);
        }
    }
    const std::size_t rank = test::textbook_rank(differences);
    check(case_of(T, n, d, 1, rationals), rank);
    check(case_of(T, n, d, 1, doubles), rank);
    check(case_of(T, n, d, 1, integers), rank);
  }
  // Differences that are 0 modulo the first prime; entries of many magnitudes, which are no machine integers.
  const auto p = static_cast<std::int64_t>(small_prime(0));
  check(case_of(2, 2, 3, 1, std::vector<std::int64_t>{0, 0, 0, p, 0, 0, 5, 5, 5, 5 + p, 5 + p, 5}), 2);
  check(case_of(2, 2, 3, 1, std::vector<double>{0x1p-80, 0, 0, 0x1p-80, 1, 1, 0, 0x1p90, 0, 0, 0, 0x1p90}),
        2);
  check(case_of(2, 2, 3, 1, std::vector<double>{0, 0, 1, 0x1p-80, 0, 1, 0, 0, 5, 0x1p90, 0, 5}), 1);
}
