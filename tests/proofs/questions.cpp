// memorizes, injective and saturation: questions about given weights.
#include <cmath>
#include <set>

#include "proofs/kruskal_rank.hpp"
#include "search/arithmetic/modular.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Examples that repeat, so that not everything is in general position.
Draft repetitive_draft(Random& random) {
  Draft draft = random_draft(random, random.between(1, 3), random.between(1, 3), random.between(1, 3),
                             random.between(1, 2), random.between(2, 7), true, random.one_in(2) ? 1 : 3);
  draft.output_dim = random.between(1, 2);
  draft.labels = integers(random, draft.examples * draft.output_dim, random.one_in(2) ? 1 : 9);
  for (std::size_t t = 1; t < draft.examples; ++t) {
    if (!random.one_in(3)) continue;
    std::copy_n(draft.queries.begin(), draft.embed_dim,
                draft.queries.begin() + static_cast<std::ptrdiff_t>(t * draft.embed_dim));
    if (random.one_in(2))
      std::copy_n(draft.labels.begin(), draft.output_dim,
                  draft.labels.begin() + static_cast<std::ptrdiff_t>(t * draft.output_dim));
  }
  return draft;
}

Matrix<std::uint64_t> with_labels(const Case& c, const Matrix<std::uint64_t>& z, std::uint64_t p) {
  const std::size_t d_out = c.layer->output_dim;
  Matrix<std::uint64_t> result(z.rows(), z.cols() + d_out);
  for (std::size_t t = 0; t < z.rows(); ++t) {
    for (std::size_t j = 0; j < z.cols(); ++j) result(t, j) = z(t, j);
    for (std::size_t o = 0; o < d_out; ++o)
      result(t, z.cols() + o) = *residue(c.data.labels->at(t * d_out + o), p);
  }
  return result;
}

}  // namespace

TEST_CASE("whether labels are memorized, and outputs are different, as other characters say") {
  Random random(31);
  std::size_t verified = 0, refuted = 0, short_of_rank = 0, equal = 0;
  for (int round = 0; round < 60; ++round) {
    Draft draft = repetitive_draft(random);
    draft.claims = {claim("memorizes"), claim("injective")};
    const Case c = read(draft);
    const std::vector<Proof> proofs = certified(c);
    const Logits logits = textbook_logits(c);
    std::size_t rank = 0, labelled = 0, different = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Character character = foreign_character(test::ring_of(c), k);
      const Matrix<std::uint64_t> z = textbook_z(c, logits, character);
      rank = std::max(rank, rank_profiles(z, character.p).rank());
      labelled = std::max(labelled, rank_profiles(with_labels(c, z, character.p), character.p).rank());
      std::set<std::vector<std::uint64_t>> rows;
      for (std::size_t t = 0; t < z.rows(); ++t) rows.emplace(z.row(t), z.row(t) + z.cols());
      different = std::max(different, rows.size());
    }
    CAPTURE(round);
    CHECK(proofs[0].verdict() == (labelled == rank ? Verdict::verified : Verdict::refuted));
    CHECK(proofs[1].is("distinct(Z)", different));
    CHECK(proofs[1].verdict() == (different == c.layer->examples ? Verdict::verified : Verdict::refuted));
    verified += labelled == rank ? 1 : 0;
    refuted += labelled == rank ? 0 : 1;
    short_of_rank += labelled == rank && rank < c.layer->examples ? 1 : 0;
    equal += different < c.layer->examples ? 1 : 0;
  }
  CHECK(verified > 5);
  CHECK(refuted > 5);
  CHECK(short_of_rank > 1);
  CHECK(equal > 5);
}

