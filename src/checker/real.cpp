#include "checker/real.hpp"

#include <algorithm>
#include <functional>

#include "input/errors.hpp"

namespace attest::checker {
namespace {

std::size_t precision_in_use = 0;  // bits

void set_precision(std::size_t bits) {
  precision_in_use = bits;
  Interval::default_precision(static_cast<unsigned>(static_cast<double>(bits) * 0.30103) + 2);
}

/// Charges for `operations` multiplications at the precision in use.
void spend(std::size_t operations) {
  const std::size_t words = precision_in_use / 64 + 1;
  meter().work(operations * (40 + words * words));
}

Interval interval(const Rational& value) {
  meter().work(mpz_size(value.get_num_mpz_t()) + mpz_size(value.get_den_mpz_t()));
  Interval result;
  mpfi_set_q(result.backend().data(), value.get_mpq_t());
  return result;
}

/// MPFR calls not-a-number equal to everything; it only comes from an overflow of exponents.
const Interval& real(const Interval& x) {
  if (mpfi_nan_p(x.backend().data())) throw LimitError("interval arithmetic overflows");
  return x;
}

bool at_most(const Interval& x, const Rational& y) {
  return mpfr_cmp_q(&real(x).backend().data()->right, y.get_mpq_t()) <= 0;
}
bool below(const Interval& x, const Rational& y) {
  return mpfr_cmp_q(&real(x).backend().data()->right, y.get_mpq_t()) < 0;
}
bool above(const Interval& x, const Rational& y) {
  return mpfr_cmp_q(&real(x).backend().data()->left, y.get_mpq_t()) > 0;
}

/// The absolute values of the members.
Interval magnitude(const Interval& x) {
  Interval result;
  mpfi_abs(result.backend().data(), x.backend().data());
  return result;
}

/// Encloses the larger of both: the one with the larger upper end.
Interval larger(const Interval& x, const Interval& y) {
  return mpfr_cmp(&real(x).backend().data()->right, &real(y).backend().data()->right) < 0 ? y : x;
}

/// The interval from the least member of x to the largest of y.
Interval hull(const Interval& x, const Interval& y) {
  Interval result;
  mpfi_union(result.backend().data(), real(x).backend().data(), real(y).backend().data());
  return result;
}

/// a - b c, without temporaries.
void subtract_product(Interval& a, const Interval& b, const Interval& c, Interval& product) {
  mpfi_mul(product.backend().data(), b.backend().data(), c.backend().data());
  mpfi_sub(a.backend().data(), a.backend().data(), product.backend().data());
}

/// b^x for b = 2 or e.
Interval exponential(const Interval& x, bool two) {
  spend(100);
  Interval result;
  two ? mpfi_exp2(result.backend().data(), x.backend().data())
      : mpfi_exp(result.backend().data(), x.backend().data());
  return result;
}

Interval logarithm(const Interval& x, bool two) {
  spend(100);
  Interval result;
  two ? mpfi_log2(result.backend().data(), x.backend().data())
      : mpfi_log(result.backend().data(), x.backend().data());
  return result;
}

/// The field of `attention` for enclosures.
struct Enclosures {
  using Exponent = Rational;
  using Scalar = Interval;

  bool two;

  Interval power(const Rational& x) const { return exponential(interval(x), two); }
  void add(Interval& sum, const Interval& term, const Rational& c) const {
    spend(1);
    sum += term * interval(c);
  }
};

/// The attention of head h of the given layer at example t, with the case's scale; no power is above 1.
Attention<Enclosures> given_attention(const Problem& problem, const Layer& given, std::size_t h,
                                      std::size_t t) {
  const Dimensions& sizes = *problem.source.layer;
  const LogitScale& scale = sizes.logit_scale;
  Interval unit = 1;  // what is left to multiply logits with
  if (!given.ring.two && !scale.irrational()) unit = interval(scale.rational);
  if (!given.ring.two && scale.irrational()) unit = 1 / sqrt(interval(Rational(scale.radicand)));
  const bool turned = !given.ring.two && scale.rational < 0;
  std::vector<Rational> x = logits(problem, given, h, t);
  const Rational top = turned ? *std::min_element(x.begin(), x.end()) : Rational(0);
  Attention<Enclosures> result{{}, Interval(0)};
  for (Rational& logit : x) {
    spend(2);
    if (turned) logit -= top;
    result.powers.push_back(exponential(interval(logit) * unit, sizes.base == attest::Base::two));
    result.sum += result.powers.back();
  }
  return result;
}

/// ... and for integer logits in base 2.
struct PowersOfTwo {
  using Exponent = Rational;
  using Scalar = Rational;

