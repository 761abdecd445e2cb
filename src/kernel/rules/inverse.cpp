#include "kernel/rules/inverse.hpp"

#include <algorithm>

#include "kernel/layers/enclosed_z.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

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

}  // namespace

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

void check_inverse(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& rows,
                   const std::vector<std::size_t>& cols, const RationalMatrix& inverse, std::size_t bits) {
  Logits logits(problem, layer);
  const std::vector<Rational> norms =
      defects({inverse.begin(), inverse.end()}, enclosed_z(logits, rows, cols, bits),
              std::vector<Rational>(rows.size(), 1), bits);
  ENSURE(std::ranges::all_of(norms, [](const Rational& norm) { return norm < 1; }), "||I - R A|| < 1",
         "a norm that may be 1 or more");
}

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

}  // namespace attest::kernel
