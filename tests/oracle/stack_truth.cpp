// A layer behind a stack: every layer is evaluated as its definition says, with many digits.
#include <algorithm>
#include <cctype>

#include "tests/oracle/oracle.hpp"

namespace attest::test {
namespace {

constexpr long kStackBits = 1500, kMostStackBits = 60'000;

std::vector<std::size_t> list(const Members& members, std::size_t k) {
  return {members.rows.begin() + static_cast<long>(members.starts[k]),
          members.rows.begin() + static_cast<long>(members.starts[k + 1])};
}

Real entry(const std::optional<ExactArray>& array, std::size_t at) {
  return array ? Real(array->at(at)) : Real();
}

std::vector<Real> reals(const std::optional<ExactArray>& array, std::size_t first, std::size_t size) {
  std::vector<Real> result;
  for (std::size_t k = 0; k < size; ++k) result.push_back(entry(array, first + k));
  return result;
}

// x^T W y for W = combined, or key query^T, of head h; with a bias of the query.
class Logit {
public:
  Logit(const std::optional<ExactArray>& combined, const std::optional<ExactArray>& key,
        const std::optional<ExactArray>& query, const std::optional<ExactArray>& bias, std::size_t h,
        std::size_t d)
      : width_(combined ? 0 : key->shape()[2]),
        combined_(reals(combined, h * d * d, combined ? d * d : 0)),
        key_(reals(key, h * d * width_, d * width_)),
        query_(reals(query, h * d * width_, d * width_)),
        bias_(reals(bias, h * width_, width_)) {}

  Real operator()(const std::vector<Real>& x, const std::vector<Real>& y) const {
    const std::size_t d = x.size();
    Real sum;
    for (std::size_t i = 0; !combined_.empty() && i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) sum += x[i] * combined_[i * d + j] * y[j];
    for (std::size_t k = 0; k < width_; ++k) {
      Real left, right = bias_[k];
      for (std::size_t i = 0; i < d; ++i) {
        left += x[i] * key_[i * width_ + k];
        right += y[i] * query_[i * width_ + k];
      }
      sum += left * right;
    }
    return sum;
  }

private:
  std::size_t width_;
  std::vector<Real> combined_, key_, query_, bias_;
};

std::vector<Real> softmax_of(std::vector<Real> x) {
  Real top = x[0], sum;
  for (const Real& each : x) top = each > top ? each : top;
  for (Real& each : x) {
    each = exp(each - top);
    sum += each;
  }
  for (Real& each : x) each /= sum;
  return x;
}

}  // namespace

RealMatrix Oracle::hidden() const {
  RealMatrix rows;
  for (std::size_t k = 0; k < source.data.hidden->size() / d; ++k) {
    rows.emplace_back();
    for (std::size_t j = 0; j < d; ++j) rows[k].emplace_back(source.data.hidden->at(k * d + j));
  }
  return rows;
}

RealMatrix Oracle::stack_rows(std::span<const StackLayer> layers) const {
  return behind(layers, hidden());
}

RealMatrix Oracle::behind(std::span<const StackLayer> layers, RealMatrix rows) const {
  for (const StackLayer& layer : layers) {
    RealMatrix next = rows;
    const bool attention = layer.kind == StackLayer::Kind::attention;
    std::vector<Logit> heads;
    for (std::size_t h = 0; attention && h < layer.heads; ++h)
      heads.emplace_back(layer.combined, layer.key, layer.query, std::nullopt, h, d);
    const std::vector<Real> value = reals(layer.value, 0, attention && layer.value ? layer.value->size() : 0);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::vector<Real>& x = rows[k];
      std::vector<Real> out = layer.residual ? x : std::vector<Real>(d);
      if (attention) {
        const std::vector<std::size_t> own = list(*layer.members, k);
        for (std::size_t h = 0; h < layer.heads && !own.empty(); ++h) {
          std::vector<Real> logits, mean(d);
          for (const std::size_t i : own) logits.push_back(heads[h](rows[i], x));
          const std::vector<Real> alpha = softmax_of(logits);
          for (std::size_t i = 0; i < own.size(); ++i)
            for (std::size_t j = 0; j < d; ++j) mean[j] += alpha[i] * rows[own[i]][j];
          for (std::size_t j = 0; j < d; ++j) {
            if (!layer.value) out[j] += mean[j];
            for (std::size_t i = 0; layer.value && i < d; ++i) out[j] += mean[i] * value[(h * d + i) * d + j];
          }
        }
      } else if (layer.kind == StackLayer::Kind::mlp) {
        const std::size_t m = layer.weight_1->shape()[1];
        for (std::size_t u = 0; u < m; ++u) {
          Real y = entry(layer.bias_1, u);
          for (std::size_t j = 0; j < d; ++j) y += x[j] * Real(layer.weight_1->at(j * m + u));
          const Real down = exp(Real() - y);
          if (layer.activation == "relu") y = y > Real() ? y : Real();
          if (layer.activation == "silu") y = y / (Real(1) + down);
          if (layer.activation == "tanh") mpfr_tanh(y.raw(), y.raw(), MPFR_RNDN);
          for (std::size_t j = 0; j < d; ++j) out[j] += y * Real(layer.weight_2->at(u * d + j));
        }
        for (std::size_t j = 0; j < d; ++j) out[j] += entry(layer.bias_2, j);
      } else {
        Real square;
        for (const Real& each : x) square += each * each;
        const Real size = sqrt(square / Real(static_cast<long>(d)) + Real(layer.epsilon));
        for (std::size_t j = 0; j < d && !size.zero(); ++j)
          out[j] = x[j] * (layer.gain ? Real(layer.gain->at(j)) : Real(1)) / size;
      }
      next[k] = out;
    }
    rows = next;
  }
  return rows;
}

