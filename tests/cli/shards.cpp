// verify --shard, check --shard and merge: the same root however the work was cut, killed and begun again;
// and every ledger that does not belong is refused.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "farm/merkle.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/arrays.hpp"
#include "tests/support/text.hpp"

using namespace attest::test;

namespace {

constexpr int kCases = 12;

void write_cases(const Workplace& place, const std::string& folder = "cases") {
  for (int k = 0; k < kCases; ++k)
    place.write(folder + "/" + std::to_string(k) + ".toml", R"(format = 1
title = "Generated"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 1
examples = 3
[data]
generate = { kind = "integers", bound = 9, seed = )" + std::to_string(k) +
                                                                R"( }
[weights]
generate = { kind = "integers", bound = 3, seed = 1 }
)" + claim("rank") + claim("proposition-5", "expect = \"inapplicable\"") +
                                                                claim("rank", "at_most = 9"));
}

Outcome shard(const Workplace& place, const std::string& which, const std::string& out,
              const std::vector<std::string>& more = {}, const std::string& cases = "cases") {
  std::vector<std::string> arguments = {"verify", cases, "--shard", which, "--out", out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return place.attest(arguments);
}

}  // namespace

TEST_CASE("Merkle roots are those of RFC 6962") {
  // The leaves and roots of the test vectors of Certificate Transparency.
  const std::vector<std::string> data = {"",
                                         std::string("\x00", 1),
                                         "\x10",
                                         "\x20\x21",
                                         "\x30\x31",
                                         "\x40\x41\x42\x43",
                                         "\x50\x51\x52\x53\x54\x55\x56\x57",
                                         "\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f"};
  const std::vector<std::string> roots = {"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                                          "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                                          "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
                                          "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
                                          "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
                                          "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
                                          "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
                                          "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
                                          "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};
  std::vector<std::string> leaves;
  CHECK(attest::merkle_root(leaves) == roots[0]);
  for (std::size_t k = 0; k < data.size(); ++k) {
    leaves.push_back(attest::merkle_leaf(data[k]));
    CHECK(attest::merkle_root(leaves) == roots[k + 1]);
  }
  // An inner node is no leaf: the tree of two does not pass for one of their concatenation.
  CHECK(attest::merkle_leaf(leaves[0] + leaves[1]) != attest::merkle_root({leaves[0], leaves[1]}));
}

TEST_CASE("the same root and manifest for every number of shards, order, and by the checker") {
  const Workplace place;
  write_cases(place);
  CHECK(shard(place, "1/1", "one").status == 0);
  const Outcome one = place.attest({"merge", "one/ledger-1-of-1.jsonl"});
  CAPTURE(one.err);
  CHECK(one.status == 0);
  CHECK(root(one.out).size() == 64);
  CHECK(contains(
      one.out,
      "1 ledger, 12 cases: 24 verified, 0 refuted, 12 inapplicable, 0 undecided; 0 not as expected"));
  for (const char* which : {"3/3", "1/3", "2/3"})
    CHECK(shard(place, which, "three", {"--jobs", "3"}).status == 0);
  const Outcome three = place.attest({"merge", "three/ledger-2-of-3.jsonl", "three/ledger-3-of-3.jsonl",
                                      "three/ledger-1-of-3.jsonl", "--out", "m"});
  CHECK(root(three.out) == root(one.out));
  CHECK(place.read("m") == place.read("one/manifest.jsonl"));
  for (int k = 0; k < kCases; ++k) {
    const std::string name = "/" + std::to_string(k) + ".json";
    CHECK(place.read("one" + name) == place.read("three" + name));
  }
  // More shards than cases: some are empty.
  std::vector<std::string> many = {"merge"};
  for (int k = 1; k <= 20; ++k) {
    CHECK(shard(place, std::to_string(k) + "/20", "many").status == 0);
    many.push_back("many/ledger-" + std::to_string(k) + "-of-20.jsonl");
  }
  CHECK(root(place.attest(many).out) == root(one.out));
  // The checker's word on the certificates, in another cut.
  for (const char* which : {"1/2", "2/2"})
    CHECK(place.attest({"check", "three", "--shard", which, "--out", "checked"}).status == 0);
  CHECK(root(place.attest({"merge", "checked/ledger-1-of-2.jsonl", "checked/ledger-2-of-2.jsonl"}).out) ==
        root(one.out));
  CHECK(place.read("checked/manifest.jsonl") == place.read("one/manifest.jsonl"));
  // From another folder, with other paths.
  CHECK(place.shell("cd cases && attest verify . --shard 1/1 --out ../away/deep").status == 0);
  CHECK(root(place.attest({"merge", "away/deep/ledger-1-of-1.jsonl"}).out) == root(one.out));
}

TEST_CASE("a shard goes on where it was, and what has not changed is not run again") {
  const Workplace place;
  write_cases(place);
  const std::string ledger = "out/ledger-1-of-1.jsonl";
  Outcome outcome = shard(place, "1/1", "out");
  CHECK(contains(outcome.out, "12 cases, 0 unchanged"));
  const std::string whole = place.read(ledger);
  const std::string first = root(place.attest({"merge", ledger}).out);
  outcome = shard(place, "1/1", "out");
  CHECK(contains(outcome.out, "12 cases, 12 unchanged; 24 verified"));
  CHECK(place.read(ledger) == whole);  // nothing to add
  CHECK(contains(shard(place, "1/1", "out", {"--force"}).out, "12 cases, 0 unchanged"));
  CHECK(root(place.attest({"merge", ledger}).out) == first);

  // Killed after five cases and in the middle of a line, with the certificate of the next case left behind.
  const std::vector<std::string> all = lines(whole);
  REQUIRE(all.size() == kCases + 1);
  std::string torn;
  for (int k = 0; k <= 5; ++k) torn += all[static_cast<std::size_t>(k)];
  for (const std::string& rest :
       {all[6].substr(0, 1), all[6].substr(0, 40), all[6].substr(0, all[6].size() - 1),
        std::string(300, '\0'), std::string("{\"format\":")}) {
    place.write(ledger, torn + rest);
    outcome = place.attest({"merge", ledger});
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.err, "have not been run"));
    outcome = shard(place, "1/1", "out");
    CHECK(contains(outcome.out, "12 cases, 5 unchanged"));
    CHECK(contains(outcome.err,
                   ledger + ": the last line, of " + std::to_string(rest.size()) + " bytes, was torn"));
    CHECK(shard(place, "1/1", "out").err.empty());  // said once
    CHECK(root(place.attest({"merge", ledger}).out) == first);
    CHECK(lines(place.read(ledger)).size() == kCases + 1);
  }
  // Even the first line may be torn.
  place.write(ledger, all[0].substr(0, 50));
  CHECK(contains(shard(place, "1/1", "out").out, "12 cases, 0 unchanged"));
  CHECK(root(place.attest({"merge", ledger}).out) == first);
}

