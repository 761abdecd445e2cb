// The ring of sums of c b^x (c, x rational) in which the coefficients of attention live.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checker/exact.hpp"
#include "checker/failure.hpp"
#include "checker/kruskal.hpp"
#include "input/case_file.hpp"

namespace attest::checker {

/// Which number b is, and so which relations its powers have (docs/certificate.md, The ring).
struct Ring {
  const char* theorem = "lindemann-weierstrass";
  bool two = false;     ///< b = 2: 2^x is 2^floor(x) 2^(x - floor(x))
  Rational factor = 1;  ///< of the logits; not 1 only for b = 2, where the scale is multiplied in

  /// Of the case's base and scale; `absorbed`: with scale 1, as for constructed weights.
  static Ring of(const Dimensions& layer, bool absorbed) {
    if (layer.base == Base::e) return {};
    if (absorbed) return {"base-2", true, 1};
    if (layer.logit_scale.irrational()) return {"gelfond-schneider", false, 1};
    return {"base-2", true, to_rational(layer.logit_scale.rational)};
  }
};

/// The homomorphism c -> c mod p, b^x -> g^(x mod q), p = 2 q + 1. Constructed by layer.cpp, which checks p
/// and g.
struct Character {
  Word p, q, g;
};

/// An element: exponents (normalised when b = 2) with their non-zero coefficients.
class Element {
public:
  /// Adds c b^x. `max_power` bounds |floor x| when b = 2, where 2^floor(x) is multiplied out.
  void add(const Ring& ring, const Rational& c, const Rational& x, std::size_t max_power) {
    if (c == 0) return;
    if (!ring.two) return collect(x, c);
    const Integer whole = floor(x);
    if (abs(whole) > max_power) throw LimitError("a power 2^x with |x| > " + std::to_string(max_power));
    Rational scaled = c;
    const long shift = static_cast<long>(whole);
    if (shift >= 0)
      mpq_mul_2exp(scaled.backend().data(), scaled.backend().data(), static_cast<mp_bitcnt_t>(shift));
    if (shift < 0)
      mpq_div_2exp(scaled.backend().data(), scaled.backend().data(), static_cast<mp_bitcnt_t>(-shift));
    collect(x - whole, scaled);
  }

  void add(const Element& other) {
    for (const auto& [x, c] : other.terms_) collect(x, c);
  }

  Element times(const Ring& ring, const Element& other, std::size_t max_power, Work& work) const {
    work.spend(terms_.size() * other.terms_.size());
    Element product;
    for (const auto& [x, c] : terms_) {
      for (const auto& [y, e] : other.terms_) product.add(ring, c * e, x + y, max_power);
    }
    return product;
  }

  /// Zero as a real number, by the ring's theorem.
  bool zero() const { return terms_.empty(); }

  Word image(const Character& character) const {
    Word sum = 0;
    for (const auto& [x, c] : terms_) {
      const Word value = power(character.g, residue(x, character.q), character.p);
      sum = (sum + multiply(residue(c, character.p), value, character.p)) % character.p;
    }
    return sum;
  }

private:
  void collect(const Rational& x, const Rational& c) {
    const auto [place, inserted] = terms_.try_emplace(x, c);
    if (inserted) return;
    place->second += c;
    if (place->second == 0) terms_.erase(place);
  }

  std::map<Rational, Rational> terms_;
};

}  // namespace attest::checker
