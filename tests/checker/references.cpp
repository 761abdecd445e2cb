#include "tests/checker/references.hpp"

#include <map>
#include <regex>

namespace attest::test {
namespace {

/// The text with k of each Z(k), J(k) and capacity(k) replaced.
std::string renamed(const std::string& text, const std::function<std::size_t(std::size_t)>& visit) {
  static const std::regex layer(R"((Z|J|capacity)\(([0-9]{1,9})\))");
  std::string result;
  auto rest = text.cbegin();
  std::smatch found;
  while (std::regex_search(rest, text.cend(), found, layer)) {
    result.append(rest, found[0].first);
    result += found[1].str() + "(" + std::to_string(visit(std::stoul(found[2]))) + ")";
    rest = found[0].second;
  }
  return result.append(rest, text.cend());
}

}  // namespace

void rename_references(Json& step, const std::function<std::size_t(std::size_t)>& visit) {
  if (!step.is_object()) return;
  const auto number = [&](Json& value) {
    if (value.is_number_unsigned()) value = visit(value.get<std::size_t>());
  };
  for (const char* key : {"uses", "parts"}) {
    if (!step.contains(key) || !step[key].is_array()) continue;
    for (Json& use : step[key]) number(use);
  }
  if (step.contains("layer")) {
    number(step["layer"]);
    if (step["layer"].is_object() && step["layer"].contains("rescaled") &&
        step["layer"]["rescaled"].contains("of"))
      number(step["layer"]["rescaled"]["of"]);
  }
  for (const char* key : {"of", "fact"}) {
    if (step.contains(key) && step[key].is_string()) step[key] = renamed(step[key].get<std::string>(), visit);
  }
}

Json without_steps(const Json& steps, std::set<std::size_t> removed, std::vector<std::size_t>* kept) {
  Json result = Json::array();
  std::map<std::size_t, std::size_t> place;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (removed.count(k) != 0) continue;
    Json step = steps[k];
    bool refers = false;
    rename_references(step, [&](std::size_t i) {
      if (i == k) return result.size();  // the fact of a `let` names itself
      refers = refers || removed.count(i) != 0;
      return place.count(i) != 0 ? place[i] : i;
    });
    if (refers) {
      removed.insert(k);
      continue;
    }
    place[k] = result.size();
    result.push_back(std::move(step));
    if (kept != nullptr) kept->push_back(k);
  }
  return result;
}

}  // namespace attest::test
