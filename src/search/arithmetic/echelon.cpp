#include "search/arithmetic/echelon.hpp"

#include <algorithm>

#include "problem/generate.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/residues.hpp"

namespace attest {
namespace {

// Rows that are eliminated together: one product of binary64 matrices needs no reduction in between for p
// below 2^23 (BalancedReduction::terms).
constexpr std::size_t kPanel = 512;
// Rows of which pivots are searched for together, on one thread: with all of a panel 16 threads are 5.7 times
// as fast as one (rank, T = 6133).
constexpr std::size_t kPivots = 128;

// 0 .. count - 1 without the listed ones.
std::vector<std::size_t> others(const std::vector<std::size_t>& listed, std::size_t count) {
  std::vector<bool> is_listed(count);
  for (std::size_t k : listed) is_listed[k] = true;
  std::vector<std::size_t> result;
  result.reserve(count - listed.size());
  for (std::size_t k = 0; k < count; ++k)
    if (!is_listed[k]) result.push_back(k);
  return result;
}

std::vector<std::size_t> picked(const std::vector<std::size_t>& list, const std::vector<std::size_t>& at) {
  std::vector<std::size_t> result;
  result.reserve(at.size());
  for (std::size_t k : at) result.push_back(list[k]);
  return result;
}

// The listed columns of an m x n matrix with leading dimension ld.
std::vector<double> columns(const double* a, std::size_t ld, std::size_t m,
                            const std::vector<std::size_t>& cols) {
  std::vector<double> result(m * cols.size());
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < cols.size(); ++k) result[i * cols.size() + k] = a[i * ld + cols[k]];
  return result;
}

bool leading(const std::vector<std::size_t>& positions) {
  for (std::size_t k = 0; k < positions.size(); ++k)
    if (positions[k] != k) return false;
  return true;
}

}  // namespace

Echelon::Echelon(std::uint64_t p, std::size_t width) : p_(p), width_(width), free_(range(0, width)) {
  (void)BalancedReduction(p);  // checks p
}

void Echelon::append(Block block, std::vector<std::size_t> positions) {
  free_ = picked(free_, others(positions, free_.size()));
  blocks_.push_back(std::move(block));
  positions_.push_back(std::move(positions));
}

void Echelon::add_rows(double* rows, std::span<const std::size_t> names, bool last) {
  for (std::size_t first = 0, count = 0; first < names.size() && !free_.empty(); first += count) {
    const std::size_t left = names.size() - first;
    const bool end = last && left <= kPanel;
    count = end ? left : std::min(kPanel, left);
    add_panel(rows + first * width_, names.subspan(first, count), end);
  }
}

// Rows minus what makes their entries at the block's pivots 0; without these columns, in the same memory.
Echelon::Rows Echelon::without_pivots(std::size_t b, Rows rows) const {
  const std::size_t r = blocks_[b].rows.size(), w = rows.width - r;
  const std::vector<double> at_pivots = columns(rows.begin, width_, rows.count, positions_[b]);
  if (leading(positions_[b])) {
    rows.begin += r;
  } else {
    const std::vector<std::size_t> rest = others(positions_[b], rows.width);
    for (std::size_t i = 0; i < rows.count; ++i)
      for (std::size_t k = 0; k < w; ++k) rows.begin[i * width_ + k] = rows.begin[i * width_ + rest[k]];
  }
  blas::add_product(p_, -1, rows.count, w, r, at_pivots.data(), r, blocks_[b].rest.data(), w, rows.begin,
                    width_);
  return {rows.begin, rows.count, w};
}

