// Finite lambda: the bound beyond which the separators of the construction keep its rank, and the exact rank
// at other lambdas.
#include <algorithm>

#include "checker/interval.hpp"
#include "checker/statements.hpp"
#include "checker/steps.hpp"

namespace attest::checker {
namespace {

struct HeadBound {
  std::size_t head = 0;
  Rational gamma, spread, token_norm, c_norm, sigma_min, lambda_star;
};

HeadBound read_bound(const Json& value, std::size_t heads) {
  Object object(value);
  HeadBound bound;
  bound.head = index(object["head"], heads);
  const auto positive = [&](const char* key) {
    const Rational number = rational(object[key]);
    ensure(number > 0, std::string("a positive ") + key, text(number));
    return number;
  };
  bound.gamma = positive("gamma");
  bound.spread = rational(object["spread"]);
  ensure(bound.spread >= 0, "a spread >= 0", text(bound.spread));
  bound.token_norm = positive("token_norm");
  bound.c_norm = positive("c_norm");
  bound.sigma_min = positive("sigma_min");
  bound.lambda_star = positive("lambda_star");
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

/// Whether x <= y.
Answer at_most(const Interval& x, const Rational& y) {
  return compare_upper(x, y) <= 0 ? Answer::yes : compare_lower(x, y) > 0 ? Answer::no : Answer::unknown;
}

/// Whether the answer is yes. Throws when it is no.
bool settled(Answer answer, const std::string& expected, const HeadBound& bound) {
  ensure(answer != Answer::no, expected, "otherwise in head " + count(bound.head));
  return answer == Answer::yes;
}

/// What the bound of one head is about.
struct Separated {
  const Vector& u;
  const Vector& v;
  const Rational& lambda;
  std::vector<std::size_t> fresh, rows, cols;  ///< I, B, J
};

/// The exact conditions: gamma, spread, token_norm. Returns the index of the largest entry of (E_t u)(v .
/// e_t) for each t in B. `frozen` is the layer whose head has the weights W* alone.
std::vector<std::size_t> check_separation(const Problem& problem, const Layer& frozen, const HeadBound& bound,
                                          const Separated& head) {
  std::vector<std::size_t> largest;
  for (std::size_t t : head.rows) {
    const auto tokens = problem.context(t);
    const Rational factor = dot(head.v, problem.query(t));
    std::vector<Rational> entries;
    for (const Vector& token : *tokens) {
      entries.push_back(dot(token, head.u) * factor);
      const Rational squared = dot(token, token);
      ensure(bound.token_norm * bound.token_norm >= squared, "token_norm^2 >= " + text(squared),
             text(bound.token_norm) + " squared");
    }
    largest.push_back(
        static_cast<std::size_t>(std::max_element(entries.begin(), entries.end()) - entries.begin()));
    std::sort(entries.rbegin(), entries.rend());
    const Rational gap = entries[0] - entries[1];
    ensure(bound.gamma <= gap, "gamma <= " + text(gap) + ", the gap at example " + count(t),
           text(bound.gamma));
    const std::vector<Rational> products = reduced_logits(problem, frozen, bound.head, t);
    const auto [least, most] = std::minmax_element(products.begin(), products.end());
    const Rational spread = *most - *least;
    ensure(bound.spread >= spread, "spread >= " + text(spread) + ", that of example " + count(t),
           text(bound.spread));
  }
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
  Rational ratio = 2 * bound.token_norm * Rational(problem.n - 1) * bound.c_norm / bound.sigma_min;
  ratio *= ratio * Rational(rho);

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
    Intervals gram(size, std::vector<Interval>(size, Interval(0)));
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t l = 0; l < size; ++l) {
        for (std::size_t j = 0; j < problem.d; ++j) {
          gram[k][l] += k == l ? square(limit[k][j]) : limit[k][j] * limit[l][j];
        }
      }
      gram[k][k] -= interval(bound.sigma_min * bound.sigma_min);
    }
    bool done = settled(at_most(norm, bound.c_norm * bound.c_norm), "c_norm >= the norm of C", bound);
    done =
        settled(positive_definite(gram), "sigma_min < the smallest singular value of D_inf", bound) && done;
    if (rho > 0) {
      const Interval twice = logarithm(interval(ratio), two);
      done = settled(at_most(twice, 2 * (bound.lambda_star * bound.gamma - bound.spread)),
                     "lambda_star >= (spread + log_b(...)) / gamma", bound) &&
             done;
    }
    if (done) return;
  }
  throw LimitError("the bound of head " + count(bound.head) + " is not decided at " +
                   count(policy.max_precision) + " bits");
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
    ensure(separator.lambda > bound.lambda_star, "lambda_star below the lambda of head " + count(h),
           text(bound.lambda_star));
  }
  if (!heads.empty() && problem_.T > policy_.readout_limit) {
    throw LimitError("a bound for " + count(problem_.T) + " examples exceeds the limit of " +
                     count(policy_.readout_limit) + "; --readout-limit raises it");
  }
  for (std::size_t k = 0; k < heads.size(); ++k) {
    check_perturbation(problem_, layer, bounds[k], separated[k], largest[k], policy_);
  }
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
