#include "kernel/arithmetic/root_sum.hpp"

#include "base/meter.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

Word limbs(const Integer& x) {
  return mpz_size(x.get_mpz_t());
}

/// Greatest common divisors and quotients.
void count_division(const Integer& a, const Integer& b) {
  meter().work(40 + 10 * limbs(a) * limbs(b));
}

bool divides(const Integer& d, const Integer& x) {
  return mpz_divisible_p(x.get_mpz_t(), d.get_mpz_t()) != 0;
}

}  // namespace

void RootSum::add(const Rational& c, const Integer& radicand) {
  meter().work(60 + 4 * limbs(radicand));
  if (c == 0) return;
  const auto [place, inserted] = terms_.try_emplace(radicand, c);
  if (inserted) return;
  meter().work(operation_cost(place->second, c));
  place->second += c;
  if (place->second == 0) terms_.erase(place);
}

RootSum& RootSum::operator+=(const RootSum& other) {
  for (const auto& [radicand, c] : other.terms_) add(c, radicand);
  return *this;
}

RootSum RootSum::operator*(const RootSum& other) const {
  RootSum result;
  for (const auto& [r, c] : terms_) {
    for (const auto& [s, e] : other.terms_) {
      // Members of the base that both have in common leave the root.
      count_division(r, s);
      const Integer common = gcd(r, s);
      meter().work(operation_cost(c, e) + operation_cost(c, Rational(common)));
      result.add(c * e * common, (r / common) * (s / common));
    }
  }
  return result;
}

RootSum RootSum::operator-() const {
  RootSum result;
  for (const auto& [radicand, c] : terms_) result.add(-c, radicand);
  return result;
}

bool RootSum::operator<(const RootSum& other) const {
  // By the first coefficient in which they differ.
  auto a = terms_.begin(), b = other.terms_.begin();
  for (; a != terms_.end() && b != other.terms_.end(); ++a, ++b) {
    meter().work(20);
    if (a->first < b->first) return a->second < 0;
    if (b->first < a->first) return b->second > 0;
    meter().work(operation_cost(a->second, b->second));
    if (a->second != b->second) return a->second < b->second;
  }
  return a != terms_.end() ? a->second < 0 : b != other.terms_.end() && b->second > 0;
}

void Radicands::add(const Integer& n) {
  std::vector<Integer> rest = {n};
  while (!rest.empty()) {
    Integer x = std::move(rest.back());
    rest.pop_back();
    count_division(x, x);
    while (x > 1 && mpz_perfect_square_p(x.get_mpz_t()) != 0) x = sqrt(x);
    if (x == 1) continue;
    std::size_t k = 0;
    Integer common = 1;
    for (; k < base_.size() && common == 1; ++k) {
      count_division(x, base_[k]);
      common = gcd(x, base_[k]);
    }
    if (common == 1) {
      base_.push_back(std::move(x));
      continue;
    }
    Integer& member = base_[k - 1];
    rest.push_back(x / common);
    if (common == member) continue;
    rest.push_back(common);
    rest.push_back(member / common);
    base_.erase(base_.begin() + static_cast<std::ptrdiff_t>(k - 1));
  }
}

RootSum Radicands::root(const Integer& n, const Rational& c) const {
  Rational factor = c;
  Integer radicand = 1, rest = n;
  for (const Integer& member : base_) {
    meter().work(20 + 4 * limbs(rest));
    while (divides(member, rest)) {
      count_division(rest, member);
      rest /= member;
      if (divides(member, rest)) {
        rest /= member;
        factor *= member;
      } else {
        radicand *= member;
      }
    }
  }
  ENSURE(rest == 1, "square roots of integers of the base", "another one");
  RootSum result;
  result.add(factor, radicand);
  return result;
}

void RootPowers::add(Scalar& sum, const Scalar& term, const RootSum& c) const {
  for (const auto& [x, coefficient] : term) {
    meter().work(100);
    const RootSum product = coefficient * c;
    if (product.is_zero()) continue;
    RootSum& place = sum[x];
    place += product;
    if (place.is_zero()) sum.erase(x);
  }
}

RootPowers::Scalar RootPowers::multiply(const Scalar& a, const Scalar& b) const {
  Scalar product;
  for (const auto& [x, c] : a) {
    for (const auto& [y, e] : b) {
      RootSum exponent = x;
      exponent += y;
      add(product, {{exponent, c}}, e);
    }
  }
  return product;
}

}  // namespace attest::kernel
