// The oracle's view of a small case (truth.hpp): its numbers, its layers, and a judgement for each kind of
// quantity, in files of their own: of layers and their Z (layer_truth.cpp), of the case alone
// (case_truth.cpp), of what steps give (given_truth.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/oracle/linear.hpp"
#include "tests/oracle/truth.hpp"

namespace attest::test {

inline Answer answer(bool truth) {
  return truth ? Answer::yes : Answer::no;
}

struct Separator {
  Row u, v;
  Q lambda;
};

/// Logits E (W e + c), with the separator E u (v . e) lambda.
struct Head {
  Rows w;  ///< d x d
  Row c;
  std::optional<Separator> separator;
  Q sink = 0;  ///< its logit, in the unit of the others, if the layer has sinks
};

struct Layer {
  std::vector<Head> heads;
  bool scaled = true;      ///< the case's logit scale is a factor of the logits
  bool projected = false;  ///< the case's projected queries and keys
};

/// Logits [h][t][i] of a layer.
using AllLogits = std::vector<std::vector<Row>>;

/// Numbers of a step.
Q number(const Json& value);
Row vector_of(const Json& value);
std::vector<std::size_t> indices(const Json& value);

/// The generator of docs/case-files.md.
class Draws {
public:
  Draws(std::uint64_t seed, std::uint64_t stream) : state_(256 * seed + stream) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// Uniform on {-bound, ..., bound}.
  Q draw(std::uint64_t bound) {
    const std::uint64_t values = 2 * bound + 1, incomplete = (std::uint64_t{0} - values) % values;
    std::uint64_t x = next();
    while (incomplete != 0 && x >= std::uint64_t{0} - incomplete) x = next();
    return Q(integer(x % values) - integer(bound));
  }

private:
  std::uint64_t state_;
};

/// "Q >= 3" in its parts.
struct Bound {
  std::string quantity;
  bool at_least;
  mpz_class number;

  explicit Bound(const std::string& fact) {
    const std::size_t at = fact.rfind(' ');
    quantity = fact.substr(0, at - 3);
    at_least = fact.substr(at - 2, 2) == ">=";
    number = mpz_class(fact.substr(at + 1));
  }
  Answer of(const mpz_class& value) const { return answer(at_least ? value >= number : value <= number); }
};

/// Of a case with one claim, which outlives it.
struct Oracle {
  const Case& source;
  const Claim& claim;
  std::size_t T = 0, H = 0, n = 0, d = 0, d_h = 0, d_out = 0;
  std::vector<Rows> tokens;  ///< of each example
  Rows queries, labels;
  std::map<std::string, std::optional<mpz_class>> known;
  std::map<std::string, Answer> judged;

  explicit Oracle(const Case& c);
  static Rows matrix(const ExactArray& array, std::size_t rows, std::size_t cols, std::size_t first = 0);
  Rows argument(const std::string& key) const;

  // --- layers

