// For how many examples is the exact output of the whole layer right? Ball arithmetic through the layer:
// means of the heads, values, outputs, skip connection, read-out; with more bits for the examples that are
// not told. A checker has enclosures of an absolute width, so the certificate asks for as many bits as the
// smallest margin needs there.
#include <algorithm>
#include <bit>
#include <span>

#include "base/progress.hpp"
#include "proofs/provers.hpp"
#include "search/arithmetic/balls.hpp"
#include "search/arithmetic/owned.hpp"
#include "search/deep.hpp"

namespace attest {
namespace {

constexpr slong kPrecisions[] = {64, 256, 1024};
constexpr slong kChecked = 32;  // bits more for the checker, whose enclosures are others
constexpr slong kMost = kMostBits;
constexpr slong kHuge = slong(1) << 40;  // exponents beyond count as this

// Examples whose scores are computed together, and how many scores that may be.
constexpr std::size_t kTogether = 256, kScores = std::size_t(1) << 22;

using Row = std::vector<Ball>;

// Adds row `from` of an array of as many columns to row i.
void add_row(BallMatrix& x, std::size_t i, const ExactArray& bias, std::size_t from, slong precision) {
  for (std::size_t j = 0; j < x.cols(); ++j)
    arb_add(x(i, j).get(), x(i, j).get(), Ball(bias.at(from * x.cols() + j), precision).get(), precision);
}

// To all rows.
void add_bias(BallMatrix& x, const std::optional<ExactArray>& bias, std::size_t from, slong precision) {
  for (std::size_t i = 0; bias && i < x.rows(); ++i) add_row(x, i, *bias, from, precision);
}

slong limited(slong exponent) {
  return std::clamp(exponent, -kHuge, kHuge);
}

BallMatrix absolute(BallMatrix x) {
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) arb_abs(x(i, j).get(), x(i, j).get());
  return x;
}

// How many bits after the binary point the exact ones among these numbers have.
slong depth(const BallMatrix& x) {
  slong most = 0;
  OwnedInteger last;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) {
      if (arb_is_exact(x(i, j).get()) == 0) continue;
      arf_bot(last, arb_midref(x(i, j).get()));
      most = std::max(most, fmpz_cmp_si(last, -kMost) < 0 ? kMost + 1 : -fmpz_get_si(last));
    }
  return most;
}

// What a checker's enclosures of an example's scores depend on.
struct Widths {
  // With so many bits for the coefficients a score is off by less than 1; each bit more halves that.
  slong unit;
  slong exact;  // with so many, what is exact here is
};

// Of some examples: a row of d_out numbers for each.
struct Scores {
  BallMatrix values;
  std::vector<Widths> widths;
};

// The layer at one precision.
class WholeLayer {
public:
  WholeLayer(const AttentionLayer& layer, const Weights& weights, slong precision)
      : layer_(layer), weights_(weights), precision_(precision) {
    if (!layer.problem().before.empty()) deep_.emplace(layer.problem(), precision);
    const std::size_t H = layer.dims().heads, d = layer.dims().embed_dim;
    const std::size_t d_v = weights.value ? weights.value->shape()[2] : d;
    for (std::size_t h = 0; weights.value && h < H; ++h)
      value_.push_back(ball_matrix(*weights.value, h * d * d_v, d, d_v, precision));
    if (weights.output)
      output_ = ball_matrix(*weights.output, 0, H * d_v, weights.output->shape()[2], precision);
    if (weights.readout)
      readout_ =
          ball_matrix(*weights.readout, 0, weights.readout->shape()[0], layer.dims().output_dim, precision);
    // Of the means, the sum of the absolute factors in a score.
    BallMatrix factors(1, H * d_v);
    for (std::size_t k = 0; k < H * d_v; ++k) arb_one(factors(0, k).get());
    for (std::size_t h = 0; h < value_.size(); ++h) {
      const BallMatrix sizes = absolute(value_[h]);
      for (std::size_t k = 0; k < d_v; ++k) {
        arb_ptr sum = factors(0, h * d_v + k).get();
        arb_zero(sum);
        for (std::size_t j = 0; j < d; ++j) arb_add(sum, sum, sizes(j, k).get(), precision);
      }
    }
    if (output_) factors = multiply(factors, absolute(*output_), precision);
    if (readout_) factors = multiply(factors, absolute(*readout_), precision);
    factors_ = limited(exponent(factors));
  }

