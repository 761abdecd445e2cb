// One function for each kind of step; every condition of docs/certificate.md is an `ensure`.
#include "checker/steps.hpp"

#include <algorithm>

#include "checker/kruskal.hpp"
#include "checker/statements.hpp"
#include "input/sha256.hpp"

namespace attest::checker {
namespace {

const char* const kTermLimit = "--max-terms";

std::string count(std::size_t value) {
  return std::to_string(value);
}

std::string joined(const std::vector<std::size_t>& values) {
  std::string text;
  for (std::size_t value : values) text += (text.empty() ? "" : " ") + count(value);
  return text;
}

/// Entry i of the right-hand side b_j of F7: derived from the statement, so nobody can choose it.
class RightHandSide {
public:
  RightHandSide(const std::string& seed, std::size_t j) : prefix_(seed + " " + count(j) + " ") {}
  Word entry(std::size_t i, Word p) {
    if (i % 4 == 0 || hash_.empty()) hash_ = sha256_hex(prefix_ + count(i / 4));
    Word value = 0;
    for (std::size_t byte = 8; byte-- > 0;) {
      value = value << 8 | std::stoul(hash_.substr(16 * (i % 4) + 2 * byte, 2), nullptr, 16);
    }
    return value % p;
  }

private:
  std::string prefix_, hash_;
};

/// The least k with p^-k < 2^-128.
std::size_t solution_count(Word p) {
  Integer power = 1;
  std::size_t k = 0;
  for (; power <= Integer(1) << 128; ++k) power *= p;
  return k;
}

void ensure_disjoint_from(const std::vector<std::size_t>& values, const std::set<std::size_t>& others,
                          const std::string& what) {
  for (std::size_t value : values) ensure(others.count(value) == 0, what, count(value) + " again");
}

void ensure_different(std::vector<Rational> values, const std::string& what, std::size_t example) {
  std::sort(values.begin(), values.end());
  ensure(std::adjacent_find(values.begin(), values.end()) == values.end(), what,
         "equal ones at example " + count(example));
}

}  // namespace

const std::map<std::string, ClaimChecker::Argument> ClaimChecker::kArguments = {
    {"character-minor", {nullptr, &ClaimChecker::character_minor}},
    {"random", {"definition", &ClaimChecker::random}},
    {"affine-hull", {"affine-hull-bound", &ClaimChecker::affine_hull}},
    {"token-minor", {"modular-rank", &ClaimChecker::token_minor}},
    {"structure", {"equal-and-constant-heads", &ClaimChecker::structure}},
    {"right-kernel", {nullptr, &ClaimChecker::right_kernel}},
    {"left-kernel", {nullptr, &ClaimChecker::left_kernel}},
    {"kruskal-lower", {"subset-independence", &ClaimChecker::kruskal_lower}},
    {"kruskal-upper", {"dependent-subset", &ClaimChecker::kruskal_upper}},
    {"contexts-full-rank", {"modular-rank", &ClaimChecker::contexts_full_rank}},
    {"context-dependent", {"dependent-rows", &ClaimChecker::context_dependent}},
    {"contexts-differ", {"witness", &ClaimChecker::contexts_differ}},
    {"token-sums-differ", {"witness", &ClaimChecker::token_sums_differ}},
    {"too-many-examples", {"arithmetic", &ClaimChecker::too_many_examples}},
    {"subset-too-large", {"arithmetic", &ClaimChecker::subset_too_large}},
    {"subset-dependent", {"dependent-subset", &ClaimChecker::subset_dependent}},
    {"subset-context-dependent", {"dependent-rows", &ClaimChecker::subset_context_dependent}},
    {"construction", {"proposition-1-induction", &ClaimChecker::construction}},
    {"readout-enclosure", {"nonsingular-minor-and-enclosure", &ClaimChecker::readout_enclosure}},
    {"readout-exact", {"exact-solution", &ClaimChecker::readout_exact}},
    {"claim-1-weights", {"claim-1", &ClaimChecker::claim_1_weights}},
    {"claim-2-weights", {"claim-2", &ClaimChecker::claim_2_weights}},
};

ClaimChecker::ClaimChecker(const Problem& problem, const Claim& claim, const CheckPolicy& policy)
    : problem_(problem), claim_(claim), policy_(policy) {
  facts_.kruskal_upper = std::min(problem.T, problem.d);
}

std::string ClaimChecker::argument_of(const Json& step) {
  if (!step.is_object() || !step.contains("argument") || !step["argument"].is_string()) return "";
  return step["argument"].get<std::string>().substr(0, 40);
}

std::string ClaimChecker::check(const Json& step) {
  ensure(seen_.insert(step.dump()).second, "steps that differ", "the same step a second time");
  Object object(step);
  const std::string argument = string(object["argument"]);
  const auto found = kArguments.find(argument);
  ensure(found != kArguments.end(), "an argument of this format", argument.substr(0, 40));
  ensure(step_belongs(claim_.statement, argument), "a step that belongs to " + claim_.statement, argument);
  step_ = &step;
  note_.clear();
  object["theorem"];
  if (found->second.theorem != nullptr) theorem(found->second.theorem);
  (this->*found->second.check)(object);
  object.done();
  facts_.shown.insert(argument);
  return note_;
}

void ClaimChecker::theorem(const char* expected) const {
  const std::string& found = string((*step_)["theorem"]);
  ensure(found == expected, std::string("the theorem ") + expected, found.substr(0, 40));
}

const Layer& ClaimChecker::layer(const Json& value) {
  const std::string& name = string(value);
  ensure(layer_belongs(claim_.statement, name), "a layer that " + claim_.statement + " is about",
         name.substr(0, 40));
  ensure(examined_.empty() || examined_ == name, "one layer in all steps of a claim: " + examined_, name);
  if (name == "given" && layers_.count(name) == 0) layers_.emplace(name, given_layer(problem_));
  ensure(layers_.count(name) != 0, "a step that defines the layer " + name + " before this one", "none");
  examined_ = name;
  facts_.rank_examined = true;
  theorem(layers_.at(name).ring.theorem);
  return layers_.at(name);
}

ClaimChecker::Relation ClaimChecker::relation(const Json& value, std::size_t size) const {
  Relation result;
  for (const Json& entry : array(value, size)) result.push_back(integer(entry));
  return result;
}

/// Checks that `step` gives a vanishing relation between queries with non-zero factors; returns how many.
std::size_t ClaimChecker::dependent_subset(Object& step, std::vector<std::size_t>& subset) const {
  subset = distinct_indices(step["subset"], problem_.T);
  ensure(!subset.empty(), "a subset that is not empty", "an empty one");
  const Relation factors = relation(step["relation"], subset.size());
  std::vector<Rational> rationals;
  std::vector<const Vector*> queries;
  for (std::size_t k = 0; k < subset.size(); ++k) {
    ensure(factors[k] != 0, "factors that are not 0", "a 0");
    rationals.emplace_back(factors[k]);
    queries.push_back(&problem_.query(subset[k]));
  }
  ensure(is_zero(combination(rationals, queries)), "a combination of the queries that is 0",
         "another vector");
  return subset.size();
}

/// The same for the tokens of one example, where some factors may be 0; returns the example.
std::size_t ClaimChecker::dependent_context(Object& step) const {
  const std::size_t example = index(step["example"], problem_.T);
  const Relation factors = relation(step["relation"], problem_.n);
  ensure(std::any_of(factors.begin(), factors.end(), [](const Integer& f) { return f != 0; }),
         "a factor that is not 0", "only zeros");
  const auto tokens = problem_.context(example);
  std::vector<const Vector*> rows;
  for (const Vector& row : *tokens) rows.push_back(&row);
  ensure(is_zero(combination({factors.begin(), factors.end()}, rows)),
         "a combination of the tokens that is 0", "another vector");
  return example;
}

const Vector& ClaimChecker::token(const Json& pair, std::shared_ptr<const Context>& keep) const {
  array(pair, 2);
  const std::size_t example = index(pair[0], problem_.T), position = index(pair[1], problem_.n);
  keep = problem_.context(example);
  return (*keep)[position];
}

void ClaimChecker::bound_rank(const Json& value, std::size_t expected) {
  const Word found = word(value);
  ensure(found == expected, "bound " + count(expected), count(found));
  facts_.rank_upper = std::min(facts_.rank_upper.value_or(expected), expected);
}

// ---------------------------------------------------------------------------------------------------- rank
// of Z

void ClaimChecker::character_minor(Object& step) {
  const Layer& examined = layer(step["layer"]);
  const Character phi = character(examined.ring, word(step["p"]), word(step["g"]));
  const std::vector<std::size_t> rows = distinct_indices(step["rows"], problem_.T);
  const std::vector<std::size_t> cols = distinct_indices(step["cols"], problem_.H * problem_.d);
  ensure(rows.size() == cols.size(), "as many columns as rows",
         count(rows.size()) + " and " + count(cols.size()));
  const std::size_t size = rows.size();
  std::vector<Block> blocks;
  if (examined.name == "construction") {
    ensure(rows == constructed_->rows, "the rows of the construction, in order", joined(rows).substr(0, 60));
    ensure(cols == constructed_->cols, "the columns of the construction, in order",
           joined(cols).substr(0, 60));
    blocks = constructed_->blocks;
  }

  Matrix solutions;
  std::vector<RightHandSide> right;
  if (const Json* list = step.find("solutions")) {
    const std::string seed = solutions_text(examined.name, phi, step["rows"], step["cols"]);
    for (const Json& solution : array(*list, solution_count(phi.p))) {
      solutions.emplace_back();
      for (const Json& entry : array(solution, size)) solutions.back().push_back(index(entry, phi.p));
      right.emplace_back(seed, right.size());
    }
  }
  const bool eliminate = policy_.minors == Minors::deterministic ||
                         (policy_.minors == Minors::automatic && size <= policy_.elimination_limit) ||
                         (solutions.empty() && size <= policy_.elimination_limit);
  if (!eliminate && solutions.empty()) {
    throw LimitError("a minor of " + count(size) + " rows without solutions exceeds the limit of " +
                     count(policy_.elimination_limit) + "; --elimination-limit raises it");
  }

  MinorRows minor(problem_, examined, phi, cols);
  Matrix matrix;
  for (std::size_t i = 0; i < size; ++i) {
    Row row = minor.row(rows[i]);
    for (std::size_t j = 0; j < solutions.size(); ++j) {
      Word sum = 0;
      for (std::size_t k = 0; k < size; ++k) {
        sum += row[k] * solutions[j][k];
        sum = std::min(sum, sum - phi.p * phi.p);
      }
      ensure(sum % phi.p == right[j].entry(i, phi.p), "solutions x_j with A x_j = b_j",
             "another value in row " + count(i) + " of solution " + count(j));
    }
    if (eliminate) matrix.push_back(std::move(row));
  }
  if (eliminate) {
    ensure(rows_independent(matrix, phi.p, blocks), "a minor that is not 0 mod p", "a singular one");
    note_ = "elimination";
  } else {
    note_ = count(solutions.size()) + " solutions, error below 2^-128";
  }
  facts_.rank_lower = std::max(facts_.rank_lower, size);
  if (examined.name == "construction") facts_.constructed_rank = size;
}

std::string ClaimChecker::solutions_text(const std::string& layer_name, const Character& phi,
                                         const Json& rows, const Json& cols) const {
  std::string text = "attest-f7/1\n" + problem_.source.sha256 + "\n";
  for (const SourceFile& file : problem_.source.arrays) text += file.sha256 + "\n";
  text += "claim " + count(claim_.index) + "\nlayer " + layer_name + "\n";
  text += (layer_name == "given" ? "" : definition_) + "\np " + count(phi.p) + " g " + count(phi.g) + "\n";
  text += "rows " + joined(rows.get<std::vector<std::size_t>>()) + "\ncols " +
          joined(cols.get<std::vector<std::size_t>>()) + "\n";
  return sha256_hex(text);
}

void ClaimChecker::random(Object& step) {
  ensure(layers_.count("random") == 0, "one step random", "a second one");
  ensure(string(step["kind"]) == "integers", "the kind integers", string(step["kind"]).substr(0, 40));
  const Word bound = word(step["bound"]), seed = word(step["seed"]);
  ensure(bound >= 1 && bound < (Word{1} << 53), "a bound from 1 to 2^53 - 1", count(bound));
  layers_.emplace("random", random_layer(problem_, bound, seed));
  definition_ = sha256_hex(step_->dump());
}

void ClaimChecker::affine_hull(Object& step) {
  const std::string& witness = string(step["witness"]);
  Hull hull{};
  if (witness == "functionals") {
    const Word p = prime(step["p"]);
    std::vector<Vector> functionals;
    std::vector<Rational> values;
    Matrix matrix;
    for (const Json& entry : array(step["functionals"])) {
      Object functional(entry);
      functionals.push_back(vector(functional["v"], problem_.d));
      values.push_back(rational(functional["c"]));
      functional.done();
      matrix.push_back(residues(functionals.back(), p));
    }
    ensure(rows_independent(matrix, p), "functionals that are independent mod p", "dependent ones");
    for (std::size_t t = 0; t < (problem_.shared() ? 1 : problem_.T); ++t) {
      for (const Vector& row : *problem_.context(t)) {
        for (std::size_t k = 0; k < functionals.size(); ++k) {
          const Rational value = dot(row, functionals[k]);
          ensure(value == values[k],
                 "functional " + count(k) + " equal to " + text(values[k]) + " on every token",
                 text(value) + " at example " + count(t));
        }
      }
    }
    hull.dimension = problem_.d - functionals.size();
    hull.linear = !functionals.empty() &&
                  std::all_of(values.begin(), values.end(), [](const Rational& c) { return c == 0; });
  } else {
    ensure(witness == "tokens", "the witness functionals or tokens", witness.substr(0, 40));
    std::set<Vector> tokens;
    std::shared_ptr<const Context> keep;
    const Json& list = array(step["tokens"]);
    for (const Json& pair : list) tokens.insert(token(pair, keep));
    ensure(tokens.size() == list.size(), "tokens that differ", "equal ones");
    for (std::size_t t = 0; t < (problem_.shared() ? 1 : problem_.T); ++t) {
      for (const Vector& row : *problem_.context(t)) {
        ensure(tokens.count(row) != 0, "every token in the list", "another one at example " + count(t));
      }
    }
    hull.dimension = tokens.size() - 1;
    hull.linear = false;
  }
  const std::size_t bound = problem_.H * hull.dimension + (hull.linear ? 0 : 1);
  const Word found = word(step["bound"]);
  ensure(found == bound, "bound " + count(bound), count(found));
  hull_ = hull;
  facts_.hull_bound = std::min(facts_.hull_bound.value_or(bound), bound);
}

void ClaimChecker::token_minor(Object& step) {
  const Word p = prime(step["p"]);
  const bool affine = boolean(step["affine"]);
  const std::vector<std::size_t> cols = distinct_indices(step["cols"], problem_.d + (affine ? 1 : 0));
  std::shared_ptr<const Context> keep;
  Matrix matrix;
  for (const Json& pair : array(step["tokens"], cols.size())) {
    Row row = residues(token(pair, keep), p);
    row.push_back(1);
    matrix.emplace_back();
    for (std::size_t col : cols) matrix.back().push_back(row[col]);
  }
  ensure(rows_independent(matrix, p), "a minor that is not 0 mod p", "a singular one");
}

void ClaimChecker::structure(Object& step) {
  const Layer& examined = layer(step["layer"]);
  ensure(hull_.has_value(), "an affine-hull step before this one", "none");
  const std::vector<std::size_t> distinct = distinct_indices(step["distinct"], problem_.H);
  const std::vector<std::size_t> constant = distinct_indices(step["constant"], problem_.H);
  ensure(constant.empty() || problem_.shared(), "constant heads for shared contexts only",
         "contexts that differ");
  std::vector<std::size_t> placed(problem_.H);  // how often each head occurs
  for (std::size_t h : distinct) ++placed[h];
  for (std::size_t h : constant) ++placed[h];
  const std::vector<std::size_t> firsts = placed;
  std::vector<std::pair<std::size_t, std::size_t>> equal;
  for (const Json& pair : array(step["equal"])) {
    array(pair, 2);
    equal.emplace_back(index(pair[0], problem_.H), index(pair[1], problem_.H));
    ensure(firsts[equal.back().first] != 0, "pairs whose first head is distinct or constant",
           count(equal.back().first));
    ++placed[equal.back().second];
  }
  for (std::size_t h = 0; h < problem_.H; ++h)
    ensure(placed[h] == 1, "every head in one place", "head " + count(h) + " in " + count(placed[h]));
  std::vector<std::vector<Rational>> reference;
  for (std::size_t h : constant) reference.push_back(reduced_logits(problem_, examined, h, 0));
  for (std::size_t t = 0; t < problem_.T; ++t) {
    for (const auto& [a, b] : equal) {
      ensure(reduced_logits(problem_, examined, a, t) == reduced_logits(problem_, examined, b, t),
             "equal heads " + count(a) + " and " + count(b), "different coefficients at example " + count(t));
    }
    for (std::size_t k = 0; k < constant.size(); ++k) {
      ensure(reduced_logits(problem_, examined, constant[k], t) == reference[k],
             "a constant head " + count(constant[k]), "other coefficients at example " + count(t));
    }
  }
  const std::size_t D = distinct.size(), a = hull_->dimension;
  const std::size_t span = hull_->linear ? a : std::min(a + 1, problem_.d);
  bound_rank(step["bound"], std::min(D * a + 1, D * span + (constant.empty() ? 0 : 1)));
}

namespace {

/// A vector over the group ring, from its non-zero entries at increasing positions.
std::map<std::size_t, Element> sparse_vector(const Json& value, std::size_t size, const Ring& ring,
                                             std::size_t max_power) {
  std::map<std::size_t, Element> result;
  Object object(value);
  for (const Json& entry : array(object["entries"])) {
    array(entry, 2);
    const std::size_t position = index(entry[0], size);
    ensure(result.empty() || position > result.rbegin()->first, "increasing positions", count(position));
    result.emplace(position, element(entry[1], ring, max_power));
  }
  object.done();
  return result;
}

void ensure_independent(const std::vector<std::map<std::size_t, Element>>& vectors, std::size_t size,
                        const Character& phi) {
  Matrix images;
  for (const auto& v : vectors) {
    images.emplace_back(size, 0);
    for (const auto& [position, entry] : v) images.back()[position] = entry.image(phi);
  }
  ensure(rows_independent(images, phi.p), "kernel vectors that are independent mod p", "dependent ones");
}

/// Sums of exponentials of one example and head, and what to multiply them with.
struct Softmax {
  std::vector<Rational> exponents;
  Element denominator;
};

Softmax softmax(const Problem& problem, const Layer& layer, std::size_t h, std::size_t t,
                std::size_t max_power) {
  Softmax result{reduced_logits(problem, layer, h, t), {}};
  for (const Rational& x : result.exponents) result.denominator.add(layer.ring, 1, x, max_power);
  return result;
}

/// factors[k] multiplied by the product of all denominators but that of k.
std::vector<Element> cross_multiplied(std::vector<Element> factors, const std::vector<Softmax>& parts,
                                      const Ring& ring, std::size_t max_power, Work& work) {
  for (std::size_t k = 0; k < factors.size(); ++k) {
    for (std::size_t other = 0; other < parts.size(); ++other) {
      if (other != k) factors[k] = factors[k].times(ring, parts[other].denominator, max_power, work);
    }
  }
  return factors;
}

}  // namespace

void ClaimChecker::right_kernel(Object& step) {
  const Layer& examined = layer(step["layer"]);
  const Ring& ring = examined.ring;
  const std::size_t width = problem_.H * problem_.d, max_power = policy_.max_power_of_two;
  const Character phi = character(ring, word(step["p"]), word(step["g"]));
  std::vector<std::map<std::size_t, Element>> vectors;
  for (const Json& value : array(step["vectors"]))
    vectors.push_back(sparse_vector(value, width, ring, max_power));
  ensure_independent(vectors, width, phi);
  Work work(policy_.max_terms, "the expansion of a kernel identity", kTermLimit);
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    std::map<std::size_t, std::vector<std::pair<std::size_t, const Element*>>>
        heads;  // (coordinate, x) of each head
    for (const auto& [col, x] : vectors[k]) heads[col / problem_.d].emplace_back(col % problem_.d, &x);
    for (std::size_t t = 0; t < problem_.T; ++t) {
      const auto tokens = problem_.context(t);
      std::vector<Softmax> parts;
      std::vector<Element> numerators;  // sum_i b^logit (E_i . x_h)
      for (const auto& [h, entries] : heads) {
        parts.push_back(softmax(problem_, examined, h, t, max_power));
        numerators.emplace_back();
        for (const auto& [coordinate, x] : entries) {
          Element weighted;
          for (std::size_t i = 0; i < problem_.n; ++i) {
            weighted.add(ring, (*tokens)[i][coordinate], parts.back().exponents[i], max_power);
          }
          numerators.back().add(weighted.times(ring, *x, max_power, work));
        }
      }
      Element sum;
      for (const Element& term : cross_multiplied(numerators, parts, ring, max_power, work)) sum.add(term);
      ensure(sum.zero(), "Z x = 0 for vector " + count(k), "another value in row " + count(t));
    }
  }
  bound_rank(step["bound"], width - vectors.size());
}