TEST_CASE("what has changed is run again") {
  const Workplace place;
  write_cases(place);
  const std::string ledger = "out/ledger-1-of-1.jsonl";
  CHECK(shard(place, "1/1", "out").status == 0);
  const std::string first = root(place.attest({"merge", ledger}).out), whole = place.read(ledger);
  const auto unchanged = [&](int count, const std::vector<std::string>& more = {}) {
    const Outcome outcome = shard(place, "1/1", "out", more);
    CAPTURE(outcome.out);
    CHECK(contains(outcome.out, ", " + std::to_string(count) + " unchanged"));
    return outcome.status;
  };
  // A certificate: merging notices, the shard makes it anew.
  const std::string certificate = place.read("out/3.json");
  place.write("out/3.json", certificate + " ");
  CHECK(place.attest({"merge", ledger}).status == 2);
  CHECK(contains(place.attest({"merge", ledger}).err, "out/3.json"));
  unchanged(kCases - 1);
  CHECK(place.read("out/3.json") == certificate);
  CHECK(root(place.attest({"merge", ledger}).out) == first);
  std::filesystem::remove(place.path() / "out/4.json");
  CHECK(place.attest({"merge", ledger}).status == 2);
  unchanged(kCases - 1);
  // The version that wrote the ledger.
  place.write(ledger, replaced(whole, "\"attest\":\"", "\"attest\":\"0."));
  unchanged(0);
  // The contents of a case, its expectation, its title.
  const std::string text = place.read("cases/5.toml");
  place.write("cases/5.toml", replaced(text, "seed = 5", "seed = 55"));
  unchanged(kCases - 1);
  const Outcome merged = place.attest({"merge", ledger});
  CHECK(merged.status == 0);
  CHECK(root(merged.out).size() == 64);
  CHECK(root(merged.out) != first);
  place.write("cases/5.toml", replaced(text, "Generated", "Another title"));
  unchanged(kCases - 1);  // the contents are another's than the last
  CHECK(unchanged(kCases) == 0);
  place.write("cases/5.toml", replaced(text, "\"inapplicable\"", "\"refuted\""));
  CHECK(unchanged(kCases) == 1);
  CHECK(place.attest({"merge", ledger}).status == 1);
  CHECK(root(place.attest({"merge", ledger}).out) == first);  // what is proved is the same
  place.write("cases/5.toml", text);
  CHECK(unchanged(kCases) == 0);
  CHECK(place.attest({"merge", ledger}).status == 0);
  // A case more, and one less.
  place.write("cases/x.toml", place.read("cases/1.toml"));
  unchanged(kCases);
  std::filesystem::remove(place.path() / "cases/x.toml");
  unchanged(kCases);
  CHECK(root(place.attest({"merge", ledger}).out) == first);
  // Options that can change proofs.
  unchanged(0, {"--readout-limit", "100"});
  unchanged(kCases, {"--readout-limit", "100", "--timeout", "60"});
}

