#include "cli/export_coq.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "certificate/certificate.hpp"
#include "certificate/output.hpp"
#include "cli/proved_facts.hpp"
#include "exact/modular.hpp"
#include "exact/rational.hpp"
#include "input/digest.hpp"
#include "input/numbers.hpp"
#include "statements/statements.hpp"

namespace attest {
namespace {

using Integers = std::vector<mpz_class>;
using IntegerMatrix = std::vector<Integers>;

// Matrices of integers over one common denominator: the literals of the Coq file.
struct Literal {
  mpz_class den = 1;
  std::vector<IntegerMatrix> matrices;
};

using RationalMatrices = std::vector<std::vector<std::vector<mpq_class>>>;

Literal literal(const RationalMatrices& values) {
  Literal result;
  for (const auto& m : values)
    for (const auto& row : m)
      for (const mpq_class& x : row) result.den = lcm(result.den, x.get_den());
  for (const auto& m : values) {
    IntegerMatrix integers;
    for (const auto& row : m) {
      Integers line;
      for (const mpq_class& x : row) line.push_back(x.get_num() * (result.den / x.get_den()));
      integers.push_back(std::move(line));
    }
    result.matrices.push_back(std::move(integers));
  }
  return result;
}

RationalMatrices matrices(const ExactArray& a, std::size_t count, std::size_t rows, std::size_t cols) {
  RationalMatrices result(count, std::vector<std::vector<mpq_class>>(rows, std::vector<mpq_class>(cols)));
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) result[k][i][j] = a.at((k * rows + i) * cols + j);
  return result;
}

// Coq text.

std::string coq_list(const Integers& row) {
  std::string text = "[::";
  for (std::size_t k = 0; k < row.size(); ++k) text += (k == 0 ? " " : "; ") + row[k].get_str();
  return text + "]";
}
std::string coq_list(const std::vector<std::size_t>& row) {
  return coq_list(Integers(row.begin(), row.end()));
}
template <class T>
std::string coq_list(const std::vector<std::vector<T>>& rows) {
  std::string text = "[::";
  for (std::size_t k = 0; k < rows.size(); ++k) text += (k == 0 ? " " : ";\n  ") + coq_list(rows[k]);
  return text + "]";
}
std::string in_nat(const std::string& text) {
  return text + "%N";
}
std::string in_z(const std::string& text) {
  return text + "%coqZ";
}

// Breaks lines at blanks.
std::string wrapped(const std::string& text) {
  constexpr std::size_t kLine = 110;
  std::string out;
  std::size_t column = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    column = 0;
    for (std::size_t at = 0; at < line.size();) {
      std::size_t end = line.find(' ', at + 1);
      if (end == std::string::npos) end = line.size();
      if (column + (end - at) > kLine && column > 0) {
        out += "\n   ";
        column = 3;
      }
      out += line.substr(at, end - at);
      column += end - at;
      at = end;
    }
    out += "\n";
  }
  return out;
}

std::uint64_t mod(const mpz_class& x, std::uint64_t p) {
  return mpz_fdiv_ui(x.get_mpz_t(), p);
}

// The inverse of a matrix modulo the prime p, transposed; empty when it is singular.
std::optional<IntegerMatrix> inverse_transposed(std::vector<std::vector<std::uint64_t>> a, std::uint64_t p) {
  const std::size_t r = a.size();
  for (std::size_t i = 0; i < r; ++i) {
    a[i].resize(2 * r, 0);
    a[i][r + i] = 1;
  }
  for (std::size_t k = 0; k < r; ++k) {
    std::size_t pivot = k;
    while (pivot < r && a[pivot][k] == 0) ++pivot;
    if (pivot == r) return std::nullopt;
    std::swap(a[k], a[pivot]);
    const std::uint64_t inverse = inverse_mod(a[k][k], p);
    for (std::uint64_t& x : a[k]) x = multiply_mod(x, inverse, p);
    for (std::size_t i = 0; i < r; ++i) {
      if (i == k || a[i][k] == 0) continue;
      const std::uint64_t factor = p - a[i][k];
      for (std::size_t j = k; j < 2 * r; ++j) a[i][j] = (a[i][j] + multiply_mod(factor, a[k][j], p)) % p;
    }
  }
  IntegerMatrix result(r, Integers(r));
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < r; ++j) result[j][i] = mpz_class(std::to_string(a[i][r + j]));
  return result;
}

// Replaces every rational vector by the primitive integer vector in its direction.
Integers primitive(const std::vector<mpq_class>& v) {
  RationalMatrix row(1, v.size());
  for (std::size_t j = 0; j < v.size(); ++j) row(0, j) = v[j];
  const Matrix<mpz_class> scaled = primitive_rows(row);
  return Integers(scaled.data(), scaled.data() + v.size());
}

// Bits of the products that Coq forms for kernel vectors; its integers multiply in quadratic time.
constexpr std::size_t kLongestPower = 4000;

class Exporter {
public:
  Exporter(std::string file, const Case& c, const Json& steps, const Claim& claim, std::ostream& out)
      : file_(std::move(file)),
        c_(c),
        steps_(steps),
        claim_(claim),
        dims_(*c.layer),
        out_(out),
        facts_(facts_of(c, claim, steps)),
        finding_(conclude(claim, facts_)) {}

  void write() {
    header();
    const std::string& s = claim_.statement;
    if (s == "rank" || s == "proposition-1")
      rank_claim();
    else if (s == "affine-hull-bound" || s == "proposition-2" || s == "proposition-5")
      hull_claim();
    else
      kruskal_claim();
  }

