#include "search/pointing.hpp"

#include <algorithm>
#include <set>

#include "kernel/quantities/examples.hpp"
#include "problem/generate.hpp"
#include "search/arithmetic/echelon.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/residues.hpp"

namespace attest {
namespace {

class Search {
public:
  explicit Search(const Case& c)
      : case_(c), d_(c.layer->embed_dim), mod_p_(small_prime(0)), random_(1, 0), tokens_(c.layer->examples) {
    for (std::size_t t = 0; t < c.layer->examples; ++t) left_.push_back(t);
    // Examples of one context lie together, and have few independent differences.
    for (std::size_t t = left_.size(); t > 1; --t) std::swap(left_[t - 1], left_[random_.below(t)]);
  }

  std::optional<Pointing> heads(std::size_t rank) {
    const std::size_t others = case_.layer->heads - 1;
    // Of the last head the tokens at which all others point, too.
    const std::optional<MinorIndices> base = block(std::min(rank, d_), range(0, d_), others);
    if (!base) return std::nullopt;
    Pointing found{mod_p_.prime(), {}, {}, {}};
    std::size_t missing = rank - std::min(rank, base->rank());
    for (std::size_t h = 0; h < others && missing > 0; ++h) {
      const std::size_t share = (missing + others - h - 1) / (others - h);
      const std::optional<MinorIndices> own = block(share, base->cols, h);
      if (!own) return std::nullopt;
      add(*own, base->cols, h, found);
      missing -= std::min(missing, own->rank());
    }
    // Last: then nothing is to be subtracted from the rows of other blocks.
    add(*base, range(0, d_), others, found);
    if (missing > 0 || !non_parallel(found.rows)) return std::nullopt;
    return found;
  }

private:
  struct Pair {
    std::size_t base, own;  ///< at which all other heads point; the head of the block
  };

  // Independent differences of two tokens, or, for the last head, tokens, in these columns: of examples that
  // are left.
  std::optional<MinorIndices> block(std::size_t rank, const std::vector<std::size_t>& cols,
                                    std::size_t head) {
    const bool last = head + 1 == case_.layer->heads;
    const BalancedReduction reduce(mod_p_.prime());
    Echelon echelon(mod_p_.prime(), cols.size());
    constexpr std::size_t kSpare = 20;  // examples more than are wanted
    rank = std::min(rank, cols.size());
    std::vector<double> row(d_), other(d_), rows;
    while (echelon.rank() < rank && !left_.empty()) {
      const std::size_t before = echelon.rank(), count = std::min(left_.size(), rank - before + kSpare);
      const std::vector<std::size_t> some(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(count));
      left_.erase(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(count));
      rows.resize(count * cols.size());
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t t = some[k], n = case_.tokens(t);
        Pair& tokens = tokens_[t];
        tokens.base = random_.below(n);
        tokens.own = last || n == 1 ? tokens.base : (tokens.base + 1 + random_.below(n - 1)) % n;
        if (!read(t, tokens.own, row) || !read(t, tokens.base, other)) return std::nullopt;
        for (std::size_t j = 0; j < cols.size(); ++j)
          rows[k * cols.size() + j] = last ? row[cols[j]] : reduce(row[cols[j]] - other[cols[j]]);
      }
      echelon.add_rows(rows.data(), some);
      const std::vector<std::size_t> members = echelon.minor().rows;
      for (const std::size_t t : some)
        if (!std::ranges::binary_search(members, t)) left_.push_back(t);
      if (echelon.rank() == before) break;
    }
    return echelon.minor();
  }

  bool read(std::size_t t, std::size_t token, std::vector<double>& to) const {
    return mod_p_.convert(*case_.data.contexts, case_.token_row(t, token) * d_, d_, to.data());
  }

  void add(const MinorIndices& minor, const std::vector<std::size_t>& cols, std::size_t head,
           Pointing& to) const {
    for (const std::size_t t : minor.rows) {
      to.rows.push_back(t);
      to.tokens.emplace_back(case_.layer->heads, tokens_[t].base)[head] = tokens_[t].own;
    }
    for (const std::size_t j : minor.cols) to.cols.push_back(head * d_ + cols[j]);
  }

  // Whether none of these queries is 0 or a multiple of another one, modulo p.
  bool non_parallel(const std::vector<std::size_t>& examples) const {
    const std::uint64_t p = mod_p_.prime();
    const BalancedReduction reduce(p);
    std::set<std::vector<double>> directions;
    for (const std::size_t t : examples) {
      std::vector<double> query(d_);
      if (!mod_p_.convert(*case_.data.queries, t * d_, d_, query.data())) return false;
      const auto first = std::ranges::find_if(query, [](double x) { return x != 0; });
      if (first == query.end()) return false;
      reduce.all(query.data(), d_, blas::balanced(inverse_mod(blas::unbalanced(*first, p), p), p));
      if (!directions.insert(std::move(query)).second) return false;
    }
    return true;
  }

  const Case& case_;
  const std::size_t d_;
  const BalancedResidues mod_p_;
  SplitMix64 random_;
  std::vector<Pair> tokens_;       ///< of each example, as they were last drawn
  std::vector<std::size_t> left_;  ///< examples that are in no block
};

}  // namespace

std::optional<Pointing> pointing_heads(const Case& c, std::size_t rank) {
  return Search(c).heads(rank);
}

std::optional<Pointing> randomly_pointing_heads(const Case& c, std::uint64_t seed) {
  const std::size_t d = c.layer->embed_dim, H = c.layer->heads;
  const std::uint64_t p = small_prime(0);
  const auto entries = residues(*c.data.contexts, p);
  if (!entries) return std::nullopt;
  const kernel::Problem problem(c);
  kernel::MovingQueries queries;
  std::vector<std::size_t> examples;
  for (std::size_t t = 0; t < c.layer->examples; ++t)
    if (!queries.add(problem, t)) examples.push_back(t);
  SplitMix64 random(seed, 0);
  std::vector<std::vector<std::size_t>> tokens(examples.size());
  std::vector<double> s(examples.size() * H * d);
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const std::size_t t = examples[k], n = c.tokens(t);
    const bool still = kernel::is_zero(problem.query(t));
    for (std::size_t h = 0; h < H; ++h) {
      const std::size_t at = random.below(n);
      tokens[k].push_back(at);
      for (std::size_t j = 0; j < d; ++j) {
        std::uint64_t entry = 0;
        for (std::size_t i = still ? 0 : at; i < (still ? n : at + 1); ++i)
          entry += (*entries)[c.token_row(t, i) * d + j];
        s[(k * H + h) * d + j] = blas::balanced(entry % p, p);
      }
    }
  }
  const MinorIndices minor = blas::rank_profiles(p, examples.size(), H * d, s.data(), H * d);
  Pointing found{p, {}, minor.cols, {}};
  for (const std::size_t k : minor.rows) {
    found.rows.push_back(examples[k]);
    found.tokens.push_back(tokens[k]);
  }
  return found;
}

}  // namespace attest
