// Relations between the rows or columns of Z behind layers without exponentials. Those with constant values
// are found in residues, the others by Cramer's rule, while they are small; every one is multiplied out
// before it is written.
#include "proofs/algebraic.hpp"

#include <algorithm>
#include <map>

#include "base/errors.hpp"
#include "proofs/cramer.hpp"
#include "search/arithmetic/balls.hpp"
#include "search/arithmetic/owned.hpp"

namespace attest {
namespace {

constexpr std::size_t kCircuit = 8;  // rows of a relation by Cramer's rule
constexpr slong kAlgebraicPrecisions[] = {128, 1024, 8192};

Json written(const RootField& field, const RootNumber& x) {
  if (x.empty()) return "0";
  if (x.size() == 1 && x.begin()->first == 0) return Json(x.begin()->second);
  Json terms = Json::array();
  for (const auto& [set, c] : x) terms.push_back(Json::array({Json(c), Json(field.radicand(set))}));
  return terms;
}

Json written(const RootField& field, const AlgebraicVector& vector) {
  Json result = Json::array();
  for (const auto& [index, value] : vector) {
    const auto& [x, c] = *value.begin();
    const bool rational = value.size() == 1 && x.empty() && c.size() == 1 && c.begin()->first == 0;
    Json terms = Json::array();
    for (const auto& [exponent, coefficient] : value)
      terms.push_back(Json::array({written(field, coefficient), written(field, exponent)}));
    result.push_back(Json::array({Json(index), rational ? Json(c.begin()->second) : terms}));
  }
  return result;
}

Ball enclosed(const RootField& field, const RootNumber& x, slong precision) {
  Ball sum, root;
  for (const auto& [set, c] : x) {
    root = Ball(field.radicand(set), precision);
    arb_sqrt(root.get(), root.get(), precision);
    arb_addmul(sum.get(), root.get(), Ball(c, precision).get(), precision);
  }
  return sum;
}

// With how many bits a checker sees that the value, divided by a sum of powers, is not 0; empty if these
// enclosures do not show it.
std::optional<std::size_t> bits_to_show(const Case& c, const RootField& field, const RootPowers& value) {
  if (value.size() == 1 && value.begin()->second.size() == 1) return 0;
  for (const slong precision : kAlgebraicPrecisions) {
    Ball scale(c.layer->logit_scale.irrational() ? mpq_class(1, c.layer->logit_scale.radicand)
                                                 : c.layer->logit_scale.rational,
               precision);
    if (c.layer->logit_scale.irrational()) arb_sqrt(scale.get(), scale.get(), precision);
    Ball sum, all, size;  // of the value, of the powers, and of all numbers
    arb_one(size.get());
    BallMatrix exponents(value.size(), 1);
    std::size_t k = 0;
    Ball top;
    for (const auto& [x, coefficient] : value) {
      Ball& exponent = exponents(k, 0);
      exponent = enclosed(field, x, precision);
      arb_mul(exponent.get(), exponent.get(), scale.get(), precision);
      if (k++ == 0)
        top = exponent;
      else
        arb_max(top.get(), top.get(), exponent.get(), precision);
      for (const RootNumber* const number : {&x, &coefficient})
        for (const auto& [set, part] : *number) {
          Ball term = enclosed(field, {{set, part}}, precision);
          arb_abs(term.get(), term.get());
          arb_add(size.get(), size.get(), term.get(), precision);
        }
    }
    k = 0;
    for (const auto& [x, coefficient] : value) {
      Ball power;
      arb_sub(power.get(), exponents(k++, 0).get(), top.get(), precision);
      arb_exp(power.get(), power.get(), precision);
      arb_add(all.get(), all.get(), power.get(), precision);
      arb_addmul(sum.get(), power.get(), enclosed(field, coefficient, precision).get(), precision);
    }
    arb_div(sum.get(), sum.get(), all.get(), precision);
    OwnedMagnitude least, most;
    arb_get_mag_lower(least, sum.get());
    arb_get_mag(most, size.get());
    if (mag_is_zero(least) != 0 || mag_is_inf(most) != 0) continue;
    const slong needed =
        64 + 2 * fmpz_get_si(MAG_EXPREF(most)) - std::min<slong>(0, fmpz_get_si(MAG_EXPREF(least)));
    if (needed <= static_cast<slong>(kMostBits)) return static_cast<std::size_t>(needed);
  }
  return std::nullopt;
}

// The step for vectors of which each has, with so many bits, an index where it is not 0 and later ones have
// no entry.
void add_step(const AlgebraicLayer& layer, const std::string& of, bool left,
              const std::vector<AlgebraicVector>& vectors, std::size_t bits, ProofScript& script) {
  Json written_vectors = Json::array();
  for (const AlgebraicVector& vector : vectors) written_vectors.push_back(written(layer.field(), vector));
  Json keys = {{"side", left ? "left" : "right"}, {"vectors", std::move(written_vectors)}};
  if (bits > 0) keys["precision"] = bits;
  const std::size_t size = left ? layer.T : layer.H * layer.d;
  script.add("algebraic", Fact::at_most(of, size - vectors.size()), keys);
}

// The values over what all have in common.
void reduce(std::vector<RootPowers>& values) {
  RootNumber least;
  mpz_class numerators = 0, denominators = 1;
  for (const RootPowers& value : values)
    for (const auto& [x, c] : value) {
      if (least.empty()) least = x;
      for (const auto& [set, part] : c) {
        mpz_gcd(numerators.get_mpz_t(), numerators.get_mpz_t(), part.get_num_mpz_t());
        mpz_lcm(denominators.get_mpz_t(), denominators.get_mpz_t(), part.get_den_mpz_t());
      }
    }
  mpq_class factor(denominators, numerators);
  factor.canonicalize();
  for (RootPowers& value : values) {
    RootPowers divided;
    for (const auto& [x, c] : value) {
      RootNumber exponent = x, coefficient;
      add(exponent, least, -1);
      add(coefficient, c, factor);
      divided.emplace(std::move(exponent), std::move(coefficient));
    }
    value = std::move(divided);
  }
}

// Relations by Cramer's rule, of one row each that depends on earlier ones, but those that are given.
void add_circuits(const Case& c, AlgebraicLayer& layer, std::vector<AlgebraicVector> vectors,
                  ProofScript& script) {
  const ModularMatrix image = layer.image(0);
  const std::uint64_t p = layer.prime();
  const ModularMatrix kernel = left_kernel(image, p);
  std::set<std::size_t> known;  // where a given vector alone is not 0
  for (const AlgebraicVector& vector : vectors) known.insert(vector.back().first);
  std::size_t bits = 0;
  for (std::size_t k = 0; k < kernel.rows(); ++k) {
    std::vector<std::size_t> rows;
    for (std::size_t t = 0; t < layer.T; ++t)
      if (kernel(k, t) != 0) rows.push_back(t);
    if (known.contains(rows.back())) continue;
    if (rows.size() > kCircuit) return;
    const MinorIndices minor = rank_profiles(submatrix(image, rows), p);
    if (minor.rank() + 1 != rows.size()) return;
    std::vector<RootPowers> y = cramer_relation(layer, rows, minor.cols);
    reduce(y);
    AlgebraicVector vector;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (!y[i].empty()) vector.emplace_back(rows[i], std::move(y[i]));
    if (vector.empty() || vector.back().first != rows.back() || !layer.annihilated(true, vector)) return;
    const auto shown = bits_to_show(c, layer.field(), vector.back().second);
    if (!shown) return;
    bits = std::max(bits, *shown);
    vectors.push_back(std::move(vector));
  }
  script.label("relations of the rows of Z whose coefficients are sums of powers of b");
  add_step(layer, kRank, true, vectors, bits, script);
}

}  // namespace

std::optional<AlgebraicLayer> algebraic_layer(const Case& c) {
  if (!AlgebraicLayer::fits(c)) return std::nullopt;
  try {
    return AlgebraicLayer(c);
  } catch (const LimitError&) {
    return std::nullopt;
  }
}

std::size_t believed_rank(AlgebraicLayer& layer) {
  return rank_profiles(layer.image(0), layer.prime()).rank();
}

void add_algebraic_rank(const Case& c, AlgebraicLayer& layer, ProofScript& script) {
  const auto open = [&] { return believed_rank(layer) < upper_bound_of(script, kRank); };
  try {
    std::vector<AlgebraicVector> constant;
    for (const bool left : {false, true}) {
      if (!open()) return;
      constant = layer.constant_kernel(left);
      const std::size_t size = left ? layer.T : layer.H * layer.d;
      if (constant.empty() || size - constant.size() >= upper_bound_of(script, kRank)) continue;
      script.label(left ? "relations of the rows of Z" : "relations of the columns of Z");
      add_step(layer, kRank, left, constant, 0, script);
    }
    if (open()) add_circuits(c, layer, std::move(constant), script);
  } catch (const LimitError&) {
    // No more relations are shown.
  }
}

std::size_t add_algebraic_pairs(AlgebraicLayer& layer, ProofScript& script) {
  const ModularMatrix image = layer.image(0);
  std::map<std::vector<std::uint64_t>, std::size_t> first;
  std::vector<AlgebraicVector> pairs;
  for (std::size_t t = 0; t < layer.T; ++t) {
    const auto [place, is_new] =
        first.emplace(std::vector<std::uint64_t>(image.row(t), image.row(t) + image.cols()), t);
    if (is_new) continue;
    AlgebraicVector pair = {{place->second, layer.one()}, {t, {{RootNumber(), {{0, -1}}}}}};
    if (layer.annihilated(true, pair)) pairs.push_back(std::move(pair));
  }
  if (layer.T - pairs.size() < upper_bound_of(script, kDifferent)) {
    script.label("equal rows of Z");
    add_step(layer, kDifferent, true, pairs, 0, script);
  }
  return first.size();
}

}  // namespace attest
