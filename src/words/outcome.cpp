#include "words/outcome.hpp"

#include <algorithm>

namespace attest {

namespace fs = std::filesystem;

int worse(int a, int b) {
  static constexpr int kOrder[] = {kAsExpected, kUnexpected, kLimit, kBadInput};
  auto place = [](int s) { return std::find(std::begin(kOrder), std::end(kOrder), s); };
  return place(a) < place(b) ? b : a;
}

CaseOutcome not_run(const fs::path& file, int status, const std::string& error) {
  return {{{"path", file.generic_string()}, {"error", error}, {"claims", Json::array()}}, status, error, ""};
}

}  // namespace attest
