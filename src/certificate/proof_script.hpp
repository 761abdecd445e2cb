// The steps of a claim's proof, typed: each adds a fact (docs/certificate.md, Rules). The only writer of the
// certificate format; reading it is src/checker's, which shares nothing with this but the tables of
// src/statements.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "exact/ball_text.hpp"
#include "exact/rational.hpp"
#include "statements/statements.hpp"

namespace attest {

using Json = nlohmann::ordered_json;

/// One head of a layer that a proof defines: W_h = sum_k key_k query_k^T + lambda u v^T.
struct LetHead {
  std::vector<RationalVector> key, query;
  struct Separator {
    RationalVector u, v;
    mpq_class lambda;
  };
  std::optional<Separator> separator;
};

/// A non-singular minor modulo p; g is 0 for matrices over Q.
struct MinorWitness {
  std::uint64_t p = 0, g = 0;
  std::vector<std::size_t> rows, cols;
};

/// A group-ring element: (coefficient, exponent) terms. A rational is one term of exponent 0.
using RingTerms = std::vector<std::pair<mpq_class, mpq_class>>;
/// (index, value), indices increasing.
using SparseRational = std::vector<std::pair<std::size_t, mpq_class>>;
using SparseRing = std::vector<std::pair<std::size_t, RingTerms>>;

class ProofScript {
public:
  using Number = std::size_t;  ///< of a step, from 0
  /// `computed`: sizes and computed quantities as the prover knows them.
  explicit ProofScript(Knowledge computed);

  /// The next step gets this label.
  ProofScript& label(std::string text);

  Number let_random(std::uint64_t bound, std::uint64_t seed);
  Number let_heads(const std::vector<LetHead>& heads);
  Number let_rescaled(Number of, const mpq_class& lambda);

  /// rank(M) >= minor.rows.size().
  Number minor(const std::string& of, const MinorWitness& minor);
  /// Every member of a family has `rows` rows, independent mod p: rank(family) >= rows.
  Number independent_rows(const std::string& of, std::size_t rows, std::uint64_t p);

  enum class Side { left, right };
  /// of = rank(M): <= size - vectors, `size` the columns (right) or rows (left) of M. of = capacity: <= T -
  /// vectors. of = kruskal(V): one vector.
  Number zero(const std::string& of, Side side, const std::vector<SparseRational>& vectors, std::size_t size,
              std::uint64_t p, std::size_t member = 0);
  Number zero(const std::string& of, Side side, const std::vector<SparseRing>& vectors, std::size_t size,
              std::uint64_t p, std::uint64_t g);

  Number subsets(const std::string& of, std::size_t k, std::uint64_t p, const std::string& method);

  // `compare`
  Number separator(const RationalVector& u, const RationalVector& v);
  struct Neuron {
    std::vector<mpq_class> w;
    mpq_class b, a;
  };
  Number network(const std::vector<Neuron>& neurons, const std::optional<mpq_class>& output_bias);
  Number perturbation(const mpq_class& mu, bool holds);

  // `ball`
  /// `number` pairs (of `pairs`) of head and example whose largest coefficient is above the claim's
  /// threshold, or at most the threshold.
  Number saturated(bool above, std::size_t number, std::size_t pairs, std::size_t precision);
  /// The numerical rank is at least the number of vectors (`above`), or at most `size`, the smaller dimension
  /// of Z, minus that number.
  Number numerical_rank(bool above, std::size_t bits, const std::vector<std::vector<mpz_class>>& vectors,
                        std::size_t size);
  /// `number` of T examples that the whole layer gets right, or wrong.
  Number accurate(bool right, std::size_t number, std::size_t examples, std::size_t precision);
  Number vertex_limit(std::size_t vertex, const mpq_class& lambda);
  Number one_hot(const std::vector<std::vector<RationalVector>>& right_inverses,
                 const std::vector<RationalVector>& left_inverse, const RationalVector& u,
                 const RationalVector& v, const mpq_class& lambda);

  // `inverse`
  Number weights(const std::vector<std::vector<RationalVector>>& right_inverses,
                 const std::vector<RationalVector>& left_inverse);
  Number readout(Number layer, const std::vector<std::size_t>& cols, std::size_t precision,
                 const std::vector<std::vector<std::string>>& inverse,
                 const std::vector<std::vector<BallText>>& weights);
  Number tail_rank(Number layer, const mpq_class& lambda, const std::vector<std::size_t>& rows,
                   const std::vector<std::size_t>& cols, const std::vector<std::vector<std::string>>& inverse,
                   const std::vector<mpq_class>& scale);

  /// `split`: the trees as docs/certificate.md writes them.
  Number split(Json trees);

  /// Applies a schema; throws std::logic_error when it does not apply (a fault of the prover).
  Number theorem(const std::string& name, const std::vector<Number>& uses, const std::string& layer = "");

  /// Every fact so far; verdicts are `conclude(claim, script.facts())`.
  const FactBase& facts() const { return facts_; }
  Bounds of(const std::string& quantity) const { return facts_.of(quantity); }
  /// The quantity of a layer: "rank(Z(3))".
  static std::string rank_of(Number layer) { return "rank(Z(" + std::to_string(layer) + "))"; }
  const Fact& fact(Number step) const { return proved_.at(step); }
  const Json& steps() const { return steps_; }

private:
  Number add(Json body, Fact fact);
  Number let(Json layer);
  Number counted(const std::string& of, bool above, std::size_t number, std::size_t all,
                 std::size_t precision);

  Knowledge computed_;
  FactBase facts_;
  std::vector<Fact> proved_;
  Json steps_ = Json::array();
  std::string label_;
};

}  // namespace attest
