#include "checker/failure.hpp"

#ifdef ATTEST_COUNT_CONDITIONS
#include <cstdlib>
#include <fstream>
#include <set>
#include <utility>
#endif

namespace attest::checker {

void fail(const std::string& expected, const std::string& found, [[maybe_unused]] const char* file,
          [[maybe_unused]] int line) {
#ifdef ATTEST_COUNT_CONDITIONS
  static std::set<std::pair<std::string, int>> seen;
  const char* log = std::getenv("ATTEST_CONDITIONS");
  if (log != nullptr && seen.emplace(file, line).second)
    std::ofstream(log, std::ios::app) << file << ":" << line << "\n";
#endif
  throw Failure{expected, found};
}

}  // namespace attest::checker
