// The answer first, in the asker's words, with its whole, and what the proof found: the same in all outputs.
#include <set>

#include "tests/cli/program.hpp"
#include "tests/support/arrays.hpp"
#include "tests/support/text.hpp"

using namespace attest::test;

namespace {

std::string shipped(const std::string& name) {
  return ATTEST_SOURCE_DIR "/cases/" + name + ".toml";
}

struct AnswerRow {
  std::string name, says;
};

}  // namespace

TEST_CASE("answers of shipped cases") {
  const Workplace place;
  const AnswerRow rows[] = {
      {"rank/opposite-queries",
       "verified     rank(Z) = 3 of 4; the rows of examples 0, 1, 2 and 3 are linearly "
       "dependent\n"},
      {"rank/opposite-queries", "refuted      rank(Z) = 3 of 4; claimed rank(Z) = 4; the rows"},
      {"rank/equal-heads", "heads 0 and 2 are equal; heads 1 and 3 are equal"},
      {"rank/dead-head", "constant: the same for all examples"},
      {"finite-lambda/at-zero", "lambda = 825/16384 is enough: from there on some weights keep the rank 3"},
      {"finite-lambda/own-lambda", "from lambda = 825/16384 on some weights keep the rank 3; with lambda"},
      {"assumption-2/zero-token", "breaks Assumption 2: token"},
      {"assumption-2/one-bad-context", "breaks Assumption 2: tokens"},
      {"proposition-2/not-tight", "for all weights, reached by some weights (tight)"},
      {"affine-hull-bound/all-tokens-zero", "for all weights; the largest rank without query biases is 0"},
      {"affine-hull-bound/all-tokens-zero", "rank(Z) <= 0 for all weights with H = 1\n"},
      {"proposition-3/against-attention", "the label of example t is 2^("},
      {"proposition-3/given-line",
       "no network with m = 1 neuron, without an output bias, fits the given labels"},
      {"proposition-3/given-line",
       "some network with m = 1 neuron, with an output bias, fits the given labels"},
      {"proposition-3/paper-count",
       "no network with m = 2 neurons, without an output bias, fits our integer"},
      {"proposition-3/equal-size", "holds all the same: for any labels some weights fit them"},
      {"assumption-1/zero-query", "some query is 0: the Kruskal rank is 0"},
      {"assumption-1/n-is-one", "no query is 0 (Kruskal rank 1)"},
      {"memorizes/one-input-two-labels", "not all outputs are different: 2 of 3; examples 0 and 2 are equal"},
      {"depth/equal-sequences",
       "not all outputs are different: 2 of 3; examples 0 and 1 have equal outputs\n"},
      {"depth/multiples-without-epsilon", "rank(Z) = 2 of 4; examples 0 and 1 have equal outputs\n"},
      {"injective-almost-surely/weights-that-fail",
       "for almost all keys and queries all 2 examples have different outputs; examples 0 and 1 have equal "
       "outputs with the given weights\n"},
      {"capacity/which", "examples memorizable together: 0, 2, 4; 1 conflicts with 0"},
      {"trained/causal-last", "capacity without query biases = 60 of 60"},
      {"unfittable-labels/fresh-contexts",
       "by the theorem of Lindemann and Weierstrass (no formal proof here)"},
  };
  for (const AnswerRow& row : rows) {
    CAPTURE(row.name);
    const Outcome outcome = place.attest({"verify", shipped(row.name), "--out", "o", "--json", "r.json"});
    has(unwrapped(outcome.out), row.says);
    for (const std::string& line : lines(outcome.out))
      if (!contains(line, "/")) CHECK(line.size() <= 121);
  }
}

