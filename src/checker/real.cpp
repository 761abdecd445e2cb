#include "checker/real.hpp"

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <map>
#include <span>

namespace attest::checker {
namespace {

/// A real number between two multiples of 2^-bits, for bits that go without saying.
struct Enclosure {
  Integer least, most;
};

/// Powers of b = 2 or e. This is the only use of MPFR: the rest are integers and rationals.
class Powers {
public:
  /// With exponents times s: the case's scale where it is not in the logits yet and `scaled`, or else 1.
  Powers(const Problem& problem, const Ring& ring, std::size_t bits, bool scaled = true)
      : two_(problem.source.layer->base == attest::Base::two), bits_(bits), zero_(Integer(bits + 1) << bits) {
    const LogitScale& scale = problem.source.layer->logit_scale;
    if (scaled && !ring.absorbed && !ring.two) {
      turned_ = !scale.irrational() && scale.rational < 0;
      if (scale.irrational()) radicand_ = scale.radicand;
      if (!scale.irrational()) scale_ = abs(scale.rational);
    }
    scale_.get_num() <<= bits;
    // Exponents are exact.
    mpfr_init2(value_, static_cast<mpfr_prec_t>(bits + std::max<std::size_t>(18, std::bit_width(bits + 1))));
  }
  ~Powers() { mpfr_clear(value_); }
  Powers(const Powers&) = delete;
  Powers& operator=(const Powers&) = delete;

  /// b^-|x s|, x = num / den; without an error if exponent and power are multiples of 2^-bits.
  Enclosure operator()(const Integer& num, const Integer& den) {
    const std::size_t words = bits_ / 64 + 2 + mpz_size(num.get_mpz_t()) + mpz_size(den.get_mpz_t());
    meter().work(100 * (40 + words * words));
    // 2^bits |x s|, rounded up.
    mpz_mul(exponent_.get_mpz_t(), num.get_mpz_t(), scale_.get_num_mpz_t());
    mpz_mul(den_.get_mpz_t(), den.get_mpz_t(), scale_.get_den_mpz_t());
    mpz_abs(exponent_.get_mpz_t(), exponent_.get_mpz_t());
    if (radicand_ != 1) {
      exponent_ *= exponent_;
      den_ *= den_;
      den_ *= radicand_;
    }
    mpz_cdiv_qr(exponent_.get_mpz_t(), rest_.get_mpz_t(), exponent_.get_mpz_t(), den_.get_mpz_t());
    bool exact = rest_ == 0;
    if (radicand_ != 1) {
      mpz_sqrtrem(exponent_.get_mpz_t(), rest_.get_mpz_t(), exponent_.get_mpz_t());
      exact = exact && rest_ == 0;
      exponent_ += rest_ == 0 ? 0 : 1;
    }
    if (exponent_ >= zero_) return {0, 1};
    mpz_neg(exponent_.get_mpz_t(), exponent_.get_mpz_t());
    Enclosure result;
    mpfr_set_z_2exp(value_, exponent_.get_mpz_t(), -static_cast<mpfr_exp_t>(bits_), MPFR_RNDD);
    exact &= (two_ ? mpfr_exp2 : mpfr_exp)(value_, value_, MPFR_RNDD) == 0;
    mpfr_mul_2ui(value_, value_, bits_, MPFR_RNDD);
    exact &= mpfr_get_z(result.least.get_mpz_t(), value_, MPFR_RNDD) == 0;
    // The power is at most b^(2^-bits) < 1 + 2^(1-bits) times that of the rounded exponent.
    result.most = result.least;
    if (!exact) result.most += 4;
    return result;
  }

