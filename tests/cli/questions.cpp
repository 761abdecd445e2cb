// The questions about one's own arrays: answers without a case file, and what is kept of them.
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "answer/run_case.hpp"
#include "base/errors.hpp"
#include "base/progress_line.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/arrays.hpp"
#include "tests/support/text.hpp"
#include "theory/failure.hpp"

using attest::progress_text;
using namespace attest::test;

namespace {

std::string doubles(const std::vector<std::size_t>& shape, const std::vector<double>& values) {
  return npy_of(shape, values);
}

// Two tensors F64, of these names.
std::string two_tensors(const std::vector<double>& a, const std::string& shape_a,
                        const std::vector<double>& b, const std::string& shape_b,
                        const std::string& name_a = "c", const std::string& name_b = "q") {
  const std::size_t size = 8 * a.size();
  return safetensors("{" + tensor(name_a, "F64", shape_a, 0, size) + "," +
                         tensor(name_b, "F64", shape_b, size, size + 8 * b.size()) + "}",
                     raw(a) + raw(b));
}

// T = 4, n = 2 (shared), d = 3, H = 2, d_h = 1: rank 3 = H (n - 1) + 1.
struct Arrays : Workplace {
  Arrays() {
    write("c.npy", doubles({2, 3}, {1, 0, 0.5, 0, 1, 0.25}));
    write("q.npy", doubles({4, 3}, {1, 0, 0, 0, 1, 0, 1, 1, 1, 2, -1, 0.1}));
    write("k.npy", doubles({2, 3, 1}, {1, 2, 3, -1, 0.5, 2}));
    write("w.npy", doubles({2, 3, 1}, {1, 1, 3, 2, -5, 1}));
  }
};

// The weights of Arrays as BERT stores them, with H d_h = 2 rows.
std::string bert_weights() {
  return two_tensors({1, 1, 3, 2, -5, 1}, "[2,3]", {1, 2, 3, -1, 0.5, 2}, "[2,3]", "a.query.weight",
                     "a.key.weight");
}

const std::string kData = " --contexts c.npy --queries q.npy", kWeights = " --key k.npy --query w.npy",
                  kLayer = kData + kWeights;

// A command line and what its output or its error says.
using Row = std::pair<std::string, std::string>;
void expect(const Workplace& place, const std::vector<Row>& rows) {
  for (const auto& [line, part] : rows) {
    CAPTURE(line);
    const Outcome outcome = place.line(line);
    has(unwrapped(outcome.out + outcome.err), part);
  }
}

// The same of lines that are refused, with status 2 and one line that has "; ".
void refuse(const Workplace& place, const std::vector<Row>& rows) {
  for (const auto& [line, part] : rows) {
    CAPTURE(line);
    const Outcome outcome = place.ends(2, line);
    CHECK(outcome.out.empty());
    check_message(outcome.err, part);
    CHECK(!contains(outcome.err, "/../"));  // a path that nobody typed
  }
}

}  // namespace

TEST_CASE("rank of given weights") {
  const Arrays place;
  // No folder for temporary files is needed.
  const Outcome outcome = place.shell("TMPDIR=/nonexistent attest rank" + kLayer);
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  has(outcome.out, "rank: proved; rank(Z) = 3");
  CHECK(outcome.err.empty());
  CHECK(place.files().size() == 4);  // nothing is left behind

  const Outcome json = place.ends(0, "rank --json" + kLayer);
  const Json claims = Json::parse(json.out);
  REQUIRE(claims.size() == 1);
  CHECK(claims[0]["verdict"] == "verified");
  CHECK(claims[0]["rank"] == Json{{"lower", 3}, {"upper", 3}});
  CHECK(claims[0]["bounds"]["paper_lower"] == 1);
  CHECK(claims[0]["bounds"]["any_coefficients"] == 3);
}

TEST_CASE("beside the rank: floating point, ranks of the first heads, dependent examples") {
  const Arrays place;
  const auto ask = [&](const std::string& more) { return place.line("rank" + kLayer + " " + more); };
  // Whether others are a basis too is not said: not when what is left out is 0.
  has(ask("").out, "  the rows of all examples but ");
  has(ask("").out, " are a basis of all (there may be others)");
  const auto start = std::chrono::steady_clock::now();
  const Outcome text = ask("--float --after-heads --progress");
  CHECK(text.status == 0);
  // Nothing after less than five seconds.
  if (std::chrono::steady_clock::now() - start < std::chrono::seconds(5)) CHECK(text.err.empty());
  has(text.out, "numpy.linalg.matrix_rank says 3");
  has(text.out, "at least: 2, 3 (");
  const Json claim = Json::parse(ask("--float --after-heads --json").out)[0];
  CHECK(claim["binary64_rank"] == 3);
  CHECK(claim["rank_after_heads"] == Json::array({2, 3}));
  CHECK(claim["dependent_examples"].size() == 1);

  for (const std::string old :
       {"--svg r.svg", "--svg=r.svg", "--rows 0:2 --basis b.json", "--combine b.json"})
    has(place.ends(2, "rank" + kLayer + " " + old).err, "there is no --");
  for (const std::string name : {"--float", "--after-heads"})
    place.ends(2, "injective " + kLayer + " " + name);
}

TEST_CASE("the line that says how far a question is") {
  CHECK(progress_text({"reading", 0, 0}, 9) == "reading");
  CHECK(progress_text({"rows of Z", 0, 10}, 9) == "rows of Z: 0 of 10");
  CHECK(progress_text({"rows of Z", 5, 10}, 0.5) == "rows of Z: 5 of 10");
  CHECK(progress_text({"rows of Z", 5, 10}, 20) == "rows of Z: 5 of 10, 20 s left");
  CHECK(progress_text({"rows of Z", 1, 10}, 20) == "rows of Z: 1 of 10, 3 min 0 s left");
  CHECK(progress_text({"rows of Z", 10, 10}, 20) == "rows of Z: 10 of 10, 0 s left");
  CHECK(progress_text({"rows of Z", 11, 10}, 20) == "rows of Z: 11 of 10");
}

