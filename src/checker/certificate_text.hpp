// Strict reading of a certificate: JSON without duplicate keys or fractions, objects with exactly the keys
// that are known.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checker/exact.hpp"
#include "checker/group_ring.hpp"

namespace attest::checker {

using Json = nlohmann::ordered_json;  // keeps the order of keys, which the hash of F7 needs

/// Throws InputError: unreadable, not JSON (with line and column), duplicate keys, too deep, numbers that are
/// not integers below 2^64.
Json read_json(const std::filesystem::path& file);
Json parse_json(const std::string& bytes, const std::string& name);

/// An object whose keys are all asked for. Its destructor does not check that: call done().
class Object {
public:
  explicit Object(const Json& value);
  const Json& operator[](const char* key);
  const Json* find(const char* key);
  /// No other key is there.
  void done() const;

private:
  const Json& value_;
  std::vector<std::string> known_;
};

// Each of these is a Failure when the value has another type or range.
const Json& array(const Json& value);
const Json& array(const Json& value, std::size_t size);
Word word(const Json& value);                            ///< an integer >= 0
std::size_t index(const Json& value, std::size_t size);  ///< an integer in [0, size)
bool boolean(const Json& value);
const std::string& string(const Json& value);
Rational rational(const Json& value);  ///< a string
Integer integer(const Json& value);    ///< a string
std::vector<std::size_t> distinct_indices(const Json& value, std::size_t size);
Vector vector(const Json& value, std::size_t size);
Element element(const Json& value, const Ring& ring, std::size_t max_power);
/// The prime modulus below 2^62 of a modular argument.
Word prime(const Json& value);

}  // namespace attest::checker
