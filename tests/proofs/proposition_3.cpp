// All activation patterns by brute force: every set of examples as an active set, or every set that a
// half-space cuts off, found from the hyperplanes through the data. For each, the outputs are a linear space;
// labels that no network fits lie in none of them. For given labels the inequalities count too: the oracle's
// search.
#include <set>

#include "problem/numbers.hpp"
#include "tests/oracle/network.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

using Set = std::uint32_t;

// The flattened inputs (E_t, e_t) with a last column of ones.
RationalMatrix long_inputs(const Case& c) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim, T = c.layer->examples;
  RationalMatrix x(T, (n + 1) * d + 1);
  for (std::size_t t = 0; t < T; ++t) {
    const RationalMatrix tokens = tokens_of(c, t);
    for (std::size_t k = 0; k < n * d; ++k) x(t, k) = tokens.data()[k];
    for (std::size_t j = 0; j < d; ++j) x(t, n * d + j) = c.data.queries->at(t * d + j);
    x(t, (n + 1) * d) = 1;
  }
  return x;
}

// Columns that span the outputs of networks whose neurons have these active sets.
RationalMatrix pattern_space(const RationalMatrix& inputs, const std::vector<Set>& active, bool output_bias) {
  const std::size_t width = inputs.cols();
  RationalMatrix a(inputs.rows(), active.size() * width + (output_bias ? 1 : 0));
  for (std::size_t t = 0; t < a.rows(); ++t) {
    for (std::size_t j = 0; j < active.size(); ++j)
      for (std::size_t k = 0; k < width && (active[j] >> t & 1) != 0; ++k) a(t, j * width + k) = inputs(t, k);
    if (output_bias) a(t, a.cols() - 1) = 1;
  }
  return a;
}

bool in_span(const RationalMatrix& a, const Numbers& y) {
  RationalMatrix more(a.rows(), a.cols() + 1);
  for (std::size_t t = 0; t < a.rows(); ++t) {
    for (std::size_t k = 0; k < a.cols(); ++k) more(t, k) = a(t, k);
    more(t, a.cols()) = y[t];
  }
  return textbook_rank(more) == textbook_rank(a);
}

std::vector<Set> all_sets(std::size_t T) {
  std::vector<Set> sets;
  for (Set s = 0; s < Set{1} << T; ++s) sets.push_back(s);
  return sets;
}

// {t : u . x_t > 0} over all u with u . x_t != 0 everywhere, x_t = (point, 1): next to the ray of each such
// cell's closure on which as many u . x_t as possible are 0. The points are in general position.
std::vector<Set> half_space_cuts(const RationalMatrix& points) {
  const std::size_t T = points.rows(), d = points.cols();
  RationalMatrix x(T, d + 1);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t j = 0; j < d; ++j) x(t, j) = points(t, j);
    x(t, d) = 1;
  }
  std::set<Set> cuts;
  for (Set through = 0; through < Set{1} << T; ++through) {
    std::vector<std::size_t> on;
    for (std::size_t t = 0; t < T; ++t)
      if ((through >> t & 1) != 0) on.push_back(t);
    if (on.size() != d) continue;
    const RationalMatrix u = test::null_space(rows_of(x, on)), values = test::product(x, u);
    REQUIRE(u.cols() == 1);
    Set positive = 0, negative = 0;
    for (std::size_t t = 0; t < T; ++t) {
      if (values(t, 0) > 0) positive |= Set{1} << t;
      if (values(t, 0) < 0) negative |= Set{1} << t;
    }
    REQUIRE((positive | negative | through) == (Set{1} << T) - 1);
    for (Set part = through;; part = (part - 1) & through) {
      cuts.insert(positive | part);
      cuts.insert(negative | part);
      if (part == 0) break;
    }
  }
  // The number of cells of an arrangement of T hyperplanes through 0 in general position.
  std::size_t cells = 0, binomial = 1;
  for (std::size_t i = 0; i <= d; ++i) {
    cells += 2 * binomial;
    binomial = binomial * (T - 1 - i) / (i + 1);
  }
  CHECK(cuts.size() == cells);
  return {cuts.begin(), cuts.end()};
}

// Calls f for all multisets of m of the sets, until it returns true.
template <class F>
bool any_pattern(const std::vector<Set>& sets, std::size_t m, F f) {
  std::vector<std::size_t> at(m, 0);
  while (true) {
    std::vector<Set> active;
    for (const std::size_t k : at) active.push_back(sets[k]);
    if (f(active)) return true;
    std::size_t j = m;
    while (j > 0 && at[j - 1] + 1 == sets.size()) --j;
    if (j == 0) return false;
    const std::size_t next = at[j - 1] + 1;
    for (std::size_t k = j - 1; k < m; ++k) at[k] = next;
  }
}

