// The rank of Z for given weights. From below a minor that does not vanish under a character; from above the
// affine hull of the tokens, then what is special about these weights, cheapest first: equal examples, equal
// and constant heads, kernel vectors in the group ring.
#include "proofs/rank.hpp"

#include <algorithm>
#include <set>

#include "base/errors.hpp"
#include "kernel/quantities/examples.hpp"
#include "proofs/affine_hull_bound.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/stack.hpp"
#include "search/character_z.hpp"
#include "search/kernels.hpp"

namespace attest {
namespace {

constexpr std::size_t kCharacters = 4;  // those tried before a gap between the bounds is taken to be real

bool is_rational(const SparseVector& vector) {
  return std::all_of(vector.begin(), vector.end(), [](const auto& entry) {
    return entry.second.size() == 1 && entry.second.begin()->first == 0;
  });
}

// The bound by kernel vectors of a matrix of this width, when it is of use; over Q when all of them are.
void add_kernel(const std::string& of, std::size_t width, const std::optional<KernelWitness>& kernel,
                ProofScript& script) {
  if (!kernel) return;
  const std::size_t size = kernel->left ? upper_bound_of(script, "T") : width;
  if (size - kernel->vectors.size() >= upper_bound_of(script, of)) return;
  const ProofScript::Side side = kernel->left ? ProofScript::Side::left : ProofScript::Side::right;
  std::vector<SparseRational> rational;
  std::vector<SparseRing> ring;
  for (const SparseVector& vector : kernel->vectors) {
    ring.emplace_back();
    for (const auto& [index, value] : vector) {
      ring.back().emplace_back(index, RingTerms());
      for (const auto& [exponent, coefficient] : value)
        ring.back().back().second.emplace_back(coefficient, exponent);
    }
    if (!is_rational(vector)) continue;
    rational.emplace_back();
    for (const auto& [index, value] : vector) rational.back().emplace_back(index, value.begin()->second);
  }
  const std::string matrix = of == kRank ? "Z" : "the matrix";
  script.label((kernel->left ? "relations of the rows of " : "relations of the columns of ") + matrix);
  if (rational.size() == ring.size())
    script.zero(of, side, rational, size, kernel->character.p);
  else
    script.zero(of, side, ring, size, kernel->character.p, {{"g", kernel->character.g}});
}

// From the left for a matrix that has columns beside its blocks.
void add_common_kernel(const AttentionLayer& layer, const std::string& of, const Blocks& blocks,
                       const KernelWitness& kernel, ProofScript& script) {
  const std::size_t count = kernel.vectors.size(), T = layer.dims().examples,
                    more = blocks.beside(layer.exact());
  RationalMatrix y(count, T), beside(T, more);
  for (std::size_t k = 0; k < count; ++k)
    for (const auto& [t, value] : kernel.vectors[k]) y(k, t) = value.begin()->second;
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t o = 0; o < more; ++o) beside(t, o) = blocks.beside(layer.exact(), t, o);
  std::vector<SparseRational> vectors;
  for (const std::vector<mpz_class>& combination : right_kernel(transposed(y * beside))) {
    SparseRational vector;
    for (std::size_t t = 0; t < T; ++t) {
      mpq_class sum = 0;
      for (std::size_t k = 0; k < count; ++k) sum += combination[k] * y(k, t);
      if (sum != 0) vector.emplace_back(t, sum);
    }
    vectors.push_back(std::move(vector));
  }
  if (!vectors.empty() && T - vectors.size() < upper_bound_of(script, of))
    script.zero(of, ProofScript::Side::left, vectors, T, prime_of_independence(vectors));
}

}  // namespace

MinorWitness largest_minor(const AttentionLayer& layer, std::size_t characters, std::size_t most,
                           const std::function<std::optional<MinorIndices>(const Character&)>& minor_under) {
  constexpr std::size_t kMost = 8 * kCharacters;  // looked at, because some are not defined
  MinorWitness best;
  for (std::size_t k = 0, tried = 0; k < kMost && tried < characters && best.rows.size() < most; ++k) {
    const Character character = small_character(layer.ring(), k);
    const auto minor = minor_under(character);
    if (!minor) continue;
    ++tried;
    if (minor->rank() > best.rows.size()) best = {character.p, character.g, minor->rows, minor->cols};
  }
  return best;
}

