#include "kernel/rules.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "kernel/arithmetic/kruskal.hpp"
#include "kernel/arithmetic/spectrum.hpp"
#include "kernel/layers/blocks.hpp"
#include "kernel/layers/enclosed_z.hpp"
#include "kernel/layers/jacobian.hpp"
#include "kernel/layers/nested.hpp"
#include "kernel/quantities/accuracy.hpp"
#include "kernel/quantities/quantities.hpp"
#include "kernel/rules/circuits.hpp"
#include "kernel/rules/inverse.hpp"
#include "kernel/rules/prescribed.hpp"
#include "kernel/rules/split.hpp"

namespace attest::kernel {
namespace {

const char* const kDifferentRows = "distinct(Z)";

/// A step, with the quantity that it bounds.
struct Step {
  const Json& keys;
  std::string of;

  const Json& operator[](const char* key) const { return keys.at(key); }
  bool has(const char* key) const { return keys.contains(key); }
};

/// `rows` and `cols` of a minor of a matrix of this size, or of some rows.
struct Minor {
  std::vector<std::size_t> rows, cols;

  Minor(const Step& step, std::size_t height, std::size_t width)
      : rows(distinct_indices(step["rows"], height)), cols(distinct_indices(step["cols"], width)) {
    ENSURE(rows.size() == cols.size() || step.of == kDifferentRows,
           count(rows.size()) + " columns, as many as rows", count(cols.size()));
  }
};

// --- vectors by their entries that are not 0

Rational rational_of(const PowerSums::Scalar& value) {
  return value.at(0);
}

/// The vectors of a `zero`, for the right side of a matrix or the left.
struct Kernel {
  bool right;
  std::size_t size;  ///< of a vector
  std::vector<RingVector> vectors;

  std::size_t most_rank() const { return size - vectors.size(); }
};

/// Reads them for a matrix of this size, and checks that they are independent under a character (with `g`) or
/// mod p. Without a ring they are rational.
Kernel independent_vectors(const Step& step, std::size_t height, std::size_t width,
                           const Ring* number = nullptr) {
  const bool right = choice(step["side"], "right", "left");
  ENSURE(!right || (match(step.of, "rank(*)") && !match(step.of, "rank(Z|*)")), "the side left", "right");
  Kernel kernel{right, right ? width : height, {}};
  const PowerSums ring{number != nullptr && number->two};
  for (const Json& entries : array(step["vectors"])) {
    RingVector& vector = kernel.vectors.emplace_back();
    std::size_t least = 0;
    for (const Json& entry : array(entries)) {
      array(entry, 2);
      const std::size_t position = index(entry[0], kernel.size);
      ENSURE(position >= least, "increasing positions", count(position));
      least = position + 1;
      if (number == nullptr) string(entry[1]);
      PowerSums::Scalar value = element(entry[1], ring);
      if (!value.empty()) vector.emplace_back(position, std::move(value));
    }
  }
  const std::size_t size = kernel.vectors.size();
  ENSURE(size <= kernel.size, "at most " + count(kernel.size) + " vectors", count(size));
  std::optional<Character> character;
  if (step.has("g")) character.emplace(*number, word(step["p"]), word(step["g"]));
  const Word p = character ? character->p : prime(step["p"]);
  Matrix images(size, kernel.size);
  for (std::size_t k = 0; k < size; ++k) {
    for (const auto& [position, value] : kernel.vectors[k]) {
      ENSURE(character || (value.size() == 1 && value.begin()->first == 0),
             "rational values when there is no g", "a sum of powers");
      images[k][position] = character ? character->image(value) : residue(rational_of(value), p);
    }
  }
  ENSURE(rows_independent(std::move(images), p), "vectors that are independent mod p", "dependent ones");
  return kernel;
}

/// The same with rational vectors that annihilate a matrix over Q.
Kernel kernel_of(const Step& step, const Rows& rows) {
  Kernel kernel = independent_vectors(step, rows.size(), rows.width());
  std::vector<Vector> factors;
  for (const RingVector& vector : kernel.vectors) {
    std::vector<Rational> entries(kernel.right ? kernel.size : 0);
    std::vector<Vector> used_rows;
    for (const auto& [position, value] : vector) {
      if (kernel.right) {
        entries[position] = rational_of(value);
      } else {
        entries.push_back(rational_of(value));
        used_rows.push_back(rows.exact(position));
      }
    }
    ENSURE(kernel.right || is_zero(combination(entries, used_rows)),
           "y M = 0 for vector " + count(factors.size()), "another vector");
    factors.emplace_back(entries);
  }
  if (kernel.right && !factors.empty()) rows.ensure_annihilated(factors);
  return kernel;
}

RationalMatrix rational_matrix(const Json& value, std::size_t rows, std::size_t cols) {
  return list(value, rows, [&](const Json& row) { return list(row, cols, rational); });
}

// --- the rules

class ClaimChecker {
public:
  ClaimChecker(const Problem& problem, const Claim& claim, Shared& shared)
      : problem_(problem),
        claim_(claim),
        shared_(shared),
        computed_(computed_quantities(
            problem, claim, [this](const std::string& name) -> const Layer& { return layer(name); },
            [this](const std::string& number) -> const Part& {
              const auto found = parts_.find(number);
              ENSURE(found != parts_.end(), "the number of a part", in_quotes(number));
              return found->second;
            })),
        facts_(computed_) {}
  ClaimChecker(const ClaimChecker&) = delete;
  ClaimChecker& operator=(const ClaimChecker&) = delete;

