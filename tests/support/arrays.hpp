// Array files, byte by byte.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace attest::test {

/// The little-endian bytes of values, one after the other.
template <typename T>
std::string raw(const std::vector<T>& values) {
  std::string out(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}
template <typename T>
std::string raw(T value) {
  return raw(std::vector<T>{value});
}

/// A .npy file with this header dictionary.
inline std::string npy(const std::string& header, const std::string& data, int major = 1) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += '\0';
  out += major == 1 ? raw(static_cast<std::uint16_t>(header.size()))
                    : raw(static_cast<std::uint32_t>(header.size()));
  return out + header + data;
}
inline std::string npy_header(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

/// A .npy file of these numbers, doubles or integers of 64 bits.
template <class T>
std::string npy_of(const std::vector<std::size_t>& shape, const std::vector<T>& values) {
  std::string tuple = "(";
  for (const std::size_t size : shape) tuple += std::to_string(size) + ", ";
  return npy(npy_header(std::is_floating_point_v<T> ? "<f8" : "<i8", tuple + ")"), raw(values));
}

/// A .safetensors file with this JSON header.
inline std::string safetensors(const std::string& header, const std::string& data) {
  return raw(static_cast<std::uint64_t>(header.size())) + header + data;
}
inline std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                          std::size_t begin, std::size_t end) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}

}  // namespace attest::test
