// Against the encoding itself, in balls: the Gram determinant det(P P^T) of n positions is positive exactly
// when they are independent; and a ball that does not contain 0 proves it.
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// The first n rows of the encoding in dimension d; with `coinciding`, of one whose second frequency is the
// first one again.
BallMatrix encoding(std::size_t n, std::size_t d, slong precision, bool coinciding = false) {
  BallMatrix p(n, d);
  for (std::size_t j = 0; j < d; ++j) {
    const std::size_t pair = coinciding && j / 2 == 1 ? 0 : j / 2;
    Ball frequency(mpq_class(-2 * static_cast<long>(pair), static_cast<unsigned long>(d)), precision), log;
    arb_log_ui(log.get(), 10000, precision);
    arb_mul(frequency.get(), frequency.get(), log.get(), precision);
    arb_exp(frequency.get(), frequency.get(), precision);
    for (std::size_t k = 0; k < n; ++k) {
      Ball angle;
      arb_mul_ui(angle.get(), frequency.get(), k, precision);
      (j % 2 == 0 ? arb_sin : arb_cos)(p(k, j).get(), angle.get(), precision);
    }
  }
  return p;
}

enum class Sign { positive, unclear };

Sign gram_determinant(const BallMatrix& p, slong precision) {
  const auto n = static_cast<slong>(p.rows()), d = static_cast<slong>(p.cols());
  arb_mat_t m, gram;
  arb_mat_init(m, n, d);
  arb_mat_init(gram, d, n);
  for (slong i = 0; i < n; ++i)
    for (slong j = 0; j < d; ++j)
      arb_set(arb_mat_entry(m, i, j), p(static_cast<std::size_t>(i), static_cast<std::size_t>(j)).get());
  arb_mat_transpose(gram, m);
  arb_mat_t product;
  arb_mat_init(product, n, n);
  arb_mat_mul(product, m, gram, precision);
  Ball det;
  arb_mat_det(det.get(), product, precision);
  CHECK(arb_is_negative(det.get()) == 0);
  const bool positive = arb_is_positive(det.get()) != 0;
  arb_mat_clear(m);
  arb_mat_clear(gram);
  arb_mat_clear(product);
  return positive ? Sign::positive : Sign::unclear;
}

Case sized(std::size_t n, std::size_t d) {
  Draft draft = sized_draft(1, n, d, 1, 1);
  draft.claims = {claim("positional-encoding")};
  return read(draft);
}

}  // namespace

TEST_CASE("positional encoding: the Gram determinant for all 1 <= n <= 14, d <= 12, odd d included") {
  for (std::size_t d = 1; d <= 12; ++d)
    for (std::size_t n = 1; n <= 14; ++n) {
      CAPTURE(n);
      CAPTURE(d);
      const Proof proof = certified(sized(n, d))[0];
      const bool full = gram_determinant(encoding(n, d, 1024), 1024) == Sign::positive;
      CHECK(full == (n <= d && !(n == 1 && d == 1)));
      CHECK(proof.verdict() == (full ? Verdict::verified : Verdict::refuted));
      // For n > d the smaller dimension says all.
      CHECK(proof.steps.size() == (n <= d ? 1 : 0));
      if (n <= d) CHECK(proof.is("rank(encoding)", full ? n : 0));
    }
}

TEST_CASE("positional encoding: larger squares, even and odd") {
  for (const std::size_t n : {31, 32}) {
    CHECK(gram_determinant(encoding(n, n, 6000), 6000) == Sign::positive);
    CHECK(certified(sized(n, n))[0].verdict() == Verdict::verified);
    CHECK(certified(sized(n + 1, n))[0].verdict() == Verdict::refuted);
  }
}

TEST_CASE(
    "positional encoding: with two equal frequencies the determinant vanishes, so the route can say no") {
  for (std::size_t d = 4; d <= 8; ++d) {
    CAPTURE(d);
    CHECK(gram_determinant(encoding(d, d, 1024, true), 1024) == Sign::unclear);
    CHECK(gram_determinant(encoding(d - 2, d, 1024, true), 1024) == Sign::positive);
    CHECK(gram_determinant(encoding(d - 1, d, 1024, true), 1024) == Sign::unclear);
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
