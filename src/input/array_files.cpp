#include "input/array_files.hpp"

#include <fcntl.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <type_traits>

#include "base/errors.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"

namespace attest {
namespace {

static_assert(std::endian::native == std::endian::little, "the readers copy little-endian values");

/// The bytes of a file, or no more of them than its header and how many there are; errors name it.
class File {
public:
  File(std::string_view bytes, std::string name) : File(bytes, bytes.size(), std::move(name)) {}
  File(std::string_view bytes, std::uint64_t size, std::string name)
      : bytes_(bytes), size_(size), name_(std::move(name)) {}

  std::uint64_t size() const { return size_; }
  /// Precondition: offset <= size(). There are fewer bytes at the end of the file.
  std::string_view read(std::uint64_t offset, std::uint64_t count) const {
    return bytes_.substr(offset, count);
  }

  [[noreturn]] void fail(const std::string& place, const std::string& wrong, const std::string& right) const {
    throw InputError(name_, place, wrong, right);
  }

private:
  std::string_view bytes_;
  std::uint64_t size_;
  std::string name_;
};

enum class Type { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };

std::size_t width(Type type) {
  switch (type) {
    case Type::f64:
    case Type::i64:
      return 8;
    case Type::f32:
    case Type::i32:
      return 4;
    case Type::f16:
    case Type::bf16:
    case Type::i16:
      return 2;
    case Type::i8:
    case Type::u8:
    case Type::boolean:
      return 1;
  }
  return 0;
}

float half_to_float(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    magnitude = mantissa == 0 ? HUGE_VALF : std::nanf("");
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(mantissa), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

float bfloat_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

template <typename T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <typename T>
T load_swapped(const char* bytes) {
  char swapped[sizeof(T)];
  std::reverse_copy(bytes, bytes + sizeof(T), swapped);
  return load<T>(swapped);
}

/// a * b, or nothing when that does not fit.
std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) return std::nullopt;
  return out;
}

std::optional<std::uint64_t> entry_count(const std::vector<std::size_t>& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::optional<std::uint64_t> count = 1;
  for (const std::size_t extent : shape) {
    if (count) count = product(*count, extent);
  }
  return count;
}

/// Moves entries from Fortran (first index fastest) to row-major order.
template <typename T>
std::vector<T> to_row_major(const std::vector<T>& entries, const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> stride(shape.size(), 1);
  for (std::size_t k = shape.size(); k-- > 1;) stride[k - 1] = stride[k] * shape[k];
  std::vector<T> out(entries.size());
  std::vector<std::size_t> index(shape.size(), 0);
  std::size_t flat = 0;
  for (const T& entry : entries) {
    out[flat] = entry;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      flat += stride[k];
      if (++index[k] < shape[k]) break;
      flat -= index[k] * stride[k];
      index[k] = 0;
    }
  }
  return out;
}

/// What is known of an array once its header was read.
struct Layout {
  Type type = Type::f64;
  bool big_endian = false, fortran = false;
  std::vector<std::size_t> shape;
  std::uint64_t offset = 0;  ///< of its bytes in the file
  std::string place;         ///< "tensor NAME", or empty

  std::string entry_place(std::size_t flat) const {
    return (place.empty() ? "" : place + ", ") + "index " + index_text(unflatten(flat, shape));
  }
};

/// The entries, stored as `Entry` each, converted by `convert` from the type `Raw` of the file.
template <typename Raw, typename Entry, typename Convert>
std::vector<Entry> entries_as(const char* bytes, std::size_t count, const Layout& layout, Convert convert) {
  std::vector<Entry> out(count);
  if (layout.big_endian) {
    for (std::size_t i = 0; i < count; ++i) out[i] = convert(load_swapped<Raw>(bytes + i * sizeof(Raw)));
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] = convert(load<Raw>(bytes + i * sizeof(Raw)));
  }
  if (layout.fortran) return to_row_major(out, layout.shape);
  return out;
}

template <typename Raw, typename Entry>
std::vector<Entry> entries_of(const char* bytes, std::size_t count, const Layout& layout) {
  return entries_as<Raw, Entry>(bytes, count, layout, [](Raw raw) { return static_cast<Entry>(raw); });
}

