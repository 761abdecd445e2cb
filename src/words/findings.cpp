// What proofs show beyond the numbers.
#include <algorithm>
#include <map>

#include "kernel/layers/layer.hpp"
#include "kernel/layers/stack_hulls.hpp"
#include "kernel/quantities/examples.hpp"
#include "problem/numbers.hpp"
#include "words/answer.hpp"
#include "words/proved_facts.hpp"

namespace attest {
namespace {

constexpr std::size_t kShown = 12;     // members of a list, in a sentence
constexpr std::size_t kCircuits = 20;  // sets of dependent examples

std::string enumerated(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t k = 0; k < std::min(numbers.size(), kShown); ++k)
    text += (k == 0 ? "" : k + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[k]);
  return text + (numbers.size() > kShown ? ", ... (" + std::to_string(numbers.size()) + ")" : "");
}

/// The members of a relation, those with a coefficient that is not "0". A coefficient that is no rational but
/// a function may be 0 all the same: what is said of the members holds then too.
struct Relation {
  std::vector<std::size_t> members;
  bool rational = true, equal = false;  ///< equal: two, with a coefficient and its negative

  explicit Relation(const Json& vector) {
    mpq_class sum;
    for (const Json& entry : vector) {
      rational = rational && entry.at(1).is_string();
      const mpq_class value = entry[1].is_string() ? parse_number(entry[1].get<std::string>()) : mpq_class(1);
      if (value == 0) continue;
      members.push_back(entry.at(0).get<std::size_t>());
      sum += value;
    }
    equal = rational && members.size() == 2 && sum == 0;
  }