TEST_CASE("combined weights, biases, base and scale, safetensors") {
  const Arrays place;
  place.write("m.npy", doubles({1, 3, 3}, {1, 0, 0, 0, 2, 0, 0, 0, -1}));
  place.write("kb.npy", doubles({2, 1}, {1, 2}));
  place.write("all.safetensors", two_tensors({1, 0, 0.5, 0, 1, 0.25}, "[2,3]",
                                             {1, 0, 0, 0, 1, 0, 1, 1, 1, 2, -1, 0.1}, "[4,3]"));
  expect(place,
         {{"rank --contexts all.safetensors:c --queries all.safetensors:q --combined m.npy", "rank(Z) = 2"}});
  for (const std::string scale : {"1/sqrt(d)", "1/sqrt(d_h)", "-7/3"})
    for (const std::string base : {"e", "2"})
      expect(place, {{"rank" + kLayer + " --key-bias kb.npy --query-bias kb.npy --base " + base +
                          " --logit-scale=" + scale,
                      "rank(Z) = 3"}});
}

TEST_CASE("what the softmax sees, hidden vectors, masks") {
  const Arrays place;
  // S = 2, L = 2, d = 3.
  place.write("h.npy", doubles({2, 2, 3}, {1, 0, 0.5, 0, 1, 0.25, 2, 1, 0, 0, -1, 3}));
  place.write("pq.npy", doubles({2, 2, 2, 1}, {1, 2, 3, -1, 0.5, 2, 1, 1}));
  place.write("pk.npy", doubles({2, 2, 1, 1}, {3, 2, -5, 1}));
  place.write("l.npy", doubles({4, 2, 2}, {1, 2, 3, -1, 0.5, 2, 1, 1, 3, 2, -5, 1, 0, 4, 1, 7}));
  place.write("mask.npy", doubles({2, 2}, {1, 1, 1, 0}));
  place.write("turned.npy", doubles({4, 2, 1}, std::vector<double>(8, 1)));
  place.write("none.npy", doubles({0, 1, 2}, {}));
  const std::string hidden = " --hidden h.npy --positions ", all = "rank" + hidden + "all",
                    projected = " --projected-queries pq.npy --projected-keys pk.npy",
                    logits = " --logits l.npy";
  expect(place, {{all + projected, "rank(Z) = 4"},
                 {all + projected, "multiplied by 1/sqrt(d_h)"},
                 {all + logits, "rank(Z) = 4"},
                 {all + logits, "logits do not show the head dimension"},
                 {all + kWeights + " --causal", "rank(Z) = 4"},
                 {"rank" + hidden + "00,1" + logits, "rank(Z) = 4"},
                 {"rank --contexts c.npy" + logits, "rank(Z) = "},
                 // Three examples, one of which has one token.
                 {all + kWeights + " --mask mask.npy", "rank(Z) = 3"},
                 {"assumptions --causal" + hidden + "all", "general-position: "},
                 {"assumptions --causal" + hidden + "all",
                  "note: Assumptions 1 to 3 are about contexts of n tokens"},
                 {"assumptions" + hidden + "last", "assumption-2: "},
                 {"capacity --causal --heads 2" + hidden + "all", "capacity = 4"}});
  place.ends(0, "assumptions --causal" + hidden + "all");
  refuse(
      place,
      {{all + " --projected-queries pq.npy", "--projected-queries requires --projected-keys"},
       {all + projected + " --heads 3", "has 2 heads, but --heads says 3"},
       {all + projected + " --head-dim 3", "head dimension 1, but --head-dim says 3"},
       {"rank" + hidden + "first" + logits, "last, all, or positions"},
       {"rank" + hidden + "1,0" + logits, "the positions do not increase"},
       {"rank" + hidden + "last" + logits, "l.npy: has shape (4, 2, 2), which does not fit the other arrays"},
       {"rank --hidden h.npy" + logits, "--hidden requires --positions"},
       {"rank" + logits, "there are no contexts"},
       {"rank --contexts c.npy" + kWeights, "there are no queries"},
       {"rank" + kData + logits, "excludes"},
       {"rank --contexts c.npy --logits q.npy", "has shape (4, 3), which does not fit --logits"},
       {"rank --contexts c.npy --logits turned.npy",
        "turned.npy: has shape (4, 2, 1), which does not fit the other arrays as --logits: it is transposed; "
        "shape (4, 1, 2)"},
       {"rank --contexts c.npy --logits none.npy",
        "none.npy: has shape (0, 1, 2) and so no entries, as --logits: (T, H, n); every dimension is at "
        "least 1"},
       {"rank --contexts c.npy --causal" + logits, "--causal requires --hidden"},
       {all + logits + " --mask q.npy", "has shape (4, 3)"}});
}

TEST_CASE("numerical-rank") {
  const Arrays place;
  place.write("i.npy", doubles({2, 2}, {1, 0, 0, 1}));
  place.write("l.npy", doubles({2, 1, 2}, {0, -1, -1, 0}));  // Z = [[2/3, 1/3], [1/3, 2/3]] in base 2
  const std::string layer = " --contexts i.npy --logits l.npy --base 2",
                    ask = "numerical-rank" + layer + " --tolerance ";
  expect(place, {{ask + "0.5", "numerical-rank (tolerance = 1/2): proved; numerical rank = 1"},
                 {ask + "0.5", "singular value 1 (from 0) lies in [0.333333"},
                 {ask + "1e-300", "numerical rank = 2"},
                 {ask + "1", "undecided; 0 <= numerical rank <= 1"},
                 {ask + "0.5 --json", "\"singular_values\""}});
  refuse(place, {{ask + "0", "tolerance"}, {ask + "-1", "tolerance"}});
  place.ends(2, "rank --tolerance 1" + layer);
  // By default numpy's rule: 2 * 2^-52 times the largest singular value, 1, which binary64 may see a little
  // off.
  const Outcome standard = place.ends(0, "numerical-rank --json --out kept" + layer);
  CHECK(Json::parse(standard.out)[0]["numerical_rank"]["lower"] == 2);
  const std::string text = place.read("kept/numerical-rank.toml");
  CHECK((text.find("tolerance = \"0x1p-51\"") != std::string::npos ||
         text.find("tolerance = \"0x1.000002p-51\"") != std::string::npos));
  has(text, "title = \"Singular values of Z above 0x1");
  place.ends(0, "check kept/numerical-rank.json");
  place.write("zero.npy", doubles({2, 2}, {0, 0, 0, 0}));
  place.write("ones.npy", doubles({2, 2}, {1, 1, 1, 1}));
  place.write("far.npy", doubles({2, 2}, {5e-324, 0, 0, 1.7e308}));
  // Also of Z = 0, and down to numbers that binary64 does not tell from 0.
  expect(place, {{"numerical-rank --contexts zero.npy --logits l.npy", "proved; numerical rank = 0"},
                 {"numerical-rank --contexts ones.npy --logits l.npy --tolerance 1e-300",
                  "proved; numerical rank = 1"},
                 {"numerical-rank --contexts far.npy --logits l.npy", "proved; numerical rank = "}});
}

