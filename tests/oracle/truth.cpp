#include "tests/oracle/truth.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "input/numbers.hpp"
#include "tests/oracle/network.hpp"
#include "tests/oracle/real.hpp"

namespace attest::test {
namespace {

using Q = mpq_class;
using Row = std::vector<Q>;
using Rows = std::vector<Row>;

Answer answer(bool truth) {
  return truth ? Answer::yes : Answer::no;
}

Q dot(const Row& a, const Row& b) {
  Q sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The rank by elimination in fractions.
std::size_t rank(Rows m) {
  std::size_t r = 0;
  const std::size_t width = m.empty() ? 0 : m.front().size();
  for (std::size_t col = 0; col < width && r < m.size(); ++col) {
    std::size_t pivot = r;
    while (pivot < m.size() && m[pivot][col] == 0) ++pivot;
    if (pivot == m.size()) continue;
    std::swap(m[r], m[pivot]);
    for (std::size_t i = r + 1; i < m.size(); ++i) {
      if (m[i][col] == 0) continue;
      const Q f = m[i][col] / m[r][col];
      for (std::size_t j = col; j < width; ++j) m[i][j] -= f * m[r][j];
    }
    ++r;
  }
  return r;
}

/// At least `least`; equal to it when `exact`: the pivots after that many are all below 2^(-3/4 bits), and
/// those before are above 2^(-1/2 bits), relative to the largest entry of their row. (Pivoting is complete,
/// so an error at most doubles with each pivot.)
struct RealRank {
  std::size_t least = 0;
  bool exact = false;
};

RealRank rank(RealMatrix m) {
  const std::size_t height = m.size(), width = m.empty() ? 0 : m.front().size();
  for (auto& row : m) {
    Real largest;
    for (const Real& x : row) largest = std::max(largest, abs(x));
    if (largest.zero()) continue;
    for (Real& x : row) x /= largest;
  }
  RealRank result;
  for (std::size_t r = 0;; ++r) {
    long best = -(1L << 60);
    std::size_t pi = r, pj = r;
    for (std::size_t i = r; i < height; ++i) {
      for (std::size_t j = r; j < width; ++j) {
        if (m[i][j].exponent() > best) best = m[i][j].exponent(), pi = i, pj = j;
      }
    }
    if (best < -3 * Real::bits() / 4) {
      result.exact = true;
      return result;
    }
    if (best < -Real::bits() / 2) return result;
    ++result.least;
    std::swap(m[r], m[pi]);
    for (auto& row : m) std::swap(row[r], row[pj]);
    for (std::size_t i = r + 1; i < height; ++i) {
      if (m[i][r].zero()) continue;
      const Real f = m[i][r] / m[r][r];
      for (std::size_t j = r; j < width; ++j) m[i][j] -= f * m[r][j];
    }
  }
}

/// x with A x = y, a column of y at a time; nothing when A is singular or nearly so.
std::optional<RealMatrix> solved(RealMatrix a, RealMatrix y) {
  const std::size_t size = a.size();
  for (std::size_t col = 0; col < size; ++col) {
    std::size_t pivot = col;
    for (std::size_t i = col; i < size; ++i) {
      if (abs(a[i][col]) > abs(a[pivot][col])) pivot = i;
    }
    if (a[pivot][col].exponent() < -Real::bits() / 4) return std::nullopt;
    std::swap(a[col], a[pivot]);
    std::swap(y[col], y[pivot]);
    for (std::size_t i = 0; i < size; ++i) {
      if (i == col) continue;
      const Real f = a[i][col] / a[col][col];
      for (std::size_t j = col; j < size; ++j) a[i][j] -= f * a[col][j];
      for (std::size_t j = 0; j < y[i].size(); ++j) y[i][j] -= f * y[col][j];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (Real& x : y[i]) x /= a[i][i];
  }
  return y;
}

/// Eigenvalues of a symmetric matrix by Jacobi's rotations.
std::vector<Real> eigenvalues(RealMatrix m) {
  const std::size_t size = m.size();
  for (int sweep = 0; sweep < 60; ++sweep) {
    bool diagonal = true;
    for (std::size_t p = 0; p < size; ++p) {
      for (std::size_t q = p + 1; q < size; ++q) {
        if (m[p][q].exponent() < -2 * Real::bits()) continue;
        diagonal = false;
        const Real theta = (m[q][q] - m[p][p]) / (m[p][q] * 2);
        Real t = Real(1) / (abs(theta) + sqrt(theta * theta + 1));
        if (theta < 0) t = Real(0) - t;
        const Real c = Real(1) / sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < size; ++k) {
          const Real a = m[k][p], b = m[k][q];
          m[k][p] = c * a - s * b;
          m[k][q] = s * a + c * b;
        }
        for (std::size_t k = 0; k < size; ++k) {
          const Real a = m[p][k], b = m[q][k];
          m[p][k] = c * a - s * b;
          m[q][k] = s * a + c * b;
        }
      }
    }
    if (diagonal) break;
  }
  std::vector<Real> values;
  for (std::size_t i = 0; i < size; ++i) values.push_back(m[i][i]);
  std::sort(values.begin(), values.end());
  return values;
}

using Residues = std::vector<std::uint64_t>;

constexpr std::uint64_t kMersenne = (std::uint64_t{1} << 61) - 1;

__extension__ using Wide = unsigned __int128;

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % p);
}

mpz_class integer(std::uint64_t x) {
  return static_cast<unsigned long>(x);
}

std::uint64_t residue(const Q& x, std::uint64_t p) {
  const mpz_class modulus = integer(p);
  mpz_class inverse, result;
  if (mpz_invert(inverse.get_mpz_t(), x.get_den_mpz_t(), modulus.get_mpz_t()) == 0)
    throw std::domain_error("a denominator that the prime divides");
  result = x.get_num() * inverse;
  mpz_mod(result.get_mpz_t(), result.get_mpz_t(), modulus.get_mpz_t());
  return result.get_ui();
}

std::uint64_t inverse(std::uint64_t x, std::uint64_t p) {
  return residue(Q(1) / Q(integer(x)), p);
}

/// Subtracts the multiple of `row`, which begins with a one, that clears its column.
void eliminate(Residues& from, const Residues& row, std::uint64_t p) {
  std::size_t lead = 0;
  while (row[lead] == 0) ++lead;
  const std::uint64_t f = from[lead] == 0 ? 0 : p - from[lead];
  for (std::size_t j = lead; f != 0 && j < row.size(); ++j) from[j] = (from[j] + times(f, row[j], p)) % p;
}

/// Makes the first entry that is not 0 a one; false when there is none.
bool normalise(Residues& row, std::uint64_t p) {
  std::size_t lead = 0;
  while (lead < row.size() && row[lead] == 0) ++lead;
  if (lead == row.size()) return false;
  const std::uint64_t f = inverse(row[lead], p);
  for (std::uint64_t& x : row) x = times(x, f, p);
  return true;
}

std::size_t rank(const std::vector<Residues>& m, std::uint64_t p) {
  std::vector<Residues> basis;
  for (Residues row : m) {
    for (const Residues& each : basis) eliminate(row, each, p);
    if (normalise(row, p)) basis.push_back(std::move(row));
  }
  return basis.size();
}

/// The generator of docs/case-files.md.
class Draws {
public:
  Draws(std::uint64_t seed, std::uint64_t stream) : state_(256 * seed + stream) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// Uniform on {-bound, ..., bound}.
  Q draw(std::uint64_t bound) {
    const std::uint64_t values = 2 * bound + 1, incomplete = (std::uint64_t{0} - values) % values;
    std::uint64_t x = next();
    while (incomplete != 0 && x >= std::uint64_t{0} - incomplete) x = next();
    return Q(integer(x % values) - integer(bound));
  }

private:
  std::uint64_t state_;
};

struct Separator {
  Row u, v;
  Q lambda;
};

/// Logits E (W e + c), with the separator E u (v . e) lambda.
struct Head {
  Rows w;  ///< d x d
  Row c;
  std::optional<Separator> separator;
};

struct Layer {
  std::vector<Head> heads;
  bool scaled = true;      ///< the case's logit scale is a factor of the logits
  bool projected = false;  ///< the case's projected queries and keys
};

Q number(const Json& value) {
  return parse_number(value.get_ref<const std::string&>());
}

Row vector_of(const Json& value) {
  const Q den = number(value.at("den"));
  Row result;
  for (const Json& entry : value.at("num")) result.push_back(number(entry) / den);
  return result;
}

std::vector<std::size_t> indices(const Json& value) {
  return value.get<std::vector<std::size_t>>();
}

/// "Q >= 3" in its parts.
struct Bound {
  std::string quantity;
  bool at_least;
  mpz_class number;

