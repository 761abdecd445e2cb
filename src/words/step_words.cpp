#include "words/step_words.hpp"

#include <cctype>
#include <iomanip>
#include <map>
#include <sstream>

#include "base/text.hpp"
#include "problem/numbers.hpp"
#include "theory/statements.hpp"
#include "words/words.hpp"

namespace attest {
namespace {

constexpr std::size_t kLongestNumber = 24, kListShown = 12, kVectorsShown = 4;

std::string text_of(const Json& json, const char* key) {
  return json.at(key).get<std::string>();
}

/// On one line: nobody checks a label, and it must not bring lines that look like something else.
std::string label_of(const Json& step) {
  return one_line(text_of(step, "label"), 100'000);
}

class Sentences {
public:
  Sentences(kernel::NumberedSteps steps, bool full) : steps_(std::move(steps)), full_(full) {}

  std::vector<StepInWords> all() {
    std::vector<StepInWords> result;
    for (std::size_t k = 0; k < steps_.size();) {
      const std::size_t end = end_of_sweep(k);
      if (end > k) {
        result.push_back({steps_[k].number, steps_[end - 1].number, sweep(k, end), "character", {}});
        for (std::size_t m = k; m < end; ++m)
          if (!rescales(m)) result.back().facts.push_back(text_of(*steps_[m].json, "fact"));
        k = end;
      } else {
        result.push_back(step(k));
        ++k;
      }
    }
    return result;
  }

private:
  bool rescales(std::size_t k) const {
    return k < steps_.size() && steps_[k].json->at("rule") == "let" &&
           steps_[k].json->at("layer").contains("rescaled");
  }

  // Where a sequence of rescaled layers ends that begins at k; k when there is none.
  std::size_t end_of_sweep(std::size_t k) const {
    std::size_t end = k;
    while (rescales(end)) {
      const std::string of = "rank(Z(" + std::to_string(steps_[end].number) + "))";
      ++end;
      while (end < steps_.size() && steps_[end].json->value("rule", "") == "minor" &&
             steps_[end].json->value("of", "") == of)
        ++end;
    }
    return end;
  }

  std::string sweep(std::size_t first, std::size_t last) const {
    std::string text =
        "Other lambdas, one for all heads of the construction, by minors that do not vanish under a "
        "character:";
    for (std::size_t k = first; k < last; ++k) {
      const Json& s = *steps_[k].json;
      if (rescales(k))
        text += "\nlambda = " + number(s.at("layer").at("rescaled").at("lambda")) +
                (s.contains("label") ? " (" + label_of(s) + ")" : "");
      else
        text += ": " + text_of(s, "fact") + " (mod " + s.at("p").dump() + ", g = " + s.at("g").dump() + ")";
    }
    return text;
  }

  StepInWords step(std::size_t k) {
    const auto& [number, json] = steps_[k];
    const Json& s = *json;
    const std::string rule = text_of(s, "rule"), of = s.contains("of") ? text_of(s, "of") : "";
    const RuleShape* const shape = find_shape(rule, of);
    StepInWords result{number, number, "", "", {}};
    if (rule == "theorem") {
      result.source = text_of(s, "theorem");
      result.text = theorem(s);
    } else if (shape == nullptr) {
      result.text = text_of(s, "fact") + " (a step of the rule " + rule + ")";
    } else {
      const Sentence& sentence = sentence_of(rule, of);
      result.source = sentence.source;
      result.text = rule == "let" ? let(s, number) : filled(sentence.text, s, *shape);
    }
    if (rule != "let") result.facts.push_back(text_of(s, "fact"));
    if (s.contains("label")) {
      std::string label = label_of(s);
      for (std::size_t at = 0; (at = label.find("; ", at)) != std::string::npos; ++at)
        label.replace(at, 2, ";\n");
      result.text += "\n" + label;
    }
    return result;
  }

  // Numbers and lists.

  std::string number(const Json& value) const {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (full_ || text.size() <= kLongestNumber) return text;
    return text.substr(0, 8) + "..." + text.substr(text.size() - 4) + " (" + std::to_string(text.size()) +
           " characters)";
  }
  // A rational that is looked at for its size.
  std::string decimal(const Json& value) const {
    if (full_ || value.get<std::string>().size() <= 8) return number(value);
    std::ostringstream out;
    out << std::setprecision(4) << parse_number(value.get<std::string>()).get_d();
    return out.str();
  }
  std::string list(const Json& values) const {
    std::string text;
    std::size_t shown = 0;
    for (const Json& v : values) {
      if (!full_ && shown == kListShown && values.size() > kListShown + 2)
        return text + ", ... (" + std::to_string(values.size()) + " in all)";
      text += (shown++ == 0 ? "" : ", ") + (v.is_array() ? "(" + list(v) + ")" : number(v));
    }
    return text;
  }
  std::string vector(const Json& v) const {
    const std::string den = text_of(v, "den");
    return (den == "1" ? "" : "1/" + number(v.at("den")) + " ") + "(" + list(v.at("num")) + ")";
  }
  // A number, or [["c", "N"], ...], a sum of c sqrt(N).
  std::string roots(const Json& value) const {
    if (!value.is_array() || value.empty() || !value[0].is_array() || !value[0].at(0).is_string())
      return number(value);
    std::string text;
    for (const Json& term : value)
      text += (text.empty() ? "" : " + ") + number(term.at(0)) +
              (term.at(1) == "1" ? "" : " sqrt(" + number(term.at(1)) + ")");
    return text;
  }
  std::string ring_element(const Json& value) const {
    if (!value.is_array()) return number(value);
    std::string text;
    for (const Json& term : value)
      text += (text.empty() ? "" : " + ") +
              (term.at(0).is_array() && term[0].size() > 1 ? "(" + roots(term[0]) + ")" : roots(term.at(0))) +
              (term.at(1) == "0" ? "" : " b^(" + roots(term.at(1)) + ")");
    return text.empty() ? "0" : text;
  }
  // "coefficient of the member: ..." for each of the first vectors, a line each.
  std::string sparse_vectors(const Json& vectors, const char* index) const {
    std::string text;
    std::size_t shown = 0;
    for (const Json& v : vectors) {
      if (!full_ && shown++ == kVectorsShown && vectors.size() > kVectorsShown + 1)
        return text + "\n... (" + std::to_string(vectors.size()) + " vectors)";
      text += "\n";
      std::size_t entries = 0;
      for (const Json& entry : v) {
        if (!full_ && entries == kListShown && v.size() > kListShown + 2) {
          text += ", ... (" + std::to_string(v.size()) + " entries)";
          break;
        }
        text += (entries++ == 0 ? "" : ", ") + std::string(index) + entry.at(0).dump() + ": " +
                ring_element(entry.at(1));
      }
    }
    return text;
  }
  static std::string plural(std::size_t count, const std::string& one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
  }

  // Sentences.

  /// The text of a sentence, with what stands in its brackets:
  /// [KEY]               the value, by its kind
  /// [#KEY one]          how many it is or has: "3 ones"
  /// [KEY=VALUE?A|B]     A when it is that, otherwise B
  /// [?KEY text]         the text and the value, if it is there and no empty list
  /// [~KEY]              a rational that is looked at for its size
  /// [fact], [character] the step's fact, and the character of its p and g
  /// [which]             the set and the circuits of its quantity
  std::string filled(const std::string& sentence, const Json& s, const RuleShape& shape) const {
    std::string text;
    std::size_t at = 0;
    for (std::size_t open = 0; (open = sentence.find('[', at)) != std::string::npos;) {
      const std::size_t close = sentence.find(']', open);
      text += sentence.substr(at, open - at) + value(sentence.substr(open + 1, close - open - 1), s, shape);
      at = close + 1;
    }
    return text + sentence.substr(at);
  }

  std::string value(const std::string& what, const Json& s, const RuleShape& shape) const {
    if (what == "fact") return text_of(s, "fact");
    if (what == "which") {
      const auto circuits = circuits_in(*match(text_of(s, "of"), "which(*)"));
      return circuits ? in_words(*circuits) : text_of(s, "fact");
    }
    if (what == "character") {
      const auto p = s.at("p").get<std::uint64_t>();
      return "the character b^x -> " + s.at("g").dump() + "^(x mod " + std::to_string((p - 1) / 2) +
             ") mod " + std::to_string(p);
    }
    const std::size_t blank = what.find(' '), equals = what.find('='), then = what.find('?', 1);
    if (what[0] == '#') {
      const Json& counted = s.at(what.substr(1, blank - 1));
      return plural(counted.is_array() ? counted.size() : counted.get<std::size_t>(), what.substr(blank + 1));
    }
    if (what[0] == '~') return decimal(s.at(what.substr(1)));
    if (what[0] == '?') {
      const std::string key = what.substr(1, blank - 1);
      return s.contains(key) && !s[key].empty() ? what.substr(blank + 1) + value(key, s, shape) : "";
    }
    if (equals != std::string::npos) {
      const Json& found = s.at(what.substr(0, equals));
      const std::size_t otherwise = what.find('|', then);
      return (found.is_string() ? found.get<std::string>() : found.dump()) ==
                     what.substr(equals + 1, then - equals - 1)
                 ? what.substr(then + 1, otherwise - then - 1)
                 : what.substr(otherwise + 1);
    }
    for (const RuleShape::Key& key : shape.list())
      if (key.name == what) return of_kind(key.kind, s, s.at(what));
    throw std::logic_error("no key " + what + " of the rule " + shape.rule);
  }

  std::string of_kind(const std::string& kind, const Json& s, const Json& its) const {
    if (kind == "vector") return vector(its);
    if (kind == "[index]" || kind == "[step]" || kind == "[count]" || kind == "[[index]]") return list(its);
    if (kind == "[vector]") {
      std::string text;
      for (const Json& each : its) text += (text.empty() ? " " : ", ") + vector(each);
      return text;
    }
    if (kind == "[sparse]") {
      const bool kruskal = text_of(s, "of").starts_with("kruskal(");
      return sparse_vectors(its, kruskal ? "number " : s.at("side") == "left" ? "row " : "column ");
    }
    if (kind == "proof") return proof(its);
    if (kind == "[neuron]+") return neurons(its);
    if (kind == "[[vector]]") return inverses(its, s.at("left_inverse"));
    if (kind == "[[ball]]")
      return decimal(its.at(0).at(0).at("mid")) + " up to " + decimal(its[0][0].at("rad"));
    if (kind == "[[node]]+") return trees(its);
    return number(its);
  }

  std::string proof(const Json& steps) const {
    std::string text = steps.empty() ? " its size" : "";
    for (const StepInWords& each : Sentences(kernel::all_steps(steps), full_).all())
      text += "\n(" + std::to_string(each.first) + ") " + each.text;
    return text;
  }
  std::string neurons(const Json& list_of_them) const {
    std::string text;
    for (const Json& neuron : list_of_them)
      (text += '\n') += number(neuron.at("a")) + " max(0, (" + list(neuron.at("w")) + ") . x + " +
                        number(neuron.at("b")) + ")";
    return text;
  }
  std::string inverses(const Json& right_inverses, const Json& left_inverse) const {
    std::string text;
    std::size_t k = 0;
    for (const Json& right : right_inverses) {
      if (!full_ && k == kVectorsShown) return text + "\n...";
      const std::string number = std::to_string(k);
      (text += "\nR_") += number + " has the columns";
      for (const Json& column : right) (text += ' ') += vector(column);
      (text += "; L_") += number + " = " + vector(left_inverse.at(k));
      ++k;
    }
    return text;
  }
  static std::string trees(const Json& all) {
    std::string text;
    std::size_t positive = 0;
    for (const Json& tree : all) {
      std::size_t leaves = 0;
      for (const Json& node : tree) leaves += node.contains("neuron") ? 0 : 1;
      (text += '\n') += plural(positive, "neuron") + " with a > 0, " +
                        std::to_string(all.size() - 1 - positive) + " with a < 0: " + plural(leaves, "case");
      ++positive;
    }
    return text;
  }

  std::string let(const Json& s, std::size_t k) {
    const Json& layer = s.at("layer");
    const std::string name = "Let Z(" + std::to_string(k) + ") be that of ";
    if (layer.contains("random"))
      return name + "random integer weights from -" + number(layer["random"].at("bound")) + " to " +
             number(layer["random"].at("bound")) + " (seed " + number(layer["random"].at("seed")) + ")";
    if (layer.contains("rescaled"))
      return name + "the layer of step " + layer["rescaled"].at("of").dump() +
             " with lambda = " + number(layer["rescaled"].at("lambda")) + " in every head";
    std::string text = name + "the layer with the heads W_h = sum_k key_k query_k^T + lambda u v^T:";
    std::size_t h = 0;
    for (const Json& head : layer.at("heads")) {
      if (!full_ && h == kListShown && layer.at("heads").size() > kListShown + 2)
        return text + "\n... (" + plural(layer.at("heads").size(), "head") + ")";
      text += "\nhead " + std::to_string(h++) + ": " + plural(head.at("key").size(), "pair") +
              " of key and query";
      if (full_)
        for (std::size_t i = 0; i < head["key"].size(); ++i)
          text += "; key " + vector(head["key"][i]) + ", query " + vector(head.at("query").at(i));
      if (head.contains("separator")) {
        const Json& separator = head["separator"];
        text += "; lambda = " + number(separator.at("lambda")) + ", u = " + vector(separator.at("u")) +
                ", v = " + vector(separator.at("v"));
      }
      if (head.contains("sink")) text += "; a sink of logit " + number(head["sink"]);
    }
    return text;
  }

  std::string theorem(const Json& s) const {
    const Theorem* schema = find_theorem(text_of(s, "theorem"));
    std::string text = text_of(s, "fact");
    if (schema != nullptr) text += ": " + words_of(*schema).says;
    const Json& uses = s.at("uses");
    if (!uses.empty()) text += (uses.size() == 1 ? " (step " : " (steps ") + list(uses) + ")";
    return text;
  }

  struct Sentence {
    const char *rule, *of;  ///< the first that fits
    const char *text, *source;
  };
  static const Sentence& sentence_of(const std::string& rule, const std::string& of);

  const kernel::NumberedSteps steps_;
  bool full_;
};

const Sentences::Sentence& Sentences::sentence_of(const std::string& rule, const std::string& of) {
  static const std::vector<Sentence> table = {
      {"let", "", "", "definition"},
      {"part", "",
       "[fact], the capacity of the same data[?heads  with H = ][?examples , of the examples ], by[steps]",
       "part"},
      {"minor", "rank(Z(*))",
       "[fact]: the minor of Z with the rows [rows] and the columns [cols] does not vanish, because "
       "[character] maps it to something that does not",
       "character"},
      {"minor", "rank(Z|Y)",
       "[fact]: the minor of Z with the rows [rows] and the columns [cols] does not vanish, because "
       "[character] maps it to something that does not; columns beyond those of Z are labels",
       "character"},
      {"minor", "rank(Z|*)",
       "[fact]: the minor with the rows [rows] and the columns [cols] does not vanish, because [character] "
       "maps it to something that does not; columns beyond those of Z are a column of ones, where the name "
       "has 1, and labels, where it has Y",
       "character"},
      {"minor", "rank(outputs|*)",
       "[fact]: the minor with the rows [rows] and the columns [cols] does not vanish, because [character] "
       "maps it to something that does not; columns beyond the outputs are a column of ones, where the name "
       "has 1, and labels, where it has Y",
       "character"},
      {"minor", "rank(head)",
       "[fact]: the minor of the head's columns with the rows [rows] and the columns [cols] does not vanish, "
       "because [character] maps it to something that does not",
       "character"},
      {"minor", "rank(*outputs)",
       "[fact]: the minor of the outputs with the rows [rows] and the columns [cols] does not vanish, "
       "because [character] maps it to something that does not",
       "character"},
      {"minor", "distinct(Z)",
       "[fact]: [#rows row] of Z are pairwise different, because [character] maps them to different rows",
       "character"},
      {"minor", "rank(J(*))",
       "[fact]: the minor of J with the rows [rows] and the columns [cols] does not vanish, because "
       "[character] maps it to something that does not",
       "character"},
      {"minor", "rank(*contexts)", "[fact]: the rows of every member are independent, mod [p] already",
       "modular-rank"},
      {"minor", "rank(*)",
       "[fact]: the minor with the rows [rows] and the columns [cols] does not vanish mod [p]",
       "modular-rank"},
      {"zero", "rank(Z(*))",
       "[fact]: [#vectors independent vector] [side=left?y with y Z = 0|x with Z x = 0], verified as "
       "identities between powers of b[vectors]",
       "identity"},
      {"zero", "rank(Z|Y)",
       "[fact]: [#vectors independent vector] y with y Z = 0, verified as identities between powers of b, "
       "and y Y = 0, Y the labels[vectors]",
       "identity"},
      {"zero", "rank(Z|*)",
       "[fact]: [#vectors independent vector] y with y Z = 0, verified as identities between powers of b, "
       "whose product is 0 with what is beside Z too: a column of ones, where the name has 1, and labels, "
       "where it has Y[vectors]",
       "identity"},
      {"zero", "rank(outputs|*)",
       "[fact]: [#vectors independent vector] y with y O = 0, O the outputs, verified as identities between "
       "powers of b, whose product is 0 with what is beside them too: a column of ones, where the name has "
       "1, and labels, where it has Y[vectors]",
       "identity"},
      {"zero", "rank(head)",
       "[fact]: [#vectors independent vector] [side=left?y with y Z = 0|x with Z x = 0] for this head's "
       "columns Z, verified as identities between powers of b[vectors]",
       "identity"},
      {"zero", "rank(*outputs)",
       "[fact]: [#vectors independent vector] [side=left?y with y O = 0|x with O x = 0], O the outputs, "
       "verified as identities between powers of b[vectors]",
       "identity"},
      {"zero", "distinct(Z)",
       "[fact]: [#vectors pair] of equal rows of Z, none implied by others, verified as identities between "
       "powers of b[vectors]",
       "identity"},
      {"zero", "rank(J(*))",
       "[fact]: [#vectors independent vector] x with J x = 0, verified as identities between powers of "
       "b[vectors]",
       "identity"},
      {"zero", "rank(*contexts)",
       "[fact]: [#vectors independent vector] [side=left?y with y M = 0|x with M x = 0], M the "
       "matrix[?member  of example ][vectors]",
       "kernel"},
      {"zero", "rank(*)",
       "[fact]: [#vectors independent vector] [side=left?y with y M = 0|x with M x = 0], M the "
       "matrix[vectors]",
       "kernel"},
      {"zero", "largest_rank",
       "[fact]: [#vectors independent relation] between the outputs of one head that hold for all weights, "
       "as identities between powers of b whose exponents are the matrices E_{t,i} e_t^T; so they hold for "
       "any number of heads[vectors]",
       "identity-for-all-weights"},
      {"zero", "capacity",
       "[fact]: [#vectors independent vector] y with y Z = 0 for all weights, by identities between powers "
       "of b whose exponents are the matrices E_{t,i} e_t^T[vectors]",
       "identity-for-all-weights"},
      {"zero", "kruskal(*)", "[fact]: a vanishing combination of vectors[vectors]", "relation"},
      {"hulls", "capacity",
       "[fact]: whatever the weights are, the rows of Z lie, in each head, in the space that the tokens of "
       "examples whose query is not 0 span (where coefficients sum to 1, their differences)[?vectors , "
       "with], but for multiples of one vector in all heads: the mean of an example whose query is 0, or a "
       "token of another",
       "hulls"},
      {"hadamard", "rank(*)",
       "[fact]: modulo each of the [#primes prime] [primes] all rows are combinations of the [#rows row] "
       "[rows], so "
       "that it divides every minor of a larger order; their product exceeds Hadamard's bound of these, "
       "which "
       "are 0",
       "hadamard"},
      {"coefficients", "capacity",
       "[fact]: with heads that point at the tokens [tokens] of the examples [rows], the minor in the "
       "columns [cols] does not vanish mod [p]; and no query that matters is a multiple of another one",
       "pointing"},
      {"nested", "capacity",
       "[fact]: for integers from -[bound] to [bound] (seed [seed]) as weights of all layers, the minor of Z "
       "with the rows [rows] and the columns [cols] does not vanish under the nested character of the primes "
       "[primes]: so it vanishes for almost no weights",
       "nested-character"},
      {"nested", "functional_dimension",
       "[fact]: for integers from -[bound] to [bound] (seed [seed]) as weights of all layers, the minor of "
       "the outputs' derivatives by all weights with the rows [rows] and the columns [cols] does not vanish "
       "under the nested character of the primes [primes]: so it vanishes for almost no weights",
       "nested-character"},
      {"circuits", "which(*)",
       "[which]: under [character] the rows of the set are independent in the columns [cols] of Z([layer]), "
       "and every other row is a sum of those that it conflicts with, with factors that are not 0; these "
       "come before it, and no more can be memorized in some part that it is in, by the size of Z[?uses  or "
       "by the steps ]",
       "matroid"},
      {"subsets", "kruskal(*)",
       "[fact]: every [k] of the vectors are independent; [method=subsets?all subsets|all hyperplanes of the "
       "left kernel] were gone through mod [p]",
       "all-subsets"},
      {"compare", "separator",
       "W' = u v^T with u = [u], v = [v] vanishes on the subset and separates the tokens of every other "
       "example",
       "evaluation"},
      {"compare", "network(given)",
       "A network fits the labels exactly: f(x) is the sum of[neurons][?output_bias \n]", "evaluation"},
      {"compare", "perturbation",
       "||A - B||^2 [side=holds?<|>=] [mu] [side=holds?<=|>=] the smallest non-zero eigenvalue of A^T A: "
       "squares completed in forms that are definite or not",
       "definite-forms"},
      {"ball", "saturated",
       "[fact]: [#count pair] of head and example [count=1?has|have] [side=above?a|no] coefficient above the "
       "threshold, by enclosures of [precision] bits",
       "enclosure"},
      {"ball", "accurate",
       "[fact]: [#count example] [count=1?is|are] [side=above?right|wrong], by enclosures of the scores of "
       "[precision] bits",
       "enclosed-scores"},
      {"ball", "numerical_rank",
       "[fact]: [#vectors integer vector] x span a space on which |x^T Z| [side=above?>|<] TAU |x|: X (C C^T "
       "- t^2 I) X^T[side=above?|, times -1,] is strictly diagonally dominant with a positive diagonal, C = "
       "2^[bits] Z rounded to integers, t = 2^[bits] TAU moved by as much as the rounding may move a "
       "singular value",
       "inertia"},
      {"ball", "vertex_limit",
       "For every lambda >= [lambda] the coefficients are within epsilon of the vertex of token [vertex]",
       "softmax-limit"},
      {"ball", "one_hot",
       "W = sum_k R_k log(phi_k) L_k^T + lambda u v^T, lambda >= [lambda], u = [u], v = [v], has the "
       "prescribed coefficients on the subset, and those of all other examples are within epsilon of one-hot "
       "vectors[right_inverses]",
       "softmax-limit"},
      {"ball", "distinct(Z)",
       "[fact]: any two of the rows [rows] of Z are apart in some entry, by enclosures of [precision] bits",
       "enclosed-entries"},
      {"ball", "rank(*contexts)",
       "[fact]: the vectors of every context are independent, by elimination with enclosures of what enters, "
       "of "
       "[precision] bits",
       "enclosed-elimination"},
      {"ball", "kruskal(*)",
       "[fact]: every [k] of the vectors are independent, by elimination with enclosures of what enters, of "
       "[precision] bits",
       "enclosed-elimination"},
      {"inverse", "rank(Z(*))",
       "[fact]: the minor of Z with the rows [rows] and the columns [cols], enclosed with [precision] bits, "
       "is invertible, because it has an approximate inverse",
       "approximate-inverse"},
      {"inverse", "weights",
       "W = sum_k R_k log(phi_k) L_k^T has the prescribed coefficients, with right inverses R_k of the "
       "contexts and the left inverse L of the queries[right_inverses]",
       "prescribed-coefficients"},
      {"inverse", "readout",
       "Z([layer]) U = Y has a solution U with non-zero rows [cols], enclosed with an approximate inverse; "
       "its first entry is [weights]",
       "approximate-inverse"},
      {"minor", "lambda_rank",
       "[fact]: the minor of Z([layer]) with the rows [rows] and the columns [cols] does not vanish, because "
       "[character] maps it to something that does not; its separators have the claim's lambda, and separate",
       "character"},
      {"inverse", "tail_rank",
       "[fact]: for all lambdas >= [~lambda], one for each head, the minor of Z([layer]) with the rows "
       "[rows] and the columns [cols] is invertible, because an approximate inverse of its limit is one of "
       "it",
       "approximate-inverse"},
      {"split", "network(given)",
       "No network fits the labels. With |a_j| moved into w_j and b_j and the neurons of one sign sorted, "
       "the patterns of active neurons are gone through, each refuted by a combination of its equations and "
       "inequalities:[trees]",
       "farkas"}};
  for (const Sentence& each : table)
    if (rule == each.rule && match(of, each.of)) return each;
  throw std::logic_error("there are no words for the rule " + rule + " about " + of);
}

// The principles behind the rules (docs/certificate.md, Rules).
const std::map<std::string, std::string>& principles() {
  static const std::map<std::string, std::string> table = {
      {"definition", "what the step says is a definition"},
      {"part", "the steps are about the part as those of a claim are about the case"},
      {"modular-rank", "a minor that does not vanish mod p does not vanish"},
      {"character",
       "the powers of b satisfy no relations but those that the character respects (base e: e and "
       "exp(sqrt(m)) are transcendental; base 2 with an irrational scale: Gelfond-Schneider; otherwise x^D - "
       "2 is irreducible), so it is a ring homomorphism, and what it does not map to 0 is not 0"},
      {"kernel", "independent vectors that a matrix annihilates bound its rank from above"},
      {"hadamard",
       "an integer that is divisible by different primes is divisible by their product, and a minor is at "
       "most the "
       "product of the norms of its rows, or of its columns (Hadamard)"},
      {"identity",
       "kernel vectors, multiplied out: a sum of powers of b with different exponents vanishes only when all "
       "coefficients do"},
      {"identity-for-all-weights",
       "the same identity with the matrices E_{t,i} e_t^T as exponents: it then holds for all weights"},
      {"hulls",
       "means of tokens differ by combinations of their differences; where the query is 0, all coefficients "
       "of a head are equal, and beside a sink they depend on its logit and the number of tokens only "
       "(docs/mathematics.md, Hulls of what moves; proofs/formal: moving_hulls_rank)"},
      {"pointing",
       "softmax is no restriction (docs/mathematics.md, Theorem 5; proofs/formal: coefficients_sound): where "
       "the queries of these examples that move are pairwise no multiples of each other, some weights have "
       "at least this rank. Where the query is 0 the row is the sum of the tokens, for every head"},
      {"nested-character",
       "the exponentials of each layer's logits satisfy no relations over the functions of the weights that "
       "the layers before put out, as its keys and queries are variables of its own: so a chain of "
       "characters, each of which has the logits from the one before, is a ring homomorphism, and what it "
       "does not map to 0 is not 0 for almost all weights (elementary, no conjecture)"},
      {"matroid",
       "greedy choices among the rows of Z for almost all weights give a heaviest set of independent ones, "
       "with which every other row closes one circuit"},
      {"relation", "a vanishing combination of m vectors shows that the Kruskal rank is at most m - 1"},
      {"all-subsets", "if every k vectors are independent mod p then every k vectors are independent"},
      {"evaluation", "the condition is evaluated, exactly"},
      {"definite-forms",
       "eigenvalues of S lie below mu when mu S - S^2 is positive semidefinite of the rank of S, and those "
       "of G are 0 or at least mu when G^2 - mu G is: completing squares decides both exactly"},
      {"inertia",
       "a positive definite form on a space of dimension k has k positive eigenvalues at least (Courant and "
       "Fischer), strict dominance makes it positive definite (Gershgorin), and singular values move by at "
       "most the norm of what is added to a matrix (Weyl)"},
      {"enclosure", "the largest coefficient is 1 / sum_i b^(l_i - l_max), enclosed by interval arithmetic"},
      {"enclosed-entries", "interval arithmetic encloses every entry of Z"},
      {"enclosed-elimination",
       "vectors are independent when elimination with enclosures finds in each a place where it is not 0"},
      {"enclosed-scores",
       "scores are rational functionals of the means of the heads, whose coefficients interval arithmetic "
       "encloses"},
      {"softmax-limit",
       "1 - max(alpha) <= (n - 1) b^(s - lambda gamma): softmax tends to a vertex (Lemma 4)"},
      {"prescribed-coefficients", "E_t W e_t = log(phi_t) on the subset (Claim 1)"},
      {"approximate-inverse",
       "if ||I - R A|| < 1 then A is invertible, and R B encloses the solution of A X = B"},
      {"farkas",
       "a combination of equations and inequalities that says 0 > 0 shows that they have no solution"}};
  return table;
}

}  // namespace

std::vector<StepInWords> steps_in_words(const kernel::NumberedSteps& steps, bool full) {
  std::vector<StepInWords> words = Sentences(steps, full).all();
  for (StepInWords& step : words) step.text = formulas(step.text);
  return words;
}

std::string source_in_words(const std::string& source) {
  if (const Theorem* theorem = find_theorem(source)) {
    const TheoremWords& words = words_of(*theorem);
    std::string text = words.says + "; docs/mathematics.md, '" + words.proof + "'";
    if (!words.formal.empty()) text += "; proofs/formal: " + words.formal;
    return text;
  }
  const auto it = principles().find(source);
  return it == principles().end() ? std::string() : it->second;
}

std::string formulas(const std::string& text) {
  static const std::vector<std::pair<std::string, std::string>> signs = {
      {">=", "≥"}, {"<=", "≤"}, {"->", "→"}};
  static const std::vector<std::pair<std::string, std::string>> letters = {
      {"lambda", "λ"}, {"epsilon", "ε"}, {"gamma", "γ"}, {"alpha", "α"}, {"sigma", "σ"}, {"phi", "φ"}};
  std::string out;
  const auto letter = [](char ch) { return std::isalnum(static_cast<unsigned char>(ch)) != 0; };
  for (std::size_t at = 0; at < text.size();) {
    const auto starts = [&](const auto& pair) {
      return text.compare(at, pair.first.size(), pair.first) == 0;
    };
    const auto sign = std::find_if(signs.begin(), signs.end(), starts);
    if (sign != signs.end()) {
      out += sign->second;
      at += sign->first.size();
      continue;
    }
    const auto greek = std::find_if(letters.begin(), letters.end(), starts);
    if (greek != letters.end() && (at == 0 || !letter(text[at - 1]))) {
      const std::size_t end = at + greek->first.size();
      if (end == text.size() || !letter(text[end]) ||
          (text[end] == 's' && (end + 1 == text.size() || !letter(text[end + 1])))) {
        out += greek->second;
        at = end;
        continue;
      }
    }
    out += text[at++];
  }
  return out;
}

}  // namespace attest
