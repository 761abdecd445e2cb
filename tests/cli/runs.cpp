// attest verify: exit statuses, outputs, limits, and what is on the disk afterwards.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>

#include "tests/cli/program.hpp"
#include "tests/support/text.hpp"

using namespace attest::test;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

}  // namespace

TEST_CASE("status 0 when everything is as the case expects, whatever the verdicts are") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("theorem-1") + claim("rank", "value = 3") +
                                   claim("rank", "value = 2\nexpect = \"refuted\"") +
                                   claim("proposition-5", "expect = \"inapplicable\"")));
  const Outcome outcome = place.ends(0, "verify a.toml");
  CHECK(outcome.err.empty());
  has(outcome.out,
      "1 case, 4 claims: 2 verified (50 %), 1 refuted (25 %), 1 inapplicable (25 %), 0 undecided; 0 "
      "unexpected; certificates are in certificates; ");
  CHECK(place.files() == std::vector<std::string>{"a.toml", "certificates/a.json"});
}

TEST_CASE("status 1 when a claim comes out otherwise, and the certificate says what is true") {
  const Workplace place;
  place.write("a.toml",
              quick_case(claim("rank", "value = 2") + claim("theorem-1", "expect = \"inapplicable\"")));
  const Outcome outcome = place.ends(1, "verify a.toml --json out.json");
  CHECK(count(outcome.out, "UNEXPECTED") == 2);
  has(outcome.out, "2 unexpected");
  has(unwrapped(outcome.out), "rank(Z) = 3 of 3; claimed rank(Z) = 2");
  const Json claims = place.json("out.json")["cases"][0]["claims"];
  CHECK(claims[0]["verdict"] == "refuted");
  CHECK(claims[1]["verdict"] == "verified");
  place.ends(1, "check certificates/a.json");
  place.ends(0, "check --ignore-expectations certificates/a.json");
}

TEST_CASE("status 2 for bad input: one line that says which file and where, no certificate") {
  const Workplace place;
  place.write("float.toml", "format = 1\ntitle = \"x\"\n[layer]\nheads = 1.5\n");
  place.write("syntax.toml", "format = 1\ntitle = \n");
  place.write("unknown.toml", quick_case(claim("no-such-statement")));
  place.write("needs.toml", quick_case(claim("claim-1")));
  for (const std::string name : {"float.toml", "syntax.toml", "unknown.toml", "needs.toml", "missing.toml"}) {
    const Outcome outcome = place.refuses("verify " + name, name);
    if (name != "missing.toml") has(outcome.err, "line ");
  }
  CHECK_FALSE(place.exists("certificates"));
}

TEST_CASE("an error is said once where both outputs are one log, and on standard error where they are not") {
  const Workplace place;
  place.write("cases/a.toml", quick_case(claim("rank")));
  place.write("cases/b.toml", "format = 1\nnonsense");
  const Outcome log = place.shell("attest verify cases 2>&1");
  CHECK(log.status == 2);
  CHECK(count(log.out, "cases/b.toml: line 2") == 1);
  const Outcome apart = place.attest({"verify", "cases"});
  CHECK(count(apart.err, "cases/b.toml: line 2") == 1);
  CHECK(count(apart.out, "cases/b.toml: line 2") == 1);
}

TEST_CASE("a run says where the certificates are, when there are any") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  has(place.attest({"verify", "a.toml", "--out", "x/y"}).out,
      "\n1 case, 1 claim: 1 verified, 0 refuted, 0 inapplicable, 0 undecided; 0 unexpected; certificates are "
      "in "
      "x/y; ");
  CHECK(!contains(place.attest({"verify", "none.toml"}).out, "certificates"));
}

TEST_CASE("one bad file among good ones does not stop them, its status wins") {
  const Workplace place;
  place.write("cases/a.toml", quick_case(claim("theorem-1")));
  place.write("cases/b.toml", "format = 1\nnonsense");
  place.write("cases/c.toml", quick_case(claim("rank", "value = 2")));
  place.write("cases/deep/er/d.toml", quick_case(claim("rank")));
  place.refuses("verify cases --json out.json --junit out.xml", "cases/b.toml");
  CHECK(place.exists("certificates/a.json"));
  CHECK_FALSE(place.exists("certificates/b.json"));
  CHECK(place.exists("certificates/c.json"));
  CHECK(place.exists("certificates/deep/er/d.json"));
  place.ends(
      0, "check --ignore-expectations certificates/a.json certificates/c.json certificates/deep/er/d.json");

  const Json json = place.json("out.json");
  REQUIRE(json["cases"].size() == 4);
  CHECK(json["cases"][1].contains("error"));
  CHECK(json["cases"][1]["claims"].empty());
  CHECK(json["totals"]["verified"] == 2);
  CHECK(json["totals"]["unexpected"] == 1);
  const std::string junit = place.read("out.xml");
  CHECK(count(junit, "<error message=") == 1);
  CHECK(count(junit, "<failure message=") == 1);
}

