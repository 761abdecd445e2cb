// Finite lambda (Appendix B.2). The limit lambda -> infinity that the induction takes needs infinite weights;
// every lambda above an explicit lambda* already keeps the rank.
//
// Proof: let D(lambda) = Z_I,h - C Z_B,h(lambda) and D_inf its limit. At t in the basis B the coefficients
// other than the largest are together at most (n - 1) b^(s - lambda gamma), so a row of Z_B,h(lambda) is
// within 2 M (n - 1) b^(s - lambda gamma) of its limit, the whole block within sqrt(rho) times that in the
// Frobenius norm. By Lemma 5 the rank of D(lambda) is that of D_inf, |I|, as soon as
// ||C|| 2 M (n - 1) sqrt(rho) b^(s - lambda gamma) < sigma_min(D_inf), that is for
//   lambda > lambda* = (s + log_b(2 M (n - 1) sqrt(rho) ||C|| / sigma_min(D_inf))) / gamma.
// Executed with lambda above lambda* for each head in turn; and with one lambda for all heads, at powers of
// two, beside what binary64 reports.
#include <algorithm>
#include <limits>

#include "attention/binary64.hpp"
#include "exact/balls.hpp"
#include "exact/modular.hpp"
#include "proofs/hypotheses.hpp"
#include "proofs/lemma_3.hpp"
#include "proofs/proposition_1.hpp"
#include "proofs/propositions.hpp"
#include "proofs/rank.hpp"

