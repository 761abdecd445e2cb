// Certificates as files: what is printed, and the exit status.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <ctime>
#include <sstream>

#include "problem/digest.hpp"
#include "tests/checker/samples.hpp"
#include "tests/support/text.hpp"

using namespace attest;
using namespace attest::test;

namespace {

struct Run {
  int status;
  std::string out, broken;  ///< without the ends of long lines, and as it is printed
};

Run run(const std::vector<std::filesystem::path>& files, const kernel::ReportOptions& options = {}) {
  std::ostringstream out, err;
  const int status = kernel::run_check(files, options, out, err);
  return {status, unwrapped(out.str()), out.str()};
}

/// A sample's case and certificate in a folder.
struct Files {
  Folder folder;
  std::filesystem::path case_file, certificate;
  Json json;

  explicit Files(const std::string& name)
      : case_file(folder.write("case.toml", "title = 'of a test'\n" + sample(name).toml)) {
    const Case source = read_case(case_file);
    json = certificate_of(kernel::Problem(source), sample(name).claims);
    rewrite();
  }
  void rewrite() { certificate = folder.write("certificate.json", json.dump(1)); }
  std::string first_line() const {
    const std::string out = run({certificate}).out;
    return out.substr(certificate.string().size() + 2, out.find('\n') - certificate.string().size() - 2);
  }
};

}  // namespace

TEST_CASE("verdict lines name the case, the statement with its numbers, the verdict and the expectation") {
  const Files files("opposite");
  const Run result = run({files.certificate});
  CHECK(result.status == 0);
  const std::string name = files.case_file.string() + "  \"of a test\"  claim ";
  CHECK(result.broken != result.out);
  for (const std::string& line : lines(result.broken)) CHECK(line.size() <= 121);
  CHECK(result.out.find(name + "0 rank (rank(Z) = 3): verified; rank(Z) = 3; ") == 0);
  CHECK(result.out.find(name + "1 rank (rank(Z) >= 4): refuted; 0 <= rank(Z) <= 3; ") != std::string::npos);
  CHECK(result.out.find(name + "2 rank (rank(Z) = ?): undecided; 3 <= rank(Z) <= 4; ") != std::string::npos);
  CHECK(contains(result.out,
                 files.certificate.string() + ": valid (8 claims: 1 refuted, 1 undecided, 6 verified)\n"));
  kernel::ReportOptions quiet;
  quiet.quiet = true;
  const std::string total =
      "1 certificate: 1 valid; 8 claims: 1 refuted, 1 undecided, 6 verified; 0 unexpected; ";
  CHECK(contains(result.out, "\n" + total));
  const std::string says = run({files.certificate}, quiet).out;
  CHECK(says.starts_with(total));
  CHECK(std::count(says.begin(), says.end(), '\n') == 1);
}

TEST_CASE(
    "of several certificates: a line for each of several folders, what is not as expected, and one total") {
  const Folder folder;
  const auto write = [&](const std::string& below, const std::string& expect) {
    std::string toml = sample("moment").toml;
    toml.replace(toml.find("value = 3"), 9, "expect = '" + expect + "'\nvalue = 3");
    const Case source = read_case(folder.write(below + "case.toml", toml));
    return folder.write(below + "c.json",
                        certificate_of(kernel::Problem(source), sample("moment").claims).dump());
  };
  const std::filesystem::path a = write("a/", "verified"), b = write("b/", "refuted");
  const std::string at = folder.path().string();
  // One folder and nothing unexpected: the total alone; with -v every claim.
  Run result = run({a, a});
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("2 certificates: 2 valid; 8 claims: 8 verified; 0 unexpected; "));
  kernel::ReportOptions verbose;
  verbose.verbose = true;
  CHECK(contains(run({a, a}, verbose).out, "claim 3 "));
  CHECK(contains(run({a, a}, verbose).out, a.string() + ": valid (4 claims: 4 verified)\n"));
  const std::filesystem::path bad = folder.write("b/bad.json", "{");
  result = run({a, b, bad});
  CHECK(result.status == 2);
  const std::string wrong = at + "/b/case.toml:";
  CHECK(result.out.starts_with(wrong));
  CHECK(contains(result.out, "; UNEXPECTED: the case expects refuted\n" + bad.string() + ": bad input: "));
  CHECK(contains(result.out,
                 "\n" + at + "/a: 1 certificate: 1 valid; 4 claims: 4 verified; 0 unexpected\n" + at +
                     "/b: 2 certificates: 1 valid, 1 bad input; 4 claims: 4 verified; 1 unexpected\n"
                     "3 certificates: 2 valid, 1 bad input; 8 claims: 8 verified; 1 unexpected; "));
  CHECK(!contains(result.out, "; as expected"));
  // GitHub's workflows mark the line of the claim, and the file that is no certificate.
  CHECK(!contains(result.out, "::"));
  ::setenv("GITHUB_ACTIONS", "true", 1);
  result = run({a, b, bad});
  ::unsetenv("GITHUB_ACTIONS");
  CHECK(contains(result.out, "\n::error file=" + wrong.substr(0, wrong.size() - 1) + ",line="));
  CHECK(contains(result.out, "\n::error file=" + bad.string() + "::"));
  CHECK(!contains(result.out, "::error file=" + at + "/a"));
}