  // The scores of these examples.
  Scores scores(std::span<const std::size_t> examples) const {
    const Dimensions& dims = layer_.dims();
    const std::size_t count = examples.size();
    std::vector<BallMatrix> means(dims.heads, BallMatrix(count, dims.embed_dim));
    Scores result;
    for (std::size_t k = 0; k < count; ++k) result.widths.push_back(add_means(examples[k], k, means));
    BallMatrix& heads = result.values;
    for (std::size_t h = 0; h < dims.heads; ++h) {
      BallMatrix& own = means[h];
      if (weights_.value) own = multiply(own, value_[h], precision_);
      add_bias(own, weights_.value_bias, h, precision_);
      if (h == 0) heads = BallMatrix(count, dims.heads * own.cols());
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t j = 0; j < own.cols(); ++j) heads(k, h * own.cols() + j) = own(k, j);
    }
    if (output_) heads = multiply(heads, *output_, precision_);
    add_bias(heads, weights_.output_bias, 0, precision_);
    for (std::size_t k = 0; weights_.skip && k < count; ++k)
      add_row(heads, k, *weights_.skip, examples[k], precision_);
    if (readout_) heads = multiply(heads, *readout_, precision_);
    add_bias(heads, weights_.readout_bias, 0, precision_);
    return result;
  }

private:
  // The means of the heads at example t, as row k of each matrix.
  Widths add_means(std::size_t t, std::size_t k, std::vector<BallMatrix>& heads) const {
    const Dimensions& dims = layer_.dims();
    const std::size_t n = layer_.tokens(t), d = dims.embed_dim;
    // What is left to multiply logits with.
    const LogitScale rest = layer_.ring() == Ring::two ? LogitScale() : dims.logit_scale;
    BallMatrix tokens(n, d), coefficients(dims.heads, n);
    if (deep_) tokens = deep_->tokens(t);
    for (std::size_t i = 0; !deep_ && i < n; ++i) {
      const std::vector<mpq_class> token = layer_.token(t, i);
      for (std::size_t j = 0; j < d; ++j) tokens(i, j) = Ball(token[j], precision_);
    }
    for (std::size_t h = 0; deep_ && h < dims.heads; ++h) {
      const BallMatrix row = deep_->coefficients(h, t);
      for (std::size_t i = 0; i < n; ++i) coefficients(h, i) = row(0, i);
    }
    for (std::size_t h = 0; !deep_ && h < dims.heads; ++h) {
      const Row powers = scaled_powers(dims.base, rest, layer_.logits(t, h), precision_);
      Ball sum;
      for (const Ball& power : powers) arb_add(sum.get(), sum.get(), power.get(), precision_);
      for (std::size_t i = 0; i < n; ++i)
        arb_div(coefficients(h, i).get(), powers[i].get(), sum.get(), precision_);
    }
    BallMatrix means = multiply(coefficients, tokens, precision_);
    for (std::size_t h = 0; h < dims.heads; ++h)
      for (std::size_t j = 0; j < d; ++j) {
        // Behind other layers a checker's enclosures are never exact.
        if (deep_) arb_add_error_2exp_si(means(h, j).get(), -precision_);
        heads[h](k, j) = means(h, j);
      }
    // Powers within 4 units, so their sums within 4 n: coefficients within 2 n + 3, means within (2 n + 3) n
    // times the largest entry of a token, and 2 for rounding.
    const auto width = static_cast<slong>(std::bit_width((2 * n + 3) * n));
    return {factors_ + std::max(width + limited(exponent(tokens)), slong(1)) + 1,
            std::max(depth(coefficients), depth(means))};
  }

  const AttentionLayer& layer_;
  const Weights& weights_;
  slong precision_;
  std::optional<DeepLayer> deep_;  ///< with layers before the layer
  std::vector<BallMatrix> value_;
  std::optional<BallMatrix> output_, readout_;
  slong factors_;
};

// What is known of an example: 1 when it is right, -1 when it is wrong, or 0; and with how many bits a
// checker sees that.
struct Side {
  int side;
  slong bits;
};

// Numbers of which right is that all are positive (with `strict`), or at least 0. A checker sees each within
// the error of a score, or of two with `strict`.
class Gaps {
public:
  explicit Gaps(bool strict) : strict_(strict) { mag_inf(least_); }

  void add(arb_srcptr gap) {
    arb_get_mag_lower(distance_, gap);
    if (mag_is_zero(distance_) != 0)
      zero_ = true;
    else if (mag_cmp(distance_, least_) < 0)
      mag_set(least_, distance_);
    right_ = right_ && (strict_ ? arb_is_positive(gap) : arb_is_nonnegative(gap)) != 0;
    if ((strict_ ? arb_is_nonpositive(gap) : arb_is_negative(gap)) == 0) return;
    wrong_ = true;
    if (mag_cmp(distance_, most_) > 0) mag_set(most_, distance_);
  }

