// Which labels no network fits, and whether one fits given labels: what is decided, and what is refused. That
// the theorems and splits hold is proved in Coq.
#include "problem/numbers.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

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

Json theorem(const std::string& name, const std::string& fact) {
  return {{"rule", "theorem"}, {"theorem", name}, {"uses", Json::array()}, {"fact", fact}};
}

const std::vector<Size> kSizes = {{1, 1, 1, false}, {1, 1, 1, true},  {2, 1, 1, false},
                                  {2, 1, 1, true},  {3, 1, 1, false}, {1, 2, 2, false},
                                  {1, 2, 1, true},  {2, 2, 2, false}, {1, 3, 2, false}};

}  // namespace

TEST_CASE(
    "Proposition 3: one example more than parameters is enough, with one fewer the theorem is refused") {
  for (const Size& size : kSizes)
    for (const char* kind : {"integer", "transcendental"}) {
      CAPTURE(size.m);
      CAPTURE(size.d);
      CAPTURE(size.bias);
      Random random(11);
      Draft draft = drafted(random, size, size.k() + 1);
      draft.claims = {claim("proposition-3", size.body(kind))};
      const Proof enough = certified(read(draft))[0];
      REQUIRE(enough.verdict() == Verdict::verified);
      const auto needed =
          std::ranges::find(enough.finding.shown, "parameters.examples_needed", &Finding::Number::name);
      REQUIRE(needed != enough.finding.shown.end());
      CHECK(needed->bounds.lower == static_cast<unsigned long>(size.k() + 1));
      draft.examples = size.k();
      draft.queries.resize(size.k() * size.d);
      const auto [c, proof] = proved(draft);
      CHECK(proof.verdict() == Verdict::inapplicable);
      CHECK(proof.conclusion() != Truth::yes);
      CHECK(proof.hypothesis("examples") == Truth::no);
      const std::string theorem = std::string(kind) + "-labels";
      Proof forged = proof;
      forged.steps.push_back(step(enough, "theorem", theorem));
      CHECK_FALSE(has_step(proof, "theorem", theorem));
      CHECK_FALSE(accepted(c, {forged}));
    }
}

TEST_CASE("Proposition 3: the theorem is about its own labels") {
  Draft draft = sized_draft(1, 1, 1, 1, 3);
  draft.contexts = {1};
  draft.queries = {1, 2, 4};
  draft.claims = {claim("proposition-3", "neurons = 1\n")};
  const auto [c, proof] = proved(draft);
  CHECK(proof.verdict() == Verdict::verified);
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
    proof.steps.push_back(theorem("moment-curve", "kruskal(queries) >= 2"));
    CHECK_FALSE(accepted(c, {proof}));
  }
}

TEST_CASE("Proposition 3: transcendental labels take fractions, integer labels do not") {
  Random random(5);
  const Size size{1, 2, 2, true};
  Draft draft = drafted(random, size, size.k() + 1);
  draft.queries[0] += mpq_class(1, 7);
  draft.claims = {claim("proposition-3", size.body("transcendental")),
                  claim("proposition-3", size.body("integer"))};
  const Case c = read(draft);
  auto proofs = certified(c);
  CHECK(proofs[0].verdict() == Verdict::verified);
  CHECK(proofs[1].verdict() == Verdict::inapplicable);
  CHECK(has_step(proofs[0], "theorem", "transcendental-labels"));
  proofs[1].steps.push_back(theorem("integer-labels", "network(integer) <= 0"));
  CHECK_FALSE(accepted(c, proofs));
}

TEST_CASE("Proposition 3, given labels: each is decided, and steps that show less are refused") {
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
    const bool fitted = proof.verdict() == Verdict::verified;
    CHECK(proof.verdict() == (fitted ? Verdict::verified : Verdict::refuted));
    CHECK(proof.is("network(given)", fitted ? 1 : 0));
    ++(fitted ? fits : fails);
    if (fitted) {
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
