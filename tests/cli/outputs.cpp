// Where results go, and what happens when they cannot: devices, links, full disks, processes that end early.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/cli/program.hpp"
#include "tests/support/arrays.hpp"
#include "tests/support/text.hpp"
#include "theory/statements.hpp"

using namespace attest::test;

namespace fs = std::filesystem;

TEST_CASE("results are written into devices and FIFOs, and through links") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  REQUIRE(::mkfifo((place.path() / "fifo").c_str(), 0600) == 0);
  Outcome outcome =
      place.shell("cat fifo > got & attest verify a.toml --json fifo --junit /dev/null; s=$?; wait; exit $s");
  CHECK(outcome.status == 0);
  CHECK(Json::parse(place.read("got"))["totals"]["verified"] == 1);
  CHECK(fs::is_fifo(place.path() / "fifo"));
  CHECK(fs::is_character_file("/dev/null"));

  place.write("kept/real.json", "old");
  fs::create_symlink("kept/real.json", place.path() / "link.json");
  fs::create_symlink("kept/new.json", place.path() / "fresh.json");  // leads nowhere yet
  REQUIRE(::chmod((place.path() / "kept/real.json").c_str(), 0640) == 0);
  place.ends(0, "verify a.toml --json link.json --junit fresh.json");
  CHECK(fs::is_symlink(place.path() / "link.json"));
  CHECK(place.json("kept/real.json")["totals"]["verified"] == 1);
  CHECK((fs::status(place.path() / "kept/real.json").permissions() & fs::perms::mask) ==
        static_cast<fs::perms>(0640));
  CHECK(fs::is_symlink(place.path() / "fresh.json"));
  CHECK(place.read("kept/new.json").find("<testsuites") != std::string::npos);

  fs::create_symlink("loop", place.path() / "loop");
  place.refuses("verify a.toml --json loop", "loop");
  place.refuses("verify a.toml --json kept", "kept");
}

TEST_CASE("no result takes the place of what is asked about") {
  const Workplace place;
  const std::string text = quick_case(claim("rank"));
  place.write("a.toml", text);
  fs::create_symlink("a.toml", place.path() / "link.json");
  for (const std::string option : {"--json", "--junit", "--report"})
    for (const std::string name : {"a.toml", "./a.toml", "link.json"}) {
      place.refuses("verify a.toml " + option + " " + name, "is a case, which it would replace");
      CHECK(place.read("a.toml") == text);
    }
  place.ends(0, "verify a.toml --json a.json");
  // Nor of a certificate of this run, or of another result; nor is a folder found out after the proofs.
  for (const char* const name : {"certificates/a.json", "./certificates/../certificates/a.json"}) {
    const std::string before = place.read("certificates/a.json");
    place.refuses("verify a.toml --json " + std::string(name), "is the place of a certificate");
    CHECK(place.read("certificates/a.json") == before);
  }
  place.refuses("verify a.toml --json r --junit ./r", "is that of --json, which it would replace");
  CHECK(!place.exists("r"));
  place.ends(0, "verify a.toml --json /dev/null --junit /dev/null");
  place.refuses("verify a.toml --json certificates --out new", "is a folder; a file");
  CHECK(!place.exists("new"));
  place.ends(0, "verify a.toml --json b.json --junit b.xml");
}

TEST_CASE("a FIFO that nobody reads is not waited for") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  REQUIRE(::mkfifo((place.path() / "fifo").c_str(), 0600) == 0);
  place.refuses("verify a.toml --json fifo", "fifo: cannot be written");
}

TEST_CASE("- and /dev/stdout are standard output, which is then nothing else") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  for (const std::string name : {"-", "/dev/stdout"}) {
    CHECK(Json::parse(place.attest({"verify", "a.toml", "--json", name}).out)["totals"]["verified"] == 1);
    CHECK(place.attest({"verify", "a.toml", "--junit", name}).out.rfind("<?xml", 0) == 0);
    CHECK(place.attest({"verify", "a.toml", "--report", name}).out.rfind("<!DOCTYPE html>", 0) == 0);
  }
  const Outcome both = place.ends(2, "verify a.toml --json - --report -");
  CHECK(both.out.empty());
  CHECK_FALSE(place.exists("-"));
}

