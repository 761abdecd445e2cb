// The rule `nested`.
#include "kernel/layers/free_stack.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {

/// capacity >= |rows|, or functional_dimension >= |rows|, when the minor of Z, or of the derivatives of the
/// outputs, at these distinct rows and cols is non-singular under the nested character of these primes, for
/// integer weights of all layers (FreeStack).
Fact rules::nested(const Step& step) {
  std::vector<Word> primes;
  for (const Json& q : array(step["primes"])) primes.push_back(word(q));
  const FreeStack stack(step.problem, primes, word(step["bound"]), word(step["seed"]));
  const bool capacity = step.of == "capacity";
  const Minor minor(step, capacity ? step.problem.T : stack.height(),
                    capacity ? step.problem.H * step.problem.d : stack.width());
  return non_singular(
      step, capacity ? stack.minor_of_z(minor.rows, minor.cols) : stack.minor_of_j(minor.rows, minor.cols),
      stack.p());
}

}  // namespace attest::kernel
