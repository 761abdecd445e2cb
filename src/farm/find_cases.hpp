// Which case files a run is about, and where their certificates go.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

struct CaseJob {
  std::filesystem::path file, certificate;
  std::string error;  ///< why there is no case to run: one line; usually empty
};

/// The files among `paths` and the *.toml below its folders, sorted within each; those that `filter` does not
/// select are left out (empty: none). Certificates lie below `out`, named after the files' paths relative to
/// their folder, or to the current one where names would coincide. What cannot be looked into is a job with
/// an error. Throws InputError when a folder has no case file, or the filter leaves nothing.
std::vector<CaseJob> find_cases(const std::vector<std::string>& paths, const std::string& out,
                                const std::string& filter);

/// The same for certificates, the *.json below folders: `file` is the certificate, and `certificate` the name
/// that it has below its folder.
std::vector<CaseJob> find_certificates(const std::vector<std::string>& paths);

/// Whether a path is selected: it matches the shell pattern, or contains it. Empty selects everything.
bool selected(const std::filesystem::path& path, const std::string& filter);

/// The files with this extension below a folder, sorted, links that lead nowhere included. What cannot be
/// looked into is added to `errors` (one line each).
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               const std::string& extension,
                                               std::vector<std::string>& errors);

}  // namespace attest
