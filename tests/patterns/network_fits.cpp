// proposition-3 with given labels, prover and checker together: against theory, against all active sets one
// by one, and tampered with.
#include <doctest/doctest.h>

#include <functional>
#include <sstream>

#include "certificate/certificate.hpp"
#include "checker/check.hpp"
#include "exact/bounded_system.hpp"
#include "input/digest.hpp"
#include "input/generate.hpp"
#include "proofs/proof.hpp"
#include "proofs/relu_patterns.hpp"
#include "tests/support/folder.hpp"

using namespace attest;

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

/// Whether these active sets and signs are feasible: no relaxation, no order of the neurons.
bool feasible(const NetworkQuestion& q, const std::vector<unsigned>& active, unsigned signs) {
  const std::size_t T = q.inputs.rows(), width = q.inputs.cols() + 1, m = q.neurons,
                    n = m * width + (q.output_bias ? 1 : 0);
  RationalMatrix forms(m * T + T, n);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < width; ++k) {
        const mpq_class x = k + 1 < width ? q.inputs(t, k) : mpq_class(1);
        forms(j * T + t, j * width + k) = x;
        if ((active[j] >> t & 1) != 0)
          forms(m * T + t, j * width + k) = (signs >> j & 1) != 0 ? x : mpq_class(-x);
      }
    if (q.output_bias) forms(m * T + t, n - 1) = 1;
  }
  BoundedSystem system(forms);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t j = 0; j < m; ++j) {
      if ((active[j] >> t & 1) != 0)
        system.set_bounds(n + j * T + t, {mpq_class(0), std::nullopt});
      else
        system.set_bounds(n + j * T + t, {std::nullopt, mpq_class(0)});
    }
    system.set_bounds(n + m * T + t, {q.labels[t], q.labels[t]});
  }
  double budget = 1e9;
  return !system.solve(budget);
}

