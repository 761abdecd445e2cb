// Real numbers with so many bits after the binary point, and what they are off.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "kernel/arithmetic/powers.hpp"

namespace attest::kernel {

/// A real number at most rad from mid, in units 2^-bits for bits that go without saying.
struct Near {
  Integer mid, rad;
};

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 Natural;

/// Real numbers at most `rad` from those of `mid`: with one radius a scalar product costs one product for
/// each entry. As long as two words are enough for each, these take the place of integers.
class NearVector {
public:
  /// Below 2^126, with a sum below 2^127; a radius below 2^62.
  struct Narrow {
    std::vector<Wide> mid;
    unsigned long rad = 0;
    Natural sum = 0, largest = 0;  ///< the sum of the absolute values of `mid`, and the largest
  };

  struct Integers {
    std::vector<Integer> mid;
    Integer rad, sum, largest;
  };

  std::size_t size() const { return narrow_ ? narrow_->mid.size() : wide_.mid.size(); }
  Near operator[](std::size_t k) const;
  const Narrow* narrow() const { return narrow_ ? &*narrow_ : nullptr; }
  /// Of words in `copy`, which was empty.
  const Integers& integers(Integers& copy) const;

  void push_back(Near x);
  void push_back(Wide x, unsigned long r);

private:
  std::optional<Narrow> narrow_ = Narrow();
  Integers wide_;  ///< else
};

/// Numbers with `bits` bits after the binary point. Each result contains what the operation has for any
/// numbers within its operands (docs/mathematics.md, The stack).
class FixedPoint {
public:
  using Vector = NearVector;

  /// Powers are those of the base.
  FixedPoint(Base base, std::size_t bits);

  const std::size_t bits;
  Near exact(const Rational& x) const;
  /// Of every `step`-th entry of the array from `first` on.
  NearVector exact(const ExactArray& array, std::size_t first, std::size_t length,
                   std::size_t step = 1) const;
  /// e^-x for x >= 0.
  Near power(const Integer& x) const;
  Near product(const Near& a, const Near& b) const;
  Near dot(const NearVector& a, const NearVector& b) const;
  static Near sum(const Near& a, const Near& b) { return {a.mid + b.mid, a.rad + b.rad}; }
  static NearVector sum(const NearVector& a, const NearVector& b);
  /// The product of each row, or of those at `index`, with x.
  NearVector products(const std::vector<NearVector>& rows, const NearVector& x,
                      const std::span<const std::uint32_t>* index = nullptr) const;
  /// The sum of these rows, of length d, times `coefficients`, whose mid are not negative.
  NearVector mean(const std::vector<Near>& coefficients, const std::vector<NearVector>& rows,
                  std::span<const std::uint32_t> index, std::size_t d) const;
  /// Precondition: b.mid > b.rad.
  Near quotient(const Near& a, const Near& b) const;
  /// A Failure unless x is shown to be positive; so is the root then.
  Near root(const Near& x) const;
  std::vector<Near> softmax(const NearVector& logits) const;
  /// 1 / (1 + e^-x).
  Near logistic(const Near& x) const;
  Near activation(const std::string& name, const Near& x) const;

private:
  /// From the least to the most that it may be.
  static Near between(const Integer& least, const Integer& most);
  /// Of products, `mid` and `rad` in units 2^(-2 bits).
  Near rounded(Integer mid, Integer rad) const;
  struct Words {
    Wide mid;
    unsigned long rad;
  };
  /// A sum of products, and of what they are off, in units 2^(-2 bits); empty if words are not enough.
  std::optional<Words> rounded(const struct LongSum& mid, const struct LongSum& rad) const;
  std::optional<Words> narrow_dot(const NearVector::Narrow& a, const NearVector::Narrow& b) const;
  std::optional<NearVector> narrow_mean(const std::vector<Near>& coefficients,
                                        const std::vector<NearVector>& rows,
                                        std::span<const std::uint32_t> index, std::size_t d) const;
  std::optional<std::vector<Near>> narrow_softmax(const NearVector& logits) const;
  /// As `power`, of and in units 2^-bits.
  unsigned long narrow_power(unsigned long x) const;

  Base base_;
  Integer one_;
  /// [p][i] is at most 4 units 2^(-bits - 8) below e^(-i 16^p 2^-24); empty: not for so many bits.
  std::vector<std::vector<Integer>> tables_;
  std::vector<std::array<unsigned long, 16>> narrow_tables_;  ///< the same, if one word is enough
};

}  // namespace attest::kernel
