#include "checker/kruskal.hpp"

#include <algorithm>
#include <string>

#include "input/errors.hpp"

namespace attest::checker {
namespace {

/// Vectors of equal length, stored together because a search makes a new list at every node.
struct Vectors {
  std::size_t count, width;
  std::vector<Word> data;
  Word* operator[](std::size_t i) { return data.data() + i * width; }
  const Word* operator[](std::size_t i) const { return data.data() + i * width; }
  bool zero(std::size_t i) const {
    return std::all_of((*this)[i], (*this)[i] + width, [](Word x) { return x == 0; });
  }
};

Vectors pack(const Matrix& rows) {
  Vectors packed{rows.size(), rows.empty() ? 0 : rows.front().size(), {}};
  for (const Row& row : rows) packed.data.insert(packed.data.end(), row.begin(), row.end());
  return packed;
}

/// Vectors `first`, `first` + 1, ... modulo the span of vector `chosen` (not zero), without the pivot
/// coordinate.
Vectors quotient(const Vectors& vectors, std::size_t chosen, std::size_t first, Word p) {
  const Word* by = vectors[chosen];
  std::size_t pivot = 0;
  while (by[pivot] == 0) ++pivot;
  const Word scale = inverse(by[pivot], p);
  const std::size_t width = vectors.width - 1;
  Vectors result{vectors.count - first, width, std::vector<Word>((vectors.count - first) * width)};
  std::vector<Word> rest(by, by + vectors.width);
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(pivot));
  for (std::size_t i = 0; i < result.count; ++i) {
    const Word* from = vectors[first + i];
    Word* to = result[i];
    std::copy(from, from + pivot, to);
    std::copy(from + pivot + 1, from + vectors.width, to + pivot);
    if (from[pivot] != 0) subtract_multiple(to, rest.data(), width, multiply(from[pivot], scale, p), p);
  }
  return result;
}

/// The size of the largest class of proportional non-zero vectors; `zeros` counts the zero vectors.
std::size_t largest_class(Vectors vectors, Word p, std::size_t& zeros) {
  // All leading entries are inverted together: prefix products, one inversion.
  std::vector<std::size_t> members;
  std::vector<Word> leading, prefix{1};
  for (std::size_t i = 0; i < vectors.count; ++i) {
    if (vectors.zero(i)) continue;
    members.push_back(i);
    leading.push_back(*std::find_if(vectors[i], vectors[i] + vectors.width, [](Word x) { return x != 0; }));
    prefix.push_back(multiply(prefix.back(), leading.back(), p));
  }
  zeros = vectors.count - members.size();
  Word rest = inverse(prefix.back(), p);
  for (std::size_t m = members.size(); m-- > 0;) {
    const Word scale = multiply(rest, prefix[m], p);
    rest = multiply(rest, leading[m], p);
    Word* entries = vectors[members[m]];
    for (std::size_t j = 0; j < vectors.width; ++j) entries[j] = multiply(entries[j], scale, p);
  }
  const auto less = [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(vectors[a], vectors[a] + vectors.width, vectors[b],
                                        vectors[b] + vectors.width);
  };
  std::sort(members.begin(), members.end(), less);
  std::size_t largest = 0, run = 0;
  for (std::size_t m = 0; m < members.size(); ++m) {
    run = m > 0 && !less(members[m - 1], members[m]) ? run + 1 : 1;
    largest = std::max(largest, run);
  }
  return largest;
}

/// Whether every k of the vectors are independent. Precondition: k <= count.
bool independent(const Vectors& vectors, std::size_t k, Word p, Work& work) {
  work.spend(1);
  if (k == 0) return true;
  if (k > vectors.width) return false;
  if (k <= 2) {
    std::size_t zeros = 0;
    const std::size_t largest = largest_class(vectors, p, zeros);
    return zeros == 0 && (k == 1 || largest == 1);
  }
  for (std::size_t first = 0; first + k <= vectors.count; ++first) {
    if (vectors.zero(first)) return false;
    if (!independent(quotient(vectors, first, first + 1, p), k - 1, p, work)) return false;
  }
  return true;
}

/// Whether every subspace of codimension 1 that is spanned by the vectors (which span everything) holds at
/// most `allowed`. Vectors before `start` are not chosen again. A subspace is visited through its first basis
/// in the order of the indices only: a choice is skipped when an earlier vector falls into the span with it.
bool hyperplanes_hold_at_most(const Vectors& vectors, std::size_t start, std::size_t allowed, Word p,
                              Work& work) {
  work.spend(1);
  std::size_t zeros = 0;
  if (vectors.width <= 2) {
    const std::size_t largest = largest_class(vectors, p, zeros);
    return zeros + (vectors.width == 2 ? largest : 0) <= allowed;
  }
  for (std::size_t chosen = start; chosen < vectors.count; ++chosen) {
    if (vectors.zero(chosen)) continue;
    const Vectors next = quotient(vectors, chosen, 0, p);
    bool visited = false;
    for (std::size_t i = 0; i < chosen && !visited; ++i) visited = next.zero(i) && !vectors.zero(i);
    if (!visited && !hyperplanes_hold_at_most(next, chosen + 1, allowed, p, work)) return false;
  }
  return true;
}

}  // namespace

void Work::spend(std::uint64_t amount) {
  spent_ += amount;
  if (spent_ > limit_) {
    throw LimitError(std::string(what_) + " exceeds the limit of " + std::to_string(limit_) + "; " + option_ +
                     " raises it");
  }
}

bool subsets_independent(const Matrix& vectors, std::size_t k, Word p, Work& work) {
  // Only the coordinates in a column basis matter: the others are fixed combinations of them.
  Matrix echelon = vectors;
  const std::vector<std::size_t> basis = reduced_echelon(echelon, p);
  Matrix projected;
  for (const Row& row : vectors) {
    projected.emplace_back();
    for (std::size_t col : basis) projected.back().push_back(row[col]);
  }
  return independent(pack(projected), k, p, work);
}

bool subsets_independent_dual(const Matrix& vectors, std::size_t k, Word p, Work& work) {
  // The left kernel: y with sum_t y_t vectors[t] = 0, from the echelon form of the transposed matrix. Column
  // f without a pivot gives the kernel vector with y_f = 1; `kernel` holds one row for each t.
  const std::size_t count = vectors.size();
  Matrix transposed(vectors.empty() ? 0 : vectors.front().size(), Row(count));
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t j = 0; j < transposed.size(); ++j) transposed[j][t] = vectors[t][j];
  }
  const std::vector<std::size_t> pivots = reduced_echelon(transposed, p);
  const std::size_t dimension = count - pivots.size();
  if (dimension == 0) return true;  // all vectors together are independent
  if (count == k) return false;
  Vectors kernel{count, dimension, std::vector<Word>(count * dimension, 0)};
  std::size_t column = 0;
  for (std::size_t f = 0; f < count; ++f) {
    if (std::find(pivots.begin(), pivots.end(), f) != pivots.end()) continue;
    kernel[f][column] = 1;
    for (std::size_t i = 0; i < pivots.size(); ++i) {
      kernel[pivots[i]][column] = transposed[i][f] == 0 ? 0 : p - transposed[i][f];
    }
    ++column;
  }
  return hyperplanes_hold_at_most(kernel, 0, count - k - 1, p, work);
}

}  // namespace attest::checker
