// For how many examples is the exact output of the whole layer right? Ball arithmetic through the layer:
// means of the heads, values, outputs, skip connection, read-out; with more bits for the examples that are
// not told.
#include <algorithm>
#include <map>

#include "attention/layer.hpp"
#include "exact/balls.hpp"
#include "exact/progress.hpp"
#include "proofs/provers.hpp"

namespace attest {
namespace {

constexpr slong kPrecisions[] = {64, 256, 1024};
constexpr slong kChecked = 32;  // bits more for the checker, whose enclosures are others

using Row = std::vector<Ball>;

// The array as a rows x cols matrix, from entry `first` on.
BallMatrix matrix(const ExactArray& array, std::size_t first, std::size_t rows, std::size_t cols,
                  slong precision) {
  BallMatrix result(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) result(i, j) = Ball(array.at(first + i * cols + j), precision);
  return result;
}

void add_row(BallMatrix& x, const ExactArray& bias, std::size_t row, slong precision) {
  for (std::size_t j = 0; j < x.cols(); ++j)
    arb_add(x(0, j).get(), x(0, j).get(), Ball(bias.at(row * x.cols() + j), precision).get(), precision);
}

// The layer at one precision.
class WholeLayer {
public:
  WholeLayer(const AttentionLayer& layer, const Weights& weights, slong precision)
      : layer_(layer), weights_(weights), precision_(precision) {
    const std::size_t H = layer.dims().heads, d = layer.dims().embed_dim;
    const std::size_t d_v = weights.value ? weights.value->shape()[2] : d;
    for (std::size_t h = 0; weights.value && h < H; ++h)
      value_.push_back(matrix(*weights.value, h * d * d_v, d, d_v, precision));
    if (weights.output) output_ = matrix(*weights.output, 0, H * d_v, weights.output->shape()[2], precision);
    if (weights.readout)
      readout_ = matrix(*weights.readout, 0, weights.readout->shape()[0], layer.dims().output_dim, precision);
  }

  // The scores of example t, 1 x d_out.
  BallMatrix scores(std::size_t t) const {
    const Dimensions& dims = layer_.dims();
    const std::size_t n = layer_.tokens(t), d = dims.embed_dim;
    // What is left to multiply logits with.
    const LogitScale rest = layer_.ring() == Ring::two ? LogitScale() : dims.logit_scale;
    BallMatrix tokens(n, d), coefficients(dims.heads, n), heads;
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<mpq_class> token = layer_.token(t, i);
      for (std::size_t j = 0; j < d; ++j) tokens(i, j) = Ball(token[j], precision_);
    }
    for (std::size_t h = 0; h < dims.heads; ++h) {
      const Row powers = scaled_powers(dims.base, rest, layer_.logits(t, h), precision_);
      Ball sum;
      for (const Ball& power : powers) arb_add(sum.get(), sum.get(), power.get(), precision_);
      for (std::size_t i = 0; i < n; ++i)
        arb_div(coefficients(h, i).get(), powers[i].get(), sum.get(), precision_);
    }
    const BallMatrix means = multiply(coefficients, tokens, precision_);
    for (std::size_t h = 0; h < dims.heads; ++h) {
      BallMatrix own(1, d);
      for (std::size_t j = 0; j < d; ++j) own(0, j) = means(h, j);
      if (weights_.value) own = multiply(own, value_[h], precision_);
      if (weights_.value_bias) add_row(own, *weights_.value_bias, h, precision_);
      if (h == 0) heads = BallMatrix(1, dims.heads * own.cols());
      for (std::size_t j = 0; j < own.cols(); ++j) heads(0, h * own.cols() + j) = own(0, j);
    }
    if (output_) heads = multiply(heads, *output_, precision_);
    if (weights_.output_bias) add_row(heads, *weights_.output_bias, 0, precision_);
    if (weights_.skip) add_row(heads, *weights_.skip, t, precision_);
    if (readout_) heads = multiply(heads, *readout_, precision_);
    if (weights_.readout_bias) add_row(heads, *weights_.readout_bias, 0, precision_);
    return heads;
  }

private:
  const AttentionLayer& layer_;
  const Weights& weights_;
  slong precision_;
  std::vector<BallMatrix> value_;
  std::optional<BallMatrix> output_, readout_;
};

// 1, -1 or 0 as the class has the largest score, has not, or this is not known.
int side_of_class(const BallMatrix& scores, std::size_t own, slong precision) {
  Row values(scores.cols() == 1 ? 1 : 0);  // one score is that of class 1 against 0
  for (std::size_t o = 0; o < scores.cols(); ++o) values.push_back(scores(0, o));
  bool right = true;
  for (std::size_t o = 0; o < values.size(); ++o) {
    if (o == own) continue;
    Ball gap;
    arb_sub(gap.get(), values[own].get(), values[o].get(), precision);
    if (arb_is_nonpositive(gap.get()) != 0) return -1;
    right = right && arb_is_positive(gap.get()) != 0;
  }
  return right ? 1 : 0;
}

// The same for scores within epsilon of the labels.
int side_of_labels(const BallMatrix& scores, const ExactArray& labels, std::size_t t,
                   const mpq_class& epsilon, slong precision) {
  bool right = true;
  for (std::size_t o = 0; o < scores.cols(); ++o) {
    Ball distance;
    arb_sub(distance.get(), scores(0, o).get(), Ball(labels.at(t * scores.cols() + o), precision).get(),
            precision);
    arb_abs(distance.get(), distance.get());
    arb_sub(distance.get(), distance.get(), Ball(epsilon, precision).get(), precision);
    if (arb_is_positive(distance.get()) != 0) return -1;
    right = right && arb_is_nonpositive(distance.get()) != 0;
  }
  return right ? 1 : 0;
}

}  // namespace

void prove_accuracy(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  const AttentionLayer layer(c, *c.weights);
  const std::size_t T = c.layer->examples;
  std::map<slong, WholeLayer> layers;  // by precision
  std::size_t right = 0, wrong = 0;
  slong used = 0;
  for (std::size_t t = 0; t < T; ++t) {
    report_progress("outputs", t, T);
    for (const slong precision : kPrecisions) {
      const auto& whole = layers.try_emplace(precision, layer, *c.weights, precision).first->second;
      const BallMatrix scores = whole.scores(t);
      const int found =
          claim.has("classes")
              ? side_of_class(scores, claim.array("classes").at(t).get_num().get_ui(), precision)
              : side_of_labels(scores, *c.data.labels, t, claim.number("epsilon"), precision);
      if (found == 0) continue;
      used = std::max(used, precision);
      (found > 0 ? right : wrong) += 1;
      break;
    }
  }
  const auto bits = static_cast<std::size_t>(used + kChecked);
  if (right > 0) proof.script.accurate(true, right, T, bits);
  if (wrong > 0) proof.script.accurate(false, wrong, T, bits);
  proof.reason =
      "some examples are too close to a tie, or to a distance of epsilon, to be told right or wrong";
}

}  // namespace attest