TEST_CASE("memorizes, injective, saturation") {
  const Arrays place;
  place.write("same.npy", doubles({4, 3}, {1, 0, 0, 0, 1, 0, 1, 0, 0, 2, -1, 0.1}));  // 0 and 2 are equal
  place.write("three.npy", doubles({3, 3}, {1, 0, 0, 0, 1, 0, 2, -1, 0.1}));
  place.write("fits.npy", doubles({4}, {5, 1, 5, 2}));
  place.write("not.npy", doubles({4, 2}, {5, 1, 1, 1, 5, 2, 2, 2}));
  place.write("l.npy", doubles({4, 2, 2}, {5, 0, 3, 3, 0, 8, 0, 0, 4, 0, 1, 1, 0, 0, 0, 9}));
  const std::string layer = " --contexts c.npy" + kWeights, same = layer + " --queries same.npy",
                    saturation = "saturation --contexts c.npy --logits l.npy";
  expect(place,
         {{"memorizes --labels fits.npy" + same, "memorizes: verified"},
          {"memorizes --labels not.npy" + same, "memorizes: refuted"},
          {"memorizes" + same,
           "memorizes: no, 3 of 4 dimensions, even with values and read-out trained anew; rank(Z) = 3 of 4"},
          {"memorizes --queries three.npy" + layer,
           "memorizes: yes, with values and read-out trained anew; rank(Z) = 3 of 3"},
          {"memorizes" + same, "any labels are fitted exactly when rank(Z) = T"},
          {"memorizes --bias --queries three.npy" + layer,
           "memorizes with a bias: yes, with values and read-out trained anew; rank [Z 1] = 3 of 3"},
          {"memorizes --labels fits.npy --bias" + same, "memorizes (bias = true): verified"},
          {"rank --per-head" + same, "rank (head = 1): proved; rank(Z_h) = "},
          {"rank --sink" + same, "rank: proved; rank(Z) = 3"},
          {"rank --coefficients sigmoid" + same, "rank: proved; rank(Z) = 3"},
          {"rank --coefficients linear" + same, "softmax or sigmoid"},
          {"rank --sink --coefficients sigmoid" + same, "--sink excludes --coefficients"},
          {"output-rank" + same, "there are no values"},
          {"memorizes --json" + same, "\"verdict\": \"refuted\""},
          {"memorizes --labels c.npy" + same, "as --labels"},
          {"injective --queries q.npy" + layer, "injective: verified; all 4 examples have different outputs"},
          {"injective" + same, "injective: refuted; not all outputs are different: 3 of 4"},
          {"rank --queries q.npy --labels fits.npy" + layer, "--help"},
          {saturation, "saturation (threshold = 99/100): proved; saturated pairs = 3"},
          {saturation, "saturation (threshold = 99/100, head = 0): proved; saturated pairs = 2"},
          {saturation, "saturation (threshold = 99/100, head = 1): proved; saturated pairs = 1"},
          {saturation + " --threshold 1/3", "saturated pairs = 8"},
          {saturation + " --threshold high", "threshold"}});
  place.ends(0, saturation);
}

TEST_CASE("jacobian-rank, functional-dimension, memorizes --trainable") {
  const Arrays place;
  place.write("same.npy", doubles({4, 3}, {1, 0, 0, 0, 1, 0, 1, 0, 0, 2, -1, 0.1}));  // 0 and 2 are equal
  place.write("r.npy", doubles({6, 1}, {1, -1, 2, 3, 1, -2}));
  place.write("zeros.npy", doubles({2, 3, 1}, {0, 0, 0, 0, 0, 0}));
  place.write("short.npy", doubles({5, 1}, {1, -1, 2, 3, 1}));
  place.write("fits.npy", doubles({4}, {5, 1, 5, 2}));
  place.write("l.npy", doubles({4, 2, 2}, {5, 0, 3, 3, 0, 8, 0, 0, 4, 0, 1, 1, 0, 0, 0, 9}));
  const std::string same = " --contexts c.npy --queries same.npy", readout = " --readout r.npy",
                    given = "jacobian-rank" + kLayer, few = "jacobian-rank" + same + kWeights + readout,
                    largest = "functional-dimension --heads 2 --head-dim 1",
                    open = "fit an open set of labels, which is not all labels",
                    almost =
                        "some weights without biases fit are a null set (Sard), and so is its closure "
                        "(Wilkie): almost no labels are fitted or approximated, which is not none";
  expect(
      place,
      {{given + readout, "jacobian-rank: proved; rank(J) = 4 of 4; "},
       {given + readout, "keys, queries and read-outs U near these " + open},
       {few, "jacobian-rank: proved; rank(J) = 3 of 4; "},
       {few, "and no weights without biases do better"},
       {"jacobian-rank --key zeros.npy --query w.npy" + kData + readout,
        "other weights, also near these, may do better"},
       // Without a read-out the outputs are those of the heads, and the read-out of these is the identity.
       {given, "jacobian-rank: proved; rank(J) = 20 of 24; "},
       {given + " -v", "; outputs = 24; parameters = 48; functional dimension = 20"},
       {largest + kData, "functional-dimension: proved; functional dimension = 4 of 4; "},
       {largest + kData, "some weights and read-outs U " + open},
       {largest + same, "functional dimension = 3 of 4; "},
       {largest + same, almost},
       {largest + same + " --output-dim 2", "functional dimension = 6 of 8; "},
       {"memorizes --trainable --labels fits.npy" + same + kWeights,
        "memorizes: verified; yes, these labels are fitted, with values and read-out trained anew"},
       {"memorizes --trainable" + same + kWeights, "memorizes: no, 3 of 4 dimensions"},
       {"memorizes --trainable" + same + kWeights, "capacity: proved; capacity = 3"},
       {"memorizes --trainable" + same + kWeights, "functional-dimension: proved; functional dimension = 3"},
       {"memorizes --trainable" + same + kWeights,
        "keys and queries without biases chosen before the labels"},
       {"memorizes --trainable" + same + kWeights, "it decides nothing about these labels"},
       {"memorizes --trainable" + same + kWeights, almost}});
  // As JSON the same.
  const auto json = [&](const std::string& line) {
    const Outcome outcome = place.ends(0, line + " --json");
    return Json::parse(outcome.out);
  };
  const Json exactly3 = {{"lower", 3}, {"upper", 3}};
  CHECK(json(few)[0]["jacobian_rank"] == exactly3);
  CHECK(json(few)[0]["functional_dimension"] == exactly3);
  has(json(given + readout)[0]["meaning"].get<std::string>(), open);
  CHECK(json(largest + same)[0]["functional_dimension"] == exactly3);
  has(json(largest + same)[0]["meaning"].get<std::string>(), almost);
  const Json three = Json::parse(place.line("memorizes --trainable --json" + same + kWeights).out);
  REQUIRE(three.size() == 4);  // rank with and without a bias
  CHECK(three[0]["rank"] == exactly3);
  CHECK(three[2]["capacity"] == exactly3);
  CHECK(three[3]["functional_dimension"] == exactly3);
  for (const auto& [line, name] :
       {Row{given + readout, "jacobian-rank"}, {largest + same, "functional-dimension"}}) {
    const Outcome kept = place.line(line + " --check --out kept");
    has(kept.out, "; checked");
    place.ends(0, "check kept/" + name + ".json");
    has(place.line("explain kept/" + name + ".json").out, name == "jacobian-rank" ? open : almost);
  }
  refuse(place, {{given + " --readout short.npy", "readout has shape (5, 1)"},
                 {given + " --readout c.npy", "readout has shape (2, 3); it must be (m, d_out) = (6, 3)"},
                 {"jacobian-rank" + kData + readout, "there are no weights"},
                 {"jacobian-rank --contexts c.npy --logits l.npy" + readout, "jacobian-rank needs queries"},
                 {"functional-dimension" + kData, "--heads"},
                 {"functional-dimension --heads 0" + kData, "--heads"},
                 {largest + kData + " --output-dim 0", "--output-dim"},
                 {largest + " --contexts c.npy", "there are no queries"},
                 {"memorizes --trainable" + kData, "there are no weights"}});
  for (const std::string& line : {largest + kData + readout, given + readout + " --sink",
                                  largest + kData + " --sink", "injective --trainable" + kLayer})
    place.ends(2, line);
}

