#include "search/arithmetic/residues.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <type_traits>

#include "base/meter.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest {
namespace {

constexpr std::size_t kBuffer = 512;

// 2^e mod p for any e.
std::uint64_t power_of_two(int e, std::uint64_t p) {
  return e >= 0 ? power_mod(2, static_cast<std::uint64_t>(e), p)
                : power_mod((p + 1) / 2, static_cast<std::uint64_t>(-e), p);
}

// The values of one mantissa bit, by sign (the upper half) and biased exponent. `bit` is its exponent for the
// biased exponent 1; subnormal numbers (0) share it.
std::vector<double> bit_values(int exponents, int bit, std::uint64_t p) {
  std::vector<double> values(2 * exponents);
  std::uint64_t r = power_of_two(bit, p);
  for (int e = 0; e < exponents; ++e) {
    values[e] = blas::balanced(r, p);
    values[exponents + e] = -values[e];
    if (e > 0) r = 2 * r % p;
  }
  return values;
}

}  // namespace

BalancedReduction::BalancedReduction(std::uint64_t p)
    : p_(static_cast<double>(p)), inverse_(1 / p_), half_((p_ - 1) / 2) {
  if (p <= 2 || p % 2 == 0 || p >= (std::uint64_t{1} << 24))
    throw std::logic_error("modulus out of the range of balanced residues");
}

ATTEST_EACH_VECTOR_UNIT void BalancedReduction::all(double* x, std::size_t count) const {
  const BalancedReduction reduce = *this;
  for (std::size_t i = 0; i < count; ++i) x[i] = reduce(x[i]);
}

ATTEST_EACH_VECTOR_UNIT void BalancedReduction::all(double* x, std::size_t count, double factor) const {
  const BalancedReduction reduce = *this;
  for (std::size_t i = 0; i < count; ++i) x[i] = reduce(x[i] * factor);
}

ATTEST_EACH_VECTOR_UNIT void subtract_multiple(double* x, const double* y, std::size_t count, double factor) {
  for (std::size_t i = 0; i < count; ++i) x[i] -= factor * y[i];
}

// Making tables takes longer than many small problems, which come with the same few primes.
std::shared_ptr<const BalancedResidues::Tables> BalancedResidues::tables(std::uint64_t p) {
  constexpr std::size_t kMost = 16;
  static std::mutex mutex;
  static std::map<std::uint64_t, std::shared_ptr<const Tables>> known;
  const std::lock_guard lock(mutex);
  auto& found = known[p];
  if (!found) {
    found = std::make_shared<const Tables>(
        Tables{bit_values(256, -149, p), bit_values(2048, -1074, p), bit_values(2048, -1074 + 26, p)});
    if (known.size() > kMost) {
      const auto result = found;
      known.clear();
      return result;
    }
  }
  return found;
}

BalancedResidues::BalancedResidues(std::uint64_t p) : p_(p), reduce_(p), tables_(tables(p)) {}

// Look-ups and arithmetic are separate loops, so that compilers vectorize the latter.

void BalancedResidues::convert(const float* x, std::size_t count, double* out) const {
  const BalancedReduction reduce = reduce_;
  const std::vector<double>& single = tables_->single;
  std::int32_t bits[kBuffer];
  double last_bit[kBuffer];
  for (std::size_t first = 0; first < count; first += kBuffer) {
    const std::size_t size = std::min(kBuffer, count - first);
    std::memcpy(bits, x + first, size * sizeof *bits);
    for (std::size_t i = 0; i < size; ++i) last_bit[i] = single[static_cast<std::uint32_t>(bits[i]) >> 23];
    double* to = out + first;
    for (std::size_t i = 0; i < size; ++i) {
      const std::int32_t implicit = (bits[i] & 0x7F800000) != 0 ? 0x800000 : 0;
      // Below 2^24 times 2^23.
      to[i] = reduce(static_cast<double>((bits[i] & 0x7FFFFF) | implicit) * last_bit[i]);
    }
  }
}

void BalancedResidues::convert(const double* x, std::size_t count, double* out) const {
  const BalancedReduction reduce = reduce_;
  const std::vector<double>&low = tables_->low, &high = tables_->high;
  std::int64_t bits[kBuffer];
  double last_bit[kBuffer], middle_bit[kBuffer];
  for (std::size_t first = 0; first < count; first += kBuffer) {
    const std::size_t size = std::min(kBuffer, count - first);
    std::memcpy(bits, x + first, size * sizeof *bits);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t top = static_cast<std::uint64_t>(bits[i]) >> 52;  // sign and exponent
      last_bit[i] = low[top];
      middle_bit[i] = high[top];
    }
    double* to = out + first;
    for (std::size_t i = 0; i < size; ++i) {
      const std::int32_t implicit = (bits[i] & 0x7FF0000000000000) != 0 ? 0x4000000 : 0;
      const std::int32_t upper = static_cast<std::int32_t>((bits[i] >> 26) & 0x3FFFFFF) | implicit;
      const auto lower = static_cast<std::int32_t>(bits[i] & 0x3FFFFFF);
      // Below 2^27 times 2^23 plus 2^26 times 2^23.
      to[i] = reduce(static_cast<double>(upper) * middle_bit[i] + static_cast<double>(lower) * last_bit[i]);
    }
  }
}

void BalancedResidues::convert(const std::int64_t* x, std::size_t count, double* out) const {
  const auto p = static_cast<std::int64_t>(p_);
  for (std::size_t i = 0; i < count; ++i) out[i] = reduce_(static_cast<double>(x[i] % p));
}

bool BalancedResidues::convert(const mpq_class* x, std::size_t count, double* out) const {
  for (std::size_t i = 0; i < count; ++i) {
    const auto r = residue(x[i], p_);
    if (!r) return false;
    out[i] = blas::balanced(*r, p_);
  }
  return true;
}

bool BalancedResidues::convert(const ExactArray& array, std::size_t first, std::size_t count,
                               double* out) const {
  meter().work(count);
  return std::visit(
      [&](const auto& entries) {
        using Entry = typename std::decay_t<decltype(entries)>::value_type;
        if constexpr (std::is_same_v<Entry, mpq_class>) {
          return convert(entries.data() + first, count, out);
        } else {
          convert(entries.data() + first, count, out);
          return true;
        }
      },
      array.storage());
}

bool invertible_denominators(const ExactArray& array, std::uint64_t p) {
  const auto* rationals = std::get_if<std::vector<mpq_class>>(&array.storage());
  return rationals == nullptr || std::none_of(rationals->begin(), rationals->end(), [&](const mpq_class& x) {
           return mpz_divisible_ui_p(x.get_den_mpz_t(), p) != 0;
         });
}

}  // namespace attest
