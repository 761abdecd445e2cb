// The heap of a program, with what only Linux and its C library have (linux.hpp).
#pragma once

namespace attest::system {

/// Keeps blocks of a few MB in the heap, before the program allocates any.
void prepare_heap();

}  // namespace attest::system
