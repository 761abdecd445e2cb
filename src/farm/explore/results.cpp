#include "farm/explore/results.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "answer/results.hpp"
#include "base/regular_file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestFile = std::uint64_t{8} << 30;
constexpr const char* kWhatIsRight = "--out with another folder, or the file removed";
constexpr const char* kAssumptions[] = {"assumption-1", "assumption-2"};

Json interval_json(const CellResult::Interval& x) {
  return {x.lower, x.upper};
}

CellResult::Interval interval(const Json& json) {
  if (!json.is_array() || json.size() != 2 || !json[0].is_number_unsigned() || !json[1].is_number_unsigned())
    throw std::invalid_argument("an interval is two numbers");
  const CellResult::Interval found{json[0].get<std::uint64_t>(), json[1].get<std::uint64_t>()};
  if (found.lower > found.upper)
    throw std::invalid_argument("the bounds of an interval contradict each other");
  return found;
}

bool is_digest(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Throws Json::exception or std::invalid_argument.
std::pair<std::string, CellResult> parsed(const std::string& line) {
  const Json json = Json::parse(line);
  std::pair<std::string, CellResult> result = {json.at("cell").get<std::string>(), {}};
  CellResult& cell = result.second;
  if (json.contains("error")) {
    cell.error = json["error"].get<std::string>();
    if (cell.error.empty()) throw std::invalid_argument("an empty error");
    return result;
  }
  cell.capacity = interval(json.at("capacity"));
  cell.random = interval(json.at("random"));
  cell.trained = interval(json.at("trained"));
  for (const auto& [key, value] : {std::pair{"paper", &cell.paper}, {"hull", &cell.hull}}) {
    if (!json.at(key).is_number_unsigned())
      throw std::invalid_argument(std::string(key) + " is not a number");
    *value = json[key].get<std::uint64_t>();
  }
  for (std::size_t k = 0; k < 2; ++k) {
    cell.assumptions[k] = json.at(kAssumptions[k]).get<std::string>();
    cell.certificates[k] = json.at("certificates").at(k).get<std::string>();
    if (!is_digest(cell.certificates[k])) throw std::invalid_argument("a certificate's digest is no SHA-256");
    bool known = false;
    for (const Verdict v : {Verdict::verified, Verdict::refuted, Verdict::inapplicable, Verdict::undecided})
      known = known || cell.assumptions[k] == verdict_name(v);
    if (!known) throw std::invalid_argument(std::string(kAssumptions[k]) + " is no verdict");
  }
  return result;
}

// The results in a file's text, and how many of its bytes are finished lines.
std::size_t read_lines(const std::string& name, std::string_view text, const std::string& heading,
                       CellResults& results) {
  std::size_t at = 0, number = 0;
  for (std::size_t end; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1) {
    const std::string line(text.substr(at, end - at));
    ++number;
    if (number == 1) {
      if (line != heading)
        throw InputError(name, "line 1", "is not the heading of results of this sweep and version of attest",
                         kWhatIsRight);
      continue;
    }
    try {
      auto [cell, result] = parsed(line);
      CellResult& known = results[cell];
      const bool again = !known.certificates[0].empty() && result.error.empty();
      if (again && known.json(cell) != result.json(cell))
        throw InputError(name, "line " + std::to_string(number),
                         "contradicts another result for the cell " + in_quotes(cell), kWhatIsRight);
      if (result.error.empty() || known.certificates[0].empty()) known = std::move(result);
    } catch (const Json::exception& e) {
      throw InputError(name, "line " + std::to_string(number), "is not a result (" + one_line(e.what()) + ")",
                       "that line removed");
    } catch (const std::invalid_argument& e) {
      throw InputError(name, "line " + std::to_string(number),
                       "is not a result (" + std::string(e.what()) + ")", "that line removed");
    }
  }
  return at;
}

}  // namespace

Json CellResult::json(const std::string& cell) const {
  if (!error.empty()) return {{"cell", cell}, {"error", error}};
  return {{"cell", cell},
          {"capacity", interval_json(capacity)},
          {"random", interval_json(random)},
          {"trained", interval_json(trained)},
          {"paper", paper},
          {"hull", hull},
          {kAssumptions[0], assumptions[0]},
          {kAssumptions[1], assumptions[1]},
          {"certificates", certificates}};
}

std::string results_heading(const Sweep& sweep) {
  // A sweep may grow or shrink: its cells say themselves what they are, but for the trained layer.
  return Json{{"format", "attest-explore/1"},
              {"attest", ATTEST_VERSION},
              {"trained", sweep.trained ? Json(sweep.trained_digest) : Json()}}
      .dump();
}

