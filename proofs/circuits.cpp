// The rows of Z for almost all weights are a matroid: greedy choices give a set of examples that is largest
// among those that can be memorized together, and heaviest among these; every other example closes one circuit
// with it. For weights that are written down, elimination under a character shows the chosen rows to be
// independent and which of them enter the others; that no more enter is a bound of the capacity of a part.
#include "proofs/circuits.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "attention/character_z.hpp"
#include "base/progress.hpp"
#include "exact/modular.hpp"
#include "proofs/capacity.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kLayers = 3;        // random ones, each under the first characters that are defined
constexpr std::size_t kCharacters = 32;     // that are looked at
constexpr std::size_t kBlock = 256;         // rows that are evaluated at a time

struct Found {
  std::vector<LetHead> heads;
  Character character{};
  std::vector<std::size_t> cols;
  Circuits circuits;

  std::size_t entries() const {
    std::size_t sum = 0;
    for (const auto& [t, others] : circuits.conflicts) sum += others.size();
    return sum;
  }
};

// The greedy set and its circuits under a character, for a layer of this rank. Nothing when it has another one
// there.
std::optional<Found> under(const AttentionLayer& layer, const Character& character,
                           const std::vector<std::size_t>& order, std::size_t rank) {
  Found found{{}, character, {}, {}};
  if (rank == 0) {  // every row is 0
    for (const std::size_t t : order) found.circuits.conflicts[t];
    return found;
  }
  const auto minor = rank_under(layer, character, rank);
  const LayerImage image(layer, character);
  if (!minor || minor->rank() != rank || !image.defined()) return std::nullopt;
  found.cols = minor->minor.cols;
  // Transposed, the examples in their order: then pivots are greedy choices.
  const std::size_t T = order.size(), width = image.width();
  std::vector<double> columns(rank * T);
  for (std::size_t first = 0; first < T; first += kBlock) {
    const std::span<const std::size_t> block(order.data() + first, std::min(kBlock, T - first));
    std::vector<double> rows(block.size() * width);
    if (!image.rows(block, rows.data(), width)) return std::nullopt;
    for (std::size_t k = 0; k < block.size(); ++k)
      for (std::size_t i = 0; i < rank; ++i)
        columns[i * T + first + k] = rows[k * width + found.cols[i]];
  }
  const blas::ReducedEchelon echelon = blas::reduced_echelon(character.p, rank, T, columns.data(), T);
  const std::set<std::size_t> pivots(echelon.cols.begin(), echelon.cols.end());
  for (const std::size_t k : pivots) found.circuits.set.push_back(order[k]);
  std::ranges::sort(found.circuits.set);
  for (std::size_t k = 0, other = 0; k < T; ++k) {
    if (pivots.contains(k)) continue;
    std::vector<std::size_t>& others = found.circuits.conflicts[order[k]];
    for (std::size_t i = 0; i < rank; ++i)
      if (echelon.rest[i * (T - rank) + other] != 0) others.push_back(order[echelon.cols[i]]);
    std::ranges::sort(others);
    ++other;
  }
  return found;
}

// A factor may be 0 for these weights or under this character alone: the most that are not.
std::optional<Found> search(const Case& c, const std::vector<std::size_t>& order, std::size_t rank) {
  std::optional<Found> best;
  for (std::uint64_t seed = 1; seed <= kLayers; ++seed) {
    const std::vector<LetHead> heads = random_heads(c, seed);
    std::vector<HeadFactors> factors;
    for (const LetHead& head : heads) factors.push_back({head.key, head.query});
    const AttentionLayer layer(c, std::move(factors));
    std::optional<Found> found;
    for (std::size_t k = 0; k < kCharacters && !found; ++k)
      found = under(layer, small_character(layer.ring(), k), order, rank);
    if (!found) continue;
    found->heads = heads;
    const bool again = best && best->circuits.text() == found->circuits.text();
    if (!best || found->entries() > best->entries()) best = std::move(found);
    if (again) break;
  }
  return best;
}

// With the other examples that conflict with some of these alone.
std::vector<std::size_t> closed(const std::vector<std::size_t>& members, const Circuits& circuits) {
  std::vector<std::size_t> result = members;
  for (const auto& [t, others] : circuits.conflicts)
    if (std::ranges::includes(members, others)) result.push_back(t);
  std::ranges::sort(result);
  return result;
}

}  // namespace

std::string add_circuits(const Case& c, const Claim& claim, ProofScript& script) {
  const Bounds capacity = script.of("capacity");
  if (!capacity.decided()) return "which examples can be memorized is not asked before the capacity is known";
  const std::optional<Found> found =
      search(c, greedy_order(claim, c.layer->examples), capacity.upper.get_ui());
  if (!found) return "no weights that were tried show a set of examples as large as the capacity";
  const Circuits& circuits = found->circuits;
  std::set<std::vector<std::size_t>> spanning;
  for (const auto& [t, others] : circuits.conflicts)
    if (others.size() < circuits.set.size()) spanning.insert(others);
  std::size_t done = 0;
  for (const std::vector<std::size_t>& others : spanning) {
    report_progress("circuits", done++, spanning.size());
    const ProvedPart part(c, {std::nullopt, closed(others, circuits)},
                          [](const Case& its_case, ProofScript& inner) { bound_capacity(its_case, inner); });
    if (part.most() > others.size())
      return "that no more than " + std::to_string(others.size()) + " of the examples " +
             index_text(closed(others, circuits)) + " can be memorized was not proved";
    script.label("what these examples span");
    part.add(script, false);
  }
  const ProofScript::Number layer = script.label("random weights u v_h^T").let({{"heads", found->heads}});
  script.label("greedy choices, and what closes a circuit with them")
      .add("circuits", Fact::at_least("which(" + circuits.text() + ")", 1),
           {{"layer", layer}, {"p", found->character.p}, {"g", found->character.g}, {"cols", found->cols}});
  return "";
}

}  // namespace attest