std::vector<Real> Oracle::stack_coefficients(const Weights& w, const RealMatrix& rows, std::size_t h,
                                             std::size_t t, bool scaled) const {
  const Logit logit(w.combined, w.key, w.query, w.query_bias, h, d);
  std::vector<Real> logits;
  for (const std::size_t i : list(*source.data.members, t))
    logits.push_back(unit(scaled) * logit(rows[i], rows[source.data.positions[t]]));
  return softmax_of(logits);
}

namespace {

// Of n entries of absolute value at most `size`.
std::vector<Q> drawn(Draws& draws, std::size_t n, const Q& size) {
  std::vector<Q> result(n);
  for (Q& x : result) x = draws.draw(1000) * size / 1000;
  return result;
}

// Random keys and queries: logits of vectors up to `largest` are moderate.
void draw_heads(Draws& draws, std::size_t heads, std::size_t d, std::size_t d_h, const Real& largest,
                std::optional<ExactArray>& key, std::optional<ExactArray>& query) {
  const Q size(1, 1 + mpz_class(mpfr_get_ui(largest.raw(), MPFR_RNDU)));
  for (std::optional<ExactArray>* const to : {&key, &query})
    *to = ExactArray({heads, d, d_h}, drawn(draws, heads * d * d_h, size));
}

// Rows plus the mean of those of a context.
RealMatrix with_mean(RealMatrix rows, const RealMatrix& context) {
  for (std::size_t j = 0; j < context[0].size(); ++j) {
    Real sum;
    for (const auto& row : context) sum += row[j];
    for (auto& row : rows) row[j] += sum / Real(static_cast<long>(context.size()));
  }
  return rows;
}

Real largest_of(const RealMatrix& rows) {
  Real largest = 1;
  for (const auto& row : rows)
    for (const Real& x : row) largest = abs(x) > largest ? abs(x) : largest;
  return largest;
}

}  // namespace

