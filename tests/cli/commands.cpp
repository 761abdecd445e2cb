// The commands other than verify, and what every command shares.
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/cli/program.hpp"
#include "tests/support/text.hpp"

using namespace attest::test;

namespace {

const std::vector<std::string> kCommands = {"verify",  "check",  "rank",       "capacity", "assumptions",
                                            "explain", "digest", "statements", "schema",   "new"};

}  // namespace

TEST_CASE("words that were commands say what does it now") {
  const Workplace place;
  for (const std::string word : {"survey", "explore"}) {
    const Outcome outcome = place.ends(2, word + " folder");
    has(outcome.err, "python3 -m attest." + word);
    CHECK(outcome.out.empty());
    CHECK(!contains(place.ends(0, "--help").out, "\n  " + word));
  }
}

TEST_CASE("help and version") {
  const Workplace place;
  for (const std::string option : {"--help", "-h"}) {
    const Outcome help = place.ends(0, option);
    CHECK(help.err.empty());
    for (const std::string& command : kCommands) {
      CAPTURE(command);
      has(help.out, command);
      const Outcome own = place.ends(0, command + " " + option);
      CHECK(own.err.empty());
      has(own.out, option);
    }
  }
  const Outcome version = place.ends(0, "--version");
  for (const char* library : {"attest ", "GMP", "MPFR", "FLINT"}) has(version.out, library);
  CHECK(place.run("attest-check", {"--version"}).status == 0);
  CHECK(place.run("attest-check", {"--help"}).status == 0);
}

TEST_CASE("help: also as a word, and the options of questions by groups") {
  const Workplace place;
  CHECK(place.line("help").out == place.line("--help").out);
  CHECK(place.line("help rank").out == place.line("rank --help").out);
  const std::string help = place.line("rank --help").out;
  std::size_t last = 0;
  for (const char* const part : {"\nArrays:\n", "--contexts", "\nWeights:\n", "--key", "\nLayer:\n",
                                 "--heads", "\nAnswer:\n", "--out", "\nLimits:\n", "--memory"}) {
    const std::size_t at = help.find(part, last);
    CAPTURE(part);
    REQUIRE(at != std::string::npos);
    last = at;
  }
}

TEST_CASE("wrong usage: status 2, one line that points to the help") {
  const Workplace place;
  for (const char* arguments : {"",
                                "unknown",
                                "verify",
                                "verify --nonsense x.toml",
                                "verify --jobs 0 x.toml",
                                "verify --jobs many x.toml",
                                "verify --timeout -1 x.toml",
                                "verify --timeout nan x.toml",
                                "verify --timeout inf x.toml",
                                "verify --timeout 0 x.toml",
                                "verify --timeout 1s x.toml",
                                "verify --memory 0 x.toml",
                                "verify --memory nan x.toml",
                                "verify --memory -1 x.toml",
                                "verify --memory 1e300 x.toml",
                                "rank",
                                "rank --contexts c.npy",
                                "rank --contexts c.npy --queries q.npy --key k.npy",
                                "rank --contexts c.npy --queries q.npy --base 3",
                                "assumptions --queries q.npy",
                                "explain",
                                "export",
                                "schema",
                                "schema other",
                                "capacity --contexts c.npy --queries q.npy --heads 0",
                                "verify --work -1 x.toml",
                                "statements extra"}) {
    const Outcome outcome = place.ends(2, arguments);
    CHECK(outcome.out.empty());
    has(outcome.err, "--help");
  }
  // What is empty is no value, and no default.
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"verify", ""},
                                                    {"verify", "x.toml", "--out", ""},
                                                    {"verify", "x.toml", "--json="},
                                                    {"check", ""},
                                                    {"saturation", "--threshold", ""},
                                                    {"rank", "--out", "", "--contexts", "c.npy"}}) {
    const Outcome outcome = place.attest(arguments);
    CHECK(outcome.status == 2);
    has(outcome.err, arguments.back() == "--json="   ? "--json is empty;"
                     : arguments[1] == ""            ? "an argument is empty;"
                     : arguments[1] == "--threshold" ? "--threshold is empty;"
                                                     : "--out is empty;");
  }
  place.ends(2, "check");
  has(place.ends(2, "verfy").err, "did you mean verify?");
  CHECK(!contains(place.ends(2, "zzzzzzzzzz").err, "did you mean"));
  CHECK(place.files().empty());
}