  /// W = K Q^T and c = K b for K, Q of H x d x d_h entries.
  Layer factored(const std::function<Q(std::size_t)>& key, const std::function<Q(std::size_t)>& query,
                 const std::function<Q(std::size_t)>& bias) const;
  Layer given() const;
  /// The layer of step k.
  Layer built(const Json& steps, std::size_t k) const;
  Row logits(const Head& head, std::size_t t) const;
  Real log_of_base() const;
  /// The natural logarithm of b^(x s) for x = 1.
  Real unit(bool scaled) const;
  static std::vector<Real> softmax(const Row& logits, const Real& factor);
  /// Of the tokens: the softmax (with the sink's logit last, if there is one), or sigmoid ones.
  std::vector<Real> coefficients(const Row& logits, const Real& factor) const;
  /// Logits of sinks that the scale does not multiply, in the unit of those that it does.
  void add_sinks(Layer& layer, const std::function<Q(std::size_t)>& logit) const;
  AllLogits all_logits(const Layer& layer) const;
  RealMatrix z(const AllLogits& all, bool scaled) const;
  static RealMatrix minor(const RealMatrix& m, const std::vector<std::size_t>& rows,
                          const std::vector<std::size_t>& cols);
  /// How many bits the smallest coefficient is below the largest, at most.
  long spread(const AllLogits& all, bool scaled) const;
  /// Judges a bound on the rank of the matrix that `make` evaluates at the precision of the moment. `range`:
  /// bits between its large and small entries.
  static Answer judge_rank(const Bound& bound, long range, const std::function<RealMatrix()>& make);
  /// Of Z with columns beside it, of one head, of outputs.
  Answer judge_blocks(const Bound& bound) const;
  /// The number of largest coefficients above the claim's threshold; one that agrees with it to nearly all
  /// bits is taken to be equal, which is not above.
  Answer judge_saturated(const Bound& bound) const;
  /// The number of singular values above the claim's tolerance; one that agrees with it to nearly all bits is
  /// taken to be equal, which is not above.
  Answer judge_numerical_rank(const Bound& bound) const;
  /// The scores of all examples, through the layer one matrix after the other.
  RealMatrix scores(const RealMatrix& means) const;
  /// The number of examples that are right; scores that agree to nearly all bits are taken to be equal.
  Answer judge_accurate(const Bound& bound) const;
  /// The number of different rows of Z; rows that agree to nearly all bits are taken to be equal. A case
  /// without weights has upper bounds only, which hold for all of them: equal examples.
  Answer judge_different_rows(const Bound& bound) const;
  Answer judge_layer(const Bound& bound, const Layer& layer) const;
  /// What is derived: keys, queries (none: a matrix for each head), biases, and read-outs U_h.
  struct Trained {
    std::size_t size;  ///< of a key
    std::vector<Rows> key, query, readout;
    std::vector<Row> bias;
  };
  Trained given_training() const;
  Trained random_training(std::uint64_t bound, std::uint64_t seed) const;
  /// The derivatives of all outputs, by one parameter after the other: of the logits, then of the softmax.
  RealMatrix jacobian(const Trained& trained, bool scaled) const;
  template <class F>
  std::vector<std::vector<F>> jacobian_rows(const Trained& trained, const Rows& seen, std::size_t t,
                                            const std::vector<std::vector<F>>& coefficients,
                                            const F& factor) const;
  /// By example and head what a key is multiplied with: Q^T e + b, or e for combined weights.
  std::vector<Rows> seen_by(const Trained& trained) const;
  Row logits_of(std::size_t t, const Rows& key, const Row& query) const;
  Answer judge_jacobian(const Bound& bound, const Trained& trained) const;
  /// Random weights have the largest rank of all, but for a set of measure zero.
  /// With random contexts and queries where the case has none: of all data that it may be about these have
  /// the most outputs that differ.
  Oracle with_all_data() const;
  std::optional<mpz_class> functional_dimension() const;
  // What the judgements of Z come to.
  Answer singular_values(const Bound& bound, const RealMatrix& z, long bits) const;
  Answer right_examples(const Bound& bound, const RealMatrix& z, long bits) const;
  std::size_t different_rows(const RealMatrix& z, long bits) const;

  // --- a layer behind a stack (stack_truth.cpp)

  /// The vectors that enter the layer, by rows of `hidden`, those that nothing uses too, as far as they have
  /// tokens; at the precision of the moment.
  RealMatrix stack_rows(std::span<const StackLayer> layers) const;
  RealMatrix hidden() const;
  /// What comes out of layers that these enter.
  RealMatrix behind(std::span<const StackLayer> layers, RealMatrix rows) const;
  /// The stack with random weights of attention.
  std::vector<StackLayer> free_layers() const;
  /// By differences of the outputs at random weights of all layers of attention.
  std::optional<mpz_class> stack_functional_dimension() const;
  /// Coefficients of head h at example t. `scaled`: the case's scale is a factor of the logits.
  std::vector<Real> stack_coefficients(const Weights& w, const RealMatrix& rows, std::size_t h, std::size_t t,
                                       bool scaled = true) const;
  /// With the given weights, those of a step, random coefficients in place of the softmax, random weights of
  /// the last layer, or of all.
  enum class Choice { given, built, coefficients, last_weights, all_weights };
  RealMatrix stack_z(Choice choice, const Layer& layer = {}) const;
  /// Of the vectors that enter, each with the mean of its example's tokens if `mixed`.
  Answer judge_stack_contexts(const Bound& bound, bool mixed) const;
  Answer judge_stack_queries(const Bound& bound, bool mixed) const;
  Answer judge_stack(const Bound& bound, const Json& steps) const;
  /// Where coefficients are too far apart for real numbers: Z modulo primes of 60 bits, b^x -> g^x. The rank
  /// there is at most that of Z, and is less for all of them with a chance below 2^-150 or so.
  /// `rows_of`: the rows of an example, from its coefficients by head, mod p.
  using RowsOfExample = std::function<std::vector<Residues>(std::size_t t, const std::vector<Residues>& alpha,
                                                            std::uint64_t p)>;
  Answer by_characters(const Bound& bound, const AllLogits& all, bool scaled,
                       const RowsOfExample& rows_of) const;

