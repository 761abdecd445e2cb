// What pictures show of a certificate is in its weights, not in its labels.
#include "page/pictures.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "proofs/proof.hpp"
#include "readers/case_file.hpp"

using namespace attest;

TEST_CASE("pictures compute their ranks: labels may be anything") {
  const std::filesystem::path root = ATTEST_SOURCE_DIR;
  const Case c = read_case(root / "cases/finite-lambda/four-heads.toml");
  const ClaimProof proof = prove(c, c.claims[0], {});
  const Json& steps = proof.script.steps();
  Json other = steps;
  std::string seen, ranks;
  for (Json& step : other) {
    const std::string label = step.value("label", "");
    if (step["rule"] == "let") step["label"] = "binary64 sees rank 999; rank 0 -> 999";
    const std::string before = "binary64 sees rank ";
    if (label.find(before) != std::string::npos)
      seen += " " + label.substr(label.find(before) + before.size());
    for (std::size_t at = 0; (at = label.find(" -> ", at)) != std::string::npos; at += 4)
      ranks += " " + std::to_string(std::stoul(label.substr(at + 4)));
  }
  REQUIRE(!seen.empty());
  REQUIRE(!ranks.empty());

  // The prover's labels tell the same.
  const std::optional<Picture> sweep = sweep_picture(c, steps), heads = construction_picture(c, steps);
  REQUIRE((sweep && heads));
  std::string drawn;
  const std::string after = " in binary64";
  for (std::size_t at = 0; (at = sweep->data.find(after, at)) != std::string::npos; at += after.size())
    drawn += sweep->data.substr(sweep->data.rfind(' ', at - 1), at - sweep->data.rfind(' ', at - 1));
  CHECK(drawn == seen);
  std::string listed = heads->data.substr(heads->data.find(": rank") + 6);
  listed = listed.substr(0, listed.find(';'));
  std::erase(listed, ',');
  CHECK(listed == ranks);

  CHECK(sweep_picture(c, other)->data == sweep->data);
  CHECK(construction_picture(c, other)->data == heads->data);
  for (Json& step : other)
    if (step["layer"].contains("rescaled")) step["layer"]["rescaled"]["lambda"] = "2";
  CHECK(sweep_picture(c, other)->data != sweep->data);
}
