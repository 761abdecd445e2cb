// A layer behind others of which none takes exponentials: networks with relu, and rmsnorm once. The vectors
// that enter it, and its logits, are then sums of square roots, and Z is one of quotients of sums of powers
// of b with such coefficients and exponents: relations between its rows or columns are identities between
// these.
#pragma once

#include "problem/case.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/root_field.hpp"

namespace attest {

/// sum c b^x: x -> c, none of which is 0; b = e^s with the scale s of the layer.
using RootPowers = std::map<RootNumber, RootNumber>;

/// Indices increasing; no value is 0.
using AlgebraicVector = std::vector<std::pair<std::size_t, RootPowers>>;

/// rational + root sqrt(radicand).
struct QuadraticVector {
  std::vector<mpq_class> rational, root;
  mpz_class radicand = 1;
};

class AlgebraicLayer {
public:
  /// Whether a case has such layers, and weights of all, and is small.
  static bool fits(const Case& c);
  /// Precondition: it fits. Throws LimitError when too many square roots are needed, or a vector is 0 where a
  /// norm is divided by.
  explicit AlgebraicLayer(const Case& c);

  std::size_t T, H, d;

  /// The sum over the tokens of b^logit, for head h at example t, and the same times coordinate j: their
  /// quotient is an entry of Z. What all have in common is divided out.
  const RootPowers& sum(std::size_t t, std::size_t h) const { return sums_[t * H + h]; }
  RootPowers numerator(std::size_t t, std::size_t h, std::size_t j) const;
  RootPowers one() const { return {{RootNumber(), {{0, 1}}}}; }
  /// Throws LimitError when all products together are too much work.
  RootPowers product(const RootPowers& a, const RootPowers& b);
  static void add(RootPowers& sum, const RootPowers& term, bool negative);
  const RootField& field() const { return field_; }

  /// Z modulo a prime, square roots and powers of b being replaced by residues that satisfy the same
  /// relations: the k-th such image, with the signs of these square roots of generators turned.
  ModularMatrix image(std::size_t k, std::uint64_t turned = 0);
  std::uint64_t prime() const { return p_; }

  /// Whether y Z = 0 (or Z x = 0), by multiplying out; false when that is too much work.
  bool annihilated(bool left, const AlgebraicVector& v);
  /// Vectors without powers of b that annihilate Z, each of which has an index where it is 1 and the others
  /// have no entry. Found from images, and verified.
  std::vector<AlgebraicVector> constant_kernel(bool left);

private:
  AlgebraicLayer(const Case& c, const std::map<std::size_t, QuadraticVector>& entering);
  RootPowers multiply(const RootPowers& a, const RootPowers& b) const;
  /// The common kernel of some images, with these square roots turned.
  ModularMatrix kernel_of_images(bool left, std::uint64_t turned);
  /// Products of generators, as sets, of which those in the vectors of some examples are products: each has a
  /// lowest generator that no other one has.
  std::vector<std::uint64_t> independent_roots(const std::vector<std::size_t>& examples) const;
  double work_of_images(bool left) const;

  RootField field_;
  std::vector<std::vector<std::vector<RootNumber>>> tokens_;  ///< [t][i][j]
  std::vector<std::vector<RootNumber>> exponents_;            ///< [t * H + h][i]
  std::vector<RootPowers> sums_;
  std::uint64_t p_ = 0;
  std::vector<std::uint64_t> roots_;                          ///< of the generators, modulo p
  mpz_class den_ = 1;                                         ///< of the exponents
  std::set<std::uint64_t> sets_;                              ///< of generators in exponents
  std::map<std::size_t, std::vector<std::uint64_t>> powers_;  ///< by images: those of exponents_, in order
  double work_ = 2e5, verified_ = 2e6, images_ = 3e8;         ///< operations that are left
};

}  // namespace attest
