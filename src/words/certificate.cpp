#include "words/certificate.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <unordered_map>
#include <utility>

#include "theory/statements.hpp"

namespace attest {
namespace {

using Renumber = std::function<std::size_t(std::size_t)>;

// The text with the numbers of steps in names such as Z(3).
std::string renumbered(const std::string& text, const Renumber& number) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    result += text[at++];
    const bool names = result.ends_with("Z(") || result.ends_with("J(") || result.ends_with("capacity(");
    std::size_t end = at;
    while (names && end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end > at) result += std::to_string(number(std::stoul(text.substr(at, end - at))));
    at = end;
  }
  return result;
}

// The step with other numbers of the steps that it names; not in its fact.
void renumber(Json& step, const Renumber& number) {
  const auto refer = [&](Json& named) { named = number(named.get<std::size_t>()); };
  if (step.contains("of")) step["of"] = renumbered(step["of"].get<std::string>(), number);
  for (const auto& [name, kind, optional] :
       find_shape(step.at("rule").get<std::string>(), step.value("of", ""))->list()) {
    if (!step.contains(name)) continue;
    Json& value = step[name];
    if (kind == "layer" && value.contains("rescaled")) refer(value["rescaled"]["of"]);
    if (kind == "[step]")
      for (Json& each : value) refer(each);
    if ((kind == "step" || kind == "given|step") && value.is_number()) refer(value);
  }
}

// All steps of a certificate, each once.
class Steps {
public:
  // The numbers of a claim's steps, which are moved from.
  std::vector<std::size_t> add(Json&& steps) {
    std::vector<std::size_t> numbers;
    for (Json& step : steps) numbers.push_back(add(std::move(step), numbers));
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }
  Json all = Json::array();

private:
  // Earlier steps of the claim have these numbers.
  std::size_t add(Json&& step, const std::vector<std::size_t>& earlier) {
    const std::string fact = step.at("fact").get<std::string>();
    // The fact of a `let` or `part` names itself.
    const auto call = [&](std::size_t own) {
      step["fact"] = renumbered(fact, [&](std::size_t k) { return k < earlier.size() ? earlier[k] : own; });
    };
    renumber(step, [&](std::size_t k) { return earlier.at(k); });
    call(0);
    std::vector<std::size_t>& alike = alike_[std::hash<Json>{}(step)];
    for (const std::size_t number : alike) {
      call(number);
      if (step == all[number]) return number;
    }
    call(all.size());
    alike.push_back(all.size());
    all.push_back(std::move(step));
    return alike.back();
  }

  std::unordered_map<std::size_t, std::vector<std::size_t>> alike_;  // by hash, where they call themselves 0
};

}  // namespace

Json certificate(const Case& c, const std::string& digest, std::vector<ClaimSteps> claims,
                 const std::filesystem::path& folder) {
  Json json;
  json["format"] = kernel::kCertificateFormat;
  json["attest"] = ATTEST_VERSION;
  // Absolute first: proximate() does not relate a folder that does not exist yet to one that does.
  json["case"] = {{"path", std::filesystem::proximate(std::filesystem::absolute(c.path),
                                                      std::filesystem::absolute(folder))
                               .generic_string()},
                  {"digest", digest}};
  Steps steps;
  Json of_claims = Json::array();
  for (std::size_t k = 0; k < claims.size(); ++k) {
    Json claim = {{"statement", c.claims[k].statement}, {"steps", steps.add(std::move(claims[k].steps))}};
    if (!claims[k].reason.empty()) claim["reason"] = claims[k].reason;
    of_claims.push_back(std::move(claim));
  }
  json["steps"] = std::move(steps.all);
  json["claims"] = std::move(of_claims);
  return json;
}

kernel::NumberedSteps steps_of(const Json& certificate, std::size_t claim) {
  return kernel::named_steps(certificate.at("claims").at(claim).at("steps"), certificate.at("steps"));
}

std::set<std::size_t> with_premises(const Json& certificate, std::size_t step) {
  std::set<std::size_t> all;
  std::vector<std::size_t> waiting = {step};
  while (!waiting.empty()) {
    const std::size_t next = waiting.back();
    waiting.pop_back();
    if (!all.insert(next).second) continue;
    Json copy = certificate.at("steps").at(next);
    renumber(copy, [&](std::size_t k) {
      waiting.push_back(k);
      return k;
    });
  }
  return all;
}

std::string filled(const Json& json, bool objects, std::size_t indent) {
  constexpr std::size_t kLine = 120;
  std::string line = json.dump();
  if (json.is_primitive() || json.empty() || indent + line.size() <= kLine) return line;
  const bool is_array = json.is_array();
  const std::string margin(indent + 1, ' ');
  std::string out;
  std::size_t column = kLine;  // so that the first entry starts a line
  for (auto entry = json.begin(); entry != json.end(); ++entry) {
    const std::string text =
        (is_array ? "" : Json(entry.key()).dump() + ": ") + filled(*entry, objects, indent + 1);
    const bool on_one_line = text.find('\n') == std::string::npos;
    if (!out.empty()) out += ",";
    if ((is_array || objects) && on_one_line && column + text.size() + 2 <= kLine) {
      out += " " + text;
      column += text.size() + 2;
    } else {
      out += "\n" + margin + text;
      const std::size_t comma = objects ? 0 : 1;  // certificates leave a place for it
      column = on_one_line ? margin.size() + text.size() + comma : kLine;
    }
  }
  return is_array ? "[" + out + "]" : "{" + out + "}";
}

std::string certificate_text(const Json& json) {
  return filled(json, false) + "\n";
}

}  // namespace attest
