#include "cli/explain.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <iomanip>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "certificate/certificate.hpp"
#include "cli/results.hpp"
#include "input/numbers.hpp"
#include "proofs/proof.hpp"

namespace attest {
namespace {

class Explainer {
public:
  Explainer(const Json& claim, bool full)
      : statement_(claim.at("statement").get<std::string>()), result_(claim.at("result")), full_(full) {}

  std::vector<StepInWords> steps(const Json& list) {
    std::vector<StepInWords> result;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const std::size_t first = k;
      while (k < list.size() && of_the_sweep(list[k])) ++k;
      if (k > first) result.push_back(sweep(list, first, k));
      if (k < list.size()) result.push_back(step(list[k]));
    }
    return result;
  }

private:
  using Kind = void (Explainer::*)(const Json&);

  StepInWords step(const Json& s) {
    const std::string argument = s.at("argument").get<std::string>();
    const auto it = kinds().find(argument);
    out_.str("");
    if (it == kinds().end())
      out_ << "(a step of the kind " << argument << ")";
    else
      (this->*it->second)(s);
    return {out_.str(), s.at("theorem").get<std::string>()};
  }

  static bool of_the_sweep(const Json& s) {
    return s.at("argument") == "rescaled" ||
           (s.at("argument") == "character-minor" && s.at("layer") == "rescaled");
  }

  // The construction with one lambda for all heads, for many lambda: a line for each.
  StepInWords sweep(const Json& list, std::size_t first, std::size_t last) {
    out_.str("");
    out_ << "With one lambda for all heads of the construction, by minors that do not vanish under a "
            "character:";
    std::string theorem = list.at(first).at("theorem").get<std::string>();
    for (std::size_t k = first; k < last; ++k) {
      const Json& s = list[k];
      if (s.at("argument") == "rescaled") {
        out_ << "\n       lambda = " << number(s.at("lambda"));
        continue;
      }
      theorem = s.at("theorem").get<std::string>();
      out_ << ": rank(Z) >= " << s.at("rows").size() << " (mod " << s.at("p") << ", g = " << s.at("g") << ")";
      for (const Json& point : result_.value("sweep", Json::array()))
        if (k > first && point.at("lambda") == list[k - 1].value("lambda", Json()))
          out_ << ", where binary64 reports " << point.at("binary64");
    }
    return {out_.str(), theorem};
  }

  // What the Kruskal rank is of.
  std::string vectors() const {
    return statement_ == "assumption-3" || statement_ == "proposition-4" ? "vectors e_t + (1/n) sum_i E_{t,i}"
                                                                         : "queries";
  }

  std::string number(const Json& value) const {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (full_ || text.size() <= 24) return text;
    return text.substr(0, 8) + "..." + text.substr(text.size() - 4) + " (" + std::to_string(text.size()) +
           " characters)";
  }

