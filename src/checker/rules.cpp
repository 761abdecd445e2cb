#include "checker/rules.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>

#include "checker/kruskal.hpp"
#include "checker/real.hpp"
#include "checker/spectrum.hpp"
#include "checker/split.hpp"
#include "input/text.hpp"

namespace attest::checker {
namespace {

/// `rows` and `cols` of a minor of a matrix of this size.
struct Minor {
  std::vector<std::size_t> rows, cols;

  Minor(Object& step, std::size_t height, std::size_t width)
      : rows(distinct_indices(step["rows"], height)), cols(distinct_indices(step["cols"], width)) {
    ENSURE(rows.size() == cols.size(), count(rows.size()) + " columns, as many as rows", count(cols.size()));
  }
};

/// "M" for "rank(M)" and kind "rank"; nothing when the quantity is of another kind.
std::optional<std::string> argument_of(const std::string& quantity, const std::string& kind) {
  if (!quantity.starts_with(kind + "(") || !quantity.ends_with(")")) return std::nullopt;
  return quantity.substr(kind.size() + 1, quantity.size() - kind.size() - 2);
}

/// "W" for "rank(Z(W))".
std::optional<std::string> layer_of(const std::string& quantity) {
  const std::optional<std::string> matrix = argument_of(quantity, "rank");
  return matrix ? argument_of(*matrix, "Z") : std::nullopt;
}

/// Quantities of Z(given) beside its rank: the rank with the labels as further columns, and the number of
/// different rows.
const char* const kWithLabels = "rank(Z|Y)";
const char* const kDifferentRows = "distinct(Z)";
bool beside_rank(const Problem& problem, const std::string& quantity) {
  ENSURE(quantity != kWithLabels || problem.source.data.labels.has_value(), "labels in the case", "none");
  return quantity == kWithLabels || quantity == kDifferentRows;
}

// --- vectors by their entries that are not 0

template <class Value>
using Sparse = std::vector<std::pair<std::size_t, Value>>;

Rational rational_of(const PowerSums::Scalar& value) {
  return value.at(0);
}

/// The vectors of a `zero`, of this length, which are independent under a character (with `g`) or mod p.
/// Without a ring they are rational.
std::vector<RingVector> independent_vectors(Object& step, std::size_t size, const Ring* number = nullptr) {
  const PowerSums ring{number != nullptr && number->two};
  std::vector<RingVector> result;
  for (const Json& entries : array(step["vectors"])) {
    result.emplace_back();
    std::size_t least = 0;
    for (const Json& entry : array(entries)) {
      array(entry, 2);
      const std::size_t position = index(entry[0], size);
      ENSURE(position >= least, "increasing positions", count(position));
      least = position + 1;
      if (number == nullptr) string(entry[1]);
      PowerSums::Scalar value = element(entry[1], ring);
      if (!value.empty()) result.back().emplace_back(position, std::move(value));
    }
  }
  ENSURE(result.size() <= size, "at most " + count(size) + " vectors", count(result.size()));
  std::optional<Character> character;
  if (const Json* g = number != nullptr ? step.find("g") : nullptr)
    character.emplace(*number, word(step["p"]), word(*g));
  const Word p = character ? character->p : prime(step["p"]);
  Matrix images(result.size(), size);
  for (std::size_t k = 0; k < result.size(); ++k) {
    for (const auto& [position, value] : result[k]) {
      ENSURE(character || (value.size() == 1 && value.begin()->first == 0),
             "rational values when there is no g", "a sum of powers");
      images[k][position] = character ? character->image(value) : residue(rational_of(value), p);
    }
  }
  ENSURE(rows_independent(std::move(images), p), "vectors that are independent mod p", "dependent ones");
  return result;
}

// --- identities in a group ring

/// Multiplies factors[k] by the sums of all heads but heads[k].
template <class Group>
void multiply_by_other_sums(const GroupRing<Group>& ring,
                            const std::vector<Attention<GroupRing<Group>>>& heads,
                            std::vector<typename GroupRing<Group>::Scalar>& factors) {
  for (std::size_t k = 0; k < factors.size(); ++k) {
    for (std::size_t other = 0; other < heads.size(); ++other) {
      if (other != k) factors[k] = ring.multiply(factors[k], heads[other].sum);
    }
  }
}

/// Whether sum_t y_t (row t of one head of Z) = 0, the logits of example t given by `logits`.
template <class Group, class Logits>
bool annihilates_from_left(const GroupRing<Group>& ring, const Problem& problem,
                           const Sparse<typename GroupRing<Group>::Scalar>& y, Logits logits_of) {
  std::vector<Attention<GroupRing<Group>>> heads;
  std::vector<typename GroupRing<Group>::Scalar> factors;
  for (const auto& [t, value] : y) {
    heads.push_back(attention(ring, logits_of(t)));
    factors.push_back(value);
  }
  multiply_by_other_sums(ring, heads, factors);
  for (std::size_t j = 0; j < problem.d; ++j) {
    typename GroupRing<Group>::Scalar sum;
    for (std::size_t k = 0; k < y.size(); ++k) {
      const auto entry = numerator(ring, heads[k], coordinate(problem.context(y[k].first), j));
      ring.add(sum, ring.multiply(factors[k], entry), 1);
    }
    if (!sum.empty()) return false;
  }
  return true;
}

/// Whether row t of Z times x is 0.
bool annihilates_from_right(const PowerSums& ring, const Problem& problem, const Layer& layer, std::size_t t,
                            const Sparse<PowerSums::Scalar>& x) {
  const Context tokens = problem.context(t);
  std::vector<Attention<PowerSums>> heads;
  std::vector<PowerSums::Scalar> numerators;
  std::size_t last = problem.H;
  for (const auto& [col, value] : x) {
    const std::size_t h = col / problem.d;
    if (h != last) {
      heads.push_back(attention(ring, logits(problem, layer, h, t)));
      numerators.emplace_back();
      last = h;
    }
    const PowerSums::Scalar entry = numerator(ring, heads.back(), coordinate(tokens, col % problem.d));
    ring.add(numerators.back(), ring.multiply(entry, value), 1);
  }
  multiply_by_other_sums(ring, heads, numerators);
  PowerSums::Scalar sum;
  for (const PowerSums::Scalar& term : numerators) ring.add(sum, term, 1);
  return sum.empty();
}

// --- weights that a step gives

bool all_different(std::vector<Rational> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

/// Ensures that v . e_t = 0 on the subset, and that the entries of (E_t u)(v . e_t) are different for every
/// other t, which it hands to `visit`.
void ensure_separates(const Problem& problem, const std::vector<std::size_t>& subset, const Vector& u,
                      const Vector& v, const std::function<void(std::size_t, std::vector<Rational>)>& visit) {
  const std::set<std::size_t> members(subset.begin(), subset.end());
  for (std::size_t t = 0; t < problem.T; ++t) {
    if (members.count(t) != 0) {
      ENSURE(dot(v, problem.query(t)) == 0, "v . e_t = 0 at the member " + count(t), "another value");
      continue;
    }
    std::vector<Rational> entries = separated(problem, u, v, t);
    ENSURE(all_different(entries), "different entries of (E_t u)(v . e_t)",
           "equal ones at example " + count(t));
    visit(t, std::move(entries));
  }
}

/// The weights of Claims 1 and 2, with their conditions on inverses. `most`: members of the subset.
PrescribedWeights prescribed_weights(Object& step, const Problem& problem, const Claim& claim,
                                     std::size_t most) {
  PrescribedWeights weights;
  const std::vector<std::size_t>& subset = claim.subset();
  const ExactArray& coefficients = claim.array("coefficients");
  ENSURE(subset.size() <= most, "a subset of at most " + count(most), count(subset.size()));
  const Json& right = array(step["right_inverses"], subset.size());
  weights.left = vectors(step["left_inverse"], subset.size(), problem.d);
  for (std::size_t k = 0; k < subset.size(); ++k) {
    const Context tokens = problem.context(subset[k]);
    weights.right.push_back(vectors(right[k], problem.n, problem.d));
    for (std::size_t i = 0; i < problem.n; ++i) {
      for (std::size_t j = 0; j < problem.n; ++j) {
        ENSURE(dot(tokens[i], weights.right[k][j]) == (i == j ? 1 : 0), "E_t R = I at member " + count(k),
               "another entry [" + count(i) + ", " + count(j) + "]");
      }
    }
    for (std::size_t other = 0; other < subset.size(); ++other) {
      ENSURE(dot(weights.left[k], problem.query(subset[other])) == (k == other ? 1 : 0),
             "L_k . e_t' = [t = t']", "another value for members " + count(k) + " and " + count(other));
    }
    weights.coefficients.emplace_back();
    for (std::size_t i = 0; i < problem.n; ++i)
      weights.coefficients.back().push_back(coefficients.at(k * problem.n + i));
  }
  return weights;
}

std::vector<std::vector<Rational>> rational_matrix(const Json& value, std::size_t rows, std::size_t cols) {
  std::vector<std::vector<Rational>> result;
  for (const Json& row : array(value, rows)) result.push_back(rationals(row, cols));
  return result;
}

std::string name_of(const Json& layer) {
  return layer.is_string() && string(layer) == "given" ? "given" : count(word(layer));
}

}  // namespace

ClaimChecker::ClaimChecker(const Problem& problem, const Claim& claim)
    : problem_(problem),
      claim_(claim),
      computed_(computed_quantities(problem, claim,
                                    [this](const std::string& name) -> const Layer& { return layer(name); })),
      facts_(computed_) {}

const Fact& ClaimChecker::check(const Json& value) {
  struct Rule {
    const char *name, *of;           ///< no quantity: the rule reads it itself
    std::vector<const char*> needs;  ///< arguments of the claim, and which value one has
    Fact (ClaimChecker::*check)(Object&);
  };
  using This = ClaimChecker;
  static const std::vector<Rule> rules = {
      {"let", nullptr, {}, &This::let},
      {"minor", nullptr, {}, &This::minor},
      {"zero", nullptr, {}, &This::zero},
      {"subsets", nullptr, {}, &This::subsets},
      {"compare", "separator", {"subset"}, &This::separator},
      {"compare", "network(given)", {"neurons", "labels=given"}, &This::network},
      {"compare", "perturbation", {"a", "b"}, &This::perturbation},
      {"ball", "saturated", {"threshold"}, &This::saturated},
      {"ball", "numerical_rank", {"tolerance"}, &This::numerical_rank},
      {"ball", "accurate", {}, &This::accurate},
      {"ball", "vertex_limit", {"w_prime", "w_star", "example", "epsilon"}, &This::vertex_limit},
      {"ball", "one_hot", {"subset", "coefficients", "epsilon"}, &This::one_hot},
      {"inverse", "weights", {"subset", "coefficients"}, &This::weights},
      {"inverse", "readout", {}, &This::readout},
      {"inverse", "tail_rank", {}, &This::tail_rank},
      {"split", "network(given)", {"neurons", "labels=given"}, &This::split},
      {"theorem", nullptr, {}, &This::theorem}};
  Object step(value);
  const std::string& name = string(step["rule"]);
  const auto named = [&](const Rule& rule) { return rule.name == name; };
  auto rule = std::find_if(rules.begin(), rules.end(), named);
  ENSURE(rule != rules.end(), "a rule", in_quotes(name));
  if (rule->of != nullptr) {
    const std::string& of = string(step["of"]);
    rule = std::find_if(rule, rules.end(), [&](const Rule& each) { return named(each) && each.of == of; });
    ENSURE(rule != rules.end(), "a quantity of the rule " + name, in_quotes(of));
  }
  for (const char* argument : rule->needs)
    ENSURE(counts(argument, claim_), "a claim with " + std::string(argument),
           "a claim of " + claim_.statement);
  const std::string& stated = string(step["fact"]);
  if (const Json* label = step.find("label")) string(*label);
  Fact fact = (this->*rule->check)(step);
  step.done();
  ENSURE(stated == fact.text(), "the fact " + fact.text(), in_quotes(stated));
  facts_.add(fact);
  proved_.push_back(std::move(fact));
  return proved_.back();
}

const Layer& ClaimChecker::layer(const std::string& name) {
  const auto found = layers_.find(name);
  if (found != layers_.end()) return found->second;
  ENSURE(name == "given", "a layer that is given or of an earlier let", in_quotes(name));
  return layers_.emplace(name, given_layer(problem_)).first->second;
}

const Layer& ClaimChecker::built_layer(const Json& number) {
  const Layer& result = layer(count(word(number)));
  ENSURE(result.ring.absorbed, "a layer that is defined by its heads", "a random one");
  return result;
}

Rows ClaimChecker::kruskal_vectors(const std::string& name) const {
  ENSURE(name == "queries" || name == "mixed-queries", "queries or mixed-queries", in_quotes(name));
  return family(problem_, claim_, name).member(0);
}

const Fact& ClaimChecker::used(const Json& number) const {
  return proved_[index(number, proved_.size())];
}

// --- let

Fact ClaimChecker::let(Object& step) {
  Object definition(step["layer"]);
  ENSURE(problem_.source.layer.has_value(), "a case with [layer]", "none");
  Layer layer{Ring::of(*problem_.source.layer, true), {}};
  if (const Json* random = definition.find("random")) {
    Object object(*random);
    const Word bound = word(object["bound"]), seed = word(object["seed"]);
    object.done();
    // The ranges of case files.
    ENSURE(bound >= 1 && bound <= (Word{1} << 62), "a bound from 1 to 2^62", count(bound));
    ENSURE(seed < (Word{1} << 63), "a seed below 2^63", count(seed));
    layer = random_layer(problem_, bound, seed);
  } else if (const Json* rescaled = definition.find("rescaled")) {
    Object object(*rescaled);
    layer = built_layer(object["of"]);
    const Rational lambda = rational(object["lambda"]);
    object.done();
    for (Head& head : layer.heads) {
      if (head.lambda) head.lambda = lambda;
    }
  } else {
    for (const Json& value : array(definition["heads"], problem_.H)) {
      Object object(value);
      Head head;
      head.key = vectors(object["key"], array(object["key"]).size(), problem_.d);
      head.query = vectors(object["query"], head.key.size(), problem_.d);
      if (const Json* separator = object.find("separator")) {
        Object parts(*separator);
        head.key.push_back(vector(parts["u"], problem_.d));
        head.query.push_back(vector(parts["v"], problem_.d));
        head.lambda = rational(parts["lambda"]);
        parts.done();
      }
      object.done();
      ENSURE(head.key.size() <= problem_.d_h, "weights of rank at most " + count(problem_.d_h),
             count(head.key.size()) + " terms");
      layer.heads.push_back(std::move(head));
    }
  }
  definition.done();
  const std::string name = count(proved_.size());
  layers_.emplace(name, std::move(layer));
  return {Fact::Kind::layer, "Z(" + name + ")", 0};
}

// --- minor

Fact ClaimChecker::minor(Object& step) {
  const std::string& of = string(step["of"]);
  if (const std::optional<std::string> name = layer_of(of)) return minor_of_layer(step, of, layer(*name));
  if (beside_rank(problem_, of)) return minor_of_layer(step, of, layer("given"));
  const std::optional<std::string> matrix = argument_of(of, "rank");
  ENSURE(matrix.has_value(), "the rank of a matrix", in_quotes(of));
  const Family members = family(problem_, claim_, *matrix);
  const Word p = prime(step["p"]);
  if (members.several) {
    std::size_t height = 0;
    for (std::size_t k = 0; k < members.size; ++k) {
      const Rows rows = members.member(k);
      height = rows.size();
      ENSURE(rows_independent(rows.residues(p, all_below(height), all_below(rows.width())), p),
             "rows that are independent mod p in every member", "dependent ones in member " + count(k));
    }
    return Fact::at_least(of, height);
  }
  const Rows rows = members.member(0);
  const Minor minor(step, rows.size(), rows.width());
  ENSURE(rows_independent(rows.residues(p, minor.rows, minor.cols), p), "a minor that is not 0 mod p",
         "a singular one");
  return Fact::at_least(of, minor.rows.size());
}

Fact ClaimChecker::minor_of_layer(Object& step, const std::string& of, const Layer& examined) {
  const Character character(examined.ring, word(step["p"]), word(step["g"]));
  const std::size_t width = problem_.H * problem_.d;
  if (of == kDifferentRows) {
    const auto rows = distinct_indices(step["rows"], problem_.T),
               cols = distinct_indices(step["cols"], width);
    const Matrix image = minor_of_z(problem_, examined, character, rows, cols);
    std::set<std::vector<Word>> different;
    for (std::size_t i = 0; i < image.rows; ++i) different.emplace(image[i], image[i] + image.cols);
    meter().work(image.data.size() * 20);
    ENSURE(different.size() == rows.size(), "rows that are different mod p", "equal ones");
    return Fact::at_least(of, rows.size());
  }
  const Minor minor(step, problem_.T, width + (of == kWithLabels ? problem_.d_out : 0));
  std::vector<std::size_t> of_z;  // the other columns are labels
  std::copy_if(minor.cols.begin(), minor.cols.end(), std::back_inserter(of_z),
               [width](std::size_t col) { return col < width; });
  const Matrix z = of_z.empty() ? Matrix() : minor_of_z(problem_, examined, character, minor.rows, of_z);
  Matrix image(minor.rows.size(), minor.cols.size());
  for (std::size_t i = 0; i < image.rows; ++i) {
    for (std::size_t j = 0, next = 0; j < image.cols; ++j)
      image[i][j] = minor.cols[j] < width
                        ? z[i][next++]
                        : residue(problem_.label(minor.rows[i], minor.cols[j] - width, false), character.p);
  }
  ENSURE(rows_independent(std::move(image), character.p), "a minor that is not 0 mod p", "a singular one");
  return Fact::at_least(of, minor.rows.size());
}

// --- zero

Fact ClaimChecker::zero(Object& step) {
  const std::string &of = string(step["of"]), &side = string(step["side"]);
  const std::optional<std::string> layer_name = layer_of(of), vectors = argument_of(of, "kruskal"),
                                   matrix = argument_of(of, "rank");
  const bool of_given = beside_rank(problem_, of), left_only = of == "capacity" || vectors || of_given,
             right = side == "right";
  ENSURE(side == "left" || (right && !left_only), left_only ? "the side left" : "the side right or left",
         in_quotes(side));
  if (layer_name || of_given) return zero_of_layer(step, of, layer(of_given ? "given" : *layer_name), right);
  if (of == "capacity") {
    const std::vector<RingVector> kernel = independent_vectors(step, problem_.T);
    zero_of_all_weights(kernel);
    return Fact::at_most(of, problem_.T - kernel.size());
  }
  if (vectors) {
    array(step["vectors"], 1);
    const std::vector<RingVector> kernel = zero_of_rows(step, kruskal_vectors(*vectors), false);
    return Fact::at_most(of, kernel[0].size() - 1);  // not 0 mod p
  }
  ENSURE(matrix.has_value(), "the rank of a matrix, a Kruskal rank or the capacity", in_quotes(of));
  const Family members = family(problem_, claim_, *matrix);
  const Json* member = members.several ? step.find("member") : nullptr;
  ENSURE(members.size > 0, "a family with a member", "none, as the subset is empty");
  const Rows rows = members.member(member != nullptr ? index(*member, members.size) : 0);
  const std::size_t dependent = zero_of_rows(step, rows, right).size();
  return Fact::at_most(of, (right ? rows.width() : rows.size()) - dependent);
}

std::vector<RingVector> ClaimChecker::zero_of_rows(Object& step, const Rows& rows, bool right) const {
  const std::size_t size = right ? rows.width() : rows.size();
  std::vector<RingVector> kernel = independent_vectors(step, size);
  std::vector<Vector> columns;  // of the right side
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    std::vector<Rational> entries(right ? size : 0), factors;
    std::vector<Vector> used_rows;
    for (const auto& [position, value] : kernel[k]) {
      if (right) {
        entries[position] = rational_of(value);
      } else {
        factors.push_back(rational_of(value));
        used_rows.push_back(rows.exact(position));
      }
    }
    if (right) columns.emplace_back(entries);
    ENSURE(right || is_zero(combination(factors, used_rows)), "y M = 0 for vector " + count(k),
           "another vector");
  }
  for (std::size_t i = 0; !columns.empty() && i < rows.size(); ++i) {
    const Vector row = rows.exact(i);
    for (std::size_t k = 0; k < columns.size(); ++k)
      ENSURE(dot(row, columns[k]) == 0, "M x = 0 for vector " + count(k), "another value in row " + count(i));
  }
  return kernel;
}

Fact ClaimChecker::zero_of_layer(Object& step, const std::string& of, const Layer& examined, bool right) {
  const std::size_t size = right ? problem_.H * problem_.d : problem_.T;
  const PowerSums ring{examined.ring.two};
  const std::vector<RingVector> kernel = independent_vectors(step, size, &examined.ring);
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    // Independent multiples of e_s - e_t are the edges of a forest, each of which joins two equal rows.
    if (of == kDifferentRows) {
      PowerSums::Scalar sum;
      for (const auto& [t, value] : kernel[k]) ring.add(sum, value, 1);
      ENSURE(kernel[k].size() == 2 && sum.empty(), "a multiple of e_s - e_t as vector " + count(k),
             "another");
    }
    for (std::size_t t = 0; right && t < problem_.T; ++t)
      ENSURE(annihilates_from_right(ring, problem_, examined, t, kernel[k]), "Z x = 0 for vector " + count(k),
             "another value in row " + count(t));
    for (std::size_t h = 0; !right && h < problem_.H; ++h) {
      const auto logits_of = [&](std::size_t t) { return logits(problem_, examined, h, t); };
      ENSURE(annihilates_from_left(ring, problem_, kernel[k], logits_of), "y Z = 0 for vector " + count(k),
             "another value in head " + count(h));
    }
    for (std::size_t o = 0; of == kWithLabels && o < problem_.d_out; ++o) {
      PowerSums::Scalar sum;
      for (const auto& [t, value] : kernel[k]) ring.add(sum, value, problem_.label(t, o, false));
      ENSURE(sum.empty(), "y Y = 0 for vector " + count(k), "another value in column " + count(o));
    }
  }
  return Fact::at_most(of, size - kernel.size());
}

