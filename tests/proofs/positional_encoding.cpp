#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Case sized(std::size_t n, std::size_t d) {
  Draft draft = sized_draft(1, n, d, 1, 1);
  draft.claims = {claim("positional-encoding")};
  return read(draft);
}

}  // namespace

TEST_CASE(
    "positional encoding: of full rank for all 1 <= n <= 14, d <= 12, odd d included, but for one number") {
  for (std::size_t d = 1; d <= 12; ++d)
    for (std::size_t n = 1; n <= 14; ++n) {
      CAPTURE(n);
      CAPTURE(d);
      const Proof proof = certified(sized(n, d))[0];
      const bool full = n <= d && !(n == 1 && d == 1);
      CHECK(proof.verdict() == (full ? Verdict::verified : Verdict::refuted));
      // For n > d the smaller dimension says all.
      CHECK(proof.steps.size() == (n <= d ? 1 : 0));
      if (n <= d) CHECK(proof.is("rank(encoding)", full ? n : 0));
    }
}

TEST_CASE("positional encoding: a theorem whose conditions do not hold is not accepted") {
  for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{3, 4}, {4, 4}, {5, 4}, {1, 1}, {2, 1}}) {
    CAPTURE(n);
    CAPTURE(d);
    const Case c = sized(n, d);
    for (const char* theorem : {"vandermonde-encoding", "zero-encoding"}) {
      const bool vandermonde = std::string(theorem) == "vandermonde-encoding";
      Proof other = certified(c)[0];
      other.steps = Json::array({{{"rule", "theorem"},
                                  {"theorem", theorem},
                                  {"uses", Json::array()},
                                  {"fact", vandermonde ? "rank(encoding) >= " + std::to_string(n)
                                                       : std::string("rank(encoding) <= 0")}}});
      CHECK(accepted(c, {other}) == (vandermonde ? n <= d && d >= 2 : n == 1 && d == 1));
    }
  }
}
