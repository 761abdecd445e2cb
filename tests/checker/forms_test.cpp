// A layer is the same to the checker in whatever form its case gives it.
#include "tests/input/forms.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "kernel/arithmetic/powers.hpp"
#include "kernel/layers/near_logits.hpp"
#include "kernel/quantities/quantities.hpp"
#include "kernel/quantities/saturation.hpp"
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
      CHECK(head_classes(a, layer).first == head_classes(b, same).first);
      CHECK(head_classes(a, layer).constant == head_classes(b, same).constant);
    }
  }
}

namespace {

/// Arrays of random binary floats or integers. `spread`: of their exponents; 0: all are the largest integer
/// of `bits` bits, so that no product cancels another.
struct Arrays {
  std::mt19937_64 random;
  int spread, bits;

  ExactArray draw(std::vector<std::size_t> shape) {
    std::size_t size = 1;
    for (const std::size_t side : shape) size *= side;
    const double most = std::ldexp(1, bits) - 1;
    std::vector<double> entries(size, most);
    for (double& entry : entries) {
      if (spread == 0) continue;
      entry = std::floor(most * (static_cast<double>(random() >> 11) / std::ldexp(1, 52) - 1));
      entry = std::ldexp(entry, static_cast<int>(random() % static_cast<unsigned>(2 * spread)) - spread);
    }
    if (random() % 3 == 0) return ExactArray(shape, std::vector<float>(entries.begin(), entries.end()));
    if (spread == 0) return ExactArray(shape, std::vector<std::int64_t>(entries.begin(), entries.end()));
    return ExactArray(shape, entries);
  }
};

/// A layer with H = 4, n = 48, d = 16, d_h = 8, whose weights have this form.
Case large_case(Arrays arrays, const std::string& form, bool shared, bool members) {
  const std::size_t H = 4, n = 48, d = 16, d_h = 8, T = 600, m = 32;
  Case c;
  c.layer.emplace();
  c.layer->heads = H, c.layer->context = n, c.layer->embed_dim = d, c.layer->head_dim = d_h;
  c.layer->examples = T;
  c.data.shared_context = shared;
  c.data.contexts = arrays.draw(shared    ? std::vector{n, d}
                                : members ? std::vector{3 * n, d}
                                          : std::vector{T, n, d});
  if (members) {
    c.data.members.emplace();
    c.data.members->starts.push_back(0);
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t i = 0; i <= t % n; ++i) c.data.members->rows.push_back((t * 7 + i) % (3 * n));
      c.data.members->starts.push_back(c.data.members->rows.size());
    }
  }
  c.weights.emplace();
  if (form == "projected") {
    const std::size_t rows = c.data.contexts->size() / d;
    c.weights->projected_queries = arrays.draw({T, H, m});
    c.weights->projected_keys = arrays.draw({rows, 2, m});
    return c;
  }
  c.data.queries = arrays.draw({T, d});
  if (form == "combined") {
    c.weights->combined = arrays.draw({H, d, d});
    return c;
  }
  c.weights->key = arrays.draw({H, d, d_h});
  c.weights->query = arrays.draw({H, d, d_h});
  if (form == "bias") c.weights->query_bias = arrays.draw({H, d_h});
  if (form == "base 2") {
    c.layer->base = Base::two;
    c.layer->logit_scale.rational = Rational(7, 12);
  }
  if (form == "rational bias") {
    c.weights->query_bias = ExactArray({H, d_h}, std::vector<mpq_class>(H * d_h, mpq_class(1, 3)));
  }
  return c;
}

}  // namespace

TEST_CASE("logits that are found together, modulo primes, are those that are found one by one") {
  std::uint64_t seed = 0;
  for (const std::string form : {"plain", "bias", "combined", "projected", "base 2", "rational bias"}) {
    for (const int spread : {0, 3, 40}) {
      for (const int kind : {0, 1, 2}) {
        CAPTURE(form);
        CAPTURE(spread);
        CAPTURE(kind);
        const Case c =
            large_case({std::mt19937_64(++seed), spread, spread == 0 ? 24 : 20}, form, kind == 1, kind == 2);
        const Problem problem(c);
        const Layer layer = given_layer(problem);
        Logits together(problem, layer), apart(problem, layer);
        // Not all heads, and some examples; among them more than are found at once.
        std::vector<std::size_t> examples;
        for (std::size_t t = 0; t < problem.T; ++t)
          if (t % 37 != 5) examples.push_back(t);
        together.expect({0, 2, 3}, examples);
        std::size_t different = 0;
        for (std::size_t t = 0; t < problem.T; t += t == 510 ? 1 : 17) {
          for (std::size_t h = 0; h < problem.H; ++h) {
            const Vector found = together.of_tokens(h, t), other = apart.of_tokens(h, t);
            different += found == other ? 0 : 1;
          }
        }
        CHECK(different == 0);
      }
    }
  }
}

