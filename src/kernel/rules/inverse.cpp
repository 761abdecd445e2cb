// The rule `inverse`: a matrix that the step gives shows that another one is invertible.
#include <algorithm>

#include "kernel/layers/enclosed_z.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

/// A real number, at most `rad` from `mid`.
struct Ball {
  Rational mid, rad;
};

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

/// Concludes that A U = Y for some U within the balls: A the columns `cols` of Z, T of them, Y the labels
/// (with `skip_connection` less the queries). With R = `inverse` and g = ||I - R A|| < 1 in the largest row
/// sum, R A and so A is invertible, and U - mid = (I - R A)(U - mid) + R (Y - A mid): in each column (1 - g)
/// times the largest entry of |U - mid| is at most that of |R (Y - A mid)|, for which (1 - g) rad is seen to
/// be enough (docs/mathematics.md, The construction: *Read-out*).
void check_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                   const RationalMatrix& inverse, const std::vector<std::vector<Ball>>& balls,
                   std::size_t bits, bool skip_connection) {
  const std::size_t T = problem.T;
  Logits logits(problem, layer);
  const EnclosedZ A = enclosed_z(logits, all_below(T), cols, bits);
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

/// rank(Z) >= |rows|: an approximate inverse of the minor A, ||I - R A|| < 1.
void check_inverse(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& rows,
                   const std::vector<std::size_t>& cols, const RationalMatrix& inverse, std::size_t bits) {
  Logits logits(problem, layer);
  const std::vector<Rational> norms =
      defects({inverse.begin(), inverse.end()}, enclosed_z(logits, rows, cols, bits),
              std::vector<Rational>(rows.size(), 1), bits);
  ENSURE(std::ranges::all_of(norms, [](const Rational& norm) { return norm < 1; }), "||I - R A|| < 1",
         "a norm that may be 1 or more");
}

/// Concludes that the minor M of Z in these rows and columns is invertible for all separators with lambdas
/// from `lambda` on, each of its own: its entries are enclosed for all of these, and |I - R M| w < w in every
/// entry, R = `inverse` and w = `scale` > 0, so that I - R M shrinks every vector in the norm max_i |z_i| /
/// w_i, and M z = 0 only for z = 0 (docs/mathematics.md, Finite lambda: Theorem L).
void check_tail_rank(const Problem& problem, const Layer& layer, const Rational& lambda,
                     const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                     const RationalMatrix& inverse, const std::vector<Rational>& scale) {
  Logits logits(problem, layer);
  constexpr std::size_t kMost = 1 << 15;  // binary64 goes down to 2^-1074, and its inverse up
  bool shown = rows.empty();
  for (std::size_t bits = 128; !shown && bits <= kMost; bits *= 4)
    shown = std::ranges::equal(
        defects({inverse.begin(), inverse.end()}, enclosed_z(logits, rows, cols, bits, &lambda), scale, bits),
        scale, std::less());
  ENSURE(shown, "|I - R M| w < w for all lambdas >= L",
         "a row where it is not shown at " + std::to_string(kMost) + " bits");
}

}  // namespace

/// rank(Z(W)) >= |rows|, when R is an approximate inverse of the minor A of these rows and cols,
/// enclosed: ||I - R A|| < 1.
Fact rules::inverse_of_z(const Step& step) {
  const auto [rows, cols] = Minor(step, step.problem.T, step.problem.H * step.problem.d);
  check_inverse(step.problem, layer_of(step), rows, cols,
                rational_matrix(step["inverse"], rows.size(), rows.size()), precision(step["precision"]));
  return Fact::at_least(step.of, rows.size());
}

/// weights >= 1, when E_t R_k = I and L_k . e_t' = [t = t'] for the members t, t' of the subset, at most r.
Fact rules::weights(const Step& step) {
  prescribed_weights(step.keys, step.problem, step.claim, std::min(step.problem.n, step.problem.d_h));
  return Fact::at_least(step.of, 1);
}

/// readout >= 1, when T columns A of Z(k) have an approximate inverse R with ||I - R A|| < 1, and the
/// solution of A U = Y lies in the balls.
Fact rules::readout(const Step& step) {
  const Layer& examined = built_layer(step);
  const std::size_t T = step.problem.T;
  const std::vector<std::size_t> cols = distinct_indices(step["cols"], step.problem.H * step.problem.d);
  ENSURE(cols.size() == T, count(T) + " columns", count(cols.size()));
  const auto ball = [](const Json& value) {
    object(value, "mid rad");
    return Ball{rational(value.at("mid")), rational(value.at("rad"))};
  };
  const auto balls = [&](const Json& row) { return list(row, step.problem.d_out, ball); };
  check_readout(step.problem, examined, cols, rational_matrix(step["inverse"], T, T),
                list(step["weights"], T, balls), precision(step["precision"]),
                step.claim.statement == "skip-connection");
  return Fact::at_least(step.of, 1);
}

/// tail_rank >= |rows|, when every head of layer k but the first separates all examples but r - 1, and R is
/// an approximate inverse of the minor of Z(k) for any lambdas >= lambda > 0 of the heads: |I - R M| w < w
/// for positive w.
Fact rules::tail_rank(const Step& step) {
  const Layer& examined = separated_layer(step);
  const auto [rows, cols] = Minor(step, step.problem.T, step.problem.H * step.problem.d);
  check_tail_rank(step.problem, examined, positive(step["lambda"]), rows, cols,
                  rational_matrix(step["inverse"], rows.size(), rows.size()),
                  list(step["scale"], rows.size(), positive));
  return Fact::at_least(step.of, rows.size());
}

}  // namespace attest::kernel
