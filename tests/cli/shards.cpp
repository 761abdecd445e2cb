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

struct Generated : Workplace {
  Generated() {
    for (int k = 0; k < kCases; ++k)
      write("cases/" + std::to_string(k) + ".toml",
            "title = 'Generated'\n" + sized_layer(2, 2, 2, 1, 3) +
                "[data]\ngenerate = { kind = 'integers', bound = 9, seed = " + std::to_string(k) +
                " }\n[weights]\ngenerate = { kind = 'integers', bound = 3, seed = 1 }\n" + claim("rank") +
                claim("proposition-5", "expect = \"inapplicable\"") + claim("rank", "at_most = 9"));
  }
};

std::string shard(const std::string& which, const std::string& out, const std::string& more = "") {
  return "verify cases --shard " + which + " --out " + out + " " + more;
}

// The root of these ledgers.
std::string merged_root(const Workplace& place, const std::string& ledgers) {
  return root(place.line("merge " + ledgers).out);
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
  const Generated place;
  place.ends(0, shard("1/1", "one"));
  const Outcome one = place.ends(0, "merge one/ledger-1-of-1.jsonl");
  CHECK(root(one.out).size() == 64);
  has(one.out, "1 ledger, 12 cases: 24 verified, 0 refuted, 12 inapplicable, 0 undecided; 0 not as expected");
  for (const std::string which : {"3/3", "1/3", "2/3"}) place.ends(0, shard(which, "three", "--jobs 3"));
  const Outcome three = place.attest({"merge", "three/ledger-2-of-3.jsonl", "three/ledger-3-of-3.jsonl",
                                      "three/ledger-1-of-3.jsonl", "--out", "m"});
  CHECK(root(three.out) == root(one.out));
  CHECK(place.read("m") == place.read("one/manifest.jsonl"));
  for (int k = 0; k < kCases; ++k) {
    const std::string name = "/" + std::to_string(k) + ".json";
    CHECK(place.read("one" + name) == place.read("three" + name));
  }
  // More shards than cases: some are empty.
  std::string many;
  for (int k = 1; k <= 20; ++k) {
    place.ends(0, shard(std::to_string(k) + "/20", "many"));
    many += " many/ledger-" + std::to_string(k) + "-of-20.jsonl";
  }
  CHECK(merged_root(place, many) == root(one.out));
  // The checker's word on the certificates, in another cut.
  for (const std::string which : {"1/2", "2/2"})
    place.ends(0, "check three --shard " + which + " --out checked");
  CHECK(merged_root(place, "checked/ledger-1-of-2.jsonl checked/ledger-2-of-2.jsonl") == root(one.out));
  CHECK(place.read("checked/manifest.jsonl") == place.read("one/manifest.jsonl"));
  // From another folder, with other paths.
  CHECK(place.shell("cd cases && attest verify . --shard 1/1 --out ../away/deep").status == 0);
  CHECK(merged_root(place, "away/deep/ledger-1-of-1.jsonl") == root(one.out));
}

