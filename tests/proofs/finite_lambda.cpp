// The quantities of B.2 from their definitions: gaps, spreads and norms by brute force over Q; C and D_inf by
// elimination over Q where Z is rational; singular values from enclosed eigenvalues; and the ranks beyond
// lambda* from Gram determinants in balls, which know nothing of C.
#include "problem/numbers.hpp"
#include "search/layer.hpp"
#include "tests/proofs/cases.hpp"
#include "tests/proofs/constructions.hpp"
#include "tests/spectra.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Z in base 2 with integer logits.
RationalMatrix textbook_z(const Case& c, const Logits& logits) {
  const std::size_t T = c.layer->examples, H = logits[0].size(), d = c.layer->embed_dim;
  RationalMatrix z(T, H * d);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t h = 0; h < H; ++h) {
      Numbers powers;
      mpq_class sum = 0;
      for (const mpq_class& l : logits[t][h]) {
        REQUIRE(l.get_den() == 1);
        powers.push_back(power_of_two(l.get_num().get_si()));
        sum += powers.back();
      }
      for (std::size_t i = 0; i < powers.size(); ++i)
        for (std::size_t j = 0; j < d; ++j) z(t, h * d + j) += powers[i] / sum * tokens_of(c, t)(i, j);
    }
  return z;
}

// Z enclosed by balls.
BallMatrix textbook_z(const Case& c, const Logits& logits, slong precision) {
  const std::size_t T = c.layer->examples, H = logits[0].size(), d = c.layer->embed_dim, n = c.layer->context;
  BallMatrix z(T, H * d);
  Ball log2;
  arb_const_log2(log2.get(), precision);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t h = 0; h < H; ++h) {
      std::vector<Ball> powers;
      Ball sum;
      for (const mpq_class& l : logits[t][h]) {
        Ball x(mpq_class(l - logits[t][h][0]), precision);
        if (c.layer->base == Base::two) arb_mul(x.get(), x.get(), log2.get(), precision);
        arb_exp(x.get(), x.get(), precision);
        arb_add(sum.get(), sum.get(), x.get(), precision);
        powers.push_back(x);
      }
      for (std::size_t i = 0; i < n; ++i) {
        arb_div(powers[i].get(), powers[i].get(), sum.get(), precision);
        for (std::size_t j = 0; j < d; ++j) {
          const Ball x(tokens_of(c, t)(i, j), precision);
          arb_addmul(z(t, h * d + j).get(), powers[i].get(), x.get(), precision);
        }
      }
    }
  return z;
}

// The enclosure contains the non-negative `exact`, and is narrow.
void check_encloses(const mpq_class& lower, const mpq_class& upper, const mpq_class& exact) {
  const mpq_class narrow(1, 1u << 30);
  CHECK(lower <= exact);
  CHECK(exact <= upper);
  CHECK(upper <= exact * (1 + narrow));
  CHECK(lower >= exact * (1 - narrow));
}
void check_encloses(const Enclosure& ends, const mpq_class& exact) {
  check_encloses(ends.lower, ends.upper, exact);
}
void check_encloses_root(const Enclosure& ends, const mpq_class& square) {
  check_encloses(ends.lower * ends.lower, ends.upper * ends.upper, square);
}

// A head of a construction: W* + lambda W'.
struct Parts {
  RationalMatrix star, prime;
  RationalMatrix at(const mpq_class& lambda) const {
    RationalMatrix w = star;
    for (std::size_t k = 0; k < w.rows() * w.cols(); ++k) w.data()[k] += lambda * prime.data()[k];
    return w;
  }
};

Parts parts(const ConstructedHead& head, std::size_t d) {
  return {dense(HeadFactors{head.key, head.query}, d),
          dense(HeadFactors{{head.separator->u}, {head.separator->v}}, d)};
}

// What one head's bound is about.
struct Question {
  const Case& c;
  const Construction& construction;
  std::size_t h;
  std::vector<std::size_t> rows, cols;  // of the basis
  Parts w;