ExactArray::Storage load_entries(const char* bytes, std::size_t count, const Layout& layout) {
  switch (layout.type) {
    case Type::f64:
      return entries_of<double, double>(bytes, count, layout);
    case Type::f32:
      return entries_of<float, float>(bytes, count, layout);
    case Type::f16:
      return entries_as<std::uint16_t, float>(bytes, count, layout, half_to_float);
    case Type::bf16:
      return entries_as<std::uint16_t, float>(bytes, count, layout, bfloat_to_float);
    case Type::i64:
      return entries_of<std::int64_t, std::int64_t>(bytes, count, layout);
    case Type::i32:
      return entries_of<std::int32_t, std::int64_t>(bytes, count, layout);
    case Type::i16:
      return entries_of<std::int16_t, std::int64_t>(bytes, count, layout);
    case Type::i8:
      return entries_of<std::int8_t, std::int64_t>(bytes, count, layout);
    case Type::u8:
    case Type::boolean:
      break;
  }
  return entries_of<std::uint8_t, std::int64_t>(bytes, count, layout);
}

/// The entries where they are, when they are stored as an ExactArray stores them.
std::optional<ExactArray::Storage> borrowed(const char* bytes, std::size_t count, const Layout& layout) {
  if (layout.big_endian || (layout.fortran && layout.shape.size() > 1)) return std::nullopt;
  if (reinterpret_cast<std::uintptr_t>(bytes) % width(layout.type) != 0) return std::nullopt;
  if (layout.type == Type::f64) return Borrowed<double>(reinterpret_cast<const double*>(bytes), count);
  if (layout.type == Type::f32) return Borrowed<float>(reinterpret_cast<const float*>(bytes), count);
  if (layout.type == Type::i64)
    return Borrowed<std::int64_t>(reinterpret_cast<const std::int64_t*>(bytes), count);
  return std::nullopt;
}

/// Reads the entries, in place if `in_place` and possible, and then kept by `owner`. Precondition: the file
/// holds as many bytes from `offset` on as the layout says.
ExactArray read_entries(const File& file, const Layout& layout, const Reserve& reserve, bool in_place,
                        const Owner& owner = nullptr) {
  const std::size_t count = *entry_count(layout.shape);
  if (count == 0) {
    file.fail(layout.place, "the array is empty: its shape is " + shape_text(layout.shape),
              "give an array with at least one entry");
  }
  const bool single = layout.type == Type::f32 || layout.type == Type::f16 || layout.type == Type::bf16;
  const char* const bytes = file.read(layout.offset, count * width(layout.type)).data();
  std::optional<ExactArray::Storage> storage;
  if (in_place) storage = borrowed(bytes, count, layout);
  const bool used_in_place = storage.has_value();
  if (!used_in_place) {
    // Twice while the entries are brought into row-major order.
    reserve((single ? sizeof(float) : sizeof(double)) * count * (layout.fortran ? 2 : 1));
    storage = load_entries(bytes, count, layout);
  }
  ExactArray array(layout.shape, std::move(*storage), used_in_place ? owner : nullptr);
  std::visit(
      [&](const auto& entries) {
        using Entry = typename std::decay_t<decltype(entries)>::value_type;
        if constexpr (std::is_floating_point_v<Entry>) {
          for (std::size_t i = 0; i < count; ++i) {
            if (std::isfinite(entries[i])) continue;
            file.fail(layout.entry_place(i),
                      std::isnan(entries[i]) ? "the entry is not a number (NaN)" : "the entry is infinite",
                      "every entry must be finite");
          }
        } else if constexpr (std::is_integral_v<Entry>) {
          for (std::size_t i = 0; layout.type == Type::boolean && i < count; ++i) {
            if (entries[i] > 1) {
              file.fail(layout.entry_place(i), "the truth value is stored as " + std::to_string(entries[i]),
                        "it must be 0 or 1");
            }
          }
        }
      },
      array.storage());
  return array;
}