  void check(const Json& value) {
    using This = ClaimChecker;
    // By the rule and the first form of each shape of the table, which has the keys.
    static const std::map<std::string, Fact (This::*)(const Step&)> checks = {
        {"let", &This::let},
        {"part", &This::part},
        {"minor rank(Z(*))", &This::minor_of_z},
        {"minor lambda_rank", &This::lambda_rank},
        {"minor rank(J(*))", &This::minor_of_j},
        {"minor rank(*contexts)", &This::independent_rows},
        {"minor rank(*)", &This::minor},
        {"zero rank(Z(*))", &This::zero_of_z},
        {"zero rank(J(*))", &This::zero_of_j},
        {"zero rank(*contexts)", &This::zero},
        {"zero rank(*)", &This::zero},
        {"zero capacity", &This::zero_for_all_weights},
        {"zero kruskal(queries)", &This::dependent},
        {"nested capacity", &This::nested},
        {"circuits which(*)", &This::circuits},
        {"subsets kruskal(queries)", &This::subsets},
        {"compare separator", &This::separator},
        {"compare network(given)", &This::network},
        {"compare perturbation", &This::perturbation},
        {"ball distinct(Z)", &This::apart},
        {"ball saturated", &This::saturated},
        {"ball accurate", &This::accurate},
        {"ball numerical_rank", &This::numerical_rank},
        {"ball vertex_limit", &This::vertex_limit},
        {"ball one_hot", &This::one_hot},
        {"inverse rank(Z(given))", &This::inverse_of_z},
        {"inverse weights", &This::weights},
        {"inverse readout", &This::readout},
        {"inverse tail_rank", &This::tail_rank},
        {"split network(given)", &This::split},
        {"theorem", &This::theorem}};
    const std::string& rule = string(field(value, "rule"));
    const RuleShape* shape = find_shape(rule, "");
    const bool bounds = shape == nullptr;
    const Step step{value, bounds ? string(field(value, "of")) : ""};
    if (bounds) shape = find_shape(rule, step.of);
    ENSURE(shape != nullptr, "a rule of the table and a quantity of the rule " + one_line(rule, 40),
           in_quotes(step.of));
    std::string keys = bounds ? "of rule fact label?" : "rule fact label?";
    for (const RuleShape::Key& key : shape->list()) keys += " " + key.name + (key.optional ? "?" : "");
    object(value, keys);
    if (step.has("label")) string(step["label"]);
    const Quantity* const quantity = find_quantity(step.of);
    for (const std::string& need : words_in(quantity != nullptr ? quantity->needs : ""))
      ENSURE(counts(need, claim_) || claim_.spec->needs_part(need), "a claim with " + need,
             "a claim of " + claim_.statement);
    const std::string& stated = string(step["fact"]);
    Fact fact = (this->*checks.at(bounds ? rule + " " + shape->of.front() : rule))(step);
    ENSURE(stated == fact.text(), "the fact " + fact.text(), in_quotes(stated));
    facts_.add(fact);
    proved_.push_back(std::move(fact));
  }

  void check_all(const Json& steps) {
    for (std::size_t i = 0; i < array(steps).size(); ++i) {
      const std::string rule = steps[i].is_object() ? steps[i].value("rule", Json()).dump() : "?";
      located("step " + count(i) + " (" + one_line(rule, 40) + "): ", [&] { check(steps[i]); });
    }
  }

  ClaimReport report(const std::string& reason) const { return {conclude(claim_, facts_), proved_, reason}; }

private:
  const Layer& layer(const std::string& name) {
    const auto found = layers_.find(name);
    if (found != layers_.end()) return found->second;
    ENSURE(name == "given", "a layer that is given or of an earlier let", in_quotes(name));
    if (!shared_.given) shared_.given = given_layer(problem_);
    return *shared_.given;
  }

  /// The layer whose Z the quantity is about.
  const Layer& layer_of(const Step& step) { return layer(match(step.of, "rank(Z(*))").value_or("given")); }

  const Layer& built_layer(const Json& number) {
    const Layer& result = layer(count(word(number)));
    ENSURE(result.ring.absorbed, "a layer that is defined by its heads", "a random one");
    ENSURE(problem_.source.layer->convex(), "coefficients that sum to 1", "a sink, or sigmoid ones");
    return result;
  }

  /// A layer that is defined by its heads, each of which but the first separates all examples but r - 1: the
  /// n entries of (E_t u)(v . e_t) are different at all others.
  const Layer& separated_layer(const Json& number) {
    const Layer& examined = built_layer(number);
    const std::size_t r = std::min(problem_.n, problem_.d_h);
    for (std::size_t h = 1; problem_.n > 1 && h < examined.heads.size(); ++h) {
      const Head& head = examined.heads[h];
      std::size_t tied = head.lambda ? 0 : problem_.T;
      for (std::size_t t = 0; head.lambda && t < problem_.T; ++t) {
        const std::vector<Rational> entries =
            kernel::entries(separated(problem_, head.key.back(), head.query.back(), t));
        if (std::set<Rational>(entries.begin(), entries.end()).size() < entries.size()) ++tied;
      }
      ENSURE(tied < r, "a separator of head " + count(h) + " that separates all examples but " + count(r - 1),
             "one that leaves " + count(tied));
    }
    return examined;
  }

  /// The matrices over Q whose rank, or Kruskal rank, it is.
  Family matrices(const Step& step) const {
    const std::optional<std::string> name = match(step.of, "rank(*)");
    return family(problem_, claim_, name ? *name : *match(step.of, "kruskal(*)"));
  }

  /// The fact of an earlier step.
  const Fact& used(const Json& number) const { return proved_[index(number, proved_.size())]; }

  // Each rule: what it concludes, from what. The certificate's letters are those of docs/certificate.md, and
  // everything that is read from it is in range and of the right size.

