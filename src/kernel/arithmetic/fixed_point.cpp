#include "kernel/arithmetic/fixed_point.hpp"

#include <algorithm>

#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

std::size_t length(const Integer& x) {
  return mpz_size(x.get_mpz_t());
}

constexpr std::size_t kLong = 64;  // words

/// A sum of products, of factors that have at most so many words together.
class Products {
public:
  explicit Products(std::size_t length) : length_(length + 1) {
    if (2 * length_ > few_.size()) many_.resize(2 * length_);
  }
  void add(const Integer& x, const Integer& y) {
    if (length(x) > kLong && length(y) > kLong) {  // GMP's products of long numbers are of another order
      mpz_addmul(long_.get_mpz_t(), x.get_mpz_t(), y.get_mpz_t());
      return;
    }
    // Entries of arrays have low words that are 0, which are skipped.
    const bool turned = mpz_getlimbn(x.get_mpz_t(), 0) == 0;
    const Integer &a = turned ? y : x, &b = turned ? x : y;
    const auto size = static_cast<mp_size_t>(mpz_size(a.get_mpz_t()));
    if (size == 0) return;
    // Positive ones, and after them the others: about 3 times as fast as mpz_addmul.
    mp_limb_t* to = words() + (sgn(a) == sgn(b) ? 0 : length_);
    const mp_limb_t* const end = to + length_;
    for (std::size_t k = 0; k < mpz_size(b.get_mpz_t()); ++k, ++to) {
      const mp_limb_t word = mpz_getlimbn(b.get_mpz_t(), static_cast<mp_size_t>(k));
      if (word == 0) continue;
      const mp_limb_t carry = mpn_addmul_1(to, mpz_limbs_read(a.get_mpz_t()), size, word);
      if (carry != 0) mpn_add_1(to + size, to + size, end - to - size, carry);
    }
  }
  Integer sum() {
    mpz_t positive, negative;
    const auto length = static_cast<mp_size_t>(length_);
    Integer result;
    mpz_sub(result.get_mpz_t(), mpz_roinit_n(positive, words(), length),
            mpz_roinit_n(negative, words() + length_, length));
    result += long_;
    return result;
  }

private:
  mp_limb_t* words() { return many_.empty() ? few_.data() : many_.data(); }

  std::size_t length_;
  std::array<mp_limb_t, 20> few_{};
  std::vector<mp_limb_t> many_;  ///< instead
  Integer long_;
};

Natural absolute(Wide x) {
  return x < 0 ? -static_cast<Natural>(x) : static_cast<Natural>(x);
}

/// Rounded up.
Natural quotient_up(Natural x, Natural y) {
  return x / y + (x % y != 0);
}

Integer widened(Wide x) {
  const auto word = static_cast<long>(x);
  if (word == x) return word;
  return (Integer(static_cast<long>(x >> 64)) << 64) + Integer(static_cast<unsigned long>(x));
}

/// Precondition: at most two words.
Natural natural(const Integer& x) {
  return static_cast<Natural>(mpz_getlimbn(x.get_mpz_t(), 1)) << 64 | mpz_getlimbn(x.get_mpz_t(), 0);
}

bool below_2_to(std::size_t bits, const Integer& x) {
  return mpz_sizeinbase(x.get_mpz_t(), 2) <= bits;
}

constexpr std::size_t kMore = 8, kPlaces = 9, kFraction = 24;  // of tables of powers
constexpr std::size_t kMostTabled = 256;  // bits; from about there on MPFR is as fast, and integers grow

}  // namespace

/// high 2^128 + low, as a number with a sign modulo 2^256.
struct LongSum {
  Natural low = 0, high = 0;

  void add(Natural a, Natural b, bool negative = false) {
    const auto a0 = static_cast<std::uint64_t>(a), a1 = static_cast<std::uint64_t>(a >> 64),
               b0 = static_cast<std::uint64_t>(b), b1 = static_cast<std::uint64_t>(b >> 64);
    const Natural lowest = Natural(a0) * b0, left = Natural(a1) * b0, right = Natural(a0) * b1;
    const Natural middle =
        (lowest >> 64) + static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right);
    const Natural l = middle << 64 | static_cast<std::uint64_t>(lowest),
                  h = Natural(a1) * b1 + (left >> 64) + (right >> 64) + (middle >> 64);
    if (negative) {
      high -= h + (low < l ? 1 : 0);
      low -= l;
    } else {
      low += l;
      high += h + (low < l ? 1 : 0);
    }
  }
};

