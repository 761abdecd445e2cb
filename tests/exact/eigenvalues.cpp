#include "search/arithmetic/eigenvalues.hpp"

#include "tests/spectra.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("eigenvalues that are known: counts on both sides of each, multiple ones included") {
  const mpq_class tiny("1/1000000000000000000000000000000");
  FOR_SEEDS(60, 0) {
    const std::size_t n = random.between(1, 5);
    std::vector<mpq_class> values;
    for (std::size_t k = 0; k < n; ++k)
      values.push_back(k > 0 && random.one_in(3) ? values[random.below(k)] : random.rational(4, 3));
    const RationalMatrix q = orthogonal(random, n);
    const EigenvalueCounter counter(with_values(q, values, transposed(q)));
    for (const mpq_class& value : values)
      for (const mpq_class& mu : {value, mpq_class(value - tiny), mpq_class(value + tiny), mpq_class(0)}) {
        CAPTURE(mu.get_str());
        const auto count = [&](auto&& holds) {
          return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), holds));
        };
        CHECK(counter.above(mu) == count([&](const mpq_class& x) { return x > mu; }));
        CHECK(counter.at_least(mu) == count([&](const mpq_class& x) { return x >= mu; }));
      }
  }
}

TEST_CASE("random symmetric integer matrices: counts between and beyond the eigenvalues that Arb encloses") {
  FOR_SEEDS(60, 100) {
    const std::size_t n = random.between(1, 6);
    RationalMatrix m(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) m(i, j) = m(j, i) = random.integer(6);
    const EigenvalueCounter counter(m);
    const std::vector<Ball> values = enclosed_eigenvalues(m, 256);
    std::size_t decided = 0;
    for (long k = -400; k <= 400; ++k) {
      const mpq_class mu(2 * k + 1, 20);
      const Ball at(mu, 256);
      std::size_t above = 0, below = 0;
      for (const Ball& x : values) {
        above += arb_gt(x.get(), at.get()) != 0 ? 1 : 0;
        below += arb_lt(x.get(), at.get()) != 0 ? 1 : 0;
      }
      if (above + below < n) continue;
      ++decided;
      CHECK(counter.above(mu) == above);
      CHECK(counter.at_least(mu) == above);
    }
    CHECK(decided > 790);
  }
}

TEST_CASE("the simplest rational of an interval: all smaller denominators miss it") {
  FOR_SEEDS(200, 0) {
    mpq_class low = abs(random.rational(40, 30)), high = abs(random.rational(40, 30));
    if (low == high) high += mpq_class(1, 1000);
    if (low > high) std::swap(low, high);
    const mpq_class simplest = simplest_between(low, high);
    CHECK(low < simplest);
    CHECK(simplest < high);
    for (mpz_class den = 1; den < simplest.get_den(); ++den) {
      mpz_class num;  // the least multiple of 1/den above `low`
      const mpq_class scaled = low * den;
      mpz_fdiv_q(num.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
      CHECK(mpq_class(num + 1) / den >= high);
    }
  }
}
