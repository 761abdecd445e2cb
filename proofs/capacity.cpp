// The capacity: the largest rank of Z over all weights of the shape (H, d, d_h), without biases. With a
// read-out it is the number of examples whose labels such a layer can be made to fit, whatever they are.
//
// From below by the weights of the case; by tokens at which heads point, where queries are not parallel
// (docs/mathematics.md, Theorem 5); or by random weights u v_h^T. All weights of rank one but those of a null
// set have the largest rank of all (The key dimension), so that integers of 62 bits hardly ever miss it.
// From above for all weights: the affine hull of the tokens, of all examples or of some, also where those
// whose query is 0 count by their means, equal examples, what fewer heads can do, and relations between the
// rows of Z.
#include "proofs/capacity.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "kernel/quantities/examples.hpp"
#include "problem/generate.hpp"
#include "proofs/affine_hull_bound.hpp"
#include "proofs/circuits.hpp"
#include "proofs/kruskal_rank.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/rank.hpp"
#include "proofs/relations.hpp"
#include "proofs/stack.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/pointing.hpp"

namespace attest {
namespace {

// The random weights are below this bound.
constexpr std::uint64_t kWeights = std::uint64_t{1} << 62;
constexpr std::uint64_t kAttempts = 2;
constexpr std::size_t kFewerHeads = 6;
constexpr std::uint64_t kPointings = 8;
constexpr double kPointingEntries = 1 << 22;  // of all S: of larger ones random weights show a minor sooner
constexpr double kSubsetWork = 4e9;           // of an elimination of Z
// From here on a minor of blocks is looked for first: T = 4096, n = 64, d = 768, H = 12 takes 1.0 s to be
// proved and 1.1 to be checked, with weights 2.6 and 5.4.
constexpr std::size_t kManyRows = 512;

bool query_is_zero(const Case& c, std::size_t t) {
  const std::size_t d = c.layer->embed_dim;
  for (std::size_t j = 0; j < d; ++j)
    if (c.data.queries->at(t * d + j) != 0) return false;
  return true;
}

CapacityWitness pointed(const std::optional<Pointing>& found) {
  if (!found) return {};
  return {
      {found->p, 0, found->rows, found->cols}, [found](ProofScript& script) {
        script.label("heads that point at tokens")
            .add("coefficients", Fact::at_least("capacity", found->rows.size()),
                 {{"p", found->p}, {"rows", found->rows}, {"cols", found->cols}, {"tokens", found->tokens}});
        derive(script, "coefficients-of-weights");
      }};
}

CapacityWitness with_weights(const MinorWitness& minor, std::function<std::string(ProofScript&)> define) {
  return {minor, [minor, define = std::move(define)](ProofScript& script) {
            const std::string name = define(script);
            script.minor("rank(Z(" + name + "))", minor);
            derive(script, "some-weights", name);
            derive(script, "some-coefficients", name);
          }};
}

// A rank that is hardly ever missed: only the best is written down.
class LowerBound {
public:
  /// `pointing`: heads that point at tokens will do in place of random weights.
  LowerBound(const Case& c, ProofScript& script, FoundWeights* found, bool pointing)
      : case_(c), script_(script), found_(found), pointing_(pointing) {}

  std::size_t rank() const { return best_.minor.rows.size(); }
  /// Whether there is anything left to find.
  bool open() const { return rank() < known(); }

  /// Whether the weights of the case reach all examples, which nothing bounds then, as another claim has
  /// found; or, in a case without weights, heads that point at tokens do.
  bool reaches_all(AffineHull& hull) {
    const std::size_t T = case_.layer->examples;
    if (found_ != nullptr && found_->of_layers.contains(key(pointing_))) return false;
    if (case_.weights && found_ != nullptr && found_->given && found_->given->second.rows.size() == T) {
      try_given();
    } else if (!case_.weights && case_.layer->convex() && T >= kManyRows && hull.bound(T) == T) {
      of_all_ = pointed(pointing_heads(case_, T));
      consider(*of_all_);
    }
    if (rank() < T) return false;
    keep(!pointing_);
    keep(pointing_);
    return true;
  }

