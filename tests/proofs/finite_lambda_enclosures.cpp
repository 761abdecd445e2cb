// The tail rank at lambdas where the rank drops; the paper's bound against numbers known by hand.
#include <cmath>

#include "problem/numbers.hpp"
#include "proofs/proposition_1.hpp"
#include "search/layer.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

mpq_class rational(const Json& text) {
  return parse_number(text.get<std::string>());
}

}  // namespace

TEST_CASE("the paper's lambda* by hand") {
  Draft draft = sized_draft(2, 2, 2, 2, 3);
  draft.contexts = {1, 0, 0, 1};
  draft.queries = {1, 0, 0, 1, 1, 1};
  draft.claims = {claim("finite-lambda")};
  const Case c = read(draft);
  const auto construction = construct(c, 3, 2, true);
  REQUIRE(construction.has_value());
  REQUIRE(construction->heads[1].bound.has_value());
  const auto about = [&](const Enclosure& ends, double value) {
    CAPTURE(value);
    CHECK(ends.lower.get_d() <= value + 1e-12);
    CHECK(ends.upper.get_d() >= value - 1e-12);
    CHECK(ends.upper.get_d() - ends.lower.get_d() < 1e-2 * value);
  };
  // C = (1/2, 1/2), D_inf = (a - 1/2, 1/2 - a), a = e^3 / (1 + e^3).
  const LambdaBound& bound = *construction->heads[1].bound;
  const double sigma = 0.6400905;
  about(bound.gamma, 2);
  about(bound.spread, 3);
  about(bound.token_norm, 1);
  about(bound.c_norm, std::sqrt(0.5));
  about(bound.sigma_min, sigma);
  about(bound.lambda_star, (3 + std::log(2 / sigma)) / 2);
  // The label of the step tells them, and the step does better.
  const Proof proof = certified(c)[0];
  CHECK(proof.verdict() == Verdict::verified);
  const Json tail = step(proof, "inverse", "tail_rank");
  CHECK(tail["label"].get<std::string>().find("head 1: lambda* in [2.07") != std::string::npos);
  CHECK(rational(tail["lambda"]) < bound.lambda_star.upper);
}

// Heads 2 and 3 are opposite at lambda = 1.
TEST_CASE("an exceptional lambda lies below the bound, and no bound below it is accepted") {
  Draft draft = sized_draft(4, 2, 2, 2, 5);
  draft.contexts = {-1, 1, -1, -2};
  draft.queries = {0, -2, 2, 1, -2, 2, 1, 0, 1, -2};
  draft.claims = {claim("finite-lambda", "lambda = \"15/16\"")};
  const auto [c, proof] = proved(draft);
  CHECK(proof.verdict() == Verdict::verified);
  CHECK(proof.is("tail_rank", 5));
  const auto with = [&](const char* key, auto&& change) {
    return accepted_after(c, proof, "inverse", "tail_rank", [&](Json& s) { change(s[key]); });
  };
  const mpq_class least = rational(step(proof, "inverse", "tail_rank")["lambda"]);
  CHECK(least > 1);
  CHECK(with("lambda", [](Json& x) { x = "100"; }));
  CHECK(with("lambda", [&](Json& x) { x = mpq_class(least * 2).get_str(); }));
  for (const char* lower : {"1", "15/16", "1/1000", "0", "-5"}) {
    CAPTURE(lower);
    CHECK_FALSE(with("lambda", [&](Json& x) { x = lower; }));
  }
  CHECK_FALSE(with("scale", [](Json& w) { w[0] = "0"; }));
  CHECK_FALSE(with("scale", [](Json& w) { w[0] = "-1"; }));
  CHECK_FALSE(with("scale", [](Json& w) { w.erase(0); }));
  CHECK_FALSE(with("inverse", [](Json& r) { std::swap(r[0], r[1]); }));
  CHECK_FALSE(with("inverse", [](Json& r) { r[0][0] = "1000"; }));
  CHECK_FALSE(with("inverse", [](Json& r) {
    for (Json& row : r)
      for (Json& x : row) x = "0";
  }));
  CHECK_FALSE(with("rows", [](Json& rows) { rows[0] = rows[1]; }));
  CHECK_FALSE(with("cols", [](Json& cols) { cols[0] = cols[1]; }));
  CHECK_FALSE(with("fact", [](Json& fact) { fact = "tail_rank >= 6"; }));
  CHECK_FALSE(with("layer", [](Json& layer) { layer = 0; }));
  // The sweep: the rank drops at lambda = 1 and nowhere else.
  std::size_t swept = 0;
  for (const Json& s : proof.steps) {
    if (s["rule"] != "let" || !s["layer"].contains("rescaled")) continue;
    ++swept;
    const mpq_class lambda = rational(s["layer"]["rescaled"]["lambda"]);
    const std::string fact = s["fact"].get<std::string>();  // "let Z(k)"
    CHECK(proof.of("rank(" + fact.substr(4) + ")").lower == (lambda == 1 ? 4 : 5));
  }
  CHECK(swept == 16);
}

TEST_CASE("a limit that is singular: another minor, or an honest reason") {
  // Equal tokens share the largest entry, so that nothing is frozen to one of them.
  std::size_t refused = 0;
  FOR_SEEDS(60, 400) {
    Draft draft = random_draft(random, 3, 2, 2, 2, 4, true, 2).without_weights();
    draft.claims = {claim("finite-lambda")};
    const Proof proof = certified(read(draft))[0];
    if (proof.verdict() == Verdict::inapplicable) continue;
    const bool tail = has_step(proof, "inverse", "tail_rank");
    CHECK(proof.verdict() == (tail ? Verdict::verified : Verdict::undecided));
    if (tail) continue;
    ++refused;
    CHECK_FALSE(proof.reason.empty());
  }
  MESSAGE("finite lambda: ", refused, " without a bound");
}
