#include "words/certificate.hpp"

#include "kernel/certificate.hpp"

namespace attest {

Json certificate(const Case& c, const std::string& digest, const std::vector<ClaimSteps>& claims,
                 const std::filesystem::path& folder) {
  Json json;
  json["format"] = kernel::kCertificateFormat;
  json["attest"] = ATTEST_VERSION;
  // Absolute first: proximate() does not relate a folder that does not exist yet to one that does.
  json["case"] = {{"path", std::filesystem::proximate(std::filesystem::absolute(c.path),
                                                      std::filesystem::absolute(folder))
                               .generic_string()},
                  {"digest", digest}};
  json["claims"] = Json::array();
  for (std::size_t k = 0; k < claims.size(); ++k) {
    Json claim = {{"statement", c.claims[k].statement}, {"steps", claims[k].steps}};
    if (!claims[k].reason.empty()) claim["reason"] = claims[k].reason;
    json["claims"].push_back(std::move(claim));
  }
  return json;
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
