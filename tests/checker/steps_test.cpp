// Steps stand once in a certificate, and claims name those that they use: what is accepted, and what is not.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

namespace {

/// The verdict on a sample whose certificate has these steps, and for each claim these numbers, then none.
std::string verdict_of_steps(
    const std::string& name, const Json& steps, const std::string& numbers,
    const std::function<void(Json&)>& change = [](Json&) {}) {
  const Case source = case_of(sample(name).toml);
  const kernel::Problem problem(source);
  Json certificate = certificate_of(problem, sample(name).claims);
  certificate["steps"] = steps;
  for (Json& claim : certificate["claims"]) claim["steps"] = Json::array();
  std::size_t k = 0;
  for (const Json& each : json_of(numbers)) certificate["claims"][k++]["steps"] = each;
  change(certificate);
  return verdict(problem, certificate.dump());
}

/// The minor and the relation of Z.
Json minor_and_relation() {
  return sample("opposite").claims[0]["steps"];
}

/// Weights, and a minor of their Z that bounds the capacity, behind a step of their own: 0 to 3.
Json through_weights() {
  Json steps = Json::array({minor_and_relation()[0]});
  for (const Json& step : json_of(R"json([
      {"rule": "let", "layer": {"random": {"bound": 9, "seed": 1}}, "fact": "let Z(1)"},
      {"rule": "minor", "of": "rank(Z(1))", "p": 1000919, "g": 4, "rows": [0, 2], "cols": [0, 3],
       "fact": "rank(Z(1)) >= 2"},
      {"rule": "theorem", "theorem": "some-weights", "uses": [2], "layer": 1, "fact": "capacity >= 2"}])json"))
    steps.push_back(step);
  return steps;
}

}  // namespace

TEST_CASE("claims share steps, and each has what its own steps prove") {
  const Json steps = minor_and_relation();
  CHECK(verdict_of_steps("opposite", steps, "[[0, 1], [1], [0]]")
            .starts_with("valid: verified, refuted, undecided, "));
  CHECK(verdict_of_steps("opposite", steps, "[[1], [0, 1], [0, 1]]")
            .starts_with("valid: undecided, refuted, verified, "));
  CHECK(verdict_of_steps("opposite", steps, "[[], [], [0, 1]]")
            .starts_with("valid: undecided, undecided, verified, "));
  CHECK(verdict_of_steps("opposite", Json::array(), "[]").starts_with("valid: undecided, undecided, "));
  // Layers and parts are called by their numbers in the certificate.
  CHECK(verdict_of_steps("opposite", through_weights(), "[[0], [], [], [], [], [1, 2, 3], [0, 1, 2, 3]]")
            .starts_with("valid: undecided, "));
  const Json parts = sample("parts").claims[0]["steps"];
  CHECK(verdict_of_steps("parts", parts, "[[0, 1, 2, 3, 4, 5], [0, 1, 2]]") == "valid: verified, verified");
}

TEST_CASE("a shared step is checked anew for a claim of other heads") {
  const Json steps = json_of(R"json([{"rule": "coefficients", "of": "capacity", "p": 7, "rows": [0, 2],
    "cols": [0, 1], "tokens": [[0], [0]], "fact": "capacity >= 2"}])json");
  CHECK(verdict_of_steps("which", steps, "[[0], [0], []]").starts_with("valid: "));
  CHECK(verdict_of_steps("which", steps, "[[0], [], [0]]")
            .starts_with("rejected: claim 2 (capacity): step 0 "));
}

TEST_CASE("a claim names steps by increasing numbers, and every step is named") {
  const Json steps = minor_and_relation();
  for (const auto& [numbers, reason] : std::vector<std::pair<std::string, std::string>>{
           {"[[0, 1], [0, 0]]", "expected increasing numbers of steps, found 0 after 0"},
           {"[[1, 0]]", "expected increasing numbers of steps, found 0 after 1"},
           {"[[0, 1, 2]]", "expected an index below 2, found 2"},
           {"[[0, 1], [18446744073709551615]]", "expected an index below 2"},
           {"[[0, 1, -1]]", "expected an integer >= 0, found -1"},
           {"[[0, 1, '1']]", "expected an integer >= 0"},
           {"[[0, [1]]]", "expected an integer >= 0"},
           {"[0]", "expected an array"},
           {"[[1], [1], []]", "expected a claim that names each step, found none for step 0"},
           {"[[0]]", "expected a claim that names each step, found none for step 1"}})
    check_rejected(verdict_of_steps("opposite", steps, numbers), reason);
  const std::string all = "[[0, 1]]";
  check_rejected(verdict_of_steps("opposite", steps, all, [](Json& c) { c["claims"][1].erase("steps"); }),
                 "claim 1 (rank): expected the key \"steps\"");
  check_rejected(verdict_of_steps("opposite", steps, all, [](Json& c) { c.erase("steps"); }),
                 "expected the key \"steps\"");
  check_rejected(verdict_of_steps("opposite", steps, all, [](Json& c) { c["steps"] = c["steps"][0]; }),
                 "expected an array");
  // As the format was before.
  check_rejected(
      verdict_of_steps("opposite", steps, all, [](Json& c) { c["claims"][0]["steps"] = c["steps"]; }),
      "expected an integer >= 0");
  const auto of_format = [&](const Json& format) {
    return verdict_of_steps("opposite", steps, all, [&](Json& c) { c["format"] = format; });
  };
  for (const char* const old : {"attest-certificate/1", "attest-certificate/2"})
    CHECK(of_format(old) == "bad input: certificate: the format \"" + std::string(old) +
                                "\" is not known; this program checks attest-certificate/3; run attest "
                                "verify again");
}

