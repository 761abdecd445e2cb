#include "checker/real.hpp"

#include <algorithm>
#include <boost/multiprecision/mpfi.hpp>
#include <functional>
#include <map>

#include "input/errors.hpp"

namespace attest::checker {
namespace {

// MPFI rounds outwards, so every operation encloses the exact result whatever its precision. It is used for
// exponentials, logarithms and roots only: what is computed with them is enclosed by rationals, exactly.
using Interval = boost::multiprecision::number<boost::multiprecision::mpfi_float_backend<0>,
                                               boost::multiprecision::et_off>;

std::size_t bits_in_use = 0;

/// From here on numbers between 0 and 1 are enclosed to within 2^-bits.
void set_precision(std::size_t bits) {
  bits_in_use = bits;
  Interval::default_precision(static_cast<unsigned>(static_cast<double>(bits + 32) * 0.30103) + 2);
}

/// Charges for `operations` multiplications at the precision in use.
void spend(std::size_t operations) {
  const std::size_t words = bits_in_use / 64 + 2;
  meter().work(operations * (40 + words * words));
}

Interval interval(const Rational& value) {
  meter().work(mpz_size(value.get_num_mpz_t()) + mpz_size(value.get_den_mpz_t()));
  spend(1);
  Interval result;
  mpfi_set_q(result.backend().data(), value.get_mpq_t());
  return result;
}

/// The ends. MPFR calls not-a-number equal to everything; it only comes from an overflow of exponents.
mpfr_srcptr end(const Interval& x, bool upper) {
  const mpfi_srcptr ends = x.backend().data();
  if (mpfi_nan_p(ends)) throw LimitError("interval arithmetic overflows");
  return upper ? &ends->right : &ends->left;
}

/// b^x or log_b x, b = 2 or e, by a function of MPFI.
Interval applied(int (*function)(mpfi_ptr, mpfi_srcptr), const Interval& x) {
  spend(100);
  Interval result;
  function(result.backend().data(), x.backend().data());
  return result;
}
Interval exponential(const Interval& x, bool two) {
  return applied(two ? mpfi_exp2 : mpfi_exp, x);
}

/// Multiples of 2^-bits.
Ball ball(const Interval& x) {
  Interval scaled;
  mpfi_mul_2ui(scaled.backend().data(), x.backend().data(), bits_in_use);
  Integer least, most;
  if (!mpfr_number_p(end(scaled, false)) || !mpfr_number_p(end(scaled, true)))
    throw LimitError("interval arithmetic overflows");
  mpfr_get_z(least.get_mpz_t(), end(scaled, false), MPFR_RNDD);
  mpfr_get_z(most.get_mpz_t(), end(scaled, true), MPFR_RNDU);
  const Rational half(1, Integer(2) << bits_in_use);
  return {(least + most) * half, (most - least) * half};
}

/// The field of `attention` for enclosures: powers of b^unit.
struct Enclosures {
  using Exponent = Rational;
  using Scalar = Interval;

  bool two;
  Interval unit = 1;

