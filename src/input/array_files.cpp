#include "input/array_files.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "input/errors.hpp"
#include "input/text.hpp"

namespace attest {
namespace {

static_assert(std::endian::native == std::endian::little, "the readers copy little-endian values");

/// A regular file that is read in pieces; nothing is allocated on the word of a header alone.
class File {
public:
  File(const std::filesystem::path& path, std::string name) : name_(std::move(name)) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) unreadable("there is no such file");
    if (!std::filesystem::is_regular_file(status)) unreadable("it is not a regular file");
    size_ = std::filesystem::file_size(path, error);
    if (error) unreadable(error.message());
    errno = 0;
    stream_.open(path, std::ios::binary);
    if (!stream_) unreadable(std::strerror(errno));
  }

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }

  /// Precondition: offset + count <= size().
  void read(std::uint64_t offset, char* out, std::size_t count) {
    stream_.seekg(static_cast<std::streamoff>(offset));
    stream_.read(out, static_cast<std::streamsize>(count));
    if (!stream_) unreadable("reading failed");
  }
  std::string read(std::uint64_t offset, std::size_t count) {
    std::string out(count, '\0');
    read(offset, out.data(), count);
    return out;
  }

  [[noreturn]] void fail(const std::string& place, const std::string& wrong, const std::string& right) const {
    throw InputError(name_, place, wrong, right);
  }

private:
  [[noreturn]] void unreadable(const std::string& why) const {
    fail("", "cannot be read: " + why, "give an existing, readable array file");
  }

  std::string name_;
  std::uint64_t size_ = 0;
  std::ifstream stream_;
};

enum class Type { f64, f32, f16, bf16, i64, i32 };

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
      return 2;
  }
  return 0;
}

template <typename T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  double magnitude = 0;
  if (exponent == 31) {
    magnitude = mantissa == 0 ? HUGE_VAL : std::nan("");
  } else if (exponent == 0) {
    magnitude = std::ldexp(mantissa, -24);
  } else {
    magnitude = std::ldexp(1024 + mantissa, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double load_double(Type type, const char* bytes) {
  switch (type) {
    case Type::f64:
      return load<double>(bytes);
    case Type::f32:
      return load<float>(bytes);
    case Type::f16:
      return half_to_double(load<std::uint16_t>(bytes));
    case Type::bf16:
      return std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(bytes)} << 16);
    default:
      return 0;
  }
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
  bool fortran = false;
  std::vector<std::size_t> shape;
  std::uint64_t offset = 0;  ///< of its bytes in the file
  std::string place;         ///< "tensor NAME", or empty
};

/// Reads the entries. Precondition: the file holds exactly as many bytes from `offset` on as the layout says.
ExactArray read_entries(File& file, const Layout& layout) {
  const std::size_t count = *entry_count(layout.shape);
  if (count == 0) {
    file.fail(layout.place, "the array is empty: its shape is " + shape_text(layout.shape),
              "give an array with at least one entry");
  }
  if (count > kMaxArrayEntries) {
    throw LimitError(located(file.name(), layout.place,
                             "the array has " + std::to_string(count) + " entries; the limit is " +
                                 std::to_string(kMaxArrayEntries)));
  }
  const bool integers = layout.type == Type::i64 || layout.type == Type::i32;
  std::vector<double> doubles(integers ? 0 : count);
  std::vector<std::int64_t> int64s(integers ? count : 0);
  const std::size_t step = width(layout.type);
  constexpr std::size_t kChunk = 1 << 16;
  std::vector<char> bytes(std::min(count, kChunk) * step);
  for (std::size_t begin = 0; begin < count; begin += kChunk) {
    const std::size_t entries = std::min(kChunk, count - begin);
    file.read(layout.offset + begin * step, bytes.data(), entries * step);
    for (std::size_t i = 0; i < entries; ++i) {
      const char* const at = bytes.data() + i * step;
      if (layout.type == Type::i64) {
        int64s[begin + i] = load<std::int64_t>(at);
      } else if (layout.type == Type::i32) {
        int64s[begin + i] = load<std::int32_t>(at);
      } else {
        doubles[begin + i] = load_double(layout.type, at);
      }
    }
  }
  if (integers) {
    if (layout.fortran) int64s = to_row_major(int64s, layout.shape);
    return ExactArray(layout.shape, std::move(int64s));
  }
  if (layout.fortran) doubles = to_row_major(doubles, layout.shape);
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(doubles[i])) {
      const std::string place = (layout.place.empty() ? "" : layout.place + ", ") + "index " +
                                index_text(unflatten(i, layout.shape));
      file.fail(place, std::isnan(doubles[i]) ? "the entry is not a number (NaN)" : "the entry is infinite",
                "every entry must be finite");
    }
  }
  return ExactArray(layout.shape, std::move(doubles));
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
    layout.type = type();
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
  Type type() const {
    if (*descr_ == "<f8") return Type::f64;
    if (*descr_ == "<f4") return Type::f32;
    if (*descr_ == "<i8") return Type::i64;
    if (*descr_ == "<i4") return Type::i32;
    file_.fail("", "dtype " + in_quotes(*descr_) + " is not supported", kTypes);
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
      "supported are '<f8', '<f4', '<i8' and '<i4' (convert with numpy's astype)";
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
  static const std::map<std::string, Type> types = {{"F64", Type::f64}, {"F32", Type::f32},
                                                    {"F16", Type::f16}, {"BF16", Type::bf16},
                                                    {"I64", Type::i64}, {"I32", Type::i32}};
  const auto found = types.find(dtype);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

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

}  // namespace

