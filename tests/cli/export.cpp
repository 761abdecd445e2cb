// export --coq: what writes Coq files since attest does not is named. scripts/check_replay tests that.
#include "tests/cli/program.hpp"

using namespace attest::test;

TEST_CASE("export: names the script that writes Coq files, and writes nothing") {
  const Workplace place;
  const Outcome outcome = place.attest({"export", "--coq", "x.json", "--claim", "0", "--out", "x.v"});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("scripts/replay_in_coq") != std::string::npos);
  CHECK(place.files().empty());
}
