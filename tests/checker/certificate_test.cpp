// The certificate as a file: what surrounds the claims, hashes, formats, exit statuses.
#include <doctest/doctest.h>

#include <sstream>

#include "checker/check.hpp"
#include "input/sha256.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::checker;
using namespace attest::test;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The verdict on the sample "moment" after a change of the whole certificate.
std::string verdict(const std::function<void(Json&)>& change) {
  const Bench bench;
  Json certificate = bench.certificate(sample("moment"));
  change(certificate);
  return bench.check(certificate);
}

/// A .npy file of binary64 numbers.
std::string npy(const std::string& shape, const std::vector<double>& values) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(117, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return bytes;
}

}  // namespace

TEST_CASE("every sample is valid, under every policy") {
  for (const Sample& each : samples()) {
    CAPTURE(each.name);
    const Bench bench;
    for (Minors minors : {Minors::automatic, Minors::deterministic, Minors::probabilistic}) {
      CheckPolicy policy;
      policy.minors = minors;
      CHECK(bench.check(bench.certificate(each), policy).substr(0, 7) == "valid (");
    }
  }
}

TEST_CASE("reports carry verdicts and steps") {
  const Bench bench;
  const CheckReport report = check_certificate(bench.write(bench.certificate(sample("opposite"))), {});
  REQUIRE(report.claims.size() == 6);
  CHECK(report.claims[0].verdict == Verdict::verified);
  CHECK(report.claims[1].verdict == Verdict::refuted);
  CHECK(report.claims[2].verdict == Verdict::undecided);
  CHECK(report.claims[0].steps.size() == 4);
  CHECK(report.claims[0].steps[3].note == "elimination");
  std::ostringstream out, err;
  CheckPolicy verbose;
  verbose.verbose = true;
  CHECK(run_check({bench.folder() / "certificate.json"}, verbose, out, err) == 0);
  CHECK(contains(out.str(), "valid (6 claims: 4 verified, 1 refuted, 1 undecided)"));
  CHECK(contains(out.str(), "left-kernel"));
  CHECK(err.str().empty());
}

TEST_CASE("the frame: keys, types, claims in order and all of them") {
  CHECK(contains(verdict([](Json&) {}), "valid (4 claims: 4 verified)"));
  CHECK(contains(verdict([](Json& c) { c.erase("attest"); }), "REJECTED: expected the key \"attest\""));
  CHECK(contains(verdict([](Json& c) { c["attest"] = 1; }), "REJECTED: expected a string, found 1"));
  CHECK(contains(verdict([](Json& c) { c["more"] = 1; }), "REJECTED: expected only known keys, found the key \"more\""));
  CHECK(contains(verdict([](Json& c) { c.erase("claims"); }), "REJECTED: expected the key \"claims\""));
  CHECK(contains(verdict([](Json& c) { c["claims"] = Json::object(); }), "REJECTED: expected an array"));
  CHECK(contains(verdict([](Json& c) { c["claims"].erase(3); }), "REJECTED: expected an array of 4 entries, found 3"));
  CHECK(contains(verdict([](Json& c) { c["claims"].push_back(c["claims"][0]); }), "expected an array of 4 entries, found 5"));
  CHECK(contains(verdict([](Json& c) { std::swap(c["claims"][0], c["claims"][1]); }), "claim 0 (kruskal-rank): expected index 0"));
  CHECK(contains(verdict([](Json& c) { c["claims"][0]["statement"] = "rank"; }), "expected the statement kruskal-rank, found rank"));
  CHECK(contains(verdict([](Json& c) { c["claims"][0]["verdict"] = "refuted"; }), "expected verdict verified, found refuted"));
  CHECK(contains(verdict([](Json& c) { c["claims"][0]["verdict"] = "undecided"; }), "expected verdict verified"));
  CHECK(contains(verdict([](Json& c) { c["claims"][0]["reason"] = "why"; }), "expected a reason only with the verdict undecided"));
  CHECK(contains(verdict([](Json& c) { c["claims"][0]["result"]["kruskal_rank"]["lower"] = 2; }), "claim 0 (kruskal-rank): expected result"));
  CHECK(contains(verdict([](Json& c) { c["claims"][0]["result"]["more"] = 2; }), "expected result"));
  CHECK(contains(verdict([](Json& c) { c["claims"][0]["steps"] = Json::array(); }), "expected result"));
  CHECK(contains(verdict([](Json& c) { c["claims"][0]["steps"][0] = 5; }), "step 0 (): expected an object, found 5"));
}

