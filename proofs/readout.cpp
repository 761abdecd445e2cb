#include "proofs/readout.hpp"

#include <bit>

#include "proofs/capacity.hpp"
#include "search/arithmetic/balls.hpp"

namespace attest {
namespace {

constexpr slong kBallBits = 96;  // of the largest mid-point of an output, relative to its radius
// The enclosure holds with this many bits to spare, so that a checker whose intervals are wider can follow.
constexpr slong kMarginBits = 12;
constexpr slong kLeastPrecision = 128, kMostPrecision = 1 << 15;

// T columns of Z, which form a non-singular matrix.
class ReadoutSystem {
public:
  ReadoutSystem(const Case& c, const Construction& construction, const RationalMatrix& labels)
      : dims_(*c.layer),
        layer_(c, factors_of(construction.heads)),
        cols_(construction.minor().cols),
        labels_(labels) {
    for (std::size_t t = 0; t < dims_.examples; ++t) {
      logits_.emplace_back();
      for (std::size_t h = 0; h < dims_.heads; ++h) logits_[t].push_back(layer_.logits(t, h));
    }
  }

  const std::vector<std::size_t>& cols() const { return cols_; }

  // With coefficients, and entries of Z, that are known up to 2^-absolute only.
  BallMatrix minor(slong precision, slong absolute = ARF_PREC_EXACT) const {
    const std::size_t T = dims_.examples;
    BallMatrix minor(T, T);
    for (std::size_t t = 0; t < T; ++t) {
      const std::vector<std::vector<mpq_class>> tokens = tokens_of(t);
      std::vector<std::vector<Ball>> alpha;
      for (const auto& head : logits_[t]) {
        alpha.push_back(softmax(dims_.base, head, precision));
        for (Ball& x : alpha.back())
          if (absolute != ARF_PREC_EXACT) arb_add_error_2exp_si(x.get(), -absolute);
      }
      for (std::size_t k = 0; k < T; ++k)
        for (std::size_t i = 0; i < dims_.context; ++i) {
          const Ball x(tokens[i][cols_[k] % dims_.embed_dim], precision);
          arb_addmul(minor(t, k).get(), alpha[cols_[k] / dims_.embed_dim][i].get(), x.get(), precision);
        }
      for (std::size_t k = 0; k < T; ++k)
        if (absolute != ARF_PREC_EXACT) arb_add_error_2exp_si(minor(t, k).get(), -absolute);
    }
    return minor;
  }

  BallMatrix labels(slong precision) const {
    BallMatrix y(labels_.rows(), labels_.cols());
    for (std::size_t t = 0; t < y.rows(); ++t)
      for (std::size_t o = 0; o < y.cols(); ++o) y(t, o) = Ball(labels_(t, o), precision);
    return y;
  }

private:
  std::vector<std::vector<mpq_class>> tokens_of(std::size_t t) const {
    std::vector<std::vector<mpq_class>> tokens;
    for (std::size_t i = 0; i < dims_.context; ++i) tokens.push_back(layer_.token(t, i));
    return tokens;
  }

  const Dimensions& dims_;
  AttentionLayer layer_;
  std::vector<std::size_t> cols_;
  const RationalMatrix& labels_;
  std::vector<std::vector<std::vector<mpq_class>>> logits_;  // [t][h][i]
};

BallMatrix difference(const BallMatrix& a, const BallMatrix& b, slong precision) {
  BallMatrix result(a.rows(), a.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j)
      arb_sub(result(i, j).get(), a(i, j).get(), b(i, j).get(), precision);
  return result;
}

BallMatrix column(const BallMatrix& a, std::size_t j) {
  return submatrix(a, range(0, a.rows()), {j});
}

slong bits(std::size_t n) {
  return static_cast<slong>(std::bit_width(n));
}

// What shows an enclosure of U (A U = Y): an approximate inverse R, mid-points, and a radius 2^radius[o] for
// each output.
struct EnclosedSolution {
  BallMatrix inverse, mid;
  std::vector<slong> radius;

