// Quantities of the case alone: by all subsets, by random weights.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "tests/oracle/network.hpp"
#include "tests/oracle/oracle.hpp"

namespace attest::test {
namespace {

constexpr double kMostSubsets = 3e6;

}  // namespace

Rows Oracle::distinct_tokens() const {
  std::set<Row> seen;
  for (const Rows& context : tokens) seen.insert(context.begin(), context.end());
  return {seen.begin(), seen.end()};
}

Row Oracle::plus(Row a, const Row& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

Row Oracle::mean(std::size_t t) const {
  Row sum(d);
  for (const Row& token : tokens[t]) sum = plus(sum, token);
  for (Q& x : sum) x /= Q(integer(n));
  return sum;
}

std::optional<std::vector<Rows>> Oracle::matrices(const std::string& name) const {
  const auto members = [&](const std::vector<std::size_t>& which, bool mixed) {
    std::vector<Rows> result;
    for (std::size_t t : which) {
      result.push_back(tokens[t]);
      if (!mixed) continue;
      for (Row& row : result.back()) row = plus(row, mean(t));
    }
    return result;
  };
  std::vector<std::size_t> all(T);
  for (std::size_t t = 0; t < T; ++t) all[t] = t;
  if (name == "queries") return {{queries}};
  if (name == "tokens") return {{distinct_tokens()}};
  if (name == "affine-tokens") {
    Rows rows = distinct_tokens();
    for (Row& row : rows) row.push_back(1);
    return {{rows}};
  }
  if (name == "differences") {
    Rows rows;
    for (const Rows& context : tokens)
      for (const Row& token : context) {
        rows.push_back(token);
        for (std::size_t j = 0; j < d; ++j) rows.back()[j] -= context[0][j];
      }
    return {{rows}};
  }
  if (name == "exponents") {
    if (tokens.empty() || queries.empty()) return with_all_data().matrices(name);
    Rows rows;
    for (std::size_t t = 0; t < T; ++t)
      for (const Row& token : tokens[t]) {
        rows.emplace_back();
        for (std::size_t j = 0; j < d; ++j)
          for (const Q& x : queries[t]) rows.back().push_back((token[j] - tokens[t][0][j]) * x);
      }
    return {{rows}};
  }
  if (name == "contexts") return members(all, false);
  if (name == "mixed-contexts") return members(all, true);
  if (name == "subset-contexts") return members(claim.subset(), false);
  if (name == "subset-queries") {
    Rows rows;
    for (std::size_t t : claim.subset()) rows.push_back(queries[t]);
    return {{rows}};
  }
  if (name == "block") {
    const Rows a = argument("a"), b = argument("b"), c = argument("c");
    Rows rows;
    for (std::size_t i = 0; i < a.size(); ++i) {
      rows.push_back(a[i]);
      rows.back().insert(rows.back().end(), b[i].begin(), b[i].end());
    }
    for (const Row& row : c) {
      rows.emplace_back(a.front().size());
      rows.back().insert(rows.back().end(), row.begin(), row.end());
    }
    return {{rows}};
  }
  if (name == "shifted") {
    Rows rows = argument("vectors");
    Row sum(rows.front().size());
    for (const Row& row : rows) sum = plus(sum, row);
    for (Q& x : sum) x *= claim.number("c");
    for (Row& row : rows) row = plus(row, sum);
    return {{rows}};
  }
  if (name == "a" || name == "b" || name == "c" || name == "vectors" || name == "matrix")
    return {{argument(name)}};
  return std::nullopt;
}

std::optional<mpz_class> Oracle::kruskal(const Rows& vectors) const {
  const std::size_t size = vectors.size();
  std::vector<Residues> residues;
  for (const Row& row : vectors) {
    residues.emplace_back();
    for (const Q& x : row) residues.back().push_back(residue(x, kMersenne));
  }
  double visited = 0;
  std::vector<std::size_t> chosen;
  // Whether every k vectors from `first` on, with those chosen, are independent.
  std::function<bool(std::size_t, std::size_t, const std::vector<Residues>&)> all_independent;
  all_independent = [&](std::size_t k, std::size_t first, const std::vector<Residues>& basis) {
    if (k == 0) {
      if (basis.size() == chosen.size()) return true;
      Rows subset;
      for (std::size_t t : chosen) subset.push_back(vectors[t]);
      return rank(std::move(subset)) == chosen.size();
    }
    for (std::size_t i = first; i + k <= size; ++i) {
      if (++visited > kMostSubsets) throw std::length_error("too many subsets");
      Residues reduced = residues[i];
      for (const Residues& row : basis) eliminate(reduced, row, kMersenne);
      std::vector<Residues> more = basis;
      if (normalise(reduced, kMersenne)) more.push_back(std::move(reduced));
      chosen.push_back(i);
      const bool fine = all_independent(k - 1, i + 1, more);
      chosen.pop_back();
      if (!fine) return false;
    }
    return true;
  };
  try {
    std::size_t k = 0;
    while (k < std::min(size, d) && all_independent(k + 1, 0, {})) ++k;
    return integer(k);
  } catch (const std::length_error&) {
    return std::nullopt;
  }
}

Layer Oracle::random_layer(std::uint64_t size) const {
  // Logits of about this size.
  Q largest = 1;
  for (const Row& row : distinct_tokens()) {
    for (const Q& x : row) largest = std::max(largest, Q(abs(x)));
  }
  Q largest_query = 1;
  for (const Row& row : queries) {
    for (const Q& x : row) largest_query = std::max(largest_query, Q(abs(x)));
  }
  Draws draws(size, 99);
  const Q unit_key = Q(integer(size)) / (largest * 1000), unit_query = Q(1) / (largest_query * 1000);
  Row key, query;
  for (std::size_t i = 0; i < H * d * d_h; ++i) {
    key.push_back(draws.draw(1000) * unit_key);
    query.push_back(draws.draw(1000) * unit_query);
  }
  Layer layer = factored([&](std::size_t i) { return key[i]; }, [&](std::size_t i) { return query[i]; },
                         [](std::size_t) { return Q(0); });
  for (Head& head : layer.heads) head.sink = draws.draw(1000) * Q(integer(size)) / 1000;
  layer.scaled = false;
  return layer;
}

std::optional<mpz_class> Oracle::capacity() const {
  std::optional<std::size_t> best;
  for (const std::uint64_t size : {1u, 6u}) {
    const Layer layer = random_layer(size);
    const Precision precision(3000);
    const RealRank found = rank(z(all_logits(layer), false));
    if (!found.exact) return std::nullopt;
    best = std::max(best.value_or(0), found.least);
  }
  return integer(*best);
}

std::optional<mpz_class> Oracle::embedded_capacity() const {
  Oracle random = *this;
  Draws draws(5, 97);
  const auto drawn = [&](std::size_t rows) {
    Rows result(rows, Row(d));
    for (Row& row : result)
      for (Q& x : row) x = draws.draw(1000);
    return result;
  };
  const Rows words = argument("sequences"), positions = drawn(n);
  std::map<Q, Row> of_word;
  random.tokens.assign(T, Rows(n));
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t i = 0; i < n; ++i) {
      const Row& word = of_word.emplace(words[t][i], drawn(1)[0]).first->second;
      random.tokens[t][i] = plus(word, positions[i]);
    }
  random.queries = drawn(T);
  return random.capacity();
}

std::optional<mpz_class> Oracle::any_coefficients() const {
  const Precision precision(2000);
  Draws draws(7, 98);
  RealMatrix m(T);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t h = 0; h < H; ++h) {
      Row alpha;
      Q sum;
      for (std::size_t i = 0; i < tokens[t].size(); ++i) {
        alpha.push_back(draws.draw(100'000) + 100'001);
        sum += alpha.back();
      }
      for (std::size_t j = 0; j < d; ++j) {
        Q entry;
        for (std::size_t i = 0; i < tokens[t].size(); ++i) entry += alpha[i] * tokens[t][i][j];
        if (!source.layer->convex()) sum += draws.draw(100'000) + 100'001;
        m[t].emplace_back(Q(entry / sum));
      }
    }
  }
  const RealRank found = rank(std::move(m));
  if (!found.exact) return std::nullopt;
  return integer(found.least);
}

std::optional<mpz_class> Oracle::perturbation() const {
  const Rows a = argument("a"), b = argument("b");
  const Precision precision(600);
  const auto gram = [](const Rows& m) {
    RealMatrix result;
    for (std::size_t i = 0; i < m.front().size(); ++i) {
      result.emplace_back();
      for (std::size_t j = 0; j < m.front().size(); ++j) {
        Q sum;
        for (const Row& row : m) sum += row[i] * row[j];
        result.back().emplace_back(sum);
      }
    }
    return result;
  };
  Rows difference = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a[i].size(); ++j) difference[i][j] -= b[i][j];
  }
  const std::size_t non_zero = rank(a);
  if (non_zero == 0) return mpz_class(1);  // no non-zero singular value
  const std::vector<Real> kept = eigenvalues(gram(a)), moved = eigenvalues(gram(difference));
  const Real gap = kept[kept.size() - non_zero] - moved.back();
  if (gap.exponent() < -400) return mpz_class(0);  // equal
  return mpz_class(gap > 0 ? 1 : 0);
}

