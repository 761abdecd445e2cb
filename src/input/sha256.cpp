#include "input/sha256.hpp"

#include <openssl/evp.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "input/errors.hpp"

namespace attest {
namespace {

class Hash {
public:
  Hash() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    if (!context_) throw std::bad_alloc();
    require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
  }
  void add(const char* bytes, std::size_t count) { require(EVP_DigestUpdate(context_.get(), bytes, count)); }
  std::string hex() {
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

private:
  static void require(int success) {
    if (success != 1) throw std::runtime_error("SHA-256 is not available in this OpenSSL");
  }
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hex();
}

std::string sha256_file(const std::filesystem::path& file) {
  const auto unreadable = [&](const std::string& why) {
    return InputError(file.string(), "", "cannot be read: " + why, "give an existing, readable file");
  };
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) throw unreadable("it is a folder");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw unreadable(std::strerror(errno));
  Hash hash;
  std::vector<char> chunk(std::size_t{1} << 18);
  while (in) {
    in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    hash.add(chunk.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw unreadable("reading failed");
  return hash.hex();
}

}  // namespace attest
