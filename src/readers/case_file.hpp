// Case files and the values of one, read and validated for the statements of the table (src/theory).
#pragma once

#include <cstddef>
#include <filesystem>

#include "problem/case.hpp"
#include "readers/case_values.hpp"

namespace attest {

struct ReadOptions {
  bool allow_outside = false;                       ///< arrays may lie outside the case's folder
  std::size_t memory_limit = std::size_t{8} << 30;  ///< bytes; a case that plainly needs more is refused
  /// Array files that would take more than a 64th of the limit are mapped, so that they do not count. A
  /// prover maps the files themselves. A checker, for whom what is hashed and what is computed with have to
  /// be the same, maps copies that nobody else can change, and of files beyond a quarter of the limit only.
  bool map_copies = false;
};

/// Reads and validates a case file: syntax, known keys only, exact numbers only, shapes against [layer], and
/// that every claim is of a statement, with the parts of the case that it needs and its arguments. What
/// statements fill in is filled in. Throws InputError (exit 2) or LimitError (exit 3).
Case read_case(const std::filesystem::path& file, const ReadOptions& options = {});
/// The same for the values of a file. Errors have no lines.
Case read_case(const CaseValues& values, const ReadOptions& options);

}  // namespace attest
