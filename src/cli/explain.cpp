#include "cli/explain.hpp"

#include <fstream>
#include <functional>
#include <map>
#include <ostream>
#include <sstream>

#include "certificate/certificate.hpp"
#include "cli/verify.hpp"

namespace attest {
namespace {

class Explainer {
 public:
  Explainer(bool full, std::ostream& out) : full_(full), out_(out) {}

  void step(std::size_t number, const Json& s) {
    const std::string argument = s["argument"].get<std::string>();
    const auto it = kinds().find(argument);
    out_ << "  " << number + 1 << ". ";
    if (it == kinds().end())
      out_ << "(a step of the kind " << argument << ")";
    else
      (this->*it->second)(s);
    out_ << "  [" << s["theorem"].get<std::string>() << "]\n";
  }

 private:
  using Kind = void (Explainer::*)(const Json&);

  std::string number(const Json& value) const {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (full_ || text.size() <= 24) return text;
    return text.substr(0, 8) + "..." + text.substr(text.size() - 4) + " (" + std::to_string(text.size()) + " characters)";
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
    const std::string den = v["den"].get<std::string>();
    return (den == "1" ? "" : "1/" + number(v["den"]) + " ") + "(" + list(v["num"]) + ")";
  }

  std::string ring_element(const Json& terms) const {
    std::string text;
    for (const Json& term : terms)
      text += (text.empty() ? "" : " + ") + number(term[0]) + (term[1] == "0" ? "" : " b^(" + number(term[1]) + ")");
    return text;
  }

  std::string layer(const Json& s) const {
    const std::string name = s["layer"].get<std::string>();
    if (name == "given") return "the given layer";
    return name == "random" ? "the random layer" : "the constructed layer";
  }