Near NearVector::operator[](std::size_t k) const {
  if (narrow_) return {widened(narrow_->mid[k]), narrow_->rad};
  return {wide_.mid[k], wide_.rad};
}

const NearVector::Integers& NearVector::integers(Integers& copy) const {
  if (!narrow_) return wide_;
  for (const Wide word : narrow_->mid) copy.mid.push_back(widened(word));
  copy.rad = narrow_->rad;
  copy.sum = widened(static_cast<Wide>(narrow_->sum));
  copy.largest = widened(static_cast<Wide>(narrow_->largest));
  return copy;
}

void NearVector::push_back(Wide x, unsigned long r) {
  const Natural size = absolute(x);
  if (!narrow_ || size >> 126 != 0 || r >> 62 != 0 || (narrow_->sum + size) >> 127 != 0)
    return push_back({widened(x), r});
  narrow_->mid.push_back(x);
  narrow_->rad = std::max(narrow_->rad, r);
  narrow_->sum += size;
  narrow_->largest = std::max(narrow_->largest, size);
}

void NearVector::push_back(Near x) {
  if (narrow_ && below_2_to(126, x.mid) && below_2_to(62, x.rad) &&
      (narrow_->sum + natural(x.mid)) >> 127 == 0) {
    const auto size = static_cast<Wide>(natural(x.mid));
    return push_back(x.mid < 0 ? -size : size, x.rad.get_ui());
  }
  if (narrow_) {
    (void)integers(wide_);
    narrow_.reset();
  }
  auto& [mid, rad, sum, largest] = wide_;
  (x.mid < 0 ? mpz_sub : mpz_add)(sum.get_mpz_t(), sum.get_mpz_t(), x.mid.get_mpz_t());
  if (mpz_cmpabs(x.mid.get_mpz_t(), largest.get_mpz_t()) > 0) largest = abs(x.mid);
  if (x.rad > rad) rad = std::move(x.rad);
  mid.push_back(std::move(x.mid));
}

NearVector FixedPoint::sum(const NearVector& a, const NearVector& b) {
  NearVector result;
  for (std::size_t j = 0; j < a.size(); ++j)
    if (a.narrow() && b.narrow())
      result.push_back(a.narrow()->mid[j] + b.narrow()->mid[j], a.narrow()->rad + b.narrow()->rad);
    else
      result.push_back(sum(a[j], b[j]));
  return result;
}

FixedPoint::FixedPoint(Base base, std::size_t b) : bits(b), base_(base), one_(Integer(1) << b) {
  if (bits > kMostTabled || bits < kFraction) return;
  Powers power(base, bits + kMore);
  for (std::size_t p = 0; p < kPlaces; ++p) {
    tables_.emplace_back();
    for (unsigned long i = 0; i < 16; ++i)
      tables_[p].push_back(power(Integer(i) << (4 * p), Integer(1) << kFraction).least);
  }
  for (std::size_t p = 0; bits + kMore <= 64 && p < kPlaces; ++p) {
    narrow_tables_.emplace_back();
    for (std::size_t i = 1; i < 16; ++i) narrow_tables_[p][i] = tables_[p][i].get_ui();
  }
}

Near FixedPoint::power(const Integer& x) const {
  if (tables_.empty()) {
    const Enclosure e = Powers(base_, bits)(x, one_);
    return between(e.least, e.most);
  }
  if (x >= (bits + 1) * one_) return {0, 1};
  // e^-x = e^-y times powers from the tables, y < 2^-24: 1 - y (1 - y/2 (1 - y/3 ...)).
  const std::size_t wide = bits + kMore;
  const Integer leading = x >> (bits - kFraction), y = (x - (leading << (bits - kFraction))) << kMore,
                one = one_ << kMore;
  Integer result = one;
  for (std::size_t k = wide / kFraction; k > 0; --k) {
    result *= y;
    result >>= wide;
    result /= k;
    mpz_sub(result.get_mpz_t(), one.get_mpz_t(), result.get_mpz_t());
  }
  for (std::size_t p = 0; p < kPlaces; ++p) {
    const unsigned long i = mpz_get_ui(leading.get_mpz_t()) >> (4 * p) & 15;
    if (i == 0) continue;
    result *= tables_[p][i];
    result >>= wide;
  }
  // Off by at most 3 units 2^-wide before the tables, and 5 more for each of these: less than 2^(kMore - 2).
  return {result >> kMore, 2};
}

