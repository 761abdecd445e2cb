// `attest statements`: the tables of src/statements as text and as docs/statements.md.
#pragma once

#include <string>

namespace attest {

/// Each statement with what it claims, its hypotheses, its arguments, and what is executed.
std::string statements_text();
/// docs/statements.md: the statements and the theorem schemas with their propositions.
std::string statements_markdown();

}  // namespace attest
