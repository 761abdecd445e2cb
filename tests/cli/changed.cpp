// attest verify --changed: what has a valid certificate is checked, not proved again; --prune: what has no
// case any more is removed.
#include <sys/stat.h>

#include "tests/cli/program.hpp"
#include "tests/support/text.hpp"

using namespace attest::test;

namespace {

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
  has(second.out, "; 2 unchanged; ");
  CHECK(unchanged(place) == 2);
  CHECK(results(place) == before);
  CHECK(std::filesystem::last_write_time(place.path() / "certificates/a.json") == written);
  CHECK(!contains(place.attest({"verify", "cases"}).out, "unchanged"));

  // What the case expects is no part of its contents, and counts as it is now.
  place.write("cases/b.toml", quick_case(claim("assumption-1", "expect = \"refuted\"")));
  CHECK(verify(place).status != 0);
  CHECK(unchanged(place) == 2);
  // Pages and JUnit are as complete as ever.
  place.ends(1, "verify cases --changed --junit j.xml --report r.html");
  has(place.read("j.xml"), "tests=\"3\"");
  has(place.read("r.html"), "Proof in");
}

TEST_CASE("--changed: whatever is not valid for exactly these contents is proved again") {
  const Workplace place;
  place.write("cases/a.toml", quick_case(claim("theorem-1")));
  place.write("cases/b.toml", quick_case(claim("assumption-1")));
  REQUIRE(verify(place).status == 0);
  const std::string good = place.read("certificates/a.json"), other = place.read("certificates/b.json");

  Json without_steps = Json::parse(good), other_path = without_steps, false_fact = without_steps,
       other_digest = without_steps;
  without_steps["steps"] = without_steps["claims"][0]["steps"] = Json::array();
  other_path["case"]["path"] = "../cases/b.toml";
  false_fact["steps"][0]["fact"] = "rank(Z(any)) >= 99";
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

TEST_CASE("--prune removes the certificates of cases that are gone, and nothing else") {
  namespace fs = std::filesystem;
  const Workplace place;
  for (const std::string name : {"a", "b", "deep/c", "d"})
    place.write("cases/" + name + ".toml", quick_case(claim("assumption-1")));
  place.ends(0, "verify cases --out out");
  const std::string certificate = place.read("out/b.json");
  fs::remove(place.path() / "cases/b.toml");
  fs::remove_all(place.path() / "cases/deep");
  // None of these is a certificate of a case that is gone, below the folder.
  place.write("elsewhere/b.json", certificate);
  place.write("out/foreign.json", R"({"case": {"path": "../cases/b.toml"}, "format": "somebody's"})");
  for (const char* text :
       {"", "[]", "{}", "\"attest-certificate/3\"", R"({"format": "attest-certificate/3"})",
        R"({"format": "attest-certificate/3", "case": {"path": 1}})"})
    place.write("out/odd/" + std::to_string(std::string(text).size()) + ".json", text);
  place.write("out/torn.json", certificate.substr(0, certificate.size() / 2));
  place.write("out/b.json.txt", certificate);
  fs::create_symlink("../elsewhere/b.json", place.path() / "out/link.json");
  fs::create_symlink("../elsewhere", place.path() / "out/linked");
  REQUIRE(::mkfifo((place.path() / "out/fifo.json").c_str(), 0600) == 0);

  std::vector<std::string> left = place.files();
  for (const char* gone : {"out/b.json", "out/deep/c.json"}) std::erase(left, gone);
  CHECK(!contains(place.attest({"verify", "cases", "--out", "out"}).out, "removed"));
  const Outcome pruned = place.ends(0, "verify cases --out out --prune");
  has(pruned.out, "removed out/b.json: its case \"../cases/b.toml\" is gone\n");
  has(pruned.out, "removed out/deep/c.json: its case \"../../cases/deep/c.toml\" is gone\n");
  CHECK(place.files() == left);
  CHECK(fs::is_symlink(place.path() / "out/link.json"));
  CHECK(fs::is_symlink(place.path() / "out/linked"));
  CHECK(!contains(place.attest({"verify", "cases", "--out", "out", "--prune"}).out, "removed"));

  // The folder itself may be named by a link; with shards and --changed as well; not for a part of the cases.
  fs::create_directory_symlink("out", place.path() / "alias");
  fs::remove(place.path() / "cases/d.toml");
  has(place.attest({"verify", "cases/a.toml", "--out", "alias", "--changed", "--prune"}).out,
      "removed alias/d.json");
  place.ends(0, "verify cases --shard 1/1 --out shards");
  place.write("cases/e.toml", quick_case(claim("assumption-1")));
  place.ends(0, "verify cases/e.toml --shard 1/1 --out shards --prune");
  CHECK(place.exists("shards/a.json"));  // its case is there, though not in this run
  fs::remove(place.path() / "cases/e.toml");
  const Outcome shard = place.attest({"verify", "cases", "--shard", "1/1", "--out", "shards", "--prune"});
  has(shard.out, "removed shards/e.json");
  place.ends(0, "check shards");
  // What goes to standard output there is JSON alone.
  place.write("shards/a2.json", replaced(place.read("shards/a.json"), "cases/a.toml", "cases/a2.toml"));
  const Outcome json = place.attest({"verify", "cases", "--out", "shards", "--prune", "--json", "-"});
  CHECK(Json::parse(json.out)["cases"].size() == 1);
  has(json.err, "removed shards/a2.json");
}

TEST_CASE("the workflows for CI in docs go on when a case is deleted or renamed") {
  const Workplace place;
  // Each way to write them: the introduction, GitHub.
  std::vector<std::string> verify;
  for (const auto& page : std::filesystem::directory_iterator(ATTEST_SOURCE_DIR "/docs")) {
    if (page.path().extension() != ".md") continue;
    for (const std::string& line : lines(place.shell("cat '" + page.path().string() + "'").out))
      if (const std::size_t at = line.find("attest verify cases/");
          at != std::string::npos && contains(line, "--prune"))
        verify.push_back(line.substr(at, line.find_first_of("'\n", at) - at));
  }
  REQUIRE(verify.size() == 2);
  const std::string check = "attest check certificates";
  for (std::size_t k = 0; k < verify.size(); ++k) {
    CAPTURE(verify[k]);
    const auto both = [&] { return place.shell(verify[k] + " && " + check).status; };
    for (const std::string name : {"a", "b"})
      place.write("cases/" + name + ".toml", quick_case(claim("assumption-1")));
    CHECK(both() == 0);
    std::filesystem::remove(place.path() / "cases/a.toml");
    CHECK(both() == 0);
    std::filesystem::rename(place.path() / "cases/b.toml", place.path() / "cases/c.toml");
    CHECK(both() == 0);
    // Without --prune, as it was, the last step fails for ever.
    std::filesystem::rename(place.path() / "cases/c.toml", place.path() / "cases/d.toml");
    CHECK(place.shell(replaced(verify[k], " --prune", "") + " && " + check).status == 2);
    CHECK(both() == 0);
    std::filesystem::remove_all(place.path() / "certificates");
    std::filesystem::remove_all(place.path() / "cases");
  }
}
