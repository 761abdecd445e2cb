// Texts that are numbers as a whole.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace attest {

/// Empty when the text is no number.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The numbers on both sides of a sign.
inline std::optional<std::pair<std::uint64_t, std::uint64_t>> two_numbers(std::string_view text, char sign) {
  const std::size_t at = text.find(sign);
  if (at == std::string_view::npos) return std::nullopt;
  const auto first = number_in<std::uint64_t>(text.substr(0, at)),
             second = number_in<std::uint64_t>(text.substr(at + 1));
  return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

}  // namespace attest