bool some_pattern_spans(const RationalMatrix& inputs, const std::vector<Set>& sets, std::size_t m, bool bias,
                        const Numbers& y) {
  return any_pattern(sets, m, [&](const std::vector<Set>& active) {
    return in_span(pattern_space(inputs, active, bias), y);
  });
}

RationalMatrix short_inputs(const Case& c) {
  RationalMatrix x(c.layer->examples, c.layer->embed_dim + 1);
  const RationalMatrix queries = queries_of(c);
  for (std::size_t t = 0; t < x.rows(); ++t) {
    for (std::size_t j = 0; j + 1 < x.cols(); ++j) x(t, j) = queries(t, j);
    x(t, x.cols() - 1) = 1;
  }
  return x;
}

struct Size {
  std::size_t m, d, n;
  bool bias;
  std::size_t k() const { return m * (d + 1) + (bias ? 1 : 0); }
  std::string body(const char* labels) const {
    return "neurons = " + std::to_string(m) + "\nlabels = \"" + labels +
           "\"\noutput_bias = " + (bias ? "true" : "false") + "\n";
  }
};

// Contexts [I_n 0]; integer queries in general position, linearly and affinely.
Draft drafted(Random& random, const Size& size, std::size_t T) {
  Draft draft = sized_draft(1, size.n, size.d, 1, T);
  for (std::size_t i = 0; i < size.n; ++i)
    for (std::size_t j = 0; j < size.d; ++j) draft.contexts.emplace_back(i == j ? 1 : 0);
  while (true) {
    draft.queries = integers(random, T * size.d, static_cast<long>(T) + 2);
    RationalMatrix x(T, size.d), with_one(T, size.d + 1);
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t j = 0; j < size.d; ++j) with_one(t, j) = x(t, j) = draft.queries[t * size.d + j];
      with_one(t, size.d) = 1;
    }
    if (textbook_kruskal_rank(x) == std::min(T, size.d) &&
        textbook_kruskal_rank(with_one) == std::min(T, size.d + 1))
      return draft;
  }
}

Numbers powers(const mpz_class& base, std::size_t T) {
  Numbers y;
  mpz_class power = 1;
  for (std::size_t t = 0; t < T; ++t, power *= base) y.emplace_back(power);
  return y;
}

// The labels of the theorem `integer-labels`: the powers of B + 2, B the least integer with
// B^2 >= (k b^2)^k, b >= 1 the largest absolute value of an entry of contexts and queries.
struct IntegerLabels {
  mpz_class bound, base;
};
IntegerLabels integer_labels(const Case& c, const Size& size) {
  mpq_class b = 1;
  for (const ExactArray* array : {&*c.data.contexts, &*c.data.queries})
    for (std::size_t i = 0; i < array->size(); ++i) b = std::max(b, mpq_class(abs(array->at(i))));
  mpz_class square;
  const mpz_class factor = static_cast<unsigned long>(size.k()) * b.get_num() * b.get_num();
  mpz_pow_ui(square.get_mpz_t(), factor.get_mpz_t(), size.k());
  mpz_class root = sqrt(square);
  if (root * root < square) ++root;
  return {root, root + 2};
}

const std::vector<Size> kSizes = {{1, 1, 1, false}, {1, 1, 1, true},  {2, 1, 1, false},
                                  {2, 1, 1, true},  {3, 1, 1, false}, {1, 2, 2, false},
                                  {1, 2, 1, true},  {2, 2, 2, false}, {1, 3, 2, false}};

}  // namespace

