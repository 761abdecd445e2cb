// `attest statements`: the tables of src/theory as text and as docs/statements.md.
#pragma once

#include <string>
#include <vector>

namespace attest {

std::vector<std::string> statement_names();
/// Each of these statements (of all, without names) with what it claims, its hypotheses, its arguments, and
/// what is executed.
std::string statements_text(const std::vector<std::string>& names = {});
/// docs/statements.md: the statements and the theorem schemas with their propositions.
std::string statements_markdown();
/// The table of docs/certificate.md: the rules with the keys of their steps.
std::string rules_markdown();

}  // namespace attest
