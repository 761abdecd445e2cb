// The minor is found for random coefficients, and then each of its rows made one of tokens: the determinant
// is an affine function of the coefficients of one head and example, so that a token can take their place
// without making it 0. Mostly random tokens are as good at once, which is cheaper.
#include "proofs/pointing.hpp"

#include <algorithm>
#include <map>

#include "base/meter.hpp"
#include "problem/generate.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest {
namespace {

constexpr std::size_t kPrimes = 8, kChoices = 6;  // of one example for each direction of queries
constexpr std::size_t kLargestInverse = 1500;     // its updates take the cube of that

class Search {
public:
  Search(const Case& c, std::uint64_t p)
      : case_(c), p_(p), d_(c.layer->embed_dim), H_(c.layer->heads), residues_(*c.data.contexts, p) {
    std::map<std::vector<mpz_class>, std::size_t> directions;
    for (std::size_t t = 0; t < c.layer->examples; ++t) {
      std::vector<mpz_class> direction = direction_of_query(t);
      const auto first = std::ranges::find_if(direction, [](const mpz_class& x) { return x != 0; });
      still_.push_back(first == direction.end());
      if (still_[t] || !varied(t)) {
        classes_.push_back({t});
        continue;
      }
      const auto [found, added] = directions.emplace(std::move(direction), classes_.size());
      if (added) classes_.emplace_back();
      classes_[found->second].push_back(t);
    }
  }

  bool one_each() const {
    return std::ranges::all_of(classes_, [](const auto& members) { return members.size() == 1; });
  }

  Pointing best(std::size_t most) {
    Pointing best{p_, {}, {}, {}, one_each()};
    for (std::uint64_t choice = 0; choice < (best.all ? 1 : kChoices) && best.rows.size() < most; ++choice) {
      std::vector<std::size_t> examples;
      SplitMix64 random(choice, 1);
      for (const std::vector<std::size_t>& members : classes_)
        examples.push_back(members[choice == 0 ? 0 : random.below(members.size())]);
      std::ranges::sort(examples);
      const auto keep = [&](Pointing found) {
        if (found.rows.size() > best.rows.size()) best = std::move(found);
      };
      keep(random_tokens(examples, choice));
      if (best.rows.size() < most) keep(moved_to_tokens(examples, best.rows.size(), choice));
    }
    best.all = best.all && !too_large_;
    return best;
  }

private:
  using Chosen = std::vector<std::size_t>;  // by head
  using Row = std::vector<std::uint64_t>;

  std::vector<mpz_class> direction_of_query(std::size_t t) const {
    std::vector<mpz_class> v = rational_vector(*case_.data.queries, t * d_, d_).num;
    mpz_class common = 0;
    for (const mpz_class& x : v) common = gcd(common, x);
    const auto first = std::ranges::find_if(v, [](const mpz_class& x) { return x != 0; });
    if (first == v.end()) return v;
    if (*first < 0) common = -common;
    for (mpz_class& x : v) x /= common;
    meter().work(20 * d_);
    return v;
  }
  bool varied(std::size_t t) const {
    const ExactArray& tokens = *case_.data.contexts;
    const bool convex = case_.layer->convex();
    for (std::size_t i = convex ? 1 : 0; i < case_.tokens(t); ++i)
      for (std::size_t j = 0; j < d_; ++j)
        if (tokens.at(case_.token_row(t, i) * d_ + j) !=
            (convex ? tokens.at(case_.token_row(t, 0) * d_ + j) : mpq_class(0)))
          return true;
    return false;
  }

  // The tokens of example t, in rows of d residues.
  Row tokens(std::size_t t) const {
    const std::size_t n = case_.tokens(t);
    Row result(n * d_);
    std::vector<double> token(d_);
    for (std::size_t i = 0; i < n; ++i) {
      residues_.copy(case_.token_row(t, i) * d_, d_, token.data());
      std::ranges::transform(token, result.begin() + static_cast<std::ptrdiff_t>(i * d_),
                             [](double x) { return static_cast<std::uint64_t>(x); });
    }
    return result;
  }
  // What a head may point at: the tokens of t, and the sink.
  std::size_t choices(std::size_t t) const { return case_.tokens(t) + (case_.layer->sink ? 1 : 0); }
  Chosen random_choice(std::size_t t, SplitMix64& random) const {
    Chosen chosen(H_);
    for (std::size_t& of_head : chosen) of_head = random.below(choices(t));
    return chosen;
  }
  // The row of an example whose head h has these coefficients.
  template <class Coefficient>
  Row row(const Row& tokens, std::size_t t, Coefficient coefficient) const {
    const std::size_t n = case_.tokens(t);
    Row result(H_ * d_);
    for (std::size_t h = 0; h < H_; ++h)
      for (std::size_t i = 0; i < n; ++i)
        if (const std::uint64_t a = still_[t] ? 1 : coefficient(h, i); a != 0)
          for (std::size_t j = 0; j < d_; ++j)
            result[h * d_ + j] = (result[h * d_ + j] + a * tokens[i * d_ + j]) % p_;
    meter().work(H_ * n * d_);
    return result;
  }
  Row row(const Row& tokens, std::size_t t, const Chosen& chosen) const {
    return row(tokens, t,
               [&](std::size_t h, std::size_t i) -> std::uint64_t { return chosen[h] == i ? 1 : 0; });
  }
  // Random coefficients of a head, the same whenever they are asked for.
  Row coefficients(std::size_t t, std::size_t h, std::uint64_t seed) const {
    SplitMix64 random(seed, 2 + t * H_ + h);
    Row result(case_.tokens(t));
    std::uint64_t rest = 1;
    for (std::size_t i = result.size(); i-- > 0; rest = (rest + p_ - result[i]) % p_)
      result[i] = i == 0 && case_.layer->convex() ? rest : random.below(p_);
    return result;
  }

