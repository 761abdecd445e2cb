// Variables of FLINT and Arb that release what they hold, for implementation files.
#pragma once

#include "search/arithmetic/flint.hpp"

namespace attest {

/// A variable that passes for the pointers that their functions take: `Owned<fmpz, fmpz_init, fmpz_clear>`.
template <class T, void (*init)(T*), void (*clear)(T*)>
class Owned {
public:
  Owned() { init(&value_); }
  ~Owned() { clear(&value_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  operator T*() { return &value_; }
  operator const T*() const { return &value_; }
  T* operator->() { return &value_; }

private:
  T value_;
};
using OwnedInteger = Owned<fmpz, fmpz_init, fmpz_clear>;
using OwnedRational = Owned<fmpq, fmpq_init, fmpq_clear>;
using OwnedFloat = Owned<arf_struct, arf_init, arf_clear>;
using OwnedMagnitude = Owned<mag_struct, mag_init, mag_clear>;

}  // namespace attest
