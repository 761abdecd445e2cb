#include "search/character_z.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "search/arithmetic/modular.hpp"
#include "tests/attention/image.hpp"
#include "tests/support.hpp"

using namespace attest;
using test::Random;

namespace {

using Storage = ExactArray::Storage;

// binary32 storage where arrays have it, binary64 otherwise.
template <class Any>
Any floats(const std::vector<double>& values) {
  if constexpr (std::is_constructible_v<Any, std::vector<float>>)
    return std::vector<float>(values.begin(), values.end());
  else
    return values;
}

// Random entries of one of the storages; the floats have all kinds of exponents, every one a binary32.
ExactArray array(Random& random, std::vector<std::size_t> shape, int kind) {
  std::size_t size = 1;
  for (std::size_t s : shape) size *= s;
  std::vector<double> doubles;
  std::vector<std::int64_t> integers;
  std::vector<mpq_class> rationals;
  for (std::size_t k = 0; k < size; ++k) {
    doubles.push_back(
        std::ldexp(static_cast<double>(random.integer(1 << 20)), static_cast<int>(random.integer(100)) - 40));
    if (random.one_in(8)) doubles.back() = 0x1p-149;
    integers.push_back(random.integer(1000000000));
    rationals.push_back(random.rational(50, 9));
  }
  Storage storage = kind == 0   ? Storage(doubles)
                    : kind == 1 ? floats<Storage>(doubles)
                    : kind == 2 ? Storage(integers)
                                : Storage(rationals);
  return ExactArray(std::move(shape), std::move(storage));
}

struct Sizes {
  std::size_t T, n, d, H, d_h;
};

Case random_case(Random& random, const Sizes& s, bool shared, bool combined, bool bias, int kind) {
  Case c;
  c.layer.emplace();
  c.layer->examples = s.T;
  c.layer->context = s.n;
  c.layer->embed_dim = s.d;
  c.layer->heads = s.H;
  c.layer->head_dim = s.d_h;
  c.data.shared_context = shared;
  c.data.contexts = shared ? array(random, {s.n, s.d}, kind) : array(random, {s.T, s.n, s.d}, kind);
  c.data.queries = array(random, {s.T, s.d}, kind);
  c.weights.emplace();
  if (combined) {
    c.weights->combined = array(random, {s.H, s.d, s.d}, kind);
  } else {
    c.weights->key = array(random, {s.H, s.d, s.d_h}, kind);
    c.weights->query = array(random, {s.H, s.d, s.d_h}, kind);
    if (bias) c.weights->query_bias = array(random, {s.H, s.d_h}, kind);
  }
  return c;
}

std::uint64_t residue_at(const ExactArray& a, std::size_t k, std::uint64_t m) {
  return *residue(a.at(k), m);
}

// Z by the definition, in integer arithmetic: entries are residues of their exact values, sums are reduced
// term by term.
ModularMatrix slow_z(const AttentionLayer& layer, const Character& character) {
  const Dimensions& s = layer.dims();
  const Data& data = layer.data();
  const std::uint64_t p = character.p, q = character.q;
  const std::size_t T = s.examples, n = s.context, d = s.embed_dim;
  const auto tokens_p = *residues(*data.contexts, p), tokens_q = *residues(*data.contexts, q),
             queries = *residues(*data.queries, q);
  ModularMatrix z(T, s.heads * d);
  for (std::size_t h = 0; h < s.heads; ++h) {
    std::vector<std::uint64_t> w(d * d, 0), shift(d, 0);  // W_h, and K b
    auto add = [&](std::uint64_t& to, std::uint64_t x, std::uint64_t y) {
      to = (to + multiply_mod(x, y, q)) % q;
    };
    if (!layer.factors().empty()) {
      const HeadFactors& f = layer.factors()[h];
      for (std::size_t k = 0; k < f.key.size(); ++k) {
        const auto key = entries(f.key[k]), query = entries(f.query[k]);
        for (std::size_t i = 0; i < d; ++i)
          for (std::size_t j = 0; j < d; ++j) add(w[i * d + j], *residue(key[i], q), *residue(query[j], q));
      }
    } else if (layer.weights()->combined) {
      for (std::size_t k = 0; k < d * d; ++k) w[k] = residue_at(*layer.weights()->combined, h * d * d + k, q);
    } else {
      const std::size_t m = s.head_dim;
      const auto key = *residues(*layer.weights()->key, q), query = *residues(*layer.weights()->query, q);
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t k = 0; k < m; ++k) {
          for (std::size_t j = 0; j < d; ++j)
            add(w[i * d + j], key[(h * d + i) * m + k], query[(h * d + j) * m + k]);
          if (layer.weights()->query_bias)
            add(shift[i], key[(h * d + i) * m + k], residue_at(*layer.weights()->query_bias, h * m + k, q));
        }
    }
    const std::uint64_t scale =
        layer.ring() == Ring::two && layer.factors().empty() ? *residue(s.logit_scale.rational, q) : 1;
    for (std::size_t t = 0; t < T; ++t) {
      const std::size_t context = data.shared_context ? 0 : t * n * d;
      std::vector<std::uint64_t> direction = shift, alpha(n);
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) add(direction[i], w[i * d + j], queries[t * d + j]);
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t logit = 0;
        for (std::size_t j = 0; j < d; ++j) add(logit, direction[j], tokens_q[context + i * d + j]);
        alpha[i] = power_mod(character.g, multiply_mod(logit, scale, q), p);
        sum = (sum + alpha[i]) % p;
      }
      REQUIRE(sum != 0);
      for (std::size_t i = 0; i < n; ++i) {
        alpha[i] = multiply_mod(alpha[i], inverse_mod(sum, p), p);
        for (std::size_t j = 0; j < d; ++j) {
          std::uint64_t& x = z(t, h * d + j);
          x = (x + multiply_mod(alpha[i], tokens_p[context + i * d + j], p)) % p;
        }
      }
    }
  }
  return z;
}