TEST_CASE("a shard goes on where it was, and what has not changed is not run again") {
  const Generated place;
  const std::string ledger = "out/ledger-1-of-1.jsonl";
  Outcome outcome = place.line(shard("1/1", "out"));
  has(outcome.out, "12 cases, 0 unchanged");
  const std::string whole = place.read(ledger);
  const std::string first = merged_root(place, ledger);
  outcome = place.line(shard("1/1", "out"));
  has(outcome.out, "12 cases, 12 unchanged; 24 verified");
  CHECK(place.read(ledger) == whole);  // nothing to add
  has(place.line(shard("1/1", "out", "--force")).out, "12 cases, 0 unchanged");
  CHECK(merged_root(place, ledger) == first);

  // Killed after five cases and in the middle of a line, with the certificate of the next case left behind.
  const std::vector<std::string> all = lines(whole);
  REQUIRE(all.size() == kCases + 1);
  std::string torn;
  for (int k = 0; k <= 5; ++k) torn += all[static_cast<std::size_t>(k)];
  for (const std::string& rest :
       {all[6].substr(0, 1), all[6].substr(0, 40), all[6].substr(0, all[6].size() - 1),
        std::string(300, '\0'), std::string("{\"format\":")}) {
    place.write(ledger, torn + rest);
    outcome = place.ends(2, "merge " + ledger);
    has(outcome.err, "have not been run");
    outcome = place.line(shard("1/1", "out"));
    has(outcome.out, "12 cases, 5 unchanged");
    has(outcome.err, ledger + ": the last line, of " + std::to_string(rest.size()) + " bytes, was torn");
    CHECK(place.line(shard("1/1", "out")).err.empty());  // said once
    CHECK(merged_root(place, ledger) == first);
    CHECK(lines(place.read(ledger)).size() == kCases + 1);
  }
  // Even the first line may be torn.
  place.write(ledger, all[0].substr(0, 50));
  has(place.line(shard("1/1", "out")).out, "12 cases, 0 unchanged");
  CHECK(merged_root(place, ledger) == first);
}

TEST_CASE("what has changed is run again") {
  const Generated place;
  const std::string ledger = "out/ledger-1-of-1.jsonl";
  place.ends(0, shard("1/1", "out"));
  const std::string first = merged_root(place, ledger), whole = place.read(ledger);
  const auto unchanged = [&](int count, const std::string& more = "") {
    const Outcome outcome = place.line(shard("1/1", "out", more));
    CAPTURE(outcome.out);
    has(outcome.out, ", " + std::to_string(count) + " unchanged");
    return outcome.status;
  };
  // A certificate: merging notices, the shard makes it anew.
  const std::string certificate = place.read("out/3.json");
  place.write("out/3.json", certificate + " ");
  has(place.ends(2, "merge " + ledger).err, "out/3.json");
  unchanged(kCases - 1);
  CHECK(place.read("out/3.json") == certificate);
  CHECK(merged_root(place, ledger) == first);
  std::filesystem::remove(place.path() / "out/4.json");
  place.ends(2, "merge " + ledger);
  unchanged(kCases - 1);
  // The version that wrote the ledger.
  place.write(ledger, replaced(whole, "\"attest\":\"", "\"attest\":\"0."));
  unchanged(0);
  // The contents of a case, its expectation, its title.
  const std::string text = place.read("cases/5.toml");
  place.write("cases/5.toml", replaced(text, "seed = 5", "seed = 55"));
  unchanged(kCases - 1);
  const Outcome merged = place.ends(0, "merge " + ledger);
  CHECK(root(merged.out).size() == 64);
  CHECK(root(merged.out) != first);
  place.write("cases/5.toml", replaced(text, "Generated", "Another title"));
  unchanged(kCases - 1);  // the contents are another's than the last
  CHECK(unchanged(kCases) == 0);
  place.write("cases/5.toml", replaced(text, "\"inapplicable\"", "\"refuted\""));
  CHECK(unchanged(kCases) == 1);
  place.ends(1, "merge " + ledger);
  CHECK(merged_root(place, ledger) == first);  // what is proved is the same
  place.write("cases/5.toml", text);
  CHECK(unchanged(kCases) == 0);
  place.ends(0, "merge " + ledger);
  // A case more, and one less.
  place.write("cases/x.toml", place.read("cases/1.toml"));
  unchanged(kCases);
  std::filesystem::remove(place.path() / "cases/x.toml");
  unchanged(kCases);
  CHECK(merged_root(place, ledger) == first);
  // Options that can change proofs.
  unchanged(0, "--readout-limit 100");
  unchanged(kCases, "--readout-limit 100 --timeout 60");
}

