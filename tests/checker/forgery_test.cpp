// What a forger tries with numbers that nothing derives, and with files after they were certified.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/checker/samples.hpp"
#include "tests/support/arrays.hpp"
#include "tests/support/text.hpp"

using namespace attest;
using namespace attest::test;
namespace fs = std::filesystem;

namespace {

bool textbook_prime(std::uint64_t n) {
  if (n < 2) return false;
  for (std::uint64_t k = 2; k * k <= n; ++k) {
    if (n % k == 0) return false;
  }
  return true;
}

std::uint64_t residue_power(std::uint64_t base, std::uint64_t exponent, std::uint64_t p) {
  std::uint64_t result = 1;
  for (; exponent > 0; exponent /= 2, base = base * base % p) {
    if (exponent % 2 == 1) result = result * base % p;
  }
  return result;
}

/// Whether the powers of b have images: p and q = (p - 1)/2 are odd primes, g has order q.
bool is_character(std::uint64_t p, std::uint64_t g) {
  return p < (1 << 23) && p > 5 && textbook_prime(p) && textbook_prime((p - 1) / 2) && g > 1 && g < p &&
         residue_power(g, (p - 1) / 2, p) == 1;
}

/// The numbers that differ from this one in one decimal digit, or by one digit more or less.
std::vector<std::uint64_t> misprints(std::uint64_t number) {
  const std::string text = std::to_string(number);
  std::vector<std::uint64_t> result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (char digit = '0'; digit <= '9'; ++digit) {
      std::string changed = text;
      changed[i] = digit;
      if (digit != text[i]) result.push_back(std::stoull(changed));
      result.push_back(std::stoull(text.substr(0, i) + digit + text.substr(i)));
    }
    result.push_back(std::stoull("0" + text.substr(0, i) + text.substr(i + 1)));
  }
  return result;
}

/// A certificate for independent queries that lie in the file queries.npy.
struct Certified {
  Folder folder;
  fs::path array = folder.path() / "queries.npy", certificate;

  Certified() {
    folder.write("queries.npy", npy_of<std::int64_t>({2, 2}, {1, 2, 3, 4}));
    const Case source = read_case(folder.write("case.toml", sized_layer(1, 1, 2, 1, 2) + R"([data]
queries = { file = "queries.npy" }
)" + claim("kruskal-rank", "value = 2")));
    const Json claims = json_of(
        "[{'statement': 'kruskal-rank', 'steps': [{'rule': 'subsets', 'of': 'kruskal(queries)', 'k': 2, "
        "'p': 7, 'method': 'subsets', 'fact': 'kruskal(queries) >= 2'}]}]");
    certificate = folder.write("c.json", certificate_of(kernel::Problem(source), claims).dump());
  }

  std::string check() const {
    std::ostringstream out, err;
    const int status = kernel::run_check({certificate}, {}, out, err);
    return std::to_string(status) + " " + unwrapped(out.str());
  }
  void check_rejected() const {
    const std::string found = check();
    CAPTURE(found);
    CHECK(found.starts_with("1 "));
    CHECK(contains(found, "rejected: expected the digest of the case, "));
    CHECK(!contains(found, "verified"));
  }
  void check_valid() const { CHECK(contains(check(), "valid (1 claim: 1 verified)")); }
};

}  // namespace

TEST_CASE("digits of p and g: what is accepted is a character") {
  const Json step = sample("opposite").claims[0]["steps"][0];
  REQUIRE(step["rule"] == "minor");
  const auto p = step["p"].get<std::uint64_t>(), g = step["g"].get<std::uint64_t>();
  REQUIRE(is_character(p, g));
  std::size_t accepted = 0, rejected = 0;
  const auto attempt = [&](std::uint64_t other_p, std::uint64_t other_g) {
    const std::string found = verdict_after("opposite", [&](Json& claims) {
      claims[0]["steps"][0]["p"] = other_p;
      claims[0]["steps"][0]["g"] = other_g;
    });
    CAPTURE(other_p);
    CAPTURE(other_g);
    CAPTURE(found);
    const bool valid = found.starts_with("valid: ");
    const bool refused = found.starts_with("rejected: ");
    CHECK((valid || refused));
    if (valid) CHECK(is_character(other_p, other_g));
    (valid ? accepted : rejected) += 1;
  };
  for (const std::uint64_t other : misprints(g)) attempt(p, other);
  CHECK(accepted > 10);  // the squares mod p
  for (const std::uint64_t other : misprints(p)) {
    attempt(other, g);
    attempt(other, 4);  // a square mod every p
  }
  CHECK(rejected > 100);
}

TEST_CASE("no p and no g make a minor of dependent rows") {
  const std::size_t claim = 0;
  Case source = case_of(sample("opposite").toml);
  source.claims = {source.claims[claim]};
  const kernel::Problem problem(source);
  Json claims = Json::array({sample("opposite").claims[claim]});
  const auto attempt = [&](std::uint64_t p, std::uint64_t g) {
    Json& step = claims[0]["steps"][0];
    step["p"] = p;
    step["g"] = g;
    step["rows"] = {0, 1, 2, 3};
    step["cols"] = {0, 1, 2, 3};
    step["fact"] = "rank(Z(given)) >= 4";
    return verdict(problem, certificate_of(problem, claims).dump());
  };
  const Json step = sample("opposite").claims[claim]["steps"][0];
  const auto known_p = step["p"].get<std::uint64_t>(), known_g = step["g"].get<std::uint64_t>();
  std::size_t characters = 0;
  const auto check = [&](std::uint64_t p, std::uint64_t g) {
    characters += is_character(p, g) ? 1 : 0;
    const std::string found = attempt(p, g);
    CAPTURE(p);
    CAPTURE(g);
    CAPTURE(found);
    CHECK(found.starts_with("rejected: "));
  };
  for (std::uint64_t p = 0; p < 90; ++p) {
    for (std::uint64_t g = 0; g <= p; ++g) check(p, g);
  }
  for (const std::uint64_t g : misprints(known_g)) check(known_p, g);
  for (const std::uint64_t p : misprints(known_p)) check(p, 4);
  CHECK(characters > 100);
}

