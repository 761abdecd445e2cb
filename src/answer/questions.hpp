// Question -> Answer: what the command line and the Python module both call. A question is put as a case, so
// that its answer comes with a certificate like any other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "answer/question_case.hpp"

namespace attest {

struct Answer {
  Json claims = Json::array();     ///< as --json prints them
  std::vector<std::string> words;  ///< each of them for people, in one line or several
  std::vector<std::string> notes;  ///< what the answer takes for granted
  /// (sequence, position) of each example; empty where no hidden vectors were given.
  std::vector<std::pair<std::size_t, std::size_t>> examples;
  std::string case_file, certificate;  ///< their texts
  std::filesystem::path path;          ///< where the certificate is kept; empty when it is not
  /// What was asked for beside the answer and cannot be had: one line; usually empty.
  std::string trouble = {};
  int status = kAsExpected;  ///< 3 when something is undecided; that of the trouble when there is some
};

/// A question as a case that was read, and what its answer takes for granted.
struct QuestionCase {
  CaseValues values;
  Case c;
  std::vector<std::string> notes;
};
/// Reads the arrays, and chooses the tolerance of a numerical rank without one. Throws InputError and
/// LimitError.
QuestionCase put(const Question& question);

/// What was asked and what was found by this claim of the case, whose reports these are: for people. A number
/// that nobody claimed is not verified, but proved.
std::string answer_text(const Question& question, const Case& c, std::size_t index, const Json& claims);

/// Reads, proves, and keeps what is to be kept. Limits this process: it has no other question to answer.
/// Throws InputError, LimitError, Rejected, and std::bad_alloc.
Answer ask(const Question& question);

}  // namespace attest
