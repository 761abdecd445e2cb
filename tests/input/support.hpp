// Temporary folders, files built byte by byte, and the messages of errors.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "input/array_files.hpp"

namespace attest::test {

/// A fresh folder, removed with everything in it at the end.
class Folder {
public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "attest-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

private:
  std::filesystem::path path_;
};

/// What came of an action: "ok", or the kind of the error and its message.
template <typename Action>
std::string outcome(Action&& action) {
  try {
    action();
    return "ok";
  } catch (const InputError& error) {
    return std::string("input: ") + error.what();
  } catch (const LimitError& error) {
    return std::string("limit: ") + error.what();
  } catch (const std::invalid_argument& error) {
    return std::string("invalid: ") + error.what();
  }
}

/// Whether every part (separated by " ... ") occurs in `text`, in this order, and `text` is one line.
inline bool matches(const std::string& text, const std::string& pattern) {
  if (text.find('\n') != std::string::npos) return false;
  std::size_t at = 0;
  for (std::size_t begin = 0; begin <= pattern.size();) {
    std::size_t end = pattern.find(" ... ", begin);
    if (end == std::string::npos) end = pattern.size();
    const std::string part = pattern.substr(begin, end - begin);
    at = text.find(part, at);
    if (at == std::string::npos) return false;
    at += part.size();
    begin = end + 5;
  }
  return true;
}

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

/// A .safetensors file with this JSON header.
inline std::string safetensors(const std::string& header, const std::string& data) {
  return raw(static_cast<std::uint64_t>(header.size())) + header + data;
}
inline std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                          std::size_t begin, std::size_t end) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}

inline ExactArray parse_npy(const std::string& bytes, const std::string& name, const Reserve& reserve) {
  return ArrayFile(ArrayFormat::npy, bytes, name).read("", reserve);
}
inline ExactArray parse_safetensors(const std::string& bytes, const std::string& array,
                                    const std::string& name, const Reserve& reserve) {
  return ArrayFile(ArrayFormat::safetensors, bytes, name).read(array, reserve);
}
inline ExactArray parse_npz(const std::string& bytes, const std::string& array, const std::string& name,
                            const Reserve& reserve) {
  return ArrayFile(ArrayFormat::npz, bytes, name).read(array, reserve);
}

/// CRC-32 of the zip format.
inline std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

/// A member of a zip archive, stored as it is; the fields may lie.
struct Member {
  std::string name, bytes;
  std::uint16_t flags = 0, method = 0;
  std::uint32_t size_offset = 0;  ///< added to the uncompressed size
  std::uint32_t crc_xor = 0;
  std::string extra = "";
};

inline std::string zip(const std::vector<Member>& members) {
  std::string out, directory;
  for (const Member& m : members) {
    const auto size = static_cast<std::uint32_t>(m.bytes.size());
    const std::string common = raw(m.flags) + raw(m.method) + std::string(4, '\0') +
                               raw(crc32(m.bytes) ^ m.crc_xor) + raw(size) + raw(size + m.size_offset) +
                               raw(static_cast<std::uint16_t>(m.name.size())) +
                               raw(static_cast<std::uint16_t>(m.extra.size()));
    const auto offset = static_cast<std::uint32_t>(out.size());
    out += "PK\x03\x04" + raw(std::uint16_t{20}) + common + m.name + m.extra + m.bytes;
    directory += "PK\x01\x02" + raw(std::uint16_t{20}) + raw(std::uint16_t{20}) + common +
                 std::string(10, '\0') + raw(offset) + m.name + m.extra;
  }
  const auto count = static_cast<std::uint16_t>(members.size());
  const auto offset = static_cast<std::uint32_t>(out.size());
  return out + directory + "PK\x05\x06" + std::string(4, '\0') + raw(count) + raw(count) +
         raw(static_cast<std::uint32_t>(directory.size())) + raw(offset) + std::string(2, '\0');
}

}  // namespace attest::test
