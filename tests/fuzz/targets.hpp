// What is fuzzed: the readers of all input formats, and the checker. A target is given bytes and must come
// back: with a result, or with one of the errors that are documented, in one short line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest::test {

struct Target {
  std::string name;  ///< of its file in tests/fuzz/corpus
  /// Throws or aborts when there is a bug.
  void (*run)(std::string_view bytes);
};
const std::vector<Target>& targets();

/// Certificates that the target `certificate` accepts: one for each claim of the samples of tests/checker.
/// "@NAME@" stands for the digest of the case and tells the target which case that is.
struct Seed {
  std::string name, bytes;
};
const std::vector<Seed>& certificate_seeds();

/// Such a certificate with other steps, and the facts that the checker derives from them: what the target
/// `rules` is given. Bytes that are no certificate become a seed.
std::string mutated_certificate(std::string_view bytes, std::uint64_t seed);

/// What the checker says to such a certificate: "valid: verified", "rejected: ...", "bad input: ...",
/// "limit: ...".
std::string certificate_outcome(std::string_view bytes);

}  // namespace attest::test
