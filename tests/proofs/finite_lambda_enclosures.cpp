// Finite lambda: the enclosures against numbers known by hand, and the bound for all heads against ranks of
// the layers that it speaks of.
#include <cmath>

#include "input/numbers.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

mpq_class rational(const Json& text) {
  return parse_number(text.get<std::string>());
}

RationalMatrix matrix(const Json& head, std::size_t d, const mpq_class& lambda) {
  RationalMatrix w(d, d);
  const auto add = [&](const Json& left, const Json& right, const mpq_class& factor) {
    const mpq_class scale = factor / (rational(left["den"]) * rational(right["den"]));
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        w(i, j) += scale * rational(left["num"][i]) * rational(right["num"][j]);
  };
  for (std::size_t k = 0; k < head["key"].size(); ++k) add(head["key"][k], head["query"][k], 1);
  if (head.contains("separator")) add(head["separator"]["u"], head["separator"]["v"], lambda);
  return w;
}

}  // namespace

TEST_CASE("finite lambda by hand") {
  Folder folder;
  Draft draft;
  draft.heads = 2, draft.context = 2, draft.embed_dim = 2, draft.head_dim = 2, draft.examples = 3;
  draft.contexts = {1, 0, 0, 1};
  draft.queries = {1, 0, 0, 1, 1, 1};
  draft.claims = {claim("finite-lambda")};
  const auto proof = certified(read(draft, folder))[0];
  CHECK(proof.verdict == Verdict::verified);
  const Json bound = step(proof, "finite-lambda-bound");
  REQUIRE(bound["heads"].size() == 1);
  const auto about = [&](const Json& ends, double value) {
    CAPTURE(value);
    CHECK(rational(ends["lower"]).get_d() <= value + 1e-12);
    CHECK(rational(ends["upper"]).get_d() >= value - 1e-12);
    CHECK(rational(ends["upper"]).get_d() - rational(ends["lower"]).get_d() < 1e-2 * value);
  };
  // C = (1/2, 1/2), D_inf = (a - 1/2, 1/2 - a), a = e^3 / (1 + e^3).
  const Json& head = bound["heads"][0];
  const double sigma = 0.6400905;
  about(head["gamma"], 2);
  about(head["spread"], 3);
  about(head["token_norm"], 1);
  about(head["c_norm"], std::sqrt(0.5));
  about(head["sigma_min"], sigma);
  about(head["lambda_star"], (3 + std::log(2 / sigma)) / 2);
  CHECK(proof.result["unknown_up_to"] == bound["all_heads"]["lambda_star"]);
}

TEST_CASE("every choice of lambdas above the bound for all heads keeps the rank") {
  Folder folder;
  std::size_t bounds = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    PRINTED_SEED(seed);
    Random random(seed);
    const std::size_t H = random.between(2, 4), n = random.between(2, 3), d = random.between(n, 4);
    Draft draft = random_draft(random, H, n, d, n, H * (n - 1) + 1, seed % 2 == 0, 4);
    draft.base = seed % 3 == 0 ? Base::two : Base::e;
    draft.key.clear();
    draft.query.clear();
    draft.claims = {claim("finite-lambda", "lambda = \"1/3\"")};
    const Case c = read(draft, folder);
    const auto proof = certified(c)[0];
    if (!proof.result.contains("unknown_up_to")) continue;
    ++bounds;
    const mpq_class least = rational(proof.result["unknown_up_to"]);
    std::vector<RationalMatrix> w;
    const Json construction = step(proof, "construction");
    for (const Json& head : construction["heads"])
      w.push_back(matrix(head, d, least * static_cast<unsigned long>(random.between(65, 200)) / 64));
    const Ring ring = c.layer->base == Base::e ? Ring::exponential : Ring::two;
    CHECK(textbook_rank_of_z(c, textbook_logits(c, w), ring) >= rank_of(proof).lower);
  }
  CHECK(bounds > 12);
}

// Heads 2 and 3 are opposite at lambda = 1.
TEST_CASE("an exceptional lambda") {
  Folder folder;
  Draft draft;
  draft.heads = 4, draft.context = 2, draft.embed_dim = 2, draft.head_dim = 2, draft.examples = 5;
  draft.contexts = {-1, 1, -1, -2};
  draft.queries = {0, -2, 2, 1, -2, 2, 1, 0, 1, -2};
  draft.claims = {claim("finite-lambda", "lambda = \"15/16\"")};
  const auto proof = certified(read(draft, folder))[0];
  CHECK(proof.verdict == Verdict::verified);
  CHECK(rational(proof.result["unknown_up_to"]) > 1);
  for (const Json& entry : proof.result["sweep"]) {
    CAPTURE(entry.dump());
    CHECK(entry["lower"] == (entry["lambda"] == "1" ? 4 : 5));
  }
}