TEST_CASE("a limit takes one case, and not the others, what it has stopped is tried again with another") {
  const Workplace place;
  write_cases(place);
  place.write("cases/7hard.toml", hard_case());
  const std::string ledger = "out/ledger-1-of-1.jsonl";
  Outcome outcome = shard(place, "1/1", "out", {"--jobs", "1", "--timeout", "3"});
  CAPTURE(outcome.out);
  CHECK(outcome.status == 3);
  CHECK(contains(outcome.out, "24 verified, 0 refuted, 12 inapplicable, 1 undecided"));
  CHECK(contains(shard(place, "1/1", "out", {"--jobs", "1", "--timeout", "3"}).out, "13 unchanged"));
  CHECK(contains(shard(place, "1/1", "out", {"--jobs", "1", "--timeout", "2"}).out, "12 unchanged"));
  outcome = place.attest({"merge", ledger});
  CHECK(outcome.status == 3);
  CHECK(contains(outcome.out, "1 undecided; 1 not as expected"));

  // What no memory limit leaves room for is refused before it is read.
  place.write("cases/7hard.toml", R"(format = 1
title = "Large"
[layer]
heads = 100
context = 8
embed_dim = 100
head_dim = 8
examples = 20000
[data]
generate = { kind = "uniform-f64", seed = 1 }
[weights]
generate = { kind = "uniform-f64", seed = 1 }
)" + claim("rank"));
  outcome = shard(place, "1/1", "out", {"--jobs", "1", "--memory", "400M"});
  CHECK(outcome.status == 3);
  CHECK(contains(outcome.err, "7hard.toml"));
  CHECK(contains(outcome.out, "12 unchanged"));
  CHECK(contains(outcome.out, "1 not run"));
  outcome = place.attest({"merge", ledger});
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.err, "7hard"));
}

TEST_CASE("cases share a process, what exceeds a limit in it does not show in the others' results") {
  const Workplace place;
  for (int k = 0; k < 9; ++k)
    place.write("cases/" + std::to_string(k) + ".toml",
                quick_case(claim("assumption-2") + (k == 4 ? claim("rank") : "")));
  // The linear algebra of a rank needs more than this.
  const std::vector<std::string> little = {"--jobs", "1", "--memory", "80M"};
  Outcome outcome = shard(place, "1/1", "out", little);
  CAPTURE(outcome.out);
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(outcome.status == 3);
  CHECK(contains(outcome.out, "9 verified, 0 refuted, 0 inapplicable, 1 undecided; 1 not as expected"));
  CHECK(contains(outcome.out, "memory"));
#endif
  // With work of which one case needs too much, all certificates are those of a process of their own.
  for (const char* work : {"1k", "10k", "100k"}) {
    outcome = place.attest({"verify", "cases", "--jobs", "1", "--work", work, "--out", "together"});
    for (int k = 0; k < 9; ++k) {
      const std::string name = std::to_string(k);
      (void)place.attest({"verify", "cases/" + name + ".toml", "--work", work, "--out", "alone"});
      REQUIRE(place.exists("together/" + name + ".json") == place.exists("alone/" + name + ".json"));
      if (place.exists("alone/" + name + ".json"))
        CHECK(place.read("together/" + name + ".json") == place.read("alone/" + name + ".json"));
    }
  }
}