std::vector<std::size_t> all_examples(const AttentionLayer& layer) {
  std::vector<std::size_t> result(layer.dims().examples);
  std::iota(result.begin(), result.end(), std::size_t{0});
  return result;
}

// Rows in another order, with gaps between them; one head alone; all at once.
void check_rows(const AttentionLayer& layer, const Character& character, Random& random) {
  const ModularMatrix expected = slow_z(layer, character);
  const std::size_t width = expected.cols(), d = layer.dims().embed_dim, ld = width + 3;
  const LayerImage image(layer, character);
  REQUIRE(image.defined());
  REQUIRE(image.width() == width);
  std::vector<std::size_t> examples = random.permutation(expected.rows());
  examples.resize(random.between(1, examples.size()));
  examples.push_back(examples[0]);
  std::vector<double> rows(examples.size() * ld, 0.5);
  REQUIRE(image.rows(examples, rows.data(), ld));
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    for (std::size_t j = 0; j < width; ++j)
      if (rows[k * ld + j] != blas::balanced(expected(examples[k], j), character.p)) ++wrong;
    for (std::size_t j = width; j < ld; ++j) CHECK(rows[k * ld + j] == 0.5);
  }
  const std::size_t h = random.below(layer.dims().heads);
  const LayerImage one(layer, character, h);
  std::vector<double> block(expected.rows() * d);
  REQUIRE(one.rows(all_examples(layer), block.data(), d));
  for (std::size_t t = 0; t < expected.rows(); ++t)
    for (std::size_t j = 0; j < d; ++j)
      if (block[t * d + j] != blas::balanced(expected(t, h * d + j), character.p)) ++wrong;
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("rows of Z are those of the definition, for every kind of entries and weights") {
  FOR_SEEDS(96, 0) {
    const Sizes sizes{random.between(1, 9), random.between(1, 6), random.between(1, 5), random.between(1, 4),
                      random.between(1, 3)};
    Case c = random_case(random, sizes, seed % 3 == 0, seed % 4 == 0, seed % 5 == 0,
                         static_cast<int>(seed / 3 % 4));
    if (seed % 6 == 1) c.layer->base = Base::two;
    if (seed % 12 == 1) c.layer->logit_scale.rational = mpq_class(2, 3);
    const AttentionLayer layer(c, *c.weights);
    check_rows(layer, small_character(layer.ring(), seed % 7), random);
  }
}

