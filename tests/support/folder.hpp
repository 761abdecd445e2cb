// The one temporary folder of the tests.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "base/temporary_folder.hpp"

namespace attest::test {

inline std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in.good()) throw std::runtime_error("no file " + file.string());
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// A fresh folder, removed with everything in it at the end.
class Folder : public TemporaryFolder {
public:
  std::filesystem::path operator/(const std::string& name) const { return path() / name; }
  /// Writes a file, and the folders that it is in; returns its path.
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    const std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
  std::string read(const std::string& name) const { return contents(path() / name); }
};

}  // namespace attest::test