TEST_CASE("shards that are none, and options that do not go together") {
  const Workplace place;
  write_cases(place);
  for (const char* which :
       {"0/3", "4/3", "3", "a/b", "1/0", "-1/3", "+1/3", "1/3/4", " 1/3", "1/3 ", "1/1000001", "", "/", "1/",
        "/1", "0x1/3", "1.0/3", "18446744073709551617/18446744073709551617"}) {
    CAPTURE(which);
    const Outcome outcome = shard(place, which, "out");
    CHECK(outcome.status == (std::string(which).empty() ? outcome.status : 2));
    if (std::string(which).empty()) continue;
    CHECK(contains(outcome.err, "is not a shard"));
    CHECK(place.attest({"check", "cases", "--shard", which, "--out", "out"}).status == 2);
  }
  CHECK_FALSE(place.exists("out/ledger-0-of-3.jsonl"));
  CHECK(shard(place, "1/1", "out", {"--json", "x"}).status == 2);
  CHECK(shard(place, "1/1", "out", {"--junit", "x"}).status == 2);
  CHECK(shard(place, "1/1", "out", {"--report", "x"}).status == 2);
  CHECK(place.attest({"verify", "cases", "--force"}).status == 2);
  CHECK(place.attest({"check", "cases", "--shard", "1/1"}).status == 2);
  CHECK(place.attest({"merge"}).status == 2);
  CHECK(shard(place, "1/1", "/dev/null/out").status == 2);
  // A folder that cannot be searched would have an unknown number of cases.
  CHECK(shard(place, "1/1", "out", {}, "nowhere-cases").status == 2);
}

TEST_CASE("a ledger that is a link, no file, in use, or another command's") {
  const Workplace place;
  write_cases(place);
  CHECK(shard(place, "1/1", "good").status == 0);
  const std::string name = "/ledger-1-of-1.jsonl", good = place.read("good" + name);
  for (const char* folder : {"link", "dangling", "fifo", "folder", "device"})
    std::filesystem::create_directory(place.path() / folder);
  place.write("target", "precious\n");
  std::filesystem::create_symlink(place.path() / "target", place.path().string() + "/link" + name);
  std::filesystem::create_symlink(place.path() / "none", place.path().string() + "/dangling" + name);
  std::filesystem::create_symlink("/dev/full", place.path().string() + "/device" + name);
  std::filesystem::create_directory(place.path().string() + "/folder" + name);
  REQUIRE(::mkfifo((place.path().string() + "/fifo" + name).c_str(), 0600) == 0);
  for (const std::string folder : {"link", "dangling", "fifo", "folder", "device"}) {
    CAPTURE(folder);
    for (const Outcome& outcome : {shard(place, "1/1", folder), place.attest({"merge", folder + name})}) {
      CHECK(outcome.status == 2);
      check_message(outcome.err, folder + name);
    }
  }
  CHECK(place.read("target") == "precious\n");
  CHECK_FALSE(place.exists("none"));

  const int held = ::open((place.path().string() + "/good" + name).c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(held >= 0);
  REQUIRE(::flock(held, LOCK_EX) == 0);
  for (const Outcome& outcome : {shard(place, "1/1", "good"), place.attest({"merge", "good" + name})}) {
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.err, "is in use by another process"));
    check_message(outcome.err, "good" + name);
  }
  ::close(held);
  CHECK(place.read("good" + name) == good);
  CHECK(shard(place, "1/1", "good").status == 0);

  Outcome outcome = place.attest({"check", "good", "--shard", "1/1", "--out", "good"});
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.err, "is a ledger of attest verify"));
  CHECK(place.read("good" + name) == good);
}

