#pragma once
#include <string>
#include "input/case_file.hpp"
namespace attest { inline std::string problem_digest(const Case&) { return "stub"; } }