TEST_CASE("of which matrix and which examples it is said") {
  const Workplace place;
  // What is true of Z need not be so of [Z 1], outputs or J.
  const std::string both =
      unwrapped(place.ends(0, "verify " + shipped("jacobian-rank/opposite-queries")).out);
  has(both, "0, 1, 2 and 3 in Z are linearly dependent, for all weights without query biases");
  CHECK(!contains(both, "in Z are linearly dependent;"));
  has(unwrapped(place.ends(0, "verify " + shipped("memorizes/bias-does-not-help")).out),
      "in Z are linearly dependent");
  has(unwrapped(place.ends(0, "verify " + shipped("rank/opposite-queries") + " --out o").out),
      "2 and 3 are linearly dependent");
  // An only token has the coefficient 1, and counts below that.
  const std::string three = shipped("depth/three-kinds"), one = "examples 0 and 3 have contexts of one token";
  has(unwrapped(place.ends(0, "verify " + three).out), one);
  place.write("b.toml", sized_layer(1, 1, 2, 1, 3) + R"([data]
contexts = [[[1, 0]], [[0, 1]], [[1, 1]]]
queries = [[1, 0], [0, 1], [1, 1]]
[weights]
key = [[[1], [0]]]
query = [[[1], [0]]]
)" + claim("saturation", "threshold = \"0.99\"") +
                            claim("saturation", "threshold = 1"));
  const std::string counted = unwrapped(place.ends(0, "verify b.toml").out);
  has(counted,
      "saturated pairs = 3 of 3; examples 0, 1 and 2 have contexts of one token, whose coefficient is 1 "
      "whatever "
      "the weights: counted as saturated; with threshold = 99/100");
  has(counted, "saturated pairs = 0 of 3; with threshold = 1");
}

TEST_CASE("what is said of no number and is no claim of the asker") {
  const Workplace place;
  // More is proved of the capacity than of what is kept for all large lambda.
  for (const std::string how : {"verify -v ", "verify "}) {
    const std::string text =
        unwrapped(place.line(how + shipped("finite-lambda/dependent-context") + " --out o").out);
    has(text, "Assumption 2 fails; 0 <= capacity <= 3");
    CHECK(!contains(text, "rank for all large lambda"));
  }
  const std::string open =
      unwrapped(place.line("verify " + shipped("theorem-1/repeated-token") + " --out o").out);
  has(open, "tokens 0 and 2 are equal; conclusion open");  // the capacity is 3 of 5
  CHECK(!contains(place.line("explain o/repeated-token.json").out, "all-labels"));
}

TEST_CASE("no two numbers of a line look contradictory") {
  const Workplace place;
  // By definition one is at most the other, of other tokens, or of other vectors.
  const AnswerRow rows[] = {
      {"any-coefficients/triangle",
       "rank(Z) for any coefficients = 5 of 7 (at most 6 by the size of the layer); "
       "capacity = 5\n"},
      {"finite-lambda/one-token", "rank for all large lambda = 1; capacity = 1;"},
      {"words-and-positions/no-sums", "capacity of the tokens as they are, which are no such sums = 4\n"},
      {"assumption-3/holds-after-mixing", "Kruskal rank of these vectors = 3\n"},
      {"remark-1/k-below-n", "the remark's bound under its assumptions = 4;"},
      {"injective-almost-surely/a-layer-before-that-loses-all",
       "undecided    1 <= different outputs for almost all weights <= 2; 1 <= different outputs for these <= "
       "2;"},
  };
  for (const AnswerRow& row : rows) {
    CAPTURE(row.name);
    has(unwrapped(place.attest({"verify", "-v", shipped(row.name), "--out", "o"}).out), row.says);
  }
}

TEST_CASE("what the proof found is in text, JSON, JUnit, report, explain") {
  const Workplace place;
  const Outcome outcome = place.attest(
      {"verify", shipped("rank/equal-heads"), "--out", "o", "--json", "r.json", "--junit", "r.xml"});
  const std::string says = "heads 0 and 2 are equal";
  for (const std::string& text : {unwrapped(outcome.out), place.read("r.xml"), place.read("r.json"),
                                  place.line("explain o/equal-heads.json").out})
    has(text, says);
  bool found = false;
  const Json report = place.json("r.json");
  for (const Json& claim : report["cases"][0]["claims"])
    for (const Json& each : claim["findings"]) {
      if (each["kind"] != "equal-heads" || each["says"] != says) continue;
      found = true;
      CHECK(each["heads"] == Json{0, 2});
    }
  CHECK(found);
  // What was found is there when the certificate is only checked, too.
  const Outcome again = place.attest({"verify", shipped("rank/equal-heads"), "--out", "o", "--changed"});
  has(again.out, "1 unchanged");
  has(unwrapped(again.out), says);
}