TEST_CASE("what is lost on standard output is noticed") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  place.ends(0, "verify a.toml");
  for (const char* command : {"attest verify a.toml", "attest verify a.toml --json -", "attest statements",
                              "attest new", "attest --version", "attest --help",
                              "attest explain certificates/a.json", "attest check certificates/a.json"}) {
    CAPTURE(command);
    CHECK(place.shell(std::string(command) + " > /dev/null").status == 0);
    for (const char* lost : {" > /dev/full", " >&-"}) {
      const Outcome outcome = place.shell(command + std::string(lost));
      CHECK(outcome.status == 2);
      if (std::string(command).find(" check ") == std::string::npos)
        check_message(outcome.err, "standard output");
      else
        has(outcome.err, "output cannot be written");
    }
  }
  place.refuses("verify a.toml --json /dev/full", "/dev/full");
}

TEST_CASE("totals count what was not run") {
  const Workplace place;
  place.write("good.toml", quick_case(claim("rank")));
  place.write("bad.toml", "format = 2");
  const Outcome outcome = place.ends(2, "verify good.toml bad.toml --json -");
  const Json totals = Json::parse(outcome.out)["totals"];
  CHECK(totals["not_run"] == 1);
  CHECK(totals["verified"] == 1);
}

// Of what "cases: verified" has written (tests/CMakeLists.txt); alone, this test has nothing to read.
TEST_CASE("JSON says what the text says: every number of every shipped claim" * doctest::skip()) {
  std::ifstream in(std::getenv("ATTEST_CASES_JSON"));
  const Json run = Json::parse(in);
  std::size_t intervals = 0;
  for (const Json& each : run["cases"])
    for (const Json& claim : each["claims"]) {
      std::string text, heads;
      if (claim.contains("heads")) heads = claim["heads"].dump() + (claim["heads"] == 1 ? " head" : " heads");
      for (const attest::Shown& shown : attest::statement(claim["statement"].get<std::string>()).shown) {
        // Numbers that depend on arguments of the claim.
        std::istringstream conditions(shown.when);
        bool applies = true;
        for (std::string key; conditions >> key;) {
          const bool without = key.front() == '!';
          if (without) key.erase(0, 1);
          const std::size_t value = key.find('=');
          const std::string said = value == std::string::npos ? key + " = " : key.replace(value, 1, " = ");
          const bool given = claim["arguments"].get<std::string>().find(said) != std::string::npos;
          applies = applies && given != without;
        }
        const Json* value = applies ? &claim : nullptr;
        std::istringstream path(shown.name);
        for (std::string key; value != nullptr && std::getline(path, key, '.');)
          value = value->contains(key) ? &value->at(key) : nullptr;
        if (value == nullptr) continue;
        const auto number = [](const Json& json) {
          return json.is_string() ? json.get<std::string>() : json.dump();
        };
        const bool interval = value->is_object();
        const std::string lower = number(interval ? value->at("lower") : *value),
                          upper = number(interval ? value->at("upper") : *value);
        intervals += lower == upper ? 0 : 1;
        // What is no more than sizes say is no result.
        if (lower == "0" && upper != "0" && !contains(claim["found"].get<std::string>(), shown.text))
          continue;
        const std::string of = shown.name.starts_with("bounds.") ? " with " : " of ",
                          name = shown.text + (heads.empty() ? "" : of + heads);
        text += (text.empty() ? "" : "; ") +
                (lower == upper ? name + " = " + lower : lower + " <= " + name + " <= " + upper);
      }
      const Json open = claim.value("open", Json::object());
      for (const auto& [name, bounds] : open.items()) {
        const std::string lower = bounds["lower"].dump(), upper = bounds["upper"].dump();
        text += (text.empty() ? "" : "; ") +
                (lower == upper ? name + " = " + lower : lower + " <= " + name + " <= " + upper);
      }
      CAPTURE(each["path"]);
      // Examples and their conflicts come after the numbers (tests/proofs/circuits.cpp).
      std::string found = claim["found"].get<std::string>();
      for (const std::string of :  // the layer says so, and no key
           {" with query biases", " without query biases", " with all layers free",
            " with the layers before as given", " of the tokens as they are, which are no such sums",
            " of the tokens as they are", " with sinks", " and sinks", " with sigmoid coefficients",
            " and sigmoid coefficients"})
        for (std::size_t at; (at = found.find(of)) != std::string::npos;) found.erase(at, of.size());
      if (claim.contains("which")) {
        CHECK(found.starts_with(text + "; examples memorizable together: "));
        continue;
      }
      CHECK(found == text);
    }
  CHECK(intervals > 90);
}

