// Feeds every kept input to its target once: what scripts/fuzz found stays found.
#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "tests/fuzz/targets.hpp"

namespace attest::test {
namespace {

TEST_CASE("kept inputs are read or refused") {
  for (const Target& target : targets()) {
    int inputs = 0;
    std::ifstream file(ATTEST_SOURCE_DIR "/tests/fuzz/corpus/" + target.name, std::ios::binary);
    for (std::string length; std::getline(file, length); ++inputs) {  // as pack.py writes them
      std::string bytes(std::stoul(length), '\0');
      file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      CAPTURE(inputs);
      CHECK(file.get() == '\n');
      CHECK_NOTHROW(target.run(bytes));
    }
    CAPTURE(target.name);
    CHECK(inputs > 0);
  }
}

TEST_CASE("the seeds of certificates reach the rules") {
  for (const Seed& seed : certificate_seeds()) {
    CAPTURE(seed.name);
    CHECK(certificate_outcome(seed.bytes).starts_with("valid: "));
    std::string broken = seed.bytes;
    broken.replace(broken.find("\"statement\""), 11, "\"statements\"");
    const std::string outcome = certificate_outcome(broken);
    CAPTURE(outcome);
    CHECK(outcome.starts_with("rejected: claim "));
  }
  CHECK(certificate_outcome("[]").starts_with("bad input: "));
}

TEST_CASE("certificates with other steps: many are accepted") {
  int valid = 0, rejected = 0;
  std::string bytes = "no certificate";
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    bytes = mutated_certificate(bytes, seed);
    const std::string outcome = certificate_outcome(bytes);
    valid += outcome.starts_with("valid: ") ? 1 : 0;
    rejected += outcome.starts_with("rejected: ") ? 1 : 0;
    if (!outcome.starts_with("valid: ")) bytes = "";
  }
  CHECK(valid > 200);
  CHECK(rejected > 200);
}

}  // namespace
}  // namespace attest::test
