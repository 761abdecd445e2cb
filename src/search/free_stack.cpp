#include "search/free_stack.hpp"

#include <algorithm>

#include "base/meter.hpp"
#include "base/progress.hpp"
#include "kernel/layers/free_stack.hpp"
#include "search/arithmetic/echelon.hpp"
#include "search/arithmetic/modular.hpp"
#include "theory/failure.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kWeights = 1'000'000, kLargestPrime = std::uint64_t{1} << 23;
constexpr std::size_t kMostCharacters = 3, kRowBlock = 128;

bool is_chain(std::uint64_t q, std::size_t length) {
  for (std::size_t k = 0; k < length; ++k, q = 2 * q + 1)
    if (!is_prime(q)) return false;
  return true;
}

kernel::FreeStack stack_of(const kernel::Problem& problem, const NestedCharacter& character) {
  return {problem, character.primes, character.bound, character.seed};
}

// The kernel counts nothing itself: its residues of so many rows, in all layers.
void announce_rows(const Case& c, const NestedCharacter& character, std::size_t rows, std::size_t each) {
  meter().work(rows * character.primes.size() * c.layer->heads * c.layer->context * each);
}

}  // namespace

std::optional<NestedCharacter> nested_character(const Case& c, std::size_t k) {
  const std::size_t length = c.stack.size() + 2;
  if (k >= kMostCharacters || length > 8) return std::nullopt;
  std::uint64_t q = (kLargestPrime >> (length - 1)) - 1;
  for (std::size_t found = 0; q > 2; --q)
    if (is_chain(q, length) && found++ == k) break;
  if (q <= 2) return std::nullopt;
  NestedCharacter result{{}, kWeights, k + 1};
  for (; result.primes.size() < length; q = 2 * q + 1) result.primes.push_back(q);
  return result;
}

std::optional<MinorIndices> minor_of_stack_z(const Case& c, const NestedCharacter& character) {
  const kernel::Problem problem(c);
  try {
    announce_rows(c, character, problem.T, 200 + 10 * problem.d);
    const kernel::FreeStack stack = stack_of(problem, character);
    const kernel::Matrix z =
        stack.minor_of_z(kernel::all_below(problem.T), kernel::all_below(problem.H * problem.d));
    ModularMatrix images(z.rows, z.cols);
    std::copy(z.data.begin(), z.data.end(), images.data());
    return rank_profiles(images, stack.p());
  } catch (const Failure&) {  // a denominator vanishes
    return std::nullopt;
  }
}

std::optional<MinorIndices> minor_of_stack_jacobian(const Case& c, const NestedCharacter& character,
                                                    std::size_t enough) {
  const kernel::Problem problem(c);
  try {
    const kernel::FreeStack stack = stack_of(problem, character);
    const std::vector<std::size_t> columns = kernel::all_below(stack.width());
    Echelon echelon(stack.p(), stack.width());
    std::vector<std::size_t> names;
    for (std::size_t row = 0; row < stack.height() && echelon.rank() < enough; row += names.size()) {
      names = range(row, std::min(stack.height(), row + kRowBlock));
      announce_rows(c, character, names.size(), 20 * problem.d);
      kernel::Matrix rows = stack.minor_of_j(names, columns);
      for (double& x : rows.data) x = blas::balanced(static_cast<std::uint64_t>(x), stack.p());
      echelon.add_rows(rows.data.data(), names);
      report_progress("rows of J", row, stack.height());
    }
    return echelon.minor();
  } catch (const Failure&) {  // a denominator vanishes
    return std::nullopt;
  }
}

}  // namespace attest