TEST_CASE("what a killed run has left is used up by the next") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  place.write("certificates/.a.json.attest-tmp", "half of a certifi");
  place.ends(0, "verify a.toml");
  CHECK(place.files() == std::vector<std::string>{"a.toml", "certificates/a.json"});
  // Nothing is written through a link that somebody has put there.
  place.write("precious", "precious");
  fs::create_symlink("../precious", place.path() / "certificates/.a.json.attest-tmp");
  const Outcome outcome = place.refuses("verify a.toml", "certificates/a.json");
  has(outcome.err, "--out");
  CHECK(place.read("precious") == "precious");
}

TEST_CASE("a case that ends badly says why, and the others live") {
  const Workplace place;
  place.write("cases/a.toml", quick_case(claim("rank")));
  place.write("cases/\xff.toml", quick_case(claim("rank")));
  place.write("cases/z.toml", quick_case(claim("rank")));
  fs::create_symlink("nowhere.toml", place.path() / "cases/dangling.toml");
  fs::create_symlink("loop.toml", place.path() / "cases/loop.toml");
  const Outcome outcome = place.ends(2, "verify cases --json out.json");
  has(outcome.err, "cases/\\xff.toml: has a name that is not UTF-8");
  for (const std::string name : {"cases/dangling.toml: ", "cases/loop.toml: "}) has(outcome.err, name);
  CHECK(!contains(outcome.err, "memory"));
  CHECK(!contains(outcome.err, "internal"));
  has(outcome.out, "5 cases, 2 claims: 2 verified, ");
  has(outcome.out, "3 not run");
  CHECK(place.json("out.json")["cases"].size() == 5);
  place.ends(0, "check certificates");
}

TEST_CASE("signals that are ignored, few descriptors, no folder for temporary files, little memory") {
  const Workplace place;
  for (const std::string name : {"a", "b", "c", "d", "e"})
    place.write("cases/" + name + ".toml", quick_case(claim("rank") + claim("affine-hull-bound")));
  for (const char* command :
       {"trap '' CHLD; attest verify cases",
        "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -n 8; attest verify cases --jobs 5",
        "TMPDIR=/nonexistent attest verify cases --timeout 60",
        "ulimit -v 400000; attest verify cases --jobs 2"}) {
    const Outcome outcome = place.shell(command);
    CAPTURE(command);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 0);
    has(outcome.out, "5 cases, 10 claims: 10 verified");
  }
  CHECK(place.shell("ulimit -v 60000; attest --version").status == 0);
  CHECK(place.shell("ulimit -v 100000; attest check certificates").status == 0);
  // Too little for the arithmetic: a limit, and it says so.
  const Outcome outcome = place.shell("ulimit -v 90000; attest verify cases/a.toml --out none");
  CAPTURE(outcome.err);
  CHECK(outcome.status == 3);
  has(outcome.out, "memory");
}

