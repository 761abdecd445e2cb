// The case as the checker reads it, layers with their exact logits, and minors of Z under a character.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/exact.hpp"
#include "checker/group_ring.hpp"
#include "input/case_file.hpp"

namespace attest::checker {

/// The tokens of one example.
using Context = std::vector<Vector>;

/// The data and sizes of a case, converted to exact vectors on demand.
class Problem {
public:
  explicit Problem(const Case& source);

  const Case& source;
  std::size_t T = 0, H = 0, n = 0, d = 0, d_h = 0, d_out = 0;
  std::size_t r = 0;  ///< min(n, d_h)

  /// All contexts are equal (whether the case says so or not).
  bool shared() const;
  /// The tokens of example t. Only the last context asked for is kept, unless it is shared.
  std::shared_ptr<const Context> context(std::size_t t) const;
  const Vector& query(std::size_t t) const;
  Rational label(std::size_t t, std::size_t coordinate) const;

private:
  mutable std::optional<bool> shared_;
  mutable std::size_t kept_ = 0;
  mutable std::shared_ptr<const Context> kept_context_;
  mutable std::vector<Vector> queries_;
};

/// W = sum of key query^T; the bias is added to query . e. (A bias of the keys adds the same number to all
/// logits of an example and head, so it does not enter.)
struct Factor {
  Vector key, query;
  Rational query_bias = 0;
};
using Head = std::vector<Factor>;

struct Layer {
  std::string name;  ///< "given", "random" or "construction"
  Ring ring;
  std::vector<Head> heads;
};

Layer given_layer(const Problem& problem);
Layer random_layer(const Problem& problem, std::uint64_t bound, std::uint64_t seed);

/// The logits of head h at example t, multiplied by the ring's factor: exponents of b.
std::vector<Rational> logits(const Problem& problem, const Layer& layer, std::size_t h, std::size_t t);
/// The same minus the least of them: the coefficients are the same.
std::vector<Rational> reduced_logits(const Problem& problem, const Layer& layer, std::size_t h,
                                     std::size_t t);

/// Checks the conditions on p and g that make the character a ring homomorphism.
Character character(const Ring& ring, Word p, Word g);

/// Rows of the minor of Z in the given columns, mod p.
class MinorRows {
public:
  MinorRows(const Problem& problem, const Layer& layer, const Character& character,
            const std::vector<std::size_t>& cols);
  Row row(std::size_t t);

private:
  struct Residues {
    Matrix key, query;  ///< mod q, one row for each factor
    Row query_bias;
    std::vector<std::size_t> coordinates, places;  ///< of the columns in this head's block, and where they go
  };
  const Problem& problem_;
  Character character_;
  std::size_t width_;
  Word factor_;                                 ///< of the logits, mod q
  std::vector<std::optional<Residues>> heads_;  ///< heads without a column are skipped
  std::shared_ptr<const Context> context_;      ///< the one reduced below
  Matrix tokens_p_, tokens_q_;
  Row low_, high_;  ///< g^a and g^(2^16 a)
};

}  // namespace attest::checker
