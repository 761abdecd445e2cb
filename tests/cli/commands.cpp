// The commands other than verify, and what every command shares.
#include <set>
#include <sstream>

#include "tests/cli/program.hpp"

using namespace attest::test;

namespace {

const std::vector<std::string> kCommands = {"verify",  "check",      "rank", "assumptions",
                                            "explain", "statements", "new",  "export"};

// What a token-minor shows, and no more.
bool states_dimension(const std::string& text, std::size_t dimension) {
  std::ostringstream out;
  out << "Every affine space that contains all tokens has dimension " << dimension << " at least";
  return text.find(out.str()) != std::string::npos;
}

}  // namespace

TEST_CASE("help and version") {
  const Workplace place;
  for (const char* option : {"--help", "-h"}) {
    const Outcome help = place.attest({option});
    CHECK(help.status == 0);
    CHECK(help.err.empty());
    for (const std::string& command : kCommands) {
      CAPTURE(command);
      CHECK(help.out.find(command) != std::string::npos);
      const Outcome own = place.attest({command, option});
      CHECK(own.status == 0);
      CHECK(own.err.empty());
      CHECK(own.out.find(option) != std::string::npos);
    }
  }
  const Outcome version = place.attest({"--version"});
  CHECK(version.status == 0);
  for (const char* library : {"attest ", "GMP", "MPFR", "FLINT", "Arb"})
    CHECK(version.out.find(library) != std::string::npos);
  CHECK(place.run("attest-check", {"--version"}).status == 0);
  CHECK(place.run("attest-check", {"--help"}).status == 0);
}

TEST_CASE("wrong usage: status 2, one line that points to the help") {
  const Workplace place;
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {},
           {"unknown"},
           {"verify"},
           {"verify", "--nonsense", "x.toml"},
           {"verify", "--jobs", "0", "x.toml"},
           {"verify", "--jobs", "many", "x.toml"},
           {"verify", "--timeout", "-1", "x.toml"},
           {"verify", "--timeout", "nan", "x.toml"},
           {"verify", "--timeout", "inf", "x.toml"},
           {"verify", "--timeout", "0", "x.toml"},
           {"verify", "--timeout", "1s", "x.toml"},
           {"verify", "--memory", "0", "x.toml"},
           {"verify", "--memory", "nan", "x.toml"},
           {"verify", "--memory", "-1", "x.toml"},
           {"verify", "--memory", "1e300", "x.toml"},
           {"rank"},
           {"rank", "--contexts", "c.npy"},
           {"rank", "--contexts", "c.npy", "--queries", "q.npy", "--key", "k.npy"},
           {"rank", "--contexts", "c.npy", "--queries", "q.npy", "--base", "3"},
           {"assumptions", "--queries", "q.npy"},
           {"explain"},
           {"export"},
           {"export", "x.json"},
           {"export", "--coq"},
           {"statements", "extra"}}) {
    const Outcome outcome = place.attest(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find("--help") != std::string::npos);
  }
  CHECK(place.attest({"check"}).status == 2);
  CHECK(place.attest({"verfy"}).err.find("did you mean verify?") != std::string::npos);
  CHECK(place.attest({"zzzzzzzzzz"}).err.find("did you mean") == std::string::npos);
  CHECK(place.run("attest-check", {"--deterministic", "--probabilistic", "x.json"}).status == 2);
  CHECK(place.files().empty());
}

TEST_CASE("statements: each with what it claims, its hypotheses, and what is executed") {
  const Workplace place;
  const Outcome outcome = place.attest({"statements"});
  CHECK(outcome.status == 0);
  for (const char* name :
       {"rank", "kruskal-rank", "general-position", "assumption-1", "assumption-2", "affine-hull-bound",
        "claim-1", "claim-2", "proposition-1", "proposition-2", "proposition-5", "theorem-1"})
    CHECK(("\n" + outcome.out).find(std::string("\n") + name + "\n  claims:") != std::string::npos);
}

