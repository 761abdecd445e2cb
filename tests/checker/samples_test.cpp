// Every sample is accepted, with the verdicts that its case expects, and each of its changes is rejected.
#include "tests/checker/samples.hpp"

#include <doctest/doctest.h>

using namespace attest;
using namespace attest::test;

TEST_CASE("every sample is accepted and decides its claims as expected") {
  for (const Sample& each : samples()) {
    CAPTURE(each.name);
    const Case source = case_of(each.toml);
    const kernel::Problem problem(source);
    const Json& certificate = each.certificate;
    CHECK(certificate == certificate_of(problem, each.claims));
    const std::string bytes = certificate.dump();
    CAPTURE(verdict(problem, bytes));
    const kernel::CheckReport report = kernel::check(problem, bytes);
    REQUIRE(report.size() == source.claims.size());
    for (std::size_t i = 0; i < source.claims.size(); ++i) {
      CAPTURE(i);
      CAPTURE(verdict_text(report[i].finding));
      CHECK(as_expected(source.claims[i], report[i].finding));
      for (std::size_t k = 0; k < report[i].facts.size(); ++k) {
        const std::size_t number = certificate["claims"][i]["steps"][k];
        CHECK(report[i].facts[k].text() == certificate["steps"][number]["fact"].get<std::string>());
      }
    }
  }
}

TEST_CASE("every change of a sample is rejected, for its reason") {
  std::size_t rejections = 0;
  for (const Sample& each : samples()) {
    CAPTURE(each.name);
    const Case source = case_of(each.toml);
    const kernel::Problem problem(source);
    for (const Rejection& rejection : each.rejections) {
      const std::size_t number = static_cast<std::size_t>(&rejection - each.rejections.data());
      CAPTURE(number);
      CAPTURE(rejection.about);
      CAPTURE(rejection.patch.dump());
      CAPTURE(rejection.says);
      const std::string found = verdict(problem, each.certificate.patch(rejection.patch).dump());
      CAPTURE(found);
      CHECK(found.starts_with("rejected: "));
      CHECK(contains(found, rejection.says));
      ++rejections;
    }
  }
  CHECK(rejections >= 500);  // so many are read
}

TEST_CASE("a head without terms weighs all tokens equally") {
  const auto with_minor = [](std::size_t first, std::size_t second) {
    return verdict_after("theorem", [&](Json& claims) {
      Json& steps = claims[0]["steps"];
      steps[2]["layer"]["heads"][1] = {{"key", Json::array()}, {"query", Json::array()}};
      steps[3]["rows"] = {0, 1}, steps[3]["cols"] = {first, second};
      steps[3]["fact"] = "rank(Z(2)) >= 2";
      while (steps.size() > 4) steps.erase(4);
    });
  };
  CHECK(with_minor(0, 2).starts_with("valid: undecided"));
  CHECK(with_minor(2, 3).starts_with("rejected: claim 0 (theorem-1): step 3 (\"minor\"): expected a minor"));
}
