// Theorem 1 (memorization). Under Assumptions 1 and 2 a layer with H heads memorizes T <= H (r - 1) + 1
// examples with any labels.
//
// Step 1 is Proposition 1 with T rows: Z has full row rank. Step 2 solves Z U = Y (F6): with U supported on T
// columns with a non-singular minor the solution is unique, and it is enclosed by ball arithmetic, or written
// down where Z is rational (base 2, integer logits).
#include "proofs/theorem_1.hpp"

#include <algorithm>

#include "exact/balls.hpp"
#include "proofs/hypotheses.hpp"
#include "proofs/proposition_1.hpp"
#include "proofs/propositions.hpp"

namespace attest {
namespace {

constexpr slong kBallBits = 96;  // of the mid-points in the certificate
constexpr slong kMaxPrecision = 1 << 14;
constexpr std::size_t kExactExamples = 40;
constexpr std::size_t kExactBits = 1 << 14;  // total size of the logits of an example, base 2

using Logits = std::vector<std::vector<std::vector<mpq_class>>>;  // [t][h][i]

Logits all_logits(const AttentionLayer& layer) {
  const Dimensions& dims = layer.dims();
  Logits logits(dims.examples);
  for (std::size_t t = 0; t < dims.examples; ++t)
    for (std::size_t h = 0; h < dims.heads; ++h) logits[t].push_back(layer.logits(t, h));
  return logits;
}

// Rational read-out: base 2 with integer logits of moderate size.
std::optional<Json> exact_readout(const Case& c, const AttentionLayer& layer, const Logits& logits,
                                  const std::vector<std::size_t>& cols, const RationalMatrix& labels) {
  const Dimensions& dims = *c.layer;
  if (dims.base != Base::two || dims.examples > kExactExamples) return std::nullopt;
  mpz_class bits = 0;
  for (const auto& example : logits) {
    mpz_class spread = 0;
    for (const auto& head : example)
      for (const mpq_class& l : head) {
        if (l.get_den() != 1) return std::nullopt;
        spread = std::max(spread, mpz_class(abs(l.get_num() - head[0].get_num())));
      }
    bits = std::max(bits, mpz_class(spread * static_cast<unsigned long>(dims.heads)));
  }
  if (bits > static_cast<unsigned long>(kExactBits)) return std::nullopt;

  const std::size_t T = dims.examples;
  RationalMatrix minor(T, T);
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<std::vector<mpq_class>> tokens;
    for (std::size_t i = 0; i < dims.context; ++i) tokens.push_back(layer.token(t, i));
    std::vector<std::vector<mpq_class>> alpha;
    for (const auto& head : logits[t]) {
      std::vector<mpq_class> powers;
      mpq_class sum = 0;
      for (const mpq_class& l : head) {
        const mpz_class e = l.get_num() - head[0].get_num();
        mpq_class power = 1;
        if (e >= 0)
          mpq_mul_2exp(power.get_mpq_t(), power.get_mpq_t(), e.get_ui());
        else
          mpq_div_2exp(power.get_mpq_t(), power.get_mpq_t(), mpz_class(-e).get_ui());
        sum += power;
        powers.push_back(power);
      }
      for (mpq_class& x : powers) x /= sum;
      alpha.push_back(std::move(powers));
    }
    for (std::size_t k = 0; k < T; ++k) {
      const std::size_t h = cols[k] / dims.embed_dim, j = cols[k] % dims.embed_dim;
      for (std::size_t i = 0; i < dims.context; ++i) minor(t, k) += alpha[h][i] * tokens[i][j];
    }
  }
  const auto u = solve(minor, labels);
  if (!u) return std::nullopt;
  Json step = {{"argument", "readout-exact"},
               {"theorem", "exact-solution"},
               {"cols", to_json(cols)},
               {"weights", Json::array()}};
  for (std::size_t k = 0; k < T; ++k) {
    Json row = Json::array();
    for (std::size_t o = 0; o < dims.output_dim; ++o) row.push_back(to_json((*u)(k, o)));
    step["weights"].push_back(std::move(row));
  }
  return step;
}

// Z on the given columns, as balls.
BallMatrix z_minor(const AttentionLayer& layer, const Logits& logits, const std::vector<std::size_t>& cols,
                   slong precision) {
  const Dimensions& dims = layer.dims();
  BallMatrix minor(dims.examples, cols.size());
  for (std::size_t t = 0; t < dims.examples; ++t) {
    std::vector<std::vector<mpq_class>> tokens;
    for (std::size_t i = 0; i < dims.context; ++i) tokens.push_back(layer.token(t, i));
    std::vector<std::vector<Ball>> alpha;
    for (const auto& head : logits[t]) alpha.push_back(softmax(dims.base, head, precision));
    for (std::size_t k = 0; k < cols.size(); ++k)
      for (std::size_t i = 0; i < dims.context; ++i) {
        const Ball x(tokens[i][cols[k] % dims.embed_dim], precision);
        arb_addmul(minor(t, k).get(), alpha[cols[k] / dims.embed_dim][i].get(), x.get(), precision);
      }
  }
  return minor;
}

std::optional<Json> enclosed_readout(const Case& c, const AttentionLayer& layer, const Logits& logits,
                                     const std::vector<std::size_t>& cols,
                                     const RationalMatrix& exact_labels) {
  const Dimensions& dims = *c.layer;
  const std::size_t T = dims.examples;
  // Elimination with balls loses about a bit a row; the certificate asks for accuracy to spare, so that a
  // checker whose intervals are a little wider can follow at the same precision.
  for (slong precision = 256 + 4 * static_cast<slong>(T); precision <= kMaxPrecision; precision *= 2) {
    BallMatrix labels(T, dims.output_dim);
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t o = 0; o < dims.output_dim; ++o) labels(t, o) = Ball(exact_labels(t, o), precision);
    const auto u = solve(z_minor(layer, logits, cols, precision), labels, precision);
    if (!u || accuracy(*u) < 2 * kBallBits) continue;
    Json step = {{"argument", "readout-enclosure"},
                 {"theorem", "nonsingular-minor-and-enclosure"},
                 {"cols", to_json(cols)},
                 {"precision", 2 * precision},
                 {"weights", Json::array()}};
    for (std::size_t k = 0; k < T; ++k) {
      Json row = Json::array();
      for (std::size_t o = 0; o < dims.output_dim; ++o) {
        const BallText ball = rounded_outwards((*u)(k, o), kBallBits);
        row.push_back({{"mid", ball.mid}, {"rad", ball.rad}});
      }
      step["weights"].push_back(std::move(row));
    }
    return step;
  }
  return std::nullopt;
}

}  // namespace

