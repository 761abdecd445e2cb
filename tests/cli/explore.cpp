// `attest explore`: grids, resumption, shards, and what hostile files do to it.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "tests/cli/program.hpp"
#include "tests/support/text.hpp"

using namespace attest::test;

namespace {

const std::string kSweep = R"(format = 1
title = "Small & <b>tiny</b>"
[[grid]]
family = ["general-position", "opposite-pairs", "vocabulary", "affine-bag", "moment-curve", "near-duplicate", "one-hot", "translates"]
contexts = ["shared", "fresh"]
context = 2
embed_dim = 2
heads = [1, 2]
head_dim = [1, 2]
examples = 4
base = "e"
seed = 1
)";
constexpr std::size_t kCells = 64;  // each of two cases
const std::string kExplore = "explore s.toml --out o", kLedger = "o/ledger-1-of-1.jsonl";

struct Sweep : Workplace {
  Sweep() { write("s.toml", kSweep); }
};

std::string with(const std::string& what, const std::string& by) {
  return replaced(kSweep, what, by);
}

}  // namespace

TEST_CASE("a sweep: two lines, a row and a cell for each, certificates are those of --cell, and valid") {
  const Sweep place;
  const Outcome run = place.ends(0, kExplore);
  CHECK(run.err.empty());
  has(run.out, "64 cells, 64 run now, 0 of other shards missing, 0 not run\n");
  has(run.out, "atlas.html, atlas.csv, atlas.json and manifest.json are in o\n");
  CHECK(lines(place.read(kLedger)).size() == 2 * kCells + 1);
  CHECK(lines(place.read("o/atlas.csv")).size() == kCells + 1);
  CHECK(place.json("o/atlas.json")["cells"].size() == kCells);
  CHECK(place.json("o/manifest.json")["cells"] == kCells);
  CHECK(place.json("o/manifest.json")["root"] == root(run.out));
  CHECK(!contains(place.read("o/atlas.html"), "<b>tiny"));

  const std::string cell = "one-hot-fresh-n2-d2-H2-k1-T4-e-s1";
  const Outcome one = place.ends(0, "explore s.toml --cell " + cell + " --out c");
  std::size_t found = 0;
  for (const std::string& line : lines(place.read(kLedger)))
    if (contains(line, "\"case\":\"" + cell)) {
      has(one.out, "  sha256 " + Json::parse(line)["sha256"].get<std::string>() + "\n");
      ++found;
    }
  CHECK(found == 2);
  CHECK(place.run("attest-check", {"c/" + cell + "-random.json", "c/" + cell + "-trained.json"}).status == 0);
  place.ends(0, "verify c --out again");

  // Known by hand: opposite queries with two shared tokens (findings, 9): 1 + min(H, N).
  const Json cells = place.json("o/atlas.json")["cells"];
  for (const Json& row : cells)
    if (row[0] == "opposite-pairs" && row[1] == "shared" && row[4] == 2) CHECK(row[9] == 3);
}

