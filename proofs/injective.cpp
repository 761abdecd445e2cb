// Do different examples have different outputs? Rows of Z that are different under a character are different:
// one character proves it for all pairs. Rows that are equal under it are equal when the examples are, or by
// an identity in the group ring.
#include <map>

#include "base/progress.hpp"
#include "proofs/capacity.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/stack.hpp"
#include "search/character_z.hpp"
#include "search/kernels.hpp"

namespace attest {
namespace {

constexpr std::size_t kInjectiveCharacters = 4;
constexpr std::size_t kManyEntries = std::size_t{1} << 20;  // of Z, for a look at one head first
constexpr double kWork = 1e6;  // terms that are multiplied out to show that two rows are equal

// The examples by their rows under a character, of all heads or of one: the classes of equal ones.
std::optional<std::vector<std::vector<std::size_t>>> classes(const AttentionLayer& layer,
                                                             const Character& character,
                                                             std::optional<std::size_t> head) {
  const LayerImage image(layer, character, head);
  if (!image.defined()) return std::nullopt;
  const std::size_t width = image.width();
  std::map<std::vector<double>, std::vector<std::size_t>> by_row;
  constexpr std::size_t kBlock = 256;
  for (std::size_t first = 0; first < layer.dims().examples; first += kBlock) {
    const std::vector<std::size_t> examples = range(first, std::min(layer.dims().examples, first + kBlock));
    std::vector<double> rows(examples.size() * width);
    if (!image.rows(examples, rows.data(), width)) return std::nullopt;
    report_progress("rows of Z", first + examples.size(), layer.dims().examples);
    for (std::size_t k = 0; k < examples.size(); ++k) {
      const auto row = rows.begin() + static_cast<std::ptrdiff_t>(k * width);
      by_row[std::vector<double>(row, row + static_cast<std::ptrdiff_t>(width))].push_back(examples[k]);
    }
  }
  std::vector<std::vector<std::size_t>> result;
  for (auto& [row, members] : by_row) result.push_back(std::move(members));
  return result;
}

}  // namespace

void prove_injective(const Case& c, const Claim&, const Effort&, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_stack_injective(c, proof);
  ProofScript& script = proof.script;
  const AttentionLayer layer(c, *c.weights);
  const std::string different = "distinct(Z)";
  const std::size_t T = c.layer->examples, d = c.layer->embed_dim, all = c.layer->heads * d;
  // Of large Z the first head mostly tells all examples apart.
  const bool large = T * all > kManyEntries;
  if (large && script.guesses() && script.of("distinct(examples)").upper == static_cast<unsigned long>(T)) {
    const Character character = small_character(layer.ring(), 0);
    script.minor(different, {character.p, character.g, range(0, T), range(0, d)});
    return;
  }
  std::vector<std::vector<std::size_t>> best;
  Character character{};
  std::size_t width = all;
  for (std::size_t k = 0, tried = 0;
       k < 8 * kInjectiveCharacters && tried < kInjectiveCharacters && best.size() < T; ++k) {
    const Character next = small_character(layer.ring(), k);
    for (std::size_t columns = tried == 0 && large ? d : all;; columns = all) {
      auto found = classes(layer, next, columns < all ? std::optional<std::size_t>(0) : std::nullopt);
      if (!found) break;
      if (found->size() > best.size()) {
        best = std::move(*found);
        character = next;
        width = columns;
      }
      if (columns == all) ++tried;
      if (columns == all || best.size() == T) break;
    }
  }
  if (!best.empty()) {
    MinorWitness witness{character.p, character.g, {}, range(0, width)};
    for (const std::vector<std::size_t>& members : best) witness.rows.push_back(members.front());
    std::sort(witness.rows.begin(), witness.rows.end());
    script.minor(different, witness);
  }
  derive(script, "equal-outputs");
  if (!script.of(different).decided() && SmallLayer::fits(layer)) {
    const SmallLayer small(layer);
    std::vector<SparseRational> vectors;
    for (const std::vector<std::size_t>& members : best)
      for (std::size_t k = 1; k < members.size(); ++k) {
        const SparseVector difference = {{members[0], {{0, 1}}}, {members[k], {{0, -1}}}};
        if (small.annihilated(difference, kWork)) vectors.push_back({{members[0], 1}, {members[k], -1}});
      }
    if (!vectors.empty())
      script.zero(different, ProofScript::Side::left, vectors, c.layer->examples,
                  prime_of_independence(vectors));
  }
  proof.reason =
      "some outputs are equal under every character that was tried, and no reason why they are equal was "
      "found";
}

void prove_injective_almost_surely(const Case& c, const Claim& claim, const Effort& effort,
                                   ClaimProof& proof) {
  ProofScript& script = proof.script;
  prove_injective(c, claim, effort, proof);
  if (script.of("in_shape(given)").lower == 1) derive(script, "almost-all-outputs");
  derive(script, "equal-inputs");
  if (c.stack.empty() && !script.of("generic_outputs").decided()) {
    add_weights_for_capacity(c, script, weights_found(effort));
    derive(script, "independent-outputs");
  }
  proof.reason =
      "neither the given weights nor independent rows of Z tell all examples apart that are different";
}

}  // namespace attest