TEST_CASE("questions keep what they asked in regular files, and say when that was of other data") {
  const Workplace place;
  place.write("given/m.npy", npy_of({2, 2}, std::vector<std::int64_t>{1, 2, 2, 4}));
  place.write("given/other.npy", npy_of({2, 2}, std::vector<std::int64_t>{1, 2, 2, 5}));
  const std::string ask = "matrix-rank given/m.npy --out kept",
                    note = "the certificate of other data is replaced";
  for (const std::string& again : {ask, ask})
    CHECK(!contains(place.ends(0, again).out + place.ends(0, again).err, note));
  const Outcome other = place.ends(0, "matrix-rank given/other.npy --out kept");
  has(unwrapped(other.out + other.err), note + ": kept/matrix-rank.json");
  CHECK(!contains(place.ends(0, "matrix-rank given/other.npy --out kept --changed").out, note));
  place.ends(0, "check kept/matrix-rank.json");
  // What lies there may be anybody's: nothing leads elsewhere, and nothing is waited for.
  place.write("precious", "precious");
  for (const std::string name : {"matrix-rank.json", "matrix-rank.toml", "m.npy"})
    for (const bool fifo : {false, true}) {
      CAPTURE(name);
      fs::remove_all(place.path() / "kept");
      fs::create_directory(place.path() / "kept");
      const fs::path there = place.path() / "kept" / name;
      if (fifo)
        REQUIRE(::mkfifo(there.c_str(), 0600) == 0);
      else
        fs::create_symlink("../precious", there);
      has(place.ends(2, ask).err, "kept/" + name + ": is not a regular file; ");
      CHECK(place.read("precious") == "precious");
    }
}

TEST_CASE("--work counts proving too, and says what would be needed") {
  const Workplace place;
  // The rank of the first takes about 70,000 operations, besides 5 million for drawing its weights, and over
  // a hundred times as many where weights are constructed over Q. The second searches the subsets of 60
  // queries.
  const std::string random = sized_layer(4, 8, 16, 4, 60) + R"([data]
generate = { kind = "uniform-f64", seed = 7 }
[weights]
generate = { kind = "normal-f64", seed = 7 }
)";
  struct Row {
    std::string text, little, enough;
  };
  const Row rows[] = {{random + claim("rank"), "10K", "10M"},
                      {random + claim("proposition-1"), "10M", "1G"},
                      {hard_case(), "10M", ""}};
  for (const Row& row : rows) {
    place.write("cases/a.toml", row.text);
    const Outcome little = place.ends(3, "verify cases --work " + row.little);
    has(little.out, " word operations are needed; the limit is 10");
    has(little.out, "(--work)");
    if (!row.enough.empty()) place.ends(0, "verify cases --work " + row.enough);
  }
}

TEST_CASE("--filter and --quiet") {
  const Workplace place;
  place.write("cases/first.toml", quick_case(claim("rank")));
  place.write("cases/second.toml", quick_case(claim("rank", "value = 2") + claim("rank")));
  CHECK(place.line("verify cases --filter first").out.find("1 case, 1 claim: 1 verified") !=
        std::string::npos);
  CHECK(place.line("verify cases --filter */s*.toml")
            .out.find("1 case, 2 claims: 1 verified (50 %), 1 refuted (50 %)") != std::string::npos);
  place.refuses("verify cases --filter third", "--filter");
  // The same for certificates.
  place.line("verify cases --out proved");
  place.ends(0, "check proved --filter first");
  CHECK(place.attest({"check", "-v", "--filter=*/s*.json", "proved"}).out.find("first.json") ==
        std::string::npos);
  CHECK(place.attest({"check", "-v", "--filter=*/s*.json", "proved"}).out.find("second.json") !=
        std::string::npos);
  CHECK(place.line("check -v proved/first.json proved --filter second").out.find("first.json") ==
        std::string::npos);
  for (const char* arguments : {"check proved --filter third", "check proved --filter"})
    place.refuses(arguments, "--filter");
  CHECK(place.attest({"check", "--help"}).out.find("--filter TEXT") != std::string::npos);
  const Outcome quiet = place.ends(1, "verify cases --quiet");
  CHECK(!contains(quiet.out, "first.toml"));
  has(quiet.out, "second.toml");
  CHECK(lines(unwrapped(quiet.out)).size() == 2);  // the claim, the totals
}

