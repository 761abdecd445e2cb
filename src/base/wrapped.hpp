// Long lines.
#pragma once

#include <string>

namespace attest {

/// A line broken at single blanks where it is longer than 120 columns; what follows is indented, so that
/// "\n" and that margin stand for the blank.
std::string wrapped(const std::string& line, std::size_t margin);

}  // namespace attest