TEST_CASE("claims about Jacobians: a number, a bound, and what is expected of them") {
  const Workplace place;
  // Two examples of four are equal: rank(J) is 3.
  const std::string begin =
      sized_layer(1, 2, 2, 1, 4) +
      "[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = [[1, 0], [0, 1], [1, 2], [1, 2]]\n";
  const std::string weights = "[weights]\nkey = [[[1], [2]]]\nquery = [[[1], [3]]]\nreadout = [[1], [5]]\n";
  for (const char* const statement : {"jacobian-rank", "functional-dimension"})
    for (const auto& [asked, verdict] : std::vector<Row>{{"value = 3", "verified"},
                                                         {"value = 4", "refuted"},
                                                         {"at_least = 3", "verified"},
                                                         {"at_least = 4", "refuted"},
                                                         {"at_most = 3", "verified"},
                                                         {"at_most = 2", "refuted"},
                                                         {"", "verified"}})
      for (const std::string expected : {"verified", "refuted"}) {
        CAPTURE(statement);
        CAPTURE(asked);
        place.write("c.toml", begin + weights + claim(statement, asked + "\nexpect = '" + expected + "'"));
        const Outcome outcome = place.line("verify c.toml --json r.json");
        CHECK(outcome.status == (expected == verdict ? 0 : 1));
        const Json found = place.json("r.json")["cases"][0]["claims"][0];
        CHECK(found["verdict"] == verdict);
        CHECK(found[statement == std::string("jacobian-rank") ? "jacobian_rank" : "functional_dimension"] ==
              Json{{"lower", 3}, {"upper", 3}});
        CHECK(place.run("attest-check", {"--quiet", "certificates/c.json"}).status == outcome.status);
      }
  for (const auto& [text, wrong] : std::vector<Row>{
           {begin + claim("jacobian-rank"), "weights"},
           {begin + replaced(weights, "readout = [[1], [5]]\n", "") + claim("jacobian-rank"), "readout"},
           {begin + claim("functional-dimension", "value = 3\nat_least = 3"), "at_least"}}) {
    CAPTURE(wrong);
    place.write("c.toml", text);
    const Outcome outcome = place.ends(2, "verify c.toml");
    has(outcome.out + outcome.err, wrong);
  }
}

TEST_CASE("labels that no weights fit: every output names the theorem it rests on") {
  const Workplace place;
  const auto write = [&](std::size_t examples, const std::string& queries) {
    place.write("c.toml", sized_layer(1, 2, 2, 1, examples) +
                              "[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = " + queries + "\n" +
                              claim("unfittable-labels"));
  };
  const std::string premise =
                        "labels that are independent by the theorem of Lindemann and Weierstrass (no formal "
                        "proof here) = 5",
                    meaning =
                        "it is these labels that no weights without biases fit; nothing is said about others";
  write(5, "[[1, 0], [0, 1], [1, 1], [1, 2], [2, 1]]");
  const Outcome outcome = place.ends(0, "verify c.toml --json r.json --junit r.xml --report r.html");
  for (const std::string& text : {outcome.out, place.read("r.xml"), place.read("r.html"),
                                  place.line("explain certificates/c.json").out}) {
    has(unwrapped(text), "by the theorem of Lindemann and Weierstrass (no formal proof here)");
    has(unwrapped(text), meaning);
  }
  has(place.run("attest-check", {"certificates/c.json"}).out, premise);
  const Json found = place.json("r.json")["cases"][0]["claims"][0];
  CHECK(found["parameters"]["independent_labels"] == 5);
  has(found["found"].get<std::string>(), premise);
  CHECK(found["meaning"] == meaning);
  // Too few examples: nothing is proved.
  write(4, "[[1, 0], [0, 1], [1, 1], [1, 2]]");
  const Outcome few = place.ends(1, "verify c.toml --json r.json");
  CHECK(!contains(few.out, meaning));
  CHECK_FALSE(place.json("r.json")["cases"][0]["claims"][0].contains("meaning"));
}

