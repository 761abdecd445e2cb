#include "proofs/quantities.hpp"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "search/arithmetic/equal_rows.hpp"
#include "search/deep.hpp"
#include "search/free_stack.hpp"
#include "search/layer.hpp"
#include "search/structure.hpp"

namespace attest {
namespace {

using Count = std::size_t;

Count fractions(const ExactArray& array) {
  if (array.integers()) return 0;
  Count count = 0;
  for (std::size_t k = 0; k < array.size(); ++k) count += array.at(k).get_den() == 1 ? 0 : 1;
  return count;
}

Count nonzero(const std::optional<ExactArray>& array) {
  Count count = 0;
  for (std::size_t k = 0; array && k < array->size(); ++k) count += array->at(k) == 0 ? 0 : 1;
  return count;
}

// Queries that are not (1, x, ..., x^(d-1)) for an x that no query before has. With d = 1 the curve is one
// point.
Count off_moment_curve(const Case& c) {
  const std::size_t d = c.layer->embed_dim;
  std::set<mpq_class> seen;
  Count count = 0;
  for (std::size_t t = 0; t < c.layer->examples; ++t) {
    const mpq_class x = d == 1 ? mpq_class(0) : c.data.queries->at(t * d + 1);
    mpq_class power = 1;
    bool on_curve = true;
    for (std::size_t j = 0; j < d && on_curve; ++j, power *= x)
      on_curve = c.data.queries->at(t * d + j) == power;
    count += on_curve && seen.insert(x).second ? 0 : 1;
  }
  return count;
}

// Pairs of equal entries of E W' e for the claim's example (Lemma 4).
Count equal_entries(const Case& c, const Claim& claim) {
  const std::size_t t = claim.size("example"), n = c.layer->context;
  const RationalMatrix x =
      context_matrix(c, t) * rational_matrix(claim.array("w_prime")) * transposed(query_rows(c, {t}));
  Count pairs = 0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i) pairs += x(i, 0) == x(j, 0) ? 1 : 0;
  return pairs;
}

}  // namespace

// Of each example a number that equal ones have in common: by query, tokens in any order, and label.
static std::vector<std::array<std::size_t, 3>> classes_of_examples(const Case& c,
                                                                   const std::optional<ExactArray>& labels) {
  const std::size_t T = c.layer->examples;
  const std::vector<std::size_t> queries = first_equal_rows(*c.data.queries, c.layer->embed_dim);
  // Different queries are different examples, without a look at many tokens.
  const bool different = count_distinct_rows(*c.data.queries, c.layer->embed_dim) == T;
  const std::vector<std::size_t> contexts =
      different ? std::vector<std::size_t>(T) : first_equal_contexts(c, false);
  std::vector<std::size_t> outputs(queries.size());
  if (labels) outputs = first_equal_rows(*labels, c.layer->output_dim);
  std::vector<std::array<std::size_t, 3>> classes;
  for (std::size_t t = 0; t < queries.size(); ++t) classes.push_back({contexts[t], queries[t], outputs[t]});
  return classes;
}

std::size_t distinct_examples(const Case& c, const std::optional<ExactArray>& labels,
                              const std::vector<std::size_t>& others) {
  if (!c.data.queries) return c.layer->examples;  // projected ones, which are not compared
  const auto classes = classes_of_examples(c, labels);
  std::set<std::array<std::size_t, 3>> different(classes.begin(), classes.end());
  for (const std::size_t t : others) different.erase(classes[t]);
  return different.size();
}

std::vector<std::size_t> first_of_equal_examples(const Case& c) {
  std::set<std::array<std::size_t, 3>> seen;
  std::vector<std::size_t> first;
  const auto classes = classes_of_examples(c, std::nullopt);
  for (std::size_t t = 0; t < classes.size(); ++t)
    if (seen.insert(classes[t]).second) first.push_back(t);
  return first;
}

namespace {

Count distinct_token_sums(const Case& c) {
  const std::size_t d = c.layer->embed_dim;
  std::set<mpq_class> sums;
  for (std::size_t k = 0; k < c.data.contexts->size(); k += d) {
    mpq_class sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += c.data.contexts->at(k + j);
    sums.insert(sum);
  }
  return sums.size();
}

// Tokens that stand for words at positions: a graph that joins words (the first nodes) to positions.
class WordsAndPositions {
public:
  WordsAndPositions(const Case& c, const ExactArray& sequences) : c_(c), n_(c.layer->context) {
    std::map<mpq_class, Count> seen;
    for (Count k = 0; k < sequences.size(); ++k)
      word_.push_back(seen.emplace(sequences.at(k), seen.size()).first->second);
    words_ = seen.size();
    for (Count k = 0; k < words_ + n_; ++k) set_.push_back(k);
    value_.resize(set_.size(), std::vector<mpq_class>(c.layer->embed_dim));
    for (Count k = 0; k < word_.size(); ++k) join(k);
  }

  // As many as there are independent sums of a word and a position.
  Count spread() const { return set_.size() - std::set<Count>(set_.begin(), set_.end()).size(); }