TEST_CASE("accuracy of whole layers, as binary64 counts it") {
  Random random(33);
  std::size_t accurate = 0, of_all = 0;
  for (const Base base : {Base::e, Base::two})
    for (const char* const scale : {"1", "1/2", "-1", "1/sqrt(3)"}) {
      // d_out = H d: the case is read without the rest of the layer, which comes after.
      constexpr std::size_t H = 2, n = 3, d = 2, T = 9, d_v = 3, d_out = 4;
      const std::size_t m = random.one_in(2) ? 2 : 5;  // fewer outputs than scores, or more
      Draft draft = random_draft(random, H, n, d, 2, T, random.one_in(2), 1);
      draft.base = base;
      draft.logit_scale = scale;
      draft.output_dim = d_out;
      draft.labels = integers(random, T * d_out, 9);
      std::vector<std::size_t> classes;
      for (std::size_t t = 0; t < T; ++t) classes.push_back(random.between(0, 2));
      draft.claims = {claim("accuracy", lines("classes", classes)), claim("accuracy", "epsilon = \"31/3\"")};
      Case c = read(draft);
      const auto array = [&](std::vector<std::size_t> shape, std::size_t size) {
        return ExactArray(std::move(shape), integers(random, size, 3));
      };
      Weights& w = *c.weights;
      w.value = array({H, d, d_v}, H * d * d_v);
      w.value_bias = array({H, d_v}, H * d_v);
      w.output = array({H, d_v, m}, H * d_v * m);
      w.output_bias = array({m}, m);
      w.skip = array({T, m}, T * m);
      w.readout = array({m, d_out}, m * d_out);
      w.readout_bias = array({d_out}, d_out);
      const std::vector<Proof> proofs = certified(c);
      Case plain = c;
      plain.layer->logit_scale = {};
      const Logits logits = textbook_logits(plain);
      const LogitScale& s = c.layer->logit_scale;
      const double unit =
          (s.irrational() ? 1 / std::sqrt(static_cast<double>(s.radicand)) : s.rational.get_d()) *
          (base == Base::two ? std::log(2.0) : 1.0);
      const auto at = [](const std::optional<ExactArray>& a, std::size_t k) { return a->at(k).get_d(); };
      std::size_t right = 0, close = 0;
      for (std::size_t t = 0; t < T; ++t) {
        std::vector<double> u(m), scores(d_out);
        for (std::size_t j = 0; j < m; ++j) u[j] = at(w.output_bias, j) + at(w.skip, t * m + j);
        for (std::size_t h = 0; h < H; ++h) {
          std::vector<double> mean(d);
          double sum = 0;
          for (std::size_t i = 0; i < n; ++i) {
            const double power = std::exp(unit * mpq_class(logits[t][h][i] - logits[t][h][0]).get_d());
            sum += power;
            for (std::size_t j = 0; j < d; ++j)
              mean[j] += power * c.data.contexts->at(c.token_row(t, i) * d + j).get_d();
          }
          for (std::size_t k = 0; k < d_v; ++k) {
            double value = at(w.value_bias, h * d_v + k);
            for (std::size_t j = 0; j < d; ++j) value += mean[j] / sum * at(w.value, (h * d + j) * d_v + k);
            for (std::size_t j = 0; j < m; ++j) u[j] += value * at(w.output, (h * d_v + k) * m + j);
          }
        }
        bool within = true;
        for (std::size_t o = 0; o < d_out; ++o) {
          scores[o] = at(w.readout_bias, o);
          for (std::size_t j = 0; j < m; ++j) scores[o] += u[j] * at(w.readout, j * d_out + o);
          within = within && std::fabs(scores[o] - c.data.labels->at(t * d_out + o).get_d()) <= 31.0 / 3;
        }
        bool best = true;
        for (std::size_t o = 0; o < d_out; ++o)
          best = best && (o == classes[t] || scores[classes[t]] > scores[o] + 1e-9);
        right += best ? 1 : 0;
        close += within ? 1 : 0;
      }
      CAPTURE(scale);
      // A tie of small integers is possible, and undecided.
      CHECK(proofs[0].of("accurate").lower == right);
      CHECK(proofs[1].is("accurate", close));
      accurate += right;
      of_all += T;
    }
  CHECK(accurate > of_all / 8);
  CHECK(accurate < of_all);
}

TEST_CASE("saturated coefficients, as binary64 counts them") {
  Random random(32);
  for (const Base base : {Base::e, Base::two})
    for (const char* const scale : {"1", "1/2", "-3", "1/sqrt(3)"}) {
      Draft draft = random_draft(random, 2, 3, 2, 2, 9, random.one_in(2), 2);
      draft.base = base;
      draft.logit_scale = scale;
      draft.claims = {
          claim("saturation", "threshold = \"0.99\""), claim("saturation", "threshold = \"7/13\"\nhead = 1"),
          claim("saturation", "threshold = \"0.99\"\nat_least = 19\nexpect = \"refuted\""),
          claim("saturation", "threshold = \"7/13\""), claim("saturation", "threshold = \"7/13\"\nhead = 1")};
      const Case c = read(draft);
      const std::vector<Proof> proofs = certified(c);
      Effort shared;  // a claim about all heads tells one about one of them
      shared.searches = std::make_shared<VectorSearches>();
      const std::vector<Proof> others = certified(c, shared);
      for (std::size_t k = 0; k < proofs.size(); ++k) CHECK(proofs[k].steps == others[k].steps);
      CHECK(proofs[4].steps == proofs[1].steps);
      Case plain = c;
      plain.layer->logit_scale = {};
      const Logits logits = textbook_logits(plain);
      const LogitScale& s = c.layer->logit_scale;
      const double unit =
          (s.irrational() ? 1 / std::sqrt(static_cast<double>(s.radicand)) : s.rational.get_d()) *
          (base == Base::two ? std::log(2.0) : 1.0);
      std::size_t all = 0, second = 0;
      for (std::size_t t = 0; t < 9; ++t)
        for (std::size_t h = 0; h < 2; ++h) {
          double sum = 0, most = -1e300;
          for (const mpq_class& x : logits[t][h]) most = std::max(most, unit * x.get_d());
          for (const mpq_class& x : logits[t][h]) sum += std::exp(unit * x.get_d() - most);
          all += 1 / sum > 0.99 ? 1 : 0;
          second += h == 1 && 1 / sum > 7.0 / 13 ? 1 : 0;
        }
      CAPTURE(scale);
      CHECK(proofs[0].is("saturated", all));
      CHECK(proofs[1].is("saturated", second));
      CHECK(proofs[2].verdict() == Verdict::refuted);
    }
}
