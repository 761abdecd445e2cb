#include "tests/checker/samples.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <stdexcept>

#include "base/errors.hpp"
#include "problem/digest.hpp"
#include "tests/checker/references.hpp"
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

/// A certificate's claims, each with its own steps, numbered from 0.
static Json claims_of(const Json& certificate) {
  Json claims = certificate.at("claims");
  for (Json& claim : claims) {
    const Json numbers = claim.at("steps");
    claim["steps"] = Json::array();
    for (const Json& number : numbers) {
      claim["steps"].push_back(certificate.at("steps").at(number.get<std::size_t>()));
      rename_references(claim["steps"].back(),
                        [&](std::size_t k) { return k - numbers[0].get<std::size_t>(); });
    }
  }
  return claims;
}

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = [] {
    std::vector<Sample> result;
    for (const auto& entry :
         std::filesystem::directory_iterator(ATTEST_SOURCE_DIR "/tests/checker/samples")) {
      const std::filesystem::path folder = entry.path();
      const auto text = [&](const char* name) {
        std::ifstream file(folder / name);
        return std::string{std::istreambuf_iterator<char>(file), {}};
      };
      Sample& made = result.emplace_back();
      made.name = folder.filename().string();
      made.toml = text("case.toml");
      made.certificate = Json::parse(text("certificate.json"));
      made.claims = claims_of(made.certificate);
      if (!std::filesystem::exists(folder / "rejections.json")) continue;
      const Json lists = Json::parse(text("rejections.json"));
      for (const auto& [about, rows] : lists.items())
        for (const Json& row : rows) made.rejections.push_back({row.at("patch"), about, row.at("says")});
    }
    std::ranges::sort(result, {}, &Sample::name);
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

Json certificate_of(const kernel::Problem& problem, Json claims) {
  Json steps = Json::array();
  for (Json& claim : claims) {
    if (!claim.is_object() || !claim.contains("steps") || !claim["steps"].is_array()) continue;
    const std::size_t first = steps.size();
    Json numbers = Json::array();
    for (Json& step : claim["steps"]) {
      if (first > 0) rename_references(step, [first](std::size_t k) { return first + k; });
      numbers.push_back(steps.size());
      steps.push_back(std::move(step));
    }
    claim["steps"] = std::move(numbers);
  }
  return {{"format", "attest-certificate/3"},
          {"attest", "test"},
          {"case", {{"path", "case.toml"}, {"digest", problem_digest(problem.source)}}},
          {"steps", steps},
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

/// A verdict in which steps have the numbers that they have among the claim's own.
static std::string with_own_numbers(std::string text, const Json& claims) {
  static const std::regex names(R"((step |Z\(|J\(|capacity\(|number of a part, found ")([0-9]+))");
  std::size_t first = 0;
  if (text.starts_with("rejected: claim "))
    for (std::size_t k = 0; k < std::stoul(text.substr(16)) && k < claims.size(); ++k)
      if (claims[k].is_object() && claims[k].contains("steps")) first += claims[k]["steps"].size();
  std::string result;
  std::smatch found;
  while (first > 0 && std::regex_search(text, found, names)) {
    const std::size_t number = std::stoul(found[2]);
    result += found.prefix().str() + found[1].str() + std::to_string(number - std::min(first, number));
    text = found.suffix();
  }
  return result + text;
}

std::string verdict_of(const std::string& toml, const Json& claims) {
  const Case source = case_of(toml);
  const kernel::Problem problem(source);
  return with_own_numbers(verdict(problem, certificate_of(problem, claims).dump()), claims);
}

std::string verdict_after(const std::string& name, const std::function<void(Json&)>& change) {
  static std::map<std::string, std::unique_ptr<Case>> cases;
  std::unique_ptr<Case>& source = cases[name];
  if (!source) source = std::make_unique<Case>(case_of(sample(name).toml));
  Json claims = sample(name).claims;
  change(claims);
  const kernel::Problem problem(*source);
  return with_own_numbers(verdict(problem, certificate_of(problem, claims).dump()), claims);
}

std::string verdict_with(const std::string& name, const std::string& pointer, const Json& value) {
  return verdict_after(name, [&](Json& claims) { claims[Json::json_pointer(pointer)] = value; });
}

std::string verdict_with_case(const std::string& name, const std::string& from, const std::string& to) {
  return verdict_of(replaced(sample(name).toml, from, to), sample(name).claims);
}

}  // namespace attest::test
