// Finite lambda: the bound beyond which the separators of the construction keep its rank, and the exact rank
// at other lambdas.
#include <algorithm>

#include "checker/interval.hpp"
#include "checker/statements.hpp"
#include "checker/steps.hpp"

namespace attest::checker {
namespace {

/// A real number between two rationals.
struct Ends {
  Rational lower, upper;
};

struct HeadBound {
  std::size_t head = 0;
  Ends gamma, spread, token_norm, c_norm, sigma_min, lambda_star;
};

Ends read_ends(const Json& value, const std::string& name) {
  Object object(value);
  Ends ends{rational(object["lower"]), rational(object["upper"])};
  object.done();
  ensure(ends.lower <= ends.upper, name + ".lower <= " + name + ".upper", text(ends.lower));
  return ends;
}

Ends read_positive(Object& object, const std::string& name) {
  Ends ends = read_ends(object[name.c_str()], name);
  ensure(ends.lower > 0, "a positive " + name, text(ends.lower));
  return ends;
}

HeadBound read_bound(const Json& value, std::size_t heads) {
  Object object(value);
  HeadBound bound;
  bound.head = index(object["head"], heads);
  bound.gamma = read_positive(object, "gamma");
  bound.spread = read_ends(object["spread"], "spread");
  ensure(bound.spread.lower >= 0, "a spread >= 0", text(bound.spread.lower));
  bound.token_norm = read_positive(object, "token_norm");
  bound.c_norm = read_positive(object, "c_norm");
  bound.sigma_min = read_positive(object, "sigma_min");
  bound.lambda_star = read_ends(object["lambda_star"], "lambda_star");
  ensure(bound.lambda_star.upper > 0, "a positive lambda_star.upper", text(bound.lambda_star.upper));
  object.done();
  return bound;
}

/// Rows of Z in the heads [0, exponents.size()), where exponents[h][k] are the logits of head h at the k-th
/// of the `examples`. Result: [k][column].
Intervals rows_of_z(const Problem& problem, const std::vector<std::size_t>& examples,
                    const std::vector<std::vector<std::vector<Rational>>>& exponents, bool two) {
  Intervals rows(examples.size());
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const auto tokens = problem.context(examples[k]);
    for (const auto& head : exponents) {
      std::vector<Interval> coefficients;
      Interval sum(0);
      for (const Rational& x : head[k]) {
        coefficients.push_back(exponential(interval(x), two));
        sum += coefficients.back();
      }
      for (std::size_t j = 0; j < problem.d; ++j) {
        Interval entry(0);
        for (std::size_t i = 0; i < problem.n; ++i) entry += coefficients[i] * interval((*tokens)[i][j]);
        rows[k].push_back(entry / sum);
      }
    }
  }
  return rows;
}

enum class Answer { yes, no, unknown };

/// Whether the symmetric matrix is positive definite: all pivots of its elimination are positive.
Answer positive_definite(Intervals matrix) {
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    if (compare_upper(matrix[k][k], 0) <= 0) return Answer::no;
    if (compare_lower(matrix[k][k], 0) <= 0) return Answer::unknown;
    for (std::size_t i = k + 1; i < matrix.size(); ++i) {
      const Interval factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k + 1; j < matrix.size(); ++j) matrix[i][j] -= factor * matrix[k][j];
    }
  }
  return Answer::yes;
}

Interval square(const Interval& x) {
  Interval result;
  mpfi_sqr(result.backend().data(), x.backend().data());
  return result;
}

/// Whether x <= y, and whether x >= y.
Answer at_most(const Interval& x, const Rational& y) {
  return compare_upper(x, y) <= 0 ? Answer::yes : compare_lower(x, y) > 0 ? Answer::no : Answer::unknown;
}
Answer at_least(const Interval& x, const Rational& y) {
  return compare_lower(x, y) >= 0 ? Answer::yes : compare_upper(x, y) < 0 ? Answer::no : Answer::unknown;
}

/// Whether all answers of a precision are yes. Throws at the first that is no.
class Settled {
public:
  explicit Settled(std::string where) : where_(std::move(where)) {}
  void require(Answer answer, const std::string& expected) {
    ensure(answer != Answer::no, expected, "otherwise in " + where_);
    all_ = all_ && answer == Answer::yes;
  }
  bool all() const { return all_; }

private:
  std::string where_;
  bool all_ = true;
};

