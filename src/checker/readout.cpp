#include "checker/readout.hpp"

#include <algorithm>

#include "checker/interval.hpp"

namespace attest::checker {
namespace {

void assign_middle(double& x, const Interval& y) {
  x = mpfi_get_d(y.backend().data());
}
void assign_middle(Real& x, const Interval& y) {
  mpfi_get_fr(x.backend().data(), y.backend().data());
}
Interval point(double x) {
  return Interval(x);
}
Interval point(const Real& x) {
  Interval result;
  mpfi_set_fr(result.backend().data(), x.backend().data());
  return result;
}

/// An approximate inverse, by Gauss-Jordan elimination of the middles in rounded arithmetic; nothing is
/// claimed about it.
template <class Number>
Intervals approximate_inverse(const Intervals& matrix) {
  using std::abs;
  const std::size_t size = matrix.size();
  std::vector<std::vector<Number>> work(size, std::vector<Number>(2 * size, Number(0)));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) assign_middle(work[i][j], matrix[i][j]);
    work[i][size + i] = 1;
  }
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < size; ++i) {
      if (abs(work[i][k]) > abs(work[pivot][k])) pivot = i;
    }
    if (work[pivot][k] == 0) return {};
    std::swap(work[k], work[pivot]);
    for (std::size_t j = 2 * size; j-- > k;) work[k][j] /= work[k][k];
    for (std::size_t i = 0; i < size; ++i) {
      const Number factor = work[i][k];
      if (i == k || factor == 0) continue;
      for (std::size_t j = k; j < 2 * size; ++j) work[i][j] -= factor * work[k][j];
    }
  }
  Intervals result(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) result[i].push_back(point(work[i][size + j]));
  }
  return result;
}

/// a - sum of products, without temporaries.
void subtract_product(Interval& a, const Interval& b, const Interval& c, Interval& product) {
  mpfi_mul(product.backend().data(), b.backend().data(), c.backend().data());
  mpfi_sub(a.backend().data(), a.backend().data(), product.backend().data());
}

/// The largest absolute value of a member, rounded up.
Interval magnitude(const Interval& x) {
  Real bound;
  mpfi_mag(bound.backend().data(), x.backend().data());
  return point(bound);
}

Interval larger(const Interval& x, const Interval& y) {
  return mpfr_cmp(&x.backend().data()->right, &y.backend().data()->right) < 0 ? y : x;
}

/// Encloses the solution X of A X = B, given an approximate inverse R of A. Let G = I - R A. If its norm (the
/// largest sum of absolute values in a row) is at most g < 1, then A is non-singular, and X - X0 = (I - G)^-1
/// R (B - A X0) for every X0, so no entry of X is farther from X0 than the largest of |R (B - A X0)| / (1 -
/// g). False when g is too large.
bool enclose(const Intervals& A, const Intervals& R, Intervals& B, std::size_t coarse_bits,
             std::size_t bits) {
  const std::size_t size = A.size(), width = B.front().size();
  if (R.empty()) return false;
  set_precision(coarse_bits);
  Interval norm(0), product;
  {
    Intervals coarse(size, std::vector<Interval>(size));  // A, rounded outwards
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j)
        mpfi_set(coarse[i][j].backend().data(), A[i][j].backend().data());
    }
    for (std::size_t i = 0; i < size; ++i) {
      std::vector<Interval> row(size, Interval(0));
      row[i] = 1;
      for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t j = 0; j < size; ++j) subtract_product(row[j], R[i][k], coarse[k][j], product);
      }
      Interval sum(0);
      for (const Interval& entry : row) sum += magnitude(entry);
      if (mpfi_nan_p(sum.backend().data()) || compare_upper(sum, Rational(1, 2)) > 0) return false;
      norm = larger(norm, sum);
    }
  }
  set_precision(bits);
  product = Interval(0);
  Intervals X(size, std::vector<Interval>(width, Interval(0)));  // points
  Interval error(0);
  for (std::size_t round = 0;; ++round) {
    Intervals residual = B;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t c = 0; c < width; ++c) subtract_product(residual[i][c], A[i][k], X[k][c], product);
      }
    }
    Intervals step(size, std::vector<Interval>(width, Interval(0)));  // minus R times the residual
    Interval largest(0);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t c = 0; c < width; ++c)
          subtract_product(step[i][c], R[i][k], residual[k][c], product);
      }
      for (const Interval& entry : step[i]) largest = larger(largest, magnitude(entry));
    }
    const Interval next = magnitude(largest / (Interval(1) - norm));
    // X is within `next` of the solution. Another step helps as long as it halves that.
    const bool better = round == 0 || compare_upper(next * 2 - error, 0) < 0;
    error = next;
    if (!better) break;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t c = 0; c < width; ++c) {
        Real middle;
        assign_middle(middle, X[i][c] - step[i][c]);
        X[i][c] = point(middle);
      }
    }
  }
  mpfi_neg(product.backend().data(), error.backend().data());
  mpfi_put(product.backend().data(), error.backend().data());  // [-error, error]
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t c = 0; c < width; ++c) B[i][c] = X[i][c] + product;
  }
  return true;
}

}  // namespace

void check_enclosure(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                     const std::vector<std::vector<Ball>>& balls, std::size_t precision, bool skip_connection,
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
  bool coarse = true;  // an inverse in binary64 is tried first
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
      for (std::size_t c = 0; c < problem.d_out; ++c)
        right[t].push_back(interval(problem.label(t, c, skip_connection)));
    }
    if (!coarse || !enclose(matrix, approximate_inverse<double>(matrix), right, 64, bits)) {
      coarse = false;
      set_precision(bits);
      if (!enclose(matrix, approximate_inverse<Real>(matrix), right, bits, bits)) continue;
    }
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
                         const std::vector<std::vector<Rational>>& weights, bool skip_connection,
                         const CheckPolicy& policy) {
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
      ensure(output[c] == problem.label(t, c, skip_connection), "Z U = Y",
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

void check_exponential_sum(const std::vector<Rational>& exponents, bool two, const Rational& epsilon,
                           const CheckPolicy& policy) {
  for (std::size_t bits = 128; bits <= policy.max_precision; bits *= 2) {
    set_precision(bits);
    Interval sum(0);
    for (const Rational& x : exponents) sum += exponential(interval(x), two);
    sum *= interval(Rational(2));
    if (compare_upper(sum, epsilon) <= 0) return;
    ensure(compare_lower(sum, epsilon) <= 0, "a distance of at most epsilon", "more");
  }
  throw LimitError("the bound of Lemma 4 is not decided at " + std::to_string(policy.max_precision) +
                   " bits");
}

}  // namespace attest::checker
