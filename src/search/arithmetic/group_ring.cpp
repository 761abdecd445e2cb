#include "search/arithmetic/group_ring.hpp"

#include <flint/fmpz_poly_mat.h>

#include "base/errors.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/owned.hpp"
#include "search/arithmetic/rational.hpp"

namespace attest {

kernel::Attention<kernel::PowerSums> expanded(const kernel::PowerSums& ring,
                                              const std::vector<mpq_class>& logits) {
  for (const mpq_class& x : logits)
    if (ring.two && abs(x) > 1000000)
      throw LimitError("a power of two in the group ring is too large to expand");
  return kernel::attention(ring, logits);
}

std::optional<std::uint64_t> image_of(const RingElement& element, const Character& ch) {
  std::uint64_t sum = 0;
  for (const auto& [x, c] : element) {
    const auto coefficient = residue(c, ch.p), exponent = residue(x, ch.q);
    if (!coefficient || !exponent) return std::nullopt;
    sum = (sum + multiply_mod(*coefficient, power_mod(ch.g, *exponent, ch.p), ch.p)) % ch.p;
  }
  return sum;
}

namespace {

mpz_class common_denominator_of_exponents(const GroupRingMatrix& a) {
  mpz_class d = 1;
  for (const auto& row : a)
    for (const auto& e : row)
      for (const auto& [x, c] : e) mpz_lcm(d.get_mpz_t(), d.get_mpz_t(), x.get_den_mpz_t());
  return d;
}

class PolynomialMatrix {
public:
  PolynomialMatrix(std::size_t rows, std::size_t cols) { fmpz_poly_mat_init(m_, rows, cols); }
  ~PolynomialMatrix() { fmpz_poly_mat_clear(m_); }
  PolynomialMatrix(const PolynomialMatrix&) = delete;
  PolynomialMatrix& operator=(const PolynomialMatrix&) = delete;
  fmpz_poly_mat_struct* get() { return m_; }

private:
  fmpz_poly_mat_t m_;
};

using Kernel = std::vector<std::vector<RingElement>>;

// b is transcendental: with D the common denominator of the exponents the entries are Laurent polynomials in
// b^(1/D).
std::optional<Kernel> transcendental_kernel(const GroupRingMatrix& a, std::size_t cols, const mpz_class& d,
                                            std::size_t degree_limit) {
  PolynomialMatrix m(a.size(), cols), x(cols, cols);
  for (std::size_t i = 0; i < a.size(); ++i) {
    // A row may be multiplied by a unit: the least exponent becomes 0, and denominators go.
    std::optional<mpq_class> least;
    mpz_class den = 1;
    for (const auto& e : a[i])
      for (const auto& [y, c] : e) {
        if (!least || y < *least) least = y;
        mpz_lcm(den.get_mpz_t(), den.get_mpz_t(), c.get_den_mpz_t());
      }
    for (std::size_t j = 0; j < cols; ++j)
      for (const auto& [y, c] : a[i][j]) {
        const mpq_class degree = (y - *least) * d;
        if (degree > degree_limit) return std::nullopt;
        const mpq_class coefficient = c * den;
        OwnedInteger value;
        fmpz_set_mpz(value, coefficient.get_num_mpz_t());
        fmpz_poly_set_coeff_fmpz(fmpz_poly_mat_entry(m.get(), i, j), degree.get_num().get_si(), value);
      }
  }
  const slong nullity = fmpz_poly_mat_nullspace(x.get(), m.get());
  Kernel kernel;
  for (slong k = 0; k < nullity; ++k) {
    std::vector<RingElement> v;
    for (std::size_t j = 0; j < cols; ++j) {
      RingElement e;
      const fmpz_poly_struct* poly = fmpz_poly_mat_entry(x.get(), j, k);
      for (slong t = 0; t < fmpz_poly_length(poly); ++t) {
        mpz_class c;
        fmpz_get_mpz(c.get_mpz_t(), fmpz_poly_get_coeff_ptr(poly, t));
        mpq_class exponent(t, d);
        exponent.canonicalize();
        kernel::PowerSums().add_term(e, c, exponent);
      }
      v.push_back(std::move(e));
    }
    kernel.push_back(std::move(v));
  }
  return kernel;
}

// b = 2: the field K = Q(2^(1/D)) is a vector space of dimension D over Q, on which every entry acts as a D x
// D matrix. The kernel over Q is the kernel over K; vectors that are independent over K are picked under a
// character by the caller.
std::optional<Kernel> algebraic_kernel(const GroupRingMatrix& a, std::size_t cols, const mpz_class& big_d,
                                       std::size_t degree_limit) {
  if (big_d * (a.size() + cols) > degree_limit) return std::nullopt;
  const std::size_t d = big_d.get_ui();
  RationalMatrix m(a.size() * d, cols * d);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < cols; ++j)
      for (const auto& [x, c] : a[i][j]) {
        const mpq_class steps = x * big_d;
        const std::size_t s = steps.get_num().get_ui();  // 0 <= x < 1
        for (std::size_t k = 0; k < d; ++k)              // times 2^(k/D)
          m(i * d + (k + s) % d, j * d + k) += k + s >= d ? mpq_class(2 * c) : c;
      }
  Kernel kernel;
  for (const std::vector<mpz_class>& v : right_kernel(m)) {
    std::vector<RingElement> x;
    for (std::size_t j = 0; j < cols; ++j) {
      RingElement e;
      for (std::size_t k = 0; k < d; ++k) {
        mpq_class exponent(k, d);
        exponent.canonicalize();
        kernel::PowerSums{true}.add_term(e, v[j * d + k], exponent);
      }
      x.push_back(std::move(e));
    }
    kernel.push_back(std::move(x));
  }
  return kernel;
}

}  // namespace

std::optional<Kernel> right_kernel(const GroupRingMatrix& a, std::size_t cols, Ring ring,
                                   std::size_t degree_limit) {
  const mpz_class d = common_denominator_of_exponents(a);
  if (d > degree_limit) return std::nullopt;
  return ring == Ring::two ? algebraic_kernel(a, cols, d, degree_limit)
                           : transcendental_kernel(a, cols, d, degree_limit);
}

}  // namespace attest
