#include "farm/explore/explore.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <system_error>

#include "answer/results.hpp"
#include "base/isolated.hpp"
#include "base/meter.hpp"
#include "base/output.hpp"
#include "base/sha256.hpp"
#include "base/temporary_folder.hpp"
#include "base/text.hpp"
#include "farm/explore/cell_case.hpp"
#include "farm/explore/results.hpp"
#include "farm/ledger.hpp"
#include "statements/statements.hpp"
#include "words/claim_result.hpp"
#include "words/markup.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kWritable = "a writable folder with room on the disk, or another one by --out";

struct ProvedCell {
  CellResult result;
  std::vector<Json> claims;  ///< of the cases for random and for trained weights
};

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

// Decides one case that lies in `folder`; keeps it and its certificate there when they are asked for.
ProvedCase run(const fs::path& folder, const std::string& name, const std::string& text,
               const CaseOptions& options, bool keep, std::string& digest) {
  const fs::path file = folder / (name + ".toml");
  if (keep) fs::create_directories(folder);
  std::ofstream(file) << text;
  ReadOptions read;
  read.memory_limit = options.memory;
  const Case c = read_case(file, read);
  if (!keep) {
    std::error_code ignored;
    fs::remove(file, ignored);
  }
  ProvedCase proved = prove_case(c, folder, options);
  const std::string certificate = certificate_text(proved.certificate);
  if (keep) {
    write_output(file, with_expectations(text, proved.claims), kWritable);
    write_output(folder / (name + ".json"), certificate, kWritable);
  }
  digest = sha256_hex(certificate);
  return proved;
}

ProvedCell run_cell(const Cell& cell, const Sweep& sweep, const fs::path& folder, const CaseOptions& options,
                    bool keep) {
  ProvedCell out;
  try {
    const CellCases cases = cell_cases(cell, sweep);
    const ProvedCase random =
        run(folder, cell.name() + "-random", cases.random, options, keep, out.result.certificates[0]);
    const ProvedCase trained =
        run(folder, cell.name() + "-trained", cases.trained, options, keep, out.result.certificates[1]);
    out.claims = {random.claims, trained.claims};
    const auto interval = [](const Json& x) {
      return CellResult::Interval{x.at("lower").get<std::uint64_t>(), x.at("upper").get<std::uint64_t>()};
    };
    const Json& capacity = random.claims.at(0);
    out.result.capacity = interval(capacity.at("capacity"));
    // Where an interval is proved, a bound from below counts by its lower end, one from above by its upper.
    const auto bound = [&](const char* name, const char* end) {
      const Json& value = capacity.at("bounds").at(name);
      return (value.is_object() ? value.at(end) : value).get<std::uint64_t>();
    };
    out.result.paper = bound("paper_lower", "lower");
    out.result.hull = bound("any_coefficients", "upper");
    out.result.random = interval(random.claims.at(1).at("rank"));
    out.result.trained = interval(trained.claims.at(0).at("rank"));
    for (std::size_t k = 0; k < 2; ++k)
      out.result.assumptions[k] = random.claims.at(2 + k).at("verdict").get<std::string>();
  } catch (const LimitError& e) {
    out.result.error = e.what();
  } catch (const InputError& e) {
    out.result.error = e.what();
  } catch (const std::bad_alloc& e) {
    out.result.error = memory_text(e);
  }
  return out;
}

