#include "farm/explore/explore.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>

#include "answer/results.hpp"
#include "base/output.hpp"
#include "base/sha256.hpp"
#include "base/temporary_folder.hpp"
#include "base/text.hpp"
#include "farm/explore/cell_case.hpp"
#include "farm/explore/results.hpp"
#include "farm/run_cases.hpp"
#include "farm/shards.hpp"
#include "words/claim_result.hpp"
#include "words/markup.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

// A case's text that expects the verdicts that were found; they are no part of the contents that a
// certificate is bound to.
std::string with_expectations(std::string text, const Json& claims) {
  std::size_t at = 0;
  for (const Json& claim : claims) {
    at = text.find('\n', text.find("\nstatement = ", at) + 1);
    const std::string verdict = claim["verdict"].get<std::string>();
    if (verdict != "verified") text.insert(at, "\nexpect = \"" + verdict + "\"");
  }
  return text;
}

// A case of the sweep.
struct CellCase {
  const Cell& cell;
  CellWeights weights;

  std::string name() const { return certificate_name(cell, weights); }
};
CellCase case_of(const Sweep& sweep, std::size_t k) {
  const std::vector<CellWeights> cases = sweep.cases();
  return {sweep.cells[k / cases.size()], cases[k % cases.size()]};
}

// Writes the case into the folder and verifies it there. Both files stay when they are to be kept.
std::optional<CaseOutcome> run(const CellCase& c, const Sweep& sweep, const fs::path& folder, bool shared,
                               bool keep, CaseOptions options) {
  const fs::path certificate = folder / c.name(), file = fs::path(certificate).replace_extension(".toml");
  const std::string text = cell_case(c.cell, c.weights, sweep);
  if (keep) fs::create_directories(folder);
  std::ofstream(file) << text;
  options.write = keep;
  const auto outcome = verify_case(shared, file, certificate, options);
  if (keep && outcome && outcome->error.empty()) {
    write_output(file, with_expectations(text, outcome->report["claims"]), kWritable, Sync::later);
  } else {
    std::error_code ignored;
    fs::remove(file, ignored);
  }
  return outcome;
}

int write_cell(const Sweep& sweep, const ExploreOptions& options) {
  std::vector<std::string> names;
  for (const Cell& cell : sweep.cells) {
    names.push_back(cell.name());
    if (names.back() != options.cell) continue;
    for (const CellWeights weights : sweep.cases()) {
      const CellCase c{cell, weights};
      const CaseOutcome outcome = *run(c, sweep, options.out, false, true, options.each);
      if (!outcome.error.empty()) throw LimitError(outcome.error);
      std::cout << printable((fs::path(options.out) / c.name()).string()) << "  sha256 "
                << sha256_hex(outcome.certificate) << "\n";
      for (const Json& claim : outcome.report["claims"])
        std::cout << "  " << claim["statement"].get<std::string>() << ": "
                  << claim["verdict"].get<std::string>() << "; " << describe(claim) << "\n";
    }
    return kAsExpected;
  }
  const std::string near = nearest(options.cell, names);
  throw InputError("--cell", "", "the sweep has no cell " + in_quotes(options.cell),
                   near.empty() ? "a name of atlas.csv" : near + ", perhaps");
}

using Lines = std::map<std::string, LedgerLine>;

// Verifies the cases of a shard, but for those that a ledger in the folder knows. Afterwards `lines` are
// those of all ledgers. Returns how many cells had a case that was run.
std::size_t run_missing(const Sweep& sweep, const ExploreOptions& options, Lines& lines) {
  const fs::path out = options.out;
  std::optional<TemporaryFolder> temporary;
  if (!options.keep) temporary.emplace();
  const fs::path folder = options.keep ? out / "cells" : temporary->path();
  const Lines before = read_ledgers(options.out, sweep);

  ShardRun shard;
  set_options(shard, options.each);
  shard.by = sweep_header(sweep).by;
  shard.effort = sweep_header(sweep).effort;
  shard.out = options.out;
  shard.shard = options.shard.empty() ? "1/1" : options.shard;
  shard.jobs = options.jobs;
  shard.progress = options.progress;
  const std::size_t each = sweep.cases().size();
  for (std::size_t k = 0; k < each * sweep.cells.size(); ++k) shard.names.push_back(case_of(sweep, k).name());
  shard.file = [&](std::size_t k) { return fs::path(shard.names[k]); };
  std::set<std::size_t> cells;
  shard.stands = [&](std::size_t k, const LedgerLine* known) -> const LedgerLine* {
    if (known == nullptr) {
      const auto other = before.find(shard.names[k]);
      if (other != before.end() && other->second.error.empty() && !other->second.limited)
        known = &other->second;
    }
    if (known != nullptr && (!options.keep || fs::exists(folder / shard.names[k]))) return known;
    cells.insert(k / each);
    return nullptr;
  };
  shard.run = [&](std::size_t k, const LedgerLine*, bool shared) -> std::optional<CaseWord> {
    const auto outcome = run(case_of(sweep, k), sweep, folder, shared, options.keep, options.each);
    if (!outcome) return std::nullopt;
    CaseWord word{ledger_line_of(*outcome, shard.names[k])};
    std::string& error = word.line.error;
    if (!error.empty()) {
      if (error.starts_with(folder.string() + "/")) error.erase(0, folder.string().size() + 1);
      word.status = outcome->status;
      return word;
    }
    word.line.certificate = "cells/" + word.line.name;
    word.line.expected = true;
    word.line.found = found_bounds(outcome->report["claims"]);
    return word;
  };
  shard.told = [&](const LedgerLine& line) { lines[line.name] = line; };
  run_shard(shard);
  // Other shards have gone on meanwhile.
  lines.merge(read_ledgers(options.out, sweep, ledger_name(parse_shard(shard.shard, "--shard"))));
  return cells.size();
}

}  // namespace

int explore(const ExploreOptions& options) {
  const Sweep sweep = read_sweep(
      options.sweep, {.allow_outside = options.each.allow_outside, .memory_limit = options.each.memory});
  if (!options.cell.empty()) return write_cell(sweep, options);

  Lines lines;
  const std::size_t ran = run_missing(sweep, options, lines);
  Cells cells;
  std::size_t absent = 0, failed = 0;
  for (const Cell& cell : sweep.cells) {
    std::vector<LedgerLine> mine;
    for (const CellWeights weights : sweep.cases())
      if (const auto line = lines.find(certificate_name(cell, weights)); line != lines.end())
        mine.push_back(line->second);
    if (mine.size() < sweep.cases().size())
      ++absent;
    else if (std::ranges::any_of(mine, [](const LedgerLine& line) { return !line.error.empty(); }))
      ++failed;
    else
      cells.emplace_back(&cell, cell_result(mine));
  }
  std::cout << sweep.cells.size() << " cells, " << ran << " run now, " << absent
            << " of other shards missing, " << failed << " not run\n";
  if (absent == 0) {
    const fs::path out = options.out;
    const Atlas made = atlas(sweep, cells);
    write_output(out / "atlas.csv", made.csv, kWritable);
    write_output(out / "atlas.json", made.json, kWritable);
    write_output(out / "atlas.html", atlas_page(sweep, cells, made.json, options.keep), kWritable);
    write_output(out / "manifest.json", made.manifest, kWritable);
    std::cout << "atlas.html, atlas.csv, atlas.json and manifest.json are in " << printable(options.out)
              << "\nroot " << made.root << "\n";
  }
  return failed == 0 ? kAsExpected : kLimit;
}

}  // namespace attest
