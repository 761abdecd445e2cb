// docs/certificate.schema.json describes the certificates that the checker accepts.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/checker/samples.hpp"

using namespace attest::test;

namespace {

constexpr int kNoPackage = 77;

/// Runs the validator on certificate files; its output goes to `list`.
int validate(const Bench& bench, const std::string& files, std::string& list) {
  const std::string output = (bench.folder() / "list.txt").string();
  const std::string command = "cd '" + bench.folder().string() +
                              "' && python3 -W ignore '" ATTEST_SOURCE_DIR
                              "/tests/checker/validate.py' '" ATTEST_SOURCE_DIR
                              "/docs/certificate.schema.json' " +
                              files + " > list.txt 2> /dev/null";
  const int status = WEXITSTATUS(std::system(command.c_str()));
  std::ifstream stream(output);
  list.assign(std::istreambuf_iterator<char>(stream), {});
  return status;
}

}  // namespace

TEST_CASE("the JSON Schema accepts the samples and rejects what has another shape") {
  const Bench bench;
  std::string list;
  const int first = validate(bench, "", list);
  if (first == kNoPackage || first == 127) {
    MESSAGE("python3 or its package jsonschema is missing: not tested");
    return;
  }
  REQUIRE(first == 0);
  std::string files;
  for (const Sample& each : samples()) {
    bench.write(bench.certificate(each), each.name + ".json");
    files += " " + each.name + ".json";
  }
  CHECK(validate(bench, files, list) == 0);
  CAPTURE(list);
  CHECK(std::count(list.begin(), list.end(), '\n') == static_cast<long>(samples().size()));

  // Shapes that the schema must refuse: an unknown key, a dropped one, null, a fraction, another type in
  // place of an object, array, number or truth value.
  std::size_t count = 0;
  files.clear();
  for (const char* name : {"opposite", "theorem", "dependent", "solutions"}) {
    std::size_t number = 0;
    mutate_every_field(bench.certificate(sample(name)), [&](const Json& mutant, const std::string& pointer,
                                                            const std::string& change) {
      const bool optional =
          pointer.find("/result/") != std::string::npos || pointer.find("/reason") != std::string::npos ||
          pointer.find("/separator") != std::string::npos || pointer.find("/solutions") != std::string::npos;
      const bool shape = change == "an unknown key" || change == "null" || change == "a fraction" ||
                         change == "a string" || change == "an array" || change == "an object" ||
                         (change == "dropped" && !optional);
      if (!shape || ++number % 29 != 0) return;
      const std::string file = "mutant" + std::to_string(count++) + ".json";
      bench.write(mutant, file);
      files += " " + file;
    });
  }
  CHECK(validate(bench, files, list) == 1);
  CHECK(count > 50);
  CHECK(list.find(" valid") == std::string::npos);
}