/// Requires that the smallest singular value of the matrix, with at most as many rows as columns, is in the
/// ends.
void check_singular_value(const Intervals& matrix, const Ends& ends, const std::string& name,
                          Settled& settled) {
  Intervals gram(matrix.size(), std::vector<Interval>(matrix.size(), Interval(0)));
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    for (std::size_t l = 0; l < matrix.size(); ++l) {
      for (std::size_t j = 0; j < matrix[k].size(); ++j) {
        gram[k][l] += k == l ? square(matrix[k][j]) : matrix[k][j] * matrix[l][j];
      }
    }
  }
  const auto above = [&](const Rational& x) {
    Intervals shifted = gram;
    for (std::size_t k = 0; k < gram.size(); ++k) shifted[k][k] -= interval(x * x);
    return positive_definite(std::move(shifted));
  };
  settled.require(above(ends.lower), "sigma_min.lower < the smallest singular value of " + name);
  const Answer upper = above(ends.upper);
  settled.require(upper == Answer::yes  ? Answer::no
                  : upper == Answer::no ? Answer::yes
                                        : Answer::unknown,
                  "sigma_min.upper >= the smallest singular value of " + name);
}

/// What the bound of one head is about.
struct Separated {
  const Vector& u;
  const Vector& v;
  const Rational& lambda;
  std::vector<std::size_t> fresh, rows, cols;  ///< I, B, J
};

/// The exact conditions: gamma, spread, token_norm contain the numbers that they are about. Returns the index
/// of the largest entry of (E_t u)(v . e_t) for each t in B. `frozen` is the layer whose head has the weights
/// W* alone.
std::vector<std::size_t> check_separation(const Problem& problem, const Layer& frozen, const HeadBound& bound,
                                          const Separated& head) {
  std::vector<std::size_t> largest;
  Rational gamma, spread, squared_norm;
  for (std::size_t t : head.rows) {
    const auto tokens = problem.context(t);
    const Rational factor = dot(head.v, problem.query(t));
    std::vector<Rational> entries;
    for (const Vector& token : *tokens) {
      entries.push_back(dot(token, head.u) * factor);
      squared_norm = std::max(squared_norm, Rational(dot(token, token)));
    }
    largest.push_back(
        static_cast<std::size_t>(std::max_element(entries.begin(), entries.end()) - entries.begin()));
    std::sort(entries.rbegin(), entries.rend());
    const Rational gap = entries[0] - entries[1];
    gamma = largest.size() == 1 ? gap : std::min(gamma, gap);
    const std::vector<Rational> products = reduced_logits(problem, frozen, bound.head, t);
    const auto [least, most] = std::minmax_element(products.begin(), products.end());
    spread = std::max(spread, Rational(*most - *least));
  }
  if (head.rows.empty()) return largest;
  const auto contains = [](const Ends& ends, const Rational& x, const std::string& name) {
    ensure(ends.lower <= x && x <= ends.upper, name + " that contains " + text(x),
           text(ends.lower) + " to " + text(ends.upper));
  };
  contains(bound.gamma, gamma, "gamma");
  contains(bound.spread, spread, "spread");
  contains({bound.token_norm.lower * bound.token_norm.lower, bound.token_norm.upper * bound.token_norm.upper},
           squared_norm, "token_norm^2");
  return largest;
}