unsigned long FixedPoint::narrow_power(unsigned long x) const {
  const std::size_t wide = bits + kMore;
  const unsigned long leading = x >> (bits - kFraction), y = (x - (leading << (bits - kFraction))) << kMore;
  const Natural one = Natural(1) << wide;
  Natural result = one;
  for (std::size_t k = wide / kFraction; k > 0; --k) result = one - (result * y >> wide) / k;
  for (std::size_t p = 0; p < kPlaces; ++p) {
    const unsigned long i = leading >> (4 * p) & 15;
    if (i != 0) result = result * narrow_tables_[p][i] >> wide;
  }
  return static_cast<unsigned long>(result >> kMore);
}

Near FixedPoint::exact(const Rational& x) const {
  Integer scaled = x.get_num() << bits, rest;
  mpz_fdiv_qr(scaled.get_mpz_t(), rest.get_mpz_t(), scaled.get_mpz_t(), x.get_den_mpz_t());
  return {scaled, rest == 0 ? 0 : 1};
}

NearVector FixedPoint::exact(const ExactArray& array, std::size_t first, std::size_t length,
                             std::size_t step) const {
  NearVector result;
  for (std::size_t k = 0; k < length; ++k) result.push_back(exact(array.at(first + k * step)));
  return result;
}

Near FixedPoint::between(const Integer& least, const Integer& most) {
  Near result{least + most, 0};
  mpz_fdiv_q_2exp(result.mid.get_mpz_t(), result.mid.get_mpz_t(), 1);
  result.rad = most - result.mid;
  return result;
}

Near FixedPoint::rounded(Integer mid, Integer rad) const {
  const bool exact = mpz_divisible_2exp_p(mid.get_mpz_t(), bits) != 0;
  mpz_fdiv_q_2exp(mid.get_mpz_t(), mid.get_mpz_t(), bits);
  mpz_cdiv_q_2exp(rad.get_mpz_t(), rad.get_mpz_t(), bits);
  if (!exact) ++rad;
  return {std::move(mid), std::move(rad)};
}

std::optional<FixedPoint::Words> FixedPoint::rounded(const LongSum& mid, const LongSum& rad) const {
  const auto shifted = [&](const LongSum& x) { return x.low >> bits | x.high << 1 << (127 - bits); };
  const Natural rest = (Natural(1) << bits) - 1, off = shifted(rad);
  const auto whole = static_cast<Wide>(shifted(mid));
  // The first test is for what does not fit; of positive numbers the high part is small.
  if (static_cast<Wide>(mid.high) >> bits != whole >> 127 || rad.high >> bits != 0 || off >> 62 != 0)
    return {};
  return Words{whole, static_cast<unsigned long>(off) + ((rad.low & rest) != 0 ? 1 : 0) +
                          ((mid.low & rest) != 0 ? 1 : 0)};
}

// |x y - m n| <= |m| s + |n| r + r s for |x - m| <= r and |y - n| <= s, here and in sums of products.
Near FixedPoint::product(const Near& a, const Near& b) const {
  return rounded(a.mid * b.mid, abs(a.mid) * b.rad + (abs(b.mid) + b.rad) * a.rad);
}

std::optional<FixedPoint::Words> FixedPoint::narrow_dot(const NearVector::Narrow& a,
                                                        const NearVector::Narrow& b) const {
  if (bits > 126) return {};
  const std::size_t n = a.mid.size();
  LongSum sum, rad;
  if (a.sum >> 63 == 0 && b.largest >> 63 == 0) {
    Wide words = 0;
    for (std::size_t k = 0; k < n; ++k)
      words += static_cast<Wide>(static_cast<std::int64_t>(a.mid[k])) * static_cast<std::int64_t>(b.mid[k]);
    sum = {static_cast<Natural>(words), static_cast<Natural>(words >> 127)};
  } else {
    for (std::size_t k = 0; k < n; ++k)
      sum.add(absolute(a.mid[k]), absolute(b.mid[k]), (a.mid[k] < 0) != (b.mid[k] < 0));
  }
  rad.add(b.sum + Natural(n) * b.rad, a.rad);
  rad.add(a.sum, b.rad);
  return rounded(sum, rad);
}

