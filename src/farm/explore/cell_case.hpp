// The cases of a cell, as text: a deterministic function of the cell's parameters (docs/explore.md).
#pragma once

#include <string>
#include <vector>

#include "farm/explore/sweep.hpp"

namespace attest {

/// Integers that stand for (H, d, d_h) key and query weights in eighths.
struct EighthWeights {
  std::vector<int> key, query;
};

/// Row-major entries of a cell's data.
struct CellData {
  std::vector<mpq_class> contexts;  ///< (n, d), or (T, n, d) when fresh
  std::vector<mpq_class> queries;   ///< (T, d)
};

CellData cell_data(const Cell& cell, const Sweep& sweep);

/// What sign descent makes of random weights on the cell's data, with labels 1 and -1 (docs/explore.md).
/// Binary64 decides signs only; the result is the same wherever IEEE 754 holds.
EighthWeights trained_like(const Cell& cell, const CellData& data);

/// The text of one of a cell's cases. For random weights: capacity, rank, Assumptions 1 and 2; for
/// trained-like ones (of the family "trained": the layer's own): rank; for any: the functional dimension.
std::string cell_case(const Cell& cell, CellWeights weights, const Sweep& sweep);

}  // namespace attest