  Question(const Case& case_, const Construction& all, std::size_t head)
      : c(case_), construction(all), h(head), w(parts(all.heads[head], case_.layer->embed_dim)) {
    for (std::size_t k = 0; k < h; ++k) {
      rows.insert(rows.end(), all.heads[k].rows.begin(), all.heads[k].rows.end());
      cols.insert(cols.end(), all.heads[k].cols.begin(), all.heads[k].cols.end());
    }
  }
  const ConstructedHead& head() const { return construction.heads[h]; }
  std::vector<RationalMatrix> layer(const mpq_class& lambda) const {
    std::vector<RationalMatrix> all;
    for (std::size_t k = 0; k < h; ++k)
      all.push_back(dense(head_factors(construction.heads[k]), c.layer->embed_dim));
    all.push_back(w.at(lambda));
    return all;
  }
};

// gamma, s and M over the basis, and the largest entries.
std::vector<std::size_t> check_separation(const Question& q) {
  const LambdaBound& bound = *q.head().bound;
  mpq_class gamma = -1, spread = 0, norm = 0;
  std::vector<std::size_t> peaks;
  for (const std::size_t t : q.rows) {
    const RationalMatrix tokens = tokens_of(q.c, t), query = rows_of(queries_of(q.c), {t});
    Numbers x = image(tokens, q.w.prime, query), y = image(tokens, q.w.star, query);
    peaks.push_back(static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin()));
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    const mpq_class gap = x.back() - x[x.size() - 2];
    gamma = gamma < 0 ? gap : std::min(gamma, gap);
    spread = std::max(spread, mpq_class(y.back() - y.front()));
    for (std::size_t i = 0; i < tokens.rows(); ++i) {
      mpq_class square = 0;
      for (std::size_t j = 0; j < tokens.cols(); ++j) square += tokens(i, j) * tokens(i, j);
      norm = std::max(norm, square);
    }
  }
  check_encloses(bound.gamma, gamma);
  check_encloses(bound.spread, spread);
  check_encloses_root(bound.token_norm, norm);
  return peaks;
}

// C from C Z'_B = Z'_I over Q on the columns of the minor; it then holds on all columns of the earlier heads,
// since B is a row basis.
RationalMatrix coefficients(const Question& q, const RationalMatrix& z) {
  const std::size_t rho = q.rows.size(), width = q.h * q.c.layer->embed_dim;
  RationalMatrix basis(rho, rho), fresh(q.head().fresh.size(), rho);
  for (std::size_t j = 0; j < rho; ++j) {
    for (std::size_t b = 0; b < rho; ++b) basis(b, j) = z(q.rows[b], q.cols[j]);
    for (std::size_t k = 0; k < fresh.rows(); ++k) fresh(k, j) = z(q.head().fresh[k], q.cols[j]);
  }
  const RationalMatrix c = test::product(fresh, inverse(basis));
  for (std::size_t k = 0; k < c.rows(); ++k)
    for (std::size_t j = 0; j < width; ++j) {
      mpq_class sum = 0;
      for (std::size_t b = 0; b < rho; ++b) sum += c(k, b) * z(q.rows[b], j);
      CHECK(sum == z(q.head().fresh[k], j));
    }
  return c;
}

