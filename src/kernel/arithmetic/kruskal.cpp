#include "kernel/arithmetic/kruskal.hpp"

#include <algorithm>

#include "problem/generate.hpp"

namespace attest::kernel {
namespace {

bool zero(const WordMatrix& vectors, std::size_t i) {
  return std::all_of(vectors[i], vectors[i] + vectors.cols, [](Word x) { return x == 0; });
}

/// Vectors `first`, `first` + 1, ... modulo the span of vector `chosen` (not zero), without the pivot
/// coordinate.
WordMatrix quotient(const WordMatrix& vectors, std::size_t chosen, std::size_t first, Word p) {
  const Word* by = vectors[chosen];
  const std::size_t pivot =
      static_cast<std::size_t>(std::find_if(by, by + vectors.cols, [](Word x) { return x != 0; }) - by);
  const Word scale = inverse(by[pivot], p);
  WordMatrix result(vectors.rows - first, vectors.cols - 1);
  std::vector<Word> rest(by, by + vectors.cols);
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(pivot));
  for (std::size_t i = 0; i < result.rows; ++i) {
    const Word* from = vectors[first + i];
    std::copy(from, from + pivot, result[i]);
    std::copy(from + pivot + 1, from + vectors.cols, result[i] + pivot);
    if (from[pivot] != 0)
      subtract_multiple(result[i], rest.data(), result.cols, multiply(from[pivot], scale, p), p);
  }
  return result;
}

/// The size of the largest class of proportional non-zero vectors; `zeros` counts the zero vectors.
std::size_t largest_class(WordMatrix vectors, Word p, std::size_t& zeros) {
  // All leading entries are inverted together: prefix products, one inversion.
  std::vector<std::size_t> members;
  std::vector<Word> leading, prefix{1};
  for (std::size_t i = 0; i < vectors.rows; ++i) {
    if (zero(vectors, i)) continue;
    members.push_back(i);
    leading.push_back(*std::find_if(vectors[i], vectors[i] + vectors.cols, [](Word x) { return x != 0; }));
    prefix.push_back(multiply(prefix.back(), leading.back(), p));
  }
  zeros = vectors.rows - members.size();
  Word rest = inverse(prefix.back(), p);
  for (std::size_t m = members.size(); m-- > 0;) {
    const Word scale = multiply(rest, prefix[m], p);
    rest = multiply(rest, leading[m], p);
    Word* entries = vectors[members[m]];
    for (std::size_t j = 0; j < vectors.cols; ++j) entries[j] = multiply(entries[j], scale, p);
  }
  const auto less = [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(vectors[a], vectors[a] + vectors.cols, vectors[b],
                                        vectors[b] + vectors.cols);
  };
  std::sort(members.begin(), members.end(), less);
  std::size_t largest = 0, run = 0;
  for (std::size_t m = 0; m < members.size(); ++m) {
    run = m > 0 && !less(members[m - 1], members[m]) ? run + 1 : 1;
    largest = std::max(largest, run);
  }
  return largest;
}

/// Whether every subspace of this dimension that is spanned by some of the vectors holds at most `allowed` of
/// them (allowed >= dimension). Vectors before `start` are not chosen again. A subspace is visited through
/// its first basis in the order of the indices only: a choice is skipped when an earlier vector falls into
/// the span with it.
bool subspaces_hold_at_most(const WordMatrix& vectors, std::size_t start, std::size_t dimension,
                            std::size_t allowed, Word p) {
  if (dimension <= 1) {
    std::size_t zeros = 0;
    const std::size_t largest = largest_class(vectors, p, zeros);
    return zeros + (dimension == 1 ? largest : 0) <= allowed;
  }
  // Where only the basis itself is allowed, what was chosen and all before it need not be looked at again.
  const bool tight = dimension == allowed;
  for (std::size_t chosen = start; chosen < vectors.rows; ++chosen) {
    if (zero(vectors, chosen)) {
      if (tight) return false;
      continue;
    }
    const std::size_t first = tight ? chosen + 1 : 0;
    const WordMatrix next = quotient(vectors, chosen, first, p);
    bool visited = false;
    for (std::size_t i = first; i < chosen && !visited; ++i) visited = zero(next, i) && !zero(vectors, i);
    if (!visited &&
        !subspaces_hold_at_most(next, tight ? 0 : chosen + 1, dimension - 1, allowed - (tight ? 1 : 0), p))
      return false;
  }
  return true;
}

/// Images in k coordinates under a pseudo-random linear map.
WordMatrix images(const WordMatrix& vectors, std::size_t k, Word p) {
  SplitMix64 random(0, 0);
  WordMatrix map(vectors.cols, k), result(vectors.rows, k);
  for (Word& entry : map.data) entry = random.below(p);
  for (std::size_t t = 0; t < vectors.rows; ++t) {
    for (std::size_t j = 0; j < vectors.cols; ++j) {
      if (vectors[t][j] != 0) subtract_multiple(result[t], map[j], k, vectors[t][j], p);
    }
  }
  return result;
}

}  // namespace

bool subsets_independent(const WordMatrix& vectors, std::size_t k, Word p, bool dual) {
  if (k == vectors.rows && p < kBlockedLimit) {  // one subset: 11 times as fast for 600 vectors
    Matrix all(vectors.rows, vectors.cols);
    std::copy(vectors.data.begin(), vectors.data.end(), all.data.begin());
    return rows_independent(std::move(all), p);
  }
  // Independent images are those of independent vectors, and are shorter: 2.8 times as fast for
  // cases/kruskal-rank/too-many-subsets.
  if (!dual && k > 0 && k < vectors.cols && subspaces_hold_at_most(images(vectors, k, p), 0, k - 1, k - 1, p))
    return true;
  // The reduced echelon form of the transposed matrix holds, column by column, the coordinates of the vectors
  // in the basis of those at the pivots. Each other vector f has a relation with y_f = 1.
  const std::size_t T = vectors.rows;
  WordMatrix echelon(vectors.cols, T);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t j = 0; j < vectors.cols; ++j) echelon[j][t] = vectors[t][j];
  }
  const std::vector<std::size_t> pivots = reduced_echelon(echelon, p);
  const std::size_t rank = pivots.size();
  if (k > rank) return false;
  if (k == 0 || rank == T) return true;
  WordMatrix coordinates(T, rank), kernel(T, T - rank);
  for (std::size_t f = 0, column = 0; f < T; ++f) {
    for (std::size_t i = 0; i < rank; ++i) coordinates[f][i] = echelon[i][f];
    if (std::binary_search(pivots.begin(), pivots.end(), f)) continue;
    kernel[f][column] = 1;
    for (std::size_t i = 0; i < rank; ++i)
      kernel[pivots[i]][column] = echelon[i][f] == 0 ? 0 : p - echelon[i][f];
    ++column;
  }
  return dual ? subspaces_hold_at_most(kernel, 0, T - rank - 1, T - k - 1, p)
              : subspaces_hold_at_most(coordinates, 0, k - 1, k - 1, p);
}

}  // namespace attest::kernel