TEST_CASE("statements: each with what it claims, its hypotheses, and what is executed") {
  const Workplace place;
  const Outcome outcome = place.ends(0, "statements");
  for (const char* name :
       {"rank", "kruskal-rank", "general-position", "assumption-1", "assumption-2", "affine-hull-bound",
        "capacity", "claim-1", "claim-2", "proposition-1", "proposition-2", "proposition-5", "theorem-1"})
    CHECK(("\n" + outcome.out).find(std::string("\n") + name + "\n  claims:") != std::string::npos);
}

TEST_CASE("statements NAME: only these, explain --claim K: only this claim") {
  const Workplace place;
  const Outcome one = place.ends(0, "statements lemma-2 rank");
  CHECK(one.out.starts_with("lemma-2\n  claims:"));
  has(one.out, "\nrank\n  claims:");
  CHECK(!contains(one.out, "lemma-1"));
  place.write("two.toml", "format = 1\n" + claim("lemma-5", "a = [[1]]\nb = [[1]]") +
                              claim("lemma-5", "a = [[1]]\nb = [[1]]"));
  place.ends(0, "verify two.toml");
  const Outcome second = place.ends(0, "explain --claim 1 certificates/two.json");
  has(second.out, "Claim 1, lemma-5");
  CHECK(!contains(second.out, "Claim 0, lemma-5"));
  has(second.out, "Proof.");
  const Outcome third = place.ends(2, "explain --claim 2 certificates/two.json");
  has(third.err, "has no claim 2");
}

TEST_CASE("what is generated from the tables is what the repository holds") {
  const Workplace place;
  CHECK(place.attest({"statements", "--markdown"}).out == contents(ATTEST_SOURCE_DIR "/docs/statements.md"));
  CHECK(place.attest({"schema", "verify"}).out == contents(ATTEST_SOURCE_DIR "/docs/verify.schema.json"));
}

TEST_CASE("new: the template is a case that verifies, nothing is overwritten") {
  const Workplace place;
  const Outcome shown = place.ends(0, "new");
  has(shown.out, "[layer]");
  place.ends(0, "new mine.toml");
  CHECK(place.read("mine.toml") == shown.out);
  place.ends(0, "verify mine.toml");
  place.ends(0, "check certificates/mine.json");
  place.write("mine.toml", "precious");
  place.refuses("new mine.toml", "mine.toml");
  CHECK(place.read("mine.toml") == "precious");
  const Outcome question = place.ends(2, "new rank");
  check_message(question.err, "\"rank\" is not a name of a case file; FILE.toml");
  CHECK_FALSE(place.exists("rank"));
}

TEST_CASE("check: valid, rejected, unreadable, and several at once") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("theorem-1") + claim("rank")));
  place.ends(0, "verify a.toml");
  const std::string good = "certificates/a.json";
  for (const char* program : {"attest", "attest-check"}) {
    auto check = [&](std::vector<std::string> arguments) {
      if (std::string(program) == "attest") arguments.insert(arguments.begin(), "check");
      return place.run(program, arguments);
    };
    Outcome outcome = check({good});
    CHECK(outcome.status == 0);
    has(outcome.out, "valid");
    CHECK(outcome.err.empty());

    Json certificate = place.json(good);
    certificate["steps"][0]["fact"] = "capacity >= 2000";
    place.write("certificates/bad.json", certificate.dump());
    outcome = check({"certificates/bad.json"});
    CHECK(outcome.status == 1);
    has(outcome.out + outcome.err, "bad.json");
    has(outcome.out + outcome.err, "theorem-1");

    place.write("certificates/half.json", place.read(good).substr(0, 300));
    CHECK(check({"certificates/half.json"}).status == 2);
    CHECK(check({"certificates/none.json"}).status == 2);
    outcome = check({"-v", "certificates/bad.json", good});
    CHECK(outcome.status == 1);
    has(outcome.out, "a.json: valid");
  }
  // A comment changes nothing; with other contents the certificate proves something about another case.
  const std::string text = place.read("a.toml");
  place.write("a.toml", text + "\n# changed\n");
  place.ends(0, "check " + good);
  place.write("a.toml", text + claim("rank"));
  place.ends(1, "check " + good);
}

