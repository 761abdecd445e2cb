// The header of a .safetensors file.
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "base/meter.hpp"
#include "base/text.hpp"
#include "input/array_layout.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kMostHeader = 100'000'000;  // that of the reference implementation
constexpr const char* kRewrite = "write the file with the safetensors library";

using Json = nlohmann::json;

/// The header as JSON without a key twice. It is no deeper than it has to be, so that nothing is built of
/// what is.
Json parsed(const File& file, std::string_view text) {
  std::vector<std::set<std::string>> keys;
  const auto look = [&](int depth, Json::parse_event_t event, const Json& value) {
    if (depth > 3) file.fail("", "the header has a list or an object where none belongs", kRewrite);
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
      file.fail("", "the header has the key " + in_quotes(value.get<std::string>()) + " twice", kRewrite);
    return true;
  };
  try {
    return Json::parse(text, look);
  } catch (const Json::parse_error& error) {
    file.fail("", "the header is not JSON (byte " + std::to_string(error.byte) + " of it)", kRewrite);
  }
}

std::optional<std::vector<std::uint64_t>> sizes(const Json& list) {
  if (!list.is_array() || list.size() > 64) return std::nullopt;
  for (const Json& entry : list)
    if (!entry.is_number_unsigned()) return std::nullopt;
  return list.get<std::vector<std::uint64_t>>();
}

/// Where the tensors lie in `data_size` bytes, which they must fill without gap or overlap, each with as many
/// bytes as its shape says.
std::map<std::string, Layout> placed(const File& file, const Json& header, std::uint64_t data_size) {
  std::map<std::string, Layout> layouts;
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::string>> ranges;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      const auto is_text = [](const Json& value) { return value.is_string(); };
      if (!entry.is_object() || !std::all_of(entry.begin(), entry.end(), is_text))
        file.fail("", "__metadata__ is no table of strings", kRewrite);
      continue;
    }
    Layout& layout = layouts[name];
    layout.place = "tensor " + one_line(name, 60);
    if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") || !entry.contains("shape") ||
        !entry.contains("data_offsets"))
      file.fail(layout.place, "it is not described by dtype, shape and data_offsets", kRewrite);
    const Json& dtype = entry["dtype"];
    const auto shape = sizes(entry["shape"]), offsets = sizes(entry["data_offsets"]);
    if (!dtype.is_string()) file.fail(layout.place, "dtype is no string", kRewrite);
    if (!shape) file.fail(layout.place, "shape is no list of at most 64 sizes", kRewrite);
    if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
      file.fail(layout.place, "data_offsets is not [begin, end] with begin <= end", kRewrite);
    const std::uint64_t begin = (*offsets)[0], end = (*offsets)[1];
    if (end > data_size) {
      file.fail(layout.place,
                "its bytes end at " + std::to_string(end) + ", but the file has " +
                    std::to_string(data_size) + " bytes of data",
                "the file is truncated or damaged; write it anew");
    }
    layout.type_name = dtype.get<std::string>();
    layout.shape = *shape;
    layout.bytes = file.bytes.substr(file.bytes.size() - data_size + begin, end - begin);
    const EntryType* const type = tensor_type(layout.type_name);
    if (type != nullptr && byte_count(layout.shape, type->width) != end - begin) {
      file.fail(layout.place,
                "shape " + shape_text(layout.shape) + " of dtype " + layout.type_name +
                    " does not agree with its " + std::to_string(end - begin) + " bytes",
                kRewrite);
    }
    layout.type = type != nullptr && type->load != nullptr ? type : nullptr;
    ranges.emplace_back(begin, end, name);
  }
  std::sort(ranges.begin(), ranges.end());
  std::uint64_t filled = 0;
  for (const auto& [begin, end, name] : ranges) {
    if (begin != filled) {
      file.fail(layouts[name].place,
                begin < filled ? "its bytes overlap those of another tensor"
                               : "there is a gap in the data before it",
                kRewrite);
    }
    filled = end;
  }
  if (filled != data_size)
    file.fail("", "there are " + std::to_string(data_size - filled) + " bytes after the last tensor",
              kRewrite);
  return layouts;
}

}  // namespace

std::map<std::string, Layout> tensor_layouts(const File& file) {
  if (file.bytes.size() < 8) file.fail("", "the file is too short for a .safetensors file", kRewrite);
  std::uint64_t length = 0;
  std::memcpy(&length, file.bytes.substr(0, 8).data(), 8);
  if (length > file.bytes.size() - 8 || length > kMostHeader) {
    file.fail("",
              "the header should have " + std::to_string(length) + " bytes, but the file has " +
                  std::to_string(file.bytes.size() - 8) + " after its first 8",
              length > kMostHeader ? "a header has at most 100000000 bytes; is this a .safetensors file?"
                                   : "the file is truncated or is not a .safetensors file");
  }
  meter().work(20 * length);
  const std::string_view header = file.bytes.substr(8, length);
  if (header.empty() || header[0] != '{') file.fail("", "the header does not start with '{'", kRewrite);
  // The parser takes it for the end, and would leave the rest unread.
  if (header.find('\0') != std::string_view::npos) file.fail("", "a NUL byte in the header", kRewrite);
  return placed(file, parsed(file, header), file.bytes.size() - 8 - length);
}

}  // namespace attest
