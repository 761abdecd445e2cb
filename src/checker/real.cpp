#include "checker/real.hpp"

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <map>

namespace attest::checker {
namespace {

/// A real number between two multiples of 2^-bits, for bits that go without saying.
struct Enclosure {
  Integer least, most;
};

/// b^-|x s|, b = 2 or e, from the square of s; without an error if exponent and power are multiples of
/// 2^-bits. This is the only use of MPFR: the rest are integers and rationals.
Enclosure power(const Problem& problem, const Rational& x, const Rational& square, std::size_t bits) {
  const std::size_t words = bits / 64 + 2 + mpz_size(x.get_num_mpz_t()) + mpz_size(x.get_den_mpz_t());
  meter().work(100 * (40 + words * words));
  // 2^bits |x s|, rounded up.
  Integer exponent = square.get_num() * x.get_num() * x.get_num() << 2 * bits, rest;
  const Integer den = square.get_den() * x.get_den() * x.get_den();
  mpz_fdiv_qr(exponent.get_mpz_t(), rest.get_mpz_t(), exponent.get_mpz_t(), den.get_mpz_t());
  bool exact = rest == 0;
  mpz_sqrtrem(exponent.get_mpz_t(), rest.get_mpz_t(), exponent.get_mpz_t());
  exact = exact && rest == 0;
  exponent += exact ? 0 : 1;
  if ((exponent >> bits) > bits) return {0, 1};
  exponent = -exponent;
  Enclosure result;
  mpfr_t value;
  mpfr_init2(value, static_cast<mpfr_prec_t>(bits + 18));  // exact exponents up to bits < 2^17
  mpfr_set_z_2exp(value, exponent.get_mpz_t(), -static_cast<mpfr_exp_t>(bits), MPFR_RNDD);
  const bool two = problem.source.layer->base == attest::Base::two;
  exact &= (two ? mpfr_exp2 : mpfr_exp)(value, value, MPFR_RNDD) == 0;
  mpfr_mul_2ui(value, value, bits, MPFR_RNDD);
  exact &= mpfr_get_z(result.least.get_mpz_t(), value, MPFR_RNDD) == 0;
  mpfr_clear(value);
  // The power is at most b^(2^-bits) < 1 + 2^(1-bits) times that of the rounded exponent.
  result.most = result.least + (exact ? 0 : 4);
  return result;
}

/// The powers of these logits with the case's scale, times a number that makes the largest 1; with `enough`,
/// the first of them until they sum up to that. Sets the sum.
std::vector<Enclosure> powers(const Problem& problem, const Layer& layer, const std::vector<Rational>& y,
                              std::size_t bits, Enclosure& sum, const Integer* enough = nullptr) {
  const LogitScale& scale = problem.source.layer->logit_scale;
  const bool done = layer.ring.absorbed || layer.ring.two;  // nothing is left to multiply logits with
  const Rational square = done                 ? Rational(1)
                          : scale.irrational() ? Rational(1, scale.radicand)
                                               : Rational(scale.rational * scale.rational);
  const bool turned = !done && !scale.irrational() && scale.rational < 0;
  const Rational reference = turned ? *std::min_element(y.begin(), y.end()) : Rational(0);
  std::vector<Enclosure> result;
  for (const Rational& logit : y) {
    if (enough != nullptr && sum.least >= *enough) break;
    result.push_back(power(problem, logit - reference, square, bits));
    sum.least += result.back().least;
    sum.most += result.back().most;
  }
  return result;
}

/// The coefficients of head h at example t, with the case's scale; with `lambda`, what contains them for all
/// lambdas of its separator from there on.
std::vector<Enclosure> coefficients(const Problem& problem, const Layer& layer, std::size_t h, std::size_t t,
                                    std::size_t bits, const Rational* lambda) {
  const Head& head = layer.heads[h];
  const bool tail = lambda != nullptr && head.lambda && dot(head.query.back(), problem.query(t)) != 0;
  const std::vector<Rational> y = logits(problem, layer, h, t, !tail);
  Enclosure sum;
  if (tail) {
    std::vector<Enclosure> result;
    const std::vector<Rational> x = separated(problem, head.key.back(), head.query.back(), t);
    const auto largest = std::max_element(x.begin(), x.end());
    ENSURE(std::count(x.begin(), x.end(), *largest) == 1,
           "one largest entry of (E_t u)(v . e_t) in head " + count(h) + " at example " + count(t), "more");
    const Rational& peak = y[static_cast<std::size_t>(largest - x.begin())];
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Rational exponent = y[i] - peak - *lambda * (*largest - x[i]);
      result.push_back({0, power(problem, std::min<Rational>(exponent, 0), 1, bits).most});
      sum.most += result.back().most;
    }
    // 1 minus the others, of which the peak, as b^0 = 1, is none.
    result[static_cast<std::size_t>(largest - x.begin())].least = (Integer(2) << bits) - sum.most;
    return result;
  }
  std::vector<Enclosure> result = powers(problem, layer, y, bits, sum);
  for (auto& [least, most] : result) {
    least <<= bits;
    most <<= bits;
    mpz_fdiv_q(least.get_mpz_t(), least.get_mpz_t(), sum.most.get_mpz_t());
    mpz_cdiv_q(most.get_mpz_t(), most.get_mpz_t(), sum.least.get_mpz_t());
  }
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

/// The block-diagonal matrix with so many blocks of equal shape, given by their rows, times x; x without it.
Vector image(const Vector& m, const Vector& x, std::size_t blocks = 1) {
  if (m.size() == 0) return x;
  const std::size_t width = x.size() / blocks;
  std::vector<Integer> result(m.size() / width);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t first = i * blocks / result.size() * width;
    mpz_realloc2(result[i].get_mpz_t(), 256);  // at once what most take
    for (std::size_t k = 0; k < width; ++k)
      mpz_addmul(result[i].get_mpz_t(), m.num[i * width + k].get_mpz_t(), x.num[first + k].get_mpz_t());
    meter().work(width * (2 + mpz_size(result[i].get_mpz_t())));
  }
  return Vector(std::move(result), m.den * x.den);
}

/// The inner product of an array with x; 0 without the array.
Rational inner(const std::optional<ExactArray>& array, const Vector& x) {
  return array ? dot(Vector(*array, 0, x.size()), x) : Rational(0);
}

/// The scores of the whole layer (docs/mathematics.md, Accuracy) times one number, as inner products of rows
/// of integers with (the row of Z, what is added to the output, 1).
struct Scores {
  IntegerMatrix factors;
  Integer den = 1;
};

Scores scores_of(const Problem& problem, bool classes) {
  const Weights& w = *problem.source.weights;
  const auto whole = [](const std::optional<ExactArray>& array) {
    return array ? Vector(*array, 0, array->size()) : Vector();
  };
  const Vector value = whole(w.value), output = whole(w.output);
  std::vector<std::array<Vector, 3>> rows;
  Scores scores;
  for (std::size_t o = 0; o < problem.d_out; ++o) {
    Vector readout;
    if (w.readout) {
      readout = Vector(*w.readout, o, w.readout->shape()[0], problem.d_out);
    } else {
      readout.num.resize(problem.d_out);
      readout.num[o] = 1;
    }
    const Vector of_heads = image(output, readout);
    Rational constant = inner(w.value_bias, of_heads) + inner(w.output_bias, readout);
    if (w.readout_bias) constant += w.readout_bias->at(o);
    rows.push_back({image(value, of_heads, problem.H), w.skip ? readout : Vector(), Vector({constant})});
    for (const Vector& part : rows.back()) scores.den = lcm(scores.den, part.den);
  }
  for (const auto& row : rows) {
    std::vector<Integer>& factors = scores.factors.emplace_back();
    for (const Vector& part : row) {
      const Integer scale = scores.den / part.den;
      for (const Integer& entry : part.num) factors.push_back(entry * scale);
      meter().work(part.size() * (1 + mpz_size(scale.get_mpz_t())));
    }
  }
  // A single one is that of class 1 against 0.
  if (classes && rows.size() == 1) scores.factors.emplace(scores.factors.begin(), scores.factors[0].size());
  return scores;
}

}  // namespace

