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
// two, beside what binary64 reports. lambda* of a head presupposes the lambdas of the earlier heads, on which
// C depends; `all_heads` bounds the lambdas of all heads at once, by Weyl's theorem for the whole minor.
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
constexpr int kSmallestSigma = 600;   // sigma_min is looked for down to 2^-600
constexpr int kSigmaBits = 10;        // and then refined by so many bits
constexpr int kLargestLambda = 1024;  // a lambda for all heads is looked for up to 2^1024

mpq_class power_of_two(int e) {
  mpq_class x = 1;
  if (e >= 0)
    mpq_mul_2exp(x.get_mpq_t(), x.get_mpq_t(), e);
  else
    mpq_div_2exp(x.get_mpq_t(), x.get_mpq_t(), -e);
  return x;
}

// x rounded to 64 significant bits, downwards or upwards.
mpq_class rounded(const mpq_class& x, bool up) {
  if (x < 0) return -rounded(-x, !up);
  if (x == 0) return x;
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

enum class Answer { yes, no, unknown };

// Whether the Gram matrix of D's rows minus x^2 is positive definite, that is whether x is below the smallest
// singular value of D: the pivots of its elimination say so.
Answer below_singular_values(const BallMatrix& gram, const mpq_class& x, slong precision) {
  const std::size_t n = gram.rows();
  BallMatrix a = gram;
  const Ball square(x * x, precision);
  Ball factor;
  for (std::size_t i = 0; i < n; ++i) arb_sub(a(i, i).get(), a(i, i).get(), square.get(), precision);
  for (std::size_t k = 0; k < n; ++k) {
    if (arb_is_nonpositive(a(k, k).get())) return Answer::no;
    if (!arb_is_positive(a(k, k).get())) return Answer::unknown;
    for (std::size_t i = k + 1; i < n; ++i) {
      arb_div(factor.get(), a(i, k).get(), a(k, k).get(), precision);
      for (std::size_t j = k + 1; j < n; ++j)
        arb_submul(a(i, j).get(), factor.get(), a(k, j).get(), precision);
    }
  }
  return Answer::yes;
}

// The smallest singular value of D (at most as many rows as columns) to about three digits.
std::optional<Enclosure> smallest_singular_value(const BallMatrix& d, slong precision) {
  const std::size_t n = d.rows();
  BallMatrix gram(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < d.cols(); ++k)
        arb_addmul(gram(i, j).get(), d(i, k).get(), d(j, k).get(), precision);
  const auto below = [&](const mpq_class& x) { return below_singular_values(gram, x, precision); };
  int low = -kSmallestSigma, high = 64;
  if (below(power_of_two(low)) != Answer::yes) return std::nullopt;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (below(power_of_two(middle)) == Answer::yes ? low : high) = middle;
  }
  mpq_class lower = power_of_two(low), upper = power_of_two(high);
  for (int bit = 0; bit < kSigmaBits; ++bit) {
    const mpq_class middle = (lower + upper) / 2;
    (below(middle) == Answer::yes ? lower : upper) = middle;
  }
  // `upper` may be the singular value itself, which no precision tells apart.
  if (below(upper) != Answer::no) upper += power_of_two(low - kSigmaBits);
  if (below(upper) != Answer::no) return std::nullopt;
  return Enclosure{lower, upper};
}

Enclosure rounded(const mpq_class& x) {
  return {rounded(x, false), rounded(x, true)};
}

// Empty unless the ball is finite and positive.
std::optional<Enclosure> positive(const Ball& x) {
  Ball negative;
  arb_neg(negative.get(), x.get());
  const auto upper = upper_bound(x), lower = upper_bound(negative);
  if (!upper || !lower || *lower >= 0) return std::nullopt;
  return Enclosure{rounded(-*lower, false), rounded(*upper, true)};
}

