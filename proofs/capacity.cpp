// The capacity: the largest rank of Z over all weights of the shape (H, d, d_h), without biases. With a
// read-out it is the number of examples whose labels such a layer can be made to fit, whatever they are.
//
// From below by weights that are written down: those of the case, or random ones u v_h^T. All weights of rank
// one but those of a null set have the largest rank of all (docs/mathematics.md, The key dimension), so that
// integers of 62 bits hardly ever miss it.
// From above for all weights: the affine hull of the tokens, of all examples or of some, equal examples, what
// fewer heads can do, and relations
// sum_t y_t z_t(W) = 0 between the outputs of one head that hold for every W, hence for the rows of Z. Such
// a relation is an identity between powers b^<W, X>, X sums of the matrices E_{t,i} e_t^T; as functions of W
// these are independent. It is looked for at a single W (Kronecker's substitution), which sends different X
// to different numbers (docs/mathematics.md, Quantities about Z).
#include "proofs/capacity.hpp"

#include <algorithm>
#include <functional>

#include "attention/kernels.hpp"
#include "exact/modular.hpp"
#include "proofs/affine_hull_bound.hpp"
#include "proofs/circuits.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/quantities.hpp"
#include "proofs/rank.hpp"

namespace attest {
namespace {

// The random weights are below this bound.
constexpr std::uint64_t kWeights = std::uint64_t{1} << 62;
constexpr std::uint64_t kAttempts = 2;
// Relations are looked for among so many examples, in at most this dimension; and shown with so many terms,
// which is more work for the checker than for the prover.
constexpr std::size_t kRelationExamples = 300, kRelationDimension = 64;
constexpr double kRelationWork = 1e6;

// Weights with a rank that is hardly ever missed: only the best are written down.
class LowerBound {
public:
  LowerBound(const Case& c, ProofScript& script) : case_(c), script_(script) {}

  std::size_t rank() const { return best_.rows.size(); }
  /// Whether there is anything left to find.
  bool open() const { return rank() < upper_bound_of(script_, "capacity"); }

  void try_given() {
    if (case_.weights && script_.of("in_shape(given)").lower == 1)
      consider(AttentionLayer(case_, *case_.weights), [](ProofScript&) { return std::string("given"); });
  }
  void try_rank_one(std::uint64_t seed) {
    const std::vector<LetHead> heads = random_heads(case_, seed);
    std::vector<HeadFactors> factors;
    for (const LetHead& head : heads) factors.push_back({head.key, head.query});
    consider(AttentionLayer(case_, std::move(factors)), [heads](ProofScript& script) {
      return std::to_string(script.label("random weights u v_h^T").let({{"heads", heads}}));
    });
  }

  /// Adds the steps of the best layer.
  void write() const {
    if (best_.rows.empty()) return;
    const std::string name = define_(script_);
    script_.minor("rank(Z(" + name + "))", best_);
    derive(script_, "some-weights", name);
    derive(script_, "some-coefficients", name);
  }

private:
  void consider(const AttentionLayer& layer, std::function<std::string(ProofScript&)> define) {
    if (!open()) return;
    MinorWitness minor = largest_minor_of_z(layer, upper_bound_of(script_, "capacity"));
    if (minor.rows.size() <= best_.rows.size()) return;
    best_ = std::move(minor);
    define_ = std::move(define);
  }

