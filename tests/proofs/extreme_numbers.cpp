// Numbers at the ends of binary64 and far beyond: what the prover's balls, whose exponents have no limit,
// find, the checker's integers follow.
#include "tests/input/support.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

std::vector<Proof> certified_text(const std::string& text) {
  const Folder folder;
  return certified(read_case(folder.write("case.toml", "format = 1\n" + text)));
}

}  // namespace

TEST_CASE("a read-out of tokens near 2^-1000") {
  const std::vector<Proof> proofs = certified_text(R"([layer]
heads = 2
context = 1
embed_dim = 2
head_dim = 1
examples = 1
base = "2"
logit_scale = "-2/3"
[data]
contexts = [[["0x1p-1000", "0"]]]
queries = [["0", "1"]]
labels = [["-1e-300"]]
[[claim]]
statement = "skip-connection"
[[claim]]
statement = "theorem-1"
)");
  for (const Proof& proof : proofs) {
    CHECK(proof.verdict() == Verdict::verified);
    CHECK(proof.is("readout", 1));
  }
}

TEST_CASE("ranks for all large lambdas of tokens from 2^-1074 to 2^1024") {
  const std::vector<Proof> proofs = certified_text(R"([layer]
heads = 1
context = 2
embed_dim = 2
head_dim = 1
examples = 2
[data]
contexts = [[["-0x1p-1074", "0x1p-1074"], ["0x1p-1074", "0x1.fffffffffffffp1023"]], [["1", "0"], ["0", "-0x1p-1074"]]]
queries = [["0x1.fffffffffffffp1023", "0"], ["0", "0x1p-1074"]]
[[claim]]
statement = "finite-lambda"
)");
  CHECK(proofs[0].verdict() == Verdict::verified);
}

TEST_CASE("a network that scales vectors near 2^6000 down") {
  const std::vector<Proof> proofs = certified_text(R"([layer]
heads = 1
context = 2
embed_dim = 1
head_dim = 1
examples = 2
[data]
hidden = [[["0x1p6000"], ["0x1p6001"]], [["0x1p6001"], ["0x1p6001"]]]
positions = [1]
[[before]]
kind = "mlp"
activation = "relu"
residual = false
weight_1 = [["0x1p-6000"]]
weight_2 = [[1]]
[weights]
key = [[[1]]]
query = [[[1]]]
[[claim]]
statement = "saturation"
threshold = "2/3"
value = 1
[[claim]]
statement = "injective"
)");
  for (const Proof& proof : proofs) CHECK(proof.verdict() == Verdict::verified);
}

TEST_CASE("one token, or one row, of which nothing is known") {
  // Logits near 2^120000.
  const std::vector<Proof> proofs = certified_text(R"([layer]
heads = 1
context = 1
embed_dim = 1
head_dim = 1
examples = 1
[data]
hidden = [[["0x1p40000"]]]
positions = [0]
[[before]]
kind = "attention"
heads = 1
combined = [[["0x1p40000"]]]
[weights]
key = [[["0x1p40000"]]]
query = [[["-0x1p40000"]]]
[[claim]]
statement = "saturation"
threshold = "1/2"
value = 1
[[claim]]
statement = "injective"
)");
  for (const Proof& proof : proofs) CHECK(proof.verdict() == Verdict::verified);
}