TEST_CASE("arrays beyond a share of --memory are mapped: the same certificate, and checked from copies") {
  const Arrays place;
  constexpr std::size_t T = 100000;
  std::vector<double> contexts, queries;
  for (std::size_t k = 0; k < 6 * T; ++k) contexts.push_back(static_cast<double>(k * 2654435761u % 4099) / 8);
  // Rows that are of use come last.
  for (std::size_t k = 0; k < 3 * T; ++k) queries.push_back(k < 3 * T - 30 ? 0 : static_cast<double>(k % 7));
  place.write("c.npy", doubles({T, 2, 3}, contexts));
  place.write("q.npy", doubles({T, 3}, queries));
  const std::string rank = "rank" + kLayer + " --out ";
  const Outcome read = place.line(rank + "read"), mapped = place.line(rank + "mapped --memory 256M");
  CHECK(read.status == 0);
  CHECK(read.out.substr(0, read.out.find('\n')) == mapped.out.substr(0, mapped.out.find('\n')));
  CHECK(mapped.err.empty());
  CHECK(place.read("read/rank.json") == place.read("mapped/rank.json"));
  std::filesystem::create_directory(place.path() / "tmp");
  const std::string check = "attest check --memory 12M mapped/rank.json";
  const Outcome checked = place.shell("TMPDIR=$PWD/tmp " + check);
  CAPTURE(checked.out);
  CHECK(checked.status == 0);
  CHECK(std::filesystem::is_empty(place.path() / "tmp"));
  const Outcome nowhere = place.shell("TMPDIR=$PWD/none " + check);
  CHECK(nowhere.status == 2);
  has(nowhere.out, "TMPDIR");
}

TEST_CASE("accuracy of a whole layer") {
  const Workplace place;
  // The scores are the two coefficients, times 2 and 3 with --value, or their difference with --readout.
  place.write("c.npy", doubles({2, 2}, {1, 0, 0, 1}));
  place.write("l.npy", doubles({4, 1, 2}, {1, 0, 0, 1, 2, 0, 0.125, 0}));
  place.write("q.npy", doubles({4, 2}, {0, 0, 0, 0, 0, 0, 1, 0}));
  place.write("k.npy", doubles({1, 2, 1}, {0, 0}));
  place.write("classes.npy", doubles({4}, {0, 1, 0, 1}));
  place.write("labels.npy", doubles({4, 2}, {1, 0, 0, 1, 1, 0, 0, 1}));
  place.write("v.npy", doubles({1, 2, 2}, {2, 0, 0, 3}));
  place.write("r.npy", doubles({2, 1}, {-1, 1}));
  place.write("w.npy", doubles({1, 2}, {-1, 1}));
  place.write("b.npy", doubles({1}, {0.5}));
  const std::string ask = "accuracy --contexts c.npy --logits l.npy",
                    classes = ask + " --classes classes.npy",
                    // Equal logits for all, so that the query decides; the first three are ties, which binary
                    // numbers show.
      tied =
          "accuracy --contexts c.npy --queries q.npy --key k.npy --query k.npy --classes classes.npy --skip";
  expect(place, {{classes, "accuracy: proved; accurate examples = 3"},
                 {classes + " --value v.npy", "accurate examples = 4"},
                 {ask + " --labels labels.npy --epsilon 0.2",
                  "accuracy (epsilon = 1/5): proved; accurate examples = 1"},
                 {classes + " --readout r.npy", "accurate examples = 3"},
                 {classes + " --readout-linear w.npy --readout-bias b.npy", "accurate examples = 3"},
                 {classes + " --skip-vectors q.npy", "accurate examples = 3"},
                 {tied, "accuracy: proved; accurate examples = 0"}});
  place.ends(0, tied);
  place.ends(0, classes + " --readout-linear w.npy --out kept");
  has(place.read("kept/accuracy.toml"), "readout = { file = \"w.npy\", transpose = true }");
  place.ends(0, "check kept/accuracy.json");
  expect(place, {{"explain kept/accuracy.json", "3 examples are right, by enclosures of the scores"}});
  // What is missing or does not fit.
  expect(place,
         {{ask + " --classes labels.npy",
           "labels.npy: has shape (4, 2), which does not fit --classes: (T); an array of 1 dimension"}});
  refuse(place, {{ask, "nothing says what is right"},
                 {classes + " --labels labels.npy --epsilon 1", "excludes"},
                 {ask + " --labels labels.npy", "requires"},
                 {ask + " --labels labels.npy --epsilon 1 --readout r.npy",
                  "has 2 labels for each example, but the layer puts out 1 scores"},
                 {classes + " --skip", "skip = true adds the queries, and the case has none"},
                 {classes + " --readout w.npy", "readout has shape (1, 2); it must be (m, d_out) = (2, 2)"},
                 {classes + " --readout r.npy --readout-linear w.npy", "excludes"}});
}

TEST_CASE("accuracy by small numbers: the checker sees what the prover sees") {
  const Workplace place;
  const auto answer = [&](const std::string& context, const std::string& logits, const std::string& rest,
                          const std::string& found) {
    CAPTURE(context);
    CAPTURE(rest);
    const bool classes = rest.find("classes") != std::string::npos;
    place.write("c.toml", sized_layer(1, 2, 1, 1, 1) + "base = \"2\"\n[data]\ncontexts = " + context +
                              (classes ? "" : "\nlabels = [0]") + "\n[weights]\nlogits = [[" + logits +
                              "]]\n" + rest);
    const Outcome outcome = place.attest({"verify", "c.toml"});
    has(outcome.out, found);
    const Outcome checked = place.run("attest-check", {"--ignore-expectations", "certificates/c.json"});
    CHECK(checked.status == 0);
    has(checked.out, ": valid");
  };
  const std::string accuracy = claim("accuracy");
  // A coefficient of 2^-200, and tokens of 10^-40 that a read-out makes large.
  for (const std::string own : {"0", "1"}) {
    const std::string classes = accuracy + "classes = [" + own + "]\n", found = "accurate examples = " + own;
    answer("[[0], [1]]", "[200, 0]", classes, found);
    answer("[[0], [\"1e-40\"]]", "[0, 0]", "readout = [[\"1e40\"]]\n" + classes, found);
    answer("[[0], [\"1e-40\"]]", "[0, 0]", "value = [[[\"1e40\"]]]\noutput = [[[\"1e-70\"]]]\n" + classes,
           found);
  }
  // Distances that are epsilon exactly, of numbers with 300 bits.
  const std::string epsilon = accuracy + "epsilon = \"0x1p-300\"\n";
  answer("[[0], [\"0x1p-299\"]]", "[0, 0]", epsilon, "accurate examples = 1");
  answer("[[0], [\"0x1p-298\"]]", "[0, 0]", epsilon, "accurate examples = 0");
  answer("[[0], [\"0x1p-298\"]]", "[1, \"1.5\"]", epsilon, "accurate examples = 0");
  answer("[[0], [\"0x1p-299\"]]", "[\"1.5\", 1]", epsilon, "accurate examples = 1");
  // A certificate may ask for 65536 bits.
  answer("[[0], [1]]", "[65000, 0]", accuracy + "classes = [1]\n", "accurate examples = 1");
  answer("[[0], [1]]", "[66000, 0]", accuracy + "classes = [1]\n", "0 <= accurate examples <= 1");
  answer("[[0], [1]]", "[1000000000000000000, 0]", accuracy + "classes = [1]\n",
         "0 <= accurate examples <= 1");
}

