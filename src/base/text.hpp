// Small helpers for one-line texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The length of the UTF-8 character at text[at], and the character; 0 when there is none.
std::size_t utf8_character(std::string_view text, std::size_t at, std::uint32_t& character);

/// Whether a character shows itself for what it is: neither a control character, nor blank or invisible (but
/// for the space), nor one that turns the direction of writing, nor a quotation mark other than " and '.
bool shows(std::uint32_t character);

/// `text` fit for a terminal: bytes that are not valid UTF-8 and characters that do not show are written as
/// \xNN. Cut after about `limit` bytes (never inside a character).
std::string one_line(std::string_view text, std::size_t limit = 200);

/// A path as one_line, with more of it.
std::string path_line(std::string_view path, std::size_t limit = 600);

/// `text` in double quotes, fit for a message.
std::string in_quotes(std::string_view text);

/// Integers, with this between them.
std::string integer_list(const auto& integers, const char* between) {
  std::string out;
  for (const std::size_t each : integers) out += (out.empty() ? "" : between) + std::to_string(each);
  return out;
}

/// What stands between blanks.
std::vector<std::string> words_in(const std::string& text);

/// "::error file=F,line=L,col=C::MESSAGE" and a line end, by which GitHub's workflows mark a line of a file;
/// empty outside of them (GITHUB_ACTIONS). `line` 0: of the file as a whole.
std::string annotation(const std::string& file, std::size_t line, std::size_t column,
                       const std::string& message);

}  // namespace attest