std::vector<StackLayer> Oracle::free_layers() const {
  Draws draws(7, 97);
  std::vector<StackLayer> result;
  for (StackLayer layer : source.stack) {
    if (layer.kind == StackLayer::Kind::attention) {
      draw_heads(draws, layer.heads, d, layer.head_dim, largest_of(stack_rows(result)), layer.key,
                 layer.query);
      layer.combined.reset();
      layer.value = ExactArray({layer.heads, d, d}, drawn(draws, layer.heads * d * d, 1));
    }
    result.push_back(std::move(layer));
  }
  return result;
}

std::optional<mpz_class> Oracle::stack_functional_dimension() const {
  constexpr long kBits = 600, kStep = 650, kFine = 1400;
  const Precision fine(kFine);
  std::vector<StackLayer> layers = free_layers();
  Weights own;
  Draws draws(7, 98);
  draw_heads(draws, H, d, d_h, largest_of(stack_rows(layers)), own.key, own.query);
  own.readout = ExactArray({H * d, d_out}, drawn(draws, H * d * d_out, 1));
  // With the first layer that they change.
  std::vector<std::pair<std::optional<ExactArray>*, std::size_t>> weights;
  std::vector<RealMatrix> entered = {hidden()};  // each layer
  for (std::size_t k = 0; k < layers.size(); ++k) {
    StackLayer& layer = layers[k];
    if (layer.kind == StackLayer::Kind::attention)
      for (auto* const each : {&layer.key, &layer.query, &layer.value}) weights.emplace_back(each, k);
    entered.push_back(behind({&layer, 1}, entered[k]));
  }
  for (auto* const each : {&own.key, &own.query, &own.readout}) weights.emplace_back(each, layers.size());
  const auto outputs = [&](std::size_t first) {
    const RealMatrix rows = behind(std::span(layers).subspan(first), entered[first]);
    std::vector<Real> result(T * d_out);
    for (std::size_t t = 0; t < T; ++t) {
      const std::vector<std::size_t> tokens_of_t = list(*source.data.members, t);
      for (std::size_t h = 0; h < H; ++h) {
        const std::vector<Real> alpha = stack_coefficients(own, rows, h, t);
        for (std::size_t j = 0; j < d; ++j) {
          Real mean;
          for (std::size_t i = 0; i < tokens_of_t.size(); ++i) mean += alpha[i] * rows[tokens_of_t[i]][j];
          for (std::size_t o = 0; o < d_out; ++o)
            result[t * d_out + o] += mean * Real(own.readout->at((h * d + j) * d_out + o));
        }
      }
    }
    return result;
  };
  const std::vector<Real> at = outputs(layers.size());
  const Q step(1, mpz_class(1) << kStep);
  RealMatrix columns;
  for (const auto& [each, first] : weights) {
    const ExactArray kept = **each;
    std::vector<Q> entries;
    for (std::size_t k = 0; k < kept.size(); ++k) entries.push_back(kept.at(k));
    for (Q& entry : entries) {
      entry += step;
      *each = ExactArray(kept.shape(), entries);
      entry -= step;
      std::vector<Real> moved = outputs(first);
      for (std::size_t k = 0; k < moved.size(); ++k) {
        moved[k] -= at[k];
        mpfr_mul_2si(moved[k].raw(), moved[k].raw(), kStep, MPFR_RNDN);
      }
      columns.push_back(std::move(moved));
    }
    *each = kept;
  }
  const Precision coarse(kBits);
  for (auto& column : columns)
    for (Real& x : column) mpfr_prec_round(x.raw(), kBits, MPFR_RNDN);
  const RealRank found = rank(std::move(columns));
  if (!found.exact) return std::nullopt;
  return integer(found.least);
}

