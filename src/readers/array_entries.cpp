// Types of entries, and how they are read.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

#include "base/errors.hpp"
#include "base/hints.hpp"
#include "base/meter.hpp"
#include "base/parallel.hpp"
#include "readers/array_layout.hpp"
#include "readers/numerals.hpp"

namespace attest {
namespace {

static_assert(std::endian::native == std::endian::little, "the readers copy little-endian values");

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

/// Four bits of exponent, three of mantissa, no infinity (Micikevicius et al., FP8 formats for deep
/// learning).
float e4m3_to_float(std::uint8_t bits) {
  const int exponent = (bits >> 3) & 15;
  const int mantissa = bits & 7;
  const float magnitude = (bits & 127) == 127 ? std::nanf("")
                          : exponent == 0     ? std::ldexp(static_cast<float>(mantissa), -9)
                                              : std::ldexp(static_cast<float>(8 + mantissa), exponent - 10);
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

/// The first byte of a half.
float e5m2_to_float(std::uint8_t bits) {
  return half_to_float(static_cast<std::uint16_t>(bits << 8));
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
ExactArray::Storage entries_of(const char* bytes, std::size_t count, const Layout& layout) {
  return entries_as<Raw, Entry>(bytes, count, layout, [](Raw raw) { return static_cast<Entry>(raw); });
}

template <typename Raw, float (*convert)(Raw)>
ExactArray::Storage converted(const char* bytes, std::size_t count, const Layout& layout) {
  return entries_as<Raw, float>(bytes, count, layout, convert);
}

template <typename Entry>
ExactArray::Storage lent(const char* bytes, std::size_t count) {
  return Borrowed<Entry>(reinterpret_cast<const Entry*>(bytes), count);
}

constexpr EntryType kTypes[] = {
    {"f8", "F64", 8, 8, entries_of<double, double>, lent<double>},
    {"f4", "F32", 4, 4, entries_of<float, float>, lent<float>},
    {"f2", "F16", 2, 4, converted<std::uint16_t, half_to_float>},
    {"", "BF16", 2, 4, converted<std::uint16_t, bfloat_to_float>},
    {"i8", "I64", 8, 8, entries_of<std::int64_t, std::int64_t>, lent<std::int64_t>},
    {"i4", "I32", 4, 8, entries_of<std::int32_t, std::int64_t>},
    {"i2", "I16", 2, 8, entries_of<std::int16_t, std::int64_t>},
    {"i1", "I8", 1, 8, entries_of<std::int8_t, std::int64_t>},
    {"u1", "U8", 1, 8, entries_of<std::uint8_t, std::int64_t>},
    {"b1", "BOOL", 1, 8, entries_of<std::uint8_t, std::int64_t>},
    {"", "F8_E4M3", 1, 4, converted<std::uint8_t, e4m3_to_float>},
    {"", "F8_E5M2", 1, 4, converted<std::uint8_t, e5m2_to_float>},
    {"", "U16", 2, 0},
    {"", "U32", 4, 0},
    {"", "U64", 8, 0},
};
constexpr EntryType kNumerals = {"numerals", "", 0, 0};

const EntryType* type_called(std::string_view name, const char* EntryType::*how) {
  for (const EntryType& type : kTypes)
    if (!name.empty() && name == type.*how) return &type;
  return nullptr;
}

/// Refuses floats that are not finite, and truth values that are neither 0 nor 1.
template <typename Entries>
void check_entries(const File& file, const Layout& layout, const Entries& entries) {
  using Entry = typename Entries::value_type;
  const auto fail = [&](std::size_t i, const std::string& wrong, const std::string& right) {
    file.fail(
        (layout.place.empty() ? "" : layout.place + ", ") + "index " + index_text(unflatten(i, layout.shape)),
        wrong, right);
  };
  if constexpr (std::is_floating_point_v<Entry>) {
    in_ranges(entries.size(), entries.size(), [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        if (std::isfinite(entries[i])) continue;
        fail(i, std::isnan(entries[i]) ? "the entry is not a number (NaN)" : "the entry is infinite",
             "every entry must be finite");
      }
    });
  } else if constexpr (std::is_integral_v<Entry>) {
    const bool truth = layout.type == tensor_type("BOOL");
    for (std::size_t i = 0; truth && i < entries.size(); ++i) {
      if (entries[i] > 1)
        fail(i, "the truth value is stored as " + std::to_string(entries[i]), "it must be 0 or 1");
    }
  }
}

ExactArray read_numerals(const File& file, const Layout& layout, const Reserve& reserve) {
  std::vector<mpq_class> entries;
  std::string_view rest = layout.bytes;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    try {
      entries.push_back(read_numeral(rest.substr(0, end)));
    } catch (const std::invalid_argument& error) {
      file.fail("index " + index_text(unflatten(entries.size(), layout.shape)), error.what(), "");
    }
    reserve(rational_bytes(entries.back()));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (byte_count(layout.shape, 1) != entries.size() || entries.empty())
    file.fail("", "has " + std::to_string(entries.size()) + " numerals",
              "as many as shape " + shape_text(layout.shape) + " has entries, and at least one");
  return ExactArray(layout.shape, std::move(entries));
}

}  // namespace

const EntryType* numerals_type() {
  return &kNumerals;
}
const EntryType* npy_type(std::string_view name) {
  return type_called(name, &EntryType::npy);
}
const EntryType* tensor_type(std::string_view name) {
  return type_called(name, &EntryType::tensor);
}

void File::fail(const std::string& place, const std::string& wrong, const std::string& right) const {
  throw InputError(name, place, wrong, right);
}

std::optional<std::uint64_t> byte_count(const std::vector<std::size_t>& shape, std::size_t width) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::uint64_t bytes = width;
  for (const std::size_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  return bytes;
}

ExactArray read_entries(const File& file, const Layout& layout, const Reserve& reserve, bool in_place,
                        const Owner& owner) {
  if (layout.type == numerals_type()) return read_numerals(file, layout, reserve);
  const EntryType& type = *layout.type;
  const std::size_t count = *byte_count(layout.shape, type.width) / type.width;
  if (count == 0) {
    file.fail(layout.place, "the array is empty: its shape is " + shape_text(layout.shape),
              "give an array with at least one entry");
  }
  const char* const bytes = layout.bytes.data();
  const bool row_major = !layout.fortran || layout.shape.size() == 1;
  const bool used_in_place = in_place && type.lend != nullptr && !layout.big_endian && row_major &&
                             reinterpret_cast<std::uintptr_t>(bytes) % type.width == 0;
  constexpr std::uint64_t kHashed = 10;  // for each entry, what its class and the digest take
  meter().work(count * (kHashed + (used_in_place ? 1 : 4)));
  // Twice while the entries are brought into row-major order.
  if (!used_in_place) reserve(type.stored * count * (layout.fortran ? 2 : 1));
  ExactArray array(layout.shape, used_in_place ? type.lend(bytes, count) : type.load(bytes, count, layout),
                   used_in_place ? owner : nullptr);
  std::visit([&](const auto& entries) { check_entries(file, layout, entries); }, array.storage());
  return array;
}

}  // namespace attest