TEST_CASE("numbers that nobody asked for come with -v") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("rank")));
  const std::string bound = "Proposition 1's bound under its assumptions = 3",
                    asked = "verified; rank(Z) = 3; as expected";
  CHECK(!contains(place.ends(0, "verify a.toml").out, bound));
  has(unwrapped(place.ends(0, "verify -v a.toml").out), bound);
  const std::string certificate = "certificates/a.json";
  for (const Outcome& outcome :
       {place.attest({"check", certificate}), place.run("attest-check", {certificate})})
    has(unwrapped(outcome.out), asked);
  has(unwrapped(place.ends(0, "check -v " + certificate).out), "verified; rank(Z) = 3; " + bound);
  // What is known of a claim that is open is all that it comes to.
  place.attest({"verify", shipped("memorizes/equal-labels"), "--out", "o"});
  const std::string open = unwrapped(place.ends(0, "check o/equal-labels.json").out);
  has(open, "undecided; 1 <= rank(Z) <= 2; 2 <= rank [Z Y] <= 3; as expected");
  has(open, "verified; as expected");
}

TEST_CASE("what is known of a hypothesis or a conclusion that stays open is said") {
  const Workplace place;
  const std::string claims = claim("proposition-4", "expect = \"undecided\"") + claim("proposition-1");
  place.write("a.toml",
              sized_layer(2, 6, 12, 6, 60) +
                  "[data]\ngenerate = { kind = \"integers\", bound = 9, shared_context = true, seed = "
                  "7 }\n" +
                  claims);
  const std::string text = unwrapped(place.ends(0, "verify a.toml").out);
  has(text, "<= the Kruskal rank of the vectors e_t + (1/n) sum_i E_{t,i} <= 12; assumption-3 undecided");
  const std::string known = "<= the Kruskal rank of the queries <= 12";
  CHECK(!contains(text, known));
  has(unwrapped(place.ends(0, "verify a.toml -v").out), known);
  has(place.line("explain certificates/a.json").out, "the Kruskal rank of the queries");
  // Of what nothing is proved nothing is said.
  CHECK(!contains(text, "0 <= the Kruskal"));
}

TEST_CASE("facts are shared between the claims of a case") {
  const Workplace place;
  // Each claim by itself leaves some of these numbers open.
  for (const std::string name :
       {"capacity/three-tokens", "capacity/translates-of-one-context", "arrays/npy-tenths"}) {
    CAPTURE(name);
    place.attest({"verify", shipped(name), "--out", "o", "--json", "r.json"});
    std::set<std::string> capacity, any;
    const Json report = place.json("r.json");
    for (const Json& claim : report["cases"][0]["claims"]) {
      if (claim.contains("capacity") && !claim.contains("heads")) capacity.insert(claim["capacity"].dump());
      if (claim.contains("bounds") && claim["bounds"].contains("any_coefficients"))
        any.insert(claim["bounds"]["any_coefficients"].dump());
    }
    CHECK(capacity.size() == 1);
    CHECK(any.size() <= 1);
    const std::string certificate = name.substr(name.find('/') + 1) + ".json";
    place.ends(0, "check o/" + certificate);
    CHECK(place.run("attest-check", {"o/" + certificate}).status == 0);
  }
  // Claims with `heads` are about another capacity.
  place.write("a.toml", quick_case(claim("capacity") + claim("capacity", "heads = 1")));
  place.ends(0, "verify a.toml --json r.json --check");
  const Json claims = place.json("r.json")["cases"][0]["claims"];
  CHECK(claims[1]["capacity"]["upper"] < claims[0]["capacity"]["upper"]);
}

