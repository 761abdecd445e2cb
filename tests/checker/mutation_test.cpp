// Systematic mutation of the hand-made certificates.
#include <doctest/doctest.h>

#include "tests/checker/mutate.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("the mutations themselves") {
  const Json original = Json::parse(R"({"a": [1, "2"], "b": true})");
  std::size_t count = 0, roots = 0;
  mutate_every_field(original,
                     [&](const Json& mutant, const std::string& pointer, const std::string& change) {
                       CHECK(mutant != original);
                       CHECK_FALSE(change.empty());
                       ++count;
                       if (pointer.empty()) ++roots;
                     });
  CHECK(roots == 3);  // an unknown key, an array, null
  CHECK(count >= 30);
}

TEST_CASE("every mutant is rejected, unless it is another proof of the same claims") {
  std::size_t all = 0, accepted = 0, informative = 0;
  for (const Sample& each : samples()) {
    const Bench bench;
    const Json original = bench.certificate(each);
    mutate_every_field(
        original, [&](const Json& mutant, const std::string& pointer, const std::string& change) {
          // The rest of this sample is that of "opposite".
          if (each.name == "solutions" && pointer.find("/solutions") == std::string::npos) return;
          ++all;
          const std::string verdict = bench.check(mutant);
          if (verdict.rfind("valid", 0) != 0) return;
          CAPTURE(each.name);
          CAPTURE(pointer);
          CAPTURE(change);
          CHECK(is_free_choice(pointer, change));
          const bool text = pointer == "/attest" || pointer.find("/reason") != std::string::npos;
          ++(text ? informative : accepted);
        });
  }
  MESSAGE(all, " mutants: ", all - accepted - informative, " rejected, ", informative,
          " differ in informative text, ", accepted, " are other proofs of the same claims");
  CHECK(all > 5000);
  CHECK(accepted * 20 < all);
}

TEST_CASE("bytes that are damaged never crash the checker") {
  const Bench bench;
  const std::string bytes = bench.certificate(sample("opposite")).dump();
  std::uint64_t state = 1;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = bytes;
    for (int k = 0; k <= i % 3; ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      damaged[(state >> 20) % damaged.size()] = static_cast<char>(state >> 56);
    }
    if (i % 7 == 0) damaged.resize((state >> 20) % damaged.size());
    bench.check_bytes(damaged);  // throws when status and verdict line disagree
  }
}