  MinorIndices minor(const std::vector<Row>& rows) const {
    std::vector<double> entries;
    for (const Row& row : rows)
      for (const std::uint64_t x : row) entries.push_back(blas::balanced(x, p_));
    return blas::rank_profiles(p_, rows.size(), H_ * d_, entries.data(), H_ * d_);
  }

  Pointing random_tokens(const std::vector<std::size_t>& examples, std::uint64_t seed) const {
    SplitMix64 random(seed, 0);
    std::vector<Row> rows;
    std::vector<Chosen> all;
    for (const std::size_t t : examples) {
      all.push_back(random_choice(t, random));
      rows.push_back(row(tokens(t), t, all.back()));
    }
    const MinorIndices found = minor(rows);
    Pointing result{p_, {}, found.cols, {}, one_each()};
    for (const std::size_t k : found.rows) {
      result.rows.push_back(examples[k]);
      result.tokens.push_back(std::move(all[k]));
    }
    return result;
  }

  // Nothing when the minor is not larger than `found`.
  Pointing moved_to_tokens(const std::vector<std::size_t>& examples, std::size_t found, std::uint64_t seed) {
    std::vector<Row> rows;
    for (const std::size_t t : examples) {
      std::vector<Row> alpha;
      for (std::size_t h = 0; h < H_; ++h) alpha.push_back(coefficients(t, h, seed));
      rows.push_back(row(tokens(t), t, [&](std::size_t h, std::size_t i) { return alpha[h][i]; }));
    }
    const MinorIndices indices = minor(rows);
    const std::size_t r = indices.rank();
    if (r > found && r > kLargestInverse) too_large_ = true;
    if (r <= found || too_large_) return {};
    std::vector<double> a(r * r), b(r * r);
    for (std::size_t k = 0; k < r; ++k) {
      b[k * r + k] = 1;
      for (std::size_t j = 0; j < r; ++j)
        a[k * r + j] = blas::balanced(rows[indices.rows[k]][indices.cols[j]], p_);
    }
    blas::solve(p_, r, r, a.data(), b.data());
    Row inverse;
    for (const double x : b) inverse.push_back(blas::unbalanced(x, p_));
    SplitMix64 random(seed, 1);
    Pointing result{p_, {}, indices.cols, {}, one_each()};
    for (std::size_t k = 0; k < r; ++k) {
      const std::size_t t = examples[indices.rows[k]];
      result.rows.push_back(t);
      Chosen chosen = random_choice(t, random);
      if (!still_[t]) point(t, seed, k, indices.cols, chosen, inverse);
      result.tokens.push_back(std::move(chosen));
    }
    return result;
  }

  // Replaces row k of the minor, that of example t, whose product with column k of the inverse is 1, by one
  // of tokens whose product with it is not 0.
  void point(std::size_t t, std::uint64_t seed, std::size_t k, const std::vector<std::size_t>& cols,
             Chosen& chosen, Row& inverse) const {
    const std::size_t r = cols.size(), n = case_.tokens(t);
    const Row all = tokens(t);
    Row products(H_ * n);
    for (std::size_t j = 0; j < r; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t& product = products[cols[j] / d_ * n + i];
        product = (product + all[i * d_ + cols[j] % d_] * inverse[j * r + k]) % p_;
      }
    std::uint64_t total = 1;
    for (std::size_t h = 0; h < H_; ++h) {
      const Row alpha = coefficients(t, h, seed);
      for (std::size_t i = 0; i < n; ++i) total = (total + (p_ - alpha[i]) * products[h * n + i]) % p_;
      // What was drawn, or else one after the other.
      const auto with = [&] { return chosen[h] == n ? total : (total + products[h * n + chosen[h]]) % p_; };
      for (std::size_t tried = 1; with() == 0 && tried < choices(t); ++tried)
        chosen[h] = (chosen[h] + 1) % choices(t);
      total = with();
    }
    // The inverse of the minor with the other row.
    const Row next = row(all, t, chosen);
    Row u(r);
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t j = 0; j < r; ++j) u[j] += next[cols[i]] * inverse[i * r + j];
    const std::uint64_t factor = inverse_mod(total, p_);
    for (std::size_t j = 0; j < r; ++j) u[j] = (u[j] + (j == k ? p_ - 1 : 0)) % p_ * factor % p_;
    for (std::size_t i = 0; i < r; ++i) {
      const std::uint64_t w = p_ - inverse[i * r + k];
      for (std::size_t j = 0; j < r; ++j) inverse[i * r + j] = (inverse[i * r + j] + w * u[j]) % p_;
    }
    meter().work(10 * r * r);
  }

  const Case& case_;
  std::uint64_t p_;
  std::size_t d_, H_;
  kernel::ArrayResidues residues_;
  std::vector<bool> still_;                        // the query is 0
  std::vector<std::vector<std::size_t>> classes_;  // examples that move, by the direction of their queries
  bool too_large_ = false;                         // a minor that was not moved to tokens
};

}  // namespace

Pointing largest_pointing(const Case& c, std::size_t most) {
  for (std::size_t k = 0; k < kPrimes; ++k) {
    try {
      return Search(c, small_prime(k)).best(most);
    } catch (const Failure&) {  // it divides a denominator
    }
  }
  return {};
}

void Pointing::add_to(ProofScript& script) const {
  script.add("coefficients", Fact::at_least("capacity", rows.size()),
             {{"p", p}, {"rows", rows}, {"cols", cols}, {"tokens", tokens}});
}

}  // namespace attest