TEST_CASE("rows of Z: factors of any number, none too") {
  FOR_SEEDS(30, 100) {
    const Sizes sizes{random.between(1, 8), random.between(1, 5), random.between(1, 4), random.between(1, 4),
                      1};
    const Case c = random_case(random, sizes, seed % 2 == 0, false, false, 3);
    std::vector<HeadFactors> heads(sizes.H);
    for (HeadFactors& f : heads)
      for (std::size_t k = random.below(3); k > 0; --k)
        for (auto* side : {&f.key, &f.query}) {
          const RationalMatrix v = random.matrix(1, sizes.d, 9, 5);
          side->push_back(RationalVector(std::vector<mpq_class>(v.data(), v.data() + sizes.d)));
        }
    check_rows(AttentionLayer(c, heads), small_character(Ring::independent, seed), random);
  }
}

TEST_CASE("rows of Z: equal contexts, in any order, are evaluated together") {
  FOR_SEEDS(30, 200) {
    const Sizes sizes{random.between(2, 40), random.between(1, 6), random.between(1, 5), random.between(1, 3),
                      random.between(1, 3)};
    Case c = random_case(random, sizes, false, seed % 3 == 0, false, 0);
    std::vector<double> contexts = std::get<std::vector<double>>(c.data.contexts->storage());
    const std::size_t size = sizes.n * sizes.d, kinds = seed % 2 == 0 ? 1 : random.between(1, 4);
    for (std::size_t t = 0; t < sizes.T; ++t)
      std::copy_n(contexts.begin() + static_cast<std::ptrdiff_t>(random.below(std::min(kinds, t + 1)) * size),
                  size, contexts.begin() + static_cast<std::ptrdiff_t>(t * size));
    c.data.contexts = ExactArray({sizes.T, sizes.n, sizes.d}, contexts);
    const AttentionLayer layer(c, *c.weights);
    check_rows(layer, small_character(layer.ring(), 0), random);
  }
}

TEST_CASE("rows of Z: the largest residues, in sums and contexts longer than one product or tile") {
  const Character character = small_character(Ring::independent, 0);
  for (const std::uint64_t m : {character.p, character.q})
    for (const bool shared : {false, true}) {
      // Sums over d = 2100 > 2048 tokens' entries mod q and n = 520 > 512 tokens mod p; n d > 2^20.
      const Sizes sizes{2, 520, 2100, 1, 1};
      Case c;
      c.layer.emplace();
      c.layer->examples = sizes.T;
      c.layer->context = sizes.n;
      c.layer->embed_dim = sizes.d;
      c.layer->heads = c.layer->head_dim = 1;
      c.data.shared_context = shared;
      const auto extreme = static_cast<std::int64_t>(m / 2),
                 q_half = static_cast<std::int64_t>(character.q / 2);
      std::vector<std::int64_t> contexts((shared ? 1 : sizes.T) * sizes.n * sizes.d, extreme),
          queries(sizes.T * sizes.d, q_half), key(sizes.d, -q_half), query(sizes.d, q_half);
      contexts[7] = 1;
      queries[3] = 5;
      c.data.contexts = shared ? ExactArray({sizes.n, sizes.d}, contexts)
                               : ExactArray({sizes.T, sizes.n, sizes.d}, contexts);
      c.data.queries = ExactArray({sizes.T, sizes.d}, queries);
      c.weights.emplace();
      c.weights->key = ExactArray({1, sizes.d, 1}, key);
      c.weights->query = ExactArray({1, sizes.d, 1}, query);
      Random random(1);
      check_rows(AttentionLayer(c, *c.weights), character, random);
    }
}

