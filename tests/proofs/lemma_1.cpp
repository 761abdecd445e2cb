// Against ranks by elimination with fractions, and against the exact excess: rank [A B; 0 C] = rank A + rank
// C
// + rank(L B R), the rows of L a basis of {y : y A = 0}, the columns of R one of {x : C x = 0}.
#include "proofs/lemmas.hpp"
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

// The step's minor is regular and its vectors are in the kernel: a rank from both sides.
void check_step(const Json& step, const RationalMatrix& m) {
  const std::size_t r = step["rows"].size();
  RationalMatrix minor(r, r), kernel(m.cols(), step["kernel"].size());
  REQUIRE(step["cols"].size() == r);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < r; ++j)
      minor(i, j) = m(step["rows"][i].get<std::size_t>(), step["cols"][j].get<std::size_t>());
  CHECK(textbook_rank(minor) == r);
  REQUIRE(kernel.cols() == m.cols() - r);
  for (std::size_t k = 0; k < kernel.cols(); ++k)
    for (std::size_t j = 0; j < m.cols(); ++j)
      kernel(j, k) = mpz_class(step["kernel"][k][j].get<std::string>());
  CHECK(textbook_rank(kernel) == kernel.cols());
  const RationalMatrix zero = test::product(m, kernel);
  for (std::size_t i = 0; i < m.rows() * kernel.cols(); ++i) CHECK(zero.data()[i] == 0);
}

}  // namespace

TEST_CASE("Lemma 1: ranks of random blocks, equality and strict inequality") {
  Folder folder;
  std::size_t equal = 0, strict = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PRINTED_SEED(seed);
    Random random(seed);
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
    const auto proofs = certified(read(draft, folder));
    for (std::size_t k = 0; k < all.size(); ++k) {
      CAPTURE(k);
      const auto& [a, b, c] = all[k];
      const RationalMatrix block = block_matrix(a, b, c);
      const std::size_t rank_a = textbook_rank(a), rank_c = textbook_rank(c);
      const RationalMatrix l = transposed(test::null_space(transposed(a))), r = test::null_space(c);
      const std::size_t excess = textbook_rank(test::product(test::product(l, b), r));
      const Json& ranks = proofs[k].result["ranks"];
      CHECK(proofs[k].verdict == Verdict::verified);
      CHECK(ranks["a"] == rank_a);
      CHECK(ranks["c"] == rank_c);
      CHECK(ranks["block"] == rank_a + rank_c + excess);
      CHECK(ranks["block"] == textbook_rank(block));
      if (k >= 3) CHECK(excess == 0);
      ++(excess == 0 ? equal : strict);
      for (const Json& s : proofs[k].steps)
        check_step(s, s["matrix"] == "a" ? a : s["matrix"] == "c" ? c : block);
    }
  }
  CHECK(equal > 80);
  CHECK(strict > 40);
}

TEST_CASE("Lemma 1: no other ranks are accepted") {
  Folder folder;
  Draft draft;
  draft.claims = {claim("lemma-1", "a = [[1, 2], [2, 4]]\nb = [[0, 1], [1, 0]]\nc = [[1, 1]]\n")};
  const Case c = read(draft, folder);
  const ClaimProof proof = certified(c)[0];
  CHECK(proof.result["ranks"] == Json({{"a", 1}, {"c", 1}, {"block", 3}}));
  for (const char* name : {"a", "c", "block"}) {
    CAPTURE(name);
    const auto change = [&](auto&& by) {
      ClaimProof other = proof;
      by(other);
      return accepted(c, {other});
    };
    auto step_of = [&](ClaimProof& other) -> Json& {
      for (Json& s : other.steps)
        if (s["matrix"] == name) return s;
      throw std::logic_error("no such step");
    };
    CHECK(change([](ClaimProof&) {}));
    CHECK_FALSE(
        change([&](ClaimProof& o) { o.result["ranks"][name] = o.result["ranks"][name].get<int>() - 1; }));
    // A smaller minor leaves the rank open; a row more makes it singular.
    CHECK_FALSE(change([&](ClaimProof& o) {
      Json& s = step_of(o);
      s["rows"].erase(s["rows"].size() - 1);
      s["cols"].erase(s["cols"].size() - 1);
      o.result["ranks"][name] = o.result["ranks"][name].get<int>() - 1;
    }));
    CHECK_FALSE(change([&](ClaimProof& o) { step_of(o)["kernel"].push_back({"1", "0"}); }));
  }
  ClaimProof refuted = proof;
  refuted.verdict = Verdict::refuted;
  CHECK_FALSE(accepted(c, {refuted}));
}
