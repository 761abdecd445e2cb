#include "checker/check.hpp"

int main(int argc, char** argv) {
  return attest::checker::check_main(argc, argv);
}
