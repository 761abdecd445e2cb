// FLINT 2 and 3, and Arb: a part of FLINT 3, with its headers in that one's folder; beside FLINT 2.
#pragma once

// GMP before FLINT, which declares conversions to its numbers only then.
// clang-format off
#include <gmpxx.h>
// clang-format on

#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <flint/fmpz_poly.h>
#include <flint/nmod.h>
#include <flint/nmod_vec.h>
#if __has_include(<flint/arb_mat.h>)
#include <flint/acb.h>
#include <flint/acb_mat.h>
#include <flint/arb.h>
#include <flint/arb_mat.h>
#include <flint/arf.h>
#include <flint/mag.h>
#else
#include <acb_mat.h>
#include <arb_mat.h>
#endif