  Rational power(const Rational& x) const {
    ENSURE(is_integer(x), "integer logits", text(x));
    Rational result = PowerSums{true}.power(x).at(0);
    meter().work(operation_cost(result, result));  // the division by the sum
    return result;
  }
  void add(Rational& sum, const Rational& term, const Rational& c) const { sum += term * c; }
};

/// The entries of row t of Z in these columns; `attention_of` gives the attention of a head.
template <class Field, class AttentionOf>
std::vector<typename Field::Scalar> row_of_z(const Field& field, const Problem& problem, std::size_t t,
                                             const std::vector<std::size_t>& cols, AttentionOf attention_of) {
  const Context tokens = problem.context(t);
  std::map<std::size_t, Attention<Field>> heads;
  std::vector<typename Field::Scalar> row;
  for (std::size_t col : cols) {
    const std::size_t h = col / problem.d;
    if (heads.count(h) == 0) heads.emplace(h, attention_of(h));
    row.push_back(numerator(field, heads.at(h), coordinate(tokens, col % problem.d)) / heads.at(h).sum);
  }
  return row;
}

/// Ensures that the real number, enclosed ever more precisely, is at most `most`.
void ensure_at_most(const std::function<Interval()>& enclosure, const Rational& most, const char* what,
                    const std::string& where) {
  for (std::size_t bits = 128; bits <= 16384; bits *= 2) {
    set_precision(bits);
    const Interval x = enclosure();
    if (at_most(x, most)) return;
    ENSURE(!above(x, most), std::string(what) + " of at most " + text(most), "more " + where);
  }
  throw LimitError(std::string(what) + " is not compared with " + text(most) + " at 16384 bits");
}

/// Row i of I - R A.
std::vector<Interval> defect(const std::vector<std::vector<Rational>>& R, const Intervals& A, std::size_t i) {
  std::vector<Interval> row(A.size(), Interval(0));
  row[i] = 1;
  Interval product;
  for (std::size_t k = 0; k < A.size(); ++k) {
    const Interval factor = interval(R[i][k]);
    spend(A.size());
    for (std::size_t j = 0; j < A.size(); ++j) subtract_product(row[j], factor, A[k][j], product);
  }
  return row;
}

/// The attention of the head at example t, or, where its separator counts, coefficients with sum 1 that
/// contain those for every lambda >= `lambda`.
Attention<Enclosures> attention_from(const Enclosures& field, const Problem& problem, const Layer& layer,
                                     std::size_t h, std::size_t t, const Rational& lambda) {
  const Head& head = layer.heads[h];
  const std::vector<Rational> y = logits(problem, layer, h, t, false);
  if (!head.lambda || dot(head.query.back(), problem.query(t)) == 0) return attention(field, y);
  const std::vector<Rational> x = separated(problem, head.key.back(), head.query.back(), t);
  const auto most = std::max_element(x.begin(), x.end());
  ENSURE(std::count(x.begin(), x.end(), *most) == 1,
         "one largest entry of (E_t u)(v . e_t) in head " + count(h) + " at example " + count(t), "more");
  const auto peak = static_cast<std::size_t>(most - x.begin());
  Attention<Enclosures> result{{}, Interval(1)};
  Interval others(0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Interval bound = field.power(y[i] - y[peak] - lambda * (x[peak] - x[i]));
    if (i != peak) others += bound;
    result.powers.push_back(hull(Interval(0), bound));
  }
  result.powers[peak] = hull(Interval(1) - others, Interval(1));
  return result;
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

/// A score: of_means . (the means of all heads) + constant + readout . skip.
struct Score {
  Vector of_means;
  Interval norm;  // the sum of their absolute values
  Rational constant;
  Vector readout;
};

/// Those of the whole layer (docs/mathematics.md, Accuracy).
std::vector<Score> scores_of(const Problem& problem) {
  const Weights& w = *problem.source.weights;
  std::vector<Score> result(problem.d_out);
  for (std::size_t o = 0; o < result.size(); ++o) {
    Score& score = result[o];
    std::vector<Rational> unit(problem.d_out), all;
    unit[o] = 1;
    score.readout = w.readout ? Vector(*w.readout, o, w.readout->shape()[0], problem.d_out) : Vector(unit);
    const std::size_t width = w.output ? problem.H * w.output->shape()[1] : score.readout.size();
    const Vector heads = image(w.output, 0, width, score.readout);
    score.constant = inner(w.output_bias, 0, score.readout) + inner(w.readout_bias, 0, Vector(unit));
    for (std::size_t h = 0; h < problem.H; ++h) {
      const auto first = heads.num.begin() + static_cast<std::ptrdiff_t>(h * (width / problem.H));
      const Vector own({first, first + static_cast<std::ptrdiff_t>(width / problem.H)}, heads.den);
      score.constant += inner(w.value_bias, h, own);
      const Vector of_mean = image(w.value, h * problem.d, problem.d, own);
      for (std::size_t j = 0; j < problem.d; ++j) all.push_back(of_mean[j]);
    }
    score.of_means = Vector(all);
    Integer norm = 0;
    for (const Integer& entry : score.of_means.num) norm += abs(entry);
    score.norm = interval(Rational(norm) / score.of_means.den);
  }
  return result;
}

}  // namespace

void check_enclosed_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                            const std::vector<std::vector<Rational>>& inverse,
                            const std::vector<std::vector<Ball>>& balls, std::size_t precision,
                            bool skip_connection) {
  set_precision(std::max<std::size_t>(precision, 64));
  const std::size_t T = problem.T;
  Intervals A;
  const Enclosures field{layer.ring.two};
  for (std::size_t t = 0; t < T; ++t) {
    A.push_back(row_of_z(field, problem, t, cols,
                         [&](std::size_t h) { return attention(field, logits(problem, layer, h, t)); }));
  }
  Interval norm(0), product;
  for (std::size_t i = 0; i < T; ++i) {
    Interval sum(0);
    for (const Interval& entry : defect(inverse, A, i)) sum += magnitude(entry);
    norm = larger(norm, sum);
  }
  ENSURE(below(norm, 1), "||I - R A|| < 1", "a norm that may be 1 or more");
  for (std::size_t c = 0; c < problem.d_out; ++c) {
    std::vector<Interval> rest;  // Y - A mid
    for (std::size_t t = 0; t < T; ++t) {
      rest.push_back(interval(problem.label(t, c, skip_connection)));
      spend(T);
      for (std::size_t k = 0; k < T; ++k)
        subtract_product(rest[t], A[t][k], interval(balls[k][c].mid), product);
    }
    Interval largest(0);
    Rational least = balls[0][c].rad;
    for (std::size_t i = 0; i < T; ++i) {
      Interval entry(0);  // of -R (Y - A mid)
      spend(T);
      for (std::size_t k = 0; k < T; ++k) subtract_product(entry, interval(inverse[i][k]), rest[k], product);
      largest = larger(largest, magnitude(entry));
      least = std::min(least, balls[i][c].rad);
    }
    ENSURE(at_most(largest - (Interval(1) - norm) * interval(least), 0),
           "|R (Y - A mid)| <= (1 - g) rad in column " + count(c), "more");
  }
}

void check_exact_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                         const std::vector<std::vector<Rational>>& weights, bool skip_connection) {
  ENSURE(layer.ring.two, "base 2", "base e");
  for (std::size_t t = 0; t < problem.T; ++t) {
    const PowersOfTwo field;
    const Vector row(row_of_z(field, problem, t, cols,
                              [&](std::size_t h) { return attention(field, logits(problem, layer, h, t)); }));
    for (std::size_t c = 0; c < problem.d_out; ++c) {
      std::vector<Rational> column;
      for (const auto& weight : weights) column.push_back(weight[c]);
      const Rational output = dot(row, Vector(column)), label = problem.label(t, c, skip_connection);
      ENSURE(output == label, "the output " + text(label) + " at example " + count(t), text(output));
    }
  }
}