// log_b(2 M (n - 1) sqrt(rho) ||C|| / sigma_min) for the given ends.
Ball logarithm_of_ratio(const Case& c, std::size_t rho, const mpq_class& m, const mpq_class& c_norm,
                        const mpq_class& sigma, slong precision) {
  Ball inside(mpq_class(static_cast<unsigned long>(rho)), precision);
  arb_sqrt(inside.get(), inside.get(), precision);
  const Ball rest(2 * m * static_cast<unsigned long>(c.layer->context - 1) * c_norm / sigma, precision);
  arb_mul(inside.get(), inside.get(), rest.get(), precision);
  arb_log(inside.get(), inside.get(), precision);
  if (c.layer->base == Base::two) {
    Ball log2;
    arb_const_log2(log2.get(), precision);
    arb_div(inside.get(), inside.get(), log2.get(), precision);
  }
  return inside;
}

std::optional<LambdaBound> lambda_bound_at(const Case& c, const AttentionLayer& before,
                                           const ConstructedHead& head, const std::vector<std::size_t>& rows,
                                           const std::vector<std::size_t>& cols, slong precision) {
  const Dimensions& dims = *c.layer;
  const std::size_t n = dims.context, d = dims.embed_dim;

  // Exact parts: gamma, s, M.
  const AttentionLayer star(c, {HeadFactors{head.key, head.query}});
  const std::vector<mpq_class> u = entries(head.separator->u), v = entries(head.separator->v);
  std::vector<std::size_t> peaks;
  mpq_class gamma, spread, squared_norm;
  for (std::size_t t : rows) {
    const RationalMatrix context = context_matrix(c, t), query = query_rows(c, {t});
    std::vector<mpq_class> x;
    for (std::size_t i = 0; i < n; ++i) x.push_back(dot(context.row(i), u.data(), d));
    const Peak p = peak(x, dot(query.row(0), v.data(), d));
    peaks.push_back(p.index);
    if (peaks.size() == 1 || p.gap < gamma) gamma = p.gap;
    const std::vector<mpq_class> l = star.logits(t, 0);
    const auto [least, most] = std::minmax_element(l.begin(), l.end());
    spread = std::max(spread, mpq_class(*most - *least));
    for (std::size_t i = 0; i < n; ++i)
      squared_norm = std::max(squared_norm, dot(context.row(i), context.row(i), d));
  }
  if (gamma <= 0) return std::nullopt;
  Ball norm(squared_norm, precision);
  arb_sqrt(norm.get(), norm.get(), precision);
  const auto m = positive(norm);

  // C on the columns of the minor: C Z'_B = Z'_I.
  const auto c_transposed = solve(transposed(z_rows(c, before, rows, cols, precision)),
                                  transposed(z_rows(c, before, head.fresh, cols, precision)), precision);
  if (!m || !c_transposed) return std::nullopt;
  Ball frobenius;
  for (std::size_t b = 0; b < rows.size(); ++b)
    for (std::size_t k = 0; k < head.fresh.size(); ++k)
      arb_addmul(frobenius.get(), (*c_transposed)(b, k).get(), (*c_transposed)(b, k).get(), precision);
  arb_sqrt(frobenius.get(), frobenius.get(), precision);
  const auto c_norm = positive(frobenius);
  if (!c_norm) return std::nullopt;

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
  const auto sigma = smallest_singular_value(limit, precision);
  if (!sigma) return std::nullopt;

  LambdaBound bound{rounded(gamma), rounded(spread), *m, *c_norm, *sigma, {}};
  Ball least = logarithm_of_ratio(c, rows.size(), m->lower, c_norm->lower, sigma->upper, precision);
  arb_neg(least.get(), least.get());
  const auto most =
      upper_bound(logarithm_of_ratio(c, rows.size(), m->upper, c_norm->upper, sigma->lower, precision));
  const auto minus_least = upper_bound(least);
  if (!most || !minus_least) return std::nullopt;
  bound.lambda_star.upper =
      rounded(std::max(mpq_class((bound.spread.upper + *most) / bound.gamma.lower), power_of_two(-64)), true);
  const mpq_class above = bound.spread.lower - *minus_least;
  bound.lambda_star.lower =
      rounded(mpq_class(above / (above >= 0 ? bound.gamma.upper : bound.gamma.lower)), false);
  return bound;
}

