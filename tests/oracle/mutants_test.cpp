// Certificates with random faults: whatever the checker still accepts must be true. ATTEST_MUTANTS sets how
// many are made, ATTEST_SEED which.
#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "tests/oracle/corpus.hpp"
#include "tests/oracle/mutator.hpp"
#include "tests/oracle/truth.hpp"

using namespace attest;
using namespace attest::test;

namespace {

constexpr std::size_t kModerateSize = 1000;      ///< of a case: T H n d
constexpr std::uint64_t kMostWork = 30'000'000;  ///< of one check; about 0.05 s
constexpr std::size_t kMutants = 60'000;

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
  for (const Sheet& sheet : sheets) pool.add(sheet.steps, sheet.report.facts);
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
    const Json unchanged = sheet.certificate(sheet.steps);
    // An equal share for each claim.
    const std::size_t share = mutants * (s + 1) / sheets.size() - mutants * s / sheets.size();
    for (std::size_t made = 0; made < share;) {
      Json certificate = unchanged;
      const auto steps = [&]() -> Json& { return certificate.at("steps"); };
      bool doubled_key = false;
      if (random.one_in(50)) {
        mutator.descend(certificate, "");
      } else if (random.one_in(100)) {
        doubled_key = true;
      } else {
        mutator.mutate_steps(steps());
        if (random.one_in(4)) mutator.mutate_steps(steps());
        Json& named = certificate.at("claims").at(0).at("steps") = Json::array();
        for (std::size_t k = 0; k < steps().size(); ++k) named.push_back(k);
      }
      if (!doubled_key && certificate == unchanged) continue;
      ++made;
      ++total.mutants;
      for (std::size_t attempt = 0; attempt < 8; ++attempt) {
        std::string bytes = certificate.dump();
        if (doubled_key) bytes.insert(bytes.find("\"steps\""), "\"steps\":[],");
        std::optional<kernel::ClaimReport> report;
        std::string refusal;
        const std::clock_t start = std::clock();
        try {
          const WorkLimit limit;
          report = kernel::check(*sheet.problem, bytes).at(0);
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