  /// let Z(k), k the step's number, when the layer is
  /// - random: key and query weights drawn with a bound from 1 to 2^62 and a seed below 2^63,
  /// - rescaled: an earlier layer with heads, with another lambda in every separator, or
  /// - heads: H heads sum_i key_i query_i^T + lambda u v^T, of d_h terms at most.
  Fact let(const Step& step) {
    ENSURE(problem_.source.layer.has_value(), "a case with [layer]", "none");
    Layer layer{Ring::of(*problem_.source.layer, true), {}};
    const Json& definition = step["layer"];
    if (definition.contains("random")) {
      const Json& random = object(object(definition, "random").at("random"), "bound seed");
      const Word bound = word(random.at("bound")), seed = word(random.at("seed"));
      // The ranges of case files.
      ENSURE(bound >= 1 && bound <= (Word{1} << 62), "a bound from 1 to 2^62", count(bound));
      ENSURE(seed < (Word{1} << 63), "a seed below 2^63", count(seed));
      layer = random_layer(problem_, bound, seed);
    } else if (definition.contains("rescaled")) {
      const Json& rescaled = object(object(definition, "rescaled").at("rescaled"), "of lambda");
      layer = built_layer(rescaled.at("of"));
      const Rational lambda = rational(rescaled.at("lambda"));
      for (Head& head : layer.heads) {
        if (head.lambda) head.lambda = lambda;
      }
    } else {
      for (const Json& value : array(object(definition, "heads").at("heads"), problem_.H)) {
        object(value, problem_.source.layer->sink ? "key query separator? sink" : "key query separator?");
        if (problem_.source.layer->sink) layer.sinks.push_back(rational(value.at("sink")));
        Head head;
        head.key = vectors(value.at("key"), array(value.at("key")).size(), problem_.d);
        head.query = vectors(value.at("query"), head.key.size(), problem_.d);
        if (value.contains("separator")) {
          const Json& separator = object(value.at("separator"), "u v lambda");
          head.key.push_back(vector(separator.at("u"), problem_.d));
          head.query.push_back(vector(separator.at("v"), problem_.d));
          head.lambda = rational(separator.at("lambda"));
        }
        ENSURE(head.key.size() <= problem_.d_h, "weights of rank at most " + count(problem_.d_h),
               count(head.key.size()) + " terms");
        layer.heads.push_back(std::move(head));
      }
    }
    const std::string name = count(proved_.size());
    layers_.emplace(name, std::move(layer));
    return {Fact::Kind::layer, "Z(" + name + ")", 0};
  }

  /// capacity(k) >= or <= the bound that the steps give of the capacity of a part of the problem, k the
  /// step's number: the same data with this number of heads, and these examples only.
  Fact part(const Step& step) {
    ENSURE(problem_.source.layer && problem_.source.data.contexts && problem_.source.data.queries,
           "a case with a layer, contexts and queries", "another");
    const Word heads = step.has("heads") ? word(step["heads"]) : problem_.H;
    const std::size_t most = std::max(problem_.H, problem_.T);  // more heads add nothing
    ENSURE(heads > 0 && heads <= most, "1 to " + count(most) + " heads", count(heads));
    const Part part{
        heads, step.has("examples") ? distinct_indices(step["examples"], problem_.T) : all_below(problem_.T)};
    ENSURE(!part.examples->empty(), "an example", "none");
    const Case its_case = part_of(problem_.source, step.has("examples") ? part : Part{heads});
    const Problem problem(its_case);
    Shared shared;
    ClaimChecker inner(problem, its_case.claims[0], shared);
    inner.check_all(step["steps"]);
    const Bounds capacity = inner.facts_.of("capacity");
    const std::string number = count(proved_.size()), name = "capacity(" + number + ")";
    parts_.emplace(number, part);
    return choice(step["side"], "above", "below") ? Fact::at_least(name, capacity.lower)
                                                  : Fact::at_most(name, capacity.upper);
  }

  // --- minor

  /// rank(F) >= the rows of its members, when p is prime and the rows of every member are independent mod p.
  Fact independent_rows(const Step& step) {
    const Family members = matrices(step);
    const Word p = prime(step["p"]);
    std::size_t height = 0;
    for (std::size_t k = 0; k < members.size; ++k) {
      const Rows rows = members.member(k);
      height = rows.size();
      ENSURE(rows_independent(rows.residues(p, all_below(height), all_below(rows.width())), p),
             "rows that are independent mod p in every member", "dependent ones in member " + count(k));
    }
    return Fact::at_least(step.of, height);
  }

  /// rank(M) >= |rows|, when p is prime and the minor of these distinct rows and cols, equally many, is
  /// non-singular mod p, which divides no denominator.
  Fact minor(const Step& step) {
    const Rows rows = matrices(step).member(0);
    const Word p = prime(step["p"]);
    const Minor minor(step, rows.size(), rows.width());
    return non_singular(step, rows.residues(p, minor.rows, minor.cols), p);
  }

  /// rank(M) >= |rows|, M made of heads (Blocks), when p = 2q + 1 and q are prime, g has order q mod p, and
  /// the character b^x -> g^(x mod q) is defined on the minor of these distinct rows and cols, equally many,
  /// and maps it to a non-singular one. distinct(Z) >= |rows|, when it maps these rows to different ones.
  Fact minor_of_z(const Step& step) { return minor_of_z(step, layer_of(step)); }

  /// lambda_rank >= |rows|, when this is so of rank(Z(k)), every separator of layer k has the claim's lambda,
  /// and every head but the first separates all examples but r - 1.
  Fact lambda_rank(const Step& step) {
    const Layer& examined = separated_layer(step["layer"]);
    for (const Head& head : examined.heads)
      ENSURE(!head.lambda || *head.lambda == claim_.number("lambda"), "the claim's lambda in every head",
             text(*head.lambda));
    return minor_of_z(step, examined);
  }

