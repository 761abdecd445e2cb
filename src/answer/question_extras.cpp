#include "answer/question_extras.hpp"

#include <algorithm>

#include "kernel/problem.hpp"
#include "search/affine_hull.hpp"
#include "search/arithmetic/rational.hpp"
#include "search/binary64.hpp"
#include "search/character_z.hpp"
#include "theory/statements.hpp"

namespace attest {
namespace {

// Characters that are tried until one has a value on this layer.
constexpr std::size_t kCharacters = 32;

const Json* minor_of_z(const kernel::NumberedSteps& steps) {
  const auto found = std::find_if(steps.begin(), steps.end(), [](const kernel::NumberedStep& step) {
    return (*step.json)["rule"] == "minor" && step.json->value("of", "") == "rank(Z(given))";
  });
  return found == steps.end() ? nullptr : found->json;
}

// Once the rank is known, all rows depend on those of a minor of that size.
void add_dependent_examples(std::size_t examples, const kernel::NumberedSteps& steps, Json& claim) {
  const Json* const minor = minor_of_z(steps);
  const auto rank = claim.find("rank");
  if (minor == nullptr || rank == claim.end() || (*rank)["upper"] != (*minor)["rows"].size()) return;
  std::vector<bool> independent(examples);
  for (const Json& row : (*minor)["rows"]) independent.at(row.get<std::size_t>()) = true;
  Json dependent = Json::array();
  for (std::size_t t = 0; t < independent.size(); ++t)
    if (!independent[t]) dependent.push_back(t);
  if (!dependent.empty()) claim["dependent_examples"] = std::move(dependent);
}

std::vector<std::size_t> ranks_after_heads(const Case& c) {
  const AttentionLayer layer(c, *c.weights);
  const std::size_t most =
      AffineHull(c).bound(std::min(c.layer->examples, c.layer->heads * c.layer->embed_dim));
  for (std::size_t k = 0; k < kCharacters; ++k)
    if (const auto found = rank_under(layer, small_character(layer.ring(), k), most))
      return found->after_head;
  throw LimitError("--after-heads: no prime gives the ranks of the first heads");
}

// A basis of {x : M x = 0}: as many vectors as the rank leaves, which the kernel multiplies with M.
Json nullspace(const ExactArray& matrix) {
  const auto basis = right_kernel(rational_matrix(matrix));
  std::vector<kernel::Vector> vectors;
  Json result = Json::array();
  for (const std::vector<mpz_class>& x : basis) {
    vectors.emplace_back(x, 1);
    result.push_back(Json::array());
    for (const mpz_class& entry : x) result.back().push_back(entry.get_str());
  }
  const kernel::Rows rows(matrix, matrix.shape()[1], kernel::all_below(matrix.shape()[0]));
  if (!vectors.empty()) rows.ensure_annihilated(vectors);
  return result;
}

}  // namespace

void add_extras(const Question& q, const Case& c, const kernel::NumberedSteps& steps, Json& claims) {
  Json& claim = claims.at(0);
  if (claim["statement"] == "rank") add_dependent_examples(c.layer->examples, steps, claim);
  if (q.flag("float")) {
    const std::vector<double> values = binary64_singular_values(c);
    claim["binary64_rank"] = values.empty() ? Json() : Json(binary64_rank(values, c));
  }
  if (q.flag("nullspace")) claim["nullspace"] = nullspace(c.claims.at(0).array("matrix"));
  if (q.flag("after-heads")) claim["rank_after_heads"] = ranks_after_heads(c);
}

std::string capacity_bars(const Json& claims) {
  constexpr std::uint64_t kWidth = 60;
  std::vector<const Json*> bars;
  std::uint64_t top = 1;
  for (const Json& claim : claims) {
    if (!claim.contains("heads") || !claim["capacity"]["upper"].is_number()) continue;
    bars.push_back(&claim);
    top = std::max(top, claim["capacity"]["upper"].get<std::uint64_t>());
  }
  std::string text;
  for (const Json* claim : bars) {
    const auto lower = (*claim)["capacity"]["lower"].get<std::uint64_t>(),
               upper = (*claim)["capacity"]["upper"].get<std::uint64_t>();
    const auto length = [&](std::uint64_t number) { return top <= kWidth ? number : number * kWidth / top; };
    text += "\n  H = " + (*claim)["heads"].dump() + "  " + std::string(length(lower), '#') +
            std::string(length(upper) - length(lower), '.') + " " + std::to_string(lower) +
            (lower == upper ? "" : " to " + std::to_string(upper));
  }
  return text;
}

std::vector<std::string> extras_text(const Json& claim) {
  constexpr std::size_t kMostNamed = 12;
  std::vector<std::string> lines;
  if (const auto dependent = claim.find("dependent_examples"); dependent != claim.end()) {
    std::string line = "  the rows of all examples but ";
    for (std::size_t k = 0; k < std::min(kMostNamed, dependent->size()); ++k)
      line += (k == 0 ? "" : ", ") + (*dependent)[k].dump();
    lines.push_back(line + (dependent->size() > kMostNamed ? ", ..." : "") + " are a basis of all " +
                    "(there may be others)");
  }
  if (const auto ranks = claim.find("rank_after_heads"); ranks != claim.end()) {
    std::string line = "  rank of the first h heads, h = 1, 2, ..., at least:";
    for (std::size_t h = 0; h < ranks->size(); ++h) line += (h == 0 ? " " : ", ") + (*ranks)[h].dump();
    lines.push_back(line + " (under one character; the last is what the certificate proves)");
  }
  if (const auto basis = claim.find("nullspace"); basis != claim.end()) {
    lines.push_back(std::string("  M x = 0 for ") +
                    (basis->empty()       ? "x = 0 alone"
                     : basis->size() == 1 ? "1 vector x:"
                                          : std::to_string(basis->size()) + " independent vectors x:"));
    for (std::size_t k = 0; k < basis->size(); ++k) {
      if (k == kMostNamed || (*basis)[k].size() > kMostNamed) {
        lines.emplace_back("    ... (--json has all)");
        break;
      }
      std::string line;
      for (const Json& entry : (*basis)[k])
        line += (line.empty() ? "    (" : ", ") + entry.get<std::string>();
      lines.push_back(line + ")");
    }
  }
  if (const auto found = claim.find("binary64_rank"); found != claim.end())
    lines.push_back(found->is_null() ? "  binary64: overflows"
                                     : "  binary64: numpy.linalg.matrix_rank says " + found->dump() +
                                           ", which decides nothing");
  return lines;
}

}  // namespace attest
