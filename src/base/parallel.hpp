// Loops over independent pieces on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace attest {

/// Threads of parallel loops from here on, at most 64; 1 at the start. Not while one runs.
void use_threads(std::size_t count) noexcept;
std::size_t threads() noexcept;
/// The cores that this process may use.
std::size_t all_cores() noexcept;
/// Whether this is within a piece of a loop. Loops in there have one thread.
bool within_piece() noexcept;

/// Calls piece(k) for k = 0 .. count - 1, each once, on as many threads as are worth it, of which this is
/// one. They are started here and have ended afterwards, so that forking stays safe. `cost` is what all
/// pieces take together, roughly, in operations of the meter. Pieces write to places of their own; then the
/// result is the same for any number of threads. Throws what the first of the pieces throws that throws
/// anything; of those after it some are left out. A limit on work that is hit within a piece says one
/// operation more than the limit. A single piece is a call as any other.
void in_parallel(std::size_t count, std::size_t cost, const std::function<void(std::size_t k)>& piece);

/// The same for ranges that together are 0 .. count - 1, one for each thread.
void in_ranges(std::size_t count, std::size_t cost,
               const std::function<void(std::size_t first, std::size_t end)>& range);

}  // namespace attest