TEST_CASE("a limit takes one case, and not the others, what it has stopped is tried again with another") {
  const Generated place;
  place.write("cases/7hard.toml", hard_case());
  const std::string ledger = "out/ledger-1-of-1.jsonl";
  Outcome outcome = place.ends(3, shard("1/1", "out", "--jobs 1 --timeout 3"));
  has(outcome.out, "24 verified, 0 refuted, 12 inapplicable, 1 undecided");
  has(place.line(shard("1/1", "out", "--jobs 1 --timeout 3")).out, "13 unchanged");
  has(place.line(shard("1/1", "out", "--jobs 1 --timeout 2")).out, "12 unchanged");
  outcome = place.ends(3, "merge " + ledger);
  has(outcome.out, "1 undecided; 1 not as expected");

  // What no memory limit leaves room for is refused before it is read.
  place.write("cases/7hard.toml", sized_layer(100, 8, 100, 8, 20000) + R"([data]
generate = { kind = "uniform-f64", seed = 1 }
[weights]
generate = { kind = "uniform-f64", seed = 1 }
)" + claim("rank"));
  outcome = place.ends(3, shard("1/1", "out", "--jobs 1 --memory 400M"));
  has(outcome.err, "7hard.toml");
  has(outcome.out, "12 unchanged");
  has(outcome.out, "1 not run");
  outcome = place.ends(2, "merge " + ledger);
  has(outcome.err, "7hard");
}

TEST_CASE("cases share a process, what exceeds a limit in it does not show in the others' results") {
  const Workplace place;
  for (int k = 0; k < 9; ++k)
    place.write("cases/" + std::to_string(k) + ".toml",
                quick_case(claim("assumption-2") + (k == 4 ? claim("rank") : "")));
    // The linear algebra of a rank needs more than this.
#if !defined(__SANITIZE_ADDRESS__)
  const Outcome outcome = place.ends(3, shard("1/1", "out", "--jobs 1 --memory 80M"));
  has(outcome.out, "9 verified, 0 refuted, 0 inapplicable, 1 undecided; 1 not as expected");
  has(outcome.out, "memory");
#endif
  // With work of which one case needs too much, all certificates are those of a process of their own.
  for (const std::string work : {"1k", "10k", "100k"}) {
    place.line("verify cases --jobs 1 --out together --work " + work);
    for (int k = 0; k < 9; ++k) {
      const std::string name = std::to_string(k);
      place.line("verify cases/" + name + ".toml --out alone --work " + work);
      REQUIRE(place.exists("together/" + name + ".json") == place.exists("alone/" + name + ".json"));
      if (place.exists("alone/" + name + ".json"))
        CHECK(place.read("together/" + name + ".json") == place.read("alone/" + name + ".json"));
    }
  }
}

TEST_CASE("shards that are none, and options that do not go together") {
  const Generated place;
  for (const std::string which :
       {"0/3", "4/3", "3", "a/b", "1/0", "-1/3", "+1/3", "1/3/4", " 1/3", "1/3 ", "1/1000001", "/", "1/",
        "/1", "0x1/3", "1.0/3", "18446744073709551617/18446744073709551617"}) {
    CAPTURE(which);
    const Outcome outcome = place.attest({"verify", "cases", "--shard", which, "--out", "out"});
    CHECK(outcome.status == 2);
    has(outcome.err, "is not a shard");
    CHECK(place.attest({"check", "cases", "--shard", which, "--out", "out"}).status == 2);
  }
  CHECK_FALSE(place.exists("out/ledger-0-of-3.jsonl"));
  place.ends(2, shard("1/1", "out", "--json x"));
  place.ends(2, shard("1/1", "out", "--junit x"));
  place.ends(2, shard("1/1", "out", "--report x"));
  place.ends(2, "verify cases --force");
  place.ends(2, "check cases --shard 1/1");
  place.ends(2, "merge");
  place.ends(2, shard("1/1", "/dev/null/out"));
  // A folder that cannot be searched would have an unknown number of cases.
  place.ends(2, "verify nowhere-cases --shard 1/1 --out out");
}

