// "Every k of these vectors are independent", by going through all subsets in one of two ways.
#pragma once

#include <cstdint>

#include "checker/modular.hpp"

namespace attest::checker {

/// Counts eliminations and throws LimitError when there are too many.
class Work {
public:
  Work(std::uint64_t limit, const char* what, const char* option)
      : limit_(limit), what_(what), option_(option) {}
  void spend(std::uint64_t amount);

private:
  std::uint64_t limit_, spent_ = 0;
  const char* what_;
  const char* option_;
};

/// Whether every subset of k rows is independent mod p: all k-subsets, reusing eliminations. Precondition: k
/// <= rows.
bool subsets_independent(const Matrix& vectors, std::size_t k, Word p, Work& work);

/// The same through the left kernel: every subspace of codimension 1 spanned by its rows holds at most T - k
/// - 1 of them.
bool subsets_independent_dual(const Matrix& vectors, std::size_t k, Word p, Work& work);

}  // namespace attest::checker