TEST_CASE("check --timeout: hostile certificates end in time, wherever they are, and what was said is true") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  place.write("b.toml", sized_layer(1, 2, 1, 1, 2) + R"(base = "2"
[data]
contexts = [[1], [2]]
queries = [[1], [2]]
[weights]
key = [[[1]]]
query = [[[1]]]
)" + claim("rank"));
  place.ends(0, "verify a.toml b.toml");
  Json certificate = place.json("certificates/b.json");
  const auto hostile = [&](const std::string& name, const Json& value) {
    certificate["steps"] = Json::array({{{"rule", "zero"},
                                         {"of", "rank(Z(given))"},
                                         {"side", "left"},
                                         {"p", 1000919},
                                         {"g", 2},
                                         {"vectors", Json::array({Json::array({Json::array({0, value})})})},
                                         {"fact", "rank(Z(given)) <= 1"}}});
    certificate["claims"][0]["steps"] = Json::array({0});
    place.write("hostile/" + name + ".json", certificate.dump());
  };
  // One call of GMP, the greatest common divisor of numbers of millions of digits, and many sums of long
  // ones.
  hostile("fraction", std::string(20'000'000, '7') + "/" + std::string(19'999'999, '3'));
  Json terms = Json::array();
  for (int k = 0; k < 100'000; ++k) terms.push_back(Json::array({"1", "1e8"}));
  hostile("terms", terms);
  for (const std::string program : {"attest-check", "attest check", "attest-check-boost"})
    for (const std::string name : {"fraction", "terms"}) {
      const auto start = std::chrono::steady_clock::now();
      const Outcome outcome = place.shell(program + " -v --timeout 0.5 certificates/a.json hostile/" + name +
                                          ".json certificates/b.json");
      CAPTURE(program);
      CAPTURE(outcome.out);
      CHECK(outcome.status == 3);
      CHECK(outcome.err.empty());
      CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
      has(outcome.out, "certificates/a.json: valid (1 claim: 1 verified)\nhostile/" + name +
                           ".json: limit: the time limit of the run was reached (--timeout)\n3 certificates: "
                           "1 valid, 1 limit, 1 not checked; 1 claim: 1 verified; 0 unexpected; 0.50 s\n");
    }
  // What was wrong before stays so.
  place.write("bad.json", "[]");
  CHECK(place.shell("attest-check --timeout 0.5 bad.json hostile/terms.json").status == 2);
  for (const char* seconds : {"0", "-1", "nan", "inf", "1e10", "1s"})
    for (const char* program : {"attest-check", "attest check"})
      CHECK(place.shell(std::string(program) + " certificates/a.json --timeout " + seconds).status == 2);
  // What lies in the folder of --out may be hostile too: it is proved again.
  const std::string kept = place.read("certificates/b.json");
  place.write("certificates/b.json", place.read("hostile/terms.json"));
  place.ends(0, "verify b.toml --changed --timeout 1");
  CHECK(place.read("certificates/b.json") == kept);
}

TEST_CASE("check --proved runs what lies in ../lib/attest, and says what is not there") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  place.attest({"verify", "a.toml"});
  place.shell("mkdir -p bin lib/attest && cp $(command -v attest) bin");
  const auto check = [&] { return place.shell("bin/attest check --proved --quiet certificates"); };
  Outcome outcome = check();
  CHECK(outcome.status == 2);
  check_message(outcome.err, "--proved");
  place.shell("cd " ATTEST_SOURCE_DIR
              "/scripts && cp proved_check normalize_case.py *_arrays.py $OLDPWD/lib/attest");
  outcome = check();
  CHECK(outcome.status == 2);
  has(outcome.err, "attest-check-proved is not built");
  // In its place something that says how it is called.
  place.write("lib/attest/attest-check-proved",
              "#!/bin/sh\necho \"$@\"\ngrep -ao attest-problem/1\nexit 3\n");
  place.shell("chmod +x lib/attest/attest-check-proved");
  outcome = check();
  CHECK(outcome.status == 3);
  CHECK(outcome.out.starts_with(
      "--quiet --packed certificates/a.json\nattest-problem/1\n0 certificates: 0 valid; "));
  place.write("b.json", R"({"case": {"path": "/a.toml"}})");
  outcome = place.shell("bin/attest check --proved --ignore-expectations b.json a.toml");
  CHECK(outcome.status == 2);
  has(outcome.out, "b.json: rejected: a relative path of the case is expected\na.toml: bad input: ");
  for (const char* other : {"--memory 1G", "--timeout 9", "--problem -", "--case a.toml b.json"})
    place.ends(2, "check --proved certificates/a.json " + std::string(other));
}

