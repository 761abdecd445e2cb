#include "certificate/certificate.hpp"

namespace attest {

Json certificate(const Case& c, const std::string& digest, const std::vector<ClaimSteps>& claims,
                 const std::filesystem::path& folder) {
  Json json;
  json["format"] = "attest-certificate/2";
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

namespace {

void print(const Json& json, std::size_t indent, std::string& out) {
  constexpr std::size_t kLine = 120;
  if (json.is_primitive() || json.empty()) {
    out += json.dump();
    return;
  }
  std::string line = json.dump(-1);
  if (indent + line.size() <= kLine) {
    out += line;
    return;
  }
  const std::string margin(indent + 1, ' ');
  if (json.is_array()) {
    // Numbers and short values are filled into lines.
    out += "[";
    std::size_t column = kLine;
    bool first = true;
    for (const Json& item : json) {
      std::string text;
      print(item, indent + 1, text);
      if (!first) out += ",";
      if (column + text.size() + 2 > kLine) {
        out += "\n" + margin;
        column = margin.size();
      } else {
        out += " ";
        ++column;
      }
      out += text;
      column = text.find('\n') == std::string::npos ? column + text.size() + 1 : kLine;
      first = false;
    }
    out += "]";
  } else {
    out += "{";
    bool first = true;
    for (const auto& [key, value] : json.items()) {
      out += first ? "\n" : ",\n";
      out += margin + Json(key).dump() + ": ";
      print(value, indent + 1, out);
      first = false;
    }
    out += "}";
  }
}

}  // namespace

std::string certificate_text(const Json& json) {
  std::string out;
  print(json, 0, out);
  return out + "\n";
}

}  // namespace attest
