// The rule `algebraic`.
#include "kernel/layers/algebraic.hpp"

#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {

/// rank(Z(given)) <= (columns or rows) - |vectors|, when no layer before takes exponentials and the
/// vectors, whose values are sums of powers of b with sums of square roots as coefficients and exponents,
/// annihilate Z identically; independent as each has an index where it is not 0 and later ones are.
/// distinct(Z) <= T - |vectors|: from the left, and each is a multiple of e_s - e_t.
Fact rules::algebraic(const Step& step) {
  const bool right = choice(step["side"], "right", "left"), pairs = step.of == kDifferentRows;
  ENSURE(!right || !pairs, "the side left", "right");
  std::optional<std::size_t> bits;
  if (step.has("precision")) bits = precision(step["precision"]);
  const std::size_t size = right ? step.problem.H * step.problem.d : step.problem.T,
                    found = count_annihilators(step.problem, step["vectors"], right, pairs, bits);
  return Fact::at_most(step.of, size - found);
}

}  // namespace attest::kernel
