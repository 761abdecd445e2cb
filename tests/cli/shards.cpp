// --shard i/N of verify and check: parts that together are the whole, in one folder; killed, doubled, damaged
// and begun again, with --changed as the memory; one command at the end with all totals.
#include <unistd.h>

#include <set>

#include "tests/cli/program.hpp"
#include "tests/support/text.hpp"

using namespace attest::test;

namespace {

constexpr int kCases = 12;

struct Generated : Workplace {
  explicit Generated(int count = kCases) {
    for (int k = 0; k < count; ++k)
      write("cases/" + std::to_string(k) + ".toml",
            "title = 'Generated'\n" + sized_layer(2, 2, 2, 1, 3) +
                "[data]\ngenerate = { kind = 'integers', bound = 9, seed = " + std::to_string(k) +
                " }\n[weights]\ngenerate = { kind = 'integers', bound = 3, seed = 1 }\n" + claim("rank") +
                claim("proposition-5", "expect = \"inapplicable\"") + claim("rank", "at_most = 9"));
  }
};

std::string shard(const std::string& which, const std::string& out, const std::string& more = "") {
  return "verify cases --shard " + which + " --out " + out + " " + more;
}

// The certificates below a folder, and nothing else there.
std::map<std::string, std::string> files_in(const Workplace& place, const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const std::string& file : place.files())
    if (file.starts_with(folder + "/")) all[file.substr(folder.size())] = place.read(file);
  return all;
}

// How many cases a run says it had.
std::size_t cases_of(const Outcome& run) {
  const std::vector<std::string> all = lines(unwrapped(run.out));
  return all.empty() ? 0 : std::stoul(all.back());
}

// Results of --json without times, and without what says that they are old.
Json results(const Workplace& place, const std::string& file) {
  Json all = place.json(file);
  for (Json& one : all["cases"]) {
    one.erase("seconds");
    one.erase("unchanged");
    one.erase("certificate");
    for (Json& each : one["claims"]) each.erase("seconds");
  }
  return all;
}

}  // namespace

TEST_CASE("shards take every case once, and write what one run writes") {
  const Generated place;
  place.ends(0, "verify cases --out whole --json whole.json");
  for (const std::string count : {"1", "3", "20"}) {  // of 20 some are empty
    CAPTURE(count);
    std::size_t cases = 0;
    for (int k = std::stoi(count); k > 0; --k)
      cases += cases_of(place.ends(0, shard(std::to_string(k) + "/" + count, "out" + count, "--jobs 3")));
    CHECK(cases == kCases);
    CHECK(files_in(place, "out" + count) == files_in(place, "whole"));
  }
  // One command has the totals, the results and the reports of all, and proves nothing.
  const Outcome end = place.ends(
      0, "verify cases --changed --out out3 --json all.json --junit j.xml --report r.html --quiet");
  has(end.out,
      "12 cases, 36 claims: 24 verified (67 %), 0 refuted, 12 inapplicable (33 %), 0 undecided; 0 "
      "unexpected; 12 "
      "unchanged; certificates are in out3; ");
  CHECK(results(place, "all.json") == results(place, "whole.json"));
  has(place.read("j.xml"), "tests=\"36\" failures=\"0\"");
  CHECK(place.exists("r.html"));
  // A shard has results of its own as well.
  place.ends(0, shard("2/3", "out3", "--changed --json part.json"));
  CHECK(place.json("part.json")["cases"].size() < kCases);
  // From wherever it is called.
  CHECK(place.shell("cd cases && attest verify . --shard 1/3 --out ../away/deep").status == 0);
  CHECK(place.shell("cd cases && attest verify . --shard 2/3 --out ../away/deep").status == 0);
  CHECK(place.shell("cd cases && attest verify . --shard 3/3 --out ../away/deep").status == 0);
  CHECK(files_in(place, "away/deep").size() == kCases);
}

TEST_CASE("the certificates of a shard are that shard of the certificates") {
  const Generated place;
  for (const std::string which : {"1/3", "2/3", "3/3"}) {
    const std::string out = "out" + which.substr(0, 1);
    place.ends(0, shard(which, out));
    place.ends(0, shard(which, "all"));
  }
  std::size_t found = 0;
  for (const std::string which : {"1/3", "2/3", "3/3"}) {
    const Outcome check = place.ends(0, "check all -v --shard " + which);
    std::set<std::string> checked, proved;
    for (const std::string& line : lines(check.out))
      if (contains(line, ": valid (")) checked.insert(line.substr(3, line.find(':') - 3));
    for (const auto& [name, text] : files_in(place, "out" + which.substr(0, 1))) proved.insert(name);
    CHECK(checked == proved);
    found += checked.size();
  }
  CHECK(found == kCases);
  place.ends(0, "check all --shard 1/1 --filter all/1*");
  place.write("all/0.json", replaced(place.read("all/0.json"), ">= ", ">= 9"));
  std::multiset<int> statuses;
  for (const std::string which : {"1/3", "2/3", "3/3"})
    statuses.insert(place.line("check all --shard " + which).status);
  CHECK(statuses == std::multiset<int>{0, 0, 1});
}

