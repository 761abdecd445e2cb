#include "tests/checker/samples.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <regex>
#include <stdexcept>

#include "base/errors.hpp"
#include "tests/checker/sample_groups.hpp"
#include "tests/support/text.hpp"

namespace attest::test {

Json json_of(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  static const std::regex vector(R"(v\(([^()/]*)(/ *([0-9]+))?\))");
  std::smatch found;
  while (std::regex_search(text, found, vector)) {
    const std::string den = found[3].matched ? found[3].str() : "1";
    std::string entries = std::regex_replace(found[1].str(), std::regex(" *$"), "");
    entries = "\"" + std::regex_replace(entries, std::regex(" +"), "\", \"") + "\"";
    text = found.prefix().str() + R"({"den": ")" + den + R"(", "num": [)" + entries + "]}" +
           found.suffix().str();
  }
  return Json::parse(text);
}

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = [] {
    std::vector<Sample> result;
    for (const auto& group : {rank_samples, kruskal_samples, theorem_samples, lemma_samples, network_samples,
                              layer_samples, jacobian_samples, depth_samples})
      for (Sample& each : group()) result.push_back(std::move(each));
    return result;
  }();
  return all;
}

const Sample& sample(const std::string& name) {
  for (const Sample& candidate : samples()) {
    if (candidate.name == name) return candidate;
  }
  throw std::logic_error("no sample " + name);
}

Json certificate_of(const kernel::Problem& problem, const Json& claims) {
  return {{"format", "attest-certificate/2"},
          {"attest", "test"},
          {"case", {{"path", "case.toml"}, {"digest", problem.digest()}}},
          {"claims", claims}};
}

std::string verdict(const kernel::Problem& problem, const std::string& bytes) {
  try {
    std::string text = "valid:";
    for (const kernel::ClaimReport& claim : kernel::check(problem, bytes))
      text += (text.back() == ':' ? " " : ", ") + verdict_text(claim.finding);
    return text;
  } catch (const Failure& rejection) {
    return std::string("rejected: ") + rejection.what();
  } catch (const InputError& error) {
    return std::string("bad input: ") + error.what();
  } catch (const LimitError& error) {
    return std::string("limit: ") + error.what();
  }
}

std::string verdict_of(const std::string& toml, const Json& claims) {
  const Case source = case_of(toml);
  const kernel::Problem problem(source);
  return verdict(problem, certificate_of(problem, claims).dump());
}

std::string verdict_after(const std::string& name, const std::function<void(Json&)>& change) {
  static std::map<std::string, std::unique_ptr<Case>> cases;
  std::unique_ptr<Case>& source = cases[name];
  if (!source) source = std::make_unique<Case>(case_of(sample(name).toml));
  Json claims = sample(name).claims;
  change(claims);
  const kernel::Problem problem(*source);
  return verdict(problem, certificate_of(problem, claims).dump());
}

std::string verdict_with(const std::string& name, const std::string& pointer, const Json& value) {
  return verdict_after(name, [&](Json& claims) { claims[Json::json_pointer(pointer)] = value; });
}

std::string verdict_with_case(const std::string& name, const std::string& from, const std::string& to) {
  return verdict_of(replaced(sample(name).toml, from, to), sample(name).claims);
}

}  // namespace attest::test