  /// The powers of these logits, times a number that makes the largest 1; with `enough`, the first of them
  /// until they sum up to that. Sets the sum.
  std::vector<Enclosure> of(const Vector& logits, Enclosure& sum, const Integer* enough = nullptr) {
    const Integer reference = turned_ ? *std::ranges::min_element(logits.num) : Integer(0);
    std::vector<Enclosure> result;
    result.reserve(logits.size());
    for (const Integer& logit : logits.num) {
      if (enough != nullptr && sum.least >= *enough) break;
      distance_ = logit - reference;
      result.push_back((*this)(distance_, logits.den));
      sum.least += result.back().least;
      sum.most += result.back().most;
    }
    return result;
  }

private:
  bool two_, turned_ = false;
  std::size_t bits_;
  unsigned long radicand_ = 1;
  Rational scale_ = 1;  ///< the absolute value of s times 2^bits and the root of the radicand
  Integer zero_, distance_, exponent_, den_, rest_;
  mpfr_t value_;
};

/// Numbers in the ratios of the coefficients of head h at example t, with the case's scale, and their sum;
/// with `lambda`, the coefficients, in what contains them for all lambdas of its separator from there on.
std::vector<Enclosure> coefficients(const Problem& problem, const Layer& layer, std::size_t h, std::size_t t,
                                    std::size_t bits, const Rational* lambda, Powers& power, Enclosure& sum) {
  const Head& head = layer.heads[h];
  const bool tail = lambda != nullptr && head.lambda && dot(head.query.back(), problem.query(t)) != 0;
  const Vector logit = logits(problem, layer, h, t, !tail);
  sum = {};
  if (!tail) return power.of(logit, sum);
  Powers plain(problem, layer.ring, bits, false);
  std::vector<Enclosure> result;
  const std::vector<Rational> x = entries(separated(problem, head.key.back(), head.query.back(), t)),
                              y = entries(logit);
  const auto largest = std::max_element(x.begin(), x.end());
  ENSURE(std::count(x.begin(), x.end(), *largest) == 1,
         "one largest entry of (E_t u)(v . e_t) in head " + count(h) + " at example " + count(t), "more");
  const auto place = static_cast<std::size_t>(largest - x.begin());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Rational exponent = std::min<Rational>(y[i] - y[place] - *lambda * (*largest - x[i]), 0);
    result.push_back({0, plain(exponent.get_num(), exponent.get_den()).most});
    sum.most += result.back().most;
  }
  // 1 minus the others, of which the peak, as b^0 = 1, is none.
  result[place].least = (Integer(2) << bits) - sum.most;
  sum.least = sum.most = Integer(1) << bits;
  return result;
}

Vector absolute(Vector v) {
  for (Integer& entry : v.num) entry = abs(entry);
  return v;
}

/// Bounds of |I - R A| w, R given by its rows.
std::vector<Rational> defects(const std::vector<Vector>& R, const EnclosedZ& A,
                              const std::vector<Rational>& w, std::size_t bits) {
  IntegerMatrix middle, size;
  for (const Vector& row : R) {
    middle.push_back(row.num);
    size.push_back(absolute(row).num);
  }
  middle = product(middle, A.mid, false);
  size = product(size, A.rad, false);
  std::vector<Rational> result;
  for (std::size_t i = 0; i < R.size(); ++i) {
    const Integer one = R[i].den << bits;
    Rational& sum = result.emplace_back();
    for (std::size_t j = 0; j < w.size(); ++j)
      sum += w[j] * Integer(abs((i == j ? one : Integer(0)) - middle[i][j]) + size[i][j]);
    sum /= one;
  }
  return result;
}

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
      meter().work(width * (2 + mpz_size(sum.get_mpz_t())));
    }
  }
  return Vector(std::move(result), stage.den * x.den);
}

/// Replaces rows (x, c) by (x M + c b, c), times one number.
void apply(const Stage& stage, IntegerMatrix& rows) {
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

/// How far entries may be off after `apply` that were off by at most so much before.
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
    meter().work(stage.blocks[block].size() * width);
  }
  if (stage.blocks.empty()) result = std::move(x);
  for (Integer& entry : result) entry *= stage.bias.den;
  return result;
}

/// The inner product with x of an array from entry `first` on; 0 without the array.
Rational inner(const std::optional<ExactArray>& array, const Vector& x, std::size_t first = 0) {
  return array ? dot(Vector(*array, first, x.size()), x) : Rational(0);
}

bool smaller(const Integer& x, const Integer& y) {
  return mpz_cmpabs(x.get_mpz_t(), y.get_mpz_t()) < 0;
}

constexpr std::size_t kShort = 30;  // bits

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

}  // namespace