  Interval power(const Rational& x) const { return exponential(interval(x) * unit, two); }
  void add(Interval& sum, const Interval& term, int) const { sum += term; }
};

/// The attention of head h at example t, with the case's scale; no power is above 1.
Attention<Enclosures> enclosed_attention(const Problem& problem, const Layer& layer, std::size_t h,
                                         std::size_t t) {
  const Dimensions& sizes = *problem.source.layer;
  const LogitScale& scale = sizes.logit_scale;
  Enclosures field{sizes.base == attest::Base::two};
  std::vector<Rational> x = logits(problem, layer, h, t);
  if (!layer.ring.absorbed && !layer.ring.two) {  // what is left to multiply logits with
    field.unit = scale.irrational() ? 1 / sqrt(interval(Rational(scale.radicand))) : interval(scale.rational);
    const Rational least = *std::min_element(x.begin(), x.end());
    for (Rational& logit : x) logit -= scale.rational < 0 ? least : Rational(0);
  }
  return attention(field, x);
}

/// The coefficients of head h at example t; with `lambda`, what contains them for all lambdas of its
/// separator from there on.
std::vector<Ball> coefficients(const Problem& problem, const Layer& layer, std::size_t h, std::size_t t,
                               const Rational* lambda) {
  const Head& head = layer.heads[h];
  std::vector<Ball> result;
  if (lambda == nullptr || !head.lambda || dot(head.query.back(), problem.query(t)) == 0) {
    const Attention<Enclosures> enclosed = enclosed_attention(problem, layer, h, t);
    for (const Interval& power : enclosed.powers) result.push_back(ball(power / enclosed.sum));
    return result;
  }
  const std::vector<Rational> y = logits(problem, layer, h, t, false),
                              x = separated(problem, head.key.back(), head.query.back(), t);
  const auto most = std::max_element(x.begin(), x.end());
  ENSURE(std::count(x.begin(), x.end(), *most) == 1,
         "one largest entry of (E_t u)(v . e_t) in head " + count(h) + " at example " + count(t), "more");
  const auto peak = static_cast<std::size_t>(most - x.begin());
  Rational others = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Rational exponent = y[i] - y[peak] - *lambda * (x[peak] - x[i]);
    const Ball power = exponent < 0 ? ball(Enclosures{layer.ring.two}.power(exponent)) : Ball{1, 0};
    const Rational half = (power.mid + power.rad) / 2;  // the coefficient lies between 0 and twice this
    if (i != peak) others += half;
    result.push_back({half, half});
  }
  result[peak] = {1 - others, others};
  return result;
}

Vector absolute(Vector v) {
  for (Integer& entry : v.num) entry = abs(entry);
  return v;
}

/// A vector, or one for each column of a matrix: the entries are within `rad` of `mid`.
struct Enclosed {
  Vector mid, rad;
};

/// The means of the tokens of example t in these heads.
std::map<std::size_t, Enclosed> means(const Problem& problem, const Layer& layer, std::size_t t,
                                      const std::vector<std::size_t>& heads,
                                      const Rational* lambda = nullptr) {
  Context sizes;
  for (const Vector& token : problem.context(t)) sizes.push_back(absolute(token));
  std::map<std::size_t, Enclosed> result;
  for (const std::size_t h : heads) {
    if (result.count(h) != 0) continue;
    std::vector<Rational> mid, rad;
    for (const Ball& coefficient : coefficients(problem, layer, h, t, lambda)) {
      mid.push_back(coefficient.mid);
      rad.push_back(coefficient.rad);
    }
    result[h] = {combination(mid, problem.context(t)), combination(rad, sizes)};
  }
  return result;
}

/// The columns of a minor of Z.
struct Columns {
  std::vector<Vector> mid, rad;
};
Columns enclosed_minor(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& rows,
                       const std::vector<std::size_t>& cols, const Rational* lambda = nullptr) {
  std::vector<std::size_t> heads;
  for (const std::size_t col : cols) heads.push_back(col / problem.d);
  std::vector<std::vector<Rational>> mid(cols.size()), rad(cols.size());
  for (const std::size_t t : rows) {
    const std::map<std::size_t, Enclosed> row = means(problem, layer, t, heads, lambda);
    for (std::size_t c = 0; c < cols.size(); ++c) {
      mid[c].push_back(row.at(heads[c]).mid[cols[c] % problem.d]);
      rad[c].push_back(row.at(heads[c]).rad[cols[c] % problem.d]);
    }
  }
  return {{mid.begin(), mid.end()}, {rad.begin(), rad.end()}};
}

/// Bounds of |I - R A| in row i, whose entries of R are given.
Vector defect(const Vector& row, const Columns& A, std::size_t i) {
  std::vector<Rational> result;
  for (std::size_t j = 0; j < A.mid.size(); ++j)
    result.push_back(abs((i == j ? 1 : 0) - dot(row, A.mid[j])) + dot(absolute(row), A.rad[j]));
  return Vector(result);
}

/// Ensures that the real number, enclosed ever more precisely, is at most `most`.
void ensure_at_most(const std::function<Interval()>& enclosure, const Rational& most, const char* what,
                    const std::string& where) {
  for (std::size_t bits = 64; bits <= 16384; bits *= 2) {
    set_precision(bits);
    const Interval x = enclosure();
    if (mpfr_cmp_q(end(x, true), most.get_mpq_t()) <= 0) return;
    ENSURE(mpfr_cmp_q(end(x, false), most.get_mpq_t()) <= 0, std::string(what) + " of at most " + text(most),
           "more " + where);
  }
  throw LimitError(std::string(what) + " is not compared with " + text(most) + " at 16384 bits");
}

/// Row `row`, as long as x, of a matrix times x; 0 without the matrix.
Rational inner(const std::optional<ExactArray>& matrix, std::size_t row, const Vector& x) {
  return matrix ? dot(Vector(*matrix, row * x.size(), x.size()), x) : Rational(0);
}

/// The rows from `first` on of a matrix times x; x itself without the matrix.
Vector image(const std::optional<ExactArray>& matrix, std::size_t first, std::size_t rows, const Vector& x) {
  std::vector<Rational> result;
  for (std::size_t i = first; matrix && i < first + rows; ++i) result.push_back(inner(matrix, i, x));
  return matrix ? Vector(result) : x;
}

/// A score: the sum of of_means[h] . (the mean of head h), + constant + readout . skip.
struct Score {
  std::vector<Vector> of_means;
  Rational constant;
  Vector readout;
};

/// Those of the whole layer (docs/mathematics.md, Accuracy).
std::vector<Score> scores_of(const Problem& problem) {
  const Weights& w = *problem.source.weights;
  std::vector<Score> result(problem.d_out);
  for (std::size_t o = 0; o < result.size(); ++o) {
    Score& score = result[o];
    std::vector<Rational> unit(problem.d_out);
    unit[o] = 1;
    score.readout = w.readout ? Vector(*w.readout, o, w.readout->shape()[0], problem.d_out) : Vector(unit);
    const std::size_t width = w.output ? w.output->shape()[1] : score.readout.size() / problem.H;
    const Vector heads = image(w.output, 0, problem.H * width, score.readout);
    score.constant = inner(w.output_bias, 0, score.readout) + inner(w.readout_bias, 0, Vector(unit));
    for (std::size_t h = 0; h < problem.H; ++h) {
      const auto first = heads.num.begin() + static_cast<std::ptrdiff_t>(h * width);
      const Vector own({first, first + static_cast<std::ptrdiff_t>(width)}, heads.den);
      score.constant += inner(w.value_bias, h, own);
      score.of_means.push_back(image(w.value, h * problem.d, problem.d, own));
    }
  }
  return result;
}

}  // namespace

