#include "theory/part.hpp"

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

}  // namespace attest