TEST_CASE("the case must be the one that was certified") {
  CHECK(contains(verdict([](Json& c) { c["case"]["sha256"] = std::string(64, '0'); }), "REJECTED: expected a case file with SHA-256 0000"));
  CHECK(contains(verdict([](Json& c) { c["case"].erase("sha256"); }), "expected the key \"sha256\""));
  CHECK(contains(verdict([](Json& c) { c["case"].erase("arrays"); }), "expected the key \"arrays\""));
  CHECK(contains(verdict([](Json& c) { c["case"]["more"] = ""; }), "expected only known keys"));
  CHECK(contains(verdict([](Json& c) { c["case"]["path"] = "other.toml"; }), "BAD INPUT: "));
  CHECK(contains(verdict([](Json& c) { c["case"]["path"] = "/etc/hostname"; }), "REJECTED: expected a relative path"));
  CHECK(contains(verdict([](Json& c) { c["case"]["path"] = ""; }), "REJECTED: expected a relative path"));
  CHECK(contains(verdict([](Json& c) { c["case"]["arrays"].push_back({{"path", "x.npy"}, {"sha256", ""}}); }), "expected 0 array files, found 1"));

  const Bench bench;
  const Json certificate = bench.certificate(sample("moment"));
  bench.write_bytes(sample("moment").toml + "\n", "case.toml");
  CHECK(contains(bench.check(certificate), "REJECTED: expected a case file with SHA-256"));

  // A case that has moved is found by the option, and must still be the same.
  std::filesystem::create_directory(bench.folder() / "elsewhere");
  bench.write_bytes(sample("moment").toml, "elsewhere/moved.toml");
  CheckPolicy policy;
  policy.case_path = bench.folder() / "elsewhere/moved.toml";
  CHECK(contains(bench.check(certificate, policy), "valid"));
  bench.write_bytes(sample("opposite").toml, "elsewhere/moved.toml");
  CHECK(contains(bench.check(certificate, policy), "REJECTED: expected a case file with SHA-256"));
}

TEST_CASE("array files are hashed") {
  const Bench bench;
  Sample arrays = sample("moment");
  arrays.toml.replace(arrays.toml.find("[[1, 0, 0], [0, 1, 0]]"), 22, "{ file = \"contexts.npy\" }");
  bench.write_bytes(npy("(2, 3)", {1, 0, 0, 0, 1, 0}), "contexts.npy");
  Json certificate = bench.certificate(arrays);
  CHECK(contains(bench.check(certificate), "REJECTED: expected 1 array files, found 0"));
  const std::string hash = sha256_file(bench.folder() / "contexts.npy");
  certificate["case"]["arrays"].push_back({{"path", "contexts.npy"}, {"sha256", hash}});
  CHECK(contains(bench.check(certificate), "valid"));
  Json changed = certificate;
  changed["case"]["arrays"][0]["path"] = "other.npy";
  CHECK(contains(bench.check(changed), "REJECTED: expected the array file contexts.npy, found other.npy"));
  changed = certificate;
  changed["case"]["arrays"][0]["more"] = 1;
  CHECK(contains(bench.check(changed), "REJECTED: expected only known keys"));
  bench.write_bytes(npy("(2, 3)", {1, 0, 0, 0, 1, 1}), "contexts.npy");
  CHECK(contains(bench.check(certificate), "REJECTED: expected contexts.npy with SHA-256 " + hash));
}