/// The conditions with real numbers: c_norm, sigma_min, lambda_star.
void check_perturbation(const Problem& problem, const Layer& layer, const HeadBound& bound,
                        const Separated& head, const std::vector<std::size_t>& largest,
                        const CheckPolicy& policy) {
  const bool two = layer.ring.two;
  const std::size_t rho = head.rows.size(), size = head.fresh.size();
  const auto exponents = [&](const std::vector<std::size_t>& examples, std::size_t first, std::size_t last) {
    std::vector<std::vector<std::vector<Rational>>> result;
    for (std::size_t h = first; h < last; ++h) {
      result.emplace_back();
      for (std::size_t t : examples) result.back().push_back(reduced_logits(problem, layer, h, t));
    }
    return result;
  };
  const auto earlier_of_rows = exponents(head.rows, 0, bound.head);
  const auto earlier_of_fresh = exponents(head.fresh, 0, bound.head);
  const auto own_of_fresh = exponents(head.fresh, bound.head, bound.head + 1);
  // The square of 2 token_norm (n - 1) sqrt(rho) c_norm / sigma_min.
  const auto ratio = [&](const Rational& norm, const Rational& c_norm, const Rational& sigma) {
    const Rational root = 2 * norm * Rational(problem.n - 1) * c_norm / sigma;
    return Rational(root * root * Rational(rho));
  };
  const Rational smallest = ratio(bound.token_norm.lower, bound.c_norm.lower, bound.sigma_min.upper),
                 largest_ratio = ratio(bound.token_norm.upper, bound.c_norm.upper, bound.sigma_min.lower);
  const Ends& star = bound.lambda_star;
  const Rational least_logarithm =
      star.lower * (star.lower >= 0 ? bound.gamma.upper : bound.gamma.lower) - bound.spread.lower;
  const Rational most_logarithm = star.upper * bound.gamma.lower - bound.spread.upper;

  for (std::size_t bits = 128; bits <= policy.max_precision; bits *= 2) {
    set_precision(bits);
    // C from Z'_{B,J}^T C^T = Z'_{I,J}^T.
    const Intervals z_rows = rows_of_z(problem, head.rows, earlier_of_rows, two);
    const Intervals z_fresh = rows_of_z(problem, head.fresh, earlier_of_fresh, two);
    Intervals matrix(rho), transposed(rho);
    for (std::size_t j = 0; j < rho; ++j) {
      for (std::size_t k = 0; k < rho; ++k) matrix[j].push_back(z_rows[k][head.cols[j]]);
      for (std::size_t k = 0; k < size; ++k) transposed[j].push_back(z_fresh[k][head.cols[j]]);
    }
    if (!solve(matrix, transposed)) continue;
    Interval norm(0);  // the square of the Frobenius norm
    for (const auto& row : transposed) {
      for (const Interval& entry : row) norm += square(entry);
    }
    Intervals limit = rows_of_z(problem, head.fresh, own_of_fresh, two);  // D_inf
    for (std::size_t b = 0; b < rho; ++b) {
      const Vector token = problem.context(head.rows[b])->at(largest[b]);
      for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t j = 0; j < problem.d; ++j) limit[k][j] -= transposed[b][k] * interval(token[j]);
      }
    }
    Settled settled("head " + count(bound.head));
    settled.require(at_most(norm, bound.c_norm.upper * bound.c_norm.upper), "c_norm.upper >= the norm of C");
    check_singular_value(limit, bound.sigma_min, "D_inf", settled);
    if (rho > 0) {
      settled.require(at_least(norm, bound.c_norm.lower * bound.c_norm.lower),
                      "c_norm.lower <= the norm of C");
      settled.require(at_most(logarithm(interval(largest_ratio), two), 2 * most_logarithm),
                      "lambda_star.upper >= (spread + log_b(...)) / gamma");
      settled.require(at_least(logarithm(interval(smallest), two), 2 * least_logarithm),
                      "lambda_star.lower <= (spread + log_b(...)) / gamma");
    }
    if (settled.all()) return;
  }
  throw LimitError("the bound of head " + count(bound.head) + " is not decided at " +
                   count(policy.max_precision) + " bits");
}

/// u v^T.
struct RankOne {
  const Vector& u;
  const Vector& v;
};

/// A block of a row whose coefficients tend to a vertex: entry i != peak is at most b^(y_i - y_peak - lambda
/// (x_peak - x_i)).
struct Freezing {
  std::size_t peak = 0;
  std::vector<Rational> gaps;      ///< x_peak - x_i
  std::vector<Rational> products;  ///< y
};

