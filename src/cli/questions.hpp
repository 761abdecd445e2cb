// `attest rank` and `attest assumptions`: questions about one's own arrays. They are put as a case file, so that the answer comes with a
// certificate like any other.
#pragma once

#include <string>

#include "cli/verify.hpp"

namespace attest {

struct QuestionOptions {
  std::string contexts, queries, key, query, combined, key_bias, query_bias;  ///< F: file.npy or file.safetensors:tensor
  std::string base = "e";
  std::string logit_scale;
  std::size_t heads = 0, head_dim = 0;  ///< needed when there are no weights
  std::string out;                      ///< folder for the case file and its certificate; empty: neither is kept
  bool json = false;
};

int ask_rank(const QuestionOptions& options);
int ask_assumptions(const QuestionOptions& options);

}  // namespace attest
