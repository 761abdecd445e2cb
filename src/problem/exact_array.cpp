#include "problem/exact_array.hpp"

#include <type_traits>
#include <utility>

#include "base/text.hpp"

namespace attest {

ExactArray::ExactArray(std::vector<std::size_t> shape, Storage storage, std::shared_ptr<const void> owner)
    : shape_(std::move(shape)), storage_(std::move(storage)), owner_(std::move(owner)) {}

std::size_t ExactArray::size() const {
  return std::visit([](const auto& entries) { return entries.size(); }, storage_);
}

std::size_t ExactArray::bytes() const {
  return std::visit([](const auto& entries) { return entries.size() * sizeof entries[0]; }, storage_);
}

mpq_class ExactArray::at(std::size_t flat) const {
  static_assert(sizeof(long) == sizeof(std::int64_t));  // mpq_class knows long
  return std::visit([&](const auto& entries) { return mpq_class(entries[flat]); }, storage_);
}

ExactArray ExactArray::rows(const std::vector<std::size_t>& index, std::size_t width) const {
  return std::visit(
      [&](const auto& entries) {
        std::vector<typename std::decay_t<decltype(entries)>::value_type> picked;
        picked.reserve(index.size() * width);
        for (const std::size_t row : index) {
          const auto first = entries.begin() + static_cast<std::ptrdiff_t>(row * width);
          picked.insert(picked.end(), first, first + static_cast<std::ptrdiff_t>(width));
        }
        return ExactArray({index.size(), width}, std::move(picked));
      },
      storage_);
}

ExactArray ExactArray::view() const {
  return std::visit(
      [&](const auto& entries) -> ExactArray {
        using Entry = typename std::decay_t<decltype(entries)>::value_type;
        if constexpr (std::is_arithmetic_v<Entry>)
          return ExactArray(shape_, Borrowed<Entry>(entries.data(), entries.size()));
        else
          return *this;
      },
      storage_);
}

ExactArray ExactArray::reshaped(std::vector<std::size_t> shape) && {
  return ExactArray(std::move(shape), std::move(storage_), std::move(owner_));
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  return std::string("(").append(integer_list(shape, ", ")) + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace attest
