#include "input/exact_array.hpp"

#include <utility>

namespace attest {

ExactArray::ExactArray(std::vector<std::size_t> shape, Storage storage)
    : shape_(std::move(shape)), storage_(std::move(storage)) {}

std::size_t ExactArray::size() const {
  return std::visit([](const auto& entries) { return entries.size(); }, storage_);
}

mpq_class ExactArray::at(std::size_t flat) const {
  struct Entry {
    std::size_t flat;
    mpq_class operator()(const std::vector<double>& v) const { return mpq_class(v[flat]); }
    mpq_class operator()(const std::vector<std::int64_t>& v) const {
      static_assert(sizeof(long) == sizeof(std::int64_t));
      return mpq_class(static_cast<long>(v[flat]));
    }
    mpq_class operator()(const std::vector<mpq_class>& v) const { return v[flat]; }
  };
  return std::visit(Entry{flat}, storage_);
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace attest
