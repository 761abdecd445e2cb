// Whatever the theorems of the table conclude from all that is proved of a case, in any of its claims, is
// true: also theorems that no prover thinks of.
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "base/errors.hpp"
#include "tests/oracle/corpus.hpp"
#include "tests/oracle/mutator.hpp"
#include "tests/oracle/references.hpp"
#include "tests/oracle/truth.hpp"

using namespace attest;
using namespace attest::test;

namespace {

constexpr std::size_t kModerateSize = 60;  ///< of a case: T H n d
constexpr std::size_t kRounds = 2;         ///< theorems from what theorems conclude

/// Steps that the checker accepts for one claim.
class Closure {
public:
  Json steps;
  std::vector<Fact> facts;

  explicit Closure(const Sheet& sheet)
      : steps(sheet.steps), facts(sheet.report.facts), sheet_(sheet), proof_(*sheet.source, &sheet.claim()) {
    check(kernel::Json::parse(steps.dump()), 0);
  }

  /// The steps of another claim of the case that this claim takes.
  void add(const Sheet& other) {
    std::map<std::size_t, std::size_t> number;
    for (std::size_t k = 0; k < other.steps.size(); ++k) {
      Json step = other.steps[k];
      bool known = true;
      rename_references(step, [&](std::size_t i) {
        known = known && number.contains(i);
        return known ? number.at(i) : i;
      });
      if (!known) continue;
      if (const auto its = add(std::move(step))) number[k] = *its;
    }
  }

  void add_theorems() {
    const std::size_t before = facts.size();
    std::vector<Json> layers = {"given"}, parts;
    for (std::size_t k = 0; k < before; ++k) {
      if (facts[k].kind == Fact::Kind::layer) layers.push_back(k);
      if (steps[k]["rule"] == "part") parts.push_back(k);
    }
    for (const Theorem& theorem : theorems()) {
      std::string text = theorem.conclusion;
      for (const std::string& condition : theorem.conditions) text += " and " + condition;
      // Without labels these are about all of them; and an encoding is of contexts of one length.
      const Data& data = sheet_.source->data;
      if (text.find("memorized(") != std::string::npos && !data.labels) continue;
      if (text.find("encoding") != std::string::npos && data.members) continue;
      Json step = {{"rule", "theorem"}, {"theorem", theorem.name}};
      const auto with_layer = [&](const std::string& of_parts) {
        if (theorem.conclusion.find("(W)") == std::string::npos) return conclude(step, of_parts, before);
        for (const Json& layer : layers) {
          step["layer"] = layer;
          conclude(step, with(of_parts, "(W)", layer.is_string() ? "given" : layer.dump()), before);
        }
      };
      if (text.find("(P)") == std::string::npos) {
        with_layer(text);
        continue;
      }
      for (const Json& p : parts) {
        step["parts"] = {p};
        with_layer(with(text, "(P)", p.dump()));
      }
    }
  }

private:
  static std::string with(std::string text, const std::string& letter, const std::string& name) {
    for (std::size_t at; (at = text.find(letter)) != std::string::npos;)
      text.replace(at, letter.size(), "(" + name + ")");
    return text;
  }

  void conclude(Json step, const std::string& text, std::size_t before) {
    const std::vector<std::string> names = quantities_in(text);
    step["uses"] = Json::array();
    for (std::size_t k = 0; k < before; ++k)
      if (std::find(names.begin(), names.end(), facts[k].quantity) != names.end()) step["uses"].push_back(k);
    step["fact"] = "";
    // The second round tries again only what uses more.
    if (tried_.insert(step.dump()).second) add(std::move(step));
  }

  void check(const kernel::Json& added, std::size_t first) {
    kernel::NumberedSteps numbered = kernel::all_steps(added);
    for (kernel::NumberedStep& step : numbered) step.number += first;
    proof_.proof.check_all(numbered);
  }

  /// The number of the step that proves its fact, which may be one that is there, or else, if it proves
  /// another one, of that.
  std::optional<std::size_t> add(Json step) {
    for (std::size_t attempt = 0; attempt < 2; ++attempt) {
      const auto same = std::find_if(facts.begin(), facts.end(), [&](const Fact& fact) {
        return fact.text() == step["fact"].get<std::string>();
      });
      if (same != facts.end()) return same - facts.begin();
      try {
        check(kernel::Json::parse(Json::array({step}).dump()), steps.size());
        facts.push_back(proof_.proof.fact(steps.size()));
        steps.push_back(std::move(step));
        return facts.size() - 1;
      } catch (const Failure& rejection) {
        const auto better = derived_fact(rejection.what());
        if (!better) break;
        step["fact"] = better->second;
      } catch (const LimitError&) {
        break;
      }
    }
    return std::nullopt;
  }

  const Sheet& sheet_;
  kernel::CaseProof proof_;
  std::set<std::string> tried_;
};

}  // namespace

TEST_CASE("what theorems conclude from all that is proved of a case is true") {
  const std::vector<Sheet> sheets = corpus(kModerateSize);
  std::set<std::string> statements;
  std::size_t claims = 0, borrowed = 0, concluded = 0, unknown = 0;
  for (const Sheet& sheet : sheets) {
    const auto same_case = [&](const Sheet& other) {
      return &other != &sheet && other.name.substr(0, other.name.find(" claim ")) ==
                                     sheet.name.substr(0, sheet.name.find(" claim "));
    };
    const Data& data = sheet.source->data;
    // Claims of the same statement differ in what they expect.
    const bool seen =
        !statements.insert(sheet.name.substr(0, sheet.name.find(" claim ")) + sheet.claim().statement).second;
    if (seen || !sheet.quick || !((data.contexts && data.queries) || data.hidden)) continue;
    CAPTURE(sheet.name);
    ++claims;
    Closure closure(sheet);
    for (const Sheet& other : sheets)
      if (same_case(other) && other.quick) closure.add(other);
    const std::size_t given = closure.facts.size();
    borrowed += given - sheet.report.facts.size();
    for (std::size_t round = 0; round < kRounds; ++round) closure.add_theorems();
    Truths truths(*sheet.source);
    for (std::size_t k = given; k < closure.facts.size(); ++k) {
      ++concluded;
      CAPTURE(closure.steps[k].dump());
      const Answer found = truths.judge(closure.steps, k);
      unknown += found == Answer::unknown ? 1 : 0;
      CHECK(found != Answer::no);
    }
  }
  std::cout << "closure: " << claims << " claims with " << borrowed << " facts of others; " << concluded
            << " facts by theorems, " << unknown << " of them not judged\n";
  CHECK(concluded > 0);
}
