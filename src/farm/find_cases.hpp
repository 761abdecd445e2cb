// Which case files a run is about, and where their certificates go.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attest {

struct CaseJob {
  std::filesystem::path file, certificate;
  std::string error;   ///< why there is no case to run: one line; usually empty
  bool named = false;  ///< by itself, and not found in a folder
};

/// Part `index` of `count`, counted from 1.
struct Shard {
  std::size_t index = 1, count = 1;
  bool operator==(const Shard&) const = default;
};
/// "3/8". Throws InputError, which names `option`, for anything but 1 <= index <= count <= 1000000.
Shard parse_shard(const std::string& text, const std::string& option);
/// In which of `count` shards (from 1) a certificate with this name below its folder is: by the SHA-256 of
/// the name, so that no shard reads the cases and arrays of the others.
std::size_t shard_of(const std::string& name, std::size_t count);

/// The files among `paths` and the *.toml below its folders, sorted within each; those that `filter` does not
/// select are left out (empty: none), and then those of other shards. Certificates lie below `out`, named
/// after the files' paths relative to their folder, or to the current one where names would coincide. What
/// cannot be looked into is a job with an error. Throws InputError when a folder has no case file, or the
/// filter leaves nothing.
std::vector<CaseJob> find_cases(const std::vector<std::string>& paths, const std::string& out,
                                const std::string& filter, const std::optional<Shard>& shard = std::nullopt);

/// The same for certificates, the *.json below folders: `file` is the certificate, and `certificate` the name
/// that it has below its folder.
std::vector<CaseJob> find_certificates(const std::vector<std::string>& paths, const std::string& filter,
                                       const std::optional<Shard>& shard);

/// Whether a path is selected: it matches the shell pattern, or contains it. Empty selects everything.
bool selected(const std::filesystem::path& path, const std::string& filter);

/// The files with this extension below a folder, sorted, links that lead nowhere included. What cannot be
/// looked into is added to `errors` (one line each).
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               const std::string& extension,
                                               std::vector<std::string>& errors);

}  // namespace attest