void ClaimChecker::left_kernel(Object& step) {
  const Layer& examined = layer(step["layer"]);
  const Ring& ring = examined.ring;
  const std::size_t max_power = policy_.max_power_of_two;
  const Character phi = character(ring, word(step["p"]), word(step["g"]));
  std::vector<std::map<std::size_t, Element>> vectors;
  for (const Json& value : array(step["vectors"]))
    vectors.push_back(sparse_vector(value, problem_.T, ring, max_power));
  ensure_independent(vectors, problem_.T, phi);
  Work work(policy_.max_terms, "the expansion of a kernel identity", kTermLimit);
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    for (std::size_t h = 0; h < problem_.H; ++h) {
      std::vector<Softmax> parts;
      std::vector<Element> factors;
      for (const auto& [t, y] : vectors[k]) {
        parts.push_back(softmax(problem_, examined, h, t, max_power));
        factors.push_back(y);
      }
      factors = cross_multiplied(factors, parts, ring, max_power, work);  // y_t prod_{t' != t} S_t'
      std::vector<Element> sums(problem_.d);
      std::size_t part = 0;
      for (const auto& entry : vectors[k]) {
        const auto tokens = problem_.context(entry.first);
        for (std::size_t j = 0; j < problem_.d; ++j) {
          Element weighted;
          for (std::size_t i = 0; i < problem_.n; ++i) {
            weighted.add(ring, (*tokens)[i][j], parts[part].exponents[i], max_power);
          }
          sums[j].add(factors[part].times(ring, weighted, max_power, work));
        }
        ++part;
      }
      for (const Element& sum : sums) {
        ensure(sum.zero(), "y^T Z = 0 for vector " + count(k), "another value in head " + count(h));
      }
    }
  }
  bound_rank(step["bound"], problem_.T - vectors.size());
}

