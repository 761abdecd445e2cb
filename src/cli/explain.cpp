#include "cli/explain.hpp"

#include <fstream>
#include <functional>
#include <iomanip>
#include <map>
#include <ostream>
#include <sstream>

#include "certificate/certificate.hpp"
#include "cli/verify.hpp"
#include "input/numbers.hpp"

namespace attest {
namespace {

class Explainer {
public:
  explicit Explainer(bool full) : full_(full) {}

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

private:
  using Kind = void (Explainer::*)(const Json&);

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
    out_ << "The hull is no smaller: " << s.at("tokens").size() << " tokens are "
         << (s.at("affine").get<bool>() ? "affinely" : "linearly") << " independent, (example, position) "
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
    out_ << "Every " << s.at("k") << " queries are linearly independent: "
         << (s.at("method") == "subsets" ? "all subsets" : "all hyperplanes of the left kernel")
         << " were gone through mod " << s.at("p");
  }
  void kruskal_upper(const Json& s) {
    out_ << "The Kruskal rank is at most " << s.at("subset").size() - 1 << ": the queries "
         << list(s.at("subset")) << " are dependent with the coefficients " << list(s.at("relation"));
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

  bool full_;
  std::ostringstream out_;
};

}  // namespace

std::vector<StepInWords> steps_in_words(const Json& steps, bool full) {
  Explainer explainer(full);
  std::vector<StepInWords> result;
  for (const Json& step : steps) result.push_back(explainer.step(step));
  return result;
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
    out << "Case " << json.at("case").at("path").get<std::string>() << ", SHA-256 "
        << json.at("case").at("sha256").get<std::string>() << "\n";
    for (const Json& claim : json.at("claims")) {
      out << "\nClaim " << claim.at("index") << ", " << claim.at("statement").get<std::string>() << ": "
          << claim.at("verdict").get<std::string>();
      const std::string result = describe_result(claim.at("result"));
      if (!result.empty()) out << "; " << result;
      out << ".\n";
      if (claim.contains("reason")) out << "  Open: " << claim["reason"].get<std::string>() << ".\n";
      std::size_t k = 0;
      for (const StepInWords& step : steps_in_words(claim.at("steps"), full))
        out << "  " << ++k << ". " << step.text << "  [" << step.theorem << "]\n";
    }
  } catch (const nlohmann::json::exception& e) {
    throw InputError(file, "", std::string("is not a certificate: ") + e.what(),
                     "a certificate that attest verify has written");
  }
}

}  // namespace attest
