#include "readers/numerals.hpp"

#include <cmath>

#include "base/meter.hpp"
#include "problem/numbers.hpp"

namespace attest {

mpq_class read_numeral(std::string_view text) {
  // Converting n words takes about n^(3/2) steps, between one pass and a schoolbook multiplication; so does
  // the power of ten of an exponent, of which only the result tells.
  const auto charge = [](std::size_t words) {
    meter().work(words * static_cast<std::uint64_t>(std::sqrt(static_cast<double>(words)) + 1));
  };
  charge(text.size() / 16 + 1);
  mpq_class value = parse_number(text);
  charge((rational_bytes(value) - sizeof value) / sizeof(mp_limb_t));
  return value;
}

std::size_t rational_bytes(const mpq_class& value) {
  return sizeof(mpq_class) +
         sizeof(mp_limb_t) * (mpz_size(value.get_num_mpz_t()) + mpz_size(value.get_den_mpz_t()));
}

}  // namespace attest