TEST_CASE(
    "check --arithmetic boost runs attest-check-boost with the same options, and says when it is not there") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  place.attest({"verify", "a.toml"});
  place.shell("mkdir -p bin lib/attest && cp $(command -v attest) bin");
  const std::string check =
      "bin/attest check --arithmetic boost --memory 1G --timeout 9 --jobs 2 --quiet certificates";
  Outcome outcome = place.shell(check);
  CHECK(outcome.status == 2);
  check_message(outcome.err, "--arithmetic");
  place.write("lib/attest/attest-check-boost", "#!/bin/sh\necho \"$@\"\n");
  place.shell("chmod +x lib/attest/attest-check-boost");
  CHECK(place.shell(check).out ==
        "--memory=1073741824 --timeout=9.000000 --jobs=2 --quiet -- certificates/a.json\n");
  place.ends(2, "check certificates/a.json --arithmetic float");
  // The program itself, beside the one that is run.
  for (const char* arithmetic : {"boost", "gmp"}) {
    outcome = place.attest({"check", "certificates", "--arithmetic", arithmetic, "--ignore-expectations"});
    CHECK(outcome.status == 0);
    has(outcome.out, "certificates/a.json: valid (1 claim: 1 verified)");
  }
}

TEST_CASE("explain: something for every step, full numbers on demand, and no nonsense for other files") {
  const Workplace place;
  place.write(
      "cases/a.toml",
      quick_case(
          claim("rank") + claim("kruskal-rank") + claim("assumption-2") + claim("affine-hull-bound") +
          claim("proposition-1") + claim("proposition-2") +
          claim("proposition-5", "expect = \"inapplicable\"") + claim("theorem-1") +
          claim("claim-1", "subset = [0, 1]\ncoefficients = [[\"1/3\", \"2/3\"], [\"1/2\", \"1/2\"]]") +
          claim("claim-2", "subset = [0]\ncoefficients = [[\"1/3\", \"2/3\"]]\nepsilon = \"1/1000\"")));
  // Equal heads, a zero head and an opposite pair of queries; too many examples; dependent queries and
  // contexts.
  place.write("cases/b.toml", "title = 'What is special'\n" + sized_layer(3, 2, 2, 1, 4) + R"(base = "2"
[data]
contexts = [[1, 0], [2, 0]]
queries = [[1, 0], [2, 0], [-1, 1], [1, -1]]
[weights]
key = [[[1], [1]], [[1], [1]], [[0], [0]]]
query = [[[1], [2]], [[1], [2]], [[3], [3]]]
)" + claim("rank") + claim("theorem-1", "expect = \"inapplicable\"") +
                                  claim("claim-1",
                                        "subset = [0, 1]\nexpect = \"inapplicable\"\ncoefficients = "
                                        "[[\"1/3\", \"2/3\"], [\"1/2\", \"1/2\"]]"));
  place.write("cases/c.toml", "title = 'Base 2, exactly; contexts that differ'\n" +
                                  sized_layer(2, 2, 2, 2, 3) + R"(base = "2"
[data]
contexts = [[[1, 0], [0, 1]], [[1, 1], [0, 1]], [[1, 0], [2, 1]]]
queries = [[1, 0], [0, 1], [1, 1]]
labels = [[1], [2], [3]]
)" + claim("theorem-1") + claim("proposition-2", "expect = \"inapplicable\""));
  // Opposite queries, two tokens, three heads: the left kernel.
  place.write("cases/d.toml", "title = 'Opposite queries'\n" + sized_layer(3, 2, 3, 1, 4) + R"([data]
contexts = [[1, 0, 3], [0, 1, 1]]
queries = [[1, 2, 0], [-1, -2, 0], [3, 1, 1], [-3, -1, -1]]
[weights]
key = [[[1], [0], [2]], [[0], [1], [2]], [[5], [1], [1]]]
query = [[[1], [2], [0]], [[1], [-1], [3]], [[3], [3], [1]]]
)" + claim("rank", "value = 3"));
  place.ends(0, "verify cases");
  std::set<std::string> kinds;
  for (const std::string name : {"a", "b", "c", "d"}) {
    const std::string file = "certificates/" + name + ".json";
    CAPTURE(file);
    const Json certificate = place.json(file);
    Outcome outcome = place.ends(0, "explain " + file);
    for (const std::string& line : lines(outcome.out))
      CHECK(std::ranges::count_if(
                line, [](char ch) { return (static_cast<unsigned char>(ch) & 0xc0) != 0x80; }) <= 121);
    outcome.out = unwrapped(outcome.out);
    CHECK(outcome.err.empty());
    CHECK(outcome.out.rfind(file + ": checked: valid.\n", 0) == 0);
    has(outcome.out, "\"\n  T = ");  // title, then sizes
    has(outcome.out,
        "\n  digest " + certificate["case"]["digest"].get<std::string>() + ", written by attest ");
    CHECK_FALSE(contains(outcome.out, "(a step of the rule"));
    std::set<std::string> told;
    for (std::size_t k = 0; k < certificate["claims"].size(); ++k) {
      const Json& c = certificate["claims"][k];
      has(outcome.out, "Claim " + std::to_string(k) + ", " + c["statement"].get<std::string>() + "\n");
      for (const Json& number : c["steps"]) {
        const Json& s = certificate["steps"][number.get<std::size_t>()];
        kinds.insert(s["rule"].get<std::string>());
        if (s["rule"] == "theorem") has(outcome.out, "[" + s["theorem"].get<std::string>() + "]\n");
      }
    }
    // What is named in brackets is said once, at the end, in one line.
    const std::size_t list = outcome.out.find("\nThe theorems and principles in brackets:");
    for (std::size_t at = 0; (at = outcome.out.find("  [", at)) < list; ++at) {
      const std::size_t end = outcome.out.find("]\n", at);
      const std::string source = outcome.out.substr(at + 3, end - at - 3);
      const std::size_t stated = outcome.out.find("\n  " + source + ": ", list);
      CAPTURE(source);
      REQUIRE(stated != std::string::npos);
      CHECK(outcome.out[stated + source.size() + 5] != '\n');
    }
    const Outcome full = place.ends(0, "explain --full " + file);
    CHECK_FALSE(contains(full.out, " characters)"));
    CHECK_FALSE(contains(full.out, "..."));
  }
  for (const char* kind : {"let", "minor", "zero", "subsets", "ball", "inverse", "theorem"}) {
    CAPTURE(kind);
    CHECK(kinds.count(kind) == 1);
  }
  const std::string b = place.attest({"explain", "certificates/b.json"}).out;
  has(b, "T ≤ H*(r-1)+1, fails: T = 4, H = 3, r = 1");
  has(b, "because assumption-1 and assumption-2 and examples fails");
  const std::string d = place.attest({"explain", "certificates/d.json"}).out;
  has(d, "rank(Z) = 3, rank(Z) for the given weights (Eq. 7)");
  has(d, "is proved: rank(Z) for the given weights is at least 3 by step ");
}