TEST_CASE("forged and damaged lines") {
  const Workplace place;
  write_cases(place);
  for (const char* which : {"1/2", "2/2"}) CHECK(shard(place, which, "out").status == 0);
  const std::string a = "out/ledger-1-of-2.jsonl", b = "out/ledger-2-of-2.jsonl";
  const std::string good = place.read(a), others = lines(place.read(b))[1];
  const std::vector<std::string> all = lines(good);
  REQUIRE(all.size() > 3);
  CHECK(place.attest({"merge", a, b}).status == 0);
  const auto field = [&](const std::string& key) {
    const std::size_t at = all[1].find("\"" + key + "\":\"") + key.size() + 4;
    return all[1].substr(at, 64);
  };
  const auto forged = [&](const std::string& what, const std::string& with) {
    return all[0] + replaced(all[1], what, with) + good.substr(all[0].size() + all[1].size());
  };
  const std::string zeros(64, '0');
  struct Forgery {
    std::string text, says;
    bool well_formed;  // the shard's own command runs the case again
  };
  for (const Forgery& forgery : std::vector<Forgery>{
           {forged(field("sha256"), zeros), "its bytes have changed", true},
           {forged(field("digest"), zeros), "other contents", true},
           {forged(field("proof"), zeros), "another proof", true},
           {forged("[\"rank\",\"verified\"]", "[\"capacity\",\"verified\"]"), "other claims", false},
           {forged("[\"rank\",\"verified\"],", ""), "other claims", false},
           {forged("\"verified\"", "\"proved\""), "a verdict", false},
           {forged("\"verified\"", "\"refuted (hypotheses undecided)\""), "a verdict", false},
           {forged("\"rank\"", "\"rank\\u001b[2J\""), "a statement", false},
           {forged("\"expected\":true", "\"expected\":1"), "true or false", false},
           {forged("\"expected\":true,", ""), "the key \"expected\"", false},
           {forged("\"expected\":true", "\"expected\":true,\"more\":1"), "only known keys", false},
           {forged("\"expected\":true", "\"expected\":true,\"expected\":true"), "duplicate key", false},
           {forged("\"seconds\":\"", "\"seconds\":\"-"), "seconds", false},
           {forged("\"seconds\":\"", "\"seconds\":\"nan"), "seconds", false},
           {forged(field("digest"), zeros.substr(1)), "64 lower-case", false},
           {forged(field("digest"), std::string(64, 'A')), "64 lower-case", false},
           {all[0] + "\n" + good.substr(all[0].size()), "line 2", false},
           {all[0] + std::string("\0\n", 2) + good.substr(all[0].size()), "line 2", false},
           {all[0] + others + good.substr(all[0].size()), "not among the cases of this shard", false},
           {good.substr(all[0].size()), "before the line that says which shard", false},
           {replaced(good, "[1,2]", "[3,2]"), "1 <= i <= N", false},
           {replaced(good, "\"attest-ledger/1\"", "\"attest-ledger/9\""), "attest-ledger/1", false},
           {good + replaced(all[1], "\"verified\"", "\"refuted\""), "contradicts", false},
           {good + replaced(all[0], "[1,2]", "[1,1]"), "", false},
       }) {
    place.write(a, forgery.text);
    CAPTURE(forgery.says);
    const Outcome outcome = place.attest({"merge", a, b});
    CAPTURE(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, forgery.says));
    CHECK(contains(outcome.err, "; "));
    CHECK(outcome.err.find('\x1b') == std::string::npos);
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    const Outcome again = shard(place, "1/2", "out");
    CHECK(again.status == (forgery.well_formed ? 0 : 2));
    if (forgery.well_formed) CHECK(place.attest({"merge", a, b}).status == 0);
  }
  // A forged name of the certificate: another file is not the one of the line.
  place.write(a, replaced(good, "\"certificate\":\"", "\"certificate\":\"../../../etc/"));
  CHECK(place.attest({"merge", a, b}).status == 2);
}

TEST_CASE("shards that do not belong together") {
  const Workplace place;
  write_cases(place);
  for (const char* which : {"1/3", "2/3", "3/3"}) CHECK(shard(place, which, "out").status == 0);
  for (const char* which : {"1/2", "2/2"}) CHECK(shard(place, which, "out").status == 0);
  const std::string l = "out/ledger-";
  const auto refused = [&](const std::vector<std::string>& ledgers, const std::string& says) {
    std::vector<std::string> arguments = {"merge", "--out", "m"};
    arguments.insert(arguments.end(), ledgers.begin(), ledgers.end());
    const Outcome outcome = place.attest(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.err, says));
    CHECK_FALSE(place.exists("m"));
  };
  refused({l + "1-of-3.jsonl", l + "3-of-3.jsonl"}, "of 3 shards 2 is missing");
  refused({l + "2-of-3.jsonl"}, "of 3 shards 1 and 3 are missing");
  refused({l + "1-of-3.jsonl", l + "2-of-3.jsonl", l + "3-of-3.jsonl", l + "2-of-3.jsonl"},
          "is of shard 2, as");
  refused({l + "1-of-3.jsonl", l + "2-of-2.jsonl"}, "is one of 2 shards, but");
  refused({l + "4-of-3.jsonl"}, "cannot be opened");
  place.write("nothing", "");
  refused({"nothing"}, "says nothing");
  // A copy under another name, and one that claims to be the missing shard.
  std::filesystem::copy_file(place.path() / (l + "1-of-3.jsonl"), place.path() / "out/copy.jsonl");
  refused({l + "1-of-3.jsonl", "out/copy.jsonl", l + "3-of-3.jsonl"}, "is of shard 1, as");
  place.write("out/copy.jsonl", replaced(place.read(l + "1-of-3.jsonl"), "[1,3]", "[2,3]"));
  refused({l + "1-of-3.jsonl", "out/copy.jsonl", l + "3-of-3.jsonl"}, "which is in shard 1");
  // An empty one in its place: the names no longer are the set.
  std::string empty = lines(place.read(l + "1-of-3.jsonl"))[0];
  empty = empty.substr(0, empty.find("\"names\":[")) + "\"names\":[]}\n";
  place.write("out/copy.jsonl", replaced(empty, "[1,3]", "[2,3]"));
  refused({l + "1-of-3.jsonl", "out/copy.jsonl", l + "3-of-3.jsonl"}, "are not the 12");
  // Verified and checked ones, and the ledgers of other cases.
  CHECK(place.attest({"check", "out", "--shard", "2/2", "--out", "checked"}).status == 0);
  refused({l + "1-of-2.jsonl", "checked/ledger-2-of-2.jsonl"}, "is a ledger of attest check, but");
  place.write("cases/x.toml", place.read("cases/1.toml"));
  CHECK(shard(place, "2/2", "out").status == 0);
  refused({l + "1-of-2.jsonl", l + "2-of-2.jsonl"}, "is about another set of cases");
  CHECK(shard(place, "1/2", "out").status == 0);
  CHECK(place.attest({"merge", l + "1-of-2.jsonl", l + "2-of-2.jsonl", "--out", "m"}).status == 0);
}

