#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("Lemma 2: independent vectors are dependent when shifted by -1/n, and not beside it") {
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
    const bool before = textbook_rank(a) == n;
    for (std::size_t k = 0; k < shifts.size(); ++k) {
      const mpq_class& c = shifts[k];
      CAPTURE(c.get_str());
      const bool after = before && c != least;
      const Verdict expected = !before ? Verdict::inapplicable : after ? Verdict::verified : Verdict::refuted;
      CHECK(proofs[k].verdict() == expected);
      CHECK((proofs[k].conclusion() == Truth::yes) == after);
      CHECK((proofs[k].hypothesis("independent") == Truth::yes) == before);
      CHECK((proofs[k].of("rank(shifted)").lower == static_cast<unsigned long>(n)) == after);
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