TEST_CASE("explain: the sweep over lambda is one step, a bound by size is said to be one") {
  const Workplace place;
  place.write("f.toml", sized_layer(2, 2, 2, 2, 3) + R"([data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [1, 1]]
)" + claim("finite-lambda") +
                            claim("finite-lambda"));
  place.ends(0, "verify f.toml");
  const Outcome sweep = place.ends(0, "explain certificates/f.json");
  has(sweep.out, "λ = 1/16 (λ = 1/16 in all heads; binary64 sees rank 3): ");
  has(sweep.out, "The steps are those of claim 0.");
  has(sweep.out, "So the claim holds.");
  has(sweep.out, "fresh set {");
  has(sweep.out, "because Z has T rows and H d columns");
}

TEST_CASE("explain: a sink and sigmoid coefficients are called what they are") {
  const Workplace place;
  const auto explained = [&](const std::string& coefficients) {
    place.write("a.toml", sized_layer(1, 2, 1, 1, 2) + coefficients + R"(
[data]
contexts = [[1], [2]]
queries = [[1], [2]]
)" + claim("capacity", "which = true"));
    place.ends(0, "verify a.toml");
    return place.attest({"explain", "certificates/a.json"}).out;
  };
  const std::string plain = explained(""), sink = explained("sink = true"),
                    sigmoid = explained("coefficients = \"sigmoid\"");
  has(plain, ", softmax in base e");
  has(sink, ", softmax with sinks in base e");
  has(sink, "; a sink of logit ");
  has(sigmoid, ", sigmoid coefficients in base e");
  for (const std::string& text : {plain, sink, sigmoid}) {
    has(text, "that it is in, by the size of Z");
    CHECK_FALSE(contains(text, "by the steps \n"));
  }
}

TEST_CASE("explain: files that would keep it waiting or exhaust its stack are refused at once") {
  const Workplace place;
  REQUIRE(mkfifo((place.path() / "fifo").c_str(), 0600) == 0);
  const Outcome fifo = place.ends(2, "explain fifo");
  has(fifo.err, "not a regular file but a FIFO");
  constexpr std::size_t kDeep = 100'000;
  place.write("deep.json", R"({"format": "attest-certificate/3", "claims": )" + std::string(kDeep, '[') +
                               std::string(kDeep, ']') + "}");
  for (const bool check : {true, false}) {
    const Outcome deep = place.ends(2, check ? "explain deep.json" : "explain --unchecked deep.json");
    has(deep.err, "nested deeper than 32 levels");
  }
}

