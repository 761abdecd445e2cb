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

}  // namespace attest::test