  Side side(const Widths& widths) const {
    if (!right_ && !wrong_) return {0, 0};
    const auto bits = [&](mag_srcptr margin) {
      arf_t x;
      arf_init_set_mag_shallow(x, margin);
      return widths.unit + (strict_ ? 1 : 0) - (limited(arf_abs_bound_lt_2exp_si(x)) - 1);
    };
    if (wrong_) return {-1, mag_is_zero(most_) != 0 ? widths.exact : bits(most_)};
    return {1, std::max(zero_ ? widths.exact : 0, bits(least_))};
  }

private:
  bool strict_, right_ = true, wrong_ = false, zero_ = false;
  // Lower bounds of distances from 0: the least one above 0, and the largest one of those that are wrong.
  OwnedMagnitude distance_, least_, most_;  // 0 at first
};

// Whether the class has the largest score of row k.
Side side_of_class(const Scores& scores, std::size_t k, std::size_t own, slong precision) {
  const bool single = scores.values.cols() == 1;  // that of class 1 against 0
  Gaps gaps(true);
  Ball gap;
  if (single) {
    arb_set_round(gap.get(), scores.values(k, 0).get(), precision);
    if (own == 0) arb_neg(gap.get(), gap.get());
    gaps.add(gap.get());
  }
  for (std::size_t o = 0; !single && o < scores.values.cols(); ++o) {
    if (o == own) continue;
    arb_sub(gap.get(), scores.values(k, own).get(), scores.values(k, o).get(), precision);
    gaps.add(gap.get());
  }
  return gaps.side(scores.widths[k]);
}

// Whether all scores of row k are within epsilon of the labels of example t.
Side side_of_labels(const Scores& scores, std::size_t k, const ExactArray& labels, std::size_t t,
                    const mpq_class& epsilon, slong precision) {
  Gaps gaps(false);
  const Ball most(epsilon, precision);
  Ball gap;
  for (std::size_t o = 0; o < scores.values.cols(); ++o) {
    arb_sub(gap.get(), scores.values(k, o).get(),
            Ball(labels.at(t * scores.values.cols() + o), precision).get(), precision);
    arb_abs(gap.get(), gap.get());
    arb_sub(gap.get(), most.get(), gap.get(), precision);
    gaps.add(gap.get());
  }
  return gaps.side(scores.widths[k]);
}

}  // namespace

static void prove_accuracy(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  const AttentionLayer layer(c, *c.weights);
  const std::size_t T = c.layer->examples,
                    together = std::clamp<std::size_t>(kScores / c.layer->output_dim, 1, kTogether);
  const mpq_class epsilon = claim.has("classes") ? mpq_class() : claim.number("epsilon");
  std::size_t right = 0, wrong = 0;
  slong used = 0;
  std::vector<std::size_t> open = range(0, T);  // not told by less precision
  for (const slong precision : kPrecisions) {
    if (open.empty()) break;
    const WholeLayer whole(layer, *c.weights, precision);
    std::vector<std::size_t> left;
    for (std::size_t first = 0; first < open.size(); first += together) {
      report_progress("outputs", T - open.size() + first, T);
      const std::span examples = std::span(open).subspan(first, std::min(together, open.size() - first));
      const Scores scores = whole.scores(examples);
      for (std::size_t k = 0; k < examples.size(); ++k) {
        const std::size_t t = examples[k];
        const auto [side, bits] =
            claim.has("classes")
                ? side_of_class(scores, k, claim.array("classes").at(t).get_num().get_ui(), precision)
                : side_of_labels(scores, k, *c.data.labels, t, epsilon, precision);
        if (side == 0 || bits > kMost - kChecked) {
          left.push_back(t);
          continue;
        }
        used = std::max({used, precision, bits});
        (side > 0 ? right : wrong) += 1;
      }
    }
    open = std::move(left);
  }
  const auto bits = static_cast<std::size_t>(used + kChecked);
  if (right > 0) proof.script.counted("accurate", true, right, T, bits);
  if (wrong > 0) proof.script.counted("accurate", false, wrong, T, bits);
  proof.reason =
      "some examples are too close to a tie, or to a distance of epsilon, to be told right or wrong";
}

const Registered registered{{"accuracy", prove_accuracy}};

}  // namespace attest