  Fact minor_of_z(const Step& step, const Layer& examined) {
    const Character character(examined.ring, word(step["p"]), word(step["g"]));
    const Blocks blocks(step.of, problem_, claim_);
    const std::size_t width = blocks.columns();
    const Minor minor(step, problem_.T, width + blocks.beside(problem_));
    std::vector<std::size_t> within, beside;  // the columns
    for (const std::size_t col : minor.cols) {
      if (col < width)
        within.push_back(blocks.first * blocks.width + col);
      else
        beside.push_back(col - width);
    }
    Matrix image = blocks.outputs
                       ? minor_of_outputs(problem_, examined, character, minor.rows, within)
                       : kernel::minor_of_z(problem_, examined, character, minor.rows, within, beside.size());
    for (std::size_t i = 0; i < image.rows; ++i) {
      for (std::size_t j = 0; j < beside.size(); ++j)
        image[i][within.size() + j] = residue(blocks.beside(problem_, minor.rows[i], beside[j]), character.p);
    }
    if (step.of != kDifferentRows) return non_singular(step, std::move(image), character.p);
    std::set<std::vector<Word>> different;
    for (std::size_t i = 0; i < image.rows; ++i) different.emplace(image[i], image[i] + image.cols);
    meter().work(image.data.size() * 20);
    ENSURE(different.size() == image.rows, "rows that are different mod p", "equal ones");
    return Fact::at_least(step.of, image.rows);
  }

  /// rank(J(W)) >= |rows|, when this is so of the Jacobian of a layer with a read-out.
  Fact minor_of_j(const Step& step) {
    const Layer& examined = layer(*match(step.of, "rank(J(*))"));
    const Character character(examined.ring, word(step["p"]), word(step["g"]));
    const Jacobian jacobian(problem_, examined);
    const Minor minor(step, jacobian.height(), jacobian.width());
    return non_singular(step, jacobian.minor(character, minor.rows, minor.cols), character.p);
  }

  /// capacity >= |rows|, or functional_dimension >= |rows|, when the minor of Z, or of the derivatives of the
  /// outputs, at these distinct rows and cols is non-singular under the nested character of these primes, for
  /// integer weights of all layers (NestedStack).
  Fact nested(const Step& step) {
    std::vector<Word> primes;
    for (const Json& q : array(step["primes"])) primes.push_back(word(q));
    const NestedStack stack(problem_, primes, word(step["bound"]), word(step["seed"]));
    const bool capacity = step.of == "capacity";
    const Minor minor(step, capacity ? problem_.T : stack.height(),
                      capacity ? problem_.H * problem_.d : stack.width());
    return non_singular(
        step, capacity ? stack.minor_of_z(minor.rows, minor.cols) : stack.minor_of_j(minor.rows, minor.cols),
        stack.p());
  }

  static Fact non_singular(const Step& step, Matrix image, Word p) {
    const std::size_t size = image.rows;
    ENSURE(rows_independent(std::move(image), p), "a minor that is not 0 mod p", "a singular one");
    return Fact::at_least(step.of, size);
  }

  // --- zero

  /// rank(M) <= (columns or rows of M) - |vectors|, when the vectors are rational, independent mod the prime
  /// p, and annihilate M (of a family: one member) from the right or the left.
  Fact zero(const Step& step) {
    const Family members = matrices(step);
    ENSURE(members.size > 0, "a family with a member", "none, as the subset is empty");
    const std::size_t member = step.has("member") ? index(step["member"], members.size) : 0;
    return Fact::at_most(step.of, kernel_of(step, members.member(member)).most_rank());
  }

  /// kruskal(V) <= (non-zero entries of y) - 1, when y is the only vector, not 0 mod the prime p, and y V =
  /// 0.
  Fact dependent(const Step& step) {
    array(step["vectors"], 1);
    return Fact::at_most(step.of,
                         kernel_of(step, matrices(step).member(0)).vectors[0].size() - 1);  // not 0 mod p
  }

  /// rank(M) <= (columns or rows) - |vectors|, M made of heads (Blocks), when the vectors, sums of powers of
  /// b, are independent under a character (mod p when they are rational), and x M = 0 or M x = 0 in the group
  /// ring; with columns beside the blocks from the left. distinct(Z) <= T - |vectors|: from the left, and
  /// each is a multiple of e_s - e_t.
  Fact zero_of_z(const Step& step) {
    const Layer& examined = layer_of(step);
    const PowerSums ring{examined.ring.two};
    Logits logits(problem_, examined);
    const Blocks blocks(step.of, problem_, claim_);
    const Kernel kernel = independent_vectors(step, problem_.T, blocks.columns(), &examined.ring);
    for (std::size_t k = 0; k < kernel.vectors.size(); ++k) {
      const RingVector& vector = kernel.vectors[k];
      const std::string where = " for vector " + count(k);
      const auto sum = [&](const auto& factor_of) {
        PowerSums::Scalar result;
        for (const auto& [t, value] : vector) ring.add(result, value, factor_of(t));
        return result;
      };
      // Independent multiples of e_s - e_t are the edges of a forest, each of which joins two equal rows.
      ENSURE(step.of != kDifferentRows || (vector.size() == 2 && sum([](std::size_t) { return 1; }).empty()),
             "a multiple of e_s - e_t as vector " + count(k), "another");
      for (std::size_t t = 0; kernel.right && t < problem_.T; ++t)
        ENSURE(annihilates_from_right(ring, logits, blocks, t, vector), "Z x = 0" + where,
               "another value in row " + count(t));
      for (std::size_t h = 0; !kernel.right && h < blocks.heads; ++h) {
        ENSURE(annihilates_from_left(ring, logits, blocks, h, vector), "y Z = 0" + where,
               "another value in head " + count(blocks.first + h));
      }
      for (std::size_t col = 0; !kernel.right && col < blocks.beside(problem_); ++col)
        ENSURE(sum([&](std::size_t t) { return blocks.beside(problem_, t, col); }).empty(), "y Y = 0" + where,
               "another value in column " + count(col));
    }
    return Fact::at_most(step.of, kernel.most_rank());
  }