  // --- quantities of the case alone

  Rows distinct_tokens() const;
  static Row plus(Row a, const Row& b);
  Row mean(std::size_t t) const;
  /// The matrices of rank(NAME); nothing when it is not one over Q.
  std::optional<std::vector<Rows>> matrices(const std::string& name) const;
  /// By all subsets: independent modulo a prime is independent, and a subset that is dependent modulo the
  /// prime is looked at in fractions.
  std::optional<mpz_class> kruskal(const Rows& vectors) const;
  /// Random weights have the largest rank of all, but for a set of measure zero.
  Layer random_layer(std::uint64_t size) const;
  std::optional<mpz_class> capacity() const;
  std::optional<mpz_class> embedded_capacity() const;
  /// The same with random coefficients.
  std::optional<mpz_class> any_coefficients() const;
  /// ||A - B|| is less than the smallest non-zero singular value of A.
  std::optional<mpz_class> perturbation() const;
  std::optional<mpz_class> encoding() const;
  /// x_t = (E_t, e_t), or e_t alone when all contexts are equal.
  Rows inputs(bool whole) const;
  bool one_context() const;
  /// The two theorems about labels of their own; the labels are not tried.
  std::optional<mpz_class> made_labels(bool integer) const;
  std::optional<mpz_class> value_of(const std::string& quantity);
  std::optional<mpz_class> compute(const std::string& quantity) const;

  // --- what steps give

  Answer separator(const Json& step) const;
  /// Sum of |alpha_i - [i = vertex]| <= epsilon for logits y + lambda x, for this lambda and larger ones.
  bool near_vertex(const std::vector<Real>& y, const Row& x, std::size_t vertex, const Q& lambda,
                   const Q& epsilon) const;
  Answer vertex_limit(const Json& step) const;
  /// W = sum_k R_k log_b(phi_k) L_k^T, as logits of each example.
  std::vector<std::vector<Real>> prescribed(const Json& step) const;
  /// The coefficients of the claim on its subset.
  bool prescribes(const std::vector<std::vector<Real>>& y) const;
  Answer weights(const Json& step) const;
  Answer one_hot(const Json& step) const;
  Answer readout(const Json& steps, const Json& step) const;
  /// Every head but the first separates all examples but r - 1.
  bool separates(const Layer& layer) const;
  Answer tail_rank(const Json& steps, const Json& step, const Bound& bound) const;
  Answer lambda_rank(const Json& steps, const Json& step, const Bound& bound) const;
  /// For all labels by the capacity, for given ones by ranks with and without them.
  Answer memorized(const Bound& bound);
  Answer network(const Json& step) const;

  // --- facts

  /// The capacity of a part.
  Answer judge_part(const Json& step, const Bound& bound) const;
  /// Greedy choices, by capacities of parts.
  Answer judge_which(const std::string& stated) const;
  Answer judge(const Json& steps, const Json& step);
  /// What the judgement of a step depends on: the step without its label, of a rank of Z only the fact, and
  /// the layers that it refers to.
  static void collect(const Json& steps, const Json& step, Json& into);
};

}  // namespace attest::test