Near FixedPoint::dot(const NearVector& a, const NearVector& b) const {
  if (a.narrow() && b.narrow())
    if (const auto x = narrow_dot(*a.narrow(), *b.narrow())) return {widened(x->mid), x->rad};
  NearVector::Integers copy_a, copy_b;
  const NearVector::Integers &x = a.integers(copy_a), &y = b.integers(copy_b);
  Integer rad;
  if (x.rad != 0) {
    rad = y.sum;
    mpz_addmul_ui(rad.get_mpz_t(), y.rad.get_mpz_t(), b.size());
    rad *= x.rad;
  }
  mpz_addmul(rad.get_mpz_t(), x.sum.get_mpz_t(), y.rad.get_mpz_t());
  Products sum(length(x.largest) + length(y.largest));
  for (std::size_t k = 0; k < x.mid.size(); ++k) sum.add(x.mid[k], y.mid[k]);
  return rounded(sum.sum(), std::move(rad));
}

NearVector FixedPoint::products(const std::vector<NearVector>& rows, const NearVector& x,
                                const std::span<const std::uint32_t>* index) const {
  NearVector result;
  for (std::size_t k = 0; k < (index ? index->size() : rows.size()); ++k) {
    const NearVector& row = rows[index ? (*index)[k] : k];
    const auto words = row.narrow() && x.narrow() ? narrow_dot(*row.narrow(), *x.narrow()) : std::nullopt;
    if (words) {
      result.push_back(words->mid, words->rad);
    } else {
      result.push_back(dot(row, x));
    }
  }
  return result;
}

std::optional<NearVector> FixedPoint::narrow_mean(const std::vector<Near>& coefficients,
                                                  const std::vector<NearVector>& rows,
                                                  std::span<const std::uint32_t> index, std::size_t d) const {
  if (bits > 126) return {};
  LongSum rad;
  Natural sum = 0, largest = 0;
  std::vector<Natural> factors;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const NearVector::Narrow* const row = rows[index[i]].narrow();
    const Near& c = coefficients[i];
    if (row == nullptr || !below_2_to(126, c.mid) || !below_2_to(62, c.rad)) return {};
    factors.push_back(natural(c.mid));
    rad.add(factors.back(), row->rad);
    rad.add(row->largest + row->rad, c.rad.get_ui());
    sum += factors.back();
    if (sum >> 126 != 0) return {};
    largest = std::max(largest, row->largest);
  }
  std::vector<LongSum> mid(d);
  if (sum >> 63 == 0 && largest >> 63 == 0) {
    std::vector<Wide> words(d);
    for (std::size_t i = 0; i < index.size(); ++i)
      for (std::size_t j = 0; j < d; ++j)
        words[j] += static_cast<Wide>(static_cast<std::int64_t>(factors[i])) *
                    static_cast<std::int64_t>(rows[index[i]].narrow()->mid[j]);
    for (std::size_t j = 0; j < d; ++j)
      mid[j] = {static_cast<Natural>(words[j]), static_cast<Natural>(words[j] >> 127)};
  } else {
    for (std::size_t i = 0; i < index.size(); ++i)
      for (std::size_t j = 0; j < d; ++j) {
        const Wide x = rows[index[i]].narrow()->mid[j];
        mid[j].add(factors[i], absolute(x), x < 0);
      }
  }
  NearVector result;
  for (const LongSum& x : mid) {
    const auto words = rounded(x, rad);
    if (!words) return {};
    result.push_back(words->mid, words->rad);
  }
  return result;
}

NearVector FixedPoint::mean(const std::vector<Near>& coefficients, const std::vector<NearVector>& rows,
                            std::span<const std::uint32_t> index, std::size_t d) const {
  if (auto narrow = narrow_mean(coefficients, rows, index, d)) return *std::move(narrow);
  std::vector<NearVector::Integers> copies(index.size());
  std::vector<const NearVector::Integers*> tokens;
  Integer rad, sum, largest;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const Near& c = coefficients[i];
    tokens.push_back(&rows[index[i]].integers(copies[i]));
    rad += c.mid * tokens[i]->rad + (tokens[i]->largest + tokens[i]->rad) * c.rad;
    sum += c.mid;
    if (tokens[i]->largest > largest) largest = tokens[i]->largest;
  }
  std::vector<Products> mid(d, Products(length(sum) + length(largest)));
  for (std::size_t i = 0; i < index.size(); ++i)
    for (std::size_t j = 0; j < d; ++j) mid[j].add(coefficients[i].mid, tokens[i]->mid[j]);
  NearVector result;
  for (Products& x : mid) result.push_back(rounded(x.sum(), rad));
  return result;
}