bool some_pattern_is_feasible(const NetworkQuestion& q) {
  const std::size_t sets = std::size_t{1} << q.inputs.rows();
  std::vector<unsigned> active(q.neurons);
  const std::function<bool(std::size_t)> from = [&](std::size_t j) {
    if (j == q.neurons) {
      for (unsigned signs = 0; signs < 1u << q.neurons; ++signs)
        if (feasible(q, active, signs)) return true;
      return false;
    }
    for (std::size_t set = 0; set < sets; ++set) {
      active[j] = static_cast<unsigned>(set);
      if (from(j + 1)) return true;
    }
    return false;
  };
  return from(0);
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

struct Text {
  std::size_t T, d, m;
  bool bias;
  std::vector<std::string> queries, labels;  ///< rows, numbers
};

std::string case_text(const Text& text) {
  std::ostringstream out;
  out << "format = 1\ntitle = \"t\"\n[layer]\nheads = 1\ncontext = 1\nembed_dim = " << text.d
      << "\nhead_dim = 1\nexamples = " << text.T << "\n[data]\ncontexts = [[1";
  for (std::size_t k = 1; k < text.d; ++k) out << ", 0";
  out << "]]\nqueries = [";
  for (const std::string& row : text.queries) out << "[" << row << "], ";
  out << "]\nlabels = [";
  for (const std::string& label : text.labels) out << "\"" << label << "\", ";
  out << "]\n[[claim]]\nstatement = \"proposition-3\"\nlabels = \"given\"\nneurons = " << text.m
      << "\noutput_bias = " << (text.bias ? "true" : "false") << "\n";
  return out.str();
}

struct Proved {
  Case c;
  Json steps;
  Finding finding;
};

Proved prove_case(const std::string& toml) {
  Case c = read_case(test::Folder().write("case.toml", toml));
  const ClaimProof proof = prove(c, c.claims[0], {});
  const Finding finding = conclude(c.claims[0], proof.script.facts());
  return {std::move(c), proof.script.steps(), finding};
}

// "" or why these steps are rejected.
std::string check(const Case& c, const Json& steps) {
  try {
    checker::check(checker::Problem(c),
                   certificate_text(certificate(c, problem_digest(c), {{steps, ""}}, c.path.parent_path())));
    return "";
  } catch (const Failure& rejection) {
    return rejection.what();
  }
}

const Text kHat = {3, 1, 1, false, {"-1", "0", "1"}, {"0", "1", "0"}};
const Text kXor = {4, 2, 1, true, {"0, 0", "1, 0", "0, 1", "1, 1"}, {"0", "1", "1", "0"}};

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

TEST_CASE("the search agrees with all active sets one by one") {
  SplitMix64 random(4, 1);
  std::size_t fits = 0;
  for (int round = 0; round < 40; ++round) {
    NetworkQuestion q;
    q.neurons = 1 + random.below(2);
    q.output_bias = random.below(3) == 0;
    const std::size_t T = q.neurons == 1 ? 3 + random.below(3) : 4;
    q.inputs = RationalMatrix(T, 1 + random.below(2));
    for (std::size_t i = 0; i < T * q.inputs.cols(); ++i)
      q.inputs.data()[i] = static_cast<long>(random.below(7)) - 3;
    for (std::size_t t = 0; t < T; ++t) q.labels.push_back(static_cast<long>(random.below(5)) - 2);
    CAPTURE(round);
    const PatternAnswer answer = fit_network(q);
    REQUIRE(answer.decided());
    CHECK(answer.network.has_value() == some_pattern_is_feasible(q));
    fits += answer.network ? 1 : 0;
  }
  CHECK(fits > 3);
  CHECK(fits < 37);
}

TEST_CASE("Kronecker's labels are refuted, and the checker agrees") {
  struct Size {
    std::size_t d, m;
    bool bias;
  };
  for (const Size& size : {Size{1, 1, false}, Size{1, 1, true}, Size{1, 2, false}, Size{1, 2, true},
                           Size{2, 1, false}, Size{2, 2, false}}) {
    const std::size_t k = size.m * (size.d + 1) + (size.bias ? 1 : 0);
    Text text{k + 1, size.d, size.m, size.bias, {}, {}};
    mpz_class label = 1, base = 2;  // more than B + 2, B^2 >= k^k b^(2k), b <= k
    for (std::size_t i = 0; i < 2 * k; ++i) base *= static_cast<unsigned long>(k + 1);
    for (std::size_t t = 0; t <= k; ++t, label *= base) {
      text.queries.push_back((size.d == 2 ? "1, " : "") + std::to_string(static_cast<long>(t) - 1));
      text.labels.push_back(label.get_str());
    }
    CAPTURE(size.d);
    CAPTURE(size.m);
    CAPTURE(size.bias);
    const auto proved = prove_case(case_text(text));
    CHECK(proved.finding.verdict == Verdict::refuted);
    CHECK(check(proved.c, proved.steps).empty());
  }
}

TEST_CASE("XOR and the hat") {
  for (Text text : {kHat, kXor}) {
    CHECK(prove_case(case_text(text)).finding.verdict == Verdict::refuted);
    text.m = 2;
    const auto proved = prove_case(case_text(text));
    CHECK(proved.finding.verdict == Verdict::verified);
    CHECK(check(proved.c, proved.steps).empty());
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
  Text text = kXor;
  text.m = 2;
  const auto good = prove_case(case_text(text));
  REQUIRE(check(good.c, good.steps).empty());
  const auto rejected = [&](const char* pointer, const Json& value, const std::string& why) {
    Json bad = good.steps;
    bad[Json::json_pointer(pointer)] = value;
    const std::string message = check(good.c, bad);
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
  CHECK(check(good.c, Json::array()).empty());
}

TEST_CASE("tampered trees are rejected") {
  std::size_t mutants = 0, accepted = 0;
  for (const Text& text : {kHat, kXor}) {
    const auto good = prove_case(case_text(text));
    REQUIRE(check(good.c, good.steps).empty());
    REQUIRE(good.steps[0]["rule"] == "split");
    const auto rejected = [&](const std::function<void(Json&)>& change) {
      Json bad = good.steps;
      change(bad[0]["trees"]);
      CHECK_FALSE(check(good.c, bad).empty());
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
          rejected([&](Json& trees) { trees[p][node]["example"] = text.T; });
          // The pair of the branch a second time, below it.
          rejected([&](Json& trees) {
            trees[p].insert(trees[p].begin() + static_cast<std::ptrdiff_t>(node), trees[p][node]);
          });
          continue;
        }
        for (std::size_t t = 0; t < text.T; ++t) {
          rejected([&](Json& trees) { trees[p][node]["examples"][t] = "1/2"; });
          for (const char* key : {"examples", "neurons"})
            for (const int by : {-1, 1, -1000, 1000}) {
              Json bad = good.steps;
              Json& leaf = bad[0]["trees"][p][node];
              Json& number = std::string(key) == "examples" ? leaf[key][t] : leaf[key][0][t];
              number = std::to_string(std::stol(number.get<std::string>()) + by);
              ++mutants;
              accepted += check(good.c, bad).empty() ? 1 : 0;
              // One changed factor of the inputs cannot keep their combination 0 (no input with its 1 is 0).
              if (std::string(key) == "neurons") CHECK_FALSE(check(good.c, bad).empty());
            }
        }
      }
    }
  }
  CHECK(mutants > 100);
  MESSAGE(mutants, " changed factors, ", accepted, " are other proofs");
}

TEST_CASE("given labels need one output") {
  std::string toml = case_text(kHat);
  toml.replace(toml.find("heads = 1"), 9, "heads = 1\noutput_dim = 2");
  toml.replace(toml.find("labels = ["), toml.find("]\n[[claim]]") + 1 - toml.find("labels = ["),
               "labels = [[0, 1], [1, 1], [0, 1]]");
  CHECK_THROWS_WITH_AS(prove_case(toml), doctest::Contains("output_dim must be 1"), InputError);
}
