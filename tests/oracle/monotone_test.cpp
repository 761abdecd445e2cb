// Leaving out steps loses information and never changes it: hypotheses may only become undecided, the
// conclusion only open.
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>

#include "kernel/quantities/quantities.hpp"
#include "tests/oracle/corpus.hpp"
#include "tests/oracle/references.hpp"

using namespace attest;
using namespace attest::test;

namespace {

/// What these steps of a sheet prove, from the facts that the checker has established for the whole: a step
/// that refers to none of those that are left out proves the same without them.
Finding concluded(const Sheet& sheet, const std::vector<std::size_t>& kept) {
  const auto layer = [](const std::string& name) -> const kernel::Layer& {
    throw std::logic_error("a statement about the layer " + name);
  };
  const auto part = [](const std::string& number) -> const Part& {
    throw std::logic_error("a statement about the part " + number);
  };
  FactBase facts(kernel::computed_quantities(*sheet.problem, sheet.claim(), layer, part));
  for (std::size_t k : kept) facts.add(sheet.report.facts[k]);
  return conclude(sheet.claim(), facts);
}

/// Whether `fewer` says nothing that `all` does not.
bool loses_only(const Finding& all, const Finding& fewer) {
  const auto less = [](Truth more, Truth left) { return left == more || left == Truth::open; };
  bool fine = all.hypotheses.size() == fewer.hypotheses.size() && less(all.conclusion, fewer.conclusion);
  for (std::size_t k = 0; fine && k < all.hypotheses.size(); ++k)
    fine = less(all.hypotheses[k].second, fewer.hypotheses[k].second);
  for (std::size_t k = 0; fine && k < all.shown.size(); ++k) {
    const Bounds &tight = all.shown[k].bounds, &loose = fewer.shown[k].bounds;
    fine = loose.lower <= tight.lower && tight.upper <= loose.upper;
  }
  return fine;
}

bool same(const Finding& a, const Finding& b) {
  return a.hypotheses == b.hypotheses && a.conclusion == b.conclusion && a.verdict == b.verdict &&
         a.hypotheses_undecided == b.hypotheses_undecided && numbers_text(a) == numbers_text(b);
}

/// The steps whose facts are about quantities of the hypotheses, and those that they refer to.
std::vector<std::size_t> deciding_hypotheses(const Sheet& sheet) {
  std::set<std::string> names;
  for (const Clause& each : statement(sheet.claim().statement).hypotheses) {
    for (const std::string& name : quantities_in(each.proposition)) names.insert(name);
  }
  std::set<std::size_t> steps;
  for (std::size_t k = sheet.steps.size(); k-- > 0;) {
    if (names.count(sheet.report.facts[k].quantity) != 0) steps.insert(k);
    if (steps.count(k) == 0) continue;
    Json step = sheet.steps[k];
    rename_references(step, [&](std::size_t i) {
      steps.insert(i);
      return i;
    });
  }
  return {steps.begin(), steps.end()};
}

/// Sets of steps to leave out: each step, each pair, every subset of those that decide hypotheses.
std::set<std::set<std::size_t>> omissions(const Sheet& sheet) {
  std::set<std::set<std::size_t>> sets;
  for (std::size_t i = 0; i < sheet.steps.size(); ++i) {
    for (std::size_t j = i; j < sheet.steps.size(); ++j) sets.insert({i, j});
  }
  const std::vector<std::size_t> steps = deciding_hypotheses(sheet);
  REQUIRE(steps.size() < 16);
  for (std::size_t bits = 1; bits < std::size_t{1} << steps.size(); ++bits) {
    std::set<std::size_t> set;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if ((bits >> k & 1) != 0) set.insert(steps[k]);
    }
    sets.insert(set);
  }
  return sets;
}

constexpr std::size_t kRepeatedFor = 12;  ///< omissions per claim that the checker itself repeats

}  // namespace

TEST_CASE("leaving out steps only loses information") {
  std::size_t omitted = 0, rechecked = 0, weaker = 0;
  const std::vector<Sheet> sheets = corpus();
  for (const Sheet& sheet : sheets) {
    CAPTURE(sheet.name);
    const std::set<std::set<std::size_t>> sets = omissions(sheet);
    const std::size_t stride = 1 + sets.size() / kRepeatedFor;
    std::size_t number = 0;
    for (const std::set<std::size_t>& set : sets) {
      std::vector<std::size_t> kept;
      const Json left = without_steps(sheet.steps, set, &kept);
      const Finding finding = concluded(sheet, kept);
      ++omitted;
      weaker += same(finding, sheet.report.finding) ? 0 : 1;
      CAPTURE(left.dump());
      CHECK(loses_only(sheet.report.finding, finding));
      if (number++ % stride != 0 || !sheet.quick) continue;
      ++rechecked;
      const std::string bytes = sheet.certificate(left).dump();
      CHECK(same(finding, kernel::check(*sheet.problem, bytes).front().finding));
    }
  }
  std::cout << "monotone: " << sheets.size() << " claims, none skipped; " << omitted
            << " sets of steps left out, " << weaker << " of them decide less; the checker repeated "
            << rechecked << "\n";
  CHECK(rechecked >= 2000);
  CHECK(weaker > 0);
}
