// `attest explore`: grids, resumption, shards, and what hostile files do to it.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "tests/cli/program.hpp"

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
constexpr std::size_t kCells = 64;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::size_t at = 0;
  for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    out.push_back(text.substr(at, end - at));
  return out;
}

// The line of standard output that holds the root.
std::string root_of(const Outcome& run) {
  for (const std::string& line : lines(run.out))
    if (line.starts_with("root ")) return line;
  return "";
}

std::string with(const std::string& what, const std::string& by) {
  std::string text = kSweep;
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("a sweep: one line, row and cell for each, certificates are those of --cell, and valid") {
  const Workplace place;
  place.write("s.toml", kSweep);
  const Outcome run = place.attest({"explore", "s.toml", "--out", "o"});
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  CHECK(lines(place.read("o/results.jsonl")).size() == kCells + 1);
  CHECK(lines(place.read("o/atlas.csv")).size() == kCells + 1);
  CHECK(place.json("o/atlas.json")["cells"].size() == kCells);
  CHECK(place.json("o/manifest.json")["cells"] == kCells);
  CHECK("root " + place.json("o/manifest.json")["root"].get<std::string>() == root_of(run));
  CHECK(place.read("o/atlas.html").find("<b>tiny") == std::string::npos);

  const std::string cell = "one-hot-fresh-n2-d2-H2-k1-T4-e-s1";
  const Outcome one = place.attest({"explore", "s.toml", "--cell", cell, "--out", "c"});
  CHECK(one.status == 0);
  CHECK(place.files().size() > 4);
  for (const std::string& line : lines(place.read("o/results.jsonl"))) {
    const Json json = Json::parse(line);
    if (!json.contains("cell") || json["cell"] != cell) continue;
    for (const Json& digest : json["certificates"])
      CHECK(one.out.find(digest.get<std::string>()) != std::string::npos);
  }
  const Outcome check =
      place.run("attest-check", {"c/" + cell + "-random.json", "c/" + cell + "-trained.json"});
  CHECK(check.status == 0);
  CHECK(place.attest({"verify", "c", "--out", "again"}).status == 0);

  // Known by hand: opposite queries with two shared tokens (findings, 9): 1 + min(H, N).
  const Json cells = place.json("o/atlas.json")["cells"];
  for (const Json& row : cells)
    if (row[0] == "opposite-pairs" && row[1] == "shared" && row[4] == 2) CHECK(row[9] == 3);
}

TEST_CASE("the same command goes on: what is there is not run again, a torn line is dropped") {
  const Workplace place;
  place.write("s.toml", kSweep);
  const std::string root = root_of(place.attest({"explore", "s.toml", "--out", "o"}));
  const std::string all = place.read("o/results.jsonl");
  for (const std::size_t left : {std::size_t{0}, std::size_t{10}, all.size() / 2, all.size() - 1}) {
    CAPTURE(left);
    place.write("o/results.jsonl", all.substr(0, left));
    const Outcome again = place.attest({"explore", "s.toml", "--out", "o", "--jobs", "2"});
    CHECK(again.status == 0);
    CHECK(root_of(again) == root);
    CHECK(again.out.find(left < 100               ? "64 run now"
                         : left == all.size() - 1 ? " 1 run now"
                                                  : " run now") != std::string::npos);
    const std::string now = place.read("o/results.jsonl");
    CHECK(lines(now).size() == kCells + 1);
    CHECK(now.size() == all.size());
  }
  CHECK(place.attest({"explore", "s.toml", "--out", "o"}).out.find(" 0 run now") != std::string::npos);
  // A larger sweep takes over what is there.
  place.write("s.toml", with("seed = 1", "seed = [1, 2]"));
  CHECK(place.attest({"explore", "s.toml", "--out", "o"}).out.find("128 cells, 64 run now") !=
        std::string::npos);
}

TEST_CASE("killed at any time, a sweep loses at most the cell in work") {
  const Workplace place;
  place.write("s.toml", with("seed = 1", "seed = [1, 2, 3, 4]"));
  const std::string root = root_of(place.attest({"explore", "s.toml", "--out", "whole"}));
  std::size_t recorded = 0;
  for (int kill = 0; kill < 5; ++kill) {
    const pid_t pid =
        place.start("attest", {"explore", "s.toml", "--out", "o", "--keep", "--shard", "1/1", "--jobs", "1"});
    ::usleep(static_cast<useconds_t>(20000 + 30000 * kill));
    CHECK(kill_alone(pid));
    if (!place.exists("o/results.jsonl")) continue;
    // Of every cell whose certificates were made but one there is a line, and lines stay.
    std::size_t made = 0;
    for (const std::string& file : place.files())
      made += file.starts_with("o/cells/") && file.ends_with("-trained.json");
    const std::size_t found = lines(place.read("o/results.jsonl")).size();
    const std::size_t now = found == 0 ? 0 : found - 1;
    CHECK(now >= recorded);
    CHECK(now <= made);
    CHECK(made <= now + 1);
    recorded = now;
  }
  const Outcome rest = place.attest({"explore", "s.toml", "--out", "o", "--keep"});
  CHECK(rest.out.find(" " + std::to_string(4 * kCells - recorded) + " run now") != std::string::npos);
  CHECK(root_of(rest) == root);
}

TEST_CASE("shards take every cell once, in any order, and the root is the same") {
  const Workplace place;
  place.write("s.toml", kSweep);
  const std::string root = root_of(place.attest({"explore", "s.toml", "--out", "whole"}));
  std::size_t ran = 0;
  for (const char* shard : {"2/3", "3/3", "1/3"}) {
    const Outcome run = place.attest({"explore", "s.toml", "--out", "o", "--shard", shard});
    CHECK(run.status == 0);
    CHECK(root_of(run) == (std::string(shard) == "1/3" ? root : ""));
    const std::string file = std::string("o/results-") + shard[0] + "-of-3.jsonl";
    const std::size_t count = lines(place.read(file)).size() - 1;
    CHECK(count > kCells / 6);
    ran += count;
  }
  CHECK(ran == kCells);
  for (const char* file : {"atlas.csv", "atlas.json", "atlas.html", "manifest.json"})
    CHECK(place.read(std::string("o/") + file) == place.read(std::string("whole/") + file));
  for (const char* wrong : {"0/3", "4/3", "1/0", "/", "1", "a/b", "-1/3", "1/3x", "1/99999999999999999999"}) {
    CAPTURE(wrong);
    const Outcome refused =
        place.attest({"explore", "s.toml", "--out", "o", "--shard=" + std::string(wrong)});
    CHECK(refused.status == 2);
  }
}

TEST_CASE("--keep keeps all cases and certificates, which check") {
  const Workplace place;
  place.write("s.toml", with("heads = [1, 2]", "heads = 2"));
  CHECK(place.attest({"explore", "s.toml", "--out", "o", "--keep"}).status == 0);
  CHECK(place.attest({"check", "o/cells"}).status == 0);
  CHECK(place.attest({"explore", "s.toml", "--out", "o", "--keep"}).out.find(" 0 run now") !=
        std::string::npos);
}

TEST_CASE("a limit leaves a line that says so, more of it finishes the sweep") {
  const Workplace place;
  place.write("s.toml", kSweep);
  const Outcome little = place.attest({"explore", "s.toml", "--out", "o", "--memory", "40K"});
  CHECK(little.status == 3);
  CHECK(little.err.find("memory") != std::string::npos);
  CHECK(place.json("o/manifest.json")["cells"].get<std::size_t>() < kCells);
  const Outcome enough = place.attest({"explore", "s.toml", "--out", "o"});
  CHECK(enough.status == 0);
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
    const Outcome run = place.attest({"explore", "s.toml", "--out", "o"});
    CHECK(run.status == 2);
    check_message(run.err, "s.toml");
    CHECK(!place.exists("o"));
  }
  place.write("s.toml", with(
                            "seed = 1", "seed = [" + [] {
                              std::string text = "0";
                              for (int k = 1; k < 1000; ++k) text += ", " + std::to_string(k);
                              return text;
                            }() + "]\n[[grid]]\nfamily = \"one-hot\""));
  CHECK(place.attest({"explore", "s.toml", "--out", "o"}).status == 2);
  place.write("s.toml", kSweep);
  const Outcome near = place.attest({"explore", "s.toml", "--cell", "one-hot-fresh-n2-d2-H2-k1-T4-e-s2"});
  CHECK(near.status == 2);
  CHECK(near.err.find("one-hot-fresh-n2-d2-H2-k1-T4-e-s1") != std::string::npos);
}