  // A rational that is only looked at for its size: four digits unless all are asked for.
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
      if (!full_ && shown == 12 && values.size() > 14) {
        text += ", ... (" + std::to_string(values.size()) + " in all)";
        break;
      }
      text += (shown++ == 0 ? "" : ", ") + (v.is_array() ? "(" + list(v) + ")" : number(v));
    }
    return text;
  }

  std::string vector(const Json& v) const {
    const std::string den = v.at("den").get<std::string>();
    return (den == "1" ? "" : "1/" + number(v.at("den")) + " ") + "(" + list(v.at("num")) + ")";
  }

  std::string ring_element(const Json& terms) const {
    std::string text;
    for (const Json& term : terms)
      text += (text.empty() ? "" : " + ") + number(term.at(0)) +
              (term.at(1) == "0" ? "" : " b^(" + number(term.at(1)) + ")");
    return text;
  }

  std::string layer(const Json& s) const {
    const std::string name = s.at("layer").get<std::string>();
    if (name == "given") return "the given layer";
    if (name == "rescaled") return "the rescaled layer";
    return name == "random" ? "the random layer" : "the constructed layer";
  }

  void character_minor(const Json& s) {
    const std::uint64_t p = s.at("p").get<std::uint64_t>();
    out_ << "rank(Z) >= " << s.at("rows").size() << " for " << layer(s) << ": the character b^x -> "
         << s.at("g") << "^(x mod " << (p - 1) / 2 << ") mod " << p
         << " maps Z to a matrix whose minor with rows " << list(s.at("rows")) << " and columns "
         << list(s.at("cols")) << " does not vanish; so the minor of Z does not vanish";
  }
  void random(const Json& s) {
    out_ << "Let the weights be random " << s.at("kind").get<std::string>() << " in -" << s.at("bound")
         << ".." << s.at("bound") << " (seed " << s.at("seed") << ")";
  }
  void affine_hull(const Json& s) {
    out_ << "rank(Z) <= " << s.at("bound") << " for all weights: ";
    if (s.at("witness") == "tokens") {
      out_ << "every token is one of " << s.at("tokens").size()
           << ", so the tokens lie in an affine space of dimension " << s.at("tokens").size() - 1;
      return;
    }
    const Json& functionals = s.at("functionals");
    if (functionals.empty()) {
      out_ << "the trivial bound, for tokens that may span everything";
      return;
    }
    out_ << "the tokens satisfy " << functionals.size() << " independent linear equations E_t v = c 1";
    std::size_t shown = 0;
    for (const Json& f : functionals) {
      if (!full_ && shown == 3 && functionals.size() > 4) {
        out_ << "\n       ...";
        break;
      }
      out_ << "\n       v = " << vector(f.at("v")) << ", c = " << number(f.at("c"));
      ++shown;
    }
    out_ << "\n     each of which gives kernel vectors of Z";
  }
  void token_minor(const Json& s) {
    // A checked certificate need not have a minor of maximal size, so no more is said than it shows.
    const bool affine = s.at("affine").get<bool>();
    const std::size_t count = s.at("tokens").size();
    out_ << "Every " << (affine ? "affine" : "linear") << " space that contains all tokens has dimension "
         << (affine ? count - 1 : count) << " at least: " << count << " tokens are "
         << (affine ? "affinely" : "linearly") << " independent, (example, position) "
         << list(s.at("tokens"));
  }
  void structure(const Json& s) {
    out_ << "rank(Z) <= " << s.at("bound") << " for " << layer(s) << ": ";
    if (!s.at("equal").empty()) out_ << "heads with equal coefficients " << list(s.at("equal")) << "; ";
    if (!s.at("constant").empty())
      out_ << "heads that do not depend on the query " << list(s.at("constant")) << "; ";
    out_ << s.at("distinct").size() << " heads are left";
  }
  void kernel(const Json& s, const char* side, const char* index) {
    out_ << "rank(Z) <= " << s.at("bound") << " for " << layer(s) << ": " << s.at("vectors").size()
         << " independent " << side << " kernel vectors, verified as identities between powers of b";
    std::size_t shown = 0;
    for (const Json& v : s.at("vectors")) {
      if (!full_ && shown++ == 4 && s.at("vectors").size() > 5) {
        out_ << "\n       ...";
        break;
      }
      out_ << "\n      ";
      std::size_t entries = 0;
      for (const Json& entry : v.at("entries")) {
        if (!full_ && entries++ == 12) {
          out_ << " ...";
          break;
        }
        out_ << " " << index << entry.at(0) << ": " << ring_element(entry.at(1)) << ";";
      }
    }
  }
  void right_kernel(const Json& s) { kernel(s, "right", "column "); }
  void left_kernel(const Json& s) { kernel(s, "left", "row "); }
  void kruskal_lower(const Json& s) {
    out_ << "Every " << s.at("k") << " " << vectors() << " are linearly independent: "
         << (s.at("method") == "subsets" ? "all subsets" : "all hyperplanes of the left kernel")
         << " were gone through mod " << s.at("p");
  }
  void kruskal_upper(const Json& s) {
    out_ << "The Kruskal rank is at most " << s.at("subset").size() - 1 << ": of the " << vectors() << " ";
    if (s.at("subset").size() == 1)
      out_ << "number " << s.at("subset").at(0) << " is zero";
    else
      out_ << "those numbered " << list(s.at("subset")) << " are dependent with the coefficients "
           << list(s.at("relation"));
  }
  void contexts_full_rank(const Json& s) {
    out_ << "Every context has rank n, mod " << s.at("p") << " already";
  }
  void context_dependent(const Json& s) {
    out_ << "Context " << s.at("example") << " has dependent tokens, with the coefficients "
         << list(s.at("relation"));
  }
  void contexts_differ(const Json& s) {
    out_ << "Context " << s.at("example") << " differs from context 0 in token " << s.at("token")
         << ", coordinate " << s.at("coordinate");
  }
  void token_sums_differ(const Json& s) {
    out_ << "The entries of the tokens (example, position) (" << list(s.at("first")) << ") and ("
         << list(s.at("second")) << ") have different sums";
  }
  void too_many_examples(const Json&) { out_ << "T > H (r - 1) + 1"; }
  void subset_too_large(const Json&) { out_ << "The subset has more members than the claim allows"; }
  void subset_dependent(const Json& s) {
    out_ << "The queries " << list(s.at("subset")) << " of the subset are dependent with the coefficients "
         << list(s.at("relation"));
  }
  void construction(const Json& s) {
    out_ << "The paper's induction on heads:";
    std::size_t h = 0;
    for (const Json& head : s.at("heads")) {
      out_ << "\n       head " << h++ << ": ";
      if (head.at("rows").empty()) {
        out_ << "nothing left to do (rank " << head.at("rank_after") << ")";
        continue;
      }
      out_ << "fresh examples " << list(head.at("fresh"));
      for (const Json& logits : head.at("logits")) {
        if (!full_ && &logits - &head.at("logits")[0] == 3) {
          out_ << ", ...";
          break;
        }
        out_ << (&logits == &head.at("logits")[0] ? " with logits " : ", ") << "(" << list(logits) << ")";
      }
      if (head.contains("separator"))
        out_ << "; the others frozen by lambda u v^T, lambda = " << number(head.at("separator").at("lambda"))
             << ", u = " << vector(head.at("separator").at("u"))
             << ", v = " << vector(head.at("separator").at("v"));
      out_ << "; rank " << head.at("rank_before") << " -> " << head.at("rank_after");
    }
  }
  void readout_enclosure(const Json& s) {
    out_ << "Z U = Y has a solution with " << s.at("weights").size() << " non-zero rows (columns "
         << list(s.at("cols")) << " of Z); for example its first entry is "
         << number(s.at("weights").at(0).at(0).at("mid")) << " up to "
         << number(s.at("weights").at(0).at(0).at("rad"));
  }
  void readout_exact(const Json& s) {
    out_ << "Z U = Y exactly with U non-zero in the rows " << list(s.at("cols")) << ": "
         << list(s.at("weights"));
  }
  void claim_weights(const Json& s) {
    out_ << "W* = sum_k R_k log(phi_k) L_k^T with right inverses R_k of the contexts and the left inverse of "
            "the queries";
    for (const Json& row : s.at("left_inverse")) out_ << "\n       L = " << vector(row);
    if (s.contains("lambda"))
      out_ << "\n     plus lambda u v^T, lambda = " << number(s.at("lambda")) << ", u = " << vector(s.at("u"))
           << ", v = " << vector(s.at("v"));
  }

  void matrix_rank(const Json& s) {
    out_ << "rank " << s["matrix"].get<std::string>() << " = " << s["rows"].size() << ": the minor with rows "
         << list(s["rows"]) << " and columns " << list(s["cols"]) << " does not vanish mod " << s["p"];
    if (!s["kernel"].empty())
      out_ << ", and there are " << s["kernel"].size() << " kernel vectors: " << list(s["kernel"]);
  }
  void spectral_gap(const Json& s) {
    out_ << (s["side"] == "holds" ? "||A - B||^2 < " : "||A - B||^2 >= ") << number(s["mu"])
         << (s["side"] == "holds" ? " < " : " >= ")
         << "the smallest non-zero eigenvalue of A^T A, by counting eigenvalues";
  }
  void lemma_3_separator(const Json& s) {
    out_ << "W' = u v^T with u = " << vector(s["u"]) << ", v = " << vector(s["v"])
         << " vanishes on the subset and separates the tokens elsewhere";
  }
  void lemma_4_lambda(const Json& s) {
    out_ << "For every lambda >= " << number(s["lambda"])
         << " the coefficients are within epsilon of the vertex of token " << s["vertex"];
  }
  void equal_entries(const Json& s) {
    out_ << "The entries " << list(s["entries"]) << " of E W' e are equal";
  }
  void outputs_full_rank(const Json& s) {
    out_ << "Every output context has rank n, mod " << s["p"] << " already";
  }
  void vandermonde_nodes(const Json&) {
    out_ << "The nodes exp(+-i w_j), w_j = 10000^(-2j/d), are pairwise different, so n <= d rows of the "
            "encoding are those of a Vandermonde matrix";
  }
  void too_many_positions(const Json&) { out_ << "There are more positions than dimensions"; }
  void zero_encoding(const Json&) { out_ << "The encoding of one position in one dimension is sin(0) = 0"; }
  void moment_curve(const Json& s) {
    out_ << "The queries (1, x, x^2, ...) for the different points x = " << list(s["points"])
         << " are in general position";
  }
  void kronecker_labels(const Json& s) {
    out_ << "The outputs of all networks lie in finitely many subspaces of dimension at most k = " << s["k"]
         << "; the inputs are integers of at most " << number(s["entry_bound"])
         << ", so each is killed by an integer vector with entries of at most B = "
         << number(s["minor_bound"]) << " (Hadamard); the labels y_t = s^t with s = " << number(s["base"])
         << " >= 2 B + 2 are not";
  }
  void transcendental_labels(const Json& s) {
    out_ << "The outputs of a network are linear combinations of k = " << s["k"]
         << " real numbers with rational coefficients; the labels exp(sqrt(p)) for the primes p = "
         << list(s["primes"]) << " are algebraically independent, and there are more of them";
  }

  void network_weights(const Json& s) {
    out_ << "A network that fits the labels exactly: f(x) =";
    for (const Json& neuron : s.at("neurons"))
      out_ << "\n       + " << number(neuron.at("a")) << " max(0, (" << list(neuron.at("w")) << ") . x + "
           << number(neuron.at("b")) << ")";
    if (s.contains("output_bias")) out_ << "\n       + " << number(s.at("output_bias"));
  }
  void pattern_search(const Json& s) {
    out_ << "No network fits the labels. With |a_j| moved into w_j and b_j and the neurons of one sign "
            "sorted, the patterns of active neurons are gone through:";
    std::size_t positive = 0;
    for (const Json& tree : s.at("trees")) {
      std::size_t leaves = 0;
      for (const Json& node : tree) leaves += node.contains("neuron") ? 0 : 1;
      out_ << "\n       " << positive << " neurons with a > 0, " << s.at("trees").size() - 1 - positive
           << " with a < 0: " << leaves << (leaves == 1 ? " case" : " cases");
      if (leaves == 1 && !tree.at(0).contains("neuron"))
        out_ << ", by the combination " << list(tree.at(0).at("examples"))
             << " of the labels, which is positive";
      ++positive;
    }
    out_ << "\n     each refuted by a combination of its equations and inequalities";
  }
  // An enclosure, looked at for its size.
  std::string between(const Json& ends) const {
    const std::string lower = decimal(ends.at("lower")), upper = decimal(ends.at("upper"));
    if (lower != upper) return "in [" + lower + ", " + upper + "]";
    return (ends.at("lower") == ends.at("upper") ? "= " : "about ") + lower;
  }

  void finite_lambda_bound(const Json& s) {
    if (s.at("heads").empty()) {
      out_ << "No head of the construction has a separator to scale";
    } else {
      out_ << "The limit lambda -> infinity is not needed: with the earlier heads as they are constructed, "
              "every "
              "lambda of the head above lambda* = (s + log_b(2 M (n - 1) sqrt(rho) ||C|| / "
              "sigma_min)) / gamma keeps the rank that its fresh set adds";
      for (const Json& h : s.at("heads"))
        out_ << "\n       head " << h.at("head") << ": lambda* " << between(h.at("lambda_star"))
             << " with gamma " << between(h.at("gamma")) << ", s " << between(h.at("spread")) << ", M "
             << between(h.at("token_norm")) << ", ||C|| " << between(h.at("c_norm")) << ", sigma_min "
             << between(h.at("sigma_min"));
    }
    if (!s.contains("all_heads")) return;
    const Json& all = s.at("all_heads");
    out_ << "\n     All heads together: every choice of lambdas above " << decimal(all.at("lambda_star"))
         << ", one for each head, keeps the rank, for the limit of the minor has its smallest singular value "
         << between(all.at("sigma_min"))
         << ".\n     One lambda for all heads that is not above that: the rank is smaller at finitely many "
            "lambdas "
            "at most, at no irrational algebraic one, and is decided below where a step says so";
  }
  void rescaled(const Json& s) {
    out_ << "Let every head of the construction have lambda = " << number(s.at("lambda"));
  }

  static const std::map<std::string, Kind>& kinds() {
    using E = Explainer;
    static const std::map<std::string, Kind> table = {{"character-minor", &E::character_minor},
                                                      {"random", &E::random},
                                                      {"affine-hull", &E::affine_hull},
                                                      {"token-minor", &E::token_minor},
                                                      {"structure", &E::structure},
                                                      {"right-kernel", &E::right_kernel},
                                                      {"left-kernel", &E::left_kernel},
                                                      {"kruskal-lower", &E::kruskal_lower},
                                                      {"kruskal-upper", &E::kruskal_upper},
                                                      {"contexts-full-rank", &E::contexts_full_rank},
                                                      {"context-dependent", &E::context_dependent},
                                                      {"subset-context-dependent", &E::context_dependent},
                                                      {"contexts-differ", &E::contexts_differ},
                                                      {"token-sums-differ", &E::token_sums_differ},
                                                      {"too-many-examples", &E::too_many_examples},
                                                      {"subset-too-large", &E::subset_too_large},
                                                      {"subset-dependent", &E::subset_dependent},
                                                      {"construction", &E::construction},
                                                      {"readout-enclosure", &E::readout_enclosure},
                                                      {"readout-exact", &E::readout_exact},
                                                      {"matrix-rank", &E::matrix_rank},
                                                      {"spectral-gap", &E::spectral_gap},
                                                      {"lemma-3-separator", &E::lemma_3_separator},
                                                      {"lemma-4-lambda", &E::lemma_4_lambda},
                                                      {"equal-entries", &E::equal_entries},
                                                      {"outputs-full-rank", &E::outputs_full_rank},
                                                      {"vandermonde-nodes", &E::vandermonde_nodes},
                                                      {"too-many-positions", &E::too_many_positions},
                                                      {"zero-encoding", &E::zero_encoding},
                                                      {"moment-curve", &E::moment_curve},
                                                      {"kronecker-labels", &E::kronecker_labels},
                                                      {"transcendental-labels", &E::transcendental_labels},
                                                      {"network-weights", &E::network_weights},
                                                      {"pattern-search", &E::pattern_search},
                                                      {"finite-lambda-bound", &E::finite_lambda_bound},
                                                      {"rescaled", &E::rescaled},
                                                      {"claim-1-weights", &E::claim_weights},
                                                      {"claim-2-weights", &E::claim_weights}};
    return table;
  }

  std::string statement_;
  const Json& result_;
  bool full_;
  std::ostringstream out_;
};

