// Strict reading of a certificate: JSON without duplicate keys or fractions, objects with exactly the keys
// that are known.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/arithmetic/exact.hpp"
#include "kernel/layers/ring.hpp"

namespace attest::kernel {

using Json = nlohmann::ordered_json;

inline constexpr const char* kCertificateFormat = "attest-certificate/3";
inline constexpr std::uint64_t kMostCertificateBytes = std::uint64_t{4} << 30;

/// Throws InputError: not JSON (with line and column), duplicate keys, null (unless `nulls`), too deep,
/// numbers that are not integers below 2^64. `name` is how messages call the file, `form` what it should be.
Json parse_json(std::string_view bytes, const std::string& name,
                const std::string& form = "a certificate is JSON (docs/certificate.md)", bool nulls = false);

/// A step and its number, by which other steps of the claim call it.
struct NumberedStep {
  std::size_t number;
  const Json* json;
};
using NumberedSteps = std::vector<NumberedStep>;

// Each of these is a Failure when the value has another type or range.
/// The value of a key of an object.
const Json& field(const Json& value, std::string_view key);
/// An object with these keys, separated by blanks, and no other. A key with "?" need not be there.
const Json& object(const Json& value, std::string_view keys);
const Json& array(const Json& value);
const Json& array(const Json& value, std::size_t size);
/// The entries of an array of that size, each read by `read`.
template <class Read>
auto list(const Json& value, std::size_t size, Read read) {
  std::vector<std::decay_t<decltype(read(value))>> result;
  for (const Json& entry : array(value, size)) result.push_back(read(entry));
  return result;
}
Word word(const Json& value);                            ///< an integer >= 0
std::size_t index(const Json& value, std::size_t size);  ///< an integer in [0, size)
std::size_t precision(const Json& value);                ///< a number of bits
const std::string& string(const Json& value);
/// Whether a string is the first of two.
bool choice(const Json& value, const std::string& first, const std::string& second);
Rational rational(const Json& value);  ///< a string
Rational positive(const Json& value);  ///< a rational > 0
Integer integer(const Json& value);    ///< a string
/// Those of all steps that an array of increasing numbers names: the proof of a claim.
NumberedSteps named_steps(const Json& numbers, const Json& all);
/// All of an array: the proof of a part.
NumberedSteps all_steps(const Json& all);
std::vector<std::size_t> distinct_indices(const Json& value, std::size_t size);
Vector vector(const Json& value, std::size_t size);
std::vector<Vector> vectors(const Json& value, std::size_t count, std::size_t size);
/// A group-ring element or a rational.
PowerSums::Scalar element(const Json& value, const PowerSums& ring);
/// An odd prime below 2^bits.
Word prime(const Json& value, unsigned bits = 23);

}  // namespace attest::kernel