TEST_CASE("contradictory verdicts for the same contents in different shards") {
  const Workplace place;
  // Copies under many names: some are in either shard.
  for (int k = 0; k < 8; ++k)
    place.write("cases/" + std::to_string(k) + ".toml", quick_case(claim("rank", "at_most = 9")));
  for (const char* which : {"1/2", "2/2"}) CHECK(shard(place, which, "out").status == 0);
  const std::string a = "out/ledger-1-of-2.jsonl", b = "out/ledger-2-of-2.jsonl";
  CHECK(place.attest({"merge", a, b}).status == 0);
  std::string text = place.read(a);
  REQUIRE(contains(text, "\"verified\""));
  for (std::size_t at; (at = text.find("\"verified\"")) != std::string::npos;)
    text.replace(at, 10, "\"refuted\"");
  place.write(a, text);
  const Outcome outcome = place.attest({"merge", a, b});
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.err, "contradicts"));
  // Checking says which is right.
  for (const char* which : {"1/2", "2/2"})
    CHECK(place.attest({"check", "out", "--shard", which, "--out", "checked"}).status == 0);
  CHECK(contains(place.attest({"merge", "checked/ledger-1-of-2.jsonl", "checked/ledger-2-of-2.jsonl"}).out,
                 "8 verified, 0 refuted"));
}

TEST_CASE("control characters in titles and names stay out of terminals and do not break lines") {
  const Workplace place;
  const std::string name = "cases/a\n{\"format\":\x1b[2J\u202e.toml";
  place.write(name, replaced(quick_case(claim("rank", "value = 2")), "Three examples", "\\u202eroot 0000"));
  place.write("cases/b\xff.toml", quick_case(claim("rank")));
  Outcome outcome = shard(place, "1/1", "out");
  CHECK(outcome.status == 2);             // a name that is not UTF-8 has no certificate
  CHECK(lines(outcome.out).size() == 3);  // a case, its claim, the totals
  CHECK(lines(outcome.err).size() == 1);
  for (const std::string& text : {outcome.out, outcome.err}) {
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find("\u202e") == std::string::npos);
  }
  CHECK(lines(place.read("out/ledger-1-of-1.jsonl")).size() == 3);
  outcome = place.attest({"merge", "out/ledger-1-of-1.jsonl"});
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.err, "failed"));
  CHECK(outcome.err.find('\x1b') == std::string::npos);
  std::filesystem::remove(place.path() / "cases/b\xff.toml");
  CHECK(shard(place, "1/1", "out").status == 1);
  outcome = place.attest({"merge", "out/ledger-1-of-1.jsonl"});
  CHECK(outcome.status == 1);
  CHECK(root(outcome.out).size() == 64);
  CHECK(outcome.out.find('\x1b') == std::string::npos);
  CHECK(lines(place.read("out/manifest.jsonl")).size() == 2);
  outcome = place.attest({"check", "out", "--shard", "1/1", "--out", "checked"});
  CHECK(outcome.status == 1);
  CHECK(outcome.out.find('\x1b') == std::string::npos);
}

