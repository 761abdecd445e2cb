#include "checker/readout.hpp"

#include <algorithm>
#include <boost/multiprecision/mpfi.hpp>

namespace attest::checker {
namespace {

// MPFI rounds outwards, so every operation encloses the exact result whatever its precision.
using Interval = boost::multiprecision::number<boost::multiprecision::mpfi_float_backend<0>,
                                               boost::multiprecision::et_off>;

void set_precision(std::size_t bits) {
  Interval::default_precision(static_cast<unsigned>(bits * 0.30103) + 2);
}

Interval interval(const Rational& value) {
  Interval result;
  mpfi_set_q(result.backend().data(), value.backend().data());
  return result;
}

bool contains_zero(const Interval& x) {
  return mpfi_has_zero(x.backend().data()) != 0;
}
int compare(mpfr_srcptr end, const Rational& y) {
  // MPFR calls not-a-number equal to everything; it only comes from an overflow of exponents.
  if (mpfr_nan_p(end)) throw LimitError("interval arithmetic overflows");
  return mpfr_cmp_q(end, y.backend().data());
}
int compare_lower(const Interval& x, const Rational& y) {
  return compare(&x.backend().data()->left, y);
}
int compare_upper(const Interval& x, const Rational& y) {
  return compare(&x.backend().data()->right, y);
}

/// b^x for the real number b of the ring with scale absorbed: e or 2.
Interval exponential(const Interval& x, bool two) {
  Interval result;
  two ? mpfi_exp2(result.backend().data(), x.backend().data())
      : mpfi_exp(result.backend().data(), x.backend().data());
  return result;
}

Interval logarithm(const Interval& x, bool two) {
  Interval result;
  two ? mpfi_log2(result.backend().data(), x.backend().data())
      : mpfi_log(result.backend().data(), x.backend().data());
  return result;
}

using Intervals = std::vector<std::vector<Interval>>;

/// Solves M X = B by elimination with the pivot of largest lower bound. False: a pivot may be zero at this
/// precision.
bool solve(Intervals& matrix, Intervals& right) {
  const std::size_t size = matrix.size();
  const auto size_below = [](const Interval& x) {
    Interval magnitude;
    mpfi_abs(magnitude.backend().data(), x.backend().data());
    return magnitude;
  };
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    Interval best = size_below(matrix[k][k]);
    for (std::size_t i = k + 1; i < size; ++i) {
      Interval candidate = size_below(matrix[i][k]);
      if (mpfr_cmp(&candidate.backend().data()->left, &best.backend().data()->left) > 0) {
        pivot = i;
        best.swap(candidate);
      }
    }
    if (contains_zero(matrix[pivot][k])) return false;
    std::swap(matrix[k], matrix[pivot]);
    std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < size; ++i) {
      const Interval factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k + 1; j < size; ++j) matrix[i][j] -= factor * matrix[k][j];
      for (std::size_t c = 0; c < right[i].size(); ++c) right[i][c] -= factor * right[k][c];
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    for (Interval& entry : right[k]) {
      const std::size_t c = static_cast<std::size_t>(&entry - right[k].data());
      for (std::size_t j = k + 1; j < size; ++j) entry -= matrix[k][j] * right[j][c];
      entry /= matrix[k][k];
    }
  }
  return true;
}

}  // namespace

void check_enclosure(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                     const std::vector<std::vector<Ball>>& balls, std::size_t precision,
                     const CheckPolicy& policy) {
  const std::size_t T = problem.T;
  // The exact logits of the heads that have columns, once; the arithmetic below may be repeated with more
  // bits.
  std::vector<std::vector<std::vector<Rational>>> exponents(problem.H);
  for (std::size_t col : cols) {
    auto& head = exponents[col / problem.d];
    for (std::size_t t = head.size(); t < T; ++t)
      head.push_back(reduced_logits(problem, layer, col / problem.d, t));
  }
  for (std::size_t bits = std::max<std::size_t>(precision, 64); bits <= policy.max_precision; bits *= 2) {
    set_precision(bits);
    Intervals matrix(T), right(T);
    for (std::size_t t = 0; t < T; ++t) {
      const auto tokens = problem.context(t);
      std::vector<std::vector<Interval>> coefficients(problem.H);
      std::vector<Interval> sums(problem.H);
      for (std::size_t h = 0; h < problem.H; ++h) {
        if (exponents[h].empty()) continue;
        for (const Rational& x : exponents[h][t]) {
          coefficients[h].push_back(exponential(interval(x), layer.ring.two));
          sums[h] += coefficients[h].back();
        }
      }
      for (std::size_t col : cols) {
        const std::size_t h = col / problem.d;
        Interval entry(0);
        for (std::size_t i = 0; i < problem.n; ++i) {
          entry += coefficients[h][i] * interval((*tokens)[i][col % problem.d]);
        }
        matrix[t].push_back(entry / sums[h]);
      }
      for (std::size_t c = 0; c < problem.d_out; ++c) right[t].push_back(interval(problem.label(t, c)));
    }
    if (!solve(matrix, right)) continue;
    bool inside = true;
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t c = 0; c < problem.d_out; ++c) {
        const Rational low = balls[t][c].mid - balls[t][c].rad, high = balls[t][c].mid + balls[t][c].rad;
        ensure(compare_upper(right[t][c], low) >= 0 && compare_lower(right[t][c], high) <= 0,
               "weights within their balls",
               "weight [" + std::to_string(t) + ", " + std::to_string(c) + "] outside");
        inside = inside && compare_lower(right[t][c], low) >= 0 && compare_upper(right[t][c], high) <= 0;
      }
    }
    if (inside) return;
  }
  throw LimitError("the read-out is not decided at " + std::to_string(policy.max_precision) + " bits");
}