/// Weyl's theorem for the whole minor with all lambdas above lambda_star. `frozen` is the layer without
/// separators.
void check_all_heads(const Problem& problem, const Layer& frozen, const std::vector<std::size_t>& rows,
                     const std::vector<std::size_t>& cols,
                     const std::vector<std::optional<RankOne>>& separators, const Ends& sigma_min,
                     const Rational& lambda, const CheckPolicy& policy) {
  const bool two = frozen.ring.two;
  std::vector<std::vector<std::optional<Freezing>>> freezing(rows.size());
  std::vector<std::vector<std::vector<Rational>>> own(problem.H);  // logits of head h at row k
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto tokens = problem.context(rows[k]);
    for (std::size_t h = 0; h < problem.H; ++h) {
      own[h].push_back(reduced_logits(problem, frozen, h, rows[k]));
      freezing[k].emplace_back();
      const Rational factor = separators[h] ? dot(separators[h]->v, problem.query(rows[k])) : Rational(0);
      if (factor == 0) continue;
      std::vector<Rational> x;
      for (const Vector& token : *tokens) x.push_back(dot(token, separators[h]->u) * factor);
      const auto most = std::max_element(x.begin(), x.end());
      ensure(std::count(x.begin(), x.end(), *most) == 1,
             "one largest entry of head " + count(h) + " at example " + count(rows[k]), "more");
      Freezing& block = freezing[k].back().emplace();
      block.peak = static_cast<std::size_t>(most - x.begin());
      for (const Rational& entry : x) block.gaps.push_back(*most - entry);
      block.products = own[h].back();
    }
  }
  for (std::size_t bits = 128; bits <= policy.max_precision; bits *= 2) {
    set_precision(bits);
    const Intervals z = rows_of_z(problem, rows, own, two);
    Intervals limit(rows.size());
    Interval change(0);  // at lambda: a bound of the squared norm of the minor minus its limit
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto tokens = problem.context(rows[k]);
      for (std::size_t col : cols) {
        const auto& block = freezing[k][col / problem.d];
        limit[k].push_back(block ? interval((*tokens)[block->peak][col % problem.d]) : z[k][col]);
      }
      for (const auto& block : freezing[k]) {
        if (!block) continue;
        const Vector& vertex = (*tokens)[block->peak];
        Interval shift(0);
        for (std::size_t i = 0; i < problem.n; ++i) {
          if (i == block->peak) continue;
          Rational squared = 0;
          for (std::size_t j = 0; j < problem.d; ++j) {
            const Rational difference = (*tokens)[i][j] - vertex[j];
            squared += difference * difference;
          }
          Interval distance = interval(squared);
          mpfi_sqrt(distance.backend().data(), distance.backend().data());
          const Rational exponent =
              block->products[i] - block->products[block->peak] - lambda * block->gaps[i];
          shift += exponential(interval(exponent), two) * distance;
        }
        change += square(shift);
      }
    }
    Settled settled("all heads together");
    check_singular_value(limit, sigma_min, "the limit", settled);
    settled.require(at_most(change, sigma_min.lower * sigma_min.lower),
                    "a lambda_star at which the minor is within sigma_min.lower of its limit");
    if (settled.all()) return;
  }
  throw LimitError("the bound for all heads is not decided at " + count(policy.max_precision) + " bits");
}

}  // namespace