TEST_CASE("explain: says what the checker says, and draws conclusions only from what it accepts") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank", "value = 3")));
  place.ends(0, "verify a.toml");
  const std::string conclusion = "So the claim holds.", none = "No conclusion is drawn";
  Json json = place.json("certificates/a.json");
  has(place.attest({"explain", "certificates/a.json"}).out, conclusion);
  // A lie.
  json["steps"][0]["fact"] = "rank(Z(given)) >= 6";
  place.write("certificates/lie.json", json.dump());
  const Outcome lie = place.ends(1, "explain certificates/lie.json");
  has(lie.out.substr(0, lie.out.find('\n')), "REJECTED by the checker");
  has(lie.out, none);
  CHECK_FALSE(contains(lie.out, conclusion));
  // What nobody checks brings no lines of its own.
  json["steps"][0]["fact"] = "rank(Z(given)) >= 3";
  json["steps"][0]["label"] = "x\n\nClaim 1, theorem-1\n  " + conclusion;
  json["claims"][0]["reason"] = "x\n\nClaim 2, theorem-1\n  " + conclusion;
  place.write("certificates/forged.json", json.dump());
  const Outcome forged = place.attest({"explain", "certificates/forged.json"});
  has(forged.out, "checked: valid.");
  CHECK_FALSE(contains(forged.out, "\nClaim 1"));
  CHECK_FALSE(contains(forged.out, "\nClaim 2"));
  const std::string odd = "a\x1b[31m\nb.toml";
  place.write(odd, "nothing");
  for (const std::string command : {"verify", "digest"})
    CHECK(place.attest({command, odd}).err.find('\x1b') == std::string::npos);
  // Not checked, because nobody wants it or the case is not there.
  const Outcome unchecked = place.attest({"explain", "--unchecked", "certificates/a.json"});
  has(unchecked.out, "certificates/a.json: not checked; run attest check.\n");
  CHECK_FALSE(contains(unchecked.out, conclusion));
  std::filesystem::rename(place.path() / "a.toml", place.path() / "moved.toml");
  const Outcome alone = place.ends(2, "explain certificates/a.json");
  has(alone.out, "not checked (");
  has(alone.out, "run attest check");
  CHECK_FALSE(contains(alone.out, conclusion));
  // The exit status of check, also where the case has moved, and where a verdict is not the expected one.
  has(place.ends(0, "explain --case moved.toml certificates/a.json").out, conclusion);
  has(place.ends(2, "explain --case moved.toml certificates/a.json certificates/lie.json").err,
      "one certificate");
  has(place.ends(1, "explain --case moved.toml certificates/lie.json").out, "REJECTED");
  place.write("b.toml", quick_case(claim("rank", "value = 2")));
  place.ends(1, "verify b.toml");
  has(place.ends(1, "explain certificates/b.json").out, "So the claim is false.");
}

TEST_CASE("explain: other files are refused by name, and nothing is printed") {
  const Workplace place;
  for (const auto& [name, text] :
       {std::pair<const char*, const char*>{"list.json", "[1, 2]"},
        {"other.json", "{\"format\": \"something\"}"},
        {"old.json", "{\"format\": \"attest-certificate/2\", \"claims\": []}"},
        {"number.json", "{\"format\": 1}"},
        {"empty.json", ""},
        {"nothing.json", "{\"format\": \"attest-certificate/3\"}"},
        {"steps.json",
         "{\"format\": \"attest-certificate/3\", \"case\": {\"path\": \"x\", \"digest\": \"y\"}, \"steps\": "
         "[{\"rule\": \"minor\"}], \"claims\": [{\"statement\": \"rank\", \"steps\": [0]}]}"},
        {"numbers.json",
         "{\"format\": \"attest-certificate/3\", \"case\": {\"path\": \"x\", \"digest\": \"y\"}, \"steps\": "
         "[], "
         "\"claims\": [{\"statement\": \"rank\", \"steps\": [0]}]}"}}) {
    place.write(name, text);
    const Outcome outcome = place.attest({"explain", name});
    CAPTURE(name);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    check_message(outcome.err, name);
    CHECK(!contains(outcome.err, "json.exception"));
  }
  place.ends(2, "explain no-such-file.json");
  place.ends(2, "explain .");
}
