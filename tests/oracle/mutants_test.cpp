// Certificates with random faults: whatever the checker still accepts must be true. ATTEST_MUTANTS sets how
// many are made, ATTEST_SEED which.
#include <doctest/doctest.h>
#include <sys/time.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include "base/errors.hpp"
#include "base/isolated.hpp"
#include "base/meter.hpp"
#include "tests/oracle/corpus.hpp"
#include "tests/oracle/mutator.hpp"
#include "tests/oracle/truth.hpp"

using namespace attest;
using namespace attest::test;

namespace {

constexpr std::size_t kModerateSize = 1000;  ///< of a case: T H n d
constexpr std::size_t kMutants = 20'000;
constexpr double kMostSeconds = 0.25;  ///< of the processor, for one check
constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30;

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Ends this process, by a signal, when a scope takes longer than a check may.
struct TimeLimit {
  TimeLimit() { set(kMostSeconds); }
  ~TimeLimit() { set(0); }
  static void set(double seconds) {
    itimerval timer{};
    timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * seconds);
    ::setitimer(ITIMER_VIRTUAL, &timer, nullptr);
  }
};

struct Count {
  std::size_t mutants = 0, accepted = 0, judged_true = 0, unknown = 0, wrong = 0;
};

Pool pool_of(const std::vector<Sheet>& sheets) {
  Pool pool;
  for (const Sheet& sheet : sheets) pool.add(sheet.steps, sheet.report.facts);
  return pool;
}

/// Makes mutants, each by a number of its own, so that any of them can be the first.
class Mutants {
public:
  Mutants(const std::vector<Sheet>& sheets, std::size_t count, std::uint64_t seed)
      : sheets_(sheets), count_(count), seed_(seed), pool_(pool_of(sheets)) {}

  /// {"outcome", "facts": [[rule, Answer], ...], "unknown": [text], "failures": [text], "seconds": [of the
  /// checker, of the oracle]}
  Json operator()(std::size_t number) {
    Random random(seed_ * 1'000'000'007 + number);
    Mutator mutator(random, pool_);
    // An equal share for each claim.
    const Sheet& sheet = sheets_[number * sheets_.size() / count_];
    if (!truths_ || of_truths_ != &sheet) truths_ = std::make_unique<Truths>(*sheet.source);
    of_truths_ = &sheet;
    const Json unchanged = sheet.certificate(sheet.steps);
    Json certificate;
    bool doubled_key = false;
    do {
      certificate = unchanged;
      if (random.one_in(50)) {
        mutator.descend(certificate, "");
      } else if (random.one_in(100)) {
        doubled_key = true;
      } else {
        Json& steps = certificate.at("steps");
        mutator.mutate_steps(steps);
        if (random.one_in(4)) mutator.mutate_steps(steps);
        Json& named = certificate.at("claims").at(0).at("steps") = Json::array();
        for (std::size_t k = 0; k < steps.size(); ++k) named.push_back(k);
      }
    } while (!doubled_key && certificate == unchanged);
    return outcome(sheet, std::move(certificate), doubled_key);
  }

private:
  Json outcome(const Sheet& sheet, Json certificate, bool doubled_key) {
    Json result = {{"outcome", ""},
                   {"facts", Json::array()},
                   {"unknown", Json::array()},
                   {"failures", Json::array()},
                   {"seconds", {0.0, 0.0}}};
    const auto steps = [&]() -> Json& { return certificate.at("steps"); };
    const auto fail = [&](const auto&... parts) {
      std::ostringstream text;
      ((text << sheet.name << ": ") << ... << parts);
      result["failures"].push_back(text.str());
    };
    for (std::size_t attempt = 0;; ++attempt) {
      std::string bytes = certificate.dump();
      if (doubled_key) bytes.insert(bytes.find("\"steps\""), "\"steps\":[],");
      std::optional<kernel::ClaimReport> report;
      std::string refusal;
      const std::clock_t start = std::clock();
      try {
        const TimeLimit limit;
        report = kernel::check(*sheet.problem, bytes).at(0);
      } catch (const Failure& rejection) {
        refusal = rejection.what();
      } catch (const InputError&) {
        result["outcome"] = "bad input";
        return result;
      } catch (const LimitError&) {
        result["outcome"] = "limit";
        return result;
      } catch (const std::bad_alloc&) {
        result["outcome"] = "limit";
        return result;
      } catch (const std::exception& error) {
        fail(error.what(), " for ", bytes);
        return result;
      }
      result["seconds"][0] = result["seconds"][0].get<double>() + seconds_since(start);
      if (!report) {
        const auto better = derived_fact(refusal);
        if (better && attempt < 7 && steps().at(better->first).is_object()) {
          steps()[better->first]["fact"] = better->second;
          continue;
        }
        result["outcome"] = "rejected";
        return result;
      }
      result["outcome"] = "accepted";
      const std::clock_t judging = std::clock();
      for (std::size_t k = 0; k < report->facts.size(); ++k) {
        Answer found = Answer::unknown;
        try {
          found = truths_->judge(steps(), k);
        } catch (const std::exception& error) {
          fail("the oracle: ", error.what(), " at step ", k, " of ", bytes);
        }
        result["facts"].push_back({steps()[k]["rule"], static_cast<int>(found)});
        const std::string fact = report->facts[k].text();
        if (found == Answer::no) fail("accepted and false: ", fact, ", step ", k, " of ", bytes);
        if (found == Answer::unknown) result["unknown"].push_back(sheet.name + ": " + fact);
      }
      result["seconds"][1] = seconds_since(judging);
      return result;
    }
  }

  const std::vector<Sheet>& sheets_;
  std::size_t count_;
  std::uint64_t seed_;
  Pool pool_;
  std::unique_ptr<Truths> truths_;
  const Sheet* of_truths_ = nullptr;
};

}  // namespace

