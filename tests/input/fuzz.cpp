// Mutated files must be read or refused: never a crash, never another exception. Deterministic; the seed of a
// failure is in its message.
#include <doctest/doctest.h>

#include <random>

#include "readers/array_files.hpp"
#include "readers/case_file.hpp"
#include "tests/input/support.hpp"
#include "theory/statements.hpp"

namespace attest {
namespace {

using test::Folder;
using test::outcome;
using test::parse_npy;
using test::parse_npz;
using test::parse_safetensors;

std::string mutated(std::string bytes, std::mt19937_64& random) {
  static const std::string interesting("\0\xff\n\"'[]{}=.,#\\eE0x/-+9_ \t", 25);
  for (std::uint64_t edits = 1 + random() % 4; edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = random() % bytes.size();
    const char byte =
        random() % 2 == 0 ? static_cast<char>(random()) : interesting[random() % interesting.size()];
    switch (random() % 6) {
      case 0:
        bytes.erase(at, 1 + random() % 8);
        break;
      case 1:
        bytes.insert(at, 1 + random() % 3, byte);
        break;
      case 2:
        bytes.insert(random() % bytes.size(), bytes.substr(at, random() % 40));
        break;
      case 3:
        bytes.resize(at);
        break;
      default:
        bytes[at] = byte;
    }
  }
  return bytes;
}

/// Reads mutations of `bytes`; every outcome is fine, but some must succeed and some fail, or nothing was
/// tested.
template <typename Read>
void fuzz(const std::string& bytes, int rounds, Read read) {
  const std::string untouched = outcome([&] { read(bytes); });
  REQUIRE(untouched == "ok");
  int accepted = 0;
  for (int seed = 0; seed < rounds; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const std::string file = mutated(bytes, random);
    std::string result;
    try {
      result = outcome([&] { read(file); });
    } catch (const std::exception& error) {
      result = std::string("unexpected: ") + error.what();
    }
    CAPTURE(seed);
    CAPTURE(result);
    const bool known = result == "ok" || result.starts_with("input: ") || result.starts_with("limit: ");
    if (!known || result.find('\n') != std::string::npos) CHECK(false);
    accepted += result == "ok" ? 1 : 0;
  }
  CHECK(accepted > 0);
  CHECK(accepted < rounds);
}

/// A mutated size must not cost the test memory.
void little(std::uint64_t bytes) {
  if (bytes > (1 << 20)) throw LimitError("too much");
}

TEST_CASE("mutated .npy files") {
  const std::string bytes = test::npy(test::npy_header("<f8", "(3, 2)"),
                                      test::raw(std::vector<double>{1, 2.5, -3, 0.1, 1e300, 5e-324}));
  fuzz(bytes, 1500, [](const std::string& file) { parse_npy(file, "a.npy", little); });
}

TEST_CASE("mutated .safetensors files") {
  const std::string header = "{\"__metadata__\":{\"k\":\"v\"}," + test::tensor("x", "F32", "[2,1]", 0, 8) +
                             "," + test::tensor("y", "I64", "[1]", 8, 16) + "}";
  const std::string data = test::raw(std::vector<float>{1, -2}) + test::raw(std::int64_t{7});
  fuzz(test::safetensors(header, data), 1500,
       [](const std::string& file) { parse_safetensors(file, "x", "a", little); });
}

TEST_CASE("mutated .npz files") {
  const std::string member =
      test::npy(test::npy_header("<f4", "(2, 3)"), test::raw(std::vector<float>{1, 2, 3, 4, 5, 6}));
  fuzz(test::zip({{"x.npy", member}, {"y.npy", member}}), 1500,
       [](const std::string& file) { parse_npz(file, "x", "a", little); });
}

TEST_CASE("mutated case files") {
  const std::string text = R"toml(format = 1
title = "Fuzz"
[layer]
heads = 2
context = 2
embed_dim = 3
head_dim = 2
examples = 2
output_dim = 1
base = "2"
logit_scale = "1/sqrt(d_h)"
[data]
contexts = [[1, 0, "1/2"], [0, "0x1.8p-3", "-1e-2"]]
queries = [[1, 2, 3], [4, "5/6", 6]]
labels = [[1], [2]]
[weights]
generate = { kind = "rationals", bound = 3, denominator = 2, seed = 5, scale = "1/8" }
key_bias = [[1, 2], [3, 4]]
[[claim]]
statement = "rank"   # a comment
at_least = 1
[[claim]]
statement = "claim-2"
expect = "inapplicable"
subset = [1]
coefficients = [["1/4", "0.75"]]
epsilon = "1e-6"
)toml";
  // A mutated dimension may be legal and large: the limit keeps the test small.
  ReadOptions options;
  options.memory_limit = std::size_t{1} << 20;
  const Folder folder;
  fuzz(text, 3000, [&](const std::string& file) { read_case(folder.write("a.toml", file), options); });
}

}  // namespace
}  // namespace attest