TEST_CASE("a path of other letters is in quotes, and readable") {
  const Folder folder;
  CHECK(run({folder.write("\u00fc.json", "{")})
            .out.starts_with("\"" + folder.path().string() + "/\u00fc.json\": "));
}

TEST_CASE("a verdict that is not the expected one: status 1, unless expectations are ignored") {
  std::string toml = sample("moment").toml;
  toml.replace(toml.find("value = 3"), 9, "value = 2");
  const Folder folder;
  const Case source = read_case(folder.write("case.toml", toml));
  const std::filesystem::path file =
      folder.write("c.json", certificate_of(kernel::Problem(source), sample("moment").claims).dump());
  Run result = run({file});
  CHECK(result.status == 1);
  CHECK(result.out.find(
            "(Kruskal rank = 2): refuted; Kruskal rank = 3; UNEXPECTED: the case expects verified\n") !=
        std::string::npos);
  CHECK(contains(result.out, "c.json: valid (4 claims: 1 refuted, 3 verified)"));
  kernel::ReportOptions ignore;
  ignore.ignore_expectations = true;
  CHECK(run({file}, ignore).status == 0);
}

TEST_CASE("verified-as-stated is not satisfied while hypotheses are undecided") {
  Files files("theorem");
  files.json["steps"][0] = files.json["steps"][1];  // instead of Assumption 1
  files.rewrite();
  const Run result = run({files.certificate});
  CHECK(result.status == 1);
  CHECK(contains(result.out, "verified (hypotheses undecided); "));
  CHECK(contains(result.out, "UNEXPECTED: the case expects verified-as-stated\n"));
}

TEST_CASE("the case that was certified, wherever it is") {
  Files files("moment");
  // A comment does not matter, an entry does.
  files.folder.write("case.toml", "# a comment\n" + sample("moment").toml);
  CHECK(run({files.certificate}).status == 0);
  std::string toml = sample("moment").toml;
  files.folder.write("case.toml", toml.replace(toml.find("25]"), 3, "26]"));
  CHECK(files.first_line().starts_with("rejected: expected the digest of the case, "));
  CHECK(run({files.certificate}).status == 1);
  kernel::ReportOptions moved;
  moved.case_path = files.folder.write("moved.toml", sample("moment").toml);
  CHECK(run({files.certificate}, moved).status == 0);
  // A NUL would end the name for the system, and not for who reads it.
  for (const std::string& path : {std::string(), std::string("/dev/zero"), std::string("/case.toml"),
                                  std::string("case.toml\0.txt", 14)}) {
    files.json["case"]["path"] = path;
    files.rewrite();
    CHECK(files.first_line().starts_with("rejected: expected a relative path of the case"));
  }
  files.json["case"]["path"] = "none.toml";
  files.rewrite();
  CHECK(run({files.certificate}).status == 2);
}

TEST_CASE("bad input: not JSON, not a certificate, not a regular file") {
  const Files files("moment");  // so that the case that it names is there
  const Folder& folder = files.folder;
  const auto status_of = [&](const std::string& bytes) { return run({folder.write("c.json", bytes)}); };
  const std::string start = R"({"format": "attest-certificate/3", )";
  for (const std::string& bytes : std::vector<std::string>{
           "", "{", "[1, 2", "{}", "[]", R"({"format": 2})", R"({"format": "attest-certificate/2"})",
           start + R"("a": 1, "a": 2})", start + R"("a": 1, "\u0061": 2})", start + R"("a": null})",
           start + R"("a": 1.5})", start + R"("a": 1e400})", start + R"("a": 18446744073709551616})",
           start + "\"a\": \"\xff\"}",
           start + R"("a": )" + std::string(40, '[') + std::string(40, ']') + "}"}) {
    CAPTURE(bytes);
    const Run result = status_of(bytes);
    CHECK(result.status == 2);
    CHECK(contains(result.out, "bad input: "));
    CHECK(!contains(result.out, "json.exception"));
  }
  const std::string good = files.json.dump();
  CHECK(status_of(good).status == 0);
  for (const char* rest : {"x", "{}", "\t\v"})
    CHECK(status_of(good + rest).out.find("bad input: ") != std::string::npos);
  CHECK(status_of(good + '\0').out.find("bad input: a NUL byte") != std::string::npos);
  CHECK(status_of(good + '\0' + "more").out.find("bad input: a NUL byte") != std::string::npos);
  CHECK(status_of("{\n  3}").out.find("at line 2, column 3") != std::string::npos);
  // Of the format, but not what it says: rejected.
  CHECK(status_of(start + R"("a": 1})").status == 1);
  CHECK(status_of(start +
                  R"("attest": "x", "claims": [], "case": {"path": "c.toml", "digest": "x", "more": 1}})")
            .status == 1);
  CHECK(run({folder.path()}).status == 2);
  CHECK(run({folder.path() / "none.json"}).status == 2);
  REQUIRE(mkfifo((folder.path() / "fifo").c_str(), 0600) == 0);
  CHECK(run({folder.path() / "fifo"}).status == 2);
  CHECK(run({"/dev/zero"}).status == 2);
}