TEST_CASE("checking in shards: rejected certificates, changed cases") {
  const Workplace place;
  write_cases(place);
  CHECK(shard(place, "1/1", "out").status == 0);
  const auto check = [&](const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"check", "out", "--shard", "1/1", "--out", "checked"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.attest(arguments);
  };
  CHECK(contains(check().out, "12 cases, 0 unchanged; 24 verified"));
  CHECK(contains(check().out, "12 cases, 12 unchanged; 24 verified"));
  CHECK(contains(check({"--force"}).out, "12 cases, 0 unchanged; 24 verified"));
  const std::string first = root(place.attest({"merge", "checked/ledger-1-of-1.jsonl"}).out);
  const std::string text = place.read("cases/5.toml"), certificate = place.read("out/5.json");
  place.write("cases/5.toml", replaced(text, "seed = 5", "seed = 55"));
  Outcome outcome = check();
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.err, "rejected"));
  CHECK(contains(outcome.out, "11 unchanged"));
  outcome = place.attest({"merge", "checked/ledger-1-of-1.jsonl"});
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.err, "rejected"));
  place.write("cases/5.toml", text);
  place.write("out/5.json", replaced(certificate, "rank(Z(given)) >= ", "rank(Z(given)) >= 1"));
  CHECK(check().status == 1);
  place.write("out/5.json", "{}");
  CHECK(check().status == 2);
  CHECK(contains(check().err, "bad input"));
  place.write("out/5.json", certificate);
  CHECK(check().status == 0);
  CHECK(root(place.attest({"merge", "checked/ledger-1-of-1.jsonl"}).out) == first);
  // A limit is no verdict, and takes nobody else's.
  outcome = check({"--force", "--work", "10"});
  CHECK(outcome.status == 3);
  CHECK(contains(outcome.out, "12 not run"));
  CHECK(check({"--jobs", "1"}).status == 0);
  CHECK(root(place.attest({"merge", "checked/ledger-1-of-1.jsonl"}).out) == first);
}

TEST_CASE("killed at any time, a shard loses at most the case in work") {
  const Workplace place;
  for (int k = 0; k < 400; ++k)
    place.write("cases/" + std::to_string(k) + ".toml",
                replaced(quick_case(claim("rank") + claim("proposition-1")), "seed = 1",
                         "seed = " + std::to_string(k)));
  CHECK(shard(place, "1/1", "whole").status == 0);
  const std::string ledger = "out/ledger-1-of-1.jsonl";
  for (int kill = 0; kill < 6; ++kill) {
    const pid_t pid =
        place.start("attest", {"verify", "cases", "--shard", "1/1", "--jobs", "1", "--out", "out"});
    ::usleep(static_cast<useconds_t>(30000 + 25000 * kill));
    CHECK(kill_alone(pid));
    // Of every certificate that was made but one there is a line.
    if (!place.exists(ledger)) continue;
    std::size_t certificates = 0;
    for (const std::string& file : place.files())
      certificates += file.starts_with("out/") && file.ends_with(".json");
    const std::string text = place.read(ledger);
    const auto recorded = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    CHECK(recorded <= certificates + 1);
    CHECK(certificates <= (recorded == 0 ? 0 : recorded - 1) + 1);
  }
  CHECK(shard(place, "1/1", "out").status == 0);
  CHECK(root(place.attest({"merge", ledger}).out) ==
        root(place.attest({"merge", "whole/ledger-1-of-1.jsonl"}).out));
  CHECK(place.read("out/manifest.jsonl") == place.read("whole/manifest.jsonl"));
}

