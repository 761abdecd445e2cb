#include "farm/explore/cell_case.hpp"

#include "problem/generate.hpp"
#include "problem/numbers.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kBound = 9;
// A stream of its own, as those of src/problem/generate.hpp.
constexpr std::uint64_t kVocabulary = 16;

class Draw {
public:
  explicit Draw(const Cell& cell)
      : cell_(cell),
        seed_(65536 * cell.seed + 256 * cell.n + cell.d),
        contexts_(seed_, stream::contexts),
        queries_(seed_, stream::queries) {
    SplitMix64 random(seed_, kVocabulary);
    if (cell.family == "vocabulary")
      for (std::size_t k = 0; k < cell.n + 2; ++k) vocabulary_.push_back(integers(random));
  }

  CellData data() {
    CellData data;
    const std::vector<std::vector<mpq_class>> first = context(0);
    std::vector<mpq_class> last_query;
    std::vector<std::vector<mpq_class>> context_of = first;
    for (std::size_t t = 0; t < cell_.T; ++t) {
      const bool second = t % 2 == 1;
      if (cell_.fresh) {
        if (t > 0 && cell_.family == "translates") {
          const std::vector<mpq_class> shift = integers(contexts_);
          context_of = first;
          for (auto& token : context_of)
            for (std::size_t j = 0; j < cell_.d; ++j) token[j] += shift[j];
        } else if (t > 0 && !(second && cell_.family == "near-duplicate")) {
          context_of = context(t);
        }
      }
      if (cell_.fresh || t == 0)
        for (const auto& token : context_of)
          data.contexts.insert(data.contexts.end(), token.begin(), token.end());
      std::vector<mpq_class> query;
      if (second && cell_.family == "opposite-pairs") {
        query = last_query;
        for (mpq_class& x : query) x = -x;
      } else if (second && cell_.family == "near-duplicate") {
        query = last_query;
        query[0] += mpq_class(1, 1 << 20);
      } else if (cell_.family == "moment-curve") {
        query = on_curve(t % 2 == 1 ? (static_cast<long>(t) + 1) / 2 : -static_cast<long>(t / 2));
      } else {
        query = vector(queries_);
      }
      data.queries.insert(data.queries.end(), query.begin(), query.end());
      last_query = std::move(query);
    }
    return data;
  }

private:
  std::vector<std::vector<mpq_class>> context(std::size_t t) {
    std::vector<std::vector<mpq_class>> tokens;
    for (std::size_t i = 0; i < cell_.n; ++i)
      tokens.push_back(cell_.family == "moment-curve" ? on_curve(static_cast<long>(t * cell_.n + i + 1))
                                                      : vector(contexts_));
    return tokens;
  }
  std::vector<mpq_class> integers(SplitMix64& random) const {
    std::vector<mpq_class> v;
    for (std::size_t j = 0; j < cell_.d; ++j)
      v.emplace_back(static_cast<long>(random.below(2 * kBound + 1)) - static_cast<long>(kBound));
    return v;
  }
  std::vector<mpq_class> on_curve(long x) const {
    std::vector<mpq_class> v(cell_.d, 1);
    for (std::size_t j = 1; j < cell_.d; ++j) v[j] = v[j - 1] * x;
    return v;
  }
  std::vector<mpq_class> vector(SplitMix64& random) const {
    if (cell_.family == "vocabulary") return vocabulary_[random.below(vocabulary_.size())];
    if (cell_.family == "one-hot") {
      std::vector<mpq_class> v(cell_.d);
      v[random.below(cell_.d)] = 1;
      return v;
    }
    std::vector<mpq_class> v = integers(random);
    if (cell_.family == "affine-bag") {
      v.back() = 1;
      for (std::size_t j = 0; j + 1 < cell_.d; ++j) v.back() -= v[j];
    }
    return v;
  }

  const Cell& cell_;
  const std::uint64_t seed_;
  SplitMix64 contexts_, queries_;
  std::vector<std::vector<mpq_class>> vocabulary_;
};

// The first entries of an array in every dimension.
std::vector<mpq_class> corner(const ExactArray& array, const std::vector<std::size_t>& shape) {
  std::vector<mpq_class> out;
  std::vector<std::size_t> at(shape.size(), 0);
  while (true) {
    std::size_t flat = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) flat = flat * array.shape()[k] + at[k];
    out.push_back(array.at(flat));
    std::size_t k = shape.size();
    while (k > 0 && ++at[k - 1] == shape[k - 1]) at[--k] = 0;
    if (k == 0) return out;
  }
}