TEST_CASE("a ledger that is a link, no file, in use, or another command's") {
  const Generated place;
  place.ends(0, shard("1/1", "good"));
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
    for (const std::string& command : {shard("1/1", folder), "merge " + folder + name})
      place.refuses(command, folder + name);
  }
  CHECK(place.read("target") == "precious\n");
  CHECK_FALSE(place.exists("none"));

  const int held = ::open((place.path().string() + "/good" + name).c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(held >= 0);
  REQUIRE(::flock(held, LOCK_EX) == 0);
  for (const std::string& command : {shard("1/1", "good"), "merge good" + name})
    has(place.refuses(command, "good" + name).err, "is in use by another process");
  ::close(held);
  CHECK(place.read("good" + name) == good);
  place.ends(0, shard("1/1", "good"));

  Outcome outcome = place.ends(2, "check good --shard 1/1 --out good");
  has(outcome.err, "is a ledger of attest verify");
  CHECK(place.read("good" + name) == good);
}

TEST_CASE("forged and damaged lines") {
  const Generated place;
  for (const std::string which : {"1/2", "2/2"}) place.ends(0, shard(which, "out"));
  const std::string a = "out/ledger-1-of-2.jsonl", b = "out/ledger-2-of-2.jsonl";
  const std::string good = place.read(a), others = lines(place.read(b))[1];
  const std::vector<std::string> all = lines(good);
  REQUIRE(all.size() > 3);
  place.ends(0, "merge " + a + " " + b);
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
    const Outcome outcome = place.ends(2, "merge " + a + " " + b);
    CHECK(outcome.out.empty());
    has(outcome.err, forgery.says);
    has(outcome.err, "; ");
    CHECK(!contains(outcome.err, "\x1b"));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    const Outcome again = place.line(shard("1/2", "out"));
    CHECK(again.status == (forgery.well_formed ? 0 : 2));
    if (forgery.well_formed) place.ends(0, "merge " + a + " " + b);
  }
  // A forged name of the certificate: another file is not the one of the line.
  place.write(a, replaced(good, "\"certificate\":\"", "\"certificate\":\"../../../etc/"));
  place.ends(2, "merge " + a + " " + b);
}

