#include "farm/explore/results.hpp"

#include <algorithm>
#include <filesystem>

#include "answer/results.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAnother = "--out with another folder, or the file removed";

}  // namespace

std::string certificate_name(const Cell& cell, CellWeights weights) {
  return cell.name() + (weights == CellWeights::random    ? "-random.json"
                        : weights == CellWeights::trained ? "-trained.json"
                                                          : "-any.json");
}

LedgerHeader sweep_header(const Sweep& sweep) {
  LedgerHeader header;
  header.by = "explore";
  header.attest = ATTEST_VERSION;
  // A sweep may grow or shrink: its cases' names say themselves what they are, but for the trained layer.
  header.effort = sweep.trained ? "trained " + sweep.trained_digest : "";
  return header;
}

std::map<std::string, LedgerLine> read_ledgers(const std::string& folder, const Sweep& sweep,
                                               const std::string& except) {
  const LedgerHeader now = sweep_header(sweep);
  std::vector<std::string> files;
  std::error_code error;
  for (auto it = fs::directory_iterator(folder, error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with("ledger-") && name.ends_with(".jsonl") && name != except)
      files.push_back(it->path().string());
  }
  std::sort(files.begin(), files.end());
  std::map<std::string, LedgerLine> all;
  for (const std::string& file : files)
    for (auto& [header, lines] : read_ledger(file, Journal::Use::look)) {
      if (header.by != now.by || header.attest != now.attest || header.effort != now.effort)
        throw InputError(path_line(file, 600), "",
                         "is a ledger of attest " + header.by + " " + in_quotes(header.attest) +
                             (header.effort == now.effort ? "" : ", and of another trained layer"),
                         kAnother);
      for (auto& [name, line] : lines) {
        const auto [known, added] = all.emplace(name, line);
        if (added) continue;
        const LedgerLine& before = known->second;
        const bool both = before.error.empty() && line.error.empty() && !before.limited && !line.limited;
        if (both && (before.sha256 != line.sha256 || contradict(before, line)))
          throw InputError(path_line(file, 600), "", "contradicts another line about " + in_quotes(name),
                           kAnother);
        if (line.error.empty() && (!line.limited || before.limited || !before.error.empty()))
          known->second = std::move(line);
      }
    }
  return all;
}

std::map<std::string, CellResult::Interval> found_bounds(const Json& claims) {
  // Where a bound is an interval, one from below counts by its lower end, one from above by its upper.
  const auto bound = [](const Json& claim, const char* name, const char* end) {
    const Json& value = claim.at("bounds").at(name);
    return (value.is_object() ? value.at(end) : value).get<std::uint64_t>();
  };
  std::map<std::string, CellResult::Interval> found;
  for (const Json& claim : claims)
    for (const auto& [statement, quantity] : {std::pair{"capacity", "capacity"},
                                              {"rank", "rank"},
                                              {"functional-dimension", "functional_dimension"}}) {
      if (claim.at("statement") != statement) continue;
      const Json& interval = claim.at(quantity);
      found[quantity] = {interval.at("lower").get<std::uint64_t>(),
                         interval.at("upper").get<std::uint64_t>()};
      if (std::string(quantity) != "capacity") continue;
      found["paper"].first = found["paper"].second = bound(claim, "paper_lower", "lower");
      found["hull"].first = found["hull"].second = bound(claim, "any_coefficients", "upper");
    }
  return found;
}

CellResult cell_result(const std::vector<LedgerLine>& lines) {
  const LedgerLine &random = lines[0], &trained = lines[1];
  const auto bound = [](const LedgerLine& line, const std::string& what) {
    const auto it = line.found.find(what);
    if (it == line.found.end())
      throw InputError("the line about " + in_quotes(line.name), "", "says nothing of the " + what,
                       "ledgers as attest explore writes them");
    return it->second;
  };
  const auto verdict = [&](const std::string& statement) {
    for (const auto& [name, found] : random.claims)
      if (name == statement) return found;
    throw InputError("the line about " + in_quotes(random.name), "", "says nothing of " + statement,
                     "ledgers as attest explore writes them");
  };
  CellResult result = {bound(random, "capacity"),
                       bound(random, "rank"),
                       bound(trained, "rank"),
                       bound(random, "paper").first,
                       bound(random, "hull").first,
                       {verdict("assumption-1"), verdict("assumption-2")},
                       {},
                       {}};
  if (lines.size() > 2) result.functional = bound(lines[2], "functional_dimension");
  for (const LedgerLine& line : lines) result.certificates.push_back(line.sha256);
  return result;
}

Atlas atlas(const Sweep& sweep, const Cells& cells) {
  constexpr std::size_t kDigitsShown = 16;
  // The cell's name follows from the other columns, and the JSON leaves it out.
  Json columns = Json::parse(
      R"(["family", "contexts", "n", "d", "H", "d_h", "T", "base", "seed", "capacity_lower", "capacity_upper",
          "random_lower", "random_upper", "trained_lower", "trained_upper", "paper", "hull", "assumption_1",
          "assumption_2", "certificates"])");
  if (sweep.functional_dimension)
    for (const char* const column : {"functional_lower", "functional_upper"}) columns.push_back(column);
  Atlas out;
  std::vector<std::string> leaves;
  std::string rows;
  out.csv = "cell";
  for (const Json& column : columns) out.csv += "," + column.get<std::string>();
  out.csv += "\n";
  for (const auto& [at, r] : cells) {
    const Cell& cell = *at;
    std::string leaf = cell.name();
    for (const std::string& digest : r.certificates) leaf += " " + digest;
    leaf += "\n";
    leaves.push_back(leaf);
    Json row = {cell.family,
                cell.fresh ? "fresh" : "shared",
                cell.n,
                cell.d,
                cell.H,
                cell.d_h,
                cell.T,
                cell.base == Base::e ? "e" : "2",
                cell.seed,
                r.capacity.first,
                r.capacity.second,
                r.random.first,
                r.random.second,
                r.trained.first,
                r.trained.second,
                r.paper,
                r.hull,
                r.assumptions[0],
                r.assumptions[1],
                sha256_hex(leaf).substr(0, kDigitsShown)};
    if (r.functional)
      for (const std::uint64_t end : {r.functional->first, r.functional->second}) row.push_back(end);
    out.csv += cell.name();
    for (const Json& value : row)
      out.csv += "," + (value.is_string() ? value.get<std::string>() : value.dump());
    out.csv += "\n";
    rows += (rows.empty() ? "\n" : ",\n") + row.dump();
  }
  out.json = "{\"format\": \"attest-atlas/1\", \"attest\": \"" ATTEST_VERSION "\",\n\"title\": " +
             json_text(Json(sweep.title)) + ",\n\"columns\": " + columns.dump() + ",\n\"cells\": [" + rows +
             "\n]}\n";
  std::sort(leaves.begin(), leaves.end());
  Sha256 root;
  for (const std::string& leaf : leaves) root.add(leaf);
  out.root = root.hex();
  out.manifest = Json{{"format", "attest-atlas-manifest/1"},
                      {"attest", ATTEST_VERSION},
                      {"sweep", sweep.digest},
                      {"cells", leaves.size()},
                      {"root", out.root},
                      {"atlas.csv", sha256_hex(out.csv)},
                      {"atlas.json", sha256_hex(out.json)}}
                     .dump(1) +
                 "\n";
  return out;
}

}  // namespace attest