TEST_CASE("--json and --junit have the documented shape") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank") + claim("proposition-1") +
                                   claim("kruskal-rank", "at_least = 1") + claim("rank", "value = 7")));
  const Outcome outcome = place.ends(1, "verify a.toml --json - --out certs");
  const Json json = Json::parse(outcome.out);  // standard output is nothing but the JSON
  CHECK(json["attest"].is_string());
  REQUIRE(json["cases"].size() == 1);
  const Json& c = json["cases"][0];
  CHECK(c["path"] == "a.toml");
  CHECK(c["title"] == "Three examples, two heads");
  CHECK(c["certificate"] == "certs/a.json");
  CHECK(c["seconds"].is_number());
  REQUIRE(c["claims"].size() == 4);
  for (const Json& claim : c["claims"]) {
    CHECK(claim["statement"].is_string());
    CHECK(claim["verdict"].is_string());
    CHECK(claim["expected"] == "verified");
    CHECK(claim["as_expected"] == (claim["verdict"] == "verified"));
  }
  CHECK(json["format"] == "attest-verify/1");
  CHECK(c["claims"][0]["claimed"] == "rank(Z) = ?");
  CHECK(c["claims"][3]["claimed"] == "rank(Z) = 7");
  CHECK(c["claims"][1]["hypotheses"]["assumption-1"] == "holds");
  CHECK(c["claims"][1]["conclusion"] == "proved");
  CHECK(c["claims"][3]["conclusion"] == "refuted");
  CHECK(c["claims"][0]["rank"]["lower"] == 3);
  CHECK(c["claims"][0]["rank"]["upper"] == 3);
  for (int k : {0, 1, 3}) {
    CHECK(c["claims"][k]["bounds"]["paper_lower"] == 3);
    CHECK(c["claims"][k]["bounds"]["any_coefficients"] == 3);
  }
  CHECK(c["claims"][2]["kruskal_rank"]["lower"].is_number());
  for (const char* key : {"verified", "refuted", "inapplicable", "undecided", "unexpected"})
    CHECK(json["totals"][key].is_number());
  CHECK(json["totals"]["verified"] == 3);
  CHECK(json["totals"]["refuted"] == 1);

  place.write("b&<c.toml", quick_case(claim("rank")));
  place.ends(1, "verify a.toml b&<c.toml --junit j.xml");
  const std::string xml = place.read("j.xml");
  CHECK(xml.rfind("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", 0) == 0);
  CHECK(count(xml, "<testsuite ") == 2);
  CHECK(count(xml, "<testcase ") == 5);
  CHECK(count(xml, "<failure ") == 1);
  has(xml, "refuted; rank(Z) = 3");
  has(xml, "rank: rank(Z) = 7\"");
  has(xml, "tests=\"4\" failures=\"1\" errors=\"0\"");
  has(xml, "b&amp;&lt;c.toml");
  CHECK(!contains(xml, "b&<c"));
}

TEST_CASE("--timeout: undecided with an interval, status 3, a valid certificate") {
  const Workplace place;
  place.write("hard.toml", hard_case() + claim("assumption-2"));
  const auto start = Clock::now();
  const Outcome outcome = place.ends(3, "verify hard.toml --timeout 1 --json out.json");
  CHECK(seconds_since(start) < 60);
  has(outcome.out, "undecided");
  const Json claims = place.json("out.json")["cases"][0]["claims"];
  CHECK(claims[0]["verdict"] == "undecided");
  CHECK(claims[0]["reason"].is_string());
  CHECK(claims[0]["kruskal_rank"]["lower"].get<int>() < claims[0]["kruskal_rank"]["upper"].get<int>());
  CHECK(claims[1]["verdict"] == "verified");
  CHECK(place.json("certificates/hard.json")["claims"][0]["reason"] == claims[0]["reason"]);
  place.ends(0, "check --ignore-expectations certificates/hard.json");
  // A limit that the case expects is no surprise.
  std::string text = hard_case();
  text += "expect = \"undecided\"\n";
  place.write("expected.toml", text);
  place.ends(0, "verify expected.toml --timeout 1");
  // A limit that is not reached changes nothing.
  place.write("easy.toml", quick_case(claim("theorem-1") + claim("rank")));
  place.ends(0, "verify easy.toml --out a");
  place.ends(0, "verify easy.toml --out b --timeout 60");
  CHECK(place.read("a/easy.json") == place.read("b/easy.json"));
}

