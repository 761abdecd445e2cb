// Files built byte by byte, and the messages of errors.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "readers/array_files.hpp"
#include "tests/support/arrays.hpp"
#include "tests/support/folder.hpp"

namespace attest::test {

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

inline void check_matches(const std::string& text, const std::string& pattern) {
  CAPTURE(text);
  CAPTURE(pattern);
  CHECK(matches(text, pattern));
}

/// Checks what comes of an action.
template <typename Action>
void check_outcome(const std::string& pattern, Action&& action) {
  check_matches(outcome(action), pattern);
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