/// The header of a .npy file: a Python dictionary with exactly the keys descr, fortran_order and shape.
class NpyHeader {
public:
  NpyHeader(const File& file, std::string text) : file_(file), text_(std::move(text)) {}

  Layout read() {
    expect('{');
    while (!eat('}')) {
      const std::string key = string();
      expect(':');
      read_value(key);
      if (!eat(',')) {
        expect('}');
        break;
      }
    }
    blanks();
    if (position_ != text_.size()) fail("the header goes on after its closing brace");
    if (!descr_ || !fortran_ || !shape_) fail("the header lacks 'descr', 'fortran_order' or 'shape'");
    Layout layout;
    read_type(layout);
    layout.fortran = *fortran_;
    layout.shape = std::move(*shape_);
    return layout;
  }

private:
  void read_value(const std::string& key) {
    if (key == "descr" && !descr_) {
      blanks();
      if (position_ < text_.size() && text_[position_] == '[') {
        file_.fail("", "structured dtypes are not supported", kTypes);
      }
      descr_ = string();
    } else if (key == "fortran_order" && !fortran_) {
      fortran_ = boolean();
    } else if (key == "shape" && !shape_) {
      shape_ = tuple();
    } else {
      fail("the header has an unknown or a repeated key " + in_quotes(key));
    }
  }
  /// A byte order (| only where there is none) and a type.
  void read_type(Layout& layout) const {
    static const std::map<std::string, Type> types = {
        {"f8", Type::f64}, {"f4", Type::f32}, {"f2", Type::f16}, {"i8", Type::i64},    {"i4", Type::i32},
        {"i2", Type::i16}, {"i1", Type::i8},  {"u1", Type::u8},  {"b1", Type::boolean}};
    const std::string& text = *descr_;
    const auto found = types.find(text.empty() ? "" : text.substr(1));
    const bool one_byte = found != types.end() && width(found->second) == 1;
    if (found == types.end() || (text[0] != '<' && text[0] != '>' && !(one_byte && text[0] == '|'))) {
      file_.fail("", "dtype " + in_quotes(text) + " is not supported", kTypes);
    }
    layout.type = found->second;
    layout.big_endian = text[0] == '>';
  }

  [[noreturn]] void fail(const std::string& wrong) const {
    file_.fail("", wrong, "write the file with numpy.save");
  }
  void blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
  }
  bool eat(char c) {
    blanks();
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!eat(c)) fail("the header is not valid: '" + std::string(1, c) + "' is missing");
  }
  std::string string() {
    const char quote = eat('\'') ? '\'' : (expect('"'), '"');
    const std::size_t end = text_.find(quote, position_);
    if (end == std::string::npos) fail("the header is not valid: a string does not end");
    std::string out = text_.substr(position_, end - position_);
    position_ = end + 1;
    return out;
  }
  bool boolean() {
    blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.compare(position_, word.size(), word) == 0) {
        position_ += word.size();
        return value;
      }
    }
    fail("the header is not valid: fortran_order is neither True nor False");
  }
  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> out;
    expect('(');
    while (!eat(')')) {
      if (out.size() == 32) fail("the shape has more than 32 dimensions");
      out.push_back(number());
      if (!eat(',')) {
        expect(')');
        break;
      }
    }
    return out;
  }
  std::size_t number() {
    blanks();
    const std::size_t begin = position_;
    std::uint64_t value = 0;
    for (; position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9'; ++position_) {
      const auto digit = static_cast<std::uint64_t>(text_[position_] - '0');
      if (value > (UINT64_MAX - digit) / 10) fail("the shape has an absurd dimension");
      value = 10 * value + digit;
    }
    if (position_ == begin) fail("the header is not valid: the shape is not a tuple of integers");
    return value;
  }

  static constexpr const char* kTypes =
      "supported are f8, f4, f2, i8, i4, i2, i1, u1 and b1 (convert with numpy's astype)";
  const File& file_;
  std::string text_;
  std::size_t position_ = 0;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_;
  std::optional<std::vector<std::size_t>> shape_;
};

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