TEST_CASE("with --changed a shard goes on where it was") {
  const Generated place;
  place.ends(0, shard("1/1", "out"));
  const auto whole = files_in(place, "out");
  has(place.line(shard("1/1", "out", "--changed")).out, "12 unchanged");
  const auto again = [&](const char* unchanged) {
    has(place.ends(0, shard("1/1", "out", "--changed")).out, unchanged);
    CHECK(files_in(place, "out") == whole);
  };
  // Whatever is missing, torn, or of another case is proved again.
  std::filesystem::remove(place.path() / "out/3.json");
  place.write("out/4.json", whole.at("/4.json").substr(0, 300));
  place.write("out/5.json", whole.at("/6.json"));
  again("9 unchanged");
  again("12 unchanged");
  // Without it everything is.
  CHECK(!contains(place.line(shard("1/1", "out")).out, "unchanged"));
  // Another case in place of one, which is what changed.
  place.write("cases/7.toml", replaced(place.read("cases/7.toml"), "seed = 7", "seed = 77"));
  has(place.line(shard("1/1", "out", "--changed")).out, "11 unchanged");
  CHECK(files_in(place, "out").at("/7.json") != whole.at("/7.json"));
}

TEST_CASE("shards that are none, cases that cannot be looked for, and words that are gone") {
  const Generated place;
  for (const std::string which :
       {"0/3", "4/3", "3", "a/b", "1/0", "-1/3", "+1/3", "1/3/4", " 1/3", "1/3 ", "1/1000001", "/", "1/",
        "/1", "0x1/3", "1.0/3", "18446744073709551617/18446744073709551617"}) {
    CAPTURE(which);
    const Outcome outcome = place.attest({"verify", "cases", "--shard", which, "--out", "out"});
    CHECK(outcome.status == 2);
    has(outcome.err, "is not a shard");
    CHECK(place.attest({"check", "cases", "--shard", which}).status == 2);
  }
  CHECK_FALSE(place.exists("out"));
  place.ends(2, shard("1/1", "/dev/null/out"));
  place.ends(2, "verify nowhere-cases --shard 1/1 --out out");
  // One bad case does not stop the others, whoever's it is.
  place.write("cases/bad.toml", "nonsense");
  std::multiset<int> statuses;
  for (const std::string which : {"1/2", "2/2"}) statuses.insert(place.line(shard(which, "out")).status);
  CHECK(statuses == std::multiset<int>{0, 2});
  CHECK(files_in(place, "out").size() == kCases);
  has(place.ends(2, "verify cases --changed --out out").out, "1 not run; 12 unchanged");
  // What earlier versions had says what takes its place.
  has(place.ends(2, "merge out/ledger-1-of-2.jsonl").err, "attest verify --changed");
  has(place.ends(2, shard("1/1", "out", "--force")).err, "there is no --force any more");
  place.ends(2, "check out --shard 1/1 --out checked");
}

TEST_CASE("killed at any time, a shard loses at most the case in work") {
  const Generated place(200);
  place.ends(0, shard("1/1", "whole"));
  const auto whole = files_in(place, "whole");
  std::size_t before = 0;
  for (int kill = 0; kill < 6; ++kill) {
    const pid_t pid = place.start(
        "attest", {"verify", "cases", "--shard", "1/1", "--changed", "--jobs", "1", "--out", "out"});
    ::usleep(static_cast<useconds_t>(30000 + 25000 * kill));
    CHECK(kill_alone(pid));
    // Each certificate that is there is whole, and stays.
    std::size_t certificates = 0;
    for (const auto& [name, text] : files_in(place, "out")) {
      if (!name.ends_with(".json")) continue;
      CHECK(text == whole.at(name));
      ++certificates;
    }
    CHECK(certificates >= before);
    before = certificates;
  }
  const Outcome end = place.ends(0, shard("1/1", "out", "--changed"));
  CHECK((before == 0 || contains(end.out, std::to_string(before) + " unchanged")));
  CHECK(files_in(place, "out") == whole);
}

TEST_CASE("a shard that runs twice at the same time") {
  const Generated place(60);
  place.ends(0, "verify cases --out whole");
  const std::string both = "attest verify cases --shard 1/1 --changed --jobs 1 --out out";
  CHECK(place.shell(both + " & first=$!; " + both + " || exit 9; wait $first").status == 0);
  CHECK(files_in(place, "out") == files_in(place, "whole"));
  has(place.ends(0, "verify cases --changed --out out").out, "60 unchanged");
}