namespace attest {
namespace {

constexpr slong kLargestPrecision = 1 << 14;
constexpr int kSmallestSweep = -4, kLargestSweep = 24, kSweepStep = 2;  // exponents of lambda
constexpr int kSmallestSigma = 600;  // sigma_min is looked for down to 2^-600

mpq_class power_of_two(int e) {
  mpq_class x = 1;
  if (e >= 0)
    mpq_mul_2exp(x.get_mpq_t(), x.get_mpq_t(), e);
  else
    mpq_div_2exp(x.get_mpq_t(), x.get_mpq_t(), -e);
  return x;
}

// x rounded to 64 significant bits, downwards or upwards. x > 0.
mpq_class rounded(const mpq_class& x, bool up) {
  const long shift = 64 - (static_cast<long>(mpz_sizeinbase(x.get_num_mpz_t(), 2)) -
                           static_cast<long>(mpz_sizeinbase(x.get_den_mpz_t(), 2)));
  const mpq_class scale = power_of_two(static_cast<int>(shift)), scaled = x * scale;
  mpz_class whole;
  (up ? mpz_cdiv_q : mpz_fdiv_q)(whole.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  return whole / scale;
}

// The product of a row vector of balls with the tokens of an example.
std::vector<Ball> combination(const Case& c, std::size_t t, const std::vector<Ball>& alpha, slong precision) {
  const RationalMatrix context = context_matrix(c, t);
  std::vector<Ball> z(context.cols());
  for (std::size_t i = 0; i < context.rows(); ++i)
    for (std::size_t j = 0; j < context.cols(); ++j) {
      const Ball x(context(i, j), precision);
      arb_addmul(z[j].get(), alpha[i].get(), x.get(), precision);
    }
  return z;
}

// Rows of Z' (the heads before) on the given columns.
BallMatrix z_rows(const Case& c, const AttentionLayer& before, const std::vector<std::size_t>& rows,
                  const std::vector<std::size_t>& cols, slong precision) {
  const std::size_t d = c.layer->embed_dim;
  BallMatrix z(rows.size(), cols.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<std::vector<Ball>> blocks(before.heads());
    for (std::size_t j = 0; j < cols.size(); ++j) {
      std::vector<Ball>& block = blocks[cols[j] / d];
      if (block.empty())
        block = combination(
            c, rows[k], softmax(c.layer->base, before.logits(rows[k], cols[j] / d), precision), precision);
      z(k, j) = block[cols[j] % d];
    }
  }
  return z;
}

BallMatrix transposed(const BallMatrix& m) {
  BallMatrix result(m.cols(), m.rows());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) result(j, i) = m(i, j);
  return result;
}

// A power of two below the smallest singular value of D, |I| x d: D D^T - sigma^2 has a Cholesky
// factorization.
std::optional<mpq_class> sigma_below(const BallMatrix& d, slong precision) {
  const std::size_t n = d.rows();
  arb_mat_t gram, shifted;
  arb_mat_init(gram, n, n);
  arb_mat_init(shifted, n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < d.cols(); ++k)
        arb_addmul(arb_mat_entry(gram, i, j), d(i, k).get(), d(j, k).get(), precision);
  auto holds = [&](int e) {
    const Ball square(power_of_two(2 * e), precision);
    arb_mat_set(shifted, gram);
    for (std::size_t i = 0; i < n; ++i)
      arb_sub(arb_mat_entry(shifted, i, i), arb_mat_entry(shifted, i, i), square.get(), precision);
    arb_mat_t factor;
    arb_mat_init(factor, n, n);
    const bool positive = arb_mat_cho(factor, shifted, precision) != 0;
    arb_mat_clear(factor);
    return positive;
  };
  std::optional<mpq_class> sigma;
  int low = -kSmallestSigma, high = 64;
  if (holds(low)) {
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (holds(middle) ? low : high) = middle;
    }
    sigma = power_of_two(low);
  }
  arb_mat_clear(gram);
  arb_mat_clear(shifted);
  return sigma;
}

std::optional<mpq_class> positive_upper_bound(const Ball& x) {
  const auto bound = upper_bound(x);
  if (!bound || *bound <= 0) return std::nullopt;
  return rounded(*bound, true);
}

std::optional<LambdaBound> lambda_bound_at(const Case& c, const AttentionLayer& before,
                                           const ConstructedHead& head, const std::vector<std::size_t>& rows,
                                           const std::vector<std::size_t>& cols, slong precision) {
  const Dimensions& dims = *c.layer;
  const std::size_t n = dims.context, d = dims.embed_dim;
  LambdaBound bound;

  // Exact parts: gamma, s, M.
  const AttentionLayer star(c, {HeadFactors{head.key, head.query}});
  const std::vector<mpq_class> u = entries(head.separator->u), v = entries(head.separator->v);
  std::vector<std::size_t> peaks;
  for (std::size_t t : rows) {
    const RationalMatrix context = context_matrix(c, t), query = query_rows(c, {t});
    std::vector<mpq_class> x;
    for (std::size_t i = 0; i < n; ++i) x.push_back(dot(context.row(i), u.data(), d));
    const Peak p = peak(x, dot(query.row(0), v.data(), d));
    peaks.push_back(p.index);
    if (peaks.size() == 1 || p.gap < bound.gamma) bound.gamma = p.gap;
    const std::vector<mpq_class> l = star.logits(t, 0);
    const auto [least, most] = std::minmax_element(l.begin(), l.end());
    bound.spread = std::max(bound.spread, mpq_class(*most - *least));
    for (std::size_t i = 0; i < n; ++i)
      bound.token_norm = std::max(bound.token_norm, dot(context.row(i), context.row(i), d));
  }
  if (bound.gamma <= 0) return std::nullopt;
  bound.gamma = rounded(bound.gamma, false);
  if (bound.spread > 0) bound.spread = rounded(bound.spread, true);
  Ball norm(bound.token_norm, precision);
  arb_sqrt(norm.get(), norm.get(), precision);
  const auto m = positive_upper_bound(norm);

  // C on the columns of the minor: C Z'_B = Z'_I.
  const auto c_transposed = solve(transposed(z_rows(c, before, rows, cols, precision)),
                                  transposed(z_rows(c, before, head.fresh, cols, precision)), precision);
  if (!m || !c_transposed) return std::nullopt;
  bound.token_norm = *m;
  Ball frobenius;
  for (std::size_t b = 0; b < rows.size(); ++b)
    for (std::size_t k = 0; k < head.fresh.size(); ++k)
      arb_addmul(frobenius.get(), (*c_transposed)(b, k).get(), (*c_transposed)(b, k).get(), precision);
  arb_sqrt(frobenius.get(), frobenius.get(), precision);
  const auto c_norm = positive_upper_bound(frobenius);
  if (!c_norm) return std::nullopt;
  bound.c_norm = *c_norm;

  // D_inf: on the basis the head copies one token.
  BallMatrix limit(head.fresh.size(), d);
  for (std::size_t k = 0; k < head.fresh.size(); ++k) {
    const std::vector<Ball> z =
        combination(c, head.fresh[k], softmax(dims.base, head.logits[k], precision), precision);
    for (std::size_t j = 0; j < d; ++j) limit(k, j) = z[j];
    for (std::size_t b = 0; b < rows.size(); ++b)
      for (std::size_t j = 0; j < d; ++j) {
        const Ball x(c.data.contexts->at(context_offset(c, rows[b]) + peaks[b] * d + j), precision);
        arb_submul(limit(k, j).get(), (*c_transposed)(b, k).get(), x.get(), precision);
      }
  }
  const auto sigma = sigma_below(limit, precision);
  if (!sigma) return std::nullopt;
  bound.sigma_min = *sigma;

  Ball inside(mpq_class(static_cast<unsigned long>(rows.size())), precision);
  arb_sqrt(inside.get(), inside.get(), precision);
  const Ball rest(2 * bound.token_norm * static_cast<unsigned long>(n - 1) * bound.c_norm / bound.sigma_min,
                  precision);
  arb_mul(inside.get(), inside.get(), rest.get(), precision);
  arb_log(inside.get(), inside.get(), precision);
  if (dims.base == Base::two) {
    Ball log2;
    arb_const_log2(log2.get(), precision);
    arb_div(inside.get(), inside.get(), log2.get(), precision);
  }
  const auto logarithm = upper_bound(inside);
  if (!logarithm) return std::nullopt;
  bound.lambda_star = std::max(mpq_class((bound.spread + *logarithm) / bound.gamma), power_of_two(-64));
  bound.lambda_star = rounded(bound.lambda_star, true);
  return bound;
}

Construction rescaled(const Construction& construction, const mpq_class& lambda) {
  Construction result = construction;
  for (ConstructedHead& head : result.heads)
    if (head.separator) head.separator->lambda = lambda;
  return result;
}

Json bound_step(const Construction& construction) {
  Json step = {
      {"argument", "finite-lambda-bound"}, {"theorem", "weyl-perturbation"}, {"heads", Json::array()}};
  for (std::size_t h = 0; h < construction.heads.size(); ++h) {
    const auto& b = construction.heads[h].bound;
    if (!b) continue;
    step["heads"].push_back({{"head", h},
                             {"gamma", to_json(b->gamma)},
                             {"spread", to_json(b->spread)},
                             {"token_norm", to_json(b->token_norm)},
                             {"c_norm", to_json(b->c_norm)},
                             {"sigma_min", to_json(b->sigma_min)},
                             {"lambda_star", to_json(b->lambda_star)}});
  }
  return step;
}

}  // namespace

