#include "checker/exact.hpp"

#include "checker/failure.hpp"

namespace attest::checker {

Rational to_rational(const mpq_class& value) {
  return Rational(value.get_mpq_t());
}

std::string text(const Rational& value) {
  std::string digits = value.str();
  if (digits.size() > 60) digits = digits.substr(0, 57) + "...";
  return digits;
}

Integer floor(const Rational& value) {
  Integer result;
  mpz_fdiv_q(result.backend().data(), mpq_numref(value.backend().data()), mpq_denref(value.backend().data()));
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
  for (const Rational& entry : entries) den = lcm(den, denominator(entry));
  num.reserve(entries.size());
  for (const Rational& entry : entries) num.push_back(numerator(entry) * (den / denominator(entry)));
}

Rational dot(const Vector& a, const Vector& b) {
  Integer sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mpz_addmul(sum.backend().data(), a.num[i].backend().data(), b.num[i].backend().data());
  }
  return Rational(sum, Integer(a.den * b.den));
}

bool is_zero(const Vector& v) {
  for (const Integer& entry : v.num) {
    if (entry != 0) return false;
  }
  return true;
}

Vector combination(const std::vector<Rational>& factors, const std::vector<const Vector*>& vectors) {
  Integer den = 1;
  for (std::size_t k = 0; k < factors.size(); ++k)
    den = lcm(den, Integer(denominator(factors[k]) * vectors[k]->den));
  std::vector<Integer> num(vectors.front()->size());
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (factors[k] == 0) continue;
    const Integer factor = numerator(factors[k]) * (den / (denominator(factors[k]) * vectors[k]->den));
    for (std::size_t j = 0; j < num.size(); ++j) {
      mpz_addmul(num[j].backend().data(), factor.backend().data(), vectors[k]->num[j].backend().data());
    }
  }
  return Vector(std::move(num), std::move(den));
}

std::vector<Integer> primitive(const Vector& v) {
  Integer common;
  for (const Integer& entry : v.num) common = gcd(common, entry);
  std::vector<Integer> result = v.num;
  if (common != 0) {
    for (Integer& entry : result) entry /= common;
  }
  return result;
}

Word residue(const Integer& value, Word modulus) {
  return mpz_fdiv_ui(value.backend().data(), modulus);
}

Word residue(const Rational& value, Word modulus) {
  const Word den = residue(Integer(denominator(value)), modulus);
  ensure(den != 0, "a denominator prime to " + std::to_string(modulus), text(value));
  return multiply(residue(Integer(numerator(value)), modulus), inverse(den, modulus), modulus);
}

Row residues(const Vector& v, Word modulus) {
  const Word den = residue(v.den, modulus);
  ensure(den != 0, "denominators prime to " + std::to_string(modulus),
         "a vector with the denominator " + text(v.den));
  const Word scale = inverse(den, modulus);
  Row result;
  result.reserve(v.size());
  for (const Integer& entry : v.num) result.push_back(multiply(residue(entry, modulus), scale, modulus));
  return result;
}

}  // namespace attest::checker
