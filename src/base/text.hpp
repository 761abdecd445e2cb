// Small helpers for one-line messages. Private to the input layer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// `text` fit for a terminal: bytes that are not valid UTF-8, control characters, and characters that turn
/// the direction of writing are written as \xNN. Cut after about `limit` bytes (never inside a character).
std::string one_line(std::string_view text, std::size_t limit = 200);

/// `text` in double quotes, fit for a message.
std::string in_quotes(std::string_view text);

/// "a, b and c"
std::string joined(const std::vector<std::string>& words, const std::string& last = "and");

/// The member of `known` that `word` most likely is a misspelling of; empty when none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

/// "[1, 2]"
std::string index_text(const std::vector<std::size_t>& index);

/// The index of row-major position `flat` in an array of this shape.
std::vector<std::size_t> unflatten(std::size_t flat, const std::vector<std::size_t>& shape);

/// "line L, column C", and so on, as "FILE: PLACE: MESSAGE", for errors that are not InputErrors.
std::string located(const std::string& file, const std::string& place, const std::string& message);

}  // namespace attest
