// Steps about parts of the problem that are rejected, and what a part is.
#include <doctest/doctest.h>

#include "statements/part.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::test;

namespace {

void rejected(const std::string& pointer, const std::string& value, const std::string& reason,
              const std::string& sample = "parts") {
  CAPTURE(pointer);
  CAPTURE(value);
  const std::string found = verdict_with(sample, pointer, json_of(value));
  CAPTURE(found);
  CHECK(found.starts_with("rejected: "));
  CHECK(found.find(reason) != std::string::npos);
}

}  // namespace

TEST_CASE("parts that are none, and bounds that the steps do not give") {
  rejected("/0/steps/0/heads", "0", "expected 1 to 3 heads");
  rejected("/0/steps/0/heads", "4", "expected 1 to 3 heads");
  rejected("/1/steps/0/examples", "[]", "expected an example");
  rejected("/1/steps/0/examples", "[0, 0]", "expected distinct indices");
  rejected("/1/steps/0/examples", "[0, 3]", "expected an index below 3");
  rejected("/1/steps/0/examples", "[0, 1]", "y Z = 0");  // their order matters
  rejected("/0/steps/0/fact", "'capacity(0) <= 0'", "expected the fact capacity(0) <= 1");
  rejected("/0/steps/0/fact", "'capacity <= 1'", "expected the fact capacity(0) <= 1");
  rejected("/0/steps/0/side", "'above'", "expected the fact capacity(0) >= 0");
  rejected("/0/steps/0/side", "'left'", "expected above or below");
  rejected("/0/steps/0/steps", "[]", "expected the fact capacity(0) <= 2");
  rejected("/0/steps/0/steps/0/vectors/0/1/1", "'-2'",
           "step 0 (\"part\"): step 0 (\"zero\"): expected y Z = 0");
  // Its own numbers only, its own heads, no weights of the case.
  rejected("/0/steps/1/steps/2/uses", "[0, 1]", "facts about quantities of some-weights");
  rejected("/0/steps/1/heads", "2", "an array of 2 entries");
  rejected("/0/steps/1/steps/2/layer", "'given'", "expected weights in the case");
}

TEST_CASE("schemas about parts, with parts that do not fit") {
  rejected("/0/steps/2/parts", "[0]", "expected 2 parts");
  rejected("/0/steps/2/parts", "[1, 0]", "expected H(0) <= H(1)-1");
  rejected("/0/steps/2/parts", "[0, 3]", "facts about quantities");
  rejected("/1/steps/1/parts", "[0, 2]", "expected 1 parts");
  rejected("/1/steps/3/parts", "[1]", "facts about quantities");
  rejected("/0/steps/5",
           "{'rule': 'theorem', 'theorem': 'some-weights', 'uses': [4], 'layer': 3, 'parts': [0],"
           " 'fact': 'capacity >= 1'}",
           "expected 0 parts");
  const auto theorem = [](const std::string& name, const std::string& parts, const std::string& reason) {
    rejected("/0/steps/2",
             "{'rule': 'theorem', 'theorem': '" + name + "', 'uses': [], 'parts': " + parts + ", 'fact': ''}",
             reason);
  };
  theorem("concave-from-0", "[7]", "expected the number of a part");
  theorem("part-and-others", "[0]", "expected H <= H(0)");
  theorem("concave-heads", "[1, 0]", "expected H(0) <= H(1)-1");
  theorem("concave-heads", "[0, 0]", "expected H(0) <= H(0)-1");
  // With fewer examples they say nothing about all.
  const auto fewer = [](const std::string& step, const std::string& name, const std::string& parts) {
    return verdict_after("parts", [&](Json& claims) {
      Json& steps = claims[0]["steps"];
      steps[std::stoul(step)]["examples"] = {0, 1};
      steps[std::stoul(step)]["steps"] = Json::array();
      steps[0]["fact"] = step == "0" ? "capacity(0) <= 2" : "capacity(0) <= 1";
      steps[1]["fact"] = step == "1" ? "capacity(1) >= 0" : "capacity(1) >= 1";
      steps[2] = {{"rule", "theorem"},
                  {"theorem", name},
                  {"uses", Json::array()},
                  {"parts", Json::parse(parts)},
                  {"fact", "capacity <= 1"}};
    });
  };
  CHECK(fewer("0", "concave-heads", "[0, 1]").find("expected T(0) = T") != std::string::npos);
  CHECK(fewer("1", "concave-heads", "[0, 1]").find("expected T(1) = T") != std::string::npos);
  CHECK(fewer("0", "concave-from-0", "[0]").find("expected T(0) = T") != std::string::npos);
}

