#pragma once
#include <cstdint>
namespace attest {
struct MeterShim {
  void work(std::uint64_t) {}
};
inline MeterShim& meter() {
  static MeterShim m;
  return m;
}
}  // namespace attest