TEST_CASE("new: the template is a case that verifies; nothing is overwritten") {
  const Workplace place;
  const Outcome shown = place.attest({"new"});
  CHECK(shown.status == 0);
  CHECK(shown.out.find("[layer]") != std::string::npos);
  CHECK(place.attest({"new", "mine.toml"}).status == 0);
  CHECK(place.read("mine.toml") == shown.out);
  const Outcome verified = place.attest({"verify", "mine.toml"});
  CAPTURE(verified.err);
  CHECK(verified.status == 0);
  CHECK(place.attest({"check", "certificates/mine.json"}).status == 0);
  place.write("mine.toml", "precious");
  const Outcome again = place.attest({"new", "mine.toml"});
  CHECK(again.status == 2);
  check_message(again.err, "mine.toml");
  CHECK(place.read("mine.toml") == "precious");
}

TEST_CASE("check: valid, rejected, unreadable, and several at once") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("theorem-1") + claim("rank")));
  CHECK(place.attest({"verify", "a.toml"}).status == 0);
  const std::string good = "certificates/a.json";
  for (const char* program : {"attest", "attest-check"}) {
    auto check = [&](std::vector<std::string> arguments) {
      if (std::string(program) == "attest") arguments.insert(arguments.begin(), "check");
      return place.run(program, arguments);
    };
    Outcome outcome = check({good});
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find("valid") != std::string::npos);
    CHECK(outcome.err.empty());

    Json certificate = place.json(good);
    certificate["claims"][0]["result"]["rank"]["lower"] = 2;
    place.write("certificates/bad.json", certificate.dump());
    outcome = check({"certificates/bad.json"});
    CHECK(outcome.status == 1);
    CHECK(outcome.err.find("bad.json") != std::string::npos);
    CHECK(outcome.err.find("theorem-1") != std::string::npos);

    place.write("certificates/half.json", place.read(good).substr(0, 300));
    CHECK(check({"certificates/half.json"}).status == 2);
    CHECK(check({"certificates/none.json"}).status == 2);
    outcome = check({"certificates/bad.json", good});
    CHECK(outcome.status == 1);
    CHECK(outcome.out.find("a.json: valid") != std::string::npos);
  }
  // The case has changed since: the certificate proves something about another file.
  place.write("a.toml", place.read("a.toml") + "\n# changed\n");
  CHECK(place.attest({"check", good}).status != 0);
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
  place.write("cases/b.toml", R"(format = 1
title = "What is special"
[layer]
heads = 3
context = 2
embed_dim = 2
head_dim = 1
examples = 4
base = "2"
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
  place.write("cases/c.toml", R"(format = 1
title = "Base 2, exactly; contexts that differ"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 2
examples = 3
base = "2"
[data]
contexts = [[[1, 0], [0, 1]], [[1, 1], [0, 1]], [[1, 0], [2, 1]]]
queries = [[1, 0], [0, 1], [1, 1]]
labels = [[1], [2], [3]]
)" + claim("theorem-1") + claim("proposition-2", "expect = \"inapplicable\""));
  // Opposite queries, two tokens, three heads: the left kernel.
  place.write("cases/d.toml", R"(format = 1
title = "Opposite queries"
[layer]
heads = 3
context = 2
embed_dim = 3
head_dim = 1
examples = 4
[data]
contexts = [[1, 0, 3], [0, 1, 1]]
queries = [[1, 2, 0], [-1, -2, 0], [3, 1, 1], [-3, -1, -1]]
[weights]
key = [[[1], [0], [2]], [[0], [1], [2]], [[5], [1], [1]]]
query = [[[1], [2], [0]], [[1], [-1], [3]], [[3], [3], [1]]]
)" + claim("rank", "value = 3"));
  const Outcome verified = place.attest({"verify", "cases"});
  CAPTURE(verified.out);
  CAPTURE(verified.err);
  CHECK(verified.status == 0);
  std::set<std::string> kinds;
  for (const char* name : {"a", "b", "c", "d"}) {
    const std::string file = std::string("certificates/") + name + ".json";
    const Json certificate = place.json(file);
    const Outcome outcome = place.attest({"explain", file});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out.find("(a step of the kind") == std::string::npos);
    std::size_t steps = 0;
    std::set<std::string> proofs;
    for (const Json& c : certificate["claims"]) {
      CHECK(outcome.out.find("Claim " + c["index"].dump() + ", " + c["statement"].get<std::string>() + ": " +
                             c["verdict"].get<std::string>()) != std::string::npos);
      for (const Json& s : c["steps"]) {
        kinds.insert(s["argument"].get<std::string>());
        const std::string theorem = s["theorem"].get<std::string>();
        CHECK(outcome.out.find("[" + theorem + "]") != std::string::npos);
        // The theorem is stated once, at the end.
        const std::size_t stated = outcome.out.find("\n  " + theorem + ": ");
        CHECK(stated > outcome.out.find("\nThe theorems named in brackets:"));
        CHECK(outcome.out.substr(stated + theorem.size() + 4, 2).find('\n') == std::string::npos);
        if (s["argument"].get<std::string>() == "token-minor" && s["affine"].get<bool>())
          CHECK(states_dimension(outcome.out, s["tokens"].size() - 1));
      }
      // The same steps are told once.
      if (proofs.insert(c["statement"].dump() + c["steps"].dump()).second) steps += c["steps"].size();
    }
    // Each step ends with its theorem in brackets at the end of a line.
    std::size_t shown = 0;
    for (std::size_t at = 0; (at = outcome.out.find("]\n", at)) != std::string::npos; ++at) ++shown;
    CHECK(shown == steps);
    const Outcome full = place.attest({"explain", "--full", file});
    CHECK(full.status == 0);
    CHECK(full.out.find(" characters)") == std::string::npos);
    CHECK(full.out.find("...") == std::string::npos);
  }
  for (const char* kind : {"character-minor",  "affine-hull",        "token-minor",
                           "structure",        "left-kernel",        "kruskal-lower",
                           "kruskal-upper",    "contexts-full-rank", "context-dependent",
                           "contexts-differ",  "token-sums-differ",  "too-many-examples",
                           "subset-too-large", "subset-dependent",   "subset-context-dependent",
                           "construction",     "readout-enclosure",  "readout-exact",
                           "claim-1-weights",  "claim-2-weights"}) {
    CAPTURE(kind);
    CHECK(kinds.count(kind) == 1);
  }

  // The sweep over lambda is one step with a line for each lambda; a defect further down prints nothing.
  place.write("f.toml", R"(format = 1
title = "Every lambda"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 2
examples = 3
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [1, 1]]
)" + claim("finite-lambda") +
                            claim("finite-lambda"));
  CHECK(place.attest({"verify", "f.toml"}).status == 0);
  const Outcome sweep = place.attest({"explain", "certificates/f.json"});
  CHECK(sweep.out.find("lambda = 1/16: rank(Z) >= 3 (mod ") != std::string::npos);
  CHECK(sweep.out.find("where binary64 reports 3") != std::string::npos);
  CHECK(sweep.out.find("Claim 1, finite-lambda") < sweep.out.find("The proof is that of claim 0."));
  CHECK(sweep.out.find("So the claim holds.") != std::string::npos);
  Json broken = place.json("certificates/f.json");
  broken["claims"][1]["steps"][0].erase("argument");
  place.write("broken.json", broken.dump());
  const Outcome nothing = place.attest({"explain", "broken.json"});
  CHECK(nothing.status == 2);
  CHECK(nothing.out.empty());

  for (const auto& [name, text] :
       {std::pair<const char*, const char*>{"list.json", "[1, 2]"},
        {"other.json", "{\"format\": \"something\"}"},
        {"number.json", "{\"format\": 1}"},
        {"empty.json", ""},
        {"nothing.json", "{\"format\": \"attest-certificate/1\"}"},
        {"steps.json",
         "{\"format\": \"attest-certificate/1\", \"case\": {\"path\": \"x\", \"sha256\": \"y\"}, \"claims\": "
         "[{\"index\": "
         "0, \"statement\": \"rank\", \"verdict\": \"verified\", \"result\": {}, \"steps\": [{\"argument\": "
         "\"character-minor\", \"theorem\": \"x\"}]}]}"}}) {
    place.write(name, text);
    const Outcome outcome = place.attest({"explain", name});
    CAPTURE(name);
    CHECK(outcome.status == 2);
    check_message(outcome.err, name);
  }
  CHECK(place.attest({"explain", "no-such-file.json"}).status == 2);
}
