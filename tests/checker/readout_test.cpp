#include "checker/readout.hpp"

#include <doctest/doctest.h>

#include "checker/failure.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::checker;
using namespace attest::test;

namespace {

/// Two rows (s, 1 - s) with s = softmax(x) at x = 1 and x = 1 + gap; U = (1, 1) is the only solution of Z U =
/// (1, 1).
std::string two_rows(const std::string& gap) {
  return "format = 1\ntitle = \"nearly singular\"\n[layer]\nheads = 1\ncontext = 2\nembed_dim = 2\nhead_dim "
         "= 2\n"
         "examples = 2\n[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = [[1, 0], [\"" +
         gap +
         "\", 0]]\nlabels = [[1], [1]]\n[weights]\ncombined = [[[1, 0], [0, 1]]]\n[[claim]]\nstatement = "
         "\"rank\"\n";
}

/// "inside", or why not.
std::string verdict(const std::string& second_query, const char* mid, const char* rad,
                    std::size_t max_precision = 4096) {
  const Bench bench;
  const Case source = read_case(bench.write_bytes(two_rows(second_query), "case.toml"));
  const Problem problem(source);
  CheckPolicy policy;
  policy.max_precision = max_precision;
  const std::vector<std::vector<Ball>> balls(2, {Ball{Rational(mid), Rational(rad)}});
  try {
    check_enclosure(problem, given_layer(problem), {0, 1}, balls, 64, false, policy);
    return "inside";
  } catch (const Failure&) {
    return "outside";
  } catch (const LimitError&) {
    return "limit";
  }
}

}  // namespace

TEST_CASE("enclosures of well and badly conditioned systems") {
  const std::string zeros(60, '0');
  for (const std::string& second :
       {std::string("2"), std::string("1.0000001"), "1." + zeros.substr(0, 20) + "1", "1." + zeros + "1"}) {
    CAPTURE(second);
    CHECK(verdict(second, "1", "1/1000000000000000000000000000000") == "inside");
    CHECK(verdict(second, "1", "1/10") == "inside");
    CHECK(verdict(second, "1000001/1000000", "1/1000000000000000000000000000000") == "outside");
    CHECK(verdict(second, "1000000000000000000000000000001/1000000000000000000000000000000",
                  "1/10000000000000000000000000000000") == "outside");
  }
}

TEST_CASE("what cannot be decided is a limit, not a verdict") {
  CHECK(verdict("2", "1", "0") == "limit");          // an enclosure of 1 is never a point here
  CHECK(verdict("2", "1/2", "1/2") == "limit");      // 1 is on the boundary
  CHECK(verdict("1", "1", "1/10", 512) == "limit");  // equal rows: singular
  CHECK(verdict("2", "1", "1/1000000000000000000000000000000", 64) == "limit");
}