TEST_CASE("Proposition 3, integer labels: no activation pattern spans them") {
  std::size_t patterns = 0;
  for (const Size& size : kSizes)
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      PRINTED_SEED(seed);
      CAPTURE(size.m);
      CAPTURE(size.d);
      CAPTURE(size.bias);
      Random random(seed);
      Draft draft = drafted(random, size, size.k() + 1);
      draft.claims = {claim("proposition-3", size.body("integer"))};
      const auto [c, proof] = proved(draft);
      CHECK(proof.verdict() == Verdict::verified);
      CHECK(proof.finding.shown.back().name == "parameters.examples_needed");
      CHECK(proof.finding.shown.back().bounds.lower == static_cast<unsigned long>(size.k() + 1));
      CHECK(has_step(proof, "theorem", "integer-labels"));
      const Numbers y = powers(integer_labels(c, size).base, c.layer->examples);

      const RationalMatrix inputs = short_inputs(c);
      const std::vector<Set> cuts = half_space_cuts(queries_of(c)),
                             sets = size.m * c.layer->examples <= 10 ? all_sets(c.layer->examples) : cuts;
      CHECK_FALSE(any_pattern(sets, size.m, [&](const std::vector<Set>& active) {
        ++patterns;
        const RationalMatrix space = pattern_space(inputs, active, size.bias);
        return textbook_rank(space) > size.k() || in_span(space, y);
      }));
      // The constant part of the long inputs adds nothing to the short ones.
      const RationalMatrix flat = long_inputs(c);
      any_pattern(cuts, 1, [&](const std::vector<Set>& active) {
        CHECK(textbook_rank(pattern_space(flat, active, size.bias)) ==
              textbook_rank(pattern_space(inputs, active, size.bias)));
        return false;
      });
      // Labels that a network made are spanned: the enumeration can also say yes.
      const RationalMatrix u = random.matrix(inputs.cols(), size.m, 5), h = test::product(inputs, u);
      Numbers made(c.layer->examples, mpq_class(size.bias ? 3 : 0));
      for (std::size_t t = 0; t < made.size(); ++t)
        for (std::size_t j = 0; j < size.m; ++j)
          if (h(t, j) > 0) made[t] += (j % 2 == 0 ? 2 : -3) * h(t, j);
      CHECK(some_pattern_spans(inputs, cuts, size.m, size.bias, made));
    }
  MESSAGE("Proposition 3: ", patterns, " patterns");
}

TEST_CASE("Proposition 3: minors stay below Hadamard's bound, and the powers have no small relation") {
  for (const Size& size : {Size{1, 1, 1, false}, Size{1, 1, 1, true}, Size{1, 2, 2, false}}) {
    Random random(7);
    Draft draft = drafted(random, size, size.k() + 1);
    draft.claims = {claim("proposition-3", size.body("integer"))};
    const Case c = read(draft);
    CHECK(has_step(certified(c)[0], "theorem", "integer-labels"));
    const auto [bound, base] = integer_labels(c, size);
    mpz_class largest = 0;
    any_pattern(all_sets(c.layer->examples), size.m, [&](const std::vector<Set>& active) {
      // The vectors that kill a space of rank k have k x k minors as entries: k columns, all rows but one.
      const RationalMatrix space = pattern_space(short_inputs(c), active, size.bias);
      for (std::size_t left_out = 0; left_out < space.rows(); ++left_out) {
        std::vector<std::size_t> p;
        for (std::size_t t = 0; t < space.rows(); ++t)
          if (t != left_out) p.push_back(t);
        largest = std::max(largest, mpz_class(abs(leibniz(rows_of(space, p)).get_num())));
      }
      return false;
    });
    CHECK(largest > 0);
    CHECK(largest <= bound);
    CHECK(base == bound + 2);
  }
  // Coefficients of at most 3: a relation of 1, s, s^2, s^3 exists for s = 3, none for 3 + 2.
  for (const long s : {2L, 3L, 5L, 9L}) {
    std::size_t relations = 0;
    for (long a = -3; a <= 3; ++a)
      for (long b = -3; b <= 3; ++b)
        for (long e = -3; e <= 3; ++e)
          for (long f = -3; f <= 3; ++f)
            relations += (a != 0 || b != 0 || e != 0 || f != 0) && a + s * (b + s * (e + s * f)) == 0 ? 1 : 0;
    CHECK((relations > 0) == (s <= 3));
  }
}

TEST_CASE("Proposition 3: with one example fewer the argument is refused, and it would be wrong") {
  for (const Size& size : kSizes) {
    CAPTURE(size.m);
    CAPTURE(size.d);
    CAPTURE(size.bias);
    Random random(11);
    Draft draft = drafted(random, size, size.k() + 1);
    const char* kinds[] = {"integer", "transcendental"};
    for (const char* kind : kinds) {
      draft.claims = {claim("proposition-3", size.body(kind))};
      draft.examples = size.k() + 1;
      const Proof enough = certified(read(draft))[0];
      REQUIRE(enough.verdict() == Verdict::verified);
      Draft fewer = draft;
      fewer.examples = size.k();
      fewer.queries.resize(size.k() * size.d);
      const auto [c, proof] = proved(fewer);
      CHECK(proof.verdict() == Verdict::inapplicable);
      CHECK(proof.conclusion() != Truth::yes);
      CHECK(proof.hypothesis("examples") == Truth::no);
      const std::string theorem = std::string(kind) + "-labels";
      Proof forged = proof;
      forged.steps.push_back(step(enough, "theorem", theorem));
      CHECK_FALSE(has_step(proof, "theorem", theorem));
      CHECK_FALSE(accepted(c, {forged}));
      // Some pattern spans everything.
      CHECK(any_pattern(half_space_cuts(queries_of(c)), size.m, [&](const std::vector<Set>& active) {
        return textbook_rank(pattern_space(short_inputs(c), active, size.bias)) == size.k();
      }));
    }
  }
}