// ------------------------------------------------------------------------------------------ queries and
// contexts

void ClaimChecker::kruskal_lower(Object& step) {
  const Word k = word(step["k"]), p = prime(step["p"]);
  const std::string& method = string(step["method"]);
  ensure(k <= problem_.T, "k <= " + count(problem_.T), count(k));
  Matrix queries;
  for (std::size_t t = 0; t < problem_.T; ++t)
    queries.push_back(residues(Vector(primitive(problem_.query(t)), 1), p));
  Work work(policy_.max_subsets, "the search through subsets of queries", "--max-subsets");
  bool independent = false;
  if (method == "subsets") {
    independent = subsets_independent(queries, k, p, work);
  } else {
    ensure(method == "dual", "the method subsets or dual", method.substr(0, 40));
    independent = subsets_independent_dual(queries, k, p, work);
  }
  ensure(independent, "independent queries mod p in every subset of " + count(k), "a dependent subset");
  facts_.kruskal_lower = std::max<std::size_t>(facts_.kruskal_lower, k);
}

void ClaimChecker::kruskal_upper(Object& step) {
  std::vector<std::size_t> subset;
  facts_.kruskal_upper = std::min(facts_.kruskal_upper, dependent_subset(step, subset) - 1);
}

void ClaimChecker::contexts_full_rank(Object& step) {
  const Word p = prime(step["p"]);
  for (std::size_t t = 0; t < (problem_.shared() ? 1 : problem_.T); ++t) {
    Matrix rows;
    for (const Vector& row : *problem_.context(t)) rows.push_back(residues(row, p));
    ensure(rows_independent(rows, p), "contexts of rank n mod p", "a smaller rank at example " + count(t));
  }
}