// ||C|| and sigma_min(D_inf) in base 2, where Z is rational.
void check_limit(const Question& q, const std::vector<std::size_t>& peaks) {
  const LambdaBound& bound = *q.head().bound;
  const std::size_t d = q.c.layer->embed_dim;
  const RationalMatrix z = textbook_z(q.c, textbook_logits(q.c, q.layer(q.head().separator->lambda)));
  const RationalMatrix c = coefficients(q, z);
  mpq_class frobenius = 0;
  for (std::size_t k = 0; k < c.rows() * c.cols(); ++k) frobenius += c.data()[k] * c.data()[k];
  check_encloses_root(bound.c_norm, frobenius);
  RationalMatrix limit = rows_of(z, q.head().fresh), d_inf(limit.rows(), d);
  for (std::size_t k = 0; k < d_inf.rows(); ++k)
    for (std::size_t j = 0; j < d; ++j) {
      d_inf(k, j) = limit(k, q.h * d + j);
      for (std::size_t b = 0; b < q.rows.size(); ++b)
        d_inf(k, j) -= c(k, b) * tokens_of(q.c, q.rows[b])(peaks[b], j);
    }
  CHECK(textbook_rank(d_inf) == d_inf.rows());
  const Ball least = enclosed_eigenvalues(test::product(d_inf, transposed(d_inf)), 512).front();
  const mpq_class &low = bound.sigma_min.lower, &high = bound.sigma_min.upper;
  CHECK(arb_lt(Ball(low * low, 512).get(), least.get()) != 0);
  CHECK(arb_lt(Ball(high * high, 512).get(), least.get()) == 0);
  CHECK(high <= low * mpq_class(65, 64));

  // The argument itself, a little above lambda*: D(lambda) is nearer to D_inf than sigma_min.
  const mpq_class& star = bound.lambda_star.upper;
  const mpz_class lambda = star.get_num() / star.get_den() + 1;
  const BallMatrix at = textbook_z(q.c, textbook_logits(q.c, q.layer(lambda)), 4096);
  Ball distance;
  for (std::size_t k = 0; k < d_inf.rows(); ++k)
    for (std::size_t j = 0; j < d; ++j) {
      Ball entry = at(q.head().fresh[k], q.h * d + j);
      const Ball limit_entry(d_inf(k, j), 4096);
      arb_sub(entry.get(), entry.get(), limit_entry.get(), 4096);
      for (std::size_t b = 0; b < q.rows.size(); ++b) {
        const Ball factor(c(k, b), 4096);
        arb_submul(entry.get(), factor.get(), at(q.rows[b], q.h * d + j).get(), 4096);
      }
      arb_addmul(distance.get(), entry.get(), entry.get(), 4096);
    }
  CHECK(arb_lt(distance.get(), Ball(low * low, 4096).get()) != 0);
}

// The right-hand side of B.2.
Ball formula(const Question& q, const mpq_class& gamma, const mpq_class& spread, const mpq_class& ratio) {
  const slong precision = 1024;
  Ball value(mpq_class(2 * static_cast<unsigned long>(q.c.layer->context - 1) * ratio), precision),
      rho(mpq_class(static_cast<unsigned long>(q.rows.size())), precision), base;
  arb_sqrt(rho.get(), rho.get(), precision);
  arb_mul(value.get(), value.get(), rho.get(), precision);
  arb_log(value.get(), value.get(), precision);
  arb_log_ui(base.get(), 2, precision);
  if (q.c.layer->base == Base::two) arb_div(value.get(), value.get(), base.get(), precision);
  const Ball s(spread, precision), g(gamma, precision);
  arb_add(value.get(), value.get(), s.get(), precision);
  arb_div(value.get(), value.get(), g.get(), precision);
  return value;
}

// lambda* encloses the formula over all ends of the enclosures, and not much more.
void check_formula(const Question& q) {
  const LambdaBound& b = *q.head().bound;
  const Ball most = formula(q, b.gamma.lower, b.spread.upper,
                            b.token_norm.upper * b.c_norm.upper / b.sigma_min.lower),
             least = formula(q, b.gamma.upper, b.spread.lower,
                             b.token_norm.lower * b.c_norm.lower / b.sigma_min.upper);
  CHECK(arb_le(most.get(), Ball(b.lambda_star.upper, 1024).get()) != 0);
  CHECK(arb_ge(least.get(), Ball(b.lambda_star.lower, 1024).get()) != 0);
  if (b.lambda_star.lower > 1) {
    const mpq_class narrow(1, 1u << 30);
    CHECK(arb_ge(most.get(), Ball(mpq_class(b.lambda_star.upper * (1 - narrow)), 1024).get()) != 0);
    CHECK(arb_le(least.get(), Ball(mpq_class(b.lambda_star.lower * (1 + narrow)), 1024).get()) != 0);
  }
}

// Whether the rows B and I of the heads up to h are independent, by the determinant of their Gram matrix.
bool keeps_rank(const Question& q, const mpq_class& lambda) {
  const slong precision = 4096;
  const BallMatrix z = textbook_z(q.c, textbook_logits(q.c, q.layer(lambda)), precision);
  std::vector<std::size_t> rows = q.rows;
  rows.insert(rows.end(), q.head().fresh.begin(), q.head().fresh.end());
  const auto size = static_cast<slong>(rows.size());
  arb_mat_t gram;
  arb_mat_init(gram, size, size);
  for (slong i = 0; i < size; ++i)
    for (slong j = 0; j < size; ++j)
      for (std::size_t k = 0; k < z.cols(); ++k)
        arb_addmul(arb_mat_entry(gram, i, j), z(rows[static_cast<std::size_t>(i)], k).get(),
                   z(rows[static_cast<std::size_t>(j)], k).get(), precision);
  Ball det;
  arb_mat_det(det.get(), gram, precision);
  arb_mat_clear(gram);
  return arb_is_positive(det.get()) != 0;
}

