// A folder that disappears with its contents.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/errors.hpp"

namespace attest {

class TemporaryFolder {
public:
  /// Below TMPDIR. Throws InputError when none can be made.
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "attest-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw InputError(name, "", "no temporary folder can be made", "a writable folder for temporary files");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

}  // namespace attest