// What is printed on the way: how many, and how long still.
class Progress {
public:
  Progress(std::size_t all, bool asked)
      : all_(all), terminal_(::isatty(STDERR_FILENO) != 0), shown_(asked || terminal_) {}
  ~Progress() {
    if (terminal_ && shown_) std::cerr << "\r\033[K";
  }
  void done(std::size_t more) {
    done_ += more;
    const auto now = Clock::now();
    if (!shown_ || (done_ < all_ && now - last_ < std::chrono::milliseconds(terminal_ ? 200 : 5000))) return;
    last_ = now;
    const double passed = std::chrono::duration<double>(now - start_).count();
    const auto left =
        static_cast<long>(passed / static_cast<double>(done_) * static_cast<double>(all_ - done_));
    std::ostringstream text;
    text << done_ << " of " << all_ << " cells, " << left / 60 << " min " << left % 60 << " s left";
    if (terminal_)
      std::cerr << "\r\033[K" << text.str() << std::flush;
    else
      std::cerr << text.str() << "\n";
  }

private:
  std::size_t all_, done_ = 0;
  bool terminal_, shown_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

// Runs cells in child processes, and appends their results. What fails among others is run again by itself.
void run_all(const std::vector<const Cell*>& cells, const Sweep& sweep, const fs::path& folder, bool keep,
             const ExploreOptions& options, ResultsFile& file) {
  Progress progress(cells.size(), options.progress);
  const auto run = [&](std::size_t k) {
    limit_process(options.each);
    return run_cell(*cells[k], sweep, folder, options.each, keep).result;
  };
  IsolatedTasks tasks;
  tasks.together = [&](std::size_t k) -> std::optional<std::string> {
    const CellResult result = run(k);
    if (!result.error.empty()) return std::nullopt;
    return json_text(result.json(cells[k]->name()));
  };
  tasks.alone = [&](std::size_t k) { return json_text(run(k).json(cells[k]->name())); };
  run_isolated(cells.size(), options.jobs, tasks, [&](std::size_t k, const TaskEnding& ending) {
    std::string line = ending.result;
    if (ending.end != IsolatedTask::End::finished) {
      CellResult result;
      result.error = line.empty() ? "the process was ended by " + ending.ending : line;
      line = json_text(result.json(cells[k]->name()));
    }
    file.append(line + "\n");
    progress.done(1);
  });
}

int write_cell(const Sweep& sweep, const ExploreOptions& options) {
  std::vector<std::string> names;
  for (const Cell& cell : sweep.cells) {
    if (cell.name() != options.cell) {
      names.push_back(cell.name());
      continue;
    }
    limit_process(options.each);
    const ProvedCell proved = run_cell(cell, sweep, options.out, options.each, true);
    if (!proved.result.error.empty()) throw LimitError(proved.result.error);
    for (std::size_t k = 0; k < 2; ++k) {
      std::cout << printable(
                       (fs::path(options.out) / (cell.name() + (k == 0 ? "-random.json" : "-trained.json")))
                           .string())
                << "  sha256 " << proved.result.certificates[k] << "\n";
      for (const Json& claim : proved.claims[k])
        std::cout << "  " << claim["statement"].get<std::string>() << ": "
                  << claim["verdict"].get<std::string>() << "; " << describe(claim) << "\n";
    }
    return kAsExpected;
  }
  const std::string near = nearest(options.cell, names);
  throw InputError("--cell", "", "the sweep has no cell " + in_quotes(options.cell),
                   near.empty() ? "a name of atlas.csv" : near + ", perhaps");
}

}  // namespace

int explore(const ExploreOptions& options) {
  ReadOptions read;
  read.allow_outside = options.each.allow_outside;
  read.memory_limit = options.each.memory;
  const Shard shard = options.shard.empty() ? Shard() : parse_shard(options.shard, "--shard");
  const Sweep sweep = read_sweep(options.sweep, read);
  if (!options.cell.empty()) return write_cell(sweep, options);

  const fs::path out = options.out;
  const std::string heading = results_heading(sweep);
  const std::string own = shard.count == 1 ? "results.jsonl"
                                           : "results-" + std::to_string(shard.index) + "-of-" +
                                                 std::to_string(shard.count) + ".jsonl";
  std::optional<TemporaryFolder> temporary;
  if (!options.keep) temporary.emplace();
  const fs::path folder = options.keep ? out / "cells" : temporary->path();
  const auto all_results = [&](const CellResults& mine) {
    CellResults results = mine;
    for (const fs::path& file : results_files(out))
      if (file.filename() != own) add_results(file, heading, results);
    return results;
  };
  std::size_t ran = 0;
  {
    ResultsFile file(out / own, heading);
    const CellResults known = all_results(file.results());
    std::vector<const Cell*> missing;
    for (const Cell& cell : sweep.cells) {
      const std::string name = cell.name();
      const auto it = known.find(name);
      const bool done = it != known.end() && it->second.error.empty() &&
                        (!options.keep || fs::exists(folder / (name + "-trained.json")));
      if (!done && shard_of(name, shard.count) == shard.index) missing.push_back(&cell);
    }
    ran = missing.size();
    run_all(missing, sweep, folder, options.keep, options, file);
  }
  CellResults results;
  for (const fs::path& file : results_files(out)) add_results(file, heading, results);
  std::size_t absent = 0, failed = 0;
  std::string first;
  for (const Cell& cell : sweep.cells) {
    const auto it = results.find(cell.name());
    if (it == results.end()) {
      ++absent;
    } else if (!it->second.error.empty()) {
      if (failed++ == 0) first = cell.name() + ": " + it->second.error;
    }
  }
  std::cout << sweep.cells.size() << " cells, " << ran << " run now, " << absent
            << " of other shards missing, " << failed << " not run\n";
  if (failed != 0) std::cerr << "attest explore: " << printable(first) << "\n";
  if (absent == 0) {
    const Atlas made = atlas(sweep, results);
    write_output(out / "atlas.csv", made.csv, kWritable);
    write_output(out / "atlas.json", made.json, kWritable);
    write_output(out / "atlas.html", atlas_page(sweep, results, made.json, options.keep), kWritable);
    write_output(out / "manifest.json", made.manifest, kWritable);
    std::cout << "root " << made.root << "\n";
  }
  return failed == 0 ? kAsExpected : kLimit;
}

}  // namespace attest
