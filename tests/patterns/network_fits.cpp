// relu-memorizes, prover and checker together: against theory, and tampered with
// (tests/proofs/proposition_3.cpp has all active sets one by one).
#include <functional>

#include "proofs/relu_patterns.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

mpq_class relu_output(const Network& network, const RationalMatrix& inputs, std::size_t t) {
  mpq_class y = network.output_bias;
  for (const Neuron& neuron : network.neurons) {
    mpq_class h = neuron.b;
    for (std::size_t k = 0; k < inputs.cols(); ++k) h += neuron.w[k] * inputs(t, k);
    if (h > 0) y += neuron.a * h;
  }
  return y;
}

/// One neuron on a line, by hand: the labels other than 0 have one sign and lie on a line that is on the
/// other side of 0 elsewhere.
bool one_neuron_fits(const std::vector<long>& x, const std::vector<long>& y) {
  std::vector<std::size_t> support;
  for (std::size_t t = 0; t < x.size(); ++t)
    if (y[t] != 0) support.push_back(t);
  if (support.empty()) return true;
  const std::size_t p = support[0];
  if (support.size() == 1) {
    bool left = false, right = false;
    for (const long other : x) {
      left = left || other < x[p];
      right = right || other > x[p];
    }
    return !(left && right);
  }
  const std::size_t q = support[1];
  for (std::size_t t = 0; t < x.size(); ++t) {
    const mpq_class h = y[p] + mpq_class(y[q] - y[p]) * (x[t] - x[p]) / mpq_class(x[q] - x[p]);
    if (y[t] != 0 ? (h != y[t] || (y[t] > 0) != (y[p] > 0)) : h * y[p] > 0) return false;
  }
  return true;
}

struct Question {
  std::size_t d, m;
  bool bias;
  Numbers queries, labels;

  Draft draft() const {
    Draft draft = sized_draft(1, 1, d, 1, labels.size());
    draft.contexts = Numbers(d);
    draft.contexts[0] = 1;
    draft.queries = queries;
    draft.labels = labels;
    draft.claims = {claim("relu-memorizes",
                          "neurons = " + std::to_string(m) + "\noutput_bias = " + (bias ? "true" : "false"))};
    return draft;
  }
  Proof proof() const { return certified(read(draft()))[0]; }
};

// "" or why these steps are rejected.
std::string check(const Case& c, const Json& steps) {
  Proof proof;
  proof.steps = steps;
  return rejection(c, {proof});
}

const Question kHat = {1, 1, false, {-1, 0, 1}, {0, 1, 0}};
const Question kXor = {2, 1, true, {0, 0, 1, 0, 0, 1, 1, 1}, {0, 1, 1, 0}};

}  // namespace

TEST_CASE("labels that a network made are fitted, by the weights that are returned") {
  SplitMix64 random(2, 1);
  const auto small = [&] { return static_cast<long>(random.below(9)) - 4; };
  for (int round = 0; round < 60; ++round) {
    NetworkQuestion q;
    q.neurons = 1 + random.below(2);
    q.output_bias = random.below(2) == 0;
    q.inputs = RationalMatrix(3 + random.below(4), 1 + random.below(2));
    for (std::size_t i = 0; i < q.inputs.rows() * q.inputs.cols(); ++i) q.inputs.data()[i] = small();
    Network made;
    if (q.output_bias) made.output_bias = small();
    for (std::size_t j = 0; j < q.neurons; ++j) {
      Neuron neuron;
      for (std::size_t k = 0; k < q.inputs.cols(); ++k) neuron.w.push_back(small());
      neuron.b = small();
      neuron.a = random.below(2) == 0 ? 1 : -1;
      made.neurons.push_back(neuron);
    }
    for (std::size_t t = 0; t < q.inputs.rows(); ++t) q.labels.push_back(relu_output(made, q.inputs, t));
    CAPTURE(round);
    const PatternAnswer answer = fit_network(q);
    REQUIRE(answer.network.has_value());
    CHECK(answer.network->neurons.size() == q.neurons);
    if (!q.output_bias) CHECK(answer.network->output_bias == 0);
    for (std::size_t t = 0; t < q.inputs.rows(); ++t)
      CHECK(relu_output(*answer.network, q.inputs, t) == q.labels[t]);
  }
}

TEST_CASE("one neuron on a line, by hand") {
  SplitMix64 random(3, 1);
  std::size_t fits = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t T = 3 + random.below(3);
    NetworkQuestion q;
    q.inputs = RationalMatrix(T, 1);
    std::vector<long> x, y;
    for (std::size_t t = 0; t < T; ++t) {
      x.push_back(static_cast<long>(t) - 2);
      y.push_back(random.below(2) == 0 ? 0 : static_cast<long>(random.below(4)) - 1);
      q.inputs(t, 0) = x[t];
      q.labels.push_back(y[t]);
    }
    CAPTURE(round);
    const PatternAnswer answer = fit_network(q);
    REQUIRE(answer.decided());
    CHECK(answer.network.has_value() == one_neuron_fits(x, y));
    fits += answer.network ? 1 : 0;
  }
  CHECK(fits > 30);
  CHECK(fits < 270);
}