ExactArray read_npy(const std::filesystem::path& path, const std::string& name) {
  File file(path, name);
  const auto truncated = [&]() {
    file.fail("", "the file ends within its header", "the file is truncated or damaged; write it anew");
  };
  const std::string magic = file.read(0, std::min<std::uint64_t>(file.size(), 8));
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
  const std::string length_bytes = file.read(8, length_width);
  const std::size_t length =
      major == 1 ? load<std::uint16_t>(length_bytes.data()) : load<std::uint32_t>(length_bytes.data());
  if (length > file.size() - 8 - length_width) truncated();
  constexpr std::size_t kMaxHeader = 1 << 16;
  if (length > kMaxHeader) {
    file.fail("", "the header has " + std::to_string(length) + " bytes",
              "at most " + std::to_string(kMaxHeader) + " are expected; write the file with numpy.save");
  }
  Layout layout = NpyHeader(file, file.read(8 + length_width, length)).read();
  layout.offset = 8 + length_width + length;
  const std::uint64_t data_size = file.size() - layout.offset;
  const auto count = entry_count(layout.shape);
  const auto bytes = count ? product(*count, width(layout.type)) : std::nullopt;
  if (bytes != data_size) {
    file.fail("",
              "shape " + shape_text(layout.shape) + " needs " +
                  (bytes ? std::to_string(*bytes) : std::string("more than 2^64")) +
                  " bytes of data, but the file has " + std::to_string(data_size),
              "the file is truncated, damaged or has something appended; write it anew");
  }
  return read_entries(file, layout);
}

ExactArray read_safetensors(const std::filesystem::path& path, const std::string& tensor,
                            const std::string& name) {
  File file(path, name);
  if (file.size() < 8) file.fail("", "the file is too short for a .safetensors file", kRewrite);
  const auto length = load<std::uint64_t>(file.read(0, 8).data());
  constexpr std::uint64_t kMaxHeader = 100'000'000;  // that of the reference implementation
  if (length > file.size() - 8 || length > kMaxHeader) {
    file.fail("",
              "the header should have " + std::to_string(length) + " bytes, but the file has " +
                  std::to_string(file.size() - 8) + " after its first 8",
              length > kMaxHeader ? "a header has at most 100000000 bytes; is this a .safetensors file?"
                                  : "the file is truncated or is not a .safetensors file");
  }
  const std::string header = file.read(8, length);
  if (header.empty() || header[0] != '{') file.fail("", "the header does not start with '{'", kRewrite);
  HeaderHandler handler;
  if (!nlohmann::json::sax_parse(header, &handler)) file.fail("", handler.defect, kRewrite);
  check_offsets(file, handler.tensors, file.size() - 8 - length);

  const auto found = handler.tensors.find(tensor);
  if (found == handler.tensors.end()) {
    std::vector<std::string> names;
    for (const auto& [known, entry] : handler.tensors) names.push_back(one_line(known, 60));
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
              "supported are F64, F32, F16, BF16, I64 and I32");
  }
  layout.type = *type;
  layout.shape = *entry.shape;
  layout.offset = 8 + length + (*entry.offsets)[0];
  return read_entries(file, layout);
}

ExactArray read_array_argument(const std::string& argument) {
  static const std::string extension = ".safetensors";
  const std::size_t separator = argument.find(extension + ":");
  if (separator != std::string::npos) {
    const std::string file = argument.substr(0, separator + extension.size());
    return read_safetensors(file, argument.substr(separator + extension.size() + 1), file);
  }
  if (argument.ends_with(".npy")) return read_npy(argument, argument);
  throw InputError(
      argument, "",
      argument.ends_with(extension) ? "no tensor of the file is named" : "this is not an array file",
      "give FILE.npy or FILE.safetensors:TENSOR");
}

}  // namespace attest