ResultsFile::ResultsFile(const fs::path& file, const std::string& heading) : file_(file) {
  const auto fail = [&](const std::string& what, const std::string& right) {
    const InputError error(file.string(), "", what, right);
    if (descriptor_ >= 0) ::close(descriptor_);
    throw error;
  };
  std::error_code made;
  fs::create_directories(file.parent_path(), made);
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  struct stat status;
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0)
    fail(std::string("cannot be opened (") + std::strerror(errno) + ")", "a writable folder by --out");
  if (!S_ISREG(status.st_mode)) fail("is not a regular file", kWhatIsRight);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    fail("is being written by another attest explore", "one at a time, or --shard");
  try {
    const FileBytes bytes = read_regular_file(file, file.string(), kLargestFile);
    const std::size_t finished = read_lines(file.string(), bytes.view(), heading, results_);
    if (finished < bytes.view().size() && ::ftruncate(descriptor_, static_cast<off_t>(finished)) != 0)
      throw InputError(file.string(), "", std::string("cannot be shortened (") + std::strerror(errno) + ")",
                       "a writable file");
    if (finished == 0) append(heading + "\n");
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

ResultsFile::~ResultsFile() {
  ::close(descriptor_);
}

void ResultsFile::append(const std::string& lines) {
  for (std::size_t at = 0; at < lines.size();) {
    const ssize_t n = ::write(descriptor_, lines.data() + at, lines.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw InputError(file_.string(), "", std::string("cannot be written (") + std::strerror(errno) + ")",
                       "room on the disk; the same command goes on");
    at += static_cast<std::size_t>(n);
  }
}

void add_results(const fs::path& file, const std::string& heading, CellResults& results) {
  const FileBytes bytes = read_regular_file(file, file.string(), kLargestFile);
  (void)read_lines(file.string(), bytes.view(), heading, results);
}

std::vector<fs::path> results_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto it = fs::directory_iterator(folder, error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with("results") && name.ends_with(".jsonl")) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Atlas atlas(const Sweep& sweep, const CellResults& results) {
  constexpr std::size_t kDigitsShown = 16;
  const Json columns = {"cell",
                        "family",
                        "contexts",
                        "n",
                        "d",
                        "H",
                        "d_h",
                        "T",
                        "base",
                        "seed",
                        "capacity_lower",
                        "capacity_upper",
                        "random_lower",
                        "random_upper",
                        "trained_lower",
                        "trained_upper",
                        "paper",
                        "hull",
                        "assumption_1",
                        "assumption_2",
                        "certificates"};
  Atlas out;
  std::vector<std::string> leaves;
  std::string rows;
  for (const Json& column : columns) out.csv += (out.csv.empty() ? "" : ",") + column.get<std::string>();
  out.csv += "\n";
  for (const Cell& cell : sweep.cells) {
    const CellResult& r = results.at(cell.name());
    if (!r.error.empty()) continue;
    const std::string leaf = cell.name() + " " + r.certificates[0] + " " + r.certificates[1] + "\n";
    leaves.push_back(leaf);
    const Json row = {cell.name(),      cell.family,      cell.fresh ? "fresh" : "shared",
                      cell.n,           cell.d,           cell.H,
                      cell.d_h,         cell.T,           cell.base == Base::e ? "e" : "2",
                      cell.seed,        r.capacity.lower, r.capacity.upper,
                      r.random.lower,   r.random.upper,   r.trained.lower,
                      r.trained.upper,  r.paper,          r.hull,
                      r.assumptions[0], r.assumptions[1], sha256_hex(leaf).substr(0, kDigitsShown)};
    std::string line;
    for (const Json& value : row)
      line += (line.empty() ? "" : ",") + (value.is_string() ? value.get<std::string>() : value.dump());
    out.csv += line + "\n";
    // The name follows from the other columns.
    Json short_row = Json::array();
    for (std::size_t k = 1; k < row.size(); ++k) short_row.push_back(row[k]);
    rows += (rows.empty() ? "\n" : ",\n") + short_row.dump();
  }
  Json short_columns = Json::array();
  for (std::size_t k = 1; k < columns.size(); ++k) short_columns.push_back(columns[k]);
  out.json = "{\"format\": \"attest-atlas/1\", \"attest\": \"" ATTEST_VERSION "\",\n\"title\": " +
             json_text(Json(sweep.title)) + ",\n\"columns\": " + short_columns.dump() + ",\n\"cells\": [" +
             rows + "\n]}\n";
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