/// The logit of token i is the inner product of W with E_{t,i} e_t^T, so an identity between sums of powers
/// of these matrices holds for every W, and in every head.
void ClaimChecker::zero_of_all_weights(const std::vector<RingVector>& kernel) const {
  const GroupRing<Vector> ring;
  const std::size_t d = problem_.d;
  const auto exponents = [&](std::size_t t) {
    const Vector query = problem_.query(t);
    std::vector<Vector> result;
    for (const Vector& token : problem_.context(t)) {
      std::vector<Integer> products;
      for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t k = 0; k < d; ++k) products.push_back(token.num[j] * query.num[k]);
      }
      result.emplace_back(std::move(products), token.den * query.den);
    }
    return result;
  };
  const Vector zero(std::vector<Integer>(d * d), 1);
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    Sparse<GroupRing<Vector>::Scalar> y;
    for (const auto& [t, value] : kernel[k]) y.push_back({t, {{zero, rational_of(value)}}});
    ENSURE(annihilates_from_left(ring, problem_, y, exponents),
           "y Z = 0 for all weights, for vector " + count(k), "another value");
  }
}

// --- subsets

Fact ClaimChecker::subsets(Object& step) {
  const std::string& of = string(step["of"]);
  const std::optional<std::string> name = argument_of(of, "kruskal");
  ENSURE(name.has_value(), "a Kruskal rank", in_quotes(of));
  const Rows vectors = kruskal_vectors(*name);
  const Word k = word(step["k"]), p = prime(step["p"]);
  const std::string& method = string(step["method"]);
  ENSURE(method == "subsets" || method == "dual", "the method subsets or dual", in_quotes(method));
  ENSURE(k <= vectors.size(), "k <= " + count(vectors.size()), count(k));
  Matrix images(vectors.size(), problem_.d);
  for (std::size_t t = 0; t < vectors.size(); ++t) residues(primitive(vectors.exact(t)), p, images[t]);
  ENSURE(method == "subsets" ? subsets_independent(images, k, p) : subsets_independent_dual(images, k, p),
         "independent vectors mod p in every subset of " + count(k), "a dependent subset");
  return Fact::at_least(of, k);
}