RealMatrix Oracle::stack_z(Choice choice, const Layer& layer) const {
  const bool random = choice == Choice::coefficients;
  const RealMatrix rows = stack_rows(choice == Choice::all_weights ? free_layers() : source.stack);
  RealMatrix result(T);
  Draws draws(7, 96);
  Weights used;
  if (choice == Choice::given) used = *source.weights;
  if (choice == Choice::built) {
    std::vector<Q> entries;
    for (const Head& head : layer.heads)
      for (const Row& row : head.w) entries.insert(entries.end(), row.begin(), row.end());
    used.combined = ExactArray({H, d, d}, std::move(entries));
  }
  if (choice == Choice::last_weights || choice == Choice::all_weights)
    draw_heads(draws, H, d, d_h, largest_of(rows), used.key, used.query);
  for (std::size_t t = 0; t < T; ++t) {
    const std::vector<std::size_t> own = list(*source.data.members, t);
    for (std::size_t h = 0; h < H; ++h) {
      std::vector<Real> alpha;
      for (std::size_t i = 0; random && i < own.size(); ++i)
        alpha.emplace_back(Q(Q(integer(1000)) + draws.draw(999)));
      if (!random) alpha = stack_coefficients(used, rows, h, t, choice != Choice::built || layer.scaled);
      for (std::size_t j = 0; j < d; ++j) {
        Real sum, all;
        for (std::size_t i = 0; i < own.size(); ++i) {
          sum += alpha[i] * rows[own[i]][j];
          all += alpha[i];
        }
        result[t].push_back(sum / all);
      }
    }
  }
  return result;
}

Answer Oracle::judge_stack_contexts(const Bound& bound, bool mixed) const {
  Answer result = bound.at_least ? Answer::yes : Answer::no;  // of the least rank
  for (std::size_t t = 0; t < T; ++t) {
    const Answer found = judge_rank(bound, 0, [&] {
      const RealMatrix rows = stack_rows(source.stack);
      RealMatrix context;
      for (const std::size_t token : list(*source.data.members, t)) context.push_back(rows[token]);
      return mixed ? with_mean(context, context) : context;
    });
    if (found == Answer::unknown) return found;
    if (found != result) result = found;
    if (result == (bound.at_least ? Answer::no : Answer::yes)) return result;
  }
  return result;
}

Answer Oracle::judge_stack_queries(const Bound& bound, bool mixed) const {
  // Every `size` of them are independent, or some are not.
  const std::size_t size = bound.number.get_ui() + (bound.at_least ? 0 : 1);
  const Bound independent("rank >= " + std::to_string(size));
  std::vector<bool> chosen(T);
  if (size > T) return bound.at_least ? Answer::no : Answer::yes;
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size), true);
  do {
    const Answer found = judge_rank(independent, 0, [&] {
      const RealMatrix rows = stack_rows(source.stack);
      RealMatrix subset;
      for (std::size_t t = 0; t < T; ++t) {
        if (!chosen[t]) continue;
        RealMatrix context;
        for (const std::size_t token : list(*source.data.members, t)) context.push_back(rows[token]);
        const RealMatrix own = {rows[source.data.positions[t]]};
        subset.push_back((mixed ? with_mean(own, context) : own)[0]);
      }
      return subset;
    });
    if (found == Answer::unknown) return found;
    if (found == Answer::no) return bound.at_least ? Answer::no : Answer::yes;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return bound.at_least ? Answer::yes : Answer::no;
}

