#include "check/check_file.hpp"

int main(int argc, char** argv) {
  return attest::kernel::check_main(argc, argv);
}
