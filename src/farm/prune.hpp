// `attest verify --prune`: certificates whose case is gone.
#pragma once

#include <filesystem>
#include <ostream>

namespace attest {

/// Removes the certificates below a folder that name a case file which is not there any more, and says which.
/// Nothing else is touched: no file that is no certificate of attest's, nothing that a link leads to.
/// Throws InputError when one cannot be removed.
void prune(const std::filesystem::path& folder, std::ostream& says);

}  // namespace attest