TEST_CASE("logits from integers are off by no more than their bound, which is not far from that") {
  // One array has entries that round by nearly half a unit, to sides that alternate as the signs of the
  // numbers that they are multiplied with: the sums of rounded products are 0, and all that is left is their
  // error.
  const double most = 0x1p39, rest = 0x1p16 - 1;
  std::uint64_t seed = 100;
  for (const std::string form : {"plain", "bias", "projected", "base 2", "rational bias"}) {
    for (const int kind : {0, 1, 2}) {
      for (const std::string rounded :
           {"random", "apart", "contexts", "queries", "key", "query", "keys", "projected"}) {
        if ((form == "projected") != (rounded == "keys" || rounded == "projected") && rounded != "random" &&
            rounded != "apart")
          continue;
        CAPTURE(form);
        CAPTURE(kind);
        CAPTURE(rounded);
        const int spread = rounded == "apart" ? 40 : rounded == "random" ? 3 : 0;
        Case c = large_case({std::mt19937_64(++seed), spread, 20}, form, kind == 1, kind == 2);
        const auto fill = [&](std::optional<ExactArray>& array, const std::string& name,
                              const std::string& partner, std::size_t stride) {
          if (!array || spread != 0) return;
          std::vector<double> entries(array->size(), most);
          for (std::size_t i = 0; i < entries.size(); ++i) {
            const double sign = i / stride % 2 == 0 ? 1 : -1;
            if (name == rounded) entries[i] += sign * rest;
            if (partner == rounded) entries[i] *= sign;
          }
          array = ExactArray(array->shape(), entries);
        };
        fill(c.data.contexts, "contexts", "key", 1);
        fill(c.weights->key, "key", "contexts", 8);
        fill(c.data.queries, "queries", "query", 1);
        fill(c.weights->query, "query", "queries", 8);
        fill(c.weights->projected_keys, "keys", "projected", 1);
        fill(c.weights->projected_queries, "projected", "keys", 1);
        const Problem problem(c);
        const Layer layer = given_layer(problem);
        Logits exact(problem, layer);
        const std::vector<std::size_t> heads{0, 2, 3};
        std::vector<std::size_t> examples;
        for (std::size_t t = 0; t < problem.T; t += 29) examples.push_back(t);
        std::size_t visited = 0;
        double worst = 0;
        visit_near_logits(
            problem, layer, heads, examples, [&](std::size_t r, std::size_t k, const NearLogits& near) {
              ++visited;
              const Vector found = exact.of_tokens(heads[k], examples[r]);
              REQUIRE(found.size() == near.values.size());
              for (std::size_t i = 0; i < found.size(); ++i) {
                const Rational value(near.times * static_cast<long>(near.values[i])),
                    off = abs(found[i] * Rational(near.den) - value);
                if (off > 0)
                  worst = std::max(worst, off > near.error ? 2 : Rational(off / near.error).get_d());
              }
            });
        CHECK(visited == heads.size() * examples.size());
        CHECK(worst <= 1);
        if (spread == 0) CHECK(worst > 0.2);
      }
    }
  }
}

TEST_CASE("what integers tell of largest coefficients is what exact logits tell") {
  std::uint64_t seed = 200;
  std::size_t told = 0, differ = 0;
  for (const std::string form : {"plain", "bias", "projected", "base 2"}) {
    for (const int kind : {0, 2}) {
      for (const int digits : {9, 20}) {
        Case c = large_case({std::mt19937_64(++seed), 2, 20}, form, kind == 1, kind == 2);
        // So that logits are some units apart.
        c.layer->logit_scale.rational =
            Rational(1, Integer(10) * (Integer(1) << static_cast<unsigned>(80 + digits)));
        const Problem problem(c);
        const Layer layer = given_layer(problem);
        std::vector<std::size_t> examples = all_below(problem.T), heads = all_below(problem.H);
        for (const Rational& threshold : {Rational(1, 2), Rational(99, 100)}) {
          const auto found = sides_of_largest_coefficients(problem, layer, heads, examples, threshold, 64);
          Logits logits(problem, layer);
          const Integer square = Integer(1) << 128, cut = floor(threshold * Rational(Integer(1) << 64));
          Powers powers(c.layer->base, 64, left_scale(problem, layer.ring));
          for (std::size_t t = 0; t < problem.T; t += 61)
            for (const std::size_t h : heads) {
              Enclosure sum;
              powers.of(logits(h, t), sum);
              const bool above = sum.most <= square / (cut + 1),
                         below = sum.least >= (square + cut - 1) / cut;
              told += above || below;
              differ += found[t][h].above != above || found[t][h].below != below;
            }
        }
      }
    }
  }
  CHECK(told > 100);
  CHECK(differ == 0);
}
