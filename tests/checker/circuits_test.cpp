// Which examples can be memorized together: what is said wrongly is rejected, and claims of other heads.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

namespace {

std::string with_answer(const std::string& answer) {
  return verdict_after("which", [&](Json& claims) {
    claims[0]["steps"][6]["of"] = "which(" + answer + ")";
    claims[0]["steps"][6]["fact"] = "which(" + answer + ") >= 1";
  });
}

}  // namespace

TEST_CASE("sets and conflicts that are not those of the case") {
  CHECK(with_answer("0,2;1:0;3:0,2;4:").starts_with("valid: verified, verified, verified"));
  for (const char* const text :
       {"0,2;1:0;3:0,2;4", "0,2,;1:0;3:0,2;4:", "2,0;1:0;3:0,2;4:", "0,2;3:0,2;1:0;4:", "0,2;1:0;3:2,0;4:",
        "0,2;1:0;3:0,2;4::", "0,2;1:0;1:0;3:0,2;4:", "00,2;1:0;3:0,2;4:", "0,2;1:0;;3:0,2;4:",
        " 0,2;1:0;3:0,2;4:", "99999999999999999999"})
    check_rejected(with_answer(text), "expected examples, and for each other one");
  for (const char* const text :
       {"0,2;1:0;3:0,2", "0,2", "", "0,2;1:0;3:0,2;4:;5:", "0,2;0:0;3:0,2;4:", "0,2;1:0;2:0;4:"})
    check_rejected(with_answer(text), "expected each of the 5 examples once");
  check_rejected(with_answer("0;1:0;2:;3:0;4:"), "expected 1 columns, as many as examples");
  check_rejected(with_answer("0,1;2:0;3:0;4:"), "expected a minor that is not 0 mod p");
  for (const char* const text : {"0,2;1:;3:0,2;4:", "0,2;1:2;3:0,2;4:", "0,2;1:0,2;3:0,2;4:",
                                 "0,2;1:0;3:2;4:", "0,2;1:0;3:0,2;4:0", "0,2;1:0;3:0,1;4:"})
    check_rejected(with_answer(text), "members whose factors are not 0");
  // Largest, but not the greedy choices.
  check_rejected(with_answer("1,2;0:1;3:1,2;4:"), "expected examples that come before example 0");
  check_rejected(with_answer("2,3;0:2,3;1:2,3;4:"), "expected examples that come before example 0");
  check_rejected(verdict_with_case("which", "'1/2'", "-1"), "expected examples that come before example 0");
  check_changes({{"which", "/0/steps/6/fact", "'which(0,2;1:0;3:0,2;4:) >= 0'", "expected the fact"}});
}

TEST_CASE("circuits that are not shown") {
  const std::string last = "/0/steps/6/";
  check_changes({
      {"which", last + "uses", "[0, 1]", "expected a part in which example 4 depends on these"},
      {"which", last + "uses", "[0, 2]", "expected a part in which example 1 depends on these"},
      {"which", last + "uses", "[1, 2, 4]", "expected upper bounds of capacities"},
      {"which", last + "uses", "[1, 2, 5]", "expected upper bounds of capacities"},
      {"which", last + "uses", "[1, 2, 6]", "expected an earlier step of the claim"},
      {"which", last + "layer", "2", "expected a layer that is given or of an earlier let"},
      {"which", last + "layer", "'given'", "expected an integer >= 0"},
      {"which", last + "cols", "[0, 2]", "expected an index below 2"},
      {"which", last + "cols", "[0, 0]", "expected distinct indices"},
      {"which", last + "p", "1000921", "expected"},
      {"which", last + "g", "1", "expected"},
  });
  // A part without the example, and one of other heads.
  check_rejected("which", "expected a part in which example 1 depends on these", [](Json& claims) {
    Json& part = claims[0]["steps"][1];
    part["examples"] = {0, 0 + 2}, part["steps"] = Json::array();
    part["fact"] = "capacity(1) <= 2";
  });
  // The step is about a question of the claim.
  check_added(
      {{"functions",
        0,
        {step("circuits", "which(0;1:0) >= 1", "'layer': 1, 'p': 1000919, 'g': 4, 'cols': [0], 'uses': []")},
        "expected a claim with which"}});
  check_rejected("which", "expected a part with 2 heads", [](Json& claims) {
    claims[2]["steps"].push_back(
        json_of("{'rule': 'part', 'heads': 1, 'steps': [], 'side': 'below', 'fact': "
                "'capacity(4) <= 2'}"));
    Json step = claims[0]["steps"][6];
    step["layer"] = 1U, step["uses"] = {4U};
    claims[2]["steps"].push_back(step);
  });
}

TEST_CASE("a claim of other heads has layers with so many") {
  check_rejected(
      verdict_after("which", [](Json& claims) { claims[2]["steps"][1]["layer"]["heads"].erase(1); }),
      "an array of 2 entries");
  check_rejected("which", "expected", [](Json& claims) { claims[2]["steps"][3]["layer"] = "given"; });
  CHECK(verdict_with_case("which", "value = 2", "value = 3") == "valid: verified, verified, refuted");
}