EnclosedZ enclosed_z(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& rows,
                     const std::vector<std::size_t>& cols, std::size_t bits, const Rational* lambda) {
  EnclosedZ z{IntegerMatrix(rows.size()), IntegerMatrix(rows.size())};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Context& tokens = problem.context(rows[k]);
    Integer den = 1, rest;
    for (const Vector& token : tokens) den = lcm(den, token.den);
    const Integer twice = 2 * den;
    // Of the heads: middles and radii of the coefficients, times 2 den / token.den.
    std::map<std::size_t, std::pair<std::vector<Integer>, std::vector<Integer>>> heads;
    for (const std::size_t col : cols) {
      const std::size_t h = col / problem.d;
      const auto [place, first] = heads.try_emplace(h);
      auto& [mids, rads] = place->second;
      if (first) {
        for (const auto& [least, most] : coefficients(problem, layer, h, rows[k], bits, lambda)) {
          const Integer factor = den / tokens[mids.size()].den;
          mids.push_back((least + most) * factor);
          rads.push_back((most - least) * factor);
        }
      }
      Integer &mid = z.mid[k].emplace_back(), &rad = z.rad[k].emplace_back();
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const mpz_srcptr entry = tokens[i].num[col % problem.d].get_mpz_t();
        mpz_addmul(mid.get_mpz_t(), mids[i].get_mpz_t(), entry);
        (mpz_sgn(entry) < 0 ? mpz_submul : mpz_addmul)(rad.get_mpz_t(), rads[i].get_mpz_t(), entry);
      }
      meter().work(tokens.size() * 2 * (1 + mpz_size(mid.get_mpz_t())));
      mpz_fdiv_qr(mid.get_mpz_t(), rest.get_mpz_t(), mid.get_mpz_t(), twice.get_mpz_t());
      mpz_cdiv_q(rad.get_mpz_t(), rad.get_mpz_t(), twice.get_mpz_t());
      rad += rest == 0 ? 0 : 1;
    }
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
  for (const Rational& x : exponents) sum += power(problem, std::min<Rational>(x, 0), 1, bits).most;
  ENSURE(2 * sum <= epsilon * Rational(Integer(1) << bits), "a distance of at most " + text(epsilon),
         "one that may be more");
}