void check_tail_rank(const Problem& problem, const Layer& layer, const Rational& lambda,
                     const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                     const std::vector<std::vector<Rational>>& inverse, const std::vector<Rational>& scale) {
  const Enclosures field{layer.ring.two};
  bool shown = false;
  for (std::size_t bits = 128; !shown && bits <= 2048; bits *= 4) {
    set_precision(bits);
    Intervals M;
    for (std::size_t t : rows) {
      M.push_back(row_of_z(field, problem, t, cols, [&](std::size_t h) {
        return attention_from(field, problem, layer, h, t, lambda);
      }));
    }
    shown = true;
    for (std::size_t i = 0; shown && i < rows.size(); ++i) {
      const std::vector<Interval> row = defect(inverse, M, i);
      Interval sum(0);
      for (std::size_t j = 0; j < row.size(); ++j) sum += magnitude(row[j]) * interval(scale[j]);
      shown = below(sum, scale[i]);
    }
  }
  ENSURE(shown, "|I - R M| w < w for all lambdas >= L", "a row where it is not shown at 2048 bits");
}

void check_one_hot(const Problem& problem, const PrescribedWeights& weights, std::size_t t,
                   const Rational& gap, const Rational& lambda, const Rational& epsilon) {
  const Context tokens = problem.context(t);
  const Vector query = problem.query(t);
  const bool two = problem.source.layer->base == attest::Base::two;
  const auto bound = [&] {
    std::vector<Interval> entries(problem.n, Interval(0));  // of E_t W e_t
    for (std::size_t k = 0; k < weights.left.size(); ++k) {
      const Interval factor = interval(dot(weights.left[k], query));
      for (std::size_t i = 0; i < problem.n; ++i) {
        const Interval scaled = logarithm(interval(weights.coefficients[k][i]), two) * factor;
        for (std::size_t l = 0; l < problem.n; ++l) {
          spend(1);
          entries[l] += interval(dot(tokens[l], weights.right[k][i])) * scaled;
        }
      }
    }
    Interval spread(0);  // max - min, the largest difference of two entries
    for (const Interval& a : entries) {
      for (const Interval& b : entries) spread = larger(spread, a - b);
    }
    return exponential(spread - interval(lambda * gap), two) * interval(Rational(2 * (problem.n - 1)));
  };
  ensure_at_most(bound, epsilon, "2 (n - 1) b^(s - lambda gamma)", "at example " + count(t));
}