TEST_CASE("the same bytes, whatever the number of jobs") {
  const Workplace place;
  for (int k = 0; k < 6; ++k)
    place.write("cases/" + std::to_string(k) + ".toml", sized_layer(3, 3, 4, 1 + k % 3, 7) + R"(base = ")" +
                                                            std::string(k % 2 == 0 ? "e" : "2") + R"("
[data]
generate = { kind = "uniform-f64", shared_context = )" + (k < 3 ? "true" : "false") +
                                                            ", seed = " + std::to_string(k) + R"( }
[weights]
generate = { kind = "normal-f64", seed = 3 }
)" + claim("rank") + claim("proposition-1") + claim("kruskal-rank"));
  place.ends(0, "verify cases --out one --jobs 1");
  place.ends(0, "verify cases --out four --jobs 4");
  for (int k = 0; k < 6; ++k) {
    const std::string name = "/" + std::to_string(k) + ".json";
    CHECK(place.read("one" + name) == place.read("four" + name));
  }
}

TEST_CASE("the same bytes, whatever the number of threads") {
  const Workplace place;
  for (const std::string shared : {"true", "false"}) {
    const std::string name = "shared-" + shared;
    place.write(name + ".toml", sized_layer(8, 16, 32, 4, 300) + R"(sink = true
[data]
generate = { kind = "uniform-f64", shared_context = )" +
                                    shared + R"(, seed = 1 }
[weights]
generate = { kind = "normal-f64", seed = 3 }
)" + claim("rank") + claim("capacity"));
    // Limits that are hit in the middle of loops are hit at the same place.
    for (const std::string work : {"1T", "20M", "8M", "3M"}) {
      std::set<std::string> certificates;
      std::set<int> checks;
      for (const std::string jobs : {"1", "2", "3", "8"}) {
        place.attest({"verify", name + ".toml", "--out", jobs, "--work", work, "--jobs", jobs});
        certificates.insert(place.read(jobs + "/" + name + ".json"));
        checks.insert(place.attest({"check", "--jobs", jobs, jobs + "/" + name + ".json"}).status);
      }
      CHECK(certificates.size() == 1);
      CHECK(checks.size() == 1);
    }
  }
}

TEST_CASE("a killed run leaves no half of a certificate") {
  const Workplace place;
  place.write("cases/a.toml", quick_case(claim("rank")));
  place.write("cases/hard.toml", hard_case());
  const pid_t pid = place.start("attest", {"verify", "cases", "--jobs", "2"});
  const auto start = Clock::now();
  while (!place.exists("certificates/a.json") && seconds_since(start) < 60)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ::kill(-pid, SIGKILL);
  int status = 0;
  ::waitpid(pid, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(place.files() == std::vector<std::string>{"cases/a.toml", "cases/hard.toml", "certificates/a.json"});
  place.ends(0, "check certificates/a.json");
}

TEST_CASE("killing the program alone takes its cases with it") {
  const Workplace place;
  place.write("hard.toml", hard_case());
  const pid_t pid = place.start("attest", {"verify", "hard.toml"});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  CHECK(kill_alone(pid));
}

TEST_CASE("folders that cannot be written, folders without cases, certificates of the same name") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  place.write("file", "not a folder");
  Outcome outcome = place.refuses("verify a.toml --out file", "file");
  CHECK(place.read("file") == "not a folder");
  place.refuses("verify a.toml --out /dev/null/x", "/dev/null/x");
  place.refuses("verify a.toml --json file/x.json", "file/x.json");

  std::filesystem::create_directory(place.path() / "empty");
  place.refuses("verify empty", "empty");
}

