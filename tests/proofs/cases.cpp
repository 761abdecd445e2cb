#include "tests/proofs/cases.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include "check/check_file.hpp"
#include "problem/digest.hpp"
#include "problem/numbers.hpp"
#include "tests/support/folder.hpp"
#include "words/certificate.hpp"

namespace attest::test {

namespace {

// A nested array of numbers.
std::string nested(const Numbers& numbers, const std::vector<std::size_t>& shape) {
  REQUIRE(numbers.size() == std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    std::size_t block = 1;
    std::string opening, closing;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      block *= shape[axis];
      if (k % block == 0) opening += "[";
      if ((k + 1) % block == 0) closing += "]";
    }
    // TOML's integers have 64 bits.
    const bool plain = numbers[k].get_den() == 1 && mpz_sizeinbase(numbers[k].get_num_mpz_t(), 2) < 64;
    const std::string number = plain ? numbers[k].get_str() : "\"" + numbers[k].get_str() + "\"";
    text += (k > 0 ? ", " : "") + opening + number + closing;
  }
  return text;
}

}  // namespace

std::string Draft::toml() const {
  std::ostringstream out;
  out << sized_layer(heads, context, embed_dim, head_dim, examples) << "output_dim = " << output_dim
      << "\nbase = \"" << (base == Base::e ? "e" : "2") << "\"\n";
  if (value_dim > 0) out << "value_dim = " << value_dim << "\n";
  out << layer_lines;
  if (!logit_scale.empty()) out << "logit_scale = \"" << logit_scale << "\"\n";
  if (!generate.empty() || !contexts.empty() || !queries.empty() || !labels.empty()) out << "[data]\n";
  if (mixed) out << "mixed = true\n";
  auto array = [&](const char* name, const Numbers& numbers, const std::vector<std::size_t>& shape) {
    if (!numbers.empty()) out << lines(name, numbers, shape);
  };
  if (!generate.empty()) out << "generate = " << generate << "\n";
  array("contexts", contexts,
        shared ? std::vector{context, embed_dim} : std::vector{examples, context, embed_dim});
  array("queries", queries, {examples, embed_dim});
  array("labels", labels, {examples, output_dim});
  if (!key.empty() || !combined.empty() || !generate_weights.empty()) out << "[weights]\n";
  out << weight_lines;
  if (!generate_weights.empty()) out << "generate = " << generate_weights << "\n";
  array("key", key, {heads, embed_dim, head_dim});
  array("query", query, {heads, embed_dim, head_dim});
  array("combined", combined, {heads, embed_dim, embed_dim});
  array("key_bias", key_bias, {heads, head_dim});
  array("query_bias", query_bias, {heads, head_dim});
  for (const std::string& body : claims) out << body;
  return out.str();
}

Numbers integers(Random& random, std::size_t count, long bound) {
  Numbers numbers;
  for (std::size_t k = 0; k < count; ++k) numbers.emplace_back(random.integer(bound));
  return numbers;
}

Numbers rationals(Random& random, std::size_t count, long bound, long denominator) {
  Numbers numbers;
  for (std::size_t k = 0; k < count; ++k) numbers.push_back(random.rational(bound, denominator));
  return numbers;
}

Draft Draft::without_weights() const {
  Draft result = *this;
  result.key.clear(), result.query.clear();
  return result;
}

Draft sized_draft(std::size_t heads, std::size_t context, std::size_t embed_dim, std::size_t head_dim,
                  std::size_t examples) {
  Draft draft;
  draft.heads = heads, draft.context = context, draft.embed_dim = embed_dim, draft.head_dim = head_dim;
  draft.examples = examples;
  return draft;
}

Draft random_draft(Random& random, std::size_t heads, std::size_t context, std::size_t embed_dim,
                   std::size_t head_dim, std::size_t examples, bool shared, long bound) {
  Draft draft = sized_draft(heads, context, embed_dim, head_dim, examples);
  draft.shared = shared;
  draft.contexts = integers(random, (shared ? 1 : examples) * context * embed_dim, bound);
  draft.queries = integers(random, examples * embed_dim, bound);
  draft.key = integers(random, heads * embed_dim * head_dim, bound);
  draft.query = integers(random, heads * embed_dim * head_dim, bound);
  return draft;
}