std::string array_text(const std::vector<mpq_class>& entries, const std::vector<std::size_t>& shape) {
  std::size_t next = 0;
  const auto print = [&](const auto& self, std::size_t depth) -> std::string {
    if (depth == shape.size()) {
      const mpq_class& x = entries[next++];
      const std::string text = number_text(x);
      return x.get_den() == 1 && x.get_num().fits_slong_p() ? text : "\"" + text + "\"";
    }
    std::string text = "[";
    for (std::size_t k = 0; k < shape[depth]; ++k) text += (k == 0 ? "" : ", ") + self(self, depth + 1);
    return text + "]";
  };
  return print(print, 0);
}

std::vector<mpq_class> eighths(const std::vector<int>& entries) {
  std::vector<mpq_class> out;
  for (const int x : entries) {
    out.emplace_back(x, 8);
    out.back().canonicalize();
  }
  return out;
}

std::string number(std::size_t value) {
  return std::to_string(value);
}

std::string claim(const char* statement) {
  return std::string("\n[[claim]]\nstatement = \"") + statement + "\"\n";
}

// All positions of the sequences put out d numbers; all weights of all layers are free.
std::string stack_case(const Cell& cell, const CellData& data) {
  std::string text = "format = 1\ntitle = \"" + cell.name() +
                     ", all weights\"\n\n[layer]\nheads = " + number(cell.H) +
                     "\ncontext = " + number(cell.n) + "\nembed_dim = " + number(cell.d) +
                     "\nhead_dim = " + number(cell.d_h) + "\nexamples = " + number(cell.T * cell.n) +
                     "\noutput_dim = " + number(cell.d) +
                     "\n\n[data]\nhidden = " + array_text(data.contexts, {cell.T, cell.n, cell.d}) +
                     "\npositions = \"all\"\n";
  for (std::size_t k = 1; k < cell.layers; ++k)
    text += "\n[[before]]\nkind = \"attention\"\nheads = " + number(cell.H) +
            "\nhead_dim = " + number(cell.d_h) + "\nresidual = " + (cell.residual ? "true" : "false") + "\n";
  return text + claim("functional-dimension");
}

}  // namespace

CellData cell_data(const Cell& cell, const Sweep& sweep) {
  if (cell.family == "trained")
    return {corner(sweep.trained->contexts, {cell.n, cell.d}),
            corner(sweep.trained->queries, {cell.T, cell.d})};
  return Draw(cell).data();
}

std::string cell_case(const Cell& cell, CellWeights which, const Sweep& sweep) {
  const CellData data = cell_data(cell, sweep);
  if (cell.layers > 0) return stack_case(cell, data);
  const bool random = which == CellWeights::random, layers_own = cell.family == "trained";
  const std::string text =
      "format = 1\ntitle = \"" + cell.name() + ", " +
      (which == CellWeights::any ? "all"
       : random                  ? "random"
       : layers_own              ? "trained"
                                 : "trained-like") +
      " weights\"\n\n[layer]\nheads = " + number(cell.H) + "\ncontext = " + number(cell.n) +
      "\nembed_dim = " + number(cell.d) + "\nhead_dim = " + number(cell.d_h) +
      "\nexamples = " + number(cell.T) + "\nbase = \"" + (cell.base == Base::e ? "e" : "2") +
      "\"\n\n[data]\ncontexts = " +
      array_text(data.contexts, cell.fresh ? std::vector<std::size_t>{cell.T, cell.n, cell.d}
                                           : std::vector<std::size_t>{cell.n, cell.d}) +
      "\nqueries = " + array_text(data.queries, {cell.T, cell.d}) + "\n";
  if (which == CellWeights::any) return text + claim("functional-dimension");
  if (random)
    return text + "\n[weights]\ngenerate = { kind = \"integers\", bound = " + std::to_string(kBound) +
           ", seed = " + std::to_string(cell.seed) + " }\n" + claim("capacity") + claim("rank") +
           claim("assumption-1") + claim("assumption-2");
  const std::vector<std::size_t> shape = {cell.H, cell.d, cell.d_h};
  std::vector<mpq_class> key, query;
  if (layers_own) {
    key = corner(sweep.trained->key, shape);
    query = corner(sweep.trained->query, shape);
  } else {
    const EighthWeights found = trained_like(cell, data);
    key = eighths(found.key);
    query = eighths(found.query);
  }
  return text + "\n[weights]\nkey = " + array_text(key, shape) + "\nquery = " + array_text(query, shape) +
         "\n" + claim("rank");
}

}  // namespace attest
