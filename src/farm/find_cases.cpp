#include "farm/find_cases.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/errors.hpp"
#include "base/number_in.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

fs::path real_path(const fs::path& file) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(file, error);
  return error ? fs::absolute(file, error).lexically_normal() : path;
}

// The path without a root and leading dots, so that it can be appended to a folder.
fs::path downwards(const fs::path& path) {
  fs::path result;
  for (const fs::path& part : path.lexically_normal().relative_path())
    if (part != ".." && part != ".") result /= part;
  return result;
}

// The certificate's name below the folder of the certificates; the wider names are for files whose narrower
// ones coincide with others'.
fs::path certificate_name(const CaseJob& job, const fs::path& base, int width) {
  if (width == 0)
    return (base.empty() ? job.file.filename() : job.file.lexically_relative(base))
        .replace_extension(".json");
  if (width == 1) return downwards(job.file).replace_extension(".json");
  return downwards(real_path(job.file)) += ".json";
}

}  // namespace

Shard parse_shard(const std::string& text, const std::string& option) {
  constexpr std::size_t kMostShards = 1000000;
  const auto [index, count] = two_numbers(text, '/').value_or(std::pair(0, 0));
  if (index < 1 || index > count || count > kMostShards)
    throw InputError(option, "", in_quotes(text) + " is not a shard",
                     "i/N with 1 <= i <= N <= " + std::to_string(kMostShards) + ", like 3/8");
  return {index, count};
}

std::size_t shard_of(const std::string& name, std::size_t count) {
  const std::string digits = sha256_hex(name).substr(0, 16);
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return 1 + value % count;
}

bool selected(const fs::path& path, const std::string& filter) {
  return filter.empty() || path.string().find(filter) != std::string::npos ||
         ::fnmatch(filter.c_str(), path.c_str(), 0) == 0;
}

std::vector<fs::path> files_below(const fs::path& folder, const std::string& extension,
                                  std::vector<std::string>& errors) {
  std::vector<fs::path> files, folders = {folder};
  while (!folders.empty()) {
    const fs::path current = folders.back();
    folders.pop_back();
    std::error_code error;
    for (auto it = fs::directory_iterator(current, error); !error && it != fs::directory_iterator();
         it.increment(error)) {
      std::error_code none;
      if (it->symlink_status(none).type() == fs::file_type::directory)
        folders.push_back(it->path());
      else if (it->path().extension() == extension && !it->is_directory(none))
        files.push_back(it->path());
    }
    if (error)
      errors.push_back(
          InputError(current.string(), "", "cannot be read (" + error.message() + ")", "a readable folder")
              .what());
  }
  std::sort(files.begin(), files.end());
  return files;
}

namespace {

// The files that are no folders, and those with the extension below folders.
std::vector<CaseJob> find_files(const std::vector<std::string>& paths, const std::string& out,
                                const std::string& filter, const std::optional<Shard>& shard,
                                const std::string& extension, const std::string& kind) {
  std::vector<CaseJob> jobs;
  std::vector<fs::path> bases;  // of the jobs: the folders that were searched, or empty
  std::map<fs::path, bool> seen;
  const auto add = [&](CaseJob job, const fs::path& base) {
    if (!selected(job.file, filter) || !seen.emplace(real_path(job.file), true).second) return;
    jobs.push_back(std::move(job));
    bases.push_back(base);
  };
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      add({path, {}, "", true}, {});
      continue;
    }
    std::vector<std::string> errors;
    const std::vector<fs::path> files = files_below(path, extension, errors);
    if (files.empty() && errors.empty())
      throw InputError(path, "", "there is no " + kind + " (*" + extension + ") in this folder",
                       "a folder of " + kind + "s");
    for (const fs::path& file : files) add({file, {}, ""}, path);
    for (const std::string& text : errors) {
      jobs.push_back({path, {}, text});
      bases.push_back(path);
    }
  }
  if (jobs.empty())
    throw InputError("--filter", "", "selects no " + kind,
                     "a part of the path of a " + kind + ", or a pattern with * and ?");

  std::vector<int> width(jobs.size(), 0);
  for (bool again = true; again;) {
    again = false;
    std::map<fs::path, std::vector<std::size_t>> owners;
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      if (!jobs[k].error.empty()) continue;
      jobs[k].certificate = fs::path(out) / certificate_name(jobs[k], bases[k], width[k]);
      owners[jobs[k].certificate].push_back(k);
    }
    for (const auto& [name, members] : owners)
      for (const std::size_t k : members)
        if (members.size() > 1 && width[k] < 2) {
          ++width[k];
          again = true;
        }
  }
  if (shard)
    std::erase_if(jobs, [&](const CaseJob& job) {
      return job.error.empty() &&
             shard_of(job.certificate.lexically_relative(out).generic_string(), shard->count) != shard->index;
    });
  return jobs;
}

}  // namespace

std::vector<CaseJob> find_cases(const std::vector<std::string>& paths, const std::string& out,
                                const std::string& filter, const std::optional<Shard>& shard) {
  return find_files(paths, out, filter, shard, ".toml", "case file");
}

std::vector<CaseJob> find_certificates(const std::vector<std::string>& paths, const std::string& filter,
                                       const std::optional<Shard>& shard) {
  return find_files(paths, "", filter, shard, ".json", "certificate");
}

}  // namespace attest