// The theorems that steps name (docs/certificate.md), in their order of depth. Proofs of what is not textbook
// material are in docs/mathematics.md.
const std::map<std::string, std::string>& theorems() {
  static const std::map<std::string, std::string> table = {
      {"lindemann-weierstrass",
       "The powers e^x for different algebraic numbers x are linearly independent over the algebraic "
       "numbers. So they satisfy no relation but b^x b^y = b^(x+y), any map that respects it is a ring "
       "homomorphism, and a minor whose image is not 0 is not 0."},
      {"gelfond-schneider",
       "2^x is transcendental for algebraic irrational x. So the powers of 2^s, s irrational, satisfy no "
       "relation "
       "but b^x b^y = b^(x+y), and a minor whose image under a homomorphism is not 0 is not 0."},
      {"base-2",
       "x^D - 2 is irreducible (Eisenstein), so an image of 2^(1/D) that satisfies the same equation makes a "
       "ring "
       "homomorphism, and a minor whose image is not 0 is not 0."},
      {"affine-hull-bound",
       "If all tokens lie in an affine space of dimension a then rank(Z) <= H a + 1 for all weights, and "
       "rank(Z) <= H a when that space contains 0: every z_h is a convex combination of tokens."},
      {"equal-and-constant-heads",
       "Heads with equal coefficients have equal blocks of Z; a head that does not look at the query has a "
       "block "
       "of rank one in the span of the others' common part."},
      {"modular-rank",
       "A minor that does not vanish mod p does not vanish: the rank mod p is a lower bound."},
      {"subset-independence",
       "If every subset of k vectors is independent mod p then every subset of k vectors is independent."},
      {"dependent-subset",
       "A vanishing integer combination of m vectors shows that the Kruskal rank is at most m - 1."},
      {"dependent-rows", "A vanishing integer combination shows that the rows are dependent."},
      {"minor-and-kernel",
       "A minor that does not vanish bounds the rank from below, independent kernel vectors "
       "bound it from above."},
      {"sylvester-inertia",
       "The eigenvalues of a symmetric matrix above a rational number are counted by sign changes, exactly."},
      {"witness", "A counterexample, to be looked at."},
      {"arithmetic", "A comparison of integers."},
      {"definition", "What the step says is a definition."},
      {"evaluation", "The network is evaluated at every example, exactly."},
      {"exact-solution", "Z U = Y, multiplied out exactly."},
      {"nonsingular-minor-and-enclosure",
       "The minor does not vanish, so Z U = Y has exactly one solution on its columns; interval elimination "
       "encloses it."},
      {"proposition-1-induction",
       "Proposition 1's induction: each head is exact on its fresh examples and frozen on the row basis, so "
       "it "
       "adds rank (Lemmas 1 and 3, Claims 1 and 2)."},
      {"claim-1", "W = sum_k R_k log(phi_k) L_k^T gives E_t W e_t = log(phi_t) on the subset."},
      {"claim-2",
       "Claim 1's weights plus lambda u v^T, where v vanishes on the subset: the other examples go to "
       "one-hot vectors as lambda grows."},
      {"lemma-3", "A rank-one matrix that vanishes on n - 1 queries and separates the tokens elsewhere."},
      {"lemma-4", "1 - max(alpha) <= (n - 1) b^(s - lambda gamma): softmax tends to a vertex."},
      {"weyl-perturbation",
       "Lemma 5: the rank does not drop under a perturbation smaller than the smallest non-zero singular "
       "value "
       "(docs/finite-lambda.md)."},
      {"farkas",
       "A combination of equations and inequalities that says 0 > 0 shows that they have no solution."},
      {"pattern-subspaces",
       "The outputs of the networks with given patterns of active neurons form a linear space, and there are "
       "finitely many patterns."},
      {"algebraic-independence",
       "Lindemann-Weierstrass: exponentials of algebraic numbers that are linearly independent over the "
       "rationals are algebraically independent."},
      {"vandermonde", "The Vandermonde determinant of different nodes does not vanish."}};
  return table;
}

}  // namespace

