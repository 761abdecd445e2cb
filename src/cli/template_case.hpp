#pragma once

#include <string>

namespace attest {

/// A commented case file that runs as it is.
std::string template_case();
/// Writes it, refusing to overwrite a file (InputError).
void write_template(const std::string& file);

}  // namespace attest
