#include "kernel/rules/circuits.hpp"

#include <algorithm>
#include <set>

#include "base/meter.hpp"
#include "kernel/arithmetic/modular.hpp"
#include "kernel/certificate.hpp"

namespace attest::kernel {

void check_circuits(const Problem& problem, const Claim& claim, const Layer& layer,
                    const Character& character, const std::vector<std::size_t>& cols, const Circuits& stated,
                    const std::vector<Spanned>& parts) {
  const std::size_t T = problem.T, size = stated.set.size();
  std::vector<std::size_t> rows = stated.set, place(T), leading;
  for (const auto& [t, others] : stated.conflicts) rows.push_back(t);
  ENSURE(std::ranges::all_of(rows, [&](std::size_t t) { return t < T; }) && rows.size() == T &&
             std::set<std::size_t>(rows.begin(), rows.end()).size() == T,
         "each of the " + count(T) + " examples once", stated.text());
  ENSURE(cols.size() == size, count(size) + " columns, as many as examples", count(cols.size()));
  const Matrix image = minor_of_z(problem, layer, character, rows, cols);
  WordMatrix transposed(size, T);
  for (std::size_t i = 0; i < size; ++i) {
    leading.push_back(i);
    for (std::size_t k = 0; k < T; ++k) transposed[i][k] = static_cast<Word>(image[k][i]);
  }
  ENSURE(reduced_echelon(transposed, character.p) == leading, "a minor that is not 0 mod p",
         "a singular one");
  const std::vector<std::size_t> order = greedy_order(claim, T);
  for (std::size_t k = 0; k < T; ++k) place[order[k]] = k;
  for (std::size_t k = size; k < T; ++k) {
    const std::size_t t = rows[k];
    const std::vector<std::size_t>& others = stated.conflicts.at(t);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < size; ++i) {
      if (transposed[i][k] != 0) found.push_back(rows[i]);
    }
    ENSURE(others == found, "for example " + count(t) + " the members whose factors are not 0",
           stated.text());
    ENSURE(std::ranges::all_of(others, [&](std::size_t s) { return place[s] < place[t]; }),
           "examples that come before example " + count(t), "one that comes after it");
    const auto spanned = [&](const Spanned& part) {
      const auto& [examples, most] = part;
      meter().work(4 * examples.size());
      std::vector<std::size_t> both;
      std::ranges::set_intersection(examples, others, std::back_inserter(both));
      return std::ranges::binary_search(examples, t) && most <= Integer(both.size());
    };
    ENSURE(std::ranges::any_of(parts, spanned), "a part in which example " + count(t) + " depends on these",
           "none");
  }
}

}  // namespace attest::kernel