void ClaimChecker::context_dependent(Object& step) {
  dependent_context(step);
}

void ClaimChecker::contexts_differ(Object& step) {
  const std::size_t t = index(step["example"], problem_.T), i = index(step["token"], problem_.n),
                    j = index(step["coordinate"], problem_.d);
  const Rational first = (*problem_.context(0))[i][j];
  ensure((*problem_.context(t))[i][j] != first, "an entry that differs from that of context 0", text(first));
}

void ClaimChecker::token_sums_differ(Object& step) {
  const auto sum = [&](const Json& pair) {
    std::shared_ptr<const Context> keep;
    const Vector& entries = token(pair, keep);
    return dot(entries, Vector(std::vector<Integer>(entries.size(), 1), 1));
  };
  const Rational first = sum(step["first"]);
  ensure(first != sum(step["second"]), "tokens with different sums", text(first) + " twice");
}

void ClaimChecker::too_many_examples(Object&) {
  const std::size_t most = problem_.H * (problem_.r - 1) + 1;
  ensure(problem_.T > most, "more than " + count(most) + " examples", count(problem_.T));
}

void ClaimChecker::subset_too_large(Object&) {
  const std::size_t most = claim_.statement == "claim-1" ? problem_.r : problem_.r - 1;
  ensure(claim_.subset->size() > most, "a subset of more than " + count(most), count(claim_.subset->size()));
}

