// Against singular values that are known, since the matrices are made of them.
#include "tests/proofs/cases.hpp"
#include "tests/spectra.hpp"

using namespace attest;
using namespace attest::test;

namespace {

std::string claim_5(const RationalMatrix& a, const RationalMatrix& b) {
  return claim("lemma-5", lines("a", a) + lines("b", b));
}

RationalMatrix sum(const RationalMatrix& a, const RationalMatrix& b) {
  RationalMatrix m = a;
  for (std::size_t k = 0; k < a.rows() * a.cols(); ++k) m.data()[k] += b.data()[k];
  return m;
}

void check_verdict(const Proof& proof, const RationalMatrix& a, const RationalMatrix& b, bool holds) {
  CHECK(proof.hypothesis("perturbation") == (holds ? Truth::yes : Truth::no));
  CHECK(proof.verdict() == (holds ? Verdict::verified : Verdict::inapplicable));
  const std::size_t rank_a = textbook_rank(a), rank_b = textbook_rank(b);
  CHECK(proof.is("rank(a)", rank_a));
  if (rank_b > 0 || proof.facts.count("rank(b)") > 0) CHECK(proof.is("rank(b)", rank_b));
  CHECK((proof.conclusion() == Truth::yes) == (rank_b >= rank_a));
  if (holds) CHECK(rank_b >= rank_a);  // the lemma itself
}

}  // namespace

TEST_CASE("Lemma 5: known singular values, the norm exactly at the smallest one and beside it") {
  const mpq_class tiny("1/1000000000000000000000");
  std::size_t dropped = 0;
  FOR_SEEDS(16, 0) {
    const std::size_t rows = random.between(1, 4), cols = random.between(1, 4), least = std::min(rows, cols),
                      rank = random.between(1, least);
    std::vector<mpq_class> values;
    for (std::size_t k = 0; k < rank; ++k) values.push_back(1 + abs(random.rational(5, 3)));
    const mpq_class sigma = *std::min_element(values.begin(), values.end());
    const RationalMatrix p = orthogonal(random, rows), q = orthogonal(random, cols),
                         a = with_values(p, values, q);
    Draft draft;
    std::vector<RationalMatrix> moved;
    std::vector<bool> holds;
    for (const mpq_class& norm :
         {sigma, mpq_class(sigma - tiny), mpq_class(sigma + tiny), mpq_class(sigma / 2)})
      for (const bool aligned : {true, false}) {
        // The worst direction takes the smallest singular value away; another one is arbitrary.
        std::vector<mpq_class> change(aligned ? rank : least);
        for (mpq_class& x : change) x = aligned ? mpq_class(0) : mpq_class(norm * abs(random.rational(1, 3)));
        const auto place = static_cast<std::size_t>(
            aligned ? std::min_element(values.begin(), values.end()) - values.begin() : 0);
        change[place] = -norm;
        moved.push_back(
            aligned ? sum(a, with_values(p, change, q))
                    : sum(a, with_values(orthogonal(random, rows), change, orthogonal(random, cols))));
        holds.push_back(norm < sigma);
        draft.claims.push_back(claim_5(a, moved.back()));
      }
    const auto proofs = certified(read(draft));
    for (std::size_t k = 0; k < moved.size(); ++k) {
      CAPTURE(k);
      check_verdict(proofs[k], a, moved[k], holds[k]);
      if (textbook_rank(moved[k]) < rank) {
        ++dropped;
        CHECK_FALSE(holds[k]);
      }
    }
    CHECK(textbook_rank(moved[0]) == rank - 1);  // so the hypothesis cannot be weakened to <=
  }
  CHECK(dropped >= 16);
}

TEST_CASE("Lemma 5: another mu, the other side and the verdict at equality are not accepted") {
  // Singular values 4 and 2; the perturbation has norm 1, then exactly 2.
  for (const char* b : {"[[4, 0], [0, 3]]", "[[4, 0], [0, 0]]"}) {
    Draft draft;
    draft.claims = {claim("lemma-5", std::string("a = [[4, 0], [0, 2]]\nb = ") + b + "\n")};
    const auto [c, proof] = proved(draft);
    const bool holds = proof.verdict() == Verdict::verified;
    const auto with_mu = [&](const char* mu) {
      return accepted_after(c, proof, "compare", "perturbation", [&](Json& s) { s["mu"] = mu; });
    };
    CHECK(with_mu("2") == holds);  // between 1 and 4
    CHECK(with_mu("39/10") == holds);
    CHECK(with_mu("4"));  // sigma^2
    CHECK_FALSE(with_mu("1"));
    CHECK_FALSE(with_mu("5"));
    CHECK_FALSE(with_mu("0"));
    // The other side.
    CHECK_FALSE(accepted_after(c, proof, "compare", "perturbation", [&](Json& s) {
      s["side"] = holds ? "fails" : "holds";
      s["fact"] = holds ? "perturbation <= 0" : "perturbation >= 1";
    }));
  }
}