  explicit Bound(const std::string& fact) {
    const std::size_t at = fact.rfind(' ');
    quantity = fact.substr(0, at - 3);
    at_least = fact.substr(at - 2, 2) == ">=";
    number = mpz_class(fact.substr(at + 1));
  }
  Answer of(const mpz_class& value) const { return answer(at_least ? value >= number : value <= number); }
};

/// Sets the precision for a scope.
class Precision {
public:
  explicit Precision(long bits) : before_(Real::bits()) { Real::bits() = bits; }
  ~Precision() { Real::bits() = before_; }
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;

private:
  long before_;
};

constexpr long kMostBits = 40'000;
constexpr double kMostSubsets = 3e6;

}  // namespace

struct Truths::Impl {
  const Case& source;
  const Claim& claim;
  std::size_t T = 0, H = 0, n = 0, d = 0, d_h = 0, d_out = 0;
  std::vector<Rows> tokens;  ///< of each example
  Rows queries, labels;
  std::map<std::string, std::optional<mpz_class>> known;
  std::map<std::string, Answer> judged;

  explicit Impl(const Case& c) : source(c), claim(c.claims.front()) {
    if (!c.layer) return;
    T = c.layer->examples, H = c.layer->heads, n = c.layer->context, d = c.layer->embed_dim;
    d_h = c.layer->head_dim, d_out = c.layer->output_dim;
    if (c.data.contexts) {
      const bool one = c.data.shared_context;
      for (std::size_t t = 0; t < T && c.data.members; ++t) {
        tokens.emplace_back();
        for (std::size_t k = c.data.members->starts[t]; k < c.data.members->starts[t + 1]; ++k)
          tokens[t].push_back(matrix(*c.data.contexts, 1, d, c.data.members->rows[k] * d)[0]);
      }
      for (std::size_t t = 0; t < T && !c.data.members; ++t)
        tokens.push_back(one && t > 0 ? tokens[0] : matrix(*c.data.contexts, n, d, t * n * d));
    }
    if (c.data.queries) queries = matrix(*c.data.queries, T, d);
    if (c.data.labels) labels = matrix(*c.data.labels, T, d_out);
  }

