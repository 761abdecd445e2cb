// Proposition 3 (two-layer ReLU networks). There is a data set that satisfies Assumptions 1 and 2, of size T
// = m (d + 2) + 1, that no network f(x) = sum_{j <= m} a_j max(0, w_j . x + b_j) on the flattened inputs
// memorizes.
//
// Executed for T > m (d + 1) already (docs/mathematics.md): for a fixed activation pattern the outputs are
// linear in the m (d + 1) numbers a_j (w_j, b_j), since shared contexts only shift the biases; so they lie in
// one of finitely many subspaces of dimension k = m (d + 1), plus 1 with an output bias. Each is killed by a
// non-zero integer vector with entries below Hadamard's bound B, and labels that are powers of 2 B + 2 are
// not. Or: T algebraically independent labels cannot be linear combinations of k < T real numbers with
// rational coefficients. Labels of the case instead of these: the claim is that a network with m neurons fits
// them, decided by relu_patterns.cpp.
#include <algorithm>

#include "attention/layer.hpp"
#include "exact/modular.hpp"
#include "proofs/assumption_2.hpp"
#include "proofs/hypotheses.hpp"
#include "proofs/propositions.hpp"
#include "proofs/relu_patterns.hpp"

namespace attest {
namespace {

// x = t - floor(T / 2), the points of the moment curve.
std::vector<mpz_class> moment_points(std::size_t examples) {
  std::vector<mpz_class> points;
  for (std::size_t t = 0; t < examples; ++t)
    points.push_back(mpz_class(static_cast<unsigned long>(t)) -
                     mpz_class(static_cast<unsigned long>(examples / 2)));
  return points;
}

// The paper's data set: contexts [I_n 0], queries (1, x, ..., x^(d-1)).
Data own_data(const Dimensions& dims) {
  const std::size_t n = dims.context, d = dims.embed_dim;
  std::vector<std::int64_t> context(n * d);
  for (std::size_t i = 0; i < n; ++i) context[i * d + i] = 1;
  std::vector<mpq_class> queries;
  for (const mpz_class& x : moment_points(dims.examples)) {
    mpz_class power = 1;
    for (std::size_t j = 0; j < d; ++j, power *= x) queries.emplace_back(power);
  }
  Data data;
  data.shared_context = true;
  data.contexts = ExactArray({n, d}, std::move(context));
  data.queries = ExactArray({dims.examples, d}, std::move(queries));
  return data;
}

bool contexts_equal(const Case& c) {
  const std::size_t size = c.layer->context * c.layer->embed_dim;
  if (!c.data.shared_context)
    for (std::size_t k = size; k < c.data.contexts->size(); ++k)
      if (c.data.contexts->at(k) != c.data.contexts->at(k % size)) return false;
  return true;
}

// The largest absolute value of an entry (at least 1), if all are integers.
std::optional<mpz_class> integer_bound(const Case& c) {
  mpz_class bound = 1;
  for (const ExactArray* array : {&*c.data.contexts, &*c.data.queries})
    for (std::size_t k = 0; k < array->size(); ++k) {
      const mpq_class x = array->at(k);
      if (x.get_den() != 1) return std::nullopt;
      bound = std::max(bound, mpz_class(abs(x.get_num())));
    }
  return bound;
}

// The least integer B with B^2 >= k^k b^(2k): Hadamard's bound of a k x k minor with entries of at most b.
mpz_class hadamard_bound(std::size_t k, const mpz_class& b) {
  mpz_class power, square;
  mpz_ui_pow_ui(square.get_mpz_t(), k, k);
  mpz_pow_ui(power.get_mpz_t(), b.get_mpz_t(), 2 * k);
  square *= power;
  mpz_class root = sqrt(square);
  return root * root < square ? mpz_class(root + 1) : root;
}

Json tree_json(const PatternTree& tree) {
  Json nodes = Json::array();
  for (const PatternNode& node : tree) {
    if (!node.leaf) {
      nodes.push_back({{"neuron", node.neuron}, {"example", node.example}});
      continue;
    }
    Json neurons = Json::array();
    for (const auto& row : node.leaf->neurons) neurons.push_back(to_json(row));
    nodes.push_back({{"examples", to_json(node.leaf->examples)},
                     {"neurons", neurons},
                     {"order", to_json(node.leaf->order)}});
  }
  return nodes;
}

// What varies in the inputs: (E_t, e_t), or e_t alone for equal contexts.
RationalMatrix varying_inputs(const Case& c, bool shared) {
  const std::size_t d = c.layer->embed_dim, fixed = shared ? 0 : c.layer->context * d;
  RationalMatrix inputs(c.layer->examples, fixed + d);
  for (std::size_t t = 0; t < inputs.rows(); ++t) {
    for (std::size_t k = 0; k < fixed; ++k) inputs(t, k) = c.data.contexts->at(t * fixed + k);
    for (std::size_t k = 0; k < d; ++k) inputs(t, fixed + k) = c.data.queries->at(t * d + k);
  }
  return inputs;
}

// The claim that some network with m neurons fits the case's labels: a network, or a tree of infeasible
// patterns.
void decide_given_labels(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  NetworkQuestion question;
  question.inputs = varying_inputs(c, contexts_equal(c));
  for (std::size_t t = 0; t < c.layer->examples; ++t) question.labels.push_back(c.data.labels->at(t));
  question.neurons = claim.neurons;
  question.output_bias = claim.output_bias;
  const PatternAnswer answer = fit_network(question, {effort.patterns, effort.pattern_entries});
  if (!answer.decided()) {
    proof.verdict = Verdict::undecided;
    proof.reason = "the search through activation patterns reached its budget";
    proof.limited = true;
    return;
  }
  proof.result["fits"] = answer.network.has_value();
  proof.verdict = answer.network ? Verdict::verified : Verdict::refuted;
  Json step;
  if (answer.network) {
    const std::size_t size = (c.layer->context + 1) * c.layer->embed_dim;
    step = {{"argument", "network-weights"}, {"theorem", "evaluation"}, {"neurons", Json::array()}};
    for (const Neuron& neuron : answer.network->neurons) {
      Json w = Json::array();
      for (std::size_t k = neuron.w.size(); k < size; ++k) w.push_back("0");  // equal contexts
      for (const mpq_class& x : neuron.w) w.push_back(to_json(x));
      step["neurons"].push_back({{"w", w}, {"b", to_json(neuron.b)}, {"a", std::to_string(neuron.a)}});
    }
    if (claim.output_bias) step["output_bias"] = to_json(answer.network->output_bias);
  } else {
    step = {{"argument", "pattern-search"}, {"theorem", "farkas"}, {"trees", Json::array()}};
    for (const PatternTree& tree : answer.trees) step["trees"].push_back(tree_json(tree));
  }
  proof.steps.push_back(std::move(step));
}

}  // namespace

ClaimProof prove_proposition_3(const Case& given, const Claim& claim, const Effort& effort) {
  ClaimProof proof;
  Case c = given;
  const Dimensions& dims = *c.layer;
  const bool own = !c.data.contexts;
  if (own) c.data = own_data(dims);
  const std::size_t n = dims.context, d = dims.embed_dim, T = dims.examples, m = claim.neurons;
  const std::size_t k = m * (contexts_equal(c) ? d + 1 : (n + 1) * d + 1) + (claim.output_bias ? 1 : 0);
  proof.result["parameters"] = {{"network", m * ((n + 1) * d + 2) + (claim.output_bias ? 1 : 0)},
                                {"examples_needed", k + 1}};
  if (claim.labels == Claim::Labels::given) {
    decide_given_labels(c, claim, effort, proof);
    return proof;
  }

  Hypotheses hypotheses;
  if (own) {
    proof.steps.push_back(
        {{"argument", "moment-curve"}, {"theorem", "vandermonde"}, {"points", to_json(moment_points(T))}});
    hypotheses.assumption_1 = Hypotheses::Status::holds;
    hypotheses.assumption_2 =
        assumption_2(c, proof.steps) ? Hypotheses::Status::holds : Hypotheses::Status::fails;
  } else {
    hypotheses = decide_hypotheses(c, effort, proof.steps);
  }
  const auto entry_bound = integer_bound(c);
  const bool transcendental = claim.labels == Claim::Labels::transcendental;
  const bool integers = transcendental || entry_bound.has_value();
  bool proved = false;
  if (T > k && transcendental) {
    Json primes = Json::array();
    for (std::uint64_t p = 2; primes.size() < T; ++p)
      if (is_prime(p)) primes.push_back(p);
    proof.steps.push_back({{"argument", "transcendental-labels"},
                           {"theorem", "algebraic-independence"},
                           {"k", k},
                           {"primes", primes}});
    proved = true;
  } else if (T > k && entry_bound) {
    const mpz_class bound = hadamard_bound(k, *entry_bound);
    proof.steps.push_back({{"argument", "kronecker-labels"},
                           {"theorem", "pattern-subspaces"},
                           {"k", k},
                           {"entry_bound", to_json(*entry_bound)},
                           {"minor_bound", to_json(bound)},
                           {"base", to_json(mpz_class(2 * bound + 2))}});
    proved = true;
  }
  proof.result["hypotheses"] = {{"examples", T > k ? "holds" : "fails"},
                                {"integer-inputs", integers ? "holds" : "fails"},
                                {"assumption-1", status_name(hypotheses.assumption_1, false)},
                                {"assumption-2", status_name(hypotheses.assumption_2, false)}};
  proof.result["conclusion"] = proved ? "proved" : "open";
  const bool fails = T <= k || !integers || hypotheses.fails();
  const bool holds = hypotheses.assumption_1 == Hypotheses::Status::holds &&
                     hypotheses.assumption_2 == Hypotheses::Status::holds;
  proof.verdict = fails ? Verdict::inapplicable : holds && proved ? Verdict::verified : Verdict::undecided;
  if (proof.verdict == Verdict::undecided) {
    proof.reason = "the search over subsets reached its budget before Assumption 1 was decided";
    proof.limited = true;
  }
  return proof;
}

}  // namespace attest