TEST_CASE("theorems carry what one claim knows to what another one is about") {
  const Workplace place;
  // Of [Z 1] nothing is proved by itself when the work ends there; it contains Z.
  const std::string text =
      sized_layer(4, 8, 12, 2, 60) +
      "[data]\ngenerate = { kind = \"integers\", bound = 9, shared_context = false, seed = "
      "7 }\n[weights]\ngenerate = { kind = \"integers\", bound = 3, seed = 1 }\n";
  place.write("a.toml", text + claim("rank") + claim("rank", "bias = true"));
  bool shared = false;
  for (std::uint64_t work = 1'000'000; !shared; work += work / 20) {
    place.attest({"verify", "a.toml", "--work", std::to_string(work), "--json", "r.json"});
    const Json claims = place.json("r.json")["cases"][0]["claims"];
    if (claims.empty() || claims[0]["verdict"] != "verified") continue;
    if (claims[1]["verdict"] == "verified") break;
    shared = claims[1]["rank"]["lower"] == claims[0]["rank"]["lower"];
    place.ends(0, "check --ignore-expectations certificates/a.json");
  }
  CHECK(shared);
}

TEST_CASE("a bound for all weights, and whether those of the case reach it") {
  const Workplace place;
  place.write("a.toml", quick_case(claim("proposition-2") + claim("rank")));
  const std::string text = unwrapped(place.line("verify a.toml").out);
  has(text, "reached by these weights (tight)");
  CHECK(!contains(text, "Proposition 1's bound"));
}

TEST_CASE("a limit keeps what was proved, and a claim from one side does not wait for the other") {
  constexpr std::size_t T = 90, d = 80, r = 40;
  const Workplace place;
  // Contexts of one token, of rank r: Z is the tokens.
  std::uint64_t state = 1;
  const auto digit = [&] { return static_cast<int>((state = state * 6364136223846793005U + 1) >> 60) - 8; };
  std::vector<int> left(T * r), right(r * d);
  for (int& entry : left) entry = digit();
  for (int& entry : right) entry = digit();
  std::vector<std::int64_t> tokens(T * d);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < r; ++k) tokens[t * d + j] += left[t * r + k] * right[k * d + j];
  place.write("c.npy", npy_of({T, 1, d}, tokens));
  place.write("q.npy", npy_of({T, d}, std::vector<std::int64_t>(T * d)));
  const std::string text = sized_layer(1, 1, d, 1, T) + R"([data]
contexts = { file = "c.npy" }
queries = { file = "q.npy" }
[weights]
generate = { kind = "integers", bound = 3, seed = 1 }
)";
  place.write("a.toml", text + claim("rank"));
  bool kept = false;
  for (std::uint64_t work = 1'000'000; !kept; work += work / 2) {
    place.attest({"verify", "a.toml", "--work", std::to_string(work), "--json", "r.json"});
    const Json report = place.json("r.json");
    if (report["cases"][0]["claims"].empty()) continue;
    const Json& claim = report["cases"][0]["claims"][0];
    if (claim["verdict"] == "verified") break;
    kept = claim["rank"] == Json{{"lower", r}, {"upper", d}};
  }
  CHECK(kept);
  place.ends(1, "check certificates/a.json");
  has(place.line("check certificates/a.json").out, "40 <= rank(Z) <= 80");
  place.write("b.toml", text + claim("rank", "at_least = 30"));
  place.ends(0, "verify b.toml --check");
  CHECK(!contains(place.read("certificates/b.json"), "\"zero\""));
}

namespace {

// Three examples that share two tokens, in the layer `more` of one head.
std::string small_case(const std::string& more, const std::string& claims, const std::string& weights = "",
                       const std::string& queries = "[[0, 0], [1, 2], [2, 4]]", int examples = 3) {
  return "format = 1\n[layer]\nheads = 1\ncontext = 2\nembed_dim = 2\nhead_dim = 1\nexamples = " +
         std::to_string(examples) + "\n" + more +
         "\n[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = " + queries +
         "\n[weights]\nkey = [[[1], [0]]]\nquery = [[[1], [0]]]\n" + weights + claims;
}

}  // namespace