EnclosedZ enclosed_z(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& rows,
                     const std::vector<std::size_t>& cols, std::size_t bits, const Rational* lambda,
                     bool one_radius) {
  EnclosedZ z{IntegerMatrix(rows.size()), IntegerMatrix(rows.size())};
  Powers power(problem, layer.ring, bits);
  // An entry is sum_i p_i x_i / S for entries x_i of tokens, p_i at most r_i / 2 from m_i / 2 and S, the sum
  // of the p_i, between l and s. It is at most (sum_i r_i |x_i| + |Q| (s - l)) / (2 l) from Q = sum_i m_i x_i
  // / (l + s).
  Integer mid, rad, rest, den, size;
  std::vector<Integer> factors, sizes;  // den / token.den, and the largest entries of the tokens times den
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Context& tokens = problem.context(rows[k]);
    if (k == 0 || !problem.source.data.shared_context) {
      den = common_denominator(tokens);
      factors.clear();
      sizes.clear();
      for (const Vector& token : tokens) {
        factors.push_back(den / token.den);
        if (one_radius) sizes.push_back(abs(*std::ranges::max_element(token.num, smaller)) * factors.back());
      }
      if (one_radius) size = *std::ranges::max_element(sizes);
    }
    // Of one head: m_i and r_i times den / token.den; (l + s) den, (s - l) den and 2 S den.
    std::vector<Integer> mids, rads;
    Integer divisor, reach, least, most;
    std::size_t head = problem.H;
    for (const std::size_t col : cols) {
      if (col / problem.d != head) {
        head = col / problem.d;
        Enclosure sum;
        mids.clear();
        rads.clear();
        rad = 0;
        for (const auto& p : coefficients(problem, layer, head, rows[k], bits, lambda, power, sum)) {
          const std::size_t i = mids.size();
          if (one_radius) rad += (p.most - p.least) * sizes[i];
          mids.push_back((p.least + p.most) * factors[i]);
          if (!one_radius) rads.push_back((p.most - p.least) * factors[i]);
        }
        divisor = (sum.least + sum.most) * den;
        reach = (sum.most - sum.least) * den;
        least = 2 * den * sum.least;
        if (one_radius) {
          rad += (sum.most - sum.least) * size;
          rad <<= bits;
          most = std::max<Integer>(most, rad / least + 2);
        }
      }
      mid = rad = 0;
      std::size_t cost = 0;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const mpz_srcptr entry = tokens[i].num[col % problem.d].get_mpz_t();
        mpz_addmul(mid.get_mpz_t(), mids[i].get_mpz_t(), entry);
        cost += 2 + 2 * mpz_size(mids[i].get_mpz_t()) * mpz_size(entry);
        if (one_radius || rads[i] == 0) continue;
        (mpz_sgn(entry) < 0 ? mpz_submul : mpz_addmul)(rad.get_mpz_t(), rads[i].get_mpz_t(), entry);
      }
      mid <<= bits;
      mpz_fdiv_qr(mid.get_mpz_t(), rest.get_mpz_t(), mid.get_mpz_t(), divisor.get_mpz_t());
      meter().work(cost + 2 * (1 + mpz_size(mid.get_mpz_t())) * mpz_size(divisor.get_mpz_t()));
      z.mid[k].push_back(mid);
      if (one_radius) continue;
      rad <<= bits;
      rad += (abs(mid) + (rest == 0 ? 0 : 1)) * reach;  // 0 where all tokens have the entry 0
      mpz_cdiv_q(rad.get_mpz_t(), rad.get_mpz_t(), least.get_mpz_t());
      z.rad[k].push_back(rest == 0 ? rad : Integer(rad + 1));
    }
    if (one_radius) z.rad[k].push_back(most);
  }
  return z;
}

void check_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                   const RationalMatrix& inverse, const std::vector<std::vector<Ball>>& balls,
                   std::size_t bits, bool skip_connection) {
  const std::size_t T = problem.T;
  EnclosedZ A = enclosed_z(problem, layer, all_below(T), cols, bits);
  const std::vector<Vector> R(inverse.begin(), inverse.end());
  const std::vector<Rational> norms = defects(R, A, std::vector<Rational>(T, 1), bits);
  const Rational norm = *std::max_element(norms.begin(), norms.end());
  ENSURE(norm < 1, "||I - R A|| < 1", "a norm that may be 1 or more");
  for (std::size_t c = 0; c < problem.d_out; ++c) {
    std::vector<Rational> mid, rest, rad;  // of Y - A mid
    Rational least = balls[0][c].rad;
    for (const auto& row : balls) {
      mid.push_back(row[c].mid);
      least = std::min(least, row[c].rad);
    }
    const Vector middle(mid);
    for (std::size_t t = 0; t < T; ++t) {
      rest.push_back(problem.label(t, c, skip_connection) -
                     dot(Vector(A.mid[t], Integer(1) << bits), middle));
      rad.push_back(dot(Vector(A.rad[t], Integer(1) << bits), absolute(middle)));
    }
    const Vector residual(rest), radius(rad);
    for (const Vector& row : R)
      ENSURE(abs(dot(row, residual)) + dot(absolute(row), radius) <= (1 - norm) * least,
             "|R (Y - A mid)| <= (1 - g) rad in column " + count(c), "more");
  }
}