TEST_CASE("malformed files are bad input, other formats are refused by name") {
  const Bench bench;
  const std::string good = bench.certificate(sample("moment")).dump();
  CHECK(contains(bench.check_bytes(good), "valid"));
  CHECK(contains(bench.check_bytes(""), "BAD INPUT: line 1, column 1: "));
  CHECK(contains(bench.check_bytes("{\n \"a\": 1,\n}"), "BAD INPUT: line 3, column 1: "));
  CHECK(contains(bench.check_bytes(good.substr(0, good.size() / 2)), "BAD INPUT: "));
  CHECK(contains(bench.check_bytes(good + "{}"), "BAD INPUT: "));
  CHECK(contains(bench.check_bytes("[]"), "BAD INPUT: not a certificate"));
  CHECK(contains(bench.check_bytes("{}"), "BAD INPUT: not a certificate"));
  CHECK(contains(bench.check_bytes("{\"format\": 1}"), "BAD INPUT: not a certificate"));
  CHECK(contains(bench.check_bytes("{\"format\": \"attest-certificate/2\"}"),
                 "BAD INPUT: the format \"attest-certificate/2\" is not known; this program checks attest-certificate/1"));
  CHECK(contains(bench.check_bytes("{\"format\": \"attest-certificate/1\", \"format\": \"attest-certificate/1\"}"),
                 "BAD INPUT: duplicate key \"format\""));
  CHECK(contains(bench.check_bytes("{\"format\": \"attest-certificate/1\", \"claims\": [{\"k\": {\"p\": 1, \"p\": 1}}]}"),
                 "BAD INPUT: duplicate key \"p\""));
  CHECK(contains(bench.check_bytes("{\"format\": 1.5}"), "BAD INPUT: the number 1.5 is not an integer"));
  CHECK(contains(bench.check_bytes("{\"format\": 1e2}"), "BAD INPUT: the number 1e2 is not an integer"));
  CHECK(contains(bench.check_bytes("{\"format\": 18446744073709551616}"), "is not an integer below 2^64"));
  CHECK(contains(bench.check_bytes("{\"format\": NaN}"), "BAD INPUT: line 1, column"));
  CHECK(contains(bench.check_bytes("{\"format\": null}"), "BAD INPUT: null"));
  CHECK(contains(bench.check_bytes(std::string(100000, '[')), "BAD INPUT: nested deeper than 32 levels"));
  CHECK(contains(bench.check_bytes("{\"format\": \"\xff\"}"), "BAD INPUT: "));
  std::ostringstream out, err;
  CHECK(run_check({bench.folder() / "missing.json"}, {}, out, err) == 2);
  CHECK(run_check({bench.folder()}, {}, out, err) == 2);
  CHECK(contains(err.str(), "missing.json: BAD INPUT: cannot be read"));
}

TEST_CASE("one bad file does not stop the others, and the worst status wins") {
  const Bench bench;
  Json certificate = bench.certificate(sample("moment"));
  const auto good = bench.write(certificate, "good.json");
  CheckPolicy policy;
  policy.max_subsets = 8;
  const auto bad = bench.write_bytes("x", "bad.json");
  certificate["claims"][0]["verdict"] = "refuted";
  certificate["claims"][0]["steps"] = Json::array();
  const auto rejected = bench.write(certificate, "rejected.json");
  certificate = bench.certificate(sample("moment"));
  const auto run = [&](const std::vector<std::filesystem::path>& files, std::uint64_t subsets) {
    CheckPolicy limited;
    limited.max_subsets = subsets;
    std::ostringstream out, err;
    const int status = run_check(files, limited, out, err);
    const std::string text = out.str();
    CHECK(std::count(text.begin(), text.end(), '\n') == static_cast<long>(files.size()));
    return status;
  };
  CHECK(run({good}, 1000) == 0);
  CHECK(run({rejected, good}, 1000) == 1);
  CHECK(run({good, bad, rejected}, 1000) == 2);
  CHECK(run({good}, 1) == 3);
  CHECK(run({good, rejected}, 1) == 1);
  CHECK(run({bad, good}, 1) == 2);
}

TEST_CASE("a limit in one claim does not hide a wrong one") {
  const Bench bench;
  Json certificate = bench.certificate(sample("moment"));
  CheckPolicy policy;
  policy.max_subsets = 1;
  CHECK(contains(bench.check(certificate, policy), "LIMIT: claim 0 (kruskal-rank), step 0 (kruskal-lower): the search"));
  certificate["claims"][3]["verdict"] = "refuted";
  CHECK(contains(bench.check(certificate, policy), "REJECTED: claim 3 (assumption-2): expected verdict verified"));
}

TEST_CASE("rejections are typed") {
  const Bench bench;
  Json certificate = bench.certificate(sample("opposite"));
  certificate["claims"][0]["steps"][2]["bound"] = 2;
  try {
    check_certificate(bench.write(certificate), {});
    FAIL("accepted");
  } catch (const Rejection& rejection) {
    CHECK(rejection.claim == 0);
    CHECK(rejection.statement == "rank");
    CHECK(rejection.step == 2);
    CHECK(rejection.argument == "left-kernel");
    CHECK(rejection.expected == "bound 3");
    CHECK(rejection.found == "2");
    CHECK(std::string(rejection.what()) == "claim 0 (rank), step 2 (left-kernel): expected bound 3, found 2");
  }
}
