#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/meter.hpp"
#include "check/check_file.hpp"
#include "problem/digest.hpp"
#include "readers/array_files.hpp"
#include "tests/checker/samples.hpp"
#include "tests/fuzz/mutator.hpp"
#include "theory/statements.hpp"

namespace attest::test {
namespace {

constexpr std::uint64_t kWork = 100'000'000;  // of the readers: the kernel counts none
constexpr std::uint64_t kBytes = std::uint64_t{256} << 20;

/// What came of `action`, within limits of work and memory. Errors that are not documented get out.
template <typename Action>
std::string outcome(Action action) {
  meter().limit_work(kWork);
  meter().limit_bytes(meter().in_use() + kBytes);
  std::string text;
  try {
    text = action();
  } catch (const Failure& rejection) {
    text = std::string("rejected: ") + rejection.what();
  } catch (const InputError& error) {
    text = std::string("bad input: ") + error.what();
  } catch (const LimitError& error) {
    text = std::string("limit: ") + error.what();
  } catch (const MemoryLimitError& error) {
    text = std::string("limit: ") + error.what();
  }
  meter().limit_work(0);
  meter().limit_bytes(0);
  const auto control = [](char byte) { return static_cast<unsigned char>(byte) < 32 || byte == 127; };
  if (std::any_of(text.begin(), text.end(), control))
    throw std::logic_error("a message with control characters: " + text);
  if (text.size() > 4000) throw std::logic_error("a message of " + std::to_string(text.size()) + " bytes");
  return text;
}

/// No array may be larger than this, whatever a file says.
void little(std::uint64_t bytes) {
  if (bytes > (1 << 22)) throw LimitError("too much");
}

template <ArrayFormat format>
void arrays(std::string_view bytes) {
  for (const char* const array : {"x", "arr_0"})
    outcome([&] { return array_digest(ArrayFile(format, bytes, "file").read(array, little)); });
}

void toml(std::string_view bytes) {
  static const Folder folder;
  const std::filesystem::path file = folder.write("a.toml", std::string(bytes));
  ReadOptions options;
  options.memory_limit = std::size_t{1} << 22;
  outcome([&] { return problem_digest(read_case(file, options)); });
}

/// A case with one claim, and what its certificate proves.
struct Fixture {
  std::unique_ptr<Case> source;
  std::unique_ptr<kernel::Problem> problem;
  std::string bytes;  ///< "@NAME@" for the digest
  kernel::ClaimReport report;
};

const std::map<std::string, Fixture>& fixtures() {
  static const std::map<std::string, Fixture> all = [] {
    std::map<std::string, Fixture> made;
    for (const Sample& each : samples()) {
      const Case whole = case_of(each.toml);
      for (std::size_t i = 0; i < whole.claims.size(); ++i) {
        const std::string name = each.name + "-" + std::to_string(i);
        Fixture& fixture = made[name];
        fixture.source = std::make_unique<Case>(whole);
        fixture.source->claims = {whole.claims[i]};
        fixture.problem = std::make_unique<kernel::Problem>(*fixture.source);
        Json certificate = certificate_of(*fixture.problem, Json::array({each.claims.at(i)}));
        fixture.report = kernel::check(*fixture.problem, certificate.dump()).at(0);
        certificate["case"]["digest"] = "@" + name + "@";
        fixture.bytes = certificate.dump();
      }
    }
    return made;
  }();
  return all;
}

/// The case that the bytes name, and the bytes with its digest in place of the name. A case that is not
/// named is the first.
std::pair<const Fixture*, std::string> resolved(std::string_view bytes) {
  const std::size_t begin = bytes.find('@');
  const std::size_t end = begin == std::string_view::npos ? begin : bytes.find('@', begin + 1);
  if (end != std::string_view::npos) {
    const auto found = fixtures().find(std::string(bytes.substr(begin + 1, end - begin - 1)));
    if (found != fixtures().end()) {
      std::string text(bytes.substr(0, begin));
      text.append(problem_digest(*found->second.source)).append(bytes.substr(end + 1));
      return {&found->second, std::move(text)};
    }
  }
  return {&fixtures().begin()->second, std::string(bytes)};
}

bool contradict(Truth a, Truth b) {
  return a != b && a != Truth::open && b != Truth::open;
}

/// Facts are true of the case, so what two accepted certificates prove cannot contradict.
void compare(const Finding& known, const Finding& found) {
  bool wrong = contradict(known.conclusion, found.conclusion);
  for (std::size_t i = 0; i < known.hypotheses.size(); ++i)
    wrong = wrong || contradict(known.hypotheses[i].second, found.hypotheses.at(i).second);
  for (std::size_t i = 0; i < known.shown.size(); ++i) {
    const Bounds &a = known.shown[i].bounds, &b = found.shown.at(i).bounds;
    wrong = wrong || a.lower > b.upper || b.lower > a.upper;
  }
  if (wrong) throw std::logic_error("two accepted certificates contradict each other");
}

void certificate(std::string_view bytes) {
  certificate_outcome(bytes);
}

const Pool& pool() {
  static const Pool all = [] {
    Pool made;
    for (const auto& [name, fixture] : fixtures())
      made.add(Json::parse(fixture.bytes)["steps"], fixture.report.facts);
    return made;
  }();
  return all;
}

}  // namespace

std::string certificate_outcome(std::string_view bytes) {
  const auto [fixture, text] = resolved(bytes);
  return outcome([&fixture = *fixture, &text = text] {
    const Finding finding = kernel::check(*fixture.problem, text).at(0).finding;
    compare(fixture.report.finding, finding);
    return "valid: " + verdict_text(finding);
  });
}

std::string mutated_certificate(std::string_view bytes, std::uint64_t seed) {
  Random random(seed);
  Json json = Json::parse(bytes, nullptr, false);
  const Json::json_pointer named("/claims/0/steps");
  if (!json.is_object() || !json.contains(named) || !json.contains("steps") || !json["steps"].is_array() ||
      random.one_in(100))
    json = Json::parse(random.of(certificate_seeds()).bytes);
  Json& steps = json["steps"];
  Mutator mutator(random, pool());
  do mutator.mutate_steps(steps);
  while (random.one_in(3));
  if (!random.one_in(20)) {
    json[named] = Json::array();
    for (std::size_t k = 0; k < steps.size(); ++k) json[named].push_back(k);
  }
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::optional<std::pair<std::size_t, std::string>> better;
    try {
      better = derived_fact(certificate_outcome(json.dump()));
    } catch (const std::logic_error&) {  // a bug, for the target to find
    }
    if (!better || !steps.at(better->first).is_object()) break;
    steps[better->first]["fact"] = better->second;
  }
  return json.dump();
}

const std::vector<Seed>& certificate_seeds() {
  static const std::vector<Seed> all = [] {
    std::vector<Seed> seeds;
    for (const auto& [name, fixture] : fixtures()) seeds.push_back({name, fixture.bytes});
    return seeds;
  }();
  return all;
}

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {{"npy", arrays<ArrayFormat::npy>},
                                          {"npz", arrays<ArrayFormat::npz>},
                                          {"safetensors", arrays<ArrayFormat::safetensors>},
                                          {"toml", toml},
                                          {"certificate", certificate},
                                          {"rules", certificate}};
  return all;
}

}  // namespace attest::test
