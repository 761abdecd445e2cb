#include "checker/spectrum.hpp"

#include "input/meter.hpp"

namespace attest::checker {
namespace {

using IntegerMatrix = std::vector<std::vector<Integer>>;

/// Coefficients of det(x I - M), constant term first, by the recursion of Faddeev and Le Verrier.
std::vector<Integer> characteristic_polynomial(const IntegerMatrix& matrix) {
  const std::size_t size = matrix.size();
  std::vector<Integer> coefficients(size + 1);
  coefficients[size] = 1;
  IntegerMatrix auxiliary(size, std::vector<Integer>(size));
  for (std::size_t k = 1; k <= size; ++k) {
    for (std::size_t i = 0; i < size; ++i) auxiliary[i][i] += coefficients[size - k + 1];
    IntegerMatrix product(size, std::vector<Integer>(size));
    Integer trace;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t l = 0; l < size; ++l) {
        if (matrix[i][l] == 0) continue;
        for (std::size_t j = 0; j < size; ++j) {
          meter().work(1 + mpz_size(matrix[i][l].get_mpz_t()) * mpz_size(auxiliary[l][j].get_mpz_t()));
          mpz_addmul(product[i][j].get_mpz_t(), matrix[i][l].get_mpz_t(), auxiliary[l][j].get_mpz_t());
        }
      }
      trace += product[i][i];
    }
    coefficients[size - k] = -trace / static_cast<unsigned long>(k);  // the division is exact
    auxiliary = std::move(product);
  }
  return coefficients;
}

}  // namespace

RationalMatrix gram(const std::vector<Vector>& rows) {
  const std::size_t height = rows.size(), width = rows.front().size();
  std::vector<Vector> columns;
  for (std::size_t j = 0; height > width && j < width; ++j) {
    std::vector<Rational> column;
    for (const Vector& row : rows) column.push_back(row[j]);
    columns.emplace_back(column);
  }
  const std::vector<Vector>& sides = height > width ? columns : rows;
  RationalMatrix result(sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (const Vector& other : sides) result[i].push_back(dot(sides[i], other));
  }
  return result;
}

EigenvalueCount count_eigenvalues(const RationalMatrix& symmetric, const Rational& mu) {
  // M - mu I, times a positive common denominator: the signs of the eigenvalues stay.
  Integer common = mu.get_den();
  for (const auto& row : symmetric) {
    for (const Rational& entry : row) {
      meter().work(1 + mpz_size(common.get_mpz_t()) * mpz_size(entry.get_den_mpz_t()) / 4);
      common = lcm(common, entry.get_den());
    }
  }
  IntegerMatrix shifted(symmetric.size());
  for (std::size_t i = 0; i < symmetric.size(); ++i) {
    for (std::size_t j = 0; j < symmetric.size(); ++j) {
      Rational entry = symmetric[i][j];
      if (i == j) entry -= mu;
      meter().work(1 + mpz_size(common.get_mpz_t()) *
                           (mpz_size(entry.get_num_mpz_t()) + mpz_size(entry.get_den_mpz_t())) / 4);
      shifted[i].push_back(entry.get_num() * (common / entry.get_den()));
    }
  }
  // All roots are real, so the number of sign changes is that of the positive roots.
  EigenvalueCount count;
  int sign = 0;
  for (const Integer& coefficient : characteristic_polynomial(shifted)) {
    if (coefficient == 0) {
      if (sign == 0) ++count.equal;
      continue;
    }
    if (sign == -sgn(coefficient)) ++count.above;
    sign = sgn(coefficient);
  }
  return count;
}

}  // namespace attest::checker