  void character_minor(const Json& s) {
    const std::uint64_t p = s["p"].get<std::uint64_t>();
    out_ << "rank(Z) >= " << s["rows"].size() << " for " << layer(s) << ": the character b^x -> " << s["g"] << "^(x mod " << (p - 1) / 2
         << ") mod " << p << " maps Z to a matrix whose minor with rows " << list(s["rows"]) << " and columns " << list(s["cols"])
         << " does not vanish; so the minor of Z does not vanish";
  }
  void random(const Json& s) {
    out_ << "Let the weights be random " << s["kind"].get<std::string>() << " in -" << s["bound"] << ".." << s["bound"] << " (seed " << s["seed"] << ")";
  }
  void affine_hull(const Json& s) {
    out_ << "rank(Z) <= " << s["bound"] << " for all weights: ";
    if (s["witness"] == "tokens") {
      out_ << "every token is one of " << s["tokens"].size() << ", so the tokens lie in an affine space of dimension " << s["tokens"].size() - 1;
      return;
    }
    const Json& functionals = s["functionals"];
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
      out_ << "\n       v = " << vector(f["v"]) << ", c = " << number(f["c"]);
      ++shown;
    }
    out_ << "\n     each of which gives kernel vectors of Z";
  }
  void token_minor(const Json& s) {
    out_ << "The hull is no smaller: " << s["tokens"].size() << " tokens are " << (s["affine"].get<bool>() ? "affinely" : "linearly") << " independent, (example, position) "
         << list(s["tokens"]);
  }
  void structure(const Json& s) {
    out_ << "rank(Z) <= " << s["bound"] << " for " << layer(s) << ": ";
    if (!s["equal"].empty()) out_ << "heads with equal coefficients " << list(s["equal"]) << "; ";
    if (!s["constant"].empty()) out_ << "heads that do not depend on the query " << list(s["constant"]) << "; ";
    out_ << s["distinct"].size() << " heads are left";
  }
  void kernel(const Json& s, const char* side, const char* index) {
    out_ << "rank(Z) <= " << s["bound"] << " for " << layer(s) << ": " << s["vectors"].size() << " independent " << side
         << " kernel vectors, verified as identities between powers of b";
    std::size_t shown = 0;
    for (const Json& v : s["vectors"]) {
      if (!full_ && shown++ == 4 && s["vectors"].size() > 5) {
        out_ << "\n       ...";
        break;
      }
      out_ << "\n      ";
      std::size_t entries = 0;
      for (const Json& entry : v["entries"]) {
        if (!full_ && entries++ == 12) {
          out_ << " ...";
          break;
        }
        out_ << " " << index << entry[0] << ": " << ring_element(entry[1]) << ";";
      }
    }
  }
  void right_kernel(const Json& s) { kernel(s, "right", "column "); }
  void left_kernel(const Json& s) { kernel(s, "left", "row "); }
  void kruskal_lower(const Json& s) {
    out_ << "Every " << s["k"] << " queries are linearly independent: " << (s["method"] == "subsets" ? "all subsets" : "all hyperplanes of the left kernel")
         << " were gone through mod " << s["p"];
  }
  void kruskal_upper(const Json& s) {
    out_ << "The Kruskal rank is at most " << s["subset"].size() - 1 << ": the queries " << list(s["subset"]) << " are dependent with the coefficients "
         << list(s["relation"]);
  }
  void contexts_full_rank(const Json& s) { out_ << "Every context has rank n, mod " << s["p"] << " already"; }
  void context_dependent(const Json& s) {
    out_ << "Context " << s["example"] << " has dependent tokens, with the coefficients " << list(s["relation"]);
  }
  void contexts_differ(const Json& s) {
    out_ << "Context " << s["example"] << " differs from context 0 in token " << s["token"] << ", coordinate " << s["coordinate"];
  }
  void token_sums_differ(const Json& s) {
    out_ << "The entries of the tokens (example, position) (" << list(s["first"]) << ") and (" << list(s["second"]) << ") have different sums";
  }
  void too_many_examples(const Json&) { out_ << "T > H (r - 1) + 1"; }
  void subset_too_large(const Json&) { out_ << "The subset has more members than the claim allows"; }
  void subset_dependent(const Json& s) {
    out_ << "The queries " << list(s["subset"]) << " of the subset are dependent with the coefficients " << list(s["relation"]);
  }
  void construction(const Json& s) {
    out_ << "The paper's induction on heads:";
    std::size_t h = 0;
    for (const Json& head : s["heads"]) {
      out_ << "\n       head " << h++ << ": ";
      if (head["rows"].empty()) {
        out_ << "nothing left to do (rank " << head["rank_after"] << ")";
        continue;
      }
      out_ << "fresh examples " << list(head["fresh"]);
      for (const Json& logits : head["logits"]) {
        if (!full_ && &logits - &head["logits"][0] == 3) {
          out_ << ", ...";
          break;
        }
        out_ << (&logits == &head["logits"][0] ? " with logits " : ", ") << "(" << list(logits) << ")";
      }
      if (head.contains("separator"))
        out_ << "; the others frozen by lambda u v^T, lambda = " << number(head["separator"]["lambda"]) << ", u = " << vector(head["separator"]["u"])
             << ", v = " << vector(head["separator"]["v"]);
      out_ << "; rank " << head["rank_before"] << " -> " << head["rank_after"];
    }
  }
  void readout_enclosure(const Json& s) {
    out_ << "Z U = Y has a solution with " << s["weights"].size() << " non-zero rows (columns " << list(s["cols"]) << " of Z); for example its first entry is "
         << number(s["weights"][0][0]["mid"]) << " up to " << number(s["weights"][0][0]["rad"]);
  }
  void readout_exact(const Json& s) {
    out_ << "Z U = Y exactly with U non-zero in the rows " << list(s["cols"]) << ": " << list(s["weights"]);
  }
  void claim_weights(const Json& s) {
    out_ << "W* = sum_k R_k log(phi_k) L_k^T with right inverses R_k of the contexts and the left inverse of the queries";
    for (const Json& row : s["left_inverse"]) out_ << "\n       L = " << vector(row);
    if (s.contains("lambda"))
      out_ << "\n     plus lambda u v^T, lambda = " << number(s["lambda"]) << ", u = " << vector(s["u"]) << ", v = " << vector(s["v"]);
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
                                                      {"claim-1-weights", &E::claim_weights},
                                                      {"claim-2-weights", &E::claim_weights}};
    return table;
  }

  bool full_;
  std::ostream& out_;
};

}  // namespace

void explain(const std::string& file, bool full, std::ostream& out) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file, "", "cannot be read", "a certificate that attest verify has written");
  Json json;
  try {
    json = Json::parse(in);
    if (!json.is_object() || json.value("format", "") != "attest-certificate/1")
      throw InputError(file, "", "is not a certificate of the format attest-certificate/1", "a certificate that this version of attest has written");
    out << "Case " << json.at("case").at("path").get<std::string>() << ", SHA-256 " << json.at("case").at("sha256").get<std::string>() << "\n";
    Explainer explainer(full, out);
    for (const Json& claim : json.at("claims")) {
      out << "\nClaim " << claim.at("index") << ", " << claim.at("statement").get<std::string>() << ": " << claim.at("verdict").get<std::string>();
      const std::string result = describe_result(claim.at("result"));
      if (!result.empty()) out << "; " << result;
      out << ".\n";
      if (claim.contains("reason")) out << "  Open: " << claim["reason"].get<std::string>() << ".\n";
      for (std::size_t k = 0; k < claim.at("steps").size(); ++k) explainer.step(k, claim["steps"][k]);
    }
  } catch (const nlohmann::json::exception& e) {
    throw InputError(file, "", std::string("is not a certificate: ") + e.what(), "a certificate that attest verify has written");
  }
}

}  // namespace attest