  static bool exportable(const std::string& s) {
    static const std::vector<std::string> known = {
        "rank",          "proposition-1", "affine-hull-bound", "proposition-2",
        "proposition-5", "kruskal-rank",  "general-position",  "assumption-1"};
    return std::find(known.begin(), known.end(), s) != known.end();
  }

private:
  [[noreturn]] void refuse(const std::string& why,
                           const std::string& right = "a certificate that attest check accepts") const {
    throw InputError(file_, "claim " + std::to_string(claim_.index), why, right);
  }

  void header() {
    out_ << "(* " << comment(c_.title) << "\n   Case " << comment(c_.path.filename().string())
         << ", digest\n   " << problem_digest(c_) << "\n   claim " << claim_.index << ", " << claim_.statement
         << ": " << verdict_text(finding_)
         << ".\n   Written by attest export --coq from the case's certificate; compile it with\n   coqc -w "
            "none -Q "
            "proofs/formal Attest. *)\n"
            "From Attest Require Import replay.\n\n"
            "Set Implicit Arguments.\nUnset Strict Implicit.\nUnset Printing Implicit Defensive.\n"
            "Delimit Scope Z_scope with coqZ.\nLocal Open Scope ring_scope.\nLocal Notation Z := "
            "BinNums.Z.\n\n";
  }
  static std::string comment(std::string text) {
    for (std::size_t at = 0; (at = text.find_first_of("*\"", at)) != std::string::npos;) text[at] = '\'';
    return text;
  }

  void define(const std::string& name, const std::string& type, const std::string& value) {
    out_ << wrapped("Definition " + name + " : " + type + " :=\n  " + value + ".");
  }
  static std::string by_computation() { return "vm_cast_no_check (erefl true).\nQed.\n"; }

  // The data.

  Literal context_literal() const {
    return literal(matrices(*c_.data.contexts, c_.data.shared_context ? 1 : dims_.examples, dims_.context,
                            dims_.embed_dim));
  }
  std::string contexts_text(const Literal& e) const {
    if (c_.data.shared_context)
      return "nseq " + std::to_string(dims_.examples) + "\n  " + in_z("(" + coq_list(e.matrices[0]) + ")");
    return in_z(coq_list(e.matrices));
  }
  Literal query_literal() const {
    return literal(matrices(*c_.data.queries, 1, dims_.examples, dims_.embed_dim));
  }

  // Key and query matrices of the heads, the logit scale in the key.
  void weights(RationalMatrices& key, RationalMatrices& query) {
    if (dims_.base != Base::two)
      refuse("the base of the softmax is e", "base 2; scripts/replay_in_coq replays base e");
    const std::size_t d = dims_.embed_dim, m = dims_.head_dim;
    head_dim_ = m;
    if (claim_.statement == "proposition-1") {
      const Json* construction = nullptr;
      for (std::size_t k = 0; k < steps_.size(); ++k)
        if (steps_[k].at("rule") == "let" && steps_[k].at("layer").contains("heads")) {
          construction = &steps_[k]["layer"];
          rank_ = "rank(Z(" + std::to_string(k) + "))";
        }
      if (construction == nullptr) refuse("there is no constructed layer in the certificate");
      for (const Json& head : construction->at("heads")) {
        std::vector<std::vector<mpq_class>> k(d), q(d);
        auto add = [&](const Json& u, const Json& v, const mpq_class& factor) {
          const std::vector<mpq_class> a = vector(u), b = vector(v);
          for (std::size_t j = 0; j < d; ++j) {
            k[j].push_back(a[j] * factor);
            q[j].push_back(b[j]);
          }
        };
        for (std::size_t i = 0; i < head.at("key").size(); ++i)
          add(head["key"][i], head.at("query").at(i), 1);
        if (head.contains("separator")) {
          const Json& s = head["separator"];
          add(s.at("u"), s.at("v"), parse_number(s.at("lambda").get<std::string>()));
        }
        if (k[0].size() > m) refuse("a constructed head has more than d_h terms");
        for (std::size_t j = 0; j < d; ++j) {
          k[j].resize(m);
          q[j].resize(m);
        }
        key.push_back(std::move(k));
        query.push_back(std::move(q));
      }
      if (key.size() != dims_.heads)
        refuse("the constructed layer has " + std::to_string(key.size()) + " heads");
      return;
    }
    if (!c_.weights) refuse("the case has no weights");
    if (dims_.logit_scale.irrational())
      refuse("the logit scale is irrational", "a rational scale; scripts/replay_in_coq replays others");
    const Weights& w = *c_.weights;
    if (w.key_bias || w.query_bias)
      refuse("the layer has biases", "a layer without biases; scripts/replay_in_coq replays biases");
    if (w.combined) {
      head_dim_ = d;
      key = matrices(*w.combined, dims_.heads, d, d);
      query.assign(dims_.heads, std::vector<std::vector<mpq_class>>(d, std::vector<mpq_class>(d)));
      for (auto& q : query)
        for (std::size_t j = 0; j < d; ++j) q[j][j] = 1;
    } else {
      key = matrices(*w.key, dims_.heads, d, m);
      query = matrices(*w.query, dims_.heads, d, m);
    }
    for (auto& head : key)
      for (auto& row : head)
        for (mpq_class& x : row) x *= dims_.logit_scale.rational;
  }

  std::vector<mpq_class> vector(const Json& v) const {
    const mpz_class den(v.at("den").get<std::string>());
    if (den <= 0) refuse("a vector of the certificate has the denominator " + den.get_str());
    std::vector<mpq_class> result;
    for (const Json& x : v.at("num")) {
      result.emplace_back(mpz_class(x.get<std::string>()), den);
      result.back().canonicalize();
    }
    if (result.size() != dims_.embed_dim) refuse("a vector of the certificate has the wrong length");
    return result;
  }