std::vector<StepInWords> steps_in_words(const Json& claim, bool full) {
  return Explainer(claim, full).steps(claim.at("steps"));
}

std::string statement_in_words(const std::string& statement) {
  std::string text = statement;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  const std::size_t dash = text.rfind('-');
  const bool numbered = dash != std::string::npos && dash + 2 == text.size() &&
                        std::isdigit(static_cast<unsigned char>(text.back()));
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k] == '-' && (!numbered || k == dash)) text[k] = ' ';
  return text;
}

std::string conclusion_in_words(const Json& claim) {
  const std::string verdict = claim.at("verdict").get<std::string>();
  const Json& result = claim.at("result");
  if (verdict == "verified") return "So the claim holds.";
  if (verdict == "refuted") return "So the claim is false.";
  if (verdict == "inapplicable") {
    std::string text = "So a hypothesis fails, and the statement says nothing about this data";
    if (result.contains("conclusion"))
      text += result.at("conclusion") == "proved" ? "; its conclusion holds all the same"
                                                  : "; its conclusion stays open";
    return text + ".";
  }
  return "This proves neither the claim nor its negation" +
         (claim.contains("reason") ? ": " + claim.at("reason").get<std::string>() : std::string()) + ".";
}

std::string theorem_in_words(const std::string& theorem) {
  const auto it = theorems().find(theorem);
  return it == theorems().end() ? std::string() : it->second;
}

