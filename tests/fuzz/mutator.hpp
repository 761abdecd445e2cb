// Random faults in certificates: what a forger, or a bug, might change.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "problem/generate.hpp"
#include "theory/facts.hpp"

namespace attest::test {

using Json = nlohmann::json;

class Random {
public:
  explicit Random(std::uint64_t seed) : source_(seed, 201) {}
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : source_.below(bound); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  auto& of(List& list) {
    return list[below(list.size())];
  }

private:
  SplitMix64 source_;
};

/// What mutants borrow from each other.
struct Pool {
  std::vector<std::string> quantities, theorems;
  std::vector<Json> steps;

  /// All theorems, and a few quantities.
  Pool();
  /// Steps and the facts that they prove.
  void add(const Json& proof, const std::vector<Fact>& facts);
};

class Mutator {
public:
  /// Both outlive it.
  Mutator(Random& random, const Pool& pool) : random_(random), pool_(pool) {}

  /// One step, or the list of them.
  void mutate_steps(Json& steps);
  /// Anything in the certificate.
  void descend(Json& node, const std::string& key);

private:
  void change_object(Json& node);
  void change_list(Json& node);
  void change_number(Json& node);
  static std::uint64_t parsed(const std::string& digits, std::uint64_t otherwise);
  std::string changed_digit(std::string text);
  void change_string(Json& node, const std::string& key);
  std::string changed_fact(const std::string& text);
  std::string changed_numeral(const std::string& text);
  /// Claims more, with more of the witness.
  void strengthen(Json& step);

  Random& random_;
  const Pool& pool_;
};

/// The fact that the checker derived, when it refused a certificate only because another one is stated.
std::optional<std::pair<std::size_t, std::string>> derived_fact(const std::string& rejection);

}  // namespace attest::test