  void layer() {
    RationalMatrices key, query;
    weights(key, query);
    contexts_ = context_literal();
    const Literal e = query_literal(), k = literal(key), q = literal(query);
    out_ << "(* The layer: contexts, queries, key and query weights, integers over common denominators";
    if (claim_.statement == "proposition-1")
      out_ << ";\n   the weights are those that the proof of Proposition 1 constructs";
    if (c_.weights && c_.weights->combined && claim_.statement == "rank")
      out_ << ";\n   the case gives W_h, which is W_h times the transposed identity";
    out_ << ". *)\n";
    std::ostringstream text;
    text << "Definition case_layer : layer_data := {|\n  examples := " << dims_.examples
         << ";\n  heads := " << dims_.heads << ";\n  context_length := " << dims_.context
         << ";\n  embed_dim := " << dims_.embed_dim << ";\n  head_dim := " << head_dim_
         << ";\n  context_den := " << contexts_.den
         << "%positive;\n  contexts := " << contexts_text(contexts_) << ";\n  query_den := " << e.den
         << "%positive;\n  queries := " << in_z(coq_list(e.matrices[0])) << ";\n  key_den := " << k.den
         << "%positive;\n  key_weights := " << in_z(coq_list(k.matrices))
         << ";\n  query_weights_den := " << q.den
         << "%positive;\n  query_weights := " << in_z(coq_list(q.matrices)) << "\n|}.\n";
    out_ << wrapped(text.str()) << "\n";
    logits(e, k, q);
    out_ << "Lemma logits_are_integers : integer_logits case_layer.\nProof.\n" << by_computation() << "\n";
  }

  // logits_[t][h]: n integers.
  void logits(const Literal& e, const Literal& k, const Literal& q) {
    const mpz_class den = contexts_.den * e.den * k.den * q.den;
    const std::size_t d = dims_.embed_dim;
    logits_.assign(dims_.examples, std::vector<Integers>(dims_.heads));
    for (std::size_t t = 0; t < dims_.examples; ++t)
      for (std::size_t h = 0; h < dims_.heads; ++h) {
        Integers u(head_dim_), w(d);
        for (std::size_t m = 0; m < head_dim_; ++m)
          for (std::size_t j = 0; j < d; ++j) u[m] += q.matrices[h][j][m] * e.matrices[0][t][j];
        for (std::size_t j = 0; j < d; ++j)
          for (std::size_t m = 0; m < head_dim_; ++m) w[j] += k.matrices[h][j][m] * u[m];
        for (const Integers& token : context(t)) {
          mpz_class sum = 0;
          for (std::size_t j = 0; j < d; ++j) sum += token[j] * w[j];
          if (sum % den != 0)
            refuse("the logits of example " + std::to_string(t) + ", head " + std::to_string(h) +
                       " are not integers",
                   "logits that are integers; scripts/replay_in_coq replays others");
          logits_[t][h].push_back(sum / den);
        }
      }
  }
  const IntegerMatrix& context(std::size_t t) const {
    return contexts_.matrices[c_.data.shared_context ? 0 : t];
  }

  // Z.

  std::uint64_t entry_mod(std::size_t t, std::size_t col, std::uint64_t p) const {
    const std::size_t h = col / dims_.embed_dim, j = col % dims_.embed_dim;
    std::uint64_t sum = 0, numerator = 0;
    for (std::size_t i = 0; i < dims_.context; ++i) {
      const mpz_class& l = logits_[t][h][i];
      const std::uint64_t base = l < 0 ? inverse_mod(2, p) : 2;
      const std::uint64_t power = power_mod(base, mod(abs(l), p - 1), p);
      sum = (sum + power) % p;
      numerator = (numerator + multiply_mod(power, mod(context(t)[i][j], p), p)) % p;
    }
    if (sum == 0) refuse("a softmax denominator vanishes modulo " + std::to_string(p));
    return multiply_mod(numerator, inverse_mod(sum, p), p);
  }

  std::uint64_t modulus(const Json& step) const {
    const std::uint64_t p = step.at("p").get<std::uint64_t>();
    if (p < 3 || p >= (std::uint64_t{1} << 62) || !is_prime(p))
      refuse("the modulus " + std::to_string(p) + " is not an odd prime below 2^62");
    return p;
  }

