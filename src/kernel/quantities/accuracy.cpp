#include "kernel/quantities/accuracy.hpp"

#include <algorithm>
#include <span>

#include "kernel/layers/enclosed_z.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

constexpr std::size_t kTogether = 256;  // examples
constexpr std::size_t kShort = 30;      // bits

/// A block-diagonal matrix M and a vector b that is added, where they are given: (x, 1) becomes x M + b.
struct Stage {
  std::vector<IntegerMatrix> blocks;  // of equal shape
  Integer den = 1;                    // of their entries
  Vector bias;
};

Stage stage(const std::optional<ExactArray>& m, const std::optional<ExactArray>& bias, std::size_t blocks,
            std::size_t height) {
  Stage result;
  if (bias) result.bias = Vector(*bias, 0, bias->size());
  if (!m) return result;
  Vector entries(*m, 0, m->size());
  const std::size_t width = m->size() / blocks / height;
  for (std::size_t k = 0; k < blocks * height; ++k) {
    if (k % height == 0) result.blocks.emplace_back();
    const auto first = std::make_move_iterator(entries.num.begin()) + static_cast<std::ptrdiff_t>(k * width);
    result.blocks.back().emplace_back(first, first + static_cast<std::ptrdiff_t>(width));
  }
  result.den = entries.den;
  return result;
}

/// M x.
Vector image(const Stage& stage, const Vector& x) {
  if (stage.blocks.empty()) return x;
  std::vector<Integer> result;
  const std::size_t width = stage.blocks[0][0].size();
  for (std::size_t block = 0; block < stage.blocks.size(); ++block) {
    for (const std::vector<Integer>& row : stage.blocks[block]) {
      Integer& sum = result.emplace_back();
      for (std::size_t j = 0; j < width; ++j) sum += row[j] * x.num[block * width + j];
    }
  }
  return Vector(std::move(result), stage.den * x.den);
}

/// Replaces rows (x, c) by (x M + c b, c), times one number.
void transform_rows(const Stage& stage, IntegerMatrix& rows) {
  IntegerMatrix images(stage.blocks.empty() ? 0 : rows.size());
  for (std::size_t block = 0; block < stage.blocks.size(); ++block) {
    const auto height = static_cast<std::ptrdiff_t>(stage.blocks[block].size());
    IntegerMatrix part;
    for (const std::vector<Integer>& row : rows) {
      const auto first = row.begin() + static_cast<std::ptrdiff_t>(block) * height;
      part.emplace_back(first, first + height);
    }
    part = product(part, stage.blocks[block], false);
    for (std::size_t i = 0; i < rows.size(); ++i)
      images[i].insert(images[i].end(), part[i].begin(), part[i].end());
  }
  for (std::size_t i = 0; i < images.size(); ++i) {
    images[i].push_back(rows[i].back() * stage.den);
    rows[i] = std::move(images[i]);
  }
  for (std::vector<Integer>& row : rows) {
    for (std::size_t j = 0; j < stage.bias.size(); ++j)
      row[j] = row[j] * stage.bias.den + row.back() * stage.bias.num[j];
    row.back() *= stage.bias.den;
  }
}

/// How far entries may be off after `transform_rows` that were off by at most so much before.
std::vector<Integer> spread(const Stage& stage, std::vector<Integer> x) {
  std::vector<Integer> result;
  for (std::size_t block = 0, k = 0; block < stage.blocks.size(); ++block) {
    const std::size_t width = stage.blocks[block][0].size();
    result.resize((block + 1) * width);
    for (const std::vector<Integer>& row : stage.blocks[block]) {
      for (std::size_t j = 0; j < width; ++j)
        (sgn(row[j]) < 0 ? mpz_submul : mpz_addmul)(result[block * width + j].get_mpz_t(), row[j].get_mpz_t(),
                                                    x[k].get_mpz_t());
      ++k;
    }
  }
  if (stage.blocks.empty()) result = std::move(x);
  for (Integer& entry : result) entry *= stage.bias.den;
  return result;
}

/// The inner product with x of an array from entry `first` on; 0 without the array.
Rational inner(const std::optional<ExactArray>& array, const Vector& x, std::size_t first = 0) {
  return array ? dot(Vector(*array, first, x.size()), x) : Rational(0);
}

/// Divides all entries by the power of 2 that leaves at most 2^kShort, rounding down; returns its exponent.
std::size_t shorten(std::span<std::vector<Integer>> rows) {
  std::size_t most = kShort;
  for (const std::vector<Integer>& row : rows) {
    for (const Integer& entry : row) most = std::max(most, mpz_sizeinbase(entry.get_mpz_t(), 2));
  }
  for (std::vector<Integer>& row : rows) {
    for (Integer& entry : row) mpz_fdiv_q_2exp(entry.get_mpz_t(), entry.get_mpz_t(), most - kShort);
  }
  return most - kShort;
}

