#include "answer/figures.hpp"

#include <algorithm>
#include <cmath>

#include "problem/numbers.hpp"
#include "search/binary64.hpp"
#include "search/character_z.hpp"

namespace attest {
namespace {

constexpr std::size_t kFewestCells = 8;            // T H, below which it would show nothing
constexpr std::size_t kMostCoefficients = 200000;  // T H n
constexpr std::size_t kFewestValues = 4;           // singular values
constexpr std::size_t kMostSquares = 1000000000;   // operations of about a second
constexpr std::size_t kMostEntries = 10000000;     // of tokens that are compared

// The least proved upper bound of a quantity, by the facts of the steps.
std::optional<std::size_t> proved_upper(const kernel::NumberedSteps& steps, const std::string& quantity) {
  std::optional<std::size_t> least;
  const std::string start = quantity + " <= ";
  for (const auto& [number, step] : steps) {
    const std::string fact = (*step)["fact"].get<std::string>();
    if (!fact.starts_with(start)) continue;
    const std::size_t bound = std::stoul(fact.substr(start.size()));
    least = std::min(least.value_or(bound), bound);
  }
  return least;
}

// How many different tokens there are; d + 1 when there are more than d, or too many to look at.
std::size_t few_tokens(const Case& c) {
  const std::size_t d = c.layer->embed_dim;
  if (!c.data.contexts || c.data.contexts->size() > kMostEntries) return d + 1;
  return std::min(d + 1, kernel::distinct(kernel::first_equal(*c.data.contexts, d)).size());
}

// The affine hull bound with 1, ..., `heads` heads.
std::vector<std::size_t> hull_bounds(const Case& c, const kernel::NumberedSteps& steps, std::size_t heads) {
  const std::size_t tokens = few_tokens(c), d = c.layer->embed_dim,
                    affine = std::min(tokens, proved_upper(steps, "rank(affine-tokens)").value_or(d + 1)),
                    linear = std::min({tokens, d, proved_upper(steps, "rank(tokens)").value_or(d)});
  std::vector<std::size_t> bounds;
  for (std::size_t h = 1; h <= heads; ++h)
    bounds.push_back(
        std::min({c.layer->examples, h * linear, h * (std::max<std::size_t>(affine, 1) - 1) + 1}));
  return bounds;
}

RationalVector vector_of(const Json& vector) {
  RationalVector result;
  result.den = mpz_class(vector["den"].get<std::string>());
  for (const Json& x : vector["num"]) result.num.emplace_back(x.get<std::string>());
  return result;
}

// The layer that a `let` defines by its heads; with `lambda`, that in place of the lambda of every separator.
AttentionLayer layer_of(const Case& c, const Json& let, const std::optional<mpq_class>& lambda) {
  std::vector<HeadFactors> heads;
  for (const Json& head : let["layer"]["heads"]) {
    HeadFactors& factors = heads.emplace_back();
    for (const Json& key : head["key"]) factors.key.push_back(vector_of(key));
    for (const Json& query : head["query"]) factors.query.push_back(vector_of(query));
    if (!head.contains("separator")) continue;
    const Json& separator = head["separator"];
    const mpq_class factor = lambda.value_or(parse_number(separator["lambda"].get<std::string>()));
    factors.key.push_back(vector_of(separator["u"]));
    factors.query.push_back(vector_of(separator["v"]));
    for (mpz_class& x : factors.query.back().num) x *= factor.get_num();
    factors.query.back().den *= factor.get_den();
  }
  return {c, std::move(heads)};
}

// Null for a proof without construction.
Json heads_figure(const Case& c, const kernel::NumberedSteps& steps) {
  // Heads with separators are the paper's. The rank is that of the minor which follows.
  const auto let = std::find_if(steps.begin(), steps.end(), [](const kernel::NumberedStep& numbered) {
    const Json& step = *numbered.json;
    return step["rule"] == "let" && step["layer"].contains("heads") &&
           std::ranges::any_of(step["layer"]["heads"],
                               [](const Json& head) { return head.contains("separator"); });
  });
  if (let == steps.end() || let + 1 == steps.end() || !(let + 1)->json->contains("g")) return nullptr;
  const Json& minor = *(let + 1)->json;
  const std::uint64_t p = minor["p"].get<std::uint64_t>();
  const Character character{p, (p - 1) / 2, minor["g"].get<std::uint64_t>()};
  const auto found = rank_under(layer_of(c, *let->json, std::nullopt), character, minor["rows"].size());
  if (!found) return nullptr;
  std::size_t r = std::min(c.layer->context, c.layer->head_dim);
  // Remark 1: the Kruskal rank counts when it is smaller.
  if (const auto kruskal = proved_upper(steps, "kruskal(queries)")) r = std::min(r, *kruskal);
  Json paper = Json::array();
  for (std::size_t h = 1; h <= found->after_head.size(); ++h)
    paper.push_back(r == 0 ? 0 : std::min(c.layer->examples, h * (r - 1) + 1));
  return {{"kind", "heads"},
          {"r", r},
          {"ranks", found->after_head},
          {"paper", paper},
          {"hull", hull_bounds(c, steps, found->after_head.size())}};
}

// Null for a proof without rescaled layers.
Json lambda_figure(const Case& c, const kernel::NumberedSteps& steps) {
  std::size_t negative = 0;
  Json all_above, points = Json::array();
  const std::size_t most = hull_bounds(c, steps, c.layer->heads).back();
  for (const auto& [k, json] : steps) {
    const Json& step = *json;
    if (step["fact"].get<std::string>().starts_with("tail_rank >= "))
      all_above = binary_logarithm(parse_number(step["lambda"].get<std::string>()));
    if (step["rule"] != "let" || !step["layer"].contains("rescaled")) continue;
    const Json& rescaled = step["layer"]["rescaled"];
    const mpq_class lambda = parse_number(rescaled["lambda"].get<std::string>());
    if (lambda <= 0) {
      ++negative;
      continue;
    }
    std::size_t lower = 0;
    const std::string of = "rank(Z(" + std::to_string(k) + "))";
    for (const auto& [number, other] : steps)
      if (other->value("of", "") == of && (*other)["rule"] == "minor")
        lower = std::max(lower, (*other)["rows"].size());
    const auto scaled =
        std::ranges::find(steps, rescaled["of"].get<std::size_t>(), &kernel::NumberedStep::number);
    const AttentionLayer layer = layer_of(c, *scaled->json, lambda);
    points.push_back({binary_logarithm(lambda), lower, most, binary64_rank_of_z(layer)});
  }
  if (points.empty()) return nullptr;
  std::sort(points.begin(), points.end());
  return {{"kind", "lambda"}, {"points", points}, {"negative", negative}, {"all_above", all_above}};
}

Json singular_values_figure(const Case& c, const Claim& claim) {
  const Dimensions& dims = *c.layer;
  const std::size_t T = dims.examples, width = dims.heads * dims.embed_dim, size = std::min(T, width);
  if (size < kFewestValues || T * width > kMostSquares / size) return nullptr;
  const std::vector<double> values = binary64_singular_values(c);
  if (values.empty() || values.front() <= 0) return nullptr;
  Json logarithms = Json::array();
  for (const double x : values) logarithms.push_back(x > 0 ? Json(std::log10(x)) : Json());
  return {{"kind", "singular-values"},
          {"values", logarithms},
          {"tolerance", binary_logarithm(claim.number("tolerance")) * std::log10(2.0)}};
}

}  // namespace

Json saturation_figure(const Case& c) {
  if (!c.weights || !c.layer) return nullptr;
  const std::size_t T = c.layer->examples, H = c.layer->heads;
  // With one token every coefficient is 1.
  if (c.layer->context < 2 || T * H < kFewestCells || T * H > kMostCoefficients / c.layer->context)
    return nullptr;
  const std::vector<double> largest = binary64_largest_coefficients(c);
  Json rows = Json::array();
  for (std::size_t h = 0; h < H; ++h) {
    Json row = Json::array();
    for (std::size_t t = 0; t < T; ++t) {
      const double x = largest[h * T + t];
      row.push_back(std::isfinite(x) ? Json(std::round(x * 1e4) / 1e4) : Json());
    }
    rows.push_back(std::move(row));
  }
  return {{"kind", "saturation"}, {"largest", rows}};
}

Json claim_figures(const Case& c, const Claim& claim, const kernel::NumberedSteps& steps) {
  Json figures = Json::array();
  if (!c.layer) return figures;
  const auto add = [&](Json figure) {
    if (!figure.is_null()) figures.push_back(std::move(figure));
  };
  add(heads_figure(c, steps));
  add(lambda_figure(c, steps));
  if (claim.has("tolerance") && c.weights) add(singular_values_figure(c, claim));
  return figures;
}

}  // namespace attest
