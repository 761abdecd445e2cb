// The table as a whole, the verdict function and the theorem schemas.
#include "theory/statements.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <stdexcept>

#include "tests/support/folder.hpp"
#include "words/certificate.hpp"
#include "words/explained.hpp"
#include "words/list_statements.hpp"
#include "words/step_words.hpp"
#include "words/words.hpp"

using namespace attest;

namespace {

/// T = 9, H = 4, n = 3, d = 5, d_h = 3 and one token less than all different.
struct Small {
  Case source;
  Claim claim;

  explicit Small(const std::string& name) {
    Dimensions layer;
    layer.heads = 4, layer.context = 3, layer.embed_dim = 5, layer.head_dim = 3, layer.examples = 9;
    source.layer = layer;
    claim.statement = name;
    claim.spec = &statement(name).spec;
  }
  Knowledge computed() const {
    return [this](const std::string& name) -> Bounds {
      if (const auto size = size_of(source, claim, name)) return *size;
      if (name == "distinct(tokens)" || name == "distinct(contexts)") return {1, mpz_class(26)};
      if (name == "distinct(examples)") return {7, mpz_class(7)};
      if (name == "heads(given)") return {2, mpz_class(2)};
      if (name == "in_shape(given)" || name == "in_shape(3)") return {1, mpz_class(1)};
      if (name == "in_shape(4)") return {0, mpz_class(0)};
      throw std::logic_error("unknown " + name);
    };
  }
  Finding with(const std::vector<Fact>& facts) const {
    FactBase base(computed());
    for (const Fact& fact : facts) base.add(fact);
    return conclude(claim, base);
  }
};

const Fact kHolds1 = Fact::at_least("kruskal(queries)", 3), kFails1 = Fact::at_most("kruskal(queries)", 2),
           kHolds2 = Fact::at_least("rank(contexts)", 3), kFails2 = Fact::at_most("rank(contexts)", 2),
           kProved = Fact::at_least("capacity", 9), kRefuted = Fact::at_most("capacity", 8);

}  // namespace

TEST_CASE("every proposition of the table can be read, every name occurs once") {
  const Knowledge anything = [](const std::string&) { return Bounds{1, 1}; };
  std::set<std::string> names;
  for (const Statement& each : statements()) {
    CAPTURE(each.spec.name);
    CHECK(names.insert(each.spec.name).second);
    CHECK(!words_of(each).says.empty());
    REQUIRE(!each.conclusion.empty());
    CHECK(each.conclusion.back().when.empty());
    CHECK(words_of(each).assumes.empty() == each.hypotheses.empty());
    // Numbers speak for themselves; of everything else there is always an answer.
    const std::vector<AnswerWords>& answers = words_of(each).answers;
    CHECK(answers.empty() == asks_for_a_number(each));
    if (!answers.empty()) CHECK(answers.back().when.empty());
    for (const auto* clauses : {&each.hypotheses, &each.conclusion, &each.requirements}) {
      for (const Clause& clause : *clauses) decide(clause.proposition, anything);
    }
    for (const Shown& shown : each.shown) {
      evaluate(shown.quantity, anything);
      if (!shown.whole.empty()) evaluate(shown.whole, anything);
    }
  }
  std::set<std::string> schemas;
  for (const Theorem& each : theorems()) {
    CAPTURE(each.name);
    CHECK(schemas.insert(each.name).second);
    decide(each.conclusion, anything);
    for (const std::string& condition : each.conditions) decide(condition, anything);
  }
  CHECK(find_theorem("affine-hull") != nullptr);
  CHECK(find_theorem("affine") == nullptr);
  CHECK_THROWS_AS(statement("proposition-6"), std::logic_error);
}