  // || I - R A || < 2^-margin, and |R (Y - A mid)| is below the radius by as much.
  bool holds(const BallMatrix& a, const BallMatrix& y, slong precision) const {
    const BallMatrix defect = difference(ball_identity(a.rows()), multiply(inverse, a, precision), precision);
    if (exponent(defect) + bits(a.rows()) > -kMarginBits) return false;
    const BallMatrix residual =
        multiply(inverse, difference(y, multiply(a, mid, precision), precision), precision);
    for (std::size_t o = 0; o < y.cols(); ++o)
      if (exponent(column(residual, o)) > radius[o] - kMarginBits) return false;
    return true;
  }
};

std::optional<EnclosedSolution> enclosure(const BallMatrix& a, const BallMatrix& y, slong precision) {
  const std::size_t T = a.rows();
  BallMatrix right(T, T + y.cols());
  for (std::size_t i = 0; i < T; ++i) {
    arb_one(right(i, i).get());
    for (std::size_t o = 0; o < y.cols(); ++o) right(i, T + o) = y(i, o);
  }
  const auto solution = solve(a, right, precision);
  if (!solution || !have_numerals(*solution)) return std::nullopt;
  EnclosedSolution result{BallMatrix(T, T), BallMatrix(T, y.cols()), {}};
  const slong inverse_unit = -(exponent(a) + 2 * bits(T) + kMarginBits);
  for (std::size_t i = 0; i < T; ++i)
    for (std::size_t j = 0; j < T; ++j) result.inverse(i, j) = rounded((*solution)(i, j), inverse_unit);
  for (std::size_t o = 0; o < y.cols(); ++o) {
    const BallMatrix u = column(*solution, T + o);
    const slong size = exponent(u);
    result.radius.push_back((size < -kMostPrecision ? 0 : size) - kBallBits);
    for (std::size_t i = 0; i < T; ++i)
      result.mid(i, o) = rounded(u(i, 0), result.radius[o] - kMarginBits - 2);
  }
  return result;
}

}  // namespace

void add_readout(const Case& c, const Construction& construction, ProofScript::Number layer,
                 const RationalMatrix& labels, ProofScript& script) {
  const ReadoutSystem system(c, construction, labels);
  // Elimination with balls loses about a bit a row.
  std::optional<EnclosedSolution> found;
  slong precision = 256 + 4 * static_cast<slong>(labels.rows());
  for (; precision <= kMostPrecision; precision *= 2) {
    const BallMatrix a = system.minor(precision), y = system.labels(precision);
    found = enclosure(a, y, precision);
    if (found && found->holds(a, y, precision)) break;
  }
  if (precision > kMostPrecision) return;
  // To check it takes fewer bits than to find it, unless coefficients are small: the checker's enclosures are
  // about as wide for all.
  slong enough = kLeastPrecision;
  while (enough <= kMostPrecision &&
         !found->holds(system.minor(enough, enough), system.labels(enough), enough))
    enough *= 2;
  if (enough > kMostPrecision) return;

  std::vector<std::vector<std::string>> inverse;
  std::vector<std::vector<BallText>> weights;
  for (std::size_t k = 0; k < labels.rows(); ++k) {
    inverse.emplace_back();
    for (std::size_t t = 0; t < labels.rows(); ++t) inverse[k].push_back(numeral(found->inverse(k, t)));
    weights.emplace_back();
    for (std::size_t o = 0; o < labels.cols(); ++o)
      weights[k].push_back({numeral(found->mid(k, o)), "0x1p" + std::to_string(found->radius[o])});
  }
  script.label("the read-out, each weight in a ball")
      .add("inverse", Fact::at_least("readout", 1),
           {{"layer", layer},
            {"cols", system.cols()},
            {"precision", 2 * enough},
            {"inverse", inverse},
            {"weights", weights}});
}

}  // namespace attest
