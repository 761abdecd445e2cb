#include "theory/circuits.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>

#include "base/text.hpp"

namespace attest {
namespace {

std::vector<std::size_t> list_in(const std::string& text) {
  std::vector<std::size_t> examples;
  std::istringstream in(text);
  for (std::string each; std::getline(in, each, ',');) {
    examples.push_back(0);
    std::from_chars(each.data(), each.data() + each.size(), examples.back());
  }
  return examples;
}

bool increasing(const std::vector<std::size_t>& examples) {
  return std::ranges::adjacent_find(examples, std::greater_equal<>()) == examples.end();
}

}  // namespace

std::string Circuits::text() const {
  std::string result = integer_list(set, ",");
  for (const auto& [t, others] : conflicts)
    result.append(";").append(std::to_string(t)).append(":").append(integer_list(others, ","));
  return result;
}

std::string in_words(const Circuits& circuits) {
  constexpr std::size_t kMostShown = 12;
  const auto few = [](std::vector<std::size_t> examples) {
    const bool more = examples.size() > kMostShown;
    if (more) examples.resize(kMostShown);
    return integer_list(examples, ", ") + (more ? ", ..." : "");
  };
  std::string text = "examples memorizable together: " + (circuits.set.empty() ? "none" : few(circuits.set));
  std::vector<std::size_t> first;  // of those with equal conflicts
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> equal;
  for (const auto& [t, others] : circuits.conflicts) {
    equal[others].push_back(t);
    if (equal[others].size() == 1) first.push_back(t);
  }
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (k == kMostShown) return text + "; ...";
    const std::vector<std::size_t>& others = circuits.conflicts.at(first[k]);
    const std::vector<std::size_t>& examples = equal.at(others);
    text += "; " + few(examples) + (examples.size() == 1 ? " conflicts with " : " each conflict with ") +
            (others.empty()                                              ? std::string("itself")
             : others.size() == circuits.set.size() && others.size() > 1 ? "all of them"
                                                                         : few(others));
  }
  return text;
}

std::optional<Circuits> circuits_in(const std::string& text) {
  Circuits result;
  std::istringstream in(text);
  std::string part;
  std::getline(in, part, ';');
  result.set = list_in(part);
  bool fine = increasing(result.set);
  while (std::getline(in, part, ';')) {
    const std::size_t colon = std::min(part.find(':'), part.size());
    std::vector<std::size_t>& others = result.conflicts[list_in(part.substr(0, colon) + ",").front()];
    others = list_in(part.substr(std::min(colon + 1, part.size())));
    fine = fine && increasing(others);
  }
  if (!fine || result.text() != text) return std::nullopt;
  return result;
}

std::vector<std::size_t> greedy_order(const Claim& claim, std::size_t examples) {
  std::vector<std::size_t> order(examples);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!claim.has("values")) return order;
  std::vector<mpq_class> values;
  for (const std::size_t t : order) values.push_back(claim.array("values").at(t));
  std::ranges::stable_sort(order, [&](std::size_t s, std::size_t t) { return values[s] > values[t]; });
  return order;
}

}  // namespace attest
