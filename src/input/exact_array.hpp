// An array of exact numbers as it was read: binary64 values, integers or rationals, never rounded.
#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace attest {

/// A dense row-major array. Every entry is an exact rational number; binary floating-point files are kept as
/// `double` (binary16, bfloat16 and binary32 values are exact there) so that large arrays stay small.
class ExactArray {
public:
  using Storage = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<mpq_class>>;

  ExactArray() = default;
  /// Precondition: `storage` holds the product of `shape` entries; doubles are finite; rationals canonical.
  ExactArray(std::vector<std::size_t> shape, Storage storage);

  const std::vector<std::size_t>& shape() const { return shape_; }
  const Storage& storage() const { return storage_; }
  std::size_t size() const;
  /// The entry at row-major position `flat`, exactly. Precondition: flat < size().
  mpq_class at(std::size_t flat) const;

private:
  std::vector<std::size_t> shape_;
  Storage storage_;
};

/// "(3, 4)" as numpy prints it.
std::string shape_text(const std::vector<std::size_t>& shape);

}  // namespace attest