// Weyl for the whole minor: every choice of lambdas above lambda_star, one for each head, keeps its rank.
struct AllHeadsBound {
  Enclosure sigma_min;  // of the limit of the minor
  mpq_class lambda_star;
};

// A coefficient vector that lambda drives to the token `peak`: with the logits y and the rates x, entry i
// goes to 0 at least as fast as b^(y_i - y_peak - lambda (x_peak - x_i)).
struct Frozen {
  std::size_t peak;
  std::vector<mpq_class> x, y;
  std::vector<Ball> distances;  // of the tokens from the one of the peak
};

std::optional<AllHeadsBound> all_heads_bound(const Case& c, const Construction& construction) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim, width = c.layer->heads * d;
  const MinorIndices minor = construction.minor();
  const std::size_t rho = minor.rank();
  const std::uint64_t p = construction.character.p;

  std::vector<std::vector<std::optional<Frozen>>> frozen(rho);
  std::vector<std::vector<std::vector<mpq_class>>> star(rho);  // logits of W*
  bool any = false;
  for (std::size_t h = 0; h < construction.heads.size(); ++h) {
    const ConstructedHead& head = construction.heads[h];
    const AttentionLayer alone(c, {HeadFactors{head.key, head.query}});
    for (std::size_t k = 0; k < rho; ++k) {
      const std::size_t t = minor.rows[k];
      star[k].push_back(alone.logits(t, 0));
      frozen[k].emplace_back();
      if (!head.separator) continue;
      const RationalMatrix context = context_matrix(c, t), query = query_rows(c, {t});
      const std::vector<mpq_class> u = entries(head.separator->u), v = entries(head.separator->v);
      const mpq_class factor = dot(query.row(0), v.data(), d);
      if (factor == 0) continue;
      Frozen f;
      for (std::size_t i = 0; i < n; ++i) f.x.push_back(factor * dot(context.row(i), u.data(), d));
      f.peak = static_cast<std::size_t>(std::max_element(f.x.begin(), f.x.end()) - f.x.begin());
      if (std::count(f.x.begin(), f.x.end(), f.x[f.peak]) > 1) return std::nullopt;
      f.y = star[k].back();
      frozen[k].back() = std::move(f);
      any = true;
    }
  }
  if (!any) return std::nullopt;

  // A limit that is singular under the character is singular, but for bad luck: no precision would do.
  ModularMatrix image(rho, rho);
  for (std::size_t k = 0; k < rho; ++k)
    for (std::size_t j = 0; j < rho; ++j) {
      const auto& f = frozen[k][minor.cols[j] / d];
      const std::size_t t = minor.rows[k], coordinate = minor.cols[j] % d;
      const auto token =
          f ? residue(c.data.contexts->at(context_offset(c, t) + f->peak * d + coordinate), p)
            : std::optional<std::uint64_t>(blas::unbalanced(construction.z[t * width + minor.cols[j]], p));
      if (!token) return std::nullopt;
      image(k, j) = *token;
    }
  if (rank_profiles(image, p).rank() < rho) return std::nullopt;

  for (slong precision = 128 + 4 * static_cast<slong>(rho); precision <= kLargestPrecision; precision *= 2) {
    BallMatrix limit(rho, rho);
    for (std::size_t k = 0; k < rho; ++k) {
      const std::size_t t = minor.rows[k], offset = context_offset(c, t);
      std::vector<std::vector<Ball>> blocks(construction.heads.size());
      for (std::size_t j = 0; j < rho; ++j) {
        const std::size_t h = minor.cols[j] / d, coordinate = minor.cols[j] % d;
        if (const auto& f = frozen[k][h]) {
          limit(k, j) = Ball(c.data.contexts->at(offset + f->peak * d + coordinate), precision);
        } else {
          if (blocks[h].empty())
            blocks[h] = combination(c, t, softmax(c.layer->base, star[k][h], precision), precision);
          limit(k, j) = blocks[h][coordinate];
        }
      }
      const RationalMatrix context = context_matrix(c, t);
      for (auto& f : frozen[k])
        if (f) {
          f->distances.clear();
          for (std::size_t i = 0; i < n; ++i) {
            mpq_class squared;
            for (std::size_t j = 0; j < d; ++j) {
              const mpq_class difference = context(i, j) - context(f->peak, j);
              squared += difference * difference;
            }
            f->distances.emplace_back(squared, precision);
            arb_sqrt(f->distances.back().get(), f->distances.back().get(), precision);
          }
        }
    }
    const auto sigma = smallest_singular_value(limit, precision);
    if (!sigma) continue;
    const Ball allowed(sigma->lower * sigma->lower, precision);
    const auto enough = [&](const mpq_class& lambda) {
      Ball sum, term;
      for (const auto& row : frozen)
        for (const auto& f : row)
          if (f) {
            Ball shift;
            for (std::size_t i = 0; i < n; ++i)
              if (i != f->peak) {
                term = power(c.layer->base, f->y[i] - f->y[f->peak] - lambda * (f->x[f->peak] - f->x[i]),
                             precision);
                arb_addmul(shift.get(), term.get(), f->distances[i].get(), precision);
              }
            arb_addmul(sum.get(), shift.get(), shift.get(), precision);
          }
      return arb_le(sum.get(), allowed.get()) != 0;
    };
    int high = -64;
    while (!enough(power_of_two(high)))
      if (++high > kLargestLambda) return std::nullopt;
    mpq_class lower = power_of_two(high - 1), upper = power_of_two(high);
    for (int bit = 0; bit < kSigmaBits && high > -64; ++bit) {
      const mpq_class middle = (lower + upper) / 2;
      (enough(middle) ? upper : lower) = middle;
    }
    return AllHeadsBound{*sigma, upper};
  }
  return std::nullopt;
}

