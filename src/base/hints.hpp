// For messages: names that are nearly right, places in arrays and files, lists, lines.
#pragma once

#include <string>
#include <vector>

namespace attest {

/// The member of `known` that `word` most likely is a misspelling of; empty when none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

/// "[1, 2]"
std::string index_text(const std::vector<std::size_t>& index);

/// The index of row-major position `flat` in an array of this shape.
std::vector<std::size_t> unflatten(std::size_t flat, const std::vector<std::size_t>& shape);

/// "a, b and c"
std::string joined(const std::vector<std::string>& words, const std::string& last = "and");

/// "line L, column C", and so on, as "FILE: PLACE: MESSAGE", for errors that are not InputErrors.
std::string located(const std::string& file, const std::string& place, const std::string& message);

/// Each line of a text, what follows it indented deeper than it is.
std::string wrapped_lines(const std::string& text);

}  // namespace attest