  // Lemma rank_lower; `value` is what the certificate's facts say, and Coq compares it with the size of the
  // minor.
  void lower_bound(const std::string& value) {
    const Json* best = nullptr;
    for (const Json& step : steps_)
      if (step.at("rule") == "minor" && step.at("of") == rank_ &&
          (best == nullptr || step.at("rows").size() > best->at("rows").size()))
        best = &step;
    if (best != nullptr) {
      const std::uint64_t p = modulus(*best);
      const auto rows = best->at("rows").get<std::vector<std::size_t>>(),
                 cols = best->at("cols").get<std::vector<std::size_t>>();
      if (rows.size() != cols.size()) refuse("the minor is not square");
      std::vector<std::vector<std::uint64_t>> a(rows.size(), std::vector<std::uint64_t>(rows.size()));
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < cols.size(); ++j) {
          if (rows[i] >= dims_.examples || cols[j] >= dims_.heads * dims_.embed_dim)
            refuse("the minor lies outside Z");
          a[i][j] = entry_mod(rows[i], cols[j], p);
        }
      const auto inverse = inverse_transposed(std::move(a), p);
      if (!inverse) refuse("the minor of the certificate is singular modulo " + std::to_string(p));
      out_ << "(* A minor of Z and the transposed inverse of its residues modulo p *)\n";
      define("minor_rows", "seq nat", in_nat(coq_list(rows)));
      define("minor_cols", "seq nat", in_nat(coq_list(cols)));
      define("minor_inverse", "seq (seq Z)", in_z(coq_list(*inverse)));
      out_ << "Lemma rank_lower (F : numFieldType) : (" << value
           << " <= \\rank (layer_Z F case_layer))%N.\nProof.\n"
           << "apply: (@replay_rank_geq F case_layer logits_are_integers " << p
           << "%coqZ\n  minor_rows minor_cols minor_inverse).\n"
           << by_computation() << "\n";
    } else {
      out_ << "Lemma rank_lower (F : numFieldType) : (" << value
           << " <= \\rank (layer_Z F case_layer))%N.\nProof. exact: leq0n. Qed.\n\n";
    }
  }

  // Independence of integer vectors modulo p: columns in which they have a minor, and its inverse.
  struct Independence {
    std::uint64_t p = 0;
    std::vector<std::size_t> cols;
    IntegerMatrix inverse;
  };
  Independence independence(const IntegerMatrix& v, const Json& step, const std::string& what) const {
    Independence result;
    result.p = v.empty() ? large_prime(0) : modulus(step);
    ModularMatrix residues(v.size(), v.empty() ? 0 : v[0].size());
    for (std::size_t i = 0; i < residues.rows(); ++i)
      for (std::size_t j = 0; j < residues.cols(); ++j) residues(i, j) = mod(v[i][j], result.p);
    if (!v.empty()) result.cols = rank_profiles(residues, result.p).cols;
    if (result.cols.size() != v.size()) refuse(what + " are dependent modulo " + std::to_string(result.p));
    std::vector<std::vector<std::uint64_t>> a(v.size(), std::vector<std::uint64_t>(v.size()));
    for (std::size_t i = 0; i < v.size(); ++i)
      for (std::size_t j = 0; j < v.size(); ++j) a[i][j] = residues(i, result.cols[j]);
    auto inverse = inverse_transposed(std::move(a), result.p);
    if (!inverse) refuse(what + " are dependent modulo " + std::to_string(result.p));
    result.inverse = std::move(*inverse);
    return result;
  }
  // Its definitions; the arguments p, columns and inverse of the checks.
  std::string define(const Independence& i, const std::string& cols, const std::string& inverse) {
    define(cols, "seq nat", in_nat(coq_list(i.cols)));
    define(inverse, "seq (seq Z)", in_z(coq_list(i.inverse)));
    return std::to_string(i.p) + "%coqZ " + cols + " " + inverse;
  }

  // The witness of an affine-hull step as Coq arguments, after the definitions that they need. It proves the
  // bound `heads` times `dimension` plus `offset` (Coq text).
  struct Hull {
    std::string lemma, arguments, dimension, offset;
    std::string bound(const std::string& heads) const {
      return "(" + heads + " * " + dimension + " + " + offset + ")%N";
    }
  };
  // By the theorem of a step: by the functionals of the step that it uses, or else by all tokens.
  Hull hull(const Json& theorem, std::size_t number) {
    const std::string k = std::to_string(number), d = std::to_string(dims_.embed_dim);
    if (theorem.at("uses").empty()) {
      std::string list = "[::";
      for (const auto& [t, i] : different_tokens())
        list += (list.size() == 3 ? " (" : "; (") + std::to_string(t) + ", " + std::to_string(i) + ")";
      out_ << "(* All tokens, as positions (example, token) *)\n";
      define("hull_tokens_" + k, "seq (nat * nat)", list + "]%N");
      return {"tokens", "hull_tokens_" + k, "(size hull_tokens_" + k + ").-1", "1"};
    }
    const Json& step = steps_.at(theorem["uses"].at(0).get<std::size_t>());
    if (step.at("rule") != "zero") refuse("its affine hull rests on a step that Coq does not replay");
    const bool affine = step.at("of") == "rank(affine-tokens)";
    IntegerMatrix v;
    Integers c;
    for (const Json& sparse : step.at("vectors")) {
      std::vector<mpq_class> row = dense(sparse, dims_.embed_dim + (affine ? 1 : 0), "functional");
      if (!affine) row.emplace_back(0);
      // The certificate has (v, -c). On the integer contexts the value is c times their denominator.
      row.back() *= -contexts_.den;
      Integers integers = primitive(row);
      c.push_back(integers.back());
      integers.pop_back();
      v.push_back(std::move(integers));
    }
    const Independence independent = independence(v, step, "the functionals of the affine hull");
    out_ << "(* Functionals: v . x = c for every token x (on the integers above), and their independence "
            "modulo p *)\n";
    define("hull_v_" + k, "seq (seq Z)", in_z(coq_list(v)));
    define("hull_c_" + k, "seq Z", in_z(coq_list(c)));
    const std::string witness = define(independent, "hull_cols_" + k, "hull_inverse_" + k);
    return {"functionals", "hull_v_" + k + " hull_c_" + k + " " + witness,
            "(" + d + " - size hull_v_" + k + ")", "has (fun x => ~~ (x =? 0)%coqZ) hull_c_" + k};
  }

  // The first position of each token.
  std::vector<std::pair<std::size_t, std::size_t>> different_tokens() const {
    std::set<Integers> seen;
    std::vector<std::pair<std::size_t, std::size_t>> result;
    for (std::size_t t = 0; t < (c_.data.shared_context ? 1 : dims_.examples); ++t)
      for (std::size_t i = 0; i < dims_.context; ++i)
        if (seen.insert(context(t)[i]).second) result.emplace_back(t, i);
    return result;
  }

  // A vector of the certificate, [[index, value], ...], with rational values.
  std::vector<mpq_class> dense(const Json& sparse, std::size_t length, const std::string& what) const {
    std::vector<mpq_class> result(length);
    for (const Json& entry : sparse) {
      const std::size_t index = entry.at(0).get<std::size_t>();
      if (index >= length) refuse("a " + what + " has the entry " + std::to_string(index));
      result[index] = rational_element(entry.at(1));
    }
    return result;
  }

  // Lemma rank_upper_k, which an application of a theorem proves.
  void upper_lemma(const std::string& bound, const std::string& application) {
    const std::string name = "rank_upper_" + std::to_string(upper_lemmas_.size());
    out_ << "Lemma " << name << " (F : numFieldType) :\n  (\\rank (layer_Z F case_layer) <= " << bound
         << ")%N.\nProof.\napply: (" << application << ").\n"
         << by_computation() << "\n";
    upper_lemmas_.push_back(name);
  }

  // Whether two heads have the same logit differences at every example, or one head at two examples.
  bool same_differences(std::size_t t, std::size_t h, std::size_t t2, std::size_t h2) const {
    for (std::size_t i = 1; i < dims_.context; ++i)
      if (logits_[t][h][i] - logits_[t][h][0] != logits_[t2][h2][i] - logits_[t2][h2][0]) return false;
    return true;
  }

  // Bounds by equal and (`with_constant`) constant heads, with a hull that was proved before.
  void heads_bound(bool with_constant, const Hull& h) {
    std::vector<std::size_t> different, constant;
    std::string equal = "[::";
    for (std::size_t k = 0; k < dims_.heads; ++k) {
      const auto equals = [&](std::size_t first) {
        for (std::size_t t = 0; t < dims_.examples; ++t)
          if (!same_differences(t, first, t, k)) return false;
        return true;
      };
      std::size_t first = 0;
      while (first < k && !equals(first)) ++first;
      bool is_constant = with_constant;
      for (std::size_t t = 1; is_constant && t < dims_.examples; ++t)
        is_constant = same_differences(0, k, t, k);
      if (first < k)
        equal += (equal.size() == 3 ? " (" : "; (") + std::to_string(first) + ", " + std::to_string(k) + ")";
      else
        (is_constant ? constant : different).push_back(k);
    }
    out_ << "(* Heads: each of the others equals one of these or is constant *)\n";
    define("distinct_heads", "seq nat", in_nat(coq_list(different)));
    define("equal_pairs", "seq (nat * nat)", equal + "]%N");
    define("constant_heads", "seq nat", in_nat(coq_list(constant)));
    out_ << "Lemma heads_hold : heads_ok case_layer distinct_heads equal_pairs constant_heads.\nProof.\n"
         << by_computation() << "\n";
    auto lemma = [&](const Hull& by) {
      Hull bound = by;
      if (by.lemma == "functionals") bound.offset = "(~~ nilp constant_heads || " + by.offset + ")";
      upper_lemma(bound.bound("size distinct_heads"),
                  "@replay_rank_leq_heads_" + by.lemma +
                      " F case_layer logits_are_integers\n  distinct_heads constant_heads equal_pairs "
                      "heads_hold\n  " +
                      by.arguments);
    };
    lemma(h);
    // With more tokens than dimensions the whole space, that is no functional, may be the better hull.
    if (h.lemma == "tokens" && different_tokens().size() > dims_.embed_dim)
      lemma({"functionals", "[::] [::] 2%coqZ [::] [::]", "(" + std::to_string(dims_.embed_dim) + " - 0)",
             "false"});
  }

  // An element of the group ring of base 2 that is rational.
  mpq_class rational_element(const Json& terms) const {
    if (!terms.is_array()) return parse_number(terms.get<std::string>());
    mpq_class sum = 0;
    for (const Json& term : terms) {
      const mpq_class c = parse_number(term.at(0).get<std::string>()),
                      x = parse_number(term.at(1).get<std::string>());
      if (x.get_den() != 1) refuse("a kernel vector is irrational", "Coq replays rational kernel vectors");
      if (abs(x) > kLongestPower) refuse("a kernel vector has the power 2^" + x.get_str());
      const mpz_class power = mpz_class(1) << mpz_class(abs(x.get_num())).get_ui();
      sum += x < 0 ? mpq_class(c / power) : mpq_class(c * power);
    }
    return sum;
  }

  void kernel_bound(const Json& step) {
    const bool left = step.at("side") == "left";
    const std::size_t length = left ? dims_.examples : dims_.heads * dims_.embed_dim;
    // Coq adds fractions whose denominators are sums of powers of two, without reducing them: so long do they
    // get.
    std::size_t terms = 0;
    IntegerMatrix vectors;
    for (const Json& v : step.at("vectors")) {
      std::set<std::size_t> support;
      for (const Json& entry : v) {
        const std::size_t index = entry.at(0).get<std::size_t>();
        support.insert(left ? index : index / dims_.embed_dim);
      }
      terms = std::max(terms, support.size());
      vectors.push_back(primitive(dense(v, length, "kernel vector")));
    }
    mpz_class spread = 0;
    for (const auto& heads : logits_)
      for (const Integers& l : heads) {
        const auto [least, largest] = std::minmax_element(l.begin(), l.end());
        spread = std::max(spread, mpz_class(*largest - *least));
      }
    if (spread * terms > kLongestPower)
      refuse("its kernel vectors need sums of " + std::to_string(terms) +
                 " fractions with denominators above 2^" + spread.get_str(),
             "Coq replays products below 2^" + std::to_string(kLongestPower));
    const Independence independent = independence(vectors, step, "the kernel vectors");
    const std::string side = left ? "left" : "right";
    out_ << "(* Vectors " << (left ? "y with y Z = 0" : "x with Z x = 0")
         << ", and their independence modulo p *)\n";
    define("kernel_vectors", "seq (seq Z)", in_z(coq_list(vectors)));
    const std::string witness = define(independent, "kernel_cols", "kernel_inverse");
    upper_lemma(
        "(" + std::to_string(length) + " - size kernel_vectors)%N",
        "@replay_rank_leq_" + side + "_kernel F case_layer logits_are_integers\n  kernel_vectors " + witness);
  }

  // Equal examples: the differences of their rows vanish.
  Json equal_rows() const {
    std::map<std::pair<IntegerMatrix, std::vector<Integers>>, std::size_t> first;
    Json vectors = Json::array();
    for (std::size_t t = 0; t < dims_.examples; ++t) {
      const auto [it, fresh] = first.emplace(std::pair(context(t), logits_[t]), t);
      if (!fresh) vectors.push_back({{it->second, "1"}, {t, "-1"}});
    }
    return {{"side", "left"}, {"vectors", vectors}, {"p", large_prime(0)}};
  }

  // Lemma rank_upper: Coq computes the least of all bounds and compares it with that of the facts.
  void upper_bound() {
    const mpz_class upper = facts_.of(rank_).upper;
    bool proved = upper >= facts_.of("rank(Z(any))").upper;
    std::optional<Hull> last;
    for (const Json& step : steps_) {
      const std::string theorem = step.value("theorem", "");
      if (theorem == "affine-hull" || theorem == "linear-hull") {
        last = hull(step, upper_lemmas_.size());
        upper_lemma(
            last->bound(std::to_string(dims_.heads)),
            "@replay_rank_leq_" + last->lemma + " F case_layer logits_are_integers\n  " + last->arguments);
      }
      // Of the other upper bounds only the one that is the least.
      const std::optional<Fact> fact = fact_of(step);
      if (proved || !fact || fact->kind != Fact::Kind::at_most || fact->quantity != rank_ ||
          fact->bound != upper)
        continue;
      proved = true;
      if (theorem == "equal-heads" || theorem == "constant-heads") {
        if (!last) last = hull({{"uses", Json::array()}}, 0);
        heads_bound(theorem == "constant-heads", *last);
      } else if (theorem == "equal-rows") {
        kernel_bound(equal_rows());
      } else if (step.at("rule") == "zero") {
        kernel_bound(step);
      } else {
        proved = false;
      }
    }
    if (!proved) refuse("no step that Coq replays proves its upper bound " + upper.get_str());
    out_ << "Lemma rank_upper (F : numFieldType) : (\\rank (layer_Z F case_layer) <= " << upper
         << ")%N.\nProof.\n";
    std::string all = "replay_rank_leq_size F case_layer";
    for (const std::string& name : upper_lemmas_) all = "leq_both (" + all + ") (" + name + " F)";
    out_ << "apply: (upper_value (" << all << ")).\n" << by_computation() << "\n";
  }

  // Claims.

  // What a claim with value, at_least or at_most (or none) says of the number `subject`, and how that follows
  // from `lower`, `upper`.
  struct Form {
    std::string before, after, proof;
  };
  Form form(const Bounds& bounds, const std::string& lower, const std::string& upper) const {
    const std::string lo = bounds.lower.get_str();
    const bool refuted = finding_.verdict == Verdict::refuted;
    if (finding_.verdict == Verdict::undecided)
      return {"(" + lo + " <= ", " <= " + bounds.upper.get_str() + ")%N",
              "by rewrite " + lower + " " + upper + "."};
    if (claim_.has("value")) {
      const std::string k = claim_.integer("value").get_str();
      if (!refuted)
        return {"", " = " + k + "%N", "by apply/eqP; rewrite eqn_leq " + lower + " " + upper + "."};
      const std::string& bound = claim_.integer("value") < bounds.lower ? lower : upper;
      return {"", " <> " + k + "%N", "by move=> E; have := " + bound + "; rewrite E."};
    }
    if (claim_.has("at_least")) {
      const std::string k = claim_.integer("at_least").get_str();
      if (!refuted) return {"(" + k + " <= ", ")%N", "by apply: leq_trans (" + lower + ")."};
      return {"(", " < " + k + ")%N", "by apply: leq_ltn_trans (" + upper + ") _."};
    }
    if (claim_.has("at_most")) {
      const std::string k = claim_.integer("at_most").get_str();
      if (!refuted) return {"(", " <= " + k + ")%N", "by apply: leq_trans (" + upper + ") _."};
      return {"(" + k + " < ", ")%N", "by apply: leq_trans (" + lower + ")."};
    }
    return {"", " = " + lo + "%N", "by apply/eqP; rewrite eqn_leq " + lower + " " + upper + "."};
  }

  void rank_claim() {
    const bool proposition = claim_.statement == "proposition-1";
    if (proposition && finding_.conclusion != Truth::yes)
      refuse("its conclusion is not proved", "Coq replays a proved proposition-1");
    layer();
    lower_bound(facts_.of(rank_).lower.get_str());
    const std::string name = "claim_" + std::to_string(claim_.index);
    Form f;
    if (proposition) {
      f = {"(minn " + std::to_string(dims_.examples) + " (" + std::to_string(dims_.heads) + " * (minn " +
               std::to_string(dims_.context) + " " + std::to_string(dims_.head_dim) + " - 1) + 1) <= ",
           ")%N", "by apply: leq_trans (rank_lower F)."};
    } else {
      upper_bound();
      f = form(facts_.of(rank_), "(rank_lower F)", "(rank_upper F)");
    }
    out_ << "(* The claim: over any field of characteristic zero (the rationals among them), and for the "
            "real layer *)\n";
    out_ << "Theorem " << name << "_over (F : numFieldType) :\n  " << f.before
         << "\\rank (layer_Z F case_layer)" << f.after << ".\nProof. " << f.proof << " Qed.\n\n";
    out_ << "Theorem " << name << "_rational :\n  " << f.before
         << "\\rank (layer_Z rat_numFieldType case_layer)" << f.after << ".\nProof. exact: " << name
         << "_over. Qed.\n\n";
    out_ << "Theorem " << name << " (R : realType) :\n  " << f.before << "\\rank (real_Z R case_layer)"
         << f.after << ".\nProof. rewrite (real_ZE logits_are_integers R); exact: " << name
         << "_over. Qed.\n";
    if (proposition)
      out_
          << "\n(* So there are such weights for the case's contexts and queries *)\nTheorem " << name
          << "_exists (R : realType) :\n  exists P : weights R " << dims_.heads << " " << dims_.embed_dim
          << " " << head_dim_ << " 0 0 0,\n  " << f.before
          << "\\rank (attention.Z (layer_contexts R (D := case_layer)) (layer_queries R (D := case_layer)) P)"
          << f.after << ".\nProof. exists (base_2_layer R case_layer); exact: " << name << ". Qed.\n";
  }

  void hull_claim() {
    if (finding_.conclusion != Truth::yes)
      refuse("its verdict is " + verdict_text(finding_), "Coq replays proved bounds");
    contexts_ = context_literal();
    const std::string T = std::to_string(dims_.examples), H = std::to_string(dims_.heads),
                      n = std::to_string(dims_.context), d = std::to_string(dims_.embed_dim);
    out_ << "(* The contexts, integers over a common denominator *)\n";
    define("case_contexts", "seq (seq (seq Z))", contexts_text(contexts_));
    out_ << wrapped("Definition case_den : positive := " + contexts_.den.get_str() + "%positive.") << "\n";
    std::vector<Hull> hulls;
    for (const Json& step : steps_) {
      if (step.value("theorem", "") != "affine-hull" && step.value("theorem", "") != "linear-hull") continue;
      const Hull h = hull(step, hulls.size());
      out_ << "Lemma hull_ok_" << hulls.size() << " : " << h.lemma << "_ok " << T << " " << n
           << (h.lemma == "tokens" ? " case_contexts (listed_tokens case_contexts " + h.arguments + ")"
                                   : " " + d + " case_contexts\n  " + h.arguments)
           << ".\nProof.\n"
           << by_computation() << "\n";
      hulls.push_back(h);
    }
    const std::string name = "claim_" + std::to_string(claim_.index);
    const std::string given = " (R : realType) dh dv do dout (e : 'I_" + T + " -> 'cV[R]_" + d +
                              ")\n    (P : weights R " + H + " " + d + " dh dv do dout) :\n  ";
    const std::string subject =
        "\\rank (attention.Z (context_mx R " + n + " " + d + " case_den case_contexts) e P)";
    out_ << "(* For all queries and all weights of " << H
         << " heads, whatever d_h (and whatever the base, which the weights absorb) *)\n";
    out_ << "Theorem " << name << "_hull" << given << "(" << subject
         << " <= " << facts_.of("rank(Z(any))").upper << ")%N.\nProof.\n";
    std::string all = "replay_hull_size " + n + " case_den case_contexts e P";
    for (std::size_t k = 0; k < hulls.size(); ++k)
      all = "leq_both (" + all + ")\n  (replay_hull_" + hulls[k].lemma + " case_den e P hull_ok_" +
            std::to_string(k) + ")";
    out_ << "apply: (upper_value (" << all << ")).\n" << by_computation() << "\n";
    std::string bound = facts_.of("rank(Z(any))").upper.get_str();
    if (claim_.statement == "proposition-2") bound = H + " * (" + n + " - 1) + 1";
    if (claim_.statement == "proposition-5") bound = H + " * (" + d + " - 1) + 1";
    out_ << "Theorem " << name << given << "(" << subject << " <= " << bound
         << ")%N.\nProof. by apply: leq_trans (" << name << "_hull e P) _. Qed.\n";
  }

  void kruskal_claim() {
    const Bounds bounds = facts_.of("kruskal(queries)");
    const std::string T = std::to_string(dims_.examples), d = std::to_string(dims_.embed_dim);
    const Literal e = query_literal();
    out_ << "(* The queries, integers over a common denominator *)\n";
    define("case_queries", "seq (seq Z)", in_z(coq_list(e.matrices[0])));
    out_ << wrapped("Definition case_den : positive := " + e.den.get_str() + "%positive.");
    out_ << "Definition query (F : numFieldType) : 'I_" << T << " -> 'cV[F]_" << d << " := query_vec F " << d
         << " case_den case_queries.\n\n";

    const Json* upper = nullptr;
    for (const Json& step : steps_)
      if (step.at("rule") == "zero" && step.at("of") == "kruskal(queries)" &&
          (upper == nullptr || step.at("vectors").at(0).size() < upper->at("vectors").at(0).size()))
        upper = &step;
    const std::size_t k = bounds.lower.get_ui();
    mpz_class subsets;
    mpz_bin_uiui(subsets.get_mpz_t(), dims_.examples, k);
    if (subsets > 200000)
      refuse("Coq would have to go through " + subsets.get_str() + " subsets", "at most 200000");
    const std::string lo = bounds.lower.get_str(), hi = bounds.upper.get_str();
    if (k > 0)
      out_
          << "(* All subsets of " << k
          << " queries are independent: Coq eliminates in each *)\nLemma kruskal_lower (F : numFieldType) : ("
          << lo << " <= kruskal_rank (query F))%N.\nProof.\napply: (@replay_kruskal_geq F " << T << " " << d
          << " case_den case_queries " << k << ").\n"
          << by_computation() << "\n";
    else
      out_ << "Lemma kruskal_lower (F : numFieldType) : (" << lo
           << " <= kruskal_rank (query F))%N.\nProof. exact: leq0n. Qed.\n\n";
    std::string all = "replay_kruskal_leq_size F " + T + " " + d + " case_den case_queries";
    if (upper != nullptr) {
      out_ << "(* A relation *)\n";
      const Json& vector = upper->at("vectors").at(0);
      std::vector<std::size_t> subset;
      std::vector<mpq_class> values;
      for (const Json& entry : vector) {
        subset.push_back(entry.at(0).get<std::size_t>());
        values.push_back(rational_element(entry.at(1)));
      }
      define("subset", "seq nat", in_nat(coq_list(subset)));
      define("relation", "seq Z", in_z(coq_list(primitive(values))));
      out_ << "Lemma kruskal_upper_0 (F : numFieldType) : (kruskal_rank (query F) <= (size "
              "subset).-1)%N.\nProof.\napply: (@replay_kruskal_leq F "
           << T << " " << d << " case_den case_queries subset relation).\n"
           << by_computation() << "\n";
      all = "leq_both (" + all + ") (kruskal_upper_0 F)";
    }
    out_ << "Lemma kruskal_upper (F : numFieldType) : (kruskal_rank (query F) <= " << hi
         << ")%N.\nProof.\napply: (upper_value (" << all << ")).\n"
         << by_computation() << "\n";

    const std::string name = "claim_" + std::to_string(claim_.index);
    out_ << "(* The claim, over any field of characteristic zero: the rationals, the reals *)\n";
    if (claim_.statement == "kruskal-rank" || finding_.verdict == Verdict::undecided) {
      const Form f = form(bounds, "(kruskal_lower F)", "(kruskal_upper F)");
      out_ << "Theorem " << name << " (F : numFieldType) :\n  " << f.before << "kruskal_rank (query F)"
           << f.after << ".\nProof. " << f.proof << " Qed.\n";
      return;
    }
    const std::string said = claim_.statement == "assumption-1"
                                 ? "Assumption1 " + std::to_string(dims_.context) + " (query F)"
                                 : "general_position (query F)";
    if (finding_.verdict == Verdict::verified)
      out_ << "Theorem " << name << " (F : numFieldType) : " << said
           << ".\nProof. by apply: leq_trans (kruskal_lower F). Qed.\n";
    else
      out_ << "Theorem " << name << " (F : numFieldType) : ~ " << said
           << ".\nProof. by move=> A; have := leq_trans A (kruskal_upper F). Qed.\n";
  }

  std::string file_;
  const Case& c_;
  const Json& steps_;
  const Claim& claim_;
  const Dimensions& dims_;
  std::ostream& out_;
  const FactBase facts_;
  const Finding finding_;
  std::string rank_ = "rank(Z(given))";  ///< of the layer that is replayed
  Literal contexts_;
  std::size_t head_dim_ = 0;
  std::vector<std::vector<Integers>> logits_;
  std::vector<std::string> upper_lemmas_;
};

}  // namespace