/// Bytes of an entry of any dtype that the format knows; 0 for others.
std::size_t dtype_width(const std::string& dtype) {
  for (const char* const name : {"BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2"}) {
    if (dtype == name) return 1;
  }
  for (const char* const name : {"U16", "I16", "F16", "BF16"}) {
    if (dtype == name) return 2;
  }
  for (const char* const name : {"U32", "I32", "F32"}) {
    if (dtype == name) return 4;
  }
  for (const char* const name : {"U64", "I64", "F64"}) {
    if (dtype == name) return 8;
  }
  return 0;
}

std::optional<Type> supported_type(const std::string& dtype) {
  static const std::map<std::string, Type> types = {
      {"F64", Type::f64}, {"F32", Type::f32},     {"F16", Type::f16}, {"BF16", Type::bf16},
      {"I64", Type::i64}, {"I32", Type::i32},     {"I16", Type::i16}, {"I8", Type::i8},
      {"U8", Type::u8},   {"BOOL", Type::boolean}};
  const auto found = types.find(dtype);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

constexpr std::size_t kMaxNpyHeader = 1 << 16;
constexpr std::uint64_t kMaxTensorHeader = 100'000'000;  // that of the reference implementation
constexpr const char* kRewrite = "write the file with the safetensors library";

/// The tensors must fill the data section without gap or overlap, each with as many bytes as its shape says.
void check_offsets(const File& file, const std::map<std::string, TensorEntry>& tensors,
                   std::uint64_t data_size) {
  struct Range {
    std::uint64_t begin, end;
    std::string name;
  };
  std::vector<Range> ranges;
  for (const auto& [name, entry] : tensors) {
    const std::string place = "tensor " + one_line(name, 60);
    if (entry.offsets->size() != 2 || (*entry.offsets)[0] > (*entry.offsets)[1]) {
      file.fail(place, "data_offsets is not [begin, end] with begin <= end", kRewrite);
    }
    const std::uint64_t begin = (*entry.offsets)[0], end = (*entry.offsets)[1];
    if (end > data_size) {
      file.fail(place,
                "its bytes end at " + std::to_string(end) + ", but the file has " +
                    std::to_string(data_size) + " bytes of data",
                "the file is truncated or damaged; write it anew");
    }
    const std::size_t entry_width = dtype_width(*entry.type);
    if (entry_width > 0) {
      const auto count = entry_count(*entry.shape);
      const auto bytes = count ? product(*count, entry_width) : std::nullopt;
      if (bytes != end - begin) {
        file.fail(place,
                  "shape " + shape_text(*entry.shape) + " of dtype " + *entry.type +
                      " does not agree with its " + std::to_string(end - begin) + " bytes",
                  kRewrite);
      }
    }
    ranges.push_back({begin, end, name});
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  std::uint64_t filled = 0;
  for (const Range& range : ranges) {
    if (range.begin != filled) {
      file.fail("tensor " + one_line(range.name, 60),
                range.begin < filled ? "its bytes overlap those of another tensor"
                                     : "there is a gap in the data before it",
                kRewrite);
    }
    filled = range.end;
  }
  if (filled != data_size) {
    file.fail("", "there are " + std::to_string(data_size - filled) + " bytes after the last tensor",
              kRewrite);
  }
}

struct SafetensorsHeader {
  std::map<std::string, TensorEntry> tensors;  ///< complete and within the file
  std::uint64_t data = 0;                      ///< where the data section begins
};

SafetensorsHeader read_safetensors_header(const File& file) {
  if (file.size() < 8) file.fail("", "the file is too short for a .safetensors file", kRewrite);
  const auto length = load<std::uint64_t>(file.read(0, 8).data());
  if (length > file.size() - 8 || length > kMaxTensorHeader) {
    file.fail("",
              "the header should have " + std::to_string(length) + " bytes, but the file has " +
                  std::to_string(file.size() - 8) + " after its first 8",
              length > kMaxTensorHeader ? "a header has at most 100000000 bytes; is this a .safetensors file?"
                                        : "the file is truncated or is not a .safetensors file");
  }
  const std::string_view header = file.read(8, length);
  if (header.empty() || header[0] != '{') file.fail("", "the header does not start with '{'", kRewrite);
  // The parser takes it for the end, and would leave the rest unread.
  if (header.find('\0') != std::string_view::npos) file.fail("", "a NUL byte in the header", kRewrite);
  HeaderHandler handler;
  if (!nlohmann::json::sax_parse(header, &handler)) file.fail("", handler.defect, kRewrite);
  check_offsets(file, handler.tensors, file.size() - 8 - length);
  return {std::move(handler.tensors), 8 + length};
}

/// Refuses a .npy header that does not agree with the number of bytes after it.
void check_size(const File& file, const Layout& layout, std::uint64_t data_size) {
  const auto count = entry_count(layout.shape);
  const auto needed = count ? product(*count, width(layout.type)) : std::nullopt;
  if (needed == data_size) return;
  file.fail("",
            "shape " + shape_text(layout.shape) + " needs " +
                (needed ? std::to_string(*needed) : std::string("more than 2^64")) +
                " bytes of data, but the file has " + std::to_string(data_size),
            "the file is truncated, damaged or has something appended; write it anew");
}

Layout npy_layout(const File& file) {
  const auto truncated = [&]() {
    file.fail("", "the file ends within its header", "the file is truncated or damaged; write it anew");
  };
  const std::string_view magic = file.read(0, 8);
  if (magic.size() < 6 || magic.compare(0, 6, "\x93NUMPY") != 0) {
    file.fail("", "this is not a .npy file: it does not start with \"\\x93NUMPY\"",
              "write it with numpy.save");
  }
  if (magic.size() < 8) truncated();
  const int major = static_cast<unsigned char>(magic[6]);
  if (major < 1 || major > 3 || magic[7] != 0) {
    file.fail("",
              "npy format " + std::to_string(major) + "." +
                  std::to_string(static_cast<unsigned char>(magic[7])) + " is not supported",
              "supported are 1.0, 2.0 and 3.0");
  }
  const std::size_t length_width = major == 1 ? 2 : 4;
  if (file.size() < 8 + length_width) truncated();
  const std::string_view length_bytes = file.read(8, length_width);
  const std::size_t length =
      major == 1 ? load<std::uint16_t>(length_bytes.data()) : load<std::uint32_t>(length_bytes.data());
  if (length > file.size() - 8 - length_width) truncated();
  if (length > kMaxNpyHeader) {
    file.fail("", "the header has " + std::to_string(length) + " bytes",
              "at most " + std::to_string(kMaxNpyHeader) + " are expected; write the file with numpy.save");
  }
  Layout layout = NpyHeader(file, std::string(file.read(8 + length_width, length))).read();
  layout.offset = 8 + length_width + length;
  check_size(file, layout, file.size() - layout.offset);
  return layout;
}

Layout tensor_layout(const File& file, const std::string& tensor) {
  const SafetensorsHeader header = read_safetensors_header(file);
  const auto found = header.tensors.find(tensor);
  if (found == header.tensors.end()) {
    std::vector<std::string> names;
    for (const auto& [known, entry] : header.tensors) names.push_back(one_line(known, 60));
    if (names.size() > 30) {
      names.resize(30);
      names.push_back("...");
    }
    file.fail("", "there is no tensor " + in_quotes(tensor),
              names.empty() ? "the file has no tensors" : "the file has " + joined(names));
  }
  const TensorEntry& entry = found->second;
  Layout layout;
  layout.place = "tensor " + one_line(tensor, 60);
  const auto type = supported_type(*entry.type);
  if (!type) {
    file.fail(layout.place, "dtype " + in_quotes(*entry.type) + " is not supported",
              "supported are F64, F32, F16, BF16, I64, I32, I16, I8, U8 and BOOL");
  }
  layout.type = *type;
  layout.shape = *entry.shape;
  layout.offset = header.data + (*entry.offsets)[0];
  return layout;
}

std::map<std::string, std::map<std::string, MemoryArray>>& memory_files() {
  static std::map<std::string, std::map<std::string, MemoryArray>> files;
  return files;
}

std::string last_component(const std::string& file) {
  return file.substr(file.rfind('/') + 1);  // npos + 1 = 0
}

Layout memory_layout(const MemoryArray& array, const std::string& array_name, const std::string& file) {
  const File described(array.bytes, file);
  Layout layout = NpyHeader(described, array.header).read();
  if (!array_name.empty()) layout.place = "tensor " + one_line(array_name, 60);
  check_size(described, layout, array.bytes.size());
  return layout;
}

const MemoryArray& held(const std::string& file, const std::string& array, const std::string& name) {
  const auto& arrays = memory_files().at(last_component(file));
  const auto found = arrays.find(array);
  if (found == arrays.end()) {
    throw InputError(name, "", "there is no array " + in_quotes(array),
                     "there are " + joined(memory_array_names(file)));
  }
  return found->second;
}

/// As .safetensors files call a type.
const char* type_name(Type type) {
  static constexpr const char* kNames[] = {"F64", "F32", "F16", "BF16", "I64",
                                           "I32", "I16", "I8",  "U8",   "BOOL"};
  return kNames[static_cast<int>(type)];
}

}  // namespace

void hold_in_memory(const std::string& file, std::map<std::string, MemoryArray> arrays) {
  for (const auto& [name, array] : arrays) {
    if (memory_layout(array, name, file).big_endian && !name.empty())
      throw InputError(file, "tensor " + one_line(name, 60), "is in big-endian byte order",
                       "little-endian entries");
  }
  memory_files()[file] = std::move(arrays);
}

bool is_in_memory(const std::string& file) {
  return memory_files().contains(last_component(file));
}

std::vector<std::string> memory_array_names(const std::string& file) {
  std::vector<std::string> names;
  for (const auto& [name, array] : memory_files().at(last_component(file))) names.push_back(name);
  return names;
}

ExactArray memory_array(const std::string& file, const std::string& array, const std::string& name,
                        const Reserve& reserve) {
  const MemoryArray& found = held(file, array, name);
  return read_entries(File(found.bytes, name), memory_layout(found, array, name), reserve, true);
}

std::string memory_file_content(const std::string& file) {
  const auto& arrays = memory_files().at(last_component(file));
  const auto number = [](std::uint64_t value, std::size_t bytes) {
    return std::string(reinterpret_cast<const char*>(&value), bytes);
  };
  if (array_format(file) == ArrayFormat::npy) {
    const MemoryArray& array = arrays.at("");
    std::string header = array.header;
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    return "\x93NUMPY\x01" + std::string(1, '\0') + number(header.size(), 2) + header +
           std::string(array.bytes);
  }
  nlohmann::ordered_json header;
  std::uint64_t end = 0;
  for (const auto& [name, array] : arrays) {
    const Layout layout = memory_layout(array, name, file);
    const std::uint64_t begin = end;
    end += array.bytes.size();
    header[name] = {
        {"dtype", type_name(layout.type)}, {"shape", layout.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  while (text.size() % 8 != 0) text += ' ';
  std::string content = number(text.size(), 8) + text;
  content.reserve(content.size() + end);
  for (const auto& [name, array] : arrays) content += array.bytes;
  return content;
}

std::optional<ArrayFormat> array_format(const std::string& file) {
  if (file.ends_with(".npy")) return ArrayFormat::npy;
  if (file.ends_with(".npz")) return ArrayFormat::npz;
  if (file.ends_with(".safetensors")) return ArrayFormat::safetensors;
  return std::nullopt;
}

std::pair<std::string, std::string> format_defect(const std::string& file) {
  for (const char* const pickle : {".pt", ".pth", ".ckpt", ".bin"}) {
    if (!file.ends_with(pickle)) continue;
    return {"the file " + in_quotes(file) + " is a pickle, which is a program rather than data",
            "convert it with two lines of Python: import numpy, torch  |  numpy.savez(\"arrays.npz\", **{k: "
            "(v.float() if v.dtype == torch.bfloat16 else v).numpy() for k, v in torch.load(\"" +
                one_line(file, 60) + "\", map_location=\"cpu\", weights_only=True).items()})"};
  }
  return {"the file name " + in_quotes(file) + " ends neither in .npy nor in .npz nor in .safetensors",
          "these are the formats that can be read"};
}

ExactArray parse_npy(std::string_view bytes, const std::string& name, const Reserve& reserve,
                     const Owner& owner) {
  const File file(bytes, name);
  return read_entries(file, npy_layout(file), reserve, owner != nullptr, owner);
}

ExactArray parse_safetensors(std::string_view bytes, const std::string& tensor, const std::string& name,
                             const Reserve& reserve, const Owner& owner) {
  const File file(bytes, name);
  return read_entries(file, tensor_layout(file, tensor), reserve, owner != nullptr, owner);
}

ExactArray parse_array(ArrayFormat format, std::string_view bytes, const std::string& array,
                       const std::string& name, const Reserve& reserve, const Owner& owner) {
  switch (format) {
    case ArrayFormat::npy:
      return parse_npy(bytes, name, reserve, owner);
    case ArrayFormat::npz:
      return parse_npz(bytes, array, name, reserve);
    case ArrayFormat::safetensors:
      break;
  }
  return parse_safetensors(bytes, array, name, reserve, owner);
}

std::vector<std::string> array_names(ArrayFormat format, std::string_view bytes, const std::string& name) {
  if (format == ArrayFormat::npy) return {};
  if (format == ArrayFormat::npz) return npz_names(bytes, name);
  std::vector<std::string> names;
  for (const auto& [tensor, entry] : read_safetensors_header(File(bytes, name)).tensors)
    names.push_back(tensor);
  return names;
}

std::pair<std::string, std::string> split_array_argument(const std::string& argument) {
  for (const std::string extension : {".npz", ".safetensors"}) {
    const std::size_t separator = argument.find(extension + ":");
    if (separator == std::string::npos) continue;
    const std::size_t end = separator + extension.size();
    return {argument.substr(0, end), argument.substr(end + 1)};
  }
  const auto format = array_format(argument);
  if (format == ArrayFormat::npy) return {argument, ""};
  if (format) {
    throw InputError(argument, "", "no array of the file is named",
                     "give FILE.npy, FILE.npz:NAME or FILE.safetensors:NAME");
  }
  const auto [wrong, right] = format_defect(argument);
  throw InputError(argument, "", wrong, right);
}

std::vector<std::size_t> shape_of_array_argument(const std::string& argument) {
  const auto [path, array] = split_array_argument(argument);
  const ArrayFormat format = *array_format(path);
  if (is_in_memory(path)) return memory_layout(held(path, array, path), array, path).shape;
  if (format == ArrayFormat::npz) return read_array_argument(argument).shape();
  std::uint64_t size = 0;
  const auto start = [&, &name = path](std::uint64_t most) {
    RegularFile file(AT_FDCWD, name);
    size = file.size();
    return file.read(most);
  };
  try {
    if (format == ArrayFormat::npy) {
      const FileBytes bytes = start(12 + kMaxNpyHeader);
      return npy_layout(File(bytes.view(), size, path)).shape;
    }
    const FileBytes length = start(8);
    if (size < 8) return tensor_layout(File(length.view(), path), array).shape;  // throws
    const FileBytes bytes = start(8 + std::min(load<std::uint64_t>(length.view().data()), kMaxTensorHeader));
    return tensor_layout(File(bytes.view(), size, path), array).shape;
  } catch (const FileError& error) {
    throw InputError(path, "", std::string("cannot be read: ") + error.what(),
                     "give an existing, readable file");
  }
}

ExactArray read_array_argument(const std::string& argument) {
  const auto [file, array] = split_array_argument(argument);
  constexpr std::uint64_t kLimit = std::uint64_t{8} << 30;
  std::uint64_t used = 0;
  const auto reserve = [&, &file = file](std::uint64_t more) {
    used += more;
    if (used > kLimit) {
      throw LimitError(file + ": the array needs " + std::to_string(used) +
                       " bytes; the memory limit allows " + std::to_string(kLimit));
    }
  };
  if (is_in_memory(file)) return memory_array(file, array, file, reserve);
  const FileBytes bytes = read_regular_file(file, file, kLimit);
  return parse_array(*array_format(file), bytes.view(), array, file, reserve);
}

}  // namespace attest