void check_exponential_sum(const std::vector<Rational>& exponents, bool two, const Rational& epsilon) {
  const auto distance = [&] {
    Interval sum(0);
    for (const Rational& x : exponents) sum += exponential(interval(x), two);
    return sum * interval(Rational(2));
  };
  ensure_at_most(distance, epsilon, "a distance", "");
}

std::size_t count_largest_coefficients(const Problem& problem, const Layer& given, std::size_t h,
                                       const Rational& threshold, bool more, std::size_t precision) {
  set_precision(precision);
  std::size_t found = 0;
  for (std::size_t t = 0; t < problem.T; ++t) {
    const Interval product = given_attention(problem, given, h, t).sum * interval(threshold);
    found += more ? below(product, 1) : mpfr_cmp_ui(&real(product).backend().data()->left, 1) >= 0;
  }
  return found;
}

namespace {

/// A vector that is at most `error` from 2^bits z_h in every entry, for head h of the given layer at example
/// t. Precondition: the precision is bits + 16.
struct EnclosedMean {
  Vector row;
  Rational error;
};

EnclosedMean enclosed_mean(const Problem& problem, const Layer& given, std::size_t h, std::size_t t,
                           std::size_t bits) {
  const Attention<Enclosures> head = given_attention(problem, given, h, t);
  std::vector<Rational> coefficients;  // times 2^bits, rounded down
  Integer width = 0;                   // the sum of what that may take away
  for (const Interval& power : head.powers) {
    spend(1);
    Interval scaled = power / head.sum;
    mpfi_mul_2ui(scaled.backend().data(), real(scaled).backend().data(), bits);
    Integer least, most;
    mpfr_get_z(least.get_mpz_t(), &scaled.backend().data()->left, MPFR_RNDD);
    mpfr_get_z(most.get_mpz_t(), &scaled.backend().data()->right, MPFR_RNDU);
    coefficients.emplace_back(least);
    width += most - least;
  }
  const Context& tokens = problem.context(t);
  Rational largest = 0;  // absolute value of an entry
  for (const Vector& token : tokens) {
    const auto [least, most] = std::minmax_element(token.num.begin(), token.num.end());
    largest = std::max(largest, Rational(Rational(std::max<Integer>(*most, -*least)) / token.den));
  }
  return {combination(coefficients, tokens), width * largest};
}

}  // namespace