Construction rescaled(const Construction& construction, const mpq_class& lambda) {
  Construction result = construction;
  for (ConstructedHead& head : result.heads)
    if (head.separator) head.separator->lambda = lambda;
  return result;
}

Json ends(const Enclosure& x) {
  return {{"lower", to_json(x.lower)}, {"upper", to_json(x.upper)}};
}

Json bound_step(const Construction& construction, const std::optional<AllHeadsBound>& all) {
  Json step = {
      {"argument", "finite-lambda-bound"}, {"theorem", "weyl-perturbation"}, {"heads", Json::array()}};
  for (std::size_t h = 0; h < construction.heads.size(); ++h) {
    const auto& b = construction.heads[h].bound;
    if (!b) continue;
    step["heads"].push_back({{"head", h},
                             {"gamma", ends(b->gamma)},
                             {"spread", ends(b->spread)},
                             {"token_norm", ends(b->token_norm)},
                             {"c_norm", ends(b->c_norm)},
                             {"sigma_min", ends(b->sigma_min)},
                             {"lambda_star", ends(b->lambda_star)}});
  }
  if (all)
    step["all_heads"] = {{"sigma_min", ends(all->sigma_min)}, {"lambda_star", to_json(all->lambda_star)}};
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
    const auto all = all_heads_bound(c, *construction);
    proof.steps.push_back(bound_step(*construction, all));
    proof.result["rank"] = to_json(Interval{construction->minor().rank(), upper});
    if (all) proof.result["unknown_up_to"] = to_json(all->lambda_star);
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
        const auto found = rank_under(layer, small_character(layer.ring(), k), upper);
        if (!found || found->rank() <= lower) continue;
        if (lower > 0) proof.steps.erase(proof.steps.size() - 1);
        lower = found->rank();
        proof.steps.push_back(character_minor_step(c, claim, without_solutions, "rescaled", definition,
                                                   layer.ring(), found->character, found->minor, {},
                                                   dims.heads * dims.embed_dim));
      }
      proof.result["sweep"].push_back({{"lambda", to_json(lambda)},
                                       {"lower", lower},
                                       {"upper", upper},
                                       {"binary64", binary64_rank_of_z(layer)}});
    }
  }
  conclude(proof, hypotheses, construction.has_value(),
           "the induction found no fresh set that it could use, or no precision sufficed for its lambda");
  return proof;
}

}  // namespace attest