  /// rank(J(W)) <= columns - |vectors|, when the vectors are rational, independent mod the prime p, and J x =
  /// 0 in the group ring.
  Fact zero_of_j(const Step& step) {
    const Layer& examined = layer(*match(step.of, "rank(J(*))"));
    const Jacobian jacobian(problem_, examined);
    const Kernel kernel = independent_vectors(step, jacobian.height(), jacobian.width());
    ENSURE(kernel.right, "the side right", "left");
    Logits logits(problem_, examined);
    for (std::size_t k = 0; k < kernel.vectors.size(); ++k) {
      std::vector<std::pair<std::size_t, Rational>> x;
      for (const auto& [column, value] : kernel.vectors[k]) x.emplace_back(column, rational_of(value));
      ENSURE(jacobian.annihilates(logits, x), "J x = 0 for vector " + count(k), "another value");
    }
    return Fact::at_most(step.of, kernel.most_rank());
  }

  /// capacity <= T - |vectors|, when y Z = 0 in the group ring whose exponents are H-tuples of d x d
  /// matrices, for independent vectors y over it; independent as each has an index where it alone is not 0.
  /// Rational vectors that are independent mod the prime p: largest_rank <= T - |vectors| too, and one head
  /// will do.
  Fact zero_for_all_weights(const Step& step) {
    if (step.has("p")) {
      const Kernel kernel = independent_vectors(step, problem_.T, 0);
      ensure_annihilated_for_all_weights(GenericLayer(problem_, 1), kernel.vectors);
      return Fact::at_most(step.of, kernel.most_rank());
    }
    ENSURE(step.of == "capacity", "a prime p", "none");
    ENSURE(problem_.source.layer->convex(), "coefficients that sum to 1", "a sink, or sigmoid ones");
    ENSURE(!choice(step["side"], "right", "left"), "the side left", "right");
    const std::size_t d = problem_.d, size = checked_size(checked_size(d, d), problem_.H);
    std::vector<Vector> exponents;  // one after the other
    struct Coefficients {
      std::size_t position;
      std::vector<Rational> coefficients;
    };
    std::vector<std::vector<Coefficients>> values;
    for (const Json& entries : array(step["vectors"])) {
      values.emplace_back();
      for (const Json& entry : array(entries)) {
        Coefficients& value = values.back().emplace_back();
        value.position = index(array(entry, 2)[0], problem_.T);
        const bool increasing =
            values.back().size() == 1 || values.back().rbegin()[1].position < value.position;
        ENSURE(increasing, "increasing positions", count(value.position));
        const Json constant = Json::array({Json::array({entry[1], Json::array()})});
        for (const Json& term : array(entry[1].is_string() ? constant : entry[1])) {
          value.coefficients.push_back(rational(array(term, 2)[0]));
          meter().work(size);
          std::vector<Rational> exponent(size);
          for (const Json& at : array(term[1])) {
            array(at, 2);
            exponent[index(at[0], size)] += rational(at[1]);
          }
          exponents.emplace_back(exponent);
        }
      }
    }
    const GenericLayer generic(problem_, problem_.H, exponents);
    const PowerSums ring;
    std::vector<RingVector> vectors;
    std::vector<std::size_t> uses(problem_.T);
    std::size_t next = 0;
    for (const std::vector<Coefficients>& all : values) {
      vectors.emplace_back();
      for (const Coefficients& value : all) {
        PowerSums::Scalar sum;
        for (const Rational& c : value.coefficients)
          ring.add_term(sum, c, generic.exponent(exponents[next++]));
        if (sum.empty()) continue;
        ++uses[value.position];
        vectors.back().emplace_back(value.position, std::move(sum));
      }
    }
    for (const RingVector& vector : vectors)
      ENSURE(std::ranges::any_of(vector, [&](const auto& entry) { return uses[entry.first] == 1; }),
             "in each vector an index that no other one has", "a vector without");
    ensure_annihilated_for_all_weights(generic, vectors);
    return Fact::at_most(step.of, problem_.T - vectors.size());
  }

  void ensure_annihilated_for_all_weights(const GenericLayer& generic,
                                          const std::vector<RingVector>& vectors) {
    Logits logits(problem_, generic.layer);
    const Blocks blocks("capacity", problem_, claim_);
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      for (std::size_t h = 0; h < generic.layer.heads.size(); ++h)
        ENSURE(annihilates_from_left(PowerSums(), logits, blocks, h, vectors[k]),
               "y Z = 0 for all weights, for vector " + count(k), "another value");
    }
  }

  /// which(S; t: D; ...) >= 1, when check_circuits holds for layer k, with parts that have no fewer heads.
  Fact circuits(const Step& step) {
    const std::optional<Circuits> stated = circuits_in(*match(step.of, "which(*)"));
    ENSURE(stated.has_value(), "examples, and for each other one those it conflicts with", step.of);
    const Layer& examined = layer(count(word(step["layer"])));
    const Character character(examined.ring, word(step["p"]), word(step["g"]));
    const std::vector<std::size_t> all = all_below(problem_.T);
    std::vector<Spanned> parts = {{all, bounds_without_proof("capacity", computed_)->upper}};
    for (const Json& number : array(step["uses"])) {
      const Fact& fact = used(number);
      const std::optional<std::string> part = match(fact.quantity, "capacity(*)");
      ENSURE(fact.kind == Fact::Kind::at_most && (part || fact.quantity == "capacity"),
             "upper bounds of capacities", fact.text());
      ENSURE(!part || *parts_.at(*part).heads >= problem_.H, "a part with " + count(problem_.H) + " heads",
             "one with fewer");
      parts.emplace_back(part ? *parts_.at(*part).examples : all, fact.bound);
      std::ranges::sort(parts.back().first);
    }
    check_circuits(problem_, claim_, examined, character,
                   distinct_indices(step["cols"], problem_.H * problem_.d), *stated, parts);
    return Fact::at_least(step.of, 1);
  }