TEST_CASE("the verdict follows from two axes") {
  const Small small("proposition-1");
  struct Row {
    std::vector<Fact> facts;
    Verdict verdict;
    bool marked;
  };
  const Row rows[] = {
      {{kHolds1, kHolds2, kProved}, Verdict::verified, false},
      {{kHolds1, kHolds2, kRefuted}, Verdict::refuted, false},
      {{kHolds1, kHolds2}, Verdict::undecided, false},
      {{kHolds1, kProved}, Verdict::verified, true},
      {{kProved}, Verdict::verified, true},
      {{kHolds1, kRefuted}, Verdict::undecided, false},
      {{}, Verdict::undecided, false},
      {{kFails1, kHolds2, kProved}, Verdict::inapplicable, false},
      {{kFails1, kRefuted}, Verdict::inapplicable, false},
      {{kHolds1, kFails2}, Verdict::inapplicable, false},
  };
  for (const Row& row : rows) {
    const Finding finding = small.with(row.facts);
    CHECK(finding.verdict == row.verdict);
    CHECK(finding.hypotheses_undecided == row.marked);
  }
  CHECK(verdict_text(small.with({kProved})) == "verified (hypotheses undecided)");
  CHECK(verdict_text(small.with({kHolds1, kHolds2, kProved})) == "verified");
}

TEST_CASE("expect = verified-as-stated is not satisfied by undecided hypotheses") {
  Small small("proposition-1");
  CHECK(as_expected(small.claim, small.with({kProved})));
  small.claim.expect_as_stated = true;
  CHECK_FALSE(as_expected(small.claim, small.with({kProved})));
  CHECK(as_expected(small.claim, small.with({kHolds1, kHolds2, kProved})));
  small.claim.expect = Verdict::refuted;
  small.claim.expect_as_stated = false;
  CHECK_FALSE(as_expected(small.claim, small.with({kProved})));
}

TEST_CASE("questions for a number: value, at_least, at_most, or none") {
  Small small("rank");
  const Fact lower = Fact::at_least("rank(Z(given))", 4), upper = Fact::at_most("rank(Z(given))", 6);
  CHECK(small.with({lower, upper}).verdict == Verdict::undecided);
  CHECK(small.with({lower, Fact::at_most("rank(Z(given))", 4)}).verdict == Verdict::verified);
  CHECK(claimed_text(small.claim) == "rank(Z) = ?");
  CHECK(numbers_text(small.with({lower, upper})).starts_with("4 <= rank(Z) <= 6"));
  small.claim.arguments = {{"value", mpz_class(7)}};
  CHECK(small.with({lower, upper}).verdict == Verdict::refuted);
  CHECK(claimed_text(small.claim) == "rank(Z) = 7");
  small.claim.arguments = {{"at_least", mpz_class(4)}};
  CHECK(small.with({lower}).verdict == Verdict::verified);
  CHECK(small.with({Fact::at_most("rank(Z(given))", 3)}).verdict == Verdict::refuted);
  small.claim.arguments = {{"at_most", mpz_class(5)}};
  CHECK(small.with({lower, upper}).verdict == Verdict::undecided);
  small.claim.arguments = {{"at_most", mpz_class(-1)}};
  CHECK(small.with({}).verdict == Verdict::refuted);
}

TEST_CASE("relu-memorizes and proposition-3: the labels choose hypotheses and conclusion") {
  Small given("relu-memorizes"), small("proposition-3");
  given.claim.arguments = small.claim.arguments = {{"neurons", mpz_class(1)}};
  const Knowledge sizes = small.computed();
  FactBase facts([&](const std::string& name) -> Bounds {
    if (name == "varying(inputs)") return {5, mpz_class(5)};
    if (name == "fractions(inputs)") return {0, mpz_class(0)};
    return sizes(name);
  });
  facts.add(Fact::at_most("network(given)", 0));
  CHECK(conclude(given.claim, facts).verdict == Verdict::refuted);
  CHECK(conclude(given.claim, facts).hypotheses.empty());
  small.claim.arguments["labels"] = std::string("integer");
  facts.add(Fact::at_most("network(integer)", 0));
  const Finding finding = conclude(small.claim, facts);
  CHECK(finding.hypotheses.size() == 4);
  CHECK(finding.verdict == Verdict::verified);
  CHECK(finding.hypotheses_undecided);
  small.claim.arguments["labels"] = std::string("transcendental");
  CHECK(conclude(small.claim, facts).conclusion == Truth::open);
}