  void search() {
    if (found_ != nullptr && found_->of_layers.contains(key(pointing_))) {
      best_ = found_->of_layers.at(key(pointing_));
      return;
    }
    try_given();
    const bool convex = case_.layer->convex();
    if (convex && open() && known() >= kManyRows)
      consider(of_all_ && known() == case_.layer->examples ? *of_all_
                                                           : pointed(pointing_heads(case_, known())));
    if (!open()) keep(!pointing_);
    const double entries = static_cast<double>(case_.layer->examples) *
                           static_cast<double>(case_.layer->heads * case_.layer->embed_dim);
    for (std::uint64_t seed = 1; convex && pointing_ && open() && seed <= kPointings &&
                                 static_cast<double>(seed) * entries <= kPointingEntries;
         ++seed)
      consider(pointed(randomly_pointing_heads(case_, seed)));
    for (std::uint64_t seed = 1; seed <= kAttempts && open(); ++seed) try_rank_one(seed);
    if (!open()) keep(pointing_);
  }

  /// Adds the steps of the best.
  void write() const {
    if (rank() > 0) best_.write(script_);
  }

private:
  std::size_t known() const {
    return std::min(upper_bound_of(script_, "capacity"), upper_bound_of(script_, "rank(Z(any))"));
  }
  std::tuple<std::size_t, bool, bool> key(bool pointing) const {
    return {case_.layer->heads, case_.weights.has_value(), pointing};
  }
  void keep(bool pointing) const {
    if (found_ != nullptr) found_->of_layers.emplace(key(pointing), best_);
  }
  void try_given() {
    if (!case_.weights || script_.of("in_shape(given)").lower != 1) return;
    const bool same = found_ != nullptr && found_->given && found_->given->first == known();
    consider(with_weights(
        same ? found_->given->second : largest_minor_of_z(AttentionLayer(case_, *case_.weights), known()),
        [](ProofScript&) { return std::string("given"); }));
  }
  void try_rank_one(std::uint64_t seed) {
    const std::vector<LetHead> heads = random_heads(case_, seed);
    consider(with_weights(
        largest_minor_of_z(AttentionLayer(case_, factors_of(heads)), known()), [heads](ProofScript& script) {
          return std::to_string(script.label("random weights u v_h^T").let({{"heads", heads}}));
        }));
  }
  void consider(CapacityWitness witness) {
    if (witness.minor.rows.size() > rank()) best_ = std::move(witness);
  }

