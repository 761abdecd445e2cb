// Strict reading of a certificate: JSON without duplicate keys or fractions, objects with exactly the keys
// that are known.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "checker/exact.hpp"
#include "checker/ring.hpp"

namespace attest::checker {

using Json = nlohmann::json;

/// Throws InputError: not JSON (with line and column), duplicate keys, null, too deep, numbers that are not
/// integers below 2^64. `name` is how messages call the file.
Json parse_json(std::string_view bytes, const std::string& name);

/// An object whose keys are all asked for. Its destructor does not check that: call done().
class Object {
public:
  explicit Object(const Json& value);
  const Json& operator[](const char* key);
  /// nullptr when the key is not there.
  const Json* find(const char* key);
  /// No other key is there.
  void done() const;

private:
  const Json& value_;
  std::vector<std::string_view> found_;  ///< each once
};

// Each of these is a Failure when the value has another type or range.
const Json& array(const Json& value);
const Json& array(const Json& value, std::size_t size);
Word word(const Json& value);                            ///< an integer >= 0
std::size_t index(const Json& value, std::size_t size);  ///< an integer in [0, size)
const std::string& string(const Json& value);
Rational rational(const Json& value);  ///< a string
Integer integer(const Json& value);    ///< a string
std::vector<Rational> rationals(const Json& value, std::size_t size);
std::vector<std::size_t> distinct_indices(const Json& value, std::size_t size);
Vector vector(const Json& value, std::size_t size);
std::vector<Vector> vectors(const Json& value, std::size_t count, std::size_t size);
/// A group-ring element or a rational.
PowerSums::Scalar element(const Json& value, const PowerSums& ring);
/// An odd prime below 2^62.
Word prime(const Json& value);

}  // namespace attest::checker
