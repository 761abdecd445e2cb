
#include "problem/numbers.hpp"
#include "search/arithmetic/flint.hpp"
#include "tests/proofs/cases.hpp"
#include "tests/proofs/constructions.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Draft labelled(Random& random, std::size_t H, std::size_t n, std::size_t d, std::size_t dh, std::size_t T,
               bool shared, Base base, std::size_t output_dim = 1) {
  Draft draft = random_draft(random, H, n, d, dh, T, shared, 20).without_weights();
  draft.base = base;
  draft.output_dim = output_dim;
  draft.labels = rationals(random, T * output_dim, 9, 4);
  draft.claims = {claim("theorem-1")};
  return draft;
}

}  // namespace

TEST_CASE("memorization on random shapes, with the read-out checked from scratch") {
  std::size_t enclosed = 0;
  FOR_SEEDS(48, 0) {
    const std::size_t n = random.between(1, 4), d = n + random.below(2), H = random.between(1, 3),
                      dh = random.between(1, 4);
    const std::size_t bound = H * (std::min(n, dh) - 1) + 1,
                      T = seed % 3 == 0 ? bound : random.between(1, bound);
    const auto [c, proof] = proved(labelled(random, H, n, d, dh, T, seed % 2 == 0,
                                            seed % 4 < 2 ? Base::e : Base::two, 1 + random.below(2)));
    if (proof.hypothesis("assumption-1") == Truth::yes && proof.hypothesis("assumption-2") == Truth::yes)
      CHECK(proof.verdict() == Verdict::verified);
    if (proof.verdict() != Verdict::verified) continue;
    CHECK(proof.is("capacity", T));
    CHECK(proof.is("readout", 1));
    check_enclosure(c, step(proof, "let"), step(proof, "inverse", "readout"),
                    rational_matrix(*c.data.labels));
    ++enclosed;
  }
  MESSAGE(enclosed << " read-outs");
  CHECK(enclosed >= 23);
}

TEST_CASE("without labels there is no read-out, and the conclusion is for all labels") {
  Random random(1);
  Draft draft = labelled(random, 2, 3, 3, 3, 5, false, Base::e);
  draft.labels.clear();
  const Proof proof = certified(read(draft))[0];
  CHECK(proof.verdict() == Verdict::verified);
  CHECK_FALSE(has_step(proof, "inverse", "readout"));
}

TEST_CASE("a limit on the read-out leaves the theorem as it is") {
  Random random(2);
  const Case c = read(labelled(random, 2, 3, 3, 3, 5, true, Base::e));
  Effort effort;
  effort.readout_examples = 4;
  const Proof proof = certified(c, effort)[0];
  CHECK(proof.verdict() == Verdict::verified);
  CHECK_FALSE(has_step(proof, "inverse", "readout"));
}

TEST_CASE("too many examples: inapplicable, the conclusion may be true all the same") {
  Random random(3);
  // Fresh contexts: T = 6 > 5 = H (r - 1) + 1, but Z may have rank 8.
  Proof proof = certified(read(labelled(random, 2, 3, 4, 3, 6, false, Base::e)))[0];
  CHECK(proof.verdict() == Verdict::inapplicable);
  CHECK(proof.hypothesis("examples") == Truth::no);
  // Shared: the affine hull forbids it.
  proof = certified(read(labelled(random, 2, 3, 4, 3, 6, true, Base::e)))[0];
  CHECK(proof.verdict() == Verdict::inapplicable);
  CHECK(proof.of("capacity").upper < 6);
  CHECK(proof.finding.conclusion == Truth::open);  // each label could have weights of its own
  CHECK_FALSE(has_step(proof, "let"));
}

