// Attention over a commutative ring in which b^x has a value: residues modulo a prime, and sums of powers of
// b. Real numbers are enclosed without this (enclosed_z.cpp).
#pragma once

#include <map>
#include <vector>

#include "base/errors.hpp"
#include "kernel/arithmetic/exact.hpp"
#include "problem/case.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {

/// Which number b is, and so which relations its powers have (docs/certificate.md, The ring).
struct Ring {
  bool two = false;       ///< b = 2: 2^x is 2^floor(x) 2^(x - floor(x)); otherwise powers are independent
  Rational factor = 1;    ///< of the logits; not 1 only for b = 2, where the scale is multiplied in
  bool absorbed = false;  ///< the logit scale is part of the weights: b is 2 or e itself

  static Ring of(const Dimensions& layer, bool absorbed) {
    const bool two = layer.base == attest::Base::two && (absorbed || !layer.logit_scale.irrational());
    return {two, two && !absorbed ? layer.logit_scale.rational : Rational(1), absorbed};
  }
};

/// One example and head: b^logit for each token, and their sum. A coefficient is a power over the sum.
template <class Field>
struct Attention {
  std::vector<typename Field::Scalar> powers;
  typename Field::Scalar sum;
};

template <class Field>
Attention<Field> attention(const Field& field, const std::vector<typename Field::Exponent>& logits) {
  Attention<Field> result{{}, typename Field::Scalar()};
  result.powers.reserve(logits.size());
  for (const auto& logit : logits) {
    result.powers.push_back(field.power(logit));
    field.add(result.sum, result.powers.back(), 1);
  }
  return result;
}

/// sum_i b^logit_i c_i: an entry of Z times the sum of its head, c_i being coordinate j of token i.
template <class Field>
typename Field::Scalar numerator(const Field& field, const Attention<Field>& head,
                                 const std::vector<Vector>& tokens, std::size_t j) {
  typename Field::Scalar result{};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].num[j] != 0) field.add(result, head.powers[i], tokens[i][j]);
  }
  return result;
}

/// The ring of sums of c b^x, c and x rational.
struct PowerSums {
  using Exponent = Rational;
  using Scalar = std::map<Exponent, Rational>;  ///< no coefficient is 0; the empty sum is 0

  bool two = false;  ///< as in Ring

  /// Adds c b^x.
  void add_term(Scalar& sum, const Rational& c, const Exponent& x) const {
    if (!two || (x >= 0 && x < 1)) return collect(sum, c, x);
    const Integer whole = floor(x);
    if (mpz_sizeinbase(whole.get_mpz_t(), 2) > 36) throw LimitError("a power 2^x with |x| >= 2^36");
    Rational scaled;
    if (whole > 0) mpq_mul_2exp(scaled.get_mpq_t(), c.get_mpq_t(), whole.get_ui());
    if (whole < 0) mpq_div_2exp(scaled.get_mpq_t(), c.get_mpq_t(), Integer(-whole).get_ui());
    collect(sum, scaled, x - whole);
  }

  Scalar power(const Exponent& x) const {
    Scalar result;
    add_term(result, 1, x);
    return result;
  }

  /// sum += c term.
  void add(Scalar& sum, const Scalar& term, const Rational& c) const {
    for (const auto& [x, coefficient] : term) collect(sum, c * coefficient, x);
  }

  Scalar multiply(const Scalar& a, const Scalar& b) const {
    Scalar product;
    for (const auto& [x, c] : a)
      for (const auto& [y, e] : b) add_term(product, c * e, x + y);
    return product;
  }

private:
  void collect(Scalar& sum, const Rational& c, const Exponent& x) const {
    if (c == 0) return;
    const auto [place, inserted] = sum.try_emplace(x, c);
    if (inserted) return;
    place->second += c;
    if (place->second == 0) sum.erase(place);
  }
};

/// The homomorphism c -> c mod p, b^x -> g^(x mod q), p = 2 q + 1.
struct Character {
  Word p, q, g;

  /// Checks the conditions on p and g that make it a homomorphism.
  Character(const Ring& ring, Word prime, Word generator) : p(prime), q((prime - 1) / 2), g(generator) {
    ENSURE(p < kBlockedLimit, "p < 2^23", std::to_string(p));
    ENSURE(p % 2 == 1 && is_prime(p), "an odd prime p", std::to_string(p));
    // q = 2 would let denominators of binary floats through.
    ENSURE(q != 2 && is_prime(q), "p with (p - 1)/2 an odd prime", std::to_string(p));
    ENSURE(g > 1 && g < p && kernel::power(g, q, p) == 1, "g of order q = (p - 1)/2 mod p",
           std::to_string(g));
    ENSURE(!ring.two || g == 2, "g = 2, the image of b = 2", std::to_string(g));
  }

  Word image(const PowerSums::Scalar& element) const {
    Word sum = 0;
    for (const auto& [x, c] : element)
      sum = (sum + multiply(residue(c, p), kernel::power(g, residue(x, q), p), p)) % p;
    return sum;
  }
};

/// Powers of the image of b modulo p, from tables for the lower and the higher bits of the exponent.
class PowerResidues {
public:
  using Exponent = Word;  ///< mod q < 2^22
  using Scalar = Word;

  explicit PowerResidues(const Character& character) : p_(character.p) {
    Word base = character.g;
    for (std::vector<Word>* table : {&lower_, &higher_}) {
      for (Word next = 1; table->size() < 2048; next = next * base % p_) table->push_back(next);
      base = table->back() * base % p_;
    }
  }
  Word power(Word exponent) const { return lower_[exponent % 2048] * higher_[exponent / 2048] % p_; }
  void add(Word& sum, Word term, int) const { sum = (sum + term) % p_; }

private:
  Word p_;
  std::vector<Word> lower_, higher_;
};

}  // namespace attest::kernel
