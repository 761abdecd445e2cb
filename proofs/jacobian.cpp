// The rank of the Jacobian of a layer's outputs with respect to keys, queries and read-out: for given
// weights, and the largest over all weights of the shape (the functional dimension). And labels that no
// weights fit, because the outputs of all weights are made of too few numbers.
//
// From below a minor under a character, of the given weights or of random ones. From above for all weights:
// a head's keys and queries move the outputs in as many directions as its weights K Q^T of rank d_h have on
// the exponents of the softmax, the read-out in d_out rank(Z) more; heads move outputs in few directions of
// R^d_out when there are few tokens; equal examples, and relations of the examples. For given weights the
// same with the rank of their Z (docs/mathematics.md, The Jacobian).
#include <algorithm>
#include <functional>

#include "problem/generate.hpp"
#include "proofs/affine_hull_bound.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/rank.hpp"
#include "proofs/relations.hpp"
#include "proofs/stack.hpp"
#include "search/arithmetic/echelon.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/residues.hpp"
#include "search/character_jacobian.hpp"
#include "search/character_z.hpp"
#include "search/jacobian_kernel.hpp"

namespace attest {
namespace {

const std::string kGivenRank = "rank(J(given))", kLargest = "functional_dimension";

// Entries of a matrix over Q that is gone through exactly, and of a J that several characters may look at.
constexpr std::size_t kExactEntries = 2'000'000, kSeveralEntries = 4'000'000;
constexpr std::size_t kExactWidth = 600, kJacobianCharacters = 4, kBlock = 512;
constexpr std::uint64_t kWeightBounds[] = {9, 1000000};
constexpr std::uint64_t kSeed = 1;

// The weights of `let random`, integers of absolute value at most `bound`: keys, queries and read-out.
Weights random_weights(const Dimensions& dims, std::uint64_t bound, std::uint64_t seed) {
  const DrawnIntegers generator{.seed = seed, .bound = bound};
  const std::vector<std::size_t> shape{dims.heads, dims.embed_dim, dims.head_dim};
  Weights weights;
  weights.key = generator.draw(shape, stream::key);
  weights.query = generator.draw(shape, stream::query);
  weights.readout = generator.draw({dims.heads * dims.embed_dim, dims.output_dim}, stream::readout);
  return weights;
}

// A matrix over Q by its rows.
struct RationalRows {
  std::size_t count, width;
  std::function<std::vector<mpq_class>(std::size_t)> row;

