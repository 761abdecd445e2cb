#include "words/certificate.hpp"

#include "base/output.hpp"
#include "problem/digest.hpp"
#include "tests/proofs/cases.hpp"
#include "tests/support/folder.hpp"

using namespace attest;
using namespace attest::test;

namespace fs = std::filesystem;

namespace {

// Shipped cases whose certificates have, between them, steps of most rules.
const char* const kRepresentatives[] = {
    "theorem-1/by-hand",         "theorem-1/exact-read-out", "theorem-1/one-too-many",
    "claim-1/by-hand",           "claim-2/by-hand",          "proposition-2/by-hand",
    "proposition-5/frequencies", "rank/opposite-queries",    "rank/opposite-heads",
    "rank/equal-heads",          "rank/zero-head",           "general-position/three-in-a-plane"};

}  // namespace

TEST_CASE("the same case twice gives the same bytes") {
  for (const std::string name : kRepresentatives) {
    CAPTURE(name);
    const Case c = read_case(ATTEST_SOURCE_DIR "/cases/" + name + ".toml");
    const auto text = [&] {
      std::vector<ClaimSteps> claims;
      for (const Proof& proof : certified(c)) claims.push_back({proof.steps, proof.reason});
      return certificate_text(certificate(c, problem_digest(c), claims, fs::temp_directory_path()));
    };
    CHECK(text() == text());
  }
}

TEST_CASE("the text of a certificate: short values on one line, and the same JSON") {
  Json json = {{"a", 1},
               {"list", Json::array()},
               {"long", Json::array()},
               {"object", {{"x", "y"}, {"empty", Json::object()}}}};
  for (int k = 0; k < 300; ++k)
    json["long"].push_back(k % 7 == 0 ? Json(std::string(static_cast<std::size_t>(k), 'x'))
                                      : Json({{"k", k}, {"l", {k, k}}}));
  const std::string text = certificate_text(json);
  CHECK(Json::parse(text) == json);
  CHECK(text.back() == '\n');
  CHECK(certificate_text(Json{{"a", {1, 2}}}) == "{\"a\":[1,2]}\n");
}

TEST_CASE("files are written whole or not at all") {
  Folder folder;
  const fs::path file = folder / "deep/er/x.json";
  write_output(file, "one");
  CHECK(folder.read("deep/er/x.json") == "one");
  write_output(file, "two");
  CHECK(folder.read("deep/er/x.json") == "two");
  CHECK(std::distance(fs::directory_iterator(file.parent_path()), {}) == 1);  // no temporary file is left
  CHECK_THROWS_AS(write_output(file / "below-a-file", "x"), InputError);
  fs::create_directory(folder / "taken");
  CHECK_THROWS_AS(write_output(folder / "taken", "x"), InputError);
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
}
