// attest rank and attest assumptions: answers about arrays, without a case file.
#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/progress_line.hpp"
#include "tests/cli/program.hpp"

using attest::progress_text;
using namespace attest::test;

namespace {

// A .npy file, format 1.0, of the given dtype ("<f8" or "<i8").
template <class T>
std::string npy(const std::vector<std::size_t>& shape, const std::vector<T>& values, const char* dtype) {
  std::string header = std::string("{'descr': '") + dtype + "', 'fortran_order': False, 'shape': (";
  for (std::size_t s : shape) header += std::to_string(s) + ", ";
  header += "), }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return file;
}

std::string npy(const std::vector<std::size_t>& shape, const std::vector<double>& values) {
  return npy(shape, values, "<f8");
}

// Two tensors F64, of these names.
std::string safetensors(const std::vector<double>& a, const std::string& shape_a,
                        const std::vector<double>& b, const std::string& shape_b,
                        const std::string& name_a = "c", const std::string& name_b = "q") {
  const std::size_t size = 8 * a.size();
  const std::string header = "{\"" + name_a + "\":{\"dtype\":\"F64\",\"shape\":" + shape_a +
                             ",\"data_offsets\":[0," + std::to_string(size) + "]},\"" + name_b +
                             "\":{\"dtype\":\"F64\",\"shape\":" + shape_b + ",\"data_offsets\":[" +
                             std::to_string(size) + "," + std::to_string(size + 8 * b.size()) + "]}}";
  std::string file(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(file.data(), &length, 8);
  file += header;
  file.append(reinterpret_cast<const char*>(a.data()), 8 * a.size());
  file.append(reinterpret_cast<const char*>(b.data()), 8 * b.size());
  return file;
}

// T = 4, n = 2 (shared), d = 3, H = 2, d_h = 1: rank 3 = H (n - 1) + 1.
void write_arrays(const Workplace& place) {
  place.write("c.npy", npy({2, 3}, {1, 0, 0.5, 0, 1, 0.25}));
  place.write("q.npy", npy({4, 3}, {1, 0, 0, 0, 1, 0, 1, 1, 1, 2, -1, 0.1}));
  place.write("k.npy", npy({2, 3, 1}, {1, 2, 3, -1, 0.5, 2}));
  place.write("w.npy", npy({2, 3, 1}, {1, 1, 3, 2, -5, 1}));
}

}  // namespace

TEST_CASE("rank of given weights") {
  const Workplace place;
  write_arrays(place);
  const Outcome outcome = place.attest(
      {"rank", "--contexts", "c.npy", "--queries", "q.npy", "--key", "k.npy", "--query", "w.npy"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("rank(Z) = 3") != std::string::npos);
  CHECK(outcome.err.empty());
  CHECK(place.files().size() == 4);  // nothing is left behind

  const Outcome json = place.attest(
      {"rank", "--contexts", "c.npy", "--queries", "q.npy", "--key", "k.npy", "--query", "w.npy", "--json"});
  CHECK(json.status == 0);
  const Json claims = Json::parse(json.out);
  REQUIRE(claims.size() == 1);
  CHECK(claims[0]["rank"]["lower"] == 3);
  CHECK(claims[0]["rank"]["upper"] == 3);
  CHECK(claims[0]["bounds"]["paper_lower"] == 1);
  CHECK(claims[0]["bounds"]["any_coefficients"] == 3);
}

TEST_CASE("beside the rank: floating point, ranks of the first heads, dependent examples, a picture") {
  const Workplace place;
  write_arrays(place);
  const std::vector<std::string> arrays = {"rank",  "--contexts", "c.npy",   "--queries", "q.npy",
                                           "--key", "k.npy",      "--query", "w.npy"};
  const auto ask = [&](std::vector<std::string> more) {
    std::vector<std::string> line = arrays;
    line.insert(line.end(), more.begin(), more.end());
    return place.attest(line);
  };
  CHECK(ask({}).out.find("1 example depends on the others: ") != std::string::npos);
  const auto start = std::chrono::steady_clock::now();
  const Outcome text = ask({"--float", "--after-heads", "--progress"});
  CHECK(text.status == 0);
  // Nothing after less than five seconds.
  if (std::chrono::steady_clock::now() - start < std::chrono::seconds(5)) CHECK(text.err.empty());
  CHECK(text.out.find("numpy.linalg.matrix_rank says 3") != std::string::npos);
  CHECK(text.out.find("at least: 2, 3 (") != std::string::npos);
  const Json claim = Json::parse(ask({"--float", "--after-heads", "--json"}).out)[0];
  CHECK(claim["binary64_rank"] == 3);
  CHECK(claim["rank_after_heads"] == Json::array({2, 3}));
  CHECK(claim["dependent_examples"].size() == 1);

  const Outcome drawn = ask({"--svg", "new/rank.svg"});
  if (drawn.status == 0) {
    const std::string svg = place.read("new/rank.svg");
    CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
    CHECK(svg.find("<title>Rank of Z after each head of the given weights</title>") != std::string::npos);
    CHECK(svg.find("rank 2, 3; the paper") != std::string::npos);
    CHECK(svg.find("the affine hull bound 2, 3.") != std::string::npos);  // of the two tokens there are
    CHECK(svg.ends_with("</svg>\n"));
  } else {  // without gnuplot
    CHECK(drawn.err.find("gnuplot") != std::string::npos);
  }
  CHECK(drawn.out.find("rank(Z) = 3") != std::string::npos);

  const Outcome standard = ask({"--svg", "-"});
  CHECK(standard.status == 2);
  CHECK(standard.err.find("standard output, where the answer goes") != std::string::npos);
  place.write("file", "");
  const Outcome unwritable = ask({"--svg", "file/rank.svg"});
  CHECK(unwritable.status == 2);
  CHECK(unwritable.out.find("rank(Z) = 3") != std::string::npos);  // the answer is there all the same
  // Too small to draw.
  std::vector<std::string> saturation = arrays;
  saturation[0] = "saturation";
  saturation.insert(saturation.end(), {"--svg", "s.svg"});
  const Outcome small = place.attest(saturation);
  CHECK(small.status == (small.err.empty() ? 0 : 2));
  if (small.status == 0) CHECK(place.read("s.svg").find("pixelated") != std::string::npos);
  for (const char* const name : {"--float", "--after-heads"}) {
    std::vector<std::string> other = arrays;
    other[0] = "injective";
    other.push_back(name);
    CHECK(place.attest(other).status == 2);
  }
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
  const Workplace place;
  write_arrays(place);
  place.write("m.npy", npy({1, 3, 3}, {1, 0, 0, 0, 2, 0, 0, 0, -1}));
  place.write("kb.npy", npy({2, 1}, {1, 2}));
  place.write("all.safetensors", safetensors({1, 0, 0.5, 0, 1, 0.25}, "[2,3]",
                                             {1, 0, 0, 0, 1, 0, 1, 1, 1, 2, -1, 0.1}, "[4,3]"));
  const Outcome combined = place.attest(
      {"rank", "--contexts", "all.safetensors:c", "--queries", "all.safetensors:q", "--combined", "m.npy"});
  CAPTURE(combined.err);
  CHECK(combined.status == 0);
  CHECK(combined.out.find("rank(Z) = 2") != std::string::npos);
  for (const char* scale : {"1/sqrt(d)", "1/sqrt(d_h)", "-7/3"})
    for (const char* base : {"e", "2"}) {
      const Outcome outcome =
          place.attest({"rank", "--contexts", "c.npy", "--queries", "q.npy", "--key", "k.npy", "--query",
                        "w.npy", "--key-bias", "kb.npy", "--query-bias", "kb.npy", "--base", base,
                        std::string("--logit-scale=") + scale});
      CAPTURE(outcome.err);
      CHECK(outcome.status == 0);
      CHECK(outcome.out.find("rank(Z) = 3") != std::string::npos);
    }
}

TEST_CASE("what the softmax sees, hidden vectors, masks") {
  const Workplace place;
  write_arrays(place);
  // S = 2, L = 2, d = 3.
  place.write("h.npy", npy({2, 2, 3}, {1, 0, 0.5, 0, 1, 0.25, 2, 1, 0, 0, -1, 3}));
  place.write("pq.npy", npy({2, 2, 2, 1}, {1, 2, 3, -1, 0.5, 2, 1, 1}));
  place.write("pk.npy", npy({2, 2, 1, 1}, {3, 2, -5, 1}));
  place.write("l.npy", npy({4, 2, 2}, {1, 2, 3, -1, 0.5, 2, 1, 1, 3, 2, -5, 1, 0, 4, 1, 7}));
  place.write("mask.npy", npy({2, 2}, {1, 1, 1, 0}));
  const auto answer = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "rank");
    const Outcome outcome = place.attest(options);
    return outcome.out + outcome.err;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  const std::vector<std::string> all = {"--hidden", "h.npy", "--positions", "all"};
  const auto with = [](std::vector<std::string> first, const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  };
  const std::vector<std::string> projected = {"--projected-queries", "pq.npy", "--projected-keys", "pk.npy"};
  has(answer(with(all, projected)), "rank(Z) = 4");
  has(answer(with(all, projected)), "multiplied by 1/sqrt(d_h)");
  has(answer(with(all, {"--logits", "l.npy"})), "rank(Z) = 4");
  has(answer(with(all, {"--logits", "l.npy"})), "logits do not show the head dimension");
  has(answer(with(all, {"--key", "k.npy", "--query", "w.npy", "--causal"})), "rank(Z) = 4");
  has(answer({"--hidden", "h.npy", "--positions", "00,1", "--logits", "l.npy"}), "rank(Z) = 4");
  has(answer({"--contexts", "c.npy", "--logits", "l.npy"}), "rank(Z) = ");
  // Three examples, one of which has one token.
  has(answer(with(all, {"--key", "k.npy", "--query", "w.npy", "--mask", "mask.npy"})), "rank(Z) = 3");

  has(answer(with(all, {"--projected-queries", "pq.npy"})), "--projected-queries requires --projected-keys");
  has(answer(with(all, with(projected, {"--heads", "3"}))), "number of heads 2, but --heads says 3");
  has(answer(with(all, with(projected, {"--head-dim", "3"}))), "head dimension 1, but --head-dim says 3");
  has(answer({"--hidden", "h.npy", "--positions", "first", "--logits", "l.npy"}), "last, all, or positions");
  has(answer({"--hidden", "h.npy", "--positions", "1,0", "--logits", "l.npy"}),
      "the positions do not increase");
  has(answer({"--hidden", "h.npy", "--positions", "last", "--logits", "l.npy"}),
      "logits has shape (4, 2, 2), but [layer] says examples = 2");
  has(answer({"--hidden", "h.npy", "--logits", "l.npy"}), "--hidden requires --positions");
  has(answer({"--logits", "l.npy"}), "there are no contexts");
  has(answer({"--contexts", "c.npy", "--key", "k.npy", "--query", "w.npy"}), "there are no queries");
  has(answer({"--contexts", "c.npy", "--queries", "q.npy", "--logits", "l.npy"}), "excludes");
  has(answer({"--contexts", "c.npy", "--logits", "q.npy"}), "has shape (4, 3), which does not fit --logits");
  place.write("turned.npy", npy({4, 2, 1}, std::vector<double>(8, 1)));
  has(answer({"--contexts", "c.npy", "--logits", "turned.npy"}),
      "turned.npy: has shape (4, 2, 1), which does not fit the other arrays as --logits: it is transposed; "
      "shape (4, 1, 2)");
  place.write("none.npy", npy({0, 1, 2}, {}));
  has(answer({"--contexts", "c.npy", "--logits", "none.npy"}),
      "none.npy: has shape (0, 1, 2) and so no entries, as --logits: (T, H, n); every dimension is at least "
      "1");
  has(answer({"--contexts", "c.npy", "--logits", "l.npy", "--causal"}), "--causal requires --hidden");
  has(answer(with(all, {"--logits", "l.npy", "--mask", "q.npy"})), "has shape (4, 3)");

  const Outcome assumptions =
      place.attest({"assumptions", "--hidden", "h.npy", "--positions", "all", "--causal"});
  CHECK(assumptions.status == 0);
  has(assumptions.out, "general-position: ");
  has(assumptions.out, "note: Assumptions 1 to 3 are about contexts of n tokens");
  has(place.attest({"assumptions", "--hidden", "h.npy", "--positions", "last"}).out, "assumption-2: ");
  has(place.attest({"capacity", "--hidden", "h.npy", "--positions", "all", "--causal", "--heads", "2"}).out,
      "capacity = 4");
}

TEST_CASE("numerical-rank") {
  const Workplace place;
  write_arrays(place);
  place.write("i.npy", npy({2, 2}, {1, 0, 0, 1}));
  place.write("l.npy", npy({2, 1, 2}, {0, -1, -1, 0}));  // Z = [[2/3, 1/3], [1/3, 2/3]] in base 2
  const auto ask = [&](const std::string& tolerance, const std::string& more) {
    const Outcome outcome = place.attest({"numerical-rank", "--contexts", "i.npy", "--logits", "l.npy",
                                          "--base", "2", "--tolerance", tolerance, more});
    return outcome.out + outcome.err;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(ask("0.5", "--heads=1"), "numerical-rank (tolerance = 1/2): verified; numerical rank = 1");
  has(ask("0.5", "--heads=1"), "singular value 1 (from 0) lies in [0.333333");
  has(ask("1e-300", "--heads=1"), "numerical rank = 2");
  has(ask("1", "--heads=1"), "undecided; 0 <= numerical rank <= 1");
  has(ask("0.5", "--json"), "\"singular_values\"");
  has(ask("0", "--heads=1"), "tolerance");
  has(ask("-1", "--heads=1"), "tolerance");
  has(place.attest({"numerical-rank", "--contexts", "i.npy", "--logits", "l.npy"}).err, "--tolerance");
  has(place.attest({"rank", "--contexts", "i.npy", "--logits", "l.npy", "--tolerance", "1"}).err, "--help");
}

TEST_CASE("memorizes, injective, saturation") {
  const Workplace place;
  write_arrays(place);
  place.write("same.npy", npy({4, 3}, {1, 0, 0, 0, 1, 0, 1, 0, 0, 2, -1, 0.1}));  // 0 and 2 are equal
  place.write("fits.npy", npy({4}, {5, 1, 5, 2}));
  place.write("not.npy", npy({4, 2}, {5, 1, 1, 1, 5, 2, 2, 2}));
  place.write("l.npy", npy({4, 2, 2}, {5, 0, 3, 3, 0, 8, 0, 0, 4, 0, 1, 1, 0, 0, 0, 9}));
  const auto answer = [&](std::vector<std::string> options) {
    const std::vector<std::string> weights = {"--contexts", "c.npy", "--key", "k.npy", "--query", "w.npy"};
    options.insert(options.end(), weights.begin(), weights.end());
    const Outcome outcome = place.attest(options);
    return outcome.out + outcome.err;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(answer({"memorizes", "--queries", "same.npy", "--labels", "fits.npy"}), "memorizes: verified");
  has(answer({"memorizes", "--queries", "same.npy", "--labels", "not.npy"}), "memorizes: refuted");
  has(answer({"memorizes", "--queries", "same.npy"}), "rank: refuted; rank(Z) = 3");
  has(answer({"memorizes", "--queries", "same.npy"}), "any labels are fitted exactly when rank(Z) = T");
  has(answer({"memorizes", "--queries", "same.npy", "--labels", "c.npy"}), "as --labels");
  has(answer({"injective", "--queries", "q.npy"}), "injective: verified; different outputs = 4");
  has(answer({"injective", "--queries", "same.npy"}), "injective: refuted; different outputs = 3");
  has(answer({"rank", "--queries", "q.npy", "--labels", "fits.npy"}), "--help");
  const Outcome saturation = place.attest({"saturation", "--contexts", "c.npy", "--logits", "l.npy"});
  CHECK(saturation.status == 0);
  has(saturation.out, "saturation (threshold = 99/100): verified; saturated pairs = 3");
  has(saturation.out, "saturation (threshold = 99/100, head = 0): verified; saturated pairs = 2");
  has(saturation.out, "saturation (threshold = 99/100, head = 1): verified; saturated pairs = 1");
  has(place.attest({"saturation", "--contexts", "c.npy", "--logits", "l.npy", "--threshold", "1/3"}).out,
      "saturated pairs = 8");
  has(place.attest({"saturation", "--contexts", "c.npy", "--logits", "l.npy", "--threshold", "high"}).err,
      "threshold");
}

TEST_CASE("arrays beyond a share of --memory are mapped: the same certificate, and checked from copies") {
  const Workplace place;
  constexpr std::size_t T = 100000;
  std::vector<double> contexts, queries;
  for (std::size_t k = 0; k < 6 * T; ++k) contexts.push_back(static_cast<double>(k * 2654435761u % 4099) / 8);
  // Rows that are of use come last.
  for (std::size_t k = 0; k < 3 * T; ++k) queries.push_back(k < 3 * T - 30 ? 0 : static_cast<double>(k % 7));
  write_arrays(place);
  place.write("c.npy", npy({T, 2, 3}, contexts));
  place.write("q.npy", npy({T, 3}, queries));
  const std::vector<std::string> rank = {"rank",  "--contexts", "c.npy",   "--queries", "q.npy",
                                         "--key", "k.npy",      "--query", "w.npy",     "--out"};
  const auto with = [&](std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.attest(arguments);
  };
  const Outcome read = with(rank, {"read"}), mapped = with(rank, {"mapped", "--memory", "256M"});
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
  CHECK(nowhere.out.find("TMPDIR") != std::string::npos);
}

TEST_CASE("accuracy of a whole layer") {
  const Workplace place;
  const auto has = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  // The scores are the two coefficients, times 2 and 3 with --value, or their difference with --readout.
  place.write("c.npy", npy({2, 2}, {1, 0, 0, 1}));
  place.write("l.npy", npy({4, 1, 2}, {1, 0, 0, 1, 2, 0, 0.125, 0}));
  place.write("q.npy", npy({4, 2}, {0, 0, 0, 0, 0, 0, 1, 0}));
  place.write("k.npy", npy({1, 2, 1}, {0, 0}));
  place.write("classes.npy", npy({4}, {0, 1, 0, 1}));
  place.write("labels.npy", npy({4, 2}, {1, 0, 0, 1, 1, 0, 0, 1}));
  place.write("v.npy", npy({1, 2, 2}, {2, 0, 0, 3}));
  place.write("r.npy", npy({2, 1}, {-1, 1}));
  place.write("w.npy", npy({1, 2}, {-1, 1}));
  place.write("b.npy", npy({1}, {0.5}));
  const auto answer = [&](std::vector<std::string> options) {
    const std::vector<std::string> all = {"accuracy", "--contexts", "c.npy", "--logits", "l.npy"};
    options.insert(options.begin(), all.begin(), all.end());
    const Outcome outcome = place.attest(options);
    return outcome.out + outcome.err;
  };
  has(answer({"--classes", "classes.npy"}), "accuracy: verified; accurate examples = 3");
  has(answer({"--classes", "classes.npy", "--value", "v.npy"}), "accurate examples = 4");
  has(answer({"--labels", "labels.npy", "--epsilon", "0.2"}),
      "accuracy (epsilon = 1/5): verified; accurate examples = 1");
  has(answer({"--classes", "classes.npy", "--readout", "r.npy"}), "accurate examples = 3");
  has(answer({"--classes", "classes.npy", "--readout-linear", "w.npy", "--readout-bias", "b.npy"}),
      "accurate examples = 3");
  has(answer({"--classes", "classes.npy", "--skip-vectors", "q.npy"}), "accurate examples = 3");
  // Equal logits for all, so that the query decides; the first three are ties, which binary numbers show.
  const Outcome tied = place.attest({"accuracy", "--contexts", "c.npy", "--queries", "q.npy", "--key",
                                     "k.npy", "--query", "k.npy", "--classes", "classes.npy", "--skip"});
  CHECK(tied.status == 0);
  has(tied.out, "accuracy: verified; accurate examples = 0");
  const Outcome kept = place.attest({"accuracy", "--contexts", "c.npy", "--logits", "l.npy", "--classes",
                                     "classes.npy", "--readout-linear", "w.npy", "--out", "kept"});
  CHECK(kept.status == 0);
  has(place.read("kept/accuracy.toml"), "readout = { file = \"w.npy\", transpose = true }");
  CHECK(place.attest({"check", "kept/accuracy.json"}).status == 0);
  const Outcome explained = place.attest({"explain", "kept/accuracy.json"});
  has(explained.out, "3 examples are right, by enclosures of the scores");
  // What is missing or does not fit.
  has(answer({}), "nothing says what is right");
  has(answer({"--classes", "classes.npy", "--labels", "labels.npy", "--epsilon", "1"}), "excludes");
  has(answer({"--labels", "labels.npy"}), "requires");
  has(answer({"--labels", "labels.npy", "--epsilon", "1", "--readout", "r.npy"}),
      "has 2 labels for each example, but the layer puts out 1 scores");
  has(answer({"--classes", "classes.npy", "--skip"}), "skip = true adds the queries, and the case has none");
  has(answer({"--classes", "labels.npy"}), "classes has shape (4, 2)");
  has(answer({"--classes", "classes.npy", "--readout", "w.npy"}),
      "readout has shape (1, 2); it must be (m, d_out) = (2, 2)");
  has(answer({"--classes", "classes.npy", "--readout", "r.npy", "--readout-linear", "w.npy"}), "excludes");
}

TEST_CASE("accuracy by small numbers: the checker sees what the prover sees") {
  const Workplace place;
  const auto answer = [&](const std::string& context, const std::string& logits, const std::string& rest,
                          const std::string& found) {
    CAPTURE(context);
    CAPTURE(rest);
    const bool classes = rest.find("classes") != std::string::npos;
    place.write("c.toml",
                "format = 1\n[layer]\nheads = 1\ncontext = 2\nembed_dim = 1\nhead_dim = 1\n"
                "examples = 1\nbase = \"2\"\n[data]\ncontexts = " +
                    context + (classes ? "" : "\nlabels = [0]") + "\n[weights]\nlogits = [[" + logits +
                    "]]\n" + rest);
    const Outcome outcome = place.attest({"verify", "c.toml"});
    CHECK(outcome.out.find(found) != std::string::npos);
    const Outcome checked = place.run("attest-check", {"--ignore-expectations", "certificates/c.json"});
    CHECK(checked.status == 0);
    CHECK(checked.out.find(": valid") != std::string::npos);
  };
  const std::string accuracy = "[[claim]]\nstatement = \"accuracy\"\n";
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
  const Workplace place;
  write_arrays(place);
  place.write("elsewhere/q.npy", place.read("k.npy"));  // the same file name twice
  const Outcome outcome = place.attest({"rank", "--contexts", "c.npy", "--queries", "q.npy", "--key",
                                        "elsewhere/q.npy", "--query", "w.npy", "--out", "kept/here"});
  CHECK(outcome.status == 0);
  CHECK(place.exists("kept/here/rank.toml"));
  CHECK(place.attest({"check", "kept/here/rank.json"}).status == 0);
  CHECK(place.attest({"verify", "kept/here/rank.toml"}).out.find("rank(Z) = 3") != std::string::npos);
  // The originals may change; the copies may not.
  const std::string other = npy({4, 3}, {1, 0, 0, 0, 1, 0, 1, 1, 1, 2, -1, 0.2});
  place.write("q.npy", other);
  CHECK(place.attest({"check", "kept/here/rank.json"}).status == 0);
  place.write("kept/here/q.npy", other);
  CHECK(place.attest({"check", "kept/here/rank.json"}).status == 1);
}

TEST_CASE("--out - prints the case file, which gives the answers again") {
  const Workplace place;
  write_arrays(place);
  const Outcome outcome = place.attest({"rank", "--contexts", "c.npy", "--queries", "q.npy", "--key", "k.npy",
                                        "--query", "w.npy", "--out", "-"});
  CHECK(outcome.status == 0);
  CHECK_FALSE(place.exists("-"));
  CHECK(outcome.out.find("# rank: verified") != std::string::npos);
  place.write("mine.toml", outcome.out);
  CHECK(place.attest({"verify", "mine.toml"}).out.find("rank(Z) = 3") != std::string::npos);
}

// The weights of write_arrays as BERT stores them, with H d_h = 2 rows.
std::string bert_weights() {
  return safetensors({1, 1, 3, 2, -5, 1}, "[2,3]", {1, 2, 3, -1, 0.5, 2}, "[2,3]", "a.query.weight",
                     "a.key.weight");
}

TEST_CASE("weights as a model stores them") {
  const Workplace place;
  write_arrays(place);
  place.write("model.safetensors", bert_weights());
  const std::vector<std::string> question = {
      "rank",     "--contexts", "c.npy",    "--queries", "q.npy", "--weights", "model.safetensors",
      "--layout", "bert",       "--prefix", "a."};
  const auto asked = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = question;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.attest(arguments);
  };
  const std::string note = "note: the logits are multiplied by 1/sqrt(d_h), as in models of layout bert";
  for (const char* const sizes : {"--heads=2", "--head-dim=1"}) {
    const Outcome outcome = asked({sizes});
    CAPTURE(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find("rank(Z) = 3") != std::string::npos);
    CHECK(outcome.out.find(note) != std::string::npos);
  }
  // The scale that is given is not spoken of; the JSON stays JSON.
  CHECK(asked({"--heads=2", "--logit-scale=2"}).out.find("note:") == std::string::npos);
  const Outcome json = asked({"--heads=2", "--json"});
  CHECK(Json::parse(json.out)[0]["rank"]["lower"] == 3);
  CHECK(json.err.find(note) != std::string::npos);

  CHECK(asked({"--heads=2", "--out", "kept"}).status == 0);
  CHECK(place.read("kept/rank.toml").find("logit_scale = \"1/sqrt(d_h)\"") != std::string::npos);
  CHECK(place.attest({"check", "kept/rank.json"}).status == 0);
  const Outcome printed = asked({"--heads=2", "--out", "-"});
  place.write("mine.toml", printed.out);
  CHECK(printed.out.find("# " + note) != std::string::npos);
  CHECK(place.attest({"verify", "mine.toml"}).out.find("rank(Z) = 3") != std::string::npos);

  const auto refused = [&](const Outcome& outcome, const std::string& why) {
    CAPTURE(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find(why) != std::string::npos);
  };
  refused(asked({}), "nothing says how many heads these are; give heads or head_dim");
  refused(asked({"--heads=3"}), "which heads = 3 does not divide");
  refused(asked({"--heads=2", "--head-dim=2"}), "but heads = 2 and head_dim = 2 were given");
  refused(asked({"--key", "k.npy", "--query", "w.npy"}), "--key excludes --weights");
  const auto other = [&](const char* from, const char* to) {
    std::vector<std::string> arguments = question;
    *std::find(arguments.begin(), arguments.end(), from) = to;
    return place.attest(arguments);
  };
  refused(other("bert", "bart"), "unknown layout \"bart\"; did you mean \"bert\"?");
  refused(other("a.", "b."),
          "there is no tensor \"b.query.weight\"; layout \"bert\" fits the file with the prefix \"a.\"");
  refused(other("model.safetensors", "k.npy"), "layouts are read from .npz and .safetensors files");
  refused(other("model.safetensors", "none.npz"), "none.npz");
  refused(
      place.attest({"rank", "--contexts", "c.npy", "--queries", "q.npy", "--weights", "model.safetensors"}),
      "--weights requires --layout");
  refused(place.attest({"rank", "--contexts", "c.npy", "--queries", "q.npy", "--layout", "bert"}),
          "--layout requires --weights");
}

TEST_CASE("a layout that leaves something out says so") {
  const Workplace place;
  write_arrays(place);
  place.write("model.safetensors", safetensors({1, 1, 3, 2, -5, 1}, "[2,3]", {1, 2, 3}, "[1,3]",
                                               "q_proj.weight", "k_proj.weight"));
  const Outcome outcome = place.attest({"rank", "--contexts", "c.npy", "--queries", "q.npy", "--weights",
                                        "model.safetensors", "--layout", "llama", "--heads", "2"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("note: rotary position embeddings") != std::string::npos);
}

TEST_CASE("attest layouts prints the tensors of every layout") {
  const Outcome outcome = Workplace().attest({"layouts"});
  CHECK(outcome.status == 0);
  for (const char* const word : {"heads", "torch", "bert", "gpt2", "llama", "in_proj_weight", "1/sqrt(d_h)"})
    CHECK(outcome.out.find(word) != std::string::npos);
}

TEST_CASE("an option that is wrong is blamed, not the file that was made of it") {
  const Workplace place;
  write_arrays(place);
  const Outcome outcome = place.attest({"rank", "--contexts", "c.npy", "--queries", "q.npy", "--key", "k.npy",
                                        "--query", "w.npy", "--logit-scale", "1/sqrt(dh)"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.err.rfind("attest rank: ", 0) == 0);
  CHECK(outcome.err.find("1/sqrt(dh)") != std::string::npos);
  for (const char* word : {"rank.toml", "line ", "/tmp"}) CHECK(outcome.err.find(word) == std::string::npos);
}

TEST_CASE("rank needs weights, and no option contradicts them") {
  const Workplace place;
  write_arrays(place);
  const std::vector<std::string> data = {"--contexts", "c.npy", "--queries", "q.npy"};
  const auto rank = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"rank"};
    all.insert(all.end(), data.begin(), data.end());
    all.insert(all.end(), more.begin(), more.end());
    return place.attest(all);
  };
  Outcome outcome = rank({"--heads", "2"});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("there are no weights") != std::string::npos);
  outcome = rank({"--key", "k.npy", "--query", "w.npy", "--heads", "7"});
  CHECK(outcome.status == 2);
  check_message(outcome.err, "k.npy");
  CHECK(outcome.err.find("has 2 heads, but --heads says 7") != std::string::npos);
  outcome = rank({"--key", "k.npy", "--query", "w.npy", "--head-dim", "2"});
  CHECK(outcome.status == 2);
  check_message(outcome.err, "k.npy");
  CHECK(rank({"--key", "k.npy", "--query", "w.npy", "--heads", "2", "--head-dim", "1"}).status == 0);
}

TEST_CASE("capacity: the largest rank over all weights") {
  const Workplace place;
  write_arrays(place);
  const Outcome outcome = place.attest({"capacity", "--contexts", "c.npy", "--queries", "q.npy", "--heads",
                                        "2", "--head-dim", "1", "--json", "--out", "kept"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  const Json claims = Json::parse(outcome.out);
  CHECK(claims[0]["capacity"]["lower"] == 3);
  CHECK(claims[0]["capacity"]["upper"] == 3);
  CHECK(claims[1]["bounds"]["any_coefficients"] == 3);
  CHECK(place.attest({"check", "kept/capacity.json"}).status == 0);
  const Outcome none = place.attest({"capacity", "--contexts", "c.npy", "--queries", "q.npy"});
  CHECK(none.status == 2);
  CHECK(none.err.find("--heads") != std::string::npos);
}

TEST_CASE("assumptions: what holds and what fails are both answers") {
  const Workplace place;
  write_arrays(place);
  Outcome outcome =
      place.attest({"assumptions", "--contexts", "c.npy", "--queries", "q.npy", "--heads", "2"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  for (const char* line : {"assumption-1: verified", "assumption-2: verified", "assumption-3: verified",
                           "kruskal-rank: verified", "affine-hull-bound: verified"})
    CHECK(outcome.out.find(line) != std::string::npos);
  place.write("q.npy", npy({4, 3}, {1, 0, 0, 0, 1, 0, 2, 0, 0, 2, -1, 0.1}));
  place.write("c.npy", npy({2, 3}, {1, 2, 3, 2, 4, 6}));
  outcome = place.attest({"assumptions", "--contexts", "c.npy", "--queries", "q.npy"});
  CHECK(outcome.status == 0);
  for (const char* line :
       {"assumption-1: refuted", "assumption-2: refuted", "general-position: refuted", "Kruskal rank = 1"})
    CHECK(outcome.out.find(line) != std::string::npos);
}

TEST_CASE("arrays that do not fit are refused by name") {
  const Workplace place;
  write_arrays(place);
  place.write("flat.npy", npy({6}, {1, 0, 0.5, 0, 1, 0.25}));
  place.write("other.npy", npy({4, 2}, {1, 0, 0, 0, 1, 0, 1, 1}));
  place.write("nan.npy", npy({4, 3}, {1, 0, 0, 0, 1, 0 / 0.0, 1, 1, 1, 2, -1, 0.1}));
  place.write("text.npy", "not an array");
  place.write("short.npy", npy({4, 3}, {1, 0, 0, 0, 1}));
  place.write("heads.npy", npy({3, 3, 1}, {1, 2, 3, -1, 0.5, 2, 1, 1, 1}));
  place.write("fresh.npy", npy({3, 1, 3}, {1, 0, 0, 0, 1, 0, 1, 1, 1}));  // three contexts, four queries
  const std::vector<std::pair<std::string, std::vector<std::string>>> bad = {
      {"flat.npy", {"--contexts", "flat.npy", "--queries", "q.npy"}},
      {"flat.npy", {"--contexts", "c.npy", "--queries", "flat.npy"}},
      {"other.npy", {"--contexts", "c.npy", "--queries", "other.npy"}},
      {"nan.npy", {"--contexts", "c.npy", "--queries", "nan.npy"}},
      {"text.npy", {"--contexts", "text.npy", "--queries", "q.npy"}},
      {"short.npy", {"--contexts", "c.npy", "--queries", "short.npy"}},
      {"missing.npy", {"--contexts", "missing.npy", "--queries", "q.npy"}},
      {"c.npy", {"--contexts", "c.npy", "--queries", "q.npy", "--combined", "c.npy"}},
      {"fresh.npy", {"--contexts", "fresh.npy", "--queries", "q.npy"}},
      {"heads.npy",
       {"--contexts", "c.npy", "--queries", "q.npy", "--key", "k.npy", "--query", "w.npy", "--key-bias",
        "heads.npy"}},
      {"w.npy", {"--contexts", "c.npy", "--queries", "q.npy", "--key", "heads.npy", "--query", "w.npy"}},
      {"heads.npy", {"--contexts", "c.npy", "--queries", "q.npy", "--key", "k.npy", "--query", "heads.npy"}}};
  for (const auto& [name, arguments] : bad) {
    std::vector<std::string> all = {"rank"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    if (std::find(all.begin(), all.end(), "--key") == all.end() &&
        std::find(all.begin(), all.end(), "--combined") == all.end())
      all.insert(all.end(), {"--key", "k.npy", "--query", "w.npy"});
    const Outcome outcome = place.attest(all);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    check_message(outcome.err, name);
    CHECK(outcome.err.find("/../") == std::string::npos);  // a path from a temporary folder
  }
}
