#include "checker/deep.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "base/parallel.hpp"
#include "statements/failure.hpp"

namespace attest::checker {
namespace {

// Bits before the binary point, and more after it than asked for, until errors are a few units.
constexpr std::size_t kWhole = 8, kLeastGuard = 20, kMostGuard = 1 << 16;
constexpr std::size_t kWorkOfARow = 1 << 14;  // roughly, for in_parallel

std::uint64_t words(std::size_t bits) {
  return bits / 64 + 1;
}

}  // namespace

std::set<std::size_t> used_rows(const Problem& problem) {
  const Case& source = problem.source;
  std::set<std::size_t> result(source.data.positions.begin(), source.data.positions.end());
  result.insert(source.data.members->rows.begin(), source.data.members->rows.end());
  for (const Before& layer : source.before)
    if (layer.members) result.insert(layer.members->rows.begin(), layer.members->rows.end());
  return result;
}

std::span<const std::uint32_t> tokens_of(const Members& members, std::size_t k) {
  return std::span(members.rows).subspan(members.starts[k], members.starts[k + 1] - members.starts[k]);
}

namespace {

NearVector vector_of(const FixedPoint& numbers, const ExactArray& array, std::size_t first,
                     std::size_t length, std::size_t step = 1) {
  NearVector result;
  for (std::size_t k = 0; k < length; ++k) result.push_back(numbers.exact(array.at(first + k * step)));
  meter().work(length * 20 * words(numbers.bits));
  return result;
}

/// The matrix of an array (.., height, width) from `first` on, by its rows or by its columns.
std::vector<NearVector> matrix_of(const FixedPoint& numbers, const ExactArray& array, std::size_t first,
                                  std::size_t height, std::size_t width, bool columns) {
  std::vector<NearVector> result;
  for (std::size_t k = 0; k < (columns ? width : height); ++k)
    result.push_back(columns ? vector_of(numbers, array, first + k, height, width)
                             : vector_of(numbers, array, first + k * width, width));
  return result;
}

std::vector<NearHead> heads_of(const FixedPoint& numbers, std::size_t H, std::size_t d,
                               const std::optional<ExactArray>& combined,
                               const std::optional<ExactArray>& key, const std::optional<ExactArray>& query,
                               const std::optional<ExactArray>& query_bias) {
  std::vector<NearHead> result(H);
  for (std::size_t h = 0; h < H; ++h) {
    const std::size_t width = combined ? d : key->shape()[2], first = h * d * width;
    result[h].key = matrix_of(numbers, combined ? *combined : *key, first, d, width, false);
    if (!combined) result[h].query = matrix_of(numbers, *query, first, d, width, true);
    if (query_bias) result[h].bias = vector_of(numbers, *query_bias, h * width, width);
  }
  return result;
}

NearVector sum(const NearVector& a, const NearVector& b) {
  NearVector result;
  for (std::size_t j = 0; j < a.size(); ++j)
    if (a.narrow() && b.narrow())
      result.push_back(a.narrow()->mid[j] + b.narrow()->mid[j], a.narrow()->rad + b.narrow()->rad);
    else
      result.push_back({a[j].mid + b[j].mid, a[j].rad + b[j].rad});
  return result;
}

/// W x, plus W_K b_Q.
NearVector direction(const FixedPoint& numbers, const NearHead& head, const NearVector& x) {
  NearVector query = head.query.empty() ? x : numbers.products(head.query, x);
  if (head.bias.size() > 0) query = sum(query, head.bias);
  return numbers.products(head.key, query);
}

/// A sum of products, of factors that have at most so many words together.
class Products {
public:
  explicit Products(std::size_t length) : length_(length + 1) {
    if (2 * length_ > few_.size()) many_.resize(2 * length_);
  }
  void add(const Integer& a, const Integer& b) {
    const auto size = static_cast<mp_size_t>(mpz_size(a.get_mpz_t()));
    if (size == 0) return;
    // Positive ones, and after them the others: about 3 times as fast as mpz_addmul.
    mp_limb_t* to = words() + (sgn(a) == sgn(b) ? 0 : length_);
    const mp_limb_t* const end = to + length_;
    for (std::size_t k = 0; k < mpz_size(b.get_mpz_t()); ++k, ++to) {
      const mp_limb_t carry = mpn_addmul_1(to, mpz_limbs_read(a.get_mpz_t()), size,
                                           mpz_getlimbn(b.get_mpz_t(), static_cast<mp_size_t>(k)));
      if (carry != 0) mpn_add_1(to + size, to + size, end - to - size, carry);
    }
  }
  Integer sum() {
    mpz_t positive, negative;
    const auto length = static_cast<mp_size_t>(length_);
    Integer result;
    mpz_sub(result.get_mpz_t(), mpz_roinit_n(positive, words(), length),
            mpz_roinit_n(negative, words() + length_, length));
    return result;
  }

private:
  mp_limb_t* words() { return many_.empty() ? few_.data() : many_.data(); }

