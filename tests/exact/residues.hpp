#pragma once

#include <vector>

#include "search/arithmetic/character.hpp"
#include "search/arithmetic/modular.hpp"
#include "tests/support.hpp"

namespace attest::test {

inline constexpr Ring kRings[] = {Ring::independent, Ring::two};

/// The entries as balanced residues.
inline std::vector<double> balanced(const ModularMatrix& a, std::uint64_t p) {
  std::vector<double> result;
  for (std::size_t i = 0; i < a.rows() * a.cols(); ++i) result.push_back(blas::balanced(a.data()[i], p));
  return result;
}

}  // namespace attest::test
