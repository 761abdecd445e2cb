// Finite lambda (Appendix B.2). The limit lambda -> infinity that the induction takes needs infinite weights;
// all lambdas above an explicit bound, one for each head, already keep the rank.
//
// Proof (docs/mathematics.md): let M(lambda) be a minor of Z, with a lambda of its own for each head, and R
// an approximate inverse of its limit. At t outside a head's fresh set the coefficients other than the
// largest are at most b^((y_i - y_p) - L (x_p - x_i)) for all lambda >= L. When these enclosures show sum_j
// |I - R M|_ij w_j < w_i for some positive w, the spectral radius of I - R M is below 1 and M is invertible,
// for all lambdas >= L. The paper's lambda* is for one head after the other, by Weyl:
//   lambda > lambda* = (s + log_b(2 M (n - 1) sqrt(rho) ||C|| / sigma_min(D_inf))) / gamma;
// it is what the construction's own lambdas exceed, and the first proposal for L. The rank is decided at
// other lambdas too, at powers of two, beside what binary64 reports.
#include <algorithm>
#include <cmath>

#include "proofs/affine_hull_bound.hpp"
#include "proofs/capacity.hpp"
#include "proofs/hypotheses.hpp"
#include "proofs/lemma_3.hpp"
#include "proofs/proposition_1.hpp"
#include "proofs/provers.hpp"
#include "proofs/rank.hpp"
#include "search/arithmetic/balls.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/owned.hpp"
#include "search/binary64.hpp"

