// Dense row-major matrices of exact entries.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace attest {

template <class T>
class Matrix {
public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), entries_(rows * cols) {}

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  T& operator()(std::size_t i, std::size_t j) { return entries_[i * cols_ + j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return entries_[i * cols_ + j]; }
  T* row(std::size_t i) { return entries_.data() + i * cols_; }
  const T* row(std::size_t i) const { return entries_.data() + i * cols_; }
  T* data() { return entries_.data(); }
  const T* data() const { return entries_.data(); }

private:
  std::size_t rows_ = 0, cols_ = 0;
  std::vector<T> entries_;
};

template <class T>
Matrix<T> transposed(const Matrix<T>& a) {
  Matrix<T> result(a.cols(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) result(j, i) = a(i, j);
  return result;
}

/// first, first + 1, ..., end - 1.
inline std::vector<std::size_t> range(std::size_t first, std::size_t end) {
  std::vector<std::size_t> result(end - first);
  std::iota(result.begin(), result.end(), first);
  return result;
}

/// These rows and columns, in this order.
template <class T>
Matrix<T> submatrix(const Matrix<T>& a, const std::vector<std::size_t>& rows,
                    const std::vector<std::size_t>& cols) {
  Matrix<T> result(rows.size(), cols.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < cols.size(); ++j) result(i, j) = a(rows[i], cols[j]);
  return result;
}
template <class T>
Matrix<T> submatrix(const Matrix<T>& a, const std::vector<std::size_t>& rows) {
  return submatrix(a, rows, range(0, a.cols()));
}

/// The rows and columns of a matrix that a minor uses.
struct MinorIndices {
  std::vector<std::size_t> rows, cols;
  std::size_t rank() const { return rows.size(); }
};

}  // namespace attest
