// The functions of SHA-256 alone: OpenSSL 3 calls them deprecated, but EVP_Digest reads openssl.cnf and looks
// for providers first, which takes each process longer than most digests.
#define OPENSSL_API_COMPAT 10101

#include "base/sha256.hpp"

#include <openssl/sha.h>

namespace attest {

Sha256::Sha256() : state_(new SHA256state_st, [](SHA256state_st* state) { delete state; }) {
  SHA256_Init(state_.get());
}

void Sha256::add(const void* bytes, std::size_t count) {
  SHA256_Update(state_.get(), bytes, count);
}

std::string Sha256::hex() {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256_Final(digest, state_.get());
  std::string out;
  for (const unsigned char byte : digest) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace attest