// --- compare

Fact ClaimChecker::separator(Object& step) {
  const Vector u = vector(step["u"], problem_.d), v = vector(step["v"], problem_.d);
  ENSURE(!is_zero(u) && !is_zero(v), "u and v other than 0", "0");
  ensure_separates(problem_, claim_.subset(), u, v, [](std::size_t, const std::vector<Rational>&) {});
  return Fact::at_least("separator", 1);
}

Fact ClaimChecker::network(Object& step) {
  const std::size_t size = (problem_.n + 1) * problem_.d;
  struct Neuron {
    Vector weights;  ///< and the bias
    Rational factor;
  };
  std::vector<Neuron> neurons;
  for (const Json& value : array(step["neurons"], claim_.size("neurons"))) {
    Object neuron(value);
    std::vector<Rational> weights = rationals(neuron["w"], size);
    weights.push_back(rational(neuron["b"]));
    neurons.push_back({Vector(weights), rational(neuron["a"])});
    neuron.done();
  }
  const Rational bias = claim_.flag("output_bias") ? rational(step["output_bias"]) : Rational(0);
  for (std::size_t t = 0; t < problem_.T; ++t) {
    const Vector input = input_and_one(problem_, t, false);
    Rational output = bias;
    for (const Neuron& neuron : neurons) {
      const Rational value = dot(neuron.weights, input);
      if (value > 0) output += neuron.factor * value;
    }
    const Rational label = problem_.label(t, 0, false);
    ENSURE(output == label, "the output " + text(label) + " at example " + count(t), text(output));
  }
  return Fact::at_least("network(given)", 1);
}