TEST_CASE("--out keeps the case, the arrays and a certificate that is valid") {
  const Arrays place;
  place.write("elsewhere/q.npy", place.read("k.npy"));  // the same file name twice
  place.ends(0, "rank" + kData + " --key elsewhere/q.npy --query w.npy --out kept/here");
  CHECK(place.read("kept/here/rank.toml") == R"(format = 1
title = "The rank of Z for these arrays"

[layer]
heads = 2
context = 2
embed_dim = 3
head_dim = 1
examples = 4
base = "e"

[data]
contexts = { file = "c.npy" }
queries = { file = "q.npy" }

[weights]
key = { file = "q-2.npy" }
query = { file = "w.npy" }

[[claim]]
statement = "rank"
)");
  place.ends(0, "check kept/here/rank.json");
  expect(place, {{"verify kept/here/rank.toml", "rank(Z) = 3"}});
  // The originals may change; the copies may not.
  const std::string other = doubles({4, 3}, {1, 0, 0, 0, 1, 0, 1, 1, 1, 2, -1, 0.2});
  place.write("q.npy", other);
  place.ends(0, "check kept/here/rank.json");
  place.write("kept/here/q.npy", other);
  place.ends(1, "check kept/here/rank.json");
}

TEST_CASE("the case that is kept is the one that was read: the same digest") {
  const Arrays place;
  place.write("h.npy", doubles({2, 2, 3}, {1, 0, 0.5, 0, 1, 0.25, 2, 1, 0, 0, -1, 3}));
  place.write("l.npy", doubles({2, 1, 2, 2}, {1, 2, 3, -1, 0.5, 2, 1, 1}));
  place.write("y.npy", doubles({4, 2}, {5, 1, 1, 1, 5, 2, 2, 2}));
  place.write("model.safetensors", bert_weights());
  const std::string model = " --weights model.safetensors --layout bert --prefix a. --heads 2";
  for (const std::string& line :
       {"rank --logit-scale 1/sqrt(d)" + kLayer, "saturation --threshold 1e-1 --base 2" + kLayer,
        "memorizes --labels y.npy" + kData + model, "memorizes" + kLayer, "numerical-rank" + kLayer,
        std::string("rank --hidden h.npy --positions 0,1 --causal --logits l.npy"),
        "assumptions --heads 3" + kData, "capacity --heads 2 --head-dim 1" + kData}) {
    CAPTURE(line);
    const std::string name = line.substr(0, line.find(' '));
    place.ends(0, line + " --out kept");
    const std::string digest = place.json("kept/" + name + ".json")["case"]["digest"].get<std::string>();
    CHECK(place.line("digest kept/" + name + ".toml").out.substr(0, 64) == digest);
    // That of files where they lie is the same.
    place.write("mine.toml", place.line(line + " --out -").out);
    CHECK(place.line("digest mine.toml").out.substr(0, 64) == digest);
  }
}

TEST_CASE("--out - prints the case file, which gives the answers again") {
  const Arrays place;
  const Outcome outcome = place.ends(0, "rank --out -" + kLayer);
  CHECK_FALSE(place.exists("-"));
  has(outcome.out, "# rank: proved");
  place.write("mine.toml", outcome.out);
  expect(place, {{"verify mine.toml", "rank(Z) = 3"}});
}

TEST_CASE("--check: the checker has seen what was written, or there is no answer") {
  const Arrays place;
  place.write("a.toml", quick_case(claim("rank") + claim("theorem-1")));
  for (const std::string& line : {"rank --check" + kLayer, "rank --check --out kept" + kLayer,
                                  "assumptions --check" + kData, std::string("verify --check a.toml")}) {
    CAPTURE(line);
    const Outcome outcome = place.ends(0, line);
    has(outcome.out, "; checked\n");
    CHECK(outcome.out.find("undecided; ") == outcome.out.find("undecided; 0 unexpected"));
  }
  CHECK(place.line("rank" + kLayer).out.find("checked") == std::string::npos);
  CHECK(Json::parse(place.line("rank --check --json" + kLayer).out)[0]["checked"] == true);
  // What is written there would be lost.
  std::filesystem::remove(place.path() / "kept/rank.json");
  std::filesystem::create_symlink("/dev/null", place.path() / "kept/rank.json");
  const Outcome lost = place.ends(2, "rank --check --out kept" + kLayer);
  CHECK(lost.out.empty());
  has(lost.err, "kept/rank.json: is not a regular file");
  std::filesystem::remove(place.path() / "certificates/a.json");
  std::filesystem::create_symlink("/dev/null", place.path() / "certificates/a.json");
  const Outcome verified = place.ends(2, "verify --check a.toml");
  has(verified.err, "certificates/a.json: is not a regular file");
  CHECK(!contains(verified.out, "verified     "));
  // Verdicts are compared, and what the checker says is passed on, with a limit of time or without.
  attest::kernel::ClaimReport verified_one;
  verified_one.finding.verdict = attest::Verdict::verified;
  for (const double timeout : {0.0, 60.0}) {
    const auto check = [&](const char* verdict, const std::function<attest::kernel::CheckReport()>& checker) {
      Json claims = {{{"verdict", verdict}}};
      attest::mark_checked(claims, "x.json", timeout, checker);
      return claims[0]["checked"];
    };
    CHECK(check("verified", [&] { return attest::kernel::CheckReport{verified_one}; }) == true);
    CHECK_THROWS_WITH_AS(check("refuted", [&] { return attest::kernel::CheckReport{verified_one}; }),
                         "x.json: rejected by the checker: claim 0 is verified, not refuted",
                         attest::Rejected);
    CHECK_THROWS_WITH_AS(
        check("verified", []() -> attest::kernel::CheckReport { throw attest::Failure("no"); }),
        "x.json: rejected by the checker: no", attest::Rejected);
    CHECK_THROWS_WITH_AS(
        check("verified", []() -> attest::kernel::CheckReport { throw attest::LimitError("much"); }), "much",
        attest::LimitError);
  }
  Json claims = {{{"verdict", "verified"}}};
  const auto never = []() -> attest::kernel::CheckReport {
    for (;;) ::pause();
  };
  CHECK_THROWS_WITH_AS(attest::mark_checked(claims, "x.json", 0.1, never),
                       "x.json: the time limit of its check was reached", attest::LimitError);
}

