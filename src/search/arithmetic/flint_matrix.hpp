// Owning wrappers of FLINT matrices, for the implementation files of this folder.
#pragma once

#include <flint/fmpz_mat.h>
#include <gmpxx.h>

#include "search/arithmetic/flint.hpp"
#include "search/arithmetic/rational.hpp"

namespace attest {

class FlintMatrix {
public:
  FlintMatrix(std::size_t rows, std::size_t cols) {
    fmpz_mat_init(m_, static_cast<slong>(rows), static_cast<slong>(cols));
  }
  ~FlintMatrix() { fmpz_mat_clear(m_); }
  FlintMatrix(const FlintMatrix&) = delete;
  FlintMatrix& operator=(const FlintMatrix&) = delete;

  fmpz_mat_struct* get() { return m_; }
  const fmpz_mat_struct* get() const { return m_; }
  void set(std::size_t i, std::size_t j, const mpz_class& v) {
    fmpz_set_mpz(fmpz_mat_entry(m_, i, j), v.get_mpz_t());
  }
  mpz_class at(std::size_t i, std::size_t j) const {
    mpz_class v;
    fmpz_get_mpz(v.get_mpz_t(), fmpz_mat_entry(m_, i, j));
    return v;
  }

private:
  fmpz_mat_t m_;
};

}  // namespace attest
