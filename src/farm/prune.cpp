#include "farm/prune.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/linux.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "kernel/certificate.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

// What a file below the open folder is a certificate of; empty when it is none.
std::string case_of(int folder, const std::string& name) {
  try {
    RegularFile file(folder, name);
    if (file.size() > kernel::kMostCertificateBytes) return "";
    const FileBytes bytes = file.read();
    const nlohmann::json json = nlohmann::json::parse(bytes.view());
    if (!json.at("format").get<std::string>().starts_with("attest-certificate/")) return "";
    return json.at("case").at("path").get<std::string>();
  } catch (const FileError&) {
  } catch (const nlohmann::json::exception&) {
  }
  return "";
}

bool is_gone(const fs::path& file) {
  struct stat status;
  return ::stat(file.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

// Everything is opened relative to its folder: a link that takes a folder's place meanwhile leads nowhere.
void prune_below(int parent, const fs::path& name, const fs::path& shown, int follow, std::ostream& says) {
  const Descriptor folder(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | follow));
  const int listed =
      folder.number() < 0 ? -1 : ::openat(folder.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (listed < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(listed), ::closedir);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) names.emplace_back(entry->d_name);
  for (const std::string& entry : names) {
    struct stat status;
    if (entry == "." || entry == ".." ||
        ::fstatat(folder.number(), entry.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (S_ISDIR(status.st_mode)) prune_below(folder.number(), entry, shown / entry, O_NOFOLLOW, says);
    if (!S_ISREG(status.st_mode) || fs::path(entry).extension() != ".json") continue;
    const std::string about = case_of(folder.number(), entry);
    if (about.empty() || !is_gone(system::file_of(folder.number()) / about)) continue;
    if (::unlinkat(folder.number(), entry.c_str(), 0) != 0 && errno != ENOENT)
      throw InputError(path_line((shown / entry).string(), 600), "",
                       std::string("cannot be removed (") + std::strerror(errno) + ")", "a writable folder");
    says << "removed " << path_line((shown / entry).string(), 600) << ": its case " << in_quotes(about)
         << " is gone\n";
  }
}

}  // namespace

void prune(const fs::path& folder, std::ostream& says) {
  prune_below(AT_FDCWD, folder, folder, 0, says);
}

}  // namespace attest