Fact ClaimChecker::perturbation(Object& step) {
  const Rational mu = rational(step["mu"]);
  const std::string& side = string(step["side"]);
  const Fact& rank = used(array(step["uses"], 1)[0]);
  const bool holds = side == "holds";
  ENSURE(mu > 0, "a positive mu", text(mu));
  ENSURE(holds || side == "fails", "the side holds or fails", in_quotes(side));
  ENSURE(rank.quantity == "rank(a)" && rank.kind == (holds ? Fact::Kind::at_most : Fact::Kind::at_least),
         std::string("a fact rank(a) ") + (holds ? "<= k" : ">= k"), rank.text());
  const Rows a = family(problem_, claim_, "a").member(0), b = family(problem_, claim_, "b").member(0);
  const std::vector<Vector> rows = a.exact();
  std::vector<Vector> difference;
  for (std::size_t i = 0; i < rows.size(); ++i)
    difference.push_back(combination({1, -1}, {rows[i], b.exact(i)}));
  const EigenvalueCount moved = count_eigenvalues(gram(difference), mu);
  const std::size_t reached = moved.above + moved.equal, kept = count_eigenvalues(gram(rows), mu).above;
  if (holds) {
    ENSURE(reached == 0, "eigenvalues of S below mu", count(reached) + " others");
    ENSURE(kept >= rank.bound, rank.bound.get_str() + " eigenvalues of G above mu", count(kept));
    return Fact::at_least("perturbation", 1);
  }
  ENSURE(reached > 0, "an eigenvalue of S that is at least mu", "none");
  ENSURE(kept < rank.bound, "fewer than " + rank.bound.get_str() + " eigenvalues of G above mu", count(kept));
  return Fact::at_most("perturbation", 0);
}