TEST_CASE("relations that hold for all weights, and those that nearly do") {
  // Two tokens a, b: opposite queries e, -e put out a + b together, whatever the weights, and the last
  // example puts out (a + b) / 2: by the query 0, or because it has no other token. There are no further
  // relations y, whatever the digits of e and f; the numbers make logits equal where digits are few.
  struct Numbers {
    std::string a, b, middle, e, minus_e, f, minus_f;
  };
  const std::vector<Numbers> all = {
      {"[1, 0]", "[0, 1]", "['1/2', '1/2']", "[1, 2]", "[-1, -2]", "[2, -1]", "[-2, 1]"},
      {"[9, -1]", "[-1, 9]", "[4, 4]", "[9, -1]", "[-9, 1]", "[81, -9]", "[-81, 9]"},
      {"[1, 0]", "[0, 1]", "['1/2', '1/2']", "[42, -1]", "[-42, 1]", "[0, 1]", "[0, -1]"},
      {"['1/3', 1]", "[1, '1/7']", "['2/3', '4/7']", "['1/9', -1]", "['-1/9', 1]", "[1, '-1/9']",
       "[-1, '1/9']"},
      {"[1, 1]", "[-1, 1]", "[0, 1]", "['1e40', 1]", "['-1e40', -1]", "['1e40', 0]", "['-1e40', 0]"}};
  std::size_t accepted = 0, rejected = 0;
  for (const Numbers& x : all) {
    for (const bool by_query : {true, false}) {
      const std::string pair = "[" + x.a + ", " + x.b + "], ";
      std::string toml = sized_layer(1, 2, 2, 1, 5) +
                         "base = '2'\nlogit_scale = '2/3'\n[data]\ncontexts = [" + pair + pair + pair + pair;
      toml += by_query ? pair + "]"
                       : "[" + x.middle + ", " + x.a + "]]\nmask = [[1, 1], [1, 1], [1, 1], [1, 1], [1, 0]]";
      toml += "\nqueries = [" + x.e + ", " + x.minus_e + ", " + x.f + ", " + x.minus_f + ", " +
              (by_query ? "[0, 0]" : x.e) + "]\n" + claim("capacity", "at_most = 4");
      const Case source = case_of(toml);
      const kernel::Problem problem(source);
      for (int code = 1; code < 81 * 5; ++code) {
        const int y[] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 % 3 - 1, code / 27 % 3 - 1,
                         code / 81 * 2 - 4};
        Json vector = Json::array();
        for (std::size_t t = 0; t < 5; ++t)
          if (y[t] != 0) vector.push_back({t, std::to_string(y[t])});
        if (vector.empty()) continue;
        Json claims = json_of(
            "[{'statement': 'capacity', 'steps': [{'rule': 'zero', 'of': 'capacity', 'side': "
            "'left', 'p': 101, 'fact': 'capacity <= 4'}]}]");
        claims[0]["steps"][0]["vectors"] = Json::array({vector});
        const bool holds = y[0] == y[1] && y[2] == y[3] && 2 * y[0] + 2 * y[2] + y[4] == 0;
        const std::string found = verdict(problem, certificate_of(problem, claims).dump());
        CAPTURE(toml);
        CAPTURE(vector.dump());
        CAPTURE(found);
        CHECK(found.starts_with(holds ? "valid: verified" : "rejected: "));
        (holds ? accepted : rejected) += 1;
      }
    }
  }
  CHECK(accepted == 80);
  CHECK(rejected > 3000);
}

TEST_CASE("an array that changes after it was certified, under whatever name") {
  const std::string good = npy_of<std::int64_t>({2, 2}, {1, 2, 3, 4}),
                    bad = npy_of<std::int64_t>({2, 2}, {1, 2, 2, 4});
  {
    const Certified c;
    c.check_valid();
    // In place, by another name of the same file.
    fs::create_hard_link(c.array, c.folder.path() / "other.npy");
    c.check_valid();
    std::fstream(c.folder.path() / "other.npy", std::ios::binary | std::ios::in | std::ios::out) << bad;
    c.check_rejected();
  }
  {
    const Certified c;
    // Another file under the name: a link, first to equal contents, then to others.
    fs::remove(c.array);
    fs::create_symlink(c.folder.write("equal.npy", good).filename(), c.array);
    c.check_valid();
    fs::remove(c.array);
    fs::create_symlink(c.folder.write("forged.npy", bad).filename(), c.array);
    c.check_rejected();
    // Through a link to a folder that leads elsewhere.
    const Folder outside;
    fs::remove(c.array);
    fs::create_symlink(outside.write("queries.npy", good), c.array);
    CHECK(contains(c.check(), "bad input: "));
    CHECK(c.check().starts_with("2 "));
  }
  {
    const Certified c;
    // The case file names another array; the certificate is beside a case of the same name.
    c.folder.write("forged.npy", bad);
    c.folder.write("case.toml", replaced(c.folder.read("case.toml"), "queries.npy", "forged.npy"));
    c.check_rejected();
    // Cut short.
    const Certified cut;
    fs::resize_file(cut.array, fs::file_size(cut.array) - 8);
    CHECK(cut.check().starts_with("2 "));
    CHECK(contains(cut.check(), "bad input: "));
  }
}