TEST_CASE("cases of the same name in one run have certificates named after their paths") {
  const Workplace place;
  place.write("one/a.toml", quick_case(claim("rank")));
  place.write("two/a.toml", quick_case(claim("rank")));
  place.write("two/b.toml", quick_case(claim("rank")));
  place.ends(0, "verify one two/a.toml two/b.toml --out both");
  CHECK(place.exists("both/one/a.json"));
  CHECK(place.exists("both/two/a.json"));
  CHECK(place.exists("both/b.json"));
  CHECK_FALSE(place.exists("both/a.json"));
  place.ends(0, "check both");
  place.ends(0, "verify . --out all");
  CHECK(place.exists("all/one/a.json"));
  CHECK(place.exists("all/two/a.json"));
  // Names that coincide even so.
  place.write("case", quick_case(claim("rank")));
  place.write("case.toml", quick_case(claim("rank", "value = 2\nexpect = \"refuted\"")));
  const Outcome outcome = place.ends(0, "verify case case.toml --out twins");
  has(outcome.out, "2 cases, 2 claims: 1 verified (50 %), 1 refuted (50 %)");
  place.ends(0, "check twins");
}

TEST_CASE("the same file twice, links, and an --out that is a deep new folder") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  const Outcome twice = place.ends(0, "verify a.toml ./a.toml --out x/y/z");
  has(twice.out, "1 case, 1 claim: 1 verified");
  place.ends(0, "check x/y/z/a.json");
  // The certificate names its case relative to itself: both may be moved together.
  std::filesystem::create_directory(place.path() / "moved");
  std::filesystem::rename(place.path() / "x", place.path() / "moved" / "x");
  std::filesystem::rename(place.path() / "a.toml", place.path() / "moved" / "a.toml");
  place.ends(0, "check moved/x/y/z/a.json");
}

TEST_CASE("absurd dimensions are refused before memory runs out: status 3") {
  const Workplace place;
  place.write("big.toml", sized_layer(1000, 10000, 10000, 1000, 1000000) + R"([data]
generate = { kind = "integers", seed = 1 }
)" + claim("proposition-1"));
  const auto start = Clock::now();
  const Outcome outcome = place.ends(3, "verify big.toml");
  CHECK(seconds_since(start) < 60);
  has(outcome.err, "big.toml");
  CHECK_FALSE(place.exists("certificates/big.json"));
}

TEST_CASE("a conclusion without all hypotheses is marked, and is not what verified-as-stated expects") {
  const Workplace place;
  // Assumption 1 costs more subsets than a hypothesis is worth; the construction carries the proof.
  const std::string marked = sized_layer(2, 20, 24, 2, 60) + R"([data]
generate = { kind = "integers", bound = 1000, shared_context = true, seed = 7 }
)";
  place.write("marked.toml", marked + claim("proposition-1"));
  Outcome outcome = place.ends(0, "verify marked.toml --json out.json --junit out.xml");
  has(outcome.out, "verified (hypotheses undecided)");
  has(outcome.out, "1 with hypotheses undecided");
  has(outcome.out, "assumption-1 undecided");
  const Json json = place.json("out.json");
  CHECK(json["cases"][0]["claims"][0]["verdict"] == "verified");
  CHECK(json["cases"][0]["claims"][0]["hypotheses_undecided"] == true);
  CHECK(json["totals"]["hypotheses_undecided"] == 1);
  has(place.read("out.xml"), "verified (hypotheses undecided)");
  has(place.attest({"explain", "certificates/marked.json"}).out, "although not every hypothesis is decided");
  place.write("stated.toml", marked + claim("proposition-1", "expect = \"verified-as-stated\""));
  outcome = place.attest({"verify", "stated.toml"});
  CHECK(outcome.status != 0);
  has(outcome.out, "UNEXPECTED: the case expects verified-as-stated");
}

TEST_CASE("errors are one line without control characters, whatever the names of files are") {
  const Workplace place;
  const std::string name = "a\x1b[2J\n: valid\r\u202e";
  place.write("c.npy", "");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"rank", "--contexts", name + ".npy", "--queries", "c.npy", "--combined", "c.npy"},
           {"verify", name + ".toml"},
           {"digest", name + ".toml"},
           {"explain", name + ".json"},
           {"check", name + ".json"},
           {"check", "c.npy", "--shard", "1/1", "--" + name},
           {name},
           {"rank", "--" + name}}) {
    const Outcome outcome = place.attest(arguments);
    const std::string said = outcome.out + outcome.err;  // the checker reports on standard output
    CAPTURE(said);
    CHECK(outcome.status == 2);
    has(said, "\\x1b");
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') <= 1);
    CHECK(said.find_first_of("\x1b\r") == std::string::npos);
    CHECK(!contains(said, "\u202e"));
    CHECK(!contains(said, "\n: valid"));
  }
}