TEST_CASE("nothing from a file or a name reaches the terminal unescaped") {
  const Folder folder;
  const std::string name = "a\x1b[31m\xff\xc2\x9b\xe2\x80\xae\n good.json: valid (1 claim).json";
  const Run result = run({folder.write(name, R"({"format": "attest-certificate/\u001b[1m\u202e"})")});
  CHECK(result.status == 2);
  for (const char* bad : {"\x1b", "\xff", "\xc2\x9b", "\xe2\x80\xae", "\n good"}) {
    CAPTURE(bad);
    CHECK(!contains(result.out, bad));
  }
  CHECK(contains(result.out, "a\\x1b[31m\\xff\\xc2\\x9b\\xe2\\x80\\xae\\x0a good.json"));
  // Blanks that are not the space would end a name without quotes.
  for (const char* blank : {"\u00a0", "\u2003", "\u202f", "\u2800", "\u3000", "\u3164", "\u115f"}) {
    CAPTURE(blank);
    const Run other = run({folder.write("good.json:" + std::string(blank) + "valid.json", "{}")});
    CHECK(!contains(other.out, blank));
    CHECK(contains(other.out, "/good.json:\\x"));
  }
}

TEST_CASE("no title, path or number passes for a verdict or pushes it out of the line") {
  const Folder folder;
  std::filesystem::create_directory(folder.path() / std::string(250, 'p'));
  const std::string fake = "x\\\"  claim 0 kruskal-rank (Kruskal rank = 2): verified; as expected";
  std::filesystem::create_directory(folder.path() / fake);
  for (const std::string& title : {fake, fake + std::string(3000, '-'), std::string(3000, '"')}) {
    std::string toml = "format = 1\ntitle = '" + title +
                       "'\n[layer]\nheads = 1\ncontext = 1\nembed_dim = 2\n" +
                       "head_dim = 1\nexamples = 2\n[data]\nqueries = [[1, 2], [3, 4]]\n[[claim]]\n" +
                       "statement = 'kruskal-rank'\nvalue = '1" + std::string(4000, '0') + "'\n";
    for (const std::string& below : {std::string(250, 'p'), fake}) {
      const std::string name = below + "/case.toml";
      const Case source = read_case(folder.write(name, toml));
      Json json =
          certificate_of(kernel::Problem(source), json_of("[{'statement': 'kruskal-rank', 'steps': []}]"));
      json["case"]["path"] = name;
      const Run result = run({folder.write("c.json", json.dump())});
      CHECK(result.status == 1);
      // What a long line goes on with begins no line.
      for (const std::string& line : lines(result.broken))
        CHECK((line.starts_with("    ") || line.starts_with(folder.path().string()) ||
               line.starts_with('"' + folder.path().string()) || line.starts_with("1 certificate: ")));
      const std::string line = result.out.substr(0, result.out.find('\n'));
      CHECK(line.ends_with("): refuted; 0 <= Kruskal rank <= 2; UNEXPECTED: the case expects verified"));
      // Quotes around the title, and a path with blanks, are closed by what no backslash precedes.
      std::size_t quotes = 0;
      for (std::size_t i = 0; i < line.size(); ++i)
        quotes += line[i] == '"' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
      CHECK(quotes == (below == fake ? 4 : 2));
      CHECK(line.starts_with('"') == (below == fake));
    }
  }
}

TEST_CASE("several certificates: the worst status, the others are checked all the same") {
  Files good("moment"), bad("moment");
  bad.json["steps"][0]["k"] = 4;
  bad.rewrite();
  const Folder folder;
  CHECK(run({good.certificate, good.certificate}).status == 0);
  const Run result = run({bad.certificate, good.certificate});
  CHECK(result.status == 1);
  CHECK(contains(result.out, "2 certificates: 1 valid, 1 rejected; 4 claims: "));
  CHECK(run({bad.certificate, folder.path(), good.certificate}).status == 2);
}

TEST_CASE("objects with many keys are refused before they are read") {
  Json many = Json::object();
  for (int i = 0; i < 200'000; ++i) many["key" + std::to_string(i)] = 1;
  const std::clock_t start = std::clock();
  CHECK(verdict_with("opposite", "/0/steps/0", many).find("an object of more than 64 keys") !=
        std::string::npos);
  CHECK(std::clock() - start < 10 * CLOCKS_PER_SEC);
}

TEST_CASE("the digest depends on contents only") {
  const Case a = case_of(sample("moment").toml), b = case_of("# other\n" + sample("moment").toml);
  CHECK(problem_digest(a) == problem_digest(b));
}