ClaimProof memorize(const Case& c, const Claim& claim, const Effort& effort,
                    const std::optional<RationalMatrix>& labels) {
  ClaimProof proof;
  const Dimensions& dims = *c.layer;
  const std::size_t T = dims.examples;
  const bool few_enough = T <= dims.heads * (head_rank(dims) - 1) + 1;
  if (!few_enough) proof.steps.push_back({{"argument", "too-many-examples"}, {"theorem", "arithmetic"}});
  const Hypotheses hypotheses = decide_hypotheses(c, effort, proof.steps);
  const AffineHull hull = cheapest_affine_hull(c);
  proof.steps.push_back(affine_hull_step(hull, dims.heads));
  proof.result["bounds"] = bounds(c, hull.bound(dims.heads));

  // Beyond the theorem's bound the construction may still reach T (it cannot when the affine hull forbids
  // it).
  std::optional<Construction> construction;
  if (affine_hull_bound(c, hull.bound(dims.heads)) >= T) construction = construct(c, T, head_rank(dims));
  if (construction) {
    append_construction(c, claim, effort, *construction, proof.steps);
    proof.result["rank"] =
        to_json(Interval{construction->minor().rank(), affine_hull_bound(c, hull.bound(dims.heads))});
    if (labels && T <= effort.readout_examples) {
      const AttentionLayer layer(c, construction->factors());
      const std::vector<std::size_t> cols = construction->minor().cols;
      const Logits logits = all_logits(layer);
      auto readout = exact_readout(c, layer, logits, cols, *labels);
      if (!readout) readout = enclosed_readout(c, layer, logits, cols, *labels);
      if (readout) proof.steps.push_back(std::move(*readout));
    }
  }
  proof.result["hypotheses"] = {
      {"assumption-1", status_name(hypotheses.assumption_1, construction.has_value())},
      {"assumption-2", status_name(hypotheses.assumption_2, false)},
      {"examples", few_enough ? "holds" : "fails"}};
  proof.result["conclusion"] = construction ? "proved" : "open";
  const std::size_t parameters = dims.heads * dims.embed_dim * (2 * dims.head_dim + dims.value_dim) +
                                 dims.heads * dims.value_dim * dims.output_dim +
                                 dims.output_dim * dims.output_dim;
  proof.result["parameters"] = {{"layer", parameters},
                                {"memorized", T * dims.output_dim},
                                {"most_examples", parameters / dims.output_dim}};
  proof.verdict = hypotheses.fails() || !few_enough ? Verdict::inapplicable
                  : construction                    ? Verdict::verified
                                                    : Verdict::undecided;
  if (proof.verdict == Verdict::undecided)
    proof.reason = "the induction found no fresh set that it could use";
  return proof;
}

ClaimProof prove_theorem_1(const Case& c, const Claim& claim, const Effort& effort) {
  std::optional<RationalMatrix> labels;
  if (c.data.labels) labels = rational_matrix(*c.data.labels);
  return memorize(c, claim, effort, labels);
}

}  // namespace attest