void check_tail_rank(const Problem& problem, const Layer& layer, const Rational& lambda,
                     const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                     const RationalMatrix& inverse, const std::vector<Rational>& scale) {
  bool shown = rows.empty();
  for (std::size_t bits = 128; !shown && bits <= 2048; bits *= 4)
    shown = std::ranges::equal(defects({inverse.begin(), inverse.end()},
                                       enclosed_z(problem, layer, rows, cols, bits, &lambda), scale, bits),
                               scale, std::less());
  ENSURE(shown, "|I - R M| w < w for all lambdas >= L", "a row where it is not shown at 2048 bits");
}

void check_distance(const Problem& problem, const std::vector<Rational>& exponents, const Rational& epsilon) {
  const std::size_t bits = 256 + mpz_sizeinbase(epsilon.get_den_mpz_t(), 2);
  Integer sum = 0;
  Powers power(problem, {}, bits, false);
  for (const Rational& x : exponents) sum += power(x < 0 ? x.get_num() : Integer(0), x.get_den()).most;
  ENSURE(2 * sum <= epsilon * Rational(Integer(1) << bits), "a distance of at most " + text(epsilon),
         "one that may be more");
}

std::vector<Sides> count_largest_coefficients(const Problem& problem, const Layer& given,
                                              const std::vector<std::size_t>& heads,
                                              const Rational& threshold, std::size_t bits) {
  std::vector<Sides> found(heads.size());
  // The largest coefficient is 1 over the sum of the powers.
  const Rational least = Rational(Integer(1) << bits) / threshold;
  const Integer enough = floor(least) + (is_integer(least) ? 0 : 1);
  Powers powers(problem, given.ring, bits);
  for (std::size_t t = 0; t < problem.T; ++t) {
    for (std::size_t k = 0; k < heads.size(); ++k) {
      Vector y = logits(problem, given, heads[k], t);
      const auto few = static_cast<std::ptrdiff_t>(std::min<std::size_t>(y.size(), 4));
      std::ranges::partial_sort(y.num, y.num.begin() + few, std::greater());  // so that few are enough
      Enclosure sum;
      powers.of(y, sum, &enough);
      found[k].above += sum.most < enough;
      found[k].below += sum.least >= enough;
    }
  }
  return found;
}

