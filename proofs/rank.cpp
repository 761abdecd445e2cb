#include "proofs/rank.hpp"

#include <algorithm>

#include "attention/character_z.hpp"
#include "attention/kernels.hpp"
#include "attention/structure.hpp"

namespace attest {
namespace {

// Characters that are tried before a gap between the bounds is taken to be real.
constexpr std::size_t kCharacters = 4;

Json kernel_step(const KernelWitness& kernel, Ring ring, const std::string& layer_name, std::size_t bound) {
  Json step = {{"argument", kernel.left ? "left-kernel" : "right-kernel"},
               {"theorem", theorem_name(ring)},
               {"layer", layer_name}};
  step["vectors"] = Json::array();
  for (const SparseVector& v : kernel.vectors) {
    Json list = Json::array();
    for (const auto& [index, value] : v) {
      Json terms = Json::array();
      for (const auto& [exponent, coefficient] : value.terms())
        terms.push_back({to_json(coefficient), to_json(exponent)});
      list.push_back({index, terms});
    }
    step["vectors"].push_back({{"entries", list}});
  }
  step["p"] = kernel.character.p;
  step["g"] = kernel.character.g;
  step["bound"] = bound;
  return step;
}

Json structure_step(const HeadStructure& s, const std::string& layer_name, std::size_t bound) {
  Json step = {{"argument", "structure"}, {"theorem", "equal-and-constant-heads"}, {"layer", layer_name}};
  step["distinct"] = to_json(s.distinct);
  step["equal"] = Json::array();
  for (const auto& [g, h] : s.equal) step["equal"].push_back({g, h});
  step["constant"] = to_json(s.constant);
  step["bound"] = bound;
  return step;
}

}  // namespace

Json character_minor_step(const Case& c, const Claim& claim, const Effort& effort,
                          const std::string& layer_name, const Json& definition, Ring ring,
                          const Character& character, const MinorIndices& minor, const std::vector<double>& z,
                          std::size_t width) {
  Json step = {{"argument", "character-minor"},
               {"theorem", theorem_name(ring)},
               {"layer", layer_name},
               {"p", character.p},
               {"g", character.g},
               {"rows", to_json(minor.rows)},
               {"cols", to_json(minor.cols)}};
  const std::size_t r = minor.rank();
  if (r >= effort.solutions_from) {
    std::vector<double> a(r * r);
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t j = 0; j < r; ++j) a[i * r + j] = z[minor.rows[i] * width + minor.cols[j]];
    step["solutions"] =
        minor_solutions(c, claim, layer_name, definition, character.p, character.g, minor, std::move(a));
  }
  return step;
}

Interval rank_of_z(const Case& c, const Claim& claim, const Effort& effort, const AttentionLayer& layer,
                   const std::string& layer_name, const Json& definition, const AffineHull& hull,
                   Json& steps) {
  const Dimensions& dims = *c.layer;
  const std::size_t width = dims.heads * dims.embed_dim;
  Interval interval{0, affine_hull_bound(c, hull.bound(dims.heads))};

  // Lower bound: the best of a few characters.
  Json best_step;
  std::optional<CharacterData> screening;
  std::size_t evaluated = 0;
  for (std::size_t k = 0; k < 8 * kCharacters && evaluated < kCharacters && interval.lower < interval.upper;
       ++k) {
    const Character character = small_character(layer.ring(), k);
    // The upper bound is known, and elimination stops when it is reached.
    const auto found = rank_under(layer, character, interval.upper);
    if (!found) continue;
    ++evaluated;
    if (!screening) screening.emplace(c, character);
    if (found->rank() <= interval.lower) continue;
    interval.lower = found->rank();
    const MinorIndices& minor = found->minor;
    std::vector<double> z;  // only the solutions need it
    if (minor.rank() >= effort.solutions_from) z = *character_z(CharacterData(c, character), layer);
    best_step = character_minor_step(c, claim, effort, layer_name, definition, layer.ring(), character, minor,
                                     z, width);
  }
  if (!best_step.is_null()) steps.push_back(std::move(best_step));
  if (interval.lower == interval.upper || !screening) return interval;

  // Upper bounds from what is special about these weights, cheapest first.
  const HeadStructure structure = head_structure(layer, *screening);
  if (!structure.trivial()) {
    const std::size_t bound = structure.bound(hull.dimension, hull.linear, dims.embed_dim);
    if (bound < interval.upper) {
      steps.push_back(structure_step(structure, layer_name, bound));
      interval.upper = bound;
    }
  }
  if (interval.lower == interval.upper || !SmallLayer::fits(layer)) return interval;
  const SmallLayer small(layer);
  auto apply = [&](const std::optional<KernelWitness>& kernel) {
    if (!kernel) return;
    const std::size_t bound = (kernel->left ? dims.examples : width) - kernel->vectors.size();
    if (bound >= interval.upper) return;
    steps.push_back(kernel_step(*kernel, layer.ring(), layer_name, bound));
    interval.upper = bound;
  };
  apply(small.rational_right_kernel());
  if (interval.lower < interval.upper) apply(small.rational_left_kernel());
  if (interval.lower < interval.upper) apply(small.elimination());
  return interval;
}

bool examines_a_layer(const Json& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Json& step) { return step.contains("layer"); });
}

ClaimProof prove_rank(const Case& c, const Claim& claim, const Effort& effort) {
  ClaimProof proof;
  const std::size_t most = std::min(c.layer->examples, c.layer->heads * c.layer->embed_dim);
  const AttentionLayer layer(c, *c.weights);
  AffineHull hull = affine_hull_below(c, most);
  auto rank_by = [&] {
    proof.steps = {affine_hull_step(hull, c.layer->heads)};
    return rank_of_z(c, claim, effort, layer, "given", nullptr, hull, proof.steps);
  };
  Interval rank = rank_by();
  // Equal heads make the exact hull matter even where its bound for all weights says nothing.
  if (rank.lower < rank.upper && hull.bound(c.layer->heads) > most) {
    hull = cheapest_affine_hull(c);
    rank = rank_by();
  }
  proof.verdict = judge(rank, claim);
  proof.result["bounds"] = bounds(c, hull.bound(c.layer->heads));
  proof.result["rank"] = to_json(rank);
  if (proof.verdict == Verdict::undecided)
    proof.reason = "the bounds " + std::to_string(rank.lower) +
                   " <= rank(Z) <= " + std::to_string(rank.upper) +
                   " do not meet, and no exact reason for a smaller upper bound was found";
  return proof;
}

}  // namespace attest