void ClaimChecker::subset_dependent(Object& step) {
  std::vector<std::size_t> subset;
  dependent_subset(step, subset);
  for (std::size_t t : subset) {
    ensure(std::count(claim_.subset->begin(), claim_.subset->end(), t) != 0, "members of the claim's subset",
           count(t));
  }
}

void ClaimChecker::subset_context_dependent(Object& step) {
  const std::size_t t = dependent_context(step);
  ensure(std::count(claim_.subset->begin(), claim_.subset->end(), t) != 0, "an example of the claim's subset",
         count(t));
}

// ------------------------------------------------------------------------------------------ constructed
// weights

void ClaimChecker::construction(Object& step) {
  ensure(!constructed_, "one step construction", "a second one");
  // A prime of the checker's own: queries that are independent modulo it are independent.
  constexpr Word kPrime = (Word{1} << 61) - 1;
  Layer built{"construction", Ring::of(*problem_.source.layer, true), {}};
  Constructed plan;
  std::set<std::size_t> earlier;  // rows of the heads so far
  const Json& list = array(step["heads"], problem_.H);
  for (std::size_t h = 0; h < problem_.H; ++h) {
    Object object(list[h]);
    const std::vector<std::size_t> fresh = distinct_indices(object["fresh"], problem_.T);
    const std::size_t most = h == 0 ? problem_.r : problem_.r - 1;
    ensure(fresh.size() <= most, "at most " + count(most) + " fresh examples in head " + count(h),
           count(fresh.size()));
    ensure_disjoint_from(fresh, earlier, "fresh examples that are not rows of earlier heads");

    Head head;
    const Json& keys = array(object["key"], fresh.size());
    const Json& queries = array(object["query"], fresh.size());
    for (std::size_t k = 0; k < fresh.size(); ++k) {
      head.push_back({vector(keys[k], problem_.d), vector(queries[k], problem_.d), 0});
    }
    std::optional<Vector> u, v;
    if (const Json* value = object.find("separator")) {
      Object separator(*value);
      u = vector(separator["u"], problem_.d);
      v = vector(separator["v"], problem_.d);
      head.push_back({combination({rational(separator["lambda"])}, {&*u}), *v, 0});
      separator.done();
    }
    ensure(head.size() <= problem_.d_h, "weights of rank at most " + count(problem_.d_h),
           count(head.size()) + " terms");
    built.heads.push_back(std::move(head));

    Matrix fresh_queries;
    const Json& rows_of_logits = array(object["logits"], fresh.size());
    for (std::size_t k = 0; k < fresh.size(); ++k) {
      const std::vector<Rational> found = logits(problem_, built, h, fresh[k]);
      const Json& stated = array(rows_of_logits[k], problem_.n);
      for (std::size_t i = 0; i < problem_.n; ++i) {
        ensure(found[i] == rational(stated[i]), "logit " + text(found[i]) + " at example " + count(fresh[k]),
               text(rational(stated[i])));
      }
      if (v)
        ensure(dot(*v, problem_.query(fresh[k])) == 0, "v . e_t = 0 at the fresh example " + count(fresh[k]),
               "not 0");
      fresh_queries.push_back(residues(Vector(primitive(problem_.query(fresh[k])), 1), kPrime));
    }
    ensure(rows_independent(fresh_queries, kPrime), "fresh queries that are independent mod 2^61 - 1",
           "dependent ones");
    if (u && !fresh.empty()) {
      for (std::size_t t : earlier) {
        ensure(dot(*v, problem_.query(t)) != 0, "v . e_t != 0 at the earlier row " + count(t), "0");
        std::vector<Rational> entries;
        for (const Vector& row : *problem_.context(t)) entries.push_back(dot(row, *u));
        ensure_different(entries, "different entries of E_t u", t);
      }
    }

    const std::vector<std::size_t> rows = distinct_indices(object["rows"], problem_.T);
    const std::vector<std::size_t> cols = distinct_indices(object["cols"], problem_.H * problem_.d);
    ensure(rows.size() == cols.size(), "as many columns as rows",
           count(rows.size()) + " and " + count(cols.size()));
    ensure_disjoint_from(rows, earlier, "rows that are not those of earlier heads");
    for (std::size_t t : fresh)
      ensure(std::count(rows.begin(), rows.end(), t) != 0, "fresh examples among the rows", count(t));
    for (std::size_t col : cols) ensure(col / problem_.d == h, "columns of head " + count(h), count(col));
    ensure(word(object["rank_before"]) == plan.rows.size(), "rank_before " + count(plan.rows.size()),
           object["rank_before"].dump());
    plan.rows.insert(plan.rows.end(), rows.begin(), rows.end());
    plan.cols.insert(plan.cols.end(), cols.begin(), cols.end());
    plan.blocks.push_back({plan.rows.size(), (plan.cols.size())});
    ensure(word(object["rank_after"]) == plan.rows.size(), "rank_after " + count(plan.rows.size()),
           object["rank_after"].dump());
    earlier.insert(rows.begin(), rows.end());
    object.done();
  }
  constructed_ = std::move(plan);
  layers_.emplace("construction", std::move(built));
  definition_ = sha256_hex(step_->dump());
}

