// Every sample is accepted, with the verdicts that its case expects.
#include "tests/checker/samples.hpp"

#include <doctest/doctest.h>

using namespace attest;
using namespace attest::test;

TEST_CASE("every sample is accepted and decides its claims as expected") {
  for (const Sample& each : samples()) {
    CAPTURE(each.name);
    const Case source = case_of(each.toml);
    const checker::Problem problem(source);
    const std::string bytes = certificate_of(problem, each.claims).dump();
    CAPTURE(verdict(problem, bytes));
    const checker::CheckReport report = checker::check(problem, bytes);
    REQUIRE(report.claims.size() == source.claims.size());
    for (std::size_t i = 0; i < source.claims.size(); ++i) {
      CAPTURE(i);
      CAPTURE(verdict_text(report.claims[i].finding));
      CHECK(as_expected(source.claims[i], report.claims[i].finding));
      for (std::size_t k = 0; k < report.claims[i].steps.size(); ++k) {
        CHECK(report.claims[i].steps[k].rule == each.claims[i]["steps"][k]["rule"]);
        CHECK(report.claims[i].steps[k].fact.text() == each.claims[i]["steps"][k]["fact"]);
      }
    }
  }
}