std::optional<mpz_class> Oracle::encoding() const {
  const Precision precision(4000);
  RealMatrix m(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < d; ++j) {
      // w = 10000^(-2 (j / 2) / d)
      const Real exponent(Q(-2 * static_cast<long>(j / 2), static_cast<unsigned long>(d)));
      Real x = exp(log(Real(10000)) * exponent) * Real(static_cast<long>(k));
      if (j % 2 == 0)
        mpfr_sin(x.raw(), x.raw(), MPFR_RNDN);
      else
        mpfr_cos(x.raw(), x.raw(), MPFR_RNDN);
      m[k].push_back(x);
    }
  }
  const RealRank found = rank(std::move(m));
  if (!found.exact) return std::nullopt;
  return integer(found.least);
}

Rows Oracle::inputs(bool whole) const {
  Rows result;
  for (std::size_t t = 0; t < T; ++t) {
    result.emplace_back();
    for (std::size_t i = 0; whole && i < n; ++i)
      result.back().insert(result.back().end(), tokens[t][i].begin(), tokens[t][i].end());
    result.back().insert(result.back().end(), queries[t].begin(), queries[t].end());
  }
  return result;
}

bool Oracle::one_context() const {
  return std::all_of(tokens.begin(), tokens.end(), [&](const Rows& c) { return c == tokens[0]; });
}

