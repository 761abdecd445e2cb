// A case that a program makes: the values of its tables. A file need not exist; one that says the same gives
// the same case.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace attest {

/// An array in a file, or in memory under the name of one (array_files.hpp).
struct FileValue {
  std::string file, tensor;
  bool transpose = false;
};

using CaseValue = std::variant<bool, std::int64_t, std::string, std::vector<std::int64_t>, FileValue>;
/// Keys in the order in which a file lists them.
using CaseTable = std::vector<std::pair<std::string, CaseValue>>;

struct CaseValues {
  std::filesystem::path path;  ///< where the file is or would be: array files are relative to its folder
  std::string name;            ///< how errors call it
  std::string title;
  CaseTable layer, data, weights;  ///< a table that is empty is not there
  std::vector<CaseTable> claims;
};

/// The text of the file.
std::string case_text(const CaseValues& values);

}  // namespace attest