void check_enclosed_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                            const std::vector<std::vector<Rational>>& inverse,
                            const std::vector<std::vector<Ball>>& balls, std::size_t precision,
                            bool skip_connection) {
  set_precision(precision + 32);
  const std::size_t T = problem.T;
  const Columns A = enclosed_minor(problem, layer, all_below(T), cols);
  const std::vector<Vector> R(inverse.begin(), inverse.end());
  Rational norm = 0;
  for (std::size_t i = 0; i < T; ++i)
    norm = std::max(norm, dot(defect(R[i], A, i), Vector(std::vector<Rational>(T, 1))));
  ENSURE(norm < 1, "||I - R A|| < 1", "a norm that may be 1 or more");
  for (std::size_t c = 0; c < problem.d_out; ++c) {
    std::vector<Rational> labels, mid, size;
    Rational least = balls[0][c].rad;
    for (std::size_t t = 0; t < T; ++t) {
      labels.push_back(problem.label(t, c, skip_connection));
      mid.push_back(balls[t][c].mid);
      size.push_back(abs(balls[t][c].mid));
      least = std::min(least, balls[t][c].rad);
    }
    const Vector rest = combination({1, -1}, {Vector(labels), combination(mid, A.mid)}),  // Y - A mid
        rad = combination(size, A.rad);
    for (const Vector& row : R)
      ENSURE(abs(dot(row, rest)) + dot(absolute(row), rad) <= (1 - norm) * least,
             "|R (Y - A mid)| <= (1 - g) rad in column " + count(c), "more");
  }
}

void check_exact_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                         const std::vector<std::vector<Rational>>& weights, bool skip_connection) {
  ENSURE(layer.ring.two, "base 2", "base e");
  const PowerSums ring{true};
  for (std::size_t t = 0; t < problem.T; ++t) {
    std::vector<Rational> row;
    for (const std::size_t col : cols) {
      const Attention<PowerSums> head = attention(ring, logits(problem, layer, col / problem.d, t));
      ENSURE(head.sum.size() == 1 && head.sum.count(0) == 1, "integer logits", "others");
      PowerSums::Scalar entry = numerator(ring, head, problem.context(t), col % problem.d);
      row.push_back(entry[0] / head.sum.at(0));
    }
    for (std::size_t c = 0; c < problem.d_out; ++c) {
      std::vector<Rational> column;
      for (const auto& weight : weights) column.push_back(weight[c]);
      const Rational output = dot(Vector(row), Vector(column)), label = problem.label(t, c, skip_connection);
      ENSURE(output == label, "the output " + text(label) + " at example " + count(t), text(output));
    }
  }
}

void check_tail_rank(const Problem& problem, const Layer& layer, const Rational& lambda,
                     const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                     const std::vector<std::vector<Rational>>& inverse, const std::vector<Rational>& scale) {
  bool shown = false;
  for (std::size_t bits = 128; !shown && bits <= 2048; bits *= 4) {
    set_precision(bits + 32);
    const Columns M = enclosed_minor(problem, layer, rows, cols, &lambda);
    shown = true;
    for (std::size_t i = 0; shown && i < rows.size(); ++i)
      shown = dot(defect(Vector(inverse[i]), M, i), Vector(scale)) < scale[i];
  }
  ENSURE(shown, "|I - R M| w < w for all lambdas >= L", "a row where it is not shown at 2048 bits");
}