TEST_CASE("an enclosed read-out: its margin, and what is no proof of it") {
  Random random(5);
  const auto [c, proof] = proved(labelled(random, 2, 3, 3, 3, 5, true, Base::e, 2));
  REQUIRE(proof.verdict() == Verdict::verified);
  const auto changed = [&](auto change) { return accepted_after(c, proof, "inverse", "readout", change); };
  const auto scaled = [](const Json& number, const mpq_class& factor) {
    return number_text(parse_number(number.get<std::string>()) * factor);
  };
  // The prover leaves a factor 2^10 to the checker.
  CHECK(changed([&](Json& s) {
    for (Json& row : s["weights"])
      for (Json& ball : row) ball["rad"] = scaled(ball["rad"], mpq_class(1, 1000));
  }));
  CHECK(changed([&](Json& s) { s["precision"] = s["precision"].get<int>() / 2; }));
  CHECK_FALSE(changed([&](Json& s) { s["weights"][2][1]["rad"] = "0"; }));
  CHECK_FALSE(changed(
      [&](Json& s) { s["weights"][2][1]["mid"] = scaled(s["weights"][2][1]["mid"], mpq_class(3, 2)); }));
  CHECK_FALSE(changed([&](Json& s) { std::swap(s["weights"][2], s["weights"][3]); }));
  CHECK_FALSE(changed([&](Json& s) {
    for (Json& row : s["inverse"])
      for (Json& x : row) x = scaled(x, 3);
  }));
  CHECK_FALSE(changed([&](Json& s) { s["inverse"][0] = s["inverse"][1]; }));
  CHECK_FALSE(changed([&](Json& s) { s["cols"][0] = s["cols"][1]; }));
  CHECK_FALSE(changed([&](Json& s) { s.erase("inverse"); }));
}

TEST_CASE("zero labels, equal labels") {
  Random random(4);
  for (const Base base : {Base::e, Base::two}) {
    Draft draft = labelled(random, 2, 3, 3, 3, 5, true, base);
    for (mpq_class& y : draft.labels) y = 0;
    CHECK(certified(read(draft))[0].verdict() == Verdict::verified);
    for (mpq_class& y : draft.labels) y = mpq_class(1, 3);
    CHECK(certified(read(draft))[0].verdict() == Verdict::verified);
  }
}

namespace {

// All weights of a layer that a certificate with a read-out describes, in the shapes of Eqs. 1 to 6: the
// middles of its balls.
struct FullLayer {
  std::vector<RationalMatrix> key, query, value;  // d x d_h, d x d_h, d x d_v
  RationalMatrix concatenated, decoder;           // W_O: H d_v x d_out, W_D: d_out x d_out

  FullLayer(const Case& c, const Json& let, const Json& readout) {
    const Dimensions& dims = *c.layer;
    const std::size_t d = dims.embed_dim, out = dims.output_dim, dv = dims.value_dim;
    for (const Json& head : let["layer"]["heads"]) {
      RationalMatrix k(d, dims.head_dim), q(d, dims.head_dim);
      std::size_t used = 0;
      const auto add = [&](const Numbers& a, const Numbers& b, const mpq_class& factor) {
        REQUIRE(used < dims.head_dim);
        for (std::size_t j = 0; j < d; ++j) k(j, used) = a[j], q(j, used) = factor * b[j];
        ++used;
      };
      for (std::size_t i = 0; i < head["key"].size(); ++i)
        add(vector_of(head["key"][i]), vector_of(head["query"][i]), 1);
      if (head.contains("separator"))
        add(vector_of(head["separator"]["u"]), vector_of(head["separator"]["v"]),
            parse_number(head["separator"]["lambda"].get<std::string>()));
      key.push_back(k);
      query.push_back(q);
      value.emplace_back(d, dv);
    }
    for (std::size_t k = 0; k < readout["cols"].size(); ++k) {
      const auto col = readout["cols"][k].get<std::size_t>();
      for (std::size_t o = 0; o < out; ++o)
        value[col / d](col % d, o) = parse_number(readout["weights"][k][o]["mid"].get<std::string>());
    }
    concatenated = RationalMatrix(dims.heads * dv, out);
    decoder = RationalMatrix(out, out);
    for (std::size_t o = 0; o < out; ++o) {
      decoder(o, o) = 1;
      for (std::size_t h = 0; h < dims.heads; ++h) concatenated(h * dv + o, o) = 1;
    }
  }

  std::size_t entries() const {
    std::size_t count = concatenated.rows() * concatenated.cols() + decoder.rows() * decoder.cols();
    for (const auto* all : {&key, &query, &value})
      for (const RationalMatrix& w : *all) count += w.rows() * w.cols();
    return count;
  }

