// A TOML file with typed access whose errors name line and column. For the readers of case files and sweeps.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/integers.hpp"

namespace attest {

class TomlFile {
public:
  /// Reads and parses the file. `memory_limit` (bytes) bounds what the parsed file may occupy.
  TomlFile(const std::filesystem::path& file, std::size_t memory_limit);
  /// Values that were never a file: errors have no places.
  TomlFile(std::string name, toml::table root) : name_(std::move(name)), root_(std::move(root)) {}

  const toml::table& root() const { return root_; }
  const std::string& name() const { return name_; }    ///< how messages call the file
  const std::string& bytes() const { return bytes_; }  ///< its content

  static std::string place(const toml::source_region& source);
  static std::string place(const toml::node& node) { return place(node.source()); }
  /// The same, and empty for values that were never a file.
  std::string place_of(const toml::node& node) const { return bytes_.empty() ? "" : place(node); }

  [[noreturn]] void fail(const toml::node& node, const std::string& wrong,
                         const std::string& right = "") const;
  [[noreturn]] void fail_limit(const toml::node& node, const std::string& message) const;

  /// Every key of `table` must be one of `known`. `where` is how messages call the table.
  void require_known_keys(const toml::table& table, const std::string& where,
                          const std::vector<std::string>& known) const;
  /// Refuses each of these keys of `table`: "KEY WRONG; RIGHT".
  void refuse_keys(const toml::table& table, const std::vector<std::string>& keys, const std::string& wrong,
                   const std::string& right) const;
  /// Refuses a node that is not `expected`, saying what it is instead; a float is quoted as it was written.
  [[noreturn]] void wrong_type(const toml::node& node, const std::string& name,
                               const std::string& expected) const;

  // Typed access. `name` is how messages call the value.
  const toml::table& table(const toml::node& node, const std::string& name,
                           const std::string& expected) const;
  std::int64_t integer(const toml::node& node, const std::string& name) const;
  std::string text(const toml::node& node, const std::string& name) const;
  bool boolean(const toml::node& node, const std::string& name) const;
  /// An exact number: an integer or a numeric string.
  mpq_class number(const toml::node& node, const std::string& name) const;
  /// The same, which must be an integer.
  mpz_class whole_number(const toml::node& node, const std::string& name) const;

private:
  void require_harmless_keys() const;
  std::string written_float(const toml::node& node) const;
  [[noreturn]] void refuse_float(const toml::node& node, const std::string& name) const;

  std::string name_;
  std::string bytes_;
  toml::table root_;
};

}  // namespace attest