Vector whole(const std::optional<ExactArray>& array) {
  return array ? Vector(*array, 0, array->size()) : Vector();
}

/// What is known of a score, or of the difference of two: at most reach / one from x / one, one > 0.
struct Known {
  Integer x, one, reach;
};

/// A score is the product of the outputs with `of_outputs`, plus `bias`; the difference of two, too.
struct Functional {
  Vector of_outputs;
  Rational bias;
};

/// For speed, 14 times for cases/trained/h8-t300-accuracy: the scores of some examples, rounded: each at most
/// reaches[row] from its entry, in multiples of the power of 2 with that exponent, and so is `ones` the
/// score 1.
struct RoughScores {
  IntegerMatrix entries;
  std::vector<std::size_t> exponents;
  std::vector<Integer> ones, reaches;
};

/// What follows the heads: values, outputs, what is added to them, the read-out.
class WholeLayer {
public:
  WholeLayer(const Problem& problem, const Layer& given, std::size_t bits)
      : problem_(problem),
        logits_(problem, given),
        bits_(bits),
        outputs_(weights_.readout ? weights_.readout->shape()[0] : problem.d_out),
        value_(stage(weights_.value, weights_.value_bias, problem.H, problem.d)),
        output_(stage(weights_.output, weights_.output_bias, 1,
                      weights_.output ? weights_.output->size() / outputs_ : 0)),
        readout_bias_(whole(weights_.readout_bias)) {
    const std::vector<Integer> spreads =
        spread(output_, spread(value_, std::vector<Integer>(problem.H * problem.d, 1)));
    most_ = *std::max_element(spreads.begin(), spreads.end());
    unit_ = value_.den * value_.bias.den * output_.den * output_.bias.den << bits;
    if (!weights_.readout) return;
    const Vector readout = whole(weights_.readout);
    den_ = lcm(readout.den, readout_bias_.den);
    readout_.resize(outputs_ + 1);
    for (std::size_t k = 0; k < readout_.size() * problem.d_out; ++k) {
      const std::size_t i = k / problem.d_out, o = k % problem.d_out;
      readout_[i].push_back(i < outputs_ ? Integer(readout.num[k] * (den_ / readout.den))
                            : weights_.readout_bias
                                ? Integer(readout_bias_.num[o] * (den_ / readout_bias_.den))
                                : Integer(0));
    }
    shift_ = shorten(readout_);
  }

  /// The scores of these examples: as products of matrices of short integers.
  RoughScores rough(const std::vector<std::size_t>& rows) {
    const std::size_t count = rows.size();
    EnclosedZ z = enclosed_z(logits_, rows, all_below(problem_.H * problem_.d), bits_, nullptr, true);
    RoughScores result;
    result.entries = std::move(z.mid);
    for (std::vector<Integer>& each : result.entries) each.push_back(Integer(1) << bits_);
    transform_rows(value_, result.entries);
    transform_rows(output_, result.entries);
    for (std::size_t k = 0; k < count; ++k) {
      IntegerMatrix one(1, std::move(result.entries[k]));
      if (weights_.skip) transform_rows({{}, 1, Vector(*weights_.skip, rows[k] * outputs_, outputs_)}, one);
      if (!weights_.readout) transform_rows({{}, 1, readout_bias_}, one);
      result.ones.push_back(one[0].back() * den_);
      Integer off = z.rad[k][0] * most_ * (one[0].back() / unit_);
      const std::size_t exponent = shorten(one);
      mpz_cdiv_q_2exp(off.get_mpz_t(), off.get_mpz_t(), exponent);
      result.reaches.push_back(weights_.readout ? Integer((off + 2) * Integer(outputs_ + 1) << kShort + 1)
                                                : Integer(off + 1));
      result.exponents.push_back(shift_ + exponent);
      result.entries[k] = std::move(one[0]);
    }
    if (weights_.readout) result.entries = product(result.entries, readout_, false);
    return result;
  }

  Functional score(std::size_t o) const {
    if (weights_.readout) return {Vector(*weights_.readout, o, outputs_, problem_.d_out), bias(o)};
    Vector unit(std::vector<Integer>(outputs_), 1);
    unit.num[o] = 1;
    return {unit, bias(o)};
  }
  Functional zero() const { return {Vector(std::vector<Integer>(outputs_), 1), 0}; }