void check_one_hot(const Problem& problem, const PrescribedWeights& weights, std::size_t t,
                   const Rational& gap, const Rational& lambda, const Rational& epsilon) {
  const Context& tokens = problem.context(t);
  const Vector query = problem.query(t);
  const bool two = problem.source.layer->base == attest::Base::two;
  const auto bound = [&] {
    std::vector<Interval> entries(problem.n, Interval(0));  // of E_t W e_t
    for (std::size_t k = 0; k < weights.left.size(); ++k) {
      const Interval factor = interval(dot(weights.left[k], query));
      for (std::size_t i = 0; i < problem.n; ++i) {
        const Interval scaled =
            applied(two ? mpfi_log2 : mpfi_log, interval(weights.coefficients[k][i])) * factor;
        for (std::size_t l = 0; l < problem.n; ++l)
          entries[l] += interval(dot(tokens[l], weights.right[k][i])) * scaled;
      }
    }
    Interval spread(0);  // max - min, the largest difference of two entries
    for (const Interval& a : entries) {
      for (const Interval& b : entries)
        spread = mpfr_cmp(end(a - b, true), end(spread, true)) > 0 ? a - b : spread;
    }
    return exponential(spread - interval(lambda * gap), two) * interval(Rational(2 * (problem.n - 1)));
  };
  ensure_at_most(bound, epsilon, "2 (n - 1) b^(s - lambda gamma)", "at example " + count(t));
}

void check_exponential_sum(const std::vector<Rational>& exponents, bool two, const Rational& epsilon) {
  const auto distance = [&] { return 2 * attention(Enclosures{two}, exponents).sum; };
  ensure_at_most(distance, epsilon, "a distance", "");
}

std::size_t count_largest_coefficients(const Problem& problem, const Layer& given, std::size_t h,
                                       const Rational& threshold, bool more, std::size_t precision) {
  set_precision(precision + 32);
  std::size_t found = 0;
  for (std::size_t t = 0; t < problem.T; ++t) {
    const Ball sum = ball(enclosed_attention(problem, given, h, t).sum);
    found += more ? (sum.mid + sum.rad) * threshold < 1 : (sum.mid - sum.rad) * threshold >= 1;
  }
  return found;
}

EnclosedZ enclosed_z(const Problem& problem, const Layer& given, std::size_t bits) {
  set_precision(bits);
  EnclosedZ z{std::vector<std::vector<Integer>>(problem.T), 0};
  for (std::size_t t = 0; t < problem.T; ++t) {
    for (const auto& [h, mean] : means(problem, given, t, all_below(problem.H))) {
      for (const Integer& entry : mean.mid.num) {
        Integer& scaled = z.entries[t].emplace_back(entry << bits);
        mpz_fdiv_q(scaled.get_mpz_t(), scaled.get_mpz_t(), mean.mid.den.get_mpz_t());
      }
      const Integer most = *std::max_element(mean.rad.num.begin(), mean.rad.num.end());
      z.radius = std::max(z.radius, Integer((most << bits) / mean.rad.den + 2));
    }
  }
  return z;
}

std::size_t count_examples(const Problem& problem, const Claim& claim, const Layer& given, bool right,
                           std::size_t precision) {
  set_precision(precision + 32);
  const std::vector<Score> scores = scores_of(problem);
  const bool by_class = claim.has("classes");
  std::size_t found = 0;
  for (std::size_t t = 0; t < problem.T; ++t) {
    const std::map<std::size_t, Enclosed> heads = means(problem, given, t, all_below(problem.H));
    std::vector<Ball> values;  // of the scores
    if (by_class && scores.size() == 1) values.push_back({0, 0});
    for (const Score& score : scores) {
      values.push_back({score.constant + inner(problem.source.weights->skip, t, score.readout), 0});
      for (const auto& [h, mean] : heads) {
        values.back().mid += dot(score.of_means[h], mean.mid);
        values.back().rad += dot(absolute(score.of_means[h]), mean.rad);
      }
    }
    // By classes, the example is right when all of these are above 0; otherwise, when none is.
    std::vector<Ball> signs;
    const std::size_t own = by_class ? claim.array("classes").at(t).get_num().get_ui() : 0;
    for (std::size_t o = 0; o < values.size(); ++o) {
      if (!by_class)
        signs.push_back(
            {abs(values[o].mid - problem.label(t, o, false)) - claim.number("epsilon"), values[o].rad});
      else if (o != own)
        signs.push_back({values[own].mid - values[o].mid, values[own].rad + values[o].rad});
    }
    const auto shown = [&](const Ball& x) { return right == by_class ? x.mid > x.rad : x.mid <= -x.rad; };
    found += right ? std::all_of(signs.begin(), signs.end(), shown)
                   : std::any_of(signs.begin(), signs.end(), shown);
  }
  return found;
}

}  // namespace attest::checker
