// Merkle trees as in RFC 6962, section 2.1: one digest that commits to a list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// SHA-256 of a byte 0 and the bytes. The byte keeps leaves and nodes apart, so that no tree has the root of
/// another one with fewer or more leaves.
std::string merkle_leaf(std::string_view bytes);

/// The root over leaves in their order: SHA-256 of a byte 1 and both halves; of nothing, that of no bytes.
/// Leaves and root are 64 lower-case hexadecimal digits.
std::string merkle_root(std::vector<std::string> leaves);

}  // namespace attest