Sides count_examples(const Problem& problem, const Claim& claim, const Layer& given, std::size_t bits) {
  constexpr std::size_t kTogether = 256;  // examples
  const Weights& w = *problem.source.weights;
  const std::size_t width = problem.H * problem.d,
                    outputs = w.readout ? w.readout->shape()[0] : problem.d_out;
  const bool classes = claim.has("classes"), single = classes && problem.d_out == 1;
  const std::size_t count = single ? 2 : problem.d_out;  // a single score is that of class 1 against 0
  const auto whole = [](const std::optional<ExactArray>& array) {
    return array ? Vector(*array, 0, array->size()) : Vector();
  };
  const Stage value = stage(w.value, w.value_bias, problem.H, problem.d),
              output = stage(w.output, w.output_bias, 1, w.output ? w.output->size() / outputs : 0);
  const Vector readout = whole(w.readout), readout_bias = whole(w.readout_bias);
  // By how much of an error of the row of Z an output may be off.
  const std::vector<Integer> spreads = spread(output, spread(value, std::vector<Integer>(width, 1)));
  const Integer most = *std::max_element(spreads.begin(), spreads.end()),
                unit = value.den * value.bias.den * output.den * output.bias.den << bits;
  // The read-out of (the outputs, 1), rounded.
  IntegerMatrix rounded(w.readout ? outputs + 1 : 0);
  const Integer den = lcm(readout.den, readout_bias.den);
  for (std::size_t k = 0; k < rounded.size() * problem.d_out; ++k) {
    const std::size_t i = k / problem.d_out, o = k % problem.d_out;
    rounded[i].push_back(i < outputs      ? Integer(readout.num[k] * (den / readout.den))
                         : w.readout_bias ? Integer(readout_bias.num[o] * (den / readout_bias.den))
                                          : Integer(0));
  }
  const std::size_t shift = shorten(rounded);
  Sides found;
  IntegerMatrix scores;
  std::vector<std::size_t> exponents;  // rounded scores are multiples of these powers of 2
  std::vector<Integer> ones, reaches;  // the score 1, and how far a rounded one may be off
  Integer gap;
  for (std::size_t t = 0; t < problem.T; ++t) {
    const std::size_t row = t % kTogether;
    if (row == 0) {
      std::vector<std::size_t> rows = all_below(std::min(t + kTogether, problem.T));
      rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(t));
      EnclosedZ z = enclosed_z(problem, given, rows, all_below(width), bits, nullptr, true);
      scores = std::move(z.mid);
      for (std::vector<Integer>& each : scores) each.push_back(Integer(1) << bits);
      apply(value, scores);
      apply(output, scores);
      exponents.clear();
      ones.clear();
      reaches.clear();
      for (std::size_t k = 0; k < rows.size(); ++k) {
        IntegerMatrix one(1, std::move(scores[k]));
        if (w.skip) apply({{}, 1, Vector(*w.skip, rows[k] * outputs, outputs)}, one);
        if (!w.readout) apply({{}, 1, readout_bias}, one);
        ones.push_back(one[0].back() * (w.readout ? den : Integer(1)));
        Integer off = z.rad[k][0] * most * (one[0].back() / unit);
        const std::size_t exponent = shorten(one);
        mpz_cdiv_q_2exp(off.get_mpz_t(), off.get_mpz_t(), exponent);
        reaches.push_back(w.readout ? Integer((off + 2) * Integer(outputs + 1) << kShort + 1)
                                    : Integer(off + 1));
        exponents.push_back(shift + exponent);
        scores[k] = std::move(one[0]);
      }
      if (w.readout) scores = product(scores, rounded, false);
      for (std::vector<Integer>& each : scores) {
        if (single) each.insert(each.begin(), 0);
      }
    }
    const std::size_t own = classes ? claim.array("classes").at(t).get_num().get_ui() : count;
    // The own score minus another, right above 0; or epsilon minus the distance from a label, right from 0
    // on: times the second number and `one`, which stands for the score 1 in x.
    const auto margin = [&](std::size_t o, const Integer& x,
                            const Integer& one) -> std::pair<Integer, Integer> {
      if (classes) return {x, 1};
      const Rational label = problem.label(t, o, false), epsilon = claim.number("epsilon");
      meter().work(operation_cost(label, one) + operation_cost(label, epsilon) +
                   operation_cost(label, Rational(x)) + operation_cost(epsilon, one));
      const Integer scale = label.get_den() * epsilon.get_den();
      return {epsilon.get_num() * label.get_den() * one -
                  abs(x * label.get_den() - label.get_num() * one) * epsilon.get_den(),
              scale};
    };
    // 1 when all that the margin can be is right, -1 when all is wrong; first by what is rounded.
    const auto roughly = [&](std::size_t o) {
      if (classes) {
        gap = (scores[row][own] - scores[row][o]) / 2;
        return mpz_cmpabs(gap.get_mpz_t(), reaches[row].get_mpz_t()) > 0 ? sgn(gap) : 0;
      }
      const auto [mid, scale] = margin(o, scores[row][o] << exponents[row], ones[row]);
      return abs(mid) > (reaches[row] << exponents[row]) * scale ? sgn(mid) : 0;
    };
    std::optional<EnclosedZ> z;
    const auto exactly = [&](std::size_t o) {
      if (!z) z = enclosed_z(problem, given, {t}, all_below(width), bits);
      const auto column = [&](std::size_t of) {
        Vector result;
        result.num.resize(outputs);
        if (single && of == 0) return result;
        if (w.readout) return Vector(*w.readout, single ? 0 : of, outputs, problem.d_out);
        result.num[single ? 0 : of] = 1;
        return result;
      };
      const auto bias = [&](std::size_t of) {
        if (!w.readout_bias || (single && of == 0)) return Rational(0);
        return Rational(w.readout_bias->at(single ? 0 : of));
      };
      const Vector of_outputs = classes ? combination({1, -1}, {column(own), column(o)}) : column(o),
                   of_values = image(output, of_outputs), of_z = image(value, of_values);
      const Rational mid = dot(of_z, Vector(z->mid[0], Integer(1) << bits)) + inner(w.value_bias, of_values) +
                           inner(w.output_bias, of_outputs) + inner(w.skip, of_outputs, t * outputs) +
                           (classes ? Rational(bias(own) - bias(o)) : bias(o));
      const auto [at, scale] = margin(o, mid.get_num(), mid.get_den());
      const Rational rad =
          dot(absolute(of_z), Vector(z->rad[0], Integer(1) << bits)) * Rational(scale * mid.get_den());
      const int least = classes ? 1 : 0;
      return cmp(at, rad) >= least ? 1 : cmp(at, -rad) < least ? -1 : 0;
    };
    bool right = true, wrong = false;
    for (std::size_t o = 0; o < count && (right || !wrong); ++o) {
      if (o == own) continue;
      const int rough = roughly(o), sign = rough != 0 ? rough : exactly(o);
      right = right && sign > 0;
      wrong = wrong || sign < 0;
    }
    found.above += right;
    found.below += wrong;
  }
  return found;
}

}  // namespace attest::checker