TEST_CASE("weights as a model stores them") {
  const Arrays place;
  place.write("model.safetensors", bert_weights());
  const std::string question = "rank --weights model.safetensors --layout bert --prefix a." + kData + " ",
                    note = "note: the logits are multiplied by 1/sqrt(d_h), as in models of layout bert";
  for (const std::string sizes : {"--heads=2", "--head-dim=1"}) {
    const Outcome outcome = place.ends(0, question + sizes);
    has(outcome.out, "rank(Z) = 3");
    has(outcome.out, note);
  }
  // The scale that is given is not spoken of; the JSON stays JSON.
  CHECK(place.line(question + "--heads=2 --logit-scale=2").out.find("note:") == std::string::npos);
  const Outcome json = place.line(question + "--heads=2 --json");
  CHECK(Json::parse(json.out)[0]["rank"]["lower"] == 3);
  has(json.err, note);

  place.ends(0, question + "--heads=2 --out kept");
  has(place.read("kept/rank.toml"), "logit_scale = \"1/sqrt(d_h)\"");
  place.ends(0, "check kept/rank.json");
  const Outcome printed = place.line(question + "--heads=2 --out -");
  place.write("mine.toml", printed.out);
  has(printed.out, "# " + note);
  expect(place, {{"verify mine.toml", "rank(Z) = 3"}});

  const auto with = [](std::string line, const std::string& from, const std::string& to) {
    return line.replace(line.find(from), from.size(), to);
  };
  refuse(place,
         {{question, "nothing says how many heads these are; give heads or head_dim"},
          {question + "--heads=3", "which heads = 3 does not divide"},
          {question + "--heads=2 --head-dim=2", "but heads = 2 and head_dim = 2 were given"},
          {question + kWeights, "--weights excludes --key"},
          {with(question, "bert", "bart"), "unknown layout \"bart\"; did you mean \"bert\"?"},
          {with(question, "a.", "b."),
           "there is no tensor \"b.query.weight\"; layout \"bert\" fits the file with the prefix \"a.\""},
          {with(question, "model.safetensors", "k.npy"), "layouts are read from .npz and .safetensors files"},
          {with(question, "model.safetensors", "none.npz"), "none.npz"},
          {"rank --weights model.safetensors" + kData, "--weights requires --layout"},
          {"rank --layout bert" + kData, "--layout requires --weights"}});
}

TEST_CASE("a layout that leaves something out says so") {
  const Arrays place;
  place.write("model.safetensors", two_tensors({1, 1, 3, 2, -5, 1}, "[2,3]", {1, 2, 3}, "[1,3]",
                                               "q_proj.weight", "k_proj.weight"));
  const std::string line = "rank --weights model.safetensors --layout llama --heads 2" + kData;
  place.ends(0, line);
  expect(place, {{line, "note: rotary position embeddings"}});
}

TEST_CASE("attest layouts prints the tensors of every layout") {
  const Outcome outcome = Workplace().attest({"layouts"});
  CHECK(outcome.status == 0);
  for (const std::string word : {"heads", "torch", "bert", "gpt2", "llama", "in_proj_weight", "1/sqrt(d_h)"})
    has(outcome.out, word);
  for (const std::string& line : lines(outcome.out)) CHECK(line.size() <= 121);
}

TEST_CASE("an option that is wrong is blamed, and nothing that was made of it") {
  const Arrays place;
  const Outcome outcome = place.ends(2, "rank --logit-scale 1/sqrt(dh)" + kLayer);
  CHECK(outcome.err.rfind("attest rank: ", 0) == 0);
  has(outcome.err, "1/sqrt(dh)");
  for (const char* word : {"rank.toml", "line ", "/tmp"}) CHECK(!contains(outcome.err, word));
  refuse(place, {{"rank --base 3" + kLayer, "attest rank: --base is \"3\"; e or 2"},
                 {"rank --heads 0" + kLayer, "--heads is \"0\"; an integer from 1 to 1099511627776"},
                 {"rank --timeout nan" + kLayer, "--timeout is \"nan\"; a number above 0"},
                 {"rank --memory -1" + kLayer, "--memory \"-1\" is not an amount"},
                 {"assumptions --samples 1000001" + kData, "--samples is \"1000001\""}});
}

TEST_CASE("rank needs weights, and no option contradicts them") {
  const Arrays place;
  refuse(place, {{"rank --heads 2" + kData, "there are no weights"},
                 {"rank --heads 7" + kLayer, "k.npy: has 2 heads, but --heads says 7"},
                 {"rank --head-dim 2" + kLayer, "k.npy: has the head dimension 1, but --head-dim says 2"}});
  place.ends(0, "rank --heads 2 --head-dim 1" + kLayer);
}

TEST_CASE("capacity: the largest rank of Z over all weights") {
  const Arrays place;
  const Outcome outcome = place.ends(0, "capacity --heads 2 --head-dim 1 --json --out kept" + kData);
  const Json claims = Json::parse(outcome.out);
  CHECK(claims[0]["capacity"] == Json{{"lower", 3}, {"upper", 3}});
  CHECK(claims[1]["bounds"]["any_coefficients"] == 3);
  place.ends(0, "check kept/capacity.json");
  refuse(place, {{"capacity" + kData, "--heads"}});
}

TEST_CASE("capacity: with query biases it is enough that queries are different") {
  const Arrays place;
  const std::string pair = " --contexts pair.npy --queries opposite.npy",
                    ask = "capacity --head-dim 1" + pair;
  place.write("pair.npy", doubles({2, 2}, {1, 0, 0, 1}));
  place.write("opposite.npy", doubles({4, 2}, {1, 0, -1, 0, 0, 1, 0, -1}));
  expect(place, {{ask + " --heads 3", "; capacity = 3"},
                 {ask + " --heads 3 --query-bias", "capacity with query biases = 4"},
                 {ask + " --heads 3 --query-bias --out -", "query_bias = true"},
                 {ask + " --heads 2 --query-bias --which", "memorizable together: 0, 1, 2"}});
  const Json claims =
      Json::parse(place.ends(0, ask + " --heads 1:3 --query-bias --json --check --out kept").out);
  REQUIRE(claims.size() == 3);
  for (int h = 1; h <= 3; ++h) CHECK(claims[h - 1]["capacity"] == Json{{"lower", h + 1}, {"upper", h + 1}});
  has(place.line("check kept/capacity.json").out, "capacity of 3 heads with query biases = 4");
  has(place.line("explain kept/capacity.json").out, "free query biases");
  refuse(place, {{"functional-dimension --heads 2 --query-bias" + pair, "--query-bias"}});
}

