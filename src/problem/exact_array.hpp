// An array of exact numbers as it was read: binary floats, integers or rationals, never rounded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/integers.hpp"

namespace attest {

/// Entries that lie in somebody else's memory, which outlives the array, or which the array keeps.
template <typename Entry>
class Borrowed : public std::span<const Entry> {
public:
  using std::span<const Entry>::span;
  bool operator==(const Borrowed& other) const {
    return std::equal(this->begin(), this->end(), other.begin(), other.end());
  }
};

/// A dense row-major array. Every entry is an exact rational number. Binary floating-point files are kept as
/// they are (binary16 and bfloat16 as binary32), so that large arrays need no more memory than their files.
class ExactArray {
public:
  using Storage =
      std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>, std::vector<mpq_class>,
                   Borrowed<double>, Borrowed<float>, Borrowed<std::int64_t>>;

  ExactArray() = default;
  /// Precondition: `storage` holds the product of `shape` entries; floats are finite; rationals canonical.
  /// `owner` of borrowed entries, if the array has to keep them.
  ExactArray(std::vector<std::size_t> shape, Storage storage, std::shared_ptr<const void> owner = nullptr);

  const std::vector<std::size_t>& shape() const { return shape_; }
  const Storage& storage() const { return storage_; }
  std::size_t size() const;
  /// Bytes that the entries occupy, without the limbs of rationals.
  std::size_t bytes() const;
  /// The entry at row-major position `flat`, exactly. Precondition: flat < size().
  mpq_class at(std::size_t flat) const;

  /// The entries as rows of length `width`, of these the rows `index`, as an array (rows, width).
  /// Precondition: they exist.
  ExactArray rows(const std::vector<std::size_t>& index, std::size_t width) const;

  /// The same array, which borrows the entries of this one unless they are rationals. Valid as long as this.
  ExactArray view() const;

  /// The same entries in another shape of as many entries.
  ExactArray reshaped(std::vector<std::size_t> shape) &&;

private:
  std::vector<std::size_t> shape_;
  Storage storage_;
  std::shared_ptr<const void> owner_;
};

/// "(3, 4)" as numpy prints it.
std::string shape_text(const std::vector<std::size_t>& shape);

}  // namespace attest
