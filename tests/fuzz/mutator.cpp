#include "tests/fuzz/mutator.hpp"

#include <algorithm>

#include "problem/numbers.hpp"
#include "tests/checker/references.hpp"
#include "theory/statements.hpp"

namespace attest::test {

Pool::Pool()
    : quantities{"capacity",        "network(integer)", "rank(Z(any))",       "rank(Z(given))",
                 "tail_rank",       "lambda_rank",      "memorized(any)",     "memorized(given)",
                 "memorized(bias)", "rank(Z|1)",        "rank(Z|1Y)",         "rank(Z|Y)",
                 "rank(head)",      "rank(outputs)",    "rank(head-outputs)", "rank(outputs|1)",
                 "rank(outputs|Y)", "rank(outputs|1Y)"} {
  for (const Theorem& each : attest::theorems()) theorems.push_back(each.name);
}

void Pool::add(const Json& proof, const std::vector<Fact>& facts) {
  for (std::size_t k = 0; k < proof.size(); ++k) {
    if (proof[k].dump().size() < 20'000) steps.push_back(proof[k]);
    const auto place = std::lower_bound(quantities.begin(), quantities.end(), facts[k].quantity);
    if (place == quantities.end() || *place != facts[k].quantity) quantities.insert(place, facts[k].quantity);
  }
}

void Mutator::mutate_steps(Json& steps) {
  if (steps.empty() || random_.one_in(12)) return change_list(steps);
  switch (random_.below(12)) {
    case 0:  // a step of another certificate
      steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(random_.below(steps.size() + 1)),
                   random_.of(pool_.steps));
      return;
    case 1:  // a step dropped, and what refers to it, the rest renumbered; or not renumbered
      steps = without_steps(steps, {random_.below(steps.size())});
      return;
    case 2:
    case 3:
      return strengthen(random_.of(steps));
    case 4:  // one reference of a step
      return rename_references(random_.of(steps), [&](std::size_t k) {
        return random_.one_in(2) ? k : random_.below(steps.size() + 1);
      });
    default:
      return descend(random_.of(steps), "");
  }
}

void Mutator::descend(Json& node, const std::string& key) {
  if ((node.is_array() || node.is_object()) && !node.empty() && !random_.one_in(4)) {
    if (node.is_array()) return descend(random_.of(node), key);
    auto place = node.begin();
    std::advance(place, random_.below(node.size()));
    const std::string name = place.key();
    return descend(place.value(), name);
  }
  if (node.is_object()) return change_object(node);
  if (node.is_array()) return change_list(node);
  if (node.is_string()) return change_string(node, key);
  change_number(node);
}

void Mutator::change_object(Json& node) {
  if (node.empty()) {
    node["label"] = "x";
    return;
  }
  auto place = node.begin();
  std::advance(place, random_.below(node.size()));
  const std::string key = place.key();
  const Json value = place.value();
  switch (random_.below(4)) {
    case 0:
      node.erase(key);
      return;
    case 1:
      node.erase(key);
      node[key + "x"] = value;
      return;
    case 2: {  // the values of two keys
      auto other = node.begin();
      std::advance(other, random_.below(node.size()));
      std::swap(node[key], other.value());
      return;
    }
    default:
      node[random_.one_in(2) ? "member" : "g"] = value;
  }
}

void Mutator::change_list(Json& node) {
  const std::size_t size = node.size();
  const auto at = [&](std::size_t i) { return node.begin() + static_cast<std::ptrdiff_t>(i); };
  if (size == 0) {
    node.push_back(random_.one_in(2) ? Json(0) : Json("0"));
    return;
  }
  const std::size_t i = random_.below(size), j = random_.below(size);
  switch (random_.below(6)) {
    case 0:
      node.erase(at(i));
      return;
    case 1: {
      const Json copy = node[i];
      node.insert(at(j), copy);
      return;
    }
    case 2:
      std::swap(node[i], node[j]);
      return;
    case 3: {  // appended, with a change
      Json copy = node[i];
      descend(copy, "");
      node.push_back(std::move(copy));
      return;
    }
    case 4:
      node[i] = Json(node[j]);
      return;
    default:
      if (random_.one_in(3))
        node = Json::array();
      else
        std::reverse(node.begin(), node.end());
  }
}

void Mutator::change_number(Json& node) {
  if (!node.is_number_unsigned()) {
    node = 1;
    return;
  }
  const auto value = node.get<std::uint64_t>();
  static const std::vector<std::uint64_t> others = {
      0, 1, 2, 3, 4, 5, 6, 7, 23, 101, 1000003, 1000919, 8388287, (std::uint64_t{1} << 61) - 1, UINT64_MAX};
  switch (random_.below(5)) {
    case 0:
      node = value + 1;
      return;
    case 1:
      node = value == 0 ? Json(-1) : Json(value - 1);
      return;
    case 2:
      node = random_.of(others);
      return;
    case 3:
      node = random_.below(6);
      return;
    default:
      node = changed_digit(std::to_string(value));
      node = parsed(node.get<std::string>(), value);
  }
}

std::uint64_t Mutator::parsed(const std::string& digits, std::uint64_t otherwise) {
  return digits.size() < 19 ? std::stoull(digits) : otherwise ^ 1;
}

std::string Mutator::changed_digit(std::string text) {
  const std::size_t i = random_.below(text.size());
  if (text[i] >= '0' && text[i] <= '9')
    text[i] = static_cast<char>('0' + random_.below(10));
  else if (!text.empty())
    text.erase(i, 1);
  return text;
}

void Mutator::change_string(Json& node, const std::string& key) {
  const std::string text = node.get<std::string>();
  static const std::vector<std::string> rules = {"let",     "part",    "minor",    "zero",
                                                 "subsets", "compare", "ball",     "inverse",
                                                 "split",   "theorem", "circuits", "coefficients"};
  static const std::vector<std::string> words = {"left",  "right", "above", "below", "subsets", "dual",
                                                 "holds", "fails", "given", "u",     ""};
  if (key == "rule" && !random_.one_in(3))
    node = random_.of(rules);
  else if (key == "theorem")
    node = random_.of(pool_.theorems);
  else if (key == "of")
    node = random_.of(pool_.quantities);
  else if (key == "fact")
    node = changed_fact(text);
  else if (key == "side" || key == "method" || key == "layer")
    node = random_.of(words);
  else if (key == "label")
    node = text + "!";
  else
    node = changed_numeral(text);
}

std::string Mutator::changed_fact(const std::string& text) {
  const std::size_t at = text.rfind(' ');
  if (at == std::string::npos || at < 3) return text + " ";
  const std::string quantity = text.substr(0, at - 3), bound = text.substr(at + 1);
  switch (random_.below(4)) {
    case 0: {
      mpz_class number;  // of a fact that has been mutated before, perhaps none
      if (number.set_str(bound, 10) != 0) number = 0;
      number += 1;
      return text.substr(0, at + 1) + number.get_str();
    }
    case 1:
      return quantity + (text[at - 2] == '>' ? " <= " : " >= ") + bound;
    case 2:
      return random_.of(pool_.quantities) + text.substr(at - 3);
    default:
      return changed_digit(text);
  }
}

std::string Mutator::changed_numeral(const std::string& text) {
  std::optional<mpq_class> value;
  try {
    value = parse_number(text);
  } catch (const std::invalid_argument&) {
    return changed_digit(text + "1");
  }
  switch (random_.below(9)) {
    case 0:
      return number_text(*value + 1);
    case 1:
      return number_text(*value - 1);
    case 2:
      return number_text(-*value);
    case 3:
      return "0";
    case 4:
      return number_text(*value * 2);
    case 5:
      return number_text(*value / 10);
    case 6:
      return number_text(*value / 100'000);
    case 7:
      return number_text(*value * mpq_class(1'000'001, 1'000'000));
    default:
      return changed_digit(text);
  }
}

void Mutator::strengthen(Json& step) {
  if (!step.is_object()) return;
  for (const char* key : {"rows", "cols"}) {
    if (step.contains(key) && step[key].is_array()) step[key].push_back(random_.below(8));
  }
  if (step.contains("inverse") && step["inverse"].is_array()) {
    for (Json& row : step["inverse"]) {
      if (row.is_array()) row.push_back("0");
    }
    if (step.contains("rows"))
      step["inverse"].push_back(Json(std::vector<std::string>(step["rows"].size(), "1")));
  }
  if (step.contains("scale") && step["scale"].is_array()) step["scale"].push_back("1");
  if (step.contains("k") && step["k"].is_number_unsigned()) step["k"] = step["k"].get<std::uint64_t>() + 1;
  if (step.contains("vectors") && step["vectors"].is_array()) {
    Json vector = Json::array();
    const std::size_t i = random_.below(6);
    vector.push_back({i, "1"});
    if (random_.one_in(2)) vector.push_back({i + 1 + random_.below(3), random_.one_in(2) ? "-1" : "1"});
    if (random_.one_in(4) && !step["vectors"].empty()) vector = step["vectors"][0];
    step["vectors"].push_back(vector);
  }
  if (step.contains("uses") && step["uses"].is_array()) step["uses"].push_back(random_.below(8));
  if (step.contains("lambda")) step["lambda"] = changed_numeral("1/2");
  if (step.contains("mu")) step["mu"] = changed_numeral("1");
}

std::optional<std::pair<std::size_t, std::string>> derived_fact(const std::string& rejection) {
  const std::size_t step = rejection.find("step "), fact = rejection.find("expected the fact ");
  if (step == std::string::npos || fact == std::string::npos) return std::nullopt;
  const std::size_t from = fact + 18, to = rejection.find(", found ", from);
  return std::pair(std::stoul(rejection.substr(step + 5)), rejection.substr(from, to - from));
}

}  // namespace attest::test