// --- ball

/// A number of `all` that are shown to be above, or else below; `found` counts at a precision.
Fact ClaimChecker::counted(Object& step, std::size_t all, const std::string& what,
                           const std::function<std::size_t(bool above, std::size_t precision)>& found) {
  const std::string &of = string(step["of"]), &side = string(step["side"]);
  ENSURE(side == "above" || side == "below", "the side above or below", in_quotes(side));
  const std::size_t number = word(step["count"]), precision = word(step["precision"]);
  ENSURE(precision <= 1 << 16, "at most 65536 bits", count(precision));
  const std::size_t shown = found(side == "above", precision);
  ENSURE(shown >= number, count(number) + " " + what, count(shown));
  return side == "above" ? Fact::at_least(of, number) : Fact::at_most(of, Integer(all) - number);
}

Fact ClaimChecker::saturated(Object& step) {
  const Layer& given = layer("given");
  const std::size_t first = claim_.has("head") ? claim_.integer("head").get_ui() : 0,
                    heads = claim_.has("head") ? 1 : problem_.H;
  return counted(
      step, problem_.T * heads, "pairs of head and example", [&](bool above, std::size_t precision) {
        std::size_t found = 0;
        for (std::size_t h = first; h < first + heads; ++h)
          found +=
              count_largest_coefficients(problem_, given, h, claim_.number("threshold"), above, precision);
        return found;
      });
}

