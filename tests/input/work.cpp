// --work covers what reading a case takes; each of these took much longer than a small limit allowed.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "base/meter.hpp"
#include "problem/digest.hpp"
#include "readers/case_file.hpp"
#include "readers/generate.hpp"
#include "readers/numerals.hpp"
#include "tests/input/support.hpp"
#include "tests/support/case_text.hpp"
#include "theory/statements.hpp"

namespace attest {
namespace {

using test::check_outcome;
using test::Folder;
using test::matches;
using test::outcome;
using test::raw;

/// What reading a case and computing its digest costs.
std::uint64_t cost(const std::filesystem::path& file, const ReadOptions& options = {}) {
  const std::uint64_t before = meter().work_done();
  (void)problem_digest(read_case(file, options));
  return meter().work_done() - before;
}

/// The same within a limit: what comes of it, and that one operation less than it costs is too little.
std::string limited(const std::filesystem::path& file, std::uint64_t limit) {
  meter().limit_work(limit);
  const std::string result = outcome([&] { (void)cost(file); });
  meter().limit_work(0);
  return result;
}
void check_limit(const std::filesystem::path& file) {
  const std::uint64_t needed = cost(file);
  CHECK(limited(file, needed) == "ok");
  CHECK(matches(limited(file, needed - 1), "limit: at least ... word operations are needed"));
}

std::string generated(const std::string& kind, std::size_t examples) {
  return test::sized_layer(1, 1, 1, 1, examples) + "[data]\ngenerate = { kind = \"" + kind +
         "\", shared_context = true, seed = 1 }\n" + test::claim("assumption-2");
}

/// So many claims about an array of a file.
std::string naming(const std::string& table, int claims) {
  std::string text = "format = 1\n";
  for (int k = 0; k < claims; ++k) text += test::claim("lemma-2", "c = 1\nvectors = { " + table + " }");
  return text;
}

TEST_CASE("drawing counts before it begins, and normal numbers count for what they take") {
  const Folder folder;
  const auto many = folder.write("many.toml", generated("normal-f64", 3'000'000));
  CHECK(matches(limited(many, 1'000'000), "limit: at least 3000"));  // 3 * 10^10
  const auto normal = folder.write("normal.toml", generated("normal-f64", 100));
  check_limit(normal);
  CHECK(cost(normal) > 100 * 5000);
  CHECK(cost(folder.write("uniform.toml", generated("uniform-f64", 100))) > 100 * 20);
  // Nothing is drawn, and nothing allocated, when the sum is beyond 64 bits.
  Generator generator;
  generator.kind = Generator::Kind::normal_f64;
  meter().limit_work(10'000);
  check_outcome("limit: at least 18446744073709551615 word operations", [&] {
    generator.draw({std::size_t{1} << 26, std::size_t{1} << 26}, 1);
  });
  meter().limit_work(0);
}

TEST_CASE("long numerals cost work") {
  const std::uint64_t before = meter().work_done();
  read_numeral("12");
  CHECK(meter().work_done() - before < 100);
  read_numeral("1e99999");
  CHECK(meter().work_done() - before > 100'000);
  meter().limit_work(1'000'000);
  const auto many = [](const char* text) {
    for (int i = 0; i < 100; ++i) read_numeral(text);
  };
  for (const char* const text : {"1e-100000", "0x1p100000", "0x1p-100000"})
    check_outcome("limit: at least ... word operations are needed", [&] { many(text); });
  const std::string digits(1'000'000, '7');
  check_outcome("limit: ", [&] { read_numeral(digits); });
  check_outcome("limit: ", [&] { read_numeral("1/" + digits); });
  meter().limit_work(0);
}

TEST_CASE("an array that many claims name is read, scanned and hashed once") {
  const Folder folder;
  const std::vector<float> entries(100'000, 0.5F);
  folder.write("x.npy", test::npy(test::npy_header("<f4", "(1000, 100)"), raw(entries)));
  folder.write("y.npz", test::zip({{"y.npy", test::npy(test::npy_header("<f2", "(1000, 100)"),
                                                       raw(std::vector<std::uint16_t>(100'000, 1)))}}));
  for (const char* const table : {"file = \"x.npy\"", "file = \"y.npz\", tensor = \"y\""}) {
    CAPTURE(std::string(table));
    const auto one = folder.write("one.toml", naming(table, 1)),
               many = folder.write("many.toml", naming(table, 20));
    check_limit(one);
    CHECK(cost(one) > 11 * entries.size());
    CHECK(cost(many) < cost(one) + cost(one) / 10);
    const Case c = read_case(many);
    CHECK(c.claims.front().array("vectors").at(99'999) == c.claims.back().array("vectors").at(99'999));
  }
}

TEST_CASE("the header of a file is parsed once") {
  const Folder folder;
  std::string header;
  for (int k = 0; k < 20'000; ++k)
    header += test::tensor("tensor-" + std::to_string(k), "F32", "[1,1]", 4 * static_cast<std::size_t>(k),
                           4 * static_cast<std::size_t>(k) + 4) +
              ",";
  header.back() = '}';
  folder.write("x.safetensors", test::safetensors("{" + header, std::string(80'000, '\0')));
  std::string text = "format = 1\n";
  for (int k = 0; k < 20; ++k) {
    if (k == 1) folder.write("one.toml", text);
    text += naming("file = \"x.safetensors\", tensor = \"tensor-" + std::to_string(k) + "\"", 1).substr(11);
  }
  check_limit(folder / "one.toml");
  CHECK(cost(folder / "one.toml") > 20 * header.size());
  CHECK(cost(folder.write("many.toml", text)) < cost(folder / "one.toml") * 11 / 10);
}

TEST_CASE("a file is looked at before it is copied, and copying counts") {
  const Folder folder;
  const std::string header = test::npy_header("<f4", "(1, 2)");
  const auto array = folder.write("x.npy", test::npy(header, raw(std::vector<float>{1, 2})));
  const auto file = folder.write("case.toml", naming("file = \"x.npy\"", 1));
  ReadOptions options;
  options.map_copies = true;
  CHECK(cost(file, options) < 20'000);
  std::filesystem::resize_file(array, std::uint64_t{3} << 30);  // sparse
  const std::uint64_t before = meter().work_done();
  check_outcome("input: ... x.npy: shape (1, 2) needs 8 bytes of data, but the file has 32212",
                [&] { read_case(file, options); });
  CHECK(meter().work_done() - before < 20'000);
  // What it holds is what it says: copied, by parts of 8 bytes.
  options.memory_limit = 1 << 20;
  const std::string large = "(1, 1000000)";
  folder.write("x.npy", test::npy(test::npy_header("<f4", large), std::string(4'000'000, '\0')));
  CHECK(cost(file, options) > 1'000'000 * 11 + 500'000);
}

}  // namespace
}  // namespace attest
