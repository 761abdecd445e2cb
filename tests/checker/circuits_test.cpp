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
}

TEST_CASE("a claim of other heads has layers with so many") {
  check_rejected(
      verdict_after("which", [](Json& claims) { claims[2]["steps"][1]["layer"]["heads"].erase(1); }),
      "an array of 2 entries");
  CHECK(verdict_with_case("which", "value = 2", "value = 3") == "valid: verified, verified, refuted");
}