  // One example in base 2 with integer logits.
  RationalMatrix predict(const Case& c, std::size_t t) const {
    const RationalMatrix e = tokens_of(c, t), x = transposed(rows_of(queries_of(c), {t}));
    const std::size_t dv = value[0].cols();
    RationalMatrix all(1, key.size() * dv);
    for (std::size_t h = 0; h < key.size(); ++h) {
      const RationalMatrix logits =
          test::product(test::product(e, key[h]), test::product(transposed(query[h]), x));
      RationalMatrix alpha(1, e.rows());
      mpq_class sum = 0;
      for (std::size_t i = 0; i < e.rows(); ++i) {
        REQUIRE(logits(i, 0).get_den() == 1);
        alpha(0, i) = power_of_two(logits(i, 0).get_num().get_si());
        sum += alpha(0, i);
      }
      for (std::size_t i = 0; i < e.rows(); ++i) alpha(0, i) /= sum;
      const RationalMatrix v = test::product(test::product(alpha, e), value[h]);
      for (std::size_t k = 0; k < dv; ++k) all(0, h * dv + k) = v(0, k);
    }
    return test::product(test::product(all, concatenated), decoder);
  }
};

// A number that the results show.
std::size_t shown(const Proof& proof, const std::string& name) {
  for (const Finding::Number& number : proof.finding.shown)
    if (number.name == name) return number.bounds.lower.get_ui();
  FAIL("no " << name);
  return 0;
}

}  // namespace

TEST_CASE("the paper's three settings: every weight written out, evaluated and counted") {
  std::size_t narrow = 0;
  for (std::size_t d = 2; d <= 4; ++d)
    for (std::size_t H = 1; H <= 3; ++H)
      for (int setting = 1; setting <= 3; ++setting) {
        const std::size_t n = setting == 3 ? d : 2, T = H * (n - 1) + 1, out = setting == 3 ? d : 1,
                          dh = setting == 2 ? n : d, dv = setting == 2 ? 1 : d;
        CAPTURE(d);
        CAPTURE(H);
        CAPTURE(setting);
        Random random(100 * d + 10 * H + static_cast<std::size_t>(setting));
        Draft draft = labelled(random, H, n, d, dh, T, true, Base::two, out);
        draft.value_dim = dv;
        // Independent tokens, and queries on the moment curve: Assumptions 1 and 2 hold.
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < d; ++j) draft.contexts[i * d + j] = i == j ? 1 : 0;
        for (std::size_t t = 0; t < T; ++t)
          for (std::size_t j = 0; j < d; ++j) {
            mpz_class power;
            mpz_ui_pow_ui(power.get_mpz_t(), t + 1, j);
            draft.queries[t * d + j] = power;
          }
        const auto [c, proof] = proved(draft);
        REQUIRE(proof.verdict() == Verdict::verified);
        const std::size_t layer = shown(proof, "parameters.layer"),
                          memorized = shown(proof, "parameters.memorized");
        CHECK(memorized == draft.labels.size());
        CHECK(shown(proof, "parameters.most_examples") == layer / out);
        // Theta(H d^2), Theta(H n d), Theta(H d^2); in the third as many numbers, up to a constant factor.
        const std::size_t order = setting == 2 ? H * n * d : H * d * d;
        CHECK(layer >= 2 * order);
        CHECK(layer <= 6 * order);
        if (setting == 3) CHECK(10 * memorized >= layer);
        const Json readout = step(proof, "inverse", "readout");
        const FullLayer full(c, step(proof, "let"), readout);
        CHECK(full.entries() == layer);
        mpq_class radius = 0;
        for (const Json& row : readout["weights"])
          for (const Json& ball : row)
            radius = std::max(radius, parse_number(ball["rad"].get<std::string>()));
        // What the balls leave open: entries of Z are at most 1, those of T columns.
        const mpq_class error = radius * static_cast<unsigned long>(T);
        narrow += error < mpq_class(1, 1u << 30) ? 1 : 0;
        for (std::size_t t = 0; t < T; ++t) {
          const RationalMatrix y = full.predict(c, t);
          for (std::size_t o = 0; o < out; ++o) CHECK(abs(y(0, o) - draft.labels[t * out + o]) <= error);
        }
        FullLayer other = full;
        for (RationalMatrix& v : other.value)
          for (std::size_t k = 0; k < v.rows() * v.cols(); ++k) v.data()[k] *= 2;
        CHECK(abs(other.predict(c, 0)(0, 0) - 2 * draft.labels[0]) <= 2 * error);
      }
  MESSAGE(narrow << " of 27 settings with narrow balls");
  CHECK(narrow >= 20);
}
