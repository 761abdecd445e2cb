// The limit on the memory of attest-check. Nothing of the kernel knows of it.
#pragma once

#include <cstdint>

namespace attest::kernel {

/// Limits the memory of this process to so many bytes, beside its stacks and buffers: beyond them operator
/// new throws a std::bad_alloc that says so, and what a library cannot get ends the process, with status 3.
void limit_process_memory(std::uint64_t bytes);

}  // namespace attest::kernel