void explain(const std::string& file, bool full, std::ostream& out) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file, "", "cannot be read", "a certificate that attest verify has written");
  Json json;
  try {
    json = Json::parse(in);
    if (!json.is_object() || json.value("format", "") != "attest-certificate/1")
      throw InputError(file, "", "is not a certificate of the format attest-certificate/1",
                       "a certificate that this version of attest has written");
    // Nothing is printed before the whole certificate has been gone through.
    std::ostringstream text;
    std::set<std::string> named;
    text << "Case " << json.at("case").at("path").get<std::string>() << ", SHA-256 "
         << json.at("case").at("sha256").get<std::string>() << "\n";
    for (const Json& claim : json.at("claims")) {
      const std::string statement = claim.at("statement").get<std::string>();
      text << "\nClaim " << claim.at("index") << ", " << statement << ": "
           << claim.at("verdict").get<std::string>();
      const std::string result = describe_result(claim.at("result"));
      if (!result.empty()) text << "; " << result;
      text << ".\n";
      for (const Statement& known : statements())
        if (known.name == statement)
          text << "  " << statement_in_words(statement) << ": " << known.says << ".\n";
      const auto same =
          std::find_if(json.at("claims").begin(), json.at("claims").end(), [&](const Json& other) {
            return other.at("statement") == claim.at("statement") && other.at("steps") == claim.at("steps");
          });
      if (&*same != &claim) {
        text << "  The proof is that of claim " << same->at("index") << ".\n";
      } else {
        text << "  Proof.\n";
        std::size_t k = 0;
        for (const StepInWords& step : steps_in_words(claim, full)) {
          text << "  " << ++k << ". " << step.text << "  [" << step.theorem << "]\n";
          named.insert(step.theorem);
        }
      }
      text << "  " << conclusion_in_words(claim) << "\n";
    }
    if (!named.empty()) text << "\nThe theorems named in brackets:\n";
    for (const std::string& theorem : named)
      text << "  " << theorem << ": " << theorem_in_words(theorem) << "\n";
    out << text.str();
  } catch (const nlohmann::json::exception& e) {
    throw InputError(file, "", std::string("is not a certificate: ") + e.what(),
                     "a certificate that attest verify has written");
  }
}

}  // namespace attest
