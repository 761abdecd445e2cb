#include "theory/part.hpp"

#include <algorithm>
#include <map>

#include "theory/statements.hpp"

namespace attest {
namespace {

/// Those tokens of the contexts that the examples have, in order of first use, and which each has.
void pick_contexts(const Case& whole, const std::vector<std::size_t>& examples, Data& data) {
  std::map<std::size_t, std::uint32_t> number;  // of a row among those that are used
  std::vector<std::size_t> used;
  Members members{{0}, {}};
  for (const std::size_t t : examples) {
    for (std::size_t i = 0; i < whole.tokens(t); ++i) {
      const auto [place, first] = number.try_emplace(whole.token_row(t, i), used.size());
      if (first) used.push_back(place->first);
      members.rows.push_back(place->second);
    }
    members.starts.push_back(members.rows.size());
  }
  const std::size_t n = whole.layer->context, d = whole.layer->embed_dim;
  data.contexts = whole.data.contexts->rows(used, d);
  if (whole.data.members)
    data.members = std::move(members);
  else
    data.contexts = std::move(*data.contexts).reshaped({examples.size(), n, d});
}

/// The rows of `width` entries, each with one more: this one.
ExactArray with_coordinate(const ExactArray& array, std::size_t width, int last) {
  std::vector<std::size_t> shape = array.shape();
  ++shape.back();
  return std::visit(
      [&](const auto& entries) -> ExactArray {
        using Entry = typename std::decay_t<decltype(entries)>::value_type;
        std::vector<std::remove_const_t<Entry>> all;
        for (std::size_t k = 0; k < entries.size(); ++k) {
          all.push_back(entries[k]);
          if (k % width == width - 1) all.emplace_back(last);
        }
        return ExactArray(shape, std::move(all));
      },
      array.storage());
}

}  // namespace

Case part_of(const Case& whole, const Part& part) {
  Case result;
  result.path = whole.path;
  result.title = whole.title;
  result.layer = whole.layer;
  if (part.heads) result.layer->heads = *part.heads;
  result.data.shared_context = whole.data.shared_context;
  result.data.contexts = whole.data.contexts->view();
  result.data.queries = whole.data.queries->view();
  result.data.members = whole.data.members;
  if (part.examples) {
    result.layer->examples = part.examples->size();
    if (!whole.data.shared_context) pick_contexts(whole, *part.examples, result.data);
    result.data.queries = whole.data.queries->rows(*part.examples, whole.layer->embed_dim);
  }
  Claim& claim = result.claims.emplace_back();
  claim.statement = "capacity";
  claim.spec = &statement(claim.statement).spec;
  return result;
}

std::optional<Case> own_problem(const Case& c, const Claim& claim) {
  const bool biased = c.layer && c.layer->query_bias &&
                      std::ranges::any_of(statement(claim.statement).shown,
                                          [](const Shown& shown) { return shown.quantity == "capacity"; });
  if (!biased && !claim.has("heads")) return std::nullopt;
  Case result = part_of(c, {claim.has("heads") ? std::optional(claim.size("heads")) : std::nullopt});
  if (biased) {
    const std::size_t d = result.layer->embed_dim++;
    result.data.contexts = with_coordinate(*result.data.contexts, d, 0);
    result.data.queries = with_coordinate(*result.data.queries, d, 1);
  }
  return result;
}

}  // namespace attest