TEST_CASE("denominators that p or q divides: no image") {
  Random random(3);
  const Case good = random_case(random, {3, 2, 2, 2, 2}, false, false, true, 3);
  const Character character = small_character(Ring::independent, 0);
  const mpq_class over_p(1, static_cast<unsigned long>(character.p)),
      over_q(1, static_cast<unsigned long>(character.q));
  auto defined = [&](auto change, std::optional<std::size_t> head = std::nullopt) {
    Case c = good;
    change(c);
    const AttentionLayer layer(c, *c.weights);
    const bool result = LayerImage(layer, character, head).defined();
    if (!head) CHECK(rank_under(layer, character).has_value() == result);
    return result;
  };
  auto put = [](std::optional<ExactArray>& to, std::size_t k, const mpq_class& x) {
    auto entries = std::get<std::vector<mpq_class>>(to->storage());
    entries[k] = x;
    to = ExactArray(to->shape(), entries);
  };
  CHECK(defined([](Case&) {}));
  CHECK_FALSE(defined([&](Case& c) { put(c.data.contexts, 5, over_p); }));
  CHECK_FALSE(defined([&](Case& c) { put(c.data.contexts, 11, over_q); }));
  CHECK_FALSE(defined([&](Case& c) { put(c.data.queries, 5, over_q); }));
  CHECK(defined([&](Case& c) { put(c.data.queries, 5, over_p); }));  // queries are only needed mod q
  CHECK_FALSE(defined([&](Case& c) { put(c.weights->key, 7, over_q); }));
  CHECK_FALSE(defined([&](Case& c) { put(c.weights->query, 7, over_q); }));
  CHECK_FALSE(defined([&](Case& c) { put(c.weights->query_bias, 3, over_q); }));
  CHECK(defined([&](Case& c) { put(c.weights->key, 7, over_p); }));
  CHECK(defined([&](Case& c) { put(c.weights->key, 7, over_q); }, 0));  // an entry of head 1
  CHECK_FALSE(defined([&](Case& c) { put(c.weights->key, 7, over_q); }, 1));
  CHECK_FALSE(defined([&](Case& c) {
    c.layer->base = Base::two;
    c.layer->logit_scale.rational = over_q;
  }));
}

TEST_CASE("a softmax denominator that vanishes mod p: no rows, no rank") {
  const Character character = small_character(Ring::independent, 0);
  const std::uint64_t p = character.p;
  // 1 + g^x + g^y = 0 mod p
  std::uint64_t x = 0, rest = 0;
  do {
    ++x;
    rest = (2 * p - 1 - power_mod(character.g, x, p)) % p;
  } while (power_mod(rest, character.q, p) != 1);
  std::uint64_t y = 0, power = 1;
  while (power != rest) {
    ++y;
    power = power * character.g % p;
  }
  for (const std::uint64_t last : {y, y + 1}) {
    Case c;
    c.layer.emplace();
    c.layer->examples = c.layer->embed_dim = c.layer->heads = c.layer->head_dim = 1;
    c.layer->context = 3;
    c.data.contexts = ExactArray({1, 3, 1}, std::vector<std::int64_t>{0, static_cast<std::int64_t>(x),
                                                                      static_cast<std::int64_t>(last)});
    c.data.queries = ExactArray({1, 1}, std::vector<std::int64_t>{1});
    c.weights.emplace();
    c.weights->combined = ExactArray({1, 1, 1}, std::vector<std::int64_t>{1});
    const AttentionLayer layer(c, *c.weights);
    const LayerImage image(layer, character);
    REQUIRE(image.defined());
    double z = 0;
    CHECK(image.rows(all_examples(layer), &z, 1) == (last != y));
    CHECK(rank_under(layer, character).has_value() == (last != y));
  }
}