  // Whether all tokens are such sums, and not only those that joined something.
  Count sums() const {
    for (Count k = 0; k < word_.size(); ++k)
      for (const mpq_class& x : rest(k))
        if (x != 0) return 0;
    return 1;
  }

private:
  // Of token k the part that the vectors of its word and position leave.
  std::vector<mpq_class> rest(Count k) const {
    const std::vector<mpq_class>&e = value_[word_[k]], &p = value_[words_ + k % n_];
    std::vector<mpq_class> result;
    for (Count j = 0; j < e.size(); ++j)
      result.push_back(c_.data.contexts->at(c_.token_row(k / n_, k % n_) * e.size() + j) - e[j] - p[j]);
    return result;
  }
  void join(Count k) {
    const Count from = set_[word_[k]], to = set_[words_ + k % n_];
    if (from == to) return;
    const std::vector<mpq_class> shift = rest(k);
    for (Count node = 0; node < set_.size(); ++node) {
      if (set_[node] != from) continue;
      set_[node] = to;
      for (Count j = 0; j < shift.size(); ++j)
        value_[node][j] += node < words_ ? shift[j] : mpq_class(-shift[j]);
    }
  }

  const Case& c_;
  const Count n_;
  Count words_ = 0;
  std::vector<Count> word_;                    ///< of token i of example t at t n + i
  std::vector<Count> set_;                     ///< of each node, by one of its members
  std::vector<std::vector<mpq_class>> value_;  ///< of each node; what was joined sums to its token
};

// Whether the given weights are of the shape (H, d, d_h) without biases.
Count in_shape(const Case& c) {
  const Weights& weights = *c.weights;
  if (weights.query_bias || weights.projected_keys) return 0;
  return weights.combined && c.layer->head_dim < c.layer->embed_dim ? 0 : 1;
}

class Quantities {
public:
  Quantities(const Case& c, const Claim& claim) {
    const auto structure = [this, &c]() -> const HeadStructure& {
      if (!structure_) structure_ = head_structure(AttentionLayer(c, *c.weights));
      return *structure_;
    };
    const auto deep = [this, &c]() -> const DeepStructure& {
      if (!deep_) deep_ = deep_structure(c);
      return *deep_;
    };
    const auto composed = [this, &c]() -> const ComposedMeans& {
      if (!composed_) composed_ = composed_means(c);
      return *composed_;
    };
    if (!c.before.empty()) {  // nothing else is known of the vectors that enter
      compute_ = {{"distinct(examples)", [deep] { return deep().different; }},
                  {"directions(examples)", [deep] { return deep().directions; }},
                  {"dim(entering)", [deep] { return deep().linear; }},
                  {"dim(entering-affine)", [deep] { return deep().affine; }},
                  {"dim(entering-differences)", [deep] { return deep().differences; }},
                  {"heads(given)", [deep] { return deep().heads; }},
                  {"in_shape(given)", [&c] { return in_shape(c); }},
                  {"dim(means)", [&c] { return stack_dimensions(c).means.get_ui(); }},
                  {"dim(hidden)", [composed] { return composed().hidden; }},
                  {"dim(moved)", [composed] { return composed().moved; }},
                  {"dim(maps)", [composed] { return composed().maps; }},
                  {"dim(weights)", [&c] { return stack_dimensions(c).weights.get_ui(); }}};
      return;
    }
    compute_ = {
        {"distinct(contexts)", [&c] { return distinct_contexts(c); }},
        {"distinct(tokens)", [&c] { return count_distinct_rows(*c.data.contexts, c.layer->embed_dim); }},
        {"distinct(examples)", [&c] { return distinct_examples(c); }},
        {"distinct(labelled-examples)", [&c] { return distinct_examples(c, c.data.labels); }},
        {"distinct(token-sums)", [&c] { return distinct_token_sums(c); }},
        {"fractions(inputs)", [&c] { return fractions(*c.data.contexts) + fractions(*c.data.queries); }},
        {"varying(inputs)",
         [&c] { return (distinct_contexts(c) == 1 ? 1 : c.layer->context + 1) * c.layer->embed_dim; }},
        {"off_moment_curve", [&c] { return off_moment_curve(c); }},
        {"equal(entries)", [&c, &claim] { return equal_entries(c, claim); }},
        {"sums(sequences)", [&c, &claim] { return WordsAndPositions(c, claim.array("sequences")).sums(); }},
        {"spread(sequences)",
         [&c, &claim] { return WordsAndPositions(c, claim.array("sequences")).spread(); }},
        {"nonzero(value-bias)", [&c] { return nonzero(c.weights->value_bias); }},
        {"in_shape(given)", [&c] { return in_shape(c); }},
        {"heads(given)", [structure] { return structure().different; }},
        {"moving(given)", [structure] { return structure().moving; }},
    };
  }

  Bounds of(const std::string& name) {
    if (name.starts_with("in_shape(") && name != "in_shape(given)")
      return exactly(1);  // the layer of a `let`
    const auto known = values_.find(name);
    if (known != values_.end()) return exactly(known->second);
    const auto computation = compute_.find(name);
    if (computation == compute_.end()) throw std::logic_error("unknown quantity " + name);
    return exactly(values_[name] = computation->second());
  }

private:
  static Bounds exactly(Count value) {
    const mpz_class number = static_cast<unsigned long>(value);
    return {number, number};
  }

  std::map<std::string, std::function<Count()>> compute_;
  std::map<std::string, Count> values_;
  std::optional<DeepStructure> deep_;
  std::optional<ComposedMeans> composed_;
  std::optional<HeadStructure> structure_;  ///< of the given weights
};

}  // namespace

Knowledge quantities(const Case& c, const Claim& claim) {
  const auto computed = std::make_shared<Quantities>(c, claim);
  return [&c, &claim, computed](const std::string& name) {
    const std::optional<Bounds> size = size_of(c, claim, name);
    return size ? *size : computed->of(name);
  };
}

}  // namespace attest