MinorWitness largest_minor_of_z(const AttentionLayer& layer, std::size_t most) {
  return largest_minor(layer, kCharacters, most, [&](const Character& character) {
    const auto found = rank_under(layer, character, most);
    return found ? std::optional(found->minor) : std::nullopt;
  });
}

// Mostly the rows of all different examples are independent in as many columns of the first heads, which a
// checker of what is stated here finds as soon as a search: with T = 4096 that takes two thirds of `rank`.
static MinorWitness likely_minor(const AttentionLayer& layer, std::size_t most, AffineHull& hull) {
  constexpr std::size_t kMany = 1024;
  const Dimensions& dims = layer.dims();
  if (most < kMany || hull.size(Span::affine) <= dims.embed_dim) return {};
  std::vector<std::size_t> rows = range(0, dims.examples);
  if (most < dims.examples) {
    if (layer.projected()) return {};
    const auto classes = kernel::classes_of_examples(layer.exact());
    std::set<kernel::ExampleClass> seen;
    std::erase_if(rows, [&](std::size_t t) { return !seen.insert(classes[t]).second; });
  }
  if (rows.size() != most) return {};
  const Character character = small_character(layer.ring(), 0);
  return {character.p, character.g, rows, range(0, most)};
}

MinorWitness add_minor_of_z(const AttentionLayer& layer, const std::string& name, AffineHull& hull,
                            ProofScript& script, FoundWeights* found) {
  const std::string rank = "rank(Z(" + name + "))";
  const std::size_t known =
      std::min(upper_bound_of(script, rank), upper_bound_of(script, "distinct(examples)"));
  const std::size_t most = hull.bound(known);
  MinorWitness minor = script.guesses() ? likely_minor(layer, most, hull) : MinorWitness();
  if (minor.rows.empty()) minor = largest_minor_of_z(layer, most);
  if (found != nullptr) found->given.emplace(most, minor);
  if (!minor.rows.empty()) script.minor(rank, minor);
  return minor;
}

void bound_rank_of_z(const AttentionLayer& layer, ProofScript& script, FoundWeights* found) {
  const Case& c = layer.problem();
  AffineHull hull(c);
  add_minor_of_z(layer, "given", hull, script, found);
  derive(script, "some-coefficients", "given");
  if (script.settled()) return;
  add_affine_hull(hull, script);
  derive(script, "any-coefficients", "given");
  derive(script, "equal-rows", "given");
  const auto open = [&] { return !script.of(kRank).decided(); };
  const std::string cones = c.layer->convex() ? "" : "-cones";
  if (open()) derive(script, "equal-heads" + cones, "given");
  if (open() && layer.exact().shared()) derive(script, "constant-heads" + cones, "given");
  add_kernel_of_blocks(layer, kRank, all_of_z(layer), script);
}

void add_kernel_of_blocks(const AttentionLayer& layer, const std::string& of, const Blocks& blocks,
                          ProofScript& script) {
  const auto open = [&] { return !script.of(of).decided() && !script.settled(); };
  if (!open() || !SmallLayer::fits(layer)) return;
  const SmallLayer small(layer, blocks);
  if (blocks.beside(layer.exact()) > 0) {
    if (const auto kernel = small.rational_left_kernel())
      add_common_kernel(layer, of, blocks, *kernel, script);
    return;
  }
  add_kernel(of, blocks.columns(), small.rational_right_kernel(), script);
  if (open()) add_kernel(of, blocks.columns(), small.rational_left_kernel(), script);
  if (open()) add_kernel(of, blocks.columns(), small.elimination(), script);
}

void add_minor_of_blocks(const AttentionLayer& layer, const std::string& of, const Blocks& blocks,
                         ProofScript& script, std::size_t enough) {
  const std::size_t most = upper_bound_of(script, of);
  const MinorWitness best =
      largest_minor(layer, kCharacters, std::min(most, enough),
                    [&](const Character& character) { return minor_under(layer, blocks, character, most); });
  if (script.of(of).lower < static_cast<unsigned long>(best.rows.size())) script.minor(of, best);
}

