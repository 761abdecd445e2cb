// Integers and rationals of any length, mpz_class and mpq_class: GMP's, or those of cpp_int.hpp in programs
// that share no arithmetic with them.
#pragma once

#ifdef ATTEST_BOOST
#include "base/cpp_int.hpp"
#else
#include <gmpxx.h>
#endif
