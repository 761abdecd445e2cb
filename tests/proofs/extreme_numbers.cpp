// Numbers at the ends of binary64 and far beyond: what the prover's balls, whose exponents have no limit,
// find, the checker's integers follow.
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("numbers at the ends of binary64 and far beyond") {
  const struct {
    const char *name, *quantity;  // which is 1
    std::string toml;
  } rows[] = {
      {"a read-out of tokens near 2^-1000", "readout", sized_layer(2, 1, 2, 1, 1) + R"(base = "2"
logit_scale = "-2/3"
[data]
contexts = [[["0x1p-1000", "0"]]]
queries = [["0", "1"]]
labels = [["-1e-300"]]
)" + claim("skip-connection") + claim("theorem-1")},
      {"ranks for all large lambdas of tokens from 2^-1074 to 2^1024", "",
       sized_layer(1, 2, 2, 1, 2) + R"([data]
contexts = [[["-0x1p-1074", "0x1p-1074"], ["0x1p-1074", "0x1.fffffffffffffp1023"]], [["1", "0"], ["0", "-0x1p-1074"]]]
queries = [["0x1.fffffffffffffp1023", "0"], ["0", "0x1p-1074"]]
)" + claim("finite-lambda")},
      {"a network that scales vectors near 2^6000 down", "", sized_layer(1, 2, 1, 1, 2) + R"([data]
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
)" + claim("saturation", "threshold = \"2/3\"\nvalue = 1") + claim("injective")},
      {"one token, or one row, of which nothing is known: logits near 2^120000", "",
       sized_layer(1, 1, 1, 1, 1) + R"([data]
hidden = [[["0x1p40000"]]]
positions = [0]
[[before]]
kind = "attention"
heads = 1
combined = [[["0x1p40000"]]]
[weights]
key = [[["0x1p40000"]]]
query = [[["-0x1p40000"]]]
)" + claim("saturation", "threshold = \"1/2\"\nvalue = 1") +
           claim("injective")},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    for (const Proof& proof : certified(read(row.toml))) {
      CHECK(proof.verdict() == Verdict::verified);
      if (*row.quantity != '\0') CHECK(proof.is(row.quantity, 1));
    }
  }
}
