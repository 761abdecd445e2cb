// Against ranks by elimination with fractions.
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Of rank at most r, with small entries.
RationalMatrix of_rank(Random& random, std::size_t rows, std::size_t cols, std::size_t r) {
  return test::product(random.matrix(rows, r, 3, 2), random.matrix(r, cols, 3));
}

RationalMatrix block_matrix(const RationalMatrix& a, const RationalMatrix& b, const RationalMatrix& c) {
  RationalMatrix block(a.rows() + c.rows(), a.cols() + c.cols());
  for (std::size_t i = 0; i < block.rows(); ++i)
    for (std::size_t j = 0; j < block.cols(); ++j) {
      const bool upper = i < a.rows(), left = j < a.cols();
      if (upper) block(i, j) = left ? a(i, j) : b(i, j - a.cols());
      if (!upper && !left) block(i, j) = c(i - a.rows(), j - a.cols());
    }
  return block;
}

// The rank of `name` is proved from both sides.
void check_rank(const Proof& proof, const std::string& name, const RationalMatrix& m) {
  const std::string of = "rank(" + name + ")";
  const std::size_t rank = textbook_rank(m);
  CHECK(proof.is(of, rank));
  CHECK(has_step(proof, "minor", of) == (rank > 0));
  CHECK(has_step(proof, "zero", of) == (rank < std::min(m.rows(), m.cols())));
}

}  // namespace

TEST_CASE("Lemma 1: ranks of random blocks, equality and strict inequality") {
  std::size_t equal = 0, strict = 0;
  FOR_SEEDS(40, 0) {
    struct Blocks {
      RationalMatrix a, b, c;
    };
    std::vector<Blocks> all;
    Draft draft;
    for (int k = 0; k < 5; ++k) {
      const std::size_t p = random.between(1, 4), q = random.between(1, 4), r = random.between(1, 4),
                        s = random.between(1, 4);
      Blocks blocks{of_rank(random, p, q, random.below(std::min(p, q) + 1)), random.matrix(p, s, 2),
                    of_rank(random, r, s, random.below(std::min(r, s) + 1))};
      if (k >= 3) {  // b = a x + y c adds nothing
        const RationalMatrix left = test::product(blocks.a, random.matrix(q, s, 2)),
                             right = test::product(random.matrix(p, r, 2), blocks.c);
        for (std::size_t i = 0; i < p * s; ++i) blocks.b.data()[i] = left.data()[i] + right.data()[i];
      }
      draft.claims.push_back(
          claim("lemma-1", lines("a", blocks.a) + lines("b", blocks.b) + lines("c", blocks.c)));
      all.push_back(std::move(blocks));
    }
    const auto proofs = certified(read(draft));
    for (std::size_t k = 0; k < all.size(); ++k) {
      CAPTURE(k);
      const auto& [a, b, c] = all[k];
      const RationalMatrix block = block_matrix(a, b, c);
      const std::size_t excess = textbook_rank(block) - textbook_rank(a) - textbook_rank(c);
      CHECK(proofs[k].verdict() == Verdict::verified);
      check_rank(proofs[k], "a", a);
      check_rank(proofs[k], "c", c);
      check_rank(proofs[k], "block", block);
      if (k >= 3) CHECK(excess == 0);
      ++(excess == 0 ? equal : strict);
    }
  }
  CHECK(equal > 80);
  CHECK(strict > 40);
}

TEST_CASE("Lemma 1: no other ranks are accepted") {
  Draft draft;
  draft.claims = {claim("lemma-1", "a = [[1, 2], [2, 4]]\nb = [[0, 1], [1, 0]]\nc = [[1, 1]]\n")};
  const auto [c, proof] = proved(draft);
  CHECK(proof.is("rank(a)", 1));
  CHECK(proof.is("rank(c)", 1));
  CHECK(proof.is("rank(block)", 3));
  for (const char* name : {"rank(a)", "rank(c)", "rank(block)"}) {
    CAPTURE(name);
    const auto minor = [&](auto&& change) { return accepted_after(c, proof, "minor", name, change); };
    CHECK(minor([](Json&) {}));
    CHECK_FALSE(minor([&](Json& s) { s["fact"] = std::string(name) + " >= 9"; }));
    // A row more is out of range or makes the minor singular.
    CHECK_FALSE(minor([&](Json& s) {
      s["rows"].push_back(s["rows"].size());
      s["cols"].push_back(s["cols"].size());
      s["fact"] = std::string(name) + " >= " + std::to_string(s["rows"].size());
    }));
    CHECK_FALSE(minor([](Json& s) { s["rows"][0] = 9; }));
  }
  CHECK_FALSE(accepted_after(c, proof, "zero", "rank(a)", [](Json& s) { s["vectors"][0][0][1] = "5"; }));
  CHECK_FALSE(accepted_after(c, proof, "zero", "rank(a)", [](Json& s) {
    s["vectors"].push_back(s["vectors"][0]);
    s["fact"] = "rank(a) <= 0";
  }));
}
