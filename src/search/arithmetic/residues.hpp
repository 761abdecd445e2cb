// Balanced residues on binary64: integers of absolute value at most (p - 1) / 2, which products and sums of
// binary64 treat exactly while they stay below 2^53.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "problem/exact_array.hpp"

// Compiled for the vectors of x86-64 processors that have them, too: 7 % of the time of `attest rank` for T =
// 621, n = 32, d = 64, H = 20. Not with sanitizers, which are not there yet when the choice is made.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define ATTEST_EACH_VECTOR_UNIT __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ATTEST_EACH_VECTOR_UNIT
#endif

namespace attest {

/// Reduction to balanced residues.
class BalancedReduction {
public:
  /// Throws std::logic_error unless p is odd and 2 < p < 2^24.
  explicit BalancedReduction(std::uint64_t p);

  /// The balanced residue of an integer of absolute value at most `largest()`.
  double operator()(double a) const {
    // Adding and subtracting 1.5 2^52 rounds to an integer, and compilers vectorize it. The quotient is off
    // by less than 1/2 + 2/p, so a - q p is exact and one correction suffices.
    const double q = (a * inverse_ + 0x1.8p52) - 0x1.8p52;
    double r = a - q * p_;
    r = r > half_ ? r - p_ : r;
    return r < -half_ ? r + p_ : r;
  }
  /// Of each of them, and of their products with a factor.
  void all(double* x, std::size_t count) const;
  void all(double* x, std::size_t count, double factor) const;
  double largest() const { return std::min(0x1p53 - 2 * p_, 0x1p50 * p_); }
  /// How many products of balanced residues, and one balanced residue more, sum up to at most `largest()` in
  /// absolute value, in any order.
  std::size_t terms() const { return static_cast<std::size_t>((largest() - half_) / (half_ * half_)); }

private:
  double p_, inverse_, half_;
};

/// x = x - factor y
void subtract_multiple(double* x, const double* y, std::size_t count, double factor);

/// Conversion of exact numbers to balanced residues mod one prime. A binary float costs one or two look-ups
/// of powers of two and one reduction.
class BalancedResidues {
public:
  /// Throws std::logic_error unless p is odd and 2 < p < 2^24. Precondition: p is prime.
  explicit BalancedResidues(std::uint64_t p);

  std::uint64_t prime() const { return p_; }

  /// Precondition: the floats are finite.
  void convert(const float* x, std::size_t count, double* out) const;
  void convert(const double* x, std::size_t count, double* out) const;
  void convert(const std::int64_t* x, std::size_t count, double* out) const;
  /// False when p divides a denominator.
  bool convert(const mpq_class* x, std::size_t count, double* out) const;
  /// Entries first .. first + count - 1 of an array. False when p divides a denominator among them.
  bool convert(const ExactArray& array, std::size_t first, std::size_t count, double* out) const;

private:
  std::uint64_t p_;
  BalancedReduction reduce_;
  struct Tables {
    std::vector<double> single;     ///< of a binary32's last mantissa bit, by sign and exponent
    std::vector<double> low, high;  ///< of a binary64's last and 27th last mantissa bit
  };
  static std::shared_ptr<const Tables> tables(std::uint64_t p);
  std::shared_ptr<const Tables> tables_;  ///< shared by all of one prime
};

/// Whether p divides no denominator of the array. An odd p divides none of a binary float.
bool invertible_denominators(const ExactArray& array, std::uint64_t p);

}  // namespace attest
