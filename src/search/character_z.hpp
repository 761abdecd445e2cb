// Z under a character: the coefficients, hence Z, as a matrix over F_p.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "search/arithmetic/character.hpp"
#include "search/arithmetic/matrix.hpp"
#include "search/arithmetic/residues.hpp"
#include "search/layer.hpp"

namespace attest {

/// Z of a layer under a character, row by row: nothing of the size of the data is kept. Exact: all sums of
/// binary64 stay below 2^53. Refers to the layer, which must outlive it.
class LayerImage {
public:
  /// All heads of the layer, or one of them.
  LayerImage(const AttentionLayer& layer, const Character& character,
             std::optional<std::size_t> only_head = std::nullopt);

  /// False when p divides a denominator of the tokens, or q one of the tokens, queries or weights: then there
  /// is no image.
  bool defined() const { return defined_; }
  const Character& character() const { return character_; }
  std::size_t heads() const { return used_; }
  /// Of the heads only the first `count`.
  void take(std::size_t count) { used_ = count; }
  /// Of each head only these coordinates, increasing; all of them before.
  void keep(std::vector<std::size_t> coordinates) { kept_ = std::move(coordinates); }
  /// Hd, or d for one head; less when fewer coordinates are kept.
  std::size_t width() const { return used_ * kept_.size(); }

  /// Rows of Z: balanced residues mod p, row k for examples[k], written at out + k * ld, ld >= width().
  /// Optionally the coefficients too: examples.size() x heads() x n residues, 0 where there is no token.
  /// Examples of equal contexts are evaluated together. False when a softmax denominator vanishes mod p.
  /// Precondition: defined().
  bool rows(std::span<const std::size_t> examples, double* out, std::size_t ld,
            double* coefficients = nullptr) const;

  /// Tokens `first` to `first + count` of example t, count x d.
  bool read_tokens(const BalancedResidues& modulus, std::size_t t, std::size_t first, std::size_t count,
                   double* out) const;

private:
  struct Head {
    std::size_t size = 0;                    ///< m: W_h has rank at most m
    std::vector<double> key, query;          ///< d x m mod q; no query: the identity (m = d)
    std::vector<double> bias;                ///< m, or empty
    std::optional<std::uint64_t> sink = {};  ///< its logit mod q
  };
  struct Chunk;  ///< examples that are projected together

  bool read_head(std::size_t h, Head& head) const;
  bool chunk(std::span<const std::size_t> examples, double* out, std::size_t ld, double* coefficients) const;
  bool group(Chunk& chunk, std::span<const std::size_t> members, std::size_t context, double* out,
             std::size_t ld, double* coefficients) const;
  void logits(Chunk& chunk, std::span<const std::size_t> members, std::size_t context,
              std::vector<double>& result) const;
  void projected_logits(const Chunk& chunk, std::span<const std::size_t> members, std::size_t n,
                        std::vector<double>& result) const;
  bool softmax(std::vector<double>& values, std::size_t n) const;

  const AttentionLayer* layer_;
  std::optional<std::size_t> only_head_;
  Character character_;
  std::size_t n_, d_;
  BalancedResidues mod_p_, mod_q_;
  PowerTable powers_;
  bool defined_ = false;
  std::vector<Head> heads_;
  std::size_t used_;                     ///< of these
  std::vector<std::size_t> kept_;        ///< coordinates
  std::vector<std::size_t> context_of_;  ///< of each example: the first example with an equal context
};

/// The rank of Z under a character, which rank(Z) is at least.
struct CharacterRank {
  Character character;
  MinorIndices minor;  ///< rows and columns of Z, increasing: a minor that does not vanish mod p
  std::vector<std::size_t>
      after_head;  ///< H ranks: of the first d, 2d, ..., Hd columns of the rows looked at
  std::size_t rank() const { return minor.rank(); }
};
/// By elimination of blocks of rows, in the memory of r rows of Z for rank r. Rows are looked at in their
/// order until the rank is min(T, Hd, enough); with `enough` an upper bound of the rank (as the affine hull
/// gives), nothing is lost, and `after_head` are the ranks of all T rows. Empty when a denominator vanishes.
std::optional<CharacterRank> rank_under(const AttentionLayer& layer, const Character& character,
                                        std::size_t enough = std::numeric_limits<std::size_t>::max());

}  // namespace attest
