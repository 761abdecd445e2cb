// Steps with weights that were made for the case: the construction of Proposition 1, read-outs, Claims 1
// and 2.
#include <algorithm>

#include "checker/steps.hpp"
#include "input/sha256.hpp"

namespace attest::checker {
namespace {

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
    plan.fresh.push_back(fresh);
    plan.separators.emplace_back();
    if (const Json* value = object.find("separator")) {
      Object separator(*value);
      u = vector(separator["u"], problem_.d);
      v = vector(separator["v"], problem_.d);
      const Rational lambda = rational(separator["lambda"]);
      head.push_back({combination({lambda}, {&*u}), *v, 0});
      plan.separators.back() = Separator{*u, *v, lambda};
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
  check_enclosure(problem_, layers_.at("construction"), cols, balls, precision,
                  claim_.statement == "skip-connection", policy_);
}

void ClaimChecker::readout_exact(Object& step) {
  const std::vector<std::size_t> cols = distinct_indices(step["cols"], problem_.H * problem_.d);
  readout_columns(cols);
  std::vector<std::vector<Rational>> weights;
  for (const Json& row : array(step["weights"], problem_.T)) {
    weights.emplace_back();
    for (const Json& entry : array(row, problem_.d_out)) weights.back().push_back(rational(entry));
  }
  check_exact_readout(problem_, layers_.at("construction"), cols, weights,
                      claim_.statement == "skip-connection", policy_);
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