Case read(const std::string& toml) {
  static const Folder folder;
  static std::size_t count = 0;
  return read_case(folder.write("case-" + std::to_string(count++) + ".toml", toml));
}

std::string lines(const std::string& name, const Numbers& numbers, const std::vector<std::size_t>& shape) {
  return name + " = " + nested(numbers, shape) + "\n";
}

std::string lines(const std::string& name, const RationalMatrix& matrix) {
  const Numbers numbers(matrix.data(), matrix.data() + matrix.rows() * matrix.cols());
  return lines(name, numbers, {matrix.rows(), matrix.cols()});
}

std::string lines(const std::string& name, const std::vector<std::size_t>& list) {
  return lines(name, Numbers(list.begin(), list.end()), {list.size()});
}

Truth Proof::hypothesis(const std::string& name) const {
  for (const auto& [known, truth] : finding.hypotheses)
    if (known == name) return truth;
  FAIL("no hypothesis " << name);
  return Truth::open;
}

Bounds Proof::of(const std::string& quantity) const {
  const auto found = facts.find(quantity);
  if (found == facts.end()) FAIL("no fact about " << quantity);
  return found->second;
}

bool Proof::is(const std::string& quantity, std::size_t number) const {
  const Bounds bounds = of(quantity);
  return bounds.decided() && bounds.lower == static_cast<unsigned long>(number);
}

namespace {

std::string certificate_of(const Case& c, const std::vector<Proof>& proofs) {
  std::vector<ClaimSteps> claims;
  for (const Proof& proof : proofs) claims.push_back({proof.steps, proof.reason});
  return certificate_text(certificate(c, problem_digest(c), claims, c.path.parent_path()));
}

bool is_step(const Json& s, const std::string& rule, const std::string& of) {
  return s["rule"] == rule && (of.empty() || s.value(rule == "theorem" ? "theorem" : "of", "") == of);
}

std::size_t index_of(const Proof& proof, const std::string& rule, const std::string& of) {
  for (std::size_t k = 0; k < proof.steps.size(); ++k)
    if (is_step(proof.steps[k], rule, of)) return k;
  FAIL("no step " << rule << " of " << of);
  return 0;
}

}  // namespace

std::vector<Proof> certified(const Case& c, const Effort& effort) {
  std::vector<Proof> proofs;
  for (const Claim& claim : c.claims) {
    const ClaimProof proof = prove(c, claim, effort);
    const FactBase& facts = proof.script.facts();
    Proof result{proof.script.steps(), proof.reason, proof.limited, conclude(claim, facts), {}};
    result.facts = facts.proved();
    if (c.layer)  // bounds that need no proof
      for (const char* quantity : {"rank(Z(given))", "rank(Z(any))", "capacity", "kruskal(queries)"})
        result.facts.try_emplace(quantity, facts.of(quantity));
    proofs.push_back(std::move(result));
  }
  try {
    const kernel::CheckReport report = kernel::check(kernel::Problem(c), certificate_of(c, proofs));
    REQUIRE(report.size() == proofs.size());
    for (std::size_t k = 0; k < proofs.size(); ++k) {
      CHECK(verdict_text(report[k].finding) == verdict_text(proofs[k].finding));
      CHECK(numbers_text(report[k].finding) == numbers_text(proofs[k].finding));
    }
  } catch (const std::exception& e) {
    FAIL_CHECK("the checker says: " << std::string(e.what()) << "\n" << contents(c.path));
  }
  return proofs;
}

Proved proved(const Draft& draft) {
  Case c = read(draft);
  Proof proof = certified(c)[0];
  return {std::move(c), std::move(proof)};
}

Proof inapplicable(const Draft& draft, const std::string& hypothesis) {
  const Proof proof = certified(read(draft))[0];
  CHECK(proof.verdict() == Verdict::inapplicable);
  CHECK(proof.hypothesis(hypothesis) == Truth::no);
  return proof;
}

