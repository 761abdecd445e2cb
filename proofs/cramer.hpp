// Cramer's rule for rows of Z over a ring of sums of powers.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

namespace attest {

/// The relation of rows of which any rows.size() - 1 are independent in these columns: sum_k y_k (row rows[k]
/// of Z) = 0. `Z` has H, d, sums and numerators, whose quotients are the entries, and products, which it may
/// refuse.
template <class Z>
auto cramer_relation(Z& z, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) {
  using Sum = decltype(z.one());
  std::vector<std::size_t> heads;
  for (const std::size_t col : cols)
    if (std::find(heads.begin(), heads.end(), col / z.d) == heads.end()) heads.push_back(col / z.d);
  const auto all_but = [&](std::size_t t, std::size_t head) {  // a product of sums
    Sum result = z.one();
    for (const std::size_t h : heads)
      if (h != head) result = z.product(result, z.sum(t, h));
    return result;
  };
  // Minors of the first k columns, by sets of k rows.
  std::map<std::size_t, Sum> minors = {{0, z.one()}};
  for (const std::size_t col : cols) {
    std::map<std::size_t, Sum> larger;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Sum entry = z.product(z.numerator(rows[k], col / z.d, col % z.d), all_but(rows[k], col / z.d));
      for (const auto& [set, minor] : minors) {
        if ((set >> k & 1) != 0) continue;
        const bool odd = (std::popcount(set >> k) & 1) != 0;  // members after k
        z.add(larger[set | std::size_t{1} << k], z.product(entry, minor), odd);
      }
    }
    minors = std::move(larger);
  }
  std::vector<Sum> y(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t others = ((std::size_t{1} << rows.size()) - 1) ^ (std::size_t{1} << k);
    z.add(y[k], z.product(minors[others], all_but(rows[k], z.H)), k % 2 == 1);
  }
  return y;
}

}  // namespace attest