namespace attest {
namespace {

constexpr slong kLargestPrecision = 1 << 14;
constexpr int kSmallestSweep = -4, kLargestSweep = 24, kSweepStep = 2;  // exponents of lambda
constexpr int kSmallestSigma = 600;                          // sigma_min is looked for down to 2^-600
constexpr int kSigmaBits = 10;                               // and then refined by so many bits
constexpr int kSmallestLambda = -64, kLargestLambda = 1024;  // exponents of L
constexpr int kLambdaBits = 10;                              // to which L is refined
constexpr int kScalings = 200;                               // steps towards a scale w
constexpr int kScaleBits = 16;                               // of its entries
constexpr double kMargin = 0.999;                            // of the condition on w
constexpr slong kInverseBits = 40;

mpq_class power_of_two(int e) {
  mpq_class x = 1;
  if (e >= 0)
    mpq_mul_2exp(x.get_mpq_t(), x.get_mpq_t(), e);
  else
    mpq_div_2exp(x.get_mpq_t(), x.get_mpq_t(), -e);
  return x;
}

// x rounded to so many significant bits, downwards or upwards.
mpq_class rounded(const mpq_class& x, bool up, long bits = 64) {
  if (x < 0) return -rounded(-x, !up, bits);
  if (x == 0) return x;
  const long shift = bits - (static_cast<long>(mpz_sizeinbase(x.get_num_mpz_t(), 2)) -
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
        const Ball x(c.data.contexts->at(c.token_row(rows[b], peaks[b]) * d + j), precision);
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

// A coefficient vector that lambda drives to the token `peak`: with the logits y and the rates x, entry i
// is at most b^(y_i - y_peak - lambda (x_peak - x_i)).
struct Frozen {
  std::size_t peak;
  std::vector<mpq_class> x, y;
};

// Z of a construction for all large lambdas: each head copies a token at some examples and does not depend
// on lambda at the others.
class Tail {
public:
  Tail(const Case& c, const Construction& construction)
      : case_(c), n_(c.layer->context), d_(c.layer->embed_dim), construction_(construction) {
    for (const ConstructedHead& head : construction.heads) {
      const AttentionLayer star(c, {HeadFactors{head.key, head.query}});
      logits_.emplace_back();
      frozen_.emplace_back();
      for (std::size_t t = 0; t < c.layer->examples; ++t) {
        logits_.back().push_back(star.logits(t, 0));
        frozen_.back().push_back(freeze(head, t, logits_.back().back()));
      }
    }
  }

  /// A minor whose limit is not singular under the construction's character: that of the construction, or the
  /// largest. A limit that is singular under the character is singular, but for bad luck.
  std::optional<MinorIndices> regular_minor() const {
    const MinorIndices all = construction_.minor();
    const auto limit = limit_image(all.rows);
    if (!limit) return std::nullopt;
    const std::uint64_t p = construction_.character.p;
    if (rank_profiles(submatrix(*limit, range(0, all.rank()), all.cols), p).rank() == all.rank()) return all;
    MinorIndices largest = rank_profiles(*limit, p);
    for (std::size_t& row : largest.rows) row = all.rows[row];
    return largest;
  }

  /// The limit of a minor for all lambdas to infinity.
  BallMatrix limit(const MinorIndices& minor, slong precision) const {
    return enclosed(minor, precision, [](const Frozen&) { return std::vector<Ball>(); });
  }
  /// The minor for all lambdas of at least `least`.
  BallMatrix beyond(const MinorIndices& minor, const mpq_class& least, slong precision) const {
    return enclosed(minor, precision, [&](const Frozen& f) {
      std::vector<Ball> most(n_);
      for (std::size_t i = 0; i < n_; ++i)
        if (i != f.peak)
          most[i] =
              power(case_.layer->base, f.y[i] - f.y[f.peak] - least * (f.x[f.peak] - f.x[i]), precision);
      return most;
    });
  }

  /// Whether some row of the minor depends on a lambda.
  bool moves(const MinorIndices& minor) const {
    return n_ > 1 && std::any_of(minor.cols.begin(), minor.cols.end(), [&](std::size_t col) {
             return std::any_of(minor.rows.begin(), minor.rows.end(),
                                [&](std::size_t t) { return frozen_[col / d_][t].has_value(); });
           });
  }

private:
  // Empty when the head has no separator, or one that does not act on the example.
  std::optional<Frozen> freeze(const ConstructedHead& head, std::size_t t,
                               const std::vector<mpq_class>& y) const {
    if (!head.separator) return std::nullopt;
    const RationalMatrix context = context_matrix(case_, t), query = query_rows(case_, {t});
    const std::vector<mpq_class> u = entries(head.separator->u), v = entries(head.separator->v);
    const mpq_class factor = dot(query.row(0), v.data(), d_);
    if (factor == 0) return std::nullopt;
    Frozen f;
    for (std::size_t i = 0; i < n_; ++i) f.x.push_back(factor * dot(context.row(i), u.data(), d_));
    f.peak = static_cast<std::size_t>(std::max_element(f.x.begin(), f.x.end()) - f.x.begin());
    f.y = y;
    return f;
  }

  // Z without limit: two tokens share the largest entry.
  static bool tied(const Frozen& f) { return std::count(f.x.begin(), f.x.end(), f.x[f.peak]) > 1; }

  // The limits of rows of Z under the character; empty when a row has none or p divides a denominator.
  std::optional<ModularMatrix> limit_image(const std::vector<std::size_t>& rows) const {
    const std::size_t width = construction_.heads.size() * d_;
    const std::uint64_t p = construction_.character.p;
    ModularMatrix image(rows.size(), width);
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t j = 0; j < width; ++j) {
        const auto& f = frozen_[j / d_][rows[k]];
        if (f && tied(*f)) return std::nullopt;
        const auto entry =
            f ? residue(token(rows[k], f->peak, j % d_), p)
              : std::optional<std::uint64_t>(blas::unbalanced(construction_.z[rows[k] * width + j], p));
        if (!entry) return std::nullopt;
        image(k, j) = *entry;
      }
    return image;
  }

  // The minor when coefficient i != peak of a frozen vector lies between 0 and most(f)[i] (and is 0 when
  // there is no such entry).
  template <class Most>
  BallMatrix enclosed(const MinorIndices& minor, slong precision, Most most) const {
    BallMatrix m(minor.rank(), minor.rank());
    for (std::size_t k = 0; k < minor.rank(); ++k) {
      const std::size_t t = minor.rows[k];
      std::vector<std::vector<Ball>> blocks(construction_.heads.size());
      for (std::size_t j = 0; j < minor.rank(); ++j) {
        const std::size_t h = minor.cols[j] / d_;
        if (blocks[h].empty()) {
          const auto& f = frozen_[h][t];
          blocks[h] = combination(case_, t,
                                  f ? coefficients(*f, most(*f), precision)
                                    : softmax(case_.layer->base, logits_[h][t], precision),
                                  precision);
        }
        m(k, j) = blocks[h][minor.cols[j] % d_];
      }
    }
    return m;
  }

  std::vector<Ball> coefficients(const Frozen& f, const std::vector<Ball>& most, slong precision) const {
    std::vector<Ball> alpha(n_);
    Ball rest, zero, one(1, precision);
    for (std::size_t i = 0; i < most.size(); ++i) {
      if (i == f.peak) continue;
      arb_union(alpha[i].get(), zero.get(), most[i].get(), precision);
      arb_add(rest.get(), rest.get(), most[i].get(), precision);
    }
    arb_sub(rest.get(), one.get(), rest.get(), precision);
    arb_union(alpha[f.peak].get(), rest.get(), one.get(), precision);
    return alpha;
  }

  mpq_class token(std::size_t t, std::size_t i, std::size_t coordinate) const {
    return case_.data.contexts->at(case_.token_row(t, i) * d_ + coordinate);
  }

  const Case& case_;
  std::size_t n_, d_;
  const Construction& construction_;
  std::vector<std::vector<std::vector<mpq_class>>> logits_;  // of W*, [h][t]
  std::vector<std::vector<std::optional<Frozen>>> frozen_;   // [h][t]
};

// The step `tail_rank`.
struct TailRank {
  mpq_class lambda;
  MinorIndices minor;
  std::vector<std::vector<std::string>> inverse;
  std::vector<mpq_class> scale;
};

// Positive w with G w < w for a non-negative G, by w = 1 + G + G^2 + ... while that seems to converge. The
// condition holds with a margin, for the rounding here and in the checker's enclosures.
std::optional<std::vector<mpq_class>> contracted(const Matrix<double>& g) {
  const std::size_t n = g.rows();
  std::vector<double> w(n, 1);
  for (int k = 0; k < kScalings; ++k) {
    std::vector<double> image(n);
    bool below = true;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) image[i] += g(i, j) * w[j];
      if (!std::isfinite(image[i])) return std::nullopt;
      below = below && image[i] < kMargin * w[i];
    }
    if (below) {
      std::vector<mpq_class> scale;
      for (const double x : w) scale.push_back(rounded(mpq_class(x), true, kScaleBits));
      return scale;
    }
    for (std::size_t i = 0; i < n; ++i) w[i] = 1 + image[i];
  }
  return std::nullopt;
}

// Upper bounds of the entries of |I - R M|.
Matrix<double> defect(const BallMatrix& r, const BallMatrix& m, slong precision) {
  Matrix<double> g(m.rows(), m.rows());
  OwnedFloat bound;
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.rows(); ++j) {
      Ball entry;
      if (i == j) arb_one(entry.get());
      for (std::size_t k = 0; k < m.rows(); ++k)
        arb_submul(entry.get(), r(i, k).get(), m(k, j).get(), precision);
      arb_get_abs_ubound_arf(bound, entry.get(), precision);
      g(i, j) = arf_get_d(bound, ARF_RND_UP);
    }
  return g;
}

