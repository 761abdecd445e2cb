// The rule `hadamard`: no minor of a larger order can be divisible by so many primes.
#include "base/parallel.hpp"
#include "kernel/arithmetic/integer_rank.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {

/// rank(M) <= r = |rows|, less than the rows and the columns of M, when modulo each of the different primes
/// these rows are independent and all others their combinations, so that it divides all minors of order
/// r + 1, and the product of the primes exceeds Hadamard's bound of these.
Fact rules::hadamard(const Step& step) {
  const Family family = matrices(step);
  ENSURE(!family.several, "a matrix", "a family");
  const Rows rows = family.member(0);
  const std::vector<std::size_t> basis = distinct_indices(step["rows"], rows.size());
  ENSURE(basis.size() < std::min(rows.size(), rows.width()), "fewer rows than the matrix has rows or columns",
         count(basis.size()));
  std::vector<Word> primes;
  Integer product = 1;
  for (const Json& each : array(step["primes"])) {
    const Word p = prime(each);
    ENSURE(primes.empty() || p < primes.back(), "primes that decrease", count(p));
    primes.push_back(p);
    product *= p;
  }
  const IntegerMatrix matrix = reduced(rows.exact());
  ENSURE(product * product > hadamard_bound(matrix, basis.size() + 1),
         "primes whose product exceeds Hadamard's bound of the minors of order " + count(basis.size() + 1),
         "a product of " + count(mpz_sizeinbase(product.get_mpz_t(), 2)) + " bits");
  in_parallel(primes.size(), primes.size() * rows.size() * rows.width() * (1 + basis.size() / 8),
              [&](std::size_t k) {
                ENSURE(spanned_by(matrix, basis, primes[k]),
                       "rows that are independent mod p, and all others combinations of them",
                       "others mod " + count(primes[k]));
              });
  return Fact::at_most(step.of, basis.size());
}

}  // namespace attest::kernel