  std::size_t length_;
  std::array<mp_limb_t, 20> few_{};
  std::vector<mp_limb_t> many_;  ///< instead
};

std::size_t length(const Integer& x) {
  return mpz_size(x.get_mpz_t());
}

Natural absolute(Wide x) {
  return x < 0 ? -static_cast<Natural>(x) : static_cast<Natural>(x);
}

/// Rounded up.
Natural quotient_up(Natural x, Natural y) {
  return x / y + (x % y != 0);
}

Integer integer(Wide x) {
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
  if (narrow_) return {integer(narrow_->mid[k]), narrow_->rad};
  return {wide_.mid[k], wide_.rad};
}

const NearVector::Integers& NearVector::integers(Integers& copy) const {
  if (!narrow_) return wide_;
  for (const Wide word : narrow_->mid) copy.mid.push_back(integer(word));
  copy.rad = narrow_->rad;
  copy.sum = integer(static_cast<Wide>(narrow_->sum));
  copy.largest = integer(static_cast<Wide>(narrow_->largest));
  return copy;
}

void NearVector::push_back(Wide x, unsigned long r) {
  const Natural size = absolute(x);
  if (!narrow_ || size >> 126 != 0 || r >> 62 != 0 || (narrow_->sum + size) >> 127 != 0)
    return push_back({integer(x), r});
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

FixedPoint::FixedPoint(const Problem& problem, std::size_t b)
    : bits(b), problem_(problem), one_(Integer(1) << b) {
  if (bits > kMostTabled || bits < kFraction) return;
  Powers power(problem, Ring(), bits + kMore, false);
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
    const Enclosure e = Powers(problem_, Ring(), bits, false)(x, one_);
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
  meter().work((kPlaces + wide / kFraction) * (20 + words(wide) * words(wide)));
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
  meter().work((kPlaces + wide / kFraction) * (20 + words(wide) * words(wide)));
  return static_cast<unsigned long>(result >> kMore);
}

Near FixedPoint::exact(const Rational& x) const {
  Integer scaled = x.get_num() << bits, rest;
  mpz_fdiv_qr(scaled.get_mpz_t(), rest.get_mpz_t(), scaled.get_mpz_t(), x.get_den_mpz_t());
  return {scaled, rest == 0 ? 0 : 1};
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
  meter().work(10 + 2 * words(bits) * words(bits));
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
  meter().work(a.size() * (4 + words(bits) * words(bits)));
  if (a.narrow() && b.narrow())
    if (const auto x = narrow_dot(*a.narrow(), *b.narrow())) return {integer(x->mid), x->rad};
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

NearVector FixedPoint::products(const std::vector<NearVector>& rows, const NearVector& x) const {
  NearVector result;
  for (const NearVector& row : rows) {
    const auto words = row.narrow() && x.narrow() ? narrow_dot(*row.narrow(), *x.narrow()) : std::nullopt;
    if (words) {
      meter().work(x.size() * (4 + checker::words(bits) * checker::words(bits)));
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
  meter().work(index.size() * d * (4 + words(bits) * words(bits)));
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
  meter().work(20 + 4 * words(bits) * words(bits));
  return result;
}

Near FixedPoint::root(const Near& x) const {
  const Integer least = (x.mid - x.rad) << bits, most = (x.mid + x.rad) << bits;
  ENSURE(least > 3, "a mean square that is shown to be positive", "another one");
  meter().work(20 + 4 * words(bits) * words(bits));
  return between(sqrt(least), sqrt(most) + 1);
}

std::optional<std::vector<Near>> FixedPoint::narrow_softmax(const NearVector& logits) const {
  const std::size_t n = logits.size();
  const NearVector::Narrow* const given = logits.narrow();
  const Natural one = Natural(1) << bits;
  if (narrow_tables_.empty() || given == nullptr || given->largest >> 63 != 0 || given->rad > one || n > 128)
    return {};
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
    meter().work(20 + 4 * words(bits) * words(bits));
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

Entering::Entering(const Problem& problem, std::size_t bits) : problem_(problem), numbers_(problem, bits) {
  const Case& source = problem.source;
  ENSURE(source.weights && std::ranges::none_of(source.before, &Before::free), "weights of all layers",
         "a layer without");
  for (const Before& layer : source.before)
    layers_.push_back(layer.kind == Before::Kind::attention ? attention(layer)
                      : layer.kind == Before::Kind::mlp     ? mlp(layer)
                                                            : rmsnorm(layer));
  stages_.assign(layers_.size() + 1, Rows(source.data.hidden->size() / problem.d));
  const Weights& weights = *source.weights;
  heads_ = heads_of(numbers_, problem.H, problem.d, weights.combined, weights.key, weights.query,
                    weights.query_bias);
  const LogitScale& scale = source.layer->logit_scale;
  scale_ = numbers_.exact(scale.irrational() ? Rational(1, scale.radicand) : scale.rational);
  if (scale.irrational()) scale_ = numbers_.root(scale_);
}

void Entering::prepare(const std::vector<std::size_t>& examples) {
  const Case& source = problem_.source;
  std::vector<std::set<std::size_t>> asked(stages_.size());  // of each stage, and not there yet
  const auto ask = [&](std::size_t stage, std::size_t own, std::span<const std::uint32_t> tokens) {
    const auto one = [&](std::size_t row) {
      if (stages_[stage][row].size() == 0) asked[stage].insert(row);
    };
    one(own);
    std::ranges::for_each(tokens, one);
  };
  for (const std::size_t t : examples)
    ask(layers_.size(), source.data.positions[t], tokens_of(*source.data.members, t));
  for (std::size_t k = layers_.size(); k-- > 0;)
    for (const std::size_t row : asked[k + 1]) {
      const Before& layer = source.before[k];
      ask(k, row, layer.members ? tokens_of(*layer.members, row) : std::span<const std::uint32_t>());
    }
  for (const std::size_t row : asked[0])
    stages_[0][row] = vector_of(numbers_, *source.data.hidden, row * problem_.d, problem_.d);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const std::vector<std::size_t> rows(asked[k + 1].begin(), asked[k + 1].end());
    in_parallel(rows.size(), rows.size() * kWorkOfARow,
                [&](std::size_t i) { stages_[k + 1][rows[i]] = layers_[k](stages_[k], rows[i]); });
  }
}

Entering::Map Entering::attention(const Before& layer) const {
  const std::size_t d = problem_.d;
  std::vector<std::vector<NearVector>> values(layer.heads);  // by columns
  for (std::size_t h = 0; layer.value && h < layer.heads; ++h)
    values[h] = matrix_of(numbers_, *layer.value, h * d * d, d, d, true);
  return [this, &layer, values,
          heads = heads_of(numbers_, layer.heads, problem_.d, layer.combined, layer.key, layer.query,
                           std::nullopt)](const Rows& rows, std::size_t row) {
    NearVector result;
    if (layer.residual) result = rows[row];
    const auto tokens = tokens_of(*layer.members, row);
    for (std::size_t h = 0; h < layer.heads; ++h) {
      const NearVector along = direction(numbers_, heads[h], rows[row]);
      NearVector logits;
      for (const std::size_t token : tokens) logits.push_back(numbers_.dot(rows[token], along));
      NearVector mean = numbers_.mean(numbers_.softmax(logits), rows, tokens, problem_.d);
      if (layer.value) mean = numbers_.products(values[h], mean);
      result = result.size() == 0 ? std::move(mean) : sum(result, mean);
    }
    return result;
  };
}

Entering::Map Entering::mlp(const Before& layer) const {
  const std::size_t d = problem_.d, m = layer.weight_1->shape()[1];
  std::optional<NearVector> bias_1, bias_2;
  if (layer.bias_1) bias_1 = vector_of(numbers_, *layer.bias_1, 0, m);
  if (layer.bias_2) bias_2 = vector_of(numbers_, *layer.bias_2, 0, d);
  return [this, &layer, bias_1, bias_2, first = matrix_of(numbers_, *layer.weight_1, 0, d, m, true),
          second = matrix_of(numbers_, *layer.weight_2, 0, m, d, true)](const Rows& rows, std::size_t row) {
    NearVector inner = numbers_.products(first, rows[row]), hidden;
    if (bias_1) inner = sum(inner, *bias_1);
    for (std::size_t k = 0; k < inner.size(); ++k)
      hidden.push_back(numbers_.activation(layer.activation, inner[k]));
    NearVector output = numbers_.products(second, hidden);
    if (bias_2) output = sum(output, *bias_2);
    return layer.residual ? sum(output, rows[row]) : output;
  };
}

Entering::Map Entering::rmsnorm(const Before& layer) const {
  const std::size_t d = problem_.d;
  NearVector gain;
  for (std::size_t j = 0; j < d; ++j) gain.push_back(numbers_.exact(layer.gain ? layer.gain->at(j) : 1));
  return [this, gain, part = numbers_.exact(Rational(1, d)), epsilon = numbers_.exact(layer.epsilon)](
             const Rows& rows, std::size_t row) {
    const NearVector& x = rows[row];
    Near square = numbers_.product(numbers_.dot(x, x), part);
    square.mid += epsilon.mid;
    square.rad += epsilon.rad;
    const Near size = numbers_.root(square);
    NearVector result;
    for (std::size_t j = 0; j < x.size(); ++j)
      result.push_back(numbers_.quotient(numbers_.product(x[j], gain[j]), size));
    return result;
  };
}

std::vector<Near> Entering::coefficients(std::size_t h, std::size_t t) const {
  const Data& data = problem_.source.data;
  const Rows& rows = stages_.back();
  const NearVector along = direction(numbers_, heads_[h], rows[data.positions[t]]);
  NearVector logits;
  for (const std::size_t token : tokens_of(*data.members, t))
    logits.push_back(numbers_.product(numbers_.dot(rows[token], along), scale_));
  return numbers_.softmax(logits);
}

NearVector Entering::mean(const std::vector<Near>& coefficients, std::size_t t) const {
  return numbers_.mean(coefficients, stages_.back(), tokens_of(*problem_.source.data.members, t), problem_.d);
}

void with_guard(const std::vector<std::size_t>& examples, std::size_t bits,
                const std::function<bool(const std::vector<std::size_t>& some, std::size_t bits,
                                         std::size_t guard)>& attempt) {
  // Numbers below 2^8 are to fill whole words, once and then twice as many; claims share what is computed. A
  // single example tells how many bits the layers lose; others may lose more.
  for (std::size_t length = (bits + kLeastGuard + kWhole + 63) / 64;; length *= 2) {
    const std::size_t guard = 64 * length - kWhole - bits;
    const bool last = guard >= kMostGuard;
    try {
      const bool narrow = examples.empty() || attempt({examples[0]}, bits + 1, guard - 1);
      if ((narrow || last) && (attempt(examples, bits, guard) || last)) return;
    } catch (const Failure&) {  // more bits may do
      if (last) throw;
    }
  }
}

EnclosedZ deep_enclosed_z(const Problem& problem, const std::vector<std::size_t>& rows,
                          const std::vector<std::size_t>& cols, std::size_t bits, bool one_radius) {
  EnclosedZ z;
  with_guard(rows, bits, [&](const std::vector<std::size_t>& some, std::size_t wanted, std::size_t guard) {
    const Entering& entering = problem.entering(wanted + guard, some);
    z = {IntegerMatrix(some.size()), IntegerMatrix(some.size())};
    in_parallel(some.size(), some.size() * kWorkOfARow, [&](std::size_t k) {
      std::map<std::size_t, NearVector> means;  // of the heads that the columns are of
      Integer most = 0;
      for (const std::size_t col : cols) {
        const std::size_t h = col / problem.d;
        NearVector& mean = means[h];
        if (mean.size() == 0) mean = entering.mean(entering.coefficients(h, some[k]), some[k]);
        Near entry = mean[col % problem.d];
        // Its rounding is less than a unit.
        mpz_fdiv_q_2exp(entry.mid.get_mpz_t(), entry.mid.get_mpz_t(), guard);
        mpz_cdiv_q_2exp(entry.rad.get_mpz_t(), entry.rad.get_mpz_t(), guard);
        ++entry.rad;
        most = std::max(most, entry.rad);
        z.mid[k].push_back(entry.mid);
        if (!one_radius) z.rad[k].push_back(entry.rad);
      }
      if (one_radius) z.rad[k].push_back(most);
    });
    return std::ranges::all_of(z.rad, [](const auto& row) {
      return std::ranges::all_of(row, [](const Integer& x) { return x <= 2; });
    });
  });
  return z;
}

// --- exact reasons

namespace {

/// A class of vectors: those of class -c are the opposites of those of class c, and those of class 0 are 0.
using Class = std::int64_t;

/// What a vector is made of: its own class, then those of its tokens in order.
std::vector<Class> parts(const std::vector<Class>& classes, std::size_t own,
                         std::span<const std::uint32_t> tokens, int sign) {
  std::vector<Class> result;
  for (const std::uint32_t token : tokens) result.push_back(sign * classes[token]);
  std::ranges::sort(result);
  result.insert(result.begin(), sign * classes[own]);
  return result;
}

/// Numbers things that have opposites: the same number for equal ones, its negative for opposite ones, 0 for
/// what is its own opposite.
template <class Key>
class Numbering {
public:
  Class operator()(const Key& key, const Key& opposite) {
    if (key == opposite) return 0;
    const bool turned = opposite < key;
    const Class number =
        numbers_.try_emplace(turned ? opposite : key, static_cast<Class>(numbers_.size()) + 1).first->second;
    return turned ? -number : number;
  }

private:
  std::map<Key, Class> numbers_;
};

bool is_zero(const std::optional<ExactArray>& array) {
  for (std::size_t k = 0; array && k < array->size(); ++k)
    if (array->at(k) != 0) return false;
  return true;
}

/// A basis of a space of rational vectors.
class Span {
public:
  explicit Span(std::size_t d) : d_(d) {}
  std::size_t dimension() const { return rows_.size(); }
  const std::vector<Vector>& basis() const { return basis_; }
  void add(const Vector& given) {
    if (rows_.size() == d_) return;
    Vector v = primitive(given);
    for (const auto& [pivot, row] : rows_) {
      if (v.num[pivot] == 0) continue;
      v = primitive(combination({Rational(row.num[pivot]), Rational(-v.num[pivot])}, {v, row}));
    }
    const auto leading = std::ranges::find_if(v.num, [](const Integer& x) { return x != 0; });
    if (leading == v.num.end()) return;
    rows_.emplace_back(leading - v.num.begin(), std::move(v));
    basis_.push_back(primitive(given));
  }
  void add(const Span& other) {
    for (const Vector& v : other.basis_) add(v);
  }
  /// The images under x -> x M of the matrix (height, width) of an array from `first` on.
  void add_images(const Span& of, const ExactArray& m, std::size_t first) {
    for (const Vector& v : of.basis_) {
      std::vector<Vector> rows;
      for (std::size_t i = 0; i < v.size(); ++i) rows.emplace_back(m, first + i * d_, d_);
      add(combination(v, rows));
    }
  }

  /// A basis of the functionals that are 0 on the space.
  std::vector<Vector> annihilators() const {
    std::vector<Vector> result;
    std::vector<bool> leading(d_);
    for (const auto& [pivot, row] : rows_) leading[pivot] = true;
    for (std::size_t free = 0; free < d_; ++free) {
      if (leading[free]) continue;
      std::vector<Rational> x(d_);
      x[free] = 1;
      for (std::size_t k = rows_.size(); k-- > 0;) {
        const auto& [pivot, row] = rows_[k];
        x[pivot] = -dot(row, Vector(x)) / row[pivot];
      }
      result.emplace_back(x);
    }
    return result;
  }

private:
  std::size_t d_;
  std::vector<std::pair<std::size_t, Vector>> rows_;  ///< with the place of an entry that later ones have 0
  std::vector<Vector> basis_;
};

}  // namespace

ExampleClasses example_classes(const Problem& problem) {
  const Case& source = problem.source;
  const std::set<std::size_t> used = used_rows(problem);
  std::vector<Class> classes(source.data.hidden->size() / problem.d);
  Numbering<std::vector<Rational>> vectors;
  for (const std::size_t row : used) {
    const Vector x(*source.data.hidden, row * problem.d, problem.d);
    meter().work(problem.d * 40);
    classes[row] = vectors(entries(x), entries(combination({-1}, {x})));
  }
  for (const Before& layer : source.before) {
    if (layer.kind == Before::Kind::rmsnorm) continue;  // an odd function
    std::vector<Class> next(classes.size());
    Numbering<std::vector<Class>> made;
    std::map<Class, Class> images;
    const bool odd = layer.activation == "tanh" && is_zero(layer.bias_1) && is_zero(layer.bias_2);
    for (const std::size_t row : used) {
      if (layer.kind == Before::Kind::attention) {
        const auto tokens = tokens_of(*layer.members, row);
        meter().work(tokens.size() * 20);
        next[row] = made(parts(classes, row, tokens, 1), parts(classes, row, tokens, -1));
      } else {
        next[row] =
            odd ? classes[row]
                : images.try_emplace(classes[row], static_cast<Class>(images.size()) + 1).first->second;
      }
    }
    classes = std::move(next);
  }
  // A query bias does not turn with the vectors: what is its own opposite need not be 0.
  const bool turns = !source.weights || is_zero(source.weights->query_bias);
  std::set<Class> different, directions;
  std::set<std::vector<Class>> kinds;
  Numbering<std::vector<Class>> made;
  ExampleClasses result;
  for (std::size_t t = 0; t < problem.T; ++t) {
    const auto tokens = tokens_of(*source.data.members, t);
    const std::size_t own = source.data.positions[t];
    const std::vector<Class> kind = parts(classes, own, tokens, 1);
    const Class each = made(kind, parts(classes, own, tokens, -1));
    const bool is_new = kinds.insert(kind).second;
    different.insert(each);
    if (turns ? each != 0 && directions.insert(std::abs(each)).second : is_new)
      result.directions.push_back(t);
  }
  result.different = turns ? different.size() : kinds.size();
  return result;
}

/// Whether a neuron of a layer before is 0 on all these rows, for exact reasons.
static bool is_off(const Problem& problem, const std::set<std::size_t>& rows, std::size_t layer,
                   std::size_t neuron);

/// At least what a functional is on the rows that the first `layers` layers put out: a mean is no larger than
/// the largest token. Empty where nothing is known.
static std::optional<Rational> most(const Problem& problem, const std::set<std::size_t>& rows,
                                    std::size_t layers, const Vector& f) {
  const std::size_t d = problem.d;
  std::optional<Rational> result;
  if (layers == 0) {
    for (const std::size_t row : rows) {
      const Rational x = dot(Vector(*problem.source.data.hidden, row * d, d), f);
      if (!result || x > *result) result = x;
    }
    return result;
  }
  const Before& layer = problem.source.before[layers - 1];
  if (layer.kind == Before::Kind::rmsnorm || (layer.weight_2 && layer.activation != "relu")) return {};
  result = layer.bias_2 ? dot(Vector(*layer.bias_2, 0, d), f) : Rational(0);
  const auto add = [&](const Vector& g, const Rational& times, const Rational& bias) {
    const std::optional<Rational> x = result ? most(problem, rows, layers - 1, g) : std::nullopt;
    if (!x)
      result.reset();
    else
      *result += times * (*x + bias);
  };
  if (layer.residual) add(f, 1, 0);
  for (std::size_t h = 0; h < layer.heads; ++h) {
    std::vector<Vector> value;
    for (std::size_t j = 0; layer.value && j < d; ++j) value.emplace_back(*layer.value, (h * d + j) * d, d);
    add(layer.value ? products(value, f) : f, 1, 0);
  }
  for (std::size_t i = 0; layer.weight_2 && i < layer.weight_2->shape()[0]; ++i) {
    const Rational times = dot(Vector(*layer.weight_2, i * d, d), f);
    if (times > 0 && !is_off(problem, rows, layers - 1, i))
      add(Vector(*layer.weight_1, i, d, layer.weight_1->shape()[1]), times,
          layer.bias_1 ? layer.bias_1->at(i) : Rational(0));
  }
  return result;
}

bool is_off(const Problem& problem, const std::set<std::size_t>& rows, std::size_t layer,
            std::size_t neuron) {
  const Before& network = problem.source.before[layer];
  if (network.activation != "relu") return false;
  const std::optional<Rational> x =
      most(problem, rows, layer, Vector(*network.weight_1, neuron, problem.d, network.weight_1->shape()[1]));
  return x && *x + (network.bias_1 ? network.bias_1->at(neuron) : Rational(0)) <= 0;
}

Hulls hulls(const Problem& problem) {
  const Case& source = problem.source;
  ENSURE(std::ranges::none_of(source.before, &Before::free), "weights of the layers before",
         "a layer without");
  const std::size_t d = problem.d, n = problem.n;
  Span linear(d), affine(d), differences(d);
  std::optional<Vector> first, of_sequence;
  std::size_t sequence = 0;
  const std::set<std::size_t> used = used_rows(problem);
  for (const std::size_t row : used) {
    const Vector x(*source.data.hidden, row * d, d);
    if (!first) first = x;
    if (!of_sequence || row / n != sequence) of_sequence = x;
    sequence = row / n;
    linear.add(x);
    affine.add(combination({1, -1}, {x, *first}));
    differences.add(combination({1, -1}, {x, *of_sequence}));
  }
  for (std::size_t k = 0; k < source.before.size(); ++k) {
    const Before& layer = source.before[k];
    std::vector<std::optional<bool>> off(layer.weight_2 ? layer.weight_2->shape()[0] : 0);
    const auto next = [&](const Span& space, bool is_linear) {
      Span result(d);
      if (!is_linear && space.dimension() == 0) return result;  // equal vectors stay equal
      if (layer.kind == Before::Kind::rmsnorm) {
        for (const Vector& v : linear.basis()) {
          std::vector<Rational> scaled = entries(v);
          for (std::size_t j = 0; layer.gain && j < d; ++j) scaled[j] *= layer.gain->at(j);
          result.add(Vector(scaled));
        }
        return result;
      }
      if (layer.residual) result.add(space);
      for (std::size_t h = 0; h < layer.heads; ++h) {
        if (layer.value) result.add_images(space, *layer.value, h * d * d);
        if (!layer.value) result.add(space);
      }
      if (is_linear && layer.bias_2) result.add(Vector(*layer.bias_2, 0, d));
      for (std::size_t i = 0; i < off.size() && result.dimension() < d; ++i) {
        if (!off[i]) off[i] = is_off(problem, used, k, i);
        if (!*off[i]) result.add(Vector(*layer.weight_2, i * d, d));
      }
      return result;
    };
    Span next_affine = next(affine, false), next_differences = next(differences, false);
    linear = next(linear, true);
    affine = std::move(next_affine);
    differences = std::move(next_differences);
  }
  return {linear.dimension(), affine.dimension(), differences.dimension()};
}

StackDimensions stack_dimensions(const Problem& problem) {
  const Case& source = problem.source;
  const std::size_t d = problem.d, n = problem.n;
  Span linear(d), differences(d);
  std::optional<Vector> first;
  std::size_t sequence = 0;
  for (const std::size_t row : used_rows(problem)) {
    const Vector x(*source.data.hidden, row * d, d);
    if (!first || row / n != sequence) first = x;
    sequence = row / n;
    linear.add(x);
    differences.add(combination({1, -1}, {x, *first}));
  }
  std::size_t q = linear.dimension(), v = differences.dimension();
  const auto exponents = [&](std::size_t heads, std::size_t d_h) -> Integer {
    const std::size_t m = std::min(d_h, v);
    return Integer(heads) * m * (v + q - m);
  };
  StackDimensions result;
  for (const Before& layer : source.before) {
    ENSURE(layer.kind == Before::Kind::attention, "layers of attention", "another one");
    result.weights += exponents(layer.heads, layer.head_dim);
    // Of what z_1, ..., z_H are together, and how much of that what is kept leaves room for.
    const Integer w = Integer(layer.heads - 1) * v + q;
    const std::size_t kept = layer.residual ? v : 0, room = d - kept;
    const std::size_t e = w < room ? w.get_ui() : room;
    result.weights += d * (w - e);
    q = kept + e;
    const Integer moved = Integer(layer.heads) * v + kept;
    v = moved < d ? moved.get_ui() : d;
  }
  result.weights += exponents(problem.H, problem.d_h);
  const Integer means = Integer(problem.H - 1) * v + q;
  result.means = means < problem.T ? means.get_ui() : problem.T;
  return result;
}

ComposedMeans composed_means(const Problem& problem) {
  const Case& source = problem.source;
  const std::size_t d = problem.d;
  struct Combined {
    Span all, differences;
  };
  std::map<std::set<std::size_t>, Combined> known;  // by rows
  std::vector<const Combined*> examples;
  ComposedMeans result;
  Span hidden(d);
  for (const std::size_t t : example_classes(problem).directions) {
    const auto tokens = tokens_of(*source.data.members, t);
    std::set<std::size_t> rows(tokens.begin(), tokens.end());
    for (std::size_t k = source.before.size(); k-- > 0;) {
      if (!source.before[k].members) continue;
      std::set<std::size_t> next;
      for (const std::size_t row : rows) {
        const auto list = tokens_of(*source.before[k].members, row);
        meter().work(list.size() * 20);
        next.insert(list.begin(), list.end());
      }
      rows = std::move(next);
    }
    const auto [at, is_new] = known.try_emplace(rows, Combined{Span(d), Span(d)});
    if (is_new) {
      const Vector first(*source.data.hidden, *rows.begin() * d, d);
      for (const std::size_t row : rows) {
        const Vector x(*source.data.hidden, row * d, d);
        at->second.all.add(x);
        at->second.differences.add(combination({1, -1}, {x, first}));
      }
      hidden.add(at->second.all);
      examples.push_back(&at->second);
    }
    const Integer moves = Integer(problem.H) * at->second.differences.dimension();
    result.moved += moves < problem.d_out ? moves : Integer(problem.d_out);
  }
  result.hidden = hidden.dimension();
  // A map E takes x to differences when f(x E) = 0 for all functionals f that are 0 on these.
  Span conditions(d * result.hidden);
  for (const Combined* const example : examples)
    for (const Vector& f : example->differences.annihilators())
      for (const Vector& x : example->all.basis()) {
        std::vector<Rational> condition;
        for (const Vector& y : hidden.basis())
          for (std::size_t j = 0; j < d; ++j) condition.push_back(dot(f, y) * x[j]);
        conditions.add(Vector(condition));
      }
  result.maps = result.hidden * result.hidden - conditions.dimension();
  return result;
}

std::size_t different_heads(const Problem& problem) {
  const Weights& weights = *problem.source.weights;
  const std::size_t d = problem.d, width = weights.combined ? d : weights.key->shape()[2];
  std::set<std::vector<Rational>> heads;
  for (std::size_t h = 0; h < problem.H; ++h) {
    std::vector<Rational> head;
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t first = (h * d + j) * width;
      const Vector key(weights.combined ? *weights.combined : *weights.key, first, width);
      for (std::size_t k = 0; k < d; ++k)
        head.push_back(weights.combined ? key[k]
                                        : dot(key, Vector(*weights.query, (h * d + k) * width, width)));
      head.push_back(weights.query_bias ? dot(key, Vector(*weights.query_bias, h * width, width))
                                        : Rational(0));
    }
    heads.insert(std::move(head));
  }
  return heads.size();
}

}  // namespace attest::checker
