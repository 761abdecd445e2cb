#include "tests/oracle/corpus.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "problem/digest.hpp"
#include "proofs/proof.hpp"
#include "tests/checker/samples.hpp"
#include "tests/oracle/references.hpp"
#include "theory/part.hpp"

namespace attest::test {
namespace {

namespace fs = std::filesystem;

std::size_t size_of(const Case& c) {
  return c.layer ? c.layer->examples * c.layer->heads * c.layer->context * c.layer->embed_dim : 0;
}

Sheet sheet_of(const std::string& name, const Case& c, const Claim& claim, Json steps) {
  Sheet sheet;
  sheet.name = name + " claim " + std::to_string(claim.index) + " (" + claim.statement + ")";
  // With query biases that of one coordinate more, whose capacity the steps are about.
  const bool padded = c.layer && c.layer->query_bias;
  std::optional<Case> own = padded ? own_problem(c, claim) : std::nullopt;
  if (own) own->layer->query_bias = false;
  sheet.source = std::make_unique<Case>(own ? std::move(*own) : c);
  sheet.source->claims = {claim};
  sheet.problem = std::make_unique<kernel::Problem>(*sheet.source);
  sheet.steps = std::move(steps);
  const std::string bytes = sheet.certificate(sheet.steps).dump();
  // The second time what the problem keeps has been converted.
  for (int time = 0; time < 2 && !sheet.quick; ++time) {
    const std::clock_t start = std::clock();
    sheet.report = kernel::check(*sheet.problem, bytes).front();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    sheet.quick = seconds <= kQuickCheck;
    if (seconds > 100 * kQuickCheck) break;
  }
  return sheet;
}

/// The steps, numbered from 0, of each claim of the certificate that `attest verify cases/ --out` has written
/// for exactly these contents into the folder that ATTEST_CERTIFICATES names; none without it.
Json written_steps(const fs::path& case_name, const Case& c) {
  const char* const folder = std::getenv("ATTEST_CERTIFICATES");
  if (folder == nullptr) return Json::array();
  std::ifstream file((fs::path(folder) / case_name).replace_extension(".json"));
  const Json certificate = Json::parse(file, nullptr, false);
  if (certificate.is_discarded() || certificate["case"]["digest"] != problem_digest(c)) return Json::array();
  Json result = Json::array();
  for (const Json& claim : certificate["claims"]) {
    std::map<std::size_t, std::size_t> place;
    Json& steps = result.emplace_back(Json::array());
    for (const Json& number : claim["steps"]) {
      place.emplace(number, steps.size());
      steps.push_back(certificate["steps"][number.get<std::size_t>()]);
      rename_references(steps.back(), [&](std::size_t k) { return place.at(k); });
    }
  }
  return result;
}

}  // namespace

Json Sheet::certificate(const Json& changed) const {
  return certificate_of(*problem, {{{"statement", claim().statement}, {"steps", changed}}});
}

std::vector<Sheet> corpus(std::size_t largest) {
  std::vector<Sheet> sheets;
  const char* const folder = std::getenv("ATTEST_CASES");
  const fs::path root = folder != nullptr ? fs::path(folder) : fs::path(ATTEST_SOURCE_DIR) / "cases";
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string name = fs::relative(file, root).string();
    const Case c = read_case(file);
    if (size_of(c) > largest) continue;
    const Json written = written_steps(fs::relative(file, root), c);
    for (const Claim& claim : c.claims) {
      // Plain JSON from the prover's ordered one.
      const Json steps = claim.index < written.size()
                             ? written[claim.index]
                             : Json::parse(prove(c, claim, Effort{}).script.steps().dump());
      sheets.push_back(sheet_of(name, c, claim, steps));
    }
  }
  for (const Sample& each : samples()) {
    const Case c = case_of(each.toml);
    for (const Claim& claim : c.claims)
      sheets.push_back(sheet_of("sample " + each.name, c, claim, each.claims[claim.index]["steps"]));
  }
  return sheets;
}

}  // namespace attest::test
