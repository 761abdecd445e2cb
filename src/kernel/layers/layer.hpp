// Layers, their exact logits, and minors of Z under a character.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "kernel/layers/ring.hpp"
#include "kernel/problem.hpp"
#include "problem/generate.hpp"

namespace attest::kernel {

/// W = sum_k key_k query_k^T; the bias is added to query_k . e. (A bias of the keys adds the same number to
/// all logits of an example and head, so it does not enter.)
struct Head {
  std::vector<Vector> key, query;    ///< no queries: the unit vectors (W given as a matrix)
  std::vector<Rational> query_bias;  ///< empty: none
  std::optional<Rational> lambda;    ///< of the last term, which counts lambda times: a separator
};

struct Layer {
  Ring ring;
  std::vector<Head> heads;
  bool in_shape = true;    ///< of the weights that `capacity` ranges over
  bool projected = false;  ///< the logits are those of the case's projected queries and keys
  /// Arrays (H, d, k), whose columns are the vectors of the heads; then these have none of their own.
  std::shared_ptr<const ExactArray> key = nullptr, query = nullptr;
  std::optional<DrawnIntegers> random = std::nullopt;  ///< that drew these
  std::vector<Rational> sinks = {};  ///< of each head, as exponents of b; none unless the layer has sinks
};

/// The case's scale of logits where it is not in them yet, or else 1.
LogitScale left_scale(const Problem& problem, const Ring& ring);
/// The weights of the case. A Failure when it has none.
Layer given_layer(const Problem& problem);
/// These weights, which outlive it.
Layer layer_of(const Problem& problem, const Weights& weights);
/// Weights drawn as `weights.generate` draws integers.
Layer random_layer(const Problem& problem, Word bound, Word seed);

/// Heads of rank one for which exponents stand for tuples X of `heads` d x d matrices, whose entries are put
/// together to one number: sums of one of `exponents` and, for each example and head, the matrix E_{t,i}
/// e_t^T of one token are equal only if the tuples are. As the logits of weights W are the products <W,
/// E_{t,i} e_t^T>, an identity between sums of powers then holds for all W.
struct GenericLayer {
  Layer layer{Ring(), {}};
  std::vector<Integer> powers;  ///< by which the entries are multiplied

  /// `exponents` have an entry for each entry of the matrices.
  GenericLayer(const Problem& problem, std::size_t heads, const std::vector<Vector>& exponents = {});
  Rational exponent(const Vector& entries) const { return dot(entries, Vector(powers, 1)); }
};

/// The exact logits of a layer.
class Logits {
public:
  /// Both outlive it.
  Logits(const Problem& of, const Layer& by) : problem(of), layer(by), heads_(by.heads.size()) {}

  const Problem& problem;
  const Layer& layer;
  /// The logits of head h at example t, times the ring's factor, and that of its sink, minus the largest of
  /// them: exponents of b. Sigmoid ones as they are. Without its separator unless `separated`.
  Vector operator()(std::size_t h, std::size_t t, bool separated = true);
  /// Those of the tokens as they are.
  Vector of_tokens(std::size_t h, std::size_t t, bool separated = true);
  /// These will be asked for, example by example in this order. Where products are large and numbers binary,
  /// the logits of some hundred examples are then found at once, modulo primes (docs/mathematics.md, Logits
  /// modulo primes): 8 times as fast for 128 examples, n = 64, d = 768, H = 12.
  void expect(std::set<std::size_t> heads, std::vector<std::size_t> examples);

private:
  /// Logits are N / den for integers N below half of the modulus, the product of the primes; no primes where
  /// numbers are not binary.
  struct Primes {
    Integer den = 1, modulus = 1;
    std::vector<Word> primes;
    std::vector<Integer> parts;  ///< N is the sum of the logits mod the primes times these, mod the modulus

    Primes(const Problem& problem, const Layer& layer);
    /// Those with residues[i] mod the first prime, residues[stride + i] mod the second, ...
    Vector numbers(const std::uint32_t* residues, std::size_t count, std::size_t stride) const;
  };
  struct Expected {
    std::set<std::size_t> heads;
    std::vector<std::size_t> examples;
    std::map<std::size_t, std::size_t> place;  ///< of an example in the list
    std::size_t first = 0, found = 0;          ///< of the list, the examples that are found
    std::vector<std::uint32_t> residues;       ///< by example, prime, head and token
  };
  /// The same as of_tokens, when they are expected.
  std::optional<Vector> expected(std::size_t h, std::size_t t);

  std::vector<std::optional<Head>> heads_;  ///< with the vectors of Layer::key and query
  std::optional<Primes> primes_;
  Expected expected_;
};

/// Of `count` examples from number r of a list on: the coefficients, a row for each example and head with an
/// entry for each of the tokens, 0 for those that the example does not have, and the tokens, mod p.
using VisitCoefficients =
    std::function<void(std::size_t r, std::size_t count, const Matrix& coefficients, const Matrix& tokens)>;
/// Visits these examples, for these heads, at least one, on several threads at once; with `masses` the tokens
/// have an entry 1 more. A Failure where the character has no value.
void visit_coefficients(const Problem& problem, const Layer& layer, const Character& character,
                        const std::set<std::size_t>& heads, const std::vector<std::size_t>& examples,
                        const VisitCoefficients& visit, bool masses = false);

/// The minor of Z in these rows and columns, mod p, and room for `further` columns. With `masses` every head
/// has one more column, the sum of its coefficients. A Failure where the character has no value.
Matrix minor_of_z(const Problem& problem, const Layer& layer, const Character& character,
                  const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                  std::size_t further = 0, bool masses = false);

/// The columns of the value weights of head h. Precondition: the case has them.
std::vector<Vector> value_columns(const Problem& problem, std::size_t h);
/// The same of the outputs of the heads, sum_i alpha_i (E_{t,i} W_V + b_V), d_v columns for each.
Matrix minor_of_outputs(const Problem& problem, const Layer& layer, const Character& character,
                        const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                        std::size_t further);

/// For each head the first with the same coefficients at all examples, and whether it is constant: all
/// examples have the same contexts and, under this head, the same coefficients.
struct HeadClasses {
  std::vector<std::size_t> first;
  std::vector<bool> constant;
};
HeadClasses head_classes(const Problem& problem, const Layer& layer);

}  // namespace attest::kernel
