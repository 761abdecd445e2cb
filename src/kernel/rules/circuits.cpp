// The rule `circuits`: which examples can be memorized together.
#include "theory/circuits.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "kernel/arithmetic/modular.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {
namespace {

/// Some examples, increasing, and their capacity at most.
using Spanned = std::pair<std::vector<std::size_t>, Integer>;

/// Ensures that the set has as many `cols` as examples, that its minor of Z is non-singular under the
/// character, and that every other example t
/// - has under it the row that the rows of its conflicts D add up to with factors that are not 0 (so that the
///   set with t in place of a member of D is independent),
/// - is in one of `parts` whose capacity is at most the number of members of D in it (so that the row of t is
/// in
///   their span), and
/// - comes after the members of D in the order of the claim's values (so that the set is that of greedy
/// choices).
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
      std::vector<std::size_t> both;
      std::ranges::set_intersection(examples, others, std::back_inserter(both));
      return std::ranges::binary_search(examples, t) && most <= Integer(both.size());
    };
    ENSURE(std::ranges::any_of(parts, spanned), "a part in which example " + count(t) + " depends on these",
           "none");
  }
}

}  // namespace

/// which(S; t: D; ...) >= 1, when check_circuits holds for layer k, with parts that have no fewer heads.
Fact rules::circuits(const Step& step) {
  const std::optional<Circuits> stated = circuits_in(*match(step.of, "which(*)"));
  ENSURE(stated.has_value(), "examples, and for each other one those it conflicts with", step.of);
  const Layer& examined = step.layer(count(word(step["layer"])));
  const Character character(examined.ring, word(step["p"]), word(step["g"]));
  const std::vector<std::size_t> all = all_below(step.problem.T);
  std::vector<Spanned> parts = {{all, bounds_without_proof("capacity", step.computed)->upper}};
  for (const Json& number : array(step["uses"])) {
    const Fact& fact = step.used(number);
    const std::optional<std::string> part = match(fact.quantity, "capacity(*)");
    ENSURE(fact.kind == Fact::Kind::at_most && (part || fact.quantity == "capacity"),
           "upper bounds of capacities", fact.text());
    ENSURE(!part || *step.part(*part).heads >= step.problem.H,
           "a part with " + count(step.problem.H) + " heads", "one with fewer");
    parts.emplace_back(part ? *step.part(*part).examples : all, fact.bound);
    std::ranges::sort(parts.back().first);
  }
  check_circuits(step.problem, step.claim, examined, character,
                 distinct_indices(step["cols"], step.problem.H * step.problem.d), *stated, parts);
  return Fact::at_least(step.of, 1);
}

}  // namespace attest::kernel
