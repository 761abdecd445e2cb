// Facts that contradict each other cannot be proved unless something is broken: here a prover, and then the
// sizes that the checker computes. Both programs must say so and accept nothing.
#include <doctest/doctest.h>

#include <filesystem>
#include <iostream>
#include <regex>
#include <sstream>

#include "check/check_file.hpp"
#include "cli/program.hpp"
#include "kernel/quantities/quantities.hpp"
#include "problem/digest.hpp"
#include "proofs/proof.hpp"
#include "tests/support/case_text.hpp"
#include "tests/support/text.hpp"

namespace fs = std::filesystem;
using attest::test::claim;
using attest::test::contains;
using attest::test::Folder;
using attest::test::sized_layer;
using attest::test::unwrapped;

namespace {

bool broken_prover = false;
bool broken_checker = false;

const std::string kCase = sized_layer(1, 2, 3, 1, 3) + R"([data]
contexts = [[1, 0, 0], [0, 1, 0]]
queries = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
)" + claim("assumption-2") +
                          claim("assumption-2");

/// The contexts have rank 2: the first step is true. The second annihilates nothing.
void prove_rank_of_contexts(const attest::Case&, const attest::Claim& claim, const attest::Effort&,
                            attest::ClaimProof& proof) {
  proof.script.independent_rows("rank(contexts)", 2, 7);
  if (!broken_prover || claim.index == 0) return;
  const std::vector<attest::SparseRational> one = {{{0, 1}}};
  proof.script.zero("rank(contexts)", attest::ProofScript::Side::left, one, 2, 7);
}

}  // namespace

namespace attest {

ClaimProof prove(const Case& c, const Claim& claim, const Effort& effort) {
  return prove_by(prove_rank_of_contexts, c, claim, effort);
}

namespace kernel {

/// All that the facts of this test need. Broken: as if the contexts had one token.
Knowledge computed_quantities(const Problem& problem, const Claim&, LayerByName, PartByName) {
  return [&](const std::string& name) -> Bounds {
    if (name == "n" || name == "r") return broken_checker ? Bounds{1, 1} : Bounds{2, 2};
    if (name == "d") return {mpz_class(problem.d), mpz_class(problem.d)};
    throw std::logic_error("no quantity " + name);
  };
}

}  // namespace kernel
}  // namespace attest

namespace {

struct Outcome {
  int status;
  std::string text;  ///< of both outputs
};

/// A folder with the case; programs run in this process.
struct Place {
  Folder folder;

  Place() { folder.write("case.toml", kCase); }
  ~Place() { broken_prover = broken_checker = false; }

  template <class Main>
  static Outcome run(Main main, const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::ostringstream text;
    std::streambuf *const out = std::cout.rdbuf(text.rdbuf()), *const err = std::cerr.rdbuf(text.rdbuf());
    const int status = main(static_cast<int>(words.size()), arguments.data());
    std::cout.rdbuf(out);
    std::cerr.rdbuf(err);
    return {status, text.str()};
  }
  Outcome verify(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"attest", "verify", (folder / "case.toml").string(), "--out",
                                      (folder / "out").string()};
    words.insert(words.end(), more.begin(), more.end());
    return run(attest::run_program, words);
  }
  Outcome check() const {
    return run(attest::kernel::check_main, {"attest-check", (folder / "out/case.json").string()});
  }
};

}  // namespace

TEST_CASE("nothing is broken") {
  const Place place;
  const Outcome verified = place.verify(), checked = place.check();
  CAPTURE(verified.text);
  CAPTURE(checked.text);
  CHECK(verified.status == 0);
  CHECK(checked.status == 0);
  CHECK(contains(checked.text, "valid (2 claims: 2 verified)"));
}

TEST_CASE("attest verify: both facts, the case and the claim, status 2, no certificate") {
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--timeout", "60"}}) {
    const Place place;
    broken_prover = true;
    const Outcome outcome = place.verify(more);
    CAPTURE(outcome.text);
    CHECK(outcome.status == 2);
    CHECK(contains(unwrapped(outcome.text),
                   "case.toml: line 14, column 1: claim 1 (assumption-2): the facts rank(contexts) >= 2 and "
                   "rank(contexts) <= 1 contradict each other; one of them is wrong, which is a "
                   "defect of attest"));
    CHECK(!contains(outcome.text, "verified "));
    CHECK(!fs::exists(place.folder / "out/case.json"));
  }
}

TEST_CASE("attest-check and attest check: internal error, status 2, no verdict") {
  const Place place;
  REQUIRE(place.verify().status == 0);
  broken_checker = true;
  for (const Outcome& outcome :
       {place.check(),
        Place::run(attest::run_program, {"attest", "check", (place.folder / "out/case.json").string()})}) {
    CAPTURE(outcome.text);
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.text, "case.json: internal error: "));
    CHECK(contains(std::regex_replace(outcome.text, std::regex("\n    "), " "),  // lines have 120 columns
                   "the facts rank(contexts) >= 2 and rank(contexts) <= 1 contradict each other"));
    CHECK(!contains(outcome.text, ": valid"));
    CHECK(!contains(outcome.text, "verified"));
  }
}
