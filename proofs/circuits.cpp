// The rows of Z for almost all weights are a matroid: greedy choices give a set of examples that is largest
// among those that can be memorized together, and heaviest among these; every other example closes one
// circuit with it. For weights that are written down, elimination under a character shows the chosen rows to
// be independent and which of them enter the others; that no more enter is a bound of the capacity of a part.
#include "proofs/circuits.hpp"

#include <algorithm>
#include <set>

#include "base/hints.hpp"
#include "base/progress.hpp"
#include "proofs/capacity.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/character_z.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kGreedyLayers = 3;  // random ones, each under the first characters that are defined
constexpr std::size_t kGreedyCharacters = 32;  // that are looked at
constexpr std::size_t kGreedyRows = 256;       // rows that are evaluated at a time

struct GreedyChoices {
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

// The greedy set and its circuits under a character, for a layer of this rank. Nothing when it has another
// one there.
std::optional<GreedyChoices> greedy_under(const AttentionLayer& layer, const Character& character,
                                          const std::vector<std::size_t>& order, std::size_t rank) {
  GreedyChoices found{{}, character, {}, {}};
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
  for (std::size_t first = 0; first < T; first += kGreedyRows) {
    const std::span<const std::size_t> block(order.data() + first, std::min(kGreedyRows, T - first));
    std::vector<double> rows(block.size() * width);
    if (!image.rows(block, rows.data(), width)) return std::nullopt;
    for (std::size_t k = 0; k < block.size(); ++k)
      for (std::size_t i = 0; i < rank; ++i) columns[i * T + first + k] = rows[k * width + found.cols[i]];
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
std::optional<GreedyChoices> greedy_choices(const Case& c, const std::vector<std::size_t>& order,
                                            std::size_t rank) {
  std::optional<GreedyChoices> best;
  for (std::uint64_t seed = 1; seed <= kGreedyLayers; ++seed) {
    const std::vector<LetHead> heads = random_heads(c, seed);
    const AttentionLayer layer(c, factors_of(heads));
    std::optional<GreedyChoices> found;
    for (std::size_t k = 0; k < kGreedyCharacters && !found; ++k)
      found = greedy_under(layer, small_character(layer.ring(), k), order, rank);
    if (!found) continue;
    found->heads = heads;
    const bool again = best && best->circuits.text() == found->circuits.text();
    if (!best || found->entries() > best->entries()) best = std::move(found);
    if (again) break;
  }
  return best;
}

}  // namespace

std::string add_circuits(const Case& c, const Claim& claim, ProofScript& script) {
  const std::optional<GreedyChoices> found =
      greedy_choices(c, greedy_order(claim, c.layer->examples), upper_bound_of(script, "capacity"));
  if (!found) return "no weights that were tried show a set of examples as large as the capacity";
  const Circuits& circuits = found->circuits;
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> by_conflicts;
  for (const auto& [t, others] : circuits.conflicts) by_conflicts[others].push_back(t);
  std::vector<ProofScript::Number> uses;
  // Whether these examples are shown to have the capacity of the first `size`, which are in the set.
  const auto spanned = [&](std::vector<std::size_t> examples, std::size_t size) {
    const ProvedPart part(
        c, {std::nullopt, std::move(examples)},
        [](const Case& its_case, ProofScript& inner) { bound_capacity(its_case, inner, true); });
    if (part.most() > size) return false;
    script.label("what these examples span");
    uses.push_back(part.add(script, false));
    return true;
  };
  std::size_t done = 0;
  for (const auto& [others, examples] : by_conflicts) {
    report_progress("circuits", done++, by_conflicts.size());
    const std::size_t size = others.size();
    if (size == circuits.set.size()) {  // the capacity of all examples
      const std::string most = Fact::at_most("capacity", size).text();
      for (ProofScript::Number k = 0; k < script.steps().size(); ++k)
        if (script.fact(k).text() == most) {
          uses.push_back(k);
          break;
        }
      continue;
    }
    std::vector<std::size_t> all = others;
    all.insert(all.end(), examples.begin(), examples.end());
    if (spanned(all, size)) continue;
    for (const std::size_t t : examples) {
      all.resize(size);
      all.push_back(t);
      if (!spanned(all, size))
        return "that example " + std::to_string(t) + " conflicts with no more than " + index_text(others) +
               " was not proved";
    }
  }
  const ProofScript::Number layer = script.label("random weights u v_h^T").let({{"heads", found->heads}});
  script.label("greedy choices, and what closes a circuit with them")
      .add("circuits", Fact::at_least("which(" + circuits.text() + ")", 1),
           {{"layer", layer},
            {"p", found->character.p},
            {"g", found->character.g},
            {"cols", found->cols},
            {"uses", uses}});
  return "";
}

}  // namespace attest