Fact ClaimChecker::accurate(Object& step) {
  ENSURE(claim_.spec->needs_part("whole"), "a claim about a whole layer", "a claim of " + claim_.statement);
  const Layer& given = layer("given");
  return counted(step, problem_.T, "examples", [&](bool right, std::size_t precision) {
    return count_examples(problem_, claim_, given, right, precision);
  });
}

Fact ClaimChecker::numerical_rank(Object& step) {
  const Layer& given = layer("given");
  const std::string& side = string(step["side"]);
  ENSURE(side == "above" || side == "below", "the side above or below", in_quotes(side));
  const bool above = side == "above";
  const Word bits = word(step["bits"]);
  ENSURE(bits <= 1 << 16, "at most 65536 bits", count(bits));
  const std::size_t width = problem_.H * problem_.d, size = std::min(problem_.T, width);
  IntegerMatrix x;
  for (const Json& row : array(step["vectors"])) {
    x.emplace_back();
    for (const Json& entry : array(row, size)) x.back().push_back(integer(entry));
  }
  ENSURE(!x.empty(), "a vector", "none");
  if (!enclosed_ || enclosed_->first != bits) enclosed_.emplace(bits, enclosed_z(problem_, given, bits));
  const EnclosedZ& z = enclosed_->second;
  // How far a singular value of 2^bits Z can be from one of the integers: at most radius sqrt(T H d).
  const Integer distance = z.radius * (sqrt(Integer(problem_.T) * width) + 1);
  const Rational scaled = claim_.number("tolerance") * Rational(Integer(1) << bits);
  const Integer theta = above ? Integer(floor(scaled) + 1 + distance) : Integer(floor(scaled) - distance);
  ENSURE(theta > 0, "bits enough to tell the tolerance from 0", count(bits));
  ENSURE(dominant(x, z.entries, problem_.T > width, theta, above),
         "a diagonally dominant matrix X (C C^T - theta^2 I) X^T, or its negative", "another one");
  return above ? Fact::at_least("numerical_rank", x.size())
               : Fact::at_most("numerical_rank", Integer(size) - x.size());
}

