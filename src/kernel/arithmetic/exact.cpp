#include "kernel/arithmetic/exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

constexpr std::size_t kPowers = 1074 + 1024 + 26;  // binary64, and 26 bits beyond

/// Integers with the residues of the values: two halves of the mantissa, below 2^27 and 2^26, times powers of
/// two below 2^23. Their sum is exact.
template <class Float>
ATTEST_FOR_SEVERAL_PROCESSORS void as_integers(const Float* values, std::size_t length, const double* powers,
                                               double* sums) {
  for (std::size_t i = 0; i < length; ++i) {
    const double value = static_cast<double>(values[i]);
    const auto bits = std::bit_cast<std::int64_t>(value);
    const std::int64_t exponent = bits >> 52 & 0x7ff, normal = exponent == 0 ? 0 : 1;
    const double* const power = powers + (exponent - normal);  // 2^(exponent - 1075), normal ones
    double absolute = static_cast<std::int32_t>((bits >> 26 & 0x3ffffff) | normal << 26) * power[26];
    if constexpr (std::is_same_v<Float, double>)  // the other half is 0 for binary32
      absolute += static_cast<std::int32_t>(bits & 0x3ffffff) * power[0];
    sums[i] = std::copysign(absolute, value);  // without a branch, which would be guessed wrongly
  }
}

/// The value is mantissa 2^exponent.
struct Binary {
  std::int64_t mantissa;
  int exponent = 0;

  explicit Binary(std::int64_t integer) : mantissa(integer) {}
  explicit Binary(double value) {  // the mantissa is odd or 0
    const auto bits = std::bit_cast<std::int64_t>(value);
    const std::int64_t biased = bits >> 52 & 0x7ff, normal = biased == 0 ? 0 : 1;
    mantissa = (bits & 0xfffffffffffff) | normal << 52;
    if (mantissa == 0) return;
    const int zeros = std::countr_zero(static_cast<Word>(mantissa));
    mantissa = bits < 0 ? -(mantissa >> zeros) : mantissa >> zeros;
    exponent = static_cast<int>(biased - normal) - 1074 + zeros;
  }
};

}  // namespace

std::string text(const Rational& value) {
  if (mpz_size(value.get_num_mpz_t()) + mpz_size(value.get_den_mpz_t()) > 100)
    return "a number of many digits";
  std::string digits = value.get_str();
  if (digits.size() > 60) digits = digits.substr(0, 57) + "...";
  return digits;
}

Integer floor(const Rational& value) {
  Integer result;
  mpz_fdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

Vector::Vector(std::vector<Integer> numerators, Integer denominator)
    : num(std::move(numerators)), den(std::move(denominator)) {
  Integer common = den;
  for (const Integer& entry : num) {
    if (common == 1) return;
    common = gcd(common, entry);
  }
  if (common == 1) return;
  den /= common;
  for (Integer& entry : num) entry /= common;
}

Vector::Vector(const std::vector<Rational>& entries) {
  for (const Rational& entry : entries) mpz_lcm(den.get_mpz_t(), den.get_mpz_t(), entry.get_den_mpz_t());
  num.resize(entries.size());
  for (std::size_t i = 0; i < num.size(); ++i) {
    mpz_divexact(num[i].get_mpz_t(), den.get_mpz_t(), entries[i].get_den_mpz_t());
    num[i] *= entries[i].get_num();
  }
}

Vector::Vector(const ExactArray& array, std::size_t first, std::size_t length, std::size_t step) {
  const auto read = [&](const auto& values) {
    using Entry = typename std::decay_t<decltype(values)>::value_type;
    if constexpr (std::is_arithmetic_v<Entry>) {
      int least = 0;
      for (std::size_t i = 0; i < length; ++i)
        least = std::min(least, Binary(values[first + i * step]).exponent);
      mpz_mul_2exp(den.get_mpz_t(), den.get_mpz_t(), static_cast<mp_bitcnt_t>(-least));
      num.resize(length);
      for (std::size_t i = 0; i < length; ++i) {
        const auto [mantissa, exponent] = Binary(values[first + i * step]);
        if (mantissa == 0) continue;  // takes no memory as long as it is not set
        const auto shift = static_cast<mp_bitcnt_t>(exponent - least);
        const bool short_enough = shift < 63 && mantissa << shift >> shift == mantissa;
        num[i] = static_cast<long>(short_enough ? mantissa << shift : mantissa);
        if (!short_enough) num[i] <<= shift;
      }
    } else {
      std::vector<Rational> entries;
      for (std::size_t i = 0; i < length; ++i) entries.push_back(array.at(first + i * step));
      *this = Vector(entries);
    }
  };
  std::visit(read, array.storage());
}

void Exponents::include(const ExactArray& array, std::size_t first, const std::vector<std::size_t>& used) {
  const auto read = [&](const auto& values) {
    if constexpr (std::is_arithmetic_v<typename std::decay_t<decltype(values)>::value_type>) {
      for (const std::size_t j : used) {
        const auto [mantissa, exponent] = Binary(values[first + j]);
        if (mantissa == 0) continue;
        const Word absolute = mantissa < 0 ? -static_cast<Word>(mantissa) : static_cast<Word>(mantissa);
        least = std::min(least, exponent);
        most = std::max(most, exponent + static_cast<int>(std::bit_width(absolute)));
      }
    }
  };
  std::visit(read, array.storage());
}

Rational Vector::operator[](std::size_t i) const {
  Rational entry(num[i], den);
  entry.canonicalize();
  return entry;
}

Integer common_denominator(std::span<const Vector> vectors) {
  Integer den = 1;
  for (const Vector& v : vectors)
    if (mpz_divisible_p(den.get_mpz_t(), v.den.get_mpz_t()) == 0) den = lcm(den, v.den);
  return den;
}

std::vector<Rational> entries(const Vector& v) {
  std::vector<Rational> result;
  for (std::size_t i = 0; i < v.size(); ++i) result.push_back(v[i]);
  return result;
}

Rational dot(const Vector& a, const Vector& b) {
  Rational sum;
  sum.get_den() = a.den * b.den;
  for (std::size_t i = 0; i < a.size(); ++i)
    mpz_addmul(sum.get_num_mpz_t(), a.num[i].get_mpz_t(), b.num[i].get_mpz_t());
  sum.canonicalize();
  return sum;
}

Vector products(std::span<const Vector> vectors, const Vector& x) {
  const Integer den = common_denominator(vectors);
  std::vector<Integer> num(vectors.size());
  for (std::size_t i = 0; i < num.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j)
      mpz_addmul(num[i].get_mpz_t(), vectors[i].num[j].get_mpz_t(), x.num[j].get_mpz_t());
    if (vectors[i].den == den) continue;
    num[i] *= den / vectors[i].den;
  }
  return Vector(std::move(num), den * x.den);
}