  /// kruskal(V) >= k, when every k of the T vectors, as primitive integer ones, are independent mod the prime
  /// p.
  Fact subsets(const Step& step) {
    const Rows rows = matrices(step).member(0);
    const Word k = word(step["k"]), p = prime(step["p"], 62);
    const bool dual = choice(step["method"], "dual", "subsets");
    ENSURE(k <= rows.size(), "k <= " + count(rows.size()), count(k));
    WordMatrix images(rows.size(), problem_.d);
    for (std::size_t t = 0; t < rows.size(); ++t) residues(primitive(rows.exact(t)), p, images[t]);
    ENSURE(subsets_independent(images, k, p, dual),
           "independent vectors mod p in every subset of " + count(k), "a dependent subset");
    return Fact::at_least(step.of, k);
  }

  // --- compare

  /// separator >= 1, when u and v are not 0, v . e_t = 0 on the subset, and the entries of (E_t u)(v . e_t)
  /// are different for every other t.
  Fact separator(const Step& step) {
    const Vector u = vector(step["u"], problem_.d), v = vector(step["v"], problem_.d);
    ENSURE(!is_zero(u) && !is_zero(v), "u and v other than 0", "0");
    ensure_separates(problem_, claim_.subset(), u, v, [](std::size_t, const std::vector<Rational>&) {});
    return Fact::at_least(step.of, 1);
  }

  /// network(given) >= 1, when the m neurons, with a bias exactly if the claim has one, give every label.
  Fact network(const Step& step) {
    struct Neuron {
      Vector weights;  ///< and the bias
      Rational factor;
    };
    const auto read = [&](const Json& neuron) {
      object(neuron, "w b a");
      std::vector<Rational> weights = list(neuron.at("w"), (problem_.n + 1) * problem_.d, rational);
      weights.push_back(rational(neuron.at("b")));
      return Neuron{Vector(weights), rational(neuron.at("a"))};
    };
    const std::vector<Neuron> neurons = list(step["neurons"], claim_.size("neurons"), read);
    const bool biased = claim_.flag("output_bias");
    ENSURE(biased == step.has("output_bias"), biased ? "an output_bias" : "no output_bias", "another step");
    const Rational bias = biased ? rational(step["output_bias"]) : Rational(0);
    for (std::size_t t = 0; t < problem_.T; ++t) {
      const Vector input = input_and_one(problem_, t, false);
      Rational output = bias;
      for (const Neuron& neuron : neurons)
        output += neuron.factor * std::max(dot(neuron.weights, input), Rational(0));
      const Rational label = problem_.label(t, 0, false);
      ENSURE(output == label, "the output " + text(label) + " at example " + count(t), text(output));
    }
    return Fact::at_least(step.of, 1);
  }

