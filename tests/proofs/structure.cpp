// Heads that say nothing new: equal to another one, or (equal contexts) the same for every example.
#include "kernel/layers/layer.hpp"
#include "search/arithmetic/character.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

struct Counts {
  std::size_t different, moving;
  bool operator==(const Counts& other) const {
    return different == other.different && moving == other.moving;
  }
};

Counts structure_of(const Draft& draft) {
  const Case c = read(draft);
  const kernel::Problem problem(c);
  const kernel::HeadClasses heads = kernel::head_classes(problem, kernel::given_layer(problem));
  Counts result{0, 0};
  for (std::size_t h = 0; h < heads.first.size(); ++h) {
    if (heads.first[h] != h) continue;
    ++result.different;
    if (!heads.constant[h]) ++result.moving;
  }
  return result;
}

Draft combined(Random& random, std::size_t heads, bool shared) {
  Draft draft = random_draft(random, heads, 3, 3, 3, 5, shared, 9).without_weights();
  draft.combined = integers(random, heads * 9, 9);
  draft.claims = {claim("rank")};
  return draft;
}

}  // namespace

TEST_CASE("heads that are equal although their weights are not") {
  for (const bool shared : {true, false}) {
    Random random(shared ? 1 : 2);
    Draft draft = random_draft(random, 3, 3, 4, 2, 6, shared, 9);
    draft.claims = {claim("rank")};
    // W = K Q^T = (2 K)(Q / 2)^T.
    for (std::size_t k = 0; k < 8; ++k) {
      draft.key[2 * 8 + k] = 2 * draft.key[k];
      draft.query[2 * 8 + k] = draft.query[k] / 2;
    }
    CHECK(structure_of(draft) == Counts{2, 2});
    certified(read(draft));
  }
}

TEST_CASE("heads whose logits differ by a constant for each example are equal") {
  Random random(3);
  // Every token has first coordinate 1: adding c e_0 v^T to W adds c (v . e) to all logits of an example.
  Draft draft = combined(random, 2, false);
  for (std::size_t k = 0; k < 15; ++k) draft.contexts[3 * k] = 1;
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t k = 0; k < 3; ++k)
      draft.combined[9 + 3 * j + k] = draft.combined[3 * j + k] + (j == 0 ? 4 - static_cast<long>(k) : 0);
  CHECK(structure_of(draft) == Counts{1, 1});
  certified(read(draft));
  // One token that has not: a near miss.
  draft.contexts[3 * 7] = 2;
  CHECK(structure_of(draft) == Counts{2, 2});
}

TEST_CASE("near misses are not merged") {
  Random random(4);
  Draft draft = random_draft(random, 2, 3, 4, 2, 6, true, 9);
  draft.claims = {claim("rank")};
  for (std::size_t k = 0; k < 8; ++k) {
    draft.key[8 + k] = draft.key[k];
    draft.query[8 + k] = draft.query[k];
  }
  CHECK(structure_of(draft) == Counts{1, 1});
  // One entry differs by 2^-60, and by exactly the q of a character.
  draft.key[9] += mpq_class("1/1152921504606846976");
  CHECK(structure_of(draft) == Counts{2, 2});
  draft.key[9] = draft.key[1] + static_cast<unsigned long>(small_character(Ring::independent, 0).q);
  CHECK(structure_of(draft) == Counts{2, 2});
}

TEST_CASE("constant heads: only for shared contexts, only when no example differs") {
  Random random(5);
  Draft draft = combined(random, 3, true);
  for (std::size_t k = 9; k < 18; ++k) draft.combined[k] = 0;
  CHECK(structure_of(draft) == Counts{3, 2});
  certified(read(draft));
  // Contexts that are equal without being shared are no different.
  Draft repeated = draft;
  repeated.shared = false;
  for (std::size_t t = 1; t < draft.examples; ++t)
    repeated.contexts.insert(repeated.contexts.end(), draft.contexts.begin(), draft.contexts.end());
  CHECK(structure_of(repeated) == Counts{3, 2});
  certified(read(repeated));
  // The same difference of logits mod q, not exactly: queries that are multiples of q.
  Draft near = draft;
  const auto q = static_cast<unsigned long>(small_character(Ring::independent, 0).q);
  for (std::size_t k = 9; k < 18; ++k) near.combined[k] = static_cast<long>(k - 8) * mpq_class(q);
  CHECK(structure_of(near) == Counts{3, 3});
  // Constant heads with different coefficients are different heads, and none of them moves.
  Draft biased = random_draft(random, 3, 3, 4, 1, 5, true, 9);
  biased.claims = {claim("rank")};
  for (mpq_class& x : biased.query) x = 0;
  biased.query_bias = {1, 2, 1};
  biased.key_bias = {0, 0, 7};
  for (std::size_t j = 0; j < 4; ++j) biased.key[8 + j] = biased.key[j];
  CHECK(structure_of(biased) == Counts{2, 0});
  certified(read(biased));
  // Fresh contexts: zero heads depend on the example.
  Draft fresh = combined(random, 2, false);
  for (std::size_t k = 0; k < 9; ++k) fresh.combined[k] = 0;
  CHECK(structure_of(fresh) == Counts{2, 2});
}
