// Systematic mutation of the hand-made certificates.
#include <doctest/doctest.h>

#include "checker/exact.hpp"
#include "tests/checker/mutate.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::test;
using attest::checker::Integer;
using attest::checker::Rational;

namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Whether the mutant moved one end of an enclosure outwards (finite-lambda-bound).
bool is_wider_enclosure(const Json& original, const Json& mutant, const std::string& pointer) {
  const bool lower = ends_with(pointer, "/lower"), upper = ends_with(pointer, "/upper");
  if (pointer.find("/steps/") == std::string::npos || (!lower && !upper)) return false;
  const Json::json_pointer place(pointer);
  if (!mutant[place].is_string()) return false;
  const Rational before(original[place].get<std::string>()), after(mutant[place].get<std::string>());
  return lower ? after < before : after > before;
}

// The sample "given-labels" once more, by hand: labels 0, 1, 0 at the inputs (1, x), x = 0, 1, 2.
constexpr int kLabels[] = {0, 1, 0};

bool network_fits(const Json& step, std::size_t m) {
  for (int x = 0; x < 3; ++x) {
    Rational output(step.value("output_bias", "0"));
    for (const Json& neuron : step["neurons"]) {
      const auto number = [](const Json& value) { return Rational(value.get<std::string>()); };
      const Rational inside = number(neuron["w"][0]) + number(neuron["w"][1]) * x + number(neuron["b"]);
      if (inside > 0) output += number(neuron["a"]) * inside;
    }
    if (output != kLabels[x]) return false;
  }
  return step["neurons"].size() == m;
}

// One neuron of the given sign: whether the leaves below the decisions (0: none, 1: active, -1: inactive)
// refute them.
bool refutes(const Json& tree, std::size_t& next, int sign, std::vector<int> decided) {
  const Json& node = tree.at(next++);
  if (node.contains("neuron")) {
    const auto t = node["example"].get<std::size_t>();
    if (node["neuron"] != 0 || t > 2 || decided[t] != 0) return false;
    std::vector<int> inactive = decided;
    decided[t] = 1;
    inactive[t] = -1;
    return refutes(tree, next, sign, decided) && refutes(tree, next, sign, inactive);
  }
  Integer labels = 0, constant = 0, linear = 0;
  for (int t = 0; t < 3; ++t) {
    const Integer factor(node["examples"][t].get<std::string>()),
        nu(node["neurons"][0][t].get<std::string>());
    if (decided[t] != 1 && nu < 0) return false;
    if (decided[t] != -1 && nu > -sign * factor) return false;
    labels += factor * kLabels[t];
    constant += nu;
    linear += nu * t;
  }
  return labels > 0 && constant == 0 && linear == 0 && node["order"].empty();
}

/// Whether all steps of a mutant of "given-labels" are proofs.
bool still_decides(const Json& mutant) {
  const Json& claims = mutant["claims"];
  for (int sign : {-1, 1}) {
    const Json& tree = claims[0]["steps"][0]["trees"][sign == 1 ? 1 : 0];
    std::size_t next = 0;
    if (!refutes(tree, next, sign, {0, 0, 0}) || next != tree.size()) return false;
  }
  return network_fits(claims[1]["steps"][0], 2) && network_fits(claims[2]["steps"][0], 2);
}

}  // namespace

TEST_CASE("the mutations themselves") {
  const Json original = Json::parse(R"({"a": [1, "2"], "b": true})");
  std::size_t count = 0, roots = 0;
  mutate_every_field(original,
                     [&](const Json& mutant, const std::string& pointer, const std::string& change) {
                       CHECK(mutant != original);
                       CHECK_FALSE(change.empty());
                       ++count;
                       if (pointer.empty()) ++roots;
                     });
  CHECK(roots == 3);  // an unknown key, an array, null
  CHECK(count >= 30);
}

TEST_CASE("every mutant is rejected, unless it is another proof of the same claims") {
  std::size_t all = 0, accepted = 0, informative = 0;
  for (const Sample& each : samples()) {
    const Bench bench;
    const Json original = bench.certificate(each);
    mutate_every_field(
        original, [&](const Json& mutant, const std::string& pointer, const std::string& change) {
          // The rest of this sample is that of "opposite".
          if (each.name == "solutions" && pointer.find("/solutions") == std::string::npos) return;
          ++all;
          const std::string verdict = bench.check(mutant);
          if (verdict.rfind("valid", 0) != 0) return;
          CAPTURE(each.name);
          CAPTURE(pointer);
          CAPTURE(change);
          const bool given = each.name == "given-labels" && pointer.find("/steps/0/") != std::string::npos;
          CHECK((is_wider_enclosure(original, mutant, pointer) ||
                 (given ? still_decides(mutant) : is_free_choice(mutant, pointer, change))));
          const bool text = pointer == "/attest" || pointer.find("/reason") != std::string::npos ||
                            ends_with(pointer, "/binary64");
          ++(text ? informative : accepted);
        });
  }
  MESSAGE(all, " mutants: ", all - accepted - informative, " rejected, ", informative,
          " differ in informative text, ", accepted, " are other proofs of the same claims");
  CHECK(all > 5000);
  CHECK(accepted * 20 < all);
}

TEST_CASE("bytes that are damaged never crash the checker") {
  const Bench bench;
  const std::string bytes = bench.certificate(sample("opposite")).dump();
  std::uint64_t state = 1;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = bytes;
    for (int k = 0; k <= i % 3; ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      damaged[(state >> 20) % damaged.size()] = static_cast<char>(state >> 56);
    }
    if (i % 7 == 0) damaged.resize((state >> 20) % damaged.size());
    bench.check_bytes(damaged);  // throws when status and verdict line disagree
  }
}
