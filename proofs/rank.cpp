// The rank of Z for given weights. From below a minor that does not vanish under a character; from above the
// affine hull of the tokens, then what is special about these weights, cheapest first: equal examples, equal
// and constant heads, kernel vectors in the group ring.
#include "proofs/rank.hpp"

#include <algorithm>
#include <numeric>

#include "attention/character_z.hpp"
#include "attention/kernels.hpp"
#include "proofs/affine_hull_bound.hpp"
#include "proofs/deep.hpp"
#include "proofs/provers.hpp"

namespace attest {
namespace {

// Characters that are tried before a gap between the bounds is taken to be real.
constexpr std::size_t kCharacters = 4;

const std::string kRank = "rank(Z(given))";

bool is_rational(const SparseVector& vector) {
  return std::all_of(vector.begin(), vector.end(), [](const auto& entry) {
    const GroupRingElement::Terms& terms = entry.second.terms();
    return terms.size() == 1 && terms.begin()->first == 0;
  });
}

// The bound by kernel vectors, when it is of use; over Q when all of them are.
void add_kernel(const AttentionLayer& layer, const std::optional<KernelWitness>& kernel,
                ProofScript& script) {
  if (!kernel) return;
  const Dimensions& dims = layer.dims();
  const std::size_t size = kernel->left ? dims.examples : dims.heads * dims.embed_dim;
  if (size - kernel->vectors.size() >= upper_bound_of(script, kRank)) return;
  const ProofScript::Side side = kernel->left ? ProofScript::Side::left : ProofScript::Side::right;
  std::vector<SparseRational> rational;
  std::vector<SparseRing> ring;
  for (const SparseVector& vector : kernel->vectors) {
    ring.emplace_back();
    for (const auto& [index, value] : vector) {
      ring.back().emplace_back(index, RingTerms());
      for (const auto& [exponent, coefficient] : value.terms())
        ring.back().back().second.emplace_back(coefficient, exponent);
    }
    if (!is_rational(vector)) continue;
    rational.emplace_back();
    for (const auto& [index, value] : vector)
      rational.back().emplace_back(index, value.terms().begin()->second);
  }
  script.label(kernel->left ? "relations of the rows of Z" : "relations of the columns of Z");
  if (rational.size() == ring.size())
    script.zero(kRank, side, rational, size, kernel->character.p);
  else
    script.zero(kRank, side, ring, size, kernel->character.p, {{"g", kernel->character.g}});
}

}  // namespace

MinorWitness largest_minor_of_z(const AttentionLayer& layer, std::size_t most,
                                std::optional<std::span<const std::size_t>> among) {
  MinorWitness best;
  std::size_t evaluated = 0;
  for (std::size_t k = 0; k < 8 * kCharacters && evaluated < kCharacters && best.rows.size() < most; ++k) {
    const auto found = rank_under(layer, small_character(layer.ring(), k), most, among);
    if (!found) continue;
    ++evaluated;
    if (found->rank() > best.rows.size())
      best = {found->character.p, found->character.g, found->minor.rows, found->minor.cols};
  }
  return best;
}

std::vector<std::size_t> basis_of_rows(const Case& c, std::size_t first, std::size_t last) {
  const AttentionLayer layer(c, *c.weights);
  const std::size_t most =
      AffineHull(c).bound(std::min(c.layer->examples, c.layer->heads * c.layer->embed_dim));
  std::vector<std::size_t> block(last - first);
  std::iota(block.begin(), block.end(), first);
  for (std::size_t k = 0; k < 8 * kCharacters; ++k)
    if (const auto found = rank_under(layer, small_character(layer.ring(), k), most, block))
      return found->minor.rows;
  throw LimitError("no prime gives the rank of these rows");
}

MinorWitness add_minor_of_z(const AttentionLayer& layer, const std::string& name, AffineHull& hull,
                            ProofScript& script, std::optional<std::span<const std::size_t>> among) {
  const std::string rank = "rank(Z(" + name + "))";
  const std::size_t known =
      std::min(upper_bound_of(script, rank), upper_bound_of(script, "distinct(examples)"));
  MinorWitness minor = largest_minor_of_z(layer, hull.bound(known), among);
  if (!minor.rows.empty()) script.minor(rank, minor);
  return minor;
}

void bound_rank_of_z(const AttentionLayer& layer, const Effort& effort, ProofScript& script) {
  const Case& c = layer.problem();
  AffineHull hull(c);
  add_minor_of_z(layer, "given", hull, script, effort.rows_of_z);
  derive(script, "some-coefficients", "given");
  add_affine_hull(hull, script);
  derive(script, "any-coefficients", "given");
  derive(script, "equal-rows", "given");
  const auto open = [&] { return !script.of(kRank).decided(); };
  if (open()) derive(script, "equal-heads", "given");
  if (open() && distinct_contexts(c) == 1) derive(script, "constant-heads", "given");
  if (open() && SmallLayer::fits(layer)) {
    const SmallLayer small(layer);
    add_kernel(layer, small.rational_right_kernel(), script);
    if (open()) add_kernel(layer, small.rational_left_kernel(), script);
    if (open()) add_kernel(layer, small.elimination(), script);
  }
}

static void prove_rank(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  if (!c.before.empty()) return prove_deep_rank(c, proof);
  bound_rank_of_z(AttentionLayer(c, *c.weights), effort, proof.script);
  const Bounds rank = proof.script.of(kRank);
  proof.reason = "the bounds " + rank.lower.get_str() + " <= rank(Z) <= " + rank.upper.get_str() +
                 " do not meet, and no exact reason for a smaller upper bound was found";
}

const Registered registered{{"rank", prove_rank}};

}  // namespace attest
