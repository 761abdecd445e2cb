#include "attention/structure.hpp"

#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

HeadStructure structure_of(const Draft& draft, const Folder& folder) {
  const Case c = read(draft, folder);
  const AttentionLayer layer(c, *c.weights);
  return head_structure(layer, CharacterData(c, small_character(layer.ring(), 0)));
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
using Indices = std::vector<std::size_t>;

Draft combined(Random& random, std::size_t heads, bool shared) {
  Draft draft = random_draft(random, heads, 3, 3, 3, 5, shared, 9);
  draft.key.clear();
  draft.query.clear();
  draft.combined = integers(random, heads * 9, 9);
  draft.claims = {claim("rank")};
  return draft;
}

}  // namespace

TEST_CASE("heads that are equal although their weights are not") {
  Folder folder;
  for (const bool shared : {true, false}) {
    Random random(shared ? 1 : 2);
    Draft draft = random_draft(random, 3, 3, 4, 2, 6, shared, 9);
    draft.claims = {claim("rank")};
    // W = K Q^T = (2 K)(Q / 2)^T.
    for (std::size_t k = 0; k < 8; ++k) {
      draft.key[2 * 8 + k] = 2 * draft.key[k];
      draft.query[2 * 8 + k] = draft.query[k] / 2;
    }
    const HeadStructure s = structure_of(draft, folder);
    CHECK(s.distinct == Indices{0, 1});
    CHECK(s.equal == Pairs{{0, 2}});
    CHECK(s.constant.empty());
    certified(read(draft, folder));
  }
}

TEST_CASE("heads whose logits differ by a constant for each example are equal") {
  Folder folder;
  Random random(3);
  // Every token has first coordinate 1: adding c e_0 v^T to W adds c (v . e) to all logits of an example.
  Draft draft = combined(random, 2, false);
  for (std::size_t k = 0; k < 15; ++k) draft.contexts[3 * k] = 1;
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t k = 0; k < 3; ++k)
      draft.combined[9 + 3 * j + k] = draft.combined[3 * j + k] + (j == 0 ? 4 - static_cast<long>(k) : 0);
  CHECK(structure_of(draft, folder).equal == Pairs{{0, 1}});
  certified(read(draft, folder));
  // One token that has not: a near miss.
  draft.contexts[3 * 7] = 2;
  CHECK(structure_of(draft, folder).equal.empty());
}

TEST_CASE("near misses are not merged") {
  Folder folder;
  Random random(4);
  Draft draft = random_draft(random, 2, 3, 4, 2, 6, true, 9);
  draft.claims = {claim("rank")};
  for (std::size_t k = 0; k < 8; ++k) {
    draft.key[8 + k] = draft.key[k];
    draft.query[8 + k] = draft.query[k];
  }
  CHECK(structure_of(draft, folder).equal == Pairs{{0, 1}});
  // One entry differs by 2^-60, and by exactly the q of the screening character.
  draft.key[9] += mpq_class("1/1152921504606846976");
  CHECK(structure_of(draft, folder).equal.empty());
  draft.key[9] = draft.key[1] + static_cast<unsigned long>(small_character(Ring::exponential, 0).q);
  CHECK(structure_of(draft, folder).equal.empty());
  CHECK(structure_of(draft, folder).distinct == Indices{0, 1});
}

TEST_CASE("constant heads: only for shared contexts, only when no example differs") {
  Folder folder;
  Random random(5);
  Draft draft = combined(random, 3, true);
  for (std::size_t k = 9; k < 18; ++k) draft.combined[k] = 0;
  HeadStructure s = structure_of(draft, folder);
  CHECK(s.constant == Indices{1});
  CHECK(s.distinct == Indices{0, 2});
  certified(read(draft, folder));
  // The same difference of logits mod q, not exactly: queries that are multiples of q.
  Draft near = draft;
  const auto q = static_cast<unsigned long>(small_character(Ring::exponential, 0).q);
  for (std::size_t k = 9; k < 18; ++k) near.combined[k] = static_cast<long>(k - 8) * mpq_class(q);
  s = structure_of(near, folder);
  CHECK(s.constant.empty());
  CHECK(s.distinct == Indices{0, 1, 2});
  // Two constant heads with different coefficients are both `constant`; equal ones are a pair.
  Draft biased = random_draft(random, 3, 3, 4, 1, 5, true, 9);
  biased.claims = {claim("rank")};
  for (mpq_class& x : biased.query) x = 0;
  biased.query_bias = {1, 2, 1};
  biased.key_bias = {0, 0, 7};
  for (std::size_t j = 0; j < 4; ++j) biased.key[8 + j] = biased.key[j];
  s = structure_of(biased, folder);
  CHECK(s.constant == Indices{0, 1});
  CHECK(s.equal == Pairs{{0, 2}});
  CHECK(s.distinct.empty());
  certified(read(biased, folder));
  // Fresh contexts: zero heads depend on the example.
  Draft fresh = combined(random, 2, false);
  for (std::size_t k = 0; k < 9; ++k) fresh.combined[k] = 0;
  CHECK(structure_of(fresh, folder).constant.empty());
}

TEST_CASE("the bound of a structure by its formula") {
  HeadStructure s;
  s.distinct = {0, 2};
  CHECK(s.bound(3, false, 5) == 7);
  CHECK(s.bound(3, true, 5) == 6);
  s.constant = {1};
  CHECK(s.bound(3, false, 5) == 7);
  CHECK(s.bound(3, true, 5) == 7);
  CHECK(s.bound(3, false, 3) == 7);
  s.distinct.clear();
  CHECK(s.bound(3, false, 5) == 1);
  CHECK(s.bound(3, true, 5) == 1);
}