  /// "query 3 is 0", "queries 0 and 6 are equal", "tokens 1, 2 and 5 are linearly dependent"; `where`: of the
  /// members.
  std::string says(const std::string& one, const std::string& several, const std::string& where = "") const {
    if (members.size() == 1) return one + " " + enumerated(members) + where + " is 0";
    return several + " " + enumerated(members) + where +
           (equal                             ? " are equal"
            : rational && members.size() == 2 ? " are parallel"
                                              : " are linearly dependent");
  }
};

/// The shortest ones from the left: there may be many long ones.
std::vector<Relation> shortest_relations(const Json& step, std::size_t most) {
  std::vector<const Json*> vectors;
  if (step.at("side") == "left")
    for (const Json& each : step.at("vectors")) vectors.push_back(&each);
  std::ranges::stable_sort(vectors, {}, [](const Json* each) { return each->size(); });
  std::vector<Relation> relations;
  for (std::size_t k = 0; k < std::min(vectors.size(), most); ++k) relations.emplace_back(*vectors[k]);
  return relations;
}

void add_dependent_vectors(const Json& step, Json& findings) {
  const Relation relation(step.at("vectors").at(0));
  const bool mixed = step.at("of") == "kruskal(mixed-queries)";
  findings.push_back({{"kind", "dependent-queries"},
                      {"says", mixed ? relation.says("the vector of example", "the vectors of examples")
                                     : relation.says("query", "queries")},
                      {"examples", relation.members}});
}

// Of a family of contexts: which one is no basis, and why.
void add_context(const Case& c, const Claim& claim, const Json& step, Json& findings) {
  const std::string of = step.at("of").get<std::string>();
  const mpz_class rank = fact_of(step)->bound;
  if (rank >= static_cast<unsigned long>(c.layer->context)) return;
  Json finding = {{"kind", "dependent-tokens"}};
  std::string where = "the context";
  if (of == "rank(subset-contexts)" || !c.data.shared_context) {
    std::size_t example = step.value("member", std::size_t{0});
    if (of == "rank(subset-contexts)") example = claim.subset().at(example);
    finding["example"] = example;
    where = "example " + std::to_string(example);
  }
  const bool mixed = of == "rank(mixed-contexts)";
  std::string why = "its " + std::to_string(c.layer->context) + (mixed ? " outputs" : " tokens") +
                    " have the rank " + rank.get_str() + " at most";
  if (const std::vector<Relation> shortest = shortest_relations(step, 1); !shortest.empty()) {
    finding["tokens"] = shortest[0].members;
    why = mixed ? shortest[0].says("output", "outputs") : shortest[0].says("token", "tokens");
  }
  finding["says"] = where + (of == "rank(contexts)" ? " breaks Assumption 2: " : ": ") + why;
  findings.push_back(std::move(finding));
}

// Examples whose rows of Z depend on each other, by relations from the left, with the given weights or with
// all. Z is named where the claim is about another matrix, of which that need not be true.
void add_circuits(const Case& c, const Claim& claim, const Json& step, bool all_weights, Json& findings) {
  static constexpr std::string_view kOfOthers[] = {"output-rank", "memorizes", "output-memorizes",
                                                   "jacobian-rank", "functional-dimension"};
  const std::string where =
      claim.has("bias") || std::ranges::count(kOfOthers, claim.statement) > 0 ? " in Z" : "";
  const std::string when =
      !all_weights ? ""
                   : std::string(claim.has("sequences") ? ", of the tokens as they are" : "") +
                         ", for all weights" + (c.layer->query_bias ? "" : " without query biases");
  const bool given_too = all_weights && (c.layer->query_bias || !c.weights || !c.weights->query_bias);
  for (const Relation& circuit : shortest_relations(step, kCircuits)) {
    if (given_too)  // of the given weights it need not be said
      std::erase_if(findings.get_ref<Json::array_t&>(), [&](const Json& finding) {
        return finding["kind"] == "dependent-examples" && finding["examples"] == circuit.members;
      });
    findings.push_back({{"kind", "dependent-examples"},
                        {"says", circuit.says("the row of example", "the rows of examples", where) + when},
                        {"examples", circuit.members}});
  }
}

void add_equal(const std::vector<std::size_t>& examples, const std::string& says, Json& findings) {
  findings.push_back({{"kind", "equal-outputs"},
                      {"says", "examples " + enumerated(examples) + says},
                      {"examples", examples}});
}

// By relations between the rows of the given weights.
void add_equal_outputs(const Claim& claim, const Json& step, Json& findings) {
  const bool others = claim.statement == "injective-almost-surely";  // which is about other weights
  for (const Relation& relation : shortest_relations(step, kCircuits))
    if (relation.equal)
      add_equal(relation.members,
                std::string(" have equal outputs") + (others ? " with the given weights" : ""), findings);
}

// By what the examples are. Behind layers different ones can have the same outputs whatever the weights are.
void add_equal_examples(const Case& c, Json& findings) {
  if (c.weights && c.weights->projected_keys) return;  // they are not compared
  const kernel::Problem problem(c);
  std::vector<std::vector<std::size_t>> several;
  const auto add_classes = [&](const auto& classes) {
    std::map<std::decay_t<decltype(classes[0])>, std::vector<std::size_t>> members;
    for (std::size_t t = 0; t < classes.size(); ++t) members[classes[t]].push_back(t);
    for (const auto& [key, examples] : members)
      if (examples.size() > 1) several.push_back(examples);
  };
  if (c.stack.empty())
    add_classes(kernel::classes_of_examples(problem));
  else
    add_classes(kernel::example_classes(problem).first);
  std::ranges::sort(several);
  if (several.size() > kCircuits) several.resize(kCircuits);
  for (const std::vector<std::size_t>& examples : several)
    add_equal(examples, c.stack.empty() ? " are equal" : " have equal outputs", findings);
}

void add_heads(const Case& c, Json& findings) {
  const kernel::Problem problem(c);
  const kernel::HeadClasses classes = kernel::head_classes(problem, kernel::given_layer(problem));
  std::map<std::size_t, std::vector<std::size_t>> equal;
  std::vector<std::size_t> constant;
  for (std::size_t h = 0; h < classes.first.size(); ++h) {
    equal[classes.first[h]].push_back(h);
    if (classes.constant[h]) constant.push_back(h);
  }
  for (const auto& [first, heads] : equal)
    if (heads.size() > 1)
      findings.push_back(
          {{"kind", "equal-heads"}, {"says", "heads " + enumerated(heads) + " are equal"}, {"heads", heads}});
  if (!constant.empty())
    findings.push_back({{"kind", "constant-heads"},
                        {"says", (constant.size() == 1 ? "head " + enumerated(constant) + " is"
                                                       : "heads " + enumerated(constant) + " are") +
                                     " constant: the same for all examples"},
                        {"heads", constant}});
}

// A power of two that is at least B + 2, B = (sqrt(k) b)^k, in whose powers no network with k numbers and
// inputs up to b fits (docs/mathematics.md, Proposition 3, sharper).
void add_labels(const Case& c, const Claim& claim, Json& findings) {
  const bool shared = c.data.shared_context || !c.data.contexts;
  mpz_class largest = 1, varying = c.layer->embed_dim;
  const auto look = [&](const ExactArray& array) {
    for (std::size_t i = 0; i < array.size(); ++i)
      if (const mpz_class entry = abs(array.at(i).get_num()); entry > largest) largest = entry;
  };
  look(*c.data.queries);
  if (!shared) {
    look(*c.data.contexts);
    varying *= mpz_class(c.layer->context) + 1;
  }
  const mpz_class k = claim.integer("neurons") * (varying + 1) + (claim.flag("output_bias") ? 1 : 0);
  const auto digits = [](const mpz_class& number) {
    return mpz_class(mpz_sizeinbase(number.get_mpz_t(), 2));
  };
  const mpz_class exponent = (k * digits(k) + 1) / 2 + k * digits(largest) + 1;
  Json finding = {{"kind", "labels"},
                  {"says", "the label of example t is 2^(" + exponent.get_str() + " t)"},
                  {"base", "2^" + exponent.get_str()}};
  constexpr unsigned long kBits = 4096;  // that are written down
  if (exponent * static_cast<unsigned long>(c.layer->examples) <= kBits) {
    Json labels = Json::array();
    for (std::size_t t = 0; t < c.layer->examples; ++t) {
      mpz_class label;
      mpz_ui_pow_ui(label.get_mpz_t(), 2, exponent.get_ui() * t);
      labels.push_back(label.get_str());
    }
    finding["labels"] = std::move(labels);
  }
  findings.push_back(std::move(finding));
}

// The coefficient of an only token is 1, which counts.
void add_one_token(const Case& c, const Claim& claim, Json& findings) {
  if (claim.number("threshold") >= 1) return;
  std::vector<std::size_t> examples;
  for (std::size_t t = 0; t < c.layer->examples; ++t)
    if (c.tokens(t) == 1) examples.push_back(t);
  if (examples.empty()) return;
  const bool one = examples.size() == 1;
  findings.push_back(
      {{"kind", "one-token"},
       {"says", (one ? "example " : "examples ") + enumerated(examples) +
                    (one ? " has a context" : " have contexts") +
                    " of one token, whose coefficient is 1 whatever the weights: counted as saturated"},
       {"examples", examples}});
}

void add_lambda(const Json& step, const std::string& before, const std::string& after, Json& findings) {
  const std::string lambda = step.at("lambda").get<std::string>();
  findings.push_back(
      {{"kind", "lambda"}, {"says", before + "lambda = " + lambda + after}, {"lambda", lambda}});
}

// Of a claim about one lambda it is said of what it is enough.
void add_tail(const Claim& claim, const Json& step, Json& findings) {
  if (claim.has("lambda"))
    add_lambda(step, "from ", " on some weights keep the rank " + fact_of(step)->bound.get_str(), findings);
  else
    add_lambda(step, "", " is enough", findings);
}

}  // namespace

