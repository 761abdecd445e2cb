// Systematic mutation of certificates: every leaf, every key and every array entry is changed once or more.
#pragma once

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace attest::test {

using Json = nlohmann::ordered_json;

/// Calls `callback(mutant, pointer, change)` for each mutant of `original`: `pointer` is the JSON pointer of
/// the place
/// ("/claims/0/steps/2/p"), `change` says what was done there. Mutants equal to the original are left out.
///
/// Numbers: + 1, - 1, 0. Strings: another number for numbers (also its negative), another word, the empty
/// string, a verdict for verdicts. Booleans: negated. Every value: replaced by one of another type. Arrays:
/// each entry dropped, doubled, swapped with the next. Objects: each key dropped, and an unknown key added.
inline void mutate_every_field(
    const Json& original,
    const std::function<void(const Json&, const std::string&, const std::string&)>& callback) {
  Json mutant = original;
  const std::function<void(Json&, const std::string&)> visit = [&](Json& place, const std::string& pointer) {
    const Json before = place;
    const auto with = [&](Json changed, const std::string& change) {
      if (changed == before) return;
      place = std::move(changed);
      callback(mutant, pointer, change);
      place = before;
    };
    if (before.is_number_integer()) {
      const auto value = before.get<std::uint64_t>();
      with(value + 1, "+ 1");
      if (value > 0) with(value - 1, "- 1");
      with(0, "zero");
      with(-1 - static_cast<std::int64_t>(value >> 1), "negative");
      with(std::to_string(value), "a string");
      with(static_cast<double>(value) + 0.5, "a fraction");
    } else if (before.is_boolean()) {
      with(!before.get<bool>(), "negated");
      with(before.get<bool>() ? 1 : 0, "a number");
    } else if (before.is_string()) {
      const std::string text = before.get<std::string>();
      const bool number = !text.empty() && text.find_first_not_of("-0123456789/") == std::string::npos;
      const bool integer = number && text.find('/') == std::string::npos;
      if (number && text != "0") {  // which has many spellings
        std::string negated = text;
        text[0] == '-' ? negated.erase(0, 1) : negated.insert(0, 1, '-');
        with(negated, "negated");
        with(text + "1", "another number");
        with("0", "zero");
        if (integer) with(text + "/3", "a third");
      }
      if (text == "0") with("1", "one");
      for (const char* verdict : {"verified", "refuted", "inapplicable", "undecided"}) with(verdict, verdict);
      for (const char* word : {"holds", "fails", "sufficient", "proved", "open"}) with(word, word);
      with(text + "x", "a letter more");
      with(text.substr(0, text.size() / 2), "the first half");
      with("", "empty");
      with(7, "a number");
    } else if (before.is_array()) {
      for (std::size_t i = 0; i < before.size(); ++i) {
        Json changed = before;
        changed.erase(i);
        with(changed, "without entry " + std::to_string(i));
        changed = before;
        changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), before[i]);
        with(changed, "entry " + std::to_string(i) + " twice");
        if (i + 1 < before.size()) {
          changed = before;
          std::swap(changed[i], changed[i + 1]);
          with(changed, "entries " + std::to_string(i) + " and " + std::to_string(i + 1) + " swapped");
        }
      }
      with(Json::array(), "empty");
      with(Json::object(), "an object");
      for (std::size_t i = 0; i < before.size(); ++i) visit(place[i], pointer + "/" + std::to_string(i));
    } else if (before.is_object()) {
      std::vector<std::string> keys;
      for (const auto& item : before.items()) keys.push_back(item.key());
      for (const std::string& key : keys) {
        place.erase(key);
        callback(mutant, pointer + "/" + key, "dropped");
        place = before;
      }
      Json changed = before;
      changed["unknown-key"] = 1;
      with(changed, "an unknown key");
      with(Json::array(), "an array");
      for (const std::string& key : keys) visit(place[key], pointer + "/" + key);
    }
    with(nullptr, "null");
  };
  visit(mutant, "");
}

/// Whether a mutant may be accepted, because it is another valid proof of the same claims (a certificate
/// states *a* prime, *a* minor, *a* witness, and there are others) or differs in informative text. A mutant
/// that is accepted elsewhere is a defect of the checker.
inline bool is_free_choice(const Json& mutant, const std::string& pointer, const std::string& change) {
  // Names of keys; what is below them counts as well.
  static const std::string kFree =
      " attest reason binary64 "               // informative
      " p g rows cols "                        // another character, another minor
      " tokens first second "                  // an equal token of another example, other tokens
      " example token coordinate "             // another witness
      " distinct equal constant "              // another representative of equal heads
      " functionals vectors subset relation "  // in another order, multiplied, written otherwise
      " method precision "                     // another way to check the same
      " mid rad "                              // wider balls
      " key query separator u v lambda "       // other weights with the same properties
      " right_inverses left_inverse "
      " kernel mu primes entries "       // other witnesses of the lemmas and of Proposition 3
      " entry_bound minor_bound base ";  // larger bounds
  for (std::size_t start = 0; start < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', start + 1), pointer.size());
    std::string name(1, ' ');
    name.append(pointer, start + 1, end - start - 1).append(1, ' ');
    if (kFree.find(name) != std::string::npos) return true;
    start = end;
  }
  const auto ends_with = [&](const std::string& end) {
    return pointer.size() >= end.size() && pointer.compare(pointer.size() - end.size(), end.size(), end) == 0;
  };
  if (ends_with("/k")) return change == "- 1" || change == "zero";  // a weaker bound that is enough
  if (ends_with("/seed") || ends_with("/bound")) {                  // another random layer
    const Json::json_pointer place(pointer);
    return change != "dropped" && mutant[place.parent_pointer()].value("argument", "") == "random";
  }
  // Another order of steps, or a step that was not needed; minors without the short cut; a weaker lower bound
  // that is enough.
  return ends_with("/steps") || (ends_with("/solutions") && change == "dropped");
}

}  // namespace attest::test