TEST_CASE("every mutant that the checker accepts is true") {
  const std::vector<Sheet> sheets = corpus(kModerateSize);
  const char* const wanted = std::getenv("ATTEST_MUTANTS");
  const std::size_t mutants = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : kMutants;
  const char* const seed_text = std::getenv("ATTEST_SEED");
  const std::uint64_t seed = seed_text != nullptr ? std::strtoull(seed_text, nullptr, 10) : 1;
  Mutants made(sheets, mutants, seed);

  Count total;
  std::map<std::string, Count> by_rule;
  std::map<std::string, std::size_t> outcomes;
  std::vector<std::string> not_judged;
  double check_seconds = 0, oracle_seconds = 0;
  const auto add = [&](const Json& mutant) {
    ++total.mutants;
    ++outcomes[mutant["outcome"].get<std::string>()];
    for (const Json& failure : mutant["failures"]) FAIL_CHECK(failure.get<std::string>());
    for (const Json& text : mutant["unknown"])
      if (not_judged.size() < 20) not_judged.push_back(text.get<std::string>());
    check_seconds += mutant["seconds"][0].get<double>();
    oracle_seconds += mutant["seconds"][1].get<double>();
    if (mutant["outcome"] != "accepted") return;
    ++total.accepted;
    const auto count = [](Count& of, Answer answer) {
      of.judged_true += answer == Answer::yes ? 1 : 0;
      of.unknown += answer == Answer::unknown ? 1 : 0;
      of.wrong += answer == Answer::no ? 1 : 0;
    };
    Answer worst = Answer::yes;
    for (const Json& fact : mutant["facts"]) {
      const auto found = static_cast<Answer>(fact[1].get<int>());
      Count& of_rule = by_rule[fact[0].get<std::string>()];
      ++of_rule.accepted;
      count(of_rule, found);
      if (found == Answer::no || worst == Answer::yes) worst = found;
    }
    count(total, worst);
  };
  // In child processes: nothing but a clock ends a check that takes long, and then the next child goes on.
  while (total.mutants < mutants) {
    IsolatedTask task([&, first = total.mutants] {
      limit_memory(kMostBytes);
      for (std::size_t k = first; k < mutants; ++k) leave(made(k).dump() + "\n");
      return std::string();
    });
    task.wait(0);
    std::istringstream lines(task.output());
    for (std::string line; std::getline(lines, line) && line.starts_with('{');) add(Json::parse(line));
    using End = IsolatedTask::End;
    if (task.end() == End::finished) break;
    const std::string ending = task.ending();
    ++total.mutants;
    if (task.end() == End::out_of_memory || ending.starts_with("signal " + std::to_string(SIGVTALRM)))
      ++outcomes["limit"];
    else
      FAIL_CHECK("mutant ", total.mutants - 1, " of seed ", seed, ": ", ending);
  }
  for (const auto& [rule, count] : by_rule) {
    std::cout << "  facts of accepted mutants by " << rule << ": " << count.accepted << ", true "
              << count.judged_true << ", not judged " << count.unknown << ", false " << count.wrong << "\n";
  }
  for (const std::string& each : not_judged) std::cout << "  not judged: " << each << "\n";
  std::cout << "mutants: " << total.mutants << " of " << sheets.size() << " claims (seed " << seed
            << "), rejected " << outcomes["rejected"] << ", bad input " << outcomes["bad input"]
            << ", beyond a limit " << outcomes["limit"] << ", accepted " << total.accepted << ": judged true "
            << total.judged_true << ", not judged " << total.unknown << ", false " << total.wrong << "\n";
  std::cout << "  seconds of the checker " << check_seconds << ", of the oracle " << oracle_seconds << "\n";
  CHECK(total.mutants == mutants);
  CHECK(total.wrong == 0);
  CHECK(total.unknown == 0);
}