TEST_CASE("functional dimensions as a further layer: a third case and line, columns, words on the page") {
  const Workplace place;
  const std::string plain = replaced(with("examples = 4", "examples = 8"), "heads = [1, 2]", "heads = 1"),
                    more = replaced(plain, "[[grid]]", "functional_dimension = true\n[[grid]]");
  place.write("s.toml", plain);
  place.ends(0, kExplore);
  CHECK(!contains(place.read("o/atlas.html"), "The functional dimension is"));
  CHECK(!contains(place.read("o/atlas.json"), "functional_lower"));
  // What is there already is not run again.
  place.write("s.toml", more);
  const Outcome run = place.ends(0, kExplore);
  has(run.out, "32 cells, 32 run now");
  CHECK(root(run.out) == root(place.attest({"explore", "s.toml", "--out", "again", "--jobs", "2"}).out));
  CHECK(lines(place.read("again/ledger-1-of-1.jsonl")).size() == 3 * 32 + 1);
  has(place.read("o/atlas.html"), "an open set of labels, which is not all labels");
  has(lines(place.read("o/atlas.csv"))[0], ",certificates,functional_lower,functional_upper");
  // H = 1, n = d = 2: 2 + 2 and 2 + 2 directions for a shared context, 3 + 2 and 4 + 2 for contexts of their
  // own.
  std::size_t seen = 0;
  const Json all = place.json("o/atlas.json"), &cells = all["cells"];
  for (const Json& row : cells) {
    CHECK(row.size() == all["columns"].size());
    CHECK(row[20] >= row[9]);  // read-outs alone reach the capacity
    if (row[0] != "general-position") continue;
    const int expected = row[1] == "shared" ? 4 : row[5] == 1 ? 5 : 6;
    CHECK(row[20] == expected);
    CHECK(row[21] == expected);
    ++seen;
  }
  CHECK(seen == 4);
  const std::string cell = "general-position-fresh-n2-d2-H1-k2-T8-e-s1";
  place.ends(0, "explore s.toml --cell " + cell + " --out c");
  CHECK(place.run("attest-check", {"c/" + cell + "-any.json"}).status == 0);
  // Without it, lines about it are no part of the sweep.
  place.write("s.toml", plain);
  has(place.line(kExplore).out, "32 cells, 0 run now");
  for (const char* const wrong : {"\"yes\"", "1", "[true]"}) {
    place.write("s.toml", replaced(more, "= true", "= " + std::string(wrong)));
    place.refuses(kExplore, "functional_dimension");
  }
  // A line that leaves it out.
  place.write("s.toml", more);
  place.write(kLedger, replaced(place.read(kLedger), "\"functional_dimension\":", "\"x\":"));
  place.ends(2, kExplore);
}

TEST_CASE("stacks: one case for each, the formula beside the dimension, bad ones refused") {
  const std::string sweep = R"(format = 1
title = "Stacks"
[[stack]]
layers = [1, 2]
residual = [false, true]
context = [2, 3]
embed_dim = 2
heads = 1
head_dim = [1, 3]
sequences = 12
seed = 1
)";
  const Workplace place;
  place.write("s.toml", sweep);
  const Outcome run = place.ends(0, kExplore);
  // A stack of one layer has no residual connections.
  has(run.out, "12 cells, 12 run now, 0 of other shards missing, 0 not run\n");
  CHECK(lines(place.read(kLedger)).size() == 12 + 1);
  const Json all = place.json("o/atlas.json");
  CHECK(all["columns"] ==
        Json::parse(R"(["L", "residual", "n", "d", "H", "d_h", "S", "seed", "functional_lower",
                                          "functional_upper", "formula", "certificates"])"));
  for (const Json& row : all["cells"]) {
    // By hand: 7 and 8 for a layer, 10 and 12 for two, 14 and 16 with residual connections.
    const int small = row[0] == 1      ? 7
                      : row[1] == "no" ? 10
                                       : 14,
              wide = row[0] == 1      ? 8
                     : row[1] == "no" ? 12
                                      : 16;
    for (const std::size_t k : {8, 9, 10}) CHECK(row[k] == (row[5] == 1 ? small : wide));
  }
  has(place.read("o/atlas.html"), "Conjecture 3.10");
  CHECK(!contains(place.read("o/atlas.html"), "trained-like weights reach it"));
  const std::string cell = "stack-residual-L2-n3-d2-H1-k1-S12-s1";
  place.ends(0, "explore s.toml --cell " + cell + " --out c");
  has(place.read("c/" + cell + "-any.toml"), "residual = true");
  CHECK(place.run("attest-check", {"c/" + cell + "-any.json"}).status == 0);
  // Too few sequences: the dimension is that of their outputs, not the formula's.
  place.write("s.toml", replaced(sweep, "sequences = 12", "sequences = 1"));
  place.ends(0, "explore s.toml --out few");
  const Json few = place.json("few/atlas.json");
  for (const Json& row : few["cells"]) CHECK(row[9] <= 2 * row[2].get<int>());
  // Nothing is run again, shards agree, and a line without the dimension is refused.
  place.write("s.toml", sweep);
  has(place.line(kExplore).out, "12 cells, 0 run now");
  place.ends(0, "explore s.toml --out p --shard 1/2");
  CHECK(root(place.attest({"explore", "s.toml", "--out", "p", "--shard", "2/2"}).out) == root(run.out));
  place.write(kLedger, replaced(place.read(kLedger), "\"functional_dimension\":", "\"x\":"));
  place.ends(2, kExplore);
  for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{
           {"layers = [1, 2]", "layers = 5"},
           {"layers = [1, 2]", "layers = 0"},
           {"layers = [1, 2]", ""},
           {"residual = [false, true]", "residual = \"yes\""},
           {"residual = [false, true]", "residual = [true, true]"},
           {"residual = [false, true]", "residual = []"},
           {"residual = [false, true]", ""},
           {"context = [2, 3]", "context = 1"},
           {"context = [2, 3]", "context = 256"},
           {"head_dim = [1, 3]", "head_dim = 0"},
           {"sequences = 12", "examples = 12"},
           {"sequences = 12", "sequences = 0"},
           {"seed = 1", "seed = -1"},
           {"seed = 1", "seed = 1\nbase = \"e\""},
           {"[[stack]]", "[stack]"},
           {"[[stack]]", "functional_dimension = true\n[[stack]]"},
           {"[[stack]]", "[[grid]]\n[[stack]]"},
           {"title = \"Stacks\"", "stack = 1\ntitle = \"Stacks\""}}) {
    CAPTURE(by);
    const std::string wrong = replaced(sweep, what, by);
    place.write("w.toml", by.starts_with("stack = 1") ? wrong.substr(0, wrong.find("[[stack]]")) : wrong);
    place.refuses("explore w.toml --out w", "w.toml");
    CHECK(!place.exists("w"));
  }
}

