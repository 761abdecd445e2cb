#include "problem/claim.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace attest {

const char* verdict_name(Verdict verdict) {
  static constexpr const char* kNames[] = {"verified", "refuted", "inapplicable", "undecided"};
  return kNames[static_cast<int>(verdict)];
}

bool ClaimSpec::needs_part(const std::string& part) const {
  return std::ranges::count(words_in(needs), part) > 0;
}

const mpz_class& Claim::integer(const std::string& key) const {
  return std::get<mpz_class>(arguments.at(key));
}
std::size_t Claim::size(const std::string& key) const {
  return integer(key).get_ui();
}
const mpq_class& Claim::number(const std::string& key) const {
  return std::get<mpq_class>(arguments.at(key));
}
bool Claim::flag(const std::string& key) const {
  return has(key) && std::get<bool>(arguments.at(key));
}
const std::string& Claim::word(const std::string& key) const {
  return std::get<std::string>(arguments.at(key));
}
const std::vector<std::size_t>& Claim::subset() const {
  return std::get<std::vector<std::size_t>>(arguments.at("subset"));
}
const ExactArray& Claim::array(const std::string& key) const {
  return std::get<ExactArray>(arguments.at(key));
}

}  // namespace attest