TEST_CASE("the size of the layer: with free query biases it is the capacity's tokens that are longer") {
  const Workplace place;
  for (const std::string biases : {"", "query_bias = true"}) {
    place.write("a.toml", small_case(biases, claim("rank") + claim("capacity")));
    const std::string text = unwrapped(place.ends(0, "verify a.toml").out);
    has(text, "rank(Z) = 2 of 3 (at most 2 by the size of the layer)");
    has(text, (biases.empty() ? "capacity" : "capacity with query biases") +
                  std::string(" = 2 of 3 (at most 2 by the size of the layer)"));
  }
}

TEST_CASE("one example, one query") {
  const Workplace place;
  const std::string claims = claim("injective") + claim("general-position");
  place.write("a.toml", small_case("", claims, "", "[[1, 2]]", 1));
  std::string text = unwrapped(place.ends(0, "verify a.toml").out);
  has(text, "there is one example, and so one output");
  has(text, "no query is 0");
  CHECK(!contains(text, "as many as can be"));
  place.write("a.toml", small_case("", claims, "", "[[1, 2], [2, 3]]", 2));
  text = unwrapped(place.ends(0, "verify a.toml").out);
  has(text, "all 2 examples have different outputs");
  has(text, "every 2 queries are independent, as many as can be");
}

TEST_CASE("why a rank is open is said of this rank and no other") {
  const Workplace place;
  const std::string open = "expect = \"undecided\"";
  place.write("a.toml", small_case("sink = true", claim("rank") + claim("rank", "bias = true\n" + open)));
  std::string text = unwrapped(place.line("verify a.toml").out);
  has(text, "rank(Z) = 2 of 3");
  has(text,
      "the bounds 2 <= rank [Z 1] <= 3 do not meet, and no exact reason for a smaller upper bound was found");
  CHECK(!contains(text, "2 <= rank(Z) <= 3"));
  place.write("a.toml", small_case("", claim("any-coefficients", open), "", "[[1, 1], [1, 1]]", 2));
  text = unwrapped(place.line("verify a.toml").out);
  has(text, "the bounds 1 <= rank(Z) for any coefficients <= 2 do not meet");
}

TEST_CASE("every number has its whole name") {
  const Workplace place;
  place.write("a.toml", "format = 1\n" + claim("lemma-1", "a = [[0]]\nc = [[0]]\nb = [[1]]"));
  const std::string text = unwrapped(place.ends(0, "verify -v a.toml").out);
  has(text,
      "rank [a b; 0 c] is 1, and rank a + rank c is 0; rank(a) = 0; rank(c) = 0; rank of the block "
      "matrix = 1");
}

TEST_CASE("behind given layers it is said that these are given") {
  const Workplace place;
  const std::string before =
      "[[before]]\nkind = \"attention\"\nheads = 1\nkey = [[[1], [0]]]\nquery = [[[1], [0]]]\nvalue = [[[0, "
      "0], [0, 0]]]\nresidual = false\n";
  const std::string claims = claim("proposition-1", "expect = \"inapplicable\"");
  place.write("a.toml",
              "format = 1\n[layer]\nheads = 1\ncontext = 2\nembed_dim = 2\nhead_dim = 1\nexamples = "
              "4\nlayers_before = \"given\"\n[data]\nhidden = [[[1, 0], [0, 1]], [[1, 1], [1, "
              "3]]]\npositions = \"all\"\n" +
                  before + claims);
  has(unwrapped(place.ends(0, "verify a.toml").out),
      "the largest rank is 0, with the layers before as given");
  place.write("a.toml", small_case("", claims));
  CHECK(!contains(unwrapped(place.ends(0, "verify a.toml").out), "layers before"));
}

TEST_CASE("a claim without `bias` is not told what it would be with it") {
  const Workplace place;
  const std::string text = small_case("output_dim = 1", claim("memorizes"));
  place.write("a.toml", text);
  std::string with_labels = text;
  with_labels.insert(with_labels.find("[weights]"), "labels = [1, 1, 1]\n");
  place.write("a.toml", with_labels);
  place.line("verify a.toml");
  CHECK(!contains(unwrapped(place.line("explain certificates/a.json").out), "with `bias`"));
  has(unwrapped(place.line("statements memorizes").out), "with `bias`");
}
