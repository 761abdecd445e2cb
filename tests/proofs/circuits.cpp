// Which examples can be memorized; certificates that say something else are rejected.
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

using Examples = std::vector<std::size_t>;

// Few tokens and queries, so that examples depend on each other in many ways.
Draft crowded(Random& random) {
  Draft draft = sized_draft(random.between(1, 2), 2, 2, 1, 1);
  draft.examples = random.between(2, 6);
  draft.shared = false;
  for (std::size_t k = 0; k < draft.examples * 4; ++k) draft.contexts.emplace_back(random.between(0, 2));
  for (std::size_t k = 0; k < draft.examples * 2; ++k) draft.queries.emplace_back(random.between(0, 1));
  return draft;
}

}  // namespace

TEST_CASE("which examples: greedy choices and circuits are found") {
  std::size_t found = 0, short_ones = 0;
  FOR_SEEDS(40, 0) {
    Draft draft = crowded(random);
    Examples values, order;
    for (std::size_t t = 0; t < draft.examples; ++t) {
      values.push_back(t * 5 % 7);
      order.push_back(t);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](std::size_t s, std::size_t t) { return s * 5 % 7 > t * 5 % 7; });
    draft.claims = {claim("capacity", "which = true"),
                    claim("capacity", "which = true\n" + lines("values", values))};
    const Case c = read(draft);
    const auto proofs = certified(c);
    for (std::size_t k = 0; k < 2; ++k) {
      const Examples in_order = greedy_order(c.claims[k], c.layer->examples);
      if (k == 1) CHECK(in_order == order);
      if (!proofs[k].finding.which) {
        CHECK(proofs[k].verdict() == Verdict::undecided);
        continue;
      }
      const Circuits& which = *proofs[k].finding.which;
      CHECK(proofs[k].verdict() == Verdict::verified);
      ++found;
      for (const auto& [t, others] : which.conflicts) short_ones += others.size() < which.set.size();
    }
  }
  CHECK(found > 70);
  CHECK(short_ones > 20);
}

TEST_CASE("which examples: forged sets, conflicts and parts are rejected") {
  // Opposite queries, an equal example, the query 0, and an example of a context that is 0.
  Draft draft = sized_draft(2, 2, 2, 1, 6);
  draft.shared = false;
  for (int t = 0; t < 5; ++t)
    for (const int x : {1, 0, 0, 1}) draft.contexts.emplace_back(x);
  for (int k = 0; k < 4; ++k) draft.contexts.emplace_back(0);
  draft.queries = {1, 2, 1, 2, -1, -2, 0, 0, 3, 1, 1, 1};
  draft.claims = {claim("capacity", "which = true"),
                  claim("capacity", "which = true\nvalues = [0, 1, 0, 0, 0, 0]")};
  const Case c = read(draft);
  const auto proofs = certified(c);
  REQUIRE(proofs[0].finding.which);
  CHECK(proofs[0].finding.which->text() == "0,2,4;1:0;3:0,2;5:");
  REQUIRE(proofs[1].finding.which);
  CHECK(proofs[1].finding.which->text() == "1,2,4;0:1;3:1,2;5:");
  REQUIRE(accepted(c, proofs));
  const auto with = [&](const std::string& text) {
    auto forged = proofs;
    Json& step = forged[0].steps.back();
    step["of"] = "which(" + text + ")";
    step["fact"] = "which(" + text + ") >= 1";
    return accepted(c, forged);
  };
  CHECK(with("0,2,4;1:0;3:0,2;5:"));
  for (const char* const text :
       {"1,2,4;0:1;3:1,2;5:", "0,2,4;1:2;3:0,2;5:", "0,2,4;1:0,2;3:0,2;5:", "0,2,4;1:;3:0,2;5:",
        "0,2,4;1:0;3:0,2,4;5:", "0,2,4;1:0;3:0;5:", "0,2,4;1:0;3:0,2;5:0", "0,2,3;1:0;4:0,2;5:",
        "0,2;1:0;3:0,2;4:;5:", "0,2,4;1:0;3:0,2", "0,2,4", "", "0,2,4;1:0;3:0,2;5:;6:", "2,0,4;1:0;3:0,2;5:",
        "0,2,4;3:0,2;1:0;5:", "0,2,4;1:0;3:2,0;5:", "0,2,4;1:0;3:0,2;5:;4:0", "00,2,4;1:0;3:0,2;5:"})
    CHECK_FALSE(with(text));
  // The second claim's set is not greedy for the first, and the other way round.
  auto swapped = proofs;
  std::swap(swapped[0].steps, swapped[1].steps);
  CHECK_FALSE(accepted(c, swapped));
  for (std::size_t k = 0; k < proofs[0].steps.back()["uses"].size(); ++k) {
    auto fewer = proofs;
    fewer[0].steps.back()["uses"].erase(k);
    CHECK_FALSE(accepted(c, fewer));
  }
}

TEST_CASE("which examples: every row is 0") {
  Draft draft = sized_draft(2, 1, 1, 1, 2);
  draft.contexts = {0}, draft.queries = {1, 2};
  draft.claims = {claim("capacity", "which = true")};
  const auto proofs = certified(read(draft));
  REQUIRE(proofs[0].finding.which);
  CHECK(proofs[0].finding.which->text() == ";0:;1:");
}

TEST_CASE("capacity of other numbers of heads than the layer's") {
  Draft draft = sized_draft(1, 3, 3, 1, 8);
  draft.contexts = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int t = 0; t < 8; ++t)
    for (const int x : {1, t, t * t}) draft.queries.emplace_back(x);
  for (int h = 1; h <= 5; ++h) draft.claims.push_back(claim("capacity", "heads = " + std::to_string(h)));
  draft.claims.push_back(claim("capacity", "heads = 2\nwhich = true"));
  draft.claims.push_back(claim("capacity", "heads = 3\nvalue = 6\nexpect = \"refuted\""));
  const auto proofs = certified(read(draft));
  for (std::size_t h = 1; h <= 5; ++h)
    CHECK(proofs[h - 1].is("capacity", std::min<std::size_t>(8, 2 * h + 1)));
  CHECK(proofs[5].finding.which->text() == "0,1,2,3,4;5:0,1,2,3,4;6:0,1,2,3,4;7:0,1,2,3,4");
  CHECK(proofs[6].verdict() == Verdict::refuted);
}