TEST_CASE("the same command goes on: what is there is not run again, a torn line is dropped") {
  const Sweep place;
  const std::string first = root(place.line(kExplore).out), all = place.read(kLedger);
  for (const std::size_t left : {std::size_t{0}, std::size_t{10}, all.size() / 2, all.size() - 1}) {
    CAPTURE(left);
    place.write(kLedger, all.substr(0, left));
    const Outcome again = place.ends(0, kExplore + " --jobs 2");
    CHECK(root(again.out) == first);
    CHECK(contains(again.err, "was torn") == (left > 0));
    has(again.out, left < 100 ? "64 run now" : left == all.size() - 1 ? " 1 run now" : " run now");
    CHECK(place.read(kLedger).size() == all.size());
  }
  has(place.line(kExplore).out, " 0 run now");
  CHECK(place.read(kLedger).size() == all.size());
  // A larger sweep takes over what is there, and a smaller one.
  place.write("s.toml", with("seed = 1", "seed = [1, 2]"));
  has(place.line(kExplore).out, "128 cells, 64 run now");
  place.write("s.toml", kSweep);
  const Outcome smaller = place.line(kExplore);
  has(smaller.out, "64 cells, 0 run now");
  CHECK(root(smaller.out) == first);
}

TEST_CASE("killed at any time, a sweep loses at most the case in work") {
  const Workplace place;
  place.write("s.toml", with("seed = 1", "seed = [1, 2, 3, 4]"));
  const std::string first = root(place.attest({"explore", "s.toml", "--out", "whole"}).out);
  std::size_t recorded = 0;
  for (int kill = 0; kill < 5; ++kill) {
    const pid_t pid =
        place.start("attest", {"explore", "s.toml", "--out", "o", "--keep", "--shard", "1/1", "--jobs", "1"});
    ::usleep(static_cast<useconds_t>(20000 + 30000 * kill));
    CHECK(kill_alone(pid));
    if (!place.exists(kLedger)) continue;
    // Of every certificate that was made but one there is a line, and lines stay.
    std::size_t made = 0;
    for (const std::string& file : place.files())
      made += file.starts_with("o/cells/") && file.ends_with(".json");
    const std::string text = place.read(kLedger);
    const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    const std::size_t now = ends == 0 ? 0 : ends - 1;
    CHECK(now >= recorded);
    CHECK(now <= made);
    CHECK(made <= now + 1);
    recorded = now;
  }
  const Outcome rest = place.line(kExplore + " --keep");
  // A cell is run when one of its cases is.
  std::size_t cells = 0;
  CHECK(std::sscanf(rest.out.c_str(), "256 cells, %zu run now", &cells) == 1);
  CHECK(2 * cells >= 8 * kCells - recorded);
  CHECK(cells <= 8 * kCells - recorded);
  CHECK(lines(place.read(kLedger)).size() == 8 * kCells + 1);
  CHECK(root(rest.out) == first);
}

