// What nearly every case of the tests begins and ends with.
#pragma once

#include <string>

#include "readers/case_file.hpp"
#include "tests/support/folder.hpp"
#include "theory/statements.hpp"

namespace attest::test {

/// The first lines of a case: a layer with so many heads, tokens, dimensions, dimensions of a head and
/// examples. Further lines of [layer] may follow.
inline std::string sized_layer(std::size_t H, std::size_t n, std::size_t d, std::size_t d_h, std::size_t T) {
  const auto line = [](const char* name, std::size_t size) {
    return std::string(name) + " = " + std::to_string(size) + "\n";
  };
  return "format = 1\n[layer]\n" + line("heads", H) + line("context", n) + line("embed_dim", d) +
         line("head_dim", d_h) + line("examples", T);
}

/// A claim with further lines.
inline std::string claim(const std::string& statement, const std::string& more = "") {
  return "[[claim]]\nstatement = \"" + statement + "\"\n" + more + "\n";
}

/// The case of a text. Throws as read_case.
inline Case case_of(const std::string& toml) {
  const Folder folder;
  return read_case(folder.write("case.toml", toml));
}

}  // namespace attest::test