void export_coq(const ExportOptions& options) {
  const std::string& file = options.certificate;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file, "", "cannot be read", "a certificate that attest verify has written");
  std::ostringstream text;
  try {
    const Json json = Json::parse(in);
    if (!json.is_object() || json.value("format", "") != "attest-certificate/2")
      throw InputError(file, "", "is not a certificate of the format attest-certificate/2",
                       "a certificate that this version of attest has written");
    const std::filesystem::path path =
        std::filesystem::path(file).parent_path() / json.at("case").at("path").get<std::string>();
    ReadOptions read;
    read.allow_outside = options.allow_outside;
    const Case c = read_case(path, read);
    if (json["case"].at("digest") != problem_digest(c))
      throw InputError(file, "", "its case " + path.string() + " has changed since",
                       "run attest verify again");
    const Json& claims = json.at("claims");
    std::optional<std::size_t> index = options.claim;
    for (std::size_t k = 0; !index && k < c.claims.size(); ++k)
      if (Exporter::exportable(c.claims[k].statement)) index = k;
    if (!index)
      throw InputError(file, "", "none of its claims is one that Coq replays",
                       "claims rank, proposition-1, -2, -5, affine-hull-bound, kruskal-rank, "
                       "general-position, assumption-1");
    if (*index >= c.claims.size() || *index >= claims.size())
      throw InputError(file, "", "there is no claim " + std::to_string(*index),
                       "an index below " + std::to_string(c.claims.size()));
    const Claim& claim = c.claims[*index];
    if (!Exporter::exportable(claim.statement))
      throw InputError(
          file, "claim " + std::to_string(*index), "Coq does not replay the statement " + claim.statement,
          "rank, proposition-1, -2, -5, affine-hull-bound, kruskal-rank, general-position or assumption-1; "
          "scripts/replay_in_coq replays more");
    if (!c.layer) throw InputError(file, "", "its case has no layer");
    if (c.data.members || (c.weights && c.weights->projected_keys))
      throw InputError(file, "", "its case has contexts of different lengths, or projected queries and keys",
                       "Coq replays cases with contexts of one length and weight matrices");
    Exporter(file, c, claims[*index].at("steps"), claim, text).write();
  } catch (const nlohmann::json::exception& e) {
    throw InputError(file, "", std::string("is not a certificate: ") + e.what(),
                     "a certificate that attest verify has written");
  } catch (const std::invalid_argument& e) {
    throw InputError(file, "", std::string("has a number that cannot be read: ") + e.what(),
                     "a certificate that attest verify has written");
  } catch (const std::logic_error& e) {
    throw InputError(file, "", std::string("has facts that contradict each other: ") + e.what(),
                     "a certificate that attest verify has written");
  }
  write_output(options.out.empty() ? "-" : options.out, text.str());
}

}  // namespace attest
