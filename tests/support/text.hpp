// Text as tests of many cases look at it.
#pragma once

#include <doctest/doctest.h>

#include <regex>
#include <string>
#include <vector>

namespace attest::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The text without the ends of lines that are indented further, as long lines are.
inline std::string unwrapped(const std::string& text) {
  return std::regex_replace(text, std::regex("\n {4,}"), " ");
}

/// Checks that it does, wherever its lines are broken.
inline void has(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CAPTURE(part);
  CHECK((contains(text, part) || contains(unwrapped(text), part)));
}

/// The lines of a text, each with its end.
inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::size_t at = 0;
  for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    result.push_back(text.substr(at, end + 1 - at));
  if (at < text.size()) result.push_back(text.substr(at));
  return result;
}

/// The text with the first occurrence of something, which must be there, replaced.
inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  REQUIRE_MESSAGE(at != std::string::npos, what);
  return text.replace(at, what.size(), with);
}

/// The 64 digits after "root " at the start of a line; empty when there is none.
inline std::string root(const std::string& out) {
  const std::size_t at = ("\n" + out).rfind("\nroot ");
  return at == std::string::npos ? "" : out.substr(at + 5, 64);
}

}  // namespace attest::test