void ClaimChecker::finite_lambda_bound(Object& step) {
  ensure(facts_.shown.count("finite-lambda-bound") == 0, "one step finite-lambda-bound", "a second one");
  ensure(constructed_ && facts_.shown.count("character-minor") != 0 &&
             facts_.constructed_rank == constructed_->rows.size(),
         "a construction and its character-minor before this step", "none");
  const Layer& layer = layers_.at("construction");
  std::vector<std::size_t> heads;  // those with an entry
  for (std::size_t h = 0; problem_.n > 1 && h < problem_.H; ++h) {
    if (constructed_->separators[h] && !constructed_->fresh[h].empty()) heads.push_back(h);
  }
  const Json& list = array(step["heads"], heads.size());
  std::vector<HeadBound> bounds;
  std::vector<Separated> separated;
  std::vector<std::vector<std::size_t>> largest;
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const std::size_t h = heads[k];
    bounds.push_back(read_bound(list[k], problem_.H));
    const HeadBound& bound = bounds.back();
    ensure(bound.head == h, "the bound of head " + count(h), "that of head " + count(bound.head));
    const Separator& separator = *constructed_->separators[h];
    const auto earlier = [&](const std::vector<std::size_t>& all) {
      const std::size_t size = h == 0 ? 0 : constructed_->blocks[h - 1].rows;
      return std::vector<std::size_t>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
    };
    separated.push_back({separator.u, separator.v, separator.lambda, constructed_->fresh[h],
                         earlier(constructed_->rows), earlier(constructed_->cols)});
    Layer frozen{layer.name, layer.ring, layer.heads};
    frozen.heads[h].pop_back();  // the separator
    largest.push_back(check_separation(problem_, frozen, bound, separated.back()));
    ensure(separator.lambda > bound.lambda_star.upper,
           "lambda_star.upper below the lambda of head " + count(h), text(bound.lambda_star.upper));
  }
  const Json* const all = step.find("all_heads");
  if ((!heads.empty() || all != nullptr) && problem_.T > policy_.readout_limit) {
    throw LimitError("a bound for " + count(problem_.T) + " examples exceeds the limit of " +
                     count(policy_.readout_limit) + "; --readout-limit raises it");
  }
  for (std::size_t k = 0; k < heads.size(); ++k) {
    check_perturbation(problem_, layer, bounds[k], separated[k], largest[k], policy_);
  }
  if (all == nullptr) return;
  Object object(*all);
  const Ends sigma_min = read_positive(object, "sigma_min");
  const std::string& stated = string(object["lambda_star"]);
  const Rational lambda = rational(object["lambda_star"]);
  ensure(lambda > 0, "a positive lambda_star", stated.substr(0, 40));
  object.done();
  Layer frozen{layer.name, layer.ring, layer.heads};
  std::vector<std::optional<RankOne>> separators(problem_.H);
  for (std::size_t h = 0; h < problem_.H; ++h) {
    const auto& separator = constructed_->separators[h];
    if (!separator) continue;
    separators[h].emplace(RankOne{separator->u, separator->v});
    frozen.heads[h].pop_back();
  }
  check_all_heads(problem_, frozen, constructed_->rows, constructed_->cols, separators, sigma_min, lambda,
                  policy_);
  facts_.unknown_up_to = stated;
}

void ClaimChecker::rescaled(Object& step) {
  ensure(constructed_.has_value(), "a step construction before this one", "none");
  const std::string& stated = string(step["lambda"]);
  const Rational lambda = rational(step["lambda"]);
  ensure(lambda != 0, "a lambda that is not 0", stated.substr(0, 40));
  for (const Rescaled& other : facts_.sweep)
    ensure(other.lambda != lambda, "different lambdas", stated.substr(0, 40) + " again");
  Layer layer = layers_.at("construction");
  layer.name = "rescaled";
  for (std::size_t h = 0; h < problem_.H; ++h) {
    const auto& separator = constructed_->separators[h];
    if (separator) layer.heads[h].back().key = combination({lambda}, {&separator->u});
  }
  layers_.insert_or_assign("rescaled", std::move(layer));
  facts_.sweep.push_back({stated, lambda, std::nullopt});
}

void ClaimChecker::rescaled_minor(Object& step, std::size_t size) {
  Rescaled& last = facts_.sweep.back();
  ensure(!last.minor, "one character-minor after each step rescaled", "a second one");
  ensure(step.find("solutions") == nullptr, "no solutions for the layer rescaled", "solutions");
  last.minor = size;
}

Json conclude_sweep(const Claim& claim, const Facts& facts, std::size_t upper) {
  Json sweep = Json::array();
  bool found = !claim.lambda || *claim.lambda == 0;
  for (const Rescaled& each : facts.sweep) {
    const std::size_t lower = each.minor.value_or(0);
    ensure(lower <= upper, "a minor of at most " + count(upper) + " rows", count(lower));
    sweep.push_back({{"lambda", each.text}, {"lower", lower}, {"upper", upper}});
    found = found || each.lambda == to_rational(*claim.lambda);
  }
  ensure(found, "a step rescaled with the lambda of the claim", "none");
  return sweep;
}

void adopt_informative(const Problem& problem, const Json& stated, Json& result) {
  if (!result.contains("sweep") || !stated.is_object() || !stated.contains("sweep")) return;
  Json& sweep = result["sweep"];
  const Json& list = array(stated["sweep"], sweep.size());
  for (std::size_t k = 0; k < sweep.size(); ++k) {
    ensure(list[k].is_object() && list[k].contains("binary64"), "the key \"binary64\"", "none");
    sweep[k]["binary64"] = index(list[k]["binary64"], std::min(problem.T, problem.H * problem.d) + 1);
  }
}

}  // namespace attest::checker
