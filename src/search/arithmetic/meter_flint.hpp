// FLINT's memory on the meter.
#pragma once

namespace attest {

/// From here on what FLINT and Arb allocate is on the meter, and ends where GMP's does (input/meter.hpp).
/// What they have allocated before must have come from malloc.
void meter_flint();

}  // namespace attest
