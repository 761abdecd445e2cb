// The functional dimension against formulas for data in general position, and bounds that hold for all data.
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Draft general(std::size_t n, std::size_t d, std::size_t H, std::size_t d_h, std::size_t T, std::size_t d_out,
              bool shared, std::uint64_t seed) {
  Random random(seed);
  Draft draft = random_draft(random, H, n, d, d_h, T, shared, 9).without_weights();
  draft.output_dim = d_out;
  draft.claims = {claim("functional-dimension")};
  return draft;
}

Proof proof_of(const Draft& draft) {
  return certified(read(draft))[0];
}

}  // namespace

TEST_CASE("functional dimension: shared contexts in general position") {
  for (const auto& [n, d, H, d_h] :
       {std::tuple{2, 2, 1, 1}, {3, 3, 2, 1}, {3, 3, 2, 2}, {3, 4, 2, 1}, {4, 4, 1, 3}, {4, 3, 1, 2}}) {
    const std::size_t a = std::min(n - 1, d), m = std::min<std::size_t>(d_h, a), C = std::min(n, d),
                      most = H * m * (a + d - m) + (H - 1) * a + C;
    for (const std::size_t T : {most - 1, most, most + 1}) {
      CAPTURE(n);
      CAPTURE(d_h);
      CAPTURE(T);
      CHECK(proof_of(general(n, d, H, d_h, T, 1, true, 5)).is("functional_dimension", std::min(T, most)));
    }
  }
}

TEST_CASE("functional dimension: contexts of their own, several outputs") {
  for (const auto& [n, d, H, d_h] : {std::tuple{2, 2, 2, 1}, {2, 3, 1, 2}, {3, 3, 2, 2}}) {
    const std::size_t m = std::min(d_h, d), most = H * m * (2 * d - m) + H * d;
    CHECK(proof_of(general(n, d, H, d_h, most + 3, 1, false, 6)).is("functional_dimension", most));
  }
  for (const auto& [T, expected] : {std::pair{6, 15}, {8, 17}, {9, 18}, {12, 18}})
    CHECK(proof_of(general(2, 3, 1, 3, T, 3, false, 7)).is("functional_dimension", expected));
  CHECK(proof_of(general(2, 3, 1, 1, 4, 2, true, 7)).is("functional_dimension", 6));
}

TEST_CASE("functional dimension: base 2 and scales change nothing") {
  for (const char* const scale : {"", "1/3", "1/sqrt(2)"}) {
    Draft draft = general(3, 3, 2, 1, 16, 1, true, 8);
    draft.base = Base::two;
    draft.logit_scale = scale;
    CHECK(proof_of(draft).is("functional_dimension", 13));
  }
}

TEST_CASE("functional dimension: changed certificates are rejected") {
  const auto [c, proof] = proved(general(3, 3, 2, 1, 16, 1, true, 9));
  const auto after = [&](const char* rule, const char* of, auto change) {
    return accepted_after(c, proof, rule, of, change);
  };
  const std::string minor = "rank(J(" + std::to_string(proof.steps.size() - 3) + "))";
  CHECK(has_step(proof, "minor", minor));
  CHECK(after("minor", minor.c_str(), [](Json&) {}));
  CHECK_FALSE(after("minor", minor.c_str(), [](Json& s) { s["rows"][0] = s["rows"][1]; }));
  CHECK_FALSE(after("minor", minor.c_str(), [](Json& s) { s["rows"].erase(0); }));
  CHECK_FALSE(after("let", "", [](Json& s) { s["layer"]["random"]["bound"] = 0; }));
  CHECK_FALSE(after("theorem", "exponent-count", [](Json& s) { s["fact"] = "functional_dimension <= 12"; }));
  CHECK_FALSE(after("theorem", "some-jacobian", [](Json& s) { s["fact"] = "functional_dimension >= 14"; }));
}