void Echelon::add_panel(double* begin, std::span<const std::size_t> names, bool last) {
  const std::size_t before = blocks_.size();
  Rows rows{begin, names.size(), width_};
  for (std::size_t b = 0; b < before; ++b) rows = without_pivots(b, rows);
  if (last) {
    const MinorIndices profiles = blas::rank_profiles(p_, rows.count, rows.width, rows.begin, width_);
    append({picked({names.begin(), names.end()}, profiles.rows), picked(free_, profiles.cols), {}},
           profiles.cols);
    return;
  }
  for (std::size_t first = 0; first < names.size() && !free_.empty(); first += kPivots) {
    Rows some{rows.begin + first * width_, std::min(kPivots, names.size() - first), rows.width};
    for (std::size_t b = before; b < blocks_.size(); ++b) some = without_pivots(b, some);
    blas::ReducedEchelon echelon = blas::reduced_echelon(p_, some.count, some.width, some.begin, width_);
    if (echelon.rows.empty()) continue;
    Block block;
    for (std::size_t i : echelon.rows) block.rows.push_back(names[first + i]);
    block.cols = picked(free_, echelon.cols);
    block.rest = std::move(echelon.rest);
    append(std::move(block), std::move(echelon.cols));
    if (blocks_.size() > before + 1) join_last_blocks();
  }
  if (before > 0 && blocks_.size() > before &&
      blocks_.back().rows.size() + blocks_[blocks_.size() - 2].rows.size() <= kPanel)
    join_last_blocks();
}

// [I R] and [0 I S] become [I 0 R' - R_S S] and [0 I S], where R_S are the columns of R at the pivots of the
// second block and R' the others. Many blocks of few rows would cost as much as large ones.
void Echelon::join_last_blocks() {
  const Block second = std::move(blocks_.back());
  const std::vector<std::size_t> inner = std::move(positions_.back());
  blocks_.pop_back();
  positions_.pop_back();
  Block& first = blocks_.back();
  std::vector<std::size_t>& positions = positions_.back();
  const std::size_t r = first.rows.size(), s = second.rows.size(), w = free_.size() + s;

  const std::vector<double> crossing = columns(first.rest.data(), w, r, inner);
  std::vector<double> rest = columns(first.rest.data(), w, r, others(inner, w));
  blas::add_product(p_, -1, r, w - s, s, crossing.data(), s, second.rest.data(), w - s, rest.data(), w - s);
  rest.insert(rest.end(), second.rest.begin(), second.rest.end());

  const std::vector<std::size_t> outer = others(positions, r + w);
  for (std::size_t k : inner) positions.push_back(outer[k]);
  first.rows.insert(first.rows.end(), second.rows.begin(), second.rows.end());
  first.cols.insert(first.cols.end(), second.cols.begin(), second.cols.end());
  first.rest = std::move(rest);
}

MinorIndices Echelon::minor() const {
  MinorIndices result;
  for (const Block& block : blocks_) {
    result.rows.insert(result.rows.end(), block.rows.begin(), block.rows.end());
    result.cols.insert(result.cols.end(), block.cols.begin(), block.cols.end());
  }
  std::sort(result.rows.begin(), result.rows.end());
  std::sort(result.cols.begin(), result.cols.end());
  return result;
}

std::size_t Echelon::rank_of_leading(std::size_t cols) const {
  return cols - static_cast<std::size_t>(std::lower_bound(free_.begin(), free_.end(), cols) - free_.begin());
}

std::vector<double> Echelon::kernel_vector(std::uint64_t seed) const {
  SplitMix64 random(seed, 0);
  std::vector<double> x;  // at the columns that are free after the block in hand
  for (std::size_t k = 0; k < free_.size(); ++k) x.push_back(blas::balanced(random.below(p_), p_));
  for (std::size_t b = blocks_.size(); b-- > 0;) {
    const std::size_t r = blocks_[b].rows.size(), w = x.size();
    std::vector<double> at_pivots(r, 0.0), all(r + w);
    blas::add_product(p_, -1, r, 1, w, blocks_[b].rest.data(), w, x.data(), 1, at_pivots.data(), 1);
    for (std::size_t k = 0; k < r; ++k) all[positions_[b][k]] = at_pivots[k];
    const std::vector<std::size_t> rest = others(positions_[b], r + w);
    for (std::size_t k = 0; k < w; ++k) all[rest[k]] = x[k];
    x = std::move(all);
  }
  return x;
}

}  // namespace attest
