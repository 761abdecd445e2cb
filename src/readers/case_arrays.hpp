// The arrays of a case: written in line, in files, or generated. Private to src/readers.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/mapped_file.hpp"
#include "readers/case_file.hpp"
#include "readers/generate.hpp"
#include "readers/layouts.hpp"
#include "readers/toml_file.hpp"

namespace attest {

/// Adds up what a case will occupy and refuses it before it is allocated.
class MemoryBudget {
public:
  explicit MemoryBudget(std::size_t limit) : limit_(limit) {}
  /// Throws LimitError, located at `node`, when the sum exceeds the limit.
  void add(const TomlFile& toml, const toml::node& node, const mpz_class& bytes, const std::string& what);
  /// Gives back what was added and is free again.
  void release(const mpz_class& bytes) { used_ -= bytes; }

private:
  mpz_class limit_, used_ = 0;
};

/// A dimension of an expected shape and the key of [layer] that decides it.
struct Extent {
  std::string key;
  std::size_t value;
};
using Shape = std::vector<Extent>;

std::vector<std::size_t> extents(const Shape& shape);

class CaseArrays {
public:
  CaseArrays(const TomlFile& toml, const std::filesystem::path& file, const ReadOptions& options);

  /// Reads an array that is written in line or named by a file table. It must have one of the expected
  /// shapes.
  ExactArray read(const toml::node& node, const std::string& name, const std::vector<Shape>& expected,
                  const std::string& source = "[layer]");

  /// The same without a shape that is prescribed.
  ExactArray read_any(const toml::node& node, const std::string& name);

  /// The key and query weights of [weights] with a "layout"; `whole`: values and outputs too.
  Weights read_layout(const toml::table& table, WeightSizes sizes, bool whole);

  /// Reads the table of a generator; `shared_context` is where that key goes, null if it is unknown here.
  Generator read_generator(const toml::node& node, const std::string& where, bool* shared_context) const;
  /// Draws an array after checking that it may be that large.
  ExactArray draw(const toml::node& node, const std::string& name, const Generator& generator,
                  const Shape& shape, std::uint64_t stream);

  MemoryBudget& budget() { return budget_; }

private:
  ExactArray read_inline(const toml::array& array, const std::string& name);
  ExactArray read_file(const toml::table& table, const std::string& name);
  /// A file that was opened before or now, and what tells it from others.
  std::pair<std::string, ArrayFile> open(const toml::node& node, const std::string& written,
                                         const std::string& name);

  const TomlFile& toml_;
  std::filesystem::path shown_folder_;  ///< how messages call it
  Descriptor folder_;
  const ReadOptions options_;
  MemoryBudget budget_;
  std::map<std::string, ArrayFile> files_;                            ///< by what tells them apart
  std::map<std::pair<std::string, std::string>, ExactArray> arrays_;  ///< of files, by their names there
};

}  // namespace attest
