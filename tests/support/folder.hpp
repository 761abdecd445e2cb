// The one temporary folder of the tests.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "base/temporary_folder.hpp"

namespace attest::test {

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
  std::string read(const std::string& name) const {
    std::ifstream in(path() / name, std::ios::binary);
    if (!in.good()) throw std::runtime_error("no file " + name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
};

}  // namespace attest::test
