#include "words/step_words.hpp"

#include <cctype>
#include <functional>
#include <iomanip>
#include <map>
#include <sstream>

#include "base/text.hpp"
#include "input/numbers.hpp"
#include "statements/statements.hpp"
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

bool is_z(const std::string& quantity) {
  return quantity.starts_with("rank(Z(");
}

class Sentences {
public:
  Sentences(const Json& steps, bool full) : steps_(steps), full_(full) {}

  std::vector<StepInWords> all() {
    std::vector<StepInWords> result;
    for (std::size_t k = 0; k < steps_.size();) {
      const std::size_t end = end_of_sweep(k);
      if (end > k) {
        result.push_back({k, end - 1, sweep(k, end), "character"});
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
    return k < steps_.size() && steps_[k].at("rule") == "let" && steps_[k].at("layer").contains("rescaled");
  }

  // Where a sequence of rescaled layers ends that begins at k; k when there is none.
  std::size_t end_of_sweep(std::size_t k) const {
    std::size_t end = k;
    while (rescales(end)) {
      const std::string of = "rank(Z(" + std::to_string(end) + "))";
      ++end;
      while (end < steps_.size() && steps_[end].value("rule", "") == "minor" &&
             steps_[end].value("of", "") == of)
        ++end;
    }
    return end;
  }

  std::string sweep(std::size_t first, std::size_t last) const {
    std::string text =
        "Other lambdas, one for all heads of the construction, by minors that do not vanish "
        "under a character:";
    for (std::size_t k = first; k < last; ++k) {
      const Json& s = steps_[k];
      if (rescales(k))
        text += "\nlambda = " + number(s.at("layer").at("rescaled").at("lambda")) +
                (s.contains("label") ? " (" + label_of(s) + ")" : "");
      else
        text += ": " + text_of(s, "fact") + " (mod " + s.at("p").dump() + ", g = " + s.at("g").dump() + ")";
    }
    return text;
  }

  StepInWords step(std::size_t k) {
    const Json& s = steps_[k];
    const std::string rule = text_of(s, "rule");
    StepInWords result{k, k, "", ""};
    if (rule == "theorem") {
      result.source = text_of(s, "theorem");
      result.text = theorem(s);
    } else {
      const std::string of = s.contains("of") ? text_of(s, "of") : "";
      const auto& table = kinds();
      auto it = table.find(rule + " " + of);
      if (it == table.end())
        it = table.find(rule + (is_z(of) ? " Z" : of.starts_with("kruskal(") ? " kruskal" : ""));
      if (it == table.end()) it = table.find(rule);
      if (it == table.end()) {
        result.text = text_of(s, "fact") + " (a step of the rule " + rule + ")";
      } else {
        result.source = it->second.source;
        result.text = (this->*it->second.sentence)(s, k);
      }
    }
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
  std::string ring_element(const Json& value) const {
    if (!value.is_array()) return number(value);
    std::string text;
    for (const Json& term : value)
      text += (text.empty() ? "" : " + ") + number(term.at(0)) +
              (term.at(1) == "0" ? "" : " b^(" + number(term.at(1)) + ")");
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

  std::string fact(const Json& s) const { return text_of(s, "fact"); }

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
      text += "\nhead " + std::to_string(h++) + ": " + plural(head.at("key").size(), "term");
      if (full_)
        for (std::size_t i = 0; i < head["key"].size(); ++i)
          text += "; key " + vector(head["key"][i]) + ", query " + vector(head.at("query").at(i));
      if (head.contains("separator")) {
        const Json& separator = head["separator"];
        text += "; lambda = " + number(separator.at("lambda")) + ", u = " + vector(separator.at("u")) +
                ", v = " + vector(separator.at("v"));
      }
    }
    return text;
  }

  std::string minor_of_z(const Json& s, std::size_t) {
    const std::uint64_t p = s.at("p").get<std::uint64_t>();
    return fact(s) + ": the minor of Z with the rows " + list(s.at("rows")) + " and the columns " +
           list(s.at("cols")) + " does not vanish, because the character b^x -> " + s.at("g").dump() +
           "^(x mod " + std::to_string((p - 1) / 2) + ") mod " + std::to_string(p) +
           " maps it to something that does not";
  }
  std::string minor_with_labels(const Json& s, std::size_t k) {
    return minor_of_z(s, k) + "; columns beyond those of Z are labels";
  }
  std::string different_rows(const Json& s, std::size_t) {
    const std::uint64_t p = s.at("p").get<std::uint64_t>();
    return fact(s) + ": " + plural(s.at("rows").size(), "row") +
           " of Z are pairwise different, because the " + "character b^x -> " + s.at("g").dump() +
           "^(x mod " + std::to_string((p - 1) / 2) + ") mod " + std::to_string(p) +
           " maps them to different rows";
  }
  std::string minor(const Json& s, std::size_t) {
    if (!s.contains("rows"))
      return fact(s) + ": the rows of every member are independent, mod " + s.at("p").dump() + " already";
    return fact(s) + ": the minor with the rows " + list(s["rows"]) + " and the columns " +
           list(s.at("cols")) + " does not vanish mod " + s.at("p").dump();
  }

  std::string zero(const Json& s, std::size_t) {
    const bool left = s.at("side") == "left";
    std::string text = fact(s) + ": " + plural(s.at("vectors").size(), "independent vector") +
                       (left ? " y with y M = 0" : " x with M x = 0") + ", M the matrix";
    if (s.contains("member")) text += " of example " + s["member"].dump();
    return text + sparse_vectors(s["vectors"], left ? "row " : "column ");
  }
  std::string zero_of_z(const Json& s, std::size_t) {
    const bool left = s.at("side") == "left";
    return fact(s) + ": " + plural(s.at("vectors").size(), "independent vector") +
           (left ? " y with y Z = 0" : " x with Z x = 0") + ", verified as identities between powers of b" +
           sparse_vectors(s["vectors"], left ? "row " : "column ");
  }
  std::string zero_with_labels(const Json& s, std::size_t) {
    return fact(s) + ": " + plural(s.at("vectors").size(), "independent vector") +
           " y with y Z = 0, verified as identities between powers of b, and y Y = 0, Y the labels" +
           sparse_vectors(s["vectors"], "row ");
  }
  std::string equal_rows(const Json& s, std::size_t) {
    return fact(s) + ": " + plural(s.at("vectors").size(), "pair") +
           " of equal rows of Z, none implied by others, verified as identities between powers of b" +
           sparse_vectors(s["vectors"], "row ");
  }
  std::string relation(const Json& s, std::size_t) {
    return fact(s) + ": a vanishing combination of vectors" + sparse_vectors(s.at("vectors"), "number ");
  }
  std::string all_weights(const Json& s, std::size_t) {
    return fact(s) + ": " + plural(s.at("vectors").size(), "independent relation") +
           " between the rows of Z that hold for all weights, as identities between powers of b whose "
           "exponents "
           "are the matrices E_{t,i} e_t^T" +
           sparse_vectors(s["vectors"], "row ");
  }
  std::string subsets(const Json& s, std::size_t) {
    return fact(s) + ": every " + s.at("k").dump() + " of the vectors are independent; " +
           (s.at("method") == "subsets" ? "all subsets" : "all hyperplanes of the left kernel") +
           " were gone through mod " + s.at("p").dump();
  }

  std::string separator(const Json& s, std::size_t) {
    return "W' = u v^T with u = " + vector(s.at("u")) + ", v = " + vector(s.at("v")) +
           " vanishes on the subset and separates the tokens of every other example";
  }
  std::string network(const Json& s, std::size_t) {
    std::string text = "A network fits the labels exactly: f(x) is the sum of";
    for (const Json& neuron : s.at("neurons"))
      text += "\n" + number(neuron.at("a")) + " max(0, (" + list(neuron.at("w")) + ") . x + " +
              number(neuron.at("b")) + ")";
    return s.contains("output_bias") ? text + "\n" + number(s["output_bias"]) : text;
  }
  std::string perturbation(const Json& s, std::size_t) {
    const bool holds = s.at("side") == "holds";
    return std::string("||A - B||^2 ") + (holds ? "< " : ">= ") + number(s.at("mu")) +
           (holds ? " <= " : " >= ") +
           "the smallest non-zero eigenvalue of A^T A: squares completed in forms that are definite or not";
  }
  std::string saturated(const Json& s, std::size_t) {
    return fact(s) + ": " + plural(s.at("count").get<std::size_t>(), "pair") + " of head and example " +
           (s.at("count") == 1 ? "has" : "have") +
           (s.at("side") == "above" ? " a coefficient above the threshold"
                                    : " no coefficient above the threshold") +
           ", by enclosures of " + s.at("precision").dump() + " bits";
  }
  std::string numerical_rank(const Json& s, std::size_t) {
    const bool above = s.at("side") == "above";
    const Json& vectors = s.at("vectors");
    return fact(s) + ": " + plural(vectors.size(), "integer vector") + " x span a space on which |x^T Z| " +
           (above ? "> " : "< ") + "TAU |x|: X (C C^T - t^2 I) X^T" + (above ? "" : ", times -1,") +
           " is strictly diagonally dominant with a positive diagonal, C = 2^" + s.at("bits").dump() +
           " Z rounded to integers, t = 2^" + s.at("bits").dump() +
           " TAU moved by as much as the rounding may move a singular value";
  }
  std::string accurate(const Json& s, std::size_t) {
    return fact(s) + ": " + plural(s.at("count").get<std::size_t>(), "example") +
           (s.at("count") == 1 ? " is " : " are ") + (s.at("side") == "above" ? "right" : "wrong") +
           ", by enclosures of the scores of " + s.at("precision").dump() + " bits";
  }
  std::string vertex(const Json& s, std::size_t) {
    return "For every lambda >= " + number(s.at("lambda")) +
           " the coefficients are within epsilon of the vertex of token " + s.at("vertex").dump();
  }
  std::string inverses(const Json& s) const {
    std::string text;
    std::size_t k = 0;
    for (const Json& right : s.at("right_inverses")) {
      if (!full_ && k == kVectorsShown) return text + "\n...";
      text += "\nR_" + std::to_string(k) + " has the columns";
      for (const Json& column : right) text += " " + vector(column);
      text += "; L_" + std::to_string(k) + " = " + vector(s.at("left_inverse").at(k));
      ++k;
    }
    return text;
  }
  std::string weights(const Json& s, std::size_t) {
    return "W = sum_k R_k log(phi_k) L_k^T has the prescribed coefficients, with right inverses R_k of the "
           "contexts and the left inverse L of the queries" +
           inverses(s);
  }
  std::string one_hot(const Json& s, std::size_t) {
    return "W = sum_k R_k log(phi_k) L_k^T + lambda u v^T, lambda >= " + number(s.at("lambda")) +
           ", u = " + vector(s.at("u")) + ", v = " + vector(s.at("v")) +
           ", has the prescribed coefficients on the subset, and those of all other examples are within "
           "epsilon of one-hot vectors" +
           inverses(s);
  }
  std::string readout(const Json& s, std::size_t) {
    const std::string z = "Z(" + s.at("layer").dump() + ")";
    const Json& entry = s.at("weights").at(0).at(0);
    return z + " U = Y has a solution U with non-zero rows " + list(s.at("cols")) +
           ", enclosed with an approximate inverse; its first entry is " + decimal(entry.at("mid")) +
           " up to " + decimal(entry.at("rad"));
  }
  std::string tail_rank(const Json& s, std::size_t) {
    return fact(s) + ": for all lambdas >= " + decimal(s.at("lambda")) +
           ", one for each head, the minor of Z(" + s.at("layer").dump() + ") with the rows " +
           list(s.at("rows")) + " and the columns " + list(s.at("cols")) +
           " is invertible, because an approximate inverse of its limit is one of it";
  }
  std::string split(const Json& s, std::size_t) {
    const Json& trees = s.at("trees");
    std::string text =
        "No network fits the labels. With |a_j| moved into w_j and b_j and the neurons of one sign sorted, "
        "the patterns of active neurons are gone through, each refuted by a combination of its equations and "
        "inequalities:";
    std::size_t positive = 0;
    for (const Json& tree : trees) {
      std::size_t leaves = 0;
      for (const Json& node : tree) leaves += node.contains("neuron") ? 0 : 1;
      text += "\n" + plural(positive, "neuron") + " with a > 0, " +
              std::to_string(trees.size() - 1 - positive) + " with a < 0: " + plural(leaves, "case");
      ++positive;
    }
    return text;
  }

  std::string theorem(const Json& s) const {
    const Theorem* schema = find_theorem(text_of(s, "theorem"));
    std::string text = fact(s);
    if (schema != nullptr) text += ": " + words_of(*schema).says;
    const Json& uses = s.at("uses");
    if (!uses.empty()) text += (uses.size() == 1 ? " (step " : " (steps ") + list(uses) + ")";
    return text;
  }

  struct Kind {
    std::string (Sentences::*sentence)(const Json&, std::size_t);
    const char* source;
  };
  static const std::map<std::string, Kind>& kinds() {
    using S = Sentences;
    static const std::map<std::string, Kind> table = {
        {"let", {&S::let, "definition"}},
        {"minor", {&S::minor, "modular-rank"}},
        {"minor Z", {&S::minor_of_z, "character"}},
        {"minor rank(Z|Y)", {&S::minor_with_labels, "character"}},
        {"minor distinct(Z)", {&S::different_rows, "character"}},
        {"zero rank(Z|Y)", {&S::zero_with_labels, "identity"}},
        {"zero distinct(Z)", {&S::equal_rows, "identity"}},
        {"zero", {&S::zero, "kernel"}},
        {"zero Z", {&S::zero_of_z, "identity"}},
        {"zero kruskal", {&S::relation, "relation"}},
        {"zero capacity", {&S::all_weights, "identity-for-all-weights"}},
        {"subsets", {&S::subsets, "all-subsets"}},
        {"compare separator", {&S::separator, "evaluation"}},
        {"compare network(given)", {&S::network, "evaluation"}},
        {"compare perturbation", {&S::perturbation, "definite-forms"}},
        {"ball saturated", {&S::saturated, "enclosure"}},
        {"ball numerical_rank", {&S::numerical_rank, "inertia"}},
        {"ball accurate", {&S::accurate, "enclosed-scores"}},
        {"ball vertex_limit", {&S::vertex, "softmax-limit"}},
        {"ball one_hot", {&S::one_hot, "softmax-limit"}},
        {"inverse weights", {&S::weights, "prescribed-coefficients"}},
        {"inverse readout", {&S::readout, "approximate-inverse"}},
        {"inverse tail_rank", {&S::tail_rank, "approximate-inverse"}},
        {"split", {&S::split, "farkas"}}};
    return table;
  }

  const Json& steps_;
  bool full_;
};

// The principles behind the rules (docs/certificate.md, Rules).
const std::map<std::string, std::string>& principles() {
  static const std::map<std::string, std::string> table = {
      {"definition", "what the step says is a definition"},
      {"modular-rank", "a minor that does not vanish mod p does not vanish"},
      {"character",
       "the powers of b satisfy no relations but those that the character respects (base e: e and "
       "exp(sqrt(m)) are "
       "transcendental; base 2 with an irrational scale: Gelfond-Schneider; otherwise x^D - 2 is "
       "irreducible), so it "
       "is a ring homomorphism, and what it does not map to 0 is not 0"},
      {"kernel", "independent vectors that a matrix annihilates bound its rank from above"},
      {"identity",
       "kernel vectors, multiplied out: a sum of powers of b with different exponents vanishes only when all "
       "coefficients do"},
      {"identity-for-all-weights",
       "the same identity with the matrices E_{t,i} e_t^T as exponents: it then holds for all weights"},
      {"relation", "a vanishing combination of m vectors shows that the Kruskal rank is at most m - 1"},
      {"all-subsets", "if every k vectors are independent mod p then every k vectors are independent"},
      {"evaluation", "the condition is evaluated, exactly"},
      {"definite-forms",
       "eigenvalues of S lie below mu when mu S - S^2 is positive semidefinite of the rank of S, and those "
       "of G "
       "are 0 or at least mu when G^2 - mu G is: completing squares decides both exactly"},
      {"inertia",
       "a positive definite form on a space of dimension k has k positive eigenvalues at least (Courant and "
       "Fischer), strict dominance makes it positive definite (Gershgorin), and singular values move by at "
       "most the norm of what is added to a matrix (Weyl)"},
      {"enclosure", "the largest coefficient is 1 / sum_i b^(l_i - l_max), enclosed by interval arithmetic"},
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

std::vector<StepInWords> steps_in_words(const Json& steps, bool full) {
  std::vector<StepInWords> words = Sentences(steps, full).all();
  for (StepInWords& step : words) step.text = formulas(step.text);
  return words;
}

std::string quantity_in_words(const std::string& quantity) {
  static const std::map<std::string, std::string> names = {
      {"rank(Z(given))", "rank(Z) for the given weights"},
      {"rank(Z(any))", "the largest rank(Z) over all coefficients"},
      {"capacity", "the largest rank(Z) over all weights of the shape"},
      {"rank(Z|Y)", "the rank of [Z Y], the labels Y beside Z"},
      {"distinct(Z)", "the number of different rows of Z"},
      {"saturated", "the number of pairs of head and example with a coefficient above the threshold"},
      {"numerical_rank", "the number of singular values of Z above the tolerance"},
      {"accurate", "the number of examples that the whole layer gets right"},
      {"tail_rank", "the rank that is kept for all large lambdas"},
      {"kruskal(queries)", "the Kruskal rank of the queries"},
      {"kruskal(mixed-queries)", "the Kruskal rank of the vectors e_t + (1/n) sum_i E_{t,i}"},
      {"rank(queries)", "the rank of the queries"},
      {"rank(contexts)", "the least rank of a context"},
      {"rank(mixed-contexts)", "the least rank of a context of outputs"},
      {"rank(subset-contexts)", "the least rank of a context of the subset"},
      {"rank(subset-queries)", "the rank of the queries of the subset"},
      {"rank(tokens)", "the rank of the tokens"},
      {"rank(affine-tokens)", "the affine rank of the tokens"},
      {"rank(differences)", "the rank of the differences of tokens of one context"},
      {"rank(encoding)", "the rank of the encoding"},
      {"distinct(contexts)", "the number of different contexts"},
      {"distinct(token-sums)", "the number of different sums of a token's entries"},
      {"distinct(examples)", "the number of different examples"},
      {"distinct(labelled-examples)", "the number of different examples with their labels"},
      {"fractions(inputs)", "the number of inputs that are not integers"},
      {"equal(entries)", "the number of equal pairs of entries of E W' e"},
      {"size(subset)", "the size of the subset"}};
  const auto it = names.find(quantity);
  return it == names.end() ? quantity : it->second;
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
