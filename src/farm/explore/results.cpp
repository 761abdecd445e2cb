#include "farm/explore/results.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "answer/results.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAnother = "--out with another folder, or the file removed";

std::string leaf(const Cell& cell, const CellResult& r) {
  std::string line = cell.name();
  for (const std::string& digest : r.certificates) line += " " + digest;
  return line + "\n";
}

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
  const auto bound = [](const LedgerLine& line, const std::string& what) {
    const auto it = line.found.find(what);
    if (it == line.found.end())
      throw InputError("the line about " + in_quotes(line.name), "", "says nothing of the " + what,
                       "ledgers as attest explore writes them");
    return it->second;
  };
  const auto verdict = [](const LedgerLine& line, const std::string& statement) {
    for (const auto& [name, found] : line.claims)
      if (name == statement) return found;
    throw InputError("the line about " + in_quotes(line.name), "", "says nothing of " + statement,
                     "ledgers as attest explore writes them");
  };
  CellResult result;
  if (lines.size() > 1) {  // a layer
    const LedgerLine &random = lines[0], &trained = lines[1];
    result = {bound(random, "capacity"),
              bound(random, "rank"),
              bound(trained, "rank"),
              bound(random, "paper").first,
              bound(random, "hull").first,
              {verdict(random, "assumption-1"), verdict(random, "assumption-2")},
              {},
              {}};
  }
  if (lines.size() != 2) result.functional = bound(lines.back(), "functional_dimension");
  for (const LedgerLine& line : lines) result.certificates.push_back(line.sha256);
  return result;
}

std::uint64_t stack_formula(const Cell& cell) {
  const std::uint64_t d = cell.d, m = std::min<std::uint64_t>(cell.d_h, d);
  return cell.layers * cell.H * (m * (2 * d - m) + d * d) - (cell.residual ? 0 : (cell.layers - 1) * d * d);
}

namespace {

/// A column of the table: its name, and what a cell has there.
struct Column {
  const char* name;
  std::function<Json(const Cell& cell, const CellResult& r)> value;
};

const Column kN = {"n", [](const Cell&cell, const CellResult&) { return cell.n; }},
             kD = {"d", [](const Cell&cell, const CellResult&) { return cell.d; }},
             kH = {"H", [](const Cell&cell, const CellResult&) { return cell.H; }},
             kHeadDim = {"d_h", [](const Cell&cell, const CellResult&) { return cell.d_h; }},
             kSeed = {"seed", [](const Cell&cell, const CellResult&) { return cell.seed; }},
             kCertificates = {"certificates",
                              [](const Cell&cell, const CellResult&r) {
                                constexpr std::size_t kDigitsShown = 16;
                                return sha256_hex(leaf(cell, r)).substr(0, kDigitsShown);
                              }},
             kFunctionalLower = {"functional_lower",
                                 [](const Cell&, const CellResult&r) { return r.functional->first; }},
             kFunctionalUpper = {"functional_upper",
                                 [](const Cell&, const CellResult&r) { return r.functional->second; }};

// The cell's name follows from its columns, and the JSON leaves it out.
std::vector<Column> columns_of(const Sweep& sweep) {
  if (sweep.stacks)
    return {{"L", [](const Cell& cell, const CellResult&) { return cell.layers; }},
            {"residual", [](const Cell& cell, const CellResult&) { return cell.residual ? "yes" : "no"; }},
            kN,
            kD,
            kH,
            kHeadDim,
            {"S", [](const Cell& cell, const CellResult&) { return cell.T; }},
            kSeed,
            kFunctionalLower,
            kFunctionalUpper,
            {"formula", [](const Cell& cell, const CellResult&) { return stack_formula(cell); }},
            kCertificates};
  std::vector<Column> columns = {
      {"family", [](const Cell& cell, const CellResult&) { return cell.family; }},
      {"contexts", [](const Cell& cell, const CellResult&) { return cell.fresh ? "fresh" : "shared"; }},
      kN,
      kD,
      kH,
      kHeadDim,
      {"T", [](const Cell& cell, const CellResult&) { return cell.T; }},
      {"base", [](const Cell& cell, const CellResult&) { return cell.base == Base::e ? "e" : "2"; }},
      kSeed,
      {"capacity_lower", [](const Cell&, const CellResult& r) { return r.capacity.first; }},
      {"capacity_upper", [](const Cell&, const CellResult& r) { return r.capacity.second; }},
      {"random_lower", [](const Cell&, const CellResult& r) { return r.random.first; }},
      {"random_upper", [](const Cell&, const CellResult& r) { return r.random.second; }},
      {"trained_lower", [](const Cell&, const CellResult& r) { return r.trained.first; }},
      {"trained_upper", [](const Cell&, const CellResult& r) { return r.trained.second; }},
      {"paper", [](const Cell&, const CellResult& r) { return r.paper; }},
      {"hull", [](const Cell&, const CellResult& r) { return r.hull; }},
      {"assumption_1", [](const Cell&, const CellResult& r) { return r.assumptions[0]; }},
      {"assumption_2", [](const Cell&, const CellResult& r) { return r.assumptions[1]; }},
      kCertificates};
  if (sweep.functional_dimension) columns.insert(columns.end(), {kFunctionalLower, kFunctionalUpper});
  return columns;
}

}  // namespace

Atlas atlas(const Sweep& sweep, const Cells& cells) {
  const std::vector<Column> columns = columns_of(sweep);
  Json names = Json::array();
  Atlas out;
  std::vector<std::string> leaves;
  std::string rows;
  out.csv = "cell";
  for (const Column& column : columns) {
    names.push_back(column.name);
    out.csv += std::string(",") + column.name;
  }
  out.csv += "\n";
  for (const auto& [at, r] : cells) {
    const Cell& cell = *at;
    leaves.push_back(leaf(cell, r));
    Json row = Json::array();
    for (const Column& column : columns) row.push_back(column.value(cell, r));
    out.csv += cell.name();
    for (const Json& value : row)
      out.csv += "," + (value.is_string() ? value.get<std::string>() : value.dump());
    out.csv += "\n";
    rows += (rows.empty() ? "\n" : ",\n") + row.dump();
  }
  out.json = "{\"format\": \"attest-atlas/1\", \"attest\": \"" ATTEST_VERSION "\",\n\"title\": " +
             json_text(Json(sweep.title)) + ",\n\"columns\": " + names.dump() + ",\n\"cells\": [" + rows +
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