TEST_CASE("quiet when all is well: a line for each folder and one total, and with -v the claims") {
  const Workplace place;
  for (const std::string folder : {"cases/a/", "cases/b/"})
    for (const std::string name : {"1.toml", "2.toml"})
      place.write(folder + name, quick_case(claim("rank", "value = 3") + claim("proposition-1")));
  const std::string total =
      "4 cases, 8 claims: 8 verified, 0 refuted, 0 inapplicable, 0 undecided; 0 unexpected; "
      "certificates are in certificates; ";
  Outcome outcome = place.ends(0, "verify cases");
  std::vector<std::string> said = lines(unwrapped(outcome.out));
  REQUIRE(said.size() == 3);
  CHECK(said[0] == "cases/a                                  2 cases, 4 claims, all as expected\n");
  CHECK(said[2].starts_with(total));
  CHECK(lines(unwrapped(place.ends(0, "verify cases --quiet").out)).size() == 1);
  CHECK(lines(unwrapped(place.ends(0, "verify cases/a --out one").out)).size() == 1);
  outcome = place.ends(0, "verify cases -v");
  CHECK(lines(unwrapped(outcome.out)).size() == 4 + 8 + 3);
  has(outcome.out, "\ncases/b/2.toml  ");
  CHECK(place.attest({"verify", "cases", "-v", "--quiet"}).status == 2);
  // A single file: its claims.
  CHECK(lines(unwrapped(place.ends(0, "verify cases/a/1.toml --out one").out)).size() == 1 + 2 + 1);
  said = lines(place.ends(0, "check certificates").out);
  REQUIRE(said.size() == 3);
  CHECK(said[0] == "certificates/a: 2 certificates: 2 valid; 4 claims: 4 verified; 0 unexpected\n");
  CHECK(said[2].starts_with("4 certificates: 4 valid; 8 claims: 8 verified; 0 unexpected; "));
}

TEST_CASE("what is not as expected: FILE:LINE:COLUMN, and a mark of that line in GitHub's workflows") {
  const Workplace place;
  place.write("cases/good.toml", quick_case(claim("rank")));
  const std::string text = quick_case(claim("rank") + claim("rank", "value = 2\nname = \"two, 100 %\""));
  place.write("cases/odd.toml", text);
  place.write("cases/wrong.toml", "format = 1\ntitle = \n");
  const auto line = std::to_string(
      std::count(text.begin(), text.begin() + static_cast<long>(text.rfind("[[claim]]")), '\n') + 1);
  const Outcome outcome = place.shell("attest verify cases");
  CHECK(outcome.status == 2);
  has(outcome.out, "cases/odd.toml:" + line + ":1: UNEXPECTED: the case expects verified: rank ");
  has(unwrapped(outcome.out), "\"two, 100 %\": rank(Z) = 3 of 3; claimed rank(Z) = 2\n");
  CHECK(!contains(outcome.out, "good.toml"));
  CHECK(!contains(outcome.out, "::error"));
  const Outcome github = place.shell("GITHUB_ACTIONS=true attest verify cases --json out.json");
  has(github.out,
      "::error file=cases/odd.toml,line=" + line + ",col=1::UNEXPECTED: the case expects verified: rank ");
  has(github.out, "\"two, 100 %25\": rank(Z) = 3 of 3; claimed rank(Z) = 2\n");
  has(github.out, "::error file=cases/wrong.toml,line=2,col=");
  CHECK(place.json("out.json")["cases"][1]["claims"][1]["place"]["line"] == std::stoi(line));
  // Of a name that no terminal should see only what shows is printed.
  place.write("cases/\x1b[31m.toml", "format = 1\ntitle = \n");
  const Outcome odd = place.shell("GITHUB_ACTIONS=true attest verify cases");
  CHECK(!contains(odd.out + odd.err, "\x1b"));
  has(odd.out, "::error file=cases/\\x1b[31m.toml,line=2,col=");
  // Standard output that is JSON stays JSON.
  const Outcome json = place.shell("GITHUB_ACTIONS=true attest verify cases --json -");
  CHECK(Json::accept(json.out));
  has(json.err, "::error file=cases/odd.toml,line=");
}

