// The capacity: the largest rank of Z over all weights of the shape (H, d, d_h), without biases. With a
// read-out it is the number of examples whose labels such a layer can be made to fit, whatever they are.
//
// From below by weights that are written down: those of the case, rank-one weights c_h u v^T (one direction
// for all heads), random integers, the paper's construction. All weights but those of a null set have the
// largest rank, so random ones are hardly ever beaten.
// From above for all weights: the affine hull of the tokens, equal examples, and relations
// sum_t y_t z_t(W) = 0 between the outputs of one head that hold for every W, hence for the rows of Z. Such
// a relation is an identity between powers b^<W, X>, X sums of the matrices E_{t,i} e_t^T; as functions of W
// these are independent. It is looked for at a single W (Kronecker's substitution), which sends different X
// to different numbers (docs/mathematics.md, Quantities about Z).
#include <algorithm>
#include <functional>

#include "attention/kernels.hpp"
#include "proofs/affine_hull_bound.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/proposition_1.hpp"
#include "proofs/provers.hpp"
#include "proofs/rank.hpp"
#include "proofs/tightness.hpp"

namespace attest {
namespace {

// The bounds of the random integers, one attempt each.
constexpr std::uint64_t kDirectionBounds[] = {2, 9, 1000};
constexpr std::uint64_t kWeightBounds[] = {9, 1000000};
constexpr std::uint64_t kSeed = 1;
// Relations are looked for among so many examples, in at most this dimension; and shown with so many terms,
// which is more work for the checker than for the prover.
constexpr std::size_t kRelationExamples = 300, kRelationDimension = 64;
constexpr double kRelationWork = 1e6;

// The layers that are compared; only the best one is written down.
class LowerBound {
public:
  LowerBound(const Case& c, ProofScript& script) : case_(c), script_(script) {}

  /// Whether there is anything left to find.
  bool open() const { return best_.rows.size() < upper_bound_of(script_, "capacity"); }

  void try_given() {
    if (case_.weights && script_.of("in_shape(given)").lower == 1)
      consider(AttentionLayer(case_, *case_.weights), [](ProofScript&) { return std::string("given"); });
  }
  void try_random(std::uint64_t bound) {
    consider(AttentionLayer(case_, random_weights(*case_.layer, bound, kSeed)), [bound](ProofScript& script) {
      return std::to_string(
          script.label("random integers").let({{"random", {{"bound", bound}, {"seed", kSeed}}}}));
    });
  }
  void try_rank_one(std::uint64_t bound) {
    SplitMix64 random(kSeed, bound);
    RationalVector u = direction(random, bound);
    const RationalVector v = direction(random, bound);
    std::vector<LetHead> heads;
    for (std::size_t h = 0; h < case_.layer->heads; ++h) {
      LetHead head{{u}, {v}, {}};
      for (mpz_class& x : head.key[0].num) x *= static_cast<unsigned long>(h + 1);
      if (case_.layer->sink)
        head.sink = mpq_class(static_cast<long>(random.below(2 * bound + 1)) - static_cast<long>(bound));
      heads.push_back(std::move(head));
    }
    std::vector<HeadFactors> factors;
    for (const LetHead& head : heads) factors.push_back({head.key, head.query, head.sink.value_or(0)});
    consider(AttentionLayer(case_, std::move(factors)), [heads](ProofScript& script) {
      return std::to_string(
          script.label("rank-one weights c u v^T, c = 1, 2, ..., H").let({{"heads", heads}}));
    });
  }
  void try_construction() {
    // It is for contexts of one length, and coefficients that sum to 1.
    if (case_.data.members || !case_.layer->convex()) return;
    const std::size_t target = paper_lower_bound(*case_.layer);
    if (best_.rows.size() >= target) return;
    if (const auto construction = construct(case_, target, head_rank(*case_.layer)))
      consider(AttentionLayer(case_, construction->factors()), [construction](ProofScript& script) {
        std::vector<LetHead> heads(construction->heads.begin(), construction->heads.end());
        return std::to_string(script.label("the weights of Proposition 1").let({{"heads", heads}}));
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

  RationalVector direction(SplitMix64& random, std::uint64_t bound) const {
    RationalVector v;
    for (std::size_t j = 0; j < case_.layer->embed_dim; ++j)
      v.num.push_back(mpz_class(static_cast<unsigned long>(random.below(2 * bound + 1))) -
                      mpz_class(static_cast<unsigned long>(bound)));
    return v;
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
// E_{t,i} e_t^T with different tokens i of the same example. With sigmoid coefficients there are as many as
// tokens; a sink's logit is a digit beyond all others.
HeadFactors kronecker_weights(const Case& c) {
  const std::size_t d = c.layer->embed_dim;
  std::size_t terms = c.layer->examples;
  for (std::size_t t = 0; c.layer->sigmoid && t < c.layer->examples; ++t) terms += c.tokens(t);
  const mpz_class base = 4 * mpz_class(static_cast<unsigned long>(terms)) *
                             largest_numerator(*c.data.contexts) * largest_numerator(*c.data.queries) +
                         1;
  HeadFactors w{{{}}, {{}}, 0};
  for (std::size_t j = 0; j < d; ++j) {
    mpz_class power;
    mpz_pow_ui(power.get_mpz_t(), base.get_mpz_t(), j);
    w.key[0].num.push_back(power);
    mpz_pow_ui(power.get_mpz_t(), base.get_mpz_t(), j * d);
    w.query[0].num.push_back(power);
  }
  mpz_class digit;
  mpz_pow_ui(digit.get_mpz_t(), base.get_mpz_t(), d * d);
  w.sink = digit;
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

}  // namespace

static void prove_capacity(const Case& c, const Claim&, const Effort&, ClaimProof& proof) {
  ProofScript& script = proof.script;
  AffineHull hull(c);
  add_bounds_for_all_weights(c, hull, script);
  LowerBound lower(c, script);
  lower.try_given();
  for (const std::uint64_t bound : kDirectionBounds) lower.try_rank_one(bound);
  lower.try_random(kWeightBounds[0]);
  if (lower.open()) add_relations(c, script);
  lower.try_random(kWeightBounds[1]);
  if (lower.open()) lower.try_construction();
  lower.write();
  const Bounds capacity = script.of("capacity");
  proof.reason = "the bounds " + capacity.lower.get_str() + " <= capacity <= " + capacity.upper.get_str() +
                 " do not meet: no weights with a larger rank were found, and no reason why there are none";
}

const Registered registered{{"capacity", prove_capacity}};

}  // namespace attest
