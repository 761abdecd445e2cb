// Certificates with random faults: whatever the checker still accepts must be true. ATTEST_MUTANTS sets how
// many are made, ATTEST_SEED which.
#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>

#include "input/errors.hpp"
#include "input/meter.hpp"
#include "input/numbers.hpp"
#include "tests/oracle/references.hpp"
#include "tests/oracle/truth.hpp"

using namespace attest;
using namespace attest::test;

namespace {

constexpr std::size_t kModerateSize = 1000;      ///< of a case: T H n d
constexpr std::uint64_t kMostWork = 30'000'000;  ///< of one check; about 0.05 s
constexpr std::size_t kMutants = 60'000;

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
};

class Mutator {
public:
  Mutator(Random& random, const Pool& pool) : random_(random), pool_(pool) {}

  void mutate_steps(Json& steps) {
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

  /// Anything in the certificate.
  void descend(Json& node, const std::string& key) {
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

private:
  void change_object(Json& node) {
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

  void change_list(Json& node) {
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

  void change_number(Json& node) {
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

  static std::uint64_t parsed(const std::string& digits, std::uint64_t otherwise) {
    return digits.size() < 19 ? std::stoull(digits) : otherwise ^ 1;
  }

  std::string changed_digit(std::string text) {
    const std::size_t i = random_.below(text.size());
    if (text[i] >= '0' && text[i] <= '9')
      text[i] = static_cast<char>('0' + random_.below(10));
    else if (!text.empty())
      text.erase(i, 1);
    return text;
  }

  void change_string(Json& node, const std::string& key) {
    const std::string text = node.get<std::string>();
    static const std::vector<std::string> rules = {"let",  "minor",   "zero",  "subsets", "compare",
                                                   "ball", "inverse", "split", "theorem"};
    static const std::vector<std::string> words = {"left",  "right", "subsets", "dual", "holds",
                                                   "fails", "given", "u",       ""};
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

  std::string changed_fact(const std::string& text) {
    const std::size_t at = text.rfind(' ');
    if (at == std::string::npos || at < 3) return text + " ";
    const std::string quantity = text.substr(0, at - 3), bound = text.substr(at + 1);
    switch (random_.below(4)) {
      case 0:
        return text.substr(0, at + 1) +
               mpz_class(
                   mpz_class(bound.find_first_not_of("-0123456789") == std::string::npos ? bound : "0") + 1)
                   .get_str();
      case 1:
        return quantity + (text[at - 2] == '>' ? " <= " : " >= ") + bound;
      case 2:
        return random_.of(pool_.quantities) + text.substr(at - 3);
      default:
        return changed_digit(text);
    }
  }

  std::string changed_numeral(const std::string& text) {
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

  /// Claims more, with more of the witness.
  void strengthen(Json& step) {
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

  Random& random_;
  const Pool& pool_;
};

/// The fact that the checker derived, when it refused a certificate only because another one is stated.
std::optional<std::pair<std::size_t, std::string>> derived_fact(const std::string& rejection) {
  const std::size_t step = rejection.find(": step "), fact = rejection.find("expected the fact ");
  if (step == std::string::npos || fact == std::string::npos) return std::nullopt;
  const std::size_t from = fact + 18, to = rejection.find(", found ", from);
  return std::pair(std::stoul(rejection.substr(step + 7)), rejection.substr(from, to - from));
}

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Of the checker only: the oracle's work is counted by the same meter.
struct WorkLimit {
  WorkLimit() { meter().limit_work(meter().work_done() + kMostWork); }
  ~WorkLimit() { meter().limit_work(0); }
};

struct Count {
  std::size_t mutants = 0, accepted = 0, judged_true = 0, unknown = 0, wrong = 0;
};

Pool pool_of(const std::vector<Sheet>& sheets) {
  Pool pool;
  std::set<std::string> quantities = {"capacity", "tail_rank", "rank(Z(any))", "rank(Z(given))",
                                      "network(integer)"};
  for (const Sheet& sheet : sheets) {
    for (std::size_t k = 0; k < sheet.steps.size(); ++k) {
      if (sheet.steps[k].dump().size() < 20'000) pool.steps.push_back(sheet.steps[k]);
      quantities.insert(sheet.report.facts[k].quantity);
    }
  }
  pool.quantities.assign(quantities.begin(), quantities.end());
  for (const Theorem& each : theorems()) pool.theorems.push_back(each.name);
  return pool;
}

}  // namespace

TEST_CASE("every mutant that the checker accepts is true") {
  const std::vector<Sheet> sheets = corpus(kModerateSize);
  const char* const wanted = std::getenv("ATTEST_MUTANTS");
  const std::size_t mutants = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : kMutants;
  const char* const seed_text = std::getenv("ATTEST_SEED");
  const std::uint64_t seed = seed_text != nullptr ? std::strtoull(seed_text, nullptr, 10) : 1;
  const Pool pool = pool_of(sheets);
  Random random(seed);
  Mutator mutator(random, pool);

  Count total;
  std::map<std::string, Count> by_rule;
  std::vector<std::string> not_judged;
  std::size_t refused = 0, bad_input = 0, limits = 0;
  double check_seconds = 0, oracle_seconds = 0;
  for (std::size_t s = 0; s < sheets.size(); ++s) {
    const Sheet& sheet = sheets[s];
    Truths truths(*sheet.source);
    // An equal share for each claim.
    const std::size_t share = mutants * (s + 1) / sheets.size() - mutants * s / sheets.size();
    for (std::size_t made = 0; made < share;) {
      Json certificate = sheet.certificate(sheet.steps);
      const auto steps = [&]() -> Json& { return certificate.at("claims").at(0).at("steps"); };
      bool doubled_key = false;
      if (random.one_in(50)) {
        mutator.descend(certificate, "");
      } else if (random.one_in(100)) {
        doubled_key = true;
      } else {
        mutator.mutate_steps(steps());
        if (random.one_in(4)) mutator.mutate_steps(steps());
      }
      if (!doubled_key && certificate == sheet.certificate(sheet.steps)) continue;
      ++made;
      ++total.mutants;
      for (std::size_t attempt = 0; attempt < 8; ++attempt) {
        std::string bytes = certificate.dump();
        if (doubled_key) bytes.insert(bytes.find("\"steps\""), "\"steps\":[],");
        std::optional<checker::ClaimReport> report;
        std::string refusal;
        const std::clock_t start = std::clock();
        try {
          const WorkLimit limit;
          report = checker::check(*sheet.problem, bytes).at(0);
        } catch (const Failure& rejection) {
          refusal = rejection.what();
        } catch (const InputError&) {
          ++bad_input;
          break;
        } catch (const LimitError&) {
          ++limits;
          break;
        } catch (const std::exception& error) {
          FAIL_CHECK(sheet.name << ": " << std::string(error.what()) << " for " << bytes);
          break;
        }
        check_seconds += seconds_since(start);
        if (!report) {
          const auto better = derived_fact(refusal);
          if (better && attempt < 7 && steps().at(better->first).is_object()) {
            steps()[better->first]["fact"] = better->second;
            continue;
          }
          ++refused;
          break;
        }
        ++total.accepted;
        Answer worst = Answer::yes;
        const std::clock_t judging = std::clock();
        for (std::size_t k = 0; k < report->facts.size(); ++k) {
          Count& count = by_rule[steps()[k]["rule"].get<std::string>()];
          Answer found = Answer::unknown;
          try {
            found = truths.judge(steps(), k);
          } catch (const std::exception& error) {
            FAIL_CHECK(sheet.name << ": the oracle: " << std::string(error.what()) << " at step " << k
                                  << " of " << bytes);
          }
          ++count.accepted;
          count.judged_true += found == Answer::yes ? 1 : 0;
          count.unknown += found == Answer::unknown ? 1 : 0;
          count.wrong += found == Answer::no ? 1 : 0;
          if (found == Answer::no) {
            worst = Answer::no;
            FAIL_CHECK(sheet.name << ": accepted and false: " << report->facts[k].text() << ", step " << k
                                  << " of " << bytes);
          }
          if (found != Answer::unknown) continue;
          if (worst == Answer::yes) worst = Answer::unknown;
          if (not_judged.size() < 20) not_judged.push_back(sheet.name + ": " + report->facts[k].text());
        }
        oracle_seconds += seconds_since(judging);
        total.judged_true += worst == Answer::yes ? 1 : 0;
        total.unknown += worst == Answer::unknown ? 1 : 0;
        total.wrong += worst == Answer::no ? 1 : 0;
        break;
      }
    }
  }
  for (const auto& [rule, count] : by_rule) {
    std::cout << "  facts of accepted mutants by " << rule << ": " << count.accepted << ", true "
              << count.judged_true << ", not judged " << count.unknown << ", false " << count.wrong << "\n";
  }
  for (const std::string& each : not_judged) std::cout << "  not judged: " << each << "\n";
  std::cout << "mutants: " << total.mutants << " of " << sheets.size() << " claims (seed " << seed
            << "), rejected " << refused << ", bad input " << bad_input << ", beyond a limit " << limits
            << ", accepted " << total.accepted << ": judged true " << total.judged_true << ", not judged "
            << total.unknown << ", false " << total.wrong << "\n";
  std::cout << "  seconds of the checker " << check_seconds << ", of the oracle " << oracle_seconds << "\n";
  CHECK(total.wrong == 0);
  CHECK(total.unknown == 0);
}
