// Dense row-major matrices of exact entries.
#pragma once

#include <cstddef>
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

/// The rows and columns of a matrix that a minor uses.
struct MinorIndices {
  std::vector<std::size_t> rows, cols;
  std::size_t rank() const { return rows.size(); }
};

}  // namespace attest
