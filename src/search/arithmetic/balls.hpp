// Ball arithmetic (Arb): enclosures of real numbers, and linear systems solved with proof.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <string>
#include <vector>

#include "problem/case.hpp"
#include "search/arithmetic/ball_text.hpp"
#include "search/arithmetic/flint.hpp"
#include "search/arithmetic/matrix.hpp"

namespace attest {

class Ball {
public:
  Ball() { arb_init(x_); }
  Ball(const mpq_class& value, slong precision);
  ~Ball() { arb_clear(x_); }
  Ball(const Ball& other) : Ball() { arb_set(x_, other.x_); }
  Ball& operator=(const Ball& other) {
    arb_set(x_, other.x_);
    return *this;
  }
  arb_ptr get() { return x_; }
  arb_srcptr get() const { return x_; }

private:
  arb_t x_;
};

using BallMatrix = Matrix<Ball>;

/// b^x, b = e or 2.
Ball power(Base base, const mpq_class& x, slong precision);
/// log_b(x) for x > 0.
Ball logarithm(Base base, const mpq_class& x, slong precision);
/// b^{l_i} / sum_k b^{l_k}.
std::vector<Ball> softmax(Base base, const std::vector<mpq_class>& logits, slong precision);
/// An upper bound of x as a rational; empty when x is not finite, or too large to be written down.
std::optional<mpq_class> upper_bound(const Ball& x);

/// Encloses the solution of A X = B (A n x n, B n x k) by Gaussian elimination with balls, which succeeds
/// only when A is proved non-singular; empty otherwise.
std::optional<BallMatrix> solve(const BallMatrix& a, const BallMatrix& b, slong precision);

BallMatrix ball_identity(std::size_t n);
BallMatrix multiply(const BallMatrix& a, const BallMatrix& b, slong precision);

/// A number e such that all entries are less than 2^e in absolute value. Precondition: they are finite.
slong exponent(const BallMatrix& x);

/// The multiple of 2^exponent that is nearest to the mid-point of x: an exact ball.
Ball rounded(const Ball& x, slong exponent);
/// Whether the mid-points of all entries are 0 or have numerals that readers accept: within 2^-90000 and
/// 2^90000.
bool have_numerals(const BallMatrix& x);

/// The mid-point as an exact numeral.
std::string numeral(const Ball& x);

/// A ball {mid, rad} with a mid-point of `bits` bits that contains `x` with room to spare, as exact numerals.
BallText rounded_outwards(const Ball& x, slong bits);

}  // namespace attest