Json findings_of(const Case& c, const Claim& claim, const kernel::NumberedSteps& steps) {
  Json findings = Json::array();
  const Json* tail = nullptr;
  bool heads = false, examples = false;
  for (const kernel::NumberedStep& numbered : steps) {
    const Json& step = *numbered.json;
    const std::string rule = step.at("rule").get<std::string>(), of = step.value("of", "");
    if (rule == "zero") {
      if (of.starts_with("kruskal(")) add_dependent_vectors(step, findings);
      if (of == "rank(contexts)" || of == "rank(subset-contexts)" || of == "rank(mixed-contexts)")
        add_context(c, claim, step, findings);
      if (of == "rank(Z(given))") add_circuits(c, claim, step, false, findings);
      if (of == "capacity" || of == "largest_rank") add_circuits(c, claim, step, true, findings);
      if (of == "distinct(Z)") add_equal_outputs(claim, step, findings);
    } else if (rule == "inverse" && of == "tail_rank") {
      if (tail == nullptr || fact_of(step)->bound > fact_of(*tail)->bound) tail = &step;
    } else if (rule == "ball" && of == "vertex_limit") {
      add_lambda(step, "", " is enough, for the vertex of token " + step.at("vertex").dump(), findings);
    } else if (rule == "ball" && of == "one_hot") {
      add_lambda(step, "", " is enough", findings);
    } else if (rule == "theorem") {
      const std::string theorem = step.at("theorem").get<std::string>();
      if (theorem == "integer-labels") add_labels(c, claim, findings);
      for (const char* const of_equal : {"equal-outputs", "equal-inputs", "equal-rows", "equal-examples"})
        examples = examples || theorem == of_equal;
      heads = heads || ((theorem.starts_with("equal-heads") || theorem.starts_with("constant-heads")) &&
                        step.value("layer", Json()) == "given");
    }
  }
  if (tail != nullptr) add_tail(claim, *tail, findings);
  if (claim.statement == "saturation") add_one_token(c, claim, findings);
  if (heads && c.stack.empty()) add_heads(c, findings);
  if (examples) add_equal_examples(c, findings);
  return findings;
}

}  // namespace attest