std::string rejection(const Case& c, const std::vector<Proof>& proofs) {
  try {
    kernel::check(kernel::Problem(c), certificate_of(c, proofs));
    return "";
  } catch (const Failure& failure) {
    return failure.what();
  }
}

bool has_step(const Proof& proof, const std::string& rule, const std::string& of) {
  return std::any_of(proof.steps.begin(), proof.steps.end(),
                     [&](const Json& s) { return is_step(s, rule, of); });
}

const Json& step(const Proof& proof, const std::string& rule, const std::string& of) {
  return proof.steps[index_of(proof, rule, of)];
}

Json& step(Proof& proof, const std::string& rule, const std::string& of) {
  return proof.steps[index_of(proof, rule, of)];
}

Numbers vector_of(const Json& json) {
  RationalVector v;
  v.den = mpz_class(json["den"].get<std::string>());
  for (const Json& x : json["num"]) v.num.emplace_back(x.get<std::string>());
  return entries(v);
}

namespace {

Numbers token(const Case& c, std::size_t t, std::size_t i) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim;
  Numbers v;
  for (std::size_t j = 0; j < d; ++j)
    v.push_back(c.data.contexts->at(((c.data.shared_context ? 0 : t) * n + i) * d + j));
  return v;
}

}  // namespace

Numbers image(const RationalMatrix& tokens, const RationalMatrix& w, const RationalMatrix& query) {
  const RationalMatrix x = product(tokens, product(w, transposed(query)));
  return Numbers(x.data(), x.data() + x.rows());
}

std::vector<RationalMatrix> generic_weights(const Case& c, Random& random) {
  const std::size_t d = c.layer->embed_dim, d_h = c.layer->head_dim;
  std::vector<RationalMatrix> w;
  for (std::size_t h = 0; h < c.layer->heads; ++h)
    w.push_back(product(random.matrix(d, d_h, 1000), random.matrix(d_h, d, 1000)));
  return w;
}

RationalMatrix tokens_of(const Case& c, std::size_t t) {
  RationalMatrix tokens(c.layer->context, c.layer->embed_dim);
  for (std::size_t i = 0; i < tokens.rows(); ++i) {
    const Numbers x = token(c, t, i);
    std::copy(x.begin(), x.end(), tokens.row(i));
  }
  return tokens;
}

RationalMatrix queries_of(const Case& c) {
  RationalMatrix queries(c.layer->examples, c.layer->embed_dim);
  for (std::size_t k = 0; k < queries.rows() * queries.cols(); ++k) queries.data()[k] = c.data.queries->at(k);
  return queries;
}

Ring ring_of(const Case& c) {
  return c.layer->base == Base::two && !c.layer->logit_scale.irrational() ? Ring::two : Ring::independent;
}

Logits textbook_logits(const Case& c, const std::vector<RationalMatrix>& w) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim;
  Logits logits(c.layer->examples);
  for (std::size_t t = 0; t < c.layer->examples; ++t)
    for (const RationalMatrix& matrix : w) {
      Numbers row;
      for (std::size_t i = 0; i < n; ++i) {
        const Numbers x = token(c, t, i);
        mpq_class sum = 0;
        for (std::size_t j = 0; j < d; ++j)
          for (std::size_t k = 0; k < d; ++k) sum += x[j] * matrix(j, k) * c.data.queries->at(t * d + k);
        row.push_back(sum);
      }
      logits[t].push_back(row);
    }
  return logits;
}

