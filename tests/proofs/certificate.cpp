#include "certificate/certificate.hpp"

#include "base/output.hpp"
#include "input/digest.hpp"
#include "tests/proofs/cases.hpp"
#include "tests/support/folder.hpp"

using namespace attest;
using namespace attest::test;

namespace fs = std::filesystem;

namespace {

// A few cases whose certificates have, between them, steps of most rules.
std::vector<Draft> representatives() {
  Random random(2);
  std::vector<Draft> drafts;
  const std::string pair = "subset = [0, 1]\ncoefficients = [[\"1/3\", \"2/3\"], [\"1/2\", \"1/2\"]]\n";

  Draft first = random_draft(random, 2, 2, 3, 2, 3, true, 5);
  first.labels = {1, mpq_class(-1, 2), 3};
  first.claims = {
      claim("rank"),
      claim("kruskal-rank"),
      claim("assumption-2"),
      claim("affine-hull-bound"),
      claim("theorem-1"),
      claim("proposition-2"),
      claim("proposition-5"),
      claim("claim-1", pair),
      claim("claim-2", "subset = [0]\ncoefficients = [[\"1/3\", \"2/3\"]]\nepsilon = \"1/1000\"")};
  drafts.push_back(first);

  Draft two = random_draft(random, 2, 2, 2, 2, 3, false,
                           3);  // the explicit read-out; contexts that differ; the random layer
  two.base = Base::two;
  two.key.clear();
  two.query.clear();
  two.contexts = {1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 2, 1};
  two.queries = {1, 0, 0, 1, 1, 1};
  two.labels = {1, 2, 3};
  two.claims = {claim("theorem-1"), claim("proposition-2"), claim("proposition-5")};
  drafts.push_back(two);

  Draft special;  // equal and zero heads; what fails
  special.heads = 3, special.context = 2, special.embed_dim = 2, special.head_dim = 1, special.examples = 4;
  special.base = Base::two;
  special.contexts = {1, 0, 2, 0};
  special.queries = {1, 0, 2, 0, -1, 1, 1, -1};
  special.key = {1, 1, 1, 1, 0, 0};
  special.query = {1, 2, 1, 2, 3, 3};
  special.claims = {claim("rank"), claim("theorem-1"), claim("claim-1", pair), claim("general-position")};
  drafts.push_back(special);

  Draft opposite;  // the left kernel
  opposite.heads = 3, opposite.context = 2, opposite.embed_dim = 3, opposite.head_dim = 1,
  opposite.examples = 4;
  opposite.contexts = {1, 0, 3, 0, 1, 1};
  opposite.queries = {1, 2, 0, -1, -2, 0, 3, 1, 1, -3, -1, -1};
  opposite.key = {1, 0, 2, 0, 1, 2, 5, 1, 1};
  opposite.query = {1, 2, 0, 1, -1, 3, 3, 3, 1};
  opposite.claims = {claim("rank", "value = 3")};
  drafts.push_back(opposite);

  // W_1 = -W_0 and two tokens: the second head has the coefficients of the first in the other order, z_0 +
  // z_1 = E_0 + E_1.
  Draft reversed = random_draft(random, 2, 2, 2, 1, 4, true, 5);
  reversed.contexts = {1, 0, 1, 2};
  for (std::size_t j = 0; j < 2; ++j)
    reversed.key[2 + j] = -reversed.key[j], reversed.query[2 + j] = reversed.query[j];
  reversed.claims = {claim("rank")};
  drafts.push_back(reversed);
  return drafts;
}

}  // namespace

TEST_CASE("the same case twice gives the same bytes") {
  for (const Draft& draft : representatives()) {
    const Case c = read(draft);
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