TEST_CASE("the rank by blocks of rows: the certificate of one process") {
  const Workplace place;
  const auto mixed = [](std::size_t k) { return static_cast<int>((k * 2654435761u >> 7) % 19) - 9; };
  // 40 examples of which every fifth is that before it again.
  const auto query = [&](std::size_t k) { return mixed(1000 + k - (k / 4 % 5 == 4 ? 4 : 0)); };
  const auto npy = [](const std::vector<std::size_t>& shape, const auto& entry) {
    std::vector<std::int64_t> values(
        std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = entry(k);
    return npy_of(shape, values);
  };
  place.write("c.npy", npy({3, 4}, mixed));
  place.write("q.npy", npy({40, 4}, query));
  place.write("k.npy", npy({5, 4, 2}, [&](std::size_t k) { return mixed(5000 + k); }));
  place.write("w.npy", npy({5, 4, 2}, [&](std::size_t k) { return mixed(9000 + k); }));
  const std::vector<std::string> arrays = {"rank",  "--contexts", "c.npy",   "--queries", "q.npy",
                                           "--key", "k.npy",      "--query", "w.npy"};
  const auto rank = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = arrays;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.attest(arguments);
  };
  const Outcome one = rank({"--out", "one"});
  CAPTURE(one.out);
  CAPTURE(one.err);
  REQUIRE(one.status == 0);
  const auto block = [&](const std::string& rows, const std::string& file) {
    return rank({"--rows", rows, "--basis", file});
  };
  CHECK(contains(block("20:40", "c").out, "a basis of the rows 20:40 of Z: "));
  CHECK(block("0:7", "a").status == 0);
  CHECK(block("7:20", "b").status == 0);
  const Outcome combined = rank({"--combine", "c", "a", "b", "--out", "two"});
  CAPTURE(combined.err);
  CHECK(combined.status == 0);
  CHECK(place.read("two/rank.json") == place.read("one/rank.json"));
  CHECK(place.attest({"check", "two/rank.json"}).status == 0);
  CHECK(block("0:40", "all").status == 0);
  CHECK(rank({"--combine", "all", "--out", "three"}).status == 0);
  CHECK(place.read("three/rank.json") == place.read("one/rank.json"));

  // Wrong blocks.
  for (const char* rows : {"5:5", "7:3", "-1:4", "0:41", "40:41", "a:b", "3", "0:", ":3", "0:3:4", " 0:3"}) {
    CAPTURE(rows);
    const Outcome outcome = block(rows, "wrong");
    CHECK(outcome.status == 2);
    check_message(outcome.err, "--rows");
  }
  CHECK_FALSE(place.exists("wrong"));
  CHECK(rank({"--rows", "0:3"}).status == 2);
  CHECK(rank({"--basis", "x"}).status == 2);
  CHECK(rank({"--rows", "0:3", "--basis", "x", "--combine", "a"}).status == 2);
  std::vector<std::string> other = arrays;  // other questions have no use for blocks
  other[0] = "saturation";
  CHECK(place.attest(other).status == 0);
  other.insert(other.end(), {"--rows", "0:3", "--basis", "x"});
  CHECK(place.attest(other).status == 2);
  const auto refused = [&](const std::vector<std::string>& files, const std::string& says) {
    std::vector<std::string> more = {"--out", "refused", "--combine"};
    more.insert(more.end(), files.begin(), files.end());
    const Outcome outcome = rank(more);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.err, says));
    CHECK_FALSE(place.exists("refused/rank.json"));
  };
  refused({"a", "c"}, "the examples 7:20 are in no block");
  refused({"a", "b"}, "the examples 20:40 are in no block");
  refused({"b", "c"}, "the examples 0:7 are in no block");
  refused({"a", "b", "c", "b"}, "overlaps another one");
  refused({"all", "a"}, "overlaps another one");
  refused({"a", "b", "none"}, "none");

  // Forged files: refused, or nothing but a smaller bound.
  const std::string good = place.read("b");
  const auto forged = [&](const std::string& text, const std::string& says) {
    place.write("f", text);
    refused({"a", "f", "c"}, says);
  };
  forged(replaced(good, "\"digest\":\"", "\"digest\":\"0"), "is about other data");
  forged(replaced(good, "attest-basis/1", "attest-basis/2"), "attest-basis/1");
  forged(replaced(good, "[7,20]", "[7,2000]"), "goes beyond the 40 examples");
  forged(replaced(good, "[7,20]", "[20,7]"), "a < b");
  forged(replaced(good, "\"basis\":[", "\"basis\":[6,"), "increasing examples of the block 7:20");
  forged(replaced(good, "\"basis\":[", "\"basis\":[19,"), "increasing examples");
  forged(replaced(good, "\"basis\":[", "\"basis\":[-1,"), "an integer");
  forged(replaced(good, "\"basis\"", "\"bases\""), "the key \"basis\"");
  forged(replaced(good, "{", "{\"more\":1,"), "only known keys");
  forged(good.substr(0, good.size() / 2), "at line 1");
  forged("", "at line 1");
  forged(std::string(64, '['), "deeper");
  for (const char* file : {"a", "b", "c"}) {
    const std::string text = place.read(file);
    place.write(std::string(file) + "0", text.substr(0, text.find("\"basis\":[") + 9) + "]}\n");
  }
  const Outcome smaller = rank({"--combine", "a", "b0", "c0", "--out", "smaller"});
  CHECK((smaller.status == 3 || smaller.status == 0));  // undecided, or found by another way
  CHECK(place.attest({"check", "--ignore-expectations", "smaller/rank.json"}).status == 0);
  CHECK(rank({"--combine", "a0", "b0", "c0", "--out", "nothing"}).status == 3);
  CHECK(place.attest({"check", "--ignore-expectations", "nothing/rank.json"}).status == 0);
  // Other arrays of the same shapes.
  place.write("q.npy", npy({40, 4}, [&](std::size_t k) { return query(k) + (k == 150); }));
  refused({"a", "b", "c"}, "is about other data");
}