// Bits for the entries of an inverse R with which I - R M is small in the limit.
slong bits_of_inverse(const BallMatrix& r, const BallMatrix& m) {
  const auto size = [](const BallMatrix& a) {
    slong bits = 0;
    for (std::size_t k = 0; k < a.rows() * a.cols(); ++k) {
      OwnedMagnitude bound;
      arb_get_mag(bound, a.data()[k].get());
      bits = std::max(bits, static_cast<slong>(std::ceil(std::max(mag_get_d_log2_approx(bound), 0.0))));
    }
    return bits;
  };
  return kInverseBits + size(r) + size(m);
}

std::optional<TailRank> tail_rank(const Case& c, const Construction& construction, std::size_t target) {
  const Tail tail(c, construction);
  const auto minor = tail.regular_minor();
  if (!minor || minor->rank() < target) return std::nullopt;
  const std::size_t rho = minor->rank();
  for (slong precision = 128 + 4 * static_cast<slong>(rho); precision <= kLargestPrecision; precision *= 2) {
    const BallMatrix limit = tail.limit(*minor, precision);
    const auto solution = solve(limit, ball_identity(rho), precision);
    if (!solution) continue;
    if (!have_numerals(*solution)) return std::nullopt;
    const slong bits = bits_of_inverse(*solution, limit);
    if (bits > precision) continue;
    TailRank result{1, *minor, {}, {}};
    BallMatrix inverse(rho, rho);
    for (std::size_t i = 0; i < rho; ++i) {
      result.inverse.emplace_back();
      for (std::size_t j = 0; j < rho; ++j) {
        arb_set_round(inverse(i, j).get(), (*solution)(i, j).get(), bits);
        mag_zero(arb_radref(inverse(i, j).get()));
        result.inverse.back().push_back(rounded_outwards(inverse(i, j), bits).mid);
      }
    }
    const auto holds = [&](const mpq_class& lambda) {
      auto scale = contracted(defect(inverse, tail.beyond(*minor, lambda, precision), precision));
      if (!scale) return false;
      result.lambda = lambda;
      result.scale = std::move(*scale);
      return true;
    };
    if (!tail.moves(*minor)) {
      if (holds(1)) return result;
      continue;
    }
    int exponent = kSmallestLambda;
    for (const ConstructedHead& head : construction.heads)
      if (head.bound)
        while (exponent < kLargestLambda && power_of_two(exponent) < head.bound->lambda_star.upper)
          ++exponent;
    while (!holds(power_of_two(exponent)))
      if (++exponent > kLargestLambda) return std::nullopt;
    while (exponent > kSmallestLambda && holds(power_of_two(exponent - 1))) --exponent;
    mpq_class lower = power_of_two(exponent - 1), upper = power_of_two(exponent);
    for (int bit = 0; bit < kLambdaBits && exponent > kSmallestLambda; ++bit) {
      const mpq_class middle = (lower + upper) / 2;
      (holds(middle) ? upper : lower) = middle;
    }
    return result;
  }
  return std::nullopt;
}