TEST_CASE("shards take every case once, in any order, and the root is the same") {
  const Sweep place;
  const std::string first = root(place.attest({"explore", "s.toml", "--out", "whole"}).out);
  std::size_t ran = 0;
  for (const std::string shard : {"2/3", "3/3", "1/3"}) {
    const Outcome run = place.ends(0, kExplore + " --shard " + shard);
    CHECK(root(run.out) == (shard == "1/3" ? first : ""));
    const std::size_t count = lines(place.read("o/ledger-" + shard.substr(0, 1) + "-of-3.jsonl")).size() - 1;
    CHECK(count > kCells / 3);
    ran += count;
  }
  CHECK(ran == 2 * kCells);
  for (const std::string file : {"atlas.csv", "atlas.json", "atlas.html", "manifest.json"})
    CHECK(place.read("o/" + file) == place.read("whole/" + file));
  // Another cut finds everything done.
  has(place.line(kExplore + " --shard 1/2").out, " 0 run now");
  for (const std::string wrong :
       {"0/3", "4/3", "1/0", "/", "1", "a/b", "-1/3", "1/3x", "1/99999999999999999999"}) {
    CAPTURE(wrong);
    place.ends(2, kExplore + " --shard=" + wrong);
  }
}

TEST_CASE("--keep keeps all cases and certificates, which check") {
  const Workplace place;
  place.write("s.toml", with("heads = [1, 2]", "heads = 2"));
  place.ends(0, kExplore);
  has(place.line(kExplore + " --keep").out, " 32 run now");
  place.ends(0, "check o/cells");
  has(place.line(kExplore + " --keep").out, " 0 run now");
}

TEST_CASE("a limit leaves a line that says so, more of it finishes the sweep") {
  const Sweep place;
  const Outcome little = place.ends(3, "explore s.toml --out o --memory 40K");
  has(little.err, "memory");
  CHECK(place.json("o/manifest.json")["cells"].get<std::size_t>() < kCells);
  place.ends(0, kExplore);
  CHECK(place.json("o/manifest.json")["cells"] == kCells);
}

TEST_CASE("bad sweeps: status 2 and one line that says where and what would be right") {
  const Workplace place;
  for (const auto& [what, by] :
       std::vector<std::pair<std::string, std::string>>{{"format = 1", "format = 2"},
                                                        {"format = 1", ""},
                                                        {"heads = [1, 2]", "heads = [1, 1]"},
                                                        {"heads = [1, 2]", "heads = []"},
                                                        {"heads = [1, 2]", "heads = 0"},
                                                        {"heads = [1, 2]", "heads = \"2\""},
                                                        {"heads = [1, 2]", "heads = 1.5"},
                                                        {"heads = [1, 2]", ""},
                                                        {"heads = [1, 2]", "heeds = [1, 2]"},
                                                        {"context = 2", "context = 256"},
                                                        {"context = 2", "context = 99999999999999999999"},
                                                        {"seed = 1", "seed = -1"},
                                                        {"base = \"e\"", "base = \"3\""},
                                                        {"\"one-hot\"", "\"one-hit\""},
                                                        {"\"one-hot\"", "\"trained\""},
                                                        {"[[grid]]", "[grid]"},
                                                        {"title", "trained = \"none.safetensors\"\ntitle"},
                                                        {"title", "trained = \"/dev/zero\"\ntitle"}}) {
    CAPTURE(by);
    place.write("s.toml", with(what, by));
    place.refuses(kExplore, "s.toml");
    CHECK(!place.exists("o"));
  }
  place.write("s.toml", with(
                            "seed = 1", "seed = [" + [] {
                              std::string text = "0";
                              for (int k = 1; k < 1000; ++k) text += ", " + std::to_string(k);
                              return text;
                            }() + "]\n[[grid]]\nfamily = \"one-hot\""));
  place.ends(2, kExplore);
  place.write("s.toml", kSweep);
  const Outcome near = place.ends(2, "explore s.toml --cell one-hot-fresh-n2-d2-H2-k1-T4-e-s2");
  has(near.err, "one-hot-fresh-n2-d2-H2-k1-T4-e-s1");
}

