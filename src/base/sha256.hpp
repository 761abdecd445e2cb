// SHA-256, by OpenSSL.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct SHA256state_st;

namespace attest {

/// The digest of bytes that come piece by piece.
class Sha256 {
public:
  Sha256();
  void add(const void* bytes, std::size_t count);
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  /// 64 lower-case hexadecimal digits. Call once.
  std::string hex();

private:
  std::unique_ptr<SHA256state_st, void (*)(SHA256state_st*)> state_;
};

/// SHA-256 as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace attest