TEST_CASE("Kronecker's labels are refuted, and the checker agrees") {
  struct Size {
    std::size_t d, m;
    bool bias;
  };
  for (const Size& size : {Size{1, 1, false}, Size{1, 1, true}, Size{1, 2, false}, Size{1, 2, true},
                           Size{2, 1, false}, Size{2, 2, false}}) {
    const std::size_t k = size.m * (size.d + 1) + (size.bias ? 1 : 0);
    Question question{size.d, size.m, size.bias, {}, {}};
    mpz_class label = 1, base = 2;  // more than B + 2, B^2 >= k^k b^(2k), b <= k
    for (std::size_t i = 0; i < 2 * k; ++i) base *= static_cast<unsigned long>(k + 1);
    for (std::size_t t = 0; t <= k; ++t, label *= base) {
      if (size.d == 2) question.queries.emplace_back(1);
      question.queries.emplace_back(static_cast<long>(t) - 1);
      question.labels.emplace_back(label);
    }
    CAPTURE(size.d);
    CAPTURE(size.m);
    CAPTURE(size.bias);
    CHECK(question.proof().verdict() == Verdict::refuted);
  }
}

TEST_CASE("XOR and the hat") {
  for (Question question : {kHat, kXor}) {
    CHECK(question.proof().verdict() == Verdict::refuted);
    question.m = 2;
    CHECK(question.proof().verdict() == Verdict::verified);
  }
}

TEST_CASE("a question beyond the budget is undecided") {
  NetworkQuestion q;
  q.neurons = 1;
  q.inputs = RationalMatrix(3, 1);
  for (int t = 0; t < 3; ++t) q.inputs(static_cast<std::size_t>(t), 0) = t;
  q.labels = {0, 1, 0};
  CHECK(fit_network(q).decided());
  CHECK_FALSE(fit_network(q, {1, 1e9}).decided());
  CHECK_FALSE(fit_network(q, {1000, 10}).decided());
}

TEST_CASE("tampered weights are rejected") {
  Question question = kXor;
  question.m = 2;
  const auto [c, good] = proved(question.draft());
  const auto rejected = [&](const char* pointer, const Json& value, const std::string& why) {
    Json bad = good.steps;
    bad[Json::json_pointer(pointer)] = value;
    const std::string message = check(c, bad);
    CAPTURE(pointer);
    CAPTURE(message);
    CHECK(message.find(why) != std::string::npos);
  };
  rejected("/0/output_bias", "1/7", "expected the output");
  rejected("/0/neurons/0/b", "1000", "expected the output");
  rejected("/0/neurons/0/w/3", "1000", "expected the output");
  rejected("/0/neurons/0/w", {"0", "1"}, "expected");
  rejected("/0/neurons", Json::array(), "expected");
  rejected("/0/rule", "split", "expected");
  rejected("/0/fact", "network(given) <= 0", "expected");
  rejected("/0/fact", "network(integer) >= 1", "expected");
  // Without the step nothing is proved, and nothing false.
  CHECK(check(c, Json::array()).empty());
}

TEST_CASE("tampered trees are rejected") {
  std::size_t mutants = 0, accepted = 0;
  for (const Question& question : {kHat, kXor}) {
    const auto [c, good] = proved(question.draft());
    REQUIRE(good.steps[0]["rule"] == "split");
    const auto rejected = [&](const std::function<void(Json&)>& change) {
      Json bad = good.steps;
      change(bad[0]["trees"]);
      CHECK_FALSE(check(c, bad).empty());
    };
    rejected([](Json& trees) { trees.erase(0); });
    rejected([](Json& trees) { trees.push_back(trees[0]); });
    rejected([](Json& trees) { trees[0] = Json::array(); });
    rejected([](Json& trees) { std::swap(trees[0], trees[1]); });
    for (std::size_t p = 0; p < good.steps[0]["trees"].size(); ++p) {
      const Json& tree = good.steps[0]["trees"][p];
      rejected([p](Json& trees) { trees[p].push_back(trees[p].back()); });
      for (std::size_t node = 0; node < tree.size(); ++node) {
        rejected([&](Json& trees) { trees[p].erase(node); });
        rejected([&](Json& trees) { trees[p][node]["more"] = 1; });
        if (tree[node].contains("neuron")) {
          rejected([&](Json& trees) { trees[p][node]["neuron"] = 1; });
          rejected([&](Json& trees) { trees[p][node]["example"] = question.labels.size(); });
          // The pair of the branch a second time, below it.
          rejected([&](Json& trees) {
            trees[p].insert(trees[p].begin() + static_cast<std::ptrdiff_t>(node), trees[p][node]);
          });
          continue;
        }
        for (std::size_t t = 0; t < question.labels.size(); ++t) {
          rejected([&](Json& trees) { trees[p][node]["examples"][t] = "1/2"; });
          for (const char* key : {"examples", "neurons"})
            for (const int by : {-1, 1, -1000, 1000}) {
              Json bad = good.steps;
              Json& leaf = bad[0]["trees"][p][node];
              Json& number = std::string(key) == "examples" ? leaf[key][t] : leaf[key][0][t];
              number = std::to_string(std::stol(number.get<std::string>()) + by);
              ++mutants;
              accepted += check(c, bad).empty() ? 1 : 0;
              // One changed factor of the inputs cannot keep their combination 0 (no input with its 1 is 0).
              if (std::string(key) == "neurons") CHECK_FALSE(check(c, bad).empty());
            }
        }
      }
    }
  }
  CHECK(mutants > 100);
  MESSAGE(mutants, " changed factors, ", accepted, " are other proofs");
}

TEST_CASE("given labels need one output") {
  Draft draft = kHat.draft();
  draft.output_dim = 2;
  draft.labels = {0, 1, 1, 1, 0, 1};
  CHECK_THROWS_WITH_AS(read(draft), doctest::Contains("output_dim must be 1"), InputError);
}