TEST_CASE("Proposition 3: a base that is too small, where the labels are those of a network, other labels") {
  Draft draft = sized_draft(1, 1, 1, 1, 3);
  draft.contexts = {1};
  draft.queries = {1, 2, 4};
  draft.claims = {claim("proposition-3", "neurons = 1\n")};
  const auto [c, proof] = proved(draft);
  CHECK(proof.verdict() == Verdict::verified);
  // 1, 2, 4 are the queries themselves; the theorem's powers are on no line.
  CHECK(some_pattern_spans(short_inputs(c), all_sets(3), 1, false, powers(2, 3)));
  CHECK_FALSE(some_pattern_spans(short_inputs(c), all_sets(3), 1, false,
                                 powers(integer_labels(c, {1, 1, 1, false}).base, 3)));
  // The theorem is about its own labels.
  for (const char* other : {"network(transcendental) <= 0", "network(given) <= 0", "network(integer) >= 1"})
    CHECK_FALSE(accepted_after(c, proof, "theorem", "integer-labels", [&](Json& s) { s["fact"] = other; }));
  CHECK_FALSE(accepted_after(c, proof, "theorem", "integer-labels", [](Json& s) { s["uses"] = {0}; }));
}

TEST_CASE("Proposition 3, own data: the moment curve is in general position") {
  for (std::size_t d = 2; d <= 4; ++d)
    for (std::size_t m = 1; m <= 2; ++m) {
      Draft draft = sized_draft(1, 2, d, 1, m * (d + 1) + 1);
      draft.claims = {claim("proposition-3", "neurons = " + std::to_string(m) + "\n")};
      const auto [c, proof] = proved(draft);
      CHECK(proof.verdict() == Verdict::verified);
      CHECK(has_step(proof, "theorem", "moment-curve"));
      CHECK(textbook_kruskal_rank(queries_of(c)) == d);
      CHECK(textbook_rank(tokens_of(c, 0)) == 2);
      CHECK_FALSE(accepted_after(c, proof, "theorem", "moment-curve", [&](Json& s) {
        s["fact"] = "kruskal(queries) >= " + std::to_string(d + 1);
      }));
    }
}

TEST_CASE("Proposition 3: queries off the moment curve are examined, and the theorem is refused for them") {
  for (const Numbers& queries :
       {Numbers{1, 0, 1, 1, 1, 2, 1, 3}, Numbers{1, 0, 1, 1, 1, 2, 1, 2}, Numbers{1, 0, 1, 1, 1, 2, 2, 6}}) {
    Draft draft = sized_draft(1, 1, 2, 1, 4);
    draft.contexts = {1, 0};
    draft.queries = queries;
    draft.claims = {claim("proposition-3", "neurons = 1\n")};
    const Case c = read(draft);
    Proof proof = certified(c)[0];
    const bool on_curve = queries[7] == 3;
    CHECK(proof.verdict() == Verdict::verified);  // n = 1: no query is 0
    CHECK(has_step(proof, "theorem", "moment-curve") == on_curve);
    if (on_curve) continue;
    proof.steps.push_back({{"rule", "theorem"},
                           {"theorem", "moment-curve"},
                           {"uses", Json::array()},
                           {"fact", "kruskal(queries) >= 2"}});
    CHECK_FALSE(accepted(c, {proof}));
  }
}

