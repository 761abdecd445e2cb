// `attest survey`: every layer of a model, whose arrays a folder holds, and every question about it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "answer/run_case.hpp"

namespace attest {

struct SurveyOptions {
  std::string folder, out = "survey";
  std::vector<std::string> layers;                         ///< their names; empty: all of the folder
  std::vector<std::string> ask;                            ///< questions; empty: all of surveyed_questions()
  std::vector<std::pair<std::string, std::string>> given;  ///< arguments, for all layers that have no own
  unsigned jobs = 1;
  bool progress = false;
  CaseOptions each;
};

const std::vector<std::string>& surveyed_questions();

struct Survey {
  Json json;  ///< what survey.json says
  int status = kAsExpected;
  std::size_t questions = 0, unchanged = 0;  ///< how many there were, and had a valid certificate before
};
/// Answers what has no valid certificate in `out` yet, and writes survey.json and survey.html there. A layer
/// that cannot be read does not stop the others. Throws InputError.
Survey survey(const SurveyOptions& options);

/// The same and prints it; returns the exit status.
int survey_and_print(const SurveyOptions& options);

/// The page, from what survey.json says.
std::string survey_page(const Json& survey);

}  // namespace attest
