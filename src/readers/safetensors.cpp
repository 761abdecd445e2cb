// The header of a .safetensors file.
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "base/meter.hpp"
#include "base/text.hpp"
#include "readers/array_layout.hpp"

namespace attest {
namespace {

/// One tensor as the header of a .safetensors file describes it.
struct TensorEntry {
  std::optional<std::string> type;
  std::optional<std::vector<std::uint64_t>> shape, offsets;
};

/// Receives the JSON header piece by piece. It accepts exactly what the format allows, so that neither deep
/// nesting nor duplicate keys nor numbers that are not sizes get any further.
class HeaderHandler : public nlohmann::json_sax<nlohmann::json> {
public:
  std::map<std::string, TensorEntry> tensors;
  std::string defect;  ///< what is wrong, after a parse that returned false

  bool null() override { return reject("a null"); }
  bool boolean(bool) override { return reject("a boolean"); }
  bool number_integer(number_integer_t) override { return reject("a negative number"); }
  bool number_float(number_float_t, const string_t&) override {
    return reject("a number that is not a size");
  }
  bool binary(binary_t&) override { return reject("binary data"); }
  bool number_unsigned(number_unsigned_t value) override {
    if (list_ == nullptr) return reject("a number where none belongs");
    if (list_->size() == 64) return reject("a list with more than 64 numbers");
    list_->push_back(value);
    return true;
  }
  bool string(string_t& value) override {
    if (depth_ == 2 && metadata_) return true;
    if (depth_ != 2 || list_ != nullptr || field_ != "dtype") return reject("a string where none belongs");
    if (entry_->type) return reject("the key \"dtype\" twice");
    entry_->type = value;
    return true;
  }
  bool start_object(std::size_t) override {
    if (depth_ == 2 || list_ != nullptr) return reject("an object where none belongs");
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ == 1) {
      metadata_ = name == "__metadata__";
      if (metadata_) {
        if (metadata_seen_) return reject("the key \"__metadata__\" twice");
        metadata_seen_ = true;
        metadata_keys_.clear();
        return true;
      }
      const auto [position, fresh] = tensors.try_emplace(name);
      entry_ = &position->second;
      return fresh || reject("the tensor " + in_quotes(name) + " twice");
    }
    field_ = name;
    if (metadata_)
      return metadata_keys_.emplace(name, 0).second || reject("the key " + in_quotes(name) + " twice");
    if (name != "dtype" && name != "shape" && name != "data_offsets") {
      return reject("the unknown key " + in_quotes(name));
    }
    return true;
  }
  bool end_object() override {
    if (depth_ == 2 && !metadata_ && (!entry_->type || !entry_->shape || !entry_->offsets)) {
      return reject("a tensor without \"dtype\", \"shape\" or \"data_offsets\"");
    }
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ != 2 || metadata_ || list_ != nullptr) return reject("a list where none belongs");
    auto* const target =
        field_ == "shape" ? &entry_->shape : (field_ == "data_offsets" ? &entry_->offsets : nullptr);
    if (target == nullptr) return reject("a list where none belongs");
    if (*target) return reject("the key " + in_quotes(field_) + " twice");
    list_ = &target->emplace();
    return true;
  }
  bool end_array() override {
    list_ = nullptr;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    defect = "the header is not JSON (byte " + std::to_string(position) + " of it)";
    return false;
  }

private:
  bool reject(const std::string& what) {
    defect = "the header has " + what;
    return false;
  }

  int depth_ = 0;
  bool metadata_ = false, metadata_seen_ = false;
  std::map<std::string, int> metadata_keys_;
  std::string field_;
  TensorEntry* entry_ = nullptr;
  std::vector<std::uint64_t>* list_ = nullptr;
};

constexpr std::uint64_t kMostJson = 100'000'000;  // that of the reference implementation
constexpr const char* kWriteAgain = "write the file with the safetensors library";

/// Where the tensors lie in `data_size` bytes, which they must fill without gap or overlap, each with as many
/// bytes as its shape says.
std::map<std::string, Layout> placed(const File& file, std::map<std::string, TensorEntry>& tensors,
                                     std::uint64_t data_size) {
  std::map<std::string, Layout> layouts;
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::string>> ranges;
  for (auto& [name, entry] : tensors) {
    Layout& layout = layouts[name];
    layout.place = "tensor " + one_line(name, 60);
    if (entry.offsets->size() != 2 || (*entry.offsets)[0] > (*entry.offsets)[1])
      file.fail(layout.place, "data_offsets is not [begin, end] with begin <= end", kWriteAgain);
    const std::uint64_t begin = (*entry.offsets)[0], end = (*entry.offsets)[1];
    if (end > data_size) {
      file.fail(layout.place,
                "its bytes end at " + std::to_string(end) + ", but the file has " +
                    std::to_string(data_size) + " bytes of data",
                "the file is truncated or damaged; write it anew");
    }
    const EntryType* const type = tensor_type(*entry.type);
    if (type != nullptr && byte_count(*entry.shape, type->width) != end - begin) {
      file.fail(layout.place,
                "shape " + shape_text(*entry.shape) + " of dtype " + *entry.type +
                    " does not agree with its " + std::to_string(end - begin) + " bytes",
                kWriteAgain);
    }
    layout.type = type != nullptr && type->load != nullptr ? type : nullptr;
    layout.type_name = std::move(*entry.type);
    layout.shape = std::move(*entry.shape);
    layout.bytes = file.bytes.substr(file.bytes.size() - data_size + begin, end - begin);
    ranges.emplace_back(begin, end, name);
  }
  std::sort(ranges.begin(), ranges.end());
  std::uint64_t filled = 0;
  for (const auto& [begin, end, name] : ranges) {
    if (begin != filled) {
      file.fail(layouts[name].place,
                begin < filled ? "its bytes overlap those of another tensor"
                               : "there is a gap in the data before it",
                kWriteAgain);
    }
    filled = end;
  }
  if (filled != data_size)
    file.fail("", "there are " + std::to_string(data_size - filled) + " bytes after the last tensor",
              kWriteAgain);
  return layouts;
}

}  // namespace

std::map<std::string, Layout> tensor_layouts(const File& file) {
  if (file.bytes.size() < 8) file.fail("", "the file is too short for a .safetensors file", kWriteAgain);
  std::uint64_t length = 0;
  std::memcpy(&length, file.bytes.substr(0, 8).data(), 8);
  if (length > file.bytes.size() - 8 || length > kMostJson) {
    file.fail("",
              "the header should have " + std::to_string(length) + " bytes, but the file has " +
                  std::to_string(file.bytes.size() - 8) + " after its first 8",
              length > kMostJson ? "a header has at most 100000000 bytes; is this a .safetensors file?"
                                 : "the file is truncated or is not a .safetensors file");
  }
  meter().work(20 * length);
  const std::string_view header = file.bytes.substr(8, length);
  if (header.empty() || header[0] != '{') file.fail("", "the header does not start with '{'", kWriteAgain);
  // The parser takes it for the end, and would leave the rest unread.
  if (header.find('\0') != std::string_view::npos) file.fail("", "a NUL byte in the header", kWriteAgain);
  HeaderHandler handler;
  if (!nlohmann::json::sax_parse(header, &handler)) file.fail("", handler.defect, kWriteAgain);
  return placed(file, handler.tensors, file.bytes.size() - 8 - length);
}

}  // namespace attest
