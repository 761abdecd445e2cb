#include "problem/digest.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/sha256.hpp"
#include "tests/input/support.hpp"
#include "tests/support/case_text.hpp"
#include "tests/support/text.hpp"
#include "theory/statements.hpp"

namespace attest {
namespace {

using test::claim;
using test::Folder;
using test::raw;
using test::sized_layer;

std::string of(ExactArray::Storage storage) {
  const std::size_t count = std::visit([](const auto& entries) { return entries.size(); }, storage);
  return array_digest(ExactArray({count}, std::move(storage)));
}
using Rationals = std::vector<mpq_class>;

TEST_CASE("the entries decide the class and the hash, not how they are stored") {
  const std::string f4 = "3 f4 " + sha256_hex(raw(std::vector<float>{1, -2, 0}));
  CHECK(of(std::vector<float>{1, -2, -0.0F}) == f4);
  CHECK(of(std::vector<double>{1, -2, -0.0}) == f4);
  CHECK(of(std::vector<std::int64_t>{1, -2, 0}) == f4);
  CHECK(of(Rationals{1, -2, 0}) == f4);
  const std::string f8 = "3 f8 " + sha256_hex(raw(std::vector<double>{0.1, 16777217, 0}));
  CHECK(of(std::vector<double>{0.1, 16777217, -0.0}) == f8);
  CHECK(of(Rationals{mpq_class(0.1), 16777217, 0}) == f8);
  CHECK(of(Rationals{mpq_class(1, 3), -2, 0}) == "3 q " + sha256_hex("1/3\n-2\n0\n"));
  CHECK(of(Rationals{mpq_class(-85, 9), 160}) == "2 q " + sha256_hex("-55/9\na0\n"));
  CHECK(of(std::vector<std::int64_t>{INT64_MIN, INT64_MAX, 5}) ==
        "3 q " + sha256_hex("-8000000000000000\n7fffffffffffffff\n5\n"));
  CHECK(array_digest(ExactArray({1, 2, 1}, std::vector<float>{1, 2})) ==
        "1x2x1 f4 " + sha256_hex(raw(std::vector<float>{1, 2})));
}

TEST_CASE("the ends of the classes") {
  const auto power = [](int e) {
    mpq_class one = 1;
    if (e >= 0) return mpq_class(one << static_cast<unsigned>(e));
    return mpq_class(one >> static_cast<unsigned>(-e));
  };
  const auto name = [](const mpq_class& x) {
    const std::string text = of(Rationals{x});
    return text.substr(2, text.find(' ', 2) - 2);
  };
  const struct {
    mpq_class value;
    const char* name;
  } rows[] = {
      {(power(24) - 1) * power(104), "f4"},  // the largest binary32
      {power(128), "f8"},
      {(power(25) - 1) * power(103), "f8"},
      {power(-149), "f4"},  // the smallest
      {power(-150), "f8"},
      {3 * power(-150), "f8"},
      {(power(53) - 1) * power(971), "f8"},  // the largest binary64
      {power(1024), "q"},
      {power(-1074), "f8"},
      {power(-1075), "q"},
      {(power(54) - 1), "q"},
      {mpq_class(1, 3), "q"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.value.get_str().substr(0, 60));
    CHECK(name(row.value) == row.name);
    CHECK(name(-row.value) == row.name);
    if (std::string(row.name) == "q") continue;
    const double stored = row.value.get_d();  // exact, also where GMP would not be sure of subnormals
    if (mpq_class(stored) == row.value) CHECK(of(std::vector<double>{stored}) == of(Rationals{row.value}));
  }
  CHECK(of(std::vector<std::int64_t>{(std::int64_t{1} << 53) - 1}).substr(0, 5) == "1 f8 ");
  CHECK(of(std::vector<std::int64_t>{(std::int64_t{1} << 53) + 1}).substr(0, 4) == "1 q ");
  CHECK(of(std::vector<std::int64_t>{INT64_MIN}).substr(0, 5) == "1 f4 ");
}

TEST_CASE("long arrays are hashed in pieces") {
  std::vector<float> floats(100'000);
  for (std::size_t i = 0; i < floats.size(); ++i) floats[i] = static_cast<float>(i);
  CHECK(of(floats) == "100000 f4 " + sha256_hex(raw(floats)));
}

const std::string kDigested =
    "title = \"A title\"\n" + sized_layer(1, 2, 2, 1, 2) + R"toml(logit_scale = "1/sqrt(8)"
[data]
contexts = [[1, 0], [0, "1/2"]]
queries = [[1, 2], [3, 4]]
[weights]
key = [[[1], [2]]]
query = [[[3], [4]]]
)toml" +
    claim("rank", "at_least = 1") +
    claim("claim-2",
          "subset = [1, 0]\ncoefficients = [[\"1/4\", \"3/4\"], [\"1/2\", \"1/2\"]]\nepsilon = \"1e-3\"");

std::string digest(const std::string& text) {
  return problem_digest(test::case_of(text));
}
TEST_CASE("the canonical text") {
  const auto floats = [](std::vector<float> entries) { return "f4 " + sha256_hex(raw(entries)); };
  CHECK(digest(kDigested) ==
        sha256_hex("attest-problem/1\n"
                   "layer H=1 n=2 d=2 d_h=1 T=2 d_out=1 d_v=1 base=e scale=1/sqrt(8)\n"
                   "array contexts shape=2x2 " +
                   floats({1, 0, 0, 0.5F}) +
                   "\n"
                   "array queries shape=2x2 " +
                   floats({1, 2, 3, 4}) +
                   "\n"
                   "array key shape=1x2x1 " +
                   floats({1, 2}) +
                   "\n"
                   "array query shape=1x2x1 " +
                   floats({3, 4}) +
                   "\n"
                   "claim 0 rank\nat_least=1\n"
                   "claim 1 claim-2\ncoefficients=2x2 " +
                   floats({0.25F, 0.75F, 0.5F, 0.5F}) + "\nepsilon=1/1000\nsubset=1,0\n"));
}

TEST_CASE("what enters the digest and what does not") {
  const std::string original = digest(kDigested);
  const auto same = [&](const std::string& from, const std::string& to) {
    CAPTURE(from);
    CHECK(digest(test::replaced(kDigested, from, to)) == original);
  };
  const auto other = [&](const std::string& from, const std::string& to) {
    CAPTURE(from);
    CHECK(digest(test::replaced(kDigested, from, to)) != original);
  };
  same("A title", "Another");
  same("[layer]", "# a comment\n[layer]");
  same("at_least = 1", "at_least = \"2/2\"\nexpect = \"refuted\"");
  same("\"1/2\"", "\"0.5\"");
  same("[3, 4]", "[\"0x3\", \"8/2\"]");
  same("embed_dim = 2", "embed_dim = 2\nbase = \"e\"\nvalue_dim = 1\noutput_dim = 1");
  other("heads = 1\ncontext = 2\nembed_dim = 2\nhead_dim = 1",
        "heads = 1\ncontext = 2\nembed_dim = 2\nhead_dim = 1\nvalue_dim = 2");
  other("embed_dim = 2", "embed_dim = 2\nbase = \"2\"");
  other("1/sqrt(8)", "1/sqrt(7)");
  other("1/sqrt(8)", "1/2");
  other("[3, 4]", "[3, 5]");
  other("[1, 2], [3, 4]", "[1, 2], [4, 3]");
  other("[1, 2], [3, 4]]", "[1, 2], [3, 4]]\nmixed = true");
  other("contexts = [[1, 0], [0, \"1/2\"]]", "contexts = [[[1, 0], [0, \"1/2\"]], [[1, 0], [0, \"1/2\"]]]");
  other("queries = [[1, 2], [3, 4]]", "queries = [[1, 2], [3, 4]]\nlabels = [0, 0]");
  other("query = [[[3], [4]]]", "query = [[[3], [4]]]\nkey_bias = [[0]]");
  other("at_least", "at_most");
  other("at_least = 1\n", "");
  other("at_least = 1", "at_least = 2");
  other("[1, 0]\ncoefficients", "[0, 1]\ncoefficients");
  other("1e-3", "1e-4");
  other("[\"1/4\", \"3/4\"]", "[\"3/4\", \"1/4\"]");
}

TEST_CASE("arrays in line, generated or in files of any kind are the same problem") {
  const Folder folder;
  const std::string original = problem_digest(read_case(folder.write("in-line.toml", kDigested)));
  const auto with = [&](const std::string& table) {
    return problem_digest(
        read_case(folder.write("case.toml", test::replaced(kDigested, "[[1, 2], [3, 4]]", table))));
  };
  const auto npy = [&](const char* type, const std::string& data, bool fortran = false) {
    folder.write("q.npy", test::npy(test::npy_header(type, "(2, 2)", fortran), data));
    return with("{ file = \"q.npy\" }");
  };
  CHECK(npy("<f8", raw(std::vector<double>{1, 2, 3, 4})) == original);
  CHECK(npy("<f4", raw(std::vector<float>{1, 2, 3, 4})) == original);
  CHECK(npy("<f2", raw(std::vector<std::uint16_t>{0x3C00, 0x4000, 0x4200, 0x4400})) == original);
  CHECK(npy("<i8", raw(std::vector<std::int64_t>{1, 2, 3, 4})) == original);
  CHECK(npy("|i1", "\1\2\3\4") == original);
  CHECK(npy(">i2", std::string("\0\1\0\2\0\3\0\4", 8)) == original);
  CHECK(npy("|u1", "\1\3\2\4", true) == original);
  CHECK(npy("|u1", "\1\3\2\4") != original);
  folder.write("q.safetensors",
               test::safetensors("{" + test::tensor("x", "BF16", "[2,2]", 0, 8) + "}",
                                 raw(std::vector<std::uint16_t>{0x3F80, 0x4000, 0x4040, 0x4080})));
  CHECK(with("{ file = \"q.safetensors\", tensor = \"x\" }") == original);
  folder.write("q.npz", test::zip({{"x.npy", test::npy(test::npy_header("|i1", "(2, 2)"), "\1\2\3\4")}}));
  CHECK(with("{ file = \"q.npz\", tensor = \"x\" }") == original);
}

}  // namespace
}  // namespace attest
