#include "proofs/proof.hpp"

#include <algorithm>

#include "attention/layer.hpp"

namespace attest {

Json to_json(const Interval& interval) { return {{"lower", interval.lower}, {"upper", interval.upper}}; }

Verdict judge(const Interval& interval, const Claim& claim) {
  const mpz_class lower = static_cast<unsigned long>(interval.lower), upper = static_cast<unsigned long>(interval.upper);
  auto verdict = [](bool proved, bool disproved) {
    return proved ? Verdict::verified : disproved ? Verdict::refuted : Verdict::undecided;
  };
  if (claim.value) return verdict(lower == upper && lower == *claim.value, *claim.value < lower || *claim.value > upper);
  if (claim.at_least) return verdict(lower >= *claim.at_least, upper < *claim.at_least);
  if (claim.at_most) return verdict(upper <= *claim.at_most, lower > *claim.at_most);
  return verdict(lower == upper, false);
}

std::size_t affine_hull_bound(const Case& c, std::size_t hull_bound) {
  return std::min({c.layer->examples, c.layer->heads * c.layer->embed_dim, hull_bound});
}

Json bounds(const Case& c, std::size_t hull_bound) {
  return {{"paper_lower", paper_lower_bound(*c.layer)}, {"affine_hull", affine_hull_bound(c, hull_bound)}};
}

Json affine_hull_step(const AffineHull& hull, std::size_t heads) {
  Json step = {{"argument", "affine-hull"}, {"theorem", "affine-hull-bound"}};
  if (!hull.tokens.empty()) {
    step["witness"] = "tokens";
    step["tokens"] = Json::array();
    for (const auto& [t, i] : hull.tokens) step["tokens"].push_back({t, i});
  } else {
    step["witness"] = "functionals";
    step["functionals"] = Json::array();
    for (const Functional& f : hull.functionals) step["functionals"].push_back({{"v", to_json(f.v)}, {"c", to_json(f.c)}});
    step["p"] = hull.prime;
  }
  step["bound"] = hull.bound(heads);
  return step;
}

}  // namespace attest
