// libFuzzer's entry point for the target FUZZ_TARGET; see scripts/fuzz.
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "tests/fuzz/targets.hpp"

namespace {

const attest::test::Target& target() {
  for (const attest::test::Target& each : attest::test::targets()) {
    if (each.name == FUZZ_TARGET) return each;
  }
  throw std::logic_error("there is no target " FUZZ_TARGET);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const attest::test::Target& fuzzed = target();
  fuzzed.run({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
