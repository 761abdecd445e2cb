// `attest statements`: the tables of src/statements as text and as docs/statements.md.
#pragma once

#include <string>

namespace attest {

/// Each statement, or the one of that name, with what it claims, its hypotheses, its arguments, and what is
/// executed; empty for another name.
std::string statements_text(const std::string& only = "");
/// docs/statements.md: the statements and the theorem schemas with their propositions.
std::string statements_markdown();

}  // namespace attest