  /// With S = (A - B)^T (A - B), G = A^T A and mu > 0: perturbation >= 1, when all eigenvalues of S are below
  /// mu, and all of G are 0 or at least mu; perturbation <= 0, when neither is so.
  Fact perturbation(const Step& step) {
    const Rational mu = positive(step["mu"]);
    const std::vector<Vector> a = family(problem_, claim_, "a").member(0).exact(),
                              b = family(problem_, claim_, "b").member(0).exact();
    std::vector<Vector> difference;
    for (std::size_t i = 0; i < a.size(); ++i) difference.push_back(combination({1, -1}, {a[i], b[i]}));
    const RationalMatrix s = gram(difference), g = gram(a);
    const auto compared = [&](const RationalMatrix& x, int sign) {  // +-(X^2 - mu X)
      RationalMatrix result = gram(std::vector<Vector>(x.begin(), x.end()));
      for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < x.size(); ++j) result[i][j] = sign * (result[i][j] - mu * x[i][j]);
      }
      return semidefinite_rank(result);
    };
    const bool small = compared(s, -1) == semidefinite_rank(s);
    const std::optional<std::size_t> rank = compared(g, 1);
    if (choice(step["side"], "holds", "fails")) {
      ENSURE(small, "eigenvalues of S below mu", "another one");
      ENSURE(rank.has_value(), "eigenvalues of G that are 0 or at least mu", "another one");
      return Fact::at_least(step.of, 1);
    }
    ENSURE(!small, "an eigenvalue of S that is at least mu", "none");
    ENSURE(!rank || rank < semidefinite_rank(g), "an eigenvalue of G above 0 that is at most mu", "none");
    return Fact::at_most(step.of, 0);
  }

  // --- ball

  /// distinct(Z) >= |rows|, when of any two of these distinct rows, enclosed, some entries are apart.
  Fact apart(const Step& step) {
    const std::vector<std::size_t> rows = distinct_indices(step["rows"], problem_.T);
    const std::size_t bits = precision(step["precision"]);
    Logits logits(problem_, layer("given"));
    if (rows.size() < 2) return Fact::at_least(step.of, rows.size());  // whatever its enclosure
    const EnclosedZ z = enclosed_z(logits, rows, all_below(problem_.H * problem_.d), bits);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t i = 0; i < k; ++i) {
        std::size_t j = 0;
        while (j < z.mid[k].size() && abs(z.mid[k][j] - z.mid[i][j]) <= z.rad[k][j] + z.rad[i][j]) ++j;
        meter().work(10 + 4 * j);
        ENSURE(j < z.mid[k].size(), "rows that are apart",
               "rows " + count(rows[i]) + " and " + count(rows[k]) + " that may be equal");
      }
    }
    return Fact::at_least(step.of, rows.size());
  }

  /// A number of `all` that are shown to be above, or else below; `count_sides` counts both at a precision.
  template <class CountSides>
  Fact counted(const Step& step, std::size_t all, const std::string& what, CountSides count_sides) {
    const bool above = choice(step["side"], "above", "below");
    const std::size_t number = word(step["count"]), bits = precision(step["precision"]);
    const auto [sides, first] = sides_.try_emplace({step.of, bits});
    if (first) sides->second = count_sides(bits);
    const std::size_t shown = above ? sides->second.above : sides->second.below;
    ENSURE(shown >= number, count(number) + " " + what, count(shown));
    return above ? Fact::at_least(step.of, number) : Fact::at_most(step.of, Integer(all) - number);
  }

  /// saturated >= count or <= all - count, when `count` of the pairs of head and example, enclosed, have
  /// their largest coefficient above the claim's threshold, or not above it.
  Fact saturated(const Step& step) {
    const std::vector<std::size_t> heads =
        claim_.has("head") ? std::vector{claim_.size("head")} : all_below(problem_.H);
    return counted(step, problem_.T * heads.size(), "pairs of head and example", [&](std::size_t bits) {
      const Rational threshold = claim_.number("threshold");
      std::vector<std::size_t> missing;
      std::ranges::copy_if(heads, std::back_inserter(missing), [&](std::size_t h) {
        return !shared_.saturated.contains({h, threshold, bits});
      });
      const std::vector<Sides> found =
          count_largest_coefficients(problem_, layer("given"), missing, threshold, bits);
      for (std::size_t k = 0; k < missing.size(); ++k)
        shared_.saturated[{missing[k], threshold, bits}] = found[k];
      Sides sum;
      for (const std::size_t h : heads) {
        const Sides& sides = shared_.saturated.at({h, threshold, bits});
        sum.above += sides.above;
        sum.below += sides.below;
      }
      return sum;
    });
  }

  /// accurate >= count or <= T - count, when `count` examples are right, or wrong, by their enclosed scores.
  Fact accurate(const Step& step) {
    return counted(step, problem_.T, "examples",
                   [&](std::size_t bits) { return count_examples(problem_, claim_, layer("given"), bits); });
  }

  /// numerical_rank >= |vectors| or <= min(T, H d) - |vectors|, when the form of C C^T - theta^2 (or of its
  /// negative) on the integer vectors is strictly diagonally dominant, C an integer matrix close to 2^bits Z
  /// and theta the tolerance of it, moved by more than their singular values can differ.
  Fact numerical_rank(const Step& step) {
    const bool above = choice(step["side"], "above", "below");
    const std::size_t bits = precision(step["bits"]);
    const std::size_t width = problem_.H * problem_.d, size = std::min(problem_.T, width);
    const std::size_t vectors = array(step["vectors"]).size();
    const IntegerMatrix x =
        list(step["vectors"], vectors, [&](const Json& row) { return list(row, size, integer); });
    ENSURE(vectors > 0, "a vector", "none");
    if (!enclosed_ || enclosed_->bits != bits) {
      Logits logits(problem_, layer("given"));
      EnclosedZ z = enclosed_z(logits, all_below(problem_.T), all_below(width), bits, nullptr, true);
      enclosed_ = {bits, std::move(z.mid), (*std::ranges::max_element(z.rad))[0]};
    }
    // How far a singular value of 2^bits Z can be from one of the integers: at most radius sqrt(T H d).
    const Integer distance = enclosed_->radius * (sqrt(Integer(problem_.T) * width) + 1);
    const Rational scaled = claim_.number("tolerance") * Rational(Integer(1) << bits);
    const Integer theta = above ? Integer(floor(scaled) + 1 + distance) : Integer(floor(scaled) - distance);
    ENSURE(theta > 0, "bits enough to tell the tolerance from 0", count(bits));
    ENSURE(dominant(x, enclosed_->z, problem_.T > width, theta, above),
           "a diagonally dominant matrix X (C C^T - theta^2 I) X^T, or its negative", "another one");
    return above ? Fact::at_least(step.of, vectors) : Fact::at_most(step.of, Integer(size) - vectors);
  }

  /// vertex_limit >= 1, when E W' e of the claim's example is largest at the vertex alone, lambda > 0, and
  /// the other coefficients at lambda are at most epsilon / 2 together.
  Fact vertex_limit(const Step& step) {
    const Vector x = products(problem_, claim_.array("w_prime"), claim_.size("example")),
                 y = products(problem_, claim_.array("w_star"), claim_.size("example"));
    const std::size_t vertex = index(step["vertex"], problem_.n);
    const Rational lambda = positive(step["lambda"]);
    std::vector<Rational> exponents;
    for (std::size_t i = 0; i < problem_.n; ++i) {
      if (i == vertex) continue;
      ENSURE(x[vertex] > x[i], "the largest entry of E W' e at the vertex", "none smaller at " + count(i));
      exponents.push_back(y[i] - y[vertex] - lambda * (x[vertex] - x[i]));
    }
    check_distance(problem_, exponents, claim_.number("epsilon"));
    return Fact::at_least(step.of, 1);
  }

  /// one_hot >= 1, when the inverses are those of `weights` for at most r - 1 members, u and v separate the
  /// other examples, and at each of them lambda exceeds what the prescribed weights can add, up to epsilon.
  Fact one_hot(const Step& step) {
    const std::size_t r = std::min(problem_.n, problem_.d_h);
    const PrescribedWeights weights = prescribed_weights(step.keys, problem_, claim_, r - 1);
    const Vector u = vector(step["u"], problem_.d), v = vector(step["v"], problem_.d);
    const Rational lambda = rational(step["lambda"]);
    ensure_separates(problem_, claim_.subset(), u, v, [&](std::size_t t, std::vector<Rational> entries) {
      if (problem_.n == 1) return;  // the only coefficient is 1
      std::sort(entries.rbegin(), entries.rend());
      // How far entries of E_t W e_t are apart: -log_b(p / q) is at most the number of binary digits of q.
      Rational spread = 0;
      for (std::size_t k = 0; k < weights.left.size(); ++k) {
        for (std::size_t i = 0; i < problem_.n; ++i) {
          const std::vector<Rational> x = kernel::entries(products(problem_.context(t), weights.right[k][i]));
          spread += Rational(mpz_sizeinbase(weights.coefficients[k][i].get_den_mpz_t(), 2)) *
                    (*std::ranges::max_element(x) - *std::ranges::min_element(x)) *
                    abs(dot(weights.left[k], problem_.query(t)));
        }
      }
      const Rational exponent = spread - lambda * (entries[0] - entries[1]);
      check_distance(problem_, std::vector(problem_.n - 1, exponent), claim_.number("epsilon"));
    });
    return Fact::at_least(step.of, 1);
  }

  // --- inverse

  /// rank(Z(given)) >= |rows|, when R is an approximate inverse of the minor A of these rows and cols,
  /// enclosed: ||I - R A|| < 1.
  Fact inverse_of_z(const Step& step) {
    const auto [rows, cols] = Minor(step, problem_.T, problem_.H * problem_.d);
    check_inverse(problem_, layer("given"), rows, cols,
                  rational_matrix(step["inverse"], rows.size(), rows.size()), precision(step["precision"]));
    return Fact::at_least(step.of, rows.size());
  }

  /// weights >= 1, when E_t R_k = I and L_k . e_t' = [t = t'] for the members t, t' of the subset, at most r.
  Fact weights(const Step& step) {
    prescribed_weights(step.keys, problem_, claim_, std::min(problem_.n, problem_.d_h));
    return Fact::at_least(step.of, 1);
  }

  /// readout >= 1, when T columns A of Z(k) have an approximate inverse R with ||I - R A|| < 1, and the
  /// solution of A U = Y lies in the balls.
  Fact readout(const Step& step) {
    const Layer& examined = built_layer(step["layer"]);
    const std::size_t T = problem_.T;
    const std::vector<std::size_t> cols = distinct_indices(step["cols"], problem_.H * problem_.d);
    ENSURE(cols.size() == T, count(T) + " columns", count(cols.size()));
    const auto ball = [](const Json& value) {
      object(value, "mid rad");
      return Ball{rational(value.at("mid")), rational(value.at("rad"))};
    };
    const auto balls = [&](const Json& row) { return list(row, problem_.d_out, ball); };
    check_readout(problem_, examined, cols, rational_matrix(step["inverse"], T, T),
                  list(step["weights"], T, balls), precision(step["precision"]),
                  claim_.statement == "skip-connection");
    return Fact::at_least(step.of, 1);
  }

  /// tail_rank >= |rows|, when every head of layer k but the first separates all examples but r - 1, and R is
  /// an approximate inverse of the minor of Z(k) for any lambdas >= lambda > 0 of the heads: |I - R M| w < w
  /// for positive w.
  Fact tail_rank(const Step& step) {
    const Layer& examined = separated_layer(step["layer"]);
    const auto [rows, cols] = Minor(step, problem_.T, problem_.H * problem_.d);
    check_tail_rank(problem_, examined, positive(step["lambda"]), rows, cols,
                    rational_matrix(step["inverse"], rows.size(), rows.size()),
                    list(step["scale"], rows.size(), positive));
    return Fact::at_least(step.of, rows.size());
  }

  // --- split and theorem

  /// network(given) <= 0, when for every number of positive neurons a tree of activation patterns ends in
  /// Farkas identities only.
  Fact split(const Step& step) {
    check_trees(problem_, claim_, step["trees"]);
    return Fact::at_most(step.of, 0);
  }

  /// The conclusion of a theorem of the table, for a layer when it has a W, when its conditions follow from
  /// the facts that are used, the bounds that need no proof, and what the case computes.
  Fact theorem(const Step& step) {
    const std::string& name = string(step["theorem"]);
    const Theorem* const schema = find_theorem(name);
    ENSURE(schema != nullptr, "a theorem of the table", in_quotes(name));
    std::vector<Fact> facts;
    std::set<Word> uses;
    for (const Json& number : array(step["uses"])) {
      facts.push_back(used(number));
      ENSURE(uses.insert(word(number)).second, "each step once in uses", number.dump());
    }
    std::string layer_name;
    if (step.has("layer")) {
      const Json& which = step["layer"];
      layer_name = which == "given" ? "given" : count(word(which));
      const Layer& examined = layer(layer_name);  // exists
      if (schema->conclusion.find("rank(J(W))") != std::string::npos) Jacobian(problem_, examined);
    }
    std::vector<std::size_t> parts;
    if (step.has("parts")) parts = list(step["parts"], array(step["parts"]).size(), word);
    return apply_theorem(*schema, facts, layer_name, computed_, parts);
  }

  const Problem& problem_;
  const Claim& claim_;
  Shared& shared_;
  std::map<std::string, Layer> layers_;  ///< by name: those of the steps
  std::map<std::string, Part> parts_;    ///< by number, with all that they have
  std::vector<Fact> proved_;
  struct LastZ {
    std::size_t bits;
    IntegerMatrix z;  ///< at most `radius` from 2^bits Z in every entry
    Integer radius;
  };
  std::optional<LastZ> enclosed_;
  std::map<std::pair<std::string, std::size_t>, Sides> sides_;  ///< of a quantity, with so many bits
  Knowledge computed_;
  FactBase facts_;
};

}  // namespace

ClaimReport check_claim(const Json& value, const Problem& problem, const Claim& claim, Shared& shared) {
  object(value, "statement steps reason?");
  const std::string& statement = string(value.at("statement"));
  ENSURE(statement == claim.statement, "the statement " + claim.statement, in_quotes(statement));
  // A claim about another number of heads has no weights of the case.
  std::optional<Case> source;
  if (claim.has("heads")) source = part_of(problem.source, {claim.size("heads")});
  std::optional<Problem> with_heads;
  if (source) with_heads.emplace(*source);
  Shared none;
  ClaimChecker checker(source ? *with_heads : problem, claim, source ? none : shared);
  checker.check_all(value.at("steps"));
  return checker.report(value.contains("reason") ? string(value.at("reason")) : "");
}

}  // namespace attest::kernel