TEST_CASE("ledgers that are not this sweep's, damaged, contradictory, or no file are refused") {
  const Sweep place;
  place.ends(0, kExplore);
  const std::string all = place.read(kLedger);
  const auto line_of = [&](const std::string& which) {
    for (const std::string& line : lines(all))
      if (contains(line, which + ".json\",\"certificate\"")) return line;
    return std::string();
  };
  const std::string random = line_of("-random");
  REQUIRE(!random.empty());
  const auto refused = [&](const std::string& text, const std::string& says,
                           const std::string& file = kLedger) {
    CAPTURE(says);
    place.write(file, text);
    const Outcome run = place.refuses(kExplore, file);
    has(run.err, says);
    CHECK(place.read(file) == text);
  };
  refused(replaced(all, "\"attest\":\"", "\"attest\":\"0."), "is a ledger of attest explore \"0.");
  refused(replaced(all, "\"effort\":\"", "\"effort\":\"trained 00"), "of another trained layer");
  refused(replaced(all, "\"by\":\"explore\"", "\"by\":\"verify\""), "expected \"explore\", found \"verify\"");
  for (const char* line : {"nonsense", "{}", "[]", R"({"case": "x"})", R"({"case": "x", "error": ""})",
                           R"({"case": 1, "error": "e"})", "\xff\xfe"})
    refused(all + line + "\n", "line 130");
  for (const auto& [key, value] : std::vector<std::pair<std::string, Json>>{{"capacity", Json({3, 2})},
                                                                            {"capacity", Json({-1, 2})},
                                                                            {"rank", Json({1})},
                                                                            {"hull", Json("7")}}) {
    Json line = Json::parse(random);
    line["found"][key] = value;
    refused(replaced(all, random, line.dump() + "\n"), "line ");
  }
  for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{
           {"\"found\":{", "\"found\":[1],\"lost\":{"}, {"[\"assumption-1\",\"", "[\"assumption-1\",\"dis"}})
    refused(replaced(all, random, replaced(random, what, by)), "line ");
  // Lines that leave out what the atlas needs.
  for (const char* what : {"\"capacity\":", "\"paper\":"}) {
    place.write(kLedger, replaced(all, random, replaced(random, what, "\"x\":")));
    place.ends(2, kExplore);
  }
  // Another file, or another line, that says something else of the same case.
  const std::string interval = "\"hull\":[" + Json::parse(random)["found"]["hull"][0].dump();
  const std::string other = replaced(random, interval, "\"hull\":[0");
  refused(all + other, "contradicts");
  place.write(kLedger, all);
  const std::string elsewhere = "o/ledger-2-of-1.jsonl";
  refused(replaced(all, random, other), "contradicts", elsewhere);
  const std::string digest = Json::parse(random)["sha256"].get<std::string>();
  refused(replaced(all, digest, std::string(64, '0')), "contradicts", elsewhere);
  REQUIRE(std::filesystem::remove(place.path() / elsewhere));
  // The same line twice is what it is.
  place.write(kLedger, all + random);
  place.ends(0, kExplore);
  // Links and FIFOs are not ledgers; nothing hangs.
  place.write("elsewhere", "precious");
  for (const bool link : {true, false}) {
    std::filesystem::remove(place.path() / kLedger);
    if (link)
      std::filesystem::create_symlink("../elsewhere", place.path() / kLedger);
    else
      REQUIRE(::mkfifo((place.path() / kLedger).c_str(), 0666) == 0);
    place.refuses(kExplore, kLedger);
  }
  CHECK(place.read("elsewhere") == "precious");
}

TEST_CASE("progress only when it is asked for") {
  const Sweep place;
  const Outcome run = place.ends(0, kExplore + " --progress");
  has(run.err, "cases: 128 of 128");
}