  /// The value of a functional at example t, without rounding: it is known exactly when the entries of Z that
  /// matter are.
  Known exact(std::size_t t, const Functional& score) {
    if (!z_ || t != z_of_) z_ = enclosed_z(logits_, {t}, all_below(problem_.H * problem_.d), bits_);
    z_of_ = t;
    const Integer one = Integer(1) << bits_;
    const Vector of_values = image(output_, score.of_outputs), of_z = image(value_, of_values);
    const Rational x = dot(of_z, Vector(z_->mid[0], one)) + inner(weights_.value_bias, of_values) +
                       inner(weights_.output_bias, score.of_outputs) +
                       inner(weights_.skip, score.of_outputs, t * outputs_) + score.bias,
                   reach = dot(absolute(of_z), Vector(z_->rad[0], one));
    return {x.get_num() * reach.get_den(), x.get_den() * reach.get_den(), reach.get_num() * x.get_den()};
  }

private:
  Rational bias(std::size_t o) const {
    return weights_.readout_bias ? weights_.readout_bias->at(o) : Rational(0);
  }

  const Problem& problem_;
  const Weights& weights_ = *problem_.source.weights;
  Logits logits_;
  std::size_t bits_, outputs_;
  Stage value_, output_;
  Vector readout_bias_;
  Integer most_, unit_;    ///< by how much of an error of the row of Z an output may be off: most / unit
  IntegerMatrix readout_;  ///< of (the outputs, 1), times den, divided by 2^shift and rounded down
  Integer den_ = 1;
  std::size_t shift_ = 0;
  std::optional<EnclosedZ> z_;  ///< of example z_of_
  std::size_t z_of_ = 0;
};

}  // namespace

std::vector<Sides> sides_of_examples(const Problem& problem, const Claim& claim, const Layer& given,
                                     const std::vector<std::size_t>& examples, std::size_t bits,
                                     const Reached& reached) {
  const bool classes = claim.has("classes");
  ENSURE(classes || claim.has("epsilon"), "a claim with classes or epsilon", "a claim of " + claim.statement);
  const bool single = classes && problem.d_out == 1;  // one score, of class 1; class 0 has the score 0
  const std::size_t count = single ? 2 : problem.d_out;
  // 1 when score o (with classes, the own one minus it) is right, whatever it is, -1 when it is wrong, or 0.
  // A difference is right above 0; a score at a distance of at most epsilon from its label.
  const auto side = [&](std::size_t t, std::size_t o, const Known& score) {
    const auto decide = [](const Integer& margin, const Integer& reach, int least) {
      return cmp(margin, reach) >= least ? 1 : cmp(margin, Integer(-reach)) < least ? -1 : 0;
    };
    if (classes) return decide(score.x, score.reach, 1);
    const Rational label = problem.label(t, o, false), epsilon = claim.number("epsilon");
    const Integer distance = abs(score.x * label.get_den() - label.get_num() * score.one);
    return decide(epsilon.get_num() * label.get_den() * score.one - distance * epsilon.get_den(),
                  score.reach * label.get_den() * epsilon.get_den(), 0);
  };
  WholeLayer layer(problem, given, bits);
  const auto functional = [&](std::size_t o) {
    return single && o == 0 ? layer.zero() : layer.score(single ? 0 : o);
  };
  // The own score minus score o.
  const auto difference = [&](std::size_t own, std::size_t o) -> Functional {
    const Functional first = functional(own), second = functional(o);
    return {combination({1, -1}, {first.of_outputs, second.of_outputs}), first.bias - second.bias};
  };
  RoughScores rough;
  const Integer zero = 0;
  std::vector<Sides> found;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const std::size_t t = examples[k], row = k % kTogether;
    if (row == 0) {
      if (reached) reached(k);
      const auto first = examples.begin() + static_cast<std::ptrdiff_t>(k);
      const std::size_t together = std::min(kTogether, examples.size() - k);
      rough = layer.rough({first, first + static_cast<std::ptrdiff_t>(together)});
    }
    const auto entry = [&](std::size_t o) -> const Integer& {
      return single && o == 0 ? zero : rough.entries[row][single ? 0 : o];
    };
    const std::size_t own = classes ? claim.array("classes").at(t).get_num().get_ui() : count,
                      shift = classes ? 0 : rough.exponents[row];  // a difference has its sign in any unit
    Known score{0, rough.ones[row], rough.reaches[row] * (classes ? 2 : 1) << shift};
    bool right = true, wrong = false;
    for (std::size_t o = 0; o < count && (right || !wrong); ++o) {
      if (o == own) continue;
      if (classes)
        score.x = entry(own) - entry(o);
      else
        score.x = entry(o) << shift;
      int sign = side(t, o, score);
      if (sign == 0) sign = side(t, o, layer.exact(t, classes ? difference(own, o) : functional(o)));
      right = right && sign > 0;
      wrong = wrong || sign < 0;
    }
    found.push_back({right, wrong});
  }
  return found;
}

}  // namespace attest::kernel