TEST_CASE("a schema's bound follows from the facts that are used") {
  const Small small("rank");
  const Theorem& hull = *find_theorem("affine-hull");
  CHECK(apply_theorem(hull, {Fact::at_most("rank(affine-tokens)", 3)}, "", small.computed()).text() ==
        "rank(Z(any)) <= 9");
  // Without a fact: d + 1 and the number of tokens bound the rank.
  CHECK(apply_theorem(hull, {}, "", small.computed()).text() == "rank(Z(any)) <= 21");
  // A fact of the wrong side is of no use, and one about another quantity is refused.
  CHECK(apply_theorem(hull, {Fact::at_least("rank(affine-tokens)", 3)}, "", small.computed()).text() ==
        "rank(Z(any)) <= 21");
  CHECK_THROWS_AS(apply_theorem(hull, {Fact::at_most("rank(tokens)", 1)}, "", small.computed()),
                  std::invalid_argument);
  CHECK_THROWS_AS(apply_theorem(hull, {}, "given", small.computed()), std::invalid_argument);

  const Theorem& heads = *find_theorem("equal-heads");
  CHECK(apply_theorem(heads, {Fact::at_most("rank(affine-tokens)", 3)}, "given", small.computed()).text() ==
        "rank(Z(given)) <= 5");
  CHECK_THROWS_AS(apply_theorem(heads, {}, "", small.computed()), std::invalid_argument);

  const Theorem& some = *find_theorem("some-weights");
  CHECK(apply_theorem(some, {Fact::at_least("rank(Z(3))", 4)}, "3", small.computed()).text() ==
        "capacity >= 4");
  CHECK_THROWS_AS(apply_theorem(some, {Fact::at_least("rank(Z(4))", 4)}, "4", small.computed()),
                  std::invalid_argument);
  CHECK_THROWS_AS(apply_theorem(some, {Fact::at_least("rank(Z(4))", 4)}, "3", small.computed()),
                  std::invalid_argument);
  CHECK(apply_theorem(*find_theorem("equal-examples"), {}, "", small.computed()).text() == "capacity <= 7");
  CHECK_THROWS_AS(apply_theorem(*find_theorem("zero-encoding"), {}, "", small.computed()),
                  std::invalid_argument);
}

TEST_CASE("every schema is proved in docs/mathematics.md, and named rightly when it is in Coq") {
  const std::filesystem::path root = ATTEST_SOURCE_DIR;
  const std::string mathematics = test::contents(root / "docs/mathematics.md");
  std::string formal;
  for (const auto& file : std::filesystem::recursive_directory_iterator(root / "proofs/formal")) {
    if (file.path().extension() == ".v") formal += test::contents(file.path());
  }
  for (const Theorem& each : theorems()) {
    CAPTURE(each.name);
    CHECK(mathematics.find("\n## " + words_of(each).proof + "\n") != std::string::npos);
    CHECK((words_of(each).formal.empty() ||
           formal.find("Theorem " + words_of(each).formal + " ") != std::string::npos ||
           formal.find("Theorem " + words_of(each).formal + "\n") != std::string::npos));
  }
}

namespace {

/// Something of a kind of the table of shapes.
Json sample_of(const std::string& kind) {
  if (kind.front() == '[') return Json::array({sample_of(kind.substr(1, kind.rfind(']') - 1))});
  if (kind == "vector") return {{"den", "1"}, {"num", {"1"}}};
  if (kind == "sparse") return Json::parse(R"([[0, "1"]])");
  if (kind == "neuron") return {{"w", {"1"}}, {"b", "0"}, {"a", "1"}};
  if (kind == "ball") return {{"mid", "1"}, {"rad", "0"}};
  if (kind == "node") return {{"neuron", 0}, {"example", 0}};
  if (kind == "layer") return {{"random", {{"bound", 9}, {"seed", 1}}}};
  if (kind == "theorem") return theorems().front().name;
  if (kind == "proof") return Json::array();
  if (kind == "rational" || kind == "integer") return "1";
  const std::size_t bar = kind.find('|');
  if (bar != std::string::npos && kind != "given|step") return kind.substr(0, bar);
  return 7;
}

}  // namespace

