// A layer is the same to the checker in whatever form its case gives it.
#include "tests/input/forms.hpp"

#include <doctest/doctest.h>

#include "kernel/layers/layer.hpp"
#include "kernel/quantities/quantities.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::kernel;

TEST_CASE("Z, logits and contexts are the same in whatever form a case gives the layer") {
  // Safe primes.
  for (const auto& [p, g] : {std::pair<Word, Word>{1000919, 4}, {1907, 9}}) {
    const Ring ring = Ring::of(*test::case_of(test::equal_forms()[0].first).layer, false);
    const Character character(ring, p, g);
    for (const auto& [one, other] : test::equal_forms()) {
      CAPTURE(one);
      CAPTURE(other);
      const Case first = test::case_of(one), second = test::case_of(other);
      const Problem a(first), b(second);
      const Layer layer = given_layer(a), same = given_layer(b);
      Logits logits(a, layer), same_logits(b, same);
      std::vector<std::size_t> rows = all_below(a.T), cols = all_below(a.H * a.d);
      std::reverse(rows.begin(), rows.end());
      CHECK(minor_of_z(a, layer, character, rows, cols).data ==
            minor_of_z(b, same, character, rows, cols).data);
      CHECK(minor_of_z(a, layer, character, {0}, {3}).data == minor_of_z(b, same, character, {0}, {3}).data);
      const Matrix z = minor_of_z(a, layer, character, all_below(a.T), cols);
      const PowerSums sums{layer.ring.two};
      for (std::size_t k = 0; k < a.T * cols.size();
           ++k) {  // by the exact logits, which read the weights otherwise
        const std::size_t t = k / cols.size(), col = k % cols.size();
        const Attention<PowerSums> head = attention(sums, entries(logits(col / a.d, t)));
        CHECK(static_cast<Word>(z.data[k]) * character.image(head.sum) % p ==
              character.image(numerator(sums, head, a.context(t), col % a.d)));
      }
      for (std::size_t t = 0; t < a.T; ++t) {
        for (std::size_t h = 0; h < a.H; ++h) CHECK(logits(h, t) == same_logits(h, t));
        const Context tokens = a.context(t), others = b.context(t);
        REQUIRE(tokens.size() == others.size());
        for (std::size_t i = 0; i < tokens.size(); ++i) CHECK(tokens[i][1] == others[i][1]);
        a.context((t + 1) % a.T);  // the one that is kept is another one now
        CHECK(a.context(t) == tokens);
      }
      CHECK(a.equal_contexts() == b.equal_contexts());
      CHECK(count_heads(a, layer).different == count_heads(b, same).different);
      CHECK(count_heads(a, layer).moving == count_heads(b, same).moving);
    }
  }
}