std::optional<mpz_class> Oracle::made_labels(bool integer) const {
  const std::size_t m = claim.size("neurons"), width = one_context() ? d : (n + 1) * d;
  if (T < m * (width + 1) + (claim.flag("output_bias") ? 1 : 0) + 1) return std::nullopt;
  for (const Row& row : inputs(true)) {
    for (const Q& x : row) {
      if (integer && x.get_den() != 1) return std::nullopt;
    }
  }
  return mpz_class(0);
}

std::optional<mpz_class> Oracle::value_of(const std::string& quantity) {
  const auto place = known.find(quantity);
  if (place != known.end()) return place->second;
  return known[quantity] = compute(quantity);
}

std::optional<mpz_class> Oracle::compute(const std::string& quantity) const {
  const auto inner = [&](const std::string& kind) -> std::optional<std::string> {
    if (!quantity.starts_with(kind + "(")) return std::nullopt;
    return quantity.substr(kind.size() + 1, quantity.size() - kind.size() - 2);
  };
  // A case may leave out the queries; then bounds are about all of them.
  if (quantity == "capacity") return queries.empty() ? any_coefficients() : capacity();
  if (quantity == "embedded_capacity") return embedded_capacity();
  if (quantity == "generic_outputs") {
    if (tokens.empty() || queries.empty()) return with_all_data().compute(quantity);
    constexpr long kBits = 3000;
    const Precision precision(kBits);
    return integer(different_rows(z(all_logits(random_layer(6)), false), kBits));
  }
  if (quantity == "rank(Z(any))") return any_coefficients();
  if (quantity == "functional_dimension") return functional_dimension();
  if (quantity == "layer(transcendental)" ||
      quantity == "layer(integer)") {  // as for networks, the labels are not tried
    const auto size = [&](const char* of) { return integer(rank(matrices(of)->front())); };
    const mpz_class most = integer(H) * size("exponents") +
                           integer(d_out) * (integer(H - 1) * size("differences") + size("tokens"));
    if (integer(T * d_out) <= most) return std::nullopt;
    return mpz_class(0);
  }
  if (quantity == "rank(encoding)") return encoding();
  if (quantity == "perturbation") return perturbation();
  if (quantity == "kruskal(queries)") return kruskal(queries);
  if (quantity == "kruskal(mixed-queries)") {
    Rows vectors = queries;
    for (std::size_t t = 0; t < T; ++t) vectors[t] = plus(vectors[t], mean(t));
    return kruskal(vectors);
  }
  if (quantity == "network(integer)") return made_labels(true);
  if (quantity == "network(transcendental)") return made_labels(false);
  if (quantity == "network(given)") {
    Row y;
    for (const Row& row : labels) y.push_back(row[0]);
    const std::optional<bool> fits =
        network_fits(inputs(!one_context()), y, claim.size("neurons"), claim.flag("output_bias"));
    if (!fits) return std::nullopt;
    return mpz_class(*fits ? 1 : 0);
  }
  if (const auto name = inner("rank")) {
    if (const auto members = matrices(*name)) {
      std::optional<std::size_t> least;
      for (const Rows& rows : *members) {
        const std::size_t r = rank(rows);
        least = least ? std::min(*least, r) : r;
      }
      return integer(least.value_or(0));
    }
  }
  throw std::logic_error("the oracle knows no quantity " + quantity);
}

}  // namespace attest::test
