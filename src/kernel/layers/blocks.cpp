#include "kernel/layers/blocks.hpp"

namespace attest::kernel {
namespace {

/// A head at an example as quotients with denominators of their own: one, or one for each token whose
/// coefficient is sigmoid.
struct Quotients {
  std::vector<Attention<PowerSums>> heads;
  std::vector<Context> tokens;

  void add(const PowerSums& ring, const Vector& logits, const Context& of, bool sigmoid) {
    if (!sigmoid) {
      heads.push_back(attention(ring, entries(logits)));
      tokens.push_back(of);
      return;
    }
    for (std::size_t i = 0; i < of.size(); ++i) {
      heads.push_back(attention(ring, std::vector<Rational>{logits[i], 0}));
      tokens.push_back({of[i]});
    }
  }
};

}  // namespace

Blocks::Blocks(const std::string& of, const Problem& problem, const Claim& claim)
    : first(0),
      heads(problem.H),
      width(problem.d),
      outputs(of.starts_with("rank(outputs") || of == "rank(head-outputs)"),
      ones(of.find("|1") != std::string::npos),
      labels(of.ends_with("Y)")) {
  if (outputs) width = problem.source.weights->value->shape()[2];
  if (of != "rank(head)" && of != "rank(head-outputs)") return;
  first = claim.integer("head").get_ui();  // below H, as the statements require
  heads = 1;
}

Context Blocks::tokens(const Problem& problem, std::size_t t, std::size_t h) const {
  Context result = problem.context(t);
  if (!outputs) return result;
  const std::vector<Vector> columns = value_columns(problem, first + h);
  const std::optional<ExactArray>& biases = problem.source.weights->value_bias;
  for (Vector& token : result) {
    token = products(columns, token);
    if (biases)
      token = combination(std::vector<Rational>{1, 1}, {token, Vector(*biases, (first + h) * width, width)});
  }
  return result;
}

bool annihilates_from_left(const PowerSums& ring, Logits& logits, const Blocks& blocks, std::size_t h,
                           const RingVector& y) {
  Quotients terms;
  std::vector<PowerSums::Scalar> factors;
  for (const auto& [t, value] : y) {
    terms.add(ring, logits(blocks.first + h, t), blocks.tokens(logits.problem, t, h),
              logits.problem.source.layer->sigmoid);
    factors.resize(terms.heads.size(), value);
  }
  return vanishes(ring, terms.heads, factors, blocks.width, [&](std::size_t k, std::size_t j) {
    return numerator(ring, terms.heads[k], terms.tokens[k], j);
  });
}

bool annihilates_from_right(const PowerSums& ring, Logits& logits, const Blocks& blocks, std::size_t t,
                            const RingVector& x) {
  Quotients terms;
  std::vector<PowerSums::Scalar> numerators;
  std::size_t last = blocks.heads, first = 0;
  for (const auto& [col, value] : x) {
    const std::size_t h = col / blocks.width;
    if (h != last) {
      first = terms.heads.size();
      terms.add(ring, logits(blocks.first + h, t), blocks.tokens(logits.problem, t, h),
                logits.problem.source.layer->sigmoid);
      numerators.resize(terms.heads.size());
      last = h;
    }
    for (std::size_t k = first; k < terms.heads.size(); ++k) {
      const PowerSums::Scalar entry = numerator(ring, terms.heads[k], terms.tokens[k], col % blocks.width);
      ring.add(numerators[k], ring.multiply(entry, value), 1);
    }
  }
  const PowerSums::Scalar one = ring.power(0);
  return vanishes(ring, terms.heads, numerators, 1, [&](std::size_t, std::size_t) { return one; });
}

}  // namespace attest::kernel