TEST_CASE("a step refers to earlier steps of its claim, and to no others") {
  const auto refused = [](
                           const std::string& numbers, const std::string& reason,
                           const std::function<void(Json&)>& change = [](Json&) {}) {
    Json steps = through_weights();
    change(steps);
    check_rejected(verdict_of_steps("opposite", steps, numbers), reason);
  };
  const std::string other = "[[0, 1, 2], [], [], [], [], ", earlier = "expected an earlier step of the claim";
  refused(other + "[1, 3]]", earlier + ", found 2");
  refused(other + "[0, 3]]", earlier + ", found 2");
  refused(other + "[2, 3]]", "expected a layer that is given or of an earlier let, found \"1\"");
  for (const unsigned later : {3U, 4U, 1'000'000U})
    refused("[[0, 1, 2, 3]]", earlier, [&](Json& steps) { steps[3]["uses"] = {later}; });
  refused("[[0, 1, 2, 3]]", "expected a layer", [](Json& steps) {
    std::swap(steps[1], steps[2]);  // the minor before its layer
    steps[1]["of"] = "rank(Z(2))", steps[1]["fact"] = "rank(Z(2)) >= 2", steps[2]["fact"] = "let Z(2)";
  });
  refused("[[0, 1, 2, 3]]", "expected the fact let Z(1)", [](Json& steps) { steps[1]["fact"] = "let Z(2)"; });
  const Json parts = sample("parts").claims[0]["steps"];
  check_rejected(verdict_of_steps("parts", parts, "[[0, 1, 2, 3, 4, 5], [1, 2]]"), earlier + ", found 0");
}

TEST_CASE("a step that two claims name proves of each what it proves with its arguments") {
  // Of the tolerances 1 and 1/2, a second singular value of 0.65 is below the first only.
  const Json steps = sample("labelled").claims[4]["steps"];
  CHECK(verdict_of_steps("labelled", steps, "[[], [], [], [], [0, 1], [0]]").starts_with("valid: "));
  check_rejected(verdict_of_steps("labelled", steps, "[[], [], [], [], [0, 1], [0, 1]]"),
                 "claim 5 (numerical-rank): step 1 (\"ball\"): ");
  check_rejected(verdict_of_steps("labelled", steps, "[[], [], [], [], [0], [0, 1]]"),
                 "claim 5 (numerical-rank): step 1 (\"ball\"): ");
  // What one claim may say, another may not: there are no labels in its statement.
  const Json beside = sample("labelled").claims[3]["steps"];
  check_rejected(verdict_of_steps("labelled", beside, "[[0], [0]]"),
                 "claim 1 (injective): step 0 (\"minor\"): expected a claim with labels");
  // Nor is a false step accepted because another claim has it as well.
  Json wrong = minor_and_relation();
  wrong[0]["fact"] = "rank(Z(given)) >= 4";
  check_rejected(verdict_of_steps("opposite", wrong, "[[1], [0, 1], [0]]"), "claim 1 (rank): step 0");
}

TEST_CASE("many steps and many names") {
  constexpr std::size_t kMany = 200'000;
  const Json minor = minor_and_relation()[0];
  std::string steps = "[" + minor.dump(), numbers = "[0", zeros = "[0";
  for (std::size_t k = 1; k < kMany; ++k) {
    steps += ",{}";
    numbers += "," + std::to_string(k);
    zeros += ",0";
  }
  const Json all = Json::parse(steps + "]"), one = Json::array({minor});
  check_rejected(verdict_of_steps("opposite", one, "[" + zeros + "]]"), "increasing numbers");
  check_rejected(verdict_of_steps("opposite", all, "[[0]]"), "found none for step 1");
  check_rejected(verdict_of_steps("opposite", all, "[" + numbers + "]]"), "step 1 (null): expected the key");
}