Answer Oracle::judge_stack(const Bound& bound, const Json& steps) const {
  const std::string& of = bound.quantity;
  const bool is_rank = of.starts_with("rank(") || of == "capacity" || of == "numerical_rank";
  const bool ones = of == "rank(Z|1)";
  const std::size_t most = is_rank ? std::min(T, H * d + (ones ? 1 : 0)) : of == "saturated" ? T * H : T;
  if (!bound.at_least && bound.number >= integer(most)) return Answer::yes;  // the shape
  if (of == "capacity")
    return judge_rank(bound, 0, [&] {
      return stack_z(source.layer->given_stack ? Choice::last_weights : Choice::all_weights);
    });
  const bool free = std::ranges::any_of(source.stack, &StackLayer::free);
  // What no weights exceed.
  if (free && of == "rank(Z(given))" && !bound.at_least)
    return judge_rank(bound, 0, [&] { return stack_z(Choice::all_weights); }) == Answer::yes
               ? Answer::yes
               : Answer::unknown;
  if (of == "rank(contexts)" || of == "rank(mixed-contexts)")
    return free ? Answer::unknown : judge_stack_contexts(bound, of == "rank(mixed-contexts)");
  if (of == "kruskal(queries)" || of == "kruskal(mixed-queries)")
    return free ? Answer::unknown : judge_stack_queries(bound, of == "kruskal(mixed-queries)");
  if (!free && of.starts_with("rank(Z(") && std::isdigit(static_cast<unsigned char>(of[7])) != 0) {
    const Layer layer = built(steps, std::stoul(of.substr(7)));
    return judge_rank(bound, 40, [&] { return stack_z(Choice::built, layer); });
  }
  // Any labels are fitted where Z has the rank T. That none are would have to be seen of all weights.
  if (!free && of == "memorized(any)" && bound.at_least)
    return judge_rank(Bound("rank >= " + std::to_string(T)), 0,
                      [&] { return stack_z(Choice::last_weights); }) == Answer::yes
               ? Answer::yes
               : Answer::unknown;
  if (!free && !source.weights && of == "rank(Z(any))")
    return judge_rank(bound, 0, [&] { return stack_z(Choice::coefficients); });
  if (!free && !source.weights && of == "generic_outputs") {
    const Precision precision(kStackBits);
    return bound.of(integer(different_rows(stack_z(Choice::last_weights), kStackBits)));
  }
  if (!source.weights || free) return Answer::unknown;
  // How far coefficients are apart, in bits: twice what logits of all rows with each other are.
  long range = 0;
  {
    const Precision precision(256);
    const RealMatrix rows = stack_rows(source.stack);
    for (std::size_t h = 0; h < H; ++h)
      for (std::size_t t = 0; t < T; ++t)
        for (const Real& x : stack_coefficients(*source.weights, rows, h, t))
          range = std::max(range, 2 - x.exponent());
    if (range > (1L << 40)) return Answer::unknown;
  }
  if (of == "rank(Z(given))") return judge_rank(bound, range, [&] { return stack_z(Choice::given); });
  if (of == "rank(Z(any))") return judge_rank(bound, range, [&] { return stack_z(Choice::coefficients); });
  if (ones)
    return judge_rank(bound, range, [&] {
      RealMatrix z = stack_z(Choice::given);
      for (auto& row : z) row.emplace_back(1);
      return z;
    });
  const long bits = kStackBits + 6 * range;
  if (bits > kMostStackBits) return Answer::unknown;
  const Precision precision(bits);
  if (of == "generic_outputs") return bound.of(integer(different_rows(stack_z(Choice::last_weights), bits)));
  if (of == "distinct(Z)") return bound.of(integer(different_rows(stack_z(Choice::given), bits)));
  if (of == "accurate") return right_examples(bound, stack_z(Choice::given), bits);
  if (of == "numerical_rank") return singular_values(bound, stack_z(Choice::given), bits);
  if (of != "saturated") return Answer::unknown;
  const RealMatrix rows = stack_rows(source.stack);
  const Real threshold(claim.number("threshold"));
  std::size_t above = 0;
  for (std::size_t h = 0; h < H; ++h) {
    if (claim.has("head") && claim.integer("head") != integer(h)) continue;
    for (std::size_t t = 0; t < T; ++t) {
      const std::vector<Real> alpha = stack_coefficients(*source.weights, rows, h, t);
      above += std::any_of(alpha.begin(), alpha.end(), [&](const Real& x) {
        return x > threshold && (x - threshold).exponent() > -bits / 2;
      });
    }
  }
  return bound.of(integer(above));
}

}  // namespace attest::test