void check_exact_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                         const std::vector<std::vector<Rational>>& weights, const CheckPolicy& policy) {
  ensure(layer.ring.two, "base 2", "base e");
  for (std::size_t t = 0; t < problem.T; ++t) {
    const auto tokens = problem.context(t);
    std::vector<std::vector<Rational>> coefficients(problem.H);
    for (std::size_t h = 0; h < problem.H; ++h) {
      const std::vector<Rational> exact = logits(problem, layer, h, t);
      for (const Rational& logit : exact) ensure(denominator(logit) == 1, "integer logits", text(logit));
      const Rational least = *std::min_element(exact.begin(), exact.end());
      Rational sum = 0;
      for (const Rational& logit : exact) {
        const Rational x = logit - least;
        if (x > policy.max_power_of_two) throw LimitError("a power 2^x with x = " + text(x));
        coefficients[h].push_back(Rational(Integer(1) << static_cast<unsigned long>(numerator(x))));
        sum += coefficients[h].back();
      }
      for (Rational& coefficient : coefficients[h]) coefficient /= sum;
    }
    std::vector<Rational> output(problem.d_out);
    for (std::size_t k = 0; k < cols.size(); ++k) {
      Rational entry = 0;
      for (std::size_t i = 0; i < problem.n; ++i) {
        entry += coefficients[cols[k] / problem.d][i] * (*tokens)[i][cols[k] % problem.d];
      }
      for (std::size_t c = 0; c < output.size(); ++c) output[c] += entry * weights[k][c];
    }
    for (std::size_t c = 0; c < output.size(); ++c) {
      ensure(output[c] == problem.label(t, c), "Z U = Y",
             "output [" + std::to_string(t) + ", " + std::to_string(c) + "] = " + text(output[c]));
    }
  }
}

void check_one_hot(const Problem& problem, const ClaimWeights& weights, std::size_t t,
                   std::vector<Rational> separated, const Rational& lambda, const Rational& epsilon,
                   const CheckPolicy& policy) {
  if (problem.n == 1) return;  // the only coefficient is 1
  std::sort(separated.rbegin(), separated.rend());
  const Rational gap = separated[0] - separated[1];
  const auto tokens = problem.context(t);
  const bool two = problem.source.layer->base == Base::two;
  for (std::size_t bits = 128; bits <= policy.max_precision; bits *= 2) {
    set_precision(bits);
    std::vector<Interval> direction(problem.d, Interval(0));  // W e_t
    for (std::size_t k = 0; k < weights.subset.size(); ++k) {
      const Interval factor = interval(dot(weights.left[k], problem.query(t)));
      for (std::size_t i = 0; i < problem.n; ++i) {
        const Interval scaled = logarithm(interval(weights.coefficients[k][i]), two) * factor;
        for (std::size_t j = 0; j < problem.d; ++j) direction[j] += interval(weights.right[k][i][j]) * scaled;
      }
    }
    std::vector<Interval> entries;
    for (std::size_t i = 0; i < problem.n; ++i) {
      entries.emplace_back(0);
      for (std::size_t j = 0; j < problem.d; ++j) entries.back() += interval((*tokens)[i][j]) * direction[j];
    }
    // max - min, as the largest difference of two entries: its enclosure has the largest ends of theirs.
    Interval spread(0);
    for (const Interval& a : entries) {
      for (const Interval& b : entries) {
        const Interval difference = a - b;
        mpfr_max(&spread.backend().data()->left, &spread.backend().data()->left,
                 &difference.backend().data()->left, MPFR_RNDD);
        mpfr_max(&spread.backend().data()->right, &spread.backend().data()->right,
                 &difference.backend().data()->right, MPFR_RNDU);
      }
    }
    const Interval bound =
        exponential(spread - interval(lambda * gap), two) * interval(Rational(2 * (problem.n - 1)));
    if (compare_upper(bound, epsilon) <= 0) return;
    ensure(compare_lower(bound, epsilon) <= 0, "2 (n - 1) b^(s - lambda gamma) <= epsilon",
           "more at example " + std::to_string(t));
  }
  throw LimitError("the bound of Claim 2 is not decided at " + std::to_string(policy.max_precision) +
                   " bits");
}

}  // namespace attest::checker