EnclosedZ enclosed_z(const Problem& problem, const Layer& given, std::size_t bits) {
  set_precision(bits + 16);
  EnclosedZ z{std::vector<std::vector<Integer>>(problem.T), 0};
  for (std::size_t t = 0; t < problem.T; ++t) {
    for (std::size_t h = 0; h < problem.H; ++h) {
      const auto [row, error] = enclosed_mean(problem, given, h, t, bits);
      for (const Integer& entry : row.num)
        mpz_fdiv_q(z.entries[t].emplace_back().get_mpz_t(), entry.get_mpz_t(), row.den.get_mpz_t());
      z.radius = std::max(z.radius, Integer(floor(error) + 2));
    }
  }
  return z;
}

std::size_t count_examples(const Problem& problem, const Claim& claim, const Layer& given, bool right,
                           std::size_t precision) {
  set_precision(precision + 16);
  const std::vector<Score> scores = scores_of(problem);
  const bool by_class = claim.has("classes");
  const Interval unit = interval(Rational(1, Integer(1) << precision));
  std::size_t found = 0;
  for (std::size_t t = 0; t < problem.T; ++t) {
    std::vector<Rational> all;  // the means of the heads, one after the other, times 2^precision
    Rational error = 0;
    for (std::size_t h = 0; h < problem.H; ++h) {
      const EnclosedMean mean = enclosed_mean(problem, given, h, t, precision);
      for (std::size_t j = 0; j < problem.d; ++j) all.push_back(mean.row[j]);
      error = std::max(error, mean.error);
    }
    const Vector means(all);
    const Interval errors = hull(interval(-error), interval(error)) * unit;
    std::vector<Interval> values;  // of the scores
    if (by_class && scores.size() == 1) values.emplace_back(0);
    for (const Score& score : scores) {
      const Rational rest = score.constant + inner(problem.source.weights->skip, t, score.readout);
      values.push_back(interval(rest) + interval(dot(score.of_means, means)) * unit + errors * score.norm);
    }
    // By classes, the example is right when all of these are above 0; otherwise, when none is.
    std::vector<Interval> signs;
    const std::size_t own = by_class ? claim.array("classes").at(t).get_num().get_ui() : 0;
    for (std::size_t o = 0; o < values.size(); ++o) {
      if (!by_class) {
        const Interval distance = magnitude(values[o] - interval(problem.label(t, o, false)));
        signs.push_back(distance - interval(claim.number("epsilon")));
      } else if (o != own) {
        signs.push_back(values[own] - values[o]);
      }
    }
    const auto shown = [&](const Interval& x) { return right == by_class ? above(x, 0) : at_most(x, 0); };
    found += right ? std::all_of(signs.begin(), signs.end(), shown)
                   : std::any_of(signs.begin(), signs.end(), shown);
  }
  return found;
}

}  // namespace attest::checker
