#include "search/arithmetic/singular_values.hpp"

#include "search/arithmetic/eigenvalues.hpp"
#include "tests/support.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Matrix<mpz_class> integers(Random& random, std::size_t rows, std::size_t cols, std::size_t rank, long bound) {
  const RationalMatrix product =
      test::product(random.matrix(rows, rank, bound), random.matrix(rank, cols, bound));
  Matrix<mpz_class> result(rows, cols);
  for (std::size_t i = 0; i < rows * cols; ++i) result.data()[i] = product.data()[i].get_num() << 40;
  return result;
}

RationalMatrix gram(const Matrix<mpz_class>& c) {
  RationalMatrix result(c.rows(), c.rows());
  for (std::size_t i = 0; i < c.rows(); ++i)
    for (std::size_t j = 0; j < c.rows(); ++j)
      for (std::size_t k = 0; k < c.cols(); ++k) result(i, j) += c(i, k) * c(j, k);
  return result;
}

// X (C C^T - t I) X^T, or its negative, is strictly diagonally dominant with a positive diagonal.
bool dominant(const std::vector<std::vector<mpz_class>>& x, const RationalMatrix& gram, const mpz_class& t,
              int sign) {
  for (const auto& row : x) {
    mpq_class rest = 0;
    for (const auto& other : x) {
      mpq_class entry = 0;
      for (std::size_t i = 0; i < row.size(); ++i)
        for (std::size_t j = 0; j < row.size(); ++j)
          entry += row[i] * other[j] * (gram(i, j) - (i == j ? mpq_class(t) : mpq_class(0)));
      rest += &row == &other ? mpq_class(-sign * entry) : mpq_class(abs(entry));
    }
    if (rest >= 0) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("singular values are on the sides where eigenvalues of the Gram matrix are, down to tiny numbers") {
  FOR_SEEDS(40, 0) {
    const std::size_t rows = random.between(1, 6), cols = rows + random.below(3),
                      rank = random.between(1, rows);
    const Matrix<mpz_class> c = integers(random, rows, cols, rank, 5);
    const RationalMatrix squares = gram(c);
    const EigenvalueCounter counter(squares);
    for (const unsigned shift : {45u, 43u, 41u, 20u, 1u}) {
      // Not a root of an integer, so no singular value.
      const mpz_class theta = (mpz_class(1) << shift) + 1, square = theta * theta;
      CAPTURE(shift);
      const SpectralSplit split = split_spectrum(c, 0, theta, theta, 0x1p-48);
      CHECK(split.above.size() == counter.above(square));
      CHECK(split.below.size() == rows - counter.at_least(square));
      CHECK(dominant(split.above, squares, square, 1));
      CHECK(dominant(split.below, squares, square, -1));
      CHECK(!split.around.empty());
      for (const SingularValue& value : split.around) {
        CHECK(counter.at_least(value.lower) > value.index);
        CHECK(counter.above(value.upper) <= value.index);
      }
    }
  }
}

TEST_CASE("a singular value that is the number itself is on neither side") {
  Matrix<mpz_class> c(2, 2);
  c(0, 0) = mpz_class(1) << 50;
  c(1, 1) = mpz_class(3) << 50;
  const mpz_class theta = mpz_class(1) << 50;
  const SpectralSplit split = split_spectrum(c, 0, theta, theta, 0x1p-48);
  CHECK(split.above.size() == 1);
  CHECK(split.below.empty());
}

TEST_CASE("numbers far beyond the range of binary64") {
  Matrix<mpz_class> c(2, 3);
  c(0, 0) = mpz_class(1) << 1500;
  c(0, 1) = c(1, 0) = mpz_class(1) << 1499;
  c(1, 2) = mpz_class(1) << 1300;
  const SpectralSplit split = split_spectrum(c, 0, mpz_class(1) << 700, mpz_class(1) << 700, 0x1p-20);
  CHECK(split.above.size() == 2);
}

TEST_CASE("singular values that are 0 beside a number that binary64 does not tell from 0") {
  FOR_SEEDS(20, 0) {
    const std::size_t rows = random.between(2, 6), cols = rows + random.below(3), rank = random.below(rows);
    Matrix<mpz_class> c = integers(random, rows, cols, rank, 5);
    const std::size_t found = attest::rank(gram(c));
    for (std::size_t i = 0; i < rows * cols; ++i) c.data()[i] <<= 1000;
    for (const unsigned shift : {0u, 100u, 1000u, 1200u}) {
      const mpz_class theta = mpz_class(1) << shift;
      CAPTURE(shift);
      const SpectralSplit split = split_spectrum(c, 0, theta, theta, 0x1p-20);
      CHECK(split.above.size() == (shift == 1200 ? 0 : found));
      CHECK(split.below.size() == (shift == 1200 ? rows : rows - found));
      CHECK(dominant(split.above, gram(c), theta * theta, 1));
      CHECK(dominant(split.below, gram(c), theta * theta, -1));
    }
  }
}