TEST_CASE("claims that differ in matrices alone are told apart by their digests") {
  const Workplace place;
  const std::string lemma = "[[claim]]\nstatement = \"lemma-5\"\na = [[1]]\nb = [[",
                    head = "format = 1\ntitle = \"t\"\n";
  place.write("two.toml", head + lemma + "1]]\n" + lemma + "2]]\nexpect = \"inapplicable\"\n");
  place.write("one.toml", head + lemma + "1]]\n");
  place.write("named.toml", head + lemma + "1]]\n" + lemma + "\"3/2\"]]\nname = \"of # 3/2\"\n");
  const std::string two = unwrapped(place.shell("attest verify two.toml --json two.json").out);
  for (const Json& claim : place.json("two.json")["cases"][0]["claims"]) {
    const std::string name = claim["name"];  // "lemma-5 (a #..., b #...)"
    const std::size_t first = name.find('(') + 1;
    has(two, "; with " + name.substr(first, name.size() - 1 - first) + "\n");
  }
  CHECK(!contains(place.shell("attest verify one.toml").out, "#"));
  const std::string named = unwrapped(place.shell("attest verify named.toml").out);
  has(named, "\"of # 3/2\": rank B is 1, and rank A is 1\n");
  has(named, "lemma-5             verified     rank B is 1, and rank A is 1; with a #");
}

TEST_CASE("names of claims: given ones, and ones that stay when other claims come") {
  const Workplace place;
  const auto names = [&](const std::string& claims) {
    place.write("a.toml", quick_case(claims));
    place.attest({"verify", "a.toml", "--json", "out.json", "--junit", "out.xml"});
    std::string result;
    const Json all = place.json("out.json");
    for (const Json& each : all["cases"][0]["claims"]) {
      const auto name = each["name"].get<std::string>();
      has(place.read("out.xml"), "<testcase name=\"" + name + "\"");
      result += name + "; ";
    }
    return result;
  };
  CHECK(names(claim("rank") + claim("proposition-1") + claim("rank", "value = 3")) ==
        "rank: rank(Z) = ?; proposition-1; rank: rank(Z) = 3; ");
  CHECK(names(claim("theorem-1") + claim("rank", "value = 3") + claim("rank")) ==
        "theorem-1; rank: rank(Z) = 3; rank: rank(Z) = ?; ");
  CHECK(names(claim("rank", "name = \"rank: rank(Z) = ? (2)\"") + claim("rank") + claim("rank") +
              claim("rank")) ==
        "rank: rank(Z) = ? (2); rank: rank(Z) = ?; rank: rank(Z) = ? (3); rank: rank(Z) = ? (4); ");
  // Arguments are in it, what is long by its digest.
  const std::string first = claim("rank", "head = 1"), second = claim("saturation", "threshold = '9/10'"),
                    third = claim("matrix-rank", "matrix = [[1]]"),
                    fourth = claim("matrix-rank", "matrix = [[2]]");
  const std::string all = names(first + second + third + fourth),
                    later = all.substr(all.find("; matrix-rank") + 2);
  CHECK(all.starts_with(
      "rank: rank(Z_h) = ? (head = 1); saturation: saturated pairs = ? (threshold = 9/10); matrix-rank: "
      "rank(M) = ? (matrix #"));
  CHECK(!contains(all, "(2)"));
  CHECK(names(claim("rank", "head = 0") + third + claim("matrix-rank", "matrix = [[3]]") + fourth)
            .ends_with(later.substr(later.find("; matrix-rank") + 2)));
  CHECK(names(third + fourth) == later);
  CHECK(names(claim("capacity") + claim("capacity", "which = true") + claim("capacity", "which = false")) ==
        "capacity: capacity = ?; capacity: capacity = ? (which); capacity: capacity = ? (2); ");
  CHECK(!contains(place.ends(0, "verify a.toml").out, "(which): "));
  place.write("a.toml", quick_case(claim("rank")));
  has(place.ends(0, "verify a.toml").out, "rank(Z) = 3");
  place.write("a.toml", quick_case(claim("rank", "name = \"the paper's\"")));
  has(place.ends(0, "verify a.toml").out, "verified     \"the paper's\": rank(Z) = 3 of 3");
  // In quotes that it cannot close; titles have single blanks, and what begins a line is no command.
  place.write("a.toml", quick_case(claim("rank", "name = \"x\\\": rank(Z) = 9 of 9; \\\"\"")));
  has(place.ends(0, "verify a.toml").out, "verified     \"x\\\": rank(Z) = 9 of 9; \\\"\": rank(Z) = 3 of 3");
  const std::string words(110, 'x'),
      rest = place.read("a.toml").substr(place.read("a.toml").find("\n[layer]"));
  place.write("b.toml", "format = 1\ntitle = \"" + words +
                            " ::stop-commands::x   rank      verified     9 ##[y]\"" + rest);
  has(place.ends(0, "verify b.toml").out, words + "\n  \\x3a:stop-commands::x rank verified 9 \\x23#[y]\n");
  // The name is no part of what is claimed.
  place.write("b.toml", quick_case(claim("rank")));
  CHECK(place.ends(0, "digest a.toml").out.substr(0, 64) == place.ends(0, "digest b.toml").out.substr(0, 64));
  for (const char* wrong : {"name = \"\"", "name = \" \"", "name = 3", "name = \"a\\u0007b\"",
                            "name = \"a\\nb\"", "name = \"::error::\"", "name = \"a ##[group]\""}) {
    place.write("a.toml", quick_case(claim("rank", wrong)));
    place.refuses("verify a.toml", "a.toml");
  }
  place.write("a.toml", quick_case(claim("rank", "name = \"x\"") + claim("theorem-1", "name = \"x\"")));
  has(place.refuses("verify a.toml", "a.toml").err, "another claim has the name \"x\"");
}

