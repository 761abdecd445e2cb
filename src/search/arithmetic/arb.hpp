// Arb: a part of FLINT 3, with its headers in that one's folder; beside FLINT 2.
#pragma once

#if __has_include(<flint/arb_mat.h>)
#include <flint/acb_mat.h>
#include <flint/arb_mat.h>
#else
#include <acb_mat.h>
#include <arb_mat.h>
#endif