TEST_CASE("shards that do not belong together") {
  const Generated place;
  for (const std::string which : {"1/3", "2/3", "3/3"}) place.ends(0, shard(which, "out"));
  for (const std::string which : {"1/2", "2/2"}) place.ends(0, shard(which, "out"));
  const std::string l = "out/ledger-";
  const auto refused = [&](const std::vector<std::string>& ledgers, const std::string& says) {
    std::string arguments = "merge --out m";
    for (const std::string& ledger : ledgers) arguments += " " + ledger;
    has(place.ends(2, arguments).err, says);
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
  place.ends(0, "check out --shard 2/2 --out checked");
  refused({l + "1-of-2.jsonl", "checked/ledger-2-of-2.jsonl"}, "is a ledger of attest check, but");
  place.write("cases/x.toml", place.read("cases/1.toml"));
  place.ends(0, shard("2/2", "out"));
  refused({l + "1-of-2.jsonl", l + "2-of-2.jsonl"}, "is about another set of cases");
  place.ends(0, shard("1/2", "out"));
  place.ends(0, "merge " + l + "1-of-2.jsonl " + l + "2-of-2.jsonl --out m");
}

TEST_CASE("contradictory verdicts for the same contents in different shards") {
  const Workplace place;
  // Copies under many names: some are in either shard.
  for (int k = 0; k < 8; ++k)
    place.write("cases/" + std::to_string(k) + ".toml", quick_case(claim("rank", "at_most = 9")));
  for (const std::string which : {"1/2", "2/2"}) place.ends(0, shard(which, "out"));
  const std::string a = "out/ledger-1-of-2.jsonl", b = "out/ledger-2-of-2.jsonl";
  place.ends(0, "merge " + a + " " + b);
  std::string text = place.read(a);
  REQUIRE(contains(text, "\"verified\""));
  for (std::size_t at; (at = text.find("\"verified\"")) != std::string::npos;)
    text.replace(at, 10, "\"refuted\"");
  place.write(a, text);
  const Outcome outcome = place.ends(2, "merge " + a + " " + b);
  has(outcome.err, "contradicts");
  // Checking says which is right.
  for (const std::string which : {"1/2", "2/2"})
    place.ends(0, "check out --shard " + which + " --out checked");
  has(place.attest({"merge", "checked/ledger-1-of-2.jsonl", "checked/ledger-2-of-2.jsonl"}).out,
      "8 verified, 0 refuted");
}

TEST_CASE("control characters in titles and names stay out of terminals and do not break lines") {
  const Workplace place;
  const std::string name = "cases/a\n{\"format\":\x1b[2J\u202e.toml";
  place.write(name, replaced(quick_case(claim("rank", "value = 2")), "Three examples", "\\u202eroot 0000"));
  place.write("cases/b\xff.toml", quick_case(claim("rank")));
  Outcome outcome = place.ends(2, shard("1/1", "out"));  // a name that is not UTF-8 has no certificate
  CHECK(lines(outcome.out).size() == 3);                 // a case, its claim, the totals
  CHECK(lines(outcome.err).size() == 1);
  for (const std::string& text : {outcome.out, outcome.err}) {
    CHECK(!contains(text, "\x1b"));
    CHECK(!contains(text, "\u202e"));
  }
  CHECK(lines(place.read("out/ledger-1-of-1.jsonl")).size() == 3);
  outcome = place.ends(2, "merge out/ledger-1-of-1.jsonl");
  has(outcome.err, "failed");
  CHECK(!contains(outcome.err, "\x1b"));
  std::filesystem::remove(place.path() / "cases/b\xff.toml");
  place.ends(1, shard("1/1", "out"));
  outcome = place.ends(1, "merge out/ledger-1-of-1.jsonl");
  CHECK(root(outcome.out).size() == 64);
  CHECK(!contains(outcome.out, "\x1b"));
  CHECK(lines(place.read("out/manifest.jsonl")).size() == 2);
  outcome = place.ends(1, "check out --shard 1/1 --out checked");
  CHECK(!contains(outcome.out, "\x1b"));
}

TEST_CASE("checking in shards: rejected certificates, changed cases") {
  const Generated place;
  place.ends(0, shard("1/1", "out"));
  const auto check = [&](int status, const std::string& more = "") {
    return place.ends(status, "check out --shard 1/1 --out checked " + more);
  };
  has(check(0).out, "12 cases, 0 unchanged; 24 verified");
  has(check(0).out, "12 cases, 12 unchanged; 24 verified");
  has(check(0, "--force").out, "12 cases, 0 unchanged; 24 verified");
  const std::string first = merged_root(place, "checked/ledger-1-of-1.jsonl");
  const std::string text = place.read("cases/5.toml"), certificate = place.read("out/5.json");
  place.write("cases/5.toml", replaced(text, "seed = 5", "seed = 55"));
  Outcome outcome = check(1);
  has(outcome.err, "rejected");
  has(outcome.out, "11 unchanged");
  outcome = place.ends(2, "merge checked/ledger-1-of-1.jsonl");
  has(outcome.err, "rejected");
  place.write("cases/5.toml", text);
  place.write("out/5.json", replaced(certificate, "rank(Z(given)) >= ", "rank(Z(given)) >= 1"));
  check(1);
  place.write("out/5.json", "{}");
  has(check(2).err, "bad input");
  place.write("out/5.json", certificate);
  check(0);
  CHECK(merged_root(place, "checked/ledger-1-of-1.jsonl") == first);
  // A limit is no verdict, and takes nobody else's.
  has(check(3, "--force --work 10").out, "12 not run");
  check(0, "--jobs 1");
  CHECK(merged_root(place, "checked/ledger-1-of-1.jsonl") == first);
}

TEST_CASE("killed at any time, a shard loses at most the case in work") {
  const Workplace place;
  for (int k = 0; k < 400; ++k)
    place.write("cases/" + std::to_string(k) + ".toml",
                replaced(quick_case(claim("rank") + claim("proposition-1")), "seed = 1",
                         "seed = " + std::to_string(k)));
  place.ends(0, shard("1/1", "whole"));
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
  place.ends(0, shard("1/1", "out"));
  CHECK(merged_root(place, ledger) == merged_root(place, "whole/ledger-1-of-1.jsonl"));
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
  const std::string arrays = " --contexts c.npy --queries q.npy --key k.npy --query w.npy ";
  const auto rank = [&](int status, const std::string& more) {
    return place.ends(status, "rank" + arrays + more);
  };
  rank(0, "--out one");
  has(rank(0, "--rows 20:40 --basis c").out, "a basis of the rows 20:40 of Z: ");
  rank(0, "--rows 0:7 --basis a");
  rank(0, "--rows 7:20 --basis b");
  rank(0, "--combine c a b --out two");
  CHECK(place.read("two/rank.json") == place.read("one/rank.json"));
  place.ends(0, "check two/rank.json");
  rank(0, "--rows 0:40 --basis all");
  rank(0, "--combine all --out three");
  CHECK(place.read("three/rank.json") == place.read("one/rank.json"));

  // Wrong blocks.
  for (const std::string rows :
       {"5:5", "7:3", "-1:4", "0:41", "40:41", "a:b", "3", "0:", ":3", "0:3:4", " 0:3"}) {
    CAPTURE(rows);
    const Outcome outcome = place.attest({"rank", "--contexts", "c.npy", "--queries", "q.npy", "--key",
                                          "k.npy", "--query", "w.npy", "--rows", rows, "--basis", "wrong"});
    CHECK(outcome.status == 2);
    check_message(outcome.err, "--rows");
  }
  CHECK_FALSE(place.exists("wrong"));
  for (const char* options : {"--rows 0:3", "--basis x", "--rows 0:3 --basis x --combine a"})
    rank(2, options);
  place.ends(0, "saturation" + arrays);  // other questions have no use for blocks
  place.ends(2, "saturation" + arrays + "--rows 0:3 --basis x");
  const auto refused = [&](const std::string& files, const std::string& says) {
    has(rank(2, "--out refused --combine " + files).err, says);
    CHECK_FALSE(place.exists("refused/rank.json"));
  };
  refused("a c", "the examples 7:20 are in no block");
  refused("a b", "the examples 20:40 are in no block");
  refused("b c", "the examples 0:7 are in no block");
  refused("a b c b", "overlaps another one");
  refused("all a", "overlaps another one");
  refused("a b none", "none");

  // Forged files: refused, or nothing but a smaller bound.
  const std::string good = place.read("b");
  const auto forged = [&](const std::string& text, const std::string& says) {
    place.write("f", text);
    refused("a f c", says);
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
  for (const std::string file : {"a", "b", "c"}) {
    const std::string text = place.read(file);
    place.write(file + "0", text.substr(0, text.find("\"basis\":[") + 9) + "]}\n");
  }
  const Outcome smaller = place.line("rank" + arrays + "--combine a b0 c0 --out smaller");
  CHECK((smaller.status == 3 || smaller.status == 0));  // undecided, or found by another way
  place.ends(0, "check --ignore-expectations smaller/rank.json");
  rank(3, "--combine a0 b0 c0 --out nothing");
  place.ends(0, "check --ignore-expectations nothing/rank.json");
  // Other arrays of the same shapes.
  place.write("q.npy", npy({40, 4}, [&](std::size_t k) { return query(k) + (k == 150); }));
  refused("a b c", "is about other data");
}