  bool small() const { return width <= kExactWidth && count <= kExactEntries / width; }
};

RationalRows queries_of(const Case& c) {
  const std::size_t d = c.layer->embed_dim;
  return {c.layer->examples, d,
          [&c, d](std::size_t t) { return entries(RationalVector(*c.data.queries, t * d, d)); }};
}

// The rows E_{t,i} - E_{t,0} (times e_t^T with `queries`), t over the examples or the different contexts.
RationalRows differences_of(const Case& c, bool queries) {
  const std::size_t d = c.layer->embed_dim;
  const std::vector<std::size_t> first =
      queries ? std::vector<std::size_t>() : kernel::Problem(c).equal_contexts();
  std::vector<std::pair<std::size_t, std::size_t>> tokens;
  for (std::size_t t = 0; t < c.layer->examples; ++t)
    for (std::size_t i = 0; (queries || first[t] == t) && i < c.tokens(t); ++i) tokens.emplace_back(t, i);
  const std::size_t count = tokens.size();
  return {count, queries ? d * d : d, [&c, d, queries, tokens = std::move(tokens)](std::size_t k) {
            const auto [t, i] = tokens[k];
            std::vector<mpq_class> result;
            for (std::size_t j = 0; j < d; ++j) {
              const mpq_class x = c.data.contexts->at(c.token_row(t, i) * d + j) -
                                  c.data.contexts->at(c.token_row(t, 0) * d + j);
              for (std::size_t l = 0; queries && l < d; ++l)
                result.push_back(x * c.data.queries->at(t * d + l));
              if (!queries) result.push_back(x);
            }
            return result;
          }};
}

// Bounds rank(`of`) of small matrices from above, where it is less than what is known, and also from below.
void add_rank_of(const std::string& of, const RationalRows& rows, bool below, ProofScript& script) {
  if (!rows.small() || (!below && upper_bound_of(script, of) == 0)) return;
  for (std::size_t k = 0;; ++k) {
    const std::uint64_t p = small_prime(k);
    Echelon echelon(p, rows.width);
    std::vector<double> block;
    std::vector<std::size_t> names;
    bool defined = true;
    const BalancedResidues mod_p(p);
    for (std::size_t first = 0; first < rows.count && defined && echelon.rank() < rows.width;
         first += names.size()) {
      names = range(first, std::min(rows.count, first + kBlock));
      block.resize(names.size() * rows.width);
      for (std::size_t i = 0; i < names.size() && defined; ++i)
        defined = mod_p.convert(rows.row(first + i).data(), rows.width, &block[i * rows.width]);
      if (defined) echelon.add_rows(block.data(), names);
    }
    if (!defined) continue;
    const MinorIndices minor = echelon.minor();
    if (minor.rank() < upper_bound_of(script, of)) {
      RationalMatrix basis(minor.rank(), rows.width);
      for (std::size_t i = 0; i < minor.rank(); ++i) {
        const std::vector<mpq_class> row = rows.row(minor.rows[i]);
        std::copy(row.begin(), row.end(), basis.row(i));
      }
      const std::vector<SparseRational> kernel = sparse(right_kernel(basis));
      const auto annihilated = [&](const SparseRational& x, std::size_t i) {
        const std::vector<mpq_class> row = rows.row(i);
        mpq_class sum = 0;
        for (const auto& [j, value] : x) sum += value * row[j];
        return sum == 0;
      };
      if (!std::ranges::all_of(range(0, rows.count), [&](std::size_t i) {
            return std::ranges::all_of(kernel, [&](const SparseRational& x) { return annihilated(x, i); });
          }))
        continue;  // the prime hides a row
      script.zero(of, ProofScript::Side::right, kernel, rows.width, prime_of_independence(kernel));
    }
    if (below && minor.rank() > 0) script.minor(of, {p, 0, minor.rows, minor.cols});
    return;
  }
}

// Bounds the ranks of differences, queries and exponents.
void add_exponents(const Case& c, bool below, ProofScript& script) {
  const std::size_t d = c.layer->embed_dim;
  if (below) {
    add_rank_of("rank(differences)", differences_of(c, false), true, script);
  } else if (upper_bound_of(script, "rank(differences)") == d) {
    const std::vector<SparseRational> vectors = sparse(kernel_of_differences(c, d));
    if (!vectors.empty()) {
      script.label("functionals that are constant on the tokens of each context");
      script.zero("rank(differences)", ProofScript::Side::right, vectors, d, prime_of_independence(vectors));
    }
  }
  add_rank_of("rank(queries)", queries_of(c), false, script);
  derive(script, "exponent-products");
  const RationalRows exponents = differences_of(c, true);
  if (below || !kernel::Problem(c).shared()) add_rank_of("rank(exponents)", exponents, below, script);
}

// The number of a step that proves the best bound of a quantity, on one side.
void use_best(const ProofScript& script, const std::string& quantity, Fact::Kind kind,
              std::vector<ProofScript::Number>& uses) {
  const Bounds best = script.of(quantity);
  for (ProofScript::Number k = 0; k < script.steps().size(); ++k) {
    const Fact& fact = script.fact(k);
    if (fact.quantity != quantity || fact.kind != kind) continue;
    if (fact.bound != (kind == Fact::Kind::at_least ? best.lower : best.upper)) continue;
    uses.push_back(k);
    return;
  }
}

// Bounds the functional dimension from above; `relations`: looks for relations of the examples as well.
void bound_functional_dimension(const Case& c, bool relations, ProofScript& script) {
  if (!relations) {
    AffineHull hull(c);
    add_bounds_for_all_weights(c, hull, script);
    add_exponents(c, false, script);
    derive(script, "exponent-count");
    derive(script, "different-examples");
  } else {
    add_rational_relations(c, "largest_rank", script);
  }
  derive(script, "related-outputs");
  // Heads move the outputs in at most H v of d_out directions.
  const mpz_class directions =
      script.of("rank(differences)").upper * static_cast<unsigned long>(c.layer->heads);
  if (directions >= static_cast<unsigned long>(c.layer->output_dim)) return;
  if (!script.of("rank(differences)").decided())
    add_rank_of("rank(differences)", differences_of(c, false), true, script);
  std::vector<ProofScript::Number> uses;
  use_best(script, "rank(differences)", Fact::Kind::at_least, uses);
  use_best(script, "rank(differences)", Fact::Kind::at_most, uses);
  use_best(script, "capacity", Fact::Kind::at_most, uses);
  use_best(script, "largest_rank", Fact::Kind::at_most, uses);
  std::vector<Fact> facts;
  for (const ProofScript::Number use : uses) facts.push_back(script.fact(use));
  const Theorem& schema = *find_theorem("moving-directions");
  if (apply_theorem(schema, facts, "", script.facts().knowledge()).bound < script.of(kLargest).upper)
    script.theorem(schema.name, uses);
}

// The largest minor of J that a few characters show; they stop at a rank of `most`.
MinorWitness largest_minor_of_j(const AttentionLayer& layer, std::size_t most) {
  const std::size_t entries = layer.dims().examples * layer.dims().output_dim * jacobian_width(layer);
  const std::size_t characters = entries > kSeveralEntries ? 1 : kJacobianCharacters;
  return largest_minor(layer, characters, most, [&](const Character& character) {
    return jacobian_rank_under(layer, character, most);
  });
}

// The bound by vectors that J annihilates, when it is of use.
void add_kernel_of_j(const AttentionLayer& layer, ProofScript& script) {
  const std::vector<std::vector<mpz_class>> kernel = rational_kernel_of_jacobian(layer);
  const std::size_t width = jacobian_width(layer);
  if (width - kernel.size() >= upper_bound_of(script, kGivenRank)) return;
  const std::vector<SparseRational> vectors = sparse(kernel);
  script.label("relations of the columns of J");
  script.zero(kGivenRank, ProofScript::Side::right, vectors, width, prime_of_independence(vectors));
}

}  // namespace

void prove_jacobian_rank(const Case& c, const Claim&, const Effort&, ClaimProof& proof) {
  ProofScript& script = proof.script;
  const AttentionLayer layer(c, *c.weights);
  if (script.of("in_shape(given)").lower == 1) {
    bound_functional_dimension(c, false, script);
    derive(script, "all-jacobians", "given");
  } else {
    add_exponents(c, false, script);
    derive(script, "equal-jacobian-rows", "given");
  }
  const MinorWitness minor = largest_minor_of_j(layer, upper_bound_of(script, kGivenRank));
  if (!minor.rows.empty()) script.minor(kGivenRank, minor);
  if (!script.of(kGivenRank).decided()) {  // what is special about these weights
    bound_rank_of_z(layer, script);
    derive(script, script.of("in_shape(given)").lower == 1 ? "tangents" : "biased-tangents", "given");
  }
  if (!script.of(kGivenRank).decided() && script.of("in_shape(given)").lower == 1) {
    bound_functional_dimension(c, true, script);
    derive(script, "all-jacobians", "given");
  }
  if (!script.of(kGivenRank).decided()) add_kernel_of_j(layer, script);
  if (script.of("in_shape(given)").lower == 1) derive(script, "some-jacobian", "given");
  proof.reason =
      unmet_bounds(script, kGivenRank, "rank(J)") + ": no exact reason for a smaller rank was found";
}

void prove_functional_dimension(const Case& c, const Claim&, const Effort&, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_stack_functional_dimension(c, proof);
  ProofScript& script = proof.script;
  bound_functional_dimension(c, false, script);
  MinorWitness best;
  std::function<std::string()> define;
  const auto consider = [&](const AttentionLayer& layer, std::function<std::string()> name) {
    if (best.rows.size() >= upper_bound_of(script, kLargest)) return;
    MinorWitness minor = largest_minor_of_j(layer, upper_bound_of(script, kLargest));
    if (minor.rows.size() <= best.rows.size()) return;
    best = std::move(minor);
    define = std::move(name);
  };
  if (c.weights && script.of("in_shape(given)").lower == 1) {
    const AttentionLayer given(c, *c.weights);
    if (has_jacobian(given)) consider(given, [] { return std::string("given"); });
  }
  for (const std::uint64_t bound : kWeightBounds) {
    consider(AttentionLayer(c, random_weights(*c.layer, bound, kSeed)), [&script, bound] {
      return std::to_string(
          script.label("random integers").let({{"random", {{"bound", bound}, {"seed", kSeed}}}}));
    });
    if (bound == kWeightBounds[0] && best.rows.size() < upper_bound_of(script, kLargest))
      bound_functional_dimension(c, true, script);
  }
  if (define) {
    const std::string name = define();
    script.minor("rank(J(" + name + "))", best);
    derive(script, "some-jacobian", name);
  }
  proof.reason = unmet_bounds(script, kLargest, "functional dimension") +
                 ": no weights with a larger rank were found, and no reason why there are none";
}

void prove_unfittable_labels(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  ProofScript& script = proof.script;
  const auto outputs = static_cast<unsigned long>(c.layer->examples) * c.layer->output_dim;
  add_exponents(c, true, script);
  AffineHull hull(c);
  const AffineHull::TokenRank tokens = hull.rank(Span::linear);
  if (tokens.minor.rank() > 0)
    script.minor("rank(tokens)", {tokens.prime, 0, tokens.minor.rows, tokens.minor.cols});
  add_rank_of_tokens(hull, script);
  const std::string most = "H*rank(exponents)+d_out*((H-1)*rank(differences)+rank(tokens))";
  if (evaluate(most, script.facts().knowledge()).upper < outputs)
    derive(script, claim.word("labels") + "-outputs");
  proof.reason = "how many numbers the outputs are made of is not known well enough";
}

}  // namespace attest
