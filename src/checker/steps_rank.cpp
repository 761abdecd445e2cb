// Steps about the rank of Z: minors, hulls, equal heads, kernels.
#include <algorithm>

#include "checker/kruskal.hpp"
#include "checker/steps.hpp"
#include "input/sha256.hpp"

namespace attest::checker {
namespace {

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

}  // namespace

// of Z

void ClaimChecker::character_minor(Object& step) {
  const Layer& examined = layer(step["layer"]);
  theorem(examined.ring.theorem);
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
  if (examined.name == "rescaled") rescaled_minor(step, size);

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
  if (examined.name != "rescaled") facts_.rank_lower = std::max(facts_.rank_lower, size);
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
  // The ranges of case files.
  ensure(bound >= 1 && bound <= (Word{1} << 62), "a bound from 1 to 2^62", count(bound));
  ensure(seed < (Word{1} << 63), "a seed below 2^63", count(seed));
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
  theorem(examined.ring.theorem);
  const Character phi = character(ring, word(step["p"]), word(step["g"]));
  std::vector<std::map<std::size_t, Element>> vectors;
  for (const Json& value : array(step["vectors"]))
    vectors.push_back(sparse_vector(value, width, ring, max_power));
  ensure_independent(vectors, width, phi);
  Work work(policy_.max_terms, "the expansion of a kernel identity", "--max-terms");
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
  theorem(examined.ring.theorem);
  const Character phi = character(ring, word(step["p"]), word(step["g"]));
  std::vector<std::map<std::size_t, Element>> vectors;
  for (const Json& value : array(step["vectors"]))
    vectors.push_back(sparse_vector(value, problem_.T, ring, max_power));
  ensure_independent(vectors, problem_.T, phi);
  Work work(policy_.max_terms, "the expansion of a kernel identity", "--max-terms");
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

}  // namespace attest::checker