/// A read-out uses the columns of the constructed layer's non-singular minor, which has all T rows.
void ClaimChecker::readout_columns(const std::vector<std::size_t>& cols) const {
  ensure(facts_.constructed_rank == problem_.T, "a character-minor of all T rows before this step",
         count(facts_.constructed_rank) + " rows");
  const std::set<std::size_t> minor(constructed_->cols.begin(), constructed_->cols.end());
  ensure(minor == std::set<std::size_t>(cols.begin(), cols.end()), "the columns of the minor",
         joined(cols).substr(0, 60));
}

void ClaimChecker::readout_enclosure(Object& step) {
  const std::vector<std::size_t> cols = distinct_indices(step["cols"], problem_.H * problem_.d);
  readout_columns(cols);
  const Word precision = word(step["precision"]);
  ensure(precision >= 1, "a precision of at least 1 bit", "0");
  std::vector<std::vector<Ball>> balls;
  for (const Json& row : array(step["weights"], problem_.T)) {
    balls.emplace_back();
    for (const Json& entry : array(row, problem_.d_out)) {
      Object ball(entry);
      balls.back().push_back({rational(ball["mid"]), rational(ball["rad"])});
      ball.done();
      ensure(balls.back().back().rad >= 0, "a radius >= 0", text(balls.back().back().rad));
    }
  }
  if (problem_.T > policy_.readout_limit) {
    throw LimitError("a read-out of " + count(problem_.T) + " examples exceeds the limit of " +
                     count(policy_.readout_limit) + "; --readout-limit raises it");
  }
  check_enclosure(problem_, layers_.at("construction"), cols, balls, precision, policy_);
}

