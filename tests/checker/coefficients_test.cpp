// Certificates about sinks, outputs, biases and single heads that differ from an accepted one in one place.
#include <doctest/doctest.h>

#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("sinks, outputs and biases: one change and it is rejected") {
  struct Change {
    const char *pointer, *value, *reason;
  };
  const Change changes[] = {
      {"/0/steps/0/cols", "[1]", "an index below 1"},
      {"/1/steps/0/cols", "[1]", "a minor that is not 0 mod p"},
      {"/1/steps/0/cols", "[2]", "an index below 2"},
      {"/1/steps/1/vectors", "[[[0, '1']]]", "Z x = 0"},
      {"/1/steps/1/side", "'left'", "Z"},
      {"/2/steps/0/cols", "[0, 2]", "an index below 2"},
      {"/2/steps/0",
       "{'rule': 'zero', 'of': 'rank(Z|1)', 'side': 'right', 'p': 101, 'vectors': [], 'fact': ''}",
       "the side left"},
      {"/2/steps/0",
       "{'rule': 'zero', 'of': 'rank(Z|1)', 'side': 'left', 'p': 101, 'vectors': [[[0, '1'], [1, '-1']]], "
       "'fact': ''}",
       "y Z = 0"},
      {"/2/steps/0",
       "{'rule': 'theorem', 'theorem': 'affine-hull-ones', 'uses': [], 'fact': 'rank(Z|1) <= 2'}",
       "convex = 1"},
      {"/2/steps/0",
       "{'rule': 'minor', 'of': 'rank(Z|1Y)', 'p': 1000919, 'g': 4, 'rows': [], 'cols': [], 'fact': ''}",
       "a claim with labels"},
      {"/2/steps/0",
       "{'rule': 'minor', 'of': 'rank(outputs)', 'p': 1000919, 'g': 4, 'rows': [], 'cols': [], 'fact': ''}",
       "a claim with values"},
      {"/2/steps/0",
       "{'rule': 'minor', 'of': 'rank(head)', 'p': 1000919, 'g': 4, 'rows': [], 'cols': [], 'fact': ''}",
       "a claim with head"},
      {"/2/steps/0", "{'rule': 'theorem', 'theorem': 'head-hull', 'uses': [], 'fact': 'rank(head) <= 1'}",
       "a quantity that this case and claim have, found head"},
      {"/3/steps/0/layer/heads/0", "{'key': [], 'query': []}", "the key \"sink\""},
      {"/3/steps/0/layer/heads/0/sink", "1", "a string"},
      {"/3/steps/1", "{'rule': 'let', 'layer': {'rescaled': {'of': 0, 'lambda': '2'}}, 'fact': 'let Z(1)'}",
       "coefficients that sum to 1"},
      {"/5/steps/0/theorem", "'head-outputs-of-means'", "nonzero(value-bias) = 0"},
      {"/6/steps/1/uses", "[]", "rank(Z|1Y) <= rank(Z|1)"},
      {"/6/steps/1/theorem", "'missed-labels-bias'", "rank(Z|1Y) >= rank(Z|1)+1"},
  };
  for (const auto& [pointer, value, reason] : changes) {
    CAPTURE(pointer);
    CAPTURE(value);
    const std::string found = verdict_with("sink", pointer, json_of(value));
    CAPTURE(found);
    CHECK(found.starts_with("rejected: "));
    CHECK(found.find(reason) != std::string::npos);
  }
}

TEST_CASE("sinks: what encloses a plain softmax is no proof") {
  const std::string found = verdict_after("sink", [](Json& claims) {
    claims[0]["steps"].push_back(
        json_of("{'rule': 'ball', 'of': 'distinct(Z)', 'rows': [0, 1], 'precision': 64, 'fact': 'distinct(Z) "
                ">= 2'}"));
  });
  CHECK(found.find("expected enclosures of a plain softmax") != std::string::npos);
}

TEST_CASE("sinks: bounds of derivatives by differences of tokens are of a plain softmax") {
  for (const char* step : {"'exponent-count'", "'moving-directions'", "'moving-outputs'",
                           "'transcendental-outputs'", "'integer-outputs'"}) {
    const std::string found = verdict_after("sink", [&](Json& claims) {
      claims[0]["steps"].push_back(
          json_of("{'rule': 'theorem', 'theorem': " + std::string(step) + ", 'uses': [], 'fact': ''}"));
    });
    CAPTURE(found);
    CHECK(found.find("convex = 1") != std::string::npos);
  }
}

TEST_CASE("sinks: another logit of one is another layer") {
  CHECK(verdict_with_case("sink", "queries = [[1], [2]]", "queries = [[2], [2]]").starts_with("rejected: "));
  CHECK(
      verdict_with_case("sink", "value_bias = [[1, 0]]", "value_bias = [[1, 1]]").starts_with("rejected: "));
  CHECK(
      verdict_with_case("sink", "value_bias = [[1, 0]]", "value_bias = [[-2, 0]]").starts_with("rejected: "));
}