// "[29.82 +/- 3.1e-3]", which contains the enclosure.
std::string text(const Enclosure& x) {
  Ball both;
  arb_union(both.get(), Ball(x.lower, 64).get(), Ball(x.upper, 64).get(), 64);
  char* const digits = arb_get_str(both.get(), 5, 0);
  const std::string result = digits;
  flint_free(digits);
  return result;
}

// The paper's bounds, one head after the other.
std::string bounds_label(const Construction& construction) {
  std::string label;
  for (std::size_t h = 0; h < construction.heads.size(); ++h)
    if (const auto& b = construction.heads[h].bound)
      label += (label.empty() ? "B.2 with the heads before as they are: head " : "; head ") +
               std::to_string(h) + ": lambda* in " + text(b->lambda_star) + " from gamma in " +
               text(b->gamma) + ", s in " + text(b->spread) + ", M in " + text(b->token_norm) + ", |C| in " +
               text(b->c_norm) + ", sigma_min in " + text(b->sigma_min);
  return label;
}

}  // namespace

std::optional<LambdaBound> lambda_bound(const Case& c, const std::vector<ConstructedHead>& before,
                                        const ConstructedHead& head, const std::vector<std::size_t>& rows,
                                        const std::vector<std::size_t>& cols) {
  const AttentionLayer layer(c, factors_of(before));
  for (slong precision = 128 + 4 * static_cast<slong>(rows.size()); precision <= kLargestPrecision;
       precision *= 2)
    if (auto bound = lambda_bound_at(c, layer, head, rows, cols, precision)) return bound;
  return std::nullopt;
}

void prove_finite_lambda(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  const Dimensions& dims = *c.layer;
  decide_hypotheses(c, effort, proof.script);
  AffineHull hull(c);
  add_bounds_for_all_weights(c, hull, proof.script);
  const std::size_t target = paper_lower_bound(dims);
  const auto construction = construct(c, target, head_rank(dims), true);
  if (!construction) {
    proof.reason =
        "the induction found no fresh set that it could use, or no precision sufficed for its lambda";
    return;
  }
  const ProofScript::Number layer = add_construction(*construction, proof.script);
  if (const auto tail = tail_rank(c, *construction, target))
    proof.script.label(bounds_label(*construction))
        .add("inverse", Fact::at_least("tail_rank", tail->minor.rank()),
             {{"layer", layer},
              {"lambda", tail->lambda},
              {"rows", tail->minor.rows},
              {"cols", tail->minor.cols},
              {"inverse", tail->inverse},
              {"scale", tail->scale}});
  else
    proof.reason = "the minor of the construction becomes singular in the limit";

  // One lambda for all heads.
  std::vector<mpq_class> sweep;
  for (int e = kSmallestSweep; e <= kLargestSweep; e += kSweepStep) sweep.push_back(power_of_two(e));
  if (claim.has("lambda") && std::find(sweep.begin(), sweep.end(), claim.number("lambda")) == sweep.end())
    sweep.push_back(claim.number("lambda"));
  for (const mpq_class& lambda : sweep) {
    std::vector<ConstructedHead> heads = construction->heads;
    for (ConstructedHead& head : heads)
      if (head.separator) head.separator->lambda = lambda;
    const AttentionLayer rescaled(c, factors_of(heads));
    proof.script.label("lambda = " + lambda.get_str() + " in all heads; binary64 sees rank " +
                       std::to_string(binary64_rank_of_z(rescaled)));
    const ProofScript::Number number = proof.script.let({{"rescaled", {{"of", layer}, {"lambda", lambda}}}});
    const MinorWitness minor = add_minor_of_z(rescaled, std::to_string(number), hull, proof.script);
    if (claim.has("lambda") && claim.number("lambda") == lambda && !minor.rows.empty())
      proof.script.add(
          "minor", Fact::at_least("lambda_rank", minor.rows.size()),
          {{"layer", number}, {"p", minor.p}, {"g", minor.g}, {"rows", minor.rows}, {"cols", minor.cols}});
  }
}

}  // namespace attest