  static Rows matrix(const ExactArray& array, std::size_t rows, std::size_t cols, std::size_t first = 0) {
    Rows result(rows, Row(cols));
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) result[i][j] = array.at(first + i * cols + j);
    }
    return result;
  }
  Rows argument(const std::string& key) const {
    const ExactArray& array = claim.array(key);
    return matrix(array, array.shape()[0], array.shape()[1]);
  }

  // --- layers

  /// W = K Q^T and c = K b for K, Q of H x d x d_h entries.
  Layer factored(const std::function<Q(std::size_t)>& key, const std::function<Q(std::size_t)>& query,
                 const std::function<Q(std::size_t)>& bias) const {
    Layer layer;
    for (std::size_t h = 0; h < H; ++h) {
      Head head{Rows(d, Row(d)), Row(d), {}};
      for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t k = 0; k < d_h; ++k) {
          const Q entry = key((h * d + i) * d_h + k);
          if (entry == 0) continue;
          for (std::size_t j = 0; j < d; ++j) head.w[i][j] += entry * query((h * d + j) * d_h + k);
          head.c[i] += entry * bias(h * d_h + k);
        }
      }
      layer.heads.push_back(std::move(head));
    }
    return layer;
  }

  Layer given() const {
    const Weights& w = source.weights.value();
    if (w.projected_keys) {
      Layer layer;
      layer.projected = true;
      return layer;
    }
    const auto no_bias = [](std::size_t) { return Q(0); };
    if (!w.combined) {
      return factored([&](std::size_t i) { return w.key->at(i); },
                      [&](std::size_t i) { return w.query->at(i); },
                      w.query_bias ? [&](std::size_t i) { return w.query_bias->at(i); }
                                   : std::function<Q(std::size_t)>(no_bias));
    }
    Layer layer;
    for (std::size_t h = 0; h < H; ++h)
      layer.heads.push_back({matrix(*w.combined, d, d, h * d * d), Row(d), {}});
    return layer;
  }

  /// The layer of step k.
  Layer built(const Json& steps, std::size_t k) const {
    const Json& definition = steps.at(k).at("layer");
    if (definition.contains("random")) {
      const Json& random = definition["random"];
      const auto bound = random.at("bound").get<std::uint64_t>(),
                 seed = random.at("seed").get<std::uint64_t>();
      Row key, query;
      Draws keys(seed, 4), more(seed, 5);
      for (std::size_t i = 0; i < H * d * d_h; ++i) {
        key.push_back(keys.draw(bound));
        query.push_back(more.draw(bound));
      }
      return factored([&](std::size_t i) { return key[i]; }, [&](std::size_t i) { return query[i]; },
                      [](std::size_t) { return Q(0); });
    }
    if (definition.contains("rescaled")) {
      Layer layer = built(steps, definition["rescaled"].at("of").get<std::size_t>());
      for (Head& head : layer.heads) {
        if (head.separator) head.separator->lambda = number(definition["rescaled"].at("lambda"));
      }
      return layer;
    }
    Layer layer;
    layer.scaled = false;
    for (const Json& each : definition.at("heads")) {
      Head head{Rows(d, Row(d)), Row(d), {}};
      for (std::size_t term = 0; term < each.at("key").size(); ++term) {
        const Row key = vector_of(each["key"][term]), query = vector_of(each.at("query").at(term));
        for (std::size_t i = 0; i < d; ++i) {
          for (std::size_t j = 0; j < d; ++j) head.w[i][j] += key[i] * query[j];
        }
      }
      if (each.contains("separator")) {
        const Json& parts = each["separator"];
        head.separator =
            Separator{vector_of(parts.at("u")), vector_of(parts.at("v")), number(parts.at("lambda"))};
      }
      layer.heads.push_back(std::move(head));
    }
    return layer;
  }

  Row logits(const Head& head, std::size_t t) const {
    Row direction = head.c;
    for (std::size_t i = 0; i < d; ++i) direction[i] += dot(head.w[i], queries[t]);
    if (head.separator) {
      const Q factor = dot(head.separator->v, queries[t]) * head.separator->lambda;
      for (std::size_t i = 0; i < d; ++i) direction[i] += factor * head.separator->u[i];
    }
    Row result;
    for (const Row& token : tokens[t]) result.push_back(dot(token, direction));
    return result;
  }

  Real log_of_base() const { return source.layer->base == Base::two ? log(Real(2)) : Real(1); }

  /// The natural logarithm of b^(x s) for x = 1.
  Real unit(bool scaled) const {
    Real u = log_of_base();
    if (!scaled) return u;
    const LogitScale& scale = source.layer->logit_scale;
    return scale.irrational() ? u / sqrt(Real(Q(integer(scale.radicand)))) : u * Real(scale.rational);
  }

  static std::vector<Real> softmax(const Row& logits, const Real& factor) {
    const bool negative = factor < 0;
    Q top = logits[0];
    for (const Q& x : logits) top = negative ? std::min(top, x) : std::max(top, x);
    std::vector<Real> result;
    Real sum;
    for (const Q& x : logits) {
      result.push_back(exp(Real(Q(x - top)) * factor));
      sum += result.back();
    }
    for (Real& x : result) x /= sum;
    return result;
  }

  /// Logits [h][t][i] of a layer.
  using AllLogits = std::vector<std::vector<Row>>;
  AllLogits all_logits(const Layer& layer) const {
    AllLogits result(H);
    if (layer.projected) {
      const ExactArray &keys = *source.weights->projected_keys, &own = *source.weights->projected_queries;
      const std::size_t groups = keys.shape()[1], m = keys.shape()[2];
      // By tokens when there are as many keys as tokens, else by examples.
      const bool by_token = keys.shape()[0] == source.data.contexts->size() / d;
      std::size_t slot = 0;
      for (std::size_t t = 0; t < T; ++t) {
        for (std::size_t h = 0; h < H; ++h) result[h].emplace_back();
        for (std::size_t i = 0; i < tokens[t].size(); ++i, ++slot) {
          const std::size_t row = !by_token                    ? slot
                                  : source.data.members        ? source.data.members->rows[slot]
                                  : source.data.shared_context ? i
                                                               : slot;
          for (std::size_t h = 0; h < H; ++h) {
            Q sum;
            for (std::size_t k = 0; k < m; ++k)
              sum += own.at((t * H + h) * m + k) * keys.at((row * groups + h / (H / groups)) * m + k);
            result[h][t].push_back(sum);
          }
        }
      }
      return result;
    }
    for (std::size_t h = 0; h < H; ++h) {
      for (std::size_t t = 0; t < T; ++t) result[h].push_back(logits(layer.heads[h], t));
    }
    return result;
  }

  RealMatrix z(const AllLogits& all, bool scaled) const {
    const Real factor = unit(scaled);
    RealMatrix result(T);
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t h = 0; h < H; ++h) {
        const std::vector<Real> coefficients = softmax(all[h][t], factor);
        for (std::size_t j = 0; j < d; ++j) {
          Real sum;
          for (std::size_t i = 0; i < tokens[t].size(); ++i) {
            if (tokens[t][i][j] != 0) sum += coefficients[i] * Real(tokens[t][i][j]);
          }
          result[t].push_back(std::move(sum));
        }
      }
    }
    return result;
  }

  static RealMatrix minor(const RealMatrix& m, const std::vector<std::size_t>& rows,
                          const std::vector<std::size_t>& cols) {
    RealMatrix result;
    for (std::size_t i : rows) {
      result.emplace_back();
      for (std::size_t j : cols) result.back().push_back(m[i][j]);
    }
    return result;
  }

  /// How many bits the smallest coefficient is below the largest, at most.
  long spread(const AllLogits& all, bool scaled) const {
    Q most;
    for (const auto& head : all) {
      for (const Row& row : head) {
        const auto [least, largest] = std::minmax_element(row.begin(), row.end());
        most = std::max(most, Q(*largest - *least));
      }
    }
    const double bits = mpfr_get_d((abs(unit(scaled)) * Real(most)).raw(), MPFR_RNDU) * 1.5;
    return bits > 1e9 ? 1'000'000'000L : static_cast<long>(bits) + 1;
  }

  /// Judges a bound on the rank of the matrix that `make` evaluates at the precision of the moment. `range`:
  /// bits between its large and small entries.
  static Answer judge_rank(const Bound& bound, long range, const std::function<RealMatrix()>& make) {
    // A non-zero minor is often seen early; a zero needs more bits than the entries differ by.
    const long enough = 1000 + 6 * range;
    for (const long bits : {256L, enough, 4 * enough}) {
      if (bits > kMostBits) break;
      const Precision precision(bits);
      const RealRank found = rank(make());
      const mpz_class least = integer(found.least);
      if (bound.at_least && least >= bound.number) return Answer::yes;
      if (!bound.at_least && least > bound.number) return Answer::no;
      if (found.exact && bits >= enough) return bound.of(least);
    }
    return Answer::unknown;
  }

  /// rank [Z Y].
  Answer judge_labels(const Bound& bound) const {
    const Layer layer = given();
    const AllLogits all = all_logits(layer);
    return judge_rank(bound, spread(all, layer.scaled), [&] {
      RealMatrix m = z(all, layer.scaled);
      for (std::size_t t = 0; t < T; ++t) {
        for (const Q& label : labels[t]) m[t].emplace_back(label);
      }
      return m;
    });
  }

  /// The number of largest coefficients above the claim's threshold; one that agrees with it to nearly all
  /// bits is taken to be equal, which is not above.
  Answer judge_saturated(const Bound& bound) const {
    if (!source.weights) return Answer::unknown;
    const Layer layer = given();
    const AllLogits all = all_logits(layer);
    const long bits = 1000 + 6 * spread(all, layer.scaled);
    if (bits > kMostBits) return Answer::unknown;
    const Precision precision(bits);
    const Real factor = unit(layer.scaled), threshold(claim.number("threshold"));
    std::size_t above = 0;
    for (std::size_t h = 0; h < H; ++h) {
      if (claim.has("head") && claim.integer("head") != integer(h)) continue;
      for (std::size_t t = 0; t < T; ++t) {
        const std::vector<Real> coefficients = softmax(all[h][t], factor);
        above += std::any_of(coefficients.begin(), coefficients.end(), [&](const Real& x) {
          return x > threshold && (x - threshold).exponent() > -bits / 2;
        });
      }
    }
    return bound.of(integer(above));
  }

  /// The number of singular values above the claim's tolerance; one that agrees with it to nearly all bits is
  /// taken to be equal, which is not above.
  Answer judge_numerical_rank(const Bound& bound) const {
    constexpr std::size_t kMostValues = 30;
    if (!source.weights || std::min(T, H * d) > kMostValues) return Answer::unknown;
    const Layer layer = given();
    const AllLogits all = all_logits(layer);
    const long bits = 400 + 4 * spread(all, layer.scaled);
    if (bits > kMostBits / 4) return Answer::unknown;
    const Precision precision(bits);
    const RealMatrix m = z(all, layer.scaled);
    const bool tall = T > H * d;
    const auto entry = [&](std::size_t i, std::size_t k) { return tall ? m[k][i] : m[i][k]; };
    RealMatrix gram(std::min(T, H * d));
    for (std::size_t i = 0; i < gram.size(); ++i) {
      for (std::size_t j = 0; j < gram.size(); ++j) {
        Real sum;
        for (std::size_t k = 0; k < std::max(T, H * d); ++k) sum += entry(i, k) * entry(j, k);
        gram[i].push_back(std::move(sum));
      }
    }
    const Real square = Real(claim.number("tolerance") * claim.number("tolerance"));
    std::size_t above = 0;
    for (const Real& value : eigenvalues(gram))
      above += value > square && (value - square).exponent() > -bits / 2 ? 1 : 0;
    return bound.of(integer(above));
  }

  /// The scores of all examples, through the layer one matrix after the other.
  RealMatrix scores(const RealMatrix& means) const {
    const Weights& w = source.weights.value();
    const auto entry = [](const std::optional<ExactArray>& array, std::size_t i) {
      return array ? Real(array->at(i)) : Real();
    };
    const std::size_t d_v = w.value ? w.value->shape()[2] : d;
    const std::size_t m = w.output ? w.output->shape()[2] : H * d_v;
    RealMatrix result(T);
    for (std::size_t t = 0; t < T; ++t) {
      std::vector<Real> values, outputs(m);
      for (std::size_t h = 0; h < H; ++h) {
        for (std::size_t k = 0; k < d_v; ++k) {
          Real sum = w.value ? Real() : means[t][h * d + k];
          for (std::size_t j = 0; w.value && j < d; ++j)
            sum += means[t][h * d + j] * entry(w.value, (h * d + j) * d_v + k);
          values.push_back(sum + entry(w.value_bias, h * d_v + k));
        }
      }
      for (std::size_t j = 0; j < m; ++j) {
        outputs[j] = entry(w.output_bias, j) + entry(w.skip, t * m + j);
        if (!w.output) outputs[j] += values[j];
        for (std::size_t k = 0; w.output && k < H * d_v; ++k)
          outputs[j] += values[k] * entry(w.output, k * m + j);
      }
      for (std::size_t o = 0; o < d_out; ++o) {
        Real sum = w.readout ? Real() : outputs[o];
        for (std::size_t j = 0; w.readout && j < m; ++j) sum += outputs[j] * entry(w.readout, j * d_out + o);
        result[t].push_back(sum + entry(w.readout_bias, o));
      }
    }
    return result;
  }

  /// The number of examples that are right; scores that agree to nearly all bits are taken to be equal.
  Answer judge_accurate(const Bound& bound) const {
    const Layer layer = given();
    const AllLogits all = all_logits(layer);
    const long bits = 1000 + 6 * spread(all, layer.scaled);
    if (bits > kMostBits) return Answer::unknown;
    const Precision precision(bits);
    const auto above = [&](const Real& x, const Real& y) { return x > y && (x - y).exponent() > -bits / 2; };
    const RealMatrix found = scores(z(all, layer.scaled));
    std::size_t right = 0;
    for (std::size_t t = 0; t < T; ++t) {
      bool good = true;
      if (claim.has("epsilon")) {
        const Real epsilon(claim.number("epsilon"));
        for (std::size_t o = 0; o < d_out; ++o)
          good = good && !above(abs(found[t][o] - Real(labels[t][o])), epsilon);
      } else {
        const std::size_t own = claim.array("classes").at(t).get_num().get_ui();
        if (d_out == 1) good = own == 1 ? above(found[t][0], Real()) : above(Real(), found[t][0]);
        for (std::size_t o = 0; d_out > 1 && o < d_out; ++o)
          good = good && (o == own || above(found[t][own], found[t][o]));
      }
      right += good ? 1 : 0;
    }
    return bound.of(integer(right));
  }

  /// The number of different rows of Z; rows that agree to nearly all bits are taken to be equal. A case
  /// without weights has upper bounds only, which hold for all of them: equal examples.
  Answer judge_different_rows(const Bound& bound) const {
    if (!source.weights) {
      std::set<std::pair<Rows, Row>> examples;
      for (std::size_t t = 0; t < T; ++t) examples.emplace(tokens[t], queries[t]);
      return !bound.at_least && bound.number >= integer(examples.size()) ? Answer::yes : Answer::unknown;
    }
    const Layer layer = given();
    const AllLogits all = all_logits(layer);
    const long bits = 1000 + 6 * spread(all, layer.scaled);
    if (bits > kMostBits) return Answer::unknown;
    const Precision precision(bits);
    const RealMatrix m = z(all, layer.scaled);
    std::vector<std::size_t> first;
    for (std::size_t t = 0; t < T; ++t) {
      const bool again = std::any_of(first.begin(), first.end(), [&](std::size_t s) {
        for (std::size_t j = 0; j < m[t].size(); ++j) {
          const Real difference = m[t][j] - m[s][j];
          if (difference.exponent() > -bits / 2) return false;
        }
        return true;
      });
      if (!again) first.push_back(t);
    }
    return bound.of(integer(first.size()));
  }

  Answer judge_layer(const Bound& bound, const Layer& layer) const {
    const AllLogits all = all_logits(layer);
    const Answer found = judge_rank(bound, spread(all, layer.scaled), [&] { return z(all, layer.scaled); });
    return found == Answer::unknown ? by_characters(bound, all, layer.scaled) : found;
  }

  /// Where coefficients are too far apart for real numbers: Z modulo primes of 60 bits, b^x -> g^x. The rank
  /// there is at most that of Z, and is less for all of them with a chance below 2^-150 or so.
  Answer by_characters(const Bound& bound, const AllLogits& all, bool scaled) const {
    const LogitScale& scale = source.layer->logit_scale;
    const bool two = source.layer->base == Base::two && !(scaled && scale.irrational());
    const Q factor = two && scaled ? scale.rational : Q(1);
    std::size_t largest = 0;
    mpz_class q = mpz_class(1) << 59;
    for (int sample = 0; sample < 3; ++sample) {
      mpz_class prime;  // 2 q + 1; 7 mod 8, so that 2 and 4 are squares and have order q
      do {
        mpz_nextprime(q.get_mpz_t(), q.get_mpz_t());
        prime = 2 * q + 1;
      } while (prime % 8 != 7 || mpz_probab_prime_p(prime.get_mpz_t(), 30) == 0);
      const std::uint64_t p = prime.get_ui();
      const mpz_class g = two ? 2 : 4 + sample * 5;
      const mpz_class base = two ? g : mpz_class(g * g);
      std::vector<Residues> m(T);
      for (std::size_t t = 0; t < T; ++t) {
        for (std::size_t h = 0; h < H; ++h) {
          Residues powers;
          std::uint64_t sum = 0;
          for (const Q& x : all[h][t]) {
            const mpz_class exponent = integer(residue(x * factor, q.get_ui()));
            mpz_class power;
            mpz_powm(power.get_mpz_t(), base.get_mpz_t(), exponent.get_mpz_t(), prime.get_mpz_t());
            powers.push_back(power.get_ui());
            sum = (sum + power.get_ui()) % p;
          }
          if (sum == 0) return Answer::unknown;
          for (std::size_t j = 0; j < d; ++j) {
            std::uint64_t entry = 0;
            for (std::size_t i = 0; i < tokens[t].size(); ++i)
              entry = (entry + times(powers[i], residue(tokens[t][i][j], p), p)) % p;
            m[t].push_back(times(entry, inverse(sum, p), p));
          }
        }
      }
      largest = std::max(largest, rank(m, p));
    }
    return bound.of(integer(largest));
  }

  // --- quantities of the case alone

  Rows distinct_tokens() const {
    std::set<Row> seen;
    for (const Rows& context : tokens) seen.insert(context.begin(), context.end());
    return {seen.begin(), seen.end()};
  }

  static Row plus(Row a, const Row& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }
  Row mean(std::size_t t) const {
    Row sum(d);
    for (const Row& token : tokens[t]) sum = plus(sum, token);
    for (Q& x : sum) x /= Q(integer(n));
    return sum;
  }

  /// The matrices of rank(NAME); nothing when it is not one over Q.
  std::optional<std::vector<Rows>> matrices(const std::string& name) const {
    const auto members = [&](const std::vector<std::size_t>& which, bool mixed) {
      std::vector<Rows> result;
      for (std::size_t t : which) {
        result.push_back(tokens[t]);
        if (!mixed) continue;
        for (Row& row : result.back()) row = plus(row, mean(t));
      }
      return result;
    };
    std::vector<std::size_t> all(T);
    for (std::size_t t = 0; t < T; ++t) all[t] = t;
    if (name == "queries") return {{queries}};
    if (name == "tokens") return {{distinct_tokens()}};
    if (name == "affine-tokens") {
      Rows rows = distinct_tokens();
      for (Row& row : rows) row.push_back(1);
      return {{rows}};
    }
    if (name == "differences") {
      Rows rows;
      for (const Rows& context : tokens)
        for (const Row& token : context) {
          rows.push_back(token);
          for (std::size_t j = 0; j < d; ++j) rows.back()[j] -= context[0][j];
        }
      return {{rows}};
    }
    if (name == "contexts") return members(all, false);
    if (name == "mixed-contexts") return members(all, true);
    if (name == "subset-contexts") return members(claim.subset(), false);
    if (name == "subset-queries") {
      Rows rows;
      for (std::size_t t : claim.subset()) rows.push_back(queries[t]);
      return {{rows}};
    }
    if (name == "block") {
      const Rows a = argument("a"), b = argument("b"), c = argument("c");
      Rows rows;
      for (std::size_t i = 0; i < a.size(); ++i) {
        rows.push_back(a[i]);
        rows.back().insert(rows.back().end(), b[i].begin(), b[i].end());
      }
      for (const Row& row : c) {
        rows.emplace_back(a.front().size());
        rows.back().insert(rows.back().end(), row.begin(), row.end());
      }
      return {{rows}};
    }
    if (name == "shifted") {
      Rows rows = argument("vectors");
      Row sum(rows.front().size());
      for (const Row& row : rows) sum = plus(sum, row);
      for (Q& x : sum) x *= claim.number("c");
      for (Row& row : rows) row = plus(row, sum);
      return {{rows}};
    }
    if (name == "a" || name == "b" || name == "c" || name == "vectors") return {{argument(name)}};
    return std::nullopt;
  }

  /// By all subsets: independent modulo a prime is independent, and a subset that is dependent modulo the
  /// prime is looked at in fractions.
  std::optional<mpz_class> kruskal(const Rows& vectors) const {
    const std::size_t size = vectors.size();
    std::vector<Residues> residues;
    for (const Row& row : vectors) {
      residues.emplace_back();
      for (const Q& x : row) residues.back().push_back(residue(x, kMersenne));
    }
    double visited = 0;
    std::vector<std::size_t> chosen;
    // Whether every k vectors from `first` on, with those chosen, are independent.
    std::function<bool(std::size_t, std::size_t, const std::vector<Residues>&)> all_independent;
    all_independent = [&](std::size_t k, std::size_t first, const std::vector<Residues>& basis) {
      if (k == 0) {
        if (basis.size() == chosen.size()) return true;
        Rows subset;
        for (std::size_t t : chosen) subset.push_back(vectors[t]);
        return rank(std::move(subset)) == chosen.size();
      }
      for (std::size_t i = first; i + k <= size; ++i) {
        if (++visited > kMostSubsets) throw std::length_error("too many subsets");
        Residues reduced = residues[i];
        for (const Residues& row : basis) eliminate(reduced, row, kMersenne);
        std::vector<Residues> more = basis;
        if (normalise(reduced, kMersenne)) more.push_back(std::move(reduced));
        chosen.push_back(i);
        const bool fine = all_independent(k - 1, i + 1, more);
        chosen.pop_back();
        if (!fine) return false;
      }
      return true;
    };
    try {
      std::size_t k = 0;
      while (k < std::min(size, d) && all_independent(k + 1, 0, {})) ++k;
      return integer(k);
    } catch (const std::length_error&) {
      return std::nullopt;
    }
  }

  /// Random weights have the largest rank of all, but for a set of measure zero.
  std::optional<mpz_class> capacity() const {
    std::optional<std::size_t> best;
    for (const std::uint64_t size : {1u, 6u}) {
      // Logits of about this size.
      Q largest = 1;
      for (const Row& row : distinct_tokens()) {
        for (const Q& x : row) largest = std::max(largest, Q(abs(x)));
      }
      Q largest_query = 1;
      for (const Row& row : queries) {
        for (const Q& x : row) largest_query = std::max(largest_query, Q(abs(x)));
      }
      Draws draws(size, 99);
      const Q unit_key = Q(integer(size)) / (largest * 1000), unit_query = Q(1) / (largest_query * 1000);
      Row key, query;
      for (std::size_t i = 0; i < H * d * d_h; ++i) {
        key.push_back(draws.draw(1000) * unit_key);
        query.push_back(draws.draw(1000) * unit_query);
      }
      Layer layer = factored([&](std::size_t i) { return key[i]; }, [&](std::size_t i) { return query[i]; },
                             [](std::size_t) { return Q(0); });
      layer.scaled = false;
      const Precision precision(3000);
      const RealRank found = rank(z(all_logits(layer), false));
      if (!found.exact) return std::nullopt;
      best = std::max(best.value_or(0), found.least);
    }
    return integer(*best);
  }

  /// The same with random coefficients.
  std::optional<mpz_class> any_coefficients() const {
    const Precision precision(2000);
    Draws draws(7, 98);
    RealMatrix m(T);
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t h = 0; h < H; ++h) {
        Row alpha;
        Q sum;
        for (std::size_t i = 0; i < tokens[t].size(); ++i) {
          alpha.push_back(draws.draw(100'000) + 100'001);
          sum += alpha.back();
        }
        for (std::size_t j = 0; j < d; ++j) {
          Q entry;
          for (std::size_t i = 0; i < tokens[t].size(); ++i) entry += alpha[i] * tokens[t][i][j];
          m[t].emplace_back(Q(entry / sum));
        }
      }
    }
    const RealRank found = rank(std::move(m));
    if (!found.exact) return std::nullopt;
    return integer(found.least);
  }

  /// ||A - B|| is less than the smallest non-zero singular value of A.
  std::optional<mpz_class> perturbation() const {
    const Rows a = argument("a"), b = argument("b");
    const Precision precision(600);
    const auto gram = [](const Rows& m) {
      RealMatrix result;
      for (std::size_t i = 0; i < m.front().size(); ++i) {
        result.emplace_back();
        for (std::size_t j = 0; j < m.front().size(); ++j) {
          Q sum;
          for (const Row& row : m) sum += row[i] * row[j];
          result.back().emplace_back(sum);
        }
      }
      return result;
    };
    Rows difference = a;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a[i].size(); ++j) difference[i][j] -= b[i][j];
    }
    const std::size_t non_zero = rank(a);
    if (non_zero == 0) return mpz_class(1);  // no non-zero singular value
    const std::vector<Real> kept = eigenvalues(gram(a)), moved = eigenvalues(gram(difference));
    const Real gap = kept[kept.size() - non_zero] - moved.back();
    if (gap.exponent() < -400) return mpz_class(0);  // equal
    return mpz_class(gap > 0 ? 1 : 0);
  }

  std::optional<mpz_class> encoding() const {
    const Precision precision(4000);
    RealMatrix m(n);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < d; ++j) {
        // w = 10000^(-2 (j / 2) / d)
        const Real exponent(Q(-2 * static_cast<long>(j / 2), static_cast<unsigned long>(d)));
        Real x = exp(log(Real(10000)) * exponent) * Real(static_cast<long>(k));
        if (j % 2 == 0)
          mpfr_sin(x.raw(), x.raw(), MPFR_RNDN);
        else
          mpfr_cos(x.raw(), x.raw(), MPFR_RNDN);
        m[k].push_back(x);
      }
    }
    const RealRank found = rank(std::move(m));
    if (!found.exact) return std::nullopt;
    return integer(found.least);
  }

  /// x_t = (E_t, e_t), or e_t alone when all contexts are equal.
  Rows inputs(bool whole) const {
    Rows result;
    for (std::size_t t = 0; t < T; ++t) {
      result.emplace_back();
      for (std::size_t i = 0; whole && i < n; ++i)
        result.back().insert(result.back().end(), tokens[t][i].begin(), tokens[t][i].end());
      result.back().insert(result.back().end(), queries[t].begin(), queries[t].end());
    }
    return result;
  }
  bool one_context() const {
    return std::all_of(tokens.begin(), tokens.end(), [&](const Rows& c) { return c == tokens[0]; });
  }

  /// The two theorems about labels of their own; the labels are not tried.
  std::optional<mpz_class> made_labels(bool integer) const {
    const std::size_t m = claim.size("neurons"), width = one_context() ? d : (n + 1) * d;
    if (T < m * (width + 1) + (claim.flag("output_bias") ? 1 : 0) + 1) return std::nullopt;
    for (const Row& row : inputs(true)) {
      for (const Q& x : row) {
        if (integer && x.get_den() != 1) return std::nullopt;
      }
    }
    return mpz_class(0);
  }

  std::optional<mpz_class> value_of(const std::string& quantity) {
    const auto place = known.find(quantity);
    if (place != known.end()) return place->second;
    return known[quantity] = compute(quantity);
  }

  std::optional<mpz_class> compute(const std::string& quantity) const {
    const auto inner = [&](const std::string& kind) -> std::optional<std::string> {
      if (!quantity.starts_with(kind + "(")) return std::nullopt;
      return quantity.substr(kind.size() + 1, quantity.size() - kind.size() - 2);
    };
    // A case may leave out the queries; then bounds are about all of them.
    if (quantity == "capacity") return queries.empty() ? any_coefficients() : capacity();
    if (quantity == "rank(Z(any))") return any_coefficients();
    if (quantity == "rank(encoding)") return encoding();
    if (quantity == "perturbation") return perturbation();
    if (quantity == "kruskal(queries)") return kruskal(queries);
    if (quantity == "kruskal(mixed-queries)") {
      Rows vectors = queries;
      for (std::size_t t = 0; t < T; ++t) vectors[t] = plus(vectors[t], mean(t));
      return kruskal(vectors);
    }
    if (quantity == "network(integer)") return made_labels(true);
    if (quantity == "network(transcendental)") return made_labels(false);
    if (quantity == "network(given)") {
      Row y;
      for (const Row& row : labels) y.push_back(row[0]);
      const std::optional<bool> fits =
          network_fits(inputs(!one_context()), y, claim.size("neurons"), claim.flag("output_bias"));
      if (!fits) return std::nullopt;
      return mpz_class(*fits ? 1 : 0);
    }
    if (const auto name = inner("rank")) {
      if (const auto members = matrices(*name)) {
        std::optional<std::size_t> least;
        for (const Rows& rows : *members) {
          const std::size_t r = rank(rows);
          least = least ? std::min(*least, r) : r;
        }
        return integer(least.value_or(0));
      }
    }
    throw std::logic_error("the oracle knows no quantity " + quantity);
  }

  // --- what steps give

  Answer separator(const Json& step) const {
    const Row u = vector_of(step.at("u")), v = vector_of(step.at("v"));
    const std::set<std::size_t> subset(claim.subset().begin(), claim.subset().end());
    for (std::size_t t = 0; t < T; ++t) {
      Row direction(d);  // W' e_t, W' = u v^T
      for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j) direction[i] += u[i] * v[j] * queries[t][j];
      }
      if (subset.count(t) != 0) {
        if (direction != Row(d)) return Answer::no;
        continue;
      }
      std::set<Q> entries;
      for (const Row& token : tokens[t]) entries.insert(dot(token, direction));
      if (entries.size() < n) return Answer::no;
    }
    bool zero = true;
    for (const Q& x : u) {
      for (const Q& y : v) zero = zero && x * y == 0;
    }
    return answer(!zero);
  }

  /// Sum of |alpha_i - [i = vertex]| <= epsilon for logits y + lambda x, for this lambda and larger ones.
  bool near_vertex(const std::vector<Real>& y, const Row& x, std::size_t vertex, const Q& lambda,
                   const Q& epsilon) const {
    for (const Q& more : {Q(0), Q(1), Q(abs(lambda)), Q(100 * abs(lambda) + 1000)}) {
      std::vector<Real> alpha;
      Real top, sum, distance;
      for (std::size_t i = 0; i < n; ++i) {
        alpha.push_back(y[i] + Real(Q((lambda + more) * x[i])));
        if (i == 0 || alpha[i] > top) top = alpha[i];
      }
      for (Real& a : alpha) {
        a = exp((a - top) * log_of_base());
        sum += a;
      }
      for (std::size_t i = 0; i < n; ++i) distance += abs(alpha[i] / sum - (i == vertex ? 1 : 0));
      if (distance - Real(epsilon) > exp(Real(-200))) return false;
    }
    return true;
  }

  Answer vertex_limit(const Json& step) const {
    const Precision precision(1000);
    const Rows w_prime = argument("w_prime"), w_star = argument("w_star");
    const std::size_t t = claim.size("example");
    const Row x = logits({w_prime, Row(d), {}}, t), rational_y = logits({w_star, Row(d), {}}, t);
    const std::vector<Real> y(rational_y.begin(), rational_y.end());
    const auto vertex = step.at("vertex").get<std::size_t>();
    return answer(near_vertex(y, x, vertex, number(step.at("lambda")), claim.number("epsilon")));
  }

  /// W = sum_k R_k log_b(phi_k) L_k^T, as logits of each example.
  std::vector<std::vector<Real>> prescribed(const Json& step) const {
    const ExactArray& coefficients = claim.array("coefficients");
    const Real log_b = log_of_base();
    RealMatrix w(d, std::vector<Real>(d));
    for (std::size_t k = 0; k < claim.subset().size(); ++k) {
      const Row left = vector_of(step.at("left_inverse").at(k));
      for (std::size_t i = 0; i < n; ++i) {
        const Row right = vector_of(step.at("right_inverses").at(k).at(i));
        const Real value = log(Real(coefficients.at(k * n + i))) / log_b;
        for (std::size_t a = 0; a < d; ++a) {
          for (std::size_t b = 0; b < d; ++b) w[a][b] += value * Real(Q(right[a] * left[b]));
        }
      }
    }
    std::vector<std::vector<Real>> result(T, std::vector<Real>(n));
    for (std::size_t t = 0; t < T; ++t) {
      std::vector<Real> direction(d);
      for (std::size_t a = 0; a < d; ++a) {
        for (std::size_t b = 0; b < d; ++b) direction[a] += w[a][b] * Real(queries[t][b]);
      }
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t a = 0; a < d; ++a) result[t][i] += direction[a] * Real(tokens[t][i][a]);
      }
    }
    return result;
  }

  /// The coefficients of the claim on its subset.
  bool prescribes(const std::vector<std::vector<Real>>& y) const {
    const ExactArray& coefficients = claim.array("coefficients");
    const Real log_b = log_of_base();
    for (std::size_t k = 0; k < claim.subset().size(); ++k) {
      std::vector<Real> alpha;
      Real sum;
      for (const Real& logit : y[claim.subset()[k]]) {
        alpha.push_back(exp(logit * log_b));
        sum += alpha.back();
      }
      for (std::size_t i = 0; i < n; ++i) {
        if ((alpha[i] / sum - Real(coefficients.at(k * n + i))).exponent() > -Real::bits() / 2) return false;
      }
    }
    return true;
  }

  Answer weights(const Json& step) const {
    const Precision precision(2000);
    return answer(claim.subset().size() <= std::min(n, d_h) && prescribes(prescribed(step)));
  }

  Answer one_hot(const Json& step) const {
    const Precision precision(2000);
    const std::vector<std::vector<Real>> y = prescribed(step);
    if (claim.subset().size() + 1 > std::min(n, d_h) || !prescribes(y)) return Answer::no;
    const Row u = vector_of(step.at("u")), v = vector_of(step.at("v"));
    const std::set<std::size_t> subset(claim.subset().begin(), claim.subset().end());
    for (std::size_t t = 0; t < T; ++t) {
      const Q factor = dot(v, queries[t]);
      if (subset.count(t) != 0) {
        if (factor != 0) return Answer::no;
        continue;
      }
      Row x;
      for (const Row& token : tokens[t]) x.push_back(dot(token, u) * factor);
      const auto vertex = static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin());
      if (!near_vertex(y[t], x, vertex, number(step.at("lambda")), claim.number("epsilon")))
        return Answer::no;
    }
    return Answer::yes;
  }

  Answer readout(const Json& steps, const Json& step) const {
    const Layer layer = built(steps, step.at("layer").get<std::size_t>());
    const AllLogits all = all_logits(layer);
    constexpr long bits = 4000;  // A is far from singular, whatever the range of its entries
    const Precision precision(bits);
    std::vector<std::size_t> rows(T);
    for (std::size_t t = 0; t < T; ++t) rows[t] = t;
    const RealMatrix a = minor(z(all, layer.scaled), rows, indices(step.at("cols")));
    RealMatrix y(T);
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t j = 0; j < d_out; ++j) {
        Q label = labels[t][j];
        if (claim.statement == "skip-connection") label -= queries[t][j];
        y[t].emplace_back(label);
      }
    }
    if (!step.contains("inverse")) {
      for (std::size_t t = 0; t < T; ++t) {
        for (std::size_t j = 0; j < d_out; ++j) {
          Real sum;
          for (std::size_t k = 0; k < T; ++k) sum += a[t][k] * Real(number(step.at("weights").at(k).at(j)));
          if ((sum - y[t][j]).exponent() > -bits / 2) return Answer::no;
        }
      }
      return Answer::yes;
    }
    const std::optional<RealMatrix> exact = solved(a, y);
    if (!exact) return Answer::unknown;
    for (std::size_t k = 0; k < T; ++k) {
      for (std::size_t j = 0; j < d_out; ++j) {
        const Json& ball = step.at("weights").at(k).at(j);
        const Real off = abs((*exact)[k][j] - Real(number(ball.at("mid")))) - Real(number(ball.at("rad")));
        if (off > 0 && off.exponent() > -bits / 2) return Answer::no;
      }
    }
    return Answer::yes;
  }

  Answer tail_rank(const Json& steps, const Json& step, const Bound& bound) const {
    Layer layer = built(steps, step.at("layer").get<std::size_t>());
    const Q least = number(step.at("lambda"));
    const std::vector<std::size_t> rows = indices(step.at("rows")), cols = indices(step.at("cols"));
    if (bound.number > integer(rows.size())) return Answer::unknown;
    Draws draws(11, 97);
    bool unknown = false;
    for (int sample = 0; sample < 4; ++sample) {
      for (Head& head : layer.heads) {
        if (!head.separator) continue;
        const Q factors[] = {1, 2, 1 + (draws.draw(50) + 50) / 10, 40};
        head.separator->lambda = least * factors[sample];
      }
      const AllLogits all = all_logits(layer);
      // The minor tends to a regular one, so few bits suffice unless it is singular.
      const Answer found = judge_rank(bound, 40, [&] { return minor(z(all, layer.scaled), rows, cols); });
      if (found == Answer::no) return found;
      unknown = unknown || found == Answer::unknown;
    }
    return unknown ? Answer::unknown : Answer::yes;
  }

  Answer network(const Json& step) const {
    const Rows x = inputs(true);
    if (step.at("neurons").size() != claim.size("neurons")) return Answer::no;
    if (step.contains("output_bias") && !claim.flag("output_bias")) return Answer::no;
    for (std::size_t t = 0; t < T; ++t) {
      Q sum = step.contains("output_bias") ? number(step["output_bias"]) : Q(0);
      for (const Json& neuron : step["neurons"]) {
        Q h = number(neuron.at("b"));
        for (std::size_t i = 0; i < x[t].size(); ++i) h += number(neuron.at("w").at(i)) * x[t][i];
        if (h > 0) sum += h * number(neuron.at("a"));
      }
      if (sum != labels[t][0]) return Answer::no;
    }
    return Answer::yes;
  }

  // --- facts

  Answer judge(const Json& steps, const Json& step) {
    const auto& text = step.at("fact").get_ref<const std::string&>();
    if (text.starts_with("let ")) return Answer::yes;
    const Bound bound(text);
    const std::string& of = bound.quantity;
    if (bound.number <= 0 && bound.at_least) return Answer::yes;
    if (of.starts_with("rank(Z(") || of == "capacity" || of == "tail_rank") {
      if (!bound.at_least && bound.number >= integer(std::min(T, H * d))) return Answer::yes;  // the shape
      if (tokens.empty()) return Answer::unknown;
    }
    if (of.starts_with("rank(Z(") && of != "rank(Z(any))") {
      const std::string name = of.substr(7, of.size() - 9);
      return judge_layer(bound, name == "given" ? given() : built(steps, std::stoul(name)));
    }
    if (of == "rank(Z|Y)") return source.weights ? judge_labels(bound) : Answer::unknown;
    if (of == "saturated") return judge_saturated(bound);
    if (of == "numerical_rank") return judge_numerical_rank(bound);
    if (of == "accurate") return judge_accurate(bound);
    if (of == "distinct(Z)") return judge_different_rows(bound);
    if (step.at("rule") != "theorem" && bound.at_least) {
      if (of == "separator") return separator(step);
      if (of == "vertex_limit") return vertex_limit(step);
      if (of == "weights") return weights(step);
      if (of == "one_hot") return one_hot(step);
      if (of == "readout") return readout(steps, step);
      if (of == "tail_rank") return tail_rank(steps, step, bound);
      if (of == "network(given)") return network(step);
    }
    const std::optional<mpz_class> value = value_of(of);
    return value ? bound.of(*value) : Answer::unknown;
  }

  /// What the judgement of a step depends on: the step without its label, of a rank of Z only the fact, and
  /// the layers that it refers to.
  static void collect(const Json& steps, const Json& step, Json& into) {
    const auto& text = step.at("fact").get_ref<const std::string&>();
    Json plain = step;
    plain.erase("label");
    into.push_back(text.starts_with("rank(Z(") ? Json(text) : plain);
    const auto refer = [&](std::size_t k) { collect(steps, steps.at(k), into); };
    if (text.starts_with("rank(Z(") && text[7] >= '0' && text[7] <= '9') refer(std::stoul(text.substr(7)));
    if (step.contains("layer") && step["layer"].is_number()) refer(step["layer"].get<std::size_t>());
    if (step.contains("layer") && step["layer"].is_object() && step["layer"].contains("rescaled"))
      refer(step["layer"]["rescaled"].at("of").get<std::size_t>());
  }
};

Truths::Truths(const Case& source) : impl_(std::make_unique<Impl>(source)) {}
Truths::~Truths() = default;

Answer Truths::judge(const Json& steps, std::size_t k) {
  Json key = Json::array();
  Impl::collect(steps, steps.at(k), key);
  const auto [place, fresh] = impl_->judged.emplace(key.dump(), Answer::unknown);
  if (fresh) place->second = impl_->judge(steps, steps.at(k));
  return place->second;
}

}  // namespace attest::test