TEST_CASE("a part needs data of the case") {
  const std::string found = verdict_after("lemmas", [](Json& claims) {
    claims[0]["steps"] =
        json_of("[{'rule': 'part', 'steps': [], 'side': 'below', 'fact': 'capacity(0) <= 1'}]");
  });
  CHECK(found.find("expected a case with a layer, contexts and queries") != std::string::npos);
}

TEST_CASE("the data of a part") {
  const Case whole = case_of(sample("parts").toml);
  const Case part = part_of(whole, {5, std::vector<std::size_t>{1, 2}});
  CHECK(part.layer->heads == 5);
  CHECK(part.layer->examples == 2);
  CHECK(part.data.contexts->shape() == std::vector<std::size_t>{2, 1, 1});
  CHECK(part.data.contexts->at(0) == 2);
  CHECK(part.data.contexts->at(1) == 1);
  CHECK(part.data.queries->shape() == std::vector<std::size_t>{2, 1});
  CHECK(part_of(whole, {2, std::nullopt}).data.contexts->size() == 3);
}

TEST_CASE("relations over the functions of the weights that are none") {
  const auto changed = [](const std::string& pointer, const std::string& value, const std::string& reason) {
    rejected(pointer, value, reason, "functions");
  };
  const std::string values = "/0/steps/0/vectors/0/";
  changed(values + "1/1/1/0", "'-2'", "expected y Z = 0 for all weights");
  changed(values + "1/1/1/1/0/1", "'3'", "expected y Z = 0 for all weights");
  changed(values + "0/1/0/1/0/0", "1", "expected y Z = 0 for all weights");  // another entry of the matrix
  changed(values + "0/1/0/1/0/0", "4", "expected an index below 4");
  changed(values + "0/1", "'1'", "expected y Z = 0 for all weights");
  changed(values + "1/0", "0", "expected increasing positions");
  changed(values + "1/0", "2", "expected an index below 2");
  changed("/0/steps/0/side", "'right'", "expected the side left");
  changed("/0/steps/0/fact", "'capacity <= 0'", "expected the fact capacity <= 1");
  changed("/0/steps/0/p", "7", "expected a string");  // with p the values are rational
  const std::string twice = verdict_after("functions", [](Json& claims) {
    Json& vectors = claims[0]["steps"][0]["vectors"];
    vectors.push_back(Json(vectors[0]));
  });
  CHECK(twice.find("expected in each vector an index that no other one has") != std::string::npos);
  const std::string largest = verdict_after("functions", [](Json& claims) {
    claims[2]["steps"][0].erase("p");
    claims[2]["steps"][0]["vectors"] = claims[0]["steps"][0]["vectors"];
  });
  CHECK(largest.find("expected a prime p") != std::string::npos);
  changed("/2/steps/0/vectors", "[[[0, '1'], [1, '-1']]]", "expected y Z = 0 for all weights");
  changed("/1/steps/1/parts", "[1]", "facts about quantities");
  const std::string heads = verdict_after("functions", [](Json& claims) {
    claims[0]["steps"].push_back(
        json_of("{'rule': 'theorem', 'theorem': 'many-heads', 'uses': [], 'parts': [0], 'fact': ''}"));
  });
  CHECK(heads.find("expected the number of a part") != std::string::npos);
  const std::string sinks = verdict_after("sink", [](Json& claims) {
    claims[3]["steps"].push_back(json_of(
        "{'rule': 'zero', 'of': 'capacity', 'side': 'left', 'vectors': [], 'fact': 'capacity <= 1'}"));
  });
  CHECK(sinks.find("expected coefficients that sum to 1") != std::string::npos);
}
