#include "base/sha256.hpp"

#include <openssl/evp.h>

#include <new>
#include <stdexcept>

namespace attest {
namespace {

void require(int success) {
  if (success != 1) throw std::runtime_error("SHA-256 is not available in this OpenSSL");
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
  if (!context_) throw std::bad_alloc();
  require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::add(const void* bytes, std::size_t count) {
  require(EVP_DigestUpdate(context_.get(), bytes, count));
}

std::string Sha256::hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  require(EVP_DigestFinal_ex(context_.get(), digest, &length));
  std::string out;
  for (unsigned int i = 0; i < length; ++i) {
    out += "0123456789abcdef"[digest[i] >> 4];
    out += "0123456789abcdef"[digest[i] & 15];
  }
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace attest
