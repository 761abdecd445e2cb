#include "search/arithmetic/root_field.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/meter.hpp"

namespace attest {

void add(RootNumber& sum, const RootNumber& term, const mpq_class& factor) {
  if (factor == 0) return;
  for (const auto& [set, c] : term) {
    mpq_class& place = sum[set];
    place += factor * c;
    if (place == 0) sum.erase(set);
  }
}

RootField::RootField(const std::set<mpz_class>& radicands) {
  std::vector<mpz_class> pending(radicands.begin(), radicands.end());
  while (!pending.empty()) {
    mpz_class x = std::move(pending.back());
    pending.pop_back();
    meter().work(100 * (1 + generators_.size()) * (1 + mpz_size(x.get_mpz_t())));
    while (x > 1 && mpz_perfect_square_p(x.get_mpz_t()) != 0) x = sqrt(x);
    if (x == 1) continue;
    const auto meets = std::ranges::find_if(generators_, [&](const mpz_class& g) { return gcd(g, x) != 1; });
    if (meets == generators_.end()) {
      generators_.push_back(std::move(x));
      if (generators_.size() > kMostGenerators)
        throw LimitError("square roots of too many different numbers");
      continue;
    }
    // The product of all numbers shrinks.
    const mpz_class g = *meets, common = gcd(g, x);
    generators_.erase(meets);
    for (const mpz_class& part : {common, mpz_class(g / common), mpz_class(x / common)})
      pending.push_back(part);
  }
}

RootNumber RootField::root(const mpz_class& n, const mpq_class& c) const {
  mpq_class factor = c;
  mpz_class rest = n;
  std::uint64_t set = 0;
  for (std::size_t k = 0; k < generators_.size(); ++k) {
    const mp_bitcnt_t times = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), generators_[k].get_mpz_t());
    if (times % 2 == 1) set |= std::uint64_t{1} << k;
    mpz_class power;
    mpz_pow_ui(power.get_mpz_t(), generators_[k].get_mpz_t(), times / 2);
    factor *= power;
  }
  factor *= sqrt(rest);
  RootNumber result;
  add(result, {{set, 1}}, factor);
  return result;
}

RootNumber RootField::multiply(const RootNumber& a, const RootNumber& b) const {
  RootNumber result;
  add_product(result, a, b);
  return result;
}

void RootField::add_product(RootNumber& sum, const RootNumber& a, const RootNumber& b) const {
  meter().work(200 * a.size() * b.size());
  mpq_class product;
  for (const auto& [s, c] : a)
    for (const auto& [t, e] : b) {
      product = c * e;
      if ((s & t) != 0) product *= radicand(s & t);
      const auto [place, is_new] = sum.try_emplace(s ^ t);
      place->second += product;
      if (place->second == 0) sum.erase(place);
    }
}

mpz_class RootField::radicand(std::uint64_t set) const {
  mpz_class result = 1;
  for (std::size_t k = 0; k < generators_.size(); ++k)
    if ((set >> k & 1) != 0) result *= generators_[k];
  return result;
}

}  // namespace attest
