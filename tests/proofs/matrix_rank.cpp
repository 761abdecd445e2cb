// matrix-rank, against elimination with fractions; and what the rule `hadamard` must reject.
#include "problem/numbers.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

std::string claim_of(const RationalMatrix& m, const std::string& more = "") {
  return claim("matrix-rank", lines("matrix", m) + more);
}

// Of rank r, without short relations: a product of matrices of random entries.
RationalMatrix product_of_rank(Random& random, std::size_t rows, std::size_t cols, std::size_t r) {
  return test::product(random.matrix(rows, r, 1'000'000, 3), random.matrix(r, cols, 1'000'000));
}

}  // namespace

TEST_CASE("matrix-rank: random matrices, with each upper bound") {
  std::size_t relations = 0, primes = 0, full = 0;
  FOR_SEEDS(6, 0) {
    Draft draft;
    std::vector<RationalMatrix> all;
    for (int k = 0; k < 6; ++k) {
      const std::size_t rows = random.between(1, 24), cols = random.between(1, 24),
                        r = random.below(std::min(rows, cols) + 1);
      all.push_back(product_of_rank(random, rows, cols, r));
      // Its last column is the first one: a short relation.
      if (k % 2 == 0)
        for (std::size_t i = 0; i < rows; ++i) all.back()(i, cols - 1) = all.back()(i, 0);
      draft.claims.push_back(claim_of(all.back()));
    }
    const auto proofs = certified(read(draft));
    for (std::size_t k = 0; k < all.size(); ++k) {
      CAPTURE(k);
      CHECK(proofs[k].is("rank(matrix)", textbook_rank(all[k])));
      const bool zero = has_step(proofs[k], "zero", "rank(matrix)"),
                 hadamard = has_step(proofs[k], "hadamard", "rank(matrix)");
      CHECK(!(zero && hadamard));
      ++(zero ? relations : hadamard ? primes : full);
    }
  }
  CHECK(relations > 0);
  CHECK(primes > 0);
  CHECK(full > 0);
}

TEST_CASE("matrix-rank: a claim from below does not wait for the bound from above") {
  Draft draft;
  draft.claims = {claim("matrix-rank", "matrix = [[1, 2], [2, 4]]\nat_least = 1\n")};
  const auto [c, proof] = proved(draft);
  CHECK(proof.steps.size() == 1);
}

TEST_CASE("hadamard: what it rejects") {
  const std::string of = "rank(matrix)";
  Random random(7);
  Draft draft;
  const RationalMatrix m = product_of_rank(random, 20, 18, 14);
  draft.claims = {claim_of(m)};
  const auto [c, proof] = proved(draft);
  REQUIRE(has_step(proof, "hadamard", of));
  const auto after = [&](auto&& change) { return accepted_after(c, proof, "hadamard", of, change); };
  CHECK(after([](Json&) {}));
  // Primes: too few, one twice, one that is none, 2, one too large, in another order.
  CHECK_FALSE(after([](Json& s) { s["primes"].erase(s["primes"].size() - 1); }));
  CHECK_FALSE(after([](Json& s) { s["primes"].back() = s["primes"][0]; }));
  CHECK_FALSE(after([](Json& s) { s["primes"][0] = 8388605; }));
  CHECK_FALSE(after([](Json& s) { s["primes"].push_back(2); }));
  CHECK_FALSE(after([](Json& s) { s["primes"][0] = 8388617; }));
  CHECK_FALSE(after([](Json& s) { std::swap(s["primes"][0], s["primes"][1]); }));
  CHECK_FALSE(after([](Json& s) { s["primes"] = Json::array(); }));
  // Small primes are right too, when there are enough of them.
  CHECK(after([](Json& s) { s["primes"].push_back(8191); }));
  // Rows: one less, one twice, one outside, another fact.
  CHECK_FALSE(after([](Json& s) {
    s["rows"].erase(0);
    s["fact"] = "rank(matrix) <= 13";
  }));
  CHECK_FALSE(after([](Json& s) { s["rows"][0] = s["rows"][1]; }));
  CHECK_FALSE(after([](Json& s) { s["rows"][0] = 20; }));
  CHECK_FALSE(after([](Json& s) { s["fact"] = "rank(matrix) <= 13"; }));
  // All rows, and so no minor of a larger order.
  CHECK_FALSE(after([](Json& s) {
    s["rows"] = range(0, 18);
    s["fact"] = "rank(matrix) <= 18";
  }));
  // The same steps about a matrix with another entry.
  Draft other = draft;
  RationalMatrix changed = m;
  changed(19, 17) += 1;
  other.claims = {claim_of(changed)};
  CHECK(textbook_rank(changed) == 15);
  CHECK_FALSE(accepted(read(other), {proof}));
}

TEST_CASE("hadamard: the rank modulo few primes is no rank") {
  // The determinant is the product of the first primes that are tried: of rank 1 modulo both, and of rank 2.
  RationalMatrix m(2, 2);
  m(0, 0) = 1, m(0, 1) = 2, m(1, 0) = 3, m(1, 1) = 6 + mpz_class(8388593) * 8388587;
  Draft draft;
  draft.claims = {claim_of(m)};
  const auto [c, proof] = proved(draft);
  CHECK(proof.is("rank(matrix)", 2));
  Proof forged = proof;
  forged.steps = Json::array({{{"rule", "hadamard"},
                               {"of", "rank(matrix)"},
                               {"rows", Json::array({0})},
                               {"primes", {8388593, 8388587}},
                               {"fact", "rank(matrix) <= 1"}}});
  CHECK(rejection(c, {forged}).find("exceeds Hadamard's bound") != std::string::npos);
}

TEST_CASE("hadamard: where lines of zeros make the bound 0 a prime is needed all the same") {
  RationalMatrix m(2, 2);
  m(0, 0) = 1;
  Draft draft;
  draft.claims = {claim_of(m)};
  const auto [c, proof] = proved(draft);
  for (const bool enough : {false, true}) {
    Proof forged = proof;
    forged.steps = Json::array({{{"rule", "hadamard"},
                                 {"of", "rank(matrix)"},
                                 {"rows", Json::array({0})},
                                 {"primes", enough ? Json::array({3}) : Json::array()},
                                 {"fact", "rank(matrix) <= 1"}}});
    CHECK((rejection(c, {forged}).find("exceeds Hadamard's bound") == std::string::npos) == enough);
  }
}

TEST_CASE("matrix-rank: scales of rows and columns cost no primes") {
  Random random(3);
  const RationalMatrix m = product_of_rank(random, 14, 13, 10);
  RationalMatrix scaled = m;
  for (std::size_t i = 0; i < 14; ++i)
    for (std::size_t j = 0; j < 13; ++j) {
      const mpq_class row = mpz_class(1) << 90 * i, col = mpz_class(1) << 70 * j;
      scaled(i, j) *= i % 2 == 0 ? mpq_class(row * col) : mpq_class(col / row);
    }
  std::size_t primes[2] = {0, 0};
  for (const bool second : {false, true}) {
    Draft draft;
    draft.claims = {claim_of(second ? scaled : m)};
    const auto [c, proof] = proved(draft);
    CHECK(proof.is("rank(matrix)", 10));
    primes[second ? 1 : 0] = step(proof, "hadamard", "rank(matrix)")["primes"].size();
  }
  CHECK(primes[1] <= primes[0] + 1);
}