TEST_CASE("every quantity has a bound, and words that say why") {
  const Knowledge anything = [](const std::string&) { return Bounds{1, 1}; };
  std::set<std::string> forms;
  for (const Quantity& each : quantities()) {
    CHECK(evaluate(each.most, anything).upper >= 1);
    CHECK((each.within.empty() || find_quantity(each.within) != nullptr));
    for (std::string form : each.forms) {
      CAPTURE(form);
      CHECK(forms.insert(form).second);
      if (const std::size_t star = form.find('*'); star != std::string::npos)
        form.replace(star, 1, "queries");
      CHECK_FALSE(words_of(form).because.empty());
      CHECK((words_of(form).because == "as a truth value") == (each.most == "1"));
    }
  }
  CHECK(find_quantity("rank(Z(3))")->forms[0] == "rank(Z(*))");
  CHECK(find_quantity("distinct(tokens)") == nullptr);
  CHECK(words_of("distinct(contexts)").because.empty());
  CHECK(quantity_in_words("rank(Z(given))") == "rank(Z) for the given weights");
  CHECK(quantity_in_words("rank(Z(3))") == "rank(Z(3))");
}

TEST_CASE("every shape of a rule bounds a quantity and has a sentence, its table is in docs/certificate.md") {
  for (const RuleShape& each : rule_shapes()) {
    for (std::string of : each.of.empty() ? std::vector<std::string>{""} : each.of) {
      CAPTURE(each.rule);
      CAPTURE(of);
      if (const std::size_t star = of.find('*'); star != std::string::npos)
        of.replace(star, 1, of == "rank(*contexts)" ? "" : of == "rank(*)" ? "tokens" : "given");
      CHECK(find_shape(each.rule, of) == &each);
      CHECK((of.empty() || find_quantity(of) != nullptr));
      Json step = {{"rule", each.rule}, {"fact", "tail_rank >= 3"}};
      if (!of.empty()) step["of"] = of;
      for (const RuleShape::Key& key : each.list()) step[key.name] = sample_of(key.kind);
      const std::vector<StepInWords> words = steps_in_words({{0, &step}}, false);
      REQUIRE(words.size() == 1);
      CHECK((of.empty() || words[0].text.find('[') == std::string::npos));
      CHECK_FALSE(source_in_words(words[0].source).empty());
    }
  }
  CHECK(find_shape("minor", "capacity") == nullptr);
  CHECK(find_shape("minors", "rank(a)") == nullptr);
  CHECK(find_shape("minor", "") == nullptr);
  CHECK(find_shape("let", "capacity") == nullptr);
  const std::string table = rules_markdown();
  CAPTURE(table);
  CHECK(test::contents(std::filesystem::path(ATTEST_SOURCE_DIR) / "docs/certificate.md").find(table) !=
        std::string::npos);
}

TEST_CASE("a shape's keys") {
  const std::vector<RuleShape::Key> keys = RuleShape{"", {}, "p:prime g?:[index]+"}.list();
  REQUIRE(keys.size() == 2);
  CHECK((keys[0].name == "p" && keys[0].kind == "prime" && !keys[0].optional));
  CHECK((keys[1].name == "g" && keys[1].kind == "[index]+" && keys[1].optional));
}

TEST_CASE("propositions are formulas, prose is not") {
  const auto formula = [](const char* text) { return Json{{"formula", text}}; };
  const auto are = [](const Line& line, const std::vector<Json>& parts) {
    CHECK(parts_of(line) == Json(parts));
  };
  are({"rank for all large lambda = 9, T >= d_h < 3"}, {"rank for all large λ = 9, T ≥ d_h < 3"});
  are({"so T >= d_h-1 holds", {"T >= d_h-1"}}, {"so ", formula("T >= d_h-1"), " holds"});
  // Not within another number or name, nor what is no proposition; two of them are two formulas.
  are({"T = 32, tT = 3", {"T = 3"}}, {"T = 32, tT = 3"});
  are({"rank(Z) = ?", {"rank(Z) = ?"}}, {"rank(Z) = ?"});
  are({"T = 3 and n = 2", {"T = 3 and n = 2"}}, {formula("T = 3"), " and ", formula("n = 2")});
  are({""}, {});
}