Draft drafted(Random& random, Base base) {
  const std::size_t n = random.between(2, 3), d = n + random.below(2), H = random.between(2, 3), dh = n,
                    T = random.between(n + 1, H * (n - 1) + 2);
  Draft draft = random_draft(random, H, n, d, dh, T, random.one_in(2), 4).without_weights();
  draft.base = base;
  draft.claims = {claim("finite-lambda")};
  return draft;
}

}  // namespace

TEST_CASE("finite lambda: the bound's numbers by brute force, and the rank at many lambda beyond it") {
  std::size_t heads = 0, rational = 0, lost = 0;
  FOR_SEEDS(80, 0) {
    const Case c = read(drafted(random, seed % 2 == 0 ? Base::two : Base::e));
    const auto construction = construct(c, paper_lower_bound(*c.layer), head_rank(*c.layer), true);
    if (!construction) continue;
    for (std::size_t h = 0; h < construction->heads.size(); ++h) {
      if (!construction->heads[h].bound) continue;
      CAPTURE(h);
      const Question q(c, *construction, h);
      const mpq_class star = q.head().bound->lambda_star.upper;
      CHECK(q.head().separator->lambda > star);
      const std::vector<std::size_t> peaks = check_separation(q);
      check_formula(q);
      ++heads;
      for (const mpq_class& lambda :
           {mpq_class(star * (1 + mpq_class(1, 1000000))), mpq_class(star * mpq_class(5, 4)),
            mpq_class(2 * star), mpq_class(star + 1), mpq_class(10 * star + mpq_class(1, 3)),
            mpq_class(100 * star)})
        CHECK(keeps_rank(q, lambda));
      bool integers = c.layer->base == Base::two;
      if (integers)
        for (const auto& example : textbook_logits(c, q.layer(q.head().separator->lambda)))
          for (const Numbers& row : example)
            for (const mpq_class& l : row) integers = integers && l.get_den() == 1 && abs(l) < 4000;
      if (!integers) continue;
      ++rational;
      // lambda = 0 may lose the rank.
      std::vector<std::size_t> minor = q.rows;
      minor.insert(minor.end(), q.head().fresh.begin(), q.head().fresh.end());
      const RationalMatrix zero = textbook_z(c, textbook_logits(c, q.layer(0)));
      lost += textbook_rank(rows_of(zero, minor)) < minor.size() ? 1 : 0;
      check_limit(q, peaks);
    }
  }
  MESSAGE("finite lambda: ", heads, " heads, ", rational, " of them over Q, ", lost, " lose the rank at 0");
  CHECK(heads > 50);
  CHECK(rational > 15);
  CHECK(lost > 0);
}

TEST_CASE("finite lambda: a sweep, and a minor that is too large") {
  std::size_t swept = 0;
  FOR_SEEDS(16, 100) {
    const auto [c, proof] = proved(drafted(random, seed % 2 == 0 ? Base::two : Base::e));
    if (!has_step(proof, "inverse", "tail_rank")) continue;
    mpz_class largest = 0;
    for (std::size_t k = 0; k < proof.steps.size(); ++k)
      if (proof.steps[k]["rule"] == "let" && proof.steps[k]["layer"].contains("rescaled"))
        largest = std::max(largest, proof.of("rank(Z(" + std::to_string(k) + "))").lower);
    CHECK(largest > 0);
    CHECK(proof.of("capacity").upper >= largest);
    Proof more = proof;
    Json& minor = more.steps.back();
    REQUIRE(minor["rule"] == "minor");
    minor["rows"].push_back(c.layer->examples);
    CHECK_FALSE(accepted(c, {more}));
    ++swept;
  }
  CHECK(swept > 10);
}