std::optional<LambdaBound> lambda_bound(const Case& c, const std::vector<ConstructedHead>& before,
                                        const ConstructedHead& head, const std::vector<std::size_t>& rows,
                                        const std::vector<std::size_t>& cols) {
  std::vector<HeadFactors> factors;
  for (const ConstructedHead& earlier : before) factors.push_back(earlier.factors());
  const AttentionLayer layer(c, std::move(factors));
  for (slong precision = 128 + 4 * static_cast<slong>(rows.size()); precision <= kLargestPrecision;
       precision *= 2)
    if (auto bound = lambda_bound_at(c, layer, head, rows, cols, precision)) return bound;
  return std::nullopt;
}

ClaimProof prove_finite_lambda(const Case& c, const Claim& claim, const Effort& effort) {
  ClaimProof proof;
  const Dimensions& dims = *c.layer;
  const Hypotheses hypotheses = decide_hypotheses(c, effort, proof.steps);
  const AffineHull hull = cheapest_affine_hull(c);
  proof.steps.push_back(affine_hull_step(hull, dims.heads));
  const std::size_t upper = affine_hull_bound(c, hull.bound(dims.heads));
  proof.result["bounds"] = bounds(c, hull.bound(dims.heads));
  const auto construction = construct(c, paper_lower_bound(dims), head_rank(dims), true);
  if (construction) {
    append_construction(c, claim, effort, *construction, proof.steps);
    proof.steps.push_back(bound_step(*construction));
    proof.result["rank"] = to_json(Interval{construction->minor().rank(), upper});
    // One lambda for all heads.
    std::vector<mpq_class> sweep;
    for (int e = kSmallestSweep; e <= kLargestSweep; e += kSweepStep) sweep.push_back(power_of_two(e));
    if (claim.lambda && *claim.lambda != 0 &&
        std::find(sweep.begin(), sweep.end(), *claim.lambda) == sweep.end())
      sweep.push_back(*claim.lambda);
    Effort without_solutions = effort;
    without_solutions.solutions_from = std::numeric_limits<std::size_t>::max();
    proof.result["sweep"] = Json::array();
    for (const mpq_class& lambda : sweep) {
      const AttentionLayer layer(c, rescaled(*construction, lambda).factors());
      const Json definition = {
          {"argument", "rescaled"}, {"theorem", "definition"}, {"lambda", to_json(lambda)}};
      proof.steps.push_back(definition);
      std::size_t lower = 0;
      for (std::size_t k = 0; k < 4 && lower < upper; ++k) {
        const CharacterData data(c, small_character(layer.ring(), k));
        const auto z = character_z(data, layer);
        if (!z) continue;
        std::vector<double> work = *z;
        const std::size_t width = dims.heads * dims.embed_dim;
        const MinorIndices minor =
            blas::nonsingular_minor(data.character().p, dims.examples, width, work.data());
        if (minor.rank() <= lower) continue;
        if (lower > 0) proof.steps.erase(proof.steps.size() - 1);
        lower = minor.rank();
        proof.steps.push_back(character_minor_step(c, claim, without_solutions, "rescaled", definition,
                                                   layer.ring(), data.character(), minor, *z, width));
      }
      proof.result["sweep"].push_back({{"lambda", to_json(lambda)},
                                       {"lower", lower},
                                       {"upper", upper},
                                       {"binary64", binary64_rank_of_z(layer)}});
    }
  }
  proof.result["hypotheses"] = {
      {"assumption-1", status_name(hypotheses.assumption_1, construction.has_value())},
      {"assumption-2", status_name(hypotheses.assumption_2, false)}};
  proof.result["conclusion"] = construction ? "proved" : "open";
  proof.verdict = hypotheses.fails() ? Verdict::inapplicable
                  : construction     ? Verdict::verified
                                     : Verdict::undecided;
  if (proof.verdict == Verdict::undecided)
    proof.reason =
        "the induction found no fresh set that it could use, or no precision sufficed for its lambda";
  return proof;
}

}  // namespace attest
