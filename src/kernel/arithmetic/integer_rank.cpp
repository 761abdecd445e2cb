#include "kernel/arithmetic/integer_rank.hpp"

#include <algorithm>
#include <functional>

namespace attest::kernel {
namespace {

/// The product of the largest ones, with 1 in place of each 0.
Integer largest_product(std::vector<Integer> numbers, std::size_t count) {
  std::ranges::sort(numbers, std::greater<>());
  Integer product = 1;
  for (std::size_t k = 0; k < count; ++k)
    if (numbers[k] > 1) product *= numbers[k];
  return product;
}

}  // namespace

IntegerMatrix reduced(const std::vector<Vector>& rows) {
  IntegerMatrix result;
  for (const Vector& row : rows) result.push_back(primitive(row).num);
  for (std::size_t j = 0; !result.empty() && j < result.front().size(); ++j) {
    Integer common;
    for (const std::vector<Integer>& row : result) common = gcd(common, row[j]);
    for (std::vector<Integer>& row : result)
      if (common > 1) row[j] /= common;
  }
  return result;
}

Integer hadamard_bound(const IntegerMatrix& matrix, std::size_t order) {
  std::vector<Integer> rows(matrix.size()), columns(matrix.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Integer& entry = matrix[i][j];
      const Integer square = entry * entry;
      rows[i] += square;
      columns[j] += square;
    }
  return std::min(largest_product(std::move(rows), order), largest_product(std::move(columns), order));
}

bool spanned_by(const IntegerMatrix& matrix, const std::vector<std::size_t>& rows, Word p) {
  std::vector<std::size_t> order = rows;
  std::vector<bool> leading(matrix.size());
  for (const std::size_t i : rows) leading[i] = true;
  for (std::size_t i = 0; i < matrix.size(); ++i)
    if (!leading[i]) order.push_back(i);
  Matrix image(matrix.size(), matrix.front().size());
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t j = 0; j < image.cols; ++j)
      image[k][j] = static_cast<double>(mpz_fdiv_ui(matrix[order[k]][j].get_mpz_t(), p));
  return first_rows_span(std::move(image), rows.size(), p);
}

}  // namespace attest::kernel
