// A row echelon form over F_p that grows by blocks of rows: the rank of matrices that are never held as a
// whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/arithmetic/matrix.hpp"

namespace attest {

/// The row space of the rows added so far. At most `width` rows are kept, in r W - r^2 / 2 entries or a few
/// per cent more, for rank r and width W. Entries are balanced residues on binary64 (exact/residues.hpp).
class Echelon {
public:
  /// Throws std::logic_error unless p is odd and 2 < p < 2^24. Precondition: p is prime.
  Echelon(std::uint64_t p, std::size_t width);

  /// Adds names.size() rows of `width` entries, row-major without gaps, and destroys them. Several hundred at
  /// a time are fastest. After the `last` ones only rank, minor and rank_of_leading may be asked for, because
  /// these rows are not reduced.
  void add_rows(double* rows, std::span<const std::size_t> names, bool last = false);

  std::uint64_t prime() const { return p_; }
  std::size_t width() const { return width_; }
  std::size_t rank() const { return width_ - free_.size(); }

  /// Names of rows and columns, each increasing, of a non-singular minor of maximal size of the matrix of all
  /// rows added. The columns are its column rank profile; the rows are its row rank profile when names
  /// increase in the order of adding.
  MinorIndices minor() const;
  /// The rank of the first `cols` columns of all rows added.
  std::size_t rank_of_leading(std::size_t cols) const;

  /// A vector x of `width` residues with v x = 0 for every row v of the row space, random (by the seed) among
  /// all of these: any other row has v x = 0 with probability 1 / p only.
  std::vector<double> kernel_vector(std::uint64_t seed) const;

private:
  /// Rows that were added together, after those of the earlier blocks were subtracted: they vanish at all
  /// earlier pivots.
  struct Block {
    std::vector<std::size_t> rows;  ///< r names of independent rows, in the order in which they came
    std::vector<std::size_t> cols;  ///< r pivots
    /// r x k: the inverse of their minor at the pivots times these rows at the k columns, increasing, that
    /// are pivots neither of this nor of an earlier block.
    std::vector<double> rest;
  };

  /// Rows of `width` entries each, at a distance of width_.
  struct Rows {
    double* begin;
    std::size_t count, width;
  };

  Rows without_pivots(std::size_t block, Rows rows) const;
  void add_panel(double* rows, std::span<const std::size_t> names, bool last);
  void append(Block block, std::vector<std::size_t> positions);
  void join_last_blocks();

  std::uint64_t p_;
  std::size_t width_;
  std::vector<Block> blocks_;
  /// Of each block: its pivots as positions among the columns that were free before it.
  std::vector<std::vector<std::size_t>> positions_;
  std::vector<std::size_t> free_;  ///< columns that are no pivots, increasing
};

}  // namespace attest