TEST_CASE("rank under a character: minor, ranks after each head, stopping early") {
  FOR_SEEDS(60, 300) {
    const Sizes sizes{random.between(1, 40), random.between(1, 4), random.between(1, 5), random.between(1, 5),
                      2};
    const Case c = random_case(random, sizes, seed % 2 == 0, false, false, 2);
    const AttentionLayer layer(c, *c.weights);
    const Character character = small_character(layer.ring(), 0);
    const ModularMatrix z = slow_z(layer, character);
    const MinorIndices expected = rank_profiles(z, character.p);
    const auto found = rank_under(layer, character);
    REQUIRE(found.has_value());
    CHECK(found->minor.rows == expected.rows);
    CHECK(found->minor.cols == expected.cols);
    REQUIRE(found->after_head.size() == sizes.H);
    for (std::size_t h = 1; h <= sizes.H; ++h) {
      ModularMatrix first(sizes.T, h * sizes.d);
      for (std::size_t t = 0; t < sizes.T; ++t) std::copy_n(z.row(t), first.cols(), first.row(t));
      CHECK(found->after_head[h - 1] == rank_profiles(first, character.p).rank());
    }
    const auto early = rank_under(layer, character, expected.rank());
    REQUIRE(early.has_value());
    CHECK(early->minor.rows == expected.rows);
    CHECK(early->after_head == found->after_head);
    CHECK(rank_under(layer, character, 0)->rank() == 0);
  }
}

TEST_CASE("rank under a character: tokens that span the constants, or do not, and coefficients of any sum") {
  FOR_SEEDS(120, 800) {
    const std::size_t n = random.between(1, 4), d = n + random.between(1, 3), H = random.between(1, 4);
    Case c = random_case(random, {25, n, d, H, 2}, true, false, false, 2);
    std::vector<std::int64_t> tokens(n * d);
    for (std::int64_t& x : tokens) x = random.integer(2);
    for (std::size_t i = 0; i < n; ++i) {
      if (seed % 4 == 1) tokens[i * d + random.below(1 + seed % 2)] = 3;           // a coordinate is constant
      if (seed % 4 == 2) tokens[i * d + d - 1] = 1 - tokens[i * d];                // the sum of two is
      if (seed % 4 == 3) std::copy_n(&tokens[0], i == 1 ? d : 0, &tokens[i * d]);  // a token twice
    }
    if (seed % 8 == 7) std::fill_n(&tokens[0], d, 0);
    c.data.contexts = ExactArray({n, d}, tokens);
    c.layer->sigmoid = seed % 3 == 1;
    c.layer->sink = seed % 3 == 2;
    if (c.layer->sink) c.weights->sink = array(random, {H}, 2);
    const AttentionLayer layer(c, *c.weights);
    const Character character = small_character(layer.ring(), 0);
    const std::vector<double> image = *test::character_z(layer, character);
    ModularMatrix z(25, H * d);
    for (std::size_t k = 0; k < image.size(); ++k) z.data()[k] = blas::unbalanced(image[k], character.p);
    const MinorIndices expected = rank_profiles(z, character.p);
    const auto found = rank_under(layer, character);
    REQUIRE(found.has_value());
    CHECK(found->minor.rows == expected.rows);
    CHECK(found->minor.cols == expected.cols);
    for (std::size_t h = 1; h <= H; ++h) {
      ModularMatrix first(25, h * d);
      for (std::size_t t = 0; t < 25; ++t) std::copy_n(z.row(t), first.cols(), first.row(t));
      CHECK(found->after_head[h - 1] == rank_profiles(first, character.p).rank());
    }
  }
}

TEST_CASE("rank under a character: more examples than a block of rows") {
  Random random(5);
  const Sizes sizes{1300, 3, 3, 250, 1};
  const Case c = random_case(random, sizes, false, false, false, 0);
  const AttentionLayer layer(c, *c.weights);
  const Character character = small_character(layer.ring(), 0);
  const ModularMatrix z = slow_z(layer, character);
  const MinorIndices expected = rank_profiles(z, character.p);
  const auto found = rank_under(layer, character);
  REQUIRE(found.has_value());
  CHECK(found->minor.rows == expected.rows);
  CHECK(found->minor.cols == expected.cols);
}
