// The command line of attest-check.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "tests/checker/samples.hpp"

using namespace attest::test;

namespace {

struct Run {
  int status;
  std::string out, err;
};

std::string slurp(const std::filesystem::path& file) {
  std::string text;
  if (std::FILE* stream = std::fopen(file.c_str(), "rb")) {
    for (int c = std::fgetc(stream); c != EOF; c = std::fgetc(stream)) text += static_cast<char>(c);
    std::fclose(stream);
  }
  return text;
}

Run run(const Bench& bench, const std::string& arguments) {
  const std::string command = "cd '" + bench.folder().string() +
                              "' && '" ATTEST_BINARY_DIR "/attest-check' " + arguments +
                              " > out.txt 2> err.txt";
  const int code = std::system(command.c_str());
  return {WEXITSTATUS(code), slurp(bench.folder() / "out.txt"), slurp(bench.folder() / "err.txt")};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("attest-check" * doctest::skip(!std::filesystem::exists(ATTEST_BINARY_DIR "/attest-check"))) {
  const Bench bench;
  Json certificate = bench.certificate(sample("moment"));
  bench.write(certificate, "good.json");
  certificate["claims"][0]["steps"][0]["k"] = 4;
  bench.write(certificate, "bad.json");

  Run result = run(bench, "good.json");
  CHECK(result.status == 0);
  CHECK(result.out == "good.json: valid (4 claims: 4 verified)\n");
  CHECK(result.err.empty());

  result = run(bench, "bad.json good.json");
  CHECK(result.status == 1);
  CHECK(contains(
      result.out,
      "bad.json: REJECTED: claim 0 (kruskal-rank), step 0 (kruskal-lower): expected independent queries"));
  CHECK(contains(result.out, "good.json: valid"));
  CHECK(contains(result.err, "bad.json: REJECTED"));

  CHECK(run(bench, "good.json --max-subsets 1").status == 3);
  CHECK(run(bench, "good.json missing.json").status == 2);
  CHECK(contains(run(bench, "--verbose good.json").out, "kruskal-lower"));
  CHECK(run(bench, "--help").status == 0);
  CHECK(contains(run(bench, "--help").out, "--elimination-limit"));
  CHECK(contains(run(bench, "--version").out, "attest-certificate/1"));
  CHECK(run(bench, "").status == 2);
  CHECK(run(bench, "--no-such-option good.json").status == 2);
  CHECK(run(bench, "--max-subsets x good.json").status == 2);
  CHECK(run(bench, "--deterministic --probabilistic good.json").status == 2);
  CHECK(run(bench, "--probabilistic good.json").status == 0);
  CHECK(run(bench, "--deterministic good.json").status == 0);

  std::filesystem::create_directory(bench.folder() / "moved");
  std::filesystem::rename(bench.folder() / "case.toml", bench.folder() / "moved/case.toml");
  CHECK(run(bench, "good.json").status == 2);
  CHECK(run(bench, "good.json --case moved/case.toml").status == 0);
  CHECK(run(bench, "good.json good.json --case moved/case.toml").status == 2);
}