void bound_rank_with_ones(const AttentionLayer& layer, ProofScript& script) {
  const std::string of = "rank(Z|1)";
  bound_rank_of_z(layer, script);
  derive(script, "ones-beside");
  derive(script, "one-column");
  if (layer.dims().convex()) derive(script, "affine-hull-ones");
  derive(script, "equal-rows-ones");
  if (script.of(of).decided()) return;
  const Blocks blocks(of, layer.exact(), Claim());
  add_minor_of_blocks(layer, of, blocks, script);
  AffineHull hull(layer.problem());
  if (!script.of(of).decided() && layer.dims().convex() && hull.best() == Span::affine) {
    const AffineHull::TokenRank rank = hull.rank(Span::linear);
    script.minor("rank(tokens)", {rank.prime, 0, rank.minor.rows, rank.minor.cols});
    if (script.of("rank(tokens)").lower >= script.of("rank(affine-tokens)").upper)
      derive(script, "ones-within");
  }
  add_kernel_of_blocks(layer, of, blocks, script);
}

// The rank of one head.
static void bound_rank_of_head(const AttentionLayer& layer, const Claim& claim, ProofScript& script) {
  derive(script, "head-rows");
  const Blocks blocks("rank(head)", layer.exact(), claim);
  const std::size_t most = upper_bound_of(script, "rank(head)");
  // Mostly all rows or columns are independent, whatever the hull of the tokens is.
  const MinorWitness full = largest_minor(layer, 1, most, [&](const Character& character) {
    return minor_under(layer, blocks, character, most, true);
  });
  if (full.rows.size() == most) {
    script.minor("rank(head)", full);
    return;
  }
  AffineHull hull(layer.problem());
  add_rank_of_tokens(hull, script);
  derive(script, "head-hull");
  add_minor_of_blocks(layer, "rank(head)", blocks, script);
  add_kernel_of_blocks(layer, "rank(head)", blocks, script);
}

static void explain_gap(const std::string& of, const std::string& what, ClaimProof& proof) {
  proof.reason =
      unmet_bounds(proof.script, of, what) + ", and no exact reason for a smaller upper bound was found";
}

void prove_rank(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_stack_rank(c, proof);
  const AttentionLayer layer(c, *c.weights);
  const bool head = claim.has("head");
  if (head)
    bound_rank_of_head(layer, claim, proof.script);
  else if (claim.has("bias"))
    bound_rank_with_ones(layer, proof.script);
  else
    bound_rank_of_z(layer, proof.script, weights_found(effort));
  if (head)
    explain_gap("rank(head)", "rank(Z_h)", proof);
  else if (claim.has("bias"))
    explain_gap("rank(Z|1)", "rank [Z 1]", proof);
  else
    explain_gap(kRank, "rank(Z)", proof);
}

void bound_rank_of_outputs(const AttentionLayer& layer, bool ones, ProofScript& script) {
  const std::string of = ones ? "rank(outputs|1)" : "rank(outputs)";
  const Blocks blocks(of, layer.exact(), Claim());
  const auto open = [&] { return !script.of(of).decided(); };
  if (ones) {
    bound_rank_of_outputs(layer, false, script);
    derive(script, "outputs-one-column");
  } else {
    derive(script, "equal-output-rows");
  }
  add_minor_of_blocks(layer, of, blocks, script);
  const bool biased = ones || script.of("nonzero(value-bias)").upper > 0;
  if (open() && (!biased || layer.dims().convex())) {
    if (biased)
      bound_rank_with_ones(layer, script);
    else
      bound_rank_of_z(layer, script);
    derive(script, ones ? "outputs-and-ones" : biased ? "outputs-with-biases" : "outputs-of-means");
  }
  add_kernel_of_blocks(layer, of, blocks, script);
}

void prove_output_rank(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  ProofScript& script = proof.script;
  const AttentionLayer layer(c, *c.weights);
  if (!claim.has("head")) {
    bound_rank_of_outputs(layer, false, script);
    return explain_gap("rank(outputs)", "rank of the outputs", proof);
  }
  const std::string of = "rank(head-outputs)";
  const Blocks blocks(of, layer.exact(), claim);
  derive(script, "head-output-rows");
  add_minor_of_blocks(layer, of, blocks, script);
  if (!script.of(of).decided() && script.of("nonzero(value-bias)").upper == 0) {
    bound_rank_of_head(layer, claim, script);
    derive(script, "head-outputs-of-means");
  }
  add_kernel_of_blocks(layer, of, blocks, script);
  explain_gap(of, "rank of the head's outputs", proof);
}

}  // namespace attest
