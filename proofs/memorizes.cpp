// Do these weights memorize these labels: is there a linear read-out U with Z U = Y? Exactly when rank [Z Y]
// = rank(Z). Any labels are memorized when rank(Z) = T.
//
// Refuted by a minor of [Z Y] larger than rank(Z) can be. Verified when rank(Z) = T, and otherwise by vectors
// y with y Z = 0 and y Y = 0, as many as the rank of Z leaves: combinations of the rational left kernel of Z,
// or, where Z is too large for these, by the number of different examples with their labels.
#include <algorithm>
#include <numeric>

#include "attention/character_z.hpp"
#include "attention/kernels.hpp"
#include "base/progress.hpp"
#include "exact/echelon.hpp"
#include "exact/modular.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/rank.hpp"

namespace attest {
namespace {

constexpr std::size_t kCharacters = 4;  // that are tried for a minor larger than rank(Z)
constexpr std::size_t kBlock = 512;     // examples that are eliminated together

// A largest minor of [Z Y] under a character; empty when it is not defined.
std::optional<MinorWitness> minor_with_labels(const AttentionLayer& layer, const Character& character) {
  const LayerImage image(layer, character);
  if (!image.defined()) return std::nullopt;
  const ExactArray& labels = *layer.data().labels;
  const std::size_t T = layer.dims().examples, d_out = layer.dims().output_dim, z_width = image.width(),
                    width = z_width + d_out;
  const BalancedResidues mod_p(character.p);
  Echelon echelon(character.p, width);
  std::vector<double> block;
  std::vector<std::size_t> examples;
  for (std::size_t t = 0; t < T && echelon.rank() < width; t += examples.size()) {
    examples.resize(std::min(kBlock, T - t));
    std::iota(examples.begin(), examples.end(), t);
    block.resize(examples.size() * width);
    if (!image.rows(examples, block.data(), width)) return std::nullopt;
    for (std::size_t k = 0; k < examples.size(); ++k)
      if (!mod_p.convert(labels, (t + k) * d_out, d_out, &block[k * width + z_width])) return std::nullopt;
    echelon.add_rows(block.data(), examples, t + examples.size() == T);
    report_progress("rows of [Z Y]", t + examples.size(), T);
  }
  const MinorIndices minor = echelon.minor();
  return MinorWitness{character.p, character.g, minor.rows, minor.cols};
}

// The vectors of the rational left kernel of Z that annihilate the labels as well.
std::vector<SparseRational> common_kernel(const AttentionLayer& layer) {
  if (!SmallLayer::fits(layer)) return {};
  const auto kernel = SmallLayer(layer).rational_left_kernel();
  if (!kernel) return {};
  const std::size_t count = kernel->vectors.size(), T = layer.dims().examples,
                    d_out = layer.dims().output_dim;
  RationalMatrix y(count, T);
  for (std::size_t k = 0; k < count; ++k)
    for (const auto& [t, value] : kernel->vectors[k]) y(k, t) = value.terms().begin()->second;
  RationalMatrix labels(T, d_out);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t o = 0; o < d_out; ++o) labels(t, o) = layer.data().labels->at(t * d_out + o);
  std::vector<SparseRational> result;
  for (const std::vector<mpz_class>& combination : right_kernel(transposed(y * labels))) {
    SparseRational vector;
    for (std::size_t t = 0; t < T; ++t) {
      mpq_class sum = 0;
      for (std::size_t k = 0; k < count; ++k) sum += combination[k] * y(k, t);
      if (sum != 0) vector.emplace_back(t, sum);
    }
    result.push_back(std::move(vector));
  }
  return result;
}

}  // namespace

static void prove_memorizes(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  ProofScript& script = proof.script;
  const AttentionLayer layer(c, *c.weights);
  const std::string with_labels = "rank(Z|Y)";
  const std::size_t T = c.layer->examples;
  bound_rank_of_z(layer, effort, script);
  const Bounds rank = script.of("rank(Z(given))");
  derive(script, "labels-beside");
  const auto decide = [&] {
    const Bounds beside = script.of(with_labels), alone = script.of("rank(Z(given))");
    if (beside.lower > alone.upper) derive(script, "missed-labels");
    if (beside.upper <= alone.lower && c.layer->output_dim <= c.layer->value_dim)
      derive(script, "fitted-labels");
  };
  if (rank.lower == static_cast<unsigned long>(T)) return decide();  // rank [Z Y] <= T
  MinorWitness best;
  for (std::size_t k = 0, tried = 0; k < 8 * kCharacters && tried < kCharacters; ++k) {
    auto found = minor_with_labels(layer, small_character(layer.ring(), k));
    if (!found) continue;
    ++tried;
    if (found->rows.size() > best.rows.size()) best = std::move(*found);
    if (best.rows.size() > rank.upper) break;
  }
  if (best.rows.size() > rank.lower) script.minor(with_labels, best);
  if (best.rows.size() <= rank.lower) {
    const std::vector<SparseRational> vectors = common_kernel(layer);
    if (vectors.empty() &&
        upper_bound_of(script, "distinct(labelled-examples)") < upper_bound_of(script, with_labels))
      derive(script, "equal-labelled-rows");
    if (!vectors.empty() && T - vectors.size() < upper_bound_of(script, with_labels))
      script.zero(with_labels, ProofScript::Side::left, vectors, T, prime_of_independence(vectors));
  }
  decide();
  proof.reason =
      "neither a minor of [Z Y] that is larger than rank(Z) nor a proof that there is none was found";
}

const Registered registered{{"memorizes", prove_memorizes}};

}  // namespace attest