Near FixedPoint::quotient(const Near& a, const Near& b) const {
  // |x / y - m / n| = |x n - m y| / (y n) <= (r n + |m| s) / ((n - s) n).
  Near result{a.mid << bits, a.rad * b.mid};
  (a.mid < 0 ? mpz_submul : mpz_addmul)(result.rad.get_mpz_t(), a.mid.get_mpz_t(), b.rad.get_mpz_t());
  result.rad <<= bits;
  Integer divisor = b.mid - b.rad;
  divisor *= b.mid;
  mpz_fdiv_q(result.mid.get_mpz_t(), result.mid.get_mpz_t(), b.mid.get_mpz_t());
  mpz_cdiv_q(result.rad.get_mpz_t(), result.rad.get_mpz_t(), divisor.get_mpz_t());
  ++result.rad;
  return result;
}

Near FixedPoint::root(const Near& x) const {
  const Integer least = (x.mid - x.rad) << bits, most = (x.mid + x.rad) << bits;
  ENSURE(least > 3, "a mean square that is shown to be positive", "another one");
  return between(sqrt(least), sqrt(most) + 1);
}

std::optional<std::vector<Near>> FixedPoint::narrow_softmax(const NearVector& logits) const {
  const std::size_t n = logits.size();
  const NearVector::Narrow* const given = logits.narrow();
  if (narrow_tables_.empty() || given == nullptr || given->largest >> 63 != 0 || n > 128) return {};
  const Natural one = Natural(1) << bits;  // with tables, bits are few
  if (given->rad > one) return {};
  const unsigned long r = given->rad,
                      change = r + static_cast<unsigned long>(quotient_up(Natural(r) * r, one));
  const Wide top = *std::ranges::max_element(given->mid);
  std::vector<unsigned long> mid(n), rad(n);
  Natural all = 0, off = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const auto x = static_cast<unsigned long>(top - given->mid[k]);
    const bool far = x >= (bits + 1) * one;
    mid[k] = far ? 0 : narrow_power(x);
    rad[k] = far ? 1 : 2;
    rad[k] += static_cast<unsigned long>(quotient_up(Natural(change) * (mid[k] + rad[k]), one));
    all += mid[k];
    off += rad[k];
  }
  ENSURE(all > off, "logits that are known well enough", "others");
  std::vector<Near> result;
  for (std::size_t k = 0; k < n; ++k) {  // all is below 2^64
    const Natural error = rad[k] * all + mid[k] * off;
    if (error >> (128 - bits) != 0) return {};
    const Natural most = quotient_up(error << bits, (all - off) * all) + 1;
    if (most >> 64 != 0) return {};
    result.push_back({Integer(static_cast<unsigned long>((mid[k] * one) / all)),
                      Integer(static_cast<unsigned long>(most))});
  }
  return result;
}

std::vector<Near> FixedPoint::softmax(const NearVector& logits) const {
  if (logits.size() == 1) return {{one_, 0}};  // whatever it is
  // |e^x - e^m| <= (r + r^2) e^m for |x - m| <= r <= 1.
  if (auto narrow = narrow_softmax(logits)) return *std::move(narrow);
  NearVector::Integers copy;
  const auto& [mid, off, sum, largest] = logits.integers(copy);
  ENSURE(off <= one_, "logits that are known well enough", "others");
  const Integer top = *std::ranges::max_element(mid);
  const Integer change = off + rounded(0, off * off).rad;
  std::vector<Near> result;
  Near all;
  for (const Integer& x : mid) {
    Near p = power(top - x);
    p.rad += rounded(0, change * (p.mid + p.rad)).rad;
    all.mid += p.mid;
    all.rad += p.rad;
    result.push_back(std::move(p));
  }
  ENSURE(all.mid > all.rad, "logits that are known well enough", "others");
  for (Near& p : result) p = quotient(p, all);
  return result;
}

Near FixedPoint::logistic(const Near& x) const {
  // Its derivative is at most 1/4.
  const Near p = power(abs(x.mid));
  Near result = quotient({one_, 0}, {one_ + p.mid, p.rad});
  if (x.mid < 0) result.mid = one_ - result.mid;
  result.rad += x.rad / 4 + 1;
  return result;
}

Near FixedPoint::activation(const std::string& name, const Near& x) const {
  if (name == "silu") return product(x, logistic(x));
  if (name == "tanh") {
    const Near half = logistic({2 * x.mid, 2 * x.rad});
    return {2 * half.mid - one_, 2 * half.rad};
  }
  const Integer least = x.mid - x.rad, most = x.mid + x.rad, zero = 0;
  return between(std::max(least, zero), std::max(most, zero));
}

}  // namespace attest::kernel
