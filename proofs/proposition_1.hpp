// The construction of Proposition 1, executed: weights for which Z has the rank that the paper promises.
#pragma once

#include <optional>
#include <vector>

#include "attention/character_z.hpp"
#include "attention/layer.hpp"
#include "proofs/proof.hpp"

namespace attest {

/// One head: W_h = sum_k key_k query_k^T + lambda u v^T.
struct ConstructedHead {
  std::vector<std::size_t> fresh;               ///< the fresh set I
  std::vector<std::vector<mpq_class>> logits;   ///< prescribed on it: E_t W_h e_t
  std::vector<RationalVector> key, query;       ///< W* of Claim 1
  struct Separator {
    RationalVector u, v;
    mpq_class lambda;
  };
  std::optional<Separator> separator;  ///< W' of Lemma 3
  std::vector<std::size_t> rows, cols; ///< what the head adds to the non-singular minor
  std::size_t rank_before = 0, rank_after = 0;

  HeadFactors factors() const;
};

struct Construction {
  std::vector<ConstructedHead> heads;  ///< H of them
  Character character;
  std::vector<double> z;  ///< Z under the character, T x Hd
  MinorIndices minor() const;
  std::vector<HeadFactors> factors() const;
};

/// Runs the induction of Appendix B on heads until rank(Z) >= target. Empty when it got stuck, which Assumptions 1 and 2 exclude.
std::optional<Construction> construct(const Case& c, std::size_t target);

/// The steps `construction` and `character-minor`.
void append_construction(const Case& c, const Claim& claim, const Effort& effort, const Construction& construction, Json& steps);

}  // namespace attest
