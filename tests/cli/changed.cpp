// attest verify --changed: what has a valid certificate is checked, not proved again.
#include <algorithm>

#include "tests/cli/program.hpp"

using namespace attest::test;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Outcome verify(const Workplace& place) {
  return place.attest({"verify", "cases", "--changed", "--json", "out.json"});
}

std::size_t unchanged(const Workplace& place) {
  std::size_t count = 0;
  const Json cases = place.json("out.json")["cases"];
  for (const Json& one : cases) count += one.contains("unchanged") ? 1 : 0;
  return count;
}

// The results without times and without what says that they are old.
Json results(const Workplace& place) {
  Json all = place.json("out.json");
  for (Json& one : all["cases"]) {
    one.erase("seconds");
    one.erase("unchanged");
    for (Json& claim : one["claims"]) claim.erase("seconds");
  }
  return all;
}

}  // namespace

TEST_CASE("--changed: the results are the same, and certificates are left as they are") {
  const Workplace place;
  place.write("cases/a.toml", quick_case(claim("theorem-1") + claim("rank", "at_least = 99")));
  place.write("cases/b.toml", quick_case(claim("assumption-1")));
  const Outcome first = verify(place);
  CHECK(unchanged(place) == 0);
  CHECK(!contains(first.out, "unchanged"));
  const Json before = results(place);
  const auto written = std::filesystem::last_write_time(place.path() / "certificates/a.json");
  const Outcome second = verify(place);
  CHECK(second.status == first.status);
  CHECK(contains(second.out, "; 2 unchanged; "));
  CHECK(unchanged(place) == 2);
  CHECK(results(place) == before);
  CHECK(std::filesystem::last_write_time(place.path() / "certificates/a.json") == written);
  CHECK(place.attest({"verify", "cases"}).out.find("unchanged") == std::string::npos);

  // What the case expects is no part of its contents, and counts as it is now.
  place.write("cases/b.toml", quick_case(claim("assumption-1", "expect = \"refuted\"")));
  CHECK(verify(place).status != 0);
  CHECK(unchanged(place) == 2);
  // Pages and JUnit are as complete as ever.
  CHECK(place.attest({"verify", "cases", "--changed", "--junit", "j.xml", "--report", "r.html"}).status == 1);
  CHECK(contains(place.read("j.xml"), "tests=\"3\""));
  CHECK(contains(place.read("r.html"), "Proof in"));
}

TEST_CASE("--changed: whatever is not valid for exactly these contents is proved again") {
  const Workplace place;
  place.write("cases/a.toml", quick_case(claim("theorem-1")));
  place.write("cases/b.toml", quick_case(claim("assumption-1")));
  REQUIRE(verify(place).status == 0);
  const std::string good = place.read("certificates/a.json"), other = place.read("certificates/b.json");

  Json without_steps = Json::parse(good), other_path = without_steps, false_fact = without_steps,
       other_digest = without_steps;
  without_steps["claims"][0]["steps"] = Json::array();
  other_path["case"]["path"] = "../cases/b.toml";
  false_fact["claims"][0]["steps"][0]["fact"] = "rank(Z(any)) >= 99";
  other_digest["case"]["digest"] = std::string(64, '0');
  for (const std::string& bad :
       {without_steps.dump(), other_path.dump(), false_fact.dump(), other_digest.dump(), other,
        good.substr(0, good.size() / 2), std::string("[]"), std::string()}) {
    CAPTURE(bad);
    place.write("certificates/a.json", bad);
    CHECK(verify(place).status == 0);
    CHECK(unchanged(place) == 1);
    CHECK(place.read("certificates/a.json") == good);
  }
  std::filesystem::remove(place.path() / "certificates/a.json");
  CHECK(verify(place).status == 0);
  CHECK(unchanged(place) == 1);

  std::string moved = quick_case(claim("assumption-1"));
  moved.insert(moved.find("seed = ") + 7, "9");
  place.write("cases/b.toml", moved);
  verify(place);
  CHECK(unchanged(place) == 1);
  CHECK(place.read("certificates/b.json") != other);
}
