// Steps about parts of the problem that are rejected, and what a part is.
#include "tests/checker/rejections.hpp"
#include "theory/part.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("parts that are none, and bounds that the steps do not give") {
  check_changes({
      {"parts", "/0/steps/0/heads", "0", "expected 1 to 3 heads"},
      {"parts", "/0/steps/0/heads", "4", "expected 1 to 3 heads"},
      {"parts", "/1/steps/0/examples", "[]", "expected an example"},
      {"parts", "/1/steps/0/examples", "[0, 0]", "expected distinct indices"},
      {"parts", "/1/steps/0/examples", "[0, 3]", "expected an index below 3"},
      {"parts", "/1/steps/0/examples", "[0, 1]", "y Z = 0"},  // their order matters
      {"parts", "/0/steps/0/fact", "'capacity(0) <= 0'", "expected the fact capacity(0) <= 1"},
      {"parts", "/0/steps/0/fact", "'capacity <= 1'", "expected the fact capacity(0) <= 1"},
      {"parts", "/0/steps/0/side", "'above'", "expected the fact capacity(0) >= 0"},
      {"parts", "/0/steps/0/side", "'left'", "expected above or below"},
      {"parts", "/0/steps/0/steps", "[]", "expected the fact capacity(0) <= 2"},
      {"parts", "/0/steps/0/steps/0/vectors/0/1/1", "'-2'",
       "step 0 (\"part\"): step 0 (\"zero\"): expected y Z = 0"},
      // Its own numbers only, its own heads, no weights of the case.
      {"parts", "/0/steps/1/steps/2/uses", "[0, 1]", "facts about quantities of some-weights"},
      {"parts", "/0/steps/1/heads", "2", "an array of 2 entries"},
      {"parts", "/0/steps/1/steps/2/layer", "'given'", "expected weights in the case"},
  });
}

TEST_CASE("schemas about parts, with parts that do not fit") {
  check_changes({
      {"parts", "/0/steps/2/parts", "[]", "expected 1 parts"},
      {"parts", "/0/steps/2/parts", "[1]", "facts about quantities"},
      {"parts", "/1/steps/1/parts", "[0, 2]", "expected 1 parts"},
      {"parts", "/1/steps/3/parts", "[1]", "facts about quantities"},
      {"parts", "/0/steps/5", theorem("some-weights", "capacity >= 1", "[4]", "'layer': 3, 'parts': [0]"),
       "expected 0 parts"},
  });
  const auto with_parts = [](const std::string& name, const std::string& parts) {
    return theorem(name, "", "[]", "'parts': " + parts);
  };
  check_changes({
      {"parts", "/0/steps/2", with_parts("concave-from-0", "[7]"), "expected the number of a part"},
      {"parts", "/0/steps/2", with_parts("part-and-others", "[0]"), "expected H <= H(0)"},
  });
  // With fewer examples they say nothing about all.
  check_rejected("parts", "expected T(0) = T", [](Json& claims) {
    Json& steps = claims[0]["steps"];
    steps[0]["examples"] = {0, 1};
    steps[0]["steps"] = Json::array();
    steps[0]["fact"] = "capacity(0) <= 2";
    steps[2]["uses"] = Json::array();
  });
}

TEST_CASE("a part needs data of the case") {
  check_changes(
      {{"lemmas", "/0/steps", "[{'rule': 'part', 'steps': [], 'side': 'below', 'fact': 'capacity(0) <= 1'}]",
        "expected a case with a layer, contexts and queries"}});
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
  const std::string values = "/0/steps/0/vectors/0/";
  check_changes({
      {"functions", values + "1/1/1/0", "'-2'", "expected y Z = 0 for all weights"},
      {"functions", values + "1/1/1/1/0/1", "'3'", "expected y Z = 0 for all weights"},
      // Another entry of the matrix.
      {"functions", values + "0/1/0/1/0/0", "1", "expected y Z = 0 for all weights"},
      {"functions", values + "0/1/0/1/0/0", "4", "expected an index below 4"},
      {"functions", values + "0/1/0/1/0", "[]", "expected an array of 2 entries"},
      {"functions", values + "0/1/0/1/0", "[1]", "expected an array of 2 entries"},
      {"functions", values + "0/1", "'1'", "expected y Z = 0 for all weights"},
      {"functions", values + "1/0", "0", "expected increasing positions"},
      {"functions", values + "1/0", "2", "expected an index below 2"},
      {"functions", "/0/steps/0/side", "'right'", "expected the side left"},
      {"functions", "/0/steps/0/fact", "'capacity <= 0'", "expected the fact capacity <= 1"},
      {"functions", "/0/steps/0/p", "7", "expected a string"},  // with p the values are rational
      {"functions", "/2/steps/0/vectors", "[[[0, '1'], [1, '-1']]]", "expected y Z = 0 for all weights"},
      {"functions", "/1/steps/1/parts", "[1]", "facts about quantities"},
  });
  check_rejected("functions", "expected in each vector an index that no other one has", [](Json& claims) {
    Json& vectors = claims[0]["steps"][0]["vectors"];
    vectors.push_back(Json(vectors[0]));
  });
  check_rejected("functions", "expected a prime p", [](Json& claims) {
    claims[2]["steps"][0].erase("p");
    claims[2]["steps"][0]["vectors"] = claims[0]["steps"][0]["vectors"];
  });
  check_added(
      {{"functions", 0, theorem("many-heads", "", "[]", "'parts': [0]"), "expected the number of a part"},
       {"sink", 3, step("zero", "capacity <= 1", "'side': 'left', 'vectors': []"),
        "expected coefficients that sum to 1"}});
}