bool is_zero(const Vector& v) {
  return std::all_of(v.num.begin(), v.num.end(), [](const Integer& entry) { return entry == 0; });
}

Vector absolute(Vector v) {
  for (Integer& entry : v.num) entry = abs(entry);
  return v;
}

Vector combination(const Vector& factors, const std::vector<Vector>& vectors) {
  const Integer den = common_denominator(vectors);
  std::vector<Integer> num(vectors.front().size());
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (factors.num[k] == 0) continue;
    const Integer factor = factors.num[k] * (den / vectors[k].den);
    for (std::size_t j = 0; j < num.size(); ++j)
      mpz_addmul(num[j].get_mpz_t(), factor.get_mpz_t(), vectors[k].num[j].get_mpz_t());
  }
  return Vector(std::move(num), den * factors.den);
}

Vector combination(const std::vector<Rational>& factors, const std::vector<Vector>& vectors) {
  return combination(Vector(factors), vectors);
}

Vector primitive(const Vector& v) {
  Integer common;
  for (const Integer& entry : v.num) common = gcd(common, entry);
  return common == 0 ? v : Vector(v.num, common);
}

Vector mean(const std::vector<Vector>& vectors) {
  return combination(std::vector<Rational>(vectors.size(), Rational(1, vectors.size())), vectors);
}

Word residue(const Integer& value, Word modulus) {
  return mpz_fdiv_ui(value.get_mpz_t(), modulus);
}

Word residue(const Rational& value, Word modulus) {
  if (is_integer(value)) return residue(value.get_num(), modulus);
  const Word den = residue(value.get_den(), modulus);
  ENSURE(den != 0, "a denominator prime to " + std::to_string(modulus), text(value));
  return multiply(residue(value.get_num(), modulus), inverse(den, modulus), modulus);
}

void residues(const Vector& v, Word modulus, Word* result) {
  const Word den = residue(v.den, modulus);
  ENSURE(den != 0, "denominators prime to " + std::to_string(modulus),
         "a vector with the denominator " + text(v.den));
  const Word scale = inverse(den, modulus);
  for (std::size_t i = 0; i < v.size(); ++i) result[i] = multiply(residue(v.num[i], modulus), scale, modulus);
}

ArrayResidues::ArrayResidues(const ExactArray& array, Word modulus) : array_(array), p_(modulus) {
  Word next = power(inverse(2, p_), 1074, p_);
  for (; powers_.size() < kPowers; next = 2 * next % p_) powers_.push_back(static_cast<double>(next));
}

void ArrayResidues::copy(std::size_t first, std::size_t length, double* result) const {
  const auto read = [&](const auto& values) {
    using Entry = typename std::decay_t<decltype(values)>::value_type;
    if constexpr (std::is_floating_point_v<Entry>) {
      as_integers(values.data() + first, length, powers_.data(), result);
      reduce(result, length, p_);
    } else if constexpr (std::is_same_v<Entry, std::int64_t>) {
      const auto p = static_cast<std::int64_t>(p_);
      for (std::size_t i = 0; i < length; ++i)
        result[i] = static_cast<double>((values[first + i] % p + p) % p);
    } else {
      for (std::size_t i = 0; i < length; ++i)
        result[i] = static_cast<double>(residue(array_.at(first + i), p_));
    }
  };
  std::visit(read, array_.storage());
}

}  // namespace attest::kernel
