#include "certificate/certificate.hpp"
#include "certificate/output.hpp"

#include <fstream>
#include <map>

#include "checker/check.hpp"
#include "tests/checker/mutate.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Two choices more: the random layer that shows tightness may be another one; and as a hypothesis (not as a
// question for the number) a Kruskal rank may be stated lower than it was found, as long as it is enough.
bool is_another_proof(const Json& original, const std::string& pointer, const std::string& change) {
  const std::size_t last = pointer.rfind('/');
  const std::string key = pointer.substr(last + 1);
  if (key != "bound" && key != "seed" && key != "k") return false;
  const std::string argument =
      original.at(Json::json_pointer(pointer.substr(0, last)))["argument"].get<std::string>();
  if (key == "k") {
    const std::string statement =
        original.at(Json::json_pointer(pointer.substr(0, pointer.find("/steps"))))["statement"]
            .get<std::string>();
    return argument == "kruskal-lower" && change == "- 1" &&
           (statement == "theorem-1" || statement == "claim-2");
  }
  return argument == "random";
}

// A few cases whose certificates have, between them, steps of every kind.
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

TEST_CASE(
    "every mutant of the certificates is rejected, but for informative fields and other witnesses of the "
    "same facts") {
  Folder folder;
  std::size_t mutants = 0, rejected = 0, other_witnesses = 0;
  std::map<std::string, std::size_t> kinds;
  for (const Draft& draft : representatives()) {
    const Case c = read(draft, folder);
    for (const ClaimProof& proof : certified(c))
      for (const Json& s : proof.steps) ++kinds[s["argument"].get<std::string>()];
    const fs::path file = certificate_of(c);
    const Json original = Json::parse(contents(file));
    const fs::path mutant_file = folder.path() / "mutant.json";
    mutate_every_field(
        original, [&](const Json& mutant, const std::string& pointer, const std::string& change) {
          // A sixth of them, evenly: all together take minutes.
          if (mutants++ % 6 != 0 && pointer.size() > 24) return;
          std::ofstream(mutant_file) << mutant.dump();
          bool accepted = true;
          try {
            checker::check_certificate(mutant_file, {});
          } catch (const checker::Rejection&) {
            accepted = false;
          } catch (const InputError&) {
            accepted = false;
          } catch (const LimitError&) {
            accepted = false;
          }
          rejected += accepted ? 0 : 1;
          if (!accepted) return;
          ++other_witnesses;
          CAPTURE(pointer);
          CAPTURE(change);
          CHECK((is_free_choice(mutant, pointer, change) || is_another_proof(original, pointer, change)));
        });
  }
  const std::size_t checked = rejected + other_witnesses;
  MESSAGE(checked, " mutants, ", rejected, " rejected, ", other_witnesses,
          " informative or other proofs of the same");
  CHECK(rejected > 2000);
  for (const char* kind : {"character-minor",
                           "random",
                           "affine-hull",
                           "token-minor",
                           "structure",
                           "right-kernel",
                           "left-kernel",
                           "kruskal-lower",
                           "kruskal-upper",
                           "contexts-full-rank",
                           "context-dependent",
                           "contexts-differ",
                           "token-sums-differ",
                           "too-many-examples",
                           "subset-too-large",
                           "subset-dependent",
                           "subset-context-dependent",
                           "construction",
                           "readout-enclosure",
                           "readout-exact",
                           "claim-1-weights",
                           "claim-2-weights"}) {
    CAPTURE(kind);
    CHECK(kinds[kind] > 0);
  }
}

TEST_CASE("the same case twice gives the same bytes") {
  Folder folder;
  for (const Draft& draft : representatives()) {
    const Case c = read(draft, folder);
    certified(c);
    const std::string first = contents(certificate_of(c));
    certified(c);
    CHECK(contents(certificate_of(c)) == first);
  }
}

TEST_CASE(
    "large minors carry solutions, which the checker accepts in place of elimination and rejects when "
    "changed") {
  Folder folder;
  Random random(1);
  Draft draft = random_draft(random, 3, 3, 4, 2, 9, false, 9);
  draft.claims = {claim("rank"), claim("proposition-1")};
  const Case c = read(draft, folder);
  Effort effort;
  effort.solutions_from = 1;
  const auto proofs = certified(c, effort);
  checker::CheckPolicy probabilistic;
  probabilistic.minors = checker::Minors::probabilistic;
  CHECK_NOTHROW(checker::check_certificate(certificate_of(c), probabilistic));
  const Json solutions = step(proofs[0], "character-minor")["solutions"];
  CHECK(solutions.size() == 6);  // p is nearly 2^23, and 6 is the least k with p^-k < 2^-128
  CHECK(solutions[0].size() == 9);
  Json json = Json::parse(contents(certificate_of(c)));
  for (std::size_t k = 0; k < json["claims"].size(); ++k)
    for (Json& s : json["claims"][k]["steps"]) {
      if (s["argument"] != "character-minor") continue;
      REQUIRE(s.contains("solutions"));
      const Json before = s["solutions"];
      s["solutions"][2][1] = (s["solutions"][2][1].get<std::uint64_t>() + 1) % s["p"].get<std::uint64_t>();
      const fs::path mutant = folder.path() / "mutant.json";
      std::ofstream(mutant) << json.dump();
      CHECK_THROWS_AS(checker::check_certificate(mutant, probabilistic), checker::Rejection);
      s["solutions"] = before;
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
  const fs::path file = folder.path() / "deep" / "er" / "x.json";
  write_output(file, "one");
  CHECK(contents(file) == "one");
  write_output(file, "two");
  CHECK(contents(file) == "two");
  CHECK(std::distance(fs::directory_iterator(file.parent_path()), {}) == 1);  // no temporary file is left
  CHECK_THROWS_AS(write_output(file / "below-a-file", "x"), InputError);
  fs::create_directory(folder.path() / "taken");
  CHECK_THROWS_AS(write_output(folder.path() / "taken", "x"), InputError);
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
}
