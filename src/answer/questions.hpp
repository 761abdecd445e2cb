// `attest rank`, `memorizes`, `accuracy`, `injective`, `capacity` and `assumptions`: questions about one's
// own arrays. They are put as a case file, so that the answer comes with a certificate like any other.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "answer/run_case.hpp"

namespace attest {

struct QuestionOptions {
  std::string contexts, queries, key, query, combined, key_bias,
      query_bias;                       ///< F: file.npy or file.safetensors:tensor
  std::string weights, layout, prefix;  ///< instead of key and query: a file, and how it stores them
  std::string projected_queries, projected_keys, logits;  ///< instead of queries and weights
  std::string hidden, positions;                          ///< instead of contexts and queries
  bool causal = false;
  std::string mask;
  std::string labels;
  std::string classes, epsilon;  ///< of accuracy
  std::string value, value_bias, output, output_bias, readout, readout_linear, readout_bias,
      skip_vectors;  ///< of accuracy
  bool skip = false;
  std::string threshold = "0.99";  ///< of saturation
  std::string tolerance;           ///< of numerical-rank
  std::string base = "e";
  std::string logit_scale;
  std::size_t heads = 0, head_dim = 0;  ///< 0: what the weights say, or (head_dim) d
  /// Folder for the case file, copies of the arrays that lie elsewhere, and the certificate; "-" prints the
  /// case file with the answers as comments; empty: nothing is kept.
  std::string out;
  bool json = false;
  std::string svg;                   ///< of rank, saturation and numerical-rank: a file for the picture
  unsigned jobs = 0;                 ///< threads of linear algebra; 0: all cores for a large Z, else 1
  bool progress = false;             ///< shown also where standard error is no terminal
  bool binary64 = false;             ///< of rank: beside it, what numpy would say
  bool after_heads = false;          ///< of rank: the ranks of the first h heads
  std::string rows, basis;           ///< of rank: only a block of rows ("a:b"), and the file for its basis
  std::vector<std::string> combine;  ///< of rank: the bases of all blocks
  CaseOptions each;
};

/// Gets the case file and the certificate of every answer, before a folder that is not kept disappears.
using AnswerObserver =
    std::function<void(const std::filesystem::path& case_file, const std::filesystem::path& certificate)>;
void on_answer(AnswerObserver observer);

int ask_rank(const QuestionOptions& options);
int ask_memorizes(const QuestionOptions& options);
int ask_saturation(const QuestionOptions& options);
int ask_numerical_rank(const QuestionOptions& options);
int ask_injective(const QuestionOptions& options);
int ask_accuracy(const QuestionOptions& options);
int ask_capacity(const QuestionOptions& options);
int ask_assumptions(const QuestionOptions& options);

}  // namespace attest
