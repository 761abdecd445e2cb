// Against determinants by the formula of Leibniz: the Gram determinant of the vectors a_i + c sum_j a_j is
// (1 + n c)^2 times that of the a_i, since the map 1 + c J has the determinant 1 + n c.
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

mpq_class gram_determinant(const RationalMatrix& m) {
  return leibniz(test::product(m, transposed(m)));
}

}  // namespace

TEST_CASE("Lemma 2: the verdict is the sign of a determinant, at -1/n and beside it") {
  std::size_t verified = 0, refuted = 0, inapplicable = 0;
  FOR_SEEDS(24, 0) {
    const std::size_t n = 1 + seed % 4, d = random.between(std::max<std::size_t>(n, 2) - 1, n + 2);
    RationalMatrix a = random.matrix(n, d, 2, 2);
    if (n > 1 && random.one_in(4))
      for (std::size_t j = 0; j < d; ++j) a(n - 1, j) = 2 * a(0, j);
    const auto of_n = [](long over, std::size_t under) { return mpq_class(over, under); };
    const mpq_class least = of_n(-1, n), tiny("1/1000000000000000000000");
    std::vector<mpq_class> shifts = {least, least + tiny, least - tiny,         of_n(-1, n + 1), of_n(1, n),
                                     0,     -1,           random.rational(5, 7)};
    if (n > 1) shifts.push_back(of_n(-1, n - 1));
    Draft draft;
    for (const mpq_class& c : shifts)
      draft.claims.push_back(claim("lemma-2", lines("vectors", a) + "c = \"" + c.get_str() + "\"\n"));
    const auto proofs = certified(read(draft));
    const mpq_class before = gram_determinant(a);
    for (std::size_t k = 0; k < shifts.size(); ++k) {
      const mpq_class& c = shifts[k];
      CAPTURE(c.get_str());
      RationalMatrix map(n, n);  // 1 + c J
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) map(i, j) = (i == j ? 1 : 0) + c;
      const mpq_class factor = 1 + static_cast<unsigned long>(n) * c;
      CHECK(leibniz(map) == factor);
      const RationalMatrix shifted = test::product(map, a);
      const mpq_class after = gram_determinant(shifted);
      CHECK(after == factor * factor * before);
      if (d == n) CHECK(leibniz(shifted) == factor * leibniz(a));
      const Verdict expected = before == 0  ? Verdict::inapplicable
                               : after == 0 ? Verdict::refuted
                                            : Verdict::verified;
      CHECK(proofs[k].verdict() == expected);
      CHECK((proofs[k].verdict() == Verdict::refuted) == (before != 0 && c == least));
      CHECK((proofs[k].conclusion() == Truth::yes) == (after != 0));
      CHECK((proofs[k].hypothesis("independent") == Truth::yes) == (before != 0));
      CHECK((proofs[k].of("rank(shifted)").lower == static_cast<unsigned long>(n)) == (after != 0));
      ++(expected == Verdict::verified ? verified : expected == Verdict::refuted ? refuted : inapplicable);
    }
  }
  CHECK(verified > 60);
  CHECK(refuted > 10);
  CHECK(inapplicable > 20);
}

TEST_CASE("Lemma 2: a rank that the determinant contradicts is not accepted") {
  for (const char* shift : {"-1/2", "-1/3"}) {
    Draft draft;
    draft.claims = {claim("lemma-2", std::string("vectors = [[1, 2], [3, 4]]\nc = \"") + shift + "\"\n")};
    const auto [c, proof] = proved(draft);
    const bool holds = std::string(shift) == "-1/3";
    CHECK(proof.verdict() == (holds ? Verdict::verified : Verdict::refuted));
    CHECK(proof.is("rank(shifted)", holds ? 2 : 1));
    // The minor of the vectors, claimed of the shifted ones.
    Proof other = proof;
    Json minor = step(proof, "minor", "rank(vectors)");
    minor["of"] = "rank(shifted)";
    minor["fact"] = "rank(shifted) >= 2";
    other.steps.push_back(minor);
    CHECK(accepted(c, {other}) == holds);
  }
}
