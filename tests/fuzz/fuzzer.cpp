// libFuzzer's entry point for the target FUZZ_TARGET; see scripts/fuzz.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

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

#ifdef FUZZ_STRUCTURED
/// Changes steps instead of bytes.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t most,
                                               unsigned seed) {
  const std::string changed =
      attest::test::mutated_certificate({reinterpret_cast<const char*>(bytes), size}, seed);
  if (changed.size() > most) return size;
  std::copy(changed.begin(), changed.end(), bytes);
  return changed.size();
}
#endif