TEST_CASE("capacity: which examples, and what they are worth") {
  const Arrays place;
  place.write("worth.npy", doubles({4}, {0.5, 0, 2, 1}));
  const std::string ask = "capacity --heads 2 --head-dim 1 --which" + kData;
  const Json first = Json::parse(place.line(ask + " --json").out)[0];
  CHECK(first["verdict"] == "verified");
  CHECK(first["which"] == Json{0, 1, 2});
  CHECK(first["conflicts"] == Json{{"3", {0, 1, 2}}});
  const Outcome valued = place.ends(0, ask + " --worth worth.npy --check --out kept");
  has(valued.out, "memorizable together: 0, 2, 3; 1 conflicts with all of them");
  const Outcome checked = place.line("check kept/capacity.json");
  has(checked.out, "memorizable together: 0, 2, 3; 1 conflicts with all of them");
  place.write("short.npy", doubles({3}, {1, 2, 3}));
  refuse(place, {{ask + " --worth short.npy", "short.npy"},
                 {"capacity --heads 2 --worth worth.npy" + kData, "--worth requires --which"}});
}

TEST_CASE("--changed: what has a valid certificate for the same arrays is not proved again, and checked") {
  const Arrays place;
  const auto ask = [&](const std::string& more) {
    return Json::parse(place.line("rank --out kept --changed --check --json" + kLayer + more).out)[0];
  };
  const Json first = ask("");
  CHECK_FALSE(first.contains("unchanged"));
  const std::string certificate = place.read("kept/rank.json");
  const Json again = ask("");
  CHECK(again["unchanged"] == true);
  CHECK(again["checked"] == true);
  CHECK(again["rank"] == first["rank"]);
  // Of another question, and forged.
  CHECK_FALSE(ask(" --base 2").contains("unchanged"));
  CHECK_FALSE(ask("").contains("unchanged"));
  Json forged = Json::parse(certificate);
  forged["steps"].clear();
  forged["claims"][0]["steps"].clear();
  place.write("kept/rank.json", forged.dump());
  CHECK_FALSE(ask("").contains("unchanged"));
  CHECK(place.read("kept/rank.json") == certificate);
  place.ends(2, "rank --changed" + kLayer);  // there is no folder
}

TEST_CASE("capacity: by the number of heads") {
  const Arrays place;
  const std::string ask = "capacity --head-dim 1" + kData + " --heads ";
  const Outcome outcome = place.ends(0, ask + "1:3 --json --out kept");
  const Json claims = Json::parse(outcome.out);
  REQUIRE(claims.size() == 4);
  for (int h = 1; h <= 3; ++h) {
    CHECK(claims[h - 1]["heads"] == h);
    CHECK(claims[h - 1]["capacity"]["lower"] == std::min(h + 1, 4));
    CHECK(claims[h - 1]["capacity"]["upper"] == std::min(h + 1, 4));
  }
  CHECK(place.line("check kept/capacity.json").out.find("capacity of 3 heads = ?") != std::string::npos);
  has(place.line(ask + "2:3").out, "\n  H = 2  ### 3\n  H = 3  #### 4\n");
  CHECK(Json::parse(place.line(ask + "2:2 --json").out)[0]["heads"] == 2);
  has(place.line(ask + "1:3").out, "for all weights with H = 3");  // which heads the bound is about
  CHECK(claims[0]["query_bias"] == false);
  CHECK(Json::parse(place.line(ask + "2:2 --query-bias --json").out)[0]["query_bias"] == true);
  refuse(place, {{ask + "3:2", "--heads is \"3:2\""},
                 {ask + "0:2", "--heads is"},
                 {ask + "1:", "--heads is"},
                 {ask + "1:2:3", "--heads is"},
                 {ask + "1:5000", "a range like 1:8 of at most 1000"}});
}

TEST_CASE("assumptions: what holds and what fails are both answers") {
  const Arrays place;
  const std::string heads = "assumptions --heads 2" + kData;
  place.ends(0, heads);
  for (const char* part : {"assumption-1: verified", "assumption-2: verified", "assumption-3: verified",
                           "kruskal-rank: proved", "affine-hull-bound: verified"})
    expect(place, {{heads, part}});
  place.write("q.npy", doubles({4, 3}, {1, 0, 0, 0, 1, 0, 2, 0, 0, 2, -1, 0.1}));
  place.write("c.npy", doubles({2, 3}, {1, 2, 3, 2, 4, 6}));
  place.ends(0, "assumptions" + kData);
  for (const char* part :
       {"assumption-1: refuted", "assumption-2: refuted", "general-position: refuted", "Kruskal rank = 1"})
    expect(place, {{"assumptions" + kData, part}});
}

TEST_CASE("arrays that do not fit are refused by name") {
  const Arrays place;
  place.write("flat.npy", doubles({6}, {1, 0, 0.5, 0, 1, 0.25}));
  place.write("other.npy", doubles({4, 2}, {1, 0, 0, 0, 1, 0, 1, 1}));
  place.write("nan.npy", doubles({4, 3}, {1, 0, 0, 0, 1, 0 / 0.0, 1, 1, 1, 2, -1, 0.1}));
  place.write("text.npy", "not an array");
  place.write("short.npy", doubles({4, 3}, {1, 0, 0, 0, 1}));
  place.write("heads.npy", doubles({3, 3, 1}, {1, 2, 3, -1, 0.5, 2, 1, 1, 1}));
  place.write("fresh.npy", doubles({3, 1, 3}, {1, 0, 0, 0, 1, 0, 1, 1, 1}));  // three contexts, four queries
  for (const std::string file : {"flat.npy", "text.npy", "missing.npy", "fresh.npy"})
    refuse(place, {{"rank --queries q.npy" + kWeights + " --contexts " + file, file}});
  for (const std::string file : {"flat.npy", "other.npy", "nan.npy", "short.npy"})
    refuse(place, {{"rank --contexts c.npy" + kWeights + " --queries " + file, file}});
  refuse(place, {{"rank --combined c.npy" + kData, "c.npy"},
                 {"rank --key-bias heads.npy" + kLayer, "heads.npy"},
                 {"rank --key heads.npy --query w.npy" + kData, "w.npy"},
                 {"rank --key k.npy --query heads.npy" + kData, "heads.npy"}});
}