  const Case& case_;
  ProofScript& script_;
  FoundWeights* const found_;
  const bool pointing_;
  CapacityWitness best_;
  std::optional<CapacityWitness> of_all_;  ///< that was looked for first
};

// Functionals that vanish on all of these vectors, independent ones.
std::vector<std::vector<mpz_class>> vanishing_on(const std::vector<std::vector<mpq_class>>& vectors,
                                                 std::size_t d) {
  const std::uint64_t p = large_prime(0);
  IndependentVectors independent(p);
  std::vector<std::size_t> basis;
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    std::vector<std::uint64_t> image;
    for (const mpq_class& x : vectors[k]) image.push_back(residue(x, p).value_or(0));
    if (independent.add(std::move(image))) basis.push_back(k);
  }
  RationalMatrix rows(std::max<std::size_t>(basis.size(), 1), d);  // a row of zeros when there is no other
  for (std::size_t k = 0; k < basis.size(); ++k)
    for (std::size_t j = 0; j < d; ++j) rows(k, j) = vectors[basis[k]][j];
  return right_kernel(rows);
}

// The hulls of the tokens, where the mean counts for those of examples whose query is 0: vectors x with Z x =
// 0 for all weights, as each x_h is constant on the tokens of the others, and their sum vanishes. With sinks
// the mean counts for examples with `n` tokens.
std::vector<SparseRational> hulls_of_moving(const Case& c, std::size_t n) {
  const std::size_t d = c.layer->embed_dim, H = c.layer->heads;
  const auto tokens_of = [&](std::size_t t) {
    std::vector<std::vector<mpq_class>> tokens(c.tokens(t), std::vector<mpq_class>(d));
    for (std::size_t i = 0; i < tokens.size(); ++i)
      for (std::size_t j = 0; j < d; ++j) tokens[i][j] = c.data.contexts->at(c.token_row(t, i) * d + j);
    return tokens;
  };
  const auto add = [&](std::vector<mpq_class>& x, const std::vector<mpq_class>& y, int factor) {
    for (std::size_t j = 0; j < d; ++j) x[j] += factor * y[j];
  };
  std::vector<std::vector<mpq_class>> constant, points;  // each x_h is 0 on the first, their sum on all
  for (std::size_t t = 0; t < c.layer->examples; ++t) {
    std::vector<std::vector<mpq_class>> tokens = tokens_of(t);
    if (query_is_zero(c, t)) {
      const bool own = c.layer->sink && tokens.size() != n;
      for (std::size_t i = 1; i < tokens.size(); ++i) add(tokens[0], tokens[i], 1);
      (own ? constant : points).push_back(tokens[0]);
      continue;
    }
    if (c.layer->convex()) points.push_back(tokens[0]);
    for (std::size_t i = c.layer->convex() ? 1 : 0; i < tokens.size(); ++i) {
      if (c.layer->convex()) add(tokens[i], tokens[0], -1);
      constant.push_back(std::move(tokens[i]));
    }
  }
  std::vector<SparseRational> vectors;
  for (const SparseRational& x : sparse(vanishing_on(constant, d)))
    for (std::size_t h = 0; h + 1 < H; ++h) {
      SparseRational& vector = vectors.emplace_back();
      for (const auto& [j, value] : x) vector.emplace_back(h * d + j, value);
      for (const auto& [j, value] : x) vector.emplace_back((H - 1) * d + j, -value);
    }
  constant.insert(constant.end(), points.begin(), points.end());
  for (const SparseRational& x : sparse(vanishing_on(constant, d))) {
    vectors.emplace_back();
    for (const auto& [j, value] : x) vectors.back().emplace_back((H - 1) * d + j, value);
  }
  return vectors;
}

void add_hulls_of_moving(const Case& c, ProofScript& script) {
  if (!c.data.queries || !small_enough_for_relations(c)) return;
  std::set<std::size_t> numbers;  // of tokens, where a query is 0
  for (std::size_t t = 0; t < c.layer->examples; ++t)
    if (query_is_zero(c, t) && (c.tokens(t) > 1 || !c.layer->convex())) numbers.insert(c.tokens(t));
  std::vector<SparseRational> vectors;  // none of the others: these are the hulls of the tokens
  for (const std::size_t n : numbers) {
    std::vector<SparseRational> found = hulls_of_moving(c, n);
    if (found.size() > vectors.size()) vectors = std::move(found);
    if (!c.layer->sink) break;
  }
  const std::size_t d = c.layer->embed_dim, H = c.layer->heads;
  if (vectors.empty() || H * d - vectors.size() >= upper_bound_of(script, "capacity")) return;
  script.label("functionals that are constant on the tokens of examples whose query is not 0")
      .zero("capacity", ProofScript::Side::right, vectors, H * d, prime_of_independence(vectors));
}

// Of the examples, those in a relation between the rows of Z for random coefficients, equal ones once: they
// span the least when further examples count one each (docs/mathematics.md, Parts of a problem).
std::vector<std::size_t> related_examples(const Case& c) {
  const std::size_t d = c.layer->embed_dim, H = c.layer->heads;
  std::set<kernel::ExampleClass> seen;
  std::vector<std::size_t> examples;
  const auto classes = kernel::classes_of_examples(kernel::Problem(c));
  for (std::size_t t = 0; t < classes.size(); ++t)
    if (seen.insert(classes[t]).second) examples.push_back(t);
  const std::uint64_t p = large_prime(0);
  const auto tokens = residues(*c.data.contexts, p);
  if (!tokens) return {};
  ModularMatrix z(examples.size(), H * d);
  SplitMix64 random(1, 0);
  std::vector<std::uint64_t> sinks;
  for (std::size_t h = 0; h < H; ++h) sinks.push_back(c.layer->sink ? random.below(p) : 0);
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const std::size_t t = examples[k], n = c.tokens(t);
    const bool still = query_is_zero(c, t);
    for (std::size_t h = 0; h < H; ++h) {
      std::uint64_t rest = 1;  // of the sum of the coefficients
      for (std::size_t i = n; i-- > 0;) {
        const std::uint64_t alpha = still                         ? inverse_mod((n + sinks[h]) % p, p)
                                    : i == 0 && c.layer->convex() ? rest
                                                                  : random.below(p);
        rest = (rest + p - alpha) % p;
        for (std::size_t j = 0; j < d; ++j) {
          std::uint64_t& entry = z(k, h * d + j);
          entry = (entry + multiply_mod(alpha, (*tokens)[c.token_row(t, i) * d + j], p)) % p;
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
  const double T = static_cast<double>(c.layer->examples);
  if (T * T * static_cast<double>(c.layer->heads * c.layer->embed_dim) > kSubsetWork) return;
  const Part part{std::nullopt, related_examples(c)};
  if (part.examples->empty()) return;
  const ProvedPart proved(c, part, [](const Case& its_case, ProofScript& inner) {
    AffineHull hull(its_case);
    add_bounds_for_all_weights(its_case, hull, inner);
    add_hulls_of_moving(its_case, inner);
  });
  if (proved.most() + proved.others() >= upper_bound_of(script, "capacity")) return;
  script.label("the hulls of these examples");
  const ProofScript::Number number = proved.add(script, false);
  script.theorem("part-and-others", {number}, "", {number});
}

// Heads have diminishing returns. `found`: the rank that the bound is to come down to.
void add_fewer_heads(const Case& c, AffineHull& hull, ProofScript& script, std::size_t found) {
  const std::size_t H = c.layer->heads, d = c.layer->embed_dim, known = upper_bound_of(script, "capacity");
  if (!small_enough_for_relations(c)) return;
  const auto functionals = sparse(kernel_of_differences(c, d));  // constant on the tokens of each context
  const AffineHull::TokenRank tokens = hull.rank(Span::linear);
  const std::size_t constants = c.layer->convex() ? tokens.minor.rank() - (d - functionals.size()) : 0;
  std::optional<ProvedPart> part;  // that gives the bound
  std::size_t best = known;
  for (std::size_t a = 1; a < H && a <= kFewerHeads && best > found; ++a) {
    ProvedPart of_heads(c, Part{a, std::nullopt}, [](const Case& its_case, ProofScript& inner) {
      bound_capacity(its_case, inner, false);
    });
    const std::size_t upper = of_heads.most(), bound = upper + (H - a) * (upper - constants) / a;
    if (bound < best) best = bound, part.emplace(std::move(of_heads));
  }
  if (!part) return;
  const ProofScript::Number upper = part->add(script, false);
  if (constants == 0) {
    script.theorem("concave-from-0", {upper}, "", {upper});
  } else {
    const ProofScript::Number spanned =
        script.minor("rank(tokens)", {tokens.prime, 0, tokens.minor.rows, tokens.minor.cols});
    const ProofScript::Number differences = script.zero("rank(differences)", ProofScript::Side::right,
                                                        functionals, d, prime_of_independence(functionals));
    script.theorem("concave-from-constants", {upper, spanned, differences}, "", {upper});
  }
}

}  // namespace

FoundWeights* weights_found(const Effort& effort) {
  return effort.searches ? &effort.searches->weights : nullptr;
}

HeadFactors head_factors(const LetHead& head) {
  HeadFactors factors{head.key, head.query, head.sink.value_or(0)};
  if (const auto& separator = head.separator) {
    factors.key.push_back(separator->u);
    RationalVector scaled = separator->v;
    for (mpz_class& x : scaled.num) x *= separator->lambda.get_num();
    scaled.den *= separator->lambda.get_den();
    factors.query.push_back(std::move(scaled));
  }
  return factors;
}

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
  for (std::size_t h = 0; h < c.layer->heads; ++h) {
    heads.push_back({{u}, {direction()}, {}});
    if (!c.layer->sink) continue;  // not scaled: what b^s is beside an irrational scale is not known
    heads.back().sink = c.layer->logit_scale.irrational() ? 0 : static_cast<long>(random.below(1000));
  }
  return heads;
}

void bound_capacity(const Case& c, ProofScript& script, bool with_fewer_heads, FoundWeights* found) {
  AffineHull hull(c);
  LowerBound lower(c, script, found, true);
  if (!lower.reaches_all(hull)) add_bounds_for_all_weights(c, hull, script);
  const auto open = [&] { return lower.open() && !script.settled(); };
  if (open()) lower.search();
  if (open()) add_hulls_of_moving(c, script);
  lower.write();
  if (open()) add_rational_relations(c, "capacity", script);
  if (open()) add_subset_hulls(c, script);
  if (open() && with_fewer_heads) add_fewer_heads(c, hull, script, lower.rank());
  if (open()) add_generic_relations(c, script);
}

void add_weights_for_capacity(const Case& c, ProofScript& script, FoundWeights* found) {
  if (!c.data.queries) return;
  LowerBound lower(c, script, found, false);
  lower.search();
  lower.write();
}

void prove_capacity(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_stack_capacity(c, proof);
  bound_capacity(c, proof.script, true, weights_found(effort));
  if (claim.has("which") && proof.script.of("capacity").decided()) {
    proof.reason = add_circuits(c, claim, proof.script);
    return;
  }
  proof.reason = unmet_bounds(proof.script, "capacity", "capacity") +
                 ": no weights with a larger rank were found, and no reason why there are none";
}

}  // namespace attest