TEST_CASE("nothing but the table on standard output, nothing on standard error, when it is no terminal") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  const Outcome outcome = place.attest({"verify", "a.toml"});
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find_first_of("\r\x1b") == std::string::npos);
}

TEST_CASE("the table keeps the longest statement apart from its verdict") {
  const Workplace place;
  place.write("a.toml", sized_layer(1, 3, 2, 1, 1) + claim("positional-encoding", "expect = 'refuted'"));
  const Outcome outcome = place.ends(0, "verify a.toml");
  has(outcome.out, "  positional-encoding refuted ");
}

TEST_CASE("a tolerance far below equal rows ends with an answer") {  // numbers of binary64 became infinite
  const Workplace place;
  place.write("far.toml", sized_layer(3, 1, 1, 1, 2) + R"([data]
contexts = [["1e-15"]]
[weights]
logits = [[["2"], ["0"], ["3"]], [["2"], ["2"], ["30"]]]
)" + claim("numerical-rank", "tolerance = '1e-60'") +
                              claim("numerical-rank", "tolerance = '1e-400'") +
                              claim("numerical-rank", "tolerance = '1e-16'\nvalue = 1"));
  const Outcome outcome = place.attest({"verify", "far.toml"});
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(!contains(outcome.out, "not run"));
  has(unwrapped(outcome.out), "numerical rank = 1 of 2; with tolerance = 1/10000000000000000");
}

TEST_CASE("--out that cannot be written to is refused before anything is proved") {
  const Workplace place;
  place.write("hard.toml", hard_case());
  place.write("file", "not a folder");
  const auto start = Clock::now();
  place.refuses("verify hard.toml --out file/deeper", "file/deeper");
  place.refuses("verify hard.toml --out /proc/none", "/proc/none");
  CHECK(seconds_since(start) < 20);  // the claim takes minutes
}

TEST_CASE(
    "certificates go into regular files below --out, never through links, and take no other case's place") {
  const Workplace place;
  place.write("a/c.toml", quick_case(claim("rank")));
  place.write("b/c.toml", quick_case(claim("theorem-1")));
  place.write("precious", "mine");
  const auto refused = [&](const std::string& arguments, const std::string& says) {
    for (const std::string more : {"", " --changed", " --timeout 5"}) {
      const Outcome ended = place.line("verify " + arguments + more);
      CHECK(ended.status == 2);
      has(ended.out + ended.err, says);
    }
  };
  // A link in the place of the certificate, to what is there and to what is not; a folder that is a link.
  place.shell("mkdir out && ln -s ../precious out/c.json");
  refused("a --out out", "out/c.json: is not a regular file");
  place.shell("ln -sf ../new out/c.json");
  refused("a --out out", "out/c.json: is not a regular file");
  CHECK(place.read("precious") == "mine");
  CHECK_FALSE(place.exists("new"));
  place.shell("mkdir elsewhere out2 && ln -s ../elsewhere out2/a");
  refused(". --out out2", "out2/a: is a link or no folder");
  CHECK(std::filesystem::is_empty(place.path() / "elsewhere"));
  // A FIFO hangs nothing.
  place.shell("mkdir out3 && mkfifo out3/c.json");
  refused("a --out out3", "out3/c.json: is not a regular file");
  // Another case's, unless that is gone or moved along; and the way out.
  place.ends(0, "verify a --out shared");
  const std::string before = place.read("shared/c.json");
  refused("b --out shared", "shared/c.json: is the certificate of another case, \"a/c.toml\"");
  CHECK(place.read("shared/c.json") == before);
  place.ends(0, "verify b --out own");
  place.ends(0, "verify a --out shared");
  place.shell("rm shared/c.json");
  place.ends(0, "verify b --out shared");
  std::filesystem::remove(place.path() / "b/c.toml");
  place.ends(0, "verify a --out shared");
  // --out itself may be a link, as its owner has made it.
  place.shell("mkdir real && ln -s real link");
  place.ends(0, "verify a --out link");
  CHECK(place.exists("real/c.json"));
}