TEST_CASE("results that are not this sweep's, damaged, contradictory, or no file are refused") {
  const Workplace place;
  place.write("s.toml", kSweep);
  REQUIRE(place.attest({"explore", "s.toml", "--out", "o"}).status == 0);
  const std::string all = place.read("o/results.jsonl");
  const std::vector<std::string> each = lines(all);
  const auto refused = [&](const std::string& file) {
    const Outcome run = place.attest({"explore", "s.toml", "--out", "o"});
    CHECK(run.status == 2);
    check_message(run.err, file);
  };
  place.write("o/results.jsonl", "{\"format\":\"attest-explore/1\",\"attest\":\"0.0.1\",\"trained\":null}\n");
  refused("o/results.jsonl");
  for (const std::string line : {"nonsense", "{}", "[]", R"({"cell": "x"})", R"({"cell": "x", "error": ""})",
                                 R"({"cell": 1, "error": "e"})", "\xff\xfe"}) {
    CAPTURE(line);
    place.write("o/results.jsonl", each[0] + "\n" + line + "\n" + each[1] + "\n");
    refused("o/results.jsonl");
  }
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, Json>>{{"capacity", Json({3, 2})},
                                                 {"capacity", Json({-1, 2})},
                                                 {"random", Json({1})},
                                                 {"hull", Json("7")},
                                                 {"assumption-1", Json("proved")},
                                                 {"certificates", Json({"00", "11"})},
                                                 {"certificates", Json(3)}}) {
    CAPTURE(key);
    Json line = Json::parse(each[1]);
    line[key] = value;
    place.write("o/results.jsonl", each[0] + "\n" + line.dump() + "\n");
    refused("o/results.jsonl");
  }
  // Another file, or another line, that says something else of the same cell.
  place.write("o/results.jsonl", all);
  Json other = Json::parse(each[1]);
  other["certificates"][0] = std::string(64, '0');
  place.write("o/results-1-of-2.jsonl", each[0] + "\n" + other.dump() + "\n");
  refused("o/results-1-of-2.jsonl");
  REQUIRE(std::filesystem::remove(place.path() / "o/results-1-of-2.jsonl"));
  place.write("o/results.jsonl", all + other.dump() + "\n");
  refused("o/results.jsonl");
  // The same line twice is what it is.
  place.write("o/results.jsonl", all + each[1] + "\n");
  CHECK(place.attest({"explore", "s.toml", "--out", "o"}).status == 0);
  // Links, FIFOs and devices are not results; nothing hangs.
  place.write("elsewhere", "precious");
  for (const bool link : {true, false}) {
    std::filesystem::remove(place.path() / "o/results.jsonl");
    if (link)
      std::filesystem::create_symlink("../elsewhere", place.path() / "o/results.jsonl");
    else
      REQUIRE(::mkfifo((place.path() / "o/results.jsonl").c_str(), 0666) == 0);
    refused("o/results.jsonl");
  }
  CHECK(place.read("elsewhere") == "precious");
}

TEST_CASE("progress only when it is asked for") {
  const Workplace place;
  place.write("s.toml", kSweep);
  const Outcome run = place.attest({"explore", "s.toml", "--out", "o", "--progress"});
  CHECK(run.status == 0);
  CHECK(run.err.find("64 of 64 cells, 0 min 0 s left\n") != std::string::npos);
}
