#pragma once

#include <string>

namespace attest {

/// Text for HTML and XML, in elements and quoted attributes; control characters become blanks,
/// and what is not UTF-8 or no character of XML U+FFFD.
std::string escaped(const std::string& text);

/// Text for a terminal, each of its lines as one_line (base/text.hpp).
std::string printable(const std::string& text);
/// Writes an error to standard error, on one line whatever it quotes: names of files may have line feeds.
void complain(const std::string& error);

}  // namespace attest
