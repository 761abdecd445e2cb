#include "proofs/proof.hpp"

#include <set>
#include <string>

#include "attention/layer.hpp"
#include "input/case_file.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("judge: every interval against every question") {
  for (std::size_t lower = 0; lower <= 4; ++lower)
    for (std::size_t upper = lower; upper <= 4; ++upper)
      for (int asked = -2; asked <= 6; ++asked) {
        CAPTURE(lower);
        CAPTURE(upper);
        CAPTURE(asked);
        // What the interval says, by looking at all the numbers in it.
        auto verdict = [&](auto holds) {
          std::size_t yes = 0, no = 0;
          for (std::size_t x = lower; x <= upper; ++x) (holds(static_cast<int>(x)) ? yes : no) += 1;
          return no == 0 ? Verdict::verified : yes == 0 ? Verdict::refuted : Verdict::undecided;
        };
        Claim value, at_least, at_most;
        value.value = at_least.at_least = at_most.at_most = asked;
        CHECK(judge({lower, upper}, value) == verdict([&](int x) { return x == asked; }));
        CHECK(judge({lower, upper}, at_least) == verdict([&](int x) { return x >= asked; }));
        CHECK(judge({lower, upper}, at_most) == verdict([&](int x) { return x <= asked; }));
        CHECK(judge({lower, upper}, Claim()) == (lower == upper ? Verdict::verified : Verdict::undecided));
      }
  Claim huge;
  huge.at_least = mpz_class("100000000000000000000000");
  CHECK(judge({3, 3}, huge) == Verdict::refuted);
}

TEST_CASE("the program decides exactly the statements that case files may name") {
  std::set<std::string> decided, readable;
  for (const Statement& s : statements()) {
    decided.insert(s.name);
    CHECK(std::string(s.says).size() > 10);
    CHECK(std::string(s.executed).size() > 5);
  }
  for (const StatementNeeds& s : statement_needs()) readable.insert(s.name);
  CHECK(decided == readable);
  Claim unknown;
  unknown.statement = "no-such-statement";
  CHECK_THROWS_AS(prove(Case(), unknown, {}), std::logic_error);
}

TEST_CASE("the paper's lower bound") {
  Dimensions dims;
  dims.heads = 4, dims.context = 3, dims.embed_dim = 5, dims.head_dim = 3, dims.examples = 100;
  CHECK(head_rank(dims) == 3);
  CHECK(paper_lower_bound(dims) == 9);
  dims.head_dim = 1;
  CHECK(paper_lower_bound(dims) == 1);
  dims.head_dim = 7;
  dims.examples = 5;
  CHECK(paper_lower_bound(dims) == 5);
}