  const Case& case_;
  ProofScript& script_;
  MinorWitness best_;
  std::function<std::string(ProofScript&)> define_;
};

// The largest absolute value of an entry over the common denominator of all.
mpz_class largest_numerator(const ExactArray& array) {
  mpz_class den = 1;
  for (std::size_t k = 0; k < array.size(); ++k)
    mpz_lcm(den.get_mpz_t(), den.get_mpz_t(), array.at(k).get_den_mpz_t());
  mpz_class largest = 0;
  for (std::size_t k = 0; k < array.size(); ++k) {
    const mpq_class scaled = array.at(k) * den;
    largest = std::max(largest, mpz_class(abs(scaled.get_num())));
  }
  return largest;
}

// Kronecker's weights: u_j = B^j, v_k = B^(dk). With B > 4 T A, A the largest numerator of an entry of a
// token times that of a query, <W, X> tells apart all sums X of at most T differences of the matrices
// E_{t,i} e_t^T with different tokens i of the same example.
HeadFactors kronecker_weights(const Case& c) {
  const std::size_t d = c.layer->embed_dim;
  const mpz_class base = 4 * mpz_class(static_cast<unsigned long>(c.layer->examples)) *
                             largest_numerator(*c.data.contexts) * largest_numerator(*c.data.queries) +
                         1;
  HeadFactors w{{{}}, {{}}};
  for (std::size_t j = 0; j < d; ++j) {
    mpz_class power;
    mpz_pow_ui(power.get_mpz_t(), base.get_mpz_t(), j);
    w.key[0].num.push_back(power);
    mpz_pow_ui(power.get_mpz_t(), base.get_mpz_t(), j * d);
    w.query[0].num.push_back(power);
  }
  return w;
}

// The relations with rational coefficients, as far as they are found and shown.
void add_relations(const Case& c, ProofScript& script) {
  if (c.layer->examples > kRelationExamples || c.layer->embed_dim > kRelationDimension) return;
  // As functions of real weights the powers of 2 are as independent as those of e.
  Case one_head = c;
  one_head.layer->heads = 1;
  one_head.layer->base = Base::e;
  const AttentionLayer layer(one_head, {kronecker_weights(c)});
  if (!SmallLayer::fits(layer)) return;
  // One point for each dimension that the rows may span.
  const auto kernel = SmallLayer(layer).rational_left_kernel({c.layer->examples + 2, kRelationWork});
  if (!kernel || c.layer->examples - kernel->vectors.size() >= upper_bound_of(script, "capacity")) return;
  std::vector<SparseRational> vectors;
  for (const SparseVector& vector : kernel->vectors) {
    vectors.emplace_back();
    for (const auto& [t, value] : vector) vectors.back().emplace_back(t, value.terms().begin()->second);
  }
  script.label("relations of the examples that hold for all weights")
      .zero("capacity", ProofScript::Side::left, vectors, c.layer->examples, prime_of_independence(vectors));
}

// Of the examples, those in a relation between the rows of Z for random coefficients, equal ones once: they
// span the least when further examples count one each (docs/mathematics.md, Parts of a problem).
std::vector<std::size_t> related_examples(const Case& c) {
  const std::size_t d = c.layer->embed_dim, H = c.layer->heads;
  const std::vector<std::size_t> examples = first_of_equal_examples(c);
  const std::uint64_t p = large_prime(0);
  const auto tokens = residues(*c.data.contexts, p);
  if (!tokens) return {};
  ModularMatrix z(examples.size(), H * d);
  SplitMix64 random(1, 0);
  for (std::size_t k = 0; k < examples.size(); ++k) {
    for (std::size_t h = 0; h < H; ++h) {
      std::uint64_t rest = 1;  // of the sum of the coefficients
      for (std::size_t i = c.tokens(examples[k]); i-- > 0;) {
        const std::uint64_t alpha = i == 0 ? rest : random.below(p);
        rest = (rest + p - alpha) % p;
        for (std::size_t j = 0; j < d; ++j) {
          std::uint64_t& entry = z(k, h * d + j);
          entry = (entry + multiply_mod(alpha, (*tokens)[c.token_row(examples[k], i) * d + j], p)) % p;
        }
      }
    }
  }
  const ModularMatrix kernel = left_kernel(z, p);
  std::vector<std::size_t> related;
  for (std::size_t k = 0; k < examples.size(); ++k)
    for (std::size_t i = 0; i < kernel.rows(); ++i)
      if (kernel(i, k) != 0) {
        related.push_back(examples[k]);
        break;
      }
  return related;
}

// Hulls of some of the examples, while the others count one each.
void add_subset_hulls(const Case& c, ProofScript& script) {
  if (c.layer->examples > kRelationExamples || c.layer->embed_dim > kRelationDimension) return;
  const Part part{std::nullopt, related_examples(c)};
  if (part.examples->empty()) return;
  const ProvedPart proved(c, part, [](const Case& its_case, ProofScript& inner) {
    AffineHull hull(its_case);
    add_bounds_for_all_weights(its_case, hull, inner);
  });
  if (proved.most() + proved.others() >= upper_bound_of(script, "capacity")) return;
  script.label("the hulls of these examples");
  const ProofScript::Number number = proved.add(script, false);
  script.theorem("part-and-others", {number}, "", {number});
}

// Heads have diminishing returns. `found`: the rank that the bound is to come down to.
void add_fewer_heads(const Case& c, ProofScript& script, std::size_t found) {
  const std::size_t H = c.layer->heads, known = upper_bound_of(script, "capacity");
  if (c.layer->examples > kRelationExamples) return;
  std::vector<ProvedPart> parts;  // of 1, 2, ... heads
  std::size_t best = known, most = 0, least = 0;
  for (std::size_t a = 1; a < H && best > found; ++a) {
    parts.emplace_back(c, Part{a, std::nullopt}, [](const Case& its_case, ProofScript& inner) {
      bound_capacity(its_case, inner, false);
    });
    for (std::size_t b = 0; b < a; ++b) {
      const std::size_t upper = parts[a - 1].most(), lower = b == 0 ? 0 : parts[b - 1].least(),
                        bound = upper + (H - a) * (upper - lower) / (a - b);
      if (bound < best) best = bound, most = a, least = b;
    }
  }
  if (best == known) return;
  const ProofScript::Number upper = parts[most - 1].add(script, false);
  if (least == 0) {
    script.theorem("concave-from-0", {upper}, "", {upper});
    return;
  }
  const ProofScript::Number lower = parts[least - 1].add(script, true);
  script.theorem("concave-heads", {upper, lower}, "", {upper, lower});
}

}  // namespace

std::vector<LetHead> random_heads(const Case& c, std::uint64_t seed) {
  SplitMix64 random(seed, 0);
  const auto direction = [&] {
    RationalVector v;
    for (std::size_t j = 0; j < c.layer->embed_dim; ++j)
      v.num.emplace_back(static_cast<unsigned long>(random.below(kWeights)));
    return v;
  };
  const RationalVector u = direction();
  std::vector<LetHead> heads;
  for (std::size_t h = 0; h < c.layer->heads; ++h) heads.push_back({{u}, {direction()}, {}});
  return heads;
}

void bound_capacity(const Case& c, ProofScript& script, bool with_fewer_heads) {
  AffineHull hull(c);
  add_bounds_for_all_weights(c, hull, script);
  LowerBound lower(c, script);
  lower.try_given();
  for (std::uint64_t seed = 1; seed <= kAttempts; ++seed) lower.try_rank_one(seed);
  if (lower.open()) add_relations(c, script);
  if (lower.open()) add_subset_hulls(c, script);
  if (lower.open() && with_fewer_heads) add_fewer_heads(c, script, lower.rank());
  lower.write();
}

static void prove_capacity(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  bound_capacity(c, proof.script, true);
  if (claim.has("which") && proof.script.of("capacity").decided()) {
    proof.reason = add_circuits(c, claim, proof.script);
    return;
  }
  const Bounds capacity = proof.script.of("capacity");
  proof.reason = "the bounds " + capacity.lower.get_str() + " <= capacity <= " + capacity.upper.get_str() +
                 " do not meet: no weights with a larger rank were found, and no reason why there are none";
}

const Registered registered{{"capacity", prove_capacity}};

}  // namespace attest