Logits textbook_logits(const Case& c) {
  const Dimensions& dims = *c.layer;
  const Weights& weights = *c.weights;
  const std::size_t n = dims.context, d = dims.embed_dim, m = dims.head_dim;
  const mpq_class factor = dims.logit_scale.irrational() ? mpq_class(1) : dims.logit_scale.rational;
  Logits logits(dims.examples);
  for (std::size_t t = 0; t < dims.examples; ++t)
    for (std::size_t h = 0; h < dims.heads; ++h) {
      Numbers row;
      for (std::size_t i = 0; i < n; ++i) {
        const Numbers x = token(c, t, i);
        mpq_class logit = 0;
        if (weights.combined) {
          for (std::size_t j = 0; j < d; ++j)
            for (std::size_t k = 0; k < d; ++k)
              logit += x[j] * weights.combined->at((h * d + j) * d + k) * c.data.queries->at(t * d + k);
        } else {
          for (std::size_t k = 0; k < m; ++k) {
            mpq_class key = weights.key_bias ? weights.key_bias->at(h * m + k) : mpq_class(0);
            mpq_class query = weights.query_bias ? weights.query_bias->at(h * m + k) : mpq_class(0);
            for (std::size_t j = 0; j < d; ++j) {
              key += x[j] * weights.key->at((h * d + j) * m + k);
              query += c.data.queries->at(t * d + j) * weights.query->at((h * d + j) * m + k);
            }
            logit += key * query;
          }
        }
        row.push_back(factor * logit);
      }
      logits[t].push_back(row);
    }
  return logits;
}

RationalMatrix textbook_z(const Case& c, const Logits& logits) {
  const std::size_t T = c.layer->examples, H = logits[0].size(), d = c.layer->embed_dim;
  RationalMatrix z(T, H * d);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t h = 0; h < H; ++h) {
      Numbers powers;
      mpq_class sum = 0;
      for (const mpq_class& l : logits[t][h]) {
        REQUIRE(l.get_den() == 1);
        powers.push_back(power_of_two(l.get_num().get_si()));
        sum += powers.back();
      }
      for (std::size_t i = 0; i < powers.size(); ++i) {
        const Numbers x = token(c, t, i);
        for (std::size_t j = 0; j < d; ++j) z(t, h * d + j) += powers[i] / sum * x[j];
      }
    }
  return z;
}

namespace {

// num / den mod m, with GMP.
std::uint64_t modulo(const mpq_class& x, std::uint64_t m) {
  const mpz_class modulus(static_cast<unsigned long>(m));
  mpz_class inverse;
  REQUIRE(mpz_invert(inverse.get_mpz_t(), x.get_den_mpz_t(), modulus.get_mpz_t()) != 0);
  mpz_class result = x.get_num() * inverse % modulus;
  return result < 0 ? mpz_class(result + modulus).get_ui() : result.get_ui();
}

}  // namespace

Matrix<std::uint64_t> textbook_z(const Case& c, const Logits& logits, const Character& by) {
  return textbook_z(c, logits, by, {0, logits[0].size()});
}

Matrix<std::uint64_t> textbook_z(const Case& c, const Logits& logits, const Character& by,
                                 const Blocks& blocks) {
  const Dimensions& layer = *c.layer;
  const std::size_t d = layer.embed_dim, width = blocks.outputs ? c.weights->value->shape()[2] : d;
  const std::uint64_t p = by.p;
  const auto times = [p](std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(Wide(a) * b % p);
  };
  const auto inverse = [p](std::uint64_t x) {
    REQUIRE(x != 0);
    return textbook_power(x, p - 2, p);
  };
  Matrix<std::uint64_t> m(layer.examples, (blocks.last - blocks.first) * width + (blocks.ones ? 1 : 0));
  for (std::size_t t = 0; t < layer.examples; ++t) {
    const RationalMatrix tokens = tokens_of(c, t);
    for (std::size_t h = blocks.first; h < blocks.last; ++h) {
      std::vector<std::uint64_t> alpha;
      std::uint64_t sum = 0;
      for (const mpq_class& l : logits[t][h]) {
        alpha.push_back(textbook_power(by.g, modulo(l, by.q), p));
        sum = (sum + alpha.back()) % p;
      }
      if (layer.sink)  // beside logits that have a rational scale in them; 0 beside an irrational one
        sum = (sum + textbook_power(by.g, modulo(c.weights->sink->at(h), by.q), p)) % p;
      for (std::uint64_t& a : alpha) a = times(a, inverse(layer.sigmoid ? (a + 1) % p : sum));
      for (std::size_t k = 0; k < width; ++k) {
        std::uint64_t& entry = m(t, (h - blocks.first) * width + k);
        for (std::size_t i = 0; i < alpha.size(); ++i) {
          mpq_class value = blocks.outputs ? mpq_class(0) : tokens(i, k);
          for (std::size_t j = 0; blocks.outputs && j < d; ++j)
            value += tokens(i, j) * c.weights->value->at((h * d + j) * width + k);
          if (blocks.outputs && c.weights->value_bias) value += c.weights->value_bias->at(h * width + k);
          entry = (entry + times(alpha[i], modulo(value, p))) % p;
        }
      }
    }
    if (blocks.ones) m(t, m.cols() - 1) = 1;
  }
  return m;
}

