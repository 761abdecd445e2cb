#include "certificate/certificate.hpp"

#include <cmath>
#include <sstream>

#include "exact/modular.hpp"
#include "input/numbers.hpp"
#include "input/sha256.hpp"

namespace attest {

Json to_json(const mpq_class& number) {
  return number_text(number);
}
Json to_json(const mpz_class& number) {
  return number.get_str();
}

Json to_json(const RationalVector& v) {
  return {{"den", v.den.get_str()}, {"num", to_json(v.num)}};
}

Json to_json(const std::vector<std::size_t>& indices) {
  Json list = Json::array();
  for (std::size_t i : indices) list.push_back(i);
  return list;
}

Json to_json(const std::vector<mpz_class>& numbers) {
  Json list = Json::array();
  for (const mpz_class& x : numbers) list.push_back(x.get_str());
  return list;
}

Json certificate(const Case& c, const std::vector<ClaimProof>& claims, const std::filesystem::path& folder) {
  Json json;
  json["format"] = "attest-certificate/1";
  json["attest"] = ATTEST_VERSION;
  Json arrays = Json::array();
  for (const SourceFile& file : c.arrays) arrays.push_back({{"path", file.path}, {"sha256", file.sha256}});
  // Absolute first: proximate() does not relate a folder that does not exist yet to one that does.
  json["case"] = {{"path", std::filesystem::proximate(std::filesystem::absolute(c.path),
                                                      std::filesystem::absolute(folder))
                               .generic_string()},
                  {"sha256", c.sha256},
                  {"arrays", arrays}};
  json["claims"] = Json::array();
  for (std::size_t k = 0; k < claims.size(); ++k) {
    Json claim = {{"index", k},
                  {"statement", c.claims[k].statement},
                  {"verdict", verdict_name(claims[k].verdict)},
                  {"result", claims[k].result},
                  {"steps", claims[k].steps}};
    if (claims[k].verdict == Verdict::undecided) claim["reason"] = claims[k].reason;
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

Json minor_solutions(const Case& c, const Claim& claim, const std::string& layer, const Json& definition,
                     std::uint64_t p, std::uint64_t g, const MinorIndices& minor, std::vector<double> a) {
  std::ostringstream text;
  text << "attest-f7/1\n" << c.sha256 << "\n";
  for (const SourceFile& file : c.arrays) text << file.sha256 << "\n";
  text << "claim " << claim.index << "\nlayer " << layer << "\n"
       << (definition.is_null() ? std::string() : sha256_hex(definition.dump())) << "\np " << p << " g " << g
       << "\nrows";
  for (std::size_t i : minor.rows) text << " " << i;
  text << "\ncols";
  for (std::size_t j : minor.cols) text << " " << j;
  text << "\n";
  const std::string seed = sha256_hex(text.str());

  std::size_t count = 1;  // least k with p^-k < 2^-128
  while (static_cast<double>(count) * std::log2(static_cast<double>(p)) <= 128) ++count;
  const std::size_t r = minor.rank();
  std::vector<double> b(r * count);
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t i = 0; i < r; i += 4) {
      const std::string digest = sha256_hex(seed + " " + std::to_string(j) + " " + std::to_string(i / 4));
      for (std::size_t w = 0; w < 4 && i + w < r; ++w) {
        std::uint64_t word = 0;  // little-endian
        for (std::size_t byte = 8; byte-- > 0;)
          word = word << 8 |
                 static_cast<std::uint64_t>(std::stoul(digest.substr(16 * w + 2 * byte, 2), nullptr, 16));
        b[(i + w) * count + j] = static_cast<double>(word % p);
      }
    }
  blas::solve(p, r, count, a.data(), b.data());
  Json solutions = Json::array();
  for (std::size_t j = 0; j < count; ++j) {
    Json x = Json::array();
    for (std::size_t i = 0; i < r; ++i) {
      const double value = b[i * count + j];
      x.push_back(static_cast<std::uint64_t>(value < 0 ? value + static_cast<double>(p) : value));
    }
    solutions.push_back(std::move(x));
  }
  return solutions;
}

}  // namespace attest
