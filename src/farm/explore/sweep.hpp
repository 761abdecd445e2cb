// A sweep: a grid of layers and data sets, from a TOML file (docs/explore.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "readers/case_file.hpp"

namespace attest {

/// One point of the grid: a layer, or a stack of layers. All sizes are at least 1.
struct Cell {
  std::string family;  ///< of kFamilies; "stack"
  bool fresh = false;  ///< every example has its own context; otherwise all share one
  std::size_t n = 0, d = 0, H = 0, d_h = 0, T = 0;  ///< T of a stack: sequences
  Base base = Base::e;
  std::uint64_t seed = 0;
  std::size_t layers = 0;  ///< of a stack; 0: none
  bool residual = false;   ///< the stack has residual connections

  /// "moment-curve-fresh-n2-d3-H2-k1-T6-e-s1", "stack-residual-L3-n3-d4-H1-k2-S24-s1": says everything, and
  /// is fit for a file name (k is d_h).
  std::string name() const;
};

/// The cases of a cell, which differ in their weights; `any` is about all weights, keys, queries and
/// read-out.
enum class CellWeights { random, trained, any };

/// The families of data, with what they are (docs/explore.md).
struct Family {
  const char* name;
  const char* says;
};
const std::vector<Family>& families();

struct TrainedLayer {
  ExactArray contexts, queries, key, query;  ///< (n, d), (T, d), (H, d, d_h) twice
};

struct Sweep {
  std::string title;
  std::string digest;                   ///< SHA-256 of the file
  std::string trained_digest;           ///< and of the trained layer's
  std::optional<TrainedLayer> trained;  ///< for the family "trained"
  std::vector<Cell> cells;              ///< each once, in the order of the file
  bool functional_dimension = false;    ///< a further layer of the map
  bool stacks = false;                  ///< cells are stacks, of which nothing but this dimension is asked

  /// Those that each cell has.
  std::vector<CellWeights> cases() const;
};

/// Reads a sweep. Throws InputError, and LimitError when it has too many cells.
Sweep read_sweep(const std::filesystem::path& file, const ReadOptions& options);

}  // namespace attest