Fact ClaimChecker::vertex_limit(Object& step) {
  const std::vector<Rational> x = products(problem_, claim_.array("w_prime"), claim_.size("example"));
  const std::vector<Rational> y = products(problem_, claim_.array("w_star"), claim_.size("example"));
  const std::size_t vertex = index(step["vertex"], problem_.n);
  const Rational lambda = rational(step["lambda"]);
  ENSURE(lambda > 0, "a positive lambda", text(lambda));
  std::vector<Rational> exponents;
  for (std::size_t i = 0; i < problem_.n; ++i) {
    if (i == vertex) continue;
    ENSURE(x[vertex] > x[i], "the largest entry of E W' e at the vertex", "none smaller at " + count(i));
    exponents.push_back(y[i] - y[vertex] - lambda * (x[vertex] - x[i]));
  }
  check_exponential_sum(exponents, problem_.source.layer->base == Base::two, claim_.number("epsilon"));
  return Fact::at_least("vertex_limit", 1);
}

Fact ClaimChecker::one_hot(Object& step) {
  const std::size_t r = std::min(problem_.n, problem_.d_h);
  const PrescribedWeights weights = prescribed_weights(step, problem_, claim_, r - 1);
  const Vector u = vector(step["u"], problem_.d), v = vector(step["v"], problem_.d);
  const Rational lambda = rational(step["lambda"]);
  ensure_separates(problem_, claim_.subset(), u, v, [&](std::size_t t, std::vector<Rational> entries) {
    if (problem_.n == 1) return;  // the only coefficient is 1
    std::sort(entries.rbegin(), entries.rend());
    check_one_hot(problem_, weights, t, entries[0] - entries[1], lambda, claim_.number("epsilon"));
  });
  return Fact::at_least("one_hot", 1);
}

