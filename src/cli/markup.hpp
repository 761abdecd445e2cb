#pragma once

#include <string>

namespace attest {

/// Text for HTML and XML, in elements and quoted attributes; control characters become blanks.
std::string escaped(const std::string& text);

}  // namespace attest