void ClaimChecker::readout_exact(Object& step) {
  const std::vector<std::size_t> cols = distinct_indices(step["cols"], problem_.H * problem_.d);
  readout_columns(cols);
  std::vector<std::vector<Rational>> weights;
  for (const Json& row : array(step["weights"], problem_.T)) {
    weights.emplace_back();
    for (const Json& entry : array(row, problem_.d_out)) weights.back().push_back(rational(entry));
  }
  check_exact_readout(problem_, layers_.at("construction"), cols, weights, policy_);
}

ClaimWeights ClaimChecker::claim_weights(Object& step) const {
  ClaimWeights weights;
  weights.subset = *claim_.subset;
  const std::size_t size = weights.subset.size();
  const Json& right = array(step["right_inverses"], size);
  const Json& left = array(step["left_inverse"], size);
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t t = weights.subset[k];
    const auto tokens = problem_.context(t);
    weights.right.emplace_back();
    for (const Json& column : array(right[k], problem_.n))
      weights.right.back().push_back(vector(column, problem_.d));
    for (std::size_t i = 0; i < problem_.n; ++i) {
      for (std::size_t j = 0; j < problem_.n; ++j) {
        ensure(dot((*tokens)[i], weights.right.back()[j]) == (i == j ? 1 : 0),
               "E_t R = I at example " + count(t), "another entry [" + count(i) + ", " + count(j) + "]");
      }
    }
    weights.left.push_back(vector(left[k], problem_.d));
    for (std::size_t other = 0; other < size; ++other) {
      ensure(dot(weights.left.back(), problem_.query(weights.subset[other])) == (k == other ? 1 : 0),
             "L_k . e_t' = [t = t']", "another value for members " + count(k) + " and " + count(other));
    }
    weights.coefficients.emplace_back();
    Rational sum = 0;
    for (std::size_t i = 0; i < problem_.n; ++i) {
      weights.coefficients.back().push_back(to_rational(claim_.coefficients->at(k * problem_.n + i)));
      ensure(weights.coefficients.back().back() > 0, "positive coefficients in the case",
             "member " + count(k));
      sum += weights.coefficients.back().back();
    }
    ensure(sum == 1, "coefficients in the case that sum to 1", text(sum));
  }
  return weights;
}

void ClaimChecker::claim_1_weights(Object& step) {
  claim_weights(step);
}

void ClaimChecker::claim_2_weights(Object& step) {
  const ClaimWeights weights = claim_weights(step);
  const Vector u = vector(step["u"], problem_.d), v = vector(step["v"], problem_.d);
  const Rational lambda = rational(step["lambda"]), epsilon = to_rational(*claim_.epsilon);
  for (std::size_t t = 0; t < problem_.T; ++t) {
    const Rational factor = dot(v, problem_.query(t));
    if (std::count(weights.subset.begin(), weights.subset.end(), t) != 0) {
      ensure(factor == 0, "v . e_t = 0 at the member " + count(t), text(factor));
      continue;
    }
    std::vector<Rational> entries;
    for (const Vector& row : *problem_.context(t)) entries.push_back(dot(row, u) * factor);
    ensure_different(entries, "different entries of E_t u v . e_t", t);
    check_one_hot(problem_, weights, t, entries, lambda, epsilon, policy_);
  }
}

}  // namespace attest::checker