// --- inverse

Fact ClaimChecker::weights(Object& step) {
  prescribed_weights(step, problem_, claim_, std::min(problem_.n, problem_.d_h));
  return Fact::at_least("weights", 1);
}

Fact ClaimChecker::readout(Object& step) {
  const Layer& examined = built_layer(step["layer"]);
  const std::size_t T = problem_.T;
  const std::vector<std::size_t> cols = distinct_indices(step["cols"], problem_.H * problem_.d);
  ENSURE(cols.size() == T, count(T) + " columns", count(cols.size()));
  const bool skip_connection = claim_.statement == "skip-connection";
  const Json& weights = array(step["weights"], T);
  if (const Json* inverse = step.find("inverse")) {
    const Word precision = word(step["precision"]);
    ENSURE(precision <= 1 << 16, "at most 65536 bits", count(precision));
    std::vector<std::vector<Ball>> balls;
    for (const Json& row : weights) {
      balls.emplace_back();
      for (const Json& entry : array(row, problem_.d_out)) {
        Object ball(entry);
        balls.back().push_back({rational(ball["mid"]), rational(ball["rad"])});
        ball.done();
      }
    }
    check_enclosed_readout(problem_, examined, cols, rational_matrix(*inverse, T, T), balls, precision,
                           skip_connection);
  } else {
    check_exact_readout(problem_, examined, cols, rational_matrix(weights, T, problem_.d_out),
                        skip_connection);
  }
  return Fact::at_least("readout", 1);
}

Fact ClaimChecker::tail_rank(Object& step) {
  const Layer& examined = built_layer(step["layer"]);
  const auto [rows, cols] = Minor(step, problem_.T, problem_.H * problem_.d);
  const Rational lambda = rational(step["lambda"]);
  ENSURE(lambda > 0, "a positive lambda", text(lambda));
  const std::vector<Rational> scale = rationals(step["scale"], rows.size());
  for (const Rational& w : scale) ENSURE(w > 0, "positive factors w", text(w));
  check_tail_rank(problem_, examined, lambda, rows, cols,
                  rational_matrix(step["inverse"], rows.size(), rows.size()), scale);
  return Fact::at_least("tail_rank", rows.size());
}

// --- split and theorem

Fact ClaimChecker::split(Object& step) {
  check_trees(problem_, claim_, step["trees"]);
  return Fact::at_most("network(given)", 0);
}

Fact ClaimChecker::theorem(Object& step) {
  const std::string& name = string(step["theorem"]);
  const Theorem* const schema = find_theorem(name);
  ENSURE(schema != nullptr, "a theorem of the table", in_quotes(name));
  std::vector<Fact> facts;
  for (const Json& number : array(step["uses"])) facts.push_back(used(number));
  std::string layer_name;
  if (const Json* which = step.find("layer")) {
    layer_name = name_of(*which);
    layer(layer_name);  // exists
  }
  try {
    return apply_theorem(*schema, facts, layer_name, computed_);
  } catch (const Inapplicable& refusal) {
    ENSURE(false, refusal.expected, refusal.found);
    throw;
  }
}

}  // namespace attest::checker