TEST_CASE("--select: the claims of a name alone, and no certificate") {
  const Workplace place;
  place.write("cases/a.toml", quick_case(claim("rank", "name = \"mine\"") + claim("theorem-1")));
  place.write("cases/b.toml", quick_case(claim("theorem-1") + claim("rank", "value = 2\nname = \"other\"")));
  Outcome outcome = place.ends(0, "verify cases --select mine --json out.json");
  has(outcome.out, "1 case, 1 claim: 1 verified, 0 refuted, 0 inapplicable, 0 undecided; 0 unexpected; ");
  CHECK(!contains(outcome.out, "certificates"));
  CHECK_FALSE(place.exists("certificates"));
  const Json cases = place.json("out.json")["cases"];
  REQUIRE(cases.size() == 1);
  CHECK(cases[0]["claims"].size() == 1);
  CHECK_FALSE(cases[0].contains("certificate"));
  has(place.ends(1, "verify cases --select other").out, "cases/b.toml:");
  CHECK(place.attest({"verify", "cases", "--select", "mine", "--select", "other"}).status == 1);
  has(place.attest({"verify", "cases", "--select", "theorem-1"}).out, "2 cases, 2 claims: 2 verified");
  // The way out: the names that the JSON has.
  has(place.refuses("verify cases --select nothing", "--select").err, "attest verify --json");
  place.attest({"verify", "cases", "--json", "all.json"});
  for (const Json& each : place.json("all.json")["cases"])
    for (const Json& one : each["claims"])
      CHECK(place.attest({"verify", "cases", "--select", one["name"]}).status != 2);
  for (const char* other : {"--check", "--changed", "--prune", "--report r.html"})
    CHECK(place.line("verify cases --select mine " + std::string(other)).status == 2);
}