Sides count_largest_coefficients(const Problem& problem, const Layer& given,
                                 const std::vector<std::size_t>& heads, const Rational& threshold,
                                 std::size_t bits) {
  Sides found;
  // The largest coefficient is 1 over the sum of the powers.
  const Rational least = Rational(Integer(1) << bits) / threshold;
  const Integer enough = floor(least) + (is_integer(least) ? 0 : 1);
  for (std::size_t t = 0; t < problem.T; ++t) {
    for (const std::size_t h : heads) {
      std::vector<Rational> y = logits(problem, given, h, t);
      const auto few = static_cast<std::ptrdiff_t>(std::min<std::size_t>(y.size(), 4));
      std::ranges::partial_sort(y, y.begin() + few, std::greater());  // so that few are enough
      Enclosure sum;
      powers(problem, given, y, bits, sum, &enough);
      found.above += sum.most < enough;
      found.below += sum.least >= enough;
    }
  }
  return found;
}

Sides count_examples(const Problem& problem, const Claim& claim, const Layer& given, std::size_t bits) {
  constexpr std::size_t kTogether = 256;  // examples
  const bool classes = claim.has("classes");
  const auto [factors, den] = scores_of(problem, classes);
  const std::size_t width = problem.H * problem.d;
  IntegerMatrix sizes = factors;
  for (std::vector<Integer>& row : sizes) {
    row.resize(width);
    for (Integer& entry : row) entry = abs(entry);
  }
  Sides found;
  EnclosedZ z;
  IntegerMatrix mids, rads;
  Rational mid, rad;
  for (std::size_t t = 0; t < problem.T; ++t) {
    const std::size_t row = t % kTogether;
    if (row == 0) {
      std::vector<std::size_t> rows = all_below(std::min(t + kTogether, problem.T));
      rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(t));
      z = enclosed_z(problem, given, rows, all_below(width), bits);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        Vector added;
        if (const auto& skip = problem.source.weights->skip; skip)
          added = Vector(*skip, rows[k] * skip->shape().back(), skip->shape().back());
        for (std::size_t j = 0; j < width; ++j) z.mid[k][j] *= added.den, z.rad[k][j] *= added.den;
        added.num.push_back(added.den);
        for (const Integer& entry : added.num) z.mid[k].push_back(entry << bits);
      }
      mids = product(z.mid, factors, true);
      rads = product(z.rad, sizes, true);
    }
    const Integer one = den * z.mid[row].back();  // what the score 1 is now
    const std::size_t own = classes ? claim.array("classes").at(t).get_num().get_ui() : factors.size();
    // Right is that all of some numbers are above 0 by classes, at least 0 otherwise.
    const int least = classes ? 1 : 0;
    bool right = true, wrong = false;
    for (std::size_t o = 0; o < factors.size() && (right || !wrong); ++o) {
      if (o == own) continue;
      mid = mids[row][o];
      rad = rads[row][o];
      if (classes) {
        mid = mids[row][own] - mid;
        rad += rads[row][own];
      } else {
        mid = claim.number("epsilon") * one - abs(mid - problem.label(t, o, false) * one);
      }
      right = right && cmp(mid, rad) >= least;
      mid += rad;
      wrong = wrong || sgn(mid) < least;
    }
    found.above += right;
    found.below += wrong;
  }
  return found;
}

}  // namespace attest::checker
