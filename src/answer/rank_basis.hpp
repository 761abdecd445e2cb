// What `attest rank --rows --basis` leaves for `attest rank --combine` (docs/guide.md): which examples of
// a block have rows of Z that span those of the whole block. A hint: rows that do not span them only make the
// lower bound smaller, because what is proved is computed from the data again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attest {

struct RankBasis {
  std::string digest;                ///< of the contents of the case
  std::size_t first = 0, last = 0;   ///< the block: examples first .. last - 1
  std::vector<std::size_t> members;  ///< increasing, in the block
};

/// "first:last", counted from 0, `last` not included. Throws InputError unless first < last.
RankBasis parse_rows(const std::string& text);

void write_basis(const RankBasis& basis, const std::string& file);
/// Throws InputError for anything that attest does not write.
RankBasis read_basis(const std::string& file);

/// The members of all bases, increasing. Throws InputError, which says what is missing, double or foreign,
/// unless they are about the case with this digest and their blocks are the examples 0 .. examples - 1.
std::vector<std::size_t> combined_rows(std::vector<RankBasis> bases, const std::vector<std::string>& files,
                                       const std::string& digest, std::size_t examples);

}  // namespace attest
