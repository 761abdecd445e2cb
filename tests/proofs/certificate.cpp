#include "certificate/certificate.hpp"

#include <fstream>
#include <map>

#include "checker/check.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace fs = std::filesystem;

TEST_CASE("placeholder") {}
