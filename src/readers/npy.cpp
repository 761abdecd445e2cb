// The header of a .npy file.
#include <cstring>
#include <optional>

#include "base/meter.hpp"
#include "base/text.hpp"
#include "readers/array_layout.hpp"

namespace attest {
namespace {

/// The header of a .npy file: a Python dictionary with exactly the keys descr, fortran_order and shape.
class NpyHeader {
public:
  NpyHeader(const File& file, std::string text, bool in_memory)
      : file_(file), text_(std::move(text)), in_memory_(in_memory) {}

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
        file_.fail("", "structured dtypes are not supported",
                   "an array of numbers, such as one field: array[\"NAME\"]");
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
    layout.type_name = *descr_;
    if (in_memory_ && *descr_ == numerals_type()->npy) {
      layout.type = numerals_type();
      return;
    }
    const bool jax = *descr_ == "|V2";  // bfloat16, as JAX writes it
    layout.type =
        jax ? tensor_type("BF16") : npy_type(descr_->empty() ? "" : std::string_view(*descr_).substr(1));
    const char order = descr_->empty() ? '\0' : descr_->front();
    if (layout.type == nullptr ||
        (order != '<' && order != '>' && !(order == '|' && (layout.type->width == 1 || jax))))
      file_.fail(
          "",
          "dtype " + in_quotes(*descr_) + (npy_type(*descr_) ? " has no byte order" : " is not supported"),
          npy_type(*descr_) ? "\"<" + *descr_ + "\" or \">" + *descr_ + "\", as numpy.save writes it"
                            : way_out(*descr_));
    layout.big_endian = order == '>';
  }

  /// What to do with entries of a type that is not read.
  std::string way_out(const std::string& descr) const {
    const char kind = descr.size() < 2 ? '\0' : descr[1];
    if (kind == 'c') return "real numbers: array.real, where all imaginary parts are 0";
    if (kind == 'V') return "numbers, such as one field of a structured array: array[\"NAME\"]";
    const std::string known = kTypes;
    if (in_memory_) return known;
    if (kind == 'O')
      return known +
             "; objects are a pickle, which can run programs: if you trust the file, give "
             "numpy.load(FILE, allow_pickle=True) to the Python module";
    if (kind == '\0' || std::string_view("ufUS").find(kind) == std::string_view::npos) return known;
    return known +
           "; convert it if that rounds nothing, or give numpy.load of it to the Python module, which "
           "takes exact numbers of other types";
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

  static constexpr const char* kTypes = "supported are f8, f4, f2, i8, i4, i2, i1, u1, b1 and JAX's bfloat16";
  const File& file_;
  std::string text_;
  bool in_memory_;
  std::size_t position_ = 0;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_;
  std::optional<std::vector<std::size_t>> shape_;
};

constexpr std::size_t kMostHeader = 1 << 16;

/// What the header says, which agrees with the number of bytes after it.
Layout described(const File& file, std::string header, std::uint64_t data_size, bool in_memory) {
  meter().work(20 * header.size());
  Layout layout = NpyHeader(file, std::move(header), in_memory).read();
  if (layout.type == numerals_type()) return layout;
  const auto needed = byte_count(layout.shape, layout.type->width);
  if (needed == data_size) return layout;
  file.fail("",
            "shape " + shape_text(layout.shape) + " needs " +
                (needed ? std::to_string(*needed) : std::string("more than 2^64")) +
                " bytes of data, but the file has " + std::to_string(data_size),
            "the file is truncated, damaged or has something appended; write it anew");
}

}  // namespace

Layout npy_layout(const File& file, std::string header, std::string_view bytes) {
  Layout layout = described(file, std::move(header), bytes.size(), true);
  layout.bytes = bytes;
  return layout;
}

Layout npy_layout(const File& file) {
  const auto truncated = [&]() {
    file.fail("", "the file ends within its header", "the file is truncated or damaged; write it anew");
  };
  const std::string_view magic = file.bytes.substr(0, 8);
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
  if (file.bytes.size() < 8 + length_width) truncated();
  const std::string_view length_bytes = file.bytes.substr(8, length_width);
  std::uint32_t length = 0;
  std::memcpy(&length, length_bytes.data(), length_width);
  if (length > file.bytes.size() - 8 - length_width) truncated();
  if (length > kMostHeader) {
    file.fail("", "the header has " + std::to_string(length) + " bytes",
              "at most " + std::to_string(kMostHeader) + " are expected; write the file with numpy.save");
  }
  const std::uint64_t begin = 8 + length_width + length, size = file.bytes.size() - begin;
  Layout layout = described(file, std::string(file.bytes.substr(8 + length_width, length)), size, false);
  layout.bytes = file.bytes.substr(begin, size);
  return layout;
}

}  // namespace attest
