// Proposition 3 (two-layer ReLU networks). There is a data set that satisfies Assumptions 1 and 2, of size T
// = m (d + 2) + 1, that no network f(x) = sum_{j <= m} a_j max(0, w_j . x + b_j) on the flattened inputs
// memorizes.
//
// Executed for T > m (d + 1) already (docs/mathematics.md): for a fixed activation pattern the outputs are
// linear in the m (d + 1) numbers a_j (w_j, b_j), since shared contexts only shift the biases; so they lie in
// one of finitely many subspaces of dimension k = m (d + 1), plus 1 with an output bias. Each is killed by a
// non-zero integer vector with entries below Hadamard's bound B, and labels that are powers of 2 B + 2 are
// not. Or: T algebraically independent labels cannot be linear combinations of k < T real numbers with
// rational coefficients. Whether a network with m neurons fits the labels of the case (relu-memorizes) is
// decided by relu_patterns.cpp.
#include "proofs/hypotheses.hpp"
#include "proofs/provers.hpp"
#include "proofs/relu_patterns.hpp"
#include "search/layer.hpp"

namespace attest {
namespace {

Json texts(const std::vector<mpz_class>& numbers) {
  Json list = Json::array();
  for (const mpz_class& x : numbers) list.push_back(x.get_str());
  return list;
}

Json tree_json(const PatternTree& tree) {
  Json nodes = Json::array();
  for (const PatternNode& node : tree) {
    if (!node.leaf) {
      nodes.push_back({{"neuron", node.neuron}, {"example", node.example}});
      continue;
    }
    Json neurons = Json::array();
    for (const auto& row : node.leaf->neurons) neurons.push_back(texts(row));
    nodes.push_back(
        {{"examples", texts(node.leaf->examples)}, {"neurons", neurons}, {"order", texts(node.leaf->order)}});
  }
  return nodes;
}

// What varies in the inputs: (E_t, e_t), or e_t alone for equal contexts.
RationalMatrix varying_inputs(const Case& c) {
  const std::size_t d = c.layer->embed_dim, fixed = kernel::Problem(c).shared() ? 0 : c.layer->context * d;
  RationalMatrix inputs(c.layer->examples, fixed + d);
  for (std::size_t t = 0; t < inputs.rows(); ++t) {
    for (std::size_t k = 0; k < fixed; ++k) inputs(t, k) = c.data.contexts->at(t * fixed + k);
    for (std::size_t k = 0; k < d; ++k) inputs(t, fixed + k) = c.data.queries->at(t * d + k);
  }
  return inputs;
}

bool is_zero(const Bounds& quantity) {
  return quantity.upper == 0;
}

}  // namespace

// A network, or trees of infeasible patterns.
void prove_relu_memorizes(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  NetworkQuestion question;
  question.inputs = varying_inputs(c);
  for (std::size_t t = 0; t < c.layer->examples; ++t) question.labels.push_back(c.data.labels->at(t));
  question.neurons = claim.size("neurons");
  question.output_bias = claim.flag("output_bias");
  const PatternAnswer answer = fit_network(question, {effort.patterns, effort.pattern_entries});
  if (answer.network) {
    // Equal contexts get the weight 0.
    const std::size_t size = (c.layer->context + 1) * c.layer->embed_dim;
    Json keys = {{"neurons", Json::array()}};
    for (const Neuron& neuron : answer.network->neurons) {
      std::vector<mpq_class> w(size - neuron.w.size());
      w.insert(w.end(), neuron.w.begin(), neuron.w.end());
      keys["neurons"].push_back({{"w", w}, {"b", neuron.b}, {"a", mpq_class(neuron.a)}});
    }
    if (question.output_bias) keys["output_bias"] = answer.network->output_bias;
    proof.script.add("compare", Fact::at_least("network(given)", 1), keys);
  } else if (answer.decided()) {
    Json trees = Json::array();
    for (const PatternTree& tree : answer.trees) trees.push_back(tree_json(tree));
    proof.script.add("split", Fact::at_most("network(given)", 0), {{"trees", trees}});
  } else {
    proof.reason = "the search through activation patterns reached its budget";
    proof.limited = true;
  }
}

void prove_proposition_3(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  decide_hypotheses(c, effort, proof.script);
  // With fewer examples, or fractions where the labels are to be integers, a hypothesis fails.
  const mpz_class inputs = proof.script.of("varying(inputs)").upper;
  if (static_cast<unsigned long>(c.layer->examples) <=
      claim.integer("neurons") * (inputs + 1) + (claim.flag("output_bias") ? 1 : 0))
    return;
  if (claim.word("labels") == "transcendental")
    proof.script.theorem("transcendental-labels", {});
  else if (is_zero(proof.script.of("fractions(inputs)")))
    proof.script.theorem("integer-labels", {});
}

}  // namespace attest