GroupRingMatrix textbook_z(const Case& c, const Logits& logits, Ring ring) {
  const std::size_t T = c.layer->examples, H = logits[0].size(), d = c.layer->embed_dim, n = c.layer->context;
  const kernel::PowerSums sums{ring == Ring::two};
  GroupRingMatrix z(T);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t h = 0; h < H; ++h)
      for (std::size_t j = 0; j < d; ++j) {
        RingElement entry;
        for (std::size_t i = 0; i < n; ++i) sums.add_term(entry, token(c, t, i)[j], logits[t][h][i]);
        for (std::size_t g = 0; g < H; ++g)
          if (g != h) entry = sums.multiply(entry, expanded(sums, logits[t][g]).sum);
        z[t].push_back(entry);
      }
  return z;
}

BallMatrix textbook_z(const Case& c, const Logits& logits, slong precision) {
  const std::size_t T = c.layer->examples, H = logits[0].size(), d = c.layer->embed_dim, n = c.layer->context;
  BallMatrix z(T, H * d);
  Ball log2;
  arb_const_log2(log2.get(), precision);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t h = 0; h < H; ++h) {
      std::vector<Ball> powers;
      Ball sum;
      for (const mpq_class& l : logits[t][h]) {
        Ball x(mpq_class(l - logits[t][h][0]), precision);
        if (c.layer->base == Base::two) arb_mul(x.get(), x.get(), log2.get(), precision);
        arb_exp(x.get(), x.get(), precision);
        arb_add(sum.get(), sum.get(), x.get(), precision);
        powers.push_back(x);
      }
      for (std::size_t i = 0; i < n; ++i) {
        arb_div(powers[i].get(), powers[i].get(), sum.get(), precision);
        for (std::size_t j = 0; j < d; ++j) {
          const Ball x(token(c, t, i)[j], precision);
          arb_addmul(z(t, h * d + j).get(), powers[i].get(), x.get(), precision);
        }
      }
    }
  return z;
}

Character foreign_character(Ring ring, std::size_t k) {
  static std::map<std::pair<bool, std::size_t>, Character> found;
  const bool two = ring == Ring::two;
  const auto [it, fresh] = found.try_emplace({two, k});
  if (fresh) {
    Random random(77 + k);
    for (std::uint64_t q = (std::uint64_t{1} << 58) + random.below(std::uint64_t{1} << 57);; ++q) {
      const std::uint64_t p = 2 * q + 1;
      if (two && p % 8 != 7) continue;
      if (mpz_probab_prime_p(mpz_class(static_cast<unsigned long>(q)).get_mpz_t(), 25) == 0) continue;
      if (mpz_probab_prime_p(mpz_class(static_cast<unsigned long>(p)).get_mpz_t(), 25) == 0) continue;
      const std::uint64_t root = 3 + random.below(p - 5);
      it->second = {p, q, two ? 2 : textbook_power(root, 2, p)};
      break;
    }
  }
  return it->second;
}

std::size_t textbook_rank_of_z(const Case& c, const Logits& logits, Ring ring) {
  return textbook_rank_of_z(c, logits, ring, {0, logits[0].size()});
}

std::size_t textbook_rank_of_z(const Case& c, const Logits& logits, Ring ring, const Blocks& blocks) {
  std::size_t rank = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Character character = foreign_character(ring, k);
    rank = std::max(rank, textbook_rank_mod(textbook_z(c, logits, character, blocks), character.p));
  }
  return rank;
}

}  // namespace attest::test
