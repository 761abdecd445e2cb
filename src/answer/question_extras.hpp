// What a question shows beside its answer: floating point, ranks of the first heads, dependent examples, and
// a picture. Nothing is decided by it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "answer/questions.hpp"

namespace attest {

/// Adds to the first of the claims, as printed by --json, what the options ask for, "dependent_examples" when
/// the rank is known and some examples depend on others, and writes the picture of --svg. `certificate`: the
/// text of the answer's, `examples`: T. Throws InputError and LimitError.
void add_extras(const QuestionOptions& options, const std::filesystem::path& case_file, std::size_t examples,
                const std::string& certificate, Json& claims);

/// The same as lines of text.
std::vector<std::string> extras_text(const Json& claim);

}  // namespace attest