TEST_CASE("Proposition 3, transcendental labels: every relation of a pattern is non-zero at them") {
  const slong precision = 256;
  const auto label = [&](unsigned long p) {
    Ball y;
    arb_sqrt_ui(y.get(), p, precision);
    arb_exp(y.get(), y.get(), precision);
    return y;
  };
  for (const Size& size :
       {Size{1, 1, 1, false}, Size{2, 1, 1, false}, Size{1, 2, 2, true}, Size{2, 2, 2, false}}) {
    CAPTURE(size.m);
    CAPTURE(size.d);
    Random random(5);
    Draft draft = drafted(random, size, size.k() + 1);
    draft.queries[0] += mpq_class(1, 7);  // rational inputs will do
    draft.claims = {claim("proposition-3", size.body("transcendental")),
                    claim("proposition-3", size.body("integer"))};
    const Case c = read(draft);
    const auto proofs = certified(c);
    CHECK(proofs[0].verdict() == Verdict::verified);
    CHECK(proofs[1].verdict() == Verdict::inapplicable);
    CHECK(has_step(proofs[0], "theorem", "transcendental-labels"));
    CHECK_FALSE(has_step(proofs[1], "theorem", "integer-labels"));
    std::vector<Ball> y;
    for (unsigned long p = 2; y.size() < c.layer->examples; ++p)
      if (mpz_probab_prime_p(mpz_class(p).get_mpz_t(), 30) == 2) y.push_back(label(p));
    any_pattern(half_space_cuts(queries_of(c)), size.m, [&](const std::vector<Set>& active) {
      const RationalMatrix relations =
          test::null_space(transposed(pattern_space(short_inputs(c), active, size.bias)));
      CHECK(relations.cols() > 0);
      for (std::size_t k = 0; k < relations.cols(); ++k) {
        Ball sum;
        for (std::size_t t = 0; t < y.size(); ++t)
          arb_addmul(sum.get(), y[t].get(), Ball(relations(t, k), precision).get(), precision);
        CHECK(arb_contains_zero(sum.get()) == 0);
      }
      return false;
    });
    // Without independent square roots there are relations: exp(sqrt 8) = exp(sqrt 2)^2.
    Ball square = label(2);
    arb_mul(square.get(), square.get(), square.get(), precision);
    CHECK(arb_overlaps(square.get(), label(8).get()) != 0);
    // Integer labels do not take fractions.
    Proof forged = proofs[1];
    forged.steps.push_back({{"rule", "theorem"},
                            {"theorem", "integer-labels"},
                            {"uses", Json::array()},
                            {"fact", "network(integer) <= 0"}});
    CHECK_FALSE(accepted(c, {proofs[0], forged}));
  }
}

TEST_CASE("Proposition 3, given labels: the search agrees with the oracle's, pattern by pattern") {
  std::size_t fits = 0, fails = 0;
  FOR_SEEDS(60, 0) {
    const std::size_t m = seed % 3 == 0 ? 2 : 1, d = m == 2 ? 1 : random.between(1, 2),
                      T = m == 2 ? 4 : random.between(3, 5);
    const bool bias = random.one_in(3), shared = random.one_in(2);
    Draft draft = sized_draft(1, 1, d, 1, T);
    draft.shared = shared;
    draft.contexts = integers(random, (shared ? 1 : T) * d, 2);
    draft.queries = integers(random, T * d, 3);
    draft.labels = integers(random, T, 2);
    if (random.one_in(3)) draft.labels[0] = draft.labels[1] = 0;
    draft.claims = {
        claim("relu-memorizes", "neurons = " + std::to_string(m) + (bias ? "\noutput_bias = true" : ""))};
    const auto [c, proof] = proved(draft);
    // Unequal contexts: the network sees the long input.
    const RationalMatrix inputs = shared ? short_inputs(c) : long_inputs(c);
    std::vector<Numbers> rows;
    for (std::size_t t = 0; t < T; ++t) rows.emplace_back(inputs.row(t), inputs.row(t) + inputs.cols() - 1);
    const bool expected = network_fits(rows, draft.labels, m, bias).value();
    CHECK(proof.verdict() == (expected ? Verdict::verified : Verdict::refuted));
    CHECK(proof.is("network(given)", expected ? 1 : 0));
    ++(expected ? fits : fails);
    if (expected) {
      CHECK_FALSE(
          accepted_after(c, proof, "compare", "network(given)", [](Json& s) { s["neurons"].erase(0); }));
      // The bias of the first neuron, moved: it may be inactive everywhere, its output weight may be 0.
      CHECK_FALSE(accepted_after(c, proof, "compare", "network(given)", [&](Json& s) {
        s["neurons"][0]["a"] = "1";
        s["neurons"][0]["b"] = "1000";
      }));
    } else {
      CHECK_FALSE(accepted_after(c, proof, "split", "network(given)", [](Json& s) { s["trees"].erase(0); }));
      CHECK_FALSE(accepted_after(c, proof, "split", "network(given)", [](Json& s) {
        for (Json& node : s["trees"][0])
          if (node.contains("examples"))
            for (Json& x : node["examples"]) x = "0";
      }));
    }
  }
  MESSAGE("given labels: ", fits, " fit, ", fails, " do not");
  CHECK(fits > 12);
  CHECK(fails > 12);
}
